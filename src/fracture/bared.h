// SPDX-License-Identifier: MIT
// Faces that lie bare because an old bond is gone.
#pragma once

#include "fracture/break.h"

/// List what members shared whose bond goes with this break, before the compound changes.
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_bared_list(const rbl_breaker *b, rbl_break *out);

/// Note where the pieces went, after it changed.
void rbl_bared_place(const rbl_breaker *b, rbl_break *out);
