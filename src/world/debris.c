// SPDX-License-Identifier: MIT
//
// Debris at rest: frozen, unfrozen, removed.
//
// Sleeping rubble costs nothing, but a blow wakes everything around it. Debris that has slept
// long enough is frozen: to the solver it is a sleeping body that nothing wakes. It must not hang
// in the air when its support goes away, so it unfreezes when a contact of it ends; then it wakes
// and falls, its contacts end, and so on through all that it supported. Something that only
// rolled over it unfreezes it too, in vain: it sleeps on, and is frozen again.
//
// A few bodies are tested in each step, so that the cost does not depend on how much rests. When
// there are too many bodies, one pass over all finds those to remove.

#include "world/world.h"

#include "base/sort.h"

// Bodies tested in a step.
enum { FREEZE_LOOKS = 512 };

void rbl_world_unfreeze(rbl_world *world, int body)
{
	rbl_body_motion *m = &world->motions[body];
	if (!(m->flags & RBL_BODY_FROZEN))
		return;
	m->flags &= ~(uint32_t)RBL_BODY_FROZEN;
	rbl_solver_freeze(world->solver, world->bodies[body].solver_body, false);
	world->bodies[body].asleep_since = (uint32_t)world->stats.step_count;
	rbl_world_report_retired(world, body, RBL_RETIRED_UNFROZEN, (rbl_body_id){ 0, 0 }, 0);
}

void rbl_world_contact_ended(rbl_world *world, int body)
{
	// Without memory to remember it, it wakes at once: it must not hang in the air.
	if ((world->motions[body].flags & RBL_BODY_FROZEN) &&
	    !rbl_array_push(&world->allocator, &world->unfreezes, body))
		rbl_world_wake(world, body);
}

static void unfreeze_all(rbl_world *world)
{
	for (int i = 0; i < world->unfreezes.count; ++i) {
		int body = world->unfreezes.data[i];
		if (rbl_id_pool_is_live(&world->body_ids, body) &&
		    (world->motions[body].flags & RBL_BODY_FROZEN))
			rbl_world_wake(world, body);
	}
	world->unfreezes.count = 0;
}

static bool is_resting_debris(const rbl_world *world, int body)
{
	const rbl_body *b = &world->bodies[body];
	return rbl_id_pool_is_live(&world->body_ids, body) && b->fragment_number != 0 &&
	       b->kind == RBL_BODY_DYNAMIC && !b->is_breaking && b->solver_body != RBL_NONE &&
	       !(world->motions[body].flags & RBL_BODY_AWAKE) &&
	       rbl_solver_is_asleep(world->solver, b->solver_body); // a break may just have woken it
}

static void freeze_sleepers(rbl_world *world)
{
	int slots = world->body_ids.slot_count;
	if (!(world->def.freeze_time > 0.0f) || slots == 0)
		return;
	uint32_t now = (uint32_t)world->stats.step_count;
	int count = rbl_mini(FREEZE_LOOKS, slots), groups = (slots + count - 1) / count;
	int first = (int)(now % (uint32_t)groups) * count;
	for (int body = first; body < rbl_mini(first + count, slots); ++body) {
		if (!is_resting_debris(world, body) || (world->motions[body].flags & RBL_BODY_FROZEN))
			continue;
		float slept = (float)(now - world->bodies[body].asleep_since) * world->last_dt;
		if (!(slept >= world->def.freeze_time))
			continue;
		world->motions[body].flags |= RBL_BODY_FROZEN;
		rbl_solver_freeze(world->solver, world->bodies[body].solver_body, true);
		rbl_world_report_retired(world, body, RBL_RETIRED_FROZEN, (rbl_body_id){ 0, 0 }, 0);
	}
}

// The smallest first, by powers of two, and of these the oldest.
static uint64_t retire_key(const rbl_body *b)
{
	uint32_t bits;
	memcpy(&bits, &b->mass, sizeof bits);
	return (uint64_t)(bits >> 23) << 32 | b->fragment_number;
}

static void remove_excess(rbl_world *world)
{
	int over = 0, slots = world->body_ids.slot_count, n = 0;
	if (world->def.body_limit > 0)
		over = world->body_ids.live_count - world->def.body_limit;
	if (world->def.debris_limit > 0)
		over = rbl_maxi(over, world->debris_count - world->def.debris_limit);
	if (over <= 0)
		return;
	rbl_sort_item64 *items = RBL_NEW(&world->allocator, rbl_sort_item64, 2 * (size_t)slots);
	if (!items) {
		world->stats.lost_count++;
		return;
	}
	for (int body = 0; body < slots; ++body)
		if (is_resting_debris(world, body))
			items[n++] = (rbl_sort_item64){ retire_key(&world->bodies[body]), (uint32_t)body, 0 };
	rbl_sort64(items, items + slots, n);
	for (int i = 0; i < rbl_mini(n, over); ++i) {
		int body = (int)items[i].value, reported = world->retires.count;
		rbl_world_report_retired(world, body, RBL_RETIRED_REMOVED, (rbl_body_id){ 0, 0 }, 0);
		if (rbl_world_remove_body(world, body) != RBL_OK) {
			world->retires.count = reported; // the event itself may have been lost
			world->stats.lost_count++;
		}
	}
	RBL_FREE(&world->allocator, items, 2 * (size_t)slots);
}

void rbl_world_retire_debris(rbl_world *world)
{
	unfreeze_all(world);
	if (world->chips.count > 0)
		rbl_world_expire_chips(world);
	rbl_world_release_unsupported(world);
	remove_excess(world);
	freeze_sleepers(world);
	rbl_world_bake(world);
	world->stats.debris_count = world->debris_count;
}
