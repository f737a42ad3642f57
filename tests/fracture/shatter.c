// SPDX-License-Identifier: MIT
// ctest: soak
// Breaking closed meshes: closed pieces, nothing lost, whatever the planes.

#include "judge.h"
#include "laws.h"

#include "faulty_allocator.h"

static int runs(int share, int full)
{
	return getenv("RBL_SOAK") ? full : share;
}

static void random_patterns_break_every_shape(test *t)
{
	const int counts[] = { 1, 2, 10, 100, 500 };
	for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
		rbl_mesh *mesh = sample_shape(shape);
		rbl_solid *solid = make_solid(mesh);
		rbl_vec3d size = rbl_box_size_d(rbl_mesh_bounds(mesh));
		for (int i = 0; i < 5; ++i) {
			for (int seed = 1; seed <= runs(2, 40); ++seed) {
				rbl_pattern *pattern = make_pattern(size, counts[i], (uint64_t)seed);
				rbl_pieces *pieces = break_solid(solid, pattern);
				check_pieces(t, pieces, 1e-12);
				rbl_destroy_pieces(pieces);
				rbl_destroy_pattern(pattern);
			}
		}
		rbl_destroy_solid(solid);
		rbl_destroy_mesh(mesh);
	}
}

// Planes through vertices, along faces, coplanar with each other.
static void regular_grids_break_every_shape(test *t)
{
	for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
		rbl_mesh *mesh = sample_shape(shape);
		rbl_solid *solid = make_solid(mesh);
		rbl_boxd box = rbl_mesh_bounds(mesh);
		for (int n = 1; n <= 8; ++n) {
			for (int grown = 0; grown < 2; ++grown) {
				rbl_boxd around =
					grown ? rbl_box_grow_d(box, rbl_length_d(rbl_box_size_d(box)) / n) : box;
				rbl_pattern *pattern = grid_pattern(around, n);
				rbl_pieces *pieces = break_solid(solid, pattern);
				check_pieces(t, pieces, 1e-12);
				rbl_destroy_pieces(pieces);
				rbl_destroy_pattern(pattern);
			}
		}
		rbl_destroy_solid(solid);
		rbl_destroy_mesh(mesh);
	}
}

// A box cut along its own faces gives its grid of boxes, not flat shards.
static void a_grid_along_a_box_gives_boxes(test *t)
{
	rbl_mesh *mesh = sample_shape(0);
	rbl_solid *solid = make_solid(mesh);
	for (int n = 2; n <= 6; ++n) {
		rbl_boxd box = rbl_box_grow_d(rbl_mesh_bounds(mesh), 1.0 / n);
		rbl_pattern *pattern = grid_pattern(box, n + 2); // one layer around the box
		rbl_pieces *pieces = break_solid(solid, pattern);
		check_pieces(t, pieces, 1e-12);
		CHECK(t, rbl_pieces_count(pieces) == n * n * n);
		rbl_destroy_pieces(pieces);
		rbl_destroy_pattern(pattern);
	}
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);
}

static void nasty_sites_break_every_shape(test *t)
{
	for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
		rbl_mesh *mesh = sample_shape(shape);
		rbl_solid *solid = make_solid(mesh);
		for (int seed = 1; seed <= runs(8, 1000); ++seed) {
			rbl_pattern *pattern = nasty_pattern(mesh, (uint64_t)seed);
			rbl_pieces *pieces = break_solid(solid, pattern);
			check_pieces(t, pieces, 1e-11);
			rbl_destroy_pieces(pieces);
			rbl_destroy_pattern(pattern);
		}
		rbl_destroy_solid(solid);
		rbl_destroy_mesh(mesh);
	}
}

// A tenth of a millimetre or ten kilometres, near the origin or far from it.
static void scale_does_not_matter(test *t)
{
	const double scales[] = { 1e-4, 1e-3, 1e4 };
	for (int i = 0; i < 3; ++i) {
		for (int far_off = 0; far_off < 2; ++far_off) {
			rbl_vec3d shift = { far_off * scales[i] * 100.0, 0.0, 0.0 };
			rbl_mesh *mesh = moved_mesh(sample_shape(3), scales[i], shift);
			rbl_solid *solid = make_solid(mesh);
			rbl_pattern *pattern = make_pattern(rbl_box_size_d(rbl_mesh_bounds(mesh)), 60, 5);
			rbl_pieces *pieces = break_solid(solid, pattern);
			check_pieces(t, pieces, 1e-12);
			CHECK(t, rbl_pieces_count(pieces) > 40);
			rbl_destroy_pieces(pieces);
			rbl_destroy_pattern(pattern);
			rbl_destroy_solid(solid);
			rbl_destroy_mesh(mesh);
		}
	}
}

// Break each piece into five, and each of those again. @return the sum of all volumes
static double break_again(test *t, const rbl_mesh *mesh, int rounds, uint64_t seed, int *count)
{
	rbl_solid *solid = make_solid(mesh);
	CHECK(t, solid != NULL);
	if (!solid)
		return 0.0;
	rbl_pattern *pattern = seed % 2 ? make_pattern(rbl_box_size_d(rbl_mesh_bounds(mesh)), 5, seed)
	                                : grid_pattern(rbl_mesh_bounds(mesh), 2);
	rbl_pieces *pieces = break_solid(solid, pattern);
	check_pieces(t, pieces, 1e-11);
	double sum = 0.0;
	for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
		if (rounds == 1) {
			sum += rbl_piece_get_info(pieces, i).volume;
			++*count;
			continue;
		}
		rbl_mesh *piece;
		CHECK(t, rbl_piece_mesh(pieces, i, NULL, &piece) == RBL_OK);
		sum += break_again(t, piece, rounds - 1, seed + 2 * (uint64_t)i, count);
		rbl_destroy_mesh(piece);
	}
	rbl_destroy_pieces(pieces);
	rbl_destroy_pattern(pattern);
	rbl_destroy_solid(solid);
	return sum;
}

static void pieces_break_again_and_again(test *t)
{
	for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
		for (uint64_t seed = 1; seed <= (uint64_t)runs(2, 20); ++seed) {
			rbl_mesh *mesh = sample_shape(shape);
			rbl_solid *solid = make_solid(mesh);
			int count = 0;
			double sum = break_again(t, mesh, 3, seed, &count);
			CHECK_NEAR(t, sum / rbl_solid_volume(solid), 1.0, 1e-11);
			CHECK(t, count > 30);
			rbl_destroy_solid(solid);
			rbl_destroy_mesh(mesh);
		}
	}
}

static void the_same_for_any_worker_count(test *t)
{
	rbl_mesh *mesh = sample_shape(3);
	rbl_solid *solid = make_solid(mesh);
	rbl_pattern *pattern = make_pattern((rbl_vec3d){ 1.5, 1.5, 1.5 }, 300, 3);
	const uint64_t expected = UINT64_C(0x28f37821c98cb1a9); // on every platform
	for (int workers = 1; workers <= 8; ++workers) {
		rbl_jobs_def jobs_def = rbl_default_jobs_def();
		jobs_def.worker_count = workers;
		rbl_jobs *jobs = NULL;
		CHECK(t, rbl_create_jobs(&jobs_def, &jobs) == RBL_OK);
		rbl_pieces_def def = rbl_default_pieces_def();
		def.solid = solid, def.pattern = pattern, def.jobs = jobs;
		rbl_pieces *pieces;
		CHECK(t, rbl_create_pieces(&def, &pieces) == RBL_OK);
		uint64_t hash = RBL_HASH_START;
		for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
			rbl_mesh *piece;
			CHECK(t, rbl_piece_mesh(pieces, i, NULL, &piece) == RBL_OK);
			rbl_mesh_data d = rbl_mesh_view(piece);
			hash = rbl_hash_bytes(hash, d.positions, (size_t)d.vertex_count * sizeof *d.positions);
			hash = rbl_hash_bytes(hash, d.corner_vertices, (size_t)d.corner_count * sizeof(int));
			rbl_destroy_mesh(piece);
		}
		CHECK(t, hash == expected);
		rbl_destroy_pieces(pieces);
		rbl_destroy_jobs(jobs);
	}
	rbl_destroy_pattern(pattern);
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);
}

// The judge cuts each cell out of the whole by itself, one plane after the other.
static void volumes_are_those_of_the_judge(test *t)
{
	for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
		rbl_mesh *mesh = sample_shape(shape);
		rbl_solid *solid = make_solid(mesh);
		judge_body body = judge_from(solid->positions, solid->vertex_count,
		                             solid->triangle_vertices, solid->triangle_count);
		for (int kind = 0; kind < 3; ++kind) {
			rbl_pattern *pattern = kind == 0
			                           ? make_pattern(rbl_box_size_d(rbl_mesh_bounds(mesh)), 30, 4)
			                       : kind == 1 ? grid_pattern(rbl_mesh_bounds(mesh), 3)
			                                   : nasty_pattern(mesh, 3);
			rbl_pieces *pieces = break_solid(solid, pattern);
			double *volumes = calloc((size_t)pieces->cells.cell_count, sizeof *volumes);
			for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
				rbl_piece_info info = rbl_piece_get_info(pieces, i);
				volumes[info.cell] += info.volume;
			}
			double worst = 0.0;
			for (int c = 0; c < pieces->cells.cell_count; ++c)
				worst = rbl_maxd(worst,
				                 fabs(volumes[c] - judge_volume_in_cell(&body, &pieces->cells, c)));
			CHECK_NEAR(t, worst, 0.0, 1e-12);
			free(volumes);
			rbl_destroy_pieces(pieces);
			rbl_destroy_pattern(pattern);
		}
		judge_free(&body);
		rbl_destroy_solid(solid);
		rbl_destroy_mesh(mesh);
	}
}

static rbl_result break_with(rbl_allocator allocator, const rbl_mesh *mesh)
{
	rbl_solid_def solid_def = rbl_default_solid_def();
	solid_def.mesh = mesh, solid_def.allocator = allocator;
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.cell_count = 12, pattern_def.allocator = allocator;
	rbl_solid *solid = NULL;
	rbl_pattern *pattern = NULL;
	rbl_pieces *pieces = NULL;
	rbl_result result = rbl_create_solid(&solid_def, &solid);
	if (result == RBL_OK)
		result = rbl_create_pattern(&pattern_def, &pattern);
	if (result == RBL_OK) {
		rbl_pieces_def def = rbl_default_pieces_def();
		def.solid = solid, def.pattern = pattern, def.allocator = allocator;
		result = rbl_create_pieces(&def, &pieces);
	}
	for (int i = 0; i < rbl_pieces_count(pieces) && result == RBL_OK; i += 5) {
		rbl_mesh *piece = NULL;
		rbl_convex *convex = NULL;
		result = rbl_piece_mesh(pieces, i, &allocator, &piece);
		if (result == RBL_OK)
			result = rbl_piece_convex(pieces, i, RBL_FIT_26, 0, &allocator, &convex);
		rbl_destroy_mesh(piece);
		rbl_destroy_convex(convex);
	}
	rbl_destroy_pieces(pieces);
	rbl_destroy_pattern(pattern);
	rbl_destroy_solid(solid);
	return result;
}

static void every_failed_allocation_unwinds(test *t)
{
	rbl_mesh *mesh = sample_shape(5);
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_result result = break_with(FAULTY(&memory), mesh);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
	rbl_destroy_mesh(mesh);
}

TEST_MAIN(TEST(random_patterns_break_every_shape), TEST(regular_grids_break_every_shape),
          TEST(a_grid_along_a_box_gives_boxes), TEST(nasty_sites_break_every_shape),
          TEST(volumes_are_those_of_the_judge), TEST(scale_does_not_matter),
          TEST(pieces_break_again_and_again), TEST(the_same_for_any_worker_count),
          TEST(every_failed_allocation_unwinds))
