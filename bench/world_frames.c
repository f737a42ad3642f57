// SPDX-License-Identifier: MIT

#define _DEFAULT_SOURCE // clock_gettime

#include "world_frames.h"

#include <rubble/world.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int world_run_count(const bench *b)
{
	return bench_repeat(b) > 0 ? bench_repeat(b) : bench_is_quick(b) ? 1 : 3;
}

void world_frames_add(world_frames *frames, int step, double ms, const world_stages *stages)
{
	if (step >= frames->capacity) {
		frames->capacity = 2 * step + 64;
		frames->steps = realloc(frames->steps, (size_t)frames->capacity * sizeof *frames->steps);
		if (!frames->steps) {
			fprintf(stderr, "rubble: bench: out of memory\n");
			exit(1);
		}
	}
	world_frame *frame = &frames->steps[step];
	bool is_first = step >= frames->count;
	if (is_first)
		frames->count = step + 1;
	if (!is_first && ms >= frame->ms)
		return;
	*frame = (world_frame){ .ms = ms };
	if (stages) {
		frames->stages = *stages;
		memcpy(frame->stage_ms, stages->ms, sizeof frame->stage_ms);
	}
}

double world_frames_mean(const world_frames *frames, int begin, int end)
{
	double sum = 0.0;
	for (int i = begin; i < end; ++i)
		sum += frames->steps[i].ms;
	return end > begin ? sum / (end - begin) : 0.0;
}

double world_frames_stage_mean(const world_frames *frames, int stage, int begin, int end)
{
	double sum = 0.0;
	for (int i = begin; i < end; ++i)
		sum += frames->steps[i].stage_ms[stage];
	return end > begin ? sum / (end - begin) : 0.0;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static bool is_time(const char *stage)
{
	size_t length = strlen(stage);
	return length > 3 && strcmp(stage + length - 3, "_ms") == 0;
}

// The stage that is furthest above its mean in a step, -1 when none is known.
static int stage_of(const world_frames *frames, int worst, int begin, int end)
{
	int found = -1;
	double most = 0.0;
	for (int i = 0; i < frames->stages.count; ++i) {
		if (!is_time(frames->stages.names[i]))
			continue;
		double above =
			frames->steps[worst].stage_ms[i] - world_frames_stage_mean(frames, i, begin, end);
		if (found < 0 || above > most)
			found = i, most = above;
	}
	return found;
}

static void add_row(bench *b, const char *const names[2], const char *prefix, const char *metric,
                    double value, const char *unit)
{
	char name[64];
	snprintf(name, sizeof name, "%s%s", prefix, metric);
	bench_row(b, names[0], names[1], name, value, unit);
}

void world_frames_report(bench *b, const char *case_name, const char *variant, const char *prefix,
                         const world_frames *frames, int begin, int end)
{
	int count = end - begin, worst = begin;
	double *ms = count > 0 ? malloc((size_t)count * sizeof *ms) : NULL;
	if (!ms)
		return;
	for (int i = begin; i < end; ++i) {
		ms[i - begin] = frames->steps[i].ms;
		if (frames->steps[i].ms > frames->steps[worst].ms)
			worst = i;
	}
	qsort(ms, (size_t)count, sizeof *ms, compare);
	const char *const names[2] = { case_name, variant };
	double median = 0.5 * (ms[(count - 1) / 2] + ms[count / 2]);
	add_row(b, names, prefix, "ms_mean", world_frames_mean(frames, begin, end), "ms");
	add_row(b, names, prefix, "ms_p99", ms[(count * 99 + 99) / 100 - 1], "ms");
	add_row(b, names, prefix, "ms_worst", ms[count - 1], "ms");
	if (median > 0.0)
		add_row(b, names, prefix, "worst_over_median", ms[count - 1] / median, "");
	add_row(b, names, prefix, "worst_step", worst - begin, "");
	int stage = stage_of(frames, worst, begin, end);
	if (stage >= 0) {
		char unit[16];
		const char *name = frames->stages.names[stage];
		snprintf(unit, sizeof unit, "ms %.*s", (int)strlen(name) - 3, name);
		add_row(b, names, prefix, "worst_stage", frames->steps[worst].stage_ms[stage], unit);
	}
	free(ms);
}

void world_frames_free(world_frames *frames)
{
	free(frames->steps);
	*frames = (world_frames){ 0 };
}

void world_read_stages(const rbl_world *world, world_stages *stages)
{
	rbl_world_stats s = rbl_world_get_stats(world);
	*stages = (world_stages){
		.names = { "broadphase_ms", "pairs_ms", "narrow_ms", "contacts_ms", "solver_ms",
		           "finish_ms", "fracture_ms", "stress_ms", "debris_ms", "pairs", "active",
		           "touching", "points", "awake", "reused", "searched", "colours" },
		.ms = { s.broadphase_ms, s.pairs_ms, s.narrow_ms, s.contacts_ms, s.solver_ms, s.finish_ms,
		        s.fracture_ms, s.stress_ms, s.debris_ms, s.pair_count, s.active_count,
		        s.touching_count, s.point_count, s.awake_count, s.reused_count, s.searched_count,
		        s.color_count },
		.count = 17,
	};
}

double world_clock_ms(int workers)
{
	struct timespec t;
	clock_gettime(workers > 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}
