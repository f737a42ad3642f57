// SPDX-License-Identifier: MIT
// ctest: soak
// Bodies that fly side by side: what they have in common of their way takes no contact away.

#include "surface/reference.h"

#include "base/kernel.h"
#include "surface/query.h"
#include "surface/surface_kernels.h"

#include <rubble/surface.h>

enum { POINTS = 3 };

/// Points that move.
typedef struct swarm {
	rbl_vec3 starts[POINTS + 1], ends[POINTS + 1];
	rbl_surface_body body; // its box and ways
} swarm;

static float spread(rbl_random *random, float size)
{
	return size * (float)rbl_random_range(random, -1.0, 1.0);
}

static swarm make_swarm(rbl_random *random, rbl_vec3 middle, rbl_vec3 translation, float size,
                        float noise)
{
	const int numbers[POINTS] = { 0, 1, 2 };
	swarm s = { .body.tree.bounds = rbl_box_empty() };
	for (int i = 0; i < POINTS; ++i) {
		rbl_vec3 off = { spread(random, size), spread(random, size), spread(random, size) };
		rbl_vec3 more = { spread(random, noise), spread(random, noise), spread(random, noise) };
		s.starts[i] = rbl_add(middle, off);
		s.ends[i] = rbl_add(rbl_add(s.starts[i], translation), more);
		s.body.tree.bounds = rbl_box_add_point(s.body.tree.bounds, s.starts[i]);
		s.body.tree.bounds = rbl_box_add_point(s.body.tree.bounds, s.ends[i]);
	}
	RBL_PICK(rbl_surface_displacement_bounds)
	(s.starts, s.ends, numbers, POINTS, &s.body.displacements);
	return s;
}

// Whether points stay in one order along an axis, all of a before all of b.
static bool is_before(const swarm *a, const swarm *b, int axis)
{
	for (int i = 0; i < POINTS; ++i)
		for (int k = 0; k < POINTS; ++k)
			if (rbl_axis(a->starts[i], axis) >= rbl_axis(b->starts[k], axis) ||
			    rbl_axis(a->ends[i], axis) >= rbl_axis(b->ends[k], axis))
				return false;
	return true;
}

static void boxes_that_slip_past_are_apart(test *t)
{
	rbl_random random = rbl_random_from_seed(5);
	int apart = 0, more = 0;
	for (int round = 0; round < test_count(200000, 20000000); ++round) {
		int power = (int)rbl_random_below(&random, 5);
		float scale = power == 0 ? 1e-30f : power == 1 ? 1e28f : 1.0f;
		float far = rbl_random_below(&random, 2) ? 1000.0f : 1.0f, steps = spread(&random, 20.0f);
		rbl_vec3 middle = { spread(&random, far), 0.0f, 0.0f }, beside = middle;
		beside.x += spread(&random, 4.0f);
		rbl_vec3 translation = { rbl_random_below(&random, 2) ? floorf(steps) : steps,
			                     spread(&random, 4.0f), 0.0f };
		rbl_vec3 other = rbl_random_below(&random, 4) ? translation : rbl_neg(translation);
		float noise = rbl_random_below(&random, 2) ? 0.0f : 0.3f;
		float size = rbl_random_below(&random, 2) ? 1.0f : 0.01f;
		swarm a = make_swarm(&random, rbl_scale(scale, middle), rbl_scale(scale, translation),
		                     scale * size, scale * noise);
		swarm b = make_swarm(&random, rbl_scale(scale, beside), rbl_scale(scale, other),
		                     scale * size, scale * noise);
		if (rbl_random_below(&random, 4) == 0) // they touch, or nearly so
			b.starts[0] = a.starts[1], b.ends[0] = a.ends[1];
		const int numbers[POINTS] = { 0, 1, 2 };
		RBL_PICK(rbl_surface_displacement_bounds)
		(b.starts, b.ends, numbers, POINTS, &b.body.displacements);
		for (int i = 0; i < POINTS; ++i) {
			b.body.tree.bounds = rbl_box_add_point(b.body.tree.bounds, b.starts[i]);
			b.body.tree.bounds = rbl_box_add_point(b.body.tree.bounds, b.ends[i]);
		}
		rbl_vec3 shared_motion = rbl_surface_shared_motion(&a.body, &b.body);
		CHECK(t, shared_motion.x >= 0.0f && shared_motion.y >= 0.0f && shared_motion.z >= 0.0f);
		if (rbl_surface_moving_boxes_overlap(a.body.tree.bounds, b.body.tree.bounds, shared_motion))
			continue;
		bool is_apart = false;
		for (int axis = 0; axis < 3; ++axis)
			is_apart |= is_before(&a, &b, axis) || is_before(&b, &a, axis);
		CHECK(t, is_apart);
		apart++;
		more += rbl_box_overlaps(a.body.tree.bounds, b.body.tree.bounds);
	}
	CHECK(t, apart > 1000 && more > 100);
}

/// Bodies that fly with one another, and somewhat apart or into each other.
static void fly(test *t, rbl_surface *surface, const rbl_surface_body_id *bodies, int count,
                rbl_random *random)
{
	rbl_vec3 common = { spread(random, 6.0f), spread(random, 6.0f), spread(random, 2.0f) };
	bool is_on_grid = rbl_random_below(random, 3) == 0;
	for (int b = 0; b < count; ++b) {
		rbl_surface_body_data body = rbl_surface_body_get_data(surface, bodies[b]);
		rbl_surface_data all = rbl_surface_get_data(surface);
		rbl_vec3 ends[256], own = rbl_to_f(rbl_scale_d(0.5, rbl_random_in_ball(random)));
		uint32_t kind = rbl_random_below(random, 6);
		float bend = kind == 1 ? 0.1f : 0.0f, turn = kind == 2 ? spread(random, 0.2f) : 0.0f;
		for (int i = 0; i < body.vertex_count; ++i) {
			rbl_vec3 p = all.ends[body.vertices[i]], from = all.ends[body.vertices[0]];
			rbl_vec3 translation = rbl_add(common, own);
			translation.x -= turn * (p.y - from.y), translation.y += turn * (p.x - from.x);
			if (is_on_grid)
				translation = (rbl_vec3){ floorf(translation.x), floorf(translation.y),
					                      floorf(translation.z) };
			ends[i] = rbl_add(p, translation);
			ends[i].z += spread(random, bend);
		}
		if (kind != 5) // which rests
			CHECK(t, rbl_surface_move(surface, bodies[b], NULL, ends) == RBL_OK);
	}
}

static void flocks_miss_nothing(test *t)
{
	enum { MOST = 4, STEPS = 4 };
	rbl_random random = rbl_random_from_seed(8);
	int64_t found = 0;
	for (int round = 0; round < test_count(40, 4000); ++round) {
		rbl_surface_def def = rbl_default_surface_def();
		def.thickness = rbl_random_below(&random, 3) == 0 ? 0.05f : 0.0f;
		def.culling = rbl_random_below(&random, 2) ? RBL_CULL_EXACT : RBL_CULL_NONE;
		float far = rbl_random_below(&random, 3) == 0 ? 5000.0f : 0.0f;
		int count = 2 + (int)rbl_random_below(&random, MOST - 1);
		rbl_surface *surface;
		rbl_surface_body_id bodies[MOST];
		CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
		for (int b = 0; b < count; ++b) {
			reference_mesh mesh = reference_sheet(2 + (int)rbl_random_below(&random, 5),
			                                      2 + (int)rbl_random_below(&random, 4));
			if (rbl_random_below(&random, 3) == 0)
				reference_crumple(&mesh, &random);
			for (int i = 0; i < mesh.vertex_count; ++i) {
				mesh.positions[i].x += far + 2.0f * (float)(b % 2);
				mesh.positions[i].y += far;
				mesh.positions[i].z += 0.3f * (float)b;
			}
			bodies[b] = reference_add(t, surface, &mesh);
			reference_mesh_free(&mesh);
		}
		for (int step = 0; step < STEPS; ++step) {
			rbl_surface_hits hits;
			fly(t, surface, bodies, count, &random);
			CHECK(t, rbl_surface_update(surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
			CHECK(t, rbl_surface_sweep(surface, &hits) == RBL_OK);
			CHECK(t, reference_check_hits(surface, hits) == 0);
			found += hits.count;
		}
		rbl_destroy_surface(surface);
	}
	CHECK(t, found > 100);
}

static void bodies_side_by_side_are_not_looked_at(test *t)
{
	reference_mesh mesh = reference_sheet(8, 8);
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	rbl_surface_body_id bodies[2];
	for (int b = 0; b < 2; ++b) {
		for (int i = 0; i < mesh.vertex_count; ++i)
			mesh.positions[i].z = (float)b;
		bodies[b] = reference_add(t, surface, &mesh);
	}
	for (int step = 0; step < 2; ++step) {
		for (int b = 0; b < 2; ++b) {
			for (int i = 0; i < mesh.vertex_count; ++i)
				mesh.positions[i].z = (float)b + 5.0f * (float)(b == 0 || step == 0);
			CHECK(t, rbl_surface_move(surface, bodies[b], NULL, mesh.positions) == RBL_OK);
		}
		rbl_surface_hits hits;
		CHECK(t, rbl_surface_update(surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
		CHECK(t, rbl_surface_sweep(surface, &hits) == RBL_OK);
		CHECK(t, reference_check_hits(surface, hits) == 0);
		// First both fly; then one stays, and the other comes back through it.
		CHECK(t, (hits.count > 0) == (step == 1));
		CHECK(t, (rbl_surface_get_stats(surface).cluster_tests > 0) == (step == 1));
	}
	rbl_destroy_surface(surface);
	reference_mesh_free(&mesh);
}

TEST_MAIN(TEST(boxes_that_slip_past_are_apart), TEST(flocks_miss_nothing),
          TEST(bodies_side_by_side_are_not_looked_at))
