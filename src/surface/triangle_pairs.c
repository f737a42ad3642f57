// SPDX-License-Identifier: MIT
//
// Which pairs of triangles meet at one instant, by the batch: planes and intervals in single
// precision first, eight at a time, then the exact test.

#include "surface/triangle_pairs.h"

#include "surface/triangle_pairs_kernels.h"

#include "geometry/geometry.h"

enum { CHUNK = 256 };

int rbl_triangle_pairs_meet(const rbl_vec3 *positions, const int *triangles, const int *pairs,
                            int count, int *meeting, rbl_pair_settler *settler, void *context)
{
	int kept = RBL_PICK(rbl_triangle_pairs_filter)(positions, triangles, pairs, count, meeting);
	int found = 0, chunk[2 * CHUNK];
	signed char answers[CHUNK];
	for (int begin = 0; begin < kept; begin += CHUNK) {
		int here = kept - begin < CHUNK ? kept - begin : CHUNK;
		for (int i = 0; i < here; ++i) {
			const int *pair = pairs + 2 * (size_t)meeting[begin + i];
			chunk[2 * i] = pair[0], chunk[2 * i + 1] = pair[1];
		}
		RBL_PICK(rbl_triangle_pairs_settle)(positions, triangles, chunk, here, answers);
		for (int i = 0; i < here; ++i) {
			const int *a = triangles + 3 * (size_t)chunk[2 * i];
			const int *b = triangles + 3 * (size_t)chunk[2 * i + 1];
			if (answers[i] > 0 || (answers[i] == 0 && !(settler && settler(context, a, b)) &&
			                       rbl_indexed_triangles_meet_float(positions, a, b)))
				meeting[found++] = meeting[begin + i];
		}
	}
	return found;
}
