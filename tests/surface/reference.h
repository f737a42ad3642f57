// SPDX-License-Identifier: MIT
// What tests of surfaces share: small random meshes, brute force, and a test everything that
// must hold.
#pragma once

#include "base/axis.h"
#include "base/random.h"
#include "base/vec.h"
#include "geometry/geometry.h"
#include "ccd/ccd.h"
#include "surface/surface.h"
#include "test.h"

/// A mesh for a test; the caller's to free.
typedef struct reference_mesh {
	rbl_vec3 *positions;
	int *triangles;
	int vertex_count, triangle_count;
} reference_mesh;

static inline void reference_mesh_free(reference_mesh *mesh)
{
	free(mesh->positions);
	free(mesh->triangles);
}

/// A sheet of width x height quads in the plane z = 0, sides of one unit.
static inline reference_mesh reference_sheet(int width, int height)
{
	reference_mesh m;
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

/// A closed list of neighbours of width x height quads: a torus without holes where the grid
/// touches itself.
static inline reference_mesh reference_torus(int width, int height)
{
	reference_mesh m = reference_sheet(width, height);
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

/// Bend and shake a mesh: smooth waves, then noise, then perhaps onto a lattice, where much
/// touches.
static inline void reference_crumple(reference_mesh *mesh, rbl_random *random)
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

static inline rbl_surface_body_id reference_add(test *t, rbl_surface *surface,
                                                const reference_mesh *mesh)
{
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = mesh->vertex_count, def.positions = mesh->positions;
	def.triangle_count = mesh->triangle_count, def.triangles = mesh->triangles;
	rbl_surface_body_id body;
	CHECK(t, rbl_surface_add(surface, &def, &body) == RBL_OK);
	return body;
}

/// All live triangles, ascending.
static inline int *reference_triangles(const rbl_surface *surface, int *count)
{
	int end = rbl_surface_get_data(surface).triangle_end;
	int *list = malloc((size_t)(end + 1) * sizeof *list);
	*count = 0;
	for (int i = 0; i < end; ++i)
		if (rbl_surface_triangle_body(surface, i).generation)
			list[(*count)++] = i;
	return list;
}

/// Where a triangle is, at one or both ends of the step.
static inline rbl_box reference_box(const rbl_surface *surface, const int *vertices, int count,
                                    bool is_swept)
{
	rbl_box box = rbl_box_empty();
	for (int k = 0; k < count; ++k)
		for (int time = is_swept ? 0 : 1; time < 2; ++time)
			box = rbl_box_add_point(box, surface->positions[time][vertices[k]]);
	return box;
}

/// A thing and where it is; in the order of lower x, things further along than one ends are apart
/// from it.
typedef struct reference_item {
	rbl_box box;
	int id, from, to; // the ends of an edge
} reference_item;

static inline int reference_by_x(const void *a, const void *b)
{
	float x = ((const reference_item *)a)->box.lower.x,
		  y = ((const reference_item *)b)->box.lower.x;
	return x < y ? -1 : x > y;
}

static inline reference_item *reference_faces(const rbl_surface *surface, bool is_swept,
                                              float reach, int *count)
{
	int *list = reference_triangles(surface, count);
	reference_item *items = malloc((size_t)(*count + 1) * sizeof *items);
	for (int i = 0; i < *count; ++i)
		items[i] = (reference_item){
			rbl_box_grow(reference_box(surface, surface->triangles + 3 * list[i], 3, is_swept),
			             reach),
			list[i], 0, 0
		};
	qsort(items, (size_t)*count, sizeof *items, reference_by_x);
	free(list);
	return items;
}

/// Compare the pairs of a query with brute force. Boxes that are apart hold triangles that are.
/// @param every  test triangles whose id it divides, against all
/// @return pairs that are missing or too many
static inline int reference_check_some_pairs(const rbl_surface *surface, rbl_surface_pairs pairs,
                                             int every)
{
	int count, wrong = 0, listed = 0, met = 0;
	reference_item *items = reference_faces(surface, false, 0.0f, &count);
	rbl_surface_data data = rbl_surface_get_data(surface);
	for (int i = 0; i < pairs.count; ++i) {
		rbl_surface_pair p = pairs.pairs[i], before = pairs.pairs[i ? i - 1 : 0];
		wrong += p.a >= p.b;
		wrong += i > 0 && (before.a > p.a || (before.a == p.a && before.b >= p.b));
		if (p.a % every != 0 && p.b % every != 0)
			continue;
		listed++;
		wrong += !rbl_indexed_triangles_meet_float(data.ends, data.triangles + 3 * p.a,
		                                           data.triangles + 3 * p.b);
	}
	for (int i = 0; i < count; ++i)
		for (int k = i + 1; k < count && items[k].box.lower.x <= items[i].box.upper.x; ++k)
			if ((items[i].id % every == 0 || items[k].id % every == 0) &&
			    rbl_box_overlaps(items[i].box, items[k].box))
				met += rbl_indexed_triangles_meet_float(data.ends, data.triangles + 3 * items[i].id,
				                                        data.triangles + 3 * items[k].id);
	free(items);
	// All that are listed touch, and none is listed twice: as many that touch means the same.
	return wrong + (met > listed ? met - listed : listed - met);
}

static inline int reference_check_pairs(const rbl_surface *surface, rbl_surface_pairs pairs)
{
	return reference_check_some_pairs(surface, pairs, 1);
}

/// Whether what a cluster knows about its neighbours is true: all of them, or nothing.
static inline bool reference_ring(const rbl_surface *s, int cluster)
{
	const rbl_surface_cluster_neighbours *neighbours = &s->cluster_neighbours[cluster];
	if (neighbours->around[0] == RBL_SURFACE_NEIGHBOURS_UNKNOWN ||
	    neighbours->around[0] == RBL_SURFACE_NO_NEIGHBOURS)
		return true;
	for (int i = 0; i < 3 * s->cluster_data[cluster].count; ++i) {
		int twin = s->twins[3 * s->cluster_data[cluster].triangles[i / 3] + i % 3];
		int other = twin < 0 ? -1 : s->clusters[twin / 3];
		bool is_known = other == cluster;
		for (int k = 0; k < RBL_SURFACE_MAX_NEIGHBOURS; ++k)
			is_known |= neighbours->around[k] == other;
		if (!is_known)
			return false;
	}
	return true;
}

/// Whether a cluster knows all sides that lead out of it.
static inline bool reference_rim(const rbl_surface *s, int cluster)
{
	const rbl_surface_cluster *c = &s->cluster_data[cluster];
	for (int i = 0; i < 3 * c->count; ++i) {
		int twin = s->twins[3 * c->triangles[i / 3] + i % 3];
		bool is_out = twin < 0 || s->clusters[twin / 3] != cluster;
		if (is_out && !(s->cluster_boundaries[cluster] >> i & 1))
			return false;
	}
	return true;
}

/// Whether the anchor of a vertex begins its fan, and a vertex with triangles beyond that fan says
/// so.
/// @param count  the triangles at the vertex
static inline bool reference_anchor(const rbl_surface *s, int vertex, int count)
{
	int anchor = s->anchors[vertex], size = 1;
	if (anchor < 0 || s->triangles[anchor] != vertex)
		return false;
	int h = s->twins[rbl_surface_prev(anchor)];
	for (; h >= 0 && h != anchor && size <= count; ++size)
		h = s->twins[rbl_surface_prev(h)];
	return (h == anchor || s->twins[anchor] < 0) &&
	       s->vertex_flags[vertex] == (size == count ? 0 : RBL_SURFACE_MANY_FANS);
}

/// What must hold in the topology and the trees. @return NULL, or what is wrong
static inline const char *reference_check_surface(const rbl_surface *s)
{
	int count, *list = reference_triangles(s, &count);
	const char *wrong = count == s->triangle_count ? NULL : "count of triangles";
	for (int i = 0; i < count && !wrong; ++i)
		for (int h = 3 * list[i]; h < 3 * list[i] + 3; ++h) {
			int from = s->triangles[h], to = s->triangles[rbl_surface_next(h)];
			int same = 0, opposite = -1, others = 0, first = h, around = 0;
			for (int k = 0; k < count; ++k)
				for (int g = 3 * list[k]; g < 3 * list[k] + 3; ++g) {
					int a = s->triangles[g], b = s->triangles[rbl_surface_next(g)];
					same += a == from && b == to;
					around += a == from;
					if (a == to && b == from)
						opposite = g, others++;
					if (g < first && ((a == to && b == from) || (a == from && b == to)))
						first = g;
				}
			int expected = same == 1 && others == 1 ? opposite
			               : same + others == 1     ? RBL_SURFACE_BOUNDARY
			               : h == first             ? RBL_SURFACE_NON_MANIFOLD
			                                        : RBL_SURFACE_NON_MANIFOLD_REST;
			wrong = s->twins[h] == expected ? wrong : "twins";
			wrong = reference_anchor(s, from, around) ? wrong : "anchors";
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
	for (int c = 0; c < s->cluster_end && !wrong; ++c)
		if (s->cluster_data[c].body >= 0 && s->cluster_data[c].count > 0)
			wrong = !reference_ring(s, c) ? "rings" : reference_rim(s, c) ? NULL : "rims";
	// A body that is in no tree touches nothing.
	for (int i = 0; i < s->bodies.count && !wrong; ++i)
		if (rbl_id_pool_is_live(&s->ids, i) != rbl_tree_has_leaf(&s->body_pool, (uint32_t)i))
			wrong = "bodies in the tree";
	if (!wrong && s->body_tree.leaf_count != s->ids.live_count)
		wrong = "count of bodies in the tree";
	return wrong ? wrong : rbl_tree_check(&s->body_tree);
}

/// Whether the bounds of normals of a cluster hold a vector.
static inline bool reference_normal(const rbl_surface_normals *bounds, rbl_vec3d n)
{
	const double along[7] = {
		n.x, n.y, n.z, n.x + n.y + n.z, n.x + n.y - n.z, n.x - n.y + n.z, -n.x + n.y + n.z
	};
	bool holds = true;
	for (int k = 0; k < 7; ++k) {
		double steps = k < 3 ? RBL_SURFACE_NORMAL_STEPS : RBL_SURFACE_DIAGONAL_STEPS;
		holds &= bounds->lower[k] <= steps * along[k] + 0.05;
		holds &= bounds->upper[k] >= steps * along[k] - 0.05;
	}
	return holds;
}

/// The box that a cluster has for one of its triangles.
static inline rbl_box reference_lane(const rbl_surface_cluster *c, int lane)
{
	rbl_box box;
	for (int k = 0; k < 3; ++k) {
		float low = rbl_axis(c->box.lower, k), high = rbl_axis(c->box.upper, k), size = high - low;
		float step = size > 1e-27f && size < 1e38f ? size * (1.0f / 1023.0f) : 0.0f;
		rbl_set_axis(&box.lower, k, low + (float)(c->lower[lane] >> 10 * k & 1023) * step);
		rbl_set_axis(&box.upper, k, high - (float)(c->upper[lane] >> 10 * k & 1023) * step);
	}
	return box;
}

/// Whether the bounds of a cluster hold its triangles and, when they are needed, their normals.
static inline bool reference_cluster_bounds(const rbl_surface *s, int index, bool with_normals)
{
	const rbl_surface_cluster *c = &s->cluster_data[index];
	bool is_swept = s->motion == RBL_SURFACE_CONTINUOUS;
	bool holds = memcmp(&c->box, &s->cluster_boxes[index], sizeof c->box) == 0;
	for (int i = 0; i < c->count; ++i) {
		const int *v = s->triangles + 3 * c->triangles[i];
		holds &= rbl_box_contains(c->box, reference_lane(c, i));
		holds &= rbl_box_contains(reference_lane(c, i), reference_box(s, v, 3, is_swept));
		for (int time = !is_swept; time < 2 && with_normals; ++time) {
			rbl_vec3d p[3];
			for (int k = 0; k < 3; ++k)
				p[k] = rbl_to_d(s->positions[time][v[k]]);
			rbl_vec3d e = rbl_sub_d(p[1], p[0]), f = rbl_sub_d(p[2], p[0]), n = rbl_cross_d(e, f);
			if (rbl_length_d(n) > 1e-4 * rbl_length_d(e) * rbl_length_d(f)) // others: anywhere
				holds &= reference_normal(&s->cluster_normals[index], rbl_normalize_d(n));
		}
	}
	return holds;
}

/// Whether the bounds of normals of a node hold those of a child.
static inline bool reference_node_bounds(const rbl_surface *s, uint32_t node, uint32_t child)
{
	const rbl_surface_normals *outer = &s->node_normals[node], *inner = &s->node_normals[child];
	if (rbl_tree_is_leaf(child))
		inner = &s->cluster_normals[rbl_tree_leaf_id(child)];
	bool holds = true;
	for (int k = 0; k < 7; ++k)
		holds &= outer->lower[k] <= inner->lower[k] && outer->upper[k] >= inner->upper[k];
	return holds;
}

/// Whether all bounds hold what they should after an update. Bodies that are not traversed have no
/// bounds of normals that count. @return how many do not
static inline int reference_bounds(const rbl_surface *s)
{
	int wrong = 0;
	for (int slot = 0; slot < s->bodies.count; ++slot) {
		const rbl_surface_body *body = &s->bodies.data[slot];
		if (!rbl_id_pool_is_live(&s->ids, slot))
			continue;
		uint32_t *stack = malloc((size_t)(body->tree.leaf_count + 1) * sizeof *stack);
		int top = 0;
		stack[top++] = body->tree.root;
		while (top > 0) {
			uint32_t at = stack[--top];
			if (rbl_tree_is_leaf(at)) {
				wrong +=
					!reference_cluster_bounds(s, (int)rbl_tree_leaf_id(at), !body->self.is_clear);
				continue;
			}
			for (int side = 0; side < 2; ++side) {
				uint32_t child = s->pool.nodes[at].children[side];
				wrong += !body->self.is_clear && !reference_node_bounds(s, at, child);
				stack[top++] = child;
			}
		}
		free(stack);
	}
	return wrong;
}

// Over long ways, work may run out before a thickness is decided: such hits are not certified, and
// a filter may know better. A sixty-fourth of the way is decided.
static inline bool reference_in_parts(rbl_ccd_kind kind, const rbl_vec3d start[4],
                                      const rbl_vec3d end[4], double thickness)
{
	enum { PARTS = 64 };
	for (int i = 0; i < PARTS; ++i) {
		rbl_vec3d from[4], to[4];
		for (int k = 0; k < 4; ++k) {
			rbl_vec3d translation = rbl_sub_d(end[k], start[k]);
			from[k] = rbl_add_scaled_d(start[k], (double)i / PARTS, translation);
			to[k] = rbl_add_scaled_d(start[k], (double)(i + 1) / PARTS, translation);
		}
		rbl_impact impact;
		if (rbl_ccd_test(kind, from, to, thickness, &impact) && impact.is_certified)
			return true;
	}
	return false;
}

static inline bool reference_features(const rbl_surface *s, rbl_ccd_kind kind, const int v[4],
                                      double thickness, bool is_certified)
{
	rbl_vec3d start[4], end[4];
	for (int k = 0; k < 4; ++k) {
		start[k] = rbl_to_d(s->positions[0][v[k]]);
		end[k] = rbl_to_d(s->positions[1][v[k]]);
	}
	rbl_impact impact;
	return rbl_ccd_test(kind, start, end, thickness, &impact) &&
	       (!is_certified || impact.is_certified ||
	        reference_in_parts(kind, start, end, thickness));
}

/// Ways from each point of one feature to each of the other, at both ends of the step. @return how
/// many
static inline int reference_gaps(const rbl_surface *s, int kind, const int v[4], rbl_vec3d gaps[8])
{
	int firsts = kind == RBL_CCD_VERTEX_FACE ? 1 : 2, count = 0;
	for (int i = 0; i < 2 * firsts * (4 - firsts); ++i) {
		const rbl_vec3 *p = s->positions[i % 2];
		int a = v[i / 2 % firsts], b = v[firsts + i / 2 / firsts];
		gaps[count++] = rbl_sub_d(rbl_to_d(p[a]), rbl_to_d(p[b]));
	}
	return count;
}

/// Whether a direction is found in which two features are apart from the start to the end of the
/// step: that refutes a hit which could not be certified. Points move on straight lines, so that
/// what is positive at both ends is so between them. The direction is turned towards what it misses
/// until it misses nothing.
static inline bool reference_is_parted(const rbl_surface *s, int kind, const int v[4])
{
	rbl_vec3d gaps[8], d = { 0.0, 0.0, 0.0 };
	int count = reference_gaps(s, kind, v, gaps);
	for (int round = 0; round < 4000; ++round) {
		int worst = 0;
		double least = 1e300;
		for (int i = 0; i < count; ++i) {
			rbl_vec3d terms = { d.x * gaps[i].x, d.y * gaps[i].y, d.z * gaps[i].z };
			double size = fabs(terms.x) + fabs(terms.y) + fabs(terms.z);
			double share = size > 0.0 ? (terms.x + terms.y + terms.z) / size : 0.0;
			if (share < least)
				least = share, worst = i;
		}
		if (least > 1e-14) // rounding of gaps and sums is less
			return true;
		d = rbl_add_d(d, rbl_normalize_d(gaps[worst]));
	}
	return false;
}

/// The points of a pair of features: v f0 f1 f2, or a0 a1 b0 b1.
typedef struct reference_quad {
	int v[4];
} reference_quad;

static inline reference_quad reference_face_quad(const rbl_surface *s, int v, int triangle)
{
	const int *f = s->triangles + 3 * triangle;
	return (reference_quad){ { v, f[0], f[1], f[2] } };
}

static inline reference_quad reference_edge_quad(const reference_item *e, const reference_item *f)
{
	return (reference_quad){ { e->from, e->to, f->from, f->to } };
}

static inline const rbl_surface_body *reference_body(const rbl_surface *s, int vertex)
{
	return &s->bodies.data[s->cluster_data[s->clusters[s->anchors[vertex] / 3]].body];
}

/// How near the features of two vertices are in contact.
static inline double reference_thickness(const rbl_surface *s, int a, int b)
{
	return (double)rbl_surface_contact_distance(reference_body(s, a), reference_body(s, b));
}

static inline float reference_largest_thickness(const rbl_surface *s)
{
	float largest = 0.0f;
	for (int i = 0; i < s->bodies.count; ++i)
		if (rbl_id_pool_is_live(&s->ids, i))
			largest = rbl_maxf(largest, s->bodies.data[i].settings.thickness);
	return largest;
}

/// Count a hit of brute force: it is listed, or wrong, unless nobody can certify it and it is
/// refuted.
static inline void reference_found(const rbl_surface *s, rbl_ccd_kind kind, reference_quad quad,
                                   bool is_listed, int *met, int *wrong)
{
	bool is_refuted = !is_listed && reference_thickness(s, quad.v[0], quad.v[2]) == 0.0 &&
	                  !reference_features(s, kind, quad.v, 0.0, true) &&
	                  reference_is_parted(s, kind, quad.v);
	*met += !is_refuted;
	*wrong += !is_listed && !is_refuted;
}

static inline bool reference_owns(const rbl_surface *s, int h)
{
	return s->twins[h] >= 0 ? h < s->twins[h] : s->twins[h] != RBL_SURFACE_NON_MANIFOLD_REST;
}

static inline bool reference_edge_pair(const rbl_surface *s, const reference_item *e,
                                       const reference_item *f, double thickness, bool is_certified)
{
	bool shares = e->from == f->from || e->from == f->to || e->to == f->from || e->to == f->to;
	return !shares && reference_features(s, RBL_CCD_EDGE_EDGE, reference_edge_quad(e, f).v,
	                                     thickness, is_certified);
}

static inline bool reference_vertex_face(const rbl_surface *s, int v, int triangle,
                                         double thickness, bool is_certified)
{
	const int *f = s->triangles + 3 * triangle;
	return v != f[0] && v != f[1] && v != f[2] &&
	       reference_features(s, RBL_CCD_VERTEX_FACE, reference_face_quad(s, v, triangle).v,
	                          thickness, is_certified);
}

/// What is listed, of what is tested: each once, in order, and all real. @return what is wrong
static inline int reference_listed_hits(const rbl_surface *s, rbl_surface_hits hits, int every,
                                        int *listed)
{
	int wrong = 0;
	*listed = 0;
	for (int i = 0; i < hits.count; ++i) {
		const rbl_surface_hit *h = &hits.hits[i], *p = i ? h - 1 : NULL;
		wrong += p && (p->kind > h->kind || (p->kind == h->kind && p->a > h->a) ||
		               (p->kind == h->kind && p->a == h->a && p->b >= h->b));
		bool is_face = h->kind == RBL_HIT_VERTEX_FACE;
		if (h->a % every != 0 && (is_face || h->b % every != 0))
			continue;
		++*listed;
		reference_item e = { .id = h->a }, f = { .id = h->b };
		if (!is_face) {
			e.from = s->triangles[h->a], f.from = s->triangles[h->b];
			e.to = s->triangles[rbl_surface_next(h->a)];
			f.to = s->triangles[rbl_surface_next(h->b)];
		}
		double thickness = is_face ? reference_thickness(s, h->a, s->triangles[3 * h->b])
		                           : reference_thickness(s, e.from, f.from);
		wrong += !(is_face ? reference_vertex_face(s, h->a, h->b, thickness, false)
		                   : reference_edge_pair(s, &e, &f, thickness, false));
	}
	return wrong;
}

static inline reference_item *reference_edges(const rbl_surface *s, float reach, int *count)
{
	int face_count, *list = reference_triangles(s, &face_count);
	reference_item *edges = malloc((size_t)(3 * face_count + 1) * sizeof *edges);
	*count = 0;
	for (int i = 0; i < 3 * face_count; ++i) {
		int h = 3 * list[i / 3] + i % 3;
		int ends[2] = { s->triangles[h], s->triangles[rbl_surface_next(h)] };
		if (reference_owns(s, h))
			edges[(*count)++] =
				(reference_item){ rbl_box_grow(reference_box(s, ends, 2, true), reach), h, ends[0],
				                  ends[1] };
	}
	qsort(edges, (size_t)*count, sizeof *edges, reference_by_x);
	free(list);
	return edges;
}

/// @return whether a list that reference_listed_hits() has tested holds a pair
static inline bool reference_lists(rbl_surface_hits hits, rbl_surface_hit_kind kind, int a, int b)
{
	int low = 0, high = hits.count;
	while (low < high) {
		int middle = low + (high - low) / 2;
		const rbl_surface_hit *h = &hits.hits[middle];
		if (h->kind < kind || (h->kind == kind && (h->a < a || (h->a == a && h->b < b))))
			low = middle + 1;
		else
			high = middle;
	}
	return low < hits.count && hits.hits[low].kind == kind && hits.hits[low].a == a &&
	       hits.hits[low].b == b;
}

/// Compare the hits of a query with brute force, as reference_check_some_pairs(): vertices and
/// edges whose ids `every` divides against all. With a thickness, brute force needs those that it
/// can certify.
static inline int reference_check_some_hits(const rbl_surface *s, rbl_surface_hits hits, int every)
{
	int face_count, edge_count, listed;
	float reach = reference_largest_thickness(s) * 1.001f;
	// With a thickness brute force has to certify what it says. A certified hit comes within 1.1
	// times the thickness, and a filter may know that it is not nearer than 1: what comes within 1.1
	// times a little less has to be listed.
	const double share = 1.0 / 1.1000001;
	int wrong = reference_listed_hits(s, hits, every, &listed), met = 0;
	reference_item *faces = reference_faces(s, true, reach, &face_count);
	reference_item *edges = reference_edges(s, reach, &edge_count);
	for (int v = 0; v < s->vertex_end; v += every) {
		rbl_box box = reference_box(s, &v, 1, true);
		for (int i = 0; i < face_count && s->anchors[v] >= 0 && faces[i].box.lower.x <= box.upper.x;
		     ++i) {
			if (!rbl_box_overlaps(box, faces[i].box))
				continue;
			double sure = share * reference_thickness(s, v, s->triangles[3 * faces[i].id]);
			if (reference_vertex_face(s, v, faces[i].id, sure, sure > 0.0))
				reference_found(s, RBL_CCD_VERTEX_FACE, reference_face_quad(s, v, faces[i].id),
				                reference_lists(hits, RBL_HIT_VERTEX_FACE, v, faces[i].id), &met,
				                &wrong);
		}
	}
	for (int i = 0; i < edge_count; ++i)
		for (int k = i + 1; k < edge_count && edges[k].box.lower.x <= edges[i].box.upper.x; ++k) {
			// In the order of a list, since what nobody certifies may depend on it.
			bool is_first = edges[i].id < edges[k].id;
			const reference_item *e = &edges[is_first ? i : k], *f = &edges[is_first ? k : i];
			if ((e->id % every != 0 && f->id % every != 0) || !rbl_box_overlaps(e->box, f->box))
				continue;
			double sure = share * reference_thickness(s, e->from, f->from);
			if (reference_edge_pair(s, e, f, sure, sure > 0.0))
				reference_found(s, RBL_CCD_EDGE_EDGE, reference_edge_quad(e, f),
				                reference_lists(hits, RBL_HIT_EDGE_EDGE, e->id, f->id), &met,
				                &wrong);
		}
	free(faces);
	free(edges);
	return wrong + (reach == 0.0f && met != listed);
}

static inline int reference_check_hits(const rbl_surface *s, rbl_surface_hits hits)
{
	return reference_check_some_hits(s, hits, 1);
}

/// Update, ask, and compare with brute force. @return how much was found
static inline int reference_check_query(test *t, rbl_surface *s, bool is_swept)
{
	rbl_surface_pairs pairs = { NULL, 0 };
	rbl_surface_hits hits = { NULL, 0 };
	rbl_surface_motion motion = is_swept ? RBL_SURFACE_CONTINUOUS : RBL_SURFACE_DISCRETE;
	CHECK(t, rbl_surface_update(s, motion) == RBL_OK);
	CHECK(t, reference_bounds(s) == 0);
	if (is_swept) {
		CHECK(t, rbl_surface_sweep(s, &hits) == RBL_OK);
		CHECK(t, reference_check_hits(s, hits) == 0);
		return hits.count;
	}
	CHECK(t, rbl_surface_collide(s, &pairs) == RBL_OK);
	CHECK(t, reference_check_pairs(s, pairs) == 0);
	return pairs.count;
}
