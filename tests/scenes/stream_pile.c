// SPDX-License-Identifier: MIT
//
// S7: a dense pile under a solver without sleep. Boxes stand in five walls, each overlaps thirteen
// others, and all move: most by some millimetres a step about the place where they lie, one in
// twenty by centimetres. Neighbours in space are no neighbours by id, as in a heap that was poured.

#include "scenes/stream_object.h"

static void add_walls(stream *s, float width, float height)
{
	const float t = 1.0f; // thick
	stream_add_static(s, (rbl_box){ { -t, -t, -t }, { width + t, 0.0f, width + t } });
	for (int k = 0; k < 2; ++k) {
		float at = k ? width : -t;
		stream_add_static(s, (rbl_box){ { at, 0.0f, -t }, { at + t, height, width + t } });
		stream_add_static(s, (rbl_box){ { -t, 0.0f, at }, { width + t, height, at + t } });
	}
}

void stream_open_pile(stream *s)
{
	s->side = (int)(stream_cube_root((float)s->count) + 0.999f);
	const int layer = s->side * s->side;
	const float width = (float)s->side, height = (float)(s->count / layer + 1);
	s->world = (rbl_box){ { -4.0f, -4.0f, -4.0f }, { width + 4.0f, height + 5.0f, width + 4.0f } };
	add_walls(s, width, height);
	int first = s->id_count;
	for (int i = 0; i < s->count; ++i) {
		stream_object *o = &s->objects[stream_add(s, STREAM_DYNAMIC)];
		const int at[3] = { i % layer % s->side, i / layer, i % layer / s->side };
		for (int k = 0; k < 3; ++k) {
			o->goal[k] = (float)at[k] + 0.5f + stream_uniform(s, -0.2f, 0.2f);
			o->half[k] = stream_uniform(s, 0.51f, 0.61f);
		}
	}
	for (int i = s->count - 1; i > 0; --i) { // mix the places
		float *a = s->objects[first + i].goal, *b = s->objects[first + stream_below(s, i + 1)].goal;
		for (int k = 0; k < 3; ++k) {
			float swap = a[k];
			a[k] = b[k], b[k] = swap;
		}
	}
	for (int id = first; id < s->id_count; ++id) {
		stream_object *o = &s->objects[id];
		for (int k = 0; k < 3; ++k)
			o->position[k] = o->goal[k];
		stream_place(s, id, o->position, o->half);
	}
}

void stream_step_pile(stream *s)
{
	for (int id = 0; id < s->id_count; ++id) {
		if (s->kinds[id] == STREAM_STATIC)
			continue;
		stream_object *o = &s->objects[id];
		if (o->timer-- <= 0) {
			stream_in_ball(s, stream_below(s, 20) == 0 ? 1.5f : 0.15f, o->velocity);
			o->timer = 10 + stream_below(s, 40);
		}
		for (int k = 0; k < 3; ++k) {
			o->velocity[k] += (o->goal[k] - o->position[k]) * STREAM_DT;
			o->position[k] += o->velocity[k] * STREAM_DT;
		}
		stream_place(s, id, o->position, o->half);
		stream_push(&s->moved, id);
	}
}
