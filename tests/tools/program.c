// SPDX-License-Identifier: MIT
// ctest: native
//
// The program `rubble` as a user sees it: help, errors, exit status, benchmarks and their JSON.

#define _POSIX_C_SOURCE 200809L

#include "command.h"

#include <rubble/base.h>

#include <ctype.h>

static bool says(const char *text)
{
	return strstr(output, text) != NULL;
}

static void help_and_version_are_everywhere(test *t)
{
	if (is_absent(t, "bench"))
		return;
	char version[40];
	snprintf(version, sizeof version, "rubble %d.%d.%d\n", RBL_VERSION_MAJOR, RBL_VERSION_MINOR,
	         RBL_VERSION_PATCH);
	const char *version_calls[] = { "--version", "version", "bench --version", "help --version" };
	for (int i = 0; i < 4; ++i)
		CHECK(t, run(version_calls[i]) == 0 && strcmp(output, version) == 0);
	const char *help_calls[] = { "--help", "-h", "help" };
	for (int i = 0; i < 3; ++i)
		CHECK(t, run(help_calls[i]) == 0 && says("Usage: rubble COMMAND") && says("  bench "));
	const char *bench_calls[] = { "bench --help", "help bench", "bench -h", "bench x --help" };
	for (int i = 0; i < 4; ++i)
		CHECK(t, run(bench_calls[i]) == 0 && says("Usage: rubble bench") && says("--json FILE"));
}

// Every command listed in the help has help of its own.
static void each_command_has_help(test *t)
{
	if (is_absent(t, "bench"))
		return;
	CHECK(t, run("--help") == 0);
	static char listed[sizeof output];
	memcpy(listed, output, sizeof listed);
	int count = 0;
	for (char *line = strtok(listed, "\n"); line; line = strtok(NULL, "\n")) {
		char name[40], call[60];
		if (strncmp(line, "  ", 2) != 0 || sscanf(line, "%39s", name) != 1)
			continue;
		snprintf(call, sizeof call, "%s --help", name);
		CHECK(t, run(call) == 0 && says("Usage: rubble ") && says(name) && says("--version"));
		count++;
	}
	CHECK(t, count >= 3);
}

static void wrong_usage_is_status_two_with_a_hint(test *t)
{
	if (is_absent(t, "bench"))
		return;
	CHECK(t, run("") == 2 && says("rubble: which command?"));
	CHECK(t, run("bnech") == 2 && says("rubble: unknown command 'bnech'; did you mean 'bench'?"));
	CHECK(t, run("quite-another") == 2 && says("see rubble --help"));
	CHECK(t, run("help nothing-like-it") == 2 && says("unknown command"));
	CHECK(t, run("--verbose") == 2 && says("rubble: unknown option --verbose"));
	CHECK(t, run("bench --qick") == 2 && says("unknown option --qick; did you mean --quick?"));
	CHECK(t, run("bench --zzzzzzzz") == 2 && says("unknown option --zzzzzzzz\n"));
	CHECK(t, run("bench -q") == 2 && says("options are long"));
	CHECK(t, run("bench --repeat") == 2 && says("--repeat needs a value"));
	CHECK(t, run("bench --quick=1") == 2 && says("--quick takes no value"));
	CHECK(t, run("version please") == 2 && says("too many arguments: 'please'"));
	CHECK(t, run("bench no-such-suite") == 2 && says("no benchmark suite") && says("base"));
	CHECK(t, run("bench base --case no-such-case") == 2 && says("no benchmark case"));
	const char *values[] = { "0", "-3", "2.5", "ten", "''", "1e9", "nan", "5x" };
	for (int i = 0; i < 8; ++i) {
		char call[60];
		snprintf(call, sizeof call, "bench --repeat=%s", values[i]);
		CHECK(t, run(call) == 2 && says("must be a whole number from 1 to"));
	}
}

static void failures_are_status_one(test *t)
{
	if (is_absent(t, "bench"))
		return;
	CHECK(t, run("bench base --quick --case hash --json /no/such/folder/x.json") == 1);
	CHECK(t, says("rubble: cannot write /no/such/folder/x.json"));
	if (access("/dev/full", W_OK) == 0)
		CHECK(t, run("--help 2>/dev/null >/dev/full; test $? = 1") == 0);
}

static void list_names_suites_and_cases_and_runs_none(test *t)
{
	if (is_absent(t, "bench"))
		return;
	CHECK(t, run("bench --list") == 0 && says("base: ") && says("    sort_1M\n"));
	CHECK(t, !says("time_median"));
	CHECK(t, run("bench base --list --case sort_1k") == 0 && says("sort_1k") && !says("sort_1M"));
}

// --- JSON ------------------------------------------------------------------------------------

// The shape that the file promises, strictly: a list of objects with these keys in this order.
static const char *const keys[] = { "suite", "case", "variant", "metric", "value", "unit" };

static const char *skip_space(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return at;
}

// @return what follows the token, or NULL
static const char *take(const char *at, char token)
{
	at = at ? skip_space(at) : NULL;
	return at && *at == token ? at + 1 : NULL;
}

static const char *take_text(const char *at, char *text, size_t size)
{
	at = take(at, '"');
	size_t length = 0;
	while (at && *at && *at != '"' && length + 1 < size)
		text[length++] = *at++;
	text[length] = '\0';
	return at && *at == '"' && length > 0 ? at + 1 : NULL;
}

static const char *take_row(const char *at, char values[6][64])
{
	at = take(at, '{');
	for (int i = 0; i < 6; ++i) {
		char key[64];
		at = take_text(at, key, sizeof key);
		at = at && strcmp(key, keys[i]) == 0 ? take(at, ':') : NULL;
		if (at && i == 4) {
			char *end;
			double value = strtod(at, &end);
			snprintf(values[i], sizeof values[i], "%.17g", value);
			at = end != at && isfinite(value) && value >= 0.0 ? end : NULL;
		} else {
			at = take_text(at, values[i], sizeof values[i]);
		}
		at = take(at, i < 5 ? ',' : '}');
	}
	return at;
}

static void json_is_a_flat_list_of_rows(test *t)
{
	if (is_absent(t, "bench"))
		return;
	char path[] = RBL_BINARY_DIR "/bench-XXXXXX";
	int file = mkstemp(path);
	CHECK(t, file >= 0);
	char call[sizeof path + 100];
	snprintf(call, sizeof call, "bench base --quick --repeat 5 --case sort_1k --json '%s'", path);
	CHECK(t, run(call) == 0 && says("sort_1k") && says("qsort") && says("time_p99"));
	static char text[1 << 16];
	ssize_t length = read(file, text, sizeof text - 1);
	text[length > 0 ? length : 0] = '\0';
	close(file);
	unlink(path);

	const char *at = take(text, '[');
	const char *metrics[] = { "time", "time_median", "time_p99", "time_worst" };
	double last = 0.0;
	for (int i = 0; i < 8; ++i) {
		char values[6][64];
		at = take_row(at, values);
		at = i < 7 ? take(at, ',') : at;
		CHECK(t, at != NULL);
		if (!at)
			return;
		CHECK(t, strcmp(values[0], "base") == 0 && strcmp(values[1], "sort_1k") == 0);
		CHECK(t, strcmp(values[2], i < 4 ? "rubble" : "qsort") == 0);
		CHECK(t, strcmp(values[3], metrics[i % 4]) == 0 && strcmp(values[5], "ns") == 0);
		double value = atof(values[4]);
		CHECK(t, value > 0.0 && (i % 4 == 0 || value >= last)); // min <= median <= p99 <= worst
		last = value;
	}
	at = take(at, ']');
	CHECK(t, at && *skip_space(at) == '\0');
}

TEST_MAIN(TEST(help_and_version_are_everywhere), TEST(each_command_has_help),
          TEST(wrong_usage_is_status_two_with_a_hint), TEST(failures_are_status_one),
          TEST(list_names_suites_and_cases_and_runs_none), TEST(json_is_a_flat_list_of_rows))
