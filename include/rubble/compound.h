// SPDX-License-Identifier: MIT
// Compounds: bodies made of convexes that are bonded to each other, and how they break.
#pragma once

#include <rubble/base.h>
#include <rubble/convex.h>
#include <rubble/fracture.h>
#include <rubble/jobs.h>
#include <rubble/mesh.h>
#include <rubble/pattern.h>
#include <rubble/task.h>
#include <rubble/types.h>

/// What parts are made of: see rubble/material.h.
typedef struct rbl_material rbl_material;

/// The most convexes a compound may have.
#define RBL_MAX_COMPOUND_PARTS 0x00ffffff

/// Convexes that do not overlap, and the bonds between those that touch: faces in one plane that
/// look at each other and overlap. A break changes the compound: what remains of it stays where it
/// is, and what came off are compounds of their own.
typedef struct rbl_compound rbl_compound;

/// A part of a compound: one convex, numbered from 0. A part keeps its number as long as it is in
/// the compound; numbers of parts that left are used again.
typedef struct rbl_compound_part {
	/// Its shape. In a definition the caller's, copied; in a view the compound's.
	const rbl_convex *convex;

	/// The closed mesh inside the convex that is seen, or NULL: then the convex itself is all
	/// there is, and it lies inside of the body.
	const rbl_mesh *mesh;

	/// Index of its material in the compound's table, 0 to material_count - 1.
	int material;

	/// Whether it is fixed to the world: whatever hangs together with it does not fall.
	bool is_anchored;

	/// The energy of a hit that breaks it, over what its damage rule says, > 0: painted. In a
	/// definition 0 counts as 1.
	double strength;

	/// How far hits have worn it down, 0 to 1: at 1 the next hit breaks it. See rubble/damage.h.
	double damage;

	/// The share of its volume that counts with others, 0 to 1: where parts of an asset overlap,
	/// each counts a part of what they have in common, so that all of it counts once. What breaks
	/// off it has the same. Not read in a definition.
	double overlap;

	/// A hash of the convex's corners, so that a new part with an old number can be told from the
	/// old one. Not read in a definition.
	uint64_t shape;
} rbl_compound_part;

/// @return the strength of what is at a place, over what its material says, > 0: a function that
/// paints strength. @param position  in the compound's coordinates
typedef double rbl_strength_function(void *user, rbl_vec3d position);

/// A channel of vertex colours.
typedef enum rbl_color_channel {
	RBL_CHANNEL_NONE = 0,
	RBL_CHANNEL_RED,
	RBL_CHANNEL_GREEN,
	RBL_CHANNEL_BLUE,
	RBL_CHANNEL_ALPHA,
} rbl_color_channel;

/// How strength is painted on parts and bonds: both factors count. Start from
/// rbl_default_strength_paint(), which definitions contain.
typedef struct rbl_strength_paint {
	/// Asked at the centre of every part and of every bond, in their order, by the caller's thread;
	/// NULL: strength is 1 everywhere. Default NULL.
	rbl_strength_function *function;
	void *user;

	/// A number that stands for the function in the key of an asset: another function, another
	/// number. Default 0.
	uint64_t key;

	/// A channel of the mesh's vertex colours: of each part the mean over its outer surface, of a
	/// bond the mean of both parts. Parts without colours have 1. Default RBL_CHANNEL_NONE.
	rbl_color_channel channel;

	/// Strength where the channel is 0 and where it is 1, > 0; linear between. Default 0.1 and 1.
	double at_zero, at_one;
} rbl_strength_paint;

/// @return a paint that changes nothing. Threads: any.
RBL_API rbl_strength_paint rbl_default_strength_paint(void);

/// A level of a hierarchy: parts are grouped into clusters, and bonds between clusters have a
/// strength of their own. Where it is below that of the bonds inside, weak hits part clusters,
/// and harder ones part the clusters themselves, by rbl_damage_rule.bond_energy. All that is not
/// set is 0.
typedef struct rbl_cluster_level {
	/// How many clusters, 1 to the number of parts. They are connected by bonds wherever parts are.
	/// Not read where there is a pattern.
	int cluster_count;

	/// Strength of bonds between clusters of this level, over what they have, > 0.
	double strength;

	/// NULL: parts are grouped as they are. Otherwise rbl_prepare() cuts them by the cells of this
	/// pattern, all of them, and what of a cluster of the level before lies in cells of one color
	/// is a cluster: chunks, say, and the bricks of each chunk. rbl_compound_cluster() cuts
	/// nothing, and refuses it.
	const rbl_pattern *pattern;

	/// Where the pattern's origin goes, in the mesh's coordinates.
	rbl_vec3d position;

	/// A unit rotation from the pattern's axes to the mesh's; all 0: none.
	rbl_quatd rotation;
} rbl_cluster_level;

/// The most levels of a hierarchy.
#define RBL_MAX_CLUSTER_LEVELS 16

/// Which parts are fixed to the world, by rule: any of them is enough. Start from
/// rbl_default_anchor_def().
typedef struct rbl_anchor_def {
	/// Parts that reach down to within this many metres of the lowest point along `up`; < 0: none.
	/// Default -1.
	double lowest;

	/// Of any length but 0. Default 0, 1, 0.
	rbl_vec3d up;

	/// Parts whose centre is in one of these boxes. Default none.
	const rbl_boxd *boxes;
	int box_count;

	/// Parts that have a face of a mesh material of this name; NULL: none. Default NULL.
	const char *material;

	/// Parts whose vertex colours have a mean of more than a half in this channel on their outer
	/// surface: a vertex group. Default RBL_CHANNEL_NONE.
	rbl_color_channel channel;

	/// Filled by rbl_default_anchor_def(). Leave it alone.
	uint32_t cookie;
} rbl_anchor_def;

/// @return a rule that anchors nothing. Threads: any.
RBL_API rbl_anchor_def rbl_default_anchor_def(void);

/// How to make a compound: of parts, of one mesh, or of a mesh and a pattern that splits it.
/// Start from rbl_default_compound_def().
typedef struct rbl_compound_def {
	/// The parts, which must not overlap. NULL: `mesh` is used instead.
	const rbl_compound_part *parts;

	/// Number of parts, 1 to RBL_MAX_COMPOUND_PARTS. Not read with a mesh.
	int part_count;

	/// A closed mesh: one part whose convex fits around it, or as many as `pattern` has cells in
	/// it.
	const rbl_mesh *mesh;

	/// Splits the mesh, its origin at `position`; NULL: it stays whole.
	const rbl_pattern *pattern;

	/// Default the origin.
	rbl_vec3d position;

	/// How convexes fit around meshes. Default RBL_FIT_26.
	rbl_fit fit;

	/// How the faces look that the pattern cuts into the mesh. They are flat: parts are connected.
	rbl_inner_look inner;

	/// Faces without a common plane id are in one plane when they are nearer than this share of the
	/// smaller convex's size; a smaller share of a face is no contact. 1e-9 to 1e-2, default 1e-5.
	double tolerance;

	/// The most cuts that the pattern may take, as rbl_pieces_def.cut_limit. Default RBL_CUT_LIMIT.
	int cut_limit;

	/// What parts are made of, a table that the compound and all that breaks off it keep; NULL
	/// among them, or no table: as the body (rbl_body_def.shared_material). Default NULL.
	const rbl_material *const *materials;

	/// Number of materials, 1 to 65536. Default 1.
	int material_count;

	/// Strength painted on parts and bonds.
	rbl_strength_paint paint;

	/// Workers; NULL: the caller's thread. The result is the same bits.
	rbl_jobs *jobs;

	/// Memory of the compound and of what breaks off it, also used by workers.
	rbl_allocator allocator;

	/// Filled by rbl_default_compound_def(). Leave it alone.
	uint32_t cookie;
} rbl_compound_def;

/// @return a definition without parts. Threads: any.
RBL_API rbl_compound_def rbl_default_compound_def(void);

/// Make a compound, and find its bonds.
/// @param compound  receives the compound, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field or part), RBL_BAD_MESH (not closed),
///         RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: near-linear in faces.
RBL_API rbl_result rbl_create_compound(const rbl_compound_def *def, rbl_compound **compound);

/// Destroy a compound. NULL is fine.
RBL_API void rbl_destroy_compound(rbl_compound *compound);

/// A compound in numbers.
typedef struct rbl_compound_info {
	/// Parts that are there, and one more than their highest number.
	int part_count, part_end;

	int bond_count;

	/// Parts that are fixed to the world.
	int anchored_count;

	/// Parts whose convex is the outer approximation of one with too many faces.
	int approximate_count;

	/// Of the table of materials.
	int material_count;
} rbl_compound_info;

/// @return the numbers; all zero for NULL. Threads: any.
RBL_API rbl_compound_info rbl_compound_get_info(const rbl_compound *compound);

/// @return a part; all zero when there is none of this number. It lives until the compound breaks.
/// Threads: any.
RBL_API rbl_compound_part rbl_compound_get_part(const rbl_compound *compound, int part);

/// Make a mesh of a part, to draw it. A part with a mesh gives a copy of that. One without, which
/// lies wholly inside, or was made of a convex, gives the faces of its convex as cuts of `look`:
/// texture coordinates go on from one part to the next over faces in one plane, with or without
/// meshes.
/// @param look       as the cuts of the other parts had; NULL: the default. Roughness is not read
/// @param like       the part gets this mesh's materials, besides that of cuts, and a place for
///                   each of its attributes, so that both can be drawn alike; NULL: materials
///                   "outer" and "inner", and nothing besides normals and coordinates. Not read
///                   where the part has a mesh
/// @param allocator  memory of the mesh, NULL for the process's default
/// @param mesh       receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_compound_create_part_mesh(const rbl_compound *compound, int part,
                                                 const rbl_inner_look *look, const rbl_mesh *like,
                                                 const rbl_allocator *allocator, rbl_mesh **mesh);

/// @return a material of a compound's table; NULL where parts are as their body, and out of range.
/// Threads: any.
RBL_API const rbl_material *rbl_compound_get_material(const rbl_compound *compound, int material);

/// A bond, seen from a part.
typedef struct rbl_compound_bond {
	/// The part on the other side.
	int other;

	/// The faces that touch: of the part itself and of the other. -1 where they overlap instead, or
	/// were bent (rubble/bend.h).
	int face, other_face;

	/// Area and centre of what they share.
	double area;
	rbl_vec3d centre;

	/// Times what its materials hold (rbl_material_def.strengths). 1 unless it was set.
	double strength;

	/// How far hits have worn it down, 0 to 1: it carries as much less, and opens at 1.
	double damage;
} rbl_compound_bond;

/// Write the bonds of a part.
/// @param bonds  receives up to `capacity` bonds
/// @return how many there are, also when there is no room for all
/// Threads: any. Cost: O(bonds of the part).
RBL_API int rbl_compound_get_bonds(const rbl_compound *compound, int part, rbl_compound_bond *bonds,
                                   int capacity);

/// Write the share of each face of a part that bonds cover, 0 to 1: a face of 1 cannot be seen.
/// @param shares  receives a number for each face of the part's convex
/// @return RBL_OK, RBL_BAD_ARGUMENT
/// Threads: any. Cost: O(corners and bonds of the part).
RBL_API rbl_result rbl_compound_get_face_shares(const rbl_compound *compound, int part,
                                                double *shares);

/// Fix a part to the world, or free it. @return RBL_OK, RBL_BAD_ARGUMENT
/// Threads: one call on a compound at a time.
RBL_API rbl_result rbl_compound_set_anchored(rbl_compound *compound, int part, bool is_anchored);

/// Set the strength of the bond between two parts, times what its materials hold, >= 0.
/// @return RBL_OK, RBL_BAD_ARGUMENT (no such bond, among others)
/// Threads: one call on a compound at a time. Cost: O(bonds of the part that has fewer).
RBL_API rbl_result rbl_compound_set_bond_strength(rbl_compound *compound, int part, int other,
                                                  double strength);

/// Set the strength of a part, > 0: the energy of a hit that breaks it, over what its rule says.
/// @return RBL_OK, RBL_BAD_ARGUMENT. Threads: one call on a compound at a time.
RBL_API rbl_result rbl_compound_set_part_strength(rbl_compound *compound, int part,
                                                  double strength);

/// Multiply the strengths of parts and bonds by what is painted.
/// @return RBL_OK, RBL_BAD_ARGUMENT (a strength is not > 0, among others; nothing has changed),
///         RBL_OUT_OF_MEMORY
/// Threads: one call on a compound at a time. Cost: O(n).
RBL_API rbl_result rbl_compound_paint(rbl_compound *compound, const rbl_strength_paint *paint);

/// Group the parts into a hierarchy of clusters, and multiply the strengths of bonds between them.
/// Clusters of a level lie within those of the level before.
/// @param levels    from large clusters to small ones, with rising cluster_count; a bond belongs to
///                  the first level that parts its ends
/// @param clusters  receives the cluster of each part number at each level, level by level, -1 for
///                  parts that are not there; level_count * part_end numbers, or NULL
/// @return RBL_OK, RBL_BAD_ARGUMENT (nothing has changed), RBL_OUT_OF_MEMORY
/// Threads: one call on a compound at a time. Cost: O(n clusters) for each level.
RBL_API rbl_result rbl_compound_cluster(rbl_compound *compound, const rbl_cluster_level *levels,
                                        int level_count, int *clusters);

/// Fix parts to the world by rule, beside those that are fixed already.
/// @param count  receives how many are fixed now, or NULL
/// @return RBL_OK, RBL_BAD_ARGUMENT (also when the rule finds no part; nothing has changed)
/// Threads: one call on a compound at a time. Cost: O(n).
RBL_API rbl_result rbl_compound_anchor(rbl_compound *compound, const rbl_anchor_def *def,
                                       int *count);

/// @return volume, centre and inertia of all convexes at density 1; what parts of an asset have in
/// common counts once. Threads: any. Cost: O(n).
RBL_API rbl_mass rbl_compound_get_mass(const rbl_compound *compound);

/// @return volume, centre and inertia at density 1 of what is seen: the meshes of parts, and the
/// convexes of parts without one, each without its overlap. Worlds weigh bodies by it, with the
/// densities of materials. What a break takes apart adds up to what it was, to the last digits.
/// Threads: any. Cost: O(parts).
RBL_API rbl_mass rbl_compound_get_visual_mass(const rbl_compound *compound);

// --- breaking -----------------------------------------------------------------------------------

/// How to break a compound. Start from rbl_default_break_def().
typedef struct rbl_break_def {
	/// How; read during the call only. Where cells of RBL_PATTERN_CELLS end, what lies beyond them
	/// is split off, and a part with a mesh that reaches there is refused.
	const rbl_pattern *pattern;

	/// The impact: where the pattern's origin goes. Default the origin.
	rbl_vec3d position;

	/// Moves the pattern's origin away from there, so that courses of bricks go on from one impact
	/// to the next. Default 0, 0, 0.
	rbl_vec3d pattern_offset;

	/// Shapes the pattern around its origin: any matrix with an inverse. Default the identity.
	rbl_mat3d shape;

	/// A random rotation of the pattern before `shape`; 0: none. Default 0.
	uint64_t rotation_seed;

	/// Radius of the impact, > 0. Parts outside are not touched, and what lies outside of parts
	/// that are cut stays with the rest. INFINITY breaks everything. Default INFINITY.
	double radius;

	/// Only parts of this material are cut: its place in the compound's table; -1: all. So glass
	/// that is hit does not break the wall around it. Default -1.
	int material;

	/// How convexes fit around meshes. Default RBL_FIT_26.
	rbl_fit fit;

	/// How cut faces look.
	rbl_inner_look inner;

	/// Replace the parts that fill a cell by one convex, where none of them has a mesh and all are
	/// of one material. Default true.
	bool welds;

	/// The most cuts that it may take: one for each cell and each touched part that it meets, and
	/// one for ten triangles of a mesh cut by a cell. Cells and parts are counted before anything
	/// is cut, and more are refused then; too many triangles end the work, and the compound is as
	/// it was. A cut takes 5 to 15 kB of memory. > 0, default RBL_CUT_LIMIT.
	int cut_limit;

	/// Workers; NULL: the caller's thread. The result is the same bits.
	rbl_jobs *jobs;

	/// Filled by rbl_default_break_def(). Leave it alone.
	uint32_t cookie;
} rbl_break_def;

/// @return a definition without a pattern. Threads: any.
RBL_API rbl_break_def rbl_default_break_def(void);

/// What broke off a compound.
typedef struct rbl_break rbl_break;

/// Two parts of different compounds that overlap: a mesh may fall into several pieces in one cell,
/// and the convexes around them may overlap.
typedef struct rbl_break_overlap {
	/// Index of the compound in rbl_break_data, -1 for what remains; and the part.
	int compound_a, part_a;
	int compound_b, part_b;
} rbl_break_overlap;

/// A break as it is seen. The arrays live as long as it does.
typedef struct rbl_break_data {
	/// What came off, in the coordinates of the broken compound. Taken ones are NULL.
	int compound_count;
	rbl_compound *const *compounds;

	/// Overlaps between different compounds.
	int overlap_count;
	const rbl_break_overlap *overlaps;

	/// Parts that were cut, and parts that came of them.
	int touched_count, made_count;

	/// Numbers of the parts that are not in the compound any more, since they were cut or came off
	/// as they were: each once. Numbers may be those of new parts by now.
	int gone_count;
	const int *gone_parts;

	/// Cells that were welded.
	int welded_count;

	/// Convexes that had too many faces and were replaced by an outer approximation.
	int approximate_count;

	/// Slices thinner than rounding (1e-12 of their part's volume) that were left out, and their
	/// volume.
	int flat_count;
	double flat_volume;

	/// Cuts of a part by a cell, pairs of faces tested, and parts that the search for components
	/// looked at: what the break cost. None depends on what lies far from it.
	int cut_count, tested_count, visited_count;

	/// Triangles of the meshes of parts that were cut, likewise.
	int triangle_count;
} rbl_break_data;

/// Break a compound. What remains stays in it: all that lies outside of the radius, as far as it
/// still hangs together; where the rest falls apart, the part that is largest to search keeps the
/// name. A compound of which nothing remains has no parts. Where nothing comes apart nothing
/// changes.
/// @param broken  receives what broke off, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_LIMIT_REACHED (more than cut_limit, among others; the log
///         says how many), RBL_OUT_OF_MEMORY (the compound is as it was)
/// Threads: one call on a compound at a time. Cost: O(n log n) in what it touches; cells of the
/// pattern that do not meet that cost next to nothing.
RBL_API rbl_result rbl_compound_break(rbl_compound *compound, const rbl_break_def *def,
                                      rbl_break **broken);

/// Begin to break a compound beside other work, see rubble/task.h: in slices, or on other threads.
/// The compound does not change before rbl_finish_break(), and may be read and saved meanwhile, as
/// it is. When it changes by another break, the work begins anew with what is left of it: two hits
/// give the same as one after the other, in the order in which they finish. When it is destroyed,
/// the break has nothing to do any more and can only be destroyed. Budgets count about the cuts of
/// a convex by a cell, or ten triangles of a mesh clipped.
/// @param def   read now; its pattern and jobs as long as the break is pending
/// @param task  receives the break, the caller's to finish or destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: one call on a compound and its tasks at a time, any thread.
RBL_API rbl_result rbl_begin_break(rbl_compound *compound, const rbl_break_def *def,
                                   rbl_task **task);

/// Do what is left, change the compound, and destroy the task unless it fails. The result is that
/// of rbl_compound_break(), whatever budgets and threads the work was done in.
/// @param broken  receives what broke off, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY (it can be tried again)
/// Threads: one call on a compound and its tasks at a time, any thread.
RBL_API rbl_result rbl_finish_break(rbl_task *task, rbl_break **broken);

/// Remove bonds, and let go what no longer hangs together. Without bonds: look through the whole
/// compound once, as after making one of parts that do not touch.
/// @param parts   two parts for each bond; pairs without a bond are skipped
/// @param broken  receives what came off, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (the compound is as it was)
/// Threads: one call on a compound at a time. Cost: that of what detaches, not of the whole.
RBL_API rbl_result rbl_compound_break_bonds(rbl_compound *compound, const int *parts,
                                            int bond_count, rbl_break **broken);

/// @return what came of a break; all zero for NULL. Threads: any.
RBL_API rbl_break_data rbl_break_get_data(const rbl_break *broken);

/// Take a compound out of a break: it is the caller's to destroy. @return NULL when out of range or
/// taken already. Threads: one call on a break at a time.
RBL_API rbl_compound *rbl_break_take(rbl_break *broken, int compound);

/// Destroy a break, and the compounds that were not taken. NULL is fine.
RBL_API void rbl_destroy_break(rbl_break *broken);
