// SPDX-License-Identifier: MIT
// Scenes of joints: a grid, ragdolls, chains with a heavy ball, a beam of welded boxes. Tests and
// benchmarks share them.
#pragma once

#include <rubble/rubble.h>

/// Bodies and joints in a world without sleep.
typedef struct jointed_world {
	rbl_jobs *jobs;
	rbl_world *world;
	rbl_body_id *bodies; // in the order in which they were made
	int body_count;
	rbl_joint_id *joints;
	int joint_count;
	rbl_collider *colliders[16];
	int collider_count;
	float length; // of a chain or beam from its pivot to the centre of the last body
} jointed_world;

void jointed_close(jointed_world *w);

/// `side` by `side` balls that do not collide, joined to their neighbours by ball joints; the first
/// row is static. @return false when something was refused
bool jointed_grid(jointed_world *w, int side, int workers);

/// Ragdolls of eleven capsules that fall on a floor.
bool jointed_ragdolls(jointed_world *w, int count, int workers);

/// Links of 0.5 m joined by ball joints, and a ball of radius 0.5 m below them.
/// @param mass_ratio  of the ball to a link
/// @param is_level    it starts stretched out sideways, and swings
bool jointed_chain(jointed_world *w, int link_count, float mass_ratio, bool is_level);

/// A beam of `count` boxes of 0.5 x 0.2 x 0.2 m welded end to end, the first to a static body.
/// @param end_ratio  density of the last box to that of the others
bool jointed_beam(jointed_world *w, int count, float end_ratio);

/// The largest distance between the two anchors of a joint, in metres.
float jointed_worst_gap(const jointed_world *w);

/// Where the last body is.
rbl_vec3 jointed_end(const jointed_world *w);
