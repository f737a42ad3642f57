// SPDX-License-Identifier: MIT
//
// The narrow phase: manifolds of all active pairs. Each pair takes the cheapest path that is
// safe:
//
//   apart      the direction that separated it before still does, by more than it can close in this
//              step: one support point of each convex
//   reused     it touches, and has moved so little since its manifold was made (1 mm and half a
//              degree when slow, 3 mm and two degrees when fast) that the solver carries the
//              manifold along with the bodies
//   refreshed  the features that touched before are clipped again
//   searched   all axes are tested
//
// `collide` decides between the last two. Pairs of a merged list (manifold_merging.c) are updated
// together, with the first of them: all are reused, or none. In turn, one of 64 touching pairs is
// collided again in each step even if it rests.
//
// Blocks of pairs run in parallel. A pair that keeps touching is updated at once, in the solver
// too; what begins or ceases to touch is listed by block and applied in order afterwards
// (contacts.c).

#include "world/world.h"

enum {
	BLOCK = 256,
	REFRESH_INTERVAL = 64,
	PREFETCH_DISTANCE = 6,
	CONTACT_AHEAD = 4, // and then half of it
	POLYHEDRON_BYTES = 1024
};

// Metres, squares of half angles in radians, and metres per second.
#define SLOW_TRANSLATION 0.001f
#define SLOW_ROTATION (0.0043633f * 0.0043633f)
#define FAST_TRANSLATION 0.003f
#define FAST_ROTATION (0.0174533f * 0.0174533f)
#define FAST_SPEED 0.1f

typedef struct narrow_work {
	rbl_world *world;
	float dt;
	uint32_t round;
	float slow_translation, fast_translation, fast_speed; // squares
} narrow_work;

// The two bodies of a pair.
typedef struct pair_view {
	const rbl_body_motion *a, *b;
	rbl_vec3 closing; // velocity of A relative to B
	float base;       // margin at rest
} pair_view;

static inline rbl_vec3 relative_translation(const rbl_body_motion *a, const rbl_body_motion *b)
{
	return rbl_rotate_inverse(a->rotation, rbl_sub(b->centre, a->centre));
}

static inline rbl_quat relative_rotation(const rbl_body_motion *a, const rbl_body_motion *b)
{
	rbl_quat q = rbl_quat_mul(rbl_quat_conjugate(a->rotation), b->rotation);
	return q.w < 0.0f ? (rbl_quat){ -q.x, -q.y, -q.z, -q.w } : q;
}

static float quat_w(rbl_vec3 rotation)
{
	return sqrtf(rbl_maxf(0.0f, 1.0f - rbl_length_squared(rotation)));
}

static bool is_unmoved(const narrow_work *work, const rbl_pair_record *pair, const pair_view *view)
{
	bool is_fast = rbl_length_squared(view->closing) > work->fast_speed;
	rbl_vec3 translation =
		rbl_sub(relative_translation(view->a, view->b), pair->cached_translation);
	if (rbl_length_squared(translation) >
	    (is_fast ? work->fast_translation : work->slow_translation))
		return false;
	rbl_quat q = relative_rotation(view->a, view->b);
	rbl_vec3 rotation = rbl_sub((rbl_vec3){ q.x, q.y, q.z }, pair->cached_rotation);
	float real = q.w - quat_w(pair->cached_rotation);
	return rbl_length_squared(rotation) + real * real <= (is_fast ? FAST_ROTATION : SLOW_ROTATION);
}

static void cache_pose(rbl_pair_record *pair, const pair_view *view)
{
	pair->cached_translation = relative_translation(view->a, view->b);
	rbl_quat q = relative_rotation(view->a, view->b);
	pair->cached_rotation = (rbl_vec3){ q.x, q.y, q.z };
	pair->flags |= RBL_PAIR_POSE_CACHED;
}

static pair_view view_pair(const narrow_work *work, const rbl_pair_record *pair)
{
	const rbl_world *world = work->world;
	int a = world->hot_parts[pair->a].body, b = world->hot_parts[pair->b].body;
	pair_view view = { .a = &world->motions[a], .b = &world->motions[b] };
	view.closing = rbl_sub(view.a->velocity, view.b->velocity);
	view.base = view.a->margin + view.b->margin;
	return view;
}

static bool add_new_manifold(const rbl_world *world, rbl_narrow_block *block, int pair,
                             const rbl_manifold *manifold)
{
	rbl_new_manifold entry = { .pair = pair, .manifold = *manifold };
	return rbl_array_push(&world->allocator, &block->found, entry);
}

static void update_sensor_pair(const narrow_work *work, int index, rbl_narrow_block *block,
                               int worker)
{
	rbl_world *world = work->world;
	rbl_pair_record *pair = &world->pairs[index];
	const rbl_world_part *a = &world->parts[pair->a], *b = &world->parts[pair->b];
	bool is_touching;
	rbl_manifold manifold = { .point_count = 0 };
	if (pair->flags & RBL_PAIR_FIELD) {
		is_touching = rbl_world_fields_touch(world, index, worker, &block->ran_out);
	} else if (pair->flags & RBL_PAIR_SURFACE) {
		rbl_separation gap = { .distance = 1.0f };
		is_touching = rbl_collider_distance(a->collider, rbl_world_part_pose(world, pair->a),
		                                    b->collider, rbl_world_part_pose(world, pair->b),
		                                    rbl_world_length(world, 0.01f), &gap) == RBL_OK &&
		              gap.distance <= 0.0f;
	} else {
		is_touching = rbl_collide_pair(a->collider->polyhedron, rbl_world_part_pose(world, pair->a),
		                               b->collider->polyhedron, rbl_world_part_pose(world, pair->b),
		                               0.0f, &pair->cache, &manifold, NULL);
	}
	block->searched++;
	if (is_touching == !!(pair->flags & RBL_PAIR_REPORTED))
		return;
	if (is_touching ? !add_new_manifold(world, block, index, &manifold)
	                : !rbl_array_push(&world->allocator, &block->lost, index))
		block->ran_out = true;
}

// List a pair that is deep, perhaps for long.
static void list_deep_pair(const rbl_world *world, int index, rbl_narrow_block *block)
{
	if ((world->pairs[index].flags & RBL_PAIR_DEEP) &&
	    !rbl_array_push(&world->allocator, &block->deep, index))
		block->ran_out = true;
}

// Whether the search among the points of a field pair is to go on, although nothing has moved.
static bool is_incomplete(const rbl_world *world, const rbl_pair_record *pair)
{
	return (pair->flags & RBL_PAIR_FIELD) && pair->contact != RBL_NONE &&
	       world->surfaces.data[pair->contact].field->is_incomplete;
}

// Whether a field pair that had no contacts is still apart: it has hardly moved since it was
// looked at, and is slow. Nothing was nearer then than gravity can close in a step.
static bool is_field_still_apart(const narrow_work *work, const rbl_pair_record *pair,
                                 const pair_view *view)
{
	// By translation, by rotation, and within the step.
	const float distance = rbl_world_length(work->world, 0.0005f);
	if (!(pair->flags & RBL_PAIR_FIELD) || !(pair->flags & RBL_PAIR_POSE_CACHED) ||
	    (pair->flags & RBL_PAIR_POINTS) || work->dt * rbl_length(view->closing) > distance)
		return false;
	rbl_quat q = relative_rotation(view->a, view->b);
	rbl_vec3 rotation = rbl_sub((rbl_vec3){ q.x, q.y, q.z }, pair->cached_rotation);
	float radius = rbl_minf(view->a->bounding_radius, view->b->bounding_radius);
	rbl_vec3 spin = rbl_sub(view->a->angular_velocity, view->b->angular_velocity);
	rbl_vec3 moved = rbl_sub(relative_translation(view->a, view->b), pair->cached_translation);
	return rbl_length(moved) <= distance && 2.0f * rbl_length(rotation) * radius <= distance &&
	       work->dt * rbl_length(spin) * radius <= distance;
}

static void update_surface_pair(const narrow_work *work, int index, const pair_view *view,
                                rbl_narrow_block *block, int worker)
{
	rbl_world *world = work->world;
	rbl_pair_record *pair = &world->pairs[index];
	if (world->solver && (pair->flags & RBL_PAIR_POSE_CACHED) && (pair->flags & RBL_PAIR_POINTS) &&
	    is_unmoved(work, pair, view) && !is_incomplete(world, pair)) {
		block->reused++;
		list_deep_pair(world, index, block);
		return;
	}
	if (world->solver && is_field_still_apart(work, pair, view)) {
		block->apart++;
		return;
	}
	float margin =
		rbl_minf(rbl_world_length(world, 1.0f), view->base + work->dt * rbl_length(view->closing));
	if (pair->contact == RBL_NONE) {
		// contacts.c creates its record after this stage, and the next step updates it: the
		// margin of its boxes lasts that long. A new pair is collided there.
		block->ran_out |= !rbl_array_push(&world->allocator, &block->lost, index);
		return;
	}
	const rbl_world_surface_contacts *surface = &world->surfaces.data[pair->contact];
	bool ok =
		surface->field
			? rbl_world_find_field_manifolds(world, index, work->dt, margin, surface->field, worker)
			: rbl_contacts_update(surface->contacts, world->parts[pair->a].collider,
	                              rbl_world_part_pose(world, pair->a),
	                              world->parts[pair->b].collider,
	                              rbl_world_part_pose(world, pair->b), margin) == RBL_OK;
	block->refreshed++;
	cache_pose(pair, view);
	if (!ok || !rbl_array_push(&world->allocator, &block->lost, index)) {
		pair->flags &= ~(uint32_t)RBL_PAIR_POSE_CACHED;
		block->ran_out = true;
	}
}

static bool is_still_apart(const narrow_work *work, int index, const pair_view *view)
{
	const rbl_world *world = work->world;
	const rbl_pair_record *pair = &world->pairs[index];
	if ((pair->flags & RBL_PAIR_POINTS) || pair->cache.kind != RBL_SAT_APART)
		return false;
	const rbl_polyhedron *form_a = world->hot_parts[pair->a].polyhedron;
	const rbl_polyhedron *form_b = world->hot_parts[pair->b].polyhedron;
	rbl_polyhedron_pair pose = { .a = form_a,
		                         .b = form_b,
		                         .pose_a = rbl_world_part_pose(world, pair->a),
		                         .pose_b = rbl_world_part_pose(world, pair->b) };
	float approach = work->dt * rbl_dot(view->closing, pair->cache.direction);
	return rbl_sat_separation(&pose, pair->cache.direction) - form_a->radius - form_b->radius >
	       view->base + rbl_maxf(approach, 0.0f);
}

// Collide a pair at its present pose. @return whether the manifold has points
static bool collide_pair(const narrow_work *work, int index, const pair_view *view,
                         rbl_narrow_block *block, rbl_manifold *manifold)
{
	rbl_world *world = work->world;
	rbl_pair_record *pair = &world->pairs[index];
	float margin =
		rbl_minf(rbl_world_length(world, 1.0f), view->base + work->dt * rbl_length(view->closing));
	*manifold = (rbl_manifold){ .child_a = world->parts[pair->a].child,
		                        .child_b = world->parts[pair->b].child };
	rbl_collide_counts counts = { 0, 0, 0 };
	bool has_points =
		rbl_collide_pair(world->hot_parts[pair->a].polyhedron, rbl_world_part_pose(world, pair->a),
	                     world->hot_parts[pair->b].polyhedron, rbl_world_part_pose(world, pair->b),
	                     margin, &pair->cache, manifold, &counts);
	block->apart += (int)counts.apart;
	block->refreshed += (int)counts.refreshed;
	block->searched += (int)counts.searched;
	return has_points;
}

// The overlap at which bodies that were made in each other are pushed apart, in metres, shared by
// all pairs of both, as long as they are deeper than RBL_SOLVER_DEEP_PENETRATION. A hundred come
// apart by some decimetres a second.
static const float dissolve_depth = 0.03f;

static void dissolve(const rbl_world *world, rbl_pair_record *pair, const rbl_manifold *manifold)
{
	float depth = -rbl_manifold_min_separation(manifold);
	int count = world->parts[pair->a].pair_count + world->parts[pair->b].pair_count;
	float most = rbl_world_length(world, dissolve_depth) / (float)count;
	if (depth <= rbl_world_length(world, RBL_SOLVER_DEEP_PENETRATION))
		pair->flags &= ~(uint32_t)RBL_PAIR_DISSOLVES;
	rbl_solver_limit_allowed_penetration(world->solver,
	                                     world->contacts.data[pair->contact].solver_contact,
	                                     rbl_maxf(depth - most, 0.0f));
}

static void update_convex_pair(const narrow_work *work, int index, const pair_view *view,
                               rbl_narrow_block *block)
{
	rbl_world *world = work->world;
	rbl_pair_record *pair = &world->pairs[index];
	bool had_points = pair->flags & RBL_PAIR_POINTS;
	if (is_still_apart(work, index, view)) {
		block->apart++;
		return;
	}
	// Without a solver nothing carries a manifold along.
	bool is_due = !world->solver || (((uint32_t)index ^ work->round) & (REFRESH_INTERVAL - 1)) == 0;
	bool dissolves = world->solver && (pair->flags & RBL_PAIR_DISSOLVES);
	is_due |= dissolves;
	if (had_points && !is_due && (pair->flags & RBL_PAIR_POSE_CACHED) &&
	    is_unmoved(work, pair, view)) {
		block->reused++;
		list_deep_pair(world, index, block);
		return;
	}
	if (had_points && world->solver) // it arrives while the pair is collided
		rbl_solver_prefetch_lane(world->solver, world->contacts.data[pair->contact].solver_contact);
	rbl_manifold manifold;
	bool has_points = collide_pair(work, index, view, block, &manifold);
	if (has_points && world->solver && rbl_world_is_internal_contact(world, pair, &manifold)) {
		has_points = false;
		manifold.point_count = 0;
	}
	if (has_points)
		cache_pose(pair, view);
	rbl_world_flag_deep_pair(world, pair, rbl_manifold_min_separation(&manifold));
	list_deep_pair(world, index, block);
	if (has_points && had_points) {
		RBL_ASSERT(pair->contact != RBL_NONE);
		rbl_world_contact *contact = &world->contacts.data[pair->contact];
		contact->manifold = manifold;
		if (dissolves)
			dissolve(world, pair, &manifold);
		rbl_world_recover(world, pair->contact);
		rbl_world_end_recovery(world, pair, rbl_manifold_min_separation(&manifold));
		if (world->solver && rbl_world_pair_can_roll(world, index))
			rbl_world_set_contact_radii(world, pair->contact);
		bool is_new = !(pair->flags & RBL_PAIR_REPORTED); // it may touch for the first time
		if (!is_new && (!world->solver || rbl_solver_update_manifold(
											  world->solver, contact->solver_contact, &manifold)))
			return;
	}
	if (has_points ? !add_new_manifold(world, block, index, &manifold)
	               : had_points && !rbl_array_push(&world->allocator, &block->lost, index)) {
		pair->flags &= ~(uint32_t)RBL_PAIR_POSE_CACHED; // try again
		block->ran_out = true;
	}
}

// --- merged lists -------------------------------------------------------------------------------

// How far the surfaces of two bodies may have rotated relative to each other before their whole
// list is updated, slow and fast, in metres: merging leaves out points that do not touch yet.
static const float slow_arc = 0.002f, fast_arc = 0.006f;

static bool has_cached_rotation(const narrow_work *work, const rbl_pair_record *pair,
                                const pair_view *view)
{
	bool is_fast = rbl_length_squared(view->closing) > work->fast_speed;
	rbl_quat q = relative_rotation(view->a, view->b);
	rbl_vec3 rotation = rbl_sub((rbl_vec3){ q.x, q.y, q.z }, pair->cached_rotation);
	float bounding_radius = 2.0f * rbl_minf(view->a->bounding_radius, view->b->bounding_radius);
	return rbl_length(rotation) * bounding_radius <=
	       rbl_world_length(work->world, is_fast ? fast_arc : slow_arc);
}

static bool are_all_unmoved(const narrow_work *work, int first, const pair_view *view)
{
	const rbl_world *world = work->world;
	const rbl_pair_record *pair = &world->pairs[first];
	bool is_due = (((uint32_t)first ^ work->round) & (REFRESH_INTERVAL - 1)) == 0;
	if (is_due || !(pair->flags & RBL_PAIR_POSE_CACHED) || !is_unmoved(work, pair, view) ||
	    !has_cached_rotation(work, pair, view))
		return false;
	if (rbl_length_squared(view->closing) <= work->fast_speed)
		return true; // what was apart cannot touch within the step
	int index = first;
	do {
		if (!(world->pairs[index].flags & RBL_PAIR_POINTS) && !is_still_apart(work, index, view))
			return false;
		index = world->links[index].next_merged;
	} while (index != first);
	return true;
}

// @param is_deep   set when the pair is deep
// @param has_some  set when it has points, or had
// @return false when memory ran out
static bool update_merged_pair(const narrow_work *work, int index, const pair_view *view,
                               rbl_narrow_block *block, bool *is_deep, bool *has_some)
{
	rbl_world *world = work->world;
	rbl_pair_record *pair = &world->pairs[index];
	bool had_points = pair->flags & RBL_PAIR_POINTS;
	if (is_still_apart(work, index, view)) {
		block->apart++;
		return true;
	}
	rbl_manifold manifold;
	bool has_points = collide_pair(work, index, view, block, &manifold);
	rbl_world_flag_deep_pair(world, pair, rbl_manifold_min_separation(&manifold));
	*is_deep |= !!(pair->flags & RBL_PAIR_DEEP);
	*has_some |= has_points || had_points;
	if (has_points && had_points && (pair->flags & RBL_PAIR_REPORTED)) {
		rbl_world_contact *contact = &world->contacts.data[pair->contact];
		rbl_world_update_allowed_penetration(world, contact, &manifold, true);
		contact->manifold = manifold;
		return true;
	}
	return has_points ? add_new_manifold(world, block, index, &manifold)
	                  : !had_points || rbl_array_push(&world->allocator, &block->lost, index);
}

static void update_merged_list(const narrow_work *work, int first, const pair_view *view,
                               rbl_narrow_block *block)
{
	rbl_world *world = work->world;
	if (are_all_unmoved(work, first, view)) {
		block->reused++;
		list_deep_pair(world, first, block);
		return;
	}
	int index = first;
	// Two bodies that do not touch, and did not, have nothing to merge; except for new lists, and
	// when memory ran out before.
	bool ok = true, is_deep = false;
	bool has_some = !(world->pairs[first].flags & RBL_PAIR_POSE_CACHED);
	do {
		int next = world->links[index].next_merged;
		rbl_prefetch(&world->pairs[next]);
		rbl_prefetch(&world->links[next]);
		ok &= update_merged_pair(work, index, view, block, &is_deep, &has_some);
		index = next;
	} while (index != first);
	if (is_deep)
		world->pairs[first].flags |= RBL_PAIR_DEEP;
	else
		world->pairs[first].flags &= ~(uint32_t)RBL_PAIR_DEEP;
	list_deep_pair(world, first, block);
	cache_pose(&world->pairs[first], view);
	if (!ok || (has_some && !rbl_array_push(&world->allocator, &block->merged, first))) {
		world->pairs[first].flags &= ~(uint32_t)RBL_PAIR_POSE_CACHED;
		block->ran_out = true;
	}
}

static void update_pair(const narrow_work *work, int index, rbl_narrow_block *block, int worker)
{
	rbl_world *world = work->world;
	rbl_pair_record *pair = &world->pairs[index];
	pair_view view = view_pair(work, pair);
	if (!((view.a->flags | view.b->flags) & RBL_BODY_AWAKE)) {
		pair->flags |= RBL_PAIR_IDLE;
		block->has_idle = true;
		if (!(pair->flags & RBL_PAIR_SENSOR))
			return; // a sensor that was moved is tested once
	}
	if (pair->flags & RBL_PAIR_SENSOR)
		update_sensor_pair(work, index, block, worker);
	else if (pair->flags & RBL_PAIR_SURFACE)
		update_surface_pair(work, index, &view, block, worker);
	else if (pair->flags & RBL_PAIR_MERGED)
		update_merged_list(work, index, &view, block);
	else
		update_convex_pair(work, index, &view, block);
}

// Whether a pair that touches will hardly be reused: its contact is about to be written.
static bool is_restless(const narrow_work *work, const rbl_pair_record *pair)
{
	const rbl_world *world = work->world;
	const uint32_t others = RBL_PAIR_SENSOR | RBL_PAIR_SURFACE | RBL_PAIR_MERGED;
	if (!(pair->flags & RBL_PAIR_POINTS) || (pair->flags & others) || !world->solver)
		return false;
	const rbl_body_motion *a = &world->motions[world->hot_parts[pair->a].body];
	const rbl_body_motion *b = &world->motions[world->hot_parts[pair->b].body];
	return rbl_length_squared(rbl_sub(a->velocity, b->velocity)) > work->fast_speed;
}

// The contact in the world leads to the one in the solver, and that to its lane in a block.
static void prefetch_contacts(const narrow_work *work, int i, int end)
{
	const rbl_world *world = work->world;
	if (i + CONTACT_AHEAD / 2 >= end)
		return;
	const rbl_pair_record *near = &world->pairs[world->active.data[i + CONTACT_AHEAD / 2]];
	if (is_restless(work, near))
		rbl_solver_prefetch_contact(world->solver,
		                            world->contacts.data[near->contact].solver_contact);
	if (i + CONTACT_AHEAD >= end)
		return;
	const rbl_pair_record *next = &world->pairs[world->active.data[i + CONTACT_AHEAD]];
	if (!is_restless(work, next))
		return;
	const char *contact = (const char *)&world->contacts.data[next->contact];
	rbl_prefetch(contact);
	rbl_prefetch(contact + RBL_CACHE_LINE);
}

// A pair that is apart or reused mostly waits for memory: its record, then what that refers to.
// Only within a block: another worker may be writing to the next.
static void prefetch_pairs(const rbl_world *world, int i, int end)
{
	if (i + 2 * PREFETCH_DISTANCE < end)
		rbl_prefetch(&world->pairs[world->active.data[i + 2 * PREFETCH_DISTANCE]]);
	if (i + PREFETCH_DISTANCE >= end)
		return;
	const rbl_pair_record *next = &world->pairs[world->active.data[i + PREFETCH_DISTANCE]];
	const rbl_world_part_hot *a = &world->hot_parts[next->a], *b = &world->hot_parts[next->b];
	rbl_prefetch(&world->motions[a->body]);
	rbl_prefetch(&world->motions[b->body]);
	if (!a->polyhedron || !b->polyhedron)
		return;
	if (next->cache.kind == RBL_SAT_APART) {
		rbl_prefetch(a->polyhedron);
		rbl_prefetch(b->polyhedron);
	} else if (next->cache.kind == RBL_SAT_NONE) { // all of both will be read
		for (int k = 0; k < POLYHEDRON_BYTES; k += RBL_CACHE_LINE) {
			rbl_prefetch((const char *)a->polyhedron + k);
			rbl_prefetch((const char *)b->polyhedron + k);
		}
	}
}

static void update_pair_block(void *context, int begin, int end, int worker)
{
	const narrow_work *work = context;
	rbl_world *world = work->world;
	rbl_narrow_block *block = &world->blocks.data[begin / BLOCK];
	for (int i = begin; i < end; ++i) {
		prefetch_pairs(world, i, end);
		prefetch_contacts(work, i, end);
		update_pair(work, world->active.data[i], block, worker);
	}
}

// Active pairs in the order of their records; memory is reserved.
static void list_active(rbl_world *world)
{
	const rbl_bit_set *set = &world->active_pairs;
	int n = 0;
	for (int word = 0; word < rbl_bit_words(set->bit_count); ++word)
		for (uint64_t bits = set->words[word] & ~world->follower_pairs.words[word]; bits != 0;
		     bits &= bits - 1)
			world->active.data[n++] = (word << 6) + rbl_lowest_one(bits);
	world->active.count = n;
}

bool rbl_world_reserve_blocks(rbl_world *world, int count)
{
	int old = world->blocks.count;
	if (count <= old)
		return true;
	if (!rbl_array_resize(&world->allocator, &world->blocks, count))
		return false;
	memset(world->blocks.data + old, 0, (size_t)(count - old) * sizeof *world->blocks.data);
	return true;
}

static bool prepare_blocks(rbl_world *world)
{
	for (int i = 0; i < world->blocks.count; ++i) { // also when there is no memory for more
		rbl_narrow_block *block = &world->blocks.data[i];
		block->found.count = block->lost.count = block->merged.count = block->deep.count = 0;
		block->apart = block->reused = block->refreshed = block->searched = 0;
		block->has_idle = false;
		block->ran_out = false;
	}
	return rbl_world_reserve_blocks(world, (world->active.count + BLOCK - 1) / BLOCK);
}

static void drop_idle(rbl_world *world)
{
	for (int i = 0; i < world->active.count; ++i) {
		if (!world->blocks.data[i / BLOCK].has_idle) {
			i += BLOCK - 1 - i % BLOCK;
			continue;
		}
		int index = world->active.data[i];
		if (!(world->pairs[index].flags & RBL_PAIR_IDLE))
			continue;
		world->pairs[index].flags &= ~(uint32_t)RBL_PAIR_IDLE;
		rbl_bit_set_remove(&world->active_pairs, index);
		if (!(world->pairs[index].flags & RBL_PAIR_MERGED))
			continue;
		for (int k = world->links[index].next_merged; k != index; k = world->links[k].next_merged)
			rbl_bit_set_remove(&world->active_pairs, k);
	}
}

bool rbl_world_update_manifolds(rbl_world *world, float dt)
{
	list_active(world);
	if (!prepare_blocks(world) ||
	    (world->field_part_count > 0 && !rbl_world_prepare_field_work(world)))
		return false;
	float slow = rbl_world_length(world, SLOW_TRANSLATION);
	float fast = rbl_world_length(world, FAST_TRANSLATION);
	float speed = rbl_world_speed(world, FAST_SPEED);
	narrow_work work = { .world = world,
		                 .dt = dt,
		                 .round = (uint32_t)world->stats.step_count,
		                 .slow_translation = slow * slow,
		                 .fast_translation = fast * fast,
		                 .fast_speed = speed * speed };
	world->stats.active_count = world->active.count;
	rbl_parallel_for(world->def.jobs, world->active.count, BLOCK, update_pair_block, &work);
	rbl_world_stats *s = &world->stats;
	s->apart_count = s->reused_count = s->refreshed_count = s->searched_count = 0;
	bool ok = true;
	for (int i = 0; i < world->blocks.count; ++i) {
		const rbl_narrow_block *block = &world->blocks.data[i];
		s->apart_count += block->apart;
		s->reused_count += block->reused;
		s->refreshed_count += block->refreshed;
		s->searched_count += block->searched;
		ok &= !block->ran_out;
		for (int k = 0; k < block->deep.count; ++k)
			rbl_world_flag_deep_bodies(world, block->deep.data[k]);
	}
	drop_idle(world);
	return ok;
}
