// SPDX-License-Identifier: MIT
// Fracture logs: what broke and how, in some hundred bytes each, enough to break it again.
//
// A saved game, a network stream, a player who joins late: whoever has the same bodies gets the
// same pieces from the log. Pieces have numbers, which are the same there; where they lie now is
// told by other means. A log holds fractures alone: what was destroyed or thrown in otherwise is
// not in it.
#pragma once

#include <rubble/base.h>
#include <rubble/body.h>
#include <rubble/snapshot.h>
#include <rubble/world.h>

/// No event of a log is longer, in bytes.
#define RBL_MAX_FRACTURE_EVENT 1024

/// Receives one event as bytes, little-endian on every platform. Events in a row are a log.
/// Threads: world; it may read the world, calls that change it are refused.
typedef void rbl_fracture_log_function(void *user, const void *bytes, size_t size);

/// Log every fracture from now on, from inside the steps that find them.
/// @param write  NULL: no longer
/// @return RBL_OK, RBL_BAD_ARGUMENT (also during a step). Threads: world.
RBL_API rbl_result rbl_world_log_fractures(rbl_world *world, rbl_fracture_log_function *write,
                                           void *user);

/// Break what a log says was broken. What was not a fragment itself is found by its id: bodies must
/// have been made in the same order. Bodies are put where they broke. The next step reports nothing
/// of it.
/// @param bytes    one event or many, in order, from the first that this world does not have
/// @param sources  patterns that the bodies' damage rules do not have; NULL for none
/// @return RBL_OK, RBL_BAD_ARGUMENT (also during a step), RBL_BAD_FILE (damaged, out of order, or
///         of other bodies, the log says which event; those before it are done), RBL_OUT_OF_MEMORY
/// Threads: world. Cost: that of the breaks.
RBL_API rbl_result rbl_world_apply_fractures(rbl_world *world, const void *bytes, size_t size,
                                             const rbl_sources *sources);

/// @return the number of a fragment, from 1 on in the order in which they broke off; 0 for other
/// bodies. Threads: world.
RBL_API uint32_t rbl_body_fragment(const rbl_world *world, rbl_body_id body);

/// @return the fragment of that number, the null id when it is gone or baked into a static body.
/// Threads: world. Cost: O(n).
RBL_API rbl_body_id rbl_world_find_fragment(const rbl_world *world, uint32_t fragment);
