// SPDX-License-Identifier: MIT
//
// The sphere and its fragments, by the library's own fracture.

#include "field_bodies.h"

#include "bench.h"

#include "base/random.h"
#include "base/math.h"

#include <rubble/fracture.h>
#include <rubble/shapes.h>

#include <stdlib.h>

static void evaluate_in_lanes(const rbl_distance_field *field, const rbl_vec3 *points, int count,
                              float *distances, float *bounds, rbl_vec3 *gradients)
{
	const cell_shape *cell = ((const shape_field *)field)->shape;
	RBL_PICK(field_evaluate_cell)(cell, points, count, distances, bounds, gradients);
}

shape_field field_cell_field(const cell_shape *cell)
{
	static const rbl_distance_field_kind kind = { evaluate_in_lanes, NULL };
	return (shape_field){ .head = { .kind = &kind, .info.bounds = unlimited_box }, .shape = cell };
}

// A sphere of `rings` rows of `2 rings` quads, each two triangles, and fans at the poles.
static rbl_mesh *make_sphere(int triangle_count)
{
	int rings = (int)sqrt((double)triangle_count / 4.0), columns = 2 * rings;
	int vertex_count = (rings - 1) * columns + 2, face_count = 2 * (rings - 1) * columns, n = 0;
	rbl_vec3d *positions = malloc((size_t)vertex_count * sizeof *positions);
	int *corners = malloc(3 * (size_t)face_count * sizeof *corners);
	rbl_mesh *mesh = NULL;
	for (int i = 1; i < rings && positions && corners; ++i)
		for (int k = 0; k < columns; ++k) {
			double a = RBL_PI * i / rings, b = 2.0 * RBL_PI * k / columns;
			positions[(i - 1) * columns + k] =
				(rbl_vec3d){ 0.5 * rbl_sin(a) * rbl_cos(b), 0.5 * rbl_cos(a),
				             -0.5 * rbl_sin(a) * rbl_sin(b) };
		}
	if (positions && corners) {
		positions[vertex_count - 2] = (rbl_vec3d){ 0.0, 0.5, 0.0 };
		positions[vertex_count - 1] = (rbl_vec3d){ 0.0, -0.5, 0.0 };
		for (int k = 0; k < columns; ++k) {
			int next = (k + 1) % columns, last = (rings - 2) * columns;
			const int fans[6] = {
				vertex_count - 2, k, next, vertex_count - 1, last + next, last + k
			};
			for (int c = 0; c < 6; ++c)
				corners[n++] = fans[c];
			for (int i = 0; i + 1 < rings - 1; ++i) {
				int a = i * columns + k, b = i * columns + next;
				const int quad[6] = { a, a + columns, b + columns, a, b + columns, b };
				for (int c = 0; c < 6; ++c)
					corners[n++] = quad[c];
			}
		}
		rbl_mesh_def def = rbl_default_mesh_def();
		def.data.vertex_count = vertex_count;
		def.data.positions = positions;
		def.data.face_count = face_count;
		def.data.corner_count = n;
		def.data.corner_vertices = corners;
		rbl_create_mesh(&def, &mesh);
	}
	free(positions);
	free(corners);
	return mesh;
}

// Samples, planes and mass of a piece.
static bool make_fragment(field_fragment *fragment, const rbl_pieces *pieces,
                          const rbl_pattern *pattern, int piece, double *sample_ms)
{
	rbl_mesh *mesh = NULL;
	rbl_convex *cell = NULL;
	rbl_piece_info info = rbl_piece_get_info(pieces, piece);
	bool ok = rbl_piece_create_mesh(pieces, piece, NULL, &mesh) == RBL_OK &&
	          rbl_pattern_create_cell_convex(pattern, info.cell, NULL, &cell) == RBL_OK && cell;
	if (ok) {
		rbl_mesh_data data = rbl_mesh_get_data(mesh);
		fragment->mass = rbl_piece_get_mass(pieces, piece);
		fragment->centre = rbl_to_f(fragment->mass.centre);
		fragment->vertex_count = data.vertex_count;
		rbl_point_samples_def def = { &data, fragment->mass.centre, 0.5f, 0.05f };
		uint64_t start = bench_now_ns();
		ok = rbl_sample_points(&def, NULL, &fragment->samples) == RBL_OK;
		*sample_ms += 1e-6 * (double)(bench_now_ns() - start);
		rbl_convex_data planes = rbl_convex_get_data(cell);
		fragment->cell.radius = 0.5f;
		for (int i = 0; i < planes.face_count && fragment->cell.plane_count < 32; ++i) {
			rbl_planed plane = planes.planes[i];
			if (plane.offset > 0.5) // beyond the sphere: the box of the pattern
				continue;
			fragment->cell.planes[fragment->cell.plane_count++] =
				(rbl_plane){ rbl_to_f(plane.normal), (float)plane.offset };
		}
	}
	rbl_destroy_convex(cell);
	if (ok)
		fragment->mesh = mesh;
	else
		rbl_destroy_mesh(mesh);
	return ok;
}

bool field_sphere_open(field_sphere *sphere, int triangle_count)
{
	*sphere = (field_sphere){ .mesh = make_sphere(triangle_count) };
	rbl_random random = rbl_random_from_seed(3);
	for (int i = 0; i < FIELD_CELLS; ++i)
		sphere->sites[i] = rbl_scale_d(0.45, rbl_random_in_ball(&random));
	rbl_solid_def solid_def = rbl_default_solid_def();
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	rbl_pieces_def pieces_def = rbl_default_pieces_def();
	rbl_solid *solid = NULL;
	rbl_pattern *pattern = NULL;
	rbl_pieces *pieces = NULL;
	solid_def.mesh = sphere->mesh;
	pattern_def.kind = RBL_PATTERN_SITES;
	pattern_def.sites = sphere->sites;
	pattern_def.given_count = FIELD_CELLS;
	bool ok = sphere->mesh && rbl_create_solid(&solid_def, &solid) == RBL_OK &&
	          rbl_create_pattern(&pattern_def, &pattern) == RBL_OK;
	pieces_def.solid = solid;
	pieces_def.pattern = pattern;
	ok = ok && rbl_create_pieces(&pieces_def, &pieces) == RBL_OK;
	for (int i = 0; ok && i < rbl_pieces_count(pieces) && i < FIELD_CELLS; ++i) {
		ok = make_fragment(&sphere->fragments[i], pieces, pattern, i, &sphere->sample_ms);
		sphere->fragment_count += ok;
	}
	rbl_destroy_pieces(pieces);
	rbl_destroy_pattern(pattern);
	rbl_destroy_solid(solid);
	return ok;
}

void field_sphere_close(field_sphere *sphere)
{
	for (int i = 0; i < sphere->fragment_count; ++i)
		rbl_point_samples_destroy(&sphere->fragments[i].samples),
			rbl_destroy_mesh(sphere->fragments[i].mesh);
	rbl_destroy_mesh(sphere->mesh);
	*sphere = (field_sphere){ 0 };
}

rbl_tets *field_sphere_tets(const field_sphere *sphere, int node_count)
{
	// Nodes of a filling are about 0.92 of the volume over the cube of an edge times the square
	// root of a half.
	double edge = 0.5 * rbl_cbrt(RBL_PI * 4.0 / 3.0 * 2.0 / node_count);
	rbl_tets *tets = NULL;
	for (int i = 0; i < 12; ++i) {
		rbl_fill_def def = rbl_default_fill_def();
		def.mesh = sphere->mesh;
		def.edge_length = edge;
		def.allow_loss = true;
		def.refine_limit = 0;
		rbl_destroy_tets(tets);
		if (rbl_fill_mesh(&def, &tets, NULL) != RBL_OK)
			return NULL;
		double ratio = (double)rbl_tets_get_data(tets).vertex_count / node_count;
		if (ratio > 0.93 && ratio < 1.07)
			break;
		edge *= rbl_cbrt(ratio);
	}
	return tets;
}
