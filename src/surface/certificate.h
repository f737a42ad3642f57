// SPDX-License-Identifier: MIT
// Separation certificates of bodies that move rigidly: triangles known to be apart stay apart.
#pragma once

#include "surface/surface.h"

#include "base/worker_group.h"

/// What a body that moves rigidly is known by. It has its place by slot, beside the bodies.
typedef struct rbl_surface_certificate {
	RBL_ARRAY(rbl_surface_pair) uncertain_pairs; // pairs of triangles that are not certified apart
	int corners[3];                              // vertices that tell the motion
	int wait;                                    // queries from one failed attempt to the next
	uint32_t next_query;                         // when a certificate may be tried again
	uint32_t certified_query;                    // when the last one was made
	bool is_new;                                 // no certificate was tried yet
	double height;                               // of its triangles, about
	double margin;   // how far each vertex may be from where it was certified, and nothing touches
	float clearance; // nor comes nearer than this, over a step
	double drift;    // how far each may be by now
} rbl_surface_certificate;

/// Bodies with fewer triangles are tested as fast as they are followed.
enum { RBL_SURFACE_CERTIFICATE_MIN_TRIANGLES = 16 };

/// Space for the bodies of so many slots, no more than there is space for in `bodies`.
/// @return false when memory ran out
bool rbl_surface_reserve_certificates(rbl_surface *surface, int count);

/// Follow the bodies that moved since the last update: is what is certified of them still valid?
/// @return false when memory ran out (what is known stays valid)
bool rbl_surface_track_motion(rbl_surface *surface, rbl_worker_group *workers);

/// Whether what is certified counts in this query.
bool rbl_surface_uses_certificates(const rbl_surface *surface);

/// Certify of one body that its pairs of triangles are apart, but for those uncertain.
/// @return whether that succeeded; when memory ran out, the worker says so
bool rbl_surface_certify_body(rbl_surface *surface, rbl_surface_worker *worker, int slot);

/// Pairs that are checked at a time, at most.
enum { RBL_SURFACE_CHECKED_PAIRS = 256 };

/// Which of some pairs of triangles of a body may touch when each vertex moves by up to a margin,
/// or have features that share no vertex and are as near as a gap.
/// @param uncertain  receives those @return how many
int rbl_surface_check_clearance(const rbl_surface *surface, const rbl_surface_pair *pairs,
                                int count, double margin, float gap, rbl_surface_pair *uncertain);

/// Whether a body that moves rigidly is certified by the next query, unless that finds that it
/// cannot be. Large bodies have to wait for their turn, and do not count.
bool rbl_surface_certificate_is_due(const rbl_surface *surface, int slot);

/// Certificates of bodies that move rigidly, in batches that workers share. In the scratch memory
/// of the surface.
typedef struct rbl_surface_certificate_work {
	rbl_surface *surface;
	int *slots;
	rbl_surface_batches batches;
} rbl_surface_certificate_work;

/// Find what is to be certified in this query. @return false when memory ran out
bool rbl_surface_plan_certificates(rbl_surface *surface, rbl_surface_certificate_work *work);

/// Make the certificates of a batch; when memory ran out, the worker says so. Nothing may wait in
/// its batches.
void rbl_surface_certify_batch(const rbl_surface_certificate_work *work, int run,
                               rbl_surface_worker *worker);

void rbl_surface_free_certificates(rbl_surface *surface);
size_t rbl_surface_certificate_memory(const rbl_surface *surface);
