// SPDX-License-Identifier: MIT
//
// Convexes that overlap (Mueller et al. 2013, section 4.3).
//
// Artists do not weld columns to roofs. Two convexes that overlap hang together, and what they have
// in common must not count twice. The paper makes a ghost for each pair and stops there; here the
// rule goes on: a common part of three counts positive again, of four negative, and so on, which is
// inclusion and exclusion and exact for any number. A convex that lies in another altogether would
// double the number of common parts without changing a sum; it is left out of the sums instead, so
// a hundred equal convexes are one and not two to the hundredth.

#include "fracture/ghosts.h"

#include "base/sort.h"
#include "base/vec.h"
#include "fracture/compound.h"

enum { MOST_PER_CONVEX = 64, PAIR_BLOCK = 4 };

// --- pairs --------------------------------------------------------------------------------------

// Whether a face of one has all of the other in front of it.
static bool is_apart(const rbl_convex_data *a, const rbl_convex_data *b)
{
	for (int f = 0; f < a->face_count; ++f) {
		double least = DBL_MAX;
		for (int v = 0; v < b->vertex_count && least > 0.0; ++v)
			least = rbl_mind(least, rbl_plane_distance_d(a->planes[f], b->vertices[v]));
		if (least > 0.0)
			return true;
	}
	return false;
}

// The common part of two convexes. @return RBL_OK; *common is NULL when they do not overlap
static rbl_result intersect(rbl_carving *carving, const rbl_convex *a, const rbl_convex *b,
                            double volume_a, double volume_b, rbl_convex **common, rbl_mass *mass)
{
	*common = NULL;
	rbl_convex_data da = rbl_convex_view(a), db = rbl_convex_view(b);
	if (is_apart(&da, &db) || is_apart(&db, &da))
		return RBL_OK;
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (rbl_carving_load(carving, a)) {
		double tolerance = 1e-12 * rbl_length_d(rbl_box_size_d(rbl_convex_bounds(a)));
		rbl_cut_result cut = RBL_CUT_MISSED;
		for (int f = 0; f < db.face_count && cut < RBL_CUT_EMPTY; ++f)
			cut = rbl_carving_cut(carving, db.planes[f], tolerance, db.plane_ids[f]);
		if (cut != RBL_CUT_NO_MEMORY)
			result = rbl_convex_from_carving(carving, &carving->allocator, common);
	}
	if (!*common)
		return result;
	*mass = rbl_convex_mass(*common);
	if (!(mass->volume > 1e-9 * rbl_mind(volume_a, volume_b))) {
		rbl_destroy_convex(*common);
		*common = NULL;
	}
	return result;
}

// Volume and centre of what two convexes have in common; the volume is 0 when that is nothing.
static rbl_result measure_common(rbl_carving *carving, const rbl_convex *a, const rbl_convex *b,
                                 double *volume, rbl_vec3d *centre)
{
	*volume = 0.0;
	rbl_convex_data da = rbl_convex_view(a), db = rbl_convex_view(b);
	if (is_apart(&da, &db) || is_apart(&db, &da))
		return RBL_OK;
	if (!rbl_carving_load(carving, a))
		return RBL_OUT_OF_MEMORY;
	double tolerance = 1e-12 * rbl_length_d(rbl_box_size_d(rbl_convex_bounds(a)));
	rbl_cut_result cut = RBL_CUT_MISSED;
	for (int f = 0; f < db.face_count && cut < RBL_CUT_EMPTY; ++f)
		cut = rbl_carving_cut(carving, db.planes[f], tolerance, db.plane_ids[f]);
	if (cut == RBL_CUT_NO_MEMORY)
		return RBL_OUT_OF_MEMORY;
	*volume = rbl_carving_volume(carving, centre);
	return RBL_OK;
}

typedef struct sweeper {
	const rbl_allocator *allocator;
	const rbl_overlap_search *search;
	rbl_boxd *boxes;
	double *volumes;
	rbl_sort_item64 *items;
	rbl_carving *carvings; // per worker
	rbl_contacts *overlaps;
} sweeper;

// What came of looking at two convexes.
typedef struct trial {
	rbl_contact contact;
	bool is_overlap, is_tested;
	rbl_result result;
} trial;

static trial try_pair(const sweeper *s, int a, int b, rbl_carving *carving)
{
	const rbl_overlap_search *search = s->search;
	trial made = { .result = RBL_OK };
	if (a > b) {
		int swap = a;
		a = b, b = swap;
	}
	if (a >= search->fixed_from || (search->groups && search->groups[a] != search->groups[b]))
		return made;
	if (search->families && search->families[a] == search->families[b] &&
	    search->members[a] != search->members[b])
		return made;
	rbl_boxd box = s->boxes ? s->boxes[a] : rbl_convex_bounds(search->convexes[a]);
	if (!rbl_box_overlaps_d(box, s->boxes ? s->boxes[b] : rbl_convex_bounds(search->convexes[b])))
		return made;
	double volume;
	rbl_vec3d centre;
	made.result =
		measure_common(carving, search->convexes[a], search->convexes[b], &volume, &centre);
	made.is_tested = true;
	const double *volumes = s->volumes ? s->volumes : search->volumes;
	if (made.result != RBL_OK || !(volume > 1e-9 * rbl_mind(volumes[a], volumes[b])))
		return made;
	double side = rbl_length_d(rbl_box_size_d(box));
	made.contact = (rbl_contact){ a, b, -1, -1, volume / side, centre, true, false };
	made.is_overlap = true;
	return made;
}

static rbl_result take_trial(sweeper *s, const trial *made)
{
	s->overlaps->tested_count += made->is_tested;
	if (made->is_overlap && !rbl_array_push(s->allocator, &s->overlaps->items, made->contact))
		return RBL_OUT_OF_MEMORY;
	return made->result;
}

typedef struct pair_trials {
	const sweeper *s;
	trial *trials;
} pair_trials;

static void try_pairs(void *context, int begin, int end, int worker)
{
	const pair_trials *p = context;
	const int *pairs = p->s->search->pairs;
	for (int i = begin; i < end; ++i)
		p->trials[i] = try_pair(p->s, pairs[2 * i], pairs[2 * i + 1], &p->s->carvings[worker]);
}

static rbl_result try_given_pairs(sweeper *s)
{
	int count = s->search->pair_count;
	pair_trials p = { s, RBL_NEW(s->allocator, trial, (size_t)count + 1) };
	if (!p.trials)
		return RBL_OUT_OF_MEMORY;
	rbl_parallel_for(s->search->jobs, count, PAIR_BLOCK, try_pairs, &p);
	rbl_result result = RBL_OK;
	for (int i = 0; i < count && result == RBL_OK; ++i)
		result = take_trial(s, &p.trials[i]);
	RBL_FREE(s->allocator, p.trials, (size_t)count + 1);
	return result;
}

// Pairs whose boxes overlap along x, by a sweep.
static rbl_result sweep(sweeper *s)
{
	int n = s->search->count;
	s->boxes = RBL_NEW(s->allocator, rbl_boxd, (size_t)n + 1);
	s->volumes = RBL_NEW(s->allocator, double, (size_t)n + 1);
	s->items = RBL_NEW(s->allocator, rbl_sort_item64, 2 * ((size_t)n + 1));
	if (!s->boxes || !s->volumes || !s->items)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < n; ++i) {
		s->boxes[i] = rbl_convex_bounds(s->search->convexes[i]);
		s->volumes[i] =
			s->search->volumes ? s->search->volumes[i] : rbl_convex_volume(s->search->convexes[i]);
		s->items[i] = (rbl_sort_item64){ rbl_sort_key_double(s->boxes[i].lower.x), (uint32_t)i, 0 };
	}
	rbl_sort64(s->items, s->items + n, n);
	rbl_result result = RBL_OK;
	for (int i = 0; i < n && result == RBL_OK; ++i) {
		int a = (int)s->items[i].value;
		for (int k = i + 1; k < n && result == RBL_OK; ++k) {
			int b = (int)s->items[k].value;
			if (s->boxes[b].lower.x > s->boxes[a].upper.x)
				break;
			trial made = try_pair(s, a, b, &s->carvings[0]);
			result = take_trial(s, &made);
		}
	}
	return result;
}

// Ascending by a, then b.
static bool sort_contacts(const rbl_allocator *allocator, rbl_contacts *contacts)
{
	int n = contacts->items.count;
	rbl_sort_item64 *items = RBL_NEW(allocator, rbl_sort_item64, 2 * (size_t)n + 1);
	rbl_contact *sorted = RBL_NEW(allocator, rbl_contact, (size_t)n + 1);
	bool done = items && sorted;
	for (int i = 0; i < n && done; ++i) {
		const rbl_contact *c = &contacts->items.data[i];
		items[i] = (rbl_sort_item64){ (uint64_t)c->a << 32 | (uint32_t)c->b, (uint32_t)i, 0 };
	}
	if (done) {
		rbl_sort64(items, items + n, n);
		for (int i = 0; i < n; ++i)
			sorted[i] = contacts->items.data[items[i].value];
		if (n > 0)
			memcpy(contacts->items.data, sorted, (size_t)n * sizeof *sorted);
	}
	RBL_FREE(allocator, sorted, (size_t)n + 1);
	RBL_FREE(allocator, items, 2 * (size_t)n + 1);
	return done;
}

rbl_result rbl_find_overlaps(const rbl_allocator *allocator, const rbl_overlap_search *search,
                             rbl_contacts *overlaps)
{
	size_t n = (size_t)search->count + 1;
	int workers = rbl_jobs_worker_count(search->jobs);
	sweeper s = { .allocator = allocator, .search = search, .overlaps = overlaps };
	s.carvings = RBL_NEW(allocator, rbl_carving, workers);
	for (int i = 0; i < workers && s.carvings; ++i)
		rbl_carving_init(&s.carvings[i], allocator);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (s.carvings)
		result = search->pairs ? try_given_pairs(&s) : sweep(&s);
	if (result == RBL_OK && !sort_contacts(allocator, overlaps))
		result = RBL_OUT_OF_MEMORY;
	for (int i = 0; i < workers && s.carvings; ++i)
		rbl_carving_destroy(&s.carvings[i]);
	RBL_FREE(allocator, s.carvings, workers);
	RBL_FREE(allocator, s.items, 2 * n);
	RBL_FREE(allocator, s.volumes, n);
	RBL_FREE(allocator, s.boxes, n);
	return result;
}

// --- common parts -------------------------------------------------------------------------------

static bool is_in(const int *list, int count, int value)
{
	int low = 0, high = count;
	while (low < high) {
		int middle = (low + high) / 2;
		if (list[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && list[low] == value;
}

// Whether a convex lies in another. Of two that are the same, the later lies in the earlier.
static rbl_result find_covered(const rbl_allocator *allocator, const rbl_convex *const *convexes,
                               int count, const rbl_contacts *overlaps, rbl_commons *commons)
{
	unsigned char *is_covered = RBL_NEW_ZERO(allocator, unsigned char, (size_t)count + 1);
	rbl_result result = is_covered ? RBL_OK : RBL_OUT_OF_MEMORY;
	rbl_carving carving;
	rbl_carving_init(&carving, allocator);
	for (int i = 0; i < overlaps->items.count && result == RBL_OK; ++i) {
		int a = overlaps->items.data[i].a, b = overlaps->items.data[i].b;
		double volume_a = rbl_convex_volume(convexes[a]);
		double volume_b = rbl_convex_volume(convexes[b]);
		rbl_convex *common = NULL;
		rbl_mass mass = { 0 };
		result = intersect(&carving, convexes[a], convexes[b], volume_a, volume_b, &common, &mass);
		if (common && !is_covered[a] && mass.volume >= (1.0 - 1e-9) * volume_b)
			is_covered[b] = 1;
		else if (common && !is_covered[b] && mass.volume >= (1.0 - 1e-9) * volume_a)
			is_covered[a] = 1;
		rbl_destroy_convex(common);
	}
	rbl_carving_destroy(&carving);
	for (int i = 0; i < count && result == RBL_OK; ++i)
		if (is_covered[i] && !rbl_array_push(allocator, &commons->covered, i))
			result = RBL_OUT_OF_MEMORY;
	RBL_FREE(allocator, is_covered, (size_t)count + 1);
	return result;
}

static rbl_result add_common(const rbl_allocator *allocator, rbl_commons *commons,
                             const rbl_convex *a, const rbl_convex *b, rbl_common made)
{
	rbl_mass mass;
	rbl_carving carving;
	rbl_carving_init(&carving, allocator);
	rbl_result result =
		intersect(&carving, a, b, rbl_convex_volume(a), rbl_convex_volume(b), &made.convex, &mass);
	rbl_carving_destroy(&carving);
	if (!made.convex)
		return result;
	if (rbl_array_push(allocator, &commons->items, made))
		return RBL_OK;
	rbl_destroy_convex(made.convex);
	return RBL_OUT_OF_MEMORY;
}

// One convex more for each common part, always one of a higher number that overlaps the first.
static rbl_result deepen(const rbl_allocator *allocator, const rbl_convex *const *convexes,
                         const rbl_contacts *overlaps, const int *starts, int most,
                         rbl_commons *commons)
{
	const int *covered = commons->covered.data;
	int covered_count = commons->covered.count;
	for (int at = 0; at < commons->items.count; ++at) {
		rbl_common common = commons->items.data[at];
		for (int i = starts[common.first]; i < starts[common.first + 1]; ++i) {
			int other = overlaps->items.data[i].b;
			if (other <= common.last || is_in(covered, covered_count, other))
				continue;
			if (commons->items.count >= most) {
				commons->is_limited = true;
				return RBL_OK;
			}
			rbl_common deeper = { NULL, -common.sign, common.depth + 1, common.first, other, at };
			rbl_result result =
				add_common(allocator, commons, common.convex, convexes[other], deeper);
			if (result != RBL_OK)
				return result;
		}
	}
	return RBL_OK;
}

rbl_result rbl_find_commons(const rbl_allocator *allocator, const rbl_convex *const *convexes,
                            int count, const rbl_contacts *overlaps, rbl_commons *commons)
{
	if (overlaps->items.count == 0)
		return RBL_OK;
	rbl_result result = find_covered(allocator, convexes, count, overlaps, commons);
	int *starts = RBL_NEW_ZERO(allocator, int, (size_t)count + 1);
	if (!starts)
		result = RBL_OUT_OF_MEMORY;
	for (int i = 0; i < overlaps->items.count && result == RBL_OK; ++i) {
		int a = overlaps->items.data[i].a, b = overlaps->items.data[i].b;
		starts[a + 1]++;
		if (is_in(commons->covered.data, commons->covered.count, a) ||
		    is_in(commons->covered.data, commons->covered.count, b))
			continue;
		rbl_common made = { NULL, -1, 2, a, b, -1 };
		result = add_common(allocator, commons, convexes[a], convexes[b], made);
	}
	for (int i = 0; i < count && result == RBL_OK; ++i)
		starts[i + 1] += starts[i];
	int most = commons->items.count + MOST_PER_CONVEX * count;
	if (result == RBL_OK)
		result = deepen(allocator, convexes, overlaps, starts, most, commons);
	RBL_FREE(allocator, starts, (size_t)count + 1);
	return result;
}

void rbl_commons_free(const rbl_allocator *allocator, rbl_commons *commons)
{
	for (int i = 0; i < commons->items.count; ++i)
		rbl_destroy_convex(commons->items.data[i].convex);
	rbl_array_free(allocator, &commons->items);
	rbl_array_free(allocator, &commons->covered);
}

// --- mass ---------------------------------------------------------------------------------------

// Volume, first moment about a point, and inertia about it.
typedef struct moments {
	double volume;
	rbl_vec3d first;
	rbl_mat3d inertia;
} moments;

static rbl_mat3d point_inertia(rbl_vec3d r)
{
	double square = rbl_length_squared_d(r);
	return (rbl_mat3d){ { square - r.x * r.x, -r.x * r.y, -r.x * r.z },
		                { -r.x * r.y, square - r.y * r.y, -r.y * r.z },
		                { -r.x * r.z, -r.y * r.z, square - r.z * r.z } };
}

static void add_moments(moments *sum, const rbl_convex *convex, rbl_vec3d about, double sign)
{
	rbl_mass mass = rbl_convex_mass(convex);
	rbl_vec3d r = rbl_sub_d(mass.centre, about);
	sum->volume += sign * mass.volume;
	sum->first = rbl_add_scaled_d(sum->first, sign * mass.volume, r);
	rbl_mat3d moved = rbl_mat_add_d(mass.inertia, rbl_mat_scale_d(mass.volume, point_inertia(r)));
	sum->inertia = rbl_mat_add_d(sum->inertia, rbl_mat_scale_d(sign, moved));
}

rbl_mass rbl_commons_mass(const rbl_convex *const *convexes, int count, const rbl_commons *commons)
{
	moments sum = { 0 };
	if (count == 0)
		return (rbl_mass){ 0 };
	rbl_vec3d about = rbl_convex_mass(convexes[0]).centre;
	for (int i = 0; i < count; ++i)
		if (!is_in(commons->covered.data, commons->covered.count, i))
			add_moments(&sum, convexes[i], about, 1.0);
	for (int i = 0; i < commons->items.count; ++i)
		add_moments(&sum, commons->items.data[i].convex, about, commons->items.data[i].sign);
	rbl_mass mass = { .volume = sum.volume };
	rbl_vec3d r = rbl_scale_d(1.0 / sum.volume, sum.first);
	mass.centre = rbl_add_d(about, r);
	mass.inertia = rbl_mat_add_d(sum.inertia, rbl_mat_scale_d(-sum.volume, point_inertia(r)));
	return mass;
}

rbl_result rbl_list_overlaps(const rbl_compound *compound, const int *places,
                             rbl_contacts *overlaps)
{
	const rbl_compound *c = compound;
	for (int i = 0; i < c->bonds.count; ++i) {
		const rbl_bond *bond = &c->bonds.data[i];
		if (bond->members[0] < 0 || !bond->is_overlap)
			continue;
		int a = places ? places[bond->members[0]] : bond->members[0];
		int b = places ? places[bond->members[1]] : bond->members[1];
		rbl_contact contact = { rbl_mini(a, b), rbl_maxi(a, b), -1,   -1, 0.0,
			                    bond->centre,   true,           false };
		if (!rbl_array_push(&c->allocator, &overlaps->items, contact))
			return RBL_OUT_OF_MEMORY;
	}
	return sort_contacts(&c->allocator, overlaps) ? RBL_OK : RBL_OUT_OF_MEMORY;
}

rbl_result rbl_overlapping_mass(const rbl_compound *compound, rbl_mass *mass)
{
	const rbl_compound *c = compound;
	const rbl_allocator *a = &c->allocator;
	size_t room = (size_t)c->members.count + 1;
	const rbl_convex **convexes = RBL_NEW(a, const rbl_convex *, room);
	int *places = RBL_NEW(a, int, room), count = 0;
	rbl_contacts overlaps = { 0 };
	rbl_commons commons = { 0 };
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (convexes && places) {
		for (int i = 0; i < c->members.count; ++i) {
			places[i] = count;
			if (c->members.data[i].convex)
				convexes[count++] = c->members.data[i].convex;
		}
		result = rbl_list_overlaps(c, places, &overlaps);
	}
	if (result == RBL_OK)
		result = rbl_find_commons(a, convexes, count, &overlaps, &commons);
	if (result == RBL_OK)
		*mass = rbl_commons_mass(convexes, count, &commons);
	rbl_commons_free(a, &commons);
	rbl_array_free(a, &overlaps.items);
	RBL_FREE(a, places, room);
	RBL_FREE(a, convexes, room);
	return result;
}
