// SPDX-License-Identifier: MIT
// ctest: native
// rubble collide, on shapes that rubble make writes and on files written here.

#define _POSIX_C_SOURCE 200809L

#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM RBL_BINARY_DIR "/tools/rubble"

static char output[1 << 12];
static char folder[] = "/tmp/rubble-collide-XXXXXX";

// Run a line in the folder. @return its exit status, -1 none
static int run(const char *arguments)
{
	char line[600];
	snprintf(line, sizeof line, "cd '%s' && '%s' %s 2>&1", folder, PROGRAM, arguments);
	output[0] = '\0';
	FILE *pipe = popen(line, "r");
	if (!pipe)
		return -1;
	size_t length = fread(output, 1, sizeof output - 1, pipe);
	output[length] = '\0';
	int status = pclose(pipe);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static double field(const char *name)
{
	char path[100], text[1000], quoted[60];
	snprintf(path, sizeof path, "%s/out.json", folder);
	FILE *file = fopen(path, "r");
	if (!file)
		return (double)NAN;
	size_t length = fread(text, 1, sizeof text - 1, file);
	text[length] = '\0';
	fclose(file);
	snprintf(quoted, sizeof quoted, "\"%s\": ", name);
	const char *at = strstr(text, quoted);
	return at ? strtod(at + strlen(quoted), NULL) : (double)NAN;
}

static void write_text(const char *name, const char *text)
{
	char path[100];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "w");
	if (file) {
		fputs(text, file);
		fclose(file);
	}
}

static void meshes_collide_as_brute_force_says(test *t)
{
	if (access(PROGRAM, X_OK) != 0 || !mkdtemp(folder) || run("help collide") != 0) {
		SKIP(t, "the program is not built, or without mesh files");
		return;
	}
	CHECK(t, run("make torus ring.obj") == 0);
	CHECK(t, run("collide ring.obj --brute --json out.json") == 0);
	CHECK(t, field("pairs") == 0.0 && field("missed") == 0.0 && field("extra") == 0.0);
	CHECK(t, field("ms") > 0.0 && field("tests") >= 0.0 && field("triangles") > 100.0);
	CHECK(t, run("make box box.obj") == 0);
	static const char *const grades[3] = { "none", "cone", "exact" };
	for (int i = 0; i < 3; ++i) {
		char line[200];
		snprintf(line, sizeof line,
		         "collide ring.obj --with box.obj --cull %s --brute --json out.json", grades[i]);
		CHECK(t, run(line) == 0);
		CHECK(t, field("pairs") > 0.0 && field("missed") == 0.0 && field("extra") == 0.0);
	}

	// A triangle falls through another, and stays clear of both ends of the step.
	write_text("start.obj",
	           "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 2\nv 1 2 1\nv 2 1 1\nf 1 2 3\nf 4 5 6\n");
	write_text("end.obj",
	           "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 -1\nv 1 2 -2\nv 2 1 -2\nf 1 2 3\nf 4 5 6\n");
	CHECK(t, run("collide start.obj --brute --json out.json") == 0 && field("pairs") == 0.0);
	CHECK(t, run("collide end.obj --brute --json out.json") == 0 && field("pairs") == 0.0);
	CHECK(t, run("collide start.obj --to end.obj --brute --json out.json") == 0);
	CHECK(t, field("pairs") >= 3.0 && field("missed") == 0.0 && field("extra") == 0.0);
	CHECK_NEAR(t, field("first_time"), 1.0 / 3.0, 1e-6);

	CHECK(t, run("collide ring.obj --to box.obj") == 1 && strstr(output, "not the triangles"));
	CHECK(t, run("collide absent.obj") == 1 && run("collide ring.obj --with absent.obj") == 1);
	CHECK(t, run("collide ring.obj --json no/such/folder.json") == 1);
	CHECK(t, run("collide ring.obj --cull some") == 2 && run("collide") == 2);
	char line[200];
	snprintf(line, sizeof line, "rm -r '%s'", folder);
	CHECK(t, system(line) == 0);
}

TEST_MAIN(TEST(meshes_collide_as_brute_force_says))
