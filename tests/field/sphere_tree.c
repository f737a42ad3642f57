// SPDX-License-Identifier: MIT
// Sphere trees: radii that hold what is below, every point once, names that last; and samples of
// meshes.

#include "field/sphere_tree.h"

#include "base/hash.h"
#include "base/kernel.h"

#include "scenes/point_clouds.h"

#include "faulty_allocator.h"
#include "test.h"

#include <rubble/shapes.h>

static char last_line[300];

static void keep_line(void *user, rbl_log_level level, const char *text)
{
	(void)user, (void)level;
	snprintf(last_line, sizeof last_line, "%s", text);
}

static rbl_result build_tree(const rbl_sphere_tree_def *def, const rbl_allocator *allocator,
                             rbl_sphere_tree *tree)
{
	rbl_arena arena;
	rbl_arena_init(&arena, allocator, 4096);
	rbl_result result = rbl_sphere_tree_build(def, &arena, allocator, tree);
	rbl_arena_destroy(&arena);
	return result;
}

static void parents_of(const rbl_sphere_tree *tree, int *parents)
{
	for (int rank = 0; rank < tree->count; ++rank)
		parents[rank] = -1;
	for (int rank = 0; rank < tree->count; ++rank)
		for (int i = tree->child_starts[rank]; i < tree->child_starts[rank + 1]; ++i)
			parents[tree->children[i]] = parents[tree->children[i]] < 0 ? rank : -2;
}

// --- trees --------------------------------------------------------------------------------------

static void check_links(test *t, const rbl_sphere_tree *tree)
{
	int *parents = malloc((size_t)tree->count * sizeof *parents);
	parents_of(tree, parents);
	CHECK(t, tree->child_starts[0] == 0 && tree->child_starts[tree->count] == tree->count - 1);
	bool is_right = parents[0] == -1;
	for (int begin = 0, end; begin < tree->count; begin = end) {
		end = rbl_order_level_end(begin, tree->exact_count, tree->count);
		for (int rank = begin; rank < end; ++rank)
			is_right &= begin == 0 || (parents[rank] >= 0 && parents[rank] < begin);
	}
	for (int rank = 0; rank < tree->count; ++rank)
		for (int i = tree->child_starts[rank] + 1; i < tree->child_starts[rank + 1]; ++i)
			is_right &=
				tree->children[i - 1] < tree->children[i] && tree->radii[i - 1] >= tree->radii[i];
	CHECK(t, is_right);
	free(parents);
}

// In double precision, against every ancestor.
static void check_radii(test *t, const rbl_sphere_tree *tree)
{
	int *parents = malloc((size_t)tree->count * sizeof *parents);
	int *places = malloc((size_t)tree->count * sizeof *places);
	parents_of(tree, parents);
	for (int i = 0; i < tree->count - 1; ++i)
		places[tree->children[i]] = i;
	int outside = 0;
	double loosest = 0.0;
	for (int rank = 1; rank < tree->count; ++rank) {
		for (int child = rank; child > 0; child = parents[child]) {
			double distance = rbl_distance_d(rbl_to_d(tree->positions[parents[child]]),
			                                 rbl_to_d(tree->positions[rank]));
			outside += distance > (double)tree->radii[places[child]];
		}
		// The last child's radius is for its descendants alone, so that of a childless one is no
		// larger than it must be.
		int parent = parents[rank];
		if (places[rank] + 1 == tree->child_starts[parent + 1] &&
		    tree->child_starts[rank] == tree->child_starts[rank + 1]) {
			double distance =
				rbl_distance_d(rbl_to_d(tree->positions[parent]), rbl_to_d(tree->positions[rank]));
			loosest = rbl_maxd(loosest, (double)tree->radii[places[rank]] - 1.00001 * distance);
		}
	}
	CHECK(t, outside == 0);
	CHECK(t, loosest <= 0.0);
	free(parents);
	free(places);
}

static void points_lie_inside_their_ancestors_radii(test *t)
{
	static const int counts[] = { 1, 2, 5, 64, 65, 700, 3000 };
	for (int kind = 0; kind < CLOUD_COUNT; ++kind)
		for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i)
			for (int ordered = 0; ordered <= counts[i]; ordered += counts[i]) {
				rbl_vec3 *points = make_cloud((cloud_kind)kind, counts[i], 4);
				rbl_sphere_tree_def def = { points, NULL, counts[i], ordered };
				rbl_sphere_tree tree;
				CHECK(t, build_tree(&def, NULL, &tree) == RBL_OK);
				check_links(t, &tree);
				check_radii(t, &tree);
				rbl_sphere_tree_destroy(&tree);
				CHECK(t, tree.positions == NULL && tree.count == 0);
				free(points);
			}
}

static void every_point_is_there_once_with_its_id(test *t)
{
	enum { COUNT = 1000 };
	rbl_vec3 *points = make_cloud(CLOUD_TWINS, COUNT, 8);
	uint32_t ids[COUNT];
	int seen[COUNT] = { 0 };
	for (int i = 0; i < COUNT; ++i)
		ids[i] = (uint32_t)(2 * (COUNT - i) + 5);
	rbl_sphere_tree_def def = { points, ids, COUNT, 0 };
	rbl_sphere_tree tree;
	CHECK(t, build_tree(&def, NULL, &tree) == RBL_OK);
	for (int rank = 0; rank < COUNT; ++rank) {
		int index = COUNT - ((int)tree.ids[rank] - 5) / 2;
		seen[index]++;
		CHECK(t, memcmp(&tree.positions[rank], &points[index], sizeof(rbl_vec3)) == 0);
	}
	for (int i = 0; i < COUNT; ++i)
		CHECK(t, seen[i] == 1);
	rbl_sphere_tree_destroy(&tree);
	free(points);
}

// A point keeps its name when others come and go, although its rank is another.
static void ids_outlast_ranks(test *t)
{
	enum { COUNT = 600 };
	rbl_vec3 *points = make_cloud(CLOUD_SPHERE, COUNT, 11);
	uint32_t ids[COUNT];
	for (int i = 0; i < COUNT; ++i)
		ids[i] = (uint32_t)i;
	rbl_sphere_tree all, half;
	CHECK(t, build_tree(&(rbl_sphere_tree_def){ points, ids, COUNT, 0 }, NULL, &all) == RBL_OK);
	CHECK(t, build_tree(&(rbl_sphere_tree_def){ points + COUNT / 2, ids + COUNT / 2, COUNT / 2, 0 },
	                    NULL, &half) == RBL_OK);
	int moved = 0;
	for (int rank = 0; rank < half.count; ++rank) {
		CHECK(t, memcmp(&half.positions[rank], &points[half.ids[rank]], sizeof(rbl_vec3)) == 0);
		moved += all.ids[rank] != half.ids[rank];
	}
	CHECK(t, moved > COUNT / 4);
	rbl_sphere_tree_destroy(&all);
	rbl_sphere_tree_destroy(&half);
	free(points);
}

static uint64_t tree_hash(const rbl_sphere_tree *tree)
{
	size_t n = (size_t)tree->count;
	uint64_t hash = rbl_hash_bytes(RBL_HASH_START, tree->positions, n * sizeof(rbl_vec3));
	hash = rbl_hash_bytes(hash, tree->ids, n * sizeof(uint32_t));
	hash = rbl_hash_bytes(hash, tree->child_starts, (n + 1) * sizeof(int32_t));
	hash = rbl_hash_bytes(hash, tree->children, (n - 1) * sizeof(int32_t));
	return rbl_hash_bytes(hash, tree->radii, (n - 1) * sizeof(float));
}

static void every_lane_width_builds_the_same_tree(test *t)
{
	for (int kind = 0; kind < CLOUD_COUNT; ++kind) {
		rbl_vec3 *points = make_cloud((cloud_kind)kind, 2000, 4);
		rbl_sphere_tree_def def = { points, NULL, 2000, 0 };
		uint64_t first = 0;
		for (int backend = 0; backend < RBL_BACKEND_COUNT; ++backend) {
			rbl_sphere_tree tree;
			if (!rbl_force_backend((rbl_backend)backend))
				continue;
			CHECK(t, build_tree(&def, NULL, &tree) == RBL_OK);
			uint64_t hash = tree_hash(&tree);
			first = first ? first : hash;
			CHECK(t, hash == first);
			rbl_sphere_tree_destroy(&tree);
		}
		rbl_force_backend(rbl_best_backend());
		free(points);
	}
}

static void bad_points_are_refused_with_a_sentence(test *t)
{
	rbl_vec3 points[3] = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, { 2.0f, 0.0f, 0.0f } };
	uint32_t ids[3] = { 1, 2, 3 };
	rbl_sphere_tree tree;
	rbl_set_log(keep_line, NULL);
	const rbl_sphere_tree_def good = { points, ids, 3, 0 };
	rbl_sphere_tree_def def = good;
	def.count = 0;
	CHECK(t, build_tree(&def, NULL, &tree) == RBL_BAD_ARGUMENT && !tree.positions);
	CHECK(t, strstr(last_line, "needs a point"));
	def = good, def.positions = NULL;
	CHECK(t, build_tree(&def, NULL, &tree) == RBL_BAD_ARGUMENT);
	def = good, def.ordered_count = 4;
	CHECK(t, build_tree(&def, NULL, &tree) == RBL_BAD_ARGUMENT);
	CHECK(t, strstr(last_line, "ordered_count is 4"));
	def = good, def.count = RBL_MAX_FIELD_POINTS + 1;
	CHECK(t, build_tree(&def, NULL, &tree) == RBL_LIMIT_REACHED);
	ids[1] = RBL_FIELD_POINT_ID_END;
	CHECK(t, build_tree(&good, NULL, &tree) == RBL_BAD_ARGUMENT);
	CHECK(t, strstr(last_line, "id of point 1"));
	ids[1] = 2;
	const float bad[] = { NAN, INFINITY, -INFINITY, 2e6f, FLT_MAX };
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
		points[2].y = bad[i];
		CHECK(t, build_tree(&good, NULL, &tree) == RBL_BAD_ARGUMENT && !tree.positions);
		CHECK(t, strstr(last_line, "point 2 is at"));
	}
	rbl_set_log(NULL, NULL);
}

static void a_tree_may_run_out_of_memory(test *t)
{
	rbl_vec3 *points = make_cloud(CLOUD_SPHERE, 500, 4);
	rbl_sphere_tree_def def = { points, NULL, 500, 0 };
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_sphere_tree tree;
		rbl_result result = build_tree(&def, &allocator, &tree);
		CHECK(t, memory.live_bytes ==
		             (result == RBL_OK ? (long long)rbl_sphere_tree_memory(&tree) : 0));
		rbl_sphere_tree_destroy(&tree);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
	free(points);
}

// --- samples ------------------------------------------------------------------------------------

static rbl_mesh *make_box(double x, double y, double z, int subdivisions)
{
	rbl_box_def def = rbl_default_box_def();
	def.size = (rbl_vec3d){ x, y, z };
	def.subdivisions = subdivisions;
	rbl_mesh *mesh = NULL;
	rbl_create_box_mesh(&def, &mesh);
	return mesh;
}

static rbl_result sample_mesh(const rbl_mesh *mesh, float crease_angle, float spacing,
                              rbl_point_samples *samples)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	rbl_point_samples_def def = { &data, { 0.0, 0.0, 0.0 }, crease_angle, spacing };
	return rbl_sample_points(&def, NULL, samples);
}

// A box of 1 x 2 x 3 m, whose faces are cut into quads of a quarter: only the twelve edges are
// sharp, and quads have vertices there already.
static void samples_lie_on_vertices_and_sharp_edges(test *t)
{
	rbl_point_samples samples;
	rbl_mesh *plain = make_box(1.0, 2.0, 3.0, 1), *fine = make_box(1.0, 2.0, 3.0, 4);
	CHECK(t, sample_mesh(plain, 0.5f, INFINITY, &samples) == RBL_OK && samples.count == 8);
	rbl_point_samples_destroy(&samples);
	CHECK(t, sample_mesh(plain, 0.5f, 0.25f, &samples) == RBL_OK);
	CHECK(t, samples.count == 8 + 4 * (3 + 7 + 11));
	for (int i = 0; i < samples.count; ++i) {
		rbl_vec3 p = samples.positions[i];
		int on = (fabsf(p.x) == 0.5f) + (fabsf(p.y) == 1.0f) + (fabsf(p.z) == 1.5f);
		CHECK(t, on >= (i < 8 ? 3 : 2));
		CHECK(t, samples.ids[i] == (uint32_t)i);
	}
	rbl_point_samples_destroy(&samples);
	CHECK(t, sample_mesh(fine, 0.5f, 0.8f, &samples) == RBL_OK);
	CHECK(t, samples.count == rbl_mesh_get_data(fine).vertex_count);
	rbl_point_samples_destroy(&samples);
	CHECK(t,
	      sample_mesh(fine, 0.5f, 0.3f, &samples) == RBL_OK); // 0.5 and 0.75 are cut, 0.25 is not
	CHECK(t, samples.count == rbl_mesh_get_data(fine).vertex_count + 4 * 4 * (1 + 2));
	rbl_point_samples_destroy(&samples);
	CHECK(t,
	      sample_mesh(plain, 1.6f, 0.25f, &samples) == RBL_OK && samples.count == 8); // no crease
	rbl_point_samples_destroy(&samples);
	rbl_destroy_mesh(plain);
	rbl_destroy_mesh(fine);
}

// Every point of a sharp edge is within half a spacing of a sample, for any spacing.
static void no_edge_is_sampled_too_coarsely(test *t)
{
	rbl_mesh *mesh = make_box(0.37, 1.0, 0.11, 1);
	for (float spacing = 0.013f; spacing < 2.0f; spacing *= 1.7f) {
		rbl_point_samples samples;
		CHECK(t, sample_mesh(mesh, 0.5f, spacing, &samples) == RBL_OK);
		for (int k = 0; k <= 100; ++k) {
			rbl_vec3 p = { 0.185f, -0.5f + 0.01f * (float)k, 0.055f };
			float least = FLT_MAX;
			for (int i = 0; i < samples.count; ++i)
				least = rbl_minf(least, rbl_distance(p, samples.positions[i]));
			CHECK(t, least <= 0.5f * spacing + 1e-6f);
		}
		rbl_point_samples_destroy(&samples);
	}
	rbl_destroy_mesh(mesh);
}

static void borders_are_sharp_and_loose_vertices_are_left_out(test *t)
{
	const rbl_vec3d positions[5] = { { 9.0, 9.0, 9.0 },
		                             { 0.0, 0.0, 0.0 },
		                             { 1.0, 0.0, 0.0 },
		                             { 1.0, 1.0, 0.0 },
		                             { 0.0, 1.0, 0.0 } };
	const int starts[3] = { 0, 3, 6 }, corners[6] = { 1, 2, 3, 1, 3, 4 };
	rbl_mesh_data data = { .vertex_count = 5,
		                   .positions = positions,
		                   .face_count = 2,
		                   .corner_count = 6,
		                   .face_starts = starts,
		                   .corner_vertices = corners };
	rbl_point_samples_def def = { &data, { 1.0, 0.0, 0.0 }, 0.1f, 0.5f };
	rbl_point_samples samples;
	CHECK(t, rbl_sample_points(&def, NULL, &samples) == RBL_OK);
	CHECK(t, samples.count == 4 + 4); // one on each side, none on the diagonal
	CHECK(t, samples.ids[0] == 1 && samples.ids[3] == 4 && samples.ids[4] == 5);
	CHECK(t,
	      samples.positions[0].x == -1.0f && samples.positions[1].x == 0.0f); // around the origin
	rbl_point_samples_destroy(&samples);
}

static void bad_meshes_are_refused_with_a_sentence(test *t)
{
	rbl_vec3d positions[3] = { { 0.0, 0.0, 0.0 }, { 1.0, 0.0, 0.0 }, { 1.0, 1.0, 0.0 } };
	int starts[2] = { 0, 3 }, corners[3] = { 0, 1, 2 };
	rbl_mesh_data data = { .vertex_count = 3,
		                   .positions = positions,
		                   .face_count = 1,
		                   .corner_count = 3,
		                   .face_starts = starts,
		                   .corner_vertices = corners };
	const rbl_point_samples_def good = { &data, { 0.0, 0.0, 0.0 }, 0.5f, 0.1f };
	rbl_point_samples_def def = good;
	rbl_point_samples samples;
	rbl_set_log(keep_line, NULL);
	const float bad_spacings[] = { 0.0f, -1.0f, NAN };
	for (int i = 0; i < 3; ++i) {
		def.spacing = bad_spacings[i];
		CHECK(t, rbl_sample_points(&def, NULL, &samples) == RBL_BAD_ARGUMENT && !samples.positions);
		CHECK(t, strstr(last_line, "spacing is"));
	}
	def = good, def.spacing = 1e-10f;
	CHECK(t, rbl_sample_points(&def, NULL, &samples) == RBL_LIMIT_REACHED && !samples.positions);
	def = good, def.crease_angle = NAN;
	CHECK(t, rbl_sample_points(&def, NULL, &samples) == RBL_BAD_ARGUMENT);
	def = good, def.origin.z = NAN;
	CHECK(t, rbl_sample_points(&def, NULL, &samples) == RBL_BAD_ARGUMENT);
	positions[1].y = NAN;
	CHECK(t, rbl_sample_points(&good, NULL, &samples) == RBL_BAD_MESH);
	CHECK(t, strstr(last_line, "vertex 1 is at"));
	positions[1].y = 1e30;
	CHECK(t, rbl_sample_points(&good, NULL, &samples) == RBL_BAD_MESH);
	positions[1].y = 0.0;
	corners[2] = 3;
	CHECK(t, rbl_sample_points(&good, NULL, &samples) == RBL_BAD_MESH);
	CHECK(t, strstr(last_line, "corner 2"));
	corners[2] = 2, starts[1] = 2, data.corner_count = 2;
	CHECK(t, rbl_sample_points(&good, NULL, &samples) == RBL_BAD_MESH);
	data.face_count = 0;
	CHECK(t, rbl_sample_points(&good, NULL, &samples) == RBL_BAD_MESH);
	CHECK(t, strstr(last_line, "without faces"));
	def = good, def.mesh = NULL;
	CHECK(t, rbl_sample_points(&def, NULL, &samples) == RBL_BAD_MESH);
	rbl_set_log(NULL, NULL);
}

static void sampling_may_run_out_of_memory(test *t)
{
	rbl_mesh *mesh = make_box(1.0, 1.0, 1.0, 2);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	rbl_point_samples_def def = { &data, { 0.0, 0.0, 0.0 }, 0.5f, 0.1f };
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_point_samples samples;
		rbl_result result = rbl_sample_points(&def, &allocator, &samples);
		CHECK(t, (result == RBL_OK) == (memory.live_bytes > 0));
		rbl_point_samples_destroy(&samples);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
	rbl_destroy_mesh(mesh);
}

TEST_MAIN(TEST(points_lie_inside_their_ancestors_radii),
          TEST(every_point_is_there_once_with_its_id), TEST(ids_outlast_ranks),
          TEST(every_lane_width_builds_the_same_tree), TEST(bad_points_are_refused_with_a_sentence),
          TEST(a_tree_may_run_out_of_memory), TEST(samples_lie_on_vertices_and_sharp_edges),
          TEST(no_edge_is_sampled_too_coarsely),
          TEST(borders_are_sharp_and_loose_vertices_are_left_out),
          TEST(bad_meshes_are_refused_with_a_sentence), TEST(sampling_may_run_out_of_memory))
