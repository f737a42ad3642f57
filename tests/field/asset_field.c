// SPDX-License-Identifier: MIT
// ctest: threads soak
// The field of a mesh against exact distances: within its bound everywhere, the same for all
// workers and back ends, continuous, and honest about walls that are thinner than its cells.

#include "exact.h"
#include "shapes.h"

#include "base/kernel.h"
#include "field/asset_field.h"

#include <rubble/jobs.h>

enum { BATCH = 1000 };

static void the_reference_by_tree_is_that_by_brute_force(test *t)
{
	rbl_mesh *mesh = make_shape(SHAPE_MUG, NULL);
	exact_mesh exact = exact_from_mesh(mesh);
	rbl_random random = rbl_random_from_seed(3);
	for (int i = 0; i < 300; ++i) {
		rbl_vec3d p = exact_probe(&exact, &random, 0.002);
		CHECK(t, exact_unsigned(&exact, p, false) == exact_unsigned(&exact, p, true));
		CHECK(t, exact_winding(&exact, p, false) == exact_winding(&exact, p, true));
	}
	exact_free(&exact);
	rbl_destroy_mesh(mesh);
}

// What a field says of points is checked in all ways that it can be asked.
static void check_points(test *t, const rbl_distance_field *field, const exact_mesh *exact,
                         rbl_random *random, int count)
{
	rbl_distance_field_info info = rbl_distance_field_get_info(field);
	const rbl_asset_field *grid = rbl_as_asset_field(field);
	rbl_vec3 points[BATCH], normals[BATCH];
	float depths[BATCH], bounds[BATCH], radii[BATCH];
	bool inside[BATCH], overlaps[BATCH];
	double distances[BATCH];
	for (int first = 0; first < count; first += BATCH) {
		for (int i = 0; i < BATCH; ++i) {
			points[i] = rbl_to_f(exact_probe_far(exact, random, 3.0 * (double)info.cell_size));
			distances[i] = exact_distance(exact, rbl_to_d(points[i]));
			radii[i] = exact_radius(random, distances[i], (double)info.cell_size);
		}
		CHECK(t, rbl_distance_field_contains(field, points, BATCH, inside) == RBL_OK);
		CHECK(t, rbl_distance_field_penetration(field, points, BATCH, depths, normals, bounds) ==
		             RBL_OK);
		CHECK(t,
		      rbl_distance_field_overlaps_sphere(field, points, radii, BATCH, overlaps) == RBL_OK);
		for (int i = 0; i < BATCH; ++i) {
			double d = distances[i], got = -(double)depths[i], bound = (double)bounds[i];
			rbl_vec3 at = rbl_scale(grid->inverse_cell, rbl_sub(points[i], grid->origin));
			bool is_in_grid = rbl_box_contains(
				(rbl_box){ { 0, 0, 0 },
			               { 8.0f * (float)grid->size[0], 8.0f * (float)grid->size[1],
			                 8.0f * (float)grid->size[2] } },
				(rbl_box){ at, at });
			CHECK(t, got - bound <= d);
			CHECK(t, !is_in_grid || fabs(got - d) <= bound);
			CHECK(t, bound <= (double)info.largest_error * 1.01 + 1e-5 * fabs(got));
			CHECK(t, inside[i] == (d < 0.0) || fabs(d) <= bound);
			CHECK(t, inside[i] == (d < 0.0) || fabs(d) <= (double)info.surface_error);
			CHECK(t, overlaps[i] || d > (double)radii[i]);
			CHECK(t, fabsf(rbl_length(normals[i]) - 1.0f) < 1e-4f);
		}
	}
}

static void distances_are_within_their_bounds(test *t)
{
	int count = test_count(test_repeats(3000, 1000), 1000000);
	for (field_shape shape = 0; shape < FIELD_SHAPE_COUNT; ++shape) {
		double wall;
		rbl_mesh *mesh = make_shape(shape, &wall);
		exact_mesh exact = exact_from_mesh(mesh);
		rbl_random random = rbl_random_from_seed(shape + 1);
		rbl_distance_field *field = make_field(mesh, test_count(64, 128), wall);
		CHECK(t, field != NULL);
		check_points(t, field, &exact, &random, count);
		rbl_destroy_distance_field(field);
		exact_free(&exact);
		rbl_destroy_mesh(mesh);
	}
}

// The figures of docs/field.md: errors and bounds within a cell and a half of the surface.
static void check_errors(test *t, const rbl_distance_field *field, const exact_mesh *exact,
                         rbl_random *random)
{
	enum { COUNT = 20000, BINS = 1000 };
	double cell = (double)rbl_distance_field_get_info(field).cell_size, bin = cell / BINS;
	double error_sum = 0.0, error_max = 0.0, bound_sum = 0.0, bound_max = 0.0;
	int bins[BINS + 1] = { 0 }, count = 0, below = 0, rank = 0;
	for (int i = 0; i < COUNT; ++i) {
		rbl_vec3 p = rbl_to_f(exact_probe(exact, random, 1.5 * cell));
		double d = exact_distance(exact, rbl_to_d(p));
		float got, bound;
		rbl_distance_field_evaluate(field, &p, 1, &got, &bound, NULL);
		if (fabs(d) > 1.5 * cell)
			continue;
		double error = fabs((double)got - d);
		error_sum += error, error_max = rbl_maxd(error_max, error);
		bound_sum += (double)bound, bound_max = rbl_maxd(bound_max, (double)bound);
		bins[rbl_mini((int)(error / bin), BINS)]++, count++;
	}
	CHECK(t, count > COUNT / 4);
	for (; rank <= BINS && below < 0.99 * count; ++rank)
		below += bins[rank];
	printf("cells of %.2f mm: error %.3f mm mean, %.2f p99, %.2f at most; bound %.2f mean, %.2f\n",
	       1e3 * cell, 1e3 * error_sum / count, 1e3 * rank * bin, 1e3 * error_max,
	       1e3 * bound_sum / count, 1e3 * bound_max);
	// A bound is at most half the diagonal of a cell, 0.87, and what samples were moved by to fit the
	// surface, up to 0.4: in tips and walls thinner than a cell both are needed.
	CHECK(t, error_sum / count < 0.03 * cell && rank < 0.2 * BINS && bound_max < 1.275 * cell);
}

static void the_bunny_is_within_its_bounds_and_a_megabyte(test *t)
{
	rbl_mesh *mesh = read_shape("bunny-7k.off");
	if (!mesh) {
		SKIP(t, "bunny-7k.off is not in the shared folder");
		return;
	}
	exact_mesh exact = exact_from_mesh(mesh);
	rbl_random random = rbl_random_from_seed(1);
	rbl_distance_field *field = make_field(mesh, 128, 0.0);
	rbl_distance_field_info info = rbl_distance_field_get_info(field);
	CHECK(t, info.bytes < 1000000);
	check_points(t, field, &exact, &random, test_count(10000, 1000000));
	check_errors(t, field, &exact, &random);
	rbl_destroy_distance_field(field);
	exact_free(&exact);
	rbl_destroy_mesh(mesh);
}

// Bounds are bounds of the worst; most points are far better, and that is what contacts see.
static void errors_near_the_surface_are_small(test *t)
{
	rbl_mesh *mesh = make_shape(SHAPE_TORUS, NULL);
	exact_mesh exact = exact_from_mesh(mesh);
	rbl_distance_field *field = make_field(mesh, 128, 0.0);
	float cell = rbl_distance_field_get_info(field).cell_size;
	rbl_random random = rbl_random_from_seed(9);
	double sum = 0.0;
	int count = 0;
	for (int i = 0; i < 4000; ++i) {
		rbl_vec3 p = rbl_to_f(exact_probe(&exact, &random, (double)cell));
		double d = exact_distance(&exact, rbl_to_d(p));
		float got, bound;
		rbl_distance_field_evaluate(field, &p, 1, &got, &bound, NULL);
		if (fabs(d) > (double)cell)
			continue;
		sum += fabs((double)got - d) / (double)cell, count++;
		CHECK(t, fabs((double)got - d) < 0.15 * (double)cell);
	}
	CHECK(t, count > 2000 && sum / count < 0.02);
	rbl_destroy_distance_field(field);
	exact_free(&exact);
	rbl_destroy_mesh(mesh);
}

static void gradients_point_the_way_out(test *t)
{
	rbl_mesh *mesh = make_shape(SHAPE_BALL, NULL);
	rbl_distance_field *field = make_field(mesh, 128, 0.0);
	rbl_random random = rbl_random_from_seed(2);
	for (int i = 0; i < 2000; ++i) {
		rbl_vec3 p = rbl_to_f(rbl_scale_d(0.9, rbl_random_in_ball(&random))), gradient;
		float distance, bound;
		rbl_distance_field_evaluate(field, &p, 1, &distance, &bound, &gradient);
		if (rbl_length(p) > 0.1f)
			CHECK(t, rbl_dot(gradient, rbl_normalize(p)) > 0.97f);
	}
	rbl_destroy_distance_field(field);
	rbl_destroy_mesh(mesh);
}

static bool have_equal_bytes(const rbl_distance_field *a, const rbl_distance_field *b)
{
	size_t size = 0, other = 0;
	rbl_distance_field_save(a, NULL, &size);
	rbl_distance_field_save(b, NULL, &other);
	unsigned char *bytes = malloc(size + other);
	rbl_distance_field_save(a, bytes, &size);
	rbl_distance_field_save(b, bytes + size, &other);
	bool equal = size == other && memcmp(bytes, bytes + size, size) == 0;
	free(bytes);
	return equal;
}

static void workers_make_the_same_bytes(test *t)
{
	rbl_mesh *mesh = make_shape(SHAPE_MUG, NULL);
	rbl_distance_field *alone = make_field(mesh, 64, 0.0);
	for (int workers = 2; workers <= 8; workers *= 2) {
		rbl_jobs_def jobs_def = rbl_default_jobs_def();
		jobs_def.worker_count = workers;
		rbl_jobs *jobs;
		CHECK(t, rbl_create_jobs(&jobs_def, &jobs) == RBL_OK);
		rbl_distance_field_def def = rbl_default_distance_field_def();
		def.mesh = mesh, def.resolution = 64, def.jobs = jobs;
		rbl_distance_field *field;
		CHECK(t, rbl_create_distance_field(&def, &field) == RBL_OK);
		CHECK(t, have_equal_bytes(alone, field));
		rbl_destroy_distance_field(field);
		rbl_destroy_jobs(jobs);
	}
	rbl_destroy_distance_field(alone);
	rbl_destroy_mesh(mesh);
}

static void back_ends_make_the_same_bytes_and_answers(test *t)
{
	enum { POINTS = 999 };
	rbl_mesh *mesh = make_shape(SHAPE_VASE, NULL);
	exact_mesh exact = exact_from_mesh(mesh);
	rbl_random random = rbl_random_from_seed(4);
	static rbl_vec3 points[POINTS], gradients[2][POINTS];
	static float distances[2][POINTS], bounds[2][POINTS];
	for (int i = 0; i < POINTS; ++i)
		points[i] = rbl_to_f(exact_probe(&exact, &random, 0.01));
	rbl_distance_field *plain = NULL;
	for (rbl_backend backend = 0; backend < RBL_BACKEND_COUNT; ++backend) {
		if (!rbl_force_backend(backend))
			continue;
		rbl_distance_field *field = make_field(mesh, 48, 0.0);
		int k = plain != NULL;
		rbl_distance_field_evaluate(field, points, POINTS, distances[k], bounds[k], gradients[k]);
		if (!plain) {
			plain = field;
			continue;
		}
		CHECK(t, have_equal_bytes(plain, field));
		CHECK(t, memcmp(distances[0], distances[1], sizeof distances[0]) == 0);
		CHECK(t, memcmp(bounds[0], bounds[1], sizeof bounds[0]) == 0);
		CHECK(t, memcmp(gradients[0], gradients[1], sizeof gradients[0]) == 0);
		rbl_destroy_distance_field(field);
	}
	rbl_force_backend(rbl_best_backend());
	rbl_destroy_distance_field(plain);
	exact_free(&exact);
	rbl_destroy_mesh(mesh);
}

static void answers_do_not_depend_on_what_is_asked_beside(test *t)
{
	enum { POINTS = 64 };
	rbl_mesh *mesh = make_shape(SHAPE_TORUS, NULL);
	exact_mesh exact = exact_from_mesh(mesh);
	rbl_distance_field *field = make_field(mesh, 64, 0.0);
	rbl_random random = rbl_random_from_seed(5);
	rbl_vec3 points[POINTS], gradients[POINTS], gradient;
	float distances[POINTS], bounds[POINTS], distance, bound;
	for (int i = 0; i < POINTS; ++i)
		points[i] = rbl_to_f(exact_probe(&exact, &random, 0.1));
	rbl_distance_field_evaluate(field, points, POINTS, distances, bounds, gradients);
	for (int i = 0; i < POINTS; ++i) {
		rbl_distance_field_evaluate(field, &points[i], 1, &distance, &bound, &gradient);
		CHECK(t, memcmp(&distance, &distances[i], sizeof distance) == 0);
		CHECK(t, memcmp(&bound, &bounds[i], sizeof bound) == 0);
		CHECK(t, memcmp(&gradient, &gradients[i], sizeof gradient) == 0);
	}
	rbl_destroy_distance_field(field);
	exact_free(&exact);
	rbl_destroy_mesh(mesh);
}

// Steps of a hundredth of a cell across the whole grid: nothing jumps, near or deep, fine or
// coarse.
static void distances_are_continuous_across_bricks_and_levels(test *t)
{
	enum { STEPS = 4000 };
	for (field_shape shape = 0; shape < FIELD_SHAPE_COUNT; ++shape) {
		rbl_mesh *mesh = make_shape(shape, NULL);
		rbl_distance_field *field = make_field(mesh, 96, 0.0);
		rbl_distance_field_info info = rbl_distance_field_get_info(field);
		rbl_random random = rbl_random_from_seed(shape + 1);
		rbl_boxd box = { rbl_to_d(info.bounds.lower), rbl_to_d(info.bounds.upper) };
		box = rbl_box_grow_d(box, 3.0 * (double)info.cell_size);
		for (int n = 0; n < 400; ++n) {
			static rbl_vec3 points[STEPS];
			static float distances[STEPS], bounds[STEPS];
			rbl_vec3d from = rbl_random_in_box(&random, box), to = rbl_random_in_box(&random, box);
			rbl_vec3d way = rbl_sub_d(to, from);
			double length = rbl_length_d(way), step = 0.01 * (double)info.cell_size;
			for (int i = 0; i < STEPS; ++i)
				points[i] = rbl_to_f(rbl_add_scaled_d(from, i * step / length, way));
			rbl_distance_field_evaluate(field, points, STEPS, distances, bounds, NULL);
			float worst = 0.0f;
			for (int i = 1; i < STEPS; ++i)
				worst = rbl_maxf(worst, fabsf(distances[i] - distances[i - 1]));
			// As far as it goes along an edge of a cell, times the root of three; and units of
			// samples.
			CHECK(t, worst < 0.0175f * info.cell_size + 0.005f * info.cell_size);
		}
		rbl_destroy_distance_field(field);
		rbl_destroy_mesh(mesh);
	}
}

// A wall of a third of a cell has no sample inside. Distances are off then by as much as the bound
// says, which is hardly more than a cell, and nothing that touches is culled.
static void walls_thinner_than_a_cell_are_within_the_bound(test *t)
{
	rbl_box_def def = rbl_default_box_def();
	def.size = (rbl_vec3d){ 1.0, 1.0, 0.004 };
	def.subdivisions = 3;
	rbl_mesh *mesh;
	CHECK(t, rbl_create_box_mesh(&def, &mesh) == RBL_OK);
	exact_mesh exact = exact_from_mesh(mesh);
	rbl_random random = rbl_random_from_seed(7);
	rbl_distance_field *field = make_field(mesh, 128, 0.0), *fine = make_field(mesh, 64, 0.008);
	rbl_distance_field_info info = rbl_distance_field_get_info(field);
	CHECK(t, info.cell_size > 0.01f && info.surface_error < 1.4f * info.cell_size);
	CHECK(t, rbl_distance_field_get_info(fine).cell_size <= 0.004f);
	check_points(t, field, &exact, &random, test_count(3000, 100000));
	// With cells that fit the wall there is an inside.
	rbl_vec3 middle = { 0.123f, 0.234f, 0.0f };
	bool inside = false;
	rbl_destroy_distance_field(fine);
	fine = make_field(mesh, 64, 0.004);
	CHECK(t, rbl_distance_field_contains(fine, &middle, 1, &inside) == RBL_OK && inside);
	rbl_destroy_distance_field(field);
	rbl_destroy_distance_field(fine);
	exact_free(&exact);
	rbl_destroy_mesh(mesh);
}

static void far_points_have_a_lower_bound(test *t)
{
	rbl_mesh *mesh = make_shape(SHAPE_PIGGY_BANK, NULL);
	exact_mesh exact = exact_from_mesh(mesh);
	rbl_distance_field *field = make_field(mesh, 64, 0.0);
	rbl_random random = rbl_random_from_seed(6);
	for (int i = 0; i < 2000; ++i) {
		double far = i % 4 == 0 ? 1.0 : i % 4 == 1 ? 10.0 : i % 4 == 2 ? 1e4 : 1e9;
		rbl_vec3 p = rbl_to_f(rbl_scale_d(far, rbl_random_in_ball(&random))), gradient;
		float distance, bound;
		double d = exact_distance(&exact, rbl_to_d(p));
		rbl_distance_field_evaluate(field, &p, 1, &distance, &bound, &gradient);
		CHECK(t, (double)distance - (double)bound <= d);
		CHECK(t, (double)distance >= 0.7 * d - (double)bound);
	}
	rbl_destroy_distance_field(field);
	exact_free(&exact);
	rbl_destroy_mesh(mesh);
}

static void points_that_are_not_finite_are_outside(test *t)
{
	rbl_mesh *mesh = make_shape(SHAPE_BOX, NULL);
	rbl_distance_field *field = make_field(mesh, 32, 0.0);
	const rbl_vec3 points[4] = {
		{ NAN, 0.0f, 0.0f }, { 0.0f, INFINITY, 0.0f }, { 0.0f, 0.0f, -INFINITY }, { NAN, NAN, NAN }
	};
	const float radii[4] = { 1.0f, FLT_MAX, INFINITY, 0.0f };
	const rbl_vec3 middle = { 0.0f, 0.0f, 0.0f };
	const float bad_radii[2] = { -1.0f, NAN };
	bool inside[4], overlaps[4];
	float depths[4], bounds[4];
	rbl_vec3 normals[4];
	CHECK(t, rbl_distance_field_contains(field, points, 4, inside) == RBL_OK);
	CHECK(t, rbl_distance_field_penetration(field, points, 4, depths, normals, bounds) == RBL_OK);
	CHECK(t, rbl_distance_field_overlaps_sphere(field, points, radii, 4, overlaps) == RBL_OK);
	for (int i = 0; i < 4; ++i) {
		CHECK(t, !inside[i] && !overlaps[i] && depths[i] == -INFINITY && bounds[i] == 0.0f);
		CHECK(t, rbl_length(normals[i]) == 0.0f);
	}
	for (int i = 0; i < 2; ++i) {
		CHECK(t, rbl_distance_field_overlaps_sphere(field, &middle, &bad_radii[i], 1, overlaps) ==
		             RBL_OK);
		CHECK(t, !overlaps[0]);
	}
	rbl_destroy_distance_field(field);
	rbl_destroy_mesh(mesh);
}

// A box of 3 x 4 x 12 has a diagonal of 13: with that many cells, or a multiple, its corners are
// lattice points and rows run along its faces and edges.
static void faces_on_lattice_planes_have_a_side(test *t)
{
	static const double sizes[3][3] = { { 3, 4, 12 }, { 12, 3, 4 }, { 4, 12, 3 } };
	for (int i = 0; i < 12; ++i) {
		const double *size = sizes[i % 3];
		int fine = 1 << i / 3;
		rbl_box_def def = rbl_default_box_def();
		def.size = (rbl_vec3d){ size[0] / 16.0, size[1] / 16.0, size[2] / 16.0 };
		def.subdivisions = 1 << i % 2;
		rbl_mesh *mesh;
		CHECK(t, rbl_create_box_mesh(&def, &mesh) == RBL_OK);
		exact_mesh exact = exact_from_mesh(mesh);
		rbl_random random = rbl_random_from_seed((uint64_t)i);
		rbl_distance_field *field = make_field(mesh, 13 * fine, 0.0);
		float cell = rbl_distance_field_get_info(field).cell_size;
		CHECK(t, cell == 1.0f / (float)(16 * fine));
		check_points(t, field, &exact, &random, 2000);
		// Samples themselves, of which many lie on faces, edges and corners.
		const rbl_asset_field *grid = rbl_as_asset_field(field);
		for (int n = 0; n < 2000; ++n) {
			rbl_vec3 p = grid->origin;
			p.x += cell * (float)rbl_random_below(&random, (uint32_t)(8 * grid->size[0] + 1));
			p.y += cell * (float)rbl_random_below(&random, (uint32_t)(8 * grid->size[1] + 1));
			p.z += cell * (float)rbl_random_below(&random, (uint32_t)(8 * grid->size[2] + 1));
			float distance, bound;
			rbl_distance_field_evaluate(field, &p, 1, &distance, &bound, NULL);
			rbl_vec3 half = rbl_to_f(rbl_scale_d(0.5, def.size));
			bool is_in = fabsf(p.x) < half.x && fabsf(p.y) < half.y && fabsf(p.z) < half.z;
			double d = exact_unsigned(&exact, rbl_to_d(p), false);
			CHECK(t, fabs((double)distance - (is_in ? -d : d)) <= (double)bound);
		}
		rbl_destroy_distance_field(field);
		exact_free(&exact);
		rbl_destroy_mesh(mesh);
	}
}

// The vase has walls of two cells, and so the most bricks for its size of all models.
static void the_field_of_a_vase_takes_less_than_a_megabyte(test *t)
{
	rbl_vase_def vase_def = rbl_default_vase_def();
	rbl_distance_field_def def = rbl_default_distance_field_def();
	rbl_mesh *mesh = NULL;
	rbl_distance_field *field = NULL;
	CHECK(t, rbl_create_vase_mesh(&vase_def, &mesh) == RBL_OK);
	def.mesh = mesh, def.wall = vase_def.wall;
	CHECK(t, rbl_create_distance_field(&def, &field) == RBL_OK);
	CHECK(t, rbl_distance_field_get_info(field).bytes < 1000000);
	rbl_destroy_distance_field(field);
	rbl_destroy_mesh(mesh);
}

TEST_MAIN(TEST(the_field_of_a_vase_takes_less_than_a_megabyte),
          TEST(the_reference_by_tree_is_that_by_brute_force),
          TEST(distances_are_within_their_bounds),
          TEST(the_bunny_is_within_its_bounds_and_a_megabyte),
          TEST(errors_near_the_surface_are_small), TEST(gradients_point_the_way_out),
          TEST(workers_make_the_same_bytes), TEST(back_ends_make_the_same_bytes_and_answers),
          TEST(answers_do_not_depend_on_what_is_asked_beside),
          TEST(distances_are_continuous_across_bricks_and_levels),
          TEST(walls_thinner_than_a_cell_are_within_the_bound), TEST(far_points_have_a_lower_bound),
          TEST(points_that_are_not_finite_are_outside), TEST(faces_on_lattice_planes_have_a_side))
