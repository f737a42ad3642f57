// SPDX-License-Identifier: MIT
// Meshes that other tools stumble over: bare ones, many materials, seams, shells, flat triangles.

#include "invariants.h"

// The area of each material's faces, added to `areas`.
static void add_areas(const rbl_mesh *mesh, double *areas)
{
	rbl_mesh_data d = rbl_mesh_get_data(mesh);
	for (int f = 0; f < d.face_count; ++f) {
		const int *corners = d.corner_vertices + d.face_starts[f];
		rbl_vec3d n =
			rbl_polygon_normal(d.positions, corners, d.face_starts[f + 1] - d.face_starts[f]);
		areas[d.face_materials ? d.face_materials[f] : 0] += 0.5 * rbl_length_d(n);
	}
}

// A box whose six faces are of three materials.
static rbl_mesh *painted_box(void)
{
	rbl_box_def box = rbl_default_box_def();
	box.subdivisions = 3;
	rbl_mesh *plain = NULL, *mesh = NULL;
	rbl_create_box_mesh(&box, &plain);
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(plain);
	int materials[54];
	rbl_mesh_material palette[3] = { { .name = "stone" },
		                             { .name = "plaster" },
		                             { .name = "tile" } };
	for (int f = 0; f < def.data.face_count && f < 54; ++f)
		materials[f] = f / 9 % 3;
	def.data.face_materials = materials;
	def.data.material_count = 3;
	def.data.materials = palette;
	rbl_create_mesh(&def, &mesh);
	rbl_destroy_mesh(plain);
	return mesh;
}

// Every outer material keeps its area over all pieces, and cut faces come in pairs.
static void several_materials_keep_their_areas(test *t)
{
	rbl_mesh *mesh = painted_box();
	rbl_solid *solid = make_solid(mesh);
	rbl_pattern *pattern = make_pattern((rbl_vec3d){ 1, 1, 1 }, 40, 6);
	double before[4] = { 0 };
	add_areas(mesh, before);
	for (int inner = -1; inner < 3; inner += 3) { // a new material, and one of the mesh's own
		rbl_pieces_def def = rbl_default_pieces_def();
		def.solid = solid, def.pattern = pattern, def.inner.material = inner;
		rbl_pieces *pieces = NULL;
		CHECK(t, rbl_create_pieces(&def, &pieces) == RBL_OK);
		check_pieces(t, pieces, 1e-12);
		double after[4] = { 0 };
		for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
			rbl_mesh *piece = NULL;
			CHECK(t, rbl_piece_create_mesh(pieces, i, NULL, &piece) == RBL_OK);
			rbl_mesh_data d = rbl_mesh_get_data(piece);
			CHECK(t, d.material_count == (inner < 0 ? 4 : 3));
			CHECK(t, strcmp(d.materials[1].name, "plaster") == 0);
			add_areas(piece, after);
			rbl_destroy_mesh(piece);
		}
		for (int k = 0; k < 3; ++k) {
			if (k != inner)
				CHECK_NEAR(t, after[k], before[k], 1e-12);
		}
		CHECK(t,
		      inner < 0 ? after[3] > 1.0 : after[3] == 0.0 && after[inner] > before[inner] + 1.0);
		rbl_destroy_pieces(pieces);
	}
	rbl_destroy_pattern(pattern);
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);
}

// Without normals, texture coordinates, materials: flat normals, numbers everywhere, two materials.
static void bare_meshes_get_normals_and_materials(test *t)
{
	for (int shape = 5; shape <= 6; ++shape) {
		rbl_mesh *mesh = sample_shape(shape);
		rbl_mesh_data bare = rbl_mesh_get_data(mesh);
		CHECK(t, !bare.corner_normals && !bare.corner_uv0 && !bare.face_materials);
		rbl_solid *solid = make_solid(mesh);
		rbl_pattern *pattern = make_pattern((rbl_vec3d){ 1, 1, 1 }, 25, 2);
		rbl_pieces *pieces = break_solid(solid, pattern);
		check_pieces(t, pieces, 1e-12);
		int odd = 0;
		for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
			rbl_mesh *piece = NULL;
			CHECK(t, rbl_piece_create_mesh(pieces, i, NULL, &piece) == RBL_OK);
			rbl_mesh_data d = rbl_mesh_get_data(piece);
			CHECK(t, d.material_count == 2 && d.corner_normals && d.corner_uv0);
			for (int k = 0; k < d.corner_count; ++k)
				odd += fabsf(rbl_length(d.corner_normals[k]) - 1.0f) > 1e-4f ||
				       !isfinite(d.corner_uv0[k].x) || !isfinite(d.corner_uv0[k].y);
			rbl_destroy_mesh(piece);
		}
		CHECK(t, odd == 0);
		rbl_destroy_pieces(pieces);
		rbl_destroy_pattern(pattern);
		rbl_destroy_solid(solid);
		rbl_destroy_mesh(mesh);
	}
}

// Each triangle of a ball with vertices and texture coordinates of its own.
static void unwelded_seams_stay_closed(test *t)
{
	rbl_icosphere_def ball = rbl_default_icosphere_def();
	ball.subdivisions = 2;
	rbl_mesh *whole = NULL, *loose = NULL;
	CHECK(t, rbl_create_icosphere_mesh(&ball, &whole) == RBL_OK);
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(whole);
	int n = def.data.corner_count;
	rbl_vec3d *points = malloc((size_t)n * sizeof *points);
	rbl_vec2 *uvs = malloc((size_t)n * sizeof *uvs);
	int *corners = malloc((size_t)n * sizeof *corners);
	for (int k = 0; k < n; ++k) {
		points[k] = def.data.positions[def.data.corner_vertices[k]];
		uvs[k] = (rbl_vec2){ (float)(k % 3 == 1), (float)(k % 3 == 2) };
		corners[k] = k;
	}
	def.data.vertex_count = n;
	def.data.positions = points;
	def.data.corner_vertices = corners;
	def.data.corner_uv0 = uvs;
	CHECK(t, rbl_create_mesh(&def, &loose) == RBL_OK);
	rbl_solid *solid = make_solid(loose);
	CHECK(t, solid != NULL && rbl_solid_shell_count(solid) == 1);
	for (int cells = 1; cells <= 64; cells *= 8) {
		check_break(t, solid, make_pattern((rbl_vec3d){ 1, 1, 1 }, cells, 3), 1e-12);
	}
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(loose);
	rbl_destroy_mesh(whole);
	free(points);
	free(uvs);
	free(corners);
}

// Boxes apart from each other, in one cell and in many.
static void shells_in_one_cell_are_pieces_of_their_own(test *t)
{
	static soup s;
	s.point_count = s.triangle_count = 0;
	for (int i = 0; i < 20; ++i) {
		rbl_vec3d low = { 1.5 * (i % 5), 1.5 * (i / 5), 0.25 * i };
		soup_box(&s, low, rbl_add_d(low, (rbl_vec3d){ 1, 1, 1 }), false);
	}
	rbl_mesh *mesh = soup_mesh(&s);
	rbl_solid *solid = make_solid(mesh);
	CHECK(t, rbl_solid_shell_count(solid) == 20);
	CHECK_NEAR(t, rbl_solid_volume(solid), 20.0, 1e-11);
	const int counts[] = { 1, 7, 100 };
	for (int i = 0; i < 3; ++i) {
		rbl_pattern *pattern = make_pattern(rbl_box_size_d(rbl_mesh_bounds(mesh)), counts[i], 1);
		rbl_pieces *pieces = break_solid(solid, pattern);
		check_pieces(t, pieces, 1e-12);
		CHECK(t, i > 0 || rbl_pieces_count(pieces) == 20);
		double volumes[20] = { 0 };
		for (int k = 0; k < rbl_pieces_count(pieces); ++k) {
			rbl_piece_info info = rbl_piece_get_info(pieces, k);
			volumes[info.shell] += info.volume;
		}
		for (int k = 0; k < 20; ++k)
			CHECK_NEAR(t, volumes[k], 1.0, 1e-12);
		rbl_destroy_pieces(pieces);
		rbl_destroy_pattern(pattern);
	}
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);
}

// Triangles without area: an edge of a box halved on one side, the gap closed by a flat triangle.
static void flat_triangles_do_no_harm(test *t)
{
	static soup s;
	s.point_count = s.triangle_count = 0;
	soup_box(&s, (rbl_vec3d){ 0, 0, 0 }, (rbl_vec3d){ 1, 1, 1 }, false);
	int first = s.triangles[0], second = s.triangles[1], third = s.triangles[2];
	int middle = s.point_count++;
	s.points[middle] = rbl_scale_d(0.5, rbl_add_d(s.points[first], s.points[second]));
	s.triangles[1] = middle; // first, middle, third
	const int added[6] = { middle, second, third, first, second, middle };
	memcpy(s.triangles + 3 * s.triangle_count, added, sizeof added);
	s.triangle_count += 2;
	rbl_mesh *mesh = soup_mesh(&s);
	rbl_mesh_report report;
	CHECK(t, rbl_mesh_check(mesh, &report) == RBL_OK && report.is_closed);
	CHECK(t, report.degenerate_faces == 1);
	rbl_solid *solid = make_solid(mesh);
	CHECK(t, solid != NULL);
	for (int seed = 1; seed <= 12 && solid; ++seed) {
		check_break(t, solid,
		            seed % 3 == 0   ? grid_pattern(rbl_mesh_bounds(mesh), 4)
		            : seed % 3 == 1 ? nasty_pattern(mesh, (uint64_t)seed)
		                            : make_pattern((rbl_vec3d){ 1, 1, 1 }, 50, (uint64_t)seed),
		            1e-11);
	}
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);
}

static char last_message[300];

static void keep_message(void *user, rbl_log_level level, const char *message)
{
	(void)user;
	(void)level;
	snprintf(last_message, sizeof last_message, "%s", message);
}

// What is open is refused with a place to look at; repaired it breaks.
static void open_meshes_are_refused_with_the_reason(test *t)
{
	rbl_mesh *mesh = sample_shape(0), *repaired = NULL;
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(mesh);
	def.data.face_count--;
	def.data.corner_count = def.data.face_starts[def.data.face_count];
	rbl_mesh *open = NULL;
	CHECK(t, rbl_create_mesh(&def, &open) == RBL_OK);
	rbl_set_log(keep_message, NULL);
	CHECK(t, make_solid(open) == NULL);
	rbl_set_log(NULL, NULL);
	CHECK(t, strstr(last_message, "edge") != NULL);
	rbl_mesh_repair_def repair = rbl_default_mesh_repair_def();
	CHECK(t, rbl_mesh_repair(open, &repair, &repaired, NULL) == RBL_OK);
	rbl_solid *solid = make_solid(repaired);
	CHECK(t, solid != NULL);
	CHECK_NEAR(t, rbl_solid_volume(solid), 1.0, 1e-12);
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(repaired);
	rbl_destroy_mesh(open);
	rbl_destroy_mesh(mesh);
}

TEST_MAIN(TEST(several_materials_keep_their_areas), TEST(bare_meshes_get_normals_and_materials),
          TEST(unwelded_seams_stay_closed), TEST(shells_in_one_cell_are_pieces_of_their_own),
          TEST(flat_triangles_do_no_harm), TEST(open_meshes_are_refused_with_the_reason))
