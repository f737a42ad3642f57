// SPDX-License-Identifier: MIT
// Inside the field of a mesh: bricks of samples on three levels.
//
// The grid is divided into slots of 8 x 8 x 8 fine cells. A slot is a leaf of one brick: of level 0
// when the surface comes near it, of level 1 (cells twice as wide, 2 x 2 x 2 slots) next to those
// and inside, of level 2 (four times) elsewhere. A brick has 9 x 9 x 9 samples, its border
// included, so that one brick answers for a point. Distances are trilinear in cells and continuous
// across bricks: where a brick meets a coarser one, its samples are those that the coarser one
// interpolates.
//
// Every block of 2 x 2 x 2 cells of a brick has its own bound of the error, which is proven
// (asset_field_kernels.c says how).
#pragma once

#include "field/field.h"

#include "base/vec.h"
#include "tree/tree.h"

enum {
	RBL_BRICK_CELLS = 8,     // along each side
	RBL_BRICK_SIDE = 9,      // samples along each side
	RBL_BRICK_SAMPLES = 729, // in all
	RBL_BRICK_BLOCKS = 64,   // with a bound of their own
	RBL_FIELD_LEVELS = 3,
	RBL_ENTRY_LEVEL_BITS = 2, // of a directory entry; the rest is the brick
};

/// The field of a mesh. Lengths in the grid are counted in fine cells.
typedef struct rbl_asset_field {
	rbl_distance_field head;
	rbl_vec3 origin;                          // of the grid, metres
	float cell;                               // width of a fine cell, metres
	float inverse_cell;                       // cells per metre
	int size[3];                              // in slots
	int brick_count;                          // of all levels, the finest first
	float sample_steps[RBL_FIELD_LEVELS + 1]; // metres per unit of a sample
	float bound_step;                         // metres per unit of a bound at level 0
	float rounding; // share of distance and scale that float arithmetic may be off
	float scale;    // metres: the largest coordinate

	uint32_t *directory; // by slot, x fastest: brick << RBL_ENTRY_LEVEL_BITS | level
	int16_t *samples;    // RBL_BRICK_SAMPLES of each brick, x fastest
	uint8_t *bounds;     // RBL_BRICK_BLOCKS of each brick, x fastest
} rbl_asset_field;

static inline int rbl_asset_field_slots(const rbl_asset_field *field)
{
	return field->size[0] * field->size[1] * field->size[2];
}

/// Make room for directory and bricks; what is allocated is freed with the field.
/// @return false when memory ran out
bool rbl_asset_field_reserve(rbl_asset_field *field, int brick_count);

/// An empty field. @return NULL when memory ran out
rbl_asset_field *rbl_asset_field_new(const rbl_allocator *allocator);

/// @return the field as what it is, NULL when it is no field of a mesh
const rbl_asset_field *rbl_as_asset_field(const rbl_distance_field *field);

// --- building -----------------------------------------------------------------------------------

/// Fill a field that knows its grid (origin, cell, size).
/// @param corners  of the mesh's triangles, three each, in cells from the grid's origin
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED
rbl_result rbl_asset_field_build(rbl_asset_field *field, const rbl_vec3d *corners,
                                 int triangle_count, rbl_jobs *jobs);

/// A triangle as the search for the nearest one reads it, in cells. The foot of a point is inside
/// when it is on the inner side of all three sides; otherwise the nearest point is on an edge that
/// it is outside of.
typedef struct rbl_sample_triangle {
	rbl_vec3 corners[3];
	rbl_vec3 edges[3];        // from corner k to the next
	float inverse_squares[3]; // of edge lengths, 0 for none
	rbl_vec3 normal;          // unit
	rbl_vec3 sides[3];        // unit, in the plane, inward from edge k
	float bias;               // 1 for triangles without area, which have no inside; otherwise 0
} rbl_sample_triangle;

/// Bounding volume of some triangles. A few of them form a patch that is nearly flat: a disc (all
/// points within `radius` of an axis and within `half` of its middle) is tighter than a box. For
/// many triangles a box is tighter.
typedef struct rbl_sample_bound {
	rbl_vec3 centre;
	float radius;  // of a disc; negative: it is a box
	rbl_vec3 axis; // unit; of a box half its size
	float half;
} rbl_sample_bound;

/// A node of the nearest-triangle search: the bounds of its two children, which are nodes or, as
/// ~(4 * first + count - 1), up to four triangles that lie one after another.
typedef struct rbl_sample_node {
	rbl_sample_bound bounds[2];
	int children[2];
} rbl_sample_node;

/// What samples are taken from: a tree whose root is the last node.
typedef struct rbl_sample_surface {
	rbl_sample_node *nodes;
	rbl_sample_triangle *triangles;
	int node_count, triangle_count;
	int root; // as a child of a node
} rbl_sample_surface;

/// Build it. @param corners  three per triangle, in cells
/// @return RBL_OK, RBL_OUT_OF_MEMORY; in both cases it is to be destroyed
rbl_result rbl_sample_surface_init(rbl_sample_surface *surface, const rbl_allocator *allocator,
                                   const rbl_vec3d *corners, int triangle_count, rbl_jobs *jobs);
void rbl_sample_surface_destroy(rbl_sample_surface *surface, const rbl_allocator *allocator);

/// Where a brick lies: its lowest sample in cells, and its level.
typedef struct rbl_brick_place {
	int origin[3];
	int level;
} rbl_brick_place;

/// The grid while it is built; lengths in cells.
typedef struct rbl_sample_grid {
	int size[3];       // in slots
	const int *leaves; // by slot: the brick that it is a leaf of
	rbl_brick_place *places;
	float *exact;  // RBL_BRICK_SAMPLES per brick: signed distances; where no leaf is, anything
	float *values; // what the field will hold
} rbl_sample_grid;

/// Where lines along x through lattice points cross the mesh.
typedef struct rbl_crossing_rows {
	rbl_allocator allocator;
	int count[2];  // of rows: lattice points along y and z
	int *starts;   // by row, y fastest; one more at the end
	float *x;      // ascending, in cells
	int8_t *turns; // what the winding number falls by
	int crossing_count;
} rbl_crossing_rows;

/// Find all crossings. @param corners  three per triangle, in cells
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED
rbl_result rbl_crossing_rows_init(rbl_crossing_rows *rows, const rbl_allocator *allocator,
                                  const int slots[3], const rbl_vec3d *corners, int triangle_count);
void rbl_crossing_rows_destroy(rbl_crossing_rows *rows);

/// Whether lattice points of a row are inside: x, x + step, ... of them `count`.
void rbl_crossing_rows_inside(const rbl_crossing_rows *rows, int x, int y, int z, int step,
                              int count, bool *inside);
