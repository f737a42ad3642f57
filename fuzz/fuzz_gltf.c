// SPDX-License-Identifier: MIT
// Any bytes as GLTF.

#include "reader.h"

FUZZ_READER(RBL_FORMAT_GLTF)
