// SPDX-License-Identifier: MIT
//
// Proofs for bodies that move rigidly (surface/rigid.c): no pair of triangles touches, and none would
// although each vertex moved by up to a slack, but for pairs in doubt.
//
// A proof is a query of the body with itself that asks for more. Bodies are stars, or nearly so, and nodes
// are culled by their contour, with the slack in every margin; boxes count as overlapping when they come closer than
// twice the slack. Pairs of triangles that are left share a vertex whose fan is wide, or lie on two sides of
// a plane, or an axis shows a gap. What is left then is in doubt, and tested in every query, as long as it is
// not too much of it.
//
// Since culled nodes are not looked at within, a proof takes hardly more time than the query that it
// stands for.

#include "surface/rigid.h"
#include "surface/star.h"
#include "surface/surface_kernels.h"
#include "surface/triangle_pairs_kernels.h"
#include "surface/wide_kernels.h"

#include "base/bits.h"

enum {
	/// A proof leaves at most one pair in doubt for so many triangles.
	TRIANGLES_PER_DOUBT = 1,
	BATCH = 256,
	SELF_STACK = 3 * RBL_TREE_MAX_HEIGHT + 8,
	PAIR_STACK = 6 * RBL_TREE_MAX_HEIGHT + 8,
};

// Pairs of triangles that share a vertex or an edge, and wait for their test.
typedef struct neighbours {
	rbl_surface_pair pairs[BATCH];
	int corners[5 * BATCH];
	int count;
} neighbours;

// What a worker needs while it proves something about a body.
typedef struct proof {
	const rbl_surface *surface;
	rbl_surface_worker *worker;
	rbl_rigid *rigid;
	int most_doubts;
	float gap; // twice the slack
	neighbours wedges, hinges;
} proof;

// --- pairs of triangles ------------------------------------------------------------------------------

static bool push_doubt(proof *p, rbl_surface_pair pair)
{
	if (p->rigid->doubts.count == p->most_doubts)
		return false;
	if (!rbl_array_push(&p->surface->allocator, &p->rigid->doubts, pair))
		p->worker->is_out_of_memory = true;
	return !p->worker->is_out_of_memory;
}

static bool test_waiting(proof *p)
{
	rbl_surface_worker *worker = p->worker;
	int kept[RBL_SURFACE_BATCH + 7];
	int count = RBL_PICK(rbl_triangle_pairs_near)(p->surface->positions[1], p->surface->triangles,
	                                              &worker->waiting[0].a, worker->waiting_count,
	                                              p->gap, kept);
	worker->waiting_count = 0;
	for (int i = 0; i < count; ++i)
		if (!push_doubt(p, worker->waiting[kept[i]]))
			return false;
	return true;
}

// Neighbours that lanes did not tell apart. Fans that are open, or sharp, or not one, are for the slower tests.
static bool take_neighbours(proof *p, rbl_surface_pair pair)
{
	const int *a = p->surface->triangles + 3 * pair.a, *b = p->surface->triangles + 3 * pair.b;
	double slack = p->rigid->slack;
	for (int i = 0; i < 3; ++i)
		if ((a[i] == b[0] || a[i] == b[1] || a[i] == b[2]) &&
		    rbl_surface_fan_is_wide(p->surface, p->worker, a[i], slack))
			return true;
	return rbl_surface_wedges_are_wide(p->surface, a, b, slack) || push_doubt(p, pair);
}

// What a filter kept of a batch.
static bool take_kept(proof *p, neighbours *batch, const int *kept, int count)
{
	batch->count = 0;
	for (int i = 0; i < count; ++i)
		if (!take_neighbours(p, batch->pairs[kept[i]]))
			return false;
	return true;
}

static bool test_wedges(proof *p)
{
	int kept[BATCH],
		count = RBL_PICK(rbl_wedges_that_may_meet)(p->surface->positions[1], p->wedges.corners,
	                                               p->wedges.count, (float)p->rigid->slack, kept);
	return take_kept(p, &p->wedges, kept, count);
}

static bool test_hinges(proof *p)
{
	int kept[BATCH],
		count = RBL_PICK(rbl_hinges_that_may_close)(p->surface->positions[1], p->hinges.corners,
	                                                p->hinges.count, (float)p->rigid->slack, kept);
	return take_kept(p, &p->hinges, kept, count);
}

// Which corners two triangles share: bit 3 i + k for corner i of one and k of the other.
static unsigned shared_corners(const int *a, const int *b)
{
	unsigned bits = 0;
	for (int i = 0; i < 3; ++i)
		for (int k = 0; k < 3; ++k)
			bits |= (unsigned)(a[i] == b[k]) << (3 * i + k);
	return bits;
}

static bool take_pair(proof *p, rbl_surface_pair pair)
{
	static const signed char after[5] = { 0, 1, 2, 0, 1 }, other[4] = { -1, 2, 1, 0 };
	const int *a = p->surface->triangles + 3 * pair.a, *b = p->surface->triangles + 3 * pair.b;
	unsigned bits = shared_corners(a, b);
	if (bits == 0) {
		p->worker->waiting[p->worker->waiting_count++] = pair;
		return p->worker->waiting_count < RBL_SURFACE_BATCH || test_waiting(p);
	}
	int first = rbl_lowest_one(bits), i = first / 3, k = first % 3;
	bits &= bits - 1;
	if (bits == 0) {
		int *c = p->wedges.corners + 5 * p->wedges.count;
		c[0] = a[i], c[1] = a[after[i + 1]], c[2] = a[after[i + 2]];
		c[3] = b[after[k + 1]], c[4] = b[after[k + 2]];
		p->wedges.pairs[p->wedges.count++] = pair;
		return p->wedges.count < BATCH || test_wedges(p);
	}
	int second = rbl_lowest_one(bits), i2 = second / 3, k2 = second % 3;
	if ((bits & (bits - 1)) == 0) {
		int *c = p->hinges.corners + 4 * p->hinges.count;
		c[0] = a[i], c[1] = a[i2], c[2] = a[other[i + i2]], c[3] = b[other[k + k2]];
		p->hinges.pairs[p->hinges.count++] = pair;
		return p->hinges.count < BATCH || test_hinges(p);
	}
	return push_doubt(p, pair);
}

// --- nodes -------------------------------------------------------------------------------------------

static float widened(float bound, float by)
{
	float reach = (by < 0.0f ? -by : by) + 0x1p-21f * fabsf(bound);
	return by < 0.0f ? bound - reach : bound + reach;
}

static rbl_box widened_box(rbl_box box, float gap)
{
	return (rbl_box){
		{ widened(box.lower.x, -gap), widened(box.lower.y, -gap), widened(box.lower.z, -gap) },
		{ widened(box.upper.x, gap), widened(box.upper.y, gap), widened(box.upper.z, gap) }
	};
}

static bool meet_clusters(proof *p, const rbl_cluster *a, const rbl_cluster *b)
{
	rbl_surface_pair pairs[RBL_CLUSTER_SIZE * RBL_CLUSTER_SIZE];
	int found = RBL_PICK(rbl_cluster_pairs)(a, b, p->gap, pairs);
	for (int k = 0; k < found; ++k)
		if (!take_pair(p, pairs[k]))
			return false;
	return true;
}

static const rbl_cluster *cluster_at(const proof *p, uint32_t leaf)
{
	return &p->surface->cluster_data[rbl_tree_leaf_id(leaf)];
}

// The children of a node and their boxes, or a leaf and its own.
static int parts_of(const rbl_surface *surface, uint32_t reference, uint32_t parts[2],
                    rbl_box boxes[2])
{
	if (rbl_tree_is_leaf(reference)) {
		parts[0] = reference;
		boxes[0] = surface->cluster_boxes[rbl_tree_leaf_id(reference)];
		return 1;
	}
	const rbl_tree_node *node = &surface->pool.nodes[reference];
	for (int side = 0; side < 2; ++side)
		parts[side] = node->children[side], boxes[side] = node->boxes[side];
	return 2;
}

// Two different nodes against each other.
static bool meet_nodes(proof *p, uint32_t first, uint32_t second)
{
	rbl_tree_pair stack[PAIR_STACK];
	int top = 0;
	stack[top++] = (rbl_tree_pair){ first, second };
	while (top > 0) {
		rbl_tree_pair t = stack[--top];
		if (rbl_tree_is_leaf(t.a) && rbl_tree_is_leaf(t.b)) {
			if (!meet_clusters(p, cluster_at(p, t.a), cluster_at(p, t.b)))
				return false;
			continue;
		}
		uint32_t a[2], b[2];
		rbl_box a_boxes[2], b_boxes[2];
		int a_count = parts_of(p->surface, t.a, a, a_boxes);
		int b_count = parts_of(p->surface, t.b, b, b_boxes);
		RBL_ASSERT(top + 4 <= PAIR_STACK);
		for (int i = 0; i < a_count; ++i) {
			rbl_box wide = widened_box(a_boxes[i], p->gap);
			for (int k = 0; k < b_count; ++k)
				if (rbl_box_overlaps(wide, b_boxes[k]))
					stack[top++] = (rbl_tree_pair){ a[i], b[k] };
		}
	}
	return true;
}

static bool meet_itself(proof *p, uint32_t root)
{
	uint32_t stack[SELF_STACK];
	int top = 0;
	stack[top++] = root;
	while (top > 0) {
		uint32_t at = stack[--top];
		if (rbl_surface_is_wide(p->surface, p->worker, at, p->rigid->slack))
			continue;
		if (rbl_tree_is_leaf(at)) {
			if (!meet_clusters(p, cluster_at(p, at), cluster_at(p, at)))
				return false;
			continue;
		}
		const rbl_tree_node *node = &p->surface->pool.nodes[at];
		RBL_ASSERT(top + 2 <= SELF_STACK);
		stack[top++] = node->children[1];
		stack[top++] = node->children[0];
		if (rbl_box_overlaps(widened_box(node->boxes[0], p->gap), node->boxes[1]) &&
		    !meet_nodes(p, node->children[0], node->children[1]))
			return false;
	}
	return true;
}

// --- bodies ------------------------------------------------------------------------------------------

// The triangles of a star that may touch, each with each, in groups of eight like clusters.
static bool meet_concerned(proof *p)
{
	rbl_surface_worker *worker = p->worker;
	int count = worker->concerned.count, group_count = (count + 7) / 8;
	if (!rbl_array_resize(&p->surface->allocator, &worker->groups, group_count)) {
		worker->is_out_of_memory = true;
		return false;
	}
	const rbl_cluster_source source = { .ends = p->surface->positions[1],
		                                .triangles = p->surface->triangles };
	rbl_cluster *groups = worker->groups.data;
	for (int i = 0; i < group_count; ++i) {
		rbl_box box;
		groups[i] = (rbl_cluster){ .count = (int16_t)(count - 8 * i < 8 ? count - 8 * i : 8) };
		for (int k = 0; k < RBL_CLUSTER_SIZE; ++k)
			groups[i].triangles[k] = k < groups[i].count ? worker->concerned.data[8 * i + k] : -1;
		RBL_PICK(rbl_cluster_fit)(&groups[i], NULL, &box, &source, NULL);
	}
	for (int i = 0; i < group_count; ++i) {
		rbl_box wide = widened_box(groups[i].box, p->gap);
		for (int k = i; k < group_count; ++k)
			if (rbl_box_overlaps(wide, groups[k].box) && !meet_clusters(p, &groups[i], &groups[k]))
				return false;
	}
	return true;
}

bool rbl_rigid_prove_body(rbl_surface *surface, rbl_surface_worker *worker, int slot)
{
	rbl_surface_body *body = &surface->bodies.data[slot];
	rbl_rigid *rigid = &surface->rigids[slot];
	proof p; // most of it are pairs that wait, not to be cleared
	p.surface = surface, p.worker = worker, p.rigid = rigid;
	p.wedges.count = p.hinges.count = 0;
	p.most_doubts = body->triangles.count / TRIANGLES_PER_DOUBT;
	p.gap = (float)(2.000001 * rigid->slack);
	rigid->doubts.count = worker->waiting_count = 0;
	if (!(p.gap > 0.0f))
		return false;
	bool is_good;
	if (rbl_star_is_near(surface, worker, body, rigid->slack))
		is_good = meet_concerned(&p);
	else if (body->has_old_normals)
		is_good = false; // a star, and as cheap as that
	else
		is_good = meet_itself(&p, body->tree.root);
	is_good = is_good && test_waiting(&p) && test_wedges(&p) && test_hinges(&p);
	worker->waiting_count = 0;
	return is_good && !worker->is_out_of_memory;
}
