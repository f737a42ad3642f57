// SPDX-License-Identifier: MIT
//
// Reading and writing whole files.
//
// Only regular files of a bounded size are read: a file is opened without blocking, checked once it
// is open, and read no further than the limit, whatever its size claims to be. A file that must be
// in a folder is found by resolving both paths, and opened from that folder on, component by
// component without following symbolic links: a link that is swapped in meanwhile is not followed
// either.
//
// A file is written under another name and renamed when it is complete, so that no reader sees half
// of it; what is not a regular file, such as /dev/stdout, is written directly.

#define _XOPEN_SOURCE 700 // realpath, and files of POSIX 2008

#include "io/io.h"

#include <errno.h>
#include <stdio.h>

#if defined(__unix__) || defined(__APPLE__)
#define HAS_POSIX_FILES
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#elif defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <fcntl.h>
#include <io.h>
#endif

static rbl_result fail_system(rbl_log_level level, const char *what, const char *path)
{
	return rbl_io_log(level, RBL_IO_FAILED, "%s: cannot %s: %s", path, what, strerror(errno));
}

// Always an error, even where a missing file is a warning: the caller set the limit.
static rbl_result fail_size(const char *path, uint64_t size, uint64_t limit)
{
	return rbl_io_fail(RBL_LIMIT_REACHED, "%s: %llu bytes or more, and size_limit leaves %llu",
	                   path, (unsigned long long)size, (unsigned long long)limit);
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

enum { OPEN_FILE = O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY };

// Check an open file and take ownership of it.
static rbl_result take_regular(int handle, const char *path, const rbl_io_file_access *access,
                               FILE **file, size_t *size)
{
	struct stat about;
	if (handle < 0 || fstat(handle, &about) != 0) {
		rbl_result result = fail_system(access->level, "open", path);
		if (handle >= 0)
			close(handle);
		return result;
	}
	rbl_result result = RBL_OK;
	if (!S_ISREG(about.st_mode))
		result = rbl_io_log(access->level, RBL_IO_FAILED, "%s: %s, not a regular file", path,
		                    kind_of_file(about.st_mode));
	else if ((uint64_t)about.st_size > access->limit)
		result = fail_size(path, (uint64_t)about.st_size, access->limit);
	else if (!(*file = fdopen(handle, "rb")))
		result = fail_system(access->level, "open", path);
	if (result != RBL_OK)
		close(handle);
	*size = (size_t)about.st_size;
	return result;
}

// Open a file below a folder, by a resolved name, which is overwritten. @return -1 with errno set
static int open_beneath(const char *folder, char *name)
{
	int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (char *slash; at >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
		*slash = 0;
		int next = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		int error = errno;
		close(at);
		at = next, errno = error;
	}
	if (at < 0)
		return -1;
	int handle = openat(at, name, OPEN_FILE | O_NOFOLLOW);
	int error = errno;
	close(at);
	errno = error;
	return handle;
}

// The path relative to a folder, both resolved; NULL if it is not below it.
static char *part_below(const char *root, char *place)
{
	size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
	bool is_below = strncmp(place, root, length) == 0 && place[length] == '/';
	return is_below ? place + length + 1 : NULL;
}

static rbl_result open_file(const char *path, const rbl_io_file_access *access, FILE **file,
                            size_t *size)
{
	if (!access->within && !access->own_folder)
		return take_regular(open(path, OPEN_FILE), path, access, file, size);
	const char *const folders[2] = { access->within, access->own_folder };
	static const char *const settings[2] = { "within", "allow_outside" };
	char place[PATH_MAX], root[PATH_MAX], *part = NULL;
	if (!realpath(path, place))
		return fail_system(access->level, "open", path);
	for (int i = 0; i < 2; ++i) {
		if (!folders[i])
			continue;
		if (!realpath(*folders[i] ? folders[i] : ".", root))
			return fail_system(access->level, "open", folders[i]);
		part = part_below(root, place);
		if (!part)
			return rbl_io_log(access->level, RBL_BAD_FILE,
			                  "%s: leads outside of the folder %s; see %s", path, root,
			                  settings[i]);
	}
	return take_regular(open_beneath(root, part), path, access, file, size);
}

static FILE *create_file(const char *path)
{
	return fopen(path, "wb");
}

static bool replace_file(const char *from, const char *to)
{
	return rename(from, to) == 0;
}

static void remove_file(const char *path)
{
	remove(path);
}

#elif defined(_WIN32)

enum { LONGEST_PATH = 4096 };

// Paths are UTF-8. @return false with errno set
static bool widen(const char *text, wchar_t *wide)
{
	if (MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, LONGEST_PATH) > 0)
		return true;
	errno = EINVAL;
	return false;
}

static bool is_special(const char *path)
{
	(void)path;
	return false;
}

static FILE *create_file(const char *path)
{
	wchar_t wide[LONGEST_PATH];
	return widen(path, wide) ? _wfopen(wide, L"wb") : NULL;
}

static bool replace_file(const char *from, const char *to)
{
	wchar_t wide_from[LONGEST_PATH], wide_to[LONGEST_PATH];
	if (!widen(from, wide_from) || !widen(to, wide_to))
		return false;
	errno = EACCES;
	return MoveFileExW(wide_from, wide_to, MOVEFILE_REPLACE_EXISTING) != 0;
}

static void remove_file(const char *path)
{
	wchar_t wide[LONGEST_PATH];
	if (widen(path, wide))
		DeleteFileW(wide);
}

static HANDLE open_handle(const char *path)
{
	wchar_t wide[LONGEST_PATH];
	if (!widen(path, wide))
		return INVALID_HANDLE_VALUE;
	HANDLE handle = CreateFileW(wide, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING,
	                            FILE_FLAG_BACKUP_SEMANTICS, NULL);
	DWORD reason = GetLastError();
	if (handle == INVALID_HANDLE_VALUE)
		errno = reason == ERROR_FILE_NOT_FOUND || reason == ERROR_PATH_NOT_FOUND ? ENOENT : EACCES;
	return handle;
}

// Where what is open really lies: no link is left to be swapped.
static bool is_below(HANDLE file, const char *folder)
{
	wchar_t place[LONGEST_PATH], root[LONGEST_PATH];
	HANDLE opened = open_handle(*folder ? folder : ".");
	if (opened == INVALID_HANDLE_VALUE)
		return false;
	DWORD length = GetFinalPathNameByHandleW(opened, root, LONGEST_PATH - 1, 0);
	CloseHandle(opened);
	DWORD size = GetFinalPathNameByHandleW(file, place, LONGEST_PATH - 1, 0);
	if (length == 0 || length >= LONGEST_PATH - 1 || size >= LONGEST_PATH - 1 || size <= length)
		return false;
	if (root[length - 1] != L'\\')
		root[length++] = L'\\';
	return CompareStringOrdinal(root, (int)length, place, (int)length, TRUE) == CSTR_EQUAL;
}

static rbl_result check_handle(HANDLE handle, const char *path, const rbl_io_file_access *access,
                               size_t *size)
{
	const char *const folders[2] = { access->within, access->own_folder };
	static const char *const settings[2] = { "within", "allow_outside" };
	BY_HANDLE_FILE_INFORMATION about;
	if (GetFileType(handle) != FILE_TYPE_DISK || !GetFileInformationByHandle(handle, &about))
		return rbl_io_log(access->level, RBL_IO_FAILED, "%s: a device, not a regular file", path);
	if (about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)
		return rbl_io_log(access->level, RBL_IO_FAILED, "%s: a folder, not a regular file", path);
	uint64_t bytes = (uint64_t)about.nFileSizeHigh << 32 | about.nFileSizeLow;
	if (bytes > access->limit)
		return fail_size(path, bytes, access->limit);
	for (int i = 0; i < 2; ++i)
		if (folders[i] && !is_below(handle, folders[i]))
			return rbl_io_log(access->level, RBL_BAD_FILE,
			                  "%s: leads outside of the folder %s; see %s", path,
			                  *folders[i] ? folders[i] : ".", settings[i]);
	*size = (size_t)bytes;
	return RBL_OK;
}

static rbl_result open_file(const char *path, const rbl_io_file_access *access, FILE **file,
                            size_t *size)
{
	HANDLE handle = open_handle(path);
	if (handle == INVALID_HANDLE_VALUE)
		return fail_system(access->level, "open", path);
	rbl_result result = check_handle(handle, path, access, size);
	if (result != RBL_OK) {
		CloseHandle(handle);
		return result;
	}
	int number = _open_osfhandle((intptr_t)handle, _O_RDONLY | _O_BINARY);
	*file = number >= 0 ? _fdopen(number, "rb") : NULL;
	if (*file)
		return RBL_OK;
	result = fail_system(access->level, "open", path);
	if (number >= 0)
		_close(number);
	else
		CloseHandle(handle);
	return result;
}

#else

static bool is_special(const char *path)
{
	(void)path;
	return false;
}

static FILE *create_file(const char *path)
{
	return fopen(path, "wb");
}

static bool replace_file(const char *from, const char *to)
{
	return rename(from, to) == 0;
}

static void remove_file(const char *path)
{
	remove(path);
}

static rbl_result open_file(const char *path, const rbl_io_file_access *access, FILE **file,
                            size_t *size)
{
	if (access->within)
		return rbl_io_log(access->level, RBL_UNSUPPORTED, "%s: links cannot be resolved here",
		                  path);
	*file = fopen(path, "rb");
	if (!*file)
		return fail_system(access->level, "open", path);
	long end = fseek(*file, 0, SEEK_END) == 0 ? ftell(*file) : 0;
	rewind(*file);
	*size = end > 0 ? (size_t)end : 0;
	if (*size <= access->limit)
		return RBL_OK;
	fclose(*file);
	return fail_size(path, *size, access->limit);
}

#endif

// A file may grow while it is read, and some claim to be empty: the limit holds for what is read.
static rbl_result read_all(FILE *file, const char *path, size_t size,
                           const rbl_io_file_access *access, rbl_io_output *bytes)
{
	for (size_t wanted = size + 1;; wanted = 65536) { // one more byte finds the end at once
		void *space = rbl_io_output_reserve(bytes, wanted);
		if (!space)
			return rbl_io_fail_memory(&bytes->memory, path);
		size_t got = fread(space, 1, wanted, file);
		bytes->size += got;
		if (bytes->size > access->limit)
			return fail_size(path, bytes->size, access->limit);
		if (got < wanted)
			return ferror(file) ? fail_system(access->level, "read", path) : RBL_OK;
	}
}

rbl_result rbl_io_read_file(const char *path, const rbl_io_file_access *access,
                            rbl_io_output *bytes)
{
	FILE *file = NULL;
	size_t size = 0;
	rbl_result result = open_file(path, access, &file, &size);
	if (result != RBL_OK)
		return result;
	setvbuf(file, NULL, _IONBF, 0); // read directly into the buffer
	result = read_all(file, path, size, access, bytes);
	fclose(file);
	if (result != RBL_OK)
		rbl_io_free_output(bytes);
	return result;
}

// No absolute path, drive, scheme or "..".
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

// Read folder + name, or an absolute name if allow_outside permits it.
static rbl_result read_named(rbl_io_source *source, const char *name, size_t length,
                             rbl_log_level level, rbl_io_output *bytes)
{
	const rbl_read_def *def = source->def;
	bool is_anywhere = def->allow_outside && name[0] == '/';
	size_t before = is_anywhere ? 0 : (size_t)source->folder_length;
	size_t path_size = before + length + 1, folder_size = (size_t)source->folder_length + 1;
	char *path = RBL_IO_NEW(&source->memory, char, path_size);
	char *folder = RBL_IO_NEW(&source->memory, char, folder_size);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (path && folder) {
		memcpy(path, source->folder, before);
		memcpy(path + before, name, length);
		path[path_size - 1] = 0;
		memcpy(folder, source->folder, folder_size - 1);
		folder[folder_size - 1] = 0;
		rbl_io_file_access access = { def->within, def->allow_outside ? NULL : folder,
			                          source->bytes_left, level };
		result = rbl_io_read_file(path, &access, bytes);
		if (result == RBL_OK)
			source->bytes_left -= bytes->size;
	} else {
		result = rbl_io_out_of_memory(source);
	}
	RBL_IO_FREE(&source->memory, path, path_size);
	RBL_IO_FREE(&source->memory, folder, folder_size);
	return result;
}

rbl_result rbl_io_read_referenced(rbl_io_source *source, const char *name, size_t length,
                                  rbl_log_level level, rbl_io_output *bytes)
{
	*bytes = (rbl_io_output){ .memory = source->memory };
	int shown = length < 100 ? (int)length : 100;
	if (!source->folder)
		return rbl_io_log(level, RBL_IO_FAILED, "%s: needs the file %.*s, and no folder is given",
		                  source->name, shown, name);
	bool is_name = length > 0 && !memchr(name, 0, length);
	if (!is_name || (!source->def->allow_outside && !stays_inside(name, length)))
		return rbl_io_log(level, RBL_BAD_FILE,
		                  "%s: names a file outside its folder: %.*s; see allow_outside",
		                  source->name, shown, name);
	return read_named(source, name, length, level, bytes);
}

// --- writing ---------------------------------------------------------------------------------

// Write, flush and close; all three can fail.
static rbl_result write_all(const char *path, const void *bytes, size_t size)
{
	errno = 0;
	FILE *file = create_file(path);
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
	if (result == RBL_OK && !replace_file(part, path))
		result = fail_system(RBL_LOG_ERROR, "replace", path);
	if (result != RBL_OK)
		remove_file(part);
	return result;
}
