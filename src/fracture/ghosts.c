// SPDX-License-Identifier: MIT
//
// Ghost convexes: what overlapping convexes have in common (Mueller et al. 2013, section 4.3).
//
// Artists do not weld columns to roofs. Two convexes that overlap are connected, and their common
// part must not count twice. The paper makes a ghost for each pair and stops there; here the rule
// continues: the common part of three counts positive again, of four negative, and so on:
// inclusion-exclusion, exact for any number. A convex inside another would double the number of
// common parts without changing a sum; it is left out of the sums instead, so a hundred equal
// convexes count as one.

#include "fracture/ghosts.h"

#include "base/vec.h"
#include "fracture/compound.h"

#include <limits.h>

enum { MAX_PER_CONVEX = 64 };

// The common part of two convexes. @return RBL_OK; *common is NULL when they do not overlap
static rbl_result intersect(rbl_clipper *carving, const rbl_convex *a, const rbl_convex *b,
                            double volume_a, double volume_b, rbl_convex **common, rbl_mass *mass)
{
	*common = NULL;
	rbl_convex_data da = rbl_convex_get_data(a), db = rbl_convex_get_data(b);
	if (rbl_convexes_are_apart(&da, &db))
		return RBL_OK;
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (rbl_clipper_load(carving, a)) {
		double tolerance = 1e-12 * rbl_length_d(rbl_box_size_d(rbl_convex_bounds(a)));
		rbl_cut_result cut = RBL_CUT_MISSED;
		for (int f = 0; f < db.face_count && cut < RBL_CUT_EMPTY; ++f)
			cut = rbl_clipper_cut(carving, db.planes[f], tolerance, db.plane_ids[f]);
		if (cut != RBL_CUT_NO_MEMORY)
			result = rbl_convex_from_clipper(carving, &carving->allocator, common);
	}
	if (!*common)
		return result;
	*mass = rbl_convex_get_mass(*common);
	if (!(mass->volume > 1e-9 * rbl_mind(volume_a, volume_b))) {
		rbl_destroy_convex(*common);
		*common = NULL;
	}
	return result;
}

// --- common parts -------------------------------------------------------------------------------

static bool is_in(const int *list, int count, int value)
{
	int i = rbl_lower_bound(list, count, value);
	return i < count && list[i] == value;
}

typedef enum ghost_stage { GHOST_PAIRS, DEEPEN, GHOSTS_DONE } ghost_stage;

struct rbl_ghost_search {
	const rbl_allocator *allocator;
	const rbl_convex *const *convexes;
	int count;
	const rbl_adjacent_pairs *overlaps;
	rbl_ghost_convexes *ghosts;
	ghost_stage stage;
	int next; // overlap or common part of the stage
	int max;  // common parts
	rbl_clipper carving;
	double *volumes;           // per convex
	unsigned char *is_covered; // per convex
	int *starts;               // per convex: its first overlap
	rbl_convex **pairs;        // per overlap: what the two have in common
};

// What two convexes have in common, and whether one lies in the other. Of two that are the same,
// the later lies in the earlier.
static rbl_result meet(rbl_ghost_search *s, int index)
{
	const rbl_adjacent_pair *overlap = &s->overlaps->items.data[index];
	int a = overlap->a, b = overlap->b;
	rbl_mass mass = { 0 };
	rbl_result result = intersect(&s->carving, s->convexes[a], s->convexes[b], s->volumes[a],
	                              s->volumes[b], &s->pairs[index], &mass);
	bool is_common = s->pairs[index] != NULL;
	if (is_common && !s->is_covered[a] && mass.volume >= (1.0 - 1e-9) * s->volumes[b])
		s->is_covered[b] = 1;
	else if (is_common && !s->is_covered[b] && mass.volume >= (1.0 - 1e-9) * s->volumes[a])
		s->is_covered[a] = 1;
	return result;
}

// All pairs are known: those of convexes that lie in others do not count.
static rbl_result take_pairs(rbl_ghost_search *s)
{
	for (int i = 0; i < s->count; ++i)
		if (s->is_covered[i] && !rbl_array_push(s->allocator, &s->ghosts->covered, i))
			return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < s->overlaps->items.count; ++i) {
		int a = s->overlaps->items.data[i].a, b = s->overlaps->items.data[i].b;
		s->starts[a + 1]++;
		if (s->is_covered[a] || s->is_covered[b] || !s->pairs[i])
			continue;
		rbl_ghost_convex made = { s->pairs[i], -1, 2, a, b, -1 };
		if (!rbl_array_push(s->allocator, &s->ghosts->items, made))
			return RBL_OUT_OF_MEMORY;
		s->pairs[i] = NULL; // it has changed hands
	}
	for (int i = 0; i < s->count; ++i)
		s->starts[i + 1] += s->starts[i];
	s->max = s->ghosts->items.count + MAX_PER_CONVEX * s->count;
	return RBL_OK;
}

// One convex more for a common part, always one of a higher number that overlaps the first.
static rbl_result deepen(rbl_ghost_search *s, int at, int *budget)
{
	rbl_ghost_convex common = s->ghosts->items.data[at];
	for (int i = s->starts[common.first]; i < s->starts[common.first + 1]; ++i) {
		int other = s->overlaps->items.data[i].b;
		if (other <= common.last || s->is_covered[other])
			continue;
		if (s->ghosts->items.count >= s->max) {
			s->ghosts->is_limited = true;
			s->stage = GHOSTS_DONE;
			return RBL_OK;
		}
		rbl_ghost_convex deeper = { NULL, -common.sign, common.depth + 1, common.first, other, at };
		rbl_mass mass;
		*budget -= 1;
		rbl_result result =
			intersect(&s->carving, common.convex, s->convexes[other],
		              rbl_convex_volume(common.convex), s->volumes[other], &deeper.convex, &mass);
		if (deeper.convex && !rbl_array_push(s->allocator, &s->ghosts->items, deeper)) {
			rbl_destroy_convex(deeper.convex);
			result = RBL_OUT_OF_MEMORY;
		}
		if (result != RBL_OK)
			return result;
	}
	return RBL_OK;
}

rbl_ghost_search *rbl_ghost_search_begin(const rbl_allocator *allocator,
                                         const rbl_convex *const *convexes, int count,
                                         const rbl_adjacent_pairs *overlaps,
                                         rbl_ghost_convexes *ghosts)
{
	rbl_ghost_search *s = RBL_NEW_ZERO(allocator, rbl_ghost_search, 1);
	if (!s)
		return NULL;
	s->allocator = allocator;
	s->convexes = convexes;
	s->count = count;
	s->overlaps = overlaps;
	s->ghosts = ghosts;
	s->stage = overlaps->items.count > 0 ? GHOST_PAIRS : GHOSTS_DONE;
	rbl_clipper_init(&s->carving, allocator);
	s->volumes = RBL_NEW(allocator, double, (size_t)count + 1);
	s->is_covered = RBL_NEW_ZERO(allocator, unsigned char, (size_t)count + 1);
	s->starts = RBL_NEW_ZERO(allocator, int, (size_t)count + 1);
	s->pairs = RBL_NEW_ZERO(allocator, rbl_convex *, (size_t)overlaps->items.count + 1);
	if (!s->volumes || !s->is_covered || !s->starts || !s->pairs) {
		rbl_ghost_search_end(s);
		return NULL;
	}
	for (int i = 0; i < count && s->stage != GHOSTS_DONE; ++i)
		s->volumes[i] = rbl_convex_volume(convexes[i]);
	return s;
}

rbl_result rbl_ghost_search_work(rbl_ghost_search *s, int *budget, bool *is_done)
{
	rbl_result result = RBL_OK;
	while (result == RBL_OK && s->stage != GHOSTS_DONE && *budget > 0) {
		*budget -= 1;
		if (s->stage == GHOST_PAIRS) {
			result = meet(s, s->next++);
			if (result != RBL_OK || s->next < s->overlaps->items.count)
				continue;
			result = take_pairs(s);
			s->stage = DEEPEN;
			s->next = 0;
		} else if (s->next < s->ghosts->items.count) {
			result = deepen(s, s->next++, budget);
		} else {
			s->stage = GHOSTS_DONE;
		}
	}
	*is_done = result == RBL_OK && s->stage == GHOSTS_DONE;
	return result;
}

void rbl_ghost_search_end(rbl_ghost_search *s)
{
	if (!s)
		return;
	const rbl_allocator *a = s->allocator;
	for (int i = 0; s->pairs && i < s->overlaps->items.count; ++i)
		rbl_destroy_convex(s->pairs[i]);
	RBL_FREE(a, s->pairs, (size_t)s->overlaps->items.count + 1);
	RBL_FREE(a, s->starts, (size_t)s->count + 1);
	RBL_FREE(a, s->is_covered, (size_t)s->count + 1);
	RBL_FREE(a, s->volumes, (size_t)s->count + 1);
	rbl_clipper_destroy(&s->carving);
	RBL_FREE(a, s, 1);
}

static rbl_result find_all_ghosts(const rbl_allocator *allocator, const rbl_convex *const *convexes,
                                  int count, const rbl_adjacent_pairs *overlaps,
                                  rbl_ghost_convexes *ghosts)
{
	rbl_ghost_search *s = rbl_ghost_search_begin(allocator, convexes, count, overlaps, ghosts);
	rbl_result result = s ? RBL_OK : RBL_OUT_OF_MEMORY;
	bool is_done = false;
	while (result == RBL_OK && !is_done)
		result = rbl_ghost_search_work(s, &(int){ INT_MAX }, &is_done);
	rbl_ghost_search_end(s);
	return result;
}

void rbl_ghost_convexes_free(const rbl_allocator *allocator, rbl_ghost_convexes *ghosts)
{
	for (int i = 0; i < ghosts->items.count; ++i)
		rbl_destroy_convex(ghosts->items.data[i].convex);
	rbl_array_free(allocator, &ghosts->items);
	rbl_array_free(allocator, &ghosts->covered);
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
	rbl_mass mass = rbl_convex_get_mass(convex);
	rbl_vec3d r = rbl_sub_d(mass.centre, about);
	sum->volume += sign * mass.volume;
	sum->first = rbl_add_scaled_d(sum->first, sign * mass.volume, r);
	rbl_mat3d moved = rbl_mat_add_d(mass.inertia, rbl_mat_scale_d(mass.volume, point_inertia(r)));
	sum->inertia = rbl_mat_add_d(sum->inertia, rbl_mat_scale_d(sign, moved));
}

rbl_mass rbl_ghost_convexes_mass(const rbl_convex *const *convexes, int count,
                                 const rbl_ghost_convexes *ghosts)
{
	moments sum = { 0 };
	if (count == 0)
		return (rbl_mass){ 0 };
	rbl_vec3d about = rbl_convex_get_mass(convexes[0]).centre;
	for (int i = 0; i < count; ++i)
		if (!is_in(ghosts->covered.data, ghosts->covered.count, i))
			add_moments(&sum, convexes[i], about, 1.0);
	for (int i = 0; i < ghosts->items.count; ++i)
		add_moments(&sum, ghosts->items.data[i].convex, about, ghosts->items.data[i].sign);
	rbl_mass mass = { .volume = sum.volume };
	rbl_vec3d r = rbl_scale_d(1.0 / sum.volume, sum.first);
	mass.centre = rbl_add_d(about, r);
	mass.inertia = rbl_mat_add_d(sum.inertia, rbl_mat_scale_d(-sum.volume, point_inertia(r)));
	return mass;
}

rbl_result rbl_overlapping_mass(const rbl_compound *compound, rbl_mass *mass)
{
	const rbl_compound *c = compound;
	const rbl_allocator *a = &c->allocator;
	size_t capacity = (size_t)c->parts.count + 1;
	const rbl_convex **convexes = RBL_NEW(a, const rbl_convex *, capacity);
	int *slots = RBL_NEW(a, int, capacity), count = 0;
	rbl_adjacent_pairs overlaps = { 0 };
	rbl_ghost_convexes ghosts = { 0 };
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (convexes && slots) {
		for (int i = 0; i < c->parts.count; ++i) {
			slots[i] = count;
			if (c->parts.data[i].convex)
				convexes[count++] = c->parts.data[i].convex;
		}
		result = rbl_list_overlaps(c, slots, &overlaps);
	}
	if (result == RBL_OK)
		result = find_all_ghosts(a, convexes, count, &overlaps, &ghosts);
	if (result == RBL_OK)
		*mass = rbl_ghost_convexes_mass(convexes, count, &ghosts);
	rbl_ghost_convexes_free(a, &ghosts);
	rbl_array_free(a, &overlaps.items);
	RBL_FREE(a, slots, capacity);
	RBL_FREE(a, convexes, capacity);
	return result;
}
