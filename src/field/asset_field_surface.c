// SPDX-License-Identifier: MIT
//
// The triangles of a mesh, ready for the search of the nearest: a tree of boxes, packed, with
// discs in their place lower down, and up to four triangles at each end.

#include "field/asset_field.h"

// Nodes of the tree up to this height become triangles that are tested one by one.
enum { CLUSTER_HEIGHT = 2 };

// Sub-trees up to this height get discs, higher ones boxes.
enum { DISC_HEIGHT = 5 };

// What rounding may take from a distance, in cells.
static const float bound_margin = 1e-3f;

typedef struct packing {
	rbl_sample_surface *surface;
	const rbl_vec3d *corners;
	rbl_tree_pool pool;
	rbl_tree tree;
	uint32_t *leaves; // left to right
	int *firsts;      // by node: place of its first leaf in `leaves`
	int *numbers;     // by node: its place in the packed tree
} packing;

static rbl_sample_triangle sample_triangle(const rbl_vec3d corners[3])
{
	rbl_sample_triangle t = { .bias = 0.0f };
	rbl_vec3d normal =
		rbl_cross_d(rbl_sub_d(corners[1], corners[0]), rbl_sub_d(corners[2], corners[0]));
	double area = rbl_length_d(normal), longest = 0.0;
	for (int k = 0; k < 3; ++k) {
		rbl_vec3d edge = rbl_sub_d(corners[(k + 1) % 3], corners[k]);
		double square = rbl_dot_d(edge, edge);
		t.corners[k] = rbl_to_f(corners[k]);
		t.edges[k] = rbl_to_f(edge);
		t.inverse_squares[k] = square > 1e-30 ? (float)(1.0 / square) : 0.0f;
		longest = rbl_maxd(longest, sqrt(square));
	}
	// Thinner than rounding: what is inside is not farther from the edges than that.
	if (!(area > 1e-6 * longest)) {
		t.bias = 1.0f;
		return t;
	}
	normal = rbl_scale_d(1.0 / area, normal);
	t.normal = rbl_to_f(normal);
	for (int k = 0; k < 3; ++k) {
		rbl_vec3d edge = rbl_sub_d(corners[(k + 1) % 3], corners[k]);
		t.sides[k] = rbl_to_f(rbl_normalize_d(rbl_cross_d(normal, edge)));
	}
	return t;
}

static void make_triangles(void *context, int begin, int end, int worker)
{
	const packing *p = context;
	(void)worker;
	for (int i = begin; i < end; ++i)
		p->surface->triangles[i] = sample_triangle(p->corners + 3 * (size_t)p->leaves[i]);
}

// --- bounds -------------------------------------------------------------------------------------

static rbl_sample_bound disc_around(const rbl_sample_triangle *triangles, int count)
{
	rbl_box box = rbl_box_empty();
	rbl_vec3 normal = { 0.0f, 0.0f, 0.0f };
	for (int i = 0; i < count; ++i) {
		const rbl_sample_triangle *t = &triangles[i];
		normal = rbl_add(normal, rbl_cross(t->edges[0], t->edges[1]));
		for (int k = 0; k < 3; ++k)
			box = rbl_box_add_point(box, t->corners[k]);
	}
	rbl_sample_bound disc = { .centre = rbl_box_centre(box), .axis = rbl_normalize(normal) };
	float low = FLT_MAX, high = -FLT_MAX, square = 0.0f;
	for (int i = 0; i < 3 * count; ++i) {
		rbl_vec3 from = rbl_sub(triangles[i / 3].corners[i % 3], disc.centre);
		float along = rbl_dot(from, disc.axis);
		low = rbl_minf(low, along), high = rbl_maxf(high, along);
		rbl_vec3 across = rbl_add_scaled(from, -along, disc.axis);
		square = rbl_maxf(square, rbl_dot(across, across));
	}
	disc.centre = rbl_add_scaled(disc.centre, 0.5f * (low + high), disc.axis);
	disc.half = 0.5f * (high - low) + bound_margin;
	disc.radius = sqrtf(square) * 1.0001f + bound_margin;
	return disc;
}

static rbl_sample_bound box_around(rbl_box box)
{
	return (rbl_sample_bound){ .centre = rbl_box_centre(box),
		                       .axis =
		                           rbl_scale(0.5f, rbl_box_size(rbl_box_grow(box, bound_margin))),
		                       .radius = -1.0f };
}

// --- packing ------------------------------------------------------------------------------------

static int leaf_count(const packing *p, uint32_t child)
{
	return rbl_tree_is_leaf(child) ? 1 : p->pool.counts[child];
}

// A reference of the tree as the packed tree writes it. @param first  place of its first leaf
static int pack_child(const packing *p, uint32_t child, int first)
{
	if (rbl_tree_height_of(&p->pool, child) > CLUSTER_HEIGHT)
		return p->numbers[child];
	return ~(4 * first + leaf_count(p, child) - 1);
}

// A builder leaves nodes after those below them: from the end, parents come before their children.
static void order_leaves(packing *p)
{
	int count = p->tree.leaf_count - 1;
	RBL_ASSERT(p->tree.first_node == 0);
	if (rbl_tree_is_leaf(p->tree.root)) {
		p->leaves[0] = rbl_tree_leaf_id(p->tree.root);
		return;
	}
	p->firsts[p->tree.root] = 0;
	for (int i = count - 1; i >= 0; --i) {
		const rbl_tree_node *node = &p->pool.nodes[i];
		int first = p->firsts[i];
		for (int side = 0; side < 2; ++side) {
			uint32_t child = node->children[side];
			if (rbl_tree_is_leaf(child))
				p->leaves[first] = rbl_tree_leaf_id(child);
			else
				p->firsts[child] = first;
			first += leaf_count(p, child);
		}
	}
	for (int i = 0; i < count; ++i)
		p->numbers[i] = p->pool.nodes[i].height > CLUSTER_HEIGHT ? p->surface->node_count++ : -1;
}

static void pack_nodes(void *context, int begin, int end, int worker)
{
	const packing *p = context;
	(void)worker;
	for (int i = begin; i < end; ++i) {
		const rbl_tree_node *from = &p->pool.nodes[i];
		if (p->numbers[i] < 0)
			continue;
		rbl_sample_node *to = &p->surface->nodes[p->numbers[i]];
		int first = p->firsts[i];
		for (int side = 0; side < 2; ++side) {
			uint32_t child = from->children[side];
			int count = leaf_count(p, child);
			to->children[side] = pack_child(p, child, first);
			to->bounds[side] = rbl_tree_height_of(&p->pool, child) <= DISC_HEIGHT
			                       ? disc_around(p->surface->triangles + first, count)
			                       : box_around(from->boxes[side]);
			first += count;
		}
	}
}

static rbl_result build_tree(packing *p, const rbl_allocator *allocator, rbl_jobs *jobs)
{
	int count = p->surface->triangle_count;
	rbl_box *boxes = RBL_NEW(allocator, rbl_box, count);
	if (!boxes)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i) {
		const rbl_vec3d *c = p->corners + 3 * (size_t)i;
		boxes[i] = (rbl_box){ rbl_to_f(rbl_min_d(c[0], rbl_min_d(c[1], c[2]))),
			                  rbl_to_f(rbl_max_d(c[0], rbl_max_d(c[1], c[2]))) };
	}
	rbl_tree_build_input input = {
		.builder = RBL_TREE_BUILD_MIDPOINT, .count = count, .boxes = boxes, .jobs = jobs
	};
	rbl_result result = rbl_tree_build(&p->tree, &input);
	RBL_FREE(allocator, boxes, count);
	return result;
}

rbl_result rbl_sample_surface_init(rbl_sample_surface *surface, const rbl_allocator *allocator,
                                   const rbl_vec3d *corners, int triangle_count, rbl_jobs *jobs)
{
	*surface = (rbl_sample_surface){ .triangle_count = triangle_count };
	packing p = { .surface = surface, .corners = corners };
	rbl_tree_pool_init(&p.pool, allocator, RBL_TREE_COUNTS);
	p.tree = rbl_tree_make(&p.pool);
	rbl_result result = build_tree(&p, allocator, jobs);
	surface->triangles = RBL_NEW(allocator, rbl_sample_triangle, triangle_count);
	p.leaves = RBL_NEW(allocator, uint32_t, triangle_count);
	p.firsts = RBL_NEW(allocator, int, triangle_count);
	p.numbers = RBL_NEW(allocator, int, triangle_count);
	if (!surface->triangles || !p.leaves || !p.firsts || !p.numbers)
		result = RBL_OUT_OF_MEMORY;
	if (result == RBL_OK) {
		order_leaves(&p);
		surface->nodes = RBL_NEW(allocator, rbl_sample_node, (size_t)surface->node_count + 1);
		result = surface->nodes ? RBL_OK : RBL_OUT_OF_MEMORY;
	}
	if (result == RBL_OK) {
		rbl_parallel_for(jobs, triangle_count, 1024, make_triangles, &p);
		rbl_parallel_for(jobs, triangle_count - 1, 512, pack_nodes, &p);
		surface->root = pack_child(&p, p.tree.root, 0);
	}
	RBL_FREE(allocator, p.leaves, triangle_count);
	RBL_FREE(allocator, p.firsts, triangle_count);
	RBL_FREE(allocator, p.numbers, triangle_count);
	rbl_tree_pool_destroy(&p.pool);
	return result;
}

void rbl_sample_surface_destroy(rbl_sample_surface *surface, const rbl_allocator *allocator)
{
	if (surface->nodes)
		RBL_FREE(allocator, surface->nodes, (size_t)surface->node_count + 1);
	RBL_FREE(allocator, surface->triangles, surface->triangle_count);
	*surface = (rbl_sample_surface){ 0 };
}
