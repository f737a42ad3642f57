// SPDX-License-Identifier: MIT
//
// Cutting the triangles of an arrangement. In the plane of a triangle its border and its segments
// are a graph; the loops to the left of its half-edges are the borders of regions. A loop that runs
// clockwise is a hole, made of segments that do not reach the border, and belongs to the smallest
// region around it. Each region becomes triangles.

#include "geometry/arrangement.h"

#include "base/vec.h"
#include "geometry/adjacency.h"
#include "geometry/face_diagonals.h"
#include "geometry/predicates.h"
#include "geometry/triangulate.h"

enum { FACE_SCRATCH = 1 << 16 };

// Half-edge h runs along edge h / 2; 2 e runs as edge e is listed, and edges of the border are
// listed counter-clockwise.
typedef struct graph {
	rbl_arrangement *a;
	rbl_arena scratch;
	int *locals; // per node of the arrangement: its number here, -1 for none
	int axis;    // that is left out
	bool is_flipped;

	RBL_ARRAY(int) nodes; // of the arrangement
	RBL_ARRAY(rbl_vec2dd) places;
	RBL_ARRAY(int) ends;     // two per edge
	int border_count;        // edges of the border come first
	RBL_ARRAY(int) segments; // of the other edges

	int *starts, *outgoing; // half-edges by the node they leave, counter-clockwise
	int *nexts;             // along the loop to the left
	int *loop_of;
	int *parents; // union-find over nodes: connected components

	RBL_ARRAY(int) loop_starts; // one more than loops
	RBL_ARRAY(int) loops;       // half-edges
	RBL_ARRAY(double) areas;    // per loop
	RBL_ARRAY(int) owners;      // per loop: the loop of its region, -1 for the outside
	int *regions;               // per loop that has one: its region in the arrangement
} graph;

// --- nodes and edges -----------------------------------------------------------------------

static rbl_vec2dd project(const graph *g, const rbl_vec3dd *p)
{
	rbl_vec2dd q = rbl_vec3dd_project(p, g->axis);
	return g->is_flipped ? (rbl_vec2dd){ q.y, q.x } : q;
}

static bool add_node(graph *g, int node, int *local)
{
	if (g->locals[node] < 0) {
		rbl_vec3dd p = rbl_arrangement_precise_position(g->a, node);
		rbl_vec2dd q = project(g, &p);
		if (!rbl_array_push(&g->a->allocator, &g->nodes, node) ||
		    !rbl_array_push(&g->a->allocator, &g->places, q))
			return false;
		g->locals[node] = g->nodes.count - 1;
	}
	*local = g->locals[node];
	return true;
}

static bool add_edge(graph *g, int from, int to)
{
	int ends[2];
	return add_node(g, from, &ends[0]) && add_node(g, to, &ends[1]) &&
	       rbl_array_push(&g->a->allocator, &g->ends, ends[0]) &&
	       rbl_array_push(&g->a->allocator, &g->ends, ends[1]);
}

// The side of the triangle from v to w, with the nodes on it.
static bool add_side(graph *g, int v, int w)
{
	const rbl_arrangement *a = g->a;
	uint32_t edge = rbl_map_get(&a->edges, rbl_edge_key(v, w));
	int begin = 0, end = 0, from = v;
	if (edge != RBL_MAP_NONE)
		begin = a->edge_starts[edge], end = a->edge_starts[edge + 1];
	for (int i = 0; i < end - begin; ++i) {
		int node = a->edge_nodes[v < w ? begin + i : end - 1 - i];
		if (!add_edge(g, from, node))
			return false;
		from = node;
	}
	return add_edge(g, from, w);
}

static bool add_segment_edge(graph *g, int segment)
{
	const rbl_arrangement_segment *s = &g->a->segments.data[segment];
	int from = s->ends[0];
	for (int i = s->first_middle; i <= s[1].first_middle; ++i) {
		int node = i < s[1].first_middle ? g->a->segment_middles.data[i] : s->ends[1];
		if (!add_edge(g, from, node) || !rbl_array_push(&g->a->allocator, &g->segments, segment))
			return false;
		from = node;
	}
	return true;
}

static bool add_triangle_edges(graph *g, int t)
{
	const rbl_arrangement *a = g->a;
	const int *v = a->triangles + 3 * (size_t)t;
	const rbl_vec3d *p = a->positions;
	rbl_vec3d n = rbl_precise_normal(p[v[0]], p[v[1]], p[v[2]]);
	g->axis = rbl_largest_axis_d((rbl_vec3d){ fabs(n.x), fabs(n.y), fabs(n.z) });
	g->is_flipped = rbl_axis_d(n, g->axis) < 0.0;
	g->nodes.count = g->places.count = g->ends.count = g->segments.count = 0;
	for (int k = 0; k < 3; ++k) {
		if (!add_side(g, v[k], v[k < 2 ? k + 1 : 0]))
			return false;
	}
	g->border_count = g->ends.count / 2;
	for (int i = a->triangle_starts[t]; i < a->triangle_starts[t + 1]; ++i) {
		if (!add_segment_edge(g, a->triangle_segments[i]))
			return false;
	}
	return true;
}

// --- around nodes --------------------------------------------------------------------------

static int origin_of(const graph *g, int h)
{
	return g->ends.data[h];
}

static int target_of(const graph *g, int h)
{
	return g->ends.data[h ^ 1];
}

static rbl_vec2dd direction(const graph *g, int h)
{
	const rbl_vec2dd *from = &g->places.data[origin_of(g, h)],
					 *to = &g->places.data[target_of(g, h)];
	return (rbl_vec2dd){ rbl_dd_sub(to->x, from->x), rbl_dd_sub(to->y, from->y) };
}

// Whether half-edge g comes before h, counter-clockwise from the x axis.
static bool is_before_around(const graph *g, int first, int second)
{
	rbl_vec2dd p = direction(g, first), q = direction(g, second);
	int p_y = rbl_dd_sign(p.y), q_y = rbl_dd_sign(q.y);
	bool p_low = p_y < 0 || (p_y == 0 && rbl_dd_sign(p.x) < 0);
	bool q_low = q_y < 0 || (q_y == 0 && rbl_dd_sign(q.x) < 0);
	if (p_low != q_low)
		return q_low;
	return rbl_dd_sign(rbl_dd_minor(p.x, p.y, q.x, q.y)) > 0;
}

static bool list_outgoing(graph *g)
{
	int nodes = g->nodes.count, halves = g->ends.count;
	rbl_arena *scratch = &g->scratch;
	g->starts = RBL_ARENA_NEW(scratch, int, nodes + 2);
	g->outgoing = RBL_ARENA_NEW(scratch, int, halves);
	g->nexts = RBL_ARENA_NEW(scratch, int, halves);
	g->loop_of = RBL_ARENA_NEW(scratch, int, halves);
	g->parents = RBL_ARENA_NEW(scratch, int, nodes);
	if (!g->starts || !g->outgoing || !g->nexts || !g->loop_of || !g->parents)
		return false;
	memset(g->starts, 0, (size_t)(nodes + 2) * sizeof(int));
	// Counted two places up, so that filling leaves the starts in place.
	for (int h = 0; h < halves; ++h)
		g->starts[origin_of(g, h) + 2]++;
	for (int n = 0; n < nodes; ++n)
		g->starts[n + 2] += g->starts[n + 1], g->parents[n] = n;
	for (int h = 0; h < halves; ++h)
		g->outgoing[g->starts[origin_of(g, h) + 1]++] = h;
	for (int n = 0; n < nodes; ++n) {
		int begin = g->starts[n], end = g->starts[n + 1];
		for (int i = begin + 1; i < end; ++i) {
			int h = g->outgoing[i], k = i;
			for (; k > begin && is_before_around(g, h, g->outgoing[k - 1]); --k)
				g->outgoing[k] = g->outgoing[k - 1];
			g->outgoing[k] = h;
		}
		// At its target a loop continues with the half-edge clockwise of its twin.
		for (int i = begin; i < end; ++i)
			g->nexts[g->outgoing[i] ^ 1] = g->outgoing[i > begin ? i - 1 : end - 1];
	}
	for (int e = 0; e < halves; e += 2)
		rbl_union_find_join(g->parents, g->ends.data[e], g->ends.data[e + 1]);
	return true;
}

// --- loops ---------------------------------------------------------------------------------

// Walk all loops. The one outside of the border is listed as well, without an owner.
static bool walk_loops(graph *g)
{
	const rbl_allocator *allocator = &g->a->allocator;
	int halves = g->ends.count;
	g->loops.count = g->loop_starts.count = g->areas.count = g->owners.count = 0;
	for (int h = 0; h < halves; ++h)
		g->loop_of[h] = -1;
	for (int first = 0; first < halves; ++first) {
		if (g->loop_of[first] >= 0)
			continue;
		int loop = g->loop_starts.count, owner = loop;
		rbl_dd sum = { 0.0, 0.0 };
		const rbl_vec2dd *from = &g->places.data[origin_of(g, first)];
		if (!rbl_array_push(allocator, &g->loop_starts, g->loops.count))
			return false;
		for (int h = first; g->loop_of[h] < 0; h = g->nexts[h]) {
			g->loop_of[h] = loop;
			if (h / 2 < g->border_count && h % 2 == 1)
				owner = -1;
			sum = rbl_dd_add(sum, rbl_vec2dd_area(&g->places.data[origin_of(g, h)],
			                                      &g->places.data[target_of(g, h)], from));
			if (!rbl_array_push(allocator, &g->loops, h))
				return false;
		}
		if (!rbl_array_push(allocator, &g->areas, sum.high) ||
		    !rbl_array_push(allocator, &g->owners, owner))
			return false;
	}
	return rbl_array_push(allocator, &g->loop_starts, g->loops.count);
}

static bool loop_holds(const graph *g, int loop, const rbl_vec2dd *p)
{
	bool inside = false;
	for (int i = g->loop_starts.data[loop]; i < g->loop_starts.data[loop + 1]; ++i) {
		const rbl_vec2dd *a = &g->places.data[origin_of(g, g->loops.data[i])];
		const rbl_vec2dd *b = &g->places.data[target_of(g, g->loops.data[i])];
		bool a_above = rbl_dd_less(p->y, a->y), b_above = rbl_dd_less(p->y, b->y);
		if (a_above != b_above && (rbl_dd_sign(rbl_vec2dd_area(a, b, p)) > 0) == b_above)
			inside = !inside;
	}
	return inside;
}

// Give each hole to the smallest region around it. @return false when there is none
static bool place_holes(graph *g)
{
	int count = g->areas.count;
	for (int hole = 0; hole < count; ++hole) {
		if (g->owners.data[hole] < 0 || g->areas.data[hole] > 0.0)
			continue;
		int node = origin_of(g, g->loops.data[g->loop_starts.data[hole]]), best = -1;
		for (int loop = 0; loop < count; ++loop) {
			int other = origin_of(g, g->loops.data[g->loop_starts.data[loop]]);
			if (g->owners.data[loop] != loop || !(g->areas.data[loop] > 0.0) ||
			    rbl_union_find_root(g->parents, other) == rbl_union_find_root(g->parents, node) ||
			    (best >= 0 && g->areas.data[best] <= g->areas.data[loop]) ||
			    !loop_holds(g, loop, &g->places.data[node]))
				continue;
			best = loop;
		}
		if (best < 0)
			return false;
		g->owners.data[hole] = best;
	}
	return true;
}

// --- regions -------------------------------------------------------------------------------

// List the edges of a region that lie on the border of its triangle.
static bool list_borders(graph *g, int loop)
{
	for (int i = g->loop_starts.data[loop]; i < g->loop_starts.data[loop + 1]; ++i) {
		int h = g->loops.data[i];
		if (h / 2 >= g->border_count)
			continue;
		int from = g->nodes.data[origin_of(g, h)], to = g->nodes.data[target_of(g, h)];
		rbl_sort_item64 item = { rbl_edge_key(from, to), (uint32_t)g->a->region_count, 0 };
		if (!rbl_array_push(&g->a->allocator, &g->a->borders, item))
			return false;
	}
	return true;
}

static rbl_result fill_region(graph *g, int t, int loop)
{
	rbl_arrangement *a = g->a;
	int points = 0, loops = 0, *starts, *ids, *triangles;
	for (int k = 0; k < g->owners.count; ++k) {
		if (g->owners.data[k] == loop)
			points += g->loop_starts.data[k + 1] - g->loop_starts.data[k], loops++;
	}
	rbl_point2 *places = RBL_ARENA_NEW(&g->scratch, rbl_point2, points);
	starts = RBL_ARENA_NEW(&g->scratch, int, loops + 1);
	ids = RBL_ARENA_NEW(&g->scratch, int, points);
	triangles = RBL_ARENA_NEW(&g->scratch, int, 3 * rbl_triangulate_capacity(points, loops));
	if (!places || !starts || !ids || !triangles)
		return RBL_OUT_OF_MEMORY;
	points = loops = 0;
	for (int k = 0; k < g->owners.count; ++k) {
		if (g->owners.data[k] != loop)
			continue;
		starts[loops++] = points;
		if (!list_borders(g, k))
			return RBL_OUT_OF_MEMORY;
		for (int i = g->loop_starts.data[k]; i < g->loop_starts.data[k + 1]; ++i) {
			int local = origin_of(g, g->loops.data[i]);
			places[points] =
				(rbl_point2){ g->places.data[local].x.high, g->places.data[local].y.high };
			ids[points++] = local;
		}
	}
	starts[loops] = points;
	rbl_polygon polygon = { places, starts, loops, ids, true };
	rbl_triangulation made;
	rbl_result result = rbl_triangulate(&g->scratch, &polygon, triangles, &made);
	for (int i = 0; i < made.triangle_count && result == RBL_OK; ++i) {
		rbl_arrangement_face face = { .triangle = t, .region = a->region_count };
		for (int k = 0; k < 3; ++k)
			face.nodes[k] = g->nodes.data[ids[triangles[3 * i + k]]];
		if (!rbl_array_push(&a->allocator, &a->faces, face))
			result = RBL_OUT_OF_MEMORY;
	}
	a->region_count++;
	return result;
}

// Note what segments part. Edges of a segment run as it does.
static bool link_regions(graph *g, int t)
{
	rbl_arrangement *a = g->a;
	for (int i = 0; i < g->segments.count; ++i) {
		const rbl_arrangement_segment *s = &a->segments.data[g->segments.data[i]];
		bool is_first = s->triangles[0] == t;
		int other = s->triangles[is_first], h = 2 * (g->border_count + i);
		int left = g->owners.data[g->loop_of[h]], right = g->owners.data[g->loop_of[h ^ 1]];
		if (left < 0 || right < 0)
			continue;
		rbl_arrangement_link link = { g->regions[left], g->regions[right],
			                          is_first ? a->counts[other] : -a->counts[other] };
		if (!rbl_array_push(&a->allocator, &a->links, link))
			return false;
	}
	return true;
}

// --- all -----------------------------------------------------------------------------------

static rbl_result cut_triangle(graph *g, int t)
{
	rbl_arena_reset(&g->scratch);
	bool done = add_triangle_edges(g, t);
	for (int i = 0; i < g->nodes.count; ++i)
		g->locals[g->nodes.data[i]] = -1;
	if (!done || !list_outgoing(g) || !walk_loops(g))
		return RBL_OUT_OF_MEMORY;
	if (!place_holes(g))
		return RBL_BAD_MESH;
	g->regions = RBL_ARENA_NEW(&g->scratch, int, g->owners.count);
	rbl_result result = g->regions ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (int loop = 0; loop < g->owners.count && result == RBL_OK; ++loop) {
		if (g->owners.data[loop] != loop)
			continue;
		g->regions[loop] = g->a->region_count;
		result = fill_region(g, t, loop);
	}
	return result == RBL_OK && !link_regions(g, t) ? RBL_OUT_OF_MEMORY : result;
}

static rbl_result keep_triangle(rbl_arrangement *a, int t)
{
	const int *v = a->triangles + 3 * (size_t)t;
	rbl_arrangement_face face = { t, a->region_count, { v[0], v[1], v[2] } };
	for (int k = 0; k < 3; ++k) {
		rbl_sort_item64 item = { rbl_edge_key(v[k], v[k < 2 ? k + 1 : 0]),
			                     (uint32_t)a->region_count, 0 };
		if (!rbl_array_push(&a->allocator, &a->borders, item))
			return RBL_OUT_OF_MEMORY;
	}
	a->region_count++;
	return rbl_array_push(&a->allocator, &a->faces, face) ? RBL_OK : RBL_OUT_OF_MEMORY;
}

rbl_result rbl_arrangement_cut(rbl_arrangement *arrangement)
{
	rbl_arrangement *a = arrangement;
	const rbl_allocator *allocator = &a->allocator;
	size_t capacity = (size_t)a->vertex_count + (size_t)a->nodes.count + 1;
	graph g = { .a = a, .locals = RBL_NEW(allocator, int, capacity) };
	rbl_arena_init(&g.scratch, allocator, FACE_SCRATCH);
	rbl_result result = g.locals ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (size_t i = 0; i < capacity && result == RBL_OK; ++i)
		g.locals[i] = -1;
	for (int t = 0; t < a->live_count && result == RBL_OK; ++t)
		result = a->triangle_starts[t] < a->triangle_starts[t + 1] ? cut_triangle(&g, t)
		                                                           : keep_triangle(a, t);
	rbl_array_free(allocator, &g.nodes);
	rbl_array_free(allocator, &g.places);
	rbl_array_free(allocator, &g.ends);
	rbl_array_free(allocator, &g.segments);
	rbl_array_free(allocator, &g.loop_starts);
	rbl_array_free(allocator, &g.loops);
	rbl_array_free(allocator, &g.areas);
	rbl_array_free(allocator, &g.owners);
	rbl_arena_destroy(&g.scratch);
	RBL_FREE(allocator, g.locals, capacity);
	return result;
}
