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

enum { WAITS = -2, RIM_MOST = RBL_CLUSTER_SIZE + 2 };

typedef struct grower {
	const rbl_box *boxes;
	const int *twins;
	int *owner;          // cluster of each triangle, -1 without; WAITS: without, and in the queue
	unsigned char *open; // neighbours of each triangle without a cluster
	int *order;          // the first of a cluster as ~triangle, until all are placed
	int *starts;         // made then
	int *queue;          // seeds
	int queue_head, queue_tail, cluster_count, placed;
} grower;

// A triangle beside the cluster that grows.
typedef struct rim_triangle {
	int triangle;
	int inside; // its neighbours in the cluster
	rbl_vec3 centre;
} rim_triangle;

static int across(const grower *g, int triangle, int side)
{
	int twin = g->twins[3 * triangle + side];
	return twin < 0 ? -1 : twin / 3;
}

// The next one: what would be left alone, else the nearest. Of equals the first that was met.
static int choose(const grower *g, const rim_triangle *rim, int count, rbl_vec3 middle)
{
	int best = -1;
	float best_cost = FLT_MAX;
	for (int i = 0; i < count; ++i) {
		float cost = rbl_length_squared(rbl_sub(rim[i].centre, middle));
		cost = g->open[rim[i].triangle] == 0 ? -1.0f : rim[i].inside >= 2 ? 0.4f * cost : cost;
		if (cost < best_cost || best < 0) {
			best_cost = cost;
			best = i;
		}
	}
	return best;
}

// The neighbours of a triangle that has just been placed. @return the size of the rim
static int meet_neighbours(grower *g, int triangle, rim_triangle *rim, int count)
{
	for (int side = 0; side < 3; ++side) {
		int other = across(g, triangle, side);
		if (other < 0)
			continue;
		g->open[other]--;
		if (g->owner[other] >= 0)
			continue;
		int at = 0;
		while (at < count && rim[at].triangle != other)
			at++;
		if (at == count)
			rim[count++] = (rim_triangle){ other, 0, rbl_box_centre(g->boxes[other]) };
		rim[at].inside++;
	}
	return count;
}

static void grow(grower *g, int seed)
{
	rim_triangle rim[RIM_MOST]; // each triangle but the first takes one and brings two at most
	rim_triangle next = { seed, 0, rbl_box_centre(g->boxes[seed]) };
	rbl_vec3 sum = { 0.0f, 0.0f, 0.0f };
	int begin = g->placed, count = 0;
	for (;;) {
		g->order[g->placed++] = next.triangle;
		g->owner[next.triangle] = g->cluster_count;
		sum = rbl_add(sum, next.centre);
		count = meet_neighbours(g, next.triangle, rim, count);
		int size = g->placed - begin;
		if (size == RBL_CLUSTER_SIZE || count == 0)
			break;
		int best = choose(g, rim, count, rbl_scale(1.0f / (float)size, sum));
		next = rim[best];
		count--;
		for (int i = best; i < count; ++i)
			rim[i] = rim[i + 1];
	}
	for (int i = 0; i < count; ++i)
		if (g->owner[rim[i].triangle] == -1) {
			g->owner[rim[i].triangle] = WAITS;
			g->queue[g->queue_tail++] = rim[i].triangle;
		}
	g->order[begin] = ~g->order[begin];
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
}

// Where the clusters begin in their order.
static void find_starts(grower *g)
{
	for (int i = 0, c = 0; i < g->placed; ++i)
		if (g->order[i] < 0) {
			g->order[i] = ~g->order[i];
			g->starts[c++] = i;
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
                        int *sizes, rbl_sort_item *items, rbl_sort_item *spare)
{
	int count = 0;
	for (int c = 0; c < g->cluster_count; ++c)
		if (target[c] == c && sizes[c] <= RBL_CLUSTER_SIZE / 2)
			items[count++].value = (uint32_t)c;
	if (count < 2)
		return;
	rbl_box bounds = rbl_box_empty();
	for (int t = 0; t < g->placed; ++t)
		bounds = rbl_box_add_point(bounds, rbl_box_centre(boxes[t]));
	for (int i = 0; i < count; ++i)
		items[i].key =
			curve_key(rbl_box_centre(boxes[g->order[g->starts[items[i].value]]]), bounds);
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

// Clusters as they grow. @return false when memory ran out
static bool plan_growth(grower *g, rbl_arena *arena, int *queue, int count)
{
	g->owner = RBL_ARENA_NEW(arena, int, count);
	g->order = RBL_ARENA_NEW(arena, int, count);
	g->open = RBL_ARENA_NEW(arena, unsigned char, count);
	g->queue = queue;
	if (!g->owner || !g->order || !g->open)
		return false;
	for (int t = 0; t < count; ++t) {
		const int *twins = g->twins + 3 * t;
		g->owner[t] = -1;
		g->open[t] = (unsigned char)((twins[0] >= 0) + (twins[1] >= 0) + (twins[2] >= 0));
	}
	grow_all(g, count);
	g->starts = RBL_ARENA_NEW(arena, int, g->cluster_count + 1);
	if (!g->starts)
		return false;
	find_starts(g);
	return true;
}

bool rbl_plan_clusters(rbl_cluster_plan *plan, rbl_arena *arena, const int *triangles,
                       const rbl_box *boxes, const int *labels, const int *twins, int count)
{
	grower g = { .boxes = boxes, .twins = twins ? twins : find_twins(arena, triangles, count) };
	plan->order = RBL_ARENA_NEW(arena, int, count); // the queue until then
	if (!g.twins || !plan->order || !plan_growth(&g, arena, plan->order, count))
		return false;
	int *target = RBL_ARENA_NEW(arena, int, g.cluster_count);
	int *sizes = RBL_ARENA_NEW(arena, int, g.cluster_count);
	rbl_sort_item *items = RBL_ARENA_NEW(arena, rbl_sort_item, 2 * (size_t)g.cluster_count);
	plan->starts = RBL_ARENA_NEW(arena, int, g.cluster_count + 1);
	if (!target || !sizes || !items || !plan->starts)
		return false;
	for (int c = 0; c < g.cluster_count; ++c) {
		target[c] = c;
		sizes[c] = g.starts[c + 1] - g.starts[c];
	}
	place_scraps(&g, target, sizes);
	pack_scraps(&g, boxes, labels, target, sizes, items, items + g.cluster_count);
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
