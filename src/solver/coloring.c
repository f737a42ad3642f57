// SPDX-License-Identifier: MIT
//
// Graph coloring: the lists that contacts are solved in.
//
// A contact with points is in one list. The contacts of a color share no dynamic body; a new
// contact takes the lowest free color, or the highest when one body is static, so that contacts
// with the ground are solved last and the ground wins. When its bodies have no color left in
// common, it goes to the overflow, where contacts of a block may share bodies. Contacts between
// sleeping bodies are in a list that is not solved. Bodies keep the colors of their contacts as
// bits, asleep or not, so that falling asleep changes nothing for contacts that stay awake.
//
// A contact leaves a list by moving the last one into its slot.

#include "solver/state.h"

// --- lanes ---------------------------------------------------------------------------------------

// Blocks are rows of eight words, one for each lane.
static size_t row_count(size_t block_size)
{
	return block_size / sizeof(int32_t) / RBL_SOLVER_LANES;
}

static void clear_lane(void *block, size_t size, int lane)
{
	for (size_t i = 0; i < row_count(size); ++i)
		((int32_t *)block)[i * RBL_SOLVER_LANES + (size_t)lane] = 0;
}

static void copy_lane(void *to, int to_lane, const void *from, int from_lane, size_t size)
{
	int32_t *out = (int32_t *)to + to_lane;
	const int32_t *in = (const int32_t *)from + from_lane;
	for (size_t i = 0; i < row_count(size); ++i)
		out[i * RBL_SOLVER_LANES] = in[i * RBL_SOLVER_LANES];
}

static void swap_lanes(void *a, int lane_a, void *b, int lane_b, size_t size)
{
	int32_t *x = (int32_t *)a + lane_a, *y = (int32_t *)b + lane_b;
	for (size_t i = 0; i < row_count(size); ++i) {
		int32_t word = x[i * RBL_SOLVER_LANES];
		x[i * RBL_SOLVER_LANES] = y[i * RBL_SOLVER_LANES];
		y[i * RBL_SOLVER_LANES] = word;
	}
}

void rbl_solver_clear_lane(rbl_solver_contact_block *block, rbl_solver_cold_block *cold, int lane)
{
	clear_lane(block, sizeof *block, lane);
	block->normal[2 * RBL_SOLVER_LANES + lane] = 1.0f;
	for (int i = 0; i < RBL_MAX_MANIFOLD_POINTS; ++i)
		block->points[i].separation[lane] = RBL_SOLVER_NO_POINT;
	clear_lane(cold, sizeof *cold, lane);
	cold->contact[lane] = -1;
}

// The least that makes a lane unused: the null body, and nothing that decides what is done for the
// whole block. The rest may be anything, since it moves only the null body.
static void retire_lane(rbl_solver_contact_block *block, rbl_solver_cold_block *cold, int lane)
{
	block->a[lane] = block->b[lane] = 0;
	block->friction_mass[0][lane] = 0.0f; // no new manifold
	for (int i = 0; i < RBL_MAX_MANIFOLD_POINTS; ++i) {
		block->points[i].separation[lane] = RBL_SOLVER_NO_POINT;
		block->points[i].impulse[lane] = 0.0f;
	}
	cold->contact[lane] = -1;
	cold->restitution[lane] = cold->approach_speed[lane] = 0.0f;
	cold->radius[0][lane] = cold->radius[1][lane] = 0.0f;
	cold->resistance[0][lane] = cold->resistance[1][lane] = 0.0f;
}

// --- slots ---------------------------------------------------------------------------------------

// Bytes in `must_relax` for each block: itself, the point count, the sort keys of its slots, and
// whether it has bounced.
enum { BLOCK_BYTES = 3 + RBL_SOLVER_LANES };

enum { LIST_ARRAYS = 3 };

static void list_arrays(rbl_solver_contact_list *list, int used, int wanted,
                        rbl_growth arrays[LIST_ARRAYS])
{
	int *capacity = &list->block_capacity;
	const rbl_growth all[LIST_ARRAYS] = {
		{ &list->blocks, sizeof *list->blocks, used, capacity, wanted, NULL },
		{ &list->cold, sizeof *list->cold, used, capacity, wanted, NULL },
		{ &list->must_relax, BLOCK_BYTES, 0, capacity, wanted, NULL },
	};
	memcpy(arrays, all, sizeof all);
}

void rbl_solver_free_lists(rbl_solver *s)
{
	for (int i = 0; i < RBL_SOLVER_LIST_COUNT; ++i) {
		rbl_growth arrays[LIST_ARRAYS];
		list_arrays(&s->lists[i], 0, 0, arrays);
		rbl_free_together(&s->allocator, arrays, LIST_ARRAYS);
		RBL_FREE(&s->allocator, s->lists[i].surface_memory,
		         (size_t)3 * RBL_SOLVER_LANES * (size_t)s->lists[i].surface_capacity);
	}
}

bool rbl_solver_reserve_list(rbl_solver *s, rbl_solver_contact_list *list, int count)
{
	int wanted = (count + RBL_SOLVER_LANES - 1) / RBL_SOLVER_LANES;
	if (wanted <= list->block_capacity)
		return true;
	int capacity = rbl_maxi(rbl_maxi(8, wanted), list->block_capacity + list->block_capacity / 2);
	rbl_growth arrays[LIST_ARRAYS];
	list_arrays(list, rbl_solver_block_count(list), capacity, arrays);
	if (!rbl_grow_together(&s->allocator, arrays, LIST_ARRAYS))
		return false;
	memset(list->must_relax, 0, BLOCK_BYTES * (size_t)capacity);
	list->point_counts = list->must_relax + capacity;
	list->has_bounced = list->must_relax + 2 * (size_t)capacity;
	list->sort_keys = list->must_relax + 3 * (size_t)capacity;
	return true;
}

// Room was made. The caller fills the lane: it holds what the last contact there left, and kernels
// write to unused lanes too.
static int add_slot(rbl_solver_contact_list *list)
{
	int slot = list->count++, block = slot / RBL_SOLVER_LANES;
	for (int i = 0; slot % RBL_SOLVER_LANES == 0 && i < RBL_SOLVER_LANES; ++i) // the block is new
		rbl_solver_clear_lane(&list->blocks[block], &list->cold[block], i);
	return slot;
}

static void remove_slot(rbl_solver *s, rbl_solver_contact_list *list, int slot)
{
	int last = --list->count, from, to;
	rbl_solver_contact_block *last_block = rbl_solver_slot_block(list, last, &from);
	rbl_solver_cold_block *last_cold = &list->cold[last / RBL_SOLVER_LANES];
	if (slot != last) {
		rbl_solver_contact_block *block = rbl_solver_slot_block(list, slot, &to);
		rbl_solver_cold_block *cold = &list->cold[slot / RBL_SOLVER_LANES];
		copy_lane(block, to, last_block, from, sizeof *block);
		copy_lane(cold, to, last_cold, from, sizeof *cold);
		s->contacts.data[last_cold->contact[from]].slot = slot;
	}
	retire_lane(last_block, last_cold, from);
}

// --- order within a list -------------------------------------------------------------------------

enum { MAX_REGIONS = 8, MAX_SORT_KEYS = MAX_REGIONS * RBL_MAX_MANIFOLD_POINTS };

static void swap_slots(rbl_solver *s, rbl_solver_contact_list *list, int x, int y)
{
	int lane_x, lane_y;
	rbl_solver_contact_block *block_x = rbl_solver_slot_block(list, x, &lane_x);
	rbl_solver_contact_block *block_y = rbl_solver_slot_block(list, y, &lane_y);
	rbl_solver_cold_block *cold_x = &list->cold[x / RBL_SOLVER_LANES];
	rbl_solver_cold_block *cold_y = &list->cold[y / RBL_SOLVER_LANES];
	swap_lanes(block_x, lane_x, block_y, lane_y, sizeof *block_x);
	swap_lanes(cold_x, lane_x, cold_y, lane_y, sizeof *cold_x);
	s->contacts.data[cold_x->contact[lane_x]].slot = x;
	s->contacts.data[cold_y->contact[lane_y]].slot = y;
	uint8_t old = list->sort_keys[x];
	list->sort_keys[x] = list->sort_keys[y];
	list->sort_keys[y] = old;
}

// A contact's key: the region its bodies are in, then its points - 1.
static void find_sort_keys(rbl_solver_contact_list *list, int region_count, int body_count)
{
	for (int i = 0; i < rbl_solver_block_count(list); ++i) {
		const rbl_solver_contact_block *block = &list->blocks[i];
		uint8_t *keys = list->sort_keys + RBL_SOLVER_LANES * i;
		for (int lane = 0; lane < RBL_SOLVER_LANES; ++lane) {
			int region = 0, points = 0;
			if (region_count > 1) // static bodies mostly have lower indices
				region = (int)((int64_t)rbl_maxi(block->a[lane], block->b[lane]) * region_count /
				               body_count);
			for (int k = 1; k < RBL_MAX_MANIFOLD_POINTS; ++k)
				points += block->points[k].separation[lane] < 0.5f * RBL_SOLVER_NO_POINT;
			keys[lane] = (uint8_t)(RBL_MAX_MANIFOLD_POINTS * region + points);
		}
	}
}

static void set_point_counts(rbl_solver_contact_list *list)
{
	for (int i = 0; i < rbl_solver_block_count(list); ++i) {
		const uint8_t *keys = list->sort_keys + RBL_SOLVER_LANES * i;
		const rbl_solver_cold_block *cold = &list->cold[i];
		int most = 0;
		bool is_round = false;
		for (int lane = 0; lane < RBL_SOLVER_LANES; ++lane) {
			most = rbl_maxi(most, keys[lane] % RBL_MAX_MANIFOLD_POINTS);
			is_round |= cold->radius[0][lane] + cold->radius[1][lane] > 0.0f;
		}
		list->point_counts[i] = (uint8_t)((most + 1) | (is_round ? RBL_SOLVER_IS_ROUND_BLOCK : 0));
	}
}

void rbl_solver_count_points(rbl_solver_contact_list *list)
{
	find_sort_keys(list, 1, 1);
	set_point_counts(list);
}

// More regions serve more workers, and leave more blocks in which contacts of two regions meet.
static int regions_of(const rbl_solver_contact_list *list)
{
	int count = 1;
	while (count < MAX_REGIONS &&
	       list->count >= RBL_SOLVER_MIN_SHARED_BLOCKS * RBL_SOLVER_LANES * count * count)
		count *= 2;
	return count;
}

// Two things make solving fast: a block takes as long as its contact with the most points, so
// contacts with as many are side by side; and a worker should meet about the same bodies in all
// colors, because fetching a body from another worker's cache takes longer than solving a contact.
// Workers have the same part of every list, so contacts are in the order of their bodies' indices,
// in coarse regions; bodies that are made together are close together.
//
// Few contacts are out of place from one step to the next except while a pile falls, and then
// putting them all in order would cost more than it gains.
void rbl_solver_sort_contacts(rbl_solver *s, rbl_solver_contact_list *list)
{
	int region_count = regions_of(list), key_count = RBL_MAX_MANIFOLD_POINTS * region_count;
	find_sort_keys(list, region_count, s->body_ids.slot_count);
	const uint8_t *keys = list->sort_keys;
	int next[MAX_SORT_KEYS + 1] = { 0 }, ends[MAX_SORT_KEYS];
	for (int i = 0; i < list->count; ++i)
		next[keys[i] + 1]++;
	for (int k = 0; k < key_count; ++k)
		ends[k] = next[k + 1] += next[k];
	int swaps_left = RBL_SOLVER_LANES + list->count / 4;
	for (int k = 0; k < key_count; ++k)
		while (next[k] < ends[k] && swaps_left > 0) {
			int other = keys[next[k]];
			while (next[other] < ends[other] && keys[next[other]] == other)
				next[other]++; // in place
			if (other == k)
				continue;
			swap_slots(s, list, next[k], next[other]++);
			swaps_left--;
		}
	set_point_counts(list);
}

// --- colors --------------------------------------------------------------------------------------

void rbl_solver_flip_color(rbl_solver *s, const rbl_solver_contact_cold *contact, bool is_set)
{
	if (contact->list >= RBL_SOLVER_COLORS)
		return;
	uint64_t bit = (uint64_t)1 << contact->list;
	for (int side = 0; side < 2; ++side)
		if (rbl_solver_is_dynamic(s, contact->body[side])) {
			uint64_t *colors = &s->cold[contact->body[side]].colors;
			RBL_ASSERT(((*colors & bit) != 0) != is_set);
			*colors ^= bit;
		}
}

static int choose_list(const rbl_solver *s, const rbl_solver_contact_cold *contact)
{
	int a = contact->body[0], b = contact->body[1];
	if (!rbl_solver_is_active(s, a) && !rbl_solver_is_active(s, b))
		return RBL_SOLVER_SLEEPING;
	bool a_moves = rbl_solver_is_dynamic(s, a), b_moves = rbl_solver_is_dynamic(s, b);
	uint64_t taken = (a_moves ? s->cold[a].colors : 0) | (b_moves ? s->cold[b].colors : 0);
	uint64_t free = ~taken & (((uint64_t)1 << RBL_SOLVER_COLORS) - 1);
	if (!free)
		return RBL_SOLVER_OVERFLOW;
	return a_moves && b_moves ? rbl_lowest_one(free) : rbl_highest_one(free);
}

void rbl_solver_leave_list(rbl_solver *s, rbl_solver_contact_cold *contact)
{
	if (contact->list < 0)
		return;
	rbl_solver_flip_color(s, contact, false);
	remove_slot(s, &s->lists[contact->list], contact->slot);
	contact->list = contact->slot = -1;
}

bool rbl_solver_take_slot(rbl_solver *s, int index)
{
	rbl_solver_contact_cold *contact = &s->contacts.data[index];
	rbl_solver_contact_list *list = &s->lists[choose_list(s, contact)];
	if (!rbl_solver_reserve_list(s, list, list->count + 1))
		return false;
	contact->list = (int)(list - s->lists);
	contact->slot = add_slot(list);
	contact->point_count = 0;
	rbl_solver_flip_color(s, contact, true);
	rbl_solver_cold_of(s, contact)->contact[contact->slot % RBL_SOLVER_LANES] = index;
	return true;
}

void rbl_solver_open_lane(rbl_solver *s, int index)
{
	const rbl_solver_contact_cold *contact = &s->contacts.data[index];
	int lane;
	rbl_solver_contact_block *block = rbl_solver_block_of(s, contact, &lane);
	rbl_solver_cold_block *cold = rbl_solver_cold_of(s, contact);
	rbl_solver_clear_lane(block, cold, lane);
	block->a[lane] = contact->body[0];
	block->b[lane] = contact->body[1];
	block->friction[lane] = contact->friction;
	for (int i = 0; i < 2; ++i) {
		cold->radius[i][lane] = contact->radius[i];
		cold->resistance[i][lane] = contact->resistance[i];
	}
	cold->contact[lane] = index;
	cold->restitution[lane] = contact->restitution;
}

// Without memory the contact loses its points.
static void move_to_list(rbl_solver *s, rbl_solver_contact_cold *contact, int wanted)
{
	rbl_solver_contact_list *to = &s->lists[wanted];
	if (!rbl_solver_reserve_list(s, to, to->count + 1)) {
		rbl_solver_leave_list(s, contact);
		contact->point_count = 0;
		s->lost_count++;
		if (s->def.lose_points)
			s->def.lose_points(s->def.user, contact->user);
		return;
	}
	int slot = add_slot(to), from_lane, to_lane;
	const rbl_solver_contact_block *old = rbl_solver_block_of(s, contact, &from_lane);
	rbl_solver_contact_block *block = rbl_solver_slot_block(to, slot, &to_lane);
	copy_lane(block, to_lane, old, from_lane, sizeof *block);
	copy_lane(&to->cold[slot / RBL_SOLVER_LANES], to_lane, rbl_solver_cold_of(s, contact),
	          from_lane, sizeof *to->cold);
	rbl_solver_leave_list(s, contact);
	contact->list = wanted;
	contact->slot = slot;
	rbl_solver_flip_color(s, contact, true);
}

void rbl_solver_place_contact(rbl_solver *s, int index)
{
	rbl_solver_contact_cold *contact = &s->contacts.data[index];
	if (contact->list < 0)
		return;
	bool is_active =
		rbl_solver_is_active(s, contact->body[0]) || rbl_solver_is_active(s, contact->body[1]);
	if (is_active != (contact->list != RBL_SOLVER_SLEEPING))
		move_to_list(s, contact, choose_list(s, contact));
}

void rbl_solver_place_contacts(rbl_solver *s, int body)
{
	for (int link = s->cold[body].first_contact; link >= 0;
	     link = rbl_solver_contact_link(s, link)->next)
		rbl_solver_place_contact(s, link >> 1);
}

void rbl_solver_park_contacts(rbl_solver *s, int body)
{
	for (int link = s->cold[body].first_contact; link >= 0;
	     link = rbl_solver_contact_link(s, link)->next) {
		rbl_solver_contact_cold *contact = &s->contacts.data[link >> 1];
		if (contact->list >= 0 && contact->list != RBL_SOLVER_SLEEPING)
			move_to_list(s, contact, RBL_SOLVER_SLEEPING);
	}
}
