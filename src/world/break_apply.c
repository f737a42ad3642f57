// SPDX-License-Identifier: MIT
//
// What becomes of what came off a body.
//
// Everything that comes off gets a body of its own in one batch, moving as its place in the old
// body did, so that momentum is kept; what remains keeps the id. Pieces overlap each other as
// little as the break says, and that much is left to them (see contacts.c). Pieces below the rule's
// dust size are reported as debris, with place, velocity and volume, and are gone.
//
// The step that found a hit has stopped what hit the body as if nothing could break. It gets the
// speed back that the break did not cost: of the energy E that met, the rule's first level is used
// up, so the approach is made anew with the share sqrt(1 - level / E). The impulse for it acts on
// both, and takes from a body that moves no more than the hit has given it: so momentum stays and
// no energy comes in.

#include "world/break.h"

#include "base/log.h"
#include "base/math.h"
#include "world/fracture_log.h"
#include "world/mass.h"
#include "world/refit.h"

// --- what hit it --------------------------------------------------------------------------------

// Speed that an impulse of 1 along n at a point gives the point along n.
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
	// A hundred chips can each be hit with all that drives one body: the sum has a limit, too.
	m->velocity =
		rbl_world_clamp_length(rbl_add_scaled(m->velocity, 1.0f / b->mass, impulse), RBL_MAX_SPEED);
	m->angular_velocity = rbl_world_clamp_length(
		rbl_add(m->angular_velocity, rbl_rotate(m->rotation, angular_velocity)),
		RBL_MAX_ANGULAR_SPEED);
	rbl_solver_set_velocity(world->solver, b->solver_body, m->velocity, m->angular_velocity);
	rbl_world_wake(world, body);
}

static void return_energy(rbl_world *world, const rbl_damage_request *r)
{
	if (!rbl_world_has_body(world, r->other))
		return;
	int body = (int)r->body.index, other = (int)r->other.index;
	rbl_transform pose = rbl_body_pose(world, r->body);
	rbl_vec3 point = rbl_transform_point(pose, r->point);
	rbl_vec3 n = rbl_rotate(pose.rotation, r->direction);
	float left = 1.0f - (float)world->bodies[body].damage->levels[0].energy / r->energy;
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

// --- what is seen of it -------------------------------------------------------------------------

static void report_fracture(rbl_world *world, const rbl_damage_request *r, rbl_fracture_event event)
{
	rbl_transform pose = rbl_body_pose(world, r->body);
	event.parent = r->body;
	event.material = r->material;
	event.cause = r->cause;
	event.other = r->other;
	event.point = rbl_transform_point(pose, r->point);
	event.normal = rbl_rotate(pose.rotation, r->direction);
	event.energy = r->energy;
	event.radius = r->radius;
	event.seed = r->seed;
	world->lost_events += !rbl_array_push(&world->allocator, &world->fractures, event);
}

void rbl_world_bind_fractures(rbl_world *world)
{
	int body = 0, debris = 0;
	for (int i = 0; i < world->fractures.count; ++i) {
		rbl_fracture_event *event = &world->fractures.data[i];
		event->new_bodies = event->new_count > 0 ? world->fracture_bodies.data + body : NULL;
		event->debris = event->debris_count > 0 ? world->debris.data + debris : NULL;
		body += event->new_count;
		debris += event->debris_count;
	}
}

// --- dust ---------------------------------------------------------------------------------------

// How a body moves, in the coordinates of its shape.
static rbl_motion motion_in_shape(const rbl_world *world, int body)
{
	const rbl_body_motion *m = &world->motions[body];
	return (rbl_motion){ rbl_to_d(world->bodies[body].local_centre),
		                 rbl_to_d(rbl_rotate_inverse(m->rotation, m->velocity)),
		                 rbl_to_d(rbl_rotate_inverse(m->rotation, m->angular_velocity)) };
}

// Report pieces that are too small as debris.
static void take_dust(rbl_world *world, rbl_body_id parent, rbl_break *broken)
{
	enum { MAX_DUST_AT_ONCE = 64 };
	double least = world->bodies[parent.index].damage->dust_size;
	if (!(least > 0.0))
		return;
	rbl_motion motion = motion_in_shape(world, (int)parent.index);
	rbl_transform pose = rbl_body_pose(world, parent);
	rbl_dust_fragment found[MAX_DUST_AT_ONCE];
	int dust_count;
	do {
		dust_count = rbl_break_take_dust(broken, least, &motion, found, MAX_DUST_AT_ONCE);
		for (int i = 0; i < dust_count; ++i) {
			rbl_dust_fragment d = found[i];
			d.position = rbl_to_d(rbl_transform_point(pose, rbl_to_f(d.position)));
			d.velocity = rbl_to_d(rbl_rotate(pose.rotation, rbl_to_f(d.velocity)));
			world->lost_events += !rbl_array_push(&world->allocator, &world->debris, d);
		}
	} while (dust_count == MAX_DUST_AT_ONCE);
}

// --- bodies -------------------------------------------------------------------------------------

// A body for a compound that came off: it moves as its place did.
static rbl_body_def fragment_def(const rbl_world *world, rbl_body_id parent, rbl_compound *compound)
{
	const rbl_body *b = &world->bodies[parent.index];
	const rbl_body_motion *m = &world->motions[parent.index];
	rbl_transform pose = rbl_body_pose(world, parent);
	rbl_body_def def = rbl_default_body_def();
	def.kind = RBL_BODY_DYNAMIC; // whatever its parent was
	def.compound = compound;
	def.pose = pose;
	rbl_vec3 centre =
		rbl_transform_point(pose, rbl_to_f(rbl_compound_get_visual_mass(compound).centre));
	def.velocity = rbl_add(m->velocity, rbl_cross(m->angular_velocity, rbl_sub(centre, m->centre)));
	def.angular_velocity = m->angular_velocity;
	def.material = b->material;
	def.filter = b->filter;
	def.linear_damping = b->linear_damping, def.angular_damping = b->angular_damping;
	def.gravity_scale = b->gravity_scale;
	def.damage = b->damage;
	def.can_sleep = m->flags & RBL_BODY_CAN_SLEEP;
	def.is_bullet = m->flags & RBL_BODY_BULLET;
	def.is_sensor = m->flags & RBL_BODY_SENSOR;
	def.is_enabled = m->flags & RBL_BODY_ENABLED;
	def.user = b->user;
	return def;
}

// A piece that cannot be a body.
static void add_dust(rbl_world *world, const rbl_body_def *def)
{
	rbl_mass mass = rbl_compound_get_visual_mass(def->compound);
	rbl_dust_fragment d = { .position =
		                        rbl_to_d(rbl_transform_point(def->pose, rbl_to_f(mass.centre))),
		                    .velocity = rbl_to_d(def->velocity),
		                    .volume = mass.volume,
		                    .radius = rbl_cbrt(mass.volume * (3.0 / (4.0 * 3.141592653589793))) };
	world->lost_events += !rbl_array_push(&world->allocator, &world->debris, d);
}

// Bodies for everything that came off. Chips without volume in single precision are debris.
// @return how many
static int create_fragments(rbl_world *world, rbl_body_id parent, rbl_break *broken)
{
	rbl_break_data data = rbl_break_get_data(broken);
	int count = 0, first = world->fracture_bodies.count, made = 0;
	const rbl_allocator *a = &world->allocator;
	rbl_body_def *defs = RBL_NEW(a, rbl_body_def, data.compound_count);
	int *from = RBL_NEW(a, int, data.compound_count);
	if (defs && from &&
	    rbl_array_reserve(a, &world->fracture_bodies, first + data.compound_count)) {
		for (int i = 0; i < data.compound_count; ++i) {
			if (!data.compounds[i])
				continue; // dust
			from[count] = i;
			defs[count++] = fragment_def(world, parent, data.compounds[i]);
		}
		rbl_body_id *ids = world->fracture_bodies.data + first;
		if (count > 0 && rbl_create_bodies(world, defs, count, ids) == RBL_OK) {
			for (int i = 0; i < count; ++i)
				rbl_break_take(broken, from[i]); // the world's now
			made = count;
		} else { // one of them may be too small for single precision: each by itself
			for (int i = 0; i < count; ++i) {
				rbl_result result = rbl_create_bodies(world, &defs[i], 1, &ids[made]);
				if (result == RBL_OK)
					rbl_break_take(broken, from[i]), made++;
				else if (result == RBL_OUT_OF_MEMORY)
					world->stats.lost_count++;
				else
					add_dust(world, &defs[i]);
			}
		}
		world->fracture_bodies.count = first + made;
		for (int i = 0; i < made; ++i)
			world->bodies[ids[i].index].fragment_number = ++world->fragment_count;
		world->debris_count += made;
	} else {
		world->stats.lost_count++;
	}
	RBL_FREE(a, defs, data.compound_count);
	RBL_FREE(a, from, data.compound_count);
	return made;
}

void rbl_world_refit_or_retry(rbl_world *world, rbl_body_id id)
{
	if (rbl_world_refit(world, (int)id.index) == RBL_OK)
		return;
	world->stats.lost_count++;
	rbl_damage_request later = { .body = id, .energy = -1.0f }; // fit again, nothing more
	world->lost_events += !rbl_array_push(&world->allocator, &world->damage_requests, later);
}

void rbl_world_apply_break(rbl_world *world, const rbl_damage_request *request, rbl_break *broken)
{
	rbl_body_id id = request->body;
	int body = (int)id.index;
	rbl_compound *compound = world->bodies[body].compound;
	rbl_break_data data = rbl_break_get_data(broken);
	bool survives = rbl_compound_get_info(compound).part_count > 0;
	if (data.compound_count > 0 || data.made_count > 0 || request->cause == RBL_FRACTURE_LOAD)
		world->break_number++, rbl_world_log_fracture(world, request, broken);
	if (data.compound_count == 0) {
		bool has_changed = data.made_count > 0;
		rbl_destroy_break(broken);
		if (request->cause == RBL_FRACTURE_LOAD)
			report_fracture(world, request, (rbl_fracture_event){ .survives = true });
		if (has_changed && survives)
			rbl_world_refit_or_retry(world, id);
		return;
	}
	rbl_fracture_event event = { .survives = survives };
	if (request->cause != RBL_FRACTURE_BEND) {
		return_energy(world, request);
		event.exposed_area = (float)rbl_break_exposed_area(broken, compound);
	}
	int first = world->fracture_bodies.count, first_dust = world->debris.count;
	take_dust(world, id, broken);
	event.new_count = create_fragments(world, id, broken);
	event.debris_count = world->debris.count - first_dust;
	rbl_destroy_break(broken);
	report_fracture(world, request, event);
	rbl_world_reassign_joints(world, body, world->fracture_bodies.data + first, event.new_count);
	if (survives)
		rbl_world_refit_or_retry(world, id);
	else if (rbl_world_remove_body(world, body) != RBL_OK)
		world->stats.lost_count++;
}
