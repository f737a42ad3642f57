// SPDX-License-Identifier: MIT
//
// Boxes of triangles at both ends of a step, and bounds of displacements. Two triangles that are
// apart along an axis at the start, and in the same order at the end, stay apart; boxes around the
// whole motion do not tell that.

#include "surface/surface_kernels.h"

#include "base/bits.h"
#include "base/simd.h"

void RBL_KERNEL(rbl_surface_fill_swept_boxes)(rbl_surface_swept_boxes *boxes,
                                              const rbl_vec3 *starts, const rbl_vec3 *ends,
                                              float until, const int *triangles, const int32_t *ids)
{
	int32_t v[3][8];
	for (int lane = 0; lane < 8; ++lane) {
		const int *from = triangles + 3 * (size_t)(ids[lane] < 0 ? ids[0] : ids[lane]);
		for (int k = 0; k < 3; ++k)
			v[k][lane] = from[k];
	}
	// Where nothing moves both are the same, and one is asked for.
	int poses = starts == ends ? 1 : 2;
	for (int pose = 0; pose < poses; ++pose) {
		const rbl_vec3 *positions = pose ? ends : starts;
		float share = pose ? until : 1.0f;
		rbl_f8x3 p = rbl_f8x3_gather_between(starts, positions, share, v[0], 1);
		rbl_f8x3 q = rbl_f8x3_gather_between(starts, positions, share, v[1], 1);
		rbl_f8x3 r = rbl_f8x3_gather_between(starts, positions, share, v[2], 1);
		rbl_f8x3 low = rbl_f8x3_min(p, rbl_f8x3_min(q, r));
		rbl_f8x3 high = rbl_f8x3_max(p, rbl_f8x3_max(q, r));
		const rbl_f8 lows[3] = { low.x, low.y, low.z }, highs[3] = { high.x, high.y, high.z };
		for (int k = 0; k < 3; ++k) {
			rbl_f8_store(boxes->lower[pose][k], lows[k]);
			rbl_f8_store(boxes->upper[pose][k], highs[k]);
			boxes->all_lower[pose][k] = rbl_f8_min_lane(lows[k]);
			boxes->all_upper[pose][k] = rbl_f8_max_lane(highs[k]);
		}
	}
}

/// A box at both ends.
typedef struct moving_box {
	float lower[2][3], upper[2][3];
} moving_box;

/// Lanes that do not stay apart from a box. Differences of floats have the right sign always, so
/// without a gap this is exact.
static inline int lanes_near(const rbl_surface_swept_boxes *lanes, const moving_box *box,
                             rbl_f8 gap, bool is_still)
{
	rbl_i8 apart = rbl_i8_zero();
	for (int k = 0; k < 3; ++k) {
		rbl_f8 above[2], below[2];
		for (int pose = 0; pose < 2; ++pose) {
			if (pose && is_still) {
				above[1] = above[0], below[1] = below[0];
				continue;
			}
			above[pose] =
				rbl_f8_sub(rbl_f8_load(lanes->lower[pose][k]), rbl_f8_splat(box->upper[pose][k]));
			below[pose] =
				rbl_f8_sub(rbl_f8_splat(box->lower[pose][k]), rbl_f8_load(lanes->upper[pose][k]));
		}
		rbl_f8 separation =
			rbl_f8_max(rbl_f8_min(above[0], above[1]), rbl_f8_min(below[0], below[1]));
		apart = rbl_i8_or(apart, rbl_f8_gt(separation, gap));
	}
	return ~rbl_i8_bits(apart) & 0xff;
}

static inline moving_box whole_box(const rbl_surface_swept_boxes *lanes)
{
	moving_box box;
	memcpy(box.lower, lanes->all_lower, sizeof box.lower);
	memcpy(box.upper, lanes->all_upper, sizeof box.upper);
	return box;
}

static inline moving_box lane_box(const rbl_surface_swept_boxes *lanes, int lane, bool is_still)
{
	moving_box box;
	for (int i = 0; i < (is_still ? 3 : 6); ++i) {
		box.lower[i / 3][i % 3] = lanes->lower[i / 3][i % 3][lane];
		box.upper[i / 3][i % 3] = lanes->upper[i / 3][i % 3][lane];
	}
	return box;
}

static inline int find_pairs(const rbl_surface_cluster *a, const rbl_surface_swept_boxes *a_boxes,
                             const rbl_surface_cluster *b, const rbl_surface_swept_boxes *b_boxes,
                             float gap, bool is_still, rbl_surface_pair *pairs)
{
	// The difference may be rounded up: an ulp more is required.
	rbl_f8 wide = rbl_f8_splat(gap > 0.0f ? gap * (1.0f + 4.0f * FLT_EPSILON) : 0.0f);
	moving_box a_box = whole_box(a_boxes), b_box = whole_box(b_boxes);
	int of_a = lanes_near(a_boxes, &b_box, wide, is_still) & ((1 << a->count) - 1);
	if (!of_a)
		return 0;
	int of_b = lanes_near(b_boxes, &a_box, wide, is_still) & ((1 << b->count) - 1);
	// The side with fewer leads.
	bool b_leads = rbl_count_ones((uint64_t)of_b) < rbl_count_ones((uint64_t)of_a);
	const rbl_surface_cluster *first = b_leads ? b : a, *second = b_leads ? a : b;
	const rbl_surface_swept_boxes *lead = b_leads ? b_boxes : a_boxes,
								  *rest = b_leads ? a_boxes : b_boxes;
	int others = b_leads ? of_a : of_b, count = 0;
	for (int left = b_leads ? of_b : of_a; left; left &= left - 1) {
		int i = rbl_lowest_one((uint64_t)left);
		moving_box box = lane_box(lead, i, is_still);
		for (int near = lanes_near(rest, &box, wide, is_still) & others; near; near &= near - 1)
			pairs[count++] =
				(rbl_surface_pair){ first->triangles[i],
				                    second->triangles[rbl_lowest_one((uint64_t)near)] };
	}
	return count;
}

int RBL_KERNEL(rbl_surface_swept_cluster_pairs)(const rbl_surface_cluster *a,
                                                const rbl_surface_swept_boxes *a_boxes,
                                                const rbl_surface_cluster *b,
                                                const rbl_surface_swept_boxes *b_boxes, float gap,
                                                bool is_still, rbl_surface_pair *pairs)
{
	return is_still ? find_pairs(a, a_boxes, b, b_boxes, gap, true, pairs)
	                : find_pairs(a, a_boxes, b, b_boxes, gap, false, pairs);
}

void RBL_KERNEL(rbl_surface_displacement_bounds)(const rbl_vec3 *starts, const rbl_vec3 *ends,
                                                 const int *vertices, int count, rbl_box *bounds)
{
	rbl_f8x3 low = rbl_f8x3_splat((rbl_vec3){ FLT_MAX, FLT_MAX, FLT_MAX });
	rbl_f8x3 high = rbl_f8x3_neg(low);
	for (int i = 0; i < count; i += 8) {
		int32_t v[8];
		for (int k = 0; k < 8; ++k)
			v[k] = vertices[i + k < count ? i + k : count - 1];
		rbl_f8x3 displacement =
			rbl_f8x3_sub(rbl_f8x3_gather_padded(ends, v, 1), rbl_f8x3_gather_padded(starts, v, 1));
		low = rbl_f8x3_min(low, displacement);
		high = rbl_f8x3_max(high, displacement);
	}
	bounds->lower =
		(rbl_vec3){ rbl_f8_min_lane(low.x), rbl_f8_min_lane(low.y), rbl_f8_min_lane(low.z) };
	bounds->upper =
		(rbl_vec3){ rbl_f8_max_lane(high.x), rbl_f8_max_lane(high.y), rbl_f8_max_lane(high.z) };
}
