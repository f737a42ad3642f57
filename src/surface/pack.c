// SPDX-License-Identifier: MIT
//
// Trees are laid out anew when breaks have scattered them.
//
// A break takes trees apart and builds new ones into what is free, so that a pass over the tree of
// a piece goes all over the memory of the whole. This is mended once, some updates after the last
// break, when worn trees have been built anew.

#include "surface/surface.h"

enum { PACK_UPDATES = 6 };

typedef struct packing {
	rbl_normals *normals;
	float *costs;
	unsigned char *verdicts;
	uint32_t *sources;
	rbl_tree **trees;
} packing;

static void free_packing(rbl_surface *s, packing *p, int nodes, int slots)
{
	RBL_FREE(&s->allocator, p->normals, nodes);
	RBL_FREE(&s->allocator, p->costs, nodes);
	RBL_FREE(&s->allocator, p->verdicts, nodes);
	RBL_FREE(&s->allocator, p->sources, nodes);
	RBL_FREE(&s->allocator, p->trees, slots);
}

// Exchange the arrays by node for those of the packing, in the new order.
static void carry_over(rbl_surface *s, packing *p)
{
	for (int i = 0; i < s->pool.node_end; ++i) {
		uint32_t from = p->sources[i];
		p->normals[i] = s->node_normals[from];
		p->costs[i] = s->built_costs[from];
		p->verdicts[i] = s->verdicts[from];
	}
	packing old = { s->node_normals, s->built_costs, s->verdicts, NULL, NULL };
	s->node_normals = p->normals;
	s->built_costs = p->costs, s->verdicts = p->verdicts;
	p->normals = old.normals;
	p->costs = old.costs, p->verdicts = old.verdicts;
}

void rbl_surface_pack(rbl_surface *surface)
{
	int nodes = surface->node_capacity, slots = surface->bodies.count, count = 0;
	if (!surface->is_scattered || surface->quiet_updates < PACK_UPDATES ||
	    nodes != surface->pool.node_capacity || nodes == 0)
		return;
	surface->is_scattered = false;
	packing p = { RBL_NEW(&surface->allocator, rbl_normals, nodes),
		          RBL_NEW_ZERO(&surface->allocator, float, nodes),
		          RBL_NEW_ZERO(&surface->allocator, unsigned char, nodes),
		          RBL_NEW(&surface->allocator, uint32_t, nodes),
		          RBL_NEW(&surface->allocator, rbl_tree *, slots) };
	if (p.normals && p.costs && p.verdicts && p.sources && p.trees) {
		for (int slot = 0; slot < slots; ++slot)
			if (rbl_id_pool_is_live(&surface->ids, slot))
				p.trees[count++] = &surface->bodies.data[slot].tree;
		if (rbl_tree_pack(&surface->pool, p.trees, count, p.sources) == RBL_OK) {
			carry_over(surface, &p);
			surface->cones_are_stale = true;
		}
	}
	free_packing(surface, &p, nodes, slots);
}
