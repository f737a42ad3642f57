// SPDX-License-Identifier: MIT
//
// How well expected box tests agree with counted ones (Heo et al. 2010, section 5.2.1): many median
// trees of each model, every node cut along an axis chosen at random; the inter cost of the root
// against the tests of queries with another model, turned and shifted at random; the self cost
// against those of a self-collision query. The linear correlation of both, and the mean over models.
// The paper's means are 0.71 and 0.48.
//
// Nodes whose normals all face one way are culled, in the count and in the cost alike (the I of Eq.
// 5). `r_self_whole` is the same without any culling.

#include "surface_metrics.h"

#include "models.h"

#include "base/random.h"
#include "base/math.h"
#include "base/sort.h"
#include "base/vec.h"
#include "tree/tree.h"

#include "scenes/bunnies.h"

#include <stdio.h>
#include <stdlib.h>

enum { MODELS = 7, FORM_SIZE = 56, FORMS = 7 };

// Names of models of the shared folder, and forms made here where there is none.
static const char *const files[MODELS] = { "bunny-7k.off", "fertility.off",   NULL,      NULL,
	                                       NULL,           "three-holes.off", "spot.obj" };

typedef struct model {
	bunny mesh;
	rbl_box *boxes;    // of triangles
	rbl_vec3 *normals; // unit
} model;

// Points of closed and open forms, by two angles.
static rbl_vec3d form_point(int form, double u, double v)
{
	double a = 6.283185307179586 * u, b = 6.283185307179586 * v, r = 1.0;
	double cu = rbl_cos(a), su = rbl_sin(a), cv = rbl_cos(b), sv = rbl_sin(b);
	switch (form) {
	case 0: // ball
		return (rbl_vec3d){ cu * rbl_sin(0.5 * b), rbl_cos(0.5 * b), su * rbl_sin(0.5 * b) };
	case 1: // list of neighbours
		return (rbl_vec3d){ (1.0 + 0.3 * cv) * cu, 0.3 * sv, (1.0 + 0.3 * cv) * su };
	case 2: // gear
		r = 1.0 + (rbl_sin(12.0 * a) > 0.0 ? 0.15 : 0.0);
		return (rbl_vec3d){ r * cu, 0.4 * v, r * su };
	case 3: // club, closed at both ends
		r = 0.05 + 1.6 * v * v * (1.0 - v);
		return (rbl_vec3d){ r * cu, 3.0 * v, r * su };
	case 4: // cloth, in folds that hang over
		return (rbl_vec3d){ 2.0 * u + 0.15 * rbl_sin(6.0 * a), 0.2 * rbl_cos(3.0 * a + sv),
			                2.0 * v };
	case 5: // knot
		r = 1.0 + 0.35 * rbl_cos(3.0 * a);
		return (rbl_vec3d){ r * rbl_cos(2.0 * a) + 0.1 * cv, 0.4 * rbl_sin(3.0 * a) + 0.1 * sv,
			                r * rbl_sin(2.0 * a) };
	default: // blob
		r = 1.0 + 0.3 * rbl_sin(3.0 * a) * rbl_sin(1.5 * b);
		return (rbl_vec3d){ r * cu * rbl_sin(0.5 * b), r * rbl_cos(0.5 * b),
			                r * su * rbl_sin(0.5 * b) };
	}
}

static bool make_form(bunny *mesh, int form)
{
	enum { N = FORM_SIZE };
	mesh->vertex_count = (N + 1) * (N + 1);
	mesh->positions = malloc(((size_t)mesh->vertex_count + 1) * sizeof *mesh->positions);
	mesh->triangles = malloc(6 * N * N * sizeof *mesh->triangles);
	if (!mesh->positions || !mesh->triangles)
		return false;
	for (int i = 0; i < mesh->vertex_count; ++i)
		mesh->positions[i] =
			rbl_to_f(form_point(form, (double)(i % (N + 1)) / N, (double)(i / (N + 1)) / N));
	int *t = mesh->triangles;
	for (int i = 0; i < N * N; ++i) {
		int a = i / N * (N + 1) + i % N, b = a + 1, c = a + N + 1, d = c + 1;
		*t++ = a, *t++ = d, *t++ = b;
		*t++ = a, *t++ = c, *t++ = d;
	}
	mesh->triangle_count = 2 * N * N;
	return true;
}

// A model in the middle of a ball of radius 1.
static bool make_model(model *m, int index)
{
	rbl_mesh *read = files[index] ? bench_read_model(files[index]) : NULL;
	bool is_made =
		files[index] ? read && bunny_from_mesh(&m->mesh, read) : make_form(&m->mesh, index);
	rbl_destroy_mesh(read);
	if (!is_made)
		return false;
	rbl_box bounds = rbl_box_empty();
	for (int i = 0; i < m->mesh.vertex_count; ++i)
		bounds = rbl_box_add_point(bounds, m->mesh.positions[i]);
	float scale = 2.0f / rbl_length(rbl_box_size(bounds));
	for (int i = 0; i < m->mesh.vertex_count; ++i)
		m->mesh.positions[i] =
			rbl_scale(scale, rbl_sub(m->mesh.positions[i], rbl_box_centre(bounds)));
	size_t count = (size_t)m->mesh.triangle_count;
	m->boxes = malloc(count * sizeof *m->boxes);
	m->normals = malloc(count * sizeof *m->normals);
	if (!m->boxes || !m->normals)
		return false;
	rbl_tree_triangle_boxes(m->boxes, m->mesh.positions, m->mesh.triangles, m->mesh.triangle_count,
	                        NULL);
	for (int i = 0; i < m->mesh.triangle_count; ++i) {
		const int *v = m->mesh.triangles + 3 * i;
		const rbl_vec3 *p = m->mesh.positions;
		m->normals[i] =
			rbl_normalize(rbl_cross(rbl_sub(p[v[1]], p[v[0]]), rbl_sub(p[v[2]], p[v[0]])));
	}
	return true;
}

static void free_model(model *m)
{
	bunny_free(&m->mesh);
	free(m->boxes);
	free(m->normals);
}

// --- trees -----------------------------------------------------------------------------------------

// The order of leaves in a tree whose nodes are halved along random axes.
static void random_order(const model *m, rbl_random *random, rbl_sort_item *items,
                         rbl_sort_item *spare)
{
	struct {
		int begin, end;
	} stack[64];
	int top = 0;
	for (int i = 0; i < m->mesh.triangle_count; ++i)
		items[i].value = (uint32_t)i;
	stack[top].begin = 0, stack[top++].end = m->mesh.triangle_count;
	while (top > 0) {
		int begin = stack[--top].begin, end = stack[top].end;
		int axis = (int)rbl_random_below(random, 3), half = begin + (end - begin) / 2;
		for (int i = begin; i < end; ++i)
			items[i].key =
				rbl_sort_key_float(rbl_axis(rbl_box_centre(m->boxes[items[i].value]), axis));
		rbl_sort(items + begin, spare, end - begin);
		if (half - begin > 2)
			stack[top].begin = begin, stack[top++].end = half;
		if (end - half > 2)
			stack[top].begin = half, stack[top++].end = end;
	}
}

// The median builder is given points on a line in that order, so it halves as they are halved; then
// the tree is fitted to the true boxes.
static bool build_random(rbl_tree *tree, const model *m, rbl_random *random)
{
	int count = m->mesh.triangle_count;
	rbl_sort_item *items = malloc(2 * (size_t)count * sizeof *items);
	rbl_box *line = malloc((size_t)count * sizeof *line);
	bool is_good = items && line;
	if (is_good) {
		random_order(m, random, items, items + count);
		for (int i = 0; i < count; ++i) {
			rbl_vec3 p = { (float)i, 0.0f, 0.0f };
			line[items[i].value] = (rbl_box){ p, p };
		}
		is_good = rbl_tree_build(tree, &(rbl_tree_build_input){ .builder = RBL_TREE_BUILD_MEDIAN,
		                                                        .count = count,
		                                                        .boxes = line }) == RBL_OK;
	}
	if (is_good)
		rbl_tree_refit(tree, m->boxes, NULL);
	free(items);
	free(line);
	return is_good;
}

// Flag the nodes that are culled, from below, and let costs follow.
static void cull(rbl_tree *tree, const model *m, rbl_box *normals)
{
	rbl_tree_node *nodes = tree->pool->nodes;
	uint32_t stack[2 * RBL_TREE_MAX_HEIGHT + 2];
	int top = 0;
	stack[top++] = tree->root << 1;
	while (top > 0) {
		uint32_t entry = stack[--top], index = entry >> 1;
		rbl_tree_node *node = &nodes[index];
		if (!(entry & 1)) {
			stack[top++] = entry | 1;
			for (int side = 0; side < 2; ++side)
				if (!rbl_tree_is_leaf(node->children[side]))
					stack[top++] = node->children[side] << 1;
			continue;
		}
		rbl_box all = rbl_box_empty();
		for (int side = 0; side < 2; ++side) {
			uint32_t child = node->children[side];
			all = rbl_tree_is_leaf(child)
			          ? rbl_box_add_point(all, m->normals[rbl_tree_leaf_id(child)])
			          : rbl_box_join(all, normals[child]);
		}
		normals[index] = all;
		rbl_vec3 v = rbl_box_centre(all);
		float least = rbl_minf(v.x * all.lower.x, v.x * all.upper.x) +
		              rbl_minf(v.y * all.lower.y, v.y * all.upper.y) +
		              rbl_minf(v.z * all.lower.z, v.z * all.upper.z);
		node->flags = (uint16_t)(least > 0.0f ? node->flags | RBL_TREE_CULLED
		                                      : node->flags & ~RBL_TREE_CULLED);
	}
	rbl_tree_refit(tree, m->boxes, NULL);
}

// --- counting --------------------------------------------------------------------------------------

typedef struct side_of_pair {
	uint32_t reference;
	rbl_box box;
} side_of_pair;

// Box tests below two nodes whose boxes overlap: both are opened, a leaf stays as it is.
static int64_t count_pair(const rbl_tree_node *a_nodes, side_of_pair a,
                          const rbl_tree_node *b_nodes, side_of_pair b)
{
	struct {
		side_of_pair a, b;
	} stack[6 * RBL_TREE_MAX_HEIGHT];
	int64_t tests = 0;
	int top = 0;
	stack[top].a = a, stack[top++].b = b;
	while (top > 0) {
		a = stack[--top].a, b = stack[top].b;
		bool a_is_leaf = rbl_tree_is_leaf(a.reference), b_is_leaf = rbl_tree_is_leaf(b.reference);
		if (a_is_leaf && b_is_leaf)
			continue;
		for (int i = 0; i < (a_is_leaf ? 1 : 2); ++i)
			for (int k = 0; k < (b_is_leaf ? 1 : 2); ++k) {
				side_of_pair p = a, q = b;
				if (!a_is_leaf)
					p = (side_of_pair){ a_nodes[a.reference].children[i],
						                a_nodes[a.reference].boxes[i] };
				if (!b_is_leaf)
					q = (side_of_pair){ b_nodes[b.reference].children[k],
						                b_nodes[b.reference].boxes[k] };
				tests++;
				if (rbl_box_overlaps(p.box, q.box))
					stack[top].a = p, stack[top++].b = q;
			}
	}
	return tests;
}

static int64_t count_self(const rbl_tree *tree, bool with_culling)
{
	const rbl_tree_node *nodes = tree->pool->nodes;
	uint32_t stack[RBL_TREE_MAX_HEIGHT + 2];
	int64_t tests = 0;
	int top = 0;
	stack[top++] = tree->root;
	while (top > 0) {
		const rbl_tree_node *node = &nodes[stack[--top]];
		if (with_culling && (node->flags & RBL_TREE_CULLED))
			continue;
		tests++;
		if (rbl_box_overlaps(node->boxes[0], node->boxes[1]))
			tests += count_pair(nodes, (side_of_pair){ node->children[0], node->boxes[0] }, nodes,
			                    (side_of_pair){ node->children[1], node->boxes[1] });
		for (int side = 0; side < 2; ++side)
			if (!rbl_tree_is_leaf(node->children[side]))
				stack[top++] = node->children[side];
	}
	return tests;
}

// --- correlation -----------------------------------------------------------------------------------

typedef struct correlation {
	double n, x, y, xx, yy, xy;
} correlation;

static void take(correlation *c, double x, double y)
{
	c->n += 1.0, c->x += x, c->y += y, c->xx += x * x, c->yy += y * y, c->xy += x * y;
}

static double value_of(const correlation *c)
{
	double a = c->n * c->xx - c->x * c->x, b = c->n * c->yy - c->y * c->y;
	return a > 0.0 && b > 0.0 ? (c->n * c->xy - c->x * c->y) / sqrt(a * b) : 0.0;
}

// The other model of queries, turned and shifted.
typedef struct visitor {
	rbl_tree_pool pool;
	rbl_tree tree;
} visitor;

static bool make_visitor(visitor *v, const model *m, rbl_random *places)
{
	bunny affected;
	rbl_quat q = rbl_quat_normalize((rbl_quat){
		(float)rbl_random_range(places, -1.0, 1.0), (float)rbl_random_range(places, -1.0, 1.0),
		(float)rbl_random_range(places, -1.0, 1.0), (float)rbl_random_range(places, -1.0, 1.0) });
	rbl_vec3 shift = rbl_to_f(rbl_random_in_ball(places));
	rbl_tree_pool_init(&v->pool, NULL, 0);
	v->tree = rbl_tree_make(&v->pool);
	if (!bunny_copy(&affected, &m->mesh))
		return false;
	for (int i = 0; i < affected.vertex_count; ++i)
		affected.positions[i] = rbl_add(rbl_rotate(q, affected.positions[i]), shift);
	rbl_box *boxes = malloc((size_t)affected.triangle_count * sizeof *boxes);
	bool is_made = boxes != NULL;
	if (is_made) {
		rbl_tree_triangle_boxes(boxes, affected.positions, affected.triangles,
		                        affected.triangle_count, NULL);
		is_made =
			rbl_tree_build(&v->tree, &(rbl_tree_build_input){ .builder = RBL_TREE_BUILD_MEDIAN,
		                                                      .count = affected.triangle_count,
		                                                      .boxes = boxes }) == RBL_OK;
	}
	free(boxes);
	bunny_free(&affected);
	return is_made;
}

enum { INTER, SELF, SELF_WHOLE, CORRELATIONS };

// Measure one tree.
static bool run_tree(rbl_tree *tree, const model *m, rbl_random *random, visitor *visitors,
                     int queries, correlation *found)
{
	if (!build_random(tree, m, random))
		return false;
	double tests = 0.0;
	for (int k = 0; k < queries; ++k)
		tests += 1.0;
	for (int k = 0; k < queries; ++k)
		if (rbl_box_overlaps(tree->bounds, visitors[k].tree.bounds))
			tests += (double)count_pair(
				tree->pool->nodes, (side_of_pair){ tree->root, tree->bounds },
				visitors[k].pool.nodes,
				(side_of_pair){ visitors[k].tree.root, visitors[k].tree.bounds });
	take(&found[INTER], (double)rbl_tree_inter_cost(tree), tests / queries);
	take(&found[SELF_WHOLE], (double)rbl_tree_self_cost(tree), (double)count_self(tree, false));
	rbl_box *normals = malloc((size_t)tree->pool->node_capacity * sizeof *normals);
	if (!normals)
		return false;
	cull(tree, m, normals);
	take(&found[SELF], (double)rbl_tree_self_cost(tree), (double)count_self(tree, true));
	free(normals);
	return true;
}

static bool run_model(const model *models, int index, int trees, int queries, double *r)
{
	rbl_random random = rbl_random_from_seed((uint64_t)index + 1);
	rbl_random places = rbl_random_from_seed(99);
	rbl_tree_pool pool;
	rbl_tree_pool_init(&pool, NULL, RBL_TREE_COUNTS | RBL_TREE_METRICS);
	rbl_tree tree = rbl_tree_make(&pool);
	correlation found[CORRELATIONS] = { { 0 } };
	visitor *visitors = calloc((size_t)queries, sizeof *visitors);
	int made = 0;
	bool is_good = visitors != NULL;
	for (; is_good && made < queries; ++made)
		is_good = make_visitor(&visitors[made], &models[(index + 3) % MODELS], &places);
	for (int i = 0; is_good && i < trees; ++i)
		is_good = run_tree(&tree, &models[index], &random, visitors, queries, found);
	for (int k = 0; k < CORRELATIONS; ++k)
		r[k] = value_of(&found[k]);
	for (int k = 0; k < made; ++k)
		rbl_tree_pool_destroy(&visitors[k].pool);
	free(visitors);
	rbl_tree_pool_destroy(&pool);
	return is_good;
}

void surface_run_metrics(bench *b)
{
	if (!bench_wants(b, "metrics"))
		return;
	static const char *const names[CORRELATIONS] = { "r_inter", "r_self", "r_self_whole" };
	model models[MODELS] = { { .boxes = NULL } };
	double mean[CORRELATIONS] = { 0.0 };
	bool is_good = true;
	int trees = bench_is_quick(b) ? 30 : 500, queries = bench_is_quick(b) ? 10 : 100;
	for (int i = 0; is_good && i < MODELS; ++i)
		is_good = make_model(&models[i], i);
	bool is_whole = is_good;
	if (!is_whole)
		bench_skip(b, "metrics", "a model is not there");
	for (int i = 0; is_good && i < MODELS; ++i) {
		double r[CORRELATIONS];
		char variant[32];
		is_good = run_model(models, i, trees, queries, r);
		snprintf(variant, sizeof variant, "model-%d", i + 1);
		for (int k = 0; is_good && k < CORRELATIONS; ++k) {
			mean[k] += r[k] / MODELS;
			bench_row(b, "metrics", variant, names[k], r[k], "");
		}
	}
	for (int k = 0; is_good && k < CORRELATIONS; ++k)
		bench_row(b, "metrics", "median-build", names[k], mean[k], "");
	if (is_whole && !is_good)
		bench_fail(b, "metrics", "median-build", "failed");
	for (int i = 0; i < MODELS; ++i)
		free_model(&models[i]);
}
