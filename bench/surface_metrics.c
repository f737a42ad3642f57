// SPDX-License-Identifier: MIT
//
// How well expected box tests agree with counted ones (Heo et al. 2010, section 5.2.1): many median
// trees of each model, the inter cost of the root against the tests of queries with another model at
// random places, the self cost against those of a self-collision query; the linear correlation of
// both, and the mean over models. The paper's means are 0.71 and 0.48.
//
// Random axes are had by stretching: a tree is built over boxes that are stretched along the axes by
// random factors, and then fitted to the true ones.

#include "surface_metrics.h"

#include "base/random.h"
#include "base/real.h"
#include "base/vec.h"
#include "tree/tree.h"

#include <stdlib.h>

enum { MODELS = 7, MOST_BOXES = 1024 };

typedef struct model {
	rbl_box boxes[MOST_BOXES];
	int count;
} model;

// Points of closed and open forms, by two angles: a box round every small quad.
static rbl_vec3d form_point(int form, double u, double v)
{
	double a = 6.283185307179586 * u, b = 6.283185307179586 * v, r = 1.0;
	double cu = rbl_cos(a), su = rbl_sin(a), cv = rbl_cos(b), sv = rbl_sin(b);
	switch (form) {
	case 0: // ball
		return (rbl_vec3d){ cu * rbl_sin(0.5 * b), rbl_cos(0.5 * b), su * rbl_sin(0.5 * b) };
	case 1: // ring
		return (rbl_vec3d){ (1.0 + 0.3 * cv) * cu, 0.3 * sv, (1.0 + 0.3 * cv) * su };
	case 2: // gear
		r = 1.0 + (rbl_sin(12.0 * a) > 0.0 ? 0.15 : 0.0);
		return (rbl_vec3d){ r * cu, 0.4 * v, r * su };
	case 3: // club
		r = 0.1 + 0.4 * v * v * v;
		return (rbl_vec3d){ r * cu, 3.0 * v, r * su };
	case 4: // cloth
		return (rbl_vec3d){ 2.0 * u, 0.2 * rbl_sin(4.0 * a + 2.0 * sv), 2.0 * v };
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

static void make_model(model *m, int form, int size)
{
	m->count = size * size;
	for (int i = 0; i < m->count; ++i) {
		rbl_box box = rbl_box_empty();
		for (int k = 0; k < 4; ++k)
			box =
				rbl_box_add_point(box, rbl_to_f(form_point(form, (double)(i % size + k % 2) / size,
			                                               (double)(i / size + k / 2) / size)));
		m->boxes[i] = box;
	}
}

// Box tests of two sub-trees whose boxes overlap, the second moved by `shift`.
static int64_t count_pair(const rbl_tree_node *a_nodes, uint32_t a, const rbl_tree_node *b_nodes,
                          uint32_t b, rbl_vec3 shift)
{
	struct {
		uint32_t a, b;
	} stack[6 * RBL_TREE_MAX_HEIGHT];
	int64_t tests = 0;
	int top = 0;
	stack[top].a = a, stack[top++].b = b;
	while (top > 0) {
		a = stack[--top].a, b = stack[top].b;
		// A leaf against a node goes down the node; its own box was tested above.
		bool a_is_leaf = rbl_tree_is_leaf(a), b_is_leaf = rbl_tree_is_leaf(b);
		if (a_is_leaf || b_is_leaf) {
			tests += a_is_leaf && b_is_leaf ? 0 : 2;
			continue;
		}
		for (int i = 0; i < 4; ++i) {
			rbl_box p = a_nodes[a].boxes[i / 2], q = b_nodes[b].boxes[i % 2];
			q = (rbl_box){ rbl_add(q.lower, shift), rbl_add(q.upper, shift) };
			tests++;
			if (rbl_box_overlaps(p, q)) {
				stack[top].a = a_nodes[a].children[i / 2];
				stack[top++].b = b_nodes[b].children[i % 2];
			}
		}
	}
	return tests;
}

static int64_t count_self(const rbl_tree_node *nodes, uint32_t root)
{
	uint32_t stack[RBL_TREE_MAX_HEIGHT + 2];
	int64_t tests = 0;
	int top = 0;
	stack[top++] = root;
	while (top > 0) {
		const rbl_tree_node *node = &nodes[stack[--top]];
		tests++;
		if (rbl_box_overlaps(node->boxes[0], node->boxes[1]))
			tests += count_pair(nodes, node->children[0], nodes, node->children[1],
			                    (rbl_vec3){ 0.0f, 0.0f, 0.0f });
		for (int side = 0; side < 2; ++side)
			if (!rbl_tree_is_leaf(node->children[side]))
				stack[top++] = node->children[side];
	}
	return tests;
}

// A median tree over stretched boxes, fitted to the true ones.
static bool build(rbl_tree *tree, const model *m, rbl_random *random)
{
	rbl_box stretched[MOST_BOXES];
	rbl_vec3 by = { (float)rbl_exp(rbl_random_range(random, -1.5, 1.5)),
		            (float)rbl_exp(rbl_random_range(random, -1.5, 1.5)),
		            (float)rbl_exp(rbl_random_range(random, -1.5, 1.5)) };
	for (int i = 0; i < m->count; ++i)
		stretched[i] = (rbl_box){ rbl_mul(by, m->boxes[i].lower), rbl_mul(by, m->boxes[i].upper) };
	rbl_tree_build_input input = { .builder = RBL_TREE_BUILD_MEDIAN,
		                           .count = m->count,
		                           .boxes = stretched };
	if (rbl_tree_build(tree, &input) != RBL_OK)
		return false;
	rbl_tree_refit(tree, m->boxes, NULL);
	return true;
}

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

static bool run_model(model *models, int index, int trees, int queries, double r[2])
{
	rbl_random random = rbl_random_from_seed((uint64_t)index + 1);
	rbl_tree_pool pool, other_pool;
	rbl_tree_pool_init(&pool, NULL, RBL_TREE_COUNTS | RBL_TREE_METRICS);
	rbl_tree_pool_init(&other_pool, NULL, 0);
	rbl_tree tree = rbl_tree_make(&pool), other = rbl_tree_make(&other_pool);
	bool is_good = build(&other, &models[(index + 3) % MODELS], &random);
	correlation inter = { 0 }, self = { 0 };
	for (int i = 0; is_good && i < trees; ++i) {
		is_good = build(&tree, &models[index], &random);
		double tests = 0.0;
		rbl_random places = rbl_random_from_seed(99); // the same for all trees
		for (int k = 0; is_good && k < queries; ++k) {
			rbl_vec3 shift = rbl_to_f(rbl_scale_d(1.5, rbl_random_in_ball(&places)));
			tests += (double)count_pair(pool.nodes, tree.root, other_pool.nodes, other.root, shift);
		}
		if (is_good) {
			take(&inter, (double)rbl_tree_inter_cost(&tree), tests / queries);
			take(&self, (double)rbl_tree_self_cost(&tree),
			     (double)count_self(pool.nodes, tree.root));
		}
	}
	r[0] += value_of(&inter) / MODELS, r[1] += value_of(&self) / MODELS;
	rbl_tree_pool_destroy(&pool);
	rbl_tree_pool_destroy(&other_pool);
	return is_good;
}

void surface_run_metrics(bench *b)
{
	if (!bench_wants(b, "metrics"))
		return;
	model *models = malloc(MODELS * sizeof *models);
	double r[2] = { 0.0, 0.0 };
	bool is_good = models != NULL;
	for (int i = 0; is_good && i < MODELS; ++i)
		make_model(&models[i], i, 32);
	for (int i = 0; is_good && i < MODELS; ++i)
		is_good =
			run_model(models, i, bench_is_quick(b) ? 40 : 500, bench_is_quick(b) ? 20 : 100, r);
	if (is_good) {
		bench_row(b, "metrics", "median-build", "r_inter", r[0], "");
		bench_row(b, "metrics", "median-build", "r_self", r[1], "");
	} else {
		bench_fail(b, "metrics", "median-build", "failed");
	}
	free(models);
}
