// SPDX-License-Identifier: MIT
// Contacts of two bodies by their fields, as callers with an arena of their own find them.
#pragma once

#include "field/sphere_tree.h"

#include <rubble/field_contacts.h>

/// A body as contacts see it.
struct rbl_field_shape {
	rbl_allocator allocator;
	const rbl_distance_field *field; // NULL: nothing is measured by it
	rbl_sphere_tree tree;            // count 0: it has no points
};

/// rbl_field_contacts_find() with an arena.
/// @param arena  holds the result, and the work: the caller resets it
rbl_result rbl_find_field_contacts(const rbl_field_side *a, const rbl_field_side *b,
                                   const rbl_field_contact_settings *settings, rbl_arena *arena,
                                   rbl_field_contact_memory *memory, rbl_field_contact_list *list);

/// rbl_field_cast_motion() with an arena.
rbl_result rbl_cast_field_motion(const rbl_field_side *moving, rbl_transform to,
                                 const rbl_field_side *target, float separation, float depth,
                                 rbl_arena *arena, rbl_cast_hit *hit);
