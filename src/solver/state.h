// SPDX-License-Identifier: MIT
// Inside a solver: what its files share.
#pragma once

#include "solver/solver_kernels.h"

#include "base/bits.h"
#include "base/id_pool.h"
#include "base/memory.h"
#include "base/math.h"
#include "base/sort.h"
#include "base/worker_group.h"

/// Cold data of a body: what the kernels do not read.
typedef struct rbl_solver_body_cold {
	uint64_t colors;       // of its contacts, as bits
	int32_t first_contact; // a link: 2 * contact + side; -1: none
	int32_t first_joint;   // likewise
	int32_t awake_slot;    // in the list of awake bodies, -1: not there
	uint8_t kind;          // rbl_solver_kind
	bool can_sleep;
	bool is_in_slept, is_in_woke; // in these lists
} rbl_solver_body_cold;

_Static_assert(sizeof(rbl_solver_body_cold) == 24, "what is in a record is not here too");

/// Contacts and joints are in doubly linked lists of both of their bodies.
typedef struct rbl_solver_link {
	int32_t next, previous; // links: 2 * index + side, -1: none
} rbl_solver_link;

/// Cold data of a contact.
typedef struct rbl_solver_contact_cold {
	int32_t body[2];
	rbl_solver_link links[2];
	int32_t list, slot; // where it is; list -1: it has no points
	uint32_t ids[RBL_MAX_MANIFOLD_POINTS];
	int32_t point_count;
	float friction, restitution;
	float radius[2], resistance[2];
	float allowed_penetration;
	uint32_t user;
} rbl_solver_contact_cold;

/// Joints of a color share no dynamic body; the last color takes what finds no other.
enum { RBL_SOLVER_JOINT_COLORS = 32, RBL_SOLVER_JOINT_CLASSES = 56 };

/// A joint.
typedef struct rbl_solver_joint_state {
	rbl_solver_joint def;
	rbl_solver_link links[2];
	bool is_broken;

	// As of when the blocks were built.
	uint8_t activity; // bits of its bodies that were active
	int32_t parts;
	int32_t slot;                   // block and lane, -1: not solved
	rbl_solver_joint_memory memory; // while it has no slot
} rbl_solver_joint_state;

/// See joint_trees.c.
typedef struct rbl_solver_joint_trees rbl_solver_joint_trees;

struct rbl_solver {
	rbl_solver_def def;
	rbl_allocator allocator;
	rbl_worker_group *workers; // during a step

	rbl_id_pool body_ids, contact_ids, joint_ids;

	// Bodies: one block of memory for all arrays.
	void *body_memory;
	int body_capacity;
	rbl_solver_records records;
	rbl_solver_body_cold *cold;
	int32_t *awake; // padded with zeros to a multiple of eight
	int awake_count;
	int32_t *woke, *slept; // see rbl_solver_woke() and rbl_solver_fell_asleep()
	int woke_count, slept_count;
	int32_t *queue;         // scratch of sleep.c and mass_ratios.c
	uint8_t *marks;         // likewise
	uint32_t *joint_colors; // scratch of joints.c
	float *loads;           // scratch of mass_ratios.c
	int sleeping_count;
	bool lists_are_reported; // woke and slept belong to the last step
	bool has_forces;

	RBL_ARRAY(rbl_solver_contact_cold) contacts;
	rbl_solver_contact_list lists[RBL_SOLVER_LIST_COUNT];
	RBL_ARRAY(int32_t) hits;
	RBL_ARRAY(int32_t) heavy; // bodies of the present step: see roundoff.c
	const rbl_solver_running_surface *running_surfaces; // of the next step
	int running_count;

	RBL_ARRAY(rbl_solver_joint_state) joints;
	RBL_ARRAY(int32_t) broken;
	RBL_ARRAY(rbl_sort_item) joint_items; // scratch: active joints by color and parts
	rbl_solver_joint_blocks joint_blocks;
	int joint_block_count, joint_block_capacity, joint_extra_capacity;
	int joint_starts[RBL_SOLVER_JOINT_COLORS + 1]; // first blocks of colors
	int joint_classes[RBL_SOLVER_JOINT_CLASSES];   // joints of each class
	int joint_class_count;                         // classes that have some
	bool joints_changed;                           // the blocks must be built anew
	rbl_solver_joint_trees *joint_trees;           // NULL: there have been none

	// Without memory since the last step began: contacts that lost their points, and steps without
	// trees of joints.
	int lost_count;
};

static inline bool rbl_solver_is_dynamic(const rbl_solver *s, int body)
{
	return s->cold[body].kind == RBL_SOLVER_DYNAMIC;
}

/// Dynamic and awake.
static inline bool rbl_solver_is_active(const rbl_solver *s, int body)
{
	return (s->records.velocity[body].state & (RBL_SOLVER_IS_DYNAMIC | RBL_SOLVER_IS_ASLEEP)) ==
	       RBL_SOLVER_IS_DYNAMIC;
}

/// The locked axes of a body, RBL_SOLVER_LOCK_... bits.
static inline uint32_t rbl_solver_locks(const rbl_solver *s, int body)
{
	return s->records.velocity[body].state >> RBL_SOLVER_LOCK_SHIFT & RBL_SOLVER_LOCK_ALL;
}

static inline rbl_mat3 rbl_solver_tensor(const rbl_solver_inertia *i)
{
	rbl_vec3 d = i->diagonal, o = i->off_diagonal; // xx yy zz, xy xz yz
	return (rbl_mat3){ { d.x, o.x, o.y }, { o.x, d.y, o.z }, { o.y, o.z, d.z } };
}

static inline void rbl_solver_clear_records(rbl_solver *s, int body)
{
	for (int i = 0; i < RBL_SOLVER_RECORD_KINDS; ++i)
		memset((char *)s->records.all[i] + (size_t)body * RBL_SOLVER_RECORD_BYTES, 0,
		       RBL_SOLVER_RECORD_BYTES);
}

/// A soft constraint: a damped spring, solved once per sub-step (Catto, "Soft constraints", 2011).
static inline rbl_solver_softness rbl_solver_make_soft(float hertz, float damping, float h)
{
	float omega = 2.0f * RBL_PI_F * hertz;
	float a1 = 2.0f * damping + h * omega, a2 = h * omega * a1, a3 = 1.0f / (1.0f + a2);
	return (rbl_solver_softness){ omega / a1, a2 * a3, a3 };
}

// --- bodies.c ------------------------------------------------------------------------------------

/// A vector without what is along the first three of locks.
rbl_vec3 rbl_solver_free_part(rbl_vec3 v, uint32_t locks);

/// Locked bodies, before and after the kernel that prepares bodies for a step: their velocities,
/// and then their inertia and accelerations.
void rbl_solver_begin_locks(rbl_solver *s, const int32_t *bodies, int count);
void rbl_solver_apply_locks(rbl_solver *s, const int32_t *bodies, int count, float dt);

/// Make room for `count` bodies in all. @return false when memory ran out (nothing changed)
bool rbl_solver_reserve_bodies(rbl_solver *s, int count);
void rbl_solver_free_bodies(rbl_solver *s);
void rbl_solver_init_null_body(rbl_solver *s);

/// Compute inverse mass and inertia in world axes from the local ones; zero while the body sleeps.
void rbl_solver_update_inertia(rbl_solver *s, int body);

/// Forget the motion of the last step: contacts and joints find the body where it is now.
void rbl_solver_clear_delta(rbl_solver *s, int body);

void rbl_solver_awake_add(rbl_solver *s, int body);
void rbl_solver_awake_remove(rbl_solver *s, int body);

// --- coloring.c ----------------------------------------------------------------------------------

void rbl_solver_free_lists(rbl_solver *s);

/// Make room for contacts in a list. @return false when memory ran out (nothing changed)
bool rbl_solver_reserve_list(rbl_solver *s, rbl_solver_contact_list *list, int count);

/// Make a lane unused: its bodies are the null body, and solving it changes nothing.
void rbl_solver_clear_lane(rbl_solver_contact_block *block, rbl_solver_cold_block *cold, int lane);

/// Give a contact without points a slot in a list. Until its lane is opened that holds anything.
/// @return false when memory ran out (nothing changed)
bool rbl_solver_take_slot(rbl_solver *s, int contact);

/// Clear the lane of a contact, and give it its bodies and material.
/// Threads: any, each with contacts of its own, while none takes or leaves a slot.
void rbl_solver_open_lane(rbl_solver *s, int contact);

/// Take a contact out of its list, if it is in one.
void rbl_solver_leave_list(rbl_solver *s, rbl_solver_contact_cold *contact);

/// Set or clear the bits of a contact's color at its dynamic bodies.
void rbl_solver_flip_color(rbl_solver *s, const rbl_solver_contact_cold *contact, bool is_set);

/// Move a contact with points to the list where it belongs now: a color when one of its bodies is
/// active, else the sleeping ones. When memory runs out it loses its points and is reported.
void rbl_solver_place_contact(rbl_solver *s, int contact);

/// Place all contacts of a body again: it fell asleep, woke, or is of another kind now.
void rbl_solver_place_contacts(rbl_solver *s, int body);

/// Put all contacts of a body among the sleeping ones, before its kind changes.
void rbl_solver_park_contacts(rbl_solver *s, int body);

/// Put contacts of a color in the order in which they are solved fastest, and count points of
/// blocks.
void rbl_solver_sort_contacts(rbl_solver *s, rbl_solver_contact_list *list);

/// Only count the points of blocks.
void rbl_solver_count_points(rbl_solver_contact_list *list);

static inline rbl_solver_contact_block *rbl_solver_slot_block(const rbl_solver_contact_list *list,
                                                              int slot, int *lane)
{
	*lane = slot % RBL_SOLVER_LANES;
	return &list->blocks[slot / RBL_SOLVER_LANES];
}

/// The block and lane of a contact with points.
static inline rbl_solver_contact_block *rbl_solver_block_of(const rbl_solver *s,
                                                            const rbl_solver_contact_cold *contact,
                                                            int *lane)
{
	return rbl_solver_slot_block(&s->lists[contact->list], contact->slot, lane);
}

static inline rbl_solver_cold_block *rbl_solver_cold_of(const rbl_solver *s,
                                                        const rbl_solver_contact_cold *contact)
{
	return &s->lists[contact->list].cold[contact->slot / RBL_SOLVER_LANES];
}

// --- joints.c ------------------------------------------------------------------------------------

void rbl_solver_prepare_joints(rbl_solver *s, const rbl_solver_step_context *step);
void rbl_solver_warm_start_joints(rbl_solver *s, const rbl_solver_step_context *step);
void rbl_solver_solve_joints(rbl_solver *s, const rbl_solver_step_context *step, bool is_soft);
void rbl_solver_finish_joints(rbl_solver *s, const rbl_solver_step_context *step);

/// Break joints whose force or torque was too large, and wake their bodies. These may have taken no
/// part in the step, and what it keeps of bodies while it lasts is not theirs: call it afterwards.
void rbl_solver_break_joints(rbl_solver *s);

/// Make room for `count` joints in all. @return false when memory ran out
bool rbl_solver_reserve_joints(rbl_solver *s, int count);
void rbl_solver_free_joints(rbl_solver *s);

/// After joints were read from a snapshot. @return false when memory ran out
bool rbl_solver_load_joints(rbl_solver *s);

/// A joint with everything that it carries from step to step.
rbl_solver_joint_state rbl_solver_saved_joint(const rbl_solver *s, int joint);

static inline bool rbl_solver_joint_is_live(const rbl_solver *s, int joint)
{
	return rbl_id_pool_is_live(&s->joint_ids, joint) && !s->joints.data[joint].is_broken;
}

static inline int rbl_solver_joint_body(const rbl_solver *s, int joint, int side)
{
	const rbl_solver_joint *def = &s->joints.data[joint].def;
	return side ? def->b : def->a;
}

// --- joint_trees.c -------------------------------------------------------------------------------

/// Find the joints that are solved as trees, and mark their parts; later tell the trees their
/// lanes.
/// @return false when memory ran out: there are none
bool rbl_solver_find_joint_trees(rbl_solver *s);
void rbl_solver_bind_joint_trees(rbl_solver *s);
void rbl_solver_prepare_joint_trees(rbl_solver *s, const rbl_solver_step_context *step);
void rbl_solver_solve_joint_trees(rbl_solver *s, const rbl_solver_step_context *step, bool is_soft);
void rbl_solver_finish_joint_trees(rbl_solver *s);
void rbl_solver_free_joint_trees(rbl_solver *s);

// --- links of contacts and joints at bodies ------------------------------------------------------

static inline rbl_solver_link *rbl_solver_contact_link(const rbl_solver *s, int link)
{
	return &s->contacts.data[link >> 1].links[link & 1];
}

static inline rbl_solver_link *rbl_solver_joint_link(const rbl_solver *s, int link)
{
	return &s->joints.data[link >> 1].links[link & 1];
}

/// How far up a contact leads from a body: the cosine of its normal with `up`, 0 without points.
static inline float rbl_solver_contact_rise(const rbl_solver *s, int link, rbl_vec3 up)
{
	const rbl_solver_contact_cold *contact = &s->contacts.data[link >> 1];
	if (contact->list < 0)
		return 0.0f;
	int lane;
	const float *normal = rbl_solver_block_of(s, contact, &lane)->normal;
	float rise = up.x * normal[lane] + up.y * normal[RBL_SOLVER_LANES + lane] +
	             up.z * normal[2 * RBL_SOLVER_LANES + lane];
	return link & 1 ? -rise : rise;
}

typedef rbl_solver_link *rbl_solver_link_function(const rbl_solver *s, int link);

/// Put a link at the front of a body's list, or take it out.
static inline void rbl_solver_link_add(const rbl_solver *s, int32_t *first, int link,
                                       rbl_solver_link_function *at)
{
	*at(s, link) = (rbl_solver_link){ *first, -1 };
	if (*first >= 0)
		at(s, *first)->previous = link;
	*first = link;
}

static inline void rbl_solver_link_remove(const rbl_solver *s, int32_t *first, int link,
                                          rbl_solver_link_function *at)
{
	rbl_solver_link old = *at(s, link);
	if (old.next >= 0)
		at(s, old.next)->previous = old.previous;
	if (old.previous >= 0)
		at(s, old.previous)->next = old.next;
	else
		*first = old.next;
}

// --- mass_ratios.c -------------------------------------------------------------------------------

/// Give light bodies that carry heavy ones more inertia, in this step.
void rbl_solver_support_heavy_bodies(rbl_solver *s, rbl_vec3 gravity);

// --- roundoff.c ----------------------------------------------------------------------------------

/// List the bodies that are much heavier than most others, once contacts are prepared.
void rbl_solver_list_heavy(rbl_solver *s);

/// After a sub-step: their velocities without the roundings of single impulses.
void rbl_solver_correct_heavy(rbl_solver *s, int substep, int substep_count);

// --- sleep.c -------------------------------------------------------------------------------------

/// Wake the neighbours of bodies that passed their wake threshold.
void rbl_solver_wake_neighbours(rbl_solver *s);

/// Wake all that rests on a kinematic body which moves, and keep it awake: no one in a stack on a
/// lift is a sleep candidate, however slow the lift is.
void rbl_solver_wake_carried(rbl_solver *s, rbl_vec3 gravity);

/// Put sleep candidates to sleep whose neighbours are still, too.
void rbl_solver_put_to_sleep(rbl_solver *s);

/// Begin new lists of bodies that woke or fell asleep, once the last ones are reported.
void rbl_solver_renew_lists(rbl_solver *s);
