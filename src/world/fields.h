// SPDX-License-Identifier: MIT
// Parts that collide by distance fields, and their pairs.
//
//   field_bodies.c    what field bodies collide by, from their definitions
//   field_contacts.c  manifolds of pairs, and their contacts
//   field_birth.c     those of pieces that a crack has just parted
//
// A field part has a mesh collider, which ray casts, overlaps and drawing go by, and a field shape,
// which contacts and sweeps go by.
#pragma once

#include "collide/collide.h"
#include "field/field.h"
#include "fracture/fracture.h"

#include <rubble/world.h>

/// What a part of a field body collides by.
typedef struct rbl_part_field {
	const rbl_field_shape *shape;
	rbl_field_shape *own_shape;    // NULL: the caller's
	rbl_distance_field *own_field; // NULL: the caller's
	float inner_radius;            // of the collider, < 0 until somebody asked
} rbl_part_field;

/// How a benchmark has field contacts found in a world of one worker, and what it counts. Worlds of
/// users have none.
typedef struct rbl_field_probe {
	rbl_field_contact_settings settings; // selection, counts and budgets; the rest is the world's
	bool without_birth;                  // pieces that were just parted are measured by fields, too

	/// Makes the field and the shape of a fragment anew, in another way. NULL: they stay.
	rbl_result (*remake)(const rbl_compound *compound, rbl_part_field *field);

	uint64_t update_ns;     // making fields and shapes of fragments
	int64_t visited, found; // points that were measured, and those of them that touch or will
} rbl_field_probe;

/// A crack between two pieces: points of both that spread widest, in the coordinates of their
/// shape, and the way out of the first.
typedef struct rbl_birth_crack {
	rbl_vec3 corners[RBL_MAX_MANIFOLD_POINTS];
	rbl_vec3 normal;
	int32_t corner_count;
} rbl_birth_crack;

/// All cracks between two pieces that have hardly moved since they were parted.
typedef struct rbl_pair_birth {
	rbl_birth_crack cracks[RBL_MAX_FIELD_CONTACTS];
	int32_t count;
} rbl_pair_birth;

/// What a pair that collides by fields remembers, and what the narrow phase found in this step.
typedef struct rbl_pair_field {
	rbl_field_contact_memory memory;
	rbl_pair_birth *birth; // its contacts as long as it has any; NULL: fields are asked
	bool is_incomplete;    // the search stopped early: it goes on in the next step
	int manifold_count;
	rbl_manifold manifolds[RBL_MAX_FIELD_CONTACTS];
} rbl_pair_field;

// --- field_bodies.c -----------------------------------------------------------------------------

/// The field of the mesh that the compound of a definition was made from; NULL: there is none.
const rbl_distance_field *rbl_body_def_original(const rbl_body_def *def);

/// Hold the field of an original until the world ends: its fragments share it, however they go.
/// @param field  NULL is fine
rbl_result rbl_world_hold_field(rbl_world *world, const rbl_distance_field *field);

/// Check the contact method of a definition, and what it needs. @return RBL_OK, RBL_BAD_ARGUMENT
rbl_result rbl_check_contact_method(const rbl_body_def *def);

/// Decide whether a body collides by a field.
/// @param by_field  receives the answer
/// @param hull      receives the convex that a mesh collides by otherwise, to be destroyed, or NULL
/// @return RBL_OK, RBL_BAD_MESH, RBL_OUT_OF_MEMORY
rbl_result rbl_choose_contact_method(const rbl_world *world, const rbl_body_def *def,
                                     bool *by_field, rbl_convex **hull);

/// The same for a compound with a contact method, as flags of its body, and an original.
bool rbl_compound_wants_field(const rbl_world *world, const rbl_compound *compound,
                              uint32_t body_flags, const rbl_distance_field *original);

/// Make what a field body collides by, in the coordinates of its mesh or collider.
/// @param owned  receives the mesh collider, to be destroyed; NULL when the definition has one
/// @param field  receives the rest, to be destroyed
/// @return RBL_OK, RBL_BAD_MESH, RBL_OUT_OF_MEMORY and so on: nothing is received then
rbl_result rbl_make_part_field(const rbl_world *world, const rbl_body_def *def,
                               rbl_collider **owned, rbl_part_field **field);

/// Pieces of one mesh, which have to be told apart.
typedef struct rbl_relatives {
	const rbl_compound *const *compounds;
	int count;
} rbl_relatives;

/// What a compound collides by while it is made, all zero at first.
typedef struct rbl_field_making {
	const rbl_compound *compound;
	const rbl_distance_field *original;
	rbl_relatives relatives;
	rbl_collider *collider;
	rbl_part_field *field;
	rbl_shape_points *points; // between steps
	int step;
} rbl_field_making;

enum { RBL_FIELD_MAKING_STEPS = 3 }; // of like length

/// Do the next step. @return RBL_OK, RBL_OUT_OF_MEMORY and so on: it must be given up then
/// Threads: any for several compounds of one world.
rbl_result rbl_make_some_field(const rbl_world *world, rbl_field_making *making);

/// Destroy what was made, unless it was taken.
void rbl_give_up_field(const rbl_world *world, rbl_field_making *making);

/// The same for a compound as rbl_make_part_field(), unless it was made before: break_fields.c.
rbl_result rbl_make_compound_field(const rbl_world *world, const rbl_compound *compound,
                                   const rbl_distance_field *original, rbl_collider **owned,
                                   rbl_part_field **field);

/// The box around a mesh collider in a pose, around its vertices where they are not too many: in a
/// pile of plates that gives half of the pairs.
rbl_box rbl_mesh_collider_bounds(const rbl_collider *collider, rbl_transform pose);

/// How far the farthest point of a part's collider is from the centre of mass, and how far the part
/// may move without a sweep.
float rbl_world_part_reach(const rbl_collider *collider, rbl_transform local);
float rbl_world_part_inner_radius(const rbl_collider *collider, rbl_part_field *field);

/// An empty one. @return NULL when memory ran out
rbl_part_field *rbl_new_part_field(const rbl_allocator *allocator);

/// Destroy what a part collides by. NULL is fine.
void rbl_destroy_part_field(const rbl_allocator *allocator, rbl_part_field *field);

/// The number of a part as events and stress know it: where a field body has a compound, the part
/// of that which is nearest to a point of the world.
int rbl_world_child_at(const rbl_world *world, int part, rbl_vec3 point);

/// Whether a point of the world is inside a field part.
bool rbl_world_field_contains(const rbl_world *world, int part, rbl_vec3 point);

// --- field_contacts.c ---------------------------------------------------------------------------

/// Have work space for all workers once there is a field pair. @return false when memory ran out
bool rbl_world_prepare_field_work(rbl_world *world);
void rbl_world_free_field_work(rbl_world *world);

/// Find the manifolds of a pair that collides by fields.
/// @param dt, margin  how far ahead to look, in time and metres
/// @return false when memory ran out: what was found before stays
/// Threads: any, one call per worker and one per pair at once
bool rbl_world_find_field_manifolds(const rbl_world *world, int pair, float dt, float margin,
                                    rbl_pair_field *found, int worker);

/// Find the cracks between the parts of a new pair, if they are pieces of one body.
/// @param birth  receives them, to be freed, or NULL
/// @return false when memory ran out
bool rbl_world_find_birth(const rbl_world *world, int pair, rbl_pair_birth **birth);

/// Make manifolds of them. @return false when the parts are no longer where they were
/// Threads: any, one call per pair at once
bool rbl_world_find_birth_manifolds(const rbl_world *world, int pair, rbl_pair_field *found);

/// Destroy what a pair remembers. NULL is fine.
void rbl_destroy_pair_field(const rbl_allocator *allocator, rbl_pair_field *field);

/// Move a field part with its body, from one pose of that to another, at a part of another body.
/// @param depth  points that go in by less than this are passed over, in metres
/// @return the hit; none when memory ran out. Threads: any, one call per worker at once
rbl_cast_hit rbl_world_cast_field(const rbl_world *world, int part, rbl_transform from,
                                  rbl_transform to, int target, float depth, int worker);

/// Whether the parts of such a pair touch. @param ran_out  set when memory ran out
bool rbl_world_fields_touch(const rbl_world *world, int pair, int worker, bool *ran_out);
