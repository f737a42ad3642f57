// SPDX-License-Identifier: MIT
// ctest: native
// rubble prepare, on a shape that rubble make writes.

#define _POSIX_C_SOURCE 200809L

#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM RBL_BINARY_DIR "/tools/rubble"

static char output[1 << 12], text[1 << 12];
static char folder[] = "/tmp/rubble-prepare-XXXXXX";

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

static void write_file(const char *name, const char *content)
{
	char path[100];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "w");
	if (file) {
		fputs(content, file);
		fclose(file);
	}
}

static double field(const char *name)
{
	char path[100], quoted[60];
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

static void a_file_is_prepared(test *t)
{
	if (access(PROGRAM, X_OK) != 0 || !mkdtemp(folder) || run("help prepare") != 0) {
		SKIP(t, "the program is not built, or without mesh files");
		return;
	}
	CHECK(t, run("make torus in.obj") == 0);
	CHECK(t, run("prepare in.obj --tolerance 0.3 --json out.json") == 0);
	CHECK(t, field("parts") >= 3.0 && field("ratio") <= 1.3 && field("shells") == 1.0);
	CHECK(t, strstr(text, "\"stop\": \"tolerance\""));
	CHECK(t, run("prepare in.obj --nodes 9 --json out.json --workers 2") == 0);
	CHECK(t, field("nodes") == 9.0 && strstr(text, "\"stop\": \"given\""));
	write_file("nodes.txt", "# two halves\n1 0 0\n\n-1, 0, 0 # left\n");
	CHECK(t, run("prepare in.obj --nodes nodes.txt --json out.json") == 0);
	CHECK(t, field("nodes") == 2.0 && field("parts") == 2.0);
	write_file("bad.txt", "1 2\n");
	CHECK(t, run("prepare in.obj --nodes bad.txt") == 1 && strstr(output, "bad.txt:1"));
	write_file("bad.txt", "1 2 3 4\n");
	CHECK(t, run("prepare in.obj --nodes bad.txt") == 1);
	write_file("bad.txt", "\n");
	CHECK(t, run("prepare in.obj --nodes bad.txt") == 1 && strstr(output, "no nodes"));
	CHECK(t, run("prepare in.obj --nodes absent.txt") == 1);
	CHECK(t, run("prepare in.obj --nodes 0") == 1);
	CHECK(t, run("prepare absent.obj") == 1);
	CHECK(t, run("prepare in.obj --json nowhere/out.json") == 1);
	CHECK(t, run("prepare in.obj --nodes 9 -o out.rbl") == 0);
	CHECK(t, run("fracture out.rbl --cells 15 --json out.json -o pieces") == 0);
	CHECK(t, field("pieces") > 9.0 && field("convexes") >= field("pieces"));
	CHECK(t, field("open_pieces") == 0.0 && field("volume_error") < 1e-9);
	CHECK(t, run("fracture out.rbl --at 0.5,0,0 --radius 0.2 --json out.json -o out.glb") == 0);
	CHECK(t, field("pieces") >= 2.0 && field("volume_error") < 1e-9);
	CHECK(t, run("fracture out.rbl --cells 4 --repeat 2 --workers 2 --json out.json") == 0);
	CHECK(t, field("open_pieces") == 0.0 && field("volume_error") < 1e-9);
	CHECK(t, run("prepare in.obj -o nowhere/out.rbl") == 1);
	write_file("bad.rbl", "RBLA, but this is nothing that anyone wrote");
	CHECK(t, run("fracture bad.rbl") == 1 && strstr(output, "asset"));
	char line[100];
	snprintf(line, sizeof line, "rm -rf '%s'", folder);
	CHECK(t, system(line) == 0);
}

TEST_MAIN(TEST(a_file_is_prepared))
