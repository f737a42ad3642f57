// SPDX-License-Identifier: MIT
// ctest: soak
//
// Things that stand keep standing: tower, card house, arch and wall, for a few seconds here and a
// minute in full (RBL_SOAK). What is struck falls. Judged from outside, by exact overlaps.

#include "scenes/rigid_world.h"

#include "test.h"

// Run a scene and measure its end. @param heights  receives the mean height at the start
static rigid_verdict run(test *t, const char *name, int count, int steps, double *start_height)
{
	rigid_scene scene;
	rigid_world world;
	rigid_verdict before = { 0 }, verdict = { 0 };
	CHECK(t, rigid_scene_open(&scene, name, count));
	bool ok = rigid_world_open(&world, &scene, 1, NULL);
	CHECK(t, ok);
	rigid_state *states = calloc((size_t)scene.body_count, sizeof *states);
	if (ok) {
		rigid_world_read(&world, states);
		rigid_measure(&scene, states, NULL, 0, &before);
		for (int step = 0; ok && step < steps; ++step)
			ok = rigid_world_step(&world, step);
		CHECK(t, ok);
		rigid_world_read(&world, states);
		CHECK(t, rigid_measure(&scene, states, NULL, steps, &verdict));
		rigid_world_close(&world);
	}
	*start_height = before.height_m;
	free(states);
	rigid_scene_close(&scene);
	printf("  %s: height %.4f of %.4f m, speed %.2f mm/s, overlap %.2f / %.2f / %.2f mm\n", name,
	       verdict.height_m, before.height_m, verdict.speed_mm_s, verdict.mean_mm, verdict.p99_mm,
	       verdict.max_mm);
	return verdict;
}

static void check_stands(test *t, const char *name, int count, int steps, double least_height)
{
	double start;
	rigid_verdict end = run(t, name, count, steps, &start);
	CHECK(t, end.height_m >= least_height * start);
	CHECK(t, end.escaped_count == 0 && end.deep_count == 0);
	CHECK(t, end.speed_mm_s < 10.0);
}

static void a_tower_stands(test *t)
{
	check_stands(t, "tower", 40, test_count(600, 3600), 0.99);
}

static void a_card_house_stands(test *t)
{
	check_stands(t, "cards", 0, test_count(300, 3600), 0.99);
}

static void an_arch_without_mortar_stands(test *t)
{
	check_stands(t, "arch", 0, test_count(300, 3600), 0.99);
}

static void a_wall_stands(test *t)
{
	check_stands(t, "wall-stand", test_count(12, 40), test_count(120, 3600), 0.985);
}

static void a_wall_falls_where_it_is_hit(test *t)
{
	double start;
	rigid_verdict end = run(t, "wall-hit", test_count(12, 40), test_count(90, 240), &start);
	CHECK(t, end.escaped_count == 0);
	CHECK(t, end.height_m < 0.99 * start && end.height_m > 0.5 * start);
	CHECK(t, end.max_speed_m_s < 25.0);
}

TEST_MAIN(TEST(a_tower_stands), TEST(a_card_house_stands), TEST(an_arch_without_mortar_stands),
          TEST(a_wall_stands), TEST(a_wall_falls_where_it_is_hit))
