// SPDX-License-Identifier: MIT
//
// The surface-area heuristic with bins: a range is counted into bins along each axis, and split at
// the border where area times count, summed over both sides, is least. Ranges of up to SMALL are
// tried exactly, along the axis on which their centres lie widest.

#include "tree/tree_kernels.h"

#include "tree/lanes.h"

enum { BINS = 8, SMALL = 4 };

typedef struct bin {
	box_lanes box;
	int count;
} bin;

static inline box_lanes load_fragment(const rbl_build_fragment *fragment)
{
	return (box_lanes){ rbl_f4_load(fragment->lower), rbl_f4_load(fragment->upper) };
}

static inline box_lanes empty_box(void)
{
	return (box_lanes){ rbl_f4_splat(FLT_MAX), rbl_f4_splat(-FLT_MAX) };
}

static inline float half_area(box_lanes box)
{
	float s[4];
	rbl_f4_store(s, rbl_f4_sub(box.upper, box.lower));
	return s[0] * s[1] + s[1] * s[2] + s[2] * s[0];
}

void RBL_KERNEL(rbl_sah_fragments)(const rbl_box *boxes, int begin, int end,
                                   rbl_build_fragment *fragments)
{
	for (int i = begin; i < end; ++i) {
		rbl_vec3 l = boxes[i].lower, u = boxes[i].upper;
		fragments[i] = (rbl_build_fragment){ { l.x, l.y, l.z }, (uint32_t)i, { u.x, u.y, u.z }, 0 };
	}
}

static inline rbl_f4 centre_of(const rbl_build_fragment *fragment)
{
	return rbl_f4_add(rbl_f4_load(fragment->lower), rbl_f4_load(fragment->upper));
}

static box_lanes centre_bounds(const rbl_build_fragment *fragments, int count)
{
	box_lanes bounds = empty_box();
	for (int i = 0; i < count; ++i) {
		rbl_f4 centre = centre_of(&fragments[i]);
		bounds.lower = rbl_f4_min(bounds.lower, centre);
		bounds.upper = rbl_f4_max(bounds.upper, centre);
	}
	return bounds;
}

static inline float axis_centre(const rbl_build_fragment *fragment, int axis)
{
	return fragment->lower[axis] + fragment->upper[axis];
}

static int split_small(rbl_build_fragment *fragments, int count)
{
	box_lanes bounds = centre_bounds(fragments, count);
	float size[4];
	rbl_f4_store(size, rbl_f4_sub(bounds.upper, bounds.lower));
	int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : size[1] >= size[2] ? 1 : 2;
	for (int i = 1; i < count; ++i) {
		rbl_build_fragment moved = fragments[i];
		int k = i;
		for (; k > 0 && axis_centre(&fragments[k - 1], axis) > axis_centre(&moved, axis); --k)
			fragments[k] = fragments[k - 1];
		fragments[k] = moved;
	}
	float costs[SMALL] = { 0 };
	box_lanes left = empty_box(), right = empty_box();
	for (int i = 1; i < count; ++i) {
		left = join_boxes(left, load_fragment(&fragments[i - 1]));
		costs[i] += half_area(left) * (float)i;
		right = join_boxes(right, load_fragment(&fragments[count - i]));
		costs[count - i] += half_area(right) * (float)i;
	}
	int best = 1;
	for (int i = 2; i < count; ++i)
		best = costs[i] < costs[best] ? i : best;
	return best;
}

// The best border of one axis. @return its cost; `border` receives the first bin of the right side
static float best_border(const bin bins[BINS], int *border)
{
	float costs[BINS];
	box_lanes box = empty_box();
	int count = 0;
	for (int i = BINS - 1; i > 0; --i) {
		box = join_boxes(box, bins[i].box);
		count += bins[i].count;
		costs[i] = count > 0 ? half_area(box) * (float)count : -1.0f;
	}
	box = empty_box();
	count = 0;
	float best = FLT_MAX;
	*border = 0;
	for (int i = 1; i < BINS; ++i) {
		box = join_boxes(box, bins[i - 1].box);
		count += bins[i - 1].count;
		if (count == 0 || costs[i] < 0.0f)
			continue;
		float cost = costs[i] + half_area(box) * (float)count;
		if (cost < best)
			best = cost, *border = i;
	}
	return best;
}

int RBL_KERNEL(rbl_sah_split)(rbl_build_fragment *fragments, int count)
{
	if (count <= SMALL)
		return split_small(fragments, count);
	box_lanes bounds = centre_bounds(fragments, count);
	float lower[4], size[4], scale[4];
	rbl_f4_store(lower, bounds.lower);
	rbl_f4_store(size, rbl_f4_sub(bounds.upper, bounds.lower));
	for (int axis = 0; axis < 3; ++axis) {
		scale[axis] = size[axis] > FLT_MIN ? (float)BINS * 0.99999f / size[axis] : 0.0f;
		if (!isfinite(scale[axis]))
			scale[axis] = 0.0f;
	}
	scale[3] = 0.0f;
	bin bins[3][BINS];
	for (int axis = 0; axis < 3; ++axis)
		for (int i = 0; i < BINS; ++i)
			bins[axis][i] = (bin){ empty_box(), 0 };
	rbl_f4 scales = rbl_f4_load(scale);
	for (int i = 0; i < count; ++i) {
		box_lanes box = load_fragment(&fragments[i]);
		rbl_f4 centre = rbl_f4_add(box.lower, box.upper);
		int32_t cell[4];
		rbl_i4_store(cell, rbl_f4_to_int(rbl_f4_mul(rbl_f4_sub(centre, bounds.lower), scales)));
		for (int axis = 0; axis < 3; ++axis) {
			bin *b = &bins[axis][cell[axis] & (BINS - 1)];
			b->box = join_boxes(b->box, box);
			b->count++;
		}
	}
	float best = FLT_MAX;
	int best_axis = -1, best_bin = 0;
	for (int axis = 0; axis < 3; ++axis) {
		int border;
		float cost = best_border(bins[axis], &border);
		if (cost < best)
			best = cost, best_axis = axis, best_bin = border;
	}
	if (best_axis < 0) // all centres in one place: any halves are as good
		return count / 2;
	int split = 0;
	for (int i = 0; i < count; ++i) {
		rbl_build_fragment fragment = fragments[i];
		fragments[i] = fragments[split];
		fragments[split] = fragment;
		float centre = axis_centre(&fragment, best_axis);
		split += (int)((centre - lower[best_axis]) * scale[best_axis]) < best_bin;
	}
	return split;
}
