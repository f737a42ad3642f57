// SPDX-License-Identifier: MIT
// Voronoi cells.

#include "base/random.h"
#include "base/vec.h"
#include "geometry/voronoi.h"

#include "faulty_allocator.h"
#include "test.h"
#include "worker_pool.h"

static const rbl_boxd cube = { { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };

// Euler's formula per cell, loops that match their neighbours, shared planes, finite numbers.
static void check_cells(test *t, const rbl_cells *cells, double tolerance)
{
	double volume = 0.0;
	int bad = 0;
	for (int c = 0; c < cells->cell_count; ++c) {
		int faces = cells->cell_faces[c + 1] - cells->cell_faces[c];
		int vertices = cells->cell_vertices[c + 1] - cells->cell_vertices[c];
		volume += cells->volumes[c];
		bad += vertices > 0 && vertices != 2 * faces - 4;
		for (int f = cells->cell_faces[c]; f < cells->cell_faces[c + 1]; ++f) {
			const rbl_cell_face *face = &cells->faces[f];
			bad += face->plane < 0 || face->plane >= cells->plane_count;
			if (face->twin >= 0)
				bad += cells->faces[face->twin].plane != face->plane ||
				       cells->faces[face->twin].sign != -face->sign;
			rbl_planed plane = rbl_cell_face_plane(cells, f);
			for (int k = cells->face_corners[f]; k < cells->face_corners[f + 1]; ++k) {
				rbl_vec3d p = cells->vertices[cells->cell_vertices[c] + cells->corner_vertices[k]];
				bad += !(fabs(rbl_plane_distance_d(plane, p)) <= tolerance);
				bad += cells->corner_faces[k] < 0 || cells->corner_faces[k] >= faces;
			}
		}
	}
	CHECK(t, bad == 0);
	rbl_vec3d size = rbl_box_size_d(cells->box);
	CHECK_NEAR(t, volume / (size.x * size.y * size.z), 1.0, 1e-12);
}

static void random_sites(rbl_vec3d *sites, int count, uint64_t seed)
{
	rbl_random random = rbl_random_from_seed(seed);
	for (int i = 0; i < count; ++i)
		sites[i] = rbl_random_in_box(&random, cube);
}

static void cells_fill_the_box(test *t)
{
	static rbl_vec3d sites[3000];
	const int counts[] = { 1, 2, 3, 10, 100, 1000, 3000 };
	for (int i = 0; i < 7; ++i) {
		random_sites(sites, counts[i], (uint64_t)i);
		rbl_cells cells;
		CHECK(t, rbl_voronoi_cells(&cells, NULL, cube, sites, counts[i], NULL) == RBL_OK);
		check_cells(t, &cells, 1e-12);
		rbl_cells_destroy(&cells);
	}
}

// The reference: a point belongs to the cell of its nearest site.
static void the_nearest_site_owns_a_point(test *t)
{
	enum { N = 500 };
	rbl_vec3d sites[N];
	random_sites(sites, N, 9);
	rbl_cells cells;
	CHECK(t, rbl_voronoi_cells(&cells, NULL, cube, sites, N, NULL) == RBL_OK);
	rbl_random random = rbl_random_from_seed(10);
	for (int i = 0; i < 2000; ++i) {
		rbl_vec3d p = rbl_random_in_box(&random, cube);
		int nearest = 0;
		for (int c = 1; c < N; ++c) {
			if (rbl_distance_d(p, sites[c]) < rbl_distance_d(p, sites[nearest]))
				nearest = c;
		}
		for (int f = cells.cell_faces[nearest]; f < cells.cell_faces[nearest + 1]; ++f)
			CHECK(t, rbl_plane_distance_d(rbl_cell_face_plane(&cells, f), p) < 1e-12);
	}
	rbl_cells_destroy(&cells);
}

// Regular grids: planes through edges and corners of other cells cut nothing.
static void a_grid_gives_boxes(test *t)
{
	enum { N = 6 };
	rbl_vec3d sites[N * N * N];
	for (int i = 0; i < N * N * N; ++i) {
		int k[3] = { i % N, i / N % N, i / N / N };
		sites[i] = (rbl_vec3d){ (2 * k[0] + 1) / (double)N - 1.0, (2 * k[1] + 1) / (double)N - 1.0,
			                    (2 * k[2] + 1) / (double)N - 1.0 };
	}
	rbl_cells cells;
	CHECK(t, rbl_voronoi_cells(&cells, NULL, cube, sites, N * N * N, NULL) == RBL_OK);
	check_cells(t, &cells, 1e-12);
	CHECK(t, cells.face_count == 6 * N * N * N);
	rbl_cells_destroy(&cells);
}

// Sites on a sphere, on a line, in a plane, crowded together, and at the same place.
static void odd_sites_are_fine(test *t)
{
	enum { N = 400 };
	rbl_vec3d sites[N];
	for (int kind = 0; kind < 5; ++kind) {
		random_sites(sites, N, 20);
		for (int i = 0; i < N; ++i) {
			rbl_vec3d p = sites[i];
			switch (kind) {
			case 0:
				sites[i] = i == 0 ? (rbl_vec3d){ 0, 0, 0 } : rbl_scale_d(0.5, rbl_normalize_d(p));
				break;
			case 1:
				sites[i] = (rbl_vec3d){ p.x, 0.25, 0.25 };
				break;
			case 2:
				sites[i] = (rbl_vec3d){ p.x, p.y, 0.1 };
				break;
			case 3:
				sites[i] = rbl_scale_d(1e-5 * rbl_length_squared_d(p), p);
				break;
			default:
				sites[i] = sites[i / 2];
				break;
			}
		}
		rbl_cells cells;
		CHECK(t, rbl_voronoi_cells(&cells, NULL, cube, sites, N, NULL) == RBL_OK);
		check_cells(t, &cells, 1e-12);
		if (kind == 4) {
			CHECK(t, cells.volumes[1] == 0.0 && cells.volumes[0] > 0.0);
			for (int f = 0; f < cells.face_count; ++f) // nobody borders on a copy
				CHECK(t, cells.faces[f].neighbour < 0 || cells.faces[f].twin >= 0);
		}
		if (kind == 0)
			CHECK(t, cells.cell_faces[1] == N - 1); // the centre meets all others
		rbl_cells_destroy(&cells);
	}
}

static void any_worker_count_gives_the_same_cells(test *t)
{
	enum { N = 2000 };
	static rbl_vec3d sites[N];
	random_sites(sites, N, 4);
	rbl_cells one, four;
	rbl_jobs *jobs = create_pool(4);
	CHECK(t, rbl_voronoi_cells(&one, NULL, cube, sites, N, NULL) == RBL_OK);
	CHECK(t, rbl_voronoi_cells(&four, NULL, cube, sites, N, jobs) == RBL_OK);
	CHECK(t, one.face_count == four.face_count && one.plane_count == four.plane_count);
	CHECK(t,
	      memcmp(one.vertices, four.vertices, (size_t)one.vertex_count * sizeof(rbl_vec3d)) == 0);
	CHECK(t, memcmp(one.corner_vertices, four.corner_vertices,
	                (size_t)one.corner_count * sizeof(int)) == 0);
	rbl_cells_destroy(&one), rbl_cells_destroy(&four);
	rbl_destroy_jobs(jobs);
}

// Sites on a circle and on its axis: each touches all of the other curve.
static void curve_sites(rbl_vec3d *sites, int count)
{
	for (int i = 0; i < count; ++i) {
		double part = 2.0 * (double)(i / 2) / (count / 2) - 1.0, angle = 3.14159 * part;
		sites[i] = i % 2 ? (rbl_vec3d){ 0.0, 0.0, 0.3 * part }
		                 : (rbl_vec3d){ 0.9 * cos(angle), 0.9 * sin(angle), 0.0 };
	}
}

// As many faces as pairs are made of few sites; of many they are refused, whoever makes them.
static void more_faces_than_may_be_are_refused(test *t)
{
	enum { N = 600, FEW = 120 };
	static rbl_vec3d sites[N];
	rbl_cells cells;
	curve_sites(sites, FEW);
	CHECK(t, rbl_voronoi_cells(&cells, NULL, cube, sites, FEW, NULL) == RBL_OK);
	CHECK(t, cells.face_count > FEW * FEW / 2);
	check_cells(t, &cells, 1e-12);
	rbl_cells_destroy(&cells);
	curve_sites(sites, N);
	for (int workers = 1; workers <= 4; workers += 3) {
		rbl_jobs *jobs = create_pool(workers);
		CHECK(t, rbl_voronoi_cells(&cells, NULL, cube, sites, N, jobs) == RBL_LIMIT_REACHED);
		rbl_destroy_jobs(jobs);
	}
}

static void bad_sites_are_refused(test *t)
{
	rbl_cells cells;
	rbl_vec3d site = { 2.0, 0.0, 0.0 };
	CHECK(t, rbl_voronoi_cells(&cells, NULL, cube, &site, 1, NULL) == RBL_BAD_ARGUMENT);
	site.x = NAN;
	CHECK(t, rbl_voronoi_cells(&cells, NULL, cube, &site, 1, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_voronoi_cells(&cells, NULL, cube, &site, 0, NULL) == RBL_BAD_ARGUMENT);
}

static void every_failed_allocation_unwinds(test *t)
{
	enum { N = 300 };
	rbl_vec3d sites[N];
	random_sites(sites, N, 30);
	sites[0] = (rbl_vec3d){ 0, 0, 0 };
	for (int i = 1; i < N; ++i)
		sites[i] = rbl_scale_d(0.5, rbl_normalize_d(sites[i]));
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_cells cells;
		rbl_result result = rbl_voronoi_cells(&cells, &allocator, cube, sites, N, NULL);
		if (result == RBL_OK)
			rbl_cells_destroy(&cells);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
}

// What is left of a cell in a smaller box, cut by the box's planes one after the other.
static double volume_within(const rbl_cells *cells, int cell, rbl_boxd box)
{
	rbl_clipper clipper;
	rbl_clipper_init(&clipper, NULL);
	double volume = 0.0;
	if (cells->cell_faces[cell + 1] > cells->cell_faces[cell] &&
	    rbl_clipper_load_cell(&clipper, cells, cell, 0)) {
		rbl_cut_result cut = RBL_CUT_DONE;
		for (int k = 0; k < 6 && cut != RBL_CUT_EMPTY; ++k) {
			double n[3] = { 0.0, 0.0, 0.0 };
			n[k / 2] = k & 1 ? 1.0 : -1.0;
			double offset = k & 1 ? rbl_axis_d(box.upper, k / 2) : -rbl_axis_d(box.lower, k / 2);
			cut = rbl_clipper_cut(&clipper, (rbl_planed){ { n[0], n[1], n[2] }, offset }, 0.0, 0);
		}
		volume = cut == RBL_CUT_EMPTY ? 0.0 : rbl_clipper_volume(&clipper, NULL);
	}
	rbl_clipper_destroy(&clipper);
	return volume;
}

// Cells in a box that most sites lie outside of are what that box leaves of all cells.
static void cells_within_a_box_are_those_that_meet_it(test *t)
{
	enum { N = 1000 };
	static rbl_vec3d sites[N];
	const rbl_boxd boxes[] = { { { 0.1, 0.2, 0.3 }, { 0.3, 0.3, 0.6 } },
		                       { { -1.0, -1.0, -1.0 }, { -0.99, 1.0, 0.0 } },
		                       { { 0.5, 0.5, 0.5 }, { 0.5001, 0.5001, 0.5001 } },
		                       { { 3.0, 2.0, -5.0 }, { 9.0, 4.0, 1.0 } }, // beyond all of them
		                       { { -0.9, -0.9, -0.9 }, { 7.0, 0.9, 0.9 } } };
	random_sites(sites, N, 8);
	rbl_cells all;
	rbl_boxd large = { { -10.0, -10.0, -10.0 }, { 10.0, 10.0, 10.0 } };
	CHECK(t, rbl_voronoi_cells(&all, NULL, large, sites, N, NULL) == RBL_OK);
	for (int i = 0; i < 5; ++i) {
		rbl_cells cells;
		CHECK(t, rbl_voronoi_cells_within(&cells, NULL, boxes[i], sites, N, N, NULL) == RBL_OK);
		check_cells(t, &cells, 1e-11);
		rbl_vec3d size = rbl_box_size_d(boxes[i]);
		double worst = 0.0, box_volume = size.x * size.y * size.z;
		int meeting = 0;
		for (int c = 0; c < N; ++c) {
			worst = rbl_maxd(worst, fabs(cells.volumes[c] - volume_within(&all, c, boxes[i])));
			meeting += cells.cell_faces[c + 1] > cells.cell_faces[c];
		}
		CHECK(t, worst < 1e-9 * box_volume);
		CHECK(t, meeting > 0 && meeting < N);
		rbl_cells_destroy(&cells);
		CHECK(t,
		      rbl_voronoi_cells_within(&cells, NULL, boxes[i], sites, N, meeting, NULL) == RBL_OK);
		rbl_cells_destroy(&cells);
		CHECK(t, rbl_voronoi_cells_within(&cells, NULL, boxes[i], sites, N, meeting - 1, NULL) ==
		             RBL_LIMIT_REACHED);
	}
	rbl_cells_destroy(&all);
}

// Picked cells are the same cells, know where they come from, and share their planes; also when
// some of them are picked again.
static void picked_cells_are_the_same(test *t)
{
	enum { N = 300 };
	static rbl_vec3d sites[N];
	random_sites(sites, N, 3);
	rbl_cells all, picked[2];
	CHECK(t, rbl_voronoi_cells(&all, NULL, cube, sites, N, NULL) == RBL_OK);
	int chosen[N], count = 0;
	for (int c = 0; c < N; ++c)
		if (sites[c].x < 0.2)
			chosen[count++] = c;
	rbl_vec3d none = { 0.0, 0.0, 0.0 };
	rbl_allocator a = rbl_allocator_or_default(NULL);
	CHECK(t, rbl_cells_subset(&picked[0], &a, &all, chosen, count, none) == RBL_OK);
	int some = 0;
	for (int c = 0; c < count; c += 2)
		chosen[some++] = c;
	CHECK(t, rbl_cells_subset(&picked[1], &a, &picked[0], chosen, some, none) == RBL_OK);
	for (int i = 0; i < 2; ++i) {
		const rbl_cells *p = &picked[i];
		int bad = 0, shared_faces = 0;
		CHECK(t, p->plane_count < all.plane_count && p->plane_end == all.plane_count);
		for (int c = 0; c < p->cell_count; ++c) {
			int number = rbl_cell_number(p, c), first = all.cell_faces[number];
			bad += c > 0 && number <= rbl_cell_number(p, c - 1);
			bad += p->volumes[c] != all.volumes[number];
			for (int f = p->cell_faces[c]; f < p->cell_faces[c + 1]; ++f) {
				const rbl_cell_face *face = &p->faces[f];
				const rbl_cell_face *old = &all.faces[first + f - p->cell_faces[c]];
				bad += rbl_cell_beyond(p, f) != old->neighbour;
				bad += rbl_cell_plane_number(p, face->plane) != old->plane;
				bad += memcmp(&p->planes[face->plane], &all.planes[old->plane],
				              sizeof(rbl_planed)) != 0;
				bad +=
					face->neighbour >= 0 && old->twin >= 0 && p->faces[face->twin].neighbour != c;
				shared_faces += face->neighbour < 0 || face->twin > f;
			}
		}
		for (int k = 0; k < p->shared_face_count; ++k)
			bad += k > 0 && p->faces[p->shared_faces[k]].area >
			                    p->faces[p->shared_faces[k - 1]].area + 1e-12;
		CHECK(t, bad == 0 && p->shared_face_count == shared_faces);
	}
	rbl_cells_destroy(&picked[0]);
	rbl_cells_destroy(&picked[1]);
	rbl_cells_destroy(&all);
}

// In slices of any size, and moved, they are those that are picked at once.
static void cells_picked_in_slices_are_the_same(test *t)
{
	enum { N = 700 };
	static rbl_vec3d sites[N];
	static int chosen[N];
	random_sites(sites, N, 4);
	rbl_cells all, once;
	CHECK(t, rbl_voronoi_cells(&all, NULL, cube, sites, N, NULL) == RBL_OK);
	int count = 0;
	for (int c = 0; c < N; ++c)
		if (sites[c].y < 0.3)
			chosen[count++] = c;
	rbl_vec3d shift = { 0.3, -0.7, 11.0 };
	rbl_allocator a = rbl_allocator_or_default(NULL);
	CHECK(t, count > 100 && count < N);
	CHECK(t, rbl_cells_subset(&once, &a, &all, chosen, count, shift) == RBL_OK);
	for (int slice = 1; slice < 2000; slice *= 5) {
		rbl_cells cells;
		rbl_cell_picking picking;
		CHECK(t, rbl_cells_pick_begin(&picking, &cells, &a, &all, chosen, count, shift) == RBL_OK);
		int slices = 0;
		for (bool is_done = false; !is_done; ++slices)
			CHECK(t, rbl_cells_pick_some(&picking, &(int){ slice }, &is_done) == RBL_OK);
		rbl_cells_pick_end(&picking);
		CHECK(t, slices >= count / slice && cells.cell_count == count);
		CHECK(t, cells.face_count == once.face_count && cells.plane_count == once.plane_count);
		CHECK(t, memcmp(&cells.box, &once.box, sizeof once.box) == 0);
		int bad = cells.shared_face_count != once.shared_face_count;
		for (int f = 0; f < once.face_count; ++f)
			bad += cells.faces[f].plane != once.faces[f].plane ||
			       cells.faces[f].neighbour != once.faces[f].neighbour ||
			       cells.faces[f].twin != once.faces[f].twin;
		for (int i = 0; i < once.shared_face_count; ++i)
			bad += cells.shared_faces[i] != once.shared_faces[i];
		bad += memcmp(cells.vertices, once.vertices,
		              (size_t)once.vertex_count * sizeof *once.vertices) != 0;
		bad +=
			memcmp(cells.planes, once.planes, (size_t)once.plane_count * sizeof *once.planes) != 0;
		CHECK(t, bad == 0);
		rbl_cells_destroy(&cells);
	}
	rbl_cells_destroy(&once);
	rbl_cells_destroy(&all);
}

TEST_MAIN(TEST(cells_fill_the_box), TEST(the_nearest_site_owns_a_point), TEST(a_grid_gives_boxes),
          TEST(odd_sites_are_fine), TEST(any_worker_count_gives_the_same_cells),
          TEST(more_faces_than_may_be_are_refused), TEST(bad_sites_are_refused),
          TEST(every_failed_allocation_unwinds), TEST(cells_within_a_box_are_those_that_meet_it),
          TEST(picked_cells_are_the_same), TEST(cells_picked_in_slices_are_the_same))
