// SPDX-License-Identifier: MIT
// A scaffold of welded boxes, and far from it a hub with more joints than there are colours, which
// flies apart: its arms are ten times as long as it is thick.
#pragma once

#include "scene.h"

enum { SCAFFOLD_SIDE = 8, SCAFFOLD_SPOKES = 40 };

static inline int scaffold_weld(scene *s, rbl_body_id a, rbl_body_id b)
{
	rbl_joint_def joint = rbl_default_joint_def(RBL_JOINT_WELD);
	joint.body_a = a, joint.body_b = b;
	rbl_joint_def_place(s->world, &joint, rbl_body_pose(s->world, b));
	return rbl_create_joint(s->world, &joint).generation != 0;
}

/// Let both fall on a floor. @param worst  receives how far a weld of the scaffold has opened, m
/// @return a hash of every state on the way
static inline uint64_t scaffold_hash(int worker_count, int step_count, float *worst)
{
	enum { N = SCAFFOLD_SIDE, ALL = N * N * N };
	scene s;
	rbl_world_def def = scene_def(&s, worker_count);
	scene_create(&s, &def);
	scene_add_floor(&s);
	static rbl_body_id boxes[ALL];
	for (int i = 0; i < ALL; ++i)
		boxes[i] = scene_add(&s, s.box, 0.75f * (float)(i % N), 0.5f + 0.75f * (float)(i / N % N),
		                     0.75f * (float)(i / N / N));
	const int strides[3] = { 1, N, N * N };
	for (int i = 0; i < ALL; ++i)
		for (int axis = 0; axis < 3; ++axis)
			if (i / strides[axis] % N < N - 1)
				scaffold_weld(&s, boxes[i], boxes[i + strides[axis]]);
	rbl_body_id hub = scene_add(&s, s.ball, -40.0f, 3.0f, 0.0f);
	for (int i = 0; i < SCAFFOLD_SPOKES; ++i)
		scaffold_weld(&s, hub,
		              scene_add(&s, s.ball, -40.0f + 0.6f * (float)(i % 7 - 3),
		                        3.0f + 0.6f * (float)(i / 7 - 2), 1.0f));
	uint64_t hash = 0;
	*worst = 0.0f;
	for (int step = 0; step < step_count; ++step) {
		rbl_world_step(s.world, 1.0f / 60.0f);
		hash = hash * 31 + rbl_world_hash(s.world);
	}
	for (int i = 0; i + 1 < ALL; ++i) {
		if (i % N == N - 1)
			continue;
		rbl_vec3 a = rbl_body_pose(s.world, boxes[i]).position;
		rbl_vec3 b = rbl_body_pose(s.world, boxes[i + 1]).position;
		*worst = rbl_maxf(*worst, fabsf(rbl_distance(a, b) - 0.75f));
	}
	scene_destroy(&s);
	return hash;
}
