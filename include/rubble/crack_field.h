// SPDX-License-Identifier: MIT
// Distance fields for cracks from elsewhere: a tetrahedral mesh that some other fracture code
// breaks.
//
// The code that computes cracks says in which part each node of the mesh is, and by which planes
// tetrahedra are cut. Then distances and directions are known for every fragment, at any point,
// after any number of breaks. Nothing is meshed anew, and only what has broken is computed anew.
#pragma once

#include <rubble/base.h>
#include <rubble/field.h>
#include <rubble/tets.h>
#include <rubble/types.h>

/// Distances in all fragments of one tetrahedral mesh. Between breaks threads may share one.
typedef struct rbl_crack_field rbl_crack_field;

/// The most fragments of a field, those that have broken further included.
#define RBL_MAX_CRACK_FRAGMENTS 0xfffff

/// The largest coordinate of a node, in metres.
#define RBL_MAX_CRACK_COORDINATE 1e6

/// How to make a crack field. Start from rbl_default_crack_field_def().
typedef struct rbl_crack_field_def {
	/// The body before it breaks. Its boundary is the surface. Read during the call only.
	const rbl_tets *tets;

	/// The point of the mesh that becomes the origin of all points and planes. Default 0, 0, 0.
	rbl_vec3d origin;

	/// Cells along the longest side of the grid that finds tetrahedra, 1 to 256; 0: about the mean
	/// length of edges. Fragments that are not convex have a bit for each of its cells. Default 0.
	int grid_size;

	/// Memory of the field.
	rbl_allocator allocator;

	/// Filled by rbl_default_crack_field_def(). Leave it alone.
	uint32_t cookie;
} rbl_crack_field_def;

/// @return a definition without a mesh. Threads: any.
RBL_API rbl_crack_field_def rbl_default_crack_field_def(void);

/// Make the field of a body that is whole: all of it is fragment 0.
/// @param field  receives the field, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n log n), meant for load time.
RBL_API rbl_result rbl_create_crack_field(const rbl_crack_field_def *def, rbl_crack_field **field);

/// Destroy a field. NULL is fine.
RBL_API void rbl_destroy_crack_field(rbl_crack_field *field);

/// A crack in a tetrahedron: what lies behind a plane is in one part, what lies in front of it in
/// another. Where several cracks of a tetrahedron name a part, it is what lies on its side of all
/// of them. Any number of cracks may cut an edge, in one break or in several.
typedef struct rbl_crack_cut {
	int tet;

	/// Index into the planes of the break; -1: all that the tetrahedron has of what breaks is in
	/// part `back`. That must be said where none of its nodes, and no crack, says so.
	int plane;

	/// The parts, 0 to part_count - 1. `front` is not read without a plane.
	int back, front;
} rbl_crack_cut;

/// How a fragment breaks.
typedef struct rbl_crack_break {
	/// What breaks; it is no fragment any more afterwards.
	int fragment;

	/// Into how many, 1 or more.
	int part_count;

	/// By node of the mesh: its part. Nodes of other fragments are not read. Parts may have no
	/// node.
	const int *node_parts;

	/// Planes of cracks, any normals but zero: one for a flat crack, or one for each tetrahedron of
	/// a curved one. The same plane may cut many tetrahedra.
	const rbl_plane *planes;
	int plane_count;

	/// Where they cut.
	const rbl_crack_cut *cuts;
	int cut_count;

	/// Every plane bounds the parts that it names as a whole: nothing of them lies beyond it, as in
	/// the cells of a pattern. Then a break takes a fraction of the time and queries cull more. It
	/// is checked at nodes, and believed in between. False for cracks that are curved, or end
	/// inside a part.
	bool has_cell_planes;
} rbl_crack_break;

/// Break a fragment: parts become fragments with new numbers, one after another.
/// @param first_fragment  receives the number of the first part
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the node, tetrahedron or plane: out of range, on
///         the wrong side, nodes of two parts that no crack keeps apart, ...), RBL_LIMIT_REACHED,
///         RBL_OUT_OF_MEMORY. On failure nothing has changed.
/// Threads: one call per field at once, none beside it. Cost: O(n) in nodes and cut tetrahedra of
/// the fragment.
RBL_API rbl_result rbl_crack_field_break(rbl_crack_field *field, const rbl_crack_break *def,
                                         int *first_fragment);

/// @return one more than the highest number of a fragment. Threads: any.
RBL_API int rbl_crack_field_fragment_count(const rbl_crack_field *field);

/// @return whether a number is that of a fragment that has not broken further. Threads: any.
RBL_API bool rbl_crack_field_has_fragment(const rbl_crack_field *field, int fragment);

/// What is known at the nodes; until the next break.
typedef struct rbl_crack_nodes {
	int node_count;

	/// The fragment of each node.
	const int *fragments;

	/// How deep each node lies in its fragment: the distance from the nearest crack or surface.
	const float *depths;
} rbl_crack_nodes;

/// @return what is known at the nodes. Threads: any.
RBL_API rbl_crack_nodes rbl_crack_field_get_nodes(const rbl_crack_field *field);

/// Measure points by a fragment.
///
/// Inside, a distance is that from the nearest surface or crack which one of the nodes around the
/// point is nearest to: never less deep than it is, and exact at nodes. Outside it is that from the
/// mesh, the fragment's planes, box and cells, whichever is greatest, and among other fragments
/// that from where the point's own fragment ends.
/// @param points     around the field's origin
/// @param distances  receives signed distances, negative inside
/// @param bounds     receives for each how far the true distance may be below it; NULL: not wanted
/// @param gradients  receives unit vectors that point away from the fragment; NULL: not wanted
/// @return RBL_OK, RBL_BAD_ARGUMENT (no such fragment, NULL)
/// Threads: any. Cost: about 0.2 us a point near the fragment, less far away.
RBL_API rbl_result rbl_crack_field_evaluate(const rbl_crack_field *field, int fragment,
                                            const rbl_vec3 *points, int count, float *distances,
                                            float *bounds, rbl_vec3 *gradients);

/// Make the distance field of a fragment: for the questions of rubble/field.h, and for contacts.
/// @param cracks     must outlive the field. When the fragment breaks further, all points become
///                   infinitely far from it
/// @param transform  from the coordinates of the fragment's body to those of the crack field
/// @param allocator  memory of the field, NULL for the process's default
/// @param field      receives the field, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (no such fragment, a transform that is none), RBL_OUT_OF_MEMORY
/// Threads: any.
RBL_API rbl_result rbl_create_crack_fragment_field(const rbl_crack_field *cracks, int fragment,
                                                   rbl_transform transform,
                                                   const rbl_allocator *allocator,
                                                   rbl_distance_field **field);

/// Which points of a fragment touch others.
typedef enum rbl_crack_points {
	/// Nodes of the surface, and where cracks cut edges and meet each other.
	RBL_CRACK_POINTS_SURFACE = 0,

	/// All nodes besides: a tree of them can be split at the next break, as Glondu et al. do.
	RBL_CRACK_POINTS_ALL,
} rbl_crack_points;

/// List points of a fragment with names that last: a point has the same in every later fragment
/// that it is in, and no other point of that has it.
/// @param positions  receives the points, around the field's origin; NULL to count them only
/// @param ids        receives their names, below 2^31
/// @param capacity   room in both
/// @param count      receives how many there are, also beyond the room
/// @return RBL_OK, RBL_BAD_ARGUMENT (no such fragment, NULL), RBL_LIMIT_REACHED (room is short, or
///         names would pass 2^31), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n) in nodes and cut tetrahedra of the fragment.
RBL_API rbl_result rbl_crack_field_get_points(const rbl_crack_field *field, int fragment,
                                              rbl_crack_points points, rbl_vec3 *positions,
                                              uint32_t *ids, int capacity, int *count);
