// SPDX-License-Identifier: MIT
//
// Which pairs of triangles meet at one instant, by the batch: planes in single precision first, then
// the exact test.

#include "surface/triangle_pairs.h"

#include "surface/triangle_pairs_kernels.h"

#include "geometry/geometry.h"

int rbl_triangle_pairs_meet(const rbl_vec3 *positions, const int *triangles, const int *pairs,
                            int count, int *meeting)
{
	int kept = RBL_PICK(rbl_triangle_pairs_filter)(positions, triangles, pairs, count, meeting);
	int found = 0;
	for (int i = 0; i < kept; ++i) {
		const int *pair = pairs + 2 * (size_t)meeting[i];
		if (rbl_indexed_triangles_meet_float(positions, triangles + 3 * (size_t)pair[0],
		                                     triangles + 3 * (size_t)pair[1]))
			meeting[found++] = meeting[i];
	}
	return found;
}
