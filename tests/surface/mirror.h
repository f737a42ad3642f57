// SPDX-License-Identifier: MIT
// A judge for large surfaces: the same bodies added anew, without culling, asked once. What nothing was known
// about cannot be taken for granted. Brute force judges both, in part.
#pragma once

#include "surface/judge.h"

#include <rubble/surface.h>

/// Something that was found, by ids of one surface: a pair of triangles, a vertex and a face, or two edges
/// as four vertices.
typedef struct mirror_key {
	uint64_t first, second;
} mirror_key;

static inline int mirror_order(const void *a, const void *b)
{
	const mirror_key *p = a, *q = b;
	if (p->first != q->first)
		return p->first < q->first ? -1 : 1;
	return p->second < q->second ? -1 : p->second > q->second;
}

static inline uint64_t mirror_two(int a, int b)
{
	return a < b ? (uint64_t)a << 32 | (uint32_t)b : (uint64_t)b << 32 | (uint32_t)a;
}

/// A surface made anew, and the ids in the first of what is in it.
typedef struct mirror {
	rbl_surface *surface;
	int *vertices, *triangles;
} mirror;

static inline void mirror_add(test *t, mirror *m, const rbl_surface *s,
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
	judge_mesh mesh = { points, triangles, vertex_count, count };
	rbl_surface_body_id id = judge_add(t, m->surface, &mesh);
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

static inline mirror mirror_of(test *t, const rbl_surface *s, bool is_swept)
{
	mirror m;
	rbl_surface_def def = rbl_default_surface_def();
	def.culling = RBL_CULL_NONE;
	def.separation = s->def.separation;
	CHECK(t, rbl_create_surface(&def, &m.surface) == RBL_OK);
	m.vertices = malloc((size_t)(s->vertex_end + 1) * sizeof *m.vertices);
	m.triangles = malloc((size_t)(s->triangle_end + 1) * sizeof *m.triangles);
	for (int slot = 0; slot < s->bodies.count; ++slot)
		if (rbl_id_pool_is_live(&s->ids, slot))
			mirror_add(t, &m, s, &s->bodies.data[slot], is_swept);
	return m;
}

static inline void mirror_free(mirror *m)
{
	rbl_destroy_surface(m->surface);
	free(m->vertices);
	free(m->triangles);
}

static inline int mirror_vertex(const mirror *m, int vertex)
{
	return m ? m->vertices[vertex] : vertex;
}

static inline int mirror_triangle(const mirror *m, int triangle)
{
	return m ? m->triangles[triangle] : triangle;
}

static inline uint64_t mirror_edge(const rbl_surface *s, const mirror *m, int half_edge)
{
	return mirror_two(mirror_vertex(m, s->triangles[half_edge]),
	                  mirror_vertex(m, s->triangles[rbl_surface_next(half_edge)]));
}

/// What was found, in order, by ids of the first surface. @param m  NULL: found in the first
static inline mirror_key *mirror_keys(const rbl_surface *s, const mirror *m,
                                      rbl_surface_pairs pairs, rbl_surface_hits hits)
{
	int count = 0;
	mirror_key *keys = malloc((size_t)(pairs.count + hits.count + 1) * sizeof *keys);
	for (int i = 0; i < pairs.count; ++i)
		keys[count++] = (mirror_key){ mirror_two(mirror_triangle(m, pairs.pairs[i].a),
			                                     mirror_triangle(m, pairs.pairs[i].b)),
			                          0 };
	for (int i = 0; i < hits.count; ++i) {
		const rbl_surface_hit *h = &hits.hits[i];
		mirror_key key;
		if (h->kind == RBL_HIT_VERTEX_FACE) {
			key.first = (uint64_t)mirror_vertex(m, h->a);
			key.second = UINT64_C(1) << 63 | (uint64_t)mirror_triangle(m, h->b);
		} else {
			uint64_t a = mirror_edge(s, m, h->a), b = mirror_edge(s, m, h->b);
			key = a < b ? (mirror_key){ a, b } : (mirror_key){ b, a };
		}
		keys[count++] = key;
	}
	qsort(keys, (size_t)count, sizeof *keys, mirror_order);
	return keys;
}

/// Compare what a query found with the mirror. @return what is missing or too many
static inline int mirror_judge(test *t, const rbl_surface *s, bool is_swept,
                               rbl_surface_pairs pairs, rbl_surface_hits hits)
{
	mirror m = mirror_of(t, s, is_swept);
	rbl_surface_pairs other_pairs = { NULL, 0 };
	rbl_surface_hits other_hits = { NULL, 0, 1.0f };
	CHECK(t, rbl_surface_update(m.surface, is_swept ? RBL_SURFACE_CONTINUOUS
	                                                : RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, (is_swept ? rbl_surface_sweep(m.surface, &other_hits)
	                   : rbl_surface_collide(m.surface, &other_pairs)) == RBL_OK);
	mirror_key *own = mirror_keys(s, NULL, pairs, hits);
	mirror_key *other = mirror_keys(m.surface, &m, other_pairs, other_hits);
	int count = pairs.count + hits.count, other_count = other_pairs.count + other_hits.count;
	int i = 0, k = 0, wrong = 0;
	while (i < count || k < other_count) {
		int order = i == count ? 1 : k == other_count ? -1 : mirror_order(&own[i], &other[k]);
		i += order <= 0, k += order >= 0;
		wrong += order != 0;
	}
	free(own);
	free(other);
	mirror_free(&m);
	return wrong;
}
