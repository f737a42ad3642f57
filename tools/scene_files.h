// SPDX-License-Identifier: MIT
// Files that models of a scene name: meshes and assets.
#pragma once

#include "scene.h"
#include "texture_file.h"

/// Materials of a glTF model have a `source` from MODEL_SOURCES * model + 1 on, in the order of the
/// file. Those of textures of cut faces follow, by material of the scene.
enum { MODEL_SOURCES = 65536 };

/// Read the materials and textures of a model's file, if that is glTF.
/// @param document  receives the file; NULL for anything else
/// @return as rbl_read_document()
rbl_result read_model_document(const scene_file *scene, const scene_model *model,
                               rbl_document **document);

/// Read the texture that cut faces of a material have. @return as read_texture_look()
rbl_result read_inner_texture(const scene_file *scene, const scene_material *material,
                              texture_look *look);

/// @return whether the name of a node, or of one above it, fits a pattern, where * stands for anything;
///         without a pattern all do
bool node_is_chosen(const rbl_scene *scene, int node, const char *pattern);

/// Read the file of a model node by node: the mesh of each, placed as the file says, and its name.
/// @param meshes  receives new memory, with *count meshes to be destroyed
/// @param names   receives new memory, with a name for each
/// @return as rbl_read_document(); RBL_BAD_FILE without any mesh
rbl_result read_model_nodes(const scene_file *scene, const scene_model *model, rbl_mesh ***meshes,
                            char (**names)[SCENE_NAME_LENGTH], int *count);

/// Read the file of a model: a mesh, which is repaired if the scene says so, or an asset, of which
/// the mesh is a copy.
/// @param asset  receives the asset; NULL for a mesh file
/// @return as rbl_read_mesh(), rbl_mesh_repair() and rbl_asset_load()
rbl_result read_model_file(const scene_file *scene, const scene_model *model, rbl_mesh **mesh,
                           rbl_asset **asset);
