// SPDX-License-Identifier: MIT
//
// The work queue.
//
// A place in the queue is a number that is not 0 once it is filled. Who wants an item takes a
// ticket, the number of a place, and waits until the place is filled, or until nothing is left to
// do that could fill it. So taking and adding are one atomic addition each, and nobody takes an
// item twice. Tickets that are left at the end are void.

#include "base/work_queue.h"

#include "base/assert.h"
#include "base/worker_pool.h"

#ifdef RBL_NO_THREADS

struct rbl_work_queue {
	int head, tail, capacity;
	uint64_t places[];
};

size_t rbl_work_queue_size(int capacity)
{
	return sizeof(rbl_work_queue) + (size_t)capacity * sizeof(uint64_t);
}

rbl_work_queue *rbl_work_queue_init(void *memory, int capacity)
{
	rbl_work_queue *queue = memory;
	queue->head = queue->tail = 0;
	queue->capacity = capacity;
	return queue;
}

bool rbl_work_queue_push(rbl_work_queue *queue, uint64_t item)
{
	if (queue->tail == queue->capacity)
		return false;
	queue->places[queue->tail++] = item;
	return true;
}

void rbl_worker_group_drain(rbl_worker_group *group, rbl_work_queue *queue, int worker_count,
                            rbl_work_queue_function *function, void *context)
{
	(void)group, (void)worker_count;
	while (queue->head < queue->tail)
		function(context, queue, queue->places[queue->head++], 0);
}

#else

enum { QUEUE_YIELD_EVERY = 64 };

struct rbl_work_queue {
	rbl_work_queue_function *function;
	void *context;
	int capacity;
	_Alignas(RBL_CACHE_LINE) atomic_int head; // the next ticket
	_Alignas(RBL_CACHE_LINE) atomic_int tail; // the next place to be filled
	atomic_int open_count;                    // items that are not done
	_Alignas(RBL_CACHE_LINE) atomic_ullong places[];
};

size_t rbl_work_queue_size(int capacity)
{
	return sizeof(rbl_work_queue) + (size_t)capacity * sizeof(atomic_ullong);
}

rbl_work_queue *rbl_work_queue_init(void *memory, int capacity)
{
	rbl_work_queue *queue = memory;
	queue->capacity = capacity;
	atomic_init(&queue->head, 0);
	atomic_init(&queue->tail, 0);
	atomic_init(&queue->open_count, 0);
	for (int i = 0; i < capacity; ++i)
		atomic_init(&queue->places[i], 0);
	return queue;
}

bool rbl_work_queue_push(rbl_work_queue *queue, uint64_t item)
{
	RBL_ASSERT(item != 0);
	if (atomic_load_explicit(&queue->tail, memory_order_relaxed) >= queue->capacity)
		return false;
	int place = atomic_fetch_add_explicit(&queue->tail, 1, memory_order_relaxed);
	if (place >= queue->capacity)
		return false;
	// Counted before the item that brings it is done, so that nobody leaves too early.
	atomic_fetch_add_explicit(&queue->open_count, 1, memory_order_relaxed);
	atomic_store_explicit(&queue->places[place], item, memory_order_release);
	return true;
}

// @return 0: there is none, and none will come
static uint64_t wait_for_item(rbl_work_queue *queue)
{
	int ticket = atomic_fetch_add_explicit(&queue->head, 1, memory_order_relaxed);
	if (ticket >= queue->capacity)
		return 0;
	for (int i = 1;; ++i) {
		uint64_t item = atomic_load_explicit(&queue->places[ticket], memory_order_acquire);
		if (item != 0 || atomic_load_explicit(&queue->open_count, memory_order_acquire) == 0)
			return item;
		if (i % QUEUE_YIELD_EVERY == 0)
			rbl_thread_yield();
		else
			rbl_pause_briefly();
	}
}

static void drain(void *context, int begin, int end, int worker)
{
	rbl_work_queue *queue = context;
	(void)begin, (void)end;
	for (uint64_t item; (item = wait_for_item(queue)) != 0;) {
		queue->function(queue->context, queue, item, worker);
		atomic_fetch_sub_explicit(&queue->open_count, 1, memory_order_release);
	}
}

void rbl_worker_group_drain(rbl_worker_group *group, rbl_work_queue *queue, int worker_count,
                            rbl_work_queue_function *function, void *context)
{
	if (atomic_load(&queue->open_count) == 0)
		return;
	queue->function = function, queue->context = context;
	rbl_worker_group_for(group, group ? worker_count : 1, 1, drain, queue);
}

#endif
