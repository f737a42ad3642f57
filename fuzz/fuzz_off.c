// SPDX-License-Identifier: MIT
// Any bytes as OFF.

#include "reader.h"

FUZZ_READER(RBL_FORMAT_OFF)
