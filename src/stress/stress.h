// SPDX-License-Identifier: MIT
// The interface of the room `stress`: beside its public functions, estimates in snapshots.
#pragma once

#include "base/blob.h"

#include <rubble/stress.h>

/// Write the state of an estimate of a compound, and bring a new one of the same definition there.
/// @return whether the reader is still good
void rbl_stress_save(const rbl_stress *stress, const rbl_compound *compound, rbl_blob_writer *w);
bool rbl_stress_restore(rbl_blob_reader *r, rbl_stress *stress, rbl_compound *compound);
