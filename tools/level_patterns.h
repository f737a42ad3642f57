// SPDX-License-Identifier: MIT
// Levels of assets that are made by a pattern, and how that lies in a mesh.
#pragma once

#include <rubble/asset.h>

/// Make a level by a pattern. @param def       of size 0: as large as the mesh
/// @param position  or NULL: the middle of the mesh; of bricks the middle of its bottom, where the
///                  first course begins
/// @param level     receives pattern and position; the pattern is the caller's to destroy
rbl_result make_pattern_level(const rbl_pattern_def *def, const rbl_mesh *mesh,
                              const double *position, rbl_cluster_level *level);

/// Destroy the patterns of levels.
void destroy_level_patterns(const rbl_cluster_level *levels, int count);
