// SPDX-License-Identifier: MIT
// Any bytes as OBJ.

#include "reader.h"

FUZZ_READER(RBL_FORMAT_OBJ)
