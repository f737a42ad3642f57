// SPDX-License-Identifier: MIT
//
// Stress failure: structures collapse under load.
//
// A body of materials whose bonds have a strength has an estimate of the forces in its bonds
// (rubble/stress.h), from its weight and the forces of its contacts. It is supported by its
// anchors or, when it has none and hardly moves, by contacts from below; in free fall bonds carry
// nothing. Estimates are worked on in turn under a budget. Once one has converged, the most
// overloaded bonds open together, and the estimate continues with the rest; what is no longer
// connected breaks off as in any break.
//
// Loads come from contacts. Those of a single step are noise, and impacts are the business of
// damage rules: so loads are updated every few steps only, and move half of the way each time. A
// load that has changed by less than a tenth is left alone, and a converged estimate costs nothing
// until something changes. A body with a break in progress waits: its parts are about to change.
//
// Departure from Mueller et al. 2013, section 6, which leaves this open: bonds are beams with
// bending, so that a roof fails in its middle and not where it happens to be thin.

#include "world/world.h"

#include "base/clock.h"
#include "base/log.h"

enum {
	LOAD_INTERVAL = 8, // steps between two updates of loads
	MAX_OPENED = 32,   // bonds opened at once
	MIN_PARTS = 4,     // of a body without anchors
};

// Faster bodies are falling, in metres per second, and their contacts are impacts.
static const float resting_speed = 0.5f;

// Bonds below this share of the worst overload wait: its failure may relieve them.
static const double open_share = 0.7;

// --- who ----------------------------------------------------------------------------------------

bool rbl_world_has_strengths(const rbl_world *world, int body)
{
	const rbl_compound *compound = world->bodies[body].compound;
	int count = rbl_compound_get_info(compound).material_count;
	for (int i = 0; i < count; ++i) {
		const rbl_material_def *def = rbl_world_breaking(world, body, compound, i);
		if (def && (def->strengths.tension > 0.0 || def->strengths.shear > 0.0 ||
		            def->strengths.compression > 0.0))
			return true;
	}
	return false;
}

static bool can_fail(const rbl_world *world, int body)
{
	const rbl_body *b = &world->bodies[body];
	if (!b->compound || b->requested_kind != RBL_BODY_DYNAMIC ||
	    !rbl_world_has_strengths(world, body))
		return false;
	rbl_compound_info info = rbl_compound_get_info(b->compound);
	return info.bond_count > 0 && (info.anchored_count > 0 || info.part_count >= MIN_PARTS);
}

void rbl_world_add_stress(rbl_world *world, rbl_body_id id)
{
	if (!can_fail(world, (int)id.index))
		return;
	RBL_ASSERT(world->stresses.count < world->stresses.capacity); // there is room
	world->bodies[id.index].has_stress = true;
	world->stresses.data[world->stresses.count++] = (rbl_world_stress){ .body = id };
}

void rbl_world_stress_changed(rbl_world *world, int body)
{
	for (int i = 0; world->bodies[body].has_stress && i < world->stresses.count; ++i)
		if ((int)world->stresses.data[i].body.index == body)
			world->stresses.data[i].is_converged = false;
}

void rbl_world_reset_stress(rbl_world *world, int body)
{
	for (int i = 0; world->bodies[body].has_stress && i < world->stresses.count; ++i) {
		rbl_world_stress *s = &world->stresses.data[i];
		if ((int)s->body.index != body)
			continue;
		rbl_destroy_stress(s->stress);
		s->stress = NULL;
		s->forces.count = s->points.count = 0;
		s->wait = 0;
		s->is_converged = false;
	}
}

static void free_stress(rbl_world *world, rbl_world_stress *stress)
{
	rbl_destroy_stress(stress->stress);
	rbl_array_free(&world->allocator, &stress->forces);
	rbl_array_free(&world->allocator, &stress->points);
}

void rbl_world_free_stresses(rbl_world *world)
{
	for (int i = 0; i < world->stresses.count; ++i)
		free_stress(world, &world->stresses.data[i]);
	rbl_array_free(&world->allocator, &world->stresses);
	rbl_array_free(&world->allocator, &world->loads);
}

// Drop bodies that are gone or can no longer fail.
static void drop_stresses(rbl_world *world)
{
	int kept = 0;
	for (int i = 0; i < world->stresses.count; ++i) {
		rbl_world_stress *s = &world->stresses.data[i];
		bool is_there = rbl_world_has_body(world, s->body);
		if (is_there && can_fail(world, (int)s->body.index)) {
			world->stresses.data[kept++] = *s;
			continue;
		}
		if (is_there)
			world->bodies[s->body.index].has_stress = false;
		free_stress(world, s);
	}
	world->stresses.count = kept;
}

// --- loads --------------------------------------------------------------------------------------

// Add the force of a contact on a part, in newton.
static void add_contact_load(rbl_world_stress *s, const rbl_world *world,
                             const rbl_world_contact *contact, int part, bool is_a,
                             float per_second)
{
	const rbl_manifold *m = &contact->manifold;
	if (m->point_count == 0 || contact->solver_contact == RBL_NONE)
		return;
	rbl_solver_contact_report report =
		rbl_solver_report_contact(world->solver, contact->solver_contact);
	float size = report.normal_impulse * per_second;
	if (!(size > 0.0f && size < 1e12f) || !rbl_is_finite(report.point))
		return;
	int child = rbl_world_child_at(world, part, report.point);
	if (child >= s->forces.count)
		return;
	rbl_vec3 force = rbl_scale(is_a ? -size : size, report.normal);
	// One force per part: it acts at their weighted mean.
	rbl_vec3 *sum = &s->forces.data[child], *point = &s->points.data[child];
	float before = rbl_length(*sum);
	*sum = rbl_add(*sum, force);
	*point = rbl_lerp(*point, report.point, size / (before + size));
}

static void add_pair_loads(rbl_world_stress *s, const rbl_world *world, int pair, int part,
                           float per_second)
{
	bool is_a = (world->pairs[pair].a == part) != rbl_world_is_swapped(world, pair);
	RBL_EACH_CONTACT (contact, world, pair)
		add_contact_load(s, world, &world->contacts.data[contact], part, is_a, per_second);
}

// Update the loads on a body. @return false when memory ran out
static bool update_loads(rbl_world *world, rbl_world_stress *s)
{
	int body = (int)s->body.index;
	const rbl_body *b = &world->bodies[body];
	const rbl_allocator *a = &world->allocator;
	int end = rbl_compound_get_info(b->compound).part_end, old = s->forces.count;
	rbl_world_stress now = { .body = s->body };
	if (!rbl_array_resize(a, &now.forces, end) || !rbl_array_resize(a, &now.points, end) ||
	    !rbl_array_reserve(a, &s->forces, rbl_maxi(old, end)) ||
	    !rbl_array_reserve(a, &s->points, rbl_maxi(old, end))) {
		rbl_array_free(a, &now.forces);
		rbl_array_free(a, &now.points);
		return false;
	}
	s->forces.count = s->points.count = rbl_maxi(old, end);
	const rbl_vec3 zero = { 0.0f, 0.0f, 0.0f };
	for (int i = old; i < s->forces.count; ++i)
		s->forces.data[i] = s->points.data[i] = zero;
	for (int i = 0; i < end; ++i)
		now.forces.data[i] = now.points.data[i] = zero;
	float per_second = (float)world->substep_count / world->last_dt;
	for (int p = b->first_part; p != RBL_NONE; p = world->parts[p].next) {
		RBL_EACH_PAIR (pair, world, p)
			add_pair_loads(&now, world, pair, p, per_second);
	}
	rbl_transform pose = rbl_body_pose(world, s->body);
	for (int i = 0; i < end; ++i) {
		rbl_vec3 force = rbl_rotate_inverse(pose.rotation, now.forces.data[i]);
		rbl_vec3 was = s->forces.data[i];
		if (rbl_length(force) > 0.0f)
			s->points.data[i] = rbl_transform_point_inverse(pose, now.points.data[i]);
		if (rbl_distance(force, was) <= 10.0f + 0.1f * rbl_length(was))
			continue;
		s->forces.data[i] = rbl_scale(0.5f, rbl_add(force, was));
		s->is_converged = false;
	}
	rbl_array_free(a, &now.forces);
	rbl_array_free(a, &now.points);
	return true;
}

static bool list_loads(rbl_world *world, const rbl_world_stress *s)
{
	const rbl_compound *compound = world->bodies[s->body.index].compound;
	world->loads.count = 0;
	for (int i = 0; i < s->forces.count; ++i) {
		rbl_vec3 force = s->forces.data[i];
		if (rbl_length_squared(force) < 1.0f || !rbl_compound_get_part(compound, i).convex)
			continue;
		rbl_stress_load load = { i, rbl_to_d(s->points.data[i]), rbl_to_d(force) };
		if (!rbl_array_push(&world->allocator, &world->loads, load))
			return false;
	}
	return true;
}

// --- failing ------------------------------------------------------------------------------------

static void open_bonds(rbl_world *world, rbl_world_stress *s, double worst)
{
	rbl_bond_stress bonds[MAX_OPENED];
	int parts[2 * MAX_OPENED];
	rbl_body *b = &world->bodies[s->body.index];
	double least = rbl_maxd(1.0, open_share * worst);
	int count = rbl_stress_get_bonds(s->stress, least, bonds, MAX_OPENED);
	count = rbl_mini(count, MAX_OPENED);
	for (int i = 0; i < count; ++i)
		parts[2 * i] = bonds[i].part, parts[2 * i + 1] = bonds[i].other;
	rbl_break *broken = NULL;
	rbl_world_measure_joint_anchors(world, (int)s->body.index);
	if (count == 0 || rbl_compound_break_bonds(b->compound, parts, count, &broken) != RBL_OK) {
		world->stats.lost_count += count > 0;
		return;
	}
	world->stats.failed_bond_count += count;
	rbl_transform pose = rbl_body_pose(world, s->body);
	rbl_vec3 point = rbl_transform_point(pose, rbl_to_f(bonds[0].centre));
	rbl_vec3 direction = rbl_rotate(pose.rotation, rbl_to_f(bonds[0].normal));
	rbl_damage_request request = rbl_world_damage_request(world, s->body, point, direction);
	request.cause = RBL_FRACTURE_LOAD;
	request.radius = 0.0f;
	request.material = rbl_compound_get_part(b->compound, bonds[0].part).material;
	world->opened_parts = parts, world->opened_count = count;
	rbl_world_apply_break(world, &request, broken);
	world->opened_parts = NULL, world->opened_count = 0;
}

bool rbl_world_create_estimate(rbl_world *world, rbl_world_stress *s)
{
	const rbl_body *b = &world->bodies[s->body.index];
	rbl_stress_def def = rbl_default_stress_def();
	const rbl_world_material *material = &world->materials.data[b->material];
	def.density = (double)material->values.density;
	def.strengths = (rbl_bond_strengths){ 0.0, 0.0, 0.0 };
	if (material->shared)
		def.strengths = material->shared->def.strengths;
	def.tolerance = 1e-2; // loads are no more accurate
	def.allocator = world->allocator;
	return s->stress || rbl_create_stress(&def, &s->stress) == RBL_OK;
}

static void work_on_stress(rbl_world *world, int index, int64_t *budget)
{
	rbl_world_stress *s = &world->stresses.data[index];
	rbl_body *b = &world->bodies[s->body.index];
	const rbl_body_motion *m = &world->motions[s->body.index];
	if (b->is_breaking)
		return;
	if (b->kind == RBL_BODY_DYNAMIC &&
	    (!(m->flags & RBL_BODY_AWAKE) || rbl_length(m->velocity) > resting_speed))
		return;
	bool ok = true;
	if (--s->wait <= 0) {
		s->wait = LOAD_INTERVAL;
		ok = update_loads(world, s);
	}
	if (ok && s->is_converged)
		return;
	rbl_vec3 gravity = rbl_scale(b->gravity_scale, world->def.gravity);
	gravity = rbl_rotate_inverse(m->rotation, gravity);
	rbl_stress_report report = { 0 };
	ok = ok && rbl_world_create_estimate(world, s) && list_loads(world, s) &&
	     rbl_stress_update(s->stress, b->compound, rbl_to_d(gravity), world->loads.data,
	                       world->loads.count, *budget < INT32_MAX ? (int)*budget : INT32_MAX,
	                       &report) == RBL_OK;
	if (!ok) {
		world->stats.lost_count++;
		return;
	}
	*budget -= (int64_t)rbl_maxi(report.pass_count, 1) * rbl_maxi(report.bond_count, 1);
	s->is_converged = report.is_converged;
	if (!report.is_converged || report.overloaded_count == 0)
		return;
	s->is_converged = false; // with fewer bonds the others carry more
	open_bonds(world, s, report.worst);
}

void rbl_world_update_stress(rbl_world *world)
{
	if (world->stresses.count == 0)
		return;
	uint64_t start = rbl_clock_ns();
	drop_stresses(world);
	int64_t granted = rbl_world_grant(world, RBL_PAYS_STRESS), budget = granted;
	if (granted < INT64_MAX)
		granted = budget = granted * RBL_BONDS_PER_UNIT;
	int count = world->stresses.count;
	for (int i = 0; i < count && budget > 0; ++i) {
		int at = (int)((world->next_stress + (uint32_t)i) % (uint32_t)count);
		work_on_stress(world, at, &budget);
	}
	world->stats.stress_work =
		rbl_world_pay(world, (granted - budget + RBL_BONDS_PER_UNIT - 1) / RBL_BONDS_PER_UNIT);
	world->next_stress = count > 0 ? (world->next_stress + 1) % (uint32_t)count : 0;
	world->stats.stress_ms = 1e-6 * (double)(rbl_clock_ns() - start);
}
