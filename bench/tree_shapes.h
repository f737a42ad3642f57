// SPDX-License-Identifier: MIT
// Meshes for the suite `tree`: a creature, an apple's shell, a pumpkin, at any resolution.
#pragma once

#include <rubble/types.h>

#include <stddef.h>

typedef struct tree_shape {
	rbl_vec3d *positions;
	int *triangles; // 3 each, closed
	int vertex_count, triangle_count;
} tree_shape;

typedef enum tree_shape_kind {
	TREE_CREATURE, // a long body with legs, head, horns and tail
	TREE_APPLE,    // a hollow apple: two surfaces
	TREE_PUMPKIN,  // ribs
} tree_shape_kind;

/// Make a shape of about this many triangles, always the same ones. Ends the program when
/// memory runs out, as a benchmark may.
tree_shape tree_shape_make(tree_shape_kind kind, int triangle_count);

/// Read a mesh file as triangles. @return a shape without triangles when it is not there
tree_shape tree_shape_read(const char *path);

void tree_shape_free(tree_shape *shape);

/// malloc that ends the program on failure.
void *tree_memory(size_t count, size_t size);
