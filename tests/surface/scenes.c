// SPDX-License-Identifier: MIT
// ctest: soak
// The scenes of the benchmark at reduced size: on every frame the exact grade finds what is found
// without culling, at one instant and within the step; and brute force agrees now and then.

#include "surface/judge.h"

#include "scenes/surfaces.h"

typedef struct actor {
	rbl_surface *surface;
	surface_scene *scene;
} actor;

static actor make_actor(test *t, surface_kind kind, rbl_surface_culling culling, int divisor)
{
	actor a = { NULL, surface_scene_create(kind, divisor) };
	rbl_surface_def def = rbl_default_surface_def();
	def.culling = culling;
	CHECK(t, rbl_create_surface(&def, &a.surface) == RBL_OK);
	CHECK(t, a.scene && surface_scene_begin(a.scene, a.surface));
	return a;
}

static void play(test *t, surface_kind kind, int divisor, int every)
{
	actor actors[2] = { make_actor(t, kind, RBL_CULL_NONE, divisor),
		                make_actor(t, kind, RBL_CULL_EXACT, divisor) };
	int found = 0, hit = 0, broken_frames = 0;
	for (int frame = 1; frame <= surface_scene_frames(kind); ++frame) {
		rbl_surface_pairs pairs[2] = { { NULL, 0 }, { NULL, 0 } };
		rbl_surface_hits hits[2] = { { NULL, 0, 1.0f }, { NULL, 0, 1.0f } };
		bool is_broken = false;
		for (int i = 0; i < 2; ++i) {
			CHECK(t, surface_scene_step(actors[i].scene, actors[i].surface, &is_broken));
			CHECK(t, rbl_surface_update(actors[i].surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
			CHECK(t, rbl_surface_sweep(actors[i].surface, &hits[i]) == RBL_OK);
		}
		broken_frames += is_broken;
		CHECK(t, hits[0].count == hits[1].count);
		for (int i = 0; i < hits[0].count && i < hits[1].count; ++i)
			CHECK(t, hits[0].hits[i].kind == hits[1].hits[i].kind &&
			             hits[0].hits[i].a == hits[1].hits[i].a &&
			             hits[0].hits[i].b == hits[1].hits[i].b);
		hit += hits[0].count;
		for (int i = 0; i < 2; ++i) {
			CHECK(t, rbl_surface_update(actors[i].surface, RBL_SURFACE_DISCRETE) == RBL_OK);
			CHECK(t, rbl_surface_collide(actors[i].surface, &pairs[i]) == RBL_OK);
		}
		CHECK(t, pairs[0].count == pairs[1].count &&
		             (pairs[0].count == 0 ||
		              memcmp(pairs[0].pairs, pairs[1].pairs,
		                     (size_t)pairs[0].count * sizeof *pairs[0].pairs) == 0));
		if (frame % every == 0)
			CHECK(t, judge_pairs(actors[1].surface, pairs[1]) == 0);
		found += pairs[1].count;
	}
	printf("%s: %d triangles, %d frames with changes, %d pairs, %d hits\n",
	       surface_scene_name(kind), rbl_surface_statistics(actors[1].surface).triangle_count,
	       broken_frames, found, hit);
	CHECK(t, (found > 0 && hit > 0) || kind == SURFACE_CLOTH); // a small cloth hardly folds
	CHECK(t, broken_frames == (kind == SURFACE_WALLS ? 8 : kind == SURFACE_EXPLODE ? 4 : 0));
	for (int i = 0; i < 2; ++i) {
		rbl_destroy_surface(actors[i].surface);
		surface_scene_destroy(actors[i].scene);
	}
}

static void cloth_misses_nothing(test *t)
{
	play(t, SURFACE_CLOTH, test_count(7, 2), test_count(160, 40));
}

static void blobs_miss_nothing(test *t)
{
	play(t, SURFACE_NBODY, test_count(5, 1), test_count(149, 30));
}

static void walls_miss_nothing(test *t)
{
	play(t, SURFACE_WALLS, test_count(8, 2), test_count(80, 20));
}

static void the_shell_misses_nothing(test *t)
{
	play(t, SURFACE_EXPLODE, test_count(18, 5), test_count(250, 60));
}

TEST_MAIN(TEST(cloth_misses_nothing), TEST(blobs_miss_nothing), TEST(walls_miss_nothing),
          TEST(the_shell_misses_nothing))
