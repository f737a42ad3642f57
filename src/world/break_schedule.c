// SPDX-License-Identifier: MIT
//
// Who breaks, and when: hits and blows become requests, and requests become breaks under a budget.
//
// Of all hits that a body takes in a step the strongest counts: one blow touches at many points. A
// break is a task of the room `fracture`, worked on in slices. Every step gives each request a
// slice in turn until the budget is spent, so that a small break beside a huge one is not kept
// waiting, and the huge one ends in a later step, with the same pieces: place, pattern and seed are
// those of the hit. Until then the body is whole and goes on moving. What happens to it meanwhile:
//
//   - another blow waits until the break is done, and meets what remains;
//   - of further hits the strongest waits likewise, except those of the thing that it already
//     breaks by: that is still being stopped;
//   - a body that is destroyed takes its requests along.

#include "world/break.h"

#include "base/clock.h"
#include "base/log.h"
#include "world/bake.h"

#include <limits.h>

// Work per turn, in the unit of rbl_begin_break(). A constant: a request is as far as its number of
// slices tells, which is all that a snapshot has to know.
enum { SLICE = 32 };

// --- requests -----------------------------------------------------------------------------------

// What a part of a body breaks by; NULL: it does not.
static const rbl_damage_rule *find_rule(const rbl_world *world, rbl_body_id id, int part)
{
	if (!rbl_world_has_body(world, id))
		return NULL;
	const rbl_body *b = &world->bodies[id.index];
	if (b->baked_index != 0) {
		const rbl_world_baked_fragment *fragment =
			rbl_world_get_baked_fragment(world, (int)id.index, part);
		return fragment ? fragment->damage : NULL;
	}
	return b->compound || b->asset ? b->damage : NULL;
}

// Of any length: squares of very small and very large numbers are none.
static rbl_vec3 normalize_any(rbl_vec3 v)
{
	float size = rbl_maxf(fabsf(v.x), rbl_maxf(fabsf(v.y), fabsf(v.z)));
	if (size < 1e-15f || size > 1e15f)
		v = (rbl_vec3){ v.x / size, v.y / size, v.z / size };
	return rbl_normalize(v);
}

rbl_damage_request rbl_world_damage_request(const rbl_world *world, rbl_body_id body,
                                            rbl_vec3 point, rbl_vec3 direction)
{
	uint64_t seed =
		rbl_hash_number(rbl_hash_number(RBL_HASH_START, (uint64_t)world->stats.step_count),
	                    (uint64_t)body.index << 32 | body.generation);
	rbl_transform pose = rbl_body_pose(world, body);
	return (rbl_damage_request){
		.body = body,
		.point = rbl_transform_point_inverse(pose, point),
		.direction = rbl_rotate_inverse(pose.rotation, normalize_any(direction)),
		.radius = INFINITY,
		.part = RBL_NONE,
		.seed = seed | 1,
	};
}

// What is asked of each body by now.
static void index_requests(rbl_world *world)
{
	world->request_stamp++;
	for (int i = 0; i < world->damage_requests.count; ++i) {
		const rbl_damage_request *r = &world->damage_requests.data[i];
		if (!rbl_world_has_body(world, r->body))
			continue;
		rbl_body *b = &world->bodies[r->body.index];
		if (b->request_stamp != world->request_stamp)
			b->request_stamp = world->request_stamp, b->active_request = b->waiting_hit = RBL_NONE;
		if (r->task)
			b->active_request = i;
		else if (!rbl_body_id_is_null(r->other))
			b->waiting_hit = i;
	}
}

static void request_break(rbl_world *world, const rbl_hit_event *hit, bool is_a)
{
	rbl_body_id id = is_a ? hit->body_a : hit->body_b;
	const rbl_damage_rule *rule = find_rule(world, id, is_a ? hit->part_a : hit->part_b);
	bool breaks = rule && rule->level_count > 0 && (double)hit->energy >= rule->levels[0].energy;
	if (!breaks &&
	    (!rbl_world_bends(rule, hit->energy) || world->bodies[id.index].baked_index != 0))
		return;
	rbl_body *b = &world->bodies[id.index];
	rbl_vec3 direction = is_a ? rbl_neg(hit->normal) : hit->normal;
	rbl_damage_request request = rbl_world_damage_request(world, id, hit->point, direction);
	request.other = is_a ? hit->body_b : hit->body_a;
	request.energy = hit->energy;
	request.speed = hit->speed;
	request.part = is_a ? hit->part_a : hit->part_b;
	if (b->request_stamp != world->request_stamp)
		b->request_stamp = world->request_stamp, b->active_request = b->waiting_hit = RBL_NONE;
	if (b->active_request != RBL_NONE) {
		rbl_body_id by = world->damage_requests.data[b->active_request].other;
		if (by.index == request.other.index && by.generation == request.other.generation)
			return;
	}
	if (b->waiting_hit != RBL_NONE) {
		rbl_damage_request *old = &world->damage_requests.data[b->waiting_hit];
		if (old->energy < request.energy)
			*old = request;
		return;
	}
	b->waiting_hit = world->damage_requests.count;
	if (!rbl_array_push(&world->allocator, &world->damage_requests, request)) {
		b->waiting_hit = RBL_NONE;
		world->lost_events++;
	}
}

static void request_breaks_of_hits(rbl_world *world)
{
	if (world->hits.count == 0)
		return;
	index_requests(world);
	for (int i = 0; i < world->hits.count; ++i) {
		request_break(world, &world->hits.data[i], true);
		request_break(world, &world->hits.data[i], false);
	}
}

static void end_request(rbl_world *world, rbl_damage_request *r)
{
	if (r->task && rbl_world_has_body(world, r->body))
		world->bodies[r->body.index].is_breaking = false;
	rbl_destroy_task(r->task);
	r->task = NULL;
	r->is_done = true;
}

void rbl_world_cancel_breaks(rbl_world *world, int body)
{
	if (!world->bodies[body].is_breaking)
		return;
	for (int i = 0; i < world->damage_requests.count; ++i)
		if ((int)world->damage_requests.data[i].body.index == body)
			end_request(world, &world->damage_requests.data[i]);
}

// --- breaking -----------------------------------------------------------------------------------

rbl_compound *rbl_world_own_compound(rbl_world *world, int body)
{
	rbl_body *b = &world->bodies[body];
	if (!b->compound && b->asset &&
	    rbl_asset_create_compound(b->asset, &world->allocator, &b->compound) != RBL_OK)
		return NULL;
	b->asset = NULL;
	return b->compound;
}

// Copying a building takes longer than a step may: it is done while the body is made, when that is
// likely to be expected. Should it fail, the first break tries again.
void rbl_world_prepare_breaking(rbl_world *world, int body)
{
	enum { LARGE = 256 };
	const rbl_body *b = &world->bodies[body];
	if (b->damage && b->asset &&
	    rbl_compound_get_info(rbl_asset_get_compound(b->asset)).part_count >= LARGE)
		rbl_world_own_compound(world, body);
}

// The material of the part that was hit, or of the one that is nearest to the point.
static int material_of(const rbl_damage_request *r, const rbl_compound *compound)
{
	double distance = DBL_MAX;
	int part = r->part;
	if (!rbl_compound_get_part(compound, part).convex)
		part = rbl_world_nearest_part(compound, rbl_to_d(r->point), &distance);
	return rbl_compound_get_part(compound, part).material;
}

// A blow that should break something and does not is counted and named; why is in the log already,
// unless memory ran out.
static void lose_break(rbl_world *world, rbl_damage_request *r, rbl_result result)
{
	world->stats.lost_count++;
	rbl_log(RBL_LOG_WARNING, "body %u.%u does not break: %s", r->body.index, r->body.generation,
	        rbl_result_text(result));
	end_request(world, r);
}

// @return RBL_OK also when the blow is too weak: then there is no task
static rbl_result begin_break(rbl_world *world, rbl_damage_request *r)
{
	int body = (int)r->body.index;
	rbl_body *b = &world->bodies[body];
	// What is too small is found out before an asset is copied for it.
	const rbl_compound *current = rbl_body_get_compound(world, r->body);
	rbl_break_def def = rbl_default_break_def();
	bool breaks = false;
	rbl_result result =
		rbl_damage_choose(b->damage, current, (double)r->energy, r->seed, &def, &breaks);
	if (result == RBL_OK && !breaks) {
		end_request(world, r);
		return RBL_OK;
	}
	if (result != RBL_OK) {
		lose_break(world, r, result);
		return result;
	}
	rbl_compound *compound = rbl_world_own_compound(world, body);
	if (r->radius < INFINITY)
		def.radius = (double)r->radius;
	if (!b->damage->turns_pattern)
		def.rotation_seed = 0;
	// As the request keeps it: begun anew from a snapshot, the break is the same.
	def.radius = (double)(float)def.radius;
	def.position = rbl_to_d(r->point);
	def.jobs = world->def.jobs;
	result = compound ? rbl_begin_break(compound, &def, &r->task) : RBL_OUT_OF_MEMORY;
	if (result != RBL_OK) {
		lose_break(world, r, result);
		return result;
	}
	r->material = material_of(r, compound);
	r->radius = (float)def.radius;
	r->seed = def.rotation_seed;
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
	world->damage_requests.data[index].is_done = true;
	world->bodies[r.body.index].is_breaking = false;
	rbl_break_data data = rbl_break_get_data(broken);
	*budget -= data.made_count + data.compound_count;
	rbl_world_apply_break(world, &r, broken);
}

static bool should_bend(const rbl_world *world, const rbl_damage_request *r)
{
	const rbl_damage_rule *rule = world->bodies[r->body.index].damage;
	bool breaks = rule && rule->level_count > 0 && (double)r->energy >= rule->levels[0].energy;
	return !breaks && rbl_world_bends(rule, r->energy) && rbl_body_get_compound(world, r->body);
}

static void work_on_break(rbl_world *world, int index, int64_t *budget)
{
	rbl_damage_request *r = &world->damage_requests.data[index];
	if (r->energy < 0.0f) { // only to be fitted to what its compound is by now
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
	if (!r->task && should_bend(world, r)) {
		rbl_damage_request bend = *r;
		r->is_done = true;
		*budget -=
			SLICE + rbl_compound_get_info(rbl_body_get_compound(world, r->body)).part_count / 4;
		rbl_world_bend(world, &bend);
		return;
	}
	if (!r->task)
		begin_break(world, r);
	if (r->is_done)
		return;
	bool is_ready = false;
	rbl_result result = rbl_task_work(r->task, SLICE, &is_ready);
	r->slice_count++;
	*budget -= SLICE;
	if (result != RBL_OK) {
		lose_break(world, r, result);
	} else if (is_ready) {
		finish_break(world, index, budget);
	}
}

// One slice for each body that is to break. @return whether something is left to do
static bool work_one_round(rbl_world *world, int count, int64_t *budget)
{
	bool is_left = false;
	world->break_pass++;
	for (int i = 0; i < count; ++i) {
		rbl_damage_request *r = &world->damage_requests.data[i];
		if (r->is_done)
			continue;
		if (!rbl_world_has_body(world, r->body)) {
			end_request(world, r);
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
	request_breaks_of_hits(world);
	int64_t budget = world->def.fracture_budget > 0 ? world->def.fracture_budget : INT64_MAX;
	int count = world->damage_requests.count; // what is asked for now waits for the next step
	while (budget > 0 && work_one_round(world, count, &budget))
		;
	drop_done(world);
	world->stats.breaking_count = world->damage_requests.count;
	world->stats.fracture_ms = 1e-6 * (double)(rbl_clock_ns() - start);
}

void rbl_world_free_breaks(rbl_world *world)
{
	for (int i = 0; i < world->damage_requests.count; ++i)
		rbl_destroy_task(world->damage_requests.data[i].task);
	rbl_array_free(&world->allocator, &world->damage_requests);
}

rbl_result rbl_world_resume_break(rbl_world *world, rbl_damage_request *r)
{
	rbl_result result = begin_break(world, r);
	if (!r->task)
		return result == RBL_OUT_OF_MEMORY ? result : RBL_BAD_FILE;
	bool is_ready = false;
	for (int i = 0; i < r->slice_count && result == RBL_OK && !is_ready; ++i)
		result = rbl_task_work(r->task, SLICE, &is_ready);
	return result == RBL_OK && is_ready ? RBL_BAD_FILE : result;
}
