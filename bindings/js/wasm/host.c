// SPDX-License-Identifier: MIT
//
// What the scenes of `rubble run` ask of a program: errors, files, progress. Errors are kept for the
// exception that JavaScript throws. Files are those that JavaScript has put into the module's file
// system, which is in memory.

#include "module.h"

#include "errors.h"
#include "files.h"
#include "progress.h"
#include "scene_keys.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static char error[1024];

JS_API const char *js_error(void);
JS_API void js_clear_error(void);
JS_API void *js_allocate(size_t size);
JS_API void js_free(void *memory);

const char *js_error(void)
{
	return error[0] ? error : rbl_last_error();
}

void js_clear_error(void)
{
	error[0] = '\0';
}

void *js_allocate(size_t size)
{
	return malloc(size);
}

void js_free(void *memory)
{
	free(memory);
}

bool js_append(js_bytes *bytes, const void *more, size_t size)
{
	if (bytes->size + size > bytes->capacity) {
		size_t capacity = 2 * (bytes->size + size);
		unsigned char *grown = realloc(bytes->data, capacity);
		if (!grown)
			return false;
		bytes->data = grown, bytes->capacity = capacity;
	}
	memcpy(bytes->data + bytes->size, more, size);
	bytes->size += size;
	return true;
}

// --- errors.h -----------------------------------------------------------------------------------

void say(const char *format, ...)
{
	(void)format;
}

int fail(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(error, sizeof error, format, arguments);
	va_end(arguments);
	return STATUS_FAILED;
}

int fail_with(rbl_result result, const char *subject)
{
	const char *detail = rbl_last_error();
	size_t length = strlen(subject);
	if (strncmp(detail, subject, length) == 0 && detail[length] == ':')
		return fail("%s", detail);
	return fail("%s: %s%s%s", subject, rbl_result_text(result), *detail ? ": " : "", detail);
}

bool error_is_about(const char *word)
{
	return strstr(rbl_last_error(), word) != NULL;
}

const char *logged_error(void)
{
	return rbl_last_error();
}

// --- files.h ------------------------------------------------------------------------------------

int read_bytes(const char *path, uint64_t limit, rbl_file_bytes *bytes)
{
	rbl_read_def def = rbl_default_read_def();
	if (limit > 0)
		def.size_limit = limit;
	rbl_result result = rbl_read_file(path, &def, bytes);
	return result == RBL_OK ? STATUS_OK : fail_with(result, path);
}

size_t read_head(const char *path, void *head, size_t size)
{
	FILE *file = fopen(path, "rb");
	size_t got = file ? fread(head, 1, size, file) : 0;
	if (file)
		fclose(file);
	return got;
}

rbl_result read_mesh(const char *path, const rbl_read_def *def, rbl_mesh **mesh)
{
	return rbl_read_mesh(path, def, mesh);
}

FILE *create_file(const char *path)
{
	(void)path;
	return NULL;
}

int close_file(FILE *file, const char *path)
{
	(void)file, (void)path;
	return STATUS_FAILED;
}

// --- progress.h ---------------------------------------------------------------------------------

void progress_begin(progress *line, const char *what)
{
	line->what = what;
}

void progress_update(progress *line, double fraction)
{
	(void)line, (void)fraction;
}

void progress_end(progress *line)
{
	(void)line;
}

// --- scene_keys.h -------------------------------------------------------------------------------

void describe_keys(reader *r, const key *keys, const void *defaults)
{
	(void)r, (void)keys, (void)defaults; // no schema is written here
}
