// SPDX-License-Identifier: MIT
// How the corners of pieces look: attributes of the mesh, or of cut faces.
#pragma once

#include "fracture/pieces.h"
#include "fracture/solid.h"

/// A triangle of the solid, made ready for points in it.
typedef struct rbl_paint_triangle {
	int index; // -1 none
	rbl_vec3d places[3];
	rbl_vec3d rises[3]; // a corner's share grows by this, from zero at the corner after it
	rbl_vec3 normal;    // of the triangle, for meshes that have none
	bool is_even;       // the mesh has one normal at all corners
} rbl_paint_triangle;

/// A cut face, made ready likewise.
typedef struct rbl_paint_plane {
	int face;
	rbl_vec3d u, v; // of the texture, in its units
	double shift_x, shift_y;
	rbl_vec3 normal;
} rbl_paint_plane;

typedef struct rbl_painter {
	const rbl_pieces *pieces;
	const rbl_solid *solid;
	rbl_mesh_data mesh;
	rbl_paint_triangle triangle;
	rbl_paint_plane plane;
} rbl_painter;

void rbl_painter_init(rbl_painter *painter, const rbl_pieces *pieces);

/// Corner k of a face at p, which is relative to the solid's origin. Position is left zero.
rbl_draw_vertex rbl_paint_corner(rbl_painter *painter, const rbl_face_view *face, int k,
                                 rbl_vec3d p);

/// @return the normal of a triangle of the solid, for meshes that have none.
rbl_vec3 rbl_paint_flat_normal(const rbl_solid *solid, int triangle);

/// A point on a cut face.
rbl_draw_vertex rbl_paint_inner(rbl_painter *painter, int cell_face, rbl_vec3d p);
