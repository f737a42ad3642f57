// SPDX-License-Identifier: MIT
// Bending: taken apart, moved, and joined again, with nothing lost.

#include "compounds.h"
#include "faulty_allocator.h"
#include "invariants.h"

#include <rubble/asset.h>
#include <rubble/bend.h>

enum { BAR = 10 };

static const rbl_transformd still = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0, 1.0 } };

static rbl_compound *bar(const rbl_allocator *allocator)
{
	rbl_vec3d size = { 0.2, 0.1, 0.1 };
	return wall(BAR, 1, 1, size, (rbl_vec3d){ 0, 0, 0 }, allocator);
}

// Parts of a prepared arch, with meshes.
static rbl_compound *arch(void)
{
	rbl_arch_def def = rbl_default_arch_def();
	rbl_prepare_def prepare_def = rbl_default_prepare_def();
	rbl_mesh *mesh = NULL;
	rbl_asset *asset = NULL;
	rbl_compound *c = NULL;
	prepare_def.node_count = 8;
	if (rbl_create_arch_mesh(&def, &mesh) == RBL_OK &&
	    rbl_prepare(mesh, &prepare_def, &asset) == RBL_OK)
		rbl_asset_create_compound(asset, NULL, &c);
	rbl_destroy_asset(asset);
	rbl_destroy_mesh(mesh);
	return c;
}

// Piece i of the bar on a circle: each joint turns by the same small angle.
static rbl_transformd on_a_circle(int i, double angle)
{
	rbl_transformd pose = still;
	for (int k = 1; k <= i; ++k) {
		rbl_vec3d joint = { 0.2 * k, 0.05, 0.05 };
		rbl_transformd turn = { { 0, 0, 0 }, { 0.0, 0.0, 0.5 * angle, 1.0 } };
		turn.rotation = rbl_quat_normalize_d(turn.rotation);
		turn.position = rbl_sub_d(joint, rbl_rotate_d(turn.rotation, joint));
		pose = (rbl_transformd){ rbl_transform_point_d(pose, turn.position),
			                     rbl_quat_mul_d(pose.rotation, turn.rotation) };
	}
	return pose;
}

static rbl_bending *begin(test *t, rbl_compound *c)
{
	rbl_bending_def def = rbl_default_bending_def();
	rbl_bending *bending = NULL;
	CHECK(t, rbl_begin_bending(c, &def, &bending) == RBL_OK);
	return bending;
}

static void what_does_not_move_is_the_same_body(test *t)
{
	for (int kind = 0; kind < 2; ++kind) {
		rbl_compound *c = kind ? arch() : bar(NULL);
		uint64_t before = compound_hash(c);
		rbl_bending *bending = begin(t, c);
		int n = rbl_bending_piece_count(bending);
		rbl_transformd poses[64];
		int homes[64];
		CHECK(t, n > 1 && n <= 64);
		for (int i = 0; i < n; ++i) {
			poses[i] = still;
			CHECK(t, rbl_compound_get_info(rbl_bending_get_piece(bending, i)).part_count == 1);
		}
		rbl_break *joined = NULL;
		CHECK(t, rbl_finish_bending(bending, poses, homes, &joined) == RBL_OK);
		CHECK(t, rbl_break_get_data(joined).compound_count == 1);
		c = rbl_break_take(joined, 0);
		CHECK(t, compound_hash(c) == before && is_sound(c));
		for (int i = 0; i < n; ++i)
			CHECK(t, homes[i] == 0);
		rbl_destroy_break(joined);
		rbl_destroy_compound(c);
	}
}

static void steps_are_counted(test *t)
{
	rbl_bending_def def = rbl_default_bending_def();
	def.step_count = 3;
	rbl_bending *bending = NULL;
	CHECK(t, rbl_begin_bending(bar(NULL), &def, &bending) == RBL_OK);
	CHECK(t, rbl_bending_step(bending) == 2 && rbl_bending_step(bending) == 1);
	CHECK(t, rbl_bending_step(bending) == 0 && rbl_bending_step(bending) == 0);
	rbl_destroy_bending(bending);
}

static void a_bar_bends_and_keeps_all_it_has(test *t)
{
	rbl_compound *c = bar(NULL);
	double volume = rbl_compound_get_mass(c).volume;
	rbl_bending *bending = begin(t, c);
	rbl_transformd poses[BAR];
	for (int i = 0; i < BAR; ++i)
		poses[i] = on_a_circle(i, 0.1);
	rbl_break *joined = NULL;
	CHECK(t, rbl_finish_bending(bending, poses, NULL, &joined) == RBL_OK);
	CHECK(t, rbl_break_get_data(joined).compound_count == 1);
	c = rbl_break_take(joined, 0);
	rbl_destroy_break(joined);
	CHECK(t, is_sound(c));
	CHECK_NEAR(t, rbl_compound_get_mass(c).volume, volume, 1e-12);
	rbl_compound_info info = rbl_compound_get_info(c);
	CHECK(t, info.part_count == BAR && info.bond_count == BAR - 1);
	rbl_boxd first = rbl_convex_bounds(c->parts.data[0].convex);
	rbl_boxd last = rbl_convex_bounds(c->parts.data[BAR - 1].convex);
	CHECK(t, last.lower.y > first.upper.y + 0.3); // it goes up
	rbl_compound_bond bond;
	CHECK(t, rbl_compound_get_bonds(c, 0, &bond, 1) == 1 && bond.face == -1);
	CHECK_NEAR(t, bond.area, 0.01, 1e-12);
	CHECK_NEAR(t, bond.centre.x, 0.2, 1e-9);

	// A hit in the middle leaves two arms that still hang together by their bent joints.
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.0, 80, 3);
	rbl_break_def def = rbl_default_break_def();
	def.pattern = pattern;
	def.position = rbl_box_centre_d(rbl_convex_bounds(c->parts.data[5].convex));
	def.radius = 0.06;
	rbl_break *broken = NULL;
	CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_OK);
	CHECK(t, is_sound(c));
	CHECK_NEAR(t, rbl_compound_get_mass(c).volume + broken_volume(broken), volume, 1e-9);
	int arms = rbl_compound_get_info(c).part_count >= 4;
	rbl_break_data data = rbl_break_get_data(broken);
	for (int i = 0; i < data.compound_count; ++i)
		arms += rbl_compound_get_info(data.compounds[i]).part_count >= 4;
	CHECK(t, arms == 2);
	rbl_destroy_break(broken);
	rbl_destroy_compound(c);
	rbl_destroy_pattern(pattern);
}

// A part that is cut hands its bent joint to the piece that is nearest to it.
static void pieces_inherit_bent_joints(test *t)
{
	rbl_bending *bending = begin(t, bar(NULL));
	rbl_transformd poses[BAR];
	for (int i = 0; i < BAR; ++i)
		poses[i] = on_a_circle(i, 0.05);
	rbl_break *joined = NULL, *broken = NULL;
	CHECK(t, rbl_finish_bending(bending, poses, NULL, &joined) == RBL_OK);
	rbl_compound *c = rbl_break_take(joined, 0);
	rbl_destroy_break(joined);
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 0.5, 100, 3);
	rbl_break_def def = rbl_default_break_def();
	def.pattern = pattern;
	def.position = (rbl_vec3d){ 0.0, 0.1, 0.1 }; // a corner of the free end of part 0
	def.radius = 0.03;
	CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_OK);
	CHECK(t, rbl_break_get_data(broken).compound_count > 0);
	CHECK(t, component_count(c) == 1 && rbl_compound_get_info(c).part_count >= BAR);
	rbl_destroy_break(broken);
	rbl_destroy_pattern(pattern);
	rbl_destroy_compound(c);
}

static void what_moved_far_goes_by_itself(test *t)
{
	rbl_bending *bending = begin(t, bar(NULL));
	rbl_transformd poses[BAR];
	int homes[BAR];
	for (int i = 0; i < BAR; ++i) {
		poses[i] = still;
		poses[i].position.x = i < 4 ? 0.0 : i < 7 ? 0.04 : 0.5; // of a reach of 0.05
	}
	CHECK(t, rbl_compound_get_info(rbl_bending_get_piece(bending, 8)).part_count == 1);
	rbl_compound *taken = rbl_bending_take(bending, 8);
	CHECK(t, taken && !rbl_bending_take(bending, 8) && !rbl_bending_get_piece(bending, 8));
	rbl_break *joined = NULL;
	CHECK(t, rbl_finish_bending(bending, poses, homes, &joined) == RBL_OK);
	rbl_break_data data = rbl_break_get_data(joined);
	CHECK(t, data.compound_count == 3); // 0 to 6, 7, and 9 without its neighbour
	for (int i = 0; i < BAR; ++i)
		CHECK(t, homes[i] == (i < 7 ? 0 : i == 7 ? 1 : i == 8 ? -1 : 2));
	CHECK(t, rbl_compound_get_info(data.compounds[0]).part_count == 7);
	for (int i = 0; i < 3; ++i)
		CHECK(t, is_sound(data.compounds[i]));
	rbl_destroy_break(joined);
	rbl_destroy_compound(taken);
}

static void meshes_move_with_their_parts(test *t)
{
	rbl_compound *c = arch();
	double volume = 0.0, after = 0.0;
	for (int i = 0; i < rbl_compound_get_info(c).part_end; ++i)
		volume += rbl_mesh_get_mass(rbl_compound_get_part(c, i).mesh).volume;
	rbl_bending *bending = begin(t, c);
	int n = rbl_bending_piece_count(bending), outside = 0;
	rbl_transformd poses[64];
	for (int i = 0; i < n; ++i) {
		poses[i] = still;
		poses[i].rotation = (rbl_quatd){ 0.01 * i, 0.02, -0.01 * i, 1.0 };
		poses[i].rotation = rbl_quat_normalize_d(poses[i].rotation);
		poses[i].position = (rbl_vec3d){ 5.0, 0.01 * i, 0.0 };
	}
	rbl_break *joined = NULL;
	CHECK(t, rbl_finish_bending(bending, poses, NULL, &joined) == RBL_OK);
	rbl_break_data data = rbl_break_get_data(joined);
	for (int k = 0; k < data.compound_count; ++k) {
		CHECK(t, is_sound(data.compounds[k]));
		for (int i = 0; i < rbl_compound_get_info(data.compounds[k]).part_end; ++i) {
			rbl_compound_part part = rbl_compound_get_part(data.compounds[k], i);
			rbl_mesh_data mesh = rbl_mesh_get_data(part.mesh);
			rbl_convex_data convex = rbl_convex_get_data(part.convex);
			after += rbl_mesh_get_mass(part.mesh).volume;
			for (int v = 0; v < mesh.vertex_count; ++v)
				for (int f = 0; f < convex.face_count; ++f)
					outside += rbl_plane_distance_d(convex.planes[f], mesh.positions[v]) > 1e-9;
			CHECK(t, mesh.positions[0].x > 2.0);
		}
	}
	CHECK_NEAR(t, after, volume, 1e-9 * volume);
	CHECK(t, outside == 0);
	rbl_destroy_break(joined);
}

static void memory_may_run_out_anywhere(test *t)
{
	bool has_failed = true;
	for (int n = 0; has_failed; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, 1 << 30);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_compound *c = bar(&allocator);
		uint64_t before = compound_hash(c);
		rbl_bending_def def = rbl_default_bending_def();
		rbl_bending *bending = NULL;
		rbl_break *joined = NULL;
		rbl_transformd poses[BAR];
		for (int i = 0; i < BAR; ++i)
			poses[i] = on_a_circle(i, 0.1);
		memory.allowed = n;
		rbl_result result = rbl_begin_bending(c, &def, &bending);
		if (result != RBL_OK)
			CHECK(t, compound_hash(c) == before && !bending);
		else
			result = rbl_finish_bending(bending, poses, NULL, &joined);
		has_failed = memory.failed;
		CHECK(t, (result == RBL_OUT_OF_MEMORY) == has_failed && !joined == has_failed);
		memory.allowed = 1 << 30;
		if (bending && has_failed) // it can be tried again
			CHECK(t, rbl_finish_bending(bending, poses, NULL, &joined) == RBL_OK);
		if (!bending)
			rbl_destroy_compound(c);
		rbl_destroy_break(joined);
		CHECK(t, memory.live_bytes == 0);
	}
}

static void bad_calls_are_refused(test *t)
{
	rbl_compound *c = bar(NULL);
	rbl_bending_def def = rbl_default_bending_def(), bad = { 0 };
	rbl_bending *bending = NULL;
	rbl_break *joined = NULL;
	CHECK(t, rbl_begin_bending(c, &def, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_begin_bending(NULL, &def, &bending) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_begin_bending(c, &bad, &bending) == RBL_BAD_ARGUMENT);
	bad = def;
	bad.step_count = 0;
	CHECK(t, rbl_begin_bending(c, &bad, &bending) == RBL_BAD_ARGUMENT);
	bad = def;
	bad.max_stretch = NAN;
	CHECK(t, rbl_begin_bending(c, &bad, &bending) == RBL_BAD_ARGUMENT && !bending);
	CHECK(t, rbl_begin_bending(c, &def, &bending) == RBL_OK);
	rbl_transformd poses[BAR];
	for (int i = 0; i < BAR; ++i)
		poses[i] = still;
	CHECK(t, rbl_finish_bending(NULL, poses, NULL, &joined) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_finish_bending(bending, NULL, NULL, &joined) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_finish_bending(bending, poses, NULL, NULL) == RBL_BAD_ARGUMENT);
	poses[3].rotation.w = 2.0;
	CHECK(t, rbl_finish_bending(bending, poses, NULL, &joined) == RBL_BAD_ARGUMENT);
	poses[3] = still;
	poses[4].position.y = INFINITY;
	CHECK(t, rbl_finish_bending(bending, poses, NULL, &joined) == RBL_BAD_ARGUMENT && !joined);
	CHECK(t, !rbl_bending_get_piece(bending, -1) && !rbl_bending_take(bending, BAR));
	CHECK(t, rbl_bending_piece_count(NULL) == 0 && rbl_bending_step(NULL) == 0);
	rbl_destroy_bending(bending);
	rbl_destroy_bending(NULL);
}

TEST_MAIN(TEST(what_does_not_move_is_the_same_body), TEST(steps_are_counted),
          TEST(a_bar_bends_and_keeps_all_it_has), TEST(pieces_inherit_bent_joints),
          TEST(what_moved_far_goes_by_itself), TEST(meshes_move_with_their_parts),
          TEST(memory_may_run_out_anywhere), TEST(bad_calls_are_refused))
