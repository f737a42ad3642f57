// SPDX-License-Identifier: MIT
//
// Breaking, from a hit to fragments. The path through the files:
//
//   break_request.c    a hit, a blow (rbl_body_damage), a cut (rbl_body_cut) or an explosion
//                      becomes a damage request
//   break_wear.c       hits that are too weak to break wear parts and bonds down
//   break_schedule.c   requests are worked on in slices, under the fracture budget of a step
//   break_bend.c       what is too weak to break something may dent it
//   break_placement.c  the pattern is placed and turned as the material says
//   break_passage.c    what hit a body goes on while the break is under way
//   break_apply.c      a finished break changes the world: energy goes back to what hit the body,
//                      the log and the fracture event are written
//   break_fragments.c  small pieces become dust, the others bodies
//   break_joints.c     joints go to the fragments that hold their anchors
//   break_refit.c      parts, mass and kind of the body follow its changed compound
//
// Stress failure (stress_failure.c) and fracture logs (fracture_log.c) enter at break_apply.c.
//
// All hits of a step count. One body that hits another touches it at many points, which are one
// blow: of those the strongest counts. Hits of different bodies that are closer to each other than
// the radius of a break make one break of all their energy, at the place of the strongest; others
// make breaks of their own. While a body has a request:
//
//   - another blow waits until the break is done, and meets what remains;
//   - further hits wait likewise;
//   - when the body is destroyed, its requests end.

#include "world/world.h"

#include "base/log.h"
#include "base/sort.h"

enum { MAX_WAITING = 16 }; // hits on a body; of more the energy is added to the last

bool rbl_material_can_break(const rbl_material *material)
{
	if (!material)
		return false;
	const rbl_material_def *def = &material->def;
	return def->damage.level_count > 0 || def->damage.bend_energy > 0.0 ||
	       def->damage.wear_energy > 0.0 || def->damage.bond_energy > 0.0 ||
	       def->strengths.tension > 0.0 || def->strengths.shear > 0.0 ||
	       def->strengths.compression > 0.0;
}

const rbl_damage_rule *rbl_world_part_rule(const rbl_world *world, int body,
                                           const rbl_compound *compound, int part)
{
	int material = rbl_compound_get_part(compound, part).material;
	const rbl_material_def *def =
		compound ? rbl_world_breaking(world, body, compound, material) : NULL;
	return def ? &def->damage : NULL;
}

rbl_result rbl_refuse_breaking(const rbl_material *material)
{
	return rbl_fail(RBL_UNSUPPORTED,
	                "material \"%s\" breaks, and a body without compound or asset cannot: give it "
	                "the values of the material",
	                material->name);
}

bool rbl_world_can_break(const rbl_world *world, int body)
{
	const rbl_compound *compound = rbl_body_get_compound(world, rbl_world_body_id(world, body));
	int count = rbl_compound_get_info(compound).material_count;
	const rbl_material *shared = world->materials.data[world->bodies[body].material].shared;
	for (int i = 0; i < count; ++i) {
		const rbl_material *own = rbl_compound_get_material(compound, i);
		if (rbl_material_can_break(own ? own : shared))
			return true;
	}
	return false;
}

// How a part of a body breaks; NULL: it does not.
static const rbl_damage_rule *find_rule(const rbl_world *world, rbl_body_id id, int part)
{
	if (!rbl_world_has_body(world, id))
		return NULL;
	const rbl_compound *compound = rbl_body_get_compound(world, id);
	if (world->bodies[id.index].baked_index != 0) {
		const rbl_world_baked_fragment *fragment =
			rbl_world_get_baked_fragment(world, (int)id.index, part);
		compound = fragment ? fragment->compound : NULL;
		part = 0;
	}
	return rbl_world_part_rule(world, (int)id.index, compound, part);
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
		.choice = -1.0f,
		.part = RBL_NONE,
		.seed = seed | 1,
	};
}

static void clear_scratch(const rbl_world *world, rbl_body *b)
{
	if (b->request_stamp != world->request_stamp)
		b->request_stamp = world->request_stamp, b->active_request = b->waiting_hit = RBL_NONE;
}

void rbl_world_index_requests(rbl_world *world)
{
	world->request_stamp++;
	for (int i = 0; i < world->damage_requests.count; ++i) {
		rbl_damage_request *r = &world->damage_requests.data[i];
		r->next_waiting = RBL_NONE;
		if (r->is_done || !rbl_world_has_body(world, r->body))
			continue;
		rbl_body *b = &world->bodies[r->body.index];
		clear_scratch(world, b);
		if (r->task)
			b->active_request = i;
		else
			r->next_waiting = b->waiting_hit, b->waiting_hit = i;
	}
}

bool rbl_world_has_request(const rbl_world *world, int body)
{
	const rbl_body *b = &world->bodies[body];
	return b->is_breaking || (b->request_stamp == world->request_stamp &&
	                          (b->active_request != RBL_NONE || b->waiting_hit != RBL_NONE));
}

bool rbl_world_breaks(const rbl_damage_rule *rule, float energy)
{
	return rule && rule->level_count > 0 && (double)energy >= rule->levels[0].energy;
}

static bool are_same(rbl_body_id a, rbl_body_id b)
{
	return a.index == b.index && a.generation == b.generation;
}

// Join two hits: the stronger stays, and both energies choose the break.
static void join_hits(rbl_damage_request *old, const rbl_damage_request *more)
{
	float choice = old->choice + more->choice;
	if (more->energy > old->energy) {
		int32_t next = old->next_waiting;
		*old = *more;
		old->next_waiting = next;
	}
	old->choice = choice;
}

void rbl_world_add_request(rbl_world *world, const rbl_damage_request *request,
                           const rbl_damage_rule *rule)
{
	rbl_body *b = &world->bodies[request->body.index];
	bool is_hit = !rbl_body_id_is_null(request->other);
	float reach = rule->level_count > 0 ? (float)rule->levels[0].radius : 0.0f;
	int count = 0, last = RBL_NONE;
	clear_scratch(world, b);
	const rbl_damage_request *active =
		b->active_request != RBL_NONE ? &world->damage_requests.data[b->active_request] : NULL;
	if (active && is_hit && !active->is_passed && are_same(active->other, request->other))
		return;
	for (int i = b->waiting_hit; i != RBL_NONE;) {
		rbl_damage_request *old = &world->damage_requests.data[i];
		i = old->next_waiting;
		if (old->cause != request->cause || old->choice < 0.0f || old->energy < 0.0f ||
		    rbl_body_id_is_null(old->other) == is_hit || old->is_passed)
			continue;
		if (is_hit && are_same(old->other, request->other)) {
			int32_t next = old->next_waiting;
			if (old->energy < request->energy)
				*old = *request, old->next_waiting = next;
			return;
		}
		bool is_near = rbl_distance(old->point, request->point) <= reach &&
		               (b->baked_index == 0 || old->part == request->part);
		if (is_near) {
			join_hits(old, request);
			return;
		}
		count++, last = (int)(old - world->damage_requests.data);
	}
	if (count >= MAX_WAITING) {
		join_hits(&world->damage_requests.data[last], request);
		return;
	}
	if (!rbl_array_push(&world->allocator, &world->damage_requests, *request)) {
		world->lost_events++;
		return;
	}
	rbl_damage_request *made = &world->damage_requests.data[world->damage_requests.count - 1];
	made->next_waiting = b->waiting_hit;
	b->waiting_hit = world->damage_requests.count - 1;
}

static void request_break(rbl_world *world, const rbl_hit_event *hit, bool is_a)
{
	rbl_body_id id = is_a ? hit->body_a : hit->body_b;
	int part = is_a ? hit->part_a : hit->part_b;
	const rbl_damage_rule *rule = find_rule(world, id, part);
	if (!rule)
		return;
	bool is_baked = world->bodies[id.index].baked_index != 0;
	float choice = is_baked ? hit->energy
	                        : rbl_world_wear(world, (int)id.index, part, hit->point, hit->energy);
	if (!rbl_world_breaks(rule, choice) && (!rbl_world_bends(rule, hit->energy) || is_baked))
		return;
	rbl_vec3 direction = is_a ? rbl_neg(hit->normal) : hit->normal;
	rbl_damage_request request = rbl_world_damage_request(world, id, hit->point, direction);
	request.other = is_a ? hit->body_b : hit->body_a;
	request.energy = hit->energy;
	request.choice = choice;
	request.speed = hit->speed;
	request.part = part;
	rbl_world_add_request(world, &request, rule);
}

// Whether a hit may do something to one of its bodies.
static bool may_matter(const rbl_world *world, const rbl_hit_event *hit, bool is_a)
{
	const rbl_damage_rule *rule =
		find_rule(world, is_a ? hit->body_a : hit->body_b, is_a ? hit->part_a : hit->part_b);
	return rule && (rule->level_count > 0 || rule->bend_energy > 0.0 || rule->bond_energy > 0.0);
}

// One body that hits another is one blow: keep the strongest of its hits. @return how many items
// are in `hit_order`, each twice the number of a hit and its side
static int list_blows(rbl_world *world)
{
	int count = 0;
	for (int i = 0; i < 2 * world->hits.count; ++i) {
		const rbl_hit_event *hit = &world->hits.data[i / 2];
		bool is_a = i % 2 == 0;
		if (!may_matter(world, hit, is_a))
			continue;
		rbl_sort_item64 item = { (uint64_t)(is_a ? hit->body_a : hit->body_b).index << 32 |
			                         (is_a ? hit->body_b : hit->body_a).index,
			                     (uint32_t)i, 0 };
		world->hit_order.count = count;
		if (!rbl_array_push(&world->allocator, &world->hit_order, item)) {
			world->lost_events++;
			break;
		}
		count++;
	}
	if (!rbl_array_reserve(&world->allocator, &world->hit_order, 2 * count + 1))
		return 0;
	rbl_sort_item64 *items = world->hit_order.data;
	rbl_sort64(items, items + count, count);
	int kept = 0;
	for (int i = 0, end; i < count; i = end) {
		uint32_t best = items[i].value;
		for (end = i + 1; end < count && items[end].key == items[i].key; ++end)
			if (world->hits.data[items[end].value / 2].energy > world->hits.data[best / 2].energy)
				best = items[end].value;
		items[kept++] = (rbl_sort_item64){ best, best, 0 };
	}
	rbl_sort64(items, items + kept, kept); // in the order of hits again
	return kept;
}

void rbl_world_request_breaks(rbl_world *world)
{
	int count = world->hits.count > 0 ? list_blows(world) : 0;
	if (count == 0)
		return;
	rbl_world_index_requests(world);
	for (int i = 0; i < count; ++i) {
		uint32_t at = world->hit_order.data[i].value;
		request_break(world, &world->hits.data[at / 2], at % 2 == 0);
	}
}

void rbl_world_end_request(rbl_world *world, rbl_damage_request *r)
{
	if (r->task && rbl_world_has_body(world, r->body))
		world->bodies[r->body.index].is_breaking = false;
	rbl_destroy_early_fields(world, r->fields);
	r->fields = NULL;
	rbl_destroy_task(r->task);
	r->task = NULL;
	r->is_done = true;
	rbl_world_end_passing(world, r);
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
	rbl_destroy_pattern(world->two_sides);
	for (int i = 0; i < world->damage_requests.count; ++i) {
		rbl_destroy_early_fields(world, world->damage_requests.data[i].fields);
		rbl_destroy_task(world->damage_requests.data[i].task);
	}
	rbl_array_free(&world->allocator, &world->damage_requests);
	rbl_array_free(&world->allocator, &world->passing);
	rbl_array_free(&world->allocator, &world->hit_order);
	rbl_array_free(&world->allocator, &world->failing);
	rbl_array_free(&world->allocator, &world->failing_order);
	rbl_array_free(&world->allocator, &world->blasts);
	rbl_array_free(&world->allocator, &world->blown);
}
