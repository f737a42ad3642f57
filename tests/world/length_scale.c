// SPDX-License-Identifier: MIT
// Worlds of other sizes: the length scale.

#include "../test.h"
#include "scene.h"

enum { STACK = 10 };

typedef struct stack_result {
	float height;   // of the top of the stack, in cubes
	float sideways; // the farthest that a cube has moved, in cubes
	float asleep_s; // when the last one fell asleep; 0: it never did
	int awake_count;
} stack_result;

// Ten cubes of a size, one on the other, for ten seconds.
static stack_result stand(float size, float length_scale)
{
	rbl_collider *cube = scene_box(0.5f * size, 0.5f * size, 0.5f * size);
	rbl_collider *floor = scene_box(50.0f * size, size, 50.0f * size);
	rbl_world_def def = rbl_default_world_def();
	rbl_world *world = NULL;
	def.length_scale = length_scale;
	rbl_create_world(&def, &world);
	rbl_body_def ground = scene_body(floor, 0.0f, -size, 0.0f);
	ground.kind = RBL_BODY_STATIC;
	rbl_create_body(world, &ground);
	rbl_body_id cubes[STACK];
	for (int i = 0; i < STACK; ++i) {
		rbl_body_def body = scene_body(cube, 0.0f, ((float)i + 0.5f) * size, 0.0f);
		cubes[i] = rbl_create_body(world, &body);
	}
	stack_result result = { 0 };
	for (int k = 1; k <= 600; ++k) {
		rbl_world_step(world, 1.0f / 60.0f);
		result.awake_count = rbl_world_get_stats(world).awake_count;
		if (result.awake_count == 0 && result.asleep_s == 0.0f)
			result.asleep_s = (float)k / 60.0f;
	}
	for (int i = 0; i < STACK; ++i) {
		rbl_vec3 p = rbl_body_pose(world, cubes[i]).position;
		result.sideways = rbl_maxf(result.sideways, sqrtf(p.x * p.x + p.z * p.z) / size);
		result.height = rbl_maxf(result.height, p.y / size + 0.5f);
	}
	printf("%g m: %.3f cubes high, %.4f aside, asleep after %.2f s, %d awake\n", (double)size,
	       (double)result.height, (double)result.sideways, (double)result.asleep_s,
	       result.awake_count);
	rbl_destroy_world(world);
	rbl_destroy_collider(cube);
	rbl_destroy_collider(floor);
	return result;
}

// Regression: under real gravity a stack of 1 mm cubes collapsed.
static void stacks_of_any_size_stand_and_sleep(test *t)
{
	const float sizes[] = { 0.001f, 0.01f, 0.1f, 1.0f, 10.0f, 100.0f, 1000.0f };
	for (int i = 0; i < 7; ++i) {
		stack_result r = stand(sizes[i], sizes[i]);
		CHECK(t, r.height > 9.9f && r.height < 10.05f);
		CHECK(t, r.sideways < 0.02f);
		CHECK(t, r.awake_count == 0 && r.asleep_s > 0.0f && r.asleep_s < 5.0f);
	}
}

// A world of 1 mm balls and cubes that fall on each other.
static rbl_world *make_small_world(float length_scale, rbl_collider *const shapes[3])
{
	rbl_world_def def = rbl_default_world_def();
	rbl_world *world = NULL;
	def.length_scale = length_scale;
	rbl_create_world(&def, &world);
	rbl_body_def floor = scene_body(shapes[2], 0.0f, -0.001f, 0.0f);
	floor.kind = RBL_BODY_STATIC;
	rbl_create_body(world, &floor);
	for (int i = 0; i < 40; ++i) {
		rbl_body_def body =
			scene_body(shapes[i % 2], 0.0003f * (float)(i % 3), 0.002f * (float)(i + 1), 0.0f);
		rbl_create_body(world, &body);
	}
	return world;
}

static void step_world(rbl_world *world, int count)
{
	for (int i = 0; i < count; ++i)
		rbl_world_step(world, 1.0f / 60.0f);
}

// Snapshots carry the scale: a loaded world goes on as the saved one does.
static void snapshots_carry_the_length_scale(test *t)
{
	rbl_collider_def ball = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	rbl_collider *shapes[3] = { scene_box(0.0005f, 0.0005f, 0.0005f), NULL,
		                        scene_box(0.05f, 0.001f, 0.05f) };
	ball.radius = 0.0005f;
	rbl_create_collider(&ball, &shapes[1]);
	rbl_world *world = make_small_world(0.001f, shapes), *loaded = NULL;
	step_world(world, 20);
	size_t size = 0;
	CHECK(t, rbl_world_save(world, NULL, &size) == RBL_OK);
	void *bytes = malloc(size);
	CHECK(t, rbl_world_save(world, bytes, &size) == RBL_OK);
	rbl_world_def def = rbl_default_world_def();
	rbl_sources sources = rbl_default_sources();
	CHECK(t, rbl_world_load(bytes, size, &def, &sources, &loaded) == RBL_OK);
	free(bytes);
	step_world(world, 100);
	step_world(loaded, 100);
	CHECK(t, rbl_world_hash(world) == rbl_world_hash(loaded));
	rbl_destroy_world(world);
	rbl_destroy_world(loaded);
	for (int i = 0; i < 3; ++i)
		rbl_destroy_collider(shapes[i]);
}

static void no_length_scale_is_one(test *t)
{
	rbl_collider *shapes[3] = { scene_box(0.5f, 0.5f, 0.5f), scene_box(0.3f, 0.2f, 0.1f),
		                        scene_box(0.5f, 0.1f, 0.5f) };
	rbl_world *zero = make_small_world(0.0f, shapes), *one = make_small_world(1.0f, shapes);
	step_world(zero, 60);
	step_world(one, 60);
	CHECK(t, rbl_world_hash(zero) == rbl_world_hash(one));
	rbl_destroy_world(zero);
	rbl_destroy_world(one);
	for (int i = 0; i < 3; ++i)
		rbl_destroy_collider(shapes[i]);
}

static void absurd_length_scales_are_refused(test *t)
{
	const float wrong[] = { -1.0f, 1e-7f, 1e7f, INFINITY, NAN };
	for (int i = 0; i < 5; ++i) {
		rbl_world_def def = rbl_default_world_def();
		rbl_world *world = NULL;
		def.length_scale = wrong[i];
		CHECK(t, rbl_create_world(&def, &world) == RBL_BAD_ARGUMENT && !world);
	}
}

TEST_MAIN(TEST(stacks_of_any_size_stand_and_sleep), TEST(snapshots_carry_the_length_scale),
          TEST(no_length_scale_is_one), TEST(absurd_length_scales_are_refused))
