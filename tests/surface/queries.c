// SPDX-License-Identifier: MIT
// Rays and nearest points against brute force.

#include "surface/reference.h"

#include "geometry/geometry.h"
#include "geometry/triangle_intersection.h"

#include <rubble/surface_queries.h>

static rbl_surface *make_surface(test *t, rbl_random *random, int run)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *s;
	CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
	for (int b = 0; b < 3; ++b) {
		reference_mesh mesh = b == 1 ? reference_torus(8, 7) : reference_sheet(8, 8);
		reference_crumple(&mesh, random);
		rbl_surface_body_def body = rbl_default_surface_body_def();
		rbl_surface_body_id id;
		rbl_vec3d *doubles = malloc((size_t)mesh.vertex_count * sizeof *doubles);
		for (int i = 0; i < mesh.vertex_count; ++i)
			doubles[i] = rbl_add_scaled_d(rbl_to_d(mesh.positions[i]), 1.0 / 3.0,
			                              (rbl_vec3d){ 1.0, 1.0, 1.0 });
		body.vertex_count = mesh.vertex_count;
		if (run % 2)
			body.input = (rbl_surface_positions){ doubles, 0, true };
		else
			body.positions = mesh.positions;
		body.triangle_count = mesh.triangle_count, body.triangles = mesh.triangles;
		body.filter.categories = 1u << b;
		CHECK(t, rbl_surface_add(s, &body, &id) == RBL_OK);
		free(doubles);
		reference_mesh_free(&mesh);
	}
	CHECK(t,
	      rbl_surface_update(s, run % 3 ? RBL_SURFACE_DISCRETE : RBL_SURFACE_CONTINUOUS) == RBL_OK);
	return s;
}

static rbl_vec3 any_point(rbl_random *random, bool on_lattice)
{
	rbl_vec3 p = { (float)rbl_random_range(random, -2.0, 10.0),
		           (float)rbl_random_range(random, -2.0, 10.0),
		           (float)rbl_random_range(random, -3.0, 3.0) };
	return on_lattice ? (rbl_vec3){ floorf(p.x), floorf(p.y), floorf(p.z) } : p;
}

static void corners(const rbl_surface *s, int triangle, rbl_vec3d p[3])
{
	for (int k = 0; k < 3; ++k)
		p[k] = rbl_surface_exact(s, s->triangles[3 * triangle + k], 1);
}

static bool is_flat(const rbl_vec3d p[3], const rbl_vec3d ray[3])
{
	return rbl_orient3d(p[0], p[1], p[2], ray[0]) == 0 &&
	       rbl_orient3d(p[0], p[1], p[2], ray[1]) == 0;
}

// The ray as a triangle without area meets the same triangles, by the exact test of pairs; the
// first of these is found.
static void rays_meet_what_brute_force_meets(test *t)
{
	int met = 0, missed = 0;
	for (int run = 0; run < test_count(12, 2000); ++run) {
		rbl_random random = rbl_random_from_seed(70 + (uint64_t)run);
		rbl_surface *s = make_surface(t, &random, run);
		for (int i = 0; i < 60; ++i) {
			bool on_lattice = rbl_random_below(&random, 2) == 0;
			rbl_vec3 from = any_point(&random, on_lattice);
			rbl_vec3 along = rbl_sub(any_point(&random, on_lattice), from);
			if (i % 7 == 0)
				along.x = along.y = 0.0f;
			uint32_t mask = i % 4 ? 7u : 5u;
			rbl_vec3d ray[3] = { rbl_to_d(from) };
			ray[1] = ray[2] = rbl_add_d(ray[0], rbl_to_d(along));
			rbl_surface_ray_hit hit;
			CHECK(t, rbl_surface_cast_ray(s, from, along, mask, &hit) == RBL_OK);
			double first = (double)INFINITY, of_hit = first;
			for (int triangle = 0; triangle < s->triangle_end; ++triangle) {
				rbl_vec3d p[3];
				corners(s, triangle, p);
				if (!(1u << rbl_surface_triangle_body(s, triangle).index & mask) ||
				    is_flat(p, ray) || !rbl_triangles_meet(p, ray))
					continue;
				rbl_vec3d n = rbl_cross_d(rbl_sub_d(p[1], p[0]), rbl_sub_d(p[2], p[0]));
				double a = rbl_dot_d(n, rbl_sub_d(ray[0], p[0]));
				double b = rbl_dot_d(n, rbl_sub_d(ray[1], p[0]));
				double share = a == b ? 0.0 : a / (a - b);
				first = share < first ? share : first;
				if (triangle == hit.triangle)
					of_hit = share;
			}
			CHECK(t, (hit.triangle >= 0) == (first < (double)INFINITY));
			CHECK(t, hit.triangle < 0 || of_hit <= first);
			met += hit.triangle >= 0, missed += hit.triangle < 0;
			if (hit.triangle < 0)
				continue;
			rbl_vec3d p[4];
			corners(s, hit.triangle, p + 1);
			p[0] = rbl_to_d(hit.point);
			rbl_closest closest;
			rbl_closest_vertex_face(p, &closest);
			CHECK(t, closest.distance < 1e-5);
			CHECK(t, fabs((double)hit.fraction - of_hit) < 1e-6);
			CHECK(t, rbl_surface_triangle_body(s, hit.triangle).index == hit.body.index);
		}
		rbl_destroy_surface(s);
	}
	CHECK(t, met > 100 && missed > 50);
}

static void nearest_points_are_those_of_brute_force(test *t)
{
	int found = 0, none = 0;
	for (int run = 0; run < test_count(12, 2000); ++run) {
		rbl_random random = rbl_random_from_seed(170 + (uint64_t)run);
		rbl_surface *s = make_surface(t, &random, run);
		for (int i = 0; i < 60; ++i) {
			rbl_vec3 point = any_point(&random, rbl_random_below(&random, 2) == 0);
			float within = i % 3 ? (float)rbl_random_range(&random, 0.0, 3.0) : INFINITY;
			uint32_t mask = i % 4 ? 7u : 2u;
			rbl_surface_nearest_point nearest;
			CHECK(t, rbl_surface_find_nearest(s, point, within, mask, &nearest) == RBL_OK);
			double best = (double)INFINITY;
			int triangle_of_best = -1;
			for (int triangle = 0; triangle < s->triangle_end; ++triangle) {
				rbl_vec3d p[4] = { rbl_to_d(point) };
				rbl_closest closest;
				corners(s, triangle, p + 1);
				rbl_closest_vertex_face(p, &closest);
				if (!(1u << rbl_surface_triangle_body(s, triangle).index & mask) ||
				    closest.distance >= best)
					continue;
				best = closest.distance, triangle_of_best = triangle;
			}
			bool is_within = best <= (double)within;
			CHECK(t, nearest.triangle == (is_within ? triangle_of_best : -1));
			CHECK(t, !is_within || nearest.distance == (float)best);
			found += is_within, none += !is_within;
		}
		rbl_destroy_surface(s);
	}
	CHECK(t, found > 100 && none > 50);
}

static void bad_questions_are_refused(test *t)
{
	rbl_random random = rbl_random_from_seed(3);
	rbl_surface *s = make_surface(t, &random, 1);
	rbl_vec3 p = { 0.0f, 0.0f, 0.0f }, bad = { 0.0f, NAN, 0.0f };
	rbl_surface_ray_hit hit;
	rbl_surface_nearest_point nearest;
	CHECK(t, rbl_surface_cast_ray(NULL, p, p, 1, &hit) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_cast_ray(s, bad, p, 1, &hit) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_cast_ray(s, p, bad, 1, &hit) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_cast_ray(s, p, p, 1, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_find_nearest(s, bad, 1.0f, 1, &nearest) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_find_nearest(s, p, -1.0f, 1, &nearest) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_find_nearest(s, p, NAN, 1, &nearest) == RBL_BAD_ARGUMENT);
	rbl_surface_body_id first = rbl_surface_triangle_body(s, 0);
	CHECK(t, rbl_surface_remove(s, first) == RBL_OK);
	CHECK(t, rbl_surface_cast_ray(s, p, p, 1, &hit) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_find_nearest(s, p, 1.0f, 1, &nearest) == RBL_BAD_ARGUMENT);
	rbl_destroy_surface(s);
}

TEST_MAIN(TEST(rays_meet_what_brute_force_meets), TEST(nearest_points_are_those_of_brute_force),
          TEST(bad_questions_are_refused))
