// SPDX-License-Identifier: MIT
// The clock, counters and nested timing scopes.

#include "base/clock.h"

#include "test.h"

static void wait_ns(uint64_t duration)
{
	uint64_t start = rbl_clock_ns();
	while (rbl_clock_ns() - start < duration)
		;
}

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

static void scopes_form_a_tree(test *t)
{
	rbl_profile profile = { 0 };
	for (int step = 0; step < 3; ++step) {
		rbl_profile_begin(&profile, "step");
		for (int i = 0; i < 2; ++i) {
			rbl_profile_begin(&profile, "solve");
			wait_ns(2000);
			rbl_profile_end(&profile);
		}
		rbl_profile_begin(&profile, "cut");
		rbl_profile_begin(&profile, "solve"); // the same name elsewhere is another scope
		rbl_profile_end(&profile);
		rbl_profile_end(&profile);
		rbl_profile_end(&profile);
	}
	CHECK(t, profile.scope_count == 4 && profile.open_count == 0 && profile.dropped_count == 0);
	const rbl_profile_scope *step = rbl_profile_find(&profile, -1, "step");
	const rbl_profile_scope *solve = rbl_profile_find(&profile, 0, "solve");
	const rbl_profile_scope *cut = rbl_profile_find(&profile, 0, "cut");
	CHECK(t, step == &profile.scopes[0] && step->call_count == 3 && step->depth == 0);
	CHECK(t, solve && solve->call_count == 6 && solve->depth == 1 && solve->parent == 0);
	CHECK(t, cut && rbl_profile_find(&profile, (int)(cut - profile.scopes), "solve"));
	CHECK(t, !rbl_profile_find(&profile, -1, "solve") && !rbl_profile_find(&profile, 0, "none"));
	CHECK(t, solve->total_ns >= 12000 && step->total_ns >= solve->total_ns + cut->total_ns);
	CHECK(t, solve->worst_ns >= 2000 && solve->worst_ns <= solve->total_ns);
	rbl_profile_reset(&profile);
	CHECK(t, profile.scope_count == 0 && !rbl_profile_find(&profile, -1, "step"));
}

static void counters_add_up(test *t)
{
	rbl_profile profile = { 0 };
	rbl_profile_count(&profile, "pairs", 3);
	rbl_profile_count(&profile, "cuts", 1);
	char same_text[] = "pairs";
	rbl_profile_count(&profile, same_text, 4);
	CHECK(t, rbl_profile_value(&profile, "pairs") == 7 && rbl_profile_value(&profile, "cuts") == 1);
	CHECK(t, rbl_profile_value(&profile, "none") == 0 && profile.counter_count == 2);
}

static void no_profile_is_fine(test *t)
{
	rbl_profile_begin(NULL, "step");
	rbl_profile_count(NULL, "pairs", 3);
	rbl_profile_end(NULL);
	CHECK(t, true);
}

// Too deep or too many: the rest stays right, and what is missing is counted.
static void what_does_not_fit_is_counted(test *t)
{
	rbl_profile profile = { 0 };
	for (int i = 0; i < RBL_PROFILE_MAX_DEPTH + 5; ++i)
		rbl_profile_begin(&profile, "deeper");
	for (int i = 0; i < RBL_PROFILE_MAX_DEPTH + 5; ++i)
		rbl_profile_end(&profile);
	CHECK(t, profile.scope_count == RBL_PROFILE_MAX_DEPTH && profile.dropped_count == 5);
	CHECK(t, profile.open_count == 0 && profile.scopes[RBL_PROFILE_MAX_DEPTH - 1].call_count == 1);

	static char names[100][16];
	rbl_profile_reset(&profile);
	for (int i = 0; i < 100; ++i) {
		snprintf(names[i], sizeof names[i], "%d", i);
		rbl_profile_begin(&profile, names[i]);
		rbl_profile_begin(&profile, "inside");
		rbl_profile_end(&profile);
		rbl_profile_end(&profile);
		rbl_profile_count(&profile, names[i], i);
	}
	CHECK(t, profile.scope_count == RBL_PROFILE_MAX_SCOPES && profile.open_count == 0);
	CHECK(t, profile.counter_count == RBL_PROFILE_MAX_COUNTERS);
	CHECK(t,
	      profile.dropped_count == 200 - RBL_PROFILE_MAX_SCOPES + 100 - RBL_PROFILE_MAX_COUNTERS);
	CHECK(t, rbl_profile_value(&profile, "31") == 31 && rbl_profile_value(&profile, "32") == 0);
}

TEST_MAIN(TEST(the_clock_never_goes_back), TEST(scopes_form_a_tree), TEST(counters_add_up),
          TEST(no_profile_is_fine), TEST(what_does_not_fit_is_counted))
