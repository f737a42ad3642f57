// SPDX-License-Identifier: MIT
// Tetrahedral meshes: the type, its boundary, and a generator that fills closed surfaces.
#pragma once

#include <rubble/base.h>
#include <rubble/mesh.h>
#include <rubble/types.h>

/// A tetrahedral mesh with adjacency and boundary. It never changes after creation, so threads may
/// share one.
typedef struct rbl_tets rbl_tets;

/// The most vertices or tetrahedra a tetrahedral mesh may have.
#define RBL_MAX_TETS 0x0fffffff

/// How to make a tetrahedral mesh from arrays. Start from rbl_default_tets_def().
typedef struct rbl_tets_def {
	/// Number of positions.
	int vertex_count;

	/// Metres, all finite.
	const rbl_vec3d *positions;

	/// Number of tetrahedra, 1 to RBL_MAX_TETS.
	int tet_count;

	/// Four vertices per tetrahedron. Seen from outside the face opposite to the fourth, the first
	/// three run clockwise: its volume, dot(cross(b - a, c - a), d - a) / 6, is positive.
	const int *tet_vertices;

	/// Turn round tetrahedra of negative volume instead of refusing them. Default false.
	bool mend_orientation;

	/// Memory of the mesh and, during the call, of the work.
	rbl_allocator allocator;

	/// Filled by rbl_default_tets_def(). Leave it alone.
	uint32_t cookie;
} rbl_tets_def;

/// A look into a tetrahedral mesh. The arrays live as long as the mesh.
typedef struct rbl_tets_data {
	int vertex_count;
	const rbl_vec3d *positions;

	int tet_count;

	/// Four vertices per tetrahedron, as in rbl_tets_def.
	const int *tet_vertices;

	/// Four neighbours per tetrahedron: number i shares the face opposite to vertex i; -1 none.
	const int *tet_neighbors;

	/// Number of vertices of the boundary surface. Where the solid touches itself at a vertex or an
	/// edge, the boundary has a vertex for each side, so that it is always a closed manifold.
	int boundary_vertex_count;

	/// The vertex of the mesh for each vertex of the boundary.
	const int *boundary_vertices;

	/// Number of boundary triangles.
	int boundary_face_count;

	/// Three boundary vertices per triangle, counter-clockwise from outside.
	const int *boundary_triangles;

	/// The tetrahedron behind each triangle.
	const int *boundary_tets;
} rbl_tets_data;

/// @return a definition without tetrahedra. Threads: any.
RBL_API rbl_tets_def rbl_default_tets_def(void);

/// Make a tetrahedral mesh: copy it, find neighbours and boundary.
/// @param def   read during the call only
/// @param tets  receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK; RBL_BAD_ARGUMENT (an index, a position); RBL_BAD_MESH (a tetrahedron without or
///         with negative volume by exact test, a face with more than two tetrahedra, or two on the
///         same side; the log names them); RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_create_tets(const rbl_tets_def *def, rbl_tets **tets);

/// Destroy a tetrahedral mesh. NULL is fine.
RBL_API void rbl_destroy_tets(rbl_tets *tets);

/// @return the arrays of a tetrahedral mesh. Threads: any.
RBL_API rbl_tets_data rbl_tets_get_data(const rbl_tets *tets);

/// Make a mesh of the boundary: vertices and triangles in the order of the view, so that its maps
/// hold for the mesh, too.
/// @param allocator  memory of the mesh, NULL for the process's default
/// @param mesh       receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_tets_create_boundary_mesh(const rbl_tets *tets,
                                                 const rbl_allocator *allocator, rbl_mesh **mesh);

/// How well-shaped tetrahedra are.
typedef struct rbl_tets_quality {
	/// The smallest and the largest angle between two faces of a tetrahedron, in radians. All
	/// angles of a regular one are 1.231 (70.5 degrees).
	double smallest_angle, largest_angle;

	/// Sum of all volumes, and the smallest.
	double volume, smallest_volume;

	/// The shortest and the longest edge.
	double shortest_edge, longest_edge;
} rbl_tets_quality;

/// @return the quality of a tetrahedral mesh. Threads: any. Cost: O(n).
RBL_API rbl_tets_quality rbl_tets_get_quality(const rbl_tets *tets);

/// How to fill a closed mesh. Start from rbl_default_fill_def().
typedef struct rbl_fill_def {
	/// The surface: closed, manifold and oriented outwards. Parts may overlap. Not changed.
	const rbl_mesh *mesh;

	/// The longest edge of tetrahedra away from the surface, in metres, > 0. Default 0.1.
	double edge_length;

	/// How far the mesh may lie from the boundary of the tetrahedra before that counts as a lost
	/// feature, in edge lengths, 0 to 100. Corners of a cube are cut off by up to 1.05, sharper
	/// ones by more, at any edge length. Default 1.25.
	double loss_tolerance;

	/// How often edge_length may be halved when parts of the mesh would be lost, 0 to 6. Default 2.
	int refine_limit;

	/// Return what could be filled even when parts are lost; the report says what. Default false.
	bool allow_loss;

	/// Memory of the result and, during the call, of the work.
	rbl_allocator allocator;

	/// Filled by rbl_default_fill_def(). Leave it alone.
	uint32_t cookie;
} rbl_fill_def;

/// What a filling is like.
typedef struct rbl_fill_report {
	/// The edge length that was used, and how often it was halved to get there.
	double edge_length;
	int refine_count;

	/// Number of tetrahedra.
	int tet_count;

	/// As in rbl_tets_quality.
	double smallest_angle, largest_angle;

	/// Volume of the tetrahedra, and of the mesh.
	double volume, mesh_volume;

	/// How far the boundary strays from the mesh, and the mesh from the boundary, at most over
	/// samples. Sharp edges and corners are cut off, so these shrink with the edge length.
	double boundary_distance, mesh_distance;

	/// Samples of the mesh that are farther from the boundary than loss_tolerance: features that
	/// are too thin or too sharp. And where the farthest one is.
	int lost_count;
	rbl_vec3d lost_position;

	/// Whether components or handles of the boundary differ from the mesh's, which happens where
	/// walls or gaps are thinner than the edge length. Not known for parts that overlap.
	bool topology_differs;
} rbl_fill_report;

/// @return a definition without a mesh. Threads: any.
RBL_API rbl_fill_def rbl_default_fill_def(void);

/// Fill a closed mesh with tetrahedra whose angles are bounded: between faces about 10 degrees at
/// least and 165 at most, whatever the mesh. Sharp features are cut off within an edge length.
/// Walls, gaps and spikes that would be lost make the filling finer, up to refine_limit, or are
/// an error.
/// @param tets    receives the tetrahedra, the caller's to destroy; NULL on failure
/// @param report  receives the report, also when features are lost; may be NULL
/// @return RBL_OK; RBL_BAD_ARGUMENT (the log names the field); RBL_BAD_MESH (not closed, inside
///         out, or too thin: the log says where); RBL_LIMIT_REACHED (edge_length is too small for
///         the size of the mesh); RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(volume / edge_length^3 + faces), meant for load time.
RBL_API rbl_result rbl_fill_mesh(const rbl_fill_def *def, rbl_tets **tets, rbl_fill_report *report);
