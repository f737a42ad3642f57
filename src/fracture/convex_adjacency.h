// SPDX-License-Identifier: MIT
// Adjacency of convexes: faces that are coplanar, face each other and overlap.
#pragma once

#include "base/memory.h"
#include "geometry/geometry.h"

#include <rubble/jobs.h>

/// Two convexes touch.
typedef struct rbl_adjacent_pair {
	int a, b;           // a < b, indices of the convexes
	int face_a, face_b; // the two faces; -1 when they only overlap
	double area;        // of their overlap
	rbl_vec3d centre;   // of it
	bool is_overlap;    // their insides overlap
	bool is_loose;      // they are joined without touching
} rbl_adjacent_pair;

/// Flags: faces may touch others that have another plane id, or none.
enum {
	RBL_LOOSE_PATTERN = 1, // faces with an id of the pattern
	RBL_LOOSE_OTHERS = 2,  // faces with another id
};

/// What to look through.
typedef struct rbl_adjacency_query {
	int count;
	const rbl_convex *const *convexes;

	/// Only convexes of the same group are compared; NULL: all are of one.
	const int *groups;

	/// Faces from this one on touch nothing, for each convex; NULL: all may.
	const int *face_ends;

	/// Convexes from here on are not compared with each other.
	int fixed_from;

	/// Faces without a common plane id lie in one plane when they are nearer than this share of
	/// the smaller convex's size. An overlap smaller than this share of the smaller face is none.
	double tolerance;

	/// Plane ids in [pattern_begin, pattern_end) are those of one pattern: faces that have two
	/// different ones do not lie in one plane, however near they are. Both 0: there is none.
	uint64_t pattern_begin, pattern_end;

	/// What plane ids do not tell about the faces of each convex: RBL_LOOSE_... flags. Faces of
	/// other ids touch none but those of the same id, unless the other convex is loose. NULL: ids
	/// tell nothing.
	const unsigned char *loose;

	/// Whether two convexes may touch at all, asked before their faces are looked at; NULL: all
	/// may.
	bool (*should_collide)(const void *user, int a, int b);
	const void *user;

	rbl_jobs *jobs;
} rbl_adjacency_query;

typedef struct rbl_adjacent_pairs {
	RBL_ARRAY(rbl_adjacent_pair) items; // ascending by a, then b; one for each pair
	int tested_count;                   // pairs of faces that the search met with
} rbl_adjacent_pairs;

/// Find all adjacent pairs.
/// @param pairs  zero; receives them, to be freed with rbl_array_free(&items)
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED
/// Cost: near-linear in faces: a plane that holds thousands of them, thousands of planes at one
/// distance from the origin, or thousands of convexes within a millionth of the whole, are nothing
/// special.
rbl_result rbl_find_adjacent_pairs(const rbl_allocator *allocator,
                                   const rbl_adjacency_query *search, rbl_adjacent_pairs *pairs);

/// A search in slices.
typedef struct rbl_adjacency_search rbl_adjacency_search;

/// Begin a search. What it is to look through lives as long. @return NULL when memory ran out
rbl_adjacency_search *rbl_adjacency_search_begin(const rbl_allocator *allocator,
                                                 const rbl_adjacency_query *search);

/// Do some of the search; the result does not depend on budgets. The trees of faces are built and
/// queried in three steps, one for each direction; all else is divided as finely as one asks.
/// @param budget    in faces looked at, > 0; less what was done
/// @param pairs     zero; receives all when the search is done
/// @return as rbl_find_adjacent_pairs(); after a failure it can only be ended
rbl_result rbl_adjacency_search_work(rbl_adjacency_search *finder, int *budget,
                                     rbl_adjacent_pairs *pairs, bool *is_done);

/// Forget a search. NULL is fine.
void rbl_adjacency_search_end(rbl_adjacency_search *finder);

/// @return the area of face f.
double rbl_convex_face_area(const rbl_convex_data *convex, int f);

/// The most corners that an overlap of two faces may have.
enum { RBL_MAX_OVERLAP_CORNERS = 4 * RBL_MAX_CONVEX_FACES };

/// What two faces that look at each other share, seen from the front of the first.
/// @param corners  capacity RBL_MAX_OVERLAP_CORNERS
/// @return the number of its corners, 0 for nothing
int rbl_face_overlap(const rbl_convex_data *a, int face_a, const rbl_convex_data *b, int face_b,
                     rbl_vec3d *corners);
