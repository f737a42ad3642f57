// SPDX-License-Identifier: MIT
// Inside a material: its values, a number that changes with them, and how it breaks. It is made in
// fracture/material.c; this room reads the values.
#pragma once

#include "base/blob.h"
#include "base/fields.h"
#include "base/references.h"

#include <rubble/material.h>

struct rbl_material {
	rbl_material_values values;
	uint32_t version; // of the values; worlds compare it
	rbl_references references;
	rbl_allocator allocator;
	rbl_material_def def; // all else that was given; its levels and name are the material's own
	char name[RBL_MAX_MATERIAL_NAME];
};

/// Hold a material, too: rbl_destroy_material() lets go of it. NULL stays NULL.
static inline const rbl_material *rbl_material_share(const rbl_material *material)
{
	if (material)
		rbl_add_reference(&((rbl_material *)(uintptr_t)material)->references);
	return material;
}

/// Let go of a material that was shared.
static inline void rbl_material_unshare(const rbl_material *material)
{
	rbl_destroy_material((rbl_material *)(uintptr_t)material);
}

/// Check values. @return RBL_OK, RBL_BAD_ARGUMENT with a line in the log
rbl_result rbl_material_check(const rbl_material_values *values);

/// Whether two materials are the same in all respects.
bool rbl_material_values_are_equal(const rbl_material_values *a, const rbl_material_values *b);

/// A hash of all values.
uint64_t rbl_material_values_hash(const rbl_material_values *values, uint64_t hash);

/// Values as bytes. @return whether the reader is still good
void rbl_material_values_save(const rbl_material_values *values, rbl_blob_writer *w);
bool rbl_material_values_load(rbl_blob_reader *r, rbl_material_values *values);
