// SPDX-License-Identifier: MIT
//
// One budget for all work of a step that can wait.
//
// Units are counted, never timed, and counted from what decides the simulation alone: pairs that
// begin, cuts, bonds, bodies. So a run is the same on every machine, with any number of workers,
// and after a snapshot. What the broad phase does to its structure depends on its history, which a
// snapshot does not keep; therefore it comes last. It gets what the step before has left, and what
// it spends of that changes no result.
//
// New pairs cannot wait, since contacts would be missed; a step that has many of them works less on
// breaks, and the pieces of a large break appear over several steps. Everyone has a least share, or
// a storm of new pairs could hold up breaks for ever.

#include "world/world.h"

enum { BOXES_PER_UNIT = 16, LEAST_STRUCTURE = 16 };

static int least_of(const rbl_world *world, rbl_budget_share share)
{
	int budget = world->def.budget;
	switch (share) {
	case RBL_PAYS_BREAKS:
		return rbl_maxi(1, budget / 4);
	case RBL_PAYS_STRESS:
		return rbl_maxi(1, budget / 8);
	case RBL_PAYS_BAKING:
		return 1;
	}
	return 1;
}

void rbl_world_begin_budget(rbl_world *world)
{
	int budget = world->def.budget, boxes = rbl_default_broadphase_def().work_budget;
	if (budget > 0) {
		int units = world->budget_left < budget / 4 ? (int)world->budget_left : budget / 4;
		units = rbl_maxi(units, LEAST_STRUCTURE);
		boxes = rbl_mini(boxes, BOXES_PER_UNIT * rbl_mini(units, boxes));
	}
	rbl_broadphase_set_work_budget(world->broadphase, boxes);
	world->budget_left = budget;
	world->new_pair_count = 0;
	world->stats.fracture_work = world->stats.stress_work = world->stats.budget_left = 0;
}

void rbl_world_pay_new_pairs(rbl_world *world)
{
	rbl_world_pay(world, world->new_pair_count / RBL_NEW_PAIRS_PER_UNIT);
}

int64_t rbl_world_grant(const rbl_world *world, rbl_budget_share share)
{
	if (world->def.budget == 0)
		return INT64_MAX;
	int least = least_of(world, share);
	return world->budget_left > least ? world->budget_left : least;
}

int rbl_world_pay(rbl_world *world, int64_t units)
{
	int paid = units < INT32_MAX ? (int)units : INT32_MAX;
	if (world->def.budget > 0) {
		world->budget_left -= paid;
		world->stats.budget_left =
			world->budget_left > -INT32_MAX ? (int)world->budget_left : -INT32_MAX;
	}
	return paid;
}
