// SPDX-License-Identifier: MIT
// Contacts of two bodies by their fields: points of one against the field of the other, both ways.
#pragma once

#include "field/evaluator.h"
#include "field/sphere_tree.h"

#include <rubble/collide.h>

/// The most points that are chosen for a pair.
#define RBL_MAX_CHOSEN_POINTS 12

/// The most visits of a way.
#define RBL_MAX_VISITS 0xffffff

/// In the id of a contact: the point is B's.
#define RBL_POINT_OF_B 0x80000000u

/// One of two bodies.
typedef struct rbl_field_side {
	/// What points of the other body are measured by; without a function they are not.
	rbl_field_evaluator field;

	/// Points of this body, or NULL.
	const rbl_sphere_tree *tree;

	rbl_transform pose;

	/// Of the pose's origin, in metres and radians per second, in the frame of the poses.
	rbl_vec3 velocity, angular_velocity;
} rbl_field_side;

/// How points become contacts.
typedef enum rbl_contact_selection {
	/// Gather, then choose by depth and spread.
	RBL_SELECT_CHOSEN = 0,

	/// The first `point_count` of each way, and more from step to step as long as they are deep
	/// (Glondu et al., section 5.2).
	RBL_SELECT_ADAPTIVE,

	/// The first `point_count` of each way.
	RBL_SELECT_FIXED,

	/// All.
	RBL_SELECT_FULL,

	/// As RBL_SELECT_ADAPTIVE, but children are visited parent by parent: the first of a level are
	/// neighbours.
	RBL_SELECT_NAIVE,

	RBL_SELECTION_COUNT
} rbl_contact_selection;

/// Start from rbl_default_contact_settings().
typedef struct rbl_contact_settings {
	rbl_contact_selection selection;

	/// Points nearer than this are contacts, in metres, >= 0. Right after a break it must be above
	/// zero: crack faces that lie on each other let a query cull little, and find nothing. Default
	/// 0.
	float tolerance;

	/// Points that will be nearer than the tolerance after `dt` seconds at their present velocity
	/// are contacts as well, from this far, in metres; INFINITY: from any distance. Default 0.03
	/// and 1/60.
	float margin, dt;

	/// A deeper contact makes the search go further in the next step, in metres. Default 0.0005.
	float deep;

	/// How many points are chosen, 1 to RBL_MAX_CHOSEN_POINTS, or taken first. Default 12.
	int point_count;

	/// RBL_SELECT_CHOSEN: a way has gathered enough with this many points. Default 48.
	int gather_count;

	/// The most points of a way that are measured. Default 2048.
	int visit_budget;
} rbl_contact_settings;

rbl_contact_settings rbl_default_contact_settings(void);

/// What a pair remembers from step to step. All zero at first.
typedef struct rbl_contact_memory {
	/// The last points: their ids, and where they are in their trees unless these have changed.
	uint32_t ids[RBL_MAX_CHOSEN_POINTS];
	int32_t ranks[RBL_MAX_CHOSEN_POINTS];
	int32_t count;

	/// How many points a way gathers before it stops; 0: as the settings say.
	int32_t wanted[2];
} rbl_contact_memory;

/// A point where two bodies touch, or nearly.
typedef struct rbl_field_contact {
	/// Midway between the point and the other body's surface, in the frame of the poses.
	rbl_vec3 position;

	/// From A to B, unit length: the direction of the field that measured it.
	rbl_vec3 normal;

	/// Negative inside.
	float separation;

	/// The id of the point in its tree; RBL_POINT_OF_B is added for points of B.
	uint32_t id;
} rbl_field_contact;

typedef struct rbl_field_contacts {
	/// Deepest first, then by their weight in spread, when chosen; else in the order in which they
	/// were found.
	const rbl_field_contact *points;
	int point_count;

	/// Up to four points for each normal, those of all that were found which spread widest: normals
	/// of the points above, and what differs from them by less than 11 degrees.
	const rbl_manifold *manifolds;
	int manifold_count;

	/// Points that were measured, and those of them that touch or will, by way: A's, B's.
	int visited[2], found[2];

	/// Whether a way stopped before all that touches was found.
	bool has_stopped[2];
} rbl_field_contacts;

/// Find the contacts of two bodies.
/// @param arena     holds the result, and the work: the caller resets it
/// @param memory    of this pair and this order of sides, or NULL; changed on success
/// @param contacts  receives the result; all zero on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names it), RBL_OUT_OF_MEMORY
/// Threads: any; one call per arena and per memory at once. Cost: O(visits), some 15 ns each and the
/// field's.
rbl_result rbl_find_field_contacts(const rbl_field_side *a, const rbl_field_side *b,
                                   const rbl_contact_settings *settings, rbl_arena *arena,
                                   rbl_contact_memory *memory, rbl_field_contacts *contacts);

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
rbl_result rbl_crack_manifold(const rbl_crack_polygon *polygon, rbl_transform pose_a,
                              rbl_transform pose_b, rbl_manifold *manifold);
