// SPDX-License-Identifier: MIT
//
// Which triangles go together in clusters of up to eight.
//
// A cluster grows from a seed over edges: next comes a neighbour that would be left alone, else the
// nearest to the cluster's middle, one that touches it with two edges counting as nearer. Triangles
// along cracks come in strips: where the next one of a strip is beside the cluster it is taken,
// without a test the others, which makes clusters as small and takes two thirds of the time. Seeds
// come from the boundary of what is done already, so that few scraps are left; scraps then go to a
// cluster beside them that has space, or, where nothing is connected, to scraps near by along a
// space-filling curve.
//
// A large body falls into parts first, by the cells of a grid along such a curve, so that workers
// grow the clusters of several parts at a time. Which parts there are depends on the triangles
// alone, never on workers. What is left beside a border of parts is scraps, like all others.

#include "surface/clusters.h"

#include "base/bits.h"
#include "base/sort.h"

enum {
	// Owners of triangles without a cluster, below RBL_SURFACE_PLAN_NONE: in the queue; beside the
	// cluster that grows, as much less twice the place in its boundary, and one less for those in
	// the queue.
	WAITS = -2,
	BESIDE = -3,

	// The first triangle brings three neighbours, the others two at most.
	MAX_RIM = 3 + 2 * (RBL_SURFACE_CLUSTER_SIZE - 1),

	// Triangles of a part, about, and the most parts; cells of the grid; triangles of a job.
	PART_SIZE = 1 << 15,
	MAX_PARTS = 64,
	CELLS = 1 << 12,
	PLAN_BLOCK = 1 << 13,
};

typedef struct grower {
	const rbl_box *boxes;
	rbl_surface_plan_item *items;
	int *order;           // by cluster
	unsigned char *sizes; // of clusters
	int *starts;          // where they begin in their order, made when all are placed
	int *queue;           // seeds
	int queue_head, queue_tail, cluster_count, placed;
	int strip_begin, count; // triangles from here on come in strips; all

	// Of one part of several: its triangles, the part of each triangle, and its number.
	const int *list;
	const unsigned char *parts;
	int part;
} grower;

// Triangles beside the cluster that grows, in the order in which they were met. Those that it took
// keep their places.
typedef struct frontier_queue {
	int triangles[MAX_RIM];
	float weights[MAX_RIM]; // of distances: less for those with two neighbours in the cluster
	int count;
	uint32_t present, alone; // bits: not taken; without a neighbour that has no cluster

	// Looked up when the nearest is needed.
	rbl_vec3 centres[MAX_RIM], sum;
	int known_count, sum_count;
} frontier_queue;

// The nearest to the middle of a cluster. Of equals the first that was met.
static int choose(const grower *g, frontier_queue *frontier, const int *cluster, int size)
{
	static const float shares[RBL_SURFACE_CLUSTER_SIZE] = { 0.0f,        1.0f,        1.0f / 2.0f,
		                                                    1.0f / 3.0f, 1.0f / 4.0f, 1.0f / 5.0f,
		                                                    1.0f / 6.0f, 1.0f / 7.0f };
	for (; frontier->known_count < frontier->count; frontier->known_count++)
		frontier->centres[frontier->known_count] =
			rbl_box_centre(g->boxes[frontier->triangles[frontier->known_count]]);
	for (; frontier->sum_count < size; frontier->sum_count++)
		frontier->sum =
			rbl_add(frontier->sum, rbl_box_centre(g->boxes[cluster[frontier->sum_count]]));
	rbl_vec3 middle = rbl_scale(shares[size], frontier->sum);
	// A cost is not negative, so its bits are in order, and which one is the least is not for a
	// branch to guess.
	uint64_t best = UINT64_MAX;
	for (uint32_t left = frontier->present; left != 0; left &= left - 1) {
		int i = rbl_lowest_one(left);
		float cost =
			frontier->weights[i] * rbl_length_squared(rbl_sub(frontier->centres[i], middle));
		uint32_t bits;
		memcpy(&bits, &cost, sizeof bits);
		uint64_t key = (uint64_t)bits << 32 | (uint32_t)i;
		best = key < best ? key : best;
	}
	return (int)(best & UINT32_MAX);
}

// The neighbours of a triangle that has just been placed.
static void visit_neighbours(grower *g, int triangle, frontier_queue *frontier)
{
	for (int side = 0; side < 3; ++side) {
		int other = g->items[triangle].across[side];
		if (other < 0 || (g->parts && g->parts[other] != g->part))
			continue;
		rbl_surface_plan_item *item = &g->items[other];
		item->open--;
		if (item->owner >= 0)
			continue;
		int at = (BESIDE - item->owner) >> 1;
		if (item->owner > BESIDE) {
			at = frontier->count++;
			item->owner = BESIDE - 2 * at - (item->owner == WAITS);
			frontier->weights[at] = 1.0f;
			frontier->triangles[at] = other;
			frontier->present |= 1u << at;
		} else {
			frontier->weights[at] = 0.4f;
		}
		frontier->alone |= (uint32_t)(item->open == 0) << at;
	}
}

// Whether the triangle that comes next in a strip is beside the cluster.
static bool is_strip(const grower *g, int triangle)
{
	return triangle >= g->strip_begin && triangle + 1 < g->count &&
	       g->items[triangle + 1].owner <= BESIDE;
}

static void grow_cluster(grower *g, int seed)
{
	frontier_queue frontier;
	frontier.count = frontier.known_count = frontier.sum_count = 0;
	frontier.present = frontier.alone = 0;
	frontier.sum = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	int *cluster = g->order + g->placed, size = 0, next = seed;
	for (;;) {
		cluster[size++] = next;
		g->items[next].owner = g->cluster_count;
		visit_neighbours(g, next, &frontier);
		if (size == RBL_SURFACE_CLUSTER_SIZE || frontier.present == 0)
			break;
		uint32_t alone = frontier.present & frontier.alone;
		if (alone == 0 && is_strip(g, next)) {
			next++; // known without waiting for the boundary
			frontier.present &= ~(1u << ((BESIDE - g->items[next].owner) >> 1));
			continue;
		}
		int at = alone ? rbl_lowest_one(alone) : choose(g, &frontier, cluster, size);
		frontier.present &= ~(1u << at);
		next = frontier.triangles[at];
	}
	for (uint32_t left = frontier.present; left != 0; left &= left - 1) {
		int triangle = frontier.triangles[rbl_lowest_one(left)], *owner = &g->items[triangle].owner;
		if (!((BESIDE - *owner) & 1))
			g->queue[g->queue_tail++] = triangle;
		*owner = WAITS;
	}
	g->sizes[g->cluster_count++] = (unsigned char)size;
	g->placed += size;
}

static void grow_all(grower *g, int count)
{
	for (int first = 0; g->placed < count;) {
		int seed = -1;
		while (seed < 0 && g->queue_head < g->queue_tail) {
			int waiting = g->queue[g->queue_head++];
			seed = g->items[waiting].owner < 0 ? waiting : -1;
		}
		for (; seed < 0; ++first) {
			int next = g->list ? g->list[first] : first;
			seed = g->items[next].owner < 0 ? next : -1;
		}
		grow_cluster(g, seed);
	}
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

// Put each scrap to the smallest cluster beside it that has space: `target` by cluster.
static void place_scraps(const grower *g, int *target, int *sizes)
{
	for (int c = 0; c < g->cluster_count; ++c) {
		if (sizes[c] > RBL_SURFACE_CLUSTER_SIZE / 2 || target[c] != c)
			continue;
		int best = -1;
		for (int i = g->starts[c]; i < g->starts[c + 1]; ++i)
			for (int side = 0; side < 3; ++side) {
				int other = g->items[g->order[i]].across[side];
				if (other < 0)
					continue;
				int near = target[g->items[other].owner];
				while (target[near] != near)
					near = target[near];
				if (near != c && sizes[near] + sizes[c] <= RBL_SURFACE_CLUSTER_SIZE &&
				    (best < 0 || sizes[near] < sizes[best]))
					best = near;
			}
		if (best >= 0) {
			target[c] = best;
			sizes[best] += sizes[c];
		}
	}
}

static bool boxes_are_near(rbl_box a, rbl_box b)
{
	float whole = rbl_length_squared(rbl_box_size(rbl_box_join(a, b)));
	return whole <= 9.0f * rbl_maxf(rbl_length_squared(rbl_box_size(a)),
	                                rbl_length_squared(rbl_box_size(b)));
}

// Scraps that are alone join the one before them on the curve: those near by, or all in a soup of
// triangles that nothing joins.
static void pack_scraps(const grower *g, const int *labels, int *target, int *sizes,
                        rbl_sort_item *items, rbl_sort_item *spare)
{
	const rbl_box *boxes = g->boxes;
	int count = 0;
	for (int c = 0; c < g->cluster_count; ++c)
		if (target[c] == c && sizes[c] <= RBL_SURFACE_CLUSTER_SIZE / 2)
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
		    (is_soup ||
		     boxes_are_near(boxes[g->order[g->starts[to]]], boxes[g->order[g->starts[c]]])) &&
		    sizes[to] + sizes[c] <= RBL_SURFACE_CLUSTER_SIZE) {
			target[c] = to;
			sizes[to] += sizes[c];
		} else {
			open = i;
		}
	}
}

// Clusters that took others, and their triangles in order.
static void renumber(grower *g, const int *target, int *sizes, rbl_surface_cluster_plan *plan,
                     int count)
{
	int kept = 0, sum = 0, *next = sizes;
	for (int c = 0; c < g->cluster_count; ++c) {
		int size = sizes[c];
		if (target[c] != c)
			continue;
		next[c] = plan->starts[kept++] = sum;
		sum += size;
	}
	plan->starts[kept] = sum;
	plan->count = kept;
	for (int t = 0; t < count; ++t) {
		int c = g->items[t].owner;
		while (target[c] != c)
			c = target[c];
		plan->order[next[c]++] = t;
	}
}

// What is left when clusters are grown: scraps are placed, and all are numbered.
static bool finish_plan(rbl_surface_cluster_plan *plan, rbl_arena *arena, grower *g,
                        const int *labels, int count)
{
	int *target = RBL_ARENA_NEW(arena, int, g->cluster_count);
	int *sizes = RBL_ARENA_NEW(arena, int, g->cluster_count);
	rbl_sort_item *items = RBL_ARENA_NEW(arena, rbl_sort_item, 2 * (size_t)g->cluster_count);
	g->starts = RBL_ARENA_NEW(arena, int, g->cluster_count + 1);
	plan->starts = RBL_ARENA_NEW(arena, int, g->cluster_count + 1);
	if (!target || !sizes || !items || !g->starts || !plan->starts)
		return false;
	g->starts[0] = 0;
	for (int c = 0; c < g->cluster_count; ++c) {
		target[c] = c;
		sizes[c] = g->sizes[c];
		g->starts[c + 1] = g->starts[c] + sizes[c];
	}
	place_scraps(g, target, sizes);
	pack_scraps(g, labels, target, sizes, items, items + g->cluster_count);
	renumber(g, target, sizes, plan, count);
	return true;
}

static bool prepare_grower(rbl_surface_cluster_plan *plan, rbl_arena *arena, grower *g, int count)
{
	plan->order = RBL_ARENA_NEW(arena, int, count); // the queue until then
	g->order = RBL_ARENA_NEW(arena, int, count);
	g->sizes = RBL_ARENA_NEW(arena, unsigned char, count);
	g->queue = plan->order;
	g->count = count;
	return plan->order && g->order && g->sizes;
}

bool rbl_surface_plan_clusters(rbl_surface_cluster_plan *plan, rbl_arena *arena,
                               rbl_surface_plan_item *triangles, const rbl_box *boxes,
                               const int *labels, int strip_begin, int count)
{
	grower g = { .boxes = boxes, .items = triangles, .strip_begin = strip_begin };
	if (!prepare_grower(plan, arena, &g, count))
		return false;
	grow_all(&g, count);
	return finish_plan(plan, arena, &g, labels, count);
}

// --- in parts -----------------------------------------------------------------------------------

typedef struct part_work {
	const int *twins;
	const rbl_box *boxes;
	rbl_surface_plan_item *items;
	rbl_box bounds;
	uint16_t *cells;      // by triangle
	unsigned char *parts; // by triangle
	int *list;            // triangles by part
	int part_count, begins[MAX_PARTS + 1];
	grower growers[MAX_PARTS];
	int first_clusters[MAX_PARTS];
} part_work;

static void find_cells(void *context, int begin, int end, int worker)
{
	(void)worker;
	const part_work *w = context;
	for (int t = begin; t < end; ++t)
		w->cells[t] = (uint16_t)(curve_key(rbl_box_centre(w->boxes[t]), w->bounds) >> 18);
}

static void make_items(void *context, int begin, int end, int worker)
{
	(void)worker;
	const part_work *w = context;
	for (int t = begin; t < end; ++t) {
		int across[3], open = 0;
		for (int k = 0; k < 3; ++k) {
			int twin = w->twins[3 * (size_t)t + (size_t)k];
			across[k] = twin < 0 ? -1 : twin / 3;
			open += twin >= 0 && w->parts && w->parts[across[k]] == w->parts[t];
		}
		w->items[t] = rbl_surface_make_plan_item(across);
		if (w->parts)
			w->items[t].open = open;
	}
}

static void grow_parts(void *context, int begin, int end, int worker)
{
	(void)worker;
	part_work *w = context;
	for (int part = begin; part < end; ++part) {
		grower *g = &w->growers[part];
		grow_all(g, w->begins[part + 1] - w->begins[part]);
	}
}

// Clusters of a part count from those of the parts before it.
static void number_parts(void *context, int begin, int end, int worker)
{
	(void)worker;
	const part_work *w = context;
	for (int part = begin; part < end; ++part)
		for (int i = w->begins[part]; i < w->begins[part + 1]; ++i)
			w->items[w->list[i]].owner += w->first_clusters[part];
}

// Runs of cells with about as many triangles each.
static void choose_parts(part_work *w, int count)
{
	int counts[CELLS] = { 0 }, wanted = rbl_mini(count / PART_SIZE, MAX_PARTS);
	unsigned char part_of[CELLS];
	for (int t = 0; t < count; ++t)
		counts[w->cells[t]]++;
	int part = 0, sum = 0;
	w->begins[0] = 0;
	for (int cell = 0; cell < CELLS; ++cell) {
		if (sum > w->begins[part] && sum < count &&
		    (int64_t)sum * wanted >= (int64_t)count * (part + 1))
			w->begins[++part] = sum;
		part_of[cell] = (unsigned char)part;
		sum += counts[cell];
	}
	w->part_count = part + 1;
	w->begins[w->part_count] = count;
	int next[MAX_PARTS + 1];
	memcpy(next, w->begins, sizeof next);
	for (int t = 0; t < count; ++t) {
		w->parts[t] = part_of[w->cells[t]];
		w->list[next[w->parts[t]]++] = t;
	}
}

static bool plan_in_parts(part_work *w, rbl_surface_cluster_plan *plan, rbl_jobs *jobs,
                          rbl_arena *arena, int count)
{
	w->cells = RBL_ARENA_NEW(arena, uint16_t, count);
	w->parts = RBL_ARENA_NEW(arena, unsigned char, count);
	w->list = RBL_ARENA_NEW(arena, int, count);
	grower all = { .boxes = w->boxes, .items = w->items, .strip_begin = count };
	if (!w->cells || !w->parts || !w->list || !prepare_grower(plan, arena, &all, count))
		return false;
	w->bounds = rbl_box_empty();
	for (int t = 0; t < count; ++t)
		w->bounds = rbl_box_add_point(w->bounds, rbl_box_centre(w->boxes[t]));
	rbl_parallel_for(jobs, count, PLAN_BLOCK, find_cells, w);
	choose_parts(w, count);
	rbl_parallel_for(jobs, count, PLAN_BLOCK, make_items, w);
	for (int part = 0; part < w->part_count; ++part) {
		grower *g = &w->growers[part];
		int begin = w->begins[part];
		*g = all;
		g->order += begin, g->sizes += begin, g->queue += begin;
		g->list = w->list + begin, g->parts = w->parts, g->part = part;
	}
	rbl_parallel_for(jobs, w->part_count, 1, grow_parts, w);
	for (int part = 0; part < w->part_count; ++part) {
		const grower *g = &w->growers[part];
		w->first_clusters[part] = all.cluster_count;
		memmove(all.sizes + all.cluster_count, g->sizes, (size_t)g->cluster_count);
		all.cluster_count += g->cluster_count;
	}
	all.placed = count;
	rbl_parallel_for(jobs, w->part_count, 1, number_parts, w);
	return finish_plan(plan, arena, &all, NULL, count);
}

bool rbl_surface_plan_body_clusters(rbl_surface_cluster_plan *plan, rbl_jobs *jobs,
                                    rbl_arena *arena, const int *triangles, const rbl_box *boxes,
                                    int loose_begin, int count, int vertex_count)
{
	int *twins = RBL_ARENA_NEW(arena, int, 3 * (size_t)count);
	part_work *w = RBL_ARENA_NEW(arena, part_work, 1);
	if (!twins || !w ||
	    !rbl_surface_join_body(jobs, arena, triangles, loose_begin, vertex_count, twins))
		return false;
	for (int h = 3 * loose_begin; h < 3 * count; ++h) {
		bool is_edge = h % 3 == 0 && triangles[h] != triangles[h + 1];
		twins[h] = is_edge ? RBL_SURFACE_BOUNDARY : RBL_SURFACE_NON_MANIFOLD_REST;
	}
	plan->twins = w->twins = twins;
	w->boxes = boxes;
	w->parts = NULL;
	w->items = RBL_ARENA_NEW(arena, rbl_surface_plan_item, count);
	if (!w->items)
		return false;
	if (count >= 2 * PART_SIZE)
		return plan_in_parts(w, plan, jobs, arena, count);
	make_items(w, 0, count, 0);
	return rbl_surface_plan_clusters(plan, arena, w->items, boxes, NULL, count, count);
}

// --- taking them --------------------------------------------------------------------------------

enum { CLUSTER_BLOCK = 1 << 10 }; // clusters of a job

typedef struct cluster_boxes {
	const rbl_surface_cluster_plan *plan;
	const rbl_box *triangle_boxes;
	rbl_box *boxes;
} cluster_boxes;

static void box_clusters(void *context, int begin, int end, int worker)
{
	(void)worker;
	const cluster_boxes *w = context;
	for (int c = begin; c < end; ++c) {
		w->boxes[c] = rbl_box_empty();
		for (int i = w->plan->starts[c]; i < w->plan->starts[c + 1]; ++i)
			w->boxes[c] = rbl_box_join(w->boxes[c], w->triangle_boxes[w->plan->order[i]]);
	}
}

void rbl_surface_plan_cluster_boxes(const rbl_surface *surface, rbl_jobs *jobs,
                                    rbl_surface_cluster_plan *plan, const rbl_box *triangle_boxes,
                                    uint32_t *ids, rbl_box *boxes)
{
	rbl_surface_peek_clusters(surface, plan->count, ids);
	plan->ids = ids;
	cluster_boxes w = { plan, triangle_boxes, boxes };
	rbl_parallel_for(jobs, plan->count, CLUSTER_BLOCK, box_clusters, &w);
}

// Prefetch a cluster that is taken soon.
static inline void prefetch_free(const rbl_surface *surface, uint32_t cluster)
{
	rbl_surface_prefetch_cluster(surface, cluster);
	rbl_prefetch(&surface->cluster_boxes[cluster]);
	rbl_prefetch(&surface->cluster_neighbours[cluster]);
}

void rbl_surface_take_plan(rbl_surface *surface, const rbl_surface_cluster_plan *plan,
                           const int *triangles, const int *slots, int slot)
{
	enum { CLUSTER_AHEAD = 6 };
	for (int c = 0; c < plan->count; ++c) {
		if (c + CLUSTER_AHEAD < plan->count)
			prefetch_free(surface, plan->ids[c + CLUSTER_AHEAD]);
		int first = plan->order[plan->starts[c]];
		int index = rbl_surface_take_cluster(surface, slots ? slots[first] : slot);
		rbl_surface_cluster *cluster = &surface->cluster_data[index];
		for (int i = plan->starts[c]; i < plan->starts[c + 1]; ++i) {
			int triangle = triangles[plan->order[i]];
			cluster->triangles[cluster->count++] = triangle;
			surface->clusters[triangle] = index;
		}
	}
}

typedef struct body_plan {
	rbl_surface *surface;
	const rbl_surface_cluster_plan *plan;
	const int *triangles;
	int slot;
} body_plan;

static void begin_clusters(void *context, int begin, int end, int worker)
{
	(void)worker;
	const body_plan *w = context;
	for (int c = begin; c < end; ++c) {
		int index = (int)w->plan->ids[c];
		rbl_surface_begin_cluster(w->surface, index, w->slot);
		rbl_surface_cluster *cluster = &w->surface->cluster_data[index];
		for (int i = w->plan->starts[c]; i < w->plan->starts[c + 1]; ++i) {
			int triangle = w->triangles[w->plan->order[i]];
			cluster->triangles[cluster->count++] = triangle;
			w->surface->clusters[triangle] = index;
		}
	}
}

void rbl_surface_take_body_plan(rbl_surface *surface, const rbl_surface_cluster_plan *plan,
                                const int *triangles, int slot)
{
	body_plan w = { surface, plan, triangles, slot };
	for (int c = 0; c < plan->count; ++c) {
		int index = rbl_surface_take_cluster_id(surface);
		RBL_ASSERT((uint32_t)index == plan->ids[c]);
		(void)index;
	}
	rbl_parallel_for(surface->def.jobs, plan->count, CLUSTER_BLOCK, begin_clusters, &w);
	for (int c = 0; c < plan->count && !surface->has_unlisted_stale; ++c)
		rbl_surface_mark_stale(surface, (int)plan->ids[c]);
}
