// SPDX-License-Identifier: MIT
//
// The dual cone (Heo et al. 2010, section 4): a cone of normals and one of the binormals along the
// body's boundaries, merged from below; a node passes when its normals lie within less than a right
// angle of their axis, the axis lies outside the cone of binormals, and the node is connected.
// Boundaries between nodes are not tested, so a real pair may be missed.
//
// Over a step the normal is a quadratic in time and the binormal, edge times normal, a cubic; the
// cones bound their three and four control vectors.
//
// A node is connected when both children are and an edge of the mesh joins them. Which edges do is
// counted when topology or trees have changed: each edge between two clusters marks the lowest node
// above both, found by climbing from both sides in the order of heights.

#include "surface/comparison.h"
#include "surface/cull.h"

#include "base/math.h"
#include "geometry/geometry.h"

#define PI 3.14159265f

static const rbl_surface_cone no_cone = { { 0.0f, 0.0f, 0.0f }, -1.0f };
static const rbl_surface_cone whole_cone = { { 1.0f, 0.0f, 0.0f }, PI };

void rbl_surface_free_cones(rbl_surface *surface)
{
	rbl_surface_cone_data *cones = surface->cones;
	if (!cones)
		return;
	RBL_FREE(&surface->allocator, cones->nodes, cones->node_capacity);
	RBL_FREE(&surface->allocator, cones->node_joins, cones->node_capacity);
	RBL_FREE(&surface->allocator, cones->clusters, cones->cluster_capacity);
	RBL_FREE(&surface->allocator, cones->cluster_joins, cones->cluster_capacity);
	RBL_FREE(&surface->allocator, cones, 1);
	surface->cones = NULL;
}

size_t rbl_surface_cone_memory(const rbl_surface *surface)
{
	const rbl_surface_cone_data *cones = surface->cones;
	return cones ? sizeof *cones + (size_t)(cones->node_capacity + cones->cluster_capacity) *
	                                   (sizeof(rbl_surface_dual_cone) + 1)
	             : 0;
}

static bool reserve_cones(rbl_surface *surface)
{
	const rbl_allocator *allocator = &surface->allocator;
	int nodes = rbl_maxi(surface->node_capacity, 1),
		clusters = rbl_maxi(surface->cluster_capacity, 1);
	if (surface->cones && surface->cones->node_capacity >= nodes &&
	    surface->cones->cluster_capacity >= clusters)
		return true;
	rbl_surface_free_cones(surface);
	surface->cones_are_stale = true;
	rbl_surface_cone_data *cones = surface->cones =
		RBL_NEW_ZERO(allocator, rbl_surface_cone_data, 1);
	if (!cones)
		return false;
	cones->node_capacity = nodes, cones->cluster_capacity = clusters;
	cones->nodes = RBL_NEW(allocator, rbl_surface_dual_cone, nodes);
	cones->node_joins = RBL_NEW_ZERO(allocator, unsigned char, nodes);
	cones->clusters = RBL_NEW(allocator, rbl_surface_dual_cone, clusters);
	cones->cluster_joins = RBL_NEW_ZERO(allocator, unsigned char, clusters);
	if (cones->nodes && cones->node_joins && cones->clusters && cones->cluster_joins)
		return true;
	rbl_surface_free_cones(surface);
	return false;
}

static float angle_between(rbl_vec3 a, rbl_vec3 b)
{
	return rbl_atan2f(rbl_length(rbl_cross(a, b)), rbl_dot(a, b));
}

// The smallest cone around two.
static rbl_surface_cone merge_cones(rbl_surface_cone a, rbl_surface_cone b)
{
	if (a.angle < 0.0f || b.angle >= PI)
		return b;
	if (b.angle < 0.0f || a.angle >= PI)
		return a;
	float apart = angle_between(a.axis, b.axis);
	if (apart + b.angle <= a.angle)
		return a;
	if (apart + a.angle <= b.angle)
		return b;
	float angle = 0.5f * (a.angle + b.angle + apart), turn = angle - a.angle;
	if (angle >= PI || apart > 3.14f) // axes that are nearly opposite span no plane
		return whole_cone;
	rbl_vec3 axis = apart > 1e-5f ? rbl_add(rbl_scale(rbl_sinf(apart - turn), a.axis),
	                                        rbl_scale(rbl_sinf(turn), b.axis))
	                              : a.axis;
	return (rbl_surface_cone){ rbl_normalize(axis), angle };
}

static void take_vector(rbl_surface_cone *cone, rbl_vec3d v)
{
	double length = sqrt(rbl_dot_d(v, v));
	if (length > 1e-140)
		*cone =
			merge_cones(*cone, (rbl_surface_cone){ rbl_to_f(rbl_scale_d(1.0 / length, v)), 0.0f });
	else
		*cone = whole_cone;
}

static rbl_vec3d edge_at(const rbl_vec3 *positions, int from, int to)
{
	return rbl_sub_d(rbl_to_d(positions[to]), rbl_to_d(positions[from]));
}

static void add_triangle(const rbl_surface *surface, int triangle, rbl_surface_dual_cone *pair)
{
	const int *v = surface->triangles + 3 * triangle;
	const rbl_vec3 *p1 = surface->positions[1];
	bool is_swept = surface->motion == RBL_SURFACE_CONTINUOUS;
	const rbl_vec3 *p0 = surface->positions[is_swept ? 0 : 1];
	rbl_vec3d e0 = edge_at(p0, v[0], v[1]), f0 = edge_at(p0, v[0], v[2]);
	rbl_vec3d e1 = edge_at(p1, v[0], v[1]), f1 = edge_at(p1, v[0], v[2]);
	rbl_vec3d n[3] = { rbl_cross_d(e0, f0), { 0.0, 0.0, 0.0 }, rbl_cross_d(e1, f1) };
	n[1] = rbl_scale_d(0.5, rbl_add_d(rbl_cross_d(e0, f1), rbl_cross_d(e1, f0)));
	for (int i = 0; i < (is_swept ? 3 : 1); ++i)
		take_vector(&pair->normals, n[i]);
	for (int k = 0; k < 3; ++k) {
		if (surface->twins[3 * triangle + k] >= 0)
			continue;
		rbl_vec3d s0 = edge_at(p0, v[k], v[(k + 1) % 3]), s1 = edge_at(p1, v[k], v[(k + 1) % 3]);
		take_vector(&pair->binormals, rbl_cross_d(s0, n[0]));
		if (!is_swept)
			continue;
		take_vector(&pair->binormals,
		            rbl_add_scaled_d(rbl_cross_d(s1, n[0]), 2.0, rbl_cross_d(s0, n[1])));
		take_vector(&pair->binormals,
		            rbl_add_scaled_d(rbl_cross_d(s0, n[2]), 2.0, rbl_cross_d(s1, n[1])));
		take_vector(&pair->binormals, rbl_cross_d(s1, n[2]));
	}
}

// --- connections --------------------------------------------------------------------------------

static void join_nodes(rbl_surface *surface, int cluster_a, int cluster_b)
{
	const rbl_tree_node *nodes = surface->pool.nodes;
	uint32_t a = surface->pool.leaf_parents[cluster_a], b = surface->pool.leaf_parents[cluster_b];
	while (a != b) {
		int height_a = nodes[a].height, height_b = nodes[b].height;
		a = height_a <= height_b ? nodes[a].parent : a;
		b = height_b <= height_a ? nodes[b].parent : b;
	}
	surface->cones->node_joins[a] = 1;
}

// Whether the triangles of a cluster hang together by edges.
static bool is_connected(const rbl_surface *surface, int index)
{
	const rbl_surface_cluster *cluster = &surface->cluster_data[index];
	int parents[RBL_SURFACE_CLUSTER_SIZE], roots = 0;
	for (int i = 0; i < cluster->count; ++i)
		parents[i] = i;
	for (int i = 0; i < cluster->count; ++i)
		for (int k = 0; k < 3; ++k) {
			int twin = surface->twins[3 * cluster->triangles[i] + k];
			for (int j = 0; twin >= 0 && j < cluster->count; ++j)
				if (cluster->triangles[j] == twin / 3)
					rbl_union_find_join(parents, i, j);
		}
	for (int i = 0; i < cluster->count; ++i)
		roots += parents[i] == i;
	return roots == 1;
}

static void count_connections(rbl_surface *surface)
{
	rbl_surface_cone_data *cones = surface->cones;
	memset(cones->node_joins, 0, (size_t)cones->node_capacity);
	for (int c = 0; c < surface->cluster_end; ++c) {
		const rbl_surface_cluster *cluster = &surface->cluster_data[c];
		if (cluster->body < 0)
			continue;
		cones->cluster_joins[c] = is_connected(surface, c);
		for (int i = 0; i < 3 * cluster->count; ++i) {
			int h = 3 * cluster->triangles[i / 3] + i % 3, twin = surface->twins[h];
			if (twin > h && surface->clusters[twin / 3] != c)
				join_nodes(surface, c, surface->clusters[twin / 3]);
		}
	}
}

// --- fitting ------------------------------------------------------------------------------------

static void fit_node_cones(rbl_surface *surface, uint32_t index, bool is_recounted)
{
	rbl_surface_cone_data *cones = surface->cones;
	rbl_surface_dual_cone pairs[2];
	bool joins = cones->node_joins[index];
	for (int side = 0; side < 2; ++side) {
		uint32_t child = surface->pool.nodes[index].children[side];
		bool is_leaf = rbl_tree_is_leaf(child);
		pairs[side] = is_leaf ? cones->clusters[rbl_tree_leaf_id(child)] : cones->nodes[child];
		joins &= is_leaf ? cones->cluster_joins[rbl_tree_leaf_id(child)] : cones->node_joins[child];
	}
	cones->nodes[index].normals = merge_cones(pairs[0].normals, pairs[1].normals);
	cones->nodes[index].binormals = merge_cones(pairs[0].binormals, pairs[1].binormals);
	if (is_recounted)
		cones->node_joins[index] = joins;
}

static void fit_tree_cones(rbl_surface *surface, const rbl_tree *tree, bool is_recounted)
{
	uint32_t stack[2 * RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	if (!rbl_tree_is_leaf(tree->root))
		stack[top++] = tree->root << 1;
	while (top > 0) {
		uint32_t entry = stack[--top], index = entry >> 1;
		if (entry & 1) {
			fit_node_cones(surface, index, is_recounted);
			continue;
		}
		stack[top++] = entry | 1;
		for (int side = 0; side < 2; ++side)
			if (!rbl_tree_is_leaf(surface->pool.nodes[index].children[side]))
				stack[top++] = surface->pool.nodes[index].children[side] << 1;
	}
}

rbl_result rbl_surface_fit_cones(rbl_surface *surface)
{
	rbl_surface_culling culling = surface->def.culling;
	if (culling == RBL_CULL_NONE || culling == RBL_CULL_EXACT)
		return RBL_OK;
	if (!reserve_cones(surface))
		return RBL_OUT_OF_MEMORY;
	bool recount = surface->cones_are_stale;
	if (recount)
		count_connections(surface);
	for (int c = 0; c < surface->cluster_end; ++c) {
		const rbl_surface_cluster *cluster = &surface->cluster_data[c];
		if (cluster->body < 0)
			continue;
		rbl_surface_dual_cone pair = { no_cone, no_cone };
		for (int i = 0; i < cluster->count; ++i)
			add_triangle(surface, cluster->triangles[i], &pair);
		surface->cones->clusters[c] = pair;
	}
	for (int slot = 0; slot < surface->bodies.count; ++slot)
		if (rbl_id_pool_is_live(&surface->ids, slot))
			fit_tree_cones(surface, &surface->bodies.data[slot].tree, recount);
	surface->cones_are_stale = false;
	return RBL_OK;
}

bool rbl_surface_cone_passes(const rbl_surface *surface, uint32_t reference, rbl_vec3 *direction)
{
	const rbl_surface_cone_data *cones = surface->cones;
	bool is_leaf = rbl_tree_is_leaf(reference);
	uint32_t index = is_leaf ? rbl_tree_leaf_id(reference) : reference;
	const rbl_surface_dual_cone *pair = is_leaf ? &cones->clusters[index] : &cones->nodes[index];
	bool joins = is_leaf ? cones->cluster_joins[index] : cones->node_joins[index];
	*direction = pair->normals.axis;
	// Short of a right angle by more than rounding.
	if (!(pair->normals.angle < 0.5f * PI - 1e-3f))
		return false;
	if (surface->def.culling == RBL_CULL_CONTOUR)
		return true;
	if (!joins || surface->def.culling != RBL_CULL_CONE || pair->binormals.angle < 0.0f)
		return joins;
	return pair->binormals.angle < 0.5f * PI &&
	       fabsf(rbl_dot(pair->normals.axis, pair->binormals.axis)) <
	           rbl_cosf(pair->binormals.angle);
}
