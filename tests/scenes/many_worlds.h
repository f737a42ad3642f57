// SPDX-License-Identifier: MIT
// Many small worlds, as learning and parameter studies run them: in each a ball hits a stack of
// stone blocks, which break. Shapes, the asset and the material are shared by all worlds.
#pragma once

#include <rubble/rubble.h>

#include <stdbool.h>
#include <stdint.h>

/// What all worlds share.
typedef struct many_worlds {
	rbl_collider *floor, *ball;
	rbl_mesh *mesh;
	rbl_asset *asset;
	rbl_material *material;
	int step_count; // of each world
} many_worlds;

/// @return whether everything was made; many_worlds_close() is due in any case
bool many_worlds_open(many_worlds *m, int step_count);

void many_worlds_close(many_worlds *m);

/// What became of a world; the hash is 0 when it could not be made.
typedef struct many_worlds_result {
	uint64_t hash;
	int body_count;
} many_worlds_result;

/// Make worlds `first` to `first + count - 1`, step each to its end and destroy it. The ball of a
/// world comes from a direction and with a speed of its own.
/// @param jobs     worlds are shared out over it, and each uses it too; NULL: one after the other
/// @param results  receives one per world
void many_worlds_run(const many_worlds *m, rbl_jobs *jobs, int first, int count,
                     many_worlds_result *results);
