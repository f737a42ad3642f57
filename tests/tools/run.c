// SPDX-License-Identifier: MIT
// ctest: native
//
// `rubble run`: shipped scenes run, mistakes are named by their place, an interrupt still writes.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

#include <signal.h>
#include <sys/stat.h>

/// @return the size of a file in the folder, -1 without it
static long size_of(const char *name)
{
	char path[100];
	struct stat info;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return stat(path, &info) == 0 ? (long)info.st_size : -1;
}

static void shipped_scenes_run(test *t)
{
	if (!open_folder(t, "run"))
		return;
	static const char *const names[] = { "wall", "bricks", "window", "tower-collapse" };
	for (int i = 0; i < 4; ++i) {
		char line[900], file[40];
		snprintf(file, sizeof file, "%s.glb", names[i]);
		snprintf(line, sizeof line, "run " RBL_SOURCE_DIR "/scenes/%s.json -o %s --steps 40",
		         names[i], file);
		CHECK(t, run(line) == 0);
		CHECK(t, strstr(output, "40 steps") && size_of(file) > 1000);
	}
	close_folder(t);
}

// A run takes long, and what is written over cannot be had back.
static void what_would_be_lost_is_refused_before_the_run(test *t)
{
	if (!open_folder(t, "run"))
		return;
	CHECK(t, run("version >scene.json") == 0); // no scene: it is not even read
	CHECK(t, run("run scene.json -o out.obj") == 1 && strstr(output, "must end in .glb"));
	CHECK(t, run("run scene.json -o a.glb --stats scene.json") == 2);
	CHECK(t, strstr(output, "--stats would overwrite scene.json"));
	CHECK(t, run("run scene.json -o a.glb --record ./scene.json") == 2);
	CHECK(t, run("run scene.json -o a.glb --record a.glb") == 2);
	CHECK(t, strstr(output, "--output and --record are the same file, a.glb"));
	CHECK(t, size_of("scene.json") > 0 && size_of("a.glb") < 0);

	CHECK(t, run("make box box.obj") == 0);
	long size = size_of("box.obj");
	CHECK(t, run("prepare box.obj -o box.obj") == 2 && size_of("box.obj") == size);
	CHECK(t, run("hull box.obj --json box.obj") == 2 && size_of("box.obj") == size);
	CHECK(t, run("collide box.obj --with box.obj --json box.obj") == 2);
	CHECK(t, run("collide box.obj --json /dev/null") == 0);
	CHECK(t, run("convert box.obj box.obj") == 0 && size_of("box.obj") == size);
	CHECK(t, run("make box BOX.GLB") == 0 && size_of("BOX.GLB") > 0);
	close_folder(t);
}

#define SCENE(materials, models, instances)                                            \
	"{\"rubble\":1,\"steps\":5,\"materials\":{" materials "},\"models\":{" models "}," \
	"\"instances\":[" instances "]}"
#define STONE "\"stone\":{\"density\":2000}"
#define BOX "\"box\":{\"box\":[1,1,1]}"
#define THING "{\"model\":\"box\",\"material\":\"stone\""

static void workers_and_repeats_give_the_same_state(test *t)
{
	if (!open_folder(t, "run"))
		return;
	char states[3][32] = { "" };
	for (int i = 0; i < 3; ++i) {
		char line[500];
		snprintf(line, sizeof line,
		         "run " RBL_SOURCE_DIR "/scenes/bricks.json -o same.glb --steps 60 --workers %d",
		         i + 1);
		CHECK(t, run(line) == 0);
		const char *state = strstr(output, "state ");
		CHECK(t, state != NULL);
		if (state)
			snprintf(states[i], sizeof states[i], "%.22s", state);
	}
	CHECK(t, strcmp(states[0], states[1]) == 0 && strcmp(states[0], states[2]) == 0);
	close_folder(t);
}

static void mistakes_are_named_by_their_place(test *t)
{
	if (!open_folder(t, "run"))
		return;
	static const struct {
		const char *text, *reason;
	} cases[] = {
		{ "{", "bad.json:1:" },
		{ "[]", "bad.json: an object is needed" },
		{ "{\"steps\": 3}", "\"rubble\": 1 is missing" },
		{ "{\"rubble\": 2}", "bad.json: version 2 of the format, and only 1" },
		{ "{\"rubble\": 1}", "there is nothing in it" },
		{ "{\"rubble\": 1, \"steps\": 1.5}", "steps: a whole number" },
		{ "{\"rubble\": 1, \"gravity\": [0, 1]}", "gravity: a list of three numbers" },
		{ "{\"rubble\": 1, \"sleep\": 1}", "sleep: true or false" },
		{ "{\"rubble\": 1, \"debris\": -1}", "debris: -1 is not" },
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
		{ SCENE(STONE, BOX, THING ",\"kind\":\"static\",\"anchored\":true}"),
		  "instances[0].anchored: only what" },
		{ SCENE(STONE, "\"box\":{\"blocks\":[]}", THING "}"), "models.box.blocks: a list of 1" },
		{ SCENE(STONE, "\"box\":{\"blocks\":[{\"at\":[1,1,1]}]}", THING "}"),
		  "models.box.blocks[0].size: a size" },
		{ SCENE("\"stone\":{\"bonds\":-1}", BOX, THING "}"), "materials.stone.bonds: -1 is not" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		write_file("bad.json", cases[i].text, strlen(cases[i].text));
		CHECK(t, run("run bad.json -o bad.glb") == 1);
		if (!strstr(output, cases[i].reason))
			test_fail(t, __FILE__, __LINE__, output);
		CHECK(t, size_of("bad.glb") < 0);
	}
	CHECK(t, run("run none.json -o bad.glb") == 1 && strstr(output, "none.json"));
	CHECK(t, run("run bad.json") == 2 && strstr(output, "-o FILE.glb"));
	close_folder(t);
}

// Pieces that were merged into static bodies, and come out again, stay in the film as they are.
static void merged_pieces_stay_in_the_film(test *t)
{
	if (!open_folder(t, "run"))
		return;
	static const char scene[] =
		"{\"rubble\":1,\"steps\":400,\"merge\":0.2,"
		"\"materials\":{\"stone\":{\"strength\":50,\"cells\":20},\"ground\":{}},"
		"\"models\":{\"box\":{\"box\":[1,1,1]},\"floor\":{\"box\":[40,1,40]},\"shot\":{\"ball\":0."
		"2}},"
		"\"instances\":[{\"model\":\"box\",\"material\":\"stone\",\"at\":[0,4,0]},"
		"{\"model\":\"floor\",\"material\":\"ground\",\"at\":[0,-0.5,0],\"kind\":\"static\"}],"
		"\"projectiles\":[{\"model\":\"shot\",\"material\":\"stone\",\"at\":[0,5,0],"
		"\"velocity\":[0,-30,0],\"time\":5}]}";
	write_file("merge.json", scene, strlen(scene));
	CHECK(t, run("run merge.json -o merge.glb --record merge.rblr") == 0);
	if (!strstr(output, "merged into static bodies"))
		test_fail(t, __FILE__, __LINE__, output);
	CHECK(t, size_of("merge.glb") > 10000);
	CHECK(t, run("replay merge.rblr --workers 2") == 0);
	close_folder(t);
}

static void stats_are_a_row_per_step(test *t)
{
	if (!open_folder(t, "run"))
		return;
	const char *scene = SCENE(STONE, BOX, THING "}");
	write_file("one.json", scene, strlen(scene));
	CHECK(t, run("run one.json -o one.glb --stats stats.json") == 0);
	int rows = 0;
	for (const char *at = text_of("stats.json"); (at = strstr(at, "\"step\": ")) != NULL; ++at) {
		CHECK(t, strstr(at, "\"bodies\": 1") != NULL && strstr(at, "\"stress_ms\": ") != NULL);
		rows++;
	}
	CHECK(t, rows == 5);
	CHECK(t, run("run one.json -o one.glb --stats no/such") == 1);
	// It is told before the run, not after it.
	CHECK(t,
	      run("run one.json -o no/such.glb --stats early.json") == 1 && size_of("early.json") < 0);
	close_folder(t);
}

static void moments_become_pictures(test *t)
{
	if (!open_folder(t, "run"))
		return;
	const char *scene = SCENE(STONE, BOX, THING "}");
	write_file("one.json", scene, strlen(scene));
	CHECK(t, run("run one.json -o one.glb --pictures 0,0.05 --view 1,1,0 --frame -1,-1,-1,1,1,1") ==
	             0);
	CHECK(t, size_of("one-0.png") > 1000 && size_of("one-0.05.png") > 1000);
	static const char *const mistakes[] = {
		"--pictures 1,",  "--pictures x",  "--pictures ''",       "--view 1,2",    "--view 0,0,0",
		"--view 1,2,3,4", "--frame 1,2,3", "--frame 0,0,0,1,1,0", "--pictures inf"
	};
	for (int i = 0; i < 9; ++i) {
		char line[200];
		snprintf(line, sizeof line, "run one.json -o two.glb %s", mistakes[i]);
		CHECK(t, run(line) == 2 && size_of("two.glb") < 0);
	}
	close_folder(t);
}

static void an_interrupt_writes_what_was_simulated(test *t)
{
	if (!open_folder(t, "run"))
		return;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		if (chdir(folder) != 0 || !freopen("cut.txt", "w", stdout))
			_exit(3);
		execl(PROGRAM, PROGRAM, "run", RBL_SOURCE_DIR "/scenes/wall.json", "-o", "cut.glb",
		      "--steps", "10000000", (char *)NULL);
		_exit(3);
	}
	sleep(1);
	kill(child, SIGINT);
	int status = -1;
	waitpid(child, &status, 0);
	CHECK(t, WIFEXITED(status) && WEXITSTATUS(status) == 0);
	CHECK(t, size_of("cut.glb") > 1000);
	CHECK(t, strstr(text_of("cut.txt"), "stopped after") != NULL);
	close_folder(t);
}

TEST_MAIN(TEST(shipped_scenes_run), TEST(what_would_be_lost_is_refused_before_the_run),
          TEST(workers_and_repeats_give_the_same_state), TEST(mistakes_are_named_by_their_place),
          TEST(stats_are_a_row_per_step), TEST(merged_pieces_stay_in_the_film),
          TEST(moments_become_pictures), TEST(an_interrupt_writes_what_was_simulated))
