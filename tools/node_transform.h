// SPDX-License-Identifier: MIT
// Coordinates of nodes of a scene.
#pragma once

#include <rubble/convex.h>
#include <rubble/mesh.h>
#include <rubble/scene.h>

/// A placement: three rows of a linear map and a translation.
typedef struct placement {
	double m[3][4];
} placement;

/// @return the placement of a node in its parent
placement node_placement(const rbl_scene_node *node);

/// @return the placement of a node in its scene; of -1 the identity
placement scene_placement(const rbl_scene *scene, int node);

/// @return where a point goes
rbl_vec3d place_point(const placement *p, rbl_vec3d point);

/// @return a convex at its place, without plane ids; NULL if it is too thin, or memory runs out
rbl_convex *place_convex(const placement *p, const rbl_convex *convex);

/// Mass, centre and inertia at a place, of density 1.
rbl_mass place_mass(const placement *p, const rbl_mass *mass);

/// @return what places by `b` and then by `a`
placement join_placements(const placement *a, const placement *b);

/// @return its determinant: 0 is flat, below 0 mirrors
double placement_determinant(const placement *p);

/// Copy a mesh to its place. Tangents and attributes of one's own stay where it is only moved.
rbl_result place_mesh(const rbl_mesh *mesh, const placement *p, rbl_mesh **placed);

/// Express a point of the parent in coordinates of a node.
/// @return the determinant of the node's transform; 0: it is flat, and the point stays
double point_to_node(const rbl_scene_node *node, double *point);
