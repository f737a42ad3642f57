// SPDX-License-Identifier: MIT
//
// Impulses outside of the solver: what hits and breaks goes on, what is jammed comes to rest, what
// is squeezed is held back. None of these may create or lose momentum, so each has its reaction: on
// the other body, or on all bodies that are touched. Only what stands still, and what sleeps, takes
// momentum without a trace, as the ground does.

#include "world/world.h"

#include "world/impulses.h"
#include "world/mass.h"

bool rbl_world_can_be_moved(const rbl_world *world, int body)
{
	const rbl_body *b = &world->bodies[body];
	return b->kind == RBL_BODY_DYNAMIC && b->solver_body != RBL_NONE;
}

static bool is_awake(const rbl_world *world, int body)
{
	return rbl_world_can_be_moved(world, body) &&
	       !rbl_solver_is_asleep(world->solver, world->bodies[body].solver_body);
}

static bool has_locks(const rbl_world *world, int body)
{
	return world->motions[body].flags >> RBL_BODY_LOCK_SHIFT & RBL_SOLVER_LOCK_ALL;
}

float rbl_world_inverse_effective_mass(const rbl_world *world, int body, rbl_vec3 point, rbl_vec3 n)
{
	const rbl_body *b = &world->bodies[body];
	if (!rbl_world_can_be_moved(world, body))
		return 0.0f;
	const rbl_body_motion *m = &world->motions[body];
	rbl_vec3 torque = rbl_cross(rbl_sub(point, m->centre), n);
	rbl_vec3 local = rbl_rotate_inverse(m->rotation, torque);
	return 1.0f / b->mass +
	       rbl_dot(local, rbl_mat_vec(rbl_world_inverse_inertia(b->inertia), local));
}

typedef void set_function(rbl_solver *s, int body, rbl_vec3 linear, rbl_vec3 angular);

static void set_velocities_by(rbl_world *world, int body, rbl_vec3 velocity,
                              rbl_vec3 angular_velocity, set_function *set)
{
	// A thin body that is hit off its axis may turn faster than is allowed: see fracture_laws.c.
	rbl_body_motion *m = &world->motions[body];
	m->velocity = rbl_world_clamp_length(velocity, RBL_MAX_SPEED);
	m->angular_velocity = rbl_world_clamp_length(angular_velocity, RBL_MAX_ANGULAR_SPEED);
	set(world->solver, world->bodies[body].solver_body, m->velocity, m->angular_velocity);
}

static void set_velocities(rbl_world *world, int body, rbl_vec3 velocity, rbl_vec3 angular_velocity)
{
	set_velocities_by(world, body, velocity, angular_velocity, rbl_solver_set_velocity);
}

void rbl_world_apply_impulse(rbl_world *world, int body, rbl_vec3 point, rbl_vec3 impulse)
{
	const rbl_body *b = &world->bodies[body];
	if (!rbl_world_can_be_moved(world, body))
		return;
	const rbl_body_motion *m = &world->motions[body];
	rbl_vec3 torque =
		rbl_rotate_inverse(m->rotation, rbl_cross(rbl_sub(point, m->centre), impulse));
	rbl_vec3 turn = rbl_mat_vec(rbl_world_inverse_inertia(b->inertia), torque);
	set_velocities(world, body, rbl_add_scaled(m->velocity, 1.0f / b->mass, impulse),
	               rbl_add(m->angular_velocity, rbl_rotate(m->rotation, turn)));
	rbl_world_wake(world, body);
}

void rbl_world_change_motion(rbl_world *world, int body, rbl_motion_change change)
{
	const rbl_body_motion *m = &world->motions[body];
	if (!rbl_world_can_be_moved(world, body))
		return;
	set_velocities(world, body, rbl_add(m->velocity, change.linear),
	               rbl_add(m->angular_velocity, change.angular));
	rbl_world_wake(world, body);
}

double rbl_world_momentum_along(const rbl_world *world, int body, rbl_motion_change motion,
                                rbl_motion_change along)
{
	const rbl_body *b = &world->bodies[body];
	rbl_quat rotation = world->motions[body].rotation;
	if (!rbl_world_can_be_moved(world, body))
		return 0.0;
	rbl_vec3 spin = rbl_mat_vec(b->inertia, rbl_rotate_inverse(rotation, motion.angular));
	return (double)b->mass * rbl_dot_d(rbl_to_d(motion.linear), rbl_to_d(along.linear)) +
	       (double)rbl_dot(spin, rbl_rotate_inverse(rotation, along.angular));
}

// --- several bodies -----------------------------------------------------------------------------

// The inertia of a body about a point, in the world, and its angular momentum there.
static void add_body_about(const rbl_world *world, int body, rbl_vec3 point, rbl_mat3 *inertia,
                           rbl_vec3 *momentum)
{
	const rbl_body_motion *m = &world->motions[body];
	float mass = world->bodies[body].mass;
	rbl_mat3 local = world->bodies[body].inertia;
	rbl_vec3 arm = rbl_sub(m->centre, point);
	const rbl_vec3 axes[3] = { { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f } };
	rbl_vec3 *columns[3] = { &inertia->x, &inertia->y, &inertia->z };
	for (int i = 0; i < 3; ++i) {
		rbl_vec3 own =
			rbl_rotate(m->rotation, rbl_mat_vec(local, rbl_rotate_inverse(m->rotation, axes[i])));
		rbl_vec3 orbit = rbl_scale(mass, rbl_cross(arm, rbl_cross(axes[i], arm)));
		*columns[i] = rbl_add(*columns[i], rbl_add(own, orbit));
	}
	rbl_vec3 spin = rbl_rotate_inverse(m->rotation, m->angular_velocity);
	rbl_vec3 own = rbl_rotate(m->rotation, rbl_mat_vec(local, spin));
	*momentum = rbl_add(*momentum, rbl_add(own, rbl_cross(arm, rbl_scale(mass, m->velocity))));
}

rbl_body_group rbl_world_group_bodies(const rbl_world *world, const rbl_body_id *bodies, int count)
{
	rbl_body_group group = { .mass = 0.0 };
	rbl_vec3d moment = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < count; ++i) {
		int body = (int)bodies[i].index;
		double mass = rbl_world_can_be_moved(world, body) ? (double)world->bodies[body].mass : 0.0;
		group.mass += mass;
		moment = rbl_add_d(moment, rbl_scale_d(mass, rbl_to_d(world->motions[body].centre)));
	}
	if (!(group.mass > 0.0))
		return group;
	group.centre = rbl_to_f(rbl_scale_d(1.0 / group.mass, moment));
	rbl_vec3 momentum = { 0.0f, 0.0f, 0.0f };
	rbl_mat3 inertia = { .x = momentum, .y = momentum, .z = momentum };
	for (int i = 0; i < count; ++i)
		if (rbl_world_can_be_moved(world, (int)bodies[i].index))
			add_body_about(world, (int)bodies[i].index, group.centre, &inertia, &momentum);
	group.inverse_inertia = rbl_world_inverse_inertia(inertia);
	return group;
}

// --- jammed bodies ------------------------------------------------------------------------------

// What is jammed in a heap moves slowly and for ever, unless the heap takes its momentum.
static const float slow_jam = 0.5f;

void rbl_world_come_to_rest(rbl_world *world, int body, int other)
{
	rbl_body_motion *m = &world->motions[body];
	bool moves_on = other != RBL_NONE && is_awake(world, other) && is_awake(world, body) &&
	                !has_locks(world, body) && !has_locks(world, other) &&
	                rbl_length(m->velocity) > rbl_world_speed(world, slow_jam);
	if (!moves_on) {
		m->velocity = m->angular_velocity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		return;
	}
	const rbl_body_motion *n = &world->motions[other];
	float a = world->bodies[body].mass, b = world->bodies[other].mass, share = b / (a + b);
	rbl_vec3 way = rbl_sub(n->centre, m->centre), faster = rbl_sub(n->velocity, m->velocity);
	rbl_vec3 centre = rbl_add_scaled(m->centre, share, way);
	rbl_vec3 impulse = rbl_scale(a * share, faster), momentum = { 0.0f, 0.0f, 0.0f };
	rbl_mat3 inertia = { .x = momentum, .y = momentum, .z = momentum };
	add_body_about(world, body, centre, &inertia, &momentum);
	add_body_about(world, other, centre, &inertia, &momentum);
	// The momentum of both as they move together has no moment about their centre.
	rbl_vec3 spin = rbl_mat_vec(rbl_world_inverse_inertia(inertia), momentum);
	// As one impulse with its reaction: what is added to one is taken from the other.
	rbl_vec3 swing = rbl_cross(spin, rbl_scale(-share, way));
	impulse = rbl_add_scaled(impulse, a, swing);
	set_velocities(world, body, rbl_add_scaled(m->velocity, 1.0f / a, impulse), spin);
	// A chip that is jammed for ever would keep the block awake that it leans on.
	set_velocities_by(world, other, rbl_add_scaled(n->velocity, -1.0f / b, impulse), spin,
	                  rbl_solver_nudge);
}

// --- squeezed bodies ----------------------------------------------------------------------------

enum { MAX_TOUCHED = 64 };

// The bodies that a body touches, each once, in order; of many the first.
typedef struct touched_bodies {
	int count;
	bool stands; // one of them takes momentum without a trace
	int32_t bodies[MAX_TOUCHED + 1];
} touched_bodies;

static void add_touched(touched_bodies *list, int body)
{
	int at = list->count;
	while (at > 0 && list->bodies[at - 1] > body)
		--at;
	if (at > 0 && list->bodies[at - 1] == body)
		return;
	for (int i = list->count; i > at; --i)
		list->bodies[i] = list->bodies[i - 1];
	list->bodies[at] = body;
	list->count = rbl_mini(list->count + 1, MAX_TOUCHED);
}

static void find_touched(const rbl_world *world, int body, touched_bodies *list)
{
	list->count = 0, list->stands = false;
	RBL_EACH_PART (p, world, body) {
		RBL_EACH_PAIR (pair, world, p) {
			const rbl_pair_record *record = &world->pairs[pair];
			if (record->contact == RBL_NONE || (record->flags & RBL_PAIR_SENSOR))
				continue;
			int other = world->hot_parts[record->a == p ? record->b : record->a].body;
			if (is_awake(world, other) && !has_locks(world, other))
				add_touched(list, other);
			else
				list->stands = true;
		}
	}
}

float rbl_world_return_momentum(rbl_world *world, int body, rbl_vec3 impulse)
{
	touched_bodies list;
	find_touched(world, body, &list);
	if (list.stands || list.count == 0)
		return 1.0f;
	double total = 0.0, own = (double)world->bodies[body].mass;
	rbl_vec3d momentum = { 0.0, 0.0, 0.0 }, way = rbl_to_d(impulse);
	for (int i = 0; i < list.count; ++i) {
		double mass = (double)world->bodies[list.bodies[i]].mass;
		total += mass;
		momentum = rbl_add_d(momentum,
		                     rbl_scale_d(mass, rbl_to_d(world->motions[list.bodies[i]].velocity)));
	}
	// The impulse that makes velocities along it equal.
	rbl_vec3d faster =
		rbl_sub_d(rbl_to_d(world->motions[body].velocity), rbl_scale_d(1.0 / total, momentum));
	double square = rbl_dot_d(way, way), both = own * total / (own + total);
	double share = rbl_mind(1.0, square > 0.0 ? both * rbl_dot_d(faster, way) / square : 0.0);
	if (!(share > 0.0))
		return 0.0f;
	rbl_vec3 change = rbl_to_f(rbl_scale_d(share / total, way));
	for (int i = 0; i < list.count; ++i) {
		const rbl_body_motion *m = &world->motions[list.bodies[i]];
		set_velocities(world, list.bodies[i], rbl_add(m->velocity, change), m->angular_velocity);
	}
	return (float)share;
}
