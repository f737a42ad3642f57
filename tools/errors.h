// SPDX-License-Identifier: MIT
// What the program says when something goes wrong: one line on stderr, "rubble: ...".
#pragma once

#include "options.h"

#include <rubble/base.h>

/// Keep the library's log: warnings are printed, the last error waits for fail_with().
void watch_log(void);

/// Print an error. @return STATUS_FAILED
int fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Print an error with what a result means and the detail the library logged.
/// @param subject  what it is about: a file name, say
/// @return STATUS_FAILED
int fail_with(rbl_result result, const char *subject);

/// Print an error in how a command was called, and where its help is. @return STATUS_USAGE
int fail_usage(const command *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
