// SPDX-License-Identifier: MIT
//
// Procedural shapes: arch, window, brick wall.

#include "procedural/shapes.h"

// A station of the band is a ring: `rings` + 1 vertices on the front from the outer to the inner
// line, and the same on the back in reverse. Its two ends are closed by strips of quads.
void rbl_builder_band(rbl_builder *builder, const rbl_profile_point *inner,
                      const rbl_profile_point *outer, int count, int rings, double back,
                      double front)
{
	int first = builder->positions.count, columns = 2 * (rings + 1);
	for (int i = 0; i < count; ++i) {
		for (int c = 0; c < columns; ++c) {
			int at = c <= rings ? c : columns - 1 - c;
			double t = (double)at / rings, s = (double)(rings - at) / rings;
			rbl_builder_vertex(builder, (rbl_vec3d){ s * outer[i].radius + t * inner[i].radius,
			                                         s * outer[i].y + t * inner[i].y,
			                                         c <= rings ? front : back });
		}
	}
	rbl_sheet sheet = { .first = first, .rows = count, .columns = columns, .wrap_columns = true };
	rbl_builder_sheet(builder, sheet);
	int last = first + (count - 1) * columns;
	for (int c = 0; c < rings; ++c) {
		int opposite = columns - 1 - c;
		rbl_builder_quad(builder, first + c, first + opposite, first + opposite - 1, first + c + 1);
		rbl_builder_quad(builder, last + c, last + c + 1, last + opposite - 1, last + opposite);
	}
}

// --- arch -----------------------------------------------------------------------------------

rbl_arch_def rbl_default_arch_def(void)
{
	return (rbl_arch_def){ .span = 2.0,
		                   .pier_height = 1.5,
		                   .width = 0.5,
		                   .depth = 0.6,
		                   .segments = 24,
		                   .cookie = RBL_SHAPE_COOKIE(RBL_SHAPE_ARCH) };
}

// A point of the half circle, from the left (0) over the top to the right (1).
static rbl_profile_point arch_point(const rbl_arch_def *def, double radius, int step, int steps)
{
	rbl_direction at = rbl_direction_at(0.5 - 0.5 * (double)step / steps);
	return (rbl_profile_point){ radius * at.cos, def->pier_height + radius * at.sin };
}

// The half circle from one step to another, and the piers below it when it is all of it.
static void add_arch_ring(rbl_builder *builder, const rbl_arch_def *def, int begin, int end,
                          int steps)
{
	int first = builder->positions.count;
	bool has_piers = def->voussoirs == 0 && def->pier_height > 0.0;
	double inner = 0.5 * def->span, outer = inner + def->width, half = 0.5 * def->depth;
	int rows = end - begin + 1 + (has_piers ? 2 : 0);
	for (int i = 0; i < rows; ++i) {
		int step = begin + i - (has_piers ? 1 : 0);
		bool is_foot = step < begin || step > end;
		int nearest = step < begin ? begin : step > end ? end : step;
		rbl_profile_point a = arch_point(def, outer, nearest, steps);
		rbl_profile_point b = arch_point(def, inner, nearest, steps);
		a.y = is_foot ? 0.0 : a.y;
		b.y = is_foot ? 0.0 : b.y;
		rbl_builder_vertex(builder, (rbl_vec3d){ a.radius, a.y, half });
		rbl_builder_vertex(builder, (rbl_vec3d){ b.radius, b.y, half });
		rbl_builder_vertex(builder, (rbl_vec3d){ b.radius, b.y, -half });
		rbl_builder_vertex(builder, (rbl_vec3d){ a.radius, a.y, -half });
	}
	rbl_builder_loft(builder, first, rows, 4);
}

static void add_pier_stones(rbl_builder *builder, const rbl_arch_def *def)
{
	if (!(def->pier_height > 0.0))
		return;
	double wanted = floor(def->pier_height / (0.7 * def->width) + 0.5);
	int stones = (int)max_double(1.0, min_double(wanted, 1000.0));
	double inner = 0.5 * def->span, outer = inner + def->width, half = 0.5 * def->depth;
	for (int side = 0; side < 2; ++side) {
		double left = side ? inner : -outer, right = side ? outer : -inner;
		for (int i = 0; i < stones; ++i)
			rbl_builder_box(builder, (rbl_vec3d){ left, def->pier_height * i / stones, -half },
			                (rbl_vec3d){ right, def->pier_height * (i + 1) / stones, half }, 0.0);
	}
}

rbl_result rbl_create_arch_mesh(const rbl_arch_def *def, rbl_mesh **mesh)
{
	rbl_result result = RBL_SHAPE_CHECK(RBL_SHAPE_ARCH, def, mesh);
	if (result != RBL_OK)
		return result;
	const rbl_shape_range ranges[] = {
		RBL_LENGTH_RANGE(def, span),
		{ "pier_height", def->pier_height, 0.0, RBL_SHAPE_MAX_LENGTH },
		RBL_LENGTH_RANGE(def, width),
		RBL_LENGTH_RANGE(def, depth),
		{ "segments", def->segments, 2, 10000 },
		{ "voussoirs", def->voussoirs, def->voussoirs ? 3 : 0, 1000 },
	};
	result = rbl_shape_check_ranges(RBL_SHAPE_ARCH, ranges, RBL_COUNT_OF(ranges));
	if (result != RBL_OK)
		return result;
	rbl_builder builder;
	rbl_builder_init(&builder, &def->allocator);
	rbl_builder_add_material(&builder, RBL_LIGHT_STONE);
	if (def->voussoirs == 0) {
		add_arch_ring(&builder, def, 0, def->segments, def->segments);
		return rbl_builder_finish(&builder, mesh);
	}
	int per_stone = max_int(1, (def->segments + def->voussoirs - 1) / def->voussoirs);
	for (int i = 0; i < def->voussoirs; ++i)
		add_arch_ring(&builder, def, i * per_stone, (i + 1) * per_stone,
		              def->voussoirs * per_stone);
	add_pier_stones(&builder, def);
	return rbl_builder_finish(&builder, mesh);
}

// --- window ---------------------------------------------------------------------------------

enum { MAX_PANES = 100, MAX_BARS = 2 * MAX_PANES + 1 };

rbl_window_def rbl_default_window_def(void)
{
	return (rbl_window_def){ .width = 1.2,
		                     .height = 1.5,
		                     .thickness = 0.006,
		                     .frame_width = 0.07,
		                     .frame_depth = 0.06,
		                     .columns = 2,
		                     .rows = 2,
		                     .subdivisions = 1,
		                     .cookie = RBL_SHAPE_COOKIE(RBL_SHAPE_WINDOW) };
}

// The lines between bars and panes: bar, pane, bar, ..., bar.
static void cut_into_bars(double *lines, double origin, double size, double bar, int panes)
{
	double pane = (size - bar * (panes + 1)) / panes;
	for (int i = 0; i <= panes; ++i) {
		lines[2 * i] = origin + i * (bar + pane);
		lines[2 * i + 1] = lines[2 * i] + bar;
	}
	lines[2 * panes + 1] = origin + size;
}

// The frame is a grid of cells; where both indices are odd is a pane, so open. Solid cells have a
// front and a back, and a side wherever the next cell is open or outside.
static void add_frame(rbl_builder *builder, const double *x, const double *y, int columns, int rows,
                      double half_depth)
{
	int width = 2 * columns + 1, height = 2 * rows + 1, first = builder->positions.count;
	for (int j = 0; j <= height; ++j)
		for (int i = 0; i <= width; ++i)
			for (int side = -1; side <= 1; side += 2)
				rbl_builder_vertex(builder, (rbl_vec3d){ x[i], y[j], side * half_depth });
	static const int steps[4][2] = { { 0, -1 }, { 1, 0 }, { 0, 1 }, { -1, 0 } };
	for (int j = 0; j < height; ++j) {
		for (int i = 0; i < width; ++i) {
			if (i & j & 1)
				continue;
			int corners[4]; // on the back; the front is one more
			for (int k = 0; k < 4; ++k)
				corners[k] = first + 2 * ((j + (k >= 2)) * (width + 1) + i + (k == 1 || k == 2));
			rbl_builder_quad(builder, corners[0] + 1, corners[1] + 1, corners[2] + 1,
			                 corners[3] + 1);
			rbl_builder_quad(builder, corners[3], corners[2], corners[1], corners[0]);
			for (int k = 0; k < 4; ++k) {
				int ni = i + steps[k][0], nj = j + steps[k][1];
				bool is_inside = ni >= 0 && nj >= 0 && ni < width && nj < height;
				if (is_inside && !(ni & nj & 1))
					continue;
				int a = corners[k], b = corners[(k + 1) & 3];
				rbl_builder_quad(builder, a, b, b + 1, a + 1);
			}
		}
	}
}

static void add_pane(rbl_builder *builder, rbl_profile_point lower, rbl_profile_point upper,
                     int subdivisions, double half_thickness)
{
	rbl_profile_point left[1001], right[1001];
	for (int i = 0; i <= subdivisions; ++i) {
		double t = (double)i / subdivisions, y = (1.0 - t) * lower.y + t * upper.y;
		left[i] = (rbl_profile_point){ lower.radius, y };
		right[i] = (rbl_profile_point){ upper.radius, y };
	}
	rbl_builder_band(builder, right, left, subdivisions + 1, subdivisions, -half_thickness,
	                 half_thickness);
}

rbl_result rbl_create_window_mesh(const rbl_window_def *def, rbl_mesh **mesh)
{
	rbl_result result = RBL_SHAPE_CHECK(RBL_SHAPE_WINDOW, def, mesh);
	if (result != RBL_OK)
		return result;
	double space = min_double(def->width / (def->columns + 1.0), def->height / (def->rows + 1.0));
	bool has_frame = def->frame_width != 0.0;
	const rbl_shape_range ranges[] = {
		RBL_LENGTH_RANGE(def, width),
		RBL_LENGTH_RANGE(def, height),
		RBL_LENGTH_RANGE(def, thickness),
		{ "columns", def->columns, 1, MAX_PANES },
		{ "rows", def->rows, 1, MAX_PANES },
		{ "subdivisions", def->subdivisions, 1, 1000 },
		{ "number of quads",
		  (double)def->columns * def->rows * def->subdivisions * (double)def->subdivisions, 1,
		  1e8 },
		{ "frame_width", def->frame_width, has_frame ? 1e-6 * space : 0.0, 0.9 * space },
		{ "frame_depth", has_frame ? def->frame_depth : 1.0,
		  has_frame ? 1.0001 * def->thickness : 0.0, RBL_SHAPE_MAX_LENGTH },
	};
	result = rbl_shape_check_ranges(RBL_SHAPE_WINDOW, ranges, RBL_COUNT_OF(ranges));
	if (result != RBL_OK)
		return result;
	rbl_builder builder;
	rbl_builder_init(&builder, &def->allocator);
	double x[MAX_BARS + 1], y[MAX_BARS + 1], inset = 0.25 * def->frame_width;
	int columns = has_frame ? def->columns : 1, rows = has_frame ? def->rows : 1;
	cut_into_bars(x, -0.5 * def->width, def->width, def->frame_width, columns);
	cut_into_bars(y, 0.0, def->height, def->frame_width, rows);
	if (has_frame) {
		rbl_builder_add_material(&builder, RBL_WOOD);
		add_frame(&builder, x, y, columns, rows, 0.5 * def->frame_depth);
	}
	rbl_builder_add_material(&builder, RBL_GLASS);
	for (int j = 0; j < rows; ++j)
		for (int i = 0; i < columns; ++i)
			add_pane(&builder, (rbl_profile_point){ x[2 * i + 1] - inset, y[2 * j + 1] - inset },
			         (rbl_profile_point){ x[2 * i + 2] + inset, y[2 * j + 2] + inset },
			         def->subdivisions, 0.5 * def->thickness);
	return rbl_builder_finish(&builder, mesh);
}

// --- brick wall -----------------------------------------------------------------------------

rbl_brick_wall_def rbl_default_brick_wall_def(void)
{
	return (rbl_brick_wall_def){ .width = 3.0,
		                         .height = 2.0,
		                         .brick = { 0.25, 0.08, 0.12 },
		                         .bevel = 0.004,
		                         .seed = 1,
		                         .cookie = RBL_SHAPE_COOKIE(RBL_SHAPE_BRICK_WALL) };
}

static void add_bricks(rbl_builder *builder, const rbl_brick_wall_def *def, int columns, int rows)
{
	uint64_t random = random_from_seed(def->seed);
	double pitch = def->brick.x + def->gap, rise = def->brick.y + def->gap;
	double left = -0.5 * (columns * pitch - def->gap), half = 0.5 * def->brick.z;
	for (int j = 0; j < rows; ++j) {
		// Odd rows start and end with half a brick: lines at half pitches.
		int bricks = columns + (j & 1);
		for (int i = 0; i < bricks; ++i) {
			int begin = j & 1 ? max_int(2 * i - 1, 0) : 2 * i;
			int end = j & 1 ? min_int(2 * i + 1, 2 * columns) : 2 * i + 2;
			rbl_vec3d lower = { left + 0.5 * pitch * begin, rise * j, -half };
			rbl_vec3d upper = { left + 0.5 * pitch * end - def->gap, rise * j + def->brick.y,
				                half };
			builder->material = random_below(&random, 3);
			rbl_builder_box(builder, lower, upper, def->bevel);
		}
	}
}

rbl_result rbl_create_brick_wall_mesh(const rbl_brick_wall_def *def, rbl_mesh **mesh)
{
	rbl_result result = RBL_SHAPE_CHECK(RBL_SHAPE_BRICK_WALL, def, mesh);
	if (result != RBL_OK)
		return result;
	double smallest = min_double(def->brick.x, min_double(def->brick.y, def->brick.z));
	double columns = max_double(1.0, floor(def->width / (def->brick.x + def->gap) + 0.5));
	double rows = max_double(1.0, floor(def->height / (def->brick.y + def->gap) + 0.5));
	const rbl_shape_range ranges[] = {
		RBL_LENGTH_RANGE(def, width),
		RBL_LENGTH_RANGE(def, height),
		RBL_LENGTH_RANGE(def, brick.x),
		RBL_LENGTH_RANGE(def, brick.y),
		RBL_LENGTH_RANGE(def, brick.z),
		{ "gap", def->gap, 0.0, 0.5 * smallest },
		{ "bevel", def->bevel, 0.0, 0.2 * smallest },
		{ "number of bricks", columns * rows, 1.0, 1e6 },
	};
	result = rbl_shape_check_ranges(RBL_SHAPE_BRICK_WALL, ranges, RBL_COUNT_OF(ranges));
	if (result != RBL_OK)
		return result;
	rbl_builder builder;
	rbl_builder_init(&builder, &def->allocator);
	rbl_builder_add_material(&builder, RBL_BRICK);
	rbl_builder_add_material(&builder, RBL_LIGHT_BRICK);
	rbl_builder_add_material(&builder, RBL_DARK_BRICK);
	add_bricks(&builder, def, (int)columns, (int)rows);
	return rbl_builder_finish(&builder, mesh);
}
