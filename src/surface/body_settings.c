// SPDX-License-Identifier: MIT
//
// What is said about a body besides its shape: how thick it is, and what it is tested against.

#include "surface/certificate.h"

#include "base/log.h"

rbl_result rbl_surface_body_set_thickness(rbl_surface *surface, rbl_surface_body_id id,
                                          float thickness)
{
	if (!surface || !(thickness >= 0.0f && thickness <= FLT_MAX))
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "surface is NULL, or the thickness %g not finite and at "
		                "least 0",
		                (double)thickness);
	int slot = rbl_surface_slot(surface, id);
	if (slot < 0)
		return RBL_STALE_ID;
	rbl_surface_body *body = &surface->bodies.data[slot];
	if (thickness == body->settings.thickness)
		return RBL_OK;
	// What was certified for less is of no use; a star is looked for in every update.
	if (body->self.is_certified && surface->certificates[slot].clearance < thickness)
		body->self.is_certified = body->self.is_clear = false;
	body->settings.thickness = thickness;
	body->fit.needs_all = true; // so that the body counts as changed, and is a star again or not
	surface->is_ready = false;
	return RBL_OK;
}

float rbl_surface_body_thickness(const rbl_surface *surface, rbl_surface_body_id id)
{
	int slot = surface ? rbl_surface_slot(surface, id) : -1;
	return slot < 0 ? 0.0f : surface->bodies.data[slot].settings.thickness;
}

// --- filters ------------------------------------------------------------------------------------

void rbl_surface_touch_body(rbl_surface *surface, int slot)
{
	surface->bodies.data[slot].fit.needs_all = true;
	surface->is_ready = false;
}

rbl_result rbl_surface_body_set_filter(rbl_surface *surface, rbl_surface_body_id id,
                                       rbl_surface_filter filter)
{
	if (!surface)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface is NULL");
	int slot = rbl_surface_slot(surface, id);
	if (slot < 0)
		return RBL_STALE_ID;
	surface->bodies.data[slot].settings.filter = filter;
	rbl_surface_touch_body(surface, slot);
	return RBL_OK;
}

rbl_surface_filter rbl_surface_body_get_filter(const rbl_surface *surface, rbl_surface_body_id id)
{
	int slot = surface ? rbl_surface_slot(surface, id) : -1;
	return slot < 0 ? (rbl_surface_filter){ 0 } : surface->bodies.data[slot].settings.filter;
}

// The first exclusion that is not before two slots, the lower first.
static int find_exclusion(const rbl_surface *surface, uint32_t a, uint32_t b)
{
	int low = 0, high = surface->exclusions.count;
	while (low < high) {
		int middle = low + (high - low) / 2;
		const rbl_surface_exclusion *e = &surface->exclusions.data[middle];
		if (e->a.index < a || (e->a.index == a && e->b.index < b))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_same_body(rbl_surface_body_id a, rbl_surface_body_id b)
{
	return a.index == b.index && a.generation == b.generation;
}

rbl_result rbl_surface_exclude_bodies(rbl_surface *surface, rbl_surface_body_id a,
                                      rbl_surface_body_id b, bool is_excluded)
{
	if (!surface || is_same_body(a, b))
		return rbl_fail(RBL_BAD_ARGUMENT, "surface is NULL, or the bodies are one");
	if (rbl_surface_slot(surface, a) < 0 || rbl_surface_slot(surface, b) < 0)
		return RBL_STALE_ID;
	rbl_surface_exclusion pair =
		a.index < b.index ? (rbl_surface_exclusion){ a, b } : (rbl_surface_exclusion){ b, a };
	int at = find_exclusion(surface, pair.a.index, pair.b.index), count = surface->exclusions.count;
	rbl_surface_exclusion *list = surface->exclusions.data;
	// Bodies that are gone may have left their place to these.
	bool has_place =
		at < count && list[at].a.index == pair.a.index && list[at].b.index == pair.b.index;
	if (!has_place && !is_excluded)
		return RBL_OK;
	if (!has_place && !rbl_array_extend(&surface->allocator, &surface->exclusions, 1))
		return RBL_OUT_OF_MEMORY;
	list = surface->exclusions.data;
	size_t behind = (size_t)(count - at) * sizeof *list;
	if (!has_place) {
		memmove(list + at + 1, list + at, behind);
		surface->exclusions.count = count + 1;
	}
	list[at] = pair;
	if (!is_excluded) {
		memmove(list + at, list + at + 1, behind - sizeof *list);
		surface->exclusions.count = count - 1;
	}
	rbl_surface_touch_body(surface, (int)a.index);
	rbl_surface_touch_body(surface, (int)b.index);
	return RBL_OK;
}

static bool is_excluded(const rbl_surface *surface, uint32_t a, uint32_t b)
{
	uint32_t low = a < b ? a : b, high = a < b ? b : a;
	int at = find_exclusion(surface, low, high);
	if (at == surface->exclusions.count)
		return false;
	rbl_surface_exclusion e = surface->exclusions.data[at];
	return e.a.index == low && e.b.index == high &&
	       e.a.generation == surface->ids.generations[low] &&
	       e.b.generation == surface->ids.generations[high];
}

bool rbl_surface_tests_bodies(const rbl_surface *surface, int a, int b)
{
	const rbl_surface_filter *f = &surface->bodies.data[a].settings.filter,
							 *g = &surface->bodies.data[b].settings.filter;
	return (f->categories & g->mask) && (g->categories & f->mask) &&
	       !(f->is_static && g->is_static) &&
	       (surface->exclusions.count == 0 || !is_excluded(surface, (uint32_t)a, (uint32_t)b));
}

bool rbl_surface_has_no_filters(const rbl_surface *surface)
{
	bool is_any = surface->exclusions.count > 0 || rbl_surface_has_pair_filters(surface);
	uint32_t categories = 0, mask = UINT32_MAX;
	for (int slot = 0; slot < surface->bodies.count; ++slot) {
		const rbl_surface_body *body = &surface->bodies.data[slot];
		if (!rbl_id_pool_is_live(&surface->ids, slot))
			continue;
		is_any |= !rbl_surface_tests_itself(body);
		categories |= body->settings.filter.categories, mask &= body->settings.filter.mask;
	}
	return !is_any && (categories & mask) == categories;
}
