// SPDX-License-Identifier: MIT
// Where the program is that tests start, and how a test starts itself.
#pragma once

#include <stdlib.h>

#define PROGRAM program_path()

/// @return the program that is tested: the one built beside the tests, or the one that RBL_PROGRAM
/// names, which may be built for another system (scripts/cross)
static inline const char *program_path(void)
{
	const char *path = getenv("RBL_PROGRAM");
	return path ? path : RBL_BINARY_DIR "/tools/rubble";
}

/// @return what stands before a program of the test's own system in a line of a shell: nothing, or
/// the emulator that RBL_EMULATOR names
static inline const char *emulator(void)
{
	const char *words = getenv("RBL_EMULATOR");
	return words ? words : "";
}
