// SPDX-License-Identifier: MIT
// ctest: native
// rubble fracture, on a shape that rubble make writes.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

static void a_shape_breaks_into_closed_files(test *t)
{
	if (!open_folder(t, "fracture"))
		return;
	CHECK(t, run("make torus in.obj") == 0);
	CHECK(t, run("fracture in.obj -o pieces --cells 12 --seed 3 --json out.json") == 0);
	int pieces = (int)field("pieces");
	CHECK(t, pieces >= 12 && field("convexes") == pieces);
	CHECK(t, field("open_pieces") == 0.0 && field("failed_pieces") == 0.0);
	CHECK(t, field("volume_error") < 1e-9);
	for (int i = 1; i <= pieces; ++i) {
		char line[100];
		snprintf(line, sizeof line, "info pieces/piece_%04d.obj", i);
		CHECK(t, run(line) == 0 && strstr(output, "closed            yes"));
	}
	close_folder(t);
}

static void every_pattern_writes_a_scene(test *t)
{
	if (!open_folder(t, "fracture"))
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
	close_folder(t);
}

// An impact at a corner: what comes off lies within the sphere, and the first piece is the rest.
static void an_impact_takes_only_what_it_reaches(test *t)
{
	if (!open_folder(t, "fracture"))
		return;
	CHECK(t, run("make box in.obj") == 0);
	CHECK(t, run("fracture in.obj -o pieces --cells 30 --at 0.5,0.5,0.5 --radius 0.2 "
	             "--json out.json") == 0);
	double pieces = field("pieces");
	CHECK(t, pieces > 2.0 && field("convexes") >= pieces);
	CHECK(t, field("open_pieces") == 0.0 && field("volume_error") < 1e-9);
	CHECK(t, run("info pieces/piece_0001.obj") == 0);
	const char *at = strstr(output, "volume");
	CHECK(t, at && strtod(at + strcspn(at, "0123456789"), NULL) > 0.98);
	CHECK(t, run("fracture in.obj -o out.glb --cells 30 --at 0.5,0.5,0.5 --radius 0.2 --repeat 2 "
	             "--hulls unreal --json out.json") == 0);
	CHECK(t, field("pieces") > pieces && field("volume_error") < 1e-9);
	CHECK(t, run("fracture in.obj --at 9,9,9 --radius 0.2 --json out.json") == 0);
	CHECK(t, field("pieces") == 1.0 && field("volume_error") == 0.0);
	CHECK(t, strstr(output, "warning: nothing comes off"));
	close_folder(t);
}

static void rough_pieces_are_written(test *t)
{
	if (!open_folder(t, "fracture"))
		return;
	CHECK(t, run("make box in.obj") == 0);
	CHECK(t, run("fracture in.obj -o flat --cells 8") == 0);
	CHECK(t, run("fracture in.obj -o rough --cells 8 --roughness 0.02 --json out.json") == 0);
	CHECK(t, field("open_pieces") == 0.0 && field("volume_error") < 1e-9);
	CHECK(t, run("info rough/piece_0001.obj") == 0);
	const char *at = strstr(output, "triangles");
	CHECK(t, at && strtod(at + strcspn(at, "0123456789"), NULL) > 100.0);
	CHECK(t, run("fracture in.obj -o rough --cells 8 --roughness -1") != 0);
	close_folder(t);
}

// A brick is two cells of one colour, and one piece.
static void bricks_come_whole(test *t)
{
	if (!open_folder(t, "fracture"))
		return;
	CHECK(t, run("make box in.obj") == 0);
	CHECK(t, run("fracture in.obj --pattern bricks --cells 40 --json out.json") == 0);
	CHECK(t, field("pieces") > 20.0 && field("convexes") > 1.3 * field("pieces"));
	CHECK(t, field("open_pieces") == 0.0 && field("volume_error") < 1e-9);
	close_folder(t);
}

static void what_cannot_be_broken_is_refused(test *t)
{
	if (!open_folder(t, "fracture"))
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
	CHECK(t,
	      run("fracture open.obj --repair -o pieces.obj") == 2 && strstr(output, "or be a folder"));
	CHECK(t, run("fracture open.obj --repair -o nowhere/out.glb") == 1);
	CHECK(t, run("fracture open.obj --repair --json nowhere/out.json") == 1);
	close_folder(t);
}

TEST_MAIN(TEST(a_shape_breaks_into_closed_files), TEST(every_pattern_writes_a_scene),
          TEST(an_impact_takes_only_what_it_reaches), TEST(rough_pieces_are_written),
          TEST(bricks_come_whole), TEST(what_cannot_be_broken_is_refused))
