// SPDX-License-Identifier: MIT
// Convex polyhedra: what pieces collide as, and what planes cut in microseconds.
#pragma once

#include <rubble/base.h>
#include <rubble/mesh.h>
#include <rubble/types.h>

/// The most faces a convex may have. What would have more is replaced by an outer approximation:
/// the faces of largest area within the box around it, see rbl_convex_data.
#define RBL_MAX_CONVEX_FACES 128

/// The most vertices: each has three faces, so Euler's formula bounds them.
#define RBL_MAX_CONVEX_VERTICES (2 * RBL_MAX_CONVEX_FACES - 4)

/// The most corners: three per vertex.
#define RBL_MAX_CONVEX_CORNERS (3 * RBL_MAX_CONVEX_VERTICES)

/// The plane id of a face that nothing is known of: never equal to another's.
#define RBL_NO_PLANE_ID UINT64_MAX

/// A convex polyhedron in double precision. It never changes after creation, so threads may share
/// one.
typedef struct rbl_convex rbl_convex;

/// A convex as it is seen; the arrays live as long as it does.
typedef struct rbl_convex_data {
	/// Number of faces, 4 to RBL_MAX_CONVEX_FACES.
	int face_count;

	/// The plane of each face: unit normal outward.
	const rbl_planed *planes;

	/// Where each plane came from: faces with equal ids lie in one plane, looking the same way or
	/// opposite ways. RBL_NO_PLANE_ID when unknown.
	const uint64_t *plane_ids;

	/// Number of vertices: 2 * face_count - 4, exactly three faces each. Where more planes meet in
	/// a point, several vertices share its place.
	int vertex_count;

	/// The vertices.
	const rbl_vec3d *vertices;

	/// Face f has the corners face_starts[f] to face_starts[f + 1] - 1, counter-clockwise from
	/// outside.
	const int *face_starts;

	/// The vertex of each corner.
	const int *corner_vertices;

	/// The face beyond the edge from each corner to the next.
	const int *corner_faces;

	/// Whether this is the outer approximation of something with too many faces.
	bool is_approximate;
} rbl_convex_data;

/// How to make a convex: of a mesh, or of planes. Start from rbl_default_convex_def().
typedef struct rbl_convex_def {
	/// A closed convex mesh: the result is the intersection of its faces' half-spaces. NULL: planes
	/// are used instead. Default NULL.
	const rbl_mesh *mesh;

	/// The intersection of these half-spaces with `box`, any normals but zero. Default none.
	const rbl_planed *planes;

	/// Ids of the planes, or NULL.
	const uint64_t *plane_ids;

	/// Number of planes, 0 to 65536.
	int plane_count;

	/// A finite box with every side > 0. Not read with a mesh. Default -1 to 1.
	rbl_boxd box;

	/// Memory of the convex.
	rbl_allocator allocator;

	/// Filled by rbl_default_convex_def(). Leave it alone.
	uint32_t cookie;
} rbl_convex_def;

/// @return a definition of the cube from -1 to 1. Threads: any.
RBL_API rbl_convex_def rbl_default_convex_def(void);

/// Make a convex.
/// @param convex  receives the convex, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_MESH (not convex by more than 1e-9 of its size, or
///         without volume), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n^2) in faces.
RBL_API rbl_result rbl_create_convex(const rbl_convex_def *def, rbl_convex **convex);

/// Destroy a convex. NULL is fine.
RBL_API void rbl_destroy_convex(rbl_convex *convex);

/// @return the arrays of a convex; they live as long as it does. Threads: any.
RBL_API rbl_convex_data rbl_convex_get_data(const rbl_convex *convex);

/// @return volume, centre and inertia at density 1. Threads: any. Cost: O(n).
RBL_API rbl_mass rbl_convex_get_mass(const rbl_convex *convex);

/// @return the index of the vertex farthest along `direction`, the first of equals.
/// Threads: any. Cost: O(n).
RBL_API int rbl_convex_support(const rbl_convex *convex, rbl_vec3d direction);

/// Cut in two by a plane. The two parts share the cut points bit for bit, and both get a face with
/// `plane_id`. A vertex within 1e-12 of the convex's size counts as on the plane and is not cut
/// off.
/// @param plane  any normal but zero
/// @param front  receives the part where dot(normal, p) > offset, the caller's to destroy, or NULL
///               when there is none; NULL when it is not wanted
/// @param back   the same for the other part
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n), microseconds.
RBL_API rbl_result rbl_convex_cut(const rbl_convex *convex, rbl_planed plane, uint64_t plane_id,
                                  rbl_convex **front, rbl_convex **back);

/// Intersect two convexes.
/// @param result_convex  receives the intersection, the caller's to destroy, or NULL when it has no
///                       volume
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n m), microseconds.
RBL_API rbl_result rbl_convex_intersect(const rbl_convex *a, const rbl_convex *b,
                                        rbl_convex **result_convex);

/// Make a mesh of a convex: one polygon per face, no attributes.
/// @param allocator  memory of the mesh, NULL for the process's default
/// @param mesh       receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_convex_create_mesh(const rbl_convex *convex, const rbl_allocator *allocator,
                                          rbl_mesh **mesh);
