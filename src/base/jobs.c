// SPDX-License-Identifier: MIT
//
// Workers. (Serial for the moment: blocks run in order on the calling thread.)

#include "base/log.h"
#include "base/memory.h"

#include <rubble/jobs.h>

struct rbl_jobs {
	rbl_allocator allocator;
	int worker_count;
};

enum { COOKIE = 0x6a6f6273 };

rbl_jobs_def rbl_default_jobs_def(void)
{
	return (rbl_jobs_def){ .worker_count = 1, .cookie = COOKIE };
}

rbl_result rbl_create_jobs(const rbl_jobs_def *def, rbl_jobs **jobs)
{
	if (!jobs)
		return rbl_fail(RBL_BAD_ARGUMENT, "jobs is NULL");
	*jobs = NULL;
	if (!def || def->cookie != COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_jobs_def()");
	if (def->worker_count < 1 || def->worker_count > RBL_MAX_WORKERS)
		return rbl_fail(RBL_BAD_ARGUMENT, "worker_count is %d, must be 1 to %d", def->worker_count,
		                RBL_MAX_WORKERS);
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_jobs *pool = RBL_NEW_ZERO(&allocator, rbl_jobs, 1);
	if (!pool)
		return RBL_OUT_OF_MEMORY;
	pool->allocator = allocator;
	pool->worker_count = 1;
	*jobs = pool;
	return RBL_OK;
}

void rbl_destroy_jobs(rbl_jobs *jobs)
{
	if (!jobs)
		return;
	rbl_allocator allocator = jobs->allocator;
	RBL_FREE(&allocator, jobs, 1);
}

int rbl_jobs_worker_count(const rbl_jobs *jobs)
{
	return jobs ? jobs->worker_count : 1;
}

void rbl_parallel_for(rbl_jobs *jobs, int item_count, int block_size, rbl_block_function *function,
                      void *context)
{
	(void)jobs;
	for (int begin = 0; begin < item_count; begin += block_size) {
		int end = item_count - begin < block_size ? item_count : begin + block_size;
		function(context, begin, end, 0);
	}
}
