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

#include "surface/descend_kernels.h"
#include "surface/narrow.h"
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
	/// Pairs of clusters that are found at a time, and those between asking for one and reading it.
	FOUND = 256,
	AHEAD = 4,
	/// Pairs of triangles between asking for their corners and reading them.
	ASKED = 512,
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
	float gap;     // twice the slack
	float box_gap; // the same, with room for the rounding of boxes
	rbl_surface_pair asked[ASKED];
	int asked_count;
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

static bool take_apart(proof *p, rbl_surface_pair pair)
{
	p->worker->waiting[p->worker->waiting_count++] = pair;
	return p->worker->waiting_count < RBL_SURFACE_BATCH || test_waiting(p);
}

static const signed char corner_after[5] = { 0, 1, 2, 0, 1 };

// @param bits  the corner that both have, as rbl_triangle_pairs_shares() names it
static bool take_wedge(proof *p, rbl_surface_pair pair, unsigned bits)
{
	const int *a = p->surface->triangles + 3 * pair.a, *b = p->surface->triangles + 3 * pair.b;
	int first = rbl_lowest_one(bits), i = first / 3, k = first % 3;
	int *c = p->wedges.corners + 5 * p->wedges.count;
	c[0] = a[i], c[1] = a[corner_after[i + 1]], c[2] = a[corner_after[i + 2]];
	c[3] = b[corner_after[k + 1]], c[4] = b[corner_after[k + 2]];
	p->wedges.pairs[p->wedges.count++] = pair;
	return p->wedges.count < BATCH || test_wedges(p);
}

static bool take_hinge(proof *p, rbl_surface_pair pair, unsigned bits)
{
	static const signed char other[4] = { -1, 2, 1, 0 };
	const int *a = p->surface->triangles + 3 * pair.a, *b = p->surface->triangles + 3 * pair.b;
	int first = rbl_lowest_one(bits), i = first / 3, k = first % 3;
	bits &= bits - 1;
	int second = rbl_lowest_one(bits), i2 = second / 3, k2 = second % 3;
	if (bits & (bits - 1))
		return push_doubt(p, pair);
	int *c = p->hinges.corners + 4 * p->hinges.count;
	c[0] = a[i], c[1] = a[i2], c[2] = a[other[i + i2]], c[3] = b[other[k + k2]];
	p->hinges.pairs[p->hinges.count++] = pair;
	return p->hinges.count < BATCH || test_hinges(p);
}

// Pairs that are asked for, once their triangles have come: by what they share, since no branch would be
// foreseen.
static bool take_asked(proof *p)
{
	uint16_t bits[ASKED], lists[3][ASKED]; // sharing nothing, a vertex, or more
	int counts[3] = { 0, 0, 0 }, count = p->asked_count;
	p->asked_count = 0;
	RBL_PICK(rbl_triangle_pairs_shares)(p->surface->triangles, &p->asked[0].a, count, bits);
	for (int i = 0; i < count; ++i) {
		bool is_any = bits[i] != 0, is_more = (bits[i] & (bits[i] - 1)) != 0;
		for (int k = 0; k < 3; ++k)
			lists[k][counts[k]] = (uint16_t)i;
		counts[0] += !is_any, counts[1] += is_any & !is_more, counts[2] += is_more;
	}
	for (int i = 0; i < counts[0]; ++i)
		if (!take_apart(p, p->asked[lists[0][i]]))
			return false;
	for (int i = 0; i < counts[1]; ++i)
		if (!take_wedge(p, p->asked[lists[1][i]], bits[lists[1][i]]))
			return false;
	for (int i = 0; i < counts[2]; ++i)
		if (!take_hinge(p, p->asked[lists[2][i]], bits[lists[2][i]]))
			return false;
	return true;
}

// --- nodes -------------------------------------------------------------------------------------------

static bool are_near(const proof *p, rbl_box a, rbl_box b)
{
	return rbl_box_overlaps(rbl_box_grow(a, p->box_gap), b);
}

// What boxes below a bound must be apart by, rounding of their corners by the gap included.
static float box_gap(rbl_box bounds, float gap)
{
	float reach = rbl_maxf(rbl_maxf(-bounds.lower.x, bounds.upper.x),
	                       rbl_maxf(rbl_maxf(-bounds.lower.y, bounds.upper.y),
	                                rbl_maxf(-bounds.lower.z, bounds.upper.z)));
	return gap + 0x1p-20f * (reach + gap);
}

// Pairs of triangles were found: ask for what tells what they share.
static bool ask_for_pairs(proof *p, int found)
{
	const rbl_surface_pair *pairs = p->asked + p->asked_count;
	for (int k = 0; k < found; ++k) {
		rbl_prefetch(&p->surface->triangles[3 * (size_t)pairs[k].a]);
		rbl_prefetch(&p->surface->triangles[3 * (size_t)pairs[k].b]);
	}
	p->asked_count += found;
	return p->asked_count <= ASKED - RBL_CLUSTER_SIZE * RBL_CLUSTER_SIZE || take_asked(p);
}

static bool meet_clusters(proof *p, const rbl_cluster *a, const rbl_cluster *b)
{
	return ask_for_pairs(p, RBL_PICK(rbl_cluster_pairs)(a, b, p->gap, p->asked + p->asked_count));
}

// The same for two clusters of the body. After an update over a step their boxes are those of the whole way:
// boxes at its ends tell more.
static bool meet_different(proof *p, uint32_t a, uint32_t b)
{
	const rbl_surface *surface = p->surface;
	if (surface->motion == RBL_SURFACE_DISCRETE)
		return meet_clusters(p, &surface->cluster_data[a], &surface->cluster_data[b]);
	return ask_for_pairs(
		p, rbl_narrow_swept_pairs(surface, p->worker, a, b, p->gap, p->asked + p->asked_count));
}

static const rbl_cluster *cluster_at(const proof *p, uint32_t leaf)
{
	return &p->surface->cluster_data[rbl_tree_leaf_id(leaf)];
}

// Two different nodes against each other.
static bool meet_nodes(proof *p, uint32_t first, uint32_t second)
{
	rbl_descent walk;
	rbl_descent_begin(&walk, &p->surface->pool, (rbl_tree_pair){ first, second },
	                  (rbl_vec3){ p->box_gap, p->box_gap, p->box_gap });
	rbl_tree_pair found[FOUND];
	while (walk.top > 0) {
		int count = RBL_PICK(rbl_descend)(&walk, found, FOUND);
		for (int i = 0; i < count; ++i) {
			if (i + AHEAD < count) {
				rbl_cluster_ask(p->surface, found[i + AHEAD].a);
				rbl_cluster_ask(p->surface, found[i + AHEAD].b);
			}
			if (!meet_different(p, found[i].a, found[i].b))
				return false;
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
		if (are_near(p, node->boxes[0], node->boxes[1]) &&
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
		for (int k = i; k < group_count; ++k)
			if (are_near(p, groups[i].box, groups[k].box) &&
			    !meet_clusters(p, &groups[i], &groups[k]))
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
	p.asked_count = p.wedges.count = p.hinges.count = 0;
	p.most_doubts = body->triangles.count / TRIANGLES_PER_DOUBT;
	p.gap = (float)(2.000001 * rigid->slack);
	p.box_gap = box_gap(body->tree.bounds, p.gap);
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
	is_good = is_good && take_asked(&p) && test_waiting(&p) && test_wedges(&p) && test_hinges(&p);
	worker->waiting_count = 0;
	return is_good && !worker->is_out_of_memory;
}
