// SPDX-License-Identifier: MIT
//
// Procedural shapes: plate, vase, mug. All are turned on the lathe, outside up and inside down;
// the mug's handle replaces two blocks of quads in its wall.

#include "procedural/shapes.h"

// --- plate ----------------------------------------------------------------------------------

rbl_plate_def rbl_default_plate_def(void)
{
	return (rbl_plate_def){ .radius = 0.13,
		                    .height = 0.024,
		                    .wall = 0.005,
		                    .segments = 64,
		                    .cookie = RBL_SHAPE_COOKIE(RBL_SHAPE_PLATE) };
}

enum { PLATE_STEPS = 10 };

// The slope from the well to the rim: steep at first, then nearly flat. t and result 0 to 1.
static double plate_slope(double t)
{
	double s = min_double(1.0, 2.0 * t);
	return 0.65 * s * s * (3.0 - 2.0 * s) + 0.35 * t;
}

rbl_result rbl_create_plate_mesh(const rbl_plate_def *def, rbl_mesh **mesh)
{
	rbl_result result = RBL_SHAPE_CHECK(RBL_SHAPE_PLATE, def, mesh);
	if (result != RBL_OK)
		return result;
	const rbl_shape_range ranges[] = {
		RBL_LENGTH_RANGE(def, radius),
		{ "height", def->height, 0.05 * def->radius, def->radius },
		{ "wall", def->wall, 0.05 * def->height, 0.5 * def->height },
		{ "segments", def->segments, 8, 10000 },
	};
	result = rbl_shape_check_ranges(RBL_SHAPE_PLATE, ranges, RBL_COUNT_OF(ranges));
	if (result != RBL_OK)
		return result;
	double r = def->radius, h = def->height, w = def->wall, foot = 0.12 * h;
	rbl_profile_point profile[2 * PLATE_STEPS + 16];
	int n = 0;
	profile[n++] = (rbl_profile_point){ 0.15 * r, foot };
	profile[n++] = (rbl_profile_point){ 0.52 * r, foot };
	profile[n++] = (rbl_profile_point){ 0.54 * r, 0.0 };
	profile[n++] = (rbl_profile_point){ 0.58 * r, 0.0 };
	for (int i = 0; i <= PLATE_STEPS; ++i) {
		double t = (double)i / PLATE_STEPS;
		profile[n++] = (rbl_profile_point){ (0.61 + 0.39 * t) * r - 0.35 * w * t,
			                                foot + (h - w - foot) * plate_slope(t) };
	}
	profile[n++] = (rbl_profile_point){ r, h - 0.5 * w };
	for (int i = PLATE_STEPS; i >= 0; --i) {
		double t = (double)i / PLATE_STEPS;
		profile[n++] = (rbl_profile_point){ (0.59 + 0.41 * t) * r - 0.35 * w * t,
			                                foot + w + (h - w - foot) * plate_slope(t) };
	}
	profile[n++] = (rbl_profile_point){ 0.15 * r, foot + w };
	rbl_builder builder;
	rbl_builder_init(&builder, &def->allocator);
	rbl_builder_add_material(&builder, RBL_PORCELAIN);
	rbl_builder_revolve(&builder, profile, n, def->segments);
	return rbl_builder_finish(&builder, mesh);
}

// --- vase -----------------------------------------------------------------------------------

rbl_vase_def rbl_default_vase_def(void)
{
	return (rbl_vase_def){ .radius = 0.13,
		                   .height = 0.4,
		                   .wall = 0.008,
		                   .segments = 48,
		                   .rows = 32,
		                   .cookie = RBL_SHAPE_COOKIE(RBL_SHAPE_VASE) };
}

// Outer radius at height t from 0 to 1, in belly radii: a Catmull-Rom curve through six points.
static double vase_radius(double t)
{
	static const double points[8] = { 0.36, 0.52, 0.84, 1.0, 0.78, 0.43, 0.60, 1.10 };
	int span = min_int((int)(5.0 * t), 4);
	double u = 5.0 * t - span;
	double a = points[span], b = points[span + 1], c = points[span + 2], d = points[span + 3];
	return b +
	       0.5 * u * (c - a + u * (2.0 * a - 5.0 * b + 4.0 * c - d + u * (3.0 * (b - c) + d - a)));
}

rbl_result rbl_create_vase_mesh(const rbl_vase_def *def, rbl_mesh **mesh)
{
	rbl_result result = RBL_SHAPE_CHECK(RBL_SHAPE_VASE, def, mesh);
	if (result != RBL_OK)
		return result;
	const rbl_shape_range ranges[] = {
		RBL_LENGTH_RANGE(def, radius),
		RBL_LENGTH_RANGE(def, height),
		{ "wall", def->wall, 0.01 * def->radius,
		  min_double(0.25 * def->radius, 0.1 * def->height) },
		{ "segments", def->segments, 8, 10000 },
		{ "rows", def->rows, 8, 10000 },
	};
	result = rbl_shape_check_ranges(RBL_SHAPE_VASE, ranges, RBL_COUNT_OF(ranges));
	if (result != RBL_OK)
		return result;
	rbl_builder builder;
	rbl_builder_init(&builder, &def->allocator);
	int capacity = 2 * def->rows + 3, n = 0;
	rbl_profile_point *profile = NEW(&builder.allocator, rbl_profile_point, capacity);
	if (!profile)
		return RBL_OUT_OF_MEMORY;
	double w = def->wall, top = def->height - 0.5 * w;
	for (int i = 0; i <= def->rows; ++i) {
		double t = (double)i / def->rows;
		profile[n++] = (rbl_profile_point){ def->radius * vase_radius(t), top * t };
	}
	profile[n++] = (rbl_profile_point){ def->radius * vase_radius(1.0) - 0.5 * w, def->height };
	for (int i = def->rows; i >= 0; --i) {
		double t = (double)i / def->rows, y = w + (top - w) * t;
		profile[n++] = (rbl_profile_point){ def->radius * vase_radius(y / top) - w, y };
	}
	rbl_builder_add_material(&builder, RBL_GLAZE);
	rbl_builder_revolve(&builder, profile, n, def->segments);
	FREE(&builder.allocator, profile, capacity);
	return rbl_builder_finish(&builder, mesh);
}

// --- mug ------------------------------------------------------------------------------------

rbl_mug_def rbl_default_mug_def(void)
{
	return (rbl_mug_def){ .radius = 0.042,
		                  .height = 0.095,
		                  .wall = 0.004,
		                  .detail = 3,
		                  .cookie = RBL_SHAPE_COOKIE(RBL_SHAPE_MUG) };
}

enum { MUG_MAX_DETAIL = 100, MUG_MAX_LOOP = 4 * (MUG_MAX_DETAIL + 1) };

typedef struct mug {
	rbl_builder *builder;
	const rbl_mug_def *def;
	rbl_sheet sheet;          // the wall; the first column is in the middle of the handle
	int lower_row, upper_row; // where the handle's roots begin
	int root_rows, root_columns;
} mug;

// The columns of the handle's roots take a fixed angle, the others share the rest.
static double mug_turn(const mug *m, int column)
{
	const double root = 0.034;
	int half = m->root_columns / 2, n = m->sheet.columns;
	int k = column <= n / 2 ? column : n - column;
	double turn =
		k <= half ? root * k / half : root + (0.5 - root) * (double)(k - half) / (n / 2 - half);
	return column <= n / 2 ? turn : 1.0 - turn;
}

static void add_mug_row(mug *m, double radius, double y)
{
	for (int k = 0; k < m->sheet.columns; ++k) {
		rbl_direction at = rbl_direction_at(mug_turn(m, k));
		rbl_builder_vertex(m->builder, (rbl_vec3d){ radius * at.cos, y, -radius * at.sin });
	}
	m->sheet.rows++;
}

static void add_mug_body(mug *m)
{
	const rbl_mug_def *def = m->def;
	double r = def->radius, h = def->height, w = def->wall, foot = 0.06 * min_double(r, h);
	// The wall between these heights is cut into root_rows rows each.
	const double heights[6] = { foot, 0.20 * h, 0.36 * h, 0.64 * h, 0.80 * h, h - 0.3 * w };
	add_mug_row(m, r - foot, 0.0);
	for (int i = 0; i < 5; ++i) {
		if (i == 1)
			m->lower_row = m->sheet.rows;
		if (i == 3)
			m->upper_row = m->sheet.rows;
		for (int k = 0; k < m->root_rows; ++k)
			add_mug_row(m, r, heights[i] + (heights[i + 1] - heights[i]) * k / m->root_rows);
	}
	add_mug_row(m, r, h - 0.3 * w);
	add_mug_row(m, r - 0.3 * w, h);
	add_mug_row(m, r - 0.7 * w, h);
	int steps = 3 * m->root_rows;
	double top = h - 0.3 * w, bottom = w + foot;
	for (int k = 0; k <= steps; ++k)
		add_mug_row(m, r - w, top + (bottom - top) * k / steps);
	add_mug_row(m, r - w - foot, w);
}

// The handle's centre line and tangent in the plane z = 0: a cubic from the upper to the lower
// root.
static rbl_vec3d handle_curve(const rbl_mug_def *def, double t, rbl_vec3d *tangent)
{
	double r = def->radius, h = def->height, s = 1.0 - t;
	const rbl_vec3d a = { r, 0.72 * h, 0.0 }, b = { 2.05 * r, 0.76 * h, 0.0 };
	const rbl_vec3d c = { 2.05 * r, 0.24 * h, 0.0 }, d = { r, 0.28 * h, 0.0 };
	*tangent = vec_normalize(
		vec_add(vec_scale(s * s, vec_sub(b, a)),
	            vec_add(vec_scale(2.0 * s * t, vec_sub(c, b)), vec_scale(t * t, vec_sub(d, c)))));
	return vec_add(vec_add(vec_scale(s * s * s, a), vec_scale(3.0 * s * s * t, b)),
	               vec_add(vec_scale(3.0 * s * t * t, c), vec_scale(t * t * t, d)));
}

// Rings from the upper root along the curve to the lower root. What is up at the upper root is down
// at the lower one: the lower loop is the upper one with its rows mirrored.
static void add_handle(mug *m)
{
	rbl_sheet_block upper = { m->upper_row, m->sheet.columns - m->root_columns / 2, m->root_rows,
		                      m->root_columns };
	int from[MUG_MAX_LOOP], to[MUG_MAX_LOOP];
	rbl_direction disc[MUG_MAX_LOOP];
	int n = rbl_sheet_loop(&m->sheet, upper, from, disc), rings = 6 + 4 * m->def->detail;
	int lower[MUG_MAX_LOOP];
	for (int i = 0; i < n; ++i) {
		int place = from[i] - m->sheet.first;
		int row = place / m->sheet.columns - m->upper_row, column = place % m->sheet.columns;
		lower[i] = rbl_sheet_vertex(&m->sheet, m->lower_row + m->root_rows - row, column);
	}
	double r = m->def->radius;
	for (int k = 1; k < rings; ++k) {
		rbl_vec3d tangent, centre = handle_curve(m->def, (double)k / rings, &tangent);
		rbl_vec3d up = { -tangent.y, tangent.x, 0.0 };
		int nearest_end = min_int(k, rings - k);
		double flare = nearest_end == 1 ? 1.18 : nearest_end == 2 ? 1.06 : 1.0;
		double thick = 0.10 * min_double(r, 0.8 * m->def->height) * flare, wide = 0.15 * r * flare;
		for (int i = 0; i < n; ++i) {
			rbl_vec3d p = vec_add_scaled(centre, thick * disc[i].sin, up);
			p.z -= wide * disc[i].cos;
			to[i] = rbl_builder_vertex(m->builder, p);
		}
		rbl_builder_bridge(m->builder, from, to, n);
		memcpy(from, to, sizeof from);
	}
	rbl_builder_bridge(m->builder, from, lower, n);
}

rbl_result rbl_create_mug_mesh(const rbl_mug_def *def, rbl_mesh **mesh)
{
	rbl_result result = RBL_SHAPE_CHECK(RBL_SHAPE_MUG, def, mesh);
	if (result != RBL_OK)
		return result;
	const rbl_shape_range ranges[] = {
		RBL_LENGTH_RANGE(def, radius),
		{ "height", def->height, 0.5 * def->radius, 8.0 * def->radius },
		{ "wall", def->wall, 0.02 * def->radius,
		  min_double(0.3, 0.25 * def->height / def->radius) * def->radius },
		{ "detail", def->detail, 1, MUG_MAX_DETAIL },
	};
	result = rbl_shape_check_ranges(RBL_SHAPE_MUG, ranges, RBL_COUNT_OF(ranges));
	if (result != RBL_OK)
		return result;
	rbl_builder builder;
	rbl_builder_init(&builder, &def->allocator);
	rbl_builder_add_material(&builder, RBL_PORCELAIN);
	mug m = { .builder = &builder,
		      .def = def,
		      .sheet = { .columns = 16 * def->detail, .wrap_columns = true },
		      .root_rows = max_int(2, def->detail),
		      .root_columns = 2 * ((def->detail + 1) / 2) };
	add_mug_body(&m);
	int column = m.sheet.columns - m.root_columns / 2;
	const rbl_sheet_block holes[2] = { { m.lower_row, column, m.root_rows, m.root_columns },
		                               { m.upper_row, column, m.root_rows, m.root_columns } };
	m.sheet.holes = holes;
	m.sheet.hole_count = 2;
	rbl_builder_sheet(&builder, m.sheet);
	rbl_builder_cap(&builder, &m.sheet, false);
	rbl_builder_cap(&builder, &m.sheet, true);
	add_handle(&m);
	return rbl_builder_finish(&builder, mesh);
}
