// SPDX-License-Identifier: MIT
//
// Error messages. The log may be written by any worker, so its last line is guarded by the lock
// of stderr.

#include "errors.h"

#include "system.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char last_error[512];
static bool quiet, says_on_stderr;
static const bool *repair_option;

static void keep_line(void *user, rbl_log_level level, const char *text)
{
	(void)user;
	lock_stderr();
	if (level == RBL_LOG_ERROR)
		snprintf(last_error, sizeof last_error, "%s", text);
	else if (level == RBL_LOG_WARNING && !quiet)
		fprintf(stderr, "rubble: warning: %s\n", text);
	unlock_stderr();
}

void watch_log(void)
{
	rbl_set_log(keep_line, NULL);
}

void be_quiet(void)
{
	quiet = true;
}

bool is_quiet(void)
{
	return quiet;
}

void say_on_stderr(void)
{
	says_on_stderr = true;
}

void say(const char *format, ...)
{
	if (quiet)
		return;
	va_list arguments;
	va_start(arguments, format);
	vfprintf(says_on_stderr ? stderr : stdout, format, arguments);
	va_end(arguments);
}

void hint_at_repair(const bool *is_repaired)
{
	repair_option = is_repaired;
}

static void print_error(const char *format, va_list arguments)
{
	lock_stderr();
	fprintf(stderr, "rubble: ");
	vfprintf(stderr, format, arguments);
	fprintf(stderr, "\n");
	unlock_stderr();
}

int fail(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	print_error(format, arguments);
	va_end(arguments);
	return STATUS_FAILED;
}

bool error_is_about(const char *word)
{
	return strstr(last_error, word) != NULL;
}

int fail_with(rbl_result result, const char *subject)
{
	bool can_repair = result == RBL_BAD_MESH && repair_option && !*repair_option;
	const char *hint = can_repair ? "; try --repair" : "";
	if (strstr(last_error, subject) == last_error && last_error[strlen(subject)] == ':')
		fail("%s%s", last_error, hint); // "mug.obj: cannot open: ..." says it all
	else
		fail("%s: %s%s%s%s", subject, rbl_result_text(result), last_error[0] ? ": " : "",
		     last_error, hint);
	last_error[0] = '\0';
	return STATUS_FAILED;
}

const char *logged_error(void)
{
	return last_error;
}

int fail_usage(const command *self, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	print_error(format, arguments);
	va_end(arguments);
	fprintf(stderr, "Usage: rubble %s%s%s [options]; see rubble %s --help\n", self->name,
	        self->arguments[0] ? " " : "", self->arguments, self->name);
	return STATUS_USAGE;
}
