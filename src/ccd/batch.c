// SPDX-License-Identifier: MIT
//
// Continuous tests by the batch.

#include "ccd/ccd.h"

#include "ccd/ccd_kernels.h"

#include "base/vec.h"

int rbl_ccd_filter(rbl_ccd_kind kind, const rbl_ccd_motion *motion, const rbl_ccd_quad *quads,
                   int count, float separation, int *kept)
{
	return RBL_PICK(rbl_ccd_filter)(kind, motion, quads, count, separation, kept);
}

bool rbl_ccd_test_quad(rbl_ccd_kind kind, const rbl_ccd_motion *motion, const rbl_ccd_quad *quad,
                       float separation, rbl_impact *impact)
{
	rbl_vec3d start[4], end[4];
	for (int i = 0; i < 4; ++i) {
		start[i] = rbl_to_d(motion->start[quad->vertices[i]]);
		end[i] = rbl_to_d(motion->end[quad->vertices[i]]);
	}
	return rbl_ccd_test(kind, start, end, (double)separation, impact);
}
