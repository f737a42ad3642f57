// SPDX-License-Identifier: MIT
// A textured building as a glTF file, for `rubble make building`.
#pragma once

#include <rubble/io.h>

/// How much all its nodes have together.
typedef struct building_size {
	int vertex_count, face_count;
} building_size;

/// Write a building of five storeys: 300 nodes with meshes, in a group per storey, of five materials
/// with a texture each. @return as rbl_write_scene()
rbl_result write_building(const char *path, uint64_t seed, building_size *size);
