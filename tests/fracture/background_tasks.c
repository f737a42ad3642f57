// SPDX-License-Identifier: MIT
// ctest: threads
// Preparing and breaking beside other work: slices, pools, and what happens meanwhile.

#include "compounds.h"
#include "faulty_allocator.h"
#include "invariants.h"
#include "worker_pool.h"

#include <rubble/asset.h>

static uint64_t asset_hash(const rbl_asset *asset)
{
	size_t size = 0;
	rbl_asset_save(asset, NULL, &size);
	unsigned char *bytes = malloc(size);
	uint64_t hash =
		bytes && rbl_asset_save(asset, bytes, &size) == RBL_OK ? rbl_hash_bytes(1, bytes, size) : 0;
	free(bytes);
	return hash;
}

static rbl_mesh *arch(void)
{
	rbl_arch_def def = rbl_default_arch_def();
	rbl_mesh *mesh = NULL;
	rbl_create_arch_mesh(&def, &mesh);
	return mesh;
}

// --- preparing ----------------------------------------------------------------------------------

static void any_slices_prepare_the_same_asset(test *t)
{
	for (int which = 0; which < 3; ++which) {
		rbl_mesh *mesh = which == 0 ? arch() : sample_shape(which == 1 ? 3 : 6);
		rbl_prepare_def def = rbl_default_prepare_def();
		def.node_count = which == 1 ? 6 : 0;
		rbl_asset *asset = NULL;
		CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_OK);
		uint64_t expected = asset_hash(asset);
		rbl_destroy_asset(asset);
		int last_steps = 1 << 30;
		for (int budget = 1; budget < 100000; budget *= 17) {
			rbl_task *task = NULL;
			bool is_ready = false;
			int steps = 0;
			CHECK(t, rbl_begin_prepare(mesh, &def, &task) == RBL_OK);
			CHECK(t, rbl_task_progress(task) == 0.0);
			double done = 0.0, farthest = 0.0;
			for (; !is_ready && steps < 1000000; ++steps) {
				CHECK(t, rbl_task_work(task, budget, &is_ready) == RBL_OK);
				done = rbl_task_progress(task);
				CHECK(t, done >= 0.0 && (is_ready ? done == 1.0 : done < 1.0));
				farthest = is_ready || done < farthest ? farthest : done;
			}
			CHECK(t, done == 1.0 && (budget > 1 || farthest > 0.5));
			CHECK(t, steps <= last_steps && (budget > 1 || steps > 5));
			last_steps = steps;
			CHECK(t, rbl_finish_prepare(task, &asset) == RBL_OK);
			CHECK(t, asset_hash(asset) == expected);
			rbl_destroy_asset(asset);
		}
		rbl_destroy_mesh(mesh);
	}
}

static void pools_prepare_the_same_asset(test *t)
{
	rbl_mesh *mesh = arch();
	rbl_vec3d nodes[3] = { { -0.8, 0.5, 0.0 }, { 0.0, 1.5, 0.0 }, { 0.8, 0.5, 0.0 } };
	rbl_prepare_def def = rbl_default_prepare_def(), given = def;
	given.nodes = nodes;
	given.node_count = 3;
	rbl_asset *asset = NULL;
	uint64_t expected[2];
	for (int i = 0; i < 2; ++i) {
		CHECK(t, rbl_prepare(mesh, i ? &given : &def, &asset) == RBL_OK);
		expected[i] = asset_hash(asset);
		rbl_destroy_asset(asset);
	}
	for (int workers = 1; workers <= 4; ++workers) {
		rbl_jobs *jobs = create_pool(workers);
		rbl_task *tasks[4];
		for (int i = 0; i < 4; ++i) {
			rbl_prepare_def own = i % 2 ? given : def;
			rbl_vec3d copy[3] = { nodes[0], nodes[1], nodes[2] };
			own.nodes = i % 2 ? copy : NULL; // gone after the call
			own.jobs = i < 2 ? jobs : NULL;
			CHECK(t, rbl_begin_prepare(mesh, &own, &tasks[i]) == RBL_OK);
			CHECK(t, rbl_task_start(tasks[i], jobs) == RBL_OK);
			memset(copy, 0xff, sizeof copy);
		}
		for (int i = 0; i < 4; ++i) {
			double done = rbl_task_progress(tasks[i]); // while the pool is at it
			CHECK(t, done >= 0.0 && done <= 1.0);
			if (i % 2)
				CHECK(t, rbl_task_wait(tasks[i]) == RBL_OK);
			CHECK(t, rbl_finish_prepare(tasks[i], &asset) == RBL_OK);
			CHECK(t, asset_hash(asset) == expected[i % 2]);
			rbl_destroy_asset(asset);
		}
		rbl_destroy_jobs(jobs);
	}
	rbl_destroy_mesh(mesh);
}

static void preparing_can_be_given_up_and_fails_cleanly(test *t)
{
	rbl_mesh *mesh = sample_shape(6);
	rbl_prepare_def def = rbl_default_prepare_def();
	def.node_count = 3;
	rbl_asset *asset = NULL;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_OK);
	uint64_t expected = asset_hash(asset);
	rbl_destroy_asset(asset);
	faulty_allocator memory;
	for (int n = 1; n < 2000; n = n * 2 + 1) { // given up after n slices
		faulty_init(&memory, 1 << 30);
		def.allocator = FAULTY(&memory);
		rbl_task *task = NULL;
		bool is_ready = false;
		CHECK(t, rbl_begin_prepare(mesh, &def, &task) == RBL_OK);
		for (int i = 0; i < n && !is_ready; ++i)
			CHECK(t, rbl_task_work(task, 5, &is_ready) == RBL_OK);
		rbl_destroy_task(task);
		CHECK(t, memory.live_bytes == 0);
	}
	bool has_failed = true;
	for (int n = 0; has_failed; n += 1 + n / 3) { // the n-th allocation fails
		faulty_init(&memory, n);
		def.allocator = FAULTY(&memory);
		rbl_task *task = NULL;
		rbl_result result = rbl_begin_prepare(mesh, &def, &task);
		asset = NULL;
		if (result == RBL_OK)
			result = rbl_finish_prepare(task, &asset);
		has_failed = memory.failed;
		CHECK(t, (result == RBL_OUT_OF_MEMORY) == has_failed);
		memory.allowed = 1 << 30;
		if (result != RBL_OK && task)
			CHECK(t, rbl_finish_prepare(task, &asset) == RBL_OK); // tried again
		CHECK(t, !asset || asset_hash(asset) == expected);
		rbl_destroy_asset(asset);
		CHECK(t, memory.live_bytes == 0);
	}
	rbl_destroy_mesh(mesh);
}

static void an_open_mesh_fails_in_the_background(test *t)
{
	rbl_vec3d corners[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
	int starts[2] = { 0, 3 }, vertices[3] = { 0, 1, 2 };
	rbl_mesh_def mesh_def = rbl_default_mesh_def();
	mesh_def.data.positions = corners;
	mesh_def.data.vertex_count = mesh_def.data.corner_count = 3;
	mesh_def.data.face_starts = starts;
	mesh_def.data.face_count = 1;
	mesh_def.data.corner_vertices = vertices;
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_mesh(&mesh_def, &mesh) == RBL_OK);
	rbl_prepare_def def = rbl_default_prepare_def();
	rbl_jobs *jobs = create_pool(2);
	rbl_task *task = NULL;
	rbl_asset *asset = NULL;
	CHECK(t, rbl_begin_prepare(mesh, &def, &task) == RBL_OK);
	CHECK(t, rbl_task_start(task, jobs) == RBL_OK);
	CHECK(t, rbl_task_wait(task) == RBL_BAD_MESH);
	CHECK(t, rbl_task_get_state(task) == RBL_TASK_FAILED);
	CHECK(t, rbl_finish_prepare(task, &asset) == RBL_BAD_MESH && !asset);
	rbl_destroy_task(task);
	rbl_destroy_jobs(jobs);
	rbl_destroy_mesh(mesh);
}

// --- breaking -----------------------------------------------------------------------------------

static rbl_compound *make(int kind)
{
	if (kind == 0)
		return wall(6, 4, 2, (rbl_vec3d){ 0.5, 0.25, 0.25 }, (rbl_vec3d){ 0, 0, 0 }, NULL);
	rbl_mesh *mesh = kind == 1 ? arch() : sample_shape(6);
	rbl_prepare_def def = rbl_default_prepare_def();
	def.node_count = 5;
	rbl_asset *asset = NULL;
	rbl_compound *c = NULL;
	if (rbl_prepare(mesh, &def, &asset) == RBL_OK)
		rbl_asset_create_compound(asset, NULL, &c);
	rbl_destroy_asset(asset);
	rbl_destroy_mesh(mesh);
	return c;
}

static rbl_break_def hit(const rbl_pattern *pattern, int which, rbl_jobs *jobs)
{
	rbl_break_def def = rbl_default_break_def();
	def.pattern = pattern;
	def.position = (rbl_vec3d){ 0.9 + 0.3 * which, 0.6, 0.1 };
	def.radius = 0.6;
	def.rotation_seed = (uint64_t)which + 1;
	def.jobs = jobs;
	return def;
}

// What the owner may do while a break is pending: look.
static double look_around(const rbl_compound *c)
{
	double sum = rbl_compound_get_mass(c).volume;
	rbl_compound_info info = rbl_compound_get_info(c);
	for (int i = 0; i < info.part_end; ++i) {
		rbl_compound_bond bonds[64];
		int count = rbl_compound_get_bonds(c, i, bonds, 64);
		for (int k = 0; k < count && k < 64; ++k)
			sum += bonds[k].area;
	}
	return sum;
}

static void pools_break_the_same_and_let_the_owner_look(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.5, 60, 3);
	for (int kind = 0; kind < 3; ++kind) {
		rbl_break_def def = hit(pattern, 0, NULL);
		rbl_compound *c = make(kind);
		rbl_break *broken = NULL;
		CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_OK);
		uint64_t expected = break_hash(c, broken);
		CHECK(t, rbl_break_get_data(broken).compound_count > 0);
		rbl_destroy_break(broken);
		rbl_destroy_compound(c);
		for (int workers = 1; workers <= 3; ++workers) {
			rbl_jobs *jobs = create_pool(workers);
			def = hit(pattern, 0, workers == 3 ? jobs : NULL);
			c = make(kind);
			uint64_t before = compound_hash(c);
			double seen = look_around(c);
			rbl_task *task = NULL;
			CHECK(t, rbl_begin_break(c, &def, &task) == RBL_OK);
			CHECK(t, rbl_task_start(task, jobs) == RBL_OK);
			for (int i = 0;
			     i < 20 || (workers > 1 && i < 200 && rbl_task_get_state(task) == RBL_TASK_RUNNING);
			     ++i)
				CHECK(t, look_around(c) == seen);
			CHECK(t, compound_hash(c) == before);
			CHECK(t, rbl_task_wait(task) == RBL_OK && compound_hash(c) == before);
			CHECK(t, rbl_finish_break(task, &broken) == RBL_OK);
			CHECK(t, break_hash(c, broken) == expected);
			rbl_destroy_break(broken);
			rbl_destroy_compound(c);
			rbl_destroy_jobs(jobs);
		}
	}
	rbl_destroy_pattern(pattern);
}

// Members are cut side by side when there is no budget: also those that are left of a break that was
// begun in slices, the one under way among them.
static void what_slices_began_a_pool_finishes(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.5, 60, 3);
	rbl_jobs *jobs = create_pool(3);
	uint64_t expected = 0;
	for (int slices = 0; slices < 40; slices = 2 * slices + 1) {
		rbl_break_def def = hit(pattern, 0, jobs);
		def.radius = 2.0;
		rbl_compound *c = make(1);
		rbl_task *task = NULL;
		rbl_break *broken = NULL;
		bool is_ready = false;
		CHECK(t, rbl_begin_break(c, &def, &task) == RBL_OK);
		for (int i = 0; i < slices; ++i)
			CHECK(t, rbl_task_work(task, 3, &is_ready) == RBL_OK && !is_ready);
		CHECK(t, rbl_finish_break(task, &broken) == RBL_OK);
		CHECK(t, rbl_break_get_data(broken).touched_count > 2);
		uint64_t hash = break_hash(c, broken);
		expected = slices == 0 ? hash : expected;
		CHECK(t, hash == expected);
		rbl_destroy_break(broken);
		rbl_destroy_compound(c);
	}
	rbl_destroy_jobs(jobs);
	rbl_destroy_pattern(pattern);
}

// Hits on one body that run at once finish as if they came one after the other.
static void many_hits_at_once_finish_in_their_order(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.5, 40, 3);
	for (int kind = 0; kind < 3; ++kind) {
		rbl_compound *c = make(kind), *other = make(kind);
		uint64_t expected[4], hashes[4];
		rbl_break *broken = NULL;
		for (int i = 0; i < 4; ++i) {
			rbl_break_def def = hit(pattern, i, NULL);
			CHECK(t, rbl_compound_break(c, &def, &broken) == RBL_OK);
			expected[i] = break_hash(c, broken);
			rbl_destroy_break(broken);
		}
		rbl_jobs *jobs = create_pool(3);
		rbl_task *tasks[4];
		for (int i = 0; i < 4; ++i) {
			rbl_break_def def = hit(pattern, i, NULL);
			CHECK(t, rbl_begin_break(other, &def, &tasks[i]) == RBL_OK);
			CHECK(t, rbl_task_start(tasks[i], jobs) == RBL_OK);
		}
		for (int i = 0; i < 4; ++i) {
			bool is_ready = false;
			CHECK(t, rbl_task_work(tasks[3], 3, &is_ready) == RBL_OK);
			CHECK(t, rbl_finish_break(tasks[i], &broken) == RBL_OK);
			hashes[i] = break_hash(other, broken);
			rbl_destroy_break(broken);
			CHECK(t, hashes[i] == expected[i]);
			// The others have to begin anew.
			CHECK(t, i == 3 || rbl_task_get_state(tasks[3]) != RBL_TASK_FAILED);
		}
		rbl_destroy_jobs(jobs);
		rbl_destroy_compound(c);
		rbl_destroy_compound(other);
	}
	rbl_destroy_pattern(pattern);
}

static void two_breaks_in_small_turns_come_to_an_end(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.5, 40, 3);
	rbl_compound *c =
		wall(40, 12, 3, (rbl_vec3d){ 0.25, 0.125, 0.25 }, (rbl_vec3d){ 0, 0, 0 }, NULL);
	rbl_task *tasks[2];
	bool is_ready[2] = { false, false };
	for (int i = 0; i < 2; ++i) {
		rbl_break_def def = hit(pattern, i, NULL);
		CHECK(t, rbl_begin_break(c, &def, &tasks[i]) == RBL_OK);
	}
	int turns = 0;
	for (; turns < 20000 && !(is_ready[0] && is_ready[1]); ++turns)
		CHECK(t, rbl_task_work(tasks[turns % 2], 1, &is_ready[turns % 2]) == RBL_OK);
	CHECK(t, is_ready[0] && is_ready[1] && turns > 100);
	rbl_destroy_task(tasks[0]);
	rbl_break *broken = NULL;
	CHECK(t, rbl_finish_break(tasks[1], &broken) == RBL_OK && is_sound(c));
	rbl_destroy_break(broken);
	rbl_destroy_compound(c);
	rbl_destroy_pattern(pattern);
}

static void changes_meanwhile_are_seen(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.5, 40, 3);
	rbl_jobs *jobs = create_pool(2);
	for (int change = 0; change < 3; ++change) {
		uint64_t expected = 0;
		// First changed, then broken; then changed meanwhile.
		for (int is_meanwhile = 0; is_meanwhile < 2; ++is_meanwhile) {
			rbl_compound *c = make(0);
			rbl_break_def def = hit(pattern, 0, NULL);
			rbl_task *task = NULL;
			rbl_break *broken = NULL, *bonds = NULL;
			if (is_meanwhile == 1) {
				CHECK(t, rbl_begin_break(c, &def, &task) == RBL_OK);
				CHECK(t, rbl_task_start(task, jobs) == RBL_OK);
			}
			if (change == 0)
				CHECK(t, rbl_compound_set_anchored(c, 3, false) == RBL_OK);
			if (change == 1)
				CHECK(t, rbl_compound_set_bond_strength(c, 0, 1, 7.0) == RBL_OK);
			if (change == 2)
				CHECK(t, rbl_compound_break_bonds(c, (int[]){ 0, 1 }, 1, &bonds) == RBL_OK);
			if (is_meanwhile == 0)
				CHECK(t, rbl_begin_break(c, &def, &task) == RBL_OK);
			CHECK(t, rbl_finish_break(task, &broken) == RBL_OK);
			uint64_t hash = break_hash(c, broken);
			CHECK(t, is_meanwhile == 0 || hash == expected);
			expected = hash;
			rbl_destroy_break(bonds);
			rbl_destroy_break(broken);
			rbl_destroy_compound(c);
		}
	}
	rbl_destroy_jobs(jobs);
	rbl_destroy_pattern(pattern);
}

static void destroying_what_breaks_ends_the_work(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.5, 60, 3);
	rbl_jobs *jobs = create_pool(3);
	for (int i = 0; i < 20; ++i) {
		rbl_compound *c = make(i % 3);
		rbl_break_def def = hit(pattern, 0, i % 2 ? jobs : NULL);
		rbl_task *tasks[2];
		rbl_break *broken = NULL;
		for (int k = 0; k < 2; ++k) {
			CHECK(t, rbl_begin_break(c, &def, &tasks[k]) == RBL_OK);
			CHECK(t, rbl_task_start(tasks[k], jobs) == RBL_OK);
		}
		if (i % 4 == 3)
			rbl_destroy_task(tasks[1]); // given up while it runs
		rbl_destroy_compound(c);
		CHECK(t, rbl_task_get_state(tasks[0]) == RBL_TASK_FAILED);
		CHECK(t, rbl_task_wait(tasks[0]) == RBL_BAD_ARGUMENT);
		CHECK(t, rbl_finish_break(tasks[0], &broken) == RBL_BAD_ARGUMENT && !broken);
		rbl_destroy_task(tasks[0]);
		if (i % 4 != 3)
			rbl_destroy_task(tasks[1]);
	}
	rbl_destroy_jobs(jobs);
	rbl_destroy_pattern(pattern);
}

// A cut of one large mesh and a search through a large body are divided: no slice does much more
// than its budget, so there are as many as the work asks for.
static void large_meshes_and_searches_are_divided(test *t)
{
	rbl_icosphere_def sphere = rbl_default_icosphere_def();
	sphere.subdivisions = 5;
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_icosphere_mesh(&sphere, &mesh) == RBL_OK);
	rbl_compound_def compound_def = rbl_default_compound_def();
	compound_def.mesh = mesh;
	rbl_compound *c = NULL;
	CHECK(t, rbl_create_compound(&compound_def, &c) == RBL_OK);
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 2.0, 50, 3);
	rbl_break_def def = rbl_default_break_def();
	def.pattern = pattern;
	int steps[2] = { 0, 0 };
	for (int i = 0; i < 2; ++i) {
		rbl_task *task = NULL;
		bool is_ready = false;
		CHECK(t, rbl_begin_break(c, &def, &task) == RBL_OK);
		for (; !is_ready; ++steps[i])
			CHECK(t, rbl_task_work(task, i ? 100 : 10, &is_ready) == RBL_OK);
		rbl_destroy_task(task);
	}
	CHECK(t, rbl_mesh_triangle_count(mesh) > 10000);
	CHECK(t, steps[0] > 70 && steps[1] > 25 && steps[0] > 2 * steps[1]);
	rbl_destroy_pattern(pattern);
	rbl_destroy_compound(c);
	rbl_destroy_mesh(mesh);

	// A wall cut through: half of it is searched.
	c = wall(60, 30, 1, (rbl_vec3d){ 0.25, 0.125, 0.25 }, (rbl_vec3d){ 0, 0, 0 }, NULL);
	for (int i = 0; i < 60; ++i)
		rbl_compound_set_anchored(c, i, false);
	pattern = pattern_of(RBL_PATTERN_VORONOI, 12.0, 8, 3);
	def.pattern = pattern;
	def.position = (rbl_vec3d){ 7.5, 1.9, 0.0 };
	rbl_task *task = NULL;
	bool is_ready = false;
	int slices = 0;
	CHECK(t, rbl_begin_break(c, &def, &task) == RBL_OK);
	for (; !is_ready; ++slices)
		CHECK(t, rbl_task_work(task, 20, &is_ready) == RBL_OK);
	CHECK(t, slices > 90); // 1800 parts, 20 cuts each time
	rbl_destroy_task(task);
	rbl_destroy_pattern(pattern);
	rbl_destroy_compound(c);
}

// Preparing many shells: shells, bonds, overlaps and ghosts are found in slices. The last take no more
// than a few times the budget of what it says: there are more slices than shells.
static void preparing_many_shells_is_divided(test *t)
{
	rbl_arena_def arena = rbl_default_arena_def();
	arena.detail = 1;
	arena.bays = 32;
	rbl_mesh *mesh = NULL;
	rbl_task *task = NULL;
	rbl_asset *assets[2] = { NULL, NULL };
	rbl_prepare_def def = rbl_default_prepare_def();
	def.node_count = 1;
	CHECK(t, rbl_create_arena_mesh(&arena, &mesh) == RBL_OK);
	CHECK(t, rbl_prepare(mesh, &def, &assets[0]) == RBL_OK);
	CHECK(t, rbl_begin_prepare(mesh, &def, &task) == RBL_OK);
	int slices = 0;
	for (bool is_ready = false; !is_ready; ++slices)
		CHECK(t, rbl_task_work(task, 20, &is_ready) == RBL_OK);
	CHECK(t, rbl_finish_prepare(task, &assets[1]) == RBL_OK);
	rbl_asset_report r = rbl_asset_get_report(assets[1]);
	CHECK(t, slices > r.shell_count + r.overlap_count / 20 + r.ghost_count / 20);
	CHECK(t, asset_hash(assets[0]) == asset_hash(assets[1]) && r.ghost_count > 100);
	rbl_destroy_asset(assets[0]);
	rbl_destroy_asset(assets[1]);
	rbl_destroy_mesh(mesh);
}

static void tasks_of_one_kind_are_not_of_the_other(test *t)
{
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 1.5, 5, 3);
	rbl_mesh *mesh = arch();
	rbl_compound *c = make(0);
	rbl_break_def blow = hit(pattern, 0, NULL);
	rbl_prepare_def def = rbl_default_prepare_def();
	rbl_task *breaking = NULL, *preparing = NULL;
	rbl_asset *asset = NULL;
	rbl_break *broken = NULL;
	CHECK(t, rbl_begin_break(c, &blow, &breaking) == RBL_OK);
	CHECK(t, rbl_begin_prepare(mesh, &def, &preparing) == RBL_OK);
	CHECK(t, rbl_finish_prepare(breaking, &asset) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_finish_break(preparing, &broken) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_finish_prepare(preparing, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_finish_prepare(NULL, &asset) == RBL_BAD_ARGUMENT);
	rbl_destroy_task(preparing);
	CHECK(t, rbl_begin_prepare(NULL, &def, &preparing) == RBL_BAD_ARGUMENT && !preparing);
	CHECK(t, rbl_begin_prepare(mesh, &def, NULL) == RBL_BAD_ARGUMENT);
	rbl_destroy_task(breaking);
	rbl_destroy_compound(c);
	rbl_destroy_mesh(mesh);
	rbl_destroy_pattern(pattern);
}

TEST_MAIN(TEST(any_slices_prepare_the_same_asset), TEST(pools_prepare_the_same_asset),
          TEST(preparing_can_be_given_up_and_fails_cleanly),
          TEST(an_open_mesh_fails_in_the_background),
          TEST(pools_break_the_same_and_let_the_owner_look),
          TEST(what_slices_began_a_pool_finishes), TEST(many_hits_at_once_finish_in_their_order),
          TEST(two_breaks_in_small_turns_come_to_an_end), TEST(changes_meanwhile_are_seen),
          TEST(destroying_what_breaks_ends_the_work), TEST(large_meshes_and_searches_are_divided),
          TEST(preparing_many_shells_is_divided), TEST(tasks_of_one_kind_are_not_of_the_other))
