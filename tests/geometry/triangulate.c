// SPDX-License-Identifier: MIT
// Triangulation: every edge kept, every triangle turning left, areas equal, whatever the loops.

#include "base/hash.h"
#include "base/math.h"
#include "base/random.h"
#include "faulty_allocator.h"
#include "geometry/geometry.h"
#include "geometry/sample_meshes.h"
#include "test.h"

enum { MOST_POINTS = 60000, MOST_LOOPS = 6000 };

typedef struct shape {
	rbl_point2 points[MOST_POINTS];
	int starts[MOST_LOOPS + 1], ids[MOST_POINTS];
	int loop_count;
} shape;

static shape sh;
static int triangles[3 * (MOST_POINTS + 2 * MOST_LOOPS)];
static uint64_t edges[3 * (MOST_POINTS + 2 * MOST_LOOPS) + MOST_POINTS];

static void clear(void)
{
	sh.loop_count = 0;
	sh.starts[0] = 0;
}

static int point_count(void)
{
	return sh.starts[sh.loop_count];
}

static void add_point(double x, double y)
{
	int n = sh.starts[sh.loop_count + 1]++;
	assert(n < MOST_POINTS);
	sh.points[n] = (rbl_point2){ x, y };
	sh.ids[n] = n;
}

static void begin_loop(void)
{
	assert(sh.loop_count < MOST_LOOPS);
	sh.starts[sh.loop_count + 1] = sh.starts[sh.loop_count];
}

static void end_loop(void)
{
	sh.loop_count++;
}

static void add_loop(const double (*points)[2], int count)
{
	begin_loop();
	for (int i = 0; i < count; ++i)
		add_point(points[i][0], points[i][1]);
	end_loop();
}

static void reverse_loop(int loop)
{
	for (int a = sh.starts[loop], b = sh.starts[loop + 1] - 1; a < b; ++a, --b) {
		rbl_point2 swap = sh.points[a];
		sh.points[a] = sh.points[b], sh.points[b] = swap;
	}
}

static double twice_area(const rbl_point2 *p, int a, int b, int c)
{
	return (p[b].x - p[a].x) * (p[c].y - p[a].y) - (p[b].y - p[a].y) * (p[c].x - p[a].x);
}

static int compare_edges(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

// Each edge of a loop is used once more in its direction than in the other, every other edge as
// often in one as in the other; no directed edge twice when `once` is set.
static bool edges_are_kept(const int *ids, int triangle_count, bool once)
{
	int n = 0;
	for (int i = 0; i < triangle_count; ++i)
		for (int k = 0; k < 3; ++k) {
			uint64_t a = (uint64_t)ids[triangles[3 * i + k]];
			uint64_t b = (uint64_t)ids[triangles[3 * i + (k + 1) % 3]];
			edges[n++] = a < b ? (a << 32 | b) << 1 : (b << 32 | a) << 1 | 1;
		}
	int triangle_edges = n;
	for (int k = 0; k < sh.loop_count; ++k)
		for (int i = sh.starts[k]; i < sh.starts[k + 1]; ++i) { // the other way round
			int next = i + 1 < sh.starts[k + 1] ? i + 1 : sh.starts[k];
			uint64_t b = (uint64_t)ids[i], a = (uint64_t)ids[next];
			if (a != b)
				edges[n++] = a < b ? (a << 32 | b) << 1 : (b << 32 | a) << 1 | 1;
		}
	qsort(edges, (size_t)n, sizeof *edges, compare_edges);
	for (int i = 0; i < n;) {
		int balance = 0, end = i;
		for (; end < n && edges[end] >> 1 == edges[i] >> 1; ++end)
			balance += edges[end] & 1 ? 1 : -1;
		if (balance != 0 || (once && end - i != 2))
			return false;
		i = end;
	}
	return triangle_edges == 3 * triangle_count;
}

static rbl_triangulation cut(test *t, bool improve, const int *ids)
{
	rbl_arena scratch;
	rbl_arena_init(&scratch, NULL, 4096);
	rbl_polygon polygon = { sh.points, sh.starts, sh.loop_count, ids, improve };
	rbl_triangulation made;
	CHECK(t, rbl_triangulate(&scratch, &polygon, triangles, &made) == RBL_OK);
	rbl_arena_destroy(&scratch);
	return made;
}

// What must hold for loops that neither cross nor touch. @return the triangulation.
static void check_simple(test *t)
{
	double area = 0.0, size = 0.0;
	for (int k = 0; k < sh.loop_count; ++k)
		for (int i = sh.starts[k]; i < sh.starts[k + 1]; ++i) {
			int next = i + 1 < sh.starts[k + 1] ? i + 1 : sh.starts[k];
			area += twice_area(sh.points, 0, i, next);
			size += fabs(twice_area(sh.points, 0, i, next));
		}
	for (int improve = 0; improve < 2; ++improve) {
		rbl_triangulation made = cut(t, improve, NULL);
		CHECK(t, made.inverted_count == 0);
		CHECK(t, made.flat_count == 0);
		CHECK(t, edges_are_kept(sh.ids, made.triangle_count, true));
		double sum = 0.0;
		for (int i = 0; i < made.triangle_count; ++i)
			sum +=
				twice_area(sh.points, triangles[3 * i], triangles[3 * i + 1], triangles[3 * i + 2]);
		CHECK_NEAR(t, sum, area, 1e-12 * size);
	}
}

// Loops that touch: flat triangles are fine, inverted or lost ones are not.
static void check_touching(test *t)
{
	for (int improve = 0; improve < 2; ++improve) {
		rbl_triangulation made = cut(t, improve, NULL);
		CHECK(t, made.inverted_count == 0);
		CHECK(t, edges_are_kept(sh.ids, made.triangle_count, true));
	}
}

static void a_convex_polygon_is_cut(test *t)
{
	for (int n = 3; n < 40; ++n) {
		clear();
		begin_loop();
		for (int i = 0; i < n; ++i)
			add_point(cos(i * 6.28318530717958648 / n), sin(i * 6.28318530717958648 / n));
		end_loop();
		check_simple(t);
	}
}

static void straight_runs_make_no_flat_triangle(test *t)
{
	for (int turned = 0; turned < 4; ++turned)
		for (int n = 1; n < 12; ++n) {
			clear();
			begin_loop(); // a square with n pieces to a side, whose first side is level or steep
			for (int side = 0; side < 4; ++side)
				for (int i = 0; i < n; ++i) {
					double a = i, b = n, x = 0.0, y = 0.0;
					if (side == 0)
						x = a, y = 0.0;
					else if (side == 1)
						x = b, y = a;
					else if (side == 2)
						x = b - a, y = b;
					else
						x = 0.0, y = b - a;
					if (turned == 0)
						add_point(x, y);
					else if (turned == 1)
						add_point(x - y, x + y);
					else if (turned == 2)
						add_point(x + 3.0 * y, y);
					else
						add_point(3.0 * x, y + 7.0 * x);
				}
			end_loop();
			check_simple(t);
		}
}

static void combs_spirals_and_teeth_are_cut(test *t)
{
	for (int n = 1; n < 200; n = n * 3 + 1) {
		clear();
		begin_loop(); // a comb with teeth up
		add_point(0.0, -1.0);
		add_point(2.0 * n, -1.0);
		for (int i = n; i-- > 0;)
			add_point(2.0 * i + 1.5, 10.0), add_point(2.0 * i + 0.5, 0.25 * (i % 3));
		end_loop();
		check_simple(t);
		for (int i = 0; i < point_count(); ++i) { // teeth to the side
			rbl_point2 p = sh.points[i];
			sh.points[i] = (rbl_point2){ -p.y, p.x };
		}
		check_simple(t);
		clear();
		begin_loop(); // a spiral there and back
		for (int i = 0; i < 3 * n + 3; ++i)
			add_point((i + 4.0) * cos(0.3 * i), (i + 4.0) * sin(0.3 * i));
		for (int i = 3 * n + 2; i >= 0; --i)
			add_point((i + 5.0) * cos(0.3 * i), (i + 5.0) * sin(0.3 * i));
		end_loop();
		reverse_loop(0);
		check_simple(t);
	}
}

static void random_stars_with_holes_and_islands_are_cut(test *t)
{
	rbl_random random = rbl_random_from_seed(11);
	for (int round = 0; round < 300; ++round) {
		clear();
		int rings = 1 + (int)rbl_random_below(&random, 5);
		for (int ring = 0; ring < rings; ++ring) {
			double outer = 1.0 / (1 + ring), inner = 1.0 / (1.8 + ring);
			int n = 3 + (int)rbl_random_below(&random, 60);
			if (n < 9)
				inner = outer; // few corners: chords would cut through the next ring
			n = n < 9 ? 9 : n;
			begin_loop();
			for (int i = 0; i < n; ++i) {
				double r = rbl_random_range(&random, inner, outer), a = 6.28318530717958648 * i / n;
				if (ring > 0)
					r *= 0.9;
				add_point(r * cos(a), r * sin(a));
			}
			end_loop();
			if (ring & 1)
				reverse_loop(ring);
		}
		// Rings are apart only if chords of the outer ring stay outside the next one.
		rbl_triangulation made = cut(t, false, NULL);
		CHECK(t, edges_are_kept(sh.ids, made.triangle_count, made.inverted_count == 0));
		if (rings == 1)
			check_simple(t);
	}
}

static void many_holes_are_cut(test *t)
{
	for (int n = 1; n < 40; n += 7)
		for (int corners = 3; corners < 7; ++corners) {
			clear();
			const double square[4][2] = { { -1, -1 }, { n, -1 }, { n, n }, { -1, n } };
			add_loop(square, 4);
			for (int i = 0; i < n * n; ++i) {
				begin_loop();
				for (int k = 0; k < corners; ++k)
					add_point(i % n + 0.3 * cos(k * 6.28318530717958648 / corners),
					          i / n - 0.3 * sin(k * 6.28318530717958648 / corners));
				end_loop();
			}
			check_simple(t);
		}
}

// --- regions of cells: straight runs, pinches, nested holes and islands -----------------------

enum { CELLS = 24 };

typedef struct region {
	unsigned char cells[CELLS + 2][CELLS + 2];
	unsigned char used[4][CELLS + 2][CELLS + 2]; // edges by direction and start
} region;

static bool is_filled(const region *r, int x, int y)
{
	return r->cells[y + 1][x + 1];
}

// Is there a boundary edge from grid point (x, y) in direction d (east, north, west, south)?
static bool has_edge(const region *r, int x, int y, int d)
{
	static const int left[4][2] = { { 0, 0 }, { -1, 0 }, { -1, -1 }, { 0, -1 } };
	static const int right[4][2] = { { 0, -1 }, { 0, 0 }, { -1, 0 }, { -1, -1 } };
	return is_filled(r, x + left[d][0], y + left[d][1]) &&
	       !is_filled(r, x + right[d][0], y + right[d][1]);
}

// All boundary loops. At a pinch the loop turns left or right first, as told.
static void trace(region *r, int first_turn, bool skip_straight)
{
	static const int step[4][2] = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } };
	clear();
	memset(r->used, 0, sizeof r->used);
	for (int y0 = 0; y0 <= CELLS; ++y0)
		for (int x0 = 0; x0 <= CELLS; ++x0)
			for (int d0 = 0; d0 < 4; ++d0) {
				if (!has_edge(r, x0, y0, d0) || r->used[d0][y0][x0])
					continue;
				begin_loop();
				int x = x0, y = y0, d = d0, last = -1;
				while (!r->used[d][y][x]) {
					r->used[d][y][x] = 1;
					if (!skip_straight || d != last) {
						add_point(x, y);
						sh.ids[sh.starts[sh.loop_count + 1] - 1] = y * (CELLS + 1) + x;
					}
					last = d;
					x += step[d][0], y += step[d][1];
					const int turns[3] = { first_turn, 0, -first_turn };
					for (int k = 0; k < 3; ++k) {
						int direction = (d + turns[k] + 4) & 3;
						if (has_edge(r, x, y, direction) &&
						    (!r->used[direction][y][x] ||
						     (x == x0 && y == y0 && direction == d0))) {
							d = direction;
							break;
						}
					}
				}
				end_loop();
			}
}

// A law with a known answer: the area is the number of cells. With shared ids a point is one
// vertex, so nothing needs to be flat.
static void regions_of_cells_keep_their_area(test *t)
{
	static region r;
	rbl_random random = rbl_random_from_seed(5);
	int turned = 0, flat = 0;
	uint64_t hash = RBL_HASH_START;
	for (int round = 0; round < 1200; ++round) {
		int size = 2 + (int)rbl_random_below(&random, round % 10 == 0 ? CELLS - 1 : 7), filled = 0;
		uint32_t density = 10 + rbl_random_below(&random, 85);
		memset(&r, 0, sizeof r);
		for (int y = 0; y < size; ++y)
			for (int x = 0; x < size; ++x)
				filled += r.cells[y + 1][x + 1] = rbl_random_below(&random, 100) < density;
		for (int mode = 0; mode < 4; ++mode) {
			trace(&r, mode & 1 ? 1 : -1, mode & 2);
			int given_ids[MOST_POINTS / 4];
			int n = point_count();
			memcpy(given_ids, sh.ids, (size_t)n * sizeof(int));
			uint32_t kind = rbl_random_below(&random, 3); // as it is, sheared, or turned
			for (int i = 0; i < n; ++i) {
				double x = sh.points[i].x, y = sh.points[i].y;
				if (kind == 1)
					sh.points[i] = (rbl_point2){ x + 0.5 * y, y };
				else if (kind == 2)
					sh.points[i] = (rbl_point2){ x - y, x + y };
				sh.ids[i] = i;
			}
			double scale = kind == 2 ? 4.0 : 2.0;
			for (int improve = 0; improve < 2; ++improve) {
				rbl_triangulation made = cut(t, improve, NULL);
				turned += made.inverted_count, flat += made.flat_count;
				hash =
					rbl_hash_bytes(hash, triangles, 3 * sizeof(int) * (size_t)made.triangle_count);
				CHECK(t, made.inverted_count == 0);
				CHECK(t, edges_are_kept(sh.ids, made.triangle_count, true));
				double sum = 0.0;
				for (int i = 0; i < made.triangle_count; ++i)
					sum += twice_area(sh.points, triangles[3 * i], triangles[3 * i + 1],
					                  triangles[3 * i + 2]);
				CHECK(t, sum == scale * filled);
				made = cut(t, improve, given_ids);
				CHECK(t, made.inverted_count == 0);
				CHECK(t, edges_are_kept(given_ids, made.triangle_count, false));
			}
		}
	}
	CHECK(t, turned == 0 && flat > 0);
	CHECK(t, hash == UINT64_C(0xef644dd84c86121c)); // the same triangles on every platform
}

static void touching_loops_are_cut(test *t)
{
	const double square[4][2] = { { 0, 0 }, { 4, 0 }, { 4, 4 }, { 0, 4 } };
	const double holes[][4][2] = {
		{ { 0, 0 }, { 1, 2 }, { 2, 2 }, { 2, 1 } }, // a corner at a corner
		{ { 2, 0 }, { 1, 1 }, { 2, 2 }, { 3, 1 } }, // a corner on the bottom edge
		{ { 0, 2 }, { 1, 3 }, { 2, 2 }, { 1, 1 } }, // on the left edge
		{ { 2, 2 }, { 3, 3 }, { 4, 2 }, { 3, 1 } }, // on the right edge
		{ { 1, 3 }, { 2, 4 }, { 3, 3 }, { 2, 2 } }, // on the top edge
		{ { 1, 0 }, { 1, 1 }, { 3, 1 }, { 3, 0 } }, // along a piece of the bottom edge
		{ { 0, 1 }, { 0, 3 }, { 1, 3 }, { 1, 1 } }, // along the left edge
		{ { 3, 1 }, { 3, 3 }, { 4, 3 }, { 4, 1 } }, // along the right edge
		{ { 1, 3 }, { 1, 4 }, { 3, 4 }, { 3, 3 } }, // along the top edge
		{ { 0, 0 }, { 0, 1 }, { 1, 1 }, { 1, 0 } }, // in a corner
		{ { 0, 0 }, { 0, 4 }, { 4, 4 }, { 4, 0 } }, // everywhere: nothing is left
		{ { 2, 0 }, { 0, 2 }, { 2, 4 }, { 4, 2 } }, // four touches
		{ { 1, 1 }, { 1, 2 }, { 1, 3 }, { 1, 2 } }, // a slit
		{ { 2, 2 }, { 2, 2 }, { 2, 2 }, { 2, 2 } }, // a point
	};
	for (int k = 0; k < (int)(sizeof holes / sizeof holes[0]); ++k) {
		clear();
		add_loop(square, 4);
		add_loop(holes[k], 4);
		check_touching(t);
		clear(); // in the other order
		add_loop(holes[k], 4);
		add_loop(square, 4);
		check_touching(t);
	}
	clear(); // two holes that touch each other and the border
	add_loop(square, 4);
	add_loop((const double[3][2]){ { 0, 0 }, { 2, 2 }, { 2, 1 } }, 3);
	add_loop((const double[3][2]){ { 2, 2 }, { 4, 4 }, { 3, 2 } }, 3);
	check_touching(t);
	clear(); // neighbours along an edge
	add_loop(square, 4);
	add_loop((const double[4][2]){ { 4, 0 }, { 8, 0 }, { 8, 4 }, { 4, 4 } }, 4);
	add_loop((const double[4][2]){ { 0, 4 }, { 4, 4 }, { 4, 8 }, { 0, 8 } }, 4);
	add_loop((const double[4][2]){ { 1, -4 }, { 3, -4 }, { 3, 0 }, { 1, 0 } }, 4);
	check_touching(t);
}

static void repeated_points_and_needles_are_kept(test *t)
{
	rbl_random random = rbl_random_from_seed(3);
	for (int round = 0; round < 400; ++round) {
		clear();
		begin_loop();
		int n = 3 + (int)rbl_random_below(&random, 9);
		for (int i = 0; i < n; ++i) {
			double a = 6.28318530717958648 * i / n;
			int repeats = 1 + (int)rbl_random_below(&random, 3);
			for (int k = 0; k < repeats; ++k) {
				add_point(cos(a), sin(a));
				if (rbl_random_below(&random, 4) == 0)
					add_point(0.5 * cos(a), 0.5 * sin(a)), add_point(cos(a), sin(a)); // a needle
			}
		}
		end_loop();
		for (int improve = 0; improve < 2; ++improve) {
			rbl_triangulation made = cut(t, improve, NULL);
			CHECK(t, made.triangle_count == point_count() - 2);
			CHECK(t, made.inverted_count == 0);
			CHECK(t, edges_are_kept(sh.ids, made.triangle_count, true));
		}
	}
}

// Whatever the points are: the edges are kept, and it ends.
static void nonsense_keeps_its_edges(test *t)
{
	rbl_random random = rbl_random_from_seed(8);
	int said_so = 0;
	for (int round = 0; round < 3000; ++round) {
		clear();
		int loops = 1 + (int)rbl_random_below(&random, 4);
		uint32_t grid = 1 + rbl_random_below(&random, 12);
		for (int k = 0; k < loops; ++k) {
			int n = 1 + (int)rbl_random_below(&random, round % 20 == 0 ? 300 : 12);
			begin_loop();
			for (int i = 0; i < n; ++i) {
				uint32_t x = rbl_random_below(&random, grid);
				add_point(x, rbl_random_below(&random, grid));
			}
			end_loop();
		}
		for (int improve = 0; improve < 2; ++improve) {
			rbl_triangulation made = cut(t, improve, NULL);
			CHECK(t, edges_are_kept(sh.ids, made.triangle_count, false));
			said_so += made.inverted_count > 0;
		}
	}
	CHECK(t, said_so > 0);
}

static void an_inside_out_loop_is_said_to_be(test *t)
{
	clear();
	add_loop((const double[4][2]){ { 0, 0 }, { 0, 1 }, { 1, 1 }, { 1, 0 } }, 4);
	rbl_triangulation made = cut(t, true, NULL);
	CHECK(t, made.triangle_count == 2 && made.inverted_count == 2);
	CHECK(t, edges_are_kept(sh.ids, made.triangle_count, true));
}

static void tiny_and_huge_polygons_are_cut(test *t)
{
	const double scales[] = { 1e-30, 1e-3, 1e4, 1e30 };
	for (int k = 0; k < 4; ++k) {
		clear();
		begin_loop();
		for (int i = 0; i < 100; ++i) {
			double r = scales[k] * (i % 2 ? 1.0 : 0.3);
			add_point(r * cos(i * 0.0628318530717958648), r * sin(i * 0.0628318530717958648));
		}
		end_loop();
		check_simple(t);
	}
	clear(); // 10,000 corners a few units in the last place apart, 10 km away
	begin_loop();
	for (int i = 0; i < 5000; ++i)
		add_point(10000.0 + i * 0x1p-39, 10000.0 + (double)(i % 2) * 0x1p-39);
	for (int i = 5000; i-- > 0;)
		add_point(10000.0 + i * 0x1p-39, 10000.0 + (2 + i % 3) * 0x1p-39);
	end_loop();
	rbl_triangulation made = cut(t, true, NULL);
	CHECK(t, made.inverted_count == 0 && made.flat_count == 0);
	CHECK(t, edges_are_kept(sh.ids, made.triangle_count, true));
}

static void flips_make_delaunay_triangles(test *t)
{
	rbl_random random = rbl_random_from_seed(2);
	clear();
	begin_loop();
	for (int i = 0; i < 200; ++i) {
		double a = 0.0314159265358979324 * i, r = rbl_random_range(&random, 0.7, 1.0);
		add_point(r * cos(a), r * sin(a));
	}
	end_loop();
	rbl_triangulation made = cut(t, true, NULL);
	int bad = 0;
	for (int i = 0; i < made.triangle_count; ++i)
		for (int k = 0; k < made.triangle_count; ++k)
			for (int e = 0; e < 9; ++e) { // the point across a shared edge is outside the circle
				const int *p = triangles + 3 * i, *q = triangles + 3 * k;
				int a = p[e / 3], b = p[(e / 3 + 1) % 3], c = p[(e / 3 + 2) % 3];
				if (q[e % 3] != b || q[(e % 3 + 1) % 3] != a)
					continue;
				int d = q[(e % 3 + 2) % 3];
				bad += rbl_incircle(sh.points[a].x, sh.points[a].y, sh.points[b].x, sh.points[b].y,
				                    sh.points[c].x, sh.points[c].y, sh.points[d].x,
				                    sh.points[d].y) > 0 &&
				       rbl_orient2d(sh.points[c].x, sh.points[c].y, sh.points[d].x, sh.points[d].y,
				                    sh.points[b].x, sh.points[b].y) > 0 &&
				       rbl_orient2d(sh.points[d].x, sh.points[d].y, sh.points[c].x, sh.points[c].y,
				                    sh.points[a].x, sh.points[a].y) > 0;
			}
	CHECK(t, bad == 0);
}

static void a_failed_allocation_is_reported(test *t)
{
	clear();
	add_loop((const double[5][2]){ { 0, 0 }, { 4, 0 }, { 2, 1 }, { 4, 4 }, { 0, 4 } }, 5);
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_arena scratch;
		rbl_arena_init(&scratch, &allocator, 64);
		rbl_polygon polygon = { sh.points, sh.starts, sh.loop_count, NULL, true };
		rbl_triangulation made;
		rbl_result result = rbl_triangulate(&scratch, &polygon, triangles, &made);
		rbl_arena_destroy(&scratch);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed) {
			CHECK(t, result == RBL_OK && n > 5);
			break;
		}
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
}

// --- faces of meshes --------------------------------------------------------------------------

static void faces_of_any_direction_are_cut(test *t)
{
	static sample s;
	rbl_random random = rbl_random_from_seed(4);
	for (int round = 0; round < 300; ++round) {
		memset(&s, 0, sizeof s);
		rbl_vec3d u = rbl_random_in_ball(&random), v = rbl_random_in_ball(&random);
		int n = 3 + round % 20, vertices[24];
		for (int i = 0; i < n; ++i) {
			double a = 6.28318530717958648 * i / n, r = n > 5 && i % 2 ? 0.4 : 1.0;
			if (n == 4 && i == 1)
				r = 0.1; // a dart
			vertices[i] =
				sample_vertex(&s, r * (u.x * cos(a) + v.x * sin(a)),
			                  r * (u.y * cos(a) + v.y * sin(a)), r * (u.z * cos(a) + v.z * sin(a)));
		}
		sample_face(&s, vertices, n);
		rbl_mesh *mesh = sample_mesh(&s);
		int cuts[3 * 24], faces[24];
		CHECK(t, rbl_mesh_triangulate(mesh, cuts, faces) == RBL_OK);
		rbl_vec3d whole = rbl_polygon_normal(s.positions, vertices, n), sum = { 0, 0, 0 };
		for (int i = 0; i < n - 2; ++i) {
			int corners[3] = { vertices[cuts[3 * i]], vertices[cuts[3 * i + 1]],
				               vertices[cuts[3 * i + 2]] };
			rbl_vec3d part = rbl_polygon_normal(s.positions, corners, 3);
			CHECK(t, part.x * whole.x + part.y * whole.y + part.z * whole.z > 0.0);
			CHECK(t, faces[i] == 0);
			sum = (rbl_vec3d){ sum.x + part.x, sum.y + part.y, sum.z + part.z };
		}
		CHECK_NEAR(t, sum.x, whole.x, 1e-12);
		CHECK_NEAR(t, sum.y, whole.y, 1e-12);
		CHECK_NEAR(t, sum.z, whole.z, 1e-12);
		rbl_destroy_mesh(mesh);
	}
}

// A face that crosses itself any number of times still gives its triangles and keeps its edges.
static void faces_that_cross_themselves_keep_their_edges(test *t)
{
	static sample s;
	rbl_random random = rbl_random_from_seed(12);
	for (int round = 0; round < 2000; ++round) {
		memset(&s, 0, sizeof s);
		clear();
		begin_loop(); // the same polygon, for edges_are_kept()
		int n = 3 + (int)rbl_random_below(&random, round % 50 == 0 ? 200 : 20);
		uint32_t grid = 2 + rbl_random_below(&random, 8);
		int *vertices = malloc((size_t)n * sizeof(int));
		for (int i = 0; i < n; ++i) {
			uint32_t x = rbl_random_below(&random, grid), y = rbl_random_below(&random, grid);
			vertices[i] = sample_vertex(&s, x, y, x + 2.0 * y);
			add_point(x, y);
		}
		end_loop();
		sample_face(&s, vertices, n);
		rbl_mesh *mesh = sample_mesh(&s);
		CHECK(t, rbl_mesh_triangulate(mesh, triangles, NULL) == RBL_OK);
		CHECK(t, edges_are_kept(sh.ids, n - 2, false));
		rbl_destroy_mesh(mesh);
		free(vertices);
	}
}

// The mesh of its triangles.
static rbl_mesh *cut_mesh(test *t, const rbl_mesh *mesh)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	int count = 3 * rbl_mesh_triangle_count(mesh);
	int *corners = malloc((size_t)count * sizeof(int));
	CHECK(t, rbl_mesh_triangulate(mesh, corners, NULL) == RBL_OK);
	for (int i = 0; i < count; ++i)
		corners[i] = data.corner_vertices[corners[i]];
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = (rbl_mesh_data){ .vertex_count = data.vertex_count,
		                        .positions = data.positions,
		                        .face_count = count / 3,
		                        .corner_count = count,
		                        .corner_vertices = corners };
	rbl_mesh *cut = NULL;
	CHECK(t, rbl_create_mesh(&def, &cut) == RBL_OK);
	free(corners);
	return cut;
}

static void stays_closed_and_manifold(test *t, const rbl_mesh *mesh)
{
	rbl_mesh *cut = cut_mesh(t, mesh);
	rbl_mesh_report before, after;
	CHECK(t, rbl_mesh_check(mesh, &before) == RBL_OK && rbl_mesh_check(cut, &after) == RBL_OK);
	CHECK(t, before.is_closed && before.is_manifold && before.is_oriented);
	CHECK(t, after.is_closed && after.is_manifold && after.is_oriented);
	CHECK(t, after.genus == before.genus);
	rbl_destroy_mesh(cut);
}

// A pillow has the same polygon in front and behind, so every diagonal is wanted twice.
static void no_diagonal_is_drawn_twice(test *t)
{
	static sample s;
	for (int n = 4; n <= 40; ++n) {
		memset(&s, 0, sizeof s);
		int front[40], back[40];
		for (int i = 0; i < n; ++i) {
			double a = 6.28318530717958648 * i / n;
			front[i] = back[n - 1 - i] = sample_vertex(&s, cos(a), 1.3 * sin(a), 0.01 * (i % 3));
		}
		sample_face(&s, front, n);
		sample_face(&s, back, n);
		rbl_mesh *mesh = sample_mesh(&s);
		stays_closed_and_manifold(t, mesh);
		rbl_destroy_mesh(mesh);
	}
}

// Nor along an edge: the quad's short diagonal is the edge between the two triangles behind it.
static void no_diagonal_is_drawn_along_an_edge(test *t)
{
	static sample s;
	sample_vertex(&s, -1.0, 0.0, 0.0);
	sample_vertex(&s, 0.0, -2.0, 0.1);
	sample_vertex(&s, 1.0, 0.0, 0.0);
	sample_vertex(&s, 0.0, 2.0, 0.1);
	sample_face(&s, (int[4]){ 0, 1, 2, 3 }, 4);
	sample_face(&s, (int[3]){ 1, 0, 2 }, 3);
	sample_face(&s, (int[3]){ 3, 2, 0 }, 3);
	rbl_mesh *mesh = sample_mesh(&s);
	stays_closed_and_manifold(t, mesh);
	rbl_destroy_mesh(mesh);
}

static void a_mesh_triangulates_or_says_why(test *t)
{
	static sample s;
	sample_box(&s, (rbl_vec3d){ 0, 0, 0 }, (rbl_vec3d){ 1, 1, 1 });
	sample_face(&s, (int[5]){ 0, 1, 3, 7, 2 }, 5);
	int cuts[3 * 15], faces[15];
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n + 1); // the mesh itself is one allocation
		rbl_mesh_def def = sample_def(&s);
		def.allocator = FAULTY(&memory);
		rbl_mesh *mesh;
		CHECK(t, rbl_create_mesh(&def, &mesh) == RBL_OK);
		rbl_result result = rbl_mesh_triangulate(mesh, cuts, faces);
		CHECK(t, rbl_mesh_triangulate(mesh, NULL, NULL) == RBL_BAD_ARGUMENT);
		rbl_destroy_mesh(mesh);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed) {
			CHECK(t, result == RBL_OK && faces[11] == 5 && faces[14] == 6);
			break;
		}
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
	CHECK(t, rbl_mesh_triangulate(NULL, cuts, faces) == RBL_BAD_ARGUMENT);
}

// Loops around a centre in a plane of any direction: convex ones, and ones with notches anywhere,
// the first corner included.
static void quick_triangles_fill_their_face(test *t)
{
	enum { MOST = 24, ROUNDS = 400 };
	rbl_random random = rbl_random_from_seed(5);
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	int convex = 0;
	for (int round = 0; round < ROUNDS; ++round) {
		int count = 5 + (int)rbl_random_below(&random, MOST - 4), starts[2] = { 0, count };
		bool is_convex = round % 2 == 0;
		rbl_vec3d normal = rbl_normalize_d(rbl_random_in_ball(&random));
		rbl_vec3d u = rbl_normalize_d(rbl_cross_d(normal, rbl_random_in_ball(&random)));
		rbl_vec3d v = rbl_cross_d(normal, u), positions[MOST];
		int vertices[MOST], cuts[3 * (MOST - 2)];
		for (int k = 0; k < count; ++k) {
			double radius = is_convex ? 1.0 : rbl_random_range(&random, 0.2, 1.0), sine, cosine;
			rbl_sin_cos(6.283185307179586 * k / count, &sine, &cosine);
			positions[k] =
				rbl_add_d(rbl_scale_d(radius * cosine, u), rbl_scale_d(radius * sine, v));
			vertices[k] = k;
		}
		rbl_mesh_data data = { .positions = positions,
			                   .vertex_count = count,
			                   .face_starts = starts,
			                   .face_count = 1,
			                   .corner_vertices = vertices,
			                   .corner_count = count };
		CHECK(t, rbl_faces_triangulate_quickly(&allocator, &data, cuts) == RBL_OK);
		double whole = 0.0, sum = 0.0;
		for (int k = 0; k < count; ++k)
			whole += rbl_dot_d(rbl_cross_d(positions[k], positions[(k + 1) % count]), normal);
		for (int k = 0; k < count - 2; ++k) {
			rbl_vec3d a = positions[cuts[3 * k]], b = positions[cuts[3 * k + 1]];
			rbl_vec3d c = positions[cuts[3 * k + 2]];
			double area = rbl_dot_d(rbl_cross_d(rbl_sub_d(b, a), rbl_sub_d(c, a)), normal);
			CHECK(t, area > -1e-12);
			sum += area;
		}
		CHECK_NEAR(t, sum, whole, 1e-12);
		convex += is_convex;
	}
	CHECK(t, convex == ROUNDS / 2);
}

TEST_MAIN(TEST(a_convex_polygon_is_cut), TEST(straight_runs_make_no_flat_triangle),
          TEST(combs_spirals_and_teeth_are_cut), TEST(random_stars_with_holes_and_islands_are_cut),
          TEST(many_holes_are_cut), TEST(regions_of_cells_keep_their_area),
          TEST(touching_loops_are_cut), TEST(repeated_points_and_needles_are_kept),
          TEST(nonsense_keeps_its_edges), TEST(an_inside_out_loop_is_said_to_be),
          TEST(tiny_and_huge_polygons_are_cut), TEST(flips_make_delaunay_triangles),
          TEST(a_failed_allocation_is_reported), TEST(faces_of_any_direction_are_cut),
          TEST(faces_that_cross_themselves_keep_their_edges), TEST(no_diagonal_is_drawn_twice),
          TEST(no_diagonal_is_drawn_along_an_edge), TEST(a_mesh_triangulates_or_says_why),
          TEST(quick_triangles_fill_their_face))
