// SPDX-License-Identifier: MIT
//
// Where the triangles of a surface cross: nodes and segments. arrangement.h has the idea.

#include "geometry/arrangement.h"

#include "base/random.h"
#include "base/vec.h"
#include "geometry/face_diagonals.h"
#include "geometry/near_triangles.h"
#include "geometry/predicates.h"

#include <stdlib.h>

// More crossings than this are no surface that was meant to enclose something, and their number may
// grow with the square of that of triangles.
enum { MAX_SEGMENTS = 200000, MAX_PER_TRIANGLE = 4 };

// How much of the motion is at random.
static const double RANDOM_SHARE = 0.1;

// Where piercings of the moved vertices and of those as they were differ by more of the edge than
// this, edge and triangle are nearly parallel.
static const double PARALLEL = 1e-6;

// --- triangles -----------------------------------------------------------------------------

static void move_vertices(rbl_arrangement *a, const rbl_vec3d *normals, double step, uint64_t seed)
{
	rbl_random random = rbl_random_from_seed(seed);
	for (int v = 0; v < a->vertex_count; ++v) {
		rbl_vec3d inward = rbl_add_scaled_d(a->originals[v], -step, normals[v]);
		a->positions[v] =
			rbl_add_scaled_d(inward, RANDOM_SHARE * step, rbl_random_in_ball(&random));
	}
}

// The vertices of a triangle in ascending order. @return whether that turns it over
static bool sort_vertices(const int *triangle, int sorted[3])
{
	bool is_flipped = false;
	for (int k = 0; k < 3; ++k)
		sorted[k] = triangle[k];
	for (int pass = 0; pass < 3; ++pass) {
		int k = pass % 2;
		if (sorted[k] <= sorted[k + 1])
			continue;
		int swap = sorted[k];
		sorted[k] = sorted[k + 1], sorted[k + 1] = swap;
		is_flipped = !is_flipped;
	}
	return is_flipped;
}

// Count triangles of the same vertices at the first of them, in `counts`.
static bool count_coverings(rbl_arrangement *a, const int *triangles, int count, int *counts)
{
	rbl_sort_item64 *items = RBL_NEW(&a->allocator, rbl_sort_item64, 2 * (size_t)count + 1);
	if (!items)
		return false;
	for (int t = 0; t < count; ++t) {
		int v[3];
		sort_vertices(triangles + 3 * (size_t)t, v);
		items[t] = (rbl_sort_item64){ rbl_edge_key(v[0], v[1]), (uint32_t)t, (uint32_t)v[2] };
		counts[t] = 0;
	}
	rbl_sort64(items, items + count, count);
	for (int i = 0; i < count; ++i) {
		int first = i, v[3];
		for (int k = i - 1; k >= 0 && items[k].key == items[i].key; --k)
			first = items[k].extra == items[i].extra ? k : first;
		int t = (int)items[i].value, original = (int)items[first].value;
		bool is_flipped = sort_vertices(triangles + 3 * (size_t)t, v) !=
		                  sort_vertices(triangles + 3 * (size_t)original, v);
		counts[original] += is_flipped ? -1 : 1;
	}
	RBL_FREE(&a->allocator, items, 2 * (size_t)count + 1);
	return true;
}

static bool copy_live_triangles(rbl_arrangement *a, const int *triangles, int count)
{
	size_t capacity = (size_t)count + 1;
	a->triangle_count = count; // reserved
	a->sources = RBL_NEW(&a->allocator, int, capacity);
	a->counts = RBL_NEW(&a->allocator, int, capacity);
	a->is_flipped = RBL_NEW_ZERO(&a->allocator, unsigned char, capacity);
	a->triangles = RBL_NEW(&a->allocator, int, 3 * capacity);
	a->triangle_starts = RBL_NEW_ZERO(&a->allocator, int, capacity + 1);
	if (!a->sources || !a->counts || !a->is_flipped || !a->triangles || !a->triangle_starts ||
	    !count_coverings(a, triangles, count, a->counts))
		return false;
	int kept = 0;
	for (int t = 0; t < count; ++t) {
		if (a->counts[t] == 0)
			continue;
		a->is_flipped[kept] = a->counts[t] < 0;
		a->counts[kept] = abs(a->counts[t]);
		a->sources[kept] = t;
		for (int k = 0; k < 3; ++k)
			a->triangles[3 * kept + k] = triangles[3 * t + (a->is_flipped[kept] ? 2 - k : k)];
		kept++;
	}
	a->live_count = kept;
	return true;
}

// --- places --------------------------------------------------------------------------------

static rbl_dd exact_dd(double x)
{
	return (rbl_dd){ x, 0.0 };
}

rbl_vec3dd rbl_arrangement_precise_position(const rbl_arrangement *arrangement, int node)
{
	if (node >= arrangement->vertex_count)
		return arrangement->nodes.data[node - arrangement->vertex_count].place;
	rbl_vec3d p = arrangement->positions[node];
	return (rbl_vec3dd){ exact_dd(p.x), exact_dd(p.y), exact_dd(p.z) };
}

rbl_vec3d rbl_arrangement_moved(const rbl_arrangement *arrangement, int node)
{
	rbl_vec3dd p = rbl_arrangement_precise_position(arrangement, node);
	return (rbl_vec3d){ p.x.high, p.y.high, p.z.high };
}

rbl_vec3d rbl_arrangement_position(const rbl_arrangement *arrangement, int node)
{
	return node < arrangement->vertex_count
	           ? arrangement->originals[node]
	           : arrangement->nodes.data[node - arrangement->vertex_count].position;
}

// Linear interpolation.
static rbl_vec3dd between(const rbl_vec3dd *p, const rbl_vec3dd *q, rbl_dd t)
{
	rbl_vec3dd r;
	r.x = rbl_dd_add(p->x, rbl_dd_mul(t, rbl_dd_sub(q->x, p->x)));
	r.y = rbl_dd_add(p->y, rbl_dd_mul(t, rbl_dd_sub(q->y, p->y)));
	r.z = rbl_dd_add(p->z, rbl_dd_mul(t, rbl_dd_sub(q->z, p->z)));
	return r;
}

static rbl_vec3dd cross_of(const rbl_vec3dd *p, const rbl_vec3dd *q)
{
	return (rbl_vec3dd){ rbl_dd_minor(p->y, p->z, q->y, q->z), rbl_dd_minor(p->z, p->x, q->z, q->x),
		                 rbl_dd_minor(p->x, p->y, q->x, q->y) };
}

// Six times the volume of a tetrahedron.
static rbl_dd volume(rbl_vec3d a, rbl_vec3d b, rbl_vec3d c, rbl_vec3d d)
{
	rbl_dd bx = rbl_two_difference(b.x, a.x), by = rbl_two_difference(b.y, a.y),
		   bz = rbl_two_difference(b.z, a.z);
	rbl_dd cx = rbl_two_difference(c.x, a.x), cy = rbl_two_difference(c.y, a.y),
		   cz = rbl_two_difference(c.z, a.z);
	rbl_dd dx = rbl_two_difference(d.x, a.x), dy = rbl_two_difference(d.y, a.y),
		   dz = rbl_two_difference(d.z, a.z);
	rbl_dd sum = rbl_dd_mul(dx, rbl_dd_minor(by, bz, cy, cz));
	sum = rbl_dd_add(sum, rbl_dd_mul(dy, rbl_dd_minor(bz, bx, cz, cx)));
	return rbl_dd_add(sum, rbl_dd_mul(dz, rbl_dd_minor(bx, by, cx, cy)));
}

// --- piercings -----------------------------------------------------------------------------

typedef struct crosser {
	rbl_arrangement *a;
	bool is_degenerate; // something lies in a plane
	bool out_of_memory;
	int ends[3], end_count;
} crosser;

static int plane_side(crosser *c, const int *t, int v)
{
	const rbl_vec3d *p = c->a->positions;
	int side = rbl_orient3d(p[t[0]], p[t[1]], p[t[2]], p[v]);
	c->is_degenerate |= side == 0;
	return side;
}

// How far along an edge a triangle cuts it.
static rbl_dd cut_at(const rbl_vec3d *p, const int *t, int low, int high)
{
	rbl_dd below = volume(p[t[0]], p[t[1]], p[t[2]], p[low]);
	rbl_dd above = volume(p[t[0]], p[t[1]], p[t[2]], p[high]);
	return rbl_dd_div(below, rbl_dd_sub(below, above));
}

// The same among the vertices as they were: on the same edge, and in the triangle's plane unless
// the two are parallel, or nearly so.
static rbl_vec3d original_cut(const rbl_arrangement *a, const int *t, int low, int high, rbl_dd at)
{
	double there = cut_at(a->originals, t, low, high).high;
	if (!(fabs(there - at.high) <= PARALLEL))
		there = at.high;
	there = rbl_clampd(there, 0.0, 1.0);
	rbl_vec3d p = a->originals[low], q = a->originals[high];
	return there == 1.0 ? q : rbl_lerp_d(p, q, there);
}

// The node where an edge pierces a triangle.
static int piercing_node(crosser *c, int v, int w, int triangle)
{
	rbl_arrangement *a = c->a;
	const rbl_allocator *allocator = &a->allocator;
	int low = rbl_mini(v, w), high = rbl_maxi(v, w);
	uint32_t *edge =
		rbl_map_add(allocator, &a->edges, rbl_edge_key(low, high), (uint32_t)a->edges.count);
	uint64_t key = edge ? (uint64_t)*edge << 32 | (uint32_t)triangle : 0;
	uint32_t *found = edge ? rbl_map_add(allocator, &a->piercings, key, RBL_MAP_NONE - 1) : NULL;
	if (!found) {
		c->out_of_memory = true;
		return -1;
	}
	if (*found != RBL_MAP_NONE - 1)
		return (int)*found;
	const int *t = a->triangles + 3 * (size_t)triangle;
	rbl_vec3dd from = rbl_arrangement_precise_position(a, low),
			   to = rbl_arrangement_precise_position(a, high);
	rbl_arrangement_node node = { .edge = (int)*edge };
	node.at = cut_at(a->positions, t, low, high);
	node.place = between(&from, &to, node.at);
	node.position = original_cut(a, t, low, high, node.at);
	*found = (uint32_t)(a->vertex_count + a->nodes.count);
	if (!rbl_array_push(allocator, &a->nodes, node)) {
		c->out_of_memory = true;
		return -1;
	}
	return a->vertex_count + a->nodes.count - 1;
}

// Note where an edge of one triangle, its ends on different sides of the other, pierces it.
static void pierce(crosser *c, int v, int w, int triangle)
{
	const rbl_vec3d *p = c->a->positions;
	const int *t = c->a->triangles + 3 * (size_t)triangle;
	int orientations[3];
	for (int k = 0; k < 3; ++k)
		orientations[k] = rbl_orient3d(p[v], p[w], p[t[k]], p[t[k < 2 ? k + 1 : 0]]);
	if (orientations[0] != 0 && orientations[1] != 0 && orientations[2] != 0 &&
	    (orientations[0] != orientations[1] || orientations[1] != orientations[2]))
		return;
	if (orientations[0] == 0 || orientations[1] == 0 || orientations[2] == 0) {
		// Through an edge, unless the signs of two sides show that it misses.
		bool has_left = orientations[0] > 0 || orientations[1] > 0 || orientations[2] > 0;
		bool has_right = orientations[0] < 0 || orientations[1] < 0 || orientations[2] < 0;
		c->is_degenerate |= !(has_left && has_right);
		return;
	}
	if (c->end_count < 3)
		c->ends[c->end_count++] = piercing_node(c, v, w, triangle);
}

// Edges of triangle t that pierce u. Those at a shared vertex only touch it there.
static void pierce_with(crosser *c, int t, int u, int shared, const int sides[3])
{
	const int *v = c->a->triangles + 3 * (size_t)t;
	for (int k = 0; k < 3; ++k) {
		int next = k < 2 ? k + 1 : 0;
		if (v[k] != shared && v[next] != shared && sides[k] != sides[next])
			pierce(c, v[k], v[next], u);
	}
}

// The sides of t's vertices against the plane of u, 0 for a shared one.
static bool straddles(crosser *c, int t, int u, int shared, int sides[3])
{
	const int *v = c->a->triangles + 3 * (size_t)t, *plane = c->a->triangles + 3 * (size_t)u;
	bool has_above = false, has_below = false;
	for (int k = 0; k < 3; ++k) {
		sides[k] = v[k] == shared ? 0 : plane_side(c, plane, v[k]);
		has_above |= sides[k] > 0, has_below |= sides[k] < 0;
	}
	return has_above && has_below;
}

static rbl_vec3dd normal_of(const rbl_arrangement *a, int triangle)
{
	const int *t = a->triangles + 3 * (size_t)triangle;
	const rbl_vec3d *p = a->positions;
	rbl_vec3dd e[2];
	for (int k = 0; k < 2; ++k) {
		e[k].x = rbl_two_difference(p[t[k + 1]].x, p[t[0]].x);
		e[k].y = rbl_two_difference(p[t[k + 1]].y, p[t[0]].y);
		e[k].z = rbl_two_difference(p[t[k + 1]].z, p[t[0]].z);
	}
	return cross_of(&e[0], &e[1]);
}

static rbl_result add_crossing_segment(crosser *c, int t, int u, int end, int other_end)
{
	rbl_arrangement *a = c->a;
	if (a->segments.count >= MAX_SEGMENTS + MAX_PER_TRIANGLE * (int64_t)a->live_count)
		return RBL_LIMIT_REACHED;
	rbl_vec3dd n = normal_of(a, t), m = normal_of(a, u), along = cross_of(&n, &m);
	rbl_vec3dd p = rbl_arrangement_precise_position(a, end),
			   q = rbl_arrangement_precise_position(a, other_end);
	rbl_dd advance = rbl_dd_mul(along.x, rbl_dd_sub(q.x, p.x));
	advance = rbl_dd_add(advance, rbl_dd_mul(along.y, rbl_dd_sub(q.y, p.y)));
	advance = rbl_dd_add(advance, rbl_dd_mul(along.z, rbl_dd_sub(q.z, p.z)));
	if (rbl_dd_sign(advance) == 0)
		return RBL_BAD_MESH;
	if (rbl_dd_sign(advance) < 0) {
		int swap = end;
		end = other_end, other_end = swap;
	}
	rbl_arrangement_segment segment = { { t, u }, { end, other_end }, 0 };
	uint64_t key = (uint64_t)t << 32 | (uint32_t)u;
	if (!rbl_map_set(&a->allocator, &a->pairs, key, (uint32_t)a->segments.count) ||
	    !rbl_array_push(&a->allocator, &a->segments, segment))
		return RBL_OUT_OF_MEMORY;
	return RBL_OK;
}

// Cross two triangles, t < u.
static rbl_result cross(rbl_arrangement *a, int t, int u)
{
	const int *v = a->triangles + 3 * (size_t)t, *w = a->triangles + 3 * (size_t)u;
	int shared = -1, shared_count = 0;
	for (int k = 0; k < 9; ++k) {
		if (v[k / 3] == w[k % 3])
			shared = v[k / 3], shared_count++;
	}
	if (shared_count > 1)
		return RBL_OK; // they fold, and do not cross
	crosser c = { .a = a };
	int sides[3], other_sides[3];
	if (!straddles(&c, t, u, shared, sides) || !straddles(&c, u, t, shared, other_sides))
		return c.is_degenerate ? RBL_BAD_MESH : RBL_OK;
	pierce_with(&c, t, u, shared, sides);
	pierce_with(&c, u, t, shared, other_sides);
	if (c.out_of_memory)
		return RBL_OUT_OF_MEMORY;
	if (c.end_count == 0 && !c.is_degenerate)
		return RBL_OK;
	if (c.is_degenerate || c.end_count + shared_count != 2)
		return RBL_BAD_MESH;
	return add_crossing_segment(&c, t, u, c.ends[0], shared_count > 0 ? shared : c.ends[1]);
}

static rbl_result find_segments(rbl_arrangement *a)
{
	rbl_near_triangles near;
	if (!rbl_near_triangles_create(&near, &a->allocator, a->positions, a->triangles, a->live_count))
		return RBL_OUT_OF_MEMORY;
	rbl_result result = RBL_OK;
	for (int t = 0; t < a->live_count && result == RBL_OK; ++t) {
		if (!rbl_near_triangles_find(&near, t, t))
			result = RBL_OUT_OF_MEMORY;
		for (int i = 0; i < near.found.count && result == RBL_OK; ++i)
			result = cross(a, t, near.found.data[i]);
	}
	rbl_near_triangles_destroy(&near);
	return result;
}

// --- lists ---------------------------------------------------------------------------------

static bool list_by_triangle(rbl_arrangement *a)
{
	a->triangle_segments = RBL_NEW(&a->allocator, int, 2 * (size_t)a->segments.count + 1);
	if (!a->triangle_segments)
		return false;
	// Counted two places up, so that filling leaves the starts in place.
	for (int i = 0; i < 2 * a->segments.count; ++i)
		a->triangle_starts[a->segments.data[i / 2].triangles[i % 2] + 2]++;
	for (int t = 0; t < a->live_count; ++t)
		a->triangle_starts[t + 2] += a->triangle_starts[t + 1];
	for (int i = 0; i < 2 * a->segments.count; ++i) {
		int t = a->segments.data[i / 2].triangles[i % 2];
		a->triangle_segments[a->triangle_starts[t + 1]++] = i / 2;
	}
	return true;
}

// Nodes by edge, and those of each edge in order along it.
static bool list_by_edge(rbl_arrangement *a)
{
	int edges = a->edges.count, count = a->nodes.count; // only piercings so far
	a->edge_capacity = (size_t)edges + 2;
	a->node_capacity = (size_t)count + 1;
	a->edge_starts = RBL_NEW_ZERO(&a->allocator, int, a->edge_capacity);
	a->edge_nodes = RBL_NEW(&a->allocator, int, a->node_capacity);
	if (!a->edge_starts || !a->edge_nodes)
		return false;
	for (int i = 0; i < count; ++i)
		a->edge_starts[a->nodes.data[i].edge + 2]++;
	for (int e = 0; e < edges; ++e)
		a->edge_starts[e + 2] += a->edge_starts[e + 1];
	for (int i = 0; i < count; ++i)
		a->edge_nodes[a->edge_starts[a->nodes.data[i].edge + 1]++] = a->vertex_count + i;
	for (int e = 0; e < edges; ++e) {
		for (int i = a->edge_starts[e] + 1; i < a->edge_starts[e + 1]; ++i) {
			int node = a->edge_nodes[i], k = i;
			rbl_dd at = a->nodes.data[node - a->vertex_count].at;
			for (; k > a->edge_starts[e]; --k) {
				int before = a->edge_nodes[k - 1];
				if (!rbl_dd_less(at, a->nodes.data[before - a->vertex_count].at))
					break;
				a->edge_nodes[k] = before;
			}
			a->edge_nodes[k] = node;
		}
	}
	return true;
}

// --- three triangles -----------------------------------------------------------------------

static bool segments_are_apart(const rbl_arrangement *a, const rbl_arrangement_segment *s,
                               const rbl_arrangement_segment *t)
{
	rbl_vec3d p = rbl_arrangement_moved(a, s->ends[0]), q = rbl_arrangement_moved(a, s->ends[1]);
	rbl_vec3d r = rbl_arrangement_moved(a, t->ends[0]), u = rbl_arrangement_moved(a, t->ends[1]);
	rbl_boxd b = { rbl_min_d(p, q), rbl_max_d(p, q) }, c = { rbl_min_d(r, u), rbl_max_d(r, u) };
	return !rbl_box_overlaps_d(b, c);
}

// The node where two segments of a triangle meet, or -1. The third triangle has part in it.
static rbl_result meet(rbl_arrangement *a, const rbl_arrangement_segment *s,
                       const rbl_arrangement_segment *t, int axis, int *node)
{
	*node = -1;
	rbl_vec3dd ends[4] = { rbl_arrangement_precise_position(a, s->ends[0]),
		                   rbl_arrangement_precise_position(a, s->ends[1]),
		                   rbl_arrangement_precise_position(a, t->ends[0]),
		                   rbl_arrangement_precise_position(a, t->ends[1]) };
	rbl_vec2dd p[4];
	for (int k = 0; k < 4; ++k)
		p[k] = rbl_vec3dd_project(&ends[k], axis);
	rbl_dd first = rbl_vec2dd_area(&p[2], &p[3], &p[0]),
		   second = rbl_vec2dd_area(&p[2], &p[3], &p[1]);
	int sides[4] = { rbl_dd_sign(first), rbl_dd_sign(second),
		             rbl_dd_sign(rbl_vec2dd_area(&p[0], &p[1], &p[2])),
		             rbl_dd_sign(rbl_vec2dd_area(&p[0], &p[1], &p[3])) };
	if (sides[0] * sides[1] > 0 || sides[2] * sides[3] > 0)
		return RBL_OK;
	if (sides[0] * sides[1] * sides[2] * sides[3] == 0)
		return RBL_BAD_MESH;
	rbl_arrangement_node made = { .edge = -1 };
	rbl_dd at = rbl_dd_div(first, rbl_dd_sub(first, second));
	made.place = between(&ends[0], &ends[1], at);
	made.position = rbl_lerp_d(rbl_arrangement_position(a, s->ends[0]),
	                           rbl_arrangement_position(a, s->ends[1]), at.high);
	*node = a->vertex_count + a->nodes.count;
	return rbl_array_push(&a->allocator, &a->nodes, made) ? RBL_OK : RBL_OUT_OF_MEMORY;
}

static int other_of(const rbl_arrangement_segment *s, int triangle)
{
	return s->triangles[s->triangles[0] == triangle];
}

static bool add_middle(rbl_arrangement *a, int segment, int node)
{
	return rbl_array_push(&a->allocator, &a->segment_middles, segment) &&
	       rbl_array_push(&a->allocator, &a->segment_middles, node);
}

// Nodes of triangle t and two others with higher numbers, all crossing each other.
static rbl_result find_meetings(rbl_arrangement *a, int t)
{
	const int *v = a->triangles + 3 * (size_t)t;
	const rbl_vec3d *p = a->positions;
	rbl_vec3d normal = rbl_precise_normal(p[v[0]], p[v[1]], p[v[2]]);
	int axis = rbl_largest_axis_d((rbl_vec3d){ fabs(normal.x), fabs(normal.y), fabs(normal.z) });
	for (int i = a->triangle_starts[t]; i < a->triangle_starts[t + 1]; ++i) {
		int s = a->triangle_segments[i], u = other_of(&a->segments.data[s], t);
		for (int k = i + 1; k < a->triangle_starts[t + 1] && u > t; ++k) {
			int r = a->triangle_segments[k], w = other_of(&a->segments.data[r], t), node;
			if (w < t || segments_are_apart(a, &a->segments.data[s], &a->segments.data[r]))
				continue;
			uint64_t key = (uint64_t)rbl_mini(u, w) << 32 | (uint32_t)rbl_maxi(u, w);
			uint32_t third = rbl_map_get(&a->pairs, key);
			const int *e = a->segments.data[s].ends, *f = a->segments.data[r].ends;
			if (third == RBL_MAP_NONE || e[0] == f[0] || e[0] == f[1] || e[1] == f[0] ||
			    e[1] == f[1])
				continue;
			rbl_result result = meet(a, &a->segments.data[s], &a->segments.data[r], axis, &node);
			if (result != RBL_OK)
				return result;
			if (node >= 0 && !(add_middle(a, s, node) && add_middle(a, r, node) &&
			                   add_middle(a, (int)third, node)))
				return RBL_OUT_OF_MEMORY;
		}
	}
	return RBL_OK;
}

// How far a place is along a segment.
static rbl_dd along(const rbl_vec3dd *from, const rbl_vec3dd *to, const rbl_vec3dd *p)
{
	rbl_dd x = rbl_dd_mul(rbl_dd_sub(to->x, from->x), rbl_dd_sub(p->x, from->x));
	rbl_dd y = rbl_dd_mul(rbl_dd_sub(to->y, from->y), rbl_dd_sub(p->y, from->y));
	rbl_dd z = rbl_dd_mul(rbl_dd_sub(to->z, from->z), rbl_dd_sub(p->z, from->z));
	return rbl_dd_add(x, rbl_dd_add(y, z));
}

static void sort_middles(rbl_arrangement *a, const rbl_arrangement_segment *s, int *nodes,
                         int count)
{
	rbl_vec3dd from = rbl_arrangement_precise_position(a, s->ends[0]),
			   to = rbl_arrangement_precise_position(a, s->ends[1]);
	for (int i = 1; i < count; ++i) {
		int node = nodes[i], k = i;
		rbl_vec3dd p = rbl_arrangement_precise_position(a, node);
		rbl_dd at = along(&from, &to, &p);
		for (; k > 0; --k) {
			rbl_vec3dd before = rbl_arrangement_precise_position(a, nodes[k - 1]);
			if (!rbl_dd_less(at, along(&from, &to, &before)))
				break;
			nodes[k] = nodes[k - 1];
		}
		nodes[k] = node;
	}
}

// From pairs of segment and node to nodes by segment, in order along each.
static bool list_by_segment(rbl_arrangement *a)
{
	int count = a->segment_middles.count / 2;
	const int *pairs = a->segment_middles.data;
	RBL_ARRAY(int) sorted = { 0 };
	if (!rbl_array_resize(&a->allocator, &sorted, count + 1))
		return false;
	// A closing segment holds the end of the last list; counts stand one place up while they are
	// made.
	rbl_arrangement_segment last = { { -1, -1 }, { -1, -1 }, 0 };
	if (!rbl_array_push(&a->allocator, &a->segments, last)) {
		rbl_array_free(&a->allocator, &sorted);
		return false;
	}
	a->segments.count--;
	rbl_arrangement_segment *s = a->segments.data;
	for (int i = 0; i < count; ++i)
		s[pairs[2 * i] + 1].first_middle++;
	for (int i = 0; i < a->segments.count; ++i)
		s[i + 1].first_middle += s[i].first_middle;
	for (int i = count - 1; i >= 0; --i) // from behind, from ends to starts
		sorted.data[--s[pairs[2 * i] + 1].first_middle] = pairs[2 * i + 1];
	for (int i = 0; i < a->segments.count; ++i)
		s[i].first_middle = s[i + 1].first_middle;
	s[a->segments.count].first_middle = count;
	for (int i = 0; i < a->segments.count; ++i)
		sort_middles(a, &s[i], sorted.data + s[i].first_middle,
		             s[i + 1].first_middle - s[i].first_middle);
	rbl_array_free(&a->allocator, &a->segment_middles);
	a->segment_middles.data = sorted.data;
	a->segment_middles.count = count;
	a->segment_middles.capacity = sorted.capacity;
	return true;
}

rbl_result rbl_arrangement_create(rbl_arrangement *arrangement, const rbl_allocator *allocator,
                                  const rbl_vec3d *positions, const rbl_vec3d *normals,
                                  int vertex_count, const int *triangles, int triangle_count,
                                  double step, uint64_t seed)
{
	rbl_arrangement *a = arrangement;
	*a = (rbl_arrangement){ .allocator = *allocator,
		                    .vertex_count = vertex_count,
		                    .originals = positions };
	a->positions = RBL_NEW(allocator, rbl_vec3d, (size_t)vertex_count + 1);
	if (!a->positions || !copy_live_triangles(a, triangles, triangle_count))
		return RBL_OUT_OF_MEMORY;
	move_vertices(a, normals, step, seed);
	rbl_result result = find_segments(a);
	if (result != RBL_OK || !rbl_arrangement_has_crossings(a))
		return result;
	if (!list_by_triangle(a) || !list_by_edge(a))
		return RBL_OUT_OF_MEMORY;
	for (int t = 0; t < a->live_count && result == RBL_OK; ++t)
		result = find_meetings(a, t);
	return result == RBL_OK && !list_by_segment(a) ? RBL_OUT_OF_MEMORY : result;
}

void rbl_arrangement_destroy(rbl_arrangement *arrangement)
{
	rbl_arrangement *a = arrangement;
	const rbl_allocator *allocator = &a->allocator;
	size_t capacity = (size_t)a->triangle_count + 1;
	RBL_FREE(allocator, a->positions, (size_t)a->vertex_count + 1);
	RBL_FREE(allocator, a->sources, capacity);
	RBL_FREE(allocator, a->counts, capacity);
	RBL_FREE(allocator, a->triangles, 3 * capacity);
	RBL_FREE(allocator, a->triangle_starts, capacity + 1);
	RBL_FREE(allocator, a->triangle_segments, 2 * (size_t)a->segments.count + 1);
	RBL_FREE(allocator, a->edge_starts, a->edge_capacity);
	RBL_FREE(allocator, a->edge_nodes, a->node_capacity);
	RBL_FREE(allocator, a->is_flipped, capacity);
	RBL_FREE(allocator, a->fronts, (size_t)a->region_count + 1);
	rbl_map_free(allocator, &a->edges);
	rbl_map_free(allocator, &a->piercings);
	rbl_map_free(allocator, &a->pairs);
	rbl_array_free(allocator, &a->nodes);
	rbl_array_free(allocator, &a->segments);
	rbl_array_free(allocator, &a->segment_middles);
	rbl_array_free(allocator, &a->faces);
	rbl_array_free(allocator, &a->borders);
	rbl_array_free(allocator, &a->links);
	*a = (rbl_arrangement){ 0 };
}
