// SPDX-License-Identifier: MIT
//
// Procedural shapes: the column, from plinth to abacus one stack of rings with the same number of
// vertices. A ring is round, fluted or square; a shelf is two rings at one height.
//
// Proportions follow the Roman Doric order with an Attic base: tori and a scotia below, a ring, a
// neck and a bulging echinus above. They are multiples of the shaft's radius.

#include "procedural/shapes.h"

typedef struct column {
	rbl_builder *builder;
	int segments, flutes;
	double flute_depth;
	int first, rings;
} column;

// Every ring has the same angles, but for the four of a square ring that are nearest to its
// corners.
static void add_square(column *c, double half, double y)
{
	int n = c->segments;
	for (int k = 0; k < n; ++k) {
		rbl_direction at = rbl_direction_at((double)k / n);
		double scale = half / max_double(fabs(at.cos), fabs(at.sin));
		rbl_vec3d p = { scale * at.cos, y, -scale * at.sin };
		for (int corner = 1; corner < 8; corner += 2)
			if ((corner * n + 4) / 8 == k)
				p = (rbl_vec3d){ corner == 1 || corner == 7 ? half : -half, y,
					             corner < 4 ? -half : half };
		rbl_builder_vertex(c->builder, p);
	}
	c->rings++;
}

// A round ring; `fluting` from 0 (smooth) to 1 (full depth).
static void add_ring(column *c, double radius, double y, double fluting)
{
	int n = c->segments, per_flute = c->flutes ? n / c->flutes : 1;
	for (int k = 0; k < n; ++k) {
		rbl_direction at = rbl_direction_at((double)k / n);
		double t = (double)(k % per_flute) / per_flute;
		double r = radius * (1.0 - fluting * c->flute_depth * 4.0 * t * (1.0 - t));
		rbl_builder_vertex(c->builder, (rbl_vec3d){ r * at.cos, y, -r * at.sin });
	}
	c->rings++;
}

// A half-round moulding of `steps` + 1 rings from y0 to y1 that stands out by `bulge`.
static void add_moulding(column *c, double radius, double bulge, double y0, double y1, int steps)
{
	for (int i = 0; i <= steps; ++i) {
		rbl_direction at = rbl_direction_at(0.5 * i / steps);
		add_ring(c, radius + bulge * at.sin, 0.5 * (y0 + y1) - 0.5 * (y1 - y0) * at.cos, 0.0);
	}
}

static void add_base(column *c, double r, int steps)
{
	add_square(c, 1.38 * r, 0.0);
	add_square(c, 1.38 * r, 0.42 * r);
	add_moulding(c, 1.22 * r, 0.14 * r, 0.42 * r, 0.82 * r, steps);
	add_ring(c, 1.18 * r, 0.82 * r, 0.0);
	add_ring(c, 1.18 * r, 0.88 * r, 0.0);
	add_moulding(c, 1.12 * r, -0.06 * r, 0.90 * r, 1.06 * r, steps);
	add_ring(c, 1.14 * r, 1.08 * r, 0.0);
	add_ring(c, 1.14 * r, 1.12 * r, 0.0);
	add_moulding(c, 1.08 * r, 0.10 * r, 1.12 * r, 1.36 * r, steps);
	add_ring(c, 1.04 * r, 1.36 * r, 0.0);
	add_ring(c, 1.04 * r, 1.44 * r, 0.0);
}

static void add_shaft(column *c, const rbl_column_def *def, double y0, double y1, int rows)
{
	int ends = c->flutes ? 1 + min_int(def->detail, 8) : 1;
	double length = y1 - y0, end = 0.35 * def->radius;
	for (int i = 0; i <= rows + 2 * ends; ++i) {
		// Quarter circles at both ends of the flutes, even rows between them.
		int low = i, high = rows + 2 * ends - i;
		int at = min_int(low, high);
		double fluting = min_double(1.0, (double)at / ends);
		double offset = end * (1.0 - sqrt(max_double(0.0, 1.0 - fluting * fluting)));
		double y = at > ends     ? y0 + end + (length - 2.0 * end) * (i - ends) / rows
		           : low <= high ? y0 + offset
		                         : y1 - offset;
		double t = (y - y0) / length;
		double swell = (1.0 - def->entasis) * t + def->entasis * t * t;
		add_ring(c, def->radius * (1.0 - def->taper * swell), y, fluting);
	}
}

static void add_capital(column *c, double r, double y, int steps)
{
	add_moulding(c, 1.01 * r, 0.08 * r, y, y + 0.14 * r, steps);
	add_ring(c, r, y + 0.14 * r, 0.0);
	add_ring(c, r, y + 0.44 * r, 0.0);
	add_ring(c, 1.06 * r, y + 0.44 * r, 0.0);
	for (int i = 0; i <= steps; ++i) {
		rbl_direction at = rbl_direction_at(0.25 * i / steps);
		add_ring(c, (1.06 + 0.34 * at.sin) * r, y + (0.50 + 0.45 * (1.0 - at.cos)) * r, 0.0);
	}
	add_square(c, 1.48 * r, y + 0.95 * r);
	add_square(c, 1.48 * r, y + 1.25 * r);
}

void rbl_builder_column(rbl_builder *builder, const rbl_column_def *def)
{
	int segments = def->flutes ? def->flutes * 2 * def->detail : 16 * def->detail;
	int steps = 1 + min_int(2 * def->detail, 24);
	column c = { builder, segments, def->flutes, def->flute_depth, builder->positions.count, 0 };
	double r = def->radius, top = r * (1.0 - def->taper);
	add_base(&c, r, steps);
	double neck = def->height - 1.25 * top;
	add_shaft(&c, def, 1.44 * r, neck, 2 + 2 * def->detail);
	add_capital(&c, top, neck, steps);

	rbl_sheet sheet = {
		.first = c.first, .rows = c.rings, .columns = segments, .wrap_columns = true
	};
	rbl_builder_sheet(builder, sheet);
	int bottom_centre = rbl_builder_vertex(builder, (rbl_vec3d){ 0.0, 0.0, 0.0 });
	int top_centre = rbl_builder_vertex(builder, (rbl_vec3d){ 0.0, neck + 1.25 * top, 0.0 });
	rbl_builder_fan(builder, &sheet, false, bottom_centre);
	rbl_builder_fan(builder, &sheet, true, top_centre);
}

rbl_column_def rbl_default_column_def(void)
{
	return (rbl_column_def){ .height = 5.0,
		                     .radius = 0.35,
		                     .taper = 0.16,
		                     .entasis = 0.7,
		                     .flutes = 20,
		                     .flute_depth = 0.07,
		                     .detail = 2,
		                     .cookie = RBL_SHAPE_COOKIE(RBL_SHAPE_COLUMN) };
}

rbl_result rbl_create_column_mesh(const rbl_column_def *def, rbl_mesh **mesh)
{
	rbl_result result = RBL_SHAPE_CHECK(RBL_SHAPE_COLUMN, def, mesh);
	if (result != RBL_OK)
		return result;
	const rbl_shape_range ranges[] = {
		RBL_LENGTH_RANGE(def, height),
		{ "radius", def->radius, RBL_SHAPE_MIN_LENGTH, 0.2 * def->height },
		{ "taper", def->taper, 0.0, 0.5 },
		{ "entasis", def->entasis, 0.0, 1.0 },
		{ "flutes", def->flutes, def->flutes ? 4 : 0, 100 },
		{ "flute_depth", def->flute_depth, def->flutes ? 1e-6 : 0.0, 0.15 },
		{ "detail", def->detail, 1, 100 },
	};
	result = rbl_shape_check_ranges(RBL_SHAPE_COLUMN, ranges, RBL_COUNT_OF(ranges));
	if (result != RBL_OK)
		return result;
	rbl_builder builder;
	rbl_builder_init(&builder, &def->allocator);
	builder.crease = 0.85;
	rbl_builder_add_material(&builder, RBL_MARBLE);
	rbl_builder_column(&builder, def);
	return rbl_builder_finish(&builder, mesh);
}
