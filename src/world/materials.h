// SPDX-License-Identifier: MIT
// Materials in a world: a table of what its bodies are made of, and what single parts have of their
// own.
//
// Bodies have the number of a material in the table, and so have parts that are made of something
// else. Bodies with the same values of their own share an entry, and so do all users of one
// rbl_material; the last user frees it. Users are bodies, children of colliders that have one of
// their own, colliders with materials of triangles, and compounds: each body, or baked fragment,
// uses all of its compound's table once. What a child of a compound collider has of its own beside
// a material (filter, sensor, user value) is in a side table that only parts with
// RBL_PART_HAS_TRAITS have an entry in.
#pragma once

#include "collide/collide.h"

#include <rubble/world.h>

typedef struct rbl_world_material {
	rbl_material_values values; // by rbl_world_set_material_values() alone
	uint64_t contact_hash;      // of what contacts read of them
	const rbl_material *shared; // held; NULL: bodies' own values
	uint32_t version;           // of the shared one, as the values are
	int32_t use_count;          // 0: free
} rbl_world_material;

/// What a part has of its own.
typedef struct rbl_part_traits {
	rbl_filter filter; // with has_filter
	int32_t next_free;
	uint64_t user;
	bool has_filter, is_sensor;
} rbl_part_traits;

/// Use a material once more: of values, or the shared one if there is one.
/// @return its number, RBL_NONE when memory ran out
int rbl_world_use_material(rbl_world *world, const rbl_material_values *values,
                           const rbl_material *shared);
void rbl_world_reuse_material(rbl_world *world, int material);
void rbl_world_drop_material(rbl_world *world, int material);

/// Give an entry of the table its values.
void rbl_world_set_material_values(rbl_world_material *m, const rbl_material_values *values);

/// The key of a material in the map: its content, or the address of the shared one.
uint64_t rbl_world_material_key(const rbl_material_values *values, const rbl_material *shared);

/// The number of a shared material that is in use; RBL_NONE: it is not.
int rbl_world_find_material(const rbl_world *world, const rbl_material *shared);

/// Use, or cease to use, all materials of the triangles of a collider.
/// @return false when memory ran out: none is used
bool rbl_world_use_collider_materials(rbl_world *world, const rbl_collider *collider);
void rbl_world_drop_collider_materials(rbl_world *world, const rbl_collider *collider);

/// The same for those that the parts of a compound, or NULL, are made of.
bool rbl_world_use_compound_materials(rbl_world *world, const rbl_compound *compound);
void rbl_world_drop_compound_materials(rbl_world *world, const rbl_compound *compound);

/// The number of the material of a compound's part, which is in use; RBL_NONE: as the body.
int rbl_world_compound_part_material(const rbl_world *world, const rbl_compound *compound,
                                     int part);

/// What a part is made of that has a material of a compound's table, or else is as the body; and
/// how it breaks. NULL: of values, which do not break.
/// @param body  that has the compound, or holds the fragment that is baked into it
const rbl_material *rbl_world_made_of(const rbl_world *world, int body,
                                      const rbl_compound *compound, int material);
const rbl_material_def *rbl_world_breaking(const rbl_world *world, int body,
                                           const rbl_compound *compound, int material);

/// The mass of a compound at density 1 of its body: parts weigh by their density as a share.
rbl_mass rbl_world_compound_mass(const rbl_world *world, const rbl_compound *compound,
                                 float density);

/// Give a part traits of its own; the slot in the map and the array are reserved by
/// rbl_world_reserve_traits(). They are freed with the part.
bool rbl_world_reserve_traits(rbl_world *world, int count);
void rbl_world_set_traits(rbl_world *world, int part, const rbl_part_traits *traits);
void rbl_world_free_traits(rbl_world *world, int part);

/// The traits of a part; NULL for most.
const rbl_part_traits *rbl_world_get_traits(const rbl_world *world, int part);

/// The material where a part is touched. @param child  the triangle of a mesh or height field
const rbl_material_values *rbl_world_part_material(const rbl_world *world, int part, int child);
int rbl_world_part_material_number(const rbl_world *world, int part, int child);

/// The filter of a part.
const rbl_filter *rbl_world_part_filter(const rbl_world *world, int part);

/// Follow the shared materials that have changed since the last step: contacts, masses, sleep.
void rbl_world_update_materials(rbl_world *world);

/// Update the contacts of a body, or with RBL_NONE of all, after a material has changed.
void rbl_world_update_contact_materials(rbl_world *world, int body);

/// Wake a body, and what touches it when it is static.
void rbl_world_wake_touching(rbl_world *world, int body);

/// How the surface of B runs past that of A, the bodies of a contact as the solver has them.
rbl_vec3 rbl_world_running_velocity(const rbl_world *world, int contact);

/// Tell the solver which surfaces run in the coming step. @return false when memory ran out
bool rbl_world_set_running_surfaces(rbl_world *world);

void rbl_world_free_materials(rbl_world *world);
