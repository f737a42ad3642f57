// SPDX-License-Identifier: MIT
//
// Searches: how much of a step can be taken, whether anything touches, the first impacts, and
// candidates that are kept to be asked again.
//
// A search is a query with a bound in time (query.h). The first impact that is found lowers it, and
// from then on all filters look at the step up to there: boxes of triangles at both ends,
// separating directions, contours, fans. A bound of 0 ends the search. Of several earliest impacts
// each worker keeps a list, cut back to as many as were asked for when it is twice that long, and
// the time of its last is a bound for all.
//
// Candidates are what the filters of features leave of the whole step, for a distance. Whatever is
// asked of the same step afterwards goes through that list instead of the trees.

#include "surface/query.h"
#include "surface/seam.h"

#include "base/clock.h"
#include "base/log.h"

enum {
	SHARED_CANDIDATES = 512, // that a worker takes at a time
	LEAST_TRIM = 64,         // hits beyond the limit, before a list is cut back
};

// Motion of less than this share of an edge counts as little, and so many edges are measured.
#define STILL_SHARE 0x1p-6
enum { SAMPLED_EDGES = 64 };

// Coordinates beyond this are not interpolated.
#define LARGEST_COORDINATE 1e37f

void rbl_surface_lower_until(const rbl_surface *surface, rbl_surface_worker *worker, float bound)
{
	// Times are rounded down: those at the bound may be later by a rounding.
	float until = bound * (1.0f + 0x1p-20f) + 1e-30f;
	if (!(until < 0.8f * worker->until))
		return;
	// Boxes that are compared must be of one time; those of the start stay what they are.
	if (!(worker->until <= surface->still_until))
		memset(worker->sweep_staging.clusters, 0, sizeof worker->sweep_staging.clusters);
	worker->until = until;
}

// The mean length of some edges at the start.
static double sampled_edge_length(const rbl_surface *surface)
{
	double sum = 0.0;
	int count = 0, stride = 1 + surface->cluster_end / SAMPLED_EDGES;
	for (int cluster = 0; cluster < surface->cluster_end; cluster += stride) {
		const rbl_surface_cluster *from = &surface->cluster_data[cluster];
		if (from->count == 0)
			continue;
		const int *v = surface->triangles + 3 * (size_t)from->triangles[0];
		sum += (double)rbl_distance(surface->starts[v[0]], surface->starts[v[1]]);
		count++;
	}
	return count > 0 ? sum / count : 0.0;
}

void rbl_surface_measure_drift(rbl_surface *surface)
{
	rbl_box all = rbl_box_empty();
	for (int slot = 0; slot < surface->bodies.count; ++slot)
		if (rbl_id_pool_is_live(&surface->ids, slot))
			all = rbl_box_join(all, surface->bodies.data[slot].displacements);
	// Displacements are off by a rounding of themselves.
	surface->drift = 1.00001f * rbl_length(rbl_box_size(all));
	double little = (double)STILL_SHARE * sampled_edge_length(surface);
	if (surface->drift < 1e18f)
		surface->still_until = (float)rbl_mind(0.5, little / ((double)surface->drift + 1e-30));
}

// --- the earliest impacts -----------------------------------------------------------------------

// By time, then as lists of hits are.
static void sort_by_time(const rbl_surface_hit *hits, rbl_sort_item64 *items, int count)
{
	for (int i = 0; i < count; ++i)
		items[i] =
			(rbl_sort_item64){ .key = rbl_surface_hit_key(hits[i].kind, hits[i].a, hits[i].b),
			                   .value = (uint32_t)i };
	rbl_sort64(items, items + count, count);
	for (int i = 0; i < count; ++i)
		items[i].key = rbl_shared_minimum_bits(hits[items[i].value].time);
	rbl_sort64(items, items + count, count);
}

// Keep the earliest of a list in order. @return false when memory ran out
static bool keep_earliest(const rbl_surface *surface, rbl_surface_worker *worker, int limit)
{
	int count = worker->hits.count, kept = rbl_mini(count, limit);
	rbl_sort_item64 *items = RBL_NEW(&surface->allocator, rbl_sort_item64, 2 * (size_t)count);
	rbl_surface_hit *hits = RBL_NEW(&surface->allocator, rbl_surface_hit, (size_t)kept);
	bool is_good = items && hits;
	if (is_good) {
		sort_by_time(worker->hits.data, items, count);
		for (int i = 0; i < kept; ++i)
			hits[i] = worker->hits.data[items[i].value];
		memcpy(worker->hits.data, hits, (size_t)kept * sizeof *hits);
		worker->hits.count = kept;
	}
	RBL_FREE(&surface->allocator, hits, (size_t)kept);
	RBL_FREE(&surface->allocator, items, 2 * (size_t)count);
	return is_good;
}

void rbl_surface_take_earliest(const rbl_surface *surface, rbl_surface_worker *worker,
                               const rbl_surface_hit *hit)
{
	if (hit->is_parting || hit->time > rbl_shared_minimum_get(surface->bound))
		return;
	int limit = surface->question.limit;
	worker->has_found = true;
	if (limit == 0) {
		rbl_shared_minimum_lower(surface->bound, surface->question.is_any ? 0.0f : hit->time);
		return;
	}
	if (!rbl_array_push(&surface->allocator, &worker->hits, *hit)) {
		worker->is_out_of_memory = true;
		return;
	}
	if (worker->hits.count < limit || worker->hits.count - limit < rbl_maxi(limit, LEAST_TRIM))
		return;
	if (!keep_earliest(surface, worker, limit))
		worker->is_out_of_memory = true;
	else
		rbl_shared_minimum_lower(surface->bound, worker->hits.data[limit - 1].time);
}

rbl_result rbl_surface_sort_earliest(rbl_surface *surface)
{
	int limit = surface->question.limit;
	rbl_surface_worker *first = &surface->workers[0];
	for (int i = 1; i < surface->worker_count; ++i)
		for (int k = 0; k < surface->workers[i].hits.count; ++k)
			if (!rbl_array_push(&surface->allocator, &first->hits,
			                    surface->workers[i].hits.data[k]))
				return RBL_OUT_OF_MEMORY;
	if (first->hits.count > 0 && !keep_earliest(surface, first, limit))
		return RBL_OUT_OF_MEMORY;
	if (!rbl_array_resize(&surface->allocator, &surface->hits, first->hits.count))
		return RBL_OUT_OF_MEMORY;
	if (first->hits.count > 0)
		memcpy(surface->hits.data, first->hits.data,
		       (size_t)first->hits.count * sizeof *first->hits.data);
	return RBL_OK;
}

// --- candidates ---------------------------------------------------------------------------------

typedef struct candidate_search {
	rbl_surface *surface;
	float share; // of a proximity query
	rbl_result result;
} candidate_search;

static const rbl_surface_body *body_of_triangle(const rbl_surface *surface, int triangle)
{
	return &surface->bodies.data[surface->cluster_data[surface->clusters[triangle]].body];
}

static void use_gap_of(const rbl_surface *surface, rbl_surface_worker *worker,
                       const rbl_surface_candidate *c)
{
	bool is_face = c->kind == RBL_HIT_VERTEX_FACE;
	const rbl_surface_body *a =
		body_of_triangle(surface, (is_face ? surface->anchors[c->a] : c->a) / 3);
	const rbl_surface_body *b = body_of_triangle(surface, is_face ? c->b : c->b / 3);
	rbl_surface_use_gap(surface, worker, rbl_surface_gap(surface, a, b),
	                    rbl_surface_test_thickness(surface, a, b));
}

static void sweep_candidates(void *context, int begin, int end, int index)
{
	const candidate_search *s = context;
	const rbl_surface *surface = s->surface;
	rbl_surface_worker *worker = &s->surface->workers[index];
	for (int i = begin; i < end && !rbl_surface_is_over(surface); ++i) {
		const rbl_surface_candidate *c = &surface->candidates.data[i];
		rbl_ccd_quad quad = { .a = c->a, .b = c->b };
		rbl_surface_feature_vertices(surface, (rbl_surface_hit_kind)c->kind, c->a, c->b,
		                             quad.vertices);
		use_gap_of(surface, worker, c);
		rbl_surface_sweep_features(surface, worker, (rbl_surface_hit_kind)c->kind, &quad);
	}
	rbl_surface_finish_sweep(surface, worker);
}

static void measure_candidates(void *context, int begin, int end, int index)
{
	const candidate_search *s = context;
	const rbl_surface *surface = s->surface;
	rbl_surface_worker *worker = &s->surface->workers[index];
	for (int i = begin; i < end; ++i) {
		const rbl_surface_candidate *c = &surface->candidates.data[i];
		rbl_surface_hit hit = {
			.kind = (rbl_surface_hit_kind)c->kind, .a = c->a, .b = c->b, .time = s->share
		};
		double distance = rbl_surface_distance_at(surface, &hit, (double)s->share);
		int v[4];
		rbl_surface_feature_vertices(surface, hit.kind, c->a, c->b, v);
		if (distance <= (double)surface->question.distance &&
		    rbl_surface_wants_features(surface, hit.kind, c->a, c->b, v,
		                               surface->question.distance) &&
		    rbl_surface_allows(surface, hit.kind, c->a, c->b) &&
		    !rbl_array_push(&surface->allocator, &worker->hits, hit))
			worker->is_out_of_memory = true;
	}
}

static void ask_candidates(rbl_worker_group *workers, void *context)
{
	candidate_search *s = context;
	rbl_surface *surface = s->surface;
	bool is_near = surface->question.kind == RBL_ASKS_PROXIMITY;
	if (!rbl_surface_prepare_workers(surface)) {
		s->result = RBL_OUT_OF_MEMORY;
		return;
	}
	rbl_worker_group_for(workers, surface->candidates.count, SHARED_CANDIDATES,
	                     is_near ? measure_candidates : sweep_candidates, s);
	for (int i = 0; i < surface->worker_count; ++i)
		if (surface->workers[i].is_out_of_memory)
			s->result = RBL_OUT_OF_MEMORY;
	if (s->result == RBL_OK)
		s->result = is_near ? rbl_surface_sort_near_pairs(surface, workers)
		                    : rbl_surface_sort_earliest(surface);
}

// Put a question to the candidates that are kept.
static rbl_result run_candidates(rbl_surface *surface, float share)
{
	uint64_t begin = rbl_clock_ns();
	candidate_search search = { surface, share, RBL_OK };
	bool is_shared = surface->candidates.count > 2 * SHARED_CANDIDATES;
	surface->has_answer = false;
	surface->places = NULL;
	surface->starts = surface->positions[0];
	rbl_run_worker_group(is_shared ? surface->def.jobs : NULL, ask_candidates, &search);
	surface->stats.query_ns = rbl_clock_ns() - begin;
	return search.result;
}

rbl_result rbl_surface_keep_candidates(rbl_surface *surface, float distance, int *count)
{
	if (count)
		*count = 0;
	if (!surface || !count)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or count is NULL");
	if (!(distance >= 0.0f && distance <= FLT_MAX))
		return rbl_fail(RBL_BAD_ARGUMENT, "distance is %g, must be finite and at least 0",
		                (double)distance);
	if (!surface->is_ready || surface->motion != RBL_SURFACE_CONTINUOUS)
		return rbl_fail(RBL_BAD_ARGUMENT, "a continuous update must come first");
	surface->has_candidates = false;
	surface->question = (rbl_surface_question){ .kind = RBL_ASKS_CANDIDATES, .distance = distance };
	surface->asked_distance = rbl_maxf(surface->asked_distance, distance);
	rbl_result result = rbl_surface_run_query(surface);
	if (result != RBL_OK)
		return result;
	if (!rbl_array_resize(&surface->allocator, &surface->candidates, surface->hits.count))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < surface->hits.count; ++i) {
		const rbl_surface_hit *hit = &surface->hits.data[i];
		surface->candidates.data[i] = (rbl_surface_candidate){ (int32_t)hit->kind, hit->a, hit->b };
	}
	surface->has_candidates = true;
	surface->candidate_distance = distance;
	*count = surface->candidates.count;
	return RBL_OK;
}

rbl_result rbl_surface_proximity_at(rbl_surface *surface, float share, float distance,
                                    rbl_surface_near_pairs *list)
{
	if (list)
		*list = (rbl_surface_near_pairs){ NULL, 0 };
	if (!surface || !list)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or list is NULL");
	if (!(share >= 0.0f && share <= 1.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "share is %g, must be 0 to 1", (double)share);
	if (!surface->is_ready || !surface->has_candidates)
		return rbl_fail(RBL_BAD_ARGUMENT, "no candidates are kept since the last change");
	if (!(distance >= 0.0f && distance <= surface->candidate_distance))
		return rbl_fail(RBL_BAD_ARGUMENT, "distance is %g, must be 0 to the candidates' %g",
		                (double)distance, (double)surface->candidate_distance);
	surface->question = (rbl_surface_question){ .kind = RBL_ASKS_PROXIMITY, .distance = distance };
	rbl_result result = run_candidates(surface, share);
	if (result == RBL_OK)
		*list = (rbl_surface_near_pairs){ surface->near_pairs.data, surface->near_pairs.count };
	surface->listed = result == RBL_OK ? RBL_LISTS_NEAR_PAIRS : RBL_LISTS_NOTHING;
	return result;
}

// --- searches -----------------------------------------------------------------------------------

// What filters must keep features apart by beyond the gap, before the end of the step.
static float until_rounding(const rbl_surface *surface)
{
	float largest = 0.0f;
	for (int slot = 0; slot < surface->bodies.count; ++slot) {
		if (!rbl_id_pool_is_live(&surface->ids, slot))
			continue;
		rbl_box box = surface->bodies.data[slot].tree.bounds;
		rbl_vec3 most =
			rbl_max(rbl_max(box.upper, rbl_neg(box.upper)), rbl_max(box.lower, rbl_neg(box.lower)));
		largest = rbl_maxf(largest, rbl_maxf(most.x, rbl_maxf(most.y, most.z)));
	}
	return largest <= LARGEST_COORDINATE ? rbl_ccd_until_rounding(largest) : -1.0f;
}

static rbl_result run_search(rbl_surface *surface, float until, rbl_surface_question question,
                             float *bound, bool *has_found)
{
	rbl_shared_minimum minimum;
	rbl_shared_minimum_init(&minimum, until);
	surface->question = question;
	surface->bound = &minimum;
	surface->until_rounding = until_rounding(surface);
	surface->still_until = surface->drift = 0.0f;
	bool is_kept = surface->has_candidates && question.kind == RBL_ASKS_EARLIEST;
	rbl_result result = is_kept ? run_candidates(surface, 0.0f) : rbl_surface_run_query(surface);
	surface->bound = NULL;
	surface->still_until = 0.0f;
	if (result != RBL_OK)
		return result;
	*bound = rbl_shared_minimum_get(&minimum);
	*has_found = false;
	for (int i = 0; i < surface->worker_count; ++i)
		*has_found |= surface->workers[i].has_found;
	return RBL_OK;
}

static rbl_result check(const rbl_surface *surface, const void *answer, float until,
                        rbl_surface_motion motion)
{
	if (!surface || !answer)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface, or where the answer goes, is NULL");
	if (!(until > 0.0f && until <= 1.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "until is %g, must be above 0 and at most 1",
		                (double)until);
	if (!surface->is_ready || surface->motion != motion)
		return rbl_fail(RBL_BAD_ARGUMENT, "a %s update must come first",
		                motion == RBL_SURFACE_CONTINUOUS ? "continuous" : "discrete");
	return RBL_OK;
}

rbl_result rbl_surface_max_step(rbl_surface *surface, float until, float *share)
{
	rbl_result result = check(surface, share, until, RBL_SURFACE_CONTINUOUS);
	float bound = 0.0f;
	bool has_found;
	if (result == RBL_OK)
		result = run_search(surface, until, (rbl_surface_question){ .kind = RBL_ASKS_EARLIEST },
		                    &bound, &has_found);
	if (share)
		*share = result == RBL_OK ? bound : 0.0f;
	return result;
}

rbl_result rbl_surface_has_hit(rbl_surface *surface, float until, bool *has_hit)
{
	rbl_result result = check(surface, has_hit, until, RBL_SURFACE_CONTINUOUS);
	float bound;
	bool has_found = false;
	if (result == RBL_OK)
		result = run_search(surface, until,
		                    (rbl_surface_question){ .kind = RBL_ASKS_EARLIEST, .is_any = true },
		                    &bound, &has_found);
	if (has_hit)
		*has_hit = has_found;
	return result;
}

rbl_result rbl_surface_has_pair(rbl_surface *surface, bool *has_pair)
{
	rbl_result result = check(surface, has_pair, 1.0f, RBL_SURFACE_DISCRETE);
	float bound;
	bool has_found = false;
	if (result == RBL_OK)
		result = run_search(surface, 1.0f,
		                    (rbl_surface_question){ .kind = RBL_ASKS_ANY_PAIR, .is_any = true },
		                    &bound, &has_found);
	if (has_pair)
		*has_pair = has_found;
	return result;
}

rbl_result rbl_surface_first_hits(rbl_surface *surface, float until, int max_count,
                                  rbl_surface_hits *hits)
{
	if (hits)
		*hits = (rbl_surface_hits){ NULL, 0 };
	rbl_result result = check(surface, hits, until, RBL_SURFACE_CONTINUOUS);
	if (result == RBL_OK && max_count < 1)
		result = rbl_fail(RBL_BAD_ARGUMENT, "max_count is %d, must be 1 or more", max_count);
	float bound;
	bool has_found;
	if (result == RBL_OK)
		result = run_search(surface, until,
		                    (rbl_surface_question){ .kind = RBL_ASKS_EARLIEST, .limit = max_count },
		                    &bound, &has_found);
	if (result == RBL_OK)
		*hits = (rbl_surface_hits){ surface->hits.data, surface->hits.count };
	surface->listed = result == RBL_OK ? RBL_LISTS_HITS : RBL_LISTS_NOTHING;
	return result;
}
