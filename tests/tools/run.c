// SPDX-License-Identifier: MIT
// ctest: native
//
// `rubble run`: shipped scenes run, mistakes are named by their place, an interrupt still writes.

#define _POSIX_C_SOURCE 200809L

#include "test.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM RBL_BINARY_DIR "/tools/rubble"
#define WORK RBL_BINARY_DIR "/run-test"

static char output[1 << 14];

static int run(const char *arguments)
{
	char line[1000];
	snprintf(line, sizeof line, "'%s' %s 2>&1", PROGRAM, arguments);
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
	mkdir(WORK, 0777);
	if (access(PROGRAM, X_OK) == 0 && run("run --help") == 0)
		return false;
	SKIP(t, "the program is not built");
	return true;
}

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");
	fputs(text, file);
	fclose(file);
}

static long size_of(const char *name)
{
	struct stat info;
	return stat(name, &info) == 0 ? (long)info.st_size : -1;
}

static void shipped_scenes_run(test *t)
{
	if (is_absent(t))
		return;
	static const char *const names[] = { "wall", "bricks", "window", "tower-collapse" };
	for (int i = 0; i < 4; ++i) {
		char line[900], file[300];
		snprintf(file, sizeof file, WORK "/%s.glb", names[i]);
		remove(file);
		snprintf(line, sizeof line, "run " RBL_SOURCE_DIR "/scenes/%s.json -o %s --steps 40",
		         names[i], file);
		CHECK(t, run(line) == 0);
		CHECK(t, strstr(output, "40 steps") && size_of(file) > 1000);
	}
}

#define SCENE(materials, models, instances)                                            \
	"{\"rubble\":1,\"steps\":5,\"materials\":{" materials "},\"models\":{" models "}," \
	"\"instances\":[" instances "]}"
#define STONE "\"stone\":{\"density\":2000}"
#define BOX "\"box\":{\"box\":[1,1,1]}"
#define THING "{\"model\":\"box\",\"material\":\"stone\""

static void workers_and_repeats_give_the_same_state(test *t)
{
	if (is_absent(t))
		return;
	char states[3][32] = { "" };
	for (int i = 0; i < 3; ++i) {
		char line[500];
		snprintf(line, sizeof line,
		         "run " RBL_SOURCE_DIR "/scenes/bricks.json -o " WORK
		         "/same.glb --steps 60 --workers %d",
		         i + 1);
		CHECK(t, run(line) == 0);
		const char *state = strstr(output, "state ");
		CHECK(t, state != NULL);
		if (state)
			snprintf(states[i], sizeof states[i], "%.22s", state);
	}
	CHECK(t, strcmp(states[0], states[1]) == 0 && strcmp(states[0], states[2]) == 0);
}

static void mistakes_are_named_by_their_place(test *t)
{
	if (is_absent(t))
		return;
	static const struct {
		const char *text, *reason;
	} cases[] = {
		{ "{", "bad.json:1:" },
		{ "[]", "bad.json: an object is needed" },
		{ "{\"steps\": 3}", "\"rubble\": 1 is missing" },
		{ "{\"rubble\": 2}", "bad.json: rubble: 2 is not between 1 and 1" },
		{ "{\"rubble\": 1}", "there is nothing in it" },
		{ "{\"rubble\": 1, \"steps\": 1.5}", "steps: a whole number" },
		{ "{\"rubble\": 1, \"gravity\": [0, 1]}", "gravity: a list of three numbers" },
		{ "{\"rubble\": 1, \"sleep\": 1}", "sleep: true or false" },
		{ "{\"rubble\": 1, \"instances\": {}}", "instances: a list is needed" },
		{ "{\"rubble\": 1, \"models\": []}", "models: an object is needed" },
		{ "{\"rubble\": 1, \"stepps\": 1}", "stepps: nothing of this name; 'step" },
		{ SCENE("\"stone\":{\"densty\":1}", BOX, THING "}"),
		  "materials.stone.densty: nothing of this" },
		{ SCENE("\"stone\":{\"density\":-1}", BOX, THING "}"),
		  "materials.stone.density: -1 is not" },
		{ SCENE("\"stone\":{\"pattern\":\"x\"}", BOX, THING "}"),
		  "materials.stone.pattern: 'x' is none" },
		{ SCENE(STONE, "\"box\":{\"box\":[1,1,1],\"ball\":1}", THING "}"),
		  "models.box: exactly one of" },
		{ SCENE(STONE, "\"box\":{\"box\":[1,\"a\",1]}", THING "}"), "models.box.box[1]: a number" },
		{ SCENE(STONE, "\"box\":{\"make\":\"blob\"}", THING "}"),
		  "models.box.make: 'blob' is no shape" },
		{ SCENE(STONE, "\"box\":{\"file\":\"none.obj\"}", THING "}"), "models.box" },
		{ SCENE(STONE, BOX, "{\"model\":\"bax\",\"material\":\"stone\"}"),
		  "instances[0].model: there is no model 'bax'" },
		{ SCENE(STONE, BOX, "{\"model\":\"box\"}"), "instances[0].material: a text" },
		{ SCENE(STONE, BOX, "{\"model\":\"box\",\"material\":\"st\"}"),
		  "there is no material 'st'" },
		{ SCENE(STONE, BOX, THING ",\"kind\":\"soft\"}"), "instances[0].kind: 'soft' is none of" },
		{ SCENE(STONE, BOX, THING ",\"turn\":[0,0,0,5]}"), "instances[0].turn: the axis" },
		{ SCENE(STONE, BOX, THING ",\"count\":[1000,1000,1000]}"),
		  "instances[0].count: more than" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		write_file(WORK "/bad.json", cases[i].text);
		remove(WORK "/bad.glb");
		CHECK(t, run("run " WORK "/bad.json -o " WORK "/bad.glb") == 1);
		if (!strstr(output, cases[i].reason))
			test_fail(t, __FILE__, __LINE__, output);
		CHECK(t, size_of(WORK "/bad.glb") < 0);
	}
	CHECK(t, run("run " WORK "/none.json -o " WORK "/bad.glb") == 1 && strstr(output, "none.json"));
	CHECK(t, run("run " WORK "/bad.json") == 2 && strstr(output, "-o FILE.glb"));
}

static void stats_are_a_row_per_step(test *t)
{
	if (is_absent(t))
		return;
	write_file(WORK "/one.json", SCENE(STONE, BOX, THING "}"));
	CHECK(t, run("run " WORK "/one.json -o " WORK "/one.glb --stats " WORK "/stats.json") == 0);
	FILE *file = fopen(WORK "/stats.json", "r");
	int rows = 0;
	for (char line[400]; file && fgets(line, sizeof line, file);)
		rows += strstr(line, "\"step\": ") && strstr(line, "\"bodies\": 1");
	CHECK(t, rows == 5);
	if (file)
		fclose(file);
	CHECK(t, run("run " WORK "/one.json -o " WORK "/one.glb --stats " WORK "/no/such") == 1);
	CHECK(t, run("run " WORK "/one.json -o " WORK "/no/such.glb") == 1);
}

static void an_interrupt_writes_what_was_simulated(test *t)
{
	if (is_absent(t))
		return;
	remove(WORK "/cut.glb");
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		if (!freopen(WORK "/cut.txt", "w", stdout))
			_exit(3);
		execl(PROGRAM, PROGRAM, "run", RBL_SOURCE_DIR "/scenes/wall.json", "-o", WORK "/cut.glb",
		      "--steps", "10000000", (char *)NULL);
		_exit(3);
	}
	sleep(1);
	kill(child, SIGINT);
	int status = -1;
	waitpid(child, &status, 0);
	CHECK(t, WIFEXITED(status) && WEXITSTATUS(status) == 0);
	CHECK(t, size_of(WORK "/cut.glb") > 1000);
	FILE *file = fopen(WORK "/cut.txt", "r");
	char line[400] = "";
	CHECK(t, file && fgets(line, sizeof line, file) && strstr(line, "stopped after"));
	if (file)
		fclose(file);
}

TEST_MAIN(TEST(shipped_scenes_run), TEST(workers_and_repeats_give_the_same_state),
          TEST(mistakes_are_named_by_their_place), TEST(stats_are_a_row_per_step),
          TEST(an_interrupt_writes_what_was_simulated))
