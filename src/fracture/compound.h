// SPDX-License-Identifier: MIT
// A compound: parts, bonds, and the tree over the parts.
//
// Parts and bonds live in arrays with free slots. A break costs what it touches, so no step walks
// over all parts. What a search writes into parts and bonds is valid only while its stamp is the
// compound's.
#pragma once

#include "base/memory.h"
#include "base/task.h"
#include "fracture/fracture.h"
#include "fracture/convex_adjacency.h"
#include "tree/tree.h"

#include <rubble/compound.h>

/// A part: a convex and perhaps a mesh in it.
typedef struct rbl_part {
	rbl_convex *convex; // NULL: the place is free
	rbl_mesh *mesh;     // NULL: internal
	rbl_solid *solid;   // the mesh prepared for cutting; NULL: not yet
	double volume;      // of the convex
	rbl_mass visual;    // of the mesh, or of the convex without one
	uint64_t shape;     // a hash of the convex
	double strength;    // energy that breaks it, over what its rule says
	double damage;      // 0 new, 1: the next hit breaks it
	double overlap;     // share of it that counts with other parts, which overlap it
	int material;
	bool is_anchored;
	bool is_rough;  // the mesh has rough faces, which may reach out of the convex
	bool is_piece;  // a break has made it: the next one pays for its solid
	int first_bond; // an end: 2 * bond + side; -1 none. Next free place when free.

	unsigned stamp; // of the search that wrote the rest
	int region;     // that reached it first, or RBL_MEMBER_...
	int first_link; // of the overlay's, -1 none
	int fragment;   // where it goes, and its place there
	int slot;
} rbl_part;

enum {
	RBL_PART_UNVISITED = -1,
	RBL_PART_REMOVED = -2, // cut: its pieces are in the overlay
};

struct rbl_compound {
	rbl_allocator allocator;
	RBL_ARRAY(rbl_part) parts;
	int part_count, first_free_part;
	RBL_ARRAY(rbl_bond) bonds;
	int bond_count, first_free_bond;
	int overlap_count; // bonds whose parts overlap
	int loose_count;   // bonds whose parts were bent
	int anchored_count, approximate_count;
	int worn_count;   // parts and bonds that have damage
	int failed_count; // bonds that are worn through

	double tolerance;
	const rbl_material **materials; // held; NULL among them: as the body
	int material_count;

	/// Plane ids from here on are not in use in this compound, nor in what it came from.
	uint64_t next_plane_id;

	/// Boxes of the tree are about the origin and in units of 1 / scale. Leaves are parts.
	rbl_vec3d origin;
	double scale;
	rbl_tree_pool pool;
	rbl_tree tree;

	unsigned stamp;

	/// Changes with everything that a break depends on.
	unsigned version;

	/// Changes when bonds have become noticeably weaker: estimates depend on it, breaks do not.
	unsigned wear_version;
	struct rbl_pending_break *first_pending;
	rbl_task_group tasks; // of pending breaks

	/// The stress estimate that was last made of it; only compared.
	const void *estimate;
};

/// An empty compound. @return NULL when memory ran out
rbl_compound *rbl_compound_new(const rbl_allocator *allocator, double tolerance,
                               const rbl_material *const *materials, int material_count);

/// Free a compound and not what its parts hold.
void rbl_compound_discard(rbl_compound *compound);

/// Reserve more parts and bonds. @return false when memory ran out (nothing changed)
bool rbl_compound_reserve(rbl_compound *compound, int more_parts, int more_bonds);

/// Fill in what follows from convex and mesh, as far as it is not known: `visual` and `shape`.
void rbl_part_measure(rbl_part *part);

/// Add a part: of `part` what it holds, volume, material and anchor. Bonds and tree come later.
/// Capacity must be reserved. @return its number
int rbl_compound_add_part(rbl_compound *compound, const rbl_part *part);

/// Destroy what a part holds.
void rbl_part_free(const rbl_part *part);

/// Take a part out, with its bonds and its leaf; what it holds is the caller's.
void rbl_compound_remove_part(rbl_compound *compound, int part);

/// Add a bond. Capacity must be reserved.
void rbl_compound_add_bond(rbl_compound *compound, const rbl_bond *bond);

void rbl_compound_remove_bond(rbl_compound *compound, int bond);

/// Note that two parts overlap: on their bond, or on a new one, for which capacity is reserved.
void rbl_compound_add_overlap(rbl_compound *compound, const rbl_adjacent_pair *overlap);

/// @return the bond between two parts, or -1. Cost: O(bonds of the one that has fewer).
int rbl_compound_find_bond(const rbl_compound *compound, int a, int b);

/// Set origin and scale, and build the tree over all parts.
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED
rbl_result rbl_compound_build_tree(rbl_compound *compound, rbl_jobs *jobs);

/// The box of something in the tree's units, rounded outward.
rbl_box rbl_compound_tree_box(const rbl_compound *compound, rbl_boxd box);

/// Find adjacent parts and bond them.
/// @param ids_tell  faces that have a plane id touch none but those of the same
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED
rbl_result rbl_compound_find_bonds(rbl_compound *compound, bool ids_tell, rbl_jobs *jobs);

/// What to look through for the bonds of a compound without gaps. @param convexes  of all parts
rbl_adjacency_query rbl_compound_adjacency_query(const rbl_compound *compound,
                                                 const rbl_convex *const *convexes, rbl_jobs *jobs);

/// Bond parts that touch. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_compound_bond_adjacent(rbl_compound *compound, const rbl_adjacent_pairs *adjacent);

/// The box around a convex.
rbl_boxd rbl_convex_bounds(const rbl_convex *convex);

/// Keep breaks that are pending on a compound from working while it changes. Those that were ready
/// begin anew if it did.
void rbl_compound_hold(rbl_compound *compound);
void rbl_compound_release(rbl_compound *compound, bool has_changed);

/// The compound goes: breaks that are pending on it have nothing to do any more.
void rbl_compound_forget_pending(rbl_compound *compound);

/// Begin a search: what earlier ones wrote is forgotten.
void rbl_compound_new_stamp(rbl_compound *compound);

/// @return the index of the first of ascending numbers that is not below a value.
static inline int rbl_lower_bound(const int *numbers, int count, int value)
{
	int low = 0;
	for (int high = count; low < high;) {
		int middle = (low + high) / 2;
		if (numbers[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static inline bool rbl_compound_has(const rbl_compound *compound, int part)
{
	return part >= 0 && part < compound->parts.count && compound->parts.data[part].convex != NULL;
}
