// SPDX-License-Identifier: MIT
//
// Splitting a body: the triangles along cracks, and what will lie across their sides.
//
// Cracks concern the triangles around touched vertices, and clusters that come apart. They are listed
// by id, which is the order of memory. Each corner gets a number: of a vertex that nothing happens to, of
// the entry of a touched one, or of a copy. An edge with a touched end is looked for at that end, at the
// lower number where both are: numbers are dense, so half-edges are counted out to their vertices, and of
// the few at each vertex those to the same other end are one edge.

#include "surface/breakup.h"

#include "base/sort.h"

enum { OFFERED = INT32_MIN };

// --- triangles -----------------------------------------------------------------------------------

// Mark triangles at touched vertices. @return how many
static int mark_touched(const rbl_breakup *s, int begin, int end)
{
	const int *ids = s->body->triangles.data, *states = s->states, *all = s->surface->triangles;
	int *labels = s->labels, first = s->first_triangle, count = 0;
	for (int i = begin; i < end; ++i) {
		const int *v = all + 3 * ids[i];
		int touched = (states[v[0]] | states[v[1]] | states[v[2]]) & RBL_BREAKUP_TOUCHED;
		if (touched) {
			labels[ids[i] - first] |= 1;
			count++;
		}
	}
	return count;
}

// Mark those whose cluster comes apart, too. @return how many more
static int mark_loose(const rbl_breakup *s)
{
	int count = 0;
	for (int i = 0; i < s->mixed_count; ++i) {
		const rbl_cluster *cluster = &s->surface->cluster_data[s->mixed[i]];
		for (int lane = 0; lane < cluster->count; ++lane) {
			int *label = &s->labels[cluster->triangles[lane] - s->first_triangle];
			count += !(*label & 1);
			*label |= 1;
		}
	}
	return count;
}

static void list_marked(rbl_breakup *s)
{
	const int *ids = s->body->triangles.data;
	int *labels = s->labels, first = s->first_triangle, count = s->body->triangles.count;
	for (int i = 0; i < count; ++i) {
		int label = labels[ids[i] - first];
		if (!(label & 1))
			continue;
		if (label == 1) {
			s->gone[s->gone_count++] = ids[i];
			labels[ids[i] - first] = 0;
			continue;
		}
		s->turned[s->turned_count] = ids[i];
		s->turned_labels[s->turned_count] = (label >> 1) - 1;
		labels[ids[i] - first] = 2 * s->turned_count++ + 1;
	}
}

static bool list_turned(rbl_breakup *s)
{
	rbl_arena *arena = &s->surface->scratch;
	const rbl_surface_split_def *def = s->def;
	int gone = s->gone_count; // counted with the labels
	int count = mark_touched(s, 0, s->body->triangles.count) + mark_loose(s) - gone;
	count += def->triangle_count;
	s->gone = RBL_ARENA_NEW(arena, int, gone);
	s->turned = RBL_ARENA_NEW(arena, int, count);
	s->turned_labels = RBL_ARENA_NEW(arena, int, count);
	s->corners = RBL_ARENA_NEW(arena, int, 3 * (size_t)count);
	s->twins = RBL_ARENA_NEW(arena, int, 3 * (size_t)count);
	if (!s->gone || !s->turned || !s->turned_labels || !s->corners || !s->twins)
		return false;
	s->gone_count = 0;
	list_marked(s);
	rbl_surface_peek_triangles(s->surface, def->triangle_count, s->turned + s->turned_count);
	for (int i = 0; i < def->triangle_count; ++i)
		s->turned_labels[s->turned_count++] = def->triangle_labels[i];
	RBL_ASSERT(s->turned_count == count && s->gone_count == gone);
	return true;
}

// --- corners -------------------------------------------------------------------------------------

// A copy of a touched vertex for a piece that does not keep it, made when it is new.
// @return its number, -1 when memory ran out
static int number_copy(rbl_breakup *s, int entry, int label)
{
	rbl_breakup_vertex *v = &s->touched[entry];
	for (int i = v->copies; i >= 0; i = s->copies[i].next)
		if (s->copies[i].piece == label)
			return s->touched_count + i;
	if (s->copy_count == s->copy_capacity &&
	    !rbl_breakup_grow(&s->surface->scratch, (void **)&s->copies, s->copy_count,
	                      &s->copy_capacity, sizeof *s->copies))
		return -1;
	s->copies[s->copy_count] = (rbl_breakup_copy){ v->copies, label, entry };
	s->vertex_counts[label]++;
	v->copies = s->copy_count;
	return s->touched_count + s->copy_count++;
}

// Number the corners of a triangle. @return false when memory ran out
static inline bool number_triangle(rbl_breakup *s, const int *v, int label, int *corners)
{
	for (int k = 0; k < 3; ++k) {
		int state = v[k] < 0 ? 0 : s->states[v[k]];
		if (v[k] >= 0 && !(state & RBL_BREAKUP_TOUCHED)) {
			corners[k] = -1 - v[k];
			continue;
		}
		int entry = v[k] < 0 ? -1 - v[k] : state >> 2;
		corners[k] = s->touched[entry].keeper == label ? entry : number_copy(s, entry, label);
		if (corners[k] < 0)
			return false;
	}
	return true;
}

static bool number_corners(rbl_breakup *s)
{
	const int *triangles = s->surface->triangles;
	int count = s->turned_count, old = count - s->def->triangle_count;
	for (int i = 0; i < old; ++i)
		if (!number_triangle(s, triangles + 3 * s->turned[i], s->turned_labels[i],
		                     s->corners + 3 * i))
			return false;
	for (int i = old; i < count; ++i)
		if (!number_triangle(s, s->def->triangles + 3 * (i - old), s->turned_labels[i],
		                     s->corners + 3 * i))
			return false;
	return true;
}

// --- sides ---------------------------------------------------------------------------------------

static bool meets_new(const rbl_breakup *s, int corner)
{
	int entry = corner < s->touched_count ? corner : s->copies[corner - s->touched_count].source;
	return s->touched[entry].meets_new;
}

// Where an edge is looked for.
static int edge_place(int from, int to)
{
	return from < 0 || (to >= 0 && to < from) ? to : from;
}

static int next_corner(const int *corners, int k)
{
	return corners[k == 2 ? 0 : k + 1];
}

// Sides of triangles of the body that change are offered, and counted by the place where they are looked
// for. What is across stays where nothing happens to either end, and else when it is in the same piece
// and no new triangle can come between.
static void offer_sides(const rbl_breakup *s, int begin, int end, int *counts)
{
	const int *own_twins = s->surface->twins, *turned = s->turned;
	int *twins = s->twins;
	for (int i = begin; i < end; ++i) {
		const int *corners = s->corners + 3 * i;
		for (int k = 0; k < 3; ++k) {
			int from = corners[k], to = next_corner(corners, k);
			int twin = own_twins[3 * turned[i] + k];
			bool stays = from < 0 && to < 0;
			if (!stays && twin >= 0 && rbl_breakup_label(s, twin / 3) == s->turned_labels[i])
				stays = from < 0 || to < 0 || !meets_new(s, from) || !meets_new(s, to);
			twins[3 * i + k] = stays ? twin : OFFERED;
			if (!stays)
				counts[edge_place(from, to)]++;
		}
	}
}

// The same for new triangles: all sides.
static void offer_new_sides(const rbl_breakup *s, int begin, int end, int *counts)
{
	const int *all = s->corners;
	for (int i = begin; i < end; ++i) {
		const int *corners = all + 3 * i;
		for (int k = 0; k < 3; ++k)
			counts[edge_place(corners[k], next_corner(corners, k))]++;
	}
}

// Half-edges by place: key = the other end, value = twice the corner, 4 i + k, and 1 when it starts at the
// place.
static void sort_side(const int *corners, int i, int k, int *next, rbl_sort_item *items)
{
	int from = corners[k], to = next_corner(corners, k), place = edge_place(from, to);
	items[next[place]++] = (rbl_sort_item){ (uint32_t)(place == from ? to : from),
		                                    2 * (uint32_t)(4 * i + k) + (place == from) };
}

static void sort_sides(const rbl_breakup *s, int *next, rbl_sort_item *items)
{
	const int *corners = s->corners, *twins = s->twins;
	int count = s->turned_count, old = count - s->def->triangle_count;
	for (int i = 0; i < old; ++i)
		for (int k = 0; k < 3; ++k)
			if (twins[3 * i + k] == OFFERED)
				sort_side(corners + 3 * i, i, k, next, items);
	for (int i = old; i < count; ++i)
		for (int k = 0; k < 3; ++k)
			sort_side(corners + 3 * i, i, k, next, items);
}

// The real half-edge of a corner of `turned`.
static int half_edge_of(const rbl_breakup *s, uint32_t corner)
{
	return 3 * s->turned[corner >> 2] + (int)(corner & 3);
}

static int *twin_of(const rbl_breakup *s, uint32_t corner)
{
	return &s->twins[3 * (corner >> 2) + (corner & 3)];
}

// All half-edges of one edge: two in opposite directions are twins, one alone is a border, and the rest a
// tangle, of which the lowest half-edge is the first.
static void join_side(rbl_breakup *s, const rbl_sort_item *items, int count)
{
	uint32_t a = items[0].value >> 1;
	if (count == 1) {
		*twin_of(s, a) = RBL_SURFACE_BORDER;
		return;
	}
	uint32_t b = items[1].value >> 1;
	if (count == 2 && (items[0].value & 1) != (items[1].value & 1)) {
		*twin_of(s, a) = RBL_BREAKUP_JOINED - (int)b;
		*twin_of(s, b) = RBL_BREAKUP_JOINED - (int)a;
		return;
	}
	uint32_t first = a;
	for (int i = 0; i < count; ++i) {
		uint32_t corner = items[i].value >> 1;
		*twin_of(s, corner) = RBL_SURFACE_TANGLE_REST;
		first = half_edge_of(s, corner) < half_edge_of(s, first) ? corner : first;
	}
	*twin_of(s, first) = RBL_SURFACE_TANGLE;
}

// A handful, nearly always.
static void join_sides(rbl_breakup *s, rbl_sort_item *items, int count, rbl_sort_item *spare)
{
	enum { FEW = 12 };
	for (int i = 1; i < count && count <= FEW; ++i) {
		rbl_sort_item item = items[i];
		int k = i;
		for (; k > 0 && items[k - 1].key > item.key; --k)
			items[k] = items[k - 1];
		items[k] = item;
	}
	if (count > FEW)
		rbl_sort(items, spare, count);
	for (int begin = 0, end; begin < count; begin = end) {
		end = begin + 1;
		while (end < count && items[end].key == items[begin].key)
			end++;
		join_side(s, items + begin, end - begin);
	}
}

static bool plan_sides(rbl_breakup *s)
{
	rbl_arena *arena = &s->surface->scratch;
	int places = s->touched_count + s->copy_count, sum = 0, most = 0;
	int *next = RBL_ARENA_NEW(arena, int, places);
	s->fan_counts = next; // afterwards
	s->fan_starts = RBL_ARENA_NEW(arena, int, places);
	if (!next || !s->fan_starts)
		return false;
	memset(next, 0, (size_t)places * sizeof *next);
	int old = s->turned_count - s->def->triangle_count;
	offer_sides(s, 0, old, next);
	offer_new_sides(s, old, s->turned_count, next);
	for (int i = 0; i < places; ++i) {
		int count = next[i];
		most = rbl_maxi(most, count);
		next[i] = sum;
		sum += count;
	}
	// The same memory takes boxes of loose triangles afterwards.
	size_t bytes = (size_t)sum * sizeof(rbl_sort_item);
	size_t boxes = (size_t)s->loose_count * sizeof(rbl_box);
	rbl_sort_item *items = rbl_arena_allocate(arena, bytes > boxes ? bytes : boxes, 1);
	rbl_sort_item *spare = RBL_ARENA_NEW(arena, rbl_sort_item, most);
	if (!items || !spare)
		return false;
	s->loose_boxes = (rbl_box *)(void *)items;
	sort_sides(s, next, items);
	for (int i = 0, begin = 0; i < places; begin = next[i++])
		join_sides(s, items + begin, next[i] - begin, spare);
	return true;
}

// --- loose triangles -----------------------------------------------------------------------------

// Triangles that lose their cluster, and new ones.
static bool list_loose(rbl_breakup *s)
{
	rbl_arena *arena = &s->surface->scratch;
	int old = s->turned_count - s->def->triangle_count;
	int most = s->def->triangle_count + RBL_CLUSTER_SIZE * s->mixed_count;
	s->loose = RBL_ARENA_NEW(arena, int, most);
	s->loose_labels = RBL_ARENA_NEW(arena, int, most);
	s->places = RBL_ARENA_NEW(arena, int, s->turned_count);
	if (!s->loose || !s->loose_labels || !s->places)
		return false;
	for (int i = 0; i < old; ++i)
		s->places[i] = -1;
	for (int i = 0; i < s->mixed_count; ++i) {
		const rbl_cluster *cluster = &s->surface->cluster_data[s->mixed[i]];
		for (int lane = 0; lane < cluster->count; ++lane) {
			int label = s->labels[cluster->triangles[lane] - s->first_triangle];
			if (label > 0) {
				s->places[label >> 1] = s->loose_count;
				s->loose[s->loose_count++] = label >> 1;
			}
		}
	}
	for (int i = old; i < s->turned_count; ++i) {
		s->places[i] = s->loose_count;
		s->loose[s->loose_count++] = i;
	}
	for (int i = 0; i < s->loose_count; ++i)
		s->loose_labels[i] = s->turned_labels[s->loose[i]];
	return true;
}

bool rbl_breakup_turn(rbl_breakup *s)
{
	return list_turned(s) && number_corners(s) && list_loose(s) && plan_sides(s);
}

static void box_loose(const rbl_breakup *s, int begin, int end)
{
	const rbl_vec3 *positions = s->surface->positions[1], *new_positions = s->def->positions;
	const int *triangles = s->surface->triangles, *new_triangles = s->def->triangles;
	int old = s->turned_count - s->def->triangle_count;
	for (int i = begin; i < end; ++i) {
		int entry = s->loose[i];
		const int *v =
			entry < old ? triangles + 3 * s->turned[entry] : new_triangles + 3 * (entry - old);
		rbl_vec3 p[3];
		for (int k = 0; k < 3; ++k)
			p[k] = v[k] >= 0 ? positions[v[k]] : new_positions[-1 - v[k]];
		s->loose_boxes[i] =
			(rbl_box){ rbl_min(rbl_min(p[0], p[1]), p[2]), rbl_max(rbl_max(p[0], p[1]), p[2]) };
	}
}

// What will lie across a side of a loose triangle, in places of `loose`.
static int loose_twin(const rbl_breakup *s, int twin)
{
	if (twin >= 0) {
		int label = s->labels[twin / 3 - s->first_triangle];
		int place = label & 1 ? s->places[label >> 1] : -1;
		return place < 0 ? RBL_SURFACE_BORDER : 3 * place + twin % 3;
	}
	if (twin > RBL_BREAKUP_JOINED)
		return RBL_SURFACE_BORDER;
	int corner = RBL_BREAKUP_JOINED - twin, place = s->places[corner >> 2];
	return place < 0 ? RBL_SURFACE_BORDER : 3 * place + (corner & 3);
}

bool rbl_breakup_plan_clusters(rbl_breakup *s)
{
	rbl_arena *arena = &s->surface->scratch;
	int *twins = RBL_ARENA_NEW(arena, int, 3 * (size_t)s->loose_count);
	if (!twins)
		return false;
	box_loose(s, 0, s->loose_count);
	const int *loose = s->loose, *planned = s->twins;
	for (int i = 0; i < s->loose_count; ++i)
		for (int k = 0; k < 3; ++k)
			twins[3 * i + k] = loose_twin(s, planned[3 * loose[i] + k]);
	return rbl_plan_clusters(&s->plan, arena, NULL, s->loose_boxes, s->loose_labels, twins,
	                         s->loose_count);
}
