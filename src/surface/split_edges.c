// SPDX-License-Identifier: MIT
//
// Splitting a body: the triangles along cracks, and what will lie across their sides.
//
// Cracks concern the triangles around touched vertices, and clusters that are dissolved. They are
// listed by id, which is the order of memory. Each corner gets a number: of a vertex that nothing
// happens to, of the entry of a touched one, or of a copy. Most sides keep what is across, or open;
// where a new triangle may fit, an edge is looked for at its end with the lower number: numbers are
// dense, so each has a list of the few half-edges that were met there, and those to the same other
// end are one edge.

#include "surface/split.h"

// Triangles along cracks lie anywhere in a large body: they are prefetched so many early.
enum { SPLIT_EDGES_AHEAD = 8 };

// --- corners ------------------------------------------------------------------------------------

// A copy of a touched vertex for a piece that does not keep it, made when it is new.
// @return its number, -1 when memory ran out
static int number_copy(rbl_surface_split_plan *s, int entry, int label)
{
	rbl_surface_split_vertex *v = &s->touched[entry];
	for (int i = v->copies; i >= 0; i = s->copies[i].next)
		if (s->copies[i].piece == label)
			return s->touched_count + i;
	if (s->copy_count == s->copy_capacity &&
	    !rbl_surface_split_grow(s->arena, (void **)&s->copies, s->copy_count, &s->copy_capacity,
	                            sizeof *s->copies))
		return -1;
	s->copies[s->copy_count] = (rbl_surface_split_copy){ v->copies, label, entry };
	s->vertex_counts[label]++;
	v->copies = s->copy_count;
	return s->touched_count + s->copy_count++;
}

// Prefetch the corners of a triangle that comes soon.
static inline void prefetch_split_corners(const rbl_surface_split_plan *s, int i, int end)
{
	const int *triangles = s->surface->triangles, *affected = s->affected;
	if (i + 2 * SPLIT_EDGES_AHEAD < end)
		rbl_prefetch(&triangles[3 * affected[i + 2 * SPLIT_EDGES_AHEAD]]);
	for (int k = 0; i + SPLIT_EDGES_AHEAD < end && k < 3; ++k)
		rbl_prefetch(&s->states[triangles[3 * affected[i + SPLIT_EDGES_AHEAD] + k]]);
}

// Number the corners of a triangle. @return false when memory ran out
static inline bool number_triangle(rbl_surface_split_plan *s, const int *v, int label, int *corners)
{
	for (int k = 0; k < 3; ++k) {
		int state = v[k] < 0 ? 0 : s->states[v[k]];
		if (v[k] >= 0 && !(state & RBL_SPLIT_TOUCHED)) {
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

static bool number_corners(rbl_surface_split_plan *s)
{
	const int *triangles = s->surface->triangles;
	int count = s->affected_count, old = count - s->def->triangle_count;
	for (int i = 0; i < old; ++i) {
		prefetch_split_corners(s, i, old);
		if (!number_triangle(s, triangles + 3 * s->affected[i], s->affected_labels[i],
		                     s->corners + 3 * i))
			return false;
	}
	for (int i = old; i < count; ++i)
		if (!number_triangle(s, s->def->triangles + 3 * (i - old), s->affected_labels[i],
		                     s->corners + 3 * i))
			return false;
	return true;
}

// --- sides --------------------------------------------------------------------------------------

static bool has_new_triangle(const rbl_surface_split_plan *s, int corner)
{
	int entry = corner < s->touched_count ? corner : s->copies[corner - s->touched_count].source;
	return s->touched[entry].has_new_triangle;
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

// Half-edges that were met, as lists by place: of each edge the first, or of a non-manifold edge
// the lowest. Side k of entry i of `affected` is 3 i + k.
typedef struct side {
	int other; // the end that is not the place
	int next;  // or -1
} side;

typedef struct side_lists {
	const int *corners;
	int *twins;
	int *heads; // by place
	side *sides;
} side_lists;

// What is written in `twins` of the side across.
static int joined(int at)
{
	return RBL_SPLIT_JOINED - (at + at / 3);
}

static int half_edge_of(const rbl_surface_split_plan *s, int at)
{
	return 3 * s->affected[at / 3] + at % 3;
}

// One more half-edge of a non-manifold edge. @param link  leads to the lowest so far
static void mark_non_manifold(const rbl_surface_split_plan *s, const side_lists *l, int *link,
                              int at)
{
	int lowest = *link;
	l->twins[at] = RBL_SURFACE_NON_MANIFOLD_REST;
	if (half_edge_of(s, at) < half_edge_of(s, lowest)) {
		l->sides[at] = l->sides[lowest];
		l->twins[lowest] = RBL_SURFACE_NON_MANIFOLD_REST;
		*link = lowest = at;
	}
	l->twins[lowest] = RBL_SURFACE_NON_MANIFOLD;
}

// Two half-edges of an edge in opposite directions are twins, one alone is a boundary, and all
// others are a non-manifold edge, of which the lowest is the first.
static inline void join_side(const rbl_surface_split_plan *s, const side_lists *l, int from, int to,
                             int at)
{
	int place = edge_place(from, to), other = from ^ to ^ place;
	int *link = &l->heads[place];
	while (*link >= 0 && l->sides[*link].other != other)
		link = &l->sides[*link].next;
	int met = *link;
	if (met < 0) {
		*link = at;
		l->sides[at] = (side){ other, -1 };
		l->twins[at] = RBL_SURFACE_BOUNDARY;
		return;
	}
	int twin = l->twins[met];
	if (twin == RBL_SURFACE_BOUNDARY && l->corners[met] != from) {
		l->twins[at] = joined(met);
		l->twins[met] = joined(at);
		return;
	}
	if (twin <= RBL_SPLIT_JOINED) {
		int corner = RBL_SPLIT_JOINED - twin;
		mark_non_manifold(s, l, link, 3 * (corner >> 2) + (corner & 3));
	}
	mark_non_manifold(s, l, link, at);
}

// Prefetch what lies across the sides of a triangle that comes soon.
static void prefetch_split_edges(const rbl_surface_split_plan *s, int i, int end)
{
	const int *twins = s->surface->twins;
	if (i + 2 * SPLIT_EDGES_AHEAD < end)
		rbl_prefetch(&twins[3 * s->affected[i + 2 * SPLIT_EDGES_AHEAD]]);
	for (int k = 0; i + SPLIT_EDGES_AHEAD < end && k < 3; ++k) {
		int twin = twins[3 * s->affected[i + SPLIT_EDGES_AHEAD] + k];
		if (twin >= 0)
			rbl_prefetch(&s->labels[twin / 3 - s->first_triangle]);
	}
}

// A triangle at a corner that has a number, and what is across the side that begins there.
static inline void add_to_fan(rbl_surface_split_fan *fan, int half_edge, int twin)
{
	fan->first = fan->count++ == 0 ? half_edge : fan->first;
	if (twin >= 0)
		return;
	bool is_first = fan->border == RBL_SPLIT_NO_BOUNDARY && twin > RBL_SPLIT_JOINED;
	fan->border = is_first ? half_edge : RBL_SPLIT_TO_WALK;
}

// Sides of triangles of the body. What is across stays where nothing happens to either end, and
// else when it is in the same piece; with another piece across there is a boundary. Where new
// triangles have both ends one may fit in or come between, and the rest of a non-manifold edge may
// be elsewhere: these sides are joined again.
static void join_old_sides(rbl_surface_split_plan *s, const side_lists *l, int end)
{
	const int *own_twins = s->surface->twins, *affected = s->affected;
	bool has_new = s->def->triangle_count > 0;
	for (int i = 0; i < end; ++i) {
		const int *corners = l->corners + 3 * i;
		bool is_changed = false;
		prefetch_split_edges(s, i, end);
		for (int k = 0; k < 3; ++k) {
			int from = corners[k], to = next_corner(corners, k), at = 3 * i + k;
			int twin = own_twins[3 * affected[i] + k], planned = twin;
			if (from < 0 && to < 0) {
				l->twins[at] = twin;
				continue;
			}
			if (twin < RBL_SURFACE_BOUNDARY ||
			    (has_new && from >= 0 && to >= 0 && has_new_triangle(s, from) &&
			     has_new_triangle(s, to))) {
				join_side(s, l, from, to, at);
				planned = RBL_SPLIT_JOINED; // or not
			} else {
				bool stays =
					twin >= 0 && rbl_surface_split_label(s, twin / 3) == s->affected_labels[i];
				l->twins[at] = planned = stays ? twin : RBL_SURFACE_BOUNDARY;
			}
			is_changed |= planned != twin || from >= s->touched_count;
			if (from >= 0)
				add_to_fan(&s->fans[from], 3 * affected[i] + k, planned);
		}
		s->changed[s->changed_count] = i;
		s->changed_count += is_changed;
	}
}

static bool plan_sides(rbl_surface_split_plan *s)
{
	rbl_arena *arena = s->arena;
	int places = s->touched_count + s->copy_count, count = s->affected_count;
	int *heads = RBL_ARENA_NEW(arena, int, places);
	s->fans = RBL_ARENA_NEW(arena, rbl_surface_split_fan, places);
	s->changed = RBL_ARENA_NEW(arena, int, count - s->def->triangle_count + 1);
	// The same memory takes boxes of loose triangles afterwards.
	side *sides = RBL_ARENA_NEW(arena, side, 3 * (size_t)count);
	if (!heads || !s->fans || !s->changed || !sides)
		return false;
	_Static_assert(3 * sizeof(side) >= sizeof(rbl_box), "a box takes the place of three sides");
	s->loose_boxes = (rbl_box *)(void *)sides;
	memset(heads, -1, (size_t)places * sizeof *heads);
	for (int at = 0; at < places; ++at)
		s->fans[at] = (rbl_surface_split_fan){ 0, -1, RBL_SPLIT_NO_BOUNDARY };
	side_lists lists = { s->corners, s->twins, heads, sides };
	int old = count - s->def->triangle_count;
	join_old_sides(s, &lists, old);
	for (int i = old; i < count; ++i) {
		const int *v = s->corners + 3 * i;
		join_side(s, &lists, v[0], v[1], 3 * i);
		join_side(s, &lists, v[1], v[2], 3 * i + 1);
		join_side(s, &lists, v[2], v[0], 3 * i + 2);
		for (int k = 0; k < 3; ++k)
			if (v[k] >= 0)
				add_to_fan(&s->fans[v[k]], 3 * s->affected[i] + k, RBL_SPLIT_JOINED);
	}
	return true;
}

// --- loose triangles ----------------------------------------------------------------------------

// Triangles that lose their cluster, and new ones.
static bool list_loose(rbl_surface_split_plan *s)
{
	rbl_arena *arena = s->arena;
	int made = s->def->triangle_count, old = s->affected_count - made, count = 0;
	int capacity = made + RBL_SURFACE_CLUSTER_SIZE * s->mixed_count;
	s->loose = RBL_ARENA_NEW(arena, int, capacity);
	s->loose_labels = RBL_ARENA_NEW(arena, int, capacity);
	s->places = RBL_ARENA_NEW(arena, int, old);
	if (!s->loose || !s->loose_labels || !s->places)
		return false;
	memset(s->places, -1, (size_t)old * sizeof *s->places);
	for (int i = 0; i < s->mixed_count; ++i) {
		const rbl_surface_cluster *cluster = &s->surface->cluster_data[s->mixed[i]];
		for (int lane = 0; lane < cluster->count; ++lane) {
			int label = s->labels[cluster->triangles[lane] - s->first_triangle];
			if (label > 0) {
				s->places[label >> 1] = count;
				s->loose_labels[count] = s->affected_labels[label >> 1];
				s->loose[count++] = label >> 1;
			}
		}
	}
	s->loose_old = count;
	if (made > 0)
		memcpy(s->loose_labels + count, s->affected_labels + old, (size_t)made * sizeof(int));
	for (int i = 0; i < made; ++i)
		s->loose[count + i] = old + i;
	s->loose_count = count + made;
	return true;
}

bool rbl_surface_split_plan_affected(rbl_surface_split_plan *s)
{
	return rbl_surface_split_list_affected(s) && number_corners(s) && list_loose(s) &&
	       plan_sides(s);
}

// Where loose triangles are.
static void box_loose(const rbl_surface_split_plan *s)
{
	const rbl_vec3 *positions = s->surface->positions[1], *new_positions = s->def->positions;
	const int *triangles = s->surface->triangles, *new_triangles = s->def->triangles;
	for (int i = 0; i < s->loose_count; ++i) {
		if (i + 2 * SPLIT_EDGES_AHEAD < s->loose_old)
			rbl_prefetch(&triangles[3 * s->affected[s->loose[i + 2 * SPLIT_EDGES_AHEAD]]]);
		for (int k = 0; i + SPLIT_EDGES_AHEAD < s->loose_old && k < 3; ++k)
			rbl_prefetch(
				&positions[triangles[3 * s->affected[s->loose[i + SPLIT_EDGES_AHEAD]] + k]]);
		const int *v = i < s->loose_old ? triangles + 3 * s->affected[s->loose[i]]
		                                : new_triangles + 3 * (i - s->loose_old);
		rbl_vec3 p[3];
		for (int k = 0; k < 3; ++k)
			p[k] = v[k] >= 0 ? positions[v[k]] : new_positions[-1 - v[k]];
		s->loose_boxes[i] =
			(rbl_box){ rbl_min(rbl_min(p[0], p[1]), p[2]), rbl_max(rbl_max(p[0], p[1]), p[2]) };
	}
}

// The loose triangle that will lie across a side, or -1. Others are noted.
static inline int loose_across(rbl_surface_split_plan *s, int old, int twin)
{
	int place = -1, triangle = twin / 3;
	if (twin <= RBL_SPLIT_JOINED) {
		int entry = (RBL_SPLIT_JOINED - twin) >> 2;
		place = entry < old ? s->places[entry] : s->loose_old + entry - old;
		triangle = s->affected[entry];
	} else if (twin < 0) {
		return -1;
	} else {
		int label = s->labels[triangle - s->first_triangle];
		place = label & 1 ? s->places[label >> 1] : -1;
	}
	s->beside[s->beside_count] = triangle;
	s->beside_count += place < 0;
	return place;
}

bool rbl_surface_split_plan_clusters(rbl_surface_split_plan *s)
{
	rbl_arena *arena = s->arena;
	rbl_surface_plan_item *items = RBL_ARENA_NEW(arena, rbl_surface_plan_item, s->loose_count);
	s->beside = RBL_ARENA_NEW(arena, int, 3 * (size_t)s->loose_old + 3);
	if (!items || !s->beside)
		return false;
	box_loose(s);
	int old = s->affected_count - s->def->triangle_count;
	for (int i = 0; i < s->loose_count; ++i) {
		const int *twins = s->twins + 3 * s->loose[i];
		int across[3], noted = s->beside_count;
		for (int k = 0; k < 3; ++k)
			across[k] = loose_across(s, old, twins[k]);
		items[i] = rbl_surface_make_plan_item(across);
		if (i >= s->loose_old) // what lies beside new ones is written anyway
			s->beside_count = noted;
	}
	return rbl_surface_plan_clusters(&s->plan, arena, items, s->loose_boxes, s->loose_labels,
	                                 s->loose_old, s->loose_count);
}
