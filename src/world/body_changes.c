// SPDX-License-Identifier: MIT
//
// What commands do to a body. They have been checked, and no step is in progress.

#include "world/world.h"

#include <math.h>

static rbl_result set_velocity(rbl_world *world, int body, rbl_vec3 velocity,
                               rbl_vec3 angular_velocity)
{
	rbl_body_motion *m = &world->motions[body];
	velocity = rbl_world_clamp_length(velocity, RBL_MAX_SPEED),
	angular_velocity = rbl_world_clamp_length(angular_velocity, RBL_MAX_ANGULAR_SPEED);
	m->velocity = velocity, m->angular_velocity = angular_velocity;
	rbl_world_lock_motion(m, world->bodies[body].kind == RBL_BODY_DYNAMIC);
	if (world->bodies[body].solver_body != RBL_NONE)
		rbl_solver_set_velocity(world->solver, world->bodies[body].solver_body, m->velocity,
		                        m->angular_velocity);
	rbl_world_wake(world, body);
	rbl_world_mark_dirty(world, body);
	return RBL_OK;
}

// Clamp impulses that would make a body faster than allowed at once.
static void clamp_impulses(const rbl_world *world, int body, rbl_vec3 *impulse, rbl_vec3 *angular)
{
	const rbl_body *b = &world->bodies[body];
	const rbl_mat3 *i = &b->inertia;
	float least = rbl_minf(i->x.x, rbl_minf(i->y.y, i->z.z));
	*impulse = rbl_world_clamp_length(*impulse, RBL_MAX_SPEED * b->mass);
	*angular = rbl_world_clamp_length(*angular, 0.3f * RBL_MAX_ANGULAR_SPEED * least);
}

static rbl_result add_impulse(rbl_world *world, int body, rbl_vec3 impulse, rbl_vec3 angular)
{
	const rbl_body *b = &world->bodies[body];
	if (b->kind != RBL_BODY_DYNAMIC || b->solver_body == RBL_NONE)
		return RBL_OK;
	clamp_impulses(world, body, &impulse, &angular);
	rbl_world_wake(world, body);
	rbl_solver_add_impulse(world->solver, b->solver_body, impulse, angular);
	const rbl_solver_velocity *v = &rbl_solver_velocities(world->solver)[b->solver_body];
	return set_velocity(world, body, v->linear, v->angular);
}

static rbl_result add_force(rbl_world *world, int body, rbl_vec3 force, rbl_vec3 torque)
{
	const rbl_body *b = &world->bodies[body];
	if (b->kind != RBL_BODY_DYNAMIC || b->solver_body == RBL_NONE)
		return RBL_OK;
	float dt = world->last_dt;
	rbl_vec3 impulse = rbl_scale(dt, force), angular = rbl_scale(dt, torque);
	clamp_impulses(world, body, &impulse, &angular);
	rbl_world_wake(world, body);
	world->motions[body].flags |= RBL_BODY_HAS_FORCE;
	rbl_solver_add_force(world->solver, b->solver_body, rbl_scale(1.0f / dt, impulse),
	                     rbl_scale(1.0f / dt, angular));
	return RBL_OK;
}

static bool mark_sleeper(void *context, uint32_t slot)
{
	rbl_world *world = context;
	int body = world->hot_parts[(int)rbl_broadphase_user(world->broadphase, slot)].body;
	uint32_t flags = world->motions[body].flags;
	if (world->bodies[body].kind == RBL_BODY_DYNAMIC &&
	    !(flags & (RBL_BODY_AWAKE | RBL_BODY_SENSOR)))
		rbl_bit_set_add(&world->marked, body);
	return true;
}

// Pairs of sleeping bodies with static ones are not active: what is placed among sleeping bodies
// wakes them. Marks have been cleared.
void rbl_world_wake_overlapped(rbl_world *world, int body)
{
	uint32_t flags = world->motions[body].flags;
	if (world->bodies[body].kind == RBL_BODY_DYNAMIC || !(flags & RBL_BODY_ENABLED) ||
	    (flags & RBL_BODY_SENSOR))
		return;
	RBL_EACH_PART (p, world, body)
		rbl_broadphase_overlap(
			world->broadphase,
			rbl_collider_bounds(world->parts[p].collider, rbl_world_part_pose(world, p)),
			rbl_world_part_filter(world, p), mark_sleeper, world);
	const rbl_bit_set *marked = &world->marked;
	for (int i = rbl_bit_set_next(marked, 0); i >= 0; i = rbl_bit_set_next(marked, i + 1))
		rbl_world_wake(world, i);
}

static rbl_result set_pose(rbl_world *world, int body, rbl_transform pose)
{
	if (!rbl_world_clear_marks(world))
		return RBL_OUT_OF_MEMORY;
	rbl_body_motion *m = &world->motions[body];
	rbl_world_unfreeze(world, body);
	if (world->bodies[body].kind == RBL_BODY_STATIC)
		rbl_world_remove_support(world, body);
	m->rotation = rbl_quat_normalize(pose.rotation);
	m->centre = rbl_add(pose.position, rbl_rotate(m->rotation, world->bodies[body].local_centre));
	if (world->bodies[body].solver_body != RBL_NONE)
		rbl_solver_set_pose(world->solver, world->bodies[body].solver_body, m->centre, m->rotation);
	// Contacts with it must be updated, also those of a static body that was moved.
	rbl_world_activate_pairs(world, body);
	rbl_world_wake(world, body);
	rbl_world_mark_dirty(world, body);
	rbl_world_wake_overlapped(world, body);
	return RBL_OK;
}

// The velocity from one pose to another: the rotation between them as an angle about an axis.
// Half the angle is the arcsine of the length of the axis, and a step rotates by an eighth of a
// full turn at most: there the series to the seventh power is off by one part in 10^5.
static rbl_result set_target(rbl_world *world, int body, rbl_transform pose, float dt)
{
	const rbl_body_motion *m = &world->motions[body];
	rbl_quat to = rbl_quat_normalize(pose.rotation);
	rbl_vec3 centre = rbl_add(pose.position, rbl_rotate(to, world->bodies[body].local_centre));
	rbl_quat q = rbl_quat_mul(to, rbl_quat_conjugate(m->rotation));
	if (q.w < 0.0f)
		q = (rbl_quat){ -q.x, -q.y, -q.z, -q.w };
	rbl_vec3 axis = { q.x, q.y, q.z };
	float s = rbl_length(axis), s2 = s * s;
	float angle = 2.0f * s * (1.0f + s2 * (1.0f / 6.0f + s2 * (3.0f / 40.0f + s2 * 0.04464286f)));
	rbl_vec3 angular_velocity =
		s > 1e-9f ? rbl_scale(angle / (s * dt), axis) : (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	return set_velocity(world, body, rbl_scale(1.0f / dt, rbl_sub(centre, m->centre)),
	                    angular_velocity);
}

static rbl_result replace_proxies_if_enabled(rbl_world *world, int body, bool was_static)
{
	bool is_enabled = world->motions[body].flags & RBL_BODY_ENABLED;
	return is_enabled ? rbl_world_replace_proxies(world, body, was_static) : RBL_OK;
}

rbl_result rbl_world_set_kind(rbl_world *world, int body, rbl_body_kind kind)
{
	rbl_body *b = &world->bodies[body];
	if (b->kind == kind)
		return RBL_OK;
	rbl_body_kind old = (rbl_body_kind)b->kind;
	b->kind = (uint8_t)kind;
	rbl_result result = replace_proxies_if_enabled(world, body, old == RBL_BODY_STATIC);
	if (result != RBL_OK) {
		b->kind = (uint8_t)old;
		return result;
	}
	if (kind == RBL_BODY_STATIC) {
		world->motions[body].velocity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		world->motions[body].angular_velocity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	}
	bool is_awake = kind != RBL_BODY_STATIC && (world->motions[body].flags & RBL_BODY_ENABLED);
	world->motions[body].flags &= ~(uint32_t)RBL_BODY_AWAKE;
	world->motions[body].flags |= is_awake ? RBL_BODY_AWAKE : 0u;
	rbl_world_update_solver_body(world, body);
	rbl_world_wake(world, body);
	return RBL_OK;
}

static rbl_result request_kind(rbl_world *world, int body, rbl_body_kind kind)
{
	rbl_result result =
		rbl_world_set_kind(world, body, rbl_world_effective_kind(world, body, kind));
	if (result != RBL_OK)
		return result;
	rbl_world_unfreeze(world, body);
	world->bodies[body].requested_kind = (uint8_t)kind;
	return RBL_OK;
}

void rbl_world_scale_mass(rbl_world *world, int body, float ratio)
{
	rbl_body *b = &world->bodies[body];
	b->mass *= ratio;
	b->inertia.x = rbl_scale(ratio, b->inertia.x);
	b->inertia.y = rbl_scale(ratio, b->inertia.y);
	b->inertia.z = rbl_scale(ratio, b->inertia.z);
	rbl_world_update_solver_body(world, body);
}

// @param shared  in place of the values, or NULL: then the density stays what it was
static rbl_result set_material(rbl_world *world, int body, rbl_material_values values,
                               const rbl_material *shared)
{
	rbl_body *b = &world->bodies[body];
	float density = world->materials.data[b->material].values.density;
	values.density = density;
	if (!rbl_array_extend(&world->allocator, &world->stresses, 1))
		return RBL_OUT_OF_MEMORY;
	int material = rbl_world_use_material(world, &values, shared);
	if (material == RBL_NONE)
		return RBL_OUT_OF_MEMORY;
	bool breaks_anew = shared != world->materials.data[b->material].shared;
	if (breaks_anew)
		rbl_world_cancel_breaks(world, body);
	rbl_world_unfreeze(world, body);
	rbl_world_drop_material(world, (int)b->material);
	b->material = (uint32_t)material;
	float new_density = world->materials.data[material].values.density;
	if (new_density != density)
		rbl_world_scale_mass(world, body, new_density / density);
	rbl_world_update_contact_materials(world, body);
	rbl_world_wake_touching(world, body);
	if (breaks_anew) {
		rbl_world_prepare_breaking(world, body);
		rbl_world_reset_stress(world, body);
		if (!b->has_stress)
			rbl_world_add_stress(world, rbl_world_body_id(world, body));
	}
	return RBL_OK;
}

static rbl_result set_awake(rbl_world *world, int body, bool is_awake)
{
	rbl_body_motion *m = &world->motions[body];
	if (is_awake) {
		rbl_world_wake(world, body);
	} else if (world->bodies[body].solver_body != RBL_NONE && (m->flags & RBL_BODY_AWAKE)) {
		int solver_body = world->bodies[body].solver_body;
		rbl_result result = rbl_solver_sleep(world->solver, solver_body);
		if (result != RBL_OK)
			return result;
		m->velocity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		m->angular_velocity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		// To the solver a kinematic body never sleeps, and moves by its velocity.
		if (world->bodies[body].kind == RBL_BODY_KINEMATIC)
			rbl_solver_set_velocity(world->solver, solver_body, m->velocity, m->angular_velocity);
		m->flags &= ~(uint32_t)RBL_BODY_AWAKE;
	}
	return RBL_OK;
}

static rbl_result disable(rbl_world *world, int body)
{
	rbl_body *b = &world->bodies[body];
	rbl_result result = rbl_world_remove_proxies(world, body);
	if (result != RBL_OK)
		return result;
	rbl_world_suspend_joints(world, body);
	if (b->solver_body != RBL_NONE)
		rbl_solver_remove_bodies(world->solver, &b->solver_body, 1);
	b->solver_body = RBL_NONE;
	world->motions[body].flags &= ~(uint32_t)(RBL_BODY_ENABLED | RBL_BODY_AWAKE | RBL_BODY_MOVED);
	return RBL_OK;
}

static rbl_result enable(rbl_world *world, int body)
{
	rbl_body *b = &world->bodies[body];
	rbl_body_motion *m = &world->motions[body];
	uint32_t flags = m->flags;
	if (!rbl_world_clear_marks(world) ||
	    (world->solver &&
	     !rbl_solver_reserve(world->solver, 1, rbl_world_count_joints(world, body))))
		return RBL_OUT_OF_MEMORY;
	m->flags |= RBL_BODY_ENABLED | (b->kind == RBL_BODY_STATIC ? 0u : RBL_BODY_AWAKE);
	rbl_result result = rbl_world_add_proxies(world, body);
	if (result != RBL_OK) {
		m->flags = flags;
		return result;
	}
	if (world->solver) {
		rbl_solver_body values = rbl_world_solver_body(world, body);
		result = rbl_solver_add_bodies(world->solver, &values, 1, &b->solver_body);
		RBL_ASSERT(result == RBL_OK); // memory was reserved
		rbl_world_resume_joints(world, body);
	}
	m->flags &= ~(uint32_t)RBL_BODY_REPORTED_AWAKE;
	m->flags |= m->flags & RBL_BODY_AWAKE ? RBL_BODY_REPORTED_AWAKE : 0u;
	rbl_world_wake_overlapped(world, body);
	return RBL_OK;
}

static rbl_result set_enabled(rbl_world *world, int body, bool is_enabled)
{
	if (is_enabled != !!(world->motions[body].flags & RBL_BODY_ENABLED))
		return is_enabled ? enable(world, body) : disable(world, body);
	rbl_world_unfreeze(world, body);
	return RBL_OK;
}

static rbl_result set_filter(rbl_world *world, int body, rbl_filter filter)
{
	if (!rbl_world_clear_marks(world))
		return RBL_OUT_OF_MEMORY;
	rbl_filter old = world->bodies[body].filter;
	world->bodies[body].filter = filter;
	rbl_result result = replace_proxies_if_enabled(world, body, false);
	if (result != RBL_OK) {
		world->bodies[body].filter = old;
		return result;
	}
	rbl_world_wake(world, body);
	rbl_world_wake_overlapped(world, body);
	return RBL_OK;
}

static void set_flag(rbl_world *world, int body, uint32_t flag, bool is_set)
{
	uint32_t *flags = &world->motions[body].flags;
	*flags = is_set ? *flags | flag : *flags & ~flag;
}

// Pairs know whether one side is a sensor, so they are made anew.
static rbl_result set_sensor(rbl_world *world, int body, bool is_sensor)
{
	bool was_sensor = world->motions[body].flags & RBL_BODY_SENSOR;
	if (is_sensor == was_sensor)
		return RBL_OK;
	if (!rbl_world_clear_marks(world))
		return RBL_OUT_OF_MEMORY;
	// What it touches now ends as what it was.
	rbl_result result =
		replace_proxies_if_enabled(world, body, world->bodies[body].kind == RBL_BODY_STATIC);
	if (result != RBL_OK)
		return result;
	set_flag(world, body, RBL_BODY_SENSOR, is_sensor);
	rbl_world_wake(world, body);
	rbl_world_wake_overlapped(world, body);
	return RBL_OK;
}

// Pairs know whether their manifolds are merged, so they are made anew.
static rbl_result set_modifies_contacts(rbl_world *world, int body, bool modifies)
{
	if (modifies == !!(world->motions[body].flags & RBL_BODY_MODIFIES))
		return RBL_OK;
	rbl_result result =
		replace_proxies_if_enabled(world, body, world->bodies[body].kind == RBL_BODY_STATIC);
	if (result != RBL_OK)
		return result;
	set_flag(world, body, RBL_BODY_MODIFIES, modifies);
	rbl_world_wake(world, body);
	return RBL_OK;
}

static rbl_result add_damage(rbl_world *world, const rbl_command *c)
{
	rbl_damage_request request = rbl_world_damage_request(world, c->body, c->a, c->b);
	request.cause = RBL_FRACTURE_BLOW;
	request.radius = c->x, request.energy = c->y;
	return rbl_array_push(&world->allocator, &world->damage_requests, request) ? RBL_OK
	                                                                           : RBL_OUT_OF_MEMORY;
}

static rbl_result add_cut(rbl_world *world, const rbl_command *c)
{
	rbl_damage_request request = rbl_world_damage_request(world, c->body, c->a, c->b);
	request.cause = RBL_FRACTURE_CUT;
	request.choice = 0.0f; // it takes no energy, and wears nothing
	return rbl_array_push(&world->allocator, &world->damage_requests, request) ? RBL_OK
	                                                                           : RBL_OUT_OF_MEMORY;
}

// Whether unfreezing the body is left to the function of a command: one that runs out of memory
// changes nothing, and damage leaves it to the break.
static bool unfreezes_itself(int kind)
{
	return kind == RBL_COMMAND_DESTROY_BODY || kind == RBL_COMMAND_SET_POSE ||
	       kind == RBL_COMMAND_SET_KIND || kind == RBL_COMMAND_SET_FILTER ||
	       kind == RBL_COMMAND_SET_ENABLED || kind == RBL_COMMAND_DAMAGE ||
	       kind == RBL_COMMAND_CUT || kind == RBL_COMMAND_SET_USER ||
	       kind == RBL_COMMAND_SET_SENSOR || kind == RBL_COMMAND_SET_COLLIDER ||
	       kind == RBL_COMMAND_SET_SHARED_MATERIAL || kind == RBL_COMMAND_SET_MODIFIES_CONTACTS;
}

rbl_result rbl_world_apply_command(rbl_world *world, const rbl_command *c)
{
	int body = (int)c->body.index;
	rbl_body *b = &world->bodies[body];
	rbl_body_motion *m = &world->motions[body];
	if (!unfreezes_itself(c->kind))
		rbl_world_unfreeze(world, body);
	switch (c->kind) {
	case RBL_COMMAND_DESTROY_BODY:
		return rbl_world_remove_body(world, body);
	case RBL_COMMAND_SET_POSE:
		return set_pose(world, body, c->pose);
	case RBL_COMMAND_SET_VELOCITY:
		return set_velocity(world, body, c->a, c->b);
	case RBL_COMMAND_SET_TARGET:
		return set_target(world, body, c->pose, c->x);
	case RBL_COMMAND_ADD_FORCE:
		return add_force(world, body, c->a, rbl_cross(rbl_sub(c->b, m->centre), c->a));
	case RBL_COMMAND_ADD_TORQUE:
		return add_force(world, body, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, c->a);
	case RBL_COMMAND_ADD_IMPULSE:
		return add_impulse(world, body, c->a, rbl_cross(rbl_sub(c->b, m->centre), c->a));
	case RBL_COMMAND_ADD_ANGULAR_IMPULSE:
		return add_impulse(world, body, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, c->a);
	case RBL_COMMAND_DAMAGE:
		return add_damage(world, c);
	case RBL_COMMAND_CUT:
		return add_cut(world, c);
	case RBL_COMMAND_SET_KIND:
		return request_kind(world, body, (rbl_body_kind)c->number);
	case RBL_COMMAND_SET_MATERIAL:
		return set_material(world, body, c->material, NULL);
	case RBL_COMMAND_SET_SHARED_MATERIAL:
		return set_material(world, body, c->material, c->shared);
	case RBL_COMMAND_SET_COLLIDER:
		return rbl_world_set_collider(world, body, c->collider);
	case RBL_COMMAND_SET_FILTER:
		return set_filter(world, body, c->filter);
	case RBL_COMMAND_SET_DAMPING:
		b->linear_damping = c->x, b->angular_damping = c->y;
		break;
	case RBL_COMMAND_SET_GRAVITY_SCALE:
		b->gravity_scale = c->x;
		break;
	case RBL_COMMAND_SET_LOCKS:
		m->flags &= ~(uint32_t)RBL_BODY_LOCKS;
		m->flags |= (uint32_t)c->number << RBL_BODY_LOCK_SHIFT;
		rbl_world_update_solver_body(world, body);
		return b->kind == RBL_BODY_STATIC
		           ? RBL_OK
		           : set_velocity(world, body, m->velocity, m->angular_velocity);
	case RBL_COMMAND_SET_AWAKE:
		return set_awake(world, body, c->number != 0);
	case RBL_COMMAND_SET_CAN_SLEEP:
		set_flag(world, body, RBL_BODY_CAN_SLEEP, c->number != 0);
		break;
	case RBL_COMMAND_SET_BULLET:
		set_flag(world, body, RBL_BODY_BULLET, c->number != 0);
		return RBL_OK;
	case RBL_COMMAND_SET_MODIFIES_CONTACTS:
		return set_modifies_contacts(world, body, c->number != 0);
	case RBL_COMMAND_SET_SENSOR:
		return set_sensor(world, body, c->number != 0);
	case RBL_COMMAND_SET_ENABLED:
		return set_enabled(world, body, c->number != 0);
	default:
		b->user = c->number;
		return RBL_OK;
	}
	rbl_world_update_solver_body(world, body);
	rbl_world_wake(world, body);
	return RBL_OK;
}
