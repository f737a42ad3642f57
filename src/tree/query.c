// SPDX-License-Identifier: MIT
//
// Queries that are not plain overlap: a moved tree, rays, the nearest leaf.

#include "tree/tree_kernels.h"

bool rbl_tree_query_box(const rbl_tree *tree, rbl_box box, rbl_tree_visitor *visitor, void *context)
{
	return RBL_PICK(rbl_tree_box_query)(tree, &box, visitor, context);
}

bool rbl_tree_query_self(const rbl_tree *tree, rbl_tree_pair_visitor *visitor, void *context)
{
	return RBL_PICK(rbl_tree_self_query)(tree, visitor, context);
}

bool rbl_tree_query_pair(const rbl_tree *a, const rbl_tree *b, rbl_tree_pair_visitor *visitor,
                         void *context)
{
	return RBL_PICK(rbl_tree_pair_query)(a, b, visitor, context);
}

// --- a moved tree -------------------------------------------------------------------------------

// The rotation as a matrix, and the absolute values that rotate half sizes. A margin covers the
// rounding of centre, half size and sums: a few units in the last place of the largest term.
typedef struct box_motion {
	rbl_mat3 rotation;
	rbl_vec3 position;
} box_motion;

static box_motion make_motion(rbl_transform transform)
{
	return (box_motion){ rbl_quat_to_mat(transform.rotation), transform.position };
}

static float moved_axis(rbl_vec3 row, float offset, rbl_vec3 centre, rbl_vec3 half, float *extent)
{
	float x = row.x * centre.x, y = row.y * centre.y, z = row.z * centre.z;
	float radius = fabsf(row.x) * half.x + fabsf(row.y) * half.y + fabsf(row.z) * half.z;
	float size = fabsf(x) + fabsf(y) + fabsf(z) + fabsf(offset) + radius;
	*extent = radius + 16.0f * FLT_EPSILON * size + FLT_MIN;
	return x + y + z + offset;
}

static rbl_box move_box(const box_motion *motion, rbl_box box)
{
	rbl_vec3 half = rbl_scale(0.5f, rbl_box_size(box));
	rbl_vec3 centre = rbl_add(box.lower, half);
	rbl_mat3 rows = rbl_mat_transpose(motion->rotation);
	rbl_vec3 extent, middle;
	middle.x = moved_axis(rows.x, motion->position.x, centre, half, &extent.x);
	middle.y = moved_axis(rows.y, motion->position.y, centre, half, &extent.y);
	middle.z = moved_axis(rows.z, motion->position.z, centre, half, &extent.z);
	return (rbl_box){ rbl_sub(middle, extent), rbl_add(middle, extent) };
}

rbl_box rbl_tree_moved_box(rbl_transform transform, rbl_box box)
{
	box_motion motion = make_motion(transform);
	return move_box(&motion, box);
}

typedef struct moved_query {
	const rbl_tree_node *nodes_a, *nodes_b;
	box_motion motion;
	rbl_tree_pair_visitor *visitor;
	void *context;
	int count;
	rbl_tree_pair found[RBL_TREE_BATCH];
} moved_query;

// Two references, the box of a, and the moved box of b.
typedef struct moved_pair {
	uint32_t a, b;
	rbl_box box_a, box_b;
} moved_pair;

static bool report(moved_query *query, uint32_t a, uint32_t b)
{
	if (query->count == RBL_TREE_BATCH) {
		if (!query->visitor(query->context, query->found, query->count))
			return false;
		query->count = 0;
	}
	query->found[query->count++] = (rbl_tree_pair){ rbl_tree_leaf_id(a), rbl_tree_leaf_id(b) };
	return true;
}

bool rbl_tree_query_pair_moved(const rbl_tree *a, const rbl_tree *b, rbl_transform b_to_a,
                               rbl_tree_pair_visitor *visitor, void *context)
{
	if (a->root == RBL_TREE_NONE || b->root == RBL_TREE_NONE)
		return true;
	moved_query query = { .nodes_a = a->pool->nodes,
		                  .nodes_b = b->pool->nodes,
		                  .motion = make_motion(b_to_a),
		                  .visitor = visitor,
		                  .context = context };
	// Every step goes down one level of one tree and leaves at most one pair waiting.
	moved_pair stack[2 * RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	stack[top++] = (moved_pair){ a->root, b->root, a->bounds, move_box(&query.motion, b->bounds) };
	if (!rbl_box_overlaps(stack[0].box_a, stack[0].box_b))
		return true;
	while (top > 0) {
		moved_pair pair = stack[--top];
		if (rbl_tree_is_leaf(pair.a) && rbl_tree_is_leaf(pair.b)) {
			if (!report(&query, pair.a, pair.b))
				return false;
			continue;
		}
		bool down_a = rbl_tree_is_leaf(pair.b) ||
		              (!rbl_tree_is_leaf(pair.a) &&
		               rbl_box_half_area(pair.box_a) >= rbl_box_half_area(pair.box_b));
		const rbl_tree_node *node = down_a ? &query.nodes_a[pair.a] : &query.nodes_b[pair.b];
		for (int side = 1; side >= 0; --side) {
			moved_pair next = pair;
			if (down_a) {
				next.a = node->children[side];
				next.box_a = node->boxes[side];
			} else {
				next.b = node->children[side];
				next.box_b = move_box(&query.motion, node->boxes[side]);
			}
			if (rbl_box_overlaps(next.box_a, next.box_b))
				stack[top++] = next;
		}
	}
	return query.count == 0 || visitor(context, query.found, query.count);
}

// --- rays and moving boxes ----------------------------------------------------------------------

// A ray is the motion of a box without size.
typedef struct motion {
	rbl_box box;
	rbl_vec3 translation, inverse;
} motion;

static motion motion_of(rbl_box box, rbl_vec3 translation)
{
	return (motion){ box,
		             translation,
		             { 1.0f / translation.x, 1.0f / translation.y, 1.0f / translation.z } };
}

// When the box first touches the target, up to `end` of its translation, or FLT_MAX. A translation
// of zero is decided by the position; times are widened by their roundings, so that nothing is
// missed that is met exactly.
static float first_touch(const motion *m, rbl_box target, float end)
{
	float enter = 0.0f, leave = end;
	const float *translation = (const float *)&m->translation;
	const float *inverse = (const float *)&m->inverse;
	const float *lower = (const float *)&m->box, *upper = lower + 3;
	const float *target_lower = (const float *)&target, *target_upper = target_lower + 3;
	for (int axis = 0; axis < 3; ++axis) {
		if (translation[axis] == 0.0f) {
			if (upper[axis] < target_lower[axis] || lower[axis] > target_upper[axis])
				return FLT_MAX;
			continue;
		}
		float a = (target_lower[axis] - upper[axis]) * inverse[axis];
		float b = (target_upper[axis] - lower[axis]) * inverse[axis];
		float near = a < b ? a : b, far = a < b ? b : a;
		near -= fabsf(near) * (4.0f * FLT_EPSILON);
		far += fabsf(far) * (4.0f * FLT_EPSILON);
		enter = near > enter ? near : enter;
		leave = far < leave ? far : leave;
	}
	return enter <= leave ? enter : FLT_MAX;
}

float rbl_tree_touch_time(rbl_box moving, rbl_vec3 translation, rbl_box target)
{
	motion m = motion_of(moving, translation);
	float touch = first_touch(&m, target, 1.0f);
	return touch == FLT_MAX ? 2.0f : touch;
}

void rbl_tree_query_cast(const rbl_tree *tree, rbl_box moving, rbl_vec3 translation, float end,
                         rbl_tree_ray_visitor *visitor, void *context)
{
	if (tree->root == RBL_TREE_NONE)
		return;
	motion m = motion_of(moving, translation);
	struct {
		uint32_t reference;
		float touch;
	} stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	stack[top].reference = tree->root;
	stack[top++].touch = first_touch(&m, tree->bounds, end);
	while (top > 0) {
		uint32_t reference = stack[--top].reference;
		if (stack[top].touch > end)
			continue;
		if (rbl_tree_is_leaf(reference)) {
			end = visitor(context, rbl_tree_leaf_id(reference), end);
			if (end < 0.0f)
				return;
			continue;
		}
		const rbl_tree_node *node = &tree->pool->nodes[reference];
		float touches[2] = { first_touch(&m, node->boxes[0], end),
			                 first_touch(&m, node->boxes[1], end) };
		int nearer = touches[1] < touches[0];
		for (int i = 1; i >= 0; --i) { // the nearer one ends up on top
			int side = i ? !nearer : nearer;
			if (touches[side] == FLT_MAX)
				continue;
			stack[top].reference = node->children[side];
			stack[top++].touch = touches[side];
		}
	}
}

void rbl_tree_query_ray(const rbl_tree *tree, rbl_vec3 from, rbl_vec3 translation, float end,
                        rbl_tree_ray_visitor *visitor, void *context)
{
	rbl_tree_query_cast(tree, (rbl_box){ from, from }, translation, end, visitor, context);
}

// --- nearest ------------------------------------------------------------------------------------

static float box_distance_squared(rbl_box box, rbl_vec3 p)
{
	float x = rbl_maxf(0.0f, rbl_maxf(box.lower.x - p.x, p.x - box.upper.x));
	float y = rbl_maxf(0.0f, rbl_maxf(box.lower.y - p.y, p.y - box.upper.y));
	float z = rbl_maxf(0.0f, rbl_maxf(box.lower.z - p.z, p.z - box.upper.z));
	return x * x + y * y + z * z;
}

uint32_t rbl_tree_query_nearest(const rbl_tree *tree, rbl_vec3 point, float *best,
                                rbl_tree_distance_function *distance, void *context)
{
	uint32_t nearest = RBL_TREE_NONE;
	if (tree->root == RBL_TREE_NONE)
		return nearest;
	struct {
		uint32_t reference;
		float distance;
	} stack[RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	stack[top].reference = tree->root;
	stack[top++].distance = box_distance_squared(tree->bounds, point);
	while (top > 0) {
		uint32_t reference = stack[--top].reference;
		float to_box = stack[top].distance;
		// A content's distance is rounded apart from its box's: a little more is looked at.
		if (to_box > *best * (1.0f + 8.0f * FLT_EPSILON))
			continue;
		if (rbl_tree_is_leaf(reference)) {
			uint32_t leaf = rbl_tree_leaf_id(reference);
			float d = distance ? distance(context, leaf, point, *best) : to_box;
			if (d < *best || (d == *best && leaf < nearest)) {
				*best = d;
				nearest = leaf;
			}
			continue;
		}
		const rbl_tree_node *node = &tree->pool->nodes[reference];
		float distances[2] = { box_distance_squared(node->boxes[0], point),
			                   box_distance_squared(node->boxes[1], point) };
		int nearer = distances[1] < distances[0];
		for (int i = 1; i >= 0; --i) {
			int side = i ? !nearer : nearer;
			stack[top].reference = node->children[side];
			stack[top++].distance = distances[side];
		}
	}
	return nearest;
}
