// SPDX-License-Identifier: MIT
// ctest: soak
// The scenes of the benchmark. At reduced size every frame is compared with brute force, at one
// instant and within the step, and with what is found without culling; at full size (RBL_SOAK=1)
// some frames are, a part of the vertices, edges and triangles against all.

#include "surface/reference.h"

#include "base/hash.h"
#include "surface/comparison.h"

#include "scenes/bunnies.h"
#include "scenes/surfaces.h"

#ifdef RBL_HAS_IO
#include <rubble/io.h>
#endif

typedef struct actor {
	rbl_surface *surface;
	surface_scene *scene;
} actor;

// The models that explode, or NULL: the shell.
static const surface_scene_model *models;

static actor make_actor(test *t, surface_kind kind, rbl_surface_culling culling, int divisor)
{
	actor a = { NULL, surface_scene_create(kind, divisor) };
	if (models && a.scene)
		surface_scene_use_models(a.scene, models[0], models[1]);
	rbl_surface_def def = rbl_default_surface_def();
	def.culling = culling;
	CHECK(t, rbl_create_surface(&def, &a.surface) == RBL_OK);
	CHECK(t, a.scene && surface_scene_begin(a.scene, a.surface));
	return a;
}

static void free_actor(actor *a)
{
	rbl_destroy_surface(a->surface);
	surface_scene_destroy(a->scene);
}

typedef struct findings {
	int pairs, hits, broken_frames;
} findings;

// Compare the exact grade with no culling, and with brute force.
// @param part  every so manieth feature is checked by brute force; 0: none
static void compare_frame(test *t, actor actors[2], int part, findings *found)
{
	rbl_surface_pairs pairs[2] = { { NULL, 0 }, { NULL, 0 } };
	rbl_surface_hits hits[2] = { { NULL, 0 }, { NULL, 0 } };
	for (int i = 0; i < 2; ++i) {
		CHECK(t, rbl_surface_update(actors[i].surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
		CHECK(t, rbl_surface_sweep(actors[i].surface, &hits[i]) == RBL_OK);
	}
	CHECK(t, hits[0].count == hits[1].count);
	for (int i = 0; i < hits[0].count && hits[0].count == hits[1].count; ++i)
		CHECK(t, hits[0].hits[i].kind == hits[1].hits[i].kind &&
		             hits[0].hits[i].a == hits[1].hits[i].a &&
		             hits[0].hits[i].b == hits[1].hits[i].b);
	if (part > 0)
		CHECK(t, reference_check_some_hits(actors[1].surface, hits[1], part) == 0);
	found->hits += hits[1].count;
	for (int i = 0; i < 2; ++i) {
		CHECK(t, rbl_surface_update(actors[i].surface, RBL_SURFACE_DISCRETE) == RBL_OK);
		CHECK(t, rbl_surface_collide(actors[i].surface, &pairs[i]) == RBL_OK);
	}
	CHECK(t, pairs[0].count == pairs[1].count &&
	             (pairs[0].count == 0 ||
	              memcmp(pairs[0].pairs, pairs[1].pairs,
	                     (size_t)pairs[0].count * sizeof *pairs[0].pairs) == 0));
	if (part > 0)
		CHECK(t, reference_check_some_pairs(actors[1].surface, pairs[1], part) == 0);
	found->pairs += pairs[1].count;
}

// @param every  frames between two that are tested; a frame that breaks always is
static findings play_frames(test *t, surface_kind kind, int divisor, int frames, int every,
                            int part)
{
	actor actors[2] = { make_actor(t, kind, RBL_CULL_NONE, divisor),
		                make_actor(t, kind, RBL_CULL_EXACT, divisor) };
	findings found = { 0, 0, 0 };
	for (int frame = 1; frame <= frames; ++frame) {
		bool is_broken = false;
		for (int i = 0; i < 2; ++i)
			CHECK(t, surface_scene_step(actors[i].scene, actors[i].surface, &is_broken));
		found.broken_frames += is_broken;
		if (frame % every == 0 || is_broken)
			compare_frame(t, actors, part, &found);
	}
	printf("%s: %d triangles, %d frames with changes, %d pairs, %d hits\n",
	       surface_scene_name(kind), rbl_surface_get_stats(actors[1].surface).triangle_count,
	       found.broken_frames, found.pairs, found.hits);
	for (int i = 0; i < 2; ++i)
		free_actor(&actors[i]);
	return found;
}

static findings play(test *t, surface_kind kind, int divisor, int every, int part)
{
	return play_frames(t, kind, divisor, surface_scene_frames(kind), every, part);
}

static void cloth_misses_nothing(test *t)
{
	// A small cloth hardly folds, so this is all of it, while it does: in frames 29 to 56. Brute
	// force takes a part.
	findings found = play_frames(t, SURFACE_CLOTH, 1, 40, test_count(40, 2), test_count(1999, 499));
	CHECK(t, found.pairs > 100 && found.hits > 100);
}

static void blobs_miss_nothing(test *t)
{
	findings found = play(t, SURFACE_NBODY, test_count(6, 3), 1, 1);
	CHECK(t, found.pairs > 0 && found.hits > 0);
}

static void walls_miss_nothing(test *t)
{
	findings found = play(t, SURFACE_WALLS, test_count(10, 4), 1, 1);
	CHECK(t, found.pairs > 0 && found.hits > 0 && found.broken_frames == 8);
}

static void the_shell_misses_nothing(test *t)
{
	findings found = play(t, SURFACE_EXPLODE, test_count(24, 7), 1, 1);
	CHECK(t, found.pairs > 0 && found.hits > 0 && found.broken_frames == 4);
}

static void rings_miss_nothing(test *t)
{
	// A crowd of a third of them has come to the ground by then.
	findings found = play_frames(t, SURFACE_RINGS, 4, 60, test_count(30, 2), test_count(1999, 499));
	CHECK(t, found.pairs > 0 && found.hits > 0);
}

static void the_torn_sheet_misses_nothing(test *t)
{
	findings found = play_frames(t, SURFACE_TEAR, 2, 90, test_count(15, 5), test_count(499, 99));
	CHECK(t, found.pairs > 0 && found.hits > 0 && found.broken_frames == 3);
}

static void debris_misses_nothing(test *t)
{
	// It meets from the first frame on, and falls by its own size in the last.
	int divisor = test_count(4, 1), every = test_count(25, 4), part = test_count(1, 99);
	findings found = play_frames(t, SURFACE_FALL, divisor, 100, every, part);
	CHECK(t, found.pairs > 0 && found.hits > 0);
}

// What one scene finds in each frame, without some accelerators.
static uint64_t digest(test *t, surface_kind kind, int divisor, int frames, unsigned without)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface = NULL;
	surface_scene *scene = surface_scene_create(kind, divisor);
	uint64_t hash = 0;
	CHECK(t, scene && rbl_create_surface(&def, &surface) == RBL_OK);
	// Small scenes do what large ones do.
	surface->limits.bent_triangles = 64;
	rbl_surface_always_keep_corners(surface, true);
	rbl_surface_go_without(surface, without);
	CHECK(t, surface_scene_begin(scene, surface));
	for (int frame = 0; frame < frames; ++frame) {
		bool is_broken;
		rbl_surface_pairs pairs = { NULL, 0 };
		rbl_surface_hits hits = { NULL, 0 };
		CHECK(t, surface_scene_step(scene, surface, &is_broken));
		bool is_step = frame % 2 != 0;
		rbl_surface_motion motion = is_step ? RBL_SURFACE_CONTINUOUS : RBL_SURFACE_DISCRETE;
		CHECK(t, rbl_surface_update(surface, motion) == RBL_OK);
		CHECK(t, (is_step ? rbl_surface_sweep(surface, &hits)
		                  : rbl_surface_collide(surface, &pairs)) == RBL_OK);
		for (int i = 0; i < pairs.count; ++i)
			hash = rbl_hash_bytes(hash, &pairs.pairs[i], sizeof pairs.pairs[i]);
		for (int i = 0; i < hits.count; ++i) {
			const rbl_surface_hit *hit = &hits.hits[i];
			const int ids[4] = { (int)hit->kind, hit->a, hit->b, hit->is_at_start };
			const float values[6] = { hit->time,     hit->u,        hit->v,
				                      hit->normal.x, hit->normal.y, hit->normal.z };
			hash = rbl_hash_bytes(hash, ids, sizeof ids);
			hash = rbl_hash_bytes(hash, values, sizeof values);
		}
	}
	rbl_destroy_surface(surface);
	surface_scene_destroy(scene);
	return hash;
}

// Whatever makes surfaces faster changes no answer.
static void accelerators_change_no_answer(test *t)
{
	static const struct {
		surface_kind kind;
		int divisor, frames;
	} scenes[] = { { SURFACE_WALLS, 8, 40 },
		           { SURFACE_RINGS, 4, 60 },
		           { SURFACE_TEAR, 4, 60 },
		           { SURFACE_FALL, 4, 90 } };
	for (int i = 0; i < 4; ++i) {
		uint64_t all = digest(t, scenes[i].kind, scenes[i].divisor, scenes[i].frames, 0);
		CHECK(t, all != 0);
		for (unsigned bit = 1; bit < RBL_SURFACE_ACCELERATOR_END; bit *= 2)
			CHECK(t, digest(t, scenes[i].kind, scenes[i].divisor, scenes[i].frames, bit) == all);
	}
}

#ifdef RBL_HAS_IO
static bool read_model(const char *path, bunny *model)
{
	rbl_mesh *mesh = NULL;
	bool is_read = rbl_read_mesh(path, NULL, &mesh) == RBL_OK && bunny_from_mesh(model, mesh);
	rbl_destroy_mesh(mesh);
	return is_read;
}
#endif

// The scene of the benchmark: a model hit by another, in the frames that break and some others.
static void the_armadillo_misses_nothing(test *t)
{
	if (test_count(0, 1) == 0) {
		SKIP(t, "a run of minutes: set RBL_SOAK=1");
		return;
	}
	bunny target = { 0 }, projectile = { 0 };
	bool is_read = false;
#ifdef RBL_HAS_IO
	is_read = read_model(RBL_SHARED_DIR "/models/armadillo.obj", &target) &&
	          read_model(RBL_SHARED_DIR "/models/stanford-bunny.obj", &projectile);
#endif
	if (!is_read) {
		SKIP(t, "the models are not there");
	} else {
		const surface_scene_model both[2] = {
			{ target.positions, target.vertex_count, target.triangles, target.triangle_count },
			{ projectile.positions, projectile.vertex_count, projectile.triangles,
			  projectile.triangle_count },
		};
		models = both;
		findings found = play(t, SURFACE_EXPLODE, 1, 50, 4999);
		models = NULL;
		CHECK(t, found.pairs > 0 && found.hits > 0 && found.broken_frames == 4);
	}
	bunny_free(&target);
	bunny_free(&projectile);
}

static void full_scenes_miss_nothing_on_some_frames(test *t)
{
	if (test_count(0, 1) == 0) {
		SKIP(t, "a run of minutes: set RBL_SOAK=1");
		return;
	}
	play(t, SURFACE_NBODY, 1, 30, 31);
	play(t, SURFACE_WALLS, 1, 40, 199);
	play(t, SURFACE_EXPLODE, 1, 125, 499);
}

TEST_MAIN(TEST(cloth_misses_nothing), TEST(blobs_miss_nothing), TEST(walls_miss_nothing),
          TEST(the_shell_misses_nothing), TEST(the_armadillo_misses_nothing),
          TEST(full_scenes_miss_nothing_on_some_frames), TEST(rings_miss_nothing),
          TEST(the_torn_sheet_misses_nothing), TEST(debris_misses_nothing),
          TEST(accelerators_change_no_answer))
