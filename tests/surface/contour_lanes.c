// SPDX-License-Identifier: MIT
// Points, bounds and pairs of edges by the lane: every pair of edges whose bounds overlap comes once, bounds hold
// their edges, and all back ends give the same bits.

#include "surface/judge.h"

#include "surface/contour_kernels.h"

enum { MOST = 700, MOST_BLOCKS = 128 };

typedef struct picture {
	rbl_vec3 positions[2][MOST];
	int vertices[MOST], ends[MOST], count, loops, times;
	bool has_lines;
	rbl_contour_view view;
} picture;

typedef struct outcome {
	rbl_contour_point points[MOST];
	rbl_span_block blocks[MOST_BLOCKS];
	rbl_span_pair pairs[MOST * MOST / 2];
	int pair_count;
} outcome;

static void make_picture(picture *p, rbl_random *random, int round)
{
	p->count = 2 * (1 + (int)rbl_random_below(random, round % 4 ? 60 : MOST / 2));
	p->times = 1 + (int)rbl_random_below(random, 2);
	p->has_lines = round % 3 == 0;
	double scale = round % 5   ? 1.0
	               : round % 2 ? 1e30
	                           : 1e-30,
		   at = 0.0, reach = round % 7 ? 0.3 : 5.0;
	rbl_vec3d walk = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < p->count; ++i) {
		walk.x += rbl_random_range(random, -1.0, 1.0) + 0.1 * at;
		walk.y += rbl_random_range(random, -reach, reach);
		walk.z += rbl_random_range(random, -1.0, 1.0);
		p->vertices[i] = (i * 7 + 3) % p->count;
		for (int time = 0; time < 2; ++time)
			p->positions[time][p->vertices[i]] =
				rbl_to_f(rbl_scale_d(scale, rbl_add_scaled_d(walk, 0.3 * time, walk)));
	}
	p->loops = 0;
	for (int i = 2; i <= p->count; ++i)
		if (i == p->count || rbl_random_below(random, 50) == 0)
			p->ends[p->loops++] = i;
	rbl_vec3d v = rbl_normalize_d((rbl_vec3d){ 0.3, 0.2, 1.0 }), right = rbl_perpendicular_d(v);
	p->view = (rbl_contour_view){ { -scale, scale, 0.5 * scale }, right, rbl_cross_d(v, right) };
}

static int edge_count(const picture *p)
{
	return p->has_lines ? p->count / 2 : p->count;
}

static void look(const picture *p, rbl_backend backend, outcome *o)
{
	for (int time = 0; time < p->times; ++time)
		RBL_KERNEL_OF(rbl_contour_project, backend)
	(&p->view, p->positions[time], p->vertices, p->count, time, o->points);
	const rbl_contour_edges edges = { .points = o->points,
		                              .ends = p->has_lines ? NULL : p->ends,
		                              .count = edge_count(p),
		                              .times = p->times,
		                              .slack = 1e-9 };
	RBL_KERNEL_OF(rbl_contour_spans, backend)(&edges, o->blocks);
	o->pair_count = 0;
	for (int block = 0; block < rbl_span_blocks(edges.count); ++block)
		o->pair_count += RBL_KERNEL_OF(rbl_contour_near, backend)(o->blocks, edges.count, block,
		                                                          o->pairs + o->pair_count);
}

// The points of an edge.
static void ends_of(const picture *p, int edge, int ends[2])
{
	int loop = 0;
	ends[0] = p->has_lines ? 2 * edge : edge, ends[1] = ends[0] + 1;
	while (!p->has_lines && p->ends[loop] <= edge)
		++loop;
	if (!p->has_lines && p->ends[loop] == ends[1])
		ends[1] = loop ? p->ends[loop - 1] : 0;
}

static bool overlap(const rbl_span_block *blocks, int a, int b)
{
	const rbl_span_block *p = &blocks[a / 8], *q = &blocks[b / 8];
	a %= 8, b %= 8;
	return p->left[a] <= q->right[b] && q->left[b] <= p->right[a] && p->low[a] <= q->high[b] &&
	       q->low[b] <= p->high[a];
}

static void judge(test *t, const picture *p, const outcome *o)
{
	static bool is_found[MOST][MOST];
	memset(is_found, 0, sizeof is_found);
	for (int i = 0; i < o->pair_count; ++i) {
		CHECK(t, o->pairs[i].a < o->pairs[i].b && o->pairs[i].b < edge_count(p));
		CHECK(t, !is_found[o->pairs[i].a][o->pairs[i].b]);
		is_found[o->pairs[i].a][o->pairs[i].b] = true;
	}
	for (int a = 0; a < edge_count(p); ++a) {
		const rbl_span_block *block = &o->blocks[a / 8];
		int ends[2];
		ends_of(p, a, ends);
		for (int k = 0; k < 2 * p->times; ++k) {
			double x = o->points[ends[k % 2]].x[k / 2], y = o->points[ends[k % 2]].y[k / 2];
			CHECK(t, (double)block->left[a % 8] < x && x < (double)block->right[a % 8]);
			CHECK(t, (double)block->low[a % 8] < y && y < (double)block->high[a % 8]);
		}
		for (int b = a + 1; b < edge_count(p); ++b)
			CHECK(t, is_found[a][b] == overlap(o->blocks, a, b));
	}
	for (int i = 0; i < p->count; ++i) {
		rbl_vec3d d = rbl_sub_d(rbl_to_d(p->positions[0][p->vertices[i]]), p->view.corner);
		CHECK(t, o->points[i].x[0] == rbl_dot_d(p->view.right, d));
		CHECK(t, o->points[i].y[0] == rbl_dot_d(p->view.up, d));
	}
}

static void edges_that_come_near_each_other_are_found(test *t)
{
	static picture p;
	static outcome first, other;
	rbl_random random = rbl_random_from_seed(5);
	for (int round = 0; round < 120; ++round) {
		make_picture(&p, &random, round);
		look(&p, RBL_BACKEND_PLAIN, &first);
		judge(t, &p, &first);
		for (int i = RBL_BACKEND_PLAIN + 1; i <= (int)rbl_best_backend(); ++i) {
			look(&p, (rbl_backend)i, &other);
			CHECK(t, other.pair_count == first.pair_count);
			CHECK(t, memcmp(other.pairs, first.pairs,
			                (size_t)first.pair_count * sizeof *first.pairs) == 0);
			int blocks = rbl_span_blocks(edge_count(&p));
			blocks += rbl_span_blocks(blocks);
			CHECK(t,
			      memcmp(other.blocks, first.blocks, (size_t)blocks * sizeof *first.blocks) == 0);
		}
	}
}

TEST_MAIN(TEST(edges_that_come_near_each_other_are_found))
