// SPDX-License-Identifier: MIT
//
// Contours by the lane. Which edges of a boundary come near each other is decided for blocks of
// eight that follow each other first: these lie close together, so a block overlaps with few
// others, itself and its neighbours mostly, and no order has to be made.

#include "surface/surface_kernels.h"

#include "base/bits.h"
#include "base/simd.h"

void RBL_KERNEL(rbl_surface_contour_project)(const rbl_surface_contour_view *view,
                                             const rbl_vec3 *positions, const int *vertices,
                                             int count, int time, rbl_surface_contour_point *points)
{
	rbl_d4x3 corner = rbl_d4x3_splat(view->corner);
	rbl_d4x3 right = rbl_d4x3_splat(view->right), up = rbl_d4x3_splat(view->up);
	for (int i = 0; i < count; i += 4) {
		int32_t v[4];
		double x[4], y[4];
		int used = count - i < 4 ? count - i : 4;
		for (int k = 0; k < 4; ++k)
			v[k] = vertices[k < used ? i + k : i];
		rbl_f4x3 p = rbl_f4x3_gather(positions, v);
		rbl_d4x3 d = { rbl_d4_from_f4(p.x), rbl_d4_from_f4(p.y), rbl_d4_from_f4(p.z) };
		d = rbl_d4x3_sub(d, corner);
		rbl_d4_store(x, rbl_d4x3_dot(right, d));
		rbl_d4_store(y, rbl_d4x3_dot(up, d));
		for (int k = 0; k < used; ++k)
			points[i + k].x[time] = x[k], points[i + k].y[time] = y[k];
	}
}

// --- bounds -------------------------------------------------------------------------------------

// Least x and y, and greatest with their signs changed. Half a unit of rounding is widened to two.
static inline rbl_f4 bounds_of(const rbl_surface_contour_edges *e, int point)
{
	const rbl_surface_contour_point *p = &e->points[point];
	rbl_d4 smallest = rbl_d4_set(p->x[0], p->y[0], -p->x[0], -p->y[0]);
	if (e->times == 2)
		smallest = rbl_d4_min(smallest, rbl_d4_set(p->x[1], p->y[1], -p->x[1], -p->y[1]));
	rbl_d4 rounding = rbl_d4_mul(rbl_d4_splat(2.4e-7), rbl_d4_abs(smallest));
	return rbl_f4_from_d4(rbl_d4_sub(rbl_d4_sub(smallest, rounding), rbl_d4_splat(e->margin)));
}

static inline void put(rbl_surface_contour_bounds *blocks, int edge, rbl_f4 bounds)
{
	float b[4];
	rbl_f4_store(b, bounds);
	rbl_surface_contour_bounds *block = &blocks[edge / 8];
	block->left[edge % 8] = b[0], block->low[edge % 8] = b[1];
	block->right[edge % 8] = -b[2], block->high[edge % 8] = -b[3];
}

// Unused lanes repeat the last.
static inline void fill_up(rbl_surface_contour_bounds *blocks, int count)
{
	rbl_surface_contour_bounds *block = &blocks[(count - 1) / 8];
	int last = (count - 1) % 8;
	for (int i = last + 1; i < 8; ++i) {
		block->left[i] = block->left[last], block->right[i] = block->right[last];
		block->low[i] = block->low[last], block->high[i] = block->high[last];
	}
}

static inline void put_loops(const rbl_surface_contour_edges *e, rbl_surface_contour_bounds *blocks)
{
	for (int begin = 0, loop = 0; begin < e->count; begin = e->ends[loop++]) {
		rbl_f4 first = bounds_of(e, begin), last = first;
		for (int i = begin + 1; i < e->ends[loop]; ++i) {
			rbl_f4 next = bounds_of(e, i);
			put(blocks, i - 1, rbl_f4_min(last, next));
			last = next;
		}
		put(blocks, e->ends[loop] - 1, rbl_f4_min(last, first));
	}
}

void RBL_KERNEL(rbl_surface_contour_bound_edges)(const rbl_surface_contour_edges *edges,
                                                 rbl_surface_contour_bounds *blocks)
{
	if (edges->ends)
		put_loops(edges, blocks);
	for (int i = 0; !edges->ends && i < edges->count; ++i)
		put(blocks, i, rbl_f4_min(bounds_of(edges, 2 * i), bounds_of(edges, 2 * i + 1)));
	fill_up(blocks, edges->count);
	int count = rbl_surface_contour_block_count(edges->count);
	rbl_surface_contour_bounds *above = blocks + count;
	for (int i = 0; i < count; ++i) {
		const rbl_surface_contour_bounds *b = &blocks[i];
		above[i / 8].left[i % 8] = rbl_f8_min_lane(rbl_f8_load(b->left));
		above[i / 8].right[i % 8] = rbl_f8_max_lane(rbl_f8_load(b->right));
		above[i / 8].low[i % 8] = rbl_f8_min_lane(rbl_f8_load(b->low));
		above[i / 8].high[i % 8] = rbl_f8_max_lane(rbl_f8_load(b->high));
	}
	fill_up(above, count);
}

// --- pairs --------------------------------------------------------------------------------------

// Lanes of one block that overlap with a lane of another.
static inline int lanes_over(const rbl_surface_contour_bounds *block,
                             const rbl_surface_contour_bounds *other, int lane)
{
	rbl_i8 x = rbl_i8_and(rbl_f8_le(rbl_f8_load(block->left), rbl_f8_splat(other->right[lane])),
	                      rbl_f8_ge(rbl_f8_load(block->right), rbl_f8_splat(other->left[lane])));
	rbl_i8 y = rbl_i8_and(rbl_f8_le(rbl_f8_load(block->low), rbl_f8_splat(other->high[lane])),
	                      rbl_f8_ge(rbl_f8_load(block->high), rbl_f8_splat(other->low[lane])));
	return rbl_i8_bits(rbl_i8_and(x, y));
}

// The lanes of a block that stand for something, of `count` in all blocks.
static inline int used_lanes(int count, int block)
{
	int used = count - 8 * block;
	return used < 8 ? (1 << used) - 1 : 255;
}

// Edges of two blocks, or of one with those after them in it.
static inline int meet(const rbl_surface_contour_bounds *blocks,
                       const rbl_surface_contour_bounds *above, int count, int a, int b,
                       rbl_surface_contour_pair *pairs)
{
	int found = 0, lanes = used_lanes(count, a), others = used_lanes(count, b);
	if (a != b)
		lanes &= lanes_over(&blocks[a], &above[b / 8], b % 8);
	for (; lanes; lanes &= lanes - 1) {
		int lane = rbl_lowest_one((uint64_t)lanes);
		int hits = lanes_over(&blocks[b], &blocks[a], lane) & others;
		if (a == b)
			hits &= ~((2 << lane) - 1);
		for (; hits; hits &= hits - 1)
			pairs[found++] =
				(rbl_surface_contour_pair){ (uint16_t)(8 * a + lane),
				                            (uint16_t)(8 * b + rbl_lowest_one((uint64_t)hits)) };
	}
	return found;
}

int RBL_KERNEL(rbl_surface_contour_overlaps)(const rbl_surface_contour_bounds *blocks, int count,
                                             int block, rbl_surface_contour_pair *pairs)
{
	int block_count = rbl_surface_contour_block_count(count), found = 0;
	const rbl_surface_contour_bounds *above = blocks + block_count;
	for (int group = block / 8; 8 * group < block_count; ++group) {
		int near = lanes_over(&above[group], &above[block / 8], block % 8) &
		           used_lanes(block_count, group);
		if (group == block / 8)
			near &= ~((1 << block % 8) - 1);
		for (; near; near &= near - 1)
			found += meet(blocks, above, count, block, 8 * group + rbl_lowest_one((uint64_t)near),
			              pairs + found);
	}
	return found;
}
