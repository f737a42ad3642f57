// SPDX-License-Identifier: MIT
//
// rbl_task: the functions that its owner calls.
//
// A task that was started stays on its pool until it is ready, failed or stopped; its owner comes
// in between by holding it, which waits for the slice that runs and keeps the next from beginning.
// So a slice never meets a call of the owner's, and needs no lock of its own.

#include "base/task.h"

#include "base/log.h"
#include "base/memory.h"

void rbl_task_init(rbl_task *task, const rbl_task_kind *kind, rbl_task_group *group)
{
	*task = (rbl_task){ .kind = kind, .group = group ? group : &task->own_group };
}

void rbl_task_group_hold(rbl_task_group *group)
{
	if (group->pool)
		rbl_jobs_hold_group(group);
	else
		group->hold_count++;
}

void rbl_task_group_release(rbl_task_group *group)
{
	if (group->pool)
		rbl_jobs_release_group(group);
	else
		group->hold_count--;
}

void rbl_task_take_off(rbl_task *task)
{
	if (task->pool)
		rbl_jobs_remove_task(task);
	if (task->state == RBL_TASK_RUNNING)
		task->state = RBL_TASK_WAITING;
}

void rbl_task_renew(rbl_task *task)
{
	task->result = RBL_OK;
	task->state = task->pool ? RBL_TASK_RUNNING : RBL_TASK_WAITING;
}

rbl_task_state rbl_task_get_state(const rbl_task *task)
{
	if (!task)
		return RBL_TASK_FAILED;
	return task->pool ? rbl_jobs_task_state(task) : task->state;
}

rbl_result rbl_task_work(rbl_task *task, int budget, bool *is_ready)
{
	if (!task || !is_ready || budget < 1)
		return rbl_fail(RBL_BAD_ARGUMENT, "task or is_ready is NULL, or budget is %d", budget);
	*is_ready = false;
	rbl_task_group_hold(task->group);
	rbl_result result = RBL_OK;
	*is_ready = task->state == RBL_TASK_READY;
	if (!*is_ready) {
		rbl_task_renew(task);
		result = task->kind->work(task, budget, is_ready);
	}
	if (result != RBL_OK) {
		*is_ready = false;
		task->result = result;
		task->state = RBL_TASK_FAILED;
	} else if (*is_ready) {
		task->state = RBL_TASK_READY;
	}
	rbl_task_group_release(task->group);
	return result;
}

double rbl_task_progress(rbl_task *task)
{
	if (!task)
		return 0.0;
	rbl_task_group_hold(task->group);
	bool is_known = task->state != RBL_TASK_FAILED && task->kind->progress;
	double done = task->state == RBL_TASK_READY ? 1.0 : is_known ? task->kind->progress(task) : 0.0;
	rbl_task_group_release(task->group);
	return done;
}

rbl_result rbl_task_start(rbl_task *task, rbl_jobs *jobs)
{
	if (!task || !jobs)
		return rbl_fail(RBL_BAD_ARGUMENT, "task or jobs is NULL");
	if (task->pool && task->pool != jobs)
		return rbl_fail(RBL_BAD_ARGUMENT, "the task was started on another pool");
	rbl_task_state state = rbl_task_get_state(task);
	if (state == RBL_TASK_RUNNING || state == RBL_TASK_READY)
		return RBL_OK;
	rbl_task_stop(task); // failed, and is tried again
	if (!rbl_jobs_add_task(jobs, task))
		return rbl_fail(RBL_BAD_ARGUMENT, "tasks on the same thing need the same pool");
	return RBL_OK;
}

void rbl_task_stop(rbl_task *task)
{
	if (!task)
		return;
	rbl_task_group *group = task->group;
	rbl_task_group_hold(group);
	rbl_task_take_off(task);
	rbl_task_group_release(group);
}

rbl_result rbl_task_wait(rbl_task *task)
{
	if (!task)
		return rbl_fail(RBL_BAD_ARGUMENT, "task is NULL");
	if (rbl_task_get_state(task) == RBL_TASK_FAILED)
		return task->result;
	bool is_ready = false;
	rbl_result result = RBL_OK;
	while (result == RBL_OK && !is_ready)
		result = rbl_task_work(task, 1 << 30, &is_ready);
	return result;
}

void rbl_destroy_task(rbl_task *task)
{
	if (!task)
		return;
	rbl_task_stop(task);
	task->kind->destroy(task);
}
