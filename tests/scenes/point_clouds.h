// SPDX-License-Identifier: MIT
// Points for tests of the room `field`: on surfaces, in volumes, on a grid, and nasty ones.
#pragma once

#include "base/random.h"
#include "base/vec.h"

#include <stdlib.h>

typedef enum cloud_kind {
	CLOUD_SPHERE, // on a sphere of radius 1
	CLOUD_VOLUME, // in a cube
	CLOUD_GRID,   // on whole numbers: most distances are equal to others
	CLOUD_TWINS,  // every point three times
	CLOUD_LINE,   // on a line
	CLOUD_PLACE,  // all at one place
	CLOUD_FAR,    // a thousand kilometres away, where a float has steps of 6 cm
	CLOUD_COUNT
} cloud_kind;

static inline rbl_vec3 cloud_point(cloud_kind kind, rbl_random *random, int i)
{
	const rbl_boxd cube = { { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };
	rbl_vec3 p = rbl_to_f(rbl_random_in_box(random, cube));
	switch (kind) {
	case CLOUD_SPHERE:
		return rbl_to_f(rbl_normalize_d(rbl_random_in_ball(random)));
	case CLOUD_GRID:
		return (rbl_vec3){ (float)(i % 9), (float)(i / 9 % 9), (float)(i / 81) };
	case CLOUD_TWINS: {
		rbl_random other = rbl_random_from_seed((uint64_t)(i / 3) + 77);
		return rbl_to_f(rbl_random_in_box(&other, cube));
	}
	case CLOUD_LINE:
		return (rbl_vec3){ 3.0f, p.y, -1.0f };
	case CLOUD_PLACE:
		return (rbl_vec3){ 0.1f, 0.2f, 0.3f };
	case CLOUD_FAR:
		return rbl_add(p, (rbl_vec3){ 999000.0f, 0.0f, -999000.0f });
	default:
		return p;
	}
}

/// @return points, to be freed
static inline rbl_vec3 *make_cloud(cloud_kind kind, int count, uint64_t seed)
{
	rbl_random random = rbl_random_from_seed(seed);
	rbl_vec3 *points = malloc((size_t)count * sizeof *points);
	for (int i = 0; i < count; ++i)
		points[i] = cloud_point(kind, &random, i);
	return points;
}
