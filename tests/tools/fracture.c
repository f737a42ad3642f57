// SPDX-License-Identifier: MIT
// ctest: native
// rubble fracture, on a shape that rubble make writes.

#define _POSIX_C_SOURCE 200809L

#include "test.h"

#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM RBL_BINARY_DIR "/tools/rubble"

static char output[1 << 14];
static char folder[] = "/tmp/rubble-fracture-XXXXXX";

// Run the program in the folder. @return its exit status, -1 none
static int run(const char *arguments)
{
	char line[1200];
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

static bool is_absent(test *t)
{
	if (access(PROGRAM, X_OK) != 0 || !mkdtemp(folder) || run("help fracture") != 0)
		SKIP(t, "the program is not built, or without mesh files");
	return t->skipped != NULL;
}

static void clean_up(void)
{
	char line[200];
	snprintf(line, sizeof line, "rm -rf '%s'", folder);
	if (system(line) != 0)
		printf("could not remove %s\n", folder);
	memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
}

static double field(const char *json, const char *name)
{
	char quoted[60];
	snprintf(quoted, sizeof quoted, "\"%s\": ", name);
	const char *at = strstr(json, quoted);
	return at ? strtod(at + strlen(quoted), NULL) : (double)NAN;
}

static void a_shape_breaks_into_closed_files(test *t)
{
	if (is_absent(t))
		return;
	CHECK(t, run("make torus in.obj") == 0);
	CHECK(t, run("fracture in.obj -o pieces --cells 12 --seed 3 --json out.json") == 0);
	char path[200], json[2000] = { 0 };
	snprintf(path, sizeof path, "%s/out.json", folder);
	FILE *file = fopen(path, "r");
	CHECK(t, file != NULL);
	if (file) {
		CHECK(t, fread(json, 1, sizeof json - 1, file) > 0);
		fclose(file);
	}
	int pieces = (int)field(json, "pieces");
	CHECK(t, pieces >= 12 && field(json, "convexes") == pieces);
	CHECK(t, field(json, "open_pieces") == 0.0 && field(json, "failed_pieces") == 0.0);
	CHECK(t, field(json, "volume_error") < 1e-9);
	for (int i = 1; i <= pieces; ++i) {
		char line[100];
		snprintf(line, sizeof line, "info pieces/piece_%04d.obj", i);
		CHECK(t, run(line) == 0 && strstr(output, "closed            yes"));
	}
	clean_up();
}

static void every_pattern_writes_a_scene(test *t)
{
	if (is_absent(t))
		return;
	CHECK(t, run("make box in.ply") == 0);
	const char *kinds[] = { "voronoi", "impact", "web", "bricks", "splinters" };
	for (int i = 0; i < 5; ++i) {
		char line[200];
		snprintf(line, sizeof line,
		         "fracture in.ply -o out.glb --pattern %s --cells 20 --hulls %s --pull 0.2 "
		         "--at 0.1,0.2,0.3 --radius 0.4 --repeat 2 --workers 2",
		         kinds[i], i & 1 ? "unreal" : "godot");
		CHECK(t, run(line) == 0 && strstr(output, " 0 open"));
		CHECK(t, run("info out.glb") == 0);
	}
	clean_up();
}

static double json_field(const char *name)
{
	char path[200], json[2000] = { 0 };
	snprintf(path, sizeof path, "%s/out.json", folder);
	FILE *file = fopen(path, "r");
	if (!file)
		return (double)NAN;
	size_t length = fread(json, 1, sizeof json - 1, file);
	fclose(file);
	return length > 0 ? field(json, name) : (double)NAN;
}

// An impact at a corner: what comes off lies within the sphere, and the first piece is the rest.
static void an_impact_takes_only_what_it_reaches(test *t)
{
	if (is_absent(t))
		return;
	CHECK(t, run("make box in.obj") == 0);
	CHECK(t, run("fracture in.obj -o pieces --cells 30 --at 0.5,0.5,0.5 --radius 0.2 "
	             "--json out.json") == 0);
	double pieces = json_field("pieces");
	CHECK(t, pieces > 2.0 && json_field("convexes") >= pieces);
	CHECK(t, json_field("open_pieces") == 0.0 && json_field("volume_error") < 1e-9);
	CHECK(t, run("info pieces/piece_0001.obj") == 0);
	const char *at = strstr(output, "volume");
	CHECK(t, at && strtod(at + strcspn(at, "0123456789"), NULL) > 0.98);
	CHECK(t, run("fracture in.obj -o out.glb --cells 30 --at 0.5,0.5,0.5 --radius 0.2 --repeat 2 "
	             "--hulls unreal --json out.json") == 0);
	CHECK(t, json_field("pieces") > pieces && json_field("volume_error") < 1e-9);
	CHECK(t, run("fracture in.obj --at 9,9,9 --radius 0.2 --json out.json") == 0);
	CHECK(t, json_field("pieces") == 1.0 && json_field("volume_error") == 0.0);
	clean_up();
}

static void rough_pieces_are_written(test *t)
{
	if (is_absent(t))
		return;
	CHECK(t, run("make box in.obj") == 0);
	CHECK(t, run("fracture in.obj -o flat --cells 8") == 0);
	CHECK(t, run("fracture in.obj -o rough --cells 8 --roughness 0.02 --json out.json") == 0);
	CHECK(t, json_field("open_pieces") == 0.0 && json_field("volume_error") < 1e-9);
	CHECK(t, run("info rough/piece_0001.obj") == 0);
	const char *at = strstr(output, "triangles");
	CHECK(t, at && strtod(at + strcspn(at, "0123456789"), NULL) > 100.0);
	CHECK(t, run("fracture in.obj -o rough --cells 8 --roughness -1") != 0);
	clean_up();
}

// A brick is two cells of one colour, and one piece.
static void bricks_come_whole(test *t)
{
	if (is_absent(t))
		return;
	CHECK(t, run("make box in.obj") == 0);
	CHECK(t, run("fracture in.obj --pattern bricks --cells 40 --json out.json") == 0);
	CHECK(t, json_field("pieces") > 20.0 && json_field("convexes") > 1.3 * json_field("pieces"));
	CHECK(t, json_field("open_pieces") == 0.0 && json_field("volume_error") < 1e-9);
	clean_up();
}

static void what_cannot_be_broken_is_refused(test *t)
{
	if (is_absent(t))
		return;
	char path[200];
	snprintf(path, sizeof path, "%s/open.obj", folder);
	FILE *file = fopen(path, "w");
	CHECK(t, file != NULL);
	if (file) {
		fputs("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n", file);
		fclose(file);
	}
	CHECK(t, run("fracture open.obj") == 1 && strstr(output, "does not fit"));
	CHECK(t, run("fracture open.obj --repair --cells 3") == 0);
	CHECK(t, run("fracture absent.obj") == 1);
	CHECK(t, run("fracture") == 2);
	CHECK(t, run("fracture open.obj --repair -o nowhere/out.glb") == 1);
	CHECK(t, run("fracture open.obj --repair --json nowhere/out.json") == 1);
	clean_up();
}

TEST_MAIN(TEST(a_shape_breaks_into_closed_files), TEST(every_pattern_writes_a_scene),
          TEST(an_impact_takes_only_what_it_reaches), TEST(rough_pieces_are_written),
          TEST(bricks_come_whole), TEST(what_cannot_be_broken_is_refused))
