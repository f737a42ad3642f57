// SPDX-License-Identifier: MIT
// Files that models of a scene name: meshes and assets.
#pragma once

#include "scene.h"

/// Read the file of a model: a mesh, which is repaired if the scene says so, or an asset, of which
/// the mesh is a copy.
/// @param asset  receives the asset; NULL for a mesh file
/// @return as rbl_read_mesh(), rbl_mesh_repair() and rbl_asset_load()
rbl_result read_model_file(const scene_file *scene, const scene_model *model, rbl_mesh **mesh,
                           rbl_asset **asset);
