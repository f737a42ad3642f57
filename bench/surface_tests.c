// SPDX-License-Identifier: MIT
//
// What tests of features cost by themselves: no traversal, no culling. Candidates are all pairs whose
// boxes overlap, from a plain tree, in the order in which the tree finds them. Times are processor
// times of the one thread that works.

#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "surface_tests.h"

#include "base/memory.h"
#include "base/vec.h"
#include "geometry/geometry.h"
#include "ccd/ccd.h"
#include "surface/query.h"
#include "tree/tree.h"

#include "scenes/bunnies.h"

#include <rubble/surface.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef RBL_HAS_IO
#include <rubble/io.h>
#endif

static const char *const kind_names[RBL_CCD_KIND_COUNT] = { "vertex-face", "edge-edge" };

static void *memory(size_t count, size_t size)
{
	void *block = calloc(count + 1, size);
	if (!block)
		fprintf(stderr, "surface: out of memory\n"), exit(1);
	return block;
}

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/// Repeat a function and record nanoseconds per item.
static void measure(bench *b, const char *case_name, const char *variant, const char *metric,
                    void (*run)(void *), void *context, int items)
{
	enum { MOST = 100 };
	uint64_t samples[MOST];
	int repeat = bench_repeat(b) ? bench_repeat(b) : bench_is_quick(b) ? 5 : 25;
	repeat = repeat < MOST ? repeat : MOST;
	run(context);
	for (int i = 0; i < repeat; ++i) {
		uint64_t start = now_ns();
		run(context);
		samples[i] = now_ns() - start;
	}
	bench_samples(b, case_name, variant, metric, samples, repeat, items, "ns");
}

// --- queries with known answers -----------------------------------------------------------------

typedef struct queries {
	rbl_vec3d (*points)[8];
	unsigned char *truths;
	int count, missed, invented;
	int type;
} queries;

static bool read_queries(int type, queries *q)
{
	FILE *file = fopen(RBL_SHARED_DIR "/data/ccd-queries.bin", "rb");
	unsigned char head[12], record[194];
	*q = (queries){ .type = type };
	if (!file)
		return false;
	if (fread(head, 1, 12, file) == 12 && memcmp(head, "CCDQ\1\0\0\0", 8) == 0) {
		int most = head[8] | head[9] << 8 | head[10] << 16;
		q->points = memory((size_t)most, sizeof *q->points);
		q->truths = memory((size_t)most, 1);
		for (int i = 0; i < most && fread(record, 1, 194, file) == 194; ++i) {
			if (record[0] != type)
				continue;
			q->truths[q->count] = record[1];
			memcpy(q->points[q->count++], record + 2, 192);
		}
	}
	fclose(file);
	return q->count > 0;
}

static void ask_queries(void *context)
{
	queries *q = context;
	q->missed = q->invented = 0;
	for (int i = 0; i < q->count; ++i) {
		rbl_impact impact;
		const rbl_vec3d *p = q->points[i];
		if ((q->type ? rbl_test_edge_edge : rbl_test_vertex_face)(p, p + 4, 0.0, &impact) != RBL_OK)
			continue;
		q->missed += q->truths[i] && !impact.is_hit;
		q->invented += !q->truths[i] && impact.is_hit;
	}
	bench_keep(q);
}

static void run_queries(bench *b)
{
	if (!bench_wants(b, "ccd-queries"))
		return;
	for (int type = 0; type < RBL_CCD_KIND_COUNT; ++type) {
		queries q;
		if (!read_queries(type, &q)) {
			bench_skip(b, "ccd-queries", "its queries are not there");
			return;
		}
		measure(b, "ccd-queries", kind_names[type], "ns_per_query", ask_queries, &q, q.count);
		bench_row(b, "ccd-queries", kind_names[type], "queries", q.count, "");
		bench_row(b, "ccd-queries", kind_names[type], "false_negatives", q.missed, "");
		bench_row(b, "ccd-queries", kind_names[type], "false_positives", q.invented, "");
		if (q.missed)
			bench_fail(b, "ccd-queries", kind_names[type], "a contact was missed");
		free(q.points);
		free(q.truths);
	}
}

// --- candidates ---------------------------------------------------------------------------------

/// Start and end of a step, and everything in it whose boxes overlap.
typedef struct step {
	bunny start, end;
	int *twins;  // by half-edge: the one across, or negative
	int *owners; // by vertex: the half-edge that has it
	int *pairs;  // of triangles, at the start alone
	int pair_count, pair_capacity;
	rbl_ccd_quad *quads[RBL_CCD_KIND_COUNT];
	int quad_count[RBL_CCD_KIND_COUNT], quad_capacity[RBL_CCD_KIND_COUNT];
	bool is_swept;
} step;

static void *grow(void *items, int count, int *capacity, size_t size)
{
	if (count < *capacity)
		return items;
	*capacity = 2 * *capacity + 4096;
	void *more = realloc(items, (size_t)*capacity * size);
	if (!more)
		fprintf(stderr, "surface: out of memory\n"), exit(1);
	return more;
}

/// The box of some vertices over the step.
static rbl_box box_of(const step *s, const int *vertices, int count)
{
	rbl_box box = { s->start.positions[vertices[0]], s->start.positions[vertices[0]] };
	for (int i = 0; i < count; ++i) {
		rbl_vec3 p = s->start.positions[vertices[i]], q = s->end.positions[vertices[i]];
		q = s->is_swept ? q : p;
		box.lower = rbl_min(box.lower, rbl_min(p, q));
		box.upper = rbl_max(box.upper, rbl_max(p, q));
	}
	return box;
}

static bool overlap(rbl_box a, rbl_box b)
{
	return a.lower.x <= b.upper.x && b.lower.x <= a.upper.x && a.lower.y <= b.upper.y &&
	       b.lower.y <= a.upper.y && a.lower.z <= b.upper.z && b.lower.z <= a.upper.z;
}

static void push_quad(step *s, int kind, const int *a, int a_count, const int *b)
{
	int b_count = 4 - a_count;
	for (int i = 0; i < a_count; ++i)
		for (int k = 0; k < b_count; ++k)
			if (a[i] == b[k])
				return;
	if (!overlap(box_of(s, a, a_count), box_of(s, b, b_count)))
		return;
	s->quads[kind] =
		grow(s->quads[kind], s->quad_count[kind], &s->quad_capacity[kind], sizeof(rbl_ccd_quad));
	rbl_ccd_quad *quad = &s->quads[kind][s->quad_count[kind]++];
	memcpy(quad->vertices, a, (size_t)a_count * sizeof(int));
	memcpy(quad->vertices + a_count, b, (size_t)b_count * sizeof(int));
}

/// Features of two triangles; each belongs to one triangle, so that a pair comes once.
static void push_features(step *s, int t, int u)
{
	const int *f = s->start.triangles + 3 * t, *g = s->start.triangles + 3 * u;
	for (int i = 0; i < 3; ++i) {
		if (s->owners[f[i]] == 3 * t + i)
			push_quad(s, RBL_CCD_VERTEX_FACE, &f[i], 1, g);
		if (s->owners[g[i]] == 3 * u + i)
			push_quad(s, RBL_CCD_VERTEX_FACE, &g[i], 1, f);
		if (s->twins[3 * t + i] > 3 * t + i || s->twins[3 * t + i] < 0) {
			const int edge[2] = { f[i], f[(i + 1) % 3] };
			for (int k = 0; k < 3; ++k) {
				const int other[2] = { g[k], g[(k + 1) % 3] };
				if (s->twins[3 * u + k] > 3 * u + k || s->twins[3 * u + k] < 0)
					push_quad(s, RBL_CCD_EDGE_EDGE, edge, 2, other);
			}
		}
	}
}

static bool visit(void *context, const rbl_tree_pair *pairs, int count)
{
	step *s = context;
	for (int i = 0; i < count; ++i) {
		if (s->is_swept) {
			push_features(s, (int)pairs[i].a, (int)pairs[i].b);
			continue;
		}
		s->pairs = grow(s->pairs, 2 * s->pair_count + 1, &s->pair_capacity, sizeof(int));
		s->pairs[2 * s->pair_count] = (int)pairs[i].a;
		s->pairs[2 * s->pair_count++ + 1] = (int)pairs[i].b;
	}
	return true;
}

/// Find all pairs of triangles whose boxes overlap, at the start, or over the step.
static bool find_candidates(step *s, bool is_swept)
{
	int n = s->start.triangle_count;
	s->is_swept = is_swept;
	rbl_box *boxes = memory((size_t)n, sizeof *boxes);
	for (int t = 0; t < n; ++t)
		boxes[t] = box_of(s, s->start.triangles + 3 * t, 3);
	rbl_tree_pool pool;
	rbl_allocator allocator = { 0 };
	rbl_tree_pool_init(&pool, &allocator, 0);
	rbl_tree tree = rbl_tree_make(&pool);
	rbl_tree_build_input input = { .builder = RBL_TREE_BUILD_SAH, .count = n, .boxes = boxes };
	bool is_built = rbl_tree_build(&tree, &input) == RBL_OK;
	if (is_built)
		rbl_tree_query_self(&tree, visit, s);
	rbl_tree_pool_destroy(&pool);
	free(boxes);
	return is_built;
}

/// Who has which vertex and edge: a surface knows.
static bool find_owners(step *s)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface_body_def body_def = rbl_default_surface_body_def();
	body_def.vertex_count = s->start.vertex_count;
	body_def.positions = s->start.positions;
	body_def.triangle_count = s->start.triangle_count;
	body_def.triangles = s->start.triangles;
	rbl_surface *surface = NULL;
	rbl_surface_body_id body;
	bool is_made = rbl_create_surface(&def, &surface) == RBL_OK &&
	               rbl_surface_add(surface, &body_def, &body) == RBL_OK;
	if (is_made) {
		size_t corners = 3 * (size_t)s->start.triangle_count;
		s->twins = memory(corners, sizeof *s->twins);
		s->owners = memory((size_t)s->start.vertex_count, sizeof *s->owners);
		memcpy(s->twins, rbl_surface_get_data(surface).twins, corners * sizeof *s->twins);
		for (int h = (int)corners - 1; h >= 0; --h)
			s->owners[s->start.triangles[h]] = h;
	}
	rbl_destroy_surface(surface);
	return is_made;
}

static void free_step(step *s)
{
	bunny_free(&s->start);
	bunny_free(&s->end);
	free(s->twins);
	free(s->owners);
	free(s->pairs);
	free(s->quads[0]);
	free(s->quads[1]);
}

/// A crumpled bunny and the next moment of its crumpling; or one that hardly moves.
static bool make_step(step *s, bool is_crumpled)
{
	memset(s, 0, sizeof *s);
	rbl_mesh *mesh = NULL;
	bool is_made = false;
#ifdef RBL_HAS_IO
	is_made = rbl_read_mesh(RBL_SHARED_DIR "/models/stanford-bunny.obj", NULL, &mesh) == RBL_OK &&
	          bunny_from_mesh(&s->start, mesh) && bunny_refine(&s->start, 90000) &&
	          bunny_copy(&s->end, &s->start);
#endif
	rbl_destroy_mesh(mesh);
	if (is_made) {
		if (is_crumpled)
			bunny_crumple(&s->start, 1.6);
		bunny_crumple(&s->end, is_crumpled ? 1.65 : 0.05);
		is_made = find_owners(s);
	}
	return is_made;
}

// --- continuous ---------------------------------------------------------------------------------

typedef struct continuous {
	const step *s;
	rbl_ccd_kind kind;
	int *kept, kept_count, hits;
} continuous;

static void run_filter(void *context)
{
	continuous *c = context;
	rbl_ccd_motion motion = { c->s->start.positions, c->s->end.positions, 1.0f };
	c->kept_count = rbl_ccd_filter(c->kind, &motion, c->s->quads[c->kind],
	                               c->s->quad_count[c->kind], 0.0f, c->kept);
	bench_keep(c->kept);
}

static void run_both(void *context)
{
	continuous *c = context;
	rbl_ccd_motion motion = { c->s->start.positions, c->s->end.positions, 1.0f };
	run_filter(c);
	c->hits = 0;
	for (int i = 0; i < c->kept_count; ++i) {
		rbl_impact impact;
		c->hits +=
			rbl_ccd_test_quad(c->kind, &motion, &c->s->quads[c->kind][c->kept[i]], 0.0f, &impact);
	}
}

static void run_candidates(bench *b, const char *case_name, bool is_crumpled)
{
	step s;
	if (!bench_wants(b, case_name))
		return;
	if (make_step(&s, is_crumpled) && find_candidates(&s, true)) {
		for (int kind = 0; kind < RBL_CCD_KIND_COUNT; ++kind) {
			int count = s.quad_count[kind];
			continuous c = { &s, (rbl_ccd_kind)kind, memory((size_t)count + 8, sizeof(int)), 0, 0 };
			measure(b, case_name, kind_names[kind], "filter_ns", run_filter, &c, count);
			measure(b, case_name, kind_names[kind], "candidate_ns", run_both, &c, count);
			bench_row(b, case_name, kind_names[kind], "candidates", count, "");
			bench_row(b, case_name, kind_names[kind], "kept", c.kept_count, "");
			bench_row(b, case_name, kind_names[kind], "hits", c.hits, "");
			free(c.kept);
		}
	}
	free_step(&s);
}

// --- at one instant -----------------------------------------------------------------------------

typedef struct discrete {
	const bunny *mesh;
	int *pairs, *colliding, count, hits;
} discrete;

static void run_batch(void *context)
{
	discrete *d = context;
	d->hits = rbl_surface_test_triangle_pairs(d->mesh->positions, d->mesh->triangles, d->pairs,
	                                          d->count, d->colliding, NULL, NULL);
}

static void run_single(void *context)
{
	discrete *d = context;
	d->hits = 0;
	for (int i = 0; i < d->count; ++i)
		d->hits += rbl_indexed_triangles_meet_float(d->mesh->positions,
		                                            d->mesh->triangles + 3 * d->pairs[2 * i],
		                                            d->mesh->triangles + 3 * d->pairs[2 * i + 1]);
}

static int shared_count(const int *a, const int *b)
{
	int count = 0;
	for (int i = 0; i < 9; ++i)
		count += a[i / 3] == b[i % 3];
	return count;
}

static void run_triangle_pairs(bench *b)
{
	step s;
	if (!bench_wants(b, "triangle-pairs"))
		return;
	if (make_step(&s, true) && find_candidates(&s, false)) {
		static const char *const names[3] = { "apart", "shared-vertex", "shared-edge" };
		discrete d = { &s.start, memory(2 * (size_t)s.pair_count, sizeof(int)),
			           memory((size_t)s.pair_count + 8, sizeof(int)), 0, 0 };
		for (int shared = 0; shared < 3; ++shared) {
			d.count = 0;
			for (int i = 0; i < s.pair_count; ++i) {
				const int *pair = s.pairs + 2 * i;
				if (shared_count(s.start.triangles + 3 * pair[0],
				                 s.start.triangles + 3 * pair[1]) == shared)
					memcpy(d.pairs + 2 * d.count++, pair, 2 * sizeof(int));
			}
			measure(b, "triangle-pairs", names[shared], "single_ns", run_single, &d, d.count);
			int hits = d.hits;
			measure(b, "triangle-pairs", names[shared], "batch_ns", run_batch, &d, d.count);
			bench_row(b, "triangle-pairs", names[shared], "candidates", d.count, "");
			bench_row(b, "triangle-pairs", names[shared], "pairs", d.hits, "");
			if (hits != d.hits)
				bench_fail(b, "triangle-pairs", names[shared], "batches find other pairs");
		}
		free(d.pairs);
		free(d.colliding);
	}
	free_step(&s);
}

void surface_run_tests(bench *b)
{
	run_queries(b);
	run_candidates(b, "ccd-still", false);
	run_candidates(b, "ccd-crumple", true);
	run_triangle_pairs(b);
}
