// SPDX-License-Identifier: MIT
// ctest: soak pinned
// Breaking closed meshes: closed pieces, nothing lost, whatever the planes.

#include "reference.h"
#include "invariants.h"

#include "base/kernel.h"
#include "faulty_allocator.h"
#include "worker_pool.h"

static void random_patterns_break_every_shape(test *t)
{
	const int counts[] = { 1, 2, 10, 100, 500 };
	for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
		rbl_mesh *mesh = sample_shape(shape);
		rbl_solid *solid = make_solid(mesh);
		rbl_vec3d size = rbl_box_size_d(rbl_mesh_bounds(mesh));
		for (int i = 0; i < 5; ++i) {
			for (int seed = 1; seed <= test_count(2, 40); ++seed) {
				check_break(t, solid, make_pattern(size, counts[i], (uint64_t)seed), 1e-12);
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
				check_break(t, solid, grid_pattern(around, n), 1e-12);
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
		for (int seed = 1; seed <= test_count(8, 1000); ++seed) {
			check_break(t, solid, nasty_pattern(mesh, (uint64_t)seed), 1e-11);
		}
		rbl_destroy_solid(solid);
		rbl_destroy_mesh(mesh);
	}
}

static void add_tetrahedron(soup *s, const rbl_vec3d corners[4])
{
	static const int faces[4][3] = { { 0, 1, 2 }, { 0, 3, 1 }, { 1, 3, 2 }, { 2, 3, 0 } };
	rbl_vec3d n = rbl_cross_d(rbl_sub_d(corners[1], corners[0]), rbl_sub_d(corners[2], corners[0]));
	bool is_turned = rbl_dot_d(n, rbl_sub_d(corners[3], corners[0])) > 0.0;
	int first = s->point_count;
	for (int k = 0; k < 4; ++k)
		s->points[s->point_count++] = corners[k];
	for (int f = 0; f < 4; ++f, s->triangle_count++) {
		for (int k = 0; k < 3; ++k)
			s->triangles[3 * s->triangle_count + k] = first + faces[f][is_turned ? 2 - k : k];
	}
}

// In how many cells a point is, by the signs of their planes alone.
static int count_cells(rbl_convex *const *cells, int count, rbl_vec3d point)
{
	int found = 0;
	for (int c = 0; c < count; ++c) {
		rbl_convex_data d = rbl_convex_get_data(cells[c]);
		bool is_inside = true;
		for (int f = 0; f < d.face_count && is_inside; ++f)
			is_inside = rbl_plane_distance_d(d.planes[f], point) < 0.0;
		found += is_inside;
	}
	return found;
}

// Three rounded planes through one Voronoi edge leave points near it in no cell or in two. Small
// tetrahedra have a corner at such points.
static void points_in_no_cell_or_in_two_do_no_harm(test *t)
{
	enum { CELLS = 60 };
	static soup s;
	s.point_count = s.triangle_count = 0;
	rbl_pattern *pattern = make_pattern((rbl_vec3d){ 2, 2, 2 }, CELLS, 11);
	rbl_convex *cells[CELLS] = { 0 };
	for (int c = 0; c < CELLS; ++c)
		CHECK(t, rbl_pattern_create_cell_convex(pattern, c, NULL, &cells[c]) == RBL_OK && cells[c]);
	rbl_random random = rbl_random_from_seed(5);
	rbl_boxd middle = { { -2.0, -2.0, -2.0 }, { 2.0, 2.0, 2.0 } };
	int odd = 0;
	for (int i = 0; i < 700; ++i) {
		rbl_convex_data d = rbl_convex_get_data(cells[i % CELLS]);
		int f = (int)rbl_random_below(&random, (uint32_t)d.face_count);
		const int *corners = d.corner_vertices + d.face_starts[f];
		rbl_vec3d a = d.vertices[corners[0]], b = d.vertices[corners[1]], tetrahedron[4];
		tetrahedron[0] = rbl_lerp_d(a, b, i % 4 == 0 ? 0.0 : rbl_random_double(&random));
		if (!rbl_box_contains_d(middle, (rbl_boxd){ tetrahedron[0], tetrahedron[0] }))
			continue; // cells at the rim reach far out
		rbl_boxd near = { { -0.05, -0.05, -0.05 }, { 0.05, 0.05, 0.05 } };
		for (int k = 1; k < 4; ++k)
			tetrahedron[k] = rbl_add_d(tetrahedron[0], rbl_random_in_box(&random, near));
		add_tetrahedron(&s, tetrahedron);
		odd += count_cells(cells, CELLS, tetrahedron[0]) != 1;
	}
	CHECK(t, odd > 50);
	for (int k = -3; k <= 3; k += 6) // around the origin, so that the solid is not moved
		soup_box(&s, (rbl_vec3d){ k - 0.5, k - 0.5, k - 0.5 },
		         (rbl_vec3d){ k + 0.5, k + 0.5, k + 0.5 }, false);
	rbl_mesh *mesh = soup_mesh(&s);
	rbl_solid *solid = make_solid(mesh);
	rbl_pieces *pieces = solid ? break_solid(solid, pattern) : NULL;
	CHECK(t, solid && rbl_length_d(solid->origin) == 0.0);
	check_pieces(t, pieces, 1e-12);
	CHECK(t, rbl_pieces_count(pieces) > 1000);
	rbl_destroy_pieces(pieces);
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);
	for (int c = 0; c < CELLS; ++c)
		rbl_destroy_convex(cells[c]);
	rbl_destroy_pattern(pattern);
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
		CHECK(t, rbl_piece_create_mesh(pieces, i, NULL, &piece) == RBL_OK);
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
		for (uint64_t seed = 1; seed <= (uint64_t)test_count(2, 20); ++seed) {
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

// Patterns, cuts and meshes, for each width of lanes that this processor has.
static void the_same_for_any_back_end(test *t)
{
	rbl_mesh *mesh = sample_shape(3);
	rbl_solid *solid = make_solid(mesh);
	rbl_backend before = rbl_current_backend();
	uint64_t expected = 0;
	for (int backend = RBL_BACKEND_PLAIN; backend < RBL_BACKEND_COUNT; ++backend) {
		if (!rbl_force_backend((rbl_backend)backend))
			continue;
		rbl_pattern *pattern = make_pattern((rbl_vec3d){ 1.5, 1.5, 1.5 }, 200, 9);
		rbl_pieces *pieces = break_solid(solid, pattern);
		uint64_t hash = RBL_HASH_START;
		for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
			rbl_piece_info info = rbl_piece_get_info(pieces, i);
			hash = rbl_hash_bytes(hash, &info.volume, sizeof info.volume);
			hash = rbl_hash_bytes(hash, &info.centre, sizeof info.centre);
		}
		CHECK(t, expected == 0 || hash == expected);
		expected = hash;
		rbl_destroy_pieces(pieces);
		rbl_destroy_pattern(pattern);
	}
	rbl_force_backend(before);
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);
}

static void the_same_for_any_worker_count(test *t)
{
	rbl_mesh *mesh = sample_shape(3);
	rbl_solid *solid = make_solid(mesh);
	rbl_pattern *pattern = make_pattern((rbl_vec3d){ 1.5, 1.5, 1.5 }, 300, 3);
	const uint64_t expected = UINT64_C(0x08a407828657b984); // on every platform
	for (int workers = 1; workers <= 8; ++workers) {
		rbl_jobs *jobs = create_pool(workers);
		rbl_pieces_def def = rbl_default_pieces_def();
		def.solid = solid, def.pattern = pattern, def.jobs = jobs;
		rbl_pieces *pieces;
		CHECK(t, rbl_create_pieces(&def, &pieces) == RBL_OK);
		uint64_t hash = RBL_HASH_START;
		for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
			rbl_mesh *piece;
			CHECK(t, rbl_piece_create_mesh(pieces, i, NULL, &piece) == RBL_OK);
			rbl_mesh_data d = rbl_mesh_get_data(piece);
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
			double *volumes = calloc((size_t)rbl_pattern_cell_count(pattern), sizeof *volumes);
			for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
				rbl_piece_info info = rbl_piece_get_info(pieces, i);
				volumes[info.cell] += info.volume;
			}
			double worst = 0.0, sum = 0.0;
			for (int c = 0; c < pieces->cells.cell_count; ++c) {
				double volume = judge_volume_in_cell(&body, &pieces->cells, c);
				int number = rbl_cell_number(&pieces->cells, c);
				worst = rbl_maxd(worst, fabs(volumes[number] - volume));
				sum += volume;
			}
			CHECK_NEAR(t, worst, 0.0, 1e-12);
			CHECK_NEAR(t, sum, judge_volume(&body), 1e-11); // cells that were left out have nothing
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
		result = rbl_piece_create_mesh(pieces, i, &allocator, &piece);
		if (result == RBL_OK)
			result = rbl_piece_create_convex(pieces, i, RBL_FIT_26, 0, &allocator, &convex);
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
          TEST(points_in_no_cell_or_in_two_do_no_harm), TEST(volumes_are_those_of_the_judge),
          TEST(scale_does_not_matter), TEST(pieces_break_again_and_again),
          TEST(the_same_for_any_worker_count), TEST(the_same_for_any_back_end),
          TEST(every_failed_allocation_unwinds))
