// SPDX-License-Identifier: MIT
//
// Proximity: what a query found within a distance is described.
//
// The query leaves a list of hits in order, of which it needs the names alone. Distances, points
// and sides are worked out for each, by any worker. Where a vertex or an edge is nearest, several
// pairs of features have it in common; they are found by sorting the vertices that take part, and
// all but the first of the list are marked.
//
// Sides: of the inside of a face its normal tells, of an edge the sum of the unit normals beside
// it, of a vertex the sum of normals around it, weighted by angles (Baerentzen and Aanaes 2005).
// That is right for the nearest point of a surface; where `b` is not the nearest there is, it says
// on which side of this part of the surface `a` is.

#include "surface/query.h"

#include "base/math.h"

enum {
	// Pairs that a worker describes at a time: some 20 us.
	DESCRIBED = 128,
	// Normals that it remembers, of faces and of vertices.
	NORMALS = 1 << 10,
};

// The last normals that were asked for, by number of the face or vertex, each at its place.
typedef struct near_normal {
	rbl_vec3d normal;
	double time;
	int of; // which one, -1: none
} near_normal;

typedef struct near_normals {
	near_normal faces[NORMALS], vertices[NORMALS];
} near_normals;

static rbl_vec3d vertex_at(const rbl_surface *surface, int vertex, double time)
{
	if (surface->starts == surface->positions[1])
		return rbl_surface_exact(surface, vertex, 1); // at one instant
	rbl_vec3d start = rbl_surface_exact_start(surface, vertex);
	return rbl_add_scaled_d(start, time, rbl_sub_d(rbl_surface_exact(surface, vertex, 1), start));
}

// The closest points of two features at a time. @param v  receives their vertices
static void find_closest(const rbl_surface *surface, const rbl_surface_hit *hit, double time,
                         int v[4], rbl_closest *closest)
{
	rbl_vec3d points[4];
	rbl_surface_feature_vertices(surface, hit->kind, hit->a, hit->b, v);
	for (int i = 0; i < 4; ++i)
		points[i] = vertex_at(surface, v[i], time);
	rbl_ccd_closest(hit->kind == RBL_HIT_VERTEX_FACE ? RBL_CCD_VERTEX_FACE : RBL_CCD_EDGE_EDGE,
	                points, closest);
}

double rbl_surface_distance_at(const rbl_surface *surface, const rbl_surface_hit *hit, double time)
{
	int v[4];
	rbl_closest closest;
	find_closest(surface, hit, time, v, &closest);
	return closest.distance - closest.rounding;
}

// --- sides --------------------------------------------------------------------------------------

static rbl_vec3d find_face_normal(const rbl_surface *surface, int triangle, double time)
{
	const int *v = surface->triangles + 3 * (size_t)triangle;
	rbl_vec3d p = vertex_at(surface, v[0], time);
	rbl_vec3d n = rbl_cross_d(rbl_sub_d(vertex_at(surface, v[1], time), p),
	                          rbl_sub_d(vertex_at(surface, v[2], time), p));
	return rbl_dot_d(n, n) > 0.0 ? rbl_normalize_d(n) : (rbl_vec3d){ 0.0, 0.0, 0.0 };
}

// @param known  what is remembered, or NULL
static rbl_vec3d unit_normal(const rbl_surface *surface, near_normals *known, int triangle,
                             double time)
{
	if (!known)
		return find_face_normal(surface, triangle, time);
	near_normal *at = &known->faces[triangle % NORMALS];
	if (at->of != triangle || at->time != time)
		*at = (near_normal){ find_face_normal(surface, triangle, time), time, triangle };
	return at->normal;
}

static rbl_vec3d edge_normal(const rbl_surface *surface, near_normals *known, int half_edge,
                             double time)
{
	int twin = surface->twins[half_edge];
	if (twin < 0)
		return (rbl_vec3d){ 0.0, 0.0, 0.0 };
	return rbl_add_d(unit_normal(surface, known, half_edge / 3, time),
	                 unit_normal(surface, known, twin / 3, time));
}

static double corner_angle(const rbl_surface *surface, int half_edge, double time)
{
	const int *t = surface->triangles;
	rbl_vec3d p = vertex_at(surface, t[half_edge], time);
	rbl_vec3d e = rbl_sub_d(vertex_at(surface, t[rbl_surface_next(half_edge)], time), p);
	rbl_vec3d f = rbl_sub_d(vertex_at(surface, t[rbl_surface_prev(half_edge)], time), p);
	return rbl_atan2(rbl_length_d(rbl_cross_d(e, f)), rbl_dot_d(e, f));
}

// Zero where the triangles do not go once round the vertex.
static rbl_vec3d find_vertex_normal(const rbl_surface *surface, near_normals *known, int vertex,
                                    double time)
{
	int start = surface->anchors[vertex], h = start;
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	if (h < 0 || (surface->vertex_flags[vertex] & RBL_SURFACE_MANY_FANS))
		return sum;
	do {
		sum = rbl_add_scaled_d(sum, corner_angle(surface, h, time),
		                       unit_normal(surface, known, h / 3, time));
		h = surface->twins[rbl_surface_prev(h)];
	} while (h >= 0 && h != start);
	return h < 0 ? (rbl_vec3d){ 0.0, 0.0, 0.0 } : sum;
}

static rbl_vec3d vertex_normal(const rbl_surface *surface, near_normals *known, int vertex,
                               double time)
{
	if (!known)
		return find_vertex_normal(surface, NULL, vertex, time);
	near_normal *at = &known->vertices[vertex % NORMALS];
	if (at->of != vertex || at->time != time)
		*at = (near_normal){ find_vertex_normal(surface, known, vertex, time), time, vertex };
	return at->normal;
}

// The normal of what is nearest of the second feature.
static rbl_vec3d normal_of_second(const rbl_surface *surface, near_normals *known,
                                  const rbl_surface_hit *hit, const int v[4], unsigned corners,
                                  double time)
{
	static const signed char edge_of[8] = { [3] = 0, [6] = 1, [5] = 2 };
	if (hit->kind == RBL_HIT_EDGE_EDGE)
		return corners >> 2 == 3   ? edge_normal(surface, known, hit->b, time)
		       : corners >> 2 == 1 ? vertex_normal(surface, known, v[2], time)
		                           : vertex_normal(surface, known, v[3], time);
	unsigned of_face = corners >> 1;
	if (of_face == 7)
		return unit_normal(surface, known, hit->b, time);
	if (of_face & (of_face - 1))
		return edge_normal(surface, known, 3 * hit->b + edge_of[of_face], time);
	return vertex_normal(surface, known, v[1 + (of_face == 2) + 2 * (of_face == 4)], time);
}

// --- pairs --------------------------------------------------------------------------------------

static rbl_surface_nearest nearest_of(rbl_surface_hit_kind kind, unsigned corners)
{
	int count = 0;
	for (unsigned bits = corners; bits; bits &= bits - 1)
		count++;
	return count == 2                    ? RBL_NEAREST_VERTEX_VERTEX
	       : count == 3                  ? RBL_NEAREST_VERTEX_EDGE
	       : kind == RBL_HIT_VERTEX_FACE ? RBL_NEAREST_VERTEX_FACE
	                                     : RBL_NEAREST_EDGE_EDGE;
}

// The vertices that are nearest, as two keys: the vertex alone, and the other or both of an edge.
typedef struct near_keys {
	uint64_t first, second;
} near_keys;

static near_keys keys_of(const int v[4], int first_count, unsigned corners)
{
	int sides[2][3], counts[2] = { 0, 0 };
	for (int i = 0; i < 4; ++i)
		if (corners >> i & 1u)
			sides[i >= first_count][counts[i >= first_count]++] = v[i];
	if (counts[0] + counts[1] == 2) {
		int low = rbl_mini(sides[0][0], sides[1][0]), high = rbl_maxi(sides[0][0], sides[1][0]);
		return (near_keys){ (uint64_t)low, (uint64_t)high };
	}
	int edge = counts[0] == 2 ? 0 : 1, vertex = sides[!edge][0];
	int low = rbl_mini(sides[edge][0], sides[edge][1]);
	int high = rbl_maxi(sides[edge][0], sides[edge][1]);
	return (near_keys){ (uint64_t)1 << 32 | (uint64_t)vertex,
		                (uint64_t)low << 32 | (uint64_t)high };
}

typedef struct description {
	rbl_surface *surface;
	near_keys *keys;
	near_normals *normals; // by worker
} description;

static void forget_normals(near_normals *known)
{
	for (int i = 0; i < NORMALS; ++i)
		known->faces[i].of = known->vertices[i].of = -1;
}

// Of an edge or a point without faces, corners that are the same vertex count as one.
static void join_corners(const int v[4], rbl_closest *closest)
{
	bool is_point = v[1] == v[2];
	closest->weights[is_point ? 1 : 2] += closest->weights[3];
	closest->weights[3] = 0.0;
	if (closest->corners & 8u)
		closest->corners = (closest->corners & ~8u) | 4u;
	if (is_point)
		closest->corners = 3u, closest->weights[1] = 1.0, closest->weights[2] = 0.0;
}

static void describe(const rbl_surface *surface, near_normals *known, const rbl_surface_hit *hit,
                     rbl_surface_near_pair *pair, near_keys *keys)
{
	int v[4], first_count = hit->kind == RBL_HIT_VERTEX_FACE ? 1 : 2;
	rbl_closest closest;
	double time = (double)hit->time;
	find_closest(surface, hit, time, v, &closest);
	if (first_count == 1 && v[2] == v[3])
		join_corners(v, &closest);
	*pair = (rbl_surface_near_pair){
		.kind = hit->kind,
		.a = hit->a,
		.b = hit->b,
		.nearest = nearest_of(hit->kind, closest.corners),
		.time = hit->time,
		.distance = (float)closest.distance,
		.u = (float)closest.weights[first_count == 1 ? 2 : 1],
		.v = (float)closest.weights[3],
		.points = { rbl_to_f(closest.points[0]), rbl_to_f(closest.points[1]) },
		.direction = rbl_to_f(closest.direction),
	};
	if (closest.distance > closest.rounding) {
		double side = rbl_dot_d(closest.direction,
		                        normal_of_second(surface, known, hit, v, closest.corners, time));
		pair->side = (int8_t)(side > 1e-6 ? 1 : side < -1e-6 ? -1 : 0);
	}
	if (pair->nearest <= RBL_NEAREST_VERTEX_EDGE)
		*keys = keys_of(v, first_count, closest.corners);
}

int rbl_surface_hit_side(const rbl_surface *surface, const rbl_surface_hit *hit)
{
	if (!surface || !hit || !surface->is_ready || hit->kind > RBL_HIT_EDGE_EDGE)
		return 0;
	int v[4];
	rbl_closest closest;
	double time = (double)hit->time;
	find_closest(surface, hit, time, v, &closest);
	double side = rbl_dot_d(rbl_to_d(hit->normal),
	                        normal_of_second(surface, NULL, hit, v, closest.corners, time));
	return side > 1e-6 ? 1 : side < -1e-6 ? -1 : 0;
}

static void describe_some(void *context, int begin, int end, int worker)
{
	const description *d = context;
	for (int i = begin; i < end; ++i)
		describe(d->surface, &d->normals[worker], &d->surface->hits.data[i],
		         &d->surface->near_pairs.data[i], &d->keys[i]);
}

// Mark what comes twice. The sort is stable: the first of the list stays the first.
static bool mark_repeated(const description *d)
{
	rbl_surface_near_pair *pairs = d->surface->near_pairs.data;
	int count = 0, all = d->surface->near_pairs.count;
	for (int i = 0; i < all; ++i)
		count += pairs[i].nearest <= RBL_NEAREST_VERTEX_EDGE;
	rbl_sort_item64 *items =
		RBL_ARENA_NEW(&d->surface->scratch, rbl_sort_item64, 2 * (size_t)count);
	if (!items)
		return false;
	for (int i = 0, k = 0; i < all; ++i)
		if (pairs[i].nearest <= RBL_NEAREST_VERTEX_EDGE)
			items[k++] = (rbl_sort_item64){ .key = d->keys[i].second, .value = (uint32_t)i };
	rbl_sort64(items, items + count, count);
	for (int k = 0; k < count; ++k)
		items[k].key = d->keys[items[k].value].first;
	rbl_sort64(items, items + count, count);
	for (int k = 1; k < count; ++k) {
		near_keys a = d->keys[items[k - 1].value], b = d->keys[items[k].value];
		pairs[items[k].value].is_repeated = a.first == b.first && a.second == b.second;
	}
	return true;
}

rbl_result rbl_surface_describe_proximity(rbl_surface *surface, rbl_worker_group *workers)
{
	int count = surface->hits.count;
	rbl_arena_reset(&surface->scratch);
	description d = { surface, RBL_ARENA_NEW(&surface->scratch, near_keys, count),
		              RBL_ARENA_NEW(&surface->scratch, near_normals, surface->worker_count) };
	if (!d.keys || !d.normals ||
	    !rbl_array_resize(&surface->allocator, &surface->near_pairs, count))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < surface->worker_count; ++i)
		forget_normals(&d.normals[i]);
	rbl_worker_group_for(workers, count, DESCRIBED, describe_some, &d);
	return mark_repeated(&d) ? RBL_OK : RBL_OUT_OF_MEMORY;
}
