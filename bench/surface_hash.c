// SPDX-License-Identifier: MIT
//
// Spatial hashing (after Teschner et al. 2003), in two forms.
//
// Written as well as it can be: cells a little larger than triangles, a counting sort into buckets
// instead of lists, boxes before tests, each pair in the one cell that holds the larger of the two
// lower corners, and our own batched triangle test.
//
// And plainly, for comparison: the same hash function, cells as
// large as the mean edge, lists in a table, and every triangle tested against all that lie in its
// cells, each once by a stamp; with the exact test, since nothing else gives the same pairs.

#include "surface_hash.h"

#include "base/vec.h"
#include "geometry/geometry.h"
#include "surface/query.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 1024 };

void surface_hash_free(surface_hash *hash)
{
	free(hash->triangles);
	free(hash->starts);
	free(hash->entries);
	free(hash->pairs);
	free(hash->colliding);
	free(hash->boxes);
	free(hash->next);
	free(hash->stamps);
	*hash = (surface_hash){ 0 };
}

static bool grow(void **memory, int *capacity, int wanted, size_t size)
{
	if (wanted <= *capacity)
		return true;
	free(*memory);
	*memory = malloc((size_t)wanted * size);
	*capacity = *memory ? wanted : 0;
	return *memory != NULL;
}

typedef struct cell {
	int x, y, z;
} cell;

static cell cell_of(rbl_vec3 p, float scale)
{
	return (cell){ (int)floorf(p.x * scale), (int)floorf(p.y * scale), (int)floorf(p.z * scale) };
}

static uint32_t bucket_of(int x, int y, int z, uint32_t mask)
{
	uint32_t h = (uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u ^ (uint32_t)z * 83492791u;
	return (h ^ h >> 15) & mask;
}

// Live triangles and their boxes. @return how many, -1 when memory ran out
static int collect(surface_hash *hash, const rbl_surface *surface, rbl_surface_data data)
{
	int boxes = hash->triangle_capacity;
	if (!grow((void **)&hash->triangles, &hash->triangle_capacity, data.triangle_end,
	          sizeof(int)) ||
	    !grow((void **)&hash->boxes, &boxes, data.triangle_end, sizeof(rbl_box)))
		return -1;
	int count = 0;
	for (int t = 0; t < data.triangle_end; ++t) {
		if (!rbl_surface_triangle_body(surface, t).generation)
			continue;
		rbl_box box = rbl_box_empty();
		for (int k = 0; k < 3; ++k)
			box = rbl_box_add_point(box, data.ends[data.triangles[3 * t + k]]);
		hash->boxes[count] = box;
		hash->triangles[count++] = t;
	}
	return count;
}

// Visit the cells of a box.
#define EACH_CELL(box, scale)                                                       \
	cell low = cell_of((box).lower, (scale)), high = cell_of((box).upper, (scale)); \
	for (int z = low.z; z <= high.z; ++z)                                           \
		for (int y = low.y; y <= high.y; ++y)                                       \
			for (int x = low.x; x <= high.x; ++x)

static bool fill_buckets(surface_hash *hash, int count, float scale, uint32_t mask)
{
	memset(hash->starts, 0, ((size_t)mask + 2) * sizeof *hash->starts);
	for (int i = 0; i < count; ++i) {
		EACH_CELL(hash->boxes[i], scale)
		hash->starts[bucket_of(x, y, z, mask) + 1]++;
	}
	for (uint32_t i = 0; i <= mask; ++i)
		hash->starts[i + 1] += hash->starts[i];
	if (!grow((void **)&hash->entries, &hash->entry_capacity, hash->starts[mask + 1], sizeof(int)))
		return false;
	for (int i = 0; i < count; ++i) {
		EACH_CELL(hash->boxes[i], scale)
		hash->entries[hash->starts[bucket_of(x, y, z, mask)]++] = i;
	}
	memmove(hash->starts + 1, hash->starts, ((size_t)mask + 1) * sizeof *hash->starts);
	hash->starts[0] = 0;
	return true;
}

static int flush(surface_hash *hash, const rbl_surface_data *data, int count)
{
	hash->tests += count;
	return rbl_surface_test_triangle_pairs(data->ends, data->triangles, hash->pairs, count,
	                                       hash->colliding, NULL, NULL);
}

static int test_buckets(surface_hash *hash, const rbl_surface_data *data, float scale,
                        uint32_t mask)
{
	int found = 0, waiting = 0;
	for (uint32_t bucket = 0; bucket <= mask; ++bucket)
		for (int i = hash->starts[bucket]; i < hash->starts[bucket + 1]; ++i)
			for (int k = i + 1; k < hash->starts[bucket + 1]; ++k) {
				int a = hash->entries[i], b = hash->entries[k];
				rbl_box p = hash->boxes[a], q = hash->boxes[b];
				if (a == b || !rbl_box_overlaps(p, q))
					continue;
				cell own = cell_of(rbl_max(p.lower, q.lower), scale);
				if (bucket_of(own.x, own.y, own.z, mask) != bucket)
					continue;
				hash->pairs[2 * waiting] = hash->triangles[a < b ? a : b];
				hash->pairs[2 * waiting++ + 1] = hash->triangles[a < b ? b : a];
				if (waiting == BATCH) {
					found += flush(hash, data, waiting);
					waiting = 0;
				}
			}
	return found + flush(hash, data, waiting);
}

// --- plainly -------------------------------------------------------------------------------------

static double mean_edge(const surface_hash *hash, const rbl_surface_data *data, int count)
{
	double sum = 0.0;
	for (int i = 0; i < 3 * count; ++i) {
		const int *v = data->triangles + 3 * hash->triangles[i / 3];
		sum += (double)rbl_length(rbl_sub(data->ends[v[(i + 1) % 3]], data->ends[v[i % 3]]));
	}
	return sum / (3 * count);
}

// Lists of entries, two numbers each in `entries`: a triangle, and `next` has the next entry.
static bool fill_lists(surface_hash *hash, int count, float scale, uint32_t mask)
{
	int entry_count = 0;
	for (int i = 0; i < count; ++i) {
		EACH_CELL(hash->boxes[i], scale)
		entry_count += 1;
	}
	if (!grow((void **)&hash->entries, &hash->entry_capacity, entry_count, sizeof(int)) ||
	    !grow((void **)&hash->next, &hash->next_capacity, entry_count, sizeof(int)))
		return false;
	memset(hash->starts, -1, ((size_t)mask + 1) * sizeof *hash->starts);
	int at = 0;
	for (int i = 0; i < count; ++i) {
		EACH_CELL(hash->boxes[i], scale)
		{
			int *start = &hash->starts[bucket_of(x, y, z, mask)];
			hash->entries[at] = i;
			hash->next[at] = *start;
			*start = at++;
		}
	}
	return true;
}

static int test_lists(surface_hash *hash, const rbl_surface_data *data, int count, float scale,
                      uint32_t mask)
{
	int found = 0;
	memset(hash->stamps, -1, (size_t)count * sizeof *hash->stamps);
	for (int i = 0; i < count; ++i) {
		EACH_CELL(hash->boxes[i], scale)
		for (int at = hash->starts[bucket_of(x, y, z, mask)]; at >= 0; at = hash->next[at]) {
			int k = hash->entries[at];
			if (k <= i || hash->stamps[k] == i)
				continue;
			hash->stamps[k] = i;
			hash->tests++;
			found += rbl_indexed_triangles_meet_float(data->ends,
			                                          data->triangles + 3 * hash->triangles[i],
			                                          data->triangles + 3 * hash->triangles[k]);
		}
	}
	return found;
}

static int collide_plain(surface_hash *hash, const rbl_surface_data *data, int count)
{
	float scale = (float)(1.0 / (mean_edge(hash, data, count) + 1e-30));
	uint32_t mask = 1;
	while ((int64_t)mask < count)
		mask *= 2;
	hash->tests = 0;
	if (!grow((void **)&hash->starts, &hash->bucket_capacity, (int)mask + 1, sizeof(int)) ||
	    !grow((void **)&hash->stamps, &hash->stamp_capacity, count, sizeof(int)) ||
	    !fill_lists(hash, count, scale, mask - 1))
		return -1;
	return test_lists(hash, data, count, scale, mask - 1);
}

int surface_hash_collide(surface_hash *hash, const rbl_surface *surface)
{
	rbl_surface_data data = rbl_surface_get_data(surface);
	int count = collect(hash, surface, data);
	if (count <= 0)
		return count;
	if (hash->is_plain)
		return collide_plain(hash, &data, count);
	double size = 0.0;
	for (int i = 0; i < count; ++i) {
		rbl_vec3 s = rbl_box_size(hash->boxes[i]);
		size += (double)rbl_maxf(s.x, rbl_maxf(s.y, s.z));
	}
	float scale = (float)(count / (1.5 * size + 1e-30));
	uint32_t mask = 1;
	while ((int64_t)mask < 4 * (int64_t)count)
		mask *= 2;
	if (!grow((void **)&hash->starts, &hash->bucket_capacity, (int)mask + 1, sizeof(int)) ||
	    !grow((void **)&hash->pairs, &hash->pair_capacity, 2 * BATCH, sizeof(int)))
		return -1;
	if (!hash->colliding && !(hash->colliding = malloc((BATCH + 7) * sizeof *hash->colliding)))
		return -1;
	hash->tests = 0;
	mask -= 1;
	return fill_buckets(hash, count, scale, mask) ? test_buckets(hash, &data, scale, mask) : -1;
}
