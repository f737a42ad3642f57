// SPDX-License-Identifier: MIT
// Patterns: their cells, and how to have them in a larger box.
#pragma once

#include "geometry/geometry.h"

#include <rubble/pattern.h>

struct rbl_pattern {
	rbl_allocator allocator;
	rbl_vec3d size;
	int cell_count;
	rbl_cells cells; // in the container
	int *colors;     // or NULL: each cell its own

	/// Either sites, squeezed along y by `stretch`...
	rbl_vec3d *sites;
	double stretch;

	/// ...or planes: cell c has the planes plane_starts[c] to plane_starts[c + 1] - 1, outward, and
	/// the cell beyond each.
	int *plane_starts;
	rbl_planed *planes;
	int *neighbours;
	int plane_count;

	/// Whether cells at the rim go on for ever. Given cells that would overlap do not.
	bool is_endless;

	uint64_t key; // a hash of all that
};

/// Make the cells of a pattern within another box. Family of sites or planes, whichever is set.
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED
rbl_result rbl_pattern_cells_in(const rbl_pattern *pattern, rbl_boxd box, rbl_jobs *jobs,
                                const rbl_allocator *allocator, rbl_cells *cells);

/// Fill sites or planes, and colors, by the definition. @return as rbl_create_pattern()
rbl_result rbl_pattern_generate(rbl_pattern *pattern, const rbl_pattern_def *def);

/// The same for the caller's convexes.
rbl_result rbl_pattern_take_convexes(rbl_pattern *pattern, const rbl_pattern_def *def);

/// @return whether cells neither overlap nor leave gaps, by their volumes.
bool rbl_cells_fill_their_box(const rbl_cells *cells);

/// Make room for planes. @return false when memory ran out
bool rbl_pattern_allocate_planes(rbl_pattern *pattern, int plane_count);

/// The box of a size around the origin, grown by a factor.
static inline rbl_boxd rbl_pattern_box(rbl_vec3d size, double factor)
{
	double x = 0.5 * factor * size.x, y = 0.5 * factor * size.y, z = 0.5 * factor * size.z;
	return (rbl_boxd){ { -x, -y, -z }, { x, y, z } };
}

/// Build cells in the default container, once sites or planes are there.
rbl_result rbl_pattern_finish(rbl_pattern *pattern, rbl_jobs *jobs);

/// A hash of what the cells are made from.
uint64_t rbl_pattern_hash(const rbl_pattern *pattern);

/// A pattern without anything. @return NULL when memory ran out
rbl_pattern *rbl_pattern_new(const rbl_allocator *allocator, rbl_vec3d size, int cell_count);

/// Where a pattern goes.
typedef struct rbl_placement {
	rbl_vec3d position;     // of its origin
	rbl_mat3d shape;        // around it
	uint64_t rotation_seed; // of a random rotation before `shape`; 0: none
	rbl_boxd bounds;        // of what will be cut
	bool may_end;           // cells with an end may leave some of the body outside
} rbl_placement;

/// The cells of a pattern in the place it is put, around all of the body.
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED
rbl_result rbl_pattern_place(const rbl_pattern *pattern, const rbl_placement *placement,
                             rbl_jobs *jobs, const rbl_allocator *allocator, rbl_cells *cells);
