// SPDX-License-Identifier: MIT
//
// Questions beside pairs and hits, on two balls of 40,000 triangles that are in each other: their
// contours and their overlap (`contours`, `overlaps`), rays and nearest points (`ray`, `nearest`, each),
// and what is within a tenth of a millimetre of hair of 20,000 edges (`hair`). Adding a ball and the first
// answer about it is `add`. The number of contours is checked, and that every ray meets something.

#include "surface_answers.h"

#include "base/math.h"
#include "base/random.h"
#include "base/vec.h"

#include <rubble/surface_contours.h>
#include <rubble/surface_queries.h>

#include <stdlib.h>

enum { AROUND = 200, ROWS = 101, RAYS = 2000, STRAND = 21, STRANDS = 1000 };

typedef struct ball {
	rbl_vec3 positions[AROUND * (ROWS - 1) + 2];
	int triangles[6 * AROUND * (ROWS - 1)];
	int triangle_count;
} ball;

// Rows between two poles.
static void make_ball(ball *b, float x)
{
	int last = AROUND * (ROWS - 1), n = 0;
	for (int i = 0; i < last; ++i) {
		float u = 6.2831853f * (float)(i % AROUND) / AROUND;
		float v = 3.1415927f * (float)(i / AROUND + 1) / ROWS;
		float sine = (float)rbl_sin((double)v);
		b->positions[i] = (rbl_vec3){ x + sine * (float)rbl_cos((double)u),
			                          sine * (float)rbl_sin((double)u), (float)rbl_cos((double)v) };
	}
	b->positions[last] = (rbl_vec3){ x, 0.0f, 1.0f };
	b->positions[last + 1] = (rbl_vec3){ x, 0.0f, -1.0f };
	for (int i = 0; i < AROUND; ++i) {
		int j = (i + 1) % AROUND, *t = b->triangles;
		t[n++] = last, t[n++] = i, t[n++] = j;
		t[n++] = last + 1, t[n++] = last - AROUND + j, t[n++] = last - AROUND + i;
		for (int row = 0; row + 2 < ROWS; ++row) {
			int p = row * AROUND + i, q = row * AROUND + j;
			t[n++] = p, t[n++] = p + AROUND, t[n++] = q + AROUND;
			t[n++] = p, t[n++] = q + AROUND, t[n++] = q;
		}
	}
	b->triangle_count = n / 3;
}

typedef struct answers {
	ball *ball;
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

static void add_ball(answers *a, rbl_surface *surface, float x)
{
	rbl_surface_body_def def = rbl_default_surface_body_def();
	rbl_surface_body_id id;
	make_ball(a->ball, x);
	def.vertex_count = AROUND * (ROWS - 1) + 2, def.positions = a->ball->positions;
	def.triangle_count = a->ball->triangle_count, def.triangles = a->ball->triangles;
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
	add_ball(a, a->fresh, 0.0f);
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
	add_ball(a, a->surface, 0.0f);
	add_ball(a, a->surface, 0.7f);
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

void surface_run_answers(bench *b)
{
	const char *name = "answers";
	if (!bench_wants(b, name))
		return;
	answers *a = calloc(1, sizeof *a);
	rbl_surface_def def = rbl_default_surface_def();
	if (a)
		a->ball = malloc(sizeof *a->ball);
	if (a && a->ball && rbl_create_surface(&def, &a->surface) == RBL_OK)
		run_answers(b, name, a);
	else
		bench_fail(b, name, "add", "no memory");
	if (a) {
		rbl_destroy_surface(a->surface);
		rbl_destroy_surface(a->fresh);
		free(a->ball);
		free(a->hair_positions);
	}
	free(a);
}
