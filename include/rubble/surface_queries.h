// SPDX-License-Identifier: MIT
// Rays and nearest points on surfaces.
//
// After an update, of either kind: both look at the surface at the end of the step.
#pragma once

#include <rubble/surface.h>

/// Where a ray meets a surface first.
typedef struct rbl_surface_ray_hit {
	/// All zero where nothing is met.
	rbl_surface_body_id body;

	/// Of several that are met at the same place, the lowest.
	int triangle;

	/// How far along the translation, 0 to 1.
	float fraction;

	/// Shares of the second and third corner of the triangle.
	float u, v;

	rbl_vec3 point;

	/// Unit, to the side from which the triangle turns counter-clockwise; zero where it has no
	/// area.
	rbl_vec3 normal;
} rbl_surface_ray_hit;

/// Find the first triangle on a ray. Whether a triangle is met is decided exactly, borders
/// included, so that no ray passes between two that share an edge. A ray in the plane of a triangle
/// does not meet it; nor do rays meet edges and points without faces.
/// @param from, translation  the ray, finite; its end is where the translation leads from its
///                           start, as doubles
/// @param mask  bodies count that have a category of it (rbl_surface_filter)
/// @param hit   receives what is met
/// @return RBL_OK (also where nothing is met), RBL_BAD_ARGUMENT (a number, or no update since the
///         last change)
/// Threads: any number while nothing changes the surface. Cost: O(log n) for most rays.
RBL_API rbl_result rbl_surface_cast_ray(const rbl_surface *surface, rbl_vec3 from,
                                        rbl_vec3 translation, uint32_t mask,
                                        rbl_surface_ray_hit *hit);

/// The point of a surface that is nearest to a point.
typedef struct rbl_surface_nearest_point {
	/// All zero where nothing is within the distance.
	rbl_surface_body_id body;

	/// Of several that have the nearest point, the lowest. Of an edge or a point without faces, its
	/// number among triangles.
	int triangle;

	float distance;

	/// Shares of the second and third corner of the triangle.
	float u, v;

	rbl_vec3 point;
} rbl_surface_nearest_point;

/// Find the nearest point of all triangles, edges and points.
/// @param point         finite
/// @param max_distance  in metres, at least 0; may be infinite
/// @param mask          as for rbl_surface_cast_ray()
/// @param nearest       receives the point
/// @return as rbl_surface_cast_ray()
/// Threads: any number while nothing changes the surface. Cost: O(log n) for most points.
RBL_API rbl_result rbl_surface_find_nearest(const rbl_surface *surface, rbl_vec3 point,
                                            float max_distance, uint32_t mask,
                                            rbl_surface_nearest_point *nearest);
