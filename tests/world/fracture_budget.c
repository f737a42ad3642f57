// SPDX-License-Identifier: MIT
// A break that needs more than the budget of a step ends later, with the same pieces.

#include "../test.h"
#include "breakable.h"

static const rbl_vec3 down = { 0.0f, -1.0f, 0.0f };

static void make(test *t, breakable *b, int budget, int workers)
{
	breakable_prepare(t, b, NULL, 3);
	rbl_world_def def = scene_def(&b->s, workers);
	def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	def.budget = budget;
	scene_create(&b->s, &def);
}

typedef struct course {
	int steps, events, pieces;
	uint64_t hash; // of the pieces of all events, in order
} course;

// Step until nothing is left to break.
static course finish(test *t, breakable *b)
{
	course c = { .hash = 1 };
	do {
		CHECK(t, rbl_world_step(b->s.world, 1.0f / 60.0f) == RBL_OK);
		rbl_events e = rbl_world_get_events(b->s.world);
		c.steps++;
		c.events += e.fracture_count;
		for (int k = 0; k < e.fracture_count; ++k) {
			c.pieces += e.fractures[k].new_count;
			for (int i = 0; i < e.fractures[k].new_count; ++i) {
				rbl_vec3 at = rbl_body_get_state(b->s.world, e.fractures[k].new_bodies[i]).centre;
				float mass = rbl_body_get_mass(b->s.world, e.fractures[k].new_bodies[i]).mass;
				c.hash = rbl_hash_bytes(rbl_hash_bytes(c.hash, &at, sizeof at), &mass, sizeof mass);
			}
		}
	} while (rbl_world_get_stats(b->s.world).breaking_count > 0 && c.steps < 1000);
	return c;
}

static void a_break_in_many_steps_gives_the_same_pieces(test *t)
{
	course first = { 0 };
	const int budgets[] = { 0, 1, 20, 60 };
	for (int i = 0; i < 4; ++i) {
		breakable b;
		make(t, &b, budgets[i], 1 + i);
		rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
		rbl_body_id body = rbl_create_body(b.s.world, &def);
		CHECK(t, rbl_body_damage(b.s.world, body, (rbl_vec3){ 0.2f, 0.1f, 0.0f }, down, INFINITY,
		                         100.0f) == RBL_OK);
		course c = finish(t, &b);
		CHECK(t, c.events == 1 && c.pieces > 10);
		if (i == 0)
			first = c;
		CHECK(t, c.hash == first.hash && c.pieces == first.pieces);
		CHECK(t, i == 0 ? c.steps == 1 : c.steps > 1);
		breakable_destroy(&b);
	}
}

// Two blows: the second waits, and meets what is left by the first.
static void a_second_blow_waits_for_the_first(test *t)
{
	course courses[2];
	for (int i = 0; i < 2; ++i) {
		breakable b;
		make(t, &b, i == 0 ? 0 : 50, 1);
		rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
		rbl_body_id body = rbl_create_body(b.s.world, &def);
		for (int k = 0; k < 2; ++k)
			CHECK(t, rbl_body_damage(b.s.world, body, (rbl_vec3){ k ? 0.5f : -0.5f, 0.5f, 0.5f },
			                         down, 0.5f, 100.0f) == RBL_OK);
		courses[i] = finish(t, &b);
		breakable_destroy(&b);
	}
	CHECK(t, courses[0].events == 2 && courses[0].steps == 1);
	CHECK(t, courses[1].events == 2 && courses[1].steps > 1);
	CHECK(t, courses[0].hash == courses[1].hash);
}

// A body on its way to breaking moves on, can be moved, and can be destroyed with its pattern.
static void a_body_may_go_while_it_breaks(test *t)
{
	breakable b;
	make(t, &b, 1, 1);
	rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
	rbl_body_id body = rbl_create_body(b.s.world, &def);
	CHECK(t, rbl_body_damage(b.s.world, body, (rbl_vec3){ 0.0f, 0.5f, 0.0f }, down, INFINITY,
	                         100.0f) == RBL_OK);
	scene_steps(&b.s, 2);
	CHECK(t, rbl_world_get_stats(b.s.world).breaking_count == 1);
	CHECK(t, rbl_destroy_body(b.s.world, body) == RBL_OK);
	rbl_destroy_pattern(b.pattern);
	b.pattern = NULL;
	scene_steps(&b.s, 3);
	CHECK(t, rbl_world_get_stats(b.s.world).breaking_count == 0);
	CHECK(t, rbl_world_body_count(b.s.world) == 0);
	breakable_destroy(&b);
}

static void what_moves_on_breaks_where_it_was_hit(test *t)
{
	breakable b;
	make(t, &b, 1, 1);
	rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
	def.velocity = (rbl_vec3){ 3.0f, 0.0f, 0.0f };
	rbl_body_id body = rbl_create_body(b.s.world, &def);
	CHECK(t, rbl_body_damage(b.s.world, body, (rbl_vec3){ 0.5f, 0.5f, 0.5f }, down, 0.4f, 100.0f) ==
	             RBL_OK);
	int steps = 0;
	while (rbl_world_get_events(b.s.world).fracture_count == 0 && ++steps < 1000)
		scene_steps(&b.s, 1);
	rbl_events e = rbl_world_get_events(b.s.world);
	CHECK(t, steps > 2 && e.fracture_count == 1);
	if (e.fracture_count == 1) {
		CHECK_NEAR(t, e.fractures[0].point.x, 0.5f + 0.05f * (float)steps, 1e-4);
		CHECK(t, e.fractures[0].cause == RBL_FRACTURE_BLOW);
		for (int i = 0; i < e.fractures[0].new_count; ++i)
			CHECK_NEAR(t, rbl_body_velocity(b.s.world, e.fractures[0].new_bodies[i]).x, 3.0, 1e-5);
	}
	breakable_destroy(&b);
}

// A small break beside a large one is not kept waiting.
static void small_breaks_do_not_wait_for_large_ones(test *t)
{
	breakable b;
	make(t, &b, 64, 1);
	rbl_body_id ids[2];
	for (int i = 0; i < 2; ++i) {
		rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
		def.pose.position.x = 5.0f * (float)i;
		ids[i] = rbl_create_body(b.s.world, &def);
	}
	CHECK(t, rbl_body_damage(b.s.world, ids[0], (rbl_vec3){ 0.0f, 0.0f, 0.0f }, down, INFINITY,
	                         100.0f) == RBL_OK);
	CHECK(t, rbl_body_damage(b.s.world, ids[1], (rbl_vec3){ 5.5f, 0.5f, 0.5f }, down, 0.15f,
	                         100.0f) == RBL_OK);
	int when[2] = { 0, 0 };
	for (int step = 1; step < 200 && (!when[0] || !when[1]); ++step) {
		scene_steps(&b.s, 1);
		rbl_events e = rbl_world_get_events(b.s.world);
		for (int k = 0; k < e.fracture_count; ++k)
			when[e.fractures[k].parent.index == ids[1].index] = step;
	}
	CHECK(t, when[1] > 0 && when[1] < when[0]);
	breakable_destroy(&b);
}

// --- breaks that would take too much ------------------------------------------------------------

typedef struct heard {
	int count;
	char text[4][300];
} heard;

static void hear(void *user, rbl_log_level level, const char *text)
{
	heard *h = user;
	(void)level;
	if (h->count < 4)
		snprintf(h->text[h->count], sizeof h->text[0], "%s", text);
	h->count++;
}

// Plates on top of each other, all of them across the middle of a web.
static rbl_compound *plates(int count)
{
	rbl_compound_part *parts = calloc((size_t)count, sizeof *parts);
	rbl_convex **convexes = calloc((size_t)count, sizeof *convexes);
	double thin = 1.0 / count;
	for (int i = 0; i < count; ++i) {
		rbl_convex_def def = rbl_default_convex_def();
		def.box = (rbl_boxd){ { -0.5, -0.5, thin * i - 0.5 }, { 0.5, 0.5, thin * (i + 1) - 0.5 } };
		rbl_create_convex(&def, &convexes[i]);
		parts[i].convex = convexes[i];
	}
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = parts;
	def.part_count = count;
	rbl_compound *compound = NULL;
	rbl_create_compound(&def, &compound);
	for (int i = 0; i < count; ++i)
		rbl_destroy_convex(convexes[i]);
	free(convexes);
	free(parts);
	return compound;
}

// The blow is counted as lost, the log says which body and why, and the body stands as it was; a
// smaller blow breaks it all the same.
static void a_blow_that_would_take_too_much_is_told(test *t)
{
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.kind = RBL_PATTERN_WEB;
	pattern_def.ring_count = 1;
	pattern_def.spoke_count = 800;
	rbl_pattern *pattern = NULL;
	CHECK(t, rbl_create_pattern(&pattern_def, &pattern) == RBL_OK);
	rbl_damage_level level = { .energy = 10.0, .pattern = pattern, .radius = 100.0 };
	rbl_damage_rule rule = rbl_default_damage_rule();
	rule.levels = &level;
	rule.level_count = 1;
	rbl_material_def material_def = rbl_default_material_def();
	material_def.damage = rule;
	material_def.placement = RBL_PLACEMENT_FRAME;
	rbl_material *material = NULL;
	CHECK(t, rbl_create_material(&material_def, &material) == RBL_OK);
	for (int budget = 0; budget < 2; ++budget) {
		scene s;
		rbl_world_def world_def = scene_def(&s, 1);
		world_def.budget = budget;
		scene_create(&s, &world_def);
		rbl_body_def def = rbl_default_body_def();
		def.compound = plates(1 + RBL_CUT_LIMIT / 800);
		def.shared_material = material;
		def.kind = RBL_BODY_STATIC;
		rbl_body_id body = rbl_create_body(s.world, &def);
		int parts = rbl_compound_get_info(rbl_body_get_compound(s.world, body)).part_count;
		heard h = { 0 };
		rbl_set_log(hear, &h);
		rbl_vec3 at = { 0.0f, 0.0f, 0.5f };
		CHECK(t, rbl_body_damage(s.world, body, at, down, INFINITY, 100.0f) == RBL_OK);
		for (int i = 0; i < 3 || (i < 500 && rbl_world_get_stats(s.world).breaking_count > 0);
		     ++i) {
			CHECK(t, rbl_world_step(s.world, 1.0f / 60.0f) == RBL_OK);
			CHECK(t, rbl_world_get_events(s.world).fracture_count == 0);
		}
		rbl_set_log(NULL, NULL);
		CHECK(t, h.count == 2 && strstr(h.text[0], "cut_limit 200000"));
		CHECK(t, strstr(h.text[1], "does not break"));
		rbl_world_stats stats = rbl_world_get_stats(s.world);
		CHECK(t, stats.lost_count == 1 && stats.breaking_count == 0);
		CHECK(t, rbl_compound_get_info(rbl_body_get_compound(s.world, body)).part_count == parts);
		CHECK(t, rbl_body_damage(s.world, body, at, down, 0.001f, 100.0f) == RBL_OK);
		for (int i = 0; i < 2000 && rbl_world_get_events(s.world).fracture_count == 0; ++i)
			CHECK(t, rbl_world_step(s.world, 1.0f / 60.0f) == RBL_OK);
		CHECK(t, rbl_world_get_events(s.world).fracture_count == 1);
		CHECK(t, rbl_world_get_stats(s.world).lost_count == 1);
		scene_destroy(&s);
	}
	rbl_destroy_material(material);
	rbl_destroy_pattern(pattern);
}

// Exposed triangles are made and looked through: they are paid for, and so is all that a step does
// beyond its budget.
static void exposed_triangles_are_work(test *t)
{
	int work[2], triangles[2] = { 0, 0 };
	for (int keeps = 0; keeps < 2; ++keeps) {
		breakable b;
		breakable_prepare(t, &b, NULL, 3);
		rbl_world_def world_def = scene_def(&b.s, 1);
		world_def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		world_def.budget = 0;
		world_def.keeps_exposed_triangles = keeps == 1;
		scene_create(&b.s, &world_def);
		rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
		rbl_body_id body = rbl_create_body(b.s.world, &def);
		CHECK(t, rbl_body_damage(b.s.world, body, (rbl_vec3){ 0.2f, 0.1f, 0.0f }, down, INFINITY,
		                         100.0f) == RBL_OK);
		CHECK(t, rbl_world_step(b.s.world, 1.0f / 60.0f) == RBL_OK);
		CHECK(t, rbl_world_get_events(b.s.world).fracture_count == 1);
		work[keeps] = rbl_world_get_stats(b.s.world).fracture_work;
		if (keeps)
			CHECK(t,
			      rbl_world_get_exposed_triangles(b.s.world, 0, NULL, 0, &triangles[1]) == RBL_OK);
		CHECK(t, rbl_world_step(b.s.world, 1.0f / 60.0f) == RBL_OK);
		CHECK(t, rbl_world_get_stats(b.s.world).fracture_work == 0);
		breakable_destroy(&b);
	}
	printf("%d units of work, %d with %d triangles\n", work[0], work[1], triangles[1]);
	CHECK(t, work[0] > 50 && triangles[1] > 100 && work[1] == work[0] + triangles[1] / 16);
}

// A step does what its budget says, and no more than a slice beyond; what cannot be divided delays
// the next ones.
static void steps_keep_their_budget(test *t)
{
	const int budgets[] = { 50, 200, 1000 };
	for (int i = 0; i < 3; ++i) {
		breakable b;
		make(t, &b, budgets[i], 1);
		rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
		rbl_body_id body = rbl_create_body(b.s.world, &def);
		CHECK(t, rbl_body_damage(b.s.world, body, (rbl_vec3){ 0.2f, 0.1f, 0.0f }, down, INFINITY,
		                         100.0f) == RBL_OK);
		int most = 0, steps = 0, made = 0;
		do {
			CHECK(t, rbl_world_step(b.s.world, 1.0f / 60.0f) == RBL_OK);
			most = rbl_maxi(most, rbl_world_get_stats(b.s.world).fracture_work);
			made = rbl_world_body_count(b.s.world);
		} while (rbl_world_get_stats(b.s.world).breaking_count > 0 && ++steps < 1000);
		// The last step makes all bodies at once: a unit for each piece and each of them.
		CHECK(t, most > 0 && most <= budgets[i] + 32 + 4 * made);
		breakable_destroy(&b);
	}
}

TEST_MAIN(TEST(exposed_triangles_are_work), TEST(steps_keep_their_budget),
          TEST(a_break_in_many_steps_gives_the_same_pieces),
          TEST(a_second_blow_waits_for_the_first), TEST(a_body_may_go_while_it_breaks),
          TEST(what_moves_on_breaks_where_it_was_hit),
          TEST(small_breaks_do_not_wait_for_large_ones),
          TEST(a_blow_that_would_take_too_much_is_told))
