// SPDX-License-Identifier: MIT
//
// Worlds of rigid bodies on the scenes of tests/scenes/rigid.h: ours with one and two workers, and
// Bullet and ODE when they are installed, each at its default settings.
//
// Times are processor time for engines with one thread, so that other programs on the machine do not
// show, and elapsed time for those with two; with --repeat each step counts with its least time. The
// bodies are measured at the end by an exact test of all pairs that shares nothing with an engine. A peer
// gets 15 seconds of processor time for a case (--quick: three); one that needs more is stopped
// there, and `steps` says how far it came: its bodies may still be falling then.

#define _DEFAULT_SOURCE // clock_gettime

#include "bench.h"
#include "world_break.h"
#include "world_engine.h"
#include "world_hard.h"
#include "world_joints.h"
#include "world_many.h"
#include "world_parts.h"
#include "world_snapshot.h"

#include "base/hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct world_case {
	const char *name, *scene;
	int count, quick_count;      // 0: the scene's own
	int step_count, quick_steps; // 0: the scene's own
} world_case;

static const world_case cases[] = {
	{ "pile-1000", "pile", 1000, 300, 0, 240 },
	{ "pile-4000", "pile", 4000, 1000, 0, 200 },
	{ "pile-20000", "pile", 20000, 2000, 0, 150 },
	{ "wall-hit", "wall-hit", 0, 16, 0, 120 },
	{ "wall-stand", "wall-stand", 0, 16, 0, 240 },
	{ "burst-4000", "burst", 4000, 800, 0, 20 },
	{ "cards", "cards", 0, 3, 0, 240 },
	{ "arch", "arch", 0, 0, 0, 240 },
	{ "tower", "tower", 0, 0, 0, 240 },
	{ "rest-20000", "rest", 20000, 1000, 0, 120 },
};

// One engine on one case.
typedef struct world_run {
	const world_engine *engine;
	const world_case *c;
	rigid_scene scene;
	uint64_t *ns;              // per step, the least over repetitions
	int step_count;            // steps that were made, the least over repetitions
	bench_allowance allowance; // of one repetition
	double birth_us, steady_ms, bytes, body_bytes;
	double stage_ms[WORLD_MAX_STAGES];
	world_stages stages;
	const rigid_shape **shapes; // of each body now
	rigid_shape *replaced;
	rigid_verdict verdict;
	uint64_t hash;
} world_run;

static uint64_t clock_of(clockid_t id)
{
	struct timespec t;
	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t now_ns(const world_run *run)
{
	return run->engine->workers > 1 ? bench_now_ns() : clock_of(CLOCK_PROCESS_CPUTIME_ID);
}

static bool prepare_run(world_run *run, bool is_quick)
{
	const world_case *c = run->c;
	if (!rigid_scene_open(&run->scene, c->scene, is_quick ? c->quick_count : c->count))
		return false;
	rigid_scene *scene = &run->scene;
	if (is_quick ? c->quick_steps > 0 : c->step_count > 0)
		scene->step_count = is_quick ? c->quick_steps : c->step_count;
	if (is_quick && scene->settle_steps > 0)
		scene->settle_steps = 200;
	run->step_count = scene->step_count;
	run->ns = calloc((size_t)scene->step_count, sizeof *run->ns);
	run->shapes = calloc((size_t)scene->body_count, sizeof *run->shapes);
	run->replaced = calloc((size_t)scene->replaced_count + 1, sizeof *run->replaced);
	return run->ns && run->shapes && run->replaced;
}

static void finish_run(world_run *run)
{
	free(run->ns);
	free(run->shapes);
	free(run->replaced);
	rigid_scene_close(&run->scene);
}

// Replace bodies in the settled pile, and remember what it cost.
static void burst(world_run *run, void *self)
{
	rigid_scene *scene = &run->scene;
	int count = scene->replaced_count;
	int *bodies = calloc((size_t)count + 1, sizeof *bodies);
	for (int k = 0; k < count; ++k) {
		bodies[k] = rigid_replacement(scene, k, &run->replaced[k]);
		run->shapes[bodies[k]] = &run->replaced[k];
	}
	if (run->engine->prepare)
		run->engine->prepare(self, run->replaced, count);
	uint64_t start = now_ns(run);
	run->engine->replace(self, bodies, run->replaced, count);
	double us = (double)(now_ns(run) - start) * 1e-3 / count;
	if (run->birth_us == 0.0 || us < run->birth_us)
		run->birth_us = us;
	free(bodies);
}

// Steps before step 0.
static void settle(world_run *run, void *self)
{
	uint64_t begin = clock_of(CLOCK_PROCESS_CPUTIME_ID), last = 0;
	int steps = 0, tail = 0;
	for (; steps < run->scene.settle_steps && bench_may_go_on(&run->allowance); ++steps) {
		uint64_t start = now_ns(run);
		run->engine->step(self);
		if (steps >= run->scene.settle_steps - 20)
			last += now_ns(run) - start, tail++;
		run->allowance.used_ns = clock_of(CLOCK_PROCESS_CPUTIME_ID) - begin;
	}
	if (tail > 0)
		run->steady_ms = (double)last * 1e-6 / tail;
}

static void measure_run(world_run *run, void *self)
{
	rigid_scene *scene = &run->scene;
	rigid_state *states = calloc((size_t)scene->body_count, sizeof *states);
	run->engine->read(self, states);
	rigid_measure(scene, states, run->shapes, run->step_count - 1, &run->verdict);
	run->hash = rbl_hash_bytes(1, states, (size_t)scene->body_count * sizeof *states);
	free(states);
}

static void add_stages(world_run *run, void *self)
{
	run->engine->stages(self, &run->stages);
	for (int i = 0; i < run->stages.count; ++i)
		run->stage_ms[i] += run->stages.ms[i];
}

static bool run_once(world_run *run, bool is_first)
{
	const rigid_scene *scene = &run->scene;
	for (int i = 0; i < scene->body_count; ++i)
		run->shapes[i] = &scene->shapes[scene->bodies[i].shape];
	size_t heap = bench_heap_in_use();
	uint64_t start = now_ns(run);
	void *self = run->engine->create(scene, run->engine->workers);
	if (!self)
		return false;
	if (is_first && scene->replaced_count == 0)
		run->birth_us = (double)(now_ns(run) - start) * 1e-3 / scene->body_count;
	run->allowance.used_ns = 0;
	settle(run, self);
	if (scene->replaced_count > 0)
		burst(run, self);
	memset(run->stage_ms, 0, sizeof run->stage_ms);
	int step = 0;
	for (; step < run->step_count && (bench_may_go_on(&run->allowance) || step == 0); ++step) {
		for (int i = scene->static_count; i < scene->body_count; ++i)
			if (step > 0 && scene->bodies[i].birth_step == step)
				run->engine->add(self, i);
		uint64_t begin = now_ns(run), begin_used = clock_of(CLOCK_PROCESS_CPUTIME_ID);
		run->engine->step(self);
		uint64_t ns = now_ns(run) - begin;
		run->allowance.used_ns += clock_of(CLOCK_PROCESS_CPUTIME_ID) - begin_used;
		if (is_first || ns < run->ns[step])
			run->ns[step] = ns;
		if (run->engine->stages && step >= scene->first_timed)
			add_stages(run, self);
	}
	run->step_count = step;
	if (is_first) {
		run->bytes = run->engine->memory ? (double)run->engine->memory(self)
		                                 : (double)(bench_heap_in_use() - heap);
		if (run->engine->memory_of_bodies)
			run->body_bytes = (double)run->engine->memory_of_bodies(self);
		measure_run(run, self);
	}
	run->engine->destroy(self);
	return true;
}

static int compare_times(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static void report_times(bench *b, world_run *run)
{
	const char *name = run->c->name, *variant = run->engine->name;
	int first =
		run->scene.first_timed < run->step_count ? run->scene.first_timed : run->step_count / 2;
	int count = run->step_count - first;
	uint64_t *ns = run->ns + first;
	double next_ms = (double)run->ns[0] * 1e-6, sum = 0.0;
	for (int i = 0; i < count; ++i)
		sum += (double)ns[i];
	qsort(ns, (size_t)count, sizeof *ns, compare_times);
	bench_row(b, name, variant, "ms_mean", sum * 1e-6 / count, "ms");
	bench_row(b, name, variant, "ms_p99", (double)ns[(count * 99 + 99) / 100 - 1] * 1e-6, "ms");
	bench_row(b, name, variant, "ms_worst", (double)ns[count - 1] * 1e-6, "ms");
	const rigid_verdict *v = &run->verdict;
	bench_row(b, name, variant, "overlap_mean_mm", v->mean_mm, "mm");
	bench_row(b, name, variant, "overlap_p99_mm", v->p99_mm, "mm");
	bench_row(b, name, variant, "overlap_max_mm", v->max_mm, "mm");
	bench_row(b, name, variant, "overlap_deep", v->deep_count, "");
	bench_row(b, name, variant, "speed_mm_s", v->speed_mm_s, "mm/s");
	bench_row(b, name, variant, "escaped", v->escaped_count, "");
	bench_row(b, name, variant, "height_m", v->height_m, "m");
	bench_row(b, name, variant, "birth_us", run->birth_us, "us");
	bench_row(b, name, variant, "bytes_per_body", run->bytes / run->scene.body_count, "B");
	if (run->body_bytes > 0.0)
		bench_row(b, name, variant, "body_bytes_per_body", run->body_bytes / run->scene.body_count,
		          "B");
	bench_row(b, name, variant, "steps", run->step_count, "");
	bench_row(b, name, variant, "overlaps", v->overlap_count, "");
	bench_row(b, name, variant, "floor_mm", v->floor_mm, "mm");
	if (run->scene.settle_steps > 0) {
		bench_row(b, name, variant, "steady_ms", run->steady_ms, "ms");
		bench_row(b, name, variant, "next_step_ms", next_ms, "ms");
	}
	for (int i = 0; i < run->stages.count; ++i)
		bench_row(b, name, variant, run->stages.names[i],
		          run->stage_ms[i] / (run->step_count - first),
		          strstr(run->stages.names[i], "_ms") ? "ms" : "");
}

static double mean_ms(const world_run *run)
{
	int first =
		run->scene.first_timed < run->step_count ? run->scene.first_timed : run->step_count / 2;
	double sum = 0.0;
	for (int i = first; i < run->step_count; ++i)
		sum += (double)run->ns[i];
	return sum * 1e-6 / (run->step_count - first);
}

// The pile that joints are measured against.
static double pile_ms(bench *b)
{
	static double ms;
	if (ms > 0.0)
		return ms;
	world_run run = { .engine = &world_rubble_1, .c = &cases[1] };
	run.allowance = bench_allow(b, 0.0);
	bool ok = prepare_run(&run, bench_is_quick(b));
	int repeat = bench_repeat(b) > 0 ? bench_repeat(b) : 1;
	for (int i = 0; ok && i < repeat; ++i)
		ok = run_once(&run, i == 0);
	ms = ok ? mean_ms(&run) : 0.0;
	finish_run(&run);
	return ms;
}

// @param is_ours  runs to the end, and any number of workers gives the same bits
static void run_engine(bench *b, const world_case *c, const world_engine *engine, bool is_ours)
{
	world_run run = { .engine = engine, .c = c };
	run.allowance = bench_allow(b, is_ours ? 0.0 : 15.0);
	bool ok = prepare_run(&run, bench_is_quick(b));
	int repeat = bench_repeat(b) > 0 ? bench_repeat(b) : 1;
	for (int i = 0; ok && i < repeat; ++i)
		ok = run_once(&run, i == 0);
	if (!ok)
		bench_fail(b, c->name, engine->name, "the world could not be made");
	else
		report_times(b, &run);
	if (ok && is_ours)
		bench_check(b, c->name, engine->name, run.hash, 0);
	finish_run(&run);
}

static void run(bench *b)
{
	static const world_engine *const none[] = { NULL };
	const world_engine *const *peers = none;
#ifdef RBL_HAVE_PEERS
	peers = world_peers;
#endif
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		if (!bench_wants(b, cases[i].name))
			continue;
		run_engine(b, &cases[i], &world_rubble_1, true);
		run_engine(b, &cases[i], &world_rubble_2, true);
		for (int k = 0; peers[k]; ++k)
			run_engine(b, &cases[i], peers[k], false);
	}
	bench_joints(b, pile_ms);
	bench_moving_parts(b, pile_ms);
	bench_breaking_worlds(b);
	bench_snapshots(b);
	bench_hard_cases(b);
	bench_many_worlds(b);
}

const bench_suite bench_suite_world = {
	"world",
	"piles, walls, things that stand and things that break: our world, Bullet, ODE",
	run,
};
