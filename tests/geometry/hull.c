// SPDX-License-Identifier: MIT
// Hulls: convex and complete by exact test, on kind and unkind points.
// ctest: soak pinned

#include "geometry/geometry.h"

#include "base/random.h"
#include "base/vec.h"

#include "faulty_allocator.h"
#include "test.h"

#include <rubble/hull.h>

enum { MAX_POINTS = 4000 };
static rbl_vec3d points[MAX_POINTS];

/// What a_hull_has_a_pinned_hash() found first.
#define PINNED 0x2f1cf2b39d4ba6e8u

static rbl_hull *make(test *t, const rbl_vec3d *p, int count)
{
	rbl_hull_def def = rbl_default_hull_def();
	def.points = p;
	def.point_count = count;
	rbl_hull *hull = NULL;
	CHECK(t, rbl_create_hull(&def, &hull) == RBL_OK);
	CHECK(t, hull != NULL);
	return hull;
}

/// No point is above any face; faces are flat, strictly convex, and not in one plane with others.
static void check_hull(test *t, const rbl_vec3d *p, int count, const rbl_hull *hull)
{
	rbl_hull_data h = rbl_hull_get_data(hull);
	CHECK(t, h.vertex_count >= 4 && h.face_count >= 4);
	CHECK(t, h.vertex_count - h.corner_count / 2 + h.face_count == 2);
	CHECK(t, h.face_starts[0] == 0 && h.face_starts[h.face_count] == h.corner_count);
	for (int i = 0; i < h.vertex_count; ++i) {
		rbl_vec3d v = p[h.point_indices[i]];
		CHECK(t, memcmp(&h.positions[i], &v, sizeof v) == 0);
	}
	bool holds = true, is_flat = true, is_strict = true, is_near = true;
	for (int f = 0; f < h.face_count; ++f) {
		const int *c = h.corner_vertices + h.face_starts[f];
		int n = h.face_starts[f + 1] - h.face_starts[f];
		rbl_vec3d c0 = h.positions[c[0]], c1 = h.positions[c[1]], c2 = h.positions[c[2]];
		int below = -1;
		for (int i = 0; i < count; ++i) {
			int side = rbl_orient3d(c0, c1, c2, p[i]);
			holds &= side <= 0;
			below = side < 0 ? i : below;
			double distance = rbl_plane_distance_d(h.planes[f], p[i]);
			is_near &= distance <= 3e-15 * (1.0 + rbl_length_d(p[i]));
		}
		is_strict &= below >= 0;
		for (int i = 0; i < n && below >= 0; ++i) {
			rbl_vec3d a = h.positions[c[i]], b = h.positions[c[(i + 1) % n]];
			is_flat &= rbl_orient3d(c0, c1, c2, a) == 0;
			is_strict &= rbl_orient3d(a, b, h.positions[c[(i + 2) % n]], p[below]) < 0;
		}
		CHECK_NEAR(t, rbl_length_d(h.planes[f].normal), 1.0, 1e-15 * 4.0);
	}
	CHECK(t, holds);
	CHECK(t, is_flat);
	CHECK(t, is_strict);
	CHECK(t, is_near);
}

/// Each edge runs once in each direction, between faces that are not in one plane.
static void check_edges(test *t, const rbl_hull *hull)
{
	rbl_hull_data h = rbl_hull_get_data(hull);
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_hull_create_mesh(hull, NULL, &mesh) == RBL_OK);
	rbl_mesh_data m = rbl_mesh_get_data(mesh);
	CHECK(t, m.vertex_count == h.vertex_count && m.corner_count == h.corner_count);
	int twins = 0, folds = 0;
	for (int f = 0; f < h.face_count; ++f) {
		int n = h.face_starts[f + 1] - h.face_starts[f];
		for (int i = 0; i < n; ++i) {
			int from = h.corner_vertices[h.face_starts[f] + i];
			int to = h.corner_vertices[h.face_starts[f] + (i + 1) % n];
			for (int g = 0; g < h.face_count; ++g) {
				const int *c = h.corner_vertices + h.face_starts[g];
				int m_count = h.face_starts[g + 1] - h.face_starts[g];
				for (int k = 0; k < m_count; ++k) {
					if (c[k] != to || c[(k + 1) % m_count] != from)
						continue;
					twins++;
					const int *d = h.corner_vertices + h.face_starts[f];
					folds += rbl_orient3d(h.positions[d[0]], h.positions[d[1]], h.positions[d[2]],
					                      h.positions[c[(k + 2) % m_count]]) < 0;
				}
			}
		}
	}
	CHECK(t, twins == h.corner_count && folds == h.corner_count);
	rbl_destroy_mesh(mesh);
}

static void run_on(test *t, int count)
{
	rbl_hull *hull = make(t, points, count);
	if (!hull)
		return;
	check_hull(t, points, count, hull);
	if (rbl_hull_get_data(hull).corner_count < 700)
		check_edges(t, hull);
	rbl_destroy_hull(hull);
}

// --- points -------------------------------------------------------------------------------------

static rbl_vec3d vec(double x, double y, double z)
{
	return (rbl_vec3d){ x, y, z };
}

static double nudge(rbl_random *random, double x)
{
	int n = (int)rbl_random_below(random, 5) - 2;
	for (int i = 0; i < abs(n) && x != 0.0; ++i)
		x = nextafter(x, n > 0 ? 2e9 : -2e9);
	return x;
}

enum { KIND_COUNT = 12 };

static void fill(rbl_random *random, int kind, int count)
{
	rbl_vec3d turn = rbl_normalize_d(rbl_random_in_ball(random));
	for (int i = 0; i < count; ++i) {
		rbl_vec3d b = rbl_random_in_ball(random), p = b;
		double gx = (double)rbl_random_below(random, 5), gy = (double)rbl_random_below(random, 5);
		double gz = (double)rbl_random_below(random, 5);
		switch (kind) {
		case 0: // in a ball
			break;
		case 1: // on a sphere, rounded
			p = rbl_normalize_d(b);
			break;
		case 2: // on a small grid: many equal, many in one plane
			p = vec(gx, gy, gz);
			break;
		case 3: // on a grid, moved by ulps
			p.x =
				nudge(random, gx + 1.0); // one after another: C leaves the order of arguments open
			p.y = nudge(random, gy + 1.0);
			p.z = nudge(random, gz + 1.0);
			break;
		case 4: // exactly on a sphere: signs and orders of (1, 8, 12) times 3 and others of 627
		{
			static const int v[4][3] = {
				{ 3, 24, 36 }, { 9, 24, 32 }, { 1, 4, 40 }, { 36, 3, 24 }
			};
			const int *w = v[rbl_random_below(random, 2)];
			int k = (int)rbl_random_below(random, 3);
			uint32_t s = rbl_random_u32(random);
			p = vec(s & 1 ? w[k] : -w[k], s & 2 ? w[(k + 1) % 3] : -w[(k + 1) % 3],
			        s & 4 ? w[(k + 2) % 3] : -w[(k + 2) % 3]);
			break;
		}
		case 5: // in a plane, rounded, with a few off it
			p.z = 0.3 * p.x + 0.7 * p.y + (i < 3 ? 0.1 : 0.0);
			break;
		case 6: // a needle
			p = vec(b.x * 1e6, b.y * 1e-6, b.z * 1e-6);
			break;
		case 7: // far from the origin
			p = rbl_add_d(b, vec(1e9, -1e9, 1e9));
			break;
		case 8: // a paraboloid of integers: all are corners, many faces are squares
			p = vec(gx, gy, gx * gx + gy * gy);
			break;
		case 9: // edges of a cube
			p = vec(i % 3 == 0 ? b.x
			        : gx > 2.0 ? 1.0
			                   : -1.0,
			        i % 3 == 1 ? b.y
			        : gy > 2.0 ? 1.0
			                   : -1.0,
			        i % 3 == 2 ? b.z
			        : gz > 2.0 ? 1.0
			                   : -1.0);
			break;
		case 10: // a turned prism: faces that rounding bends
		{
			double a = rbl_random_below(random, 8) * 0.785398163397448;
			p = vec(cos(a), sin(a), (double)rbl_random_below(random, 2));
			p = rbl_add_d(p, rbl_scale_d(0.7, rbl_cross_d(turn, p)));
			break;
		}
		default: // clusters of nearly equal points
			p = vec(nudge(random, gx > 2.0 ? 1.1 : 0.3), nudge(random, gy > 2.0 ? 1.1 : 0.3),
			        nudge(random, gz > 2.0 ? 1.1 : 0.3));
			break;
		}
		points[i] = p;
	}
}

// --- claims -------------------------------------------------------------------------------------

static void hulls_hold_their_points_and_are_convex(test *t)
{
	int rounds = test_count(60, 2000);
	rbl_random random = rbl_random_from_seed(21);
	for (int round = 0; round < rounds; ++round) {
		for (int kind = 0; kind < KIND_COUNT; ++kind) {
			int count = 5 + (int)rbl_random_below(&random, 1u << (3 + round % 7));
			fill(&random, kind, count);
			if (rbl_points_dimension(points, count) == 3)
				run_on(t, count);
		}
	}
}

static void a_cube_has_six_squares(test *t)
{
	int count = 0;
	for (int x = 0; x < 6; ++x)
		for (int y = 0; y < 6; ++y)
			for (int z = 0; z < 6; ++z)
				points[count++] = vec(x, y, z);
	rbl_hull *hull = make(t, points, count);
	rbl_hull_data h = rbl_hull_get_data(hull);
	CHECK(t, h.vertex_count == 8 && h.face_count == 6 && h.corner_count == 24);
	for (int f = 0; f < h.face_count; ++f)
		CHECK(t, h.planes[f].offset == 0.0 || h.planes[f].offset == 5.0);
	check_hull(t, points, count, hull);
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_hull_create_mesh(hull, NULL, &mesh) == RBL_OK);
	CHECK_NEAR(t, rbl_mesh_get_mass(mesh).volume, 125.0, 1e-12);
	rbl_destroy_mesh(mesh);
	rbl_destroy_hull(hull);
}

// The hull is a fact about the points, so the order in which they come does not matter.
static void the_order_of_points_does_not_matter(test *t)
{
	rbl_random random = rbl_random_from_seed(22);
	for (int kind = 0; kind < KIND_COUNT; ++kind) {
		int count = 300;
		fill(&random, kind, count);
		if (rbl_points_dimension(points, count) != 3)
			continue;
		rbl_hull *first = make(t, points, count);
		for (int i = count - 1; i > 0; --i) {
			int k = (int)rbl_random_below(&random, (uint32_t)i + 1);
			rbl_vec3d swap = points[i];
			points[i] = points[k], points[k] = swap;
		}
		rbl_hull *second = make(t, points, count);
		rbl_hull_data a = rbl_hull_get_data(first), b = rbl_hull_get_data(second);
		CHECK(t, a.vertex_count == b.vertex_count && a.face_count == b.face_count);
		int found = 0;
		for (int i = 0; i < a.vertex_count; ++i)
			for (int k = 0; k < b.vertex_count; ++k)
				found += a.positions[i].x == b.positions[k].x &&
				         a.positions[i].y == b.positions[k].y &&
				         a.positions[i].z == b.positions[k].z;
		CHECK(t, found == a.vertex_count);
		rbl_destroy_hull(first);
		rbl_destroy_hull(second);
	}
}

static int count_log_words(const char *wanted, const char *text)
{
	return strstr(text, wanted) != NULL;
}

static char last_line[300];

static void keep_line(void *user, rbl_log_level level, const char *text)
{
	(void)user, (void)level;
	snprintf(last_line, sizeof last_line, "%s", text);
}

static void flat_points_are_refused_by_name(test *t)
{
	static const char *const words[3] = { "at one place", "on one line", "in one plane" };
	rbl_random random = rbl_random_from_seed(23);
	rbl_set_log(keep_line, NULL);
	for (int dimension = 0; dimension < 3; ++dimension) {
		for (int i = 0; i < 50; ++i) {
			double a = dimension > 0 ? (double)rbl_random_below(&random, 99) : 3.0;
			double b = dimension > 1 ? (double)rbl_random_below(&random, 99) : 5.0;
			points[i] = vec(a + 2.0 * b, 3.0 * a - b, a + b);
		}
		rbl_hull_def def = rbl_default_hull_def();
		def.points = points;
		def.point_count = 50;
		rbl_hull *hull = (rbl_hull *)1;
		CHECK(t, rbl_create_hull(&def, &hull) == RBL_BAD_MESH);
		CHECK(t, hull == NULL && count_log_words(words[dimension], last_line));
		CHECK(t, rbl_points_dimension(points, 50) == dimension);
	}
	rbl_set_log(NULL, NULL);
	CHECK(t, rbl_points_dimension(NULL, 3) == -1 && rbl_points_dimension(points, 0) == -1);
}

static void bad_arguments_are_refused(test *t)
{
	rbl_hull *hull = NULL;
	rbl_mesh *mesh = NULL;
	rbl_hull_def def = rbl_default_hull_def();
	CHECK(t, rbl_create_hull(&def, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_hull(NULL, &hull) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_hull(&def, &hull) == RBL_BAD_ARGUMENT);
	rbl_random random = rbl_random_from_seed(24);
	fill(&random, 0, 10);
	def.points = points;
	def.point_count = 3;
	CHECK(t, rbl_create_hull(&def, &hull) == RBL_BAD_ARGUMENT);
	def.point_count = -1;
	CHECK(t, rbl_create_hull(&def, &hull) == RBL_BAD_ARGUMENT);
	def.point_count = 10;
	points[7].y = (double)NAN;
	CHECK(t, rbl_create_hull(&def, &hull) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_points_dimension(points, 10) == -1);
	points[7].y = 1e200;
	CHECK(t, rbl_create_hull(&def, &hull) == RBL_BAD_ARGUMENT);
	points[7].y = 0.5;
	def.allocator.allocate = faulty_allocate;
	CHECK(t, rbl_create_hull(&def, &hull) == RBL_BAD_ARGUMENT);
	def = (rbl_hull_def){ .points = points, .point_count = 10 };
	CHECK(t, rbl_create_hull(&def, &hull) == RBL_BAD_ARGUMENT); // no cookie
	CHECK(t, rbl_hull_create_mesh(NULL, NULL, &mesh) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_hull_create_mesh(NULL, NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_hull_get_data(NULL).vertex_count == 0);
	rbl_destroy_hull(NULL);
}

static void memory_that_runs_out_is_given_back(test *t)
{
	rbl_random random = rbl_random_from_seed(25);
	fill(&random, 1, 400);
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_hull_def def = rbl_default_hull_def();
		def.points = points;
		def.point_count = 400;
		def.allocator = FAULTY(&memory);
		rbl_hull *hull;
		rbl_result result = rbl_create_hull(&def, &hull);
		CHECK(t, (result == RBL_OK) == (hull != NULL));
		rbl_destroy_hull(hull);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
}

// The same bits on every platform: triangulation of flat faces and order of faces included.
static void a_hull_has_a_pinned_hash(test *t)
{
	uint64_t hash = 14695981039346656037u;
	rbl_random random = rbl_random_from_seed(26);
	for (int kind = 0; kind < 10; ++kind) {
		fill(&random, kind, 500);
		rbl_hull *hull = make(t, points, 500);
		rbl_hull_data h = rbl_hull_get_data(hull);
		for (int i = 0; i < h.corner_count; ++i)
			hash = (hash ^ (uint64_t)h.point_indices[h.corner_vertices[i]]) * 1099511628211u;
		for (int i = 0; i < h.face_count; ++i) {
			uint64_t bits;
			memcpy(&bits, &h.planes[i].offset, sizeof bits);
			hash = (hash ^ bits) * 1099511628211u;
		}
		rbl_destroy_hull(hull);
	}
	if (hash != PINNED)
		printf("hash is 0x%016llx\n", (unsigned long long)hash);
	CHECK(t, hash == PINNED);
}

static void kdops_hold_their_points(test *t)
{
	static const int counts[4] = { 6, 14, 18, 26 };
	rbl_random random = rbl_random_from_seed(27);
	for (int kind = 0; kind < KIND_COUNT; ++kind) {
		fill(&random, kind, 200);
		for (int c = 0; c < 4; ++c) {
			rbl_planed planes[26];
			CHECK(t, rbl_fit_kdop(points, 200, counts[c], planes) == RBL_OK);
			bool holds = true, touches = true;
			for (int k = 0; k < counts[c]; ++k) {
				double nearest = 1e300, size = 0.0;
				for (int i = 0; i < 200; ++i) {
					holds &= rbl_plane_side(planes[k], points[i]) <= 0;
					nearest = fmin(nearest, -rbl_plane_distance_d(planes[k], points[i]));
					size = fmax(size, rbl_length_d(points[i]));
				}
				touches &= nearest <= 4e-15 * size;
				CHECK(t, planes[k].normal.x == -planes[k ^ 1].normal.x);
			}
			CHECK(t, holds);
			CHECK(t, touches);
		}
	}
	rbl_planed planes[26];
	CHECK(t, rbl_fit_kdop(points, 200, 12, planes) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_fit_kdop(points, 0, 6, planes) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_fit_kdop(NULL, 4, 6, planes) == RBL_BAD_ARGUMENT);
	points[3].x = (double)INFINITY;
	CHECK(t, rbl_fit_kdop(points, 200, 6, planes) == RBL_BAD_ARGUMENT);
}

TEST_MAIN(TEST(hulls_hold_their_points_and_are_convex), TEST(a_cube_has_six_squares),
          TEST(the_order_of_points_does_not_matter), TEST(flat_points_are_refused_by_name),
          TEST(bad_arguments_are_refused), TEST(memory_that_runs_out_is_given_back),
          TEST(a_hull_has_a_pinned_hash), TEST(kdops_hold_their_points))
