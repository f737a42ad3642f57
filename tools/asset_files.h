// SPDX-License-Identifier: MIT
// Closed meshes and asset files (.rbl) for the commands that prepare and break them, and compounds as meshes.
#pragma once

#include <rubble/asset.h>

/// Replace a mesh by its repaired form; a line says what was repaired. It is NULL on failure.
/// @return as rbl_mesh_repair()
rbl_result repair_mesh(rbl_mesh **mesh);

/// Read a mesh file, and repair it if asked to; a line says what was repaired.
/// @param mesh  receives the mesh, to be destroyed; NULL on failure
/// @return as rbl_read_mesh() and rbl_mesh_repair()
rbl_result read_closed_mesh(const char *name, bool is_repaired, rbl_mesh **mesh);

/// @return whether a file begins like an asset.
bool is_asset_file(const char *name);

/// Read an asset. @return a STATUS_; an error is printed
int read_asset(const char *name, rbl_asset **asset);

/// Write an asset. @return a STATUS_; an error is printed
int write_asset(const char *name, const rbl_asset *asset);

/// Volume of a closed mesh by the triangles of rbl_mesh_triangulate(); faces that are not flat have
/// another volume as fans. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result mesh_volume(const rbl_mesh *mesh, double *volume);

/// Volume of the visual meshes of a compound, part by part.
/// @param inside_out  receives how many parts have no positive volume
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result compound_volume(const rbl_compound *compound, double *volume, int *inside_out);

/// @return the material of cut faces among those of a mesh; NULL if it has none
const rbl_mesh_material *find_inner(const rbl_mesh_material *materials, int count);

/// Join meshes into one. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result join_meshes(rbl_mesh *const *meshes, int count, rbl_mesh **mesh);

/// Join the meshes of all parts of a compound into one, with normals, texture coordinates and
/// materials.
/// @param like  of the materials and attributes that the compound has where none of its parts has a
///              mesh, or NULL
/// @param look  of the cuts, or NULL
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result compound_mesh(const rbl_compound *compound, const rbl_mesh *like,
                         const rbl_inner_look *look, rbl_mesh **mesh);
