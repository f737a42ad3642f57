// SPDX-License-Identifier: MIT
// Contacts of two bodies by their distance fields: points of each against the field of the other.
//
// What any engine needs of a narrow phase, for bodies of any shape: hollow, thin, or born a
// millisecond ago. A shape is a distance field and points of the surface. A query gives a few
// points, each with a normal, a depth, and an id that lasts from step to step, and manifolds made
// of them. Nothing here needs a world.
#pragma once

#include <rubble/base.h>
#include <rubble/collide.h>
#include <rubble/field.h>
#include <rubble/mesh.h>
#include <rubble/types.h>

// --- shapes -------------------------------------------------------------------------------------

/// The most points of a shape.
#define RBL_MAX_FIELD_POINTS 0x0fffffff

/// The largest coordinate of a point, in metres.
#define RBL_MAX_FIELD_COORDINATE 1e6f

/// Ids of points are below this.
#define RBL_FIELD_POINT_ID_END 0x80000000u

/// A body as contacts see it: a field that measures points of others, and a sphere tree of its own
/// points. It never changes after creation, so worlds and threads may share one.
typedef struct rbl_field_shape rbl_field_shape;

/// How to make a shape. Start from rbl_default_field_shape_def().
typedef struct rbl_field_shape_def {
	/// What points of other bodies are measured by, in the shape's coordinates; it must live as
	/// long as the shape. NULL: they are not. Default NULL.
	const rbl_distance_field *field;

	/// The surface whose vertices, and samples of sharp edges, are the points. Ids of vertices are
	/// their indices, samples follow from vertex_count on. Read during the call only. NULL: see
	/// `positions`. Default NULL.
	const rbl_mesh *mesh;

	/// The point of the mesh that is the origin of the shape. Default 0, 0, 0.
	rbl_vec3d origin;

	/// Edges whose faces differ by more are sharp, in radians, 0 to pi; so are borders. Default
	/// 0.25.
	float crease_angle;

	/// The most that two samples of a sharp edge are apart, in metres, > 0; INFINITY: vertices
	/// only. 0: an eightieth of the diagonal. Default 0.
	float spacing;

	/// Without a mesh: the points, in the shape's coordinates, each within
	/// RBL_MAX_FIELD_COORDINATE, for example those of rbl_crack_field_get_points(). With neither,
	/// others touch the shape and it touches nothing: right for a floor. Default none.
	const rbl_vec3 *positions;
	int count;

	/// Ids of `positions`, different from each other and below RBL_FIELD_POINT_ID_END; NULL: their
	/// indices. Default NULL.
	const uint32_t *ids;

	/// Memory of the shape.
	rbl_allocator allocator;

	/// Filled by rbl_default_field_shape_def(). Leave it alone.
	uint32_t cookie;
} rbl_field_shape_def;

/// @return a definition without field and points. Threads: any.
RBL_API rbl_field_shape_def rbl_default_field_shape_def(void);

/// Make a shape.
/// @param def    read during the call only
/// @param shape  receives the shape, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_MESH (the log names what is wrong), RBL_LIMIT_REACHED
///         (too many points), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: about 0.2 us per point.
RBL_API rbl_result rbl_create_field_shape(const rbl_field_shape_def *def, rbl_field_shape **shape);

/// Destroy a shape. NULL is fine.
RBL_API void rbl_destroy_field_shape(rbl_field_shape *shape);

/// A shape in numbers.
typedef struct rbl_field_shape_info {
	/// The box around its points; empty (lower above upper) without any.
	rbl_box bounds;

	int point_count;

	/// Memory in bytes, without the field.
	size_t bytes;
} rbl_field_shape_info;

/// @return the numbers; all zero for NULL. Threads: any.
RBL_API rbl_field_shape_info rbl_field_shape_get_info(const rbl_field_shape *shape);

// --- contacts -----------------------------------------------------------------------------------

/// The most points that are chosen for a pair.
#define RBL_MAX_FIELD_CONTACTS 12

/// The most points of a body that a query may measure.
#define RBL_MAX_FIELD_VISITS 0xffffff

/// In the id of a contact: the point is B's.
#define RBL_FIELD_POINT_OF_B RBL_FIELD_POINT_ID_END

/// One of two bodies: a shape, or a collider. At least one of the two is a shape.
typedef struct rbl_field_side {
	/// A body by its field. NULL: see `collider`.
	const rbl_field_shape *shape;
	rbl_transform pose;

	/// Of the pose's origin, in metres and radians per second, in the frame of the poses.
	rbl_vec3 velocity, angular_velocity;

	/// A body without a field, of any kind. Distances from spheres, capsules, boxes, cylinders,
	/// cones and planes are exact, from convexes inside; compounds are the union of their parts.
	/// Triangles of meshes and height fields are solid on their back, as far as the other body
	/// reaches, and not beyond their borders. Points are vertices and samples of convex edges, for
	/// spheres and capsules the axis with the radius around it, for cylinders and cones discs
	/// across it. NULL when there is a shape.
	const rbl_collider *collider;
} rbl_field_side;

/// How points become contacts.
typedef enum rbl_field_selection {
	/// Gather, then choose by depth and spread. What an engine wants; the others are for
	/// comparison.
	RBL_SELECT_CHOSEN = 0,

	/// The first `point_count` of each body, and more from step to step as long as they are deep
	/// (Glondu et al. 2014, section 5.2).
	RBL_SELECT_ADAPTIVE,

	/// The first `point_count` of each body.
	RBL_SELECT_FIXED,

	/// All.
	RBL_SELECT_FULL,

	/// As RBL_SELECT_ADAPTIVE, but children are visited parent by parent: the first of a level are
	/// neighbours.
	RBL_SELECT_NAIVE,

	RBL_SELECT_COUNT
} rbl_field_selection;

/// How to find contacts. Start from rbl_default_field_contact_settings().
typedef struct rbl_field_contact_settings {
	/// Default RBL_SELECT_CHOSEN.
	rbl_field_selection selection;

	/// Points nearer than this are contacts, in metres, >= 0. Right after a break it must be above
	/// zero: crack faces that lie on each other let a query cull little, and find nothing. Default
	/// 0.
	float tolerance;

	/// Points that will be nearer than the tolerance after `dt` seconds at their present velocity
	/// are contacts as well, from this far, in metres; INFINITY: from any distance. Default 0.03
	/// and 1/60.
	float margin, dt;

	/// Points nearer than this, and points that will be, have manifolds of their own, in metres,
	/// >= 0: what is about to touch often spreads wider than what bears the load. 0: they do not.
	/// Default 0.
	float touching;

	/// A deeper contact makes the search go further in the next step, in metres. Default 0.0005.
	float deep;

	/// How many points are chosen, 1 to RBL_MAX_FIELD_CONTACTS, or taken first. Default 12.
	int point_count;

	/// RBL_SELECT_CHOSEN: this many points of a body are enough to choose from. Default 48.
	int gather_count;

	/// The most points of each body that are measured. Default 2048.
	int visit_budget;
} rbl_field_contact_settings;

/// @return settings that work as they are. Threads: any.
RBL_API rbl_field_contact_settings rbl_default_field_contact_settings(void);

/// What a pair remembers from step to step: plain data, all zero at first. It outlasts a shape that
/// is made anew, as long as ids are the same.
typedef struct rbl_field_contact_memory {
	/// The last points: their ids, and where they are in their trees unless these have changed.
	uint32_t ids[RBL_MAX_FIELD_CONTACTS];
	int32_t ranks[RBL_MAX_FIELD_CONTACTS];
	int32_t count;

	/// How many points of A and of B are gathered; 0: as the settings say.
	int32_t wanted[2];

	/// The way out of the other body that each point had, in that body's frame, and its separation:
	/// in a thin wall the nearer side may be the one that it did not come from. It counts as long
	/// as the body is on that side.
	rbl_vec3 normals[RBL_MAX_FIELD_CONTACTS];
	float separations[RBL_MAX_FIELD_CONTACTS];
} rbl_field_contact_memory;

/// A point where two bodies touch, or nearly.
typedef struct rbl_field_contact {
	/// Midway between the point and the other body's surface, in the frame of the poses.
	rbl_vec3 position;

	/// From A to B, unit length: the direction of the field that measured it.
	rbl_vec3 normal;

	/// Negative inside.
	float separation;

	/// The id of the point in its shape or collider; RBL_FIELD_POINT_OF_B is added for points of B.
	uint32_t id;

	/// The child of the collider that is touched: of a compound the part, of a mesh or height field
	/// the triangle; else 0. A manifold has the child of its deepest point, as child_a or child_b.
	int child;
} rbl_field_contact;

/// What a query found.
typedef struct rbl_field_contact_list {
	/// Deepest first, then by their weight in spread, when chosen: at most RBL_MAX_FIELD_CONTACTS.
	/// Else in the order in which they were found.
	const rbl_field_contact *points;
	int point_count;

	/// Up to four points for each normal, those of all that were found which spread widest: normals
	/// of the points above, and what differs from them by less than 11 degrees. About two for a
	/// pair. A solver takes these or the points.
	const rbl_manifold *manifolds;
	int manifold_count;

	/// Points of A and of B that were measured, and those of them that touch or will.
	int visited[2], found[2];

	/// Whether the search among points of A, and of B, stopped before all that touches was found.
	bool has_stopped[2];
} rbl_field_contact_list;

/// The work space of queries: one for each thread.
typedef struct rbl_field_contacts rbl_field_contacts;

/// Make a work space.
/// @param allocator  its memory, NULL for the process's default
/// @param contacts   receives it, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any.
RBL_API rbl_result rbl_create_field_contacts(const rbl_allocator *allocator,
                                             rbl_field_contacts **contacts);

/// Destroy a work space. NULL is fine.
RBL_API void rbl_destroy_field_contacts(rbl_field_contacts *contacts);

/// Find the contacts of two bodies whose boxes are near. One of them may be a collider.
/// @param settings  NULL for the default ones
/// @param memory    of this pair and this order of sides, or NULL; changed on success
/// @param list      receives what was found, until the next call with this work space; all zero on
///                  failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names it), RBL_OUT_OF_MEMORY
/// Threads: one call per work space and per memory at once. Cost: some 20 ns for each point that is
/// measured; in steady state nothing is allocated.
RBL_API rbl_result rbl_field_contacts_find(rbl_field_contacts *contacts, const rbl_field_side *a,
                                           const rbl_field_side *b,
                                           const rbl_field_contact_settings *settings,
                                           rbl_field_contact_memory *memory,
                                           rbl_field_contact_list *list);

// --- casts --------------------------------------------------------------------------------------

/// Move a body from its pose to another, rotating evenly and by the shorter arc, and find out when
/// it comes within a separation of another body that keeps still. Velocities are not read. Points
/// that are as near from the start count when they have come nearer by as much again, and so do
/// points that graze: a body that slides along a floor is stopped by the wall at its end, not by
/// the floor.
/// @param contacts    work space
/// @param moving      a shape or, when the target is one, a collider that is not of a static kind
/// @param separation  in metres, > 0. The error of the fields comes on top: nothing that moves
///                    straight at the target comes nearer before the time of the hit, and nothing
///                    that grazes goes deeper than three times this
/// @param depth       in metres, >= 0: points that the motion leads in by less than this are passed
///                    over, as if they grazed. 0: whoever touches and leads in is hit
/// @param hit         receives what was hit; its normal is never zero, its child is the target's
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_UNSUPPORTED (the moving collider is of a static kind),
///         RBL_OUT_OF_MEMORY
/// Threads: one call per work space at once. Cost: some 20 ns for each point and step of the way.
RBL_API rbl_result rbl_field_cast_motion(rbl_field_contacts *contacts, const rbl_field_side *moving,
                                         rbl_transform to, const rbl_field_side *target,
                                         float separation, float depth, rbl_cast_hit *hit);

/// Cast a ray from `from` to `from + translation` at the field of a shape.
/// @param hit  receives where the field's distance becomes zero: off by no more than its error
///             along the normal. The normal is zero when the ray starts inside
/// @return RBL_OK, RBL_BAD_ARGUMENT (also: the shape has no field). Threads: any.
RBL_API rbl_result rbl_field_shape_cast_ray(const rbl_field_shape *shape, rbl_transform pose,
                                            rbl_vec3 from, rbl_vec3 translation, rbl_cast_hit *hit);

// --- at a break ---------------------------------------------------------------------------------

/// The contact of two bodies that a crack has just parted, at a polygon which both have. Corners
/// lie on the crack and on the outer surface, whose fields would say that the latter is as near;
/// here the normal is the crack's.
typedef struct rbl_crack_polygon {
	/// A flat polygon in the frame of A, of 1 to 65536 corners.
	const rbl_vec3 *corners;
	int corner_count;

	/// Its normal in the frame of A, out of A: any length but zero.
	rbl_vec3 normal;

	/// The frame of B in the frame of A when they parted.
	rbl_transform b_in_a;

	/// Added to the number of a corner for its id.
	uint32_t first_id;
} rbl_crack_polygon;

/// Make a manifold of up to four corners that spread widest. Separations are how far B's side of
/// each has moved away from A's along the normal since they parted.
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names it; the manifold has no points)
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_crack_manifold(const rbl_crack_polygon *polygon, rbl_transform pose_a,
                                      rbl_transform pose_b, rbl_manifold *manifold);
