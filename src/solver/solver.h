// SPDX-License-Identifier: MIT
// The interface of the room `solver`: rigid bodies, contact manifolds, joints, and the step that
// moves them.
//
// The solver knows nothing of shapes, ids, events or fracture. Its owner adds bodies, says which
// pairs of convexes touch and how (one contact is one manifold of up to four points), and calls
// rbl_solver_step(). The stages of a step:
//
//     wake      sleeping bodies whose neighbours move; two hops away when the mover is fast
//     prepare   effective masses, friction and approach speeds of contacts, in place. A manifold
//               that was not updated since the last step moves with its bodies
//     sub-steps integrate velocities (with warm starting), solve joints, friction and normals with
//               a soft bias, integrate positions, bounce what has restitution. One manifold serves
//               all sub-steps: separations follow from the motion of the bodies since the beginning
//     relax     solve joints, friction and normals without bias
//     finish    new poses, hits, broken joints, bodies that fall asleep
//
// Contacts are kept in a graph coloring: no two contacts of one color share a dynamic body, so
// eight are solved at once in SIMD lanes, and blocks of eight on any thread. A contact keeps its
// slot from the step in which it begins to touch to the one in which it ends. Results are the same
// bits for any number of workers and any SIMD width.
//
// Indices of bodies, contacts and joints are small and stable while the object lives; the lowest
// free index is used next. They carry no generation: using a stale one is a bug of the caller.
//
// Threads: one call per solver at a time, except where a function says otherwise.
#pragma once

#include "base/blob.h"
#include "collide/collide.h"

#include <rubble/jobs.h>

typedef struct rbl_solver rbl_solver;

/// How to make a solver. Start from rbl_default_solver_def().
typedef struct rbl_solver_def {
	rbl_allocator allocator;
	rbl_jobs *jobs; // NULL: the calling thread does everything

	int body_capacity, contact_capacity; // hints, >= 0

	/// Contacts are soft constraints of this frequency, at most a sixth of the sub-step rate, and
	/// this damping ratio. Default 160 Hz, 5.
	float contact_hertz, contact_damping;

	/// Overlap is pushed out no faster than this, m/s. Default 3.
	float push_speed;

	/// Restitution threshold: slower contacts do not bounce, m/s. Default 1.
	float restitution_speed;

	/// Contacts whose approach speed is higher are reported as hits, m/s. Default 1.
	float hit_speed;

	/// Frequency and damping ratio of joints that set none. Default 60 Hz, 5.
	float joint_hertz, joint_damping;

	/// No body is faster, m/s, and no round one rotates faster, rad/s. What is not round rotates by
	/// at most three radians in a step, so that it can be swept; by an eighth of a turn where it
	/// touches something: beyond, manifolds lose their meaning. Default 400 and 10,000.
	float speed_limit, angular_speed_limit;

	/// Whether bodies fall asleep. Default true.
	bool can_sleep;

	/// A body that stays within this distance and angle for this time is a sleep candidate; it
	/// sleeps when its neighbours are candidates too. Round bodies count as still only within a
	/// fiftieth of the distance: they roll. Default 0.5 s, 1 cm, 2 degrees (in radians).
	float sleep_time, sleep_distance, sleep_angle;

	/// Wake threshold: a body that has moved this far, or is this fast, wakes its neighbours. Grows
	/// with a radius above 0.25 m, up to four times. Default 2 mm, 5 cm/s.
	float wake_distance, wake_speed;

	/// A sleep candidate that contacts hold does not move while it is slower than this. Default 1
	/// cm/s.
	float stick_speed;

	/// Size of usual bodies in metres: all lengths above and below are for one of 1, and grow with
	/// it, and push_speed, wake_speed and stick_speed with its square root. Below 1 contact_hertz
	/// grows by as much. Default 1.
	float length_scale;

	/// Called with the user value of a contact that lost its points because memory ran out;
	/// rbl_solver_set_manifold() gives it new ones. Must not call the solver. Default NULL.
	void (*lose_points)(void *user, uint32_t contact);
	void *user;
} rbl_solver_def;

rbl_solver_def rbl_default_solver_def(void);

/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
rbl_result rbl_create_solver(const rbl_solver_def *def, rbl_solver **solver);
void rbl_destroy_solver(rbl_solver *solver);

/// Allow sleeping; false wakes everything.
void rbl_solver_set_can_sleep(rbl_solver *solver, bool can_sleep);

// --- bodies ------------------------------------------------------------------------------------

typedef enum rbl_solver_kind {
	RBL_SOLVER_STATIC,    // never moves
	RBL_SOLVER_KINEMATIC, // moves by its velocity, whatever it hits
	RBL_SOLVER_DYNAMIC,
} rbl_solver_kind;

/// A body as it is added.
typedef struct rbl_solver_body {
	rbl_vec3 centre; // of mass
	rbl_quat rotation;
	rbl_vec3 velocity, angular_velocity;
	float inverse_mass;       // dynamic: > 0
	rbl_mat3 inverse_inertia; // of the inertia tensor about the centre, body axes; 0: never rotates
	float radius;             // distance of its farthest point from the centre
	float linear_damping, angular_damping, gravity_scale;
	rbl_solver_kind kind;
	uint32_t user;  // the owner's index
	bool can_sleep; // of its own accord
	bool is_round;  // a ball, or something that rolls as easily
	bool has_ends;  // is round, but has flat ends to stand on: a cylinder or cone
	bool is_asleep; // from the start, until a neighbour moves
	uint8_t locks;  // RBL_SOLVER_LOCK_... bits, of dynamic bodies
} rbl_solver_body;

/// World axes along which the centre of a body does not move: x, y, z from the first bit on; and
/// about which it does not rotate: likewise from the second.
enum { RBL_SOLVER_LOCK_TRANSLATION = 1, RBL_SOLVER_LOCK_ROTATION = 8, RBL_SOLVER_LOCK_ALL = 63 };

/// @return a dynamic body of unit mass that may sleep.
rbl_solver_body rbl_default_solver_body(void);

/// Make room for this many more bodies and joints: adding them cannot fail.
/// @return false when memory ran out (nothing changed)
bool rbl_solver_reserve(rbl_solver *solver, int bodies, int joints);

/// Add bodies. @param indices  receives their indices
/// @return RBL_OK, RBL_OUT_OF_MEMORY (none was added)
rbl_result rbl_solver_add_bodies(rbl_solver *solver, const rbl_solver_body *bodies, int count,
                                 int32_t *indices);

/// Remove bodies with their contacts and joints. Bodies they touched wake.
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
	float sleep_timer; // how long it has been still
} rbl_solver_velocity;

typedef enum rbl_solver_state {
	RBL_SOLVER_IS_DYNAMIC = 1,
	RBL_SOLVER_IS_KINEMATIC = 2,
	RBL_SOLVER_IS_ASLEEP = 4,
	RBL_SOLVER_IS_FROZEN = 16, // asleep, and nothing wakes it; 8, 64, 128 and 512 are internal
	RBL_SOLVER_IS_ROUND = 32,
	RBL_SOLVER_HAS_ENDS = 256,
	RBL_SOLVER_LOCK_SHIFT = 10,
	RBL_SOLVER_LOCK_STATE = RBL_SOLVER_LOCK_ALL << RBL_SOLVER_LOCK_SHIFT, // locked axes
} rbl_solver_state;

_Static_assert(sizeof(rbl_solver_pose) == 32, "half a cache line");
_Static_assert(sizeof(rbl_solver_velocity) == 32, "half a cache line");

/// Arrays indexed by body, valid until bodies are added. Threads: any, outside the step.
const rbl_solver_pose *rbl_solver_poses(const rbl_solver *solver);
const rbl_solver_velocity *rbl_solver_velocities(const rbl_solver *solver);

static inline bool rbl_solver_is_asleep(const rbl_solver *solver, int body)
{
	return rbl_solver_velocities(solver)[body].state & RBL_SOLVER_IS_ASLEEP;
}

/// Change a body. Both wake it; sleeping neighbours wake in the next step if it moves them.
void rbl_solver_set_pose(rbl_solver *solver, int body, rbl_vec3 centre, rbl_quat rotation);
void rbl_solver_set_velocity(rbl_solver *solver, int body, rbl_vec3 linear, rbl_vec3 angular);

/// As rbl_solver_set_velocity(), for what is awake and is in the way of another that comes to rest
/// on it: it goes on being still unless its pose changes.
void rbl_solver_nudge(rbl_solver *s, int body, rbl_vec3 linear, rbl_vec3 angular);

/// Put a body that has just moved back to where it may be. That wakes nothing. A jammed one comes
/// to rest there, and may fall asleep in the next step however it moves.
void rbl_solver_put_back(rbl_solver *solver, int body, rbl_vec3 centre, rbl_quat rotation,
                         bool is_jammed);

/// Change everything but pose and velocity: for a body that lost or gained a part. It keeps its
/// contacts; bodies it touches wake.
void rbl_solver_set_body(rbl_solver *solver, int body, const rbl_solver_body *values);

/// @return the present values of a body. Mass, damping and gravity scale are zero unless it is
/// dynamic.
rbl_solver_body rbl_solver_body_values(const rbl_solver *solver, int body);

/// Add a force and a torque that act during the next step.
void rbl_solver_add_force(rbl_solver *solver, int body, rbl_vec3 force, rbl_vec3 torque);

/// Change velocities at once by a linear impulse at the centre and an angular one.
void rbl_solver_add_impulse(rbl_solver *solver, int body, rbl_vec3 impulse, rbl_vec3 angular);

/// Wake a body, unless it is frozen; its contacts are solved again.
void rbl_solver_wake(rbl_solver *solver, int body);

/// Put an awake dynamic body to sleep now, if bodies may sleep, until a neighbour moves.
/// @return RBL_OK, RBL_OUT_OF_MEMORY (it stays awake)
rbl_result rbl_solver_sleep(rbl_solver *solver, int body);

/// Freeze a sleeping body, so that nothing wakes it, or unfreeze it; it stays asleep.
void rbl_solver_freeze(rbl_solver *solver, int body, bool is_frozen);

/// Translate everything by `shift`.
void rbl_solver_shift(rbl_solver *solver, rbl_vec3 shift);

// --- contacts ----------------------------------------------------------------------------------

/// A pair whose allowed initial penetration is more than RBL_SOLVER_DEEP_PENETRATION is pushed
/// apart as if it were at most RBL_SOLVER_DEEP_PUSH deeper than allowed, in metres: wedged
/// fragments would shoot out.
#define RBL_SOLVER_DEEP_PENETRATION 0.01f
#define RBL_SOLVER_DEEP_PUSH 0.002f

/// A pair of convexes that may touch, of bodies A and B, which differ.
typedef struct rbl_solver_contact {
	int32_t a, b;
	float friction;            // Coulomb coefficient, >= 0
	float restitution;         // 0 to 1
	float rolling_resistance;  // torque per normal force against rolling, in metres, >= 0
	float spinning_resistance; // likewise, about the normal; both for round shapes only
	float radius_a, radius_b;  // around the cores of round shapes, >= 0
	float allowed_penetration; // initial overlap that is not pushed out, >= 0; it shrinks
	uint32_t user;             // the owner's index
} rbl_solver_contact;

/// Add contacts, without points. @param contacts  receives their indices
/// @return RBL_OK, RBL_OUT_OF_MEMORY (none was added)
rbl_result rbl_solver_add_contacts(rbl_solver *solver, const rbl_solver_contact *defs, int count,
                                   int32_t *contacts);

/// Remove contacts. Sleeping bodies that were supported by one wake.
void rbl_solver_remove_contacts(rbl_solver *solver, const int32_t *contacts, int count);

/// Replace one body of a contact by a static one that touches in the same way. Nothing wakes.
/// @param from  one of the contact's bodies
/// @param to    static, and not the other body
void rbl_solver_move_contact(rbl_solver *solver, int contact, int from, int to);

/// Set the radii of a contact, before its manifold: how a cylinder touches decides whether it
/// rolls.
void rbl_solver_set_radii(rbl_solver *solver, int contact, float radius_a, float radius_b);

/// Redefine a contact between two other bodies, with a manifold whose points share an impulse.
/// Nothing wakes. @return RBL_OK, RBL_OUT_OF_MEMORY (it has no points)
rbl_result rbl_solver_bind_contact(rbl_solver *solver, int contact, const rbl_solver_contact *def,
                                   const rbl_manifold *manifold, float impulse);

/// Set the manifold of a contact: world coordinates, normal from A to B, no points when it does not
/// touch. Points with the same ids keep their impulses for warm starting. A manifold that is not
/// updated before a step moves with its bodies.
/// @return RBL_OK, RBL_OUT_OF_MEMORY (it has no points)
rbl_result rbl_solver_set_manifold(rbl_solver *solver, int contact, const rbl_manifold *manifold);

/// The same for a contact that has points and keeps some. @return false, and nothing has changed,
/// when it begins or ceases to touch; then call rbl_solver_set_manifold() later, on one thread.
/// Threads: any, one call per contact at once.
bool rbl_solver_update_manifold(rbl_solver *solver, int contact, const rbl_manifold *manifold);

/// What rbl_solver_set_manifold() does with points, in two halves: in order, a place for a contact
/// that begins to touch; and later what is there. In between contacts may be added, moved to other
/// lists, and lose points, but no step is made.
/// @return RBL_OK or RBL_OUT_OF_MEMORY
rbl_result rbl_solver_begin_touch(rbl_solver *solver, int contact);

/// Threads: any, each with contacts of its own.
void rbl_solver_write_manifold(rbl_solver *solver, int contact, const rbl_manifold *manifold);

/// Prefetch what setting a manifold is going to read and write: first the contact, later what it
/// leads to, its bodies and its lane in a block. Threads: any, while no contact is added or moves.
void rbl_solver_prefetch_contact(const rbl_solver *solver, int contact);
void rbl_solver_prefetch_bodies(const rbl_solver *solver, int contact);
void rbl_solver_prefetch_lane(const rbl_solver *solver, int contact);

/// Limit the initial overlap that a contact may keep. Threads: any, one call per contact at once.
void rbl_solver_limit_allowed_penetration(rbl_solver *solver, int contact, float most);

/// @return whether a contact has points. Threads: any.
bool rbl_solver_has_points(const rbl_solver *solver, int contact);

/// Swap the user values of two contacts of the same bodies in the same order.
/// Threads: any, one call per contact at once.
void rbl_solver_swap_contact_users(rbl_solver *solver, int first, int second);

/// Set what a contact's definition says of friction, restitution and resistance.
void rbl_solver_set_material(rbl_solver *solver, int contact, const rbl_solver_contact *def);

/// Surfaces that run over their bodies, as conveyor belts do: how fast that of B runs past that of
/// A where they touch, besides the motion of both.
typedef struct rbl_solver_running_surface {
	int32_t contact;
	rbl_vec3 velocity;
} rbl_solver_running_surface;

/// Set all contacts with running surfaces for the next step; the array is read by it. Their bodies
/// do not become sleep candidates.
void rbl_solver_set_running_surfaces(rbl_solver *solver, const rbl_solver_running_surface *surfaces,
                                     int count);

/// What happened at a contact in the last step.
typedef struct rbl_solver_contact_report {
	int32_t a, b;
	uint32_t user;
	int point_count;
	rbl_vec3 point;       // centroid of the points, as far from A's centre as when the step began
	rbl_vec3 normal;      // from A to B
	float normal_impulse; // of the last sub-step, summed over points, N s
	float peak_impulse;   // the largest such sum of all sub-steps
	float approach_speed; // the largest of all points when the step began, m/s, >= 0
	float energy;         // kinetic energy of the approach along the normal, J
	float separation;     // the smallest of the last manifold
} rbl_solver_contact_report;

rbl_solver_contact_report rbl_solver_report_contact(const rbl_solver *solver, int contact);

// --- joints ------------------------------------------------------------------------------------

/// What a joint leaves free, along and about the axes of A's frame.
typedef enum rbl_solver_joint_kind {
	RBL_SOLVER_WELD,      // nothing
	RBL_SOLVER_HINGE,     // rotation about z
	RBL_SOLVER_BALL,      // rotation
	RBL_SOLVER_PRISMATIC, // translation along z
	RBL_SOLVER_DISTANCE,  // everything but the distance of the anchors
	RBL_SOLVER_WHEEL,     // translation along y (the suspension) and rotation about z (the axle)
	RBL_SOLVER_MOTOR,     // everything: a spring of limited force pulls the frames together
	RBL_SOLVER_JOINT_KINDS
} rbl_solver_joint_kind;

/// The coordinate of a joint is what limits, motor and spring act on: the angle of a hinge, the
/// twist of a ball joint about z, the translation of a prismatic joint or of a suspension, the
/// distance of the anchors. Angles are those of B's frame relative to A's, in radians.
typedef struct rbl_solver_joint {
	rbl_solver_joint_kind kind;
	int32_t a, b;
	rbl_transform frame_a, frame_b; // in each body's frame, about its centre of mass

	/// A spring that pulls the coordinate to `target`, of a ball joint the frames together. Of a
	/// weld: it is soft. hertz 0: no spring, and a weld is rigid. A motor joint needs one.
	float hertz, damping, target;

	bool has_limits, has_motor, has_cone;
	float lower, upper; // limits of the coordinate
	float cone_angle;   // ball: largest angle between the z axes

	/// Speed that the motor gives the coordinate; of a ball joint the angular velocity about z, of
	/// a wheel that about its axle. The most force or torque for it, which also limits the springs
	/// of ball and motor joints.
	float motor_speed, motor_force, motor_torque;

	float break_force, break_torque; // N and N m; 0: never
	uint32_t user;
} rbl_solver_joint;

/// @return a rigid weld that never breaks.
rbl_solver_joint rbl_default_solver_joint(void);

/// @param joint  receives the index
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_solver_add_joint(rbl_solver *solver, const rbl_solver_joint *def, int32_t *joint);

/// Remove a joint; both bodies wake. Broken joints do nothing until their owner removes them.
void rbl_solver_remove_joint(rbl_solver *solver, int joint);

/// Change everything of a joint but its kind, its bodies and its user value. Both bodies wake.
/// @return RBL_OK, RBL_OUT_OF_MEMORY (nothing changed)
rbl_result rbl_solver_set_joint(rbl_solver *solver, int joint, const rbl_solver_joint *def);

/// @return the present definition of a joint.
rbl_solver_joint rbl_solver_joint_values(const rbl_solver *solver, int joint);

typedef struct rbl_solver_joint_report {
	rbl_vec3 force, torque; // on B, mean of the last step
	float coordinate;       // see rbl_solver_joint; of a ball joint only with limits
	bool is_broken;
	uint32_t user;
} rbl_solver_joint_report;

rbl_solver_joint_report rbl_solver_report_joint(const rbl_solver *solver, int joint);

// --- the step ----------------------------------------------------------------------------------

/// Advance by dt >= 0 in sub-steps (1 to 64, usually 16).
/// @return RBL_OK; RBL_OUT_OF_MEMORY: the step is complete, but some contacts that should have
/// woken lost their points, or trees of joints gave way as if they were not trees
rbl_result rbl_solver_step(rbl_solver *solver, float dt, int substep_count, rbl_vec3 gravity);

/// A list of indices, valid until the next change of the solver.
typedef struct rbl_solver_list {
	const int32_t *indices;
	int count;
} rbl_solver_list;

/// Bodies that are awake and not static, in a repeatable order.
rbl_solver_list rbl_solver_awake(const rbl_solver *solver);

/// Bodies that fell asleep, or woke, in the last step and in calls since the step before it; a body
/// may be in both lists, its state says which came last. Contacts that hit in the last step, and
/// joints that broke.
rbl_solver_list rbl_solver_fell_asleep(const rbl_solver *solver);
rbl_solver_list rbl_solver_woke(const rbl_solver *solver);
rbl_solver_list rbl_solver_hits(const rbl_solver *solver);
rbl_solver_list rbl_solver_broken(const rbl_solver *solver);

/// Counts, as of now.
typedef struct rbl_solver_counts {
	int bodies, awake_bodies;
	int contacts, awake_contacts; // awake: with points, and solved
	int sleeping_contacts;        // with points, between sleeping bodies
	int joints;
	int colors;        // in use
	int overflow;      // contacts that found no color
	size_t bytes;      // allocated
	size_t body_bytes; // of these, for bodies
} rbl_solver_counts;

rbl_solver_counts rbl_solver_count(const rbl_solver *solver);

// --- snapshots ---------------------------------------------------------------------------------

/// Write everything that the next step depends on, and read it into a new solver with the same
/// definition: the same indices, and the same bits from then on.
/// @return whether the reader is still good; if not, the solver can only be destroyed
void rbl_solver_save(const rbl_solver *solver, rbl_blob_writer *w);
bool rbl_solver_load(rbl_blob_reader *r, rbl_solver *solver);

/// @return whether an index read from a snapshot is that of a body, a contact or a joint.
bool rbl_solver_has_body(const rbl_solver *solver, int body);
bool rbl_solver_has_contact(const rbl_solver *solver, int contact);
bool rbl_solver_has_joint(const rbl_solver *solver, int joint);
