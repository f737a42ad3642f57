// SPDX-License-Identifier: MIT
// Rays through bodies, for queries and overlaps.
#pragma once

#include "surface/surface.h"

/// A ray, and the first triangle on it that was met so far.
typedef struct rbl_surface_ray {
	const rbl_surface *surface;
	rbl_vec3d from, to;
	int triangle; // -1: none
	double share; // how far along the ray it is; 1 without
} rbl_surface_ray;

/// Meet the triangles of a body.
void rbl_surface_ray_through(rbl_surface_ray *ray, const rbl_surface_body *body);
