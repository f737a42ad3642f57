// SPDX-License-Identifier: MIT
// Fractures one by one.
#pragma once

#include "world/world.h"

#include <rubble/fracture_log.h>

/// Something came apart, or was cut: tell the log before bodies are made of it.
/// @param request  what broke it
void rbl_world_log_fracture(rbl_world *world, const rbl_damage_request *request,
                            const rbl_break *broken);
