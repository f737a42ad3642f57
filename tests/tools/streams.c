// SPDX-License-Identifier: MIT
// ctest: native
//
// What scripts rely on: - as standard input and output, --quiet, --json, hints at --repair, and
// pictures and reports of every kind of file.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

#include <signal.h>
#include <sys/stat.h>
#include <time.h>

static bool says(const char *text)
{
	return strstr(output, text) != NULL;
}

static long size_of(const char *name)
{
	char path[100];
	struct stat info;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return stat(path, &info) == 0 ? (long)info.st_size : -1;
}

// Whether two files of the folder are the same bytes.
static bool are_equal(const char *a, const char *b)
{
	char line[200];
	snprintf(line, sizeof line, "cd '%s' && cmp -s '%s' '%s'", folder, a, b);
	return system(line) == 0;
}

static const char scene[] = "{\"version\":2,\"step_count\":8,\"materials\":{\"stone\":{}},"
							"\"models\":{\"box\":{\"box\":[1,1,1]}},\"instances\":[{\"model\":"
							"\"box\",\"material\":\"stone\",\"position\":[0,3,0]}]}";

static void files_pass_through_standard_streams(test *t)
{
	if (!open_folder(t, "picture"))
		return;
	CHECK(t, run("make mug mug.glb") == 0 && run("make mug - >piped.glb --quiet") == 0);
	CHECK(t, are_equal("mug.glb", "piped.glb"));
	CHECK(t, run("make mug mug.obj") == 0 && run("make mug mug.stl") == 0);
	CHECK(t, run("convert - - --format stl <mug.obj >piped.stl --quiet") == 0);
	CHECK(t, are_equal("mug.stl", "piped.stl"));
	CHECK(t, run("info - <mug.stl") == 0 && says("closed            yes"));
	CHECK(t, run("prepare mug.glb -o mug.rbl") == 0);
	CHECK(t, run("prepare - -o - <mug.glb >piped.rbl --quiet") == 0);
	CHECK(t, are_equal("mug.rbl", "piped.rbl"));
	CHECK(t, run("fracture mug.rbl -o mug-f.glb") == 0);
	CHECK(t, run("fracture - -o - <mug.rbl >piped-f.glb --quiet") == 0);
	CHECK(t, are_equal("mug-f.glb", "piped-f.glb"));
	write_file("drop.json", scene, strlen(scene));
	CHECK(t, run("run drop.json -o drop.glb --record drop.rblr") == 0);
	CHECK(t, run("run - -o - <drop.json >piped-d.glb --quiet") == 0);
	CHECK(t, are_equal("drop.glb", "piped-d.glb"));
	CHECK(t, run("replay - <drop.rblr") == 0 && says("8 steps"));
	CHECK(t, run("picture mug.glb mug.png --width 64 --height 64") == 0);
	CHECK(t, run("picture - - --width 64 --height 64 <mug.glb >piped.png --quiet") == 0);
	CHECK(t, are_equal("mug.png", "piped.png"));
	CHECK(t, run("convert mug.obj - --repair 2>told.txt | cat >piped.glb") == 0);
	CHECK(t, strstr(text_of("told.txt"), "nothing to repair") && size_of("piped.glb") > 1000);
	CHECK(t, run("run drop.json -o - --stats -") == 2 && says("same file"));
	CHECK(t, run("info - </dev/null") == 1);
	CHECK(t, size_of("-") < 0);
	close_folder(t);
}

static void scripts_get_json_and_silence(test *t)
{
	if (!open_folder(t, "run"))
		return;
	write_file("drop.json", scene, strlen(scene));
	CHECK(t, run("run drop.json -o a.glb --record a.rblr --quiet") == 0 && output[0] == '\0');
	CHECK(t, run("run drop.json -o a.glb --json - --quiet") == 0 && output[0] == '{');
	CHECK(t, says("\"steps\": 8") && says("\"bodies\": 1") && says("\"is_interrupted\": false"));
	CHECK(t, run("replay a.rblr --json out.json --quiet") == 0 && output[0] == '\0');
	CHECK(t, field("steps") == 8.0 && field("bodies") == 1.0);
	CHECK(t, run("make box a.obj --quiet") == 0 && output[0] == '\0');
	CHECK(t, run("convert a.obj b.obj --repair --quiet") == 0 && output[0] == '\0');
	CHECK(t, run("prepare a.obj -o a.rbl --quiet") == 0 && output[0] == '\0');
	CHECK(t, run("hull a.obj --quiet") == 0 && output[0] == '\0');
	CHECK(t, run("fracture a.obj --quiet") == 0 && output[0] == '\0');
	CHECK(t, run("fracture none.obj --quiet") == 1 && says("rubble: none.obj"));
	CHECK(t, run("collide a.obj --quiet") == 0 && output[0] == '\0');
	close_folder(t);
}

static const char open_box[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\n"
							   "v 0 1 1\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\n";

static void errors_about_open_meshes_name_repair(test *t)
{
	if (!open_folder(t, "fracture"))
		return;
	write_file("open.obj", open_box, strlen(open_box));
	CHECK(t, run("fracture open.obj") == 1 && says("try --repair"));
	CHECK(t, run("fracture open.obj --repair") == 0 && says("1 holes filled"));
	CHECK(t, run("prepare open.obj -o a.rbl") == 1 && says("try --repair"));
	CHECK(t, run("prepare open.obj -o a.rbl --repair") == 0);
	CHECK(t, run("hull open.obj --repair") == 0 && says("1 holes filled"));
	CHECK(t, run("info open.obj") == 0 && says("breakable         no") && says("--repair"));
	const char *text = "{\"version\":2,\"step_count\":2,\"materials\":{\"stone\":{}},\"models\":"
					   "{\"box\":{\"file\":\"open.obj\"}},\"instances\":[{\"model\":\"box\","
					   "\"material\":\"stone\"}]}";
	write_file("open.json", text, strlen(text));
	CHECK(t, run("run open.json -o a.glb") == 1 && says("models.box") && says("try --repair"));
	CHECK(t, run("run open.json -o a.glb --repair") == 0 && says("1 holes filled"));
	close_folder(t);
}

static void every_file_is_described_and_drawn(test *t)
{
	if (!open_folder(t, "picture"))
		return;
	CHECK(t, run("make window w.glb") == 0 && run("prepare w.glb -o w.rbl") == 0);
	CHECK(t, run("info w.glb") == 0 && says("materials  ") && says("roughness"));
	CHECK(t, run("info w.glb --json") == 0 && says("\"base_color\": ["));
	CHECK(t, run("info w.rbl") == 0 && says("asset of rubble prepare") && says("parts    "));
	CHECK(t, run("info w.rbl --json >out.json") == 0);
	CHECK(t, field("parts") >= 4.0 && field("volume") > 0.0);
	write_file("drop.json", scene, strlen(scene));
	CHECK(t, run("run drop.json -o drop.glb --record drop.rblr") == 0);
	CHECK(t, run("info drop.rblr") == 0 && says("steps             8") && says("replays    "));
	CHECK(t, run("info drop.rblr --json >out.json") == 0);
	CHECK(t, field("steps") == 8.0 && field("bodies_after") == 1.0);
	static const char *const files[] = { "w.glb", "w.rbl", "drop.rblr", "drop.glb" };
	for (int i = 0; i < 4; ++i) {
		char line[300], plain[200];
		snprintf(plain, sizeof plain, "picture %s %d.png --width 200 --height 120", files[i], i);
		CHECK(t, run(plain) == 0);
		snprintf(line, sizeof line, "%s --view 1,0,0 && mv %d.png side.png", plain, i);
		CHECK(t, run(line) == 0 && run(plain) == 0);
		char front[20];
		snprintf(front, sizeof front, "%d.png", i);
		CHECK(t, size_of(front) > 1000 && !are_equal(front, "side.png"));
	}
	CHECK(t, run("picture w.rbl pulled.png --width 200 --height 120 --pull 0.5") == 0);
	CHECK(t, !are_equal("1.png", "pulled.png"));
	CHECK(t, run("picture drop.rblr start.png --width 200 --height 120 --step 0") == 0);
	CHECK(t, run("picture w.glb w.jpg") == 2 && says("must end in .png"));
	CHECK(t, run("picture w.glb w.png --frame 1,2,3") == 2);
	CHECK(t, run("picture none.glb w.png") == 1 && size_of("w.png") < 0);
	close_folder(t);
}

// Ctrl-C in a command that cannot stop halfway: nothing is left but what was there.
static void an_interrupt_leaves_no_half_file(test *t)
{
	if (!open_folder(t, "fracture"))
		return;
	CHECK(t, run("make box arena.glb") == 0 && run("make arena big.obj") == 0);
	long before = size_of("arena.glb");
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		if (chdir(folder) != 0 || !freopen("cut.txt", "w", stderr))
			_exit(3);
		signal(SIGINT, SIG_DFL);
		execl(PROGRAM, PROGRAM, "fracture", "big.obj", "-o", "arena.glb", "--cells", "4000",
		      "--repeat", "3", "--cut-limit", "1000000", (char *)NULL);
		_exit(3);
	}
	nanosleep(&(struct timespec){ .tv_nsec = 700000000 }, NULL);
	kill(child, SIGINT);
	int status = -1;
	waitpid(child, &status, 0);
	CHECK(t, WIFEXITED(status) && WEXITSTATUS(status) == 130);
	CHECK(t, size_of("arena.glb") == before && size_of("arena.glb.part") < 0);
	close_folder(t);
}

TEST_MAIN(TEST(files_pass_through_standard_streams), TEST(scripts_get_json_and_silence),
          TEST(errors_about_open_meshes_name_repair), TEST(every_file_is_described_and_drawn),
          TEST(an_interrupt_leaves_no_half_file))
