// SPDX-License-Identifier: MIT
//
// Which triangles go together in clusters of up to eight.
//
// A cluster grows from a seed over edges: next comes a neighbour that would be left alone, else the
// nearest to the cluster's middle, one that touches it with two edges counting as nearer. Seeds
// come from the border of what is done already, so that few scraps are left; scraps then go to a
// cluster beside them that has room, or, where nothing is connected, to scraps near by along a
// space-filling curve.

#include "surface/surface.h"

#include "base/sort.h"

typedef struct grower {
	const rbl_vec3 *centres;
	const int *twins;
	int *owner; // cluster of each triangle, -1 without
	int *order, *starts;
	int *queue; // seeds
	int queue_head, queue_tail, cluster_count, placed;
} grower;

static int across(const grower *g, int triangle, int side)
{
	int twin = g->twins[3 * triangle + side];
	return twin < 0 ? -1 : twin / 3;
}

// Free neighbours of a triangle, and how many of its neighbours are in the cluster.
static int open_sides(const grower *g, int triangle, int cluster, int *inside)
{
	int open = 0;
	*inside = 0;
	for (int side = 0; side < 3; ++side) {
		int other = across(g, triangle, side);
		if (other >= 0 && g->owner[other] < 0)
			open++;
		if (other >= 0 && g->owner[other] == cluster)
			(*inside)++;
	}
	return open;
}

static int choose(const grower *g, int begin, rbl_vec3 middle)
{
	int best = -1;
	float best_cost = FLT_MAX;
	for (int i = begin; i < g->placed; ++i)
		for (int side = 0; side < 3; ++side) {
			int other = across(g, g->order[i], side);
			if (other < 0 || g->owner[other] >= 0)
				continue;
			int inside;
			int open = open_sides(g, other, g->cluster_count, &inside);
			float cost = rbl_length_squared(rbl_sub(g->centres[other], middle));
			cost = open == 0 ? -1.0f : inside >= 2 ? 0.4f * cost : cost;
			if (cost < best_cost || best < 0) {
				best_cost = cost;
				best = other;
			}
		}
	return best;
}

static void grow(grower *g, int seed)
{
	int begin = g->placed, next = seed;
	rbl_vec3 sum = { 0.0f, 0.0f, 0.0f };
	g->starts[g->cluster_count] = begin;
	while (next >= 0) {
		g->order[g->placed++] = next;
		g->owner[next] = g->cluster_count;
		sum = rbl_add(sum, g->centres[next]);
		int count = g->placed - begin;
		next =
			count < RBL_CLUSTER_SIZE ? choose(g, begin, rbl_scale(1.0f / (float)count, sum)) : -1;
	}
	for (int i = begin; i < g->placed; ++i)
		for (int side = 0; side < 3; ++side) {
			int other = across(g, g->order[i], side);
			if (other >= 0 && g->owner[other] == -1) {
				g->owner[other] = -2; // waits in the queue
				g->queue[g->queue_tail++] = other;
			}
		}
	g->cluster_count++;
}

static void grow_all(grower *g, int count)
{
	for (int first = 0; g->placed < count;) {
		int seed = -1;
		while (seed < 0 && g->queue_head < g->queue_tail) {
			int waiting = g->queue[g->queue_head++];
			seed = g->owner[waiting] < 0 ? waiting : -1;
		}
		for (; seed < 0; ++first)
			seed = g->owner[first] < 0 ? first : -1;
		grow(g, seed);
	}
	g->starts[g->cluster_count] = g->placed;
}

// Interleave the bits of three numbers below 2^10.
static uint32_t spread(uint32_t x)
{
	x = (x | x << 16) & 0x030000ffu;
	x = (x | x << 8) & 0x0300f00fu;
	x = (x | x << 4) & 0x030c30c3u;
	return (x | x << 2) & 0x09249249u;
}

static uint32_t curve_key(rbl_vec3 p, rbl_box bounds)
{
	rbl_vec3 size = rbl_box_size(bounds);
	float longest = rbl_maxf(size.x, rbl_maxf(size.y, size.z));
	float scale = longest > 0.0f ? 1023.0f / longest : 0.0f;
	rbl_vec3 q = rbl_scale(scale, rbl_sub(p, bounds.lower));
	return spread((uint32_t)rbl_clampf(q.x, 0.0f, 1023.0f)) |
	       spread((uint32_t)rbl_clampf(q.y, 0.0f, 1023.0f)) << 1 |
	       spread((uint32_t)rbl_clampf(q.z, 0.0f, 1023.0f)) << 2;
}

// Put each scrap to the smallest cluster beside it that has room: `target` by cluster.
static void place_scraps(const grower *g, int *target, int *sizes)
{
	for (int c = 0; c < g->cluster_count; ++c) {
		if (sizes[c] > RBL_CLUSTER_SIZE / 2 || target[c] != c)
			continue;
		int best = -1;
		for (int i = g->starts[c]; i < g->starts[c + 1]; ++i)
			for (int side = 0; side < 3; ++side) {
				int other = across(g, g->order[i], side);
				if (other < 0)
					continue;
				int near = target[g->owner[other]];
				while (target[near] != near)
					near = target[near];
				if (near != c && sizes[near] + sizes[c] <= RBL_CLUSTER_SIZE &&
				    (best < 0 || sizes[near] < sizes[best]))
					best = near;
			}
		if (best >= 0) {
			target[c] = best;
			sizes[best] += sizes[c];
		}
	}
}

static bool are_near(rbl_box a, rbl_box b)
{
	float whole = rbl_length_squared(rbl_box_size(rbl_box_join(a, b)));
	return whole <= 9.0f * rbl_maxf(rbl_length_squared(rbl_box_size(a)),
	                                rbl_length_squared(rbl_box_size(b)));
}

// Scraps that are alone join the one before them on the curve: those near by, or all in a soup of
// triangles that nothing joins.
static void pack_scraps(const grower *g, const rbl_box *boxes, const int *labels, int *target,
                        int *sizes, rbl_sort_item *items, rbl_sort_item *spare, rbl_box bounds)
{
	int count = 0;
	for (int c = 0; c < g->cluster_count; ++c)
		if (target[c] == c && sizes[c] <= RBL_CLUSTER_SIZE / 2)
			items[count++] = (rbl_sort_item){ curve_key(g->centres[g->order[g->starts[c]]], bounds),
				                              (uint32_t)c };
	rbl_sort(items, spare, count);
	for (int i = 0; i < count; ++i)
		items[i].key = labels ? (uint32_t)labels[g->order[g->starts[items[i].value]]] : 0;
	rbl_sort(items, spare, count);
	bool is_soup = count > g->placed / 4;
	for (int i = 1, open = 0; i < count; ++i) {
		int to = (int)items[open].value, c = (int)items[i].value;
		if (items[i].key == items[open].key &&
		    (is_soup || are_near(boxes[g->order[g->starts[to]]], boxes[g->order[g->starts[c]]])) &&
		    sizes[to] + sizes[c] <= RBL_CLUSTER_SIZE) {
			target[c] = to;
			sizes[to] += sizes[c];
		} else {
			open = i;
		}
	}
}

static void renumber(grower *g, const int *target, int *sizes, rbl_cluster_plan *plan, int count)
{
	int kept = 0, *numbers = sizes;
	for (int c = 0; c < g->cluster_count; ++c)
		numbers[c] = target[c] == c ? kept++ : -1;
	for (int t = 0; t < count; ++t) {
		int c = g->owner[t];
		while (target[c] != c)
			c = target[c];
		g->owner[t] = numbers[c];
	}
	for (int c = 0; c <= kept; ++c)
		plan->starts[c] = 0;
	for (int t = 0; t < count; ++t)
		plan->starts[g->owner[t] + 1]++;
	for (int c = 0; c < kept; ++c)
		plan->starts[c + 1] += plan->starts[c];
	for (int t = 0; t < count; ++t)
		plan->order[plan->starts[g->owner[t]]++] = t;
	for (int c = kept; c > 0; --c)
		plan->starts[c] = plan->starts[c - 1];
	plan->starts[0] = 0;
	plan->count = kept;
}

// The twins of triangles among themselves. @return NULL when memory ran out
static const int *find_twins(rbl_arena *arena, const int *triangles, int count)
{
	rbl_edge_work edges;
	int *twins = RBL_ARENA_NEW(arena, int, 3 * (size_t)count);
	if (!twins || !rbl_edge_work_init(&edges, arena, 3 * count))
		return NULL;
	for (int h = 0; h < 3 * count; ++h)
		rbl_edge_work_add(&edges, h, triangles[h], triangles[rbl_surface_next(h)]);
	rbl_edge_work_sort(&edges);
	rbl_edge_work_join(&edges, twins);
	return twins;
}

bool rbl_plan_clusters(rbl_cluster_plan *plan, rbl_arena *arena, const int *triangles,
                       const rbl_box *boxes, const int *labels, const int *twins, int count)
{
	rbl_vec3 *centres = RBL_ARENA_NEW(arena, rbl_vec3, count);
	grower g = { .centres = centres, .twins = twins ? twins : find_twins(arena, triangles, count) };
	g.owner = RBL_ARENA_NEW(arena, int, count);
	g.order = RBL_ARENA_NEW(arena, int, count);
	g.starts = RBL_ARENA_NEW(arena, int, count + 1);
	g.queue = RBL_ARENA_NEW(arena, int, count);
	plan->order = RBL_ARENA_NEW(arena, int, count);
	plan->starts = RBL_ARENA_NEW(arena, int, count + 2);
	int *target = RBL_ARENA_NEW(arena, int, count);
	int *sizes = RBL_ARENA_NEW(arena, int, count);
	rbl_sort_item *items = RBL_ARENA_NEW(arena, rbl_sort_item, 2 * (size_t)count);
	if (!centres || !g.twins || !g.owner || !g.order || !g.starts || !g.queue || !plan->order ||
	    !plan->starts || !target || !sizes || !items)
		return false;
	rbl_box bounds = rbl_box_empty();
	for (int t = 0; t < count; ++t) {
		g.owner[t] = -1;
		centres[t] = rbl_box_centre(boxes[t]);
		bounds = rbl_box_add_point(bounds, centres[t]);
	}
	grow_all(&g, count);
	for (int c = 0; c < g.cluster_count; ++c) {
		target[c] = c;
		sizes[c] = g.starts[c + 1] - g.starts[c];
	}
	place_scraps(&g, target, sizes);
	pack_scraps(&g, boxes, labels, target, sizes, items, items + count, bounds);
	renumber(&g, target, sizes, plan, count);
	plan->twins = g.twins;
	return true;
}

void rbl_plan_boxes(const rbl_surface *surface, const rbl_cluster_plan *plan,
                    const rbl_box *triangle_boxes, uint32_t *ids, rbl_box *boxes)
{
	rbl_surface_peek_clusters(surface, plan->count, ids);
	for (int c = 0; c < plan->count; ++c) {
		boxes[c] = rbl_box_empty();
		for (int i = plan->starts[c]; i < plan->starts[c + 1]; ++i)
			boxes[c] = rbl_box_join(boxes[c], triangle_boxes[plan->order[i]]);
	}
}

void rbl_surface_take_plan(rbl_surface *surface, const rbl_cluster_plan *plan, const int *triangles,
                           const int *slots, int slot)
{
	for (int c = 0; c < plan->count; ++c) {
		int first = plan->order[plan->starts[c]];
		int index = rbl_surface_take_cluster(surface, slots ? slots[first] : slot);
		rbl_cluster *cluster = &surface->cluster_data[index];
		for (int i = plan->starts[c]; i < plan->starts[c + 1]; ++i) {
			int triangle = triangles[plan->order[i]];
			cluster->triangles[cluster->count++] = triangle;
			surface->clusters[triangle] = index;
		}
	}
}
