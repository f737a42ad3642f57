// SPDX-License-Identifier: MIT
// ctest: native
//
// A textured building: what is in it, which of its nodes are bodies, and the film of it at a time.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

static const char scene[] =
	"{ \"version\": 2, \"step_count\": 90, \"materials\": { \"brick\": { \"break_energy\": 1000, "
	"\"cell_count\": 8, \"break_radius\": 1 }, \"iron\": { \"density\": 7800 } }, \"models\": { "
	"\"walls\": { \"file\": \"building.glb\", \"nodes\": true, \"node_pattern\": \"%s\" }, "
	"\"ball\": { \"sphere\": 0.45 } }, \"instances\": [ { \"model\": \"walls\", \"material\": "
	"\"brick\", \"kind\": \"static\" } ], \"projectiles\": [ { \"model\": \"ball\", \"material\": "
	"\"iron\", \"position\": [-3, 2, 14], \"velocity\": [0, 2, -30], \"time\": 0.1 } ] }";

static void make_scene(test *t, const char *pattern)
{
	char text[1200];
	snprintf(text, sizeof text, scene, pattern);
	write_file("scene.json", text, strlen(text));
	CHECK(t, run("make building building.glb --quiet") == 0);
}

// How often a text is in a file.
static int occurrences(const char *name, const char *text)
{
	char path[100];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "rb");
	if (!file)
		return -1;
	static char bytes[1 << 23];
	size_t size = fread(bytes, 1, sizeof bytes, file), length = strlen(text);
	int count = 0;
	fclose(file);
	for (size_t i = 0; i + length <= size; ++i)
		count += memcmp(bytes + i, text, length) == 0;
	return count;
}

static void info_lists_nodes_and_textures(test *t)
{
	if (!open_folder(t, "make"))
		return;
	make_scene(t, "*");
	CHECK(t, run("info building.glb") == 0);
	CHECK(t, strstr(output, "nodes             306") && strstr(output, "image/png"));
	CHECK(t, strstr(output, "Brick.000, in Storey.001"));
	CHECK(t, run("info building.glb --json") == 0);
	CHECK(t, strstr(output, "{ \"name\": \"Brick.000\", \"parent\": 1, \"mesh\": "));
	CHECK(t, strstr(output, "\"type\": \"image/png\", \"bytes\": "));
	close_folder(t);
}

static void a_pattern_chooses_nodes(test *t)
{
	if (!open_folder(t, "run"))
		return;
	make_scene(t, "Brick*");
	CHECK(t, run("run scene.json -o film.glb --steps 5 --quiet") == 0);
	CHECK(t, occurrences("film.glb", "\"name\":\"Brick.") > 20);
	CHECK(t, occurrences("film.glb", "\"name\":\"Pane.") == 0);
	make_scene(t, "Storey.001"); // all below it
	CHECK(t, run("run scene.json -o film.glb --steps 5 --quiet") == 0);
	CHECK(t, occurrences("film.glb", "\"name\":\"Brick.000") == 1);
	CHECK(t, occurrences("film.glb", "\"name\":\"Pane.000") == 1);
	make_scene(t, "Chimney*");
	CHECK(t, run("run scene.json -o film.glb --steps 5 --quiet") == 1);
	CHECK(t, strstr(output, "no node of that name has a mesh"));
	close_folder(t);
}

static void films_tell_masses_and_bonds(test *t)
{
	if (!open_folder(t, "run"))
		return;
	CHECK(t, run("run '" RBL_SOURCE_DIR
	             "/scenes/tower-collapse.json' -o film.glb --steps 150 --quiet") == 0);
	CHECK(t, occurrences("film.glb", "\"mass\":") > 20);
	CHECK(t, occurrences("film.glb", "\"bonds\":[[") > 0);
	CHECK(t, occurrences("film.glb", "\"birth\":") == occurrences("film.glb", "\"mass\":"));
	CHECK(t, occurrences("film.glb", "\"parent\":\"") > 0);
	close_folder(t);
}

static void a_film_is_drawn_at_a_time(test *t)
{
	if (!open_folder(t, "picture"))
		return;
	make_scene(t, "Brick*");
	CHECK(t, run("run scene.json -o film.glb --quiet") == 0);
	const char *const frame = "--width 120 --height 80 --frame -8,0,-4,8,8,14 --quiet";
	const double times[3] = { 0.0, 0.05, 0.4 };
	for (int i = 0; i < 3; ++i) {
		char line[200];
		snprintf(line, sizeof line, "picture film.glb p%d.png --time %g %s", i, times[i], frame);
		CHECK(t, run(line) == 0);
	}
	char line[300];
	snprintf(line, sizeof line, "cmp -s '%s/p0.png' '%s/p1.png'", folder, folder);
	CHECK(t, system(line) == 0); // before the shot
	snprintf(line, sizeof line, "cmp -s '%s/p0.png' '%s/p2.png'", folder, folder);
	CHECK(t, system(line) != 0);
	close_folder(t);
}

TEST_MAIN(TEST(info_lists_nodes_and_textures), TEST(a_pattern_chooses_nodes),
          TEST(films_tell_masses_and_bonds), TEST(a_film_is_drawn_at_a_time))
