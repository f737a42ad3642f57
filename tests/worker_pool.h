// SPDX-License-Identifier: MIT
// A pool of workers for a test.
#pragma once

#include <rubble/jobs.h>

#include <stdio.h>
#include <stdlib.h>

/// @return a pool, to be destroyed with rbl_destroy_jobs(); without one the program ends
static inline rbl_jobs *create_pool(int worker_count)
{
	rbl_jobs_def def = rbl_default_jobs_def();
	def.worker_count = worker_count;
	rbl_jobs *jobs = NULL;
	if (rbl_create_jobs(&def, &jobs) != RBL_OK) {
		printf("no pool of %d workers\n", worker_count);
		exit(1);
	}
	return jobs;
}
