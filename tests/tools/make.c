// SPDX-License-Identifier: MIT
// `rubble make` as a user sees it: every shape it lists can be written, wrong words are refused.

#define _POSIX_C_SOURCE 200809L

#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM RBL_BINARY_DIR "/tools/rubble"

static char output[1 << 14];

// Run `rubble make` with stdout and stderr together in `output`. @return its exit status, -1 none
static int make(const char *arguments)
{
	char line[1000];
	snprintf(line, sizeof line, "'%s' make %s 2>&1", PROGRAM, arguments);
	FILE *pipe = popen(line, "r");
	if (!pipe)
		return -1;
	output[fread(output, 1, sizeof output - 1, pipe)] = '\0';
	int status = pclose(pipe);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The program without mesh files has no `make`.
static bool is_absent(test *t)
{
	if (access(PROGRAM, X_OK) == 0 && make("--list") == 0)
		return false;
	SKIP(t, "the program is not built, or without mesh files");
	return true;
}

static void every_listed_shape_can_be_written(test *t)
{
	if (is_absent(t))
		return;
	char list[sizeof output], path[] = RBL_BINARY_DIR "/make-XXXXXX";
	CHECK(t, mkdtemp(path) != NULL);
	memcpy(list, output, sizeof list);
	int count = 0;
	char *rest = list;
	for (char *line = strtok_r(list, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char arguments[sizeof path + 100], file[sizeof path + 20], name[40];
		CHECK(t, sscanf(line, "%39s", name) == 1);
		snprintf(file, sizeof file, "%s/shape.stl", path);
		snprintf(arguments, sizeof arguments, "%s '%s' --detail 2 --seed 7", name, file);
		CHECK(t, make(arguments) == 0);
		CHECK(t, strstr(output, "vertices") != NULL);
		CHECK(t, access(file, R_OK) == 0);
		unlink(file);
		count++;
	}
	CHECK(t, count >= 14);
	rmdir(path);
}

static void wrong_words_are_refused(test *t)
{
	if (is_absent(t))
		return;
	CHECK(t, make("") == 2);
	CHECK(t, make("mug") == 2);
	CHECK(t, make("colunm /tmp/never.obj") == 2 && strstr(output, "did you mean 'column'"));
	CHECK(t, make("xyzzyx /tmp/never.obj") == 2 && strstr(output, "--list"));
	CHECK(t, make("mug /tmp/never.obj --detail 0") == 2);
	CHECK(t, make("arena /tmp/never.obj --detail 11") == 1 && strstr(output, "detail is 11"));
	CHECK(t, make("box /tmp/no/such/folder/box.obj") == 1);
	CHECK(t, access("/tmp/never.obj", F_OK) != 0);
}

TEST_MAIN(TEST(every_listed_shape_can_be_written), TEST(wrong_words_are_refused))
