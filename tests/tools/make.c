// SPDX-License-Identifier: MIT
// `rubble make` as a user sees it: every shape it lists can be written, wrong words are refused.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

static void every_listed_shape_can_be_written(test *t)
{
	if (is_absent(t, "make"))
		return;
	char list[sizeof output], path[] = RBL_BINARY_DIR "/make-XXXXXX";
	CHECK(t, mkdtemp(path) != NULL);
	CHECK(t, run("make --list") == 0);
	memcpy(list, output, sizeof list);
	int count = 0;
	char *rest = list;
	for (char *line = strtok_r(list, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char arguments[sizeof path + 100], file[sizeof path + 20], name[40];
		CHECK(t, sscanf(line, "%39s", name) == 1);
		bool is_scene = strcmp(name, "building") == 0; // has textures: .glb only
		snprintf(file, sizeof file, "%s/shape.%s", path, is_scene ? "glb" : "stl");
		snprintf(arguments, sizeof arguments, "make %s '%s' --detail 2 --seed 7", name, file);
		CHECK(t, run(arguments) == 0);
		CHECK(t, strstr(output, is_scene ? "parts" : "vertices") != NULL);
		CHECK(t, access(file, R_OK) == 0);
		unlink(file);
		count++;
	}
	CHECK(t, count >= 14);
	rmdir(path);
}

static void wrong_words_are_refused(test *t)
{
	if (is_absent(t, "make"))
		return;
	CHECK(t, run("make") == 2);
	CHECK(t, run("make mug") == 2);
	CHECK(t, run("make colunm /tmp/never.obj") == 2 && strstr(output, "did you mean 'column'"));
	CHECK(t, run("make xyzzyx /tmp/never.obj") == 2 && strstr(output, "--list"));
	CHECK(t, run("make foo /tmp/never.obj") == 2 && !strstr(output, "did you mean"));
	CHECK(t, run("make box /tmp/never.xyz") == 1 && strstr(output, ".stl and .glb"));
	CHECK(t, run("make mug /tmp/never.obj --detail 0") == 2);
	CHECK(t, run("make arena /tmp/never.obj --detail 11") == 1 && strstr(output, "detail is 11"));
	CHECK(t, run("make box /tmp/no/such/folder/box.obj") == 1);
	CHECK(t, access("/tmp/never.obj", F_OK) != 0);
}

TEST_MAIN(TEST(every_listed_shape_can_be_written), TEST(wrong_words_are_refused))
