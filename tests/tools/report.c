// SPDX-License-Identifier: MIT
// ctest: native
//
// `rubble run --report` and `rubble bench --report`: the pages are whole, beside other outputs and after
// an interrupt, and what cannot be written is said before the work. tests/tools/pages opens them.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

#include <signal.h>

#define SCENE "'" RBL_SOURCE_DIR "/scenes/window.json'"

/// @return whether a file of the folder has a text, by grep
static bool has(const char *name, const char *text)
{
	char line[400];
	snprintf(line, sizeof line, "cd '%s' && grep -qF -- '%s' '%s'", folder, text, name);
	return system(line) == 0;
}

/// @return whether a page of the folder is whole: it ends as it should, and has what it must have
static bool is_whole(const char *name)
{
	char line[300];
	snprintf(line, sizeof line, "cd '%s' && tail -n 1 '%s' | grep -qxF '</html>'", folder, name);
	return system(line) == 0 && has(name, "<!DOCTYPE html>") && has(name, "id=\"report-data\">{");
}

static void a_run_writes_a_page(test *t)
{
	if (!open_folder(t, "run"))
		return;
	CHECK(t, run("run " SCENE " --steps 60 --report page.html --json out.json") == 0);
	CHECK(t, strstr(output, "report: page.html") != NULL);
	CHECK(t, is_whole("page.html") && has("page.html", "\"broadphase_ms\": ["));
	CHECK(t, has("page.html", "\"kinetic\": [") && has("page.html", "\"seed\": "));
	// The state hash is that of the run.
	char *state = strstr(output, "state "), expected[60];
	CHECK(t, state != NULL);
	if (state) {
		snprintf(expected, sizeof expected, "\"state\": \"%.16s\"", state + 6);
		CHECK(t, has("page.html", expected) && has("out.json", expected));
	}
	// Beside a film, and the film is the same as without.
	CHECK(t, run("run " SCENE " --steps 60 --report both.html -o both.glb --pictures 0.5") == 0);
	CHECK(t, run("run " SCENE " --steps 60 -o alone.glb") == 0);
	char line[200];
	snprintf(line, sizeof line, "cd '%s' && cmp both.glb alone.glb && test -s both-0.5.png",
	         folder);
	CHECK(t, system(line) == 0 && is_whole("both.html"));
	close_folder(t);
}

// More steps than a chart has room for: the slowest of some stands for all of them.
static void long_runs_have_fewer_rows(test *t)
{
	if (!open_folder(t, "run"))
		return;
	static const char scene[] =
		"{\"version\": 2, \"materials\": {\"m\": {}}, \"models\": {\"b\": {\"shape\": "
		"\"box\"}}, \"instances\": [{\"model\": \"b\", \"material\": \"m\"}]}";
	write_file("scene.json", scene, sizeof scene - 1);
	CHECK(t, run("run scene.json --steps 40000 --report page.html") == 0);
	CHECK(t, is_whole("page.html") && has("page.html", "\"steps_per_row\": 4"));
	close_folder(t);
}

static void what_cannot_be_written_is_said_first(test *t)
{
	if (!open_folder(t, "run"))
		return;
	CHECK(t, run("run " SCENE) == 2 && strstr(output, "--report FILE.html is needed") != NULL);
	CHECK(t, run("run " SCENE " --report page.txt") == 1 && strstr(output, "end in .html") != NULL);
	CHECK(t, run("run " SCENE " --report no/page.html") == 1 && !strstr(output, "breaks"));
	CHECK(t, run("bench --report page.html --results no.json") == 1);
	write_file("bad.json", "[{\"suite\": 1}]", 14);
	CHECK(t, run("bench --report page.html --results bad.json") == 1);
	CHECK(t, strstr(output, "row 1 has no text 'suite'") != NULL);
	CHECK(t, run("bench --results bad.json") == 2 && strstr(output, "need --report") != NULL);
	close_folder(t);
}

static void an_interrupt_leaves_a_whole_page(test *t)
{
	if (!open_folder(t, "run"))
		return;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		if (chdir(folder) != 0 || !freopen("cut.txt", "w", stdout))
			_exit(3);
		signal(SIGINT, SIG_DFL); // tests may run in the background, where it is ignored
		execl(PROGRAM, PROGRAM, "run", RBL_SOURCE_DIR "/scenes/wall.json", "--report", "cut.html",
		      "--steps", "10000000", (char *)NULL);
		_exit(3);
	}
	sleep(1);
	kill(child, SIGINT);
	int status = -1;
	waitpid(child, &status, 0);
	CHECK(t, WIFEXITED(status) && WEXITSTATUS(status) == 130);
	// Its curves, by number of pieces, are a case of curves alone: no line of the table.
	CHECK(t, run("bench tree --case pieces-2 --quick --repeat 1 --json pieces.json") == 0);
	CHECK(t, is_whole("cut.html") && has("cut.html", "The run was stopped after"));
	close_folder(t);
}

static void benchmarks_make_a_page(test *t)
{
	if (!open_folder(t, "bench"))
		return;
	CHECK(
		t,
		run("bench base --case sort_1k --quick --repeat 2 --report fresh.html --json rows.json") ==
			0);
	CHECK(t, is_whole("fresh.html") && has("fresh.html", "\"kind\": \"bench\""));
	CHECK(t, run("bench --results rows.json --before '" RBL_SOURCE_DIR
	             "/bench/results/baseline.json' --targets '" RBL_SOURCE_DIR
	             "/bench/results/targets.json' --report page.html") == 0);
	CHECK(t, is_whole("page.html") && has("page.html", "\"before_name\": \"baseline.json\""));
	CHECK(t, has("page.html", "\"must\""));
	close_folder(t);
}

TEST_MAIN(TEST(a_run_writes_a_page), TEST(long_runs_have_fewer_rows),
          TEST(what_cannot_be_written_is_said_first), TEST(an_interrupt_leaves_a_whole_page),
          TEST(benchmarks_make_a_page))
