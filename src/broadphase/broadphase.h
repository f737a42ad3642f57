// SPDX-License-Identifier: MIT
// The door of the room `broadphase`: what rooms below may use is its public face.
#pragma once

#include <rubble/broadphase.h>
