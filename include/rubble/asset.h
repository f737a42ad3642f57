// SPDX-License-Identifier: MIT
// Assets: a mesh prepared once, so that it can be broken many times.
#pragma once

#include <rubble/base.h>
#include <rubble/compound.h>
#include <rubble/convex.h>
#include <rubble/field.h>
#include <rubble/fracture.h>
#include <rubble/jobs.h>
#include <rubble/mesh.h>
#include <rubble/task.h>
#include <rubble/types.h>

/// The most nodes for one preparation.
#define RBL_MAX_NODES 4096

/// The most nodes of all shells together, where their number is given.
#define RBL_MAX_ASSET_NODES 4000000

/// The most materials of an asset.
#define RBL_MAX_ASSET_MATERIALS 1024

/// A prepared mesh: nearly convex pieces, the convexes around them, which of them touch or overlap,
/// and a tree over all. It never changes, so worlds and threads may share one.
typedef struct rbl_asset rbl_asset;

/// How to prepare a mesh. Start from rbl_default_prepare_def().
///
/// Each shell (an outer surface with its voids) is prepared by itself: divided by the Voronoi cells
/// of nodes, and around each piece goes a convex. Shells may overlap each other, as columns and
/// roof of a model that was never welded.
typedef struct rbl_prepare_def {
	/// Nodes in the mesh's coordinates; every shell is divided by all. NULL: they are placed.
	const rbl_vec3d *nodes;

	/// Number of nodes, 0 to RBL_MAX_NODES: of those given, or how many to place in each shell. 0:
	/// as many as the tolerance asks for. Times the shells of the mesh at most RBL_MAX_ASSET_NODES.
	/// Default 0.
	int node_count;

	/// How much larger the convexes of a shell may be than the shell, in sum, as a share of its
	/// volume; > 0. Nodes are added until they fit that well. Default 0.2.
	double tolerance;

	/// The most nodes to place in a shell for the tolerance, 1 to RBL_MAX_NODES. Default 64.
	int node_limit;

	/// Vertices that each convex is fitted with, 4 to 48 (see rbl_create_outer_hull()). Default 32.
	int hull_vertices;

	/// How the faces look that are cut into the mesh. They are flat: parts are connected.
	rbl_inner_look inner;

	/// What the mesh is made of, by its material slots (rbl_mesh_data.face_materials): a part has
	/// the material of the slot that most of its surface has, so glass, wall and beam of one
	/// building break each by its own rule. Slots beyond, and NULL among them: as the body. The
	/// asset keeps them. Default none.
	const rbl_material *const *materials;
	int material_count;

	/// The same seed places the same nodes on every platform. Default 1.
	uint64_t seed;

	/// Cells along the diagonal of the distance field that the asset has besides, as
	/// rbl_distance_field_def.resolution; 0: it has none. Default 0.
	int field_resolution;

	/// The thinnest wall of the mesh in metres for that field, as rbl_distance_field_def.wall; 0:
	/// not known. Default 0.
	double field_wall;

	/// A hierarchy of the parts, from large clusters to small ones, as rbl_compound_cluster() makes
	/// it; `level_count` levels, 0: none. Levels by a pattern divide the parts first, level by
	/// level, so that the asset is broken before anything hits it. Default none.
	const rbl_cluster_level *levels;
	int level_count;

	/// Strength painted on parts and bonds, before the hierarchy.
	rbl_strength_paint paint;

	/// Which parts are fixed to the world, as rbl_compound_anchor() finds them; NULL: none. Default
	/// NULL.
	const rbl_anchor_def *anchors;

	/// An asset of the same mesh and the same number of nodes, or NULL: parts of cells that did not
	/// change are copied from it. So moving a node redoes its neighbours alone. Default NULL.
	const rbl_asset *previous;

	/// Workers; NULL: the caller's thread. The result is the same bits.
	rbl_jobs *jobs;

	/// Memory of the asset, also used by workers.
	rbl_allocator allocator;

	/// Filled by rbl_default_prepare_def(). Leave it alone.
	uint32_t cookie;
} rbl_prepare_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_prepare_def rbl_default_prepare_def(void);

/// Prepare a closed mesh. Every part is closed and has a positive volume.
/// @param mesh   read during the call only
/// @param asset  receives the asset, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_MESH (open, inside out, or crossing itself so that
///         parts would be inside out; the log says where), RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: tens to hundreds of milliseconds for 70,000 triangles, meant for load time.
RBL_API rbl_result rbl_prepare(const rbl_mesh *mesh, const rbl_prepare_def *def, rbl_asset **asset);

/// Begin to prepare a mesh beside other work, see rubble/task.h. Budgets count about the cuts of a
/// convex by a cell, or ten triangles clipped. The search for shells of the whole mesh takes six
/// steps that are not divided further; a distance field is one step more.
/// @param mesh  read until the task is finished or destroyed
/// @param def   read now; its levels, anchors, paint, previous asset and jobs as long as the task
/// @param task  receives the task, the caller's to finish or destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any.
RBL_API rbl_result rbl_begin_prepare(const rbl_mesh *mesh, const rbl_prepare_def *def,
                                     rbl_task **task);

/// Do what is left, and destroy the task unless it fails. The asset is that of rbl_prepare(), bit
/// for bit.
/// @param asset  receives the asset, the caller's to destroy; NULL on failure
/// @return as rbl_prepare(); what failed for lack of memory can be tried again
/// Threads: one call on a task at a time, any thread.
RBL_API rbl_result rbl_finish_prepare(rbl_task *task, rbl_asset **asset);

/// Let go of an asset. Bodies that have it keep it until they are gone, too. NULL is fine.
RBL_API void rbl_destroy_asset(rbl_asset *asset);

/// What ended the search for nodes.
typedef enum rbl_prepare_stop {
	/// Nodes, or their number, were given.
	RBL_STOP_GIVEN = 0,
	/// Every shell is within the tolerance.
	RBL_STOP_TOLERANCE,
	/// Some shell has as many nodes as are allowed, and is not within the tolerance.
	RBL_STOP_NODE_LIMIT,
	/// For some shell more nodes did not help any more.
	RBL_STOP_NO_GAIN,
} rbl_prepare_stop;

/// An asset in numbers.
typedef struct rbl_asset_report {
	/// Shells, nodes of all shells, and convexes.
	int shell_count, node_count, part_count;

	/// Parts taken from the previous asset.
	int kept_count;

	/// Bonds between parts: by faces that touch, and by overlap.
	int bond_count, overlap_count;

	/// Ghosts: what two or more parts have in common. Parts that lie in another altogether.
	int ghost_count, covered_count;

	/// Whether some overlaps were left out because there are too many: mass_volume is too large
	/// then.
	bool is_ghost_limited;

	/// Volume of the mesh, and of the visual pieces: each closed component counts.
	double mesh_volume, visual_volume;

	/// Volume of all convexes, and of what remains when common parts count once: that gives mass
	/// and inertia.
	double convex_volume, mass_volume;

	/// The largest of convex_volume over visual_volume of one shell.
	double worst_ratio;

	/// What ended the search, and how many shells are not within the tolerance.
	rbl_prepare_stop stop;
	int loose_count;

	/// A hash of mesh and definition: assets with equal keys are equal.
	uint64_t key;
} rbl_asset_report;

/// @return the numbers; all zero for NULL. Threads: any.
RBL_API rbl_asset_report rbl_asset_get_report(const rbl_asset *asset);

/// @return the compound, to look at. It lives as long as the asset. Threads: any.
RBL_API const rbl_compound *rbl_asset_get_compound(const rbl_asset *asset);

/// Make a compound to break: a copy of the asset's.
/// @param allocator  memory of the compound, NULL for the process's default
/// @param compound   receives the compound, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_asset_create_compound(const rbl_asset *asset, const rbl_allocator *allocator,
                                             rbl_compound **compound);

/// @return the distance field of the mesh, for contacts of the whole and of what breaks off
/// (rubble/compound_field.h); NULL when the asset was prepared without. It lives as long as the
/// asset. Threads: any.
RBL_API const rbl_distance_field *rbl_asset_get_field(const rbl_asset *asset);

/// @return the nodes of all shells, `*count` of them; they live as long as the asset. Threads: any.
RBL_API const rbl_vec3d *rbl_asset_get_nodes(const rbl_asset *asset, int *count);

/// What parts have in common.
typedef struct rbl_ghost {
	/// Its shape; lives as long as the asset.
	const rbl_convex *convex;

	/// How it counts in sums over all convexes: -1 for two parts, 1 for three, and so on.
	int sign;

	/// Number of parts, and two of them: the first and the last.
	int part_count, first_part, last_part;
} rbl_ghost;

/// @return a ghost; all zero out of range. Threads: any.
RBL_API rbl_ghost rbl_asset_get_ghost(const rbl_asset *asset, int ghost);

/// @return volume, centre and inertia at density 1: convexes minus ghosts. Threads: any.
RBL_API rbl_mass rbl_asset_get_mass(const rbl_asset *asset);

// --- as bytes -----------------------------------------------------------------------------------

/// @return the key that an asset of this mesh and definition has; 0 for NULL. So a cache can be
/// looked into before anything is prepared. Threads: any. Cost: O(n).
RBL_API uint64_t rbl_prepare_key(const rbl_mesh *mesh, const rbl_prepare_def *def);

/// Write an asset as one block of bytes, little-endian on every platform, without pointers: it can
/// be moved, mapped or sent as it is. Its distance field, and its materials with their patterns,
/// are written as well; an asset without them is written as earlier versions did, and theirs are
/// read.
/// @param bytes  receives the bytes; NULL to ask for the size only
/// @param size   room in `bytes`; receives the number of bytes
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_LIMIT_REACHED (room is short; `size` says what it takes)
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_asset_save(const rbl_asset *asset, void *bytes, size_t *size);

/// Read an asset back, with materials and patterns of its own. It breaks the same, bit for bit. A
/// block that was cut short or changed anywhere is refused.
/// @param allocator  memory of the asset, NULL for the process's default
/// @param asset      receives the asset, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_FILE, RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY,
///         RBL_BAD_MESH: a part is inside out, as earlier versions of this library made them
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_asset_load(const void *bytes, size_t size, const rbl_allocator *allocator,
                                  rbl_asset **asset);

/// @return whether bytes begin like an asset. Threads: any.
RBL_API bool rbl_is_asset(const void *bytes, size_t size);
