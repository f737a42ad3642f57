// SPDX-License-Identifier: MIT
// The sub-commands of the program. Each is one file that defines command_<name>; adding a line
// below adds it to the program and to its help.
#pragma once

#include "options.h"

// Needs POSIX sockets.
#ifdef _WIN32
#define PLAY_COMMAND(X)
#else
#define PLAY_COMMAND(X) X(play)
#endif

// Those that read or write files exist where that library is built.
#ifdef RBL_HAS_IO
#define FILE_COMMANDS(X) \
	X(ccd)               \
	X(collide)           \
	X(convert)           \
	X(cut)               \
	X(fracture)          \
	X(hull)              \
	X(info)              \
	X(make)              \
	X(picture)           \
	PLAY_COMMAND(X)      \
	X(prepare)           \
	X(run)               \
	X(replay)
#else
#define FILE_COMMANDS(X)
#endif

#define COMMANDS(X)  \
	X(bench)         \
	X(calibrate)     \
	FILE_COMMANDS(X) \
	X(help)          \
	X(version)

#define DECLARE_COMMAND(name) extern const command command_##name;
COMMANDS(DECLARE_COMMAND)
#undef DECLARE_COMMAND

/// All commands in the order above, closed by NULL.
extern const command *const commands[];

/// @return the command of that name, or NULL.
const command *find_command(const char *name);

/// Print what the program is and which commands it has.
void print_program_help(void);

/// Say on stderr that there is no such command, and which one may be meant. @return STATUS_USAGE
int refuse_command(const char *name);

/// Print one line with name and version.
void print_version(void);
