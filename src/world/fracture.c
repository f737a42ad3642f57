// SPDX-License-Identifier: MIT
//
// Things break: hits and blows go to the damage rules of the bodies they met.
//
// Of all hits that a body takes in a step the strongest counts: one blow touches at many points. A
// step breaks a limited number of bodies, and the rest wait for the next. What came off a body gets
// bodies of its own in one batch, moving as their places in the old body did, so that momentum is
// kept; what remains keeps the id. Pieces overlap each other as little as the break says, and that
// much is left to them (see contacts.c).

#include "world/fracture.h"

#include "base/clock.h"
#include "base/log.h"
#include "world/refit.h"

enum { BREAKS_PER_STEP = 16 };

// --- requests -----------------------------------------------------------------------------------

static void ask(rbl_world *world, rbl_body_id id, rbl_vec3 point, rbl_vec3 direction, float energy)
{
	if (!rbl_world_has_body(world, id))
		return;
	const rbl_body *b = &world->bodies[id.index];
	if (!b->damage || (!b->compound && !b->asset))
		return;
	const rbl_damage_rule *rule = b->damage;
	if (rule->level_count < 1 || !((double)energy >= rule->levels[0].energy))
		return;
	rbl_damage_request request = { id, point, direction, INFINITY, energy };
	for (int i = 0; i < world->damages.count; ++i) {
		rbl_damage_request *old = &world->damages.data[i];
		if (old->body.index != id.index)
			continue;
		if (old->energy < energy)
			*old = request;
		return;
	}
	world->lost_events += !rbl_array_push(&world->allocator, &world->damages, request);
}

static void ask_hits(rbl_world *world)
{
	for (int i = 0; i < world->hits.count; ++i) {
		const rbl_hit_event *hit = &world->hits.data[i];
		ask(world, hit->body_a, hit->point, rbl_neg(hit->normal), hit->energy);
		ask(world, hit->body_b, hit->point, hit->normal, hit->energy);
	}
}

// --- breaking -----------------------------------------------------------------------------------

// The body's own compound: an asset's is copied when it first breaks.
static rbl_compound *own_compound(rbl_world *world, int body)
{
	rbl_body *b = &world->bodies[body];
	if (!b->compound &&
	    rbl_asset_create_compound(b->asset, &world->allocator, &b->compound) != RBL_OK)
		return NULL;
	b->asset = NULL;
	return b->compound;
}

static rbl_vec3d to_shape(const rbl_world *world, rbl_body_id id, rbl_vec3 point)
{
	return rbl_to_d(rbl_transform_point_inverse(rbl_body_pose(world, id), point));
}

static float exposed_area(const rbl_world *world, const rbl_break *broken, const rbl_compound *rest)
{
	int count = 0;
	if (rbl_break_exposed(broken, rest, NULL, 0, &count) != RBL_OK || count == 0)
		return 0.0f;
	rbl_exposed_triangle *triangles = RBL_NEW(&world->allocator, rbl_exposed_triangle, count);
	if (!triangles)
		return 0.0f;
	int capacity = count;
	double area = 0.0;
	if (rbl_break_exposed(broken, rest, triangles, capacity, &count) == RBL_OK)
		for (int i = 0; i < rbl_mini(count, capacity); ++i)
			area += (double)triangles[i].area;
	RBL_FREE(&world->allocator, triangles, capacity);
	return (float)area;
}

// A body for a compound that came off: it moves as its place did.
static rbl_body_def chip_def(const rbl_world *world, rbl_body_id parent, rbl_compound *chip)
{
	const rbl_body *b = &world->bodies[parent.index];
	const rbl_body_motion *m = &world->motions[parent.index];
	rbl_transform pose = rbl_body_pose(world, parent);
	rbl_body_def def = rbl_default_body_def();
	def.kind = b->wanted_kind == RBL_BODY_STATIC ? RBL_BODY_DYNAMIC : b->wanted_kind;
	def.compound = chip;
	def.pose = pose;
	rbl_vec3 centre = rbl_transform_point(pose, rbl_to_f(rbl_compound_mass(chip).centre));
	def.velocity = rbl_add(m->velocity, rbl_cross(m->spin, rbl_sub(centre, m->centre)));
	def.angular_velocity = m->spin;
	def.material = b->material;
	def.filter = b->filter;
	def.linear_damping = b->linear_damping, def.angular_damping = b->angular_damping;
	def.gravity_scale = b->gravity_scale;
	def.damage = b->damage;
	def.can_sleep = m->flags & RBL_BODY_CAN_SLEEP;
	def.is_fast = m->flags & RBL_BODY_FAST;
	def.is_sensor = m->flags & RBL_BODY_SENSOR;
	def.user = b->user;
	return def;
}

// Bodies for everything that came off. Chips without volume in single precision are left out.
// @return how many
static int make_chips(rbl_world *world, rbl_body_id parent, rbl_break *broken)
{
	rbl_break_data data = rbl_break_view(broken);
	int count = data.compound_count, first = world->fracture_bodies.count, made = 0;
	rbl_body_def *defs = RBL_NEW(&world->allocator, rbl_body_def, count);
	if (!defs || !rbl_array_reserve(&world->allocator, &world->fracture_bodies, first + count)) {
		RBL_FREE(&world->allocator, defs, count);
		world->stats.lost_count++;
		return 0;
	}
	for (int i = 0; i < count; ++i)
		defs[i] = chip_def(world, parent, data.compounds[i]);
	rbl_body_id *ids = world->fracture_bodies.data + first;
	if (rbl_create_bodies(world, defs, count, ids) == RBL_OK) {
		for (int i = 0; i < count; ++i)
			rbl_break_take(broken, i); // the world's now
		made = count;
	} else { // one of them may be too small for single precision: each by itself
		for (int i = 0; i < count; ++i) {
			if (rbl_create_bodies(world, &defs[i], 1, &ids[made]) == RBL_OK)
				rbl_break_take(broken, i), made++;
			else
				world->stats.lost_count++;
		}
	}
	world->fracture_bodies.count = first + made;
	RBL_FREE(&world->allocator, defs, count);
	return made;
}

static void report(rbl_world *world, const rbl_damage_request *request, const rbl_break_def *def,
                   int material, int new_count, float area, bool survives)
{
	rbl_fracture_event event = {
		.parent = request->body,
		.survives = survives,
		.new_count = new_count,
		.point = request->point,
		.normal = rbl_normalize(request->direction),
		.material = material,
		.energy = request->energy,
		.radius = (float)def->radius,
		.exposed_area = area,
		.seed = def->rotation_seed,
	};
	world->lost_events += !rbl_array_push(&world->allocator, &world->fractures, event);
}

// The material of the part that is nearest to the point: the one that was hit.
static int material_at(const rbl_world *world, rbl_body_id id, rbl_vec3 point)
{
	const rbl_compound *compound = rbl_body_compound(world, id);
	float least = FLT_MAX;
	int material = 0;
	for (int p = world->bodies[id.index].first_piece; p != RBL_NONE; p = world->pieces[p].next) {
		rbl_box box = rbl_collider_bounds(world->pieces[p].collider, rbl_piece_pose(world, p));
		rbl_vec3 near = rbl_max(box.lower, rbl_min(box.upper, point));
		float distance = rbl_length_squared(rbl_sub(point, near));
		if (distance < least) {
			least = distance;
			material = rbl_compound_get_part(compound, world->pieces[p].part).material;
		}
	}
	return material;
}

static void break_body(rbl_world *world, const rbl_damage_request *request)
{
	rbl_body_id id = request->body;
	int body = (int)id.index;
	rbl_compound *compound = own_compound(world, body);
	rbl_break_def def = rbl_default_break_def();
	bool breaks = false;
	uint64_t seed =
		rbl_hash_number(rbl_hash_number(RBL_HASH_START, (uint64_t)world->stats.step_count),
	                    (uint64_t)id.index << 32 | id.generation);
	if (!compound ||
	    rbl_damage_choose(world->bodies[body].damage, compound, (double)request->energy, seed | 1,
	                      &def, &breaks) != RBL_OK) {
		world->stats.lost_count += !compound;
		return;
	}
	if (!breaks)
		return;
	if (request->radius < INFINITY)
		def.radius = (double)request->radius;
	def.position = to_shape(world, id, request->point);
	def.jobs = world->def.jobs;
	int material = material_at(world, id, request->point);
	rbl_break *broken = NULL;
	rbl_result result = rbl_compound_break(compound, &def, &broken);
	if (result != RBL_OK || rbl_break_view(broken).compound_count == 0) {
		world->stats.lost_count += result == RBL_OUT_OF_MEMORY;
		bool has_changed = result == RBL_OK && rbl_break_view(broken).made_count > 0;
		rbl_destroy_break(broken);
		if (has_changed)
			rbl_world_fit_or_wait(world, id);
		return;
	}
	float area = exposed_area(world, broken, compound);
	int new_count = make_chips(world, id, broken);
	rbl_destroy_break(broken);
	bool survives = rbl_compound_get_info(compound).part_count > 0;
	report(world, request, &def, material, new_count, area, survives);
	if (survives)
		rbl_world_fit_or_wait(world, id);
	else if (rbl_world_remove_body(world, body) != RBL_OK)
		world->stats.lost_count++;
}

void rbl_world_fit_or_wait(rbl_world *world, rbl_body_id id)
{
	if (rbl_world_refit(world, (int)id.index) == RBL_OK)
		return;
	world->stats.lost_count++;
	rbl_damage_request later = { .body = id, .energy = -1.0f }; // fit again, nothing more
	world->lost_events += !rbl_array_push(&world->allocator, &world->damages, later);
}

void rbl_world_break(rbl_world *world)
{
	uint64_t start = rbl_clock_ns();
	ask_hits(world);
	int done = 0, broken = 0, count = world->damages.count;
	for (; done < count && broken < BREAKS_PER_STEP; ++done) {
		rbl_damage_request request = world->damages.data[done];
		if (!rbl_world_has_body(world, request.body))
			continue;
		if (request.energy < 0.0f)
			rbl_world_fit_or_wait(world, request.body);
		else
			break_body(world, &request), broken++;
	}
	world->damages.count -= done;
	if (done > 0)
		memmove(world->damages.data, world->damages.data + done,
		        (size_t)world->damages.count * sizeof *world->damages.data);
	int next = 0; // the ids lie in one array, which has stopped growing
	for (int i = 0; i < world->fractures.count; ++i) {
		world->fractures.data[i].new_bodies = world->fracture_bodies.data + next;
		next += world->fractures.data[i].new_count;
	}
	world->stats.fracture_ms = 1e-6 * (double)(rbl_clock_ns() - start);
}
