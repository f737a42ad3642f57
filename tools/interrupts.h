// SPDX-License-Identifier: MIT
// Ctrl-C: the program ends with status 130 and leaves no half of a file behind.
#pragma once

#include <stdbool.h>

/// End the program on Ctrl-C from now on, without the file that is being written.
void watch_interrupts(void);

/// From now on the first Ctrl-C only sets is_interrupted(), for a command that can stop and write
/// what it has; the second ends the program.
void defer_interrupts(void);

/// @return whether Ctrl-C was pressed since defer_interrupts().
bool is_interrupted(void);

/// A file is being written as PATH.part: an interrupt removes it. NULL: none is.
void set_unfinished_file(const char *path);
