// SPDX-License-Identifier: MIT
//
// Threads, locks and conditions as the system has them: POSIX or Windows. For base/jobs.c and its
// neighbours; everybody else uses the pool.
#pragma once

#include <stdbool.h>

#ifdef _WIN32

// As large as SRWLOCK and CONDITION_VARIABLE, whose header would bring a thousand names with it.
typedef struct rbl_mutex {
	void *system;
} rbl_mutex;

typedef struct rbl_condition {
	void *system;
} rbl_condition;

typedef void *rbl_thread_handle;

#else

#include <pthread.h>

typedef pthread_mutex_t rbl_mutex;
typedef pthread_cond_t rbl_condition;
typedef pthread_t rbl_thread_handle;

#endif

/// Stack of a worker's thread, whatever the system's habit is: 8 MiB with glibc, 128 KiB with musl.
enum { RBL_THREAD_STACK_SIZE = 2 << 20 };

typedef void rbl_thread_function(void *context);

typedef struct rbl_thread {
	rbl_thread_handle handle;
	rbl_thread_function *function;
	void *context;
} rbl_thread;

void rbl_mutex_init(rbl_mutex *mutex);
void rbl_mutex_destroy(rbl_mutex *mutex);
bool rbl_mutex_try_lock(rbl_mutex *mutex);
void rbl_mutex_lock(rbl_mutex *mutex);
void rbl_mutex_unlock(rbl_mutex *mutex);

void rbl_condition_init(rbl_condition *condition);
void rbl_condition_destroy(rbl_condition *condition);

/// Open the lock, sleep until somebody calls, and close the lock again. May return without a call.
void rbl_condition_wait(rbl_condition *condition, rbl_mutex *mutex);
void rbl_condition_wake_one(rbl_condition *condition);
void rbl_condition_wake_all(rbl_condition *condition);

/// Start a thread that calls `function` with `context`. `thread` stays where it is until it is
/// joined. Signals are for the program's own threads: this one has all of them blocked.
/// @return false: the system has no more threads
bool rbl_thread_start(rbl_thread *thread, rbl_thread_function *function, void *context);
void rbl_thread_join(rbl_thread *thread);

/// Let another thread have this processor.
void rbl_thread_yield(void);

/// @return how many processors this program may use, 1 where it cannot be known
int rbl_processor_count(void);
