// SPDX-License-Identifier: MIT
// What is prepared and broken: closed meshes and asset files (.rbl), and pieces of assets as meshes.
#pragma once

#include <rubble/asset.h>

/// Read a mesh file, and close it where that is asked for.
/// @param mesh  receives the mesh, to be destroyed; NULL on failure
/// @return as rbl_read_mesh() and rbl_mesh_repair()
rbl_result read_closed_mesh(const char *name, bool is_repaired, rbl_mesh **mesh);

/// @return whether a file begins like an asset.
bool is_asset_file(const char *name);

/// Read an asset. @return a STATUS_; an error is printed
int read_asset(const char *name, rbl_asset **asset);

/// Write an asset. @return a STATUS_; an error is printed
int write_asset(const char *name, const rbl_asset *asset);

/// One mesh of all that a compound shows: the meshes of its parts, and parts without one as they
/// are, with normals, first texture coordinates and materials.
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result compound_mesh(const rbl_compound *compound, rbl_mesh **mesh);
