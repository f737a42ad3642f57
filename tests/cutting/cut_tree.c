// SPDX-License-Identifier: MIT
// A tree that follows a crack holds the triangles of the mesh, balanced, at the price of the cut.

#include "cutting/cutting.h"

#include <rubble/mesh.h>
#include <rubble/shapes.h>

#include "faulty_allocator.h"
#include "test.h"

typedef struct cut_scene {
	rbl_cutter *cutter;
	rbl_tree_pool pool;
	rbl_tree tree;
} cut_scene;

static rbl_tree build_tree(const rbl_cutter_mesh *view, rbl_tree_pool *pool)
{
	rbl_box *boxes = malloc((size_t)view->triangle_count * sizeof *boxes);
	for (int i = 0; i < view->triangle_count; ++i)
		boxes[i] = rbl_cut_triangle_box(view, i);
	rbl_tree tree = rbl_tree_make(pool);
	if (rbl_tree_build(&tree, &(rbl_tree_build_input){ .builder = RBL_TREE_BUILD_MEDIAN,
	                                                   .count = view->triangle_count,
	                                                   .boxes = boxes }) != RBL_OK)
		abort();
	free(boxes);
	return tree;
}

static void make_scene(cut_scene *s, int subdivisions, unsigned arrays)
{
	rbl_icosphere_def sphere = rbl_default_icosphere_def();
	sphere.subdivisions = subdivisions;
	rbl_mesh *mesh;
	if (rbl_create_icosphere_mesh(&sphere, &mesh) != RBL_OK)
		abort();
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	rbl_cutter_def def = rbl_default_cutter_def();
	def.vertex_count = data.vertex_count;
	def.positions = data.positions;
	def.triangle_count = data.face_count;
	def.triangles = data.corner_vertices;
	if (rbl_create_cutter(&def, &s->cutter) != RBL_OK)
		abort();
	rbl_destroy_mesh(mesh);
	rbl_cutter_mesh view = rbl_cutter_get_mesh(s->cutter);
	rbl_tree_pool_init(&s->pool, NULL, arrays);
	s->tree = build_tree(&view, &s->pool);
	const rbl_vec3d front[2] = { { -1.0, -1.0, 0.03 }, { 1.0, -1.0, 0.03 } };
	const rbl_vec3d path[2] = { { 0.0, 0.0, 0.0 }, { 0.0, 2.0, 0.1 } };
	if (rbl_cutter_begin(s->cutter, &(rbl_crack){ front, 2, path, 2 }) != RBL_OK)
		abort();
}

static void drop_scene(cut_scene *s)
{
	rbl_tree_pool_destroy(&s->pool);
	rbl_destroy_cutter(s->cutter);
}

static bool tree_holds_the_mesh(const cut_scene *s)
{
	rbl_cutter_mesh view = rbl_cutter_get_mesh(s->cutter);
	if (s->tree.leaf_count != view.triangle_count || rbl_tree_check(&s->tree) ||
	    !s->tree.is_balanced)
		return false;
	for (int i = 0; i < view.triangle_count; ++i) {
		rbl_box box = rbl_tree_leaf_box(&s->tree, (uint32_t)i);
		rbl_box expected = rbl_cut_triangle_box(&view, i);
		if (memcmp(&box, &expected, sizeof box) != 0)
			return false;
	}
	return true;
}

static void a_tree_follows_a_crack(test *t)
{
	for (int soup = 0; soup < 2; ++soup) {
		cut_scene s;
		make_scene(&s, 4, RBL_TREE_COUNTS | RBL_TREE_METRICS);
		rbl_cut_tree work = { 0 };
		rbl_cut_step step;
		for (int i = 1; i <= 20; ++i) {
			CHECK(t, rbl_cutter_advance(s.cutter, i / 20.0, &step) == RBL_OK);
			rbl_cutter_mesh view = rbl_cutter_get_mesh(s.cutter);
			CHECK(t, (soup ? rbl_cut_tree_step_soup(&s.tree, &view, &step)
			               : rbl_cut_tree_step(&work, &s.tree, &view, &step)) == RBL_OK);
			CHECK(t, tree_holds_the_mesh(&s));
		}
		CHECK(t, step.is_through);
		// The halves go apart: a tree for each, out of the one.
		rbl_cutter_mesh view = rbl_cutter_get_mesh(s.cutter);
		int *labels = malloc(100000 * sizeof *labels), parts;
		CHECK(t, rbl_cutter_get_components(s.cutter, labels, &parts) == RBL_OK && parts == 2);
		rbl_tree pieces[2];
		rbl_tree_fracture_input halves = { .method = RBL_TREE_BY_EXTRACT,
			                               .piece_count = 2,
			                               .labels = labels };
		CHECK(t, rbl_tree_break(&s.tree, &halves, pieces, NULL) == RBL_OK);
		CHECK(t, pieces[0].leaf_count + pieces[1].leaf_count == view.triangle_count);
		CHECK(t, !rbl_tree_check(&pieces[0]) && !rbl_tree_check(&pieces[1]));
		CHECK(t, pieces[0].is_balanced && pieces[1].is_balanced);
		free(labels);
		rbl_cut_tree_free(&work, &s.pool.allocator);
		drop_scene(&s);
	}
}

static bool count_twins(void *context, const rbl_tree_pair *pairs, int count)
{
	cut_scene *s = ((void **)context)[0];
	int *twins = ((void **)context)[1];
	rbl_cutter_mesh view = rbl_cutter_get_mesh(s->cutter);
	for (int i = 0; i < count; ++i)
		*twins += rbl_cut_are_twins(&view, pairs[i].a, pairs[i].b);
	return true;
}

static void twin_faces_are_known_by_their_number(test *t)
{
	cut_scene s;
	make_scene(&s, 3, 0);
	rbl_cut_tree work = { 0 };
	rbl_cut_step step;
	CHECK(t, rbl_cutter_advance(s.cutter, 1.0, &step) == RBL_OK);
	rbl_cutter_mesh view = rbl_cutter_get_mesh(s.cutter);
	CHECK(t, rbl_cut_tree_step(&work, &s.tree, &view, &step) == RBL_OK);
	int twins = 0;
	void *context[2] = { &s, &twins };
	rbl_tree_query_self(&s.tree, count_twins, context);
	CHECK(t, twins == step.face_count / 2 && twins > 0);
	rbl_cut_tree_free(&work, &s.pool.allocator);
	drop_scene(&s);
}

static void a_step_without_memory_leaves_the_tree(test *t)
{
	for (int n = 0;; ++n) {
		cut_scene s;
		make_scene(&s, 2, 0);
		faulty_allocator memory;
		faulty_init(&memory, 1000);
		rbl_tree_pool pool;
		rbl_tree_pool_init(&pool, &FAULTY(&memory), 0);
		rbl_cutter_mesh view = rbl_cutter_get_mesh(s.cutter);
		rbl_tree tree = build_tree(&view, &pool);
		rbl_cut_tree work = { 0 };
		rbl_cut_step step;
		CHECK(t, rbl_cutter_advance(s.cutter, 0.5, &step) == RBL_OK);
		view = rbl_cutter_get_mesh(s.cutter);
		int before = tree.leaf_count;
		atomic_store(&memory.allowed, n);
		rbl_result result = rbl_cut_tree_step(&work, &tree, &view, &step);
		CHECK(t, memory.failed == (result != RBL_OK));
		CHECK(t, tree.leaf_count == (result == RBL_OK ? view.triangle_count : before));
		CHECK(t, !rbl_tree_check(&tree));
		rbl_cut_tree_free(&work, &pool.allocator);
		rbl_tree_pool_destroy(&pool);
		CHECK(t, memory.live_bytes == 0);
		drop_scene(&s);
		if (result == RBL_OK)
			break;
	}
}

TEST_MAIN(TEST(a_tree_follows_a_crack), TEST(twin_faces_are_known_by_their_number),
          TEST(a_step_without_memory_leaves_the_tree))
