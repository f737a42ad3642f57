// SPDX-License-Identifier: MIT
// The mesh itself: what is put in comes out, what is wrong is refused, masses are right.

#include "base/vec.h"
#include "faulty_allocator.h"
#include "geometry/sample_meshes.h"
#include "test.h"

static const rbl_vec3d unit_lower = { 0.0, 0.0, 0.0 }, unit_upper = { 1.0, 1.0, 1.0 };

static void what_is_put_in_comes_out(test *t)
{
	enum { CORNERS = 24 };
	static sample s;
	sample_box(&s, unit_lower, unit_upper);
	rbl_vec3 normals[CORNERS];
	rbl_vec2 uv0[CORNERS], uv1[CORNERS];
	rbl_vec4 colors[CORNERS];
	for (int i = 0; i < CORNERS; ++i) {
		float x = (float)i;
		normals[i] = (rbl_vec3){ x, 0.0f, 1.0f };
		uv0[i] = (rbl_vec2){ x, 2.0f }, uv1[i] = (rbl_vec2){ 3.0f, x };
		colors[i] = (rbl_vec4){ x, x, 0.0f, 1.0f };
	}
	const int materials[6] = { 0, 1, 0, 1, 0, 1 };
	const rbl_mesh_material table[2] = { { "stone", { 1.0f, 1.0f, 1.0f, 1.0f }, 0.0f, 1.0f, 0 },
		                                 { "inner", { 0.5f, 0.5f, 0.5f, 1.0f }, 0.0f, 0.5f, 0 } };
	rbl_mesh_def def = sample_def(&s);
	def.data.corner_normals = normals;
	def.data.corner_uv0 = uv0, def.data.corner_uv1 = uv1;
	def.data.corner_colors = colors;
	def.data.face_materials = materials;
	def.data.material_count = 2, def.data.materials = table;
	rbl_mesh *mesh;
	CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OK);
	rbl_mesh_data view = rbl_mesh_get_data(mesh);
	CHECK(t, view.vertex_count == 8 && view.face_count == 6 && view.corner_count == CORNERS);
	CHECK(t, !memcmp(view.positions, s.positions, 8 * sizeof(rbl_vec3d)));
	CHECK(t, !memcmp(view.face_starts, s.starts, 7 * sizeof(int)));
	CHECK(t, !memcmp(view.corner_vertices, s.corners, CORNERS * sizeof(int)));
	CHECK(t, !memcmp(view.corner_normals, normals, sizeof normals));
	CHECK(t, !memcmp(view.corner_uv0, uv0, sizeof uv0));
	CHECK(t, !memcmp(view.corner_uv1, uv1, sizeof uv1));
	CHECK(t, !memcmp(view.corner_colors, colors, sizeof colors));
	CHECK(t, !memcmp(view.face_materials, materials, sizeof materials));
	CHECK(t, view.material_count == 2 && !strcmp(view.materials[1].name, "inner"));
	CHECK(t, rbl_mesh_triangle_count(mesh) == 12);
	rbl_destroy_mesh(mesh);
}

static void triangles_need_no_starts(test *t)
{
	const rbl_vec3d positions[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
	const int corners[6] = { 0, 1, 2, 2, 1, 0 };
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = (rbl_mesh_data){ .vertex_count = 3,
		                        .positions = positions,
		                        .face_count = 2,
		                        .corner_count = 6,
		                        .corner_vertices = corners };
	rbl_mesh *mesh;
	CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OK);
	rbl_mesh_data view = rbl_mesh_get_data(mesh);
	CHECK(t, view.face_starts[0] == 0 && view.face_starts[1] == 3 && view.face_starts[2] == 6);
	rbl_destroy_mesh(mesh);
}

static void nothing_is_a_mesh_too(test *t)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	rbl_mesh *mesh;
	CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OK);
	CHECK(t, rbl_box_is_empty_d(rbl_mesh_bounds(mesh)));
	CHECK(t, rbl_mesh_get_mass(mesh).volume == 0.0 && rbl_mesh_triangle_count(mesh) == 0);
	CHECK(t, rbl_mesh_get_data(mesh).face_starts[0] == 0);
	rbl_destroy_mesh(mesh);
	rbl_destroy_mesh(NULL);
	CHECK(t,
	      rbl_mesh_get_data(NULL).face_starts[0] == 0 && rbl_mesh_get_data(NULL).vertex_count == 0);
	CHECK(t, rbl_box_is_empty_d(rbl_mesh_bounds(NULL)) && rbl_mesh_get_mass(NULL).volume == 0.0);
	CHECK(t, rbl_mesh_triangle_count(NULL) == 0);
}

static rbl_result result_of(const rbl_mesh_def *def)
{
	rbl_mesh *mesh = (rbl_mesh *)(uintptr_t)1;
	rbl_result result = rbl_create_mesh(def, &mesh);
	if (result != RBL_OK && mesh)
		return RBL_RESULT_COUNT; // a failed call must leave NULL
	if (mesh)
		rbl_destroy_mesh(mesh);
	return result;
}

static void wrong_counts_and_indices_are_refused(test *t)
{
	static sample s;
	sample_box(&s, unit_lower, unit_upper);
	const rbl_mesh_def good = sample_def(&s);
	CHECK(t, result_of(&good) == RBL_OK);
	CHECK(t, rbl_create_mesh(&good, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, result_of(NULL) == RBL_BAD_ARGUMENT);

#define REFUSED(result, ...)                   \
	do {                                       \
		rbl_mesh_def def = good;               \
		__VA_ARGS__;                           \
		CHECK(t, result_of(&def) == (result)); \
	} while (0)
	REFUSED(RBL_BAD_ARGUMENT, def.cookie = 0);
	REFUSED(RBL_BAD_ARGUMENT, def.allocator.allocate = faulty_allocate);
	REFUSED(RBL_BAD_ARGUMENT, def.data.vertex_count = -1);
	REFUSED(RBL_BAD_ARGUMENT, def.data.vertex_count = 7);
	REFUSED(RBL_BAD_ARGUMENT, def.data.positions = NULL);
	REFUSED(RBL_BAD_ARGUMENT, def.data.corner_vertices = NULL);
	REFUSED(RBL_BAD_ARGUMENT, def.data.material_count = 1);
	REFUSED(RBL_BAD_ARGUMENT, def.data.face_starts = NULL);
	REFUSED(RBL_BAD_ARGUMENT, def.data.face_count = 5);
	REFUSED(RBL_BAD_ARGUMENT, def.data.corner_count = 23);
	REFUSED(RBL_LIMIT_REACHED, def.data.corner_count = RBL_MAX_MESH_ITEMS + 1);

	const int first_not_zero[7] = { 1, 4, 8, 12, 16, 20, 24 };
	const int two_corners[7] = { 0, 2, 8, 12, 16, 20, 24 };
	const int beyond[7] = { 0, 4, 8, 12, 16, 40, 24 };
	const int backwards[7] = { 0, 4, 8, -2147483647 - 1, 16, 20, 24 };
	REFUSED(RBL_BAD_ARGUMENT, def.data.face_starts = first_not_zero);
	REFUSED(RBL_BAD_ARGUMENT, def.data.face_starts = two_corners);
	REFUSED(RBL_BAD_ARGUMENT, def.data.face_starts = beyond);
	REFUSED(RBL_BAD_ARGUMENT, def.data.face_starts = backwards);

	const int material_one[6] = { 0, 0, 0, 0, 1, 0 };
	REFUSED(RBL_BAD_ARGUMENT, def.data.face_materials = material_one);
	s.corners[5] = 8;
	CHECK(t, result_of(&good) == RBL_BAD_ARGUMENT);
	s.corners[5] = -1;
	CHECK(t, result_of(&good) == RBL_BAD_ARGUMENT);
}

static void numbers_that_are_not_finite_are_refused(test *t)
{
	static sample s;
	sample_box(&s, unit_lower, unit_upper);
	const rbl_mesh_def good = sample_def(&s);
	float values[24 * 4] = { 0 };
	rbl_mesh_material material = { .name = "x" };
	for (int kind = 0; kind < 2; ++kind) {
		values[24 * 2 - 1] = kind ? INFINITY : NAN;
		REFUSED(RBL_BAD_ARGUMENT, def.data.corner_normals = (const rbl_vec3 *)(void *)values);
		REFUSED(RBL_BAD_ARGUMENT, def.data.corner_uv0 = (const rbl_vec2 *)(void *)values);
		REFUSED(RBL_BAD_ARGUMENT, def.data.corner_uv1 = (const rbl_vec2 *)(void *)values);
		REFUSED(RBL_BAD_ARGUMENT, def.data.corner_colors = (const rbl_vec4 *)(void *)values);
		material.roughness = values[24 * 2 - 1];
		REFUSED(RBL_BAD_ARGUMENT, def.data.material_count = 1; def.data.materials = &material);
	}
	memset(&material, 'x', sizeof material);
	REFUSED(RBL_BAD_ARGUMENT, def.data.material_count = 1; def.data.materials = &material);
	const double bad[4] = { (double)NAN, (double)INFINITY, -(double)INFINITY, 2e30 };
	for (int i = 0; i < 4; ++i) {
		s.positions[3].y = bad[i];
		CHECK(t, result_of(&good) == RBL_BAD_ARGUMENT);
	}
}

static void a_failed_allocation_leaves_nothing(test *t)
{
	static sample s;
	sample_box(&s, unit_lower, unit_upper);
	faulty_allocator memory;
	faulty_init(&memory, 0);
	rbl_mesh_def def = sample_def(&s);
	def.allocator = FAULTY(&memory);
	rbl_mesh *mesh;
	CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OUT_OF_MEMORY && mesh == NULL);
	faulty_init(&memory, 1);
	CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OK && memory.total_count == 1);
	rbl_destroy_mesh(mesh);
	CHECK(t, memory.live_bytes == 0);
}

// Also 1,000 km from the origin, where products of coordinates have lost eleven digits.
static void a_box_has_the_mass_of_the_formula(test *t)
{
	for (int k = 0; k < 12; ++k) {
		static sample s;
		memset(&s, 0, sizeof s);
		double scale = k % 3 == 0 ? 1.0 : k % 3 == 1 ? 0.001 : 10000.0;
		double away = k < 6 ? 0.0 : scale * 65536.0;
		rbl_vec3d size = { 1.0 * scale, 2.0 * scale, 3.0 * scale };
		rbl_vec3d lower = { away, away * 2.0, -away };
		sample_box(&s, lower, rbl_add_d(lower, size));
		rbl_mesh *mesh = sample_mesh(&s);
		rbl_mass mass = rbl_mesh_get_mass(mesh);
		double v = size.x * size.y * size.z, relative = away == 0.0 ? 1e-14 : 1e-9;
		CHECK_NEAR(t, mass.volume / v, 1.0, relative);
		CHECK_NEAR(t, (mass.centre.x - lower.x) / scale, 0.5, relative);
		CHECK_NEAR(t, (mass.centre.y - lower.y) / scale, 1.0, relative);
		CHECK_NEAR(t, (mass.centre.z - lower.z) / scale, 1.5, relative);
		double unit = v / 12.0 * scale * scale;
		CHECK_NEAR(t, mass.inertia.x.x / unit, 13.0, 13.0 * relative);
		CHECK_NEAR(t, mass.inertia.y.y / unit, 10.0, 10.0 * relative);
		CHECK_NEAR(t, mass.inertia.z.z / unit, 5.0, 5.0 * relative);
		CHECK_NEAR(t, mass.inertia.x.y / unit, 0.0, relative);
		CHECK(t, mass.inertia.x.y == mass.inertia.y.x && mass.inertia.y.z == mass.inertia.z.y);
		rbl_boxd bounds = rbl_mesh_bounds(mesh);
		CHECK(t, bounds.lower.x == lower.x && bounds.upper.z == lower.z + size.z);
		rbl_destroy_mesh(mesh);
	}
}

// Error of the inscribed polyhedron falls with the square of the step.
static void a_sphere_comes_close_to_the_ball(test *t)
{
	const double pi = 3.14159265358979323846;
	static sample s;
	sample_sphere(&s, (rbl_vec3d){ 5.0, -2.0, 1.0 }, 2.0, 128, 256);
	rbl_mesh *mesh = sample_mesh(&s);
	rbl_mass mass = rbl_mesh_get_mass(mesh);
	double v = 4.0 / 3.0 * pi * 8.0;
	CHECK_NEAR(t, mass.volume / v, 1.0, 5e-4);
	CHECK_NEAR(t, mass.centre.x, 5.0, 1e-12);
	CHECK_NEAR(t, mass.centre.y, -2.0, 1e-12);
	CHECK_NEAR(t, mass.inertia.z.z / (0.4 * v * 4.0), 1.0, 1e-3);
	CHECK_NEAR(t, mass.inertia.x.z, 0.0, 1e-11);
	rbl_destroy_mesh(mesh);
}

static void a_mesh_inside_out_has_negative_volume(test *t)
{
	static sample s;
	sample_box(&s, unit_lower, unit_upper);
	for (int f = 0; f < 6; ++f)
		sample_flip_face(&s, f);
	rbl_mesh *mesh = sample_mesh(&s);
	rbl_mass mass = rbl_mesh_get_mass(mesh);
	CHECK_NEAR(t, mass.volume, -1.0, 1e-15);
	CHECK_NEAR(t, mass.centre.y, 0.5, 1e-15);
	rbl_destroy_mesh(mesh);
}

// A flat L-shaped prism: the fans of its L faces leave the polygon and come back.
static void faces_need_not_be_convex_for_the_mass(test *t)
{
	static sample s;
	const double outline[6][2] = { { 0, 0 }, { 2, 0 }, { 2, 1 }, { 1, 1 }, { 1, 3 }, { 0, 3 } };
	for (int z = 0; z < 2; ++z)
		for (int i = 0; i < 6; ++i)
			sample_vertex(&s, outline[(i + 3) % 6][0], outline[(i + 3) % 6][1], z);
	sample_face(&s, (int[6]){ 5, 4, 3, 2, 1, 0 }, 6);
	sample_face(&s, (int[6]){ 6, 7, 8, 9, 10, 11 }, 6);
	for (int i = 0; i < 6; ++i)
		sample_quad(&s, i, (i + 1) % 6, 6 + (i + 1) % 6, 6 + i);
	rbl_mesh *mesh = sample_mesh(&s);
	rbl_mass mass = rbl_mesh_get_mass(mesh);
	CHECK_NEAR(t, mass.volume, 4.0, 1e-14);
	CHECK_NEAR(t, mass.centre.x, (2.0 * 1.0 + 2.0 * 0.5) / 4.0, 1e-14);
	CHECK_NEAR(t, mass.centre.y, (2.0 * 0.5 + 2.0 * 2.0) / 4.0, 1e-14);
	rbl_destroy_mesh(mesh);
}

TEST_MAIN(TEST(what_is_put_in_comes_out), TEST(triangles_need_no_starts),
          TEST(nothing_is_a_mesh_too), TEST(wrong_counts_and_indices_are_refused),
          TEST(numbers_that_are_not_finite_are_refused), TEST(a_failed_allocation_leaves_nothing),
          TEST(a_box_has_the_mass_of_the_formula), TEST(a_sphere_comes_close_to_the_ball),
          TEST(a_mesh_inside_out_has_negative_volume), TEST(faces_need_not_be_convex_for_the_mass))
