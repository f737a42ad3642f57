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
// come to nothing, all that overlaps what passed is looked at again, and let go slowly.
//
// A static or kinematic body does not go on: what breaks on a floor stays on it meanwhile.
//
// What hangs on it by joints, as the chain of a wrecking ball does, passes with it: links that the
// wall stopped would tear off, or hold the ball back.
//
// Once the fragments are there, they take from what went through them the momentum that pushing
// them along costs: those on its path are brought to one velocity with it, by equal and opposite
// impulses along the direction of the hit. These act beside each other, since the fragments do not
// lie on the line through the hitter's centre: all fragments take the torque, as the body would
// that they were. So momentum is kept at every moment, linear and angular, energy is lost as in any
// plastic collision, and a hitter pays for what it breaks at any budget. (Without the torque a step
// changed the angular momentum by up to 31 %. With the hitter spun instead balls left at 28 rad/s;
// with the fragments on the path alone, few of which lie on one side, it passed for next to
// nothing.)

#include "world/world.h"

#include "base/sort.h"
#include "world/impulses.h"

// Bodies that pass together, at most; those that are found first.
enum { MAX_JOINED = 64 };

typedef struct joined_bodies {
	int count;
	int32_t bodies[MAX_JOINED];
} joined_bodies;

static void add_joined(const rbl_world *world, joined_bodies *list, int body)
{
	if (body == RBL_NONE || world->bodies[body].kind != RBL_BODY_DYNAMIC ||
	    list->count == MAX_JOINED)
		return;
	for (int i = 0; i < list->count; ++i)
		if (list->bodies[i] == body)
			return;
	list->bodies[list->count++] = body;
}

// What hit a body, and all that hangs on it by joints; not the body itself.
static joined_bodies find_joined(const rbl_world *world, const rbl_damage_request *r)
{
	joined_bodies list = { 1, { (int32_t)r->other.index } };
	for (int i = 0; i < list.count; ++i) {
		int body = list.bodies[i];
		for (int joint = world->bodies[body].first_joint; joint != RBL_NONE;) {
			const rbl_world_joint *j = &world->joints.data[joint];
			int other = j->body_a == body ? j->body_b : j->body_a;
			if (other != (int)r->body.index)
				add_joined(world, &list, other);
			joint = j->body_a == body ? j->next_a : j->next_b;
		}
	}
	return list;
}

static bool hangs_on_hitter(const rbl_world *world, const rbl_damage_request *r, int body)
{
	if ((int)r->other.index == body)
		return true;
	if (world->bodies[body].first_joint == RBL_NONE ||
	    world->bodies[r->other.index].first_joint == RBL_NONE)
		return false;
	joined_bodies list = find_joined(world, r);
	for (int i = 0; i < list.count; ++i)
		if (list.bodies[i] == body)
			return true;
	return false;
}

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
	return r->is_passed && !r->is_done && (int)r->body.index == world->hot_parts[part].body &&
	       rbl_world_has_body(world, r->other) && rbl_world_has_body(world, r->body) &&
	       hangs_on_hitter(world, r, body) && reaches_part(world, r, part);
}

// The first of the requests that let something pass, in the order of bodies, of a body or one after
// it.
static int first_passing(const rbl_world *world, int body)
{
	int begin = 0, end = world->passing.count;
	while (begin < end) {
		int middle = begin + (end - begin) / 2;
		if ((int)(world->passing.data[middle].key >> 32) < body)
			begin = middle + 1;
		else
			end = middle;
	}
	return begin;
}

bool rbl_world_passes_through(const rbl_world *world, int body, int part)
{
	if (world->passing_count == 0)
		return false;
	if (world->passing.count != world->passing_count) { // not in order
		for (int i = 0; i < world->damage_requests.count; ++i)
			if (lets_through(world, &world->damage_requests.data[i], body, part))
				return true;
		return false;
	}
	int breaking = world->hot_parts[part].body;
	for (int i = first_passing(world, breaking);
	     i < world->passing.count && (int)(world->passing.data[i].key >> 32) == breaking; ++i)
		if (lets_through(world, &world->damage_requests.data[world->passing.data[i].value], body,
		                 part))
			return true;
	return false;
}

static void end_pairs_of(rbl_world *world, const rbl_damage_request *r, int body)
{
	RBL_EACH_PART (p, world, body)
		for (int pair = world->parts[p].first_pair, next; pair != RBL_NONE; pair = next) {
			next = rbl_world_next_pair(world, p, pair);
			int part = world->pairs[pair].a == p ? world->pairs[pair].b : world->pairs[pair].a;
			if (!(world->pairs[pair].flags & RBL_PAIR_SENSOR) && lets_through(world, r, body, part))
				rbl_world_remove_pair(world, pair, true);
		}
}

static void end_pairs(rbl_world *world, const rbl_damage_request *r)
{
	joined_bodies list = find_joined(world, r);
	for (int i = 0; i < list.count; ++i)
		end_pairs_of(world, r, list.bodies[i]);
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
		if (world->bodies[r->other.index].kind != RBL_BODY_DYNAMIC)
			continue; // a floor that something falls on: it would sink in until it breaks
		if (world->bodies[r->body.index].baked_index != 0 || r->choice < 0.0f ||
		    (!r->task && !find_radius(world, r)))
			continue;
		rbl_world_return_energy(world, r);
		r->is_passed = true;
		world->passing_count++;
		end_pairs(world, r);
	}
}

void rbl_world_end_passing(rbl_world *world, const rbl_damage_request *r)
{
	if (!r->is_passed || !rbl_world_has_body(world, r->other))
		return; // what hung on a hitter that is gone has been told by its joint
	joined_bodies list = find_joined(world, r);
	for (int i = 0; i < list.count; ++i)
		world->motions[list.bodies[i]].flags |= RBL_BODY_PASSED;
	world->has_passed = true;
}

// Whether the centre of a fragment is within a distance of a segment.
static bool is_on_path(rbl_vec3 centre, rbl_vec3 start, rbl_vec3 end, float distance)
{
	rbl_vec3 way = rbl_sub(end, start), to = rbl_sub(centre, start);
	float square = rbl_length_squared(way);
	float along = square > 0.0f ? rbl_dot(to, way) / square : 0.0f;
	along = rbl_minf(1.0f, rbl_maxf(0.0f, along));
	return rbl_distance(to, rbl_scale(along, way)) <= distance;
}

// A unit impulse between a hitter and the fragments on its path.
typedef struct path_push {
	rbl_vec3 start, end, n; // of the path; direction of the hit
	float reach;
	rbl_body_group all; // fragments
	double mass;        // of those on the path
	rbl_vec3 turn;      // of all fragments
} path_push;

// What it does to a fragment.
static rbl_motion_change change_of(const rbl_world *world, const path_push *p, int body)
{
	rbl_vec3 centre = world->motions[body].centre;
	rbl_motion_change change = { rbl_cross(p->turn, rbl_sub(centre, p->all.centre)), p->turn };
	if (rbl_world_can_be_moved(world, body) && is_on_path(centre, p->start, p->end, p->reach))
		change.linear = rbl_add_scaled(change.linear, (float)(1.0 / p->mass), p->n);
	return change;
}

// Find out what takes part. @return whether anything does
static bool begin_push(const rbl_world *world, path_push *p, const rbl_body_id *fragments,
                       int count)
{
	rbl_vec3d moment = { 0.0, 0.0, 0.0 };
	p->all = rbl_world_group_bodies(world, fragments, count);
	for (int i = 0; i < count; ++i) {
		rbl_vec3 centre = world->motions[fragments[i].index].centre;
		double mass = (double)world->bodies[fragments[i].index].mass;
		if (!rbl_world_can_be_moved(world, (int)fragments[i].index) ||
		    !is_on_path(centre, p->start, p->end, p->reach))
			continue; // what is anchored stays
		p->mass += mass;
		moment = rbl_add_d(moment, rbl_scale_d(mass, rbl_to_d(rbl_sub(centre, p->end))));
	}
	if (!(p->mass > 0.0) || !(p->all.mass > 0.0))
		return false;
	// The hitter is pushed at its centre, the fragments at theirs: all of them turn so that angular
	// momentum is kept.
	rbl_vec3 arm = rbl_to_f(rbl_scale_d(1.0 / p->mass, moment));
	p->turn = rbl_mat_vec(p->all.inverse_inertia, rbl_cross(p->n, arm));
	return true;
}

void rbl_world_push_along(rbl_world *world, const rbl_damage_request *r,
                          const rbl_body_id *fragments, int count)
{
	if (!r->is_passed || !rbl_world_has_body(world, r->other))
		return;
	int hitter = (int)r->other.index;
	rbl_transform pose = rbl_body_pose(world, r->body);
	path_push p = { .start = rbl_transform_point(pose, r->point),
		            .end = world->motions[hitter].centre,
		            .n = rbl_rotate(pose.rotation, r->direction),
		            .reach = world->bodies[hitter].inner_radius };
	if (!begin_push(world, &p, fragments, count))
		return;
	// An impulse changes the energy by -closing for each newton second, and half of its square
	// times compliance.
	double compliance = (double)rbl_world_inverse_effective_mass(world, hitter, p.end, p.n);
	double closing = (double)rbl_dot(p.n, world->motions[hitter].velocity);
	for (int i = 0; i < count; ++i) {
		int body = (int)fragments[i].index;
		const rbl_body_motion *m = &world->motions[body];
		rbl_motion_change unit = change_of(world, &p, body);
		compliance += rbl_world_momentum_along(world, body, unit, unit);
		closing -= rbl_world_momentum_along(
			world, body, (rbl_motion_change){ m->velocity, m->angular_velocity }, unit);
	}
	float impulse = (float)(closing / compliance);
	if (!(impulse > 0.0f))
		return;
	rbl_world_apply_impulse(world, hitter, p.end, rbl_scale(-impulse, p.n));
	for (int i = 0; i < count; ++i) {
		int body = (int)fragments[i].index;
		rbl_motion_change unit = change_of(world, &p, body);
		rbl_world_change_motion(world, body,
		                        (rbl_motion_change){ rbl_scale(impulse, unit.linear),
		                                             rbl_scale(impulse, unit.angular) });
	}
}

void rbl_world_count_passing(rbl_world *world)
{
	int count = 0;
	for (int i = 0; i < world->damage_requests.count; ++i)
		count += world->damage_requests.data[i].is_passed;
	world->passing_count = count;
	world->passing.count = 0;
	if (count == 0 || !rbl_array_reserve(&world->allocator, &world->passing, 2 * count))
		return; // without memory all requests are looked through
	rbl_sort_item64 *items = world->passing.data;
	for (int i = 0; i < world->damage_requests.count; ++i) {
		const rbl_damage_request *r = &world->damage_requests.data[i];
		if (r->is_passed)
			items[world->passing.count++] =
				(rbl_sort_item64){ (uint64_t)r->body.index << 32 | (uint32_t)i, (uint32_t)i, 0 };
	}
	rbl_sort64(items, items + count, count);
}
