// SPDX-License-Identifier: MIT
// ctest: threads soak
// Whatever happens to bodies about which something is certified, nothing is missed: forms, motions
// and calls that are chosen to make a certificate outlive its truth, against brute force.

#include "surface/comparison.h"
#include "surface/certificate_soak.h"
#include "worker_pool.h"

static void attacked_bodies_equal_brute_force(test *t)
{
	rbl_jobs *jobs = create_pool(2);
	int proven = 0, stars = 0, found = 0, lost = 0;
	for (int round = 0; round < test_count(40, 4000); ++round) {
		soak s = { .t = t, .random = rbl_random_from_seed((uint64_t)round + 4711) };
		s.fineness = 1, s.most_triangles = 260;
		faulty_init(&s.memory, 1LL << 60);
		rbl_surface_def def = rbl_default_surface_def();
		def.allocator = FAULTY(&s.memory);
		def.jobs = round % 2 ? jobs : NULL;
		def.restructuring = round % 5 ? RBL_RESTRUCTURE_COST : RBL_RESTRUCTURE_ALL;
		def.thickness = round % 3 ? 0.0f : 0.02f;
		CHECK(t, rbl_surface_create_comparison(&def, &s.surface) == RBL_OK);
		if (round % 4 == 1)
			rbl_surface_always_share(s.surface); // among workers
		s.surface->limits.bent_triangles = round % 5 < 3 ? 0 : RBL_SURFACE_BENT_TRIANGLES;
		s.is_calm = round % 3 == 2;
		if (s.is_calm)
			soak_add_layers(&s);
		for (int i = 0; i < 1 + round % 3 && !s.is_calm; ++i)
			soak_add_body(&s);
		int calm = 4 + soak_below(&s, 24);
		soak_play(&s, s.is_calm ? 100 : round % 16 == 7 ? 300 : 30, calm, 4);
		proven += s.proven, stars += s.stars, found += s.found, lost += s.lost;
		rbl_destroy_surface(s.surface);
		CHECK(t, s.memory.live_bytes == 0);
	}
	CHECK(t, proven > 200 && stars > 100 && found > 1000 && lost > 20);
	rbl_destroy_jobs(jobs);
}

// --- certificates that could outlive what they say ----------------------------------------------

static void start_soak(soak *s, test *t, uint64_t seed)
{
	*s = (soak){ .t = t, .random = rbl_random_from_seed(seed), .fineness = 1 };
	faulty_init(&s->memory, 1LL << 60);
	rbl_surface_def def = rbl_default_surface_def();
	def.allocator = FAULTY(&s->memory);
	CHECK(t, rbl_create_surface(&def, &s->surface) == RBL_OK);
}

static void move_on(soak *s, double angle)
{
	for (int i = 0; i < s->body_count; ++i) {
		places p = soak_places_of(s, s->bodies[i]);
		soak_turn_places(&p, (rbl_vec3d){ 0.0, 0.6, 0.8 }, angle, (rbl_vec3d){ 0.01, 0.0, 0.0 });
		CHECK(s->t, rbl_surface_move(s->surface, s->bodies[i], NULL, p.at) == RBL_OK);
		free(p.at);
	}
}

// A body is certified, or a star; it is bent under another grade, which certifies nothing, and
// rests.
static void other_grades_end_what_is_known(test *t)
{
	for (int kind = 0; kind < 4; ++kind) {
		soak s;
		start_soak(&s, t, 3);
		reference_mesh m = kind % 2 ? soak_make_ball(&s, 0.0) : reference_sheet(5, 4);
		s.bodies[s.body_count++] = reference_add(t, s.surface, &m);
		reference_mesh_free(&m);
		const rbl_surface_body *body = &s.surface->bodies.data[s.bodies[0].index];
		for (int step = 0; step < (kind % 2 ? 1 : 4); ++step) {
			move_on(&s, 0.1);
			soak_ask(&s, kind / 2);
		}
		CHECK(t, kind % 2 ? body->self.is_star : body->self.is_certified);
		CHECK(t, rbl_surface_set_culling(s.surface, RBL_CULL_NONE) == RBL_OK);
		places p = soak_places_of(&s, s.bodies[0]);
		soak_pull(&p, 8, 2.5);
		CHECK(t, rbl_surface_move(s.surface, s.bodies[0], NULL, p.at) == RBL_OK);
		free(p.at);
		soak_ask(&s, kind / 2);
		soak_ask(&s, kind / 2);
		CHECK(t, rbl_surface_set_culling(s.surface, RBL_CULL_EXACT) == RBL_OK);
		int before = s.found;
		soak_ask(&s, kind / 2);
		CHECK(t, kind / 2 || s.found > before);
		rbl_destroy_surface(s.surface);
	}
}

// Fold a sheet over, so that its halves go through each other.
static void fold_over(places *p)
{
	for (int i = 0; i < p->count; ++i)
		if (p->at[i].x > 2.5f)
			p->at[i] = (rbl_vec3){ 5.0f - p->at[i].x, p->at[i].y + 0.1f,
				                   0.4f * (p->at[i].x - 2.5f) - 0.35f };
}

// A sheet is certified, and then comes from elsewhere: its start is given, or it moves twice, or
// some of it moves before or after all of it. Each time the last move alone is rigid.
static void moves_that_are_not_followed_end_a_proof(test *t)
{
	for (int kind = 0; kind < 8; ++kind) {
		soak s;
		start_soak(&s, t, 9);
		reference_mesh m = reference_sheet(5, 4);
		s.bodies[s.body_count++] = reference_add(t, s.surface, &m);
		for (int step = 0; step < 4; ++step) { // to and fro, so that it ends where it was
			for (int i = 0; i < m.vertex_count; ++i)
				m.positions[i].z += step % 2 ? -0.5f : 0.5f;
			CHECK(t, rbl_surface_move(s.surface, s.bodies[0], NULL, m.positions) == RBL_OK);
			soak_ask(&s, false);
		}
		CHECK(t, s.surface->bodies.data[s.bodies[0].index].self.is_certified);
		reference_mesh_free(&m);
		places p = soak_places_of(&s, s.bodies[0]), q = soak_places_of(&s, s.bodies[0]);
		fold_over(&p);
		fold_over(&q);
		for (int i = 0; i < q.count; ++i)
			q.at[i].z += 0.25f;
		if (kind / 2 == 0) {
			CHECK(t, rbl_surface_move(s.surface, s.bodies[0], p.at, q.at) == RBL_OK);
		} else if (kind / 2 == 1) {
			CHECK(t, rbl_surface_move(s.surface, s.bodies[0], NULL, p.at) == RBL_OK);
			CHECK(t, rbl_surface_move(s.surface, s.bodies[0], NULL, q.at) == RBL_OK);
		} else if (kind / 2 == 2) {
			CHECK(t, rbl_surface_move_vertices(s.surface, s.bodies[0], p.ids, p.count, p.at) ==
			             RBL_OK);
			CHECK(t, rbl_surface_move(s.surface, s.bodies[0], NULL, q.at) == RBL_OK);
		} else {
			CHECK(t, rbl_surface_move(s.surface, s.bodies[0], NULL, p.at) == RBL_OK);
			CHECK(t, rbl_surface_move_vertices(s.surface, s.bodies[0], p.ids, p.count, q.at) ==
			             RBL_OK);
		}
		int before = s.found;
		soak_ask(&s, kind % 2);
		CHECK(t, kind % 2 || s.found > before);
		free(p.at);
		free(q.at);
		rbl_destroy_surface(s.surface);
	}
}

// An update finds no memory at every place in turn, and is called again: what moved still moves.
static void updates_called_again_keep_the_motion(test *t)
{
	bool has_failed = true;
	int failures = 0;
	for (int n = 0; has_failed; ++n) {
		soak s;
		start_soak(&s, t, 5);
		for (int i = 0; i < 3; ++i) {
			reference_mesh m = reference_sheet(8, 8);
			for (int k = 0; k < m.vertex_count; ++k)
				m.positions[k].z = (float)(2 * i);
			s.bodies[s.body_count++] = reference_add(t, s.surface, &m);
			reference_mesh_free(&m);
		}
		soak_ask(&s, true);
		s.surface->def.restructuring = RBL_RESTRUCTURE_ALL; // takes memory when bodies are fitted
		places p = soak_places_of(&s, s.bodies[0]);         // through the others, and crumpled
		for (int k = 0; k < p.count; ++k)
			p.at[k] = (rbl_vec3){ p.at[k].y, (float)(k * 7 % 9), 5.0f - p.at[k].x };
		CHECK(t, rbl_surface_move(s.surface, s.bodies[0], NULL, p.at) == RBL_OK);
		rbl_vec3 start = rbl_surface_get_data(s.surface).starts[p.ids[1]];
		atomic_store(&s.memory.failed, false);
		atomic_store(&s.memory.allowed, n);
		rbl_result result = rbl_surface_update(s.surface, RBL_SURFACE_CONTINUOUS);
		has_failed = s.memory.failed;
		failures += result != RBL_OK;
		atomic_store(&s.memory.allowed, 1LL << 60);
		if (result != RBL_OK)
			CHECK(t, rbl_surface_update(s.surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
		rbl_vec3 now = rbl_surface_get_data(s.surface).starts[p.ids[1]];
		CHECK(t, now.x == start.x && now.y == start.y && now.z == start.z);
		rbl_surface_hits hits;
		CHECK(t, rbl_surface_sweep(s.surface, &hits) == RBL_OK);
		CHECK(t, reference_check_hits(s.surface, hits) == 0 && hits.count > 100);
		free(p.at);
		rbl_destroy_surface(s.surface);
	}
	CHECK(t, failures > 0);
}

TEST_MAIN(TEST(attacked_bodies_equal_brute_force), TEST(other_grades_end_what_is_known),
          TEST(moves_that_are_not_followed_end_a_proof), TEST(updates_called_again_keep_the_motion))
