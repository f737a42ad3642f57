// SPDX-License-Identifier: MIT
// The test harness: a test is a function whose name is the claim, a file is one program.
//
//     static void halves_make_the_whole(test *t) { CHECK(t, 1 + 1 == 2); }
//     TEST_MAIN(TEST(halves_make_the_whole))
//
// Run it with words as arguments to run only the tests whose names contain one of them. A test
// that needs something absent calls SKIP with the reason and returns.
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct test {
	const char *name;
	int checks, failures;
	const char *skipped; // the reason, or NULL
} test;

typedef struct test_case {
	const char *name;
	void (*run)(test *t);
} test_case;

static inline void test_fail(test *t, const char *file, int line, const char *text)
{
	if (t->failures++ < 10)
		printf("%s:%d: %s: %s\n", file, line, t->name, text);
}

#define CHECK(t, condition) \
	((t)->checks++, (condition) ? (void)0 : test_fail((t), __FILE__, __LINE__, #condition))

#define CHECK_NEAR(t, value, expected, tolerance)                                         \
	test_check_near((t), __FILE__, __LINE__, #value, (double)(value), (double)(expected), \
	                (double)(tolerance))

#define SKIP(t, reason) ((t)->skipped = (reason))

/// How often to repeat something: `share` in the plain suite, `full` when RBL_SOAK is set. A test
/// that uses it says `// ctest: soak` near its top.
static inline int test_count(int share, int full)
{
	const char *soak = getenv("RBL_SOAK");
	return soak && *soak && strcmp(soak, "0") != 0 ? full : share;
}

/// How often to repeat something that takes long: `plain`, or `fewer` where everything takes ten
/// times as long and one pass over the code shows most of what it can show: under a sanitizer, and
/// where the build says so (RBL_TEST_SHARE), on a processor that is played by another for example.
static inline int test_repeats(int plain, int fewer)
{
#if defined RBL_TEST_SHARE
	return fewer;
#endif
#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
	return fewer;
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
	return fewer;
#endif
	(void)fewer;
	return plain;
}

static inline void test_check_near(test *t, const char *file, int line, const char *text,
                                   double value, double expected, double tolerance)
{
	t->checks++;
	if (fabs(value - expected) <= tolerance)
		return;
	char message[400];
	snprintf(message, sizeof message, "%s is %.17g, not %.17g within %g", text, value, expected,
	         tolerance);
	test_fail(t, file, line, message);
}

/// @return the seconds of processor time after which a program begins no further test, 0 for no end:
/// RBL_TEST_SECONDS, for processors that are played by others (scripts/cross). The first test always runs.
static inline double test_seconds(void)
{
	const char *seconds = getenv("RBL_TEST_SECONDS");
	return seconds ? atof(seconds) : 0.0;
}

// Processor time, so that a busy machine leaves out no more than others; WASI has none.
static inline double test_time(void)
{
#if defined __wasi__
	return (double)time(NULL);
#else
	return (double)clock() / (double)CLOCKS_PER_SEC;
#endif
}

static inline int test_main(const test_case *cases, int case_count, int argc, char **argv)
{
	int passed = 0, failed = 0, skipped = 0;
	const double seconds = test_seconds();
	const double begin = test_time();
	for (int i = 0; i < case_count; ++i) {
		bool wanted = argc < 2;
		for (int k = 1; k < argc; ++k)
			wanted |= strstr(cases[i].name, argv[k]) != NULL;
		if (!wanted)
			continue;
		test t = { cases[i].name, 0, 0, NULL };
		if (seconds > 0.0 && passed > 0 && test_time() - begin >= seconds)
			SKIP(&t, "a share of the tests is enough here");
		else
			cases[i].run(&t);
		if (t.failures == 0 && t.checks == 0 && !t.skipped)
			test_fail(&t, __FILE__, __LINE__, "the test checks nothing");
		if (t.failures)
			failed++, printf("FAILED  %s (%d of %d checks)\n", t.name, t.failures, t.checks);
		else if (t.skipped)
			skipped++, printf("skipped %s: %s\n", t.name, t.skipped);
		else
			passed++, printf("ok      %s\n", t.name);
	}
	printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
	return failed || passed + skipped == 0;
}

#define TEST(name)  \
	{               \
#name, name \
	}

#define TEST_MAIN(...)                                                              \
	int main(int argc, char **argv)                                                 \
	{                                                                               \
		const test_case cases[] = { __VA_ARGS__ };                                  \
		return test_main(cases, (int)(sizeof cases / sizeof cases[0]), argc, argv); \
	}
