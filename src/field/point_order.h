// SPDX-License-Identifier: MIT
// Farthest-point order: points in such an order that any number of the first ones is spread evenly.
#pragma once

#include "base/memory.h"

#include <rubble/field_contacts.h>

/// Order points. The first is the one farthest from the centre of the box around all of them. Each
/// of the next is farthest from its nearest among those before it; of equals the lowest index comes
/// first. After `ordered_count` of them, or when all that are left lie on those before, the rest
/// follow by their distance from these, farthest first, to within a hundredth of it, and of equals
/// the lowest index.
///
/// Ranks form levels: rank 0, rank 1, ranks 2 and 3, 4 to 7 and so on, and last all that are not
/// ordered exactly. The parent of a point is the nearest point of the levels before its own, of
/// equals the one of lowest rank.
///
/// @param arena          for the work; nothing of it is needed afterwards
/// @param points         finite, coordinates at most RBL_MAX_FIELD_COORDINATE: the caller has
///                       checked
/// @param count          1 to RBL_MAX_FIELD_POINTS
/// @param ordered_count  how many are ordered exactly, 1 to count
/// @param order          receives the index of the point of each rank
/// @param parents        receives the rank of each rank's parent, -1 for rank 0
/// @param exact_count    receives how many are ordered exactly: less than asked for where points
///                       lie on others
/// @return RBL_OK, RBL_OUT_OF_MEMORY
/// Cost: O(n log n) on surfaces and in volumes, about 0.3 us per ordered point and 30 ns per point.
rbl_result rbl_order_points(rbl_arena *arena, const rbl_vec3 *points, int count, int ordered_count,
                            int *order, int *parents, int *exact_count);

/// @return the first rank after the level that begins with rank `first`
static inline int rbl_order_level_end(int first, int exact_count, int count)
{
	if (first >= exact_count)
		return count;
	int end = first == 0 ? 1 : 2 * first;
	return end < exact_count ? end : exact_count;
}
