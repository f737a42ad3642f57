// SPDX-License-Identifier: MIT
// What the sweeps read and write: records of bodies, and contacts in blocks of eight.
//
// A record is eight floats, half a cache line; eight of them are turned into eight lanes and back
// (record_lanes.h). Body 0 is nobody: it never moves, and stands in for what a lane does not have.
//
// A block has eight contacts side by side, 168 bytes each:
//
//     bodies 8, normal 12, offset between the centres 12, friction 4, reach 4
//     friction masses 12, twist mass 4, friction impulses 12, peak impulse 4
//     four points: anchor 12, separation 4, mass 4, impulse 4
//
// The anchor on B is the anchor on A plus the offset. Friction acts in the middle of the points: a
// point that is not there has its anchor in the middle of the others, and no mass. Tangents follow
// from the normal.
#pragma once

#include "base/kernel.h"
#include "base/vec.h"

#include <rubble/collide.h>

#include <stdint.h>

enum {
	RBL_LANES = 8,
	RBL_RECORD = 8,   // floats of a record
	RBL_COLOURS = 60, // lists of contacts without a common body
	RBL_OVERFLOW = RBL_COLOURS,
	RBL_SLEEPING,          // the list of contacts that are not swept
	RBL_LIST_COUNT,        // lists of contacts
	RBL_LEAST_SHARED = 32, // blocks of a list that are worth sharing
};

/// The separation of a point that is not there.
#define RBL_NO_POINT 1e15f

/// In place of friction_mass[0]: the manifold was set since the last step.
#define RBL_IS_FRESH (-1.0f)

typedef struct rbl_point_lanes {
	float anchor[3 * RBL_LANES]; // from A's centre, world axes
	float separation[RBL_LANES]; // when the step begins
	float mass[RBL_LANES];       // 0: not there
	float impulse[RBL_LANES];
} rbl_point_lanes;

typedef struct rbl_contact_block {
	int32_t a[RBL_LANES], b[RBL_LANES];
	float normal[3 * RBL_LANES]; // x of all, then y, then z
	float offset[3 * RBL_LANES]; // centre of A - centre of B
	float friction[RBL_LANES];
	float reach[RBL_LANES];            // how far the points are from their middle
	float friction_mass[3][RBL_LANES]; // inverse of a symmetric 2 x 2: xx, xy, yy
	float twist_mass[RBL_LANES];
	float friction_impulse[2][RBL_LANES];
	float twist_impulse[RBL_LANES];
	float peak[RBL_LANES]; // largest sum of normal impulses in a sub-step
	rbl_point_lanes points[RBL_MAX_MANIFOLD_POINTS];
} rbl_contact_block;

_Static_assert(sizeof(rbl_contact_block) == 168 * RBL_LANES, "168 bytes for each contact");

/// What only preparing, bouncing and reports look at.
typedef struct rbl_contact_side {
	int32_t contact[RBL_LANES];
	float restitution[RBL_LANES];
	float approach[RBL_LANES];                         // largest speed of approach of its points
	float closing[RBL_MAX_MANIFOLD_POINTS][RBL_LANES]; // of each, where it bounces
} rbl_contact_side;

/// Arrays of records, indexed by body.
typedef struct rbl_body_records {
	float *pose;     // centre, user; rotation
	float *velocity; // linear, state; angular, quiet time
	float *delta;    // motion since the step began: shift, 0; rotation
	float *inertia;  // inverse, world axes: xx yy zz, inverse mass; xy xz yz, 0
	float *base;     // velocity before impulses in this sub-step: linear, 0; angular, 0
	float *drive;    // acceleration, damping factor; the same for turning
	float *inverse;  // inverse inertia, own axes: xx yy zz, inverse mass; xy xz yz, gravity scale
	float *direct;   // inertia, own axes: xx yy zz, linear damping; xy xz yz, angular damping
	float *rest;     // where it became quiet: centre, radius; rotation
	float *stir;     // where it last stirred its neighbours: centre, 0; rotation
	float *middle;   // in a step: rotation halfway through it; what turning gained of energy.
					 // Between steps, when there are any: force, 0; torque, 0
} rbl_body_records;

enum { RBL_RECORD_KINDS = sizeof(rbl_body_records) / sizeof(float *) };

/// A bit of a velocity record's state beyond rbl_solver_state: the body moved so far, or so fast, that
/// its neighbours wake.
enum { RBL_STATE_STIRS = 8 };

/// Constants of a step.
typedef struct rbl_sweep {
	float h, inverse_h;                         // of a sub-step
	float bias_rate, mass_scale, impulse_scale; // of soft contacts
	float push_speed, calm_speed;               // at most; and what needs no relaxing at once
	float bounce_speed;
	float dt;
	float speed_limit, spin_limit;
	float quiet_distance_squared, quiet_cosine; // cosine of half the angle
	float wake_distance, wake_speed;
	float quiet_time, stick_speed; // what is quiet for long, and slower than this, stays
	rbl_vec3 gravity;
	bool has_forces;
} rbl_sweep;

// Contacts: blocks[0] to blocks[count - 1]. No two lanes of a block share a body with inverse mass,
// unless is_shared says so. No lane of block i has more than point_counts[i] points.
RBL_DECLARE_KERNEL(void, rbl_contacts_prepare,
                   (rbl_contact_block * blocks, rbl_contact_side *sides, int count,
                    const rbl_body_records *bodies, bool is_shared));
RBL_DECLARE_KERNEL(void, rbl_contacts_warm,
                   (const rbl_contact_block *blocks, const uint8_t *point_counts, int count,
                    const rbl_body_records *bodies, bool is_shared));
RBL_DECLARE_KERNEL(void, rbl_contacts_push,
                   (rbl_contact_block * blocks, const uint8_t *point_counts, uint8_t *marks,
                    int count, const rbl_body_records *bodies, const rbl_sweep *sweep,
                    bool is_backward, bool is_shared));
RBL_DECLARE_KERNEL(void, rbl_contacts_relax,
                   (rbl_contact_block * blocks, const uint8_t *point_counts, uint8_t *marks,
                    int count, const rbl_body_records *bodies, const rbl_sweep *sweep,
                    bool is_backward, bool is_for_all, bool is_shared));
RBL_DECLARE_KERNEL(void, rbl_contacts_bounce,
                   (rbl_contact_block * blocks, const rbl_contact_side *sides, int count,
                    const rbl_body_records *bodies, const rbl_sweep *sweep, bool is_shared));

// Bodies: the listed ones, in eights; lists are padded with body 0, which is not written.
RBL_DECLARE_KERNEL(void, rbl_bodies_prepare,
                   (const int32_t *list, int count, const rbl_body_records *bodies,
                    const rbl_sweep *sweep));
RBL_DECLARE_KERNEL(void, rbl_bodies_accelerate,
                   (const int32_t *list, int count, const rbl_body_records *bodies,
                    const rbl_sweep *sweep, bool is_first));
RBL_DECLARE_KERNEL(void, rbl_bodies_move,
                   (const int32_t *list, int count, const rbl_body_records *bodies,
                    const rbl_sweep *sweep));
RBL_DECLARE_KERNEL(void, rbl_bodies_finish,
                   (const int32_t *list, int count, const rbl_body_records *bodies,
                    const rbl_sweep *sweep));
