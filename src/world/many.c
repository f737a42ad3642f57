// SPDX-License-Identifier: MIT
//
// Two bodies that touch with many of their parts.
//
// A crack is one plane, and what lies on both sides of it is cut into parts: two fragments, or a
// fragment and what is left of the wall, touch in that plane with some twenty pairs of parts, each
// with four points. Rigid bodies need four in all. So pairs of the same two bodies, of which one
// has several parts, are in a list. The narrow phase looks at a list as a whole, when its bodies
// have moved against each other; then manifolds with the same normal are put together here, and the
// four of their points that spread widest go to the solver as one contact. Every pair keeps its own
// manifold, begins and ends by itself, and has a contact of the solver, most of them without
// points.
//
// What must not be lost on the way:
//
//   - Impulses. One of the pairs leads: it was the first with this normal, and its contact has the
//     points as long as it touches. When it ceases to, another with that normal takes over its
//     contact, and with it the impulses; nobody wakes.
//   - Overlap at birth is each pair's own, so it is added to separations here, and contacts of such
//     lists have none for the solver.
//   - Points that do not touch yet, but may within the step, are chosen after those that do.
//
// Lists are rings in the order of their records, and the first pair stands for all: nothing depends
// on when a pair came into it. Bodies whose bonds may fail keep all of their contacts, since it
// matters there which part is pushed.

#include "world/world.h"

#include "base/assert.h"

enum {
	MOST_KINDS = 24,   // normals of a list
	MOST_POINTS = 64,  // of a kind that are compared at once
	MERGE_BLOCK = 256, // lists of a block of work
};

// Normals are the same above this cosine.
static const float same_normal = 0.98f;

// A contact is taken over above this one.
static const float like_normal = 0.9f;

// What is farther than this from touching does not touch, in metres.
static const float touch_slop = 0.002f;

// What is slower than this, in metres per second, and deeper than that, in metres, is jammed.
static const float calm_speed = 0.1f, jam_depth = 0.001f;

// --- lists --------------------------------------------------------------------------------------

bool rbl_world_is_many(const rbl_world *world, int body_a, int body_b)
{
	const rbl_body *a = &world->bodies[body_a], *b = &world->bodies[body_b];
	// Pieces of a host are of many fragments, in no common plane; and they come and go.
	return world->solver && (a->piece_count > 1 || b->piece_count > 1) && !a->is_strained &&
	       !b->is_strained && a->host == 0 && b->host == 0;
}

static uint64_t key_of(const rbl_world *world, int pair)
{
	int a = world->hot_pieces[world->pairs[pair].a].body;
	int b = world->hot_pieces[world->pairs[pair].b].body;
	return (uint64_t)rbl_mini(a, b) << 32 | (uint32_t)rbl_maxi(a, b);
}

int rbl_world_join_many(rbl_world *world, int pair)
{
	rbl_pair_links *links = world->links;
	uint32_t *first =
		rbl_map_add(&world->allocator, &world->first_of_many, key_of(world, pair), (uint32_t)pair);
	RBL_ASSERT(first); // room was made
	int head = (int)*first;
	if (head == pair) {
		links[pair].next_many = links[pair].previous_many = pair;
		return pair;
	}
	int after = links[head].previous_many;
	if (pair < head) {
		*first = (uint32_t)pair;
		rbl_bit_set_add(&world->later_pairs, head);
		world->pairs[head].flags &= ~(uint32_t)RBL_PAIR_SEEN;
	} else {
		rbl_bit_set_add(&world->later_pairs, pair);
		while (after > pair)
			after = links[after].previous_many;
	}
	int before = links[after].next_many;
	links[pair].previous_many = after, links[pair].next_many = before;
	links[after].next_many = links[before].previous_many = pair;
	return (int)*first;
}

void rbl_world_leave_many(rbl_world *world, int pair)
{
	rbl_pair_links *links = world->links;
	uint64_t key = key_of(world, pair);
	int head = (int)rbl_map_get(&world->first_of_many, key);
	int next = links[pair].next_many, previous = links[pair].previous_many;
	links[next].previous_many = previous, links[previous].next_many = next;
	rbl_bit_set_remove(&world->later_pairs, pair);
	if (next == pair) {
		rbl_map_remove(&world->first_of_many, key);
	} else if (head == pair) {
		rbl_map_set(&world->allocator, &world->first_of_many, key, (uint32_t)next);
		rbl_bit_set_remove(&world->later_pairs, next);
	} else if (world->pairs[pair].flags & RBL_PAIR_POINTS) { // which others must make up for
		world->pairs[head].flags &= ~(uint32_t)RBL_PAIR_SEEN;
	}
}

void rbl_world_look_again(rbl_world *world, int pair)
{
	world->pairs[pair].flags &= ~(uint32_t)RBL_PAIR_SEEN;
	if (world->pairs[pair].flags & RBL_PAIR_MANY) // the first of a list says so for all
		world->pairs[rbl_map_get(&world->first_of_many, key_of(world, pair))].flags &=
			~(uint32_t)RBL_PAIR_SEEN;
}

int rbl_world_touch_near(const rbl_world *world, int touch, rbl_vec3 point)
{
	int first = world->touches.data[touch].pair, pair = first, best = touch;
	if (!(world->pairs[first].flags & RBL_PAIR_MANY))
		return touch;
	float least = FLT_MAX;
	do {
		int other = world->pairs[pair].touch;
		const rbl_manifold *m = other == RBL_NONE ? NULL : &world->touches.data[other].manifold;
		rbl_vec3 middle = { 0.0f, 0.0f, 0.0f };
		for (int i = 0; m && i < m->point_count; ++i)
			middle = rbl_add_scaled(middle, 1.0f / (float)m->point_count, m->points[i].position);
		float square = rbl_length_squared(rbl_sub(middle, point));
		if (m && m->point_count > 0 && square < least)
			least = square, best = other;
		pair = world->links[pair].next_many;
	} while (pair != first);
	return best;
}

// --- kinds of normals ---------------------------------------------------------------------------

// Pairs of a list with the same normal.
typedef struct kind {
	rbl_vec3 normal; // from the lower body to the other
	int leader;      // a touch
} kind;

typedef struct merge {
	rbl_world *world;
	int first; // pair
	float slop;
	rbl_block_result *block;
	uint32_t inner; // pairs, by their place in the list, that do not count
	int kind_count;
	kind kinds[MOST_KINDS];
} merge;

// The first kind with such a normal; when there is no room for more, the nearest. RBL_NONE: it is
// new.
static int find_kind(const merge *m, rbl_vec3 normal)
{
	float most = -2.0f;
	int nearest = RBL_NONE;
	for (int i = 0; i < m->kind_count; ++i) {
		float dot = rbl_dot(m->kinds[i].normal, normal);
		if (dot > same_normal)
			return i;
		if (dot > most)
			most = dot, nearest = i;
	}
	return m->kind_count < MOST_KINDS ? RBL_NONE : nearest;
}

// The touch of a pair that counts: not of a face inside of a body. NULL: it does not.
static const rbl_touch *counting(const merge *m, int pair, int place)
{
	bool is_inner = place < 32 && (m->inner >> place & 1);
	return is_inner ? NULL : rbl_world_touching(m->world, pair);
}

// Those whose contacts have points come first, so that they go on leading.
static void find_kinds(merge *m)
{
	const rbl_world *world = m->world;
	for (int has_points = 1; has_points >= 0; --has_points) {
		int pair = m->first, place = 0;
		do {
			const rbl_touch *touch = counting(m, pair, place++);
			if (touch && rbl_solver_has_points(world->solver, touch->contact) == has_points) {
				rbl_vec3 normal = rbl_world_touch_normal(world, touch);
				if (find_kind(m, normal) == RBL_NONE)
					m->kinds[m->kind_count++] = (kind){ normal, world->pairs[pair].touch };
			}
			pair = world->links[pair].next_many;
		} while (pair != m->first);
	}
}

static bool is_leader(const merge *m, int touch)
{
	for (int i = 0; i < m->kind_count; ++i)
		if (m->kinds[i].leader == touch)
			return true;
	return false;
}

// --- points -------------------------------------------------------------------------------------

typedef struct choice {
	rbl_manifold_point points[MOST_POINTS];
	int count;
} choice;

static void put_first(choice *c, int *chosen, int best)
{
	rbl_manifold_point point = c->points[best];
	c->points[best] = c->points[*chosen];
	c->points[(*chosen)++] = point;
}

// Of points `begin` to `end`, the one that is worth most; RBL_NONE when none is worth anything.
typedef float worth_function(const choice *c, int chosen, int i, rbl_vec3 normal);

static int find_best(const choice *c, int chosen, int end, rbl_vec3 normal, worth_function *worth)
{
	int best = RBL_NONE;
	float most = 1e-8f;
	for (int i = chosen; i < end; ++i) {
		float value = worth(c, chosen, i, normal);
		if (value > most)
			most = value, best = i;
	}
	return best;
}

static float worth_far(const choice *c, int chosen, int i, rbl_vec3 normal)
{
	(void)chosen, (void)normal;
	return rbl_length_squared(rbl_sub(c->points[i].position, c->points[0].position));
}

// Twice the area to the left, or right, of the first two.
static float area(const choice *c, int i, rbl_vec3 normal)
{
	rbl_vec3 translation = rbl_sub(c->points[1].position, c->points[0].position);
	return rbl_dot(normal, rbl_cross(translation, rbl_sub(c->points[i].position, c->points[0].position)));
}

static float worth_left(const choice *c, int chosen, int i, rbl_vec3 normal)
{
	(void)chosen;
	return area(c, i, normal);
}

static float worth_right(const choice *c, int chosen, int i, rbl_vec3 normal)
{
	(void)chosen;
	return -area(c, i, normal);
}

// Beyond a side of the triangle, any of them.
static float worth_beyond(const choice *c, int chosen, int i, rbl_vec3 normal)
{
	(void)chosen;
	float outwards = area(c, 2, normal) > 0.0f ? -1.0f : 1.0f, most = 0.0f;
	for (int k = 0; k < 3; ++k) {
		rbl_vec3 from = c->points[k].position, to = c->points[(k + 1) % 3].position;
		rbl_vec3 arm = rbl_sub(c->points[i].position, from);
		float beyond = outwards * rbl_dot(normal, rbl_cross(rbl_sub(to, from), arm));
		most = rbl_maxf(most, beyond);
	}
	return most;
}

// The widest of points `0` to `end`, put to the front; `chosen` of them are there already.
static int spread(choice *c, int chosen, int end, rbl_vec3 normal)
{
	static worth_function *const worths[] = { NULL, worth_far, worth_left, worth_beyond };
	while (chosen > 0 && chosen < RBL_MAX_MANIFOLD_POINTS) {
		int best = find_best(c, chosen, end, normal, worths[chosen]);
		if (best == RBL_NONE && chosen == 2) // all are to the right
			best = find_best(c, chosen, end, normal, worth_right);
		if (best == RBL_NONE)
			break;
		put_first(c, &chosen, best);
	}
	return chosen;
}

// Leave four. What touches comes first, of that the one farthest along the normal's first tangent,
// so that at rest the choice is the same in every step; the deepest is always one of them.
static void reduce(choice *c, rbl_vec3 normal, float slop)
{
	if (c->count <= RBL_MAX_MANIFOLD_POINTS)
		return;
	float deepest = FLT_MAX;
	for (int i = 0; i < c->count; ++i)
		deepest = rbl_minf(deepest, c->points[i].separation);
	int near = 0;
	for (int i = 0; i < c->count; ++i)
		if (c->points[i].separation <= rbl_maxf(deepest, 0.0f) + slop)
			put_first(c, &near, i);
	rbl_vec3 tangent =
		fabsf(normal.y) < 0.7f ? (rbl_vec3){ 0.0f, 1.0f, 0.0f } : (rbl_vec3){ 1.0f, 0.0f, 0.0f };
	int start = 0, chosen = 0;
	for (int i = 1; i < near; ++i)
		if (rbl_dot(c->points[i].position, tangent) > rbl_dot(c->points[start].position, tangent))
			start = i;
	put_first(c, &chosen, start);
	chosen = spread(c, chosen, near, normal);
	chosen = spread(c, chosen, c->count, normal);
	int least = 0;
	for (int i = 1; i < c->count; ++i)
		if (c->points[i].separation < c->points[least].separation)
			least = i;
	if (least >= chosen) {
		int place = rbl_mini(chosen, RBL_MAX_MANIFOLD_POINTS - 1);
		for (int i = 0; chosen == RBL_MAX_MANIFOLD_POINTS && i < chosen; ++i)
			if (rbl_length_squared(rbl_sub(c->points[i].position, c->points[least].position)) <
			    rbl_length_squared(rbl_sub(c->points[place].position, c->points[least].position)))
				place = i;
		c->points[place] = c->points[least];
		chosen = rbl_maxi(chosen, place + 1);
	}
	c->count = chosen;
}

static void add_points(choice *c, const rbl_touch *touch, rbl_vec3 normal, float slop)
{
	if (c->count + RBL_MAX_MANIFOLD_POINTS > MOST_POINTS)
		reduce(c, normal, slop);
	float deepest =
		touch->rest_depth > RBL_SOLVER_DEEP_PENETRATION ? -RBL_SOLVER_DEEP_PUSH : -FLT_MAX;
	for (int i = 0; i < touch->manifold.point_count; ++i) {
		rbl_manifold_point point = touch->manifold.points[i];
		point.separation = rbl_maxf(point.separation + touch->rest_depth, deepest);
		point.id += (uint32_t)touch->pair * 2654435761u;
		c->points[c->count++] = point;
	}
}

// All points of a kind as one manifold.
static rbl_manifold put_together(const merge *m, int of)
{
	const rbl_world *world = m->world;
	rbl_vec3 normal = m->kinds[of].normal;
	choice c;
	c.count = 0;
	int pair = m->first, place = 0;
	do {
		const rbl_touch *touch = counting(m, pair, place++);
		if (touch && find_kind(m, rbl_world_touch_normal(world, touch)) == of)
			add_points(&c, touch, normal, m->slop);
		pair = world->links[pair].next_many;
	} while (pair != m->first);
	reduce(&c, normal, m->slop);
	rbl_manifold manifold = { .normal = normal, .point_count = c.count };
	memcpy(manifold.points, c.points, (size_t)c.count * sizeof *c.points);
	return manifold;
}

// --- in the solver ------------------------------------------------------------------------------

static void give(merge *m, int touch, const rbl_manifold *manifold)
{
	rbl_world *world = m->world;
	if (rbl_solver_update_manifold(world->solver, world->touches.data[touch].contact, manifold))
		return;
	rbl_found later = { touch, *manifold };
	if (!rbl_array_push(&world->allocator, &m->block->found, later)) {
		world->pairs[m->first].flags &= ~(uint32_t)RBL_PAIR_SEEN;
		m->block->ran_out = true;
	}
}

// A leader without points takes over the contact of one that leads no longer.
static void take_over(merge *m, int touch)
{
	rbl_world *world = m->world;
	rbl_touch *old = &world->touches.data[touch], *best = NULL;
	rbl_vec3 normal = rbl_solver_report_contact(world->solver, old->contact).normal;
	float most = like_normal;
	for (int i = 0; i < m->kind_count; ++i) {
		rbl_touch *leader = &world->touches.data[m->kinds[i].leader];
		float dot = rbl_dot(normal, m->kinds[i].normal);
		if (dot > most && !rbl_solver_has_points(world->solver, leader->contact))
			most = dot, best = leader;
	}
	if (!best)
		return;
	rbl_solver_swap_contact_users(world->solver, old->contact, best->contact);
	int contact = old->contact;
	old->contact = best->contact;
	best->contact = contact;
}

// Contacts with points of pairs that do not lead.
static void end_others(merge *m)
{
	rbl_world *world = m->world;
	const rbl_manifold none = { .point_count = 0 };
	int pair = m->first;
	do {
		int touch = world->pairs[pair].touch;
		if (touch != RBL_NONE && !is_leader(m, touch) &&
		    rbl_solver_has_points(world->solver, world->touches.data[touch].contact)) {
			take_over(m, touch);
			if (rbl_solver_has_points(world->solver, world->touches.data[touch].contact))
				give(m, touch, &none);
		}
		pair = world->links[pair].next_many;
	} while (pair != m->first);
}

// --- rubble that is jammed ----------------------------------------------------------------------

// Broken pieces fill their places without a gap. When some of them have moved by a little, others
// are wedged between them: contacts on all sides overlap by millimetres, push with a thousand times
// the weight of the piece, and contradict each other, so that nothing near them comes to rest.
// Stone would crumble there. Overlap of two bodies made of parts that hardly move is taken as
// overlap at birth, half of it at each look. A load that rests on something does not come to that:
// it needs more than a hundred times the weight of the lighter one for a millimetre. Shapes without
// parts, like floors, never yield.
static bool can_yield(const rbl_world *world, int body)
{
	const rbl_body *b = &world->bodies[body];
	return (b->compound || b->asset) &&
	       rbl_length_squared(world->motions[body].velocity) < calm_speed * calm_speed;
}

static void yield_some(rbl_world *world, int first)
{
	int pair = first;
	do {
		rbl_touch *touch =
			rbl_world_touching(world, pair) ? &world->touches.data[world->pairs[pair].touch] : NULL;
		float least = 0.0f;
		for (int i = 0; touch && i < touch->manifold.point_count; ++i)
			least = rbl_minf(least, touch->manifold.points[i].separation);
		float depth = touch ? -least - touch->rest_depth : 0.0f;
		if (depth > jam_depth)
			touch->rest_depth += 0.5f * (depth - jam_depth);
		pair = world->links[pair].next_many;
	} while (pair != first);
}

// --- all lists ----------------------------------------------------------------------------------

static void merge_list(rbl_world *world, int first, float dt, rbl_block_result *block)
{
	const rbl_pair_record *pair = &world->pairs[first];
	int body_a = world->hot_pieces[pair->a].body, body_b = world->hot_pieces[pair->b].body;
	rbl_vec3 a = world->motions[body_a].velocity, b = world->motions[body_b].velocity;
	if (can_yield(world, body_a) && can_yield(world, body_b))
		yield_some(world, first);
	merge m = { .world = world,
		        .first = first,
		        .slop = touch_slop + dt * rbl_length(rbl_sub(a, b)),
		        .block = block,
		        .inner = rbl_world_inner_pairs(world, first) };
	find_kinds(&m);
	end_others(&m);
	for (int i = 0; i < m.kind_count; ++i) {
		rbl_manifold manifold = put_together(&m, i);
		give(&m, m.kinds[i].leader, &manifold);
	}
}

typedef struct merge_work {
	rbl_world *world;
	const int32_t *lists; // their first pairs
	float dt;
} merge_work;

static void merge_block(void *context, int begin, int end, int worker)
{
	(void)worker;
	const merge_work *work = context;
	for (int i = begin; i < end; ++i)
		merge_list(work->world, work->lists[i], work->dt,
		           &work->world->blocks.data[begin / MERGE_BLOCK]);
}

// Contacts that begin or cease to have points, in order.
static bool give_later(rbl_world *world, rbl_block_result *block)
{
	bool ok = !block->ran_out;
	for (int i = 0; i < block->found.count; ++i) {
		const rbl_found *later = &block->found.data[i];
		if (rbl_solver_set_manifold(world->solver, world->touches.data[later->pair].contact,
		                            &later->manifold) == RBL_OK)
			continue;
		rbl_world_look_again(world, world->touches.data[later->pair].pair);
		ok = false;
	}
	return ok;
}

bool rbl_world_merge(rbl_world *world, float dt)
{
	int count = 0, n = 0;
	for (int i = 0; i < world->blocks.count; ++i)
		count += world->blocks.data[i].many.count;
	if (count == 0)
		return true;
	rbl_arena_reset(&world->arena);
	int32_t *lists = RBL_ARENA_NEW(&world->arena, int32_t, count);
	for (int i = 0; i < world->blocks.count; ++i)
		for (int k = 0; k < world->blocks.data[i].many.count; ++k) {
			int first = world->blocks.data[i].many.data[k];
			if (lists)
				lists[n++] = first;
			else
				world->pairs[first].flags &= ~(uint32_t)RBL_PAIR_SEEN; // look again
		}
	if (!lists)
		return false;
	// A block of the narrow phase has at least as many pairs as one of these has lists.
	int block_count = (count + MERGE_BLOCK - 1) / MERGE_BLOCK;
	RBL_ASSERT(block_count <= world->blocks.count);
	for (int i = 0; i < block_count; ++i)
		world->blocks.data[i].found.count = 0, world->blocks.data[i].ran_out = false;
	merge_work work = { world, lists, dt };
	rbl_parallel_for(world->def.jobs, count, MERGE_BLOCK, merge_block, &work);
	bool ok = true;
	for (int i = 0; i < block_count; ++i)
		ok &= give_later(world, &world->blocks.data[i]);
	return ok;
}
