// SPDX-License-Identifier: MIT
// Overlapping convexes, and the ghost convexes that they have in common.
#pragma once

#include "base/memory.h"
#include "fracture/convex_adjacency.h"
#include "geometry/geometry.h"

#include <rubble/compound.h>

/// Pairs to look at.
typedef struct rbl_overlap_search {
	const rbl_convex *const *convexes;
	const double *volumes;

	/// Two convexes for each pair, the lower first, each pair once.
	const int *pairs;
	int pair_count;

	rbl_jobs *jobs;
} rbl_overlap_search;

/// Find pairs of convexes that overlap by more than rounding (1e-9 of the smaller volume). The
/// pairs have no faces (-1); the area is the common volume over the size of the first convex.
/// @param overlaps  zero, or what earlier searches found; receives them, all ascending; to be freed
///                  with rbl_array_free(&items)
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_find_overlaps(const rbl_allocator *allocator, const rbl_overlap_search *search,
                             rbl_adjacent_pairs *overlaps);

/// Two numbers for each pair.
typedef RBL_ARRAY(int) rbl_overlap_list;

/// List the pairs whose boxes overlap, the lower first. Convexes of one family but different parts
/// are known not to.
/// @param pairs  empty; to be freed with rbl_array_free()
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_list_near_pairs(const rbl_allocator *allocator, const rbl_convex *const *convexes,
                               int count, const int *shells, const int *parts,
                               rbl_overlap_list *pairs);

/// @return whether a face of one has all of the other in front of it
bool rbl_convexes_are_apart(const rbl_convex_data *a, const rbl_convex_data *b);

/// What some convexes have in common.
typedef struct rbl_ghost_convex {
	rbl_convex *convex;
	int sign;        // -1 for two, 1 for three, ...
	int depth;       // number of convexes
	int first, last; // two of them
	int parent;      // the common part of all but the last, or -1
} rbl_ghost_convex;

typedef struct rbl_ghost_convexes {
	RBL_ARRAY(rbl_ghost_convex) items;
	RBL_ARRAY(int) covered; // convexes that lie in others altogether, ascending: they count nothing
	bool is_limited;        // some were left out: there are too many
} rbl_ghost_convexes;

/// Find what overlapping convexes have in common, so that the sum over all convexes that are not
/// covered, and over common parts with their signs, counts every place once.
/// @param overlaps  all pairs, as rbl_find_overlaps() gives
/// @param ghosts   zero; to be freed with rbl_ghost_convexes_free()
/// The search works in slices; the result does not depend on budgets. Its input lives as long.
/// @return NULL when memory ran out
typedef struct rbl_ghost_search rbl_ghost_search;
rbl_ghost_search *rbl_ghost_search_begin(const rbl_allocator *allocator,
                                         const rbl_convex *const *convexes, int count,
                                         const rbl_adjacent_pairs *overlaps,
                                         rbl_ghost_convexes *ghosts);

/// @param budget  in cuts of a convex by another, > 0; less what was done
rbl_result rbl_ghost_search_work(rbl_ghost_search *search, int *budget, bool *is_done);

/// Forget a search. NULL is fine.
void rbl_ghost_search_end(rbl_ghost_search *search);

void rbl_ghost_convexes_free(const rbl_allocator *allocator, rbl_ghost_convexes *ghosts);

/// @return mass of convexes with common parts counted once
rbl_mass rbl_ghost_convexes_mass(const rbl_convex *const *convexes, int count,
                                 const rbl_ghost_convexes *ghosts);

/// The overlaps that a compound's bonds know of, ascending.
/// @param places    a number for each part instead of its own, or NULL
/// @param overlaps  zero; to be freed with rbl_array_free(&items)
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_list_overlaps(const rbl_compound *compound, const int *slots,
                             rbl_adjacent_pairs *overlaps);

/// The mass of a compound with parts that overlap: what they have in common counts once.
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_overlapping_mass(const rbl_compound *compound, rbl_mass *mass);
