// SPDX-License-Identifier: MIT
//
// Whole files in and out. A file is written under another name first and moved into place when
// it is complete, so that no reader ever meets half of it; things that are no plain files, such
// as /dev/stdout, are written directly.

#define _POSIX_C_SOURCE 200809L

#include "io/io.h"

#include <errno.h>
#include <stdio.h>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/stat.h>
static bool is_special(const char *path)
{
	struct stat about;
	return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}
#else
static bool is_special(const char *path)
{
	(void)path;
	return false;
}
#endif

static rbl_result fail_system(rbl_log_level level, const char *what, const char *path)
{
	return rbl_io_log(level, RBL_IO_FAILED, "%s: cannot %s: %s", path, what, strerror(errno));
}

// How large the file says it is; 0 when it cannot tell.
static size_t size_hint(FILE *file, const char *path)
{
	if (is_special(path))
		return 0;
	long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
	rewind(file);
	errno = 0;
	return size > 0 ? (size_t)size : 0;
}

static rbl_result read_all(FILE *file, const char *path, rbl_log_level level, rbl_io_output *bytes)
{
	for (size_t wanted = size_hint(file, path) + 1;;
	     wanted = 65536) { // one more meets the end at once
		void *room = rbl_io_room(bytes, wanted);
		if (!room)
			return rbl_io_fail_memory(&bytes->memory, path);
		size_t got = fread(room, 1, wanted, file);
		bytes->size += got;
		if (got < wanted)
			return ferror(file) ? fail_system(level, "read", path) : RBL_OK;
	}
}

rbl_result rbl_io_read_file(const char *path, rbl_log_level level, rbl_io_output *bytes)
{
	FILE *file = fopen(path, "rb");
	if (!file)
		return fail_system(level, "open", path);
	setvbuf(file, NULL, _IONBF, 0); // the file goes straight to its place
	rbl_result result = read_all(file, path, level, bytes);
	fclose(file);
	if (result != RBL_OK)
		rbl_io_free_output(bytes);
	return result;
}

// No absolute path, no drive, no scheme, no "..".
static bool stays_inside(const char *name, size_t length)
{
	if (length == 0 || name[0] == '/' || memchr(name, '\\', length) || memchr(name, ':', length) ||
	    memchr(name, 0, length))
		return false;
	for (size_t i = 0; i + 1 < length; ++i) {
		bool is_start = i == 0 || name[i - 1] == '/';
		if (is_start && name[i] == '.' && name[i + 1] == '.' &&
		    (i + 2 == length || name[i + 2] == '/'))
			return false;
	}
	return true;
}

rbl_result rbl_io_read_beside(rbl_io_source *source, const char *name, size_t length,
                              rbl_log_level level, rbl_io_output *bytes)
{
	*bytes = (rbl_io_output){ .memory = source->memory };
	int shown = length < 100 ? (int)length : 100;
	if (!source->folder)
		return rbl_io_log(level, RBL_IO_FAILED, "%s: needs the file %.*s, and no folder is given",
		                  source->name, shown, name);
	if (!stays_inside(name, length))
		return rbl_io_log(level, RBL_BAD_FILE, "%s: names a file outside its folder: %.*s",
		                  source->name, shown, name);
	size_t size = (size_t)source->folder_length + length + 1;
	char *path = RBL_IO_NEW(&source->memory, char, size);
	if (!path)
		return rbl_io_fail_memory(&source->memory, source->name);
	memcpy(path, source->folder, (size_t)source->folder_length);
	memcpy(path + source->folder_length, name, length);
	path[size - 1] = 0;
	rbl_result result = rbl_io_read_file(path, level, bytes);
	RBL_IO_FREE(&source->memory, path, size);
	return result;
}

// Write, flush and close; all three can fail.
static rbl_result write_all(const char *path, const void *bytes, size_t size)
{
	errno = 0;
	FILE *file = fopen(path, "wb");
	if (!file)
		return fail_system(RBL_LOG_ERROR, "create", path);
	bool is_written = size == 0 || fwrite(bytes, 1, size, file) == size;
	is_written &= fflush(file) == 0;
	rbl_result result = is_written ? RBL_OK : fail_system(RBL_LOG_ERROR, "write", path);
	if (fclose(file) != 0 && result == RBL_OK)
		result = fail_system(RBL_LOG_ERROR, "close", path);
	return result;
}

rbl_result rbl_io_write_file(const char *path, const void *bytes, size_t size)
{
	if (is_special(path))
		return write_all(path, bytes, size);
	char part[4096];
	int length = snprintf(part, sizeof part, "%s.part", path);
	if (length < 0 || length >= (int)sizeof part)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "the path has more than %d bytes",
		                   (int)sizeof part - 6);
	rbl_result result = write_all(part, bytes, size);
	if (result == RBL_OK && rename(part, path) != 0)
		result = fail_system(RBL_LOG_ERROR, "replace", path);
	if (result != RBL_OK)
		remove(part);
	return result;
}
