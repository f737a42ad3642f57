// SPDX-License-Identifier: MIT
//
// Reading values of scene files by a table of keys.

#include "scene_keys.h"

#include "errors.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void complain(reader *r, const place *at, const char *format, ...)
{
	char text[500];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	if (r->status == STATUS_OK && !r->schema)
		r->status = fail("%s: %s%s%s", at->file, at->path, *at->path ? ": " : "", text);
}

// What the file calls a key.
const char *key_name(const reader *r, const key *k)
{
	return r->version == 1 && k->old_name ? k->old_name : k->name;
}

// A value by the name that it has in the file.
place entry(const place *of, const char *name)
{
	place result = *of;
	size_t used = strlen(of->path);
	snprintf(result.path + used, sizeof result.path - used, "%s%.60s", used ? "." : "", name);
	result.value = rbl_json_member(of->value, name);
	result.keys = NULL;
	return result;
}

// A value by the name of its key.
place member(const reader *r, const place *of, const char *name)
{
	const key *k = of->keys;
	while (strcmp(k->name, name) != 0)
		++k;
	return entry(of, key_name(r, k));
}

place element(const place *of, size_t index)
{
	place result = *of;
	size_t used = strlen(of->path);
	snprintf(result.path + used, sizeof result.path - used, "[%zu]", index);
	result.value = rbl_json_item(of->value, (int)index);
	return result;
}

void append_word(char *list, size_t capacity, const char *word)
{
	size_t used = strlen(list);
	snprintf(list + used, capacity - used, "%s%s", used ? ", " : "", word);
}

// --- values ----------------------------------------------------------------------------------

static double read_number(reader *r, const place *at, const key *k)
{
	double value = rbl_json_number(at->value, 0.0);
	if (rbl_json_get_type(at->value) != RBL_JSON_NUMBER)
		complain(r, at, "a number is needed");
	else if (!(value >= k->low && value <= k->high))
		complain(r, at, "%g is not between %g and %g", value, k->low, k->high);
	else
		return value;
	return k->low;
}

static void read_vector(reader *r, const place *at, const key *k, int width, double *numbers)
{
	if (rbl_json_get_type(at->value) != RBL_JSON_LIST || rbl_json_count(at->value) != width) {
		static const char *const words[] = { "no",   "one", "two",   "three", "four",
			                                 "five", "six", "seven", "eight", "nine" };
		complain(r, at, "a list of %s numbers is needed", words[width]);
		return;
	}
	for (int i = 0; i < width; ++i) {
		place one = element(at, (size_t)i);
		numbers[i] = read_number(r, &one, k);
	}
}

const char *read_text(reader *r, const place *at, size_t capacity)
{
	const char *text = rbl_json_text(at->value);
	if (!text || !*text)
		complain(r, at, "a text is needed");
	else if (strlen(text) >= capacity)
		complain(r, at, "longer than %zu bytes", capacity - 1);
	else
		return text;
	return "";
}

static int read_choice(reader *r, const place *at, const key *k)
{
	const char *text = read_text(r, at, 64);
	char list[400] = "";
	for (int i = 0; k->choices[i]; ++i) {
		if (strcmp(k->choices[i], text) == 0)
			return i;
		append_word(list, sizeof list, k->choices[i]);
	}
	complain(r, at, "'%s' is none of %s", text, list);
	return 0;
}

static void read_value(reader *r, const place *at, const key *k, void *field)
{
	double number, numbers[4];
	int choice;
	switch (k->type) {
	case KEY_OTHER:
		break;
	case KEY_NUMBER:
		*(double *)field = read_number(r, at, k);
		break;
	case KEY_INT:
		number = read_number(r, at, k);
		if (number != floor(number))
			complain(r, at, "a whole number is needed");
		*(int *)field = (int)number;
		break;
	case KEY_SEED:
		*(uint64_t *)field = (uint64_t)read_number(r, at, k);
		break;
	case KEY_BOOL:
		if (!rbl_json_is_true(at->value) && rbl_json_get_type(at->value) != RBL_JSON_FALSE)
			complain(r, at, "true or false is needed");
		*(bool *)field = rbl_json_is_true(at->value);
		break;
	case KEY_VECTOR2:
		read_vector(r, at, k, 2, field);
		break;
	case KEY_VECTOR:
	case KEY_VECTOR4:
		read_vector(r, at, k, k->type == KEY_VECTOR ? 3 : 4, field);
		break;
	case KEY_MATRIX:
		read_vector(r, at, k, 9, field);
		break;
	case KEY_BOX:
		read_vector(r, at, k, 6, field);
		for (int i = 0; i < 3; ++i)
			if (!(((double *)field)[i] <= ((double *)field)[3 + i]))
				complain(r, at, "the upper corner is below the lower one");
		break;
	case KEY_COUNTS:
		numbers[0] = numbers[1] = numbers[2] = 1.0;
		read_vector(r, at, k, 3, numbers);
		for (int i = 0; i < 3; ++i)
			((int *)field)[i] = (int)numbers[i];
		break;
	case KEY_TEXT:
		snprintf(field, SCENE_TEXT_LENGTH, "%s", read_text(r, at, SCENE_TEXT_LENGTH));
		break;
	case KEY_NAME:
		snprintf(field, SCENE_NAME_LENGTH, "%s", read_text(r, at, SCENE_NAME_LENGTH));
		break;
	case KEY_CHOICE:
		choice = read_choice(r, at, k);
		memcpy(field, &choice, sizeof choice); // an enum is as large as an int
		break;
	}
}

// --- objects ---------------------------------------------------------------------------------

// Refuse a key that the object does not have. Names of the other version get the right one.
static void check_key(reader *r, const place *of, const char *name)
{
	const char *names[MAX_KEYS];
	int count = 0;
	place unknown = entry(of, name);
	for (const key *k = of->keys; k->name; ++k) {
		names[count++] = key_name(r, k);
		if (strcmp(key_name(r, k), name) == 0)
			return;
	}
	for (const key *k = of->keys; k->name; ++k)
		if (strcmp(k->name, name) == 0 || (k->old_name && strcmp(k->old_name, name) == 0))
			complain(r, &unknown, "in version %d this key is '%s'", r->version, key_name(r, k));
	const char *nearest = nearest_name(name, names, count);
	if (nearest)
		complain(r, &unknown, "unknown key; did you mean '%s'?", nearest);
	else
		complain(r, &unknown, "unknown key");
}

// Read an object into a struct, which has the defaults.
void read_keys(reader *r, place *at, const key *keys, void *to)
{
	at->keys = keys;
	if (r->schema) {
		describe_keys(r, keys, to);
		r->status = STATUS_FAILED; // nothing more is read
		return;
	}
	if (rbl_json_get_type(at->value) != RBL_JSON_OBJECT) {
		complain(r, at, "an object is needed");
		return;
	}
	for (int i = 0; i < rbl_json_count(at->value); ++i)
		check_key(r, at, rbl_json_key(at->value, i));
	for (const key *k = keys; k->name && r->status == STATUS_OK; ++k) {
		place one = entry(at, key_name(r, k));
		if (one.value)
			read_value(r, &one, k, (char *)to + k->offset);
	}
}

// Read the items of a list, or of an object that names them. @return new memory, which *count has
void *read_items(reader *r, const place *root, const char *name, bool is_list, size_t size,
                 void (*read)(reader *, place *, void *), int *count)
{
	place at = member(r, root, name);
	if (at.value && rbl_json_get_type(at.value) != (is_list ? RBL_JSON_LIST : RBL_JSON_OBJECT))
		complain(r, &at, is_list ? "a list is needed" : "an object is needed");
	size_t item_count = (size_t)rbl_json_count(at.value);
	char *items = calloc(item_count + 1, size);
	if (!items)
		complain(r, &at, "out of memory");
	for (size_t i = 0; i < item_count && r->status == STATUS_OK; ++i) {
		char *item = items + i * size;
		place one;
		++*count;
		if (is_list) {
			one = element(&at, i);
		} else {
			const char *own_name = rbl_json_key(at.value, (int)i);
			one = entry(&at, own_name);
			if (strlen(own_name) >= SCENE_NAME_LENGTH)
				complain(r, &one, "the name is longer than %d bytes", SCENE_NAME_LENGTH - 1);
			snprintf(item, SCENE_NAME_LENGTH, "%s", own_name);
		}
		read(r, &one, item);
	}
	return items;
}

void read_named(reader *r, const place *root, const char *name, size_t size,
                void (*read)(reader *, place *, void *), void **items, int *count)
{
	int more_count = 0;
	place at = member(r, root, name);
	char *more = read_items(r, root, name, false, size, read, &more_count);
	char *all = realloc(*items, ((size_t)*count + (size_t)more_count + 1) * size);
	if (!all || !more) {
		complain(r, &at, "out of memory");
	} else {
		memcpy(all + (size_t)*count * size, more, (size_t)more_count * size);
		for (int i = 0; i < more_count; ++i)
			for (int k = 0; k < *count; ++k)
				if (strcmp(more + (size_t)i * size, all + (size_t)k * size) == 0)
					complain(r, &at, "'%s' is in an included file too", more + (size_t)i * size);
		*count += more_count;
	}
	if (all)
		*items = all;
	free(more);
}

int find_instance(reader *r, const place *of, const char *name)
{
	place at = member(r, of, name);
	if (!at.value || r->status != STATUS_OK)
		return 0;
	const scene_file *scene = r->scene;
	if (rbl_json_get_type(at.value) == RBL_JSON_NUMBER) {
		double number = rbl_json_number(at.value, 0.0);
		if (number >= 0.0 && number < scene->instance_count && number == floor(number))
			return (int)number;
		complain(r, &at, "there is no instances[%g]", number);
		return 0;
	}
	const char *text = read_text(r, &at, SCENE_NAME_LENGTH);
	for (int i = 0; i < scene->instance_count; ++i)
		if (strcmp(scene->instances[i].name, text) == 0)
			return i;
	complain(r, &at, "there is no instance with the name '%s'", text);
	return 0;
}
