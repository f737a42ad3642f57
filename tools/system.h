// SPDX-License-Identifier: MIT
//
// Where Windows differs from POSIX, as far as the program meets it. Everything else is plain C.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// Arguments become UTF-8 and files are read and written as they are, without changed line ends.
void prepare_program(int *argc, char ***argv);

/// Nobody else writes to stderr until it is unlocked.
void lock_stderr(void);
void unlock_stderr(void);

uint64_t monotonic_ns(void);

/// Is stderr a terminal that understands the codes that wipe a line?
bool stderr_is_terminal(void);

/// Write to stderr, from a signal handler too; what is not written is lost.
void put_on_stderr(const char *text, size_t length);

/// Call `handler` when the user presses Ctrl-C, unless the program was started with it ignored.
void on_ctrl_c(void (*handler)(void));

/// Call `handler` four times a second; NULL: no more. It may do what a signal handler may.
void on_quarter_second(void (*handler)(void));

/// From a handler: end at once. @param path a file to remove first, or NULL
void end_at_once(int status, const char *path);

FILE *open_file(const char *path, const char *mode);

/// @return -1: there is no such regular file, or it cannot be read; else how many bytes
long long read_file_head(const char *path, void *head, size_t size);

/// @return 0, or errno; a folder that exists already is fine
int create_folder(const char *path);

bool path_exists(const char *path);

/// Whether two paths are the same file, existing or not. Devices may be written twice.
bool are_one_file(const char *a, const char *b);

/// A stream that is a block of memory once it is closed; free() it.
typedef struct text_stream {
	FILE *file;
	char *text;
	size_t size;
} text_stream;

bool open_text_stream(text_stream *stream);

/// @return false: memory ran out, and there is no text
bool close_text_stream(text_stream *stream);
