// SPDX-License-Identifier: MIT
//
// The distance of two colliders, by branch and bound: the children of one, each down the tree of the
// other, nearer boxes first, leaving out what is farther than the best so far.

#include "base/log.h"
#include "collide/collider.h"
#include "collide/distance.h"

typedef struct nearest_query {
	const rbl_collider *a, *b;
	rbl_transform pose_a, pose_b;
	bool walk_a; // children of A down the tree of B
	int child;   // of the walked collider
	rbl_separation best;
} nearest_query;

static float box_distance(rbl_box a, rbl_box b)
{
	rbl_vec3 gap = rbl_max(rbl_sub(a.lower, b.upper), rbl_sub(b.lower, a.upper));
	return rbl_length(rbl_max(gap, (rbl_vec3){ 0.0f, 0.0f, 0.0f }));
}

static bool measure_child(void *context, int child)
{
	nearest_query *q = context;
	int child_a = q->walk_a ? q->child : child, child_b = q->walk_a ? child : q->child;
	rbl_small_polyhedron scratch_a, scratch_b;
	rbl_child_form a, b;
	if (!rbl_collider_child_at(q->a, child_a, &scratch_a, &a) ||
	    !rbl_collider_child_at(q->b, child_b, &scratch_b, &b))
		return true;
	rbl_pair_pose pair = rbl_pair_pose_make(a.form, rbl_transform_mul(q->pose_a, a.pose), b.form,
	                                        rbl_transform_mul(q->pose_b, b.pose));
	rbl_separation gap = rbl_pair_gap(&pair, rbl_maxf(q->best.distance, 0.0f));
	if (gap.distance < q->best.distance) {
		q->best = gap;
		q->best.child_a = child_a, q->best.child_b = child_b;
	}
	return true;
}

typedef struct waiting {
	uint32_t reference;
	float distance;
} waiting;

static void descend(nearest_query *q, const rbl_collider *other, rbl_box box)
{
	const rbl_tree *tree = &other->parts->tree;
	waiting stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	stack[top++] = (waiting){ tree->root, box_distance(tree->bounds, box) };
	while (top > 0) {
		waiting w = stack[--top];
		if (w.distance > rbl_maxf(q->best.distance, 0.0f))
			continue;
		if (rbl_tree_is_leaf(w.reference)) {
			rbl_collider_leaf(other, rbl_tree_leaf_id(w.reference), measure_child, q);
			continue;
		}
		const rbl_tree_node *node = &tree->pool->nodes[w.reference];
		waiting sides[2] = { { node->children[0], box_distance(node->boxes[0], box) },
			                 { node->children[1], box_distance(node->boxes[1], box) } };
		int near = sides[1].distance < sides[0].distance;
		stack[top++] = sides[!near];
		stack[top++] = sides[near];
	}
}

rbl_result rbl_collider_distance(const rbl_collider *a, rbl_transform pose_a, const rbl_collider *b,
                                 rbl_transform pose_b, float most, rbl_separation *gap)
{
	if (!a || !b || !gap)
		return rbl_fail(RBL_BAD_ARGUMENT, "a collider or gap is NULL");
	if (!rbl_pose_is_valid(pose_a) || !rbl_pose_is_valid(pose_b))
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "a pose is not finite, or its rotation not of unit length");
	if (!(most > 0.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "most is %g, must be > 0", (double)most);
	if (rbl_collider_is_surface(a) && rbl_collider_is_surface(b))
		return rbl_fail(RBL_UNSUPPORTED, "two surfaces have no distance");
	nearest_query q = { .a = a, .b = b, .pose_a = pose_a, .pose_b = pose_b };
	q.best.distance = most;
	q.walk_a = a->form || rbl_collider_is_surface(b) ||
	           (!b->form && !rbl_collider_is_surface(a) && a->child_count <= b->child_count);
	const rbl_collider *walked = q.walk_a ? a : b, *other = q.walk_a ? b : a;
	rbl_transform to_other =
		q.walk_a ? rbl_transform_relative(pose_b, pose_a) : rbl_transform_relative(pose_a, pose_b);
	for (q.child = 0; q.child < walked->child_count; ++q.child) {
		rbl_small_polyhedron scratch;
		rbl_child_form part;
		if (other->form)
			measure_child(&q, 0);
		else if (rbl_collider_child_at(walked, q.child, &scratch, &part))
			descend(&q, other, rbl_form_bounds(part.form, rbl_transform_mul(to_other, part.pose)));
	}
	*gap = q.best;
	return RBL_OK;
}
