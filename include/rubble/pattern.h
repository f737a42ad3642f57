// SPDX-License-Identifier: MIT
// Fracture patterns: how a thing breaks. Made once, shared by many bodies.
#pragma once

#include <rubble/base.h>
#include <rubble/convex.h>
#include <rubble/jobs.h>
#include <rubble/types.h>

/// The most cells a pattern may have.
#define RBL_MAX_PATTERN_CELLS 1000000

/// The most cuts that a break may take unless its definition says otherwise, and the most cells
/// that are made for a pattern: a few GB of memory, and some 20 s. Worlds keep to it.
#define RBL_CUT_LIMIT 200000

/// A fracture pattern: convex cells that meet face to face. The impact is at its origin. It never
/// changes after creation, so worlds and threads may share one.
///
/// The cells fill a box, and those at its rim go on for ever: a body larger than the box is cut as
/// well, and nothing of it is lost.
typedef struct rbl_pattern rbl_pattern;

/// How the cells come about.
typedef enum rbl_pattern_kind {
	/// Voronoi cells of random points, evenly spread.
	RBL_PATTERN_VORONOI = 0,
	/// Voronoi cells that are smaller near the impact: `focus` says by how much.
	RBL_PATTERN_IMPACT,
	/// A spider web in the xy plane, as in glass: `ring_count` times `spoke_count` cells.
	RBL_PATTERN_WEB,
	/// Bricks of `brick_size`, laid in courses along x as `bond` says. A brick is one to three
	/// cells of one color, and so is all that lies beyond `size`: what is larger than the pattern
	/// keeps a rim in one piece.
	RBL_PATTERN_BRICKS,
	/// Voronoi cells stretched along y, as in wood: `stretch` says by how much.
	RBL_PATTERN_SPLINTERS,
	/// Voronoi cells of the caller's `sites`.
	RBL_PATTERN_SITES,
	/// The caller's `convexes`, which must fill `size` and meet face to face.
	RBL_PATTERN_CELLS,
	RBL_PATTERN_KIND_COUNT
} rbl_pattern_kind;

/// How bricks lie in their courses.
typedef enum rbl_brick_bond {
	/// Each course shifted by half a brick.
	RBL_BOND_RUNNING = 0,
	/// All joints above each other.
	RBL_BOND_STACK,
	/// Stretchers and headers in turn, each header above the middle of a stretcher. A header is
	/// half a brick wide and goes through two leaves, each as deep as `brick_size.z`.
	RBL_BOND_FLEMISH,
	RBL_BRICK_BOND_COUNT
} rbl_brick_bond;

/// How to make a pattern. Start from rbl_default_pattern_def().
typedef struct rbl_pattern_def {
	/// Default RBL_PATTERN_VORONOI.
	rbl_pattern_kind kind;

	/// The box around the origin that the cells fill, in metres, every side > 0. Default 2, 2, 2.
	rbl_vec3d size;

	/// Number of Voronoi cells, 1 to RBL_MAX_PATTERN_CELLS. Not read for webs, bricks and what is
	/// given. Default 64.
	int cell_count;

	/// Crowding of cells at the origin, 0 to 1: 0 even, 1 as the inverse cube. Default 0.5.
	double focus;

	/// Rings and spokes of a web, 1 to 1000 and 3 to 1000. Default 8 and 16.
	int ring_count, spoke_count;

	/// Randomness of a web, 0 to 1. Default 0.5.
	double jitter;

	/// Size of a brick with its joints, every side > 0: along the course, up, and through the wall.
	/// A joint, and the bottom of a course, is at the origin; so is the middle of a brick's depth,
	/// or what lies between two leaves of RBL_BOND_FLEMISH. Default 0.25, 0.0625, 0.125.
	rbl_vec3d brick_size;

	/// Default RBL_BOND_RUNNING.
	rbl_brick_bond bond;

	/// Length of splinters over their width, 1 to 100. Default 8.
	double stretch;

	/// Points for RBL_PATTERN_SITES, inside `size`; several at one place get one cell. Those of
	/// more than 2^14 + 64 per site faces in all, as on two curves, are refused.
	const rbl_vec3d *sites;

	/// Cells for RBL_PATTERN_CELLS.
	const rbl_convex *const *convexes;

	/// Number of sites or convexes, 1 to RBL_MAX_PATTERN_CELLS.
	int given_count;

	/// A color per site or convex, or NULL: cells of one color stay together. Default NULL.
	const int *colors;

	/// Where cells are needed, about the origin: those that do not meet this box are not made and
	/// are empty. A hint that saves time and memory where the body is known: one that reaches out
	/// of the box is cut as well, with cells made anew. Along each axis a range within 1e9 times
	/// `size`, or all of it. Not read for RBL_PATTERN_CELLS, and not saved. Default -INFINITY to
	/// INFINITY: everywhere.
	rbl_boxd region;

	/// The most cells that may meet the region, 1 to RBL_MAX_PATTERN_CELLS; more are refused before
	/// all are made. Default RBL_CUT_LIMIT.
	int cell_limit;

	/// The same seed gives the same pattern on every platform. Default 1.
	uint64_t seed;

	/// Workers for the making; NULL: the caller's thread. The result is the same.
	rbl_jobs *jobs;

	/// Memory of the pattern.
	rbl_allocator allocator;

	/// Filled by rbl_default_pattern_def(). Leave it alone.
	uint32_t cookie;
} rbl_pattern_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_pattern_def rbl_default_pattern_def(void);

/// Make a pattern.
/// @param def      read during the call only
/// @param pattern  receives the pattern, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_LIMIT_REACHED,
///         RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n log n) in cells, about 15 us and 3 kB (5 while it is made) per cell that
/// meets the region.
RBL_API rbl_result rbl_create_pattern(const rbl_pattern_def *def, rbl_pattern **pattern);

/// Let go of a pattern. Worlds whose bodies break by it keep it as long as they live; outside of a
/// world it must outlive the pieces cut with it. NULL is fine.
RBL_API void rbl_destroy_pattern(rbl_pattern *pattern);

/// @return its kind; RBL_PATTERN_KIND_COUNT for NULL. Threads: any.
RBL_API rbl_pattern_kind rbl_pattern_get_kind(const rbl_pattern *pattern);

/// @return the number of cells. Threads: any.
RBL_API int rbl_pattern_cell_count(const rbl_pattern *pattern);

/// @return the color of a cell: cells of one color stay together. Its own index unless colors
/// were given or made. -1 out of range. Threads: any.
RBL_API int rbl_pattern_cell_color(const rbl_pattern *pattern, int cell);

/// @return the box that the cells fill: the region, or about eight times `size`, of bricks and webs
/// eight times its longest side. Cells at the rim end there until more is cut. Threads: any.
RBL_API rbl_boxd rbl_pattern_bounds(const rbl_pattern *pattern);

/// @return the volume of a cell within rbl_pattern_bounds(), 0 out of range and for an empty cell.
/// Threads: any.
RBL_API double rbl_pattern_cell_volume(const rbl_pattern *pattern, int cell);

/// Copy a cell out as a convex.
/// @param allocator  memory of the convex, NULL for the process's default
/// @param convex     receives the convex, the caller's to destroy; NULL on failure and for an empty
///                   cell
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any.
RBL_API rbl_result rbl_pattern_create_cell_convex(const rbl_pattern *pattern, int cell,
                                                  const rbl_allocator *allocator,
                                                  rbl_convex **convex);

/// @return a hash of what the cells are made from: patterns with equal keys are equal, on every
/// platform, saved and loaded or not; 0 for NULL. Threads: any.
RBL_API uint64_t rbl_pattern_key(const rbl_pattern *pattern);

/// Write a pattern as bytes, little-endian on every platform.
/// @param bytes  receives the bytes; NULL to ask for the size only
/// @param size   room in `bytes`; receives the number of bytes
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_LIMIT_REACHED (room is short; `size` says what it takes)
/// Threads: any.
RBL_API rbl_result rbl_pattern_save(const rbl_pattern *pattern, void *bytes, size_t *size);

/// Read a pattern back. The cells are the same bits.
/// @param allocator  memory of the pattern, NULL for the process's default
/// @param pattern    receives the pattern, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_FILE, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: that of making it.
RBL_API rbl_result rbl_pattern_load(const void *bytes, size_t size, const rbl_allocator *allocator,
                                    rbl_pattern **pattern);
