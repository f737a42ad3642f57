// SPDX-License-Identifier: MIT
//
// Filters of single pairs: excluded triangles, what is near at rest, and a callback.
//
// Filters of bodies (body_settings.c) save work, since nothing of two bodies is looked at. These
// here are asked about pairs that are found, or about to be tested: culling leaves out more than it
// would have to, never less.
//
// Excluded pairs are a list in order, with each pair both ways, so that all partners of a triangle
// lie together. A vertex and a face are excluded when a partner of the face has the vertex, two
// edges when a partner of a triangle at one has the other.

#include "surface/query.h"

#include "base/log.h"

static uint64_t key_of(rbl_surface_pair pair)
{
	return (uint64_t)(uint32_t)pair.a << 32 | (uint32_t)pair.b;
}

// The first of the list that is not before a key.
static int find_excluded(const rbl_surface *surface, uint64_t key)
{
	int low = 0, high = surface->excluded_pairs.count;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (key_of(surface->excluded_pairs.data[middle]) < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_excluded_pair(const rbl_surface *surface, int a, int b)
{
	rbl_surface_pair pair = { a, b };
	int at = find_excluded(surface, key_of(pair));
	return at < surface->excluded_pairs.count &&
	       key_of(surface->excluded_pairs.data[at]) == key_of(pair);
}

static bool has_corner(const rbl_surface *surface, int triangle, int vertex)
{
	const int *t = surface->triangles + 3 * (size_t)triangle;
	return t[0] == vertex || t[1] == vertex || t[2] == vertex;
}

// Whether a partner of a triangle has two vertices, which may be one.
static bool partner_has(const rbl_surface *surface, int triangle, int v, int w)
{
	const rbl_surface_pair *list = surface->excluded_pairs.data;
	rbl_surface_pair first = { triangle, 0 };
	int at = find_excluded(surface, key_of(first));
	for (; at < surface->excluded_pairs.count && list[at].a == triangle; ++at)
		if (has_corner(surface, list[at].b, v) && has_corner(surface, list[at].b, w))
			return true;
	return false;
}

// The same for the triangles at an edge.
static bool edge_partner_has(const rbl_surface *surface, int half_edge, int v, int w)
{
	int twin = surface->twins[half_edge];
	return partner_has(surface, half_edge / 3, v, w) ||
	       (twin >= 0 && partner_has(surface, twin / 3, v, w));
}

static bool features_are_excluded(const rbl_surface *surface, rbl_surface_hit_kind kind, int a,
                                  int b, const int v[4])
{
	if (kind == RBL_HIT_VERTEX_FACE)
		return partner_has(surface, b, a, a);
	return edge_partner_has(surface, b, v[0], v[1]) || edge_partner_has(surface, a, v[2], v[3]);
}

// --- rest shape ---------------------------------------------------------------------------------

static const rbl_surface_body *body_of_vertex(const rbl_surface *surface, int vertex)
{
	int cluster = surface->clusters[surface->anchors[vertex] / 3];
	return &surface->bodies.data[surface->cluster_data[cluster].body];
}

static bool are_near_at_rest(const rbl_surface *surface, rbl_surface_hit_kind kind, const int v[4],
                             float distance)
{
	const rbl_surface_body *body = body_of_vertex(surface, v[0]);
	if (!(distance > 0.0f) || !body->settings.keeps_rest_shape ||
	    body != body_of_vertex(surface, v[2]))
		return false;
	rbl_vec3d points[4];
	rbl_closest closest;
	for (int i = 0; i < 4; ++i) {
		rbl_vec3 p = surface->rest_positions.data[v[i]];
		if (!rbl_is_finite(p))
			return false;
		points[i] = rbl_to_d(p);
	}
	rbl_ccd_closest(kind == RBL_HIT_VERTEX_FACE ? RBL_CCD_VERTEX_FACE : RBL_CCD_EDGE_EDGE, points,
	                &closest);
	return closest.distance < (double)distance;
}

bool rbl_surface_reserve_rest(rbl_surface *surface)
{
	int first = surface->rest_positions.count;
	if (first >= surface->vertex_capacity)
		return true;
	if (!rbl_array_resize(&surface->allocator, &surface->rest_positions, surface->vertex_capacity))
		return false;
	for (int i = first; i < surface->rest_positions.count; ++i)
		surface->rest_positions.data[i] = (rbl_vec3){ NAN, NAN, NAN };
	return true;
}

// --- what is wanted -----------------------------------------------------------------------------

bool rbl_surface_wants_triangles(const rbl_surface *surface, int a, int b)
{
	return !(surface->excluded_pairs.count > 0 && is_excluded_pair(surface, a, b)) &&
	       rbl_surface_allows(surface, RBL_HIT_TRIANGLES, a, b);
}

bool rbl_surface_wants_features(const rbl_surface *surface, rbl_surface_hit_kind kind, int a, int b,
                                const int v[4], float distance)
{
	if (surface->excluded_pairs.count > 0 && features_are_excluded(surface, kind, a, b, v))
		return false;
	return surface->rest_positions.count == 0 || !are_near_at_rest(surface, kind, v, distance);
}

void rbl_surface_forget_excluded(rbl_surface *surface, int triangle)
{
	rbl_surface_pair *list = surface->excluded_pairs.data;
	rbl_surface_pair first = { triangle, 0 };
	int at = find_excluded(surface, key_of(first));
	if (at == surface->excluded_pairs.count || list[at].a != triangle)
		return;
	int kept = 0;
	for (int i = 0; i < surface->excluded_pairs.count; ++i)
		if (list[i].a != triangle && list[i].b != triangle)
			list[kept++] = list[i];
	surface->excluded_pairs.count = kept;
}

// --- excluding ----------------------------------------------------------------------------------

static bool is_triangle(const rbl_surface *surface, int triangle)
{
	return triangle >= 0 && triangle < surface->triangle_end && surface->clusters[triangle] >= 0;
}

static rbl_result check_pairs(const rbl_surface *surface, const rbl_surface_pair *pairs, int count)
{
	if (!surface || count < 0 || (count > 0 && !pairs) || count > RBL_MAX_SURFACE_ITEMS / 4)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or pairs is NULL, or there are too many pairs");
	for (int i = 0; i < count; ++i)
		if (pairs[i].a == pairs[i].b || !is_triangle(surface, pairs[i].a) ||
		    !is_triangle(surface, pairs[i].b))
			return rbl_fail(RBL_BAD_ARGUMENT, "pair %d, %d and %d, is not two triangles", i,
			                pairs[i].a, pairs[i].b);
	return RBL_OK;
}

// The list, and what is added or taken out, as keys in order, come together in one pass.
static int merge_excluded(const rbl_surface *surface, const rbl_sort_item64 *keys, int count,
                          bool is_excluded, rbl_surface_pair *merged)
{
	const rbl_surface_pair *list = surface->excluded_pairs.data;
	int n = 0, i = 0, k = 0, old_count = surface->excluded_pairs.count;
	while (i < old_count || k < count) {
		bool has_old = i < old_count && (k == count || key_of(list[i]) <= keys[k].key);
		bool has_new = k < count && (i == old_count || keys[k].key <= key_of(list[i]));
		uint64_t key = has_new ? keys[k].key : key_of(list[i]);
		i += has_old;
		while (k < count && keys[k].key == key)
			k++;
		if (has_new ? is_excluded : has_old)
			merged[n++] = (rbl_surface_pair){ (int)(key >> 32), (int)(uint32_t)key };
	}
	return n;
}

static void touch_triangle(rbl_surface *surface, int triangle)
{
	rbl_surface_touch_body(surface, surface->cluster_data[surface->clusters[triangle]].body);
}

rbl_result rbl_surface_exclude_triangles(rbl_surface *surface, const rbl_surface_pair *pairs,
                                         int count, bool is_excluded)
{
	rbl_result result = check_pairs(surface, pairs, count);
	if (result != RBL_OK || count == 0)
		return result;
	rbl_arena_reset(&surface->scratch);
	int all = surface->excluded_pairs.count + 2 * count;
	rbl_sort_item64 *keys = RBL_ARENA_NEW(&surface->scratch, rbl_sort_item64, 4 * (size_t)count);
	rbl_surface_pair *merged = RBL_ARENA_NEW(&surface->scratch, rbl_surface_pair, all);
	if (!keys || !merged || !rbl_array_reserve(&surface->allocator, &surface->excluded_pairs, all))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i) {
		rbl_surface_pair reverse = { pairs[i].b, pairs[i].a };
		keys[2 * i] = (rbl_sort_item64){ .key = key_of(pairs[i]) };
		keys[2 * i + 1] = (rbl_sort_item64){ .key = key_of(reverse) };
	}
	rbl_sort64(keys, keys + 2 * count, 2 * count);
	int kept = merge_excluded(surface, keys, 2 * count, is_excluded, merged);
	memcpy(surface->excluded_pairs.data, merged, (size_t)kept * sizeof *merged);
	surface->excluded_pairs.count = kept;
	for (int i = 0; i < count; ++i) {
		touch_triangle(surface, pairs[i].a);
		touch_triangle(surface, pairs[i].b);
	}
	return RBL_OK;
}

rbl_result rbl_surface_set_pair_callback(rbl_surface *surface, rbl_surface_pair_callback *callback,
                                         void *user)
{
	if (!surface)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface is NULL");
	surface->pair_callback = callback;
	surface->pair_user = user;
	for (int slot = 0; slot < surface->bodies.count; ++slot)
		if (rbl_id_pool_is_live(&surface->ids, slot))
			rbl_surface_touch_body(surface, slot);
	surface->is_ready = false;
	return RBL_OK;
}
