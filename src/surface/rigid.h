// SPDX-License-Identifier: MIT
// Bodies that move as if they were rigid: what is known of them stays known.
#pragma once

#include "surface/runs.h"
#include "surface/surface.h"

#include "base/team.h"

/// What a body that moves rigidly is known by. It has its place by slot, beside the bodies.
typedef struct rbl_rigid {
	RBL_ARRAY(rbl_surface_pair) doubts; // pairs of triangles that are not proven apart
	int corners[3];                     // vertices that tell the motion
	int wait;                           // queries from one failed attempt to the next
	uint32_t next_query;                // when a proof may be tried again
	uint32_t proof_query;               // when the last one was made
	bool is_new;                        // no proof was tried yet
	double height;                      // of its triangles, about
	double slack; // how far each vertex may be from where it was proven, and nothing touches
	double drift; // how far each may be by now
} rbl_rigid;

/// Bodies with fewer triangles are looked at as fast as they are followed.
enum { RBL_RIGID_MIN_TRIANGLES = 16 };

/// Room for the bodies of so many slots, no more than there is room for in `bodies`.
/// @return false when memory ran out
bool rbl_rigid_reserve(rbl_surface *surface, int count);

/// Follow the bodies that moved since the last update: is what is proven of them still valid?
/// @return false when memory ran out (what is known stays valid)
bool rbl_rigid_follow(rbl_surface *surface, rbl_team *team);

/// Whether what is proven counts in this query.
bool rbl_rigid_counts(const rbl_surface *surface);

/// Prove of one body that its pairs of triangles are apart, but for those in doubt.
/// @return whether that succeeded; when memory ran out, the worker says so
bool rbl_rigid_prove_body(rbl_surface *surface, rbl_surface_worker *worker, int slot);

/// Whether a body that moves rigidly is proven by the next query, unless that finds that it cannot be. Large bodies
/// have to wait for their turn, and do not count.
bool rbl_rigid_is_due(const rbl_surface *surface, int slot);

/// Proofs of bodies that move rigidly, in runs that workers share. In the scratch memory of the surface.
typedef struct rbl_proofs {
	rbl_surface *surface;
	int *slots;
	rbl_runs runs;
} rbl_proofs;

/// Find what is to be proven in this query. @return false when memory ran out
bool rbl_rigid_plan(rbl_surface *surface, rbl_proofs *proofs);

/// Make the proofs of a run; when memory ran out, the worker says so. Nothing may wait in its batches.
void rbl_rigid_prove(const rbl_proofs *proofs, int run, rbl_surface_worker *worker);

void rbl_rigid_free(rbl_surface *surface);
size_t rbl_rigid_memory(const rbl_surface *surface);
