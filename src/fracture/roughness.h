// SPDX-License-Identifier: MIT
// Roughness: cut faces with inner points that are displaced off the plane.
#pragma once

#include "fracture/pieces.h"

/// A cut face made rough. All of it lies in the scratch memory.
typedef struct rbl_rough_face {
	/// Points in the face besides its corners, moved off the plane, relative to the solid's origin.
	int point_count;
	rbl_vec3d *points;

	/// Three numbers each: corners of the face, then points. They turn as the face does.
	int triangle_count;
	int *triangles;

	/// Unit normals of corners and points.
	rbl_vec3 *normals;
} rbl_rough_face;

/// @return whether a face is to be made rough.
static inline bool rbl_face_is_rough(const rbl_pieces *pieces, const rbl_face_view *face)
{
	return face->source < 0 && pieces->def.inner.roughness > 0.0;
}

/// The most triangles of a rough face.
int rbl_rough_capacity(const rbl_pieces *pieces, const rbl_vec3d *vertices,
                       const rbl_face_view *face);

/// Make a cut face rough. @param vertices  of the piece
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_roughen_face(rbl_arena *scratch, const rbl_pieces *pieces, const rbl_vec3d *vertices,
                            const rbl_face_view *face, rbl_rough_face *rough);
