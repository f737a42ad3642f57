// SPDX-License-Identifier: MIT
//
// The base room: sort, hash map, hashes, jobs, lanes and memory, against what libc offers where it
// has something to offer.

#include "bench.h"

#include "base_lanes.h"

#include "base/hash.h"
#include "base/id_pool.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/sort.h"

#include <rubble/jobs.h>

#include <stdio.h>
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
	uint64_t hash = RBL_HASH_START;
	for (int i = 0; i < work->count; ++i)
		hash = rbl_hash_number(hash, work->items[i].key);
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

// --- hash map --------------------------------------------------------------------------------

typedef struct map_work {
	rbl_allocator allocator;
	rbl_map map;
	uint64_t *keys;          // to look up or add, in random order
	rbl_sort_item64 *sorted; // the same by key, for the search that needs no map
	int count;
	uint64_t sum;
} map_work;

static void empty_map(void *context)
{
	map_work *work = context;
	rbl_map_free(&work->allocator, &work->map);
	work->sum = 0;
}

static void fill_map(void *context)
{
	map_work *work = context;
	for (int i = 0; i < work->count; ++i)
		rbl_map_set(&work->allocator, &work->map, work->keys[i], (uint32_t)i);
	work->sum = (uint64_t)work->map.count;
}

static void look_up_in_map(void *context)
{
	map_work *work = context;
	uint64_t sum = 0;
	for (int i = 0; i < work->count; ++i)
		sum += rbl_map_get(&work->map, work->keys[i]);
	work->sum = sum;
}

static int compare_keys(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = ((const rbl_sort_item64 *)b)->key;
	return (x > y) - (x < y);
}

static void look_up_by_bsearch(void *context)
{
	map_work *work = context;
	uint64_t sum = 0;
	for (int i = 0; i < work->count; ++i) {
		const rbl_sort_item64 *found = bsearch(&work->keys[i], work->sorted, (size_t)work->count,
		                                       sizeof *work->sorted, compare_keys);
		sum += found ? found->value : RBL_MAP_NONE;
	}
	work->sum = sum;
}

static uint64_t map_sum(void *context)
{
	return ((const map_work *)context)->sum;
}

static bool create_map_work(map_work *work, int count)
{
	*work = (map_work){ .allocator = rbl_allocator_or_default(NULL), .count = count };
	work->keys = RBL_NEW(&work->allocator, uint64_t, count);
	work->sorted = RBL_NEW(&work->allocator, rbl_sort_item64, count);
	rbl_sort_item64 *scratch = RBL_NEW(&work->allocator, rbl_sort_item64, count);
	bool is_ready = work->keys && work->sorted && scratch;
	rbl_random random = rbl_random_from_seed(2);
	for (int i = 0; is_ready && i < count; ++i) {
		work->keys[i] = rbl_random_u64(&random);
		work->sorted[i] = (rbl_sort_item64){ work->keys[i], (uint32_t)i, 0 };
	}
	if (is_ready)
		rbl_sort64(work->sorted, scratch, count);
	RBL_FREE(&work->allocator, scratch, count);
	return is_ready;
}

static void destroy_map_work(map_work *work)
{
	rbl_map_free(&work->allocator, &work->map);
	RBL_FREE(&work->allocator, work->sorted, work->count);
	RBL_FREE(&work->allocator, work->keys, work->count);
}

static void bench_map(bench *b, const char *fill_name, const char *get_name, int count)
{
	bool wants_fill = bench_wants(b, fill_name), wants_get = bench_wants(b, get_name);
	if (!wants_fill && !wants_get)
		return;
	map_work work;
	if (!create_map_work(&work, count)) {
		bench_fail(b, fill_name, "rubble", "out of memory");
		destroy_map_work(&work);
		return;
	}
	bench_job job = { .run = fill_map,
		              .prepare = empty_map,
		              .context = &work,
		              .hash = map_sum,
		              .items = count,
		              .unit = "ns" };
	if (wants_fill)
		bench_time(b, fill_name, "rubble", &job);
	else
		fill_map(&work);
	job.prepare = NULL;
	job.run = look_up_in_map;
	if (wants_get) {
		bench_time(b, get_name, "rubble", &job);
		job.run = look_up_by_bsearch;
		bench_time(b, get_name, "bsearch", &job);
	}
	destroy_map_work(&work);
}

// --- hash of bytes -----------------------------------------------------------------------------

enum { HASHED_BYTES = 1 << 16 };

typedef struct hash_work {
	unsigned char bytes[HASHED_BYTES];
	uint64_t hash;
} hash_work;

static void hash_all_bytes(void *context)
{
	hash_work *work = context;
	work->hash = rbl_hash_bytes(RBL_HASH_START, work->bytes, HASHED_BYTES);
}

static uint64_t hash_of_bytes(void *context)
{
	return ((const hash_work *)context)->hash;
}

static void bench_hash_bytes(bench *b)
{
	if (!bench_wants(b, "hash_64KiB"))
		return;
	static hash_work work;
	for (int i = 0; i < HASHED_BYTES; ++i)
		work.bytes[i] = (unsigned char)(i * 31 >> 3);
	double ns = bench_time(
		b, "hash_64KiB", "rubble",
		&(bench_job){
			.run = hash_all_bytes, .context = &work, .hash = hash_of_bytes, .unit = "ns" });
	if (ns > 0.0)
		bench_row(b, "hash_64KiB", "rubble", "rate", HASHED_BYTES / ns, "GB/s");
}

// --- jobs --------------------------------------------------------------------------------------

enum { COMPUTE_BLOCKS = 256, COMPUTE_STEPS = 20000, EMPTY_BLOCKS = 8 };

typedef struct jobs_work {
	rbl_jobs *jobs;
	uint64_t results[COMPUTE_BLOCKS];
} jobs_work;

static void empty_block(void *context, int begin, int end, int worker)
{
	(void)context, (void)begin, (void)end, (void)worker;
}

static void run_empty_loop(void *context)
{
	const jobs_work *work = context;
	rbl_parallel_for(work->jobs, EMPTY_BLOCKS, 1, empty_block, NULL);
}

// Long enough for every worker to fall asleep.
static void let_workers_sleep(void *context)
{
	(void)context;
	uint64_t start = bench_now_ns();
	while (bench_now_ns() - start < 1000000)
		;
}

static void compute_block(void *context, int begin, int end, int worker)
{
	jobs_work *work = context;
	(void)worker;
	for (int i = begin; i < end; ++i) {
		uint64_t value = (uint64_t)i;
		for (int k = 0; k < COMPUTE_STEPS; ++k)
			value = rbl_hash_mix(value);
		work->results[i] = value;
	}
}

static void run_compute_loop(void *context)
{
	jobs_work *work = context;
	rbl_parallel_for(work->jobs, COMPUTE_BLOCKS, 1, compute_block, work);
}

static uint64_t hash_results(void *context)
{
	const jobs_work *work = context;
	return rbl_hash_bytes(RBL_HASH_START, work->results, sizeof work->results);
}

static const char *workers_text(int count)
{
	static char text[32];
	snprintf(text, sizeof text, "%d worker%s", count, count == 1 ? "" : "s");
	return text;
}

static void bench_jobs_with(bench *b, int worker_count, double *one_worker_time)
{
	jobs_work work = { 0 };
	rbl_jobs_def def = rbl_default_jobs_def();
	def.worker_count = worker_count;
	const char *variant = workers_text(worker_count);
	if (rbl_create_jobs(&def, &work.jobs) != RBL_OK) {
		bench_fail(b, "jobs_empty", variant, "no pool");
		return;
	}
	bench_job job = { .run = run_empty_loop, .context = &work, .unit = "us" };
	if (bench_wants(b, "jobs_empty"))
		bench_time(b, "jobs_empty", variant, &job);
	job.prepare = let_workers_sleep;
	if (bench_wants(b, "jobs_empty_asleep"))
		bench_time(b, "jobs_empty_asleep", variant, &job);
	if (bench_wants(b, "jobs_compute")) {
		double time = bench_time(
			b, "jobs_compute", variant,
			&(bench_job){
				.run = run_compute_loop, .context = &work, .hash = hash_results, .calls = 1 });
		if (worker_count == 1)
			*one_worker_time = time;
		if (time > 0.0 && *one_worker_time > 0.0)
			bench_row(b, "jobs_compute", variant, "speedup", *one_worker_time / time, "x");
	}
	rbl_destroy_jobs(work.jobs);
}

// --- scratch memory and ids ------------------------------------------------------------------

enum { PIECES = 1000 };

typedef struct memory_work {
	rbl_arena arena;
	rbl_allocator allocator;
	rbl_id_pool pool;
	void *pieces[PIECES];
	rbl_id ids[PIECES];
} memory_work;

static size_t piece_size(int i)
{
	return (size_t)(32 + i * 7 % 480);
}

static void use_arena(void *context)
{
	memory_work *work = context;
	for (int i = 0; i < PIECES; ++i)
		work->pieces[i] = rbl_arena_allocate(&work->arena, piece_size(i), 1);
	bench_keep(work->pieces);
	rbl_arena_reset(&work->arena);
}

static void use_malloc(void *context)
{
	memory_work *work = context;
	for (int i = 0; i < PIECES; ++i)
		work->pieces[i] = malloc(piece_size(i));
	bench_keep(work->pieces);
	for (int i = 0; i < PIECES; ++i)
		free(work->pieces[i]);
}

// Half of the ids die and are born again, in an order of leaps.
static void use_ids(void *context)
{
	memory_work *work = context;
	for (int i = 0; i < PIECES; i += 2)
		rbl_id_pool_remove(&work->pool, work->ids[i * 7 % PIECES]);
	for (int i = 0; i < PIECES; i += 2) {
		rbl_id id = rbl_id_pool_add(&work->allocator, &work->pool);
		work->ids[id.index] = id;
	}
}

static void bench_memory(bench *b)
{
	static memory_work work;
	work.allocator = rbl_allocator_or_default(NULL);
	if (bench_wants(b, "allocate")) {
		rbl_arena_init(&work.arena, &work.allocator, 1 << 16);
		bench_job job = { .run = use_arena, .context = &work, .items = PIECES, .unit = "ns" };
		bench_time(b, "allocate", "arena", &job);
		job.run = use_malloc;
		bench_time(b, "allocate", "malloc", &job);
		rbl_arena_destroy(&work.arena);
	}
	if (bench_wants(b, "ids")) {
		for (int i = 0; i < PIECES; ++i)
			work.ids[i] = rbl_id_pool_add(&work.allocator, &work.pool);
		bench_time(
			b, "ids", "rubble",
			&(bench_job){ .run = use_ids, .context = &work, .items = PIECES / 2, .unit = "ns" });
		rbl_id_pool_free(&work.allocator, &work.pool);
	}
}

static void run(bench *b)
{
	bench_sort(b, "sort_1k", 1000);
	bench_sort(b, "sort_1M", 1000000);
	bench_map(b, "map_fill_1k", "map_get_1k", 1000);
	bench_map(b, "map_fill_1M", "map_get_1M", 1000000);
	bench_hash_bytes(b);
	double one_worker_time = 0.0;
	for (int worker_count = 1; worker_count <= 2; ++worker_count)
		bench_jobs_with(b, worker_count, &one_worker_time);
	bench_base_lanes(b);
	bench_memory(b);
}

const bench_suite bench_suite_base = { "base", "sort, map, hash, jobs, lanes, memory", run };
