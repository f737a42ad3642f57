// SPDX-License-Identifier: MIT
// Self-collision by spatial hashing: the competitor of surfaces.
#pragma once

#include <rubble/surface.h>

#include <stdbool.h>

/// Memory that is used from frame to frame. All zero is a good start.
typedef struct surface_hash {
	bool is_plain; // lists, no boxes first, triangles tested one pair at a time
	int *triangles, *starts, *entries, *pairs, *meeting;
	rbl_box *boxes;
	int triangle_capacity, bucket_capacity, entry_capacity, pair_capacity;
	int *next, *stamps; // of the plain form
	int next_capacity, stamp_capacity;
	int64_t tests;
} surface_hash;

void surface_hash_free(surface_hash *hash);

/// Find all pairs of triangles that meet. @return how many, -1 when memory ran out
int surface_hash_collide(surface_hash *hash, const rbl_surface *surface);
