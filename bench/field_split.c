// SPDX-License-Identifier: MIT
//
// The order of a fragment is what the tree of the whole has of it, and then what the crack has
// added. A point whose parent is in another fragment takes the nearest ancestor that is not, or the
// first point; a point on a crack takes the nearest of the first 32.

#include "field_split.h"

#include "base/vec.h"

static void add_on_crack(split_fragment *fragment, int index)
{
	enum { CANDIDATES = 32 };
	int best = fragment->filled > 0 ? 0 : -1;
	float least = FLT_MAX;
	for (int i = 0; i < fragment->filled && i < CANDIDATES; ++i) {
		rbl_vec3 other = fragment->positions[fragment->order[i]];
		float square = rbl_length_squared(rbl_sub(other, fragment->positions[index]));
		if (square < least)
			least = square, best = i;
	}
	fragment->order[fragment->filled] = index;
	fragment->parents[fragment->filled++] = best;
}

void split_by_tags(const rbl_sphere_tree *tree, const int *tags, const int *locals,
                   split_fragment *fragments, int fragment_count, int *scratch)
{
	int *ranks = scratch, *parents = scratch + tree->count; // in the fragment; in the whole
	for (int i = 0; i < fragment_count; ++i)
		fragments[i].filled = 0;
	parents[0] = -1;
	for (int rank = 0; rank < tree->count; ++rank)
		for (int i = tree->child_starts[rank]; i < tree->child_starts[rank + 1]; ++i)
			parents[tree->children[i]] = rank;
	for (int rank = 0; rank < tree->count; ++rank) {
		uint32_t id = tree->ids[rank];
		int tag = tags[id], parent = parents[rank];
		while (parent >= 0 && tags[tree->ids[parent]] != tag)
			parent = parents[parent];
		split_fragment *to = &fragments[tag];
		ranks[rank] = to->filled;
		to->order[to->filled] = locals[id];
		to->parents[to->filled] = parent >= 0 ? ranks[parent] : to->filled > 0 ? 0 : -1;
		to->filled++;
	}
	for (int i = 0; i < fragment_count; ++i)
		for (int k = fragments[i].vertex_count; k < fragments[i].count; ++k)
			add_on_crack(&fragments[i], k);
}
