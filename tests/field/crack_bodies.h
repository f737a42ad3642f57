// SPDX-License-Identifier: MIT
// Cracked tetrahedral meshes for tests, and what is exact about them.
#pragma once

#include "field/crack_field.h"
#include "field/contact_query.h"
#include "base/hash.h"
#include "base/kernel.h"
#include "base/random.h"
#include "scenes/crack_cells.h"
#include "faulty_allocator.h"
#include "test.h"
#include <rubble/shapes.h>

static char last_line[300];

static inline void keep_line(void *user, rbl_log_level level, const char *text)
{
	(void)user, (void)level;
	snprintf(last_line, sizeof last_line, "%s", text);
}

// --- bodies -------------------------------------------------------------------------------------

static inline rbl_tets *make_tets(bool is_ring, double edge_length)
{
	rbl_mesh *mesh = NULL;
	rbl_box_def box = rbl_default_box_def();
	rbl_torus_def torus = rbl_default_torus_def();
	box.size = (rbl_vec3d){ 1.0, 0.6, 0.8 };
	if (is_ring)
		rbl_create_torus_mesh(&torus, &mesh);
	else
		rbl_create_box_mesh(&box, &mesh);
	rbl_fill_def def = rbl_default_fill_def();
	def.mesh = mesh;
	def.edge_length = edge_length;
	def.allow_loss = true;
	rbl_tets *tets = NULL;
	rbl_fill_mesh(&def, &tets, NULL);
	rbl_destroy_mesh(mesh);
	return tets;
}

static inline rbl_crack_field *make_field(const rbl_tets *tets)
{
	rbl_crack_field_def def = rbl_default_crack_field_def();
	rbl_crack_field *field = NULL;
	def.tets = tets;
	rbl_create_crack_field(&def, &field);
	return field;
}

static inline void make_sites(rbl_vec3d *sites, int count, uint64_t seed)
{
	rbl_random random = rbl_random_from_seed(seed);
	rbl_boxd box = { { -0.5, -0.3, -0.4 }, { 0.5, 0.3, 0.4 } };
	for (int i = 0; i < count; ++i)
		sites[i] = rbl_random_in_box(&random, box);
}

// --- references ---------------------------------------------------------------------------------

static inline rbl_vec3d nearest_on_side(rbl_vec3d a, rbl_vec3d b, rbl_vec3d p)
{
	rbl_vec3d side = rbl_sub_d(b, a);
	double t = rbl_dot_d(rbl_sub_d(p, a), side) / rbl_dot_d(side, side);
	return rbl_add_scaled_d(a, rbl_clampd(t, 0.0, 1.0), side);
}

// Distance from a triangle in doubles: the foot, when it lies inside, or the nearest side.
static inline double triangle_distance(const rbl_vec3d t[3], rbl_vec3d p)
{
	rbl_vec3d normal = rbl_normalize_d(rbl_cross_d(rbl_sub_d(t[1], t[0]), rbl_sub_d(t[2], t[0])));
	double least = INFINITY;
	bool is_inside = true;
	for (int i = 0; i < 3; ++i) {
		rbl_vec3d a = t[i], b = t[(i + 1) % 3];
		least = rbl_mind(least, rbl_distance_d(p, nearest_on_side(a, b, p)));
		is_inside &= rbl_dot_d(rbl_cross_d(rbl_sub_d(b, a), normal), rbl_sub_d(p, a)) <= 0.0;
	}
	return is_inside ? fabs(rbl_dot_d(normal, rbl_sub_d(p, t[0]))) : least;
}

static inline double surface_distance(const rbl_tets_data *data, rbl_vec3d p)
{
	double least = INFINITY;
	for (int i = 0; i < data->boundary_face_count; ++i) {
		rbl_vec3d t[3];
		for (int k = 0; k < 3; ++k)
			t[k] = data->positions[data->boundary_vertices[data->boundary_triangles[3 * i + k]]];
		least = rbl_mind(least, triangle_distance(t, p));
	}
	return least;
}

static inline bool is_in_tets(const rbl_tets_data *data, rbl_vec3d p, double slack)
{
	static const int corners[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };
	for (int i = 0; i < data->tet_count; ++i) {
		bool is_inside = true;
		for (int k = 0; k < 4 && is_inside; ++k) {
			rbl_vec3d q[3];
			for (int c = 0; c < 3; ++c)
				q[c] = data->positions[data->tet_vertices[4 * i + corners[k][c]]];
			rbl_vec3d normal =
				rbl_normalize_d(rbl_cross_d(rbl_sub_d(q[1], q[0]), rbl_sub_d(q[2], q[0])));
			is_inside = rbl_dot_d(normal, rbl_sub_d(p, q[0])) <= slack;
		}
		if (is_inside)
			return true;
	}
	return false;
}

// --- cells --------------------------------------------------------------------------------------

// Break into cells, then every other cell again. The cell of each fragment, by number.
typedef struct broken {
	rbl_tets *tets;
	rbl_tets_data data;
	rbl_crack_field *field;
	crack_cell *cells;
	int fragment_count;
} broken;

static const crack_cell everywhere;

static inline bool break_by_sites(broken *b, int fragment, int count, uint64_t seed,
                                  bool has_cell_planes)
{
	rbl_vec3d sites[64];
	make_sites(sites, count, seed);
	crack_input input;
	int first = -1;
	crack_by_sites(&input, b->tets, &b->cells[fragment], sites, count);
	input.def.fragment = fragment;
	input.def.has_cell_planes = has_cell_planes;
	bool ok = rbl_crack_field_break(b->field, &input.def, &first) == RBL_OK;
	if (ok && first == b->fragment_count) {
		b->fragment_count += count;
		b->cells = realloc(b->cells, (size_t)b->fragment_count * sizeof *b->cells);
		for (int i = 0; i < count; ++i)
			b->cells[first + i] = crack_cell_of_site(&b->cells[fragment], sites, count, i);
	}
	crack_input_free(&input);
	return ok && first >= 0;
}

static inline broken make_broken(bool is_ring, double edge_length, int cell_count, int generations,
                                 bool has_cell_planes)
{
	broken b = { .tets = make_tets(is_ring, edge_length), .fragment_count = 1 };
	b.data = rbl_tets_get_data(b.tets);
	b.field = make_field(b.tets);
	b.cells = malloc(sizeof *b.cells);
	b.cells[0] = everywhere;
	break_by_sites(&b, 0, cell_count, 7, has_cell_planes);
	for (int g = 1, begin = 1; g < generations; ++g) {
		int end = b.fragment_count;
		for (int i = begin; i < end; i += 2)
			break_by_sites(&b, i, 3, (uint64_t)(100 + i), has_cell_planes);
		begin = end;
	}
	return b;
}

static inline void destroy_broken(broken *b)
{
	rbl_destroy_crack_field(b->field);
	rbl_destroy_tets(b->tets);
	free(b->cells);
}

/// Zero on a ball whose radius is the context.
static inline double ball_function(rbl_vec3d p, const void *context)
{
	return rbl_length_d(rbl_sub_d(p, (rbl_vec3d){ 0.05, 0.02, -0.03 })) - *(const double *)context;
}
