// SPDX-License-Identifier: MIT
// ctest: threads soak
// Compounds whose parts have meshes in them: what is seen is neither lost nor torn.

#include "compounds.h"
#include "faulty_allocator.h"
#include "invariants.h"
#include "worker_pool.h"

static double seen_volume(const rbl_compound *c)
{
	double sum = 0.0;
	for (int i = 0; i < c->parts.count; ++i) {
		const rbl_part *m = &c->parts.data[i];
		if (m->convex)
			sum += m->mesh ? rbl_mesh_get_mass(m->mesh).volume : m->volume;
	}
	return sum;
}

// Meshes are closed and lie in their convexes.
static void check_meshes(test *t, const rbl_compound *c)
{
	int open = 0, outside = 0;
	for (int i = 0; i < c->parts.count; ++i) {
		const rbl_part *m = &c->parts.data[i];
		if (!m->mesh)
			continue;
		open += !is_balanced(m->mesh);
		rbl_convex_data convex = rbl_convex_get_data(m->convex);
		rbl_mesh_data mesh = rbl_mesh_get_data(m->mesh);
		double reach = 1e-9 * rbl_length_d(rbl_box_size_d(rbl_mesh_bounds(m->mesh)));
		for (int f = 0; f < convex.face_count; ++f) {
			for (int v = 0; v < mesh.vertex_count; ++v)
				outside += rbl_plane_distance_d(convex.planes[f], mesh.positions[v]) > reach;
		}
	}
	CHECK(t, open == 0);
	CHECK(t, outside == 0);
}

static rbl_compound *compound_of(const rbl_mesh *mesh, const rbl_pattern *pattern, rbl_fit fit,
                                 const rbl_allocator *allocator)
{
	rbl_compound_def def = rbl_default_compound_def();
	def.mesh = mesh;
	def.pattern = pattern;
	def.position = rbl_box_centre_d(rbl_mesh_bounds(mesh));
	def.fit = fit;
	if (allocator)
		def.allocator = *allocator;
	rbl_compound *c = NULL;
	rbl_create_compound(&def, &c);
	return c;
}

static rbl_break *break_meshes(test *t, rbl_compound *c, const rbl_break_def *def)
{
	double before = seen_volume(c), after = 0.0;
	rbl_break *broken = NULL;
	CHECK(t, rbl_compound_break(c, def, &broken) == RBL_OK);
	rbl_break_data data = rbl_break_get_data(broken);
	after = seen_volume(c);
	for (int i = 0; i < data.compound_count; ++i) {
		after += seen_volume(data.compounds[i]);
		CHECK(t, is_sound(data.compounds[i]));
		CHECK(t, component_count(data.compounds[i]) == 1);
		check_meshes(t, data.compounds[i]);
	}
	CHECK(t, is_sound(c));
	check_meshes(t, c);
	CHECK_NEAR(t, after / before, 1.0, 1e-9);
	return broken;
}

static void one_mesh_breaks_into_closed_meshes_in_convexes(test *t)
{
	for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
		for (int round = 0; round < test_count(6, 40); ++round) {
			double scale = round % 3 == 0 ? 1.0 : round % 3 == 1 ? 1e-3 : 1e4;
			rbl_vec3d shift = { 0.3 * scale, -0.7 * scale, 0.0 };
			rbl_mesh *mesh = moved_mesh(sample_shape(shape), scale, shift);
			rbl_boxd box = rbl_mesh_bounds(mesh);
			rbl_vec3d size = rbl_scale_d(1.2, rbl_box_size_d(box));
			rbl_pattern *pattern = round % 4 == 3   ? nasty_pattern(mesh, (uint64_t)round)
			                       : round % 4 == 2 ? grid_pattern(box, 3)
			                                        : make_pattern(size, 12, (uint64_t)round);
			rbl_compound *c = compound_of(mesh, NULL, (rbl_fit)(round % 3), NULL);
			CHECK(t, rbl_compound_get_info(c).part_count == 1);
			check_meshes(t, c);
			rbl_break_def def = rbl_default_break_def();
			def.pattern = pattern;
			def.position = rbl_box_centre_d(box);
			def.fit = (rbl_fit)(round % 3);
			if (round % 2)
				def.radius = 0.3 * rbl_length_d(rbl_box_size_d(box));
			rbl_break *broken = break_meshes(t, c, &def);
			CHECK(t, shape == 6 || round % 4 == 3 || rbl_break_get_data(broken).compound_count > 1);
			rbl_destroy_break(broken);
			rbl_destroy_compound(c);
			rbl_destroy_pattern(pattern);
			rbl_destroy_mesh(mesh);
		}
	}
}

static void a_split_mesh_hangs_together_and_breaks_where_it_is_hit(test *t)
{
	for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
		rbl_mesh *mesh = sample_shape(shape);
		rbl_boxd box = rbl_mesh_bounds(mesh);
		rbl_vec3d size = rbl_box_size_d(box);
		rbl_pattern *split = make_pattern(size, 40, 2), *pattern = make_pattern(size, 30, 7);
		rbl_compound *c = compound_of(mesh, split, RBL_FIT_26, NULL);
		check_meshes(t, c);
		CHECK(t, is_sound(c));
		if (shape != 6) { // two bodies that overlap are cut apart from each other
			CHECK(t, component_count(c) == 1);
			CHECK_NEAR(t, seen_volume(c) / rbl_mesh_get_mass(mesh).volume, 1.0, 1e-9);
		}
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern;
		def.position = rbl_mesh_get_data(mesh).positions[0];
		def.radius = 0.15 * rbl_length_d(size);
		const rbl_convex *before[200];
		int count = c->parts.count;
		for (int i = 0; i < count; ++i)
			before[i] = c->parts.data[i].convex;
		rbl_break *broken = break_meshes(t, c, &def);
		rbl_break_data data = rbl_break_get_data(broken);
		CHECK(t, data.compound_count > 0 && data.touched_count < count);
		int kept = 0;
		for (int i = 0; i < count && i < c->parts.count; ++i)
			kept += c->parts.data[i].convex == before[i];
		CHECK(t, kept > 0);
		rbl_destroy_break(broken);
		rbl_destroy_compound(c);
		rbl_destroy_pattern(split);
		rbl_destroy_pattern(pattern);
		rbl_destroy_mesh(mesh);
	}
}

static void three_rounds_lose_nothing_of_what_is_seen(test *t)
{
	for (int shape = 0; shape < 4; ++shape) {
		enum { MOST = 1000 };
		rbl_mesh *mesh = sample_shape(shape);
		rbl_compound *lists[2][MOST] = { { compound_of(mesh, NULL, RBL_FIT_14, NULL) } };
		double before = rbl_mesh_get_mass(mesh).volume, after = 0.0;
		int count = 1;
		rbl_pattern *pattern = make_pattern((rbl_vec3d){ 2.0, 2.0, 2.0 }, 5, 4);
		for (int round = 0; round < 3; ++round) {
			rbl_compound **from = lists[round % 2], **to = lists[1 - round % 2];
			int made = 0;
			for (int i = 0; i < count; ++i) {
				rbl_break_def def = rbl_default_break_def();
				rbl_mass mass = rbl_compound_get_mass(from[i]);
				def.pattern = pattern;
				def.position = mass.centre;
				def.fit = RBL_FIT_14;
				def.shape =
					rbl_mat_scale_d(sqrt(mass.inertia.y.y / mass.volume), rbl_mat_identity_d());
				def.rotation_seed = (uint64_t)(round * 1000 + i + 1);
				rbl_break *broken = break_meshes(t, from[i], &def);
				for (int k = 0; k < rbl_break_get_data(broken).compound_count && made < MOST - 1;
				     ++k)
					to[made++] = rbl_break_take(broken, k);
				rbl_destroy_break(broken);
				if (from[i]->part_count > 0)
					to[made++] = from[i];
				else
					rbl_destroy_compound(from[i]);
			}
			count = made;
		}
		for (int i = 0; i < count; ++i) {
			after += seen_volume(lists[1][i]);
			rbl_destroy_compound(lists[1][i]);
		}
		CHECK(t, count > 40);
		CHECK_NEAR(t, after / before, 1.0, 1e-9);
		rbl_destroy_pattern(pattern);
		rbl_destroy_mesh(mesh);
	}
}

static void more_directions_fit_more_closely(test *t)
{
	rbl_mesh *mesh = sample_shape(2);
	double volumes[3];
	for (int i = 0; i < 3; ++i) {
		rbl_compound *c = compound_of(mesh, NULL, (rbl_fit)i, NULL);
		volumes[i] = rbl_compound_get_mass(c).volume;
		check_meshes(t, c);
		rbl_destroy_compound(c);
	}
	CHECK(t, volumes[0] > 1.05 * volumes[1] && volumes[1] > 1.02 * volumes[2]);
	CHECK(t, volumes[2] > rbl_mesh_get_mass(mesh).volume);
	rbl_destroy_mesh(mesh);
}

// Two slanted bars side by side in one cell: their boxes overlap, and they go apart.
static void convexes_that_overlap_are_listed(test *t)
{
	static soup s;
	s.point_count = s.triangle_count = 0;
	soup_box(&s, (rbl_vec3d){ -1.0, -0.1, -0.1 }, (rbl_vec3d){ 1.0, 0.1, 0.1 }, false);
	soup_box(&s, (rbl_vec3d){ -1.0, 0.2, -0.1 }, (rbl_vec3d){ 1.0, 0.4, 0.1 }, false);
	for (int v = 0; v < s.point_count; ++v) {
		rbl_vec3d p = s.points[v];
		s.points[v] = (rbl_vec3d){ 0.8 * p.x - 0.6 * p.y, 0.6 * p.x + 0.8 * p.y, p.z };
	}
	rbl_mesh *mesh = soup_mesh(&s);
	rbl_pattern *pattern = make_pattern((rbl_vec3d){ 4.0, 4.0, 4.0 }, 1, 1);
	const rbl_fit fits[] = { RBL_FIT_BOX, RBL_FIT_26 };
	for (int i = 0; i < 2; ++i) {
		rbl_compound *c = compound_of(mesh, NULL, fits[i], NULL);
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern;
		def.fit = fits[i];
		rbl_break *broken = break_meshes(t, c, &def);
		rbl_break_data data = rbl_break_get_data(broken);
		CHECK(t, data.compound_count == 2);
		CHECK(t, data.overlap_count == 1);
		if (data.overlap_count == 1) {
			CHECK(t, data.overlaps[0].compound_a == 0 && data.overlaps[0].compound_b == 1);
			CHECK(t, data.overlaps[0].part_a == 0 && data.overlaps[0].part_b == 0);
		}
		rbl_destroy_break(broken);
		rbl_destroy_compound(c);
	}
	rbl_destroy_pattern(pattern);
	rbl_destroy_mesh(mesh);
}

static void parts_with_meshes_are_checked(test *t)
{
	rbl_mesh *mesh = sample_shape(2);
	rbl_boxd box = rbl_mesh_bounds(mesh);
	rbl_convex *around = box_convex(box.lower, box.upper);
	rbl_convex *beside = box_convex(box.lower, rbl_scale_d(0.5, box.upper));
	rbl_compound_part part = { .convex = around, .mesh = mesh };
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = &part;
	def.part_count = 1;
	rbl_compound *c = NULL;
	CHECK(t, rbl_create_compound(&def, &c) == RBL_OK);
	CHECK(t, rbl_compound_get_part(c, 0).mesh && rbl_compound_get_part(c, 0).mesh != mesh);
	rbl_destroy_compound(c);
	part.convex = beside;
	CHECK(t, rbl_create_compound(&def, &c) == RBL_BAD_ARGUMENT && !c);

	rbl_mesh_def open_def = rbl_default_mesh_def();
	open_def.data = rbl_mesh_get_data(mesh);
	open_def.data.face_count--;
	open_def.data.corner_count = open_def.data.face_starts[open_def.data.face_count];
	rbl_mesh *open = NULL;
	CHECK(t, rbl_create_mesh(&open_def, &open) == RBL_OK);
	part = (rbl_compound_part){ .convex = around, .mesh = open };
	CHECK(t, rbl_create_compound(&def, &c) == RBL_BAD_MESH && !c);
	def = rbl_default_compound_def();
	def.mesh = open;
	CHECK(t, rbl_create_compound(&def, &c) == RBL_BAD_MESH && !c);
	rbl_pattern *pattern = make_pattern((rbl_vec3d){ 1.0, 1.0, 1.0 }, 4, 1);
	def.pattern = pattern;
	CHECK(t, rbl_create_compound(&def, &c) == RBL_BAD_MESH && !c);
	rbl_destroy_pattern(pattern);
	rbl_destroy_mesh(open);
	rbl_destroy_mesh(mesh);
	rbl_destroy_convex(around);
	rbl_destroy_convex(beside);
}

static void workers_make_the_same_meshes(test *t)
{
	uint64_t hashes[3];
	rbl_mesh *mesh = sample_shape(3);
	rbl_vec3d size = rbl_box_size_d(rbl_mesh_bounds(mesh));
	rbl_pattern *split = make_pattern(size, 30, 2), *pattern = make_pattern(size, 30, 7);
	for (int i = 0; i < 3; ++i) {
		rbl_jobs *jobs = i > 0 ? create_pool(1 + 2 * i) : NULL;
		rbl_compound_def compound_def = rbl_default_compound_def();
		compound_def.mesh = mesh;
		compound_def.pattern = split;
		compound_def.jobs = jobs;
		rbl_compound *c = NULL;
		CHECK(t, rbl_create_compound(&compound_def, &c) == RBL_OK);
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern;
		def.position = rbl_mesh_get_data(mesh).positions[5];
		def.radius = 0.25 * size.x;
		def.jobs = jobs;
		rbl_break *broken = break_meshes(t, c, &def);
		hashes[i] = break_hash(c, broken);
		rbl_destroy_break(broken);
		rbl_destroy_compound(c);
		rbl_destroy_jobs(jobs);
	}
	CHECK(t, hashes[0] == hashes[1] && hashes[0] == hashes[2]);
	rbl_destroy_pattern(split);
	rbl_destroy_pattern(pattern);
	rbl_destroy_mesh(mesh);
}

static void memory_that_runs_out_changes_nothing(test *t)
{
	rbl_mesh *mesh = sample_shape(0);
	rbl_pattern *pattern = make_pattern((rbl_vec3d){ 1.0, 1.0, 1.0 }, 3, 1);
	rbl_pattern *split = make_pattern((rbl_vec3d){ 1.0, 1.0, 1.0 }, 2, 5);
	faulty_allocator memory;
	faulty_init(&memory, 1 << 30);
	rbl_allocator allocator = FAULTY(&memory);
	for (int n = 0;; ++n) {
		rbl_compound *c = compound_of(mesh, split, RBL_FIT_14, &allocator);
		uint64_t before = compound_hash(c);
		memory.allowed = n;
		memory.failed = false;
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern;
		def.radius = 0.4;
		rbl_break *broken = NULL;
		rbl_result result = rbl_compound_break(c, &def, &broken);
		bool failed = memory.failed;
		memory.allowed = 1 << 30;
		CHECK(t, (result == RBL_OK) == (broken != NULL));
		CHECK(t, result == RBL_OK || (result == RBL_OUT_OF_MEMORY && compound_hash(c) == before));
		rbl_destroy_break(broken);
		rbl_destroy_compound(c);
		CHECK(t, memory.live_bytes == 0);
		if (!failed)
			break;
	}
	for (int kind = 0; kind < 2; ++kind) {
		for (int n = 0;; ++n) {
			memory.allowed = n;
			memory.failed = false;
			rbl_compound *c = compound_of(mesh, kind ? split : NULL, RBL_FIT_14, &allocator);
			CHECK(t, memory.failed || c);
			rbl_destroy_compound(c);
			CHECK(t, memory.live_bytes == 0);
			if (!memory.failed)
				break;
			CHECK(t, !c);
		}
	}
	rbl_destroy_pattern(pattern);
	rbl_destroy_pattern(split);
	rbl_destroy_mesh(mesh);
}

// Also when parts are cut side by side, wherever it runs out first.
static void memory_that_runs_out_for_workers_changes_nothing(test *t)
{
	rbl_mesh *mesh = sample_shape(0);
	rbl_pattern *pattern = make_pattern((rbl_vec3d){ 1.0, 1.0, 1.0 }, 4, 1);
	rbl_pattern *split = make_pattern((rbl_vec3d){ 1.0, 1.0, 1.0 }, 5, 5);
	rbl_break_def def = rbl_default_break_def();
	def.jobs = create_pool(3);
	def.pattern = pattern;
	def.radius = 0.5;
	faulty_allocator memory;
	faulty_init(&memory, 1 << 30);
	rbl_allocator allocator = FAULTY(&memory);
	bool failed = true;
	for (int n = 0; failed; n += n < 60 ? 1 : 13) {
		rbl_compound *c = compound_of(mesh, split, RBL_FIT_14, &allocator);
		uint64_t before = compound_hash(c);
		memory.allowed = n;
		memory.failed = false;
		rbl_break *broken = NULL;
		rbl_result result = rbl_compound_break(c, &def, &broken);
		failed = memory.failed;
		memory.allowed = 1 << 30;
		CHECK(t, (result == RBL_OK) == (broken != NULL));
		CHECK(t, result == RBL_OK || (result == RBL_OUT_OF_MEMORY && compound_hash(c) == before));
		rbl_destroy_break(broken);
		rbl_destroy_compound(c);
		CHECK(t, memory.live_bytes == 0);
	}
	rbl_destroy_jobs(def.jobs);
	rbl_destroy_pattern(pattern);
	rbl_destroy_pattern(split);
	rbl_destroy_mesh(mesh);
}

TEST_MAIN(TEST(one_mesh_breaks_into_closed_meshes_in_convexes),
          TEST(a_split_mesh_hangs_together_and_breaks_where_it_is_hit),
          TEST(three_rounds_lose_nothing_of_what_is_seen), TEST(more_directions_fit_more_closely),
          TEST(convexes_that_overlap_are_listed), TEST(parts_with_meshes_are_checked),
          TEST(workers_make_the_same_meshes), TEST(memory_that_runs_out_changes_nothing),
          TEST(memory_that_runs_out_for_workers_changes_nothing))
