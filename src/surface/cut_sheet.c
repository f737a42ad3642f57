// SPDX-License-Identifier: MIT
//
// The sheet that a knife leaves behind in a step, as a height over a plane.
//
// u runs along the blade, w is the way it moves, at right angles to that, and n = u x w. Points of
// the blade at the same u belong together, so a blade may turn and bend: at u the sheet goes in a
// straight line from where the blade is at the start to where it is at the end. A vertex that moves
// is met when the blade is: its time is the one at which both are at the same w.

#include "surface/cut.h"

#include "base/log.h"

enum { START, END, TIMES };
enum { U, W, N };

// How many steps before or after this one a point is looked for.
static const double most_steps = 64.0;

static rbl_vec3d polyline_way(const rbl_surface_knife *knife)
{
	int last = knife->point_count - 1;
	return rbl_add_d(rbl_sub_d(knife->starts[last], knife->starts[0]),
	                 rbl_sub_d(knife->ends[last], knife->ends[0]));
}

static bool rises(const double *values, int count)
{
	for (int i = 1; i < count; ++i)
		if (!(values[i] > values[i - 1]))
			return false;
	return true;
}

// The w and n of a polyline at u; beyond its ends those of the ends.
static void polyline_at(double *const coordinates[3], int count, double u, double *w, double *n)
{
	const double *at = coordinates[U];
	int low = 0, high = count - 1;
	while (high - low > 1) {
		int middle = (low + high) / 2;
		if (at[middle] <= u)
			low = middle;
		else
			high = middle;
	}
	double share = rbl_clampd((u - at[low]) / (at[high] - at[low]), 0.0, 1.0);
	*w = coordinates[W][low] + share * (coordinates[W][high] - coordinates[W][low]);
	*n = coordinates[N][low] + share * (coordinates[N][high] - coordinates[N][low]);
}

// Add where the sheet goes at u, from `before` steps before its start to as many past its end.
static void add_to_box(rbl_surface_cut_sheet *sheet, double u, double before)
{
	double w[TIMES], n[TIMES];
	for (int time = 0; time < TIMES; ++time)
		polyline_at(sheet->coordinates[time], sheet->count, u, &w[time], &n[time]);
	const double shares[2] = { -before, 1.0 + before };
	for (int i = 0; i < 2; ++i) {
		rbl_vec3d p = rbl_add_scaled_d(sheet->origin, u, sheet->u);
		p = rbl_add_scaled_d(p, w[START] + shares[i] * (w[END] - w[START]), sheet->w);
		p = rbl_add_scaled_d(p, n[START] + shares[i] * (n[END] - n[START]), sheet->n);
		sheet->box.lower = rbl_min_d(sheet->box.lower, p);
		sheet->box.upper = rbl_max_d(sheet->box.upper, p);
	}
}

// How far the blade goes at u.
static double length_at(const rbl_surface_cut_sheet *sheet, double u)
{
	double w[TIMES], n[TIMES];
	for (int time = 0; time < TIMES; ++time)
		polyline_at(sheet->coordinates[time], sheet->count, u, &w[time], &n[time]);
	return w[END] - w[START];
}

// All that the cut may come to: where one end of the blade goes further along it than the other,
// what is between, and what is near, which may be taken for the sheet or lie behind its start. That
// is a share of the step, longer where the blade goes less far, and the height changes with it.
static void set_box(rbl_surface_cut_sheet *sheet)
{
	double margin = 4.0 * sheet->tolerance;
	sheet->box = (rbl_boxd){ sheet->origin, sheet->origin };
	const double *from = sheet->coordinates[START][U], *to = sheet->coordinates[END][U];
	int last = sheet->count - 1;
	double ends[2] = { rbl_mind(from[0], to[0]), rbl_maxd(from[last], to[last]) };
	double shortest = rbl_mind(length_at(sheet, ends[0]), length_at(sheet, ends[1]));
	for (int i = 0; i <= 2 * last + 1; ++i)
		shortest = rbl_mind(shortest, length_at(sheet, i > last ? to[i - last - 1] : from[i]));
	double before = shortest > margin ? margin / shortest : 1.0;
	for (int i = 0; i <= 2 * last + 1; ++i)
		add_to_box(sheet, i > last ? to[i - last - 1] : from[i], before);
	for (int i = 0; i < 2; ++i)
		add_to_box(sheet, ends[i], before);
	rbl_vec3d around = { margin, margin, margin };
	sheet->box.lower = rbl_sub_d(sheet->box.lower, around);
	sheet->box.upper = rbl_add_d(sheet->box.upper, around);
}

rbl_result rbl_surface_cut_sheet_init(rbl_surface_cut_sheet *sheet, rbl_arena *arena,
                                      const rbl_surface_knife *knife, double tolerance)
{
	int count = knife->point_count;
	*sheet = (rbl_surface_cut_sheet){ .origin = knife->starts[0],
		                              .count = count,
		                              .follows_motion = knife->follows_motion,
		                              .tolerance = tolerance };
	rbl_vec3d way = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < count; ++i)
		way = rbl_add_d(way, rbl_sub_d(knife->ends[i], knife->starts[i]));
	sheet->u = rbl_normalize_d(polyline_way(knife));
	if (!(rbl_length_squared_d(sheet->u) > 0.5))
		return rbl_fail(RBL_BAD_ARGUMENT, "the blade has no length");
	way = rbl_add_scaled_d(way, -rbl_dot_d(way, sheet->u), sheet->u);
	sheet->is_empty = !(rbl_length_d(way) > 1e-9 * tolerance * count);
	if (sheet->is_empty)
		return RBL_OK;
	sheet->w = rbl_normalize_d(way);
	sheet->n = rbl_cross_d(sheet->u, sheet->w);
	for (int time = 0; time < TIMES; ++time)
		for (int axis = 0; axis < 3; ++axis)
			if (!(sheet->coordinates[time][axis] = RBL_ARENA_NEW(arena, double, count)))
				return RBL_OUT_OF_MEMORY;
	for (int time = 0; time < TIMES; ++time) {
		const rbl_vec3d *points = time == START ? knife->starts : knife->ends;
		for (int i = 0; i < count; ++i) {
			rbl_vec3d d = rbl_sub_d(points[i], sheet->origin);
			sheet->coordinates[time][U][i] = rbl_dot_d(d, sheet->u);
			sheet->coordinates[time][W][i] = rbl_dot_d(d, sheet->w);
			sheet->coordinates[time][N][i] = rbl_dot_d(d, sheet->n);
		}
		if (!rises(sheet->coordinates[time][U], count))
			return rbl_fail(RBL_BAD_ARGUMENT, "the blade turns back along itself");
	}
	set_box(sheet);
	return RBL_OK;
}

// How high the sheet starts at u: through the ends of the last cut, which lie where that was taken
// for done, and not quite where the blade was.
static double start_at(const rbl_surface_cut_sheet *sheet, double u)
{
	const double *at = sheet->end_u, *n = sheet->end_n;
	int count = sheet->end_count, i = 1;
	if (count == 0 || u <= at[0])
		return count == 0 ? 0.0 : n[0];
	while (i < count && at[i] < u)
		i++;
	if (i == count)
		return n[count - 1];
	return n[i - 1] + (n[i] - n[i - 1]) * ((u - at[i - 1]) / (at[i] - at[i - 1]));
}

// A point that stays where it is.
static rbl_surface_cut_passing pass(const rbl_surface_cut_sheet *sheet, rbl_vec3d position)
{
	rbl_vec3d d = rbl_sub_d(position, sheet->origin);
	double u = rbl_dot_d(d, sheet->u), w = rbl_dot_d(d, sheet->w), way[TIMES], height[TIMES];
	for (int time = 0; time < TIMES; ++time)
		polyline_at(sheet->coordinates[time], sheet->count, u, &way[time], &height[time]);
	double length = way[END] - way[START];
	rbl_surface_cut_passing p = { .u = u, .length = length };
	// Where the blade does not go on, at the point that it turns about, it meets nothing.
	if (length > 1e-9 * sheet->tolerance)
		p.time = (w - way[START]) / length;
	else
		p.time = w < way[START] ? -1e9 : 1e9;
	double share = rbl_clampd(p.time, -1.0, 2.0), inside = rbl_clampd(p.time, 0.0, 1.0);
	p.side = rbl_dot_d(d, sheet->n) - (height[START] + share * (height[END] - height[START]));
	p.side -= (1.0 - inside) * start_at(sheet, u);
	const double *from = sheet->coordinates[START][U], *to = sheet->coordinates[END][U];
	int last = sheet->count - 1;
	p.is_beside = u < from[0] + inside * (to[0] - from[0]) ||
	              u > from[last] + inside * (to[last] - from[last]);
	return p;
}

rbl_surface_cut_passing rbl_surface_cut_sheet_at(const rbl_surface_cut_sheet *sheet,
                                                 const rbl_vec3d positions[2])
{
	rbl_surface_cut_passing late = pass(sheet, positions[END]);
	if (!sheet->follows_motion)
		return late;
	// At the time t the point is met when the blade is at the same w, which it is at its own time.
	// Both go in straight lines where blades are straight: then one step finds it.
	rbl_surface_cut_passing early = pass(sheet, positions[START]), p = late;
	double t[2] = { 0.0, 1.0 }, miss[2] = { early.time, late.time - 1.0 }, at = 1.0;
	for (int i = 0; i < 6; ++i) {
		double change = miss[1] - miss[0];
		if (!(fabs(change) > 1e-12))
			break;
		at = rbl_clampd(t[1] - miss[1] * (t[1] - t[0]) / change, -most_steps, most_steps);
		if (at == t[1])
			break;
		p = pass(sheet, rbl_lerp_d(positions[START], positions[END], at));
		t[0] = t[1], miss[0] = miss[1];
		t[1] = at, miss[1] = p.time - at;
		if (fabs(miss[1]) < 1e-13)
			break;
	}
	// What moves along with the blade, or is met long before or after.
	if (fabs(p.time - at) > 1e-6)
		p.time = miss[1] > 0.0 ? most_steps : -most_steps;
	p.length -= rbl_dot_d(rbl_sub_d(positions[END], positions[START]), sheet->w);
	return p;
}
