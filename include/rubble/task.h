// SPDX-License-Identifier: MIT
// Tasks: long work beside the caller, in slices of its own time or on other threads.
//
// rbl_begin_prepare() and rbl_begin_break() make one, rbl_finish_prepare() and rbl_finish_break()
// take what came of it. In between the caller does the work in slices (rbl_task_work()), lets a
// pool do it (rbl_task_start()), or waits (rbl_task_wait()). The result has the same bits whichever
// way.
#pragma once

#include <rubble/base.h>
#include <rubble/jobs.h>

/// Work that goes on.
typedef struct rbl_task rbl_task;

/// How far a task is.
typedef enum rbl_task_state {
	/// Nobody works on it: it was not started, or stopped.
	RBL_TASK_WAITING = 0,
	/// It was started, and a pool works on it.
	RBL_TASK_RUNNING,
	/// Only finishing is left.
	RBL_TASK_READY,
	/// It failed, and rbl_task_wait() tells why; what failed for lack of memory can be tried again.
	RBL_TASK_FAILED,
} rbl_task_state;

/// @return how far a task is; RBL_TASK_FAILED for NULL. Threads: one call on a task at a time.
RBL_API rbl_task_state rbl_task_get_state(const rbl_task *task);

/// Do some of the work on this thread. A task that was started may be helped this way.
/// @param budget    work, > 0, in the unit that the function says which began the task; a count and
///                  no time, so that runs repeat
/// @param is_ready  receives whether only finishing is left
/// @return RBL_OK, RBL_BAD_ARGUMENT, and what the work fails with
/// Threads: one call on a task at a time, any thread.
RBL_API rbl_result rbl_task_work(rbl_task *task, int budget, bool *is_ready);

/// @return about how much of the work is done, 0 to 1, for a progress bar; 0 while that is not
/// known, 1 when it is ready. Threads: one call on a task at a time. Cost: it waits for a slice
/// that runs.
RBL_API double rbl_task_progress(rbl_task *task);

/// Let a pool do the work: its threads take slices of it when no parallel loop needs them, or tasks
/// of the caller's task system do. A pool of one worker has no thread for it: then the work waits
/// for rbl_task_work() or rbl_task_wait().
/// @param jobs  lives until the task is ready, stopped or destroyed
/// @return RBL_OK, RBL_BAD_ARGUMENT (NULL, or what it changes has another task on another pool)
/// Threads: one call on a task at a time, any thread.
RBL_API rbl_result rbl_task_start(rbl_task *task, rbl_jobs *jobs);

/// Stop what was started: on return no thread works on it any more. It keeps what was done, and can
/// be started again. NULL is fine. Threads: one call on a task at a time, any thread.
RBL_API void rbl_task_stop(rbl_task *task);

/// Work until it is ready, together with the pool it was started on. Not from a block of that pool.
/// @return RBL_OK (ready), RBL_BAD_ARGUMENT, and what the work fails with
/// Threads: one call on a task at a time, any thread.
RBL_API rbl_result rbl_task_wait(rbl_task *task);

/// Stop a task and give it up; nothing has changed. NULL is fine.
RBL_API void rbl_destroy_task(rbl_task *task);
