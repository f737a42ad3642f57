// SPDX-License-Identifier: MIT
//
// The pairs that workers found, put together and in order.
//
// Pairs are dealt out to buckets by their first triangle, in chunks that workers share: they count
// what each bucket gets, then put it there. Then they sort buckets. No pair comes twice, so the
// order does not depend on who found what.

#include "surface/narrow.h"

enum {
	CHUNK = 2048, // pairs
	BUCKETS = 64, // at most
	BUCKET = 256, // pairs of a bucket, about
};

// Pairs of one worker's list.
typedef struct chunk {
	const rbl_surface_pair *pairs;
	int count;
	int places[BUCKETS]; // how many go to each bucket, then where
} chunk;

typedef struct ordering {
	rbl_surface *surface;
	chunk *chunks;
	int chunk_count, bucket_count;
	int starts[BUCKETS + 1];
	rbl_sort_item *items, *spare;
} ordering;

static int bucket_of(const ordering *o, int triangle)
{
	return (int)((int64_t)triangle * o->bucket_count / o->surface->triangle_end);
}

static void count_chunks(void *context, int begin, int end, int worker)
{
	const ordering *o = context;
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
	const ordering *o = context;
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
	const ordering *o = context;
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

static void cut_chunks(ordering *o)
{
	for (int i = 0; i < o->surface->worker_count; ++i) {
		const rbl_surface_worker *worker = &o->surface->workers[i];
		for (int first = 0; first < worker->pairs.count; first += CHUNK) {
			chunk *c = &o->chunks[o->chunk_count++];
			c->pairs = worker->pairs.data + first;
			c->count = worker->pairs.count - first < CHUNK ? worker->pairs.count - first : CHUNK;
		}
	}
}

// Where each chunk puts what it has for each bucket.
static void place_chunks(ordering *o)
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

rbl_result rbl_narrow_sort_pairs(rbl_surface *surface, rbl_team *team)
{
	int count = 0;
	for (int i = 0; i < surface->worker_count; ++i)
		count += surface->workers[i].pairs.count;
	rbl_arena *arena = &surface->scratch;
	rbl_arena_reset(arena);
	ordering o = { .surface = surface, .bucket_count = 1 };
	if (team && count > CHUNK)
		o.bucket_count = count / BUCKET < BUCKETS ? count / BUCKET : BUCKETS;
	o.chunks = RBL_ARENA_NEW(arena, chunk, count / CHUNK + surface->worker_count);
	o.items = RBL_ARENA_NEW(arena, rbl_sort_item, 2 * (size_t)count);
	if (!o.chunks || !o.items || !rbl_array_resize(&surface->allocator, &surface->pairs, count))
		return RBL_OUT_OF_MEMORY;
	o.spare = o.items + count;
	cut_chunks(&o);
	rbl_team_for(team, o.chunk_count, 1, count_chunks, &o);
	place_chunks(&o);
	rbl_team_for(team, o.chunk_count, 1, deal_chunks, &o);
	rbl_team_for(team, o.bucket_count, 2, sort_buckets, &o);
	return RBL_OK;
}
