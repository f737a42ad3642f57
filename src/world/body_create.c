// SPDX-License-Identifier: MIT
//
// Creating bodies, one or a batch.
//
// Everything that can fail comes first: definitions are checked, colliders created, memory
// reserved in every array, in the solver and in the broad phase. Then ids are taken and nothing
// can fail. So a batch is created as a whole or not at all, and a thousand fragments cost one
// growth of each array, one call to the broad phase and one to the solver. No hull is built:
// planes and vertices of a convex are rounded to floats as they are, by all workers.

#include "world/world.h"

#include "base/log.h"
#include "fracture/fracture.h"
#include "world/mass.h"
#include "world/recording.h"

enum { BODY_COOKIE = 0x626f6479 };

rbl_body_def rbl_default_body_def(void)
{
	return (rbl_body_def){ .kind = RBL_BODY_DYNAMIC,
		                   .pose = rbl_transform_identity(),
		                   .material = rbl_default_material_values(),
		                   .filter = { .category = 1, .mask = UINT32_MAX },
		                   .angular_damping = 0.05f,
		                   .gravity_scale = 1.0f,
		                   .can_sleep = true,
		                   .is_awake = true,
		                   .is_enabled = true,
		                   .cookie = BODY_COOKIE };
}

// --- checks -------------------------------------------------------------------------------------

static bool is_coefficient(float x)
{
	return x >= 0.0f && x <= 1e6f;
}

static rbl_result check_mass(const rbl_mass *mass)
{
	const rbl_mat3d *i = &mass->inertia;
	if (!(mass->volume > 0.0 && mass->volume < 1e18) || !rbl_is_finite_d(mass->centre) ||
	    !rbl_is_finite_d(i->x) || !rbl_is_finite_d(i->y) || !rbl_is_finite_d(i->z))
		return rbl_fail(RBL_BAD_ARGUMENT, "mass must be finite, with a volume > 0");
	return RBL_OK;
}

// Whether a mass times a density is finite in single precision.
static bool fits_floats(const rbl_mass *mass, double density)
{
	rbl_mat3d i = rbl_mat_scale_d(density, mass->inertia);
	return rbl_is_finite(rbl_to_f(mass->centre)) && rbl_is_finite(rbl_to_f(i.x)) &&
	       rbl_is_finite(rbl_to_f(i.y)) && rbl_is_finite(rbl_to_f(i.z)) &&
	       fabs(density * mass->volume) <= 1e30;
}

static rbl_result check_motion(const rbl_body_def *def)
{
	if (!rbl_pose_is_valid(def->pose) || !rbl_world_is_position(def->pose.position))
		return rbl_fail(RBL_BAD_ARGUMENT, "pose must be within RBL_MAX_POSITION, its rotation of "
		                                  "unit length");
	if (!rbl_is_finite(def->velocity) || !rbl_is_finite(def->angular_velocity))
		return rbl_fail(RBL_BAD_ARGUMENT, "velocity or angular_velocity is not finite");
	if (!is_coefficient(def->linear_damping) || !is_coefficient(def->angular_damping) ||
	    !(fabsf(def->gravity_scale) <= 1e6f))
		return rbl_fail(RBL_BAD_ARGUMENT, "linear_damping, angular_damping or gravity_scale is "
		                                  "out of range");
	return RBL_OK;
}

rbl_result rbl_world_check_body_def(const rbl_body_def *def)
{
	if (def->cookie != BODY_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_body_def()");
	if ((int)def->kind < 0 || def->kind >= RBL_BODY_KIND_COUNT)
		return rbl_fail(RBL_BAD_ARGUMENT, "kind is %d", (int)def->kind);
	int shapes = !!def->collider + !!def->convex + !!def->compound + !!def->asset + !!def->mesh;
	if (shapes != 1)
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "a body has one shape, not %d: collider, convex, "
		                "compound, asset or mesh",
		                shapes);
	if (rbl_check_contact_method(def) != RBL_OK)
		return RBL_BAD_ARGUMENT;
	if (!def->shared_material && rbl_material_check(&def->material) != RBL_OK)
		return RBL_BAD_ARGUMENT;
	if (!def->compound && !def->asset && rbl_material_can_break(def->shared_material))
		return rbl_refuse_breaking(def->shared_material);
	if (def->locks > RBL_SOLVER_LOCK_ALL)
		return rbl_fail(RBL_BAD_ARGUMENT, "locks is %u, not rbl_axis_locks", (unsigned)def->locks);
	if (def->filter.group < INT32_MIN / 2)
		return rbl_fail(RBL_BAD_ARGUMENT, "filter.group is %d, must be at least %d",
		                (int)def->filter.group, (int)(INT32_MIN / 2));
	if (def->mass && check_mass(def->mass) != RBL_OK)
		return RBL_BAD_ARGUMENT;
	return check_motion(def);
}

// --- staging ------------------------------------------------------------------------------------

typedef struct staged_part {
	rbl_collider *owned;
	rbl_new_part part;
} staged_part;

typedef struct staged_body {
	int first, count; // parts
	rbl_body_kind kind;
	rbl_mass mass; // at density 1
	float bounding_radius, inner_radius;
	bool owns_colliders;
	bool by_field;
	rbl_convex *hull; // of a mesh that collides by it, or NULL
	int material;     // its number, used once more; RBL_NONE: not yet
	bool uses_parts;  // materials of its compound are used once more
} staged_body;

typedef struct staging {
	rbl_world *world;
	const rbl_body_def *defs;
	int count, part_count, trait_count;
	staged_body *bodies;
	staged_part *parts;
	rbl_new_collider *convexes; // that become colliders of parts
	int *convex_parts;          // which
	int convex_count;
	rbl_proxy_def *proxy_defs;
	rbl_proxy_id *proxies;
	rbl_solver_body *solver_bodies;
	int32_t *solver_indices;
	int replaced;              // a body that they replace, or RBL_NONE
	rbl_proxy_id *old_proxies; // of that body; NULL when it has none
} staging;

static const rbl_compound *compound_of(const rbl_body_def *def)
{
	return def->asset ? rbl_asset_get_compound(def->asset) : def->compound;
}

// As the world has it: a shared material may have changed since the last step.
static float density_of(const rbl_world *world, const staged_body *body)
{
	return world->materials.data[body->material].values.density;
}

static int part_count_of(const rbl_body_def *def, const staged_body *body)
{
	if (body->by_field || body->hull)
		return 1;
	if (def->collider)
		return rbl_collider_kind_of(def->collider) == RBL_COLLIDER_COMPOUND
		           ? rbl_collider_child_count(def->collider)
		           : 1;
	return def->convex ? 1 : rbl_compound_get_info(compound_of(def)).part_count;
}

static void stage_collider(const rbl_body_def *def, staged_body *body, staged_part *parts)
{
	const rbl_collider *c = def->collider;
	rbl_vec3 centre = rbl_to_f(body->mass.centre);
	for (int i = 0; i < body->count; ++i)
		parts[i].part = rbl_world_collider_part(c, i, centre);
	body->inner_radius = rbl_collider_inner_radius(c);
}

typedef struct collider_work {
	const rbl_world *world;
	rbl_new_collider *all;
} collider_work;

static void make_collider_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const collider_work *work = context;
	for (int i = begin; i < end; ++i) {
		rbl_new_collider *c = &work->all[i];
		rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_CONVEX);
		def.convex = c->convex;
		def.origin = c->origin;
		def.allocator = work->world->allocator;
		c->result = rbl_create_collider(&def, &c->collider);
	}
}

void rbl_world_make_colliders(rbl_world *world, rbl_new_collider *all, int count)
{
	enum { BLOCK = 4 };
	collider_work work = { world, all };
	rbl_parallel_for(world->def.jobs, count, BLOCK, make_collider_block, &work);
}

// Its collider is made with all others.
static void stage_convex(staging *s, const rbl_convex *convex, rbl_vec3d origin, int child,
                         staged_part *part)
{
	*part = (staged_part){
		.part = { .child = child, .pose = rbl_transform_identity(), .own_material = RBL_NONE }
	};
	s->convex_parts[s->convex_count] = (int)(part - s->parts);
	s->convexes[s->convex_count++] = (rbl_new_collider){ .convex = convex, .origin = origin };
}

static rbl_result make_staged_colliders(staging *s)
{
	rbl_world_make_colliders(s->world, s->convexes, s->convex_count);
	rbl_result result = RBL_OK;
	for (int i = 0; i < s->convex_count; ++i) {
		staged_part *part = &s->parts[s->convex_parts[i]];
		part->part.collider = part->owned = s->convexes[i].collider;
		if (result == RBL_OK)
			result = s->convexes[i].result;
	}
	return result;
}

// The one part of a field body, in the coordinates of its mesh or collider.
static rbl_result stage_field(const rbl_world *world, const rbl_body_def *def, staged_body *body,
                              staged_part *part)
{
	*part = (staged_part){ .part = { .pose = rbl_transform_identity(), .own_material = RBL_NONE } };
	rbl_result result = rbl_make_part_field(world, def, &part->owned, &part->part.field);
	if (result != RBL_OK)
		return result;
	body->owns_colliders = part->owned != NULL;
	part->part.collider = part->owned ? part->owned : def->collider;
	part->part.pose.position = rbl_neg(rbl_to_f(body->mass.centre));
	body->inner_radius = rbl_world_part_inner_radius(part->part.collider, part->part.field);
	return RBL_OK;
}

static rbl_result stage_mass(const rbl_world *world, const rbl_body_def *def, staged_body *body)
{
	body->kind = def->kind;
	if (def->mass) {
		body->mass = *def->mass;
	} else if (def->mesh) {
		body->mass = rbl_mesh_get_mass(def->mesh);
	} else if (def->collider && body->by_field) {
		body->mass = rbl_mesh_collider_mass(def->collider);
	} else if (def->collider) {
		if (!rbl_collider_mass(world, def->collider, density_of(world, body), &body->mass))
			body->mass = (rbl_mass){ .volume = 0.0 };
	} else if (def->convex) {
		body->mass = rbl_convex_get_mass(def->convex);
	} else {
		body->mass = rbl_world_compound_mass(world, compound_of(def), density_of(world, body));
	}
	bool is_anchored =
		(def->compound || def->asset) && rbl_compound_get_info(compound_of(def)).anchored_count > 0;
	if (is_anchored && body->kind == RBL_BODY_DYNAMIC)
		body->kind = RBL_BODY_STATIC;
	if (def->collider && rbl_collider_is_surface(def->collider) && !body->by_field &&
	    body->kind == RBL_BODY_DYNAMIC)
		return rbl_fail(RBL_BAD_ARGUMENT, "a mesh, height field or plane cannot be dynamic");
	if (!fits_floats(&body->mass, (double)density_of(world, body))) {
		if (def->mass || body->kind == RBL_BODY_DYNAMIC)
			return rbl_fail(RBL_BAD_ARGUMENT, "mass times density is beyond single precision");
		body->mass = (rbl_mass){ .volume = 0.0 }; // it never moves
	}
	if (body->kind != RBL_BODY_DYNAMIC)
		return RBL_OK;
	double mass = (double)density_of(world, body) * body->mass.volume;
	if (check_mass(&body->mass) == RBL_OK && mass >= 1e-9 && mass <= 1e15)
		return RBL_OK;
	return rbl_fail(RBL_BAD_ARGUMENT, "a mass of %g kg is not between 1e-9 and 1e15", mass);
}

float rbl_world_new_part_radius(const rbl_new_part *part)
{
	const rbl_collider *c = part->collider;
	rbl_box box = rbl_collider_bounds(c, part->pose);
	rbl_vec3 far = rbl_max(rbl_neg(box.lower), box.upper);
	float bounding_radius =
		c->polyhedron ? rbl_length(part->pose.position) + c->polyhedron->bounding_radius : FLT_MAX;
	return rbl_minf(bounding_radius, rbl_length(far));
}

// Stage the parts of one body. On failure, colliders in `owned` are freed by the caller.
static rbl_result stage_body(staging *s, const rbl_body_def *def, staged_body *body)
{
	rbl_result result = stage_mass(s->world, def, body);
	if (result != RBL_OK)
		return result;
	staged_part *parts = s->parts + body->first;
	body->inner_radius = FLT_MAX;
	if (body->by_field) {
		result = stage_field(s->world, def, body, parts);
	} else if (def->collider) {
		stage_collider(def, body, parts);
	} else if (def->convex || body->hull) {
		body->owns_colliders = true;
		stage_convex(s, def->convex ? def->convex : body->hull, body->mass.centre, 0, parts);
	} else {
		const rbl_compound *compound = compound_of(def);
		int end = rbl_compound_get_info(compound).part_end, n = 0;
		body->owns_colliders = true;
		for (int part = 0; part < end; ++part) {
			rbl_compound_part of = rbl_compound_get_part(compound, part);
			if (!of.convex)
				continue;
			stage_convex(s, of.convex, body->mass.centre, part, &parts[n]);
			parts[n].part.own_material = rbl_world_compound_part_material(s->world, compound, part);
			parts[n++].part.shape = of.shape;
		}
	}
	return result;
}

// What follows from the colliders of a body.
static rbl_result finish_staging(staging *s, const rbl_body_def *def, staged_body *body)
{
	staged_part *parts = s->parts + body->first;
	rbl_result result = RBL_OK;
	for (int i = 0; i < body->count && result == RBL_OK; ++i) {
		const rbl_new_part *p = &parts[i].part;
		if (parts[i].owned && !p->field)
			body->inner_radius =
				rbl_minf(body->inner_radius, rbl_collider_inner_radius(parts[i].owned));
		body->bounding_radius = rbl_maxf(body->bounding_radius, rbl_world_new_part_radius(p));
		s->trait_count += p->own != NULL;
		if (!def->compound && !def->asset &&
		    !rbl_world_use_part_materials(s->world, &parts[i].part))
			result = RBL_OUT_OF_MEMORY;
	}
	return result;
}

static void free_staged(staging *s)
{
	for (int i = 0; i < s->part_count; ++i) {
		rbl_world_drop_part_materials(s->world, &s->parts[i].part);
		rbl_destroy_part_field(&s->world->allocator, s->parts[i].part.field);
		rbl_destroy_collider(s->parts[i].owned);
	}
	for (int i = 0; s->bodies && i < s->count; ++i) {
		rbl_world_drop_material(s->world, s->bodies[i].material);
		if (s->bodies[i].uses_parts)
			rbl_world_drop_compound_materials(s->world, compound_of(&s->defs[i]));
	}
}

static void free_hulls(staging *s)
{
	for (int i = 0; s->bodies && i < s->count; ++i)
		rbl_destroy_convex(s->bodies[i].hull);
}

static rbl_result stage(staging *s)
{
	rbl_arena *arena = &s->world->arena;
	rbl_arena_reset(arena);
	int n = s->count, m = 0;
	s->bodies = RBL_ARENA_NEW(arena, staged_body, n);
	if (!s->bodies)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < n; ++i)
		s->bodies[i] = (staged_body){ .material = RBL_NONE };
	for (int i = 0; i < n; ++i) {
		staged_body *body = &s->bodies[i];
		rbl_result result = rbl_world_check_body_def(&s->defs[i]);
		if (result == RBL_OK)
			result = rbl_choose_contact_method(s->world, &s->defs[i], &body->by_field, &body->hull);
		if (result == RBL_OK)
			result = rbl_world_hold_field(s->world, rbl_body_def_original(&s->defs[i]));
		if (result != RBL_OK)
			return result;
		body->material =
			rbl_world_use_material(s->world, &s->defs[i].material, s->defs[i].shared_material);
		if (body->material == RBL_NONE)
			return RBL_OUT_OF_MEMORY;
		body->uses_parts = rbl_world_use_compound_materials(s->world, compound_of(&s->defs[i]));
		if (!body->uses_parts)
			return RBL_OUT_OF_MEMORY;
		int parts = part_count_of(&s->defs[i], body);
		if (parts < 1 || parts > RBL_MAX_PROXIES - m)
			return rbl_fail(RBL_BAD_ARGUMENT, "the shape has %d parts", parts);
		body->first = m;
		body->count = parts;
		m += parts;
	}
	s->parts = RBL_ARENA_NEW(arena, staged_part, m);
	s->convexes = RBL_ARENA_NEW(arena, rbl_new_collider, m);
	s->convex_parts = RBL_ARENA_NEW(arena, int, m);
	s->proxy_defs = RBL_ARENA_NEW(arena, rbl_proxy_def, m);
	s->proxies = RBL_ARENA_NEW(arena, rbl_proxy_id, m);
	s->solver_bodies = RBL_ARENA_NEW(arena, rbl_solver_body, n);
	s->solver_indices = RBL_ARENA_NEW(arena, int32_t, n);
	bool has_old =
		s->replaced != RBL_NONE && (s->world->motions[s->replaced].flags & RBL_BODY_ENABLED);
	if (has_old)
		s->old_proxies =
			RBL_ARENA_NEW(arena, rbl_proxy_id, s->world->bodies[s->replaced].part_count);
	if (!s->parts || !s->convexes || !s->convex_parts || !s->proxy_defs || !s->proxies ||
	    !s->solver_bodies || !s->solver_indices || (has_old && !s->old_proxies))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < m; ++i)
		s->parts[i] = (staged_part){ .part = { .own_material = RBL_NONE } };
	s->part_count = m;
	rbl_result result = RBL_OK;
	for (int i = 0; i < n && result == RBL_OK; ++i)
		result = stage_body(s, &s->defs[i], &s->bodies[i]);
	if (result == RBL_OK)
		result = make_staged_colliders(s);
	for (int i = 0; i < n && result == RBL_OK; ++i)
		result = finish_staging(s, &s->defs[i], &s->bodies[i]);
	return result;
}

// --- memory -------------------------------------------------------------------------------------

// The slots that ids use at most: the lowest free ones are taken first.
static int slots_needed(const rbl_id_pool *pool, int count)
{
	return rbl_maxi(pool->slot_count, pool->live_count + count);
}

bool rbl_world_reserve_slots(rbl_world *w, int bodies, int parts)
{
	const rbl_allocator *a = &w->allocator;
	int *bc = &w->body_capacity, *pc = &w->part_capacity;
	int old_bodies = rbl_mini(w->body_ids.slot_count, *bc),
		new_capacity = rbl_capacity_for(*bc, bodies);
	int old_parts = rbl_mini(w->part_ids.slot_count, *pc),
		new_part_capacity = rbl_capacity_for(*pc, parts);
	rbl_growth arrays[] = {
		{ &w->motions, sizeof *w->motions, old_bodies, bc, new_capacity, NULL },
		{ &w->bodies, sizeof *w->bodies, old_bodies, bc, new_capacity, NULL },
		{ &w->hot_parts, sizeof *w->hot_parts, old_parts, pc, new_part_capacity, NULL },
		{ &w->parts, sizeof *w->parts, old_parts, pc, new_part_capacity, NULL },
	};
	return rbl_grow_together(a, arrays, 4) && rbl_array_reserve(a, &w->dirty, bodies) &&
	       rbl_array_reserve(a, &w->moved, bodies);
}

bool rbl_world_reserve_bodies(rbl_world *w, int body_count, int part_count)
{
	const rbl_allocator *a = &w->allocator;
	// Retired slots are not reused, so the count of live ids is not an upper bound: add a margin.
	int bodies = slots_needed(&w->body_ids, body_count) + body_count;
	int parts = slots_needed(&w->part_ids, part_count) + part_count;
	return rbl_id_pool_reserve(a, &w->body_ids, bodies) &&
	       rbl_id_pool_reserve(a, &w->part_ids, parts) &&
	       rbl_world_reserve_slots(w, bodies, parts) &&
	       rbl_array_extend(a, &w->new_bodies, body_count) &&
	       rbl_array_extend(a, &w->stresses, body_count);
}

// --- filling ------------------------------------------------------------------------------------

static void fill_motion(rbl_world *world, int index, const rbl_body_def *def,
                        const staged_body *staged)
{
	rbl_body_motion *m = &world->motions[index];
	uint32_t is_dirty = m->flags & RBL_BODY_DIRTY; // the slot is still in the list
	bool sleeps = world->solver && def->is_enabled && !def->is_awake; // until something wakes it
	bool moves = staged->kind != RBL_BODY_STATIC;
	rbl_quat rotation = rbl_quat_normalize(def->pose.rotation);
	rbl_vec3 centre = rbl_rotate(rotation, rbl_to_f(staged->mass.centre));
	const rbl_vec3 zero = { 0.0f, 0.0f, 0.0f };
	*m = (rbl_body_motion){
		.centre = rbl_add(def->pose.position, centre),
		.bounding_radius = staged->bounding_radius,
		.rotation = rotation,
		.velocity = moves && !sleeps ? rbl_world_clamp_length(def->velocity, RBL_MAX_SPEED) : zero,
		.angular_velocity =
			moves && !sleeps ? rbl_world_clamp_length(def->angular_velocity, RBL_MAX_ANGULAR_SPEED)
							 : zero
	};
	m->flags =
		(moves && def->is_enabled && (def->is_awake || !world->solver) ? RBL_BODY_AWAKE : 0u) |
		(def->is_enabled ? RBL_BODY_ENABLED : 0u) | (moves ? RBL_BODY_FRESH : 0u) |
		(def->is_sensor ? RBL_BODY_SENSOR : 0u) | (def->is_bullet ? RBL_BODY_BULLET : 0u) |
		(def->can_sleep ? RBL_BODY_CAN_SLEEP : 0u) |
		(staged->owns_colliders ? RBL_BODY_OWNS_COLLIDERS : 0u) |
		(def->contact_method == RBL_CONTACTS_FIELD ? RBL_BODY_BY_FIELD : 0u) |
		(def->contact_method == RBL_CONTACTS_AUTOMATIC ? RBL_BODY_AUTOMATIC : 0u);
	m->flags |= is_dirty | (m->flags & RBL_BODY_AWAKE ? RBL_BODY_REPORTED_AWAKE : 0u);
	m->flags |= def->locks << RBL_BODY_LOCK_SHIFT;
	m->flags |= def->modifies_contacts ? RBL_BODY_MODIFIES : 0u;
	rbl_world_lock_motion(m, staged->kind == RBL_BODY_DYNAMIC);
}

static void fill_body(rbl_world *world, int index, const rbl_body_def *def,
                      const staged_body *staged)
{
	double density = (double)density_of(world, staged);
	rbl_mat3d inertia = rbl_mat_scale_d(density, staged->mass.inertia);
	world->bodies[index] = (rbl_body){
		.kind = (uint8_t)staged->kind,
		.requested_kind = (uint8_t)def->kind,
		.solver_body = RBL_NONE,
		.first_part = RBL_NONE,
		.part_count = staged->count,
		.first_joint = RBL_NONE,
		.local_centre = rbl_to_f(staged->mass.centre),
		.mass = (float)(density * staged->mass.volume),
		.inertia = { rbl_to_f(inertia.x), rbl_to_f(inertia.y), rbl_to_f(inertia.z) },
		.inner_radius = staged->inner_radius,
		.material = (uint32_t)staged->material,
		.filter = def->filter,
		.linear_damping = def->linear_damping,
		.angular_damping = def->angular_damping,
		.gravity_scale = def->gravity_scale,
		.compound = def->compound,
		.asset = def->asset,
		.original = rbl_body_def_original(def),
		.user = def->user,
		.asset_key_low = def->asset ? (uint32_t)rbl_asset_get_report(def->asset).key : 0,
	};
}

static bool is_identity(rbl_transform t)
{
	return t.position.x == 0.0f && t.position.y == 0.0f && t.position.z == 0.0f &&
	       t.rotation.x == 0.0f && t.rotation.y == 0.0f && t.rotation.z == 0.0f;
}

rbl_new_part rbl_world_collider_part(const rbl_collider *collider, int child, rbl_vec3 centre)
{
	rbl_new_part part = { .collider = collider,
		                  .pose = rbl_transform_identity(),
		                  .child = child,
		                  .own_material = RBL_NONE };
	if (collider->kind == RBL_COLLIDER_COMPOUND) {
		const rbl_collider_child *c = &collider->parts->children[child];
		part.collider = c->collider;
		part.pose = c->pose;
		bool has_filter = c->filter.category != 0 || c->filter.mask != 0 || c->filter.group != 0;
		part.own = c->material || has_filter || c->user != 0 || c->is_sensor ? c : NULL;
	}
	part.pose.position = rbl_sub(part.pose.position, centre);
	return part;
}

bool rbl_world_use_part_materials(rbl_world *world, rbl_new_part *part)
{
	part->own_material = RBL_NONE;
	if (part->own && part->own->material) {
		part->own_material = rbl_world_use_material(world, NULL, part->own->material);
		return part->own_material != RBL_NONE;
	}
	if (rbl_collider_material_count(part->collider) > 0)
		part->uses_materials = rbl_world_use_collider_materials(world, part->collider);
	return part->uses_materials || rbl_collider_material_count(part->collider) == 0;
}

void rbl_world_drop_part_materials(rbl_world *world, const rbl_new_part *part)
{
	if (part->own)
		rbl_world_drop_material(world, part->own_material);
	if (part->uses_materials)
		rbl_world_drop_collider_materials(world, part->collider);
}

int rbl_world_add_part(rbl_world *world, int body, const rbl_new_part *from)
{
	int part = (int)rbl_id_pool_add(&world->allocator, &world->part_ids).index;
	world->parts[part] = (rbl_world_part){ .collider = from->collider,
		                                   .field = from->field,
		                                   .local = from->pose,
		                                   .material = from->own_material,
		                                   .shape = from->shape,
		                                   .child = from->child,
		                                   .next = world->bodies[body].first_part,
		                                   .first_pair = RBL_NONE };
	world->hot_parts[part] =
		(rbl_world_part_hot){ .polyhedron = from->collider->polyhedron,
		                      .body = body,
		                      .is_placed = !is_identity(from->pose),
		                      .flags = from->uses_materials ? RBL_PART_HAS_MATERIALS : 0 };
	if (from->uses_materials || from->own_material != RBL_NONE)
		world->motions[body].flags |= RBL_BODY_HAS_MATERIALS;
	if (from->own) {
		const rbl_filter *f = &from->own->filter;
		rbl_part_traits traits = { .filter = *f,
			                       .user = from->own->user,
			                       .has_filter = f->category != 0 || f->mask != 0 || f->group != 0,
			                       .is_sensor = from->own->is_sensor };
		rbl_world_set_traits(world, part, &traits);
	}
	world->has_revolutions |= rbl_collider_kind_is_revolution((int)from->collider->kind);
	world->bodies[body].first_part = part;
	return part;
}

static void fill_parts(rbl_world *world, int index, const staging *s, const staged_body *staged)
{
	for (int i = staged->count - 1; i >= 0; --i) // so that the list begins with the first part
		rbl_world_add_part(world, index, &s->parts[staged->first + i].part);
}

rbl_solver_body rbl_world_solver_body(const rbl_world *world, int body)
{
	const rbl_body *b = &world->bodies[body];
	const rbl_body_motion *m = &world->motions[body];
	rbl_solver_body out = rbl_default_solver_body();
	bool is_dynamic = b->kind == RBL_BODY_DYNAMIC;
	out.centre = m->centre;
	out.rotation = m->rotation;
	out.velocity = m->velocity;
	out.angular_velocity = m->angular_velocity;
	out.inverse_mass = is_dynamic ? 1.0f / b->mass : 0.0f;
	out.inverse_inertia = is_dynamic ? rbl_world_inverse_inertia(b->inertia)
	                                 : (rbl_mat3){ .x = { 0.0f, 0.0f, 0.0f } };
	out.radius = m->bounding_radius;
	out.linear_damping = b->linear_damping;
	out.angular_damping = b->angular_damping;
	out.gravity_scale = b->gravity_scale;
	out.kind = is_dynamic                      ? RBL_SOLVER_DYNAMIC
	           : b->kind == RBL_BODY_KINEMATIC ? RBL_SOLVER_KINEMATIC
	                                           : RBL_SOLVER_STATIC;
	out.user = (uint32_t)body;
	out.can_sleep = m->flags & RBL_BODY_CAN_SLEEP;
	out.is_asleep = b->kind != RBL_BODY_STATIC && !(m->flags & RBL_BODY_AWAKE);
	const rbl_polyhedron *form =
		b->part_count == 1 ? world->hot_parts[b->first_part].polyhedron : NULL;
	rbl_vec3 axis;
	out.has_ends = rbl_world_body_axis(world, body, &axis);
	out.is_round = out.has_ends || (form && form->vertex_count <= 2);
	out.locks = (uint8_t)(m->flags >> RBL_BODY_LOCK_SHIFT & RBL_SOLVER_LOCK_ALL);
	return out;
}

void rbl_world_update_solver_body(rbl_world *world, int body)
{
	if (world->bodies[body].solver_body == RBL_NONE)
		return;
	rbl_solver_body values = rbl_world_solver_body(world, body);
	rbl_solver_set_body(world->solver, world->bodies[body].solver_body, &values);
}

void rbl_world_mark_new(rbl_world *world, int body)
{
	if (world->motions[body].flags & RBL_BODY_NEW)
		return;
	world->motions[body].flags |= RBL_BODY_NEW;
	world->new_bodies.data[world->new_bodies.count++] = body;
}

void rbl_world_mark_broken(rbl_world *world, int body)
{
	rbl_world_mark_new(world, body);
	world->motions[body].flags |= RBL_BODY_BROKEN;
}

// Take ids back in reverse order, as if they had never been given; a promised one is gone.
static void take_back_ids(rbl_world *world, const rbl_body_id *ids, int count, bool is_promised)
{
	for (int i = count - 1; i >= 0; --i) {
		int p = world->bodies[ids[i].index].first_part;
		for (; p != RBL_NONE; p = world->parts[p].next) {
			if (rbl_world_get_traits(world, p) && world->parts[p].material != RBL_NONE)
				rbl_world_reuse_material(world, world->parts[p].material); // staged: drops it again
			rbl_world_free_traits(world, p);
			rbl_id_pool_take_back(&world->part_ids, rbl_id_pool_at(&world->part_ids, p));
		}
		rbl_id id = { ids[i].index, ids[i].generation };
		if (is_promised)
			rbl_id_pool_remove(&world->body_ids, id);
		else
			rbl_id_pool_take_back(&world->body_ids, id);
	}
}

// Insert all bodies into solver and broad phase, replacing the old one: all of them, or none.
static rbl_result insert_all(staging *s, const rbl_body_id *ids)
{
	rbl_world *world = s->world;
	int body_count = 0, part_count = 0, old_count = 0;
	for (int i = 0; i < s->count; ++i) {
		int body = (int)ids[i].index;
		if (!(world->motions[body].flags & RBL_BODY_ENABLED))
			continue;
		s->solver_bodies[body_count++] = rbl_world_solver_body(world, body);
		world->motions[body].margin = rbl_world_margin(world, body, world->last_dt);
		RBL_EACH_PART (p, world, body)
			s->proxy_defs[part_count++] = rbl_world_proxy_def(world, p);
	}
	for (int p = s->old_proxies ? world->bodies[s->replaced].first_part : RBL_NONE; p != RBL_NONE;
	     p = world->parts[p].next)
		s->old_proxies[old_count++] = world->parts[p].proxy;
	if (world->solver && !rbl_solver_reserve(world->solver, body_count, 0))
		return RBL_OUT_OF_MEMORY;
	rbl_result result =
		rbl_broadphase_reserve(world->broadphase, old_count, s->proxy_defs, part_count);
	if (result != RBL_OK)
		return result;
	if (old_count > 0 && world->bodies[s->replaced].kind == RBL_BODY_STATIC)
		rbl_world_remove_support(world, s->replaced);
	result = rbl_broadphase_replace_many(world->broadphase, s->old_proxies, old_count,
	                                     s->proxy_defs, part_count, s->proxies);
	if (result == RBL_OK && world->solver)
		result =
			rbl_solver_add_bodies(world->solver, s->solver_bodies, body_count, s->solver_indices);
	RBL_ASSERT(result == RBL_OK); // memory was reserved
	body_count = part_count = 0;
	for (int i = 0; i < s->count; ++i) {
		int body = (int)ids[i].index;
		if (!(world->motions[body].flags & RBL_BODY_ENABLED))
			continue;
		if (world->solver)
			world->bodies[body].solver_body = s->solver_indices[body_count++];
		RBL_EACH_PART (p, world, body)
			world->parts[p].proxy = s->proxies[part_count++];
	}
	return result;
}

// What bodies have in common with others is theirs, too, once they are there.
static void hold_shared(const staging *s)
{
	for (int i = 0; i < s->count; ++i)
		if (s->defs[i].asset)
			rbl_asset_share(s->defs[i].asset);
	for (int i = 0; i < s->part_count; ++i)
		if (!s->parts[i].owned)
			rbl_collider_share(s->parts[i].part.collider);
}

// @param replaced  a body that they replace, or RBL_NONE
// @param promised  the id of the one that is made, or NULL
static rbl_result create_bodies(rbl_world *world, const rbl_body_def *defs, int count, bool are_new,
                                int replaced, const rbl_body_id *promised, rbl_body_id *ids)
{
	if (count > RBL_MAX_BODIES - world->body_ids.live_count)
		return rbl_fail(RBL_LIMIT_REACHED, "%d more bodies exceed RBL_MAX_BODIES", count);
	staging s = { .world = world, .defs = defs, .count = count, .replaced = replaced };
	rbl_result result = stage(&s);
	free_hulls(&s);
	if (result == RBL_OK && !(rbl_world_reserve_bodies(world, count, s.part_count) &&
	                          rbl_world_reserve_traits(world, s.trait_count)))
		result = RBL_OUT_OF_MEMORY;
	if (result != RBL_OK) {
		free_staged(&s);
		return result;
	}
	for (int i = 0; i < count; ++i) {
		rbl_id id;
		if (promised) {
			id = (rbl_id){ promised->index, promised->generation };
			rbl_id_pool_keep_promise(&world->body_ids, id);
		} else {
			id = rbl_id_pool_add(&world->allocator, &world->body_ids);
		}
		RBL_ASSERT(id.generation != 0);
		if (id.generation == 1) // its first life
			world->motions[id.index].flags = 0;
		ids[i] = (rbl_body_id){ id.index, id.generation };
		fill_motion(world, (int)id.index, &defs[i], &s.bodies[i]);
		fill_body(world, (int)id.index, &defs[i], &s.bodies[i]);
		fill_parts(world, (int)id.index, &s, &s.bodies[i]);
	}
	result = insert_all(&s, ids);
	if (result != RBL_OK) {
		take_back_ids(world, ids, count, promised != NULL);
		free_staged(&s);
		memset(ids, 0, (size_t)count * sizeof *ids);
		return result;
	}
	hold_shared(&s);
	for (int i = 0; i < s.part_count; ++i)
		world->field_part_count += s.parts[i].part.field != NULL;
	for (int i = 0; i < count; ++i) {
		rbl_world_prepare_breaking(world, (int)ids[i].index);
		rbl_world_add_stress(world, ids[i]);
		rbl_world_note_failing(world, (int)ids[i].index);
	}
	for (int i = 0; i < count && are_new; ++i)
		rbl_world_mark_new(world, (int)ids[i].index);
	if (replaced != RBL_NONE)
		rbl_world_free_body(world, replaced);
	return RBL_OK;
}

rbl_result rbl_world_create_promised_body(rbl_world *world, const rbl_body_def *def, bool is_new,
                                          rbl_body_id id)
{
	rbl_id promised = { id.index, id.generation };
	rbl_body_id made;
	rbl_result result = create_bodies(world, def, 1, is_new, RBL_NONE, &id, &made);
	if (result != RBL_OK && world->body_ids.generations[id.index] + 1 == id.generation)
		rbl_id_pool_break_promise(&world->body_ids, promised);
	return result;
}

// --- the public face ----------------------------------------------------------------------------

rbl_body_id rbl_create_body(rbl_world *world, const rbl_body_def *def)
{
	rbl_body_id id = { 0, 0 };
	if (!world || !def) {
		rbl_fail(RBL_BAD_ARGUMENT, "world or def is NULL");
		return id;
	}
	if (world->is_stepping)
		return rbl_world_queue_body(world, def, false);
	rbl_result result = create_bodies(world, def, 1, false, RBL_NONE, NULL, &id);
	if (result == RBL_OUT_OF_MEMORY)
		rbl_fail(result, "no memory for a body");
	if (result != RBL_OK)
		return (rbl_body_id){ 0, 0 };
	rbl_record_bodies(world, RBL_CREATE_ONE, (rbl_body_id){ 0, 0 }, def, 1, &id);
	return id;
}

static rbl_result check_batch(const rbl_world *world, const rbl_body_def *defs, int count,
                              const rbl_body_id *bodies)
{
	if (!world || count < 0 || (count > 0 && (!defs || !bodies)))
		return rbl_fail(RBL_BAD_ARGUMENT, "world, defs or bodies is NULL, or count < 0");
	// A compound belongs to one body. The map is queried and never iterated: no order depends on
	// addresses.
	rbl_map seen = { NULL, 0, 0 };
	rbl_result result = RBL_OK;
	for (int i = 0; i < count && result == RBL_OK; ++i) {
		if (!defs[i].compound)
			continue;
		uint64_t key = (uint64_t)(uintptr_t)defs[i].compound;
		if (rbl_map_get(&seen, key) != RBL_MAP_NONE)
			result = rbl_fail(RBL_BAD_ARGUMENT, "body %d has the compound of another", i);
		else if (!rbl_map_set(&world->allocator, &seen, key, 0))
			result = RBL_OUT_OF_MEMORY;
	}
	rbl_map_free(&world->allocator, &seen);
	return result;
}

rbl_result rbl_create_bodies(rbl_world *world, const rbl_body_def *defs, int count,
                             rbl_body_id *bodies)
{
	rbl_result result = check_batch(world, defs, count, bodies);
	if (result != RBL_OK || count == 0)
		return result;
	if (world->is_stepping) {
		for (int i = 0; i < count && result == RBL_OK; ++i)
			result = rbl_world_check_body_def(&defs[i]);
		for (int i = 0; i < count && result == RBL_OK; ++i) {
			bodies[i] = rbl_world_queue_body(world, &defs[i], true);
			result = rbl_body_id_is_null(bodies[i]) ? RBL_OUT_OF_MEMORY : RBL_OK;
		}
		return result;
	}
	result = create_bodies(world, defs, count, true, RBL_NONE, NULL, bodies);
	if (result == RBL_OK)
		rbl_record_bodies(world, RBL_CREATE_BATCH, (rbl_body_id){ 0, 0 }, defs, count, bodies);
	return result;
}

rbl_result rbl_replace_body(rbl_world *world, rbl_body_id body, const rbl_body_def *defs, int count,
                            rbl_body_id *bodies)
{
	rbl_result result = check_batch(world, defs, count, bodies);
	if (result == RBL_OK && world->is_stepping)
		result = rbl_fail(RBL_BAD_ARGUMENT, "a body cannot be replaced during a step");
	if (result == RBL_OK)
		result = rbl_world_check_body(world, body);
	if (result != RBL_OK)
		return result;
	result = count > 0 ? create_bodies(world, defs, count, true, (int)body.index, NULL, bodies)
	                   : rbl_world_remove_body(world, (int)body.index);
	if (result != RBL_OK)
		return result;
	rbl_record_bodies(world, RBL_CREATE_REPLACE, body, defs, count, bodies);
	return RBL_OK;
}
