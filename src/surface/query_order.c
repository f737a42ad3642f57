// SPDX-License-Identifier: MIT
//
// Results of a query: pairs and hits of all workers in order, and those kept from the last query.
//
// Pairs are distributed to buckets by their first triangle, in chunks that workers share: they
// count what each bucket gets, then write it, then sort buckets. No pair comes twice, so the order
// does not depend on who found what.

#include "surface/query.h"
#include "surface/seam.h"

enum {
	ORDER_CHUNK = 2048, // pairs
	BUCKETS = 64,       // at most
	BUCKET = 256,       // pairs of a bucket, about
	LONG_LIST = 1 << 12,
};

// Pairs of one worker's list.
typedef struct chunk {
	const rbl_surface_pair *pairs;
	int count;
	int places[BUCKETS]; // how many go to each bucket, then where
} chunk;

typedef struct pair_order {
	rbl_surface *surface;
	chunk *chunks;
	int chunk_count, bucket_count;
	int starts[BUCKETS + 1];
	rbl_sort_item *items, *spare;
} pair_order;

static int bucket_of(const pair_order *o, int triangle)
{
	return (int)((int64_t)triangle * o->bucket_count / o->surface->triangle_end);
}

static void count_chunks(void *context, int begin, int end, int worker)
{
	const pair_order *o = context;
	(void)worker;
	for (int i = begin; i < end; ++i) {
		chunk *c = &o->chunks[i];
		memset(c->places, 0, sizeof c->places);
		for (int k = 0; k < c->count; ++k)
			c->places[bucket_of(o, c->pairs[k].a)]++;
	}
}

static void deal_chunks(void *context, int begin, int end, int worker)
{
	const pair_order *o = context;
	(void)worker;
	for (int i = begin; i < end; ++i) {
		chunk *c = &o->chunks[i];
		for (int k = 0; k < c->count; ++k) {
			rbl_surface_pair pair = c->pairs[k];
			o->items[c->places[bucket_of(o, pair.a)]++] =
				(rbl_sort_item){ (uint32_t)pair.b, (uint32_t)pair.a };
		}
	}
}

// By the second, then by the first: the sort is stable, and items are half as large as for both at
// once.
static void sort_buckets(void *context, int begin, int end, int worker)
{
	const pair_order *o = context;
	(void)worker;
	for (int i = begin; i < end; ++i) {
		int first = o->starts[i], count = o->starts[i + 1] - first;
		rbl_sort_item *items = o->items + first;
		rbl_sort(items, o->spare + first, count);
		for (int k = 0; k < count; ++k)
			items[k] = (rbl_sort_item){ items[k].value, items[k].key };
		rbl_sort(items, o->spare + first, count);
		for (int k = 0; k < count; ++k)
			o->surface->pairs.data[first + k] =
				(rbl_surface_pair){ (int)items[k].key, (int)items[k].value };
	}
}

static void cut_chunks(pair_order *o)
{
	for (int i = 0; i < o->surface->worker_count; ++i) {
		const rbl_surface_worker *worker = &o->surface->workers[i];
		for (int first = 0; first < worker->pairs.count; first += ORDER_CHUNK) {
			chunk *c = &o->chunks[o->chunk_count++];
			c->pairs = worker->pairs.data + first;
			c->count = worker->pairs.count - first < ORDER_CHUNK ? worker->pairs.count - first
			                                                     : ORDER_CHUNK;
		}
	}
}

// Where each chunk puts what it has for each bucket.
static void place_chunks(pair_order *o)
{
	int place = 0;
	for (int b = 0; b < o->bucket_count; ++b) {
		o->starts[b] = place;
		for (int i = 0; i < o->chunk_count; ++i) {
			int count = o->chunks[i].places[b];
			o->chunks[i].places[b] = place;
			place += count;
		}
	}
	o->starts[o->bucket_count] = place;
}

rbl_result rbl_surface_sort_pairs(rbl_surface *surface, rbl_worker_group *workers)
{
	int count = 0;
	for (int i = 0; i < surface->worker_count; ++i)
		count += surface->workers[i].pairs.count;
	rbl_arena *arena = &surface->scratch;
	rbl_arena_reset(arena);
	pair_order o = { .surface = surface, .bucket_count = 1 };
	if (workers && count > ORDER_CHUNK)
		o.bucket_count = count / BUCKET < BUCKETS ? count / BUCKET : BUCKETS;
	o.chunks = RBL_ARENA_NEW(arena, chunk, count / ORDER_CHUNK + surface->worker_count);
	o.items = RBL_ARENA_NEW(arena, rbl_sort_item, 2 * (size_t)count);
	if (!o.chunks || !o.items || !rbl_array_resize(&surface->allocator, &surface->pairs, count))
		return RBL_OUT_OF_MEMORY;
	o.spare = o.items + count;
	cut_chunks(&o);
	rbl_worker_group_for(workers, o.chunk_count, 1, count_chunks, &o);
	place_chunks(&o);
	rbl_worker_group_for(workers, o.chunk_count, 1, deal_chunks, &o);
	rbl_worker_group_for(workers, o.bucket_count, 2, sort_buckets, &o);
	return RBL_OK;
}

// --- what is known ------------------------------------------------------------------------------

static bool triangle_is_unchanged(const rbl_surface *surface, int triangle)
{
	int cluster = surface->clusters[triangle];
	return cluster >= 0 &&
	       surface->bodies.data[surface->cluster_data[cluster].body].self.is_unchanged;
}

static bool hit_is_unchanged(const rbl_surface *surface, const rbl_surface_hit *hit)
{
	if (hit->kind == RBL_HIT_EDGE_EDGE)
		return triangle_is_unchanged(surface, hit->a / 3) &&
		       triangle_is_unchanged(surface, hit->b / 3);
	int anchor = surface->anchors[hit->a];
	return anchor >= 0 && triangle_is_unchanged(surface, anchor / 3) &&
	       triangle_is_unchanged(surface, hit->b);
}

bool rbl_surface_keep_unchanged(rbl_surface *surface)
{
	rbl_surface_worker *worker = &surface->workers[0];
	bool is_swept = rbl_surface_asks_features(surface), is_any = false;
	for (int slot = 0; slot < surface->bodies.count; ++slot)
		is_any |= surface->bodies.data[slot].self.is_unchanged &&
		          rbl_id_pool_is_live(&surface->ids, slot);
	if (!is_any)
		return true;
	int last = -1;
	bool last_is_known = false;
	for (int i = 0; !is_swept && i < surface->pairs.count; ++i) {
		rbl_surface_pair pair = surface->pairs.data[i];
		if (pair.a != last) // they come in order
			last = pair.a, last_is_known = triangle_is_unchanged(surface, pair.a);
		if (last_is_known && triangle_is_unchanged(surface, pair.b) &&
		    !rbl_array_push(&surface->allocator, &worker->pairs, pair))
			return false;
	}
	for (int i = 0; is_swept && i < surface->hits.count; ++i)
		if (hit_is_unchanged(surface, &surface->hits.data[i]) &&
		    !rbl_array_push(&surface->allocator, &worker->hits, surface->hits.data[i]))
			return false;
	return true;
}

// --- order --------------------------------------------------------------------------------------

rbl_sort_item64 *rbl_surface_order_hits(rbl_surface *surface, int *all)
{
	int count = 0;
	for (int i = 0; i < surface->worker_count; ++i)
		count += surface->workers[i].hits.count;
	rbl_arena_reset(&surface->scratch);
	rbl_sort_item64 *items = RBL_ARENA_NEW(&surface->scratch, rbl_sort_item64, 2 * (size_t)count);
	if (!items)
		return NULL;
	int placed = 0;
	for (int i = 0; i < surface->worker_count; ++i)
		for (int k = 0; k < surface->workers[i].hits.count; ++k) {
			const rbl_surface_hit *hit = &surface->workers[i].hits.data[k];
			items[placed++] =
				(rbl_sort_item64){ .key = rbl_surface_hit_key(hit->kind, hit->a, hit->b),
				                   .value = (uint32_t)k,
				                   .extra = (uint32_t)i };
		}
	rbl_sort64(items, items + count, count);
	*all = count;
	return items;
}

rbl_result rbl_surface_sort_hits(rbl_surface *surface, rbl_worker_group *workers)
{
	int count;
	const rbl_sort_item64 *items = rbl_surface_order_hits(surface, &count);
	if (!items)
		return RBL_OUT_OF_MEMORY;
	if (surface->places)
		return rbl_surface_write_seam_hits(surface, workers,
		                                   (rbl_surface_other_hits){ items, count })
		           ? RBL_OK
		           : RBL_OUT_OF_MEMORY;
	if (!rbl_array_resize(&surface->allocator, &surface->hits, count))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i)
		surface->hits.data[i] = surface->workers[items[i].extra].hits.data[items[i].value];
	return RBL_OK;
}

void rbl_surface_trim_answer(rbl_surface *surface)
{
	const rbl_allocator *allocator = &surface->allocator;
	for (int i = 0; i < surface->worker_count; ++i) {
		if (surface->workers[i].pairs.capacity > LONG_LIST)
			rbl_array_free(allocator, &surface->workers[i].pairs);
		if (surface->workers[i].hits.capacity > LONG_LIST)
			rbl_array_free(allocator, &surface->workers[i].hits);
		if (surface->workers[i].described.capacity > LONG_LIST)
			rbl_array_free(allocator, &surface->workers[i].described);
	}
	if (surface->near_pairs.capacity > LONG_LIST)
		rbl_array_free(allocator, &surface->near_pairs);
	if (surface->candidates.capacity > LONG_LIST)
		rbl_array_free(allocator, &surface->candidates);
	rbl_array_free(allocator, &surface->seam_triangles);
	rbl_arena_trim(&surface->seam_scratch, 4096);
	surface->places = NULL;
	// The answer stays, in less space where it had much more.
	int count = surface->hits.count, capacity = rbl_maxi(2 * count, LONG_LIST);
	if (surface->hits.capacity <= 2 * capacity)
		return;
	rbl_surface_hit *hits = RBL_NEW(allocator, rbl_surface_hit, capacity);
	if (!hits)
		return;
	memcpy(hits, surface->hits.data, (size_t)count * sizeof *hits);
	rbl_array_free(allocator, &surface->hits);
	surface->hits.data = hits, surface->hits.count = count, surface->hits.capacity = capacity;
}
