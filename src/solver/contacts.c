// SPDX-License-Identifier: MIT
//
// Contacts: their places in the lists that are swept, and their manifolds.
//
// A contact with points stands in one list. Colours are lists without a common dynamic body; the
// lowest free colour is taken, from the other end when one body is static, so that contacts with the
// ground are solved last and the ground wins. When a body has no colour left, the contact goes to the
// overflow, where contacts of a block may share bodies. Contacts between bodies that all sleep stand in a list
// that nobody sweeps. Bodies keep the colours of their contacts as bits, asleep or not, so that
// falling asleep changes nothing for contacts that stay awake.
//
// A contact leaves a list by putting the last one in its place.

#include "solver/state.h"

// A lane of nobody: harmless to sweep.
void rbl_contact_clear_lane(rbl_contact_block *block, rbl_contact_side *side, int lane)
{
	float *floats = (float *)(void *)block;
	for (size_t i = 0; i < sizeof *block / sizeof(float) / RBL_LANES; ++i)
		floats[i * RBL_LANES + (size_t)lane] = 0.0f;
	block->a[lane] = block->b[lane] = 0;
	block->normal[2 * RBL_LANES + lane] = 1.0f;
	for (int i = 0; i < RBL_MAX_MANIFOLD_POINTS; ++i)
		block->points[i].separation[lane] = RBL_NO_POINT;
	float *side_floats = (float *)(void *)side;
	for (size_t i = 0; i < sizeof *side / sizeof(float) / RBL_LANES; ++i)
		side_floats[i * RBL_LANES + (size_t)lane] = 0.0f;
	side->contact[lane] = -1;
}

static void copy_lane(rbl_contact_block *to, int to_lane, const rbl_contact_block *from,
                      int from_lane)
{
	int32_t *out = (int32_t *)(void *)to;
	const int32_t *in = (const int32_t *)(const void *)from;
	for (size_t i = 0; i < sizeof *to / sizeof(float) / RBL_LANES; ++i)
		out[i * RBL_LANES + (size_t)to_lane] = in[i * RBL_LANES + (size_t)from_lane];
}

static void copy_side(rbl_contact_side *to, int to_lane, const rbl_contact_side *from,
                      int from_lane)
{
	int32_t *out = (int32_t *)(void *)to;
	const int32_t *in = (const int32_t *)(const void *)from;
	for (size_t i = 0; i < sizeof *to / sizeof(float) / RBL_LANES; ++i)
		out[i * RBL_LANES + (size_t)to_lane] = in[i * RBL_LANES + (size_t)from_lane];
}

// Bytes in `marks` for each block: its mark, its points, and the classes of its slots.
enum { BLOCK_BYTES = 2 + RBL_LANES };

static void free_list(rbl_solver *s, rbl_contact_list *list)
{
	RBL_FREE(&s->allocator, list->blocks, list->block_capacity);
	RBL_FREE(&s->allocator, list->sides, list->block_capacity);
	RBL_FREE(&s->allocator, list->marks, BLOCK_BYTES * list->block_capacity);
}

bool rbl_contact_list_reserve(rbl_solver *s, rbl_contact_list *list, int count)
{
	int used = rbl_list_blocks(list), wanted = (count + list->lanes - 1) / list->lanes;
	if (wanted <= list->block_capacity)
		return true;
	int capacity = rbl_maxi(rbl_maxi(8, wanted), list->block_capacity + list->block_capacity / 2);
	rbl_contact_block *blocks = RBL_NEW(&s->allocator, rbl_contact_block, capacity);
	rbl_contact_side *sides = RBL_NEW(&s->allocator, rbl_contact_side, capacity);
	uint8_t *marks = RBL_NEW_ZERO(&s->allocator, uint8_t, BLOCK_BYTES * capacity);
	if (!blocks || !sides || !marks) {
		RBL_FREE(&s->allocator, blocks, capacity);
		RBL_FREE(&s->allocator, sides, capacity);
		RBL_FREE(&s->allocator, marks, BLOCK_BYTES * capacity);
		return false;
	}
	if (used > 0) {
		memcpy(blocks, list->blocks, (size_t)used * sizeof *blocks);
		memcpy(sides, list->sides, (size_t)used * sizeof *sides);
	}
	free_list(s, list);
	list->blocks = blocks;
	list->sides = sides;
	list->marks = marks;
	list->point_counts = marks + capacity;
	list->slot_classes = marks + 2 * (size_t)capacity;
	list->block_capacity = capacity;
	return true;
}

// Room was made. Sweeps write to lanes of nobody too: a contact begins without friction, and the rest of
// its lane is written with its manifold or prepared in the next step, whatever was there before.
static int add_slot(rbl_contact_list *list)
{
	int slot = list->count++, lane = slot % list->lanes;
	rbl_contact_block *block = &list->blocks[slot / list->lanes];
	for (int i = 0; lane == 0 && i < RBL_LANES; ++i) // the whole block when it is new
		rbl_contact_clear_lane(block, &list->sides[slot / list->lanes], i);
	block->friction_impulse[0][lane] = block->friction_impulse[1][lane] = 0.0f;
	block->twist_impulse[lane] = 0.0f;
	return slot;
}

// As little as makes a lane one of nobody to the sweeps, and to the others of its block the same as a
// clear one: what else is there moves nobody.
static void leave_lane(rbl_contact_block *block, rbl_contact_side *side, int lane)
{
	block->a[lane] = block->b[lane] = 0;
	block->friction_mass[0][lane] = 0.0f; // not fresh
	for (int i = 0; i < RBL_MAX_MANIFOLD_POINTS; ++i) {
		block->points[i].separation[lane] = RBL_NO_POINT;
		block->points[i].impulse[lane] = 0.0f;
	}
	side->contact[lane] = -1;
	side->restitution[lane] = side->approach[lane] = 0.0f;
}

static void remove_slot(rbl_solver *s, rbl_contact_list *list, int slot)
{
	int last = --list->count, from, to;
	rbl_contact_block *last_block = rbl_slot_block(list, last, &from);
	rbl_contact_side *last_side = &list->sides[last / list->lanes];
	if (slot != last) {
		copy_lane(rbl_slot_block(list, slot, &to), slot % list->lanes, last_block, from);
		copy_side(&list->sides[slot / list->lanes], slot % list->lanes, last_side, from);
		s->contacts.data[last_side->contact[from]].slot = slot;
	}
	leave_lane(last_block, last_side, from);
}

// --- order within a list ----------------------------------------------------------------------------

enum { MOST_REGIONS = 8, MOST_CLASSES = MOST_REGIONS * RBL_MAX_MANIFOLD_POINTS };

static void swap_lanes(int32_t *x, int32_t *y, size_t count)
{
	for (size_t i = 0; i < count; ++i) {
		int32_t word = x[i * RBL_LANES];
		x[i * RBL_LANES] = y[i * RBL_LANES];
		y[i * RBL_LANES] = word;
	}
}

static void swap_slots(rbl_solver *s, rbl_contact_list *list, int x, int y)
{
	int lane_x, lane_y;
	rbl_contact_block *block_x = rbl_slot_block(list, x, &lane_x);
	rbl_contact_block *block_y = rbl_slot_block(list, y, &lane_y);
	rbl_contact_side *side_x = &list->sides[x / list->lanes];
	rbl_contact_side *side_y = &list->sides[y / list->lanes];
	swap_lanes((int32_t *)(void *)block_x + lane_x, (int32_t *)(void *)block_y + lane_y,
	           sizeof *block_x / sizeof(int32_t) / RBL_LANES);
	swap_lanes((int32_t *)(void *)side_x + lane_x, (int32_t *)(void *)side_y + lane_y,
	           sizeof *side_x / sizeof(int32_t) / RBL_LANES);
	s->contacts.data[side_x->contact[lane_x]].slot = x;
	s->contacts.data[side_y->contact[lane_y]].slot = y;
	uint8_t old = list->slot_classes[x];
	list->slot_classes[x] = list->slot_classes[y];
	list->slot_classes[y] = old;
}

// A contact's class: its points - 1, and the region its bodies are in.
static void class_slots(rbl_contact_list *list, int region_count, int body_count)
{
	for (int i = 0; i < rbl_list_blocks(list); ++i) {
		const rbl_contact_block *block = &list->blocks[i];
		uint8_t *classes = list->slot_classes + RBL_LANES * i;
		for (int lane = 0; lane < RBL_LANES; ++lane) {
			int region = 0, points = 0;
			if (region_count > 1) // what stands still was mostly there first
				region = (int)((int64_t)rbl_maxi(block->a[lane], block->b[lane]) * region_count /
				               body_count);
			for (int k = 1; k < RBL_MAX_MANIFOLD_POINTS; ++k)
				points += block->points[k].separation[lane] < 0.5f * RBL_NO_POINT;
			classes[lane] = (uint8_t)(RBL_MAX_MANIFOLD_POINTS * region + points);
		}
	}
}

static void count_points(rbl_contact_list *list)
{
	for (int i = 0; i < rbl_list_blocks(list); ++i) {
		int most = 0;
		for (int lane = 0; lane < RBL_LANES; ++lane)
			most =
				rbl_maxi(most, list->slot_classes[RBL_LANES * i + lane] % RBL_MAX_MANIFOLD_POINTS);
		list->point_counts[i] = (uint8_t)(most + 1);
	}
}

void rbl_contact_list_count(rbl_contact_list *list)
{
	class_slots(list, 1, 1);
	count_points(list);
}

// More regions serve more workers, and leave more blocks in which contacts of two kinds meet.
static int regions_of(const rbl_contact_list *list)
{
	int count = 1;
	while (count < MOST_REGIONS && list->count >= RBL_LEAST_SHARED * RBL_LANES * count * count)
		count *= 2;
	return count;
}

// Two things make a sweep fast: a block is swept for as many points as its richest contact has, so
// contacts with as many stand side by side; and what a worker sweeps should be about the same bodies
// in all colours, because fetching a body from another worker's cache takes longer than solving a
// contact. Workers have the same part of every list, so contacts stand in the order of their bodies'
// indices, in coarse regions; bodies that are made together lie together.
//
// Few contacts are out of place from one step to the next but while a pile falls, and then putting
// them all in order would cost more than it gains.
void rbl_contact_list_sort(rbl_solver *s, rbl_contact_list *list)
{
	RBL_ASSERT(list->lanes == RBL_LANES);
	int region_count = regions_of(list), class_count = RBL_MAX_MANIFOLD_POINTS * region_count;
	class_slots(list, region_count, s->body_ids.slot_count);
	const uint8_t *classes = list->slot_classes;
	int next[MOST_CLASSES + 1] = { 0 }, ends[MOST_CLASSES];
	for (int i = 0; i < list->count; ++i)
		next[classes[i] + 1]++;
	for (int c = 0; c < class_count; ++c)
		ends[c] = next[c + 1] += next[c];
	int swaps_left = RBL_LANES + list->count / 4;
	for (int c = 0; c < class_count; ++c)
		while (next[c] < ends[c] && swaps_left > 0) {
			int other = classes[next[c]];
			while (next[other] < ends[other] && classes[next[other]] == other)
				next[other]++; // right where it is
			if (other == c)
				continue;
			swap_slots(s, list, next[c], next[other]++);
			swaps_left--;
		}
	count_points(list);
}

// --- colours -----------------------------------------------------------------------------------------

static void set_colour(rbl_solver *s, const rbl_contact_cold *contact, bool is_set)
{
	if (contact->list >= RBL_COLOURS)
		return;
	uint64_t bit = (uint64_t)1 << contact->list;
	for (int side = 0; side < 2; ++side)
		if (rbl_body_is_dynamic(s, contact->body[side])) {
			uint64_t *colours = &s->cold[contact->body[side]].colours;
			RBL_ASSERT(((*colours & bit) != 0) != is_set);
			*colours ^= bit;
		}
}

static int choose_list(const rbl_solver *s, const rbl_contact_cold *contact)
{
	int a = contact->body[0], b = contact->body[1];
	if (!rbl_body_is_active(s, a) && !rbl_body_is_active(s, b))
		return RBL_SLEEPING;
	bool a_moves = rbl_body_is_dynamic(s, a), b_moves = rbl_body_is_dynamic(s, b);
	uint64_t taken = (a_moves ? s->cold[a].colours : 0) | (b_moves ? s->cold[b].colours : 0);
	uint64_t free = ~taken & (((uint64_t)1 << RBL_COLOURS) - 1);
	if (!free)
		return RBL_OVERFLOW;
	return a_moves && b_moves ? rbl_lowest_one(free) : rbl_highest_one(free);
}

static void leave_list(rbl_solver *s, rbl_contact_cold *contact)
{
	if (contact->list < 0)
		return;
	set_colour(s, contact, false);
	remove_slot(s, &s->lists[contact->list], contact->slot);
	contact->list = contact->slot = -1;
}

static bool move_to_list(rbl_solver *s, rbl_contact_cold *contact, int wanted)
{
	rbl_contact_list *to = &s->lists[wanted], *from = &s->lists[contact->list];
	if (!rbl_contact_list_reserve(s, to, to->count + 1)) {
		leave_list(s, contact);
		contact->point_count = 0;
		return false;
	}
	int slot = add_slot(to), from_lane, to_lane;
	const rbl_contact_block *old = rbl_slot_block(from, contact->slot, &from_lane);
	rbl_contact_block *block = rbl_slot_block(to, slot, &to_lane);
	copy_lane(block, to_lane, old, from_lane);
	copy_side(&to->sides[slot / to->lanes], to_lane, &from->sides[contact->slot / from->lanes],
	          from_lane);
	leave_list(s, contact);
	contact->list = wanted;
	contact->slot = slot;
	set_colour(s, contact, true);
	return true;
}

bool rbl_contact_place(rbl_solver *s, int index)
{
	rbl_contact_cold *contact = &s->contacts.data[index];
	if (contact->list < 0)
		return true;
	bool is_active =
		rbl_body_is_active(s, contact->body[0]) || rbl_body_is_active(s, contact->body[1]);
	if (is_active == (contact->list != RBL_SLEEPING))
		return true;
	return move_to_list(s, contact, choose_list(s, contact));
}

void rbl_body_park_contacts(rbl_solver *s, int body)
{
	for (int link = s->cold[body].first_contact; link >= 0;
	     link = rbl_contact_link(s, link)->next) {
		rbl_contact_cold *contact = &s->contacts.data[link >> 1];
		if (contact->list >= 0 && contact->list != RBL_SLEEPING &&
		    !move_to_list(s, contact, RBL_SLEEPING))
			s->lost_count++;
	}
}

void rbl_body_replace_contacts(rbl_solver *s, int body)
{
	for (int link = s->cold[body].first_contact; link >= 0; link = rbl_contact_link(s, link)->next)
		if (!rbl_contact_place(s, link >> 1))
			s->lost_count++;
}

// --- adding and removing ---------------------------------------------------------------------------

static void link_side(rbl_solver *s, int index, int side)
{
	rbl_contact_cold *contact = &s->contacts.data[index];
	int32_t *first = &s->cold[contact->body[side]].first_contact;
	contact->links[side] = (rbl_body_link){ *first, -1 };
	if (*first >= 0)
		rbl_contact_link(s, *first)->previous = 2 * index + side;
	*first = 2 * index + side;
}

static void unlink_side(rbl_solver *s, int index, int side)
{
	const rbl_contact_cold *contact = &s->contacts.data[index];
	rbl_body_link link = contact->links[side];
	if (link.next >= 0)
		rbl_contact_link(s, link.next)->previous = link.previous;
	if (link.previous >= 0)
		rbl_contact_link(s, link.previous)->next = link.next;
	else
		s->cold[contact->body[side]].first_contact = link.next;
}

rbl_result rbl_solver_add_contacts(rbl_solver *s, const rbl_solver_contact *defs, int count,
                                   int32_t *contacts)
{
	RBL_ASSERT(s && count >= 0 && (count == 0 || (defs && contacts)));
	int wanted = s->contact_ids.live_count + count;
	if (!rbl_id_pool_reserve(&s->allocator, &s->contact_ids, wanted) ||
	    !rbl_array_reserve(&s->allocator, &s->contacts,
	                       rbl_maxi(wanted, s->contact_ids.slot_count)))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i) {
		const rbl_solver_contact *def = &defs[i];
		RBL_ASSERT(def->a != def->b && def->a > 0 && def->b > 0);
		int index = (int)rbl_id_pool_add(&s->allocator, &s->contact_ids).index;
		s->contacts.data[index] = (rbl_contact_cold){
			.body = { def->a, def->b },
			.list = -1,
			.slot = -1,
			.friction = def->friction,
			.restitution = def->restitution,
			.rest_depth = def->rest_depth,
			.user = def->user,
		};
		s->contacts.count = rbl_maxi(s->contacts.count, index + 1);
		link_side(s, index, 0);
		link_side(s, index, 1);
		contacts[i] = index;
	}
	return RBL_OK;
}

float rbl_contact_load(const rbl_solver *s, int index)
{
	const rbl_contact_cold *contact = &s->contacts.data[index];
	if (contact->list < 0)
		return 0.0f;
	int lane;
	const rbl_contact_block *block = rbl_slot_block(&s->lists[contact->list], contact->slot, &lane);
	float sum = 0.0f;
	for (int i = 0; i < RBL_MAX_MANIFOLD_POINTS; ++i)
		sum += block->points[i].impulse[lane];
	return sum;
}

// What leaned on it wakes.
static void end_touch(rbl_solver *s, int index)
{
	rbl_contact_cold *contact = &s->contacts.data[index];
	if (rbl_contact_load(s, index) > 0.0f) {
		rbl_body_wake(s, contact->body[0]);
		rbl_body_wake(s, contact->body[1]);
	}
	leave_list(s, contact);
	contact->point_count = 0;
}

void rbl_contact_remove(rbl_solver *s, int index)
{
	RBL_ASSERT(rbl_id_pool_is_live(&s->contact_ids, index));
	end_touch(s, index);
	unlink_side(s, index, 0);
	unlink_side(s, index, 1);
	rbl_id_pool_remove(&s->contact_ids, rbl_id_pool_at(&s->contact_ids, index));
}

void rbl_solver_remove_contacts(rbl_solver *s, const int32_t *contacts, int count)
{
	for (int i = 0; i < count; ++i)
		rbl_contact_remove(s, contacts[i]);
}

void rbl_contacts_free(rbl_solver *s)
{
	for (int i = 0; i < RBL_LIST_COUNT; ++i)
		free_list(s, &s->lists[i]);
	rbl_array_free(&s->allocator, &s->contacts);
}

// --- manifolds -------------------------------------------------------------------------------------

static rbl_vec3 lane3(const float *rows, int lane)
{
	return (rbl_vec3){ rows[lane], rows[RBL_LANES + lane], rows[2 * RBL_LANES + lane] };
}

static void set_lane3(float *rows, int lane, rbl_vec3 v)
{
	rows[lane] = v.x, rows[RBL_LANES + lane] = v.y, rows[2 * RBL_LANES + lane] = v.z;
}

// The tangents of record_lanes.h.
static void tangents_of(rbl_vec3 n, rbl_vec3 *t1, rbl_vec3 *t2)
{
	float sign = n.z < 0.0f ? -1.0f : 1.0f;
	float a = -1.0f / (sign + n.z), b = n.x * n.y * a;
	*t1 = (rbl_vec3){ 1.0f + sign * n.x * n.x * a, sign * b, -(sign * n.x) };
	*t2 = (rbl_vec3){ b, sign + n.y * n.y * a, -n.y };
}

static void turn_friction(rbl_contact_block *block, int lane, rbl_vec3 normal)
{
	rbl_vec3 t1, t2;
	tangents_of(lane3(block->normal, lane), &t1, &t2);
	rbl_vec3 friction = rbl_add(rbl_scale(block->friction_impulse[0][lane], t1),
	                            rbl_scale(block->friction_impulse[1][lane], t2));
	tangents_of(normal, &t1, &t2);
	block->friction_impulse[0][lane] = rbl_dot(friction, t1);
	block->friction_impulse[1][lane] = rbl_dot(friction, t2);
}

// The impulses that the points of a new manifold begin with: those of points with the same features,
// else of the nearest, if it is near. Features alone are not enough: where edges of two boxes lie upon
// each other, rounding decides in every step which of them a corner belongs to.
static void match_points(const rbl_contact_cold *contact, const rbl_contact_block *block, int lane,
                         const rbl_manifold *manifold, rbl_vec3 centre_a,
                         float impulses[RBL_MAX_MANIFOLD_POINTS])
{
	bool is_taken[RBL_MAX_MANIFOLD_POINTS] = { false },
		 is_found[RBL_MAX_MANIFOLD_POINTS] = { false };
	int missing = manifold->point_count;
	for (int i = 0; i < manifold->point_count; ++i)
		for (int k = 0; k < contact->point_count && !is_found[i]; ++k)
			if (!is_taken[k] && contact->ids[k] == manifold->points[i].id) {
				impulses[i] = block->points[k].impulse[lane];
				is_taken[k] = is_found[i] = true;
				missing--;
			}
	float reach = 0.25f * block->reach[lane] + 0.005f;
	for (int i = 0; missing > 0 && i < manifold->point_count; ++i) {
		if (is_found[i])
			continue;
		missing--;
		rbl_vec3 anchor = rbl_sub(manifold->points[i].position, centre_a);
		float least = reach * reach;
		int best = -1;
		for (int k = 0; k < contact->point_count; ++k) {
			float square =
				rbl_length_squared(rbl_sub(anchor, lane3(block->points[k].anchor, lane)));
			if (!is_taken[k] && square < least)
				least = square, best = k;
		}
		if (best >= 0) {
			impulses[i] = block->points[best].impulse[lane];
			is_taken[best] = true;
		}
	}
}

static void write_manifold(rbl_solver *s, rbl_contact_cold *contact, const rbl_manifold *manifold)
{
	int lane, count = manifold->point_count;
	rbl_contact_block *block = rbl_slot_block(&s->lists[contact->list], contact->slot, &lane);
	rbl_vec3 centre_a = rbl_pose_of(s, contact->body[0])->centre;
	rbl_vec3 centre_b = rbl_pose_of(s, contact->body[1])->centre;
	float impulses[RBL_MAX_MANIFOLD_POINTS] = { 0 }, least = 0.0f;
	match_points(contact, block, lane, manifold, centre_a, impulses);
	rbl_vec3 middle = { 0.0f, 0.0f, 0.0f };
	for (int i = 0; i < count; ++i) {
		middle = rbl_add(middle, manifold->points[i].position);
		least = rbl_minf(least, manifold->points[i].separation);
	}
	middle = rbl_scale(1.0f / (float)count, middle);
	// Across another axis they may overlap more than they did at birth, and that is no motion either.
	float turned =
		contact->point_count > 0 ? rbl_dot(lane3(block->normal, lane), manifold->normal) : 1.0f;
	if (turned < 0.95f && contact->rest_depth > 0.0f)
		contact->rest_depth = -least;
	contact->rest_depth = rbl_minf(contact->rest_depth, -least);
	turn_friction(block, lane, manifold->normal);
	float deepest = contact->rest_depth > RBL_DEEP_BIRTH ? -RBL_BORN_PUSH : -FLT_MAX;
	for (int i = 0; i < RBL_MAX_MANIFOLD_POINTS; ++i) {
		rbl_point_lanes *point = &block->points[i];
		const rbl_manifold_point *given = &manifold->points[i];
		set_lane3(point->anchor, lane, rbl_sub(i < count ? given->position : middle, centre_a));
		point->separation[lane] =
			i < count ? rbl_maxf(given->separation + contact->rest_depth, deepest) : RBL_NO_POINT;
		point->impulse[lane] = impulses[i];
		contact->ids[i] = i < count ? given->id : 0;
	}
	set_lane3(block->normal, lane, manifold->normal);
	set_lane3(block->offset, lane, rbl_sub(centre_a, centre_b));
	block->friction_mass[0][lane] = RBL_IS_FRESH;
	contact->point_count = count;
}

bool rbl_solver_update_manifold(rbl_solver *s, int index, const rbl_manifold *manifold)
{
	rbl_contact_cold *contact = &s->contacts.data[index];
	if (contact->list < 0 ? manifold->point_count > 0 : manifold->point_count == 0)
		return false;
	if (contact->list >= 0)
		write_manifold(s, contact, manifold);
	return true;
}

rbl_result rbl_solver_set_manifold(rbl_solver *s, int index, const rbl_manifold *manifold)
{
	RBL_ASSERT(manifold->point_count >= 0 && manifold->point_count <= RBL_MAX_MANIFOLD_POINTS);
	rbl_contact_cold *contact = &s->contacts.data[index];
	if (rbl_solver_update_manifold(s, index, manifold))
		return RBL_OK;
	if (manifold->point_count == 0) {
		end_touch(s, index);
		return RBL_OK;
	}
	int list = choose_list(s, contact);
	if (!rbl_contact_list_reserve(s, &s->lists[list], (&s->lists[list])->count + 1))
		return RBL_OUT_OF_MEMORY;
	contact->list = list;
	contact->slot = add_slot(&s->lists[list]);
	contact->point_count = 0;
	set_colour(s, contact, true);
	int lane;
	rbl_contact_block *block = rbl_slot_block(&s->lists[list], contact->slot, &lane);
	rbl_contact_side *side = &s->lists[list].sides[contact->slot / s->lists[list].lanes];
	block->a[lane] = contact->body[0];
	block->b[lane] = contact->body[1];
	block->friction[lane] = contact->friction;
	side->contact[lane] = index;
	side->restitution[lane] = contact->restitution;
	write_manifold(s, contact, manifold);
	return RBL_OK;
}

bool rbl_solver_has_points(const rbl_solver *s, int contact)
{
	return s->contacts.data[contact].list >= 0;
}

void rbl_solver_exchange_contacts(rbl_solver *s, int first, int second)
{
	rbl_contact_cold *a = &s->contacts.data[first], *b = &s->contacts.data[second];
	RBL_ASSERT(a->body[0] == b->body[0] && a->body[1] == b->body[1]);
	uint32_t user = a->user;
	a->user = b->user;
	b->user = user;
}

void rbl_solver_move_contact(rbl_solver *s, int index, int from, int to)
{
	rbl_contact_cold *contact = &s->contacts.data[index];
	int side = contact->body[1] == from;
	RBL_ASSERT(contact->body[side] == from && contact->body[!side] != to);
	RBL_ASSERT(s->cold[to].kind == RBL_SOLVER_STATIC);
	if (contact->list >= 0)
		set_colour(s, contact, false);
	unlink_side(s, index, side);
	contact->body[side] = to;
	link_side(s, index, side);
	if (contact->list < 0)
		return;
	set_colour(s, contact, true);
	int lane;
	rbl_contact_block *block = rbl_slot_block(&s->lists[contact->list], contact->slot, &lane);
	(side ? block->b : block->a)[lane] = to;
	rbl_vec3 shift = rbl_sub(rbl_pose_of(s, from)->centre, rbl_pose_of(s, to)->centre);
	rbl_vec3 offset = lane3(block->offset, lane);
	set_lane3(block->offset, lane, side ? rbl_add(offset, shift) : rbl_sub(offset, shift));
	for (int i = 0; side == 0 && i < RBL_MAX_MANIFOLD_POINTS; ++i) {
		float *anchor = block->points[i].anchor;
		set_lane3(anchor, lane, rbl_add(lane3(anchor, lane), shift));
	}
	if (!rbl_contact_place(s, index)) // it may have been awake because of the other
		s->lost_count++;
}

rbl_result rbl_solver_bind_contact(rbl_solver *s, int index, const rbl_solver_contact *def,
                                   const rbl_manifold *manifold, float impulse)
{
	rbl_contact_cold *contact = &s->contacts.data[index];
	leave_list(s, contact);
	unlink_side(s, index, 0);
	unlink_side(s, index, 1);
	contact->body[0] = def->a, contact->body[1] = def->b;
	contact->point_count = 0;
	contact->friction = def->friction, contact->restitution = def->restitution;
	contact->rest_depth = def->rest_depth;
	contact->user = def->user;
	link_side(s, index, 0);
	link_side(s, index, 1);
	rbl_result result = rbl_solver_set_manifold(s, index, manifold);
	if (result != RBL_OK || contact->list < 0)
		return result;
	int lane;
	rbl_contact_block *block = rbl_slot_block(&s->lists[contact->list], contact->slot, &lane);
	for (int i = 0; i < contact->point_count; ++i)
		block->points[i].impulse[lane] = impulse / (float)contact->point_count;
	return RBL_OK;
}

void rbl_solver_set_rest_depth(rbl_solver *s, int contact, float depth)
{
	s->contacts.data[contact].rest_depth = depth;
}

void rbl_solver_set_material(rbl_solver *s, int index, float friction, float restitution)
{
	rbl_contact_cold *contact = &s->contacts.data[index];
	contact->friction = friction;
	contact->restitution = restitution;
	if (contact->list < 0)
		return;
	rbl_contact_list *list = &s->lists[contact->list];
	list->blocks[contact->slot / list->lanes].friction[contact->slot % list->lanes] = friction;
	list->sides[contact->slot / list->lanes].restitution[contact->slot % list->lanes] = restitution;
}

// The mass that meets along the normal in the middle of the points.
static float meeting_mass(const rbl_solver *s, const rbl_contact_cold *contact, rbl_vec3 normal,
                          rbl_vec3 arm_a, rbl_vec3 arm_b)
{
	float sum = 0.0f;
	for (int side = 0; side < 2; ++side) {
		const float *m = rbl_record(s->records.inertia, contact->body[side]);
		rbl_mat3 inertia = { { m[0], m[4], m[5] }, { m[4], m[1], m[6] }, { m[5], m[6], m[2] } };
		rbl_vec3 cross = rbl_cross(side ? arm_b : arm_a, normal);
		sum += m[3] + rbl_dot(cross, rbl_mat_vec(inertia, cross));
	}
	return sum > 0.0f ? 1.0f / sum : 0.0f;
}

rbl_solver_contact_report rbl_solver_report_contact(const rbl_solver *s, int index)
{
	const rbl_contact_cold *contact = &s->contacts.data[index];
	rbl_solver_contact_report report = { .a = contact->body[0],
		                                 .b = contact->body[1],
		                                 .user = contact->user,
		                                 .point_count = contact->point_count };
	if (contact->list < 0)
		return report;
	int lane;
	const rbl_contact_list *list = &s->lists[contact->list];
	const rbl_contact_block *block = rbl_slot_block(list, contact->slot, &lane);
	rbl_vec3 middle = { 0.0f, 0.0f, 0.0f };
	float least = FLT_MAX;
	for (int i = 0; i < contact->point_count; ++i) {
		middle = rbl_add(middle, lane3(block->points[i].anchor, lane));
		least = rbl_minf(least, block->points[i].separation[lane]);
	}
	middle = rbl_scale(1.0f / (float)contact->point_count, middle);
	report.normal = lane3(block->normal, lane);
	report.point = rbl_add(rbl_pose_of(s, contact->body[0])->centre, middle);
	report.normal_impulse = rbl_contact_load(s, index);
	report.peak_impulse = block->peak[lane];
	report.approach_speed = list->sides[contact->slot / list->lanes].approach[lane];
	report.separation = least - contact->rest_depth;
	float mass = meeting_mass(s, contact, report.normal, middle,
	                          rbl_add(middle, lane3(block->offset, lane)));
	report.energy = 0.5f * mass * report.approach_speed * report.approach_speed;
	return report;
}
