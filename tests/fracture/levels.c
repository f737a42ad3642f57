// SPDX-License-Identifier: MIT
// ctest: threads
// Levels by patterns: assets that are broken before anything hits them. Chunks by one pattern, the
// bricks of each chunk by another, each with its own threshold.

#include "assets.h"
#include "faulty_allocator.h"
#include "worker_pool.h"

#include <rubble/damage.h>

static const rbl_vec3d wall_size = { 2.4, 1.2, 0.3 };

static rbl_mesh *wall_mesh(void)
{
	rbl_box_def box = rbl_default_box_def();
	rbl_mesh *mesh = NULL;
	box.size = wall_size;
	rbl_create_box_mesh(&box, &mesh);
	return mesh;
}

// Chunks, and bricks in them; the third level groups what is there.
typedef struct hierarchy {
	rbl_pattern *chunks, *bricks;
	rbl_cluster_level levels[3];
} hierarchy;

static hierarchy make_hierarchy(void)
{
	rbl_pattern_def def = rbl_default_pattern_def();
	hierarchy h = { NULL, NULL, { { 0 } } };
	def.size = wall_size;
	def.cell_count = 6;
	rbl_create_pattern(&def, &h.chunks);
	def.kind = RBL_PATTERN_BRICKS;
	def.brick_size = (rbl_vec3d){ 0.3, 0.15, 0.3 };
	def.size = rbl_scale_d(2.0, wall_size);
	rbl_create_pattern(&def, &h.bricks);
	h.levels[0] = (rbl_cluster_level){ .strength = 0.1, .pattern = h.chunks };
	h.levels[1] = (rbl_cluster_level){ .strength = 0.5, .pattern = h.bricks };
	h.levels[2] = (rbl_cluster_level){ .strength = 0.75 };
	return h;
}

static void destroy_hierarchy(const hierarchy *h)
{
	rbl_destroy_pattern(h->chunks);
	rbl_destroy_pattern(h->bricks);
}

// Components over the bonds that are stronger than a limit. @return their number
static int label_strong(const rbl_compound *c, double limit, int *labels)
{
	int n = rbl_compound_get_info(c).part_end, count = 0;
	int *queue = malloc((size_t)n * sizeof *queue);
	for (int i = 0; i < n; ++i)
		labels[i] = -1;
	for (int i = 0; i < n; ++i) {
		int reached = 0;
		if (labels[i] >= 0)
			continue;
		labels[i] = count, queue[reached++] = i;
		for (int at = 0; at < reached; ++at) {
			rbl_compound_bond bonds[256];
			int m = rbl_compound_get_bonds(c, queue[at], bonds, 256);
			for (int k = 0; k < m && k < 256; ++k)
				if (bonds[k].strength > limit && labels[bonds[k].other] < 0)
					labels[bonds[k].other] = count, queue[reached++] = bonds[k].other;
		}
		count++;
	}
	free(queue);
	return count;
}

// How many pieces a pattern alone breaks a mesh into, counting each color once.
static int color_count(const rbl_mesh *mesh, const rbl_pattern *pattern)
{
	rbl_solid *solid = make_solid(mesh);
	rbl_pieces *pieces = break_solid(solid, pattern);
	int count = 0;
	for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
		bool is_new = true;
		for (int k = 0; k < i && is_new; ++k)
			is_new = rbl_piece_get_info(pieces, k).color != rbl_piece_get_info(pieces, i).color;
		count += is_new;
	}
	rbl_destroy_pieces(pieces);
	rbl_destroy_solid(solid);
	return count;
}

static void chunks_are_divided_into_bricks(test *t)
{
	rbl_mesh *mesh = wall_mesh();
	hierarchy h = make_hierarchy();
	rbl_prepare_def def = rbl_default_prepare_def();
	def.node_count = 1;
	def.levels = h.levels, def.level_count = 2;
	rbl_asset *asset = prepare(t, mesh, &def);
	check_asset(t, asset); // the parts fill the mesh, and do not overlap
	const rbl_compound *c = rbl_asset_get_compound(asset);
	rbl_asset_report r = rbl_asset_get_report(asset);
	CHECK_NEAR(t, r.mass_volume, 2.4 * 1.2 * 0.3, 1e-9);
	CHECK_NEAR(t, rbl_compound_get_visual_mass(c).volume, 2.4 * 1.2 * 0.3, 1e-12);

	int *chunks = calloc((size_t)r.part_count, sizeof *chunks), *bricks = NULL, *all = NULL;
	bricks = calloc((size_t)r.part_count, sizeof *bricks);
	all = calloc((size_t)r.part_count, sizeof *all);
	int expected = color_count(mesh, h.chunks);
	CHECK(t, expected == 6);
	CHECK(t, label_strong(c, 0.2, chunks) == expected);
	CHECK(t, label_strong(c, 0.0, all) == 1); // it is whole
	int brick_count = label_strong(c, 0.6, bricks);
	CHECK(t, brick_count > color_count(mesh, h.bricks) && brick_count < 200);

	// Every part is in one cell of each pattern, and bonds are as strong as their level.
	int counts[3] = { 0 };
	for (int i = 0; i < r.part_count; ++i) {
		rbl_compound_bond bonds[256];
		int n = rbl_compound_get_bonds(c, i, bonds, 256);
		CHECK(t, n <= 256);
		for (int k = 0; k < n; ++k) {
			int other = bonds[k].other;
			CHECK(t, bricks[i] != bricks[other] || chunks[i] == chunks[other]); // nested
			int level = chunks[i] != chunks[other] ? 0 : bricks[i] != bricks[other] ? 1 : 2;
			CHECK_NEAR(t, bonds[k].strength, level == 0 ? 0.1 : level == 1 ? 0.5 : 1.0, 1e-15);
			counts[level]++;
		}
	}
	CHECK(t, counts[0] > 50 && counts[1] > counts[0]);
	free(chunks);
	free(bricks);
	free(all);
	rbl_destroy_asset(asset);
	destroy_hierarchy(&h);
	rbl_destroy_mesh(mesh);
}

// A hit that reaches all of the wall opens the bonds of the levels that it is strong enough for.
static void each_level_has_its_own_threshold(test *t)
{
	rbl_mesh *mesh = wall_mesh();
	hierarchy h = make_hierarchy();
	rbl_prepare_def def = rbl_default_prepare_def();
	def.node_count = 1;
	def.levels = h.levels, def.level_count = 2;
	rbl_asset *asset = prepare(t, mesh, &def);
	rbl_damage_level level = { .energy = 1000.0, .pattern = h.chunks, .radius = 0.1 };
	rbl_damage_rule rule = rbl_default_damage_rule();
	rule.levels = &level, rule.level_count = 1;
	rule.bond_energy = 50.0, rule.wear_radius = 1e6;
	int counts[3];
	for (int i = 0; i < 3; ++i) {
		rbl_compound *c = NULL;
		CHECK(t, rbl_asset_create_compound(asset, NULL, &c) == RBL_OK);
		double volume = rbl_compound_get_visual_mass(c).volume, sum = 0.0;
		rbl_wear_report report = { 0 };
		double energy = i == 0 ? 4.9 : i == 1 ? 5.1 : 25.1;
		rbl_vec3d point = rbl_convex_get_mass(rbl_compound_get_part(c, 0).convex).centre;
		CHECK(t, rbl_compound_wear(c, &rule, point, 0, energy, &report) == RBL_OK);
		rbl_break *broken = NULL;
		CHECK(t, rbl_compound_open_bonds(c, &broken) == RBL_OK);
		rbl_break_data data = rbl_break_get_data(broken);
		counts[i] = data.compound_count + 1;
		for (int k = 0; k < data.compound_count; ++k)
			sum += rbl_compound_get_visual_mass(data.compounds[k]).volume;
		CHECK_NEAR(t, sum + rbl_compound_get_visual_mass(c).volume, volume, 1e-12);
		rbl_destroy_break(broken);
		rbl_destroy_compound(c);
	}
	CHECK(t, counts[0] == 1 && counts[1] == 6 && counts[2] > 60);
	rbl_destroy_asset(asset);
	destroy_hierarchy(&h);
	rbl_destroy_mesh(mesh);
}

// Concave shapes, voids, several shells: what is divided is the mesh, whatever it is.
static void every_shape_can_be_divided(test *t)
{
	const rbl_pattern_kind kinds[] = { RBL_PATTERN_VORONOI, RBL_PATTERN_SPLINTERS, RBL_PATTERN_WEB,
		                               RBL_PATTERN_BRICKS };
	for (int which = 0; which < SHAPE_COUNT; ++which) {
		rbl_mesh *mesh = sample_shape(which);
		rbl_boxd box = rbl_mesh_bounds(mesh);
		rbl_pattern_def pattern_def = rbl_default_pattern_def();
		rbl_vec3d size = rbl_box_size_d(box);
		pattern_def.kind = kinds[which % 4];
		pattern_def.size = size, pattern_def.cell_count = 6;
		pattern_def.ring_count = 2, pattern_def.spoke_count = 4;
		pattern_def.brick_size = rbl_scale_d(0.4, size);
		rbl_pattern *pattern = NULL;
		CHECK(t, rbl_create_pattern(&pattern_def, &pattern) == RBL_OK);
		rbl_cluster_level level = { .strength = 0.5, .pattern = pattern };
		level.position = rbl_box_centre_d(box);
		level.rotation = rbl_quat_from_axis_angle_d((rbl_vec3d){ 0.0, 1.0, 0.0 }, 0.3);
		rbl_prepare_def def = rbl_default_prepare_def();
		def.levels = &level, def.level_count = 1;
		rbl_asset *asset = prepare(t, mesh, &def);
		check_asset(t, asset);
		CHECK(t, rbl_asset_get_report(asset).part_count >
		             rbl_asset_get_report(asset).shell_count); // it is divided
		rbl_destroy_asset(asset);
		rbl_destroy_pattern(pattern);
		rbl_destroy_mesh(mesh);
	}
}

// In slices and by any number of workers it is the same asset; files keep it; another pattern or
// place has another key.
static void slices_workers_and_files_give_the_same_bits(test *t)
{
	rbl_mesh *mesh = wall_mesh();
	hierarchy h = make_hierarchy();
	rbl_prepare_def def = rbl_default_prepare_def();
	def.levels = h.levels, def.level_count = 3;
	h.levels[2].cluster_count = 130;
	rbl_asset *asset = prepare(t, mesh, &def), *other = NULL;
	uint64_t hash = compound_hash(rbl_asset_get_compound(asset));
	for (int budget = 1; budget < 2000; budget = 5 * budget + 2) {
		rbl_task *task = NULL;
		bool is_ready = false;
		int slices = 0;
		CHECK(t, rbl_begin_prepare(mesh, &def, &task) == RBL_OK);
		for (; !is_ready && slices < 1000000; ++slices)
			CHECK(t, rbl_task_work(task, budget, &is_ready) == RBL_OK);
		CHECK(t, slices > 3);
		CHECK(t, rbl_finish_prepare(task, &other) == RBL_OK);
		CHECK(t, compound_hash(rbl_asset_get_compound(other)) == hash);
		rbl_destroy_asset(other);
	}
	for (int workers = 2; workers <= 4; workers += 2) {
		def.jobs = create_pool(workers);
		other = prepare(t, mesh, &def);
		CHECK(t, compound_hash(rbl_asset_get_compound(other)) == hash);
		rbl_destroy_asset(other);
		rbl_destroy_jobs(def.jobs);
	}
	def.jobs = NULL;
	size_t size = 0;
	CHECK(t, rbl_asset_save(asset, NULL, &size) == RBL_OK);
	void *bytes = malloc(size);
	CHECK(t, rbl_asset_save(asset, bytes, &size) == RBL_OK);
	CHECK(t, rbl_asset_load(bytes, size, NULL, &other) == RBL_OK);
	CHECK(t, compound_hash(rbl_asset_get_compound(other)) == hash);
	free(bytes);
	rbl_destroy_asset(other);
	def.previous = asset; // of which no part is in the way
	other = prepare(t, mesh, &def);
	CHECK(t, compound_hash(rbl_asset_get_compound(other)) == hash);
	rbl_destroy_asset(other);
	uint64_t key = rbl_asset_get_report(asset).key;
	CHECK(t, rbl_prepare_key(mesh, &def) == key);
	h.levels[1].position.x = 0.01;
	CHECK(t, rbl_prepare_key(mesh, &def) != key);
	h.levels[1].position.x = 0.0, h.levels[1].rotation.w = 1.0;
	CHECK(t, rbl_prepare_key(mesh, &def) != key);
	h.levels[1].rotation.w = 0.0, h.levels[1].pattern = h.chunks;
	CHECK(t, rbl_prepare_key(mesh, &def) != key);
	rbl_destroy_asset(asset);
	destroy_hierarchy(&h);
	rbl_destroy_mesh(mesh);
}

// A wall half of one slot and half of another: each piece is what most of its own surface is.
static void pieces_are_made_of_their_own_slot(test *t)
{
	rbl_mesh *plain = wall_mesh(), *mesh = NULL;
	rbl_mesh_material looks[2] = { { .name = "left" }, { .name = "right" } };
	rbl_mesh_def mesh_def = rbl_default_mesh_def();
	mesh_def.data = rbl_mesh_get_data(plain);
	int *slots = calloc((size_t)mesh_def.data.face_count, sizeof *slots);
	for (int f = 0; f < mesh_def.data.face_count; ++f) { // the end at the right
		rbl_vec3d sum = { 0.0, 0.0, 0.0 };
		int begin = mesh_def.data.face_starts[f], end = mesh_def.data.face_starts[f + 1];
		for (int k = begin; k < end; ++k)
			sum = rbl_add_d(sum, mesh_def.data.positions[mesh_def.data.corner_vertices[k]]);
		slots[f] = sum.x / (end - begin) > 1.1;
	}
	mesh_def.data.face_materials = slots;
	mesh_def.data.materials = looks, mesh_def.data.material_count = 2;
	CHECK(t, rbl_create_mesh(&mesh_def, &mesh) == RBL_OK);
	rbl_material_def material_def = rbl_default_material_def();
	rbl_material *materials[2] = { NULL };
	for (int i = 0; i < 2; ++i)
		CHECK(t, rbl_create_material(&material_def, &materials[i]) == RBL_OK);
	hierarchy h = make_hierarchy();
	rbl_pattern *thin = NULL; // slices a hand wide
	rbl_vec3d sites[24];
	for (int i = 0; i < 24; ++i)
		sites[i] = (rbl_vec3d){ -1.15 + 0.1 * i, 0.0, 0.0 };
	rbl_pattern_def thin_def = rbl_default_pattern_def();
	thin_def.kind = RBL_PATTERN_SITES;
	thin_def.size = wall_size, thin_def.sites = sites, thin_def.given_count = 24;
	CHECK(t, rbl_create_pattern(&thin_def, &thin) == RBL_OK);
	h.levels[0].pattern = thin;
	rbl_prepare_def def = rbl_default_prepare_def();
	def.node_count = 1;
	def.materials = (const rbl_material *const *)materials, def.material_count = 2;
	def.levels = h.levels, def.level_count = 1;
	rbl_asset *asset = prepare(t, mesh, &def);
	const rbl_compound *c = rbl_asset_get_compound(asset);
	int right = 0, n = rbl_asset_get_report(asset).part_count;
	CHECK(t, n == 24);
	for (int i = 0; i < n; ++i) {
		rbl_compound_part part = rbl_compound_get_part(c, i);
		bool is_right = rbl_convex_get_mass(part.convex).centre.x > 1.1;
		CHECK(t, rbl_compound_get_material(c, part.material) == materials[is_right]);
		right += is_right;
	}
	CHECK(t, right == 1);
	rbl_destroy_asset(asset);
	rbl_destroy_pattern(thin);
	destroy_hierarchy(&h);
	for (int i = 0; i < 2; ++i)
		rbl_destroy_material(materials[i]);
	free(slots);
	rbl_destroy_mesh(mesh);
	rbl_destroy_mesh(plain);
}

static void wrong_levels_are_refused(test *t)
{
	rbl_mesh *mesh = wall_mesh();
	hierarchy h = make_hierarchy();
	rbl_prepare_def def = rbl_default_prepare_def();
	rbl_asset *asset = NULL;
	def.levels = h.levels, def.level_count = 2;
	h.levels[0].strength = 0.0;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_BAD_ARGUMENT && !asset);
	h.levels[0].strength = 0.1, h.levels[0].position.y = (double)NAN;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_BAD_ARGUMENT && !asset);
	h.levels[0].position.y = 0.0, h.levels[0].rotation.w = 0.5;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_BAD_ARGUMENT && !asset);
	h.levels[0].rotation.w = 0.0;
	def.level_count = 3, h.levels[2].cluster_count = 3; // fewer than the patterns have made
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_BAD_ARGUMENT && !asset);
	CHECK(t, strstr(rbl_last_error(), "clusters") != NULL);
	h.levels[2].cluster_count = 1000000 / 8;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_BAD_ARGUMENT && !asset);
	rbl_convex *small = box_convex((rbl_vec3d){ -0.5, -0.5, -0.5 }, (rbl_vec3d){ 0.5, 0.5, 0.5 });
	rbl_pattern_def cells = rbl_default_pattern_def();
	cells.kind = RBL_PATTERN_CELLS;
	cells.size = (rbl_vec3d){ 1.0, 1.0, 1.0 };
	cells.convexes = (const rbl_convex *const *)&small, cells.given_count = 1;
	rbl_pattern *ends = NULL;
	CHECK(t, rbl_create_pattern(&cells, &ends) == RBL_OK);
	def.level_count = 1, h.levels[0].pattern = ends; // its rim goes on for ever, or is refused
	rbl_result result = rbl_prepare(mesh, &def, &asset);
	CHECK(t, (result == RBL_OK) == (asset != NULL));
	rbl_destroy_asset(asset);
	rbl_destroy_pattern(ends);
	rbl_destroy_convex(small);
	destroy_hierarchy(&h);
	rbl_destroy_mesh(mesh);
}

static void every_allocation_may_fail(test *t)
{
	rbl_mesh *mesh = wall_mesh();
	hierarchy h = make_hierarchy();
	rbl_pattern *few = pattern_of(RBL_PATTERN_VORONOI, 2.4, 3, 5);
	h.levels[0].pattern = few, h.levels[1].pattern = few, h.levels[1].position.x = 0.2;
	int failures = 0;
	bool is_through = false;
	for (int i = 0; !is_through && i < 100000; i += 1 + i / 40) {
		faulty_allocator memory;
		faulty_init(&memory, i);
		rbl_prepare_def def = rbl_default_prepare_def();
		def.node_count = 2;
		def.levels = h.levels, def.level_count = 2;
		def.allocator = FAULTY(&memory);
		rbl_asset *asset = NULL;
		rbl_result result = rbl_prepare(mesh, &def, &asset);
		CHECK(t, (result == RBL_OK && asset) || (result == RBL_OUT_OF_MEMORY && !asset));
		failures += result != RBL_OK;
		is_through = result == RBL_OK;
		rbl_destroy_asset(asset);
		CHECK(t, memory.live_bytes == 0);
	}
	CHECK(t, is_through && failures > 50);
	rbl_destroy_pattern(few);
	destroy_hierarchy(&h);
	rbl_destroy_mesh(mesh);
}

TEST_MAIN(TEST(chunks_are_divided_into_bricks), TEST(each_level_has_its_own_threshold),
          TEST(every_shape_can_be_divided), TEST(slices_workers_and_files_give_the_same_bits),
          TEST(pieces_are_made_of_their_own_slot), TEST(wrong_levels_are_refused),
          TEST(every_allocation_may_fail))
