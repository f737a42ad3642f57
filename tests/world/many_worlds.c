// SPDX-License-Identifier: MIT
// ctest: threads
// Many worlds in one process over one pool: each goes the way that it goes alone.

#include "scenes/many_worlds.h"

#include "../test.h"

enum { WORLD_COUNT = 12 };

static void worlds_of_a_pool_go_the_way_they_go_alone(test *t)
{
	many_worlds m;
	CHECK(t, many_worlds_open(&m, 90));
	many_worlds_result alone[WORLD_COUNT], together[WORLD_COUNT];
	int broken = 0, different = 0;
	for (int i = 0; i < WORLD_COUNT; ++i) {
		many_worlds_run(&m, NULL, i, 1, &alone[i]);
		CHECK(t, alone[i].hash != 0);
		broken += alone[i].body_count > 8;
		different += i > 0 && alone[i].hash != alone[i - 1].hash;
	}
	CHECK(t, broken > WORLD_COUNT / 2); // else nothing is shared that matters
	CHECK(t, different == WORLD_COUNT - 1);
	for (int workers = 1; workers <= 4; ++workers) {
		rbl_jobs_def def = rbl_default_jobs_def();
		def.worker_count = workers;
		rbl_jobs *jobs = NULL;
		CHECK(t, rbl_create_jobs(&def, &jobs) == RBL_OK);
		many_worlds_run(&m, jobs, 0, WORLD_COUNT, together);
		for (int i = 0; i < WORLD_COUNT; ++i) {
			CHECK(t, together[i].hash == alone[i].hash);
			CHECK(t, together[i].body_count == alone[i].body_count);
		}
		rbl_destroy_jobs(jobs);
	}
	many_worlds_close(&m);
}

TEST_MAIN(TEST(worlds_of_a_pool_go_the_way_they_go_alone))
