// SPDX-License-Identifier: MIT
// The clock.

#include "base/clock.h"

#include "test.h"

static void the_clock_never_goes_back(test *t)
{
	uint64_t last = rbl_clock_ns(), first = last;
	bool forward = true;
	for (int i = 0; i < 100000; ++i) {
		uint64_t now = rbl_clock_ns();
		forward &= now >= last;
		last = now;
	}
	CHECK(t, forward && last > first && last - first < 100000000000u);
}

TEST_MAIN(TEST(the_clock_never_goes_back))
