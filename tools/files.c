// SPDX-License-Identifier: MIT
//
// What several commands do alike.

#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "files.h"

#include "errors.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

unsigned char *read_bytes(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	unsigned char *bytes = NULL;
	size_t capacity = 0, got = 1;
	*size = 0;
	while (file && got > 0) {
		if (*size == capacity) {
			capacity = capacity ? 2 * capacity : 1 << 20;
			unsigned char *more = realloc(bytes, capacity);
			if (!more)
				break;
			bytes = more;
		}
		got = fread(bytes + *size, 1, capacity - *size, file);
		*size += got;
	}
	bool ok = file && got == 0 && !ferror(file);
	if (!ok)
		fail("%s: %s", path, file && !ferror(file) ? "out of memory" : strerror(errno));
	if (file)
		fclose(file);
	if (ok)
		return bytes;
	free(bytes);
	return NULL;
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
