// SPDX-License-Identifier: MIT
//
// From pairs of triangles whose boxes overlap to what meets.
//
// At one instant pairs go to the tests of triangles by the batch; what those cannot decide and shares a
// vertex (neighbours in a plane, mostly) is settled by the flag of its fan. Over a step a pair of
// triangles is up to 15 pairs of features, so fans come first, and pairs that share nothing must not stay
// apart along an axis: each vertex and each edge belongs to one of its
// triangles, and a pair of triangles brings the vertices of one against the face of the other and
// the edges of both: so every pair of features comes once (the representative triangles of Curtis
// et al. 2008). They go through the filter in batches, and what is left through the certified test.

#include "surface/narrow.h"

#include "surface/triangle_pairs.h"
#include "surface/triangle_pairs_kernels.h"

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

// --- over a step -----------------------------------------------------------------------------------

static void push_hit(const rbl_surface *surface, rbl_surface_worker *worker,
                     rbl_surface_hit_kind kind, const rbl_ccd_quad *quad, const rbl_impact *impact)
{
	rbl_surface_hit hit = { .kind = kind,
		                    .a = quad->a,
		                    .b = quad->b,
		                    .is_at_start = impact->is_contact_at_start,
		                    .normal = rbl_to_f(impact->normal) };
	hit.time = (float)impact->time;
	if ((double)hit.time > impact->time) // never later than the truth
		hit.time = nextafterf(hit.time, 0.0f);
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

// The vertices that belong to triangle `a` against the face of `b`.
static void push_vertices(const rbl_surface *surface, rbl_surface_worker *worker, int a, int b)
{
	const int *face = surface->triangles + 3 * b;
	for (int h = 3 * a; h < 3 * a + 3; ++h) {
		int v = surface->triangles[h];
		if (surface->anchors[v] == h && v != face[0] && v != face[1] && v != face[2])
			push_quad(surface, worker, RBL_HIT_VERTEX_FACE,
			          (rbl_ccd_quad){ { v, face[0], face[1], face[2] }, v, b });
	}
}

// An edge belongs to its lower half-edge; one that is not manifold to the first of all.
static bool owns_edge(const rbl_surface *surface, int h)
{
	int twin = surface->twins[h];
	return twin >= 0 ? h < twin : twin != RBL_SURFACE_TANGLE_REST;
}

static void push_edges(const rbl_surface *surface, rbl_surface_worker *worker, int a, int b)
{
	for (int h = 3 * a; h < 3 * a + 3; ++h) {
		if (!owns_edge(surface, h))
			continue;
		int p = surface->triangles[h], q = surface->triangles[rbl_surface_next(h)];
		for (int g = 3 * b; g < 3 * b + 3; ++g) {
			if (!owns_edge(surface, g))
				continue;
			int r = surface->triangles[g], s = surface->triangles[rbl_surface_next(g)];
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

static void push_features(const rbl_surface *surface, rbl_surface_worker *worker, int a, int b)
{
	push_vertices(surface, worker, a, b);
	push_vertices(surface, worker, b, a);
	push_edges(surface, worker, a, b);
}

static void sweep_waiting(const rbl_surface *surface, rbl_surface_worker *worker)
{
	int kept[RBL_SURFACE_BATCH + 7];
	const rbl_surface_pair *pairs = worker->waiting;
	int count = RBL_PICK(rbl_triangle_pairs_stay_apart)(
		surface->positions[0], surface->positions[1], surface->triangles, &pairs->a,
		worker->waiting_count, surface->def.separation, kept);
	for (int i = 0; i < count; ++i)
		push_features(surface, worker, pairs[kept[i]].a, pairs[kept[i]].b);
	worker->waiting_count = 0;
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
			worker->waiting[worker->waiting_count++] = pairs[i];
			if (worker->waiting_count == RBL_SURFACE_BATCH)
				sweep_waiting(surface, worker);
			continue;
		}
		// With a separation, neighbours may be near each other without touching.
		if (surface->def.separation == 0.0f && is_settled(surface, worker, a, b)) {
			worker->counts.fan_settled++;
			continue;
		}
		push_features(surface, worker, pairs[i].a, pairs[i].b);
	}
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

// --- what is known -----------------------------------------------------------------------------------

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

// --- order -------------------------------------------------------------------------------------------

rbl_result rbl_narrow_sort_pairs(rbl_surface *surface)
{
	int count = 0;
	for (int i = 0; i < surface->worker_count; ++i)
		count += surface->workers[i].pairs.count;
	rbl_arena_reset(&surface->scratch);
	rbl_sort_item *items = RBL_ARENA_NEW(&surface->scratch, rbl_sort_item, 2 * (size_t)count);
	if (!items || !rbl_array_resize(&surface->allocator, &surface->pairs, count))
		return RBL_OUT_OF_MEMORY;
	// By the second, then by the first: the sort is stable, and items are half as large as for both at
	// once.
	int placed = 0;
	for (int i = 0; i < surface->worker_count; ++i)
		for (int k = 0; k < surface->workers[i].pairs.count; ++k) {
			rbl_surface_pair pair = surface->workers[i].pairs.data[k];
			items[placed++] = (rbl_sort_item){ (uint32_t)pair.b, (uint32_t)pair.a };
		}
	rbl_sort(items, items + count, count);
	for (int i = 0; i < count; ++i)
		items[i] = (rbl_sort_item){ items[i].value, items[i].key };
	rbl_sort(items, items + count, count);
	for (int i = 0; i < count; ++i)
		surface->pairs.data[i] = (rbl_surface_pair){ (int)items[i].key, (int)items[i].value };
	return RBL_OK;
}

rbl_result rbl_narrow_sort_hits(rbl_surface *surface)
{
	int count = 0;
	for (int i = 0; i < surface->worker_count; ++i)
		count += surface->workers[i].hits.count;
	rbl_arena_reset(&surface->scratch);
	rbl_sort_item64 *items = RBL_ARENA_NEW(&surface->scratch, rbl_sort_item64, 2 * (size_t)count);
	if (!items || !rbl_array_resize(&surface->allocator, &surface->hits, count))
		return RBL_OUT_OF_MEMORY;
	int placed = 0;
	for (int i = 0; i < surface->worker_count; ++i)
		for (int k = 0; k < surface->workers[i].hits.count; ++k) {
			const rbl_surface_hit *hit = &surface->workers[i].hits.data[k];
			// Half-edges and ids are below 2^30, so the kind fits above.
			uint64_t high = (uint64_t)hit->kind << 30 | (uint32_t)hit->a;
			items[placed++] = (rbl_sort_item64){ .key = high << 32 | (uint32_t)hit->b,
				                                 .value = (uint32_t)k,
				                                 .extra = (uint32_t)i };
		}
	rbl_sort64(items, items + count, count);
	for (int i = 0; i < count; ++i)
		surface->hits.data[i] = surface->workers[items[i].extra].hits.data[items[i].value];
	return RBL_OK;
}
