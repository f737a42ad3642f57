// SPDX-License-Identifier: MIT
// Bodies of the suite `field`: the sphere of Glondu et al. 2014, section 7.2, broken into cells.
#pragma once

#include "base/kernel.h"

#include "scenes/analytic_fields.h"
#include "scenes/field_world.h"

#include <rubble/tets.h>

enum { FIELD_CELLS = 10 };

/// Measure points by a cell_shape, eight at a time: see cell_field().
RBL_DECLARE_KERNEL(void, field_evaluate_cell,
                   (const cell_shape *cell, const rbl_vec3 *points, int count, float *distances,
                    float *bounds, rbl_vec3 *gradients));

/// The distance field of a cell, which the caller keeps, by the back end that is best here.
shape_field field_cell_field(const cell_shape *cell);

/// A fragment of the sphere: sphere, planes, points and mass, around its centre of mass.
typedef struct field_fragment {
	cell_shape cell; // around the centre of the whole sphere
	rbl_vec3 centre; // of mass, there
	rbl_point_samples samples;
	rbl_mass mass;
	rbl_mesh *mesh;   // around the centre of the whole sphere
	int vertex_count; // of its mesh
} field_fragment;

/// A sphere of radius 0.5 m with `triangle_count` triangles, cut by cells around random sites.
typedef struct field_sphere {
	field_fragment fragments[FIELD_CELLS];
	int fragment_count;
	rbl_vec3d sites[FIELD_CELLS];
	rbl_mesh *mesh;
	double sample_ms; // to sample all fragments
} field_sphere;

/// @return false when something was refused
bool field_sphere_open(field_sphere *sphere, int triangle_count);
void field_sphere_close(field_sphere *sphere);

/// A filling of the sphere with about so many nodes; NULL when it was refused.
rbl_tets *field_sphere_tets(const field_sphere *sphere, int node_count);
