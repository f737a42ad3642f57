// SPDX-License-Identifier: MIT
//
// Boundary edges of sets of clusters, found from twins.
//
// What is read lies anywhere in memory, and each step needs what the one before found: clusters of
// the node, their neighbours, triangles of those at the boundary, their twins, the clusters of
// twins, vertices. So each step is made for the whole node and prefetches what the next one reads.
// Walking along the boundary instead would wait for memory at every edge.

#include "surface/cull.h"

#include "base/bits.h"

// Table places per edge of a boundary, at least.
enum { PLACES = 2 };

// Asking which cluster a twin belongs to would wait for memory.
static bool has_triangle(const rbl_surface_cluster *cluster, int triangle)
{
	int found = 0;
	for (int lane = 0; lane < RBL_SURFACE_CLUSTER_SIZE; ++lane)
		found |= cluster->triangles[lane] == triangle;
	return found;
}

uint32_t rbl_surface_find_cluster_boundary(const rbl_surface *surface, int index)
{
	const rbl_surface_cluster *cluster = &surface->cluster_data[index];
	uint32_t boundary = 0;
	for (int i = 0; i < 3 * cluster->count; ++i) {
		int twin = surface->twins[3 * cluster->triangles[i / 3] + i % 3];
		boundary |= (uint32_t)(twin < 0 || !has_triangle(cluster, twin / 3)) << i;
	}
	surface->cluster_boundaries[index] = boundary;
	return boundary;
}

static bool find_clusters(const rbl_surface *surface, rbl_surface_worker *worker,
                          uint32_t reference)
{
	const rbl_allocator *allocator = &surface->allocator;
	uint32_t stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	stack[top++] = reference;
	worker->clusters.count = 0;
	if (++worker->stamp == 0) {
		memset(worker->marks, 0, (size_t)worker->mark_capacity * sizeof *worker->marks);
		worker->stamp = 1;
	}
	while (top > 0) {
		uint32_t at = stack[--top];
		if (rbl_tree_is_leaf(at)) {
			int cluster = (int)rbl_tree_leaf_id(at);
			if (!rbl_array_push(allocator, &worker->clusters, cluster))
				return false;
			worker->marks[cluster] = worker->stamp;
			rbl_prefetch(&surface->cluster_neighbours[cluster]);
			continue;
		}
		stack[top++] = surface->pool.nodes[at].children[1];
		stack[top++] = surface->pool.nodes[at].children[0];
	}
	return true;
}

static void find_neighbours(const rbl_surface *surface, int index,
                            rbl_surface_cluster_neighbours *neighbours)
{
	const rbl_surface_cluster *cluster = &surface->cluster_data[index];
	int count = 0;
	for (uint32_t boundary = rbl_surface_cluster_boundary(surface, index); boundary;
	     boundary &= boundary - 1) {
		int bit = rbl_lowest_one(boundary),
			twin = surface->twins[3 * cluster->triangles[bit / 3] + bit % 3];
		int other = twin < 0 ? -1 : surface->clusters[twin / 3], k = 0;
		while (k < count && neighbours->around[k] != other)
			++k;
		if (other < 0 || k == RBL_SURFACE_MAX_NEIGHBOURS) {
			neighbours->around[0] = RBL_SURFACE_NO_NEIGHBOURS;
			return;
		}
		neighbours->around[k] = other;
		count = k == count ? count + 1 : count;
	}
	for (int k = count; k < RBL_SURFACE_MAX_NEIGHBOURS; ++k)
		neighbours->around[k] = count ? neighbours->around[0] : RBL_SURFACE_NO_NEIGHBOURS;
}

// Whether all clusters around one are inside. Each cluster is visited by one worker.
static bool is_surrounded(const rbl_surface *surface, const rbl_surface_worker *worker, int index)
{
	rbl_surface_cluster_neighbours *neighbours = &surface->cluster_neighbours[index];
	if (neighbours->around[0] == RBL_SURFACE_NEIGHBOURS_UNKNOWN)
		find_neighbours(surface, index, neighbours);
	if (neighbours->around[0] == RBL_SURFACE_NO_NEIGHBOURS)
		return false;
	for (int k = 0; k < RBL_SURFACE_MAX_NEIGHBOURS; ++k)
		if (worker->marks[neighbours->around[k]] != worker->stamp)
			return false;
	return true;
}

// Clusters that are not in the midst of others.
static bool find_boundary_clusters(const rbl_surface *surface, rbl_surface_worker *worker,
                                   bool real_only)
{
	if (!rbl_array_resize(&surface->allocator, &worker->boundary_clusters, worker->clusters.count))
		return false;
	int count = 0;
	for (int i = 0; i < worker->clusters.count; ++i) {
		int index = worker->clusters.data[i];
		if (!real_only && is_surrounded(surface, worker, index))
			continue;
		rbl_prefetch(surface->cluster_data[index].triangles);
		worker->boundary_clusters.data[count++] = index;
	}
	worker->boundary_clusters.count = count;
	for (int i = 0; i < count; ++i) {
		const rbl_surface_cluster *cluster =
			&surface->cluster_data[worker->boundary_clusters.data[i]];
		for (int lane = 0; lane < cluster->count; ++lane)
			rbl_prefetch(&surface->twins[3 * cluster->triangles[lane]]);
	}
	return true;
}

static bool is_inside(const rbl_surface *surface, const rbl_surface_worker *worker, int half_edge)
{
	return worker->marks[surface->clusters[half_edge / 3]] == worker->stamp;
}

bool rbl_surface_find_boundary(const rbl_surface *surface, rbl_surface_worker *worker,
                               uint32_t reference, bool real_only)
{
	if (!find_clusters(surface, worker, reference) ||
	    !find_boundary_clusters(surface, worker, real_only) ||
	    !rbl_array_resize(&surface->allocator, &worker->boundary_edges,
	                      3 * RBL_SURFACE_CLUSTER_SIZE * worker->boundary_clusters.count))
		return false;
	rbl_surface_boundary_edge *boundary_edges = worker->boundary_edges.data;
	int asked = 0, count = 0;
	for (int i = 0; i < worker->boundary_clusters.count; ++i) {
		int index = worker->boundary_clusters.data[i];
		const rbl_surface_cluster *cluster = &surface->cluster_data[index];
		for (uint32_t boundary = rbl_surface_cluster_boundary(surface, index); boundary;
		     boundary &= boundary - 1) {
			int bit = rbl_lowest_one(boundary), h = 3 * cluster->triangles[bit / 3] + bit % 3;
			int twin = surface->twins[h];
			boundary_edges[asked].half_edge = h, boundary_edges[asked].other = twin;
			if (twin >= 0)
				rbl_prefetch(&surface->clusters[twin / 3]);
			asked += twin < 0 || !real_only;
		}
	}
	for (int i = 0; i < asked; ++i) {
		int h = boundary_edges[i].half_edge, twin = boundary_edges[i].other;
		if (twin >= 0 && is_inside(surface, worker, twin))
			continue;
		rbl_prefetch(&surface->triangles[h]);
		boundary_edges[count++].half_edge = h;
	}
	worker->boundary_edges.count = count;
	for (int i = 0; i < count; ++i) {
		boundary_edges[i].from = surface->triangles[boundary_edges[i].half_edge];
		boundary_edges[i].to = surface->triangles[rbl_surface_next(boundary_edges[i].half_edge)];
		rbl_prefetch(&surface->positions[1][boundary_edges[i].from]);
	}
	return true;
}

// --- loops --------------------------------------------------------------------------------------

// The place of a vertex in the table: that of an edge that leaves it, or a free one.
static int place_of(const rbl_surface_worker *worker, int vertex)
{
	uint32_t mask = (uint32_t)worker->leaving.count - 1;
	uint32_t place = ((uint32_t)vertex * 0x9e3779b1u >> 8) & mask;
	while (worker->leaving.data[place] >= 0 &&
	       worker->boundary_edges.data[worker->leaving.data[place]].from != vertex)
		place = (place + 1) & mask;
	return (int)place;
}

static bool fill_table(const rbl_surface *surface, rbl_surface_worker *worker)
{
	int size = 16, count = worker->boundary_edges.count;
	while (size < PLACES * count)
		size *= 2;
	if (!rbl_array_resize(&surface->allocator, &worker->leaving, size))
		return false;
	memset(worker->leaving.data, 0xff, (size_t)size * sizeof *worker->leaving.data);
	for (int i = 0; i < count; ++i) {
		int *place = &worker->leaving.data[place_of(worker, worker->boundary_edges.data[i].from)];
		worker->boundary_edges.data[i].other = *place;
		*place = i;
	}
	return true;
}

// The edge of the boundary that comes after one. Of several that leave its end, it is the one that
// is reached by turning round that vertex through the inside.
static int edge_after(const rbl_surface *surface, const rbl_surface_worker *worker, int edge)
{
	const rbl_surface_boundary_edge *boundary_edges = worker->boundary_edges.data;
	int found = worker->leaving.data[place_of(worker, boundary_edges[edge].to)];
	if (found < 0 || boundary_edges[found].other < 0)
		return found;
	int h = rbl_surface_next(boundary_edges[edge].half_edge);
	while (surface->twins[h] >= 0 && is_inside(surface, worker, surface->twins[h]))
		h = rbl_surface_next(surface->twins[h]);
	while (found >= 0 && boundary_edges[found].half_edge != h)
		found = boundary_edges[found].other;
	return found;
}

bool rbl_surface_boundary_loops(const rbl_surface *surface, rbl_surface_worker *worker)
{
	const rbl_allocator *allocator = &surface->allocator;
	worker->edges.count = worker->loop_ends.count = 0;
	if (!fill_table(surface, worker) ||
	    !rbl_array_reserve(allocator, &worker->edges, worker->boundary_edges.count))
		return false;
	for (int i = 0; i < worker->boundary_edges.count; ++i) {
		int at = i;
		if (worker->boundary_edges.data[i].to < 0)
			continue; // in a loop
		do {
			rbl_surface_boundary_edge *edge = &worker->boundary_edges.data[at];
			int next = edge->to < 0 ? -1 : edge_after(surface, worker, at);
			if (next < 0)
				return false;
			worker->edges.data[worker->edges.count++] = edge->from;
			edge->to = -1;
			at = next;
		} while (at != i);
		if (!rbl_array_push(allocator, &worker->loop_ends, worker->edges.count))
			return false;
	}
	return true;
}

bool rbl_surface_boundary_lines(const rbl_surface *surface, rbl_surface_worker *worker)
{
	int count = worker->boundary_edges.count;
	worker->loop_ends.count = 0;
	if (!rbl_array_resize(&surface->allocator, &worker->edges, 2 * count))
		return false;
	for (int i = 0; i < count; ++i) {
		worker->edges.data[2 * i] = worker->boundary_edges.data[i].from;
		worker->edges.data[2 * i + 1] = worker->boundary_edges.data[i].to;
	}
	return true;
}
