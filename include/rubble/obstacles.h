// SPDX-License-Identifier: MIT
// Rigid bodies as obstacles of a surface, so that cloth falls over rubble.
//
// Obstacles copy the bodies of a world into a surface and keep the copy up to date: after each
// step of the world, rbl_obstacles_sync() moves what moved, and replaces what broke or died by what
// came of it. It compares states and needs no events, so that steps may be left out between two
// calls, and a world that was just loaded is as good as any.
//
//     rbl_obstacles_def def = rbl_default_obstacles_def();
//     rbl_create_obstacles(surface, &def, &obstacles);
//     for (;;) {
//         rbl_world_step(world, dt);
//         rbl_obstacles_sync(obstacles, world, dt);
//         rbl_surface_move(surface, cloth, NULL, predicted);
//         rbl_surface_update(surface, RBL_SURFACE_CONTINUOUS);
//         rbl_surface_sweep(surface, &hits);
//     }
//
// Every part of a body is a body of the surface. It is static there: it is tested against what is
// not, and not with itself or other parts. Its user id has the index of the body in the upper half,
// and the number of the part in the lower one; user ids of its vertices and triangles count from 0.
#pragma once

#include <rubble/body.h>
#include <rubble/surface.h>

/// Bodies of a world in a surface.
typedef struct rbl_obstacles rbl_obstacles;

/// What of a body is an obstacle.
typedef enum rbl_obstacle_shape {
	/// What is seen: the meshes of the parts of what can break. Others as they collide.
	RBL_OBSTACLE_MESHES = 0,
	/// The convexes of all parts, with fewer triangles.
	RBL_OBSTACLE_CONVEXES,
	RBL_OBSTACLE_SHAPE_COUNT
} rbl_obstacle_shape;

/// How to make obstacles. Start from rbl_default_obstacles_def().
typedef struct rbl_obstacles_def {
	/// Default RBL_OBSTACLE_MESHES.
	rbl_obstacle_shape shape;

	/// Only bodies with one of these categories of their rbl_filter are obstacles. Sensors and
	/// disabled bodies never are. Default all bits.
	uint32_t categories;

	/// What they are in the surface. Default static, of category 1, tested against all.
	rbl_surface_filter filter;

	/// Of their bodies in the surface, in metres, at least 0. Default 0.
	float thickness;

	/// A plane without end is a square that reaches so far from the body's place, in metres, above
	/// 0 to RBL_MAX_COLLIDER_SIZE. Default 100.
	float plane_reach;

	/// Memory of the obstacles; the surface has its own.
	rbl_allocator allocator;

	/// Filled by rbl_default_obstacles_def(). Leave it alone.
	uint32_t cookie;
} rbl_obstacles_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_obstacles_def rbl_default_obstacles_def(void);

/// Make obstacles of a surface, none at first.
/// @param surface    must outlive them; others may be added to it and removed from it as ever
/// @param def        read during the call only
/// @param obstacles  receives them, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY
/// Threads: one call on a surface at a time, here and below.
RBL_API rbl_result rbl_create_obstacles(rbl_surface *surface, const rbl_obstacles_def *def,
                                        rbl_obstacles **obstacles);

/// Destroy obstacles, and take their bodies out of the surface. NULL is fine.
RBL_API void rbl_destroy_obstacles(rbl_obstacles *obstacles);

/// Bring the surface up to date with a world: before rbl_surface_update(), and never while the
/// world steps. What moved goes in a straight line from where it was at the last call to where it
/// is now.
/// @param world  the same as before, or another: then all obstacles are new. NULL: there are none
///               any more; call that before a world is destroyed that another may follow
/// @param dt     the time since the last call, in seconds: a new body, such as a fragment, comes
///               from where its velocity had it then. 0: it appears where it is
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_LIMIT_REACHED (of the surface), RBL_OUT_OF_MEMORY (some is
///         done: call it again)
/// Cost: O(n) in the vertices of parts that moved, O(n log n) in the triangles of those that are
/// new, and one comparison for each body of the world.
RBL_API rbl_result rbl_obstacles_sync(rbl_obstacles *obstacles, const rbl_world *world, float dt);

/// Let what the last call moved move the same way again: bodies of a surface rest after an update,
/// and a solver that looks at a step several times updates as often.
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_STALE_ID (somebody took them out of the surface),
///         RBL_OUT_OF_MEMORY
/// Cost: O(n) in the vertices of what moved.
RBL_API rbl_result rbl_obstacles_repeat(rbl_obstacles *obstacles);

/// What a body of a surface is.
typedef struct rbl_obstacle {
	/// The body of the world, null if it is no obstacle.
	rbl_body_id body;

	/// Its number, as events and casts have it: part of a compound, child of a collider.
	int part;
} rbl_obstacle;

/// @return what a body of the surface is: with rbl_surface_triangle_body(), what a triangle is.
/// Threads: any number while nothing changes the surface.
RBL_API rbl_obstacle rbl_obstacles_find(const rbl_obstacles *obstacles, rbl_surface_body_id body);

/// @return the body of the surface that is a part of a body, the first if there are several; all
/// zero if there is none. Threads: as above. Cost: O(n) in the parts of the body.
RBL_API rbl_surface_body_id rbl_obstacles_part(const rbl_obstacles *obstacles, rbl_body_id body,
                                               int part);

/// Numbers about obstacles.
typedef struct rbl_obstacles_stats {
	/// Bodies of the world, their parts, and triangles of these.
	int body_count, part_count, triangle_count;

	/// Parts that the last call added, removed and moved.
	int added_count, removed_count, moved_count;
} rbl_obstacles_stats;

/// @return the numbers; all zero for NULL. Threads: as above.
RBL_API rbl_obstacles_stats rbl_obstacles_get_stats(const rbl_obstacles *obstacles);
