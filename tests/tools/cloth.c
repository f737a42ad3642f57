// SPDX-License-Identifier: MIT
// ctest: native
//
// Cloths of scene files: simulated, torn and filmed by `rubble run`, the same for any number of
// workers; what makes no sense is refused with a sentence.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

#include <rubble/io.h>

// After 72 steps, on every compiler and machine.
#define STREET_STATE "63a2fe7251e489ba"

static bool says(const char *text)
{
	return strstr(output, text) != NULL;
}

static void write_text(const char *name, const char *text)
{
	write_file(name, text, strlen(text));
}

#define HEAD                                                                                    \
	"{\"version\":2,\"step_count\":40,\"materials\":{\"stone\":{}},\"models\":{\"ball\":{"      \
	"\"sphere\":0.2},\"floor\":{\"box\":[6,0.2,6]}},\"instances\":[{\"name\":\"floor\","        \
	"\"model\":\"floor\",\"material\":\"stone\",\"kind\":\"static\",\"position\":[0,-0.1,0]},{" \
	"\"model\":\"ball\",\"material\":\"stone\",\"position\":[0,0.9,0]}],"

// A stone falls into a sheet that is held at two sides.
static const char *const net =
	HEAD "\"wind\":[1,0,0],\"cloths\":[{\"name\":\"net\",\"size\":[1,1],\"columns\":12,\"rows\":12,"
		 "\"position\":[0,0.6,0],\"tear_strain\":0.15,\"color\":[0.1,0.2,0.5],\"pins\":[{\"from\":"
		 "[0,0],\"to\":[1,0]},{\"from\":[0,1],\"to\":[1,1],\"instance\":\"floor\"}]}]}";

static void a_cloth_is_simulated_and_filmed(test *t)
{
	if (!open_folder(t, "run"))
		return;
	char state[2][40] = { "", "" };
	write_text("net.json", net);
	for (int workers = 1; workers <= 2; ++workers) {
		char line[200];
		snprintf(line, sizeof line,
		         "run net.json -o net%d.glb --stats net.stats --report net.html --pictures 0.5 "
		         "--workers %d",
		         workers, workers);
		CHECK(t, run(line) == 0);
		const char *hash = strstr(output, "state ");
		CHECK(t, hash && says("1 cloths of 288 triangles"));
		CHECK(t, !says("torn at 0 places"));
		if (hash)
			memcpy(state[workers - 1], hash, 22);
	}
	CHECK(t, strcmp(state[0], state[1]) == 0);
	CHECK(t, run("version >/dev/null; cmp net1.glb net2.glb") == 0);
	CHECK(t, run("version >/dev/null; grep -c cloth_tears net.stats") == 0);
	CHECK(t, run("version >/dev/null; test -s net1-0.5.png && test -s net.html") == 0);
	// The Khronos validator looks at it, too.
	CHECK(t, run("version >/dev/null; mkdir -p '" RBL_BINARY_DIR
	             "/glb'; cp net1.glb '" RBL_BINARY_DIR "/glb/cloth.glb'") == 0);
	// It is the same mesh, moment by moment: as many triangles, and another shape.
	CHECK(t, run("run net.json -o frames/ --rate 2 --format ply") == 0);
	CHECK(t, run("info frames/frame_0001.ply") == 0);
	// Without it the state is that of the bodies alone.
	CHECK(t, run("run net.json -o net.glb --json net.out") == 0);
	CHECK(t, run("picture net1.glb a.png --time 0.4 --width 64 --height 64") == 0);
	close_folder(t);
}

static void what_makes_no_sense_is_refused(test *t)
{
	if (!open_folder(t, "run"))
		return;
	static const struct {
		const char *cloth, *says;
	} cases[] = {
		{ "{\"size\":[0,1]}", "cloths[0].size[0]: 0 is not between" },
		{ "{\"columns\":0}", "cloths[0].columns" },
		{ "{\"columns\":1024,\"rows\":1024,\"thickness\":0.0001}", "cloths[0].rows: 1024 by 1024" },
		{ "{\"thickness\":0.5}", "cloths[0].thickness: 0.5 is more than a cell" },
		{ "{\"tear\":1}", "did you mean 'tear_strain'" },
		{ "{\"rotation\":[0,0,0,9]}", "cloths[0].rotation: the axis has no direction" },
		{ "{\"density\":-1}", "cloths[0].density" },
		{ "{\"density\":\"x\"}", "cloths[0].density: a number is needed" },
		{ "{\"pins\":[{\"from\":[2,0]}]}", "cloths[0].pins[0].from[0]: 2 is not between 0 and 1" },
		{ "{\"pins\":[{\"instance\":\"roof\"}]}", "there is no instance with the name 'roof'" },
		{ "{\"pins\":[{\"releases\":true}]}", "cloths[0].pins[0].releases: only" },
		{ "{\"pins\":{}}", "cloths[0].pins: a list is needed" },
		{ "7", "cloths[0]: an object is needed" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		char text[1500];
		snprintf(text, sizeof text, HEAD "\"cloths\":[%s]}", cases[i].cloth);
		write_text("bad.json", text);
		CHECK(t, run("run --check bad.json") == 1);
		CHECK(t, says(cases[i].says));
		if (!says(cases[i].says))
			printf("... %s\n", output);
	}
	close_folder(t);
}

// All five papers in one scene: its beginning, until the first ball has gone through the banner.
static void the_street_ends_in_its_pinned_state(test *t)
{
	if (!open_folder(t, "run"))
		return;
	int steps = test_repeats(72, 20);
	char line[300];
	snprintf(line, sizeof line,
	         "run " RBL_SOURCE_DIR "/scenes/street.json -o a.glb --steps %d --workers 2", steps);
	CHECK(t, run(line) == 0);
	CHECK(t, steps < 72 || says("state " STREET_STATE));
	if (steps == 72 && !says("state " STREET_STATE))
		printf("... %s\n", output);
	close_folder(t);
}

TEST_MAIN(TEST(a_cloth_is_simulated_and_filmed), TEST(what_makes_no_sense_is_refused),
          TEST(the_street_ends_in_its_pinned_state))
