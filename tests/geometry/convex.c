// SPDX-License-Identifier: MIT
// Convex polyhedra and their cuts.

#include "base/random.h"
#include "base/vec.h"
#include "geometry/convex.h"

#include "faulty_allocator.h"
#include "test.h"

// V - E + F = 2, loops and neighbours agree, all numbers finite.
static bool is_sound(const rbl_convex *convex)
{
	rbl_convex_data d = rbl_convex_get_data(convex);
	if (d.vertex_count != 2 * d.face_count - 4 || d.face_starts[0] != 0 ||
	    d.face_starts[d.face_count] != 3 * d.vertex_count)
		return false;
	for (int f = 0; f < d.face_count; ++f) {
		int first = d.face_starts[f], end = d.face_starts[f + 1];
		if (end - first < 3)
			return false;
		for (int k = first; k < end; ++k) {
			int a = d.corner_vertices[k], b = d.corner_vertices[k + 1 < end ? k + 1 : first];
			int g = d.corner_faces[k], found = 0;
			for (int j = d.face_starts[g]; j < d.face_starts[g + 1]; ++j) {
				int after = j + 1 < d.face_starts[g + 1] ? j + 1 : d.face_starts[g];
				found += d.corner_vertices[j] == b && d.corner_vertices[after] == a &&
				         d.corner_faces[j] == f;
			}
			if (found != 1 || !rbl_is_finite_d(d.vertices[a]))
				return false;
		}
	}
	return true;
}

static rbl_convex *cube(double half)
{
	rbl_convex_def def = rbl_default_convex_def();
	def.box = (rbl_boxd){ { -half, -half, -half }, { half, half, half } };
	rbl_convex *convex = NULL;
	rbl_create_convex(&def, &convex);
	return convex;
}

static double volume(const rbl_convex *convex)
{
	return rbl_convex_get_mass(convex).volume;
}

static void a_cube_has_the_mass_of_a_cube(test *t)
{
	rbl_convex *convex = cube(1.0);
	CHECK(t, is_sound(convex));
	rbl_mass mass = rbl_convex_get_mass(convex);
	CHECK_NEAR(t, mass.volume, 8.0, 1e-14);
	CHECK_NEAR(t, rbl_length_d(mass.centre), 0.0, 1e-15);
	CHECK_NEAR(t, mass.inertia.x.x, 8.0 * 8.0 / 12.0, 1e-14);
	CHECK_NEAR(t, mass.inertia.y.x, 0.0, 1e-14);
	int v = rbl_convex_support(convex, (rbl_vec3d){ 1.0, -1.0, 2.0 });
	rbl_vec3d p = rbl_convex_get_data(convex).vertices[v];
	CHECK(t, p.x == 1.0 && p.y == -1.0 && p.z == 1.0);
	rbl_destroy_convex(convex);
	rbl_destroy_convex(NULL);
}

static rbl_planed random_plane(rbl_random *random, double scale)
{
	rbl_vec3d n = rbl_normalize_d(rbl_random_in_ball(random));
	return (rbl_planed){ n, scale * rbl_random_range(random, -0.8, 0.8) };
}

// Whatever the plane and the scale, the two parts are the whole and share their cut points.
static void two_parts_make_the_whole(test *t)
{
	rbl_random random = rbl_random_from_seed(7);
	const double scales[] = { 1e-3, 1.0, 1e4 };
	for (int round = 0; round < 300; ++round) {
		double scale = scales[round % 3];
		rbl_convex *convex = cube(scale);
		for (int k = 0; k < 12; ++k) {
			rbl_convex *front, *back;
			rbl_planed plane = random_plane(&random, scale);
			plane.normal = rbl_scale_d(3.0, plane.normal), plane.offset *= 3.0;
			CHECK(t, rbl_convex_cut(convex, plane, (uint64_t)k, &front, &back) == RBL_OK);
			double whole = volume(convex), sum = volume(front) + volume(back);
			CHECK_NEAR(t, sum / whole, 1.0, 1e-12);
			CHECK(t, front || back);
			CHECK(t, (!front || is_sound(front)) && (!back || is_sound(back)));
			bool keep_front = volume(front) > volume(back);
			rbl_destroy_convex(convex);
			convex = keep_front ? front : back;
			rbl_destroy_convex(keep_front ? back : front);
		}
		rbl_destroy_convex(convex);
	}
}

static void both_parts_have_the_same_cut_points(test *t)
{
	rbl_convex *convex = cube(1.0), *front, *back;
	rbl_planed plane = { { 0.3, 0.5, -0.7 }, 0.13 };
	CHECK(t, rbl_convex_cut(convex, plane, 42, &front, &back) == RBL_OK);
	rbl_convex_data a = rbl_convex_get_data(front), b = rbl_convex_get_data(back);
	int same = 0, cut_corners = 0;
	for (int f = 0; f < a.face_count; ++f) {
		if (a.plane_ids[f] != 42)
			continue;
		for (int k = a.face_starts[f]; k < a.face_starts[f + 1]; ++k, ++cut_corners) {
			for (int v = 0; v < b.vertex_count; ++v)
				same += memcmp(&a.vertices[a.corner_vertices[k]], &b.vertices[v],
				               sizeof(rbl_vec3d)) == 0;
		}
	}
	CHECK(t, cut_corners >= 3 && same == cut_corners);
	rbl_destroy_convex(convex), rbl_destroy_convex(front), rbl_destroy_convex(back);
}

// Planes through corners, along edges and faces, and hair's breadths away from them.
static void nasty_planes_leave_sound_parts(test *t)
{
	const double near[] = { 0.0, 1e-17, 1e-15, 1e-13, 1e-11, 1e-6 };
	for (int i = 0; i < 26; ++i) {
		int k = i < 13 ? i : i + 1;
		rbl_vec3d n = { k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1 };
		double reach = fabs(n.x) + fabs(n.y) + fabs(n.z);
		for (int j = 0; j < 24; ++j) {
			double shift = near[j % 6] * (j & 1 ? -1.0 : 1.0);
			double base = j < 6 ? reach : j < 12 ? reach - 2.0 : j < 18 ? -reach : 0.0;
			rbl_convex *convex = cube(1.0), *front, *back;
			rbl_planed plane = { n, base + shift };
			CHECK(t, rbl_convex_cut(convex, plane, 1, &front, &back) == RBL_OK);
			CHECK(t, (!front || is_sound(front)) && (!back || is_sound(back)));
			CHECK_NEAR(t, volume(front) + volume(back), 8.0, 1e-10);
			rbl_destroy_convex(convex), rbl_destroy_convex(front), rbl_destroy_convex(back);
		}
	}
}

// Many planes that all but pass through one point: rounding decides nothing but digits.
static void planes_around_one_point_leave_it_closed(test *t)
{
	rbl_random random = rbl_random_from_seed(3);
	for (int round = 0; round < 200; ++round) {
		rbl_convex *convex = cube(1.0);
		rbl_vec3d apex = rbl_scale_d(0.3, rbl_random_in_ball(&random));
		for (int k = 0; k < 40 && convex; ++k) {
			rbl_vec3d n = rbl_normalize_d(rbl_random_in_ball(&random));
			n.z = fabs(n.z);
			double jitter = (round & 1) ? 1e-12 * rbl_random_range(&random, -1.0, 1.0) : 0.0;
			rbl_planed plane = { n, rbl_dot_d(n, apex) + jitter };
			rbl_convex *back;
			CHECK(t, rbl_convex_cut(convex, plane, 5, NULL, &back) == RBL_OK);
			CHECK(t, !back || is_sound(back));
			CHECK(t, volume(back) <= volume(convex) + 1e-9);
			rbl_destroy_convex(convex);
			convex = back;
		}
		rbl_destroy_convex(convex);
	}
}

static void an_intersection_is_the_common_part(test *t)
{
	rbl_convex *a = cube(1.0), *both, *none;
	rbl_convex_def def = rbl_default_convex_def();
	def.box = (rbl_boxd){ { 0.5, 0.25, -3.0 }, { 3.0, 3.0, 0.0 } };
	rbl_convex *b, *far_off;
	CHECK(t, rbl_create_convex(&def, &b) == RBL_OK);
	CHECK(t, rbl_convex_intersect(a, b, &both) == RBL_OK && is_sound(both));
	CHECK_NEAR(t, volume(both), 0.5 * 0.75 * 1.0, 1e-15);
	def.box = (rbl_boxd){ { 1.0, 0.0, 0.0 }, { 2.0, 1.0, 1.0 } }; // touches
	CHECK(t, rbl_create_convex(&def, &far_off) == RBL_OK);
	CHECK(t, rbl_convex_intersect(a, far_off, &none) == RBL_OK && none == NULL);
	rbl_destroy_convex(a), rbl_destroy_convex(b), rbl_destroy_convex(both);
	rbl_destroy_convex(far_off);
}

static void a_convex_survives_the_way_over_a_mesh(test *t)
{
	rbl_random random = rbl_random_from_seed(11);
	for (int round = 0; round < 50; ++round) {
		rbl_planed planes[30];
		for (int k = 0; k < 30; ++k)
			planes[k] = (rbl_planed){ rbl_normalize_d(rbl_random_in_ball(&random)), 0.8 };
		rbl_convex_def def = rbl_default_convex_def();
		def.planes = planes, def.plane_count = 30;
		rbl_convex *convex, *again;
		rbl_mesh *mesh;
		CHECK(t, rbl_create_convex(&def, &convex) == RBL_OK && is_sound(convex));
		CHECK(t, rbl_convex_create_mesh(convex, NULL, &mesh) == RBL_OK);
		CHECK_NEAR(t, rbl_mesh_get_mass(mesh).volume, volume(convex), 1e-14);
		rbl_convex_def of_mesh = rbl_default_convex_def();
		of_mesh.mesh = mesh;
		CHECK(t, rbl_create_convex(&of_mesh, &again) == RBL_OK && is_sound(again));
		CHECK_NEAR(t, volume(again) / volume(convex), 1.0, 1e-10);
		rbl_destroy_convex(convex), rbl_destroy_convex(again), rbl_destroy_mesh(mesh);
	}
}

// More faces than the cap: fewer faces, everything still inside.
static void too_many_faces_give_an_outer_approximation(test *t)
{
	rbl_random random = rbl_random_from_seed(5);
	enum { N = 600 };
	rbl_planed planes[N];
	for (int k = 0; k < N; ++k)
		planes[k] = (rbl_planed){ rbl_normalize_d(rbl_random_in_ball(&random)), 0.9 };
	rbl_convex_def def = rbl_default_convex_def();
	def.planes = planes, def.plane_count = N;
	rbl_convex *convex;
	CHECK(t, rbl_create_convex(&def, &convex) == RBL_OK && is_sound(convex));
	rbl_convex_data d = rbl_convex_get_data(convex);
	CHECK(t, d.is_approximate && d.face_count <= RBL_MAX_CONVEX_FACES);
	CHECK(t, d.vertex_count <= RBL_MAX_CONVEX_VERTICES);
	double ball = 4.0 / 3.0 * 3.14159265358979 * 0.9 * 0.9 * 0.9;
	CHECK(t, volume(convex) > ball && volume(convex) < 1.2 * ball);
	for (int f = 0; f < d.face_count; ++f)
		CHECK(t, d.planes[f].offset > 0.9 - 1e-12);
	rbl_destroy_convex(convex);
}

static void bad_definitions_are_refused(test *t)
{
	rbl_convex *convex;
	rbl_convex_def def = rbl_default_convex_def(), none = { 0 };
	CHECK(t, rbl_create_convex(&def, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_convex(NULL, &convex) == RBL_BAD_ARGUMENT && !convex);
	CHECK(t, rbl_create_convex(&none, &convex) == RBL_BAD_ARGUMENT);
	def.box.upper.x = -1.0;
	CHECK(t, rbl_create_convex(&def, &convex) == RBL_BAD_ARGUMENT);
	def = rbl_default_convex_def();
	def.plane_count = 1;
	CHECK(t, rbl_create_convex(&def, &convex) == RBL_BAD_ARGUMENT);
	rbl_planed plane = { { 0.0, 0.0, 0.0 }, 1.0 };
	def.planes = &plane;
	CHECK(t, rbl_create_convex(&def, &convex) == RBL_BAD_ARGUMENT);
	plane = (rbl_planed){ { 1.0, 0.0, 0.0 }, -2.0 };
	CHECK(t, rbl_create_convex(&def, &convex) == RBL_BAD_ARGUMENT);
	def.plane_count = -1;
	CHECK(t, rbl_create_convex(&def, &convex) == RBL_BAD_ARGUMENT);
	def = rbl_default_convex_def();
	def.allocator.allocate = faulty_allocate;
	CHECK(t, rbl_create_convex(&def, &convex) == RBL_BAD_ARGUMENT);

	rbl_convex *box = cube(1.0), *part;
	CHECK(t, rbl_convex_cut(NULL, plane, 0, &part, NULL) == RBL_BAD_ARGUMENT);
	plane.normal.x = NAN;
	CHECK(t, rbl_convex_cut(box, plane, 0, &part, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_convex_intersect(box, NULL, &part) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_convex_intersect(box, box, NULL) == RBL_BAD_ARGUMENT);
	rbl_mesh *mesh;
	CHECK(t, rbl_convex_create_mesh(NULL, NULL, &mesh) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_convex_create_mesh(box, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_convex_get_data(NULL).face_count == 0 && rbl_convex_get_mass(NULL).volume == 0.0);
	rbl_destroy_convex(box);
}

static void meshes_that_are_not_convex_are_refused(test *t)
{
	// A tetrahedron with its top pushed in: face 0 has a vertex beyond it.
	const rbl_vec3d points[5] = {
		{ 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 0.1, 0.1, 0.1 }
	};
	const int dented[18] = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 4, 2, 3, 4, 3, 1, 4 };
	const int open[9] = { 0, 2, 1, 0, 1, 3, 0, 3, 2 };
	rbl_mesh_def mesh_def = rbl_default_mesh_def();
	mesh_def.data = (rbl_mesh_data){ .vertex_count = 5,
		                             .positions = points,
		                             .face_count = 6,
		                             .corner_count = 18,
		                             .corner_vertices = dented };
	rbl_mesh *mesh;
	rbl_convex *convex;
	rbl_convex_def def = rbl_default_convex_def();
	CHECK(t, rbl_create_mesh(&mesh_def, &mesh) == RBL_OK);
	def.mesh = mesh;
	CHECK(t, rbl_create_convex(&def, &convex) == RBL_BAD_MESH && !convex);
	rbl_destroy_mesh(mesh);
	mesh_def.data.face_count = 3, mesh_def.data.corner_count = 9;
	mesh_def.data.corner_vertices = open;
	CHECK(t, rbl_create_mesh(&mesh_def, &mesh) == RBL_OK);
	def.mesh = mesh;
	CHECK(t, rbl_create_convex(&def, &convex) == RBL_BAD_MESH);
	rbl_destroy_mesh(mesh);
}

static rbl_result make_and_cut(rbl_allocator allocator)
{
	rbl_random random = rbl_random_from_seed(5);
	enum { N = 200 };
	rbl_planed planes[N];
	for (int k = 0; k < N; ++k)
		planes[k] = (rbl_planed){ rbl_normalize_d(rbl_random_in_ball(&random)), 0.9 };
	rbl_convex_def def = rbl_default_convex_def();
	def.allocator = allocator;
	def.planes = planes, def.plane_count = N;
	rbl_convex *convex, *front = NULL, *back = NULL, *both = NULL;
	rbl_result result = rbl_create_convex(&def, &convex);
	if (result == RBL_OK)
		result = rbl_convex_cut(convex, (rbl_planed){ { 1, 2, 3 }, 0.1 }, 1, &front, &back);
	if (result == RBL_OK)
		result = rbl_convex_intersect(front, convex, &both);
	rbl_destroy_convex(convex), rbl_destroy_convex(front);
	rbl_destroy_convex(back), rbl_destroy_convex(both);
	return result;
}

static void every_failed_allocation_unwinds(test *t)
{
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_result result = make_and_cut(FAULTY(&memory));
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
}

// Regression: stamps of an earlier, larger polyhedron were taken for those of the next.
static void a_used_carving_carves_like_a_new_one(test *t)
{
	rbl_random random = rbl_random_from_seed(31);
	rbl_clipper used;
	rbl_clipper_init(&used, NULL);
	rbl_boxd box = { { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };
	for (int round = 0; round < 4000; ++round) {
		rbl_clipper fresh;
		rbl_clipper_init(&fresh, NULL);
		CHECK(t, rbl_clipper_start_box(&used, box, 0) && rbl_clipper_start_box(&fresh, box, 0));
		int cuts = 1 + (int)rbl_random_below(&random, 40);
		rbl_planed plane = { { 1.0, 0.0, 0.0 }, 0.0 };
		for (int i = 0; i < cuts; ++i) {
			if (i % 2 == 0) // the other half swallows a face that no cut has met
				plane = random_plane(&random, 1.0);
			plane.offset = 0.95 - 0.02 * i;
			CHECK(t, rbl_clipper_cut(&used, plane, 1e-12, 9) ==
			             rbl_clipper_cut(&fresh, plane, 1e-12, 9));
		}
		if (round % 2) { // others are left as they are
			rbl_clipper_compact(&used);
			rbl_clipper_compact(&fresh);
			CHECK(t, used.face_count == fresh.face_count);
		}
		CHECK(t, used.vertex_count == fresh.vertex_count);
		CHECK(t, rbl_clipper_volume(&used, NULL) == rbl_clipper_volume(&fresh, NULL));
		rbl_clipper_destroy(&fresh);
	}
	rbl_clipper_destroy(&used);
}

TEST_MAIN(TEST(a_used_carving_carves_like_a_new_one), TEST(a_cube_has_the_mass_of_a_cube),
          TEST(two_parts_make_the_whole), TEST(both_parts_have_the_same_cut_points),
          TEST(nasty_planes_leave_sound_parts), TEST(planes_around_one_point_leave_it_closed),
          TEST(an_intersection_is_the_common_part), TEST(a_convex_survives_the_way_over_a_mesh),
          TEST(too_many_faces_give_an_outer_approximation), TEST(bad_definitions_are_refused),
          TEST(meshes_that_are_not_convex_are_refused), TEST(every_failed_allocation_unwinds))
