// SPDX-License-Identifier: MIT
// One log line with the detail behind a result: which field, face, line or value.
#pragma once

#include <rubble/base.h>

enum { RBL_LOG_LINE_CAPACITY = 512 };

/// What rbl_last_error() tells a thread.
typedef struct rbl_error_line {
	unsigned count; // of the thread's errors so far
	char text[RBL_LOG_LINE_CAPACITY];
} rbl_error_line;

/// Set the line of this thread without a line in the log: for memory that is lacking, where the
/// caller has a way out or says more.
void rbl_last_error_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// How many errors this thread had: it changes when there is another.
unsigned rbl_last_error_count(void);

/// Take the line of one thread to another: from a worker to the thread whose call it works for.
void rbl_last_error_get(rbl_error_line *line);
void rbl_last_error_set(const rbl_error_line *line);

/// Format one line and hand it to the log function, if there is one.
void rbl_log(rbl_log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/// Log an error and return `result`, so that a refusal is one statement:
/// `return rbl_fail(RBL_BAD_ARGUMENT, "cell_count is %d, must be 1 to %d", ...)`.
rbl_result rbl_fail(rbl_result result, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
