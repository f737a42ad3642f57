// SPDX-License-Identifier: MIT
// The door of the room `fracture`: beside its public face, compounds and rules as bytes.
#pragma once

#include "base/blob.h"

#include <rubble/asset.h>
#include <rubble/compound.h>
#include <rubble/damage.h>
#include <rubble/pattern.h>
#include <rubble/stress.h>

/// Write a compound with everything that its next break depends on, places of parts and bonds
/// included; pending breaks and estimates are not in it.
void rbl_compound_save(const rbl_compound *compound, rbl_blob_writer *w);

/// Read it. @param compound  receives it, the caller's to destroy; NULL on failure
/// @return whether the reader is still good
bool rbl_compound_load(rbl_blob_reader *r, const rbl_allocator *allocator, rbl_compound **compound);

/// The same for a convex. @return RBL_OK, RBL_BAD_FILE, RBL_OUT_OF_MEMORY
void rbl_put_convex(rbl_blob_writer *w, const rbl_convex *convex);
rbl_result rbl_get_convex(rbl_blob_reader *r, const rbl_allocator *allocator, rbl_convex **convex);

/// Whether what a rule says of bending makes sense.
bool rbl_damage_rule_bends_well(const rbl_damage_rule *rule);

/// Move the parts of a compound to where they are bent. The compound is destroyed, unless this fails.
/// @param poses   for each part that is there, in their order
/// @param reach   as rbl_bending_def.reach
/// @param joined  receives what hangs together after that
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_bend_compound(rbl_compound *compound, const rbl_transformd *poses, double reach,
                             rbl_break **joined);

/// @return RBL_OK, RBL_BAD_ARGUMENT with a line in the log: no rule, or one that makes no sense
rbl_result rbl_damage_rule_check(const rbl_damage_rule *rule);

/// Finds a pattern by its key. @return NULL when it is not known
typedef const rbl_pattern *rbl_pattern_finder(void *user, uint64_t key);

/// Write a rule, with the keys of its patterns, and read it into one block of memory that
/// rbl_damage_rule_free() gives back.
void rbl_damage_rule_save(const rbl_damage_rule *rule, rbl_blob_writer *w);
bool rbl_damage_rule_load(rbl_blob_reader *r, const rbl_allocator *allocator,
                          rbl_pattern_finder *find, void *user, rbl_damage_rule **rule);
void rbl_damage_rule_free(const rbl_allocator *allocator, rbl_damage_rule *rule);

/// Write where an estimate of a compound is, and bring a new one of the same definition there.
/// @return whether the reader is still good
void rbl_stress_save(const rbl_stress *stress, const rbl_compound *compound, rbl_blob_writer *w);
bool rbl_stress_restore(rbl_blob_reader *r, rbl_stress *stress, rbl_compound *compound);
