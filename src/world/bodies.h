// SPDX-License-Identifier: MIT
// Bodies and their parts. A part is one convex, mesh or height field of a body, with a proxy in the
// broad phase. Motions lie apart from the rest of a body, since every pair reads them.
#pragma once

#include "collide/collide.h"
#include "solver/solver.h"
#include "world/fields.h"

#include <rubble/world.h>

/// Flags of a body.
enum {
	RBL_BODY_AWAKE = 1,
	RBL_BODY_ENABLED = 2,
	RBL_BODY_SENSOR = 4,
	RBL_BODY_BULLET = 8, // continuous collision with dynamic bodies too
	RBL_BODY_CAN_SLEEP = 16,
	RBL_BODY_MOVED = 32,             // by the last step
	RBL_BODY_DIRTY = 64,             // its proxies need new boxes before the next step
	RBL_BODY_OWNS_COLLIDERS = 128,   // colliders of its parts were made for it
	RBL_BODY_NEW = 256,              // new this step: overlap found now is allowed to stay
	RBL_BODY_FROZEN = 1024,          // debris that sleeps until something unfreezes it
	RBL_BODY_HAS_FORCE = 2048,       // a force acts on it in the coming step
	RBL_BODY_REPORTED_AWAKE = 4096,  // the last sleep event said so, or it was created awake
	RBL_BODY_DEEP = 8192,            // a part was deep in a static body when the step began
	RBL_BODY_BY_FIELD = 16384,       // RBL_CONTACTS_FIELD: its fragments get it too
	RBL_BODY_AUTOMATIC = 32768,      // RBL_CONTACTS_AUTOMATIC, likewise
	RBL_BODY_STOPPED = 65536,        // by continuous collision, in the last step
	RBL_BODY_FRESH = 131072,         // it has not moved since it was made
	RBL_BODY_HAS_MATERIALS = 262144, // some of its parts have materials of their own
};

enum { RBL_BODY_MODIFIES = 1 << 19 }; // modify_contact is shown its contacts

enum { RBL_BODY_CHIP = 1 << 26 }; // see chips.h

enum {
	RBL_BODY_BROKEN = 1 << 27,        // it is new because of a break
	RBL_BODY_KEEPS_OVERLAP = 1 << 28, // it was made in another body, and may stay in it
	RBL_BODY_PASSED = 1 << 29,        // it no longer passes through something: see pairs.c
};

/// Locked axes, rbl_axis_locks, are among the flags from this bit on.
enum { RBL_BODY_LOCK_SHIFT = 20, RBL_BODY_LOCKS = 63 << RBL_BODY_LOCK_SHIFT };

/// What the narrow phase reads of a body: one cache line.
typedef struct rbl_body_motion {
	rbl_vec3 centre;       // of mass
	float bounding_radius; // around the centre of mass
	rbl_quat rotation;
	rbl_vec3 velocity;
	float margin; // of its boxes, on all sides
	rbl_vec3 angular_velocity;
	uint32_t flags;
} rbl_body_motion;

_Static_assert(sizeof(rbl_body_motion) == 64, "a cache line");

/// The rest of a body.
typedef struct rbl_body {
	int32_t solver_body; // RBL_NONE while disabled
	int32_t first_part, part_count;
	int32_t first_joint;
	rbl_vec3 local_centre;
	float mass;         // of the shape at its density, whatever its kind
	rbl_mat3 inertia;   // about the centre of mass
	float inner_radius; // half of the smallest width of a part: it may move so far without a sweep
	uint32_t material;  // its number in the world
	rbl_filter filter;
	float linear_damping, angular_damping, gravity_scale;
	uint32_t asset_key_low; // lower half of the key of its asset; 0: none
	rbl_compound *compound;
	const rbl_asset *asset;
	const rbl_distance_field *original; // of the mesh of its compound, or NULL
	uint64_t user;
	uint32_t fragment_number; // counts all fragments of the world; 0: it is not one
	uint32_t asleep_since;    // the step in which it fell asleep
	uint16_t baked_index;     // index of its rbl_world_baked_body plus one; 0: it has none
	uint8_t kind;             // rbl_body_kind
	uint8_t requested_kind;   // what it would be without anchored parts
	bool is_breaking;         // a damage request for it has a task
	bool has_stress;          // it has an rbl_world_stress

	// Scratch of break_request.c and break_schedule.c, valid while the stamp is the world's.
	uint32_t request_stamp, break_pass;
	int32_t active_request, waiting_hit;
} rbl_body;

/// Flags of a part.
enum {
	RBL_PART_HAS_TRAITS = 1,    // of its own, which use its material: see materials.h
	RBL_PART_SENSOR = 2,        // it only notices others, whatever its body does
	RBL_PART_HAS_MATERIALS = 4, // its triangles have materials
};

/// What the narrow phase reads of a part.
typedef struct rbl_world_part_hot {
	const rbl_polyhedron *polyhedron; // NULL: a mesh, height field, or part of a field body
	int32_t body;
	uint16_t is_placed; // its pose in the body is not the identity
	uint16_t flags;     // RBL_PART_...
} rbl_world_part_hot;

/// The rest of a part.
typedef struct rbl_world_part {
	const rbl_collider *collider;
	rbl_part_field *field; // of a field body, or of a convex that has met one; else NULL
	rbl_transform local;   // in the frame of the centre of mass
	int32_t material;      // its own number in the world; RBL_NONE: its body's
	uint64_t shape;        // hash of the vertices; 0 when it is not a part of a compound
	int32_t child;         // its number in the compound, collider or baked body
	int32_t next;          // of the same body
	int32_t first_pair;    // a list through the links of pairs
	int32_t pair_count;
	rbl_proxy_id proxy; // null while disabled
} rbl_world_part;

/// The largest angular speed.
#define RBL_MAX_ANGULAR_SPEED (10.0f * RBL_MAX_SPEED)

/// The velocities of a body, without what its locks forbid when it is dynamic.
static inline void rbl_world_lock_motion(rbl_body_motion *m, bool is_dynamic)
{
	uint32_t locks = is_dynamic ? m->flags >> RBL_BODY_LOCK_SHIFT : 0;
	m->velocity.x = locks & RBL_LOCK_TRANSLATION_X ? 0.0f : m->velocity.x;
	m->velocity.y = locks & RBL_LOCK_TRANSLATION_Y ? 0.0f : m->velocity.y;
	m->velocity.z = locks & RBL_LOCK_TRANSLATION_Z ? 0.0f : m->velocity.z;
	m->angular_velocity.x = locks & RBL_LOCK_ROTATION_X ? 0.0f : m->angular_velocity.x;
	m->angular_velocity.y = locks & RBL_LOCK_ROTATION_Y ? 0.0f : m->angular_velocity.y;
	m->angular_velocity.z = locks & RBL_LOCK_ROTATION_Z ? 0.0f : m->angular_velocity.z;
}

/// The pose of the frame of the centre of mass.
static inline rbl_transform rbl_world_motion_pose(const rbl_body_motion *motion)
{
	return (rbl_transform){ motion->centre, motion->rotation };
}

/// Whether a body may be placed at a point.
static inline bool rbl_world_is_position(rbl_vec3 p)
{
	return fabsf(p.x) <= RBL_MAX_POSITION && fabsf(p.y) <= RBL_MAX_POSITION &&
	       fabsf(p.z) <= RBL_MAX_POSITION;
}

/// Whether a centre of mass may be at a point: bodies may fly beyond where they can be placed.
static inline bool rbl_world_is_in_range(rbl_vec3 p)
{
	return rbl_length_squared(p) < 1e16f; // false for NaN
}

static inline bool rbl_world_motion_has_unit_rotation(const rbl_body_motion *m)
{
	const rbl_quat *q = &m->rotation;
	return fabsf(q->x * q->x + q->y * q->y + q->z * q->z + q->w * q->w - 1.0f) < 0.01f;
}

/// Whether a motion is one that a step can end with. All comparisons are false for NaN.
static inline bool rbl_world_motion_is_valid(const rbl_body_motion *m)
{
	return rbl_world_motion_has_unit_rotation(m) && rbl_world_is_in_range(m->centre) &&
	       rbl_length_squared(m->velocity) < 100.0f * RBL_MAX_SPEED * RBL_MAX_SPEED &&
	       rbl_length_squared(m->angular_velocity) <
	           100.0f * RBL_MAX_ANGULAR_SPEED * RBL_MAX_ANGULAR_SPEED;
}

/// What the flags of a body say of a piece of it.
static inline rbl_contact_method rbl_world_contact_method(uint32_t flags,
                                                          const rbl_distance_field *original)
{
	return !original                    ? RBL_CONTACTS_CONVEX
	       : flags & RBL_BODY_BY_FIELD  ? RBL_CONTACTS_FIELD
	       : flags & RBL_BODY_AUTOMATIC ? RBL_CONTACTS_AUTOMATIC
	                                    : RBL_CONTACTS_CONVEX;
}

static inline rbl_vec3 rbl_world_clamp_length(rbl_vec3 v, float limit)
{
	// By the largest coordinate first: the square of a huge one is infinite.
	float largest = rbl_maxf(fabsf(v.x), rbl_maxf(fabsf(v.y), fabsf(v.z)));
	if (largest > limit)
		v = rbl_scale(limit / largest, v);
	float length = rbl_length(v);
	return length > limit ? rbl_scale(limit / length, v) : v;
}

// --- bodies.c -----------------------------------------------------------------------------------

/// Check an id. @return RBL_OK, RBL_BAD_ARGUMENT (no world), RBL_STALE_ID, with a line in the log
rbl_result rbl_world_check_body(const rbl_world *world, rbl_body_id id);

/// Destroy a body that exists. @return RBL_OK, RBL_OUT_OF_MEMORY (nothing has changed)
rbl_result rbl_world_remove_body(rbl_world *world, int body);

/// The same for a body without proxies.
void rbl_world_free_body(rbl_world *world, int body);

/// Remove a part that has no proxy, with its pairs; the caller has unlinked it from its body.
void rbl_world_free_part(rbl_world *world, int part);

/// The kind of a body of which a kind is requested: dynamic ones with anchored parts are static.
rbl_body_kind rbl_world_effective_kind(const rbl_world *world, int body, rbl_body_kind requested);

/// Clear `marked`, with a bit for each body. @return false when memory ran out
bool rbl_world_clear_marks(rbl_world *world);

/// Wake a body and activate its pairs.
void rbl_world_wake(rbl_world *world, int body);
void rbl_world_activate_pairs(rbl_world *world, int body);

// --- body_create.c ------------------------------------------------------------------------------

/// A part as it is to be added.
typedef struct rbl_new_part {
	const rbl_collider *collider;
	rbl_part_field *field;
	rbl_transform pose;            // in the frame of the centre of mass
	uint64_t shape;                // hash of the vertices of a part of a compound
	int child;                     // of a collider or compound
	const rbl_collider_child *own; // with what it has of its own, or NULL
	int own_material;              // used once more with `own`, else by the body; RBL_NONE: none
	bool uses_materials;           // those of its triangles are used once more
} rbl_new_part;

/// The collider of a convex that becomes a part.
typedef struct rbl_new_collider {
	const rbl_convex *convex;
	rbl_vec3d origin;
	rbl_collider *collider; // NULL when it failed
	rbl_result result;
} rbl_new_collider;

/// Make colliders, by all workers; each has a result of its own.
void rbl_world_make_colliders(rbl_world *world, rbl_new_collider *all, int count);

/// A child of a collider, or the collider itself when it is no compound.
rbl_new_part rbl_world_collider_part(const rbl_collider *collider, int child, rbl_vec3 centre);

/// How far a new part reaches from the centre of mass.
float rbl_world_new_part_radius(const rbl_new_part *part);

/// Use the materials of a new part, and cease to. @return false when memory ran out
bool rbl_world_use_part_materials(rbl_world *world, rbl_new_part *part);
void rbl_world_drop_part_materials(rbl_world *world, const rbl_new_part *part);

/// Add a part in front of the list of a body; memory is reserved. @return its index
int rbl_world_add_part(rbl_world *world, int body, const rbl_new_part *part);

/// Reserve memory for more bodies and parts, ids included. @return false when memory ran out
bool rbl_world_reserve_bodies(rbl_world *world, int body_count, int part_count);

/// Reserve slots in all arrays of bodies and of parts. @return false when memory ran out
bool rbl_world_reserve_slots(rbl_world *world, int bodies, int parts);

/// Scale mass and inertia of a body: its density has changed.
void rbl_world_scale_mass(rbl_world *world, int body, float ratio);

/// Mark a body as new this step; its slot in `new_bodies` is reserved.
void rbl_world_mark_new(rbl_world *world, int body);

/// Likewise, for what a break made: overlap with others than its neighbours is pushed out slowly.
void rbl_world_mark_broken(rbl_world *world, int body);

/// The solver's values of a body; and give them to the solver, while the body is enabled.
rbl_solver_body rbl_world_solver_body(const rbl_world *world, int body);
void rbl_world_update_solver_body(rbl_world *world, int body);

// --- body_shape.c -------------------------------------------------------------------------------

/// Whether a body may have another collider. @return RBL_OK, RBL_BAD_ARGUMENT, RBL_UNSUPPORTED
rbl_result rbl_world_check_collider(const rbl_world *world, int body, const rbl_collider *collider);

/// Give a body another collider. @return RBL_OK, RBL_OUT_OF_MEMORY (nothing has changed)
rbl_result rbl_world_set_collider(rbl_world *world, int body, const rbl_collider *collider);

// --- proxies.c ----------------------------------------------------------------------------------

/// How far rotation may move points of a body in a step and stay within its margin.
float rbl_world_arc_limit(const rbl_world *world, int body);

/// The margin that the boxes of a body need in a step of `dt`.
float rbl_world_margin(const rbl_world *world, int body, float dt);

/// The proxy of a part, as it is to be added.
rbl_proxy_def rbl_world_proxy_def(const rbl_world *world, int part);

/// Give a body new boxes before the next step.
void rbl_world_mark_dirty(rbl_world *world, int body);

/// Give dirty bodies, or all that moved, new boxes. @return false when memory ran out
bool rbl_world_update_dirty_proxies(rbl_world *world, float dt);
bool rbl_world_update_moved_proxies(rbl_world *world, float dt);

/// Add the proxies of a body, or remove them with all pairs; a frozen body is unfrozen.
/// @return RBL_OK, RBL_OUT_OF_MEMORY (nothing has changed)
rbl_result rbl_world_add_proxies(rbl_world *world, int body);
rbl_result rbl_world_remove_proxies(rbl_world *world, int body);

/// Both at once: pairs start again. @param was_static  what it supported may have lost that
rbl_result rbl_world_replace_proxies(rbl_world *world, int body, bool was_static);

/// Remove the proxies of a body that is about to be destroyed, but not its pairs.
rbl_result rbl_world_remove_proxies_only(rbl_world *world, int body);
