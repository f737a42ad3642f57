// SPDX-License-Identifier: MIT
// The program in a folder of its own, and what it prints and writes.
#pragma once

#include "program_path.h"
#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

/// What the last run printed, on stdout and stderr.
static char output[1 << 16];

/// Where it runs; made by open_folder().
static char folder[] = "/tmp/rubble-test-XXXXXX";
static bool folder_is_open;

/// Run the program in the folder, or where the test stands without one.
/// @return its exit status, -1 none
static inline int run(const char *arguments)
{
	char line[1200];
	snprintf(line, sizeof line, "cd '%s' && '%s' %s 2>&1", folder_is_open ? folder : ".", PROGRAM,
	         arguments);
	output[0] = '\0';
	FILE *pipe = popen(line, "r");
	if (!pipe)
		return -1;
	size_t length = fread(output, 1, sizeof output - 1, pipe);
	output[length] = '\0';
	int status = pclose(pipe);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// @return true, and the test is skipped, without the program or that command of it
static inline bool is_absent(test *t, const char *command)
{
	char line[100];
	snprintf(line, sizeof line, "help %s", command);
	if (access(PROGRAM, X_OK) == 0 && run(line) == 0)
		return false;
	SKIP(t, "the program is not built, or without that command");
	return true;
}

/// Make the folder. @return false, and the test is skipped, without the program or that command of it
static inline bool open_folder(test *t, const char *command)
{
	if (is_absent(t, command))
		return false;
	folder_is_open = mkdtemp(folder) != NULL;
	CHECK(t, folder_is_open);
	return folder_is_open;
}

/// Remove the folder; the next test makes another.
static inline void close_folder(test *t)
{
	char line[100];
	snprintf(line, sizeof line, "rm -r '%s'", folder);
	CHECK(t, system(line) == 0);
	folder_is_open = false;
	memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
}

/// Write bytes to a file in the folder.
static inline void write_file(const char *name, const void *bytes, size_t size)
{
	char path[100];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "wb");
	if (file) {
		fwrite(bytes, 1, size, file);
		fclose(file);
	}
}

/// @return the text of a file in the folder, until the next call
static inline const char *text_of(const char *name)
{
	static char text[1 << 12];
	char path[100];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "r");
	size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
	text[length] = '\0';
	if (file)
		fclose(file);
	return text;
}

/// @return the first number of that name in out.json, NaN without
static inline double field(const char *name)
{
	char quoted[60];
	snprintf(quoted, sizeof quoted, "\"%s\": ", name);
	const char *at = strstr(text_of("out.json"), quoted);
	return at ? strtod(at + strlen(quoted), NULL) : (double)NAN;
}
