// SPDX-License-Identifier: MIT
//
// Proximity: what a query found within a distance is described.
//
// At one instant features are described where they are measured, by the worker that does. Over a
// step, and of bodies that did not change since the last query, hits have names and times alone;
// distances, points and sides are worked out when all are in order. Where a vertex or an edge is
// nearest, several pairs of features have it in common; they are found by a hash of the vertices
// that take part, and all but the first of the list are marked.
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

typedef struct rbl_surface_near_normals {
	near_normal faces[NORMALS], vertices[NORMALS];
} near_normals;

bool rbl_surface_forget_normals(const rbl_allocator *allocator, rbl_surface_worker *worker)
{
	if (!worker->normals)
		worker->normals = RBL_NEW(allocator, near_normals, 1);
	for (int i = 0; i < NORMALS && worker->normals; ++i)
		worker->normals->faces[i].of = worker->normals->vertices[i].of = -1;
	return worker->normals != NULL;
}

void rbl_surface_free_normals(const rbl_allocator *allocator, rbl_surface_worker *worker)
{
	RBL_FREE(allocator, worker->normals, 1);
	worker->normals = NULL;
}

size_t rbl_surface_normals_memory(const rbl_surface_worker *worker)
{
	return worker->normals ? sizeof *worker->normals : 0;
}

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

static void find_keys(const int v[4], int first_count, unsigned corners, uint64_t keys[2])
{
	int sides[2][3], counts[2] = { 0, 0 };
	for (int i = 0; i < 4; ++i)
		if (corners >> i & 1u)
			sides[i >= first_count][counts[i >= first_count]++] = v[i];
	if (counts[0] + counts[1] == 2) {
		keys[0] = (uint64_t)rbl_mini(sides[0][0], sides[1][0]);
		keys[1] = (uint64_t)rbl_maxi(sides[0][0], sides[1][0]);
		return;
	}
	int edge = counts[0] == 2 ? 0 : 1, vertex = sides[!edge][0];
	int low = rbl_mini(sides[edge][0], sides[edge][1]);
	int high = rbl_maxi(sides[edge][0], sides[edge][1]);
	keys[0] = (uint64_t)1 << 32 | (uint64_t)vertex;
	keys[1] = (uint64_t)low << 32 | (uint64_t)high;
}

typedef struct description {
	rbl_surface *surface;
	const rbl_sort_item64 *items; // where hits are
	uint64_t (*keys)[2];
} description;

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

// @param v        the vertices of the hit
// @param closest  what is closest of it
static void describe(const rbl_surface *surface, near_normals *known, const rbl_surface_hit *hit,
                     const int v[4], rbl_closest *closest, rbl_surface_described *described)
{
	int first_count = hit->kind == RBL_HIT_VERTEX_FACE ? 1 : 2;
	double time = (double)hit->time;
	if (first_count == 1 && v[2] == v[3])
		join_corners(v, closest);
	rbl_surface_near_pair *pair = &described->pair;
	*pair = (rbl_surface_near_pair){
		.kind = hit->kind,
		.a = hit->a,
		.b = hit->b,
		.nearest = nearest_of(hit->kind, closest->corners),
		.time = hit->time,
		.distance = (float)closest->distance,
		.u = (float)closest->weights[first_count == 1 ? 2 : 1],
		.v = (float)closest->weights[3],
		.points = { rbl_to_f(closest->points[0]), rbl_to_f(closest->points[1]) },
		.direction = rbl_to_f(closest->direction),
	};
	if (closest->distance > closest->rounding) {
		double side = rbl_dot_d(closest->direction,
		                        normal_of_second(surface, known, hit, v, closest->corners, time));
		pair->side = (int8_t)(side > 1e-6 ? 1 : side < -1e-6 ? -1 : 0);
	}
	if (pair->nearest <= RBL_NEAREST_VERTEX_EDGE)
		find_keys(v, first_count, closest->corners, described->keys);
}

void rbl_surface_describe_near(const rbl_surface *surface, rbl_surface_worker *worker,
                               const rbl_ccd_quad *quad, const rbl_closest *closest)
{
	rbl_closest copy = *closest;
	if (!rbl_array_reserve(&surface->allocator, &worker->described, worker->described.count + 1)) {
		worker->is_out_of_memory = true;
		return;
	}
	describe(surface, worker->normals, &worker->hits.data[worker->hits.count - 1], quad->vertices,
	         &copy, &worker->described.data[worker->described.count++]);
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

// Put what is known to its place, and describe the others.
static void describe_some(void *context, int begin, int end, int worker)
{
	const description *d = context;
	rbl_surface *surface = d->surface;
	for (int i = begin; i < end; ++i) {
		const rbl_surface_worker *from = &surface->workers[d->items[i].extra];
		int number = (int)d->items[i].value, known = from->hits.count - from->described.count;
		const rbl_surface_hit *hit = &from->hits.data[number];
		rbl_surface_described made, *described = &made;
		surface->hits.data[i] = *hit;
		if (number >= known) {
			described = &from->described.data[number - known];
		} else {
			int v[4];
			rbl_closest closest;
			find_closest(surface, hit, (double)hit->time, v, &closest);
			describe(surface, surface->workers[worker].normals, hit, v, &closest, described);
		}
		surface->near_pairs.data[i] = described->pair;
		if (described->pair.nearest <= RBL_NEAREST_VERTEX_EDGE)
			memcpy(d->keys[i], described->keys, sizeof d->keys[i]);
	}
}

static uint32_t hash_of(const uint64_t keys[2])
{
	uint64_t mixed = (keys[0] ^ keys[1] * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
	return (uint32_t)(mixed >> 32);
}

// Mark what comes twice: of those with one hash all but the first with their vertices. The sort is
// stable, so the first of the list stays the first.
static bool mark_repeated(const description *d, int all)
{
	rbl_surface_near_pair *pairs = d->surface->near_pairs.data;
	int count = 0;
	for (int i = 0; i < all; ++i)
		count += pairs[i].nearest <= RBL_NEAREST_VERTEX_EDGE;
	rbl_sort_item *items = RBL_ARENA_NEW(&d->surface->scratch, rbl_sort_item, 2 * (size_t)count);
	if (!items)
		return false;
	for (int i = 0, k = 0; i < all; ++i)
		if (pairs[i].nearest <= RBL_NEAREST_VERTEX_EDGE)
			items[k++] = (rbl_sort_item){ .key = hash_of(d->keys[i]), .value = (uint32_t)i };
	rbl_sort(items, items + count, count);
	for (int begin = 0, k = 1; k < count; ++k) {
		if (items[k].key != items[k - 1].key)
			begin = k;
		const uint64_t *keys = d->keys[items[k].value];
		bool is_repeated = false;
		for (int other = begin; other < k && !is_repeated; ++other) {
			const uint64_t *before = d->keys[items[other].value];
			is_repeated = before[0] == keys[0] && before[1] == keys[1];
		}
		pairs[items[k].value].is_repeated = is_repeated;
	}
	return true;
}

rbl_result rbl_surface_sort_near_pairs(rbl_surface *surface, rbl_worker_group *workers)
{
	const rbl_allocator *allocator = &surface->allocator;
	int count;
	description d = { .surface = surface, .items = rbl_surface_order_hits(surface, &count) };
	if (!d.items)
		return RBL_OUT_OF_MEMORY;
	d.keys = rbl_arena_allocate(&surface->scratch, (size_t)count, sizeof *d.keys);
	if (!d.keys || !rbl_array_resize(allocator, &surface->hits, count) ||
	    !rbl_array_resize(allocator, &surface->near_pairs, count))
		return RBL_OUT_OF_MEMORY;
	rbl_worker_group_for(workers, count, DESCRIBED, describe_some, &d);
	return mark_repeated(&d, count) ? RBL_OK : RBL_OUT_OF_MEMORY;
}
