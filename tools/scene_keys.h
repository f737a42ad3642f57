// SPDX-License-Identifier: MIT
//
// Keys of scene files. Each kind of object has a table of its keys; a key that is not in it is an
// error, since a misspelt one would otherwise be a setting that silently does nothing. A value is
// read together with its path in the file, so that every error names it:
// "wall.json: instances[2].position: a list of three numbers is needed".
//
// Version 1 of the format differs in the names of keys alone: the tables have the old name of each.
#pragma once

#include "scene.h"

#include <rubble/json.h>

#include <stddef.h>
#include <stdio.h>

enum { PATH_LENGTH = 256, MAX_KEYS = 96 };

// How the value of a key is read, and what the struct has for it.
typedef enum key_type {
	KEY_OTHER,   // not by read_keys()
	KEY_NUMBER,  // double
	KEY_INT,     // int
	KEY_SEED,    // uint64_t
	KEY_BOOL,    // bool
	KEY_VECTOR2, // double[2]
	KEY_VECTOR,  // double[3]
	KEY_VECTOR4, // double[4]
	KEY_MATRIX,  // double[9], row by row
	KEY_COUNTS,  // int[3]
	KEY_BOX,     // double[6]: the lower corner and the upper one
	KEY_TEXT,    // char[SCENE_TEXT_LENGTH]
	KEY_NAME,    // char[SCENE_NAME_LENGTH]
	KEY_CHOICE,  // an enum or int: the index among the choices
} key_type;

typedef struct key {
	const char *name;
	const char *old_name; // in version 1; NULL: the same
	key_type type;
	size_t offset; // in the struct
	double low, high;
	const char *const *choices; // NULL closes them
} key;

// Rows of the tables. FIELDS_OF is the struct; a name is followed by that in version 1.
#define ROW(name, old, type, field, low, high, choices)                 \
	{                                                                   \
		name, old, type, offsetof(FIELDS_OF, field), low, high, choices \
	}
#define OTHER(name, old)                        \
	{                                           \
		name, old, KEY_OTHER, 0, 0.0, 0.0, NULL \
	}
#define NUMBER(name, old, field, low, high) ROW(name, old, KEY_NUMBER, field, low, high, NULL)
#define INT(name, old, field, low, high) ROW(name, old, KEY_INT, field, low, high, NULL)
#define SEED(name, old, field) ROW(name, old, KEY_SEED, field, 0.0, 9007199254740992.0, NULL)
#define BOOL(name, old, field) ROW(name, old, KEY_BOOL, field, 0.0, 0.0, NULL)
#define VECTOR2(name, old, field, low, high) ROW(name, old, KEY_VECTOR2, field, low, high, NULL)
#define MATRIX(name, old, field, low, high) ROW(name, old, KEY_MATRIX, field, low, high, NULL)
#define VECTOR(name, old, field, low, high) ROW(name, old, KEY_VECTOR, field, low, high, NULL)
#define VECTOR4(name, old, field, low, high) ROW(name, old, KEY_VECTOR4, field, low, high, NULL)
#define COUNTS(name, old, field, high) ROW(name, old, KEY_COUNTS, field, 1.0, high, NULL)
#define BOX(name, old, field, low, high) ROW(name, old, KEY_BOX, field, low, high, NULL)
#define NAME(name, old, field) ROW(name, old, KEY_NAME, field, 0.0, 0.0, NULL)
#define TEXT(name, old, field) ROW(name, old, KEY_TEXT, field, 0.0, 0.0, NULL)
#define CHOICE(name, old, field, choices) ROW(name, old, KEY_CHOICE, field, 0.0, 0.0, choices)

// A value and where it is.
typedef struct place {
	const char *file;
	char path[PATH_LENGTH];
	const rbl_json *value;
	const key *keys; // of an object
} place;

typedef struct reader {
	scene_file *scene;
	int version;
	int status;   // the first error stops the reading
	int depth;    // of files that include each other
	FILE *schema; // the keys are described here instead of read; NULL
} reader;

/// A kind of object in a scene.
typedef struct scene_kind {
	const char *name;
	void (*read)(reader *r, place *at, void *to);
	size_t size; // of its struct
} scene_kind;

/// All kinds, closed by one without a name. The first is the file itself.
extern const scene_kind scene_kinds[];

/// Describe the keys of a table in JSON Schema; `defaults` is the struct before it is read.
void describe_keys(reader *r, const key *keys, const void *defaults);

/// Print an error unless there was one: "FILE: path.of.value: text".
void complain(reader *r, const place *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/// @return what the file calls a key
const char *key_name(const reader *r, const key *k);

/// @return a value by the name that it has in the file
place entry(const place *of, const char *name);

/// @return a value by the name of its key, after read_keys()
place member(const reader *r, const place *of, const char *name);

/// @return an item of a list
place element(const place *of, size_t index);

/// Append a word to a list of them.
void append_word(char *list, size_t capacity, const char *word);

/// @return a text of fewer bytes than `capacity`; an empty one, and an error is printed, otherwise
const char *read_text(reader *r, const place *at, size_t capacity);

/// @return the index of the instance that a key names by number or name; 0 if the key is not there
int find_instance(reader *r, const place *of, const char *key);

/// Find the model and the material that two keys name; one that is not given is the first.
void find_model_and_material(reader *r, const place *at, int *model, int *material);

/// Read an object into a struct, which has the defaults.
void read_keys(reader *r, place *at, const key *keys, void *to);

/// Read the objects of a key that have names, and append them to those that are there.
void read_named(reader *r, const place *root, const char *name, size_t size,
                void (*read)(reader *, place *, void *), void **items, int *count);

/// Read the items of a list, or of an object that names them: the name is the first field.
/// @return new memory, which *count has
void *read_items(reader *r, const place *root, const char *name, bool is_list, size_t size,
                 void (*read)(reader *, place *, void *), int *count);
