// SPDX-License-Identifier: MIT
//
// Breaking: a finished break is applied to the world.
//
// The step that found a hit has stopped what hit the body as if nothing could break. It gets back
// the speed that the break did not cost: of the energy E of the hit, the first level of the damage
// rule is used up (all of it where wear made it break), so the approach speed is restored up to the
// share sqrt(1 - level / E). The impulse for it acts on both bodies, and takes from a dynamic body
// no more than the hit gave it: momentum is kept and no energy is added.
//
// What remains of the body keeps its id; all else becomes fragments.

#include "world/world.h"

#include "world/mass.h"

// The velocity along n that a unit impulse along n gives to a point.
static float inverse_effective_mass(const rbl_world *world, int body, rbl_vec3 point, rbl_vec3 n)
{
	const rbl_body *b = &world->bodies[body];
	if (b->kind != RBL_BODY_DYNAMIC || b->solver_body == RBL_NONE)
		return 0.0f;
	const rbl_body_motion *m = &world->motions[body];
	rbl_vec3 torque = rbl_cross(rbl_sub(point, m->centre), n);
	rbl_vec3 local = rbl_rotate_inverse(m->rotation, torque);
	return 1.0f / b->mass +
	       rbl_dot(local, rbl_mat_vec(rbl_world_inverse_inertia(b->inertia), local));
}

static void apply_impulse(rbl_world *world, int body, rbl_vec3 point, rbl_vec3 impulse)
{
	const rbl_body *b = &world->bodies[body];
	if (b->kind != RBL_BODY_DYNAMIC || b->solver_body == RBL_NONE)
		return;
	rbl_body_motion *m = &world->motions[body];
	rbl_vec3 torque =
		rbl_rotate_inverse(m->rotation, rbl_cross(rbl_sub(point, m->centre), impulse));
	rbl_vec3 angular_velocity = rbl_mat_vec(rbl_world_inverse_inertia(b->inertia), torque);
	// A thin body that is hit off its axis may turn faster than is allowed: see fracture_laws.c.
	m->velocity =
		rbl_world_clamp_length(rbl_add_scaled(m->velocity, 1.0f / b->mass, impulse), RBL_MAX_SPEED);
	m->angular_velocity = rbl_world_clamp_length(
		rbl_add(m->angular_velocity, rbl_rotate(m->rotation, angular_velocity)),
		RBL_MAX_ANGULAR_SPEED);
	rbl_solver_set_velocity(world->solver, b->solver_body, m->velocity, m->angular_velocity);
	rbl_world_wake(world, body);
}

void rbl_world_return_energy(rbl_world *world, const rbl_damage_request *r)
{
	if (!rbl_world_has_body(world, r->other))
		return;
	int body = (int)r->body.index, other = (int)r->other.index;
	rbl_transform pose = rbl_body_pose(world, r->body);
	rbl_vec3 point = rbl_transform_point(pose, r->point);
	rbl_vec3 n = rbl_rotate(pose.rotation, r->direction);
	const rbl_material_def *material =
		rbl_world_breaking(world, body, world->bodies[body].compound, r->material);
	float cost = material && material->damage.level_count > 0
	                 ? (float)material->damage.levels[0].energy
	                 : r->choice;
	float left = 1.0f - cost / r->choice;
	float own = inverse_effective_mass(world, body, point, n),
		  its = inverse_effective_mass(world, other, point, n);
	if (!(left > 0.0f) || !(its > 0.0f))
		return;
	float own_speed = rbl_dot(n, rbl_body_velocity_at(world, r->body, point));
	float approach = rbl_dot(n, rbl_body_velocity_at(world, r->other, point)) - own_speed;
	float impulse = (sqrtf(left) * r->speed - approach) / (own + its);
	if (own > 0.0f)
		impulse = rbl_minf(impulse, own_speed / own);
	if (!(impulse > 0.0f))
		return;
	apply_impulse(world, other, point, rbl_scale(impulse, n));
	apply_impulse(world, body, point, rbl_scale(-impulse, n));
}

static void report_fracture(rbl_world *world, const rbl_damage_request *r, rbl_fracture_event event)
{
	rbl_transform pose = rbl_body_pose(world, r->body);
	event.parent = r->body;
	event.material = r->material;
	event.made_of = rbl_world_made_of(world, (int)r->body.index,
	                                  world->bodies[r->body.index].compound, r->material);
	event.cause = r->cause;
	event.other = r->other;
	event.point = rbl_transform_point(pose, r->point);
	event.normal = rbl_rotate(pose.rotation, r->direction);
	event.energy = r->energy;
	event.radius = r->radius;
	event.seed = r->seed;
	world->lost_events += !rbl_array_push(&world->allocator, &world->fractures, event);
}

// All pieces of a body that collides by a field: where planes cannot tell one from another, their
// surfaces do. Without memory they are told apart a little less well.
static void note_relatives(rbl_world *world, int body, const rbl_break *broken)
{
	world->relatives.count = 0;
	if (!world->bodies[body].original)
		return;
	rbl_break_data data = rbl_break_get_data(broken);
	for (int i = 0; i < data.compound_count; ++i)
		if (data.compounds[i])
			(void)rbl_array_push(&world->allocator, &world->relatives, data.compounds[i]);
	if (rbl_compound_get_info(world->bodies[body].compound).part_count > 0)
		(void)rbl_array_push(&world->allocator, &world->relatives, world->bodies[body].compound);
}

// The same once the break is gone, and its pieces are bodies.
static void note_fragments(rbl_world *world, int body, const rbl_body_id *fragments, int count)
{
	world->relatives.count = 0;
	for (int i = 0; i < count && world->bodies[body].original; ++i)
		(void)rbl_array_push(&world->allocator, &world->relatives,
		                     world->bodies[fragments[i].index].compound);
}

void rbl_world_apply_break(rbl_world *world, const rbl_damage_request *request, rbl_break *broken)
{
	rbl_body_id id = request->body;
	int body = (int)id.index;
	rbl_compound *compound = world->bodies[body].compound;
	rbl_break_data data = rbl_break_get_data(broken);
	bool survives = rbl_compound_get_info(compound).part_count > 0;
	bool opens = request->cause == RBL_FRACTURE_LOAD || request->cause == RBL_FRACTURE_WEAR;
	if (data.compound_count > 0 || data.made_count > 0 || opens)
		world->break_number++, rbl_world_log_fracture(world, request, broken);
	if (data.compound_count == 0) {
		bool has_changed = data.made_count > 0;
		rbl_destroy_break(broken);
		if (opens)
			report_fracture(world, request, (rbl_fracture_event){ .survives = true });
		if (has_changed && survives)
			rbl_world_refit_or_retry(world, id);
		return;
	}
	rbl_fracture_event event = { .survives = survives };
	if (request->cause != RBL_FRACTURE_BEND) {
		if (!request->is_passed)
			rbl_world_return_energy(world, request);
		event.exposed_area = (float)rbl_break_exposed_area(broken, compound);
	}
	int first = world->fracture_bodies.count, first_dust = world->dust.count;
	rbl_world_take_dust(world, id, broken);
	note_relatives(world, body, broken);
	event.new_count = rbl_world_create_fragments(world, id, broken);
	event.dust_count = world->dust.count - first_dust;
	rbl_destroy_break(broken);
	report_fracture(world, request, event);
	rbl_world_reassign_joints(world, body, world->fracture_bodies.data + first, event.new_count);
	note_fragments(world, body, world->fracture_bodies.data + first, event.new_count);
	if (survives)
		rbl_world_refit_or_retry(world, id);
	else if (rbl_world_remove_body(world, body) != RBL_OK)
		world->stats.lost_count++;
	world->relatives.count = 0;
}
