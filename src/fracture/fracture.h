// SPDX-License-Identifier: MIT
// The interface of the room `fracture`: beside its public functions, compounds and damage rules as
// bytes, bending, and what the room `stress` reads of a compound.
#pragma once

#include "base/blob.h"
#include "base/random.h"
#include "collide/collide.h"

#include <rubble/asset.h>
#include <rubble/compound.h>
#include <rubble/compound_field.h>
#include <rubble/damage.h>
#include <rubble/material.h>
#include <rubble/pattern.h>

/// Hold an asset, too: rbl_destroy_asset() lets go of it.
const rbl_asset *rbl_asset_share(const rbl_asset *asset);

/// How whoever writes or reads a compound knows the materials of its table by numbers >= 0; -1 is
/// none. @return the number, and the material, NULL when it is not known
typedef int rbl_material_numberer(void *user, const rbl_material *material);
typedef const rbl_material *rbl_material_finder(void *user, int number);

/// Make the meshes of an asset's parts ready for cutting, once for all of its bodies: compounds
/// that are created from it afterwards have copies, and are created in a tenth of the time. Without
/// memory it is as before. Threads: any.
void rbl_asset_prepare_solids(const rbl_asset *asset);

/// rbl_create_compound_shape() in two steps of like length.
typedef struct rbl_shape_points rbl_shape_points;

/// @param points  receives them, for rbl_finish_compound_shape() or rbl_destroy_shape_points()
rbl_result rbl_gather_shape_points(const rbl_compound_field_def *def,
                                   const rbl_distance_field *field, float spacing,
                                   rbl_shape_points **points);
rbl_result rbl_finish_compound_shape(const rbl_shape_points *points, rbl_field_shape **shape);
void rbl_destroy_shape_points(rbl_shape_points *points);

/// As rbl_begin_break(), but parts that stay whole keep their anchors.
rbl_result rbl_begin_cut(rbl_compound *compound, const rbl_break_def *def, rbl_task **task);

/// What a break that is ready will leave, for work ahead of rbl_finish_break().
typedef struct rbl_break_preview {
	rbl_compound *const *fragments; // those that the break will have
	int fragment_count;
	unsigned number; // another one when fragments were made again: what was known of them is void
} rbl_break_preview;

/// Work that the last slices of a break did beyond their budgets: what its steps cannot divide. The
/// next slices pay for it.
int rbl_break_get_debt(const rbl_task *task);

/// @param task  of a break that has just been worked on, and is ready
rbl_break_preview rbl_break_get_preview(const rbl_task *task);

/// Make a compound of what such a break will leave of its compound, in which parts are not where
/// they will be. It owns nothing, and is good until the break is worked on again.
/// @param rest  receives it, to be given to rbl_destroy_break_rest(), or NULL when nothing is left
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_create_break_rest(const rbl_task *task, rbl_compound **rest);
void rbl_destroy_break_rest(rbl_compound *rest);

/// Write a compound with everything that its next break depends on, places of parts and bonds
/// included; pending breaks and estimates are not in it.
void rbl_compound_save(const rbl_compound *compound, rbl_material_numberer *number, void *user,
                       rbl_blob_writer *w);

/// Read it. @param compound  receives it, the caller's to destroy; NULL on failure
/// @return whether the reader is still good
bool rbl_compound_load(rbl_blob_reader *r, const rbl_allocator *allocator,
                       rbl_material_finder *find, void *user, rbl_compound **compound);

/// The same for a convex. @return RBL_OK, RBL_BAD_FILE, RBL_OUT_OF_MEMORY
void rbl_put_convex(rbl_blob_writer *w, const rbl_convex *convex);
rbl_result rbl_get_convex(rbl_blob_reader *r, const rbl_allocator *allocator, rbl_convex **convex);

/// And for a mesh, or NULL.
void rbl_put_mesh(rbl_blob_writer *w, const rbl_mesh *mesh);
rbl_result rbl_get_mesh(rbl_blob_reader *r, const rbl_allocator *allocator, rbl_mesh **mesh);

/// Where energy acts: 1 within the shape, falling to 0 over `falloff` metres around it.
typedef struct rbl_load_shape {
	rbl_vec3d position, translation; // the axis; no translation: a ball
	double radius;                   // of a cone at its far end, which is flat
	double falloff;
	bool is_cone;
} rbl_load_shape;

/// @return the distance of a point from a shape without its falloff, 0 inside.
double rbl_load_shape_distance(const rbl_load_shape *shape, rbl_vec3d point);

/// A part that a load breaks.
typedef struct rbl_load_break {
	int part;
	rbl_vec3d point; // of it that is nearest to the axis
	double load;     // what it took of the energy, in joule
	double energy;   // to choose the break by
} rbl_load_break;

/// Energy that acts on a compound.
typedef struct rbl_load {
	rbl_load_shape shape;
	double energy; // in joule, for each part and bond at full share
	int hit_part;  // takes all of it, and it alone breaks; -1: all that are reached do

	/// The rule of a part; NULL: it neither breaks nor wears. @param part  its number
	const rbl_damage_rule *(*rule_of)(const void *user, int part);

	/// Whether energy gets to a part, or NULL: it does.
	bool (*is_reached)(const void *user, int part, rbl_vec3d point);
	const void *user;
} rbl_load;

/// What a load did.
typedef struct rbl_load_result {
	RBL_ARRAY(rbl_load_break) breaks; // the hardest first
	int part_count, bond_count, failed_count;
	int reached_count; // parts that took a share
	rbl_vec3d point;   // of them that took most, and its share
	double share;
} rbl_load_result;

/// Let energy act on parts and bonds: damage grows, and parts that break are listed.
/// @return RBL_OK, RBL_OUT_OF_MEMORY (nothing has changed). `result` is the caller's to free
rbl_result rbl_compound_apply_load(rbl_compound *compound, const rbl_load *load,
                                   const rbl_allocator *allocator, rbl_load_result *result);

/// @return how many bonds of a compound are worn through, and a hash of all damage: the start where
/// there is none.
int rbl_compound_failed_count(const rbl_compound *compound);
uint64_t rbl_compound_hash_damage(const rbl_compound *compound, uint64_t start);

/// List bonds that are worn through: two parts for each, `capacity` bonds at most. @return how many
int rbl_compound_list_failed(const rbl_compound *compound, int *parts, int capacity);

/// Move the parts of a compound to where they are bent. The compound is destroyed, unless this
/// fails.
/// @param poses        for each part that is there, in their order
/// @param max_stretch  as rbl_bending_def.max_stretch
/// @param joined       receives the components that are left
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_bend_compound(rbl_compound *compound, const rbl_transformd *poses,
                             double max_stretch, rbl_break **joined);

/// As rbl_break_take_dust(), with a size for each compound of its own; 0: none.
typedef double rbl_dust_size_function(void *user, const rbl_compound *fragment);
int rbl_break_take_dust_by(rbl_break *broken, rbl_dust_size_function *size_of, void *user,
                           const rbl_motion *motion, rbl_dust_fragment *dust, int capacity);

/// What a compound weighs at density 1, with shares for its materials; NULL: all 1.
rbl_mass rbl_compound_weigh(const rbl_compound *compound, const double *shares);

/// @return RBL_OK, RBL_BAD_ARGUMENT with a line in the log: no rule, or one that makes no sense
rbl_result rbl_damage_rule_check(const rbl_damage_rule *rule);

/// The place nearest to `position`, in the pattern's axes, that differs from the origin by periods
/// of the pattern: cells that are put there go on from those that are put at the origin.
/// @return `position` itself for a pattern without periods
rbl_vec3d rbl_pattern_snap(const rbl_pattern *pattern, rbl_vec3d position);

/// Finds a pattern by its key. @return NULL when it is not known
typedef const rbl_pattern *rbl_pattern_finder(void *user, uint64_t key);

/// Write a material, with the keys of its patterns, and read it.
/// @param material  receives it, the caller's to destroy; NULL on failure
/// @return whether the reader is still good
void rbl_material_save(const rbl_material *material, rbl_blob_writer *w);
uint64_t rbl_material_hash(const rbl_material *material,
                           uint64_t hash); // of the same; NULL is fine
bool rbl_material_load(rbl_blob_reader *r, const rbl_allocator *allocator, rbl_pattern_finder *find,
                       void *user, rbl_material **material);

/// @return a random point of a triangle, all alike.
rbl_vec3d rbl_exposed_point(const rbl_exposed_triangle *triangle, rbl_random *random);

/// Two parts that touch. Each is in a list of each part's bonds: `next` and `previous` hold
/// ends, 2 * bond + side, or -1.
typedef struct rbl_bond {
	int parts[2];
	int faces[2];
	int next[2], previous[2];
	double area;
	rbl_vec3d centre;
	double strength;
	double damage;   // 0 new, 1 worn through: it opens
	bool is_overlap; // they overlap besides, or instead: then there are no faces (-1)
	bool is_loose;   // they were bent: they need not touch, and there are no faces (-1)
	unsigned stamp;  // the compound's: broken by the search under way
} rbl_bond;

/// @return the end of the range of bond slots, and the bond in a slot: its first part is -1 in a
/// free one.
int rbl_compound_bond_end(const rbl_compound *compound);
const rbl_bond *rbl_compound_get_bond(const rbl_compound *compound, int bond);

/// @return the second moments of area of what two faces share, about its centre: the integral of
/// (p - c)(p - c)^T. Zero where they share nothing.
rbl_mat3d rbl_face_overlap_moments(const rbl_convex_data *a, int face_a, const rbl_convex_data *b,
                                   int face_b);

/// @return a number that changes with everything that a break or an estimate depends on.
unsigned rbl_compound_version(const rbl_compound *compound);

/// The estimate that was last made of a compound. Only compared, never followed.
const void *rbl_compound_estimate(const rbl_compound *compound);
void rbl_compound_set_estimate(rbl_compound *compound, const void *estimate);
