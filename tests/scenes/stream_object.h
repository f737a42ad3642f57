// SPDX-License-Identifier: MIT
// What the files that make streams share: the object, its random numbers, birth and death.
#pragma once

#include "scenes/streams.h"

#define STREAM_DT (1.0f / 60.0f)
#define STREAM_PI 3.14159265f

/// "Touching" fragments overlap by this much, so that rounding does not decide on a pair.
#define STREAM_SKIN 0.005f

enum { STREAM_BLOCK_COUNT = 34 };

typedef enum stream_state {
	STATE_FALLING,
	STATE_ROLLING,
	STATE_RESTING,
	STATE_CLOUD,
	STATE_BLOCK,
	STATE_FRAGMENT,
	STATE_ASLEEP,
	STATE_AWAKE,
} stream_state;

struct stream_object {
	float position[3], velocity[3];
	float half[3]; // half extents at rest orientation
	float goal[3]; // columns: where it goes or rests; clouds: offset from the attractor
	float solid;   // columns: the height it takes up
	float phase, spin, stiffness;
	int state, cell, timer, cloud;
};

uint32_t stream_random(stream *s);
float stream_uniform(stream *s, float low, float high);
int stream_below(stream *s, int bound);
void stream_in_ball(stream *s, float radius, float out[3]);

/// Sine and cosine to about 0.001, in single precision and plain arithmetic.
float stream_sin(float x);
float stream_cos(float x);
float stream_cube_root(float x);

int stream_add(stream *s, stream_kind kind);
void stream_remove(stream *s, int id);
void stream_place(stream *s, int id, const float centre[3], const float half[3]);
void stream_add_static(stream *s, rbl_box box);
void stream_push(stream_list *list, int id);

/// A swirling point around a centre, and a damped spring that pulls an object towards it.
void stream_swirl(const stream_object *o, const float centre[3], float time, float out[3]);
void stream_pull(stream_object *o, const float goal[3], const float drift[3]);

bool stream_open_columns(stream *s);
void stream_step_columns(stream *s);
void stream_open_clouds(stream *s);
void stream_step_clouds(stream *s);
void stream_open_blocks(stream *s);
void stream_step_blocks(stream *s);
void stream_open_rubble(stream *s);
void stream_step_rubble(stream *s);
void stream_open_sizes(stream *s);
void stream_step_sizes(stream *s);
void stream_open_pile(stream *s);
void stream_step_pile(stream *s);
void stream_open_slabs(stream *s);
void stream_step_slabs(stream *s);
void stream_open_corridor(stream *s);
void stream_step_corridor(stream *s);
void stream_open_tide(stream *s);
void stream_step_tide(stream *s);
void stream_open_curtain(stream *s);
void stream_step_curtain(stream *s);
void stream_open_ebb(stream *s);
void stream_step_ebb(stream *s);

/// Ids that S8 to S12 may hand out.
int stream_operators_capacity(const stream *s);
