// SPDX-License-Identifier: MIT
// Rows of the suite `field` by other means: fields sampled anew, and convex parts in a world.
#pragma once

#include "bench.h"
#include "field_bodies.h"

/// `recompute-field`: fields of all fragments, sampled from their meshes.
void field_bench_recompute(bench *b, const char *name, const field_sphere *sphere);

/// `convex`: the broken sphere.
void field_bench_convex_sphere(bench *b, const char *name, const field_sphere *sphere);

/// Where a body begins, and how fast.
typedef void field_drop(field_world_body *body, uint64_t seed);

/// `convex`: bodies of revolution. @param resting  what does not move; NULL: the ground
void field_bench_convex_lathes(bench *b, const char *name, const lathe_shape *falling,
                               const lathe_shape *resting, field_drop *drop, int drops, int steps);
