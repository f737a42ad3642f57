// SPDX-License-Identifier: MIT
// Updates of nodal distances as Glondu et al. 2014 write them, and with witnesses: references for
// crack fields.
#pragma once

#include "scenes/crack_cells.h"

#include <rubble/tets.h>

/// Distances at the nodes of a mesh, in two forms.
typedef struct literal_field {
	int node_count, tet_count;
	const rbl_tets_data *data;
	rbl_vec3 *nodes;
	int *edge_starts, *edges;
	const float *surface;       // before the break
	const rbl_vec3 *directions; // to the surface
	float *distances;
	rbl_vec3 *normals;
	int *witnesses;
	int *front, *next, *steps, *tried;
	int update_count; // of nodes
} literal_field;

/// @param surface     distance of each node before the break, and the direction to where it is
/// @return false when memory ran out
bool literal_open(literal_field *field, const rbl_tets_data *data, const float *surface,
                  const rbl_vec3 *directions);
void literal_close(literal_field *field);

/// Equations 1 and 2 as they stand: distance and direction of a node are averages over its
/// neighbours of the last step, and the shorter distance wins.
void literal_update(literal_field *field, const crack_input *input);

/// The same front with witness planes: a node takes the plane of its neighbour when that is nearer.
void literal_update_witnesses(literal_field *field, const crack_input *input);
