// SPDX-License-Identifier: MIT
// ctest: threads soak
// Searches end early, and say what the whole list says: the first impacts, whether there is one,
// also from candidates that are kept, for any number of workers.

#include "surface/comparison.h"
#include "surface/reference.h"

#include "faulty_allocator.h"
#include "scenes/surfaces.h"

#include <rubble/jobs.h>
#include <rubble/surface.h>

enum { PLAYERS = 3 };

static const int worker_counts[PLAYERS] = { 0, 1, 4 };
static const float untils[3] = { 1.0f, 0.4f, 0.02f };

static int by_time(const void *a, const void *b)
{
	const rbl_surface_hit *h = a, *g = b;
	if (h->time != g->time)
		return h->time < g->time ? -1 : 1;
	if (h->kind != g->kind)
		return h->kind < g->kind ? -1 : 1;
	if (h->a != g->a)
		return h->a < g->a ? -1 : 1;
	return h->b < g->b ? -1 : h->b > g->b;
}

static bool is_same_hit(const rbl_surface_hit *a, const rbl_surface_hit *b)
{
	return by_time(a, b) == 0 && a->u == b->u && a->v == b->v && a->normal.x == b->normal.x &&
	       a->is_at_start == b->is_at_start && !a->is_parting && !b->is_parting;
}

// Impacts of a whole list, by time; the caller's to free.
static rbl_surface_hit *list_impacts(test *t, rbl_surface *s, int *count)
{
	rbl_surface_hits hits;
	CHECK(t, rbl_surface_sweep(s, &hits) == RBL_OK);
	rbl_surface_hit *list = malloc((size_t)(hits.count + 1) * sizeof *list);
	*count = 0;
	for (int i = 0; i < hits.count; ++i)
		if (!hits.hits[i].is_parting)
			list[(*count)++] = hits.hits[i];
	qsort(list, (size_t)*count, sizeof *list, by_time);
	return list;
}

static void check_searches(test *t, rbl_surface *s, const rbl_surface_hit *impacts, int count)
{
	for (int i = 0; i < 3; ++i) {
		int before = 0;
		while (before < count && impacts[before].time <= untils[i])
			before++;
		float share;
		bool has_hit;
		CHECK(t, rbl_surface_max_step(s, untils[i], &share) == RBL_OK);
		CHECK(t, share == (before ? impacts[0].time : untils[i]));
		CHECK(t, rbl_surface_has_hit(s, untils[i], &has_hit) == RBL_OK && has_hit == (before > 0));
		const int limits[3] = { 1, 7, 1 << 20 };
		for (int k = 0; k < 3; ++k) {
			rbl_surface_hits first;
			CHECK(t, rbl_surface_first_hits(s, untils[i], limits[k], &first) == RBL_OK);
			CHECK(t, first.count == rbl_mini(before, limits[k]));
			for (int n = 0; n < first.count; ++n)
				CHECK(t, is_same_hit(&first.hits[n], &impacts[n]));
		}
	}
}

// Everything that can be asked of one step. @return the number of impacts
static int ask_everything(test *t, rbl_surface *s)
{
	int count, kept;
	rbl_surface_hit *impacts = list_impacts(t, s, &count);
	check_searches(t, s, impacts, count);
	CHECK(t, rbl_surface_keep_candidates(s, 0.0f, &kept) == RBL_OK && kept >= count);
	check_searches(t, s, impacts, count);
	// What a search leaves behind does not spoil whole lists.
	rbl_surface_hits again;
	CHECK(t, rbl_surface_sweep(s, &again) == RBL_OK && reference_check_hits(s, again) == 0);
	free(impacts);
	return count;
}

static void searches_agree_with_the_whole_list(test *t)
{
	rbl_random random = rbl_random_from_seed(12);
	int impacts = 0, free_steps = 0;
	for (int round = 0; round < test_count(40, 3000); ++round) {
		rbl_surface_def def = rbl_default_surface_def();
		rbl_surface *s;
		CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
		for (int i = 0; i < 3; ++i) {
			reference_mesh mesh = reference_sheet(5, 4);
			double size = round % 4 == 3 ? 0.01 : round % 2 ? 0.3 : 2.0;
			for (int k = 0; k < mesh.vertex_count; ++k)
				mesh.positions[k].z += 0.7f * (float)i;
			if (round % 3 == 0)
				reference_crumple(&mesh, &random);
			rbl_surface_body_id body = reference_add(t, s, &mesh);
			for (int k = 0; k < mesh.vertex_count; ++k)
				mesh.positions[k] = rbl_add(
					mesh.positions[k], rbl_to_f(rbl_scale_d(size, rbl_random_in_ball(&random))));
			CHECK(t, rbl_surface_move(s, body, NULL, mesh.positions) == RBL_OK);
			reference_mesh_free(&mesh);
		}
		CHECK(t, rbl_surface_update(s, RBL_SURFACE_CONTINUOUS) == RBL_OK);
		int count = ask_everything(t, s);
		impacts += count, free_steps += count == 0;
		rbl_destroy_surface(s);
	}
	CHECK(t, impacts > 1000 && free_steps > 2);
}

// --- workers and scenes -------------------------------------------------------------------------

typedef struct player {
	rbl_jobs *jobs;
	rbl_surface *surface;
	surface_scene *scene;
} player;

static player make_player(test *t, surface_kind kind, int divisor, int workers, float thickness)
{
	player p = { NULL, NULL, surface_scene_create(kind, divisor) };
	rbl_surface_def def = rbl_default_surface_def();
	rbl_jobs_def jobs_def = rbl_default_jobs_def();
	jobs_def.worker_count = workers;
	if (workers > 0)
		CHECK(t, rbl_create_jobs(&jobs_def, &p.jobs) == RBL_OK);
	def.jobs = p.jobs, def.thickness = thickness;
	CHECK(t, rbl_create_surface(&def, &p.surface) == RBL_OK);
	rbl_surface_always_share(p.surface);
	CHECK(t, p.scene && surface_scene_begin(p.scene, p.surface));
	return p;
}

static void free_player(player *p)
{
	rbl_destroy_surface(p->surface);
	surface_scene_destroy(p->scene);
	rbl_destroy_jobs(p->jobs);
}

// One frame, by trees or by candidates. @return whether there is an impact
static bool check_frame(test *t, const player *players, bool is_kept)
{
	float shares[PLAYERS];
	rbl_surface_hits first[PLAYERS], hits;
	for (int i = 0; i < PLAYERS; ++i) {
		rbl_surface *s = players[i].surface;
		int kept = 0;
		CHECK(t, !is_kept || rbl_surface_keep_candidates(s, 0.0f, &kept) == RBL_OK);
		CHECK(t, rbl_surface_max_step(s, 1.0f, &shares[i]) == RBL_OK);
		CHECK(t, rbl_surface_first_hits(s, 1.0f, 20, &first[i]) == RBL_OK);
		CHECK(t, first[i].count == first[0].count && shares[i] == shares[0]);
		CHECK(t, shares[i] == (first[i].count ? first[i].hits[0].time : 1.0f));
		for (int k = 0; k < first[i].count && first[i].count == first[0].count; ++k)
			CHECK(t, is_same_hit(&first[i].hits[k], &first[0].hits[k]));
	}
	CHECK(t, rbl_surface_sweep(players[0].surface, &hits) == RBL_OK);
	float least = 1.0f;
	for (int i = 0; i < hits.count; ++i)
		least = hits.hits[i].is_parting ? least : rbl_minf(least, hits.hits[i].time);
	bool has_thickness = players[0].surface->def.thickness > 0.0f;
	CHECK(t, has_thickness ? shares[0] <= least : shares[0] == least);
	return shares[0] < 1.0f;
}

static void play(test *t, surface_kind kind, int divisor, float thickness)
{
	player players[PLAYERS];
	int found = 0;
	for (int i = 0; i < PLAYERS; ++i)
		players[i] = make_player(t, kind, divisor, worker_counts[i], thickness);
	for (int frame = 0; frame < surface_scene_frames(kind); ++frame) {
		bool is_broken, is_asked = frame % test_count(6, 1) == 0;
		for (int i = 0; i < PLAYERS; ++i) {
			CHECK(t, surface_scene_step(players[i].scene, players[i].surface, &is_broken));
			CHECK(t, rbl_surface_update(players[i].surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
		}
		if (is_asked || is_broken)
			found += check_frame(t, players, frame % 12 == 0);
	}
	for (int i = 0; i < PLAYERS; ++i)
		free_player(&players[i]);
	printf("%s: impacts in %d frames\n", surface_scene_name(kind), found);
	CHECK(t, found > 0);
}

static void workers_do_not_change_the_answer(test *t)
{
	play(t, SURFACE_EXPLODE, test_count(24, 8), 0.0f);
	play(t, SURFACE_NBODY, test_count(4, 2), 0.0f);
	play(t, SURFACE_WALLS, test_count(6, 2), 0.0f);
	play(t, SURFACE_NBODY, test_count(4, 2), 0.02f);
	play(t, SURFACE_WALLS, test_count(6, 2), 0.01f);
}

// A search tests less than the list needs, the more so when any impact will do.
static void a_search_ends_early(test *t)
{
	surface_scene *scene = surface_scene_create(SURFACE_NBODY, 2);
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *s;
	int64_t tests[4] = { 0, 0, 0, 0 };
	CHECK(t, rbl_create_surface(&def, &s) == RBL_OK && surface_scene_begin(scene, s));
	for (int frame = 0; frame < 60; ++frame) {
		bool is_broken, has_hit;
		float share;
		rbl_surface_hits hits;
		rbl_surface_pairs pairs;
		CHECK(t, surface_scene_step(scene, s, &is_broken));
		CHECK(t, rbl_surface_update(s, RBL_SURFACE_CONTINUOUS) == RBL_OK);
		CHECK(t, rbl_surface_sweep(s, &hits) == RBL_OK);
		tests[0] += rbl_surface_get_stats(s).tests;
		CHECK(t, rbl_surface_max_step(s, 1.0f, &share) == RBL_OK);
		tests[1] += rbl_surface_get_stats(s).tests;
		CHECK(t, rbl_surface_has_hit(s, 1.0f, &has_hit) == RBL_OK && has_hit == (hits.count > 0));
		tests[2] += rbl_surface_get_stats(s).tests;
		if (frame % 10)
			continue;
		CHECK(t, rbl_surface_update(s, RBL_SURFACE_DISCRETE) == RBL_OK);
		CHECK(t, rbl_surface_collide(s, &pairs) == RBL_OK);
		int count = pairs.count;
		CHECK(t, rbl_surface_has_pair(s, &has_hit) == RBL_OK && has_hit == (count > 0));
		CHECK(t, rbl_surface_collide(s, &pairs) == RBL_OK && pairs.count == count);
		tests[3] += has_hit;
	}
	printf("tests: %lld for lists, %lld for the first, %lld for any\n", (long long)tests[0],
	       (long long)tests[1], (long long)tests[2]);
	CHECK(t, tests[0] > 1000 && 4 * tests[1] < tests[0] && 8 * tests[2] < tests[0]);
	CHECK(t, tests[3] > 0);
	rbl_destroy_surface(s);
	surface_scene_destroy(scene);
}

static void apart_surfaces_have_no_pair(test *t)
{
	reference_mesh mesh = reference_sheet(4, 4);
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *s;
	bool has_pair = true;
	CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
	reference_add(t, s, &mesh);
	CHECK(t, rbl_surface_update(s, RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_has_pair(s, &has_pair) == RBL_OK && !has_pair);
	rbl_destroy_surface(s);
	reference_mesh_free(&mesh);
}

// --- candidates ---------------------------------------------------------------------------------

// How far apart two features are at a time, and how far off that may be.
static rbl_closest closest_at(const rbl_surface *s, rbl_ccd_kind kind, const int v[4], double time)
{
	rbl_vec3d p[4];
	rbl_closest closest;
	for (int i = 0; i < 4; ++i) {
		rbl_vec3d start = rbl_to_d(s->positions[0][v[i]]), end = rbl_to_d(s->positions[1][v[i]]);
		p[i] = rbl_add_scaled_d(start, time, rbl_sub_d(end, start));
	}
	rbl_ccd_closest(kind, p, &closest);
	return closest;
}

// All that is within a distance, by brute force. @return the number of pairs that are listed wrongly
static int compare_near(const rbl_surface *s, rbl_surface_near_pairs list, double time,
                        double distance)
{
	int wrong = 0, at = 0;
	for (int v = 0; v < s->vertex_end; ++v)
		for (int f = 0; f < s->triangle_end; ++f) {
			reference_quad q = reference_face_quad(s, v, f);
			if (v == q.v[1] || v == q.v[2] || v == q.v[3])
				continue;
			rbl_closest c = closest_at(s, RBL_CCD_VERTEX_FACE, q.v, time);
			const rbl_surface_near_pair *pair = &list.pairs[at];
			bool is_listed = at < list.count && pair->kind == RBL_HIT_VERTEX_FACE && pair->a == v &&
			                 pair->b == f;
			at += is_listed;
			wrong += is_listed ? c.distance > distance + c.rounding || pair->time != (float)time ||
			                         fabs((double)pair->distance - c.distance) > 1e-6
			                   : c.distance <= distance;
		}
	for (int h = 0; h < 3 * s->triangle_end; ++h)
		for (int g = h + 1; g < 3 * s->triangle_end; ++g) {
			if (!reference_owns(s, h) || !reference_owns(s, g))
				continue;
			const int v[4] = { s->triangles[h], s->triangles[rbl_surface_next(h)], s->triangles[g],
				               s->triangles[rbl_surface_next(g)] };
			if (v[0] == v[2] || v[0] == v[3] || v[1] == v[2] || v[1] == v[3])
				continue;
			rbl_closest c = closest_at(s, RBL_CCD_EDGE_EDGE, v, time);
			const rbl_surface_near_pair *pair = &list.pairs[at];
			bool is_listed =
				at < list.count && pair->kind == RBL_HIT_EDGE_EDGE && pair->a == h && pair->b == g;
			at += is_listed;
			wrong += is_listed ? c.distance > distance + c.rounding : c.distance <= distance;
		}
	return wrong + (at != list.count);
}

static void candidates_hold_all_that_comes_near(test *t)
{
	rbl_random random = rbl_random_from_seed(33);
	int found = 0;
	for (int round = 0; round < test_count(12, 400); ++round) {
		reference_mesh mesh = reference_sheet(4, 3);
		rbl_surface_def def = rbl_default_surface_def();
		rbl_surface *s;
		CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
		rbl_surface_body_id body = reference_add(t, s, &mesh);
		for (int k = 0; k < mesh.vertex_count; ++k)
			mesh.positions[k].z += 0.4f;
		reference_add(t, s, &mesh);
		for (int k = 0; k < mesh.vertex_count; ++k)
			mesh.positions[k] =
				rbl_add(mesh.positions[k], rbl_to_f(rbl_scale_d(1.0, rbl_random_in_ball(&random))));
		CHECK(t, rbl_surface_move(s, body, NULL, mesh.positions) == RBL_OK);
		CHECK(t, rbl_surface_update(s, RBL_SURFACE_CONTINUOUS) == RBL_OK);
		int kept;
		CHECK(t, rbl_surface_keep_candidates(s, 0.3f, &kept) == RBL_OK && kept > 0);
		for (int k = 0; k <= 4; ++k) {
			float share = 0.25f * (float)k, distance = k % 2 ? 0.3f : 0.1f;
			rbl_surface_near_pairs list;
			CHECK(t, rbl_surface_proximity_at(s, share, distance, &list) == RBL_OK);
			CHECK(t, compare_near(s, list, (double)share, (double)distance) == 0);
			found += list.count;
		}
		rbl_destroy_surface(s);
		reference_mesh_free(&mesh);
	}
	CHECK(t, found > 500);
}

// --- refusals -----------------------------------------------------------------------------------

static rbl_surface *make_falling(test *t, const rbl_allocator *allocator)
{
	reference_mesh mesh = reference_sheet(6, 6);
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *s = NULL;
	if (allocator)
		def.allocator = *allocator;
	CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
	reference_add(t, s, &mesh);
	for (int k = 0; k < mesh.vertex_count; ++k)
		mesh.positions[k] = rbl_add(mesh.positions[k], (rbl_vec3){ 0.3f, 0.2f, 0.5f });
	rbl_surface_body_id body = reference_add(t, s, &mesh);
	for (int k = 0; k < mesh.vertex_count; ++k)
		mesh.positions[k].z -= 1.0f + 0.1f * (float)(k % 5);
	CHECK(t, rbl_surface_move(s, body, NULL, mesh.positions) == RBL_OK);
	reference_mesh_free(&mesh);
	return s;
}

static void bad_questions_are_refused(test *t)
{
	rbl_surface *s = make_falling(t, NULL);
	float share = 7.0f;
	bool has_any = true;
	int count = 7;
	rbl_surface_hits hits = { NULL, 7 };
	rbl_surface_near_pairs list = { NULL, 7 };
	CHECK(t, rbl_surface_max_step(s, 1.0f, &share) == RBL_BAD_ARGUMENT && share == 0.0f);
	CHECK(t, rbl_surface_update(s, RBL_SURFACE_CONTINUOUS) == RBL_OK);
	CHECK(t, rbl_surface_proximity_at(s, 0.5f, 0.0f, &list) == RBL_BAD_ARGUMENT);
	CHECK(t, list.count == 0);
	const float bad[4] = { 0.0f, -1.0f, 1.5f, NAN };
	for (int i = 0; i < 4; ++i) {
		CHECK(t, rbl_surface_max_step(s, bad[i], &share) == RBL_BAD_ARGUMENT);
		CHECK(t, rbl_surface_has_hit(s, bad[i], &has_any) == RBL_BAD_ARGUMENT && !has_any);
		CHECK(t, rbl_surface_first_hits(s, bad[i], 1, &hits) == RBL_BAD_ARGUMENT);
	}
	CHECK(t, rbl_surface_first_hits(s, 1.0f, 0, &hits) == RBL_BAD_ARGUMENT && hits.count == 0);
	CHECK(t, rbl_surface_max_step(NULL, 1.0f, &share) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_max_step(s, 1.0f, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_has_pair(s, &has_any) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_keep_candidates(s, -1.0f, &count) == RBL_BAD_ARGUMENT && count == 0);
	CHECK(t, rbl_surface_keep_candidates(s, NAN, &count) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_keep_candidates(s, 0.1f, &count) == RBL_OK && count > 0);
	CHECK(t, rbl_surface_proximity_at(s, 1.5f, 0.1f, &list) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_proximity_at(s, 0.5f, 0.2f, &list) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_proximity_at(s, 0.5f, 0.1f, &list) == RBL_OK);
	// Candidates are those of one step.
	CHECK(t, rbl_surface_update(s, RBL_SURFACE_CONTINUOUS) == RBL_OK);
	CHECK(t, rbl_surface_proximity_at(s, 0.5f, 0.1f, &list) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_update(s, RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_keep_candidates(s, 0.1f, &count) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_max_step(s, 1.0f, &share) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_has_pair(s, &has_any) == RBL_OK);
	rbl_destroy_surface(s);
}

static void searches_survive_failed_allocations(test *t)
{
	bool is_done = false;
	for (int n = 0; !is_done && n < 1000; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, LLONG_MAX / 2);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_surface *s = make_falling(t, &allocator);
		CHECK(t, rbl_surface_update(s, RBL_SURFACE_CONTINUOUS) == RBL_OK);
		atomic_store(&memory.allowed, n);
		float share, again;
		int kept;
		rbl_surface_hits hits;
		rbl_surface_near_pairs list;
		rbl_result results[5] = { rbl_surface_first_hits(s, 1.0f, 3, &hits),
			                      rbl_surface_max_step(s, 1.0f, &share),
			                      rbl_surface_keep_candidates(s, 0.2f, &kept),
			                      rbl_surface_first_hits(s, 1.0f, 3, &hits), RBL_OK };
		if (results[2] == RBL_OK)
			results[4] = rbl_surface_proximity_at(s, 0.5f, 0.2f, &list);
		is_done = true;
		for (int i = 0; i < 5; ++i) {
			CHECK(t, results[i] == RBL_OK || results[i] == RBL_OUT_OF_MEMORY);
			is_done &= results[i] == RBL_OK;
		}
		faulty_rest(&memory);
		CHECK(t, rbl_surface_max_step(s, 1.0f, &share) == RBL_OK);
		CHECK(t, rbl_surface_keep_candidates(s, 0.2f, &kept) == RBL_OK);
		CHECK(t, rbl_surface_max_step(s, 1.0f, &again) == RBL_OK && share == again && share < 0.6f);
		rbl_destroy_surface(s);
		CHECK(t, memory.live_bytes == 0);
	}
	CHECK(t, is_done);
}

TEST_MAIN(TEST(searches_agree_with_the_whole_list), TEST(workers_do_not_change_the_answer),
          TEST(a_search_ends_early), TEST(apart_surfaces_have_no_pair),
          TEST(candidates_hold_all_that_comes_near), TEST(bad_questions_are_refused),
          TEST(searches_survive_failed_allocations))
