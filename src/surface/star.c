// SPDX-License-Identifier: MIT
//
// Star-shaped bodies: nothing in them touches itself.
//
// The condition of contours (surface/contour.c) has a form for pictures on a sphere. Look from a
// point at a closed set of triangles that all turn their back to it. The number of triangles over a
// direction is the same for all directions, since there is no border across which it could change.
// When it is 1, nothing is covered twice, and nothing touches but neighbours in what they share.
// Over a step the point moves on a line, like the vertices, and when no triangle ever turns round,
// the number stays.
//
// That is one pass over the triangles, without the tree. A body that fails is left alone for some
// updates; most fail at the first triangles.

#include "surface/star.h"

#include "surface/runs.h"
#include "surface/star_kernels.h"

enum {
	MIN_TRIANGLES = 16,
	WAIT = 15,    // updates after a failure
	SAMPLES = 64, // vertices for the middle
	JOB = 4096,   // triangles of a job, at least
};

static bool has_no_border(const rbl_surface *surface, const rbl_surface_body *body)
{
	for (int i = 0; i < body->triangles.count; ++i) {
		const int *twins = surface->twins + 3 * (size_t)body->triangles.data[i];
		if (twins[0] < 0 || twins[1] < 0 || twins[2] < 0)
			return false;
	}
	return true;
}

bool rbl_star_is_closed(const rbl_surface *surface, rbl_surface_body *body)
{
	if (body->closure == RBL_CLOSURE_UNKNOWN)
		body->closure = has_no_border(surface, body) ? RBL_CLOSED : RBL_OPEN;
	return body->closure == RBL_CLOSED;
}

rbl_vec3 rbl_star_middle(const rbl_vec3 *positions, const rbl_surface_body *body)
{
	int count = body->vertices.count, step = count / SAMPLES + 1, taken = 0;
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < count; i += step, ++taken)
		sum = rbl_add_d(sum, rbl_to_d(positions[body->vertices.data[i]]));
	return rbl_to_f(rbl_scale_d(1.0 / taken, sum));
}

static bool is_star(const rbl_surface *surface, const rbl_surface_body *body)
{
	rbl_star_source source = { .triangles = surface->triangles,
		                       .list = body->triangles.data,
		                       .count = body->triangles.count };
	bool is_swept = surface->motion == RBL_SURFACE_CONTINUOUS;
	for (int time = 0; time < 1 + is_swept; ++time) {
		source.positions[time] = surface->positions[is_swept ? time : 1];
		source.middles[time] = rbl_star_middle(source.positions[time], body);
	}
	return RBL_PICK(rbl_star_depth)(&source) == 1;
}

// Whether a body is looked at, and how much of it there is. @return 0: it is not
static int weight_of(const rbl_surface *surface, int slot)
{
	const rbl_surface_body *body = &surface->bodies.data[slot];
	return rbl_id_pool_is_live(&surface->ids, slot) &&
	               (body->needs_fit || body->has_stale || body->has_new_tree)
	           ? body->triangles.count
	           : 0;
}

typedef struct search {
	rbl_surface *surface;
	int *slots;
	rbl_runs runs;
} search;

static void find_stars(void *context, int begin, int end, int worker)
{
	const search *s = context;
	(void)worker;
	for (int i = s->runs.starts[begin]; i < s->runs.starts[end]; ++i) {
		rbl_surface_body *body = &s->surface->bodies.data[s->slots[i]];
		body->is_star = false;
		if (body->is_certified || body->triangles.count < MIN_TRIANGLES)
			continue;
		if (!rbl_star_is_closed(s->surface, body) || body->star_wait-- > 0)
			continue;
		body->is_star = is_star(s->surface, body);
		body->star_wait = body->is_star ? 0 : WAIT;
	}
}

bool rbl_star_find(rbl_surface *surface, rbl_team *team)
{
	if (surface->def.culling != RBL_CULL_EXACT) // other grades do not ask
		return true;
	rbl_arena_reset(&surface->scratch);
	int slots = surface->bodies.count, count = 0;
	search s = { surface,
		         RBL_ARENA_NEW(&surface->scratch, int, slots),
		         { .starts = RBL_ARENA_NEW(&surface->scratch, int, slots + 1) } };
	if (!s.slots || !s.runs.starts)
		return false;
	for (int slot = 0; slot < slots; ++slot) {
		int weight = weight_of(surface, slot);
		if (weight == 0)
			continue;
		s.slots[count] = slot;
		rbl_runs_add(&s.runs, count++, weight, JOB);
	}
	rbl_team_for(team, s.runs.count, 1, find_stars, &s);
	return true;
}
