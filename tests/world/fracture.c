// SPDX-License-Identifier: MIT
// Things break where they are hit; mass and momentum stay, ids behave.

#include "../test.h"
#include "breakable.h"

enum { MOST = BREAKABLE_MOST };

static rbl_body_id add_asset(breakable *b, float x, float y, rbl_body_kind kind)
{
	rbl_body_def def = rbl_default_body_def();
	def.asset = b->asset;
	breakable_share(b, &def);
	def.kind = kind;
	def.pose.position = (rbl_vec3){ x, y, 0.0f };
	def.velocity = (rbl_vec3){ 1.0f, 2.0f, 0.0f };
	def.angular_velocity = (rbl_vec3){ 0.5f, 1.0f, -0.7f };
	def.angular_damping = 0.0f;
	def.user = 9;
	return rbl_create_body(b->s.world, &def);
}

static void a_blow_keeps_mass_and_momentum(test *t)
{
	breakable b;
	breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 1);
	rbl_body_id body = add_asset(&b, 0.0f, 0.0f, RBL_BODY_DYNAMIC);
	scene_steps(&b.s, 1);
	rbl_vec3 corner = rbl_body_bounds(b.s.world, body).upper;
	CHECK(t, rbl_body_damage(b.s.world, body, corner, (rbl_vec3){ -1.0f, 0.0f, 0.0f }, 0.3f,
	                         1000.0f) == RBL_OK);
	sums before = breakable_sums(b.s.world);
	scene_steps(&b.s, 1);
	rbl_events e = rbl_world_get_events(b.s.world);
	CHECK(t, e.fracture_count == 1);
	if (e.fracture_count == 1) {
		const rbl_fracture_event *f = &e.fractures[0];
		CHECK(t, f->new_count > 0 && f->survives && f->exposed_area > 0.0f);
		CHECK(t, f->parent.index == body.index && rbl_body_exists(b.s.world, body));
		CHECK_NEAR(t, f->radius, 0.3, 1e-6);
		for (int i = 0; i < f->new_count; ++i) {
			CHECK(t, rbl_body_exists(b.s.world, f->new_bodies[i]));
			CHECK(t, rbl_body_user(b.s.world, f->new_bodies[i]) == 9);
			CHECK(t, rbl_body_get_compound(b.s.world, f->new_bodies[i]) != NULL);
		}
		CHECK(t, rbl_world_body_count(b.s.world) == f->new_count + 1);
	}
	sums after = breakable_sums(b.s.world);
	CHECK_NEAR(t, after.mass, before.mass, 1e-5 * before.mass);
	CHECK(t, rbl_distance_d(after.momentum, before.momentum) < 1e-4 * before.mass);
	CHECK(t, rbl_distance_d(after.angular_momentum, before.angular_momentum) < 1e-3 * before.mass);
	// Nothing is thrown: pieces keep about the speed that they were born with.
	scene_steps(&b.s, 30);
	static rbl_body_id ids[MOST];
	int count = rbl_world_get_bodies(b.s.world, ids, MOST);
	for (int i = 0; i < count; ++i)
		CHECK(t, rbl_length(rbl_body_velocity(b.s.world, ids[i])) < 5.0f);
	breakable_destroy(&b);
}

static void a_hard_hit_breaks_and_a_soft_one_does_not(test *t)
{
	for (int hard = 0; hard < 2; ++hard) {
		breakable b;
		breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, -9.81f, 0.0f }, 1);
		scene_add_floor(&b.s);
		b.level.energy = 5000.0;
		rbl_body_def def = rbl_default_body_def();
		def.asset = b.asset;
		breakable_share(&b, &def);
		def.pose.position = (rbl_vec3){ 0.0f, 0.5f, 0.0f };
		rbl_create_body(b.s.world, &def);
		rbl_body_def ball = scene_body(b.s.ball, -2.0f, 0.6f, 0.0f);
		ball.velocity = (rbl_vec3){ hard ? 60.0f : 5.0f, 0.0f, 0.0f };
		ball.material.density = 5000.0f;
		rbl_create_body(b.s.world, &ball);
		int fractures = 0;
		for (int i = 0; i < 90; ++i) {
			CHECK(t, rbl_world_step(b.s.world, 1.0f / 60.0f) == RBL_OK);
			fractures += rbl_world_get_events(b.s.world).fracture_count;
		}
		CHECK(t, hard ? fractures > 0 : fractures == 0);
		CHECK(t, hard ? rbl_world_body_count(b.s.world) > 5 : rbl_world_body_count(b.s.world) == 3);
		breakable_destroy(&b);
	}
}

// Regression: a rule was believed until a hit read its levels.
static void rules_that_make_no_sense_are_refused(test *t)
{
	breakable b;
	breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 1);
	for (int i = 0; i < 4; ++i) {
		rbl_damage_rule rule = b.rule;
		rbl_damage_level level = b.level;
		rule.levels = i == 0 ? NULL : &level;
		level.pattern = i == 1 ? NULL : level.pattern;
		level.energy = i == 2 ? (double)NAN : level.energy;
		rule.cookie = i == 3 ? 0 : rule.cookie;
		CHECK(t, !scene_material(rbl_default_material_values(), &rule, 0.0));
	}
	breakable_destroy(&b);
}

// Regression: the square of a length that is no number made no direction.
static void the_length_of_a_blow_does_not_matter(test *t)
{
	const float lengths[] = { 1e-40f, 1e-25f, 1.0f, 1e25f, 3e38f };
	for (int i = 0; i < 5; ++i) {
		breakable b;
		breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 1);
		rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
		rbl_body_id body = rbl_create_body(b.s.world, &def);
		CHECK(t, rbl_body_damage(b.s.world, body, (rbl_vec3){ 0.0f, 0.5f, 0.0f },
		                         (rbl_vec3){ 0.0f, -lengths[i], 0.0f }, 0.3f, 1000.0f) == RBL_OK);
		scene_steps(&b.s, 1);
		rbl_events e = rbl_world_get_events(b.s.world);
		CHECK(t, e.fracture_count == 1);
		for (int k = 0; k < e.fracture_count; ++k)
			CHECK_NEAR(t, e.fractures[k].normal.y, -1.0, 1e-6);
		breakable_destroy(&b);
	}
}

// Regression: without a solver blows were taken, and never done.
static void blows_break_where_nothing_moves_by_itself(test *t)
{
	breakable b;
	breakable_prepare(t, &b, NULL, 1);
	rbl_world_def world_def = scene_def(&b.s, 1);
	world_def.detects_only = true;
	scene_create(&b.s, &world_def);
	rbl_body_id body = add_asset(&b, 0.0f, 0.0f, RBL_BODY_DYNAMIC);
	rbl_vec3 corner = rbl_body_bounds(b.s.world, body).upper;
	CHECK(t, rbl_body_damage(b.s.world, body, corner, (rbl_vec3){ -1.0f, 0.0f, 0.0f }, 0.3f,
	                         1000.0f) == RBL_OK);
	sums before = breakable_sums(b.s.world);
	scene_steps(&b.s, 1);
	rbl_events e = rbl_world_get_events(b.s.world);
	CHECK(t, e.fracture_count == 1 && e.fractures[0].new_count > 0 && e.fractures[0].survives);
	sums after = breakable_sums(b.s.world);
	CHECK_NEAR(t, after.mass, before.mass, 1e-5 * before.mass);
	CHECK(t, rbl_distance_d(after.momentum, before.momentum) < 1e-4 * before.mass);
	scene_steps(&b.s, 3);
	CHECK(t, rbl_world_get_contacts(b.s.world, NULL, 0) > 0);
	breakable_destroy(&b);
}

// What stands still stays; what breaks off it falls.
static void fragments_of_a_static_body_fall(test *t)
{
	breakable b;
	breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, -9.81f, 0.0f }, 1);
	rbl_body_id body = add_asset(&b, 0.0f, 5.0f, RBL_BODY_STATIC);
	rbl_box box = rbl_body_bounds(b.s.world, body);
	rbl_vec3 low = { box.upper.x, box.lower.y, 0.0f };
	CHECK(t, rbl_body_damage(b.s.world, body, low, (rbl_vec3){ 0.0f, -1.0f, 0.0f }, 0.3f, 100.0f) ==
	             RBL_OK);
	scene_steps(&b.s, 1);
	rbl_events e = rbl_world_get_events(b.s.world);
	CHECK(t, e.fracture_count == 1 && e.fractures[0].new_count > 0);
	rbl_body_id chip = e.fracture_count ? e.fractures[0].new_bodies[0] : body;
	float y = rbl_body_get_state(b.s.world, chip).centre.y;
	scene_steps(&b.s, 60);
	CHECK(t, rbl_body_get_state(b.s.world, chip).centre.y < y - 1.0f);
	CHECK(t, rbl_body_get_state(b.s.world, body).kind == RBL_BODY_STATIC);
	CHECK(t, rbl_body_pose(b.s.world, body).position.y == 5.0f);
	breakable_destroy(&b);
}

// A row of boxes, a metre high, that stands.
static rbl_body_id add_row(test *t, breakable *b, int count, double length)
{
	rbl_compound_part parts[8];
	for (int i = 0; i < count; ++i) {
		rbl_convex_def def = rbl_default_convex_def();
		def.box =
			(rbl_boxd){ { i * length - 0.5, 0.0, -0.5 }, { (i + 1) * length - 0.5, 1.0, 0.5 } };
		rbl_convex *convex = NULL;
		CHECK(t, rbl_create_convex(&def, &convex) == RBL_OK);
		parts[i] = (rbl_compound_part){ .convex = convex };
	}
	rbl_compound_def compound_def = rbl_default_compound_def();
	compound_def.parts = parts, compound_def.part_count = count;
	rbl_body_def def = rbl_default_body_def();
	def.kind = RBL_BODY_STATIC;
	breakable_share(b, &def);
	CHECK(t, rbl_create_compound(&compound_def, &def.compound) == RBL_OK);
	for (int i = 0; i < count; ++i)
		rbl_destroy_convex((rbl_convex *)(uintptr_t)parts[i].convex);
	return rbl_create_body(b->s.world, &def);
}

// What lies on another part of it has nothing to do with the blow.
static void what_lies_on_a_building_sleeps_on_when_it_is_struck_elsewhere(test *t)
{
	breakable b;
	breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, -9.81f, 0.0f }, 1);
	rbl_body_id row = add_row(t, &b, 6, 1.0);
	rbl_body_id here = scene_add(&b.s, b.s.box, 0.0f, 1.25f, 0.0f);
	rbl_body_id there = scene_add(&b.s, b.s.box, 5.0f, 1.25f, 0.0f);
	scene_steps(&b.s, 120);
	CHECK(t, !rbl_body_is_awake(b.s.world, here) && !rbl_body_is_awake(b.s.world, there));
	CHECK(t, rbl_body_damage(b.s.world, row, (rbl_vec3){ 0.0f, 0.5f, 0.0f },
	                         (rbl_vec3){ 0.0f, -1.0f, 0.0f }, 0.9f, 1e6f) == RBL_OK);
	scene_steps(&b.s, 3);
	CHECK(t, rbl_body_exists(b.s.world, row));
	CHECK(t, rbl_body_is_awake(b.s.world, here) && !rbl_body_is_awake(b.s.world, there));
	breakable_destroy(&b);
}

// What remains of a part is another convex, and overlaps what the part did.
static void initial_overlap_is_kept_when_a_part_is_cut(test *t)
{
	breakable b;
	breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, -9.81f, 0.0f }, 1);
	rbl_body_id row = add_row(t, &b, 2, 4.0);
	rbl_body_def def = scene_body(b.s.box, 3.0f, 1.1f, 0.0f); // 15 cm deep
	rbl_body_id lying;
	CHECK(t, rbl_create_bodies(b.s.world, &def, 1, &lying) == RBL_OK);
	scene_steps(&b.s, 120);
	CHECK_NEAR(t, rbl_body_pose(b.s.world, lying).position.y, 1.1f, 0.01f);
	CHECK(t, rbl_body_damage(b.s.world, row, (rbl_vec3){ 0.0f, 0.5f, 0.0f },
	                         (rbl_vec3){ 0.0f, -1.0f, 0.0f }, 0.5f, 1e6f) == RBL_OK);
	for (int i = 0; i < 60; ++i) {
		scene_steps(&b.s, 1);
		CHECK(t, rbl_length(rbl_body_velocity(b.s.world, lying)) < 0.05f);
	}
	CHECK(t, rbl_world_body_count(b.s.world) > 4);
	CHECK_NEAR(t, rbl_body_pose(b.s.world, lying).position.y, 1.1f, 0.001f);
	breakable_destroy(&b);
}

// Regression: two blows of one step, the second of which leaves nothing. Events of both say so.
static void a_body_that_is_gone_by_a_second_break_survives_neither(test *t)
{
	breakable b;
	breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 1);
	rbl_body_id body = add_asset(&b, 0.0f, 0.0f, RBL_BODY_DYNAMIC);
	scene_steps(&b.s, 1);
	rbl_box box = rbl_body_bounds(b.s.world, body);
	rbl_vec3 inwards = { -1.0f, 0.0f, 0.0f }, outwards = { 1.0f, 0.0f, 0.0f };
	CHECK(t, rbl_body_damage(b.s.world, body, box.upper, inwards, 0.3f, 1000.0f) == RBL_OK);
	CHECK(t, rbl_body_damage(b.s.world, body, box.lower, outwards, 100.0f, 1000.0f) == RBL_OK);
	scene_steps(&b.s, 1);
	rbl_events e = rbl_world_get_events(b.s.world);
	CHECK(t, e.fracture_count == 2 && !rbl_body_exists(b.s.world, body));
	for (int i = 0; i < e.fracture_count; ++i) {
		CHECK(t, e.fractures[i].parent.index == body.index && e.fractures[i].new_count > 0);
		CHECK(t, !e.fractures[i].survives);
	}
	breakable_destroy(&b);
}

// Everything at once, again and again: the dust settles, and ids are never wrong.
static void breaking_goes_on(test *t)
{
	breakable b;
	breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, -9.81f, 0.0f }, 1);
	scene_add_floor(&b.s);
	for (int i = 0; i < 4; ++i)
		add_asset(&b, 2.0f * (float)i, 1.5f, RBL_BODY_DYNAMIC);
	double mass = breakable_sums(b.s.world).mass;
	b.level.energy = 500.0;
	rbl_random random = rbl_random_from_seed(3);
	for (int step = 0; step < 60; ++step) {
		static rbl_body_id ids[MOST];
		int count = rbl_world_get_bodies(b.s.world, ids, MOST);
		rbl_body_id hit = ids[rbl_random_below(&random, (uint32_t)count)];
		if (count < 200)
			rbl_body_damage(b.s.world, hit, rbl_body_get_state(b.s.world, hit).centre,
			                (rbl_vec3){ 0.0f, -1.0f, 0.0f }, INFINITY, 600.0f);
		CHECK(t, rbl_world_step(b.s.world, 1.0f / 60.0f) == RBL_OK);
		rbl_events e = rbl_world_get_events(b.s.world);
		for (int i = 0; i < e.fracture_count; ++i)
			CHECK(t, e.fractures[i].survives == rbl_body_exists(b.s.world, e.fractures[i].parent));
	}
	CHECK(t, rbl_world_body_count(b.s.world) > 20 && rbl_world_body_count(b.s.world) < MOST);
	CHECK(t, rbl_world_get_stats(b.s.world).lost_count == 0);
	CHECK_NEAR(t, breakable_sums(b.s.world).mass, mass, 1e-4 * mass);
	breakable_destroy(&b);
}

TEST_MAIN(TEST(a_blow_keeps_mass_and_momentum), TEST(a_hard_hit_breaks_and_a_soft_one_does_not),
          TEST(rules_that_make_no_sense_are_refused), TEST(the_length_of_a_blow_does_not_matter),
          TEST(blows_break_where_nothing_moves_by_itself), TEST(fragments_of_a_static_body_fall),
          TEST(what_lies_on_a_building_sleeps_on_when_it_is_struck_elsewhere),
          TEST(initial_overlap_is_kept_when_a_part_is_cut),
          TEST(a_body_that_is_gone_by_a_second_break_survives_neither), TEST(breaking_goes_on))
