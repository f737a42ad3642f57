// SPDX-License-Identifier: MIT
// Patterns: their cells, and how to have them in a larger box.
#pragma once

#include "base/references.h"
#include "geometry/geometry.h"

#include <rubble/pattern.h>

struct rbl_pattern {
	rbl_allocator allocator;
	rbl_pattern_kind kind;
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

	/// Moved by a multiple of this along each axis, the cells within `size` are the same; 0: they
	/// are never.
	rbl_vec3d period;

	/// Whether cells at the boundary are unbounded. Given cells that would overlap are not.
	bool is_endless;

	/// Where cells are needed, and how many may be made there.
	rbl_boxd region;
	int cell_limit;

	uint64_t key; // a hash of all that

	rbl_references references;
};

/// Hold a pattern, too: rbl_destroy_pattern() lets go of it. NULL stays NULL.
static inline const rbl_pattern *rbl_pattern_share(const rbl_pattern *pattern)
{
	if (pattern)
		rbl_add_reference(&((rbl_pattern *)(uintptr_t)pattern)->references);
	return pattern;
}

/// Copies of cells through a map, while they are made. Zero: none are.
typedef struct rbl_cell_mapping {
	bool is_begun;
	int next; // cell
} rbl_cell_mapping;

/// Make some. @param budget  in cuts of a convex by a cell, > 0; what was done is taken from it
/// @param cells  receives the copies; the caller's as soon as there are any
/// @return as rbl_cells_map_begin()
rbl_result rbl_cell_mapping_some(rbl_cell_mapping *m, const rbl_cells *from, rbl_mat3d map,
                                 rbl_vec3d shift, const rbl_allocator *allocator, int *budget,
                                 bool *is_done, rbl_cells *cells);

/// Cells of a pattern within another box, while they are made. Zero: none are.
typedef struct rbl_cell_making {
	const rbl_pattern *pattern;
	rbl_boxd box;
	int cell_limit;
	const rbl_allocator *allocator;
	rbl_voronoi_making *voronoi; // of sites; NULL: they are `made`
	rbl_cells made;              // squeezed, until they are stretched
	rbl_cell_mapping mapping;    // which does that
	// Of planes:
	rbl_clipper carving;
	rbl_cells_batch part;
	rbl_cells_building building; // of these, once all are made
	double tolerance;
	int next, meeting; // cells looked at, and those that meet the box
	bool is_counted;   // all were looked at, and now they are made
} rbl_cell_making;

/// Begin to make the cells of a pattern within another box; those that do not meet it are empty.
/// @param cell_limit  the most cells that may meet it
/// @param allocator   lives as long as the making
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED (for the limit without a line in the log);
///         rbl_cell_making_end() in any case
rbl_result rbl_cell_making_begin(rbl_cell_making *making, const rbl_pattern *pattern, rbl_boxd box,
                                 int cell_limit, rbl_jobs *jobs, const rbl_allocator *allocator);

/// Make some. @param budget  in cuts of a convex by a cell, > 0; what was done is taken from it
/// @param cells  receives them; the caller's as soon as there are any, complete when all are made
rbl_result rbl_cell_making_some(rbl_cell_making *making, int *budget, bool *is_done,
                                rbl_cells *cells);

void rbl_cell_making_end(rbl_cell_making *making);

/// Fill sites or planes, and colors, by the definition. @return as rbl_create_pattern()
rbl_result rbl_pattern_generate(rbl_pattern *pattern, const rbl_pattern_def *def);

/// The same for bricks.
rbl_result rbl_pattern_make_bricks(rbl_pattern *pattern, const rbl_pattern_def *def);

/// The same for the caller's convexes.
rbl_result rbl_pattern_take_convexes(rbl_pattern *pattern, const rbl_pattern_def *def);

/// @return whether cells neither overlap nor leave gaps, by their volumes.
bool rbl_cells_fill_their_box(const rbl_cells *cells);

/// Reserve planes. @return false when memory ran out
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

/// The bounds of a body as a pattern sees them: a slanted box, and the box around that.
typedef struct rbl_slanted_box {
	rbl_vec3d centre, axes[3]; // axes: from the centre to three of its sides
	rbl_boxd around;
} rbl_slanted_box;

/// Where a pattern goes.
typedef struct rbl_placement {
	rbl_vec3d position;     // of its origin
	rbl_mat3d shape;        // around it
	uint64_t rotation_seed; // of a random rotation before `shape`; 0: none
	rbl_boxd bounds;        // of what will be cut
	bool may_end;           // cells with an end may leave some of the body outside
	int cell_limit;         // the most cells that may meet the bounds
} rbl_placement;

/// The cells of a pattern that meet the body's bounds, in the place it is put. They are numbered
/// anew where that are not all.
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED
rbl_result rbl_pattern_place(const rbl_pattern *pattern, const rbl_placement *placement,
                             rbl_jobs *jobs, const rbl_allocator *allocator, rbl_cells *cells);

/// A pattern on its way to a body, in slices. Zero: none is.
typedef struct rbl_placing {
	const rbl_pattern *pattern;
	rbl_placement placement;
	const rbl_allocator *allocator;
	rbl_mat3d map;
	rbl_slanted_box body;
	double margin;
	const rbl_cells *from;    // the pattern's cells, or `around`
	rbl_cell_making making;   // that makes `around`, if it has a pattern
	rbl_cells around, picked; // made for this body; those that meet it
	int *chosen;              // their numbers; NULL: nothing is under way
	int next, chosen_count;   // cells looked at, and those that meet the body
	bool is_picked;
	rbl_cell_picking picking; // under way, if it has cells
	rbl_cell_mapping mapping; // of what was picked
} rbl_placing;

/// Begin to place a pattern. Where a body reaches out of the pattern's own cells, they are made
/// anew around it, in slices as well.
/// @param budget  what that took is taken from it
/// @return as rbl_pattern_place(); rbl_placing_end() in any case
rbl_result rbl_placing_begin(rbl_placing *p, const rbl_pattern *pattern,
                             const rbl_placement *placement, rbl_jobs *jobs,
                             const rbl_allocator *allocator, int *budget);

/// Do some of the work. @param budget  in cuts of a convex by a cell, > 0; what was done is taken
/// from it
/// @param cells  receives the cells when it is done
rbl_result rbl_placing_some(rbl_placing *p, int *budget, bool *is_done, rbl_cells *cells);

/// Free what the work needed.
void rbl_placing_end(rbl_placing *p);

/// Refuse a break that would take too much. @param is_least  there may be more still
rbl_result rbl_too_many_cuts(int64_t count, bool is_lower_bound, int limit);
