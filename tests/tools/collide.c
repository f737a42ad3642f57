// SPDX-License-Identifier: MIT
// ctest: native
// rubble collide, on shapes that rubble make writes and on files written here.

#define _POSIX_C_SOURCE 200809L

#include "tools/command.h"

static void write_text(const char *name, const char *text)
{
	write_file(name, text, strlen(text));
}

static void meshes_collide_as_brute_force_says(test *t)
{
	if (!open_folder(t, "collide"))
		return;
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

	// What meets is red in the picture: both triangles here, of which one edge or face meets the other.
	CHECK(t, run("collide start.obj --to end.obj -o meet.obj") == 0);
	CHECK(t, strstr(text_of("meet.obj"), "usemtl meets") && run("info meet.obj --json") == 0);
	CHECK(t, run("collide end.obj -o apart.obj") == 0);
	CHECK(t, strstr(text_of("apart.obj"), "usemtl apart") &&
	             !strstr(text_of("apart.obj"), "usemtl meets"));
	CHECK(t, run("collide ring.obj --with box.obj -o meet.glb") == 0 && run("info meet.glb") == 0);
	CHECK(t, run("make icosphere ball.obj --detail 3") == 0);
	CHECK(t, run("collide ball.obj --with ring.obj --json out.json -o meet.obj") == 0);
	CHECK(t, strstr(output, "2 contours, 2 of them closed"));
	write_text("a.obj", "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 0 0 4\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
	write_text("b.obj", "v 1 1 1\nv 5 1 1\nv 1 5 1\nv 1 1 5\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
	CHECK(t, run("collide a.obj --with b.obj --json out.json -o meet.obj") == 0);
	CHECK(t, strstr(output, "1 contours, 1 of them closed") && strstr(output, "0.57735 deep"));
	CHECK(t, strstr(text_of("out.json"), "\"closed\": true, \"bodies\": [0, 1]"));
	CHECK(t, strstr(text_of("out.json"), "\"inside\": [null, { \"vertices\": [4]"));
	CHECK(t, strstr(text_of("out.json"),
	                "\"overlaps\": [\n    { \"bodies\": [0, 1], \"depth\": 0.57"));
	CHECK(t, run("collide ring.obj -o meet.xyz") == 1 && strstr(output, "meet.xyz: "));

	// Lists, with ids in the order of files.
	CHECK(t,
	      run("collide start.obj --to end.obj --separation 0.5 --json out.json -o near.obj") == 0);
	CHECK(t, strstr(text_of("out.json"), "\"kind\": \"vertex-face\", \"a\": 3, \"b\": 0"));
	CHECK(t, strstr(text_of("out.json"), "\"near\": [") && strstr(output, "are within 0.5"));
	write_text("apart.obj",
	           "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 1\nv 1 2 2\nv 2 1 2\nf 1 2 3\nf 4 5 6\n");
	CHECK(t, run("collide apart.obj --separation 1.25 --json out.json -o near.obj") == 0);
	CHECK(t, strstr(text_of("out.json"), "\"triangle_pairs\": [\n  ]"));
	CHECK(t, strstr(text_of("out.json"), "\"a\": 3, \"b\": 0, \"distance\": 1, \"side\": 1"));
	CHECK(t, strstr(text_of("near.obj"), "usemtl near") && field("pairs") == 0.0);
	CHECK(t, run("collide apart.obj --separation 0.75 --json out.json") == 0);
	CHECK(t, strstr(text_of("out.json"), "\"near\": [\n  ]"));
	CHECK(t, run("collide apart.obj --separation -1") == 2);

	CHECK(t, run("collide ring.obj --to box.obj") == 1 && strstr(output, "not the same triangles"));
	CHECK(t, run("collide absent.obj") == 1 && run("collide ring.obj --with absent.obj") == 1);
	CHECK(t, run("collide ring.obj --json no/such/folder.json") == 1);
	CHECK(t, run("collide ring.obj --cull some") == 2 && run("collide") == 2);
	close_folder(t);
}

TEST_MAIN(TEST(meshes_collide_as_brute_force_says))
