// SPDX-License-Identifier: MIT
//
// Poses of all bodies by index, now and one step before: arrays that JavaScript reads in place. A body
// has eight numbers: position, 1 if it is awake, rotation. A step copies the poses of bodies that
// moved; what was made or placed since then is added by js_poses_refresh().

#include "module.h"

#include "array.h"

#include <stdlib.h>
#include <string.h>

JS_API js_poses *js_create_poses(void);
JS_API void js_destroy_poses(js_poses *poses);
JS_API rbl_result js_poses_step(js_poses *poses, const rbl_world *world);
JS_API rbl_result js_poses_refresh(js_poses *poses, const rbl_world *world, bool keeps_before);

js_poses *js_create_poses(void)
{
	return calloc(1, sizeof(js_poses));
}

void js_destroy_poses(js_poses *poses)
{
	if (!poses)
		return;
	free(poses->now);
	free(poses->before);
	free(poses->generations);
	free(poses->moves);
	free(poses->bodies);
	free(poses);
}

static bool reserve(js_poses *poses, int count)
{
	if (!ARRAY_RESERVE(poses->now, poses->now_capacity, count) ||
	    !ARRAY_RESERVE(poses->before, poses->before_capacity, count) ||
	    !ARRAY_RESERVE(poses->generations, poses->generation_capacity, count))
		return false;
	for (; poses->count < count; ++poses->count) {
		const js_pose none = { { 0.0f, 0.0f, 0.0f }, 0.0f, { 0.0f, 0.0f, 0.0f, 1.0f } };
		poses->now[poses->count] = poses->before[poses->count] = none;
		poses->generations[poses->count] = 0;
	}
	return true;
}

// After a step.
rbl_result js_poses_step(js_poses *poses, const rbl_world *world)
{
	int count = rbl_world_body_count(world);
	if (!ARRAY_RESERVE(poses->moves, poses->move_capacity, count + 1))
		return RBL_OUT_OF_MEMORY;
	poses->move_count = rbl_world_get_moves(world, poses->moves, poses->move_capacity);
	int end = poses->count;
	for (int i = 0; i < poses->move_count; ++i)
		end = (int)poses->moves[i].body.index >= end ? (int)poses->moves[i].body.index + 1 : end;
	if (!reserve(poses, end))
		return RBL_OUT_OF_MEMORY;
	memcpy(poses->before, poses->now, (size_t)poses->count * sizeof *poses->now);
	for (int i = 0; i < poses->count; ++i)
		poses->now[i].is_awake = 0.0f;
	for (int i = 0; i < poses->move_count; ++i) {
		const rbl_move_event *move = &poses->moves[i];
		poses->now[move->body.index] = (js_pose){ move->pose.position, 1.0f, move->pose.rotation };
	}
	return RBL_OK;
}

// All bodies. @param keeps_before  bodies that are not new stay on their way
rbl_result js_poses_refresh(js_poses *poses, const rbl_world *world, bool keeps_before)
{
	int count = rbl_world_body_count(world), end = 0;
	if (!ARRAY_RESERVE(poses->bodies, poses->body_capacity, count + 1))
		return RBL_OUT_OF_MEMORY;
	poses->body_count = rbl_world_get_bodies(world, poses->bodies, poses->body_capacity);
	for (int i = 0; i < poses->body_count; ++i)
		end = (int)poses->bodies[i].index >= end ? (int)poses->bodies[i].index + 1 : end;
	if (!reserve(poses, end))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < poses->body_count; ++i) {
		rbl_body_id body = poses->bodies[i];
		rbl_body_state state = rbl_body_get_state(world, body);
		const js_pose now = { state.pose.position, state.is_awake ? 1.0f : 0.0f,
			                  state.pose.rotation };
		poses->now[body.index] = now;
		if (!keeps_before || poses->generations[body.index] != body.generation)
			poses->before[body.index] = now;
		poses->generations[body.index] = body.generation;
	}
	return RBL_OK;
}
