// SPDX-License-Identifier: MIT
// Serialisation of convexes, meshes and bonds.
#pragma once

#include "fracture/compound.h"
#include "fracture/fracture.h"

void rbl_put_mesh(rbl_blob_writer *w, const rbl_mesh *mesh); // NULL is fine
void rbl_put_bond(rbl_blob_writer *w, const rbl_bond *bond);

/// @return RBL_OK, RBL_BAD_FILE, RBL_OUT_OF_MEMORY; what is read is the caller's
rbl_result rbl_get_mesh(rbl_blob_reader *r, const rbl_allocator *allocator, rbl_mesh **mesh);

/// Parts, faces, area, centre and strength, but not its place in lists. The parts must exist.
rbl_result rbl_get_bond(rbl_blob_reader *r, const rbl_compound *compound, rbl_bond *bond);
