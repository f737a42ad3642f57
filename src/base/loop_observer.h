// SPDX-License-Identifier: MIT
// Who watches the loops that a thread opens: for measurements. Nothing that decides a result does.
//
// A pool of 64 workers whose task system keeps its tasks back runs everything on the thread that
// calls, and its observer sees what 64 workers would share: `rubble bench world --case scaling`.
#pragma once

#include "base/thread_local.h"

#include <rubble/base.h>

typedef enum rbl_loop_event {
	RBL_LOOP_BEGINS,
	RBL_LOOP_BLOCK_ENDS, // blocks of a loop may run at the same time
	RBL_LOOP_ENDS,
	RBL_STAGE_ENDS, // of a step, with its name; what comes next belongs to another
} rbl_loop_event;

typedef struct rbl_loop_observer {
	void (*notice)(void *user, rbl_loop_event event, const char *stage);
	void *user;
} rbl_loop_observer;

/// Of this thread; NULL: nobody watches.
extern RBL_THREAD_LOCAL const rbl_loop_observer *rbl_thread_loop_observer;

static inline void rbl_observe_loop(rbl_loop_event event)
{
	if (rbl_thread_loop_observer)
		rbl_thread_loop_observer->notice(rbl_thread_loop_observer->user, event, NULL);
}

/// @param name  lives as long as the program
static inline void rbl_observe_stage(const char *name)
{
	if (rbl_thread_loop_observer)
		rbl_thread_loop_observer->notice(rbl_thread_loop_observer->user, RBL_STAGE_ENDS, name);
}
