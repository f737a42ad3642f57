// SPDX-License-Identifier: MIT
// Boxes for the tests of the tree: from evenly spread to as nasty as boxes get.
#pragma once

#include "tree/tree.h"

#include "base/random.h"

#include <stdlib.h>

typedef enum scene_kind {
	SCENE_EVEN,   // small boxes spread evenly
	SCENE_MIXED,  // sizes over four decades
	SCENE_FLAT,   // all in one plane
	SCENE_LINE,   // exponentially spaced along x: the worst case of a midpoint split
	SCENE_SAME,   // all the same box
	SCENE_POINTS, // boxes without size on a coarse lattice: many ties
	SCENE_KIND_COUNT
} scene_kind;

static inline rbl_box scene_box(scene_kind kind, rbl_random *random)
{
	float x = rbl_random_float(random), y = rbl_random_float(random), z = rbl_random_float(random);
	float size = 0.02f * rbl_random_float(random);
	switch (kind) {
	case SCENE_MIXED:
		for (int i = 0; i < 4 && rbl_random_below(random, 2); ++i)
			size *= 8.0f;
		break;
	case SCENE_FLAT:
		z = 0.5f;
		return (rbl_box){ { x, y, z }, { x + size, y + size, z } };
	case SCENE_LINE:
		for (uint32_t i = rbl_random_below(random, 100); i > 0; --i)
			x *= 0.5f;
		y = z = 0.0f;
		size *= x;
		break;
	case SCENE_SAME:
		x = y = z = 1.0f;
		size = 0.5f;
		break;
	case SCENE_POINTS:
		x = (float)(int)(x * 4.0f), y = (float)(int)(y * 4.0f), z = (float)(int)(z * 4.0f);
		size = 0.0f;
		break;
	default:
		break;
	}
	return (rbl_box){ { x, y, z }, { x + size, y + size, z + size } };
}

static inline rbl_box *scene_boxes(scene_kind kind, int count, uint64_t seed)
{
	rbl_random random = rbl_random_from_seed(seed);
	rbl_box *boxes = malloc((size_t)(count + 1) * sizeof *boxes);
	for (int i = 0; i < count; ++i)
		boxes[i] = scene_box(kind, &random);
	return boxes;
}

/// A hash of everything in a tree that a user can see: references, boxes, heights, in the order
/// of a walk from the root, so that node indices do not matter.
static inline uint64_t scene_tree_hash(const rbl_tree *tree)
{
	uint64_t hash = 14695981039346656037u;
	uint32_t stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	if (tree->root != RBL_TREE_NONE)
		stack[top++] = tree->root;
	while (top > 0) {
		uint32_t reference = stack[--top];
		if (rbl_tree_is_leaf(reference)) {
			hash = (hash ^ reference) * 1099511628211u;
			continue;
		}
		const rbl_tree_node *node = &tree->pool->nodes[reference];
		uint32_t words[12];
		memcpy(words, node->boxes, sizeof words);
		for (int i = 0; i < 12; ++i)
			hash = (hash ^ words[i]) * 1099511628211u;
		hash = (hash ^ node->height) * 1099511628211u;
		stack[top++] = node->children[1];
		stack[top++] = node->children[0];
	}
	return hash;
}
