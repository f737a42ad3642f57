// SPDX-License-Identifier: MIT
// Parts of rbl_mesh_check() that repair needs too.
#pragma once

#include "base/memory.h"

#include <rubble/mesh.h>

/// Whether a face has a vertex twice, or all its corners on one line, by exact test.
/// @param stamps  vertex_count numbers, none of them equal to `face` or above; changed
bool rbl_face_is_degenerate(const rbl_mesh_data *data, int face, int *stamps);

/// Find faces with the same cycle of vertices as an earlier face, in either direction.
/// @param originals  receives, per face, the first face with that cycle: itself for most
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_find_duplicate_faces(const rbl_mesh_data *data, const rbl_allocator *allocator,
                                    int *originals);

/// Label faces by component: faces that share a vertex are in one.
/// @param labels           receives a label per face, numbered by first face
/// @param component_count  receives the number of components
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_label_components(const rbl_mesh_data *data, const rbl_allocator *allocator,
                                int *labels, int *component_count);

/// Label faces by shell: faces that share an edge are in one. Parameters as above.
rbl_result rbl_label_shells(const rbl_mesh_data *data, const rbl_allocator *allocator, int *labels,
                            int *component_count);
