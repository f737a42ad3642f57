// SPDX-License-Identifier: MIT
// ctest: soak
// Star-shaped bodies are not traversed, and nothing is lost by it: forms that only seem to be
// star-shaped agree with brute force.

#include "surface/reference.h"

#include "base/axis.h"
#include "base/math.h"
#include "geometry/geometry.h"
#include "surface/surface_kernels.h"

#include <rubble/surface.h>

enum { ROWS = 5, COLUMNS = 7 };

// A ball whose meridians go round `turns` times; with two, it covers every direction twice.
static reference_mesh make_ball(int turns, double roughness, rbl_random *random)
{
	int columns = COLUMNS * turns;
	reference_mesh m;
	m.vertex_count = (ROWS - 1) * columns + 2;
	m.triangle_count = 2 * (ROWS - 1) * columns;
	m.positions = malloc((size_t)m.vertex_count * sizeof *m.positions);
	m.triangles = malloc(3 * (size_t)m.triangle_count * sizeof *m.triangles);
	int south = m.vertex_count - 2, north = m.vertex_count - 1, *t = m.triangles;
	for (int i = 0; i < m.vertex_count; ++i) {
		double row = i == south ? 0.0 : i == north ? ROWS : 1.0 + i / columns;
		double angle = 3.14159265358979 * row / ROWS;
		double around = 6.28318530717959 * (i % columns) / COLUMNS;
		double r = 1.0 + rbl_random_range(random, -roughness, roughness);
		m.positions[i] = (rbl_vec3){ (float)(r * rbl_sin(angle) * rbl_cos(around)),
			                         (float)(r * rbl_sin(angle) * rbl_sin(around)),
			                         (float)(-r * rbl_cos(angle)) };
	}
	for (int row = 0; row < ROWS; ++row)
		for (int k = 0; k < columns; ++k) {
			int a = (row - 1) * columns + k, b = (row - 1) * columns + (k + 1) % columns;
			int c = a + columns, d = b + columns;
			if (row > 0)
				*t++ = a, *t++ = b, *t++ = row + 1 < ROWS ? d : north;
			if (row + 1 < ROWS)
				*t++ = row > 0 ? a : south, *t++ = d, *t++ = c;
		}
	return m;
}

static void turn_inside_out(reference_mesh *m)
{
	for (int i = 0; i < m->triangle_count; ++i) {
		int first = m->triangles[3 * i];
		m->triangles[3 * i] = m->triangles[3 * i + 1];
		m->triangles[3 * i + 1] = first;
	}
}

typedef struct outcome {
	bool is_star;
	int found;
} outcome;

// Ask about a mesh, as it is or on its way, and compare with brute force.
static outcome ask(test *t, const reference_mesh *mesh, const rbl_vec3 *ends)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	rbl_surface_body_id body = reference_add(t, surface, mesh);
	outcome result;
	if (ends) {
		rbl_surface_hits hits;
		CHECK(t, rbl_surface_move(surface, body, NULL, ends) == RBL_OK);
		CHECK(t, rbl_surface_update(surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
		CHECK(t, rbl_surface_sweep(surface, &hits) == RBL_OK);
		CHECK(t, reference_check_hits(surface, hits) == 0);
		result.found = hits.count;
	} else {
		rbl_surface_pairs pairs;
		CHECK(t, rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK);
		CHECK(t, rbl_surface_collide(surface, &pairs) == RBL_OK);
		CHECK(t, reference_check_pairs(surface, pairs) == 0);
		result.found = pairs.count;
	}
	result.is_star = surface->bodies.data[body.index].self.is_star;
	rbl_destroy_surface(surface);
	return result;
}

static void balls_equal_brute_force(test *t)
{
	int stars = 0, others = 0, found = 0;
	for (int round = 0; round < test_count(100, 10000); ++round) {
		rbl_random random = rbl_random_from_seed((uint64_t)round);
		double roughness = rbl_random_range(&random, 0.0, round % 2 ? 0.3 : 1.2);
		reference_mesh m = make_ball(1, roughness, &random);
		if (round % 5 == 4)
			turn_inside_out(&m);
		for (int i = 0; i < m.vertex_count; ++i) {
			if (round % 7 == 0) // noise in all directions
				m.positions[i] =
					rbl_add(m.positions[i],
				            (rbl_vec3){ (float)rbl_random_range(&random, -0.3, 0.3),
				                        (float)rbl_random_range(&random, -0.3, 0.3), 0.2f });
			if (round % 11 == 0) // flat, or nearly
				m.positions[i].y *= round % 2 ? 0.0f : 1e-6f;
		}
		outcome o = ask(t, &m, NULL);
		stars += o.is_star, others += !o.is_star, found += o.found;
		CHECK(t, !o.is_star || o.found == 0);
		reference_mesh_free(&m);
	}
	CHECK(t, stars > 20 && others > 20 && found > 100);
}

static void what_goes_round_twice_is_no_star(test *t)
{
	for (int round = 0; round < test_count(20, 1000); ++round) {
		rbl_random random = rbl_random_from_seed((uint64_t)round);
		reference_mesh m = make_ball(2, 0.2, &random);
		outcome o = ask(t, &m, NULL);
		CHECK(t, !o.is_star && o.found > 0);
		CHECK(t, !ask(t, &m, m.positions).is_star);
		reference_mesh_free(&m);
	}
}

static void open_and_ring_shaped_bodies_are_no_stars(test *t)
{
	rbl_random random = rbl_random_from_seed(4);
	reference_mesh neighbours = reference_torus(6, 6), ball = make_ball(1, 0.0, &random);
	reference_crumple(&neighbours, &random);
	CHECK(t, !ask(t, &neighbours, NULL).is_star);
	CHECK(t, ask(t, &ball, NULL).is_star);
	ball.triangle_count--; // a hole
	CHECK(t, !ask(t, &ball, NULL).is_star);
	reference_mesh_free(&neighbours);
	reference_mesh_free(&ball);
}

// Triangles whose planes pass by the point as closely as floats allow: a sign that is given is
// right.
static void signs_that_are_given_are_right(test *t)
{
	rbl_random random = rbl_random_from_seed(6);
	int given = 0, not_given = 0;
	for (int round = 0; round < 20000; ++round) {
		rbl_vec3 p[4] = { { 0.0f, 0.0f, 0.0f } };
		for (int i = 0; i < 3; ++i)
			p[i] = (rbl_vec3){ (float)rbl_random_range(&random, -1.0, 1.0),
				               (float)rbl_random_range(&random, -1.0, 1.0),
				               (float)rbl_random_range(&random, -1.0, 1.0) };
		float u = (float)rbl_random_range(&random, -1.0, 1.0), v = 0.3f;
		float off = (float)rbl_random_range(&random, -4e-6, 4e-6);
		rbl_vec3 n = rbl_cross(p[0], p[1]);
		p[2] = rbl_add(rbl_add(rbl_scale(u, p[0]), rbl_scale(v, p[1])), rbl_scale(off, n));
		const int corners[3] = { 0, 1, 2 }, list[1] = { 0 };
		rbl_surface_star_source source = {
			.positions = { p, NULL }, .triangles = corners, .list = list, .count = 1
		};
		bool is_positive = RBL_PICK(rbl_surface_star_depth)(&source) >= 0;
		given += is_positive, not_given += !is_positive;
		CHECK(t, !is_positive || rbl_orient3d_float(p[0], p[1], p[2], (rbl_vec3){ 0, 0, 0 }) == -1);
	}
	CHECK(t, given > 1000 && not_given > 1000);
}

// The volume that a triangle makes with the point, at some time of the step.
static double volume_at(const rbl_vec3 p[3], const rbl_vec3 q[3], double time)
{
	rbl_vec3d r[3];
	for (int k = 0; k < 3; ++k) {
		rbl_vec3d start = rbl_to_d(p[k]), translation = rbl_sub_d(rbl_to_d(q[k]), start);
		r[k] = rbl_add_scaled_d(start, time, translation);
	}
	return rbl_dot_d(r[0], rbl_cross_d(r[1], r[2]));
}

// Triangles that turn their back to the point at both ends of the step, and perhaps not in between.
static void what_turns_round_on_its_way_is_seen(test *t)
{
	rbl_random random = rbl_random_from_seed(12);
	int kept = 0, turning = 0;
	for (int round = 0; round < test_count(60000, 2000000); ++round) {
		rbl_vec3 points[2][4] = { { { 0.0f, 0.0f, 0.0f } } };
		for (int i = 0; i < 18; ++i)
			rbl_set_axis(&points[i / 9][i % 9 / 3], i % 3,
			             (float)rbl_random_range(&random, -1.0, 1.0));
		if (!(volume_at(points[0], points[1], 0.0) > 0.0) ||
		    !(volume_at(points[0], points[1], 1.0) > 0.0))
			continue;
		const int corners[3] = { 0, 1, 2 }, list[1] = { 0 };
		rbl_surface_star_source source = {
			.positions = { points[0], points[1] }, .triangles = corners, .list = list, .count = 1
		};
		bool is_kept = RBL_PICK(rbl_surface_star_depth)(&source) >= 0;
		double least = DBL_MAX;
		for (int i = 0; i <= 32; ++i)
			least = rbl_mind(least, volume_at(points[0], points[1], i / 32.0));
		CHECK(t, !is_kept || least > 0.0);
		kept += is_kept, turning += least < 0.0;
	}
	CHECK(t, kept > 100 && turning > 100);
}

// Two closed forms, one inside the other, and a corner of the outer exactly in the direction that
// is counted: not one of its triangles lies certainly over it, and still the direction is covered
// twice.
static void corners_in_the_way_are_not_left_out(test *t)
{
	static const int corners[24] = { 0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
		                             2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5 };
	rbl_vec3 p[13] = { { 0.0f, 0.0f, 0.0f } };
	int triangles[48], list[16];
	for (int i = 0; i < 12; ++i) {
		float r = (float)(i < 6 ? 1 : 3), side = i % 2 ? -r : r;
		rbl_vec3 unit = { i % 6 / 2 == 0 ? side : 0.0f, i % 6 / 2 == 1 ? side : 0.0f,
			              i % 6 / 2 == 2 ? side : 0.0f };
		p[i] = unit;
	}
	p[10] = (rbl_vec3){ 3.0f * 0.382f, 3.0f * 0.271f, 3.0f }; // the outer corner above
	for (int scale = 0; scale < 2; ++scale) {
		if (scale)
			p[10] = (rbl_vec3){ 0.382f, 0.271f, 1.0f }, p[4].z = 0.5f;
		for (int i = 0; i < 48; ++i)
			triangles[i] = corners[i % 24] + (i < 24 ? 0 : 6), list[i / 3] = i / 3;
		rbl_surface_star_source source = { .positions = { p, NULL },
			                               .triangles = triangles,
			                               .list = list };
		source.count = 8;
		CHECK(t, RBL_PICK(rbl_surface_star_depth)(&source) == 1);
		source.count = 16;
		CHECK(t, RBL_PICK(rbl_surface_star_depth)(&source) == -1);
	}
}

// Stars at start and end: some pass through themselves on the way, some do not.
static void balls_on_their_way_equal_brute_force(test *t)
{
	int stars = 0, others = 0, found = 0;
	for (int round = 0; round < test_count(100, 5000); ++round) {
		rbl_random random = rbl_random_from_seed((uint64_t)round + 9);
		reference_mesh m = make_ball(1, 0.2, &random), n = make_ball(1, 0.2, &random);
		double angle = rbl_random_range(&random, 0.0, round % 3 ? 1.0 : 3.0);
		float c = (float)rbl_cos(angle), s = (float)rbl_sin(angle);
		for (int i = 0; i < n.vertex_count; ++i) {
			rbl_vec3 p = n.positions[i];
			n.positions[i] = (rbl_vec3){ c * p.x - s * p.y + 3.0f, s * p.x + c * p.y, p.z + 1.0f };
		}
		for (int direction = 0; direction < 2; ++direction) { // there and back
			outcome o = direction ? ask(t, &n, m.positions) : ask(t, &m, n.positions);
			stars += o.is_star, others += !o.is_star, found += o.found;
			CHECK(t, !o.is_star || o.found == 0);
		}
		reference_mesh_free(&m);
		reference_mesh_free(&n);
	}
	CHECK(t, stars > 10 && others > 10 && found > 40);
}

// A ball is known to be closed, and then gets a patch that goes through its side: no longer closed,
// it must be tested, though all of it faces away from the middle.
static void a_patch_on_a_ball_is_looked_at(test *t)
{
	for (int order = 0; order < 2; ++order) {
		rbl_random random = rbl_random_from_seed(1);
		reference_mesh ball = make_ball(1, 0.0, &random), patch = reference_sheet(1, 1);
		rbl_surface_def def = rbl_default_surface_def();
		rbl_surface *surface;
		CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
		for (int i = 0; i < patch.vertex_count; ++i) { // beside it, and half inside
			float u = patch.positions[i].x - 0.5f, v = patch.positions[i].y - 0.5f;
			patch.positions[i] = (rbl_vec3){ -0.93f - 0.5f * u, -0.3f * u - 0.2f * v, 0.3f * v };
		}
		rbl_surface_body_id bodies[2] = { reference_add(t, surface, &ball),
			                              reference_add(t, surface, &patch) };
		CHECK(t, reference_check_query(t, surface, false) > 0);
		CHECK(t, surface->bodies.data[bodies[0].index].self.is_star);
		rbl_surface_body_id both[2] = { bodies[order], bodies[!order] };
		CHECK(t, rbl_surface_merge(surface, both, 2, NULL, 0) == RBL_OK);
		CHECK(t, reference_check_query(t, surface, false) > 0);
		CHECK(t, !surface->bodies.data[both[0].index].self.is_star);
		rbl_destroy_surface(surface);
		reference_mesh_free(&ball);
		reference_mesh_free(&patch);
	}
}

// The same body from frame to frame: star-shaped, then dented through itself, then again.
static void a_ball_that_is_dented_is_looked_at(test *t)
{
	rbl_random random = rbl_random_from_seed(1);
	reference_mesh m = make_ball(1, 0.05, &random);
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	rbl_surface_body_id body = reference_add(t, surface, &m);
	int stars = 0, found = 0;
	for (int step = 0; step < 60; ++step) {
		float depth = step < 30 ? 0.1f * (float)step : 0.1f * (float)(60 - step);
		rbl_vec3 top = { 0.0f, 0.0f, 1.0f - depth };
		rbl_surface_body_data data = rbl_surface_body_get_data(surface, body);
		CHECK(t, rbl_surface_move_vertices(surface, body, &data.vertices[m.vertex_count - 1], 1,
		                                   &top) == RBL_OK);
		rbl_surface_pairs pairs;
		CHECK(t, rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK);
		CHECK(t, rbl_surface_collide(surface, &pairs) == RBL_OK);
		CHECK(t, reference_check_pairs(surface, pairs) == 0);
		stars += surface->bodies.data[body.index].self.is_star;
		found += pairs.count;
	}
	CHECK(t, stars > 5 && found > 20);
	rbl_destroy_surface(surface);
	reference_mesh_free(&m);
}

TEST_MAIN(TEST(balls_equal_brute_force), TEST(what_goes_round_twice_is_no_star),
          TEST(signs_that_are_given_are_right), TEST(corners_in_the_way_are_not_left_out),
          TEST(what_turns_round_on_its_way_is_seen), TEST(open_and_ring_shaped_bodies_are_no_stars),
          TEST(balls_on_their_way_equal_brute_force), TEST(a_ball_that_is_dented_is_looked_at),
          TEST(a_patch_on_a_ball_is_looked_at))
