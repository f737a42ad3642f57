// SPDX-License-Identifier: MIT
// ctest: native
// rubble fracture, on a shape that rubble make writes.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

#include <sys/resource.h>

// A box whose sides are quads that are not flat.
static const char twisted[] = "v -1 -1 -1\nv 1 -1 -1\nv -1 1 -1.3\nv 1 1 -1\n"
							  "v -1 -1 1\nv 1.4 -1 1\nv -1 1.2 1\nv 1 1 1.5\n"
							  "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n";

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
	CHECK(t, strstr(output, "warning: nothing breaks off"));
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

static bool is_there(const char *name)
{
	char path[120];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return access(path, F_OK) == 0;
}

// A second run with fewer pieces leaves none of the first, and nothing but those goes.
static void no_piece_of_an_earlier_run_remains(test *t)
{
	if (!open_folder(t, "fracture"))
		return;
	CHECK(t, run("make mug in.obj") == 0);
	CHECK(t, run("fracture in.obj -o pieces/ --cells 30 --json out.json") == 0);
	int before = (int)field("pieces");
	CHECK(t, before > 20 && is_there("pieces/piece_0020.obj"));
	CHECK(t, is_there("pieces/piece_0020.mtl")); // it has materials
	const char *others[] = { "pieces/notes.txt",         "pieces/piece_0019.txt",
		                     "pieces/piece_19.obj",      "pieces/piece_0019.obj.bak",
		                     "pieces/my_piece_0019.obj", "pieces/piece_0019a.obj" };
	for (int i = 0; i < 6; ++i)
		write_file(others[i], "# Rubble\nmine\n", 14);
	write_file("pieces/piece_9000.obj", "v 0 0 0\n", 8); // named like ours, written by others
	CHECK(t, run("fracture in.obj -o pieces/ --cells 3 --json out.json") == 0);
	int after = (int)field("pieces");
	CHECK(t, after > 1 && after < 15);
	for (int i = 1; i <= before; ++i) {
		char name[60];
		snprintf(name, sizeof name, "pieces/piece_%04d.obj", i);
		CHECK(t, is_there(name) == (i <= after));
		snprintf(name, sizeof name, "pieces/piece_%04d.mtl", i);
		CHECK(t, is_there(name) == (i <= after));
	}
	for (int i = 0; i < 6; ++i)
		CHECK(t, is_there(others[i]));
	CHECK(t, is_there("pieces/piece_9000.obj"));
	close_folder(t);
}

// Regression: what came off was measured by other triangles than the mesh it came from.
static void quads_that_are_not_flat_lose_no_volume(test *t)
{
	if (!open_folder(t, "fracture"))
		return;
	write_file("in.obj", twisted, strlen(twisted));
	const char *ways[] = {
		"--radius 0.7 --at 1,1,1",           "--radius 5", "--pattern bricks", "", "--repeat 2",
		"--radius 0.7 --at 1,1,1 --repeat 2"
	};
	for (int i = 0; i < 6; ++i) {
		char line[200];
		snprintf(line, sizeof line, "fracture in.obj --cells 20 --json out.json %s", ways[i]);
		CHECK(t, run(line) == 0 && strstr(output, " 0 open, 0 inside out"));
		CHECK(t, field("pieces") > 2.0 && field("volume_error") < 1e-9);
		CHECK(t, field("inside_out_pieces") == 0.0);
	}
	CHECK(t, run("prepare in.obj -o out.rbl --nodes 3") == 0);
	CHECK(t, run("fracture out.rbl --cells 9 --json out.json") == 0);
	CHECK(t, field("pieces") > 2.0 && field("volume_error") < 1e-9);
	close_folder(t);
}

// Cells of a millionth of the body: bricks took 2.4 GB and seconds.
static void a_tiny_impact_takes_no_more_than_its_cells(test *t)
{
	if (!open_folder(t, "fracture"))
		return;
	const char *kinds[] = { "voronoi", "impact", "bricks", "splinters" };
	CHECK(t, run("make box in.obj") == 0);
	for (int i = 0; i < 4; ++i) {
		char line[200];
		snprintf(line, sizeof line,
		         "fracture in.obj --pattern %s --cells 400 --at 0.1,0.2,0.3 --radius 1e-6 "
		         "--json out.json",
		         kinds[i]);
		CHECK(t, run(line) == 0 && field("pieces") > 100.0 && field("volume_error") < 1e-9);
	}
	struct rusage usage;
	CHECK(t, getrusage(RUSAGE_CHILDREN, &usage) == 0 && usage.ru_maxrss < 1000000);
	CHECK(t, run("fracture in.obj --radius 1e-20") == 1);
	CHECK(t, strstr(output, "--radius is 1e-20, must be at least"));
	close_folder(t);
}

// What would take too much is counted before it is begun, and refused with what to do.
static void too_many_cells_are_refused(test *t)
{
	if (!open_folder(t, "fracture"))
		return;
	CHECK(t, run("make box in.obj") == 0);
	const char *calls[] = { "--cells 300000",
		                    "--cells 100000 --radius 0.1",
		                    "--pattern bricks --cells 300000",
		                    "--cells 500 --repeat 6",
		                    "--cells 60 --radius 0.2 --cut-limit 50",
		                    "--pattern web --cells 200 --cut-limit 100" };
	for (int i = 0; i < 6; ++i) {
		char line[200];
		snprintf(line, sizeof line, "fracture in.obj %s", calls[i]);
		CHECK(t, run(line) == 1 && strstr(output, "limit") && strstr(output, "see --cut-limit"));
	}
	CHECK(t, run("fracture in.obj --cells 60 --cut-limit 60") == 0);
	CHECK(t, run("fracture in.obj --cells 60 --cut-limit 59") == 1);
	CHECK(t, run("fracture in.obj --cells 60 --cut-limit 0") == 2);
	close_folder(t);
}

// The sum of the masses in a file of physics data.
static double mass_in(const char *name)
{
	char path[100], word[64];
	double sum = 0.0;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "r");
	while (file && fscanf(file, "%63s", word) == 1)
		if (strcmp(word, "\"mass\":") == 0 && fscanf(file, "%63s", word) == 1)
			sum += strtod(word, NULL);
	if (file)
		fclose(file);
	return sum;
}

// Presets give pieces their density and name; slots have their own; assets keep what they are made of.
static void pieces_weigh_what_they_are_made_of(test *t)
{
	if (!open_folder(t, "fracture"))
		return;
	CHECK(t, run("make box in.obj") == 0);
	CHECK(t, run("fracture in.obj --preset paper") == 2 && strstr(output, "no preset 'paper'"));
	CHECK(t, run("fracture in.obj --material paper") == 2 && strstr(output, "SLOT=PRESET"));
	CHECK(t, run("fracture in.obj --material roof=wood") == 1 && strstr(output, "no slot 'roof'"));
	static const struct {
		const char *options;
		double density;
	} cases[] = {
		{ "--pattern voronoi --density 500", 500.0 },
		{ "--pattern voronoi --preset glass", 2500.0 },
		{ "--pattern bricks --preset wood", 420.0 },
		{ "--pattern voronoi --radius 0.3 --preset ice", 917.0 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		char line[200];
		snprintf(line, sizeof line, "fracture in.obj -o out.glb --physics out.json --cells 9 %s",
		         cases[i].options);
		CHECK(t, run(line) == 0);
		CHECK_NEAR(t, mass_in("out.json"), cases[i].density, 1e-4 * cases[i].density); // of 1 m3
	}
	CHECK(t, run("prepare in.obj -o out.rbl --preset stone --nodes 3") == 0);
	CHECK(t, run("fracture out.rbl -o out.glb --physics out.json --cells 5") == 0);
	CHECK_NEAR(t, mass_in("out.json"), 2600.0, 0.3);
	CHECK(t, run("make building in.glb") == 0);
	CHECK(t, run("fracture in.glb -o out.glb --physics out.json --cells 2 --preset concrete") == 0);
	double heavy = mass_in("out.json");
	CHECK(t, run("fracture in.glb -o out.glb --physics out.json --cells 2 --preset concrete "
	             "--material glass=ice") == 0);
	CHECK(t, mass_in("out.json") < heavy && mass_in("out.json") > 0.5 * heavy);
	close_folder(t);
}

TEST_MAIN(TEST(pieces_weigh_what_they_are_made_of), TEST(a_shape_breaks_into_closed_files),
          TEST(every_pattern_writes_a_scene), TEST(an_impact_takes_only_what_it_reaches),
          TEST(rough_pieces_are_written), TEST(bricks_come_whole),
          TEST(what_cannot_be_broken_is_refused), TEST(no_piece_of_an_earlier_run_remains),
          TEST(quads_that_are_not_flat_lose_no_volume),
          TEST(a_tiny_impact_takes_no_more_than_its_cells), TEST(too_many_cells_are_refused))
