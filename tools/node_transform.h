// SPDX-License-Identifier: MIT
// Coordinates of nodes of a scene.
#pragma once

#include <rubble/scene.h>

/// Express a point of the parent in coordinates of a node.
/// @return the determinant of the node's transform; 0: it is flat, and the point stays
double point_to_node(const rbl_scene_node *node, double *point);
