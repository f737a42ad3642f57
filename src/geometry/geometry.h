// SPDX-License-Identifier: MIT
// The interface of the room: meshes, predicates, hulls, convexes, cells.
#pragma once

#include "geometry/adjacency.h"
#include "geometry/convex_clip.h"
#include "geometry/convex_cells.h"
#include "geometry/mesh_check.h"
#include "geometry/convex.h"
#include "geometry/double_double.h"
#include "geometry/hull.h"
#include "geometry/mesh.h"
#include "geometry/predicates.h"
#include "geometry/shells.h"
#include "geometry/solid.h"
#include "geometry/triangle_intersection.h"
#include "geometry/triangulate.h"
#include "geometry/voronoi.h"

#include <rubble/tets.h>
