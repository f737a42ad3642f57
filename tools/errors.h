// SPDX-License-Identifier: MIT
// What the program says: messages on stdout, and one line on stderr, "rubble: ...", when something
// goes wrong.
#pragma once

#include "options.h"

#include <rubble/base.h>

/// Keep the library's log: warnings are printed, the last error waits for fail_with().
void watch_log(void);

/// Print a message: on stdout, or on stderr while a file goes to stdout; not with --quiet.
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Print no more messages and no progress; errors and warnings stay.
void be_quiet(void);

/// @return whether be_quiet() was called
bool is_quiet(void);

/// Standard output carries a file: messages go to stderr.
void say_on_stderr(void);

/// The --repair of this command, or NULL: errors about meshes name it unless it is given.
void hint_at_repair(const bool *is_repaired);

/// Print an error. @return STATUS_FAILED
int fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// @return whether the library's last error has a word in it
bool error_is_about(const char *word);

/// Print an error with what a result means and the detail the library logged.
/// @param subject  what it is about: a file name, say
/// @return STATUS_FAILED
int fail_with(rbl_result result, const char *subject);

/// @return the last error that the library logged since one was printed, empty for none
const char *logged_error(void);

/// Print an error in how a command was called, and where its help is. @return STATUS_USAGE
int fail_usage(const command *self, const char *format, ...) __attribute__((format(printf, 2, 3)));
