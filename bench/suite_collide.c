// SPDX-License-Identifier: MIT
//
// The narrow phase: nanoseconds per pair, by how far apart the two are and by what is remembered of
// them. Hulls of twelve random points, about half a metre; a step moves each pair by 2 mm and half
// a degree. `cold` clears the cache of every pair before each step, `cached` keeps it.

#include "bench.h"

#include "base/hash.h"
#include "base/random.h"
#include "base/vec.h"
#include "collide/collide.h"
#include "collide/collider.h"
#include "collide/pair.h"

#include <rubble/hull.h>

#include <stdio.h>
#include <stdlib.h>

#ifdef RBL_HAVE_BULLET
#include "collide_peers.h"
#endif

enum { HULLS = 64, POINTS = 12, PAIRS = 1024 };
static const float margin = 0.02f;

typedef struct pair_scene {
	rbl_collider *hulls[HULLS];
	rbl_convex *convexes[HULLS];
	float points[HULLS][POINTS][3];
	const rbl_polyhedron *shapes[PAIRS][2];
	int pairs[PAIRS][2];
	rbl_transform poses[2][PAIRS][2]; // two steps
	rbl_sat_cache caches[PAIRS];
	rbl_manifold manifolds[PAIRS];
	rbl_contacts *contacts;
	rbl_collide_counts counts;
	int step;
	bool is_cold;
	float sum;
} pair_scene;

static rbl_quat random_rotation(rbl_random *random)
{
	rbl_vec3d p = rbl_random_in_ball(random);
	float w = (float)rbl_random_range(random, -1.0, 1.0);
	return rbl_quat_normalize((rbl_quat){ (float)p.x, (float)p.y, (float)p.z, w });
}

static rbl_convex *make_convex(rbl_random *random, float points[POINTS][3])
{
	rbl_vec3d list[POINTS];
	rbl_vec3d half = { rbl_random_range(random, 0.2, 0.3), 0.0, 0.0 };
	half.y = rbl_random_range(random, 0.2, 0.3);
	half.z = rbl_random_range(random, 0.2, 0.3);
	for (int i = 0; i < POINTS; ++i) {
		rbl_vec3d p = rbl_normalize_d(rbl_random_in_ball(random));
		double jitter = rbl_random_range(random, 0.9, 1.1);
		list[i] = rbl_scale_d(jitter, rbl_mul_d(p, half));
		points[i][0] = (float)list[i].x, points[i][1] = (float)list[i].y;
		points[i][2] = (float)list[i].z;
	}
	rbl_hull_def hull_def = rbl_default_hull_def();
	hull_def.points = list, hull_def.point_count = POINTS;
	rbl_hull *hull = NULL;
	rbl_mesh *mesh = NULL;
	rbl_convex *convex = NULL;
	rbl_convex_def def = rbl_default_convex_def();
	if (rbl_create_hull(&hull_def, &hull) == RBL_OK &&
	    rbl_hull_create_mesh(hull, NULL, &mesh) == RBL_OK) {
		def.mesh = mesh;
		rbl_create_convex(&def, &convex);
	}
	rbl_destroy_mesh(mesh);
	rbl_destroy_hull(hull);
	return convex;
}

// B is moved along the line between nearest or deepest points until the gap is `apart`.
static void place(pair_scene *s, rbl_random *random, int i, float apart)
{
	rbl_transform *a = &s->poses[0][i][0], *b = &s->poses[0][i][1];
	rbl_vec3d p = rbl_normalize_d(rbl_random_in_ball(random));
	*a = (rbl_transform){ { 0.0f, 0.0f, 0.0f }, random_rotation(random) };
	*b = (rbl_transform){ rbl_to_f(rbl_scale_d(0.8, p)), random_rotation(random) };
	for (int k = 0; k < 12; ++k) {
		rbl_polyhedron_pair pair =
			rbl_polyhedron_pair_make(s->shapes[i][0], *a, s->shapes[i][1], *b);
		rbl_separation gap = rbl_polyhedron_pair_distance(&pair, FLT_MAX);
		b->position = rbl_add_scaled(b->position, apart - gap.distance, gap.normal);
	}
	s->poses[1][i][0] = *a, s->poses[1][i][1] = *b;
	rbl_transform *next = &s->poses[1][i][1];
	rbl_vec3 direction = rbl_to_f(rbl_random_in_ball(random)),
			 axis = rbl_to_f(rbl_random_in_ball(random));
	next->position = rbl_add_scaled(b->position, 0.002f, rbl_normalize(direction));
	axis = rbl_scale(0.0044f, rbl_normalize(axis)); // half of half a degree
	next->rotation =
		rbl_quat_normalize(rbl_quat_mul((rbl_quat){ axis.x, axis.y, axis.z, 1.0f }, b->rotation));
}

static pair_scene *open_scene(void)
{
	pair_scene *s = calloc(1, sizeof *s);
	rbl_random random = rbl_random_from_seed(1);
	for (int h = 0; s && h < HULLS; ++h) {
		rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_CONVEX);
		def.convex = s->convexes[h] = make_convex(&random, s->points[h]);
		rbl_create_collider(&def, &s->hulls[h]);
	}
	return s;
}

static void close_scene(pair_scene *s)
{
	for (int h = 0; h < HULLS; ++h) {
		rbl_destroy_collider(s->hulls[h]);
		rbl_destroy_convex(s->convexes[h]);
	}
	free(s);
}

static void next_step(void *context)
{
	pair_scene *s = context;
	s->step ^= 1;
	if (s->is_cold)
		memset(s->caches, 0, sizeof s->caches);
}

static void collide_all(void *context)
{
	pair_scene *s = context;
	for (int i = 0; i < PAIRS; ++i)
		rbl_collide_pair(s->shapes[i][0], s->poses[s->step][i][0], s->shapes[i][1],
		                 s->poses[s->step][i][1], margin, &s->caches[i], &s->manifolds[i],
		                 &s->counts);
	bench_keep(s);
}

static void measure_all(void *context)
{
	pair_scene *s = context;
	for (int i = 0; i < PAIRS; ++i) {
		rbl_polyhedron_pair pair = rbl_polyhedron_pair_make(s->shapes[i][0], s->poses[0][i][0],
		                                                    s->shapes[i][1], s->poses[0][i][1]);
		s->sum += rbl_gjk_distance(&pair, FLT_MAX).distance;
	}
	bench_keep(s);
}

static void report_points(bench *b, pair_scene *s, const char *name, const char *variant)
{
	int touching = 0, points = 0;
	for (int i = 0; i < PAIRS; ++i)
		touching += s->manifolds[i].point_count > 0, points += s->manifolds[i].point_count;
	bench_row(b, name, variant, "touching", touching, "pairs");
	bench_row(b, name, variant, "points", touching ? (double)points / touching : 0.0, "per pair");
	double all = (double)(s->counts.apart + s->counts.refreshed + s->counts.searched);
	bench_row(b, name, variant, "searched", (double)s->counts.searched / (all > 0.0 ? all : 1.0),
	          "");
}

static void run_variants(bench *b, pair_scene *s, const char *name)
{
	for (int cold = 1; cold >= 0; --cold) {
		const char *variant = cold ? "rubble-cold" : "rubble-cached";
		s->is_cold = cold;
		memset(s->caches, 0, sizeof s->caches);
		s->counts = (rbl_collide_counts){ 0, 0, 0 };
		bench_time(b, name, variant,
		           &(bench_job){ .run = collide_all,
		                         .prepare = next_step,
		                         .context = s,
		                         .items = PAIRS,
		                         .unit = "ns" });
		report_points(b, s, name, variant);
	}
}

static void run_bullet(bench *b, const pair_scene *s, const char *name)
{
#ifdef RBL_HAVE_BULLET
	static float poses[2][PAIRS][2][7];
	for (int step = 0; step < 2; ++step)
		for (int i = 0; i < PAIRS; ++i)
			for (int k = 0; k < 2; ++k)
				memcpy(poses[step][i][k], &s->poses[step][i][k], sizeof poses[step][i][k]);
	collide_peer_scene scene = { &s->points[0][0][0],
		                         HULLS,
		                         POINTS,
		                         &s->pairs[0][0],
		                         { &poses[0][0][0][0], &poses[1][0][0][0] },
		                         PAIRS,
		                         margin };
	int points = 0;
	double ns = collide_peer_bullet(&scene, bench_is_quick(b) ? 5 : 40, &points);
	bench_row(b, name, "bullet", "time", ns, "ns");
	bench_row(b, name, "bullet", "points", (double)points / PAIRS, "per pair");
#else
	(void)b, (void)s, (void)name;
#endif
}

static void run_hulls(bench *b)
{
	static const struct {
		const char *name;
		float apart;
	} cases[] = { { "hulls-apart", 0.1f },
		          { "hulls-near", 0.01f },
		          { "hulls-touching", -0.002f },
		          { "hulls-overlap", -0.01f },
		          { "hulls-deep", -0.1f } };
	for (size_t c = 0; c < sizeof cases / sizeof cases[0]; ++c) {
		if (!bench_wants(b, cases[c].name))
			continue;
		pair_scene *s = open_scene();
		rbl_random random = rbl_random_from_seed(2);
		for (int i = 0; i < PAIRS; ++i) {
			for (int k = 0; k < 2; ++k) {
				s->pairs[i][k] = (int)rbl_random_below(&random, HULLS);
				s->shapes[i][k] = s->hulls[s->pairs[i][k]]->polyhedron;
			}
			place(s, &random, i, cases[c].apart);
		}
		run_variants(b, s, cases[c].name);
		run_bullet(b, s, cases[c].name);
		if (cases[c].apart > 0.0f)
			bench_time(
				b, cases[c].name, "rubble-distance",
				&(bench_job){ .run = measure_all, .context = s, .items = PAIRS, .unit = "ns" });
		close_scene(s);
	}
}

// Small shapes against a hull and among each other, 5 mm deep.
static void run_kinds(bench *b)
{
	static const char *const names[] = { "box-box",     "box-hull",     "triangle-hull",
		                                 "sphere-hull", "capsule-hull", "capsule-capsule" };
	static rbl_small_polyhedron shapes[4]; // box, triangle, sphere, capsule
	rbl_polyhedron_from_box(&shapes[0], (rbl_vec3){ 0.0f, 0.0f, 0.0f },
	                        (rbl_vec3){ 0.2f, 0.1f, 0.25f });
	rbl_polyhedron_from_triangle(&shapes[1], (rbl_vec3){ -1.0f, 0.0f, -1.0f },
	                             (rbl_vec3){ 0.0f, 0.0f, 2.0f }, (rbl_vec3){ 1.5f, 0.0f, -1.0f });
	rbl_polyhedron_from_sphere(&shapes[2], (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 0.2f);
	rbl_polyhedron_from_capsule(&shapes[3], (rbl_vec3){ 0.0f, -0.1f, 0.0f },
	                            (rbl_vec3){ 0.0f, 0.2f, 0.0f }, 0.1f);
	static const int kinds[][2] = {
		{ 0, 0 }, { 0, -1 }, { 1, -1 }, { 2, -1 }, { 3, -1 }, { 3, 3 }
	};
	for (int c = 0; c < 6; ++c) {
		if (!bench_wants(b, names[c]))
			continue;
		pair_scene *s = open_scene();
		rbl_random random = rbl_random_from_seed(3);
		for (int i = 0; i < PAIRS; ++i) {
			for (int k = 0; k < 2; ++k)
				s->shapes[i][k] = kinds[c][k] >= 0 ? &shapes[kinds[c][k]].polyhedron
				                                   : s->hulls[i % HULLS]->polyhedron;
			place(s, &random, i, -0.005f);
		}
		run_variants(b, s, names[c]);
		close_scene(s);
	}
}

// Making the polyhedron of a convex, and the box around it.
static void make_all(void *context)
{
	pair_scene *s = context;
	for (int h = 0; h < HULLS; ++h) {
		rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_CONVEX);
		def.convex = s->convexes[h];
		rbl_destroy_collider(s->hulls[h]);
		rbl_create_collider(&def, &s->hulls[h]);
	}
}

static void bound_all(void *context)
{
	pair_scene *s = context;
	for (int h = 0; h < HULLS; ++h) {
		rbl_transform pose = { { 1.0f, 2.0f, (float)h }, { 0.5f, 0.5f, 0.5f, 0.5f } };
		s->sum += rbl_collider_bounds(s->hulls[h], pose).upper.x;
	}
	bench_keep(s);
}

static void run_making(bench *b)
{
	if (!bench_wants(b, "make"))
		return;
	pair_scene *s = open_scene();
	bench_time(b, "make", "rubble",
	           &(bench_job){ .run = make_all, .context = s, .items = HULLS, .unit = "ns" });
	bench_time(
		b, "make", "rubble",
		&(bench_job){
			.run = bound_all, .context = s, .metric = "bounds", .items = HULLS, .unit = "ns" });
	double bytes = 0.0;
	for (int h = 0; h < HULLS; ++h)
		bytes += (double)s->hulls[h]->size;
	bench_row(b, "make", "rubble", "memory", bytes / HULLS, "B");
	close_scene(s);
}

static void run(bench *b)
{
	run_hulls(b);
	run_kinds(b);
	run_making(b);
}

const bench_suite bench_suite_collide = { "collide", "manifolds, distances, polyhedra", run };
