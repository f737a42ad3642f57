// SPDX-License-Identifier: MIT
//
// Cutting a polygon with holes into monotone cycles: the classic sweep with helpers (Garey,
// Johnson, Preparata and Tarjan 1978; Lee and Preparata 1977), from left to right, with three
// departures.
//
//   - Diagonals change the links at once, and the helper of an edge is the very copy of the point
//     that borders the region above that edge. A diagonal therefore always cuts a cycle in two or
//     joins two cycles, whatever the geometry: wrong input gives odd cycles, never broken ones.
//   - Both kinds of edges are in the status, so only a point with both edges to its right is
//     searched for; every other point finds its edges by handle. Searches decide by exact sign.
//   - Points at one place are swept in an order that lets loops touch: first those that end edges,
//     innermost first, then those that pass, then those that begin edges, outermost first.

#include "geometry/triangulate.h"

#include "base/sort.h"
#include "geometry/predicates.h"

enum { NO_EDGE = -1 };

typedef enum kind { ENDS, PASSES, BEGINS } kind;

// One active edge. The status is a treap over slots, threaded by a list in its order.
typedef struct slot {
	int left, right; // points: the ends of the edge, in sweep order
	bool is_lower;   // the region is above the edge
	bool helper_is_merge;
	int helper; // node
	int child[2], parent;
	int before, after;
	uint32_t priority;
} slot;

typedef struct sweep {
	const rbl_point2 *points;
	const int *next, *prev; // the loops as given
	rbl_monotone_cycles *cycles;
	int node_capacity;
	slot *slots;
	int slot_count, free_slot, root, first;
	int *slot_of_edge; // by the point that the loop's edge starts from
	unsigned char *is_done;
} sweep;

static bool is_before(rbl_point2 a, rbl_point2 b)
{
	return a.x < b.x || (a.x == b.x && a.y < b.y);
}

static kind kind_of(const sweep *s, int v)
{
	rbl_point2 p = s->points[v];
	int later = (int)is_before(p, s->points[s->next[v]]) + (int)is_before(p, s->points[s->prev[v]]);
	return later == 2 ? BEGINS : later == 1 ? PASSES : ENDS;
}

// --- status --------------------------------------------------------------------------------

static void set_child(sweep *s, int parent, int side, int child)
{
	if (parent == NO_EDGE)
		s->root = child;
	else
		s->slots[parent].child[side] = child;
	if (child != NO_EDGE)
		s->slots[child].parent = parent;
}

static int status_side(const sweep *s, int at)
{
	int parent = s->slots[at].parent;
	return parent != NO_EDGE && s->slots[parent].child[1] == at;
}

// Lift a slot above its parent.
static void rotate_up(sweep *s, int at)
{
	int parent = s->slots[at].parent, side = status_side(s, at);
	int inner = s->slots[at].child[!side], top = s->slots[parent].parent;
	int top_side = status_side(s, parent);
	set_child(s, parent, side, inner);
	set_child(s, at, !side, parent);
	set_child(s, top, top_side, at);
}

static int new_slot(sweep *s)
{
	int at = s->free_slot;
	if (at != NO_EDGE)
		s->free_slot = s->slots[at].after;
	else
		at = s->slot_count++;
	uint32_t priority = (uint32_t)at * 2654435761u;
	priority ^= priority >> 15, priority *= 2246822519u, priority ^= priority >> 13;
	s->slots[at] = (slot){ .child = { NO_EDGE, NO_EDGE },
		                   .parent = NO_EDGE,
		                   .before = NO_EDGE,
		                   .after = NO_EDGE,
		                   .helper = NO_EDGE,
		                   .priority = priority };
	return at;
}

// Put a new slot right after `before` in the order; NONE puts it first.
static void insert_after(sweep *s, int at, int before)
{
	int after = before == NO_EDGE ? s->first : s->slots[before].after;
	s->slots[at].before = before, s->slots[at].after = after;
	if (before == NO_EDGE)
		s->first = at;
	else
		s->slots[before].after = at;
	if (after != NO_EDGE)
		s->slots[after].before = at;
	// One of the two neighbours has the free child in between.
	if (before != NO_EDGE && s->slots[before].child[1] == NO_EDGE)
		set_child(s, before, 1, at);
	else
		set_child(s, after, 0, at);
	while (s->slots[at].parent != NO_EDGE &&
	       s->slots[s->slots[at].parent].priority < s->slots[at].priority)
		rotate_up(s, at);
}

static void remove_slot(sweep *s, int at)
{
	slot *it = &s->slots[at];
	while (it->child[0] != NO_EDGE || it->child[1] != NO_EDGE) {
		int a = it->child[0], b = it->child[1];
		bool take_b = a == NO_EDGE || (b != NO_EDGE && s->slots[b].priority > s->slots[a].priority);
		rotate_up(s, take_b ? b : a);
	}
	set_child(s, it->parent, status_side(s, at), NO_EDGE);
	if (it->before == NO_EDGE)
		s->first = it->after;
	else
		s->slots[it->before].after = it->after;
	if (it->after != NO_EDGE)
		s->slots[it->after].before = it->before;
	it->after = s->free_slot;
	s->free_slot = at;
}

// The last slot below point v, whose edges go right to the points a and b. A point on an edge
// is above or below it as its own edges are.
static int slot_below(const sweep *s, int v, int a, int b)
{
	int best = NO_EDGE;
	for (int at = s->root; at != NO_EDGE;) {
		const slot *it = &s->slots[at];
		int side = rbl_point2_turn(s->points, it->left, it->right, v);
		if (side == 0)
			side = rbl_point2_turn(s->points, it->left, it->right, a);
		if (side == 0)
			side = rbl_point2_turn(s->points, it->left, it->right, b);
		if (side >= 0)
			best = at;
		at = it->child[side >= 0];
	}
	return best;
}

// Let the slot hold the edge of the loop that starts from point `edge`.
static void set_edge(sweep *s, int at, int edge)
{
	int from = edge, to = s->next[edge];
	bool is_lower = is_before(s->points[from], s->points[to]);
	s->slots[at].is_lower = is_lower;
	s->slots[at].left = is_lower ? from : to;
	s->slots[at].right = is_lower ? to : from;
	s->slot_of_edge[edge] = at;
}

static void set_helper(sweep *s, int at, int node, bool is_merge)
{
	s->slots[at].helper = node;
	s->slots[at].helper_is_merge = is_merge;
}

// --- diagonals -----------------------------------------------------------------------------

static void link_nodes(rbl_monotone_cycles *c, int from, int to)
{
	c->next[from] = to;
	c->prev[to] = from;
}

// Draw a diagonal between two nodes. Both keep the edge that comes in; copies take the edges that
// go out. @return the copy of a.
static int add_diagonal(sweep *s, int a, int b)
{
	rbl_monotone_cycles *c = s->cycles;
	if (c->node_count + 2 > s->node_capacity || a == b)
		return a;
	int a2 = c->node_count++, b2 = c->node_count++;
	c->points[a2] = c->points[a], c->points[b2] = c->points[b];
	int a_next = c->next[a], b_next = c->next[b];
	link_nodes(c, a2, a_next);
	link_nodes(c, b2, b_next);
	link_nodes(c, a, b2);
	link_nodes(c, b, a2);
	return a2;
}

// The slot below a point, if the point is in the region above that edge; otherwise NONE.
static int lower_edge_below(const sweep *s, int below)
{
	return below != NO_EDGE && s->slots[below].is_lower && s->slots[below].helper != NO_EDGE
	           ? below
	           : NO_EDGE;
}

// --- events --------------------------------------------------------------------------------

static void begin_edges(sweep *s, int v)
{
	int next = s->next[v], prev = s->prev[v];
	int orientation = rbl_point2_turn(s->points, prev, v, next);
	int below = slot_below(s, v, next, prev);
	bool is_split = orientation < 0 || (orientation == 0 && lower_edge_below(s, below) != NO_EDGE);
	int low = new_slot(s);
	insert_after(s, low, below);
	int high = new_slot(s);
	insert_after(s, high, low);
	set_edge(s, low, is_split ? prev : v);
	set_edge(s, high, is_split ? v : prev);
	if (!is_split) {
		set_helper(s, low, v, false);
		return;
	}
	int copy = v, edge = lower_edge_below(s, below);
	if (edge != NO_EDGE) {
		copy = add_diagonal(s, v, s->slots[edge].helper);
		set_helper(s, edge, v, false);
	}
	set_helper(s, high, copy, false);
}

static void pass_point(sweep *s, int v)
{
	int prev = s->prev[v];
	if (is_before(s->points[prev], s->points[v])) { // along a lower edge
		int at = s->slot_of_edge[prev], node = v;
		if (s->slots[at].helper_is_merge)
			node = add_diagonal(s, v, s->slots[at].helper);
		set_edge(s, at, v);
		set_helper(s, at, node, false);
		return;
	}
	int at = s->slot_of_edge[v];
	int edge = lower_edge_below(s, s->slots[at].before);
	set_edge(s, at, prev);
	if (edge == NO_EDGE)
		return;
	if (s->slots[edge].helper_is_merge)
		add_diagonal(s, v, s->slots[edge].helper);
	set_helper(s, edge, v, false);
}

static void end_edges(sweep *s, int v)
{
	int in = s->slot_of_edge[s->prev[v]], out = s->slot_of_edge[v];
	int orientation = rbl_point2_turn(s->points, s->prev[v], v, s->next[v]);
	bool is_merge = orientation < 0 || (orientation == 0 && s->slots[out].after == in);
	int node = v;
	if (s->slots[in].helper_is_merge)
		node = add_diagonal(s, v, s->slots[in].helper);
	int below = s->slots[is_merge ? out : in].before;
	remove_slot(s, in);
	remove_slot(s, out);
	if (!is_merge)
		return;
	int edge = lower_edge_below(s, below);
	if (edge == NO_EDGE)
		return;
	if (s->slots[edge].helper_is_merge)
		add_diagonal(s, node, s->slots[edge].helper);
	set_helper(s, edge, node, true);
}

// --- points at one place -------------------------------------------------------------------

static bool ends_are_adjacent(const sweep *s, int v)
{
	int in = s->slot_of_edge[s->prev[v]], out = s->slot_of_edge[v];
	return s->slots[in].after == out || s->slots[out].after == in;
}

// End the edges of all points of a group, those whose edges are neighbours in the status first.
// Whenever a pair goes, the two edges around it become neighbours and may be the next pair.
static void end_group(sweep *s, const int *group, int count)
{
	for (int i = 0; i < count; ++i) {
		int v = group[i];
		while (!s->is_done[v] && ends_are_adjacent(s, v)) {
			int in = s->slot_of_edge[s->prev[v]], out = s->slot_of_edge[v];
			bool in_first = s->slots[in].after == out;
			int before = s->slots[in_first ? in : out].before;
			int after = s->slots[in_first ? out : in].after;
			end_edges(s, v);
			s->is_done[v] = 1;
			if (before == NO_EDGE || after == NO_EDGE ||
			    s->slots[before].right != s->slots[after].right)
				break;
			int around = s->slots[before].right;
			if (s->points[around].x != s->points[v].x || s->points[around].y != s->points[v].y)
				break;
			v = around;
		}
	}
	for (int i = 0; i < count; ++i) {
		if (!s->is_done[group[i]])
			end_edges(s, group[i]);
	}
}

// The end of the lower of the two edges that begin at v.
static int lower_end(const sweep *s, int v)
{
	return rbl_point2_turn(s->points, s->prev[v], v, s->next[v]) >= 0 ? s->next[v] : s->prev[v];
}

// Whether a comes no later than b: its lower edge is below, or they are one and a opens a region.
static bool begins_no_later(const sweep *s, int a, int b)
{
	int orientation = rbl_point2_turn(s->points, a, lower_end(s, a), lower_end(s, b));
	return orientation > 0 ||
	       (orientation == 0 && rbl_point2_turn(s->points, s->prev[a], a, s->next[a]) >= 0);
}

// Stable merge sort of a group by lower edges.
static void sort_group(const sweep *s, int *group, int *scratch, int count)
{
	for (int width = 1; width < count; width *= 2) {
		for (int begin = 0; begin < count; begin += 2 * width) {
			int middle = begin + width < count ? begin + width : count;
			int end = middle + width < count ? middle + width : count;
			int a = begin, b = middle;
			for (int k = begin; k < end; ++k) {
				bool take_a = b >= end || (a < middle && begins_no_later(s, group[a], group[b]));
				scratch[k] = take_a ? group[a++] : group[b++];
			}
		}
		memcpy(group, scratch, (size_t)count * sizeof(int));
	}
}

// --- order ---------------------------------------------------------------------------------

// Points by x, then y, then kind. @return their number, 0 when memory ran out.
static int sort_points(rbl_arena *scratch, const sweep *s, int point_count, int *order)
{
	rbl_sort_item64 *items = RBL_ARENA_NEW(scratch, rbl_sort_item64, point_count);
	rbl_sort_item64 *spare = RBL_ARENA_NEW(scratch, rbl_sort_item64, point_count);
	if (!items || !spare)
		return 0;
	int count = 0;
	for (kind k = ENDS; k <= BEGINS; ++k) {
		for (int v = 0; v < point_count; ++v) {
			if (s->next[v] >= 0 && kind_of(s, v) == k)
				items[count++] =
					(rbl_sort_item64){ rbl_sort_key_double(s->points[v].y + 0.0), // -0 becomes 0
					                   (uint32_t)v, 0 };
		}
	}
	rbl_sort64(items, spare, count);
	for (int i = 0; i < count; ++i)
		items[i].key = rbl_sort_key_double(s->points[items[i].value].x + 0.0);
	rbl_sort64(items, spare, count);
	for (int i = 0; i < count; ++i)
		order[i] = (int)items[i].value;
	return count;
}

static void sweep_points(sweep *s, int *order, int *spare, int count)
{
	for (int begin = 0; begin < count;) {
		kind k = kind_of(s, order[begin]);
		int end = begin + 1;
		while (end < count && rbl_point2_coincide(s->points, order[begin], order[end]) &&
		       kind_of(s, order[end]) == k)
			++end;
		if (k == ENDS && end - begin > 1) {
			end_group(s, order + begin, end - begin);
		} else {
			if (k == BEGINS && end - begin > 1)
				sort_group(s, order + begin, spare, end - begin);
			for (int i = begin; i < end; ++i) {
				if (k == ENDS)
					end_edges(s, order[i]);
				else if (k == PASSES)
					pass_point(s, order[i]);
				else
					begin_edges(s, order[i]);
			}
		}
		begin = end;
	}
}

rbl_result rbl_monotone_partition(rbl_arena *scratch, const rbl_point2 *points, int point_count,
                                  const int *next, const int *prev, rbl_monotone_cycles *cycles)
{
	sweep s = { .points = points,
		        .next = next,
		        .prev = prev,
		        .cycles = cycles,
		        .free_slot = NO_EDGE,
		        .root = NO_EDGE,
		        .first = NO_EDGE };
	int turning = 0; // points that begin or end edges: each is one end of at most one diagonal
	for (int v = 0; v < point_count; ++v)
		turning += next[v] >= 0 && kind_of(&s, v) != PASSES;
	s.node_capacity = point_count + 2 * turning;
	cycles->next = RBL_ARENA_NEW(scratch, int, s.node_capacity);
	cycles->prev = RBL_ARENA_NEW(scratch, int, s.node_capacity);
	cycles->points = RBL_ARENA_NEW(scratch, int, s.node_capacity);
	cycles->ranks = RBL_ARENA_NEW(scratch, int, point_count);
	cycles->node_count = point_count;
	s.slots = RBL_ARENA_NEW(scratch, slot, turning + 2);
	s.slot_of_edge = RBL_ARENA_NEW(scratch, int, point_count);
	s.is_done = RBL_ARENA_NEW(scratch, unsigned char, point_count);
	int *order = RBL_ARENA_NEW(scratch, int, point_count);
	int *spare = RBL_ARENA_NEW(scratch, int, point_count);
	if (!cycles->next || !cycles->prev || !cycles->points || !cycles->ranks || !s.slots ||
	    !s.slot_of_edge || !s.is_done || !order || !spare)
		return RBL_OUT_OF_MEMORY;
	memset(s.is_done, 0, (size_t)point_count);
	for (int v = 0; v < point_count; ++v)
		cycles->next[v] = next[v], cycles->prev[v] = prev[v], cycles->points[v] = v;
	if (turning == 0)
		return RBL_OK;
	int count = sort_points(scratch, &s, point_count, order);
	if (count == 0)
		return RBL_OUT_OF_MEMORY;
	sweep_points(&s, order, spare, count);
	for (int i = 0; i < count; ++i)
		cycles->ranks[order[i]] = i;
	return RBL_OK;
}
