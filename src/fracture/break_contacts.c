// SPDX-License-Identifier: MIT
//
// Contacts of the pieces: which of them touch or overlap, and how strongly they hang together.
//
// Pieces of two parents have a contact only where the parents have a bond, and inherit its strength: a
// break heals no old crack. The search is done in slices. What it needs of the members' scratch is
// read in the first, because other breaks of the compound may write there meanwhile.

#include "fracture/break.h"

#include "base/sort.h"
#include "base/vec.h"
#include "fracture/ghosts.h"

#include <limits.h>

enum { PER_CUT = 20 };  // faces looked at in the time of a cut of a convex by a cell
enum { PAIR_COST = 1 }; // of two convexes that may overlap, in cuts

// The strength of a bond between parents, as the strongest of all pairs; < 0: they have none.
static double parent_strength(const rbl_breaker *b, int first, int second)
{
	const rbl_compound *c = b->compound;
	double strength = -1.0;
	bool is_made = second < b->made_alive;
	for (int i = first; i >= 0; i = b->made.data[i].next_of_weld) {
		int p = b->made.data[i].parent;
		for (int k = second; k >= 0; k = is_made ? b->made.data[k].next_of_weld : -1) {
			int q = is_made ? b->made.data[k].parent : b->around.data[k - b->made_alive];
			if (p == q) {
				int material = c->members.data[p].material;
				strength = rbl_maxd(strength, c->strengths[material]);
				continue;
			}
			int bond = rbl_compound_find_bond(c, p, q);
			if (bond >= 0)
				strength = rbl_maxd(strength, c->bonds.data[bond].strength);
		}
	}
	return strength;
}

// Whether contacts of two pieces, or of a piece and a member beside it, will count.
static bool should_collide(const void *user, int first, int second)
{
	const rbl_breaker *b = user;
	return first < b->made_alive && parent_strength(b, first, second) >= 0.0;
}

// A list of pairs, to be sorted.
typedef RBL_ARRAY(rbl_sort_item64) pair_list;

static bool add_pair(const rbl_breaker *b, pair_list *list, int first, int second)
{
	rbl_sort_item64 item = {
		(uint64_t)rbl_mini(first, second) << 32 | (uint32_t)rbl_maxi(first, second), 0, 0
	};
	return rbl_array_push(b->allocator, list, item);
}

static uint64_t place_key(int parent, int cell)
{
	return (uint64_t)parent << 32 | (uint32_t)cell;
}

// The first of sorted items whose key is not below one.
static int lower_bound(const rbl_sort_item64 *items, int count, uint64_t key)
{
	int low = 0;
	for (int high = count; low < high;) {
		int middle = (low + high) / 2;
		if (items[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// Pairs of a piece and those of other parents in its cell, as far as the parents overlap.
static bool pair_piece(const rbl_breaker *b, const int *groups, int piece,
                       const rbl_sort_item64 *places, int place_count, pair_list *list)
{
	const rbl_compound *c = b->compound;
	for (int k = piece; k >= 0; k = b->made.data[k].next_of_weld) {
		for (int end = c->members.data[b->made.data[k].parent].first_bond; end >= 0;) {
			const rbl_bond *bond = &c->bonds.data[end / 2];
			uint64_t key = place_key(bond->members[!(end % 2)], b->made.data[piece].cell);
			end = bond->next[end % 2];
			if (!bond->is_overlap)
				continue;
			for (int i = lower_bound(places, place_count, key);
			     i < place_count && places[i].key == key; ++i) {
				int other = (int)places[i].value;
				if (other > piece && groups[other] == groups[piece] &&
				    !add_pair(b, list, piece, other))
					return false;
			}
		}
	}
	return true;
}

// Pieces of one cell whose parents overlap; pieces in different cells never do.
static bool pair_in_cells(const rbl_breaker *b, const int *groups, pair_list *list)
{
	size_t room = 2 * (size_t)b->made.count + 1;
	rbl_sort_item64 *places = RBL_NEW(b->allocator, rbl_sort_item64, room);
	bool done = places != NULL;
	int count = 0; // each piece is once for each of its parents
	for (int i = 0; i < b->made_alive && done; ++i)
		for (int k = i; k >= 0; k = b->made.data[k].next_of_weld)
			places[count++] =
				(rbl_sort_item64){ place_key(b->made.data[k].parent, b->made.data[i].cell),
				                   (uint32_t)i, 0 };
	if (done)
		rbl_sort64(places, places + count, count);
	for (int i = 0; i < b->made_alive && done; ++i)
		done = pair_piece(b, groups, i, places, count, list);
	RBL_FREE(b->allocator, places, room);
	return done;
}

// Pieces that stay, and members beside them that their parents overlap.
static bool pair_with_around(const rbl_breaker *b, pair_list *list)
{
	const rbl_compound *c = b->compound;
	for (int i = 0; i < b->around.count; ++i)
		c->members.data[b->around.data[i]].place = i;
	for (int i = 0; i < b->made_alive; ++i) {
		if (b->made.data[i].group != RBL_GROUP_REST)
			continue;
		for (int k = i; k >= 0; k = b->made.data[k].next_of_weld) {
			for (int end = c->members.data[b->made.data[k].parent].first_bond; end >= 0;) {
				const rbl_bond *bond = &c->bonds.data[end / 2];
				const rbl_member *other = &c->members.data[bond->members[!(end % 2)]];
				end = bond->next[end % 2];
				if (bond->is_overlap && other->region != RBL_MEMBER_REMOVED &&
				    !add_pair(b, list, i, b->made_alive + other->place))
					return false;
			}
		}
	}
	return true;
}

// All pairs that may overlap, ascending, each once: two numbers for each. @return false when memory
// ran out
static bool list_pairs(const rbl_breaker *b, rbl_forming *f)
{
	pair_list list = { 0 };
	bool done = pair_in_cells(b, f->groups, &list) && pair_with_around(b, &list);
	int n = list.count;
	f->pair_capacity = 2 * n + 1;
	f->pairs = done ? RBL_NEW(b->allocator, int, f->pair_capacity) : NULL;
	done = f->pairs && rbl_array_reserve(b->allocator, &list, 2 * n + 1);
	if (done)
		rbl_sort64(list.data, list.data + n, n);
	for (int i = 0; i < n && done; ++i) {
		if (i > 0 && list.data[i].key == list.data[i - 1].key)
			continue;
		f->pairs[2 * f->pair_count] = (int)(list.data[i].key >> 32);
		f->pairs[2 * f->pair_count + 1] = (int)(list.data[i].key & UINT32_MAX);
		f->pair_count++;
	}
	rbl_array_free(b->allocator, &list);
	return done;
}

// Pieces of parents that overlapped hang together where they still do. Those that touch besides
// have a contact already, which is marked. Both lists ascend.
static rbl_result merge_overlaps(rbl_breaker *b, const rbl_contacts *overlaps)
{
	rbl_contacts merged = { 0 };
	int total = b->contacts.items.count + overlaps->items.count;
	if (!rbl_array_reserve(b->allocator, &merged.items, total + 1))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0, k = 0; i + k < total;) {
		const rbl_contact *x = i < b->contacts.items.count ? &b->contacts.items.data[i] : NULL;
		const rbl_contact *y = k < overlaps->items.count ? &overlaps->items.data[k] : NULL;
		bool is_same = x && y && x->a == y->a && x->b == y->b;
		bool is_first = x && (!y || x->a < y->a || (x->a == y->a && x->b <= y->b));
		rbl_contact contact = is_first ? *x : *y;
		bool overlaps_too = is_same || !is_first;
		contact.is_overlap = overlaps_too;
		merged.items.data[merged.items.count++] = contact;
		i += is_first;
		k += !is_first || is_same;
	}
	rbl_array_free(b->allocator, &b->contacts.items);
	memcpy(&b->contacts.items, &merged.items, sizeof merged.items);
	b->contacts.tested_count += overlaps->tested_count;
	return RBL_OK;
}

static bool has_parent(const rbl_breaker *b, int piece, int member)
{
	for (int i = piece; i >= 0; i = b->made.data[i].next_of_weld)
		if (b->made.data[i].parent == member)
			return true;
	return false;
}

// The node of a member that is nearest to a point: one of its pieces, or the member itself.
static int nearest_node(const rbl_breaker *b, int member, rbl_vec3d point)
{
	for (int i = 0; i < b->around.count; ++i)
		if (b->around.data[i] == member)
			return b->made_alive + i;
	int best = -1;
	double least = DBL_MAX;
	for (int i = 0; i < b->made_alive; ++i) {
		if (!has_parent(b, i, member))
			continue;
		double distance = rbl_convex_distance(b->made.data[i].convex, point);
		if (distance < least)
			least = distance, best = i;
	}
	return best;
}

static bool has_contact(const rbl_breaker *b, int first, int second)
{
	for (int i = 0; i < b->contacts.items.count; ++i)
		if (b->contacts.items.data[i].a == first && b->contacts.items.data[i].b == second)
			return true;
	return false;
}

// Members that were bent do not touch: the pieces nearest to their joint inherit it, if they stay
// together at all.
static rbl_result add_loose(rbl_breaker *b, const int *groups)
{
	const rbl_compound *c = b->compound;
	for (int i = 0; i < b->touched.count; ++i) {
		int member = b->touched.data[i];
		for (int end = c->members.data[member].first_bond; end >= 0;) {
			const rbl_bond *bond = &c->bonds.data[end / 2];
			int other = bond->members[!(end % 2)];
			bool is_second = end % 2 && c->members.data[other].region == RBL_MEMBER_REMOVED;
			end = bond->next[end % 2];
			if (!bond->is_loose || is_second)
				continue;
			int x = nearest_node(b, member, bond->centre), y = nearest_node(b, other, bond->centre);
			if (x < 0 || y < 0 || x == y || groups[x] != groups[y])
				continue;
			rbl_contact contact = { .a = rbl_mini(x, y), .b = rbl_maxi(x, y) };
			contact.face_a = contact.face_b = -1;
			contact.area = bond->area;
			contact.centre = bond->centre;
			contact.is_loose = true;
			if (!has_contact(b, contact.a, contact.b) &&
			    !rbl_array_push(b->allocator, &b->contacts.items, contact))
				return RBL_OUT_OF_MEMORY;
		}
	}
	return RBL_OK;
}

// --- in steps -----------------------------------------------------------------------------------

static uint64_t face_id(const rbl_compound *c, int member, int face)
{
	rbl_convex_data d = rbl_convex_get_data(c->members.data[member].convex);
	return face >= 0 && face < d.face_count ? d.plane_ids[face] : RBL_NO_PLANE_ID;
}

// Whether a face of a member that has a plane id is bonded to one that has another.
static bool has_mixed_bond(const rbl_compound *c, int member)
{
	for (int end = c->members.data[member].first_bond; end >= 0;) {
		const rbl_bond *bond = &c->bonds.data[end / 2];
		end = bond->next[end % 2];
		uint64_t first = face_id(c, bond->members[0], bond->faces[0]);
		uint64_t second = face_id(c, bond->members[1], bond->faces[1]);
		if (bond->is_overlap || bond->is_loose || first != second)
			return true;
	}
	return false;
}

static int place_among_touched(const rbl_breaker *b, int member)
{
	int low = 0;
	for (int high = b->touched.count; low < high;) {
		int middle = (low + high) / 2;
		if (b->touched.data[middle] < member)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// What plane ids do not tell: pieces of members whose bonds are mixed may touch others by faces
// that they had. Cells that were welded may do so by their own, where those lie in faces of their
// neighbours.
static bool find_loose(rbl_breaker *b, unsigned char *loose)
{
	bool *is_mixed = RBL_NEW(b->allocator, bool, (size_t)b->touched.count + 1);
	if (!is_mixed)
		return false;
	for (int i = 0; i < b->touched.count; ++i)
		is_mixed[i] = has_mixed_bond(b->compound, b->touched.data[i]);
	for (int i = 0; i < b->made_alive; ++i) {
		loose[i] = b->made.data[i].next_of_weld >= 0 ? RBL_LOOSE_PATTERN : 0;
		for (int k = i; k >= 0; k = b->made.data[k].next_of_weld)
			if (is_mixed[place_among_touched(b, b->made.data[k].parent)])
				loose[i] |= RBL_LOOSE_OTHERS;
	}
	memset(loose + b->made_alive, 0, (size_t)b->around.count); // their partners tell
	RBL_FREE(b->allocator, is_mixed, (size_t)b->touched.count + 1);
	return true;
}

static bool set_up(rbl_breaker *b)
{
	rbl_forming *f = &b->forming;
	int n = f->count = b->made_alive + b->around.count;
	f->convexes = RBL_NEW(b->allocator, const rbl_convex *, (size_t)n + 1);
	f->volumes = RBL_NEW(b->allocator, double, (size_t)n + 1);
	f->groups = RBL_NEW(b->allocator, int, (size_t)n + 1);
	f->ends = RBL_NEW(b->allocator, int, (size_t)n + 1);
	f->loose = RBL_NEW(b->allocator, unsigned char, (size_t)n + 1);
	if (!f->convexes || !f->volumes || !f->groups || !f->ends || !f->loose ||
	    !find_loose(b, f->loose))
		return false;
	for (int i = 0; i < b->made_alive; ++i) {
		f->convexes[i] = b->made.data[i].convex;
		f->volumes[i] = b->made.data[i].volume;
		f->groups[i] = b->made.data[i].group;
		f->ends[i] = b->made.data[i].face_end;
	}
	for (int i = 0; i < b->around.count; ++i) {
		const rbl_member *m = &b->compound->members.data[b->around.data[i]];
		f->convexes[b->made_alive + i] = m->convex;
		f->volumes[b->made_alive + i] = m->volume;
		f->groups[b->made_alive + i] = RBL_GROUP_REST;
		f->ends[b->made_alive + i] = INT_MAX;
	}
	return true;
}

rbl_result rbl_break_contacts_begin(rbl_breaker *b)
{
	rbl_forming *f = &b->forming;
	if (!set_up(b))
		return RBL_OUT_OF_MEMORY;
	if (b->compound->overlap_count > 0 && !list_pairs(b, f))
		return RBL_OUT_OF_MEMORY;
	rbl_contact_search search = { .count = f->count, .convexes = f->convexes };
	search.groups = f->groups;
	search.face_ends = f->ends;
	search.fixed_from = b->made_alive;
	search.tolerance = b->compound->tolerance;
	search.pattern_begin = b->plane_base;
	search.pattern_end = b->plane_end;
	search.loose = f->loose;
	search.should_collide = should_collide;
	search.user = b;
	search.jobs = b->def->jobs;
	f->finder = rbl_contacts_begin(b->allocator, &search);
	return f->finder ? RBL_OK : RBL_OUT_OF_MEMORY;
}

void rbl_break_contacts_end(rbl_breaker *b)
{
	rbl_forming *f = &b->forming;
	rbl_contacts_end(f->finder);
	RBL_FREE(b->allocator, f->convexes, (size_t)f->count + 1);
	RBL_FREE(b->allocator, f->volumes, (size_t)f->count + 1);
	RBL_FREE(b->allocator, f->groups, (size_t)f->count + 1);
	RBL_FREE(b->allocator, f->ends, (size_t)f->count + 1);
	RBL_FREE(b->allocator, f->loose, (size_t)f->count + 1);
	RBL_FREE(b->allocator, f->pairs, f->pair_capacity);
	rbl_array_free(b->allocator, &f->overlaps.items);
	memset(f, 0, sizeof *f);
}

static rbl_result find_touching(rbl_breaker *b, int *budget)
{
	rbl_forming *f = &b->forming;
	bool is_done = false;
	int faces = *budget < INT_MAX / PER_CUT ? *budget * PER_CUT : INT_MAX;
	rbl_result result = rbl_contacts_work(f->finder, &faces, &b->contacts, &is_done);
	*budget = faces / PER_CUT;
	if (is_done) {
		rbl_contacts_end(f->finder);
		f->finder = NULL;
	}
	return result;
}

static rbl_result find_overlapping(rbl_breaker *b, int *budget)
{
	rbl_forming *f = &b->forming;
	rbl_overlap_search search = { .convexes = f->convexes, .volumes = f->volumes };
	search.jobs = b->def->jobs;
	search.pairs = f->pairs + 2 * f->next_pair;
	search.pair_count = rbl_mini(*budget / PAIR_COST, f->pair_count - f->next_pair);
	*budget -= search.pair_count * PAIR_COST;
	f->next_pair += search.pair_count;
	return rbl_find_overlaps(b->allocator, &search, &f->overlaps);
}

// Strengths of all contacts; those of parents without a bond are left out.
static rbl_result set_strengths(rbl_breaker *b)
{
	int count = b->contacts.items.count, kept = 0;
	b->strength_count = count;
	b->strengths = RBL_NEW(b->allocator, double, (size_t)count + 1);
	if (!b->strengths)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i) {
		rbl_contact contact = b->contacts.items.data[i];
		double strength = parent_strength(b, contact.a, contact.b);
		if (strength < 0.0)
			continue;
		b->strengths[kept] = strength;
		b->contacts.items.data[kept++] = contact;
	}
	b->contacts.items.count = kept;
	b->counts.tested_count = b->contacts.tested_count;
	return RBL_OK;
}

rbl_result rbl_break_contacts_some(rbl_breaker *b, int *budget, bool *is_done)
{
	rbl_forming *f = &b->forming;
	*is_done = false;
	if (f->finder)
		return find_touching(b, budget);
	if (f->next_pair < f->pair_count)
		return find_overlapping(b, budget);
	rbl_result result = RBL_OK;
	*budget -= 1 + b->contacts.items.count / PER_CUT;
	if (f->pairs)
		result = merge_overlaps(b, &f->overlaps);
	if (result == RBL_OK && b->compound->loose_count > 0) {
		rbl_break_mark_again(b);
		result = add_loose(b, f->groups);
	}
	if (result == RBL_OK)
		result = set_strengths(b);
	rbl_break_contacts_end(b);
	*is_done = result == RBL_OK;
	return result;
}
