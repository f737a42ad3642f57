// SPDX-License-Identifier: MIT
// What the world suite measures: our world, and rigid-body engines that are installed, behind one
// table. Every engine gets the same scene in the same numbers.
#pragma once

#include "scenes/rigid.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { WORLD_MAX_STAGES = 24 };

/// The time of the stages of one step.
typedef struct world_stages {
	const char *names[WORLD_MAX_STAGES];
	double ms[WORLD_MAX_STAGES];
	int count;
} world_stages;

typedef struct world_engine {
	const char *name;
	int workers;

	/// Make the world of a scene, with the bodies that are there at step 0. NULL when it cannot.
	void *(*create)(const rigid_scene *scene, int workers);
	void (*destroy)(void *self);

	/// Add a body that comes later.
	void (*add)(void *self, int body);

	/// What is known before bodies are replaced, untimed; may be NULL.
	void (*prepare)(void *self, const rigid_shape *shapes, int count);

	/// Replace bodies by new ones of given shapes, each with pose and velocity as they are.
	void (*replace)(void *self, const int *bodies, const rigid_shape *shapes, int count);

	void (*step)(void *self);

	/// Read the states of all bodies that are there.
	void (*read)(void *self, rigid_state *states);

	/// The stages of the last step; may be NULL.
	void (*stages)(void *self, world_stages *stages);

	/// @return bytes held; NULL: what the heap grew by.
	size_t (*memory)(void *self);
	size_t (*memory_of_bodies)(void *self); // NULL: not known apart
} world_engine;

extern const world_engine world_rubble_1, world_rubble_2;

/// Engines of other libraries, closed by NULL; only in a build with peers.
extern const world_engine *const world_peers[];

#ifdef __cplusplus
}
#endif
