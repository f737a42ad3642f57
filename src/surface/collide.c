// SPDX-License-Identifier: MIT
//
// Discrete collision: from pairs of triangles whose boxes overlap at one instant to those that
// intersect.
//
// Pairs within a body are tested in batches: planes and intervals in single precision first, eight
// at a time, then the exact test. What a batch cannot decide and shares a vertex (mostly coplanar
// neighbours) is culled by the fan of that vertex.
//
// A cluster is tested against several clusters of other bodies, and each of its triangles against
// several others. So its triangles are copied to a staging block, with their planes, when the
// first pair is found, and tests read that block. Vertices and triangles are prefetched some
// clusters ahead, since most of the time would go into waiting for them.

#include "surface/query.h"
#include "surface/surface_kernels.h"
#include "surface/cull.h"

#include "geometry/geometry.h"

// --- batches of pairs ---------------------------------------------------------------------------

enum { COLLIDE_CHUNK = 256 };

int rbl_surface_test_triangle_pairs(const rbl_vec3 *positions, const int *triangles,
                                    const int *pairs, int count, int *colliding,
                                    rbl_surface_pair_filter *filter, void *context)
{
	int kept =
		RBL_PICK(rbl_surface_filter_triangle_pairs)(positions, triangles, pairs, count, colliding);
	int found = 0, chunk[2 * COLLIDE_CHUNK];
	signed char answers[COLLIDE_CHUNK];
	for (int begin = 0; begin < kept; begin += COLLIDE_CHUNK) {
		int here = kept - begin < COLLIDE_CHUNK ? kept - begin : COLLIDE_CHUNK;
		for (int i = 0; i < here; ++i) {
			const int *pair = pairs + 2 * (size_t)colliding[begin + i];
			chunk[2 * i] = pair[0], chunk[2 * i + 1] = pair[1];
		}
		RBL_PICK(rbl_surface_decide_triangle_pairs)(positions, triangles, chunk, here, answers);
		for (int i = 0; i < here; ++i) {
			const int *a = triangles + 3 * (size_t)chunk[2 * i];
			const int *b = triangles + 3 * (size_t)chunk[2 * i + 1];
			if (answers[i] > 0 || (answers[i] == 0 && !(filter && filter(context, a, b)) &&
			                       rbl_indexed_triangles_meet_float(positions, a, b)))
				colliding[found++] = colliding[begin + i];
		}
	}
	return found;
}

// --- within a body ------------------------------------------------------------------------------

// Whether the fan of a shared vertex culls a pair: no test is needed.
bool rbl_surface_fan_separates(const rbl_surface *surface, rbl_surface_worker *worker, const int *a,
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

static bool cull_by_fan(void *context, const int *a, const int *b)
{
	const fan_context *c = context;
	bool result = rbl_surface_fan_separates(c->surface, c->worker, a, b);
	c->worker->counts.fan_culled += result;
	return result;
}

// Who looks for any pair has one then. Edges and points without faces are no triangles.
static void push_pair(const rbl_surface *surface, rbl_surface_worker *worker, rbl_surface_pair pair)
{
	if (rbl_surface_is_loose(surface, pair.a) || rbl_surface_is_loose(surface, pair.b))
		return;
	if (rbl_surface_has_pair_filters(surface) &&
	    !rbl_surface_wants_triangles(surface, pair.a, pair.b))
		return;
	if (!rbl_array_push(&surface->allocator, &worker->pairs, pair))
		worker->is_out_of_memory = true;
	if (!surface->bound)
		return;
	worker->has_found = true;
	rbl_shared_minimum_lower(surface->bound, 0.0f);
}

// Doubles are tested as they are.
static int test_exact_pairs(const rbl_surface *surface, rbl_surface_worker *worker,
                            const rbl_surface_pair *pairs, int count, int *colliding)
{
	int found = 0;
	for (int i = 0; i < count; ++i) {
		const int *a = surface->triangles + 3 * (size_t)pairs[i].a;
		const int *b = surface->triangles + 3 * (size_t)pairs[i].b;
		int corners[2][3] = { { 0, 1, 2 }, { 3, 4, 5 } };
		rbl_vec3d positions[6];
		bool is_shared = false;
		for (int k = 0; k < 3; ++k) {
			positions[k] = rbl_surface_exact(surface, a[k], 1);
			positions[3 + k] = rbl_surface_exact(surface, b[k], 1);
			for (int j = 0; j < 3; ++j)
				if (b[k] == a[j])
					corners[1][k] = j, is_shared = true;
		}
		fan_context context = { surface, worker };
		if (!(is_shared && cull_by_fan(&context, a, b)) &&
		    rbl_indexed_triangles_meet(positions, corners[0], corners[1]))
			colliding[found++] = i;
	}
	return found;
}

static void test_triangles(const rbl_surface *surface, rbl_surface_worker *worker)
{
	int colliding[RBL_SURFACE_BATCH + 7], count = worker->waiting_count;
	const rbl_surface_pair *pairs = worker->waiting;
	fan_context context = { surface, worker };
	int found =
		worker->gap > 0.0f
			? test_exact_pairs(surface, worker, pairs, count, colliding)
			: rbl_surface_test_triangle_pairs(surface->positions[1], surface->triangles, &pairs->a,
	                                          count, colliding, cull_by_fan, &context);
	worker->counts.tests += count;
	worker->counts.false_tests += count - found;
	for (int i = 0; i < found; ++i)
		push_pair(surface, worker, pairs[colliding[i]]);
	worker->waiting_count = 0;
}

void rbl_surface_collide_pairs(const rbl_surface *surface, rbl_surface_worker *worker,
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

// --- clusters of different bodies ---------------------------------------------------------------

// Clusters between prefetching triangles, prefetching vertices, and reading them.
enum { COLLIDE_AHEAD = 4, LANES = RBL_SURFACE_CLUSTER_SIZE };

static const int32_t *triangles_of(const rbl_surface *surface, const rbl_surface_staging *staging,
                                   int place)
{
	return surface->cluster_data[staging->clusters[place]].triangles;
}

// @return where a cluster is staged, or -1
static int find(const rbl_surface_staging *staging, uint32_t cluster)
{
	int place = staging->places[cluster % RBL_STAGING_TABLE];
	return place < staging->cluster_count && staging->clusters[place] == cluster ? place : -1;
}

static void prefetch_cluster_corners(const rbl_surface *surface, const rbl_surface_staging *staging,
                                     int place)
{
	if (rbl_surface_has_corners(surface)) {
		const rbl_surface_cluster_corners *corners =
			rbl_surface_corners(surface, staging->clusters[place]);
		rbl_prefetch(&corners->vertices[0]);
		rbl_prefetch(&corners->vertices[2]);
		return;
	}
	const int32_t *ids = triangles_of(surface, staging, place);
	for (int lane = 0; lane < LANES; ++lane)
		rbl_prefetch(&surface->triangles[3 * (ptrdiff_t)ids[lane]]);
}

static void prefetch_cluster_vertices(const rbl_surface *surface, rbl_surface_staging *staging)
{
	int place = staging->prefetched_count++;
	const rbl_vec3 *positions = surface->positions[1];
	const int32_t *ids = triangles_of(surface, staging, place);
	if (rbl_surface_has_corners(surface)) {
		const int32_t *corners =
			rbl_surface_corners(surface, staging->clusters[place])->vertices[0];
		for (int i = 0; i < 3 * LANES; ++i)
			rbl_prefetch(positions + corners[i]);
		return;
	}
	for (int lane = 0; lane < LANES && ids[lane] >= 0; ++lane) {
		const int *corners = surface->triangles + 3 * (size_t)ids[lane];
		for (int k = 0; k < 3; ++k)
			rbl_prefetch(positions + corners[k]);
	}
}

static void fill(const rbl_surface *surface, rbl_surface_staging *staging)
{
	int place = staging->filled_count++;
	uint32_t cluster = staging->clusters[place];
	rbl_surface_cluster_corners found;
	const rbl_surface_cluster_corners *corners = &found;
	if (rbl_surface_has_corners(surface))
		corners = rbl_surface_corners(surface, cluster);
	else
		rbl_surface_read_cluster_corners(&found, &surface->cluster_data[cluster],
		                                 surface->triangles);
	RBL_PICK(rbl_surface_stage_triangles)
	(staging->triangles + LANES * place, surface->positions[1], corners->vertices);
}

static void add(const rbl_surface *surface, rbl_surface_staging *staging, uint32_t cluster)
{
	int place = staging->cluster_count++;
	staging->clusters[place] = cluster;
	staging->places[cluster % RBL_STAGING_TABLE] = (unsigned char)place;
	prefetch_cluster_corners(surface, staging, place);
	if (staging->prefetched_count + COLLIDE_AHEAD < staging->cluster_count)
		prefetch_cluster_vertices(surface, staging);
	if (staging->filled_count + COLLIDE_AHEAD < staging->prefetched_count)
		fill(surface, staging);
}

void rbl_surface_collide_clusters(const rbl_surface *surface, rbl_surface_worker *worker,
                                  uint32_t a, uint32_t b)
{
	rbl_surface_staging *staging = &worker->staging;
	if (staging->cluster_count + 2 > RBL_STAGING_CLUSTERS ||
	    staging->pair_count + LANES * LANES > RBL_STAGING_PAIRS)
		rbl_surface_collide_staged(surface, worker);
	int a_place = find(staging, a), b_place = find(staging, b), next = staging->cluster_count;
	bool a_is_new = a_place < 0, b_is_new = b_place < 0;
	a_place = a_is_new ? next++ : a_place;
	b_place = b_is_new ? next : b_place;
	rbl_surface_staged_cluster of_a = { &surface->cluster_data[a], &staging->boxes[a_place],
		                                LANES * a_place, a_is_new };
	rbl_surface_staged_cluster of_b = { &surface->cluster_data[b], &staging->boxes[b_place],
		                                LANES * b_place, b_is_new };
	int count = RBL_PICK(rbl_surface_staged_cluster_pairs)(&of_a, &of_b,
	                                                       staging->pairs + staging->pair_count);
	worker->counts.candidates += count;
	staging->pair_count += count;
	if (count > 0 && a_is_new)
		add(surface, staging, a);
	if (count > 0 && b_is_new)
		add(surface, staging, b);
}

static rbl_surface_pair pair_of(const rbl_surface *surface, const rbl_surface_staging *staging,
                                rbl_surface_staged_pair pair)
{
	int first = (int)(pair & 0xffffu), second = (int)(pair >> 16);
	int a = triangles_of(surface, staging, first / LANES)[first % LANES];
	int b = triangles_of(surface, staging, second / LANES)[second % LANES];
	return a < b ? (rbl_surface_pair){ a, b } : (rbl_surface_pair){ b, a };
}

void rbl_surface_collide_staged(const rbl_surface *surface, rbl_surface_worker *worker)
{
	rbl_surface_staging *staging = &worker->staging;
	while (staging->prefetched_count < staging->cluster_count)
		prefetch_cluster_vertices(surface, staging);
	while (staging->filled_count < staging->cluster_count)
		fill(surface, staging);
	rbl_surface_staged_pair open[RBL_STAGING_PAIRS + 1];
	int count = staging->pair_count, open_count = 0;
	int found = RBL_PICK(rbl_surface_test_staged)(staging->triangles, staging->pairs, count, open,
	                                              &open_count);
	const int *triangles = surface->triangles;
	for (int i = 0; i < open_count; ++i) {
		rbl_surface_pair pair = pair_of(surface, staging, open[i]);
		if (rbl_indexed_triangles_meet_float(surface->positions[1], triangles + 3 * (size_t)pair.a,
		                                     triangles + 3 * (size_t)pair.b))
			staging->pairs[found++] = open[i];
	}
	for (int i = 0; i < found; ++i)
		push_pair(surface, worker, pair_of(surface, staging, staging->pairs[i]));
	worker->counts.tests += count;
	worker->counts.false_tests += count - found;
	staging->pair_count = staging->cluster_count = staging->prefetched_count =
		staging->filled_count = 0;
}

void rbl_surface_finish_collide(const rbl_surface *surface, rbl_surface_worker *worker)
{
	if (worker->waiting_count > 0)
		test_triangles(surface, worker);
	if (worker->staging.pair_count > 0)
		rbl_surface_collide_staged(surface, worker);
}
