// SPDX-License-Identifier: MIT
//
// Results, log and assert hooks, and each thread's last error: the only global state of the
// library. The hooks are set before other calls or between them, so they need no lock.

#include "base/assert.h"
#include "base/log.h"
#include "base/thread_local.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef RBL_LOG_TO_STDERR
static rbl_log_function *log_function;
#else
static void print_problem(void *user, rbl_log_level level, const char *text)
{
	(void)user;
	if (level != RBL_LOG_INFO)
		fprintf(stderr, "rubble: %s\n", text);
}

static rbl_log_function *log_function = print_problem;
#endif
static void *log_user;
static rbl_assert_function *assert_function;
static void *assert_user;
static RBL_THREAD_LOCAL rbl_error_line last_error;

const char *rbl_result_text(rbl_result result)
{
	switch (result) {
	case RBL_OK:
		return "all is well";
	case RBL_BAD_ARGUMENT:
		return "an argument is not usable";
	case RBL_OUT_OF_MEMORY:
		return "out of memory";
	case RBL_STALE_ID:
		return "the id names nothing that exists";
	case RBL_BAD_MESH:
		return "the mesh does not fit the operation";
	case RBL_LIMIT_REACHED:
		return "a stated limit is exceeded";
	case RBL_BAD_FILE:
		return "the file does not hold what its format promises";
	case RBL_IO_FAILED:
		return "the file could not be opened, read or written";
	case RBL_UNSUPPORTED:
		return "not supported by this build";
	case RBL_RESULT_COUNT:
		break;
	}
	return "not a result";
}

int rbl_version(void)
{
	return RBL_VERSION_MAJOR * 10000 + RBL_VERSION_MINOR * 100 + RBL_VERSION_PATCH;
}

void rbl_set_log(rbl_log_function *function, void *user)
{
	log_function = function;
	log_user = user;
}

void rbl_set_assert_handler(rbl_assert_function *function, void *user)
{
	assert_function = function;
	assert_user = user;
}

const char *rbl_last_error(void)
{
	return last_error.text;
}

unsigned rbl_last_error_count(void)
{
	return last_error.count;
}

void rbl_last_error_get(rbl_error_line *line)
{
	*line = last_error;
}

void rbl_last_error_set(const rbl_error_line *line)
{
	unsigned count = last_error.count;
	last_error = *line;
	last_error.count = count + 1;
}

void rbl_last_error_note(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(last_error.text, sizeof last_error.text, format, arguments);
	va_end(arguments);
	last_error.count++;
}

void rbl_log_text(rbl_log_level level, const char *text)
{
	if (!text)
		return;
	if (level == RBL_LOG_ERROR) {
		rbl_last_error_note("%s", text);
	}
	if (log_function)
		log_function(log_user, level, text);
}

static void log_line(rbl_log_level level, const char *format, va_list arguments)
{
	if (!log_function && level != RBL_LOG_ERROR)
		return;
	char line[RBL_LOG_LINE_CAPACITY];
	vsnprintf(line, sizeof line, format, arguments);
	rbl_log_text(level, line);
}

void rbl_log(rbl_log_level level, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	log_line(level, format, arguments);
	va_end(arguments);
}

rbl_result rbl_fail(rbl_result result, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	log_line(RBL_LOG_ERROR, format, arguments);
	va_end(arguments);
	return result;
}

void rbl_assert_failed(const char *condition, const char *file, int line)
{
	if (assert_function)
		assert_function(assert_user, condition, file, line);
	else
		rbl_log(RBL_LOG_ERROR, "%s:%d: check failed: %s", file, line, condition);
	abort();
}
