// SPDX-License-Identifier: MIT
//
// Continuous collision detection (CCD): from pairs of triangles whose swept boxes overlap to hits.
//
// A pair of triangles is up to 15 pairs of features. Pairs that share a vertex are culled by the
// fan of that vertex where possible; others are dropped when a direction separates them over the
// whole step. Each vertex and each edge belongs to one of its triangles, and a pair of triangles
// tests the vertices of one against the face of the other and the edges of both, so every pair of
// features is tested once (the representative triangles of Curtis et al. 2008). Features go
// through the filter of the room ccd in batches, and what is left through its certified test.

#include "surface/query.h"

#include "surface/seam.h"
#include "surface/surface_kernels.h"
#include "surface/cull.h"

// Pairs between a prefetch and its use; features that are measured at a time.
enum { SWEEP_AHEAD = 4, MEASURED = 32 };

static bool shares_vertex(const int *a, const int *b)
{
	bool is_any = false;
	for (int i = 0; i < 3; ++i)
		is_any |= (a[i] == b[0]) | (a[i] == b[1]) | (a[i] == b[2]);
	return is_any;
}

// Whether features that are in contact at the start stay as far apart. All differences of their
// vertices are at least as long along the normal as the features are apart, and if all still are at
// the end, they were on the way.
static bool is_parting(const rbl_surface *surface, rbl_surface_hit_kind kind,
                       const rbl_ccd_quad *quad, rbl_vec3d normal)
{
	int firsts = kind == RBL_HIT_VERTEX_FACE ? 1 : 2;
	double least[2] = { INFINITY, INFINITY }, extent = 0.0;
	for (int time = 0; time < 2; ++time) {
		for (int i = 0; i < firsts; ++i)
			for (int k = firsts; k < 4; ++k) {
				int v = quad->vertices[i], w = quad->vertices[k];
				rbl_vec3d d = time ? rbl_sub_d(rbl_surface_exact(surface, v, 1),
				                               rbl_surface_exact(surface, w, 1))
				                   : rbl_sub_d(rbl_surface_exact_start(surface, v),
				                               rbl_surface_exact_start(surface, w));
				least[time] = rbl_mind(least[time], rbl_dot_d(normal, d));
				extent = rbl_maxd(extent, fabs(d.x) + fabs(d.y) + fabs(d.z));
			}
	}
	return least[0] > 0.0 && least[1] >= least[0] - 1e-12 * extent;
}

static void push_hit(const rbl_surface *surface, rbl_surface_worker *worker,
                     rbl_surface_hit_kind kind, const rbl_ccd_quad *quad, const rbl_impact *impact,
                     bool parts)
{
	rbl_surface_hit hit = { .kind = kind,
		                    .a = quad->a,
		                    .b = quad->b,
		                    .is_at_start = impact->is_contact_at_start,
		                    .normal = rbl_to_f(impact->normal) };
	hit.time = rbl_float_below(impact->time); // never later than the truth
	hit.is_parting = parts;
	int first = kind == RBL_HIT_VERTEX_FACE ? 1 : 0;
	hit.u = (float)impact->weights[first], hit.v = (float)impact->weights[first + 1];
	if (kind == RBL_HIT_VERTEX_FACE && quad->vertices[2] == quad->vertices[3])
		hit.u += hit.v, hit.v = 0.0f; // along an edge
	if (!rbl_surface_allows(surface, kind, quad->a, quad->b))
		return;
	if (surface->bound)
		rbl_surface_take_earliest(surface, worker, &hit);
	else if (!rbl_array_push(&surface->allocator, &worker->hits, hit))
		worker->is_out_of_memory = true;
}

// Of a hit the key alone is needed.
static void push_candidate(const rbl_surface *surface, rbl_surface_worker *worker,
                           rbl_surface_hit_kind kind, const rbl_ccd_quad *quad)
{
	const rbl_surface_hit hit = { .kind = kind, .a = quad->a, .b = quad->b };
	if (!rbl_array_push(&surface->allocator, &worker->hits, hit))
		worker->is_out_of_memory = true;
}

static bool is_wanted(const rbl_surface *surface, const rbl_surface_worker *worker,
                      rbl_surface_hit_kind kind, const rbl_ccd_quad *quad)
{
	return !rbl_surface_has_pair_filters(surface) ||
	       rbl_surface_wants_features(surface, kind, quad->a, quad->b, quad->vertices,
	                                  worker->thickness);
}

static void push_near(const rbl_surface *surface, rbl_surface_worker *worker, int kind,
                      const rbl_ccd_quad *quad, const rbl_closest *closest)
{
	if (!rbl_surface_allows(surface, (rbl_surface_hit_kind)kind, quad->a, quad->b)) {
		worker->counts.false_tests++;
		return;
	}
	push_candidate(surface, worker, (rbl_surface_hit_kind)kind, quad);
	if (!worker->is_out_of_memory)
		rbl_surface_describe_near(surface, worker, quad, closest);
}

// Features of a batch at one instant: nothing has to be searched for. Doubles are measured one by
// one.
static void test_distances(const rbl_surface *surface, rbl_surface_worker *worker, int kind,
                           int *kept, int count)
{
	const rbl_ccd_kind ccd_kind =
		kind == RBL_HIT_VERTEX_FACE ? RBL_CCD_VERTEX_FACE : RBL_CCD_EDGE_EDGE;
	const rbl_ccd_quad *quads = worker->quads[kind].quads;
	double reach = (double)worker->thickness;
	bool has_floats = surface->residuals[0].count == 0;
	rbl_closest closest[MEASURED];
	int wanted = 0, near[MEASURED];
	for (int i = 0; i < count; ++i)
		if (is_wanted(surface, worker, (rbl_surface_hit_kind)kind, &quads[kept[i]]))
			kept[wanted++] = kept[i];
	for (int i = 0; i < wanted && has_floats; i += MEASURED) {
		int here = rbl_mini(wanted - i, MEASURED);
		int found = rbl_ccd_find_near(ccd_kind, surface->positions[1], quads, kept + i, here, reach,
		                              near, closest);
		worker->counts.false_tests += here - found;
		for (int k = 0; k < found; ++k)
			push_near(surface, worker, kind, &quads[near[k]], &closest[k]);
	}
	for (int i = 0; i < wanted && !has_floats; ++i) {
		rbl_vec3d points[4];
		for (int k = 0; k < 4; ++k)
			points[k] = rbl_surface_exact(surface, quads[kept[i]].vertices[k], 1);
		rbl_ccd_closest(ccd_kind, points, closest);
		if (closest->distance <= reach + closest->rounding)
			push_near(surface, worker, kind, &quads[kept[i]], closest);
		else
			worker->counts.false_tests++;
	}
}

// Doubles are tested as they are; what the filter knows is their floats.
static bool test_exact(const rbl_surface *surface, rbl_ccd_kind kind, const rbl_ccd_motion *motion,
                       const rbl_ccd_quad *quad, float thickness, rbl_impact *impact)
{
	if (surface->residuals[0].count == 0)
		return rbl_ccd_test_quad(kind, motion, quad, thickness, impact);
	rbl_vec3d start[4], end[4];
	for (int i = 0; i < 4; ++i) {
		start[i] = rbl_surface_exact_start(surface, quad->vertices[i]);
		end[i] = rbl_surface_exact(surface, quad->vertices[i], 1);
	}
	return rbl_ccd_test(kind, start, end, (double)thickness, impact);
}

// With a thickness most of what a filter keeps is in contact when the step begins.
// @return how many are left
static int take_contacts(const rbl_surface *surface, rbl_surface_worker *worker, int kind,
                         const rbl_ccd_motion *motion, int *kept, int count)
{
	const rbl_ccd_kind ccd_kind =
		kind == RBL_HIT_VERTEX_FACE ? RBL_CCD_VERTEX_FACE : RBL_CCD_EDGE_EDGE;
	const rbl_ccd_quad *quads = worker->quads[kind].quads;
	int left = 0;
	for (int i = 0; i < count; i += MEASURED) {
		rbl_ccd_contact contacts[MEASURED];
		int here = 0, some[MEASURED];
		for (int k = i; k < i + MEASURED && k < count; ++k)
			if (is_wanted(surface, worker, (rbl_surface_hit_kind)kind, &quads[kept[k]]))
				some[here++] = kept[k];
		int found = rbl_ccd_take_contacts(ccd_kind, motion, quads, worker->thickness, some, &here,
		                                  contacts);
		for (int k = 0; k < found; ++k)
			push_hit(surface, worker, (rbl_surface_hit_kind)kind, &quads[contacts[k].index],
			         &contacts[k].impact, contacts[k].is_parting);
		for (int k = 0; k < here; ++k)
			kept[left++] = some[k];
	}
	return left;
}

static void test_batch(const rbl_surface *surface, rbl_surface_worker *worker, int kind)
{
	const rbl_ccd_kind ccd_kind =
		kind == RBL_HIT_VERTEX_FACE ? RBL_CCD_VERTEX_FACE : RBL_CCD_EDGE_EDGE;
	rbl_surface_feature_batch *batch = &worker->quads[kind];
	rbl_surface_look_until(surface, worker);
	rbl_ccd_motion motion = { surface->starts, surface->positions[1], worker->until };
	rbl_ccd_motion seen = { surface->starts, rbl_surface_filter_ends(surface, worker),
		                    worker->until };
	float thickness = worker->thickness;
	int kept[RBL_SURFACE_BATCH + 7];
	int count = rbl_ccd_filter(ccd_kind, &seen, batch->quads, batch->count,
	                           rbl_surface_filter_gap(surface, worker), kept);
	worker->counts.tests += count;
	bool is_still = surface->starts == surface->positions[1];
	if (is_still && surface->question.kind == RBL_ASKS_PROXIMITY) {
		test_distances(surface, worker, kind, kept, count);
		batch->count = 0;
		return;
	}
	if (thickness > 0.0f && surface->question.kind == RBL_ASKS_HITS &&
	    surface->residuals[0].count == 0)
		count = take_contacts(surface, worker, kind, &motion, kept, count);
	for (int i = 0; i < count && !rbl_surface_is_over(surface); ++i) {
		rbl_impact impact;
		if (surface->question.kind == RBL_ASKS_CANDIDATES)
			push_candidate(surface, worker, (rbl_surface_hit_kind)kind, &batch->quads[kept[i]]);
		else if (!is_wanted(surface, worker, (rbl_surface_hit_kind)kind, &batch->quads[kept[i]]))
			continue;
		else if (test_exact(surface, ccd_kind, &motion, &batch->quads[kept[i]], thickness, &impact))
			push_hit(surface, worker, (rbl_surface_hit_kind)kind, &batch->quads[kept[i]], &impact,
			         thickness > 0.0f && impact.is_contact_at_start &&
			             is_parting(surface, (rbl_surface_hit_kind)kind, &batch->quads[kept[i]],
			                        impact.normal));
		else
			worker->counts.false_tests++;
	}
	batch->count = 0;
}

static void push_quad(const rbl_surface *surface, rbl_surface_worker *worker, int kind,
                      rbl_ccd_quad quad)
{
	rbl_surface_feature_batch *batch = &worker->quads[kind];
	batch->quads[batch->count++] = quad;
	if (batch->count == RBL_SURFACE_BATCH)
		test_batch(surface, worker, kind);
}

void rbl_surface_sweep_features(const rbl_surface *surface, rbl_surface_worker *worker,
                                rbl_surface_hit_kind kind, const rbl_ccd_quad *quad)
{
	push_quad(surface, worker, kind, *quad);
}

// Corners of two triangles that lie at one place of a seam: bit 3 i + k for corner i of the first
// and k of the second. What touches there is listed otherwise.
static unsigned seam_bits(const rbl_surface *surface, const int *a, const int *b)
{
	unsigned bits = 0;
	for (int i = 0; i < 3; ++i) {
		int place = surface->places[a[i]];
		for (int k = 0; k < 3 && place; ++k)
			bits |= (unsigned)(place == surface->places[b[k]]) << (3 * i + k);
	}
	return bits;
}

// The vertices that belong to triangle `a` against the face of `b`.
// @param seams  bit i: corner i of `a` lies at a place of `b`
static void push_vertices(const rbl_surface *surface, rbl_surface_worker *worker, int a, int b,
                          unsigned seams)
{
	const int *face = surface->triangles + 3 * b;
	for (int i = 0; i < 3; ++i) {
		int v = surface->triangles[3 * a + i];
		if (!(seams >> i & 1u) && surface->anchors[v] == 3 * a + i && v != face[0] &&
		    v != face[1] && v != face[2])
			push_quad(surface, worker, RBL_HIT_VERTEX_FACE,
			          (rbl_ccd_quad){ { v, face[0], face[1], face[2] }, v, b });
	}
}

static void push_edges(const rbl_surface *surface, rbl_surface_worker *worker, int a, int b,
                       unsigned seams)
{
	for (int i = 0; i < 3; ++i) {
		int h = 3 * a + i, i_next = i < 2 ? i + 1 : 0;
		if (!rbl_surface_owns_edge(surface, h))
			continue;
		int p = surface->triangles[h], q = surface->triangles[3 * a + i_next];
		unsigned at_edge = seams >> 3 * i | seams >> 3 * i_next;
		for (int k = 0; k < 3; ++k) {
			int g = 3 * b + k, k_next = k < 2 ? k + 1 : 0;
			if (!rbl_surface_owns_edge(surface, g) || (at_edge >> k & 1u) ||
			    (at_edge >> k_next & 1u))
				continue;
			int r = surface->triangles[g], s = surface->triangles[3 * b + k_next];
			if (p == r || p == s || q == r || q == s)
				continue;
			if (h < g)
				push_quad(surface, worker, RBL_HIT_EDGE_EDGE,
				          (rbl_ccd_quad){ { p, q, r, s }, h, g });
			else
				push_quad(surface, worker, RBL_HIT_EDGE_EDGE,
				          (rbl_ccd_quad){ { r, s, p, q }, g, h });
		}
	}
}

// @param seams  as seam_bits()
static void push_features(const rbl_surface *surface, rbl_surface_worker *worker, int a, int b,
                          unsigned seams)
{
	unsigned of_a = 0;
	for (int i = 0; i < 3; ++i)
		of_a |= (unsigned)((seams >> 3 * i & 7u) != 0) << i;
	push_vertices(surface, worker, a, b, of_a);
	push_vertices(surface, worker, b, a, seams | seams >> 3 | seams >> 6);
	push_edges(surface, worker, a, b, seams);
}

// What tells which features belong to a triangle. Its corners were just read.
static void prefetch_features(const rbl_surface *surface, int triangle)
{
	rbl_prefetch(&surface->twins[3 * triangle]);
	for (int k = 0; k < 3; ++k)
		rbl_prefetch(&surface->anchors[surface->triangles[3 * triangle + k]]);
}

static void sweep_waiting(const rbl_surface *surface, rbl_surface_worker *worker)
{
	int kept[RBL_SURFACE_BATCH + 7];
	uint16_t seams[RBL_SURFACE_BATCH + 7];
	const rbl_surface_pair *pairs = worker->waiting;
	rbl_surface_look_until(surface, worker);
	const rbl_surface_sweep_source source = {
		.starts = surface->starts,
		.ends = rbl_surface_filter_ends(surface, worker),
		.until = worker->until,
		.triangles = surface->triangles,
		.places = surface->places,
		.thickness = rbl_surface_filter_gap(surface, worker),
		.overlap_along_axes = !worker->waiting_has_others && worker->until == 1.0f,
	};
	int count = RBL_PICK(rbl_surface_filter_swept_pairs)(&source, &pairs->a, worker->waiting_count,
	                                                     kept, seams);
	for (int i = 0; i < count; ++i) {
		if (i + SWEEP_AHEAD < count) {
			prefetch_features(surface, pairs[kept[i + SWEEP_AHEAD]].a);
			prefetch_features(surface, pairs[kept[i + SWEEP_AHEAD]].b);
		}
		push_features(surface, worker, pairs[kept[i]].a, pairs[kept[i]].b, seams[i]);
	}
	worker->waiting_count = 0;
	worker->waiting_has_others = false;
}

static void push_waiting(const rbl_surface *surface, rbl_surface_worker *worker,
                         rbl_surface_pair pair)
{
	// In one order, so that rounding does not depend on trees.
	worker->waiting[worker->waiting_count++] =
		(rbl_surface_pair){ rbl_mini(pair.a, pair.b), rbl_maxi(pair.a, pair.b) };
	if (worker->waiting_count == RBL_SURFACE_BATCH)
		sweep_waiting(surface, worker);
}

void rbl_surface_sweep_pairs(const rbl_surface *surface, rbl_surface_worker *worker,
                             const rbl_surface_pair *pairs, int count)
{
	for (int i = 0; i < count; ++i) {
		rbl_prefetch(&surface->triangles[3 * (size_t)pairs[i].a]);
		rbl_prefetch(&surface->triangles[3 * (size_t)pairs[i].b]);
	}
	for (int i = 0; i < count; ++i) {
		const int *a = surface->triangles + 3 * pairs[i].a,
				  *b = surface->triangles + 3 * pairs[i].b;
		if (!shares_vertex(a, b)) {
			worker->waiting_has_others = true;
			push_waiting(surface, worker, pairs[i]);
			continue;
		}
		if (rbl_surface_fan_separates(surface, worker, a, b)) {
			worker->counts.fan_culled++;
			continue;
		}
		push_features(surface, worker, pairs[i].a, pairs[i].b,
		              surface->places ? seam_bits(surface, a, b) : 0);
	}
}

static bool has_boxes(const rbl_surface_sweep_staging *staging, uint32_t cluster)
{
	return staging->clusters[cluster % RBL_SWEEP_STAGING_CLUSTERS] == cluster + 1;
}

static const rbl_surface_swept_boxes *boxes_of(const rbl_surface *surface,
                                               rbl_surface_worker *worker, uint32_t cluster,
                                               uint32_t place)
{
	rbl_surface_sweep_staging *staging = &worker->sweep_staging;
	if (staging->clusters[place] != cluster + 1) {
		staging->clusters[place] = cluster + 1;
		RBL_PICK(rbl_surface_fill_swept_boxes)
		(&staging->boxes[place], surface->starts, rbl_surface_filter_ends(surface, worker),
		 worker->until, surface->triangles, surface->cluster_data[cluster].triangles);
	}
	return &staging->boxes[place];
}

void rbl_surface_prefetch_triangles(const rbl_surface *surface, const rbl_surface_worker *worker,
                                    uint32_t cluster)
{
	const rbl_surface_cluster *from = &surface->cluster_data[cluster];
	for (int i = 0; i < from->count && !has_boxes(&worker->sweep_staging, cluster); ++i)
		rbl_prefetch(&surface->triangles[3 * from->triangles[i]]);
}

void rbl_surface_prefetch_vertices(const rbl_surface *surface, const rbl_surface_worker *worker,
                                   uint32_t cluster)
{
	const rbl_surface_cluster *from = &surface->cluster_data[cluster];
	bool is_still = rbl_surface_is_still(surface, worker);
	for (int i = 0; i < from->count && !has_boxes(&worker->sweep_staging, cluster); ++i)
		for (int k = 0; k < 3; ++k) {
			int v = surface->triangles[3 * from->triangles[i] + k];
			rbl_prefetch(&surface->starts[v]);
			if (!is_still)
				rbl_prefetch(&surface->positions[1][v]);
		}
}

int rbl_surface_swept_pairs(const rbl_surface *surface, rbl_surface_worker *worker, uint32_t a,
                            uint32_t b, float gap, rbl_surface_pair *pairs)
{
	uint32_t a_place = a % RBL_SWEEP_STAGING_CLUSTERS, b_place = b % RBL_SWEEP_STAGING_CLUSTERS;
	if (a_place == b_place)
		b_place = RBL_SWEEP_STAGING_CLUSTERS;
	const rbl_surface_swept_boxes *a_boxes = boxes_of(surface, worker, a, a_place);
	const rbl_surface_swept_boxes *b_boxes = boxes_of(surface, worker, b, b_place);
	return RBL_PICK(rbl_surface_swept_cluster_pairs)(&surface->cluster_data[a], a_boxes,
	                                                 &surface->cluster_data[b], b_boxes, gap,
	                                                 rbl_surface_is_still(surface, worker), pairs);
}

void rbl_surface_sweep_clusters(const rbl_surface *surface, rbl_surface_worker *worker, uint32_t a,
                                uint32_t b)
{
	rbl_surface_pair pairs[RBL_SURFACE_CLUSTER_SIZE * RBL_SURFACE_CLUSTER_SIZE];
	int count = rbl_surface_swept_pairs(surface, worker, a, b,
	                                    rbl_surface_filter_gap(surface, worker), pairs);
	worker->counts.candidates += count;
	for (int i = 0; i < count; ++i)
		push_waiting(surface, worker, pairs[i]);
}

void rbl_surface_finish_sweep(const rbl_surface *surface, rbl_surface_worker *worker)
{
	if (worker->waiting_count > 0)
		sweep_waiting(surface, worker);
	for (int kind = 0; kind < 2; ++kind)
		if (worker->quads[kind].count > 0)
			test_batch(surface, worker, kind);
}
