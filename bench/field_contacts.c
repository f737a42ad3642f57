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
#include "field_convex.h"
#include "field_literal.h"
#include "field_references.h"
#include "field_split.h"

#include "field/crack_field.h"

#include "base/random.h"
#include "base/math.h"

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
	rbl_arena_consolidate(&work->arena);
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
	field_write_references(b, name);
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
	int *tags, *locals, *scratch;
	rbl_vec3 *positions[FIELD_CELLS];
	split_fragment split[FIELD_CELLS];
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
	int count = work->sphere->fragment_count;
	split_by_tags(&work->whole, work->tags, work->locals, work->split, count, work->scratch);
	for (int i = 0; i < count; ++i) {
		const split_fragment *split = &work->split[i];
		rbl_sphere_tree_def def = { split->positions, NULL, split->count, 0 };
		rbl_sphere_tree_destroy(&work->trees[i]);
		work->cells[i] = work->sphere->fragments[i].cell;
		rbl_arena_reset(&work->arena);
		rbl_sphere_tree_assemble(&def, split->order, split->parents, split->count, &work->arena,
		                         NULL, &work->trees[i]);
	}
}

// The greatest distance of a point from the first `count`, mean over fragments.
static double mean_cover(const update_work *work, int count)
{
	double sum = 0.0;
	for (int f = 0; f < work->sphere->fragment_count; ++f) {
		const rbl_sphere_tree *tree = &work->trees[f];
		float most = 0.0f;
		for (int i = 0; i < tree->count; ++i) {
			float least = FLT_MAX;
			for (int k = 0; k < count && k < tree->count; ++k)
				least = rbl_minf(
					least, rbl_length_squared(rbl_sub(tree->positions[i], tree->positions[k])));
			most = rbl_maxf(most, least);
		}
		sum += (double)sqrtf(most);
	}
	return 1e3 * sum / work->sphere->fragment_count;
}

static int cell_of(const field_sphere *sphere, rbl_vec3 p)
{
	int best = 0;
	float least = FLT_MAX;
	for (int f = 0; f < sphere->fragment_count; ++f) {
		rbl_vec3 gradient;
		float distance = cell_distance(&sphere->fragments[f].cell, p, &gradient);
		if (distance < least)
			least = distance, best = f;
	}
	return best;
}

// Points of a fragment for splitting: vertices of the whole that are in it, and its samples on
// cracks, around its centre.
static bool prepare_fragment(update_work *work, int f, const rbl_vec3 *vertices, int vertex_count)
{
	const field_fragment *fragment = &work->sphere->fragments[f];
	split_fragment *split = &work->split[f];
	int capacity = vertex_count + fragment->samples.count, n = 0;
	rbl_vec3 *positions = work->positions[f] = malloc((size_t)capacity * sizeof *positions);
	split->order = malloc((size_t)capacity * sizeof *split->order);
	split->parents = malloc((size_t)capacity * sizeof *split->parents);
	if (!positions || !split->order || !split->parents)
		return false;
	for (int i = 0; i < vertex_count; ++i)
		if (work->tags[i] == f) {
			work->locals[i] = n;
			positions[n++] = rbl_sub(vertices[i], fragment->centre);
		}
	split->vertex_count = n;
	for (int i = 0; i < fragment->samples.count; ++i) {
		rbl_vec3 p = rbl_add(fragment->samples.positions[i], fragment->centre);
		float most = -FLT_MAX;
		for (int k = 0; k < fragment->cell.plane_count; ++k)
			most = rbl_maxf(most, rbl_plane_distance(fragment->cell.planes[k], p));
		if (most > -1e-5f)
			positions[n++] = fragment->samples.positions[i];
	}
	split->positions = positions;
	split->count = n;
	return true;
}

// The tree of the whole: vertices of the sphere, tagged by the cell they are in.
static bool prepare_split(update_work *work)
{
	rbl_mesh_data data = rbl_mesh_get_data(work->sphere->mesh);
	size_t count = (size_t)data.vertex_count;
	rbl_vec3 *vertices = malloc(count * sizeof *vertices);
	work->tags = malloc(count * sizeof *work->tags);
	work->locals = malloc(count * sizeof *work->locals);
	work->scratch = malloc(2 * count * sizeof *work->scratch);
	bool ok = vertices && work->tags && work->locals && work->scratch;
	for (int i = 0; i < data.vertex_count && ok; ++i) {
		vertices[i] = rbl_to_f(data.positions[i]);
		work->tags[i] = cell_of(work->sphere, vertices[i]);
	}
	rbl_sphere_tree_def def = { vertices, NULL, data.vertex_count, data.vertex_count };
	ok = ok && rbl_sphere_tree_build(&def, &work->arena, NULL, &work->whole) == RBL_OK;
	for (int f = 0; f < work->sphere->fragment_count && ok; ++f)
		ok = prepare_fragment(work, f, vertices, data.vertex_count);
	free(vertices);
	return ok;
}

static void forget_update(update_work *work)
{
	for (int i = 0; i < FIELD_CELLS; ++i) {
		rbl_sphere_tree_destroy(&work->trees[i]);
		free(work->positions[i]);
		free(work->split[i].order);
		free(work->split[i].parents);
	}
	rbl_sphere_tree_destroy(&work->whole);
	free(work->tags);
	free(work->locals);
	free(work->scratch);
	rbl_arena_destroy(&work->arena);
}

static void write_update(bench *b, const char *name, const char *variant, const update_work *work)
{
	int points = 0;
	size_t bytes = 0;
	for (int f = 0; f < work->sphere->fragment_count; ++f) {
		points += work->trees[f].count;
		bytes += rbl_sphere_tree_memory(&work->trees[f]);
	}
	bench_row(b, name, variant, "points", points, "");
	bench_row(b, name, variant, "bytes", (double)bytes, "B");
	bench_row(b, name, variant, "cover_8_mm", mean_cover(work, 8), "mm");
	bench_row(b, name, variant, "cover_128_mm", mean_cover(work, 128), "mm");
}

// Leaves the trees of `rebuild` when it is done, or those of `split`.
static bool bench_update(bench *b, const char *name, update_work *work, const char *variant)
{
	bool is_split = strcmp(variant, "split") == 0;
	if (is_split && !prepare_split(work)) {
		bench_fail(b, name, variant, "no tree to split");
		return false;
	}
	work->ordered = strcmp(variant, "recompute-tree") == 0 ? -1 : 0;
	bench_job job = { .run = is_split ? split_all : rebuild_all,
		              .context = work,
		              .metric = "update_ms",
		              .calls = 1 };
	bench_time(b, name, variant, &job);
	write_update(b, name, variant, work);
	return true;
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
			              .metric = "update_ms",
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
			              .metric = "update_ms",
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
	rbl_field_selection selection;
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

// A tree with the same points, ranks and parents.
static bool copy_tree(const rbl_sphere_tree *tree, rbl_arena *arena, rbl_sphere_tree *copy)
{
	int *order = RBL_ARENA_NEW(arena, int, tree->count);
	int *parents = RBL_ARENA_NEW(arena, int, tree->count);
	if (!order || !parents)
		return false;
	parents[0] = -1;
	for (int rank = 0; rank < tree->count; ++rank) {
		order[rank] = rank;
		for (int i = tree->child_starts[rank]; i < tree->child_starts[rank + 1]; ++i)
			parents[tree->children[i]] = rank;
	}
	rbl_sphere_tree_def def = { tree->positions, tree->ids, tree->count, 0 };
	return rbl_sphere_tree_assemble(&def, order, parents, tree->exact_count, arena, NULL, copy) ==
	       RBL_OK;
}

// The sphere breaks a hand above the ground; fragments drift apart at up to half a metre per
// second. Bodies have trees of their own: copies of those given.
static bool open_broken_sphere(field_world *world, const update_work *work, cell_shape *cells)
{
	const field_sphere *sphere = work->sphere;
	rbl_arena arena;
	rbl_arena_init(&arena, NULL, 1 << 20);
	bool ok = field_world_open(world, FIELD_CELLS + 1);
	for (int i = 0; i < sphere->fragment_count && ok; ++i) {
		const field_fragment *fragment = &sphere->fragments[i];
		const rbl_sphere_tree *tree = &work->trees[i];
		cells[i] = fragment->cell;
		for (int k = 0; k < cells[i].plane_count; ++k)
			cells[i].planes[k].offset -= rbl_dot(cells[i].planes[k].normal, fragment->centre);
		cells[i].centre = rbl_neg(fragment->centre);
		field_world_body body = { .own = field_cell_field(&cells[i]),
			                      .pose = { { 0 }, { 0.0f, 0.0f, 0.0f, 1.0f } } };
		for (int k = 0; k < tree->count; ++k)
			body.radius = rbl_maxf(body.radius, rbl_length(tree->positions[k]));
		rbl_arena_reset(&arena);
		ok = copy_tree(tree, &arena, &body.shape.tree);
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

static bool bench_motion(bench *b, const char *name, const char *variant, int selection,
                         const update_work *work)
{
	int repeat = bench_repeat(b) > 0 ? bench_repeat(b) : bench_is_quick(b) ? 1 : 5;
	motion_report *report = calloc(1, sizeof *report);
	bool ok = report != NULL;
	for (int n = 0; n < repeat && ok; ++n) {
		field_world world;
		cell_shape cells[FIELD_CELLS];
		ok = open_broken_sphere(&world, work, cells);
		world.uses_manifolds = selections[selection].uses_manifolds;
		world.settings.selection = selections[selection].selection;
		world.settings.point_count = selections[selection].point_count;
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
		write_report(b, name, variant, report);
	} else {
		bench_fail(b, name, variant, "no memory");
	}
	free(report);
	return ok;
}

static void bench_sphere(bench *b, const char *name, int triangle_count, int node_count,
                         bool is_field_alone)
{
	if (!bench_wants(b, name))
		return;
	field_sphere sphere;
	bool ok = field_sphere_open(&sphere, triangle_count);
	if (!ok)
		bench_fail(b, name, "rebuild", "the sphere does not break");
	if (ok && !is_field_alone) {
		update_work work = { .sphere = &sphere };
		rbl_arena_init(&work.arena, NULL, 1 << 20);
		bench_update(b, name, &work, "recompute-tree");
		// Points of a split tree can be visited parent by parent only, as `naive` does with others.
		if (bench_update(b, name, &work, "split"))
			bench_motion(b, name, "split", SELECTIONS - 1, &work);
		bench_update(b, name, &work, "rebuild");
		bench_row(b, name, "rebuild", "sample_ms", sphere.sample_ms, "ms");
		for (int i = 0; i < SELECTIONS; ++i)
			bench_motion(b, name, selections[i].name, i, &work);
		forget_update(&work);
	}
	if (ok) {
		bench_crack(b, name, &sphere, node_count);
		field_bench_recompute(b, name, &sphere);
		field_bench_convex_sphere(b, name, &sphere);
	}
	field_write_references(b, name);
	field_sphere_close(&sphere);
}

static void roll_plate(field_world_body *plate, uint64_t seed)
{
	(void)seed;
	plate->pose.position = (rbl_vec3){ 0.0f, 0.132f, 0.0f };
	plate->pose.rotation = rbl_quat_from_axis_angle((rbl_vec3){ 1.0f, 0.0f, 0.0f }, 1.45f);
	plate->velocity = (rbl_vec3){ 0.8f, 0.0f, 0.0f };
	plate->angular_velocity = (rbl_vec3){ 0.0f, 0.0f, -6.0f };
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
		roll_plate(&plate, 0);
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
	field_bench_convex_lathes(b, name, &shape, NULL, roll_plate, 1, MOST_STEPS);
	field_write_references(b, name);
}

static void throw_plate(field_world_body *plate, uint64_t seed)
{
	rbl_random random = rbl_random_from_seed(seed);
	rbl_vec3 aside = rbl_to_f(rbl_scale_d(0.03, rbl_random_in_ball(&random)));
	plate->pose.position = rbl_add((rbl_vec3){ 0.0f, 0.12f, 0.0f }, aside);
	rbl_vec3 axis = rbl_to_f(rbl_normalize_d(rbl_random_in_ball(&random)));
	plate->pose.rotation = rbl_quat_from_axis_angle(axis, 0.8f * rbl_random_float(&random));
	plate->velocity = rbl_to_f(rbl_scale_d(0.3, rbl_random_in_ball(&random)));
	plate->angular_velocity = rbl_to_f(rbl_scale_d(3.0, rbl_random_in_ball(&random)));
}

// A plate is dropped into a bowl, turned and thrown at random.
static bool drop_plate(field_world *world, const lathe_shape *plate, const lathe_shape *bowl,
                       uint64_t seed)
{
	field_world_body bodies[2];
	bool ok = field_world_open(world, 2) && field_world_lathe(bowl, 96, &bodies[0]) &&
	          field_world_lathe(plate, 104, &bodies[1]);
	bodies[0].inverse_mass = 0.0f;
	bodies[0].inverse_inertia = rbl_mat_scale(0.0f, rbl_mat_identity());
	throw_plate(&bodies[1], seed);
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
		    (selections[i].selection == RBL_SELECT_CHOSEN && count > RBL_MAX_FIELD_CONTACTS))
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
	field_bench_convex_lathes(b, name, &plate, &bowl, throw_plate, drops, 180);
	field_write_references(b, name);
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
