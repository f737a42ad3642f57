// SPDX-License-Identifier: MIT
//
// Progressive fracture of Otaduy et al. 2007, section 4.1, on a tree that is never refitted as a
// whole: a cut triangle's remaining part replaces it in its leaf, and all other new triangles are
// inserted beside a neighbour, in the order of a breadth-first flood, so that neighbours on the
// surface are neighbours in the tree. The paper floods from unbroken neighbours; replaced
// triangles are in the tree as well and lie nearer, so the flood starts from them.

#include "cutting/cutting.h"

void rbl_cut_tree_free(rbl_cut_tree *work, const rbl_allocator *allocator)
{
	rbl_array_free(allocator, &work->waits);
	rbl_array_free(allocator, &work->queue);
}

rbl_box rbl_cut_triangle_box(const rbl_cutter_mesh *mesh, int triangle)
{
	const int *t = mesh->triangles + 3 * (size_t)triangle;
	rbl_vec3d a = mesh->positions[t[0]], b = mesh->positions[t[1]], c = mesh->positions[t[2]];
	return rbl_box_around_d(
		(rbl_boxd){ rbl_min_d(a, rbl_min_d(b, c)), rbl_max_d(a, rbl_max_d(b, c)) });
}

static rbl_result reserve_tree(rbl_tree *tree, const rbl_cutter_mesh *mesh,
                               const rbl_cut_step *step)
{
	// Half as much again when it must grow: later steps then find room.
	int nodes = tree->pool->node_end + step->part_count + step->face_count;
	int leaves = mesh->triangle_count;
	if (nodes > tree->pool->node_capacity)
		nodes += nodes / 2;
	if (leaves > tree->pool->leaf_capacity)
		leaves += leaves / 2;
	return rbl_tree_pool_reserve(tree->pool, nodes, leaves);
}

rbl_result rbl_cut_tree_reserve(rbl_cut_tree *work, rbl_tree *tree, const rbl_cutter_mesh *mesh,
                                const rbl_cut_step *step)
{
	const rbl_allocator *allocator = &tree->pool->allocator;
	int before = work->waits.count;
	if (!rbl_array_reserve(allocator, &work->queue,
	                       step->changed_count + step->part_count + step->face_count) ||
	    !rbl_array_reserve(allocator, &work->waits, mesh->triangle_count))
		return RBL_OUT_OF_MEMORY;
	if (mesh->triangle_count > before) {
		memset(work->waits.data + before, 0, (size_t)(mesh->triangle_count - before));
		work->waits.count = mesh->triangle_count;
	}
	return reserve_tree(tree, mesh, step);
}

void rbl_cut_tree_replace(rbl_tree *tree, const rbl_cutter_mesh *mesh, const rbl_cut_step *step)
{
	for (int i = 0; i < step->changed_count; ++i)
		rbl_tree_move(tree, (uint32_t)step->changed[i],
		              rbl_cut_triangle_box(mesh, step->changed[i]));
}

static void insert_leaf(rbl_tree *tree, const rbl_cutter_mesh *mesh, int triangle, uint32_t near)
{
	rbl_result result =
		rbl_tree_insert(tree, (uint32_t)triangle, rbl_cut_triangle_box(mesh, triangle), near);
	RBL_ASSERT(result == RBL_OK); // reserved
	(void)result;
}

void rbl_cut_tree_insert(rbl_cut_tree *work, rbl_tree *tree, const rbl_cutter_mesh *mesh,
                         const rbl_cut_step *step)
{
	unsigned char *waits = work->waits.data;
	int *queue = work->queue.data, head = 0, tail = 0;
	for (int i = 0; i < step->part_count; ++i)
		waits[step->parts[i]] = 1;
	for (int i = 0; i < step->face_count; ++i)
		waits[step->faces[i]] = 1;
	for (int i = 0; i < step->changed_count; ++i)
		queue[tail++] = step->changed[i];
	while (head < tail) {
		int triangle = queue[head++];
		for (int k = 0; k < 3; ++k) {
			int other = mesh->twins[3 * triangle + k] / 3;
			if (!waits[other])
				continue;
			waits[other] = 0;
			insert_leaf(tree, mesh, other, (uint32_t)triangle);
			queue[tail++] = other;
		}
	}
	// New faces always touch a part of a cut triangle or a face of an earlier step; those that only
	// touch the latter are placed by search.
	for (int i = 0; i < step->face_count; ++i)
		if (waits[step->faces[i]]) {
			waits[step->faces[i]] = 0;
			insert_leaf(tree, mesh, step->faces[i], RBL_TREE_NONE);
		}
}

rbl_result rbl_cut_tree_step(rbl_cut_tree *work, rbl_tree *tree, const rbl_cutter_mesh *mesh,
                             const rbl_cut_step *step)
{
	rbl_result result = rbl_cut_tree_reserve(work, tree, mesh, step);
	if (result != RBL_OK)
		return result;
	rbl_cut_tree_replace(tree, mesh, step);
	rbl_cut_tree_insert(work, tree, mesh, step);
	rbl_tree_update(tree, RBL_TREE_PERMUTE);
	return RBL_OK;
}

rbl_result rbl_cut_tree_step_soup(rbl_tree *tree, const rbl_cutter_mesh *mesh,
                                  const rbl_cut_step *step)
{
	rbl_result result = reserve_tree(tree, mesh, step);
	if (result != RBL_OK)
		return result;
	rbl_cut_tree_replace(tree, mesh, step);
	for (int i = 0; i < step->part_count; ++i)
		insert_leaf(tree, mesh, step->parts[i], RBL_TREE_NONE);
	for (int i = 0; i < step->face_count; ++i)
		insert_leaf(tree, mesh, step->faces[i], RBL_TREE_NONE);
	rbl_tree_update(tree, RBL_TREE_PERMUTE);
	return RBL_OK;
}
