// SPDX-License-Identifier: MIT
//
// Our own world behind the table of the world suite.

#include "world_engine.h"

#include "scenes/rigid_world.h"

#include <stdlib.h>

static void *create(const rigid_scene *scene, int workers)
{
	rigid_world *self = malloc(sizeof *self);
	if (self && !rigid_world_open(self, scene, workers, NULL)) {
		free(self);
		self = NULL;
	}
	return self;
}

static void destroy(void *self)
{
	rigid_world_close(self);
	free(self);
}

static void add(void *self, int body)
{
	rigid_world_add(self, body);
}

static void replace(void *self, const int *bodies, const rigid_shape *shapes, int count)
{
	rigid_world_replace(self, bodies, shapes, count);
}

static void step(void *self)
{
	rigid_world_step(self, 0);
}

static void read_states(void *self, rigid_state *states)
{
	rigid_world_read(self, states);
}

static void read_stages(void *self, world_stages *stages)
{
	rbl_world_stats s = rbl_world_get_stats(((const rigid_world *)self)->world);
	*stages = (world_stages){
		.names = { "broadphase_ms", "pairs_ms", "narrow_ms", "contacts_ms", "solver_ms",
		           "finish_ms", "pairs", "active", "touching", "points", "awake", "reused",
		           "searched", "colours" },
		.ms = { s.broadphase_ms, s.pairs_ms, s.narrow_ms, s.contacts_ms, s.solver_ms, s.finish_ms,
		        s.pair_count, s.active_count, s.touch_count, s.point_count, s.awake_count,
		        s.reused_count, s.searched_count, s.color_count },
		.count = 14,
	};
}

static size_t memory(void *self)
{
	return rbl_world_get_stats(((const rigid_world *)self)->world).bytes;
}

const world_engine world_rubble_1 = { "rubble-1", 1,    create,      destroy,     add,
	                                  replace,    step, read_states, read_stages, memory };
const world_engine world_rubble_2 = { "rubble-2", 2,    create,      destroy,     add,
	                                  replace,    step, read_states, read_stages, memory };
