// SPDX-License-Identifier: MIT
// The working form of a convex polyhedron while planes cut it.
#pragma once

#include <rubble/base.h>
#include <rubble/types.h>

/// A convex polyhedron in which every vertex has exactly three faces, so that a cut is a few
/// lines. Where more than three planes meet in a point, several vertices share its place.
/// Room grows as needed. After an allocation failed, the polyhedron is unusable until the next
/// rbl_carving_start_box() or rbl_carving_clear().
typedef struct rbl_carving {
	rbl_allocator allocator;

	/// Faces, alive or not: a face that lost all its vertices stays until compaction. Planes have
	/// unit normals pointing outward; tags are the caller's.
	int face_count, face_capacity;
	rbl_planed *planes;
	uint64_t *tags;

	/// Vertices, without gaps. Vertex v has the faces faces[3 v] to faces[3 v + 2], counter-
	/// clockwise seen from outside, and links[3 v + k] is the vertex at the other end of the edge
	/// between its faces k and k + 1 (mod 3).
	int vertex_count, vertex_capacity;
	double *x, *y, *z;
	int *faces, *links;

	/// Scratch of a cut: signed distances, then per cut edge the new vertex.
	double *sides;
	int *marks; // per vertex
	int *holes; // removed vertices, ascending
	int *cuts;  // per cut edge: face p, face q, kept vertex, its link slot
	rbl_vec3d *points;
	int *face_stamps; // per face
	int stamp;
} rbl_carving;

/// Set up; nothing is allocated yet.
void rbl_carving_init(rbl_carving *carving, const rbl_allocator *allocator);

/// Free everything.
void rbl_carving_destroy(rbl_carving *carving);

/// Make room. @return false when memory ran out.
bool rbl_carving_reserve(rbl_carving *carving, int face_count, int vertex_count);

/// Forget what there was, and make room. @return false when memory ran out
bool rbl_carving_clear(rbl_carving *carving, int face_count, int vertex_count);

/// Become a box; face k of 6 (-x, +x, -y, +y, -z, +z) gets tag first_tag + k.
/// @return false when memory ran out
bool rbl_carving_start_box(rbl_carving *carving, rbl_boxd box, uint64_t first_tag);

/// Become a copy of another. @return false when memory ran out
bool rbl_carving_copy(rbl_carving *carving, const rbl_carving *from);

/// What a cut did.
typedef enum rbl_cut_result {
	RBL_CUT_MISSED, // nothing lies beyond the plane
	RBL_CUT_DONE,
	RBL_CUT_EMPTY, // everything lies beyond the plane: no vertex is left
	RBL_CUT_NO_MEMORY,
} rbl_cut_result;

/// Cut away what lies more than `tolerance` beyond the plane (unit normal). Vertices within the
/// tolerance stay, so a plane along a face or through an edge cuts nothing. Whatever rounding
/// does to the signs, the result is a closed polyhedron with one new face.
rbl_cut_result rbl_carving_cut(rbl_carving *carving, rbl_planed plane, double tolerance,
                               uint64_t tag);

/// Forget faces without vertices. Keeps the order of the others.
void rbl_carving_compact(rbl_carving *carving);

/// Write the corners of all faces as loops, counter-clockwise from outside. Face f has the corners
/// face_starts[f] to face_starts[f + 1] - 1; corner_faces, unless NULL, receives the face beyond
/// the edge from this corner to the next. There are 3 * vertex_count corners. Compact first.
void rbl_carving_loops(rbl_carving *carving, int *face_starts, int *corner_vertices,
                       int *corner_faces);

/// Fill faces and links from loops as rbl_carving_loops() writes them; room, counts, planes and
/// positions are the caller's.
void rbl_carving_link(rbl_carving *carving, const int *face_starts, const int *corner_vertices,
                      const int *corner_faces);

/// @return the volume; `centre`, unless NULL, receives the centre of mass. Compact first is not
/// needed.
double rbl_carving_volume(const rbl_carving *carving, rbl_vec3d *centre);
