// SPDX-License-Identifier: MIT
// What the tests of pools share.
#pragma once

#include "test.h"
#include "worker_pool.h"

#include <stdatomic.h>

// --- blocks --------------------------------------------------------------------------------

enum { MAX_ITEMS = 1000 };

typedef struct visit {
	atomic_int count[MAX_ITEMS];
	int block_size, item_count, worker_count;
	atomic_int wrong_count;
} visit;

static inline void visit_block(void *context, int begin, int end, int worker)
{
	visit *v = context;
	int expected_end =
		begin + v->block_size < v->item_count ? begin + v->block_size : v->item_count;
	if (begin % v->block_size != 0 || end != expected_end || worker < 0 ||
	    worker >= v->worker_count)
		atomic_fetch_add(&v->wrong_count, 1);
	for (int i = begin; i < end; ++i)
		atomic_fetch_add(&v->count[i], 1);
}

static inline void check_visits(test *t, rbl_jobs *jobs, int item_count, int block_size)
{
	static visit v;
	memset(&v, 0, sizeof v);
	v.item_count = item_count;
	v.block_size = block_size;
	v.worker_count = rbl_jobs_worker_count(jobs);
	rbl_parallel_for(jobs, item_count, block_size, visit_block, &v);
	bool once = true;
	for (int i = 0; i < MAX_ITEMS; ++i)
		once &= v.count[i] == (i < item_count);
	CHECK(t, once && v.wrong_count == 0);
}

// --- nesting -------------------------------------------------------------------------------

// Sums 1 for each of 5 x 6 x 7 innermost items, in loops inside loops inside loops.
typedef struct nest {
	rbl_jobs *jobs;
	atomic_int sum;
} nest;

static inline void innermost_block(void *context, int begin, int end, int worker)
{
	nest *n = context;
	(void)worker;
	atomic_fetch_add(&n->sum, end - begin);
}

static inline void middle_block(void *context, int begin, int end, int worker)
{
	nest *n = context;
	(void)worker;
	for (int i = begin; i < end; ++i)
		rbl_parallel_for(n->jobs, 7, 2, innermost_block, n);
}

static inline void outer_block(void *context, int begin, int end, int worker)
{
	nest *n = context;
	(void)worker;
	for (int i = begin; i < end; ++i)
		rbl_parallel_for(n->jobs, 6, 1, middle_block, n);
}
