// SPDX-License-Identifier: MIT
// Tetrahedra that come apart: the surface around them follows.
#pragma once

#include <rubble/surface_edit.h>
#include <rubble/tets.h>

/// A tetrahedral mesh whose boundary is a body of a surface, and which faces of it are open.
typedef struct rbl_surface_tets rbl_surface_tets;

/// Add the boundary of a tetrahedral mesh to a surface, and remember what is behind it.
/// @param tets  read during the call only
/// @param body  receives the body, as from rbl_surface_add_tets()
/// @param made  receives the object, the caller's to destroy before the surface; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY
/// Cost: O(n).
RBL_API rbl_result rbl_create_surface_tets(rbl_surface *surface, const rbl_tets *tets,
                                           rbl_surface_body_id *body, rbl_surface_tets **made);

/// Destroy it; the surface stays. NULL is fine.
RBL_API void rbl_destroy_surface_tets(rbl_surface_tets *tets);

/// Take tetrahedra apart at faces between them. Where the tetrahedra around a node fall apart, each
/// further part gets a node of its own; what lies open becomes triangles of the body. Parts that
/// have come apart have no vertex in common, so rbl_surface_split() may make bodies of them.
/// @param body       that has all of the triangles around
/// @param faces      4 t + k names the face of tetrahedron t opposite to its vertex k, from either
///                   side. Those that are open already are left out
/// @param positions  where nodes are that were inside, by node; NULL: where the mesh had them
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log says which), RBL_STALE_ID, RBL_LIMIT_REACHED,
///         RBL_OUT_OF_MEMORY; nothing changes unless it is RBL_OK
/// Cost: O(k log n) for k faces and the tetrahedra around them.
RBL_API rbl_result rbl_surface_tets_separate(rbl_surface_tets *tets, rbl_surface_body_id body,
                                             const int *faces, int count,
                                             const rbl_vec3d *positions);

/// A look at the tetrahedra; the arrays live until the next separation.
typedef struct rbl_surface_tets_data {
	/// Four nodes per tetrahedron. At first they are the vertices of the mesh; new ones follow.
	int tet_count;
	const int *tet_nodes;

	/// The vertex of the mesh that each node comes from.
	int node_count;
	const int *node_vertices;

	/// By vertex id of the surface, below `vertex_end`: its node, -1 where it is of another body.
	int vertex_end;
	const int *vertex_nodes;
} rbl_surface_tets_data;

/// @return the arrays. Threads: any number while nothing changes them.
RBL_API rbl_surface_tets_data rbl_surface_tets_get_data(const rbl_surface_tets *tets);
