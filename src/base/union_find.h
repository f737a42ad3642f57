// SPDX-License-Identifier: MIT
// Union-find over an array of parents: which things are connected, and by how much they differ.
//
// parents[i] = i makes i a set of its own. Finding halves paths; joining keeps the lower root, so
// that the root of a set is its first member whatever the order of the unions.
#pragma once

#include <stdint.h>

/// Make `count` sets of one member each.
static inline void rbl_union_find_init(int32_t *parents, int count)
{
	for (int i = 0; i < count; ++i)
		parents[i] = i;
}

/// @return the root of the set that `i` is in.
static inline int32_t rbl_union_find_root(int32_t *parents, int32_t i)
{
	while (parents[i] != i)
		i = parents[i] = parents[parents[i]];
	return i;
}

/// Join the sets of `a` and `b`. @return their common root, the lower of the two.
static inline int32_t rbl_union_find_join(int32_t *parents, int32_t a, int32_t b)
{
	a = rbl_union_find_root(parents, a);
	b = rbl_union_find_root(parents, b);
	if (a == b)
		return a;
	int32_t root = a < b ? a : b;
	return parents[a < b ? b : a] = root;
}

/// Union-find with differences: weights[i] is the value of i less that of its parent, 0 for roots,
/// which the caller keeps when it joins sets. @return the root of `i`; weights[i] is now the value
/// of i less that of the root
static inline int32_t rbl_union_find_weighted_root(int32_t *parents, int32_t *weights, int32_t i)
{
	int32_t root = i, sum = 0;
	for (; parents[root] != root; root = parents[root])
		sum += weights[root];
	while (parents[i] != root && i != root) { // path compression
		int32_t next = parents[i], rest = sum - weights[i];
		parents[i] = root;
		weights[i] = sum;
		sum = rest;
		i = next;
	}
	return root;
}
