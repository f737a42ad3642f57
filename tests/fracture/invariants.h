// SPDX-License-Identifier: MIT
// What must hold for every break, and the shapes and patterns that tests break.
#pragma once

#include "base/hash.h"
#include "base/random.h"
#include "base/vec.h"
#include "fracture/pieces.h"
#include "geometry/geometry.h"

#include <rubble/fracture.h>
#include <rubble/shapes.h>

#include "test.h"

// --- Meshes -------------------------------------------------------------------------------------

/// A mesh of triangles under construction; small.
typedef struct soup {
	rbl_vec3d points[4000];
	int triangles[12000];
	int point_count, triangle_count;
} soup;

/// Add a box of 12 triangles; turned inside out for a void.
static inline void soup_box(soup *s, rbl_vec3d low, rbl_vec3d high, bool inside_out)
{
	static const int faces[12][3] = { { 0, 2, 1 }, { 1, 2, 3 }, { 4, 5, 6 }, { 5, 7, 6 },
		                              { 0, 1, 4 }, { 1, 5, 4 }, { 2, 6, 3 }, { 3, 6, 7 },
		                              { 0, 4, 2 }, { 2, 4, 6 }, { 1, 3, 5 }, { 3, 7, 5 } };
	int first = s->point_count;
	for (int k = 0; k < 8; ++k)
		s->points[s->point_count++] =
			(rbl_vec3d){ k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z };
	for (int f = 0; f < 12; ++f) {
		for (int k = 0; k < 3; ++k)
			s->triangles[3 * s->triangle_count + k] = first + faces[f][inside_out ? 2 - k : k];
		s->triangle_count++;
	}
}

static inline rbl_mesh *soup_mesh(const soup *s)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data.vertex_count = s->point_count;
	def.data.positions = s->points;
	def.data.face_count = s->triangle_count;
	def.data.corner_count = 3 * s->triangle_count;
	def.data.corner_vertices = s->triangles;
	rbl_mesh *mesh = NULL;
	rbl_create_mesh(&def, &mesh);
	return mesh;
}

/// Copy a mesh through p -> scale * p + shift; takes the old one.
static inline rbl_mesh *moved_mesh(rbl_mesh *mesh, double scale, rbl_vec3d shift)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(mesh);
	rbl_vec3d *points = malloc((size_t)def.data.vertex_count * sizeof *points);
	for (int v = 0; v < def.data.vertex_count; ++v)
		points[v] = rbl_add_d(rbl_scale_d(scale, def.data.positions[v]), shift);
	def.data.positions = points;
	rbl_mesh *moved = NULL;
	rbl_create_mesh(&def, &moved);
	free(points);
	rbl_destroy_mesh(mesh);
	return moved;
}

enum { SHAPE_COUNT = 8 };

/// Box, finer box, ball, torus, tube, box with a void, two overlapping boxes, cylinder.
static inline rbl_mesh *sample_shape(int which)
{
	rbl_mesh *mesh = NULL;
	static soup s;
	s.point_count = s.triangle_count = 0;
	switch (which) {
	case 0:
	case 1: {
		rbl_box_def def = rbl_default_box_def();
		def.subdivisions = which == 0 ? 1 : 4;
		rbl_create_box_mesh(&def, &mesh);
		break;
	}
	case 2: {
		rbl_icosphere_def def = rbl_default_icosphere_def();
		rbl_create_icosphere_mesh(&def, &mesh);
		break;
	}
	case 3: {
		rbl_torus_def def = rbl_default_torus_def();
		def.segments = 24, def.sides = 12;
		rbl_create_torus_mesh(&def, &mesh);
		break;
	}
	case 4: {
		rbl_tube_def def = rbl_default_tube_def();
		rbl_create_tube_mesh(&def, &mesh);
		break;
	}
	case 5:
		soup_box(&s, (rbl_vec3d){ -0.5, -0.5, -0.5 }, (rbl_vec3d){ 0.5, 0.5, 0.5 }, false);
		soup_box(&s, (rbl_vec3d){ -0.25, -0.25, -0.25 }, (rbl_vec3d){ 0.25, 0.25, 0.25 }, true);
		return soup_mesh(&s);
	case 6:
		soup_box(&s, (rbl_vec3d){ -0.5, -0.5, -0.5 }, (rbl_vec3d){ 0.25, 0.25, 0.25 }, false);
		soup_box(&s, (rbl_vec3d){ -0.25, -0.25, -0.25 }, (rbl_vec3d){ 0.5, 0.5, 0.5 }, false);
		return soup_mesh(&s);
	default: {
		rbl_cylinder_def def = rbl_default_cylinder_def();
		rbl_create_cylinder_mesh(&def, &mesh);
		break;
	}
	}
	return mesh;
}

static inline rbl_solid *make_solid(const rbl_mesh *mesh)
{
	rbl_solid_def def = rbl_default_solid_def();
	def.mesh = mesh;
	rbl_solid *solid = NULL;
	rbl_create_solid(&def, &solid);
	return solid;
}

// --- Patterns -----------------------------------------------------------------------------------

static inline rbl_pattern *make_pattern(rbl_vec3d size, int cells, uint64_t seed)
{
	rbl_pattern_def def = rbl_default_pattern_def();
	def.size = size;
	def.cell_count = cells;
	def.seed = seed;
	rbl_pattern *pattern = NULL;
	rbl_create_pattern(&def, &pattern);
	return pattern;
}

/// A pattern of sites given relative to `origin`; sites outside of twice the size are dropped.
static inline rbl_pattern *pattern_of_sites(const rbl_vec3d *sites, int count, rbl_vec3d size,
                                            rbl_vec3d origin)
{
	rbl_vec3d *kept = malloc((size_t)count * sizeof *kept);
	int n = 0;
	rbl_boxd box = { rbl_neg_d(size), size };
	for (int i = 0; i < count; ++i) {
		rbl_vec3d p = rbl_sub_d(sites[i], origin);
		if (rbl_box_contains_d(box, (rbl_boxd){ p, p }))
			kept[n++] = p;
	}
	rbl_pattern_def def = rbl_default_pattern_def();
	def.kind = RBL_PATTERN_SITES;
	def.size = rbl_scale_d(2.0, size);
	def.sites = kept;
	def.given_count = n;
	rbl_pattern *pattern = NULL;
	rbl_create_pattern(&def, &pattern);
	free(kept);
	return pattern;
}

/// A regular grid of n^3 cells over the box: planes along its faces and through its corners.
static inline rbl_pattern *grid_pattern(rbl_boxd box, int n)
{
	rbl_vec3d *sites = malloc((size_t)(n * n * n) * sizeof *sites);
	rbl_vec3d size = rbl_box_size_d(box);
	for (int i = 0; i < n * n * n; ++i)
		sites[i] = (rbl_vec3d){ box.lower.x + size.x * (i % n + 0.5) / n,
			                    box.lower.y + size.y * (i / n % n + 0.5) / n,
			                    box.lower.z + size.z * (i / n / n + 0.5) / n };
	rbl_pattern *pattern = pattern_of_sites(sites, n * n * n, size, rbl_box_centre_d(box));
	free(sites);
	return pattern;
}

/// Sites that put cell vertices on mesh vertices, planes along mesh faces and through mesh edges.
static inline rbl_pattern *nasty_pattern(const rbl_mesh *mesh, uint64_t seed)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	rbl_boxd box = rbl_mesh_bounds(mesh);
	double size = rbl_length_d(rbl_box_size_d(box));
	rbl_random random = rbl_random_from_seed(seed);
	rbl_vec3d sites[400];
	int n = 0;
	for (int i = 0; i < 6; ++i) { // eight sites at equal distance from a vertex
		int v = (int)rbl_random_below(&random, (uint32_t)data.vertex_count);
		double r = size * rbl_random_range(&random, 0.02, 0.2);
		for (int k = 0; k < 8; ++k)
			sites[n++] = rbl_add_d(data.positions[v],
			                       (rbl_vec3d){ k & 1 ? r : -r, k & 2 ? r : -r, k & 4 ? r : -r });
	}
	for (int i = 0; i < 12; ++i) { // mirrored at a face, then at a plane through one of its edges
		int f = (int)rbl_random_below(&random, (uint32_t)data.face_count);
		const int *corners = data.corner_vertices + data.face_starts[f];
		rbl_vec3d a = data.positions[corners[0]], b = data.positions[corners[1]];
		rbl_vec3d c = data.positions[corners[2]];
		rbl_vec3d normal = rbl_normalize_d(rbl_cross_d(rbl_sub_d(b, a), rbl_sub_d(c, a)));
		rbl_vec3d side = rbl_normalize_d(rbl_cross_d(normal, rbl_sub_d(b, a)));
		double r = size * rbl_random_range(&random, 0.01, 0.2);
		double t = rbl_random_double(&random);
		rbl_vec3d p = rbl_lerp_d(a, rbl_lerp_d(b, c, t), rbl_random_double(&random));
		sites[n++] = rbl_add_scaled_d(p, r, normal);
		sites[n++] = rbl_add_scaled_d(p, -r, normal);
		rbl_vec3d q = rbl_lerp_d(a, b, t);
		rbl_vec3d d = i & 1 ? side : rbl_normalize_d(rbl_add_d(side, normal));
		sites[n++] = rbl_add_scaled_d(q, r, d);
		sites[n++] = rbl_add_scaled_d(q, -r, d);
	}
	for (int i = 0; i < 20; ++i)
		sites[n++] = rbl_random_in_box(&random, box);
	return pattern_of_sites(sites, n, rbl_scale_d(1.5, rbl_box_size_d(box)), rbl_box_centre_d(box));
}

static inline rbl_pieces *break_solid(const rbl_solid *solid, const rbl_pattern *pattern)
{
	rbl_pieces_def def = rbl_default_pieces_def();
	def.solid = solid;
	def.pattern = pattern;
	def.position = solid->origin;
	rbl_pieces *pieces = NULL;
	rbl_create_pieces(&def, &pieces);
	return pieces;
}

// --- Laws ---------------------------------------------------------------------------------------

/// Whether every edge of the mesh runs as often one way as the other.
static inline bool is_balanced(const rbl_mesh *mesh)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	rbl_map map = { 0 };
	int64_t unbalanced = 0;
	for (int f = 0; f < data.face_count; ++f) {
		int begin = data.face_starts[f], end = data.face_starts[f + 1];
		for (int k = begin; k < end; ++k) {
			int a = data.corner_vertices[k];
			int b = data.corner_vertices[k + 1 < end ? k + 1 : begin];
			uint64_t key = (uint64_t)rbl_mini(a, b) << 32 | (uint32_t)rbl_maxi(a, b);
			uint32_t *value = rbl_map_add(&allocator, &map, key, 1000000);
			int before = (int)*value - 1000000;
			*value += a < b ? 1u : -1u;
			int after = (int)*value - 1000000;
			unbalanced += abs(after) - abs(before);
		}
	}
	rbl_map_free(&allocator, &map);
	return unbalanced == 0;
}

/// Every piece closed and finite, its volume the mesh's; all volumes together the solid's.
static inline void check_pieces(test *t, const rbl_pieces *pieces, double tolerance)
{
	CHECK(t, pieces != NULL);
	if (!pieces)
		return;
	rbl_pieces_report report = rbl_pieces_get_report(pieces);
	double sum = 0.0;
	int open = 0, odd = 0;
	for (int i = 0; i < report.piece_count; ++i) {
		rbl_piece_info info = rbl_piece_get_info(pieces, i);
		rbl_mesh *mesh = NULL;
		CHECK(t, rbl_piece_create_mesh(pieces, i, NULL, &mesh) == RBL_OK);
		if (!mesh)
			continue;
		open += !is_balanced(mesh);
		double volume = rbl_mesh_get_mass(mesh).volume;
		odd += !(fabs(volume - info.volume) <= 1e-9 * report.volume_in) || !(info.volume > 0.0);
		sum += volume;
		rbl_destroy_mesh(mesh);
	}
	CHECK(t, open == 0);
	CHECK(t, odd == 0);
	CHECK_NEAR(t, sum / report.volume_in, 1.0, tolerance);
	CHECK_NEAR(t, report.volume_out / report.volume_in, 1.0, tolerance);
}

/// Break a solid by a pattern, which is destroyed, and check the pieces.
static inline void check_break(test *t, const rbl_solid *solid, rbl_pattern *pattern,
                               double tolerance)
{
	rbl_pieces *pieces = break_solid(solid, pattern);
	check_pieces(t, pieces, tolerance);
	rbl_destroy_pieces(pieces);
	rbl_destroy_pattern(pattern);
}
