// SPDX-License-Identifier: MIT
//
// Star-shaped bodies: nothing in them touches itself.
//
// The condition of contours (surface/cull_contour.c) has a form for projections on a sphere. Look
// from a point at a closed set of triangles that all turn their back to it. The number of triangles
// over a direction is the same for all directions, since there is no boundary across which it could
// change. When it is 1, nothing is covered twice, and nothing touches but neighbours in what they
// share. Over a step the point moves on a line, like the vertices, and when no triangle ever turns
// round, the number stays.
//
// With a thickness no triangle may turn round although each vertex moves by half of it: surface.h.
//
// That is one pass over the triangles, without the tree. A body that fails is left alone for some
// updates; most fail at the first triangles.

#include "surface/cull.h"

#include "surface/surface.h"
#include "surface/surface_kernels.h"

enum {
	STAR_MIN_TRIANGLES = 16,
	STAR_MAX_READ_AGAIN = 1024, // triangles, where a few of them changed
	WAIT = 15,                  // updates after a failure
	STAR_SAMPLES = 64,          // vertices for the middle
	STAR_JOB = 4096,            // triangles of a job, at least
};

static bool has_no_boundary(const rbl_surface *surface, const rbl_surface_body *body)
{
	for (int i = 0; i < body->triangles.count; ++i) {
		const int *twins = surface->twins + 3 * (size_t)body->triangles.data[i];
		if (twins[0] < 0 || twins[1] < 0 || twins[2] < 0)
			return false;
	}
	return true;
}

bool rbl_surface_body_is_closed(const rbl_surface *surface, rbl_surface_body *body)
{
	if (body->self.closure == RBL_SURFACE_CLOSURE_UNKNOWN)
		body->self.closure = has_no_boundary(surface, body) ? RBL_SURFACE_CLOSED : RBL_SURFACE_OPEN;
	return body->self.closure == RBL_SURFACE_CLOSED;
}

rbl_vec3 rbl_surface_star_centre(const rbl_vec3 *positions, const rbl_surface_body *body)
{
	int count = body->vertices.count, step = count / STAR_SAMPLES + 1, taken = 0;
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < count; i += step, ++taken)
		sum = rbl_add_d(sum, rbl_to_d(positions[body->vertices.data[i]]));
	return rbl_to_f(rbl_scale_d(1.0 / taken, sum));
}

static bool is_star(const rbl_surface *surface, const rbl_surface_body *body)
{
	rbl_surface_star_source source = { .triangles = surface->triangles,
		                               .list = body->triangles.data,
		                               .count = body->triangles.count };
	bool is_swept = surface->motion == RBL_SURFACE_CONTINUOUS;
	for (int time = 0; time < 1 + is_swept; ++time) {
		source.positions[time] = surface->positions[is_swept ? time : 1];
		source.centres[time] = rbl_surface_star_centre(source.positions[time], body);
	}
	source.margin = rbl_surface_margin_of(rbl_surface_wanted_clearance(surface, body));
	return RBL_PICK(rbl_surface_star_depth)(&source) == 1;
}

// Whether a body is tested, and how much of it there is. @return 0: it is not
static int weight_of(const rbl_surface *surface, int slot)
{
	const rbl_surface_body *body = &surface->bodies.data[slot];
	return rbl_id_pool_is_live(&surface->ids, slot) &&
	               (body->fit.needs_all || body->fit.has_stale || body->nodes.are_new)
	           ? body->triangles.count
	           : 0;
}

typedef struct search {
	rbl_surface *surface;
	int *slots;
	rbl_surface_batches batches;
} search;

static void find_stars(void *context, int begin, int end, int worker)
{
	const search *s = context;
	(void)worker;
	for (int i = s->batches.starts[begin]; i < s->batches.starts[end]; ++i) {
		rbl_surface_body *body = &s->surface->bodies.data[s->slots[i]];
		body->self.is_star = false;
		// A large body that only changed in part is not read as a whole for it.
		if (!body->fit.needs_all && !body->nodes.are_new &&
		    body->triangles.count > STAR_MAX_READ_AGAIN)
			continue;
		if (body->self.is_certified || body->triangles.count < STAR_MIN_TRIANGLES ||
		    !rbl_surface_tests_itself(body))
			continue;
		if (!rbl_surface_body_is_closed(s->surface, body) || body->self.star_wait-- > 0)
			continue;
		body->self.is_star = is_star(s->surface, body);
		body->self.star_clearance = rbl_surface_wanted_clearance(s->surface, body);
		body->self.star_wait = body->self.is_star ? 0 : WAIT;
	}
}

bool rbl_surface_find_stars(rbl_surface *surface, rbl_worker_group *workers)
{
	if (surface->def.culling != RBL_CULL_EXACT || // other grades do not ask
	    !rbl_surface_uses(surface, RBL_SURFACE_STARS))
		return true;
	rbl_arena_reset(&surface->scratch);
	int slots = surface->bodies.count, count = 0;
	search s = { surface,
		         RBL_ARENA_NEW(&surface->scratch, int, slots),
		         { .starts = RBL_ARENA_NEW(&surface->scratch, int, slots + 1) } };
	if (!s.slots || !s.batches.starts)
		return false;
	for (int slot = 0; slot < slots; ++slot) {
		int weight = weight_of(surface, slot);
		if (weight == 0)
			continue;
		s.slots[count] = slot;
		rbl_surface_batches_add(&s.batches, count++, weight, STAR_JOB);
	}
	rbl_worker_group_for(workers, s.batches.count, 1, find_stars, &s);
	return true;
}
