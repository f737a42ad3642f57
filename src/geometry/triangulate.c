// SPDX-License-Identifier: MIT
//
// Triangulation of a polygon with holes, in four steps.
//
//   1. Ears of zero width (repeated points, needles) are cut off. They are flat triangles.
//   2. A sweep cuts the loops into cycles that are monotone in x (triangulate_monotone.c).
//   3. Each cycle is triangulated: a monotone one with a stack in linear time; one that is not,
//      which only happens where loops cross or overlap, by cutting ears with exact tests under a
//      budget, and when that is spent or no ear is left, in any order.
//   4. On request, edges are flipped until they are Delaunay (triangulate_delaunay.c).
//
// All steps replace a cycle of n nodes by a triangle and a cycle of n - 1 nodes, or draw a
// diagonal. That is why no edge is lost even where the geometry is nonsense.

#include "geometry/triangulate.h"

#include "base/assert.h"
#include "geometry/predicates.h"

typedef struct output {
	const rbl_point2 *points;
	const int *ids;
	int *triangles;
	int count;
} output;

static void emit(output *out, int a, int b, int c)
{
	const int *ids = out->ids;
	if (a == b || b == c || c == a)
		return;
	if (ids && (ids[a] == ids[b] || ids[b] == ids[c] || ids[c] == ids[a]))
		return;
	int *triangle = out->triangles + 3 * out->count++;
	triangle[0] = a, triangle[1] = b, triangle[2] = c;
}

// Take out a point whose ear has been emitted.
static void unlink_point(int *next, int *prev, int v)
{
	next[prev[v]] = next[v];
	prev[next[v]] = prev[v];
	next[v] = prev[v] = -1;
}

// Link the points of a loop and cut off ears of zero width: a point at the place of its
// successor, or between two points at one place. A loop of two points or fewer vanishes.
static void link_loop(output *out, int *next, int *prev, int begin, int end)
{
	for (int v = begin; v < end; ++v)
		next[v] = v + 1 < end ? v + 1 : begin, prev[v] = v > begin ? v - 1 : end - 1;
	int count = end - begin, v = begin;
	for (int unchanged = 0; count > 2 && unchanged < count;) {
		int a = prev[v], b = next[v];
		if (!rbl_point2_coincide(out->points, v, b) && !rbl_point2_coincide(out->points, a, b)) {
			v = b, ++unchanged;
			continue;
		}
		emit(out, a, v, b);
		unlink_point(next, prev, v);
		--count, v = a;
		unchanged = unchanged > 2 ? unchanged - 2 : 0; // only a and b have changed
	}
	for (int k = 0; count <= 2 && k < count; ++k) {
		int after = next[v];
		next[v] = prev[v] = -1;
		v = after;
	}
}

// --- cycles --------------------------------------------------------------------------------

// The nodes of one cycle in sweep order, if both chains from the first to the last node run
// right. `is_upper` says which chain a node is on. @return false if they do not.
static bool order_cycle(const rbl_monotone_cycles *c, int first, int count, int *nodes,
                        unsigned char *is_upper)
{
	int low = c->next[first], high = c->prev[first], n = 1;
	nodes[0] = first, is_upper[0] = 0;
	int last_low = c->ranks[c->points[first]], last_high = last_low;
	while (n < count) {
		int low_rank = c->ranks[c->points[low]], high_rank = c->ranks[c->points[high]];
		if (low_rank <= last_low || high_rank <= last_high)
			return false;
		bool take_high = high_rank < low_rank;
		is_upper[n] = take_high;
		nodes[n++] = take_high ? high : low;
		if (take_high)
			last_high = high_rank, high = c->prev[high];
		else
			last_low = low_rank, low = c->next[low];
	}
	return true;
}

// The stack algorithm of Garey, Johnson, Preparata and Tarjan. A straight run of points stays on
// the stack, so it never makes a flat triangle where another is possible; points at one place are
// joined at once, for behind them a turn could not be seen.
static void cut_monotone(output *out, const int *node_points, const int *nodes,
                         const unsigned char *is_upper, int count, int *stack)
{
	int depth = 0;
	stack[depth++] = 0;
	stack[depth++] = 1;
	for (int k = 2; k < count; ++k) {
		int p = node_points[nodes[k]];
		bool up = is_upper[k], is_last = k == count - 1;
		if (is_last || up != (bool)is_upper[stack[depth - 1]]) {
			// The stack is on the other chain: every edge of it makes a triangle with p.
			bool stack_up = is_upper[stack[depth - 1]];
			for (int i = 0; i + 1 < depth; ++i) {
				int a = node_points[nodes[stack[i]]], b = node_points[nodes[stack[i + 1]]];
				if (stack_up)
					emit(out, b, a, p);
				else
					emit(out, a, b, p);
			}
			stack[0] = stack[depth - 1];
			depth = 1;
		} else {
			while (depth > 1) {
				int b = node_points[nodes[stack[depth - 1]]];
				int a = node_points[nodes[stack[depth - 2]]];
				if (!rbl_point2_coincide(out->points, a, b) &&
				    !rbl_point2_coincide(out->points, b, p) &&
				    (up ? rbl_point2_turn(out->points, p, b, a)
				        : rbl_point2_turn(out->points, a, b, p)) <= 0)
					break;
				if (up)
					emit(out, p, b, a);
				else
					emit(out, a, b, p);
				--depth;
			}
		}
		stack[depth++] = k;
	}
}

static bool is_in_triangle(const rbl_point2 *points, int a, int b, int c, int p)
{
	return rbl_point2_turn(points, a, b, p) >= 0 && rbl_point2_turn(points, b, c, p) >= 0 &&
	       rbl_point2_turn(points, c, a, p) >= 0;
}

// Whether the ear a, b, c may be cut: it turns left, and no other point is in it.
static bool is_ear(const output *out, const rbl_monotone_cycles *c, int node, int64_t *budget)
{
	const rbl_point2 *points = out->points;
	int a = c->points[c->prev[node]], b = c->points[node], d = c->points[c->next[node]];
	if (rbl_point2_turn(points, a, b, d) <= 0)
		return false;
	for (int i = c->next[c->next[node]]; i != c->prev[node]; i = c->next[i]) {
		int p = c->points[i];
		if (--*budget < 0)
			return false;
		if (!rbl_point2_coincide(points, p, a) && !rbl_point2_coincide(points, p, b) &&
		    !rbl_point2_coincide(points, p, d) && is_in_triangle(points, a, b, d, p))
			return false;
	}
	return true;
}

// Cut the cycle ear by ear. Where none is proper, take one that turns left, then any.
static void cut_ears(output *out, rbl_monotone_cycles *c, int node, int count)
{
	int64_t budget = (int64_t)count * 256 + 1000000;
	for (int tried = 0; count > 3;) {
		bool cut = tried < count && is_ear(out, c, node, &budget);
		if (!cut && tried >= count)
			cut = rbl_point2_turn(out->points, c->points[c->prev[node]], c->points[node],
			                      c->points[c->next[node]]) > 0 ||
			      tried >= 2 * count;
		int a = c->prev[node], b = c->next[node];
		if (!cut) {
			node = b, ++tried;
			continue;
		}
		emit(out, c->points[a], c->points[node], c->points[b]);
		c->next[a] = b, c->prev[b] = a;
		--count, tried = budget > 0 ? 0 : count, node = c->next[b];
	}
	emit(out, c->points[c->prev[node]], c->points[node], c->points[c->next[node]]);
}

// The triangles that the cycles will give.
static int64_t count_triangles(const rbl_monotone_cycles *c, unsigned char *is_seen)
{
	int64_t total = 0;
	memset(is_seen, 0, (size_t)c->node_count);
	for (int i = 0; i < c->node_count; ++i) {
		int count = 0;
		for (int k = i; c->next[i] >= 0 && !is_seen[k]; k = c->next[k]) {
			is_seen[k] = 1;
			++count;
		}
		total += count > 2 ? count - 2 : 0;
	}
	return total;
}

// Take all diagonals out again: the loops are the cycles.
static void undo_diagonals(rbl_monotone_cycles *c, const int *next, const int *prev, int count)
{
	memcpy(c->next, next, (size_t)count * sizeof(int));
	memcpy(c->prev, prev, (size_t)count * sizeof(int));
	c->node_count = count;
}

static rbl_result cut_cycles(rbl_arena *scratch, output *out, rbl_monotone_cycles *c,
                             const int *next, const int *prev, int point_count, int capacity)
{
	int *nodes = RBL_ARENA_NEW(scratch, int, c->node_count);
	int *stack = RBL_ARENA_NEW(scratch, int, c->node_count);
	unsigned char *is_upper = RBL_ARENA_NEW(scratch, unsigned char, c->node_count);
	unsigned char *is_seen = RBL_ARENA_NEW(scratch, unsigned char, c->node_count);
	if (!nodes || !stack || !is_upper || !is_seen)
		return RBL_OUT_OF_MEMORY;
	// A diagonal that joins two cycles costs two triangles. Without crossings there is one such
	// diagonal for each hole; crossings can join what has been cut before, again and again.
	if (count_triangles(c, is_seen) > capacity - out->count)
		undo_diagonals(c, next, prev, point_count);
	memset(is_seen, 0, (size_t)c->node_count);
	for (int i = 0; i < c->node_count; ++i) {
		if (is_seen[i] || c->next[i] < 0)
			continue;
		int first = i, count = 0, k = i;
		do {
			is_seen[k] = 1;
			++count;
			if (c->ranks[c->points[k]] < c->ranks[c->points[first]])
				first = k;
			k = c->next[k];
		} while (k != i);
		if (count < 3)
			continue;
		if (order_cycle(c, first, count, nodes, is_upper))
			cut_monotone(out, c->points, nodes, is_upper, count, stack);
		else
			cut_ears(out, c, first, count);
	}
	return RBL_OK;
}

static void count_bad_triangles(const output *out, rbl_triangulation *made)
{
	*made = (rbl_triangulation){ .triangle_count = out->count };
	for (int i = 0; i < out->count; ++i) {
		const int *triangle = out->triangles + 3 * i;
		int orientation = rbl_point2_turn(out->points, triangle[0], triangle[1], triangle[2]);
		made->inverted_count += orientation < 0;
		made->flat_count += orientation == 0;
	}
}

rbl_result rbl_triangulate(rbl_arena *scratch, const rbl_polygon *polygon, int *triangles,
                           rbl_triangulation *made)
{
	int point_count = polygon->loop_count > 0 ? polygon->loop_starts[polygon->loop_count] : 0;
	int capacity = rbl_triangulate_capacity(point_count, polygon->loop_count);
	output out = { polygon->points, polygon->ids, triangles, 0 };
	*made = (rbl_triangulation){ 0 };
	if (point_count == 0)
		return RBL_OK;
	int *next = RBL_ARENA_NEW(scratch, int, point_count);
	int *prev = RBL_ARENA_NEW(scratch, int, point_count);
	if (!next || !prev)
		return RBL_OUT_OF_MEMORY;
	for (int k = 0; k < polygon->loop_count; ++k)
		link_loop(&out, next, prev, polygon->loop_starts[k], polygon->loop_starts[k + 1]);

	rbl_monotone_cycles cycles;
	rbl_result result =
		rbl_monotone_partition(scratch, polygon->points, point_count, next, prev, &cycles);
	if (result == RBL_OK)
		result = cut_cycles(scratch, &out, &cycles, next, prev, point_count, capacity);
	if (result != RBL_OK)
		return result;
	RBL_ASSERT(out.count <= capacity);
	count_bad_triangles(&out, made);
	if (!polygon->improve || made->inverted_count > 0 || made->triangle_count < 2)
		return RBL_OK;
	for (int k = 0; k < polygon->loop_count; ++k) { // the loops again, as they were given
		int begin = polygon->loop_starts[k], end = polygon->loop_starts[k + 1];
		for (int v = begin; v < end; ++v)
			next[v] = v + 1 < end ? v + 1 : begin;
	}
	result = rbl_triangulate_delaunay(scratch, polygon->points, next, triangles, out.count);
	if (result == RBL_OK && made->flat_count > 0)
		count_bad_triangles(&out, made);
	return result;
}
