// SPDX-License-Identifier: MIT
//
// S1 and S4: rain on a terrain and into buckets. The ground is a grid of unit columns; an object
// falls on its column, rolls to a lower neighbour or settles and raises the column.

#include "scenes/stream_object.h"

#include <math.h>
#include <stdlib.h>

static float terrain_height(float x, float z)
{
	return 1.5f * stream_sin(0.21f * x) + 1.5f * stream_sin(0.17f * z + 1.0f) +
	       0.5f * stream_sin(0.9f * x + 0.7f * z);
}

// World position of a column's centre; S4 groups columns in buckets with gaps between.
static void column_centre(const stream *s, int cell, float *x, float *z)
{
	int cx = cell % s->side, cz = cell / s->side;
	if (s->scene == STREAM_BUCKETS) {
		cx = cx / s->bucket * s->pitch + cx % s->bucket;
		cz = cz / s->bucket * s->pitch + cz % s->bucket;
	}
	*x = (float)cx + 0.5f;
	*z = (float)cz + 0.5f;
}

static void drop_object(stream *s)
{
	int id = stream_add(s, STREAM_DYNAMIC);
	stream_object *o = &s->objects[id];
	o->cell = stream_below(s, s->side * s->side);
	float x, z;
	column_centre(s, o->cell, &x, &z);
	float base = stream_uniform(s, 0.3f, 0.5f);
	bool is_sphere = stream_random(s) & 1;
	for (int k = 0; k < 3; ++k)
		o->half[k] = is_sphere ? base : base * stream_uniform(s, 0.8f, 1.2f);
	o->solid = (is_sphere ? 1.9f : 1.7f) * base;
	if (!is_sphere)
		o->spin = stream_uniform(s, 0.02f, 0.15f);
	o->phase = stream_uniform(s, 0.0f, 2.0f * STREAM_PI);
	float height = s->scene == STREAM_BUCKETS ? 25.0f : 18.0f;
	o->position[0] = x + stream_uniform(s, -0.25f, 0.25f);
	o->position[1] = height + stream_uniform(s, 0.0f, 3.0f);
	o->position[2] = z + stream_uniform(s, -0.25f, 0.25f);
	o->velocity[1] = -4.0f;
	o->state = STATE_FALLING;
	stream_place(s, id, o->position, o->half);
}

static void make_terrain(stream *s)
{
	for (int z = 0; z < s->side; z += 2) {
		for (int x = 0; x < s->side; x += 2) {
			float fx = (float)x, fz = (float)z, y = terrain_height(fx, fz);
			stream_add_static(s, (rbl_box){ { fx, -6.0f, fz }, { fx + 2.0f, y, fz + 2.0f } });
			for (int k = 0; k < 4; ++k)
				s->column_tops[(z + k / 2) * s->side + x + k % 2] = y;
		}
	}
	float end = (float)s->side + 2.0f;
	s->world = (rbl_box){ { -2.0f, -8.0f, -2.0f }, { end, 32.0f, end } };
}

// A floor and four walls per bucket.
static void make_buckets(stream *s)
{
	const float size = (float)s->bucket, top = 14.0f, wall = 0.5f;
	for (int i = 0; i < 25; ++i) {
		float x0 = (float)(i % 5 * s->pitch), z0 = (float)(i / 5 * s->pitch);
		float x1 = x0 + size, z1 = z0 + size;
		stream_add_static(
			s, (rbl_box){ { x0 - wall, -1.0f, z0 - wall }, { x1 + wall, 0.0f, z1 + wall } });
		stream_add_static(s, (rbl_box){ { x0 - wall, 0.0f, z0 - wall }, { x0, top, z1 + wall } });
		stream_add_static(s, (rbl_box){ { x1, 0.0f, z0 - wall }, { x1 + wall, top, z1 + wall } });
		stream_add_static(s, (rbl_box){ { x0, 0.0f, z0 - wall }, { x1, top, z0 } });
		stream_add_static(s, (rbl_box){ { x0, 0.0f, z1 }, { x1, top, z1 + wall } });
	}
	float end = (float)(5 * s->pitch) + 3.0f;
	s->world = (rbl_box){ { -3.0f, -3.0f, -3.0f }, { end, 40.0f, end } };
}

bool stream_open_columns(stream *s)
{
	if (s->scene == STREAM_TERRAIN) {
		s->side = 2 * (int)ceilf(0.5f * sqrtf((float)s->count / 3.0f));
	} else {
		s->bucket = (int)ceilf(sqrtf((float)s->count / 300.0f));
		s->pitch = s->bucket + 2;
		s->side = 5 * s->bucket;
	}
	s->column_tops = calloc((size_t)s->side * (size_t)s->side, sizeof(float));
	if (!s->column_tops)
		return false;
	if (s->scene == STREAM_TERRAIN)
		make_terrain(s);
	else
		make_buckets(s);
	return true;
}

// The lowest neighbour column at least most of an object below, or -1.
static int downhill(const stream *s, int cell, float level, float height)
{
	static const int steps[4][2] = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } };
	int cx = cell % s->side, cz = cell / s->side, best = -1;
	float low = level - 0.8f * height;
	for (int k = 0; k < 4; ++k) {
		int x = cx + steps[k][0], z = cz + steps[k][1];
		if (x < 0 || z < 0 || x >= s->side || z >= s->side)
			continue;
		if (s->scene == STREAM_BUCKETS &&
		    (x / s->bucket != cx / s->bucket || z / s->bucket != cz / s->bucket))
			continue;
		int neighbour = z * s->side + x;
		if (s->column_tops[neighbour] < low) {
			low = s->column_tops[neighbour];
			best = neighbour;
		}
	}
	return best;
}

static void land_object(stream *s, stream_object *o)
{
	float *top = &s->column_tops[o->cell];
	int lower = o->timer < 6 ? downhill(s, o->cell, *top, o->solid) : -1;
	o->position[1] = *top + 0.5f * o->solid;
	o->velocity[1] = 0.0f;
	if (lower >= 0) {
		float x, z;
		column_centre(s, lower, &x, &z);
		o->goal[0] = x + stream_uniform(s, -0.25f, 0.25f);
		o->goal[2] = z + stream_uniform(s, -0.25f, 0.25f);
		o->cell = lower;
		o->timer++;
		o->state = STATE_ROLLING;
		return;
	}
	*top += 0.9f * o->solid;
	o->state = STATE_RESTING;
	for (int k = 0; k < 3; ++k)
		o->goal[k] = o->position[k];
}

static void roll_object(stream_object *o)
{
	float dx = o->goal[0] - o->position[0], dz = o->goal[2] - o->position[2];
	float distance = sqrtf(dx * dx + dz * dz), step = 2.5f * STREAM_DT;
	o->phase += o->spin;
	if (distance <= step) {
		o->position[0] = o->goal[0];
		o->position[2] = o->goal[2];
		o->state = STATE_FALLING;
	} else {
		o->position[0] += dx * step / distance;
		o->position[2] += dz * step / distance;
	}
}

static void step_object(stream *s, int id)
{
	stream_object *o = &s->objects[id];
	if (o->state == STATE_FALLING) {
		o->velocity[1] -= 9.8f * STREAM_DT;
		o->position[1] += o->velocity[1] * STREAM_DT;
		o->phase += o->spin;
		if (o->position[1] - 0.5f * o->solid <= s->column_tops[o->cell])
			land_object(s, o);
	} else if (o->state == STATE_ROLLING) {
		roll_object(o);
	} else if (s->is_quiet) {
		return;
	}
	float half[3], centre[3];
	for (int k = 0; k < 3; ++k) {
		centre[k] = o->position[k];
		if (o->state == STATE_RESTING)
			centre[k] = o->goal[k] + stream_uniform(s, -0.003f, 0.003f);
		half[k] = o->half[k];
		if (o->spin > 0.0f)
			half[k] *= 1.15f + 0.2f * stream_sin(o->phase + 2.1f * (float)k);
	}
	stream_place(s, id, centre, half);
	if (!s->is_quiet)
		stream_push(&s->moved, id);
}

void stream_step_columns(stream *s)
{
	int old = s->id_count, wanted = (int)((int64_t)s->count * (s->clock + 1) / 1000);
	if (wanted > s->count)
		wanted = s->count;
	for (int id = s->static_count; id < old; ++id)
		step_object(s, id);
	for (int made = old - s->static_count; made < wanted; ++made)
		drop_object(s);
}
