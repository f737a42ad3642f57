// SPDX-License-Identifier: MIT
//
// Streams of moving boxes: opening, stepping, random numbers, birth and death. Each scene has a
// file of its own.

#include "scenes/stream_object.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// SplitMix64; the upper half of its output.
uint32_t stream_random(stream *s)
{
	uint64_t z = (s->random += 0x9e3779b97f4a7c15u);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (uint32_t)((z ^ (z >> 31)) >> 32);
}

float stream_uniform(stream *s, float low, float high)
{
	return low + (high - low) * ((float)(stream_random(s) >> 8) * (1.0f / 16777216.0f));
}

int stream_below(stream *s, int bound)
{
	return (int)(((uint64_t)stream_random(s) * (uint32_t)bound) >> 32);
}

void stream_in_ball(stream *s, float radius, float out[3])
{
	float squared;
	do {
		squared = 0.0f;
		for (int k = 0; k < 3; ++k) {
			out[k] = stream_uniform(s, -1.0f, 1.0f);
			squared += out[k] * out[k];
		}
	} while (squared > 1.0f);
	for (int k = 0; k < 3; ++k)
		out[k] *= radius;
}

// A parabola through the zeros and extremes of the sine, then one correction.
float stream_sin(float x)
{
	float turns = x * (1.0f / (2.0f * STREAM_PI));
	turns -= floorf(turns);
	float u = turns * 2.0f - 1.0f; // sin(2 pi turns) = -sin(pi u)
	float y = 4.0f * u * (1.0f - fabsf(u));
	return -(0.225f * (y * fabsf(y) - y) + y);
}

float stream_cos(float x)
{
	return stream_sin(x + 0.5f * STREAM_PI);
}

// Newton's iteration in double from above, then one rounding: libm's cbrtf is not the same
// everywhere.
float stream_cube_root(float x)
{
	double a = (double)x, y = a > 1.0 ? a : 1.0;
	for (int i = 0; i < 200; ++i) {
		double next = (2.0 * y + a / (y * y)) / 3.0;
		if (next >= y)
			break;
		y = next;
	}
	return (float)y;
}

void stream_push(stream_list *list, int id)
{
	list->ids[list->count++] = id;
}

int stream_add(stream *s, stream_kind kind)
{
	int id = s->id_count++;
	s->kinds[id] = (uint8_t)kind;
	s->objects[id] = (stream_object){ 0 };
	if (kind == STREAM_STATIC)
		s->static_count++;
	else
		s->dynamic_count++;
	if (!s->is_quiet)
		stream_push(&s->created, id);
	return id;
}

void stream_remove(stream *s, int id)
{
	if (s->kinds[id] == STREAM_STATIC)
		s->static_count--;
	else
		s->dynamic_count--;
	s->kinds[id] = STREAM_FREE;
	stream_push(&s->destroyed, id);
}

void stream_place(stream *s, int id, const float centre[3], const float half[3])
{
	s->boxes[id] = (rbl_box){
		{ centre[0] - half[0], centre[1] - half[1], centre[2] - half[2] },
		{ centre[0] + half[0], centre[1] + half[1], centre[2] + half[2] },
	};
}

void stream_add_static(stream *s, rbl_box box)
{
	int id = stream_add(s, STREAM_STATIC);
	s->boxes[id] = box;
}

void stream_swirl(const stream_object *o, const float centre[3], float time, float out[3])
{
	float c = stream_cos(o->spin * time), n = stream_sin(o->spin * time);
	out[0] = centre[0] + c * o->goal[0] + n * o->goal[2];
	out[1] = centre[1] + o->goal[1];
	out[2] = centre[2] - n * o->goal[0] + c * o->goal[2];
}

void stream_pull(stream_object *o, const float goal[3], const float drift[3])
{
	float damping = 0.6f * sqrtf(o->stiffness);
	for (int k = 0; k < 3; ++k) {
		float spring = o->stiffness * (goal[k] - o->position[k]);
		o->velocity[k] += STREAM_DT * (spring - damping * (o->velocity[k] - drift[k]));
		o->position[k] += STREAM_DT * o->velocity[k];
	}
}

static void simulate(stream *s)
{
	s->time += STREAM_DT;
	switch (s->scene) {
	case STREAM_TERRAIN:
	case STREAM_BUCKETS:
		stream_step_columns(s);
		break;
	case STREAM_CLOUDS:
		stream_step_clouds(s);
		break;
	case STREAM_BLOCKS:
		stream_step_blocks(s);
		break;
	case STREAM_RUBBLE:
		stream_step_rubble(s);
		break;
	case STREAM_SIZES:
		stream_step_sizes(s);
		break;
	case STREAM_PILE:
		stream_step_pile(s);
		break;
	case STREAM_SLABS:
		stream_step_slabs(s);
		break;
	case STREAM_CORRIDOR:
		stream_step_corridor(s);
		break;
	case STREAM_TIDE:
		stream_step_tide(s);
		break;
	case STREAM_CURTAIN:
		stream_step_curtain(s);
		break;
	case STREAM_EBB:
		stream_step_ebb(s);
		break;
	}
	s->clock++;
}

int stream_default_steps(stream_scene scene, int count)
{
	if (scene == STREAM_BLOCKS)
		return count <= 5000 ? 360 : 300;
	if (scene == STREAM_RUBBLE)
		return count <= 20000 ? 151 : 91;
	if (count <= 1000)
		return 400;
	if (count <= 5000)
		return 300;
	return count <= 20000 ? 150 : 60;
}

static size_t capacity_for(const stream *s)
{
	size_t count = (size_t)s->count, capacity = count + count / 4 + 4096;
	if (s->scene == STREAM_BLOCKS) {
		float edge = stream_cube_root((float)s->count / (float)STREAM_BLOCK_COUNT);
		size_t g = (size_t)(edge + 0.5f) + 1;
		capacity = STREAM_BLOCK_COUNT * (g * g * g + 1) + 64;
	}
	if (s->scene == STREAM_RUBBLE)
		capacity = count + 64 + (size_t)(s->step_count / 30 + 1) * 1000;
	if (s->scene >= STREAM_SLABS)
		capacity = (size_t)stream_operators_capacity(s);
	return capacity;
}

// The starting population; the falling scenes open in the middle of the rain, the clouds when
// they have spread.
static bool populate(stream *s)
{
	switch (s->scene) {
	case STREAM_TERRAIN:
	case STREAM_BUCKETS:
		if (!stream_open_columns(s))
			return false;
		while (s->clock < 1000 - s->step_count)
			simulate(s);
		break;
	case STREAM_CLOUDS:
		stream_open_clouds(s);
		while (s->clock < 60)
			simulate(s);
		break;
	case STREAM_BLOCKS:
		stream_open_blocks(s);
		break;
	case STREAM_RUBBLE:
		stream_open_rubble(s);
		break;
	case STREAM_SIZES:
		stream_open_sizes(s);
		break;
	case STREAM_PILE:
		stream_open_pile(s);
		break;
	case STREAM_SLABS:
		stream_open_slabs(s);
		break;
	case STREAM_CORRIDOR:
		stream_open_corridor(s);
		break;
	case STREAM_TIDE:
		stream_open_tide(s);
		break;
	case STREAM_CURTAIN:
		stream_open_curtain(s);
		break;
	case STREAM_EBB:
		stream_open_ebb(s);
		break;
	}
	return true;
}

bool stream_open(stream *s, stream_scene scene, int count, int step_count, uint64_t seed)
{
	*s = (stream){ .scene = scene, .count = count, .step_count = step_count, .step = -1 };
	if (scene < STREAM_TERRAIN || scene > STREAM_LAST || count < 1)
		return false;
	s->random = seed * 0x2545f4914f6cdd1du + (uint64_t)scene * 1000003u + (uint64_t)count;
	size_t capacity = capacity_for(s);
	s->capacity = (int)capacity;
	s->boxes = calloc(capacity, sizeof *s->boxes);
	s->kinds = calloc(capacity, sizeof *s->kinds);
	s->objects = calloc(capacity, sizeof *s->objects);
	s->created.ids = malloc(capacity * sizeof(int));
	s->destroyed.ids = malloc(capacity * sizeof(int));
	s->moved.ids = malloc(capacity * sizeof(int));
	s->awake.ids = malloc(capacity * sizeof(int));
	bool ok = s->boxes && s->kinds && s->objects && s->created.ids && s->destroyed.ids &&
	          s->moved.ids && s->awake.ids;
	s->is_quiet = true;
	if (!ok || !populate(s)) {
		stream_close(s);
		return false;
	}
	s->is_quiet = false;
	return true;
}

bool stream_next(stream *s)
{
	if (s->step + 1 >= s->step_count)
		return false;
	s->created.count = s->destroyed.count = s->moved.count = 0;
	s->is_fracture = false;
	if (++s->step > 0) {
		simulate(s);
		return true;
	}
	for (int id = 0; id < s->id_count; ++id) {
		if (s->kinds[id] != STREAM_FREE)
			stream_push(&s->created, id);
	}
	return true;
}

void stream_close(stream *s)
{
	free(s->boxes);
	free(s->kinds);
	free(s->objects);
	free(s->created.ids);
	free(s->destroyed.ids);
	free(s->moved.ids);
	free(s->awake.ids);
	free(s->column_tops);
	*s = (stream){ 0 };
}

uint64_t stream_hash(const stream *s)
{
	uint64_t hash = 1469598103934665603u;
	for (int id = 0; id < s->id_count; ++id) {
		if (s->kinds[id] == STREAM_FREE)
			continue;
		uint32_t words[6];
		_Static_assert(sizeof words == sizeof(rbl_box), "a box is six floats");
		memcpy(words, &s->boxes[id], sizeof words);
		hash = (hash ^ (uint32_t)id) * 1099511628211u;
		for (int k = 0; k < 6; ++k)
			hash = (hash ^ words[k]) * 1099511628211u;
	}
	return hash;
}
