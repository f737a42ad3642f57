// SPDX-License-Identifier: MIT
//
// Worlds of rigid bodies on the scenes of tests/scenes/rigid.h: ours with one and two workers, Bullet and
// ODE when they are installed, and Box3D and Jolt when they are given, each at its default settings.
//
// Times are processor time for engines with one thread, so that other programs on the machine do not
// show, and elapsed time for those with two; each step counts with its least time over three runs, or as
// many as --repeat says. Rows that begin with `landing_` are of the steps before a pile lies. The
// bodies are measured at the end by an exact test of all pairs that shares nothing with an engine. A peer
// gets 90 seconds of processor time for a case (--quick: less than one), and runs once where that takes more
// than five; one that needs more is stopped there, and `steps` of `steps_of_stream` say how far it came:
// its bodies may still be falling then, and its times are compared with nothing.

#include "bench.h"
#include "world_break.h"
#include "world_frames.h"
#include "world_hard.h"
#include "world_joints.h"
#include "world_large.h"
#include "world_many.h"
#include "world_parts.h"
#include "world_scaling.h"
#include "world_snapshot.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

// What a peer may take for a case, and for a run that is repeated.
#define PEER_SECONDS 90.0
#define PEER_REPEAT_NS 5000000000u

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
	world_frames frames;
	int step_count;            // steps that were made, the least over repetitions
	bench_allowance allowance; // of one repetition
	double birth_us, steady_ms, bytes, body_bytes;
	const rigid_shape **shapes; // of each body now
	rigid_shape *replaced;
	rigid_verdict verdict;
	uint64_t hash;
} world_run;

static double now_ms(const world_run *run)
{
	return world_clock_ms(run->engine->workers);
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
	run->shapes = calloc((size_t)scene->body_count, sizeof *run->shapes);
	run->replaced = calloc((size_t)scene->replaced_count + 1, sizeof *run->replaced);
	return run->shapes && run->replaced;
}

static void finish_run(world_run *run)
{
	world_frames_free(&run->frames);
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
	double start = now_ms(run);
	run->engine->replace(self, bodies, run->replaced, count);
	double us = 1e3 * (now_ms(run) - start) / count;
	if (run->birth_us == 0.0 || us < run->birth_us)
		run->birth_us = us;
	free(bodies);
}

// Steps before step 0.
static void settle(world_run *run, void *self)
{
	double begin = world_clock_ms(1), last = 0.0;
	int steps = 0, tail = 0;
	for (; steps < run->scene.settle_steps && bench_may_go_on(&run->allowance); ++steps) {
		double start = now_ms(run);
		run->engine->step(self);
		if (steps >= run->scene.settle_steps - 20)
			last += now_ms(run) - start, tail++;
		run->allowance.used_ns = (uint64_t)(1e6 * (world_clock_ms(1) - begin));
	}
	if (tail > 0 && (run->steady_ms == 0.0 || last / tail < run->steady_ms))
		run->steady_ms = last / tail;
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

static bool run_once(world_run *run, bool is_first)
{
	const rigid_scene *scene = &run->scene;
	for (int i = 0; i < scene->body_count; ++i)
		run->shapes[i] = &scene->shapes[scene->bodies[i].shape];
	size_t heap = bench_heap_in_use();
	double start = now_ms(run);
	void *self = run->engine->create(scene, run->engine->workers);
	if (!self)
		return false;
	if (is_first && scene->replaced_count == 0)
		run->birth_us = 1e3 * (now_ms(run) - start) / scene->body_count;
	run->allowance.used_ns = 0;
	settle(run, self);
	if (scene->replaced_count > 0)
		burst(run, self);
	int step = 0;
	for (; step < run->step_count && (bench_may_go_on(&run->allowance) || step == 0); ++step) {
		for (int i = scene->static_count; i < scene->body_count; ++i)
			if (step > 0 && scene->bodies[i].birth_step == step)
				run->engine->add(self, i);
		double begin = now_ms(run), begin_used = world_clock_ms(1);
		run->engine->step(self);
		double ms = now_ms(run) - begin;
		run->allowance.used_ns += (uint64_t)(1e6 * (world_clock_ms(1) - begin_used));
		world_stages stages;
		if (run->engine->stages)
			run->engine->stages(self, &stages);
		world_frames_add(&run->frames, step, ms, run->engine->stages ? &stages : NULL);
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

// The first step that counts.
static int first_step(const world_run *run)
{
	return run->scene.first_timed < run->step_count ? run->scene.first_timed : run->step_count / 2;
}

static void report_times(bench *b, world_run *run)
{
	const char *name = run->c->name, *variant = run->engine->name;
	int first = first_step(run);
	world_frames_report(b, name, variant, "", &run->frames, first, run->step_count);
	if (first > 0)
		world_frames_report(b, name, variant, "landing_", &run->frames, 0, first);
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
	bench_row(b, name, variant, "steps_of_stream", run->scene.step_count, "");
	bench_row(b, name, variant, "overlaps", v->overlap_count, "");
	bench_row(b, name, variant, "floor_mm", v->floor_mm, "mm");
	if (!run->scene.is_sleeping)
		bench_row(b, name, variant, "setting_sleep", 0, "");
	if (run->scene.settle_steps > 0) {
		bench_row(b, name, variant, "steady_ms", run->steady_ms, "ms");
		bench_row(b, name, variant, "next_step_ms", run->frames.steps[0].ms, "ms");
		bench_row(b, name, variant, "next_over_steady", run->frames.steps[0].ms / run->steady_ms,
		          "");
	}
	const world_stages *stages = &run->frames.stages;
	for (int i = 0; i < stages->count; ++i)
		bench_row(b, name, variant, stages->names[i],
		          world_frames_stage_mean(&run->frames, i, first, run->step_count),
		          strstr(stages->names[i], "_ms") ? "ms" : "");
}

static double mean_ms(const world_run *run)
{
	return world_frames_mean(&run->frames, first_step(run), run->step_count);
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
	int repeat = world_run_count(b);
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
	run.allowance = bench_allow(b, is_ours ? 0.0 : bench_is_quick(b) ? 15.0 : PEER_SECONDS);
	bool ok = prepare_run(&run, bench_is_quick(b));
	int repeat = world_run_count(b);
	for (int i = 0; ok && i < repeat; ++i) {
		ok = run_once(&run, i == 0);
		if (!is_ours && run.allowance.used_ns > PEER_REPEAT_NS)
			break;
	}
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
	bench_large_worlds(b);
	bench_many_worlds(b);
	bench_scaling(b);
}

const bench_suite bench_suite_world = {
	"world",
	"piles, walls, things that stand and things that break: our world, Bullet, ODE",
	run,
};
