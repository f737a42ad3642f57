// SPDX-License-Identifier: MIT
//
// Edits of a sheet with ripples, at three sizes: they cost what they touch, so the times are the
// same.
//
// `cut` puts a vertex into a triangle, `tear` takes one corner off its vertex, `add` sews a flap of
// ten triangles to a side; each with the update after it, each some triangles on from the last, as
// a cut or a tear goes. `cut-anywhere` and `tear-anywhere` jump about the sheet, so that everything
// they read comes from main memory. `merge` merges two bodies of 32 triangles beside the sheet, with
// the update. Processor time; the metric is the least, and the median says what is usual.

#include "surface_edits.h"

#include "surface_runs.h"

#include <rubble/surface_edit.h>

#include <stdio.h>
#include <stdlib.h>

enum { CUT, TEAR, ADD, MERGE, CUT_ANYWHERE, TEAR_ANYWHERE, KINDS };
enum { FLAP = 10, SMALL = 4, WARM = 24, SAMPLES = 160, STEPS = 5 };

static const char *const names[KINDS] = { "cut",   "tear",         "add",
	                                      "merge", "cut-anywhere", "tear-anywhere" };

typedef struct edit_bench {
	rbl_surface *surface;
	rbl_surface_body_id body;
	uint64_t state; // of the random numbers
	int triangle;   // where the last edit was
} edit_bench;

static bool add_sheet(rbl_surface *surface, int side, float size, rbl_vec3 at,
                      rbl_surface_body_id *body)
{
	int vertices = (side + 1) * (side + 1), triangles = 2 * side * side, t = 0;
	rbl_vec3 *positions = malloc((size_t)vertices * sizeof *positions);
	int *corners = malloc(3 * (size_t)triangles * sizeof *corners);
	for (int i = 0; positions && i < vertices; ++i) {
		float x = (float)(i % (side + 1)) / (float)side, y = (float)(i / (side + 1)) / (float)side;
		float ripple = 0.05f * size * (x * (1.0f - x) - y * (1.0f - y));
		positions[i] = (rbl_vec3){ at.x + size * x, at.y + size * y, at.z + ripple };
	}
	for (int y = 0; corners && y < side; ++y)
		for (int x = 0; x < side; ++x) {
			int a = y * (side + 1) + x, b = a + 1, c = a + side + 1, d = c + 1;
			const int made[6] = { a, b, d, a, d, c };
			for (int k = 0; k < 6; ++k)
				corners[t++] = made[k];
		}
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = vertices, def.positions = positions;
	def.triangle_count = triangles, def.triangles = corners;
	bool is_good = positions && corners && rbl_surface_add(surface, &def, body) == RBL_OK;
	free(positions);
	free(corners);
	return is_good;
}

static int below(edit_bench *e, int count)
{
	e->state = e->state * 6364136223846793005u + 1442695040888963407u;
	return (int)((e->state >> 33) % (uint64_t)count);
}

// The arrays of an edit.
typedef struct edit_arrays {
	int changed, corner, corner_vertex;
	int parents[3 * (FLAP + 1)], triangles[3 * FLAP];
	double weights[3 * (FLAP + 1)];
} edit_arrays;

static void give_parents(edit_arrays *a, int vertex, const int *v, double x, double y)
{
	const double weights[3] = { 1.0 - x - y, x, y };
	for (int k = 0; k < 3; ++k) {
		a->parents[3 * vertex + k] = v[k];
		a->weights[3 * vertex + k] = weights[k];
	}
}

// Some triangles on from the last, or any. A triangle that was cut is gone: the last of the body is
// one of its parts.
static int choose_triangle(edit_bench *e, bool is_anywhere)
{
	rbl_surface_body_data body = rbl_surface_body_get_data(e->surface, e->body);
	rbl_surface_data data = rbl_surface_get_data(e->surface);
	if (is_anywhere)
		return body.triangles[below(e, body.triangle_count)];
	int at = e->triangle;
	for (int i = 0; i < STEPS; ++i) {
		int twin = data.twins[3 * (size_t)at + (size_t)below(e, 3)];
		at = twin >= 0 ? twin / 3 : at;
	}
	return at;
}

static void choose(edit_bench *e, int kind, edit_arrays *a, rbl_surface_edit_def *def)
{
	rbl_surface_data data = rbl_surface_get_data(e->surface);
	int triangle = choose_triangle(e, kind >= CUT_ANYWHERE);
	kind = kind == CUT_ANYWHERE ? CUT : kind == TEAR_ANYWHERE ? TEAR : kind;
	e->triangle = triangle;
	const int *v = data.triangles + 3 * (size_t)triangle;
	*def = rbl_default_surface_edit_def();
	def->parents = a->parents, def->weights = a->weights;
	def->triangles = a->triangles;
	def->changed = &a->changed, def->corners = &a->corner, def->corner_vertices = &a->corner_vertex;
	if (kind == CUT) {
		a->changed = triangle;
		def->changed_count = def->vertex_count = 1, def->triangle_count = 3;
		give_parents(a, 0, v, 0.3, 0.3);
		for (int k = 0; k < 3; ++k)
			a->triangles[3 * k] = v[k], a->triangles[3 * k + 1] = v[(k + 1) % 3],
							 a->triangles[3 * k + 2] = -1;
	} else if (kind == TEAR) {
		a->corner = 3 * triangle, a->corner_vertex = -1;
		def->corner_count = def->vertex_count = 1;
		give_parents(a, 0, v, 0.0, 0.0);
		a->parents[1] = a->parents[2] = -1;
	} else {
		// A strip that goes on beyond the side from v[1] to v[0].
		def->vertex_count = FLAP, def->triangle_count = FLAP;
		int last[2] = { v[1], v[0] };
		for (int i = 0; i < FLAP; ++i) {
			give_parents(a, i, v, 0.5 + 0.1 * (i % 2), -0.02 * (i + 1));
			a->triangles[3 * i] = last[i % 2], a->triangles[3 * i + 1] = last[!(i % 2)];
			a->triangles[3 * i + 2] = -1 - i;
			last[i % 2] = -1 - i;
		}
	}
}

static bool run_one(edit_bench *e, int kind, uint64_t *ns)
{
	edit_arrays arrays;
	rbl_surface_edit_def def;
	rbl_surface_body_id small[2] = { { 0, 0 }, { 0, 0 } };
	bool is_good = true;
	if (kind == MERGE) {
		for (int i = 0; i < 2; ++i)
			is_good &= add_sheet(e->surface, SMALL, 0.1f,
			                     (rbl_vec3){ -0.5f, 0.2f * (float)i, 0.0f }, &small[i]);
		is_good &= rbl_surface_update(e->surface, RBL_SURFACE_DISCRETE) == RBL_OK;
	} else {
		choose(e, kind, &arrays, &def);
	}
	double begin = surface_thread_ms();
	if (kind == MERGE)
		is_good &= rbl_surface_merge(e->surface, small, 2, NULL, 0) == RBL_OK;
	else
		is_good &= rbl_surface_edit(e->surface, e->body, &def, NULL) == RBL_OK;
	is_good &= rbl_surface_update(e->surface, RBL_SURFACE_DISCRETE) == RBL_OK;
	*ns = (uint64_t)(1e6 * (surface_thread_ms() - begin));
	rbl_surface_body_data body = rbl_surface_body_get_data(e->surface, e->body);
	if (kind == CUT || kind == CUT_ANYWHERE)
		e->triangle = body.triangles[body.triangle_count - 1];
	if (kind == MERGE)
		is_good &= rbl_surface_remove(e->surface, small[0]) == RBL_OK &&
		           rbl_surface_update(e->surface, RBL_SURFACE_DISCRETE) == RBL_OK;
	return is_good;
}

static void run_size(bench *b, const char *name, int side)
{
	rbl_surface_def def = rbl_default_surface_def();
	edit_bench e = { .state = 7 };
	bool is_good = rbl_create_surface(&def, &e.surface) == RBL_OK &&
	               add_sheet(e.surface, side, 1.0f, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, &e.body) &&
	               rbl_surface_update(e.surface, RBL_SURFACE_DISCRETE) == RBL_OK;
	// In the midst of it, so that no walk gets to a boundary.
	e.triangle = is_good ? rbl_surface_body_get_data(e.surface, e.body).triangles[side * side] : 0;
	int samples = bench_is_quick(b) ? SAMPLES / 4 : SAMPLES;
	for (int kind = 0; kind < KINDS; ++kind) {
		uint64_t ns[SAMPLES], warm;
		for (int i = 0; i < WARM && is_good; ++i)
			is_good = run_one(&e, kind, &warm);
		for (int i = 0; i < samples && is_good; ++i)
			is_good = run_one(&e, kind, &ns[i]);
		if (is_good)
			bench_samples(b, name, names[kind], "time", ns, samples, 1.0, "us");
		else
			bench_fail(b, name, names[kind], "an edit failed");
	}
	// Each cut has two triangles more, each flap ten.
	int expected = 2 * side * side + (WARM + samples) * (2 * 2 + FLAP);
	if (is_good && rbl_surface_get_stats(e.surface).triangle_count != expected)
		bench_fail(b, name, names[ADD], "triangles are missing");
	rbl_destroy_surface(e.surface);
}

void surface_run_edits(bench *b)
{
	const struct {
		const char *name;
		int side;
	} sizes[] = { { "edit-22k", 105 }, { "edit-91k", 213 }, { "edit-363k", 426 } };
	for (int i = 0; i < 3; ++i)
		if (bench_wants(b, sizes[i].name))
			run_size(b, sizes[i].name, sizes[i].side);
}
