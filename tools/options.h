// SPDX-License-Identifier: MIT
// Commands and their options.
//
//     static int run(int argc, char **argv)
//     {
//         int count = 64;
//         const char *output = NULL;
//         const option options[] = {
//             OPTION_INT("cells", "N", &count, 1, 4096, "number of cells, default 64"),
//             OPTION_OUTPUT("output", "FILE", &output, "where to write"),
//             OPTION_END,
//         };
//         positional_arguments found;
//         int status;
//         if (!parse_options(&command_fracture, options, argc, argv, &found, &status))
//             return status;
//         ...
//     }
//     const command command_fracture = { "fracture", "FILE", "break a mesh", NULL, 1, 1, run };
//
// Options are long: `--cells 64` or `--cells=64`, anywhere among the arguments; `--` ends them. Every
// command has --help, --quiet and --version. The file - is standard input or output.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What the program returns to the shell.
enum {
	STATUS_OK = 0,
	STATUS_FAILED = 1,
	STATUS_USAGE = 2,
	STATUS_INTERRUPTED = 130, // by Ctrl-C
};

/// A sub-command.
typedef struct command {
	const char *name;
	const char *arguments; // positional arguments: "FILE [FILE...]"; "" for none
	const char *about;     // one line, a verb first
	const char *details;   // further lines for --help, or NULL
	int min_arguments;
	int max_arguments;   // -1 for any number
	int output_argument; // which of them is a file that is written, counted from 1; 0 none

	/// argv[0] is the first argument after the command's name. @return a STATUS_
	int (*run)(int argc, char **argv);
} command;

typedef enum option_kind {
	OPTION_KIND_END,
	OPTION_KIND_FLAG,   // bool
	OPTION_KIND_INT,    // int
	OPTION_KIND_NUMBER, // double
	OPTION_KIND_SEED,   // uint64_t, decimal or 0x...
	OPTION_KIND_TEXT,   // const char *, into argv
	OPTION_KIND_OUTPUT, // the same, a file that is written: no other option or argument may name it
	OPTION_KIND_VECTOR, // double[3], as x,y,z; one number stands for all three
	OPTION_KIND_CHOICE, // int, index into `choices`
} option_kind;

typedef struct option {
	option_kind kind;
	const char *name;  // without the dashes
	const char *value; // placeholder of the value in the help
	void *target;      // where the value goes; untouched when the option is not given
	double low, high;  // range of numbers, ends included
	const char *const *choices;
	const char *about;
} option;

// clang-format off
#define OPTION_ROW(kind, name, value, type, target, low, high, choices, about) \
	{ OPTION_KIND_##kind, (name), (value), (type *){ (target) }, (low), (high), (choices), (about) }
#define OPTION_FLAG(name, target, about) \
	OPTION_ROW(FLAG, name, NULL, bool, target, 0, 0, NULL, about)
#define OPTION_INT(name, value, target, low, high, about) \
	OPTION_ROW(INT, name, value, int, target, low, high, NULL, about)
#define OPTION_NUMBER(name, value, target, low, high, about) \
	OPTION_ROW(NUMBER, name, value, double, target, low, high, NULL, about)
#define OPTION_SEED(name, value, target, about) \
	OPTION_ROW(SEED, name, value, uint64_t, target, 0, 0, NULL, about)
#define OPTION_TEXT(name, value, target, about) \
	OPTION_ROW(TEXT, name, value, const char *, target, 0, 0, NULL, about)
#define OPTION_OUTPUT(name, value, target, about) \
	OPTION_ROW(OUTPUT, name, value, const char *, target, 0, 0, NULL, about)
#define OPTION_VECTOR(name, value, target, low, high, about) \
	OPTION_ROW(VECTOR, name, value, double, target, low, high, NULL, about)
#define OPTION_CHOICE(name, target, choices, about) \
	OPTION_ROW(CHOICE, name, NULL, int, target, 0, 0, choices, about)
#define OPTION_END { .kind = OPTION_KIND_END }
// clang-format on

/// The arguments that are not options, in order.
typedef struct positional_arguments {
	char **items;
	int count;
} positional_arguments;

/// Parse the arguments of a command. Positional ones are moved to the front of argv.
/// @param options  closed by OPTION_END; NULL when there are none
/// @param status   receives what the command must return when this returns false
/// @return false when the command has nothing more to do: help was printed, or an error
bool parse_options(const command *self, const option *options, int argc, char **argv,
                   positional_arguments *found, int *status);

/// @return the name most similar to `text`, NULL if none is similar
const char *nearest_name(const char *text, const char *const *names, int count);
