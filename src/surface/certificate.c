// SPDX-License-Identifier: MIT
//
// Separation certificates of bodies that move rigidly (certificate_motion.c): no pair of triangles
// touches, nor would any if each vertex moved by up to a margin, except for a list of uncertain
// pairs.
//
// Certifying is a self-collision query with stricter tests. Bodies are star-shaped, or nearly so;
// nodes are culled by their contour, with the margin added to every bound; boxes count as
// overlapping when they come closer than twice the margin. The pairs of triangles that remain
// share a vertex whose fan is robust, or lie on two sides of a plane, or an axis separates them.
// Whatever is left is uncertain and tested in every query, as long as there is not too much of it.
// Where a clearance is to be kept, it is measured before (certificate_clearance.c).
//
// Culled nodes are not traversed, so certifying takes hardly longer than the query it replaces.

#include "surface/surface_kernels.h"
#include "surface/query.h"
#include "surface/certificate.h"
#include "surface/cull.h"

#include "base/bits.h"

enum {
	/// A certificate leaves at most one pair uncertain for so many triangles.
	TRIANGLES_PER_UNCERTAIN = 1,
	BATCH = 256,
	SELF_STACK = 3 * RBL_TREE_MAX_HEIGHT + 8,
	/// Pairs of clusters that are found at a time, and those between prefetching one and reading
	/// it.
	CERTIFY_FOUND = 256,
	CERTIFY_AHEAD = 4,
	/// Pairs of triangles between prefetching their corners and reading them.
	ASKED = 512,
};

// The margin that keeps a clearance of 1 over a step of up to 60 degrees (certificate_motion.c):
// half of it over the cosine of 30 degrees, and some rounding.
static const double margins_per_clearance = 0.5774;

// Pairs of triangles that share a vertex or an edge, and wait for their test.
typedef struct neighbour_batch {
	rbl_surface_pair pairs[BATCH];
	int corners[5 * BATCH];
	int count;
} neighbour_batch;

// What a worker needs while it certifies something about a body.
typedef struct certifier {
	const rbl_surface *surface;
	rbl_surface_worker *worker;
	rbl_surface_certificate *certificate;
	int max_uncertain;
	double margin; // with what keeps a clearance
	float gap;     // twice the margin
	float box_gap; // the same, with space for the rounding of boxes
	rbl_surface_pair asked[ASKED];
	int prefetched_count;
	neighbour_batch wedges, hinges;
	rbl_surface_pair doubtful[RBL_SURFACE_CHECKED_PAIRS]; // to be measured
	int doubtful_count;
} certifier;

// --- pairs of triangles -------------------------------------------------------------------------

static bool list_uncertain(certifier *p, rbl_surface_pair pair)
{
	if (p->certificate->uncertain_pairs.count == p->max_uncertain)
		return false;
	if (!rbl_array_push(&p->surface->allocator, &p->certificate->uncertain_pairs, pair))
		p->worker->is_out_of_memory = true;
	return !p->worker->is_out_of_memory;
}

static bool test_doubtful(certifier *p)
{
	rbl_surface_pair uncertain[RBL_SURFACE_CHECKED_PAIRS];
	int count = rbl_surface_check_clearance(p->surface, p->doubtful, p->doubtful_count,
	                                        p->certificate->margin, p->gap, uncertain);
	p->doubtful_count = 0;
	for (int i = 0; i < count; ++i)
		if (!list_uncertain(p, uncertain[i]))
			return false;
	return true;
}

static bool push_uncertain(certifier *p, rbl_surface_pair pair)
{
	if (!(p->certificate->clearance > 0.0f))
		return list_uncertain(p, pair);
	p->doubtful[p->doubtful_count++] = pair;
	return p->doubtful_count < RBL_SURFACE_CHECKED_PAIRS || test_doubtful(p);
}

static bool test_waiting(certifier *p)
{
	rbl_surface_worker *worker = p->worker;
	int kept[RBL_SURFACE_BATCH + 7];
	int count = RBL_PICK(rbl_surface_near_triangle_pairs)(
		p->surface->positions[1], p->surface->triangles, &worker->waiting[0].a,
		worker->waiting_count, p->gap, kept);
	worker->waiting_count = 0;
	for (int i = 0; i < count; ++i)
		if (!push_uncertain(p, worker->waiting[kept[i]]))
			return false;
	return true;
}

// Neighbours that lanes did not tell apart. Fans that are open, or sharp, or not one, are for the
// slower tests.
static bool take_neighbours(certifier *p, rbl_surface_pair pair)
{
	const int *a = p->surface->triangles + 3 * pair.a, *b = p->surface->triangles + 3 * pair.b;
	double margin = p->margin;
	for (int i = 0; i < 3; ++i)
		if ((a[i] == b[0] || a[i] == b[1] || a[i] == b[2]) &&
		    rbl_surface_fan_is_robust(p->surface, p->worker, a[i], margin))
			return true;
	return rbl_surface_neighbours_are_robust(p->surface, a, b, margin) || push_uncertain(p, pair);
}

// What a filter kept of a batch.
static bool take_kept(certifier *p, neighbour_batch *batch, const int *kept, int count)
{
	batch->count = 0;
	for (int i = 0; i < count; ++i)
		if (!take_neighbours(p, batch->pairs[kept[i]]))
			return false;
	return true;
}

static bool test_wedges(certifier *p)
{
	int kept[BATCH],
		count = RBL_PICK(rbl_surface_uncertain_wedges)(p->surface->positions[1], p->wedges.corners,
	                                                   p->wedges.count, (float)p->margin, kept);
	return take_kept(p, &p->wedges, kept, count);
}

static bool test_hinges(certifier *p)
{
	int kept[BATCH],
		count = RBL_PICK(rbl_surface_uncertain_hinges)(p->surface->positions[1], p->hinges.corners,
	                                                   p->hinges.count, (float)p->margin, kept);
	return take_kept(p, &p->hinges, kept, count);
}

static bool certify_disjoint(certifier *p, rbl_surface_pair pair)
{
	p->worker->waiting[p->worker->waiting_count++] = pair;
	return p->worker->waiting_count < RBL_SURFACE_BATCH || test_waiting(p);
}

static const signed char corner_after[5] = { 0, 1, 2, 0, 1 };

// @param bits  the corner that both have, as rbl_surface_shared_corners() names it
static bool take_wedge(certifier *p, rbl_surface_pair pair, unsigned bits)
{
	const int *a = p->surface->triangles + 3 * pair.a, *b = p->surface->triangles + 3 * pair.b;
	int first = rbl_lowest_one(bits), i = first / 3, k = first % 3;
	int *c = p->wedges.corners + 5 * p->wedges.count;
	c[0] = a[i], c[1] = a[corner_after[i + 1]], c[2] = a[corner_after[i + 2]];
	c[3] = b[corner_after[k + 1]], c[4] = b[corner_after[k + 2]];
	p->wedges.pairs[p->wedges.count++] = pair;
	return p->wedges.count < BATCH || test_wedges(p);
}

static bool take_hinge(certifier *p, rbl_surface_pair pair, unsigned bits)
{
	static const signed char other[4] = { -1, 2, 1, 0 };
	const int *a = p->surface->triangles + 3 * pair.a, *b = p->surface->triangles + 3 * pair.b;
	int first = rbl_lowest_one(bits), i = first / 3, k = first % 3;
	bits &= bits - 1;
	int second = rbl_lowest_one(bits), i2 = second / 3, k2 = second % 3;
	if (bits & (bits - 1))
		return push_uncertain(p, pair);
	int *c = p->hinges.corners + 4 * p->hinges.count;
	c[0] = a[i], c[1] = a[i2], c[2] = a[other[i + i2]], c[3] = b[other[k + k2]];
	p->hinges.pairs[p->hinges.count++] = pair;
	return p->hinges.count < BATCH || test_hinges(p);
}

// Pairs that are prefetched, once their triangles have come: by what they share, since no branch
// would be foreseen.
static bool test_prefetched(certifier *p)
{
	uint16_t bits[ASKED], lists[3][ASKED]; // sharing nothing, a vertex, or more
	int counts[3] = { 0, 0, 0 }, count = p->prefetched_count;
	p->prefetched_count = 0;
	RBL_PICK(rbl_surface_shared_corners)(p->surface->triangles, &p->asked[0].a, count, bits);
	for (int i = 0; i < count; ++i) {
		bool is_any = bits[i] != 0, is_more = (bits[i] & (bits[i] - 1)) != 0;
		for (int k = 0; k < 3; ++k)
			lists[k][counts[k]] = (uint16_t)i;
		counts[0] += !is_any, counts[1] += is_any & !is_more, counts[2] += is_more;
	}
	for (int i = 0; i < counts[0]; ++i)
		if (!certify_disjoint(p, p->asked[lists[0][i]]))
			return false;
	for (int i = 0; i < counts[1]; ++i)
		if (!take_wedge(p, p->asked[lists[1][i]], bits[lists[1][i]]))
			return false;
	for (int i = 0; i < counts[2]; ++i)
		if (!take_hinge(p, p->asked[lists[2][i]], bits[lists[2][i]]))
			return false;
	return true;
}

// --- nodes --------------------------------------------------------------------------------------

static bool boxes_are_within_margin(const certifier *p, rbl_box a, rbl_box b)
{
	return rbl_box_overlaps(rbl_box_grow(a, p->box_gap), b);
}

float rbl_surface_box_gap(rbl_box bounds, float gap)
{
	float extent = rbl_maxf(rbl_maxf(-bounds.lower.x, bounds.upper.x),
	                        rbl_maxf(rbl_maxf(-bounds.lower.y, bounds.upper.y),
	                                 rbl_maxf(-bounds.lower.z, bounds.upper.z)));
	return gap + 0x1p-20f * (extent + gap);
}

// Pairs of triangles were found: prefetch what tells what they share.
static bool prefetch_pairs(certifier *p, int found)
{
	const rbl_surface_pair *pairs = p->asked + p->prefetched_count;
	for (int k = 0; k < found; ++k) {
		rbl_prefetch(&p->surface->triangles[3 * (size_t)pairs[k].a]);
		rbl_prefetch(&p->surface->triangles[3 * (size_t)pairs[k].b]);
	}
	p->prefetched_count += found;
	return p->prefetched_count <= ASKED - RBL_SURFACE_CLUSTER_SIZE * RBL_SURFACE_CLUSTER_SIZE ||
	       test_prefetched(p);
}

static bool certify_clusters(certifier *p, const rbl_surface_cluster *a,
                             const rbl_surface_cluster *b)
{
	return prefetch_pairs(
		p, RBL_PICK(rbl_surface_cluster_pairs)(a, b, p->gap, p->asked + p->prefetched_count));
}

// The same for two clusters of the body. After an update over a step their boxes are those of the
// whole way: boxes at its ends tell more.
static bool test_different(certifier *p, uint32_t a, uint32_t b)
{
	const rbl_surface *surface = p->surface;
	if (surface->motion == RBL_SURFACE_DISCRETE ||
	    !rbl_surface_uses(surface, RBL_SURFACE_SWEPT_BOXES))
		return certify_clusters(p, &surface->cluster_data[a], &surface->cluster_data[b]);
	return prefetch_pairs(p, rbl_surface_swept_pairs(surface, p->worker, a, b, p->gap,
	                                                 p->asked + p->prefetched_count));
}

static const rbl_surface_cluster *cluster_at(const certifier *p, uint32_t leaf)
{
	return &p->surface->cluster_data[rbl_tree_leaf_id(leaf)];
}

// Two different nodes against each other.
static bool test_nodes(certifier *p, uint32_t first, uint32_t second)
{
	rbl_surface_descent walk;
	rbl_surface_descent_begin(&walk, &p->surface->pool, (rbl_tree_pair){ first, second },
	                          (rbl_vec3){ p->box_gap, p->box_gap, p->box_gap });
	rbl_tree_pair found[CERTIFY_FOUND];
	while (walk.top > 0) {
		int count = RBL_PICK(rbl_surface_descend)(&walk, found, CERTIFY_FOUND);
		for (int i = 0; i < count; ++i) {
			if (i + CERTIFY_AHEAD < count) {
				rbl_surface_prefetch_cluster(p->surface, found[i + CERTIFY_AHEAD].a);
				rbl_surface_prefetch_cluster(p->surface, found[i + CERTIFY_AHEAD].b);
			}
			if (!test_different(p, found[i].a, found[i].b))
				return false;
		}
	}
	return true;
}

static bool test_self(certifier *p, uint32_t root)
{
	uint32_t stack[SELF_STACK];
	int top = 0;
	stack[top++] = root;
	while (top > 0) {
		uint32_t at = stack[--top];
		if (rbl_surface_is_robust(p->surface, p->worker, at, p->margin))
			continue;
		if (rbl_tree_is_leaf(at)) {
			if (!certify_clusters(p, cluster_at(p, at), cluster_at(p, at)))
				return false;
			continue;
		}
		const rbl_tree_node *node = &p->surface->pool.nodes[at];
		RBL_ASSERT(top + 2 <= SELF_STACK);
		stack[top++] = node->children[1];
		stack[top++] = node->children[0];
		if (boxes_are_within_margin(p, node->boxes[0], node->boxes[1]) &&
		    !test_nodes(p, node->children[0], node->children[1]))
			return false;
	}
	return true;
}

// --- bodies -------------------------------------------------------------------------------------

// The triangles of a star that may touch, each with each, in groups of eight like clusters.
static bool test_candidates(certifier *p)
{
	rbl_surface_worker *worker = p->worker;
	int count = worker->candidates.count, group_count = (count + 7) / 8;
	if (!rbl_array_resize(&p->surface->allocator, &worker->groups, group_count)) {
		worker->is_out_of_memory = true;
		return false;
	}
	const rbl_surface_cluster_source source = { .ends = p->surface->positions[1],
		                                        .triangles = p->surface->triangles };
	rbl_surface_cluster *groups = worker->groups.data;
	for (int i = 0; i < group_count; ++i) {
		rbl_box box;
		groups[i] =
			(rbl_surface_cluster){ .count = (int16_t)(count - 8 * i < 8 ? count - 8 * i : 8) };
		for (int k = 0; k < RBL_SURFACE_CLUSTER_SIZE; ++k)
			groups[i].triangles[k] = k < groups[i].count ? worker->candidates.data[8 * i + k] : -1;
		RBL_PICK(rbl_surface_fit_cluster)(&groups[i], NULL, &box, &source, NULL);
	}
	for (int i = 0; i < group_count; ++i) {
		for (int k = i; k < group_count; ++k)
			if (boxes_are_within_margin(p, groups[i].box, groups[k].box) &&
			    !certify_clusters(p, &groups[i], &groups[k]))
				return false;
	}
	return true;
}

bool rbl_surface_certify_body(rbl_surface *surface, rbl_surface_worker *worker, int slot)
{
	rbl_surface_body *body = &surface->bodies.data[slot];
	rbl_surface_certificate *certificate = &surface->certificates[slot];
	certifier p; // most of it are pairs that wait, not to be cleared
	p.surface = surface, p.worker = worker, p.certificate = certificate;
	p.prefetched_count = p.wedges.count = p.hinges.count = p.doubtful_count = 0;
	p.max_uncertain = body->triangles.count / TRIANGLES_PER_UNCERTAIN;
	p.margin = certificate->margin + margins_per_clearance * (double)certificate->clearance;
	p.gap = (float)(2.000001 * p.margin);
	p.box_gap = rbl_surface_box_gap(body->tree.bounds, p.gap);
	certificate->uncertain_pairs.count = worker->waiting_count = 0;
	if (!(p.gap > 0.0f))
		return false;
	bool is_good;
	if (rbl_surface_uses(surface, RBL_SURFACE_NEAR_STARS) &&
	    rbl_surface_is_near_star(surface, worker, body, p.margin))
		is_good = test_candidates(&p);
	else if (body->fit.has_old_normals)
		is_good = false; // a star, and as cheap as that
	else
		is_good = test_self(&p, body->tree.root);
	is_good = is_good && test_prefetched(&p) && test_waiting(&p) && test_wedges(&p) &&
	          test_hinges(&p) && test_doubtful(&p);
	worker->waiting_count = 0;
	return is_good && !worker->is_out_of_memory;
}
