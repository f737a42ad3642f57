// SPDX-License-Identifier: MIT
// Connected components after a break, at the cost of what detaches.
#pragma once

#include "fracture/compound.h"

/// A way from one node to another that the compound's bonds do not have.
typedef struct rbl_overlay_link {
	int node;
	int next; // -1: last
} rbl_overlay_link;

/// A compound as it will be: some parts are REMOVED, some bonds broken (by stamp), and there are
/// nodes and links besides. Nodes below `base` are parts; node base + k is the k-th new one.
typedef struct rbl_overlay {
	int base;
	int node_count;
	int *first_links; // per new node, -1 none
	int *regions;     // per new node, scratch of the search
	RBL_ARRAY(rbl_overlay_link) links;
} rbl_overlay;

/// A detached component: `count` nodes from `first` on.
typedef struct rbl_component {
	int first, count;
} rbl_component;

typedef struct rbl_components {
	RBL_ARRAY(int) nodes;
	RBL_ARRAY(rbl_component) items; // by their first seed; what remains is not among them
	int visited_count;              // nodes that the search looked at
} rbl_components;

/// The part, with the scratch of earlier searches cleared.
static inline rbl_part *rbl_compound_search_part(rbl_compound *compound, int part)
{
	rbl_part *m = &compound->parts.data[part];
	if (m->stamp != compound->stamp) {
		m->stamp = compound->stamp;
		m->region = RBL_PART_UNVISITED;
		m->first_link = -1;
		m->fragment = -1;
	}
	return m;
}

/// Link two nodes, both ways. @return false when memory ran out
bool rbl_overlay_link_nodes(rbl_compound *compound, rbl_overlay *overlay, int a, int b);

/// A search under way. What it writes into parts is valid while the compound's stamp is the same.
typedef struct rbl_component_search rbl_component_search;

/// Begin to find out which seeds are still connected. Every node that lost a neighbour must be a
/// seed, or be connected to one. All components but one are written to `components`: the one that
/// remains is that which was not searched to its end, or else the largest.
/// @return NULL when memory ran out (only scratch changed)
rbl_component_search *rbl_component_search_begin(rbl_compound *compound, rbl_overlay *overlay,
                                                 const int *seeds, int seed_count);

/// Look at some nodes. @param budget  nodes, > 0; what was done is taken from it
/// @param components  zero; filled at the end, its arrays are to be freed
/// @return RBL_OK, RBL_OUT_OF_MEMORY (it can only be ended)
rbl_result rbl_component_search_work(rbl_component_search *search, int *budget,
                                     rbl_components *components, bool *is_done);

/// Free a search, through or not. NULL is fine.
void rbl_component_search_end(rbl_component_search *search);

void rbl_components_free(const rbl_allocator *allocator, rbl_components *components);
