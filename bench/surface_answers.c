// SPDX-License-Identifier: MIT
//
// Questions beside pairs and hits, on two balls of 40,000 triangles that are in each other: their
// contours and their overlap (`contours`, `overlaps`), rays and nearest points (`ray`, `nearest`, each),
// and what is within a tenth of a millimetre of hair of 20,000 edges (`hair`). Adding a ball and the first
// answer about it is `add`. The number of contours is checked, and that every ray meets something.
//
// `add-250k` adds a ball of 250,000 triangles to an empty surface, with one worker and with two, and to one
// that such a ball was taken from, whose memory is there (`again`). Times are those of the clock on the
// wall; `processor_ms` is the least that all workers took.

#include "surface_answers.h"

#include "base/math.h"
#include "base/random.h"
#include "base/vec.h"

#include <rubble/surface_contours.h>
#include <rubble/surface_queries.h>

#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { AROUND = 200, ROWS = 101, RAYS = 2000, STRAND = 21, STRANDS = 1000 };
enum { LARGE_AROUND = 500, LARGE_ROWS = 251 };

typedef struct ball {
	rbl_vec3 *positions;
	int *triangles;
	int vertex_count, triangle_count;
} ball;

// Rows between two poles.
static bool make_ball(ball *b, int around, int rows, float x)
{
	int last = around * (rows - 1), n = 0;
	b->positions = malloc((size_t)(last + 2) * sizeof *b->positions);
	b->triangles = malloc(6 * (size_t)last * sizeof *b->triangles);
	b->vertex_count = last + 2;
	if (!b->positions || !b->triangles)
		return false;
	for (int i = 0; i < last; ++i) {
		float u = 6.2831853f * (float)(i % around) / (float)around;
		float v = 3.1415927f * (float)(i / around + 1) / (float)rows;
		float sine = (float)rbl_sin((double)v);
		b->positions[i] = (rbl_vec3){ x + sine * (float)rbl_cos((double)u),
			                          sine * (float)rbl_sin((double)u), (float)rbl_cos((double)v) };
	}
	b->positions[last] = (rbl_vec3){ x, 0.0f, 1.0f };
	b->positions[last + 1] = (rbl_vec3){ x, 0.0f, -1.0f };
	for (int i = 0; i < around; ++i) {
		int j = (i + 1) % around, *t = b->triangles;
		t[n++] = last, t[n++] = i, t[n++] = j;
		t[n++] = last + 1, t[n++] = last - around + j, t[n++] = last - around + i;
		for (int row = 0; row + 2 < rows; ++row) {
			int p = row * around + i, q = row * around + j;
			t[n++] = p, t[n++] = p + around, t[n++] = q + around;
			t[n++] = p, t[n++] = q + around, t[n++] = q;
		}
	}
	b->triangle_count = n / 3;
	return true;
}

static void free_ball(ball *b)
{
	free(b->positions);
	free(b->triangles);
}

typedef struct answers {
	ball balls[2];
	rbl_surface *surface, *fresh;
	rbl_surface_body_id hair;
	rbl_vec3 *hair_positions;
	rbl_vec3 from[RAYS], along[RAYS];
	int count;
	bool has_failed;
} answers;

static void check(answers *a, rbl_result result)
{
	a->has_failed |= result != RBL_OK;
}

static void add_ball(answers *a, rbl_surface *surface, const ball *from)
{
	rbl_surface_body_def def = rbl_default_surface_body_def();
	rbl_surface_body_id id;
	def.vertex_count = from->vertex_count, def.positions = from->positions;
	def.triangle_count = from->triangle_count, def.triangles = from->triangles;
	check(a, rbl_surface_add(surface, &def, &id));
}

static void add_hair(answers *a, rbl_surface *surface)
{
	rbl_random random = rbl_random_from_seed(5);
	rbl_vec3 *positions = malloc(STRANDS * STRAND * sizeof *positions);
	int *edges = malloc(2 * STRANDS * STRAND * sizeof *edges);
	rbl_surface_body_def def = rbl_default_surface_body_def();
	for (int i = 0; positions && edges && i < STRANDS * STRAND; ++i) {
		rbl_boxd cube = { { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };
		rbl_vec3 p = rbl_to_f(rbl_random_in_box(&random, cube));
		positions[i] = i % STRAND ? rbl_add(positions[i - 1], rbl_scale(0.02f, p)) : p;
		if (i % STRAND)
			edges[2 * def.edge_count] = i - 1, edges[2 * def.edge_count++ + 1] = i;
	}
	def.vertex_count = STRANDS * STRAND, def.positions = positions, def.edges = edges;
	check(a, rbl_surface_add(surface, &def, &a->hair));
	a->hair_positions = positions;
	free(edges);
}

static void ask_contours(void *context)
{
	answers *a = context;
	rbl_surface_contours list;
	check(a, rbl_surface_get_contours(a->surface, &list));
	a->count = list.count;
}

static void ask_overlaps(void *context)
{
	answers *a = context;
	rbl_surface_overlaps list;
	check(a, rbl_surface_get_overlaps(a->surface, &list));
	a->count = list.count;
}

static void cast_rays(void *context)
{
	answers *a = context;
	a->count = 0;
	for (int i = 0; i < RAYS; ++i) {
		rbl_surface_ray_hit hit;
		check(a, rbl_surface_cast_ray(a->surface, a->from[i], a->along[i], ~0u, &hit));
		a->count += hit.triangle >= 0;
	}
}

static void find_nearest(void *context)
{
	answers *a = context;
	a->count = 0;
	for (int i = 0; i < RAYS; ++i) {
		rbl_surface_nearest_point nearest;
		check(a, rbl_surface_find_nearest(a->surface, rbl_scale(0.3f, a->from[i]), 1e9f, ~0u,
		                                  &nearest));
		a->count += nearest.triangle >= 0;
	}
}

// What rests is known.
static void move_hair(void *context)
{
	answers *a = context;
	for (int i = 0; a->hair_positions && i < STRANDS * STRAND; ++i)
		a->hair_positions[i].x += 1e-6f;
	check(a, rbl_surface_move(a->surface, a->hair, NULL, a->hair_positions));
}

static void ask_near(void *context)
{
	answers *a = context;
	rbl_surface_near_pairs list;
	check(a, rbl_surface_update(a->surface, RBL_SURFACE_DISCRETE));
	check(a, rbl_surface_proximity(a->surface, 1e-4f, &list));
	a->count = list.count;
}

static void clear(void *context)
{
	answers *a = context;
	rbl_surface_def def = rbl_default_surface_def();
	rbl_destroy_surface(a->fresh);
	a->fresh = NULL;
	check(a, rbl_create_surface(&def, &a->fresh));
}

static void add_first(void *context)
{
	answers *a = context;
	rbl_surface_pairs pairs;
	add_ball(a, a->fresh, &a->balls[0]);
	check(a, rbl_surface_update(a->fresh, RBL_SURFACE_DISCRETE));
	check(a, rbl_surface_collide(a->fresh, &pairs));
}

static void run_answers(bench *b, const char *name, answers *a)
{
	rbl_random random = rbl_random_from_seed(3);
	rbl_boxd cube = { { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };
	rbl_surface_pairs pairs;
	for (int i = 0; i < RAYS; ++i) { // from outside through the middle of the first ball
		rbl_vec3 d = rbl_normalize(rbl_to_f(rbl_random_in_box(&random, cube)));
		a->from[i] = rbl_scale(4.0f, d), a->along[i] = rbl_scale(-4.0f, d);
	}
	bench_time(b, name, "add", &(bench_job){ .run = add_first, .prepare = clear, .context = a });
	add_ball(a, a->surface, &a->balls[0]);
	add_ball(a, a->surface, &a->balls[1]);
	check(a, rbl_surface_update(a->surface, RBL_SURFACE_DISCRETE));
	check(a, rbl_surface_collide(a->surface, &pairs));
	bench_row(b, name, "contours", "pairs", pairs.count, "");
	bench_time(b, name, "contours", &(bench_job){ .run = ask_contours, .context = a });
	if (a->count != 1)
		bench_fail(b, name, "contours", "two balls have one contour");
	bench_time(b, name, "overlaps", &(bench_job){ .run = ask_overlaps, .context = a });
	if (a->count != 1)
		bench_fail(b, name, "overlaps", "two balls have one overlap");
	const bench_job rays = { .run = cast_rays, .context = a, .items = RAYS, .unit = "us" };
	bench_time(b, name, "ray", &rays);
	if (a->count != RAYS)
		bench_fail(b, name, "ray", "a ray misses");
	const bench_job points = { .run = find_nearest, .context = a, .items = RAYS, .unit = "us" };
	bench_time(b, name, "nearest", &points);
	add_hair(a, a->surface);
	bench_time(b, name, "hair",
	           &(bench_job){ .run = ask_near, .prepare = move_hair, .context = a });
	bench_row(b, name, "hair", "near_pairs", a->count, "");
	if (a->has_failed)
		bench_fail(b, name, "add", "a call failed");
}

// A large ball, and where it is added.
typedef struct large_ball {
	ball ball;
	rbl_jobs *jobs;
	rbl_surface *surface;
	rbl_surface_body_id id;
	double processor_ms; // the least, of all workers
	bool is_again, has_failed;
} large_ball;

static void clear_large(void *context)
{
	large_ball *l = context;
	rbl_surface_def def = rbl_default_surface_def();
	def.jobs = l->jobs;
	if (l->is_again && l->surface) {
		l->has_failed |= rbl_surface_remove(l->surface, l->id) != RBL_OK;
		return;
	}
	rbl_destroy_surface(l->surface);
	l->surface = NULL;
	l->has_failed |= rbl_create_surface(&def, &l->surface) != RBL_OK;
}

static void add_large(void *context)
{
	large_ball *l = context;
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = l->ball.vertex_count, def.positions = l->ball.positions;
	def.triangle_count = l->ball.triangle_count, def.triangles = l->ball.triangles;
	clock_t begin = clock();
	l->has_failed |= rbl_surface_add(l->surface, &def, &l->id) != RBL_OK;
	l->processor_ms =
		rbl_mind(l->processor_ms, 1e3 * (double)(clock() - begin) / (double)CLOCKS_PER_SEC);
}

static void run_large(bench *b, const char *name)
{
	static const char *const variants[2][2] = { { "one-worker", "one-worker-again" },
		                                        { "two-workers", "two-workers-again" } };
	large_ball l = { .jobs = NULL };
	rbl_jobs_def def = rbl_default_jobs_def();
	def.worker_count = 2;
	l.has_failed = !make_ball(&l.ball, LARGE_AROUND, LARGE_ROWS, 0.0f);
	for (int i = 0; i < 4 && !l.has_failed; ++i) {
		if (i == 2)
			l.has_failed |= rbl_create_jobs(&def, &l.jobs) != RBL_OK;
		l.is_again = i % 2, l.processor_ms = INFINITY;
		bench_time(b, name, variants[i / 2][i % 2],
		           &(bench_job){ .run = add_large, .prepare = clear_large, .context = &l });
		bench_row(b, name, variants[i / 2][i % 2], "processor_ms", l.processor_ms, "ms");
		rbl_destroy_surface(l.surface);
		l.surface = NULL;
	}
	if (l.has_failed)
		bench_fail(b, name, "one-worker", "a call failed");
	rbl_destroy_jobs(l.jobs);
	free_ball(&l.ball);
}

void surface_run_answers(bench *b)
{
	const char *name = "answers";
	if (bench_wants(b, "add-250k"))
		run_large(b, "add-250k");
	if (!bench_wants(b, name))
		return;
	answers *a = calloc(1, sizeof *a);
	rbl_surface_def def = rbl_default_surface_def();
	if (a && make_ball(&a->balls[0], AROUND, ROWS, 0.0f) &&
	    make_ball(&a->balls[1], AROUND, ROWS, 0.7f) &&
	    rbl_create_surface(&def, &a->surface) == RBL_OK)
		run_answers(b, name, a);
	else
		bench_fail(b, name, "add", "no memory");
	if (a) {
		rbl_destroy_surface(a->surface);
		rbl_destroy_surface(a->fresh);
		free_ball(&a->balls[0]);
		free_ball(&a->balls[1]);
		free(a->hair_positions);
	}
	free(a);
}
