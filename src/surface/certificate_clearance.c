// SPDX-License-Identifier: MIT
//
// Pairs of triangles that keep a clearance, though not with the margin that would prove it.
//
// What is certified with a margin of m + h / 2 keeps a distance of h although each vertex moves by
// m (surface.h), but that asks for more than is needed: two triangles that share a vertex would
// have to part by twice as much at their corners, and along cracks triangles are not that high. So
// for pairs that fail it the two things are tested one by one: that they do not touch although each
// vertex moves by m, and that features which share no vertex are as far apart as is asked for. An
// edge may pass through a face while all features are far from each other, so neither follows from
// the other.
//
// All features of a pair are measured, also those that belong to another triangle (sweep.c): in a
// fragment that inherits the certificate they may be its own.

#include "ccd/ccd.h"
#include "surface/certificate.h"
#include "surface/cull.h"
#include "surface/surface_kernels.h"

#include "base/bits.h"

enum {
	CHECKED = RBL_SURFACE_CHECKED_PAIRS,
	FEATURES = 256,    // that are measured at a time
	MOST_FEATURES = 9, // of one kind, of two triangles
};

// Pairs that are checked, and which of them are uncertain; features that wait, by kind, with the
// pair that they belong to in the place of their first name.
typedef struct checked_pairs {
	const rbl_surface *surface;
	const rbl_surface_pair *pairs;
	double margin;
	float gap;
	bool is_uncertain[CHECKED];
	rbl_ccd_quad quads[RBL_CCD_KIND_COUNT][FEATURES];
	int quad_counts[RBL_CCD_KIND_COUNT];
} checked_pairs;

static const signed char corner_round[5] = { 0, 1, 2, 0, 1 };

// --- touching -----------------------------------------------------------------------------------

static void mark_near(checked_pairs *c, const rbl_surface_pair *pairs, const int *numbers,
                      int count)
{
	int kept[CHECKED + 7];
	int kept_count = RBL_PICK(rbl_surface_near_triangle_pairs)(
		c->surface->positions[1], c->surface->triangles, &pairs[0].a, count,
		(float)(2.000001 * c->margin), kept);
	for (int i = 0; i < kept_count; ++i)
		c->is_uncertain[numbers[kept[i]]] = true;
}

static void mark_neighbours(checked_pairs *c, const int *numbers, const int *kept, int count)
{
	for (int i = 0; i < count; ++i) {
		int n = numbers[kept[i]];
		c->is_uncertain[n] = !rbl_surface_neighbours_are_robust(
			c->surface, c->surface->triangles + 3 * (size_t)c->pairs[n].a,
			c->surface->triangles + 3 * (size_t)c->pairs[n].b, c->margin);
	}
}

// Whether triangles may touch, by what they share, as in certificate.c.
static void mark_touching(checked_pairs *c, int count)
{
	static const signed char other[4] = { -1, 2, 1, 0 };
	const int *triangles = c->surface->triangles;
	rbl_surface_pair apart[CHECKED];
	int numbers[3][CHECKED], counts[3] = { 0, 0, 0 };
	int wedges[5 * CHECKED], hinges[4 * CHECKED], kept[CHECKED + 7];
	uint16_t shared[CHECKED];
	RBL_PICK(rbl_surface_shared_corners)(triangles, &c->pairs[0].a, count, shared);
	for (int n = 0; n < count; ++n) {
		unsigned bits = shared[n], more = bits & (bits - 1);
		const int *a = triangles + 3 * (size_t)c->pairs[n].a;
		const int *b = triangles + 3 * (size_t)c->pairs[n].b;
		int kind = bits == 0 ? 0 : more == 0 ? 1 : 2, at = counts[kind];
		if (more & (more - 1)) {
			c->is_uncertain[n] = true;
			continue;
		}
		numbers[kind][counts[kind]++] = n;
		if (kind == 0) {
			apart[at] = c->pairs[n];
			continue;
		}
		int first = rbl_lowest_one(bits), i = first / 3, k = first % 3;
		if (kind == 1) {
			int *v = wedges + 5 * at;
			v[0] = a[i], v[1] = a[corner_round[i + 1]], v[2] = a[corner_round[i + 2]];
			v[3] = b[corner_round[k + 1]], v[4] = b[corner_round[k + 2]];
		} else {
			int second = rbl_lowest_one(more), *v = hinges + 4 * at;
			v[0] = a[i], v[1] = a[second / 3];
			v[2] = a[other[i + second / 3]], v[3] = b[other[k + second % 3]];
		}
	}
	const rbl_vec3 *positions = c->surface->positions[1];
	mark_near(c, apart, numbers[0], counts[0]);
	mark_neighbours(c, numbers[1], kept,
	                RBL_PICK(rbl_surface_uncertain_wedges)(positions, wedges, counts[1],
	                                                       (float)c->margin, kept));
	mark_neighbours(c, numbers[2], kept,
	                RBL_PICK(rbl_surface_uncertain_hinges)(positions, hinges, counts[2],
	                                                       (float)c->margin, kept));
}

// --- distances ----------------------------------------------------------------------------------

static void measure_waiting(checked_pairs *c, int kind)
{
	const rbl_vec3 *positions = c->surface->positions[1];
	const rbl_ccd_motion still = { positions, positions, 1.0f };
	const rbl_ccd_quad *quads = c->quads[kind];
	int kept[FEATURES + 7];
	int count =
		rbl_ccd_filter((rbl_ccd_kind)kind, &still, quads, c->quad_counts[kind], c->gap, kept);
	c->quad_counts[kind] = 0;
	for (int i = 0; i < count; ++i) {
		const rbl_ccd_quad *quad = &quads[kept[i]];
		if (c->is_uncertain[quad->a])
			continue;
		rbl_vec3d points[4];
		rbl_closest closest;
		for (int k = 0; k < 4; ++k)
			points[k] = rbl_to_d(positions[quad->vertices[k]]);
		rbl_ccd_closest((rbl_ccd_kind)kind, points, &closest);
		c->is_uncertain[quad->a] = !(closest.distance - closest.rounding > (double)c->gap);
	}
}

static void wait_for_faces(checked_pairs *c, int number, int a, int b)
{
	const int *face = c->surface->triangles + 3 * (size_t)b;
	for (int i = 0; i < 3; ++i) {
		int v = c->surface->triangles[3 * (size_t)a + (size_t)i];
		if (v != face[0] && v != face[1] && v != face[2])
			c->quads[RBL_CCD_VERTEX_FACE][c->quad_counts[RBL_CCD_VERTEX_FACE]++] =
				(rbl_ccd_quad){ { v, face[0], face[1], face[2] }, number, 0 };
	}
}

static void wait_for_edges(checked_pairs *c, int number, int a, int b)
{
	const int *t = c->surface->triangles;
	for (int h = 3 * a; h < 3 * a + 3; ++h) {
		int p = t[h], q = t[rbl_surface_next(h)];
		for (int g = 3 * b; g < 3 * b + 3; ++g) {
			int r = t[g], s = t[rbl_surface_next(g)];
			if (p != r && p != s && q != r && q != s)
				c->quads[RBL_CCD_EDGE_EDGE][c->quad_counts[RBL_CCD_EDGE_EDGE]++] =
					(rbl_ccd_quad){ { p, q, r, s }, number, 0 };
		}
	}
}

int rbl_surface_check_clearance(const rbl_surface *surface, const rbl_surface_pair *pairs,
                                int count, double margin, float gap, rbl_surface_pair *uncertain)
{
	checked_pairs c;
	c.surface = surface, c.pairs = pairs, c.margin = margin, c.gap = gap;
	c.quad_counts[0] = c.quad_counts[1] = 0;
	memset(c.is_uncertain, 0, sizeof c.is_uncertain);
	mark_touching(&c, count);
	for (int n = 0; n < count; ++n) {
		if (c.is_uncertain[n])
			continue;
		for (int kind = 0; kind < RBL_CCD_KIND_COUNT; ++kind)
			if (c.quad_counts[kind] > FEATURES - MOST_FEATURES)
				measure_waiting(&c, kind);
		wait_for_faces(&c, n, pairs[n].a, pairs[n].b);
		wait_for_faces(&c, n, pairs[n].b, pairs[n].a);
		wait_for_edges(&c, n, pairs[n].a, pairs[n].b);
	}
	for (int kind = 0; kind < RBL_CCD_KIND_COUNT; ++kind)
		measure_waiting(&c, kind);
	int kept = 0;
	for (int n = 0; n < count; ++n)
		if (c.is_uncertain[n])
			uncertain[kept++] = pairs[n];
	return kept;
}
