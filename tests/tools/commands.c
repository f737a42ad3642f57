// SPDX-License-Identifier: MIT
// ctest: native
//
// What every command keeps to, by one table: --quiet, --json, - for standard streams, --repair for
// what reads meshes, a line of progress on a terminal, and Ctrl-C. A command that is not in the
// table is an error.

#define _XOPEN_SOURCE 700

#include "command.h"

#include <rubble/io.h>
#include <rubble/json.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

typedef struct row {
	const char *name;

	/// A run that ends well; IN and OUT stand for the files below. NULL: it serves, or only talks.
	const char *line;
	const char *in, *out;

	/// How JSON is asked for: to a file, or on standard output alone. NULL: there is none.
	const char *json;

	/// A mesh that is not closed is taken, with --repair.
	bool repairs;

	/// Its result is what it prints.
	bool prints;

	/// A run that takes long, and what its line of progress begins with; NULL: it never does.
	const char *long_line, *progress;

	/// What is written in the end is kept as it was by Ctrl-C; or it is whole.
	const char *long_out;
	bool stops_early;
} row;

static const row rows[] = {
	{ "bench", "tree --quick --repeat 1 --case build --json OUT", NULL, "rows.json", "--json",
	  false, true, NULL, NULL, NULL, false },
	{ "calibrate", NULL, NULL, NULL, "--json", false, true, NULL, NULL, NULL, false },
	{ "ccd", "IN", "queries.bin", NULL, "--json FILE", false, false, NULL, NULL, NULL, false },
	{ "collide", "IN -o OUT", "box.obj", "hits.ply", "--json FILE", true, false,
	  "big.obj --brute --repeat 1", "co", NULL, false },
	{ "convert", "IN OUT", "box.obj", "again.stl", "--json FILE", true, false,
	  "big.obj again.obj --repair", "re", "again.obj", false },
	{ "cut", "IN --along \"0.1,-9,0 0.1,9,0\" -o OUT", "box.obj", "cut.obj", "--json FILE", true,
	  false, NULL, NULL, NULL, false },
	{ "fracture", "IN -o OUT", "box.obj", "broken.glb", "--json FILE", true, false,
	  "arena.glb -o old.glb --cells 2000 --repeat 3 --cut-limit 1000000", "cutting", "old.glb",
	  false },
	{ "hull", "IN -o OUT", "box.obj", "hull.obj", "--json FILE", true, false, NULL, NULL, NULL,
	  false },
	{ "info", "IN", "box.obj", NULL, "--json", true, true, NULL, NULL, NULL, false },
	{ "make", "box OUT", NULL, "made.glb", "--json FILE", false, false, NULL, NULL, NULL, false },
	{ "picture", "IN OUT --width 32 --height 32", "box.obj", "box.png", "--json FILE", true, false,
	  "big.rblr old.png", "replaying", "old.png", false },
	{ "play", NULL, NULL, NULL, NULL, false, false, NULL, NULL, NULL, false },
	{ "prepare", "IN -o OUT", "box.obj", "box.rbl", "--json FILE", true, false,
	  "big.obj --tolerance 0.01 -o old.rbl", "preparing", "old.rbl", false },
	{ "run", "IN -o OUT", "drop.json", "drop.glb", "--json FILE", true, false,
	  "big.json -o old.glb", "simulating", "old.glb", true },
	{ "replay", "IN", "drop.rblr", NULL, "--json FILE", false, false, "big.rblr", "replaying", NULL,
	  false },
	{ "help", NULL, NULL, NULL, NULL, false, true, NULL, NULL, NULL, false },
	{ "version", NULL, NULL, NULL, "--json", false, true, NULL, NULL, NULL, false },
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static const char drop[] = "{\"version\":2,\"step_count\":8,\"materials\":{\"stone\":{}},"
						   "\"models\":{\"box\":{\"box\":[1,1,1]}},\"instances\":[{\"model\":"
						   "\"box\",\"material\":\"stone\",\"position\":[0,3,0]}]}";
static const char heap[] =
	"{\"version\":2,\"step_count\":%d,\"can_sleep\":false,\"materials\":{\"stone\":{}},"
	"\"models\":{\"box\":{\"box\":[1,1,1]},\"floor\":{\"box\":[90,1,90]}},\"instances\":["
	"{\"model\":\"floor\",\"material\":\"stone\",\"kind\":\"static\",\"position\":[0,-1,0]},"
	"{\"model\":\"box\",\"material\":\"stone\",\"position\":[0,3,0],\"count\":[12,12,12],"
	"\"spacing\":[1.1,1.1,1.1],\"random_rotation\":true}]}";
static const char open_box[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\n"
							   "v 0 1 1\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\n";

static void write_inputs(test *t)
{
	CHECK(t, run("make box box.obj --quiet") == 0);
	write_file("drop.json", drop, strlen(drop));
	write_file("open.obj", open_box, strlen(open_box));
	CHECK(t, run("run drop.json -o drop.glb --record drop.rblr --quiet") == 0);
}

static long size_of(const char *name)
{
	char path[200];
	struct stat info;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return stat(path, &info) == 0 ? (long)info.st_size : -1;
}

// The command line of a row, with files in their places.
static const char *line_of(const row *of, const char *in, const char *out, const char *more)
{
	static char line[500];
	size_t used = (size_t)snprintf(line, sizeof line, "%s ", of->name);
	for (const char *c = of->line; *c && used + 1 < sizeof line;) {
		bool is_in = strncmp(c, "IN", 2) == 0, is_out = strncmp(c, "OUT", 3) == 0;
		if (is_in || is_out)
			used += (size_t)snprintf(line + used, sizeof line - used, "%s", is_in ? in : out);
		else
			line[used++] = *c;
		c += is_in ? 2 : is_out ? 3 : 1;
	}
	snprintf(line + used, sizeof line - used, " %s", more);
	return line;
}

static bool is_json(const char *text, size_t size)
{
	rbl_json_document *document = NULL;
	rbl_result result = rbl_parse_json(text, size, "output", NULL, &document);
	rbl_destroy_json(document);
	return result == RBL_OK;
}

static bool is_json_file(const char *name)
{
	char path[200];
	rbl_file_bytes bytes = { 0 };
	snprintf(path, sizeof path, "%s/%s", folder, name);
	bool is_good = rbl_read_file(path, NULL, &bytes) == RBL_OK &&
	               is_json((const char *)bytes.data, bytes.size);
	rbl_free_bytes(&bytes);
	return is_good;
}

static void say_row(const row *of, bool is_good)
{
	if (!is_good)
		printf("it was rubble %s: %.300s\n", of->name, output);
}

// Every command of the program is in the table.
static void the_table_has_all_commands(test *t)
{
	if (is_absent(t, "version"))
		return;
	CHECK(t, run("--help") == 0);
	int found = 0;
	for (const char *at = strstr(output, "\n  "); at; at = strstr(at + 1, "\n  ")) {
		bool is_known = false;
		for (int i = 0; i < ROWS; ++i) {
			size_t length = strlen(rows[i].name);
			is_known |= strncmp(at + 3, rows[i].name, length) == 0 && at[3 + length] == ' ';
		}
		if (!is_known)
			printf("not in the table: %.20s\n", at + 3);
		CHECK(t, is_known);
		found++;
	}
	CHECK(t, found == ROWS);
}

static void scripts_get_silence_and_json(test *t)
{
	if (!open_folder(t, "run"))
		return;
	write_inputs(t);
	int quiet = 0, told = 0;
	for (int i = 0; i < ROWS; ++i) {
		const row *of = &rows[i];
		bool needs_data = strcmp(of->name, "ccd") == 0; // it has tests of its own
		if (of->line && !of->prints && !needs_data) {
			bool is_good = run(line_of(of, of->in, of->out, "--quiet")) == 0 && !*output;
			CHECK(t, is_good);
			say_row(of, is_good);
			CHECK(t, !of->out || size_of(of->out) > 0);
			quiet++;
		}
		if (of->json && strcmp(of->json, "--json FILE") == 0 && !needs_data) {
			bool is_good = run(line_of(of, of->in, of->out, "--json a.json --quiet")) == 0 &&
			               !*output && is_json_file("a.json");
			is_good &= run(line_of(of, of->in, of->out, "--json - --quiet")) == 0 &&
			           is_json(output, strlen(output));
			CHECK(t, is_good);
			say_row(of, is_good);
			told++;
		} else if (of->json && !needs_data && (of->line || strcmp(of->name, "version") == 0)) {
			bool is_bench = strcmp(of->name, "bench") == 0;
			char line[300];
			snprintf(line, sizeof line, "%s --json", of->name);
			const char *whole = is_bench   ? line_of(of, NULL, "rows.json", "--quiet >/dev/null")
			                    : of->line ? line_of(of, of->in, NULL, "--json")
			                               : line;
			bool is_good = run(whole) == 0 &&
			               (is_bench ? is_json_file("rows.json") : is_json(output, strlen(output)));
			CHECK(t, is_good);
			say_row(of, is_good);
			told++;
		}
		CHECK(t, of->json || strcmp(of->name, "play") == 0 || strcmp(of->name, "help") == 0);
	}
	CHECK(t, quiet >= 9 && told >= 10);
	close_folder(t);
}

static void files_are_standard_streams(test *t)
{
	if (!open_folder(t, "run"))
		return;
	write_inputs(t);
	int in = 0, out = 0;
	for (int i = 0; i < ROWS; ++i) {
		const row *of = &rows[i];
		char more[200];
		if (!of->line || strcmp(of->name, "ccd") == 0 || strcmp(of->name, "bench") == 0)
			continue;
		if (of->in) {
			snprintf(more, sizeof more, "%s <%s", of->prints ? "" : "--quiet", of->in);
			bool is_good = run(line_of(of, "-", of->out, more)) == 0;
			CHECK(t, is_good);
			say_row(of, is_good);
			in++;
		}
		// Standard output has the bytes that a file has; what a name tells about it is the default.
		if (of->out) {
			const char *dot = strrchr(of->out, '.');
			bool is_chosen = strcmp(of->name, "convert") == 0 || strcmp(of->name, "make") == 0;
			CHECK(t, run(line_of(of, of->in, of->out, "--quiet")) == 0);
			snprintf(more, sizeof more, "--quiet %s%s >piped", is_chosen ? "--format " : "",
			         is_chosen ? dot + 1 : "");
			bool is_good = run(line_of(of, of->in, "-", more)) == 0 && size_of("piped") > 0;
			CHECK(t, is_good);
			say_row(of, is_good);
			snprintf(more, sizeof more, "version >/dev/null; cmp piped %s", of->out);
			if (strcmp(dot, ".ply") != 0 && strcmp(dot, ".obj") != 0) // those have .glb by default
				CHECK(t, run(more) == 0);
			out++;
		}
	}
	CHECK(t, in >= 8 && out >= 7 && size_of("-") < 0);
	close_folder(t);
}

static void open_meshes_are_repaired(test *t)
{
	if (!open_folder(t, "run"))
		return;
	write_inputs(t);
	static const char text[] =
		"{\"version\":2,\"step_count\":2,\"materials\":{\"stone\":{}},\"models\":{\"box\":{"
		"\"file\":\"open.obj\"}},\"instances\":[{\"model\":\"box\",\"material\":\"stone\"}]}";
	write_file("open.json", text, strlen(text));
	int count = 0;
	for (int i = 0; i < ROWS; ++i) {
		const row *of = &rows[i];
		char help[100];
		snprintf(help, sizeof help, "%s --help", of->name);
		CHECK(t, run(help) == 0 && (strstr(output, "  --repair ") != NULL) == of->repairs);
		if (!of->repairs)
			continue;
		const char *in = strcmp(of->name, "run") == 0 ? "open.json" : "open.obj";
		int plain = run(line_of(of, in, of->out, ""));
		bool is_named = strstr(output, "--repair") != NULL;
		CHECK(t, plain == 0 || (plain == 1 && is_named));
		bool is_good = run(line_of(of, in, of->out, "--repair")) == 0 &&
		               strstr(output, strcmp(of->name, "convert") == 0 ? "holes filled"
		                                                               : "1 holes filled") != NULL;
		CHECK(t, is_good);
		say_row(of, is_good);
		count++;
	}
	CHECK(t, count == 9);
	close_folder(t);
}

// --- Ctrl-C on a terminal -----------------------------------------------------------------------

// Begin a command with a terminal as its standard error. @return its process, -1 none
static pid_t start_on_terminal(const char *line, int *terminal)
{
	char copy[400], *words[40];
	int count = 0;
	*terminal = posix_openpt(O_RDWR | O_NOCTTY);
	if (*terminal < 0 || grantpt(*terminal) != 0 || unlockpt(*terminal) != 0)
		return -1;
	snprintf(copy, sizeof copy, "rubble %s", line);
	for (char *word = strtok(copy, " "); word && count < 39; word = strtok(NULL, " "))
		words[count++] = word;
	words[count] = NULL;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		int other = open(ptsname(*terminal), O_RDWR | O_NOCTTY);
		int nothing = open("/dev/null", O_WRONLY);
		if (other < 0 || nothing < 0 || chdir(folder) != 0)
			_exit(3);
		dup2(other, 2);
		dup2(nothing, 1);
		signal(SIGINT, SIG_DFL);
		execv(PROGRAM, words);
		_exit(3);
	}
	return child;
}

// Read from the terminal until a line of progress is there. The process gets a fifth of the time: a line
// appears after a second, and a fast machine would be done by then. @return false when that takes too long
static bool see_progress(pid_t child, int terminal, const char *word)
{
	char seen[2000] = "";
	size_t used = 0;
	for (int i = 0; i < 600; ++i) {
		struct pollfd one = { .fd = terminal, .events = POLLIN };
		kill(child, SIGSTOP);
		poll(NULL, 0, 80);
		kill(child, SIGCONT);
		if (poll(&one, 1, 20) <= 0)
			continue;
		ssize_t got = read(terminal, seen + used, sizeof seen - 1 - used);
		if (got <= 0)
			return false;
		used += (size_t)got;
		seen[used] = '\0';
		const char *at = strstr(seen, word);
		if (at && (strstr(at, " left") || strstr(at, " s") || strstr(at, " %")))
			return true;
		if (used > sizeof seen / 2)
			used = 0;
	}
	return false;
}

static void long_commands_show_progress_and_stop(test *t)
{
	if (!open_folder(t, "run"))
		return;
	char text[1000];
	CHECK(t, run("make arena big.obj --quiet --detail 3") == 0);
	CHECK(t, run("make arena arena.glb --quiet") == 0);
	snprintf(text, sizeof text, heap, 100000);
	write_file("big.json", text, strlen(text));
	snprintf(text, sizeof text, heap, 240);
	write_file("short.json", text, strlen(text));
	CHECK(t, run("run short.json -o x.glb --record big.rblr --quiet") == 0);
	int count = 0;
	for (int i = 0; i < ROWS; ++i) {
		const row *of = &rows[i];
		if (!of->long_line)
			continue;
		if (of->long_out)
			write_file(of->long_out, "old", 3);
		char line[300], part[100];
		int terminal, status = -1;
		snprintf(line, sizeof line, "%s %s", of->name, of->long_line);
		pid_t child = start_on_terminal(line, &terminal);
		CHECK(t, child > 0);
		if (child <= 0)
			continue;
		bool is_seen = see_progress(child, terminal, of->progress);
		kill(child, SIGINT);
		waitpid(child, &status, 0);
		close(terminal);
		bool is_good = is_seen && WIFEXITED(status) && WEXITSTATUS(status) == 130;
		CHECK(t, is_good);
		if (!is_good)
			printf("it was rubble %s: seen %d, status %x\n", line, is_seen, (unsigned)status);
		snprintf(part, sizeof part, "%s.part", of->long_out ? of->long_out : "none");
		CHECK(t, size_of(part) < 0);
		if (of->long_out && !of->stops_early)
			CHECK(t, size_of(of->long_out) == 3);
		if (of->stops_early) {
			snprintf(line, sizeof line, "info %s", of->long_out);
			CHECK(t, size_of(of->long_out) > 1000 && run(line) == 0);
		}
		count++;
	}
	CHECK(t, count == 7);
	close_folder(t);
}

TEST_MAIN(TEST(the_table_has_all_commands), TEST(scripts_get_silence_and_json),
          TEST(files_are_standard_streams), TEST(open_meshes_are_repaired),
          TEST(long_commands_show_progress_and_stop))
