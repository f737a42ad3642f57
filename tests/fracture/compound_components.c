// SPDX-License-Identifier: MIT
// ctest: soak
// What hangs together after a break: the rest, islands, cells that are one again, cracks that stay.

#include "compounds.h"

// Figure 5: the glass outside of the impacts stays one, and its inner faces stay hidden.
static void a_window_is_struck_ten_times(test *t)
{
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.kind = RBL_PATTERN_WEB;
	pattern_def.size = (rbl_vec3d){ 1.0, 1.0, 1.0 };
	rbl_pattern *pattern = NULL;
	CHECK(t, rbl_create_pattern(&pattern_def, &pattern) == RBL_OK);
	rbl_compound *c = block((rbl_vec3d){ 1.0, 0.75, 0.005 }, NULL);
	rbl_compound_set_anchored(c, 0, true);
	rbl_random random = rbl_random_from_seed(11);
	double before = rbl_compound_get_mass(c).volume, fallen = 0.0;
	int shards = 0;
	for (int strike = 0; strike < 10; ++strike) {
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern;
		def.position = (rbl_vec3d){ rbl_random_range(&random, -0.8, 0.8),
			                        rbl_random_range(&random, -0.6, 0.6), 0.0 };
		def.radius = 0.12;
		rbl_break *broken = break_and_check(t, c, &def);
		rbl_break_data data = rbl_break_get_data(broken);
		shards += data.compound_count;
		fallen += broken_volume(broken);
		CHECK(t, component_count(c) == 1);
		CHECK(t, rbl_compound_get_info(c).anchored_count > 0);
		rbl_destroy_break(broken);
	}
	CHECK_NEAR(t, (fallen + rbl_compound_get_mass(c).volume) / before, 1.0, 1e-9);
	CHECK(t, shards > 200);
	CHECK(t, rbl_compound_get_mass(c).volume > 0.5 * before);
	// Faces that are neither front, back, rim nor at a hole are covered by their neighbours.
	int hidden = 0, seen = 0;
	for (int i = 0; i < c->parts.count; ++i) {
		if (!c->parts.data[i].convex)
			continue;
		double shares[RBL_MAX_CONVEX_FACES];
		rbl_compound_get_face_shares(c, i, shares);
		rbl_convex_data d = rbl_convex_get_data(c->parts.data[i].convex);
		for (int f = 0; f < d.face_count; ++f) {
			if (fabs(d.planes[f].normal.z) < 0.5) {
				hidden += shares[f] > 1.0 - 1e-6;
				seen += shares[f] < 1e-6;
			}
		}
	}
	CHECK(t, hidden > 300 && seen > 20);
	rbl_destroy_compound(c);
	rbl_destroy_pattern(pattern);
}

// A wall that loses its middle: what stands on the ground stands, what hung above falls.
static void the_rest_falls_without_support(test *t)
{
	rbl_compound *c =
		wall(4, 9, 1, (rbl_vec3d){ 1.0, 1.0, 1.0 }, (rbl_vec3d){ -2.0, 0.0, 0.0 }, NULL);
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 20.0, 1, 1);
	rbl_break_def def = rbl_default_break_def();
	def.pattern = pattern; // one cell: the bricks inside of the sphere come out whole
	def.position = (rbl_vec3d){ 0.0, 4.5, 0.5 };
	def.shape = (rbl_mat3d){ { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
	def.radius = 2.45;
	rbl_break *broken = break_and_check(t, c, &def);
	rbl_break_data data = rbl_break_get_data(broken);
	CHECK(t, data.compound_count == 2); // what was struck out, and one side of the gap
	int standing = 0, falling = 0;
	for (int i = -1; i < data.compound_count; ++i) {
		const rbl_compound *part = i < 0 ? c : data.compounds[i];
		rbl_compound_info info = rbl_compound_get_info(part);
		double height = rbl_compound_get_mass(part).centre.y;
		standing += info.anchored_count > 0;
		falling += info.anchored_count == 0;
		CHECK(t, (info.anchored_count == 4) == (height < 2.5));
	}
	CHECK(t, standing == 1 && falling == 2);
	rbl_destroy_break(broken);
	rbl_destroy_compound(c);
	rbl_destroy_pattern(pattern);
}

static void cells_filled_by_parts_are_welded(test *t)
{
	for (int welds = 0; welds < 2; ++welds) {
		rbl_compound *c =
			wall(6, 6, 6, (rbl_vec3d){ 0.2, 0.2, 0.2 }, (rbl_vec3d){ -0.6, -0.6, -0.6 }, NULL);
		rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.0, 40, 3);
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern;
		def.welds = welds == 1;
		rbl_break *broken = break_and_check(t, c, &def);
		rbl_break_data data = rbl_break_get_data(broken);
		int single = 0, parts = 0;
		for (int i = 0; i < data.compound_count; ++i) {
			int count = rbl_compound_get_info(data.compounds[i]).part_count;
			single += count == 1;
			parts += count;
		}
		CHECK(t, (data.welded_count > 3) == (welds == 1));
		CHECK(t, single >= data.welded_count);
		CHECK(t, parts <= data.made_count);
		rbl_destroy_break(broken);
		rbl_destroy_compound(c);
		rbl_destroy_pattern(pattern);
	}
}

// Neither welding nor a new contact heals a bond that was broken before.
static void old_cracks_stay_open(test *t)
{
	rbl_compound *c =
		wall(2, 1, 1, (rbl_vec3d){ 1.0, 1.0, 1.0 }, (rbl_vec3d){ -1.0, -0.5, -0.5 }, NULL);
	// A third part keeps them one compound.
	rbl_compound_part parts[3] = { rbl_compound_get_part(c, 0), rbl_compound_get_part(c, 1) };
	rbl_convex *floor = box_convex((rbl_vec3d){ -1.0, -1.5, -0.5 }, (rbl_vec3d){ 1.0, -0.5, 0.5 });
	parts[2].convex = floor;
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = parts;
	def.part_count = 3;
	rbl_compound *three = NULL;
	CHECK(t, rbl_create_compound(&def, &three) == RBL_OK);
	CHECK(t, rbl_compound_get_info(three).bond_count == 3);
	const int pair[2] = { 0, 1 };
	rbl_break *broken = NULL;
	CHECK(t, rbl_compound_break_bonds(three, pair, 1, &broken) == RBL_OK);
	CHECK(t, rbl_break_get_data(broken).compound_count == 0);
	CHECK(t, rbl_compound_get_info(three).bond_count == 2);
	rbl_destroy_break(broken);

	rbl_vec3d sites[2] = { { 0.0, 5.0, 0.0 }, { 0.0, -5.4, 0.0 } };
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.kind = RBL_PATTERN_SITES;
	pattern_def.size = (rbl_vec3d){ 20.0, 20.0, 20.0 };
	pattern_def.sites = sites;
	pattern_def.given_count = 2;
	rbl_pattern *pattern = NULL;
	CHECK(t, rbl_create_pattern(&pattern_def, &pattern) == RBL_OK);
	rbl_break_def break_def = rbl_default_break_def();
	break_def.pattern = pattern;
	break_def.position.y = -0.3; // the plane between the cells is where the bricks stand
	broken = break_and_check(t, three, &break_def);
	CHECK(t, rbl_break_get_data(broken).compound_count == 3); // two bricks apart, and the floor
	rbl_destroy_break(broken);
	rbl_destroy_pattern(pattern);
	rbl_destroy_compound(three);
	rbl_destroy_compound(c);
	rbl_destroy_convex(floor);
}

static void colours_keep_cells_together(test *t)
{
	rbl_vec3d sites[64];
	int colors[64];
	for (int i = 0; i < 64; ++i) {
		sites[i] = (rbl_vec3d){ (i % 4 + 0.5) / 4 - 0.5, (i / 4 % 4 + 0.5) / 4 - 0.5,
			                    (i / 16 + 0.5) / 4 - 0.5 };
		colors[i] = i / 16 - 2; // layers; negative colours are colours too
	}
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.kind = RBL_PATTERN_SITES;
	pattern_def.size = (rbl_vec3d){ 1.0, 1.0, 1.0 };
	pattern_def.sites = sites;
	pattern_def.colors = colors;
	pattern_def.given_count = 64;
	rbl_pattern *pattern = NULL;
	CHECK(t, rbl_create_pattern(&pattern_def, &pattern) == RBL_OK);
	rbl_compound *c = block((rbl_vec3d){ 0.5, 0.5, 0.5 }, NULL);
	rbl_break_def def = rbl_default_break_def();
	def.pattern = pattern;
	rbl_break *broken = break_and_check(t, c, &def);
	rbl_break_data data = rbl_break_get_data(broken);
	CHECK(t, data.compound_count == 4);
	for (int i = 0; i < data.compound_count; ++i)
		CHECK(t, rbl_compound_get_info(data.compounds[i]).part_count == 16);
	rbl_destroy_break(broken);
	rbl_destroy_compound(c);
	rbl_destroy_pattern(pattern);
}

// The judge: a flood over everything.
static void islands_are_what_a_flood_finds(test *t)
{
	rbl_random random = rbl_random_from_seed(21);
	for (int round = 0; round < test_count(40, 1000); ++round) {
		rbl_compound *c =
			wall(8, 8, 2, (rbl_vec3d){ 1.0, 1.0, 1.0 }, (rbl_vec3d){ 0.0, 0.0, 0.0 }, NULL);
		double share = 0.1 + 0.02 * (round % 40);
		int pairs[2000], count = 0, total = 0;
		for (int i = 0; i < c->parts.count; ++i) {
			rbl_compound_bond bonds[32];
			int n = rbl_compound_get_bonds(c, i, bonds, 32);
			for (int k = 0; k < n; ++k) {
				if (bonds[k].other > i && rbl_random_double(&random) < share) {
					pairs[2 * count] = i;
					pairs[2 * count++ + 1] = bonds[k].other;
				}
			}
		}
		total = c->bond_count;
		for (int k = 0; k < 4; ++k) // in steps: what comes off is searched on its own
			pairs[2 * count + k] = pairs[k];
		rbl_break *broken = NULL;
		CHECK(t, rbl_compound_break_bonds(c, pairs, count + 2, &broken) == RBL_OK);
		rbl_break_data data = rbl_break_get_data(broken);
		CHECK(t, is_sound(c) && component_count(c) == 1);
		int parts = c->part_count, bonds = c->bond_count;
		for (int i = 0; i < data.compound_count; ++i) {
			CHECK(t, is_sound(data.compounds[i]) && component_count(data.compounds[i]) == 1);
			parts += data.compounds[i]->part_count;
			bonds += data.compounds[i]->bond_count;
		}
		CHECK(t, parts == 128 && bonds == total - count);
		rbl_destroy_break(broken);
		rbl_destroy_compound(c);
	}
}

static void parts_that_never_touched_come_apart_when_asked(test *t)
{
	rbl_compound_part parts[3] = { 0 };
	rbl_convex *boxes[3];
	for (int i = 0; i < 3; ++i) {
		double x = i < 2 ? i : 5.0;
		boxes[i] = box_convex((rbl_vec3d){ x, 0.0, 0.0 }, (rbl_vec3d){ x + 1.0, 1.0, 1.0 });
		parts[i].convex = boxes[i];
	}
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = parts;
	def.part_count = 3;
	rbl_compound *c = NULL;
	CHECK(t, rbl_create_compound(&def, &c) == RBL_OK);
	CHECK(t, component_count(c) == 2);
	rbl_break *broken = NULL;
	CHECK(t, rbl_compound_break_bonds(c, NULL, 0, &broken) == RBL_OK);
	CHECK(t, rbl_break_get_data(broken).compound_count == 1 && c->part_count == 2);
	rbl_destroy_break(broken);
	CHECK(t, rbl_compound_break_bonds(c, NULL, 0, &broken) == RBL_OK);
	CHECK(t, rbl_break_get_data(broken).compound_count == 0);
	rbl_destroy_break(broken);
	rbl_destroy_compound(c);
	for (int i = 0; i < 3; ++i)
		rbl_destroy_convex(boxes[i]);
}

TEST_MAIN(TEST(a_window_is_struck_ten_times), TEST(the_rest_falls_without_support),
          TEST(cells_filled_by_parts_are_welded), TEST(old_cracks_stay_open),
          TEST(colours_keep_cells_together), TEST(islands_are_what_a_flood_finds),
          TEST(parts_that_never_touched_come_apart_when_asked))
