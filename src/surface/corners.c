// SPDX-License-Identifier: MIT
//
// Corners of clusters side by side.
//
// Triangles keep their ids, and so their places: those of a piece lie where the whole had them, one
// to a cache line, when neighbours of the mesh lie anywhere. Reading them is most of what fitting
// waits for. So some updates after the first break clusters get a copy of their corners, which
// takes as long as it saves in four updates. It stays, and is mended where something changes:
// clusters are stale then, and their corners are read when they are fitted. It grows by blocks, so
// that nothing has to move.

#include "surface/surface.h"

enum {
	CORNER_UPDATES = 8, // without a break before a copy is made
	MOST_BYTES = 160,   // of the surface by triangle, with a copy: a break needs room beside it
};

void rbl_surface_drop_corners(rbl_surface *surface)
{
	for (int i = 0; i < surface->corner_blocks.count; ++i)
		RBL_FREE(&surface->allocator, surface->corner_blocks.data[i], RBL_CORNER_BLOCK);
	rbl_array_free(&surface->allocator, &surface->corner_blocks);
}

static int block_count(const rbl_surface *surface)
{
	return (surface->cluster_end + RBL_CORNER_BLOCK - 1) / RBL_CORNER_BLOCK;
}

static bool has_room(const rbl_surface *surface)
{
	size_t blocks = (size_t)(block_count(surface) - surface->corner_blocks.count);
	size_t more = blocks * RBL_CORNER_BLOCK * sizeof(rbl_cluster_corners);
	return surface->keeps_corners ||
	       rbl_surface_memory(surface) + more <= (size_t)surface->triangle_count * MOST_BYTES;
}

// Room for all clusters. @return false when memory ran out
static bool add_blocks(rbl_surface *surface)
{
	while (surface->corner_blocks.count < block_count(surface)) {
		rbl_cluster_corners *block =
			RBL_NEW_ZERO(&surface->allocator, rbl_cluster_corners, RBL_CORNER_BLOCK);
		if (!block || !rbl_array_push(&surface->allocator, &surface->corner_blocks, block)) {
			RBL_FREE(&surface->allocator, block, RBL_CORNER_BLOCK);
			return false;
		}
	}
	return true;
}

void rbl_surface_gather_corners(rbl_surface *surface)
{
	bool had_corners = rbl_surface_has_corners(surface);
	if (!had_corners &&
	    (surface->largest_break.clusters == 0 || surface->quiet_updates != CORNER_UPDATES))
		return;
	if (!has_room(surface) || !add_blocks(surface)) { // it goes without
		rbl_surface_drop_corners(surface);
		return;
	}
	for (int i = 0; !had_corners && i < surface->cluster_end; ++i)
		if (surface->cluster_data[i].body >= 0 && surface->cluster_data[i].count > 0)
			rbl_cluster_corners_read(rbl_surface_corners(surface, (uint32_t)i),
			                         &surface->cluster_data[i], surface->triangles);
}
