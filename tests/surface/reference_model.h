// SPDX-License-Identifier: MIT
// A reference for large surfaces: the same bodies added again, without culling, asked once. What
// nothing was known about cannot be taken for granted. Brute force checks both, in part.
#pragma once

#include "surface/reference.h"

#include <rubble/surface.h>

/// Something that was found, by ids of one surface: a pair of triangles, a vertex and a face, or
/// two edges as four vertices.
typedef struct model_key {
	uint64_t first, second;
} model_key;

static inline int model_order(const void *a, const void *b)
{
	const model_key *p = a, *q = b;
	if (p->first != q->first)
		return p->first < q->first ? -1 : 1;
	return p->second < q->second ? -1 : p->second > q->second;
}

static inline uint64_t model_two(int a, int b)
{
	return a < b ? (uint64_t)a << 32 | (uint32_t)b : (uint64_t)b << 32 | (uint32_t)a;
}

/// A surface made again, and the ids in the first of what is in it.
typedef struct reference_model {
	rbl_surface *surface;
	int *vertices, *triangles;
} reference_model;

static inline void model_add(test *t, reference_model *m, const rbl_surface *s,
                             const rbl_surface_body *body, bool is_swept)
{
	int vertex_count = body->vertices.count, count = body->triangles.count;
	int *places = malloc((size_t)s->vertex_end * sizeof *places);
	int *triangles = malloc(3 * (size_t)count * sizeof *triangles);
	rbl_vec3 *points = malloc(2 * (size_t)vertex_count * sizeof *points), *ends;
	ends = points + vertex_count;
	for (int i = 0; i < vertex_count; ++i) {
		int v = body->vertices.data[i];
		places[v] = i;
		points[i] = s->positions[is_swept ? 0 : 1][v], ends[i] = s->positions[1][v];
	}
	for (int i = 0; i < 3 * count; ++i)
		triangles[i] = places[s->triangles[3 * body->triangles.data[i / 3] + i % 3]];
	reference_mesh mesh = { points, triangles, vertex_count, count };
	rbl_surface_body_id id = reference_add(t, m->surface, &mesh);
	if (is_swept)
		CHECK(t, rbl_surface_move(m->surface, id, NULL, ends) == RBL_OK);
	rbl_surface_body_data made = rbl_surface_body_get_data(m->surface, id);
	for (int i = 0; i < vertex_count; ++i)
		m->vertices[made.vertices[i]] = body->vertices.data[i];
	for (int i = 0; i < count; ++i)
		m->triangles[made.triangles[i]] = body->triangles.data[i];
	free(places);
	free(triangles);
	free(points);
}

static inline reference_model model_of(test *t, const rbl_surface *s, bool is_swept)
{
	reference_model m;
	rbl_surface_def def = rbl_default_surface_def();
	def.culling = RBL_CULL_NONE;
	def.thickness = s->def.thickness;
	CHECK(t, rbl_create_surface(&def, &m.surface) == RBL_OK);
	m.vertices = malloc((size_t)(s->vertex_end + 1) * sizeof *m.vertices);
	m.triangles = malloc((size_t)(s->triangle_end + 1) * sizeof *m.triangles);
	for (int slot = 0; slot < s->bodies.count; ++slot)
		if (rbl_id_pool_is_live(&s->ids, slot))
			model_add(t, &m, s, &s->bodies.data[slot], is_swept);
	return m;
}

static inline void model_free(reference_model *m)
{
	rbl_destroy_surface(m->surface);
	free(m->vertices);
	free(m->triangles);
}

static inline int model_vertex(const reference_model *m, int vertex)
{
	return m ? m->vertices[vertex] : vertex;
}

static inline int model_triangle(const reference_model *m, int triangle)
{
	return m ? m->triangles[triangle] : triangle;
}

static inline uint64_t model_edge(const rbl_surface *s, const reference_model *m, int half_edge)
{
	return model_two(model_vertex(m, s->triangles[half_edge]),
	                 model_vertex(m, s->triangles[rbl_surface_next(half_edge)]));
}

/// What was found, in order, by ids of the first surface. @param m  NULL: found in the first
static inline model_key *model_keys(const rbl_surface *s, const reference_model *m,
                                    rbl_surface_pairs pairs, rbl_surface_hits hits)
{
	int count = 0;
	model_key *keys = malloc((size_t)(pairs.count + hits.count + 1) * sizeof *keys);
	for (int i = 0; i < pairs.count; ++i)
		keys[count++] = (model_key){
			model_two(model_triangle(m, pairs.pairs[i].a), model_triangle(m, pairs.pairs[i].b)), 0
		};
	for (int i = 0; i < hits.count; ++i) {
		const rbl_surface_hit *h = &hits.hits[i];
		model_key key;
		if (h->kind == RBL_HIT_VERTEX_FACE) {
			key.first = (uint64_t)model_vertex(m, h->a);
			key.second = UINT64_C(1) << 63 | (uint64_t)model_triangle(m, h->b);
		} else {
			uint64_t a = model_edge(s, m, h->a), b = model_edge(s, m, h->b);
			key = a < b ? (model_key){ a, b } : (model_key){ b, a };
		}
		keys[count++] = key;
	}
	qsort(keys, (size_t)count, sizeof *keys, model_order);
	return keys;
}

/// Compare what a query found with the reference model. @return what is missing or too many
static inline int reference_model_check(test *t, const rbl_surface *s, bool is_swept,
                                        rbl_surface_pairs pairs, rbl_surface_hits hits)
{
	reference_model m = model_of(t, s, is_swept);
	rbl_surface_pairs other_pairs = { NULL, 0 };
	rbl_surface_hits other_hits = { NULL, 0 };
	CHECK(t, rbl_surface_update(m.surface, is_swept ? RBL_SURFACE_CONTINUOUS
	                                                : RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, (is_swept ? rbl_surface_sweep(m.surface, &other_hits)
	                   : rbl_surface_collide(m.surface, &other_pairs)) == RBL_OK);
	model_key *own = model_keys(s, NULL, pairs, hits);
	model_key *other = model_keys(m.surface, &m, other_pairs, other_hits);
	int count = pairs.count + hits.count, other_count = other_pairs.count + other_hits.count;
	int i = 0, k = 0, wrong = 0;
	while (i < count || k < other_count) {
		int order = i == count ? 1 : k == other_count ? -1 : model_order(&own[i], &other[k]);
		i += order <= 0, k += order >= 0;
		wrong += order != 0;
	}
	free(own);
	free(other);
	model_free(&m);
	return wrong;
}
