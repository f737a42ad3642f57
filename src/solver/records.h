// SPDX-License-Identifier: MIT
// What the kernels read and write: records of bodies, and contacts in blocks of eight.
//
// A record is eight floats, half a cache line; kernels transpose eight records into lanes and back
// (lanes.h). Body 0 is the null body: it is static, and stands in where a lane has no body.
//
// A block has eight contacts side by side, 168 bytes each:
//
//     bodies 8, normal 12, offset between the centres 12, friction 4, patch radius 4
//     friction masses 12, twist mass 4, friction impulses 12, peak impulse 4
//     four points: anchor 12, separation 4, mass 4, impulse 4
//
// The anchor on B is the anchor on A plus the offset. Friction acts at the centroid of the points:
// an unused point has its anchor at the centroid of the others, and no mass. Tangents follow from
// the normal.
//
// A round shape is a core with a radius around it, and what touches is not a point of the body: as
// a ball rolls, others take its place. So anchors are on the cores, and where friction acts the
// radii are added along the normal; the offset is that between the centres plus both radii. Normal
// constraints do not notice, since anchors move along their axis, and separations do not change
// when a ball rotates.
#pragma once

#include "solver/solver.h"

#include "base/vec.h"

enum {
	RBL_SOLVER_LANES = 8,
	RBL_SOLVER_COLORS = 60, // contacts of a color share no dynamic body
	RBL_SOLVER_OVERFLOW = RBL_SOLVER_COLORS,
	RBL_SOLVER_SLEEPING,               // the list of contacts that are not solved
	RBL_SOLVER_LIST_COUNT,             // lists of contacts
	RBL_SOLVER_MIN_SHARED_BLOCKS = 32, // of a list, that are worth sharing among workers
};

// --- bodies --------------------------------------------------------------------------------------

/// Motion since the step began.
typedef struct rbl_solver_delta {
	rbl_vec3 translation;
	float unused;
	rbl_quat rotation;
} rbl_solver_delta;

/// An inertia tensor or its inverse, and what else fits into the record.
typedef struct rbl_solver_inertia {
	rbl_vec3 diagonal; // xx yy zz
	union {
		float inverse_mass;   // with an inverse tensor
		float linear_damping; // with a tensor
	};
	rbl_vec3 off_diagonal; // xy xz yz
	union {
		float gravity_scale;   // with an inverse tensor in body axes
		uint32_t locks;        // with one in world axes: axes without translation, as bits
		float angular_damping; // with a tensor
	};
} rbl_solver_inertia;

/// Accelerations by gravity and forces, and what damping leaves of the velocity in a sub-step.
typedef struct rbl_solver_acceleration {
	rbl_vec3 linear;
	float linear_damping;
	rbl_vec3 angular;
	float angular_damping;
} rbl_solver_acceleration;

/// Where a body was when it began to be still, or when it last woke its neighbours.
typedef struct rbl_solver_still_pose {
	rbl_vec3 centre;
	float radius; // of the body
	rbl_quat rotation;
} rbl_solver_still_pose;

/// During a step the rotation at its midpoint, the energy that the velocity of the sub-steps has
/// more there than the body had at first, and the angular momentum that it has less. Between steps,
/// if there are any: force and torque.
typedef union rbl_solver_midpoint {
	struct {
		rbl_quat rotation;
		float energy_gain; // RBL_SOLVER_NOT_GYROSCOPIC: the velocity stays as it is
		rbl_vec3 momentum_rest;
	};
	struct {
		rbl_vec3 force;
		float unused_1;
		rbl_vec3 torque;
		float unused_2;
	};
} rbl_solver_midpoint;

enum { RBL_SOLVER_RECORD_KINDS = 11, RBL_SOLVER_RECORD_BYTES = 32 };

/// Arrays of records, indexed by body.
typedef union rbl_solver_records {
	void *all[RBL_SOLVER_RECORD_KINDS];
	struct {
		rbl_solver_pose *pose;
		rbl_solver_velocity *velocity;
		rbl_solver_delta *delta;
		rbl_solver_inertia *inverse_inertia; // world axes, zero while the body sleeps
		rbl_solver_velocity *free_velocity;  // before impulses in this sub-step
		rbl_solver_acceleration *acceleration;
		rbl_solver_inertia *local_inverse_inertia; // body axes
		rbl_solver_inertia *local_inertia;         // body axes
		rbl_solver_still_pose *sleep_pose;         // where it became a sleep candidate
		rbl_solver_still_pose *wake_pose;          // where it last passed the wake threshold
		rbl_solver_midpoint *midpoint;
	};
} rbl_solver_records;

_Static_assert(sizeof(rbl_solver_records) == RBL_SOLVER_RECORD_KINDS * sizeof(void *) &&
                   sizeof(rbl_solver_delta) == RBL_SOLVER_RECORD_BYTES &&
                   sizeof(rbl_solver_inertia) == RBL_SOLVER_RECORD_BYTES &&
                   sizeof(rbl_solver_acceleration) == RBL_SOLVER_RECORD_BYTES &&
                   sizeof(rbl_solver_still_pose) == RBL_SOLVER_RECORD_BYTES &&
                   sizeof(rbl_solver_midpoint) == RBL_SOLVER_RECORD_BYTES,
               "records are half a cache line");

/// In place of energy_gain.
#define RBL_SOLVER_NOT_GYROSCOPIC (-1e30f)

/// Bits of a velocity record's state beyond rbl_solver_state: the body passed its wake threshold;
/// it had contacts when the step began, other than to bounce off; it was jammed in the last step;
/// it is round but stands on an end.
enum {
	RBL_SOLVER_WAKES_NEIGHBOURS = 8,
	RBL_SOLVER_TOUCHES = 64,
	RBL_SOLVER_JAMMED = 128,
	RBL_SOLVER_STANDS = 512
};

// --- contacts ------------------------------------------------------------------------------------

/// The separation of an unused point.
#define RBL_SOLVER_NO_POINT 1e15f

/// In place of friction_mass[0]: the manifold was set since the last step.
#define RBL_SOLVER_NEW_MANIFOLD (-1.0f)

typedef struct rbl_solver_point_block {
	float anchor[3 * RBL_SOLVER_LANES]; // from A's centre, world axes
	float separation[RBL_SOLVER_LANES]; // when the step begins
	float mass[RBL_SOLVER_LANES];       // effective mass along the normal; 0: unused
	float impulse[RBL_SOLVER_LANES];
} rbl_solver_point_block;

typedef struct rbl_solver_contact_block {
	int32_t a[RBL_SOLVER_LANES], b[RBL_SOLVER_LANES];
	float normal[3 * RBL_SOLVER_LANES]; // x of all, then y, then z
	float offset[3 * RBL_SOLVER_LANES]; // centre of A - centre of B
	float friction[RBL_SOLVER_LANES];
	float patch_radius
		[RBL_SOLVER_LANES]; // root mean square distance of the points from their centroid
	float friction_mass[3][RBL_SOLVER_LANES]; // inverse of a symmetric 2 x 2 matrix: xx, xy, yy
	float twist_mass[RBL_SOLVER_LANES];
	float friction_impulse[2][RBL_SOLVER_LANES];
	float twist_impulse[RBL_SOLVER_LANES];
	float peak_impulse[RBL_SOLVER_LANES]; // largest sum of normal impulses in a sub-step
	rbl_solver_point_block points[RBL_MAX_MANIFOLD_POINTS];
} rbl_solver_contact_block;

_Static_assert(sizeof(rbl_solver_contact_block) == 168 * RBL_SOLVER_LANES,
               "168 bytes for each contact");

/// Bits of a list's point_counts: the most points of a contact of the block, 1 to 4, and whether
/// one has a radius.
enum { RBL_SOLVER_POINT_COUNT = 7, RBL_SOLVER_IS_ROUND_BLOCK = 8 };

/// Cold data of the same eight contacts: only preparing, restitution and reports read it, and what
/// solves blocks of round shapes.
typedef struct rbl_solver_cold_block {
	int32_t contact[RBL_SOLVER_LANES];
	float restitution[RBL_SOLVER_LANES];
	float approach_speed[RBL_SOLVER_LANES]; // the largest of its points, when the step began

	// Read only in blocks with RBL_SOLVER_IS_ROUND_BLOCK.
	float radius[2][RBL_SOLVER_LANES];     // around the cores of A and B
	float resistance[2][RBL_SOLVER_LANES]; // to rolling and to spinning: torque per normal force
	float resistance_impulse[3 * RBL_SOLVER_LANES]; // angular
} rbl_solver_cold_block;

/// Contacts of one color: `count` of them in slots 0 to count - 1.
typedef struct rbl_solver_contact_list {
	rbl_solver_contact_block *blocks;
	rbl_solver_cold_block *cold;
	uint8_t *must_relax;  // blocks that push overlap out fast in this sub-step
	uint8_t *has_bounced; // blocks in which a contact bounced in the last round
	uint8_t
		*point_counts;  // of a block: the most points of a contact, and RBL_SOLVER_IS_ROUND_BLOCK
	uint8_t *sort_keys; // scratch of rbl_solver_sort_contacts(), by slot
	int count;
	int block_capacity;
	bool is_shared; // the overflow: contacts of a block may share dynamic bodies

	// In a step in which surfaces of its contacts run: their velocities, as three rows for each
	// block; else NULL. The memory is kept.
	const float *surface_velocities;
	float *surface_memory;
	int surface_capacity; // in blocks
} rbl_solver_contact_list;

/// Blocks in use.
static inline int rbl_solver_block_count(const rbl_solver_contact_list *list)
{
	return (list->count + RBL_SOLVER_LANES - 1) / RBL_SOLVER_LANES;
}

// --- joints --------------------------------------------------------------------------------------

/// Parts of a joint, as bits; the joints of a block have the same.
enum {
	RBL_SOLVER_JOINT_POINT = 1,        // anchors stay together
	RBL_SOLVER_JOINT_SLIDES = 2,       // ... except along an axis of A: z, or y with TURNS
	RBL_SOLVER_JOINT_ANGULAR = 4,      // frames keep their angles
	RBL_SOLVER_JOINT_TURNS = 8,        // ... except about z
	RBL_SOLVER_JOINT_ROW = 16,         // limits, motor or spring of the coordinate
	RBL_SOLVER_JOINT_CONE = 32,        // ball: limit of the angle between the z axes
	RBL_SOLVER_JOINT_SPIN = 64,        // wheel: motor about z
	RBL_SOLVER_JOINT_LINEAR_ROW = 128, // the coordinate is a length
	RBL_SOLVER_JOINT_SOFT = 256,       // angles are a spring or a motor of limited torque
	RBL_SOLVER_JOINT_SOFT_POINT = 512, // the point is a spring of limited force
	RBL_SOLVER_JOINT_IN_TREE = 1024,   // point and angles are solved by joint_trees.c
	// Of a row:
	RBL_SOLVER_JOINT_SPRING = 2048,
	RBL_SOLVER_JOINT_MOTORS = 4096,
	RBL_SOLVER_JOINT_LIMITS = 8192,
};

/// What a joint carries from step to step, in the order of the rows of blocks.
typedef struct rbl_solver_joint_memory {
	rbl_vec3 impulse; // at the anchors
	rbl_vec3 force;   // during a step the sum of impulses on B, afterwards the mean force
	// Of blocks with extra data:
	rbl_vec3 angular_impulse;
	float motor_impulse, lower_impulse, upper_impulse, spring_impulse, cone_impulse, spin_impulse;
	rbl_vec3 torque;  // likewise
	float coordinate; // at the end of the last step
} rbl_solver_joint_memory;

/// Eight joints side by side.
typedef struct rbl_solver_joint_block {
	int32_t a[RBL_SOLVER_LANES], b[RBL_SOLVER_LANES];
	float initial_arm_a[3 * RBL_SOLVER_LANES];  // from the centres to the anchors at the beginning
	float initial_arm_b[3 * RBL_SOLVER_LANES];  // of the step
	float initial_offset[3 * RBL_SOLVER_LANES]; // from A's anchor to B's
	float moment_a[3 * RBL_SOLVER_LANES]; // angular impulses that the bodies have got of these
	float moment_b[3 * RBL_SOLVER_LANES]; // impulses, with the arms of the last sub-step
	float softness[3 * RBL_SOLVER_LANES]; // as rbl_solver_softness
	float impulse[3 * RBL_SOLVER_LANES];  // rbl_solver_joint_memory from here on
	float force[3 * RBL_SOLVER_LANES];
} rbl_solver_joint_block;

/// More of the same joints, when they are not just a point.
typedef struct rbl_solver_joint_extra {
	float initial_frame_a[4 * RBL_SOLVER_LANES]; // rotations of the frames at the beginning of the
	float initial_frame_b[4 * RBL_SOLVER_LANES]; // step
	float linear[3 * RBL_SOLVER_LANES];          // impulse of the row as it was applied
	float spring_softness[3 * RBL_SOLVER_LANES];

	float hertz[RBL_SOLVER_LANES], damping[RBL_SOLVER_LANES]; // of the spring
	float target[RBL_SOLVER_LANES];
	float lower[RBL_SOLVER_LANES], upper[RBL_SOLVER_LANES];
	float cone_angle[RBL_SOLVER_LANES];
	float motor_speed[RBL_SOLVER_LANES];
	float motor_force[RBL_SOLVER_LANES], motor_torque[RBL_SOLVER_LANES]; // 0: no motor

	float angular_impulse[3 * RBL_SOLVER_LANES]; // the rest of rbl_solver_joint_memory
	float motor_impulse[RBL_SOLVER_LANES];
	float lower_impulse[RBL_SOLVER_LANES], upper_impulse[RBL_SOLVER_LANES];
	float spring_impulse[RBL_SOLVER_LANES];
	float cone_impulse[RBL_SOLVER_LANES], spin_impulse[RBL_SOLVER_LANES];
	float torque[3 * RBL_SOLVER_LANES];
	float coordinate[RBL_SOLVER_LANES];
} rbl_solver_joint_extra;

enum {
	RBL_SOLVER_MEMORY_ROWS = 6,        // in a block
	RBL_SOLVER_EXTRA_MEMORY_ROWS = 13, // in the extra data
};
_Static_assert(sizeof(rbl_solver_joint_memory) ==
                   4 * (RBL_SOLVER_MEMORY_ROWS + RBL_SOLVER_EXTRA_MEMORY_ROWS),
               "rows of memory");

/// What only preparing and the end of a step read.
typedef struct rbl_solver_joint_cold {
	int32_t joint[RBL_SOLVER_LANES];     // -1: none
	float frame_a[7 * RBL_SOLVER_LANES]; // position and rotation in the bodies' frames
	float frame_b[7 * RBL_SOLVER_LANES];
	float hertz[RBL_SOLVER_LANES], damping[RBL_SOLVER_LANES]; // of point and angles; 0: rigid
	float break_force[RBL_SOLVER_LANES], break_torque[RBL_SOLVER_LANES]; // 0: never
	int32_t parts;  // RBL_SOLVER_JOINT_... bits
	int32_t extra;  // index of the extra data, -1: none
	bool is_shared; // lanes may share dynamic bodies
	bool breaks;    // set at the end of a step: some joint may break
} rbl_solver_joint_cold;

/// The blocks of all joints that are solved.
typedef struct rbl_solver_joint_blocks {
	rbl_solver_joint_block *blocks;
	rbl_solver_joint_cold *cold;
	rbl_solver_joint_extra *extra;
} rbl_solver_joint_blocks;

// --- trees of joints -----------------------------------------------------------------------------

/// Eight joints of the same level of some trees: no two have the same child or parent.
typedef struct rbl_solver_tree_block {
	int32_t a[RBL_SOLVER_LANES], b[RBL_SOLVER_LANES];
	int32_t child_body[RBL_SOLVER_LANES], parent_body[RBL_SOLVER_LANES]; // these in another order
	int32_t child[RBL_SOLVER_LANES], parent[RBL_SOLVER_LANES];           // nodes; 0: it stands
	float sign[RBL_SOLVER_LANES]; // 1: the child is B, -1: it is A
	// What is locked besides the point, as 0 or 1.
	float locks_y[RBL_SOLVER_LANES], locks_z[RBL_SOLVER_LANES];
	float locks_angles[RBL_SOLVER_LANES], locks_twist[RBL_SOLVER_LANES];
	float slides[RBL_SOLVER_LANES];
	float compliance[RBL_SOLVER_LANES]; // as a share of the response of its two bodies alone
	int32_t slot[RBL_SOLVER_LANES];     // of the joint, -1: none
	int32_t has_angles;                 // some lane locks angles or slides
	int32_t level;

	// Of the present step, from the joint's own block and back.
	float initial_arm_a[3 * RBL_SOLVER_LANES], initial_arm_b[3 * RBL_SOLVER_LANES];
	float initial_offset[3 * RBL_SOLVER_LANES];
	float initial_frame_a[4 * RBL_SOLVER_LANES], initial_frame_b[4 * RBL_SOLVER_LANES];
	float bias_rate[RBL_SOLVER_LANES];
	float impulse[3 * RBL_SOLVER_LANES], angular_impulse[3 * RBL_SOLVER_LANES];
	float force[3 * RBL_SOLVER_LANES], torque[3 * RBL_SOLVER_LANES]; // sums of impulses

	// Of the present sub-step: see joint_tree_kernels.c.
	float arm_c[3 * RBL_SOLVER_LANES], arm_p[3 * RBL_SOLVER_LANES];   // at child and parent
	float last_c[3 * RBL_SOLVER_LANES], last_p[3 * RBL_SOLVER_LANES]; // angular impulses applied
	float errors[6][RBL_SOLVER_LANES]; // of positions, child relative to parent
	float direction[6][3 * RBL_SOLVER_LANES];
	float moment_c[3][3 * RBL_SOLVER_LANES], moment_p[3][3 * RBL_SOLVER_LANES];
	float w[6][6 * RBL_SOLVER_LANES];
	float u[6][RBL_SOLVER_LANES];
	float factors[6][6][RBL_SOLVER_LANES];
} rbl_solver_tree_block;

/// Some trees that are solved together, by one worker. Node 0 is the null body.
typedef struct rbl_solver_joint_tree {
	rbl_solver_tree_block *blocks; // leaves first
	int block_count;
	const int32_t *bodies; // of nodes, padded with 0
	int node_count;        // a multiple of eight
	float *response[3];    // records of nodes: inverse inertia with what hangs on it
	float *change;         // of velocity
	float *impulse;
} rbl_solver_joint_tree;
