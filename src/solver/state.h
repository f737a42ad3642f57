// SPDX-License-Identifier: MIT
// Inside a solver.
#pragma once

#include "solver/records.h"
#include "solver/solver.h"

#include "base/bits.h"
#include "base/id_pool.h"
#include "base/memory.h"
#include "base/worker_group.h"

/// What sweeps do not look at of a body.
typedef struct rbl_body_cold {
	uint64_t colours;      // that its contacts have
	int32_t first_contact; // a link: 2 * contact + side; -1: none
	int32_t first_joint;   // likewise
	int32_t awake_slot;    // in the list of awake bodies, -1: not there
	uint8_t kind;          // rbl_solver_kind
	bool can_sleep;
	bool is_noted_asleep, is_noted_awake; // stands in the lists of the last step
} rbl_body_cold;

_Static_assert(sizeof(rbl_body_cold) == 24, "what is in a record is not here too");

/// Ends of contacts and joints hang in lists of their bodies.
typedef struct rbl_body_link {
	int32_t next, previous; // links: 2 * index + side, -1: none
} rbl_body_link;

/// What sweeps do not look at of a contact.
typedef struct rbl_contact_cold {
	int32_t body[2];
	rbl_body_link links[2];
	int32_t list, slot; // its place; list -1: it has no points
	uint32_t ids[RBL_MAX_MANIFOLD_POINTS];
	int32_t point_count;
	float friction, restitution;
	float rest_depth;
	uint32_t user;
} rbl_contact_cold;

/// Contacts of one colour: `count` of them in slots 0 to count - 1.
typedef struct rbl_contact_list {
	rbl_contact_block *blocks;
	rbl_contact_side *sides;
	uint8_t *marks;        // blocks that push overlap out fast in this sub-step
	uint8_t *point_counts; // of a block: the most points of a contact; set when a step begins
	uint8_t *slot_classes; // scratch: what rbl_contact_list_sort() sorts by
	int count;
	int block_capacity;
	int lanes; // contacts per block
} rbl_contact_list;

/// Lists of joints without a common body; the last one takes what finds no other.
enum { RBL_JOINT_COLOURS = 32 };

/// A joint: see joints.c. Vectors are along world axes.
typedef struct rbl_joint {
	rbl_solver_joint def;
	rbl_body_link links[2];
	bool is_broken;

	// Of the present step.
	int colour;
	rbl_vec3 first_a, first_b; // arms when the step began
	rbl_vec3 arm_a, arm_b;     // arms now
	rbl_vec3 gap;              // between the anchors when the step began
	rbl_quat begin_a, begin_b; // frames when the step began
	rbl_vec3 axis;             // of a hinge, now
	rbl_mat3 point_mass;       // answers the speed of the anchors, in this sub-step
	rbl_mat3 turn_mass;        // of a weld: answers the speed of turning
	float bias_rate, mass_scale, impulse_scale;

	rbl_vec3 linear, angular;  // impulses of the last sub-step
	float motor, lower, upper; // likewise, about the axis
	rbl_vec3 linear_sum, angular_sum;
	rbl_vec3 force, torque; // mean of the last step
	float angle;
} rbl_joint;

struct rbl_solver {
	rbl_solver_def def;
	rbl_allocator allocator;
	rbl_worker_group *workers; // while it moves bodies

	rbl_id_pool body_ids, contact_ids, joint_ids;

	// Bodies: one block of memory for all arrays.
	void *body_memory;
	int body_capacity;
	rbl_body_records records;
	rbl_body_cold *cold;
	int32_t *awake; // padded with zeros to a multiple of eight
	int awake_count;
	int32_t *woke, *slept, *queue;
	int woke_count, slept_count;
	uint8_t *marks;   // scratch of sleep.c
	int32_t *parents; // likewise: union-find
	int sleeping_count;
	bool lists_are_old; // what woke and slept was told with the last step
	bool has_forces;

	RBL_ARRAY(rbl_contact_cold) contacts;
	rbl_contact_list lists[RBL_LIST_COUNT];
	RBL_ARRAY(int32_t) hits;

	RBL_ARRAY(rbl_joint) joints;
	RBL_ARRAY(int32_t) broken;
	RBL_ARRAY(int32_t) joint_order; // active ones of this step, colour by colour; see joints.c
	int joint_starts[RBL_JOINT_COLOURS + 1];

	int island_count;
	int lost_count; // contacts that lost their points for want of memory since the last step began
	uint64_t wake_ns, prepare_ns, solve_ns, finish_ns;
};

static inline rbl_solver_pose *rbl_pose_of(const rbl_solver *s, int body)
{
	return (rbl_solver_pose *)(void *)s->records.pose + body;
}

static inline rbl_solver_velocity *rbl_velocity_of(const rbl_solver *s, int body)
{
	return (rbl_solver_velocity *)(void *)s->records.velocity + body;
}

static inline float *rbl_record(float *records, int body)
{
	return records + (size_t)RBL_RECORD * (size_t)body;
}

static inline bool rbl_body_is_dynamic(const rbl_solver *s, int body)
{
	return s->cold[body].kind == RBL_SOLVER_DYNAMIC;
}

static inline bool rbl_body_is_asleep(const rbl_solver *s, int body)
{
	return rbl_velocity_of(s, body)->state & RBL_SOLVER_IS_ASLEEP;
}

/// Awake and able to move by impulses.
static inline bool rbl_body_is_active(const rbl_solver *s, int body)
{
	return (rbl_velocity_of(s, body)->state & (RBL_SOLVER_IS_DYNAMIC | RBL_SOLVER_IS_ASLEEP)) ==
	       RBL_SOLVER_IS_DYNAMIC;
}

// --- bodies.c ------------------------------------------------------------------------------------

/// Make room for `count` bodies in all. @return false when memory ran out (nothing changed)
bool rbl_bodies_reserve(rbl_solver *s, int count);
void rbl_bodies_free(rbl_solver *s);
void rbl_bodies_init_nobody(rbl_solver *s);

/// Set inverse mass and inertia of the hot record from the body's values, zero while it sleeps.
void rbl_body_load_inertia(rbl_solver *s, int body);

/// Whatever it did in the last step, contacts and joints are to find it where it is.
void rbl_body_forget_motion(rbl_solver *s, int body);

void rbl_awake_list_add(rbl_solver *s, int body);
void rbl_awake_list_remove(rbl_solver *s, int body);

// --- contacts.c ----------------------------------------------------------------------------------

void rbl_contacts_free(rbl_solver *s);

static inline rbl_contact_block *rbl_slot_block(const rbl_contact_list *list, int slot, int *lane)
{
	*lane = slot % list->lanes;
	return &list->blocks[slot / list->lanes];
}

/// Blocks in use.
static inline int rbl_list_blocks(const rbl_contact_list *list)
{
	return (list->count + list->lanes - 1) / list->lanes;
}

/// Make room for contacts in a list. @return false when memory ran out (nothing changed)
bool rbl_contact_list_reserve(rbl_solver *s, rbl_contact_list *list, int count);

/// Make a lane one of nobody.
void rbl_contact_clear_lane(rbl_contact_block *block, rbl_contact_side *side, int lane);

/// Move a contact to the list where it belongs now: a colour when one of its bodies is awake, else the
/// sleeping ones. Without points it is in none.
/// When memory ran out it has lost its points.
void rbl_contact_place(rbl_solver *s, int contact);

/// Put all contacts of a body among the sleeping ones, before its kind changes.
void rbl_body_park_contacts(rbl_solver *s, int body);

/// Place all contacts of a body again: it fell asleep, woke, or is of another kind now.
void rbl_body_replace_contacts(rbl_solver *s, int body);

void rbl_contact_remove(rbl_solver *s, int contact);

/// Put contacts of a colour in the order in which they are swept fastest, and count the points of blocks.
void rbl_contact_list_sort(rbl_solver *s, rbl_contact_list *list);

/// Count the points of blocks.
void rbl_contact_list_count(rbl_contact_list *list);

/// The sum of its normal impulses.
float rbl_contact_load(const rbl_solver *s, int contact);

// --- joints.c ------------------------------------------------------------------------------------

void rbl_joints_prepare(rbl_solver *s, const rbl_sweep *sweep);
void rbl_joints_warm(rbl_solver *s, bool is_first);
void rbl_joints_solve(rbl_solver *s, const rbl_sweep *sweep, bool is_soft);
void rbl_joints_finish(rbl_solver *s, const rbl_sweep *sweep);
void rbl_joint_remove(rbl_solver *s, int joint);

/// Make room for `count` joints in all. @return false when memory ran out
bool rbl_joints_reserve(rbl_solver *s, int count);

static inline bool rbl_joint_is_live(const rbl_solver *s, int joint)
{
	return rbl_id_pool_is_live(&s->joint_ids, joint) && !s->joints.data[joint].is_broken;
}

static inline int rbl_joint_body(const rbl_solver *s, int joint, int side)
{
	const rbl_solver_joint *def = &s->joints.data[joint].def;
	return side ? def->b : def->a;
}

// --- lists of contacts and joints at bodies --------------------------------------------------------

static inline rbl_body_link *rbl_contact_link(rbl_solver *s, int link)
{
	return &s->contacts.data[link >> 1].links[link & 1];
}

static inline rbl_body_link *rbl_joint_link(rbl_solver *s, int link)
{
	return &s->joints.data[link >> 1].links[link & 1];
}

// --- sleep.c -------------------------------------------------------------------------------------

/// Wake a body; its contacts return to the sweeps.
void rbl_body_wake(rbl_solver *s, int body);

/// Make room for the contacts of bodies that are to fall asleep together.
/// @param are_quiet  they are those that are marked so
/// @return false when memory ran out (nothing changed)
bool rbl_sleep_reserve(rbl_solver *s, const int32_t *bodies, int count, bool are_quiet);

/// Put a body to sleep; room for its contacts was made.
void rbl_body_sleep(rbl_solver *s, int body);

/// Wake what lies beside bodies that stir.
void rbl_sleep_wake_neighbours(rbl_solver *s);

/// Put bodies to sleep that have been quiet, with quiet neighbours.
void rbl_sleep_settle(rbl_solver *s);

/// Forget the lists of the last step when a new one begins.
void rbl_sleep_renew_lists(rbl_solver *s);
