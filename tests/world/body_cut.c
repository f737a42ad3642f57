// SPDX-License-Identifier: MIT
// Bodies cut in two along a plane: rbl_body_cut().

#include "../test.h"
#include "breakable.h"
#include "tape.h"

static const rbl_vec3 none = { 0.0f, 0.0f, 0.0f };

// How far the parts of a body reach along a direction, in the world.
static void reach_of(const rbl_world *world, rbl_body_id body, rbl_vec3d along, double *least,
                     double *most)
{
	const rbl_compound *compound = rbl_body_get_compound(world, body);
	rbl_transform pose = rbl_body_pose(world, body);
	*least = INFINITY, *most = -INFINITY;
	for (int i = 0; i < rbl_compound_get_info(compound).part_end; ++i) {
		const rbl_convex *convex = rbl_compound_get_part(compound, i).convex;
		rbl_convex_data data = convex ? rbl_convex_get_data(convex) : (rbl_convex_data){ 0 };
		for (int v = 0; v < data.vertex_count; ++v) {
			rbl_vec3 at = rbl_transform_point(pose, rbl_to_f(data.vertices[v]));
			*least = rbl_mind(*least, rbl_dot_d(rbl_to_d(at), along));
			*most = rbl_maxd(*most, rbl_dot_d(rbl_to_d(at), along));
		}
	}
}

// Whatever the plane, the halves are the whole, and each is on one side.
static void halves_make_the_whole(test *t)
{
	for (uint64_t seed = 1; seed <= 12; ++seed) {
		breakable b;
		breakable_make(t, &b, NULL, none, seed);
		rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
		rbl_random random = rbl_random_from_seed(seed);
		def.pose.position = (rbl_vec3){ 3.0f, 2.0f, -1.0f };
		def.velocity = (rbl_vec3){ 1.0f, 0.0f, 0.5f };
		rbl_body_id body = rbl_create_body(b.s.world, &def);
		sums before = breakable_sums(b.s.world);
		rbl_vec3 normal = rbl_to_f(rbl_normalize_d(rbl_random_in_ball(&random)));
		rbl_vec3 point = def.pose.position, other = { normal.y, normal.z, -normal.x };
		point = rbl_add_scaled(point, (float)rbl_random_range(&random, -0.3, 0.3), normal);
		point = rbl_add_scaled(point, 40.0f, rbl_cross(normal, other)); // far away, in the plane
		CHECK(t, rbl_body_cut(b.s.world, body, point, rbl_scale(7.0f, normal)) == RBL_OK);
		rbl_vec3d along = rbl_to_d(normal);
		double at = rbl_dot_d(along, rbl_to_d(point));
		CHECK(t, rbl_world_step(b.s.world, 1e-6f) == RBL_OK);
		rbl_events e = rbl_world_get_events(b.s.world);
		CHECK(t, e.fracture_count == 1 && e.fractures[0].cause == RBL_FRACTURE_CUT);
		CHECK(t,
		      e.fracture_count == 1 && e.fractures[0].new_count == 2 && !e.fractures[0].survives);
		for (int i = 0; e.fracture_count == 1 && i < e.fractures[0].new_count; ++i) {
			double least, most;
			reach_of(b.s.world, e.fractures[0].new_bodies[i], along, &least, &most);
			CHECK(t, least >= at - 1e-4 || most <= at + 1e-4);
		}
		sums after = breakable_sums(b.s.world);
		CHECK_NEAR(t, after.mass / before.mass, 1.0, 1e-6);
		CHECK(t, rbl_distance_d(after.momentum, before.momentum) <= 1e-5 * before.momentum_size);
		breakable_destroy(&b);
	}
}

static void a_plane_that_misses_cuts_nothing(test *t)
{
	breakable b;
	breakable_make(t, &b, NULL, none, 1);
	rbl_body_def def = breakable_def(&b, RBL_BODY_DYNAMIC);
	rbl_body_id body = rbl_create_body(b.s.world, &def);
	rbl_vec3 beside = { 0.0f, 0.6f, 0.0f }, up = { 0.0f, 1.0f, 0.0f };
	uint64_t hash = rbl_world_hash(b.s.world);
	CHECK(t, rbl_body_cut(b.s.world, body, beside, up) == RBL_OK);
	scene_steps(&b.s, 3);
	CHECK(t, rbl_world_body_count(b.s.world) == 1 && rbl_world_hash(b.s.world) == hash);
	CHECK(t, rbl_world_get_stats(b.s.world).breaking_count == 0);
	CHECK(t, rbl_body_cut(b.s.world, body, none, none) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_body_cut(b.s.world, body, (rbl_vec3){ NAN, 0.0f, 0.0f }, up) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_body_cut(b.s.world, (rbl_body_id){ 0, 0 }, none, up) == RBL_STALE_ID);
	rbl_body_def plain = scene_body(b.s.box, 5.0f, 0.0f, 0.0f);
	rbl_body_id whole = rbl_create_body(b.s.world, &plain);
	CHECK(t, rbl_body_cut(b.s.world, whole, none, up) == RBL_UNSUPPORTED);
	b.rule.min_size = 1.5; // what is smaller does not break
	breakable_share(&b, &def);
	CHECK(t, rbl_body_set_shared_material(b.s.world, body, b.material) == RBL_OK);
	CHECK(t, rbl_body_cut(b.s.world, body, none, up) == RBL_OK);
	scene_steps(&b.s, 2);
	CHECK(t, rbl_world_body_count(b.s.world) == 2);
	breakable_destroy(&b);
}

// A wall of bonded parts, its lowest ones fixed: what is above the cut is one body, and comes down.
static void parts_on_one_side_stay_together(test *t)
{
	breakable b;
	breakable_make(t, &b, NULL, none, 3);
	rbl_pattern_def bricks = rbl_default_pattern_def();
	bricks.kind = RBL_PATTERN_BRICKS;
	bricks.size = (rbl_vec3d){ 4.0, 4.0, 4.0 };
	bricks.brick_size = (rbl_vec3d){ 0.25, 0.125, 2.0 };
	rbl_pattern *pattern = NULL;
	CHECK(t, rbl_create_pattern(&bricks, &pattern) == RBL_OK);
	rbl_compound_def wall = rbl_default_compound_def();
	wall.mesh = b.own_mesh, wall.pattern = pattern;
	rbl_compound *compound = NULL;
	CHECK(t, rbl_create_compound(&wall, &compound) == RBL_OK);
	rbl_anchor_def lowest = rbl_default_anchor_def();
	lowest.lowest = 0.05;
	CHECK(t, rbl_compound_anchor(compound, &lowest, NULL) == RBL_OK);
	int parts = rbl_compound_get_info(compound).part_count;
	CHECK(t, parts > 20);
	rbl_body_def def = breakable_def(&b, RBL_BODY_STATIC);
	def.asset = NULL, def.compound = compound;
	rbl_body_id body = rbl_create_body(b.s.world, &def);
	CHECK(t, rbl_body_cut(b.s.world, body, none, (rbl_vec3){ 0.5f, 1.0f, 0.0f }) == RBL_OK);
	CHECK(t, rbl_world_step(b.s.world, 1.0f / 60.0f) == RBL_OK);
	static rbl_body_id ids[BREAKABLE_MOST];
	int count = rbl_world_get_bodies(b.s.world, ids, BREAKABLE_MOST), moving = 0, sum = 0;
	for (int i = 0; i < count && i < BREAKABLE_MOST; ++i) {
		moving += rbl_body_get_state(b.s.world, ids[i]).kind == RBL_BODY_DYNAMIC;
		sum += rbl_compound_get_info(rbl_body_get_compound(b.s.world, ids[i])).part_count;
	}
	CHECK(t, count == 2 && moving == 1);
	CHECK(t, sum > parts && sum < 2 * parts); // only what the plane passes is cut
	breakable_destroy(&b);
	rbl_destroy_pattern(pattern);
}

static void append(void *user, const void *bytes, size_t size)
{
	tape_write(user, bytes, size);
}

static uint64_t cut_and_step(breakable *b, rbl_body_id body, int from, int to)
{
	for (int i = from; i < to; ++i) {
		if (i == 5)
			rbl_body_cut(b->s.world, body, (rbl_vec3){ 0.0f, 0.1f, 0.0f },
			             (rbl_vec3){ 0.7f, 1.0f, 0.2f });
		rbl_world_step(b->s.world, 1.0f / 60.0f);
	}
	return rbl_world_hash(b->s.world);
}

// Recorded, saved while it is cut, and logged, it is the same.
static void cuts_repeat(test *t)
{
	uint64_t hash = 0, recorded = 0;
	bytes_tape log = { .most_writes = INT32_MAX };
	for (int run = 0; run < 4; ++run) {
		breakable b;
		breakable_prepare(t, &b, NULL, 5);
		rbl_world_def def = scene_def(&b.s, 1 + run % 2);
		def.budget = 1; // a slice in each step
		scene_create(&b.s, &def);
		scene_add_floor(&b.s);
		rbl_body_def of = breakable_def(&b, RBL_BODY_DYNAMIC);
		of.pose.position.y = 0.5f;
		b.level.energy = 1e9;
		breakable_share(&b, &of);
		rbl_body_id body = rbl_create_body(b.s.world, &of);
		rbl_sources sources = rbl_default_sources();
		const rbl_asset *assets[1] = { b.asset };
		const rbl_pattern *patterns[1] = { b.pattern };
		sources.assets = assets, sources.asset_count = 1;
		sources.patterns = patterns, sources.pattern_count = 1;
		bytes_tape tape = { 0 };
		rbl_recording_def recording = tape_def(&tape, true);
		if (run == 0)
			CHECK(t, rbl_world_log_fractures(b.s.world, append, &log) == RBL_OK);
		if (run == 1)
			CHECK(t, rbl_world_begin_recording(b.s.world, &recording) == RBL_OK);
		if (run == 3) { // the log alone
			CHECK(t, log.size > 0 && rbl_world_apply_fractures(b.s.world, log.bytes, log.size,
			                                                   &sources) == RBL_OK);
			CHECK(t, rbl_world_body_count(b.s.world) == 3);
		}
		for (int i = 0; i < 60 && run < 3; ++i) {
			uint64_t now = cut_and_step(&b, body, i, i + 1);
			if (run != 2 || i < 5 || i > 8)
				continue;
			rbl_world *loaded = NULL;
			size_t size = 0;
			CHECK(t, rbl_world_save(b.s.world, NULL, &size) == RBL_OK);
			unsigned char *bytes = malloc(size);
			CHECK(t, rbl_world_save(b.s.world, bytes, &size) == RBL_OK);
			CHECK(t, rbl_world_load(bytes, size, &def, &sources, &loaded) == RBL_OK);
			free(bytes);
			if (!loaded)
				break;
			rbl_destroy_world(b.s.world);
			b.s.world = loaded;
			CHECK(t, rbl_world_hash(loaded) == now);
		}
		if (run == 0)
			hash = rbl_world_hash(b.s.world);
		CHECK(t, run == 3 ||
		             (rbl_world_hash(b.s.world) == hash && rbl_world_body_count(b.s.world) == 3));
		if (run == 1) {
			CHECK(t, rbl_world_end_recording(b.s.world) == RBL_OK);
			CHECK(t, tape_play(t, &tape, &sources, 1, &recorded) == 60 && recorded == hash);
			free(tape.bytes);
		}
		CHECK(t, rbl_world_get_stats(b.s.world).lost_count == 0);
		breakable_destroy(&b);
	}
	free(log.bytes);
}

TEST_MAIN(TEST(halves_make_the_whole), TEST(a_plane_that_misses_cuts_nothing),
          TEST(parts_on_one_side_stay_together), TEST(cuts_repeat))
