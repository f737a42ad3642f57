// SPDX-License-Identifier: MIT
//
// The main work of each suite at 1, 4 and 16 times a size, on one worker. What is timed makes something out
// of an input that was made before: it is made anew in every repetition, and the bytes are what the
// heap grew by when it was made.

#include "growth.h"

#include "broadphase_baseline.h"
#include "tree_shapes.h"
#include "world_engine.h"

#include "base/sort.h"
#include "base/vec.h"
#include "tree/tree.h"

#include <rubble/rubble.h>
#ifdef RBL_HAS_IO
#include <rubble/io.h>
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The input, and what is made of it; a job uses some of it.
typedef struct growth {
	int times; // 1, 4 or 16
	bool is_failed;
	rbl_mesh *mesh;
	rbl_solid *solid;
	rbl_pattern *pattern;
	tree_shape shape;
	rbl_vec3 *positions;
	rbl_box *boxes;
	rbl_sort_item *items;
	stream stream;
	rigid_scene scene;
	void *made;
	rbl_tree_pool pool;
	bool has_pool;
} growth;

typedef struct growth_job {
	const char *suite, *name;
	bool (*prepare)(growth *g);
	void (*run)(growth *g);
	void (*forget)(growth *g); // what run() made
} growth_job;

static void fail_unless(growth *g, bool is_good)
{
	g->is_failed |= !is_good;
}

// A ball of 1,280 triangles, and of 4 and 16 times as many.
static bool make_ball(growth *g)
{
	rbl_icosphere_def def = rbl_default_icosphere_def();
	def.subdivisions = g->times == 1 ? 3 : g->times == 4 ? 4 : 5;
	return rbl_create_icosphere_mesh(&def, &g->mesh) == RBL_OK;
}

// --- base: sort ---------------------------------------------------------------------------------

static bool prepare_sort(growth *g)
{
	int count = 20000 * g->times;
	g->items = malloc((size_t)count * sizeof *g->items);
	for (int i = 0; g->items && i < count; ++i)
		g->items[i] = (rbl_sort_item){ .key = (uint32_t)i * 2654435761u, .value = (uint32_t)i };
	return g->items != NULL;
}

static void run_sort(growth *g)
{
	size_t count = 20000 * (size_t)g->times;
	rbl_sort_item *copy = malloc(2 * count * sizeof *copy);
	fail_unless(g, copy != NULL);
	if (copy) {
		memcpy(copy, g->items, count * sizeof *copy);
		rbl_sort(copy, copy + count, (int)count);
	}
	g->made = copy;
}

static void forget_memory(growth *g)
{
	free(g->made);
}

// --- meshes: check, write, collider, field ----------------------------------------------------------

static void run_check(growth *g)
{
	rbl_mesh_report report;
	fail_unless(g, rbl_mesh_check(g->mesh, &report) == RBL_OK && report.is_closed);
}

#ifdef RBL_HAS_IO
static void run_write(growth *g)
{
	rbl_write_def def = rbl_default_write_def();
	rbl_file_bytes *bytes = calloc(1, sizeof *bytes);
	def.format = RBL_FORMAT_PLY;
	fail_unless(g, bytes && rbl_write_mesh_memory(g->mesh, &def, bytes) == RBL_OK);
	g->made = bytes;
}

static void forget_bytes(growth *g)
{
	if (g->made)
		rbl_free_bytes(g->made);
	free(g->made);
}
#endif

static void run_collider(growth *g)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_MESH);
	rbl_collider *collider = NULL;
	def.mesh = g->mesh;
	fail_unless(g, rbl_create_collider(&def, &collider) == RBL_OK);
	g->made = collider;
}

static void forget_collider(growth *g)
{
	rbl_destroy_collider(g->made);
}

static void run_field(growth *g)
{
	rbl_distance_field_def def = rbl_default_distance_field_def();
	rbl_distance_field *field = NULL;
	def.mesh = g->mesh;
	def.resolution = 64;
	fail_unless(g, rbl_create_distance_field(&def, &field) == RBL_OK);
	g->made = field;
}

static void forget_field(growth *g)
{
	rbl_destroy_distance_field(g->made);
}

// --- tree: build --------------------------------------------------------------------------------

static bool prepare_tree(growth *g)
{
	g->shape = tree_shape_make(TREE_CREATURE, 5660 * g->times);
	g->positions = tree_memory((size_t)g->shape.vertex_count, sizeof *g->positions);
	g->boxes = tree_memory((size_t)g->shape.triangle_count, sizeof *g->boxes);
	for (int i = 0; i < g->shape.vertex_count; ++i)
		g->positions[i] = rbl_to_f(g->shape.positions[i]);
	rbl_tree_triangle_boxes(g->boxes, g->positions, g->shape.triangles, g->shape.triangle_count,
	                        NULL);
	return true;
}

static void run_tree(growth *g)
{
	rbl_tree_pool_init(&g->pool, NULL, 0);
	g->has_pool = true;
	rbl_tree tree = rbl_tree_make(&g->pool);
	fail_unless(g, rbl_tree_build(&tree, &(rbl_tree_build_input){ .builder = RBL_TREE_BUILD_MORTON,
	                                                              .count = g->shape.triangle_count,
	                                                              .boxes = g->boxes }) == RBL_OK);
}

static void forget_tree(growth *g)
{
	if (g->has_pool)
		rbl_tree_pool_destroy(&g->pool);
	g->has_pool = false;
}

// --- surface: a body, from scratch ------------------------------------------------------------------

static void run_surface(growth *g)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface_body_def body = rbl_default_surface_body_def();
	rbl_surface *surface = NULL;
	rbl_surface_body_id id;
	rbl_surface_pairs pairs;
	body.vertex_count = g->shape.vertex_count, body.positions = g->positions;
	body.triangle_count = g->shape.triangle_count, body.triangles = g->shape.triangles;
	fail_unless(g, rbl_create_surface(&def, &surface) == RBL_OK &&
	                   rbl_surface_add(surface, &body, &id) == RBL_OK &&
	                   rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK &&
	                   rbl_surface_collide(surface, &pairs) == RBL_OK);
	g->made = surface;
}

static void forget_surface(growth *g)
{
	rbl_destroy_surface(g->made);
}

// --- broad phase: all boxes added, and the pairs ------------------------------------------------

static bool prepare_stream(growth *g)
{
	return stream_open(&g->stream, STREAM_TERRAIN, 4250 * g->times, 2, 1) &&
	       stream_next(&g->stream);
}

static void run_broadphase(growth *g)
{
	g->made = baseline_bsp.create(&g->stream);
	fail_unless(g, g->made != NULL);
	if (g->made) {
		baseline_bsp.insert(g->made, &g->stream);
		baseline_bsp.find(g->made, &g->stream);
	}
}

static void forget_broadphase(growth *g)
{
	if (g->made)
		baseline_bsp.destroy(g->made);
}

// --- fracture: a box into cells -----------------------------------------------------------------

static bool prepare_fracture(growth *g)
{
	rbl_box_def box = rbl_default_box_def();
	rbl_solid_def solid = rbl_default_solid_def();
	rbl_pattern_def pattern = rbl_default_pattern_def();
	pattern.cell_count = 64 * g->times;
	if (rbl_create_box_mesh(&box, &g->mesh) != RBL_OK)
		return false;
	solid.mesh = g->mesh;
	return rbl_create_solid(&solid, &g->solid) == RBL_OK &&
	       rbl_create_pattern(&pattern, &g->pattern) == RBL_OK;
}

static void run_fracture(growth *g)
{
	rbl_pieces_def def = rbl_default_pieces_def();
	rbl_pieces *pieces = NULL;
	def.solid = g->solid;
	def.pattern = g->pattern;
	def.position = rbl_box_centre_d(rbl_mesh_bounds(g->mesh));
	fail_unless(g, rbl_create_pieces(&def, &pieces) == RBL_OK);
	g->made = pieces;
}

static void forget_pieces(growth *g)
{
	rbl_destroy_pieces(g->made);
}

// --- world and solver: a pile, and its steps ----------------------------------------------------

static bool prepare_pile(growth *g)
{
	return rigid_scene_open(&g->scene, "pile", 250 * g->times);
}

// Made with all bodies, and ten steps: most is making contacts.
static void run_world(growth *g)
{
	g->made = world_rubble_1.create(&g->scene, 1);
	fail_unless(g, g->made != NULL);
	for (int i = 0; g->made && i < 10; ++i)
		world_rubble_1.step(g->made);
}

static void forget_world(growth *g)
{
	if (g->made)
		world_rubble_1.destroy(g->made);
}

// A wall of bricks that stands: every brick touches six others from the first step on.
static bool prepare_wall(growth *g)
{
	return rigid_scene_open(&g->scene, "wall-stand", 4 * g->times);
}

static const growth_job jobs[] = {
	{ "base", "sort", prepare_sort, run_sort, forget_memory },
	{ "geometry", "check", make_ball, run_check, NULL },
#ifdef RBL_HAS_IO
	{ "io", "write", make_ball, run_write, forget_bytes },
#endif
	{ "tree", "build", prepare_tree, run_tree, forget_tree },
	{ "surface", "collide", prepare_tree, run_surface, forget_surface },
	{ "broadphase", "pairs", prepare_stream, run_broadphase, forget_broadphase },
	{ "collide", "mesh", make_ball, run_collider, forget_collider },
	{ "fracture", "box", prepare_fracture, run_fracture, forget_pieces },
	{ "field", "field", make_ball, run_field, forget_field },
	{ "solver", "wall", prepare_wall, run_world, forget_world },
	{ "world", "pile", prepare_pile, run_world, forget_world },
};

typedef struct growth_run {
	growth input;
	const growth_job *job;
} growth_run;

static void forget(void *context)
{
	growth_run *run = context;
	if (run->job->forget)
		run->job->forget(&run->input);
	run->input.made = NULL;
}

static void make(void *context)
{
	growth_run *run = context;
	run->job->run(&run->input);
}

static void free_input(growth *g)
{
	rbl_destroy_pattern(g->pattern);
	rbl_destroy_solid(g->solid);
	rbl_destroy_mesh(g->mesh);
	free(g->boxes);
	free(g->positions);
	free(g->items);
	tree_shape_free(&g->shape);
	if (g->stream.boxes)
		stream_close(&g->stream);
	if (g->scene.bodies)
		rigid_scene_close(&g->scene);
}

static void measure(bench *b, const growth_job *job, int times)
{
	char name[64];
	snprintf(name, sizeof name, "grow-%s-%dx", job->name, times);
	if (!bench_wants(b, name))
		return;
	growth_run run = { .input = { .times = times }, .job = job };
	if (job->prepare(&run.input)) {
		bench_time(b, name, "rubble",
		           &(bench_job){ .run = make, .prepare = forget, .context = &run, .metric = "ms" });
		forget(&run);
		size_t before = bench_heap_in_use();
		make(&run);
		double bytes = (double)bench_heap_in_use() - (double)before;
		if (job->forget && bytes > 0.0)
			bench_row(b, name, "rubble", "bytes", bytes, "B");
	} else {
		run.input.is_failed = true;
	}
	if (run.input.is_failed)
		bench_fail(b, name, "rubble", "could not be made");
	forget(&run);
	free_input(&run.input);
}

void bench_growth(bench *b, const char *suite)
{
	for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; ++i)
		for (int times = 1; times <= 16 && strcmp(jobs[i].suite, suite) == 0; times *= 4)
			measure(b, &jobs[i], times);
}
