// SPDX-License-Identifier: MIT
//
// A baseline written for the suite: sort and sweep.
//
// Space is cut into strips of equal width along z; every step all moving boxes are distributed to
// the strips they touch, each strip is sorted along x, swept eight boxes at a time, and owns the
// pairs whose larger lower z lies in it. Static boxes are sorted once. It needs to know the world's
// bounds and a typical size, which is what makes it hard to beat, and brittle.

#include "broadphase_baseline.h"

#include "base/bits.h"
#include "base/sort.h"
#include "base/vec.h"
#include "broadphase/broadphase_kernels.h"

#include <stdlib.h>
#include <string.h>

enum { PADDING = 8 };

typedef struct strip {
	int *ids;
	float *rows; // six, of `capacity`
	int count, capacity;
} strip;

typedef struct strips {
	strip *moving, *still;
	int strip_count;
	float start, width;
	rbl_sort_item *order, *order_scratch;
	int order_capacity;
	uint32_t *hits;
	int hit_capacity;
	baseline_pair *pairs;
	int pair_count, pair_capacity;
	float widest_still;
	bool is_still_sorted;
} strips;

static void *strips_create(const stream *s)
{
	strips *self = calloc(1, sizeof *self);
	self->start = s->world.lower.z;
	self->width = 2.0f;
	self->strip_count = (int)((s->world.upper.z - s->world.lower.z) / self->width) + 2;
	self->moving = calloc((size_t)self->strip_count, sizeof *self->moving);
	self->still = calloc((size_t)self->strip_count, sizeof *self->still);
	return self;
}

static void strips_destroy(void *pointer)
{
	strips *self = pointer;
	for (int i = 0; i < self->strip_count; ++i) {
		free(self->moving[i].ids);
		free(self->moving[i].rows);
		free(self->still[i].ids);
		free(self->still[i].rows);
	}
	free(self->moving);
	free(self->still);
	free(self->order);
	free(self->order_scratch);
	free(self->hits);
	free(self->pairs);
	free(self);
}

static void strip_push(strip *part, int id)
{
	if (part->count + PADDING >= part->capacity) {
		part->capacity = (part->capacity * 2 > 64 ? part->capacity * 2 : 64);
		part->ids = realloc(part->ids, (size_t)part->capacity * sizeof(int));
		free(part->rows);
		part->rows = NULL;
	}
	part->ids[part->count++] = id;
}

// Sort a strip along x and lay its boxes out in rows.
static void strip_sort(strips *self, strip *part, const stream *s)
{
	if (part->count > self->order_capacity) {
		self->order_capacity = 2 * part->count;
		size_t size = (size_t)self->order_capacity * sizeof(rbl_sort_item);
		self->order = realloc(self->order, size);
		self->order_scratch = realloc(self->order_scratch, size);
	}
	for (int i = 0; i < part->count; ++i)
		self->order[i] = (rbl_sort_item){ rbl_sort_key_float(s->boxes[part->ids[i]].lower.x),
			                              (uint32_t)part->ids[i] };
	rbl_sort(self->order, self->order_scratch, part->count);
	if (!part->rows && part->capacity)
		part->rows = malloc(6 * (size_t)part->capacity * sizeof(float));
	for (int i = 0; i < part->count + PADDING && part->capacity; ++i) {
		rbl_box box = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
		if (i < part->count) {
			part->ids[i] = (int)self->order[i].value;
			box = s->boxes[part->ids[i]];
		}
		float *row = part->rows + i;
		size_t stride = (size_t)part->capacity;
		row[0] = box.lower.x, row[stride] = box.lower.y, row[2 * stride] = box.lower.z;
		row[3 * stride] = box.upper.x, row[4 * stride] = box.upper.y;
		row[5 * stride] = box.upper.z;
	}
}

static float strip_begin(const strips *self, int index)
{
	return self->start + (float)index * self->width;
}

static int strip_of(const strips *self, float z)
{
	int i = (int)((z - self->start) / self->width), last = self->strip_count - 1;
	i = i < 0 ? 0 : i > last ? last : i;
	while (i > 0 && z < strip_begin(self, i)) // the division rounds, the borders decide
		i--;
	while (i < last && z >= strip_begin(self, i + 1))
		i++;
	return i;
}

static void strips_take_in(void *pointer, const stream *s)
{
	strips *self = pointer;
	for (int i = 0; i < self->strip_count; ++i)
		self->moving[i].count = 0;
	for (int id = 0; id < s->id_count; ++id) {
		bool is_moving = s->kinds[id] == STREAM_DYNAMIC;
		if (!is_moving && (self->is_still_sorted || s->kinds[id] == STREAM_FREE))
			continue;
		int last = strip_of(self, s->boxes[id].upper.z);
		float wide = 1.001f * (s->boxes[id].upper.x - s->boxes[id].lower.x);
		if (!is_moving && wide > self->widest_still)
			self->widest_still = wide;
		for (int k = strip_of(self, s->boxes[id].lower.z); k <= last; ++k)
			strip_push(is_moving ? &self->moving[k] : &self->still[k], id);
	}
	for (int i = 0; i < self->strip_count; ++i) {
		strip_sort(self, &self->moving[i], s);
		if (!self->is_still_sorted)
			strip_sort(self, &self->still[i], s);
	}
	self->is_still_sorted = true;
}

static void add_pair(strips *self, int a, int b)
{
	if (self->pair_count == self->pair_capacity) {
		self->pair_capacity = self->pair_capacity ? 2 * self->pair_capacity : 4096;
		self->pairs = realloc(self->pairs, (size_t)self->pair_capacity * sizeof *self->pairs);
	}
	self->pairs[self->pair_count++] = (baseline_pair){ a, b };
}

// How many boxes of a strip begin at or before x.
static int first_beyond(const strip *part, float x)
{
	int low = 0, high = part->count;
	while (low < high) {
		int middle = (low + high) / 2;
		if (part->rows[middle] <= x)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// Pairs of a box at z with the boxes of a hit. The strip where the later of two begins lies lists
// the pair.
static void add_hit(strips *self, int id, float z, float begin, const strip *part, int first,
                    uint32_t hit)
{
	const float *begins = part->rows + 2 * (size_t)part->capacity;
	for (unsigned bits = hit >> RBL_BSP_HIT_SHIFT; bits; bits &= bits - 1) {
		int other = first + rbl_bsp_hit_index(hit) + rbl_lowest_one(bits);
		if (z >= begin || begins[other] >= begin)
			add_pair(self, id, part->ids[other]);
	}
}

static void sweep_strip(strips *self, int index, const stream *s)
{
	const strip *moving = &self->moving[index], *still = &self->still[index];
	float begin = index ? self->start + (float)index * self->width : -INFINITY;
	int room = 4 * moving->count + still->count + 16;
	if (room > self->hit_capacity) {
		self->hit_capacity = 2 * room;
		self->hits = realloc(self->hits, (size_t)self->hit_capacity * sizeof *self->hits);
	}
	for (int i = 0, written; i < moving->count;) {
		i = RBL_PICK(rbl_bsp_sweep)(moving->rows, moving->capacity, moving->count, 0, i, self->hits,
		                            self->hit_capacity, &written);
		for (int k = 0; k < written; k += 2) {
			int place = (int)self->hits[k];
			float z = moving->rows[2 * (size_t)moving->capacity + (size_t)place];
			add_hit(self, moving->ids[place], z, begin, moving, 0, self->hits[k + 1]);
		}
	}
	// Both lists are sorted along x: a moving box looks only at still ones that begin before its
	// end, and not before its begin less the widest of them.
	for (int i = 0; i < moving->count && still->count; ++i) {
		const rbl_box *box = &s->boxes[moving->ids[i]];
		int first = first_beyond(still, box->lower.x - self->widest_still);
		int end = first_beyond(still, box->upper.x);
		int hit_count = RBL_PICK(rbl_bsp_probe)(still->rows + first, still->capacity, end - first,
		                                        box, self->hits);
		for (int k = 0; k < hit_count; ++k)
			add_hit(self, moving->ids[i], box->lower.z, begin, still, first, self->hits[k]);
	}
}

static void strips_find(void *pointer, const stream *s)
{
	strips *self = pointer;
	self->pair_count = 0;
	for (int i = 0; i < self->strip_count; ++i)
		sweep_strip(self, i, s);
}

static void strips_each(void *pointer, void (*visit)(void *context, int a, int b), void *context)
{
	const strips *self = pointer;
	for (int i = 0; i < self->pair_count; ++i)
		visit(context, self->pairs[i].a, self->pairs[i].b);
}

const baseline baseline_strips = {
	.name = "strips",
	.create = strips_create,
	.destroy = strips_destroy,
	.insert = strips_take_in,
	.find = strips_find,
	.each = strips_each,
};
