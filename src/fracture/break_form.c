// SPDX-License-Identifier: MIT
//
// From pieces in cells to what hangs together (Mueller et al. 2013, section 3.1, steps 3 and 4).
//
// Pieces outside of the impact are one group, the rest; the others stay together by the colour of
// their cell. A cell that its pieces fill becomes one convex again: only where none of them has a
// mesh, which would be lost, where all are of one material and one group, and where their parents
// hang together, so that welding does not heal an old crack. For the same reason pieces of two
// parents have a contact only where the parents have a bond, and inherit its strength.

#include "fracture/break.h"

#include "base/hash.h"
#include "base/sort.h"
#include "base/vec.h"
#include "fracture/ghosts.h"

#include <limits.h>

static rbl_result set_groups(rbl_breaker *b)
{
	rbl_map groups = { 0 };
	rbl_result result = RBL_OK;
	uint32_t next = RBL_GROUP_REST + 1;
	for (int i = 0; i < b->made.count && result == RBL_OK; ++i) {
		rbl_made *made = &b->made.data[i];
		made->group = RBL_GROUP_REST;
		if (made->is_outside)
			continue;
		uint64_t key = (uint64_t)made->cell;
		if (made->cell >= b->cells->cell_count)
			key = (uint64_t)1 << 40; // beyond the pattern
		else if (b->pattern)
			key = (uint32_t)rbl_pattern_cell_color(b->pattern, made->cell);
		const uint32_t *group = rbl_map_add(b->allocator, &groups, key, next);
		if (!group) {
			result = RBL_OUT_OF_MEMORY;
			break;
		}
		made->group = (int)*group;
		next += *group == next;
	}
	rbl_map_free(b->allocator, &groups);
	return result;
}

// --- welding ------------------------------------------------------------------------------------

static bool can_weld(const rbl_breaker *b, const rbl_sort_item *items, int count)
{
	const rbl_made *first = &b->made.data[items[0].value];
	if (count < 2 || first->cell >= b->cells->cell_count)
		return false;
	double volume = 0.0;
	for (int i = 0; i < count; ++i) {
		const rbl_made *made = &b->made.data[items[i].value];
		if (made->mesh || made->group != first->group || made->material != first->material ||
		    made->is_anchored != first->is_anchored)
			return false;
		volume += made->volume;
	}
	double room = b->cells->volumes[first->cell];
	return fabs(volume - room) <= 1e-9 * room;
}

// Whether the parents of pieces hang together by bonds among themselves. Uses the members' scratch.
static bool parents_hang_together(rbl_breaker *b, const rbl_sort_item *items, int count)
{
	rbl_compound *c = b->compound;
	int *queue = RBL_NEW(b->allocator, int, count);
	if (!queue)
		return false; // not welding is right as well
	rbl_compound_new_stamp(c);
	for (int i = 0; i < count; ++i)
		rbl_searched_member(c, b->made.data[items[i].value].parent)->chip = 1;
	int reached = 0;
	queue[reached++] = b->made.data[items[0].value].parent;
	c->members.data[queue[0]].chip = 2;
	for (int at = 0; at < reached; ++at) {
		for (int end = c->members.data[queue[at]].first_bond; end >= 0;) {
			const rbl_bond *bond = &c->bonds.data[end / 2];
			int other = bond->members[!(end % 2)];
			if (rbl_searched_member(c, other)->chip == 1) {
				c->members.data[other].chip = 2;
				queue[reached++] = other;
			}
			end = bond->next[end % 2];
		}
	}
	RBL_FREE(b->allocator, queue, count);
	return reached == count; // each member has one piece in a cell
}

static rbl_result weld_cell(rbl_breaker *b, const rbl_sort_item *items, int count)
{
	rbl_convex *convex = NULL;
	rbl_made welded = b->made.data[items[0].value];
	rbl_result result =
		rbl_cell_convex(b->cells, welded.cell, b->plane_base, b->allocator, &convex);
	if (result != RBL_OK || !convex)
		return result;
	welded.convex = convex;
	welded.volume = rbl_convex_volume(convex);
	welded.is_whole = false;
	welded.face_end = INT_MAX;
	welded.next_of_weld = (int)items[0].value;
	if (!rbl_array_push(b->allocator, &b->made, welded)) {
		rbl_destroy_convex(convex);
		return RBL_OUT_OF_MEMORY;
	}
	for (int i = 0; i < count; ++i) {
		rbl_made *made = &b->made.data[items[i].value];
		if (!made->is_whole)
			rbl_destroy_convex(made->convex);
		made->convex = NULL;
		made->is_whole = false;
		made->next_of_weld = i + 1 < count ? (int)items[i + 1].value : -1;
	}
	b->counts.welded_count++;
	return RBL_OK;
}

static rbl_result weld(rbl_breaker *b)
{
	int n = b->made.count;
	rbl_sort_item *items = RBL_NEW(b->allocator, rbl_sort_item, 2 * (size_t)n + 1);
	if (!items)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < n; ++i)
		items[i] = (rbl_sort_item){ (uint32_t)b->made.data[i].cell, (uint32_t)i };
	rbl_sort(items, items + n, n);
	rbl_result result = RBL_OK;
	for (int first = 0, end; first < n && result == RBL_OK; first = end) {
		for (end = first + 1; end < n && items[end].key == items[first].key;)
			end++;
		if (can_weld(b, items + first, end - first) &&
		    parents_hang_together(b, items + first, end - first))
			result = weld_cell(b, items + first, end - first);
	}
	RBL_FREE(b->allocator, items, 2 * (size_t)n + 1);
	return result;
}

// Close the gaps that welding left; the chains of what was welded move along, to the end.
static rbl_result compact(rbl_breaker *b)
{
	int n = b->made.count, alive = 0;
	rbl_made *moved = RBL_NEW(b->allocator, rbl_made, (size_t)n + 1);
	int *places = RBL_NEW(b->allocator, int, (size_t)n + 1);
	if (!moved || !places) {
		RBL_FREE(b->allocator, moved, (size_t)n + 1);
		RBL_FREE(b->allocator, places, (size_t)n + 1);
		return RBL_OUT_OF_MEMORY;
	}
	for (int pass = 0, at = 0; pass < 2; ++pass) {
		for (int i = 0; i < n; ++i) {
			if ((b->made.data[i].convex == NULL) == pass)
				places[i] = at, moved[at++] = b->made.data[i];
		}
		alive = pass == 0 ? at : alive;
	}
	for (int i = 0; i < n; ++i) {
		if (moved[i].next_of_weld >= 0)
			moved[i].next_of_weld = places[moved[i].next_of_weld];
	}
	memcpy(b->made.data, moved, (size_t)n * sizeof *moved);
	b->made_alive = alive;
	RBL_FREE(b->allocator, moved, (size_t)n + 1);
	RBL_FREE(b->allocator, places, (size_t)n + 1);
	return RBL_OK;
}

// --- contacts -----------------------------------------------------------------------------------

rbl_result rbl_break_mark(rbl_breaker *b)
{
	rbl_compound *c = b->compound;
	rbl_compound_new_stamp(c);
	for (int i = 0; i < b->touched.count; ++i)
		rbl_searched_member(c, b->touched.data[i])->region = RBL_MEMBER_REMOVED;
	for (int i = 0; i < b->touched.count; ++i) {
		for (int end = c->members.data[b->touched.data[i]].first_bond; end >= 0;) {
			const rbl_bond *bond = &c->bonds.data[end / 2];
			int other = bond->members[!(end % 2)];
			end = bond->next[end % 2];
			bool is_new = c->members.data[other].stamp != c->stamp;
			rbl_searched_member(c, other);
			if (is_new && !rbl_array_push(b->allocator, &b->around, other))
				return RBL_OUT_OF_MEMORY;
		}
	}
	return RBL_OK;
}

void rbl_break_mark_again(rbl_breaker *b)
{
	rbl_compound *c = b->compound;
	rbl_compound_new_stamp(c);
	for (int i = 0; i < b->touched.count; ++i)
		rbl_searched_member(c, b->touched.data[i])->region = RBL_MEMBER_REMOVED;
	for (int i = 0; i < b->around.count; ++i)
		rbl_searched_member(c, b->around.data[i]);
}

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

static bool parents_overlap(const rbl_breaker *b, int first, int second)
{
	const rbl_compound *c = b->compound;
	bool is_made = second < b->made_alive;
	for (int i = first; i >= 0; i = b->made.data[i].next_of_weld) {
		for (int k = second; k >= 0; k = is_made ? b->made.data[k].next_of_weld : -1) {
			int p = b->made.data[i].parent;
			int q = is_made ? b->made.data[k].parent : b->around.data[k - b->made_alive];
			int bond = p != q ? rbl_compound_find_bond(c, p, q) : -1;
			if (bond >= 0 && c->bonds.data[bond].is_overlap)
				return true;
		}
	}
	return false;
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

// Pieces of one cell whose parents overlap; pieces in different cells never do.
static bool pair_in_cells(const rbl_breaker *b, const int *groups, pair_list *list)
{
	int n = b->made_alive;
	rbl_sort_item *items = RBL_NEW(b->allocator, rbl_sort_item, 2 * (size_t)n + 1);
	bool done = items != NULL;
	for (int i = 0; i < n && done; ++i)
		items[i] = (rbl_sort_item){ (uint32_t)b->made.data[i].cell, (uint32_t)i };
	if (done)
		rbl_sort(items, items + n, n);
	for (int i = 0; i < n && done; ++i) {
		int first = (int)items[i].value;
		for (int k = i + 1; k < n && items[k].key == items[i].key && done; ++k) {
			int second = (int)items[k].value;
			if (groups[first] == groups[second] && parents_overlap(b, first, second))
				done = add_pair(b, list, first, second);
		}
	}
	RBL_FREE(b->allocator, items, 2 * (size_t)n + 1);
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
static bool list_pairs(const rbl_breaker *b, const int *groups, int **pairs, int *capacity,
                       int *count)
{
	pair_list list = { 0 };
	bool done = pair_in_cells(b, groups, &list) && pair_with_around(b, &list);
	int n = list.count;
	*count = 0;
	*capacity = 2 * n + 1;
	*pairs = done ? RBL_NEW(b->allocator, int, *capacity) : NULL;
	done = *pairs && rbl_array_reserve(b->allocator, &list, 2 * n + 1);
	if (done)
		rbl_sort64(list.data, list.data + n, n);
	for (int i = 0; i < n && done; ++i) {
		if (i > 0 && list.data[i].key == list.data[i - 1].key)
			continue;
		(*pairs)[2 * *count] = (int)(list.data[i].key >> 32);
		(*pairs)[2 * *count + 1] = (int)(list.data[i].key & UINT32_MAX);
		++*count;
	}
	rbl_array_free(b->allocator, &list);
	return done;
}

// Pieces of parents that overlapped hang together where they still do. Those that touch besides
// have a contact already, which is marked. Both lists ascend.
static rbl_result add_overlaps(rbl_breaker *b, const rbl_convex *const *convexes,
                               const double *volumes, const int *groups, int n)
{
	rbl_overlap_search search = { .count = n, .convexes = convexes, .groups = groups };
	search.volumes = volumes;
	search.fixed_from = b->made_alive;
	rbl_contacts overlaps = { 0 }, merged = { 0 };
	int *pairs = NULL, capacity = 0;
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (list_pairs(b, groups, &pairs, &capacity, &search.pair_count)) {
		search.pairs = pairs;
		search.jobs = b->def->jobs;
		result = rbl_find_overlaps(b->allocator, &search, &overlaps);
	}
	RBL_FREE(b->allocator, pairs, capacity);
	int total = b->contacts.items.count + overlaps.items.count;
	if (result == RBL_OK && !rbl_array_reserve(b->allocator, &merged.items, total + 1))
		result = RBL_OUT_OF_MEMORY;
	for (int i = 0, k = 0; i + k < total && result == RBL_OK;) {
		const rbl_contact *x = i < b->contacts.items.count ? &b->contacts.items.data[i] : NULL;
		const rbl_contact *y = k < overlaps.items.count ? &overlaps.items.data[k] : NULL;
		bool is_same = x && y && x->a == y->a && x->b == y->b;
		bool is_first = x && (!y || x->a < y->a || (x->a == y->a && x->b <= y->b));
		rbl_contact contact = is_first ? *x : *y;
		bool overlaps_too = is_same || !is_first;
		contact.is_overlap = overlaps_too;
		if (is_first || overlaps_too)
			merged.items.data[merged.items.count++] = contact;
		i += is_first;
		k += !is_first || is_same;
	}
	rbl_array_free(b->allocator, &overlaps.items);
	if (result != RBL_OK)
		return result;
	rbl_array_free(b->allocator, &b->contacts.items);
	memcpy(&b->contacts.items, &merged.items, sizeof merged.items);
	b->contacts.tested_count += overlaps.tested_count;
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

static rbl_result find_contacts(rbl_breaker *b)
{
	int n = b->made_alive + b->around.count;
	const rbl_convex **convexes = RBL_NEW(b->allocator, const rbl_convex *, n);
	double *volumes = RBL_NEW(b->allocator, double, n);
	int *groups = RBL_NEW(b->allocator, int, n), *ends = RBL_NEW(b->allocator, int, n);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (convexes && volumes && groups && ends) {
		for (int i = 0; i < b->made_alive; ++i) {
			convexes[i] = b->made.data[i].convex;
			volumes[i] = b->made.data[i].volume;
			groups[i] = b->made.data[i].group;
			ends[i] = b->made.data[i].face_end;
		}
		for (int i = 0; i < b->around.count; ++i) {
			const rbl_member *m = &b->compound->members.data[b->around.data[i]];
			convexes[b->made_alive + i] = m->convex;
			volumes[b->made_alive + i] = m->volume;
			groups[b->made_alive + i] = RBL_GROUP_REST;
			ends[b->made_alive + i] = INT_MAX;
		}
		rbl_contact_search search = { .count = n, .convexes = convexes, .groups = groups };
		search.face_ends = ends;
		search.fixed_from = b->made_alive;
		search.tolerance = b->compound->tolerance;
		search.jobs = b->def->jobs;
		result = rbl_find_contacts(b->allocator, &search, &b->contacts);
		if (result == RBL_OK && b->compound->overlap_count > 0)
			result = add_overlaps(b, convexes, volumes, groups, n);
		if (result == RBL_OK && b->compound->loose_count > 0)
			result = add_loose(b, groups);
	}
	RBL_FREE(b->allocator, convexes, n);
	RBL_FREE(b->allocator, volumes, n);
	RBL_FREE(b->allocator, groups, n);
	RBL_FREE(b->allocator, ends, n);
	return result;
}

rbl_result rbl_break_form(rbl_breaker *b)
{
	rbl_result result = set_groups(b);
	if (result == RBL_OK && b->def->welds)
		result = weld(b);
	if (result == RBL_OK)
		result = compact(b);
	if (result == RBL_OK)
		result = rbl_break_mark(b);
	if (result == RBL_OK)
		result = find_contacts(b);
	if (result != RBL_OK)
		return result;
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
