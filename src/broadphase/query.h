// SPDX-License-Identifier: MIT
// A question to a broad phase on its way through a structure: what overlaps a box, or what a box
// meets on its way.
#pragma once

#include "broadphase/proxies.h"

typedef struct rbl_query {
	const rbl_proxies *proxies;
	const rbl_filter *filter;      // NULL: all
	rbl_overlap_function *overlap; // NULL for a cast
	rbl_cast_function *cast;       // NULL for an overlap
	void *context;
	rbl_box box;                  // at its start, for a cast
	rbl_vec3 translation;         // of a cast
	float piece_begin, piece_end; // of a cast: only hits in this part of the way count
	float limit;                  // of a cast: only hits up to here count
	bool is_done;                 // the caller has heard enough
} rbl_query;

/// What the query sweeps between two fractions of its way, a little wider, since fractions are
/// rounded. Of an overlap, its box.
rbl_box rbl_query_swept(const rbl_query *query, float from, float to);

/// Ask the boxes that changed since the last update: they are where no structure knows.
void rbl_query_ask_changed(rbl_query *query);

/// Ask a box that the structure found; one that changed or does not match is passed over.
void rbl_query_ask(rbl_query *query, uint32_t slot);
