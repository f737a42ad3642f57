// SPDX-License-Identifier: MIT
//
// S5 and S6: what lies about. S5 is a settled slab of rubble in which a few boxes drift and, every
// 30 steps, fifty break. S6 mixes boxes from 0.05 to 50 m in a world without bounds.

#include "scenes/stream_object.h"

#include <math.h>

static float axis_of(rbl_vec3 v, int k)
{
	return k == 0 ? v.x : k == 1 ? v.y : v.z;
}

static void wake(stream *s, int id, int steps)
{
	s->objects[id].state = STATE_AWAKE;
	s->objects[id].timer = steps;
	stream_push(&s->awake, id);
}

static void choose_zone(stream *s)
{
	for (int k = 0; k < 3; ++k)
		s->zone[k] = stream_uniform(s, 0.0f, axis_of(s->world.upper, k) - 4.0f);
	s->zone_radius = 0.25f * (float)s->side;
}

// A sleeping box, inside the zone if asked; after 200 attempts anywhere.
static int pick_sleeper(stream *s, bool in_zone)
{
	for (int attempt = 0;; ++attempt) {
		int id = s->static_count + stream_below(s, s->id_count - s->static_count);
		const stream_object *o = &s->objects[id];
		if (s->kinds[id] != STREAM_DYNAMIC || o->state != STATE_ASLEEP)
			continue;
		float dx = o->position[0] - s->zone[0], dz = o->position[2] - s->zone[2];
		if (!in_zone || attempt >= 200 || dx * dx + dz * dz <= s->zone_radius * s->zone_radius)
			return id;
	}
}

void stream_open_rubble(stream *s)
{
	s->side = (int)(stream_cube_root(5.0f * (float)s->count) + 0.5f);
	const int layer = s->side * s->side;
	const float w = (float)s->side;
	s->world = (rbl_box){ { -4.0f, -4.0f, -4.0f },
		                  { w + 4.0f, (float)(s->count / layer) + 5.0f, w + 4.0f } };
	for (int i = 0; i < 64; ++i) {
		float x = (float)(i % 8), z = (float)(i / 8);
		stream_add_static(s, (rbl_box){ { w * x / 8.0f, -1.0f, w * z / 8.0f },
		                                { w * (x + 1.0f) / 8.0f, 0.1f, w * (z + 1.0f) / 8.0f } });
	}
	for (int i = 0; i < s->count; ++i) {
		int id = stream_add(s, STREAM_DYNAMIC);
		stream_object *o = &s->objects[id];
		const int at[3] = { i % layer % s->side, i / layer, i % layer / s->side };
		for (int k = 0; k < 3; ++k)
			o->position[k] = (float)at[k] + 0.5f + stream_uniform(s, -0.2f, 0.2f);
		for (int k = 0; k < 3; ++k)
			o->half[k] = stream_uniform(s, 0.35f, 0.6f);
		if (stream_below(s, 50) == 0) { // a beam
			for (int k = 0; k < 3; ++k)
				o->half[k] = 0.3f;
			int axis = stream_below(s, 3);
			o->half[axis] = stream_uniform(s, 1.5f, 2.5f);
		}
		o->state = STATE_ASLEEP;
		stream_place(s, id, o->position, o->half);
	}
	s->awake_wanted = s->count / 50;
	choose_zone(s);
}

// Twenty touching fragments: five along the longest axis, two along the others.
static void shatter_box(stream *s, int id)
{
	const stream_object parent = s->objects[id];
	int axis = 0, cuts[3];
	for (int k = 1; k < 3; ++k) {
		if (parent.half[k] > parent.half[axis])
			axis = k;
	}
	for (int k = 0; k < 3; ++k)
		cuts[k] = k == axis ? 5 : 2;
	stream_remove(s, id);
	for (int i = 0; i < 20; ++i) {
		const int at[3] = { i % cuts[0], i / cuts[0] % cuts[1], i / (cuts[0] * cuts[1]) };
		int piece = stream_add(s, STREAM_DYNAMIC);
		stream_object *o = &s->objects[piece];
		for (int k = 0; k < 3; ++k) {
			float size = 2.0f * parent.half[k] / (float)cuts[k];
			float offset = ((float)at[k] + 0.5f) * size - parent.half[k];
			o->position[k] = parent.position[k] + offset;
			o->half[k] = 0.5f * size + 0.5f * STREAM_SKIN;
			o->velocity[k] = 0.5f * offset + stream_uniform(s, -0.3f, 0.3f);
		}
		o->cloud = 1; // a fragment: it does not count towards the share that drifts
		stream_place(s, piece, o->position, o->half);
		wake(s, piece, 30);
	}
}

static int move_awake(stream *s)
{
	int kept = 0, drifting = 0;
	for (int i = 0; i < s->awake.count; ++i) {
		int id = s->awake.ids[i];
		stream_object *o = &s->objects[id];
		if (o->timer-- <= 0) {
			o->state = STATE_ASLEEP;
			continue;
		}
		for (int k = 0; k < 3; ++k) {
			float high = axis_of(s->world.upper, k) - 4.0f;
			o->position[k] += o->velocity[k] * STREAM_DT;
			if (o->position[k] < 0.0f)
				o->position[k] = 0.0f;
			if (o->position[k] > high)
				o->position[k] = high;
			o->velocity[k] *= 0.97f;
		}
		stream_place(s, id, o->position, o->half);
		stream_push(&s->moved, id);
		s->awake.ids[kept++] = id;
		drifting += o->cloud == 0;
	}
	s->awake.count = kept;
	return drifting;
}

void stream_step_rubble(stream *s)
{
	for (int drifting = move_awake(s); drifting < s->awake_wanted; ++drifting) {
		int id = pick_sleeper(s, drifting & 1);
		stream_in_ball(s, 0.9f, s->objects[id].velocity);
		s->objects[id].cloud = 0;
		wake(s, id, 10 + stream_below(s, 31));
	}
	if (s->clock == 0 || s->clock % 30 != 0)
		return;
	s->is_fracture = true;
	choose_zone(s);
	for (int i = 0; i < 50; ++i)
		shatter_box(s, pick_sleeper(s, i & 1));
}

// S6: half extents 0.025 to 25 m, half as many at twice the size, as in a broken building. What is larger than 2 m stands still as a dynamic sleeper, one in eight of the largest
// is static; the small ones orbit the place where they were born and now and then jump to another.
void stream_open_sizes(stream *s)
{
	float reach = 2.0f * stream_cube_root((float)s->count);
	s->radius = reach;
	float far = reach + 60.0f;
	s->world = (rbl_box){ { -far, -far, -far }, { far, far, far } };
	for (int i = 0; i < s->count; ++i) {
		float u = stream_uniform(s, 0.0f, 1.0f);
		float size = 0.025f / (1.0f - u * (1.0f - 1e-3f)); // 0.025 to 25, density size^-2
		bool is_static = size > 2.0f && stream_below(s, 8) == 0;
		int id = stream_add(s, is_static ? STREAM_STATIC : STREAM_DYNAMIC);
		stream_object *o = &s->objects[id];
		for (int k = 0; k < 3; ++k) {
			o->goal[k] = reach * stream_uniform(s, -1.0f, 1.0f) * stream_uniform(s, 0.0f, 1.0f);
			o->half[k] = size * stream_uniform(s, 0.5f, 1.0f);
			o->position[k] = o->goal[k];
		}
		o->spin = stream_uniform(s, 0.5f, 3.0f);
		o->phase = stream_uniform(s, 0.0f, 2.0f * STREAM_PI);
		o->state = size > 2.0f ? STATE_ASLEEP : STATE_AWAKE;
		stream_place(s, id, o->position, o->half);
	}
}

void stream_step_sizes(stream *s)
{
	for (int id = 0; id < s->id_count; ++id) {
		stream_object *o = &s->objects[id];
		if (o->state == STATE_ASLEEP)
			continue;
		if (stream_below(s, 5000) == 0) { // a jump across the world
			for (int k = 0; k < 3; ++k)
				o->goal[k] = s->radius * stream_uniform(s, -1.0f, 1.0f);
		}
		float angle = o->phase + o->spin * s->time;
		o->position[0] = o->goal[0] + 0.5f * stream_cos(angle);
		o->position[1] = o->goal[1] + 0.2f * stream_sin(2.0f * angle);
		o->position[2] = o->goal[2] + 0.5f * stream_sin(angle);
		stream_place(s, id, o->position, o->half);
		stream_push(&s->moved, id);
	}
}
