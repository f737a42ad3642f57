// SPDX-License-Identifier: MIT
// Any bytes as STL.

#include "reader.h"

FUZZ_READER(RBL_FORMAT_STL)
