// SPDX-License-Identifier: MIT
//
// The inside of the Roman arena, from the corridor behind the front to the sand: radial walls
// carry two rings of seats with a walk between them, stairs divide the rings into wedges, a
// gallery of columns crowns them, a podium wall holds them above the sand.

#include "procedural/amphitheatre.h"

enum { WEDGE = 2, MAX_STAIR_POINTS = 256 }; // bays of a wedge of seats

// --- seats ----------------------------------------------------------------------------------

typedef struct seats {
	int rows;
	double z, y; // front edge of the first row, and the level in front of it
} seats;

static seats lower_seats(const rbl_amphitheatre *am)
{
	return (seats){ am->lower_rows, -am->depth + 1.4, am->podium };
}

static seats upper_seats(const rbl_amphitheatre *am)
{
	seats lower = lower_seats(am);
	return (seats){ am->upper_rows, lower.z + lower.rows * am->row_depth + 1.3,
		            lower.y + lower.rows * am->row_rise + 1.0 };
}

// Rows of one wedge. A row is a bench with a lip; its back lies under the next.
static void add_seat_rows(rbl_amphitheatre *am, double bay, const seats *s)
{
	double half = 0.5 * WEDGE * RBL_BAY, d = am->row_depth, h = am->row_rise;
	for (int i = 0; i < s->rows; ++i) {
		double z = s->z + d * i, top = s->y + h * (i + 1), back = z + d * 1.4;
		double foot = top - 1.4 * h;
		const rbl_profile_point profile[7] = {
			{ -back, top },
			{ -z, top },
			{ -z, top - 0.22 * h },
			{ -z - 0.1 * d, top - 0.3 * h },
			{ -z - 0.1 * d, foot },
			{ -back, foot },
			{ -back, 0.5 * (top + foot) },
		};
		// The profile faces inwards: z grows outwards, so it is mirrored and reversed.
		rbl_profile_point mirrored[7];
		for (int k = 0; k < 7; ++k)
			mirrored[k] = (rbl_profile_point){ -profile[6 - k].radius, profile[6 - k].y };
		rbl_amphitheatre_pick_stone(am);
		rbl_amphitheatre_prism(am, bay, -half, half, mirrored, 7);
	}
}

// A staircase between two wedges: two steps a row, a finger's width proud of the seats.
static void add_stairs(rbl_amphitheatre *am, double bay, const seats *s)
{
	rbl_profile_point points[MAX_STAIR_POINTS];
	int n = 0, steps = 2 * s->rows;
	double run = 0.5 * am->row_depth, rise = 0.5 * am->row_rise, proud = 0.03;
	// From the back foot to the front foot, then up the steps: the other way round than a front.
	double back = s->z + steps * run + 0.1, top = s->y + steps * rise + proud;
	points[n++] = (rbl_profile_point){ back, top };
	points[n++] = (rbl_profile_point){ back, top - 2.0 * am->row_rise };
	points[n++] = (rbl_profile_point){ s->z + run, s->y - 0.5 * am->row_rise };
	points[n++] = (rbl_profile_point){ s->z - run - proud, s->y - 0.5 * am->row_rise };
	for (int i = 0; i < steps && n + 3 < MAX_STAIR_POINTS; ++i) {
		double z = s->z + (i - 1) * run - proud, y = s->y + (i + 1) * rise + proud;
		if (i > 0)
			points[n++] = (rbl_profile_point){ z, y - rise };
		points[n++] = (rbl_profile_point){ z, y };
	}
	rbl_amphitheatre_pick_stone(am);
	rbl_amphitheatre_prism(am, bay, -0.75, 0.75, points, n);
}

// --- walls ----------------------------------------------------------------------------------

// A radial wall under the seats, with a sloping top.
static void add_radial_wall(rbl_amphitheatre *am, double bay)
{
	seats low = lower_seats(am), high = upper_seats(am);
	double back = -5.4, top = high.y + high.rows * am->row_rise - 0.5;
	const rbl_profile_point profile[6] = {
		{ back, top },
		{ back, 0.0 },
		{ low.z - 0.6, 0.0 },
		{ low.z - 0.6, low.y - 0.3 },
		{ high.z - 0.2, high.y - 1.3 },
		{ high.z + 0.2, high.y - 0.4 },
	};
	rbl_amphitheatre_pick_stone(am);
	rbl_amphitheatre_prism(am, bay, -0.4, 0.4, profile, 6);
}

// What is behind the front: a pavement up to the podium, the inner wall of the corridor, and the
// vault between the two.
static void add_corridor(rbl_amphitheatre *am, double bay)
{
	rbl_amphitheatre_pick_stone(am);
	rbl_amphitheatre_block(am, bay, (rbl_vec3d){ -RBL_HALF_BAY, 0.0, -am->depth + 0.4 },
	                       (rbl_vec3d){ RBL_HALF_BAY, 0.3, -2.4 });
	for (int level = 0; level < 2; ++level) {
		double foot = level ? am->floors[level] - 0.1 : 0.0, top = am->floors[level + 1];
		rbl_amphitheatre_pick_stone(am);
		rbl_amphitheatre_arched_wall(am, bay, (rbl_vec3d){ -RBL_HALF_BAY, foot, -6.0 },
		                             (rbl_vec3d){ RBL_HALF_BAY, top - 0.55, -5.2 }, 1.5, top - 3.4);
		rbl_amphitheatre_pick_stone(am);
		rbl_amphitheatre_block(am, bay, (rbl_vec3d){ -RBL_HALF_BAY, top - 0.6, -6.2 },
		                       (rbl_vec3d){ RBL_HALF_BAY, top - 0.05, -1.6 });
	}
}

// The wall behind the walk, with a door in each wedge.
static void add_walk(rbl_amphitheatre *am, double bay)
{
	seats low = lower_seats(am), high = upper_seats(am);
	double half = 0.5 * WEDGE * RBL_BAY, level = low.y + low.rows * am->row_rise;
	double edge = low.z + low.rows * am->row_depth;
	rbl_amphitheatre_pick_stone(am);
	rbl_amphitheatre_block(am, bay, (rbl_vec3d){ -half, level - 0.5, edge - 0.1 },
	                       (rbl_vec3d){ half, level - 0.02, high.z + 0.3 });
	rbl_amphitheatre_pick_stone(am);
	rbl_amphitheatre_block(am, bay, (rbl_vec3d){ -half, level - 0.2, high.z - 0.25 },
	                       (rbl_vec3d){ half, high.y + 0.12, high.z + 0.25 });
	am->builder->material = am->marble;
	rbl_amphitheatre_block(am, bay, (rbl_vec3d){ -half, high.y + 0.06, high.z - 0.33 },
	                       (rbl_vec3d){ half, high.y + 0.22, high.z + 0.20 });
}

// The podium with its coping; at the ends of both axes it has a gate.
static void add_podium(rbl_amphitheatre *am, double bay, bool has_gate)
{
	double half = 0.5 * WEDGE * RBL_BAY, z0 = -am->depth, z1 = z0 + 0.9, top = am->podium - 0.05;
	rbl_amphitheatre_pick_stone(am);
	if (has_gate)
		rbl_amphitheatre_arched_wall(am, bay, (rbl_vec3d){ -half, 0.0, z0 },
		                             (rbl_vec3d){ half, top, z1 }, 1.5, 1.0);
	else
		rbl_amphitheatre_block(am, bay, (rbl_vec3d){ -half, 0.0, z0 },
		                       (rbl_vec3d){ half, top, z1 });
	am->builder->material = am->marble;
	rbl_amphitheatre_block(am, bay, (rbl_vec3d){ -half, top - 0.2, z0 - 0.14 },
	                       (rbl_vec3d){ half, top + 0.06, z0 + 1.0 });
	rbl_amphitheatre_block(am, bay, (rbl_vec3d){ -half, 0.0, z0 - 0.16 },
	                       (rbl_vec3d){ half, has_gate ? 0.15 : 0.4, z0 + 0.2 });
	rbl_amphitheatre_pick_stone(am);
	rbl_amphitheatre_block(am, bay, (rbl_vec3d){ -half, am->podium - 0.6, z0 + 0.5 },
	                       (rbl_vec3d){ half, am->podium - 0.02, z0 + 2.0 });
}

// --- gallery --------------------------------------------------------------------------------

// A roof that falls inwards, with ribs of tiles along the slope.
static void add_roof(rbl_amphitheatre *am, double bay, double beam)
{
	// Four stations a rib: foot, crown, crown, foot; then the flat to the next.
	static const double offsets[4] = { 0.0, 0.06, 0.22, 0.28 };
	int ribs = am->detail >= 2 ? 8 : 1, first = am->builder->positions.count;
	am->builder->material = am->tiles;
	for (int i = 0; i <= 4 * ribs; ++i) {
		double x = -RBL_HALF_BAY + RBL_BAY * (i / 4 + offsets[i & 3]) / ribs;
		double lift = (i & 3) == 1 || (i & 3) == 2 ? 0.14 : 0.0;
		x = i < 4 * ribs ? x : RBL_HALF_BAY;
		rbl_builder_vertex(am->builder, (rbl_vec3d){ x, beam + 0.58 + lift, -6.8 });
		rbl_builder_vertex(am->builder, (rbl_vec3d){ x, beam + 1.38 + lift, -1.0 });
		rbl_builder_vertex(am->builder, (rbl_vec3d){ x, beam + 1.10, -1.0 });
		rbl_builder_vertex(am->builder, (rbl_vec3d){ x, beam + 0.35, -6.8 });
	}
	rbl_builder_loft(am->builder, first, 4 * ribs + 1, 4);
	rbl_amphitheatre_bend(am, bay, first);
}

static void add_gallery(rbl_amphitheatre *am, int index)
{
	double floor_y = am->floors[2], bay = index + 0.5, beam = floor_y + 3.1;
	seats high = upper_seats(am);
	double seat_top = high.y + high.rows * am->row_rise;
	// The wall between the last row and the gallery's floor, then the floor's edge.
	rbl_vec3d lower = { -RBL_HALF_BAY, seat_top - 0.3, -6.35 },
			  upper = { RBL_HALF_BAY, floor_y - 0.1, -5.5 };
	rbl_amphitheatre_pick_stone(am);
	if (seat_top + 2.4 < floor_y)
		rbl_amphitheatre_arched_wall(am, bay, lower, upper, 0.8, seat_top + 1.2);
	else
		rbl_amphitheatre_block(am, bay, lower, upper);
	am->builder->material = am->stones[1];
	rbl_amphitheatre_block(am, bay, (rbl_vec3d){ -RBL_HALF_BAY, floor_y - 0.25, -6.5 },
	                       (rbl_vec3d){ RBL_HALF_BAY, floor_y + 0.05, -1.9 });
	for (int i = 0; i < 2; ++i) {
		am->builder->material = am->marble;
		rbl_amphitheatre_column(am, index + 0.5 * i, -6.0, floor_y + 0.02, beam - floor_y, 0.26,
		                        am->detail - 2);
	}
	am->builder->material = am->stones[1];
	rbl_amphitheatre_block(am, bay, (rbl_vec3d){ -RBL_HALF_BAY, beam, -6.35 },
	                       (rbl_vec3d){ RBL_HALF_BAY, beam + 0.45, -5.65 });
	add_roof(am, bay, beam);
}

static void add_sand(rbl_amphitheatre *am)
{
	int first = am->builder->positions.count, segments = am->bays * (1 + am->detail / 2);
	am->builder->material = am->sand;
	for (int i = 0; i < 2; ++i)
		for (int k = 0; k < segments; ++k) {
			rbl_direction at = rbl_direction_at((double)k / segments);
			double a = am->a - am->depth + 0.5, b = am->b - am->depth + 0.5;
			rbl_builder_vertex(
				am->builder, vec_scale(am->unit, (rbl_vec3d){ a * at.cos, 0.1 * i, -b * at.sin }));
		}
	rbl_builder_loft(am->builder, first, 2, segments);
}

void rbl_amphitheatre_add_inside(rbl_amphitheatre *am)
{
	seats low = lower_seats(am), high = upper_seats(am);
	add_sand(am);
	for (int bay = 0; bay < am->bays; ++bay) {
		add_corridor(am, bay + 0.5);
		add_radial_wall(am, bay);
		add_gallery(am, bay);
	}
	for (int bay = 0; bay < am->bays; bay += WEDGE) {
		// Wedges are centred on bay lines, so that the axes pass through the middle of four.
		bool has_gate = bay % (am->bays / 4) == 0;
		add_podium(am, bay, has_gate);
		add_seat_rows(am, bay, &low);
		add_walk(am, bay);
		add_seat_rows(am, bay, &high);
		add_stairs(am, bay + 0.5 * WEDGE, &low);
		add_stairs(am, bay + 0.5 * WEDGE, &high);
	}
}
