// SPDX-License-Identifier: MIT
//
// How far a step can be shared among workers: what of its work is on the longest chain.
//
// A step is parts that one thread does alone and loops whose blocks any worker may take. The world
// gets a pool of 64 workers whose tasks are kept back, so that one thread does everything, in the
// blocks of 64. What each block takes, and each part between loops, is measured over several
// identical runs, as processor time, and the least counts: what else runs hardly shows. Then a
// loop is dealt out to W workers as the pool does it, block by block to whoever is free first, and
// the chain is the sum of that and of all between. Rows:
//
//     work_ms            of all workers in a step, the mean over the steps that are looked at
//     STAGE_share        a stage's share of it
//     STAGE_serial       what of the step's work is in this stage and in no loop
//     STAGE_chain@W      the stage's chain with W workers, as a share of the stage's work
//     chain@W, gain@W    of the whole step, as a share of its work; how many times faster that is
//     chain_ms_worst_W   the longest chain of a step, chain_ms_p99_W, chain_ms_mean_W: what the
//                        steps would take where nothing disturbs W workers
//     worst_STAGE_ms     what the longest of them consists of with two workers
//
// The cases `budget-...` are worlds that break, with that budget. They have all of this, and:
//
//     steps              of the run
//     breaks             that came off in it
//     break_waits        how many steps later than its hit a break comes off, on average
//
// Caches, memory and the cost of calling a worker are not in it: machines with more cores than two
// have the last word.

#define _DEFAULT_SOURCE // clock_gettime

#include "world_scaling.h"

#include "world_break_scenes.h"
#include "world_frames.h"

#include "base/loop_observer.h"
#include "scenes/rigid_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_STAGES = 32, WORKERS = RBL_MAX_WORKERS, COUNT_KINDS = 7 };

static const int worker_counts[COUNT_KINDS] = { 1, 2, 4, 8, 16, 32, 64 };

// --- what happens ---------------------------------------------------------------------------------

// What was done since the event before it.
typedef struct event {
	uint8_t kind, stage; // an rbl_loop_event, and for RBL_STAGE_ENDS which stage
	uint32_t ns;
} event;

typedef struct recorder {
	const char *variant; // of rows
	rbl_loop_observer observer;
	event *events;
	int count, capacity, depth; // depth: of loops in blocks of loops, which are part of the block
	bool is_first_run, is_same; // whether all runs had the same events
	uint64_t last, clock_ns;    // what a look at the clock takes
	const char *stages[MOST_STAGES];
	int stage_count;
} recorder;

// Of this thread's processor: what else runs does not count.
static uint64_t processor_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t measure_clock(void)
{
	uint64_t least = UINT64_MAX;
	for (int i = 0; i < 1000; ++i) {
		uint64_t start = processor_ns(), ns = processor_ns() - start;
		least = ns < least ? ns : least;
	}
	return least;
}

static int stage_index(recorder *r, const char *name)
{
	int i = 0;
	while (i < r->stage_count && strcmp(r->stages[i], name) != 0)
		i++;
	if (i == r->stage_count && i < MOST_STAGES)
		r->stages[r->stage_count++] = name;
	return i < MOST_STAGES ? i : MOST_STAGES - 1;
}

static void add_event(recorder *r, rbl_loop_event kind, int stage, uint64_t ns)
{
	if (r->count == r->capacity) {
		r->capacity = 2 * r->capacity + 4096;
		r->events = realloc(r->events, (size_t)r->capacity * sizeof *r->events);
		if (!r->events) {
			fprintf(stderr, "rubble: bench: out of memory\n");
			exit(1);
		}
	}
	event *e = &r->events[r->count++];
	event new = { (uint8_t)kind, (uint8_t)stage, ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX };
	if (r->is_first_run) {
		*e = new;
	} else {
		r->is_same &= e->kind == new.kind && e->stage == new.stage;
		e->ns = new.ns < e->ns ? new.ns : e->ns;
	}
}

static void notice(void *user, rbl_loop_event kind, const char *stage)
{
	recorder *r = user;
	if (kind == RBL_LOOP_BEGINS && r->depth++ > 0)
		return;
	if (kind == RBL_LOOP_ENDS && --r->depth > 0)
		return;
	if (kind == RBL_LOOP_BLOCK_ENDS && r->depth > 1)
		return;
	uint64_t now = processor_ns(), ns = now - r->last;
	add_event(r, kind, stage ? stage_index(r, stage) : 0, ns > r->clock_ns ? ns - r->clock_ns : 0);
	r->last = processor_ns();
}

// --- a pool whose tasks are kept back -------------------------------------------------------------

typedef struct kept_tasks {
	rbl_task_function *functions[WORKERS];
	void *tasks[WORKERS];
	int count;
} kept_tasks;

static void keep_task(void *user, rbl_task_function *function, void *task)
{
	kept_tasks *kept = user;
	kept->functions[kept->count] = function;
	kept->tasks[kept->count++] = task;
}

// They find nothing to do.
static void end_tasks(kept_tasks *kept)
{
	for (int i = 0; i < kept->count; ++i)
		kept->functions[i](kept->tasks[i]);
	kept->count = 0;
}

static rbl_jobs *make_pool(kept_tasks *kept)
{
	rbl_jobs_def def = rbl_default_jobs_def();
	def.worker_count = WORKERS;
	def.start_task = keep_task;
	def.user = kept;
	rbl_jobs *jobs = NULL;
	return rbl_create_jobs(&def, &jobs) == RBL_OK ? jobs : NULL;
}

// --- chains ---------------------------------------------------------------------------------------

typedef struct chains {
	double work[MOST_STAGES], serial[MOST_STAGES]; // ns
	double chain[COUNT_KINDS][MOST_STAGES];
	double *step_chain[COUNT_KINDS], *step_work; // by step
	int step_count;
} chains;

// Blocks in order, each to whoever is free first. @return when all are done
static double deal_out(const event *blocks, int count, int workers)
{
	double busy_until[WORKERS] = { 0.0 }, end = 0.0;
	for (int i = 0; i < count; ++i) {
		int first = 0;
		for (int w = 1; w < workers; ++w)
			if (busy_until[w] < busy_until[first])
				first = w;
		busy_until[first] += blocks[i].ns;
		end = busy_until[first] > end ? busy_until[first] : end;
	}
	return end;
}

typedef struct step_part {
	double work, serial, chain[COUNT_KINDS];
} step_part;

static void add_serial(step_part *part, double ns)
{
	part->work += ns, part->serial += ns;
	for (int k = 0; k < COUNT_KINDS; ++k)
		part->chain[k] += ns;
}

// The events of a loop from its first block on. @return how many
static int add_loop(step_part *part, const event *events, const event *end)
{
	int count = 0;
	while (events + count < end && events[count].kind == RBL_LOOP_BLOCK_ENDS)
		part->work += events[count++].ns;
	for (int k = 0; k < COUNT_KINDS; ++k)
		part->chain[k] += deal_out(events, count, worker_counts[k]);
	return count;
}

static void add_step(chains *c, int step, const event *events, const event *end)
{
	step_part part = { .work = 0.0 };
	c->step_work[step] = 0.0;
	for (int k = 0; k < COUNT_KINDS; ++k)
		c->step_chain[k][step] = 0.0;
	for (const event *e = events; e < end; ++e) {
		add_serial(&part, e->ns);
		if (e->kind == RBL_LOOP_BEGINS)
			e += add_loop(&part, e + 1, end);
		if (e->kind != RBL_STAGE_ENDS)
			continue;
		c->work[e->stage] += part.work, c->serial[e->stage] += part.serial;
		c->step_work[step] += part.work;
		for (int k = 0; k < COUNT_KINDS; ++k) {
			c->chain[k][e->stage] += part.chain[k];
			c->step_chain[k][step] += part.chain[k];
		}
		part = (step_part){ .work = 0.0 };
	}
}

// --- rows -----------------------------------------------------------------------------------------

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void report_stages(bench *b, const char *name, const recorder *r, const chains *c,
                          double work)
{
	char metric[96];
	for (int i = 0; i < r->stage_count; ++i) {
		if (c->work[i] < 1e-4 * work)
			continue;
		snprintf(metric, sizeof metric, "%s_share", r->stages[i]);
		bench_row(b, name, r->variant, metric, 100.0 * c->work[i] / work, "%");
		snprintf(metric, sizeof metric, "%s_serial", r->stages[i]);
		bench_row(b, name, r->variant, metric, 100.0 * c->serial[i] / work, "%");
		for (int k = 0; k < COUNT_KINDS; ++k) {
			snprintf(metric, sizeof metric, "%s_chain", r->stages[i]);
			bench_point(b, name, r->variant, metric, worker_counts[k], c->chain[k][i] / c->work[i],
			            "");
		}
	}
}

static void report_steps(bench *b, const char *name, const recorder *r, const chains *c,
                         double work)
{
	char metric[96];
	for (int k = 0; k < COUNT_KINDS; ++k) {
		double sum = 0.0;
		for (int i = 0; i < c->step_count; ++i)
			sum += c->step_chain[k][i];
		bench_point(b, name, r->variant, "chain", worker_counts[k], sum / work, "");
		snprintf(metric, sizeof metric, "gain_%d", worker_counts[k]);
		bench_row(b, name, r->variant, metric, work / sum, "");
	}
	for (int k = 0; k < 2; ++k) {
		double *chain = c->step_chain[k], sum = 0.0;
		int worst = 0;
		for (int i = 0; i < c->step_count; ++i)
			sum += chain[i], worst = chain[i] > chain[worst] ? i : worst;
		snprintf(metric, sizeof metric, "chain_step_worst_%d", worker_counts[k]);
		bench_row(b, name, r->variant, metric, worst, "");
		qsort(chain, (size_t)c->step_count, sizeof *chain, compare);
		const double values[] = { sum / c->step_count, chain[(c->step_count * 99 + 99) / 100 - 1],
			                      chain[c->step_count - 1] };
		static const char *const kinds[] = { "mean", "p99", "worst" };
		for (int i = 0; i < 3; ++i) {
			snprintf(metric, sizeof metric, "chain_ms_%s_%d", kinds[i], worker_counts[k]);
			bench_row(b, name, r->variant, metric, 1e-6 * values[i], "ms");
		}
	}
}

static void report_worst(bench *b, const char *name, const recorder *r, const int *ends,
                         const chains *all)
{
	double none[COUNT_KINDS] = { 0.0 }, unused = 0.0;
	int worst = 0;
	for (int i = 0; i < all->step_count; ++i)
		worst = all->step_chain[1][i] > all->step_chain[1][worst] ? i : worst;
	chains one = { .step_work = &unused };
	for (int k = 0; k < COUNT_KINDS; ++k)
		one.step_chain[k] = &none[k];
	add_step(&one, 0, r->events + (worst > 0 ? ends[worst - 1] : 0), r->events + ends[worst]);
	for (int i = 0; i < r->stage_count; ++i) {
		char metric[96];
		snprintf(metric, sizeof metric, "worst_%s_ms", r->stages[i]);
		if (one.chain[1][i] > 0.01 * none[1])
			bench_row(b, name, r->variant, metric, 1e-6 * one.chain[1][i], "ms");
	}
}

static void report(bench *b, const char *name, const recorder *r, const int *ends, int step_count)
{
	chains c = { .step_count = step_count };
	c.step_work = calloc((size_t)step_count, sizeof *c.step_work);
	for (int k = 0; k < COUNT_KINDS; ++k)
		c.step_chain[k] = calloc((size_t)step_count, sizeof *c.step_work);
	double work = 0.0;
	for (int i = 0; i < step_count; ++i) {
		add_step(&c, i, r->events + (i > 0 ? ends[i - 1] : 0), r->events + ends[i]);
		work += c.step_work[i];
	}
	bench_row(b, name, r->variant, "work_ms", 1e-6 * work / step_count, "ms");
	report_worst(b, name, r, ends, &c); // before steps are sorted
	report_steps(b, name, r, &c, work);
	report_stages(b, name, r, &c, work);
	free(c.step_work);
	for (int k = 0; k < COUNT_KINDS; ++k)
		free(c.step_chain[k]);
}

// --- cases ----------------------------------------------------------------------------------------

typedef struct scaling_case {
	const char *name, *scene; // "pile", or a breaking world
	int count, quick_count;
	int first, quick_first; // step that is looked at
	int steps, quick_steps; // how many are
	int budget;             // of the world, 0: its default
} scaling_case;

static const scaling_case cases[] = {
	{ "scaling-landing", "pile", 20000, 1000, 130, 40, 30, 10, 0 },
	{ "scaling-pile", "pile", 20000, 1000, 280, 190, 20, 10, 0 },
	{ "scaling-arena", "arena", 0, 0, 0, 0, BREAK_MOST_STEPS, BREAK_MOST_STEPS, 0 },
	{ "scaling-bricks", "bricks", 0, 0, 0, 0, 600, 120, 0 },
	{ "scaling-window", "window", 0, 0, 0, 0, 300, 120, 0 },
	{ "scaling-tower", "tower-collapse", 0, 0, 0, 0, 720, 240, 0 },
	{ "scaling-wall", "wall", 0, 0, 0, 0, 480, 120, 0 },
	{ "budget-300", "arena", 0, 0, 0, 0, 0, 0, 300 },
	{ "budget-600", "arena", 0, 0, 0, 0, 0, 0, 600 },
	{ "budget-1200", "arena", 0, 0, 0, 0, 0, 0, 1200 },
	{ "budget-300", "bricks", 0, 0, 0, 0, 0, 0, 300 },
	{ "budget-600", "bricks", 0, 0, 0, 0, 0, 0, 600 },
	{ "budget-1200", "bricks", 0, 0, 0, 0, 0, 0, 1200 },
};

// What breaks do in all of a run.
typedef struct break_counts {
	int64_t breaks, waiting; // waiting: in each step, those that its budget has left over
} break_counts;

// @return whether the step was made
static bool observe_step(recorder *r, rbl_world *world, kept_tasks *kept)
{
	rbl_thread_loop_observer = &r->observer;
	r->last = processor_ns();
	bool ok = rbl_world_step(world, 1.0f / 60.0f) == RBL_OK;
	rbl_thread_loop_observer = NULL;
	end_tasks(kept);
	return ok;
}

// @return how many steps were looked at, -1 when one failed
static int run_pile(const scaling_case *c, bool is_quick, recorder *r, int *ends)
{
	kept_tasks kept = { .count = 0 };
	rigid_scene scene;
	rigid_world w;
	if (!rigid_scene_open(&scene, c->scene, is_quick ? c->quick_count : c->count))
		return -1;
	bool ok = rigid_world_open_on(&w, &scene, make_pool(&kept));
	int first = is_quick ? c->quick_first : c->first, count = is_quick ? c->quick_steps : c->steps;
	for (int i = 0; ok && i < first + count; ++i) {
		for (int k = scene.static_count; k < scene.body_count; ++k)
			if (i > 0 && scene.bodies[k].birth_step == i)
				ok &= rigid_world_add(&w, k);
		if (i < first) {
			ok = ok && rbl_world_step(w.world, 1.0f / 60.0f) == RBL_OK;
			end_tasks(&kept);
			continue;
		}
		ok = ok && observe_step(r, w.world, &kept);
		ends[i - first] = r->count;
	}
	if (ok)
		rigid_world_close(&w);
	rigid_scene_close(&scene);
	return ok ? count : -1;
}

static int run_breaking(const scaling_case *c, bool is_quick, recorder *r, int *ends,
                        break_counts *counts)
{
	kept_tasks kept = { .count = 0 };
	const break_case *scene = break_cases;
	while (strcmp(scene->name, c->scene) != 0)
		scene++;
	break_run run = { .is_quick = is_quick, .random = rbl_random_from_seed(5) };
	run.jobs = make_pool(&kept);
	bool ok = run.jobs && break_open(&run, scene, WORKERS);
	if (ok && c->budget > 0)
		ok = rbl_world_set_budget(run.world, c->budget) == RBL_OK;
	*counts = (break_counts){ 0, 0 };
	int count = 0, left = is_quick ? scene->quick_steps : scene->steps;
	for (; ok && left > 0 && count < BREAK_MOST_STEPS; ++run.step) {
		if (scene->before_step)
			scene->before_step(&run);
		end_tasks(&kept);
		ok = observe_step(r, run.world, &kept);
		ends[count++] = r->count;
		counts->breaks += rbl_world_get_events(run.world).fracture_count;
		counts->waiting += rbl_world_get_stats(run.world).breaking_count;
		left -= run.timed_step >= 0;
	}
	break_close(&run);
	return ok ? count : -1;
}

static void run_case(bench *b, const scaling_case *c)
{
	static int ends[BREAK_MOST_STEPS];
	recorder r = { .is_first_run = true, .is_same = true, .clock_ns = measure_clock() };
	r.variant = c->budget > 0 ? c->scene : "rubble";
	r.observer = (rbl_loop_observer){ notice, &r };
	int repeat = world_run_count(b), count = 0;
	break_counts counts = { 0, 0 };
	for (int i = 0; i < repeat && count >= 0 && r.is_same; ++i) {
		int events = r.count;
		r.count = 0;
		count = strcmp(c->scene, "pile") == 0
		            ? run_pile(c, bench_is_quick(b), &r, ends)
		            : run_breaking(c, bench_is_quick(b), &r, ends, &counts);
		r.is_same &= r.is_first_run || r.count == events;
		r.is_first_run = false;
	}
	if (count <= 0)
		bench_fail(b, c->name, r.variant, "the world could not be made, or a step failed");
	else if (!r.is_same)
		bench_fail(b, c->name, r.variant, "two runs differ");
	else
		report(b, c->name, &r, ends, count);
	if (count > 0 && c->budget > 0) {
		bench_row(b, c->name, r.variant, "steps", count, "");
		bench_row(b, c->name, r.variant, "breaks", (double)counts.breaks, "");
		bench_row(b, c->name, r.variant, "break_waits",
		          counts.breaks > 0 ? (double)counts.waiting / (double)counts.breaks : 0.0,
		          "steps");
	}
	free(r.events);
}

void bench_scaling(bench *b)
{
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
		if (bench_wants(b, cases[i].name))
			run_case(b, &cases[i]);
}
