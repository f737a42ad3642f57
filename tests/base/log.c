// SPDX-License-Identifier: MIT
// Results, version, log and assert hooks.

#define _POSIX_C_SOURCE 200809L

#include "base/log.h"

#include "base/assert.h"
#include "base/memory.h"

#include <rubble/jobs.h>

#include "test.h"

#if !defined __wasm__ && !defined _WIN32
#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

static void every_result_has_its_own_text(test *t)
{
	for (int a = 0; a < RBL_RESULT_COUNT; ++a) {
		const char *text = rbl_result_text((rbl_result)a);
		CHECK(t, text && text[0]);
		CHECK(t, strcmp(text, rbl_result_text(RBL_RESULT_COUNT)) != 0);
		for (int b = 0; b < a; ++b)
			CHECK(t, strcmp(text, rbl_result_text((rbl_result)b)) != 0);
	}
	CHECK(t, rbl_result_text(RBL_RESULT_COUNT) == rbl_result_text((rbl_result)999));
}

static void the_library_and_its_header_have_one_version(test *t)
{
	CHECK(t,
	      rbl_version() == RBL_VERSION_MAJOR * 10000 + RBL_VERSION_MINOR * 100 + RBL_VERSION_PATCH);
}

typedef struct heard {
	int count;
	rbl_log_level level;
	char text[1000];
} heard;

static void hear(void *user, rbl_log_level level, const char *text)
{
	heard *h = user;
	h->count++;
	h->level = level;
	snprintf(h->text, sizeof h->text, "%s", text);
}

static void the_log_gets_one_line_with_the_detail(test *t)
{
	heard h = { 0 };
	rbl_set_log(hear, &h);
	CHECK(t, rbl_fail(RBL_BAD_MESH, "face %d of %s", 7, "bunny") == RBL_BAD_MESH);
	CHECK(t, h.count == 1 && h.level == RBL_LOG_ERROR && strcmp(h.text, "face 7 of bunny") == 0);
	rbl_log(RBL_LOG_WARNING, "%.1f", 2.5);
	CHECK(t, h.count == 2 && h.level == RBL_LOG_WARNING && strcmp(h.text, "2.5") == 0);
	rbl_log_text(RBL_LOG_INFO, "100 %s as it is");
	CHECK(t, h.count == 3 && h.level == RBL_LOG_INFO && strcmp(h.text, "100 %s as it is") == 0);
	rbl_log_text(RBL_LOG_INFO, NULL);
	CHECK(t, h.count == 3);
	rbl_set_log(NULL, NULL);
	rbl_log_text(RBL_LOG_ERROR, "unheard");
	CHECK(t, rbl_fail(RBL_BAD_FILE, "unheard") == RBL_BAD_FILE && h.count == 3);
}

static void long_lines_are_cut_not_spilled(test *t)
{
	heard h = { 0 };
	rbl_set_log(hear, &h);
	char endless[2000];
	memset(endless, 'x', sizeof endless - 1);
	endless[sizeof endless - 1] = '\0';
	rbl_log(RBL_LOG_INFO, "%s", endless);
	rbl_set_log(NULL, NULL);
	CHECK(t, h.count == 1 && strlen(h.text) >= 400 && strspn(h.text, "x") == strlen(h.text));
}

static void each_thread_has_its_own_last_error(test *t)
{
	rbl_set_log(NULL, NULL);
	rbl_fail(RBL_BAD_MESH, "face %d", 7);
	CHECK(t, strcmp(rbl_last_error(), "face 7") == 0);
	rbl_log(RBL_LOG_WARNING, "only a warning");
	CHECK(t, strcmp(rbl_last_error(), "face 7") == 0);
	rbl_log_text(RBL_LOG_ERROR, "100 %s as it is");
	CHECK(t, strcmp(rbl_last_error(), "100 %s as it is") == 0);
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	CHECK(t, !rbl_allocate(&allocator, SIZE_MAX / 2, 16));
	CHECK(t, strstr(rbl_last_error(), "out of memory") == rbl_last_error());
}

static void fail_once(void *context, int begin, int end, int worker)
{
	(void)context, (void)end, (void)worker;
	if (begin == 63)
		rbl_fail(RBL_BAD_MESH, "block %d", begin);
}

static void what_a_worker_says_reaches_the_thread_that_waits_for_it(test *t)
{
	rbl_jobs_def def = rbl_default_jobs_def();
	def.worker_count = 4;
	rbl_jobs *jobs;
	if (rbl_create_jobs(&def, &jobs) != RBL_OK) {
		SKIP(t, "no threads");
		return;
	}
	for (int i = 0; i < 200; ++i) {
		rbl_fail(RBL_BAD_MESH, "before");
		rbl_parallel_for(jobs, 64, 1, fail_once, NULL);
		CHECK(t, strcmp(rbl_last_error(), "block 63") == 0);
	}
	rbl_destroy_jobs(jobs);
}

// --- inner checks ----------------------------------------------------------------------------
#if defined __wasm__ || defined _WIN32

static void debug_builds_speak_by_themselves(test *t)
{
	SKIP(t, "no processes here");
}

static void a_failed_check_ends_the_process(test *t)
{
	SKIP(t, "no processes here");
}

static void a_failed_check_is_told_first(test *t)
{
	SKIP(t, "no processes here");
}

static void a_handler_may_jump_away(test *t)
{
	SKIP(t, "no jumps here");
}

#else

// What nobody asked for: in debug builds errors and warnings go to stderr, in others nothing. The first of
// the tests: others set the log.
static void debug_builds_speak_by_themselves(test *t)
{
	int ends[2];
	CHECK(t, pipe(ends) == 0);
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		rbl_fail(RBL_BAD_MESH, "face %d", 7);
		rbl_log(RBL_LOG_INFO, "not worth a line");
		_exit(0);
	}
	close(ends[1]);
	char text[100] = { 0 };
	size_t size = 0;
	for (ssize_t more = 1; more > 0 && size<sizeof text - 1; size += more> 0 ? (size_t)more : 0)
		more = read(ends[0], text + size, sizeof text - 1 - size);
	close(ends[0]);
	int status = 1;
	CHECK(t, waitpid(child, &status, 0) == child && status == 0);
#ifdef RBL_LOG_TO_STDERR
	CHECK(t, size > 0 && strcmp(text, "rubble: face 7\n") == 0);
#else
	CHECK(t, size == 0);
#endif
}

static void tell(void *user, const char *condition, const char *file, int line)
{
	const int *pipe_end = user;
	char text[200];
	int length = snprintf(text, sizeof text, "%s|%s|%d", condition, file, line);
	if (write(*pipe_end, text, (size_t)length) != length)
		_exit(9);
}

static void tell_line(void *user, rbl_log_level level, const char *text)
{
	tell(user, text, level == RBL_LOG_ERROR ? "error" : "other", 0);
}

// Fails a check in a child process. @return the signal that ended it; `text` gets what it told
static int die(bool use_handler, char *text, size_t size)
{
	int ends[2];
	fflush(stdout);
	if (pipe(ends) != 0)
		return -1;
	pid_t child = fork();
	if (child == 0) {
		signal(SIGABRT, SIG_DFL);
		if (use_handler)
			rbl_set_assert_handler(tell, &ends[1]);
		else
			rbl_set_log(tell_line, &ends[1]);
		rbl_assert_failed("one == two", "house.c", 42);
	}
	close(ends[1]);
	ssize_t length = read(ends[0], text, size - 1);
	text[length > 0 ? length : 0] = '\0';
	close(ends[0]);
	int status = 0;
	waitpid(child, &status, 0);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void a_failed_check_ends_the_process(test *t)
{
	char text[300];
	CHECK(t, die(true, text, sizeof text) == SIGABRT);
	CHECK(t, die(false, text, sizeof text) == SIGABRT);
}

static void a_failed_check_is_told_first(test *t)
{
	char text[300];
	die(true, text, sizeof text);
	CHECK(t, strcmp(text, "one == two|house.c|42") == 0);
	die(false, text, sizeof text);
	CHECK(t, strstr(text, "one == two") && strstr(text, "house.c:42") && strstr(text, "|error|"));
}

static jmp_buf out_of_the_check;

static void jump(void *user, const char *condition, const char *file, int line)
{
	int *told = user;
	*told += strcmp(condition, "one == two") == 0 && strcmp(file, "house.c") == 0 && line == 42;
	longjmp(out_of_the_check, 1);
}

static void jump_from_the_log(void *user, rbl_log_level level, const char *text)
{
	int *told = user;
	*told += level == RBL_LOG_ERROR && strcmp(text, "house.c:42: check failed: one == two") == 0;
	longjmp(out_of_the_check, 1);
}

// The process ends when a handler returns. One that does not, a test runner's say, keeps it.
static void a_handler_may_jump_away(test *t)
{
	static int told;
	told = 0;
	rbl_set_assert_handler(jump, &told);
	if (setjmp(out_of_the_check) == 0)
		rbl_assert_failed("one == two", "house.c", 42);
	rbl_set_assert_handler(NULL, NULL);
	CHECK(t, told == 1);
	rbl_set_log(jump_from_the_log, &told);
	if (setjmp(out_of_the_check) == 0)
		rbl_assert_failed("one == two", "house.c", 42);
	rbl_set_log(NULL, NULL);
	CHECK(t, told == 2);
}

#endif

static void checks_have_no_side_effects_when_off(test *t)
{
	int count = 0;
	RBL_ASSERT(++count > 0);
	CHECK(t, count == (RBL_CHECK_LEVEL >= 1));
	RBL_VALIDATE(++count > 0);
	CHECK(t, count == (RBL_CHECK_LEVEL >= 1) + (RBL_CHECK_LEVEL >= 2));
}

TEST_MAIN(TEST(debug_builds_speak_by_themselves), TEST(every_result_has_its_own_text),
          TEST(the_library_and_its_header_have_one_version),
          TEST(the_log_gets_one_line_with_the_detail), TEST(each_thread_has_its_own_last_error),
          TEST(what_a_worker_says_reaches_the_thread_that_waits_for_it),
          TEST(long_lines_are_cut_not_spilled), TEST(a_failed_check_ends_the_process),
          TEST(a_failed_check_is_told_first), TEST(a_handler_may_jump_away),
          TEST(checks_have_no_side_effects_when_off))
