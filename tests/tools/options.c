// SPDX-License-Identifier: MIT
// ctest: posix
//
// The option parser and the progress line of the program, called directly. (Their sources are
// included: the program is no library that a test could link.)

#define _XOPEN_SOURCE 700

#include "../../tools/errors.c"
#include "../../tools/options.c"
#include "../../tools/progress.c"
#include "../../tools/system.c"

#include "test.h"

#include <fcntl.h>
#include <unistd.h>

static int version_count;

void print_version(void)
{
	version_count++;
}

static const char *const colors[] = { "red", "green", "blue", NULL };

static const command made_up = {
	.name = "paint",
	.arguments = "FILE [FILE]",
	.about = "colour things",
	.details = "Details.",
	.min_arguments = 1,
	.max_arguments = 2,
};

typedef struct values {
	bool flag;
	int count, color;
	double number, vector[3];
	uint64_t seed;
	const char *text;
	positional_arguments found;
	int status;
} values;

// Parses a line of words. @return whether the command would run
static bool parse(values *v, const char *line)
{
	static char copy[500];
	static char *arguments[20];
	*v = (values){ .count = 7, .number = 0.5, .vector = { 1, 2, 3 }, .seed = 9, .color = 2 };
	const option options[] = {
		OPTION_FLAG("flag", &v->flag, "a flag"),
		OPTION_INT("count", "N", &v->count, -5, 100, "a count"),
		OPTION_NUMBER("number", "X", &v->number, 0, 1, "a number"),
		OPTION_VECTOR("size", "X,Y,Z", v->vector, 0, 10, "a vector"),
		OPTION_SEED("seed", "N", &v->seed, "a seed"),
		OPTION_TEXT("output", "FILE", &v->text, "a text"),
		OPTION_CHOICE("colour", &v->color, colors, "a choice"),
		OPTION_END,
	};
	snprintf(copy, sizeof copy, "%s", line);
	int count = 0;
	for (char *word = strtok(copy, " "); word && count < 20; word = strtok(NULL, " "))
		arguments[count++] = word;
	return parse_options(&made_up, options, count, arguments, &v->found, &v->status);
}

// Error messages are looked at in tests of the program; here they would only disturb.
static int mute(int stream)
{
	fflush(stdout);
	fflush(stderr);
	int kept = dup(stream), nowhere = open("/dev/null", O_WRONLY);
	dup2(nowhere, stream);
	close(nowhere);
	return kept;
}

static void unmute(int stream, int kept)
{
	fflush(stdout);
	fflush(stderr);
	dup2(kept, stream);
	close(kept);
}

static void options_and_words_come_in_any_order(test *t)
{
	values v;
	CHECK(t, parse(&v, "a") && v.status == STATUS_OK && v.found.count == 1);
	CHECK(t, !v.flag && v.count == 7 && v.number == 0.5 && v.seed == 9 && v.color == 2 && !v.text);
	CHECK(t, parse(&v, "--count 3 a --flag --number=0.25 b --output -x --colour red"));
	CHECK(t, v.flag && v.count == 3 && v.number == 0.25 && v.color == 0);
	CHECK(t, strcmp(v.text, "-x") == 0 && v.found.count == 2);
	CHECK(t, strcmp(v.found.items[0], "a") == 0 && strcmp(v.found.items[1], "b") == 0);
	CHECK(t, parse(&v, "--count -5 -- --flag -") && v.count == -5 && !v.flag);
	CHECK(t, v.found.count == 2 && strcmp(v.found.items[0], "--flag") == 0);
	CHECK(t, parse(&v, "- --output=") && v.text[0] == '\0' && strcmp(v.found.items[0], "-") == 0);
}

static void numbers_are_read_whole(test *t)
{
	values v;
	CHECK(t, parse(&v, "a --seed 18446744073709551615") && v.seed == UINT64_MAX);
	CHECK(t, parse(&v, "a --seed 0xff") && v.seed == 255);
	CHECK(t, parse(&v, "a --size 1,2.5,3e0") && v.vector[1] == 2.5 && v.vector[2] == 3.0);
	CHECK(t, parse(&v, "a --size 4") && v.vector[0] == 4.0 && v.vector[2] == 4.0);
	CHECK(t, parse(&v, "a --count 1e2") && v.count == 100);
}

static void what_is_wrong_is_refused_and_changes_nothing(test *t)
{
	const char *const lines[] = {
		"",
		"a b c",
		"a --count 101",
		"a --count -6",
		"a --count 1.5",
		"a --count 1x",
		"a --count=",
		"a --number 1.01",
		"a --number nan",
		"a --number inf",
		"a --number 0,5",
		"a --size 1,2",
		"a --size 1,2,3,4",
		"a --size 1,2,",
		"a --size ,",
		"a --size 1,2,11",
		"a --seed -1",
		"a --seed 18446744073709551616",
		"a --seed x",
		"a --colour pink",
		"a --colour",
		"a --flag=yes",
		"a --flags",
		"a --nothing-that-is-there-or-similar",
		"a -f",
		"a ---flag",
	};
	int kept = mute(STDERR_FILENO);
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i) {
		values v;
		CHECK(t, !parse(&v, lines[i]) && v.status == STATUS_USAGE);
		CHECK(t, v.count == 7 && v.number == 0.5 && v.seed == 9 && v.color == 2);
		CHECK(t, v.vector[0] == 1.0 && v.vector[1] == 2.0 && v.vector[2] == 3.0);
	}
	unmute(STDERR_FILENO, kept);
}

static void help_and_version_stop_without_error(test *t)
{
	values v;
	int kept = mute(STDOUT_FILENO);
	CHECK(t, !parse(&v, "a b c --help --wrong") && v.status == STATUS_OK);
	CHECK(t, !parse(&v, "-h") && v.status == STATUS_OK);
	unmute(STDOUT_FILENO, kept);
	CHECK(t, !parse(&v, "--version") && v.status == STATUS_OK && version_count == 1);
}

static void the_nearest_name_is_near(test *t)
{
	const char *const names[] = { "fracture", "prepare", "convert", "bench" };
	CHECK(t, strcmp(nearest_name("fractrue", names, 4), "fracture") == 0);
	CHECK(t, strcmp(nearest_name("prep", names, 4), "prepare") == 0);
	CHECK(t, strcmp(nearest_name("Bench", names, 4), "bench") == 0);
	CHECK(t, nearest_name("xyz", names, 4) == NULL && nearest_name("", names, 4) == NULL);
	char endless[300];
	memset(endless, 'e', sizeof endless - 1);
	endless[sizeof endless - 1] = '\0';
	CHECK(t, nearest_name(endless, names, 4) == NULL);
}

static void a_result_is_told_with_the_logged_detail(test *t)
{
	char path[] = RBL_BINARY_DIR "/options-XXXXXX";
	int file = mkstemp(path);
	fflush(stderr);
	int kept = dup(STDERR_FILENO);
	dup2(file, STDERR_FILENO);
	watch_log();
	keep_line(NULL, RBL_LOG_ERROR, "line 7: no such vertex");
	keep_line(NULL, RBL_LOG_WARNING, "odd");
	keep_line(NULL, RBL_LOG_INFO, "quiet");
	CHECK(t, fail_with(RBL_BAD_FILE, "a.obj") == STATUS_FAILED);
	CHECK(t, fail_with(RBL_OUT_OF_MEMORY, "b.obj") == STATUS_FAILED);
	keep_line(NULL, RBL_LOG_ERROR, "c.obj: cannot open: gone");
	CHECK(t, fail_with(RBL_IO_FAILED, "c.obj") == STATUS_FAILED);
	rbl_set_log(NULL, NULL);
	unmute(STDERR_FILENO, kept);
	char text[1000] = "", expected[1000];
	CHECK(t, pread(file, text, sizeof text - 1, 0) > 0);
	close(file);
	unlink(path);
	snprintf(expected, sizeof expected,
	         "rubble: warning: odd\nrubble: a.obj: %s: line 7: no such vertex\nrubble: b.obj: %s\n"
	         "rubble: c.obj: cannot open: gone\n",
	         rbl_result_text(RBL_BAD_FILE), rbl_result_text(RBL_OUT_OF_MEMORY));
	CHECK(t, strcmp(text, expected) == 0);
}

static void progress_tells_the_time_left(test *t)
{
	char text[80];
	progress_format(text, sizeof text, "cutting", 0.25, 2.0);
	CHECK(t, strcmp(text, "cutting 25 %, 6 s left") == 0);
	progress_format(text, sizeof text, "cutting", 0.5, 600.0);
	CHECK(t, strcmp(text, "cutting 50 %, 10 min left") == 0);
	progress_format(text, sizeof text, "cutting", 0.001, 2.0);
	CHECK(t, strcmp(text, "cutting 0 %") == 0);
	progress_format(text, sizeof text, "cutting", -1.0, 12.3);
	CHECK(t, strcmp(text, "cutting, 12 s") == 0);
	char narrow[12];
	volatile int narrow_size = sizeof narrow; // or the compiler warns of what is tested here
	progress_format(narrow, narrow_size, "cutting", 0.5, 2.0);
	CHECK(t, strlen(narrow) < sizeof narrow);
}

// On a terminal it shows after a second, four times in each; elsewhere after ten, once a minute.
static void progress_shows_only_when_it_takes_long(test *t)
{
	const uint64_t second = 1000000000u;
	int kept = mute(STDERR_FILENO);
	progress line;
	progress_begin(&line, "cutting");
	CHECK(t, line.kind == PROGRESS_LOG); // stderr is no terminal here
	uint64_t start = line.start_ns;
	CHECK(t, !progress_draw(&line, start + 9 * second));
	CHECK(t, progress_draw(&line, start + 11 * second));
	CHECK(t, !progress_draw(&line, start + 60 * second));
	CHECK(t, progress_draw(&line, start + 72 * second));
	progress_end(&line);
	progress_begin(&line, "cutting");
	line.kind = PROGRESS_LINE, start = line.start_ns;
	progress_update(&line, 0.5);
	CHECK(t, line.per_mille == 500);
	CHECK(t, !progress_draw(&line, start + second / 2));
	CHECK(t, progress_draw(&line, start + 2 * second));
	CHECK(t, !progress_draw(&line, start + 2 * second + second / 8));
	CHECK(t, progress_draw(&line, start + 3 * second));
	progress_end(&line);
	CHECK(t, line.shown_ns == 0);
	unmute(STDERR_FILENO, kept);
}

static void quiet_says_nothing(test *t)
{
	values v;
	CHECK(t, !is_quiet());
	CHECK(t, parse(&v, "a --quiet") && is_quiet());
	progress line;
	progress_begin(&line, "cutting");
	CHECK(t, line.kind == PROGRESS_NONE);
	CHECK(t, !progress_draw(&line, line.start_ns + 3600000000000u));
	progress_end(&line);
	quiet = false;
}

TEST_MAIN(TEST(options_and_words_come_in_any_order), TEST(numbers_are_read_whole),
          TEST(what_is_wrong_is_refused_and_changes_nothing),
          TEST(help_and_version_stop_without_error), TEST(the_nearest_name_is_near),
          TEST(a_result_is_told_with_the_logged_detail), TEST(progress_tells_the_time_left),
          TEST(progress_shows_only_when_it_takes_long), TEST(quiet_says_nothing))
