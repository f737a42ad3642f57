// SPDX-License-Identifier: MIT
//
// Questions to the BSP. A leaf reports a box only when it owns the pair of query and box, so no box
// is reported twice. Boxes that changed since the last update are where the structure does not know:
// they are asked one by one, first.

#include "broadphase/bsp.h"

#include "base/bits.h"
#include "broadphase/leaf_kernels.h"

enum {
	PROBE_COUNT = 256,   // boxes of a leaf that are probed at once
	LEAVES_OF_PIECE = 6, // a cast is halved until a piece touches no more leaves,
	HALVINGS = 6         // this often at most
};

typedef struct query {
	const rbl_bsp *bsp;
	const rbl_filter *filter;
	rbl_overlap_function *overlap;
	rbl_cast_function *cast;
	void *context;
	rbl_box start;        // of a cast
	rbl_vec3 translation; // of a cast
	float piece_begin, piece_end, limit;
	bool is_done;
} query;

static bool may_report(const query *q, uint32_t slot)
{
	const rbl_proxies *proxies = q->bsp->proxies;
	return !q->filter ||
	       rbl_filter_allows(*q->filter, proxies->filters.data[proxies->items[slot].filter]);
}

/// When a moving box first touches another, as a fraction of its way; above 1: never.
static float time_of_touch(rbl_box start, rbl_vec3 translation, rbl_box target)
{
	float enter = 0.0f, leave = 1.0f;
	for (int k = 0; k < 3; ++k) {
		float way = rbl_axis(translation, k);
		float gap = rbl_axis(target.lower, k) - rbl_axis(start.upper, k);
		float far = rbl_axis(target.upper, k) - rbl_axis(start.lower, k);
		if (way == 0.0f) {
			if (gap > 0.0f || far < 0.0f)
				return 2.0f;
			continue;
		}
		float a = gap / way, b = far / way;
		enter = rbl_maxf(enter, rbl_minf(a, b));
		leave = rbl_minf(leave, rbl_maxf(a, b));
	}
	return enter <= leave ? enter : 2.0f;
}

static void report(query *q, uint32_t slot)
{
	if (q->overlap) {
		q->is_done = !q->overlap(q->context, slot);
		return;
	}
	float fraction = time_of_touch(q->start, q->translation, q->bsp->proxies->items[slot].box);
	bool is_here = fraction >= q->piece_begin &&
	               (fraction < q->piece_end || (q->piece_end >= 1.0f && fraction <= 1.0f));
	if (!is_here || fraction > q->limit)
		return;
	q->limit = rbl_minf(q->limit, q->cast(q->context, slot, fraction));
	q->is_done = q->limit <= 0.0f;
}

static void ask_list(query *q, const rbl_bsp_leaf *leaf, const rbl_bsp_list *list, rbl_box box)
{
	const rbl_proxies *proxies = q->bsp->proxies;
	uint32_t hits[PROBE_COUNT];
	for (int first = 0; first < list->count && !q->is_done; first += PROBE_COUNT) {
		int count = rbl_mini(PROBE_COUNT, list->count - first);
		int hit_count = RBL_PICK(rbl_bsp_probe)(list->coordinates + first, list->capacity, count,
		                                        &box, &leaf->cell.lower.x, hits);
		for (int k = 0; k < hit_count && !q->is_done; ++k) {
			int place = first + (int)hits[k];
			if (place >= list->count)
				continue;
			uint32_t slot = list->slots[place];
			if ((proxies->flags[slot] & (RBL_PROXY_CHANGED | RBL_PROXY_REMOVED)) ||
			    !may_report(q, slot))
				continue;
			rbl_vec3 owner = rbl_max(box.lower, proxies->fat_boxes[slot].lower);
			if (q->bsp->settings.direction_count > 3 && !rbl_bsp_leaf_owns(q->bsp, leaf, owner))
				continue;
			if (rbl_box_overlaps(box, proxies->items[slot].box))
				report(q, slot);
		}
	}
}

static void ask_changed(query *q, rbl_box box)
{
	const rbl_proxies *proxies = q->bsp->proxies;
	for (int i = 0; i < proxies->changed.count && !q->is_done; ++i) {
		uint32_t slot = (uint32_t)proxies->changed.data[i];
		if (rbl_proxies_is_live(proxies, slot) && may_report(q, slot) &&
		    rbl_box_overlaps(proxies->items[slot].box, box))
			report(q, slot);
	}
}

static void ask_leaves(query *q, rbl_box box)
{
	rbl_bsp_descent d = { { q->bsp->root }, 1 };
	for (int index; !q->is_done && (index = rbl_bsp_next_leaf(q->bsp, &d, box)) >= 0;) {
		const rbl_bsp_leaf *leaf = &q->bsp->leaves.data[index];
		ask_list(q, leaf, &leaf->moving, box);
		ask_list(q, leaf, &leaf->still, box);
	}
}

void rbl_bsp_overlap(const rbl_bsp *bsp, rbl_box box, const rbl_filter *filter,
                     rbl_overlap_function *function, void *context)
{
	query q = { .bsp = bsp, .filter = filter, .overlap = function, .context = context };
	ask_changed(&q, box);
	ask_leaves(&q, box);
}

// What a cast sweeps between two fractions, a little wider, since fractions are rounded.
static rbl_box swept(const query *q, float from, float to)
{
	rbl_vec3 a = rbl_scale(from, q->translation), b = rbl_scale(to, q->translation);
	rbl_box box = { rbl_add(q->start.lower, rbl_min(a, b)),
		            rbl_add(q->start.upper, rbl_max(a, b)) };
	rbl_vec3 far = rbl_max(rbl_max(box.upper, rbl_neg(box.lower)),
	                       rbl_max(q->start.upper, rbl_neg(q->start.lower)));
	float largest = rbl_maxf(far.x, rbl_maxf(far.y, far.z));
	return rbl_box_grow(box, 8.0f * FLT_EPSILON * largest);
}

static int count_leaves(const rbl_bsp *bsp, rbl_box box, int most)
{
	rbl_bsp_descent d = { { bsp->root }, 1 };
	int count = 0;
	while (count < most && rbl_bsp_next_leaf(bsp, &d, box) >= 0)
		count++;
	return count;
}

// The box around a long way touches half the world: halve the way until its pieces are local. A hit
// belongs to the piece in which it happens.
static void cast_pieces(query *q)
{
	struct {
		float begin, end;
		int halvings;
	} stack[HALVINGS + 2];
	int count = 0;
	stack[count].begin = 0.0f, stack[count].end = 1.0f, stack[count++].halvings = 0;
	while (count > 0 && !q->is_done) {
		float begin = stack[--count].begin, end = stack[count].end;
		int halvings = stack[count].halvings;
		if (begin > q->limit)
			continue;
		rbl_box box = swept(q, begin, end);
		if (halvings < HALVINGS &&
		    count_leaves(q->bsp, box, LEAVES_OF_PIECE + 1) > LEAVES_OF_PIECE) {
			float middle = 0.5f * (begin + end);
			stack[count].begin = middle, stack[count].end = end;
			stack[count++].halvings = halvings + 1;
			stack[count].begin = begin, stack[count].end = middle;
			stack[count++].halvings = halvings + 1;
			continue;
		}
		q->piece_begin = begin, q->piece_end = end;
		ask_leaves(q, box);
	}
}

void rbl_bsp_cast(const rbl_bsp *bsp, rbl_box box, rbl_vec3 translation, const rbl_filter *filter,
                  rbl_cast_function *function, void *context)
{
	query q = {
		.bsp = bsp,
		.filter = filter,
		.cast = function,
		.context = context,
		.start = box,
		.translation = translation,
		.piece_end = 1.0f,
		.limit = 1.0f,
	};
	ask_changed(&q, swept(&q, 0.0f, 1.0f));
	cast_pieces(&q);
}
