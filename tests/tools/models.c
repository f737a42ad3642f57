// SPDX-License-Identifier: MIT
// ctest: native
//
// What a model of a scene may be: an asset as it was prepared, a file that is closed first, one whose
// shells are bodies of their own.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

static void write_scene(const char *model)
{
	char text[600];
	snprintf(
		text, sizeof text,
		"{\"version\":2,\"step_count\":20,\"models\":{\"m\":{%s},\"floor\":{\"box\":[9,1,9]}},"
		"\"instances\":[{\"model\":\"floor\",\"material\":\"stone\",\"kind\":\"static\","
		"\"position\":[0,-0.5,0]},{\"model\":\"m\",\"material\":\"stone\",\"position\":[0,2,0]}]}",
		model);
	write_file("scene.json", text, strlen(text));
}

// @return the number of bodies that a run ends with, -1 if it fails
static int run_bodies(const char *options)
{
	char line[200];
	snprintf(line, sizeof line, "run scene.json -o film.glb %s", options);
	if (run(line) != 0)
		return -1;
	const char *at = strstr(output, " steps, ");
	return at ? atoi(at + strlen(" steps, ")) : -1;
}

static void assets_are_models(test *t)
{
	if (!open_folder(t, "run"))
		return;
	CHECK(t, run("make torus ring.obj") == 0);
	CHECK(t, run("prepare ring.obj -o ring.rbl --nodes 7") == 0);
	write_scene("\"file\":\"ring.rbl\"");
	CHECK(t, run_bodies("") == 2);
	write_file("ring.rbl", "no asset", 8);
	CHECK(t, run_bodies("") == -1 && strstr(output, "ring.rbl"));
	close_folder(t);
}

// A box without its lid.
static const char open_box[] =
	"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
	"f 4 3 2 1\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

static void open_files_are_closed_when_asked_to(test *t)
{
	if (!open_folder(t, "run"))
		return;
	write_file("open.obj", open_box, sizeof open_box - 1);
	write_scene("\"file\":\"open.obj\"");
	CHECK(t, run_bodies("") == -1 && strstr(output, "models.m: ") && strstr(output, "--repair"));
	CHECK(t, run_bodies("--repair") == 2);
	CHECK(t, run("convert open.obj open.glb --repair") == 0);
	write_scene("\"file\":\"open.obj\",\"repair\":true");
	CHECK(t, run_bodies("") == 2);
	write_scene("\"file\":\"open.glb\"");
	CHECK(t, run_bodies("") == 2);
	close_folder(t);
}

static void shells_are_bodies_when_split(test *t)
{
	if (!open_folder(t, "run"))
		return;
	char text[2000] = "";
	for (int k = 0; k < 3; ++k) {
		static const int sides[24] = { 4, 3, 2, 1, 5, 6, 7, 8, 1, 2, 6, 5,
			                           2, 3, 7, 6, 3, 4, 8, 7, 4, 1, 5, 8 };
		for (int v = 0; v < 8; ++v)
			snprintf(text + strlen(text), sizeof text - strlen(text), "v %d %d %d\n",
			         2 * k + (v % 4 == 1 || v % 4 == 2), v % 4 >= 2, v >= 4);
		for (int f = 0; f < 6; ++f)
			snprintf(text + strlen(text), sizeof text - strlen(text), "f %d %d %d %d\n",
			         8 * k + sides[4 * f], 8 * k + sides[4 * f + 1], 8 * k + sides[4 * f + 2],
			         8 * k + sides[4 * f + 3]);
	}
	write_file("three.obj", text, strlen(text));
	write_scene("\"file\":\"three.obj\"");
	CHECK(t, run_bodies("") == 2);
	write_scene("\"file\":\"three.obj\",\"split\":true");
	CHECK(t, run_bodies("") == 4);
	write_scene("\"file\":\"three.obj\",\"split\":true,\"nodes\":true");
	CHECK(t, run_bodies("") == -1 && strstr(output, "models.m.nodes"));
	close_folder(t);
}

TEST_MAIN(TEST(assets_are_models), TEST(open_files_are_closed_when_asked_to),
          TEST(shells_are_bodies_when_split))
