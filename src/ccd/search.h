// SPDX-License-Identifier: MIT
// The search for the first contact of a continuous test.
#pragma once

#include "ccd/polynomial.h"

/// What a search found.
typedef struct rbl_ccd_search_result {
	bool is_hit;
	bool is_certified;     // otherwise the arithmetic, or the work allowed, ended
	bool touches_at_start; // known to; false: not known
	double time;           // of the step; before it, contact is ruled out
} rbl_ccd_search_result;

/// Find the first contact.
/// @param points  finite, the largest coordinate at most 2^60
/// @param form    complete, over the whole step
rbl_ccd_search_result rbl_ccd_search(rbl_ccd_kind kind, const rbl_ccd_points *points,
                                     const rbl_ccd_polynomials *form);

/// What rbl_ccd_nearest() says of the corners at the time of a hit, where the search came by it.
typedef struct rbl_ccd_near_place {
	bool is_known;
	double square, nearest[3], weights[3];
} rbl_ccd_near_place;

/// Find the first time when the origin is as near as `thickness` > 0. A proven hit is within 1.1
/// times that at the time found.
/// @param form  from rbl_ccd_make_near()
rbl_ccd_search_result rbl_ccd_search_near(const rbl_ccd_polynomials *form, double thickness,
                                          rbl_ccd_near_place *place);

/// Whether the pair touches at the start (0) or the end (1), exactly where coordinates are zero or
/// of a magnitude within 2^-300 to 2^300.
bool rbl_ccd_touches(rbl_ccd_kind kind, const rbl_ccd_points *points, int pose);
