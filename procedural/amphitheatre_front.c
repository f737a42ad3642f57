// SPDX-License-Identifier: MIT
//
// The outside of the Roman arena: two storeys of arches between half columns, an attic with
// windows and pilasters, an entablature above each, steps below and masts above.
//
// Parts reach into each other as stones and mouldings do: walls into piers, columns into their
// capitals' wall, an entablature into the block that breaks forward over each column. No two faces
// of different parts lie in one plane and look the same way where both can be seen.

#include "procedural/amphitheatre.h"

static const double opening = 2.0;      // radius of the arches
static const double entablature = 1.15; // height

typedef struct storey {
	double foot, top; // of piers and columns; the entablature is above
	double spring;    // where the arch begins
	int level;
} storey;

// --- entablature ----------------------------------------------------------------------------

// The front of an entablature from its top down: how far it stands out, how far below the top.
// Dentils stand out further where there is a tooth.
static const struct {
	double out, below;
	bool is_dentil;
} mouldings[] = {
	{ 0.62, 0.00, false }, { 0.62, 0.05, false }, { 0.50, 0.16, false }, { 0.50, 0.30, false },
	{ 0.22, 0.32, false }, { 0.22, 0.34, true },  { 0.22, 0.45, true },  { 0.16, 0.47, false },
	{ 0.08, 0.54, false }, { 0.04, 0.55, false }, { 0.04, 0.83, false }, { 0.10, 0.84, false },
	{ 0.10, 0.88, false }, { 0.07, 0.89, false }, { 0.07, 1.02, false }, { 0.03, 1.03, false },
	{ 0.03, 1.15, false },
};
enum { MOULDING_COUNT = RBL_COUNT_OF(mouldings), TEETH = 12 };

static void add_entablature_station(rbl_amphitheatre *am, double x, double top, double forward,
                                    double tooth)
{
	for (int i = 0; i < MOULDING_COUNT; ++i) {
		double out = mouldings[i].out + forward + (mouldings[i].is_dentil ? tooth : 0.0);
		rbl_builder_vertex(am->builder, (rbl_vec3d){ x, top - mouldings[i].below, out });
	}
	rbl_builder_vertex(am->builder, (rbl_vec3d){ x, top - entablature, -2.1 });
	rbl_builder_vertex(am->builder, (rbl_vec3d){ x, top, -2.1 });
}

// From x0 to x1; with teeth, each has two stations and each gap two.
static void add_entablature(rbl_amphitheatre *am, double bay, double x0, double x1, double top,
                            double forward, int teeth)
{
	int first = am->builder->positions.count, stations = 0;
	if (teeth > 0) {
		double pitch = (x1 - x0) / (teeth + 0.5), slope = 0.04 * pitch;
		add_entablature_station(am, x0, top, forward, 0.0);
		for (int i = 0; i < teeth; ++i) {
			double left = x0 + (i + 0.5) * pitch, right = left + 0.5 * pitch;
			add_entablature_station(am, left - slope, top, forward, 0.0);
			add_entablature_station(am, left + slope, top, forward, 0.14);
			add_entablature_station(am, right - slope, top, forward, 0.14);
			add_entablature_station(am, right + slope, top, forward, 0.0);
		}
		add_entablature_station(am, x1, top, forward, 0.0);
		stations = 4 * teeth + 2;
	} else {
		int steps = 1 + am->detail / 2;
		for (int i = 0; i <= steps; ++i)
			add_entablature_station(am, i < steps ? x0 + (x1 - x0) * i / steps : x1, top, forward,
			                        0.0);
		stations = steps + 1;
	}
	rbl_builder_loft(am->builder, first, stations, MOULDING_COUNT + 2);
	rbl_amphitheatre_bend(am, bay, first);
}

static void add_entablatures(rbl_amphitheatre *am, int bay, double top)
{
	int teeth = am->detail >= 3 ? TEETH : 0;
	am->builder->material = am->stones[1];
	add_entablature(am, bay + 0.5, -RBL_HALF_BAY + 0.5, RBL_HALF_BAY - 0.5, top, 0.0, teeth);
	rbl_amphitheatre_pick_stone(am);
	add_entablature(am, bay, -0.66, 0.66, top + 0.02, 0.56, teeth ? 3 : 0);
}

// --- arches ---------------------------------------------------------------------------------

// The moulded ring around an arch: a profile of radius and z, swept over the half circle.
static void add_archivolt(rbl_amphitheatre *am, double bay, double spring)
{
	static const rbl_profile_point profile[] = {
		{ -0.04, -0.40 }, { 0.50, -0.40 }, { 0.50, 0.14 }, { 0.42, 0.14 },
		{ 0.38, 0.06 },   { 0.20, 0.06 },  { 0.20, 0.01 }, { -0.04, 0.01 },
	};
	int first = am->builder->positions.count, steps = 8 + 4 * am->detail;
	for (int i = 0; i <= steps; ++i) {
		rbl_direction at = rbl_direction_at(0.5 - 0.5 * i / steps);
		for (int k = 0; k < RBL_COUNT_OF(profile); ++k) {
			double radius = opening + profile[k].radius;
			rbl_builder_vertex(am->builder, (rbl_vec3d){ radius * at.cos, spring + radius * at.sin,
			                                             profile[k].y });
		}
	}
	rbl_builder_loft(am->builder, first, steps + 1, RBL_COUNT_OF(profile));
	rbl_amphitheatre_bend(am, bay, first);
}

static void add_keystone(rbl_amphitheatre *am, double bay, double crown)
{
	int first = am->builder->positions.count;
	static const double heights[2] = { -0.12, 0.66 }, widths[2] = { 0.22, 0.34 };
	for (int i = 0; i < 2; ++i) {
		double y = crown + heights[i], w = widths[i];
		rbl_builder_vertex(am->builder, (rbl_vec3d){ w, y, -0.5 });
		rbl_builder_vertex(am->builder, (rbl_vec3d){ -w, y, -0.5 });
		rbl_builder_vertex(am->builder, (rbl_vec3d){ -w, y, 0.2 + 0.12 * i });
		rbl_builder_vertex(am->builder, (rbl_vec3d){ w, y, 0.2 + 0.12 * i });
	}
	rbl_builder_loft(am->builder, first, 2, 4);
	rbl_amphitheatre_bend(am, bay, first);
}

static void add_arch(rbl_amphitheatre *am, int index, const storey *s)
{
	double bay = index + 0.5;
	rbl_amphitheatre_pick_stone(am);
	rbl_amphitheatre_arched_wall(am, bay, (rbl_vec3d){ -RBL_HALF_BAY + 0.5, s->foot, -1.95 },
	                             (rbl_vec3d){ RBL_HALF_BAY - 0.5, s->top + 0.1, -0.1 }, opening,
	                             s->spring);
	am->builder->material = am->stones[1];
	add_archivolt(am, bay, s->spring);
	add_keystone(am, bay, s->spring + opening);
	for (int side = 0; side < 2; ++side) {
		double x0 = side ? opening - 0.1 : -opening - 0.28, x1 = x0 + 0.38;
		rbl_amphitheatre_block(am, bay, (rbl_vec3d){ x0, s->spring - 0.32, -2.1 },
		                       (rbl_vec3d){ x1, s->spring + 0.02, 0.10 });
	}
}

// The volutes of an Ionic capital: two short rolls whose axes point outwards.
static void add_volutes(rbl_amphitheatre *am, double bay, double y, double z)
{
	int segments = 8 + 2 * am->detail;
	for (int side = -1; side <= 1; side += 2) {
		int first = am->builder->positions.count;
		static const double radii[4] = { 0.20, 0.24, 0.24, 0.17 };
		static const double depths[4] = { -0.46, -0.40, 0.40, 0.46 };
		for (int i = 0; i < 4; ++i) {
			for (int k = 0; k < segments; ++k) {
				rbl_direction at = rbl_direction_at((double)k / segments);
				rbl_builder_vertex(am->builder, (rbl_vec3d){ 0.47 * side + radii[i] * at.cos,
				                                             y + radii[i] * at.sin, depths[i] });
			}
		}
		rbl_builder_loft(am->builder, first, 4, segments);
		rbl_amphitheatre_stand(am, bay, z, first);
	}
}

static void add_pier(rbl_amphitheatre *am, int bay, const storey *s)
{
	rbl_amphitheatre_pick_stone(am);
	rbl_amphitheatre_block(am, bay, (rbl_vec3d){ -0.78, s->foot, -2.2 },
	                       (rbl_vec3d){ 0.78, s->top + 0.1, 0.0 });
	double foot = s->foot, out = 0.14;
	if (s->level > 0) { // columns of upper storeys stand on pedestals
		rbl_amphitheatre_block(am, bay, (rbl_vec3d){ -0.74, foot - 0.1, -1.0 },
		                       (rbl_vec3d){ 0.74, foot + 0.7, 0.88 });
		foot += 0.7;
	}
	am->builder->material = am->marble;
	rbl_amphitheatre_column(am, bay, out, foot, s->top - foot + 0.05, 0.48, am->detail);
	if (s->level == 1 && am->detail >= 2)
		add_volutes(am, bay, s->top - 0.40, out);
}

// --- attic ----------------------------------------------------------------------------------

// A wall with a window: four lintels and jambs as one closed ring.
static void add_window_wall(rbl_amphitheatre *am, int index, double y0, double y1)
{
	double left = -RBL_HALF_BAY + 0.4, right = RBL_HALF_BAY - 0.4;
	const rbl_profile_point outer[4] = { { left, y0 }, { left, y1 }, { right, y1 }, { right, y0 } };
	double w = 0.62, low = y0 + 1.35, high = low + 1.5;
	const rbl_profile_point inner[4] = { { -w, low }, { -w, high }, { w, high }, { w, low } };
	int first = am->builder->positions.count;
	for (int i = 0; i < 4; ++i) {
		for (int k = 0; k < 4; ++k) {
			rbl_profile_point p = k == 0 || k == 3 ? outer[i] : inner[i];
			rbl_builder_vertex(am->builder, (rbl_vec3d){ p.radius, p.y, k < 2 ? -0.15 : -1.2 });
		}
	}
	rbl_builder_sheet(
		am->builder,
		(rbl_sheet){
			.first = first, .rows = 4, .columns = 4, .wrap_rows = true, .wrap_columns = true });
	rbl_amphitheatre_bend(am, index + 0.5, first);
	// A sill and a lintel.
	am->builder->material = am->stones[1];
	rbl_amphitheatre_block(am, index + 0.5, (rbl_vec3d){ -w - 0.22, low - 0.2, -0.6 },
	                       (rbl_vec3d){ w + 0.22, low + 0.03, 0.06 });
	rbl_amphitheatre_block(am, index + 0.5, (rbl_vec3d){ -w - 0.22, high - 0.03, -0.6 },
	                       (rbl_vec3d){ w + 0.22, high + 0.3, 0.04 });
}

static void add_pilaster(rbl_amphitheatre *am, int bay, double y0, double y1)
{
	rbl_amphitheatre_pick_stone(am);
	rbl_amphitheatre_block(am, bay, (rbl_vec3d){ -0.52, y0, -1.4 }, (rbl_vec3d){ 0.52, y1, 0.2 });
	am->builder->material = am->marble;
	rbl_amphitheatre_block(am, bay, (rbl_vec3d){ -0.62, y0 - 0.05, -0.4 },
	                       (rbl_vec3d){ 0.62, y0 + 0.45, 0.32 });
	rbl_amphitheatre_block(am, bay, (rbl_vec3d){ -0.58, y1 - 0.55, -0.4 },
	                       (rbl_vec3d){ 0.58, y1 - 0.25, 0.29 });
	rbl_amphitheatre_block(am, bay, (rbl_vec3d){ -0.68, y1 - 0.26, -0.4 },
	                       (rbl_vec3d){ 0.68, y1 + 0.05, 0.40 });
}

// A mast for the awning stands on a bracket and passes through the cornice.
static void add_mast(rbl_amphitheatre *am, double bay, double bracket, double top)
{
	am->builder->material = am->stones[1];
	rbl_amphitheatre_block(am, bay, (rbl_vec3d){ -0.26, bracket - 0.5, -0.4 },
	                       (rbl_vec3d){ 0.26, bracket, 0.80 });
	am->builder->material = am->wood;
	int first = am->builder->positions.count, segments = 6 + am->detail;
	static const rbl_profile_point profile[5] = {
		{ 0.11, 0.0 }, { 0.09, 0.9 }, { 0.11, 0.92 }, { 0.11, 0.95 }, { 0.03, 1.0 }
	};
	for (int i = 0; i < 5; ++i) {
		for (int k = 0; k < segments; ++k) {
			rbl_direction at = rbl_direction_at((double)k / segments);
			double y = bracket - 0.2 + profile[i].y * (top - bracket + 0.2);
			rbl_builder_vertex(am->builder, (rbl_vec3d){ profile[i].radius * at.cos, y,
			                                             -profile[i].radius * at.sin });
		}
	}
	rbl_builder_loft(am->builder, first, 5, segments);
	rbl_amphitheatre_stand(am, bay, 0.52, first);
}

static void add_attic(rbl_amphitheatre *am, int bay)
{
	double y0 = am->floors[2], top = am->floors[3], y1 = top - entablature;
	rbl_amphitheatre_pick_stone(am);
	add_window_wall(am, bay, y0 - 0.05, y1 + 0.1);
	add_pilaster(am, bay, y0, y1);
	add_entablatures(am, bay, top);
	add_mast(am, bay + 0.27, y0 + 3.0, top + 2.2);
	add_mast(am, bay + 0.73, y0 + 3.0, top + 2.2);
	// The parapet, with a stone over each pilaster.
	rbl_amphitheatre_pick_stone(am);
	rbl_amphitheatre_block(am, bay + 0.5, (rbl_vec3d){ -RBL_HALF_BAY, top - 0.05, -1.3 },
	                       (rbl_vec3d){ RBL_HALF_BAY, top + 0.55, -0.2 });
	rbl_amphitheatre_pick_stone(am);
	rbl_amphitheatre_block(am, bay, (rbl_vec3d){ -0.6, top - 0.03, -1.4 },
	                       (rbl_vec3d){ 0.6, top + 0.8, 0.1 });
}

void rbl_amphitheatre_add_front(rbl_amphitheatre *am)
{
	for (int bay = 0; bay < am->bays; ++bay) {
		for (int i = 0; i < 2; ++i) {
			rbl_amphitheatre_pick_stone(am);
			rbl_amphitheatre_block(am, bay + 0.5, (rbl_vec3d){ -RBL_HALF_BAY, 0.25 * i, -2.5 },
			                       (rbl_vec3d){ RBL_HALF_BAY, 0.25 * (i + 1), 2.0 - 0.45 * i });
		}
		for (int level = 0; level < 2; ++level) {
			storey s = { .foot = am->floors[level],
				         .top = am->floors[level + 1] - entablature,
				         .level = level };
			s.spring = s.top - opening - 0.85;
			add_pier(am, bay, &s);
			add_arch(am, bay, &s);
			add_entablatures(am, bay, am->floors[level + 1]);
		}
		add_attic(am, bay);
	}
}
