// SPDX-License-Identifier: MIT
// Serialisation of convexes, meshes and bonds.
#pragma once

#include "fracture/compound.h"
#include "fracture/fracture.h"

void rbl_put_bond(rbl_blob_writer *w, const rbl_bond *bond);

/// Parts, faces, area, centre and strength, but not its place in lists. The parts must exist.
rbl_result rbl_get_bond(rbl_blob_reader *r, const rbl_compound *compound, rbl_bond *bond);
