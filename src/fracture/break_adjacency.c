// SPDX-License-Identifier: MIT
//
// Adjacency of the pieces: which of them touch or overlap, and the strength of each new bond.
//
// Pieces of two parents are adjacent only where the parents have a bond, and inherit its strength:
// a break never heals an old crack. The search works in slices. What it needs of the parts'
// scratch is read in the first one, because other breaks of the compound may overwrite it
// meanwhile.

#include "fracture/break.h"

#include "base/sort.h"
#include "base/vec.h"
#include "fracture/ghosts.h"

#include <limits.h>

enum { ADJACENCIES_PER_CUT = 20 }; // faces looked at in the time of a cut of a convex by a cell
enum { PAIR_COST = 1 };            // of two convexes that may overlap, in cuts

// The strength of a bond between parents, as the strongest of all pairs; < 0: they have none.
static double parent_strength(const rbl_breaker *b, int first, int second)
{
	const rbl_compound *c = b->compound;
	double strength = -1.0;
	bool is_piece = second < b->piece_count;
	for (int i = first; i >= 0; i = b->pieces.data[i].next_of_weld) {
		int p = b->pieces.data[i].parent;
		for (int k = second; k >= 0; k = is_piece ? b->pieces.data[k].next_of_weld : -1) {
			int q = is_piece ? b->pieces.data[k].parent : b->around.data[k - b->piece_count];
			if (p == q) {
				strength = rbl_maxd(strength, c->parts.data[p].strength);
				continue;
			}
			int bond = rbl_compound_find_bond(c, p, q);
			if (bond >= 0)
				strength = rbl_maxd(strength, c->bonds.data[bond].strength);
		}
	}
	return strength;
}

// The damage of a bond between parents, as the worst of all pairs. Inside of a part there is none.
static double parent_damage(const rbl_breaker *b, int first, int second)
{
	const rbl_compound *c = b->compound;
	double damage = 0.0;
	bool is_piece = second < b->piece_count;
	for (int i = first; i >= 0; i = b->pieces.data[i].next_of_weld) {
		int p = b->pieces.data[i].parent;
		for (int k = second; k >= 0; k = is_piece ? b->pieces.data[k].next_of_weld : -1) {
			int q = is_piece ? b->pieces.data[k].parent : b->around.data[k - b->piece_count];
			int bond = p == q ? -1 : rbl_compound_find_bond(c, p, q);
			if (bond >= 0)
				damage = rbl_maxd(damage, c->bonds.data[bond].damage);
		}
	}
	return damage;
}

// Hits may wear the compound down while a break is pending, so damage is read at the end, when the
// break is about to be finished: a break that is resumed from a snapshot reads the same.
void rbl_break_inherit_damage(rbl_breaker *b)
{
	const rbl_compound *c = b->compound;
	for (int i = 0; i < b->piece_count; ++i) {
		rbl_break_piece *piece = &b->pieces.data[i];
		piece->strength = c->parts.data[piece->parent].strength;
		piece->damage = 0.0;
		for (int k = i; k >= 0; k = b->pieces.data[k].next_of_weld)
			piece->damage = rbl_maxd(piece->damage, c->parts.data[b->pieces.data[k].parent].damage);
	}
	for (int i = 0; i < b->adjacent.items.count; ++i) {
		const rbl_adjacent_pair *pair = &b->adjacent.items.data[i];
		b->damages[i] = c->worn_count > 0 ? parent_damage(b, pair->a, pair->b) : 0.0;
	}
}

// Whether two pieces, or a piece and a part beside it, may be adjacent.
static bool should_collide(const void *user, int first, int second)
{
	const rbl_breaker *b = user;
	return first < b->piece_count && parent_strength(b, first, second) >= 0.0;
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

static uint64_t slot_key(int parent, int cell)
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
                       const rbl_sort_item64 *slots, int slot_count, pair_list *list)
{
	const rbl_compound *c = b->compound;
	for (int k = piece; k >= 0; k = b->pieces.data[k].next_of_weld) {
		for (int end = c->parts.data[b->pieces.data[k].parent].first_bond; end >= 0;) {
			const rbl_bond *bond = &c->bonds.data[end / 2];
			uint64_t key = slot_key(bond->parts[!(end % 2)], b->pieces.data[piece].cell);
			end = bond->next[end % 2];
			if (!bond->is_overlap)
				continue;
			for (int i = lower_bound(slots, slot_count, key); i < slot_count && slots[i].key == key;
			     ++i) {
				int other = (int)slots[i].value;
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
	size_t capacity = 2 * (size_t)b->pieces.count + 1;
	rbl_sort_item64 *slots = RBL_NEW(b->allocator, rbl_sort_item64, capacity);
	bool done = slots != NULL;
	int count = 0; // each piece is once for each of its parents
	for (int i = 0; i < b->piece_count && done; ++i)
		for (int k = i; k >= 0; k = b->pieces.data[k].next_of_weld)
			slots[count++] =
				(rbl_sort_item64){ slot_key(b->pieces.data[k].parent, b->pieces.data[i].cell),
				                   (uint32_t)i, 0 };
	if (done)
		rbl_sort64(slots, slots + count, count);
	for (int i = 0; i < b->piece_count && done; ++i)
		done = pair_piece(b, groups, i, slots, count, list);
	RBL_FREE(b->allocator, slots, capacity);
	return done;
}

// Pieces that stay, and parts beside them that their parents overlap.
static bool pair_with_around(const rbl_breaker *b, pair_list *list)
{
	const rbl_compound *c = b->compound;
	for (int i = 0; i < b->around.count; ++i)
		c->parts.data[b->around.data[i]].slot = i;
	for (int i = 0; i < b->piece_count; ++i) {
		if (b->pieces.data[i].group != RBL_GROUP_REST)
			continue;
		for (int k = i; k >= 0; k = b->pieces.data[k].next_of_weld) {
			for (int end = c->parts.data[b->pieces.data[k].parent].first_bond; end >= 0;) {
				const rbl_bond *bond = &c->bonds.data[end / 2];
				const rbl_part *other = &c->parts.data[bond->parts[!(end % 2)]];
				end = bond->next[end % 2];
				if (bond->is_overlap && other->region != RBL_PART_REMOVED &&
				    !add_pair(b, list, i, b->piece_count + other->slot))
					return false;
			}
		}
	}
	return true;
}

// All pairs that may overlap, ascending, each once: two numbers for each. @return false when memory
// ran out
static bool list_box_pairs(const rbl_breaker *b, rbl_break_adjacency *f)
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

// Pieces of parents that overlapped stay connected where they still overlap. Those that touch too
// are in the list already, and are marked. Both lists ascend.
static rbl_result merge_overlaps(rbl_breaker *b, const rbl_adjacent_pairs *overlaps)
{
	rbl_adjacent_pairs merged = { 0 };
	int total = b->adjacent.items.count + overlaps->items.count;
	if (!rbl_array_reserve(b->allocator, &merged.items, total + 1))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0, k = 0; i + k < total;) {
		const rbl_adjacent_pair *x =
			i < b->adjacent.items.count ? &b->adjacent.items.data[i] : NULL;
		const rbl_adjacent_pair *y = k < overlaps->items.count ? &overlaps->items.data[k] : NULL;
		bool is_same = x && y && x->a == y->a && x->b == y->b;
		bool is_first = x && (!y || x->a < y->a || (x->a == y->a && x->b <= y->b));
		rbl_adjacent_pair pair = is_first ? *x : *y;
		bool overlaps_too = is_same || !is_first;
		pair.is_overlap = overlaps_too;
		merged.items.data[merged.items.count++] = pair;
		i += is_first;
		k += !is_first || is_same;
	}
	rbl_array_free(b->allocator, &b->adjacent.items);
	memcpy(&b->adjacent.items, &merged.items, sizeof merged.items);
	b->adjacent.tested_count += overlaps->tested_count;
	return RBL_OK;
}

static bool has_parent(const rbl_breaker *b, int piece, int part)
{
	for (int i = piece; i >= 0; i = b->pieces.data[i].next_of_weld)
		if (b->pieces.data[i].parent == part)
			return true;
	return false;
}

// The node of a part that is nearest to a point: one of its pieces, or the part itself.
static int nearest_node(const rbl_breaker *b, int part, rbl_vec3d point)
{
	for (int i = 0; i < b->around.count; ++i)
		if (b->around.data[i] == part)
			return b->piece_count + i;
	int best = -1;
	double min = DBL_MAX;
	for (int i = 0; i < b->piece_count; ++i) {
		if (!has_parent(b, i, part))
			continue;
		double distance = rbl_convex_distance(b->pieces.data[i].convex, point);
		if (distance < min)
			min = distance, best = i;
	}
	return best;
}

static bool has_pair(const rbl_breaker *b, int first, int second)
{
	for (int i = 0; i < b->adjacent.items.count; ++i)
		if (b->adjacent.items.data[i].a == first && b->adjacent.items.data[i].b == second)
			return true;
	return false;
}

// Members that were bent do not touch: the pieces nearest to their joint inherit it, if they stay
// together at all.
static rbl_result add_loose(rbl_breaker *b, const int *groups)
{
	const rbl_compound *c = b->compound;
	for (int i = 0; i < b->touched.count; ++i) {
		int part = b->touched.data[i];
		for (int end = c->parts.data[part].first_bond; end >= 0;) {
			const rbl_bond *bond = &c->bonds.data[end / 2];
			int other = bond->parts[!(end % 2)];
			bool is_second = end % 2 && c->parts.data[other].region == RBL_PART_REMOVED;
			end = bond->next[end % 2];
			if (!bond->is_loose || is_second)
				continue;
			int x = nearest_node(b, part, bond->centre), y = nearest_node(b, other, bond->centre);
			if (x < 0 || y < 0 || x == y || groups[x] != groups[y])
				continue;
			rbl_adjacent_pair pair = { .a = rbl_mini(x, y), .b = rbl_maxi(x, y) };
			pair.face_a = pair.face_b = -1;
			pair.area = bond->area;
			pair.centre = bond->centre;
			pair.is_loose = true;
			if (!has_pair(b, pair.a, pair.b) &&
			    !rbl_array_push(b->allocator, &b->adjacent.items, pair))
				return RBL_OUT_OF_MEMORY;
		}
	}
	return RBL_OK;
}

// --- in steps -----------------------------------------------------------------------------------

static uint64_t face_id(const rbl_compound *c, int part, int face)
{
	rbl_convex_data d = rbl_convex_get_data(c->parts.data[part].convex);
	return face >= 0 && face < d.face_count ? d.plane_ids[face] : RBL_NO_PLANE_ID;
}

// Whether a face of a part that has a plane id is bonded to one that has another.
static bool has_mixed_bond(const rbl_compound *c, int part)
{
	for (int end = c->parts.data[part].first_bond; end >= 0;) {
		const rbl_bond *bond = &c->bonds.data[end / 2];
		end = bond->next[end % 2];
		uint64_t first = face_id(c, bond->parts[0], bond->faces[0]);
		uint64_t second = face_id(c, bond->parts[1], bond->faces[1]);
		if (bond->is_overlap || bond->is_loose || first != second)
			return true;
	}
	return false;
}

// What plane ids do not tell: pieces of parts whose bonds are mixed may touch others by faces
// that they had. Cells that were welded may do so by their own, where those lie in faces of their
// neighbours.
static bool find_loose(rbl_breaker *b, unsigned char *loose)
{
	bool *is_mixed = RBL_NEW(b->allocator, bool, (size_t)b->touched.count + 1);
	if (!is_mixed)
		return false;
	for (int i = 0; i < b->touched.count; ++i)
		is_mixed[i] = has_mixed_bond(b->compound, b->touched.data[i]);
	for (int i = 0; i < b->piece_count; ++i) {
		loose[i] = b->pieces.data[i].next_of_weld >= 0 ? RBL_LOOSE_PATTERN : 0;
		for (int k = i; k >= 0; k = b->pieces.data[k].next_of_weld)
			if (is_mixed[rbl_lower_bound(b->touched.data, b->touched.count,
			                             b->pieces.data[k].parent)])
				loose[i] |= RBL_LOOSE_OTHERS;
	}
	memset(loose + b->piece_count, 0, (size_t)b->around.count); // their partners tell
	RBL_FREE(b->allocator, is_mixed, (size_t)b->touched.count + 1);
	return true;
}

static bool set_up(rbl_breaker *b)
{
	rbl_break_adjacency *f = &b->adjacency;
	int n = f->count = b->piece_count + b->around.count;
	f->convexes = RBL_NEW(b->allocator, const rbl_convex *, (size_t)n + 1);
	f->volumes = RBL_NEW(b->allocator, double, (size_t)n + 1);
	f->groups = RBL_NEW(b->allocator, int, (size_t)n + 1);
	f->ends = RBL_NEW(b->allocator, int, (size_t)n + 1);
	f->loose = RBL_NEW(b->allocator, unsigned char, (size_t)n + 1);
	if (!f->convexes || !f->volumes || !f->groups || !f->ends || !f->loose ||
	    !find_loose(b, f->loose))
		return false;
	for (int i = 0; i < b->piece_count; ++i) {
		f->convexes[i] = b->pieces.data[i].convex;
		f->volumes[i] = b->pieces.data[i].volume;
		f->groups[i] = b->pieces.data[i].group;
		f->ends[i] = b->pieces.data[i].face_end;
	}
	for (int i = 0; i < b->around.count; ++i) {
		const rbl_part *m = &b->compound->parts.data[b->around.data[i]];
		f->convexes[b->piece_count + i] = m->convex;
		f->volumes[b->piece_count + i] = m->volume;
		f->groups[b->piece_count + i] = RBL_GROUP_REST;
		f->ends[b->piece_count + i] = INT_MAX;
	}
	return true;
}

rbl_result rbl_break_adjacency_begin(rbl_breaker *b)
{
	rbl_break_adjacency *f = &b->adjacency;
	if (!set_up(b))
		return RBL_OUT_OF_MEMORY;
	if (b->compound->overlap_count > 0 && !list_box_pairs(b, f))
		return RBL_OUT_OF_MEMORY;
	rbl_adjacency_query search = { .count = f->count, .convexes = f->convexes };
	search.groups = f->groups;
	search.face_ends = f->ends;
	search.fixed_from = b->piece_count;
	search.tolerance = b->compound->tolerance;
	search.pattern_begin = b->plane_base;
	search.pattern_end = b->plane_end;
	search.loose = f->loose;
	search.should_collide = should_collide;
	search.user = b;
	search.jobs = b->def->jobs;
	f->search = rbl_adjacency_search_begin(b->allocator, &search);
	return f->search ? RBL_OK : RBL_OUT_OF_MEMORY;
}

void rbl_break_adjacency_end(rbl_breaker *b)
{
	rbl_break_adjacency *f = &b->adjacency;
	rbl_adjacency_search_end(f->search);
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
	rbl_break_adjacency *f = &b->adjacency;
	bool is_done = false;
	int faces = *budget < INT_MAX / ADJACENCIES_PER_CUT ? *budget * ADJACENCIES_PER_CUT : INT_MAX;
	rbl_result result = rbl_adjacency_search_work(f->search, &faces, &b->adjacent, &is_done);
	*budget = faces / ADJACENCIES_PER_CUT;
	if (is_done) {
		rbl_adjacency_search_end(f->search);
		f->search = NULL;
	}
	return result;
}

static rbl_result find_overlapping(rbl_breaker *b, int *budget)
{
	rbl_break_adjacency *f = &b->adjacency;
	rbl_overlap_search search = { .convexes = f->convexes, .volumes = f->volumes };
	search.jobs = b->def->jobs;
	search.pairs = f->pairs + 2 * f->next_pair;
	search.pair_count = rbl_mini(*budget / PAIR_COST, f->pair_count - f->next_pair);
	*budget -= search.pair_count * PAIR_COST;
	f->next_pair += search.pair_count;
	return rbl_find_overlaps(b->allocator, &search, &f->overlaps);
}

// Strengths of all adjacent pairs; those of parents without a bond are left out.
static rbl_result set_strengths(rbl_breaker *b)
{
	int count = b->adjacent.items.count, kept = 0;
	b->strength_count = count;
	b->strengths = RBL_NEW(b->allocator, double, (size_t)count + 1);
	b->damages = RBL_NEW(b->allocator, double, (size_t)count + 1);
	if (!b->strengths || !b->damages)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i) {
		rbl_adjacent_pair pair = b->adjacent.items.data[i];
		double strength = parent_strength(b, pair.a, pair.b);
		if (strength < 0.0)
			continue;
		b->strengths[kept] = strength;
		b->adjacent.items.data[kept++] = pair;
	}
	b->adjacent.items.count = kept;
	b->counts.tested_count = b->adjacent.tested_count;
	return RBL_OK;
}

rbl_result rbl_break_adjacency_some(rbl_breaker *b, int *budget, bool *is_done)
{
	rbl_break_adjacency *f = &b->adjacency;
	*is_done = false;
	if (f->search)
		return find_touching(b, budget);
	if (f->next_pair < f->pair_count)
		return find_overlapping(b, budget);
	rbl_result result = RBL_OK;
	*budget -= 1 + b->adjacent.items.count / ADJACENCIES_PER_CUT;
	if (f->pairs)
		result = merge_overlaps(b, &f->overlaps);
	if (result == RBL_OK && b->compound->loose_count > 0) {
		rbl_break_mark_again(b);
		result = add_loose(b, f->groups);
	}
	if (result == RBL_OK)
		result = set_strengths(b);
	rbl_break_adjacency_end(b);
	*is_done = result == RBL_OK;
	return result;
}
