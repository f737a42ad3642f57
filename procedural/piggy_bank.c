// SPDX-License-Identifier: MIT
//
// Procedural shapes: the piggy bank. Two sheets around the x axis, the outer skin and the inner
// one, are joined where a block of quads is missing in both: the slot. Legs, ears, tail and
// nostrils replace blocks of the outer skin, so all of it is one closed surface.

#include "procedural/shapes.h"

enum { MAX_DETAIL = 50, MAX_LOOP = 2048, MAX_HOLES = 10 };

rbl_piggy_bank_def rbl_default_piggy_bank_def(void)
{
	return (rbl_piggy_bank_def){ .length = 0.2,
		                         .wall = 0.006,
		                         .slot_length = 0.036,
		                         .slot_width = 0.005,
		                         .detail = 3,
		                         .cookie = RBL_SHAPE_COOKIE(RBL_SHAPE_PIGGY_BANK) };
}

// In units of the length, x from -0.45 (tail) to 0.55 (snout), y from the ground.
static const double half_length = 0.45, half_width = 0.28, axis_height = 0.345;
static const double snout_radius = 0.10;

typedef struct pig {
	rbl_builder *builder;
	const rbl_piggy_bank_def *def;
	double unit; // length
	int columns, end_rows, slot_rows;
	double slot_turn; // half the slot's width, as an angle
	rbl_sheet outer, inner;
	double outer_x[8 * (MAX_DETAIL + 1) + 2 * MAX_DETAIL + 16]; // of each outer row
} pig;

// A limb is a row of rings; a ring is an ellipse around a centre.
typedef struct limb_ring {
	rbl_vec3d centre, across, along; // half axes, along columns and along rows
} limb_ring;

// Column 0 is on top. The two columns of the slot have its width, the others share the rest.
static rbl_direction pig_direction(const pig *p, int column)
{
	int n = p->columns, k = column <= n / 2 ? column : n - column;
	double turn =
		k == 0 ? 0.0 : p->slot_turn + (0.5 - p->slot_turn) * (double)(k - 1) / (n / 2 - 1);
	return rbl_direction_at(column <= n / 2 ? turn : 1.0 - turn);
}

static void add_pig_row(pig *p, rbl_sheet *sheet, double x, double radius)
{
	for (int k = 0; k < p->columns; ++k) {
		rbl_direction at = pig_direction(p, k);
		rbl_vec3d point = { x, axis_height + radius * at.cos, radius * at.sin };
		rbl_builder_vertex(p->builder, vec_scale(p->unit, point));
	}
	sheet->rows++;
}

// Rows of an ellipsoid from near its back pole to x = front; the slot's rows are even in x.
static void add_belly(pig *p, rbl_sheet *sheet, double a, double b, double front, bool is_outer)
{
	double slot = 0.5 * p->def->slot_length / p->unit;
	int total = 2 * p->end_rows + p->slot_rows;
	sheet->first = p->builder->positions.count;
	sheet->columns = p->columns;
	sheet->wrap_columns = true;
	for (int i = 1; i <= total; ++i) {
		int slot_step = i - p->end_rows;
		double x = -slot + 2.0 * slot * slot_step / p->slot_rows;
		if (slot_step < 0)
			x = -a + (a - slot) * (1.0 - rbl_direction_at(0.25 * i / p->end_rows).cos);
		if (slot_step > p->slot_rows) {
			double t = (double)(slot_step - p->slot_rows) / p->end_rows;
			x = is_outer ? slot + (front - slot) * t
			             : a - (a - slot) * (1.0 - rbl_direction_at(0.25 * (1.0 - t)).cos);
		}
		if (!is_outer && i == total)
			break; // the pole itself
		if (is_outer)
			p->outer_x[sheet->rows] = x;
		add_pig_row(p, sheet, x, b * sqrt(1.0 - (x / a) * (x / a)));
	}
}

// The block of the outer skin with x in a range, around a column.
static rbl_sheet_block find_block(const pig *p, double x0, double x1, int column, int columns)
{
	rbl_sheet_block block = { 0, (column - columns / 2 + p->columns) % p->columns, 1, columns };
	while (p->outer_x[block.row + 1] < x0)
		block.row++;
	while (p->outer_x[block.row + block.rows] < x1)
		block.rows++;
	return block;
}

static rbl_vec3d block_centre(const pig *p, rbl_sheet_block block)
{
	int loop[MAX_LOOP], n = rbl_sheet_loop(&p->outer, block, loop, NULL);
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < n && p->builder->result == RBL_OK; ++i)
		sum = vec_add(sum, p->builder->positions.data[loop[i]]);
	return vec_scale(1.0 / n, sum);
}

static void add_limb(pig *p, rbl_sheet_block block, const limb_ring *rings, int ring_count)
{
	int from[MAX_LOOP], to[MAX_LOOP];
	rbl_direction disc[MAX_LOOP];
	int n = rbl_sheet_loop(&p->outer, block, from, disc);
	for (int k = 0; k < ring_count; ++k) {
		for (int i = 0; i < n; ++i) {
			rbl_vec3d at = vec_add_scaled(rings[k].centre, disc[i].cos, rings[k].across);
			to[i] = rbl_builder_vertex(p->builder, vec_add_scaled(at, disc[i].sin, rings[k].along));
		}
		rbl_builder_bridge(p->builder, from, to, n);
		memcpy(from, to, (size_t)n * sizeof *from);
	}
	rbl_builder_polygon(p->builder, from, n);
}

static void add_leg(pig *p, rbl_sheet_block block)
{
	rbl_vec3d centre = block_centre(p, block);
	static const double heights[4] = { 0.055, 0.03, 0.008, 0.0 };
	static const double radii[4] = { 0.066, 0.060, 0.060, 0.052 };
	limb_ring rings[4];
	for (int i = 0; i < 4; ++i)
		rings[i] = (limb_ring){ { centre.x, heights[i] * p->unit, centre.z },
			                    { 0.0, 0.0, -radii[i] * p->unit },
			                    { radii[i] * p->unit, 0.0, 0.0 } };
	add_limb(p, block, rings, 4);
}

static void add_ear(pig *p, rbl_sheet_block block, double side)
{
	rbl_vec3d centre = block_centre(p, block);
	rbl_vec3d out = vec_normalize((rbl_vec3d){ 0.35, 0.9, 0.62 * side });
	rbl_vec3d across = vec_normalize((rbl_vec3d){ 0.0, -0.62 * side, 0.9 });
	rbl_vec3d along = vec_cross(out, across);
	static const double offsets[4] = { 0.02, 0.055, 0.085, 0.10 };
	static const double widths[4] = { 0.046, 0.048, 0.030, 0.008 };
	static const double depths[4] = { 0.022, 0.014, 0.010, 0.004 };
	limb_ring rings[4];
	for (int i = 0; i < 4; ++i)
		rings[i] = (limb_ring){ vec_add_scaled(centre, offsets[i] * p->unit, out),
			                    vec_scale(widths[i] * p->unit, across),
			                    vec_scale(depths[i] * p->unit, along) };
	add_limb(p, block, rings, 4);
}

static void add_tail(pig *p, rbl_sheet_block block)
{
	enum { STEPS = 25 };
	rbl_vec3d start = block_centre(p, block), points[STEPS + 1];
	for (int i = 0; i <= STEPS; ++i) {
		double t = (double)i / STEPS;
		rbl_direction at = rbl_direction_at(1.2 * t - 0.25);
		rbl_vec3d offset = { -0.012 - 0.085 * t, 0.012 + 0.026 * (at.sin + 1.0) * t + 0.012 * t,
			                 0.026 * at.cos * t };
		points[i] = vec_add_scaled(start, p->unit, offset);
	}
	limb_ring rings[STEPS];
	for (int i = 0; i < STEPS; ++i) {
		rbl_vec3d tangent = vec_normalize(vec_sub(points[i + 1], points[i]));
		rbl_vec3d z = { 0.0, 0.0, 1.0 };
		rbl_vec3d across = vec_normalize(vec_add_scaled(z, -tangent.z, tangent));
		double radius = (0.016 - 0.008 * i / STEPS) * p->unit;
		rings[i] = (limb_ring){ points[i], vec_scale(radius, across),
			                    vec_scale(radius, vec_cross(tangent, across)) };
	}
	add_limb(p, block, rings, STEPS);
}

static void add_nostril(pig *p, rbl_sheet_block block)
{
	rbl_vec3d centre = block_centre(p, block);
	limb_ring rings[2];
	for (int i = 0; i < 2; ++i) {
		double scale = p->unit * (i ? 0.011 : 0.014), side = centre.z < 0.0 ? -1.0 : 1.0;
		rings[i] = (limb_ring){ { centre.x - 0.02 * i * p->unit, centre.y, centre.z },
			                    { 0.0, -1.5 * side * scale, 0.0 },
			                    { 0.0, 0.0, -side * scale } };
	}
	add_limb(p, block, rings, 2);
}

static void add_outer_skin(pig *p)
{
	double cosine = sqrt(1.0 - (snout_radius / half_width) * (snout_radius / half_width));
	double front = half_length * cosine;
	static const rbl_profile_point snout[] = {
		// radius, x
		{ 0.094, 0.445 }, { 0.094, 0.50 }, { 0.104, 0.52 }, { 0.104, 0.54 },
		{ 0.096, 0.55 },  { 0.070, 0.55 }, { 0.020, 0.55 },
	};
	add_belly(p, &p->outer, half_length, half_width, front, true);
	for (int i = 0; i < RBL_COUNT_OF(snout); ++i) {
		p->outer_x[p->outer.rows] = 0.1 * i + 1.0; // no block is searched here
		add_pig_row(p, &p->outer, snout[i].y, snout[i].radius);
	}
}

static void add_pig(pig *p)
{
	add_outer_skin(p);
	double wall = p->def->wall / p->unit;
	add_belly(p, &p->inner, half_length - wall, half_width - wall, half_length - wall, false);
	p->inner.is_flipped = true;

	int n = p->columns, leg = n / 8, ear = n / 10, nostril = n / 16;
	int nostril_row = p->outer.rows - 2;
	const rbl_sheet_block slot = { p->end_rows - 1, n - 1, p->slot_rows, 2 };
	const rbl_sheet_block holes[MAX_HOLES] = {
		slot,
		find_block(p, -0.26, -0.16, 3 * n / 8, leg),
		find_block(p, -0.26, -0.16, n - 3 * n / 8, leg),
		find_block(p, 0.17, 0.28, 3 * n / 8, leg),
		find_block(p, 0.17, 0.28, n - 3 * n / 8, leg),
		find_block(p, 0.29, 0.33, n / 8 + 1, ear),
		find_block(p, 0.29, 0.33, n - n / 8 - 1, ear),
		find_block(p, -0.43, -0.405, 0, 2),
		{ nostril_row, n / 4 - nostril / 2, 1, nostril },
		{ nostril_row, 3 * n / 4 - nostril / 2, 1, nostril },
	};
	p->outer.holes = holes;
	p->outer.hole_count = MAX_HOLES;
	p->inner.holes = &slot;
	p->inner.hole_count = 1;
	rbl_builder_sheet(p->builder, p->outer);
	rbl_builder_sheet(p->builder, p->inner);
	for (int i = 1; i <= 4; ++i)
		add_leg(p, holes[i]);
	add_ear(p, holes[5], 1.0);
	add_ear(p, holes[6], -1.0);
	add_tail(p, holes[7]);
	add_nostril(p, holes[8]);
	add_nostril(p, holes[9]);

	int from[MAX_LOOP], to[MAX_LOOP], count = rbl_sheet_loop(&p->outer, slot, from, NULL);
	rbl_sheet_loop(&p->inner, slot, to, NULL);
	rbl_builder_bridge(p->builder, from, to, count);
	double ends[2][2] = { { -half_length, 0.55 }, { -half_length + wall, half_length - wall } };
	for (int skin = 0; skin < 2; ++skin) {
		for (int last = 0; last < 2; ++last) {
			rbl_vec3d pole = { ends[skin][last], axis_height, 0.0 };
			int centre = rbl_builder_vertex(p->builder, vec_scale(p->unit, pole));
			rbl_builder_fan(p->builder, skin ? &p->inner : &p->outer, last, centre);
		}
	}
}

rbl_result rbl_create_piggy_bank_mesh(const rbl_piggy_bank_def *def, rbl_mesh **mesh)
{
	rbl_result result = RBL_SHAPE_CHECK(RBL_SHAPE_PIGGY_BANK, def, mesh);
	if (result != RBL_OK)
		return result;
	const rbl_shape_range ranges[] = {
		RBL_LENGTH_RANGE(def, length),
		{ "wall", def->wall, 0.01 * def->length, 0.06 * def->length },
		{ "slot_length", def->slot_length, 0.05 * def->length, 0.3 * def->length },
		{ "slot_width", def->slot_width, 0.01 * def->length, 0.1 * def->length },
		{ "detail", def->detail, 1, MAX_DETAIL },
	};
	result = rbl_shape_check_ranges(RBL_SHAPE_PIGGY_BANK, ranges, RBL_COUNT_OF(ranges));
	if (result != RBL_OK)
		return result;
	rbl_builder builder;
	rbl_builder_init(&builder, &def->allocator);
	rbl_builder_add_material(&builder, RBL_CLAY);
	pig p = { .builder = &builder,
		      .def = def,
		      .unit = def->length,
		      .columns = 16 * (def->detail + 1),
		      .end_rows = 4 * (def->detail + 1),
		      .slot_rows = 2 * def->detail,
		      .slot_turn = def->slot_width / (2.0 * half_width * def->length * 6.283185307179586) };
	add_pig(&p);
	return rbl_builder_finish(&builder, mesh);
}
