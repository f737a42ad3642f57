// SPDX-License-Identifier: MIT
// Workers: one pool that any number of worlds, fractures and builds may share.
//
// Whatever runs on a pool gives the same bits for any worker count, and for none at all.
#pragma once

#include <rubble/base.h>

/// The most workers a pool may have.
#define RBL_MAX_WORKERS 64

/// A pool of workers. Definitions that take one accept NULL: then the calling thread does all.
typedef struct rbl_jobs rbl_jobs;

/// A piece of work that a caller's task system runs: it must be called exactly once, from any
/// thread, with the `task` that came with it.
typedef void rbl_task_function(void *task);

/// How to make a pool. Start from rbl_default_jobs_def().
typedef struct rbl_jobs_def {
	/// Threads that work at once, the caller's included, 1 to RBL_MAX_WORKERS. Default 1.
	int worker_count;

	/// The caller's task system instead of own threads; NULL for own threads. It starts
	/// `function(task)` on another thread soon and returns at once. The library waits for
	/// its tasks by itself, and helps while it waits; a task that runs late finds nothing to do.
	/// Threads: worker.
	void (*start_task)(void *user, rbl_task_function *function, void *task);

	/// Passed to `start_task`.
	void *user;

	/// Memory of the pool.
	rbl_allocator allocator;

	/// Filled by rbl_default_jobs_def(). Leave it alone.
	uint32_t cookie;
} rbl_jobs_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_jobs_def rbl_default_jobs_def(void);

/// Make a pool and start its threads, which sleep until there is work. A build without threads
/// makes a pool of one worker, whatever the definition says.
/// @param def   read during the call only
/// @param jobs  receives the pool, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY, RBL_UNSUPPORTED (no thread could be
/// started) Threads: any.
RBL_API rbl_result rbl_create_jobs(const rbl_jobs_def *def, rbl_jobs **jobs);

/// Stop the threads and free the pool, after everything that uses it. Waits for every task that
/// was started. NULL is fine.
RBL_API void rbl_destroy_jobs(rbl_jobs *jobs);

/// @return the number of workers, 1 for NULL. Threads: any.
RBL_API int rbl_jobs_worker_count(const rbl_jobs *jobs);

/// A block of a parallel loop: items `begin` to `end` - 1. `worker` is below the pool's worker
/// count and no two threads run blocks of a pool with the same one at the same time; a loop opened
/// inside a block runs in part with that block's own. Threads: worker.
typedef void rbl_block_function(void *context, int begin, int end, int worker);

/// Run a loop over `item_count` items in blocks of `block_size`, and return when all are done.
/// Block borders depend on these two numbers alone. May be called from inside a block of the same
/// pool, and by several threads at once: when all workers are taken, a thread waits for one. No
/// items are no work; a negative count, a block size below 1 or no function is refused and logged.
/// @param jobs  NULL: all blocks run in order on the calling thread, as worker 0
/// Threads: any. Cost: about a microsecond, and the blocks.
RBL_API void rbl_parallel_for(rbl_jobs *jobs, int item_count, int block_size,
                              rbl_block_function *function, void *context);
