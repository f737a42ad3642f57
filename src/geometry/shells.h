// SPDX-License-Identifier: MIT
// Shells of a closed surface: what each encloses, and which lie inside of which.
#pragma once

#include "base/memory.h"

#include <rubble/types.h>

/// A set of triangles joined over edges.
typedef struct rbl_shell {
	double volume; // zero when it is flat: then the sign would be rounding's
	rbl_boxd bounds;
	int first; // its triangles in the list of the set
} rbl_shell;

/// The shells of a surface. All zero is empty.
typedef struct rbl_shells {
	rbl_allocator allocator;
	const rbl_vec3d *positions; // the caller's, as are the two below
	const int *triangles;       // three vertices each
	const int *shell_of;        // per triangle
	int triangle_count, count;
	rbl_shell *items;              // one more at the end, for its first triangle
	int *list;                     // triangles by shell
	struct rbl_shell_query *query; // of rbl_shells_find_around(), made by its first call
} rbl_shells;

/// Measure shells. @return RBL_OK, RBL_OUT_OF_MEMORY (nothing is left to destroy). Cost: O(n)
rbl_result rbl_shells_create(rbl_shells *shells, const rbl_allocator *allocator,
                             const rbl_vec3d *positions, const int *triangles, int triangle_count,
                             const int *shell_of, int count);

void rbl_shells_destroy(rbl_shells *shells);

/// Find the shells that wind around a shell: their boxes hold its box, their volumes are larger,
/// and they wind around a point of it that lies on none of them. That is one well inside, where
/// shells that touch are far apart, or else the first of its vertices or of the middles of its
/// triangles that will do. A shell that has no such point is inside of nothing.
/// @param around  receives their numbers, in ascending order; space for all shells
/// @param count   receives how many there are
/// @return RBL_OK, RBL_OUT_OF_MEMORY
/// Cost: O(n) once, then that of the triangles over a few points.
rbl_result rbl_shells_find_around(rbl_shells *shells, int shell, int *around, int *count);
