// SPDX-License-Identifier: MIT
// ctest: threads
// Bodies that workers add together: twins as by sorting, clusters that are whole and the same for
// any number of workers, and a surface that is as before when memory runs out on the way.

#include "surface/clusters.h"

#include "base/random.h"

#include "faulty_allocator.h"
#include "test.h"

#include <rubble/jobs.h>

#include <stdlib.h>

enum { SIDE = 190, LARGE_VERTICES = (SIDE + 1) * (SIDE + 1), LARGE_TRIANGLES = 2 * SIDE * SIDE };

// --- twins --------------------------------------------------------------------------------------

static void make_soup(rbl_random *random, int *triangles, int triangle_count, int vertex_count)
{
	bool has_hub = rbl_random_below(random, 2) == 0;
	for (int t = 0; t < triangle_count; ++t) {
		int *v = triangles + 3 * (size_t)t;
		v[0] = has_hub ? 0 : (int)rbl_random_below(random, (uint32_t)vertex_count);
		do
			v[1] = (int)rbl_random_below(random, (uint32_t)vertex_count);
		while (v[1] == v[0]);
		do
			v[2] = (int)rbl_random_below(random, (uint32_t)vertex_count);
		while (v[2] == v[0] || v[2] == v[1]);
	}
}

// @return how many half-edges are at an edge that is not manifold
static int check_twins(test *t, const int *triangles, int triangle_count, int vertex_count,
                       rbl_jobs *jobs)
{
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	rbl_arena arena;
	rbl_arena_init(&arena, &allocator, 1 << 16);
	int count = 3 * triangle_count, bad = 0;
	int *found = malloc((size_t)count * sizeof *found),
		*wanted = malloc((size_t)count * sizeof *wanted);
	rbl_surface_edge_work work;
	CHECK(t, found && wanted && rbl_surface_edge_work_init(&work, &arena, count));
	for (int h = 0; h < count; ++h)
		rbl_surface_edge_work_add(&work, h, triangles[h], triangles[rbl_surface_next(h)]);
	rbl_surface_edge_work_sort(&work);
	rbl_surface_edge_work_join(&work, NULL, wanted);
	CHECK(t, rbl_surface_join_body(jobs, &arena, triangles, triangle_count, vertex_count, found));
	CHECK(t, memcmp(found, wanted, (size_t)count * sizeof *found) == 0);
	for (int h = 0; h < count; ++h)
		bad += found[h] < RBL_SURFACE_BOUNDARY;
	free(found);
	free(wanted);
	rbl_arena_destroy(&arena);
	return bad;
}

static rbl_jobs *make_jobs(test *t, int workers)
{
	rbl_jobs *jobs = NULL;
	rbl_jobs_def def = rbl_default_jobs_def();
	def.worker_count = workers;
	CHECK(t, rbl_create_jobs(&def, &jobs) == RBL_OK);
	return jobs;
}

static void twins_are_those_of_sorting(test *t)
{
	rbl_random random = rbl_random_from_seed(3);
	rbl_jobs *jobs = make_jobs(t, 3);
	int bad = 0, good = 0;
	for (int round = 0; round < 60; ++round) {
		int vertex_count = round < 50 ? 3 + (int)rbl_random_below(&random, 60) : 40000;
		int triangle_count = 1 + (int)rbl_random_below(&random, round < 50 ? 300 : 60000);
		int *triangles = malloc(3 * (size_t)triangle_count * sizeof *triangles);
		CHECK(t, triangles != NULL);
		make_soup(&random, triangles, triangle_count, vertex_count);
		int at_bad =
			check_twins(t, triangles, triangle_count, vertex_count, round & 1 ? jobs : NULL);
		bad += at_bad, good += 3 * triangle_count - at_bad;
		free(triangles);
	}
	CHECK(t, bad > 1000 && good > 1000);
	rbl_destroy_jobs(jobs);
}

// --- clusters -----------------------------------------------------------------------------------

typedef struct large_mesh {
	rbl_vec3 positions[LARGE_VERTICES];
	int triangles[3 * LARGE_TRIANGLES];
} large_mesh;

// A wavy sheet, its triangles in an order of their own.
static large_mesh *make_large(void)
{
	large_mesh *m = malloc(sizeof *m);
	rbl_random random = rbl_random_from_seed(9);
	for (int i = 0; m && i < LARGE_VERTICES; ++i) {
		float x = (float)(i % (SIDE + 1)), z = (float)(i / (SIDE + 1));
		float wave = (float)((i % (SIDE + 1)) % 24 - 12);
		m->positions[i] = (rbl_vec3){ x, 0.02f * wave * wave, z };
	}
	for (int i = 0, t = 0; m && i < SIDE * SIDE; ++i, t += 6) {
		int a = i / SIDE * (SIDE + 1) + i % SIDE, b = a + 1, c = a + SIDE + 1, d = c + 1;
		const int both[6] = { a, c, b, b, c, d };
		memcpy(m->triangles + t, both, sizeof both);
	}
	for (int i = LARGE_TRIANGLES - 1; m && i > 0; --i) {
		int k = (int)rbl_random_below(&random, (uint32_t)i + 1);
		for (int j = 0; j < 3; ++j) {
			int kept = m->triangles[3 * i + j];
			m->triangles[3 * i + j] = m->triangles[3 * k + j];
			m->triangles[3 * k + j] = kept;
		}
	}
	return m;
}

static rbl_result add_large(rbl_surface *surface, const large_mesh *m)
{
	rbl_surface_body_def def = rbl_default_surface_body_def();
	rbl_surface_body_id id;
	def.vertex_count = LARGE_VERTICES, def.positions = m->positions;
	def.triangle_count = LARGE_TRIANGLES, def.triangles = m->triangles;
	return rbl_surface_add(surface, &def, &id);
}

static void check_clusters(test *t, const rbl_surface *s)
{
	int *seen = calloc(LARGE_TRIANGLES, sizeof *seen), missing = 0, wrong = 0;
	CHECK(t, seen != NULL && s->cluster_count == s->cluster_end);
	for (int c = 0; c < s->cluster_end; ++c) {
		const rbl_surface_cluster *cluster = &s->cluster_data[c];
		wrong += cluster->count < 1 || cluster->count > RBL_SURFACE_CLUSTER_SIZE;
		for (int i = 0; i < cluster->count; ++i) {
			seen[cluster->triangles[i]]++;
			wrong += s->clusters[cluster->triangles[i]] != c;
		}
	}
	for (int i = 0; i < LARGE_TRIANGLES; ++i)
		missing += seen[i] != 1;
	CHECK(t, missing == 0 && wrong == 0);
	// As full as those of one part: 6.6 triangles each.
	CHECK(t, LARGE_TRIANGLES > 6 * s->cluster_count);
	for (int v = 0; v < LARGE_VERTICES; ++v)
		wrong += s->triangles[s->anchors[v]] != v || s->vertex_flags[v] != 0 ||
		         s->vertex_scratch[v] != 0;
	CHECK(t, wrong == 0);
	free(seen);
}

static void workers_make_the_same_body(test *t)
{
	large_mesh *m = make_large();
	CHECK(t, m != NULL);
	rbl_surface *all[3];
	rbl_jobs *jobs[3];
	for (int i = 0; i < 3; ++i) {
		jobs[i] = i > 0 ? make_jobs(t, 1 + i) : NULL;
		rbl_surface_def def = rbl_default_surface_def();
		def.jobs = jobs[i];
		CHECK(t, rbl_create_surface(&def, &all[i]) == RBL_OK && add_large(all[i], m) == RBL_OK);
		check_clusters(t, all[i]);
		const rbl_surface *s = all[i], *first = all[0];
		CHECK(t, s->cluster_end == first->cluster_end);
		for (int c = 0; c < first->cluster_end; ++c)
			CHECK(t, memcmp(s->cluster_data[c].triangles, first->cluster_data[c].triangles,
			                sizeof s->cluster_data[c].triangles) == 0);
		size_t size = LARGE_TRIANGLES * 3 * sizeof(int);
		CHECK(t, memcmp(s->twins, first->twins, size) == 0 &&
		             memcmp(s->triangles, first->triangles, size) == 0 &&
		             memcmp(s->anchors, first->anchors, LARGE_VERTICES * sizeof(int)) == 0);
		rbl_surface_pairs pairs;
		CHECK(t, rbl_surface_update(all[i], RBL_SURFACE_DISCRETE) == RBL_OK &&
		             rbl_surface_collide(all[i], &pairs) == RBL_OK && pairs.count == 0);
	}
	for (int i = 0; i < 3; ++i) {
		rbl_destroy_surface(all[i]);
		rbl_destroy_jobs(jobs[i]);
	}
	free(m);
}

static void a_large_body_survives_failed_allocations(test *t)
{
	large_mesh *m = make_large();
	CHECK(t, m != NULL);
	bool is_done = false;
	int failed = 0;
	for (int n = 0; !is_done && n < 200; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, LLONG_MAX / 2);
		rbl_surface_def def = rbl_default_surface_def();
		rbl_allocator allocator = FAULTY(&memory);
		def.allocator = allocator;
		rbl_surface *s;
		CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
		atomic_store(&memory.allowed, n);
		rbl_result result = add_large(s, m);
		CHECK(t, result == RBL_OK || result == RBL_OUT_OF_MEMORY);
		is_done = result == RBL_OK;
		failed += !is_done;
		CHECK(t, is_done || (s->triangle_count == 0 && s->cluster_count == 0));
		faulty_rest(&memory);
		rbl_destroy_surface(s);
		CHECK(t, memory.live_bytes == 0);
	}
	CHECK(t, is_done && failed > 5);
	free(m);
}

TEST_MAIN(TEST(twins_are_those_of_sorting), TEST(workers_make_the_same_body),
          TEST(a_large_body_survives_failed_allocations))
