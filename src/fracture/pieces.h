// SPDX-License-Identifier: MIT
// Pieces: the output of a cut.
#pragma once

#include "base/memory.h"
#include "geometry/geometry.h"

#include <rubble/fracture.h>

/// A face of a piece: one loop of vertices, or several (an outer loop with its holes).
typedef struct rbl_piece_face {
	/// A triangle of the solid, or ~f for face f of the cells.
	int source;

	/// Into the block's corners. With several loops their sizes follow the corners.
	int first_corner;
	int corner_count;
	int loop_count;

	/// Made of parts of several triangles of one flat face: the triangle of each corner follows the
	/// corners.
	bool is_merged;

	/// A face of the mesh as it is, corner by corner; the source is its first triangle.
	bool is_uncut;
} rbl_piece_face;

/// Geometry of pieces, filled by one job.
typedef struct rbl_piece_block {
	RBL_ARRAY(rbl_vec3d) vertices; // relative to the solid's origin
	RBL_ARRAY(rbl_piece_face) faces;
	RBL_ARRAY(int) corners;
} rbl_piece_block;

/// A closed component of the solid in a cell.
typedef struct rbl_piece {
	int cell, group;
	int block; // -1: the cell itself, whose geometry is that of the cells
	int first_vertex, vertex_count;
	int first_face, face_count;
	int first_corner; // corners of its vertices count from first_vertex
	double volume;
	rbl_vec3d centre; // relative to the solid's origin
} rbl_piece;

struct rbl_pieces {
	rbl_allocator allocator;
	const rbl_solid *solid;
	rbl_cells cells; // in the solid's coordinates

	RBL_ARRAY(rbl_piece) pieces;
	RBL_ARRAY(rbl_piece_block *) blocks;

	double volume; // of all pieces
	double flat_volume;
	double inverted_volume;
	int flat_count;             // components without volume, left out
	int inverted_count;         // components of negative volume that are no voids, left out
	int winding_count;          // cells with a winding other than 0 and 1
	int rerouted_count;         // crossings between faces that share no edge
	int uncertain_offset_count; // shared faces whose areas do not fit together

	rbl_pieces_def def; // for materials and texture coordinates
	const rbl_pattern *pattern;

	/// The material that most of a shell group's surface has: what its cut faces look like where
	/// they have a new one. NULL: 0 for all.
	int *group_materials;
};

/// A cut under way, see cell_cut.h.
typedef struct rbl_cut_task rbl_cut_task;

/// Begin to break a solid by cells in the coordinates of the solid (the mesh's minus the origin),
/// which are around all of it: then position, shape and rotation of the definition are not read.
/// The pieces are complete when the cut is done.
/// @param cells            NULL: the pattern's, placed by the definition. Otherwise they are taken
///                         over, also on failure, and colors of pieces mean nothing
/// @param pieces, cutting  receive both, to be destroyed and ended; NULL on failure
/// @return as rbl_create_pieces()
rbl_result rbl_begin_pieces(const rbl_pieces_def *def, rbl_cells *cells, rbl_pieces **pieces,
                            rbl_cut_task **cutting);

/// Copy a mesh. @return as rbl_create_mesh()
rbl_result rbl_mesh_duplicate(const rbl_mesh *mesh, const rbl_allocator *allocator,
                              rbl_mesh **copy);

/// Prepare a mesh for cutting. @return as rbl_create_solid()
rbl_result rbl_solid_of_mesh(const rbl_mesh *mesh, const rbl_allocator *allocator,
                             rbl_solid **solid);

/// Check what definitions of cuts have in common. @return RBL_OK, RBL_BAD_ARGUMENT
rbl_result rbl_check_cut(rbl_vec3d position, rbl_mat3d shape, const rbl_inner_look *inner,
                         int cut_limit);

/// Whether pieces are all of the solid: what was left out as inverted is no more than rounding.
/// @return RBL_OK, RBL_BAD_MESH with a line in the log
rbl_result rbl_pieces_check(const rbl_pieces *pieces);

/// A face as it lies in memory, of a block or of a cell.
typedef struct rbl_face_view {
	int source;         // as in rbl_piece_face
	const int *corners; // vertices, within the piece
	int corner_count;
	int loop_count;
	const int *loop_sizes; // with several loops
	const int *triangles;  // of each corner, when it is made of several; otherwise NULL
	int mesh_corner; // of the first corner, when it is a face of the mesh as it is; otherwise -1
} rbl_face_view;

/// Face f of a piece, 0 to face_count - 1.
rbl_face_view rbl_piece_face_view(const rbl_pieces *pieces, const rbl_piece *piece, int f);

/// The vertices of a piece, relative to the solid's origin.
const rbl_vec3d *rbl_piece_vertices(const rbl_pieces *pieces, const rbl_piece *piece);

/// The material of cut faces.
int rbl_pieces_inner_material(const rbl_pieces *pieces);

/// The slot that cuts of a mesh have: of its materials, or their number, at least 1, for a new one.
int rbl_inner_slot(const rbl_mesh_data *mesh, const rbl_inner_look *look);

/// Write a mesh's materials, or a plain one, and one for cut faces that looks like the dominant
/// one. @param palette  NULL to count them only. @return their number
int rbl_write_palette(const rbl_mesh_data *mesh, int inner, int dominant,
                      rbl_mesh_material *palette);

/// Free a block. NULL is fine.
void rbl_piece_block_destroy(rbl_piece_block *block, const rbl_allocator *allocator);
