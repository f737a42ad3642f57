// SPDX-License-Identifier: MIT
// Items of different weight, cut into runs that are worth the call of a worker.
#pragma once

#include <rubble/jobs.h>

/// Items of run r are starts[r] to starts[r + 1] - 1. Which run an item is in depends on the weights
/// alone.
typedef struct rbl_runs {
	int *starts; // room for the number of items, and one
	int count;
	int64_t weight; // of the last run
} rbl_runs;

/// Take the next item in. A run ends when it has the weight `grain`.
static inline void rbl_runs_add(rbl_runs *runs, int item, int weight, int grain)
{
	if (runs->count == 0 || runs->weight >= grain) {
		runs->starts[runs->count++] = item;
		runs->weight = 0;
	}
	runs->weight += weight;
	runs->starts[runs->count] = item + 1;
}
