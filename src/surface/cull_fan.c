// SPDX-License-Identifier: MIT
//
// Fans: whether the triangles around a vertex keep clear of each other.
//
// Seen along V, the sum of their normals, the spokes of a fan must turn counter-clockwise, each
// by less than half a turn, and go round once (a closed fan) or less than once (an open one). Then
// the triangles are disjoint sectors in the projection, and no two of them touch in space but at
// the spokes and the vertex that they share. One flag culls every pair at the vertex.
//
// Over a step the cross products are quadratics in time; their three coefficients must be positive.
// An open fan must then stay within half a turn.
//
// A fan is robust when it stays free although each vertex moves by up to a margin s. Then a spoke
// moves by 2 s, and the turn from e to f, the area that both span, by 2 s (|e| + |f| + 2 s) at
// most: turns beyond that stay turns. It follows that a spoke is longer than 2 s in the projection,
// so none turns by more than a right angle; the fan goes round as often as before, and an open one
// that spans half a turn or less does not close. Over a step the same holds for all coefficients,
// with the longest that spokes get.

#include "surface/cull.h"

enum {
	MAX_SPOKES = 48, // of a fan that is tested
	FAN_ROUNDS = 6,  // in search of a direction

	// What a worker knows of the fan of a vertex.
	FAN_FREE = 1,
	FAN_DOUBTFUL = 2,
	FAN_WIDE = 4,
	FAN_NARROW = 8,
};

typedef struct fan {
	rbl_vec3d spokes[2][MAX_SPOKES + 1]; // by time
	double x[2][MAX_SPOKES + 1], y[2][MAX_SPOKES + 1];
	int count; // spokes; a closed fan has its first again at the end
	int times;
	bool is_closed;
	double error;
	double margin, lengths[MAX_SPOKES + 1]; // the longest of spokes, with a margin above 0
} fan;

static rbl_vec3d spoke(const rbl_vec3 *positions, int from, int to)
{
	return rbl_sub_d(rbl_to_d(positions[to]), rbl_to_d(positions[from]));
}

static void collect_spoke(const rbl_surface *surface, int vertex, int end, double until, fan *f)
{
	for (int time = 0; time < f->times; ++time)
		f->spokes[time][f->count] =
			spoke(surface->positions[f->times == 1 ? 1 : time], vertex, end);
	if (f->times == 2 && until < 1.0)
		f->spokes[1][f->count] =
			rbl_add_scaled_d(f->spokes[0][f->count], until,
		                     rbl_sub_d(f->spokes[1][f->count], f->spokes[0][f->count]));
}

static bool collect(const rbl_surface *surface, int vertex, double until, fan *f)
{
	int start = surface->anchors[vertex], h = start;
	f->count = 0;
	if (h < 0 || (surface->vertex_flags[vertex] & RBL_SURFACE_MANY_FANS))
		return false;
	for (;;) {
		int next = surface->twins[rbl_surface_prev(h)];
		int ends[2] = { surface->triangles[rbl_surface_next(h)],
			            surface->triangles[rbl_surface_prev(h)] };
		f->is_closed = next == start;
		// The last triangle of a fan brings its second spoke, too.
		int added = next < 0 || f->is_closed ? 2 : 1;
		if (f->count + added > MAX_SPOKES + 1)
			return false;
		for (int i = 0; i < added; ++i, ++f->count)
			collect_spoke(surface, vertex, ends[i], until, f);
		if (added == 2)
			return f->count >= 3 || !f->is_closed;
		h = next;
	}
}

// A direction that all triangles face well, if it is found: where faces of very different sizes
// touch, the sum of their normals follows the large ones. So it is turned towards the normal that
// is farthest from it, until that is within 60 degrees. Any direction would be right, as turns are
// certified along it.
static rbl_vec3d fan_direction(const fan *f)
{
	rbl_vec3d normals[MAX_SPOKES + 1], sum = { 0.0, 0.0, 0.0 };
	for (int i = 0; i + 1 < f->count; ++i) {
		normals[i] = rbl_normalize_d(rbl_cross_d(f->spokes[0][i], f->spokes[0][i + 1]));
		sum = rbl_add_d(sum, normals[i]);
	}
	for (int round = 0; round < FAN_ROUNDS; ++round) {
		rbl_vec3d v = rbl_normalize_d(sum);
		int worst = 0;
		for (int i = 1; i + 1 < f->count; ++i)
			worst = rbl_dot_d(normals[i], v) < rbl_dot_d(normals[worst], v) ? i : worst;
		if (rbl_dot_d(normals[worst], v) > 0.5)
			return v;
		sum = rbl_add_scaled_d(v, 0.4, normals[worst]);
	}
	return rbl_normalize_d(sum);
}

// Look along the sum of normals, or, where that shows nothing, along a direction that is sought.
static bool project_fan(fan *f, bool is_sought)
{
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	double extent = 0.0;
	for (int time = 0; time < f->times; ++time)
		for (int i = 0; i < f->count; ++i) {
			rbl_vec3d s = f->spokes[time][i];
			extent = rbl_maxd(extent, fabs(s.x) + fabs(s.y) + fabs(s.z));
			if (i + 1 < f->count)
				sum = rbl_add_d(sum, rbl_cross_d(s, f->spokes[time][i + 1]));
		}
	f->error = 2e-14 * extent * extent;
	if (!(rbl_dot_d(sum, sum) > 0.0) || !(extent < 1e60))
		return false;
	rbl_vec3d v = is_sought ? fan_direction(f) : rbl_normalize_d(sum);
	rbl_vec3d u = rbl_perpendicular_d(v), w = rbl_cross_d(v, u);
	for (int time = 0; time < f->times; ++time)
		for (int i = 0; i < f->count; ++i) {
			f->x[time][i] = rbl_dot_d(u, f->spokes[time][i]);
			f->y[time][i] = rbl_dot_d(w, f->spokes[time][i]);
		}
	return true;
}

static double cross(const fan *f, int time_i, int i, int time_k, int k)
{
	return f->x[time_i][i] * f->y[time_k][k] - f->y[time_i][i] * f->x[time_k][k];
}

// What the cross product of two spokes must be beyond, to be certain and to stay so.
static double cross_margin(const fan *f, int i, int k)
{
	return f->margin > 0.0
	           ? f->error + 2.0 * f->margin * (f->lengths[i] + f->lengths[k] + 2.0 * f->margin)
	           : f->error;
}

// Whether spoke k lies to the left of spoke i all the time.
static bool turns_left(const fan *f, int i, int k)
{
	if (!(cross(f, 0, i, 0, k) > cross_margin(f, i, k)))
		return false;
	return f->times == 1 ||
	       (cross(f, 1, i, 1, k) > cross_margin(f, i, k) &&
	        0.5 * (cross(f, 0, i, 1, k) + cross(f, 1, i, 0, k)) > cross_margin(f, i, k));
}

// A closed fan goes round once when one coordinate rises through zero once.
static bool goes_round_once(const fan *f)
{
	int rises = 0;
	for (int i = 0; i + 1 < f->count; ++i)
		rises += f->y[0][i] < 0.0 && f->y[0][i + 1] >= 0.0;
	return rises == 1;
}

// An open fan has not come back to its first spoke once it passed half a turn.
static bool leaves_a_gap(const fan *f)
{
	bool is_past = false;
	for (int i = 1; i < f->count; ++i) {
		if (f->times == 2) {
			if (!turns_left(f, 0, i))
				return false;
			continue;
		}
		double side = cross(f, 0, 0, 0, i);
		if (is_past && !(side < -f->error))
			return false;
		is_past |= side < -f->error;
	}
	int last = f->count - 1;
	return !is_past || cross(f, 0, 0, 0, last) < -cross_margin(f, 0, last);
}

// Whether the fan goes round as it should, seen along one direction.
static bool is_seen_free(fan *f, bool is_sought)
{
	if (!project_fan(f, is_sought))
		return false;
	for (int i = 0; i + 1 < f->count; ++i)
		if (!turns_left(f, i, i + 1))
			return false;
	return f->is_closed ? goes_round_once(f) : leaves_a_gap(f);
}

// @param until  how much of the step counts
static bool is_free(const rbl_surface *surface, int vertex, double margin, bool is_swept,
                    double until)
{
	fan f;
	f.margin = margin;
	f.times = 1 + is_swept;
	if (!collect(surface, vertex, until, &f))
		return false;
	for (int i = 0; margin > 0.0 && i < f.count; ++i) {
		f.lengths[i] = rbl_length_d(f.spokes[0][i]) * (1.0 + 1e-12);
		if (is_swept)
			f.lengths[i] = rbl_maxd(f.lengths[i], rbl_length_d(f.spokes[1][i]) * (1.0 + 1e-12));
	}
	return is_seen_free(&f, false) || (margin > 0.0 && is_seen_free(&f, true));
}

bool rbl_surface_fan_is_free(const rbl_surface *surface, rbl_surface_worker *worker, int vertex)
{
	unsigned char *known = &worker->fans[vertex];
	if (!(*known & (FAN_FREE | FAN_DOUBTFUL)))
		*known |= is_free(surface, vertex, (double)rbl_surface_margin_of(worker->gap),
		                  surface->motion == RBL_SURFACE_CONTINUOUS, (double)worker->until)
		              ? FAN_FREE
		              : FAN_DOUBTFUL;
	return *known & FAN_FREE;
}

bool rbl_surface_fan_is_robust(const rbl_surface *surface, rbl_surface_worker *worker, int vertex,
                               double margin)
{
	unsigned char *known = &worker->fans[vertex];
	if (!(*known & (FAN_WIDE | FAN_NARROW)))
		*known |= is_free(surface, vertex, margin, false, 1.0) ? FAN_WIDE : FAN_NARROW;
	return *known & FAN_WIDE;
}
