// SPDX-License-Identifier: MIT
// Outer hulls: they hold every point exactly, and shrink to the exact hull.
// ctest: soak

#include "geometry/geometry.h"

#include "base/kernel.h"
#include "base/random.h"
#include "base/vec.h"

#include "faulty_allocator.h"
#include "test.h"

#include <rubble/hull.h>
#include <rubble/shapes.h>

enum { MAX_POINTS = 3000, KIND_COUNT = 9 };
static rbl_vec3d points[MAX_POINTS];

static rbl_outer_hull *make(test *t, int count, int vertices, bool keeps, int limit)
{
	rbl_outer_hull_def def = rbl_default_outer_hull_def();
	def.points = points;
	def.point_count = count;
	def.vertex_count = vertices;
	def.keeps_directions = keeps;
	def.plane_limit = limit;
	rbl_outer_hull *hull = NULL;
	CHECK(t, rbl_create_outer_hull(&def, &hull) == RBL_OK);
	CHECK(t, hull != NULL);
	return hull;
}

static double exact_volume(test *t, const rbl_vec3d *p, int count)
{
	rbl_hull_def def = rbl_default_hull_def();
	def.points = p;
	def.point_count = count;
	rbl_hull *hull = NULL;
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_hull(&def, &hull) == RBL_OK);
	CHECK(t, rbl_hull_create_mesh(hull, NULL, &mesh) == RBL_OK);
	double volume = rbl_mesh_get_mass(mesh).volume;
	rbl_destroy_mesh(mesh);
	rbl_destroy_hull(hull);
	return volume;
}

static void fill(rbl_random *random, int kind, int count)
{
	for (int i = 0; i < count; ++i) {
		rbl_vec3d p = rbl_random_in_ball(random);
		int gx = (int)rbl_random_below(random, 4), gy = (int)rbl_random_below(random, 4),
			gz = (int)rbl_random_below(random, 4);
		switch (kind) {
		case 0: // in a ball
			break;
		case 1: // on a sphere
			p = rbl_normalize_d(p);
			break;
		case 2: // on a grid: many equal, many in one plane
			p = (rbl_vec3d){ gx, gy, gz };
			break;
		case 3: // on the faces of a cube
			p = (rbl_vec3d){ gx % 2 ? 1.0 : -1.0, p.y, p.z };
			break;
		case 4: // nearly flat
			p.z *= 1e-13;
			break;
		case 5: // a needle
			p.y *= 1e-9, p.z *= 1e-9;
			break;
		case 6: // far from the origin
			p = rbl_add_d(p, (rbl_vec3d){ 1e6, -2e6, 3e5 });
			break;
		case 7: // tiny
			p = rbl_scale_d(1e-60, p);
			break;
		default: // huge
			p = rbl_scale_d(1e60, p);
			break;
		}
		points[i] = p;
	}
}

static void check_holds(test *t, const rbl_outer_hull *hull, int count)
{
	rbl_outer_hull_data h = rbl_outer_hull_get_data(hull);
	int outside = 0;
	for (int f = 0; f < h.plane_count; ++f)
		for (int i = 0; i < count; ++i)
			outside += rbl_plane_side(h.planes[f], points[i]) > 0;
	CHECK(t, outside == 0);
	CHECK(t, h.vertex_count == 2 * h.plane_count - 4);
	CHECK(t, h.face_starts[0] == 0 && h.face_starts[h.plane_count] == 3 * h.vertex_count);
	int corners[3] = { 0 }; // by how often a vertex is one: exactly three faces meet at each
	for (int f = 0; f < h.plane_count; ++f)
		corners[0] += h.face_starts[f + 1] - h.face_starts[f] < 3;
	for (int v = 0; v < h.vertex_count; ++v) {
		int uses = 0;
		for (int c = 0; c < 3 * h.vertex_count; ++c)
			uses += h.corner_vertices[c] == v;
		corners[1 + (uses == 3)]++;
	}
	CHECK(t, corners[0] == 0 && corners[1] == 0 && corners[2] == h.vertex_count);
	CHECK(t, h.volume > 0.0);
}

static void every_point_is_behind_every_plane(test *t)
{
	rbl_random random = rbl_random_from_seed(3);
	for (int round = 0; round < test_count(3, 60); ++round) {
		for (int kind = 0; kind < KIND_COUNT; ++kind) {
			int count = 10 + (int)rbl_random_below(&random, 400);
			fill(&random, kind, count);
			int vertices = 4 + (int)rbl_random_below(&random, 40);
			for (int k = 0; k < 3; ++k) {
				rbl_outer_hull *hull = make(t, count, vertices, k == 1, k == 2 ? 14 : 0);
				if (hull)
					check_holds(t, hull, count);
				CHECK(t, k != 2 || rbl_outer_hull_get_data(hull).plane_count <= 14);
				rbl_destroy_outer_hull(hull);
			}
		}
	}
}

static void more_points_never_give_a_larger_hull_of_kept_directions(test *t)
{
	rbl_random random = rbl_random_from_seed(4);
	for (int kind = 0; kind < 3; ++kind) {
		fill(&random, kind, 500);
		double last = INFINITY;
		for (int vertices = 4; vertices < 60; ++vertices) {
			rbl_outer_hull *hull = make(t, 500, vertices, true, 0);
			double volume = rbl_outer_hull_get_data(hull).volume;
			CHECK(t, volume <= last * (1.0 + 1e-13));
			last = volume;
			rbl_destroy_outer_hull(hull);
		}
	}
}

static void all_points_give_the_exact_hull(test *t)
{
	rbl_random random = rbl_random_from_seed(5);
	for (int kind = 0; kind < 8; ++kind) { // meshes are not as large as the last kind
		fill(&random, kind, 300);
		double exact = exact_volume(t, points, 300);
		rbl_outer_hull *hull = make(t, 300, 300, kind % 2 == 0, 0);
		// What the hull is larger by is rounding: of the offsets, times the surface.
		double slack = kind == 4 ? 0.3 : kind == 5 ? 1e-5 : kind == 6 ? 1e-8 : 1e-12;
		CHECK_NEAR(t, rbl_outer_hull_get_data(hull).volume / exact, 1.0, slack);
		rbl_destroy_outer_hull(hull);
	}
}

// The reference: the exact hulls of what was chosen and of each other point.
static void every_choice_adds_the_most_volume(test *t)
{
	rbl_random random = rbl_random_from_seed(6);
	for (int round = 0; round < test_count(2, 20); ++round) {
		fill(&random, round % 2, 60);
		rbl_outer_hull *hull = make(t, 60, 12, false, 0);
		rbl_outer_hull_data h = rbl_outer_hull_get_data(hull);
		CHECK(t, h.chosen_count == 12);
		rbl_vec3d chosen[13];
		for (int k = 0; k < 12; ++k) {
			chosen[k] = points[h.chosen[k]];
			if (k < 4)
				continue;
			double most = exact_volume(t, chosen, k + 1), best = 0.0;
			for (int i = 0; i < 60; ++i) {
				chosen[k] = points[i];
				best = rbl_maxd(best, exact_volume(t, chosen, k + 1));
			}
			chosen[k] = points[h.chosen[k]];
			CHECK_NEAR(t, most / best, 1.0, 1e-12);
		}
		rbl_destroy_outer_hull(hull);
	}
}

static void fewer_points_are_chosen_first(test *t)
{
	rbl_random random = rbl_random_from_seed(7);
	fill(&random, 0, 400);
	rbl_outer_hull *few = make(t, 400, 9, false, 0), *many = make(t, 400, 30, true, 0);
	rbl_outer_hull_data a = rbl_outer_hull_get_data(few), b = rbl_outer_hull_get_data(many);
	CHECK(t, a.chosen_count == 9 && b.chosen_count == 30);
	CHECK(t, memcmp(a.chosen, b.chosen, 9 * sizeof(int)) == 0);
	rbl_destroy_outer_hull(few);
	rbl_destroy_outer_hull(many);
}

static void every_back_end_gives_the_same_bits(test *t)
{
	rbl_random random = rbl_random_from_seed(8);
	rbl_backend before = rbl_current_backend();
	for (int kind = 0; kind < 3; ++kind) {
		fill(&random, kind, 1111);
		rbl_outer_hull *first = make(t, 1111, 25, true, 0);
		rbl_outer_hull_data a = rbl_outer_hull_get_data(first);
		for (int k = 0; k < RBL_BACKEND_COUNT; ++k) {
			if (!rbl_force_backend((rbl_backend)k))
				continue;
			rbl_outer_hull *hull = make(t, 1111, 25, true, 0);
			rbl_outer_hull_data b = rbl_outer_hull_get_data(hull);
			CHECK(t, a.plane_count == b.plane_count && a.chosen_count == b.chosen_count);
			CHECK(t, memcmp(a.planes, b.planes, (size_t)a.plane_count * sizeof *a.planes) == 0);
			rbl_destroy_outer_hull(hull);
		}
		rbl_destroy_outer_hull(first);
	}
	rbl_force_backend(before);
}

static void a_limit_on_planes_is_spent_well(test *t)
{
	rbl_random random = rbl_random_from_seed(9);
	fill(&random, 0, 1000);
	double exact = exact_volume(t, points, 1000), last = INFINITY;
	for (int limit = 6; limit <= 60; limit += 6) {
		rbl_outer_hull *hull = make(t, 1000, 40, true, limit);
		rbl_outer_hull_data h = rbl_outer_hull_get_data(hull);
		CHECK(t, h.plane_count <= limit);
		CHECK(t, h.volume <= last && h.volume >= exact);
		last = h.volume;
		rbl_destroy_outer_hull(hull);
	}
	rbl_planed planes[26];
	CHECK(t, rbl_fit_kdop(points, 1000, 26, planes) == RBL_OK);
	rbl_convex_def def = rbl_default_convex_def();
	def.planes = planes;
	def.plane_count = 26;
	rbl_convex *dop = NULL;
	CHECK(t, rbl_create_convex(&def, &dop) == RBL_OK);
	rbl_outer_hull *hull = make(t, 1000, 40, true, 26);
	CHECK(t, rbl_outer_hull_get_data(hull).volume < rbl_convex_get_mass(dop).volume);
	rbl_destroy_outer_hull(hull);
	rbl_destroy_convex(dop);
}

static void few_points_are_all_chosen(test *t)
{
	const rbl_vec3d corners[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	for (int i = 0; i < 40; ++i)
		points[i] = corners[i % 4];
	rbl_outer_hull *hull = make(t, 40, 20, true, 0);
	rbl_outer_hull_data h = rbl_outer_hull_get_data(hull);
	CHECK(t, h.chosen_count == 4);
	CHECK_NEAR(t, h.volume, 1.0 / 6.0, 1e-14);
	rbl_destroy_outer_hull(hull);
}

static void flat_points_are_refused(test *t)
{
	rbl_outer_hull_def def = rbl_default_outer_hull_def();
	rbl_outer_hull *hull = (rbl_outer_hull *)(void *)points;
	def.points = points;
	def.point_count = 50;
	for (int kind = 0; kind < 3; ++kind) {
		for (int i = 0; i < 50; ++i)
			points[i] =
				(rbl_vec3d){ kind > 0 ? 0.1 * i : 1.0, kind > 1 ? 0.3 * (i % 7) : 2.0, 3.0 };
		CHECK(t, rbl_create_outer_hull(&def, &hull) == RBL_BAD_MESH);
		CHECK(t, hull == NULL);
	}
}

static void bad_definitions_are_refused(test *t)
{
	rbl_random random = rbl_random_from_seed(10);
	fill(&random, 0, 20);
	rbl_outer_hull *hull = NULL;
	rbl_outer_hull_def good = rbl_default_outer_hull_def(), def;
	good.points = points;
	good.point_count = 20;
	CHECK(t, rbl_create_outer_hull(&good, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_outer_hull(NULL, &hull) == RBL_BAD_ARGUMENT);
	def = good, def.cookie = 0;
	CHECK(t, rbl_create_outer_hull(&def, &hull) == RBL_BAD_ARGUMENT);
	def = good, def.points = NULL;
	CHECK(t, rbl_create_outer_hull(&def, &hull) == RBL_BAD_ARGUMENT);
	def = good, def.point_count = 3;
	CHECK(t, rbl_create_outer_hull(&def, &hull) == RBL_BAD_ARGUMENT);
	def = good, def.point_count = -1;
	CHECK(t, rbl_create_outer_hull(&def, &hull) == RBL_BAD_ARGUMENT);
	def = good, def.vertex_count = 3;
	CHECK(t, rbl_create_outer_hull(&def, &hull) == RBL_BAD_ARGUMENT);
	def = good, def.plane_limit = 5;
	CHECK(t, rbl_create_outer_hull(&def, &hull) == RBL_BAD_ARGUMENT);
	points[7].y = NAN;
	CHECK(t, rbl_create_outer_hull(&good, &hull) == RBL_BAD_ARGUMENT);
	CHECK(t, hull == NULL);
	rbl_destroy_outer_hull(NULL);
	CHECK(t, rbl_outer_hull_get_data(NULL).plane_count == 0);
}

static void every_allocation_may_fail(test *t)
{
	rbl_random random = rbl_random_from_seed(11);
	fill(&random, 1, 200);
	for (int limit = 0; limit <= 20; limit += 20) {
		for (int n = 0;; ++n) {
			faulty_allocator memory;
			faulty_init(&memory, n);
			rbl_outer_hull_def def = rbl_default_outer_hull_def();
			def.points = points;
			def.point_count = 200;
			def.plane_limit = limit;
			def.allocator = FAULTY(&memory);
			rbl_outer_hull *hull = NULL;
			rbl_result result = rbl_create_outer_hull(&def, &hull);
			CHECK(t, (hull != NULL) == (result == RBL_OK));
			rbl_destroy_outer_hull(hull);
			CHECK(t, memory.live_bytes == 0);
			if (!memory.failed)
				break;
			CHECK(t, result == RBL_OUT_OF_MEMORY);
		}
	}
}

TEST_MAIN(TEST(every_point_is_behind_every_plane),
          TEST(more_points_never_give_a_larger_hull_of_kept_directions),
          TEST(all_points_give_the_exact_hull), TEST(every_choice_adds_the_most_volume),
          TEST(fewer_points_are_chosen_first), TEST(every_back_end_gives_the_same_bits),
          TEST(a_limit_on_planes_is_spent_well), TEST(few_points_are_all_chosen),
          TEST(flat_points_are_refused), TEST(bad_definitions_are_refused),
          TEST(every_allocation_may_fail))
