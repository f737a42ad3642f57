// SPDX-License-Identifier: MIT
//
// Threads by Windows.

#include "base/worker_pool.h"

#if !defined(RBL_NO_THREADS) && defined(_WIN32)

#define WIN32_LEAN_AND_MEAN

#include <process.h>
#include <stdint.h>
#include <windows.h>

_Static_assert(sizeof(rbl_mutex) == sizeof(SRWLOCK), "a lock is one word");
_Static_assert(sizeof(rbl_condition) == sizeof(CONDITION_VARIABLE), "a condition is one word");

static SRWLOCK *lock_of(rbl_mutex *mutex)
{
	return (SRWLOCK *)&mutex->system;
}

static CONDITION_VARIABLE *condition_of(rbl_condition *condition)
{
	return (CONDITION_VARIABLE *)&condition->system;
}

void rbl_mutex_init(rbl_mutex *mutex)
{
	InitializeSRWLock(lock_of(mutex));
}

void rbl_mutex_destroy(rbl_mutex *mutex)
{
	(void)mutex; // holds nothing
}

bool rbl_mutex_try_lock(rbl_mutex *mutex)
{
	return TryAcquireSRWLockExclusive(lock_of(mutex)) != 0;
}

void rbl_mutex_lock(rbl_mutex *mutex)
{
	AcquireSRWLockExclusive(lock_of(mutex));
}

void rbl_mutex_unlock(rbl_mutex *mutex)
{
	ReleaseSRWLockExclusive(lock_of(mutex));
}

void rbl_condition_init(rbl_condition *condition)
{
	InitializeConditionVariable(condition_of(condition));
}

void rbl_condition_destroy(rbl_condition *condition)
{
	(void)condition; // holds nothing
}

void rbl_condition_wait(rbl_condition *condition, rbl_mutex *mutex)
{
	SleepConditionVariableSRW(condition_of(condition), lock_of(mutex), INFINITE, 0);
}

void rbl_condition_wake_one(rbl_condition *condition)
{
	WakeConditionVariable(condition_of(condition));
}

void rbl_condition_wake_all(rbl_condition *condition)
{
	WakeAllConditionVariable(condition_of(condition));
}

static unsigned __stdcall enter_thread(void *argument)
{
	const rbl_thread *thread = argument;
	thread->function(thread->context);
	return 0;
}

bool rbl_thread_start(rbl_thread *thread, rbl_thread_function *function, void *context)
{
	thread->function = function;
	thread->context = context;
	uintptr_t handle = _beginthreadex(NULL, RBL_THREAD_STACK_SIZE, enter_thread, thread,
	                                  STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
	thread->handle = (void *)handle;
	return handle != 0;
}

void rbl_thread_join(rbl_thread *thread)
{
	WaitForSingleObject(thread->handle, INFINITE);
	CloseHandle(thread->handle);
}

void rbl_thread_yield(void)
{
	SwitchToThread();
}

int rbl_processor_count(void)
{
	SYSTEM_INFO info;
	GetSystemInfo(&info);
	return info.dwNumberOfProcessors > 1 ? (int)info.dwNumberOfProcessors : 1;
}

#endif
