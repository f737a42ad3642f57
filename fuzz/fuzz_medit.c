// SPDX-License-Identifier: MIT
// Any bytes as MEDIT.

#include "reader.h"

FUZZ_READER(RBL_FORMAT_MEDIT)
