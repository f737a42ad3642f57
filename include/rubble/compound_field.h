// SPDX-License-Identifier: MIT
// Distance fields of what breaks: compounds as fragments of the mesh that they were made from.
//
// An asset's mesh gets a field once (rubble/field.h). What is left of its compound after a break,
// and all that came off, share it: only planes and polygons of cut faces are gathered.
#pragma once

#include <rubble/base.h>
#include <rubble/compound.h>
#include <rubble/field.h>
#include <rubble/field_contacts.h>
#include <rubble/types.h>

/// How to make the field of a compound. Start from rbl_default_compound_field_def().
typedef struct rbl_compound_field_def {
	/// What was made from the mesh, or broke off it, once or many times; its coordinates are still
	/// the mesh's. Cut faces are flat: rough ones count as the flat ones they were made from, and
	/// parts that were bent are not where the mesh was.
	const rbl_compound *compound;

	/// The field of that mesh. It must live as long as the compound's field.
	const rbl_distance_field *original;

	/// Other compounds of the same mesh, as far as they are known: the rest of it, and what came
	/// off in the same break. Where planes cannot tell a piece of theirs from this compound, cubes
	/// do. NULL among them, and the compound itself, are skipped. Default none.
	const rbl_compound *const *others;
	int other_count;

	/// From the coordinates of the field to those of the compound. Default the identity.
	rbl_transform transform;

	/// Memory of the field or shape, and of the work.
	rbl_allocator allocator;

	/// Filled by rbl_default_compound_field_def(). Leave it alone.
	uint32_t cookie;
} rbl_compound_field_def;

/// @return a definition without compound and original. Threads: any.
RBL_API rbl_compound_field_def rbl_default_compound_field_def(void);

/// Make the field of a compound. For one that is still whole, `original` is its field as well, and
/// faster.
/// @param def    read during the call only
/// @param field  receives the field, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names what is wrong), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n) in faces of its parts; for bodies of many parts, pairs of parts that
/// are near each other count as well.
RBL_API rbl_result rbl_create_compound_field(const rbl_compound_field_def *def,
                                             rbl_distance_field **field);

/// Make the shape of a compound, for contacts: vertices of what is seen, and samples along its
/// sharp edges. Points inside of the compound, where parts are bonded, are left out. Ids are made
/// from places in the mesh, so they last through breaks.
/// @param def      read during the call only; `others` are not needed
/// @param field    of the compound, which tells what is inside; it must live as long as the shape
/// @param spacing  as rbl_field_shape_def.spacing: metres between samples of sharp edges; 0: an
///                 eightieth of the diagonal
/// @param shape    receives the shape, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_MESH, RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: about 0.3 us per point.
RBL_API rbl_result rbl_create_compound_shape(const rbl_compound_field_def *def,
                                             const rbl_distance_field *field, float spacing,
                                             rbl_field_shape **shape);
