// SPDX-License-Identifier: MIT
//
// Our own world behind the table of the world suite.

#include "world_frames.h"

#include "scenes/rigid_world.h"

#include <stdlib.h>

// A world, and the convexes of new bodies: the cutter of fracture knows them.
typedef struct rubble_world {
	rigid_world scene;
	rbl_convex **convexes;
	int convex_count;
} rubble_world;

static void *create(const rigid_scene *scene, int workers)
{
	rubble_world *self = calloc(1, sizeof *self);
	if (self && !rigid_world_open(&self->scene, scene, workers, NULL)) {
		free(self);
		self = NULL;
	}
	return self;
}

static void destroy(void *pointer)
{
	rubble_world *self = pointer;
	rigid_world_close(&self->scene);
	for (int i = 0; i < self->convex_count; ++i)
		rbl_destroy_convex(self->convexes[i]);
	free(self->convexes);
	free(self);
}

static void add(void *self, int body)
{
	rigid_world_add(&((rubble_world *)self)->scene, body);
}

static void prepare(void *pointer, const rigid_shape *shapes, int count)
{
	rubble_world *self = pointer;
	self->convexes = calloc((size_t)count + 1, sizeof(rbl_convex *));
	for (int i = 0; self->convexes && i < count; ++i)
		self->convexes[self->convex_count++] = rigid_convex(&shapes[i]);
}

static void replace(void *pointer, const int *bodies, const rigid_shape *shapes, int count)
{
	rubble_world *self = pointer;
	rigid_world_replace(&self->scene, bodies, shapes, self->convexes, count);
}

static void step(void *self)
{
	rigid_world_step(&((rubble_world *)self)->scene, 0);
}

static void read_states(void *self, rigid_state *states)
{
	rigid_world_read(&((rubble_world *)self)->scene, states);
}

static void read_stages(void *self, world_stages *stages)
{
	world_read_stages(((const rubble_world *)self)->scene.world, stages);
}

// Without pairs, contacts and the broad phase.
static size_t memory_of_bodies(void *self)
{
	return rbl_world_get_stats(((const rubble_world *)self)->scene.world).body_bytes;
}

static size_t memory(void *self)
{
	return rbl_world_get_stats(((const rubble_world *)self)->scene.world).bytes;
}

#define RUBBLE(name, workers)                                                                  \
	{                                                                                          \
		name, workers, create, destroy, add, prepare, replace, step, read_states, read_stages, \
			memory, memory_of_bodies,                                                          \
	}
const world_engine world_rubble_1 = RUBBLE("rubble-1", 1);
const world_engine world_rubble_2 = RUBBLE("rubble-2", 2);
