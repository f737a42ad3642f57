// SPDX-License-Identifier: MIT
// ctest: soak
// How far points are from a rigid motion is never said to be less than it is, and hardly more: for
// bodies that fly steadily, what is certified lasts as long as rounding lets it.

#include "surface/reference.h"

#include "base/kernel.h"
#include "base/math.h"
#include "surface/certificate.h"
#include "surface/surface_kernels.h"

enum { POINTS = 29 };

static rbl_vec3d any_vector(rbl_random *random, double size)
{
	double x = rbl_random_range(random, -size, size), y = rbl_random_range(random, -size, size);
	return (rbl_vec3d){ x, y, rbl_random_range(random, -size, size) };
}

// Turn a vector about an axis.
static rbl_vec3d affected(rbl_vec3d v, rbl_vec3d axis, double angle)
{
	double c = rbl_cos(angle), s = rbl_sin(angle);
	rbl_vec3d q = rbl_add_scaled_d(rbl_scale_d(c, v), s, rbl_cross_d(axis, v));
	return rbl_add_scaled_d(q, (1.0 - c) * rbl_dot_d(axis, v), axis);
}

typedef struct flock {
	rbl_vec3 starts[POINTS + 1], ends[POINTS + 1]; // lanes read one float beyond
	int vertices[POINTS];
	rbl_surface_rigid_motion motion;
	rbl_vec3d rows[3]; // of the rotation less 1, in doubles
	double size;       // of the step
} flock;

static flock make_flock(rbl_random *random)
{
	static const double offsets[4] = { 0.0, 1.0, 1e3, 1e6 };
	static const double angles[4] = { 0.0, 1e-5, 0.03, 1.5 };
	flock f = { 0 };
	rbl_vec3d middle = any_vector(random, offsets[rbl_random_below(random, 4)]);
	rbl_vec3d axis = rbl_normalize_d(any_vector(random, 1.0)), shift = any_vector(random, 0.1);
	double angle = angles[rbl_random_below(random, 4)], off = rbl_random_below(random, 2) * 1e-5;
	rbl_vec3d still = { 0.0, 0.0, 0.0 }; // or far from the middle, where turn and shift cancel out
	bool has_still = rbl_random_below(random, 4) == 0;
	if (has_still)
		still = any_vector(random, 1.0), shift = rbl_sub_d(still, affected(still, axis, angle));
	f.motion.middle = rbl_to_f(middle), f.motion.shift = rbl_to_f(shift);
	for (int k = 0; k < 3; ++k) {
		rbl_vec3d unit = { k == 0, k == 1, k == 2 };
		f.rows[k] = rbl_sub_d(affected(unit, axis, -angle), unit);
		for (int i = 0; i < 3; ++i)
			f.motion.rotation[k][i] = (float)rbl_axis_d(f.rows[k], i);
	}
	for (int i = 0; i < POINTS; ++i) {
		rbl_vec3d at = rbl_add_d(still, any_vector(random, has_still ? 1e-3 : 1.0));
		f.vertices[i] = POINTS - 1 - i;
		f.starts[i] = rbl_to_f(rbl_add_d(middle, at));
		at = rbl_sub_d(rbl_to_d(f.starts[i]), middle);
		at = rbl_add_d(rbl_add_d(affected(at, axis, angle), middle), shift);
		f.ends[i] = rbl_to_f(rbl_add_d(at, any_vector(random, off)));
	}
	f.size = 2.0 * angle + 0.2;
	return f;
}

// The farthest that a point is off, along an axis.
static double true_error(const flock *f)
{
	double most = 0.0;
	for (int i = 0; i < POINTS; ++i) {
		rbl_vec3d s = rbl_sub_d(rbl_to_d(f->starts[i]), rbl_to_d(f->motion.middle));
		rbl_vec3d d = rbl_sub_d(rbl_to_d(f->ends[i]), rbl_to_d(f->starts[i]));
		d = rbl_sub_d(d, rbl_to_d(f->motion.shift));
		for (int k = 0; k < 3; ++k)
			most = rbl_maxd(most, fabs(rbl_axis_d(d, k) - rbl_dot_d(f->rows[k], s)));
	}
	return most;
}

static void errors_are_bounded_and_tight(test *t)
{
	rbl_random random = rbl_random_from_seed(20);
	for (int round = 0; round < test_count(2000, 200000); ++round) {
		flock f = make_flock(&random);
		double truth = true_error(&f);
		float found[RBL_BACKEND_COUNT];
		for (int k = RBL_BACKEND_PLAIN; k <= (int)rbl_best_backend(); ++k) {
			found[k] = RBL_KERNEL_OF(rbl_surface_rigid_error, (rbl_backend)k)(
				&f.motion, f.starts, f.ends, f.vertices, POINTS, 1e6f);
			CHECK(t, found[k] == found[0]);
		}
		CHECK(t, (double)found[0] >= truth);
		CHECK(t, (double)found[0] <= 1.00001 * truth + 1e-6 * f.size);
	}
}

// A sheet turns about its middle at some metres from the origin, a hundred triangles across: each
// step rounds by 1e-3 of its margin. The first certificate has a quarter of that.
static void certificates_last_as_long_as_rounding_lets_them(test *t)
{
	reference_mesh mesh = reference_sheet(16, 16);
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	for (int i = 0; i < mesh.vertex_count; ++i)
		mesh.positions[i] = rbl_scale(0.01f, mesh.positions[i]);
	rbl_surface_body_id body = reference_add(t, surface, &mesh);
	rbl_vec3 *ends = malloc((size_t)mesh.vertex_count * sizeof *ends);
	uint32_t last = 0, certified = 0;
	for (int step = 0; step < 480; ++step) {
		for (int i = 0; i < mesh.vertex_count; ++i) {
			rbl_vec3d p = rbl_to_d(mesh.positions[i]), axis = { 0.6, 0.0, 0.8 };
			p = affected(p, axis, 0.02 * step);
			ends[i] = rbl_to_f(rbl_add_d(p, (rbl_vec3d){ 0.005 * step, 0.5, 0.0 }));
		}
		rbl_surface_pairs pairs;
		CHECK(t, rbl_surface_move(surface, body, NULL, ends) == RBL_OK);
		CHECK(t, rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK);
		CHECK(t, rbl_surface_collide(surface, &pairs) == RBL_OK && pairs.count == 0);
		certified += surface->certificates[body.index].certified_query != last;
		last = surface->certificates[body.index].certified_query;
	}
	CHECK(t, surface->bodies.data[body.index].self.is_certified);
	CHECK(t, certified == 2 && last > 100);
	free(ends);
	rbl_destroy_surface(surface);
	reference_mesh_free(&mesh);
}

// Sheets of 1,800 triangles, too large to be certified at once: 4,096 of them in a query, and what
// the share allows.
static void large_bodies_are_proven_one_after_another(test *t)
{
	enum { BODIES = 7 };
	static const float shares[4] = { 0.0f, 1e-6f, 0.25f, 1e-6f };
	static const int most[4] = { 0, 3, 5, BODIES };
	for (int kind = 0; kind < 4; ++kind) { // the last over a step, where all are certified at once
		reference_mesh mesh = reference_sheet(30, 30);
		rbl_surface_def def = rbl_default_surface_def();
		def.certificate_share = shares[kind];
		rbl_surface *surface;
		CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
		rbl_surface_body_id bodies[BODIES];
		for (int i = 0; i < BODIES; ++i)
			bodies[i] = reference_add(t, surface, &mesh);
		int before = 0, queries = 0;
		for (int step = 0; step < 6; ++step) {
			for (int i = 0; i < BODIES; ++i) {
				for (int k = 0; k < mesh.vertex_count; ++k)
					mesh.positions[k].z = (float)i + 0.01f * (float)step;
				CHECK(t, rbl_surface_move(surface, bodies[i], NULL, mesh.positions) == RBL_OK);
			}
			bool is_swept = kind == 3;
			rbl_surface_pairs pairs = { NULL, 0 };
			rbl_surface_hits hits;
			CHECK(t, rbl_surface_update(surface, is_swept ? RBL_SURFACE_CONTINUOUS
			                                              : RBL_SURFACE_DISCRETE) == RBL_OK);
			CHECK(t, (is_swept ? rbl_surface_sweep(surface, &hits)
			                   : rbl_surface_collide(surface, &pairs)) == RBL_OK);
			CHECK(t, pairs.count == 0);
			int proven = 0;
			for (int i = 0; i < BODIES; ++i)
				proven += surface->bodies.data[bodies[i].index].self.is_certified;
			CHECK(t, proven - before <= most[kind]);
			queries += proven > before;
			before = proven;
			CHECK(t, !is_swept || proven == BODIES);
		}
		CHECK(t, before == (kind == 0 ? 0 : BODIES) && queries == (kind == 0 ? 0 : 4 - kind));
		rbl_destroy_surface(surface);
		reference_mesh_free(&mesh);
	}
}

TEST_MAIN(TEST(errors_are_bounded_and_tight), TEST(certificates_last_as_long_as_rounding_lets_them),
          TEST(large_bodies_are_proven_one_after_another))
