// SPDX-License-Identifier: MIT
// Rays along an axis: every point has one winding number, wherever it lies, along whichever axis it
// is asked for; and columns find what a search through all triangles finds.

#include "base/random.h"
#include "base/vec.h"
#include "geometry/winding_number.h"
#include "geometry/near_triangles.h"
#include "geometry/sample_meshes.h"
#include "geometry/triangle_intersection.h"
#include "test.h"

static sample s;
static int triangles[3 * 20000], triangle_count;

static void make_triangles(void)
{
	rbl_mesh *mesh = sample_mesh(&s);
	triangle_count = rbl_mesh_triangle_count(mesh);
	rbl_mesh_triangulate(mesh, triangles, NULL);
	for (int i = 0; i < 3 * triangle_count; ++i)
		triangles[i] = s.corners[triangles[i]];
	rbl_destroy_mesh(mesh);
}

static rbl_vec3d at(int triangle, int k)
{
	return s.positions[triangles[3 * triangle + k]];
}

static int wind_all(rbl_vec3d p, int axis, bool *is_on)
{
	int sum = 0;
	for (int i = 0; i < triangle_count; ++i)
		sum += rbl_ray_crossing(p, axis, at(i, 0), at(i, 1), at(i, 2), is_on);
	return sum;
}

static int wind_columns(const rbl_ray_columns *columns, rbl_vec3d p, bool *is_on)
{
	const int *near;
	int sum = 0, count = rbl_ray_columns_at(columns, p, &near);
	for (int i = 0; i < count; ++i)
		sum += rbl_ray_columns_crossing(columns, near[i], p, is_on);
	return sum;
}

// Two boxes, one in the other and inside out, and a third beside them: numbers are known.
static void winding_numbers_are_those_of_the_boxes(test *t)
{
	memset(&s, 0, sizeof s);
	sample_box(&s, (rbl_vec3d){ 0, 0, 0 }, (rbl_vec3d){ 4, 4, 4 });
	sample_box(&s, (rbl_vec3d){ 1, 1, 1 }, (rbl_vec3d){ 2, 2, 2 });
	for (int f = 6; f < 12; ++f)
		sample_flip_face(&s, f);
	sample_box(&s, (rbl_vec3d){ 3, 3, 3 }, (rbl_vec3d){ 6, 6, 6 });
	make_triangles();
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	for (int axis = 0; axis < 3; ++axis) {
		rbl_ray_columns columns;
		CHECK(t, rbl_ray_columns_create(&columns, &allocator, s.positions, triangles,
		                                triangle_count, axis));
		for (int i = 0; i < 15 * 15 * 15; ++i) { // on faces, edges, vertices, and between
			rbl_vec3d p = { 0.5 * (i % 15) - 0.5, 0.5 * (i / 15 % 15) - 0.5,
				            0.5 * (i / 225) - 0.5 };
			bool is_on = false, is_found = false;
			int winding = wind_all(p, axis, &is_on);
			CHECK(t, wind_columns(&columns, p, &is_found) == winding && is_found == is_on);
			// Points move ahead along the second coordinate after the axis, then the third.
			double x[3] = { p.x, p.y, p.z };
			int expected = 0;
			const double boxes[3][2] = { { 0, 4 }, { 1, 2 }, { 3, 6 } };
			for (int b = 0; b < 3; ++b) {
				bool is_in = true;
				for (int k = 0; k < 3; ++k) // to the right of a wall counts as inside
					is_in &= x[k] >= boxes[b][0] && x[k] < boxes[b][1];
				expected += is_in ? (b == 1 ? -1 : 1) : 0;
			}
			CHECK(t, winding == expected);
		}
		rbl_ray_columns_destroy(&columns);
	}
}

static void columns_find_what_all_triangles_say(test *t)
{
	rbl_random random = rbl_random_from_seed(4);
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	memset(&s, 0, sizeof s);
	sample_torus(&s, 3.0, 1.0, 40, 17);
	sample_sphere(&s, (rbl_vec3d){ 1, 0, 0 }, 2.5, 9, 14);
	sample_box(&s, (rbl_vec3d){ -9, -9, -0.1 }, (rbl_vec3d){ 9, 9, 0.1 }); // large beside small
	make_triangles();
	rbl_boxd box = { { -5, -5, -3 }, { 5, 5, 3 } };
	for (int axis = 0; axis < 3; ++axis) {
		rbl_ray_columns columns;
		CHECK(t, rbl_ray_columns_create(&columns, &allocator, s.positions, triangles,
		                                triangle_count, axis));
		for (int i = 0; i < 400; ++i) {
			rbl_vec3d p = i % 4 ? rbl_random_in_box(&random, box)
			                    : s.positions[rbl_random_below(&random, (uint32_t)s.vertex_count)];
			bool is_on = false, is_found = false, is_other = false;
			int winding = wind_all(p, axis, &is_on);
			CHECK(t, wind_columns(&columns, p, &is_found) == winding && is_found == is_on);
			if (i % 4) // away from the surface all axes agree
				CHECK(t, wind_all(p, (axis + 1) % 3, &is_other) == winding);
		}
		rbl_ray_columns_destroy(&columns);
	}
}

static void near_triangles_are_those_whose_boxes_meet(test *t)
{
	rbl_random random = rbl_random_from_seed(8);
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	for (int round = 0; round < 4; ++round) {
		memset(&s, 0, sizeof s);
		sample_torus(&s, 3.0, 1.0, 20, 9);
		if (round & 1)
			sample_box(&s, (rbl_vec3d){ -9, -9, -9 }, (rbl_vec3d){ 9, 9, 9 });
		for (int v = 0; v < s.vertex_count && round > 1; ++v) // flat: cells have no depth
			s.positions[v].z = 1e-9 * rbl_random_double(&random);
		make_triangles();
		rbl_near_triangles near;
		CHECK(t,
		      rbl_near_triangles_create(&near, &allocator, s.positions, triangles, triangle_count));
		int missing = 0, twice = 0, foreign = 0;
		for (int i = 0; i < triangle_count; ++i) {
			static unsigned char found[20000];
			memset(found, 0, sizeof found);
			CHECK(t, rbl_near_triangles_find(&near, i, i));
			for (int k = 0; k < near.found.count; ++k) {
				twice += found[near.found.data[k]]++ > 0;
				foreign += near.found.data[k] <= i;
			}
			// A grid may leave out what shares a box with it but no cell: such triangles do not
			// meet.
			for (int k = i + 1; k < triangle_count; ++k) {
				rbl_vec3d a[3] = { at(i, 0), at(i, 1), at(i, 2) };
				rbl_vec3d b[3] = { at(k, 0), at(k, 1), at(k, 2) };
				missing += !found[k] && rbl_triangles_meet(a, b);
			}
		}
		CHECK(t, missing == 0 && twice == 0 && foreign == 0);
		rbl_near_triangles_destroy(&near);
	}
}

TEST_MAIN(TEST(winding_numbers_are_those_of_the_boxes), TEST(columns_find_what_all_triangles_say),
          TEST(near_triangles_are_those_whose_boxes_meet))
