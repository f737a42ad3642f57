// SPDX-License-Identifier: MIT
//
// The base room: sorts and scratch memory, each against what libc offers.

#include "bench.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/sort.h"

#include <stdlib.h>

// --- sort ----------------------------------------------------------------------------------

typedef struct sort_work {
	rbl_sort_item *source, *items, *scratch;
	int count;
} sort_work;

static void shuffle_items(void *context)
{
	sort_work *work = context;
	memcpy(work->items, work->source, (size_t)work->count * sizeof *work->items);
}

static void sort_by_radix(void *context)
{
	sort_work *work = context;
	rbl_sort(work->items, work->scratch, work->count);
}

static int compare_items(const void *a, const void *b)
{
	uint32_t x = ((const rbl_sort_item *)a)->key, y = ((const rbl_sort_item *)b)->key;
	return (x > y) - (x < y);
}

static void sort_by_qsort(void *context)
{
	sort_work *work = context;
	qsort(work->items, (size_t)work->count, sizeof *work->items, compare_items);
}

// Over the keys alone: qsort may order equal keys differently.
static uint64_t hash_keys(void *context)
{
	const sort_work *work = context;
	uint64_t hash = 14695981039346656037u;
	for (int i = 0; i < work->count; ++i)
		hash = (hash ^ work->items[i].key) * 1099511628211u;
	return hash;
}

static void bench_sort(bench *b, const char *name, int count)
{
	if (!bench_wants(b, name))
		return;
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	sort_work work = {
		.source = RBL_NEW(&allocator, rbl_sort_item, count),
		.items = RBL_NEW(&allocator, rbl_sort_item, count),
		.scratch = RBL_NEW(&allocator, rbl_sort_item, count),
		.count = count,
	};
	if (work.source && work.items && work.scratch) {
		rbl_random random = rbl_random_from_seed(1);
		for (int i = 0; i < count; ++i)
			work.source[i] = (rbl_sort_item){ rbl_random_u32(&random), (uint32_t)i };
		bench_job job = { .run = sort_by_radix,
			              .prepare = shuffle_items,
			              .context = &work,
			              .hash = hash_keys,
			              .items = count,
			              .unit = "ns" };
		bench_time(b, name, "rubble", &job);
		job.run = sort_by_qsort;
		bench_time(b, name, "qsort", &job);
	} else {
		bench_fail(b, name, "rubble", "out of memory");
	}
	RBL_FREE(&allocator, work.scratch, count);
	RBL_FREE(&allocator, work.items, count);
	RBL_FREE(&allocator, work.source, count);
}

static void run(bench *b)
{
	bench_sort(b, "sort_1k", 1000);
	bench_sort(b, "sort_1M", 1000000);
}

const bench_suite bench_suite_base = { "base", "sorts against libc", run };
