// SPDX-License-Identifier: MIT
// Inside the field of a fragment: the largest of the original's distance, a box, planes and unions
// of cells.
//
// A fragment is what lies in the original and in some convex cells. The signed distance of an
// intersection is, inside, the largest of the distances to its parts, and outside no less than
// that; so nothing is lost but for what the original's field is off by, whatever the number of
// breaks.
#pragma once

#include "field/asset_field.h"

// Cells of a union are looked at by eight points at once, polygons by one point, eight of them at
// once: few points need them, and which of them differs from point to point. Blocks of eight are
// filled up with parts that never count.

enum { RBL_FIELD_BLOCK = 8 };

/// Boxes around cells.
typedef struct rbl_field_boxes {
	float lower[3][RBL_FIELD_BLOCK], upper[3][RBL_FIELD_BLOCK];
} rbl_field_boxes;

/// Planes of one cell.
typedef struct rbl_field_planes {
	float normal[3][RBL_FIELD_BLOCK], offset[RBL_FIELD_BLOCK];
} rbl_field_planes;

/// Balls around polygons.
typedef struct rbl_field_balls {
	float centre[3][RBL_FIELD_BLOCK], radius[RBL_FIELD_BLOCK];
} rbl_field_balls;

/// Edges of one polygon. The foot of a point is in the polygon when it is on the inner side of all
/// edges.
typedef struct rbl_field_edges {
	float from[3][RBL_FIELD_BLOCK];
	float along[3][RBL_FIELD_BLOCK]; // to the next corner
	float side[3][RBL_FIELD_BLOCK];  // unit, in the polygon's plane, inward
	float inverse_square[RBL_FIELD_BLOCK];
} rbl_field_edges;

/// Where the planes of a cell are, in blocks.
typedef struct rbl_field_cell {
	int first_block, block_end;
} rbl_field_cell;

/// An exposed polygon, and where its edges are, in blocks.
typedef struct rbl_field_polygon {
	rbl_plane plane; // outward
	int first_block, block_end;
} rbl_field_polygon;

/// Bonded cells. Their boxes and the balls of their polygons start at blocks of their own.
typedef struct rbl_field_union {
	int first_cell, cell_end, first_box;
	int first_polygon, polygon_end, first_ball;
} rbl_field_union;

/// What a cube is: the piece's, and one that other pieces pass through.
enum { RBL_CUBE_OWN = 1, RBL_CUBE_SHARED = 2 };

/// Which cubes of its box a piece occupies, for pieces that planes cannot tell from others of the
/// same cells.
typedef struct rbl_field_occupancy {
	rbl_vec3 origin;
	float cell, inverse_cell;
	int size[3];        // cubes
	uint8_t *distances; // at corners of cubes, x fastest: from the piece's, in the maximum norm
	uint8_t *states;    // by cube: RBL_CUBE_...
} rbl_field_occupancy;

/// The most cubes; beyond, they get larger.
enum { RBL_MAX_CUBES = 1 << 15 };

/// Corners of cubes, and cubes.
static inline int rbl_field_occupancy_corners(const rbl_field_occupancy *o)
{
	return (o->size[0] + 1) * (o->size[1] + 1) * (o->size[2] + 1);
}

static inline int rbl_field_occupancy_cubes(const rbl_field_occupancy *o)
{
	return o->size[0] * o->size[1] * o->size[2];
}

/// The field of a fragment. The arrays follow it in one block of memory.
typedef struct rbl_fragment_field {
	rbl_distance_field head;
	size_t size;                     // of the block
	const rbl_asset_field *original; // NULL: none
	float rounding;                  // as in rbl_asset_field
	rbl_mat3 rotation;               // to the original's coordinates
	rbl_vec3 translation;
	rbl_vec3 box_centre, box_half; // original's coordinates
	float scale;                   // metres: the largest coordinate
	float tie;                     // metres: a point so near to a face is on it
	const rbl_plane *planes;
	int plane_count;
	const rbl_field_union *unions;
	int union_count;
	const rbl_field_cell *cells;
	const rbl_field_boxes *boxes;
	const rbl_field_planes *cell_planes;
	const rbl_field_polygon *polygons;
	const rbl_field_balls *balls;
	const rbl_field_edges *edges;
	rbl_field_occupancy occupancy; // without cubes: not needed
} rbl_fragment_field;

/// The arrays of a fragment's field, in the order in which they follow it.
enum {
	RBL_FRAGMENT_PLANES,
	RBL_FRAGMENT_UNIONS,
	RBL_FRAGMENT_CELLS,
	RBL_FRAGMENT_BOXES,
	RBL_FRAGMENT_CELL_PLANES,
	RBL_FRAGMENT_POLYGONS,
	RBL_FRAGMENT_BALLS,
	RBL_FRAGMENT_EDGES,
	RBL_FRAGMENT_ARRAYS
};

/// The field as that of a fragment; NULL for other kinds.
const rbl_fragment_field *rbl_as_fragment_field(const rbl_distance_field *field);

/// How many items each array has.
void rbl_fragment_field_count(const rbl_fragment_field *field, int counts[RBL_FRAGMENT_ARRAYS]);

/// A field with room for as many, to be filled; destroyed as any field.
/// @return NULL when memory ran out
rbl_fragment_field *rbl_fragment_field_new(const rbl_allocator *allocator,
                                           const int counts[RBL_FRAGMENT_ARRAYS]);

/// Set what is known of a field once it is filled.
void rbl_fragment_field_describe(rbl_fragment_field *field);

/// Find out which cubes are the piece's. @param surface, others  as in rbl_fragment_field_def
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_field_occupancy_init(rbl_field_occupancy *occupancy, const rbl_allocator *allocator,
                                    rbl_box box, float cell, rbl_triangle_list surface,
                                    rbl_triangle_list others);
void rbl_field_occupancy_destroy(rbl_field_occupancy *occupancy, const rbl_allocator *allocator);

/// Correct what planes say of a point that may be in another piece.
/// @param p  original's coordinates
void rbl_field_occupancy_correct(const rbl_field_occupancy *occupancy, rbl_vec3 p, float *distance,
                                 float *bound, rbl_vec3 *gradient);
