// SPDX-License-Identifier: MIT
//
// Whole files in and out. What is read is a regular file of a bounded size. A file is written under another name first and moved into place when
// it is complete, so that no reader ever meets half of it; things that are no plain files, such
// as /dev/stdout, are written directly.

#define _XOPEN_SOURCE 700 // realpath, and files of POSIX 2008

#include "io/io.h"

#include <errno.h>
#include <stdio.h>

#if defined(__unix__) || defined(__APPLE__)
#define HAS_POSIX_FILES
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

static rbl_result fail_system(rbl_log_level level, const char *what, const char *path)
{
	return rbl_io_log(level, RBL_IO_FAILED, "%s: cannot %s: %s", path, what, strerror(errno));
}

static rbl_result fail_size(rbl_log_level level, const char *path, uint64_t limit)
{
	return rbl_io_log(level, RBL_LIMIT_REACHED, "%s: larger than the limit of %llu bytes", path,
	                  (unsigned long long)limit);
}

// --- reading ---------------------------------------------------------------------------------

#ifdef HAS_POSIX_FILES

static bool is_special(const char *path)
{
	struct stat about;
	return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

static const char *kind_of_file(mode_t mode)
{
	return S_ISDIR(mode)                    ? "a folder"
	       : S_ISFIFO(mode)                 ? "a pipe"
	       : S_ISSOCK(mode)                 ? "a socket"
	       : S_ISCHR(mode) || S_ISBLK(mode) ? "a device"
	                                        : "something else";
}

// Open what must be a regular file: looked at after it is open, so that nothing can change in between,
// and without waiting, so that a pipe does not hold us up.
static rbl_result open_regular(const char *path, int flags, uint64_t limit, rbl_log_level level,
                               FILE **file, size_t *size)
{
	int handle = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | flags);
	struct stat about;
	if (handle < 0 || fstat(handle, &about) != 0) {
		rbl_result result = fail_system(level, "open", path);
		if (handle >= 0)
			close(handle);
		return result;
	}
	rbl_result result = RBL_OK;
	if (!S_ISREG(about.st_mode))
		result = rbl_io_log(level, RBL_IO_FAILED, "%s: %s, not a regular file", path,
		                    kind_of_file(about.st_mode));
	else if ((uint64_t)about.st_size > limit)
		result = fail_size(level, path, limit);
	else if (!(*file = fdopen(handle, "rb")))
		result = fail_system(level, "open", path);
	if (result != RBL_OK)
		close(handle);
	*size = (size_t)about.st_size;
	return result;
}

// The same for a file that must lie in or below a folder. Both are resolved first, and what was resolved is
// opened: a link that appears at its end afterwards is not followed.
static rbl_result open_within(const char *path, const char *folder, uint64_t limit,
                              rbl_log_level level, FILE **file, size_t *size)
{
	char *root = realpath(*folder ? folder : ".", NULL), *place = realpath(path, NULL);
	rbl_result result = RBL_OK;
	if (!root || !place) {
		result = fail_system(level, "open", root ? path : folder);
	} else {
		size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
		bool is_inside = strncmp(place, root, length) == 0 && place[length] == '/';
		result = is_inside ? open_regular(place, O_NOFOLLOW, limit, level, file, size)
		                   : rbl_io_log(level, RBL_BAD_FILE, "%s: leads out of the folder %s", path,
		                                root);
	}
	free(root);
	free(place);
	return result;
}

static rbl_result open_file(const char *path, const rbl_read_def *def, rbl_log_level level,
                            FILE **file, size_t *size)
{
	if (def->within)
		return open_within(path, def->within, def->size_limit, level, file, size);
	return open_regular(path, 0, def->size_limit, level, file, size);
}

#else

static bool is_special(const char *path)
{
	(void)path;
	return false;
}

static rbl_result open_file(const char *path, const rbl_read_def *def, rbl_log_level level,
                            FILE **file, size_t *size)
{
	if (def->within)
		return rbl_io_log(level, RBL_UNSUPPORTED, "%s: links cannot be resolved here", path);
	*file = fopen(path, "rb");
	if (!*file)
		return fail_system(level, "open", path);
	long end = fseek(*file, 0, SEEK_END) == 0 ? ftell(*file) : 0;
	rewind(*file);
	*size = end > 0 ? (size_t)end : 0;
	return RBL_OK;
}

#endif

// A file may grow while it is read, and some say that they are empty and are not: the limit holds for
// what comes.
static rbl_result read_all(FILE *file, const char *path, size_t size, uint64_t limit,
                           rbl_log_level level, rbl_io_output *bytes)
{
	for (size_t wanted = size + 1;; wanted = 65536) { // one more meets the end at once
		void *room = rbl_io_room(bytes, wanted);
		if (!room)
			return rbl_io_fail_memory(&bytes->memory, path);
		size_t got = fread(room, 1, wanted, file);
		bytes->size += got;
		if (bytes->size > limit)
			return fail_size(level, path, limit);
		if (got < wanted)
			return ferror(file) ? fail_system(level, "read", path) : RBL_OK;
	}
}

rbl_result rbl_io_read_file(const char *path, const rbl_read_def *def, rbl_log_level level,
                            rbl_io_output *bytes)
{
	FILE *file = NULL;
	size_t size = 0;
	rbl_result result = open_file(path, def, level, &file, &size);
	if (result != RBL_OK)
		return result;
	setvbuf(file, NULL, _IONBF, 0); // the file goes straight to its place
	result = read_all(file, path, size, def->size_limit, level, bytes);
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
	rbl_result result = rbl_io_read_file(path, source->def, level, bytes);
	RBL_IO_FREE(&source->memory, path, size);
	return result;
}

// --- writing ---------------------------------------------------------------------------------

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
