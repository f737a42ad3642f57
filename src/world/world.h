// SPDX-License-Identifier: MIT
// Inside a world: the arrays that its stages share.
//
//   bodies   what a body is; its motion lies apart, since every pair reads it
//   pieces   convexes (or one mesh, one height field) of bodies, each a box in the broad phase
//   pairs    pieces whose boxes overlap, with what is remembered of them
//   touches  manifolds of pairs that touch, each a contact of the solver
//
// Everything is addressed by index. What a step changes in parallel it writes to the place of its
// own item; what begins and ends is collected and applied in order, so that no result depends on
// the workers.
#pragma once

#include "base/hash.h"
#include "base/id_pool.h"
#include "base/memory.h"
#include "base/vec.h"
#include "broadphase/broadphase.h"
#include "collide/collide.h"
#include "solver/solver.h"
#include "tree/tree.h"

#include <rubble/stress.h>
#include <rubble/world.h>

/// No index.
#define RBL_NONE (-1)

enum {
	RBL_BODY_AWAKE = 1,
	RBL_BODY_ENABLED = 2,
	RBL_BODY_SENSOR = 4,
	RBL_BODY_BULLET = 8,           // cast against dynamic bodies too
	RBL_BODY_CAN_SLEEP = 16,       // may fall asleep
	RBL_BODY_MOVED = 32,           // by the last step
	RBL_BODY_DIRTY = 64,           // its boxes are to be made anew before the next step
	RBL_BODY_OWNS_COLLIDERS = 128, // its pieces' colliders go with it
	RBL_BODY_NEW = 256,            // overlaps found in its first step are kept
	RBL_BODY_FROZEN = 1024,        // debris that sleeps until something thaws it
	RBL_BODY_HAS_FORCE = 2048,     // a force acts on it in the coming step
	RBL_BODY_REPORTED_AWAKE =
		4096,             // events have told that it is awake, or it was so when it was made
	RBL_BODY_DEEP = 8192, // a piece of it was deep in a static body when the step began
};

/// What the pair stage reads of a body: one cache line.
typedef struct rbl_body_motion {
	rbl_vec3 centre;       // of mass
	float bounding_radius; // farthest point of the shape from it
	rbl_quat rotation;
	rbl_vec3 velocity;
	float margin; // that its boxes have on all sides
	rbl_vec3 angular_velocity;
	uint32_t flags;
} rbl_body_motion;

_Static_assert(sizeof(rbl_body_motion) == 64, "a cache line");

/// What else there is of a body.
typedef struct rbl_body {
	rbl_body_kind kind;
	rbl_body_kind requested_kind; // what it would be without anchors
	int32_t solver_body;          // RBL_NONE while disabled
	int32_t first_part, part_count;
	int32_t first_joint;
	rbl_vec3 local_centre;
	float mass;         // of the shape at its density, whatever its kind
	rbl_mat3 inertia;   // about the centre of mass
	float inner_radius; // half of the least width of a piece: what it may move without a cast
	rbl_material material;
	rbl_filter filter;
	float linear_damping, angular_damping, gravity_scale;
	rbl_compound *compound;
	const rbl_asset *asset;
	const rbl_damage_rule *damage;
	uint64_t user;
	uint32_t fragment_number; // of debris: its number among all, 0 for what was not broken off
	uint32_t asleep_since;    // the step in which it fell asleep
	uint32_t asset_key_low;   // half of the key of the asset that it was made of; 0: none
	uint16_t baked_index;     // its place in the list of hosts plus one; 0: it is none
	bool is_breaking;         // a request for it has a task
	bool has_stress;          // it has an rbl_strain

	// Scratch of a call, valid where the stamp is the world's: see fracture.c.
	uint32_t request_stamp, break_pass;
	int32_t active_request, waiting_hit;
} rbl_body;

/// What the pair stage reads of a piece.
typedef struct rbl_world_part_hot {
	const rbl_polyhedron *polyhedron; // NULL: a mesh or field
	int32_t body;
	uint32_t is_placed; // whether it has a pose in its body other than the identity
} rbl_world_part_hot;

/// A box in the broad phase.
typedef struct rbl_world_part {
	const rbl_collider *collider;
	rbl_transform local; // in the frame of the centre of mass
	uint64_t shape;      // hash of the part's corners; 0 when it is no part of a compound
	int32_t child;       // its number in the compound or collider of its body
	int32_t next;        // of the same body
	int32_t first_pair;  // a list through the pairs' links
	int32_t pair_count;
	rbl_proxy_id proxy; // null while disabled
} rbl_world_part;

enum {
	RBL_PAIR_IDLE = 1,         // neither body is awake: it leaves the active ones
	RBL_PAIR_SURFACE = 2,      // one piece is a mesh or field: `touch` names an rbl_surface_touches
	RBL_PAIR_SENSOR = 4,       // nothing but events
	RBL_PAIR_REPORTED = 8,     // reported as begun
	RBL_PAIR_POSE_CACHED = 16, // `seen_...` hold the pose of the manifold
	RBL_PAIR_NEW = 32,         // overlap found in its first look is kept
	RBL_PAIR_POINTS = 128,     // its manifold has points
	RBL_PAIR_STALE = 256,      // not found again after the broad phase lost count
	RBL_PAIR_MERGED = 512,     // in the list of all such pairs of its two bodies: see many.c
	RBL_PAIR_DEEP = 1024, // one is static and the other deep in it; of a list, the first has it
};

/// Two pieces whose boxes overlap: one cache line.
typedef struct rbl_pair_record {
	int32_t a, b; // pieces
	rbl_sat_cache cache;
	int32_t contact; // RBL_NONE: no contact
	uint32_t flags;
	rbl_vec3 cached_translation; // B in A's frame when the manifold was made
	rbl_vec3 cached_rotation;    // the same of its rotation, with w >= 0
} rbl_pair_record;

_Static_assert(sizeof(rbl_pair_record) == 64, "a cache line");

/// The lists of the pairs of each piece; of a free record only next_a, the next free one.
typedef struct rbl_pair_links {
	int32_t next_a, previous_a, next_b, previous_b;
	int32_t next_merged, previous_merged; // of the same bodies, a ring; only with RBL_PAIR_MANY
} rbl_pair_links;

/// A contact of the solver.
typedef struct rbl_world_contact {
	int32_t pair;              // RBL_NONE: free
	int32_t next;              // of the same pair of surfaces, or the next free one
	int32_t solver_contact;    // the solver's
	float allowed_penetration; // overlap at birth, <= 0
	rbl_manifold manifold;
} rbl_world_contact;

/// A pair with a mesh or field.
typedef struct rbl_world_surface_contacts {
	rbl_contacts *contacts;
	int32_t first_contact;
	int32_t next_free;
} rbl_world_surface_contacts;

typedef struct rbl_world_joint {
	rbl_joint_kind kind;
	int32_t body_a, body_b;
	int32_t solver_joint;
	int32_t next_a, next_b; // of the same body
	bool collides, is_broken;
	double anchor_distance;         // scratch of a break: of the anchor from its body, before
	rbl_transform frame_a, frame_b; // in the frames of the centres of mass
	rbl_joint_def def;
} rbl_world_joint;

/// A call made during a step.
typedef struct rbl_command {
	int kind;
	rbl_body_id body;
	rbl_joint_id joint;
	rbl_vec3 a, b;
	rbl_transform pose;
	rbl_filter filter;
	rbl_material material;
	rbl_explosion explosion; // recorded by itself
	float x, y;
	uint64_t number;
} rbl_command;

/// Something that is to break. Everything but `task` is its state; the task is begun from it, and has
/// done `slice_count` slices of work.
typedef struct rbl_damage_request {
	rbl_body_id body;
	rbl_body_id other;         // what hit it, null for a blow
	rbl_vec3 point, direction; // in the coordinates of the body's shape; of unit length
	float radius;              // INFINITY: as the rule says
	float energy;              // < 0: only to be fitted to its compound
	float speed;               // of approach
	int32_t part;              // that was hit, or RBL_NONE
	int32_t material;          // of that part
	rbl_fracture_cause cause;
	uint64_t seed;
	int32_t slice_count;
	bool is_done;   // to be dropped
	rbl_task *task; // NULL before its turn comes
} rbl_damage_request;

/// A body whose bonds may fail under load. The estimate is made anew from the rest when it is not
/// there, and is then where it was once it has settled.
typedef struct rbl_world_stress {
	rbl_body_id body;
	bool is_settled;            // nothing has changed since nothing failed
	int32_t wait;               // steps until loads are looked at
	RBL_ARRAY(rbl_vec3) forces; // by part: what lies on it, in the shape's coordinates, and where
	RBL_ARRAY(rbl_vec3) points;
	rbl_stress *stress;
} rbl_world_stress;

/// Debris that was merged into a static body: what its own body was, without what moves it.
typedef struct rbl_world_baked_fragment {
	rbl_compound *compound; // NULL: nobody has this number
	rbl_transform pose;     // of its shape, in the host's
	const rbl_damage_rule *damage;
	uint64_t user;
	float density, mass;
	float linear_damping, angular_damping, gravity_scale;
	uint32_t fragment_number, asset_key_low;
	uint32_t flags;      // of its body: RBL_BODY_FAST, RBL_BODY_CAN_SLEEP
	bool is_unsupported; // it is to be a body again
} rbl_world_baked_fragment;

/// The most hosts of a world.
#define RBL_MAX_BAKED_BODIES 0xffff

/// A static body that holds merged debris. Its pieces' part is the number of their member.
typedef struct rbl_world_baked_body {
	int32_t body; // RBL_NONE: free
	int32_t live_count;
	RBL_ARRAY(rbl_world_baked_fragment) fragments;
} rbl_world_baked_body;

/// A new manifold of a pair that had none, or of a surface.
typedef struct rbl_new_manifold {
	int32_t pair;
	rbl_manifold manifold;
} rbl_new_manifold;

/// What one block of pairs found.
typedef struct rbl_narrow_block {
	RBL_ARRAY(rbl_new_manifold) found;
	RBL_ARRAY(int32_t) lost;   // pairs that touch no longer
	RBL_ARRAY(int32_t) merged; // first pairs of lists whose manifolds are new
	RBL_ARRAY(int32_t) deep;   // pairs with RBL_PAIR_DEEP
	int apart, reused, refreshed, searched, points;
	bool ran_out;
	bool has_idle; // some have RBL_PAIR_IDLE
} rbl_narrow_block;

/// Writes calls along: see recording.h.
typedef struct rbl_recorder rbl_recorder;

struct rbl_world {
	rbl_allocator allocator;
	rbl_world_def def;
	rbl_broadphase *broadphase;
	rbl_solver *solver; // NULL when it only detects
	bool is_stepping;
	bool is_in_callback;  // a log or a recording: what is asked for is refused
	bool pairs_are_stale; // memory ran out while they were updated
	float last_dt;

	rbl_id_pool body_ids;
	int body_capacity;
	rbl_body_motion *motions;
	rbl_body *bodies;

	rbl_id_pool part_ids;
	int part_capacity;
	rbl_world_part_hot *hot_parts;
	rbl_world_part *parts;

	int pair_capacity, pair_end, pair_count, free_pair;
	rbl_pair_record *pairs;
	rbl_pair_links *links;
	rbl_bit_set active_pairs;   // to look at: a body of theirs is awake
	rbl_bit_set follower_pairs; // looked at with the first of their list
	rbl_map merged_lists;       // two bodies to the first pair of their list
	RBL_ARRAY(int32_t) active;  // the same as a list, in this step

	RBL_ARRAY(rbl_world_contact) contacts;
	int free_contact, contact_count;
	RBL_ARRAY(rbl_world_surface_contacts) surfaces;
	int free_surface;

	rbl_id_pool joint_ids;
	RBL_ARRAY(rbl_world_joint) joints;

	RBL_ARRAY(int32_t) dirty;      // bodies whose boxes are to be made anew
	RBL_ARRAY(int32_t) new_bodies; // bodies made in batches since the last step
	RBL_ARRAY(int32_t) moved;      // by the last step
	rbl_map sensor_visits;         // sensor and visitor to the number of their pieces that touch
	rbl_bit_set marked;            // scratch: bodies
	rbl_arena arena;               // scratch of a call
	rbl_tree_pool mover_nodes[2];  // scratch of fast.c, empty between steps

	RBL_ARRAY(rbl_narrow_block) blocks;
	RBL_ARRAY(rbl_proxy_id) moved_proxies;
	RBL_ARRAY(rbl_box) moved_boxes;

	RBL_ARRAY(rbl_command) commands;
	RBL_ARRAY(rbl_damage_request) damage_requests; // what is to break, in order
	uint32_t request_stamp, break_pass;            // scratch, see fracture.c

	uint32_t fragment_count;      // of debris, ever
	int debris_count;             // bodies that have a birth
	RBL_ARRAY(int32_t) unfreezes; // bodies that lost a contact in this step

	RBL_ARRAY(rbl_world_baked_body) baked_bodies;
	int baked_count; // members of all hosts
	RBL_ARRAY(int32_t)
	replaced_proxies;     // pieces whose boxes were exchanged since the pairs were updated
	bool has_unsupported; // a member of a host may be loose
	bool is_baking;       // contacts that end now are no loss

	RBL_ARRAY(rbl_world_stress) stresses;
	uint32_t next_stress;             // whose turn it is to be first
	RBL_ARRAY(rbl_stress_load) loads; // scratch

	RBL_ARRAY(rbl_contact_event) begins;
	RBL_ARRAY(rbl_contact_event) ends;
	RBL_ARRAY(rbl_contact_event) pending_ends; // of bodies destroyed since the last step
	RBL_ARRAY(rbl_hit_event) hits;
	RBL_ARRAY(rbl_sensor_event) sensors;
	RBL_ARRAY(rbl_sensor_event) pending_sensors;
	RBL_ARRAY(rbl_sleep_event) sleeps;
	RBL_ARRAY(rbl_joint_event) joint_events;
	RBL_ARRAY(rbl_retire_event) retires;
	RBL_ARRAY(rbl_retire_event) pending_retires; // by calls since the last step
	bool is_reporting;                           // a step is made, up to its very end
	RBL_ARRAY(rbl_fracture_event) fractures;
	RBL_ARRAY(rbl_body_id) fracture_bodies; // that the events above name
	RBL_ARRAY(rbl_dust_fragment) debris;    // the same
	int lost_events;

	rbl_world_stats stats;
	rbl_recorder *recorder; // NULL: nobody writes along

	// See fracture_log.c. NULL: nobody logs.
	void (*log_fracture)(void *user, const void *bytes, size_t size);
	void *log_user;
	const int *opened_parts; // while bonds open: pairs of parts
	int opened_count;
	bool is_applying;      // what breaks comes from a log
	uint32_t break_number; // of the last break that changed something

	// Of a world that was loaded: what its bodies share, in place of the caller's.
	RBL_ARRAY(rbl_damage_rule *) loaded_rules;
	RBL_ARRAY(rbl_collider *) loaded_colliders;
};

// --- world.c ------------------------------------------------------------------------------------

/// The definition of a world's broad phase.
rbl_broadphase_def rbl_world_broadphase_def(const rbl_world *world);

// --- bodies.c -----------------------------------------------------------------------------------

static inline bool rbl_world_has_body(const rbl_world *world, rbl_body_id id)
{
	return rbl_id_pool_has(&world->body_ids, (rbl_id){ id.index, id.generation });
}

static inline rbl_body_id rbl_world_body_id(const rbl_world *world, int body)
{
	rbl_id id = rbl_id_pool_at(&world->body_ids, body);
	return (rbl_body_id){ id.index, id.generation };
}

/// The pose of the frame of the centre of mass.
static inline rbl_transform rbl_world_motion_pose(const rbl_body_motion *motion)
{
	return (rbl_transform){ motion->centre, motion->rotation };
}

static inline rbl_transform rbl_world_part_pose(const rbl_world *world, int part)
{
	const rbl_world_part_hot *hot = &world->hot_parts[part];
	rbl_transform pose = rbl_world_motion_pose(&world->motions[hot->body]);
	return hot->is_placed ? rbl_transform_mul(pose, world->parts[part].local) : pose;
}

/// Whether a body takes part in collisions by itself: not static, enabled, awake.
static inline bool rbl_world_is_awake(const rbl_world *world, int body)
{
	return world->motions[body].flags & RBL_BODY_AWAKE;
}

/// Whether a point is where bodies may be.
static inline bool rbl_world_is_position(rbl_vec3 p)
{
	return fabsf(p.x) <= RBL_MAX_POSITION && fabsf(p.y) <= RBL_MAX_POSITION &&
	       fabsf(p.z) <= RBL_MAX_POSITION;
}

/// Whether the centre of a body may come to a point: bodies fly on beyond where they may be placed.
static inline bool rbl_world_is_in_range(rbl_vec3 p)
{
	return rbl_length_squared(p) < 1e16f; // false for NaN
}

/// The largest angular velocity.
#define RBL_MAX_ANGULAR_SPEED (10.0f * RBL_MAX_SPEED)

/// Whether a rotation is one.
static inline bool rbl_world_motion_has_unit_rotation(const rbl_body_motion *m)
{
	const rbl_quat *q = &m->rotation;
	return fabsf(q->x * q->x + q->y * q->y + q->z * q->z + q->w * q->w - 1.0f) < 0.01f;
}

/// Whether the numbers of a motion are what they may become in a step.
static inline bool rbl_world_motion_is_valid(const rbl_body_motion *m)
{
	// All of these are false for NaN.
	return rbl_world_motion_has_unit_rotation(m) && rbl_world_is_in_range(m->centre) &&
	       rbl_length_squared(m->velocity) < 100.0f * RBL_MAX_SPEED * RBL_MAX_SPEED &&
	       rbl_length_squared(m->angular_velocity) <
	           100.0f * RBL_MAX_ANGULAR_SPEED * RBL_MAX_ANGULAR_SPEED;
}

/// A vector cut to a length.
static inline rbl_vec3 rbl_world_clamp_length(rbl_vec3 v, float limit)
{
	// By the largest coordinate first: the square of a huge one is infinite.
	float largest = rbl_maxf(fabsf(v.x), rbl_maxf(fabsf(v.y), fabsf(v.z)));
	if (largest > limit)
		v = rbl_scale(limit / largest, v);
	float length = rbl_length(v);
	return length > limit ? rbl_scale(limit / length, v) : v;
}

/// Check an id. @return RBL_OK, RBL_BAD_ARGUMENT (no world), RBL_STALE_ID, with a line in the log
rbl_result rbl_world_check_body(const rbl_world *world, rbl_body_id id);

/// Destroy a body that exists. @return RBL_OK, RBL_OUT_OF_MEMORY (nothing happened)
rbl_result rbl_world_remove_body(rbl_world *world, int body);

/// The same for one whose pieces are in the broad phase no more.
void rbl_world_free_body(rbl_world *world, int body);

/// What the solver knows of a body.
rbl_solver_body rbl_world_solver_body(const rbl_world *world, int body);

/// What a body is that is wanted to be of a kind: dynamic ones with anchored parts are static.
rbl_body_kind rbl_world_effective_kind(const rbl_world *world, int body, rbl_body_kind wanted);

/// Make room for all bodies in `marked`, and clear it. @return false when memory ran out
bool rbl_world_clear_marks(rbl_world *world);

/// Wake a body and look at its pairs again.
void rbl_world_wake(rbl_world *world, int body);

/// Make all pairs of a body ones to look at.
void rbl_world_activate_pairs(rbl_world *world, int body);

// --- boxes.c ------------------------------------------------------------------------------------

/// How far turning may move the points of a body in a step and still be within its margin.
float rbl_world_arc_limit(const rbl_world *world, int body);

/// The margin all around that a body needs in a step of `dt`.
float rbl_world_margin(const rbl_world *world, int body, float dt);

/// The box of a piece in the broad phase: tight, with its body's margin, swept by its velocity.
rbl_box rbl_world_part_box(const rbl_world *world, int part, float dt);

/// The proxy of a piece as it is to be added.
rbl_proxy_def rbl_world_proxy_def(const rbl_world *world, int part);

/// Note that a body's boxes are to be made anew before the next step; room was made.
void rbl_world_mark_dirty(rbl_world *world, int body);

/// Make the boxes of dirty bodies anew. @return false when memory ran out
bool rbl_world_update_dirty_proxies(rbl_world *world, float dt);

/// Make the boxes of all moved bodies anew. @return false when memory ran out
bool rbl_world_update_moved_proxies(rbl_world *world, float dt);

/// Put the pieces of a body into the broad phase, or take them out with all their pairs; what is frozen thaws.
/// @return RBL_OK, RBL_OUT_OF_MEMORY (nothing happened)
rbl_result rbl_world_add_proxies(rbl_world *world, int body);
rbl_result rbl_world_remove_proxies(rbl_world *world, int body);

/// Both in one go: pairs begin anew. @param was_static  what leaned on it may have lost its hold
rbl_result rbl_world_replace_proxies(rbl_world *world, int body, bool was_static);

/// Take the pieces of a body that goes out of the broad phase, without their pairs.
rbl_result rbl_world_remove_proxies_only(rbl_world *world, int body);

// --- birth.c ------------------------------------------------------------------------------------

/// Make room for more bodies and pieces, ids included. @return false when memory ran out
bool rbl_world_reserve_bodies(rbl_world *world, int body_count, int part_count);

/// Make room for slots of bodies and of pieces in all arrays that have them. @return false when memory ran out
bool rbl_world_reserve_slots(rbl_world *world, int bodies, int parts);

// --- pairs.c ------------------------------------------------------------------------------------

/// Make room for pairs in all arrays that have them. @return false when memory ran out
bool rbl_world_reserve_pairs(rbl_world *world, int wanted);

/// Make and remove pairs as the broad phase says. @return false when memory ran out
bool rbl_world_update_pairs(rbl_world *world, const rbl_broadphase_result *result);

/// Whether two bodies have anything to do with each other, beyond filters. It asks the callback.
bool rbl_world_should_collide(rbl_world *world, int body_a, int body_b);

/// Remove a pair and its contacts; reports its end.
void rbl_world_remove_pair(rbl_world *world, int pair, bool is_pending);

/// Remove all pairs of a body between two steps.
/// @param with_solver  their contacts too; otherwise its solver's body goes next, and takes them along
void rbl_world_remove_pairs(rbl_world *world, int body, bool with_solver);

/// Let all pairs of a body begin anew, without contacts; reports the end of those.
void rbl_world_restart_pairs(rbl_world *world, int body);

/// The next pair of a piece after `pair`; RBL_NONE at the end.
static inline int rbl_world_next_pair(const rbl_world *world, int part, int pair)
{
	const rbl_pair_links *links = &world->links[pair];
	return world->pairs[pair].a == part ? links->next_a : links->next_b;
}

// --- narrow.c and contacts.c --------------------------------------------------------------------

/// Look at all active pairs. @return false when memory ran out
bool rbl_world_update_manifolds(rbl_world *world, float dt);

/// Begin and end contacts as the blocks found. @return false when memory ran out
bool rbl_world_update_contacts(rbl_world *world);

/// Take in what a pair with a surface found.
bool rbl_world_update_surface_contacts(rbl_world *world, int pair);

/// How deep two pieces may stay in each other that did so at birth, now that they have this manifold.
void rbl_world_update_allowed_penetration(rbl_world_contact *contact, const rbl_manifold *manifold,
                                          bool had_points);

/// What the solver is to know of a touch.
rbl_solver_contact rbl_world_contact_def(const rbl_world *world, int contact);

/// Free the contacts of a pair; `with_solver`: remove them there too.
void rbl_world_free_contacts(rbl_world *world, int pair, bool with_solver);

float rbl_world_mix_friction(float a, float b);

// --- many.c -------------------------------------------------------------------------------------

/// Whether a pair of these bodies is to be in a list with others.
bool rbl_world_merges_manifolds(const rbl_world *world, int body_a, int body_b);

/// Put a pair into the list of its bodies; room was made in the map. Take it out.
/// @return the first of the list
int rbl_world_merged_list_add(rbl_world *world, int pair);
void rbl_world_merged_list_remove(rbl_world *world, int pair);

/// Whether the solver has the bodies of a pair the other way round: those in lists have the lower
/// body first.
static inline bool rbl_world_is_swapped(const rbl_world *world, int pair)
{
	const rbl_pair_record *p = &world->pairs[pair];
	return (p->flags & RBL_PAIR_MERGED) &&
	       world->hot_parts[p->a].body > world->hot_parts[p->b].body;
}

/// The touch of a pair of a list when it has points, else NULL; and its normal from the lower body to the
/// other.
static inline const rbl_world_contact *rbl_world_merged_contact(const rbl_world *world, int pair)
{
	int contact = world->pairs[pair].contact;
	bool has_points = contact != RBL_NONE && (world->pairs[pair].flags & RBL_PAIR_POINTS) &&
	                  world->contacts.data[contact].manifold.point_count > 0;
	return has_points ? &world->contacts.data[contact] : NULL;
}

static inline rbl_vec3 rbl_world_merged_normal(const rbl_world *world,
                                               const rbl_world_contact *contact)
{
	return rbl_world_is_swapped(world, contact->pair) ? rbl_neg(contact->manifold.normal)
	                                                  : contact->manifold.normal;
}

/// Give the solver few contacts for the many of each list that the narrow phase has looked at.
/// @return false when memory ran out
bool rbl_world_merge_manifolds(rbl_world *world, float dt);

/// Let a pair be looked at in the next step, with all of its list, whether its bodies move or not.
void rbl_world_invalidate_pair(rbl_world *world, int pair);

/// Of the touches of a list, the one nearest to a point.
int rbl_world_nearest_contact(const rbl_world *world, int contact, rbl_vec3 point);

// --- inner.c ------------------------------------------------------------------------------------

/// Pairs of a list that touch faces inside of their bodies: bits by their place in it.
uint32_t rbl_world_find_internal_faces(const rbl_world *world, int first);

// --- events.c -----------------------------------------------------------------------------------

void rbl_world_clear_events(rbl_world *world);

/// Tell that a pair touches, or does no more.
/// @return false when memory ran out for one of a sensor that begins: it is not counted
bool rbl_world_report_contact(rbl_world *world, int pair, bool begins, bool is_pending);
void rbl_world_report_solver(rbl_world *world);

// --- fast.c -------------------------------------------------------------------------------------

enum {
	RBL_MARK_SWEEP = 1, // its pieces are cast, and their middles watched
	RBL_MARK_INVALID = 2,
	RBL_MARK_EJECTED = 4,
	RBL_MARK_SWEEP_CENTROIDS = 8, // the middles of its pieces are watched
};

/// Stop bodies that moved far in this step at what they would have passed through.
/// @param old_poses  of the centres of mass of the moved bodies, before the step
/// @param marks      of them, as rbl_world_mark_fast() gives them
void rbl_world_stop_tunnelling(rbl_world *world, const rbl_transform *old_poses,
                               const uint8_t *marks);

/// RBL_MARK_FAST or RBL_MARK_WATCHED, or 0 for what needs neither. Threads: any.
uint8_t rbl_world_mark_continuous(const rbl_world *world, int body, const rbl_transform *old_pose);

/// Whether a body may be stopped by another: by a solid one that it touches and is not joined with.
bool rbl_world_can_block(const rbl_world *world, int body, int other);

/// How far turning from one rotation to another moves points within `reach` of the centre, at most.
float rbl_world_rotation_arc(float bounding_radius, rbl_quat from, rbl_quat to);

/// Where a body is put that may go a share of its way only.
rbl_transform rbl_world_pose_between(const rbl_world *world, int body, const rbl_transform *from,
                                     const rbl_transform *to, float fraction);

// --- middle.c -----------------------------------------------------------------------------------

/// How much of the way between two poses a body may go without the middle of a piece entering a
/// static body.
float rbl_world_sweep_centroids(rbl_world *world, int body, const rbl_transform *old_pose,
                                const rbl_transform *new_pose);

/// Set or clear RBL_PAIR_DEEP. @param least  the least separation of its manifolds
void rbl_world_flag_deep_pair(const rbl_world *world, rbl_pair_record *pair, float least);

/// Mark the bodies of a pair with RBL_PAIR_DEEP for the rest of the step.
void rbl_world_flag_deep_bodies(rbl_world *world, int pair);

// --- pinched.c ----------------------------------------------------------------------------------

/// Whether a step has made a body so much faster that somebody must explain it.
bool rbl_world_is_ejected(const rbl_world *world, int body, float old_speed);

/// Slow a body down that contacts with several others have shot away.
/// @param old_speeds  by body, of those that have moved
void rbl_world_clamp_ejection(rbl_world *world, int body, const float *old_speeds);

// --- calls.c and change.c ------------------------------------------------------------------------

/// Do what was asked during the step.
void rbl_world_apply_commands(rbl_world *world);

/// Write a call down. @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_BAD_ARGUMENT: somebody is being told
rbl_result rbl_world_queue_command(rbl_world *world, const rbl_command *command);

/// Before and after a function of the caller hears something in the middle of a call: meanwhile nothing
/// can be changed. @return what rbl_world_end_telling() is to be given
bool rbl_world_begin_callback(rbl_world *world);
void rbl_world_end_callback(rbl_world *world, bool was_stepping);

/// Do what a command asks of a body that exists. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_world_apply_command(rbl_world *world, const rbl_command *command);

/// Change how a body moves. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_world_set_kind(rbl_world *world, int body, rbl_body_kind kind);

/// What a command asks for.
enum {
	RBL_COMMAND_DESTROY_BODY,
	RBL_COMMAND_DESTROY_JOINT,
	RBL_COMMAND_SET_POSE,
	RBL_COMMAND_SET_VELOCITY,
	RBL_COMMAND_SET_TARGET,
	RBL_COMMAND_ADD_FORCE,
	RBL_COMMAND_ADD_TORQUE,
	RBL_COMMAND_ADD_IMPULSE,
	RBL_COMMAND_ADD_ANGULAR_IMPULSE,
	RBL_COMMAND_DAMAGE,
	RBL_COMMAND_SET_KIND,
	RBL_COMMAND_SET_MATERIAL,
	RBL_COMMAND_SET_FILTER,
	RBL_COMMAND_SET_DAMPING,
	RBL_COMMAND_SET_GRAVITY_SCALE,
	RBL_COMMAND_SET_AWAKE,
	RBL_COMMAND_SET_CAN_SLEEP,
	RBL_COMMAND_SET_ENABLED,
	RBL_COMMAND_SET_USER,
	RBL_COMMAND_KINDS,

	// What has a chunk of its own in recordings.
	RBL_COMMAND_SET_GRAVITY = RBL_COMMAND_KINDS,
	RBL_COMMAND_SET_MOTOR,
	RBL_COMMAND_EXPLODE,
};

// --- what calls do that queue up: world.c, explosion.c, joints.c ----------------------------------

rbl_result rbl_world_apply_gravity(rbl_world *world, rbl_vec3 gravity);
rbl_result rbl_world_apply_explosion(rbl_world *world, const rbl_explosion *explosion);
void rbl_world_apply_motor(rbl_world *world, int joint, float speed, float torque);

// --- joints.c -----------------------------------------------------------------------------------

/// Destroy all joints of a body. `with_solver`: remove them there too.
void rbl_world_remove_joints(rbl_world *world, int body, bool with_solver);
void rbl_world_remove_joint(rbl_world *world, int joint, bool with_solver);

/// Whether a joint keeps two bodies from touching.
bool rbl_world_is_joined(const rbl_world *world, int body_a, int body_b);
void rbl_world_free_joints(rbl_world *world);

/// Let a joint of `from` act on `to` instead, at the same place. Both bodies' shapes have the same
/// coordinates and the same pose.
void rbl_world_move_joint(rbl_world *world, int joint, int from, int to);

/// Take the joints of a body out of the solver while it is disabled, and put them back; the solver has room.
void rbl_world_suspend_joints(rbl_world *world, int body);
void rbl_world_resume_joints(rbl_world *world, int body);
int rbl_world_count_joints(rbl_world *world, int body);

/// The centre of mass of a body has moved in its frame: its joints stay where they are.
void rbl_world_shift_joints(rbl_world *world, int body, rbl_vec3 shift);

// --- joints_follow.c ----------------------------------------------------------------------------

/// The part of a compound that is nearest to a point, by the largest distance of a face's plane.
/// @param distance  what it must be below; receives that of the part, < 0 inside
/// @return RBL_NONE when no part is as near. Cost: O(parts).
int rbl_world_nearest_part(const rbl_compound *compound, rbl_vec3d point, double *distance);

/// Note how near the anchors of a body's joints are to it, before it breaks.
void rbl_world_measure_joint_anchors(rbl_world *world, int body);

/// A body has come apart, and is still as it was but for its compound: its joints go with the pieces
/// that hold them.
void rbl_world_reassign_joints(rbl_world *world, int body, const rbl_body_id *parts, int count);
