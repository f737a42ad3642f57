// SPDX-License-Identifier: MIT
// The frames of a case: what each step took, over identical runs, and what the worst consists of.
//
// A step counts with its least time over all runs, since they do the same work to the bit and what is
// longer in one of them is the machine's. Then:
//
//     ms_mean, ms_p99, ms_worst
//     worst_over_median   1 when every frame is like the others
//     worst_step          which one it is, counted from the first that is reported
//     worst_stage         the stage that is furthest above its own mean there; its time, and as the
//                         unit its name: what to look at first
#pragma once

#include "bench.h"
#include "world_engine.h"

typedef struct rbl_world rbl_world;

typedef struct world_frame {
	double ms;
	double stage_ms[WORLD_MAX_STAGES]; // of the run that `ms` is of
} world_frame;

typedef struct world_frames {
	world_frame *steps;
	int count, capacity;
	world_stages stages; // names
} world_frames;

/// @return how often a case is run: as often as the user says, else three times, once when a rough
/// answer is enough.
int world_run_count(const bench *b);

/// Tell what a step took in one more run; steps come in order. Exits when memory ran out.
/// @param stages  of the step, or NULL when they are not known
void world_frames_add(world_frames *frames, int step, double ms, const world_stages *stages);

/// Write the rows of some steps; none when there are no steps.
/// @param prefix  of the names of the rows, "" for none
void world_frames_report(bench *b, const char *case_name, const char *variant, const char *prefix,
                         const world_frames *frames, int begin, int end);

/// @return the mean of some steps in milliseconds
double world_frames_mean(const world_frames *frames, int begin, int end);

/// @return the mean of a stage over some steps
double world_frames_stage_mean(const world_frames *frames, int stage, int begin, int end);

void world_frames_free(world_frames *frames);

/// The stages of the last step of a world of ours: times first, their names end in `_ms`, then counts.
void world_read_stages(const rbl_world *world, world_stages *stages);

/// @return milliseconds: of the processor, so that other programs do not show, when one worker does
/// all; elapsed when there are more.
double world_clock_ms(int workers);
