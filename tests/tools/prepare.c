// SPDX-License-Identifier: MIT
// ctest: native
// rubble prepare, on a shape that rubble make writes.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

static void write_text(const char *name, const char *text)
{
	write_file(name, text, strlen(text));
}

static void a_file_is_prepared(test *t)
{
	if (!open_folder(t, "prepare"))
		return;
	CHECK(t, run("make torus in.obj") == 0);
	CHECK(t, run("prepare in.obj --tolerance 0.3 --json out.json") == 0);
	CHECK(t, field("parts") >= 3.0 && field("ratio") <= 1.3 && field("shells") == 1.0);
	CHECK(t, field("inside_out") == 0.0 && strstr(output, "parts, 0 inside out, "));
	CHECK(t, strstr(text_of("out.json"), "\"stop\": \"tolerance\""));
	CHECK(t, run("prepare in.obj --nodes 9 --json out.json --workers 2") == 0);
	CHECK(t, field("nodes") == 9.0 && strstr(text_of("out.json"), "\"stop\": \"given\""));
	write_text("nodes.txt", "# two halves\n1 0 0\n\n-1, 0, 0 # left\n");
	CHECK(t, run("prepare in.obj --nodes nodes.txt --json out.json") == 0);
	CHECK(t, field("nodes") == 2.0 && field("parts") == 2.0);
	write_text("bad.txt", "1 2\n");
	CHECK(t, run("prepare in.obj --nodes bad.txt") == 1 && strstr(output, "bad.txt:1"));
	write_text("bad.txt", "1 2 3 4\n");
	CHECK(t, run("prepare in.obj --nodes bad.txt") == 1);
	write_text("bad.txt", "\n");
	CHECK(t, run("prepare in.obj --nodes bad.txt") == 1 && strstr(output, "no nodes"));
	CHECK(t, run("prepare in.obj --nodes absent.txt") == 1);
	CHECK(t, run("prepare in.obj --nodes 0") == 2);
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
	write_text("bad.rbl", "RBLA, but this is nothing that anyone wrote");
	CHECK(t, run("fracture bad.rbl") == 1 && strstr(output, "asset"));
	close_folder(t);
}

// The field is made, shown, drawn and written; rubble fracture reads such files too.
static void a_field_is_made_on_request(test *t)
{
	if (!open_folder(t, "prepare"))
		return;
	CHECK(t, run("make mug in.obj") == 0);
	CHECK(t, run("prepare in.obj -o plain.rbl") == 0 && !strstr(output, "field:"));
	CHECK(t, run("prepare in.obj --field 64 --wall 0.005 -o out.rbl --slice out.png") == 0);
	CHECK(t, strstr(output, "field: cells of 2.5 mm") && strstr(output, "MB"));
	CHECK(t, run("fracture out.rbl --cells 15 --json out.json") == 0);
	CHECK(t, field("pieces") > 5.0 && field("volume_error") < 1e-9);
	CHECK(t, memcmp(text_of("out.png"), "\x89PNG", 4) == 0);
	CHECK(t, run("prepare in.obj --slice out.png") == 1 && strstr(output, "--field"));
	CHECK(t, run("prepare in.obj --field 64 --slice nowhere/out.png") == 1);
	CHECK(t, run("prepare in.obj --field 4") == 2);
	close_folder(t);
}

// Nodes go out and in again, and the decomposition is drawn.
static void nodes_are_written_and_read(test *t)
{
	if (!open_folder(t, "prepare"))
		return;
	CHECK(t, run("make torus ring.obj") == 0);
	CHECK(t, run("prepare ring.obj -o a.rbl --nodes 7 --write-nodes nodes.txt --picture parts.png "
	             "--pull 0.3") == 0);
	CHECK(t, strstr(text_of("nodes.txt"), "# 7 nodes") != NULL);
	CHECK(t, run("prepare ring.obj -o b.rbl --nodes nodes.txt --json out.json") == 0);
	CHECK(t, field("nodes") == 7.0);
	CHECK(t, run("info a.rbl --json >out.json") == 0);
	double parts = field("parts"), volume = field("convex_volume");
	CHECK(t, run("info b.rbl --json >out.json") == 0);
	CHECK(t, parts >= 7.0 && field("parts") == parts && field("convex_volume") == volume);
	CHECK(t, run("version && head -c 4 parts.png") == 0 && strstr(output, "PNG") != NULL);
	close_folder(t);
}

TEST_MAIN(TEST(nodes_are_written_and_read), TEST(a_file_is_prepared),
          TEST(a_field_is_made_on_request))
