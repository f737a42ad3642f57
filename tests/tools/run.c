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
	static const char *const names[] = { "wall",          "bricks", "window",  "tower-collapse",
		                                 "wrecking-ball", "crane",  "ragdoll", "car" };
	for (int i = 0; i < 8; ++i) {
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

#define SCENE(materials, models, instances)                                                  \
	"{\"version\":2,\"step_count\":5,\"materials\":{" materials "},\"models\":{" models "}," \
	"\"instances\":[" instances "]}"
#define STONE "\"stone\":{\"density\":2000}"
#define BOX "\"box\":{\"box\":[1,1,1]}"
#define OBJECT "{\"model\":\"box\",\"material\":\"stone\""

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
		{ "{\"step_count\": 3}", "\"version\": 2 is missing" },
		{ "{\"version\": 3}", "bad.json: version: unknown version" },
		{ "{\"rubble\": 2}", "bad.json: rubble: unknown version" },
		{ "{\"version\": 1}", "bad.json: version: unknown version" },
		{ "{\"version\": 2}", "the scene is empty" },
		{ "{\"version\": 2, \"step_count\": 1.5}", "step_count: a whole number" },
		{ "{\"version\": 2, \"gravity\": [0, 1]}", "gravity: a list of three numbers" },
		{ "{\"version\": 2, \"can_sleep\": 1}", "can_sleep: true or false" },
		{ "{\"version\": 2, \"debris_limit\": -1}", "debris_limit: -1 is not" },
		{ "{\"version\": 2, \"instances\": {}}", "instances: a list is needed" },
		{ "{\"version\": 2, \"joints\": [{\"kind\": \"glue\"}]}", "joints[0].kind: " },
		{ "{\"version\": 2, \"joints\": [{}]}", "joints[0].instance_a: there is no instances[0]" },
		{ "{\"version\": 2, \"joints\": [{\"break\": 1}]}", "joints[0].break: unknown key" },
		{ "{\"version\": 2, \"models\": []}", "models: an object is needed" },
		{ "{\"version\": 2, \"stepcount\": 1}",
		  "stepcount: unknown key; did you mean 'step_count'?" },
		{ SCENE("\"stone\":{\"densty\":1}", BOX, OBJECT "}"),
		  "materials.stone.densty: unknown key; did you mean 'density'?" },
		{ SCENE("\"stone\":{\"density\":-1}", BOX, OBJECT "}"),
		  "materials.stone.density: -1 is not" },
		{ SCENE("\"stone\":{\"pattern\":\"x\"}", BOX, OBJECT "}"),
		  "materials.stone.pattern: 'x' is none" },
		{ SCENE(STONE, "\"box\":{\"box\":[1,1,1],\"sphere\":1}", OBJECT "}"),
		  "models.box: exactly one of" },
		{ SCENE(STONE, "\"box\":{\"box\":[1,\"a\",1]}", OBJECT "}"),
		  "models.box.box[1]: a number" },
		{ SCENE(STONE, "\"box\":{\"shape\":\"blob\"}", OBJECT "}"),
		  "models.box.shape: there is no shape 'blob'" },
		{ SCENE(STONE, "\"box\":{\"file\":\"none.obj\"}", OBJECT "}"), "models.box" },
		{ SCENE(STONE, "\"box\":{\"cylinder\":-1}", OBJECT "}"), "models.box.cylinder: -1 is not" },
		{ SCENE(STONE, "\"box\":{\"cone\":1,\"axis\":\"w\"}", OBJECT "}"),
		  "models.box.axis: 'w' is none of x, y, z" },
		{ SCENE(STONE, "\"box\":{\"cone\":1,\"rounding\":0.1}", OBJECT "}"),
		  "models.box.rounding: only boxes and stones" },
		{ SCENE(STONE, "\"box\":{\"box\":[1,1,1],\"rounding\":0.5}", OBJECT "}"),
		  "models.box.rounding: more than half" },
		{ SCENE(STONE, "\"box\":{\"plane\":[0,0,0]}", OBJECT "}"),
		  "models.box.plane: the normal has no direction" },
		{ SCENE(STONE, "\"box\":{\"plane\":[0,1,0]}", OBJECT "}"),
		  "instances[0].kind: a plane is static" },
		{ SCENE(STONE, BOX, "{\"model\":\"bax\",\"material\":\"stone\"}"),
		  "instances[0].model: there is no model 'bax'" },
		{ SCENE(STONE, BOX, "{\"model\":\"box\"}"), "instances[0].material: a text" },
		{ SCENE(STONE, BOX, "{\"model\":\"box\",\"material\":\"st\"}"),
		  "there is no material 'st'" },
		{ SCENE(STONE, BOX, OBJECT ",\"kind\":\"soft\"}"), "instances[0].kind: 'soft' is none of" },
		{ SCENE(STONE, BOX, OBJECT ",\"rotation\":[0,0,0,5]}"), "instances[0].rotation: the axis" },
		{ SCENE(STONE, BOX, OBJECT ",\"count\":[1000,1000,1000]}"),
		  "instances[0].count: more than" },
		{ SCENE(STONE, BOX, OBJECT ",\"kind\":\"static\",\"anchored\":true}"),
		  "instances[0].anchored: only dynamic" },
		{ SCENE(STONE, BOX, OBJECT ",\"contacts\":\"field\"}"),
		  "instances[0].contacts: only models of a shape" },
		{ SCENE(STONE, "\"box\":{\"boxes\":[]}", OBJECT "}"), "models.box.boxes: a list of 1" },
		{ SCENE(STONE, "\"box\":{\"boxes\":[{\"position\":[1,1,1]}]}", OBJECT "}"),
		  "models.box.boxes[0].size: a size" },
		{ SCENE("\"stone\":{\"bond_strength\":-1}", BOX, OBJECT "}"),
		  "materials.stone.bond_strength: -1 is not" },
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

// Scenes of version 1 and the same ones of version 2, with every key that was renamed.
static const char *const old_keys =
	"{\"rubble\":1,\"about\":\"keys\",\"steps\":40,\"step\":0.01,\"substeps\":4,\"frame\":0.03,"
	"\"sleep\":true,\"freeze\":0.5,\"merge\":0.4,\"debris\":50,"
	"\"materials\":{\"stone\":{\"strength\":20,\"cells\":9,\"radius\":0.3,\"least\":0.05,"
	"\"bonds\":1e5,\"bend\":5,\"dent\":0.1},\"at\":{}},\"models\":{\"ball\":{\"ball\":0.2},"
	"\"stone\":{\"stone\":[1,1,1],\"points\":20},\"make\":{\"make\":\"box\",\"detail\":1},"
	"\"file\":{\"file\":\"box.obj\",\"up\":\"z\"},\"blocks\":{\"blocks\":[{\"size\":[0.5,0.5,"
	"0.5],\"at\":[0,1,0],\"count\":[2,2,1],\"pitch\":[0.5,0.5,0.5]}]}},"
	"\"instances\":[{\"model\":\"stone\",\"material\":\"stone\",\"at\":[0,2,0],\"turn\":[1,1,0,"
	"30],\"spin\":[1,2,3],\"count\":[1,2,1],\"pitch\":[0,2,0],\"shift\":[0.3,0,0]},"
	"{\"model\":\"make\",\"material\":\"at\",\"at\":[3,2,0],\"tumbled\":true},"
	"{\"model\":\"file\",\"material\":\"at\",\"at\":[0,-1,0],\"kind\":\"static\"},"
	"{\"model\":\"blocks\",\"material\":\"stone\",\"at\":[6,0,0],\"anchored\":true}],"
	"\"projectiles\":[{\"model\":\"ball\",\"material\":\"at\",\"at\":[0,2,-3],\"velocity\":[0,"
	"0,40],\"spin\":[0,9,0],\"every\":0.1,\"count\":2}]}";
static const char *const new_keys =
	"{\"version\":2,\"description\":\"keys\",\"step_count\":40,\"time_step\":0.01,"
	"\"substep_count\":4,\"frame_time\":0.03,\"can_sleep\":true,\"freeze_time\":0.5,"
	"\"bake_time\":0.4,\"debris_limit\":50,\"materials\":{\"stone\":{\"break_energy\":20,"
	"\"cell_count\":9,\"break_radius\":0.3,\"min_size\":0.05,\"bond_strength\":1e5,"
	"\"bend_energy\":5,\"bend_depth\":0.1},\"at\":{}},\"models\":{\"ball\":{\"sphere\":0.2},"
	"\"stone\":{\"stone\":[1,1,1],\"point_count\":20},\"make\":{\"shape\":\"box\","
	"\"detail\":1},\"file\":{\"file\":\"box.obj\",\"up_axis\":\"z\",\"match_names\":false},"
	"\"blocks\":{\"boxes\":[{\"size\":[0.5,0.5,0.5],\"position\":[0,1,0],\"count\":[2,2,1],"
	"\"spacing\":[0.5,0.5,0.5]}]}},\"instances\":[{\"model\":\"stone\",\"material\":\"stone\","
	"\"position\":[0,2,0],\"rotation\":[1,1,0,30],\"angular_velocity\":[1,2,3],\"count\":[1,2,"
	"1],\"spacing\":[0,2,0],\"layer_offset\":[0.3,0,0]},{\"model\":\"make\","
	"\"material\":\"at\",\"position\":[3,2,0],\"random_rotation\":true},{\"model\":\"file\","
	"\"material\":\"at\",\"position\":[0,-1,0],\"kind\":\"static\"},{\"model\":\"blocks\","
	"\"material\":\"stone\",\"position\":[6,0,0],\"anchored\":true}],"
	"\"projectiles\":[{\"model\":\"ball\",\"material\":\"at\",\"position\":[0,2,-3],"
	"\"velocity\":[0,0,40],\"angular_velocity\":[0,9,0],\"interval\":0.1,\"count\":2}]}";

static void check_versions_agree(test *t, const char *old_scene, const char *new_scene)
{
	char line[900], states[2][32] = { "" };
	for (int i = 0; i < 2; ++i) {
		snprintf(line, sizeof line, "run %s -o version%d.glb --steps 40", i ? new_scene : old_scene,
		         i + 1);
		CHECK(t, run(line) == 0);
		const char *state = strstr(output, "state ");
		if (!state)
			test_fail(t, __FILE__, __LINE__, output);
		snprintf(states[i], sizeof states[i], "%.22s", state ? state : "");
	}
	CHECK(t, strcmp(states[0], states[1]) == 0 && size_of("version1.glb") > 1000);
	snprintf(line, sizeof line, "cd '%s' && cmp version1.glb version2.glb", folder);
	CHECK(t, system(line) == 0);
}

// Round models and a plane, in a film and in a recording.
static const char *const round_models =
	"{\"version\":2,\"step_count\":60,\"materials\":{\"stone\":{\"break_energy\":500},\"at\":{}},"
	"\"models\":{\"wheel\":{\"cylinder\":0.4,\"length\":0.2,\"axis\":\"z\"},"
	"\"cone\":{\"cone\":0.3,\"length\":0.6},\"soap\":{\"box\":[0.6,0.3,0.4],\"rounding\":0.1},"
	"\"pebble\":{\"stone\":[0.5,0.4,0.4],\"rounding\":0.05},\"floor\":{\"plane\":[0,1,0]}},"
	"\"instances\":[{\"model\":\"floor\",\"material\":\"at\",\"kind\":\"static\"},"
	"{\"model\":\"wheel\",\"material\":\"at\",\"position\":[0,0.4,0],\"velocity\":[3,0,0]},"
	"{\"model\":\"cone\",\"material\":\"at\",\"position\":[0,0.3,2]},"
	"{\"model\":\"wheel\",\"material\":\"stone\",\"position\":[0,3,-2]},"
	"{\"model\":\"soap\",\"material\":\"at\",\"position\":[0,1,4],\"count\":[1,3,1],\"spacing\":"
	"[0,0.5,0]},{\"model\":\"pebble\",\"material\":\"at\",\"position\":[2,1,0],\"count\":[2,2,2],"
	"\"spacing\":[0.6,0.6,0.6],\"random_rotation\":true}]}";

static void round_models_are_filmed_and_recorded(test *t)
{
	if (!open_folder(t, "run"))
		return;
	write_file("round.json", round_models, strlen(round_models));
	CHECK(t, run("run round.json -o round.glb --record round.rblr") == 0);
	CHECK(t, size_of("round.glb") > 10000);
	CHECK(t, run("replay round.rblr") == 0);
	close_folder(t);
}

static void version_1_gives_the_same_state_and_film(test *t)
{
	if (!open_folder(t, "run"))
		return;
	static const char *const names[] = { "wall", "bricks", "window", "tower-collapse", "arena" };
	for (int i = 0; i < 5; ++i) {
		char old_scene[400], new_scene[400];
		snprintf(old_scene, sizeof old_scene, RBL_SOURCE_DIR "/tests/tools/version1/%s.json",
		         names[i]);
		snprintf(new_scene, sizeof new_scene, RBL_SOURCE_DIR "/scenes/%s.json", names[i]);
		check_versions_agree(t, old_scene, new_scene);
	}
	CHECK(t, run("make box box.obj") == 0);
	write_file("old.json", old_keys, strlen(old_keys));
	write_file("new.json", new_keys, strlen(new_keys));
	check_versions_agree(t, "old.json", "new.json");
	close_folder(t);
}

static void keys_of_the_other_version_are_named(test *t)
{
	if (!open_folder(t, "run"))
		return;
	static const struct {
		const char *text, *reason;
	} cases[] = {
		{ SCENE(STONE, BOX, OBJECT ",\"at\":[0,0,0]}"),
		  "instances[0].at: in version 2 this key is 'position'" },
		{ SCENE("\"stone\":{\"least\":1}", BOX, OBJECT "}"),
		  "materials.stone.least: in version 2 this key is 'min_size'" },
		{ "{\"version\":2,\"rubble\":1}", "rubble: in version 2 this key is 'version'" },
		{ "{\"rubble\":1,\"bake_time\":1}", "bake_time: in version 1 this key is 'merge'" },
		{ "{\"rubble\":1,\"stepps\":1}", "stepps: unknown key; did you mean 'steps'?" },
		{ "{\"rubble\":1,\"models\":{\"a\":{}}}",
		  "models.a: exactly one of box, ball, stone, cylinder, cone, plane, make, file, blocks is "
		  "needed" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		write_file("bad.json", cases[i].text, strlen(cases[i].text));
		CHECK(t, run("run bad.json -o bad.glb") == 1);
		if (!strstr(output, cases[i].reason))
			test_fail(t, __FILE__, __LINE__, output);
	}
	close_folder(t);
}

// Debris that was baked, and released again, stays in the film as it is.
static void baked_debris_stays_in_the_film(test *t)
{
	if (!open_folder(t, "run"))
		return;
	static const char scene[] =
		"{\"version\":2,\"step_count\":400,\"bake_time\":0.2,"
		"\"materials\":{\"stone\":{\"break_energy\":50,\"cell_count\":20},\"ground\":{}},"
		"\"models\":{\"box\":{\"box\":[1,1,1]},\"floor\":{\"box\":[40,1,40]},\"shot\":{\"sphere\":"
		"0."
		"2}},"
		"\"instances\":[{\"model\":\"box\",\"material\":\"stone\",\"position\":[0,4,0]},"
		"{\"model\":\"floor\",\"material\":\"ground\",\"position\":[0,-0.5,0],\"kind\":\"static\"}]"
		","
		"\"projectiles\":[{\"model\":\"shot\",\"material\":\"stone\",\"position\":[0,5,0],"
		"\"velocity\":[0,-30,0],\"time\":5}]}";
	write_file("bake.json", scene, strlen(scene));
	CHECK(t, run("run bake.json -o bake.glb --record bake.rblr") == 0);
	if (!strstr(output, "baked into static geometry"))
		test_fail(t, __FILE__, __LINE__, output);
	CHECK(t, size_of("bake.glb") > 10000);
	CHECK(t, run("replay bake.rblr --workers 2") == 0);
	close_folder(t);
}

static void stats_are_a_row_per_step(test *t)
{
	if (!open_folder(t, "run"))
		return;
	const char *scene = SCENE(STONE, BOX, OBJECT "}");
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
	const char *scene = SCENE(STONE, BOX, OBJECT "}");
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
		signal(SIGINT, SIG_DFL); // tests may run in the background, where it is ignored
		execl(PROGRAM, PROGRAM, "run", RBL_SOURCE_DIR "/scenes/wall.json", "-o", "cut.glb",
		      "--steps", "10000000", (char *)NULL);
		_exit(3);
	}
	sleep(1);
	kill(child, SIGINT);
	int status = -1;
	waitpid(child, &status, 0);
	CHECK(t, WIFEXITED(status) && WEXITSTATUS(status) == 130);
	CHECK(t, size_of("cut.glb") > 1000 && run("info cut.glb") == 0);
	CHECK(t, strstr(text_of("cut.txt"), "stopped after") != NULL);
	close_folder(t);
}

// A scene comes from anywhere: it reads its own folder and what is below, unless told otherwise.
static void scenes_read_their_own_folder(test *t)
{
	if (!open_folder(t, "run"))
		return;
	static const char *const files[] = { "../box.obj", "sub/../../box.obj", "link.obj",
		                                 "links/box.obj" };
	CHECK(t, run("make box box.obj") == 0);
	char line[600];
	snprintf(line, sizeof line,
	         "cd '%s' && mkdir -p scene/sub out && cp box.obj scene/in.obj && cp box.obj out && "
	         "cp box.obj scene/sub/in.obj && ln -s ../box.obj scene/link.obj && ln -s ../out "
	         "scene/links",
	         folder);
	CHECK(t, system(line) == 0);
	for (int i = 0; i < 7; ++i) {
		char file[200];
		if (i < 4)
			snprintf(file, sizeof file, "%s", files[i]);
		else if (i == 4)
			snprintf(file, sizeof file, "%s/box.obj", folder);
		else
			snprintf(file, sizeof file, i == 5 ? "in.obj" : "sub/in.obj");
		char scene[900];
		snprintf(scene, sizeof scene, SCENE(STONE, "\"box\":{\"file\":\"%s\"}", OBJECT "}"), file);
		write_file("scene/scene.json", scene, strlen(scene));
		bool is_inside = i >= 5;
		CHECK(t, run("run scene/scene.json -o a.glb") == (is_inside ? 0 : 1));
		CHECK(t, is_inside || (strstr(output, "models.box.file: ") && strstr(output, file) &&
		                       strstr(output, "--allow-outside")));
		CHECK(t, run("run scene/scene.json -o a.glb --allow-outside") == 0);
	}
	close_folder(t);
}

// A model in the folder that names a file elsewhere, by a link; and a scene that is too large for
// one.
static void what_a_scene_reads_is_bounded(test *t)
{
	if (!open_folder(t, "run"))
		return;
	static const char gltf[] =
		"{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"uri\":\"a.bin\",\"byteLength\":36}],"
		"\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,"
		"\"componentType\":5126,\"type\":\"VEC3\",\"count\":3}],\"meshes\":[{\"primitives\":[{"
		"\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]}]"
		"}";
	const float corners[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
	char line[300];
	snprintf(line, sizeof line, "cd '%s' && mkdir scene && ln -s ../a.bin scene/a.bin", folder);
	CHECK(t, system(line) == 0);
	write_file("a.bin", corners, sizeof corners);
	write_file("scene/a.gltf", gltf, strlen(gltf));
	static const char scene[] = SCENE(STONE, "\"box\":{\"file\":\"a.gltf\"}", OBJECT "}");
	write_file("scene/scene.json", scene, strlen(scene));
	CHECK(t, run("run scene/scene.json -o a.glb") == 1);
	CHECK(t, strstr(output, "models.box.file: 'a.gltf'") && strstr(output, "--allow-outside"));
	CHECK(t, run("run scene/scene.json -o a.glb --allow-outside") == 1); // found, and not closed
	CHECK(t, !strstr(output, "outside") && strstr(output, "models.box"));
	snprintf(line, sizeof line, "truncate -s 65M '%s/scene/scene.json'", folder);
	CHECK(t, system(line) == 0);
	CHECK(t, run("run scene/scene.json -o a.glb") == 1 && strstr(output, "size_limit"));
	close_folder(t);
}

// What never ends, or never begins, is not waited for.
static void devices_and_pipes_are_no_files(test *t)
{
	if (!open_folder(t, "run"))
		return;
	char line[200];
	snprintf(line, sizeof line, "mkfifo '%s/pipe.obj'", folder);
	CHECK(t, system(line) == 0);
	static const char *const names[] = { "/dev/zero", "pipe.obj", "." };
	static const char *const kinds[] = { "a device", "a pipe", "a folder" };
	for (int i = 0; i < 3; ++i) {
		char scene[400];
		snprintf(scene, sizeof scene, SCENE(STONE, "\"box\":{\"file\":\"%s\"}", OBJECT "}"),
		         names[i]);
		write_file("scene.json", scene, strlen(scene));
		CHECK(t, run("run scene.json -o a.glb --allow-outside") == 1);
		CHECK(t, strstr(output, kinds[i]) && strstr(output, "not a regular file"));
		snprintf(line, sizeof line, "info %s", names[i]);
		CHECK(t, run(line) == 1 && strstr(output, "not a regular file"));
		snprintf(line, sizeof line, "replay %s", names[i]);
		CHECK(t, run(line) == 1 && strstr(output, "not a regular file"));
		snprintf(line, sizeof line, "run %s -o a.glb", names[i]);
		CHECK(t, run(line) == 1 && strstr(output, "not a regular file"));
	}
	close_folder(t);
}

TEST_MAIN(TEST(scenes_read_their_own_folder), TEST(what_a_scene_reads_is_bounded),
          TEST(devices_and_pipes_are_no_files), TEST(shipped_scenes_run),
          TEST(what_would_be_lost_is_refused_before_the_run),
          TEST(workers_and_repeats_give_the_same_state), TEST(mistakes_are_named_by_their_place),
          TEST(round_models_are_filmed_and_recorded), TEST(version_1_gives_the_same_state_and_film),
          TEST(keys_of_the_other_version_are_named), TEST(stats_are_a_row_per_step),
          TEST(baked_debris_stays_in_the_film), TEST(moments_become_pictures),
          TEST(an_interrupt_writes_what_was_simulated))
