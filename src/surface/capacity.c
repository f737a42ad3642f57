// SPDX-License-Identifier: MIT
//
// Capacity for vertices, triangles and clusters.
//
// Growing arrays are copied, and memory that is new to a process is slow to touch; together this
// may take longer than a split. So as much as the largest split so far took is kept free for the
// next, and before the first a bounded share of what is there. Where it is not free, arrays grow
// in updates without a split, some of them in each, so that no update is long. Scratch memory of
// splits is kept for a while for the same reason, unless it is large compared with the surface.
// Long lists of hits come from splits, too; they are kept longer, since they cost more to touch.

#include "surface/query.h"
#include "surface/surface.h"

#include "base/log.h"

typedef struct member {
	void *array; // where its pointer is
	size_t size; // bytes of an item
} member;

enum {
	SCRATCH_KEPT = 1 << 16,
	SCRATCH_FIFTHS = 2, // of the rest: scratch memory beyond it is not kept
	SCRATCH_UPDATES = 16,
	LISTS_UPDATES = 64, // for long lists of hits
	GROWTH_SHARE = 4,   // of an array that must grow, as 1 / share
	ROOM_SHARE = 3,     // before the first break: space for as much as 1 / share, and no more than
	ROOM_TRIANGLES = 1 << 14,
};

enum {
	MAX_GROUP = 6,
	/// What grows in one update, as 1 / share of all arrays: it is done before another break,
	/// mostly.
	AHEAD_SHARE = 8,
};

// Arrays of one capacity.
typedef struct group {
	member arrays[MAX_GROUP];
	int count, used;
	int *capacity;
	int spare; // what the first body leaves for breaks, as 1 / spare
} group;

static group group_of(rbl_surface *s, int which)
{
	if (which == RBL_SURFACE_VERTEX_ARRAYS)
		return (group){ { { &s->positions[0], sizeof(rbl_vec3) },
			              { &s->positions[1], sizeof(rbl_vec3) },
			              { &s->anchors, sizeof(int) },
			              { &s->origins, sizeof(int) },
			              { &s->vertex_scratch, sizeof(int) },
			              { &s->vertex_flags, 1 } },
			            6,
			            s->vertex_end,
			            &s->vertex_capacity,
			            16 };
	if (which == RBL_SURFACE_TRIANGLE_ARRAYS)
		return (group){ { { &s->triangles, 3 * sizeof(int) },
			              { &s->twins, 3 * sizeof(int) },
			              { &s->clusters, sizeof(int) } },
			            3,
			            s->triangle_end,
			            &s->triangle_capacity,
			            64 };
	return (group){ { { &s->cluster_data, sizeof(rbl_surface_cluster) },
		              { &s->cluster_boundaries, sizeof(uint32_t) },
		              { &s->cluster_normals, sizeof(rbl_surface_normals) },
		              { &s->cluster_neighbours, sizeof(rbl_surface_cluster_neighbours) },
		              { &s->cluster_boxes, sizeof(rbl_box) } },
		            5,
		            s->cluster_end,
		            &s->cluster_capacity,
		            8 };
}

// For how many an array has space.
static int capacity_of(const group *g, const rbl_surface_growth *ahead, int index)
{
	return index < ahead->done ? ahead->target : *g->capacity;
}

static void end_growth(group *g, rbl_surface_growth *ahead, int target)
{
	*g->capacity = target;
	*ahead = (rbl_surface_growth){ 0, 0, 0 };
}

// Replace arrays of a group by larger ones, all or none, but for those that have grown as far.
static bool grow_array(const rbl_allocator *allocator, const group *g,
                       const rbl_surface_growth *ahead, int first, int count, int target)
{
	rbl_growth growths[MAX_GROUP];
	int rooms[MAX_GROUP];
	for (int i = 0; i < count; ++i) {
		const member *m = &g->arrays[first + i];
		rooms[i] = capacity_of(g, ahead, first + i);
		growths[i] = (rbl_growth){ m->array, m->size, g->used, &rooms[i], target, NULL };
	}
	return rbl_grow_together(allocator, growths, count);
}

static bool reserve_group(rbl_surface *surface, int which, int wanted)
{
	group g = group_of(surface, which);
	if (wanted <= *g.capacity)
		return true;
	int more = *g.capacity > 0 ? *g.capacity / GROWTH_SHARE : wanted / g.spare;
	int base = *g.capacity > 0 ? *g.capacity : wanted;
	int target = more > RBL_MAX_SURFACE_ITEMS - base ? RBL_MAX_SURFACE_ITEMS : base + more;
	rbl_surface_growth *ahead = &surface->growths[which];
	if (ahead->target >= wanted) // as far as it has begun to grow is far enough
		target = ahead->target;
	target = target < wanted ? wanted : target;
	if (!grow_array(&surface->allocator, &g, ahead, 0, g.count, target))
		return false;
	end_growth(&g, ahead, target);
	return true;
}

rbl_result rbl_surface_reserve(rbl_surface *surface, int vertices, int triangles, int clusters)
{
	// One position more, which kernels may read in part.
	int64_t vertex_end = (int64_t)surface->vertex_count + vertices + 1;
	int64_t triangle_end = (int64_t)surface->triangle_count + triangles;
	int64_t cluster_end = (int64_t)surface->cluster_count + clusters;
	if (vertex_end > RBL_MAX_SURFACE_ITEMS || triangle_end > RBL_MAX_SURFACE_ITEMS)
		return rbl_fail(RBL_LIMIT_REACHED, "more than %d vertices or triangles",
		                RBL_MAX_SURFACE_ITEMS);
	// Ends never pass counts plus free ids, so space for the counts is space for all.
	if (!reserve_group(surface, RBL_SURFACE_VERTEX_ARRAYS, (int)vertex_end) ||
	    !reserve_group(surface, RBL_SURFACE_TRIANGLE_ARRAYS, (int)triangle_end) ||
	    !reserve_group(surface, RBL_SURFACE_CLUSTER_ARRAYS, (int)cluster_end) ||
	    (surface->rest_positions.count > 0 && !rbl_surface_reserve_rest(surface)) ||
	    (surface->residuals[0].count > 0 && !rbl_surface_reserve_residuals(surface)) ||
	    !rbl_surface_reserve_user_ids(surface, surface->vertex_user_ids.count > 0,
	                                  surface->triangle_user_ids.count > 0))
		return RBL_OUT_OF_MEMORY;
	return RBL_OK;
}

// What is kept free where `count` are there and a break took `demand`: no less, and as much more as
// makes copies rare.
static int spare_capacity(int count, int demand)
{
	return demand + rbl_maxi(demand / 8, count / 16);
}

// Space for a break, before one was seen.
static int first_capacity(int count, int max)
{
	return rbl_mini(count / ROOM_SHARE, max);
}

// Grow one array of a group to the space that is missing, and touch it.
// @return the bytes of that; 0: nothing to do, or no memory
static size_t grow_ahead(rbl_surface *surface, int which, int count, int demand)
{
	group g = group_of(surface, which);
	rbl_surface_growth *ahead = &surface->growths[which];
	if (demand > (RBL_MAX_SURFACE_ITEMS - count) / 4 || count + demand <= *g.capacity)
		return 0;
	if (ahead->done == 0)
		ahead->target = count + spare_capacity(count, demand);
	const member *a = &g.arrays[ahead->done];
	if (!grow_array(&surface->allocator, &g, ahead, ahead->done, 1, ahead->target))
		return 0;
	char *items;
	memcpy(&items, a->array, sizeof items); // a pointer to items of any type
	size_t bytes = (size_t)ahead->target * a->size, used = (size_t)g.used * a->size;
	memset(items + used, 0, bytes - used);
	ahead->done++;
	ahead->extra += (size_t)(ahead->target - *g.capacity) * a->size;
	if (ahead->done == g.count)
		end_growth(&g, ahead, ahead->target);
	return bytes;
}

// @return whether something grew
static bool grow_some(rbl_surface *surface, const int counts[RBL_SURFACE_ARRAY_GROUPS],
                      const int demands[RBL_SURFACE_ARRAY_GROUPS])
{
	size_t all = 0, grown = 0;
	for (int which = 0; which < RBL_SURFACE_ARRAY_GROUPS; ++which) {
		group g = group_of(surface, which);
		for (int i = 0; i < g.count; ++i)
			all += (size_t)*g.capacity * g.arrays[i].size;
	}
	for (int which = 0; which < RBL_SURFACE_ARRAY_GROUPS; ++which)
		for (size_t bytes = 1; bytes > 0 && grown < all / AHEAD_SHARE; grown += bytes)
			bytes = grow_ahead(surface, which, counts[which], demands[which]);
	return grown > 0;
}

void rbl_surface_free_arrays(rbl_surface *surface)
{
	for (int which = 0; which < RBL_SURFACE_ARRAY_GROUPS; ++which) {
		group g = group_of(surface, which);
		for (int i = 0; i < g.count; ++i) {
			int room = capacity_of(&g, &surface->growths[which], i);
			rbl_growth array = { g.arrays[i].array, g.arrays[i].size, 0, &room, 0, NULL };
			rbl_free_together(&surface->allocator, &array, 1);
		}
	}
}

void rbl_surface_trim(rbl_surface *surface)
{
	rbl_arena_trim(&surface->scratch, SCRATCH_KEPT);
	rbl_arena_trim(&surface->pool.scratch, SCRATCH_KEPT);
	for (int i = 0; i < surface->worker_count; ++i)
		rbl_arena_trim(&surface->workers[i].splits, SCRATCH_KEPT);
}

void rbl_surface_trim_excess(rbl_surface *surface)
{
	size_t scratch = rbl_arena_memory(&surface->scratch) + rbl_arena_memory(&surface->pool.scratch);
	for (int i = 0; i < surface->worker_count; ++i)
		scratch += rbl_arena_memory(&surface->workers[i].splits);
	if (scratch > SCRATCH_KEPT &&
	    scratch > (rbl_surface_memory(surface) - scratch) / 5 * SCRATCH_FIFTHS)
		rbl_surface_trim(surface);
}

// What a break took: no more than there is now and was not in the last update, since what is split
// and merged again leaves nothing behind.
static int taken(int split, int now, int before)
{
	int grown = rbl_maxi(now - before, 0);
	return grown < split ? grown : split;
}

void rbl_surface_reserve_ahead(rbl_surface *surface)
{
	rbl_surface_sizes *last = &surface->last_split, *largest = &surface->largest_split;
	rbl_surface_sizes before = surface->last_counts;
	surface->last_counts = (rbl_surface_sizes){ surface->vertex_count, surface->triangle_count,
		                                        surface->cluster_count };
	if (last->clusters > 0) {
		largest->vertices = rbl_maxi(largest->vertices,
		                             taken(last->vertices, surface->vertex_count, before.vertices));
		largest->triangles = rbl_maxi(
			largest->triangles, taken(last->triangles, surface->triangle_count, before.triangles));
		largest->clusters = rbl_maxi(
			largest->clusters, taken(last->clusters, surface->cluster_count, before.clusters));
		*last = (rbl_surface_sizes){ 0, 0, 0 };
		surface->updates_since_split = 0;
		surface->is_scattered = true;
		return;
	}
	if (++surface->updates_since_split == SCRATCH_UPDATES) {
		rbl_surface_trim(surface);
	} else if (surface->updates_since_split == 1) {
		rbl_arena_consolidate(&surface->scratch);
		rbl_arena_consolidate(&surface->pool.scratch);
		for (int i = 0; i < surface->worker_count; ++i)
			rbl_arena_consolidate(&surface->workers[i].splits);
		surface->places = NULL;
		rbl_arena_consolidate(&surface->seam_scratch);
	} else if (surface->updates_since_split == LISTS_UPDATES) {
		rbl_surface_trim_answer(surface);
	}
	int vertices =
		rbl_maxi(largest->vertices, first_capacity(surface->vertex_count, ROOM_TRIANGLES / 2));
	int triangles =
		rbl_maxi(largest->triangles, first_capacity(surface->triangle_count, ROOM_TRIANGLES));
	int clusters =
		rbl_maxi(largest->clusters, first_capacity(surface->cluster_count, ROOM_TRIANGLES / 6));
	const int counts[RBL_SURFACE_ARRAY_GROUPS] = { surface->vertex_count + 1,
		                                           surface->triangle_count,
		                                           surface->cluster_count };
	const int demands[RBL_SURFACE_ARRAY_GROUPS] = { vertices, triangles, clusters };
	if (grow_some(surface, counts, demands))
		return;
	rbl_tree_pool *pool = &surface->pool;
	int nodes = pool->node_end - pool->free_count;
	// Where memory is missing, the break that needs it says so.
	if (nodes + clusters > pool->node_capacity && clusters < (RBL_TREE_MAX_LEAVES - nodes) / 4)
		(void)rbl_tree_pool_reserve(pool, nodes + spare_capacity(nodes, clusters),
		                            rbl_maxi(surface->cluster_capacity, pool->leaf_capacity));
}
