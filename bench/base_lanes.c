// SPDX-License-Identifier: MIT
//
// Lane benchmarks: the same kernels in each back end that this processor has. The hash says that
// all of them gave the same bits.

#include "base_lanes.h"

#include "base/hash.h"
#include "base/random.h"

enum { BOXES = 4096, QUERIES = 16 };

typedef struct lane_work {
	float lower[3][BOXES], upper[3][BOXES];
	lane_boxes boxes;
	rbl_backend backend;
	int counts[QUERIES];
	float sum;
} lane_work;

static void count_overlaps(void *context)
{
	lane_work *work = context;
	for (int i = 0; i < QUERIES; ++i)
		work->counts[i] = RBL_KERNEL_OF(bench_count_overlaps, work->backend)(&work->boxes, i);
}

static void sum_squares(void *context)
{
	lane_work *work = context;
	work->sum = RBL_KERNEL_OF(bench_sum_squares, work->backend)(work->lower[0], BOXES);
}

static uint64_t hash_work(void *context)
{
	const lane_work *work = context;
	uint64_t hash = rbl_hash_bytes(RBL_HASH_START, work->counts, sizeof work->counts);
	return rbl_hash_bytes(hash, &work->sum, sizeof work->sum);
}

static void fill(lane_work *work)
{
	rbl_random random = rbl_random_from_seed(3);
	for (int axis = 0; axis < 3; ++axis) {
		for (int i = 0; i < BOXES; ++i) {
			work->lower[axis][i] = 10.0f * rbl_random_float(&random);
			work->upper[axis][i] = work->lower[axis][i] + rbl_random_float(&random);
		}
		work->boxes.lower[axis] = work->lower[axis];
		work->boxes.upper[axis] = work->upper[axis];
	}
	work->boxes.count = BOXES;
}

static void bench_kernel(bench *b, lane_work *work, const char *name, void (*run)(void *),
                         double items)
{
	if (!bench_wants(b, name))
		return;
	memset(work->counts, 0, sizeof work->counts);
	work->sum = 0.0f;
	rbl_backend best = rbl_best_backend();
	for (int backend = (int)best; backend >= RBL_BACKEND_PLAIN; --backend) {
		work->backend = (rbl_backend)backend;
		bench_time(
			b, name, rbl_backend_name(work->backend),
			&(bench_job){
				.run = run, .context = work, .hash = hash_work, .items = items, .unit = "ns" });
	}
}

void bench_base_lanes(bench *b)
{
	static lane_work work;
	fill(&work);
	bench_kernel(b, &work, "lanes_box_overlap", count_overlaps, (double)QUERIES * BOXES);
	bench_kernel(b, &work, "lanes_sum_squares", sum_squares, BOXES);
}
