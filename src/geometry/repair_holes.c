// SPDX-License-Identifier: MIT
//
// Hole filling. Every vertex has one fan by now, so a border is a cycle of different vertices,
// and what closes it must not use an edge that the mesh has already: that edge would get more than
// two faces. Nor may it join two vertices at the same place. Three ways are tried in turn:
//
//   1. flat borders: triangulation in the plane of the border, exact, near Delaunay;
//   2. small ones: the triangulation of least area, by dynamic programming over sub-chains
//      (Barequet and Sharir 1995), with edges that exist ruled out;
//   3. a fan around a new vertex in the middle, which is always possible.

#include "geometry/repair.h"

#include "base/hash.h"
#include "base/vec.h"
#include "geometry/adjacency.h"
#include "geometry/face_diagonals.h"
#include "geometry/triangulate.h"

enum { MAX_LEAST_AREA_BORDER = 256, HOLE_SCRATCH = 1 << 16 };

// A border is flat when no vertex is further from its plane than this share of its size.
static const double FLAT = 0.02;

// One cap under construction. Corners run as the cap runs: against the border.
typedef struct cap {
	rbl_draft *draft;
	rbl_map edges; // of the mesh, between border vertices
	rbl_arena scratch;
	RBL_ARRAY(int) vertices, sources;
	int face_source;
} cap;

static bool are_neighbours(int i, int k, int count)
{
	int d = i < k ? k - i : i - k;
	return d == 1 || d == count - 1;
}

static rbl_vec3d border_position(const cap *c, int i)
{
	return c->draft->positions.data[c->vertices.data[i]];
}

// Whether the mesh has the edge between two corners of the cap that are no neighbours, or the edge
// would have no length.
static bool is_taken(const cap *c, int i, int k)
{
	rbl_vec3d p = border_position(c, i), q = border_position(c, k);
	return (p.x == q.x && p.y == q.y && p.z == q.z) ||
	       rbl_map_get(&c->edges, rbl_edge_key(c->vertices.data[i], c->vertices.data[k])) !=
	           RBL_MAP_NONE;
}

static rbl_result add_cap_triangle(cap *c, int i, int j, int k)
{
	const int *v = c->vertices.data, *s = c->sources.data;
	c->draft->report.added_faces++;
	return rbl_draft_add_face(c->draft, (int[3]){ v[i], v[j], v[k] }, (int[3]){ s[i], s[j], s[k] },
	                          3, c->face_source, RBL_DRAFT_NEW);
}

static bool hole_is_flat(const cap *c, rbl_vec3d normal)
{
	rbl_vec3d unit = rbl_normalize_d(normal), origin = border_position(c, 0);
	double low = 0.0, high = 0.0, size = 0.0;
	for (int i = 1; i < c->vertices.count; ++i) {
		rbl_vec3d d = rbl_sub_d(border_position(c, i), origin);
		double height = rbl_dot_d(d, unit);
		low = rbl_mind(low, height), high = rbl_maxd(high, height);
		size = rbl_maxd(size, rbl_length_d(d));
	}
	return rbl_dot_d(unit, unit) > 0.0 && high - low <= FLAT * size;
}

// @return RBL_OK with *is_done telling whether it was possible.
static rbl_result fill_flat(cap *c, bool *is_done)
{
	int n = c->vertices.count;
	rbl_vec3d normal = { 0.0, 0.0, 0.0 };
	for (int i = 1; i + 1 < n; ++i)
		normal = rbl_add_d(
			normal, rbl_cross_d(rbl_sub_d(border_position(c, i), border_position(c, 0)),
		                        rbl_sub_d(border_position(c, i + 1), border_position(c, 0))));
	if (!hole_is_flat(c, normal))
		return RBL_OK;
	rbl_point2 *points = RBL_ARENA_NEW(&c->scratch, rbl_point2, n);
	int *triangles = RBL_ARENA_NEW(&c->scratch, int, 3 * (size_t)rbl_triangulate_capacity(n, 1));
	if (!points || !triangles)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < n; ++i)
		points[i] = rbl_project(border_position(c, i), normal);
	const int loop[2] = { 0, n };
	rbl_polygon polygon = {
		.points = points, .loop_starts = loop, .loop_count = 1, .improve = true
	};
	rbl_triangulation made;
	rbl_result result = rbl_triangulate(&c->scratch, &polygon, triangles, &made);
	if (result != RBL_OK || made.inverted_count > 0)
		return result;
	for (int i = 0; i < 3 * made.triangle_count; ++i) {
		int a = triangles[i], b = triangles[rbl_next_in_triangle(i)];
		if (!are_neighbours(a, b, n) && is_taken(c, a, b))
			return RBL_OK;
	}
	*is_done = true;
	for (int i = 0; i < made.triangle_count && result == RBL_OK; ++i)
		result = add_cap_triangle(c, triangles[3 * i], triangles[3 * i + 1], triangles[3 * i + 2]);
	return result;
}

static double twice_area(rbl_vec3d a, rbl_vec3d b, rbl_vec3d c)
{
	return rbl_length_d(rbl_cross_d(rbl_sub_d(b, a), rbl_sub_d(c, a)));
}

// Least area of the chain from i to k, closed by the edge i-k: over all j between, the triangle
// (i, j, k) and both parts. The best j is kept in `middles`.
static void find_least_area(const cap *c, int n, double *areas, int *middles)
{
	for (int i = 0; i + 1 < n; ++i)
		areas[i * n + i + 1] = 0.0;
	for (int length = 2; length < n; ++length) {
		for (int i = 0; i + length < n; ++i) {
			int k = i + length;
			double best = HUGE_VAL;
			middles[i * n + k] = -1;
			bool is_closing = i == 0 && k == n - 1;
			for (int j = i + 1; j < k && (is_closing || !is_taken(c, i, k)); ++j) {
				double parts = areas[i * n + j] + areas[j * n + k];
				if (!(parts < best))
					continue;
				double area = parts + twice_area(border_position(c, i), border_position(c, j),
				                                 border_position(c, k));
				if (area < best)
					best = area, middles[i * n + k] = j;
			}
			areas[i * n + k] = best;
		}
	}
}

static rbl_result fill_least_area(cap *c, bool *is_done)
{
	int n = c->vertices.count;
	if (n > MAX_LEAST_AREA_BORDER)
		return RBL_OK;
	double *areas = RBL_ARENA_NEW(&c->scratch, double, n *n);
	int *middles = RBL_ARENA_NEW(&c->scratch, int, n *n);
	int *stack = RBL_ARENA_NEW(&c->scratch, int, 2 * n);
	if (!areas || !middles || !stack)
		return RBL_OUT_OF_MEMORY;
	find_least_area(c, n, areas, middles);
	if (middles[n - 1] < 0)
		return RBL_OK;
	*is_done = true;
	int depth = 0;
	stack[depth++] = 0, stack[depth++] = n - 1;
	while (depth > 0) {
		int k = stack[--depth], i = stack[--depth], j = middles[i * n + k];
		rbl_result result = add_cap_triangle(c, i, j, k);
		if (result != RBL_OK)
			return result;
		if (k - j > 1)
			stack[depth++] = j, stack[depth++] = k;
		if (j - i > 1)
			stack[depth++] = i, stack[depth++] = j;
	}
	return RBL_OK;
}

static rbl_result fill_around_middle(cap *c)
{
	rbl_draft *draft = c->draft;
	int n = c->vertices.count;
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < n; ++i)
		sum = rbl_add_d(sum, rbl_scale_d(1.0 / n, border_position(c, i)));
	if (draft->positions.count >= RBL_MAX_MESH_ITEMS)
		return RBL_LIMIT_REACHED;
	if (!rbl_draft_add_middle(draft, c->sources.data, NULL, n) ||
	    !rbl_array_push(&draft->allocator, &draft->positions, sum))
		return RBL_OUT_OF_MEMORY;
	draft->report.added_vertices++;
	int middle = draft->positions.count - 1;
	rbl_result result = RBL_OK;
	for (int i = 0; i < n && result == RBL_OK; ++i) {
		int next = i + 1 < n ? i + 1 : 0;
		int vertices[3] = { c->vertices.data[i], c->vertices.data[next], middle };
		int sources[3] = { c->sources.data[i], c->sources.data[next], -draft->middles.count };
		result = rbl_draft_add_face(draft, vertices, sources, 3, c->face_source, RBL_DRAFT_NEW);
		draft->report.added_faces++;
	}
	return result;
}

static rbl_result fill_cap(cap *c)
{
	bool is_done = false;
	c->draft->report.filled_holes++;
	rbl_arena_reset(&c->scratch);
	if (c->vertices.count == 3)
		return add_cap_triangle(c, 0, 1, 2);
	rbl_result result = fill_flat(c, &is_done);
	if (result == RBL_OK && !is_done)
		result = fill_least_area(c, &is_done);
	if (result == RBL_OK && !is_done)
		result = fill_around_middle(c);
	return result;
}

// --- borders -------------------------------------------------------------------------------

// Collect the border that begins with half-edge `first`, backwards, and mark it as walked.
static rbl_result collect_border(cap *c, const rbl_mesh_data *data, const rbl_adjacency *a,
                                 const int *outgoing, int first, unsigned char *is_walked)
{
	rbl_draft *draft = c->draft;
	c->vertices.count = c->sources.count = 0;
	c->face_source = draft->face_sources.data[a->faces[first]];
	for (int corner = first; corner >= 0 && !is_walked[corner];) {
		is_walked[corner] = 1;
		if (!rbl_array_push(&draft->allocator, &c->vertices, data->corner_vertices[corner]) ||
		    !rbl_array_push(&draft->allocator, &c->sources, draft->corner_sources.data[corner]))
			return RBL_OUT_OF_MEMORY;
		corner = outgoing[data->corner_vertices[rbl_next_corner(data, a, corner)]];
		RBL_ASSERT(corner >= 0); // an open fan has one way in and one way out
	}
	for (int i = 0, k = c->vertices.count - 1; i < k; ++i, --k) {
		int v = c->vertices.data[i], s = c->sources.data[i];
		c->vertices.data[i] = c->vertices.data[k], c->sources.data[i] = c->sources.data[k];
		c->vertices.data[k] = v, c->sources.data[k] = s;
	}
	return RBL_OK;
}

// Half-edges of the border by the vertex they leave, and all edges between such vertices.
static rbl_result index_border(cap *c, const rbl_mesh_data *data, const rbl_adjacency *a,
                               int *outgoing)
{
	for (int v = 0; v < data->vertex_count; ++v)
		outgoing[v] = -1;
	for (int k = 0; k < data->corner_count; ++k) {
		if (a->twins[k] == RBL_TWIN_BOUNDARY)
			outgoing[data->corner_vertices[k]] = k;
	}
	for (int e = 0; e < a->edge_count; ++e) {
		int corner = a->edge_corners[a->edge_starts[e]], from = data->corner_vertices[corner];
		int to = data->corner_vertices[rbl_next_corner(data, a, corner)];
		if (outgoing[from] >= 0 && outgoing[to] >= 0 &&
		    !rbl_map_set(&c->draft->allocator, &c->edges, rbl_edge_key(from, to), 1))
			return RBL_OUT_OF_MEMORY;
	}
	return RBL_OK;
}

rbl_result rbl_repair_fill_holes(rbl_draft *draft)
{
	rbl_mesh_data data = rbl_draft_view(draft);
	rbl_adjacency a;
	rbl_result result = rbl_adjacency_init(&a, &draft->allocator, &data);
	if (result != RBL_OK)
		return result;
	int corner_count = data.corner_count;
	size_t vertex_capacity = (size_t)data.vertex_count + 1,
		   corner_capacity = (size_t)corner_count + 1;
	int *outgoing = RBL_NEW(&draft->allocator, int, vertex_capacity);
	unsigned char *is_walked = RBL_NEW_ZERO(&draft->allocator, unsigned char, corner_capacity);
	cap c = { .draft = draft };
	rbl_arena_init(&c.scratch, &draft->allocator, HOLE_SCRATCH);
	result = outgoing && is_walked ? index_border(&c, &data, &a, outgoing) : RBL_OUT_OF_MEMORY;
	for (int k = 0; k < corner_count && result == RBL_OK; ++k) {
		if (a.twins[k] != RBL_TWIN_BOUNDARY || is_walked[k])
			continue;
		data = rbl_draft_view(draft); // caps have moved the arrays; what was there is the same
		result = collect_border(&c, &data, &a, outgoing, k, is_walked);
		if (result == RBL_OK)
			result = fill_cap(&c);
	}
	rbl_array_free(&draft->allocator, &c.sources);
	rbl_array_free(&draft->allocator, &c.vertices);
	rbl_arena_destroy(&c.scratch);
	rbl_map_free(&draft->allocator, &c.edges);
	RBL_FREE(&draft->allocator, is_walked, corner_capacity);
	RBL_FREE(&draft->allocator, outgoing, vertex_capacity);
	rbl_adjacency_destroy(&a);
	return result;
}
