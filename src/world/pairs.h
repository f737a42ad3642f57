// SPDX-License-Identifier: MIT
// Pairs of parts whose boxes overlap, and their contacts.
#pragma once

#include "broadphase/broadphase.h"
#include "collide/collide.h"
#include "solver/solver.h"
#include "world/fields.h"

#include <rubble/world.h>

/// Flags of a pair.
enum {
	RBL_PAIR_IDLE = 1,         // neither body is awake: it is about to become inactive
	RBL_PAIR_SURFACE = 2,      // it may have many contacts: `contact` is an index of `surfaces`
	RBL_PAIR_SENSOR = 4,       // it only makes events
	RBL_PAIR_REPORTED = 8,     // its begin was reported
	RBL_PAIR_POSE_CACHED = 16, // `cached_...` hold the relative pose of the manifold
	RBL_PAIR_NEW = 32,         // overlap found by its first collision is allowed to stay
	RBL_PAIR_POINTS = 128,     // its manifold has points
	RBL_PAIR_STALE = 256,      // not found again after changes of the broad phase were lost
	RBL_PAIR_MERGED = 512,     // in the list of its two bodies: see manifold_merging.c
	RBL_PAIR_DEEP = 1024,  // a part is deep in a static one; in a merged list the first pair has it
	RBL_PAIR_FIELD = 2048, // a part collides by its distance field; RBL_PAIR_SURFACE is set too
	RBL_PAIR_DISSOLVES = 4096, // its initial overlap is let go slowly
	RBL_PAIR_SLIDES = 8192,    // its last slide event said so
	RBL_PAIR_ROLLS = 16384,    // likewise
	RBL_PAIR_DISABLED = 32768, // modify_contact has disabled a contact of it in this step
	RBL_PAIR_RECOVERS = 65536, // its initial overlap is none of neighbours: it is pushed out slowly
};

/// Two parts whose boxes overlap: one cache line.
typedef struct rbl_pair_record {
	int32_t a, b; // parts, a < b; RBL_NONE: free
	rbl_sat_cache cache;
	int32_t contact; // RBL_NONE: none
	uint32_t flags;
	rbl_vec3 cached_translation; // of B in A's frame when the manifold was made
	rbl_vec3 cached_rotation;    // x, y, z of the relative rotation, with w >= 0
} rbl_pair_record;

_Static_assert(sizeof(rbl_pair_record) == 64, "a cache line");

/// Lists of the pairs of each part. A free record has only next_a, the next free one.
typedef struct rbl_pair_links {
	int32_t next_a, previous_a, next_b, previous_b;
	int32_t next_merged, previous_merged; // a ring, with RBL_PAIR_MERGED
} rbl_pair_links;

/// A manifold and its contact in the solver.
typedef struct rbl_world_contact {
	int32_t pair;              // RBL_NONE: free
	int32_t next;              // of the same surface pair, or the next free one
	int32_t solver_contact;    // RBL_NONE: none
	float allowed_penetration; // initial overlap that may stay, >= 0
	rbl_manifold manifold;
} rbl_world_contact;

/// The contacts of a pair with a mesh or height field, or of one that collides by fields.
typedef struct rbl_world_surface_contacts {
	rbl_contacts *contacts; // of a mesh or height field, else NULL
	rbl_pair_field *field;  // of a pair that collides by fields, else NULL; neither: it is free
	int32_t first_contact;
	int32_t next_free;
} rbl_world_surface_contacts;

/// A manifold of a pair that had none.
typedef struct rbl_new_manifold {
	int32_t pair;
	bool is_near; // it touches for events
	rbl_manifold manifold;
} rbl_new_manifold;

/// What the narrow phase found in one block of pairs.
typedef struct rbl_narrow_block {
	RBL_ARRAY(rbl_new_manifold) found;
	RBL_ARRAY(int32_t) lost;   // pairs that no longer touch, and surface pairs to update
	RBL_ARRAY(int32_t) merged; // first pairs of lists whose manifolds are new
	RBL_ARRAY(int32_t) deep;   // pairs with RBL_PAIR_DEEP
	int apart, reused, refreshed, searched;
	bool ran_out;
	bool has_idle; // some have RBL_PAIR_IDLE
} rbl_narrow_block;

// --- pairs.c ------------------------------------------------------------------------------------

/// Reserve pairs in all arrays that have them. @return false when memory ran out
bool rbl_world_reserve_pairs(rbl_world *world, int wanted);

/// Create and remove pairs as the broad phase says. @return false when memory ran out
bool rbl_world_update_pairs(rbl_world *world, const rbl_broadphase_result *result);

/// The pair of two parts, a < b; RBL_NONE: there is none.
int rbl_world_find_pair(const rbl_world *world, int a, int b);

/// Whether two bodies may collide, filters apart. It asks the callback.
/// @param has_sensor  one of the parts in question only notices others
bool rbl_world_should_collide(rbl_world *world, int body_a, int body_b, bool has_sensor);

/// Remove a pair and its contacts, and report its end.
/// @param is_pending  between two steps: the next one reports it
void rbl_world_remove_pair(rbl_world *world, int pair, bool is_pending);

/// Remove all pairs of a body between two steps.
/// @param with_solver  their contacts too; otherwise the solver's body is removed next, with them
void rbl_world_remove_pairs(rbl_world *world, int body, bool with_solver);

/// Restart all pairs of a body without contacts, and report the end of those they had.
void rbl_world_restart_pairs(rbl_world *world, int body);

// --- narrow_phase.c, contacts.c -----------------------------------------------------------------

/// Update the manifolds of all active pairs. @return false when memory ran out
bool rbl_world_update_manifolds(rbl_world *world, float dt);

/// There are so many blocks at least; new ones are empty. @return false when memory ran out
bool rbl_world_reserve_blocks(rbl_world *world, int count);

/// Begin and end contacts as the narrow phase found. @return false when memory ran out
bool rbl_world_update_contacts(rbl_world *world);

float rbl_manifold_min_separation(const rbl_manifold *manifold);

/// Adapt the allowed penetration of a contact of a merged list to the manifold that it is about to
/// have.
void rbl_world_update_allowed_penetration(rbl_world *world, rbl_world_contact *contact,
                                          const rbl_manifold *manifold, bool had_points);

/// Let go of some of the allowed penetration that the solver has for a contact, if its pair
/// recovers. The manifold is the one that the solver is about to get.
void rbl_world_recover(const rbl_world *world, int contact);

/// Note that a pair no longer recovers, if it is not deep any more. @param least  its separation
void rbl_world_end_recovery(const rbl_world *world, rbl_pair_record *pair, float least);

/// The solver's values of a contact.
rbl_solver_contact rbl_world_contact_def(const rbl_world *world, int contact);

/// Free the contacts of a pair. @param with_solver  remove them there too
void rbl_world_free_contacts(rbl_world *world, int pair, bool with_solver);

/// The friction of two bodies that touch: the geometric mean of both coefficients.
float rbl_world_combine_friction(float a, float b);

/// The restitution of two bodies that touch: the larger one.
float rbl_world_combine_restitution(float a, float b);

// --- modify.c -----------------------------------------------------------------------------------

/// Let the caller change contacts. @return false when memory ran out
bool rbl_world_modify_contacts(rbl_world *world);

/// Whether the caller has disabled a contact of two bodies in this step.
bool rbl_world_pair_is_disabled(const rbl_world *world, int body, int other);

// --- manifold_merging.c, internal_faces.c -------------------------------------------------------

/// Whether manifolds of two bodies are merged.
bool rbl_world_merges_manifolds(const rbl_world *world, int body_a, int body_b);

/// Add a pair to the list of its bodies, for which the map has room, or remove it.
/// @return the first pair of the list
int rbl_world_merged_list_add(rbl_world *world, int pair);
void rbl_world_merged_list_remove(rbl_world *world, int pair);

/// Merge the manifolds of each list that the narrow phase updated into few contacts of the solver.
/// @return false when memory ran out
bool rbl_world_merge_manifolds(rbl_world *world, float dt);

/// Let the next step collide a pair, and all of its list, even if its bodies have not moved.
void rbl_world_invalidate_pair(rbl_world *world, int pair);

/// Of all contacts in the list of a contact, the one nearest to a point.
int rbl_world_nearest_contact(const rbl_world *world, int contact, rbl_vec3 point);

/// Pairs of a list that touch internal faces: a bit for each, in the order of the list.
uint32_t rbl_world_find_internal_faces(const rbl_world *world, int first);

/// Whether a contact with a static body does not count, since another one lies beside it.
/// Threads: any, in the narrow phase.
bool rbl_world_is_internal_contact(const rbl_world *world, const rbl_pair_record *pair,
                                   const rbl_manifold *manifold);
