// SPDX-License-Identifier: MIT
//
// Faces that a broken bond exposes.
//
// A break gives new planes ids of their own, so cut faces are known by them. What two parts shared
// before and no longer share has no such mark. So the shared polygon is stored while both parts
// still exist, with the parts whose face lay under it: the part itself or, where it was cut, all
// its pieces. What of the polygon is exposed is computed on request (exposed_faces.c).

#include "fracture/exposed_bonds.h"

#include "base/assert.h"
#include "base/sort.h"
#include "base/vec.h"

static bool add_part(rbl_break *out, int polygon, int compound, int part, int piece)
{
	rbl_exposed_part entry = { polygon, compound, part, piece };
	return rbl_array_push(&out->allocator, &out->exposed_parts, entry);
}

// Pieces of parts, by part and then by number: one entry for each parent of a piece.
typedef struct piece_index {
	rbl_sort_item *items; // and as many again for sorting
	int count, capacity;
} piece_index;

static bool index_pieces(const rbl_breaker *b, piece_index *index)
{
	index->capacity = 2 * b->pieces.count + 1; // each piece has a place, welded ones in one chain
	index->items = RBL_NEW(b->allocator, rbl_sort_item, index->capacity);
	if (!index->items)
		return false;
	for (int i = 0; i < b->piece_count; ++i)
		for (int k = i; k >= 0; k = b->pieces.data[k].next_of_weld)
			index->items[index->count++] =
				(rbl_sort_item){ (uint32_t)b->pieces.data[k].parent, (uint32_t)i };
	RBL_ASSERT(2 * index->count < index->capacity + 1);
	rbl_sort(index->items, index->items + index->count, index->count);
	return true;
}

static int first_piece(const piece_index *index, int part)
{
	int low = 0;
	for (int high = index->count; low < high;) {
		int middle = (low + high) / 2;
		if (index->items[middle].key < (uint32_t)part)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// Those whose face lay under the polygon on one side.
static bool add_side(const rbl_breaker *b, const piece_index *index, rbl_break *out, int polygon,
                     int part)
{
	const rbl_part *m = &b->compound->parts.data[part];
	bool is_marked = m->stamp == b->compound->stamp;
	if (!is_marked || m->region != RBL_PART_REMOVED)
		return is_marked && m->fragment >= 0 ? add_part(out, polygon, m->fragment, m->slot, -1)
		                                     : add_part(out, polygon, -1, part, -1);
	int last = -1;
	for (int i = first_piece(index, part);
	     i < index->count && index->items[i].key == (uint32_t)part; ++i) {
		int piece = (int)index->items[i].value;
		if (piece != last && !add_part(out, polygon, -1, -1, piece))
			return false;
		last = piece;
	}
	return true;
}

static bool add_bond(const rbl_breaker *b, const piece_index *pieces, rbl_break *out,
                     const rbl_bond *bond)
{
	if (bond->faces[0] < 0)
		return true;
	const rbl_part *parts = b->compound->parts.data;
	rbl_convex_data first = rbl_convex_get_data(parts[bond->parts[0]].convex);
	rbl_convex_data second = rbl_convex_get_data(parts[bond->parts[1]].convex);
	rbl_vec3d corners[RBL_MAX_OVERLAP_CORNERS];
	int count = rbl_face_overlap(&first, bond->faces[0], &second, bond->faces[1], corners);
	if (count < 3)
		return true;
	rbl_exposed_polygon polygon = { out->exposed_corners.count, count,
		                            first.planes[bond->faces[0]].normal };
	for (int i = 0; i < count; ++i)
		if (!rbl_array_push(&out->allocator, &out->exposed_corners, corners[i]))
			return false;
	if (!rbl_array_push(&out->allocator, &out->exposed_polygons, polygon))
		return false;
	int index = out->exposed_polygons.count - 1;
	return add_side(b, pieces, out, index, bond->parts[0]) &&
	       add_side(b, pieces, out, index, bond->parts[1]);
}

static bool list_bonds(const rbl_breaker *b, const piece_index *pieces, rbl_break *out)
{
	const rbl_compound *c = b->compound;
	for (int i = 0; i < b->broken_bonds.count; ++i)
		if (!add_bond(b, pieces, out, &c->bonds.data[b->broken_bonds.data[i]]))
			return false;
	for (int i = 0; i < b->touched.count; ++i) {
		int part = b->touched.data[i];
		for (int end = c->parts.data[part].first_bond; end >= 0;) {
			const rbl_bond *bond = &c->bonds.data[end / 2];
			const rbl_part *other = &c->parts.data[bond->parts[!(end % 2)]];
			bool is_twice = end % 2 && other->stamp == c->stamp &&
			                other->region == RBL_PART_REMOVED; // listed from the other side
			end = bond->next[end % 2];
			if (!is_twice && !add_bond(b, pieces, out, bond))
				return false;
		}
	}
	return true;
}

rbl_result rbl_break_list_exposed(const rbl_breaker *b, rbl_break *out)
{
	piece_index pieces = { NULL, 0, 0 };
	bool ok = index_pieces(b, &pieces) && list_bonds(b, &pieces, out);
	RBL_FREE(b->allocator, pieces.items, pieces.capacity);
	return ok ? RBL_OK : RBL_OUT_OF_MEMORY;
}

void rbl_break_place_exposed(const rbl_breaker *b, rbl_break *out)
{
	for (int i = 0; i < out->exposed_parts.count; ++i) {
		rbl_exposed_part *entry = &out->exposed_parts.data[i];
		if (entry->piece < 0)
			continue;
		entry->compound = b->pieces.data[entry->piece].fragment;
		entry->part = b->pieces.data[entry->piece].slot;
	}
}
