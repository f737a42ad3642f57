// SPDX-License-Identifier: MIT
//
// Bodies: reading them, waking, and destruction.

#include "world/world.h"

#include "base/log.h"

rbl_result rbl_world_check_body(const rbl_world *world, rbl_body_id id)
{
	if (!world)
		return rbl_fail(RBL_BAD_ARGUMENT, "world is NULL");
	if (!rbl_world_has_body(world, id))
		return rbl_fail(RBL_STALE_ID, "body %u of generation %u is gone", id.index, id.generation);
	return RBL_OK;
}

static bool has_body(const rbl_world *world, rbl_body_id id)
{
	return world && rbl_world_has_body(world, id);
}

rbl_body_kind rbl_world_effective_kind(const rbl_world *world, int body, rbl_body_kind wanted)
{
	const rbl_compound *compound = rbl_body_get_compound(world, rbl_world_body_id(world, body));
	bool is_anchored = compound && rbl_compound_get_info(compound).anchored_count > 0;
	return is_anchored && wanted == RBL_BODY_DYNAMIC ? RBL_BODY_STATIC : wanted;
}

bool rbl_world_clear_marks(rbl_world *world)
{
	int count = world->body_ids.slot_count;
	if (world->marked.bit_count < count &&
	    !rbl_bit_set_resize(&world->allocator, &world->marked, count))
		return false;
	rbl_bit_set_clear(&world->marked);
	return true;
}

// --- the end ------------------------------------------------------------------------------------

rbl_result rbl_world_remove_body(rbl_world *world, int body)
{
	if (world->motions[body].flags & RBL_BODY_ENABLED) {
		rbl_result result = rbl_world_remove_proxies_only(world, body);
		if (result != RBL_OK)
			return result;
	}
	rbl_world_free_body(world, body);
	return RBL_OK;
}

void rbl_world_free_part(rbl_world *world, int part)
{
	while (world->parts[part].first_pair != RBL_NONE)
		rbl_world_remove_pair(world, world->parts[part].first_pair, true);
	rbl_world_free_traits(world, part);
	if (world->hot_parts[part].flags & RBL_PART_HAS_MATERIALS)
		rbl_world_drop_collider_materials(world, world->parts[part].collider);
	rbl_destroy_collider((rbl_collider *)(uintptr_t)world->parts[part].collider);
	world->field_part_count -= world->parts[part].field != NULL;
	rbl_destroy_part_field(&world->allocator, world->parts[part].field);
	rbl_id_pool_remove(&world->part_ids, rbl_id_pool_at(&world->part_ids, part));
}

void rbl_world_free_body(rbl_world *world, int body)
{
	rbl_body *b = &world->bodies[body];
	if (world->motions[body].flags & RBL_BODY_ENABLED)
		rbl_world_remove_pairs(world, body, false);
	rbl_world_cancel_breaks(world, body);
	world->debris_count -= b->fragment_number != 0;
	rbl_world_remove_joints(world, body, true);
	if (b->solver_body != RBL_NONE)
		rbl_solver_remove_bodies(world->solver, &b->solver_body, 1);
	for (int p = b->first_part; p != RBL_NONE;) {
		int next = world->parts[p].next;
		rbl_world_free_part(world, p);
		p = next;
	}
	rbl_world_drop_compound_materials(world,
	                                  rbl_body_get_compound(world, rbl_world_body_id(world, body)));
	rbl_destroy_compound(b->compound);
	rbl_destroy_asset((rbl_asset *)(uintptr_t)b->asset);
	rbl_world_drop_material(world, (int)b->material);
	rbl_world_free_baked_body(world, body);
	rbl_id_pool_remove(&world->body_ids, rbl_id_pool_at(&world->body_ids, body));
}

// --- waking -------------------------------------------------------------------------------------

void rbl_world_activate_pairs(rbl_world *world, int body)
{
	RBL_EACH_PART (p, world, body)
		RBL_EACH_PAIR (pair, world, p)
			rbl_bit_set_add(&world->active_pairs, pair);
}

void rbl_world_wake(rbl_world *world, int body)
{
	rbl_body_motion *m = &world->motions[body];
	if (!(m->flags & RBL_BODY_ENABLED) || world->bodies[body].kind == RBL_BODY_STATIC)
		return;
	rbl_world_unfreeze(world, body);
	if (world->solver)
		rbl_solver_wake(world->solver, world->bodies[body].solver_body);
	m->flags |= RBL_BODY_AWAKE;
	rbl_world_activate_pairs(world, body);
}

// --- reading ------------------------------------------------------------------------------------

bool rbl_body_exists(const rbl_world *world, rbl_body_id body)
{
	return has_body(world, body);
}

rbl_transform rbl_body_pose(const rbl_world *world, rbl_body_id body)
{
	if (!has_body(world, body))
		return (rbl_transform){ .position = { 0.0f, 0.0f, 0.0f } };
	const rbl_body_motion *m = &world->motions[body.index];
	rbl_vec3 offset = rbl_rotate(m->rotation, world->bodies[body.index].local_centre);
	return (rbl_transform){ rbl_sub(m->centre, offset), m->rotation };
}

rbl_body_state rbl_body_get_state(const rbl_world *world, rbl_body_id body)
{
	if (!has_body(world, body))
		return (rbl_body_state){ .kind = RBL_BODY_STATIC };
	const rbl_body_motion *m = &world->motions[body.index];
	return (rbl_body_state){ .kind = (rbl_body_kind)world->bodies[body.index].kind,
		                     .pose = rbl_body_pose(world, body),
		                     .centre = m->centre,
		                     .velocity = m->velocity,
		                     .angular_velocity = m->angular_velocity,
		                     .is_awake = m->flags & RBL_BODY_AWAKE,
		                     .is_enabled = m->flags & RBL_BODY_ENABLED,
		                     .is_sensor = m->flags & RBL_BODY_SENSOR,
		                     .is_bullet = m->flags & RBL_BODY_BULLET,
		                     .can_sleep = m->flags & RBL_BODY_CAN_SLEEP,
		                     .modifies_contacts = m->flags & RBL_BODY_MODIFIES,
		                     .user = world->bodies[body.index].user };
}

rbl_vec3 rbl_body_velocity(const rbl_world *world, rbl_body_id body)
{
	return has_body(world, body) ? world->motions[body.index].velocity
	                             : (rbl_vec3){ 0.0f, 0.0f, 0.0f };
}

bool rbl_world_find_body_axis(const rbl_world *world, int body, rbl_vec3 *axis)
{
	const rbl_body *b = &world->bodies[body];
	if (b->part_count != 1)
		return false;
	const rbl_world_part_hot *hot = &world->hot_parts[b->first_part];
	rbl_transform local =
		hot->is_placed ? world->parts[b->first_part].local : rbl_transform_identity();
	const rbl_revolution *r = hot->polyhedron->revolution;
	*axis = rbl_rotate(local.rotation, rbl_to_f(r->axis));
	rbl_vec3 from = rbl_transform_point(local, rbl_to_f(r->ends[0]));
	rbl_vec3 across = rbl_add_scaled(from, -rbl_dot(from, *axis), *axis);
	return rbl_length(across) <= 1e-4f * hot->polyhedron->bounding_radius;
}

rbl_vec3 rbl_body_angular_velocity(const rbl_world *world, rbl_body_id body)
{
	return has_body(world, body) ? world->motions[body.index].angular_velocity
	                             : (rbl_vec3){ 0.0f, 0.0f, 0.0f };
}

rbl_vec3 rbl_body_velocity_at(const rbl_world *world, rbl_body_id body, rbl_vec3 point)
{
	if (!has_body(world, body))
		return (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	const rbl_body_motion *m = &world->motions[body.index];
	return rbl_add(m->velocity, rbl_cross(m->angular_velocity, rbl_sub(point, m->centre)));
}

rbl_body_mass rbl_body_get_mass(const rbl_world *world, rbl_body_id body)
{
	if (!has_body(world, body))
		return (rbl_body_mass){ .mass = 0.0f };
	const rbl_body *b = &world->bodies[body.index];
	bool is_dynamic = b->kind == RBL_BODY_DYNAMIC;
	return (rbl_body_mass){ .mass = is_dynamic ? b->mass : 0.0f,
		                    .centre = b->local_centre,
		                    .inertia =
		                        is_dynamic ? b->inertia : (rbl_mat3){ .x = { 0.0f, 0.0f, 0.0f } } };
}

rbl_box rbl_body_bounds(const rbl_world *world, rbl_body_id body)
{
	rbl_box box = rbl_box_empty();
	if (!has_body(world, body))
		return box;
	RBL_EACH_PART (p, world, body.index)
		box = rbl_box_join(
			box, rbl_collider_bounds(world->parts[p].collider, rbl_world_part_pose(world, p)));
	return box;
}

bool rbl_body_is_awake(const rbl_world *world, rbl_body_id body)
{
	return has_body(world, body) && rbl_world_is_awake(world, (int)body.index);
}

rbl_filter rbl_body_get_filter(const rbl_world *world, rbl_body_id body)
{
	return has_body(world, body) ? world->bodies[body.index].filter : (rbl_filter){ 0, 0, 0 };
}

float rbl_body_linear_damping(const rbl_world *world, rbl_body_id body)
{
	return has_body(world, body) ? world->bodies[body.index].linear_damping : 0.0f;
}

float rbl_body_angular_damping(const rbl_world *world, rbl_body_id body)
{
	return has_body(world, body) ? world->bodies[body.index].angular_damping : 0.0f;
}

float rbl_body_gravity_scale(const rbl_world *world, rbl_body_id body)
{
	return has_body(world, body) ? world->bodies[body.index].gravity_scale : 0.0f;
}

uint32_t rbl_body_locks(const rbl_world *world, rbl_body_id body)
{
	return has_body(world, body)
	           ? world->motions[body.index].flags >> RBL_BODY_LOCK_SHIFT & RBL_SOLVER_LOCK_ALL
	           : 0;
}

uint64_t rbl_body_user(const rbl_world *world, rbl_body_id body)
{
	return has_body(world, body) ? world->bodies[body.index].user : 0;
}

const rbl_compound *rbl_body_get_compound(const rbl_world *world, rbl_body_id body)
{
	if (!has_body(world, body))
		return NULL;
	const rbl_body *b = &world->bodies[body.index];
	return b->compound ? b->compound : b->asset ? rbl_asset_get_compound(b->asset) : NULL;
}

static rbl_body_part view_part(const rbl_world *world, int part)
{
	const rbl_part_traits *traits = rbl_world_get_traits(world, part);
	int own = world->parts[part].material;
	const rbl_world_material *material =
		&world->materials
			 .data[own != RBL_NONE ? own
	                               : (int)world->bodies[world->hot_parts[part].body].material];
	return (rbl_body_part){ .collider = world->parts[part].collider,
		                    .pose = rbl_world_part_pose(world, part),
		                    .part = world->parts[part].child,
		                    .material = material->values,
		                    .shared_material = material->shared,
		                    .filter = *rbl_world_part_filter(world, part),
		                    .user = traits ? traits->user : 0,
		                    .is_sensor = rbl_world_part_is_sensor(world, part) };
}

int rbl_body_get_parts(const rbl_world *world, rbl_body_id body, rbl_body_part *parts, int capacity)
{
	if (!has_body(world, body))
		return 0;
	int n = 0;
	RBL_EACH_PART (p, world, body.index) {
		if (parts && n < capacity)
			parts[n] = view_part(world, p);
		n++;
	}
	return n;
}
