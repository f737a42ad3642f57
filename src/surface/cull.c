// SPDX-License-Identifier: MIT
//
// Self-collision culling: which nodes and clusters cannot touch themselves, by the grade in use.

#include "surface/comparison.h"
#include "surface/cull.h"
#include "surface/surface_kernels.h"

// Contours of fewer triangles than this cost more than the tests they save.
enum { CULL_MIN_TRIANGLES = 6 };

// The same for certificates: triangles of a cluster, where it takes one look, and clusters of a
// node.
enum { MIN_WIDE = 4, MIN_CLUSTERS = 3 };

// Where so many contours failed in a row, layers lie over each other and will for a while: the node
// is tested in one query out of RETRY only.
enum { FAILURES = 2, RETRY = 8 };

// What the unit normals' errors, the sliver rule and the rounding of the dot product may amount to.
static const float normal_margin = 2e-4f;

// A diagonal that all normals face. The margin is for diagonals of length 1.73.
static bool faced_diagonal(const rbl_surface_diagonals *diagonals, rbl_vec3 *direction)
{
	static const rbl_vec3 axes[4] = {
		{ 1.0f, 1.0f, 1.0f }, { 1.0f, 1.0f, -1.0f }, { 1.0f, -1.0f, 1.0f }, { -1.0f, 1.0f, 1.0f }
	};
	float best = 2.0f * normal_margin;
	bool is_found = false;
	for (int k = 0; k < 4; ++k) {
		float side = diagonals->lower[k] > 0.0f ? 1.0f : -1.0f;
		float smallest = side > 0.0f ? diagonals->lower[k] : -diagonals->upper[k];
		if (!(smallest > best))
			continue;
		best = smallest;
		*direction = rbl_scale(side, axes[k]);
		is_found = true;
	}
	return is_found;
}

// A direction that all normals in the box face. @return false when there may be none
static bool faced_direction(rbl_box normals, rbl_vec3 *direction)
{
	rbl_vec3 v = rbl_scale(0.5f, rbl_add(normals.lower, normals.upper));
	float smallest = rbl_minf(v.x * normals.lower.x, v.x * normals.upper.x) +
	                 rbl_minf(v.y * normals.lower.y, v.y * normals.upper.y) +
	                 rbl_minf(v.z * normals.lower.z, v.z * normals.upper.z);
	*direction = v;
	return smallest > normal_margin;
}

static rbl_box box_of(const rbl_surface *surface, uint32_t reference)
{
	if (rbl_tree_is_leaf(reference))
		return surface->cluster_boxes[rbl_tree_leaf_id(reference)];
	const rbl_tree_node *node = &surface->pool.nodes[reference];
	return rbl_box_join(node->boxes[0], node->boxes[1]);
}

// A direction that all normals below a node face.
static bool facing_direction(const rbl_surface *surface, uint32_t reference, rbl_vec3 *direction)
{
	bool is_leaf = rbl_tree_is_leaf(reference);
	uint32_t leaf = rbl_tree_leaf_id(reference);
	const rbl_surface_normals *normals =
		is_leaf ? &surface->cluster_normals[leaf] : &surface->node_normals[reference];
	if (faced_direction(rbl_surface_normals_box(normals), direction))
		return true;
	rbl_surface_diagonals diagonals = rbl_surface_normals_diagonals(normals);
	return faced_diagonal(&diagonals, direction);
}

static bool passes(const rbl_surface *surface, rbl_surface_worker *worker, uint32_t reference)
{
	rbl_surface_culling culling = surface->def.culling;
	rbl_vec3 direction;
	if (culling == RBL_CULL_EXACT ? !facing_direction(surface, reference, &direction)
	                              : !rbl_surface_cone_passes(surface, reference, &direction))
		return false;
	worker->counts.normal_passes++;
	if (culling == RBL_CULL_CONE || culling == RBL_CULL_NORMAL_CONE)
		return true;
	if (worker->gap > 0.0f)
		return rbl_surface_contour_is_robust(surface, worker, reference, box_of(surface, reference),
		                                     direction, (double)rbl_surface_margin_of(worker->gap),
		                                     surface->motion == RBL_SURFACE_CONTINUOUS);
	return rbl_surface_contour_is_simple(surface, worker, reference, box_of(surface, reference),
	                                     direction, culling == RBL_CULL_REAL_CONTOUR);
}

static int count_triangles(const rbl_surface *surface, uint32_t reference)
{
	int count = 0, top = 0;
	uint32_t stack[RBL_TREE_MAX_HEIGHT + 2];
	stack[top++] = reference;
	while (top > 0) {
		uint32_t at = stack[--top];
		if (rbl_tree_is_leaf(at)) {
			count += surface->cluster_data[rbl_tree_leaf_id(at)].count;
			continue;
		}
		stack[top++] = surface->pool.nodes[at].children[1];
		stack[top++] = surface->pool.nodes[at].children[0];
	}
	return count;
}

bool rbl_surface_is_culled(const rbl_surface *surface, rbl_surface_worker *worker,
                           uint32_t reference)
{
	// Other grades know no distance to keep.
	if (surface->def.culling == RBL_CULL_NONE || !worker->may_cull ||
	    (surface->def.culling != RBL_CULL_EXACT && worker->gap > 0.0f))
		return false;
	bool is_leaf = rbl_tree_is_leaf(reference);
	if (is_leaf && surface->cluster_data[rbl_tree_leaf_id(reference)].count < CULL_MIN_TRIANGLES)
		return false;
	int failures = is_leaf ? 0 : surface->cull_results[reference] / RBL_SURFACE_NODE_FAILURE;
	if (failures >= FAILURES && (surface->query_number + reference) % RETRY != 0)
		return false;
	int64_t contours = worker->counts.contour_tests;
	bool is_culled = passes(surface, worker, reference);
	if (is_culled) {
		worker->counts.culled_nodes++;
		worker->counts.culled_triangles += count_triangles(surface, reference);
	}
	// Each node is tested by one worker. What a search comes by depends on their order, and trees,
	// which follow from this, must not.
	if (!is_leaf && !surface->bound) {
		bool has_failed = !is_culled && worker->counts.contour_tests > contours;
		failures = !has_failed ? 0 : failures < FAILURES ? failures + 1 : FAILURES;
		surface->cull_results[reference] = (unsigned char)(is_culled * RBL_SURFACE_NODE_CULLED +
		                                                   failures * RBL_SURFACE_NODE_FAILURE);
	}
	return is_culled;
}

bool rbl_surface_is_robust(const rbl_surface *surface, rbl_surface_worker *worker,
                           uint32_t reference, double margin)
{
	rbl_vec3 direction;
	if (rbl_tree_is_leaf(reference)) {
		uint32_t leaf = rbl_tree_leaf_id(reference);
		const rbl_surface_cluster *cluster = &surface->cluster_data[leaf];
		return cluster->count >= MIN_WIDE && facing_direction(surface, reference, &direction) &&
		       RBL_PICK(rbl_surface_cluster_is_robust)(
				   cluster, rbl_surface_cluster_boundary(surface, (int)leaf), surface->positions[1],
				   surface->triangles, rbl_normalize(direction), (float)margin);
	}
	return surface->pool.counts[reference] >= MIN_CLUSTERS &&
	       surface->cull_results[reference] / RBL_SURFACE_NODE_FAILURE < FAILURES &&
	       facing_direction(surface, reference, &direction) &&
	       rbl_surface_contour_is_robust(surface, worker, reference, box_of(surface, reference),
	                                     direction, margin, false);
}
