// SPDX-License-Identifier: MIT
//
// Breaking, second part: requests are worked on under a budget.
//
// A break is a task of the room `fracture`, worked on in slices. Every step gives each request a
// slice in turn until their budget (budget.h) is spent, so that a small break is not kept waiting
// by a huge one; that one ends in a later step with the same pieces, since place, pattern and seed
// are those of the hit. Until then the body is whole and keeps moving, and what hit it goes on
// (break_passage.c). Fields of what comes off are made in slices as well: break_fields.c.

#include "world/world.h"

#include "base/clock.h"
#include "base/log.h"

#include <limits.h>

// Work per slice, in the unit of rbl_begin_break(). A constant: the number of slices is all that a
// snapshot has to know about the progress of a request.
enum { SLICE = 32 };

// Exposed triangles that are made, and looked through for dust and chips, in the time of a cut.
enum { EXPOSED_PER_CUT = 16 };

rbl_compound *rbl_world_own_compound(rbl_world *world, int body)
{
	rbl_body *b = &world->bodies[body];
	if (!b->compound && b->asset &&
	    rbl_asset_create_compound(b->asset, &world->allocator, &b->compound) != RBL_OK)
		return NULL;
	rbl_destroy_asset((rbl_asset *)(uintptr_t)b->asset);
	b->asset = NULL;
	return b->compound;
}

// Copying the compound of a building takes longer than a step may, so it is done while the body is
// created. Should it fail, the first break tries again. Smaller ones are copied when they are hit;
// what takes longest of that is done once for the asset.
void rbl_world_prepare_breaking(rbl_world *world, int body)
{
	enum { LARGE = 256 };
	const rbl_body *b = &world->bodies[body];
	if (!b->asset || !rbl_world_can_break(world, body))
		return;
	if (rbl_compound_get_info(rbl_asset_get_compound(b->asset)).part_count >= LARGE)
		rbl_world_own_compound(world, body);
	else
		rbl_asset_prepare_solids(b->asset);
}

// The part that was hit, or the one that is nearest to the point.
static int part_of_request(const rbl_damage_request *r, const rbl_compound *compound)
{
	double distance = DBL_MAX;
	if (rbl_compound_get_part(compound, r->part).convex)
		return r->part;
	return rbl_world_nearest_part(compound, rbl_to_d(r->point), &distance);
}

static int material_of(const rbl_damage_request *r, const rbl_compound *compound)
{
	return rbl_compound_get_part(compound, part_of_request(r, compound)).material;
}

// A blow acts on the health of what it meets, once.
static void act(rbl_world *world, int index)
{
	rbl_damage_request r = world->damage_requests.data[index];
	const rbl_compound *compound = rbl_body_get_compound(world, r.body);
	int part = compound ? part_of_request(&r, compound) : RBL_NONE;
	rbl_vec3 point = rbl_transform_point(rbl_body_pose(world, r.body), r.point);
	float choice = 0.0f;
	if (part != RBL_NONE)
		choice = rbl_world_wear(world, (int)r.body.index, part, point, r.energy);
	world->damage_requests.data[index].choice = choice;
}

// A break that fails is counted and logged, with the reason: this thread's last error, unless
// memory ran out.
static void lose_break(rbl_world *world, rbl_damage_request *r, rbl_result result)
{
	const char *reason = result == RBL_OUT_OF_MEMORY ? "" : rbl_last_error();
	world->stats.lost_count++;
	rbl_log(RBL_LOG_WARNING, "body %u.%u does not break: %s", r->body.index, r->body.generation,
	        *reason ? reason : rbl_result_text(result));
	rbl_world_end_request(world, r);
}

// @return RBL_OK, also when the plane misses the body: then there is no task
static rbl_result begin_cut(rbl_world *world, rbl_damage_request *r)
{
	int body = (int)r->body.index;
	rbl_break_def def;
	bool passes = false;
	rbl_result result =
		rbl_world_place_cut(world, rbl_body_get_compound(world, r->body), r, &def, &passes);
	if (result == RBL_OK && !passes) {
		rbl_world_end_request(world, r);
		return RBL_OK;
	}
	rbl_compound *compound = result == RBL_OK ? rbl_world_own_compound(world, body) : NULL;
	result = compound ? rbl_begin_cut(compound, &def, &r->task) : RBL_OUT_OF_MEMORY;
	if (result != RBL_OK)
		lose_break(world, r, result);
	else
		world->bodies[body].is_breaking = true;
	return result;
}

// @return RBL_OK, also when the energy is too low: then there is no task
static rbl_result begin_break(rbl_world *world, rbl_damage_request *r)
{
	if (r->cause == RBL_FRACTURE_CUT)
		return begin_cut(world, r);
	int body = (int)r->body.index;
	rbl_body *b = &world->bodies[body];
	// Whether it breaks at all is decided before an asset is copied for it.
	const rbl_compound *current = rbl_body_get_compound(world, r->body);
	const rbl_material_def *material = rbl_world_breaking(world, body, current, r->material);
	rbl_break_def chosen = rbl_default_break_def();
	bool breaks = false;
	rbl_result result = RBL_OK;
	if (material)
		result = rbl_damage_choose(&material->damage, current, (double)r->choice, r->seed, &chosen,
		                           &breaks);
	if (result == RBL_OK && !breaks) {
		rbl_world_end_request(world, r);
		return RBL_OK;
	}
	if (result != RBL_OK) {
		lose_break(world, r, result);
		return result;
	}
	rbl_compound *compound = rbl_world_own_compound(world, body);
	rbl_break_def def = rbl_world_break_def(world, material, chosen.pattern, r, r->seed);
	def.radius = r->radius < INFINITY ? (double)r->radius : chosen.radius;
	// Rounded as the request keeps it: resumed from a snapshot, the break is the same.
	def.radius = (double)(float)def.radius;
	result = compound ? rbl_begin_break(compound, &def, &r->task) : RBL_OUT_OF_MEMORY;
	if (result != RBL_OK) {
		lose_break(world, r, result);
		return result;
	}
	r->radius = (float)def.radius;
	b->is_breaking = true;
	return RBL_OK;
}

static void finish_break(rbl_world *world, int index, int64_t *budget)
{
	rbl_damage_request r = world->damage_requests.data[index];
	rbl_world_measure_joint_anchors(world, (int)r.body.index);
	rbl_break *broken = NULL;
	rbl_result result = rbl_finish_break(r.task, &broken);
	if (result != RBL_OK) {
		lose_break(world, &world->damage_requests.data[index], result);
		return;
	}
	world->damage_requests.data[index].task = NULL;
	world->damage_requests.data[index].fields = NULL;
	world->damage_requests.data[index].is_done = true;
	rbl_world_end_passing(world, &r);
	world->bodies[r.body.index].is_breaking = false;
	rbl_break_data data = rbl_break_get_data(broken);
	*budget -= data.made_count + data.compound_count;
	world->early_fields = r.fields;
	*budget -= rbl_world_apply_break(world, &r, broken) / EXPOSED_PER_CUT;
	world->early_fields = NULL;
	rbl_destroy_early_fields(world, r.fields);
}

// @param is_ready  receives whether the break can be applied
static rbl_result work_one_slice(const rbl_world *world, rbl_damage_request *r, bool *is_ready)
{
	rbl_result result = rbl_task_work(r->task, SLICE, is_ready);
	if (result == RBL_OK && *is_ready)
		*is_ready = rbl_world_make_early_fields(world, r, SLICE);
	return result;
}

static bool should_bend(const rbl_world *world, const rbl_damage_request *r)
{
	const rbl_compound *compound = rbl_body_get_compound(world, r->body);
	const rbl_material_def *material =
		rbl_world_breaking(world, (int)r->body.index, compound, r->material);
	return compound && material && !rbl_world_breaks(&material->damage, r->choice) &&
	       rbl_world_bends(&material->damage, r->energy);
}

static void work_on_break(rbl_world *world, int index, int64_t *budget)
{
	rbl_damage_request *r = &world->damage_requests.data[index];
	if (r->energy < 0.0f) { // only refit it to its compound
		r->is_done = true;
		*budget -= SLICE;
		rbl_world_refit_or_retry(world, r->body);
		return;
	}
	if (world->bodies[r->body.index].baked_index != 0) {
		*budget -= SLICE;
		rbl_world_release_damaged(world, index);
		return;
	}
	if (!r->task && r->choice < 0.0f) {
		act(world, index);
		r = &world->damage_requests.data[index];
	}
	if (!r->task)
		r->material = material_of(r, rbl_body_get_compound(world, r->body));
	if (!r->task && r->cause != RBL_FRACTURE_CUT && should_bend(world, r)) {
		rbl_damage_request bend = *r;
		r->is_done = true;
		*budget -=
			SLICE + rbl_compound_get_info(rbl_body_get_compound(world, r->body)).part_count / 4;
		rbl_world_end_passing(world, &bend);
		rbl_world_bend(world, &bend);
		return;
	}
	if (!r->task)
		begin_break(world, r);
	if (r->is_done)
		return;
	bool is_ready = false;
	rbl_result result = work_one_slice(world, r, &is_ready);
	r->slice_count++;
	*budget -= SLICE;
	if (result != RBL_OK) {
		lose_break(world, r, result);
	} else if (is_ready) {
		finish_break(world, index, budget);
	}
}

// One slice for each body with a request. @return whether work is left
static bool work_one_round(rbl_world *world, int count, int64_t *budget)
{
	bool is_left = false;
	world->break_pass++;
	for (int i = 0; i < count; ++i) {
		rbl_damage_request *r = &world->damage_requests.data[i];
		if (r->is_done)
			continue;
		if (!rbl_world_has_body(world, r->body)) {
			rbl_world_end_request(world, r);
			continue;
		}
		if (*budget <= 0)
			return true;
		rbl_body *b = &world->bodies[r->body.index];
		is_left = true;
		if (b->break_pass == world->break_pass)
			continue; // an earlier request goes first
		b->break_pass = world->break_pass;
		work_on_break(world, i, budget);
	}
	return is_left;
}

static void drop_done(rbl_world *world)
{
	int kept = 0;
	for (int i = 0; i < world->damage_requests.count; ++i)
		if (!world->damage_requests.data[i].is_done)
			world->damage_requests.data[kept++] = world->damage_requests.data[i];
	world->damage_requests.count = kept;
}

void rbl_world_update_breaks(rbl_world *world)
{
	uint64_t start = rbl_clock_ns();
	rbl_world_request_breaks(world);
	int64_t granted = rbl_world_grant(world, RBL_PAYS_BREAKS), budget = granted;
	int count = world->damage_requests.count; // requests made now wait for the next step
	while (budget > 0 && work_one_round(world, count, &budget))
		;
	rbl_world_open_bonds(world, &budget);
	rbl_world_let_hitters_pass(world);
	drop_done(world);
	rbl_world_push_fragments(world);
	rbl_world_count_passing(world);
	world->stats.breaking_count = world->damage_requests.count;
	world->stats.fracture_work = rbl_world_pay(world, granted - budget);
	world->stats.fracture_ms = 1e-6 * (double)(rbl_clock_ns() - start);
}

rbl_result rbl_world_resume_break(rbl_world *world, rbl_damage_request *r)
{
	rbl_result result = begin_break(world, r);
	if (!r->task)
		return result == RBL_OUT_OF_MEMORY ? result : RBL_BAD_FILE;
	bool is_ready = false;
	for (int i = 0; i < r->slice_count && result == RBL_OK && !is_ready; ++i)
		result = work_one_slice(world, r, &is_ready);
	return result == RBL_OK && is_ready ? RBL_BAD_FILE : result;
}
