// SPDX-License-Identifier: MIT
//
// Pairs of parts whose boxes overlap.
//
// The broad phase reports which pairs begin and end; records live in between. A record is found
// through the lists of its parts, the shorter of the two: about a dozen entries in a pile. There
// is no table of all pairs, whose growth would show as a spike. Free records are reused last in,
// first out.
//
// Which pairs begin and end is a fact of the boxes, but the order in which the broad phase
// reports them depends on its history. So changes are sorted by part: a world does not depend on
// the kind or the budget of its broad phase, and a loaded world continues in the same way.

#include "world/world.h"

#include "base/sort.h"
#include "world/recording.h"

enum { ENDED_BLOCK = 64 };

int rbl_world_find_pair(const rbl_world *world, int a, int b)
{
	int part = world->parts[a].pair_count <= world->parts[b].pair_count ? a : b;
	int pair = world->parts[part].first_pair;
	while (pair != RBL_NONE && !(world->pairs[pair].a == a && world->pairs[pair].b == b))
		pair = rbl_world_next_pair(world, part, pair);
	return pair;
}

static void link_pair(rbl_world *world, int pair, int part, bool is_a)
{
	rbl_world_part *p = &world->parts[part];
	int first = p->first_pair;
	rbl_pair_links *links = &world->links[pair];
	if (is_a)
		links->next_a = first, links->previous_a = RBL_NONE;
	else
		links->next_b = first, links->previous_b = RBL_NONE;
	if (first != RBL_NONE && world->pairs[first].a == part)
		world->links[first].previous_a = pair;
	else if (first != RBL_NONE)
		world->links[first].previous_b = pair;
	p->first_pair = pair;
	p->pair_count++;
}

static void unlink_pair(rbl_world *world, int pair, int part, bool is_a)
{
	rbl_world_part *p = &world->parts[part];
	const rbl_pair_links *links = &world->links[pair];
	int next = is_a ? links->next_a : links->next_b;
	int previous = is_a ? links->previous_a : links->previous_b;
	if (previous == RBL_NONE)
		p->first_pair = next;
	else if (world->pairs[previous].a == part)
		world->links[previous].next_a = next;
	else
		world->links[previous].next_b = next;
	if (next != RBL_NONE && world->pairs[next].a == part)
		world->links[next].previous_a = previous;
	else if (next != RBL_NONE)
		world->links[next].previous_b = previous;
	p->pair_count--;
}

bool rbl_world_reserve_pairs(rbl_world *world, int wanted)
{
	const rbl_allocator *a = &world->allocator;
	int *capacity = &world->pair_capacity, used = world->pair_end;
	int new_capacity = rbl_capacity_for(*capacity, wanted), listed = world->active.capacity;
	rbl_growth arrays[] = {
		{ &world->pairs, sizeof *world->pairs, used, capacity, new_capacity, NULL },
		{ &world->links, sizeof *world->links, used, capacity, new_capacity, NULL },
		rbl_bit_set_growth(&world->active_pairs, new_capacity),
		rbl_bit_set_growth(&world->follower_pairs, new_capacity),
		{ &world->active.data, sizeof *world->active.data, 0, &world->active.capacity,
		  rbl_capacity_for(listed, wanted), NULL },
	};
	if (!rbl_grow_together(a, arrays, 5))
		return false;
	bool ok = rbl_bit_set_resize(a, &world->active_pairs, new_capacity) &&
	          rbl_bit_set_resize(a, &world->follower_pairs, new_capacity);
	RBL_ASSERT(ok); // memory is reserved
	return ok;
}

// @return false when memory ran out
static bool reserve_new_pairs(rbl_world *world, int count)
{
	return rbl_world_reserve_pairs(world, world->pair_end + count);
}

// A chip is born inside what broke, and passes through it until their boxes have parted.
static bool chip_passes(const rbl_world *world, int body_a, int body_b)
{
	uint32_t a = world->motions[body_a].flags, both = a | world->motions[body_b].flags;
	if (!(both & RBL_BODY_CHIP) || !(both & RBL_BODY_NEW))
		return false;
	const rbl_body *other = &world->bodies[a & RBL_BODY_CHIP ? body_b : body_a];
	return other->compound || other->asset;
}

bool rbl_world_should_collide(rbl_world *world, int body_a, int body_b, bool has_sensor)
{
	if (body_a == body_b || rbl_world_is_joined(world, body_a, body_b))
		return false;
	const rbl_body *a = &world->bodies[body_a], *b = &world->bodies[body_b];
	bool is_moved = a->kind == RBL_BODY_DYNAMIC || b->kind == RBL_BODY_DYNAMIC;
	if ((!is_moved && !has_sensor && world->solver) || chip_passes(world, body_a, body_b))
		return false;
	if (!world->def.should_collide)
		return true;
	rbl_record_question(world);
	bool answer = world->def.should_collide(world->def.user, rbl_world_body_id(world, body_a),
	                                        rbl_world_body_id(world, body_b));
	rbl_record_answer(world, answer);
	return answer;
}

static void create_pair(rbl_world *world, int a, int b)
{
	int body_a = world->hot_parts[a].body, body_b = world->hot_parts[b].body;
	bool has_surface = !world->hot_parts[a].polyhedron || !world->hot_parts[b].polyhedron;
	bool has_field = has_surface && (world->parts[a].field || world->parts[b].field);
	if (!world->hot_parts[a].polyhedron && !world->hot_parts[b].polyhedron && !has_field)
		return; // two meshes or height fields
	bool a_is_sensor = rbl_world_part_is_sensor(world, a),
		 b_is_sensor = rbl_world_part_is_sensor(world, b);
	if (!(a_is_sensor || b_is_sensor))
		rbl_world_disturb_baked(world, a, b);
	if ((a_is_sensor && b_is_sensor) ||
	    !rbl_world_should_collide(world, body_a, body_b, a_is_sensor || b_is_sensor))
		return;
	if (world->passing_count > 0 && !(a_is_sensor || b_is_sensor) &&
	    (rbl_world_passes_through(world, body_a, b) || rbl_world_passes_through(world, body_b, a)))
		return;
	int pair = world->free_pair;
	if (pair != RBL_NONE)
		world->free_pair = world->links[pair].next_a;
	else
		pair = world->pair_end++;
	uint32_t both = world->motions[body_a].flags | world->motions[body_b].flags;
	bool may_be_deep = both & (RBL_BODY_FRESH | RBL_BODY_PASSED) || world->is_reset;
	bool has_sensor = a_is_sensor || b_is_sensor;
	bool is_merged =
		!has_surface && !has_sensor && rbl_world_merges_manifolds(world, body_a, body_b);
	world->pairs[pair] = (rbl_pair_record){
		.a = a,
		.b = b,
		.contact = RBL_NONE,
		.flags = (has_surface ? RBL_PAIR_SURFACE : 0u) | (has_field ? RBL_PAIR_FIELD : 0u) |
		         (has_sensor ? RBL_PAIR_SENSOR : 0u) | (both & RBL_BODY_NEW ? RBL_PAIR_NEW : 0u) |
		         (may_be_deep ? RBL_PAIR_DISSOLVES : 0u) | (is_merged ? RBL_PAIR_MERGED : 0u),
	};
	link_pair(world, pair, a, true);
	link_pair(world, pair, b, false);
	if (is_merged) // a new pair invalidates its whole list
		world->pairs[rbl_world_merged_list_add(world, pair)].flags &=
			~(uint32_t)RBL_PAIR_POSE_CACHED;
	rbl_bit_set_add(&world->active_pairs, pair);
	world->pair_count++;
	world->new_pair_count++;
}

static void remove_pair(rbl_world *world, int pair, bool is_pending, bool with_solver)
{
	rbl_pair_record *record = &world->pairs[pair];
	if (record->flags & (RBL_PAIR_SLIDES | RBL_PAIR_ROLLS))
		rbl_world_end_slides(world, pair, is_pending);
	if (record->flags & RBL_PAIR_REPORTED)
		rbl_world_report_contact(world, pair, false, is_pending);
	if (record->flags & RBL_PAIR_MERGED)
		rbl_world_merged_list_remove(world, pair);
	rbl_world_free_contacts(world, pair, with_solver);
	unlink_pair(world, pair, record->a, true);
	unlink_pair(world, pair, record->b, false);
	world->pair_count--;
	rbl_bit_set_remove(&world->active_pairs, pair);
	record->flags = 0;
	record->a = record->b = RBL_NONE; // free
	world->links[pair].next_a = world->free_pair;
	world->free_pair = pair;
}

void rbl_world_remove_pair(rbl_world *world, int pair, bool is_pending)
{
	remove_pair(world, pair, is_pending, true);
}

void rbl_world_remove_pairs(rbl_world *world, int body, bool with_solver)
{
	RBL_EACH_PART (p, world, body)
		while (world->parts[p].first_pair != RBL_NONE)
			remove_pair(world, world->parts[p].first_pair, true, with_solver);
}

void rbl_world_restart_pairs(rbl_world *world, int body)
{
	RBL_EACH_PART (p, world, body)
		for (int pair = world->parts[p].first_pair, next; pair != RBL_NONE; pair = next) {
			int a = world->pairs[pair].a, b = world->pairs[pair].b;
			next = rbl_world_next_pair(world, p, pair); // new pairs go in front
			rbl_world_remove_pair(world, pair, false);
			create_pair(world, a, b); // in the record of the old one
		}
}

// When changes were lost for want of memory, all pairs are compared; those not found have ended.
static void begin_reset(rbl_world *world)
{
	for (int i = 0; i < world->pair_end; ++i)
		world->pairs[i].flags |= RBL_PAIR_STALE;
}

static void end_reset(rbl_world *world)
{
	RBL_EACH_LIVE (part, &world->part_ids) {
		int pair = world->parts[part].first_pair;
		while (pair != RBL_NONE) {
			int next = rbl_world_next_pair(world, part, pair);
			if (world->pairs[pair].flags & RBL_PAIR_STALE)
				rbl_world_remove_pair(world, pair, false);
			pair = next;
		}
	}
}

// Pairs as the broad phase lists them.
typedef struct listed_pairs {
	const rbl_pair_list *runs;
	int run_count, pair_count;
} listed_pairs;

// The parts of a listed pair, the lower one first. @return false when one is gone: a destroyed body
// took its pairs along
static bool parts_of(const rbl_world *world, rbl_pair pair, int *a, int *b)
{
	int p = (int)rbl_broadphase_user(world->broadphase, pair.a);
	int q = (int)rbl_broadphase_user(world->broadphase, pair.b);
	*a = rbl_mini(p, q), *b = rbl_maxi(p, q);
	return rbl_id_pool_is_live(&world->part_ids, *a) && rbl_id_pool_is_live(&world->part_ids, *b);
}

// A run without pairs has no address to add to.
#define EACH_LISTED(pair, list)                                                    \
	for (int run_ = 0; run_ < (list)->run_count; ++run_)                           \
		for (const rbl_pair *pair = (list)->runs[run_].pairs,                      \
		                    *end_ = pair ? pair + (list)->runs[run_].count : pair; \
		     pair < end_; ++pair)

// --- crowds --------------------------------------------------------------------------------------

// A part in the open touches a dozen others, and a slab hundreds of small ones. Where both parts of
// a pair have more than MAX_PAIRS, they were made at one place: each of n bodies touches all
// others, and the work would grow with n squared. All parts are in a ring then, in a shuffled order
// that follows from their indices, and only such pairs are kept in which one part is among the
// KEPT_PAIRS before or after the other. Pairs that exist stay, and so does all that touches
// something that is not dynamic.
enum { MAX_PAIRS = 48, KEPT_PAIRS = 16 };

typedef struct crowd {
	const rbl_world *world;
	int *degrees;      // of parts: their pairs, listed and existing; after a reset of all parts
	uint32_t *nearest; // distances of KEPT_PAIRS before each part, and after it; NULL: no crowd
	int crowded, uncrowded; // listed pairs
} crowd;

static bool is_crowded(const crowd *c, int a, int b)
{
	const rbl_world *world = c->world;
	return c->degrees[a] > MAX_PAIRS && c->degrees[b] > MAX_PAIRS &&
	       world->bodies[world->hot_parts[a].body].kind == RBL_BODY_DYNAMIC &&
	       world->bodies[world->hot_parts[b].body].kind == RBL_BODY_DYNAMIC;
}

// How far B is after A in the shuffled order.
static uint32_t distance_after(int a, int b)
{
	const uint32_t golden = 2654435769u; // of 2^32: neighbours by index are far apart
	return golden * (uint32_t)b - golden * (uint32_t)a;
}

// The distances of the nearest parts before or after a part, rising.
static uint32_t *nearest_of(const crowd *c, int part, bool is_after)
{
	return c->nearest + KEPT_PAIRS * (2 * part + is_after);
}

static void note_nearest(uint32_t *nearest, uint32_t distance)
{
	int i = KEPT_PAIRS - 1;
	if (nearest[i] <= distance)
		return;
	for (; i > 0 && nearest[i - 1] > distance; --i)
		nearest[i] = nearest[i - 1];
	nearest[i] = distance;
}

static void note_pair(const crowd *c, int a, int b)
{
	note_nearest(nearest_of(c, a, true), distance_after(a, b));
	note_nearest(nearest_of(c, a, false), distance_after(b, a));
	note_nearest(nearest_of(c, b, true), distance_after(b, a));
	note_nearest(nearest_of(c, b, false), distance_after(a, b));
}

static bool is_near(const crowd *c, int a, int b)
{
	return distance_after(a, b) <= nearest_of(c, a, true)[KEPT_PAIRS - 1] ||
	       distance_after(a, b) <= nearest_of(c, b, false)[KEPT_PAIRS - 1];
}

static bool is_left_out(const crowd *c, int a, int b)
{
	return c->crowded > 0 && is_crowded(c, a, b) && !is_near(c, a, b) && !is_near(c, b, a);
}

static bool make_nearest(rbl_world *world, crowd *c)
{
	int count = 2 * KEPT_PAIRS * world->part_ids.slot_count;
	c->nearest = RBL_ARENA_NEW(&world->arena, uint32_t, count);
	for (int i = 0; c->nearest && i < count; ++i)
		c->nearest[i] = UINT32_MAX;
	return c->nearest;
}

// @param is_reset  the list has existing pairs, too
// @return false when memory ran out
static bool find_crowd(rbl_world *world, const listed_pairs *list, bool is_reset, crowd *c)
{
	int parts = world->part_ids.slot_count, a, b;
	*c = (crowd){ .world = world, .degrees = RBL_ARENA_NEW(&world->arena, int, parts) };
	if (!c->degrees)
		return false;
	// After a reset existing pairs are asked for, too; else there is no need to touch all parts.
	for (int i = 0; is_reset && i < parts; ++i)
		c->degrees[i] = 0;
	EACH_LISTED (pair, list)
		if (!is_reset && parts_of(world, *pair, &a, &b)) {
			c->degrees[a] = world->parts[a].pair_count;
			c->degrees[b] = world->parts[b].pair_count;
		}
	EACH_LISTED (pair, list)
		if (parts_of(world, *pair, &a, &b))
			c->degrees[a]++, c->degrees[b]++;
	EACH_LISTED (pair, list) {
		if (!parts_of(world, *pair, &a, &b))
			continue;
		if (!is_crowded(c, a, b)) {
			c->uncrowded++;
			continue;
		}
		if (!c->nearest && !make_nearest(world, c))
			return false;
		c->crowded++;
		note_pair(c, a, b);
	}
	return true;
}

// --- changes -------------------------------------------------------------------------------------

// Pairs in order: the key has both parts.
typedef struct sorted_pairs {
	rbl_sort_item64 *items;
	int count;
} sorted_pairs;

// @param c  without those that it leaves out; NULL: all
// @return false when memory ran out
static bool sort_pairs(rbl_world *world, const listed_pairs *list, const crowd *c,
                       sorted_pairs *sorted)
{
	int a, b, most = list->pair_count;
	if (c)
		most = c->uncrowded + rbl_mini(c->crowded, 2 * KEPT_PAIRS * world->part_ids.slot_count);
	rbl_sort_item64 *items = RBL_ARENA_NEW(&world->arena, rbl_sort_item64, most);
	rbl_sort_item64 *scratch = RBL_ARENA_NEW(&world->arena, rbl_sort_item64, most);
	*sorted = (sorted_pairs){ items, 0 };
	if (!items || !scratch)
		return false;
	EACH_LISTED (pair, list)
		if (parts_of(world, *pair, &a, &b) && !(c && is_left_out(c, a, b)))
			items[sorted->count++] = (rbl_sort_item64){ (uint64_t)a << 32 | (uint32_t)b, 0, 0 };
	rbl_sort64(items, scratch, sorted->count);
	return true;
}

static int first_of(uint64_t key)
{
	return (int)(key >> 32);
}

static int second_of(uint64_t key)
{
	return (int)(uint32_t)key;
}

// Reserve merged lists, at most one for each new pair.
static bool reserve_new_lists(rbl_world *world, const sorted_pairs *new)
{
	int count = 0;
	for (int i = 0; i < new->count; ++i)
		count +=
			rbl_world_merges_manifolds(world, world->hot_parts[first_of(new->items[i].key)].body,
		                               world->hot_parts[second_of(new->items[i].key)].body);
	return count == 0 || rbl_map_reserve(&world->allocator, &world->merged_lists,
	                                     world->merged_lists.count + count);
}

// The pairs of a part by their other part, where it is the first of the two.
static void note_pairs(const rbl_world *world, int part, int *by_other)
{
	RBL_EACH_PAIR (pair, world, part)
		if (world->pairs[pair].a == part)
			by_other[world->pairs[pair].b] = pair;
}

static bool boxes_overlap(const rbl_world *world, int a, int b)
{
	rbl_proxy_id p = world->parts[a].proxy, q = world->parts[b].proxy;
	return p.generation != 0 && q.generation != 0 &&
	       rbl_box_overlaps(rbl_broadphase_box(world->broadphase, rbl_proxy_slot(p)),
	                        rbl_broadphase_box(world->broadphase, rbl_proxy_slot(q)));
}

// Existing pairs stay as long as they overlap, although they may not be listed.
// @return how many are only for that reason
static int keep_crowded(rbl_world *world, const crowd *c)
{
	int count = 0;
	for (int i = 0; c->crowded > 0 && i < world->pair_end; ++i) {
		rbl_pair_record *pair = &world->pairs[i];
		if (pair->a == RBL_NONE || !is_left_out(c, pair->a, pair->b) ||
		    !boxes_overlap(world, pair->a, pair->b))
			continue;
		pair->flags &= ~(uint32_t)RBL_PAIR_STALE;
		count++;
	}
	return count;
}

// Compare all pairs and keep the records of those that persist. They are sorted by their first
// part, so that its list is walked once.
static bool reset_pairs(rbl_world *world, const rbl_broadphase_result *result)
{
	listed_pairs list = { result->runs, result->run_count, result->pair_count };
	sorted_pairs all;
	crowd c;
	int parts = world->part_ids.slot_count;
	if (!find_crowd(world, &list, true, &c) || !sort_pairs(world, &list, &c, &all) ||
	    !reserve_new_pairs(world, all.count) || !reserve_new_lists(world, &all))
		return false;
	int *by_other = RBL_ARENA_NEW(&world->arena, int, parts);
	if (!by_other)
		return false;
	for (int i = 0; i < parts; ++i)
		by_other[i] = RBL_NONE;
	begin_reset(world);
	world->stats.capped_pair_count = c.crowded + c.uncrowded - all.count - keep_crowded(world, &c);
	for (int i = 0; i < all.count; ++i) {
		int a = first_of(all.items[i].key), b = second_of(all.items[i].key);
		if (i == 0 || first_of(all.items[i - 1].key) != a)
			note_pairs(world, a, by_other);
		int pair = by_other[b];
		if (pair != RBL_NONE && world->pairs[pair].a == a)
			world->pairs[pair].flags &= ~(uint32_t)RBL_PAIR_STALE;
		else
			create_pair(world, a, b);
	}
	end_reset(world);
	return true;
}

// Parts that were baked have new proxies and kept their pairs: the broad phase reports these as
// ended and begun, neither of which is true. Pairs that no longer overlap end here, since a
// loaded world gets no such report.
static void end_replaced(rbl_world *world)
{
	for (int i = 0; i < world->replaced_proxies.count; ++i) {
		int part = world->replaced_proxies.data[i];
		if (!rbl_id_pool_is_live(&world->part_ids, part))
			continue;
		for (int pair = world->parts[part].first_pair, next; pair != RBL_NONE; pair = next) {
			next = rbl_world_next_pair(world, part, pair);
			if (!boxes_overlap(world, world->pairs[pair].a, world->pairs[pair].b))
				rbl_world_remove_pair(world, pair, false);
		}
	}
}

static bool persists(const rbl_world *world, int a, int b)
{
	return world->replaced_proxies.count > 0 && boxes_overlap(world, a, b) &&
	       rbl_world_find_pair(world, a, b) != RBL_NONE;
}

// --- what has passed -----------------------------------------------------------------------------

// Bodies that passed through what was about to break have no pairs with it, which are no news to
// the broad phase. They are few, so that all pairs that overlap are looked through for theirs, and
// no others are compared.

static void clear_passed(rbl_world *world)
{
	RBL_EACH_LIVE (i, &world->body_ids)
		world->motions[i].flags &= ~(uint32_t)RBL_BODY_PASSED;
	world->has_passed = false;
}

// @return false when memory ran out
static bool mark_passed(rbl_world *world, int proxy_end, uint64_t **marks)
{
	int words = rbl_bit_words(proxy_end);
	*marks = RBL_ARENA_NEW(&world->arena, uint64_t, words);
	if (!*marks)
		return false;
	memset(*marks, 0, (size_t)words * sizeof **marks);
	RBL_EACH_LIVE (i, &world->body_ids) {
		if (!(world->motions[i].flags & RBL_BODY_PASSED))
			continue;
		RBL_EACH_PART (p, world, i) {
			if (world->parts[p].proxy.generation == 0)
				continue;
			uint32_t slot = rbl_proxy_slot(world->parts[p].proxy);
			RBL_ASSERT((int)slot < proxy_end);
			(*marks)[slot >> 6] |= (uint64_t)1 << (slot & 63);
		}
	}
	return true;
}

static bool is_marked(const uint64_t *marks, rbl_pair pair)
{
	return (marks[pair.a >> 6] >> (pair.a & 63) | marks[pair.b >> 6] >> (pair.b & 63)) & 1;
}

static bool has_record(const rbl_world *world, rbl_pair pair)
{
	int a, b;
	return !parts_of(world, pair, &a, &b) || rbl_world_find_pair(world, a, b) != RBL_NONE;
}

// What the broad phase has begun, and all pairs without a record of what has passed.
// @return false when memory ran out
static bool add_passed(rbl_world *world, const rbl_broadphase_result *result, rbl_pair_list *begun)
{
	listed_pairs all = { result->runs, result->run_count, result->pair_count };
	listed_pairs new = { &result->begun, 1, result->begun.count };
	uint32_t proxy_end = 0;
	int count = 0;
	RBL_EACH_LIVE (p, &world->part_ids) {
		if (world->parts[p].proxy.generation == 0)
			continue; // of a disabled body
		if (rbl_proxy_slot(world->parts[p].proxy) >= proxy_end)
			proxy_end = rbl_proxy_slot(world->parts[p].proxy) + 1;
	}
	EACH_LISTED (pair, &all)
		proxy_end = pair->b >= proxy_end ? pair->b + 1 : proxy_end; // the larger one
	uint64_t *marks;
	if (!mark_passed(world, (int)proxy_end, &marks))
		return false;
	EACH_LISTED (pair, &all)
		count += (int)is_marked(marks, *pair);
	rbl_pair *pairs = RBL_ARENA_NEW(&world->arena, rbl_pair, count + result->begun.count);
	if (!pairs)
		return false;
	count = 0;
	EACH_LISTED (pair, &new)
		if (!is_marked(marks, *pair))
			pairs[count++] = *pair;
	EACH_LISTED (pair, &all)
		if (is_marked(marks, *pair) && !has_record(world, *pair))
			pairs[count++] = *pair;
	*begun = (rbl_pair_list){ .pairs = pairs, .count = count };
	return true;
}

// Parts of pairs that come soon: their records, then bodies and the fronts of their lists. Pairs
// are in the order of their first parts, and the second ones are anywhere.
static void prefetch_ends(const rbl_world *world, const sorted_pairs *list, int i)
{
	enum { AHEAD = 6 };
	for (int side = 0; side < 2 && i + 2 * AHEAD < list->count; ++side) {
		uint64_t key = list->items[i + 2 * AHEAD].key;
		int part = side ? second_of(key) : first_of(key);
		rbl_prefetch(&world->hot_parts[part]);
		rbl_prefetch(&world->parts[part]);
		rbl_prefetch(&world->parts[part].first_pair);
	}
	for (int side = 0; side < 2 && i + AHEAD < list->count; ++side) {
		uint64_t key = list->items[i + AHEAD].key;
		int part = side ? second_of(key) : first_of(key);
		int body = world->hot_parts[part].body, pair = world->parts[part].first_pair;
		rbl_prefetch(&world->motions[body]);
		rbl_prefetch(&world->bodies[body]);
		rbl_prefetch(&world->bodies[body].kind);
		if (pair == RBL_NONE)
			continue;
		rbl_prefetch(&world->pairs[pair]);
		rbl_prefetch(&world->links[pair]);
	}
}

// --- what has ended ------------------------------------------------------------------------------

// Lists are walked by all workers, and only what they find is removed in order.
typedef struct ended_work {
	const rbl_world *world;
	const sorted_pairs *ended;
	int32_t *pairs; // RBL_NONE: it has no record, or stays
} ended_work;

static void find_ended(void *context, int begin, int end, int worker)
{
	(void)worker;
	const ended_work *work = context;
	for (int i = begin; i < end; ++i) {
		prefetch_ends(work->world, work->ended, i);
		uint64_t key = work->ended->items[i].key;
		int a = first_of(key), b = second_of(key);
		work->pairs[i] =
			persists(work->world, a, b) ? RBL_NONE : rbl_world_find_pair(work->world, a, b);
	}
}

// Pairs that are removed soon, with their neighbours in the lists, and their contacts.
static void prefetch_removal(const rbl_world *world, const int32_t *pairs, int i, int count)
{
	enum { AHEAD = 3 };
	if (i + 4 * AHEAD < count && pairs[i + 4 * AHEAD] != RBL_NONE) {
		rbl_prefetch(&world->pairs[pairs[i + 4 * AHEAD]]);
		rbl_prefetch(&world->links[pairs[i + 4 * AHEAD]]);
	}
	for (int far = 3; far > 0; --far) {
		if (i + far * AHEAD >= count || pairs[i + far * AHEAD] == RBL_NONE)
			continue;
		int pair = pairs[i + far * AHEAD];
		int contact = world->pairs[pair].contact;
		if (contact == RBL_NONE || (world->pairs[pair].flags & RBL_PAIR_SURFACE))
			continue;
		int solved = far < 3 ? world->contacts.data[contact].solver_contact : RBL_NONE;
		if (far == 3)
			rbl_prefetch(&world->contacts.data[contact]);
		else if (solved != RBL_NONE && far == 2)
			rbl_solver_prefetch_contact(world->solver, solved);
		else if (solved != RBL_NONE)
			rbl_solver_prefetch_bodies(world->solver, solved);
	}
}

// @return false when memory ran out
static bool remove_ended(rbl_world *world, const sorted_pairs *ended)
{
	int32_t *pairs = RBL_ARENA_NEW(&world->arena, int32_t, ended->count);
	if (!pairs)
		return false;
	ended_work work = { world, ended, pairs };
	rbl_parallel_for(world->def.jobs, ended->count, ENDED_BLOCK, find_ended, &work);
	for (int i = 0; i < ended->count; ++i) {
		prefetch_removal(world, pairs, i, ended->count);
		if (pairs[i] != RBL_NONE)
			rbl_world_remove_pair(world, pairs[i], false);
	}
	return true;
}

static bool change_pairs(rbl_world *world, const rbl_broadphase_result *result)
{
	rbl_pair_list all_begun = result->begun;
	if (world->has_passed && !add_passed(world, result, &all_begun))
		return false;
	listed_pairs ended_list = { &result->ended, 1, result->ended.count };
	listed_pairs begun_list = { &all_begun, 1, all_begun.count };
	sorted_pairs ended, begun;
	crowd c;
	if (!find_crowd(world, &begun_list, false, &c) ||
	    !sort_pairs(world, &ended_list, NULL, &ended) ||
	    !sort_pairs(world, &begun_list, &c, &begun) || !reserve_new_pairs(world, begun.count) ||
	    !reserve_new_lists(world, &begun))
		return false;
	world->stats.capped_pair_count += c.crowded + c.uncrowded - begun.count;
	end_replaced(world);
	if (!remove_ended(world, &ended))
		return false;
	for (int i = 0; i < begun.count; ++i) {
		prefetch_ends(world, &begun, i);
		int a = first_of(begun.items[i].key), b = second_of(begun.items[i].key);
		if (!persists(world, a, b))
			create_pair(world, a, b);
	}
	return true;
}

bool rbl_world_update_pairs(rbl_world *world, const rbl_broadphase_result *result)
{
	// Where some end, others that were left out may begin.
	bool is_reset = result->was_reset || world->pairs_are_stale ||
	                (world->stats.capped_pair_count > 0 && result->ended.count > 0);
	world->pairs_are_stale = true; // until all is done
	rbl_arena_reset(&world->arena);
	world->is_reset = is_reset; // what was left out then may be deep
	if (is_reset ? !reset_pairs(world, result) : !change_pairs(world, result))
		return false;
	if (world->has_passed)
		clear_passed(world);
	world->pairs_are_stale = false;
	world->replaced_proxies.count = 0;
	return true;
}
