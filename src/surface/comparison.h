// SPDX-License-Identifier: MIT
// For bench/ and tests/: methods of others to measure against, which the public enums do not have,
// and limits to lower so that small bodies take every path.
#pragma once

#include "surface/surface.h"

#include <limits.h>

/// The cone of normals alone (Volino and Magnenat-Thalmann 1994). May miss pairs.
#define RBL_CULL_NORMAL_CONE ((rbl_surface_culling)RBL_CULL_COUNT)
/// The cone of normals and the whole contour. Never misses.
#define RBL_CULL_CONTOUR ((rbl_surface_culling)(RBL_CULL_COUNT + 1))
/// The cone of normals and the contour along boundary edges of the mesh. May miss pairs.
#define RBL_CULL_REAL_CONTOUR ((rbl_surface_culling)(RBL_CULL_COUNT + 2))

/// Rebuild sub-trees whose box is larger than the boxes of their children justify (Larsson and
/// Akenine-Moeller 2006).
#define RBL_RESTRUCTURE_VOLUME ((rbl_surface_restructuring)RBL_RESTRUCTURE_COUNT)
/// Rebuild everything in every update.
#define RBL_RESTRUCTURE_ALL ((rbl_surface_restructuring)(RBL_RESTRUCTURE_COUNT + 1))
/// The volume rule as printed: without a budget, and whether or not the node has become dearer.
#define RBL_RESTRUCTURE_VOLUME_ALONE ((rbl_surface_restructuring)(RBL_RESTRUCTURE_COUNT + 2))

enum { RBL_COMPARISON_CULL_COUNT = RBL_CULL_COUNT + 3 };
enum { RBL_COMPARISON_RESTRUCTURE_COUNT = RBL_RESTRUCTURE_COUNT + 3 };

/// rbl_create_surface() and rbl_surface_set_culling(), with the values above as well.
rbl_result rbl_surface_create_comparison(const rbl_surface_def *def, rbl_surface **surface);
rbl_result rbl_surface_set_comparison_culling(rbl_surface *surface, rbl_surface_culling culling);

/// Share all work among workers, however little there is.
static inline void rbl_surface_always_share(rbl_surface *surface)
{
	surface->limits.shared_vertices = surface->limits.shared_clusters = 0;
	surface->limits.shared_query_ns = -1.0;
}

/// Switch off what makes surfaces faster, before the first body: bits of rbl_surface_accelerator.
static inline void rbl_surface_go_without(rbl_surface *surface, unsigned accelerators)
{
	surface->limits.without = accelerators;
}

/// Keep a copy of corners, however much memory that takes; or as usual.
static inline void rbl_surface_always_keep_corners(rbl_surface *surface, bool always)
{
	surface->limits.corner_bytes = always ? INT_MAX : RBL_SURFACE_CORNER_BYTES;
}
