// SPDX-License-Identifier: MIT
// Workers where there are no threads: the caller does everything itself.

#include "base/log.h"
#include "base/worker_pool.h"

#ifdef RBL_NO_THREADS

struct rbl_jobs {
	rbl_allocator allocator;
};

rbl_result rbl_create_jobs(const rbl_jobs_def *def, rbl_jobs **jobs)
{
	if (!jobs)
		return rbl_fail(RBL_BAD_ARGUMENT, "jobs is NULL");
	*jobs = NULL;
	rbl_result result = rbl_jobs_check_def(def);
	if (result != RBL_OK)
		return result;
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_jobs *pool = RBL_NEW_ZERO(&allocator, rbl_jobs, 1);
	if (!pool)
		return RBL_OUT_OF_MEMORY;
	pool->allocator = allocator;
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
	(void)jobs;
	return 1;
}

void rbl_parallel_for(rbl_jobs *jobs, int item_count, int block_size, rbl_block_function *function,
                      void *context)
{
	(void)jobs;
	if (rbl_loop_is_valid(item_count, block_size, function))
		rbl_run_serially(item_count, block_size, function, context, 0);
}

void rbl_run_worker_group(rbl_jobs *jobs, rbl_worker_group_function *function, void *context)
{
	(void)jobs;
	function(NULL, context);
}

void rbl_worker_group_for(rbl_worker_group *group, int item_count, int block_size,
                          rbl_block_function *function, void *context)
{
	(void)group;
	rbl_run_serially(item_count, block_size, function, context, 0);
}

void rbl_worker_group_wake_always(rbl_worker_group *group)
{
	(void)group;
}

// Nobody works on tasks but their owner: none is ever on a pool.

bool rbl_jobs_add_task(rbl_jobs *jobs, rbl_task *task)
{
	(void)jobs;
	task->state = RBL_TASK_RUNNING;
	return true;
}

void rbl_jobs_remove_task(rbl_task *task)
{
	(void)task;
}

void rbl_jobs_hold_group(rbl_task_group *group)
{
	(void)group;
}

void rbl_jobs_release_group(rbl_task_group *group)
{
	(void)group;
}

rbl_task_state rbl_jobs_task_state(const rbl_task *task)
{
	return task->state;
}

#endif
