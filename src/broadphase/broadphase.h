// SPDX-License-Identifier: MIT
// The interface of the room `broadphase` beside its public header: filters, room for changes,
// snapshots, cells for debug drawing, and operators left out for measurements.
#pragma once

#include "base/blob.h"

#include <rubble/broadphase.h>

/// Whether filters let two boxes form a pair.
static inline bool rbl_filter_allows(rbl_filter a, rbl_filter b)
{
	if (a.group == b.group && a.group != 0)
		return a.group > 0;
	return (a.category & b.mask) && (b.category & a.mask);
}

/// Make room to remove this many boxes and to add these: then rbl_broadphase_replace_many() and the
/// like cannot fail. @return as rbl_broadphase_add(); nothing changes in any case
rbl_result rbl_broadphase_reserve(rbl_broadphase *broadphase, int removed_count,
                                  const rbl_proxy_def *defs, int count);

/// Write boxes, in the order of `ids`, with those of the last update: which pairs begin and end
/// follows from the two. The structure is not written: pairs do not depend on it, only their order
/// does.
/// @param ids  all of them; null ids are skipped
void rbl_broadphase_save(const rbl_broadphase *broadphase, const rbl_proxy_id *ids, int count,
                         rbl_blob_writer *w);

/// Read them. Users must differ and be below `user_end`.
/// @param ids  receives the new ids, by user; others are left alone
/// @return whether the reader is still good
bool rbl_broadphase_load(rbl_blob_reader *r, const rbl_broadphase_def *def, int user_end,
                         rbl_proxy_id *ids, rbl_broadphase **broadphase);

/// As rbl_broadphase_overlap(), but only static boxes are reported, and perhaps others that have
/// changed since the last update.
rbl_result rbl_broadphase_overlap_static(const rbl_broadphase *broadphase, rbl_box box,
                                         const rbl_filter *filter, rbl_overlap_function *function,
                                         void *context);

/// Receives a cell of the BSP, clipped to the bounds of all boxes, and the number of boxes listed
/// there.
typedef void rbl_broadphase_cell_function(void *context, rbl_box cell, int population);

/// All cells, in a fixed order. The box tree has one: its bounds.
/// Cost: O(boxes).
void rbl_broadphase_cells(const rbl_broadphase *broadphase, rbl_broadphase_cell_function *function,
                          void *context);

/// Operators of the BSP, as bits.
typedef enum rbl_broadphase_operator {
	RBL_BROADPHASE_SPLIT = 1,
	RBL_BROADPHASE_SHIFT_SPLIT = 2,
	RBL_BROADPHASE_MERGE = 4,
	RBL_BROADPHASE_BALANCE = 8,
	RBL_BROADPHASE_SWAP = 16,
} rbl_broadphase_operator;

/// For measurements: leave out operators of the BSP, or build all planes anew after so many updates
/// (0: never). Pairs do not depend on it. The box tree has neither.
void rbl_broadphase_restrict(rbl_broadphase *broadphase, unsigned left_out, int build_interval);
