// SPDX-License-Identifier: MIT
// Attribute interpolation: what a corner of a piece has from the mesh, or from a cut face.
#pragma once

#include "fracture/pieces.h"
#include "geometry/geometry.h"

/// A triangle of the solid, made ready for points in it.
typedef struct rbl_attribute_triangle {
	int index; // -1 none
	rbl_vec3d positions[3];
	rbl_vec3d gradients[3]; // a corner's share grows by this, from zero at the corner after it
	rbl_vec3 normal;        // of the triangle, for meshes that have none
	bool is_even;           // the mesh has one normal at all corners
} rbl_attribute_triangle;

/// A cut face, made ready likewise: its plane as it lies in the mesh's coordinates.
typedef struct rbl_attribute_plane {
	int face;       // of the cells that it is from, -1 none
	rbl_vec3d u, v; // of the texture, in its units
	double shift_x, shift_y;
	rbl_vec3 normal;
} rbl_attribute_plane;

typedef struct rbl_attribute_sampler {
	const rbl_pieces *pieces;
	const rbl_solid *solid;
	rbl_mesh_data mesh;
	rbl_attribute_triangle triangle;
	rbl_attribute_plane plane;
	float further[RBL_MAX_ATTRIBUTE_WIDTH]; // of the last corner: the mesh's further attributes
} rbl_attribute_sampler;

/// Make a plane ready. The texture lies in it the same whichever way it looks, and whatever was cut
/// along it. @param plane  in the mesh's coordinates, looking out of the piece
void rbl_attribute_plane_set(rbl_attribute_plane *out, const rbl_inner_look *look,
                             rbl_planed plane);

/// A point on a cut face. @param p  in the mesh's coordinates
rbl_draw_vertex rbl_attribute_plane_sample(const rbl_attribute_plane *plane,
                                           const rbl_inner_look *look, rbl_vec3d p);

/// What a corner of a cut face has of a mesh's further attributes: tangents follow the texture, all
/// sets of coordinates are alike, and the rest is zero.
void rbl_attribute_plane_further(const rbl_attribute_plane *plane, const rbl_mesh_data *mesh,
                                 const rbl_draw_vertex *corner, float *further);

void rbl_attribute_sampler_init(rbl_attribute_sampler *sampler, const rbl_pieces *pieces);

/// Corner k of a face at p, which is relative to the solid's origin. Position is left zero. Further
/// attributes are left in the sampler, here and below.
rbl_draw_vertex rbl_sample_corner(rbl_attribute_sampler *sampler, const rbl_face_view *face, int k,
                                  rbl_vec3d p);

/// @return the normal of a triangle of the solid, for meshes that have none.
rbl_vec3 rbl_solid_triangle_normal(const rbl_solid *solid, int triangle);

/// A point on a cut face.
rbl_draw_vertex rbl_sample_cut_face(rbl_attribute_sampler *sampler, int cell_face, rbl_vec3d p);
