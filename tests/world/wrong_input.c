// SPDX-License-Identifier: MIT
// Wrong materials, clusters, joints, rules and lists of shapes: one clear sentence, and nothing has
// changed.

#include "../test.h"
#include "breakable.h"

static int line_count;

static void count_lines(void *user, rbl_log_level level, const char *text)
{
	(void)user, (void)text;
	line_count += level == RBL_LOG_ERROR;
}

// One sentence, in the log and as the last error, with these words.
static void check_sentence(test *t, const char *words)
{
	CHECK(t, line_count == 1);
	if (!strstr(rbl_last_error(), words))
		test_fail(t, __FILE__, __LINE__, rbl_last_error());
	line_count = 0;
}

static rbl_convex *make_convex(test *t)
{
	rbl_convex_def def = rbl_default_convex_def();
	rbl_convex *convex = NULL;
	def.box = (rbl_boxd){ { 0.0, 0.0, 0.0 }, { 1.0, 1.0, 1.0 } };
	CHECK(t, rbl_create_convex(&def, &convex) == RBL_OK);
	return convex;
}

static void an_unknown_material_is_refused(test *t)
{
	rbl_convex *convex = make_convex(t);
	rbl_compound_part part = { .convex = convex, .material = 1 };
	rbl_compound_def def = rbl_default_compound_def();
	rbl_compound *compound = NULL;
	def.parts = &part, def.part_count = 1;
	rbl_set_log(count_lines, NULL);
	CHECK(t, rbl_create_compound(&def, &compound) == RBL_BAD_ARGUMENT && !compound);
	check_sentence(t, "material");
	rbl_set_log(NULL, NULL);
	rbl_destroy_convex(convex);
}

static void an_empty_cluster_is_refused(test *t)
{
	rbl_convex *convex = make_convex(t);
	rbl_compound_part part = { .convex = convex };
	rbl_compound_def def = rbl_default_compound_def();
	rbl_compound *compound = NULL;
	def.parts = &part, def.part_count = 1;
	CHECK(t, rbl_create_compound(&def, &compound) == RBL_OK);
	rbl_cluster_level empty = { .strength = 1.0 };
	rbl_set_log(count_lines, NULL);
	CHECK(t, rbl_compound_cluster(compound, &empty, 1, NULL) == RBL_BAD_ARGUMENT);
	check_sentence(t, "level 0");
	CHECK(t, rbl_compound_cluster(compound, &empty, 0, NULL) == RBL_BAD_ARGUMENT);
	check_sentence(t, "level_count is 0");
	rbl_set_log(NULL, NULL);
	rbl_destroy_compound(compound);
	rbl_destroy_convex(convex);
}

static void a_joint_to_itself_is_refused(test *t)
{
	scene s;
	rbl_world_def world_def = scene_def(&s, 1);
	scene_create(&s, &world_def);
	rbl_body_id body = scene_add(&s, s.box, 0.0f, 1.0f, 0.0f);
	uint64_t before = rbl_world_hash(s.world);
	for (int kind = 0; kind < RBL_JOINT_KIND_COUNT; ++kind) {
		rbl_joint_def def = rbl_default_joint_def((rbl_joint_kind)kind);
		def.body_a = def.body_b = body;
		rbl_set_log(count_lines, NULL);
		CHECK(t, !rbl_joint_exists(s.world, rbl_create_joint(s.world, &def)));
		check_sentence(t, "a joint needs two bodies");
		rbl_set_log(NULL, NULL);
	}
	CHECK(t, rbl_world_hash(s.world) == before);
	scene_destroy(&s);
}

static void a_rule_without_patterns_is_refused(test *t)
{
	rbl_damage_level level = { .energy = 1.0, .pattern = NULL, .radius = 1.0 };
	rbl_material_def def = rbl_default_material_def();
	rbl_material *material = NULL;
	def.damage.levels = &level, def.damage.level_count = 1;
	rbl_set_log(count_lines, NULL);
	CHECK(t, rbl_create_material(&def, &material) == RBL_BAD_ARGUMENT && !material);
	check_sentence(t, "level 0 has no pattern");
	def.damage.levels = NULL;
	CHECK(t, rbl_create_material(&def, &material) == RBL_BAD_ARGUMENT && !material);
	check_sentence(t, "levels is NULL");
	rbl_set_log(NULL, NULL);
}

static void a_list_without_shapes_is_refused(test *t)
{
	rbl_compound_def parts = rbl_default_compound_def();
	rbl_collider_def children = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	rbl_pattern_def cells = rbl_default_pattern_def();
	rbl_compound *compound = NULL;
	rbl_collider *collider = NULL;
	rbl_pattern *pattern = NULL;
	cells.kind = RBL_PATTERN_CELLS;
	rbl_set_log(count_lines, NULL);
	CHECK(t, rbl_create_compound(&parts, &compound) == RBL_BAD_ARGUMENT && !compound);
	check_sentence(t, "parts");
	CHECK(t, rbl_create_collider(&children, &collider) == RBL_BAD_ARGUMENT && !collider);
	check_sentence(t, "child");
	CHECK(t, rbl_create_pattern(&cells, &pattern) == RBL_BAD_ARGUMENT && !pattern);
	check_sentence(t, "given_count is 0");
	rbl_set_log(NULL, NULL);
}

TEST_MAIN(TEST(an_unknown_material_is_refused), TEST(an_empty_cluster_is_refused),
          TEST(a_joint_to_itself_is_refused), TEST(a_rule_without_patterns_is_refused),
          TEST(a_list_without_shapes_is_refused))
