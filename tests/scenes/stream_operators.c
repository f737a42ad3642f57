// SPDX-License-Identifier: MIT
//
// S8 to S12: each makes a tree of planes need one operator, over and over. Slabs are laid in front
// and taken up behind (split: few of a leaf's boxes move, so it has no order to be cut by); a
// corridor fills up (shift-split); a crowd sloshes to and fro (balance); a crowd is swept flat
// against one wall after another, where planes parallel to the wall cut everything (swap); a crowd
// leaves from one side and comes back (merge).

#include "scenes/stream_object.h"

#include <math.h>

enum { PERIOD = 1200, HALF_PERIOD = PERIOD / 2 }; // steps

int stream_operators_capacity(const stream *s)
{
	if (s->scene == STREAM_SLABS)
		return s->count + s->count / 8 + s->step_count * (s->count / 1000 + 1) + 64;
	return s->count * (s->scene == STREAM_EBB ? 3 + s->step_count / HALF_PERIOD : 1) + 64;
}

// A box with a home, of 0.5 to 0.7 m.
static int add_at(stream *s, float x, float y, float z)
{
	int id = stream_add(s, STREAM_DYNAMIC);
	stream_object *o = &s->objects[id];
	const float home[3] = { x, y, z };
	for (int k = 0; k < 3; ++k) {
		o->goal[k] = o->position[k] = home[k];
		o->half[k] = stream_uniform(s, 0.25f, 0.35f);
	}
	stream_place(s, id, o->position, o->half);
	return id;
}

// It trembles by millimetres about its home.
static void tremble(stream *s, int id)
{
	stream_object *o = &s->objects[id];
	for (int k = 0; k < 3; ++k)
		o->position[k] = o->goal[k] + stream_uniform(s, -0.002f, 0.002f);
	stream_place(s, id, o->position, o->half);
	stream_push(&s->moved, id);
}

static void set_world(stream *s, float x, float y, float z)
{
	s->world = (rbl_box){ { -x, -y, -z }, { x, y, z } };
}

// --- slabs ---------------------------------------------------------------------------------------

// The next slab, in rows across the way.
static void lay_slab(stream *s)
{
	float x = (float)(s->pitch / s->side), z = (float)(s->pitch % s->side);
	s->pitch++;
	stream_add_static(s, (rbl_box){ { x, -0.5f, z }, { x + 0.9f, 0.0f, z + 0.9f } });
}

void stream_open_slabs(stream *s)
{
	s->side = (int)sqrtf((float)s->count) / 3 + 1;
	float length = (float)((s->count + s->step_count * (s->count / 1000 + 1)) / s->side + 10);
	set_world(s, length, 10.0f, (float)s->side + 10.0f);
	int walkers = s->count / 16 + 1;
	for (int i = 0; i < walkers; ++i) {
		int id = add_at(s, stream_uniform(s, 0.0f, (float)s->side), 0.1f,
		                stream_uniform(s, 0.0f, (float)s->side));
		stream_in_ball(s, 3.0f, s->objects[id].velocity);
	}
	s->bucket = s->id_count; // the oldest slab
	for (int i = 0; i < s->count / 8; ++i)
		lay_slab(s);
}

void stream_step_slabs(stream *s)
{
	for (int i = 0; i < s->count / 1000 + 1; ++i) {
		lay_slab(s);
		if (s->static_count > s->count)
			stream_remove(s, s->bucket++);
	}
	float from = (float)((s->pitch - s->static_count) / s->side), to = (float)(s->pitch / s->side);
	for (int id = 0; id < s->count / 16 + 1; ++id) {
		stream_object *o = &s->objects[id];
		const float low[3] = { from, 0.1f, 0.0f }, high[3] = { to, 0.1f, (float)s->side };
		for (int k = 0; k < 3; k += 2) {
			o->position[k] += o->velocity[k] * STREAM_DT;
			if (o->position[k] < low[k])
				o->position[k] = low[k], o->velocity[k] = fabsf(o->velocity[k]);
			if (o->position[k] > high[k])
				o->position[k] = high[k], o->velocity[k] = -fabsf(o->velocity[k]);
		}
		stream_place(s, id, o->position, o->half);
		stream_push(&s->moved, id);
	}
}

// --- corridor ------------------------------------------------------------------------------------

// Boxes that there are at a step: an eighth at the start, all at the end.
static int corridor_wanted(const stream *s, int step)
{
	int rest = s->count - s->count / 8;
	return s->count / 8 + (int)((int64_t)rest * step / s->step_count);
}

static void fill_corridor(stream *s, int wanted)
{
	while (s->id_count < wanted)
		add_at(s, (float)s->id_count / 9.0f, stream_uniform(s, 0.0f, 3.0f),
		       stream_uniform(s, 0.0f, 3.0f));
}

void stream_open_corridor(stream *s)
{
	set_world(s, (float)s->count / 9.0f + 10.0f, 10.0f, 10.0f);
	fill_corridor(s, corridor_wanted(s, 0));
}

void stream_step_corridor(stream *s)
{
	int there = s->id_count;
	fill_corridor(s, corridor_wanted(s, s->clock + 1));
	for (int id = 0; id < there; ++id)
		tremble(s, id);
}

// --- tide ----------------------------------------------------------------------------------------

void stream_open_tide(stream *s)
{
	float width = stream_cube_root(2.2f * (float)s->count / 6.0f), length = 6.0f * width;
	s->radius = 0.5f * length;
	set_world(s, 2.0f * length, width + 2.0f, width + 2.0f);
	for (int i = 0; i < s->count; ++i)
		add_at(s, stream_uniform(s, -0.5f, 0.5f) * length, stream_uniform(s, 0.0f, width),
		       stream_uniform(s, 0.0f, width));
}

void stream_step_tide(stream *s)
{
	float turn = 2.0f * STREAM_PI / (float)PERIOD;
	float at = s->radius * stream_sin(turn * (float)(s->clock % PERIOD));
	for (int id = 0; id < s->id_count; ++id) {
		stream_object *o = &s->objects[id];
		o->position[0] = o->goal[0] + at;
		stream_place(s, id, o->position, o->half);
		stream_push(&s->moved, id);
	}
}

// --- curtain -------------------------------------------------------------------------------------

void stream_open_curtain(stream *s)
{
	s->radius = 0.6f * sqrtf((float)s->count);
	set_world(s, s->radius + 2.0f, s->radius + 2.0f, s->radius + 2.0f);
	for (int i = 0; i < s->count; ++i)
		add_at(s, s->radius * stream_uniform(s, 0.0f, 1.0f),
		       s->radius * stream_uniform(s, 0.0f, 1.0f),
		       s->radius * stream_uniform(s, 0.0f, 1.0f));
}

void stream_step_curtain(stream *s)
{
	float stretch[3];
	for (int k = 0; k < 3; ++k) {
		float turn = (float)((s->clock + (2 - k) * PERIOD / 3) % PERIOD) / (float)PERIOD;
		float swept = stream_sin(2.0f * STREAM_PI * turn);
		swept = swept > 0.0f ? swept * swept : 0.0f;
		stretch[k] = swept < 0.995f ? 1.0f - swept : 0.005f;
	}
	for (int id = 0; id < s->id_count; ++id) {
		stream_object *o = &s->objects[id];
		for (int k = 0; k < 3; ++k)
			o->position[k] = o->goal[k] * stretch[k];
		stream_place(s, id, o->position, o->half);
		stream_push(&s->moved, id);
	}
}

// --- ebb -----------------------------------------------------------------------------------------

// The waterline: everything is there at 0, an eighth is at 7/8.
static float waterline(int step)
{
	int phase = step % PERIOD;
	int down = phase < HALF_PERIOD ? phase : PERIOD - phase;
	return 0.875f * (float)down / (float)HALF_PERIOD;
}

void stream_open_ebb(stream *s)
{
	float width = stream_cube_root(2.2f * (float)s->count / 4.0f);
	s->radius = width;
	set_world(s, 5.0f * width, width + 2.0f, width + 2.0f);
	for (int i = 0; i < s->count; ++i)
		add_at(s, 4.0f * width * stream_uniform(s, 0.0f, 1.0f), stream_uniform(s, 0.0f, width),
		       stream_uniform(s, 0.0f, width));
}

void stream_step_ebb(stream *s)
{
	float width = s->radius, length = 4.0f * width;
	float was = waterline(s->clock), now = waterline(s->clock + 1);
	int there = s->id_count;
	for (int id = 0; id < there; ++id) {
		if (s->kinds[id] == STREAM_FREE)
			continue;
		if (s->objects[id].goal[0] < now * length)
			stream_remove(s, id);
		else
			tremble(s, id);
	}
	for (int wanted = (int)((float)s->count * (1.0f - now));
	     s->dynamic_count < wanted && now < was;)
		add_at(s, length * stream_uniform(s, now, was), stream_uniform(s, 0.0f, width),
		       stream_uniform(s, 0.0f, width));
}
