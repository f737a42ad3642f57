// SPDX-License-Identifier: MIT
//
// The Roman arena: its plan, the bending of parts around the ellipse, and the definition.
//
// Bays are equally long on the front. A table holds the angles of a quarter; the other three are
// mirrored, so that the building is as symmetric as its numbers.

#include "procedural/amphitheatre.h"

// --- the ellipse ----------------------------------------------------------------------------

enum { ARC_STEPS = 1024 };

// Lengths along a quarter of an ellipse, by chords; ARC_STEPS + 1 numbers.
static void measure_quarter(double a, double b, double *lengths)
{
	lengths[0] = 0.0;
	double x = a, y = 0.0;
	for (int i = 1; i <= ARC_STEPS; ++i) {
		rbl_direction at = rbl_direction_at(0.25 * i / ARC_STEPS);
		double next_x = a * at.cos, next_y = b * at.sin;
		double dx = next_x - x, dy = next_y - y;
		lengths[i] = lengths[i - 1] + sqrt(dx * dx + dy * dy);
		x = next_x;
		y = next_y;
	}
}

static void tabulate_turns(rbl_amphitheatre *am)
{
	double lengths[ARC_STEPS + 1];
	measure_quarter(am->a, am->b, lengths);
	int count = am->bays / 4 * RBL_BAY_STEPS;
	for (int k = 0, i = 0; k < count; ++k) {
		double target = lengths[ARC_STEPS] * k / count;
		while (lengths[i + 1] <= target)
			++i;
		double t = (target - lengths[i]) / (lengths[i + 1] - lengths[i]);
		am->turns[k] = 0.25 * (i + t) / ARC_STEPS;
	}
	am->turns[count] = 0.25;
}

static double quarter_turn(const rbl_amphitheatre *am, double bay)
{
	double at = bay * RBL_BAY_STEPS;
	int last = am->bays / 4 * RBL_BAY_STEPS - 1;
	int i = min_int((int)at, last);
	return am->turns[i] + (at - i) * (am->turns[i + 1] - am->turns[i]);
}

static rbl_direction bay_direction(const rbl_amphitheatre *am, double bay)
{
	double n = am->bays, s = bay - n * floor(bay / n);
	double turn = s <= 0.25 * n   ? quarter_turn(am, s)
	              : s <= 0.5 * n  ? 0.5 - quarter_turn(am, 0.5 * n - s)
	              : s <= 0.75 * n ? 0.5 + quarter_turn(am, s - 0.5 * n)
	                              : 1.0 - quarter_turn(am, n - s);
	return rbl_direction_at(turn);
}

static rbl_vec3d bend_point(const void *context, rbl_vec3d p)
{
	const rbl_bay_place *place = context;
	const rbl_amphitheatre *am = place->amphitheatre;
	rbl_direction at = bay_direction(am, place->bay + p.x / RBL_BAY);
	return (rbl_vec3d){ (am->a + p.z) * at.cos * am->unit, p.y * am->unit,
		                -(am->b + p.z) * at.sin * am->unit };
}

void rbl_amphitheatre_bend(const rbl_amphitheatre *am, double bay, int first)
{
	rbl_bay_place place = { am, bay };
	rbl_builder_map(am->builder, first, bend_point, &place);
}

typedef struct frame {
	rbl_vec3d origin, along, out;
	double unit;
} frame;

static rbl_vec3d stand_point(const void *context, rbl_vec3d p)
{
	const frame *f = context;
	rbl_vec3d at = vec_add_scaled(vec_add_scaled(f->origin, p.x, f->along), p.z, f->out);
	at.y += p.y;
	return vec_scale(f->unit, at);
}

void rbl_amphitheatre_stand(const rbl_amphitheatre *am, double bay, double z, int first)
{
	rbl_direction at = bay_direction(am, bay);
	frame f = { .origin = { (am->a + z) * at.cos, 0.0, -(am->b + z) * at.sin }, .unit = am->unit };
	f.out = vec_normalize((rbl_vec3d){ at.cos / am->a, 0.0, -at.sin / am->b });
	f.along = (rbl_vec3d){ f.out.z, 0.0, -f.out.x };
	rbl_builder_map(am->builder, first, stand_point, &f);
}

// --- parts ----------------------------------------------------------------------------------

void rbl_amphitheatre_pick_stone(rbl_amphitheatre *am)
{
	// Half of the stones have the middle tint.
	static const int tints[4] = { 0, 0, 1, 2 };
	am->builder->material = am->stones[tints[random_below(&am->random, 4)]];
}

void rbl_amphitheatre_prism(rbl_amphitheatre *am, double bay, double x0, double x1,
                            const rbl_profile_point *profile, int count)
{
	int first = am->builder->positions.count;
	double bays = (x1 - x0) / RBL_BAY;
	int steps = max_int(1, (int)(bays * (1 + am->detail / 2) + 0.5));
	for (int i = 0; i <= steps; ++i) {
		double x = i < steps ? x0 + (x1 - x0) * i / steps : x1;
		for (int k = 0; k < count; ++k)
			rbl_builder_vertex(am->builder, (rbl_vec3d){ x, profile[k].y, profile[k].radius });
	}
	rbl_builder_loft(am->builder, first, steps + 1, count);
	rbl_amphitheatre_bend(am, bay, first);
}

void rbl_amphitheatre_block(rbl_amphitheatre *am, double bay, rbl_vec3d lower, rbl_vec3d upper)
{
	const rbl_profile_point profile[4] = {
		{ lower.z, upper.y }, { upper.z, upper.y }, { upper.z, lower.y }, { lower.z, lower.y }
	};
	rbl_amphitheatre_prism(am, bay, lower.x, upper.x, profile, 4);
}

enum { MAX_ARC = 64 };

static int arc_steps(const rbl_amphitheatre *am)
{
	return 8 + 4 * am->detail;
}

// The inner line goes up the left jamb, over the arch and down; the outer line keeps pace on the
// wall's left edge, top and right edge.
void rbl_amphitheatre_arched_wall(rbl_amphitheatre *am, double bay, rbl_vec3d lower,
                                  rbl_vec3d upper, double radius, double spring)
{
	rbl_profile_point inner[MAX_ARC + 3], outer[MAX_ARC + 3];
	int steps = arc_steps(am), quarter = steps / 4, first = am->builder->positions.count;
	double middle = 0.5 * (lower.x + upper.x);
	inner[0] = (rbl_profile_point){ middle - radius, lower.y };
	outer[0] = (rbl_profile_point){ lower.x, lower.y };
	for (int i = 0; i <= steps; ++i) {
		rbl_direction at = rbl_direction_at(0.5 - 0.5 * i / steps);
		inner[i + 1] = (rbl_profile_point){ middle + radius * at.cos, spring + radius * at.sin };
		int side = min_int(i, steps - i);
		double rise = min_double(1.0, (double)side / quarter);
		double across = side <= quarter ? (i <= quarter ? 0.0 : 1.0)
		                                : (double)(i - quarter) / (steps - 2 * quarter);
		outer[i + 1] = (rbl_profile_point){ (1.0 - across) * lower.x + across * upper.x,
			                                (1.0 - rise) * spring + rise * upper.y };
	}
	inner[steps + 2] = (rbl_profile_point){ middle + radius, lower.y };
	outer[steps + 2] = (rbl_profile_point){ upper.x, lower.y };
	rbl_builder_band(am->builder, inner, outer, steps + 3, 1 + am->detail / 3, lower.z, upper.z);
	rbl_amphitheatre_bend(am, bay, first);
}

void rbl_amphitheatre_column(rbl_amphitheatre *am, double bay, double z, double y, double height,
                             double radius, int detail)
{
	rbl_column_def def = rbl_default_column_def();
	int first = am->builder->positions.count;
	def.height = height;
	def.radius = radius;
	def.flutes = detail >= 4 ? 20 : 0;
	def.detail = detail >= 8 ? 2 : 1;
	rbl_builder_column(am->builder, &def);
	for (int i = first; i < am->builder->positions.count; ++i)
		am->builder->positions.data[i].y += y;
	rbl_amphitheatre_stand(am, bay, z, first);
}

// --- the definition -------------------------------------------------------------------------

rbl_arena_def rbl_default_arena_def(void)
{
	return (rbl_arena_def){ .length = 84.0,
		                    .width = 68.0,
		                    .bays = 40,
		                    .detail = 2,
		                    .seed = 1,
		                    .cookie = RBL_SHAPE_COOKIE(RBL_SHAPE_ARENA) };
}

// Sizes in units follow from the bay: it is as wide as the ellipse and the number of bays make it.
static void plan(rbl_amphitheatre *am, const rbl_arena_def *def)
{
	const double steps_width = 2.0; // in front of the wall
	double lengths[ARC_STEPS + 1];
	measure_quarter(0.5 * def->length, 0.5 * def->width, lengths);
	am->unit = 4.0 * lengths[ARC_STEPS] / def->bays / (RBL_BAY * 1.06);
	am->a = 0.5 * def->length / am->unit - steps_width;
	am->b = 0.5 * def->width / am->unit - steps_width;
	am->depth = min_double(22.0, 0.6 * am->b);
	static const double floors[4] = { 0.5, 6.7, 12.5, 17.3 };
	memcpy(am->floors, floors, sizeof floors);
	am->podium = 2.6;

	// Seats from the podium to the inner corridor, with a walk between two rings of rows.
	double space = am->depth - 1.4 - 1.3 - 6.2;
	int rows = max_int(2, (int)(space / 0.8));
	am->lower_rows = (rows + 1) / 2;
	am->upper_rows = rows - am->lower_rows;
	am->row_depth = space / rows;
	am->row_rise = min_double(0.6 * am->row_depth, 8.0 / rows);
	tabulate_turns(am);
}

rbl_result rbl_create_arena_mesh(const rbl_arena_def *def, rbl_mesh **mesh)
{
	rbl_result result = RBL_SHAPE_CHECK(RBL_SHAPE_ARENA, def, mesh);
	if (result != RBL_OK)
		return result;
	const rbl_shape_range ranges[] = {
		{ "length", def->length, 1e-3, RBL_SHAPE_MAX_LENGTH },
		{ "width", def->width, 0.6 * def->length, def->length },
		{ "bays", def->bays, 32, 120 },
		{ "bays modulo 4", def->bays % 4, 0, 0 },
		{ "detail", def->detail, 1, 10 },
	};
	result = rbl_shape_check_ranges(RBL_SHAPE_ARENA, ranges, RBL_COUNT_OF(ranges));
	if (result != RBL_OK)
		return result;
	rbl_builder builder;
	rbl_builder_init(&builder, &def->allocator);
	builder.crease = 0.85;
	rbl_amphitheatre am = { .builder = &builder,
		                    .random = random_from_seed(def->seed),
		                    .bays = def->bays,
		                    .detail = def->detail };
	int turn_count = def->bays / 4 * RBL_BAY_STEPS + 1;
	am.turns = NEW(&builder.allocator, double, turn_count);
	if (!am.turns)
		return RBL_OUT_OF_MEMORY;
	plan(&am, def);
	am.stones[0] = rbl_builder_add_material(&builder, RBL_STONE);
	am.stones[1] = rbl_builder_add_material(&builder, RBL_LIGHT_STONE);
	am.stones[2] = rbl_builder_add_material(&builder, RBL_DARK_STONE);
	am.marble = rbl_builder_add_material(&builder, RBL_MARBLE);
	am.sand = rbl_builder_add_material(&builder, RBL_SAND);
	am.wood = rbl_builder_add_material(&builder, RBL_WOOD);
	am.tiles = rbl_builder_add_material(&builder, RBL_ROOF_TILE);
	rbl_amphitheatre_add_front(&am);
	rbl_amphitheatre_add_inside(&am);
	rbl_amphitheatre_add_temple(&am);
	FREE(&builder.allocator, am.turns, turn_count);
	return rbl_builder_finish(&builder, mesh);
}
