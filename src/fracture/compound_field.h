// SPDX-License-Identifier: MIT
// Compounds as contacts by fields see them.
#pragma once

#include "field/field.h"
#include "fracture/compound.h"

#include <rubble/compound_field.h>

/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names what is wrong)
rbl_result rbl_check_compound_field_def(const rbl_compound_field_def *def);
