// SPDX-License-Identifier: MIT
// ctest: threads soak
// Bodies of thousands of triangles under attack. They are certified later than small ones, checked
// by samples of their vertices, fitted in part and by workers, rebuilt and laid out again some
// updates after they broke: nothing is missed by it.

#include "surface/comparison.h"
#include "surface/reference_model.h"
#include "surface/certificate_soak.h"
#include "worker_pool.h"

static int reference_large(soak *s, bool is_swept, rbl_surface_pairs pairs, rbl_surface_hits hits)
{
	enum { EVERY = 211 };
	int wrong = reference_model_check(s->t, s->surface, is_swept, pairs, hits);
	for (int i = 0; i < s->surface->cluster_end; ++i)
		if (s->surface->cluster_data[i].body >= 0 && s->surface->cluster_data[i].count > 0)
			wrong += !reference_ring(s->surface, i);
	if (soak_below(s, 3) > 0)
		return wrong;
	return wrong + (is_swept ? reference_check_some_hits(s->surface, hits, EVERY)
	                         : reference_check_some_pairs(s->surface, pairs, EVERY));
}

static void attacked_large_bodies_equal_their_reference_model(test *t)
{
	rbl_jobs *jobs = create_pool(3);
	int proven = 0, stars = 0, found = 0, lost = 0;
	for (int round = 0; round < test_count(12, 1200); ++round) {
		soak s = { .t = t, .random = rbl_random_from_seed((uint64_t)round + 77) };
		// Workers share queries of more than a thousand clusters.
		s.fineness = round % 12 == 7 ? 14 : round % 12 == 11 ? test_count(10, 18) : 6 + round % 4;
		s.most_triangles = 8000, s.reference = reference_large;
		faulty_init(&s.memory, 1LL << 60);
		rbl_surface_def def = rbl_default_surface_def();
		def.allocator = FAULTY(&s.memory);
		def.jobs = round % 2 ? jobs : NULL;
		CHECK(t, rbl_create_surface(&def, &s.surface) == RBL_OK);
		if (round % 4 == 1)
			rbl_surface_always_share(s.surface); // among workers
		s.surface->limits.bent_triangles = round % 5 < 3 ? 0 : RBL_SURFACE_BENT_TRIANGLES;
		s.is_calm = round % 3 == 2;
		if (s.is_calm)
			soak_add_layers(&s);
		for (int i = 0; i < 1 + round % 2 && !s.is_calm; ++i)
			soak_add_body(&s);
		soak_play(&s, s.fineness > 9 ? 8 : 20, 8, 6);
		proven += s.proven, stars += s.stars, found += s.found, lost += s.lost;
		rbl_destroy_surface(s.surface);
		CHECK(t, s.memory.live_bytes == 0);
	}
	CHECK(t, proven > 20 && stars > 3 && found > 1000 && lost > 2);
	rbl_destroy_jobs(jobs);
}

TEST_MAIN(TEST(attacked_large_bodies_equal_their_reference_model))
