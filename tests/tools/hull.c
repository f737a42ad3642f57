// SPDX-License-Identifier: MIT
// ctest: native
// rubble hull, on a shape that rubble make writes.

#define _POSIX_C_SOURCE 200809L

#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM RBL_BINARY_DIR "/tools/rubble"

static char output[1 << 12];
static char folder[] = "/tmp/rubble-hull-XXXXXX";

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

static void a_hull_is_measured_and_written(test *t)
{
	if (access(PROGRAM, X_OK) != 0 || !mkdtemp(folder) || run("help hull") != 0) {
		SKIP(t, "the program is not built, or without mesh files");
		return;
	}
	CHECK(t, run("make torus in.obj") == 0);
	CHECK(t, run("hull in.obj --vertices 24 --json out.json -o hull.obj") == 0);
	CHECK(t, field("vertices") == 24.0);
	CHECK(t, field("planes") > 20.0 && field("planes") <= 50.0);
	CHECK(t, field("ratio") > 1.0 && field("ratio") < 1.2 && field("ms") > 0.0);
	CHECK_NEAR(t, field("volume") / field("exact_volume"), field("ratio"), 1e-6);
	double printed = field("ratio");
	CHECK(t, run("info hull.obj") == 0 && strstr(output, "closed            yes"));
	CHECK(t, run("hull in.obj --vertices 24 --monotone --json out.json") == 0);
	CHECK(t, field("ratio") <= printed);
	CHECK(t, run("hull in.obj --vertices 24 --planes 12 --json out.json") == 0);
	CHECK(t, field("planes") <= 12.0);
	CHECK(t, run("hull absent.obj") == 1);
	CHECK(t, run("hull in.obj --json nowhere/out.json") == 1);
	CHECK(t, run("hull in.obj -o nowhere/hull.obj") == 1);
	CHECK(t, run("hull in.obj --vertices 3") == 2);
	char line[100];
	snprintf(line, sizeof line, "rm -rf '%s'", folder);
	CHECK(t, system(line) == 0);
}

TEST_MAIN(TEST(a_hull_is_measured_and_written))
