// SPDX-License-Identifier: MIT
// What a body costs.

#include "../faulty_allocator.h"
#include "../test.h"
#include "scene.h"

enum { BODIES = 2000, POINTS = 12 };

// The hull of twelve points: twenty triangles.
static rbl_convex *fragment(rbl_random *random)
{
	rbl_vec3d points[POINTS];
	for (int i = 0; i < POINTS; ++i)
		points[i] = rbl_scale_d(0.25, rbl_normalize_d(rbl_random_in_ball(random)));
	rbl_hull_def def = rbl_default_hull_def();
	def.points = points, def.point_count = POINTS;
	rbl_hull *hull = NULL;
	rbl_convex *convex = NULL;
	if (rbl_create_hull(&def, &hull) == RBL_OK) {
		rbl_hull_data data = rbl_hull_get_data(hull);
		rbl_convex_def convex_def = rbl_default_convex_def();
		convex_def.planes = data.planes, convex_def.plane_count = data.face_count;
		rbl_create_convex(&convex_def, &convex);
	}
	rbl_destroy_hull(hull);
	return convex;
}

// Two kilobytes for a fragment with a convex of twenty faces, all in: its form, what the world, the
// solver and the broad phase know of it, and the scratch memory of a step in which all are awake.
static void a_fragment_costs_two_kilobytes(test *t)
{
	faulty_allocator memory;
	faulty_init(&memory, 1LL << 40);
	rbl_world_def def = rbl_default_world_def();
	def.allocator = FAULTY(&memory);
	def.capacity_hint = BODIES;
	rbl_world *world = NULL;
	CHECK(t, rbl_create_world(&def, &world) == RBL_OK);
	rbl_random random = rbl_random_from_seed(9);
	int faces = 0;
	for (int i = 0; i < BODIES; ++i) {
		rbl_convex *convex = fragment(&random);
		CHECK(t, convex != NULL);
		faces += rbl_convex_get_data(convex).face_count;
		rbl_body_def body = rbl_default_body_def();
		body.convex = convex;
		body.pose.position = (rbl_vec3){ (float)(i % 50), (float)(i / 50 % 40), 0.0f };
		CHECK(t, !rbl_body_id_is_null(rbl_create_body(world, &body)));
		rbl_destroy_convex(convex);
	}
	for (int i = 0; i < 5; ++i)
		CHECK(t, rbl_world_step(world, 1.0f / 60.0f) == RBL_OK);
	rbl_world_stats stats = rbl_world_get_stats(world);
	CHECK(t, faces >= 19 * BODIES && stats.pair_count == 0);
	long long live = memory.live_bytes;
	printf("  %lld bytes for each body, %lld known as its own\n", live / BODIES,
	       (long long)stats.body_bytes / BODIES);
	CHECK(t, live <= 2048LL * BODIES);
	CHECK(t, (long long)stats.body_bytes > live * 7 / 10 && (long long)stats.body_bytes < live);
	rbl_destroy_world(world);
	CHECK(t, memory.live_bytes == 0);
}

TEST_MAIN(TEST(a_fragment_costs_two_kilobytes))
