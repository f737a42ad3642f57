// SPDX-License-Identifier: MIT
// ctest: soak
// How wide a contour is: gaps in a flat sheet that are just wide enough stay open when both of
// their sides close in by the margin, and others are not called wide.

#include "surface/cull.h"

#include "base/math.h"
#include "surface/reference.h"

#include <rubble/surface.h>

enum { AROUND = 24, RINGS = 3, MOST = RINGS * (AROUND + 1) };

/// A sheet with a gap, and where its vertices close in: a length of 1 or 0.
typedef struct gap_sheet {
	reference_mesh mesh;
	rbl_vec3 positions[MOST], displacements[MOST];
	int triangles[6 * MOST];
} gap_sheet;

static int at(int around, int neighbours)
{
	return around * RINGS + neighbours;
}

static void add_triangle(gap_sheet *s, int a, int b, int c)
{
	int *t = s->triangles + 3 * s->mesh.triangle_count++;
	t[0] = a, t[1] = b, t[2] = c;
}

// A list of neighbours that is bent until its ends face each other, one a little farther in, since
// corners that face each other are never called wide. Its middle is outside.
static void find_neighbours(gap_sheet *s, float half)
{
	for (int i = 0; i <= AROUND; ++i)
		for (int k = 0; k < RINGS; ++k) {
			double angle = 2.0 * RBL_PI * i / AROUND, r = 1.0 + 0.5 * k;
			s->positions[at(i, k)] =
				(rbl_vec3){ (float)(r * rbl_cos(angle)), (float)(r * rbl_sin(angle)), 0.0f };
			if (i % AROUND == 0) {
				float side = i == 0 ? 1.0f : -1.0f, x = (float)r - (i == 0 ? 0.0f : 0.25f);
				s->positions[at(i, k)] = (rbl_vec3){ x, side * half, 0.0f };
				s->displacements[at(i, k)] = (rbl_vec3){ 0.0f, -side, 0.0f };
			}
		}
	for (int i = 0; i < AROUND; ++i)
		for (int k = 0; k + 1 < RINGS; ++k) {
			add_triangle(s, at(i, k), at(i, k + 1), at(i + 1, k + 1));
			add_triangle(s, at(i, k), at(i + 1, k + 1), at(i + 1, k));
		}
}

// A disc with a slit from its boundary half way to its middle, which sees all of the boundary.
static void make_disc(gap_sheet *s, float half)
{
	find_neighbours(s, half);
	s->mesh.triangle_count = 0;
	for (int i = 0; i <= AROUND; ++i)
		for (int k = 0; k < RINGS; ++k) {
			double angle = 2.0 * RBL_PI * i / AROUND, r = 0.5 * k;
			s->positions[at(i, k)] =
				(rbl_vec3){ (float)(r * rbl_cos(angle)), (float)(r * rbl_sin(angle)), 0.0f };
			if (i % AROUND == 0 && k == RINGS - 1)
				s->positions[at(i, k)].y = i == 0 ? half : -half;
			else
				s->displacements[at(i, k)] = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
		}
	for (int i = 0; i < AROUND; ++i) {
		int next = at((i + 1) % AROUND, 1); // the slit ends there
		add_triangle(s, at(0, 0), at(i, 1), next);
		add_triangle(s, at(i, 1), at(i, 2), at(i + 1, 2));
		add_triangle(s, at(i, 1), at(i + 1, 2), next);
	}
}

static void turn_about(rbl_vec3 *p, double angle)
{
	double c = rbl_cos(angle), s = rbl_sin(angle), x = (double)p->x, y = (double)p->y;
	*p = (rbl_vec3){ (float)(c * x - s * y), (float)(s * x + c * y), p->z };
}

static bool is_wide(test *t, const reference_mesh *mesh, double margin)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	rbl_surface_body_id body = reference_add(t, surface, mesh);
	CHECK(t, reference_check_query(t, surface, false) == 0);
	const rbl_surface_body *b = &surface->bodies.data[body.index];
	const rbl_box box = { { -3.0f, -3.0f, -1.0f }, { 3.0f, 3.0f, 1.0f } };
	bool result = rbl_surface_contour_is_robust(surface, &surface->workers[0], b->tree.root, box,
	                                            (rbl_vec3){ 0.0f, 0.0f, 1.0f }, margin, false);
	rbl_destroy_surface(surface);
	return result;
}

static int count_meeting(test *t, const reference_mesh *mesh)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	reference_add(t, surface, mesh);
	int found = reference_check_query(t, surface, false);
	rbl_destroy_surface(surface);
	return found;
}

// @param make   the sheet
// @param width  of the gap in slacks from which on it is called wide, in any direction
static void check_gaps(test *t, void (*make)(gap_sheet *s, float half), double width)
{
	rbl_random random = rbl_random_from_seed(5);
	int closed = 0;
	for (int round = 0; round < test_count(240, 24000); ++round) {
		static gap_sheet s;
		s = (gap_sheet){ .mesh = { s.positions, s.triangles, MOST, 0 } };
		double margin = rbl_random_range(&random, 0.001, 0.008);
		double gap = margin * rbl_random_range(&random, 0.0, 1.5 * width);
		double angle = round % 3 == 0 ? 0.0 : rbl_random_range(&random, -3.0, 3.0);
		make(&s, (float)(0.5 * gap));
		for (int i = 0; i < MOST; ++i)
			turn_about(&s.positions[i], angle), turn_about(&s.displacements[i], angle);
		bool wide = is_wide(t, &s.mesh, margin);
		CHECK(t, wide || gap < width * margin);
		for (int i = 0; i < MOST; ++i)
			s.positions[i] =
				rbl_add_scaled(s.positions[i], (float)(0.9999 * margin), s.displacements[i]);
		int found = count_meeting(t, &s.mesh);
		CHECK(t, !wide || found == 0);
		closed += found > 0;
	}
	CHECK(t, closed > 8);
}

static void ends_of_a_ring_stay_apart(test *t)
{
	check_gaps(t, find_neighbours,
	           3.0); // 2, and root 2 of that since lengths are sums of coordinates
}

static void sides_of_a_slit_stay_apart(test *t)
{
	check_gaps(t, make_disc, 20.0);
}

TEST_MAIN(TEST(ends_of_a_ring_stay_apart), TEST(sides_of_a_slit_stay_apart))
