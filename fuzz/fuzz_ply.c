// SPDX-License-Identifier: MIT
// Any bytes as PLY.

#include "reader.h"

FUZZ_READER(RBL_FORMAT_PLY)
