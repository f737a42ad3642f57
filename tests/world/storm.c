// SPDX-License-Identifier: MIT
// ctest: threads soak
// A storm of calls, sensible and not: nothing breaks, and what is stale or NaN is refused.
//
// A storm blows in slices of 50,000 calls, each with a seed and a world of its own. At full size
// (RBL_SOAK=1) there are 200, ten million calls; RBL_STORM_FIRST=n begins with slice n and
// RBL_STORM_COUNT=n stops after n of them, for a run in parts.

#include "storm.h"

static void blow_in_slices(test *t, int share, int full, int workers)
{
	enum { CALLS = 50000 };
	int first, count;
	storm_range(&first, &count, share, full);
	long long calls = 0;
	storm_totals all = { 0 };
	for (int slice = first; slice < first + count; ++slice) {
		static storm m;
		storm_open(t, &m, 2026u + (unsigned)slice, workers);
		storm_blow(t, &m, CALLS);
		calls += CALLS;
		storm_add_totals(&all, &m);
		storm_close(&m);
		if (slice % 20 == 19) {
			printf("slices %d to %d: %lld calls, %lld steps\n", first, slice, calls, all.steps);
			fflush(stdout);
		}
	}
	storm_print_totals(&all);
	CHECK(t, storm_has_all(&all, count));
	CHECK(t, all.broken >= calls / 5000 - 1);
	CHECK(t, all.refused >= calls / 20 && all.done >= calls / 20);
}

static void a_storm_of_calls_does_no_harm(test *t)
{
	blow_in_slices(t, 2, 200, 1);
}

static void a_storm_does_no_harm_to_workers(test *t)
{
	blow_in_slices(t, 1, 10, 4);
}

TEST_MAIN(TEST(a_storm_of_calls_does_no_harm), TEST(a_storm_does_no_harm_to_workers))
