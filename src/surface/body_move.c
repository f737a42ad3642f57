// SPDX-License-Identifier: MIT
//
// Moving bodies: as wholes, several at once, or some vertices.
//
// Positions are tested before any is written, so that a call that is refused moves nothing.
// Workers share both passes when there is enough to do.

#include "surface/surface.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/worker_group.h"

// Vertices of a job, some 10 us, and of a motion that workers share.
enum { MOVE_JOB = 4096 };

// Some vertices of a body that moves as a whole.
typedef struct part {
	const int *vertices;
	const rbl_vec3 *start, *end;
	int count;
} part;

typedef struct motion {
	rbl_surface *surface;
	part *parts;
	int part_count;
	rbl_surface_batches batches;
	bool is_bad[RBL_MAX_WORKERS]; // by worker: a position is not finite
} motion;

static bool is_finite(const part *p)
{
	bool is_good = true;
	for (int i = 0; i < p->count; ++i)
		is_good &= rbl_is_finite(p->end[i]) && (!p->start || rbl_is_finite(p->start[i]));
	return is_good;
}

static void write_positions(const rbl_surface *surface, const part *p)
{
	rbl_vec3 *starts = surface->positions[0], *ends = surface->positions[1];
	for (int i = 0; i < p->count; ++i) {
		int vertex = p->vertices[i];
		starts[vertex] = p->start ? p->start[i] : ends[vertex];
		ends[vertex] = p->end[i];
	}
}

static void check_parts(void *context, int begin, int end, int worker)
{
	motion *m = context;
	for (int i = m->batches.starts[begin]; i < m->batches.starts[end]; ++i)
		m->is_bad[worker] |= !is_finite(&m->parts[i]);
}

static void write_parts(void *context, int begin, int end, int worker)
{
	const motion *m = context;
	(void)worker;
	for (int i = m->batches.starts[begin]; i < m->batches.starts[end]; ++i)
		write_positions(m->surface, &m->parts[i]);
}

static void run_motion(rbl_worker_group *workers, void *context)
{
	motion *m = context;
	rbl_worker_group_for(workers, m->batches.count, 1, check_parts, m);
	for (int i = 1; i < RBL_MAX_WORKERS; ++i)
		m->is_bad[0] |= m->is_bad[i];
	if (!m->is_bad[0])
		rbl_worker_group_for(workers, m->batches.count, 1, write_parts, m);
}

// Cut a body into parts. They are counted while there is no space for them.
static void add_parts(motion *m, const rbl_surface_body *body, const rbl_vec3 *start,
                      const rbl_vec3 *end)
{
	int count = body->vertices.count;
	for (int first = 0; first < count; first += MOVE_JOB, ++m->part_count) {
		if (!m->parts)
			continue;
		part p = { body->vertices.data + first, start ? start + first : NULL, end + first,
			       count - first < MOVE_JOB ? count - first : MOVE_JOB };
		m->parts[m->part_count] = p;
		rbl_surface_batches_add(&m->batches, m->part_count, p.count, MOVE_JOB);
	}
}

// Each body once, and all of them there. @return their vertices, or less than 0 (logged)
static int64_t count_vertices(rbl_surface *surface, const rbl_surface_body_id *bodies, int count,
                              rbl_result *result)
{
	int64_t vertices = 0;
	int listed = 0;
	*result = RBL_OK;
	for (; listed < count && *result == RBL_OK; ++listed) {
		int slot = rbl_surface_slot(surface, bodies[listed]);
		if (slot < 0) {
			*result = RBL_STALE_ID;
			break;
		}
		rbl_surface_body *body = &surface->bodies.data[slot];
		if (body->motion.is_listed) {
			*result = rbl_fail(RBL_BAD_ARGUMENT, "body %d is there twice", listed);
			break;
		}
		body->motion.is_listed = true;
		vertices += body->vertices.count;
	}
	for (int i = 0; i < listed; ++i)
		surface->bodies.data[bodies[i].index].motion.is_listed = false;
	return vertices;
}

static rbl_result plan(motion *m, const rbl_surface_body_id *bodies, int count,
                       const rbl_vec3 *start, const rbl_vec3 *end)
{
	rbl_arena *arena = &m->surface->scratch;
	rbl_arena_reset(arena);
	for (int pass = 0; pass < 2; ++pass) {
		int64_t placed = 0;
		int counted = m->part_count;
		m->part_count = 0;
		if (pass == 1) {
			m->parts = RBL_ARENA_NEW(arena, part, counted);
			m->batches.starts = RBL_ARENA_NEW(arena, int, counted + 1);
			if (!m->parts || !m->batches.starts)
				return RBL_OUT_OF_MEMORY;
		}
		for (int i = 0; i < count; ++i) {
			const rbl_surface_body *body = &m->surface->bodies.data[bodies[i].index];
			add_parts(m, body, start ? start + placed : NULL, end + placed);
			placed += body->vertices.count;
		}
	}
	return RBL_OK;
}

void rbl_surface_note_motion(rbl_surface *surface, rbl_surface_body *body, bool has_start)
{
	body->fit.holds_all = false;
	body->motion.is_tracked = !has_start && !body->motion.has_moved;
	body->motion.has_moved = body->motion.is_moving = body->motion.is_whole = body->fit.needs_all =
		true;
	surface->is_ready = false;
}

rbl_result rbl_surface_move_bodies(rbl_surface *surface, const rbl_surface_body_id *bodies,
                                   int count, const rbl_vec3 *start, const rbl_vec3 *end)
{
	if (!surface || count < 0 || (count > 0 && (!bodies || !end)))
		return rbl_fail(RBL_BAD_ARGUMENT, "surface, bodies or end is missing");
	uint64_t begin = rbl_clock_ns();
	rbl_result result;
	int64_t vertices = count_vertices(surface, bodies, count, &result);
	motion m = { .surface = surface };
	if (result == RBL_OK)
		result = plan(&m, bodies, count, start, end);
	if (result != RBL_OK)
		return result;
	bool is_shared = vertices >= surface->limits.shared_vertices;
	rbl_run_worker_group(is_shared ? surface->def.jobs : NULL, run_motion, &m);
	if (m.is_bad[0])
		return rbl_fail(RBL_BAD_ARGUMENT, "a position is not finite");
	for (int i = 0; i < count; ++i) {
		rbl_surface_body *body = &surface->bodies.data[bodies[i].index];
		rbl_surface_forget_residuals(surface, body, start != NULL);
		rbl_surface_note_motion(surface, body, start != NULL);
	}
	surface->pending_ns += rbl_clock_ns() - begin;
	return RBL_OK;
}

rbl_result rbl_surface_move(rbl_surface *surface, rbl_surface_body_id id, const rbl_vec3 *start,
                            const rbl_vec3 *end)
{
	if (!surface || !end)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or end is NULL");
	int slot = rbl_surface_slot(surface, id);
	if (slot < 0)
		return RBL_STALE_ID;
	uint64_t begin = rbl_clock_ns();
	rbl_surface_body *body = &surface->bodies.data[slot];
	// Where there is no memory for parts, one worker does it.
	if (body->vertices.count >= surface->limits.shared_vertices && surface->worker_count > 1) {
		rbl_result result = rbl_surface_move_bodies(surface, &id, 1, start, end);
		if (result != RBL_OUT_OF_MEMORY)
			return result;
	}
	part all = { body->vertices.data, start, end, body->vertices.count };
	if (!is_finite(&all))
		return rbl_fail(RBL_BAD_ARGUMENT, "a position is not finite");
	write_positions(surface, &all);
	rbl_surface_forget_residuals(surface, body, start != NULL);
	rbl_surface_note_motion(surface, body, start != NULL);
	surface->pending_ns += rbl_clock_ns() - begin;
	return RBL_OK;
}

static void mark_around(rbl_surface *surface, int vertex)
{
	int start = surface->anchors[vertex], h = start;
	while (h >= 0) {
		rbl_surface_mark_stale(surface, surface->clusters[h / 3]);
		h = surface->twins[rbl_surface_prev(h)];
		if (h == start)
			return;
	}
}

rbl_result rbl_surface_move_vertices(rbl_surface *surface, rbl_surface_body_id id,
                                     const int *vertices, int count, const rbl_vec3 *end)
{
	if (!surface || count < 0 || (count > 0 && (!vertices || !end)))
		return rbl_fail(RBL_BAD_ARGUMENT, "surface, vertices or end is missing");
	int slot = rbl_surface_slot(surface, id);
	if (slot < 0)
		return RBL_STALE_ID;
	for (int i = 0; i < count; ++i)
		if (!rbl_is_finite(end[i]))
			return rbl_fail(RBL_BAD_ARGUMENT, "position %d is not finite", i);
	for (int i = 0; i < count; ++i) {
		int v = vertices[i];
		int h = v >= 0 && v < surface->vertex_end ? surface->anchors[v] : -1;
		// A free vertex has an anchor below zero, one without triangles can be left where it is.
		if (h < 0 || surface->triangles[h] != v ||
		    surface->cluster_data[surface->clusters[h / 3]].body != slot)
			return rbl_fail(RBL_BAD_ARGUMENT, "%d is not a vertex of a triangle of the body", v);
	}
	uint64_t begin = rbl_clock_ns();
	rbl_surface_body *body = &surface->bodies.data[slot];
	if (!body->motion.has_moved)
		rbl_surface_rest(surface, body);
	for (int i = 0; i < count; ++i) {
		int v = vertices[i];
		surface->positions[0][v] = surface->positions[1][v];
		surface->positions[1][v] = end[i];
		if (surface->residuals[0].count > 0) {
			surface->residuals[0].data[v] = surface->residuals[1].data[v];
			surface->residuals[1].data[v] = (rbl_vec3d){ 0.0, 0.0, 0.0 };
		}
		if (surface->vertex_flags[v] & RBL_SURFACE_MANY_FANS)
			body->fit.needs_all = body->motion.is_whole = true; // its other fans are not known
		else
			mark_around(surface, v);
	}
	body->settings.roundings[0] =
		rbl_maxf(body->settings.roundings[0], body->settings.roundings[1]);
	body->fit.has_stale = body->motion.has_moved = body->motion.is_moving = true;
	body->motion.is_tracked = body->fit.holds_all = false;
	surface->is_ready = false;
	surface->pending_ns += rbl_clock_ns() - begin;
	return RBL_OK;
}
