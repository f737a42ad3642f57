// SPDX-License-Identifier: MIT
//
// Breaking: what breaks something goes on, also when the break takes several steps.
//
// The solver has stopped what hit a body as if nothing could break. When the break is through in
// the same step, break_apply.c gives back the speed that it did not cost. When the budget delays
// it, this is done all the same in the step of the hit, while place, direction and velocities are
// those of the hit; and until the break is through, what hit the body passes through all parts that
// the impact reaches, which will be gone. So the speed of what hits does not depend on the budget,
// and nothing stands in the air, waits, and is pushed later at a place where it is no longer.
//
// Pairs of such parts are not made, and those that are there end. When the break is through, or has
// come to nothing, all pairs are looked at again; what still overlaps is let go slowly.

#include "world/world.h"

// Whether the impact of a request reaches a part of its body.
static bool reaches_part(const rbl_world *world, const rbl_damage_request *r, int part)
{
	const rbl_compound *compound = rbl_body_get_compound(world, r->body);
	const rbl_convex *convex =
		compound ? rbl_compound_get_part(compound, world->parts[part].child).convex : NULL;
	if (!convex || world->parts[part].field) // all of a body that collides by a field is one part
		return true;
	rbl_convex_data data = rbl_convex_get_data(convex);
	rbl_vec3d point = rbl_to_d(r->point);
	for (int f = 0; f < data.face_count; ++f)
		if (rbl_dot_d(data.planes[f].normal, point) - data.planes[f].offset > (double)r->radius)
			return false;
	return true;
}

static bool lets_through(const rbl_world *world, const rbl_damage_request *r, int body, int part)
{
	return r->is_passed && !r->is_done && (int)r->other.index == body &&
	       (int)r->body.index == world->hot_parts[part].body &&
	       rbl_world_has_body(world, r->other) && rbl_world_has_body(world, r->body) &&
	       reaches_part(world, r, part);
}

bool rbl_world_passes_through(const rbl_world *world, int body, int part)
{
	for (int i = 0; world->passing_count > 0 && i < world->damage_requests.count; ++i)
		if (lets_through(world, &world->damage_requests.data[i], body, part))
			return true;
	return false;
}

static void end_pairs(rbl_world *world, const rbl_damage_request *r)
{
	int body = (int)r->other.index;
	RBL_EACH_PART (p, world, body)
		for (int pair = world->parts[p].first_pair, next; pair != RBL_NONE; pair = next) {
			next = rbl_world_next_pair(world, p, pair);
			int part = world->pairs[pair].a == p ? world->pairs[pair].b : world->pairs[pair].a;
			if (!(world->pairs[pair].flags & RBL_PAIR_SENSOR) && lets_through(world, r, body, part))
				rbl_world_remove_pair(world, pair, true);
		}
}

// The radius of a request that waits for another.
static bool find_radius(const rbl_world *world, rbl_damage_request *r)
{
	rbl_break_def def = rbl_default_break_def();
	bool breaks = false;
	const rbl_compound *compound = rbl_body_get_compound(world, r->body);
	const rbl_material_def *material =
		rbl_world_breaking(world, (int)r->body.index, compound, r->material);
	if (!compound || !material ||
	    rbl_damage_choose(&material->damage, compound, (double)r->choice, r->seed, &def, &breaks) !=
	        RBL_OK)
		return false;
	if (!(r->radius < INFINITY))
		r->radius = (float)def.radius;
	return breaks;
}

void rbl_world_let_hitters_pass(rbl_world *world)
{
	for (int i = 0; i < world->damage_requests.count; ++i) {
		rbl_damage_request *r = &world->damage_requests.data[i];
		if (r->is_done || r->is_passed || !rbl_world_has_body(world, r->other) ||
		    !rbl_world_has_body(world, r->body))
			continue;
		// What has joints goes no faster than what it hangs on: it gets its speed when the break is
		// through, as if it had been held.
		if (world->bodies[r->other.index].first_joint != RBL_NONE ||
		    world->bodies[r->body.index].baked_index != 0 || r->choice < 0.0f ||
		    (!r->task && !find_radius(world, r)))
			continue;
		rbl_world_return_energy(world, r);
		r->is_passed = true;
		world->passing_count++;
		end_pairs(world, r);
	}
}

void rbl_world_count_passing(rbl_world *world)
{
	world->passing_count = 0;
	for (int i = 0; i < world->damage_requests.count; ++i)
		world->passing_count += world->damage_requests.data[i].is_passed;
}
