// SPDX-License-Identifier: MIT
// Continuous collision tests inside the library: those of <rubble/ccd.h> without checks, one by one
// and by the batch.
#pragma once

#include "ccd/polynomial.h"

#include "base/vec.h"

#include <rubble/ccd.h>

/// Test four points at the start and the end: v f0 f1 f2 or a0 a1 b0 b1. All coordinates are
/// finite, the thickness is 0 or more. @return impact->is_hit; when false, nothing else is written
bool rbl_ccd_test(rbl_ccd_kind kind, const rbl_vec3d start[4], const rbl_vec3d end[4],
                  double thickness, rbl_impact *impact);

/// The closest points of four points at one instant, as rbl_closest_vertex_face() and
/// rbl_closest_edge_edge().
void rbl_ccd_closest(rbl_ccd_kind kind, const rbl_vec3d points[4], rbl_closest *closest);

// --- batches ------------------------------------------------------------------------------------
// Positions in single precision are exact as doubles, so the answers are those of rbl_ccd_test().
// The filter goes first, eight pairs at a time: what it drops never touches.

/// A pair of features.
typedef struct rbl_ccd_quad {
	int32_t vertices[4]; // v f0 f1 f2 or a0 a1 b0 b1; those of one feature are not the other's
	int32_t a, b;        // what the caller calls them
} rbl_ccd_quad;

/// Where vertices are at the start and the end of a step, all finite. One float after the last
/// position of each array must be readable: allocate one position more.
typedef struct rbl_ccd_motion {
	const rbl_vec3 *start, *end;
	float until; // how much of the step the filter looks at, above 0 to 1
} rbl_ccd_motion;

/// What the thickness that a filter is asked for must be more by where it looks at a part of the
/// step: places in between are rounded, by 5 u of each coordinate, 9 u in all, of either feature.
/// @param largest  the magnitude of coordinates, at most 1e37
static inline float rbl_ccd_until_rounding(float largest)
{
	return 32.0f * 0x1p-24f * largest + 1e-35f;
}

/// Drop pairs that stay further apart than `thickness` (0: that do not touch), most of them.
/// For a part of the step the thickness includes rbl_ccd_until_rounding().
/// @param kept  receives the indices of the others, ascending; space for count + 7
/// @return their number
/// Threads: any. Cost: 5 to 8 ns per pair that is dropped.
int rbl_ccd_filter(rbl_ccd_kind kind, const rbl_ccd_motion *motion, const rbl_ccd_quad *quads,
                   int count, float thickness, int *kept);

/// Find the pairs that are within a distance of each other at one instant, rounding included, and
/// describe them, as rbl_ccd_closest().
/// @param chosen   indices of those to look at
/// @param near     receives the indices of those that are, in order; space for `count`
/// @param closest  receives what is closest of each; likewise
/// @return their number
/// Threads: any. Cost: some 20 ns per pair.
int rbl_ccd_find_near(rbl_ccd_kind kind, const rbl_vec3 *positions, const rbl_ccd_quad *quads,
                      const int *chosen, int count, double distance, int *near,
                      rbl_closest *closest);

/// A pair that is within the thickness when a step begins.
typedef struct rbl_ccd_contact {
	int index;
	bool is_parting; // no two of its vertices come nearer along the normal: it stays as far apart
	rbl_impact impact;
} rbl_ccd_contact;

/// Of pairs over a step take those that are plainly in contact when it begins, with what
/// rbl_ccd_test() says of them.
/// @param thickness  above 0
/// @param chosen     indices of those to look at; keeps those that are left, in order
/// @param count      their number, before and after
/// @param contacts   receives the others; space for all
/// @return how many they are
/// Threads: any. Cost: some 25 ns per pair.
int rbl_ccd_take_contacts(rbl_ccd_kind kind, const rbl_ccd_motion *motion,
                          const rbl_ccd_quad *quads, float thickness, int *chosen, int *count,
                          rbl_ccd_contact *contacts);

/// Test one pair, as rbl_ccd_test().
bool rbl_ccd_test_quad(rbl_ccd_kind kind, const rbl_ccd_motion *motion, const rbl_ccd_quad *quad,
                       float thickness, rbl_impact *impact);

// --- features whose corners coincide when the step begins ---------------------------------------
// The sides of a fresh crack touch in this way everywhere. Nothing has to be searched: they touch
// at time 0, at that corner, and the normal is that of the start. Single tests (ccd.c) and the
// lists of whole seams in surface share these operations, so they give the same bits.

/// The unit normal of two directions; zero where they are parallel (a sine of 1e-10) or vanish.
/// Components other than zero are of a magnitude of 2^-200 to 2^150, as differences of floats are.
/// @param sizes  the product of the squares of their lengths
static inline rbl_vec3d rbl_ccd_across(rbl_vec3d e, rbl_vec3d f, double sizes)
{
	rbl_vec3d normal = rbl_cross_d(e, f);
	double square = rbl_dot_d(normal, normal);
	if (!(square > 1e-20 * sizes))
		return (rbl_vec3d){ 0.0, 0.0, 0.0 };
	return rbl_scale_d(1.0 / sqrt(square), normal);
}

/// A unit vector against a motion, some unit vector without any.
static inline rbl_vec3d rbl_ccd_against(rbl_vec3d motion)
{
	double largest = fmax(fabs(motion.x), fmax(fabs(motion.y), fabs(motion.z)));
	if (!(largest > 0.0))
		return (rbl_vec3d){ 0.0, 1.0, 0.0 };
	rbl_vec3d v = { motion.x / largest, motion.y / largest, motion.z / largest };
	return rbl_scale_d(-1.0 / sqrt(rbl_dot_d(v, v)), v);
}

/// The normal of a hit. No component is -0, so it does not depend on how differences were taken.
/// @param across  from rbl_ccd_across()
/// @param motion  of the corner of the first feature (the vertex) against that of the second
static inline rbl_vec3d rbl_ccd_touch_normal(rbl_vec3d across, rbl_vec3d motion)
{
	if (across.x == 0.0 && across.y == 0.0 && across.z == 0.0)
		across = rbl_ccd_against(motion);
	double sign = rbl_dot_d(across, motion) > 0.0 ? -1.0 : 1.0;
	return (rbl_vec3d){ sign * across.x + 0.0, sign * across.y + 0.0, sign * across.z + 0.0 };
}
