// SPDX-License-Identifier: MIT
// Many short loops in a row, for the same workers.
//
// rbl_parallel_for() calls helpers for each loop and lets them go, which costs some microseconds;
// the sweeps of a solver are hundreds of loops of a few. A worker group keeps its helpers from the
// first loop to the last. Nobody waits for a helper that does not come: the owner does what others
// leave.
#pragma once

#include <rubble/jobs.h>

typedef struct rbl_worker_group rbl_worker_group;

/// What a group does. It runs on the calling thread.
typedef void rbl_worker_group_function(rbl_worker_group *group, void *context);

/// Run `function` with a group of the pool's workers. May be called inside a block of the same
/// pool.
/// @param jobs  NULL: the function gets NULL for its group, and all blocks run on the calling
///              thread
void rbl_run_worker_group(rbl_jobs *jobs, rbl_worker_group_function *function, void *context);

/// A loop like rbl_parallel_for(), to be called by the group's function. Its blocks open no loops.
/// @param group NULL: all blocks run in order on the calling thread, as worker 0
void rbl_worker_group_for(rbl_worker_group *group, int item_count, int block_size,
                          rbl_block_function *function, void *context);

/// From here on, helpers that left are called back for every loop: for loops that are few and take
/// 50 us or more. Without it they are called now and then.
void rbl_worker_group_wake_always(rbl_worker_group *group);
