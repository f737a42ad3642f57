// SPDX-License-Identifier: MIT
//
// The centre stand of the Roman arena: a platform over the seats at the middle of a long side, and
// a temple of columns with a pediment on it, facing the sand.

#include "procedural/amphitheatre.h"

// The temple's own space: x along the front, y up, z towards the sand. Everything is rigid.
typedef struct temple {
	rbl_amphitheatre *am;
	double bay, z; // where its origin stands
} temple;

// From the temple's space into the space of rbl_amphitheatre_stand(), which looks outwards.
static rbl_vec3d turn_round(const void *context, rbl_vec3d p)
{
	(void)context;
	return (rbl_vec3d){ -p.x, p.y, -p.z };
}

static void place(const temple *t, int first)
{
	rbl_builder_map(t->am->builder, first, turn_round, NULL);
	rbl_amphitheatre_stand(t->am, t->bay, t->z, first);
}

static void add_block(const temple *t, rbl_vec3d lower, rbl_vec3d upper, double bevel)
{
	int first = t->am->builder->positions.count;
	rbl_builder_box(t->am->builder, lower, upper, bevel);
	place(t, first);
}

static void add_columns(const temple *t, double x, double y, double z, double height)
{
	rbl_column_def def = rbl_default_column_def();
	int detail = t->am->detail;
	def.height = height;
	def.radius = 0.34;
	def.flutes = detail >= 2 ? 20 : 0;
	def.detail = 1 + detail / 4;
	int first = t->am->builder->positions.count;
	rbl_builder_column(t->am->builder, &def);
	for (int i = first; i < t->am->builder->positions.count; ++i) {
		rbl_vec3d *p = &t->am->builder->positions.data[i];
		*p = vec_add(*p, (rbl_vec3d){ x, y, z });
	}
	place(t, first);
}

// A prism with a triangular front from z0 to z1: the pediment, and the roof behind it.
static void add_gable(const temple *t, double half, double y, double rise, double z0, double z1)
{
	rbl_builder *builder = t->am->builder;
	int first = builder->positions.count;
	for (int i = 0; i < 2; ++i) {
		double z = i ? z1 : z0;
		rbl_builder_vertex(builder, (rbl_vec3d){ -half, y, z });
		rbl_builder_vertex(builder, (rbl_vec3d){ half, y, z });
		rbl_builder_vertex(builder, (rbl_vec3d){ 0.0, y + rise, z });
	}
	rbl_builder_loft(builder, first, 2, 3);
	place(t, first);
}

// A slab that lies on one slope of the gable.
static void add_slope(const temple *t, double half, double y, double rise, double z0, double z1,
                      double side)
{
	rbl_builder *builder = t->am->builder;
	int first = builder->positions.count;
	for (int i = 0; i < 2; ++i) {
		double z = (i == 1) == (side > 0.0) ? z1 : z0;
		rbl_builder_vertex(builder, (rbl_vec3d){ side * half, y - 0.06, z });
		rbl_builder_vertex(builder, (rbl_vec3d){ side * half, y + 0.18, z });
		rbl_builder_vertex(builder, (rbl_vec3d){ -0.02 * side, y + rise + 0.18, z });
		rbl_builder_vertex(builder, (rbl_vec3d){ -0.02 * side, y + rise - 0.06, z });
	}
	rbl_builder_loft(builder, first, 2, 4);
	place(t, first);
}

void rbl_amphitheatre_add_temple(rbl_amphitheatre *am)
{
	double floor_y = am->podium + (am->lower_rows + 2) * am->row_rise + 0.6;
	temple t = { am, 0.25 * am->bays, -am->depth + 4.6 };
	double half = 5.2, back = -4.4, front = 1.6, height = 4.2;
	am->builder->material = am->stones[1];
	add_block(&t, (rbl_vec3d){ -half, 0.0, back }, (rbl_vec3d){ half, floor_y - 0.4, front }, 0.0);
	add_block(&t, (rbl_vec3d){ -half - 0.25, floor_y - 0.5, back - 0.1 },
	          (rbl_vec3d){ half + 0.25, floor_y, front + 0.25 }, 0.06);
	// A balustrade towards the sand.
	am->builder->material = am->marble;
	for (int i = 0; i < 12; ++i) {
		double x = -half + 0.25 + (2.0 * half - 0.5) * i / 11.0;
		add_block(&t, (rbl_vec3d){ x - 0.1, floor_y - 0.05, front - 0.1 },
		          (rbl_vec3d){ x + 0.1, floor_y + 0.62, front + 0.1 }, 0.02);
	}
	add_block(&t, (rbl_vec3d){ -half, floor_y + 0.58, front - 0.16 },
	          (rbl_vec3d){ half, floor_y + 0.76, front + 0.16 }, 0.03);

	double step = floor_y + 0.3, eaves = step + height;
	add_block(&t, (rbl_vec3d){ -4.3, floor_y - 0.1, -3.9 }, (rbl_vec3d){ 4.3, step, 0.5 }, 0.04);
	for (int i = 0; i < 6; ++i) {
		double x = -3.7 + 7.4 * i / 5.0;
		add_columns(&t, x, step - 0.02, 0.0, height + 0.04);
		if (i == 0 || i == 5)
			add_columns(&t, x, step - 0.02, -1.7, height + 0.04);
	}
	am->builder->material = am->stones[0];
	add_block(&t, (rbl_vec3d){ -3.6, step - 0.1, -3.7 }, (rbl_vec3d){ 3.6, eaves + 0.05, -1.9 },
	          0.0); // the cella
	am->builder->material = am->marble;
	add_block(&t, (rbl_vec3d){ -4.25, eaves, -3.9 }, (rbl_vec3d){ 4.25, eaves + 0.62, 0.5 }, 0.03);
	add_block(&t, (rbl_vec3d){ -4.55, eaves + 0.58, -4.0 }, (rbl_vec3d){ 4.55, eaves + 0.8, 0.75 },
	          0.04);
	am->builder->material = am->stones[1];
	add_gable(&t, 4.4, eaves + 0.78, 1.55, -3.9, 0.35);
	am->builder->material = am->tiles;
	add_slope(&t, 4.7, eaves + 0.80, 1.62, -4.05, 0.8, 1.0);
	add_slope(&t, 4.7, eaves + 0.80, 1.62, -4.05, 0.8, -1.0);
}
