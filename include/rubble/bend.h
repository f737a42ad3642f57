// SPDX-License-Identifier: MIT
// Bending: a body comes apart into its pieces for some steps, and is one again, in another shape.
//
// So metal and clay give way where stone would shatter. What breaks off a compound and has several
// parts is taken apart; the parts move as bodies of their own; after some steps those that have
// stayed near each other are joined where they are.
#pragma once

#include <rubble/base.h>
#include <rubble/compound.h>
#include <rubble/types.h>

/// A compound that was taken apart and will be joined again.
typedef struct rbl_bending rbl_bending;

/// How to bend. Start from rbl_default_bending_def().
typedef struct rbl_bending_def {
	/// Steps for which pieces move by themselves, 1 to 100000. Default 6.
	int step_count;

	/// A bond holds when its two ends have come apart by no more than this share of its size, the
	/// square root of its area; >= 0. Default 0.5.
	double max_stretch;

	/// Filled by rbl_default_bending_def(). Leave it alone.
	uint32_t cookie;
} rbl_bending_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_bending_def rbl_default_bending_def(void);

/// Take a compound apart: each part becomes a piece, a compound of its own in the same place.
/// Breaks that are pending on it have nothing to do any more.
/// @param compound  the bending's from now on, unless this fails
/// @param bending   receives the bending, the caller's to finish or destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (the compound is as it was)
/// Threads: one call on a compound at a time. Cost: O(n).
RBL_API rbl_result rbl_begin_bending(rbl_compound *compound, const rbl_bending_def *def,
                                     rbl_bending **bending);

/// @return the number of pieces, 0 for NULL. Threads: any.
RBL_API int rbl_bending_piece_count(const rbl_bending *bending);

/// @return a piece, in the coordinates of the compound it was; it lives as long as the bending.
/// NULL when out of range or taken. Threads: any.
RBL_API const rbl_compound *rbl_bending_get_piece(const rbl_bending *bending, int piece);

/// Take a piece out, as when it breaks again: it is the caller's, and will not be joined.
/// @return NULL when out of range or taken. Threads: one call on a bending at a time.
RBL_API rbl_compound *rbl_bending_take(rbl_bending *bending, int piece);

/// Count a step. @return the steps that are left; at 0 it is time to finish. 0 for NULL.
/// Threads: one call on a bending at a time.
RBL_API int rbl_bending_step(rbl_bending *bending);

/// Join the pieces where they are: those whose bonds hold become one compound. Nothing is lost, and
/// no piece changes its shape. Joints keep area and strength; pieces of a part that breaks later
/// inherit a joint where they are nearest to it. Destroys the bending unless it fails.
/// @param poses   for each piece, where it has moved to from where it was
/// @param homes   receives for each piece the compound it is in, -1 for those that were taken; NULL
///                when it is not wanted
/// @param joined  receives the compounds, in the coordinates that the poses lead to; the caller's
///                to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (a pose is not finite or no rotation), RBL_OUT_OF_MEMORY
/// Threads: one call on a bending at a time. Cost: O(n).
RBL_API rbl_result rbl_finish_bending(rbl_bending *bending, const rbl_transformd *poses, int *homes,
                                      rbl_break **joined);

/// Give a bending up, with all pieces that were not taken. NULL is fine.
RBL_API void rbl_destroy_bending(rbl_bending *bending);
