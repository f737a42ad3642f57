// SPDX-License-Identifier: MIT
//
// Corners of clusters side by side.
//
// Triangles keep their ids, and so their places: those of a piece lie where the whole had them, one to a cache
// line, when neighbours of the mesh lie anywhere. Reading them is most of what fitting waits for. So when
// nothing has broken for a while, clusters get a copy of their corners, until something changes again.

#include "surface/surface.h"

// More than the updates between breaks that follow each other: a copy costs as much as it saves in four.
enum { CORNER_UPDATES = 12 };

void rbl_surface_drop_corners(rbl_surface *surface)
{
	RBL_FREE(&surface->allocator, surface->cluster_corners, surface->corner_count);
	surface->cluster_corners = NULL;
	surface->corner_count = 0;
	surface->corner_wait = CORNER_UPDATES;
}

void rbl_surface_gather_corners(rbl_surface *surface)
{
	if (surface->largest_break.clusters == 0 || surface->corner_wait == 0 ||
	    --surface->corner_wait > 0)
		return;
	surface->cluster_corners =
		RBL_NEW_ZERO(&surface->allocator, rbl_cluster_corners, surface->cluster_end);
	if (!surface->cluster_corners) // it goes without
		return;
	surface->corner_count = surface->cluster_end;
	for (int i = 0; i < surface->cluster_end; ++i)
		if (surface->cluster_data[i].body >= 0 && surface->cluster_data[i].count > 0)
			rbl_cluster_corners_read(&surface->cluster_corners[i], &surface->cluster_data[i],
			                         surface->triangles);
}
