// SPDX-License-Identifier: MIT
//
// From pairs of triangles whose boxes overlap to what meets.
//
// At one instant pairs go to the tests of triangles by the batch; what those cannot decide and
// shares a vertex (neighbours in a plane, mostly) is settled by the flag of its fan. Over a step a
// pair of triangles is up to 15 pairs of features, so fans come first, and pairs that share nothing
// must not stay apart along an axis: each vertex and each edge belongs to one of its triangles, and
// a pair of triangles brings the vertices of one against the face of the other and the edges of
// both: so every pair of features comes once (the representative triangles of Curtis et al. 2008).
// They go through the filter in batches, and what is left through the certified test.

#include "surface/narrow.h"

#include "surface/seams.h"
#include "surface/sweep_pairs_kernels.h"
#include "surface/sweep_rows_kernels.h"
#include "surface/triangle_pairs.h"
#include "surface/triangle_pairs_kernels.h"

enum { LONG_LIST = 1 << 12, AHEAD = 4 };

static bool shares_vertex(const int *a, const int *b)
{
	bool is_any = false;
	for (int i = 0; i < 3; ++i)
		is_any |= (a[i] == b[0]) | (a[i] == b[1]) | (a[i] == b[2]);
	return is_any;
}

// Whether a shared vertex settles a pair: no test is needed.
static bool is_settled(const rbl_surface *surface, rbl_surface_worker *worker, const int *a,
                       const int *b)
{
	for (int i = 0; i < 3; ++i)
		if ((a[i] == b[0] || a[i] == b[1] || a[i] == b[2]) &&
		    rbl_surface_fan_is_free(surface, worker, a[i]))
			return true;
	return false;
}

typedef struct fan_context {
	const rbl_surface *surface;
	rbl_surface_worker *worker;
} fan_context;

static bool settle_by_fan(void *context, const int *a, const int *b)
{
	const fan_context *c = context;
	bool result = is_settled(c->surface, c->worker, a, b);
	c->worker->counts.fan_settled += result;
	return result;
}

static void test_triangles(const rbl_surface *surface, rbl_surface_worker *worker)
{
	int meeting[RBL_SURFACE_BATCH + 7], count = worker->waiting_count;
	const rbl_surface_pair *pairs = worker->waiting;
	fan_context context = { surface, worker };
	int found = rbl_triangle_pairs_meet(surface->positions[1], surface->triangles, &pairs->a, count,
	                                    meeting, settle_by_fan, &context);
	worker->counts.tests += count;
	worker->counts.false_tests += count - found;
	for (int i = 0; i < found; ++i)
		if (!rbl_array_push(&surface->allocator, &worker->pairs, pairs[meeting[i]]))
			worker->is_out_of_memory = true;
	worker->waiting_count = 0;
}

void rbl_narrow_collide(const rbl_surface *surface, rbl_surface_worker *worker,
                        const rbl_surface_pair *pairs, int count)
{
	for (int i = 0; i < count; ++i) {
		int low = pairs[i].a < pairs[i].b ? pairs[i].a : pairs[i].b;
		int high = pairs[i].a < pairs[i].b ? pairs[i].b : pairs[i].a;
		rbl_prefetch(&surface->triangles[3 * (size_t)low]); // the test waits for hundreds
		rbl_prefetch(&surface->triangles[3 * (size_t)high]);
		worker->waiting[worker->waiting_count++] = (rbl_surface_pair){ low, high };
		if (worker->waiting_count == RBL_SURFACE_BATCH)
			test_triangles(surface, worker);
	}
}

// --- over a step ---------------------------------------------------------------------------------

static void push_hit(const rbl_surface *surface, rbl_surface_worker *worker,
                     rbl_surface_hit_kind kind, const rbl_ccd_quad *quad, const rbl_impact *impact)
{
	rbl_surface_hit hit = { .kind = kind,
		                    .a = quad->a,
		                    .b = quad->b,
		                    .is_at_start = impact->is_contact_at_start,
		                    .normal = rbl_to_f(impact->normal) };
	hit.time = rbl_float_below(impact->time); // never later than the truth
	int first = kind == RBL_HIT_VERTEX_FACE ? 1 : 0;
	hit.u = (float)impact->weights[first], hit.v = (float)impact->weights[first + 1];
	if (!rbl_array_push(&surface->allocator, &worker->hits, hit))
		worker->is_out_of_memory = true;
}

static void test_batch(const rbl_surface *surface, rbl_surface_worker *worker, int kind)
{
	const rbl_ccd_kind ccd_kind =
		kind == RBL_HIT_VERTEX_FACE ? RBL_CCD_VERTEX_FACE : RBL_CCD_EDGE_EDGE;
	rbl_surface_batch *batch = &worker->quads[kind];
	rbl_ccd_motion motion = { surface->positions[0], surface->positions[1] };
	float separation = surface->def.separation;
	int kept[RBL_SURFACE_BATCH + 7];
	int count = rbl_ccd_filter(ccd_kind, &motion, batch->quads, batch->count, separation, kept);
	worker->counts.tests += count;
	for (int i = 0; i < count; ++i) {
		rbl_impact impact;
		if (rbl_ccd_test_quad(ccd_kind, &motion, &batch->quads[kept[i]], separation, &impact))
			push_hit(surface, worker, (rbl_surface_hit_kind)kind, &batch->quads[kept[i]], &impact);
		else
			worker->counts.false_tests++;
	}
	batch->count = 0;
}

static void push_quad(const rbl_surface *surface, rbl_surface_worker *worker, int kind,
                      rbl_ccd_quad quad)
{
	rbl_surface_batch *batch = &worker->quads[kind];
	batch->quads[batch->count++] = quad;
	if (batch->count == RBL_SURFACE_BATCH)
		test_batch(surface, worker, kind);
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
static void ask_for_features(const rbl_surface *surface, int triangle)
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
	const rbl_sweep_source source = { .starts = surface->positions[0],
		                              .ends = surface->positions[1],
		                              .triangles = surface->triangles,
		                              .places = surface->places,
		                              .separation = surface->def.separation,
		                              .meet_along_axes = !worker->waiting_has_others };
	int count = RBL_PICK(rbl_sweep_pairs)(&source, &pairs->a, worker->waiting_count, kept, seams);
	for (int i = 0; i < count; ++i) {
		if (i + AHEAD < count) {
			ask_for_features(surface, pairs[kept[i + AHEAD]].a);
			ask_for_features(surface, pairs[kept[i + AHEAD]].b);
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

void rbl_narrow_sweep(const rbl_surface *surface, rbl_surface_worker *worker,
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
		// With a separation, neighbours may be near each other without touching.
		if (surface->def.separation == 0.0f && is_settled(surface, worker, a, b)) {
			worker->counts.fan_settled++;
			continue;
		}
		push_features(surface, worker, pairs[i].a, pairs[i].b,
		              surface->places ? seam_bits(surface, a, b) : 0);
	}
}

static bool has_boxes(const rbl_sweep_rows *rows, uint32_t cluster)
{
	return rows->clusters[cluster % RBL_SWEEP_CLUSTERS] == cluster + 1;
}

static const rbl_swept_boxes *boxes_of(const rbl_surface *surface, rbl_sweep_rows *rows,
                                       uint32_t cluster, uint32_t place)
{
	if (rows->clusters[place] != cluster + 1) {
		rows->clusters[place] = cluster + 1;
		RBL_PICK(rbl_swept_boxes_fill)
		(&rows->boxes[place], surface->positions[0], surface->positions[1], surface->triangles,
		 surface->cluster_data[cluster].triangles);
	}
	return &rows->boxes[place];
}

void rbl_narrow_ask_for_triangles(const rbl_surface *surface, const rbl_surface_worker *worker,
                                  uint32_t cluster)
{
	const rbl_cluster *from = &surface->cluster_data[cluster];
	for (int i = 0; i < from->count && !has_boxes(&worker->sweep_rows, cluster); ++i)
		rbl_prefetch(&surface->triangles[3 * from->triangles[i]]);
}

void rbl_narrow_ask_for_vertices(const rbl_surface *surface, const rbl_surface_worker *worker,
                                 uint32_t cluster)
{
	const rbl_cluster *from = &surface->cluster_data[cluster];
	for (int i = 0; i < from->count && !has_boxes(&worker->sweep_rows, cluster); ++i)
		for (int k = 0; k < 3; ++k) {
			int v = surface->triangles[3 * from->triangles[i] + k];
			rbl_prefetch(&surface->positions[0][v]);
			rbl_prefetch(&surface->positions[1][v]);
		}
}

int rbl_narrow_swept_pairs(const rbl_surface *surface, rbl_surface_worker *worker, uint32_t a,
                           uint32_t b, float gap, rbl_surface_pair *pairs)
{
	uint32_t a_place = a % RBL_SWEEP_CLUSTERS, b_place = b % RBL_SWEEP_CLUSTERS;
	if (a_place == b_place)
		b_place = RBL_SWEEP_CLUSTERS;
	const rbl_swept_boxes *a_boxes = boxes_of(surface, &worker->sweep_rows, a, a_place);
	const rbl_swept_boxes *b_boxes = boxes_of(surface, &worker->sweep_rows, b, b_place);
	return RBL_PICK(rbl_swept_cluster_pairs)(&surface->cluster_data[a], a_boxes,
	                                         &surface->cluster_data[b], b_boxes, gap, pairs);
}

void rbl_narrow_sweep_clusters(const rbl_surface *surface, rbl_surface_worker *worker, uint32_t a,
                               uint32_t b)
{
	rbl_surface_pair pairs[RBL_CLUSTER_SIZE * RBL_CLUSTER_SIZE];
	int count = rbl_narrow_swept_pairs(surface, worker, a, b, surface->def.separation, pairs);
	worker->counts.candidates += count;
	for (int i = 0; i < count; ++i)
		push_waiting(surface, worker, pairs[i]);
}

void rbl_narrow_finish(const rbl_surface *surface, rbl_surface_worker *worker)
{
	if (worker->waiting_count > 0 && surface->motion == RBL_SURFACE_CONTINUOUS)
		sweep_waiting(surface, worker);
	else if (worker->waiting_count > 0)
		test_triangles(surface, worker);
	if (worker->rows.pair_count > 0)
		rbl_narrow_meet_all(surface, worker);
	for (int kind = 0; kind < 2; ++kind)
		if (worker->quads[kind].count > 0)
			test_batch(surface, worker, kind);
}

// --- what is known -------------------------------------------------------------------------------

static bool triangle_is_known(const rbl_surface *surface, int triangle)
{
	int cluster = surface->clusters[triangle];
	return cluster >= 0 && surface->bodies.data[surface->cluster_data[cluster].body].is_known;
}

static bool hit_is_known(const rbl_surface *surface, const rbl_surface_hit *hit)
{
	if (hit->kind == RBL_HIT_EDGE_EDGE)
		return triangle_is_known(surface, hit->a / 3) && triangle_is_known(surface, hit->b / 3);
	int anchor = surface->anchors[hit->a];
	return anchor >= 0 && triangle_is_known(surface, anchor / 3) &&
	       triangle_is_known(surface, hit->b);
}

bool rbl_narrow_keep_known(rbl_surface *surface)
{
	rbl_surface_worker *worker = &surface->workers[0];
	bool is_swept = surface->motion == RBL_SURFACE_CONTINUOUS, is_any = false;
	for (int slot = 0; slot < surface->bodies.count; ++slot)
		is_any |= surface->bodies.data[slot].is_known && rbl_id_pool_is_live(&surface->ids, slot);
	if (!is_any)
		return true;
	int last = -1;
	bool last_is_known = false;
	for (int i = 0; !is_swept && i < surface->pairs.count; ++i) {
		rbl_surface_pair pair = surface->pairs.data[i];
		if (pair.a != last) // they come in order
			last = pair.a, last_is_known = triangle_is_known(surface, pair.a);
		if (last_is_known && triangle_is_known(surface, pair.b) &&
		    !rbl_array_push(&surface->allocator, &worker->pairs, pair))
			return false;
	}
	for (int i = 0; is_swept && i < surface->hits.count; ++i)
		if (hit_is_known(surface, &surface->hits.data[i]) &&
		    !rbl_array_push(&surface->allocator, &worker->hits, surface->hits.data[i]))
			return false;
	return true;
}

// --- order ---------------------------------------------------------------------------------------

rbl_result rbl_narrow_sort_hits(rbl_surface *surface)
{
	int count = 0;
	for (int i = 0; i < surface->worker_count; ++i)
		count += surface->workers[i].hits.count;
	rbl_arena_reset(&surface->scratch);
	rbl_sort_item64 *items = RBL_ARENA_NEW(&surface->scratch, rbl_sort_item64, 2 * (size_t)count);
	if (!items)
		return RBL_OUT_OF_MEMORY;
	int placed = 0;
	for (int i = 0; i < surface->worker_count; ++i)
		for (int k = 0; k < surface->workers[i].hits.count; ++k) {
			const rbl_surface_hit *hit = &surface->workers[i].hits.data[k];
			items[placed++] = (rbl_sort_item64){ .key = rbl_hit_key(hit->kind, hit->a, hit->b),
				                                 .value = (uint32_t)k,
				                                 .extra = (uint32_t)i };
		}
	rbl_sort64(items, items + count, count);
	if (surface->places)
		return rbl_seams_list(surface, (rbl_seam_rest){ items, count }) ? RBL_OK
		                                                                : RBL_OUT_OF_MEMORY;
	if (!rbl_array_resize(&surface->allocator, &surface->hits, count))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i)
		surface->hits.data[i] = surface->workers[items[i].extra].hits.data[items[i].value];
	return RBL_OK;
}

void rbl_narrow_trim(rbl_surface *surface)
{
	const rbl_allocator *allocator = &surface->allocator;
	for (int i = 0; i < surface->worker_count; ++i) {
		if (surface->workers[i].pairs.capacity > LONG_LIST)
			rbl_array_free(allocator, &surface->workers[i].pairs);
		if (surface->workers[i].hits.capacity > LONG_LIST)
			rbl_array_free(allocator, &surface->workers[i].hits);
	}
	rbl_array_free(allocator, &surface->seam_triangles);
	rbl_arena_trim(&surface->seam_scratch, 4096);
	surface->places = NULL;
	// The answer stays, in less room where it had much more.
	int count = surface->hits.count, capacity = rbl_maxi(2 * count, LONG_LIST);
	if (surface->hits.capacity <= 2 * capacity)
		return;
	rbl_surface_hit *hits = RBL_NEW(allocator, rbl_surface_hit, capacity);
	if (!hits)
		return;
	memcpy(hits, surface->hits.data, (size_t)count * sizeof *hits);
	rbl_array_free(allocator, &surface->hits);
	surface->hits.data = hits, surface->hits.count = count, surface->hits.capacity = capacity;
}
