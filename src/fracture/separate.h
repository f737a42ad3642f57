// SPDX-License-Identifier: MIT
// What no longer hangs together, at the price of what comes off.
#pragma once

#include "fracture/compound.h"

/// A way from one node to another that the compound's bonds do not have.
typedef struct rbl_overlay_link {
	int node;
	int next; // -1: last
} rbl_overlay_link;

/// A compound as it will be: some members are REMOVED, some bonds broken (by stamp), and there are
/// nodes and links besides. Nodes below `base` are members; node base + k is the k-th new one.
typedef struct rbl_overlay {
	int base;
	int node_count;
	int *first_links; // per new node, -1 none
	int *regions;     // per new node, scratch of the search
	RBL_ARRAY(rbl_overlay_link) links;
} rbl_overlay;

/// Nodes that hang together and come off: count of them from `first` on.
typedef struct rbl_island {
	int first, count;
} rbl_island;

typedef struct rbl_islands {
	RBL_ARRAY(int) nodes;
	RBL_ARRAY(rbl_island) items; // by their first seed; what remains is not among them
	int visited_count;           // nodes that the search looked at
} rbl_islands;

/// The member, with the scratch of earlier searches cleared.
static inline rbl_member *rbl_searched_member(rbl_compound *compound, int member)
{
	rbl_member *m = &compound->members.data[member];
	if (m->stamp != compound->stamp) {
		m->stamp = compound->stamp;
		m->region = RBL_MEMBER_UNSEEN;
		m->first_link = -1;
		m->chip = -1;
	}
	return m;
}

/// Link two nodes, both ways. @return false when memory ran out
bool rbl_overlay_link_nodes(rbl_compound *compound, rbl_overlay *overlay, int a, int b);

/// A search that goes on. What it writes into members counts only as long as the compound's stamp is
/// the same.
typedef struct rbl_search rbl_search;

/// Begin to find out which seeds still hang together. Every node that lost a neighbour must be a
/// seed, or hang together with one. Of what is not connected, all islands but one are written to
/// `islands`: the one that remains is that which was not searched to its end, or else the largest.
/// @return NULL when memory ran out (only scratch changed)
rbl_search *rbl_search_begin(rbl_compound *compound, rbl_overlay *overlay, const int *seeds,
                             int seed_count);

/// Look at some nodes. @param budget  nodes, > 0; what was done is taken from it
/// @param islands  zero; filled at the end, its arrays are to be freed
/// @return RBL_OK, RBL_OUT_OF_MEMORY (it can only be ended)
rbl_result rbl_search_work(rbl_search *search, int *budget, rbl_islands *islands, bool *is_done);

/// Free a search, through or not. NULL is fine.
void rbl_search_end(rbl_search *search);

void rbl_islands_free(const rbl_allocator *allocator, rbl_islands *islands);

/// Union-find over 0 to count - 1: the root of a set is its lowest number.
static inline int rbl_find_root(int *parents, int i)
{
	while (parents[i] != i) {
		parents[i] = parents[parents[i]];
		i = parents[i];
	}
	return i;
}
