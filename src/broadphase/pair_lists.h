// SPDX-License-Identifier: MIT
// Pairs kept from update to update.
//
// There are two lists: pairs, whose boxes overlap, and near pairs, of which only the fat boxes do.
// While a box moves inside its fat box nothing has to be searched: its pairs and near pairs are
// tested again and change list.
#pragma once

#include "broadphase/proxies.h"

typedef struct rbl_pair_lists {
	rbl_pair_array pairs;
	rbl_pair_array near_pairs; // only the fat boxes overlap
} rbl_pair_lists;

/// Begun and ended pairs of one block of work.
typedef struct rbl_pair_changes {
	rbl_pair_array begun, ended;
	bool is_out_of_memory;
} rbl_pair_changes;

void rbl_pair_lists_free(const rbl_allocator *allocator, rbl_pair_lists *lists);
void rbl_pair_changes_free(const rbl_allocator *allocator, rbl_pair_changes *changes);
size_t rbl_pair_lists_bytes(const rbl_pair_lists *lists);
size_t rbl_pair_changes_bytes(const rbl_pair_changes *changes);

static inline void rbl_pair_lists_clear(rbl_pair_lists *lists)
{
	lists->pairs.count = lists->near_pairs.count = 0;
}

/// Test the pairs of both lists again of which a box changed, in place. Pairs that change list are
/// added to `found`. Those of boxes that were removed or have a new fat box are dropped: what is
/// still a pair will be found again, perhaps in another leaf. With `drop_all` nothing is kept.
/// @return false when memory ran out
bool rbl_pair_lists_retest(rbl_proxies *proxies, rbl_pair_lists *lists, bool drop_all,
                           rbl_pair_lists *found, rbl_pair_changes *changes);

/// Two fat boxes overlap and the boxes may pair: add the pair to its list.
/// @return false when memory ran out
bool rbl_pair_lists_add(const rbl_proxies *proxies, uint32_t a, uint32_t b, rbl_pair_lists *found,
                        rbl_pair_changes *changes);

/// Append what was found, which may be anything afterwards.
/// @return false when memory ran out
bool rbl_pair_lists_append(const rbl_allocator *allocator, rbl_pair_lists *lists,
                           rbl_pair_lists *found);

/// Append one list to another.
bool rbl_pairs_append(const rbl_allocator *allocator, rbl_pair_array *list,
                      const rbl_pair_array *added);
