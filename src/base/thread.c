// SPDX-License-Identifier: MIT
//
// Threads by POSIX.

#define _POSIX_C_SOURCE 200809L

#include "base/worker_pool.h"

#if !defined(RBL_NO_THREADS) && !defined(_WIN32)

#include <sched.h>
#include <signal.h>
#include <unistd.h>

void rbl_mutex_init(rbl_mutex *mutex)
{
	pthread_mutex_init(mutex, NULL);
}

void rbl_mutex_destroy(rbl_mutex *mutex)
{
	pthread_mutex_destroy(mutex);
}

bool rbl_mutex_try_lock(rbl_mutex *mutex)
{
	return pthread_mutex_trylock(mutex) == 0;
}

void rbl_mutex_lock(rbl_mutex *mutex)
{
	pthread_mutex_lock(mutex);
}

void rbl_mutex_unlock(rbl_mutex *mutex)
{
	pthread_mutex_unlock(mutex);
}

void rbl_condition_init(rbl_condition *condition)
{
	pthread_cond_init(condition, NULL);
}

void rbl_condition_destroy(rbl_condition *condition)
{
	pthread_cond_destroy(condition);
}

void rbl_condition_wait(rbl_condition *condition, rbl_mutex *mutex)
{
	pthread_cond_wait(condition, mutex);
}

void rbl_condition_wake_one(rbl_condition *condition)
{
	pthread_cond_signal(condition);
}

void rbl_condition_wake_all(rbl_condition *condition)
{
	pthread_cond_broadcast(condition);
}

static void *enter_thread(void *argument)
{
	const rbl_thread *thread = argument;
	thread->function(thread->context);
	return NULL;
}

bool rbl_thread_start(rbl_thread *thread, rbl_thread_function *function, void *context)
{
	thread->function = function;
	thread->context = context;
	pthread_attr_t attributes;
	if (pthread_attr_init(&attributes) != 0)
		return false;
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	bool is_started = pthread_attr_setstacksize(&attributes, RBL_THREAD_STACK_SIZE) == 0 &&
	                  pthread_create(&thread->handle, &attributes, enter_thread, thread) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attributes);
	return is_started;
}

void rbl_thread_join(rbl_thread *thread)
{
	pthread_join(thread->handle, NULL);
}

void rbl_thread_yield(void)
{
	sched_yield();
}

int rbl_processor_count(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);
	return count > 1 ? (int)count : 1;
}

#endif
