// SPDX-License-Identifier: MIT
// One body becomes many; bodies of convexes, compounds and assets.

#include "../faulty_allocator.h"
#include "../test.h"
#include "scene.h"

enum { PIECES = 27 };

// A cube of 0.9 m, cut into 27 convexes.
static int cut_cube(rbl_convex **pieces)
{
	rbl_convex_def def = rbl_default_convex_def();
	int n = 0;
	for (int i = 0; i < PIECES; ++i) {
		double x = 0.3 * (i % 3) - 0.45, y = 0.3 * (i / 3 % 3) - 0.45, z = 0.3 * (i / 9) - 0.45;
		def.box = (rbl_boxd){ { x, y, z }, { x + 0.3, y + 0.3, z + 0.3 } };
		n += rbl_create_convex(&def, &pieces[i]) == RBL_OK;
	}
	return n;
}

static void a_body_becomes_many_without_a_jolt(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_collider *cube = scene_box(0.45f, 0.45f, 0.45f);
	rbl_body_id whole = scene_add(&s, cube, 0.0f, 0.45f, 0.0f);
	scene_steps(&s, 30);
	rbl_convex *pieces[PIECES];
	CHECK(t, cut_cube(pieces) == PIECES);
	rbl_body_def defs[PIECES];
	rbl_body_id bodies[PIECES];
	for (int i = 0; i < PIECES; ++i) {
		defs[i] = rbl_default_body_def();
		defs[i].convex = pieces[i];
		defs[i].pose = rbl_body_pose(s.world, whole);
		defs[i].user = (uint64_t)i;
	}
	CHECK(t, rbl_replace_body(s.world, whole, defs, PIECES, bodies) == RBL_OK);
	CHECK(t, !rbl_body_exists(s.world, whole));
	CHECK(t, rbl_world_body_count(s.world) == PIECES + 1);
	float fastest = 0.0f;
	for (int step = 0; step < 60; ++step) {
		scene_steps(&s, 1);
		for (int i = 0; i < PIECES; ++i)
			fastest = rbl_maxf(fastest, rbl_length(rbl_body_velocity(s.world, bodies[i])));
	}
	CHECK(t, fastest < 0.2f);
	double mass = 0.0;
	for (int i = 0; i < PIECES; ++i) {
		mass += (double)rbl_body_get_mass(s.world, bodies[i]).mass;
		CHECK(t, rbl_body_user(s.world, bodies[i]) == (uint64_t)i);
		CHECK(t, rbl_body_get_state(s.world, bodies[i]).centre.y > 0.1f);
	}
	CHECK_NEAR(t, mass, 729.0, 0.1);
	CHECK(t, rbl_replace_body(s.world, whole, defs, 1, bodies) == RBL_STALE_ID);
	for (int i = 0; i < PIECES; ++i)
		rbl_destroy_convex(pieces[i]);
	scene_destroy(&s);
	rbl_destroy_collider(cube);
}

// A world with room for its bodies has room for one that breaks: no array grows, and nothing is paid
// for but the new colliders.
static void replacing_bodies_makes_nothing_grow(test *t)
{
	enum { BODIES = 100 };
	faulty_allocator memory;
	faulty_init(&memory, 1LL << 40);
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.allocator = FAULTY(&memory);
	def.capacity_hint = BODIES + 1;
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_convex_def convex_def = rbl_default_convex_def();
	convex_def.box = (rbl_boxd){ { -0.25, -0.25, -0.25 }, { 0.25, 0.25, 0.25 } };
	rbl_convex *convex = NULL;
	CHECK(t, rbl_create_convex(&convex_def, &convex) == RBL_OK);
	rbl_body_id bodies[BODIES];
	for (int i = 0; i < BODIES; ++i)
		bodies[i] = scene_add(&s, s.box, 0.6f * (float)(i % 10), 0.25f, 0.6f * (float)(i / 10));
	scene_steps(&s, 5);
	for (int round = 0; round < 3; ++round) {
		long long before = memory.total_count;
		for (int i = 0; i < BODIES; i += 20) {
			rbl_body_def body = rbl_default_body_def();
			body.convex = convex;
			body.pose = rbl_body_pose(s.world, bodies[i]);
			CHECK(t, rbl_replace_body(s.world, bodies[i], &body, 1, &bodies[i]) == RBL_OK);
		}
		// A list of the ends of contacts may begin in the first round.
		CHECK(t, memory.total_count - before <= BODIES / 20 + (round == 0 ? 8 : 0));
		scene_steps(&s, 1);
	}
	rbl_destroy_convex(convex);
	scene_destroy(&s);
	CHECK(t, memory.live_bytes == 0);
}

// Parts that overlap deeply from the start stay where they are.
static void initial_overlap_is_kept(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	scene_create(&s, &def);
	rbl_body_def defs[2] = { scene_body(s.box, 0.0f, 0.0f, 0.0f),
		                     scene_body(s.box, 0.45f, 0.0f, 0.0f) };
	rbl_body_id bodies[2];
	CHECK(t, rbl_create_bodies(s.world, defs, 2, bodies) == RBL_OK);
	scene_steps(&s, 60);
	CHECK(t, rbl_body_velocity(s.world, bodies[1]).x < 0.01f);
	CHECK_NEAR(t, rbl_body_pose(s.world, bodies[1]).position.x, 0.45, 0.005);
	// Made one by one they are pushed apart.
	rbl_body_id third = scene_add(&s, s.box, 10.0f, 0.0f, 0.0f);
	rbl_body_id fourth = scene_add(&s, s.box, 10.45f, 0.0f, 0.0f);
	scene_steps(&s, 60);
	CHECK(t, rbl_body_pose(s.world, fourth).position.x - rbl_body_pose(s.world, third).position.x >
	             0.48f);
	scene_destroy(&s);
}

// Everything breaks at once: bodies of one convex and one of 2,500 are replaced between two steps, the
// large one again and again, by bodies of fewer convexes, and every step sees what is there.
static void much_is_replaced_between_two_steps(test *t)
{
	enum { PARTS = 2500, SMALL = 40, ROUNDS = 6 };
	scene s;
	rbl_world_def world_def = scene_def(&s, 1);
	scene_create(&s, &world_def);
	scene_add_floor(&s);
	static rbl_collider_child children[PARTS];
	rbl_collider *brick = scene_box(0.09f, 0.09f, 0.09f);
	for (int i = 0; i < PARTS; ++i)
		children[i] = (rbl_collider_child){ .collider = brick,
			                                .pose = { { 0.2f * (float)(i % 50),
			                                            0.1f + 0.2f * (float)(i / 50), 0.0f },
			                                          { 0, 0, 0, 1 } } };
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	def.children = children, def.child_count = PARTS;
	rbl_collider *whole = NULL, *half = NULL;
	CHECK(t, rbl_create_collider(&def, &whole) == RBL_OK);
	def.child_count = PARTS / 2;
	CHECK(t, rbl_create_collider(&def, &half) == RBL_OK);
	rbl_body_id large = scene_add(&s, whole, 0.0f, 0.0f, 0.0f), small[SMALL];
	for (int i = 0; i < SMALL; ++i)
		small[i] =
			scene_add(&s, s.box, 0.6f * (float)(i % 10), 0.5f + 0.6f * (float)(i / 10), 1.0f);
	scene_steps(&s, 3);
	for (int round = 0; round < ROUNDS; ++round) {
		for (int i = 0; i < SMALL; ++i) {
			rbl_body_def again = scene_body(s.box, 0.0f, 0.0f, 0.0f);
			again.pose = rbl_body_pose(s.world, small[i]);
			CHECK(t, rbl_replace_body(s.world, small[i], &again, 1, &small[i]) == RBL_OK);
			if (i % 10 != 0)
				continue;
			rbl_body_def defs[2] = { scene_body(i % 20 ? whole : half, 0.0f, 0.0f, 0.0f),
				                     scene_body(s.ball, 5.0f, 12.0f, 0.0f) };
			defs[0].pose = rbl_body_pose(s.world, large);
			rbl_body_id made[2];
			CHECK(t, rbl_replace_body(s.world, large, defs, 2, made) == RBL_OK);
			CHECK(t, rbl_replace_body(s.world, made[1], NULL, 0, NULL) == RBL_OK);
			CHECK(t, !rbl_body_exists(s.world, large));
			large = made[0];
		}
		for (int step = 0; step < round; ++step)
			CHECK(t, rbl_world_step(s.world, 1.0f / 60.0f) == RBL_OK);
		CHECK(t, rbl_world_body_count(s.world) == SMALL + 2);
		CHECK(t, rbl_body_exists(s.world, large));
	}
	CHECK(t, rbl_destroy_body(s.world, large) == RBL_OK);
	CHECK(t, rbl_world_step(s.world, 1.0f / 60.0f) == RBL_OK);
	CHECK(t, rbl_world_get_stats(s.world).part_count == SMALL + 1);
	scene_destroy(&s);
	rbl_destroy_collider(half);
	rbl_destroy_collider(whole);
	rbl_destroy_collider(brick);
}

static void a_batch_is_made_whole_or_not_at_all(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_body_id whole = scene_add(&s, s.box, 0.0f, 0.0f, 0.0f);
	rbl_body_def defs[3] = { scene_body(s.box, 0.0f, 0.0f, 0.0f),
		                     scene_body(s.box, NAN, 0.0f, 0.0f),
		                     scene_body(s.box, 0.45f, 0.0f, 0.0f) };
	rbl_body_id bodies[3];
	CHECK(t, rbl_create_bodies(s.world, defs, 3, bodies) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_replace_body(s.world, whole, defs, 3, bodies) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_body_exists(s.world, whole) && rbl_world_body_count(s.world) == 1);
	CHECK(t, rbl_create_bodies(s.world, NULL, 3, bodies) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_bodies(s.world, NULL, 0, NULL) == RBL_OK);
	CHECK(t, rbl_replace_body(s.world, whole, NULL, 0, NULL) == RBL_OK);
	CHECK(t, rbl_world_body_count(s.world) == 0);
	scene_destroy(&s);
}

// A compound of 27 parts falls as one body, far from its own origin.
static void compounds_are_bodies(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_convex *pieces[PIECES];
	cut_cube(pieces);
	rbl_compound_part parts[PIECES];
	for (int i = 0; i < PIECES; ++i)
		parts[i] = (rbl_compound_part){ .convex = pieces[i] };
	for (int anchored = 0; anchored < 2; ++anchored) {
		parts[0].is_anchored = anchored;
		rbl_compound_def compound_def = rbl_default_compound_def();
		compound_def.parts = parts;
		compound_def.part_count = PIECES;
		rbl_compound *compound;
		CHECK(t, rbl_create_compound(&compound_def, &compound) == RBL_OK);
		rbl_body_def body_def = rbl_default_body_def();
		body_def.compound = compound;
		body_def.pose.position = (rbl_vec3){ 3.0f * (float)anchored, 2.0f, 0.0f };
		rbl_body_id body = rbl_create_body(s.world, &body_def);
		CHECK(t, rbl_body_exists(s.world, body));
		CHECK(t, rbl_body_get_compound(s.world, body) == compound);
		CHECK(t, rbl_body_get_parts(s.world, body, NULL, 0) == PIECES);
		scene_steps(&s, 180);
		float y = rbl_body_pose(s.world, body).position.y;
		CHECK_NEAR(t, y, anchored ? 2.0 : 0.45, 0.01); // what is anchored does not fall
		if (!anchored) // four parts, not nine, would do; but no part touches another of its body
			CHECK(t, rbl_body_get_contacts(s.world, body, NULL, 0) == 9);
	}
	for (int i = 0; i < PIECES; ++i)
		rbl_destroy_convex(pieces[i]);
	scene_destroy(&s);
}

static void assets_are_shared_by_bodies(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	rbl_column_def column_def = rbl_default_column_def();
	rbl_mesh *mesh;
	CHECK(t, rbl_create_column_mesh(&column_def, &mesh) == RBL_OK);
	rbl_prepare_def prepare_def = rbl_default_prepare_def();
	prepare_def.node_count = 4;
	rbl_asset *asset;
	CHECK(t, rbl_prepare(mesh, &prepare_def, &asset) == RBL_OK);
	rbl_body_id bodies[3];
	for (int i = 0; i < 3; ++i) {
		rbl_body_def body_def = rbl_default_body_def();
		body_def.asset = asset;
		body_def.pose.position = (rbl_vec3){ 4.0f * (float)i, 0.5f, 0.0f };
		bodies[i] = rbl_create_body(s.world, &body_def);
		CHECK(t, rbl_body_get_compound(s.world, bodies[i]) == rbl_asset_get_compound(asset));
	}
	double expected = 1000.0 * rbl_mesh_get_mass(mesh).volume;
	CHECK_NEAR(t, rbl_body_get_mass(s.world, bodies[1]).mass, expected, 1e-3 * expected);
	scene_steps(&s, 120);
	for (int i = 0; i < 3; ++i)
		CHECK_NEAR(t, rbl_body_bounds(s.world, bodies[i]).lower.y, 0.0, 0.02);
	rbl_destroy_world(s.world);
	s.world = NULL;
	rbl_destroy_asset(asset);
	rbl_destroy_mesh(mesh);
	scene_destroy(&s);
}

// Initial overlap stays, but nothing stays on its way through the floor: it comes up to its half.
static void what_is_born_deep_in_a_floor_comes_up(test *t)
{
	scene s;
	rbl_world_def world_def = scene_def(&s, 1);
	scene_create(&s, &world_def);
	scene_add_floor(&s);
	const float heights[3] = { 0.15f, 0.05f, -0.2f }; // of boxes of half a metre
	rbl_body_def defs[3];
	rbl_body_id ids[3];
	for (int i = 0; i < 3; ++i)
		defs[i] = scene_body(s.box, 2.0f * (float)i, heights[i], 0.0f);
	CHECK(t, rbl_create_bodies(s.world, defs, 3, ids) == RBL_OK);
	for (int step = 0; step < 240; ++step) {
		scene_steps(&s, 1);
		for (int i = 0; i < 3; ++i)
			CHECK(t, rbl_length(rbl_body_velocity(s.world, ids[i])) < 0.3f);
	}
	CHECK_NEAR(t, rbl_body_pose(s.world, ids[0]).position.y, 0.15f, 0.01f);
	CHECK_NEAR(t, rbl_body_pose(s.world, ids[1]).position.y, 0.05f, 0.01f);
	CHECK(t, rbl_body_pose(s.world, ids[2]).position.y > -0.01f);
	scene_destroy(&s);
}

TEST_MAIN(TEST(much_is_replaced_between_two_steps), TEST(a_body_becomes_many_without_a_jolt),
          TEST(replacing_bodies_makes_nothing_grow), TEST(initial_overlap_is_kept),
          TEST(a_batch_is_made_whole_or_not_at_all), TEST(compounds_are_bodies),
          TEST(assets_are_shared_by_bodies), TEST(what_is_born_deep_in_a_floor_comes_up))
