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

#include "world/impulses.h"
#include "world/mass.h"

float rbl_world_break_cost(const rbl_world *world, const rbl_damage_request *r)
{
	int body = (int)r->body.index;
	const rbl_material_def *def =
		rbl_world_breaking(world, body, world->bodies[body].compound, r->material);
	if (r->cause == RBL_FRACTURE_LOAD || !def || def->damage.level_count == 0)
		return 0.0f;
	return rbl_minf((float)def->damage.levels[0].energy, r->energy);
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
	float own = rbl_world_inverse_effective_mass(world, body, point, n),
		  its = rbl_world_inverse_effective_mass(world, other, point, n);
	if (!(left > 0.0f) || !(its > 0.0f))
		return;
	float own_speed = rbl_dot(n, rbl_body_velocity_at(world, r->body, point));
	float approach = rbl_dot(n, rbl_body_velocity_at(world, r->other, point)) - own_speed;
	float impulse = (sqrtf(left) * r->speed - approach) / (own + its);
	if (own > 0.0f)
		impulse = rbl_minf(impulse, own_speed / own);
	if (!(impulse > 0.0f))
		return;
	rbl_world_apply_impulse(world, other, point, rbl_scale(impulse, n));
	rbl_world_apply_impulse(world, body, point, rbl_scale(-impulse, n));
}

static void report_fracture(rbl_world *world, const rbl_damage_request *r, rbl_fracture_event event)
{
	rbl_transform pose = rbl_body_pose(world, r->body);
	event.parent = r->body;
	event.user = world->bodies[r->body.index].user;
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
	if (rbl_array_extend(&world->allocator, &world->fractures, 1) &&
	    rbl_array_extend(&world->allocator, &world->exposed_ends, 1)) {
		world->fractures.data[world->fractures.count++] = event;
		world->exposed_ends.data[world->exposed_ends.count++] = world->exposed_triangles.count;
	} else {
		world->lost_events++;
	}
}

// The numbers of the parts that are gone.
static int list_gone_parts(rbl_world *world, const rbl_break_data *data)
{
	int first = world->fracture_parts.count;
	if (!rbl_array_resize(&world->allocator, &world->fracture_parts, first + data->gone_count)) {
		world->lost_events++;
		return 0;
	}
	for (int i = 0; i < data->gone_count; ++i)
		world->fracture_parts.data[first + i] = data->gone_parts[i];
	return data->gone_count;
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

// What the pieces of a break weigh that have several materials, in kilograms; 0 for others.
static double mixed_mass(const rbl_world *world, int body, const rbl_break *broken)
{
	rbl_break_data data = rbl_break_get_data(broken);
	const rbl_body *b = &world->bodies[body];
	float density = world->materials.data[b->material].values.density;
	double mass = 0.0;
	if (rbl_compound_get_info(b->compound).material_count == 1)
		return 0.0;
	for (int i = 0; i < data.compound_count; ++i)
		if (data.compounds[i])
			mass +=
				(double)density * rbl_world_compound_mass(world, data.compounds[i], density).volume;
	return mass;
}

// What dust weighs. @param mixed  what all pieces with several materials have lost by it
static float dust_mass(const rbl_world *world, int body, int first, double mixed)
{
	const rbl_body *b = &world->bodies[body];
	const rbl_material *own = rbl_compound_get_material(b->compound, 0);
	float density = own ? rbl_material_get_values(own).density
	                    : world->materials.data[b->material].values.density;
	double volume = 0.0;
	if (rbl_compound_get_info(b->compound).material_count > 1)
		return (float)mixed;
	for (int i = first; i < world->dust.count; ++i)
		volume += world->dust.data[i].volume;
	return (float)(volume * (double)density);
}

// How much of a blow a fragment takes: all at the point, a tenth at the radius and beyond.
static float push_weight(const rbl_world *world, const rbl_damage_request *r, rbl_body_id fragment)
{
	rbl_transform pose = rbl_body_pose(world, fragment); // that of the body it came off
	rbl_vec3 centre = rbl_transform_point_inverse(pose, world->motions[fragment.index].centre);
	float distance = rbl_distance(centre, r->point);
	return 1.0f - 0.9f * rbl_minf(1.0f, distance / r->radius);
}

// Push what came off by a blow along its direction, but with no more energy than it had.
// @return the impulse
static float push_fragments(rbl_world *world, const rbl_damage_request *r,
                            const rbl_body_id *fragments, int count)
{
	if (r->impulse == 0.0f)
		return 0.0f;
	rbl_vec3 n = rbl_rotate(rbl_body_pose(world, r->body).rotation, r->direction);
	float mass = 0.0f, square = 0.0f, along = 0.0f;
	for (int i = 0; i < count; ++i) {
		float w = push_weight(world, r, fragments[i]), m = world->bodies[fragments[i].index].mass;
		mass += w * m, square += w * w * m;
		along += w * m * rbl_dot(n, world->motions[fragments[i].index].velocity);
	}
	if (!(mass > 0.0f))
		return 0.0f;
	// A speed v for the nearest gives w v to the others: m w v in all, and the energy
	// square v^2 / 2 + along v.
	float speed = fabsf(r->impulse) / mass, way = r->impulse < 0.0f ? -along : along;
	float most = (sqrtf(way * way + 2.0f * square * r->energy) - way) / square;
	speed = rbl_minf(speed, most);
	float signed_speed = r->impulse < 0.0f ? -speed : speed;
	for (int i = 0; i < count; ++i) {
		int body = (int)fragments[i].index;
		float w = push_weight(world, r, fragments[i]) * world->bodies[body].mass;
		rbl_world_apply_impulse(world, body, world->motions[body].centre,
		                        rbl_scale(w * signed_speed, n));
	}
	return signed_speed * mass;
}

int rbl_world_apply_break(rbl_world *world, const rbl_damage_request *request, rbl_break *broken)
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
		return 0;
	}
	rbl_fracture_event event = { .survives = survives };
	if (request->cause != RBL_FRACTURE_BEND) {
		if (!request->is_passed)
			rbl_world_return_energy(world, request);
		event.exposed_area = (float)rbl_break_exposed_area(broken, compound);
		rbl_world_expose(world, body, broken);
	}
	int first = world->fracture_bodies.count, first_dust = world->dust.count;
	event.part_count = list_gone_parts(world, &data);
	double mixed = mixed_mass(world, body, broken);
	rbl_world_take_dust(world, id, broken);
	mixed -= mixed_mass(world, body, broken);
	note_relatives(world, body, broken);
	event.new_count = rbl_world_create_fragments(world, id, broken);
	event.dust_count = world->dust.count - first_dust;
	event.lost_mass = dust_mass(world, body, first_dust, mixed);
	event.impulse =
		push_fragments(world, request, world->fracture_bodies.data + first, event.new_count);
	rbl_world_push_along(world, request, world->fracture_bodies.data + first, event.new_count);
	rbl_destroy_break(broken);
	int exposed_count = rbl_world_shed(world, request, &event);
	report_fracture(world, request, event);
	rbl_world_reassign_joints(world, body, world->fracture_bodies.data + first, event.new_count);
	note_fragments(world, body, world->fracture_bodies.data + first, event.new_count);
	if (survives)
		rbl_world_refit_or_retry(world, id);
	else if (rbl_world_remove_body(world, body) != RBL_OK)
		world->stats.lost_count++;
	world->relatives.count = 0;
	return exposed_count;
}
