// SPDX-License-Identifier: MIT
// The door of the room `collide`: convex forms, manifolds with their caches, colliders.
#pragma once

#include "collide/collider.h"
#include "collide/manifold.h"
#include "collide/polyhedron.h"

#include <rubble/collide.h>
