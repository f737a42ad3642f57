// SPDX-License-Identifier: MIT
// The filter of continuous tests, eight pairs at a time; closest points, four at a time.
#pragma once

#include "ccd/ccd.h"

#include "base/kernel.h"

/// rbl_ccd_filter()
RBL_DECLARE_KERNEL(int, rbl_ccd_filter,
                   (rbl_ccd_kind kind, const rbl_ccd_motion *motion, const rbl_ccd_quad *quads,
                    int count, float thickness, int *kept));

/// What is closest of four pairs, by lane. Bits are lanes.
typedef struct rbl_ccd_closest_lanes {
	unsigned is_near;    // within the distance that was asked for
	unsigned is_open;    // not decided: nothing else counts
	unsigned corners[4]; // by point: where it has a share
	double distance[4], rounding[4], weights[4][4];
	double points[2][3][4], direction[3][4];
} rbl_ccd_closest_lanes;

/// rbl_ccd_closest() of four pairs.
/// @param reach  the distance: of pairs beyond it nothing else is written
RBL_DECLARE_KERNEL(void, rbl_ccd_closest_four,
                   (rbl_ccd_kind kind, const rbl_vec3 *positions,
                    const rbl_ccd_quad *const quads[4], double reach,
                    rbl_ccd_closest_lanes *found));

/// Which of four pairs are in contact when a step begins, by lane. Bits are lanes.
typedef struct rbl_ccd_contact_lanes {
	unsigned is_contact; // of others nothing is known
	unsigned is_parting;
	double weights[3][4], normal[3][4];
} rbl_ccd_contact_lanes;

/// rbl_ccd_take_contacts() of four pairs.
RBL_DECLARE_KERNEL(void, rbl_ccd_contacts_four,
                   (rbl_ccd_kind kind, const rbl_ccd_motion *motion,
                    const rbl_ccd_quad *const quads[4], double thickness,
                    rbl_ccd_contact_lanes *found));
