// SPDX-License-Identifier: MIT
// What the broad-phase suite measures: our kinds, baselines written here, and peers that are
// installed.
#pragma once

#include "scenes/streams.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Two boxes by stream id.
typedef struct baseline_pair {
	int a, b;
} baseline_pair;

typedef struct baseline {
	const char *name;

	/// @return the baseline's state, NULL when it cannot run this stream
	void *(*create)(const stream *s);
	void (*destroy)(void *self);

	/// Take in what a step created, moved and destroyed.
	void (*insert)(void *self, const stream *s);

	/// Find all pairs.
	void (*find)(void *self, const stream *s);

	/// Walk over all pairs that were found, true or not; untimed.
	void (*each)(void *self, void (*visit)(void *context, int a, int b), void *context);

	/// @return levels of the structure, or 0; may be NULL
	int (*depth)(void *self);

	/// @return bytes held; NULL: what the heap grew by
	size_t (*memory)(void *self);

	/// Add the structure work of the last step: milliseconds and boxes touched; may be NULL
	void (*work)(void *self, double *ms, double *boxes);

	/// Boxes beyond which it is not tried, because a single step takes minutes; 0 for no limit
	int most_boxes;
} baseline;

extern const baseline baseline_bsp, baseline_bsp_directions, baseline_tree, baseline_strips,
	baseline_loose_octree;

/// The BSP with two workers.
extern const baseline baseline_bsp_2;

/// The BSP with one setting changed, and with those of the paper; closed by NULL.
extern const baseline *const broadphase_settings[];

/// The BSP as it adjusts itself, then beside it: built anew every 10 or 100 steps and not adjusted,
/// built once and frozen, and with one operator left out; closed by NULL.
extern const baseline *const broadphase_adjusting[];

/// How often it split, shift-split, balanced, swapped and merged since its creation. Only for ours.
void broadphase_count_operators(void *self, int64_t counts[5]);

/// Baselines of other libraries, closed by NULL; only in a build with peers.
extern const baseline *const broadphase_peers[];

#ifdef __cplusplus
}
#endif
