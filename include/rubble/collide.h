// SPDX-License-Identifier: MIT
// Narrow phase: contact manifolds, distances, ray casts and shape casts.
//
// It works alone: poses in, contacts out. A world uses it, and so can another engine.
#pragma once

#include <rubble/base.h>
#include <rubble/convex.h>
#include <rubble/mesh.h>
#include <rubble/types.h>

/// A shape that collides, in single precision around its own origin. It never changes after
/// creation, so threads may share one, and any number of bodies.
typedef struct rbl_collider rbl_collider;

/// The most children of a compound.
#define RBL_MAX_COLLIDER_CHILDREN 0xffffff

/// The most points in a manifold.
#define RBL_MAX_MANIFOLD_POINTS 4

/// The kinds of colliders. Meshes, height fields and planes are static: they do not collide with
/// each other.
typedef enum rbl_collider_kind {
	/// A ball of `radius` around `a`.
	RBL_COLLIDER_SPHERE = 0,

	/// A ball of `radius` swept from `a` to `b`.
	RBL_COLLIDER_CAPSULE,

	/// A box of `half_size` around `a`.
	RBL_COLLIDER_BOX,

	/// The shape of `convex`.
	RBL_COLLIDER_CONVEX,

	/// `children`: spheres, capsules, boxes, convexes, cylinders and cones, each with a pose.
	RBL_COLLIDER_COMPOUND,

	/// The triangles of `mesh`, solid on their back.
	RBL_COLLIDER_MESH,

	/// Heights over a grid, solid below.
	RBL_COLLIDER_HEIGHT_FIELD,

	/// A cylinder of `radius` with flat ends at `a` and `b`: round, not a prism of many sides.
	RBL_COLLIDER_CYLINDER,

	/// A cone with its base of `radius` at `a` and its tip at `b`.
	RBL_COLLIDER_CONE,

	/// All that is behind a plane, without end: the plane through `a` whose normal is `b`. In a
	/// world it reaches beyond RBL_MAX_POSITION. A plane across an axis of the world is cheap; one
	/// that slopes is compared with every body.
	RBL_COLLIDER_PLANE,

	RBL_COLLIDER_KIND_COUNT
} rbl_collider_kind;

/// A part of a compound.
typedef struct rbl_collider_child {
	/// A sphere, capsule, box, convex, cylinder or cone. The compound keeps it.
	const rbl_collider *collider;

	/// Its pose in the compound.
	rbl_transform pose;
} rbl_collider_child;

/// How to make a collider. Start from rbl_default_collider_def(). Lengths are at most
/// RBL_MAX_COLLIDER_SIZE.
typedef struct rbl_collider_def {
	/// Which of the fields below are read.
	rbl_collider_kind kind;

	/// Ends of a capsule, cylinder or cone, which differ; `a` is also the centre of a sphere or a
	/// box, and a point of a plane, `b` the plane's normal, of any length. Default 0, 0, 0 and 0,
	/// 1, 0.
	rbl_vec3 a, b;

	/// Of a sphere, capsule, cylinder or cone, > 0. Default 0.5.
	float radius;

	/// Of the round edges and corners of a box or convex, >= 0: a ball of this radius is swept over
	/// the shape, which grows by it on all sides. Default 0.
	float rounding;

	/// Of a box, each > 0. Default 0.5.
	rbl_vec3 half_size;

	/// Read during the call only.
	const rbl_convex *convex;

	/// The point of a convex or a mesh that becomes the collider's origin. Default 0, 0, 0.
	rbl_vec3d origin;

	/// Read during the call only.
	const rbl_mesh *mesh;

	/// The parts of a compound, 1 to RBL_MAX_COLLIDER_CHILDREN.
	const rbl_collider_child *children;
	int child_count;

	/// Heights in metres, row by row: heights[column + row * column_count] is at
	/// (column * cell_size, height, row * cell_size). Read during the call only.
	const float *heights;

	/// 2 to 32768 each.
	int column_count, row_count;

	/// Length of a cell, > 0. Default 1.
	float cell_size;

	/// Memory of the collider.
	rbl_allocator allocator;

	/// Filled by rbl_default_collider_def(). Leave it alone.
	uint32_t cookie;
} rbl_collider_def;

/// The largest coordinate, radius or half size of a collider, in metres.
#define RBL_MAX_COLLIDER_SIZE 1e5f

/// @return a definition of this kind. Threads: any.
RBL_API rbl_collider_def rbl_default_collider_def(rbl_collider_kind kind);

/// Make a collider.
/// @param collider  receives the collider, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_BAD_MESH (nothing of it is left
/// in
///         single precision), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n), for compounds, meshes and height fields O(n log n).
RBL_API rbl_result rbl_create_collider(const rbl_collider_def *def, rbl_collider **collider);

/// Make a collider of the same shape as another, but larger or smaller along the axes of its frame,
/// about its origin. Convexes, boxes, meshes and planes take any scale. What is round stays round:
/// spheres, capsules and round edges are scaled evenly, cylinders and cones evenly across their
/// axis, height fields alike along x and z, compounds evenly unless their children are turned by
/// right angles only.
/// @param original   may be destroyed afterwards
/// @param scale      each from 1e-6 to 1e6
/// @param allocator  NULL for the process's default
/// @param collider   receives the collider, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names it), RBL_UNSUPPORTED (it would not be round any
///         more), RBL_BAD_MESH (nothing of it is left in single precision), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n), for compounds, meshes and height fields O(n log n).
RBL_API rbl_result rbl_create_scaled_collider(const rbl_collider *original, rbl_vec3 scale,
                                              const rbl_allocator *allocator,
                                              rbl_collider **collider);

/// Let go of a collider. Bodies and compounds that have it keep it until they are gone, too. NULL
/// is fine.
RBL_API void rbl_destroy_collider(rbl_collider *collider);

/// @return the kind of a collider. Threads: any.
RBL_API rbl_collider_kind rbl_collider_kind_of(const rbl_collider *collider);

/// @return the number of children: of a compound its parts, of a mesh or height field its
/// triangles, else 1. Threads: any.
RBL_API int rbl_collider_child_count(const rbl_collider *collider);

/// @return the box around a collider in a pose: for all but compounds, meshes and height fields
/// around the rotated shape, not around the rotated box. Threads: any. Cost: O(n) for convexes,
/// else constant.
RBL_API rbl_box rbl_collider_bounds(const rbl_collider *collider, rbl_transform pose);

/// A point where two shapes touch, or nearly.
typedef struct rbl_manifold_point {
	/// Midway between the two surfaces, in the frame of the poses.
	rbl_vec3 position;

	/// Distance of the surfaces along the normal; negative when they overlap.
	float separation;

	/// Identifies the features that touch here: the same while the same vertices, edges and faces
	/// do. Different for the points of one manifold.
	uint32_t id;
} rbl_manifold_point;

/// How two convex shapes touch.
typedef struct rbl_manifold {
	/// From A to B, unit length.
	rbl_vec3 normal;

	/// 0 to RBL_MAX_MANIFOLD_POINTS.
	int point_count;

	/// The deepest point and those that span the largest area.
	rbl_manifold_point points[RBL_MAX_MANIFOLD_POINTS];

	/// Which children touch; 0 when the collider has none.
	int child_a, child_b;
} rbl_manifold;

/// The contacts of two moving colliders, kept from step to step: the separating axes of the last
/// update are cached, so that the next is several times cheaper.
typedef struct rbl_contacts rbl_contacts;

/// Make the contacts of a pair; empty until the first update.
/// @param allocator  NULL for the process's default
/// @param contacts   receives the contacts, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY. Threads: any.
RBL_API rbl_result rbl_create_contacts(const rbl_allocator *allocator, rbl_contacts **contacts);

/// Destroy contacts. NULL is fine.
RBL_API void rbl_destroy_contacts(rbl_contacts *contacts);

/// Find the contacts of two colliders. What was found before is replaced.
/// @param margin  points up to this far apart are reported, 0 to 1 m, for use as speculative
/// contacts
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_UNSUPPORTED (both are of a static kind), RBL_OUT_OF_MEMORY
/// (the
///         contacts are as they were)
/// Threads: any, one call per contacts at once. Cost: a microsecond or less per close pair of
/// convexes.
RBL_API rbl_result rbl_contacts_update(rbl_contacts *contacts, const rbl_collider *a,
                                       rbl_transform pose_a, const rbl_collider *b,
                                       rbl_transform pose_b, float margin);

/// A list of manifolds, valid until the next update.
typedef struct rbl_manifolds {
	const rbl_manifold *manifolds;
	int count;
} rbl_manifolds;

/// @return the manifolds of the last update, each with one point or more, in a fixed order.
/// Threads: any.
RBL_API rbl_manifolds rbl_contacts_get_manifolds(const rbl_contacts *contacts);

/// How far apart two shapes are, or how deep they overlap.
typedef struct rbl_separation {
	/// Distance; when negative, the length of the shortest motion that separates them.
	float distance;

	/// Unit, from A to B; moving B by -distance along it makes overlapping shapes touch.
	rbl_vec3 normal;

	/// A nearest point, or the deepest, of each.
	rbl_vec3 point_a, point_b;

	/// The nearest or deepest children.
	int child_a, child_b;
} rbl_separation;

/// Measure the distance of two colliders. The overlap of compounds, meshes and height fields is
/// that of the deepest pair of children.
/// @param max_distance  stop beyond this distance, > 0; FLT_MAX to find any
/// @param gap           receives the result; its distance is `max_distance` when nothing is nearer
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_UNSUPPORTED (both are of a static kind). Threads: any.
RBL_API rbl_result rbl_collider_distance(const rbl_collider *a, rbl_transform pose_a,
                                         const rbl_collider *b, rbl_transform pose_b,
                                         float max_distance, rbl_separation *gap);

/// What a cast hit.
typedef struct rbl_cast_hit {
	/// Fraction of the motion, 0 to 1.
	float fraction;

	/// Where they touch, at that time.
	rbl_vec3 point;

	/// Unit, out of what was hit. Zero when the cast started inside.
	rbl_vec3 normal;

	/// The child of the target that was hit.
	int child;

	/// Whether anything was hit; the other fields are zero otherwise, and the fraction is 1.
	bool is_hit;
} rbl_cast_hit;

/// Cast a ray from `from` to `from + translation`. Rays do not pass between triangles of a mesh,
/// and hit triangles from both sides.
/// @return RBL_OK, RBL_BAD_ARGUMENT. Threads: any.
RBL_API rbl_result rbl_collider_cast_ray(const rbl_collider *collider, rbl_transform pose,
                                         rbl_vec3 from, rbl_vec3 translation, rbl_cast_hit *hit);

/// Move a collider by `translation` and find the time of impact: when it first comes within a small
/// tolerance of the target, never later than it touches, and at most about a ten-thousandth of the
/// smaller one's size sooner.
/// @param moving  no mesh, height field or plane
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_UNSUPPORTED (the moving collider is of a static kind).
/// Threads: any.
RBL_API rbl_result rbl_collider_cast_collider(const rbl_collider *moving, rbl_transform pose,
                                              rbl_vec3 translation, const rbl_collider *target,
                                              rbl_transform target_pose, rbl_cast_hit *hit);

/// Move a collider from one pose to another, rotating evenly and by the shorter arc, and find the
/// time of impact: when it first comes within a small tolerance of the target, never later than it
/// touches. A shape that slides or rolls within the tolerance may be stopped though it would only
/// graze.
/// @param moving  no mesh, height field or plane
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_UNSUPPORTED (the moving collider is of a static kind).
/// Threads: any.
RBL_API rbl_result rbl_collider_cast_motion(const rbl_collider *moving, rbl_transform from,
                                            rbl_transform to, const rbl_collider *target,
                                            rbl_transform target_pose, rbl_cast_hit *hit);
