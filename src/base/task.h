// SPDX-License-Identifier: MIT
// Inside a task: what those who make tasks fill in, and what the pool sees of it.
//
// A task is the first member of a larger struct. While a pool works on it, everything of the task
// is read and written under the pool's lock, or by the slice that runs.
#pragma once

#include <rubble/task.h>

typedef struct rbl_task_kind {
	/// Do about `budget` of the work. May be called again after a failure.
	rbl_result (*work)(rbl_task *task, int budget, bool *is_ready);

	/// Free the struct that the task is in. No thread works on it.
	void (*destroy)(rbl_task *task);

	/// How much is done, 0 to 1; NULL: it is not known. No thread works on it.
	double (*progress)(const rbl_task *task);
} rbl_task_kind;

/// Tasks that write to one thing: one slice at a time runs of all of them, on one pool.
typedef struct rbl_task_group {
	rbl_jobs *pool;    // that works on some of them, NULL none
	int started_count; // tasks that it works on
	int hold_count;    // > 0: the owner is at it, no slice begins
	bool is_running;
} rbl_task_group;

struct rbl_task {
	const rbl_task_kind *kind;
	rbl_task_group *group;
	rbl_task_group own_group; // for those that share nothing
	rbl_task_state state;
	rbl_result result; // of what failed

	rbl_jobs *pool; // that works on it, NULL none
	rbl_task *previous, *next;
};

/// Set up a task. @param group  NULL: its own
void rbl_task_init(rbl_task *task, const rbl_task_kind *kind, rbl_task_group *group);

/// On return no slice of the group's tasks runs, and none begins until it is released.
void rbl_task_group_hold(rbl_task_group *group);
void rbl_task_group_release(rbl_task_group *group);

/// What it worked on has changed: it is not ready any more. Its group is held.
void rbl_task_renew(rbl_task *task);

/// Stop a task whose group is held.
void rbl_task_take_off(rbl_task *task);

/// How much a pool does at once before it looks for other work: one or two milliseconds.
enum { RBL_TASK_SLICE = 400 };

// --- the pool's side (jobs.c) -------------------------------------------------------------------

/// Take a task in. @return false when its group works on another pool
bool rbl_jobs_add_task(rbl_jobs *jobs, rbl_task *task);

/// Let go of a task. No slice of it runs.
void rbl_jobs_remove_task(rbl_task *task);

/// Hold and release a group that a pool works on.
void rbl_jobs_hold_group(rbl_task_group *group);
void rbl_jobs_release_group(rbl_task_group *group);

/// The state of a task that a pool works on.
rbl_task_state rbl_jobs_task_state(const rbl_task *task);
