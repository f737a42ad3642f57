// SPDX-License-Identifier: MIT
//
// Points in order, trees of fragments, contacts of bodies that move, and crack fields.
//
// Bodies move by the small solver of tests/scenes/field_world.h. Their fields are formulas, so that
// it is contacts that are measured: a sphere cut by planes in lanes, and bodies of revolution. Runs
// are repeated, and each step counts with its least time. `manifolds` is what a world would use:
// twelve points are chosen, and the solver gets up to four for each normal; all others give it
// every point with its own normal.

#include "field_contacts.h"

#include "field_bodies.h"
#include "field_literal.h"
#include "field_split.h"

#include "field/crack_field.h"

#include "base/random.h"
#include "base/real.h"

#include "scenes/point_clouds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- order --------------------------------------------------------------------------------------

typedef struct order_work {
	rbl_vec3 *points;
	int count, exact_count;
	int *order, *parents;
	rbl_arena arena;
} order_work;

static void reset_order(void *context)
{
	order_work *work = context;
	rbl_arena_settle(&work->arena);
}

static void run_order(void *context)
{
	order_work *work = context;
	rbl_order_points(&work->arena, work->points, work->count, work->count, work->order,
	                 work->parents, &work->exact_count);
}

static void bench_order(bench *b, const char *name, cloud_kind kind)
{
	if (!bench_wants(b, name))
		return;
	order_work work = { .count = bench_is_quick(b) ? 10000 : 100000 };
	work.points = make_cloud(kind, work.count, 1);
	work.order = malloc((size_t)work.count * sizeof(int));
	work.parents = malloc((size_t)work.count * sizeof(int));
	rbl_arena_init(&work.arena, NULL, 1 << 20);
	bench_job job = { .run = run_order, .prepare = reset_order, .context = &work };
	bench_time(b, name, "rubble", &job);
	if (work.exact_count != work.count)
		bench_fail(b, name, "rubble", "not all points are ordered");
	rbl_arena_destroy(&work.arena);
	free(work.points);
	free(work.order);
	free(work.parents);
}

// --- trees at a break ---------------------------------------------------------------------------

typedef struct update_work {
	const field_sphere *sphere;
	rbl_sphere_tree trees[FIELD_CELLS];
	cell_shape cells[FIELD_CELLS];
	int ordered; // 0: default; -1: all
	rbl_arena arena;

	rbl_sphere_tree whole; // to be split
	int *tags, *scratch;
	const rbl_vec3 *added[FIELD_CELLS];
	int added_counts[FIELD_CELLS];
	split_tree split[FIELD_CELLS];
} update_work;

// What a break needs: planes of each fragment, and a tree of its points.
static void rebuild_all(void *context)
{
	update_work *work = context;
	for (int i = 0; i < work->sphere->fragment_count; ++i) {
		const field_fragment *fragment = &work->sphere->fragments[i];
		rbl_sphere_tree_def def = { fragment->samples.positions, fragment->samples.ids,
			                        fragment->samples.count,
			                        work->ordered < 0 ? fragment->samples.count : work->ordered };
		rbl_sphere_tree_destroy(&work->trees[i]);
		work->cells[i] = fragment->cell;
		rbl_arena_reset(&work->arena);
		rbl_sphere_tree_build(&def, &work->arena, NULL, &work->trees[i]);
	}
}

static void split_all(void *context)
{
	update_work *work = context;
	for (int i = 0; i < work->sphere->fragment_count; ++i)
		work->cells[i] = work->sphere->fragments[i].cell;
	split_by_tags(&work->whole, work->tags, work->sphere->fragment_count, work->added,
	              work->added_counts, work->split, work->scratch);
}

// The greatest distance of a point from the first `count`, mean over fragments.
static double mean_cover(const update_work *work, int count, bool is_split)
{
	double sum = 0.0;
	for (int f = 0; f < work->sphere->fragment_count; ++f) {
		const rbl_vec3 *p = is_split ? work->split[f].positions : work->trees[f].positions;
		int total = is_split ? work->split[f].count : work->trees[f].count;
		float most = 0.0f;
		for (int i = 0; i < total; ++i) {
			float least = FLT_MAX;
			for (int k = 0; k < count && k < total; ++k)
				least = rbl_minf(least, rbl_length_squared(rbl_sub(p[i], p[k])));
			most = rbl_maxf(most, least);
		}
		sum += (double)sqrtf(most);
	}
	return 1e3 * sum / work->sphere->fragment_count;
}

// The tree of the whole: vertices of the sphere, tagged by the cell they are in.
static bool prepare_split(update_work *work)
{
	rbl_mesh_data data = rbl_mesh_get_data(work->sphere->mesh);
	int count = data.vertex_count;
	rbl_vec3 *points = malloc((size_t)count * sizeof *points);
	work->tags = malloc((size_t)count * sizeof *work->tags);
	work->scratch = malloc(2 * (size_t)count * sizeof *work->scratch);
	if (!points || !work->tags || !work->scratch)
		return false;
	for (int i = 0; i < count; ++i) {
		points[i] = rbl_to_f(data.positions[i]);
		int best = 0;
		float least = FLT_MAX;
		for (int f = 0; f < work->sphere->fragment_count; ++f) {
			rbl_vec3 gradient;
			float distance = cell_distance(&work->sphere->fragments[f].cell, points[i], &gradient);
			if (distance < least)
				least = distance, best = f;
		}
		work->tags[i] = best;
	}
	rbl_sphere_tree_def def = { points, NULL, count, count };
	bool ok = rbl_sphere_tree_build(&def, &work->arena, NULL, &work->whole) == RBL_OK;
	free(points);
	// Samples that are no vertex of the sphere are on cracks.
	for (int f = 0; f < work->sphere->fragment_count && ok; ++f) {
		const field_fragment *fragment = &work->sphere->fragments[f];
		rbl_vec3 *added = malloc((size_t)fragment->samples.count * sizeof *added);
		int n = 0;
		for (int i = 0; i < fragment->samples.count && added; ++i) {
			rbl_vec3 p = rbl_add(fragment->samples.positions[i], fragment->centre);
			float most = -FLT_MAX;
			for (int k = 0; k < fragment->cell.plane_count; ++k)
				most = rbl_maxf(most, rbl_plane_distance(fragment->cell.planes[k], p));
			if (most > -1e-5f)
				added[n++] = p;
		}
		work->added[f] = added;
		work->added_counts[f] = n;
		ok = added != NULL;
	}
	return ok;
}

static void forget_update(update_work *work)
{
	for (int i = 0; i < FIELD_CELLS; ++i) {
		rbl_sphere_tree_destroy(&work->trees[i]);
		split_tree_free(&work->split[i]);
		free((void *)(uintptr_t)work->added[i]);
	}
	rbl_sphere_tree_destroy(&work->whole);
	free(work->tags);
	free(work->scratch);
	rbl_arena_destroy(&work->arena);
}

static void bench_update(bench *b, const char *name, const field_sphere *sphere)
{
	update_work work = { .sphere = sphere };
	rbl_arena_init(&work.arena, NULL, 1 << 20);
	static const struct {
		const char *name;
		int ordered;
	} variants[] = { { "rebuild", 0 }, { "rebuild-in-full", -1 } };
	for (int i = 0; i < 2; ++i) {
		work.ordered = variants[i].ordered;
		bench_job job = { .run = rebuild_all, .context = &work, .metric = "update_ms", .calls = 1 };
		bench_time(b, name, variants[i].name, &job);
		int points = 0;
		size_t bytes = 0;
		for (int f = 0; f < sphere->fragment_count; ++f) {
			points += work.trees[f].count;
			bytes += rbl_sphere_tree_memory(&work.trees[f]);
		}
		bench_row(b, name, variants[i].name, "points", points, "");
		bench_row(b, name, variants[i].name, "bytes", (double)bytes, "B");
		bench_row(b, name, variants[i].name, "cover_8_mm", mean_cover(&work, 8, false), "mm");
		bench_row(b, name, variants[i].name, "cover_128_mm", mean_cover(&work, 128, false), "mm");
	}
	bench_row(b, name, "rebuild", "sample_ms", sphere->sample_ms, "ms");
	if (prepare_split(&work)) {
		bench_job job = { .run = split_all, .context = &work, .metric = "update_ms", .calls = 1 };
		bench_time(b, name, "split", &job);
		bench_row(b, name, "split", "cover_8_mm", mean_cover(&work, 8, true), "mm");
		bench_row(b, name, "split", "cover_128_mm", mean_cover(&work, 128, true), "mm");
	} else {
		bench_fail(b, name, "split", "no tree to split");
	}
	forget_update(&work);
}

// --- crack fields -------------------------------------------------------------------------------

static const crack_cell everywhere;

typedef struct crack_work {
	rbl_tets *tets;
	rbl_tets_data data;
	crack_input input;
	rbl_crack_field *field;
	literal_field literal;
	bool is_failed;
} crack_work;

static void make_whole(void *context)
{
	crack_work *work = context;
	rbl_crack_field_def def = rbl_default_crack_field_def();
	def.tets = work->tets;
	rbl_destroy_crack_field(work->field);
	work->is_failed |= rbl_create_crack_field(&def, &work->field) != RBL_OK;
}

static void break_field(void *context)
{
	crack_work *work = context;
	int first;
	work->is_failed |= rbl_crack_field_break(work->field, &work->input.def, &first) != RBL_OK;
}

static void update_literally(void *context)
{
	crack_work *work = context;
	literal_update(&work->literal, &work->input);
}

static void update_by_witnesses(void *context)
{
	crack_work *work = context;
	literal_update_witnesses(&work->literal, &work->input);
}

// Nodes against all planes of their cell and the surface.
static void bench_errors(bench *b, const char *name, const char *variant, const crack_work *work,
                         const rbl_vec3d *sites, const float *surface, const float *depths)
{
	double sum = 0.0, worst = 0.0;
	int negative = 0;
	for (int i = 0; i < work->data.vertex_count; ++i) {
		rbl_vec3d p = work->data.positions[i];
		crack_cell cell =
			crack_cell_of_site(&everywhere, sites, FIELD_CELLS, work->input.node_parts[i]);
		double exact = rbl_mind(crack_cell_depth(&cell, p), (double)surface[i]);
		double error = fabs((double)depths[i] - exact);
		sum += error;
		worst = rbl_maxd(worst, error);
		negative += depths[i] < -1e-6f;
	}
	bench_row(b, name, variant, "error_mm", 1e3 * sum / work->data.vertex_count, "mm");
	bench_row(b, name, variant, "worst_mm", 1e3 * worst, "mm");
	bench_row(b, name, variant, "negative", negative, "");
}

static void bench_crack(bench *b, const char *name, const field_sphere *sphere, int node_count)
{
	crack_work work = { .tets = field_sphere_tets(sphere, node_count) };
	if (!work.tets) {
		bench_fail(b, name, "planes", "no tetrahedra");
		return;
	}
	work.data = rbl_tets_get_data(work.tets);
	bool ok = crack_by_sites(&work.input, work.tets, &everywhere, sphere->sites, FIELD_CELLS);
	make_whole(&work);
	size_t n = (size_t)work.data.vertex_count;
	float *surface = malloc(n * sizeof *surface);
	rbl_vec3 *directions = malloc(n * sizeof *directions);
	for (int i = 0; i < work.data.vertex_count && surface && directions; ++i) {
		rbl_vec3 p = rbl_to_f(work.data.positions[i]);
		surface[i] = rbl_crack_field_get_nodes(work.field).depths[i];
		directions[i] = rbl_normalize(p);
	}
	ok =
		ok && surface && directions && literal_open(&work.literal, &work.data, surface, directions);
	for (int pieces = 0; pieces < 2 && ok; ++pieces) {
		const char *variant = pieces ? "pieces" : "planes";
		work.input.def.has_cell_planes = !pieces;
		bench_job job = { .run = break_field,
			              .prepare = make_whole,
			              .context = &work,
			              .metric = "field_ms",
			              .repeat = bench_is_quick(b) ? 3 : 25 };
		bench_time(b, name, variant, &job);
		bench_errors(b, name, variant, &work, sphere->sites, surface,
		             rbl_crack_field_get_nodes(work.field).depths);
		bench_row(b, name, variant, "nodes", work.data.vertex_count, "");
		bench_row(b, name, variant, "cuts", work.input.cut_count, "");
		if (work.is_failed)
			bench_fail(b, name, variant, "the break was refused");
	}
	for (int witness = 0; witness < 2 && ok; ++witness) {
		const char *variant = witness ? "witness-front" : "literal";
		bench_job job = { .run = witness ? update_by_witnesses : update_literally,
			              .context = &work,
			              .metric = "field_ms",
			              .calls = 1 };
		bench_time(b, name, variant, &job);
		bench_errors(b, name, variant, &work, sphere->sites, surface, work.literal.distances);
		bench_row(b, name, variant, "updates", work.literal.update_count, "");
	}
	if (!ok)
		bench_fail(b, name, "planes", "no memory, or no cuts");
	literal_close(&work.literal);
	free(surface);
	free(directions);
	crack_input_free(&work.input);
	rbl_destroy_crack_field(work.field);
	rbl_destroy_tets(work.tets);
}

// --- bodies that move ---------------------------------------------------------------------------

static const struct {
	const char *name;
	rbl_contact_selection selection;
	int point_count;
	bool uses_manifolds;
} selections[] = {
	{ "manifolds", RBL_SELECT_CHOSEN, 12, true },  { "chosen", RBL_SELECT_CHOSEN, 12, false },
	{ "adaptive", RBL_SELECT_ADAPTIVE, 8, false }, { "fixed-8", RBL_SELECT_FIXED, 8, false },
	{ "full", RBL_SELECT_FULL, 8, false },         { "naive", RBL_SELECT_NAIVE, 8, false },
};

enum { SELECTIONS = sizeof selections / sizeof selections[0], MOST_STEPS = 400 };

// What a run has shown.
typedef struct motion_report {
	double query_ns[MOST_STEPS]; // the least over repetitions
	int step_count;
	double points, manifolds, solved, visited, touching, pairs; // sums over steps
	int most_solved;                                            // in one step
	double penetration, most_penetration; // the deepest of a step, in metres: sum and greatest
	int repetitions;
} motion_report;

static void note_step(motion_report *report, int step, const field_world *world, bool measures)
{
	double ns = (double)world->query_ns;
	if (report->repetitions == 0 || ns < report->query_ns[step])
		report->query_ns[step] = ns;
	if (report->repetitions > 0)
		return;
	report->points += world->point_count;
	report->manifolds += world->manifold_count;
	report->solved += world->solved_count;
	report->visited += world->visited_count;
	report->touching += world->touching_count;
	report->pairs += world->pair_count;
	report->most_solved = rbl_maxi(report->most_solved, world->solved_count);
	if (measures) {
		double depth = (double)field_world_penetration(world);
		report->penetration += depth;
		report->most_penetration = rbl_maxd(report->most_penetration, depth);
	}
}

static void write_report(bench *b, const char *name, const char *variant, const motion_report *r)
{
	double sum = 0.0, most = 0.0, steps = rbl_maxd(r->step_count, 1.0);
	for (int i = 0; i < r->step_count; ++i) {
		sum += r->query_ns[i];
		most = rbl_maxd(most, r->query_ns[i]);
	}
	double touching = rbl_maxd(r->touching, 1.0);
	bench_row(b, name, variant, "query_ms", 1e-6 * sum / steps, "ms");
	bench_row(b, name, variant, "query_max_ms", 1e-6 * most, "ms");
	bench_row(b, name, variant, "contacts", r->solved / steps, "");
	bench_row(b, name, variant, "contacts_max", r->most_solved, "");
	bench_row(b, name, variant, "points_per_pair", r->points / touching, "");
	bench_row(b, name, variant, "manifolds_per_pair", r->manifolds / touching, "");
	bench_row(b, name, variant, "touching", r->touching / steps, "");
	bench_row(b, name, variant, "visited", r->visited / steps, "");
	bench_row(b, name, variant, "penetration_mm", 1e3 * r->penetration / steps, "mm");
	bench_row(b, name, variant, "penetration_max_mm", 1e3 * r->most_penetration, "mm");
}

// The sphere breaks a hand above the ground; fragments drift apart at up to half a metre per
// second.
static bool open_broken_sphere(field_world *world, const field_sphere *sphere, cell_shape *cells)
{
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 20);
	bool ok = field_world_open(world, FIELD_CELLS + 1);
	for (int i = 0; i < sphere->fragment_count && ok; ++i) {
		const field_fragment *fragment = &sphere->fragments[i];
		cells[i] = fragment->cell;
		field_world_body body = { .field = { &cells[i], field_measure_cell },
			                      .pose = { { 0 }, { 0.0f, 0.0f, 0.0f, 1.0f } } };
		for (int k = 0; k < fragment->samples.count; ++k)
			body.radius = rbl_maxf(body.radius, rbl_length(fragment->samples.positions[k]));
		for (int k = 0; k < cells[i].plane_count; ++k)
			cells[i].planes[k].offset -= rbl_dot(cells[i].planes[k].normal, fragment->centre);
		cells[i].centre = rbl_neg(fragment->centre);
		rbl_sphere_tree_def def = { fragment->samples.positions, fragment->samples.ids,
			                        fragment->samples.count, 0 };
		rbl_arena_reset(&arena);
		ok = rbl_sphere_tree_build(&def, &arena, NULL, &body.tree) == RBL_OK;
		rbl_mass mass = fragment->mass;
		mass.centre = (rbl_vec3d){ 0.0, 0.0, 0.0 };
		field_world_set_mass(&body, &mass);
		body.pose.position = rbl_add(fragment->centre, (rbl_vec3){ 0.0f, 0.6f, 0.0f });
		body.velocity = fragment->centre;
		field_world_add(world, &body);
	}
	field_world_add_floor(world);
	rbl_arena_destroy(&arena);
	return ok;
}

static void bench_queries(bench *b, const char *name, const field_sphere *sphere)
{
	int repeat = bench_repeat(b) > 0 ? bench_repeat(b) : bench_is_quick(b) ? 1 : 5;
	for (int i = 0; i < SELECTIONS; ++i) {
		motion_report *report = calloc(1, sizeof *report);
		bool ok = report != NULL;
		for (int n = 0; n < repeat && ok; ++n) {
			field_world world;
			cell_shape cells[FIELD_CELLS];
			ok = open_broken_sphere(&world, sphere, cells);
			world.uses_manifolds = selections[i].uses_manifolds;
			world.settings.selection = selections[i].selection;
			world.settings.point_count = selections[i].point_count;
			report->step_count = bench_is_quick(b) ? 60 : 240;
			for (int step = 0; step < report->step_count && ok; ++step) {
				world.settings.tolerance = step < 10 ? 0.0005f : 0.0f;
				ok = field_world_step(&world, 1.0f / 60.0f);
				note_step(report, step, &world, step % 10 == 9);
			}
			report->repetitions++;
			field_world_close(&world);
		}
		if (ok) {
			report->penetration *= 10.0; // every tenth step was measured
			write_report(b, name, selections[i].name, report);
		} else {
			bench_fail(b, name, selections[i].name, "no memory");
		}
		free(report);
	}
}

static void bench_sphere(bench *b, const char *name, int triangle_count, int node_count,
                         bool is_field_alone)
{
	if (!bench_wants(b, name))
		return;
	field_sphere sphere;
	if (!field_sphere_open(&sphere, triangle_count)) {
		bench_fail(b, name, "rebuild", "the sphere does not break");
	} else {
		if (!is_field_alone) {
			bench_update(b, name, &sphere);
			bench_queries(b, name, &sphere);
		}
		bench_crack(b, name, &sphere, node_count);
	}
	field_sphere_close(&sphere);
}

// A plate that rolls on its rim, falls over and comes to rest.
static void bench_plate(bench *b)
{
	const char *name = "plate";
	if (!bench_wants(b, name))
		return;
	lathe_shape shape;
	field_world_plate_shape(&shape);
	for (int i = 0; i < SELECTIONS; ++i) {
		motion_report *report = calloc(1, sizeof *report);
		field_world world;
		field_world_body plate;
		bool ok = report && field_world_open(&world, 2) && field_world_lathe(&shape, 104, &plate);
		plate.pose.position = (rbl_vec3){ 0.0f, 0.132f, 0.0f };
		plate.pose.rotation = rbl_quat_from_axis_angle((rbl_vec3){ 1.0f, 0.0f, 0.0f }, 1.45f);
		plate.velocity = (rbl_vec3){ 0.8f, 0.0f, 0.0f };
		plate.angular_velocity = (rbl_vec3){ 0.0f, 0.0f, -6.0f };
		field_world_add(&world, &plate);
		field_world_add_floor(&world);
		world.uses_manifolds = selections[i].uses_manifolds;
		world.settings.selection = selections[i].selection;
		world.settings.point_count = selections[i].point_count;
		if (report)
			report->step_count = MOST_STEPS;
		for (int step = 0; ok && step < report->step_count; ++step) {
			ok = field_world_step(&world, 1.0f / 60.0f);
			note_step(report, step, &world, true);
		}
		if (ok)
			write_report(b, name, selections[i].name, report);
		else
			bench_fail(b, name, selections[i].name, "no memory");
		field_world_close(&world);
		free(report);
	}
}

// A plate is dropped into a bowl, turned and thrown at random.
static bool drop_plate(field_world *world, const lathe_shape *plate, const lathe_shape *bowl,
                       uint64_t seed)
{
	rbl_random random = rbl_random_from_seed(seed);
	field_world_body bodies[2];
	bool ok = field_world_open(world, 2) && field_world_lathe(bowl, 96, &bodies[0]) &&
	          field_world_lathe(plate, 104, &bodies[1]);
	bodies[0].inverse_mass = 0.0f;
	bodies[0].inverse_inertia = rbl_mat_scale(0.0f, rbl_mat_identity());
	rbl_vec3 aside = rbl_to_f(rbl_scale_d(0.03, rbl_random_in_ball(&random)));
	bodies[1].pose.position = rbl_add((rbl_vec3){ 0.0f, 0.12f, 0.0f }, aside);
	rbl_vec3 axis = rbl_to_f(rbl_normalize_d(rbl_random_in_ball(&random)));
	bodies[1].pose.rotation = rbl_quat_from_axis_angle(axis, 0.8f * rbl_random_float(&random));
	bodies[1].velocity = rbl_to_f(rbl_scale_d(0.3, rbl_random_in_ball(&random)));
	bodies[1].angular_velocity = rbl_to_f(rbl_scale_d(3.0, rbl_random_in_ball(&random)));
	field_world_add(world, &bodies[0]);
	field_world_add(world, &bodies[1]);
	return ok;
}

static void bench_bowl(bench *b, int count)
{
	char name[32];
	snprintf(name, sizeof name, "bowl-%d", count);
	if (!bench_wants(b, name))
		return;
	lathe_shape plate, bowl;
	field_world_plate_shape(&plate);
	field_world_bowl_shape(&bowl);
	int drops = bench_is_quick(b) ? 2 : 12;
	for (int i = 0; i < SELECTIONS; ++i) {
		// All are as many as there are; more than twelve are not chosen.
		if ((selections[i].selection == RBL_SELECT_FULL && count != 8) ||
		    (selections[i].selection == RBL_SELECT_CHOSEN && count > RBL_MAX_CHOSEN_POINTS))
			continue;
		motion_report *report = calloc(1, sizeof *report);
		bool ok = report != NULL;
		for (int drop = 0; drop < drops && ok; ++drop) {
			field_world world;
			motion_report one = { .step_count = 180 };
			ok = drop_plate(&world, &plate, &bowl, (uint64_t)drop + 1);
			world.uses_manifolds = selections[i].uses_manifolds;
			world.settings.selection = selections[i].selection;
			world.settings.point_count = count;
			world.settings.margin = INFINITY;
			for (int step = 0; step < one.step_count && ok; ++step) {
				ok = field_world_step(&world, 1.0f / 60.0f);
				note_step(&one, step, &world, true);
			}
			// Means over all drops; times are those of the last.
			one.points += report->points, one.manifolds += report->manifolds;
			one.solved += report->solved, one.visited += report->visited;
			one.touching += report->touching, one.penetration += report->penetration;
			one.most_solved = rbl_maxi(one.most_solved, report->most_solved);
			one.most_penetration = rbl_maxd(one.most_penetration, report->most_penetration);
			*report = one;
			field_world_close(&world);
		}
		if (ok) {
			report->solved /= drops, report->visited /= drops, report->penetration /= drops;
			write_report(b, name, selections[i].name, report);
		} else {
			bench_fail(b, name, selections[i].name, "no memory");
		}
		free(report);
	}
}

void bench_field_contacts(bench *b)
{
	static const int bowls[] = { 2, 4, 6, 8, 12, 20, 50 };
	bench_order(b, "order-surface", CLOUD_SPHERE);
	bench_order(b, "order-volume", CLOUD_VOLUME);
	bench_sphere(b, "sphere-2k5-4000", 2500, 4000, false);
	bench_sphere(b, "sphere-10k-4000", 10000, 4000, false);
	bench_sphere(b, "sphere-2k5-435", 2500, 435, true);
	bench_plate(b);
	for (size_t i = 0; i < sizeof bowls / sizeof bowls[0]; ++i)
		bench_bowl(b, bowls[i]);
}
