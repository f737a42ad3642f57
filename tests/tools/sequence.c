// SPDX-License-Identifier: MIT
// ctest: native
//
// Other ways out of `rubble run`: a folder of numbered files, and a table of events.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

#include <sys/stat.h>

static bool is_there(const char *name)
{
	char path[100];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return access(path, R_OK) == 0;
}

static void a_run_becomes_numbered_files(test *t)
{
	if (!open_folder(t, "run"))
		return;
	CHECK(t, run("run " RBL_SOURCE_DIR "/scenes/window.json -o out/ --steps 60 --rate 10 "
	             "--format ply") == 0);
	CHECK(t, strstr(output, "6 files, out/frame_0000.ply to frame_0005.ply") != NULL);
	CHECK(t, is_there("out/frame_0000.ply") && is_there("out/frame_0005.ply"));
	CHECK(t, !is_there("out/frame_0006.ply"));
	double faces[2];
	for (int i = 0; i < 2; ++i) {
		CHECK(t, run(i ? "info out/frame_0005.ply --json >out.json"
		               : "info out/frame_0000.ply --json >out.json") == 0);
		faces[i] = field("faces");
	}
	CHECK(t, faces[0] > 10.0 && faces[1] > faces[0]); // the pane is broken by then
	CHECK(t, run("run " RBL_SOURCE_DIR "/scenes/wall.json -o walls/ --steps 2 --rate 30") == 0);
	CHECK(t, is_there("walls/frame_0001.obj") && is_there("walls/frame_0001.mtl"));
	CHECK(t, run("version >file") == 0);
	CHECK(t, run("run " RBL_SOURCE_DIR "/scenes/wall.json -o file/ --steps 2") == 1);
	close_folder(t);
}

static void pieces_become_numbered_files(test *t)
{
	if (!open_folder(t, "fracture"))
		return;
	CHECK(t, run("make box box.obj") == 0);
	CHECK(t, run("fracture box.obj -o pieces/ --cells 8 --format ply") == 0);
	CHECK(t, is_there("pieces/piece_0001.ply") && run("info pieces/piece_0001.ply") == 0);
	CHECK(t, strstr(output, "breakable         yes") != NULL);
	close_folder(t);
}

// @return how many lines of the file begin or go on with the text
static int count_of(const char *file, const char *text)
{
	char line[200];
	snprintf(line, sizeof line, "version >/dev/null; grep -c '%s' %s", text, file);
	run(line);
	return atoi(output);
}

static void events_are_a_table(test *t)
{
	if (!open_folder(t, "run"))
		return;
	CHECK(t, run("run " RBL_SOURCE_DIR "/scenes/window.json -o a.glb --steps 60 --json out.json "
	             "--events events.csv") == 0);
	int fractures = (int)field("fractures");
	CHECK(t, fractures > 0 && count_of("events.csv", ",fracture,hit,") == fractures);
	CHECK(t, strncmp(text_of("events.csv"), "time,step,event,detail,object,other,x,y,z,", 40) == 0);
	int hits = count_of("events.csv", ",hit,,"), rows = count_of("events.csv", "");
	int fragments = count_of("events.csv", ",fragment,,");
	CHECK(t, hits > 0 && fragments > 5 && count_of("events.csv", ",hit,.*,pane") > 0);
	// The same number of columns in every row.
	CHECK(t, count_of("events.csv", "^\\([^,]*,\\)\\{19\\}[^,]*$") == rows);
	CHECK(t, run("run " RBL_SOURCE_DIR "/scenes/window.json -o a.glb --steps 60 --quiet "
	             "--events events.json") == 0);
	CHECK(t, count_of("events.json", "^{\"time\": ") == rows - 1);
	CHECK(t, count_of("events.json", "\"event\": \"fragment\"") == fragments);
	CHECK(t, strncmp(text_of("events.json"), "[\n{\"time\": ", 11) == 0);
	close_folder(t);
}

TEST_MAIN(TEST(a_run_becomes_numbered_files), TEST(pieces_become_numbered_files),
          TEST(events_are_a_table))
