// SPDX-License-Identifier: MIT
//
// The brute-force reference of rubble collide: sort and sweep along x. Every pair of features whose boxes
// overlap is tested, without a tree, culling or batches.

#include "collide_brute.h"

#include "array.h"

#include <rubble/ccd.h>

#include <stdlib.h>
#include <string.h>

/// A vertex, an edge or a triangle.
typedef struct feature {
	float low[3], high[3];
	int vertices[3];
	int count; // of vertices
	int id;    // vertex or triangle; of an edge, any of its half-edges
} feature;

typedef struct feature_list {
	feature *items;
	int count;
} feature_list;

/// A pair that intersects, as sorted vertex sets.
typedef struct feature_pair {
	int kind, a[3], b[3];
} feature_pair;

typedef struct feature_pair_list {
	feature_pair *items;
	int count, capacity;
	bool is_out_of_memory;
} feature_pair_list;

static void include(feature *t, const rbl_vec3 *p)
{
	const float x[3] = { p->x, p->y, p->z };
	for (int k = 0; k < 3; ++k) {
		t->low[k] = x[k] < t->low[k] ? x[k] : t->low[k];
		t->high[k] = x[k] > t->high[k] ? x[k] : t->high[k];
	}
}

static feature make_feature(const rbl_surface_data *data, const int *vertices, int count, int id,
                            bool is_step)
{
	rbl_vec3 p = data->ends[vertices[0]];
	feature t = { { p.x, p.y, p.z }, { p.x, p.y, p.z }, { 0, 0, 0 }, count, id };
	for (int i = 0; i < count; ++i) {
		t.vertices[i] = vertices[i];
		include(&t, &data->ends[vertices[i]]);
		if (is_step)
			include(&t, &data->starts[vertices[i]]);
	}
	return t;
}

static int compare_features(const void *a, const void *b)
{
	const feature *x = a, *y = b;
	if (x->low[0] != y->low[0])
		return x->low[0] < y->low[0] ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static int compare_edges(const void *a, const void *b)
{
	return memcmp(((const feature *)a)->vertices, ((const feature *)b)->vertices, 2 * sizeof(int));
}

static bool boxes_overlap(const feature *a, const feature *b)
{
	for (int k = 0; k < 3; ++k)
		if (a->low[k] > b->high[k] || b->low[k] > a->high[k])
			return false;
	return true;
}

/// Move shared vertices to the front of both. @return their number
static int order_shared(feature *a, feature *b)
{
	int count = 0;
	for (int i = 0; i < a->count; ++i) {
		for (int k = count; k < b->count; ++k) {
			if (a->vertices[i] != b->vertices[k])
				continue;
			int v = a->vertices[i];
			a->vertices[i] = a->vertices[count], a->vertices[count] = v;
			b->vertices[k] = b->vertices[count], b->vertices[count] = v;
			count++;
			break;
		}
	}
	return count;
}

static rbl_vec3d to_double(rbl_vec3 p)
{
	return (rbl_vec3d){ (double)p.x, (double)p.y, (double)p.z };
}

static bool triangles_meet(const rbl_surface_data *data, feature a, feature b)
{
	int shared = order_shared(&a, &b);
	if (shared == 3)
		return true;
	rbl_vec3d p[3], q[3];
	for (int i = 0; i < 3; ++i)
		p[i] = to_double(data->ends[a.vertices[i]]), q[i] = to_double(data->ends[b.vertices[i]]);
	bool is_hit = false;
	return rbl_test_triangles(p, q, shared, &is_hit) == RBL_OK && is_hit;
}

static bool features_meet(const rbl_surface_data *data, feature a, feature b)
{
	if (order_shared(&a, &b) > 0)
		return false;
	rbl_vec3d start[4], end[4];
	for (int i = 0; i < 4; ++i) {
		int v = i < a.count ? a.vertices[i] : b.vertices[i - a.count];
		start[i] = to_double(data->starts[v]), end[i] = to_double(data->ends[v]);
	}
	rbl_impact impact;
	rbl_result result = a.count == 1 ? rbl_test_vertex_face(start, end, 0.0, &impact)
	                                 : rbl_test_edge_edge(start, end, 0.0, &impact);
	return result == RBL_OK && impact.is_hit;
}

static void sort3(int v[3])
{
	for (int i = 0; i < 2; ++i)
		for (int k = 0; k < 2; ++k)
			if (v[k] > v[k + 1]) {
				int swap = v[k];
				v[k] = v[k + 1], v[k + 1] = swap;
			}
}

/// A canonical pair: sorted vertices, sorted features.
static feature_pair make_pair(int kind, const feature *a, const feature *b)
{
	feature_pair m = { kind, { -1, -1, -1 }, { -1, -1, -1 } };
	memcpy(m.a, a->vertices, (size_t)a->count * sizeof(int));
	memcpy(m.b, b->vertices, (size_t)b->count * sizeof(int));
	sort3(m.a);
	sort3(m.b);
	if (a->count == b->count && memcmp(m.a, m.b, sizeof m.a) > 0) {
		int swap[3];
		memcpy(swap, m.a, sizeof swap);
		memcpy(m.a, m.b, sizeof swap);
		memcpy(m.b, swap, sizeof swap);
	}
	return m;
}

static void push_pair(feature_pair_list *list, feature_pair m)
{
	if (!ARRAY_RESERVE(list->items, list->capacity, list->count + 1)) {
		list->is_out_of_memory = true;
		return;
	}
	list->items[list->count++] = m;
}

static int compare_feature_pairs(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(feature_pair));
}

/// Pairs of features from two lists, or within one list if both are the same.
static void find_pairs(const rbl_surface_data *data, const feature_list *a, const feature_list *b,
                       int kind, bool is_step, feature_pair_list *found)
{
	// Of two lists, a pair is found in the pass of the list whose feature begins first along x.
	for (int pass = 0; pass < (a == b ? 1 : 2); ++pass) {
		const feature_list *from = pass ? b : a, *to = pass ? a : b;
		int first = 0;
		for (int i = 0; i < from->count; ++i) {
			const feature *x = &from->items[i];
			while (first < to->count && (to->items[first].low[0] < x->low[0] ||
			                             (pass && to->items[first].low[0] == x->low[0])))
				first++;
			for (int k = a == b ? i + 1 : first; k < to->count; ++k) {
				const feature *y = &to->items[k];
				if (y->low[0] > x->high[0])
					break;
				if (!boxes_overlap(x, y))
					continue;
				const feature *p = pass ? y : x, *q = pass ? x : y;
				if (is_step ? features_meet(data, *p, *q) : triangles_meet(data, *p, *q))
					push_pair(found, make_pair(kind, p, q));
			}
		}
	}
}

static rbl_result compare_lists(feature_pair_list *truth, feature_pair_list *list, int *missed,
                                int *extra)
{
	*missed = *extra = 0;
	if (truth->is_out_of_memory || list->is_out_of_memory)
		return RBL_OUT_OF_MEMORY;
	if (truth->count)
		qsort(truth->items, (size_t)truth->count, sizeof *truth->items, compare_feature_pairs);
	if (list->count)
		qsort(list->items, (size_t)list->count, sizeof *list->items, compare_feature_pairs);
	int i = 0, k = 0;
	while (i < truth->count || k < list->count) {
		int order = i == truth->count  ? 1
		            : k == list->count ? -1
		                               : compare_feature_pairs(&truth->items[i], &list->items[k]);
		*missed += order < 0;
		*extra += order > 0;
		i += order <= 0;
		k += order >= 0;
	}
	return RBL_OK;
}

static bool make_list(feature_list *list, int count)
{
	list->count = 0;
	list->items = calloc((size_t)count + 1, sizeof *list->items);
	return list->items != NULL;
}

static void sort_list(feature_list *list)
{
	qsort(list->items, (size_t)list->count, sizeof *list->items, compare_features);
}

/// All triangles: nothing was ever removed.
static void list_triangles(const rbl_surface_data *data, bool is_step, feature_list *list)
{
	for (int t = 0; t < data->triangle_end; ++t)
		list->items[list->count++] = make_feature(data, data->triangles + 3 * t, 3, t, is_step);
	sort_list(list);
}

rbl_result compare_pairs(const rbl_surface_data *data, rbl_surface_pairs pairs, int *missed,
                         int *extra)
{
	feature_list triangles = { 0 };
	feature_pair_list truth = { 0 }, list = { 0 };
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (make_list(&triangles, data->triangle_end)) {
		list_triangles(data, false, &triangles);
		find_pairs(data, &triangles, &triangles, 0, false, &truth);
		for (int i = 0; i < pairs.count; ++i) {
			feature a = make_feature(data, data->triangles + 3 * pairs.pairs[i].a, 3, 0, false);
			feature b = make_feature(data, data->triangles + 3 * pairs.pairs[i].b, 3, 0, false);
			push_pair(&list, make_pair(0, &a, &b));
		}
		result = compare_lists(&truth, &list, missed, extra);
	}
	free(triangles.items);
	free(truth.items);
	free(list.items);
	return result;
}

// --- over a step --------------------------------------------------------------------------------

typedef struct features {
	feature_list vertices, edges, triangles;
} features;

/// The edge of a half-edge.
static feature edge_of(const rbl_surface_data *data, int half_edge)
{
	int t = half_edge / 3, k = half_edge % 3;
	int ends[2] = { data->triangles[3 * t + k], data->triangles[3 * t + (k + 1) % 3] };
	if (ends[0] > ends[1]) {
		int swap = ends[0];
		ends[0] = ends[1], ends[1] = swap;
	}
	return make_feature(data, ends, 2, half_edge, true);
}

/// Vertices that a triangle uses, edges once, and triangles. @return false when memory runs out
static bool list_features(const rbl_surface_data *data, features *f)
{
	bool *is_used = calloc((size_t)data->vertex_end + 1, sizeof *is_used);
	if (!is_used || !make_list(&f->vertices, data->vertex_end) ||
	    !make_list(&f->edges, 3 * data->triangle_end) ||
	    !make_list(&f->triangles, data->triangle_end)) {
		free(is_used);
		return false;
	}
	list_triangles(data, true, &f->triangles);
	for (int h = 0; h < 3 * data->triangle_end; ++h) {
		int v = data->triangles[h];
		if (!is_used[v])
			f->vertices.items[f->vertices.count++] = make_feature(data, &v, 1, v, true);
		is_used[v] = true;
		f->edges.items[f->edges.count++] = edge_of(data, h);
	}
	free(is_used);
	qsort(f->edges.items, (size_t)f->edges.count, sizeof *f->edges.items, compare_edges);
	int count = 0;
	for (int i = 0; i < f->edges.count; ++i)
		if (i == 0 || compare_edges(&f->edges.items[i], &f->edges.items[i - 1]) != 0)
			f->edges.items[count++] = f->edges.items[i];
	f->edges.count = count;
	sort_list(&f->edges);
	sort_list(&f->vertices);
	return true;
}

rbl_result compare_hits(const rbl_surface_data *data, rbl_surface_hits hits, int *missed,
                        int *extra)
{
	features f = { 0 };
	feature_pair_list truth = { 0 }, list = { 0 };
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (list_features(data, &f)) {
		find_pairs(data, &f.vertices, &f.triangles, 0, true, &truth);
		find_pairs(data, &f.edges, &f.edges, 1, true, &truth);
		for (int i = 0; i < hits.count; ++i) {
			const rbl_surface_hit *hit = &hits.hits[i];
			bool is_face = hit->kind == RBL_HIT_VERTEX_FACE;
			feature a = is_face ? make_feature(data, &hit->a, 1, 0, true) : edge_of(data, hit->a);
			feature b = is_face ? make_feature(data, data->triangles + 3 * hit->b, 3, 0, true)
			                    : edge_of(data, hit->b);
			push_pair(&list, make_pair(is_face ? 0 : 1, &a, &b));
		}
		result = compare_lists(&truth, &list, missed, extra);
	}
	free(f.vertices.items);
	free(f.edges.items);
	free(f.triangles.items);
	free(truth.items);
	free(list.items);
	return result;
}
