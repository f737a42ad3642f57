// SPDX-License-Identifier: MIT
//
// Memory layout after splits: trees packed, corners of clusters side by side.
//
// A split takes trees apart and builds new ones into free nodes, so that a pass over the tree of a
// fragment goes all over the memory of the whole. Trees are packed once, some updates after the
// last split, when degraded ones have been rebuilt.

#include "surface/surface.h"

enum { PACK_UPDATES = 6 };

typedef struct packing {
	rbl_surface_normals *normals;
	float *costs;
	unsigned char *cull_results;
	uint32_t *sources;
	rbl_tree **trees;
} packing;

static void free_packing(rbl_surface *s, packing *p, int nodes, int slots)
{
	RBL_FREE(&s->allocator, p->normals, nodes);
	RBL_FREE(&s->allocator, p->costs, nodes);
	RBL_FREE(&s->allocator, p->cull_results, nodes);
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
		p->cull_results[i] = s->cull_results[from];
	}
	packing old = { s->node_normals, s->built_costs, s->cull_results, NULL, NULL };
	s->node_normals = p->normals;
	s->built_costs = p->costs, s->cull_results = p->cull_results;
	p->normals = old.normals;
	p->costs = old.costs, p->cull_results = old.cull_results;
}

void rbl_surface_pack(rbl_surface *surface)
{
	int nodes = surface->node_capacity, slots = surface->bodies.count, count = 0;
	if (!surface->is_scattered || !rbl_surface_uses(surface, RBL_SURFACE_PACKING) ||
	    surface->updates_since_split < PACK_UPDATES || nodes != surface->pool.node_capacity ||
	    nodes == 0)
		return;
	surface->is_scattered = false;
	packing p = { RBL_NEW(&surface->allocator, rbl_surface_normals, nodes),
		          RBL_NEW_ZERO(&surface->allocator, float, nodes),
		          RBL_NEW_ZERO(&surface->allocator, unsigned char, nodes),
		          RBL_NEW(&surface->allocator, uint32_t, nodes),
		          RBL_NEW(&surface->allocator, rbl_tree *, slots) };
	if (p.normals && p.costs && p.cull_results && p.sources && p.trees) {
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

// --- corners of clusters ------------------------------------------------------------------------

// Triangles keep their ids, and so their places: those of a piece lie where the whole had them, one
// to a cache line, when neighbours of the mesh lie anywhere. Reading them is most of what fitting
// waits for. So some updates after the first break clusters get a copy of their corners, which
// takes as long as it saves in four updates. It stays, and is repaired where something changes:
// clusters are stale then, and their corners are read when they are fitted. It grows by blocks, so
// that nothing has to move.

enum {
	CORNER_UPDATES = 8, // without a break before a copy is made
};

void rbl_surface_drop_corners(rbl_surface *surface)
{
	for (int i = 0; i < surface->corner_blocks.count; ++i)
		RBL_FREE(&surface->allocator, surface->corner_blocks.data[i], RBL_SURFACE_CORNER_BLOCK);
	rbl_array_free(&surface->allocator, &surface->corner_blocks);
}

static int block_count(const rbl_surface *surface)
{
	return (surface->cluster_end + RBL_SURFACE_CORNER_BLOCK - 1) / RBL_SURFACE_CORNER_BLOCK;
}

static bool fits_in_memory(const rbl_surface *surface)
{
	size_t blocks = (size_t)(block_count(surface) - surface->corner_blocks.count);
	size_t more = blocks * RBL_SURFACE_CORNER_BLOCK * sizeof(rbl_surface_cluster_corners);
	return (double)(rbl_surface_memory(surface) + more) <=
	       (double)surface->triangle_count * surface->limits.corner_bytes;
}

// Space for all clusters. @return false when memory ran out
static bool add_blocks(rbl_surface *surface)
{
	while (surface->corner_blocks.count < block_count(surface)) {
		rbl_surface_cluster_corners *block = RBL_NEW_ZERO(
			&surface->allocator, rbl_surface_cluster_corners, RBL_SURFACE_CORNER_BLOCK);
		if (!block || !rbl_array_push(&surface->allocator, &surface->corner_blocks, block)) {
			RBL_FREE(&surface->allocator, block, RBL_SURFACE_CORNER_BLOCK);
			return false;
		}
	}
	return true;
}

void rbl_surface_update_corners(rbl_surface *surface)
{
	bool had_corners = rbl_surface_has_corners(surface);
	if (!rbl_surface_uses(surface, RBL_SURFACE_CORNERS))
		return;
	if (!had_corners &&
	    (surface->largest_split.clusters == 0 || surface->updates_since_split != CORNER_UPDATES))
		return;
	if (!fits_in_memory(surface) || !add_blocks(surface)) { // it goes without
		rbl_surface_drop_corners(surface);
		return;
	}
	for (int i = 0; !had_corners && i < surface->cluster_end; ++i)
		if (surface->cluster_data[i].body >= 0 && surface->cluster_data[i].count > 0)
			rbl_surface_read_cluster_corners(rbl_surface_corners(surface, (uint32_t)i),
			                                 &surface->cluster_data[i], surface->triangles);
}
