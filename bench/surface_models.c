// SPDX-License-Identifier: MIT
//
// Surfaces at rest with known sets of colliding pairs: one bunny, two, and crumpled ones, beside the
// peers that are installed. Every variant must find the same pairs. Times are processor times of the
// one thread that works.

#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "surface_models.h"

#include "surface_hash.h"

#include "surface/comparison.h"
#include "base/hash.h"

#include "scenes/bunnies.h"

#include <rubble/surface.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef RBL_HAS_IO
#include <rubble/io.h>
#endif
#ifdef RBL_HAVE_PEERS
#include "surface_peers.h"
#endif

enum { MOST_PAIRS = 100000 };

static const struct {
	const char *name;
	int triangles; // 0: as read
	bool is_crumpled, is_doubled;
	int pairs;
} models[] = {
	{ "bunny-70k", 0, false, false, 0 },
	{ "two-bunnies", 0, false, true, 2732 },
	{ "crumple-90k", 90000, true, false, 6873 },
	{ "crumple-250k", 250000, true, false, 11602 },
};

static bool make_model(int index, bunny *b)
{
	rbl_mesh *mesh = NULL;
	bool is_made = false;
#ifdef RBL_HAS_IO
	is_made = rbl_read_mesh(RBL_SHARED_DIR "/models/stanford-bunny.obj", NULL, &mesh) == RBL_OK &&
	          bunny_from_mesh(b, mesh);
#endif
	rbl_destroy_mesh(mesh);
	if (is_made && models[index].triangles)
		is_made = bunny_refine(b, models[index].triangles);
	if (is_made && models[index].is_doubled) {
		bunny moved;
		is_made = bunny_copy(&moved, b);
		if (is_made) {
			bunny_move(&moved);
			is_made = bunny_append(b, &moved);
			bunny_free(&moved);
		}
	}
	return is_made;
}

/// The least times of some runs, in milliseconds.
typedef struct times {
	double whole, update, query;
} times;

static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void keep_least(double *least, double value)
{
	if (value < *least)
		*least = value;
}

/// Move everything to where it is, update, and find pairs.
static bool measure(rbl_surface *surface, rbl_surface_body_id body, const bunny *b, int repeat,
                    times *t, rbl_surface_pairs *pairs)
{
	*t = (times){ 1e30, 1e30, 1e30 };
	for (int i = 0; i < repeat; ++i) {
		if (rbl_surface_move(surface, body, b->positions, b->positions) != RBL_OK)
			return false;
		uint64_t start = now_ns();
		if (rbl_surface_update(surface, RBL_SURFACE_DISCRETE) != RBL_OK)
			return false;
		uint64_t middle = now_ns();
		if (rbl_surface_collide(surface, pairs) != RBL_OK)
			return false;
		uint64_t end = now_ns();
		keep_least(&t->whole, 1e-6 * (double)(end - start));
		keep_least(&t->update, 1e-6 * (double)(middle - start));
		keep_least(&t->query, 1e-6 * (double)(end - middle));
	}
	return true;
}

/// A step from one shape to another, everything that touches in it.
static void run_step(bench *b, const char *name, const char *variant, rbl_surface *surface,
                     rbl_surface_body_id body, const bunny *start, const bunny *end)
{
	double least = 1e30;
	rbl_surface_hits hits = { NULL, 0 };
	int repeat = bench_repeat(b) ? bench_repeat(b) : bench_is_quick(b) ? 2 : 7;
	for (int i = 0; i < repeat; ++i) {
		rbl_result result = rbl_surface_move(surface, body, start->positions, end->positions);
		uint64_t begin = now_ns();
		if (result == RBL_OK)
			result = rbl_surface_update(surface, RBL_SURFACE_CONTINUOUS);
		if (result == RBL_OK)
			result = rbl_surface_sweep(surface, &hits);
		if (result != RBL_OK) {
			bench_fail(b, name, variant, "the step failed");
			return;
		}
		keep_least(&least, 1e-6 * (double)(now_ns() - begin));
	}
	bench_row(b, name, variant, "ccd_ms", least, "ms");
	bench_row(b, name, variant, "ccd_hits", hits.count, "");
}

static void run_ours(bench *b, int index, const bunny *rest, const bunny *shape, const bunny *end,
                     rbl_surface_culling culling, const char *variant)
{
	const char *name = models[index].name;
	rbl_surface_def def = rbl_default_surface_def();
	def.culling = culling;
	rbl_surface_body_def body_def = rbl_default_surface_body_def();
	body_def.vertex_count = shape->vertex_count;
	body_def.positions = shape->positions;
	body_def.rest_positions = rest->positions;
	body_def.triangle_count = shape->triangle_count;
	body_def.triangles = shape->triangles;
	rbl_surface *surface = NULL;
	rbl_surface_body_id body;
	rbl_surface_pairs pairs = { NULL, 0 };
	times t;
	int repeat = bench_repeat(b) ? bench_repeat(b) : bench_is_quick(b) ? 3 : 15;
	if (rbl_surface_create_comparison(&def, &surface) == RBL_OK &&
	    rbl_surface_add(surface, &body_def, &body) == RBL_OK &&
	    measure(surface, body, shape, repeat, &t, &pairs)) {
		uint64_t hash =
			rbl_hash_bytes(RBL_HASH_START, pairs.pairs, (size_t)pairs.count * sizeof *pairs.pairs);
		rbl_surface_stats stats = rbl_surface_get_stats(surface);
		bench_row(b, name, variant, "dcd_ms", t.whole, "ms");
		bench_row(b, name, variant, "update_ms", t.update, "ms");
		bench_row(b, name, variant, "traverse_ms", t.query, "ms");
		bench_row(b, name, variant, "pairs", pairs.count, "");
		bench_row(b, name, variant, "tests", (double)stats.tests, "");
		bench_row(b, name, variant, "bytes_per_triangle",
		          (double)stats.memory / (double)stats.triangle_count, "B");
		if (end->vertex_count)
			run_step(b, name, variant, surface, body, shape, end);
		bool may_miss = culling == RBL_CULL_CONE || culling == RBL_CULL_NORMAL_CONE ||
		                culling == RBL_CULL_REAL_CONTOUR;
		bench_row(b, name, variant, "misses", models[index].pairs - pairs.count, "");
		if (!may_miss && pairs.count != models[index].pairs)
			bench_fail(b, name, variant, "not the known number of pairs");
		else if (!may_miss)
			bench_check(b, name, variant, hash, 0);
	} else {
		bench_fail(b, name, variant, "failed");
	}
	rbl_destroy_surface(surface);
}

/// From nothing to the pairs, as others do it: make a surface, add the body, update, collide.
static void run_from_scratch(bench *b, int index, const bunny *shape)
{
	const char *name = models[index].name, *variant = "from-scratch";
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface_body_def body_def = rbl_default_surface_body_def();
	body_def.vertex_count = shape->vertex_count, body_def.positions = shape->positions;
	body_def.triangle_count = shape->triangle_count, body_def.triangles = shape->triangles;
	double least = 1e30;
	int repeat = bench_repeat(b) ? bench_repeat(b) : bench_is_quick(b) ? 2 : 7;
	for (int i = 0; i < repeat; ++i) {
		rbl_surface *surface = NULL;
		rbl_surface_body_id body;
		rbl_surface_pairs pairs = { NULL, 0 };
		uint64_t begin = now_ns();
		bool is_done = rbl_create_surface(&def, &surface) == RBL_OK &&
		               rbl_surface_add(surface, &body_def, &body) == RBL_OK &&
		               rbl_surface_update(surface, RBL_SURFACE_DISCRETE) == RBL_OK &&
		               rbl_surface_collide(surface, &pairs) == RBL_OK;
		keep_least(&least, 1e-6 * (double)(now_ns() - begin));
		bool is_right = is_done && pairs.count == models[index].pairs;
		rbl_destroy_surface(surface);
		if (!is_right) {
			bench_fail(b, name, variant, "not the known number of pairs");
			return;
		}
	}
	bench_row(b, name, variant, "dcd_ms", least, "ms");
	bench_row(b, name, variant, "pairs", models[index].pairs, "");
}

static void run_hash(bench *b, int index, const bunny *shape, bool is_plain)
{
	const char *name = models[index].name, *variant = is_plain ? "hash-plain" : "hash";
	surface_hash hash = { .is_plain = is_plain };
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface_body_def body_def = rbl_default_surface_body_def();
	body_def.vertex_count = shape->vertex_count, body_def.positions = shape->positions;
	body_def.triangle_count = shape->triangle_count, body_def.triangles = shape->triangles;
	rbl_surface *surface = NULL;
	rbl_surface_body_id body;
	double least = 1e30;
	int found = -1;
	if (rbl_create_surface(&def, &surface) == RBL_OK &&
	    rbl_surface_add(surface, &body_def, &body) == RBL_OK)
		for (int i = 0; i < (is_plain ? 1 : 3); ++i) {
			uint64_t begin = now_ns();
			found = surface_hash_collide(&hash, surface);
			keep_least(&least, 1e-6 * (double)(now_ns() - begin));
		}
	if (found == models[index].pairs) {
		bench_row(b, name, variant, "dcd_ms", least, "ms");
		bench_row(b, name, variant, "pairs", found, "");
		bench_row(b, name, variant, "tests", (double)hash.tests, "");
	} else {
		bench_fail(b, name, variant, "not the known number of pairs");
	}
	surface_hash_free(&hash);
	rbl_destroy_surface(surface);
}

static void run_peers(bench *b, int index, const bunny *shape)
{
#ifdef RBL_HAVE_PEERS
	const char *name = models[index].name;
	surface_peer_mesh mesh = { &shape->positions[0].x, shape->triangles, shape->vertex_count,
		                       shape->triangle_count, models[index].is_doubled };
	int *pairs = malloc(2 * MOST_PAIRS * sizeof *pairs);
	for (int i = 0; surface_peers[i] && pairs; ++i) {
		const surface_peer *peer = surface_peers[i];
		int count, repeat = bench_repeat(b) ? bench_repeat(b) : 3;
		double ms = peer->self_collide(&mesh, repeat, pairs, MOST_PAIRS, &count);
		if (count == SURFACE_PEER_CANNOT)
			continue;
		if (count < 0 || count > MOST_PAIRS) {
			bench_fail(b, name, peer->name, "refused");
			continue;
		}
		bench_row(b, name, peer->name, "dcd_ms", ms, "ms");
		bench_row(b, name, peer->name, "pairs", count, "");
		bench_check(b, name, peer->name,
		            rbl_hash_bytes(RBL_HASH_START, pairs, 2 * (size_t)count * sizeof *pairs), 0);
	}
	free(pairs);
#else
	(void)b, (void)index, (void)shape;
#endif
}

void surface_run_models(bench *b)
{
	for (int i = 0; i < (int)(sizeof models / sizeof models[0]); ++i) {
		bunny rest = { 0 }, shape = { 0 }, end = { 0 };
		if (!bench_wants(b, models[i].name) || (bench_is_quick(b) && models[i].triangles > 100000))
			continue;
		if (make_model(i, &rest) && bunny_copy(&shape, &rest)) {
			if (models[i].is_crumpled)
				bunny_crumple(&shape, 1.6);
			if (bunny_copy(&end, &rest)) // a step: crumple a little, or more
				bunny_crumple(&end, models[i].is_crumpled ? 1.65 : 0.05);
			run_ours(b, i, &rest, &shape, &end, RBL_CULL_EXACT, "exact");
			run_ours(b, i, &rest, &shape, &end, RBL_CULL_CONE, "cone");
			run_ours(b, i, &rest, &shape, &end, RBL_CULL_NORMAL_CONE, "normal-cone");
			run_ours(b, i, &rest, &shape, &end, RBL_CULL_CONTOUR, "contour");
			run_ours(b, i, &rest, &shape, &end, RBL_CULL_REAL_CONTOUR, "contour-real");
			run_ours(b, i, &rest, &shape, &end, RBL_CULL_NONE, "none");
			run_from_scratch(b, i, &shape);
			run_hash(b, i, &shape, false);
			run_hash(b, i, &shape, true);
			run_peers(b, i, &shape);
		} else {
			bench_skip(b, models[i].name, "its model is not there");
		}
		bunny_free(&rest);
		bunny_free(&shape);
		bunny_free(&end);
	}
}
