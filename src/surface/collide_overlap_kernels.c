// SPDX-License-Identifier: MIT
//
// Which triangles of two clusters have boxes that overlap. The side with fewer triangles in the
// other's box leads, and each of its boxes is tested against eight at once.

#include "surface/surface_kernels.h"

#include "surface/cluster_lanes.h"

#include "base/bits.h"

// Lanes whose boxes overlap a box.
static inline int lanes_over(const rbl_surface_lane_boxes *lanes, rbl_vec3 lower, rbl_vec3 upper)
{
	const float low[3] = { lower.x, lower.y, lower.z }, high[3] = { upper.x, upper.y, upper.z };
	rbl_i8 over = rbl_f8_le(rbl_f8_load(lanes->lower[0]), rbl_f8_splat(high[0]));
	over = rbl_i8_and(over, rbl_f8_ge(rbl_f8_load(lanes->upper[0]), rbl_f8_splat(low[0])));
	for (int k = 1; k < 3; ++k) {
		over = rbl_i8_and(over, rbl_f8_le(rbl_f8_load(lanes->lower[k]), rbl_f8_splat(high[k])));
		over = rbl_i8_and(over, rbl_f8_ge(rbl_f8_load(lanes->upper[k]), rbl_f8_splat(low[k])));
	}
	return rbl_i8_bits(over);
}

static inline int lanes_over_lane(const rbl_surface_lane_boxes *lanes,
                                  const rbl_surface_lane_boxes *lead, int i)
{
	return lanes_over(lanes, (rbl_vec3){ lead->lower[0][i], lead->lower[1][i], lead->lower[2][i] },
	                  (rbl_vec3){ lead->upper[0][i], lead->upper[1][i], lead->upper[2][i] });
}

static inline int used_lanes(const rbl_surface_cluster *cluster)
{
	return (1 << cluster->count) - 1;
}

// Move bounds outwards, rounding included.
static inline float widened(float bound, float by)
{
	float extent = fabsf(by) + 0x1p-21f * fabsf(bound);
	return by < 0.0f ? bound - extent : bound + extent;
}

static inline void widen(rbl_surface_lane_boxes *lanes, rbl_box *box, float gap)
{
	rbl_f8 by = rbl_f8_splat(gap), share = rbl_f8_splat(0x1p-21f);
	for (int k = 0; k < 3; ++k) {
		rbl_f8 low = rbl_f8_load(lanes->lower[k]), high = rbl_f8_load(lanes->upper[k]);
		low = rbl_f8_sub(low, rbl_f8_add(by, rbl_f8_mul(share, rbl_f8_abs(low))));
		high = rbl_f8_add(high, rbl_f8_add(by, rbl_f8_mul(share, rbl_f8_abs(high))));
		rbl_f8_store(lanes->lower[k], low);
		rbl_f8_store(lanes->upper[k], high);
	}
	*box = (rbl_box){
		{ widened(box->lower.x, -gap), widened(box->lower.y, -gap), widened(box->lower.z, -gap) },
		{ widened(box->upper.x, gap), widened(box->upper.y, gap), widened(box->upper.z, gap) }
	};
}

// Which of two clusters leads, and lanes of both that lie in the other's box.
typedef struct lanes_in_both {
	int used[2];
	int lead;
} lanes_in_both;

static inline void choose_lead(lanes_in_both *both)
{
	both->lead = rbl_count_ones((uint64_t)both->used[1]) < rbl_count_ones((uint64_t)both->used[0]);
}

int RBL_KERNEL(rbl_surface_cluster_pairs)(const rbl_surface_cluster *a,
                                          const rbl_surface_cluster *b, float gap,
                                          rbl_surface_pair *pairs)
{
	rbl_surface_lane_boxes boxes[2];
	lanes_in_both m = { { used_lanes(a), used_lanes(b) }, 0 };
	rbl_box box = a->box;
	load_lanes(&boxes[0], a);
	load_lanes(&boxes[1], b);
	if (gap > 0.0f)
		widen(&boxes[0], &box, gap);
	if (a != b) {
		m.used[0] &= lanes_over(&boxes[0], b->box.lower, b->box.upper);
		m.used[1] &= lanes_over(&boxes[1], box.lower, box.upper);
		choose_lead(&m);
	}
	const rbl_surface_cluster *first = m.lead ? b : a, *second = m.lead ? a : b;
	int count = 0;
	for (int left = m.used[m.lead]; left; left &= left - 1) {
		int i = rbl_lowest_one((uint64_t)left);
		int hits = lanes_over_lane(&boxes[!m.lead], &boxes[m.lead], i) & m.used[!m.lead];
		if (a == b)
			hits &= ~((2 << i) - 1);
		for (; hits; hits &= hits - 1)
			pairs[count++] =
				(rbl_surface_pair){ first->triangles[i],
				                    second->triangles[rbl_lowest_one((uint64_t)hits)] };
	}
	return count;
}

int RBL_KERNEL(rbl_surface_staged_cluster_pairs)(const rbl_surface_staged_cluster *a,
                                                 const rbl_surface_staged_cluster *b,
                                                 rbl_surface_staged_pair *pairs)
{
	lanes_in_both m;
	if (a->is_new)
		load_lanes(a->boxes, a->cluster);
	m.used[0] =
		lanes_over(a->boxes, b->cluster->box.lower, b->cluster->box.upper) & used_lanes(a->cluster);
	if (!m.used[0])
		return 0;
	if (b->is_new)
		load_lanes(b->boxes, b->cluster);
	m.used[1] =
		lanes_over(b->boxes, a->cluster->box.lower, a->cluster->box.upper) & used_lanes(b->cluster);
	choose_lead(&m);
	const rbl_surface_lane_boxes *lead = m.lead ? b->boxes : a->boxes,
								 *other = m.lead ? a->boxes : b->boxes;
	int row = m.lead ? b->row : a->row, other_row = m.lead ? a->row : b->row;
	int other_used = m.used[!m.lead], count = 0;
	for (int left = m.used[m.lead]; left; left &= left - 1) {
		int i = rbl_lowest_one((uint64_t)left), hits = lanes_over_lane(other, lead, i) & other_used;
		rbl_surface_staged_pair pair =
			(rbl_surface_staged_pair)(row + i) | (rbl_surface_staged_pair)other_row << 16;
		for (int lane = 0; lane < RBL_SURFACE_CLUSTER_SIZE;
		     ++lane) { // a branch would not be foreseen
			pairs[count] = pair + ((rbl_surface_staged_pair)lane << 16);
			count += hits >> lane & 1;
		}
	}
	return count;
}
