// SPDX-License-Identifier: MIT
// ctest: threads soak
// The same bits for any number of workers, and for lanes of any width.

#include "../test.h"
#include "base/kernel.h"
#include "mixed_pile.h"
#include "scaffold.h"

static void workers_do_not_matter(test *t)
{
	int steps = test_count(90, 600);
	uint64_t one = mixed_pile_hash(1, steps);
	CHECK(t, one == mixed_pile_hash(1, steps));
	CHECK(t, one == mixed_pile_hash(2, steps));
	CHECK(t, one == mixed_pile_hash(4, steps));
	CHECK(t, mixed_pile_hash(1, 30) == mixed_pile_hash(RBL_MAX_WORKERS, 30));
}

// Joints are solved colour by colour, each by all workers.
static void workers_do_not_matter_to_joints(test *t)
{
	float worst;
	uint64_t one = scaffold_hash(1, 30, &worst);
	CHECK(t, worst < 0.001f);
	CHECK(t, one == scaffold_hash(2, 30, &worst));
	CHECK(t, one == scaffold_hash(4, 30, &worst));
}

static void lanes_do_not_matter(test *t)
{
	rbl_backend best = rbl_best_backend();
	uint64_t hash = mixed_pile_hash(1, 60);
	for (int i = 0; i < RBL_BACKEND_COUNT; ++i)
		if (rbl_force_backend((rbl_backend)i))
			CHECK(t, mixed_pile_hash(1, 60) == hash);
	rbl_force_backend(best);
}

// Nor does how the broad phase is organised.
static void budgets_do_not_matter(test *t)
{
	uint64_t hash = mixed_pile_hash(1, 60);
	CHECK(t, mixed_pile_hash_within(1, 60, 0) == hash);
	CHECK(t, mixed_pile_hash_within(1, 60, 100) == hash);
	CHECK(t, mixed_pile_hash_within(1, 60, 1000000) == hash);
}

TEST_MAIN(TEST(workers_do_not_matter), TEST(workers_do_not_matter_to_joints),
          TEST(lanes_do_not_matter), TEST(budgets_do_not_matter))
