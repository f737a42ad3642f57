// SPDX-License-Identifier: MIT
// The door of the room `solver`: bodies as numbers, contacts as manifolds, joints; motion.
//
// It knows nothing of shapes, ids, events or fracture. Its owner gives it bodies, tells it which
// pairs of convexes touch and how (one contact is one manifold of up to four points), and calls
// rbl_solver_step(). The plan of a step:
//
//     wake      frozen bodies whose neighbours move, two hops far when they are fast
//     prepare   contacts in place: masses, friction, approach speeds; manifolds that were not
//               given anew since the last step are carried along with their bodies
//     sub-steps each: velocities, (warm start), friction and normals with soft bias, positions. One
//               manifold serves all: separations follow from how far the bodies have moved
//     relax     friction and normals without bias; contacts with restitution that came in fast bounce
//     finish    new poses, hits, broken joints, bodies that fall asleep
//
// Contacts are coloured: no two contacts of a colour share a body that moves, so eight are solved at
// once, and blocks of eight by any thread. A contact keeps its place from the step in which it
// begins to touch to the one in which it ends. Results are the same bits for any number of
// workers and any width of lanes.
//
// Indices of bodies, contacts and joints are small and stable while the thing lives; the lowest free
// one is used next. They carry no generation: a stale one is a bug of the caller.
//
// Threads: one call per solver at once, but for the functions that say otherwise.
#pragma once

#include "base/blob.h"
#include "collide/collide.h"

#include <rubble/jobs.h>

typedef struct rbl_solver rbl_solver;

/// How to make a solver. Start from rbl_default_solver_def().
typedef struct rbl_solver_def {
	rbl_allocator allocator;
	rbl_jobs *jobs; // NULL: the calling thread does all

	int body_capacity, contact_capacity; // hints, >= 0

	/// Contacts are springs of this frequency, at most a sixth of the sub-steps' rate, and this
	/// damping ratio. Default 160 Hz, 5.
	float contact_hertz, contact_damping;

	/// The most speed with which overlap is pushed out, m/s. Default 3.
	float push_speed;

	/// Slower contacts do not bounce, m/s. Default 1.
	float bounce_speed;

	/// Contacts that close faster than this are reported as hits, m/s. Default 1.
	float hit_speed;

	/// Joints that are not soft by themselves. Default 60 Hz, 5.
	float joint_hertz, joint_damping;

	/// No body is faster, m/s. Default 400.
	float speed_limit;

	/// Whether bodies fall asleep. Default true.
	bool can_sleep;

	/// Whether a part of an island may sleep. Otherwise only whole ones do. Default true.
	bool can_freeze;

	/// A body that stays within this distance and angle for this time is quiet; it sleeps when its
	/// neighbours are quiet too. Default 0.5 s, 1 cm, 2 degrees (in radians).
	float quiet_time, quiet_distance, quiet_angle;

	/// A body that has moved this far, or is this fast, wakes its neighbours; one with a radius of more
	/// than 0.25 m in proportion to it, up to four times as far and as fast. Default 2 mm, 5 cm/s.
	float wake_distance, wake_speed;

	/// A quiet body that leans on others does not move while it is slower than this, awake or not.
	/// Default 1 cm/s.
	float stick_speed;
} rbl_solver_def;

rbl_solver_def rbl_default_solver_def(void);

/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
rbl_result rbl_create_solver(const rbl_solver_def *def, rbl_solver **solver);
void rbl_destroy_solver(rbl_solver *solver);

/// Change sleeping; false wakes everything.
void rbl_solver_set_can_sleep(rbl_solver *solver, bool can_sleep);

// --- bodies ------------------------------------------------------------------------------------

typedef enum rbl_solver_kind {
	RBL_SOLVER_STATIC,    // stays
	RBL_SOLVER_KINEMATIC, // moves by its velocity, whatever it meets
	RBL_SOLVER_DYNAMIC,
} rbl_solver_kind;

/// A body as it is added.
typedef struct rbl_solver_body {
	rbl_vec3 centre; // of mass
	rbl_quat rotation;
	rbl_vec3 velocity, angular_velocity;
	float inverse_mass;       // dynamic: > 0
	rbl_mat3 inverse_inertia; // symmetric, about the centre, in the body's frame; zero: never turns
	float radius;             // the farthest of its points from the centre
	float linear_damping, angular_damping, gravity_scale;
	rbl_solver_kind kind;
	uint32_t user;  // the owner's index
	bool can_sleep; // by itself
	bool is_asleep; // from the start, until something moves beside it
} rbl_solver_body;

/// @return a dynamic body of unit mass that sleeps when it rests.
rbl_solver_body rbl_default_solver_body(void);

/// Add bodies. @param indices  receives their indices
/// @return RBL_OK, RBL_OUT_OF_MEMORY (none was added)
rbl_result rbl_solver_add_bodies(rbl_solver *solver, const rbl_solver_body *bodies, int count,
                                 int32_t *indices);

/// Remove bodies; their contacts and joints go with them, and what they touched wakes.
void rbl_solver_remove_bodies(rbl_solver *solver, const int32_t *indices, int count);

/// Where a body is.
typedef struct rbl_solver_pose {
	rbl_vec3 centre;
	uint32_t user;
	rbl_quat rotation;
} rbl_solver_pose;

/// How it moves.
typedef struct rbl_solver_velocity {
	rbl_vec3 linear;
	uint32_t state; // rbl_solver_state bits
	rbl_vec3 angular;
	float quiet_time; // how long it has been quiet
} rbl_solver_velocity;

typedef enum rbl_solver_state {
	RBL_SOLVER_IS_DYNAMIC = 1,
	RBL_SOLVER_IS_KINEMATIC = 2,
	RBL_SOLVER_IS_ASLEEP = 4,
	RBL_SOLVER_IS_FROZEN = 16, // asleep, and nothing wakes it; 8 is the solver's own
} rbl_solver_state;

_Static_assert(sizeof(rbl_solver_pose) == 32, "a record of half a cache line");
_Static_assert(sizeof(rbl_solver_velocity) == 32, "a record of half a cache line");

/// Arrays indexed by body, until bodies are added. Reading them: any thread, outside the step.
const rbl_solver_pose *rbl_solver_poses(const rbl_solver *solver);
const rbl_solver_velocity *rbl_solver_velocities(const rbl_solver *solver);

static inline bool rbl_solver_is_asleep(const rbl_solver *solver, int body)
{
	return rbl_solver_velocities(solver)[body].state & RBL_SOLVER_IS_ASLEEP;
}

/// Change a body. Each wakes it; sleeping neighbours wake in the next step when it moves them.
void rbl_solver_set_pose(rbl_solver *solver, int body, rbl_vec3 centre, rbl_quat rotation);
void rbl_solver_set_velocity(rbl_solver *solver, int body, rbl_vec3 linear, rbl_vec3 angular);

/// For a body that lost or gained a piece: all but poses and velocities, which the others set. It
/// keeps its contacts; touched bodies wake.
void rbl_solver_set_body(rbl_solver *solver, int body, const rbl_solver_body *values);

/// The rest of a body is read back here. Masses, damping and the scale of gravity are those of a
/// dynamic body, else zero.
rbl_solver_body rbl_solver_body_values(const rbl_solver *solver, int body);

/// Force and torque for the length of the next step; they add up.
void rbl_solver_add_force(rbl_solver *solver, int body, rbl_vec3 force, rbl_vec3 torque);

/// Change velocities at once: an impulse at the centre, and an angular one.
void rbl_solver_add_impulse(rbl_solver *solver, int body, rbl_vec3 impulse, rbl_vec3 angular);

void rbl_solver_wake(rbl_solver *solver, int body);

/// Put a body to sleep now, until something moves beside it.
void rbl_solver_sleep(rbl_solver *solver, int body);

/// Let nothing wake a body that is asleep, or let it wake again; it stays asleep.
void rbl_solver_freeze(rbl_solver *solver, int body, bool is_frozen);

/// Move everything by `shift`.
void rbl_solver_shift(rbl_solver *solver, rbl_vec3 shift);

// --- contacts ----------------------------------------------------------------------------------

/// Of two that overlapped by more than RBL_DEEP_BIRTH at birth, what they have come deeper is pushed out by
/// no more than RBL_BORN_PUSH at a time, in metres: pieces that are wedged would shoot out. A fragment that
/// was born on the floor does not sink into it.
#define RBL_DEEP_BIRTH 0.01f
#define RBL_BORN_PUSH 0.002f

/// A pair of convexes that may touch, of bodies A and B, which differ.
typedef struct rbl_solver_contact {
	int32_t a, b;
	float friction;    // coefficient of Coulomb's law, >= 0
	float restitution; // 0 to 1
	float rest_depth;  // overlap that is not pushed out, >= 0; it shrinks as the pair comes apart
	uint32_t user;     // the owner's index
} rbl_solver_contact;

/// Add contacts, without points. @param contacts  receives their indices
/// @return RBL_OK, RBL_OUT_OF_MEMORY (none was added)
rbl_result rbl_solver_add_contacts(rbl_solver *solver, const rbl_solver_contact *defs, int count,
                                   int32_t *contacts);

/// Remove contacts. Sleeping bodies that leaned on one wake.
void rbl_solver_remove_contacts(rbl_solver *solver, const int32_t *contacts, int count);

/// Let a contact be that of another body in the place of one of its own, which touches as it did: a
/// static one takes the place of one that sleeps. Nobody wakes.
/// @param from  one of the contact's bodies
/// @param to    static, and not its other body
void rbl_solver_move_contact(rbl_solver *solver, int contact, int from, int to);

/// Let a contact be that of two other bodies, which touch as the manifold says, with an impulse that its
/// points share. Nobody wakes. @return RBL_OK, RBL_OUT_OF_MEMORY (it has no points)
rbl_result rbl_solver_bind_contact(rbl_solver *solver, int contact, const rbl_solver_contact *def,
                                   const rbl_manifold *manifold, float impulse);

/// Say how the pair touches now, in world coordinates, normal from A to B. Impulses of points with
/// the same ids are kept. No points: it does not touch. What is not said anew before a step is
/// carried along with the bodies.
/// @return RBL_OK, RBL_OUT_OF_MEMORY (it has no points)
rbl_result rbl_solver_set_manifold(rbl_solver *solver, int contact, const rbl_manifold *manifold);

/// The same for a contact that has points and keeps some: @return false, and nothing is changed,
/// when it begins or ceases to touch; then call rbl_solver_set_manifold() later, on one thread.
/// Threads: any, one call per contact at once.
bool rbl_solver_update_manifold(rbl_solver *solver, int contact, const rbl_manifold *manifold);

/// @return whether a contact has points. Threads: any.
bool rbl_solver_has_points(const rbl_solver *solver, int contact);

/// Exchange what two contacts of the same bodies, in the same order, are to their owner.
/// Threads: any, one call per contact at once.
void rbl_solver_exchange_contacts(rbl_solver *solver, int first, int second);

void rbl_solver_set_rest_depth(rbl_solver *solver, int contact, float depth);
void rbl_solver_set_material(rbl_solver *solver, int contact, float friction, float restitution);

/// What happened at a contact in the last step.
typedef struct rbl_solver_contact_report {
	int32_t a, b;
	uint32_t user;
	int point_count;
	rbl_vec3 point;       // middle of the points, as far from A's centre as when the step began
	rbl_vec3 normal;      // from A to B
	float normal_impulse; // of the last sub-step, summed over points, N s
	float peak_impulse;   // the largest of all sub-steps
	float approach_speed; // the largest of all points when the step began, m/s, >= 0
	float energy;         // of the motion along the normal that met: J
	float separation;     // the least, at the last manifold
} rbl_solver_contact_report;

rbl_solver_contact_report rbl_solver_report_contact(const rbl_solver *solver, int contact);

// --- joints ------------------------------------------------------------------------------------

typedef enum rbl_solver_joint_kind {
	RBL_SOLVER_WELD,  // no motion
	RBL_SOLVER_HINGE, // turns about the z axis of its frames
	RBL_SOLVER_BALL,  // turns freely
} rbl_solver_joint_kind;

typedef struct rbl_solver_joint {
	rbl_solver_joint_kind kind;
	int32_t a, b;
	rbl_transform frame_a, frame_b; // in each body's frame, about its centre of mass
	float hertz, damping;           // of a soft joint; hertz 0: as stiff as the solver's joints

	// Hinges: the angle is that by which B's frame is turned against A's.
	bool has_limits, has_motor;
	float lower_angle, upper_angle; // -pi to pi
	float motor_speed;              // rad/s
	float motor_torque;             // at most, N m

	float break_force, break_torque; // N and N m; 0: never
	uint32_t user;
} rbl_solver_joint;

/// @return a rigid weld that never breaks.
rbl_solver_joint rbl_default_solver_joint(void);

/// @param joint  receives the index
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_solver_add_joint(rbl_solver *solver, const rbl_solver_joint *def, int32_t *joint);

/// Remove a joint; both bodies wake. Broken joints are removed by their owner, and do nothing until
/// then.
void rbl_solver_remove_joint(rbl_solver *solver, int joint);

void rbl_solver_set_motor(rbl_solver *solver, int joint, bool is_on, float speed, float torque);

typedef struct rbl_solver_joint_report {
	rbl_vec3 force, torque; // on B in the last step
	float angle;            // of a hinge
	bool is_broken;
	uint32_t user;
} rbl_solver_joint_report;

rbl_solver_joint_report rbl_solver_report_joint(const rbl_solver *solver, int joint);

// --- the step ----------------------------------------------------------------------------------

/// Advance by dt >= 0 in sub-steps (1 to 64, 16 are usual).
/// @return RBL_OK; RBL_OUT_OF_MEMORY: the step is done, but contacts that should have woken have
/// lost their points
rbl_result rbl_solver_step(rbl_solver *solver, float dt, int substep_count, rbl_vec3 gravity);

/// A list of indices, until the next change of the solver.
typedef struct rbl_solver_list {
	const int32_t *indices;
	int count;
} rbl_solver_list;

/// Bodies that are awake and not static, in no particular but repeatable order.
rbl_solver_list rbl_solver_awake(const rbl_solver *solver);

/// Bodies that fell asleep, or woke, in the last step and in calls between it and the one before; a
/// body may stand in both, its state says which came last. Contacts that closed fast in the last
/// step, joints that broke in it.
rbl_solver_list rbl_solver_fell_asleep(const rbl_solver *solver);
rbl_solver_list rbl_solver_woke(const rbl_solver *solver);
rbl_solver_list rbl_solver_hits(const rbl_solver *solver);
rbl_solver_list rbl_solver_broken(const rbl_solver *solver);

/// Counts and times of the last step.
typedef struct rbl_solver_counts {
	int bodies, awake_bodies;
	int contacts, awake_contacts; // awake: with points, and swept
	int sleeping_contacts;        // with points, between bodies that sleep
	int joints;
	int colours;  // in use
	int overflow; // contacts that found no colour
	int islands;  // groups of bodies that lean on each other; counted when whole islands sleep
	uint64_t wake_ns, prepare_ns, solve_ns, finish_ns;
	size_t bytes;      // held
	size_t body_bytes; // of these, what grows with bodies
} rbl_solver_counts;

rbl_solver_counts rbl_solver_count(const rbl_solver *solver);

// --- as bytes ----------------------------------------------------------------------------------

/// Write everything that the next step depends on; and read it into a new solver of the same
/// definition: the same indices, the same bits from then on.
/// @return whether the reader is still good; otherwise the solver is only good to be destroyed
void rbl_solver_save(const rbl_solver *solver, rbl_blob_writer *w);
bool rbl_solver_load(rbl_blob_reader *r, rbl_solver *solver);

/// @return whether an index names a body, a contact or a joint: for what was read with it.
bool rbl_solver_has_body(const rbl_solver *solver, int body);
bool rbl_solver_has_contact(const rbl_solver *solver, int contact);
bool rbl_solver_has_joint(const rbl_solver *solver, int joint);
