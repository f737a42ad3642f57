// SPDX-License-Identifier: MIT
//
// Borders of sets of clusters, found from twins.
//
// What is read lies anywhere in memory, and each step needs what the one before found: clusters of
// the node, the clusters around them, triangles of those at the rim, their twins, the clusters of
// twins, vertices. So each step is made for all of the node, and asks for what the next will read.
// Walking along the border instead would wait for memory at every turn.

#include "surface/border.h"

#include "base/bits.h"

// Table places per edge of a border, at least.
enum { PLACES = 2 };

// Asking which cluster a twin belongs to would wait for memory.
static bool has_triangle(const rbl_cluster *cluster, int triangle)
{
	int found = 0;
	for (int lane = 0; lane < RBL_CLUSTER_SIZE; ++lane)
		found |= cluster->triangles[lane] == triangle;
	return found;
}

uint32_t rbl_surface_find_rim(const rbl_surface *surface, int index)
{
	const rbl_cluster *cluster = &surface->cluster_data[index];
	uint32_t rim = 0;
	for (int i = 0; i < 3 * cluster->count; ++i) {
		int twin = surface->twins[3 * cluster->triangles[i / 3] + i % 3];
		rim |= (uint32_t)(twin < 0 || !has_triangle(cluster, twin / 3)) << i;
	}
	surface->cluster_rims[index] = rim;
	return rim;
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
			rbl_prefetch(&surface->cluster_rings[cluster]);
			continue;
		}
		stack[top++] = surface->pool.nodes[at].children[1];
		stack[top++] = surface->pool.nodes[at].children[0];
	}
	return true;
}

static void make_ring(const rbl_surface *surface, int index, rbl_cluster_ring *ring)
{
	const rbl_cluster *cluster = &surface->cluster_data[index];
	int count = 0;
	for (uint32_t rim = rbl_surface_rim(surface, index); rim; rim &= rim - 1) {
		int bit = rbl_lowest_one(rim),
			twin = surface->twins[3 * cluster->triangles[bit / 3] + bit % 3];
		int other = twin < 0 ? -1 : surface->clusters[twin / 3], k = 0;
		while (k < count && ring->around[k] != other)
			++k;
		if (other < 0 || k == RBL_RING_SIZE) {
			ring->around[0] = RBL_RING_NONE;
			return;
		}
		ring->around[k] = other;
		count = k == count ? count + 1 : count;
	}
	for (int k = count; k < RBL_RING_SIZE; ++k)
		ring->around[k] = count ? ring->around[0] : RBL_RING_NONE;
}

// Whether all clusters around one are inside. Each cluster is looked at by one worker.
static bool is_surrounded(const rbl_surface *surface, const rbl_surface_worker *worker, int index)
{
	rbl_cluster_ring *ring = &surface->cluster_rings[index];
	if (ring->around[0] == RBL_RING_UNKNOWN)
		make_ring(surface, index, ring);
	if (ring->around[0] == RBL_RING_NONE)
		return false;
	for (int k = 0; k < RBL_RING_SIZE; ++k)
		if (worker->marks[ring->around[k]] != worker->stamp)
			return false;
	return true;
}

// Clusters that are not in the midst of others.
static bool find_rims(const rbl_surface *surface, rbl_surface_worker *worker, bool real_only)
{
	if (!rbl_array_resize(&surface->allocator, &worker->rims, worker->clusters.count))
		return false;
	int count = 0;
	for (int i = 0; i < worker->clusters.count; ++i) {
		int index = worker->clusters.data[i];
		if (!real_only && is_surrounded(surface, worker, index))
			continue;
		rbl_prefetch(surface->cluster_data[index].triangles);
		worker->rims.data[count++] = index;
	}
	worker->rims.count = count;
	for (int i = 0; i < count; ++i) {
		const rbl_cluster *cluster = &surface->cluster_data[worker->rims.data[i]];
		for (int lane = 0; lane < cluster->count; ++lane)
			rbl_prefetch(&surface->twins[3 * cluster->triangles[lane]]);
	}
	return true;
}

static bool is_inside(const rbl_surface *surface, const rbl_surface_worker *worker, int half_edge)
{
	return worker->marks[surface->clusters[half_edge / 3]] == worker->stamp;
}

bool rbl_border_find(const rbl_surface *surface, rbl_surface_worker *worker, uint32_t reference,
                     bool real_only)
{
	if (!find_clusters(surface, worker, reference) || !find_rims(surface, worker, real_only) ||
	    !rbl_array_resize(&surface->allocator, &worker->borders,
	                      3 * RBL_CLUSTER_SIZE * worker->rims.count))
		return false;
	rbl_border_edge *borders = worker->borders.data;
	int asked = 0, count = 0;
	for (int i = 0; i < worker->rims.count; ++i) {
		int index = worker->rims.data[i];
		const rbl_cluster *cluster = &surface->cluster_data[index];
		for (uint32_t rim = rbl_surface_rim(surface, index); rim; rim &= rim - 1) {
			int bit = rbl_lowest_one(rim), h = 3 * cluster->triangles[bit / 3] + bit % 3;
			int twin = surface->twins[h];
			borders[asked].half_edge = h, borders[asked].other = twin;
			if (twin >= 0)
				rbl_prefetch(&surface->clusters[twin / 3]);
			asked += twin < 0 || !real_only;
		}
	}
	for (int i = 0; i < asked; ++i) {
		int h = borders[i].half_edge, twin = borders[i].other;
		if (twin >= 0 && is_inside(surface, worker, twin))
			continue;
		rbl_prefetch(&surface->triangles[h]);
		borders[count++].half_edge = h;
	}
	worker->borders.count = count;
	for (int i = 0; i < count; ++i) {
		borders[i].from = surface->triangles[borders[i].half_edge];
		borders[i].to = surface->triangles[rbl_surface_next(borders[i].half_edge)];
		rbl_prefetch(&surface->positions[1][borders[i].from]);
	}
	return true;
}

// --- loops ---------------------------------------------------------------------------------------

// The place of a vertex in the table: that of an edge that leaves it, or a free one.
static int place_of(const rbl_surface_worker *worker, int vertex)
{
	uint32_t mask = (uint32_t)worker->leaving.count - 1;
	uint32_t place = ((uint32_t)vertex * 0x9e3779b1u >> 8) & mask;
	while (worker->leaving.data[place] >= 0 &&
	       worker->borders.data[worker->leaving.data[place]].from != vertex)
		place = (place + 1) & mask;
	return (int)place;
}

static bool fill_table(const rbl_surface *surface, rbl_surface_worker *worker)
{
	int size = 16, count = worker->borders.count;
	while (size < PLACES * count)
		size *= 2;
	if (!rbl_array_resize(&surface->allocator, &worker->leaving, size))
		return false;
	memset(worker->leaving.data, 0xff, (size_t)size * sizeof *worker->leaving.data);
	for (int i = 0; i < count; ++i) {
		int *place = &worker->leaving.data[place_of(worker, worker->borders.data[i].from)];
		worker->borders.data[i].other = *place;
		*place = i;
	}
	return true;
}

// The edge of the border that comes after one. Of several that leave its end, it is the one that is
// reached by turning round that vertex through the inside.
static int edge_after(const rbl_surface *surface, const rbl_surface_worker *worker, int edge)
{
	const rbl_border_edge *borders = worker->borders.data;
	int found = worker->leaving.data[place_of(worker, borders[edge].to)];
	if (found < 0 || borders[found].other < 0)
		return found;
	int h = rbl_surface_next(borders[edge].half_edge);
	while (surface->twins[h] >= 0 && is_inside(surface, worker, surface->twins[h]))
		h = rbl_surface_next(surface->twins[h]);
	while (found >= 0 && borders[found].half_edge != h)
		found = borders[found].other;
	return found;
}

bool rbl_border_loops(const rbl_surface *surface, rbl_surface_worker *worker)
{
	const rbl_allocator *allocator = &surface->allocator;
	worker->edges.count = worker->loop_ends.count = 0;
	if (!fill_table(surface, worker) ||
	    !rbl_array_reserve(allocator, &worker->edges, worker->borders.count))
		return false;
	for (int i = 0; i < worker->borders.count; ++i) {
		int at = i;
		if (worker->borders.data[i].to < 0)
			continue; // in a loop
		do {
			rbl_border_edge *edge = &worker->borders.data[at];
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

bool rbl_border_lines(const rbl_surface *surface, rbl_surface_worker *worker)
{
	int count = worker->borders.count;
	worker->loop_ends.count = 0;
	if (!rbl_array_resize(&surface->allocator, &worker->edges, 2 * count))
		return false;
	for (int i = 0; i < count; ++i) {
		worker->edges.data[2 * i] = worker->borders.data[i].from;
		worker->edges.data[2 * i + 1] = worker->borders.data[i].to;
	}
	return true;
}
