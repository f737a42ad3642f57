// SPDX-License-Identifier: MIT
//
// The order of a fragment is what the tree of the whole has of it. A point whose parent is in
// another fragment takes the nearest ancestor that is not, or the first point; a point on a crack
// takes the nearest of the first 32. Then radii are found from below.

#include "field_split.h"

#include "base/vec.h"

#include <stdlib.h>

static bool reserve(split_tree *tree, int count)
{
	if (tree->capacity >= count)
		return true;
	split_tree_free(tree);
	tree->positions = malloc((size_t)count * sizeof *tree->positions);
	tree->parents = malloc((size_t)count * sizeof *tree->parents);
	tree->radii = malloc((size_t)count * sizeof *tree->radii);
	tree->capacity = count;
	return tree->positions && tree->parents && tree->radii;
}

void split_tree_free(split_tree *tree)
{
	free(tree->positions);
	free(tree->parents);
	free(tree->radii);
	*tree = (split_tree){ 0 };
}

static void add_on_crack(split_tree *tree, rbl_vec3 p)
{
	enum { CANDIDATES = 32 };
	int best = tree->count > 0 ? 0 : -1;
	float least = FLT_MAX;
	for (int i = 0; i < tree->count && i < CANDIDATES; ++i) {
		float square = rbl_length_squared(rbl_sub(tree->positions[i], p));
		if (square < least)
			least = square, best = i;
	}
	tree->positions[tree->count] = p;
	tree->parents[tree->count++] = best;
}

bool split_by_tags(const rbl_sphere_tree *tree, const int *tags, int fragment_count,
                   const rbl_vec3 *const *added, const int *added_counts, split_tree *trees,
                   int *scratch)
{
	int *ranks = scratch, *parents = scratch + tree->count; // in the fragment; in the whole
	for (int i = 0; i < fragment_count; ++i) {
		trees[i].count = 0;
		if (!reserve(&trees[i], tree->count + added_counts[i]))
			return false;
	}
	parents[0] = -1;
	for (int rank = 0; rank < tree->count; ++rank)
		for (int i = tree->child_starts[rank]; i < tree->child_starts[rank + 1]; ++i)
			parents[tree->children[i]] = rank;
	for (int rank = 0; rank < tree->count; ++rank) {
		int tag = tags[tree->ids[rank]], parent = parents[rank];
		while (parent >= 0 && tags[tree->ids[parent]] != tag)
			parent = parents[parent];
		split_tree *to = &trees[tag];
		ranks[rank] = to->count;
		to->positions[to->count] = tree->positions[rank];
		to->parents[to->count] = parent >= 0 ? ranks[parent] : to->count > 0 ? 0 : -1;
		to->count++;
	}
	for (int i = 0; i < fragment_count; ++i) {
		split_tree *to = &trees[i];
		for (int k = 0; k < added_counts[i]; ++k)
			add_on_crack(to, added[i][k]);
		for (int k = 0; k < to->count; ++k)
			to->radii[k] = 0.0f;
		for (int k = 1; k < to->count; ++k)
			for (int child = k; child > 0; child = to->parents[child]) {
				rbl_vec3 parent = to->positions[to->parents[child]];
				float square = rbl_length_squared(rbl_sub(to->positions[k], parent));
				to->radii[child] = rbl_maxf(to->radii[child], square);
			}
	}
	return true;
}
