// SPDX-License-Identifier: MIT
// Inside a crack field: what crack_field.c keeps, crack_break.c changes and crack_query.c reads.
//
// Numbers of fragments last for ever: what breaks becomes the parent of its parts, and a cut that
// names a fragment holds for all that comes out of it. So a break appends and never rewrites.
#pragma once

#include "field/field.h"

#include "base/bits.h"
#include "base/memory.h"
#include "base/vec.h"

#include "tree/tree.h"

#include <rubble/crack_field.h>

enum {
	RBL_CRACK_NONE = -1,

	/// Levels of an occupancy grid: cells of twice the size of those that list tetrahedra, and four
	/// of doubled ones.
	RBL_CRACK_GRID_LEVELS = 5,
};

/// A crack in a tetrahedron, or (without a plane) that it is all in one part.
typedef struct rbl_crack_entry {
	int tet;
	int plane;        // RBL_CRACK_NONE: none
	int fragments[2]; // behind and in front; the second RBL_CRACK_NONE without a plane
	int pieces[2];    // of the two sides, RBL_CRACK_NONE: the plane bounds all of the fragment
	int next;         // older entry of the tetrahedron
} rbl_crack_entry;

/// The polygon of a crack in a tetrahedron, seen from one side, for planes that do not bound a
/// fragment as a whole. A convex polygon; fewer than three corners: nothing is left of it.
typedef struct rbl_crack_piece {
	rbl_plane plane; // out of the fragment
	int first_corner, corner_count;
	rbl_vec3 centre; // of a sphere around it
	float radius;
} rbl_crack_piece;

/// One of a fragment's planes, and on which side it is: the plane as given has the fragment behind
/// it, or in front.
static inline int rbl_crack_facing(int plane, int side)
{
	return 2 * plane + side;
}

typedef struct rbl_crack_fragment {
	int parent;                       // RBL_CRACK_NONE for fragment 0
	int depth;                        // breaks since the body was whole
	int first_part, part_count;       // part_count 0: it is whole
	int first_node, node_count;       // in rbl_crack_field.nodes_by_fragment
	int first_cut_tet, cut_tet_count; // in rbl_crack_field.cut_tets
	int first_facing, facing_count;   // in rbl_crack_field.facings: planes that bound all of it
	rbl_box box;                      // holds all of it
	bool has_cell_planes;             // every crack of it is of such a plane
	uint64_t *occupied; // bits of grid cells that it may have a part in, by level; or NULL
} rbl_crack_fragment;

/// A grid over the mesh: which tetrahedra are near a place.
typedef struct rbl_crack_grid {
	rbl_vec3 origin;
	float cell, inverse_cell;
	int size[3];
	int *starts; // by cell, x fastest, one more at the end
	int *tets;
	int item_count;
	int level_words[RBL_CRACK_GRID_LEVELS + 1]; // first word of each level's bits
	int level_sizes[RBL_CRACK_GRID_LEVELS][3];
	int level_count;
} rbl_crack_grid;

struct rbl_crack_field {
	rbl_allocator allocator;

	// The mesh.
	int node_count, tet_count, triangle_count, edge_count;
	rbl_vec3 *nodes;
	int *tet_nodes, *tet_neighbors; // four each
	rbl_plane *tet_planes;          // four each, outward: opposite to each node
	int *edge_starts, *edges;       // by node: its neighbours
	float *node_reaches;            // by node: its longest edge
	int *node_tet_starts, *node_tets;
	rbl_vec3 *triangles; // three corners each, of the boundary
	rbl_plane *triangle_planes;
	bool *is_surface_node;
	rbl_tree_pool pool, piece_pool;
	rbl_tree tree;       // of triangles
	rbl_tree piece_tree; // of the pieces of one break, from its first on
	float mean_edge, longest_edge, size;
	float rounding; // of distances
	rbl_crack_grid grid;

	// At nodes.
	int *node_fragments;
	int *surface_witnesses; // the nearest triangle
	float *surface_depths;
	int *crack_witnesses; // facing, or -2 - piece; RBL_CRACK_NONE: none
	float *crack_depths;  // INFINITY without a crack
	float *depths;        // the lesser of both
	int *nodes_by_fragment;

	// Cracks.
	int *first_entries; // by tetrahedron, RBL_CRACK_NONE: it is not cut
	RBL_ARRAY(rbl_plane) planes;
	RBL_ARRAY(rbl_crack_entry) entries;
	RBL_ARRAY(rbl_crack_piece) pieces;
	RBL_ARRAY(rbl_vec3) corners;
	RBL_ARRAY(rbl_crack_fragment) fragments;
	RBL_ARRAY(int) cut_tets;
	RBL_ARRAY(int) facings;
	rbl_arena arena; // for the work of a break
};

/// The plane of a facing, outward.
static inline rbl_plane rbl_crack_facing_plane(const rbl_crack_field *field, int facing)
{
	rbl_plane plane = field->planes.data[facing / 2];
	if (facing & 1)
		plane = (rbl_plane){ rbl_neg(plane.normal), -plane.offset };
	return plane;
}

/// @return whether a fragment is `ancestor`, or came out of it
static inline bool rbl_crack_descends(const rbl_crack_field *field, int fragment, int ancestor)
{
	const rbl_crack_fragment *fragments = field->fragments.data;
	int depth = fragments[ancestor].depth;
	while (fragments[fragment].depth > depth)
		fragment = fragments[fragment].parent;
	return fragment == ancestor;
}

/// @return which side of an entry a fragment is on, RBL_CRACK_NONE when it is not named
static inline int rbl_crack_side(const rbl_crack_field *field, const rbl_crack_entry *entry,
                                 int fragment)
{
	if (rbl_crack_descends(field, fragment, entry->fragments[0]))
		return 0;
	return entry->fragments[1] >= 0 && rbl_crack_descends(field, fragment, entry->fragments[1])
	           ? 1
	           : RBL_CRACK_NONE;
}

/// Whether a tetrahedron has a part of a fragment.
bool rbl_crack_tet_has(const rbl_crack_field *field, int tet, int fragment);

/// The distance of a point from a piece, and where the piece is nearest.
float rbl_crack_piece_distance(const rbl_crack_field *field, int piece, rbl_vec3 p,
                               rbl_vec3 *nearest);

/// The distance of a point from a node's crack, as node distances are made.
float rbl_crack_witness_distance(const rbl_crack_field *field, int witness, rbl_vec3 p,
                                 rbl_vec3 *nearest);

/// The nearest triangle of the boundary within `most`.
/// @param start  a triangle to begin with, or RBL_CRACK_NONE
/// @return its number, RBL_CRACK_NONE: none is so near
int rbl_crack_nearest_triangle(const rbl_crack_field *field, rbl_vec3 p, float most, int start,
                               float *distance, rbl_vec3 *nearest);

/// The nearest piece in `piece_tree` within `most`; parameters as above.
/// @param first  number of the first of its pieces
int rbl_crack_nearest_piece(const rbl_crack_field *field, int first, rbl_vec3 p, float most,
                            int start, float *distance, rbl_vec3 *nearest);

/// Room for the corners of a crack in a tetrahedron.
enum { RBL_CRACK_POLYGON = 32 };

/// The polygon that an entry's plane cuts out of its tetrahedron, as far as it bounds the fragment
/// on that side: other entries that name the fragment cut it further.
/// @param corners  receives them counter-clockwise around `plane`, room for RBL_CRACK_POLYGON
/// @param plane    receives the plane, out of the fragment
/// @return how many; 0: nothing is left
int rbl_crack_entry_polygon(const rbl_crack_field *field, int entry, int side, int fragment,
                            rbl_vec3 *corners, rbl_plane *plane);

/// Set the bits of cells that what a tetrahedron has of a fragment may be in, on the finest level
/// of occupancy.
void rbl_crack_mark_cells(const rbl_crack_field *field, int tet, int fragment, uint64_t *bits);

/// What a fragment says of a point.
typedef struct rbl_crack_measure {
	float distance, bound;
	rbl_vec3 gradient;
} rbl_crack_measure;

/// Measure a finite point by a fragment that there is.
/// @param tet  a tetrahedron near the point, or RBL_CRACK_NONE; receives the one it is in
rbl_crack_measure rbl_crack_measure_at(const rbl_crack_field *field, int fragment, rbl_vec3 p,
                                       int *tet);
