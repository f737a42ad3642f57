// SPDX-License-Identifier: MIT
//
// Breaking, from a hit to fragments. The path through the files:
//
//   break_request.c    a hit, a blow (rbl_body_damage) or an explosion becomes a damage request
//   break_schedule.c   requests are worked on in slices, under the fracture budget of a step
//   break_bend.c       what is too weak to break something may dent it
//   break_apply.c      a finished break changes the world: energy goes back to what hit the body,
//                      the log and the fracture event are written
//   break_fragments.c  small pieces become dust, the others bodies
//   break_joints.c     joints go to the fragments that hold their anchors
//   break_refit.c      parts, mass and kind of the body follow its changed compound
//
// Stress failure (stress_failure.c) and fracture logs (fracture_log.c) enter at break_apply.c.
//
// Of all hits that a body takes in a step only the strongest counts: one blow touches at many
// points. While a body has a request:
//
//   - another blow waits until the break is done, and meets what remains;
//   - of further hits the strongest waits likewise, except those by what is breaking it already:
//     that is still being stopped;
//   - when the body is destroyed, its requests end.

#include "world/world.h"

rbl_result rbl_world_hold_rule(rbl_world *world, const rbl_damage_rule *rule,
                               const rbl_damage_rule **held)
{
	for (int i = 0; i < world->rules.count; ++i)
		if (world->rules.data[i] == rule) { // of a fragment
			*held = rule;
			return RBL_OK;
		}
	if (rbl_damage_rule_check(rule) != RBL_OK)
		return RBL_BAD_ARGUMENT;
	for (int i = 0; i < world->rules.count; ++i)
		if (rbl_damage_rules_are_equal(world->rules.data[i], rule)) {
			*held = world->rules.data[i];
			return RBL_OK;
		}
	rbl_damage_rule *made = rbl_damage_rule_copy(&world->allocator, rule);
	if (!made || !rbl_array_push(&world->allocator, &world->rules, made)) {
		rbl_damage_rule_free(&world->allocator, made);
		return RBL_OUT_OF_MEMORY;
	}
	*held = made;
	return RBL_OK;
}

// The damage rule of a part of a body; NULL: it does not break.
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

// A vector of any length: squares of very small and very large numbers underflow and overflow.
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

static void clear_scratch(const rbl_world *world, rbl_body *b)
{
	if (b->request_stamp != world->request_stamp)
		b->request_stamp = world->request_stamp, b->active_request = b->waiting_hit = RBL_NONE;
}

// Note in each body which requests it has.
static void index_requests(rbl_world *world)
{
	world->request_stamp++;
	for (int i = 0; i < world->damage_requests.count; ++i) {
		const rbl_damage_request *r = &world->damage_requests.data[i];
		if (!rbl_world_has_body(world, r->body))
			continue;
		rbl_body *b = &world->bodies[r->body.index];
		clear_scratch(world, b);
		if (r->task)
			b->active_request = i;
		else if (!rbl_body_id_is_null(r->other))
			b->waiting_hit = i;
	}
}

bool rbl_world_breaks(const rbl_damage_rule *rule, float energy)
{
	return rule && rule->level_count > 0 && (double)energy >= rule->levels[0].energy;
}

static void request_break(rbl_world *world, const rbl_hit_event *hit, bool is_a)
{
	rbl_body_id id = is_a ? hit->body_a : hit->body_b;
	int part = is_a ? hit->part_a : hit->part_b;
	const rbl_damage_rule *rule = find_rule(world, id, part);
	if (!rbl_world_breaks(rule, hit->energy) &&
	    (!rbl_world_bends(rule, hit->energy) || world->bodies[id.index].baked_index != 0))
		return;
	rbl_body *b = &world->bodies[id.index];
	rbl_vec3 direction = is_a ? rbl_neg(hit->normal) : hit->normal;
	rbl_damage_request request = rbl_world_damage_request(world, id, hit->point, direction);
	request.other = is_a ? hit->body_b : hit->body_a;
	request.energy = hit->energy;
	request.speed = hit->speed;
	request.part = part;
	clear_scratch(world, b);
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

void rbl_world_request_breaks(rbl_world *world)
{
	if (world->hits.count == 0)
		return;
	index_requests(world);
	for (int i = 0; i < world->hits.count; ++i) {
		request_break(world, &world->hits.data[i], true);
		request_break(world, &world->hits.data[i], false);
	}
}

void rbl_world_end_request(rbl_world *world, rbl_damage_request *r)
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
			rbl_world_end_request(world, &world->damage_requests.data[i]);
}

void rbl_world_free_breaks(rbl_world *world)
{
	for (int i = 0; i < world->damage_requests.count; ++i)
		rbl_destroy_task(world->damage_requests.data[i].task);
	rbl_array_free(&world->allocator, &world->damage_requests);
}
