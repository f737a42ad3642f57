// SPDX-License-Identifier: MIT
// The door of the room `broadphase`: beside its public face, its boxes as bytes, and its cells to be
// drawn.
#pragma once

#include "base/blob.h"

#include <rubble/broadphase.h>

/// Write boxes, in the order of `ids`, with those of the last update: which pairs begin and end follows
/// from the two. How they are organised is not in it: pairs do not depend on it, their order does.
/// @param ids  all of them; null ones are passed over
void rbl_broadphase_save(const rbl_broadphase *broadphase, const rbl_proxy_id *ids, int count,
                         rbl_blob_writer *w);

/// Read them. Users must differ and be below `user_end`.
/// @param ids  receives the new ids, by user; others are left alone
/// @return whether the reader is still good; NULL otherwise
bool rbl_broadphase_load(rbl_blob_reader *r, const rbl_broadphase_def *def, int user_end,
                         rbl_proxy_id *ids, rbl_broadphase **broadphase);

/// Receives a cell of the partition, cut to what holds all boxes, and the number of boxes listed there.
typedef void rbl_cell_function(void *context, rbl_box cell, int population);

/// All cells, in a fixed order. A broad phase that is a tree has one: its bounds.
/// Cost: O(boxes).
void rbl_broadphase_cells(const rbl_broadphase *broadphase, rbl_cell_function *function,
                          void *context);
