// SPDX-License-Identifier: MIT
//
// rbl_mesh_repair() makes solids: what it returns can be broken. Walls
// between things that touch go, no face is lost where a thing touches itself, every shell ends the
// right way round, and what crosses itself is taken apart.

#include "base/random.h"
#include "base/vec.h"
#include "faulty_allocator.h"
#include "geometry/sample_meshes.h"
#include "test.h"

#include <rubble/fracture.h>

static sample s;
static rbl_random random_state;

static int below(int bound)
{
	return (int)rbl_random_below(&random_state, (uint32_t)bound);
}

static int log_lines;
static char last_line[300];

static void keep_line(void *user, rbl_log_level level, const char *text)
{
	(void)user, (void)level;
	snprintf(last_line, sizeof last_line, "%s", text);
	++log_lines;
}

static void start(uint64_t seed)
{
	memset(&s, 0, sizeof s);
	random_state = rbl_random_from_seed(seed);
}

static void box(double x, double y, double z, double a, double b, double c)
{
	sample_box(&s, (rbl_vec3d){ x, y, z }, (rbl_vec3d){ a, b, c });
}

static void flip_from(int face)
{
	for (int f = face; f < s.face_count; ++f)
		sample_flip_face(&s, f);
}

// The sample with attributes that say where each corner is.
static rbl_result make_mesh(rbl_allocator allocator, rbl_mesh **mesh)
{
	static rbl_vec2 uv0[SAMPLE_CORNERS];
	static rbl_vec4 colors[SAMPLE_CORNERS];
	rbl_mesh_def def = sample_def(&s);
	for (int c = 0; c < s.corner_count; ++c) {
		rbl_vec3d p = s.positions[s.corners[c]];
		uv0[c] = (rbl_vec2){ (float)p.x, (float)p.y };
		colors[c] = (rbl_vec4){ (float)p.z, (float)p.y, (float)p.x, 1.0f };
	}
	def.data.corner_uv0 = uv0;
	def.data.corner_colors = colors;
	def.allocator = allocator;
	return rbl_create_mesh(&def, mesh);
}

static bool attributes_fit(const rbl_mesh *mesh)
{
	rbl_mesh_data d = rbl_mesh_get_data(mesh);
	bool fit = true;
	for (int c = 0; c < d.corner_count; ++c) {
		rbl_vec3d p = d.positions[d.corner_vertices[c]];
		fit &= fabs((double)d.corner_uv0[c].x - p.x) < 1e-5 &&
		       fabs((double)d.corner_uv0[c].y - p.y) < 1e-5 &&
		       fabs((double)d.corner_colors[c].x - p.z) < 1e-5;
	}
	return fit;
}

// Repair the sample and expect a solid, without a line in the log. @return its volume, -1 for none
static double mend(test *t, rbl_mesh_repair_report *done, rbl_mesh_report *report)
{
	rbl_mesh_repair_def def = rbl_default_mesh_repair_def();
	rbl_solid_def solid_def = rbl_default_solid_def();
	rbl_mesh *mesh = NULL, *repaired = NULL;
	rbl_solid *solid = NULL;
	rbl_mesh_report own;
	report = report ? report : &own;
	log_lines = 0;
	rbl_set_log(keep_line, NULL);
	CHECK(t, make_mesh((rbl_allocator){ 0 }, &mesh) == RBL_OK);
	CHECK(t, rbl_mesh_repair(mesh, &def, &repaired, done) == RBL_OK);
	CHECK(t, rbl_mesh_check(repaired, report) == RBL_OK);
	CHECK(t, report->is_closed && report->is_manifold && report->is_oriented);
	solid_def.mesh = repaired;
	CHECK(t, rbl_create_solid(&solid_def, &solid) == RBL_OK);
	rbl_crossing_report crossings;
	CHECK(t, rbl_solid_find_crossings(solid, &crossings) == RBL_OK && crossings.is_breakable);
	CHECK(t, repaired && attributes_fit(repaired));
	CHECK(t, log_lines == 0);
	rbl_set_log(NULL, NULL);
	double volume = solid ? rbl_solid_volume(solid) : -1.0;
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(repaired);
	rbl_destroy_mesh(mesh);
	return volume;
}

// --- walls --------------------------------------------------------------------------------------

static const int box_sides[6][4] = { { 0, 4, 6, 2 }, { 1, 3, 7, 5 }, { 0, 1, 5, 4 },
	                                 { 2, 6, 7, 3 }, { 0, 2, 3, 1 }, { 4, 5, 7, 6 } };
static const int neighbours[6] = { -1, 1, -3, 3, -9, 9 }; // for voxels of three by three by three

// Cubes that share their vertices and keep all walls. @param how  1: faces turned at random, 2:
// order
static void make_cubes(int n, int how)
{
	int m = n + 1, count = 6 * n * n * n;
	int *order = malloc((size_t)count * sizeof *order);
	for (int i = 0; i < m * m * m; ++i)
		sample_vertex(&s, 1.0 * (i % m) / n, 1.0 * (i / m % m) / n, 1.0 * (i / m / m) / n);
	for (int i = 0; i < count; ++i)
		order[i] = i;
	for (int i = count - 1; i > 0 && (how & 2); --i) {
		int k = below(i + 1), swap = order[i];
		order[i] = order[k], order[k] = swap;
	}
	for (int i = 0; i < count; ++i) {
		int cube = order[i] / 6, v[4];
		for (int k = 0; k < 4; ++k) {
			int at = box_sides[order[i] % 6][k];
			v[k] = cube % n + (at & 1) + m * (cube / n % n + (at >> 1 & 1)) +
			       m * m * (cube / n / n + (at >> 2));
		}
		sample_quad(&s, v[0], v[1], v[2], v[3]);
		if ((how & 1) && below(2))
			sample_flip_face(&s, s.face_count - 1);
	}
	free(order);
}

static void walls_between_cubes_go(test *t)
{
	for (int how = 0; how < 4; ++how) {
		rbl_mesh_repair_report done;
		rbl_mesh_report report;
		start((uint64_t)how + 1);
		make_cubes(4, how);
		CHECK_NEAR(t, mend(t, &done, &report), 1.0, 1e-12);
		CHECK(t, report.components == 1 && report.faces == 96 && report.vertices == 98);
		CHECK(t, done.dropped_duplicates == 288 && done.filled_holes == 0);
		sample_remove_face(&s, below(s.face_count)); // and with a hole in one
		CHECK_NEAR(t, mend(t, &done, &report), 1.0, 1e-12);
	}
}

// Regression: 48,000 faces took 15 seconds and came out as thousands of shells, most inside out.
static void eight_thousand_cubes_are_one(test *t)
{
	rbl_mesh_report report;
	start(7);
	make_cubes(20, 3);
	CHECK_NEAR(t, mend(t, NULL, &report), 1.0, 1e-11);
	CHECK(t, report.components == 1 && report.faces == 2400);
}

// A ball with two sides is a ball, and so is one of which a part is there twice.
static void what_is_there_twice_stays_once(test *t)
{
	for (int part = 0; part < 3; ++part) {
		rbl_mesh_repair_report done;
		rbl_mesh_report report;
		start(1);
		sample_sphere(&s, (rbl_vec3d){ 0, 0, 0 }, 1.0, 8, 12);
		double volume = mend(t, NULL, NULL);
		int faces = s.face_count, copies = part == 0 ? faces : 30;
		for (int f = 0; f < copies; ++f) {
			sample_face(&s, s.corners + s.starts[f], s.starts[f + 1] - s.starts[f]);
			if (part != 1)
				sample_flip_face(&s, s.face_count - 1);
		}
		CHECK_NEAR(t, mend(t, &done, &report), volume, 1e-12);
		CHECK(t, report.faces == faces && done.dropped_duplicates == copies);
		CHECK(t, done.filled_holes == 0);
	}
}

// --- things that touch --------------------------------------------------------------------------

// The outside of a set of cubes, of three by three by three, with shared vertices.
static int make_voxels(uint32_t set)
{
	int count = 0;
	for (int i = 0; i < 64; ++i)
		sample_vertex(&s, i % 4, i / 4 % 4, i / 16);
	for (int cube = 0; cube < 27; ++cube) {
		const int at[3] = { cube % 3, cube / 3 % 3, cube / 9 };
		if (!(set >> cube & 1))
			continue;
		count++;
		for (int side = 0; side < 6; ++side) {
			bool is_rim = at[side / 2] == (side % 2 ? 2 : 0);
			if (!is_rim && (set >> (cube + neighbours[side]) & 1))
				continue;
			int v[4];
			for (int k = 0; k < 4; ++k) {
				int corner = box_sides[side][k];
				v[k] = at[0] + (corner & 1) + 4 * (at[1] + (corner >> 1 & 1)) +
				       16 * (at[2] + (corner >> 2));
			}
			sample_quad(&s, v[0], v[1], v[2], v[3]);
		}
	}
	return count;
}

// Whatever touches at edges and vertices, also with itself: no face is lost, and none is added.
static void nothing_is_lost_where_things_touch(test *t)
{
	rbl_random sets = rbl_random_from_seed(5);
	for (int round = 0; round < 200; ++round) {
		start(1);
		uint32_t set = rbl_random_u32(&sets) & rbl_random_u32(&sets) & 0x7ffffff;
		set |= round % 2 ? rbl_random_u32(&sets) & 0x7ffffff : 1;
		int count = make_voxels(set);
		rbl_mesh_repair_report done;
		CHECK_NEAR(t, mend(t, &done, NULL), count, 1e-9);
		CHECK(t, done.filled_holes == 0 && done.added_faces == 0 && done.dropped_degenerate == 0);
	}
}

// --- shells -------------------------------------------------------------------------------------

// Each shell that is inside out is turned over or is a cavity, by where it lies.
static void shells_end_the_right_way_round(test *t)
{
	rbl_mesh_repair_report done;
	start(1); // a truck: boxes that overlap and touch, some inside out, one hollow
	box(0, 0, 0, 4, 1, 1);
	int first = s.face_count;
	box(0.5, 0.9, 0.1, 2, 1.5, 0.9);
	box(3, -0.5, 0, 3.5, 0.1, 1);
	box(4, 0, 0, 5, 1, 1);
	box(1, 0.2, 0.2, 1.5, 0.7, 0.7); // a cavity
	flip_from(first);
	CHECK_NEAR(t, mend(t, &done, NULL), 4.0 + 0.72 + 0.3 + 1.0 - 0.125, 1e-12);
	CHECK(t, done.flipped_shells == 3 && done.flipped_faces == 18);

	start(1); // what reaches out of its container is no cavity
	box(0, 0, 0, 2, 2, 2);
	box(0.5, 0.5, 0.5, 1.5, 1.5, 2.5);
	flip_from(6);
	CHECK_NEAR(t, mend(t, &done, NULL), 8.0 + 2.0, 1e-12);

	start(1); // and what only touches it from within is one
	box(0, 0, 0, 2, 2, 2);
	box(0.5, 0.5, 0.5, 1.5, 1.5, 2);
	flip_from(6);
	CHECK_NEAR(t, mend(t, &done, NULL), 8.0 - 1.5, 1e-12);
	CHECK(t, done.flipped_shells == 0);

	start(1); // a shell at the place of another is a thing of its own
	box(0, 0, 0, 1, 1, 1);
	box(0, 0, 0, 1, 1, 1);
	flip_from(6);
	CHECK_NEAR(t, mend(t, &done, NULL), 2.0, 1e-12);

	start(1); // a sheet with two sides encloses nothing
	box(0, 0, 0, 1, 1, 1);
	int v = s.vertex_count;
	sample_box(&s, (rbl_vec3d){ 2, 0, 0 }, (rbl_vec3d){ 3, 1, 0 });
	for (int k = 0; k < 8; ++k) // slanted, so that its volume is rounding
		s.positions[v + k].z += 0.3 * s.positions[v + k].x + 0.7 * s.positions[v + k].y;
	CHECK_NEAR(t, mend(t, &done, NULL), 1.0, 1e-12);
	CHECK(t, done.dropped_shells == 1);
}

// --- crossings ----------------------------------------------------------------------------------

// Voids that cross and touch each other, at whole numbers: their volume is counted.
static void voids_that_cross_become_one(test *t)
{
	for (int round = 0; round < 60; ++round) {
		start((uint64_t)round + 1);
		bool is_void[512] = { false };
		int boxes[6][6], count = 2 + below(5), solid = 1000;
		box(0, 0, 0, 10, 10, 10);
		for (int i = 0; i < count; ++i) {
			int *own = boxes[i];
			for (int k = 0; k < 3; ++k) {
				own[k] = below(6);
				own[3 + k] = own[k] + 1 + below(own[k] < 5 ? 3 : 8 - own[k]);
			}
			bool is_nested = false; // then it would be solid again
			for (int other = 0; other < i; ++other) {
				bool holds = true, is_held = true;
				for (int k = 0; k < 3; ++k) {
					holds &= own[k] <= boxes[other][k] && own[3 + k] >= boxes[other][3 + k];
					is_held &= own[k] >= boxes[other][k] && own[3 + k] <= boxes[other][3 + k];
				}
				is_nested |= holds || is_held;
			}
			if (is_nested) {
				--i, --count;
				continue;
			}
			for (int c = 0; c < 512; ++c) {
				const int at[3] = { c % 8, c / 8 % 8, c / 64 };
				bool is_in = true;
				for (int k = 0; k < 3; ++k)
					is_in &= at[k] >= own[k] && at[k] < own[3 + k];
				is_void[c] |= is_in;
			}
			box(own[0] + 1, own[1] + 1, own[2] + 1, own[3] + 1, own[4] + 1, own[5] + 1);
		}
		flip_from(6);
		for (int c = 0; c < 512; ++c)
			solid -= is_void[c];
		CHECK_NEAR(t, mend(t, NULL, NULL), solid, 1e-8);
	}
}

// A prism over a polygon that crosses itself: both halves are there afterwards.
static void both_halves_of_a_bow_tie_stay(test *t)
{
	const double corners[4][2] = { { 0.0, 0.0 }, { 2.0, 1.0 }, { 2.0, 0.0 }, { 0.0, 1.5 } };
	rbl_mesh_repair_report done;
	start(1);
	for (int i = 0; i < 8; ++i)
		sample_vertex(&s, corners[i % 4][0], corners[i % 4][1], i < 4 ? 0.0 : 1.0);
	for (int i = 0; i < 4; ++i)
		sample_quad(&s, i, (i + 1) % 4, (i + 1) % 4 + 4, i + 4);
	sample_triangle(&s, 0, 2, 1);
	sample_triangle(&s, 0, 3, 2);
	sample_triangle(&s, 4, 5, 6);
	sample_triangle(&s, 4, 6, 7);
	// The sides cross at x = 1.2, y = 0.6.
	CHECK_NEAR(t, mend(t, &done, NULL), 0.5 * 1.5 * 1.2 + 0.5 * 1.0 * 0.8, 1e-9);
	CHECK(t, done.resolved_crossings > 0 && !done.is_unchanged);
}

// A prism over a five-pointed star, drawn in one stroke: it is wound around its middle twice.
static void what_is_wound_around_twice_counts_once(test *t)
{
	const double turn = 2.0 * 3.14159265358979323846 / 5.0, tangent = tan(0.25 * turn);
	rbl_mesh_repair_report done;
	start(1);
	for (int i = 0; i < 10; ++i)
		sample_vertex(&s, cos(2 * i % 5 * turn), sin(2 * i % 5 * turn), i < 5 ? 0.0 : 1.0);
	for (int i = 0; i < 5; ++i)
		sample_quad(&s, i, (i + 1) % 5, (i + 1) % 5 + 5, i + 5);
	for (int i = 1; i < 4; ++i) {
		sample_triangle(&s, 0, i + 1, i);
		sample_triangle(&s, 5, 5 + i, 6 + i);
	}
	CHECK_NEAR(t, mend(t, &done, NULL), 10.0 * tangent / (3.0 - tangent * tangent), 1e-8);
	CHECK(t, done.resolved_crossings > 0);
}

static void crossings_are_measured(test *t)
{
	rbl_solid_def def = rbl_default_solid_def();
	rbl_crossing_report report;
	rbl_solid *solid = NULL;
	start(1);
	sample_sphere(&s, (rbl_vec3d){ 0, 0, 0 }, 1.0, 12, 16);
	sample_sphere(&s, (rbl_vec3d){ 1, 0, 0 }, 1.0, 12, 16); // overlaps, and is another shell
	rbl_mesh *mesh = sample_mesh(&s);
	def.mesh = mesh;
	CHECK(t, rbl_create_solid(&def, &solid) == RBL_OK);
	CHECK(t, rbl_solid_find_crossings(solid, &report) == RBL_OK);
	CHECK(t, report.crossing_count == 0 && report.inverted_volume == 0.0 && report.is_breakable);
	CHECK(t, rbl_solid_find_crossings(NULL, &report) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_solid_find_crossings(solid, NULL) == RBL_BAD_ARGUMENT);
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);

	start(1); // two voids with a unit cube in common
	box(0, 0, 0, 10, 10, 10);
	box(2, 2, 2, 4, 4, 4);
	box(3, 3, 3, 6, 6, 6);
	flip_from(6);
	mesh = sample_mesh(&s);
	def.mesh = mesh;
	CHECK(t, rbl_create_solid(&def, &solid) == RBL_OK);
	CHECK(t, rbl_solid_find_crossings(solid, &report) == RBL_OK);
	CHECK(t, report.crossing_count > 0 && !report.is_breakable);
	CHECK_NEAR(t, report.inverted_volume, 1.0, 1e-9);
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);
}

// --- refusals and memory ------------------------------------------------------------------------

// Whatever is wrong with it, a mesh is refused with one sentence or is a solid.
static void nonsense_is_a_solid_or_refused(test *t)
{
	int refused = 0;
	for (int round = 0; round < 150; ++round) {
		start((uint64_t)round + 100);
		int vertices = 5 + below(9), faces = 4 + below(30);
		for (int v = 0; v < vertices; ++v) {
			int x = below(3), y = below(3);
			sample_vertex(&s, x, y, below(3));
		}
		for (int f = 0; f < faces; ++f) {
			int v[5], n = 3 + below(3);
			for (int k = 0; k < n; ++k)
				v[k] = below(vertices);
			sample_face(&s, v, n);
		}
		rbl_mesh_repair_def def = rbl_default_mesh_repair_def();
		rbl_mesh *mesh = sample_mesh(&s), *repaired = NULL;
		log_lines = 0;
		rbl_set_log(keep_line, NULL);
		rbl_result result = rbl_mesh_repair(mesh, &def, &repaired, NULL);
		rbl_set_log(NULL, NULL);
		rbl_destroy_mesh(repaired);
		rbl_destroy_mesh(mesh);
		CHECK(t, result == RBL_OK ? log_lines == 0 : result == RBL_BAD_MESH && log_lines == 1);
		refused += result != RBL_OK;
		if (result == RBL_OK)
			mend(t, NULL, NULL);
	}
	CHECK(t, refused < 75);
}

static rbl_result mend_all(rbl_allocator allocator)
{
	start(1); // crossing voids, things that touch, walls, a bent face, and one shell inside out
	box(0, 0, 0, 10, 10, 10);
	box(2, 2, 2, 4, 4, 4);
	box(3, 3, 3, 6, 6, 6);
	flip_from(6);
	int base = s.vertex_count;
	make_voxels(0x1d);
	for (int v = base; v < s.vertex_count; ++v)
		s.positions[v].x += 20.0;
	for (int c = 72; c < s.corner_count; ++c)
		s.corners[c] += base;
	int first = s.face_count;
	sample_sphere(&s, (rbl_vec3d){ -9, 0, 0 }, 1.0, 4, 6);
	s.positions[s.vertex_count - 3].z += 0.1;
	sample_face(&s, s.corners + s.starts[first], 3);
	flip_from(first);
	rbl_mesh *mesh = NULL, *repaired = NULL;
	rbl_result result = make_mesh(allocator, &mesh);
	rbl_mesh_repair_def def = rbl_default_mesh_repair_def();
	def.allocator = allocator;
	if (result == RBL_OK)
		result = rbl_mesh_repair(mesh, &def, &repaired, NULL);
	rbl_solid_def solid_def = rbl_default_solid_def();
	rbl_crossing_report report;
	rbl_solid *solid = NULL;
	solid_def.mesh = repaired;
	solid_def.allocator = allocator;
	if (result == RBL_OK)
		result = rbl_create_solid(&solid_def, &solid);
	if (result == RBL_OK)
		result = rbl_solid_find_crossings(solid, &report);
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(repaired);
	rbl_destroy_mesh(mesh);
	return result;
}

static void every_failed_allocation_unwinds(test *t)
{
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_result result = mend_all(FAULTY(&memory));
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed) {
			CHECK(t, result == RBL_OK && n > 200);
			break;
		}
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
}

TEST_MAIN(TEST(walls_between_cubes_go), TEST(eight_thousand_cubes_are_one),
          TEST(what_is_there_twice_stays_once), TEST(nothing_is_lost_where_things_touch),
          TEST(shells_end_the_right_way_round), TEST(voids_that_cross_become_one),
          TEST(both_halves_of_a_bow_tie_stay), TEST(what_is_wound_around_twice_counts_once),
          TEST(crossings_are_measured), TEST(nonsense_is_a_solid_or_refused),
          TEST(every_failed_allocation_unwinds))
