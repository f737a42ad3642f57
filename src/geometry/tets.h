// SPDX-License-Identifier: MIT
// What the room itself knows about tetrahedra beyond rubble/tets.h.
#pragma once

#include <rubble/tets.h>
