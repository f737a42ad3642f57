// SPDX-License-Identifier: MIT
//
// Parsing options, and printing help from their table.

#include "options.h"

#include "commands.h"
#include "errors.h"
#include "system.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 64, MAX_OPTIONS = 64, HELP_COLUMN = 26 };

// Levenshtein distance.
static int edit_distance(const char *a, const char *b)
{
	int row[MAX_NAME + 1];
	int length = (int)strlen(b);
	if (length > MAX_NAME || strlen(a) > MAX_NAME)
		return INT_MAX;
	for (int k = 0; k <= length; ++k)
		row[k] = k;
	for (int i = 0; a[i]; ++i) {
		int diagonal = row[0];
		row[0] = i + 1;
		for (int k = 0; k < length; ++k) {
			int best = diagonal + (a[i] != b[k]);
			diagonal = row[k + 1];
			if (row[k] + 1 < best)
				best = row[k] + 1;
			if (diagonal + 1 < best)
				best = diagonal + 1;
			row[k + 1] = best;
		}
	}
	return row[length];
}

const char *nearest_name(const char *text, const char *const *names, int count)
{
	const char *nearest = NULL;
	int letters = (int)strlen(text);
	int max_distance = letters > 3 ? letters / 3 + 2 : 2; // beyond this it is another word
	for (int i = 0; i < count; ++i) {
		int distance = edit_distance(text, names[i]);
		size_t length = strlen(text);
		if (length >= 3 && strncmp(text, names[i], length) == 0)
			distance = 1; // a prefix
		if (distance < max_distance) {
			max_distance = distance;
			nearest = names[i];
		}
	}
	return nearest;
}

static void print_option(const char *name, const char *value, const char *about)
{
	char left[128];
	snprintf(left, sizeof left, "--%s%s%s", name, value ? " " : "", value ? value : "");
	if ((int)strlen(left) > HELP_COLUMN)
		printf("  %s\n  %*s %s\n", left, HELP_COLUMN, "", about);
	else
		printf("  %-*s %s\n", HELP_COLUMN, left, about);
}

static void print_help(const command *self, const option *options)
{
	printf("Usage: rubble %s%s%s [options]\n\n", self->name, self->arguments[0] ? " " : "",
	       self->arguments);
	printf("%s: %s.\n", self->name, self->about);
	if (self->details)
		printf("%s\n", self->details);
	printf("\n");
	for (const option *o = options; o && o->kind != OPTION_KIND_END; ++o) {
		if (o->kind != OPTION_KIND_CHOICE) {
			print_option(o->name, o->value, o->about);
			continue;
		}
		char values[100] = "";
		for (int i = 0; o->choices[i]; ++i) {
			size_t used = strlen(values);
			snprintf(values + used, sizeof values - used, "%s%s", i ? "|" : "", o->choices[i]);
		}
		print_option(o->name, values, o->about);
	}
	print_option("quiet", NULL, "no messages and no progress, only errors");
	print_option("help", NULL, "show this");
	print_option("version", NULL, "show the version");
}

// A finite number in the option's range; `end` receives where reading stopped.
static bool read_number(const option *o, const char *text, const char **end, double *value)
{
	char *stop;
	*value = strtod(text, &stop);
	*end = stop;
	return stop != text && isfinite(*value) && *value >= o->low && *value <= o->high;
}

static bool read_vector(const option *o, const char *text, double *vector)
{
	double read[3];
	const char *at = text;
	int count = 0;
	while (count < 3 && read_number(o, at, &at, &read[count])) {
		count++;
		if (*at != ',')
			break;
		at++;
	}
	if (*at || (count != 1 && count != 3) || at[-1] == ',')
		return false;
	for (int i = 0; i < 3; ++i)
		vector[i] = read[count == 1 ? 0 : i];
	return true;
}

static bool read_seed(const char *text, uint64_t *seed)
{
	char *stop;
	errno = 0;
	unsigned long long value = strtoull(text, &stop, 0);
	if (stop == text || *stop || errno || strchr(text, '-'))
		return false;
	*seed = value;
	return true;
}

static bool read_choice(const option *o, const char *text, int *index)
{
	for (int i = 0; o->choices[i]; ++i) {
		if (strcmp(o->choices[i], text) == 0) {
			*index = i;
			return true;
		}
	}
	return false;
}

static bool read_value(const option *o, const char *text)
{
	const char *end;
	double number;
	switch (o->kind) {
	case OPTION_KIND_INT:
		if (!read_number(o, text, &end, &number) || *end || number != floor(number))
			return false;
		*(int *)o->target = (int)number;
		return true;
	case OPTION_KIND_NUMBER:
		if (!read_number(o, text, &end, &number) || *end)
			return false;
		*(double *)o->target = number;
		return true;
	case OPTION_KIND_SEED:
		return read_seed(text, o->target);
	case OPTION_KIND_TEXT:
	case OPTION_KIND_OUTPUT:
		*(const char **)o->target = text;
		return true;
	case OPTION_KIND_VECTOR:
		return read_vector(o, text, o->target);
	case OPTION_KIND_CHOICE:
		return read_choice(o, text, o->target);
	case OPTION_KIND_FLAG:
	case OPTION_KIND_END:
		break;
	}
	return false;
}

static int refuse_value(const command *self, const option *o, const char *text)
{
	switch (o->kind) {
	case OPTION_KIND_INT:
		return fail_usage(self, "--%s is '%s', must be a whole number from %.0f to %.0f", o->name,
		                  text, o->low, o->high);
	case OPTION_KIND_NUMBER:
		return fail_usage(self, "--%s is '%s', must be a number from %g to %g", o->name, text,
		                  o->low, o->high);
	case OPTION_KIND_VECTOR:
		return fail_usage(self, "--%s is '%s', must be x,y,z or one number, each from %g to %g",
		                  o->name, text, o->low, o->high);
	case OPTION_KIND_CHOICE: {
		char all[200] = "";
		for (int i = 0; o->choices[i]; ++i) {
			size_t used = strlen(all);
			snprintf(all + used, sizeof all - used, " %s", o->choices[i]);
		}
		return fail_usage(self, "--%s is '%s', must be one of:%s", o->name, text, all);
	}
	default:
		return fail_usage(self, "--%s is '%s', must be a whole number", o->name, text);
	}
}

static int refuse_option(const command *self, const option *options, const char *name)
{
	const char *names[MAX_OPTIONS] = { "help", "version", "quiet" };
	int count = 3;
	for (const option *o = options; o && o->kind != OPTION_KIND_END && count < MAX_OPTIONS; ++o)
		names[count++] = o->name;
	const char *nearest = nearest_name(name, names, count);
	if (nearest)
		return fail_usage(self, "unknown option --%s; did you mean --%s?", name, nearest);
	return fail_usage(self, "unknown option --%s", name);
}

static const option *find_option(const option *options, const char *name, size_t length)
{
	for (const option *o = options; o && o->kind != OPTION_KIND_END; ++o)
		if (strlen(o->name) == length && strncmp(o->name, name, length) == 0)
			return o;
	return NULL;
}

// Reads the option at argv[*at], with its value. @return STATUS_OK or STATUS_USAGE
static int take_option(const command *self, const option *options, int argc, char **argv, int *at)
{
	// The one short form: -o is --output, in commands that have it.
	const char *name = strcmp(argv[*at], "-o") == 0 ? "output" : argv[*at] + 2;
	const char *equals = strchr(name, '=');
	size_t length = equals ? (size_t)(equals - name) : strlen(name);
	const option *o = find_option(options, name, length);
	if (!o) {
		char text[MAX_NAME];
		snprintf(text, sizeof text, "%.*s", (int)length, name);
		return refuse_option(self, options, text);
	}
	if (o->kind == OPTION_KIND_FLAG) {
		if (equals)
			return fail_usage(self, "--%s takes no value", o->name);
		*(bool *)o->target = true;
		return STATUS_OK;
	}
	if (!equals && *at + 1 >= argc)
		return fail_usage(self, "--%s needs a value", o->name);
	const char *value = equals ? equals + 1 : argv[++*at];
	return read_value(o, value) ? STATUS_OK : refuse_value(self, o, value);
}

static bool is_text(const option *o)
{
	return o->kind == OPTION_KIND_TEXT || o->kind == OPTION_KIND_OUTPUT;
}

// Refuse outputs that would overwrite an input or another output.
static int check_outputs(const command *self, const option *options,
                         const positional_arguments *found)
{
	for (const option *o = options; o && o->kind != OPTION_KIND_END; ++o) {
		const char *path = o->kind == OPTION_KIND_OUTPUT ? *(const char **)o->target : NULL;
		if (!path)
			continue;
		for (int i = 0; i < found->count; ++i)
			if (i + 1 == self->output_argument ? strcmp(path, found->items[i]) == 0
			                                   : strcmp(path, "-") != 0 && path_exists(path) &&
			                                         are_one_file(path, found->items[i]))
				return fail_usage(self, "--%s would overwrite %s", o->name, found->items[i]);
		for (const option *p = options; p->kind != OPTION_KIND_END; ++p) {
			const char *other = p != o && is_text(p) ? *(const char **)p->target : NULL;
			if (other && are_one_file(path, other))
				return fail_usage(self, "--%s and --%s are the same file, %s", o->name, p->name,
				                  path);
		}
	}
	return STATUS_OK;
}

// Messages make way for a file on standard output; errors about meshes name --repair.
static void apply_options(const command *self, const option *options,
                          const positional_arguments *found)
{
	int argument = self->output_argument;
	bool is_standard =
		argument > 0 && argument <= found->count && strcmp(found->items[argument - 1], "-") == 0;
	hint_at_repair(NULL);
	for (const option *o = options; o && o->kind != OPTION_KIND_END; ++o) {
		const char *path = o->kind == OPTION_KIND_OUTPUT ? *(const char **)o->target : NULL;
		is_standard |= path && strcmp(path, "-") == 0;
		if (o->kind == OPTION_KIND_FLAG && strcmp(o->name, "repair") == 0)
			hint_at_repair(o->target);
	}
	if (is_standard)
		say_on_stderr();
}

bool parse_options(const command *self, const option *options, int argc, char **argv,
                   positional_arguments *found, int *status)
{
	int count = 0;
	bool options_ended = false;
	for (int i = 0; i < argc; ++i) {
		const char *text = argv[i];
		*status = STATUS_OK;
		if (options_ended || text[0] != '-' || text[1] == '\0') {
			argv[count++] = argv[i];
		} else if (strcmp(text, "--") == 0) {
			options_ended = true;
		} else if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0) {
			print_help(self, options);
			return false;
		} else if (strcmp(text, "--version") == 0) {
			print_version();
			return false;
		} else if (strcmp(text, "--quiet") == 0) {
			be_quiet();
		} else if (text[1] != '-' &&
		           !(strcmp(text, "-o") == 0 && find_option(options, "output", 6))) {
			*status = fail_usage(self, "unknown option %s; options are long: --name", text);
			return false;
		} else {
			*status = take_option(self, options, argc, argv, &i);
			if (*status != STATUS_OK)
				return false;
		}
	}
	*found = (positional_arguments){ argv, count };
	*status = STATUS_OK;
	if (count < self->min_arguments)
		*status = fail_usage(self, "%s needs %s", self->name, self->arguments);
	else if (self->max_arguments >= 0 && count > self->max_arguments)
		*status = fail_usage(self, "too many arguments: '%s'", argv[self->max_arguments]);
	else
		*status = check_outputs(self, options, found);
	if (*status == STATUS_OK)
		apply_options(self, options, found);
	return *status == STATUS_OK;
}
