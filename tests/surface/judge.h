// SPDX-License-Identifier: MIT
// What tests of surfaces share: small random meshes, brute force, and a look at everything that
// must hold.
#pragma once

#include "base/random.h"
#include "base/vec.h"
#include "geometry/geometry.h"
#include "surface/ccd.h"
#include "surface/surface.h"
#include "test.h"

/// A mesh for a test; the caller's to free.
typedef struct judge_mesh {
	rbl_vec3 *positions;
	int *triangles;
	int vertex_count, triangle_count;
} judge_mesh;

static inline void judge_mesh_free(judge_mesh *mesh)
{
	free(mesh->positions);
	free(mesh->triangles);
}

/// A sheet of width x height quads in the plane z = 0, sides of one unit.
static inline judge_mesh judge_sheet(int width, int height)
{
	judge_mesh m;
	m.vertex_count = (width + 1) * (height + 1);
	m.triangle_count = 2 * width * height;
	m.positions = malloc((size_t)m.vertex_count * sizeof *m.positions);
	m.triangles = malloc(3 * (size_t)m.triangle_count * sizeof *m.triangles);
	for (int y = 0; y <= height; ++y)
		for (int x = 0; x <= width; ++x)
			m.positions[y * (width + 1) + x] = (rbl_vec3){ (float)x, (float)y, 0.0f };
	int *t = m.triangles;
	for (int y = 0; y < height; ++y)
		for (int x = 0; x < width; ++x) {
			int a = y * (width + 1) + x, b = a + 1, c = a + width + 1, d = c + 1;
			*t++ = a, *t++ = b, *t++ = d;
			*t++ = a, *t++ = d, *t++ = c;
		}
	return m;
}

/// A closed ring of width x height quads: a torus without holes where the grid meets itself.
static inline judge_mesh judge_torus(int width, int height)
{
	judge_mesh m = judge_sheet(width, height);
	// Join the last row and column to the first.
	for (int i = 0; i < 3 * m.triangle_count; ++i) {
		int x = m.triangles[i] % (width + 1) % width, y = m.triangles[i] / (width + 1) % height;
		m.triangles[i] = y * width + x;
	}
	m.vertex_count = width * height;
	for (int i = 0; i < m.vertex_count; ++i)
		m.positions[i] = (rbl_vec3){ (float)(i % width), (float)(i / width), 0.0f };
	return m;
}

/// Bend and shake a mesh: smooth waves, then noise, then perhaps onto a lattice, where much touches.
static inline void judge_crumple(judge_mesh *mesh, rbl_random *random)
{
	float waves = (float)rbl_random_range(random, 0.0, 4.0);
	float noise = rbl_random_below(random, 2) ? (float)rbl_random_range(random, 0.0, 0.7) : 0.0f;
	bool is_folded = rbl_random_below(random, 3) == 0,
		 on_lattice = rbl_random_below(random, 4) == 0;
	float tilt = (float)rbl_random_range(random, -1.0, 1.0);
	for (int i = 0; i < mesh->vertex_count; ++i) {
		rbl_vec3 *p = &mesh->positions[i];
		float u = p->x * 0.45f + p->y * tilt * 0.3f;
		float s = u - floorf(u); // a parabola that rises and falls
		float wave = s < 0.5f ? 16.0f * s * (0.5f - s) : -16.0f * (s - 0.5f) * (1.0f - s);
		p->z += 0.4f * waves * wave;
		if (is_folded) { // roll up
			float fold = fabsf(p->x - 3.0f);
			p->z += p->x > 3.0f ? 0.2f * waves : 0.0f;
			p->x = fold;
		}
		p->x += noise * (float)rbl_random_range(random, -1.0, 1.0);
		p->y += noise * (float)rbl_random_range(random, -1.0, 1.0);
		p->z += noise * (float)rbl_random_range(random, -1.0, 1.0);
		if (on_lattice)
			*p = (rbl_vec3){ floorf(p->x * 2.0f) * 0.5f, floorf(p->y * 2.0f) * 0.5f,
				             floorf(p->z * 2.0f) * 0.5f };
	}
}

static inline rbl_surface_body_id judge_add(test *t, rbl_surface *surface, const judge_mesh *mesh)
{
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = mesh->vertex_count, def.positions = mesh->positions;
	def.triangle_count = mesh->triangle_count, def.triangles = mesh->triangles;
	rbl_surface_body_id body;
	CHECK(t, rbl_surface_add(surface, &def, &body) == RBL_OK);
	return body;
}

/// All live triangles, ascending.
static inline int *judge_triangles(const rbl_surface *surface, int *count)
{
	int end = rbl_surface_view(surface).triangle_end;
	int *list = malloc((size_t)(end + 1) * sizeof *list);
	*count = 0;
	for (int i = 0; i < end; ++i)
		if (rbl_surface_triangle_body(surface, i).generation)
			list[(*count)++] = i;
	return list;
}

/// Compare the pairs of a query with brute force. @return pairs that are missing or too many
static inline int judge_pairs(const rbl_surface *surface, rbl_surface_pairs pairs)
{
	int count, wrong = 0, at = 0, *list = judge_triangles(surface, &count);
	rbl_surface_data data = rbl_surface_view(surface);
	for (int i = 0; i < count; ++i)
		for (int k = i + 1; k < count; ++k) {
			bool meets = rbl_indexed_triangles_meet_float(data.ends, data.triangles + 3 * list[i],
			                                              data.triangles + 3 * list[k]);
			bool is_listed =
				at < pairs.count && pairs.pairs[at].a == list[i] && pairs.pairs[at].b == list[k];
			at += is_listed;
			wrong += meets != is_listed;
		}
	free(list);
	return wrong + pairs.count - at;
}

/// What must hold in the topology and the trees. @return NULL, or what is wrong
static inline const char *judge_surface(const rbl_surface *s)
{
	int count, *list = judge_triangles(s, &count);
	const char *wrong = count == s->triangle_count ? NULL : "count of triangles";
	for (int i = 0; i < count && !wrong; ++i)
		for (int h = 3 * list[i]; h < 3 * list[i] + 3; ++h) {
			int from = s->triangles[h], to = s->triangles[rbl_surface_next(h)];
			int same = 0, opposite = -1, others = 0;
			for (int k = 0; k < count; ++k)
				for (int g = 3 * list[k]; g < 3 * list[k] + 3; ++g) {
					int a = s->triangles[g], b = s->triangles[rbl_surface_next(g)];
					same += a == from && b == to;
					if (a == to && b == from)
						opposite = g, others++;
				}
			int expected = same == 1 && others == 1 ? opposite : same + others == 1 ? -1 : -2;
			int twin = s->twins[h] == -3 ? -2 : s->twins[h];
			wrong = twin == expected ? wrong : "twins";
			int anchor = s->anchors[from];
			wrong = anchor >= 0 && s->triangles[anchor] == from ? wrong : "anchors";
		}
	free(list);
	for (int i = 0; i < s->bodies.count && !wrong; ++i)
		if (rbl_id_pool_is_live(&s->ids, i)) {
			wrong = rbl_tree_check(&s->bodies.data[i].tree);
			int triangles = 0;
			for (int c = 0; c < s->cluster_end; ++c)
				if (s->cluster_data[c].body == i && s->cluster_data[c].count > 0)
					triangles += s->cluster_data[c].count;
			wrong = wrong || triangles == s->bodies.data[i].triangles.count ? wrong : "clusters";
		}
	return wrong ? wrong : rbl_tree_check(&s->body_tree);
}
