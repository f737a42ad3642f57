// SPDX-License-Identifier: MIT
// ctest: soak
// Cuts: area and volume stay, weights tell positions, and nothing opens but the cut.

#include "faulty_allocator.h"
#include "surface/reference.h"

#include <rubble/surface_cut.h>

// A vertex by those that the body had at first.
typedef struct material {
	int parents[3];
	double weights[3];
} material;

enum { MOST = 1 << 14 };

// A surface of one body that is cut, and what it was at first.
typedef struct bench_body {
	rbl_surface *surface;
	rbl_surface_body_id body;
	rbl_vec3d *first; // positions at first, by vertex
	material *made;   // by vertex
	bool *is_rim;     // by pairs of first vertices: an edge with one triangle
	int first_count;
	double area, volume;
} bench_body;

static double area_of(const rbl_surface *s, double *volume)
{
	double area = 0.0;
	*volume = 0.0;
	int count, *list = reference_triangles(s, &count);
	for (int i = 0; i < count; ++i) {
		rbl_vec3d p[3];
		for (int k = 0; k < 3; ++k)
			p[k] = rbl_surface_exact(s, s->triangles[3 * list[i] + k], 1);
		rbl_vec3d n = rbl_cross_d(rbl_sub_d(p[1], p[0]), rbl_sub_d(p[2], p[0]));
		area += 0.5 * rbl_length_d(n);
		*volume += rbl_dot_d(p[0], rbl_cross_d(p[1], p[2])) / 6.0;
	}
	free(list);
	return area;
}

static bench_body make_body(test *t, const reference_mesh *mesh)
{
	rbl_surface_def def = rbl_default_surface_def();
	bench_body b = { .first_count = mesh->vertex_count };
	CHECK(t, rbl_create_surface(&def, &b.surface) == RBL_OK);
	b.first = malloc((size_t)mesh->vertex_count * sizeof *b.first);
	b.made = malloc(MOST * sizeof *b.made);
	b.is_rim = calloc((size_t)mesh->vertex_count * (size_t)mesh->vertex_count, sizeof *b.is_rim);
	for (int i = 0; i < mesh->vertex_count; ++i) { // doubles that are no floats
		b.first[i] = rbl_scale_d(1.0 + 1.0 / 3.0, rbl_to_d(mesh->positions[i]));
		b.made[i] = (material){ { i, -1, -1 }, { 1.0, 0.0, 0.0 } };
	}
	rbl_surface_body_def body = rbl_default_surface_body_def();
	body.vertex_count = mesh->vertex_count;
	body.input = (rbl_surface_positions){ b.first, 0, true };
	body.triangle_count = mesh->triangle_count, body.triangles = mesh->triangles;
	CHECK(t, rbl_surface_add(b.surface, &body, &b.body) == RBL_OK);
	for (int h = 0; h < 3 * mesh->triangle_count; ++h)
		if (b.surface->twins[h] < 0)
			b.is_rim[mesh->triangles[h] * mesh->vertex_count +
			         mesh->triangles[rbl_surface_next(h)]] = true;
	b.area = area_of(b.surface, &b.volume);
	return b;
}

static void free_body(bench_body *b)
{
	rbl_destroy_surface(b->surface);
	free(b->first);
	free(b->made);
	free(b->is_rim);
}

static material mix_materials(const bench_body *b, const int *parents, const double *weights)
{
	material m = { { -1, -1, -1 }, { 0.0, 0.0, 0.0 } };
	for (int i = 0; i < 9; ++i) {
		if (parents[i / 3] < 0)
			continue;
		const material *source = &b->made[parents[i / 3]];
		if (source->parents[i % 3] < 0)
			continue;
		int slot = 0;
		while (m.parents[slot] >= 0 && m.parents[slot] != source->parents[i % 3])
			slot++;
		m.parents[slot] = source->parents[i % 3];
		m.weights[slot] += weights[i / 3] * source->weights[i % 3];
	}
	return m;
}

// Whether an edge lies on a side that had one triangle at first.
static bool was_rim(const bench_body *b, const material *from, const material *to)
{
	int ends[2] = { -1, -1 }, count = 0;
	for (int i = 0; i < 6; ++i) {
		int parent = i < 3 ? from->parents[i] : to->parents[i - 3];
		if (parent < 0 || parent == ends[0] || parent == ends[1])
			continue;
		if (count == 2)
			return false;
		ends[count++] = parent;
	}
	return count == 2 && (b->is_rim[ends[0] * b->first_count + ends[1]] ||
	                      b->is_rim[ends[1] * b->first_count + ends[0]]);
}

static bool is_same(const material *a, const material *b)
{
	bool is_same = true;
	for (int k = 0; k < 3; ++k)
		is_same &= a->parents[k] == b->parents[k] && a->weights[k] == b->weights[k];
	return is_same;
}

// Every open side was one before, or faces an open side of the other face of a cut: no seam opened
// on one side alone, and none between points that were never apart. @return the sides of cuts
static int check_seams(test *t, const bench_body *b)
{
	const rbl_surface *s = b->surface;
	int count, *list = reference_triangles(s, &count), open = 0, cut = 0;
	int *sides = malloc(3 * (size_t)count * sizeof *sides);
	for (int i = 0; i < 3 * count; ++i)
		if (s->twins[3 * list[i / 3] + i % 3] < 0)
			sides[open++] = 3 * list[i / 3] + i % 3;
	for (int i = 0; i < open; ++i) {
		const material *from = &b->made[s->triangles[sides[i]]];
		const material *to = &b->made[s->triangles[rbl_surface_next(sides[i])]];
		if (was_rim(b, from, to))
			continue;
		cut++;
		bool has_other = false;
		for (int k = 0; k < open && !has_other; ++k)
			has_other = is_same(&b->made[s->triangles[sides[k]]], to) &&
			            is_same(&b->made[s->triangles[rbl_surface_next(sides[k])]], from);
		CHECK(t, has_other);
	}
	free(sides);
	free(list);
	return cut;
}

static void check_laws(test *t, const bench_body *b)
{
	double volume, area = area_of(b->surface, &volume);
	CHECK_NEAR(t, area, b->area, 1e-11 * b->area);
	CHECK_NEAR(t, volume, b->volume, 1e-11 * (b->area + fabs(b->volume)));
	rbl_surface_body_data data = rbl_surface_body_get_data(b->surface, b->body);
	for (int i = 0; i < data.vertex_count; ++i) {
		const material *m = &b->made[data.vertices[i]];
		rbl_vec3d p = rbl_surface_exact(b->surface, data.vertices[i], 1);
		for (int k = 0; k < 3; ++k)
			if (m->parents[k] >= 0)
				p = rbl_add_scaled_d(p, -m->weights[k], b->first[m->parents[k]]);
		CHECK(t, rbl_length_d(p) < 1e-12);
	}
	CHECK(t, !reference_check_surface(b->surface));
}

// @return whether something was cut
static bool apply(test *t, bench_body *b, const rbl_surface_edit_def *edit)
{
	if (edit->changed_count == 0 && edit->corner_count == 0)
		return false;
	CHECK(t, rbl_surface_edit(b->surface, b->body, edit, NULL) == RBL_OK);
	rbl_surface_body_data data = rbl_surface_body_get_data(b->surface, b->body);
	for (int i = 0; i < edit->vertex_count; ++i) {
		int vertex = data.vertices[data.vertex_count - edit->vertex_count + i];
		CHECK(t, vertex < MOST);
		b->made[vertex] = mix_materials(b, edit->parents + 3 * i, edit->weights + 3 * i);
	}
	return true;
}

static int components_of(test *t, const bench_body *b)
{
	int *labels = malloc((size_t)b->surface->triangle_count * sizeof *labels), count;
	CHECK(t, rbl_surface_body_get_components(b->surface, b->body, labels, &count) == RBL_OK);
	free(labels);
	return count;
}

static rbl_vec3d random_point(rbl_random *random, double size)
{
	return (rbl_vec3d){ rbl_random_range(random, -size, size),
		                rbl_random_range(random, -size, size),
		                rbl_random_range(random, -size, size) };
}

typedef struct cut_counts {
	int done, missed, sides;
} cut_counts;

// Any knife, again and again through the same body, with any tolerance.
static void cut_at_random(test *t, int run, cut_counts *counts)
{
	rbl_random random = rbl_random_from_seed((uint64_t)run + 1);
	reference_mesh mesh = run % 3 == 0 ? reference_torus(6, 5) : reference_sheet(5, 5);
	if (run % 3 == 2)
		reference_crumple(&mesh, &random);
	bench_body b = make_body(t, &mesh);
	double size = sqrt(b.area), tolerance = rbl_random_range(&random, 0.0005, 0.05);
	rbl_vec3d middle = b.first[rbl_random_below(&random, (uint32_t)mesh.vertex_count)];
	for (int i = 0; i < 10 && b.surface->triangle_count < MOST / 8; ++i) {
		rbl_vec3d starts[2], ends[2], way = random_point(&random, size);
		rbl_vec3d along = random_point(&random, size);
		for (int k = 0; k < 2; ++k) {
			starts[k] = rbl_add_scaled_d(middle, k == 0 ? -1.0 : 1.0, along);
			starts[k] = rbl_add_scaled_d(starts[k], -rbl_random_range(&random, 0.0, 1.0), way);
			ends[k] = rbl_add_d(starts[k], way);
			ends[k] = rbl_add_d(ends[k], random_point(&random, 0.1 * size));
		}
		rbl_surface_knife knife = rbl_default_surface_knife();
		knife.point_count = 2, knife.starts = starts, knife.ends = ends;
		knife.tolerance = tolerance;
		rbl_surface_edit_def edit;
		rbl_result result = rbl_surface_plan_cut(b.surface, b.body, &knife, &edit);
		CHECK(t, result == RBL_OK || result == RBL_BAD_ARGUMENT); // it turns back
		bool is_cut = result == RBL_OK && apply(t, &b, &edit);
		counts->done += is_cut, counts->missed += !is_cut;
		if (i % 3 == 2)
			CHECK(t, rbl_surface_update(b.surface, RBL_SURFACE_DISCRETE) == RBL_OK);
	}
	check_laws(t, &b);
	counts->sides += check_seams(t, &b);
	free_body(&b);
	reference_mesh_free(&mesh);
}

static void random_cuts_keep_area_volume_and_seams(test *t)
{
	cut_counts counts = { 0, 0, 0 };
	for (int run = 0; run < test_count(40, 100000); ++run)
		cut_at_random(t, run, &counts);
	CHECK(t, counts.done > 3 * counts.missed && counts.sides > 0);
}

// Regression: cuts that came within the tolerance of an older one gave one side of it a vertex, and
// what a blade swept over beyond the reach of its ends was cut in one of two triangles at an edge.
static void cuts_that_come_to_older_ones_cut_both_sides(test *t)
{
	static const int runs[] = { 1454, 2135, 2655, 3780, 4683, 4826, 12261, 12603, 13176, 15515 };
	cut_counts counts = { 0, 0, 0 };
	for (int i = 0; i < (int)(sizeof runs / sizeof *runs); ++i)
		cut_at_random(t, runs[i], &counts);
	CHECK(t, counts.sides > 0);
}

// A knife that goes through a sheet in steps of any length, while it moves, leaves two parts.
static void a_knife_in_steps_cuts_through_what_moves(test *t)
{
	int odd = 0, runs = test_count(30, 6000);
	for (int run = 0; run < runs; ++run) {
		rbl_random random = rbl_random_from_seed((uint64_t)run + 1);
		reference_mesh mesh = reference_sheet(8, 8);
		bench_body b = make_body(t, &mesh);
		rbl_box box = rbl_box_empty();
		for (int i = 0; i < mesh.vertex_count; ++i)
			box = rbl_box_add_point(box, rbl_to_f(b.first[i]));
		rbl_vec3d size = rbl_to_d(rbl_box_size(box)), at = rbl_to_d(box.lower);
		int steps = 1 + (int)rbl_random_below(&random, 60), flips = 0;
		rbl_vec3d sway = { 0.05 * rbl_random_range(&random, -1.0, 1.0) * size.x,
			               0.05 * rbl_random_range(&random, -1.0, 1.0) * size.y, 0.3 };
		double turn = rbl_random_range(&random, -0.2, 0.2),
			   shift = rbl_random_range(&random, 0.3, 0.7);
		rbl_vec3d *ends = malloc((size_t)mesh.vertex_count * 2 * sizeof *ends);
		rbl_vec3d last[2];
		for (int step = 0; step <= steps; ++step) {
			double x = -0.1 + 1.2 * step / steps;
			rbl_surface_body_data data = rbl_surface_body_get_data(b.surface, b.body);
			ends = realloc(ends, (size_t)data.vertex_count * sizeof *ends);
			double by = (double)step / steps;
			for (int i = 0; i < data.vertex_count; ++i) {
				const material *m = &b.made[data.vertices[i]];
				ends[i] = rbl_scale_d(by, sway);
				for (int k = 0; k < 3; ++k)
					if (m->parents[k] >= 0)
						ends[i] = rbl_add_scaled_d(ends[i], m->weights[k], b.first[m->parents[k]]);
			}
			rbl_surface_positions end = { ends, 0, true };
			CHECK(t, rbl_surface_move_to(b.surface, b.body, NULL, &end) == RBL_OK);
			// Some steps are asked after an update, others before.
			if (step % 2 == 0)
				CHECK(t, rbl_surface_update(b.surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
			rbl_vec3d blade[2];
			for (int k = 0; k < 2; ++k)
				blade[k] = (rbl_vec3d){ at.x + x * size.x,
					                    at.y + (shift + turn * x) * size.y + 0.1 * (k - 0.5),
					                    at.z + (k == 0 ? -2.0 : 2.0) * size.x };
			if (step > 0) {
				rbl_surface_knife knife = rbl_default_surface_knife();
				knife.point_count = 2, knife.starts = last, knife.ends = blade;
				knife.follows_motion = true;
				rbl_surface_edit_def edit;
				CHECK(t, rbl_surface_plan_cut(b.surface, b.body, &knife, &edit) == RBL_OK);
				flips += apply(t, &b, &edit);
			}
			last[0] = blade[0], last[1] = blade[1];
		}
		int parts = components_of(t, &b);
		if (parts != 2)
			printf("run %d: %d parts after %d steps\n", run, parts, steps);
		odd += parts != 2;
		CHECK(t, flips > 0);
		CHECK(t, check_seams(t, &b) > 0);
		CHECK(t, !reference_check_surface(b.surface));
		free(ends);
		free_body(&b);
		reference_mesh_free(&mesh);
	}
	CHECK(t, odd <= runs / 5000);
}

// @return how many parts reach from one side of a plane to the other
static int count_parts_across(test *t, const bench_body *b, rbl_vec3d at, rbl_vec3d normal,
                              double within)
{
	int *labels = malloc((size_t)b->surface->triangle_count * sizeof *labels), count, across = 0;
	CHECK(t, rbl_surface_body_get_components(b->surface, b->body, labels, &count) == RBL_OK);
	unsigned char *sides = calloc((size_t)count, 1);
	rbl_surface_body_data data = rbl_surface_body_get_data(b->surface, b->body);
	for (int i = 0; i < 3 * data.triangle_count; ++i) {
		int vertex = b->surface->triangles[3 * data.triangles[i / 3] + i % 3];
		double height = rbl_dot_d(rbl_sub_d(rbl_surface_exact(b->surface, vertex, 1), at), normal);
		sides[labels[i / 3]] |= (unsigned char)(height > within ? 1 : height < -within ? 2 : 0);
	}
	for (int i = 0; i < count; ++i)
		across += sides[i] == 3;
	free(labels);
	free(sides);
	return across;
}

// A knife that went all the way through, in steps of any length, leaves nothing that reaches from one
// side to the other, however the surface lies.
static void a_knife_that_went_through_leaves_nothing_across(test *t)
{
	int odd = 0, runs = test_count(30, 3000), cut = 0;
	for (int run = 0; run < runs; ++run) {
		rbl_random random = rbl_random_from_seed((uint64_t)run + 1);
		reference_mesh mesh = run % 3 == 0 ? reference_torus(8, 6) : reference_sheet(7, 7);
		if (run % 3 == 2)
			reference_crumple(&mesh, &random);
		bench_body b = make_body(t, &mesh);
		rbl_vec3d low = b.first[0], high = low;
		for (int i = 0; i < mesh.vertex_count; ++i)
			low = rbl_min_d(low, b.first[i]), high = rbl_max_d(high, b.first[i]);
		rbl_vec3d size = rbl_sub_d(high, low),
				  middle = rbl_lerp_d(low, high, rbl_random_range(&random, 0.4, 0.6));
		double reach = 2.0 * rbl_length_d(size);
		double tolerance = rbl_random_range(&random, 0.003, 0.05);
		rbl_vec3d way = rbl_normalize_d((rbl_vec3d){ rbl_random_range(&random, -1.0, 1.0),
		                                             rbl_random_range(&random, -1.0, 1.0),
		                                             rbl_random_range(&random, -0.3, 0.3) });
		rbl_vec3d along = rbl_normalize_d(
			rbl_cross_d(way, (rbl_vec3d){ -way.y, way.x, rbl_random_range(&random, -0.2, 0.2) }));
		rbl_vec3d normal = rbl_normalize_d(rbl_cross_d(along, way));
		int steps = 1 + (int)rbl_random_below(&random, 40);
		rbl_vec3d blades[2][2];
		bool any = false;
		for (int step = 0; step <= steps; ++step) {
			for (int k = 0; k < 2; ++k) {
				double tilt =
					step == 0 || step == steps ? 0.0 : rbl_random_range(&random, -0.02, 0.02);
				blades[1][k] =
					rbl_add_scaled_d(middle, (2.0 * step / steps - 1.0 + tilt) * reach, way);
				blades[1][k] = rbl_add_scaled_d(blades[1][k], (k == 0 ? -1.0 : 1.0) * reach, along);
			}
			if (step > 0) {
				rbl_surface_knife knife = rbl_default_surface_knife();
				knife.point_count = 2, knife.starts = blades[0], knife.ends = blades[1];
				knife.tolerance = tolerance;
				rbl_surface_edit_def edit;
				CHECK(t, rbl_surface_plan_cut(b.surface, b.body, &knife, &edit) == RBL_OK);
				any |= apply(t, &b, &edit);
			}
			blades[0][0] = blades[1][0], blades[0][1] = blades[1][1];
		}
		int across = count_parts_across(t, &b, middle, normal, 4.0 * tolerance);
		if (across > 0)
			printf("run %d: %d across after %d steps\n", run, across, steps);
		odd += across > 0, cut += any;
		check_seams(t, &b);
		free_body(&b);
		reference_mesh_free(&mesh);
	}
	CHECK(t, odd <= runs / 1000 && cut > runs / 2);
}

// A closed curve cuts a patch out; a curve there and back a strip, as one peels an apple.
static void closed_curves_cut_patches_and_strips_out(test *t)
{
	enum { POINTS = 48 };
	int odd = 0, runs = test_count(12, 4000);
	for (int run = 0; run < runs; ++run) {
		rbl_random random = rbl_random_from_seed((uint64_t)run + 1);
		reference_mesh mesh = reference_sheet(10, 10);
		bench_body b = make_body(t, &mesh);
		rbl_box box = rbl_box_empty();
		for (int i = 0; i < mesh.vertex_count; ++i)
			box = rbl_box_add_point(box, rbl_to_f(b.first[i]));
		rbl_vec3d size = rbl_to_d(rbl_box_size(box)), at = rbl_to_d(box.lower);
		rbl_vec3d points[POINTS], directions[POINTS];
		double wide = rbl_random_range(&random, 0.1, 0.4),
			   high = rbl_random_range(&random, 0.1, 0.4);
		for (int i = 0; i < POINTS; ++i) {
			double angle = (run % 2 ? -1.0 : 1.0) * 6.283185307179586 * (i + 0.37) / POINTS;
			double x = 0.5 + wide * cos(angle), y = 0.5 + high * sin(angle);
			points[i] = (rbl_vec3d){ at.x + x * size.x, at.y + y * size.y, at.z };
			directions[i] = (rbl_vec3d){ 0.0, 0.0, 1.0 };
		}
		rbl_surface_curve curve = rbl_default_surface_curve();
		curve.point_count = POINTS, curve.points = points, curve.directions = directions;
		curve.depth = 2.0 * size.x, curve.is_closed = true;
		rbl_surface_cut made;
		CHECK(t, rbl_surface_cut_along(b.surface, b.body, &curve, &made) == RBL_OK);
		CHECK(t, made.vertex_count > 0);
		for (int i = 0; i < made.vertex_count; ++i)
			for (int k = 0; k < 3; ++k) {
				b.made[made.vertices[i]].parents[k] = made.parents[3 * i + k];
				b.made[made.vertices[i]].weights[k] = made.weights[3 * i + k];
			}
		check_laws(t, &b);
		CHECK(t, check_seams(t, &b) > 0);
		int parts = components_of(t, &b);
		if (parts != 2)
			printf("run %d: %d parts\n", run, parts);
		odd += parts != 2;
		free_body(&b);
		reference_mesh_free(&mesh);
	}
	CHECK(t, odd <= runs / 2000); // a crumb where it comes back to its start
}

// A tear inside a sheet keeps its ends closed; one from rim to rim leaves two parts.
static void tears_open_the_edges_of_their_path(test *t)
{
	reference_mesh mesh = reference_sheet(6, 6);
	bench_body b = make_body(t, &mesh);
	int row[7];
	for (int i = 0; i < 7; ++i)
		row[i] = 3 * 7 + i;
	rbl_surface_edit_def edit;
	CHECK(t, rbl_surface_plan_tear(b.surface, b.body, row + 2, 3, &edit) == RBL_OK);
	CHECK(t, edit.changed_count == 0 && edit.vertex_count == 1);
	CHECK(t, apply(t, &b, &edit) && components_of(t, &b) == 1);
	CHECK(t, check_seams(t, &b) == 4);
	CHECK(t, rbl_surface_plan_tear(b.surface, b.body, row, 7, &edit) == RBL_OK);
	CHECK(t, apply(t, &b, &edit));
	check_laws(t, &b);
	CHECK(t, check_seams(t, &b) == 12);
	CHECK(t, components_of(t, &b) == 2);
	const int apart[2] = { 0, 20 }, unknown[2] = { 0, 1 << 20 };
	CHECK(t, rbl_surface_plan_tear(b.surface, b.body, apart, 2, &edit) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_plan_tear(b.surface, b.body, unknown, 2, &edit) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_plan_tear(b.surface, b.body, row, 1, &edit) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_plan_tear(NULL, b.body, row, 2, &edit) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_plan_tear(b.surface, (rbl_surface_body_id){ 9, 9 }, row, 2, &edit) ==
	             RBL_STALE_ID);
	free_body(&b);
	reference_mesh_free(&mesh);
}

static void bad_knives_and_curves_are_refused(test *t)
{
	reference_mesh mesh = reference_sheet(3, 3);
	bench_body b = make_body(t, &mesh);
	rbl_vec3d starts[3] = { { 0.0, 0.0, -1.0 }, { 0.0, 0.0, 1.0 }, { 0.0, 0.0, 0.5 } };
	rbl_vec3d ends[3] = { { 1.0, 0.0, -1.0 }, { 1.0, 0.0, 1.0 }, { 1.0, 0.0, 0.5 } };
	rbl_surface_edit_def edit;
	rbl_surface_knife knife = rbl_default_surface_knife();
	CHECK(t, rbl_surface_plan_cut(b.surface, b.body, &knife, &edit) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_plan_cut(b.surface, b.body, NULL, &edit) == RBL_BAD_ARGUMENT);
	knife.point_count = 3, knife.starts = starts, knife.ends = ends; // turns back
	CHECK(t, rbl_surface_plan_cut(b.surface, b.body, &knife, &edit) == RBL_BAD_ARGUMENT);
	knife.point_count = 2;
	CHECK(t, rbl_surface_plan_cut(b.surface, (rbl_surface_body_id){ 9, 9 }, &knife, &edit) ==
	             RBL_STALE_ID);
	knife.tolerance = -1.0;
	CHECK(t, rbl_surface_plan_cut(b.surface, b.body, &knife, &edit) == RBL_BAD_ARGUMENT);
	knife.tolerance = 0.0, knife.ends = starts; // stays where it is
	CHECK(t, rbl_surface_plan_cut(b.surface, b.body, &knife, &edit) == RBL_OK);
	CHECK(t, edit.changed_count == 0 && edit.corner_count == 0);
	ends[0].x = NAN, knife.ends = ends;
	CHECK(t, rbl_surface_plan_cut(b.surface, b.body, &knife, &edit) == RBL_BAD_ARGUMENT);
	rbl_surface_curve curve = rbl_default_surface_curve();
	rbl_surface_cut made;
	CHECK(t, rbl_surface_cut_along(b.surface, b.body, &curve, &made) == RBL_BAD_ARGUMENT);
	curve.point_count = 2, curve.points = starts, curve.directions = starts; // one is along nothing
	curve.depth = 0.0;
	CHECK(t, rbl_surface_cut_along(b.surface, b.body, &curve, &made) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_cut_along(b.surface, b.body, &curve, NULL) == RBL_BAD_ARGUMENT);
	free_body(&b);
	reference_mesh_free(&mesh);
}

// A plan without memory changes nothing, and the next goes through.
static void every_allocation_of_a_cut_may_fail(test *t)
{
	int failures = 0;
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		rbl_surface_def def = rbl_default_surface_def();
		faulty_init(&memory, LLONG_MAX);
		def.allocator = (rbl_allocator){ faulty_allocate, faulty_release, &memory };
		rbl_surface *s;
		CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
		reference_mesh sheet = reference_sheet(6, 6);
		rbl_surface_body_id body = reference_add(t, s, &sheet);
		rbl_box box = rbl_box_empty();
		for (int i = 0; i < sheet.vertex_count; ++i)
			box = rbl_box_add_point(box, sheet.positions[i]);
		rbl_vec3d low = rbl_to_d(box.lower), high = rbl_to_d(box.upper);
		rbl_vec3d points[3] = { { low.x - 0.1, 0.41 * (low.y + high.y), low.z },
			                    { 0.5 * (low.x + high.x), 0.52 * (low.y + high.y), low.z },
			                    { high.x + 0.1, 0.44 * (low.y + high.y), low.z } };
		rbl_vec3d directions[3] = { { 0.0, 0.0, 1.0 }, { 0.0, 0.0, 1.0 }, { 0.0, 0.0, 1.0 } };
		rbl_surface_curve curve = rbl_default_surface_curve();
		curve.point_count = 3, curve.points = points, curve.directions = directions;
		curve.depth = 10.0;
		rbl_surface_cut made;
		atomic_store(&memory.allowed, n), atomic_store(&memory.failing, 1);
		rbl_result result = rbl_surface_cut_along(s, body, &curve, &made);
		atomic_store(&memory.allowed, LLONG_MAX);
		CHECK(t, result == RBL_OK || result == RBL_OUT_OF_MEMORY);
		CHECK(t, !reference_check_surface(s));
		for (int i = 0; i < s->vertex_end; ++i)
			CHECK(t, s->vertex_scratch[i] == 0);
		failures += result != RBL_OK;
		reference_mesh_free(&sheet);
		rbl_destroy_surface(s);
		if (result == RBL_OK)
			break;
	}
	CHECK(t, failures > 20);
}

TEST_MAIN(TEST(random_cuts_keep_area_volume_and_seams),
          TEST(cuts_that_come_to_older_ones_cut_both_sides),
          TEST(a_knife_in_steps_cuts_through_what_moves),
          TEST(a_knife_that_went_through_leaves_nothing_across),
          TEST(closed_curves_cut_patches_and_strips_out), TEST(tears_open_the_edges_of_their_path),
          TEST(bad_knives_and_curves_are_refused), TEST(every_allocation_of_a_cut_may_fail))
