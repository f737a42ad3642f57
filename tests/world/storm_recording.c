// SPDX-License-Identifier: MIT
// ctest: threads soak
// Recordings of storms of calls replay to the same hashes, for any number of workers.
//
// RBL_STORM_FIRST=n and RBL_STORM_COUNT=n run a part of the full size (RBL_SOAK=1).

#include "storm.h"
#include "tape.h"

// Blow up a recording in the middle of a storm.
static int record(test *t, storm *m, uint64_t seed, int workers, bytes_tape *tape, uint64_t *last)
{
	storm_open(t, m, seed, workers);
	storm_blow(t, m, test_count(500, 2000));
	rbl_recording_def def = tape_def(tape, true);
	CHECK(t, rbl_world_begin_recording(m->s.world, &def) == RBL_OK);
	int64_t before = rbl_world_get_stats(m->s.world).step_count;
	storm_blow(t, m, test_count(4000, 20000));
	int steps = (int)(rbl_world_get_stats(m->s.world).step_count - before);
	*last = rbl_world_hash(m->s.world);
	CHECK(t, rbl_world_end_recording(m->s.world) == RBL_OK);
	return steps;
}

static void recordings_of_storms_replay_to_the_same_hashes(test *t)
{
	static storm m;
	storm_totals all = { 0 };
	int begin, count;
	storm_range(&begin, &count, 4, 150);
	for (int i = begin; i < begin + count; ++i) {
		bytes_tape tape;
		uint64_t then = 0, now = 1;
		int failures = t->failures;
		int steps = record(t, &m, 3000u + (unsigned)i, i % 2 ? 3 : 1, &tape, &then);
		storm_add_totals(&all, &m);
		storm_close(&m);
		rbl_sources none = rbl_default_sources();
		for (int workers = 1; workers <= 4; workers += 3) {
			int played = tape_play(t, &tape, &none, workers, &now);
			CHECK(t, played >= steps);
		}
		free(tape.bytes);
		if (t->failures > failures)
			printf("in slice %d, %d steps\n", i, steps);
	}
	storm_print_totals(&all);
	CHECK(t, storm_has_all(&all, count));
}

TEST_MAIN(TEST(recordings_of_storms_replay_to_the_same_hashes))
