// SPDX-License-Identifier: MIT
//
// The triangles of a mesh, ready for the search of the nearest: a tree of eight children to a node,
// with boxes around them, or discs lower down, and up to eight triangles in a leaf.

#include "field/asset_field.h"

// Children of a node, and triangles of a leaf.
enum { WIDTH = 8 };

// Sub-trees of up to so many triangles get discs, larger ones boxes.
enum { MOST_IN_DISC = 256 };

// What rounding may take from a distance, in cells.
static const float bound_margin = 1e-3f;

// A sub-tree of the binary tree.
typedef struct sub_tree {
	uint32_t child;
	int first, count; // of its triangles, in the order of leaves
} sub_tree;

typedef struct packing {
	rbl_sample_surface *surface;
	const rbl_vec3d *corners;
	rbl_tree_pool pool;
	rbl_tree tree;
	uint32_t *order;    // triangles, left to right
	int *firsts;        // by node of the binary tree: place of its first triangle in `order`
	sub_tree *roots;    // by node: what it has below it
	sub_tree *children; // WIDTH for each node; count 0: none
	sub_tree *leaves;   // by leaf
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
		p->surface->triangles[i] = sample_triangle(p->corners + 3 * (size_t)p->order[i]);
}

// --- bounds -------------------------------------------------------------------------------------

static void put_axes(float rows[3][WIDTH], int k, rbl_vec3 v)
{
	rows[0][k] = v.x, rows[1][k] = v.y, rows[2][k] = v.z;
}

static void put_disc(rbl_sample_node *node, int k, const rbl_sample_triangle *triangles, int count)
{
	rbl_box box = rbl_box_empty();
	rbl_vec3 normal = { 0.0f, 0.0f, 0.0f };
	for (int i = 0; i < count; ++i) {
		const rbl_sample_triangle *t = &triangles[i];
		normal = rbl_add(normal, rbl_cross(t->edges[0], t->edges[1]));
		for (int c = 0; c < 3; ++c)
			box = rbl_box_add_point(box, t->corners[c]);
	}
	rbl_vec3 centre = rbl_box_centre(box), axis = rbl_normalize(normal);
	float low = FLT_MAX, high = -FLT_MAX, square = 0.0f;
	for (int i = 0; i < 3 * count; ++i) {
		rbl_vec3 from = rbl_sub(triangles[i / 3].corners[i % 3], centre);
		float along = rbl_dot(from, axis);
		low = rbl_minf(low, along), high = rbl_maxf(high, along);
		rbl_vec3 across = rbl_add_scaled(from, -along, axis);
		square = rbl_maxf(square, rbl_dot(across, across));
	}
	put_axes(node->centre, k, rbl_add_scaled(centre, 0.5f * (low + high), axis));
	put_axes(node->axis, k, axis);
	node->half[k] = 0.5f * (high - low) + bound_margin;
	node->radius[k] = sqrtf(square) * 1.0001f + bound_margin;
}

static void put_box(rbl_sample_node *node, int k, const rbl_sample_triangle *triangles, int count)
{
	rbl_box box = rbl_box_empty();
	for (int i = 0; i < 3 * count; ++i)
		box = rbl_box_add_point(box, triangles[i / 3].corners[i % 3]);
	put_axes(node->centre, k, rbl_box_centre(box));
	put_axes(node->axis, k, rbl_scale(0.5f, rbl_box_size(rbl_box_grow(box, bound_margin))));
}

// --- packing ------------------------------------------------------------------------------------

static int triangles_below(const packing *p, uint32_t child)
{
	return rbl_tree_is_leaf(child) ? 1 : p->pool.counts[child];
}

// A builder leaves nodes after those below them: from the end, parents come before their children.
static void order_triangles(packing *p)
{
	int count = p->tree.leaf_count - 1;
	RBL_ASSERT(p->tree.first_node == 0);
	if (rbl_tree_is_leaf(p->tree.root)) {
		p->order[0] = rbl_tree_leaf_id(p->tree.root);
		return;
	}
	p->firsts[p->tree.root] = 0;
	for (int i = count - 1; i >= 0; --i) {
		const rbl_tree_node *node = &p->pool.nodes[i];
		int first = p->firsts[i];
		for (int side = 0; side < 2; ++side) {
			uint32_t child = node->children[side];
			if (rbl_tree_is_leaf(child))
				p->order[first] = rbl_tree_leaf_id(child);
			else
				p->firsts[child] = first;
			first += triangles_below(p, child);
		}
	}
}

// How many nodes and leaves there are at most.
static void count_nodes(const packing *p, int *nodes, int *leaves)
{
	*nodes = 0, *leaves = 1;
	for (int i = 0; i < p->tree.leaf_count - 1; ++i)
		if (p->pool.counts[i] > WIDTH) {
			++*nodes;
			for (int side = 0; side < 2; ++side)
				*leaves += triangles_below(p, p->pool.nodes[i].children[side]) <= WIDTH;
		}
}

// @return the reference of a sub-tree, as nodes have it
static int place_sub_tree(packing *p, sub_tree at)
{
	rbl_sample_surface *surface = p->surface;
	if (at.count <= WIDTH) {
		p->leaves[surface->leaf_count] = at;
		return ~surface->leaf_count++;
	}
	p->roots[surface->node_count] = at;
	return surface->node_count++;
}

// Again and again the largest of a node's sub-trees makes way for the two below it.
static void gather_children(packing *p, int index)
{
	sub_tree *found = p->children + (size_t)index * WIDTH;
	found[0] = p->roots[index];
	for (int n = 1, largest = 0; n < WIDTH && largest >= 0; ++n) {
		const rbl_tree_node *node = &p->pool.nodes[found[largest].child];
		sub_tree parts[2] = { { node->children[0], found[largest].first, 0 },
			                  { node->children[1], 0, 0 } };
		parts[0].count = triangles_below(p, parts[0].child);
		parts[1].first = parts[0].first + parts[0].count;
		parts[1].count = triangles_below(p, parts[1].child);
		found[largest] = parts[0], found[n] = parts[1];
		largest = -1;
		for (int k = 0; k <= n; ++k)
			if (found[k].count > WIDTH && (largest < 0 || found[k].count > found[largest].count))
				largest = k;
	}
	for (int k = 0; k < WIDTH && found[k].count > 0; ++k)
		p->surface->nodes[index].children[k] = place_sub_tree(p, found[k]);
}

static void fill_nodes(void *context, int begin, int end, int worker)
{
	const float far = 1e15f;
	const packing *p = context;
	(void)worker;
	for (int i = begin; i < end; ++i) {
		rbl_sample_node *node = &p->surface->nodes[i];
		node->has_discs = p->roots[i].count <= WIDTH * MOST_IN_DISC;
		for (int k = 0; k < WIDTH; ++k) {
			const sub_tree *child = &p->children[(size_t)i * WIDTH + (size_t)k];
			const rbl_sample_triangle *triangles = p->surface->triangles + child->first;
			node->radius[k] = node->half[k] = 0.0f;
			put_axes(node->centre, k, (rbl_vec3){ far, far, far });
			put_axes(node->axis, k, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
			if (child->count > 0 && node->has_discs)
				put_disc(node, k, triangles, child->count);
			else if (child->count > 0)
				put_box(node, k, triangles, child->count);
		}
	}
}

static void fill_leaves(void *context, int begin, int end, int worker)
{
	const packing *p = context;
	(void)worker;
	for (int i = begin; i < end; ++i) {
		rbl_sample_leaf *leaf = &p->surface->leaves[i];
		for (int k = 0; k < WIDTH; ++k) {
			int index = p->leaves[i].first + rbl_mini(k, p->leaves[i].count - 1);
			const rbl_sample_triangle *t = &p->surface->triangles[index];
			for (int c = 0; c < 3; ++c) {
				put_axes(leaf->corners[c], k, t->corners[c]);
				put_axes(leaf->edges[c], k, t->edges[c]);
				put_axes(leaf->sides[c], k, t->sides[c]);
				leaf->inverse_squares[c][k] = t->inverse_squares[c];
			}
			put_axes(leaf->normal, k, t->normal);
			leaf->bias[k] = t->bias;
		}
	}
}

static void pack_tree(packing *p, rbl_jobs *jobs)
{
	rbl_sample_surface *surface = p->surface;
	order_triangles(p);
	rbl_parallel_for(jobs, surface->triangle_count, 1024, make_triangles, p);
	surface->root = place_sub_tree(p, (sub_tree){ p->tree.root, 0, surface->triangle_count });
	for (int i = 0; i < surface->node_count; ++i)
		gather_children(p, i);
	rbl_parallel_for(jobs, surface->node_count, 64, fill_nodes, p);
	rbl_parallel_for(jobs, surface->leaf_count, 128, fill_leaves, p);
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
	if (result == RBL_OK) {
		int nodes, leaves;
		count_nodes(&p, &nodes, &leaves);
		surface->node_capacity = nodes, surface->leaf_capacity = leaves;
		surface->nodes = RBL_NEW(allocator, rbl_sample_node, (size_t)nodes + 1);
		surface->leaves = RBL_NEW(allocator, rbl_sample_leaf, leaves);
		surface->triangles = RBL_NEW(allocator, rbl_sample_triangle, triangle_count);
		p.order = RBL_NEW(allocator, uint32_t, triangle_count);
		p.firsts = RBL_NEW(allocator, int, triangle_count);
		p.roots = RBL_NEW(allocator, sub_tree, (size_t)nodes + 1);
		p.children = RBL_NEW_ZERO(allocator, sub_tree, WIDTH * ((size_t)nodes + 1));
		p.leaves = RBL_NEW(allocator, sub_tree, leaves);
		bool has_all = surface->nodes && surface->leaves && surface->triangles && p.order &&
		               p.firsts && p.roots && p.children && p.leaves;
		if (has_all)
			pack_tree(&p, jobs);
		else
			result = RBL_OUT_OF_MEMORY;
		RBL_FREE(allocator, p.leaves, leaves);
		RBL_FREE(allocator, p.children, WIDTH * ((size_t)nodes + 1));
		RBL_FREE(allocator, p.roots, (size_t)nodes + 1);
		RBL_FREE(allocator, p.firsts, triangle_count);
		RBL_FREE(allocator, p.order, triangle_count);
	}
	rbl_tree_pool_destroy(&p.pool);
	return result;
}

void rbl_sample_surface_destroy(rbl_sample_surface *surface, const rbl_allocator *allocator)
{
	RBL_FREE(allocator, surface->nodes, (size_t)surface->node_capacity + 1);
	RBL_FREE(allocator, surface->leaves, surface->leaf_capacity);
	RBL_FREE(allocator, surface->triangles, surface->triangle_count);
	*surface = (rbl_sample_surface){ 0 };
}
