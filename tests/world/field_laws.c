// SPDX-License-Identifier: MIT
// What hollow and thin bodies do that collide by their fields, and convex parts cannot: a bowl
// catches a ball, plates nest, a ring hangs on a peg, a chain holds.

#include "field_scene.h"

enum { PLATES = 6, RINGS = 5 };

// A ball that is dropped beside the middle of a bowl stays in it, on its inner wall.
static void a_bowl_catches_a_ball(test *t)
{
	field_scene f;
	field_scene_open(&f, 1);
	rbl_mesh *bowl = field_bowl(0.1, 0.05), *ball = field_ball(0.02);
	field_scene_ground(&f);
	rbl_body_id at_rest = field_scene_add(&f, bowl, 0.0f, 0.0f, 0.0f);
	rbl_body_id caught = field_scene_add(&f, ball, 0.03f, 0.15f, 0.01f);
	float least = 1.0f;
	for (int i = 0; i < 400; ++i) {
		rbl_world_step(f.s.world, 1.0f / 60.0f);
		least = rbl_minf(least, rbl_body_get_state(f.s.world, caught).centre.y - 0.02f);
	}
	rbl_body_state state = rbl_body_get_state(f.s.world, caught);
	float from_axis = sqrtf(state.centre.x * state.centre.x + state.centre.z * state.centre.z);
	printf("ball at %.4f, %.4f from the axis, lowest ever %.4f, bowl at %.5f, speed %.4f\n",
	       (double)state.centre.y, (double)from_axis, (double)least,
	       (double)field_lowest(&f, at_rest), (double)rbl_length(state.velocity));
	CHECK(t, from_axis < 0.06f && state.centre.y < 0.05f);
	CHECK(t, least > 0.002f); // the bottom of the bowl is between it and the ground
	CHECK(t, fabsf(field_lowest(&f, at_rest)) < 0.001f);
	CHECK(t, rbl_length(state.velocity) < 0.05f);
	rbl_destroy_mesh(bowl);
	rbl_destroy_mesh(ball);
	field_scene_close(&f);
}

// Plates that are stacked lie in each other: the stack is far lower than the plates are high.
static void stacked_plates_nest(test *t)
{
	field_scene f;
	field_scene_open(&f, 1);
	rbl_mesh *plate = field_plate();
	field_scene_ground(&f);
	rbl_body_id bodies[PLATES];
	for (int i = 0; i < PLATES; ++i)
		bodies[i] = field_scene_add(&f, plate, 0.0f, 0.03f * (float)i, 0.0f);
	for (int i = 0; i < 300; ++i)
		rbl_world_step(f.s.world, 1.0f / 60.0f);
	float height = field_lowest(&f, bodies[PLATES - 1]) - field_lowest(&f, bodies[0]);
	float aside = 0.0f;
	for (int i = 0; i < PLATES; ++i) {
		rbl_vec3 centre = rbl_body_get_state(f.s.world, bodies[i]).centre;
		aside = rbl_maxf(aside, sqrtf(centre.x * centre.x + centre.z * centre.z));
	}
	printf("%d plates of 24 mm are %.4f m high, %.4f m aside, %d awake\n", PLATES, (double)height,
	       (double)aside, rbl_world_get_stats(f.s.world).awake_count);
	CHECK(t, height > 0.005f * (PLATES - 1) && height < 0.014f * (PLATES - 1));
	CHECK(t, aside < 0.02f);
	CHECK(t, fabsf(field_lowest(&f, bodies[0])) < 0.001f);
	CHECK(t, rbl_world_get_stats(f.s.world).awake_count == 0);
	rbl_destroy_mesh(plate);
	field_scene_close(&f);
}

// A ring that falls over a peg which is held out sideways hangs on it.
static void a_ring_hangs_on_a_peg(test *t)
{
	field_scene f;
	field_scene_open(&f, 1);
	rbl_mesh *ring = field_ring(0.05, 0.008), *peg = field_box(0.02f, 0.02f, 0.3f);
	rbl_body_id held = field_scene_add_static(&f, peg, 0.0f, 1.0f, 0.0f);
	// Upright: its axis along the peg.
	rbl_body_def def = field_body(ring, 0.0f, 0.98f, 0.02f);
	def.pose.rotation = (rbl_quat){ 0.70710678f, 0.0f, 0.0f, 0.70710678f };
	rbl_body_id hung = rbl_create_body(f.s.world, &def);
	for (int i = 0; i < 400; ++i)
		rbl_world_step(f.s.world, 1.0f / 60.0f);
	rbl_vec3 centre = rbl_body_get_state(f.s.world, hung).centre;
	float top = rbl_body_bounds(f.s.world, held).upper.y;
	printf("ring %.4f below the top of the peg, %.4f aside\n", (double)(top - centre.y),
	       (double)centre.x);
	// Its inner radius, 42 mm, below the top of the peg; a corner may stand between.
	CHECK(t, fabsf(top - centre.y - 0.042f) < 0.004f);
	CHECK(t, fabsf(centre.z) < 0.1f);
	rbl_destroy_mesh(ring);
	rbl_destroy_mesh(peg);
	field_scene_close(&f);
}

// Rings that go through each other hang in a chain.
static void a_chain_of_rings_holds(test *t)
{
	field_scene f;
	field_scene_open(&f, 1);
	rbl_mesh *ring = field_ring(0.05, 0.008);
	rbl_body_id bodies[RINGS];
	const float pitch = 2.0f * (0.05f - 0.008f) - 0.002f;
	for (int i = 0; i < RINGS; ++i) {
		rbl_body_def def = field_body(ring, 0.0f, 1.0f - pitch * (float)i, 0.0f);
		// Upright, every other one turned by a quarter.
		def.pose.rotation = i % 2 == 0 ? (rbl_quat){ 0.70710678f, 0.0f, 0.0f, 0.70710678f }
		                               : (rbl_quat){ 0.0f, 0.0f, 0.70710678f, 0.70710678f };
		def.kind = i == 0 ? RBL_BODY_STATIC : RBL_BODY_DYNAMIC;
		bodies[i] = rbl_create_body(f.s.world, &def);
	}
	float lowest = 1.0f;
	for (int i = 0; i < 400; ++i) {
		rbl_world_step(f.s.world, 1.0f / 60.0f);
		lowest = rbl_minf(lowest, rbl_body_get_state(f.s.world, bodies[RINGS - 1]).centre.y);
	}
	// Each hangs by twice its inner radius below the one above.
	float least = 1.0f - 0.084f * (float)(RINGS - 1);
	float speed = rbl_length(rbl_body_velocity(f.s.world, bodies[RINGS - 1]));
	printf("last ring at %.4f, lowest ever %.4f, %.4f when taut, speed %.4f\n",
	       (double)rbl_body_get_state(f.s.world, bodies[RINGS - 1]).centre.y, (double)lowest,
	       (double)least, (double)speed);
	CHECK(t, lowest > least - 0.005f);
	CHECK(t, speed < 0.1f);
	rbl_destroy_mesh(ring);
	field_scene_close(&f);
}

// --- the same by convex parts -------------------------------------------------------------------

// A mesh as convex parts at the default tolerance of 20 %.
static rbl_asset *prepare(test *t, const rbl_mesh *mesh)
{
	rbl_prepare_def def = rbl_default_prepare_def();
	rbl_asset *asset = NULL;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_OK);
	return asset;
}

static rbl_body_id add_parts(field_scene *f, const rbl_asset *asset, float y, rbl_quat rotation,
                             rbl_body_kind kind)
{
	rbl_body_def def = rbl_default_body_def();
	def.asset = asset;
	def.pose = (rbl_transform){ { 0.0f, y, 0.0f }, rotation };
	def.kind = kind;
	return rbl_create_body(f->s.world, &def);
}

// Convexes fill plates in: the stack is higher by half than that of stacked_plates_nest().
static void by_convex_parts_plates_do_not_nest(test *t)
{
	field_scene f;
	field_scene_open(&f, 1);
	rbl_mesh *plate = field_plate();
	rbl_asset *asset = prepare(t, plate);
	field_scene_ground(&f);
	rbl_body_id bodies[PLATES];
	for (int i = 0; i < PLATES; ++i)
		bodies[i] = add_parts(&f, asset, 0.03f * (float)i, rbl_quat_identity(), RBL_BODY_DYNAMIC);
	scene_steps(&f.s, 300);
	float height = rbl_body_get_state(f.s.world, bodies[PLATES - 1]).centre.y -
	               rbl_body_get_state(f.s.world, bodies[0]).centre.y;
	printf("%d plates of convex parts are %.4f m high\n", PLATES, (double)height);
	CHECK(t, height > 0.012f * (PLATES - 1));
	rbl_destroy_asset(asset);
	rbl_destroy_mesh(plate);
	field_scene_close(&f);
}

// Convexes narrow the holes of rings: a chain is shorter by more than a centimetre, or thrown apart,
// for its rings overlap from the start.
static void by_convex_parts_a_chain_is_not_as_long(test *t)
{
	field_scene f;
	field_scene_open(&f, 1);
	rbl_mesh *ring = field_ring(0.05, 0.008);
	rbl_asset *asset = prepare(t, ring);
	rbl_body_id bodies[RINGS];
	const float pitch = 2.0f * (0.05f - 0.008f) - 0.002f;
	for (int i = 0; i < RINGS; ++i)
		bodies[i] = add_parts(&f, asset, 1.0f - pitch * (float)i,
		                      i % 2 == 0 ? (rbl_quat){ 0.70710678f, 0.0f, 0.0f, 0.70710678f }
		                                 : (rbl_quat){ 0.0f, 0.0f, 0.70710678f, 0.70710678f },
		                      i == 0 ? RBL_BODY_STATIC : RBL_BODY_DYNAMIC);
	scene_steps(&f.s, 400);
	float last = rbl_body_get_state(f.s.world, bodies[RINGS - 1]).centre.y;
	printf("the last ring of convex parts is at %.4f\n", (double)last);
	CHECK(t, fabsf(last - (1.0f - 0.084f * (float)(RINGS - 1))) > 0.01f);
	rbl_destroy_asset(asset);
	rbl_destroy_mesh(ring);
	field_scene_close(&f);
}

// How far the centre of a ring hangs below the top of a round peg, in metres.
static float hang(test *t, bool is_by_field)
{
	field_scene f;
	field_scene_open(&f, 1);
	rbl_mesh *ring = field_ring(0.05, 0.008);
	rbl_asset *asset = is_by_field ? NULL : prepare(t, ring);
	rbl_collider_def of = rbl_default_collider_def(RBL_COLLIDER_CAPSULE);
	of.a.z = -0.15f, of.b = (rbl_vec3){ 0.0f, 0.0f, 0.15f }, of.radius = 0.01f;
	rbl_collider *peg = NULL;
	CHECK(t, rbl_create_collider(&of, &peg) == RBL_OK);
	rbl_body_def held = scene_body(peg, 0.0f, 0.99f, 0.0f);
	held.kind = RBL_BODY_STATIC;
	rbl_create_body(f.s.world, &held);
	const rbl_quat upright = { 0.70710678f, 0.0f, 0.0f, 0.70710678f };
	rbl_body_def def = field_body(ring, 0.0f, 0.97f, 0.0f);
	def.pose.rotation = upright;
	rbl_body_id hung = is_by_field ? rbl_create_body(f.s.world, &def)
	                               : add_parts(&f, asset, 0.97f, upright, RBL_BODY_DYNAMIC);
	scene_steps(&f.s, 400);
	float below = 1.0f - rbl_body_get_state(f.s.world, hung).centre.y;
	field_scene_close(&f);
	rbl_destroy_collider(peg);
	rbl_destroy_asset(asset);
	rbl_destroy_mesh(ring);
	return below;
}

// By its field a ring hangs by its inner radius, 42 mm. Convexes narrow its hole.
static void by_convex_parts_a_ring_hangs_in_the_air(test *t)
{
	float by_field = hang(t, true), by_convexes = hang(t, false);
	printf("a ring hangs %.4f m below by its field, %.4f by convex parts\n", (double)by_field,
	       (double)by_convexes);
	CHECK(t, fabsf(by_field - 0.042f) < 0.0005f);
	CHECK(t, fabsf(by_convexes - 0.042f) > 0.001f);
}

// How high a ball lies on the wall of a bowl, in metres.
static float ball_height(test *t, bool is_by_field, double radius)
{
	field_scene f;
	field_scene_open(&f, 1);
	rbl_mesh *bowl = field_bowl(0.1, 0.1);
	rbl_asset *asset = is_by_field ? NULL : prepare(t, bowl);
	rbl_collider_def of = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	of.radius = (float)radius;
	rbl_collider *ball = NULL;
	CHECK(t, rbl_create_collider(&of, &ball) == RBL_OK);
	field_scene_ground(&f);
	if (is_by_field)
		field_scene_add_static(&f, bowl, 0.0f, 0.0f, 0.0f);
	else
		add_parts(&f, asset, 0.0f, rbl_quat_identity(), RBL_BODY_STATIC);
	rbl_body_id caught = scene_add(&f.s, ball, 0.003f, 0.06f + (float)radius, 0.002f);
	scene_steps(&f.s, 600);
	float height = rbl_body_get_state(f.s.world, caught).centre.y - (float)radius;
	field_scene_close(&f);
	rbl_destroy_collider(ball);
	rbl_destroy_asset(asset);
	rbl_destroy_mesh(bowl);
	return height;
}

static void by_convex_parts_a_bowl_is_smaller(test *t)
{
	float by_field = ball_height(t, true, 0.08), by_convexes = ball_height(t, false, 0.08);
	printf("a ball lies %.4f m high by the field of a bowl, %.4f by convex parts\n",
	       (double)by_field, (double)by_convexes);
	CHECK(t, by_field < 0.03f); // the middle of its bottom is at 0.022
	CHECK(t, by_convexes > by_field + 0.003f);
}

TEST_MAIN(TEST(a_bowl_catches_a_ball), TEST(stacked_plates_nest), TEST(a_ring_hangs_on_a_peg),
          TEST(a_chain_of_rings_holds), TEST(by_convex_parts_plates_do_not_nest),
          TEST(by_convex_parts_a_chain_is_not_as_long),
          TEST(by_convex_parts_a_ring_hangs_in_the_air), TEST(by_convex_parts_a_bowl_is_smaller))
