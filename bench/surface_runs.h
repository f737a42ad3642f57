// SPDX-License-Identifier: MIT
// Frames of the surface scenes, measured: what variants and baselines share.
#pragma once

#include "bench.h"

#include "scenes/bunnies.h"
#include "scenes/surfaces.h"

enum {
	SURFACE_MOST_FRAMES = 256,
	/// Grades with cones, which remember nothing but what was culled last, test every fifth frame of the
	/// exploding model, and at the one before it, which is not measured.
	SURFACE_SKIP = 5,
	SURFACE_SKIP_AT = 2,
};

/// The models of the exploding scene.
typedef struct surface_cast {
	bunny target, projectile;
	bool is_ready;
} surface_cast;

void surface_load_cast(surface_cast *cast);
void surface_free_cast(surface_cast *cast);

/// Put triangles and vertices of the models in the order of a space-filling curve: neighbours lie together in
/// memory. Models that were refined have them all over the place.
/// @return false when memory ran out
bool surface_order_cast(surface_cast *cast);

/// What a run took, frame by frame of those that were measured.
typedef struct surface_sums {
	int numbers[SURFACE_MOST_FRAMES]; // of the frames
	double frames[SURFACE_MOST_FRAMES];
	bool is_broken[SURFACE_MOST_FRAMES];
	int64_t found[SURFACE_MOST_FRAMES], box_tests[SURFACE_MOST_FRAMES];
	double change, update, query;
	double wall, busier; // by the clock; processor time of the worker that had more
	int64_t tests, false_tests;
	int64_t rebuilt_clusters; // by restructuring
	double bytes, most_bytes; // per triangle
	int triangles;            // at the end
	int count;
} surface_sums;

/// Of frames that both runs have measured: times, pairs and box tests of the second over the first.
typedef struct surface_ratio {
	double time, box_tests;
	int64_t missed;
} surface_ratio;

surface_ratio surface_compare(const surface_sums *known, const surface_sums *sums);

/// Processor time of this thread, in milliseconds.
double surface_thread_ms(void);

/// Frames that are run: all, fewer when only a rough answer is wanted.
int surface_frame_count(const bench *b, surface_kind kind);

surface_scene *surface_make_scene(const bench *b, surface_kind kind, const surface_cast *cast);

/// Update and query, and add what it takes. @param change  what changes took before, in milliseconds
bool surface_run_frame(rbl_surface *surface, rbl_surface_motion motion, int number, double change,
                       bool is_broken, surface_sums *sums);

/// Run a scene. @param skip  1: all frames; else one of so many
bool surface_run_scene(const bench *b, surface_kind kind, const rbl_surface_def *def,
                       const surface_cast *cast, rbl_surface_motion motion, int skip,
                       surface_sums *sums);

/// Run the first frames of a scene, all of them.
bool surface_run_first_frames(const bench *b, surface_kind kind, const rbl_surface_def *def,
                              const surface_cast *cast, rbl_surface_motion motion, int count,
                              surface_sums *sums);

double surface_median(const double *values, int count);
