// SPDX-License-Identifier: MIT
//
// Validating scenes, so that the writer can rely on them.

#include "io/io.h"

#include <math.h>

static bool are_finite(const float *values, int64_t count)
{
	for (int64_t i = 0; i < count; ++i) {
		if (!(values[i] - values[i] == 0.0f))
			return false;
	}
	return true;
}

static bool has_direction(const float *q)
{
	float square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
	return square > 1e-12f && square < 1e12f;
}

static rbl_result check_nodes(const rbl_scene *scene)
{
	for (int i = 0; i < scene->node_count; ++i) {
		const rbl_scene_node *node = &scene->nodes[i];
		if (node->mesh < -1 || node->mesh >= scene->mesh_count)
			return rbl_io_fail(RBL_BAD_ARGUMENT, "node %d names mesh %d of %d", i, node->mesh,
			                   scene->mesh_count);
		if (node->parent < -1 || node->parent >= i)
			return rbl_io_fail(RBL_BAD_ARGUMENT, "node %d has parent %d, which is not before it", i,
			                   node->parent);
		if (!are_finite(&node->translation.x, 3) || !are_finite(&node->rotation.x, 4) ||
		    !are_finite(&node->scale.x, 3) || !has_direction(&node->rotation.x))
			return rbl_io_fail(RBL_BAD_ARGUMENT, "the placement of node %d is not usable", i);
	}
	return RBL_OK;
}

static rbl_result check_track(const rbl_scene *scene, const rbl_scene_track *track,
                              unsigned char *animated)
{
	if (track->node < 0 || track->node >= scene->node_count)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "a track names node %d of %d", track->node,
		                   scene->node_count);
	if ((unsigned)track->path > RBL_TRACK_SCALE)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "a track of node %d has path %d", track->node,
		                   (int)track->path);
	if (animated[track->node] & 1u << track->path)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "node %d has two tracks of one path", track->node);
	animated[track->node] |= (unsigned char)(1u << track->path);
	int width = track->path == RBL_TRACK_ROTATION ? 4 : 3;
	if (track->key_count < 1 || !track->times || !track->values)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "a track of node %d has no keys", track->node);
	if (!are_finite(track->times, track->key_count) || !(track->times[0] >= 0.0f) ||
	    !are_finite(track->values, (int64_t)track->key_count * width))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "a key of node %d is not usable", track->node);
	for (int i = 1; i < track->key_count; ++i) {
		if (!(track->times[i] > track->times[i - 1]))
			return rbl_io_fail(RBL_BAD_ARGUMENT, "key %d of node %d is not after the one before", i,
			                   track->node);
	}
	for (int i = 0; width == 4 && i < track->key_count; ++i) {
		if (!has_direction(track->values + (size_t)i * 4))
			return rbl_io_fail(RBL_BAD_ARGUMENT, "rotation %d of node %d is not usable", i,
			                   track->node);
	}
	return RBL_OK;
}

static rbl_result check_animations(const rbl_scene *scene, rbl_io_memory *memory)
{
	if (scene->animation_count == 0)
		return RBL_OK;
	unsigned char *animated = RBL_IO_NEW(memory, unsigned char, scene->node_count);
	if (!animated)
		return rbl_io_fail_memory(memory, "scene");
	rbl_result result = RBL_OK;
	for (int a = 0; a < scene->animation_count && result == RBL_OK; ++a) {
		const rbl_scene_animation *animation = &scene->animations[a];
		memset(animated, 0, (size_t)scene->node_count);
		if (animation->track_count < 0 || (animation->track_count > 0 && !animation->tracks))
			result = rbl_io_fail(RBL_BAD_ARGUMENT, "animation %d has no tracks", a);
		for (int i = 0; i < animation->track_count && result == RBL_OK; ++i)
			result = check_track(scene, &animation->tracks[i], animated);
	}
	RBL_IO_FREE(memory, animated, scene->node_count);
	return result;
}

rbl_result rbl_io_check_scene(const rbl_scene *scene, rbl_io_memory *memory)
{
	if (scene->mesh_count < 0 || scene->node_count < 0 || scene->animation_count < 0 ||
	    (scene->mesh_count > 0 && !scene->meshes) || (scene->node_count > 0 && !scene->nodes) ||
	    (scene->animation_count > 0 && !scene->animations))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "a count of the scene is negative or has no array");
	for (int m = 0; m < scene->mesh_count; ++m) {
		if (!scene->meshes[m])
			return rbl_io_fail(RBL_BAD_ARGUMENT, "mesh %d is NULL", m);
	}
	rbl_result result = check_nodes(scene);
	return result == RBL_OK ? check_animations(scene, memory) : result;
}
