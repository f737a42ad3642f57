// SPDX-License-Identifier: MIT
// Breaks in steps: the same as in one go, whatever happens meanwhile.

#include "compounds.h"
#include "faulty_allocator.h"
#include "invariants.h"

#include "base/clock.h"

#include <rubble/asset.h>

static rbl_compound *make(int kind, const rbl_allocator *allocator)
{
	if (kind == 0) // bricks without meshes
		return wall(6, 4, 2, (rbl_vec3d){ 0.5, 0.25, 0.25 }, (rbl_vec3d){ 0, 0, 0 }, allocator);
	rbl_mesh *mesh = sample_shape(kind == 1 ? 3 : 6); // one shell in parts, two that overlap
	rbl_prepare_def def = rbl_default_prepare_def();
	def.node_count = 5;
	rbl_asset *asset = NULL;
	rbl_compound *c = NULL;
	if (rbl_prepare(mesh, &def, &asset) == RBL_OK)
		rbl_asset_create_compound(asset, allocator, &c);
	rbl_destroy_asset(asset);
	rbl_destroy_mesh(mesh);
	return c;
}

static rbl_break_def hit(const rbl_pattern *pattern, int which)
{
	rbl_break_def def = rbl_default_break_def();
	def.pattern = pattern;
	def.position = (rbl_vec3d){ 0.3 + 0.2 * which, 0.1, 0.1 };
	def.radius = 0.6;
	def.rotation_seed = (uint64_t)which + 1;
	return def;
}

static uint64_t strike(test *t, rbl_compound *c, const rbl_break_def *def)
{
	rbl_break *broken = NULL;
	CHECK(t, rbl_compound_break(c, def, &broken) == RBL_OK);
	CHECK(t, rbl_break_get_data(broken).compound_count > 0);
	uint64_t hash = break_hash(c, broken);
	rbl_destroy_break(broken);
	return hash;
}

static void any_budget_gives_the_same_bits(test *t)
{
	const int budgets[] = { 1, 7, 100, 1 << 20 };
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.0, 30, 3);
	rbl_break_def def = hit(pattern, 0);
	for (int kind = 0; kind < 3; ++kind) {
		rbl_compound *c = make(kind, NULL);
		uint64_t expected = strike(t, c, &def);
		rbl_destroy_compound(c);
		int last_steps = 1 << 30;
		for (int i = 0; i < 4; ++i) {
			c = make(kind, NULL);
			uint64_t before = compound_hash(c);
			rbl_task *pending = NULL;
			rbl_break *broken = NULL;
			bool is_ready = false;
			int steps = 0;
			CHECK(t, rbl_begin_break(c, &def, &pending) == RBL_OK);
			for (; !is_ready && steps < 100000; ++steps) {
				CHECK(t, rbl_task_work(pending, budgets[i], &is_ready) == RBL_OK);
				CHECK(t, compound_hash(c) == before); // nothing changes before the end
			}
			CHECK(t, is_ready && steps <= last_steps);
			CHECK(t, i > 0 || steps > 3);
			last_steps = steps;
			CHECK(t, rbl_finish_break(pending, &broken) == RBL_OK);
			CHECK(t, break_hash(c, broken) == expected);
			rbl_destroy_break(broken);
			rbl_destroy_compound(c);
		}
	}
	rbl_destroy_pattern(pattern);
}

// What cannot be divided is paid for: a large break takes as many slices as it has work, however small
// they are, within a factor.
static void slices_pay_for_what_they_do(test *t)
{
	const int budgets[] = { 4, 16, 64, 256 };
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 4.0, 60, 3);
	rbl_break_def def = hit(pattern, 0);
	def.radius = 2.0;
	int works[4];
	for (int i = 0; i < 4; ++i) {
		rbl_compound *c =
			wall(12, 10, 3, (rbl_vec3d){ 0.5, 0.25, 0.25 }, (rbl_vec3d){ 0, 0, 0 }, NULL);
		rbl_task *pending = NULL;
		bool is_ready = false;
		int steps = 0;
		CHECK(t, rbl_begin_break(c, &def, &pending) == RBL_OK);
		for (; !is_ready && steps < 100000; ++steps)
			CHECK(t, rbl_task_work(pending, budgets[i], &is_ready) == RBL_OK);
		works[i] = steps * budgets[i];
		rbl_destroy_task(pending);
		rbl_destroy_compound(c);
	}
	printf("%d, %d, %d, %d units of work\n", works[0], works[1], works[2], works[3]);
	for (int i = 1; i < 4; ++i)
		CHECK(t, works[i] < works[0] * 3 / 2 && works[i] > works[0] * 2 / 3);
	rbl_destroy_pattern(pattern);
}

static void a_second_hit_meanwhile_comes_first(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.0, 30, 3);
	rbl_break_def a = hit(pattern, 0), b = hit(pattern, 1);
	for (int kind = 0; kind < 3; ++kind) {
		rbl_compound *c = make(kind, NULL);
		strike(t, c, &b);
		rbl_break *broken = NULL;
		CHECK(t, rbl_compound_break(c, &a, &broken) == RBL_OK);
		uint64_t expected = break_hash(c, broken);
		rbl_destroy_break(broken);
		rbl_destroy_compound(c);

		c = make(kind, NULL);
		rbl_task *pending = NULL, *other = NULL;
		bool is_ready = false;
		CHECK(t, rbl_begin_break(c, &a, &pending) == RBL_OK);
		CHECK(t, rbl_begin_break(c, &b, &other) == RBL_OK);
		CHECK(t, rbl_task_work(pending, 5, &is_ready) == RBL_OK);
		CHECK(t, rbl_task_work(other, 9, &is_ready) == RBL_OK);
		CHECK(t, rbl_task_work(pending, 5, &is_ready) == RBL_OK);
		CHECK(t, rbl_finish_break(other, &broken) == RBL_OK);
		rbl_destroy_break(broken);
		CHECK(t, rbl_task_work(pending, 3, &is_ready) == RBL_OK);
		CHECK(t, rbl_finish_break(pending, &broken) == RBL_OK);
		CHECK(t, break_hash(c, broken) == expected);
		rbl_destroy_break(broken);
		rbl_destroy_compound(c);
	}
	rbl_destroy_pattern(pattern);
}

static void a_destroyed_compound_ends_its_breaks(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.0, 30, 3);
	rbl_break_def def = hit(pattern, 0);
	rbl_compound *c = make(1, NULL);
	rbl_task *pending = NULL;
	rbl_break *broken = NULL;
	bool is_ready = false;
	CHECK(t, rbl_begin_break(c, &def, &pending) == RBL_OK);
	CHECK(t, rbl_task_work(pending, 5, &is_ready) == RBL_OK);
	rbl_destroy_compound(c);
	CHECK(t, rbl_task_work(pending, 5, &is_ready) == RBL_BAD_ARGUMENT && !is_ready);
	CHECK(t, rbl_finish_break(pending, &broken) == RBL_BAD_ARGUMENT && !broken);
	rbl_destroy_task(pending);
	rbl_destroy_pattern(pattern);
}

static void giving_up_changes_nothing(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.0, 30, 3);
	rbl_break_def def = hit(pattern, 0);
	rbl_compound *c = make(2, NULL);
	uint64_t before = compound_hash(c);
	rbl_task *pending = NULL;
	bool is_ready = false;
	CHECK(t, rbl_begin_break(c, &def, &pending) == RBL_OK);
	CHECK(t, rbl_task_work(pending, 1 << 20, &is_ready) == RBL_OK && is_ready);
	rbl_destroy_task(pending);
	CHECK(t, compound_hash(c) == before && is_sound(c));
	rbl_destroy_compound(c);
	rbl_destroy_pattern(pattern);
	rbl_destroy_task(NULL);
}

static void what_failed_for_memory_can_be_tried_again(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.0, 12, 3);
	rbl_break_def def = hit(pattern, 0);
	rbl_compound *c = make(2, NULL);
	uint64_t expected = strike(t, c, &def);
	rbl_destroy_compound(c);
	bool has_failed = true;
	for (int n = 0; has_failed; n += 1 + n / 3) {
		faulty_allocator memory;
		faulty_init(&memory, 1 << 30);
		rbl_allocator allocator = FAULTY(&memory);
		c = make(2, &allocator);
		rbl_task *pending = NULL;
		rbl_break *broken = NULL;
		CHECK(t, rbl_begin_break(c, &def, &pending) == RBL_OK);
		memory.allowed = n;
		rbl_result result = rbl_finish_break(pending, &broken);
		has_failed = memory.failed;
		CHECK(t, (result == RBL_OUT_OF_MEMORY) == has_failed);
		memory.allowed = 1 << 30;
		if (result != RBL_OK)
			CHECK(t, rbl_finish_break(pending, &broken) == RBL_OK);
		CHECK(t, break_hash(c, broken) == expected);
		rbl_destroy_break(broken);
		rbl_destroy_compound(c);
		CHECK(t, memory.live_bytes == 0);
	}
	rbl_destroy_pattern(pattern);
}

// A pattern of thousands of cells is looked through, picked and placed in several slices, which each
// take memory.
static void placing_many_cells_takes_several_slices(test *t)
{
	rbl_pattern *pattern = NULL;
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.kind = RBL_PATTERN_BRICKS; // of 2 m, in bricks of 25 cm
	CHECK(t, rbl_create_pattern(&pattern_def, &pattern) == RBL_OK);
	CHECK(t, rbl_pattern_cell_count(pattern) > 8000);
	faulty_allocator memory;
	faulty_init(&memory, 1 << 30);
	rbl_convex_def convex_def = rbl_default_convex_def();
	convex_def.box = (rbl_boxd){ { -5.0, -2.0, -0.25 }, { 5.0, 2.0, 0.25 } };
	rbl_convex *convex = NULL;
	CHECK(t, rbl_create_convex(&convex_def, &convex) == RBL_OK);
	rbl_compound_part part = { .convex = convex };
	rbl_compound_def compound_def = rbl_default_compound_def();
	compound_def.parts = &part, compound_def.part_count = 1;
	compound_def.allocator = FAULTY(&memory);
	rbl_compound *c = NULL;
	CHECK(t, rbl_create_compound(&compound_def, &c) == RBL_OK);
	rbl_break_def def = rbl_default_break_def();
	def.pattern = pattern;
	def.position = (rbl_vec3d){ 0.1, 0.2, 0.25 };
	def.radius = 0.5;
	rbl_task *task = NULL;
	CHECK(t, rbl_begin_break(c, &def, &task) == RBL_OK);
	int growing_count = 0; // slices that took memory
	bool is_ready = false;
	for (int i = 0; i < 200 && !is_ready; ++i) {
		long long start = memory.live_bytes;
		CHECK(t, rbl_task_work(task, 32, &is_ready) == RBL_OK);
		growing_count += memory.live_bytes > start + 10000;
	}
	CHECK(t, growing_count >= 3);
	rbl_destroy_task(task);
	rbl_destroy_compound(c);
	rbl_destroy_convex(convex);
	rbl_destroy_pattern(pattern);
	CHECK(t, memory.live_bytes == 0);
}

// A body that reaches out of a pattern's cells has new ones made around it: in slices, too, of which none
// does much more than it should, and the pieces are those of a break at once.
static void cells_around_a_large_body_are_made_in_slices(test *t)
{
	const rbl_pattern_kind kinds[] = { RBL_PATTERN_VORONOI, RBL_PATTERN_SPLINTERS,
		                               RBL_PATTERN_BRICKS };
	for (int i = 0; i < 3; ++i) {
		rbl_pattern_def pattern_def = rbl_default_pattern_def();
		pattern_def.kind = kinds[i];
		pattern_def.cell_count = 2000;
		pattern_def.size = (rbl_vec3d){ 1.0, 1.0, 1.0 };
		pattern_def.brick_size = (rbl_vec3d){ 0.125, 0.0625, 0.0625 };
		pattern_def.region = (rbl_boxd){ { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };
		rbl_pattern *pattern = NULL;
		CHECK(t, rbl_create_pattern(&pattern_def, &pattern) == RBL_OK);
		rbl_break_def def = hit(pattern, 0);
		def.rotation_seed = 0;
		uint64_t hashes[3];
		int slices = 0, most = 0;
		for (int k = 0; k < 3; ++k) {
			const int works[3] = { 1 << 30, 32, 5 };
			rbl_compound *c =
				wall(1, 1, 1, (rbl_vec3d){ 4.0, 3.0, 0.5 }, (rbl_vec3d){ -2, -1.5, -0.2 }, NULL);
			rbl_task *task = NULL;
			rbl_break *broken = NULL;
			bool is_ready = false;
			CHECK(t, rbl_begin_break(c, &def, &task) == RBL_OK);
			for (int n = 0; !is_ready && n < 100000; ++n) {
				CHECK(t, rbl_task_work(task, works[k], &is_ready) == RBL_OK);
				slices += k == 1;
				most = k == 1 ? rbl_maxi(most, rbl_break_get_debt(task)) : most;
			}
			CHECK(t, is_ready && rbl_finish_break(task, &broken) == RBL_OK);
			CHECK(t, rbl_break_get_data(broken).made_count > 100);
			hashes[k] = break_hash(c, broken);
			rbl_destroy_break(broken);
			rbl_destroy_compound(c);
		}
		printf("%d slices of 32, at most %d beyond one\n", slices, most);
		CHECK(t, hashes[1] == hashes[0] && hashes[2] == hashes[0]);
		CHECK(t, slices > 30 && most < 1000);
		rbl_destroy_pattern(pattern);
	}
}

// A large piece that an earlier break has left is made a solid in slices, which are paid for: also
// when the solid is there, so that a world that was loaded goes on alike.
static void what_is_left_of_a_mesh_is_cut_in_slices(test *t)
{
	enum { STEPS = 5, TRIANGLES_PER_CUT = 64 };
	rbl_torus_def torus = rbl_default_torus_def();
	torus.segments = 200, torus.sides = 60;
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_torus_mesh(&torus, &mesh) == RBL_OK);
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 0.2, 12, 3);
	rbl_break_def first = rbl_default_break_def();
	first.pattern = pattern, first.position.x = -0.5, first.radius = 0.05;
	rbl_break_def second = first;
	second.position.x = 0.5;
	uint64_t hashes[2];
	int slices[2] = { 0, 0 }, rest = 0;
	for (int k = 0; k < 2; ++k) {
		rbl_compound_def def = rbl_default_compound_def();
		def.mesh = mesh;
		rbl_compound *c = NULL;
		rbl_task *task = NULL;
		rbl_break *broken = NULL;
		CHECK(t, rbl_create_compound(&def, &c) == RBL_OK);
		strike(t, c, &first);
		for (int i = 0; i < rbl_compound_get_info(c).part_end; ++i) {
			const rbl_mesh *left = rbl_compound_get_part(c, i).mesh;
			rest = rbl_maxi(rest, left ? rbl_mesh_triangle_count(left) : 0);
		}
		for (int i = 0; k == 1 && i < 2; ++i) { // the second time there is a solid
			rbl_destroy_task(task);
			CHECK(t, rbl_begin_break(c, &second, &task) == RBL_OK);
			for (bool is_ready = false; !is_ready && slices[i] < 100000; ++slices[i])
				CHECK(t, rbl_task_work(task, 16, &is_ready) == RBL_OK);
		}
		if (k == 0)
			CHECK(t, rbl_begin_break(c, &second, &task) == RBL_OK);
		CHECK(t, rbl_finish_break(task, &broken) == RBL_OK);
		CHECK(t, rbl_break_get_data(broken).made_count > 3);
		hashes[k] = break_hash(c, broken);
		rbl_destroy_break(broken);
		rbl_destroy_compound(c);
	}
	printf("%d triangles are left, %d slices of 16, then %d\n", rest, slices[0], slices[1]);
	CHECK(t, rest > 5000 && hashes[0] == hashes[1]);
	CHECK(t, slices[0] == slices[1] && slices[0] > STEPS * rest / TRIANGLES_PER_CUT / 16);
	rbl_destroy_pattern(pattern);
	rbl_destroy_mesh(mesh);
}

// The longest slice of 32 of a break of a slab by many cells, in milliseconds: the least of three runs.
static double longest_slice(test *t, const rbl_pattern *pattern, bool has_mesh)
{
	enum { MOST = 20000, RUNS = 3 };
	double *times = calloc(MOST, sizeof *times), longest = 0.0;
	for (int run = 0; run < RUNS; ++run) {
		rbl_vec3d size = { 3.0, 3.0, 0.4 }, low = { -1.5, -1.5, -0.2 };
		rbl_compound *c = has_mesh ? NULL : wall(1, 1, 1, size, low, NULL);
		if (has_mesh) {
			rbl_convex *convex = box_convex(low, rbl_add_d(low, size));
			rbl_mesh *mesh = NULL;
			CHECK(t, rbl_convex_create_mesh(convex, NULL, &mesh) == RBL_OK);
			rbl_compound_def compound_def = rbl_default_compound_def();
			compound_def.mesh = mesh;
			CHECK(t, rbl_create_compound(&compound_def, &c) == RBL_OK);
			rbl_destroy_mesh(mesh);
			rbl_destroy_convex(convex);
		}
		rbl_break_def def = hit(pattern, 0);
		rbl_task *task = NULL;
		bool is_ready = false;
		CHECK(t, rbl_begin_break(c, &def, &task) == RBL_OK);
		for (int i = 0; !is_ready && i < MOST; ++i) {
			uint64_t start = rbl_clock_ns();
			CHECK(t, rbl_task_work(task, 32, &is_ready) == RBL_OK);
			double ms = 1e-6 * (double)(rbl_clock_ns() - start);
			times[i] = run == 0 ? ms : rbl_mind(times[i], ms);
		}
		CHECK(t, is_ready);
		rbl_destroy_task(task);
		rbl_destroy_compound(c);
	}
	for (int i = 0; i < MOST; ++i)
		longest = rbl_maxd(longest, times[i]);
	free(times);
	return longest;
}

// Times are for the long run, alone on a machine.
static void no_slice_takes_long(test *t)
{
	const rbl_pattern_kind kinds[] = { RBL_PATTERN_VORONOI, RBL_PATTERN_WEB, RBL_PATTERN_BRICKS,
		                               RBL_PATTERN_SPLINTERS };
	static const char *names[] = { "voronoi", "web", "bricks", "splinters" };
	for (int cells = 500; cells <= test_count(500, 8000); cells *= 4)
		for (int i = 0; i < 8; ++i) {
			bool is_near = i < 4; // else the slab reaches out of the pattern's cells
			rbl_pattern_def def = rbl_default_pattern_def();
			double side = 2.0 / cbrt(cells);
			def.kind = kinds[i % 4];
			def.cell_count = cells;
			def.ring_count = cells / 50, def.spoke_count = 50;
			def.brick_size = (rbl_vec3d){ 1.6 * side, 0.8 * side, 0.8 * side };
			if (!is_near)
				def.region = (rbl_boxd){ { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };
			rbl_pattern *pattern = NULL;
			CHECK(t, rbl_create_pattern(&def, &pattern) == RBL_OK);
			double convex = longest_slice(t, pattern, false);
			double mesh = longest_slice(t, pattern, true);
			printf("%-9s %4d cells%s: %.2f ms at most, of a mesh %.2f\n", names[i % 4], cells,
			       is_near ? "" : ", made anew", convex, mesh);
			CHECK(t, convex < 100.0 && mesh < 100.0);
			rbl_destroy_pattern(pattern);
		}
}

// What a step cannot divide is a small share of a large break: in counted work, with thousands of
// bricks.
static void no_step_of_a_large_break_takes_long(test *t)
{
	rbl_pattern *pattern = NULL;
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.kind = RBL_PATTERN_BRICKS;
	CHECK(t, rbl_create_pattern(&pattern_def, &pattern) == RBL_OK);
	int cells = rbl_pattern_cell_count(pattern);
	CHECK(t, cells > 8000);
	rbl_convex_def convex_def = rbl_default_convex_def();
	convex_def.box = (rbl_boxd){ { -0.95, -0.95, -0.8 }, { 0.95, 0.95, 0.8 } };
	rbl_convex *convex = NULL;
	CHECK(t, rbl_create_convex(&convex_def, &convex) == RBL_OK);
	rbl_compound_part part = { .convex = convex };
	rbl_compound_def compound_def = rbl_default_compound_def();
	compound_def.parts = &part, compound_def.part_count = 1;
	rbl_compound *c = NULL;
	CHECK(t, rbl_create_compound(&compound_def, &c) == RBL_OK);
	rbl_break_def def = rbl_default_break_def();
	def.pattern = pattern;
	rbl_task *task = NULL;
	rbl_break *broken = NULL;
	CHECK(t, rbl_begin_break(c, &def, &task) == RBL_OK);
	int most = 0, slices = 0;
	for (bool is_ready = false; !is_ready && slices < 100000; ++slices) {
		CHECK(t, rbl_task_work(task, 32, &is_ready) == RBL_OK);
		most = rbl_maxi(most, rbl_break_get_debt(task));
	}
	CHECK(t, rbl_finish_break(task, &broken) == RBL_OK);
	int made = rbl_break_get_data(broken).made_count;
	printf("%d pieces, %d slices of 32, at most %d beyond one\n", made, slices, most);
	CHECK(t, made > 5000 && most < made / 5);
	rbl_destroy_break(broken);
	rbl_destroy_compound(c);
	rbl_destroy_convex(convex);
	rbl_destroy_pattern(pattern);
}

static void bad_calls_are_refused(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.0, 5, 3);
	rbl_break_def def = hit(pattern, 0), bad = def;
	rbl_compound *c = make(0, NULL);
	rbl_task *pending = NULL;
	rbl_break *broken = NULL;
	bool is_ready = false;
	CHECK(t, rbl_begin_break(c, &def, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_begin_break(NULL, &def, &pending) == RBL_BAD_ARGUMENT);
	bad.pattern = NULL;
	CHECK(t, rbl_begin_break(c, &bad, &pending) == RBL_BAD_ARGUMENT && !pending);
	CHECK(t, rbl_begin_break(c, &def, &pending) == RBL_OK);
	CHECK(t, rbl_task_work(NULL, 1, &is_ready) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_task_work(pending, 0, &is_ready) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_task_work(pending, 1, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_finish_break(NULL, &broken) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_finish_break(pending, NULL) == RBL_BAD_ARGUMENT);
	rbl_destroy_task(pending);
	rbl_destroy_compound(c);
	rbl_destroy_pattern(pattern);
}

TEST_MAIN(TEST(any_budget_gives_the_same_bits), TEST(slices_pay_for_what_they_do),
          TEST(a_second_hit_meanwhile_comes_first), TEST(a_destroyed_compound_ends_its_breaks),
          TEST(giving_up_changes_nothing), TEST(what_failed_for_memory_can_be_tried_again),
          TEST(cells_around_a_large_body_are_made_in_slices),
          TEST(what_is_left_of_a_mesh_is_cut_in_slices), TEST(no_slice_takes_long),
          TEST(placing_many_cells_takes_several_slices), TEST(no_step_of_a_large_break_takes_long),
          TEST(bad_calls_are_refused))
