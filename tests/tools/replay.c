// SPDX-License-Identifier: MIT
// ctest: native soak
//
// `rubble replay`: recordings of the shipped scenes replay to the same hashes, in another process and
// with other workers, also of runs whose budget a governor chose; damage is refused.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

// What stands behind "state " in the output.
static void state_of(char state[20])
{
	const char *at = strstr(output, "state ");
	snprintf(state, 20, "%.16s", at ? at + 6 : "");
}

static void recordings_of_shipped_scenes_replay(test *t)
{
	if (!open_folder(t, "replay") || is_absent(t, "run"))
		return;
	static const char *const names[] = { "wall",           "bricks", "window",
		                                 "tower-collapse", "blast",  "arena" };
	for (int i = 0; i < test_count(5, 6); ++i) {
		char line[900], steps[40] = "--steps 90", then[20], now[20];
		if (test_count(0, 1)) // all of it
			steps[0] = '\0';
		snprintf(line, sizeof line,
		         "run " RBL_SOURCE_DIR "/scenes/%s.json -o film.glb --record film.rblr %s",
		         names[i], steps);
		CHECK(t, run(line) == 0);
		state_of(then);
		CHECK(t, run("replay film.rblr --workers 2") == 0);
		state_of(now);
		CHECK(t, strstr(output, "all hashes agree") && strcmp(then, now) == 0 && then[0]);
	}
	close_folder(t);
}

// The governor of --frame-ms looks at the clock, and no two runs need to be alike; but each recording
// has what was chosen, and replays to the same hashes. With the least frame all steps that break are
// late, and with the greatest none is, on any machine, so budgets fall and rise.
static void governed_runs_replay(test *t)
{
	if (!open_folder(t, "replay") || is_absent(t, "run"))
		return;
	static const char *const frames[] = { "0.01", "16", "10000" };
	char ends[3][20], now[20];
	for (int i = 0; i < 3; ++i) {
		char line[900];
		snprintf(line, sizeof line,
		         "run " RBL_SOURCE_DIR "/scenes/blast.json -o film.glb --record film.rblr "
		         "--steps 90 --workers 2 --frame-ms %s",
		         frames[i]);
		CHECK(t, run(line) == 0);
		state_of(ends[i]);
		int least = 0, most = 0;
		const char *said = strstr(output, "; budget ");
		CHECK(t, said && sscanf(said, "; budget %d to %d", &least, &most) == 2);
		CHECK(t, i != 0 || (least == 50 && most == 1200));
		CHECK(t, i != 2 || (least == 1200 && most > 1200));
		for (int workers = 1; workers <= 3; workers += 2) {
			snprintf(line, sizeof line, "replay film.rblr --workers %d", workers);
			CHECK(t, run(line) == 0);
			state_of(now);
			CHECK(t, strstr(output, "all hashes agree") && strcmp(ends[i], now) == 0 && now[0]);
		}
	}
	CHECK(t, strcmp(ends[0], ends[2]) != 0); // what was chosen mattered
	close_folder(t);
}

static void damage_is_refused(test *t)
{
	if (!open_folder(t, "replay") || is_absent(t, "run"))
		return;
	CHECK(t, run("run " RBL_SOURCE_DIR
	             "/scenes/bricks.json -o film.glb --record film.rblr --steps 5") == 0);
	char path[100];
	snprintf(path, sizeof path, "%s/film.rblr", folder);
	FILE *file = fopen(path, "r+b");
	CHECK(t, file && fseek(file, 5000, SEEK_SET) == 0 && fputc(99, file) == 99);
	if (file)
		fclose(file);
	CHECK(t, run("replay film.rblr") == 1 && strstr(output, "damaged"));
	CHECK(t, truncate(path, 3000) == 0);
	CHECK(t, run("replay film.rblr") == 1 && strstr(output, "cut off"));
	CHECK(t, run("replay nothing.rblr") == 1 && strstr(output, "nothing.rblr"));
	CHECK(t, run("replay") == 2);
	close_folder(t);
}

// What a recording shows in lines: each name draws something else.
static void recordings_are_drawn_in_lines(test *t)
{
	if (!open_folder(t, "drawn") || is_absent(t, "run"))
		return;
	CHECK(t, run("run " RBL_SOURCE_DIR "/scenes/worn-wall.json -o film.glb --record film.rblr "
	             "--steps 60") == 0);
	static const char *const names[] = { "stress", "health", "sleep", "islands", "parts,contacts" };
	for (int i = 0; i < 5; ++i) {
		char line[200];
		snprintf(line, sizeof line, "picture film.rblr out.png --width 64 --height 48 --draw %s",
		         names[i]);
		CHECK(t, run(line) == 0);
	}
	CHECK(t, run("picture film.rblr out.png --draw nothing") == 2);
	CHECK(t, run("picture film.glb out.png --draw stress") == 2);
	close_folder(t);
}

TEST_MAIN(TEST(recordings_of_shipped_scenes_replay), TEST(governed_runs_replay),
          TEST(damage_is_refused), TEST(recordings_are_drawn_in_lines))
