// SPDX-License-Identifier: MIT
// Clipping the face of one polyhedron to the prism above a face of another.
#pragma once

#include "collide/axis.h"

/// A point of the incident polyhedron above the reference face, in the frame of the latter. It lies
/// where two lines meet: numbers of edges of the incident face, or 128 + number of a side of the
/// reference face. They name the point.
typedef struct rbl_clip_point {
	rbl_vec3 position;
	float height; // above the reference face
	uint8_t before, after;
} rbl_clip_point;

enum { RBL_CLIP_CAPACITY = 256 };

/// The part of the incident face that lies within the sides of the reference face.
/// @param incident_face  receives the face of `incident` that was clipped; 0 when it has none
/// @param points         room for RBL_CLIP_CAPACITY
/// @return how many
int rbl_clip_faces(const rbl_polyhedron *reference, int face, const rbl_polyhedron *incident,
                   const rbl_frame *incident_to_reference, int *incident_face,
                   rbl_clip_point *points);
