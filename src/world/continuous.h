// SPDX-License-Identifier: MIT
// After the solver: continuous collision (CCD) and the ejection clamp.
#pragma once

#include "world/bodies.h"
#include "world/pairs.h"

/// What a body that moved needs at the end of a step.
enum {
	RBL_MARK_SWEEP = 1,           // its parts and their centroids are swept
	RBL_MARK_INVALID = 2,         // its motion is not finite: it is rescued
	RBL_MARK_EJECTED = 4,         // it gained suspiciously much speed
	RBL_MARK_SWEEP_CENTROIDS = 8, // the centroids of its parts are swept
};

// --- continuous.c -------------------------------------------------------------------------------

/// Stop bodies that moved far in this step at what they would have passed through.
/// @param old_poses  of the centres of mass of the moved bodies, before the step
/// @param marks      of the moved bodies
void rbl_world_stop_tunnelling(rbl_world *world, const rbl_transform *old_poses,
                               const uint8_t *marks);

/// RBL_MARK_SWEEP, RBL_MARK_SWEEP_CENTROIDS, or 0 for a body that needs neither. Threads: any.
uint8_t rbl_world_mark_continuous(const rbl_world *world, int body, const rbl_transform *old_pose);

/// Parts that may be in the way of a body that moved, of bodies that have not moved; all of them,
/// unless there are too many.
enum { RBL_MAX_PATH_PARTS = 48 };

typedef struct rbl_path {
	int count;             // more than RBL_MAX_PATH_PARTS: only so many are listed
	bool has_part_filters; // parts of the body have filters of their own: not asked yet
	int32_t parts[RBL_MAX_PATH_PARTS];
} rbl_path;

/// The box of a part of a path, in the broad phase.
rbl_box rbl_world_path_box(const rbl_world *world, int part);

/// Whether a part of a body may hit a part of its path.
bool rbl_world_path_concerns(const rbl_world *world, const rbl_path *path, int part, int other);

/// Whether a convex part stays in front of a face of another one from pose to pose of its body,
/// except for an eighth of its width: then it cannot have passed through it. Threads: any.
/// @param arc  rbl_world_rotation_arc() of that motion
bool rbl_world_stays_in_front(const rbl_world *world, int part, const rbl_transform *from,
                              const rbl_transform *to, float arc, int other);

/// The same for all parts of a path, or those of static bodies; false when they are too many.
bool rbl_world_stays_in_front_of_all(const rbl_world *world, int part, const rbl_transform *from,
                                     const rbl_transform *to, float arc, const rbl_path *path,
                                     bool only_static);

/// Whether another body blocks a body: it is solid, not joined with it, and should_collide agreed.
bool rbl_world_can_block(const rbl_world *world, int body, int other);

/// The most that a rotation, the shorter way round, moves points of a body; 0 for a ball, whose
/// surface stays where it is.
float rbl_world_rotation_arc(const rbl_world *world, int body, rbl_quat from, rbl_quat to);

/// The pose of a body after a fraction of its motion.
rbl_transform rbl_world_pose_between(const rbl_world *world, int body, const rbl_transform *from,
                                     const rbl_transform *to, float fraction);

// --- centroid_sweep.c ---------------------------------------------------------------------------

/// The fraction of a motion that keeps the centroids of all parts out of static bodies.
float rbl_world_sweep_centroids(rbl_world *world, int body, const rbl_transform *old_pose,
                                const rbl_transform *new_pose, const rbl_path *path);

/// Set or clear RBL_PAIR_DEEP. @param min_separation  of its manifolds
void rbl_world_flag_deep_pair(const rbl_world *world, rbl_pair_record *pair, float min_separation);

/// Set RBL_BODY_DEEP for the bodies of a pair with RBL_PAIR_DEEP.
void rbl_world_flag_deep_bodies(rbl_world *world, int pair);

// --- ejection_clamp.c ---------------------------------------------------------------------------

/// Whether a step has made a body so much faster that its contacts must explain it.
bool rbl_world_is_ejected(const rbl_world *world, int body, float old_speed);

/// Slow down a body that squeezing contacts have ejected, and put it back.
/// @param old_pose    before the step of length dt
/// @param old_speeds  by body, of those that have moved
/// @param old_spins   the speeds of their surfaces by rotation, at most
void rbl_world_clamp_ejection(rbl_world *world, int body, const rbl_transform *old_pose, float dt,
                              const float *old_speeds, const float *old_spins);
