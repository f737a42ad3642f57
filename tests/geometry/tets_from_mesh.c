// SPDX-License-Identifier: MIT
// Filling closed meshes with tetrahedra: good angles, true volume, nothing lost in silence.
// ctest: soak pinned

#include "geometry/geometry.h"
#include "geometry/triangle_grid.h"

#include "base/hash.h"
#include "base/random.h"
#include "base/vec.h"

#include "faulty_allocator.h"
#include "test.h"

#include <rubble/shapes.h>
#include <rubble/tets.h>

#define DEGREES 57.295779513082323

/// What a_filling_has_a_pinned_hash() found first.
#define PINNED 0xfc9de183613b6904u

static char last_line[300];

static void keep_line(void *user, rbl_log_level level, const char *text)
{
	(void)user, (void)level;
	snprintf(last_line, sizeof last_line, "%s", text);
}

static rbl_mesh *make_box(double x, double y, double z)
{
	rbl_box_def def = rbl_default_box_def();
	def.size = (rbl_vec3d){ x, y, z };
	rbl_mesh *mesh = NULL;
	rbl_create_box_mesh(&def, &mesh);
	return mesh;
}

static rbl_mesh *make_sphere(int subdivisions)
{
	rbl_icosphere_def def = rbl_default_icosphere_def();
	def.subdivisions = subdivisions;
	rbl_mesh *mesh = NULL;
	rbl_create_icosphere_mesh(&def, &mesh);
	return mesh;
}

/// A mesh with other positions, all faces turned round if asked.
static rbl_mesh *changed(const rbl_mesh *mesh, const rbl_vec3d *positions, bool turn_round)
{
	rbl_mesh_data d = rbl_mesh_get_data(mesh);
	int *corners = malloc((size_t)d.corner_count * sizeof *corners);
	for (int f = 0; f < d.face_count; ++f)
		for (int i = d.face_starts[f]; i < d.face_starts[f + 1]; ++i)
			corners[i] =
				d.corner_vertices[turn_round ? d.face_starts[f] + d.face_starts[f + 1] - 1 - i : i];
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data.vertex_count = d.vertex_count;
	def.data.positions = positions ? positions : d.positions;
	def.data.face_count = d.face_count;
	def.data.corner_count = d.corner_count;
	def.data.face_starts = d.face_starts;
	def.data.corner_vertices = corners;
	rbl_mesh *result = NULL;
	rbl_create_mesh(&def, &result);
	free(corners);
	return result;
}

/// Two triangle meshes in one, the second moved and scaled.
static rbl_mesh *joined(const rbl_mesh *a, const rbl_mesh *b, double scale, rbl_vec3d offset)
{
	rbl_mesh_data p = rbl_mesh_get_data(a), q = rbl_mesh_get_data(b);
	rbl_vec3d *positions = malloc((size_t)(p.vertex_count + q.vertex_count) * sizeof *positions);
	int *corners = malloc((size_t)(p.corner_count + q.corner_count) * sizeof *corners);
	memcpy(positions, p.positions, (size_t)p.vertex_count * sizeof *positions);
	memcpy(corners, p.corner_vertices, (size_t)p.corner_count * sizeof *corners);
	for (int i = 0; i < q.vertex_count; ++i)
		positions[p.vertex_count + i] = rbl_add_scaled_d(offset, scale, q.positions[i]);
	for (int i = 0; i < q.corner_count; ++i)
		corners[p.corner_count + i] = p.vertex_count + q.corner_vertices[i];
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data.vertex_count = p.vertex_count + q.vertex_count;
	def.data.positions = positions;
	def.data.face_count = p.face_count + q.face_count;
	def.data.corner_count = p.corner_count + q.corner_count;
	def.data.corner_vertices = corners;
	rbl_mesh *result = NULL;
	rbl_create_mesh(&def, &result);
	free(corners);
	free(positions);
	return result;
}

/// Fill, and check what must hold for every filling: angles, volume, a closed manifold boundary
/// whose corners lie on the mesh.
static rbl_fill_report fill(test *t, const rbl_mesh *mesh, double edge_length, int refine_limit)
{
	rbl_fill_def def = rbl_default_fill_def();
	def.mesh = mesh;
	def.edge_length = edge_length;
	def.refine_limit = refine_limit;
	rbl_tets *tets;
	rbl_fill_report report;
	CHECK(t, rbl_fill_mesh(&def, &tets, &report) == RBL_OK);
	if (!tets)
		return report;
	rbl_tets_data d = rbl_tets_get_data(tets);
	CHECK(t, d.tet_count == report.tet_count);
	CHECK(t, report.smallest_angle * DEGREES > 10.0 && report.largest_angle * DEGREES < 165.0);
	bool is_positive = true;
	for (int i = 0; i < d.tet_count; ++i) {
		const int *v = d.tet_vertices + 4 * i;
		is_positive &= rbl_orient3d(d.positions[v[0]], d.positions[v[1]], d.positions[v[2]],
		                            d.positions[v[3]]) > 0;
	}
	CHECK(t, is_positive);
	rbl_mesh *boundary;
	CHECK(t, rbl_tets_create_boundary_mesh(tets, NULL, &boundary) == RBL_OK);
	rbl_mesh_report shape;
	CHECK(t, rbl_mesh_check(boundary, &shape) == RBL_OK);
	CHECK(t, shape.is_closed && shape.is_manifold && shape.is_oriented);
	CHECK_NEAR(t, shape.volume, report.volume, 1e-9 * fabs(report.volume));
	CHECK(t, report.boundary_distance < report.edge_length);
	rbl_destroy_mesh(boundary);
	rbl_destroy_tets(tets);
	return report;
}

// A box whose sides are multiples of the edge length is filled exactly.
static void a_box_on_the_lattice_is_exact(test *t)
{
	rbl_mesh *mesh = make_box(1.0, 0.5, 0.75);
	rbl_fill_report report = fill(t, mesh, 0.125, 0);
	CHECK_NEAR(t, report.volume, 0.375, 1e-14);
	CHECK(t, report.boundary_distance == 0.0 && report.mesh_distance == 0.0);
	CHECK_NEAR(t, report.smallest_angle * DEGREES, 45.0, 1e-9);
	CHECK_NEAR(t, report.largest_angle * DEGREES, 90.0, 1e-9);
	CHECK(t, report.lost_count == 0 && !report.topology_differs);
	rbl_destroy_mesh(mesh);
}

static void volumes_approach_the_mesh(test *t)
{
	rbl_mesh *mesh = make_sphere(4);
	double error = 1.0;
	for (double edge = 0.2; edge > 0.04; edge *= 0.5) {
		rbl_fill_report report = fill(t, mesh, edge, 0);
		double now = fabs(report.volume - report.mesh_volume) / report.mesh_volume;
		CHECK(t, now < 0.4 * error && report.mesh_distance < 0.2 * edge);
		error = now;
	}
	CHECK(t, error < 0.005);
	rbl_destroy_mesh(mesh);
}

static void turned_boxes_lose_only_their_corners(test *t)
{
	int rounds = test_count(6, 200);
	rbl_random random = rbl_random_from_seed(31);
	rbl_mesh *box = make_box(1.0, 1.0, 1.0);
	rbl_mesh_data d = rbl_mesh_get_data(box);
	for (int round = 0; round < rounds; ++round) {
		rbl_vec3d axis = rbl_normalize_d(rbl_random_in_ball(&random)), p[8];
		rbl_quatd turn = rbl_quat_normalize_d(
			(rbl_quatd){ axis.x, axis.y, axis.z, rbl_random_range(&random, 0.2, 3.0) });
		for (int i = 0; i < 8; ++i)
			p[i] = rbl_rotate_d(turn, d.positions[i]);
		rbl_mesh *mesh = changed(box, p, false);
		rbl_fill_report report = fill(t, mesh, rbl_random_range(&random, 0.07, 0.12), 0);
		CHECK_NEAR(t, report.volume, 1.0, 0.03);
		CHECK(t, report.mesh_distance < 1.2 * report.edge_length);
		rbl_destroy_mesh(mesh);
	}
	rbl_destroy_mesh(box);
}

static void a_torus_keeps_its_hole(test *t)
{
	rbl_torus_def def = rbl_default_torus_def();
	rbl_mesh *mesh;
	CHECK(t, rbl_create_torus_mesh(&def, &mesh) == RBL_OK);
	rbl_fill_report report = fill(t, mesh, 0.08, 0);
	CHECK(t, !report.topology_differs);
	CHECK_NEAR(t, report.volume, report.mesh_volume, 0.03 * report.mesh_volume);
	rbl_destroy_mesh(mesh);
}

static void a_hollow_sphere_keeps_its_hollow(test *t)
{
	rbl_mesh *outer = make_sphere(3), *inner = changed(outer, NULL, true);
	rbl_mesh *mesh = joined(outer, inner, 0.6, (rbl_vec3d){ 0.0, 0.0, 0.0 });
	rbl_fill_report report = fill(t, mesh, 0.06, 0);
	CHECK(t, !report.topology_differs);
	CHECK_NEAR(t, report.volume, report.mesh_volume, 0.02 * report.mesh_volume);
	rbl_destroy_mesh(mesh);
	rbl_destroy_mesh(inner);
	rbl_destroy_mesh(outer);
}

// Parts that overlap are filled once. How their topology compares is not known, and not judged.
static void overlapping_parts_are_filled_once(test *t)
{
	rbl_mesh *ball = make_sphere(3);
	rbl_mesh *mesh = joined(ball, ball, 1.0, (rbl_vec3d){ 0.5, 0.01, 0.02 });
	rbl_fill_def def = rbl_default_fill_def();
	def.mesh = mesh;
	def.edge_length = 0.05;
	def.loss_tolerance = 20.0; // what is inside the other part is far from the boundary
	rbl_tets *tets;
	rbl_fill_report report;
	CHECK(t, rbl_fill_mesh(&def, &tets, &report) == RBL_OK);
	CHECK(t, !report.topology_differs);
	// Two balls of radius 1/2 at distance 1/2: 2 - 5/16 balls.
	CHECK_NEAR(t, report.volume, 0.5236 * (2.0 - 0.3125), 0.02);
	rbl_destroy_tets(tets);
	rbl_destroy_mesh(mesh);
	rbl_destroy_mesh(ball);
}

// Regression for the promise: a wall thinner than the edge length is refined or refused.
static void thin_walls_are_refined_or_refused(test *t)
{
	rbl_set_log(keep_line, NULL);
	for (int i = 1; i <= 12; ++i) {
		double thickness = 0.01 * i;
		rbl_mesh *mesh = make_box(0.503, thickness, 0.401);
		rbl_fill_def def = rbl_default_fill_def();
		def.mesh = mesh;
		def.edge_length = 0.1;
		def.refine_limit = 0;
		rbl_tets *tets;
		rbl_fill_report report;
		rbl_result result = rbl_fill_mesh(&def, &tets, &report);
		double part = report.volume / report.mesh_volume;
		CHECK(t, result == RBL_OK ? part > 0.6 : result == RBL_BAD_MESH && !tets);
		CHECK(t, (result == RBL_OK) == (!report.lost_count && !report.topology_differs));
		CHECK(t, result == RBL_OK || strstr(last_line, "edge length 0.1"));
		CHECK(t, i > 4 || result == RBL_BAD_MESH);
		rbl_destroy_tets(tets);

		def.refine_limit = 4;
		CHECK(t, rbl_fill_mesh(&def, &tets, &report) == RBL_OK);
		CHECK(t, (result == RBL_OK) == (report.refine_count == 0));
		CHECK(t, report.volume > 0.6 * report.mesh_volume);
		rbl_destroy_tets(tets);
		rbl_destroy_mesh(mesh);
	}
	rbl_set_log(NULL, NULL);
}

// A gap between two parts counts as much as a wall.
static void thin_gaps_are_refined_or_refused(test *t)
{
	rbl_mesh *ball = make_sphere(3), *mesh = joined(ball, ball, 1.0, (rbl_vec3d){ 1.02, 0, 0 });
	rbl_fill_def def = rbl_default_fill_def();
	def.mesh = mesh;
	def.edge_length = 0.15;
	def.refine_limit = 0;
	rbl_tets *tets;
	rbl_fill_report report;
	rbl_result result = rbl_fill_mesh(&def, &tets, &report);
	CHECK(t, result == RBL_OK ? !report.topology_differs : result == RBL_BAD_MESH);
	rbl_destroy_tets(tets);
	report = fill(t, mesh, 0.15, 3);
	CHECK(t, !report.topology_differs && report.lost_count == 0);
	rbl_destroy_mesh(mesh);
	rbl_destroy_mesh(ball);
}

static void loss_is_allowed_when_asked_for(test *t)
{
	rbl_mesh *ball = make_sphere(3), *mesh = joined(ball, ball, 0.02, (rbl_vec3d){ 0.9, 0, 0 });
	rbl_fill_def def = rbl_default_fill_def();
	def.mesh = mesh;
	def.refine_limit = 0;
	rbl_tets *tets;
	rbl_fill_report report;
	CHECK(t, rbl_fill_mesh(&def, &tets, &report) == RBL_BAD_MESH && !tets);
	CHECK(t, report.lost_count > 0 && report.lost_position.x > 0.85);
	def.allow_loss = true;
	CHECK(t, rbl_fill_mesh(&def, &tets, &report) == RBL_OK);
	CHECK(t, report.lost_count > 0 && report.topology_differs);
	rbl_destroy_tets(tets);
	rbl_destroy_mesh(mesh);
	// Nothing at all is no filling, allowed or not.
	mesh = make_box(0.01, 0.01, 0.01);
	def.mesh = mesh;
	def.edge_length = 1.0;
	CHECK(t, rbl_fill_mesh(&def, &tets, NULL) == RBL_BAD_MESH && !tets);
	rbl_destroy_mesh(mesh);
	rbl_destroy_mesh(ball);
}

// The bound on the angles does not depend on the surface.
static void rough_surfaces_keep_their_angles(test *t)
{
	int rounds = test_count(5, 200);
	rbl_random random = rbl_random_from_seed(32);
	rbl_mesh *ball = make_sphere(3);
	rbl_mesh_data d = rbl_mesh_get_data(ball);
	rbl_vec3d *p = malloc((size_t)d.vertex_count * sizeof *p);
	for (int round = 0; round < rounds; ++round) {
		for (int i = 0; i < d.vertex_count; ++i)
			p[i] = rbl_scale_d(1.0 + 0.25 * rbl_random_double(&random), d.positions[i]);
		rbl_mesh *mesh = changed(ball, p, false);
		rbl_fill_def def = rbl_default_fill_def();
		def.mesh = mesh;
		def.edge_length = rbl_random_range(&random, 0.05, 0.12);
		def.allow_loss = true;
		def.refine_limit = 0;
		rbl_tets *tets;
		rbl_fill_report report;
		CHECK(t, rbl_fill_mesh(&def, &tets, &report) == RBL_OK);
		CHECK(t, report.smallest_angle * DEGREES > 10.0 && report.largest_angle * DEGREES < 165.0);
		rbl_destroy_tets(tets);
		rbl_destroy_mesh(mesh);
	}
	free(p);
	rbl_destroy_mesh(ball);
}

// Corners and edges of the surface on lattice rows, faces along rows: each counts once.
static void surfaces_on_lattice_rows_are_right(test *t)
{
	const rbl_vec3d p[6] = { { 1, 0, 0 },  { -1, 0, 0 }, { 0, 1, 0 },
		                     { 0, -1, 0 }, { 0, 0, 1 },  { 0, 0, -1 } };
	const int faces[24] = {
		0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5
	};
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data.vertex_count = 6;
	def.data.positions = p;
	def.data.face_count = 8;
	def.data.corner_count = 24;
	def.data.corner_vertices = faces;
	rbl_mesh *mesh;
	CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OK);
	rbl_fill_report report = fill(t, mesh, 0.25, 0);
	CHECK_NEAR(t, report.volume, 4.0 / 3.0, 0.03);
	CHECK(t, report.mesh_distance < 0.5 * 0.25);
	rbl_destroy_mesh(mesh);
}

static void grid_distances_are_those_of_brute_force(test *t)
{
	rbl_random random = rbl_random_from_seed(33);
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	rbl_boxd box = { { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };
	rbl_boxd wide = { { -3.0, -3.0, -3.0 }, { 3.0, 3.0, 3.0 } };
	enum { TRIANGLES = 200 };
	rbl_vec3d corners[3 * TRIANGLES];
	for (int round = 0; round < 20; ++round) {
		double size = round % 2 ? 0.1 : 1.0;
		for (int i = 0; i < 3 * TRIANGLES; ++i) {
			rbl_vec3d p = rbl_random_in_box(&random, box);
			corners[i] = i % 3 ? rbl_add_scaled_d(corners[i - i % 3], size, p) : p;
		}
		rbl_triangle_grid grid;
		CHECK(t, rbl_triangle_grid_create(&allocator, corners, TRIANGLES, 0.2, &grid));
		for (int i = 0; i < 100; ++i) {
			rbl_vec3d p = rbl_random_in_box(&random, i % 2 ? box : wide);
			double best = 1e9;
			for (int k = 0; k < TRIANGLES; ++k)
				best = fmin(best, rbl_triangle_distance_squared(corners + 3 * k, p));
			CHECK(t, rbl_triangle_grid_distance(&grid, p) == sqrt(best));
		}
		rbl_triangle_grid_destroy(&grid);
	}
}

static void bad_arguments_are_refused(test *t)
{
	rbl_tets *tets;
	rbl_mesh *ball = make_sphere(2);
	rbl_fill_def def = rbl_default_fill_def();
	CHECK(t, rbl_fill_mesh(&def, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_fill_mesh(NULL, &tets, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_fill_mesh(&def, &tets, NULL) == RBL_BAD_ARGUMENT); // no mesh
	def.mesh = ball;
	def.edge_length = 0.0;
	CHECK(t, rbl_fill_mesh(&def, &tets, NULL) == RBL_BAD_ARGUMENT);
	def.edge_length = (double)NAN;
	CHECK(t, rbl_fill_mesh(&def, &tets, NULL) == RBL_BAD_ARGUMENT);
	def.edge_length = 1e-5;
	CHECK(t, rbl_fill_mesh(&def, &tets, NULL) == RBL_LIMIT_REACHED);
	def.edge_length = 0.1;
	def.refine_limit = 7;
	CHECK(t, rbl_fill_mesh(&def, &tets, NULL) == RBL_BAD_ARGUMENT);
	def.refine_limit = 0;
	def.loss_tolerance = -1.0;
	CHECK(t, rbl_fill_mesh(&def, &tets, NULL) == RBL_BAD_ARGUMENT);
	def.loss_tolerance = 1.0;
	def.allocator.release = faulty_release;
	CHECK(t, rbl_fill_mesh(&def, &tets, NULL) == RBL_BAD_ARGUMENT);
	def.allocator.release = NULL;

	rbl_mesh *inside_out = changed(ball, NULL, true);
	def.mesh = inside_out;
	CHECK(t, rbl_fill_mesh(&def, &tets, NULL) == RBL_BAD_MESH);
	rbl_destroy_mesh(inside_out);

	rbl_mesh_def open = rbl_default_mesh_def();
	open.data = rbl_mesh_get_data(ball);
	open.data.face_count -= 1;
	open.data.corner_count -= 3;
	open.data.corner_normals = NULL;
	rbl_mesh *mesh;
	CHECK(t, rbl_create_mesh(&open, &mesh) == RBL_OK);
	def.mesh = mesh;
	CHECK(t, rbl_fill_mesh(&def, &tets, NULL) == RBL_BAD_MESH && !tets);
	rbl_destroy_mesh(mesh);
	rbl_destroy_mesh(ball);
}

static void memory_that_runs_out_is_given_back(test *t)
{
	rbl_mesh *ball = make_sphere(1);
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_fill_def def = rbl_default_fill_def();
		def.mesh = ball;
		def.edge_length = 0.15;
		def.allocator = FAULTY(&memory);
		rbl_tets *tets;
		rbl_result result = rbl_fill_mesh(&def, &tets, NULL);
		CHECK(t, (result == RBL_OK) == (tets != NULL));
		rbl_destroy_tets(tets);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
	rbl_destroy_mesh(ball);
}

// The same bits on every platform.
static void a_filling_has_a_pinned_hash(test *t)
{
	rbl_mesh *box = make_box(1.0, 0.7, 0.45);
	rbl_mesh_data d = rbl_mesh_get_data(box);
	rbl_vec3d p[8];
	for (int i = 0; i < 8; ++i)
		p[i] = rbl_rotate_d((rbl_quatd){ 0.1, 0.3, 0.5, 0.80622577482985502 }, d.positions[i]);
	rbl_mesh *mesh = changed(box, p, false);
	rbl_fill_def def = rbl_default_fill_def();
	def.mesh = mesh;
	rbl_tets *tets;
	CHECK(t, rbl_fill_mesh(&def, &tets, NULL) == RBL_OK);
	rbl_tets_data made = rbl_tets_get_data(tets);
	uint64_t hash = rbl_hash_bytes(RBL_HASH_START, made.positions,
	                               (size_t)made.vertex_count * sizeof *made.positions);
	hash = rbl_hash_bytes(hash, made.tet_vertices, 4 * (size_t)made.tet_count * sizeof(int));
	hash = rbl_hash_bytes(hash, made.boundary_triangles,
	                      3 * (size_t)made.boundary_face_count * sizeof(int));
	if (hash != PINNED)
		printf("hash is 0x%016llx\n", (unsigned long long)hash);
	CHECK(t, hash == PINNED);
	rbl_destroy_tets(tets);
	rbl_destroy_mesh(mesh);
	rbl_destroy_mesh(box);
}

// --- models -------------------------------------------------------------------------------------

/// Read an OFF file of triangles. @return NULL when it is not there
static rbl_mesh *read_off(const char *path)
{
	FILE *file = fopen(path, "r");
	if (!file)
		return NULL;
	int vertex_count = 0, face_count = 0;
	rbl_mesh *mesh = NULL;
	if (fscanf(file, "OFF %d %d %*d", &vertex_count, &face_count) == 2) {
		rbl_vec3d *positions = malloc((size_t)vertex_count * sizeof *positions);
		int *corners = malloc(3 * (size_t)face_count * sizeof *corners);
		int read = 0;
		for (int i = 0; i < vertex_count; ++i)
			read += fscanf(file, "%lf %lf %lf", &positions[i].x, &positions[i].y, &positions[i].z);
		for (int i = 0; i < face_count; ++i)
			read += fscanf(file, " 3 %d %d %d", &corners[3 * i], &corners[3 * i + 1],
			               &corners[3 * i + 2]);
		rbl_mesh_def def = rbl_default_mesh_def();
		def.data.vertex_count = vertex_count;
		def.data.positions = positions;
		def.data.face_count = face_count;
		def.data.corner_count = 3 * face_count;
		def.data.corner_vertices = corners;
		if (read == 3 * (vertex_count + face_count))
			rbl_create_mesh(&def, &mesh);
		free(corners);
		free(positions);
	}
	fclose(file);
	return mesh;
}

static void known_models_are_filled(test *t)
{
	static const char *const names[3] = { "bunny-7k.off", "fertility.off", "three-holes.off" };
	int found = 0;
	for (int i = 0; i < 3; ++i) {
		char path[400];
		snprintf(path, sizeof path, "%s/models/%s", RBL_SHARED_DIR, names[i]);
		rbl_mesh *mesh = read_off(path);
		if (!mesh)
			continue;
		found++;
		double size = rbl_length_d(rbl_box_size_d(rbl_mesh_bounds(mesh)));
		rbl_fill_report report = fill(t, mesh, size / 40.0, 2);
		CHECK(t, !report.topology_differs && report.lost_count == 0);
		CHECK_NEAR(t, report.volume / report.mesh_volume, 1.0, 0.03);
		rbl_destroy_mesh(mesh);
	}
	if (!found)
		SKIP(t, "no models");
}

TEST_MAIN(TEST(a_box_on_the_lattice_is_exact), TEST(volumes_approach_the_mesh),
          TEST(turned_boxes_lose_only_their_corners), TEST(a_torus_keeps_its_hole),
          TEST(a_hollow_sphere_keeps_its_hollow), TEST(overlapping_parts_are_filled_once),
          TEST(thin_walls_are_refined_or_refused), TEST(thin_gaps_are_refined_or_refused),
          TEST(loss_is_allowed_when_asked_for), TEST(rough_surfaces_keep_their_angles),
          TEST(surfaces_on_lattice_rows_are_right), TEST(grid_distances_are_those_of_brute_force),
          TEST(bad_arguments_are_refused), TEST(memory_that_runs_out_is_given_back),
          TEST(a_filling_has_a_pinned_hash), TEST(known_models_are_filled))
