// SPDX-License-Identifier: MIT
// What surfaces are compared with: hashing, bodies that never changed, two workers.
#pragma once

#include "surface_runs.h"

/// Spatial hashing, and the exact grade on the same frames of the same run.
void surface_run_hash(bench *b, surface_kind kind, const surface_cast *cast, bool is_plain);

/// What it costs to be ready for changes: the frames after the last of them.
/// @param name  of the metrics: after, or what tells it from others
void surface_run_fixed(bench *b, surface_kind kind, const surface_cast *cast, const char *name);

/// The overhead of changes as the paper has it: the whole scene, within the step, against bodies that are
/// cut along all cracks from the beginning and never change. For what comes apart without new triangles.
/// @param def      of both surfaces
/// @param variant  that the row `ccd_overhead` belongs to
void surface_run_precut(bench *b, surface_kind kind, const rbl_surface_def *def,
                        const surface_cast *cast, const char *variant);

/// Two workers. @param known  what one worker found: the same pairs, frame by frame
void surface_run_workers(bench *b, surface_kind kind, const surface_cast *cast,
                         rbl_surface_motion motion, const surface_sums *known);
