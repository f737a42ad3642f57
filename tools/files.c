// SPDX-License-Identifier: MIT
//
// Shared by commands: files, workers, time.

#define _POSIX_C_SOURCE 200809L // clock_gettime, open

#include "files.h"

#include "errors.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int read_bytes(const char *path, uint64_t limit, rbl_file_bytes *bytes)
{
	rbl_read_def def = rbl_default_read_def();
	if (limit > 0)
		def.size_limit = limit;
	rbl_result result = rbl_read_file(path, &def, bytes);
	return result == RBL_OK ? STATUS_OK : fail_with(result, path);
}

// As the library opens files: without blocking, and checked once it is open.
size_t read_head(const char *path, void *head, size_t size)
{
	int handle = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (handle < 0)
		return 0;
	struct stat about;
	ssize_t got = -1;
	if (fstat(handle, &about) == 0 && S_ISREG(about.st_mode))
		got = read(handle, head, size);
	close(handle);
	return got > 0 ? (size_t)got : 0;
}

FILE *create_file(const char *path)
{
	FILE *file = fopen(path, "wb");
	if (!file)
		fail("%s: %s", path, strerror(errno));
	return file;
}

int close_file(FILE *file, const char *path)
{
	bool is_written = !ferror(file);
	is_written &= fclose(file) == 0;
	return is_written ? STATUS_OK : fail("%s: %s", path, strerror(errno));
}

bool is_glb_name(const char *name)
{
	size_t length = strlen(name);
	const char *end = length > 4 ? name + length - 4 : "";
	return strcmp(end, ".glb") == 0 || strcmp(end, ".GLB") == 0;
}

rbl_result make_workers(int count, rbl_jobs **jobs)
{
	*jobs = NULL;
	if (count <= 1)
		return RBL_OK;
	rbl_jobs_def def = rbl_default_jobs_def();
	def.worker_count = count;
	return rbl_create_jobs(&def, jobs);
}

double now_ms(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}
