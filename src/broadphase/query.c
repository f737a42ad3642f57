// SPDX-License-Identifier: MIT
//
// Queries, as far as both kinds of broad phase do the same: filters, boxes that changed, hits.

#include "broadphase/proxies.h"

#include "tree/tree.h"

rbl_box rbl_broadphase_query_swept(const rbl_broadphase_query *q, float from, float to)
{
	if (q->overlap)
		return q->box;
	rbl_vec3 a = rbl_scale(from, q->translation), b = rbl_scale(to, q->translation);
	rbl_box box = { rbl_add(q->box.lower, rbl_min(a, b)), rbl_add(q->box.upper, rbl_max(a, b)) };
	rbl_vec3 far = rbl_max(rbl_max(box.upper, rbl_neg(box.lower)),
	                       rbl_max(q->box.upper, rbl_neg(q->box.lower)));
	float largest = rbl_maxf(far.x, rbl_maxf(far.y, far.z));
	return rbl_box_grow(box, 8.0f * FLT_EPSILON * largest);
}

static bool matches(const rbl_broadphase_query *q, uint32_t slot)
{
	const rbl_proxies *proxies = q->proxies;
	return !q->filter ||
	       rbl_filter_allows(*q->filter, proxies->filters.data[proxies->items[slot].filter]);
}

static void test_box(rbl_broadphase_query *q, uint32_t slot)
{
	rbl_box box = q->proxies->items[slot].box;
	if (q->overlap) {
		if (rbl_box_overlaps(q->box, box))
			q->is_done = !q->overlap(q->context, slot);
		return;
	}
	float fraction = rbl_tree_touch_time(q->box, q->translation, box);
	bool is_here = fraction >= q->segment_begin &&
	               (fraction < q->segment_end || (q->segment_end >= 1.0f && fraction <= 1.0f));
	if (!is_here || fraction > q->limit)
		return;
	q->limit = rbl_minf(q->limit, q->cast(q->context, slot, fraction));
	q->is_done = q->limit <= 0.0f;
}

void rbl_broadphase_query_test(rbl_broadphase_query *q, uint32_t slot)
{
	if (!q->is_done && !(q->proxies->flags[slot] & (RBL_PROXY_CHANGED | RBL_PROXY_REMOVED)) &&
	    matches(q, slot))
		test_box(q, slot);
}

void rbl_broadphase_query_changed(rbl_broadphase_query *q)
{
	const rbl_proxies *proxies = q->proxies;
	for (int i = 0; i < proxies->changed.count && !q->is_done; ++i) {
		uint32_t slot = (uint32_t)proxies->changed.data[i];
		if (rbl_proxies_is_live(proxies, slot) && matches(q, slot))
			test_box(q, slot);
	}
}
