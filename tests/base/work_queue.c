// SPDX-License-Identifier: MIT
// Queues: every item once, those that items bring included, by any number of workers.
// ctest: threads

#include "base/pools.h"

#include "base/memory.h"
#include "base/work_queue.h"

enum { CAPACITY = 500, LARGEST = 700 };

typedef struct tally {
	rbl_work_queue *queue;
	atomic_int counts[LARGEST + 1]; // by item
	atomic_int refused_count;
	int first, worker_count;
} tally;

// Item n brings 2 n and 2 n + 1, until the queue is full.
static void count_item(void *context, rbl_work_queue *queue, uint64_t item, int worker)
{
	tally *all = context;
	if (worker >= 0 && worker < all->worker_count)
		atomic_fetch_add(&all->counts[item], 1);
	for (uint64_t next = 2 * item; next <= 2 * item + 1 && next <= LARGEST; ++next)
		if (!rbl_work_queue_push(queue, next)) {
			atomic_fetch_add(&all->refused_count, 1);
			count_item(context, queue, next, worker);
		}
}

static void drain_queue(rbl_worker_group *group, void *context)
{
	tally *all = context;
	rbl_worker_group_wake_always(group);
	rbl_worker_group_drain(group, all->queue, all->worker_count, count_item, all); // nothing yet
	for (int i = 1; i <= all->first; ++i)
		rbl_work_queue_push(all->queue, (uint64_t)i);
	rbl_worker_group_drain(group, all->queue, all->worker_count, count_item, all);
}

static void each_item_is_done_once(test *t)
{
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	for (int workers = 1; workers <= 20; workers += workers < 4 ? 1 : 8) {
		rbl_jobs *jobs = create_pool(workers);
		for (int round = 0; round < 40; ++round) {
			tally all = { .first = 1, .worker_count = rbl_jobs_worker_count(jobs) };
			void *memory = rbl_allocate(&allocator, 1, rbl_work_queue_size(CAPACITY));
			all.queue = rbl_work_queue_init(memory, CAPACITY);
			rbl_run_worker_group(round % 2 ? jobs : NULL, drain_queue, &all);
			int wrong = 0;
			for (int i = 1; i <= LARGEST; ++i)
				wrong += all.counts[i] != 1;
			CHECK(t, wrong == 0 && all.refused_count > 0);
			CHECK(t, !rbl_work_queue_push(all.queue, 1));
			rbl_release(&allocator, memory, 1, rbl_work_queue_size(CAPACITY));
		}
		rbl_destroy_jobs(jobs);
	}
}

TEST_MAIN(TEST(each_item_is_done_once))
