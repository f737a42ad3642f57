// SPDX-License-Identifier: MIT
// Clipping a convex polyhedron by half-spaces: its working form.
#pragma once

#include <rubble/base.h>
#include <rubble/types.h>

/// A convex polyhedron in which every vertex has exactly three faces, so that a cut is a few
/// lines. Where more than three planes meet in a point, several vertices share its place.
/// Arrays grow as needed. After an allocation failed, the polyhedron is unusable until the next
/// rbl_clipper_start_box() or rbl_clipper_clear().
typedef struct rbl_clipper {
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
} rbl_clipper;

/// Set up; nothing is allocated yet.
void rbl_clipper_init(rbl_clipper *clipper, const rbl_allocator *allocator);

/// Free everything.
void rbl_clipper_destroy(rbl_clipper *clipper);

/// Reserve memory. @return false when memory ran out.
bool rbl_clipper_reserve(rbl_clipper *clipper, int face_count, int vertex_count);

/// Clear, and reserve memory. @return false when memory ran out
bool rbl_clipper_clear(rbl_clipper *clipper, int face_count, int vertex_count);

/// Become a box; face k of 6 (-x, +x, -y, +y, -z, +z) gets tag first_tag + k.
/// @return false when memory ran out
bool rbl_clipper_start_box(rbl_clipper *clipper, rbl_boxd box, uint64_t first_tag);

/// Become a copy of another. @return false when memory ran out
bool rbl_clipper_copy(rbl_clipper *clipper, const rbl_clipper *from);

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
rbl_cut_result rbl_clipper_cut(rbl_clipper *clipper, rbl_planed plane, double tolerance,
                               uint64_t tag);

/// Forget faces without vertices. Keeps the order of the others.
void rbl_clipper_compact(rbl_clipper *clipper);

/// Write the corners of all faces as loops, counter-clockwise from outside. Face f has the corners
/// face_starts[f] to face_starts[f + 1] - 1; corner_faces, unless NULL, receives the face beyond
/// the edge from this corner to the next. There are 3 * vertex_count corners. Compact first.
void rbl_clipper_loops(rbl_clipper *clipper, int *face_starts, int *corner_vertices,
                       int *corner_faces);

/// Fill faces and links from loops as rbl_clipper_loops() writes them; memory, counts, planes and
/// positions are the caller's.
void rbl_clipper_link(rbl_clipper *clipper, const int *face_starts, const int *corner_vertices,
                      const int *corner_faces);

/// @return the volume; `centre`, unless NULL, receives the centre of mass. Compact first is not
/// needed.
double rbl_clipper_volume(const rbl_clipper *clipper, rbl_vec3d *centre);
