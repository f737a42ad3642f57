// SPDX-License-Identifier: MIT
//
// The distance of two colliders, by branch and bound: the children of one, each down the tree of
// the other, nearer boxes first, skipping what is farther than the best so far.

#include "base/log.h"
#include "collide/collider.h"

typedef struct distance_query {
	const rbl_collider *a, *b;
	rbl_transform pose_a, pose_b;
	bool visits_a; // rbl_collider_visits_a()
	int child;     // of the visited collider
	rbl_box box;   // of that child, in the frame of the other
	rbl_separation best;
} distance_query;

static float box_distance(rbl_box a, rbl_box b)
{
	rbl_vec3 gap = rbl_max(rbl_sub(a.lower, b.upper), rbl_sub(b.lower, a.upper));
	return rbl_length(rbl_max(gap, (rbl_vec3){ 0.0f, 0.0f, 0.0f }));
}

static bool measure_child(void *context, int child)
{
	distance_query *q = context;
	int child_a = q->visits_a ? q->child : child, child_b = q->visits_a ? child : q->child;
	rbl_small_polyhedron scratch_a, scratch_b;
	rbl_child_polyhedron a, b;
	const rbl_collider *plane = q->visits_a ? q->b : q->a; // it is never the visited one
	if (plane->kind != RBL_COLLIDER_PLANE) {
		if (!rbl_collider_child_at(q->a, child_a, &scratch_a, &a) ||
		    !rbl_collider_child_at(q->b, child_b, &scratch_b, &b))
			return true;
	} else if (q->visits_a) {
		rbl_collider_child_at(q->a, child_a, &scratch_a, &a);
		rbl_collider_plane_near(plane, q->box, &scratch_b, &b);
	} else {
		rbl_collider_child_at(q->b, child_b, &scratch_b, &b);
		rbl_collider_plane_near(plane, q->box, &scratch_a, &a);
	}
	rbl_polyhedron_pair pair =
		rbl_polyhedron_pair_make(a.polyhedron, rbl_transform_mul(q->pose_a, a.pose), b.polyhedron,
	                             rbl_transform_mul(q->pose_b, b.pose));
	rbl_separation gap = rbl_polyhedron_pair_distance(&pair, rbl_maxf(q->best.distance, 0.0f));
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

static void descend(distance_query *q, const rbl_collider *other)
{
	rbl_box box = q->box;
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
                                 rbl_transform pose_b, float max_distance, rbl_separation *gap)
{
	if (!gap)
		return rbl_fail(RBL_BAD_ARGUMENT, "gap is NULL");
	if (!(max_distance > 0.0f))
		return rbl_fail(RBL_BAD_ARGUMENT, "max_distance is %g, must be > 0", (double)max_distance);
	rbl_result result = rbl_collider_check_pair(a, pose_a, b, pose_b);
	if (result != RBL_OK)
		return result;
	distance_query q = { .a = a,
		                 .b = b,
		                 .pose_a = pose_a,
		                 .pose_b = pose_b,
		                 .visits_a = rbl_collider_visits_a(a, b),
		                 .best.distance = max_distance };
	const rbl_collider *visited = q.visits_a ? a : b, *other = q.visits_a ? b : a;
	rbl_transform to_other = q.visits_a ? rbl_transform_relative(pose_b, pose_a)
	                                    : rbl_transform_relative(pose_a, pose_b);
	for (q.child = 0; q.child < visited->child_count; ++q.child) {
		rbl_small_polyhedron scratch;
		rbl_child_polyhedron part;
		if (other->polyhedron)
			measure_child(&q, 0);
		else if (rbl_collider_child_at(visited, q.child, &scratch, &part)) {
			q.box = rbl_polyhedron_bounds(part.polyhedron, rbl_transform_mul(to_other, part.pose));
			if (other->kind == RBL_COLLIDER_PLANE)
				measure_child(&q, 0);
			else
				descend(&q, other);
		}
	}
	*gap = q.best;
	return RBL_OK;
}
