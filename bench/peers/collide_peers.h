/* SPDX-License-Identifier: MIT
 * Narrow phases of other libraries, behind one function. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Hulls that stand in pairs; each pair has two poses, a small motion apart. */
typedef struct collide_peer_scene {
	const float *points; /* 3 each, hull after hull */
	int hull_count, points_per_hull;
	const int *pairs;      /* two hulls each */
	const float *poses[2]; /* per pair A then B: position 3, quaternion 4 (x y z w) */
	int pair_count;
	float margin;
} collide_peer_scene;

/* The least time per pair in nanoseconds over `repeat` runs, each going to the other pose, with
 * whatever the library remembers of a pair; and how many points it has in the end. */
double collide_peer_bullet(const collide_peer_scene *scene, int repeat, int *point_count);

#ifdef __cplusplus
}
#endif
