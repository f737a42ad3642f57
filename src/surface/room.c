// SPDX-License-Identifier: MIT
//
// Room for vertices, triangles and clusters.
//
// Arrays that grow are copied, and memory that is new to a process is slow to touch, which together
// may take longer than a split. So what the largest break so far took is kept free for the next,
// and before the first a part of what is there, of bounded size: when it is not, the arrays grow in
// updates without a break, some of them in each, so that no update is long. Scratch memory that
// breaks need is kept for a while after each, for the same reason, unless it is much beside the
// surface. Long lists of hits and what they are made of come of breaks, too; they are kept longer,
// since they cost more to touch.

#include "surface/narrow.h"
#include "surface/surface.h"

#include "base/log.h"

typedef struct growth {
	void **array;
	size_t size;
	void *grown;
} growth;

enum {
	SCRATCH_KEPT = 1 << 16,
	SCRATCH_FIFTHS = 2, // of the rest: scratch memory beyond it is not kept
	SCRATCH_UPDATES = 16,
	LISTS_UPDATES = 64, // for long lists of hits
	GROWTH_SHARE = 4,   // of an array that must grow, as 1 / share
	ROOM_SHARE = 3,     // before the first break: room for as much as 1 / share, and no more than
	ROOM_TRIANGLES = 1 << 14,
};

enum {
	GROUP_MOST = 6,
	/// What grows in one update, as 1 / share of all arrays: it is done before another break,
	/// mostly.
	AHEAD_SHARE = 8,
};

// Arrays of one capacity.
typedef struct group {
	growth arrays[GROUP_MOST];
	int count, used;
	int *capacity;
	int spare; // what the first body leaves for breaks, as 1 / spare
} group;

static group group_of(rbl_surface *s, int which)
{
	if (which == RBL_GROUP_VERTEX)
		return (group){ { { (void **)&s->positions[0], sizeof(rbl_vec3), NULL },
			              { (void **)&s->positions[1], sizeof(rbl_vec3), NULL },
			              { (void **)&s->anchors, sizeof(int), NULL },
			              { (void **)&s->origins, sizeof(int), NULL },
			              { (void **)&s->vertex_scratch, sizeof(int), NULL },
			              { (void **)&s->vertex_flags, 1, NULL } },
			            6,
			            s->vertex_end,
			            &s->vertex_capacity,
			            16 };
	if (which == RBL_GROUP_TRIANGLE)
		return (group){ { { (void **)&s->triangles, 3 * sizeof(int), NULL },
			              { (void **)&s->twins, 3 * sizeof(int), NULL },
			              { (void **)&s->clusters, sizeof(int), NULL } },
			            3,
			            s->triangle_end,
			            &s->triangle_capacity,
			            64 };
	return (group){ { { (void **)&s->cluster_data, sizeof(rbl_cluster), NULL },
		              { (void **)&s->cluster_rims, sizeof(uint32_t), NULL },
		              { (void **)&s->cluster_normals, sizeof(rbl_normals), NULL },
		              { (void **)&s->cluster_rings, sizeof(rbl_cluster_ring), NULL },
		              { (void **)&s->cluster_boxes, sizeof(rbl_box), NULL } },
		            5,
		            s->cluster_end,
		            &s->cluster_capacity,
		            8 };
}

// For how many an array has room.
static int room_of(const group *g, const rbl_surface_growth *ahead, int index)
{
	return index < ahead->done ? ahead->target : *g->capacity;
}

static void replace(const rbl_allocator *allocator, const group *g, int index, int room)
{
	const growth *a = &g->arrays[index];
	if (g->used > 0)
		memcpy(a->grown, *a->array, (size_t)g->used * a->size);
	rbl_release(allocator, *a->array, (size_t)room, a->size);
	*a->array = a->grown;
}

static void end_growth(group *g, rbl_surface_growth *ahead, int target)
{
	*g->capacity = target;
	*ahead = (rbl_surface_growth){ 0, 0, 0 };
}

// Replace the arrays of a group by larger ones, all or none, but for those that have grown as far.
static bool grow(const rbl_allocator *allocator, group *g, rbl_surface_growth *ahead, int target)
{
	int first = target == ahead->target ? ahead->done : 0, made = first;
	for (; made < g->count; ++made) {
		g->arrays[made].grown = rbl_allocate(allocator, (size_t)target, g->arrays[made].size);
		if (!g->arrays[made].grown)
			break;
	}
	if (made < g->count) {
		while (made-- > first)
			rbl_release(allocator, g->arrays[made].grown, (size_t)target, g->arrays[made].size);
		return false;
	}
	for (int i = first; i < g->count; ++i)
		replace(allocator, g, i, room_of(g, ahead, i));
	end_growth(g, ahead, target);
	return true;
}

static bool reserve(rbl_surface *surface, int which, int wanted)
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
	return grow(&surface->allocator, &g, ahead, target < wanted ? wanted : target);
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
	// Ends never pass counts plus free ids, so room for the counts is room for all.
	if (!reserve(surface, RBL_GROUP_VERTEX, (int)vertex_end) ||
	    !reserve(surface, RBL_GROUP_TRIANGLE, (int)triangle_end) ||
	    !reserve(surface, RBL_GROUP_CLUSTER, (int)cluster_end))
		return RBL_OUT_OF_MEMORY;
	return RBL_OK;
}

// What is kept free where `count` are there and a break took `demand`: no less, and as much more as
// makes copies rare.
static int spare_room(int count, int demand)
{
	return demand + rbl_maxi(demand / 8, count / 16);
}

// Room for a break, before one was seen.
static int first_room(int count, int most)
{
	return rbl_mini(count / ROOM_SHARE, most);
}

// Grow one array of a group to the room that is missing, and touch it.
// @return the bytes of that; 0: nothing to do, or no memory
static size_t grow_ahead(rbl_surface *surface, int which, int count, int demand)
{
	group g = group_of(surface, which);
	rbl_surface_growth *ahead = &surface->growths[which];
	if (demand > (RBL_MAX_SURFACE_ITEMS - count) / 4 || count + demand <= *g.capacity)
		return 0;
	if (ahead->done == 0)
		ahead->target = count + spare_room(count, demand);
	growth *a = &g.arrays[ahead->done];
	a->grown = rbl_allocate(&surface->allocator, (size_t)ahead->target, a->size);
	if (!a->grown)
		return 0;
	size_t bytes = (size_t)ahead->target * a->size, used = (size_t)g.used * a->size;
	memset((char *)a->grown + used, 0, bytes - used);
	replace(&surface->allocator, &g, ahead->done++, *g.capacity);
	ahead->extra += (size_t)(ahead->target - *g.capacity) * a->size;
	if (ahead->done == g.count)
		end_growth(&g, ahead, ahead->target);
	return bytes;
}

// @return whether something grew
static bool grow_some(rbl_surface *surface, const int counts[RBL_GROUP_COUNT],
                      const int demands[RBL_GROUP_COUNT])
{
	size_t all = 0, grown = 0;
	for (int which = 0; which < RBL_GROUP_COUNT; ++which) {
		group g = group_of(surface, which);
		for (int i = 0; i < g.count; ++i)
			all += (size_t)*g.capacity * g.arrays[i].size;
	}
	for (int which = 0; which < RBL_GROUP_COUNT; ++which)
		for (size_t bytes = 1; bytes > 0 && grown < all / AHEAD_SHARE; grown += bytes)
			bytes = grow_ahead(surface, which, counts[which], demands[which]);
	return grown > 0;
}

void rbl_surface_free_arrays(rbl_surface *surface)
{
	for (int which = 0; which < RBL_GROUP_COUNT; ++which) {
		group g = group_of(surface, which);
		for (int i = 0; i < g.count; ++i)
			rbl_release(&surface->allocator, *g.arrays[i].array,
			            (size_t)room_of(&g, &surface->growths[which], i), g.arrays[i].size);
	}
}

void rbl_surface_trim(rbl_surface *surface)
{
	rbl_arena_trim(&surface->scratch, SCRATCH_KEPT);
	rbl_arena_trim(&surface->pool.scratch, SCRATCH_KEPT);
}

void rbl_surface_trim_excess(rbl_surface *surface)
{
	size_t scratch = rbl_arena_memory(&surface->scratch) + rbl_arena_memory(&surface->pool.scratch);
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

void rbl_surface_make_room(rbl_surface *surface)
{
	rbl_surface_room *last = &surface->last_break, *most = &surface->largest_break;
	rbl_surface_room before = surface->last_counts;
	surface->last_counts = (rbl_surface_room){ surface->vertex_count, surface->triangle_count,
		                                       surface->cluster_count };
	if (last->clusters > 0) {
		most->vertices =
			rbl_maxi(most->vertices, taken(last->vertices, surface->vertex_count, before.vertices));
		most->triangles = rbl_maxi(
			most->triangles, taken(last->triangles, surface->triangle_count, before.triangles));
		most->clusters = rbl_maxi(most->clusters,
		                          taken(last->clusters, surface->cluster_count, before.clusters));
		*last = (rbl_surface_room){ 0, 0, 0 };
		surface->quiet_updates = 0;
		surface->is_scattered = true;
		return;
	}
	if (++surface->quiet_updates == SCRATCH_UPDATES) {
		rbl_surface_trim(surface);
	} else if (surface->quiet_updates == 1) {
		rbl_arena_settle(&surface->scratch);
		rbl_arena_settle(&surface->pool.scratch);
		surface->places = NULL;
		rbl_arena_settle(&surface->seam_scratch);
	} else if (surface->quiet_updates == LISTS_UPDATES) {
		rbl_narrow_trim(surface);
	}
	int vertices = rbl_maxi(most->vertices, first_room(surface->vertex_count, ROOM_TRIANGLES / 2));
	int triangles = rbl_maxi(most->triangles, first_room(surface->triangle_count, ROOM_TRIANGLES));
	int clusters = rbl_maxi(most->clusters, first_room(surface->cluster_count, ROOM_TRIANGLES / 6));
	const int counts[RBL_GROUP_COUNT] = { surface->vertex_count + 1, surface->triangle_count,
		                                  surface->cluster_count };
	const int demands[RBL_GROUP_COUNT] = { vertices, triangles, clusters };
	if (grow_some(surface, counts, demands))
		return;
	rbl_tree_pool *pool = &surface->pool;
	int nodes = pool->node_end - pool->free_count;
	// Where memory is missing, the break that needs it says so.
	if (nodes + clusters > pool->node_capacity && clusters < (RBL_TREE_MAX_LEAVES - nodes) / 4)
		(void)rbl_tree_pool_reserve(pool, nodes + spare_room(nodes, clusters),
		                            rbl_maxi(surface->cluster_capacity, pool->leaf_capacity));
}
