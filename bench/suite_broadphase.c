// SPDX-License-Identifier: MIT
//
// Broad phases on the streams of tests/scenes: our kinds, baselines written here, and ODE and
// Bullet when they are installed. Every baseline sees the same boxes bit for bit; pairs it lists
// are tested against the boxes. One of our kinds that misses a pair fails, others get a row
// `wrong_pairs`.
//
// A step's time is the minimum over the repetitions of the stream; step 0, the build, is left out
// of the means. The metric `steps` says how many steps were measured, `steps_of_stream` how many
// there are: our kinds run all of them, baselines as many as fit into a second of processor time, or into
// 20 s (--thorough: half a minute) where the stream is small or of rubble, and none where a single step
// would take minutes.
//
// The cases adjust-... compare the tree as it adjusts itself with one that is built anew every so many
// steps, one that is frozen, and ones that lack an operator: total and worst step over 6,000 steps of the
// paper's simulations and of streams that force one operator each.
//
// The cases workers-... compare one and two workers by wall time. Beside them is the same for
// plain arithmetic, which is all that two workers can gain on the machine while it is measured.

#define _DEFAULT_SOURCE // clock_gettime

#include "bench.h"
#include "broadphase_baseline.h"

#include <rubble/jobs.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct broadphase_case {
	const char *name;
	stream_scene scene;
	int count;
	int steps;    // 0: as published figures
	bool is_slow; // left out of --quick
} broadphase_case;

// Processor time of a baseline, for all repetitions of a case.
#define RIVAL_SECONDS 1.0

// The same on small streams and on those of rubble, which others shall run to the end.
#define WHOLE_SECONDS 20.0
#define THOROUGH_SECONDS 30.0

// Ours run all of a stream, and again as long as they took less than this.
#define REPEAT_SECONDS 3.0

// The histories: what a baseline may take for one, and the steps that a point of a curve is the mean of.
#define HISTORY_SECONDS 40.0
#define OCTREE_SECONDS 5.0 // of the loose octree, unless all is wanted
enum {
	HISTORY_STEPS = 6000,
	HISTORY_QUICK_STEPS = 300,
	HISTORY_WINDOW = 100,
	HISTORY_QUICK_WINDOW = 10
};

static const broadphase_case cases[] = {
	{ "S1-1000", STREAM_TERRAIN, 1000, 0, false },
	{ "S1-4250", STREAM_TERRAIN, 4250, 0, false },
	{ "S1-20000", STREAM_TERRAIN, 20000, 0, false },
	{ "S1-100000", STREAM_TERRAIN, 100000, 0, true },
	{ "S2-1000", STREAM_CLOUDS, 1000, 0, false },
	{ "S2-4250", STREAM_CLOUDS, 4250, 0, false },
	{ "S2-20000", STREAM_CLOUDS, 20000, 0, false },
	{ "S2-100000", STREAM_CLOUDS, 100000, 0, true },
	{ "S3-4250", STREAM_BLOCKS, 4250, 0, false },
	{ "S3-24786", STREAM_BLOCKS, 24786, 0, false },
	{ "S4-1000", STREAM_BUCKETS, 1000, 0, false },
	{ "S4-4250", STREAM_BUCKETS, 4250, 0, false },
	{ "S4-20000", STREAM_BUCKETS, 20000, 0, false },
	{ "S4-100000", STREAM_BUCKETS, 100000, 0, true },
	{ "S5-20000", STREAM_RUBBLE, 20000, 900, false },
	{ "S5-100000", STREAM_RUBBLE, 100000, 900, true },
	{ "S6-20000", STREAM_SIZES, 20000, 0, false },
	{ "S7-20000", STREAM_PILE, 20000, 0, false },
};

// One worker against two.
static const broadphase_case workers_cases[] = {
	{ "workers-S1-20000", STREAM_TERRAIN, 20000, 60, false },
	{ "workers-S1-100000", STREAM_TERRAIN, 100000, 40, true },
	{ "workers-S2-20000", STREAM_CLOUDS, 20000, 60, false },
	{ "workers-S2-100000", STREAM_CLOUDS, 100000, 40, true },
	{ "workers-S4-20000", STREAM_BUCKETS, 20000, 60, false },
	{ "workers-S4-100000", STREAM_BUCKETS, 100000, 40, true },
	{ "workers-S5-100000", STREAM_RUBBLE, 100000, 91, true },
	{ "workers-S7-20000", STREAM_PILE, 20000, 60, false },
};

// The paper's four simulations over 6,000 steps (Luque et al. 2005, Figures 12 and 13): times as curves.
static const broadphase_case history_cases[] = {
	{ "history-S1", STREAM_TERRAIN, 4250, HISTORY_STEPS, false },
	{ "history-S2", STREAM_CLOUDS, 4250, HISTORY_STEPS, false },
	{ "history-S3", STREAM_BLOCKS, 4250, HISTORY_STEPS, false },
	{ "history-S4", STREAM_BUCKETS, 4250, HISTORY_STEPS, false },
};

// The same, and S8 to S12, each of which forces an operator.
static const broadphase_case adjust_cases[] = {
	{ "adjust-S1", STREAM_TERRAIN, 4250, HISTORY_STEPS, false },
	{ "adjust-S2", STREAM_CLOUDS, 4250, HISTORY_STEPS, false },
	{ "adjust-S3", STREAM_BLOCKS, 4250, HISTORY_STEPS, false },
	{ "adjust-S4", STREAM_BUCKETS, 4250, HISTORY_STEPS, false },
	{ "adjust-S8-split", STREAM_SLABS, 4250, HISTORY_STEPS, false },
	{ "adjust-S9-shift-split", STREAM_CORRIDOR, 4250, HISTORY_STEPS, false },
	{ "adjust-S10-balance", STREAM_TIDE, 4250, HISTORY_STEPS, false },
	{ "adjust-S11-swap", STREAM_CURTAIN, 4250, HISTORY_STEPS, false },
	{ "adjust-S12-merge", STREAM_EBB, 4250, HISTORY_STEPS, false },
};

// The settings of the BSP, one changed at a time.
static const broadphase_case settings_cases[] = {
	{ "settings-S1-4250", STREAM_TERRAIN, 4250, 0, false },
	{ "settings-S2-4250", STREAM_CLOUDS, 4250, 0, false },
	{ "settings-S5-20000", STREAM_RUBBLE, 20000, 151, false },
};

typedef struct times {
	uint64_t *total, *update, *pairs; // per step, minimum over repetitions
	uint64_t *listed_pairs;           // per step, true or not
	int step_count;                   // of the stream
	int done;                         // steps that were measured
	double listed, genuine;           // per step, mean
	long long wrong;                  // true pairs missed or listed twice, all steps
	double work_ms, work_boxes;
	size_t memory;
	int depth;
	int64_t operators[5]; // of ours: split, shift-split, balance, swap, merge
	bool counts_operators;
	bench_allowance allowance; // of all runs
} times;

// True pairs of every step, as the first variant of a case found them: others must list the same.
typedef struct truth {
	int64_t *pairs;
	int count; // steps known
} truth;

typedef struct pair_count {
	const stream *s;
	int64_t listed, genuine;
} pair_count;

static bool overlap(const rbl_box *a, const rbl_box *b)
{
	return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y &&
	       b->lower.y <= a->upper.y && a->lower.z <= b->upper.z && b->lower.z <= a->upper.z;
}

static void count_pair(void *context, int a, int b)
{
	pair_count *count = context;
	const stream *s = count->s;
	count->listed++;
	count->genuine += overlap(&s->boxes[a], &s->boxes[b]) &&
	                  !(s->kinds[a] == STREAM_STATIC && s->kinds[b] == STREAM_STATIC);
}

// Processor time of this thread: the baselines use one, and other programs may use the machine.
static uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void keep_least(uint64_t *slot, uint64_t value, bool is_first)
{
	if (is_first || value < *slot)
		*slot = value;
}

// A heap is asked for its size once in so many steps: the C library walks all its free blocks then.
enum { HEAP_STEPS = 64 };

// Run a stream as far as the limit allows, the first run at least to step 1.
// @return false when the baseline cannot
static bool run_once(const baseline *r, const broadphase_case *c, times *t, truth *known,
                     bool is_first)
{
	stream s;
	if (!stream_open(&s, c->scene, c->count, t->step_count, 1))
		return false;
	size_t heap = bench_heap_in_use(), peak = 0;
	void *self = r->create(&s);
	if (!self) {
		stream_close(&s);
		return false;
	}
	pair_count count = { &s, 0, 0 };
	int most = is_first ? t->step_count : t->done;
	while (s.step + 1 < most && (bench_may_go_on(&t->allowance) || (is_first && s.step < 1)) &&
	       stream_next(&s)) {
		uint64_t start = now_ns();
		r->insert(self, &s);
		uint64_t middle = now_ns();
		r->find(self, &s);
		uint64_t end = now_ns();
		keep_least(&t->update[s.step], middle - start, is_first);
		keep_least(&t->pairs[s.step], end - middle, is_first);
		keep_least(&t->total[s.step], end - start, is_first);
		t->allowance.used_ns += end - start;
		if (!is_first)
			continue;
		t->done = s.step + 1;
		t->listed_pairs[s.step] = 0;
		if (s.step > 0) {
			int64_t before = count.genuine, listed = count.listed;
			r->each(self, count_pair, &count);
			t->listed_pairs[s.step] = (uint64_t)(count.listed - listed);
			int64_t found = count.genuine - before;
			if (s.step >= known->count)
				known->pairs[known->count++] = found;
			t->wrong += llabs(known->pairs[s.step] - found);
		}
		if (r->memory || s.step % HEAP_STEPS == 0) {
			size_t now = r->memory ? r->memory(self) : bench_heap_in_use() - heap;
			peak = now > peak ? now : peak;
		}
		if (r->work)
			r->work(self, &t->work_ms, &t->work_boxes);
	}
	if (is_first && t->done > 1) {
		t->listed = (double)count.listed / (t->done - 1);
		t->genuine = (double)count.genuine / (t->done - 1);
		t->memory = peak;
		t->depth = r->depth ? r->depth(self) : 0;
		if (t->counts_operators)
			broadphase_count_operators(self, t->operators);
	}
	r->destroy(self);
	stream_close(&s);
	return true;
}

static int compare_times(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static double mean_of(const uint64_t *samples, int count)
{
	double sum = 0.0;
	for (int i = 0; i < count; ++i)
		sum += (double)samples[i];
	return count > 0 ? sum / count : 0.0;
}

static double mean_ms(const uint64_t *samples, int count)
{
	return mean_of(samples, count) * 1e-6;
}

static void report(bench *b, const char *name, const char *variant, times *t)
{
	int count = t->done - 1; // without the build
	double build = (double)t->total[0] * 1e-6, mean = mean_ms(t->total + 1, count);
	bench_row(b, name, variant, "ms_mean", mean, "ms");
	bench_row(b, name, variant, "update_ms", mean_ms(t->update + 1, count), "ms");
	bench_row(b, name, variant, "pairs_ms", mean_ms(t->pairs + 1, count), "ms");
	qsort(t->total + 1, (size_t)count, sizeof *t->total, compare_times);
	double median = (double)t->total[1 + count / 2] * 1e-6;
	double worst = (double)t->total[count] * 1e-6;
	bench_row(b, name, variant, "ms_median", median, "ms");
	bench_row(b, name, variant, "ms_p99", (double)t->total[1 + count * 99 / 100] * 1e-6, "ms");
	bench_row(b, name, variant, "ms_worst", worst, "ms");
	bench_row(b, name, variant, "worst_over_median", worst / median, "");
	bench_row(b, name, variant, "build_ms", build, "ms");
	bench_row(b, name, variant, "pairs", t->listed, "");
	bench_row(b, name, variant, "true_pairs", t->genuine, "");
	bench_row(b, name, variant, "memory_bytes", (double)t->memory, "B");
	bench_row(b, name, variant, "depth", t->depth, "");
	bench_row(b, name, variant, "steps", count, "");
	bench_row(b, name, variant, "steps_of_stream", t->step_count - 1, "");
	if (t->work_boxes > 0.0)
		bench_row(b, name, variant, "ns_per_box", t->work_ms * 1e6 / t->work_boxes, "ns");
}

static times new_times(int steps)
{
	size_t size = (size_t)steps * sizeof(uint64_t);
	return (times){
		.total = malloc(size),
		.update = malloc(size),
		.pairs = malloc(size),
		.listed_pairs = malloc(size),
		.step_count = steps,
	};
}

static void free_times(times *t)
{
	free(t->total);
	free(t->update);
	free(t->pairs);
	free(t->listed_pairs);
}

static int steps_of(const bench *b, const broadphase_case *c)
{
	int steps = c->steps ? c->steps : stream_default_steps(c->scene, c->count);
	bool is_cut = bench_is_quick(b) && steps > 60 && c->scene != STREAM_BLOCKS; // S3 breaks late
	return is_cut ? 60 : steps;
}

static void run_baseline(bench *b, const broadphase_case *c, const baseline *r, bool is_ours,
                         truth *known)
{
	int most = bench_is_quick(b) ? r->most_boxes / 4 : r->most_boxes;
	if (most > 0 && c->count > most) {
		bench_row(b, c->name, r->name, "steps", 0, "");
		return;
	}
	int repeat = bench_repeat(b) > 0 ? bench_repeat(b) : bench_is_quick(b) ? 1 : 3;
	times t = new_times(steps_of(b, c));
	bool is_whole = !bench_is_quick(b) && r != &baseline_loose_octree &&
	                (c->count <= 4250 || c->scene == STREAM_RUBBLE);
	double whole = bench_is_thorough(b) ? THOROUGH_SECONDS : WHOLE_SECONDS;
	t.allowance = bench_allow(b, is_ours ? 0.0 : is_whole ? whole : RIVAL_SECONDS);
	bool ok = run_once(r, c, &t, known, true);
	uint64_t most_ns = bench_allow(b, is_ours ? REPEAT_SECONDS : RIVAL_SECONDS).limit_ns;
	for (int i = 1; i < repeat && ok && t.allowance.used_ns <= most_ns; ++i)
		ok = run_once(r, c, &t, known, false);
	if (!ok)
		bench_fail(b, c->name, r->name, "it cannot run this stream");
	else
		report(b, c->name, r->name, &t);
	if (t.wrong > 0 && is_ours)
		bench_fail(b, c->name, r->name, "it does not list the same true pairs");
	else if (t.wrong > 0) // ODE's hash space misses one now and then
		bench_row(b, c->name, r->name, "wrong_pairs", (double)t.wrong, "");
	free_times(&t);
}

enum { MOST_RIVALS = 16, OUR_KINDS = 3 };

static int list_baselines(const baseline **baselines)
{
	static const baseline *const own[] = { &baseline_bsp,          &baseline_bsp_directions,
		                                   &baseline_tree,         &baseline_strips,
		                                   &baseline_loose_octree, NULL };
	int count = 0;
	for (int i = 0; own[i]; ++i)
		baselines[count++] = own[i];
#ifdef RBL_HAVE_PEERS
	for (int i = 0; broadphase_peers[i] && count < MOST_RIVALS; ++i)
		baselines[count++] = broadphase_peers[i];
#endif
	return count;
}

static void run_settings(bench *b)
{
	for (size_t i = 0; i < sizeof settings_cases / sizeof settings_cases[0]; ++i) {
		const broadphase_case *c = &settings_cases[i];
		if (!bench_wants(b, c->name))
			continue;
		truth known = { malloc((size_t)steps_of(b, c) * sizeof(int64_t)), 1 };
		for (int k = 0; broadphase_settings[k]; ++k)
			run_baseline(b, c, broadphase_settings[k], true, &known);
		free(known.pairs);
	}
}

// Run a stream once more, keeping the least wall time of each step.
static bool run_wall(const baseline *r, const broadphase_case *c, times *t, bool is_first)
{
	stream s;
	if (!stream_open(&s, c->scene, c->count, t->step_count, 1))
		return false;
	void *self = r->create(&s);
	while (self && stream_next(&s)) {
		uint64_t start = bench_now_ns();
		r->insert(self, &s);
		r->find(self, &s);
		keep_least(&t->total[s.step], bench_now_ns() - start, is_first);
	}
	if (self)
		r->destroy(self);
	stream_close(&s);
	return self != NULL;
}

static void calculate(void *context, int begin, int end, int worker)
{
	(void)worker;
	float *sums = context;
	for (int i = begin; i < end; ++i) {
		float sum = (float)i;
		for (int k = 0; k < 100000; ++k)
			sum = sum * 0.999f + 1.0f;
		sums[16 * i] = sum; // a cache line each
	}
}

// The least time of four loops without memory.
static void time_arithmetic(rbl_jobs *jobs, uint64_t *least)
{
	float sums[4 * 16];
	uint64_t start = bench_now_ns();
	rbl_parallel_for(jobs, 4, 1, calculate, sums);
	bench_keep(sums);
	keep_least(least, bench_now_ns() - start, *least == 0);
}

// One worker and two take turns, so that what else the machine does meets both.
static void run_workers(bench *b)
{
	const baseline *const baselines[2] = { &baseline_bsp, &baseline_bsp_2 };
	rbl_jobs_def def = rbl_default_jobs_def();
	rbl_jobs *jobs = NULL;
	def.worker_count = 2;
	rbl_create_jobs(&def, &jobs);
	for (size_t i = 0; i < sizeof workers_cases / sizeof workers_cases[0]; ++i) {
		const broadphase_case *c = &workers_cases[i];
		if ((c->is_slow && bench_is_quick(b)) || !bench_wants(b, c->name))
			continue;
		int repeat = bench_repeat(b) > 0 ? bench_repeat(b) : bench_is_quick(b) ? 2 : 3;
		times t[2] = { new_times(steps_of(b, c)), new_times(steps_of(b, c)) };
		uint64_t arithmetic[2] = { 0, 0 };
		bool ok = true;
		for (int k = 0; k < 2 * repeat && ok; ++k) {
			ok = run_wall(baselines[k & 1], c, &t[k & 1], k < 2);
			time_arithmetic(k & 1 ? jobs : NULL, &arithmetic[k & 1]);
		}
		double one = mean_ms(t[0].total + 1, t[0].step_count - 1);
		double two = mean_ms(t[1].total + 1, t[1].step_count - 1);
		if (ok) {
			bench_row(b, c->name, baselines[0]->name, "wall_ms", one, "ms");
			bench_row(b, c->name, baselines[1]->name, "wall_ms", two, "ms");
			bench_row(b, c->name, baselines[1]->name, "speedup", one / two, "");
			bench_row(b, c->name, "arithmetic", "speedup",
			          (double)arithmetic[0] / (double)arithmetic[1], "");
		}
		free_times(&t[0]);
		free_times(&t[1]);
	}
	rbl_destroy_jobs(jobs);
}

// What takes long: of several kinds that a library has, an ordinary run has the one that is the fastest
// on the paper's simulations.
static bool is_for_long_cases(const bench *b, const baseline *r)
{
	static const char *const slower[] = { "ode-hash", "ode-quad", "bullet-sap" };
	bool is_slower = false;
	for (size_t i = 0; i < sizeof slower / sizeof slower[0]; ++i)
		is_slower |= strcmp(r->name, slower[i]) == 0;
	return bench_is_thorough(b) || !is_slower;
}

// Every step once, and means over windows of steps.
static void run_history(bench *b, const broadphase_case *c, const baseline *r, bool is_ours,
                        truth *known)
{
	int steps = bench_is_quick(b) ? HISTORY_QUICK_STEPS : c->steps;
	int window = bench_is_quick(b) ? HISTORY_QUICK_WINDOW : HISTORY_WINDOW;
	times t = new_times(steps);
	double seconds = bench_is_quick(b)                                      ? RIVAL_SECONDS
	                 : r == &baseline_loose_octree && !bench_is_thorough(b) ? OCTREE_SECONDS
	                                                                        : HISTORY_SECONDS;
	t.allowance = bench_allow(b, is_ours ? 0.0 : seconds);
	if (!run_once(r, c, &t, known, true)) {
		bench_fail(b, c->name, r->name, "it cannot run this stream");
	} else {
		for (int end = window; end <= t.done; end += window) {
			const int at = end - window;
			bench_point(b, c->name, r->name, "ms", end, mean_ms(t.total + at, window), "ms");
			bench_point(b, c->name, r->name, "update_ms", end, mean_ms(t.update + at, window),
			            "ms");
			bench_point(b, c->name, r->name, "pairs_ms", end, mean_ms(t.pairs + at, window), "ms");
			bench_point(b, c->name, r->name, "pairs", end, mean_of(t.listed_pairs + at, window),
			            "");
		}
		report(b, c->name, r->name, &t);
	}
	free_times(&t);
}

static void run_histories(bench *b, const baseline *const *baselines, int count)
{
	for (size_t i = 0; i < sizeof history_cases / sizeof history_cases[0]; ++i) {
		const broadphase_case *c = &history_cases[i];
		if (!bench_wants(b, c->name))
			continue;
		truth known = { malloc((size_t)c->steps * sizeof(int64_t)), 1 };
		for (int k = 0; k < count; ++k)
			if (is_for_long_cases(b, baselines[k]))
				run_history(b, c, baselines[k], k < OUR_KINDS, &known);
		free(known.pairs);
	}
}

// Variants take turns, so that what else the machine does meets all of them; a step's time is the least
// of its repetitions.
static void run_adjusting(bench *b, const broadphase_case *c)
{
	static const char *const operators[5] = { "splits", "shift_splits", "balances", "swaps",
		                                      "merges" };
	enum { MOST_VARIANTS = 16 };
	const int steps = bench_is_quick(b) ? HISTORY_QUICK_STEPS : c->steps;
	int repeat = bench_repeat(b) > 0 ? bench_repeat(b) : bench_is_quick(b) ? 1 : 2, count = 0;
	truth known = { malloc((size_t)steps * sizeof(int64_t)), 1 };
	times t[MOST_VARIANTS];
	for (; broadphase_adjusting[count]; ++count) {
		t[count] = new_times(steps);
		t[count].allowance = bench_allow(b, 0.0);
		t[count].counts_operators = true;
	}
	for (int i = 0; i < repeat; ++i) {
		for (int k = 0; k < count; ++k)
			if (!run_once(broadphase_adjusting[k], c, &t[k], &known, i == 0))
				bench_fail(b, c->name, broadphase_adjusting[k]->name, "it cannot run this stream");
	}
	for (int k = 0; k < count; ++k) {
		const char *name = broadphase_adjusting[k]->name;
		uint64_t worst = 0;
		for (int i = 1; i < t[k].done; ++i) // without the build
			worst = t[k].total[i] > worst ? t[k].total[i] : worst;
		bench_row(b, c->name, name, "ms_total",
		          mean_ms(t[k].total + 1, t[k].done - 1) * (t[k].done - 1), "ms");
		bench_row(b, c->name, name, "ms_worst", (double)worst * 1e-6, "ms");
		bench_row(b, c->name, name, "steps", t[k].done - 1, "");
		for (int i = 0; i < 5 && k == 0; ++i)
			bench_row(b, c->name, name, operators[i], (double)t[k].operators[i], "");
		if (t[k].wrong > 0)
			bench_fail(b, c->name, name, "it does not list the same true pairs");
		free_times(&t[k]);
	}
	free(known.pairs);
}

static void run(bench *b)
{
	const baseline *baselines[MOST_RIVALS];
	int baseline_count = list_baselines(baselines);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		const broadphase_case *c = &cases[i];
		if ((c->is_slow && bench_is_quick(b)) || !bench_wants(b, c->name))
			continue;
		truth known = { malloc((size_t)steps_of(b, c) * sizeof(int64_t)), 1 };
		for (int k = 0; k < baseline_count; ++k)
			if (c->scene != STREAM_RUBBLE || is_for_long_cases(b, baselines[k]))
				run_baseline(b, c, baselines[k], k < OUR_KINDS, &known);
		free(known.pairs);
	}
	run_histories(b, baselines, baseline_count);
	for (size_t i = 0; i < sizeof adjust_cases / sizeof adjust_cases[0]; ++i) {
		if (bench_wants(b, adjust_cases[i].name))
			run_adjusting(b, &adjust_cases[i]);
	}
	run_settings(b);
	run_workers(b);
}

const bench_suite bench_suite_broadphase = {
	"broadphase",
	"overlapping boxes on twelve streams: our kinds, sort-and-sweep, loose octree, ODE, Bullet",
	run,
};
