// SPDX-License-Identifier: MIT
// The door of the room: meshes, predicates, hulls, convexes, cells.
#pragma once

#include "geometry/adjacency.h"
#include "geometry/carve.h"
#include "geometry/cells.h"
#include "geometry/check.h"
#include "geometry/convex.h"
#include "geometry/double_double.h"
#include "geometry/hull.h"
#include "geometry/mesh.h"
#include "geometry/predicates.h"
#include "geometry/tets.h"
#include "geometry/triangle.h"
#include "geometry/triangulate.h"
#include "geometry/voronoi.h"
