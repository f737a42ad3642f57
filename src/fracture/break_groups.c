// SPDX-License-Identifier: MIT
//
// From pieces in cells to groups (Mueller et al. 2013, section 3.1, steps 3 and 4).
//
// Pieces outside the impact form one group, the rest; the others are grouped by the color of their
// cell. A cell that its pieces fill is welded into one convex again, but only where none of them
// has a mesh, all have one material and one group, and their parents are connected, so that
// welding does not heal an old crack.

#include "fracture/break.h"

#include "base/hash.h"
#include "base/sort.h"
#include "base/vec.h"

#include <limits.h>

uint64_t rbl_break_piece_color(const rbl_breaker *b, const rbl_break_piece *piece)
{
	if (piece->cell >= b->cells->cell_count)
		return (uint64_t)1 << 40; // beyond the pattern
	if (!b->pattern)
		return (uint64_t)piece->cell;
	return (uint32_t)rbl_pattern_cell_color(b->pattern, rbl_cell_number(b->cells, piece->cell));
}

static rbl_result set_groups(rbl_breaker *b)
{
	rbl_map groups = { 0 };
	rbl_result result = RBL_OK;
	uint32_t next = RBL_GROUP_REST + 1;
	for (int i = 0; i < b->pieces.count && result == RBL_OK; ++i) {
		rbl_break_piece *piece = &b->pieces.data[i];
		piece->group = RBL_GROUP_REST;
		if (piece->is_outside)
			continue;
		uint64_t key = rbl_break_piece_color(b, piece);
		const uint32_t *group = rbl_map_add(b->allocator, &groups, key, next);
		if (!group) {
			result = RBL_OUT_OF_MEMORY;
			break;
		}
		piece->group = (int)*group;
		next += *group == next;
	}
	rbl_map_free(b->allocator, &groups);
	return result;
}

// --- welding ------------------------------------------------------------------------------------

static bool can_weld(const rbl_breaker *b, const rbl_sort_item *items, int count)
{
	const rbl_break_piece *first = &b->pieces.data[items[0].value];
	if (count < 2 || first->cell >= b->cells->cell_count)
		return false;
	double volume = 0.0;
	for (int i = 0; i < count; ++i) {
		const rbl_break_piece *piece = &b->pieces.data[items[i].value];
		if (piece->mesh || piece->group != first->group || piece->material != first->material ||
		    piece->is_anchored != first->is_anchored ||
		    b->compound->parts.data[piece->parent].strength !=
		        b->compound->parts.data[first->parent].strength ||
		    b->compound->parts.data[piece->parent].overlap !=
		        b->compound->parts.data[first->parent].overlap)
			return false;
		volume += piece->volume;
	}
	double capacity = b->cells->volumes[first->cell];
	return fabs(volume - capacity) <= 1e-9 * capacity;
}

// Whether the parents of pieces are connected by bonds among themselves. Uses the parts' scratch.
static bool parents_are_connected(rbl_breaker *b, const rbl_sort_item *items, int count)
{
	rbl_compound *c = b->compound;
	int *queue = RBL_NEW(b->allocator, int, count);
	if (!queue)
		return false; // not welding is right as well
	rbl_compound_new_stamp(c);
	for (int i = 0; i < count; ++i)
		rbl_compound_search_part(c, b->pieces.data[items[i].value].parent)->fragment = 1;
	int reached = 0;
	queue[reached++] = b->pieces.data[items[0].value].parent;
	c->parts.data[queue[0]].fragment = 2;
	for (int at = 0; at < reached; ++at) {
		for (int end = c->parts.data[queue[at]].first_bond; end >= 0;) {
			const rbl_bond *bond = &c->bonds.data[end / 2];
			int other = bond->parts[!(end % 2)];
			if (rbl_compound_search_part(c, other)->fragment == 1) {
				c->parts.data[other].fragment = 2;
				queue[reached++] = other;
			}
			end = bond->next[end % 2];
		}
	}
	RBL_FREE(b->allocator, queue, count);
	return reached == count; // each part has one piece in a cell
}

static rbl_result weld_cell(rbl_breaker *b, const rbl_sort_item *items, int count)
{
	rbl_convex *convex = NULL;
	rbl_break_piece welded = b->pieces.data[items[0].value];
	rbl_result result =
		rbl_cell_convex(b->cells, welded.cell, b->plane_base, b->allocator, &convex);
	if (result != RBL_OK || !convex)
		return result;
	welded.convex = convex;
	welded.volume = rbl_convex_volume(convex);
	welded.visual = (rbl_mass){ 0 };
	welded.shape = 0;
	welded.is_whole = false;
	welded.face_end = INT_MAX;
	welded.next_of_weld = (int)items[0].value;
	if (!rbl_array_push(b->allocator, &b->pieces, welded)) {
		rbl_destroy_convex(convex);
		return RBL_OUT_OF_MEMORY;
	}
	for (int i = 0; i < count; ++i) {
		rbl_break_piece *piece = &b->pieces.data[items[i].value];
		if (!piece->is_whole)
			rbl_destroy_convex(piece->convex);
		piece->convex = NULL;
		piece->is_whole = false;
		piece->next_of_weld = i + 1 < count ? (int)items[i + 1].value : -1;
	}
	b->counts.welded_count++;
	return RBL_OK;
}

static rbl_result weld(rbl_breaker *b)
{
	int n = b->pieces.count;
	rbl_sort_item *items = RBL_NEW(b->allocator, rbl_sort_item, 2 * (size_t)n + 1);
	if (!items)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < n; ++i)
		items[i] = (rbl_sort_item){ (uint32_t)b->pieces.data[i].cell, (uint32_t)i };
	rbl_sort(items, items + n, n);
	rbl_result result = RBL_OK;
	for (int first = 0, end; first < n && result == RBL_OK; first = end) {
		for (end = first + 1; end < n && items[end].key == items[first].key;)
			end++;
		if (can_weld(b, items + first, end - first) &&
		    parents_are_connected(b, items + first, end - first))
			result = weld_cell(b, items + first, end - first);
	}
	RBL_FREE(b->allocator, items, 2 * (size_t)n + 1);
	return result;
}

// Close the gaps that welding left; the chains of what was welded move along, to the end.
static rbl_result compact(rbl_breaker *b)
{
	int n = b->pieces.count, alive = 0;
	rbl_break_piece *moved = RBL_NEW(b->allocator, rbl_break_piece, (size_t)n + 1);
	int *slots = RBL_NEW(b->allocator, int, (size_t)n + 1);
	if (!moved || !slots) {
		RBL_FREE(b->allocator, moved, (size_t)n + 1);
		RBL_FREE(b->allocator, slots, (size_t)n + 1);
		return RBL_OUT_OF_MEMORY;
	}
	for (int pass = 0, at = 0; pass < 2; ++pass) {
		for (int i = 0; i < n; ++i) {
			if ((b->pieces.data[i].convex == NULL) == pass)
				slots[i] = at, moved[at++] = b->pieces.data[i];
		}
		alive = pass == 0 ? at : alive;
	}
	for (int i = 0; i < n; ++i) {
		if (moved[i].next_of_weld >= 0)
			moved[i].next_of_weld = slots[moved[i].next_of_weld];
	}
	memcpy(b->pieces.data, moved, (size_t)n * sizeof *moved);
	b->piece_count = alive;
	RBL_FREE(b->allocator, moved, (size_t)n + 1);
	RBL_FREE(b->allocator, slots, (size_t)n + 1);
	return RBL_OK;
}

// --- what lies around ---------------------------------------------------------------------------

// Mark touched parts and their surroundings for a new search.
static rbl_result mark(rbl_breaker *b)
{
	rbl_compound *c = b->compound;
	rbl_compound_new_stamp(c);
	for (int i = 0; i < b->touched.count; ++i)
		rbl_compound_search_part(c, b->touched.data[i])->region = RBL_PART_REMOVED;
	for (int i = 0; i < b->touched.count; ++i) {
		for (int end = c->parts.data[b->touched.data[i]].first_bond; end >= 0;) {
			const rbl_bond *bond = &c->bonds.data[end / 2];
			int other = bond->parts[!(end % 2)];
			end = bond->next[end % 2];
			bool is_new = c->parts.data[other].stamp != c->stamp;
			rbl_compound_search_part(c, other);
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
		rbl_compound_search_part(c, b->touched.data[i])->region = RBL_PART_REMOVED;
	for (int i = 0; i < b->around.count; ++i)
		rbl_compound_search_part(c, b->around.data[i]);
}

rbl_result rbl_break_group_pieces(rbl_breaker *b)
{
	rbl_result result = set_groups(b);
	if (result == RBL_OK && b->def->welds)
		result = weld(b);
	if (result == RBL_OK)
		result = compact(b);
	if (result == RBL_OK)
		result = mark(b);
	return result == RBL_OK ? rbl_break_adjacency_begin(b) : result;
}
