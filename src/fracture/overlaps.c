// SPDX-License-Identifier: MIT
//
// Overlapping convexes (Mueller et al. 2013, section 4.3): candidate pairs by their boxes, then
// the intersection of each pair.

#include "fracture/ghosts.h"

#include "base/sort.h"
#include "base/vec.h"
#include "fracture/compound.h"

enum { OVERLAP_BLOCK = 4 };

// Whether a face of one has all of the other in front of it.
static bool is_in_front(const rbl_convex_data *a, const rbl_convex_data *b)
{
	for (int f = 0; f < a->face_count; ++f) {
		double min = DBL_MAX;
		for (int v = 0; v < b->vertex_count && min > 0.0; ++v)
			min = rbl_mind(min, rbl_plane_distance_d(a->planes[f], b->vertices[v]));
		if (min > 0.0)
			return true;
	}
	return false;
}

bool rbl_convexes_are_apart(const rbl_convex_data *a, const rbl_convex_data *b)
{
	return is_in_front(a, b) || is_in_front(b, a);
}

// Volume and centre of what two convexes have in common; the volume is 0 when that is nothing.
static rbl_result measure_common(rbl_clipper *carving, const rbl_convex *a, const rbl_convex *b,
                                 double *volume, rbl_vec3d *centre)
{
	*volume = 0.0;
	rbl_convex_data da = rbl_convex_get_data(a), db = rbl_convex_get_data(b);
	if (rbl_convexes_are_apart(&da, &db))
		return RBL_OK;
	if (!rbl_clipper_load(carving, a))
		return RBL_OUT_OF_MEMORY;
	double tolerance = 1e-12 * rbl_length_d(rbl_box_size_d(rbl_convex_bounds(a)));
	rbl_cut_result cut = RBL_CUT_MISSED;
	for (int f = 0; f < db.face_count && cut < RBL_CUT_EMPTY; ++f)
		cut = rbl_clipper_cut(carving, db.planes[f], tolerance, db.plane_ids[f]);
	if (cut == RBL_CUT_NO_MEMORY)
		return RBL_OUT_OF_MEMORY;
	*volume = rbl_clipper_volume(carving, centre);
	return RBL_OK;
}

// What came of looking at two convexes.
typedef struct trial {
	rbl_adjacent_pair pair;
	bool is_overlap, is_tested;
	rbl_result result;
} trial;

static trial try_pair(const rbl_overlap_search *search, int a, int b, rbl_clipper *carving)
{
	trial made = { .result = RBL_OK };
	rbl_boxd box = rbl_convex_bounds(search->convexes[a]);
	if (!rbl_box_overlaps_d(box, rbl_convex_bounds(search->convexes[b])))
		return made;
	double volume;
	rbl_vec3d centre;
	made.result =
		measure_common(carving, search->convexes[a], search->convexes[b], &volume, &centre);
	made.is_tested = true;
	if (made.result != RBL_OK ||
	    !(volume > 1e-9 * rbl_mind(search->volumes[a], search->volumes[b])))
		return made;
	double side = rbl_length_d(rbl_box_size_d(box));
	made.pair = (rbl_adjacent_pair){ a, b, -1, -1, volume / side, centre, true, false };
	made.is_overlap = true;
	return made;
}

typedef struct trials {
	const rbl_overlap_search *search;
	rbl_clipper *carvings; // per worker
	trial *items;
} trials;

static void try_pairs(void *context, int begin, int end, int worker)
{
	const trials *t = context;
	const int *pairs = t->search->pairs;
	for (int i = begin; i < end; ++i)
		t->items[i] = try_pair(t->search, pairs[2 * i], pairs[2 * i + 1], &t->carvings[worker]);
}

// Ascending by a, then b.
static bool sort_contacts(const rbl_allocator *allocator, rbl_adjacent_pairs *pairs)
{
	int n = pairs->items.count;
	rbl_sort_item64 *items = RBL_NEW(allocator, rbl_sort_item64, 2 * (size_t)n + 1);
	rbl_adjacent_pair *sorted = RBL_NEW(allocator, rbl_adjacent_pair, (size_t)n + 1);
	bool done = items && sorted;
	for (int i = 0; i < n && done; ++i) {
		const rbl_adjacent_pair *c = &pairs->items.data[i];
		items[i] = (rbl_sort_item64){ (uint64_t)c->a << 32 | (uint32_t)c->b, (uint32_t)i, 0 };
	}
	if (done) {
		rbl_sort64(items, items + n, n);
		for (int i = 0; i < n; ++i)
			sorted[i] = pairs->items.data[items[i].value];
		if (n > 0)
			memcpy(pairs->items.data, sorted, (size_t)n * sizeof *sorted);
	}
	RBL_FREE(allocator, sorted, (size_t)n + 1);
	RBL_FREE(allocator, items, 2 * (size_t)n + 1);
	return done;
}

static rbl_result take_trials(const rbl_allocator *allocator, const trials *t,
                              rbl_adjacent_pairs *overlaps)
{
	for (int i = 0; i < t->search->pair_count; ++i) {
		const trial *made = &t->items[i];
		overlaps->tested_count += made->is_tested;
		if (made->is_overlap && !rbl_array_push(allocator, &overlaps->items, made->pair))
			return RBL_OUT_OF_MEMORY;
		if (made->result != RBL_OK)
			return made->result;
	}
	return sort_contacts(allocator, overlaps) ? RBL_OK : RBL_OUT_OF_MEMORY;
}

rbl_result rbl_find_overlaps(const rbl_allocator *allocator, const rbl_overlap_search *search,
                             rbl_adjacent_pairs *overlaps)
{
	size_t count = (size_t)search->pair_count + 1;
	int workers = rbl_jobs_worker_count(search->jobs);
	trials t = { .search = search };
	t.carvings = RBL_NEW(allocator, rbl_clipper, workers);
	t.items = RBL_NEW(allocator, trial, count);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (t.carvings && t.items) {
		for (int i = 0; i < workers; ++i)
			rbl_clipper_init(&t.carvings[i], allocator);
		rbl_parallel_for(search->jobs, search->pair_count, OVERLAP_BLOCK, try_pairs, &t);
		result = take_trials(allocator, &t, overlaps);
		for (int i = 0; i < workers; ++i)
			rbl_clipper_destroy(&t.carvings[i]);
	}
	RBL_FREE(allocator, t.items, count);
	RBL_FREE(allocator, t.carvings, workers);
	return result;
}

// --- which may ----------------------------------------------------------------------------------

// Pairs whose boxes overlap, by a sweep along x.
static bool sweep(const rbl_allocator *allocator, const rbl_boxd *boxes, int n,
                  const rbl_sort_item64 *items, const int *shells, const int *parts,
                  rbl_overlap_list *pairs)
{
	for (int i = 0; i < n; ++i) {
		int a = (int)items[i].value;
		for (int k = i + 1; k < n; ++k) {
			int b = (int)items[k].value;
			if (boxes[b].lower.x > boxes[a].upper.x)
				break;
			bool is_known = shells[a] == shells[b] && parts[a] != parts[b];
			if (is_known || !rbl_box_overlaps_d(boxes[a], boxes[b]))
				continue;
			if (!rbl_array_push(allocator, pairs, rbl_mini(a, b)) ||
			    !rbl_array_push(allocator, pairs, rbl_maxi(a, b)))
				return false;
		}
	}
	return true;
}

rbl_result rbl_list_near_pairs(const rbl_allocator *allocator, const rbl_convex *const *convexes,
                               int count, const int *shells, const int *parts,
                               rbl_overlap_list *pairs)
{
	size_t n = (size_t)count + 1;
	rbl_boxd *boxes = RBL_NEW(allocator, rbl_boxd, n);
	rbl_sort_item64 *items = RBL_NEW(allocator, rbl_sort_item64, 2 * n);
	bool done = boxes && items;
	for (int i = 0; i < count && done; ++i) {
		boxes[i] = rbl_convex_bounds(convexes[i]);
		items[i] = (rbl_sort_item64){ rbl_sort_key_double(boxes[i].lower.x), (uint32_t)i, 0 };
	}
	if (done) {
		rbl_sort64(items, items + count, count);
		done = sweep(allocator, boxes, count, items, shells, parts, pairs);
	}
	RBL_FREE(allocator, items, 2 * n);
	RBL_FREE(allocator, boxes, n);
	return done ? RBL_OK : RBL_OUT_OF_MEMORY;
}

rbl_result rbl_list_overlaps(const rbl_compound *compound, const int *slots,
                             rbl_adjacent_pairs *overlaps)
{
	const rbl_compound *c = compound;
	for (int i = 0; i < c->bonds.count; ++i) {
		const rbl_bond *bond = &c->bonds.data[i];
		if (bond->parts[0] < 0 || !bond->is_overlap)
			continue;
		int a = slots ? slots[bond->parts[0]] : bond->parts[0];
		int b = slots ? slots[bond->parts[1]] : bond->parts[1];
		rbl_adjacent_pair pair = { rbl_mini(a, b), rbl_maxi(a, b), -1,   -1, 0.0,
			                       bond->centre,   true,           false };
		if (!rbl_array_push(&c->allocator, &overlaps->items, pair))
			return RBL_OUT_OF_MEMORY;
	}
	return sort_contacts(&c->allocator, overlaps) ? RBL_OK : RBL_OUT_OF_MEMORY;
}
