// SPDX-License-Identifier: MIT
//
// What several commands do alike.

#define _POSIX_C_SOURCE 200809L // clock_gettime, stat

#include "files.h"

#include "errors.h"

#include <string.h>
#include <sys/stat.h>
#include <time.h>

int read_bytes(const char *path, rbl_file_bytes *bytes)
{
	rbl_result result = rbl_read_file(path, NULL, bytes);
	return result == RBL_OK ? STATUS_OK : fail_with(result, path);
}

bool is_regular_file(const char *path)
{
	struct stat about;
	return stat(path, &about) == 0 && S_ISREG(about.st_mode);
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
