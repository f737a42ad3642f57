// SPDX-License-Identifier: MIT
// ctest: threads soak
// Bodies of thousands of triangles under attack. They are proven later than small ones, judged by samples of
// their vertices, fitted in part and by workers, built anew and laid out anew some updates after they
// broke: nothing is missed by it.

#include "surface/mirror.h"
#include "surface/siege.h"

static int judge_large(siege *s, bool is_swept, rbl_surface_pairs pairs, rbl_surface_hits hits)
{
	enum { EVERY = 211 };
	int wrong = mirror_judge(s->t, s->surface, is_swept, pairs, hits);
	for (int i = 0; i < s->surface->cluster_end; ++i)
		if (s->surface->cluster_data[i].body >= 0 && s->surface->cluster_data[i].count > 0)
			wrong += !judge_ring(s->surface, i);
	if (siege_below(s, 3) > 0)
		return wrong;
	return wrong + (is_swept ? judge_some_hits(s->surface, hits, EVERY)
	                         : judge_some_pairs(s->surface, pairs, EVERY));
}

static void attacked_large_bodies_equal_their_mirror(test *t)
{
	rbl_jobs_def jobs_def = rbl_default_jobs_def();
	jobs_def.worker_count = 3;
	rbl_jobs *jobs;
	CHECK(t, rbl_create_jobs(&jobs_def, &jobs) == RBL_OK);
	int proven = 0, stars = 0, found = 0, lost = 0;
	for (int round = 0; round < test_count(12, 1200); ++round) {
		siege s = { .t = t, .random = rbl_random_from_seed((uint64_t)round + 77) };
		// Workers share queries of more than a thousand clusters.
		s.fineness = round % 12 == 7 ? 14 : round % 12 == 11 ? test_count(10, 18) : 6 + round % 4;
		s.most_triangles = 8000, s.judge = judge_large;
		faulty_init(&s.memory, 1LL << 60);
		rbl_surface_def def = rbl_default_surface_def();
		def.allocator = FAULTY(&s.memory);
		def.jobs = round % 2 ? jobs : NULL;
		CHECK(t, rbl_create_surface(&def, &s.surface) == RBL_OK);
		s.surface->is_always_shared = round % 4 == 1; // among workers
		s.surface->least_stiff = round % 5 < 3 ? 0 : RBL_LEAST_STIFF;
		s.is_calm = round % 3 == 2;
		if (s.is_calm)
			siege_add_layers(&s);
		for (int i = 0; i < 1 + round % 2 && !s.is_calm; ++i)
			siege_add_body(&s);
		siege_play(&s, s.fineness > 9 ? 8 : 20, 8, 6);
		proven += s.proven, stars += s.stars, found += s.found, lost += s.lost;
		rbl_destroy_surface(s.surface);
		CHECK(t, s.memory.live_bytes == 0);
	}
	CHECK(t, proven > 20 && stars > 3 && found > 1000 && lost > 2);
	rbl_destroy_jobs(jobs);
}

TEST_MAIN(TEST(attacked_large_bodies_equal_their_mirror))
