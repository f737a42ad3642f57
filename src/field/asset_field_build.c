// SPDX-License-Identifier: MIT
//
// Building the field of a mesh.
//
//   1. find the slots near the surface, hence the bricks of each level
//   2. take exact samples: the nearest triangle by a tree, the sign by winding numbers along rows
//   3. from coarse to fine, where a brick meets a coarser one, replace its samples by what the
//      coarser one interpolates: this makes the field continuous
//   4. fit the finest samples to the surface (asset_field_fit.c), and round to 16 bits
//   5. bound the error of the result, from the exact samples around each cell
//
// Within a step bricks are independent, so the result is the same for any number of workers.

#include "field/asset_field_build.h"

#include "field/field_kernels.h"

// A slot is near when the surface comes within so many cells of it.
static const double near_band = 1.0;

typedef struct builder {
	rbl_asset_field *field;
	rbl_allocator allocator;
	int triangle_count;
	rbl_jobs *jobs;
	rbl_sample_surface surface;
	rbl_crossing_rows rows;
	rbl_sample_grid grid;
	int brick_count, level_ends[RBL_FIELD_LEVELS]; // bricks of a level end here
	int level;                                     // that is worked on
	uint8_t *levels;                               // by slot: that of its leaf
	int *leaves;                                   // by slot: the brick
	int counts[RBL_FIELD_LEVELS][3];               // places of bricks side by side, by level
	int *numbers[RBL_FIELD_LEVELS];                // by level and place: the brick, or -1
	float *extremes; // per brick: its largest |value|; then bound at the surface
	float *bounds;   // RBL_BRICK_BLOCKS per brick, in cells
} builder;

static int level_begin(const builder *b, int level)
{
	return level > 0 ? b->level_ends[level - 1] : 0;
}

static int place_index(const builder *b, int level, int x, int y, int z)
{
	return (z * b->counts[level][1] + y) * b->counts[level][0] + x;
}

static int place_count(const builder *b, int level)
{
	return b->counts[level][0] * b->counts[level][1] * b->counts[level][2];
}

static int slot_index(const int size[3], int x, int y, int z)
{
	return (z * size[1] + y) * size[0] + x;
}

// --- which bricks there are ---------------------------------------------------------------------

static int slot_along(double at, int size)
{
	return rbl_mini(rbl_maxi((int)floor(at / RBL_BRICK_CELLS), 0), size - 1);
}

// Whether a triangle may come near a slot: it is not all beyond one of the planes of the triangle.
static bool is_near_slot(const rbl_sample_triangle *t, const int slot[3])
{
	double half = 0.5 * RBL_BRICK_CELLS;
	rbl_vec3d centre = { RBL_BRICK_CELLS * (slot[0] + 0.5), RBL_BRICK_CELLS * (slot[1] + 0.5),
		                 RBL_BRICK_CELLS * (slot[2] + 0.5) };
	if (t->bias > 0.0f)
		return true;
	rbl_vec3d n = rbl_to_d(t->normal);
	double reach = half * (fabs(n.x) + fabs(n.y) + fabs(n.z)) + near_band;
	if (fabs(rbl_dot_d(n, rbl_sub_d(centre, rbl_to_d(t->corners[0])))) > reach)
		return false;
	for (int k = 0; k < 3; ++k) {
		rbl_vec3d side = rbl_to_d(t->sides[k]);
		reach = half * (fabs(side.x) + fabs(side.y) + fabs(side.z)) + near_band;
		if (rbl_dot_d(side, rbl_sub_d(centre, rbl_to_d(t->corners[k]))) < -reach)
			return false;
	}
	return true;
}

static void mark_near(const builder *b)
{
	const int *size = b->grid.size;
	for (int i = 0; i < b->triangle_count; ++i) {
		const rbl_sample_triangle *t = &b->surface.triangles[i];
		rbl_vec3 low = rbl_min(t->corners[0], rbl_min(t->corners[1], t->corners[2]));
		rbl_vec3 high = rbl_max(t->corners[0], rbl_max(t->corners[1], t->corners[2]));
		int first[3], last[3], at[3];
		for (int k = 0; k < 3; ++k) {
			first[k] = slot_along((double)rbl_axis(low, k) - near_band, size[k]);
			last[k] = slot_along((double)rbl_axis(high, k) + near_band, size[k]);
		}
		for (at[2] = first[2]; at[2] <= last[2]; ++at[2])
			for (at[1] = first[1]; at[1] <= last[1]; ++at[1])
				for (at[0] = first[0]; at[0] <= last[0]; ++at[0]) {
					uint8_t *level = &b->levels[slot_index(size, at[0], at[1], at[2])];
					if (*level != 0 && is_near_slot(t, at))
						*level = 0;
				}
	}
}

// Whether a slot that is not near is inside, as its lowest corner, or has a near one beside it.
static bool needs_level_1(const builder *b, const int at[3])
{
	const int *size = b->grid.size;
	bool is_needed;
	rbl_crossing_rows_inside(&b->rows, RBL_BRICK_CELLS * at[0], RBL_BRICK_CELLS * at[1],
	                         RBL_BRICK_CELLS * at[2], 1, 1, &is_needed);
	for (int k = 0; k < 27 && !is_needed; ++k) {
		int x = at[0] + k % 3 - 1, y = at[1] + k / 3 % 3 - 1, z = at[2] + k / 9 - 1;
		if (x >= 0 && y >= 0 && z >= 0 && x < size[0] && y < size[1] && z < size[2])
			is_needed = b->levels[slot_index(size, x, y, z)] == 0;
	}
	return is_needed;
}

// Level 1 for slots that need it and those that share a brick with one of them, level 2 for the
// others.
static void choose_coarse_levels(const builder *b)
{
	const int *size = b->grid.size;
	for (int i = 0; i < place_count(b, 1); ++i) {
		int x = 2 * (i % b->counts[1][0]), y = 2 * (i / b->counts[1][0] % b->counts[1][1]);
		int z = 2 * (i / b->counts[1][0] / b->counts[1][1]);
		bool has_fine = false;
		for (int pass = 0; pass < 2; ++pass)
			for (int k = 0; k < 8; ++k) {
				int at[3] = { x + (k & 1), y + (k >> 1 & 1), z + (k >> 2) };
				if (at[0] >= size[0] || at[1] >= size[1] || at[2] >= size[2])
					continue;
				uint8_t *level = &b->levels[slot_index(size, at[0], at[1], at[2])];
				if (*level != 0 && pass == 0)
					has_fine = has_fine || needs_level_1(b, at);
				else if (*level != 0)
					*level = has_fine ? 1 : 2;
			}
	}
}

// Number the bricks of a level in the order of their first leaves.
static void number_bricks(builder *b, int level)
{
	const int *size = b->grid.size;
	for (int i = 0; i < place_count(b, level); ++i)
		b->numbers[level][i] = -1;
	for (int slot = 0; slot < rbl_asset_field_slots(b->field); ++slot) {
		if (b->levels[slot] != level)
			continue;
		int at[3] = { slot % size[0], slot / size[0] % size[1], slot / size[0] / size[1] };
		int *number = &b->numbers[level][place_index(b, level, at[0] >> level, at[1] >> level,
		                                             at[2] >> level)];
		if (*number < 0)
			*number = b->brick_count++;
		if (b->grid.places)
			b->grid.places[*number] =
				(rbl_brick_place){ { (at[0] >> level) * (RBL_BRICK_CELLS << level),
				                     (at[1] >> level) * (RBL_BRICK_CELLS << level),
				                     (at[2] >> level) * (RBL_BRICK_CELLS << level) },
				                   level };
		b->leaves[slot] = *number;
		b->field->directory[slot] = (uint32_t)*number << RBL_ENTRY_LEVEL_BITS | (uint32_t)level;
	}
	b->level_ends[level] = b->brick_count;
}

static rbl_result plan_bricks(builder *b)
{
	const rbl_allocator *a = &b->allocator;
	rbl_sample_grid *grid = &b->grid;
	int slots = rbl_asset_field_slots(b->field);
	bool is_ready = true;
	for (int level = 0; level < RBL_FIELD_LEVELS; ++level) {
		for (int k = 0; k < 3; ++k)
			b->counts[level][k] = ((grid->size[k] - 1) >> level) + 1;
		b->numbers[level] = RBL_NEW(a, int, place_count(b, level));
		is_ready &= b->numbers[level] != NULL;
	}
	b->levels = RBL_NEW(a, uint8_t, slots);
	grid->leaves = b->leaves = RBL_NEW(a, int, slots);
	b->field->directory = RBL_NEW(a, uint32_t, slots);
	if (!is_ready || !b->levels || !b->leaves || !b->field->directory)
		return RBL_OUT_OF_MEMORY;
	memset(b->levels, 0xff, (size_t)slots);
	mark_near(b);
	choose_coarse_levels(b);
	for (int level = 0; level < RBL_FIELD_LEVELS; ++level)
		number_bricks(b, level);
	int count = b->brick_count;
	grid->places = RBL_NEW(a, rbl_brick_place, count);
	b->extremes = RBL_NEW(a, float, count);
	grid->exact = RBL_NEW_ZERO(a, float, (size_t)count *RBL_BRICK_SAMPLES);
	grid->values = RBL_NEW(a, float, (size_t)count *RBL_BRICK_SAMPLES);
	b->bounds = RBL_NEW(a, float, (size_t)count *RBL_BRICK_BLOCKS);
	if (!grid->places || !b->extremes || !grid->exact || !grid->values || !b->bounds ||
	    !rbl_asset_field_reserve(b->field, count))
		return RBL_OUT_OF_MEMORY;
	b->brick_count = 0;
	for (int level = 0; level < RBL_FIELD_LEVELS; ++level)
		number_bricks(b, level);
	return RBL_OK;
}

// Slots that touch a lattice point: up to eight, some of them more than once.
static void slots_at(const builder *b, const int at[3], int slots[8])
{
	const int *size = b->grid.size;
	for (int k = 0; k < 8; ++k) {
		int slot[3];
		for (int axis = 0; axis < 3; ++axis) {
			int x = rbl_maxi(at[axis] - (k >> axis & 1), 0);
			slot[axis] = rbl_mini(x / RBL_BRICK_CELLS, size[axis] - 1);
		}
		slots[k] = slot_index(size, slot[0], slot[1], slot[2]);
	}
}

static void sample_place(const rbl_brick_place *place, const int local[3], int at[3])
{
	for (int k = 0; k < 3; ++k)
		at[k] = place->origin[k] + (local[k] << place->level);
}

// --- exact samples ------------------------------------------------------------------------------

// The brick of the same level at an offset, -1 for none.
static int neighbour_brick(const builder *b, int brick, const int offset[3])
{
	const rbl_brick_place *place = &b->grid.places[brick];
	int at[3];
	for (int k = 0; k < 3; ++k) {
		at[k] = place->origin[k] / (RBL_BRICK_CELLS << place->level) + offset[k];
		if (at[k] < 0 || at[k] >= b->counts[place->level][k])
			return -1;
	}
	return b->numbers[place->level][place_index(b, place->level, at[0], at[1], at[2])];
}

// Packets with a sample that a leaf of this level needs, and that no neighbour takes as its first.
static void find_packets(const builder *b, int brick, bool *wanted)
{
	enum { N = RBL_BRICK_PACKETS };
	const rbl_brick_place *place = &b->grid.places[brick];
	for (int i = 0; i < N * N * N; ++i) {
		int first[3] = { 2 * (i % N), 2 * (i / N % N), 2 * (i / N / N) }, offset[3];
		for (int k = 0; k < 3; ++k)
			offset[k] = first[k] == RBL_BRICK_CELLS;
		bool is_last = offset[0] || offset[1] || offset[2];
		wanted[i] = place->level == 0 && !is_last;
		if (is_last && neighbour_brick(b, brick, offset) >= 0)
			continue;
		for (int k = 0; k < 8 && !wanted[i]; ++k) {
			int local[3] = { first[0] + (k & 1), first[1] + (k >> 1 & 1), first[2] + (k >> 2) };
			int at[3], slots[8];
			sample_place(place, local, at);
			slots_at(b, at, slots);
			for (int n = 0; n < 8; ++n)
				wanted[i] |= b->levels[slots[n]] == place->level;
		}
	}
}

static void sample_bricks(void *context, int begin, int end, int worker)
{
	const builder *b = context;
	(void)worker;
	for (int i = begin; i < end; ++i) {
		const rbl_brick_place *place = &b->grid.places[i];
		float *samples = b->grid.exact + (size_t)i * RBL_BRICK_SAMPLES;
		bool wanted[RBL_BRICK_PACKETS * RBL_BRICK_PACKETS * RBL_BRICK_PACKETS];
		find_packets(b, i, wanted);
		RBL_PICK(rbl_sample_brick)(&b->surface, place, wanted, samples);
		for (int row = 0; row < RBL_BRICK_SIDE * RBL_BRICK_SIDE; ++row) {
			bool inside[RBL_BRICK_SIDE];
			int at[3], local[3] = { 0, row % RBL_BRICK_SIDE, row / RBL_BRICK_SIDE };
			sample_place(place, local, at);
			rbl_crossing_rows_inside(&b->rows, at[0], at[1], at[2], 1 << place->level,
			                         RBL_BRICK_SIDE, inside);
			for (int k = 0; k < RBL_BRICK_SIDE; ++k)
				if (inside[k])
					samples[row * RBL_BRICK_SIDE + k] = -samples[row * RBL_BRICK_SIDE + k];
		}
	}
}

// Take samples of the upper faces from the bricks that have them as their lower ones.
static void share_samples(void *context, int begin, int end, int worker)
{
	const builder *b = context;
	(void)worker;
	for (int i = begin; i < end; ++i) {
		float *samples = b->grid.exact + (size_t)i * RBL_BRICK_SAMPLES;
		for (int k = 1; k < 8; ++k) {
			int offset[3] = { k & 1, k >> 1 & 1, k >> 2 };
			int other = neighbour_brick(b, i, offset);
			if (other < 0)
				continue;
			const float *source = b->grid.exact + (size_t)other * RBL_BRICK_SAMPLES;
			float *target =
				samples +
				RBL_BRICK_CELLS *
					((offset[2] * RBL_BRICK_SIDE + offset[1]) * RBL_BRICK_SIDE + offset[0]);
			// Along an axis of the offset only the last sample, along the others all before it.
			int count[3], at[3];
			for (int axis = 0; axis < 3; ++axis)
				count[axis] = offset[axis] ? 1 : RBL_BRICK_CELLS;
			for (at[2] = 0; at[2] < count[2]; ++at[2])
				for (at[1] = 0; at[1] < count[1]; ++at[1])
					for (at[0] = 0; at[0] < count[0]; ++at[0]) {
						int from = (at[2] * RBL_BRICK_SIDE + at[1]) * RBL_BRICK_SIDE + at[0];
						target[from] = source[from];
					}
		}
	}
}

// --- values -------------------------------------------------------------------------------------

static float interpolate_brick(const builder *b, int brick, const int at[3])
{
	const rbl_brick_place *place = &b->grid.places[brick];
	const float *s = b->grid.values + (size_t)brick * RBL_BRICK_SAMPLES;
	int cell[3];
	float t[3];
	for (int k = 0; k < 3; ++k) {
		int local = at[k] - place->origin[k];
		cell[k] = rbl_mini(local >> place->level, RBL_BRICK_CELLS - 1);
		t[k] = (float)(local - (cell[k] << place->level)) / (float)(1 << place->level);
	}
	float sum = 0.0f;
	for (int k = 0; k < 8; ++k) {
		int x = cell[0] + (k & 1), y = cell[1] + (k >> 1 & 1), z = cell[2] + (k >> 2);
		float weight = (k & 1 ? t[0] : 1.0f - t[0]) * (k & 2 ? t[1] : 1.0f - t[1]) *
		               (k & 4 ? t[2] : 1.0f - t[2]);
		sum += weight * s[(z * RBL_BRICK_SIDE + y) * RBL_BRICK_SIDE + x];
	}
	return sum;
}

static void choose_values(void *context, int begin, int end, int worker)
{
	const builder *b = context;
	(void)worker;
	int first = level_begin(b, b->level);
	for (int i = first + begin; i < first + end; ++i) {
		const rbl_brick_place *place = &b->grid.places[i];
		const float *exact = b->grid.exact + (size_t)i * RBL_BRICK_SAMPLES;
		float *values = b->grid.values + (size_t)i * RBL_BRICK_SAMPLES, most = 0.0f;
		for (int k = 0; k < RBL_BRICK_SAMPLES; ++k) {
			int local[3] = { k % RBL_BRICK_SIDE, k / RBL_BRICK_SIDE % RBL_BRICK_SIDE,
				             k / (RBL_BRICK_SIDE * RBL_BRICK_SIDE) };
			int at[3], slots[8], source = i;
			if (local[0] % RBL_BRICK_CELLS == 0 || local[1] % RBL_BRICK_CELLS == 0 ||
			    local[2] % RBL_BRICK_CELLS == 0) {
				sample_place(place, local, at);
				slots_at(b, at, slots);
				for (int n = 0; n < 8; ++n) // the coarsest leaf there
					if (b->levels[slots[n]] > b->grid.places[source].level)
						source = b->leaves[slots[n]];
			}
			values[k] = source == i ? exact[k] : interpolate_brick(b, source, at);
			most = rbl_maxf(most, fabsf(values[k]));
		}
		b->extremes[i] = most;
	}
}

// Where bricks share a sample, have the one of the first of them. Those are not changed, so the
// order of bricks does not matter.
static void agree_on_values(void *context, int begin, int end, int worker)
{
	enum { SIDE = RBL_BRICK_SIDE };
	const builder *b = context;
	(void)worker;
	for (int i = begin; i < end; ++i) {
		int around[27];
		for (int k = 0; k < 27; ++k)
			around[k] = neighbour_brick(b, i, (int[3]){ k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1 });
		float *values = b->grid.values + (size_t)i * RBL_BRICK_SAMPLES;
		for (int n = 0; n < RBL_BRICK_SAMPLES; ++n) {
			int at[3] = { n % SIDE, n / SIDE % SIDE, n / (SIDE * SIDE) }, way[3], first = i;
			for (int k = 0; k < 3; ++k)
				way[k] = at[k] == 0 ? -1 : at[k] == RBL_BRICK_CELLS;
			if (way[0] == 0 && way[1] == 0 && way[2] == 0)
				continue;
			int found = n;
			for (int k = 1; k < 8; ++k) {
				int to[3] = { k & 1 ? way[0] : 0, k & 2 ? way[1] : 0, k & 4 ? way[2] : 0 };
				int other = around[(to[2] + 1) * 9 + (to[1] + 1) * 3 + to[0] + 1];
				if (other < 0 || other >= first)
					continue;
				first = other;
				found =
					((at[2] - RBL_BRICK_CELLS * to[2]) * SIDE + at[1] - RBL_BRICK_CELLS * to[1]) *
						SIDE +
					at[0] - RBL_BRICK_CELLS * to[0];
			}
			if (first < i) // what it keeps itself, others may be reading
				values[n] = b->grid.values[(size_t)first * RBL_BRICK_SAMPLES + (size_t)found];
		}
	}
}

static rbl_result fit_finest(builder *b)
{
	int count = b->level_ends[0];
	int *neighbours = RBL_NEW(&b->allocator, int, 3 * (size_t)count);
	if (!neighbours)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < 3 * count; ++i) {
		int offset[3] = { i % 3 == 0, i % 3 == 1, i % 3 == 2 };
		neighbours[i] = neighbour_brick(b, i / 3, offset);
	}
	rbl_result result =
		rbl_fit_samples(&b->surface, &b->grid, count, neighbours, &b->allocator, b->jobs);
	RBL_FREE(&b->allocator, neighbours, 3 * (size_t)count);
	if (result == RBL_OK)
		rbl_parallel_for(b->jobs, count, 16, agree_on_values, b);
	for (int i = 0; i < count && result == RBL_OK; ++i) {
		const float *values = b->grid.values + (size_t)i * RBL_BRICK_SAMPLES;
		b->extremes[i] = 0.0f;
		for (int k = 0; k < RBL_BRICK_SAMPLES; ++k)
			b->extremes[i] = rbl_maxf(b->extremes[i], fabsf(values[k]));
	}
	return result;
}

// --- numbers and bounds -------------------------------------------------------------------------

// Steps of samples: the largest of each level uses the whole range.
static void choose_steps(builder *b)
{
	for (int level = 0; level < RBL_FIELD_LEVELS; ++level) {
		float most = 1e-3f;
		for (int i = level_begin(b, level); i < b->level_ends[level]; ++i)
			most = rbl_maxf(most, b->extremes[i]);
		b->field->sample_steps[level] = most * b->field->cell / 32766.0f;
		b->field->head.info.brick_counts[level] = b->level_ends[level] - level_begin(b, level);
	}
}

static void store_samples(void *context, int begin, int end, int worker)
{
	const builder *b = context;
	const rbl_asset_field *f = b->field;
	(void)worker;
	for (int i = begin; i < end; ++i) {
		double step = (double)f->sample_steps[b->grid.places[i].level] / (double)f->cell;
		for (size_t k = (size_t)i * RBL_BRICK_SAMPLES; k < (size_t)(i + 1) * RBL_BRICK_SAMPLES;
		     ++k) {
			double units = floor((double)b->grid.values[k] / step + 0.5);
			f->samples[k] = (int16_t)rbl_clampd(units, -32767.0, 32767.0);
			b->grid.values[k] = (float)(f->samples[k] * step);
		}
	}
}

// The least |value| in a block, 0 where the sign changes.
static float least_in_block(const float *values, int block)
{
	enum { ROW = RBL_BRICK_SIDE, LAYER = RBL_BRICK_SIDE * RBL_BRICK_SIDE };
	const float *first = values + 2 * ((block >> 4) * LAYER + (block >> 2 & 3) * ROW + (block & 3));
	float low = FLT_MAX, high = -FLT_MAX;
	for (int k = 0; k < 27; ++k) {
		float value = first[k / 9 * LAYER + k / 3 % 3 * ROW + k % 3];
		low = rbl_minf(low, value), high = rbl_maxf(high, value);
	}
	return rbl_maxf(rbl_maxf(low, -high), 0.0f);
}

static void bound_bricks(void *context, int begin, int end, int worker)
{
	const builder *b = context;
	(void)worker;
	for (int i = begin; i < end; ++i) {
		const rbl_brick_place *place = &b->grid.places[i];
		bool wanted[RBL_BRICK_BLOCKS]; // in slots that are leaves of it
		for (int k = 0; k < RBL_BRICK_BLOCKS; ++k) {
			int local[3] = { 2 * (k & 3), 2 * (k >> 2 & 3), 2 * (k >> 4) }, at[3];
			sample_place(place, local, at);
			bool is_slot = true;
			for (int axis = 0; axis < 3; ++axis)
				is_slot &= (at[axis] /= RBL_BRICK_CELLS) < b->grid.size[axis];
			wanted[k] = is_slot && b->leaves[slot_index(b->grid.size, at[0], at[1], at[2])] == i;
		}
		float *bounds = b->bounds + (size_t)i * RBL_BRICK_BLOCKS;
		RBL_PICK(rbl_bound_brick)(&b->grid, i, wanted, bounds);
		b->extremes[i] = 0.0f;
		// Slots of coarser bricks are inside or outside altogether, and their samples say so.
		for (int k = 0; k < RBL_BRICK_BLOCKS && place->level == 0; ++k)
			if (least_in_block(b->grid.values + (size_t)i * RBL_BRICK_SAMPLES, k) <= bounds[k])
				b->extremes[i] = rbl_maxf(b->extremes[i], bounds[k]);
	}
}

// Bounds as bytes, the largest of them 255, and the errors that the field states.
static void store_bounds(builder *b)
{
	rbl_asset_field *f = b->field;
	float worst = 1e-3f, largest = 0.0f, surface = 0.0f;
	size_t count = (size_t)b->brick_count * RBL_BRICK_BLOCKS;
	for (size_t i = 0; i < count; ++i) {
		largest = rbl_maxf(largest, b->bounds[i]);
		b->bounds[i] /= (float)(1 << b->grid.places[i / RBL_BRICK_BLOCKS].level);
		worst = rbl_maxf(worst, b->bounds[i]);
	}
	for (size_t i = 0; i < count; ++i)
		f->bounds[i] = (uint8_t)rbl_minf(ceilf(b->bounds[i] * (254.0f / worst)), 255.0f);
	for (int i = 0; i < b->brick_count; ++i)
		surface = rbl_maxf(surface, b->extremes[i]);
	f->bound_step = worst * f->cell / 254.0f;
	float rounding = 4.0f * f->bound_step + 2.0f * f->rounding * f->scale; // a unit of the coarsest
	f->head.info.surface_error = surface * f->cell + rounding;
	f->head.info.largest_error = largest * f->cell + rounding;
}

static rbl_result fill_bricks(builder *b)
{
	rbl_parallel_for(b->jobs, b->brick_count, 2, sample_bricks, b);
	rbl_parallel_for(b->jobs, b->brick_count, 32, share_samples, b);
	for (b->level = RBL_FIELD_LEVELS - 1; b->level >= 0; --b->level)
		rbl_parallel_for(b->jobs, b->level_ends[b->level] - level_begin(b, b->level), 16,
		                 choose_values, b);
	rbl_result result = fit_finest(b);
	if (result != RBL_OK)
		return result;
	choose_steps(b);
	rbl_parallel_for(b->jobs, b->brick_count, 16, store_samples, b);
	rbl_parallel_for(b->jobs, b->brick_count, 4, bound_bricks, b);
	store_bounds(b);
	return RBL_OK;
}

rbl_result rbl_asset_field_build(rbl_asset_field *field, const rbl_vec3d *corners,
                                 int triangle_count, rbl_jobs *jobs)
{
	builder b = { .field = field,
		          .allocator = field->head.allocator,
		          .triangle_count = triangle_count,
		          .jobs = jobs };
	const rbl_allocator *a = &b.allocator;
	memcpy(b.grid.size, field->size, sizeof b.grid.size);
	rbl_result result = rbl_sample_surface_init(&b.surface, a, corners, triangle_count, jobs);
	if (result == RBL_OK)
		result = rbl_crossing_rows_init(&b.rows, a, field->size, corners, triangle_count);
	if (result == RBL_OK) {
		result = plan_bricks(&b);
		if (result == RBL_OK)
			result = fill_bricks(&b);
		rbl_crossing_rows_destroy(&b.rows);
	}
	for (int level = 0; level < RBL_FIELD_LEVELS; ++level)
		RBL_FREE(a, b.numbers[level], place_count(&b, level));
	RBL_FREE(a, b.levels, rbl_asset_field_slots(field));
	RBL_FREE(a, b.leaves, rbl_asset_field_slots(field));
	RBL_FREE(a, b.grid.places, b.brick_count);
	RBL_FREE(a, b.extremes, b.brick_count);
	RBL_FREE(a, b.grid.exact, (size_t)b.brick_count * RBL_BRICK_SAMPLES);
	RBL_FREE(a, b.grid.values, (size_t)b.brick_count * RBL_BRICK_SAMPLES);
	RBL_FREE(a, b.bounds, (size_t)b.brick_count * RBL_BRICK_BLOCKS);
	rbl_sample_surface_destroy(&b.surface, a);
	return result;
}
