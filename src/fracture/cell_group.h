// SPDX-License-Identifier: MIT
// Cutting one shell group: what winding, offsets, caps and components share.
#pragma once

#include "fracture/cell_cut.h"

/// A segment of the surface in a cell that runs along a face of the cell.
typedef struct rbl_cut_segment {
	int face; // within the cell
	int from, to;
} rbl_cut_segment;

/// Where the surface passes through an edge of the cell.
typedef struct rbl_crossing {
	int corner; // the edge: the corner of its lower face, within the cell
	int vertex;
	int change; // of the winding along the edge, 1 or -1
	double t;   // place on the edge, 0 to 1
} rbl_crossing;

/// The surface within a cell. Ranges of the block's arrays.
typedef struct rbl_cell_record {
	int first_vertex, vertex_count;
	int first_face, face_count;
	int first_corner, corner_count; // with the triangles of merged faces
	int first_segment, segment_count;
	int first_crossing, crossing_count;
	bool has_surface;
} rbl_cell_record;

typedef struct rbl_cell_group_block {
	RBL_ARRAY(rbl_vec3d) vertices;
	RBL_ARRAY(rbl_piece_face) faces; // parts of triangles
	RBL_ARRAY(int) corners;
	RBL_ARRAY(rbl_cut_segment) segments;
	RBL_ARRAY(rbl_crossing) crossings;
	int rerouted_count;
} rbl_cell_group_block;

/// Pieces of a block, before they are put in order.
typedef struct rbl_cell_group_result {
	rbl_piece_block *geometry;
	RBL_ARRAY(rbl_piece) pieces;
	double flat_volume, inverted_volume;
	int flat_count, inverted_count, winding_count;
	bool out_of_memory;
} rbl_cell_group_result;

/// A directed edge of a cap.
typedef struct rbl_cap_edge {
	int face, from, to;
} rbl_cap_edge;

/// A closed component of a cell's geometry.
typedef struct rbl_cell_component {
	double volume;
	double net_volume; // less its voids
	rbl_vec3d centre;
	rbl_boxd bounds;
	int owner; // the component it belongs to: itself, or the one it is a void of; < 0 when left out
} rbl_cell_component;

typedef struct rbl_cell_group_worker {
	// Local numbers of mesh vertices and of the two ends of what is left of an edge in a cell,
	// valid where the stamp is the cell's.
	int *vertex_stamps, *vertex_locals;
	int *edge_stamps, *edge_locals;

	// By corner, vertex or face of the current cell.
	int *edge_changes;
	double *edge_integrals;
	int *cell_locals;
	unsigned char *face_touched;
	int *face_starts;
	double *costs;
	int *route;

	RBL_ARRAY(rbl_cap_edge) edges;
	RBL_ARRAY(rbl_cap_edge) sorted;
	RBL_ARRAY(int) heads; // by local vertex
	RBL_ARRAY(int) nexts; // by cap edge
	RBL_ARRAY(int) loops; // corners of the loops of a face
	RBL_ARRAY(int) loop_sizes;
	RBL_ARRAY(double) loop_areas;
	RBL_ARRAY(int) parents; // union-find by local vertex, then component
	RBL_ARRAY(int) labels;
	RBL_ARRAY(rbl_crossing) row;
	RBL_ARRAY(int) corner_labels; // what each corner's edge runs along, see RBL_ALONG_
	RBL_ARRAY(int) loop_corners;  // a merged face: indices of corners
	RBL_ARRAY(int) face_nexts;    // by face of the cell: the next of the same mesh face
	int *merge_stamps, *merge_firsts, *merge_lasts; // by mesh face; NULL when none can be merged
	RBL_ARRAY(rbl_vec3d) old_vertices; // geometry of a cell while it is split into components
	RBL_ARRAY(rbl_piece_face) old_faces;
	RBL_ARRAY(int) old_corners;
	RBL_ARRAY(rbl_cell_component) components;
} rbl_cell_group_worker;

typedef struct rbl_cell_group {
	rbl_cell_cut *s;
	rbl_mesh_data mesh; // of the solid
	int index;
	int cell_block; // cells in a block
	int block_count;
	rbl_cell_record *records; // per cell
	rbl_cell_group_block *blocks;
	rbl_cell_group_result *results;
	rbl_cell_group_worker *workers;
	double *areas; // per cell face: inside area for offset zero
	int *windings; // per cell vertex, for offset zero
	int *offsets;  // per cell
	int uncertain_count;
} rbl_cell_group;

/// Set up a group, which is zero before. @return false when memory ran out; end it all the same
bool rbl_cell_group_begin(rbl_cell_group *g, rbl_cell_cut *s, int index);

/// Free what a group holds.
void rbl_cell_group_end(rbl_cell_group *g);

/// Cells from `first` on, about as many as have `budget` triangles: the surface in them, and once
/// the offsets are known, their pieces. @return the cell to continue with, -1 when memory ran out
int rbl_cell_group_wind(rbl_cell_group *g, int first, int *budget);
int rbl_cell_group_make_pieces(rbl_cell_group *g, int first, int *budget);

/// Hand the results of the blocks over in order. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_cell_group_append_pieces(rbl_cell_group *g, rbl_pieces *pieces);

/// What the edge of a part runs along: a face of the cell (0 and up), an edge of the mesh, or a
/// diagonal within a mesh face.
enum { RBL_ALONG_EDGE = -1, RBL_ALONG_DIAGONAL = -2 };

/// Reserve heads and labels by local vertex; new ones are -1.
bool rbl_cell_group_reserve_heads(rbl_cell_group *g, rbl_cell_group_worker *w, int vertex_count);

/// Where those of a cell's vertices, faces and corners begin in a block that came with parts.
typedef struct rbl_merge_range {
	int first_vertex, first_face, first_corner;
} rbl_merge_range;

/// Join the parts of each flat mesh face in a cell to one polygon, drop vertices that only its
/// diagonals had, and list the segments. @return false when memory ran out
bool rbl_cell_group_merge_faces(rbl_cell_group *g, int cell, rbl_cell_group_block *block,
                                rbl_cell_record *record, rbl_merge_range range,
                                rbl_cell_group_worker *w);

/// Local vertices, segments, crossings, windings and areas of one cell.
bool rbl_cell_group_wind_cell(rbl_cell_group *g, int cell, rbl_cell_group_block *block,
                              rbl_cell_group_worker *w);

/// Decide the offset of every cell. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_cell_group_find_offsets(rbl_cell_group *g);

/// Append the geometry of one cell to the result: its surface, then its caps.
bool rbl_cell_group_cap_cell(rbl_cell_group *g, int cell, rbl_cell_group_result *result,
                             rbl_cell_group_worker *w);

/// Split the geometry that starts at the given places into closed components: pieces.
bool rbl_cell_group_split(rbl_cell_group *g, int cell, rbl_cell_group_result *result,
                          rbl_cell_group_worker *w, int first_vertex, int first_face,
                          int first_corner);
