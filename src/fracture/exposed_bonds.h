// SPDX-License-Identifier: MIT
// Faces that a broken bond exposes.
#pragma once

#include "fracture/break.h"

/// List what parts shared whose bond goes with this break, before the compound changes.
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_break_list_exposed(const rbl_breaker *b, rbl_break *out);

/// Note where the pieces went, after it changed.
void rbl_break_place_exposed(const rbl_breaker *b, rbl_break *out);
