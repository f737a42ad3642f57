// SPDX-License-Identifier: MIT
//
// Instantaneous fracture of a pumpkin of 10,000 triangles into 2 to 1,000 pieces (Otaduy et al.
// 2007, Figures 6 and 8). Pieces are the cells of random seeds. A triangle on a border breaks:
// each piece gets its share, and crack faces from there towards the middle of the pumpkin, in
// rings. Only trees are timed; what a tree finds when the pieces fly apart is timed, too: by
// processor time, the variants in turn, the least of all rounds. `query_times_rebuilt` compares with
// pieces that were built anew. Curves by number of pieces are those of the case `pieces`.

#define _POSIX_C_SOURCE 200809L // processor time of a thread

#include "tree_cases.h"
#include "tree_shapes.h"

#include "base/random.h"
#include "base/vec.h"
#include "scenes/tree_measure.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// Each piece is queried against the PARTNERS pieces that follow it: a thousand pieces meet in the
// middle, and all pairs of them would take minutes.
enum { RINGS = 3, FRAMES = 8, PARTNERS = 12, QUERIES = 5 };

typedef struct pumpkin {
	tree_shape shape;
	int piece_count, old_count, new_count;
	int *labels;      // old triangles, then new ones
	rbl_box *boxes;   // likewise
	uint32_t *leaves; // of new triangles
	uint32_t *near;   // an old triangle beside each new one
	rbl_vec3 *away;   // where a piece flies
} pumpkin;

static rbl_box corners_box(rbl_vec3 a, rbl_vec3 b, rbl_vec3 c)
{
	return (rbl_box){ rbl_min(a, rbl_min(b, c)), rbl_max(a, rbl_max(b, c)) };
}

static void add_new(pumpkin *p, int label, int near, rbl_vec3 a, rbl_vec3 b, rbl_vec3 c)
{
	int i = p->new_count++;
	p->boxes[p->old_count + i] = corners_box(a, b, c);
	p->labels[p->old_count + i] = label;
	p->leaves[i] = (uint32_t)(p->old_count + i);
	p->near[i] = (uint32_t)near;
}

// What a piece gets of a triangle that breaks: the corner at its vertex, and faces inwards.
static void add_share(pumpkin *p, int triangle, int label, const rbl_vec3 corner[3])
{
	rbl_vec3 m = rbl_lerp(corner[0], corner[1], 0.5f), n = rbl_lerp(corner[0], corner[2], 0.5f);
	add_new(p, label, triangle, corner[0], m, n);
	for (int ring = 0; ring < RINGS; ++ring) {
		float from = 1.0f - (float)ring / RINGS, to = 1.0f - (float)(ring + 1) / RINGS;
		rbl_vec3 a = rbl_scale(from, m), b = rbl_scale(from, n);
		rbl_vec3 c = rbl_scale(to, m), d = rbl_scale(to, n);
		add_new(p, label, triangle, a, b, d);
		if (ring + 1 < RINGS)
			add_new(p, label, triangle, a, d, c);
	}
}

static int nearest_seed(const rbl_vec3 *seeds, int count, rbl_vec3 point)
{
	int best = 0;
	float least = FLT_MAX;
	for (int i = 0; i < count; ++i) {
		float d = rbl_length_squared(rbl_sub(seeds[i], point));
		if (d < least)
			least = d, best = i;
	}
	return best;
}

static void make_pumpkin(pumpkin *p, int triangle_count, int piece_count)
{
	*p = (pumpkin){ .shape = tree_shape_make(TREE_PUMPKIN, triangle_count),
		            .piece_count = piece_count };
	int vertices = p->shape.vertex_count;
	p->old_count = p->shape.triangle_count;
	size_t room = (size_t)p->old_count * (1 + 3 * 2 * RINGS);
	p->labels = tree_memory(room, sizeof *p->labels);
	p->boxes = tree_memory(room, sizeof *p->boxes);
	p->leaves = tree_memory(room, sizeof *p->leaves);
	p->near = tree_memory(room, sizeof *p->near);
	p->away = tree_memory((size_t)piece_count, sizeof *p->away);
	rbl_vec3 *seeds = tree_memory((size_t)piece_count, sizeof *seeds);
	rbl_vec3 *positions = tree_memory((size_t)vertices, sizeof *positions);
	int *cells = tree_memory((size_t)vertices, sizeof *cells);
	rbl_random random = rbl_random_from_seed(11);
	for (int i = 0; i < piece_count; ++i) {
		rbl_vec3d at = rbl_random_in_ball(&random);
		seeds[i] = rbl_to_f(rbl_scale_d(0.55, rbl_normalize_d(at)));
		p->away[i] = rbl_scale(0.1f, seeds[i]);
	}
	for (int i = 0; i < vertices; ++i) {
		positions[i] = rbl_to_f(p->shape.positions[i]);
		cells[i] = nearest_seed(seeds, piece_count, positions[i]);
	}
	for (int t = 0; t < p->old_count; ++t) {
		const int *v = p->shape.triangles + 3 * t;
		p->boxes[t] = corners_box(positions[v[0]], positions[v[1]], positions[v[2]]);
		bool is_whole = cells[v[0]] == cells[v[1]] && cells[v[1]] == cells[v[2]];
		p->labels[t] = is_whole ? cells[v[0]] : -1;
		for (int k = 0; k < 3 && !is_whole; ++k) {
			rbl_vec3 corner[3] = { positions[v[k]], positions[v[(k + 1) % 3]],
				                   positions[v[(k + 2) % 3]] };
			add_share(p, t, cells[v[k]], corner);
		}
	}
	free(cells);
	free(positions);
	free(seeds);
}

static void drop_pumpkin(pumpkin *p)
{
	free(p->away);
	free(p->near);
	free(p->leaves);
	free(p->boxes);
	free(p->labels);
	tree_shape_free(&p->shape);
}

static double since_ms(uint64_t start)
{
	return (double)(bench_now_ns() - start) * 1e-6;
}

static double thread_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static bool count_pairs(void *context, const rbl_tree_pair *pairs, int count)
{
	(void)pairs;
	*(long *)context += count;
	return true;
}

// Pieces against pieces while they fly apart. @return overlapping boxes found, over all frames
static long fly_apart(const pumpkin *p, const rbl_tree *pieces, double *mean, double *worst)
{
	long found = 0;
	*mean = *worst = 0.0;
	for (int frame = 0; frame < FRAMES; ++frame) {
		double start = thread_ms();
		float distance = 0.2f * (float)frame / FRAMES;
		for (int a = 0; a < p->piece_count; ++a)
			for (int c = a + 1; c < p->piece_count && c <= a + PARTNERS; ++c) {
				rbl_vec3 offset = rbl_scale(distance, rbl_sub(p->away[c], p->away[a]));
				rbl_box moved = { rbl_add(pieces[c].bounds.lower, offset),
					              rbl_add(pieces[c].bounds.upper, offset) };
				if (pieces[a].leaf_count == 0 || pieces[c].leaf_count == 0 ||
				    !rbl_box_overlaps(pieces[a].bounds, moved))
					continue;
				rbl_transform motion = { offset, rbl_quat_identity() };
				rbl_tree_query_pair_moved(&pieces[a], &pieces[c], motion, count_pairs, &found);
			}
		double ms = thread_ms() - start;
		*mean += ms / FRAMES;
		*worst = ms > *worst ? ms : *worst;
	}
	return found;
}

static double mean_quality(const rbl_tree *pieces, int count)
{
	double sum = 0.0;
	int used = 0;
	for (int i = 0; i < count; ++i)
		if (pieces[i].leaf_count > 1) {
			sum += measure_tree(&pieces[i]).quality;
			used++;
		}
	return used > 0 ? sum / used : 0.0;
}

typedef struct piece_result {
	double ms, clone_ms, delete_ms, insert_ms, refit_ms;
	double quality, query, query_worst;
	long found;
	rbl_tree_fracture_report report;
	rbl_tree *pieces; // of the last repetition
} piece_result;

static piece_result no_result(void)
{
	return (piece_result){ .ms = DBL_MAX,
		                   .clone_ms = DBL_MAX,
		                   .delete_ms = DBL_MAX,
		                   .insert_ms = DBL_MAX,
		                   .refit_ms = DBL_MAX,
		                   .query = DBL_MAX,
		                   .query_worst = DBL_MAX };
}

static void query(const pumpkin *p, piece_result *r)
{
	double mean, worst;
	r->found = fly_apart(p, r->pieces, &mean, &worst);
	tree_keep_least(&r->query, mean);
	tree_keep_least(&r->query_worst, worst);
}

static void drop_pieces(const pumpkin *p, piece_result *r)
{
	for (int i = 0; i < p->piece_count; ++i)
		rbl_tree_clear(&r->pieces[i]);
	free(r->pieces);
	r->pieces = NULL;
}

static void build_whole(const pumpkin *p, rbl_tree *tree)
{
	rbl_tree_build_input input = { .builder = RBL_TREE_BUILD_MEDIAN,
		                           .count = p->old_count,
		                           .boxes = p->boxes };
	if (rbl_tree_build(tree, &input) != RBL_OK)
		exit(1);
}

static void break_once(const pumpkin *p, rbl_tree_method method, piece_result *r, rbl_tree *tree)
{
	if (r->pieces)
		drop_pieces(p, r);
	rbl_tree *pieces = tree_memory((size_t)p->piece_count, sizeof *pieces);
	build_whole(p, tree);
	rbl_tree_fracture_input input = { .method = method,
		                              .piece_count = p->piece_count,
		                              .labels = p->labels,
		                              .new_count = p->new_count,
		                              .new_leaves = p->leaves,
		                              .new_boxes = p->boxes + p->old_count,
		                              .new_labels = p->labels + p->old_count };
	uint64_t start = bench_now_ns();
	if (rbl_tree_break(tree, &input, pieces, &r->report) != RBL_OK)
		exit(1);
	for (int i = 0; i < p->piece_count; ++i)
		rbl_tree_update(&pieces[i], RBL_TREE_PERMUTE);
	tree_keep_least(&r->ms, since_ms(start));
	r->pieces = pieces;
}

// The paper's way: a copy for each piece, without the leaves of all others.
static void clone_once(const pumpkin *p, piece_result *r, bool is_last)
{
	int count = p->piece_count;
	rbl_tree_pool *pools = tree_memory((size_t)count + 1, sizeof *pools);
	rbl_tree *pieces = tree_memory((size_t)count + 1, sizeof *pieces);
	for (int i = 0; i <= count; ++i) {
		rbl_tree_pool_init(&pools[i], NULL, 0);
		pieces[i] = rbl_tree_make(&pools[i]);
	}
	build_whole(p, &pieces[count]);
	uint64_t start = bench_now_ns();
	for (int i = 0; i < count; ++i)
		if (!tree_copy(&pieces[count], &pools[i], &pieces[i]))
			exit(1);
	double clone = since_ms(start);
	// New leaves are put beside broken ones, so those go last.
	start = bench_now_ns();
	for (int i = 0; i < count; ++i)
		for (int t = 0; t < p->old_count; ++t)
			if (p->labels[t] != i && p->labels[t] >= 0)
				rbl_tree_remove(&pieces[i], (uint32_t)t);
	double deletion = since_ms(start);
	start = bench_now_ns();
	for (int k = 0; k < p->new_count; ++k)
		if (rbl_tree_insert(&pieces[p->labels[p->old_count + k]], p->leaves[k],
		                    p->boxes[p->old_count + k], p->near[k]) != RBL_OK)
			exit(1);
	double insertion = since_ms(start);
	start = bench_now_ns();
	for (int i = 0; i < count; ++i)
		for (int t = 0; t < p->old_count; ++t)
			if (p->labels[t] < 0)
				rbl_tree_remove(&pieces[i], (uint32_t)t);
	deletion += since_ms(start);
	start = bench_now_ns();
	for (int i = 0; i < count; ++i)
		rbl_tree_update(&pieces[i], RBL_TREE_PERMUTE);
	double refit = since_ms(start);
	tree_keep_least(&r->ms, clone + deletion + insertion + refit);
	tree_keep_least(&r->clone_ms, clone);
	tree_keep_least(&r->delete_ms, deletion);
	tree_keep_least(&r->insert_ms, insertion);
	tree_keep_least(&r->refit_ms, refit);
	if (is_last) {
		r->pieces = pieces;
		for (int i = 0; i < QUERIES; ++i)
			query(p, r);
		r->quality = mean_quality(pieces, count);
		r->pieces = NULL;
	}
	for (int i = 0; i <= count; ++i)
		rbl_tree_pool_destroy(&pools[i]);
	free(pieces);
	free(pools);
}

static void run_pieces(bench *b, const char *name, int piece_count)
{
	enum { POLICY, EXTRACT, REBUILD, CLONE, VARIANTS };
	static const char *const variants[VARIANTS] = { "policy", "extract", "rebuild",
		                                            "clone-delete" };
	pumpkin p;
	make_pumpkin(&p, 10000, piece_count);
	piece_result results[VARIANTS];
	for (int v = 0; v < VARIANTS; ++v)
		results[v] = no_result();
	rbl_tree_pool pools[CLONE];
	rbl_tree trees[CLONE];
	for (int v = 0; v < CLONE; ++v) {
		rbl_tree_pool_init(&pools[v], NULL, 0);
		trees[v] = rbl_tree_make(&pools[v]);
	}
	int repeat = bench_repeat(b) ? bench_repeat(b) : bench_is_quick(b) ? 10 : 40;
	for (int i = 0; i < repeat; ++i) // turn by turn, so that all see the same machine
		for (int v = 0; v < CLONE; ++v)
			break_once(&p, (rbl_tree_method)v, &results[v], &trees[v]);
	for (int i = 0; i < (piece_count > 12 ? 1 : QUERIES); ++i)
		for (int v = 0; v < CLONE; ++v)
			query(&p, &results[v]);
	for (int v = 0; v < CLONE; ++v) {
		results[v].quality = mean_quality(results[v].pieces, piece_count);
		drop_pieces(&p, &results[v]);
	}
	// A clone per piece is quadratic: few repetitions, and none for a thousand copies.
	int clones = piece_count > 100 ? 0 : piece_count > 12 ? 1 : 5;
	for (int i = 0; i < clones; ++i)
		clone_once(&p, &results[CLONE], i == clones - 1);
	for (int v = 0; v < (clones ? VARIANTS : CLONE); ++v) {
		const piece_result *r = &results[v];
		bench_row(b, name, variants[v], "ms", r->ms, "ms");
		bench_point(b, "pieces", variants[v], "ms", piece_count, r->ms, "ms");
		bench_point(b, "pieces", variants[v], "query_ms", piece_count, r->query, "ms");
		bench_point(b, "pieces", variants[v], "q", piece_count, r->quality, "");
		if (v == CLONE) {
			bench_row(b, name, variants[v], "clone_ms", r->clone_ms, "ms");
			bench_row(b, name, variants[v], "delete_ms", r->delete_ms, "ms");
			bench_row(b, name, variants[v], "insert_ms", r->insert_ms, "ms");
			bench_row(b, name, variants[v], "refit_ms", r->refit_ms, "ms");
		}
		bench_row(b, name, variants[v], "q", r->quality, "");
		bench_row(b, name, variants[v], "query_ms", r->query, "ms");
		bench_row(b, name, variants[v], "query_max_ms", r->query_worst, "ms");
		if (v != REBUILD)
			bench_row(b, name, variants[v], "query_times_rebuilt",
			          r->query / results[REBUILD].query, "");
		if (v == POLICY) {
			double best = results[EXTRACT].ms < results[REBUILD].ms ? results[EXTRACT].ms
			                                                        : results[REBUILD].ms;
			bench_row(b, name, variants[v], "ratio_to_best", r->ms / best, "");
			bench_row(b, name, variants[v], "extracted", r->report.extracted, "");
			bench_row(b, name, variants[v], "triangles", p.old_count + p.new_count, "");
		}
		if (r->found != results[POLICY].found)
			bench_fail(b, name, variants[v], "other pairs were found");
	}
	for (int v = 0; v < CLONE; ++v)
		rbl_tree_pool_destroy(&pools[v]);
	drop_pumpkin(&p);
}

// --- the constants of the policy ----------------------------------------------------------------

enum { SAMPLES = 10, TERMS = 4 };

// What one way costs: a sum of terms, each a count times a constant.
typedef struct cost_fit {
	double counts[SAMPLES][TERMS];
	double ns[SAMPLES];
	double constants[TERMS];
} cost_fit;

// Constants >= 0 of least squared relative error, term by term until nothing moves.
// @return the largest relative error
static double fit_costs(cost_fit *fit)
{
	for (int round = 0; round < 20000; ++round) {
		int k = round % TERMS;
		double above = 0.0, below = 0.0;
		for (int i = 0; i < SAMPLES; ++i) {
			double rest = 1.0, x = fit->counts[i][k] / fit->ns[i];
			for (int j = 0; j < TERMS; ++j)
				rest -= j == k ? 0.0 : fit->constants[j] * fit->counts[i][j] / fit->ns[i];
			above += rest * x, below += x * x;
		}
		fit->constants[k] = below > 0.0 && above > 0.0 ? above / below : 0.0;
	}
	double worst = 0.0;
	for (int i = 0; i < SAMPLES; ++i) {
		double sum = 0.0;
		for (int j = 0; j < TERMS; ++j)
			sum += fit->constants[j] * fit->counts[i][j];
		double error = sum > fit->ns[i] ? sum / fit->ns[i] - 1.0 : 1.0 - sum / fit->ns[i];
		worst = error > worst ? error : worst;
	}
	return worst;
}

// The counts that the policy reads, summed over pieces, and the time of both ways.
static void take_sample(const pumpkin *p, int repeat, cost_fit *extract, cost_fit *rebuild, int i)
{
	int *kept = tree_memory((size_t)p->piece_count, sizeof *kept);
	int *added = tree_memory((size_t)p->piece_count, sizeof *added);
	for (int k = 0; k < p->piece_count; ++k)
		kept[k] = added[k] = 0;
	for (int k = 0; k < p->old_count + p->new_count; ++k)
		if (p->labels[k] >= 0)
			(k < p->old_count ? kept : added)[p->labels[k]]++;
	double all_kept = 0.0, all_added = 0.0, border = 0.0;
	for (int k = 0; k < p->piece_count; ++k) {
		all_kept += kept[k], all_added += added[k];
		border += kept[k] < added[k] ? kept[k] : added[k];
	}
	const double extract_counts[TERMS] = { all_kept, border, all_added, p->piece_count };
	const double rebuild_counts[TERMS] = { all_kept, all_kept + all_added, p->piece_count, 0.0 };
	for (int k = 0; k < TERMS; ++k) {
		extract->counts[i][k] = extract_counts[k];
		rebuild->counts[i][k] = rebuild_counts[k];
	}
	piece_result results[2] = { no_result(), no_result() };
	rbl_tree_pool pools[2];
	rbl_tree trees[2];
	for (int side = 0; side < 2; ++side) {
		rbl_tree_pool_init(&pools[side], NULL, 0);
		trees[side] = rbl_tree_make(&pools[side]);
	}
	for (int k = 0; k < 2 * repeat; ++k)
		break_once(p, k % 2 ? RBL_TREE_BY_REBUILD : RBL_TREE_BY_EXTRACT, &results[k % 2],
		           &trees[k % 2]);
	drop_pieces(p, &results[0]);
	drop_pieces(p, &results[1]);
	for (int side = 0; side < 2; ++side)
		rbl_tree_pool_destroy(&pools[side]);
	extract->ns[i] = results[0].ms * 1e6;
	rebuild->ns[i] = results[1].ms * 1e6;
	free(added);
	free(kept);
}

// The numbers for rbl_tree_default_costs(), in its order. Pieces are few enough for both ways to be
// near each other; beyond, a rebuild wins by far.
static void calibrate(bench *b)
{
	static const int pieces[SAMPLES / 2] = { 2, 4, 8, 16, 64 };
	int repeat = bench_repeat(b) ? bench_repeat(b) : bench_is_quick(b) ? 5 : 20;
	cost_fit extract = { .constants = { 0.0 } }, rebuild = { .constants = { 0.0 } };
	for (int i = 0; i < SAMPLES; ++i) {
		pumpkin p;
		make_pumpkin(&p, i < SAMPLES / 2 ? 10000 : 30000, pieces[i % (SAMPLES / 2)]);
		take_sample(&p, repeat, &extract, &rebuild, i);
		drop_pumpkin(&p);
	}
	static const char *const extract_names[TERMS] = { "keep_leaf", "cut_leaf", "add_leaf",
		                                              "extract_piece" };
	static const char *const rebuild_names[TERMS - 1] = { "gather_leaf", "build_leaf",
		                                                  "build_piece" };
	double extract_error = fit_costs(&extract), rebuild_error = fit_costs(&rebuild);
	for (int k = 0; k < TERMS; ++k)
		bench_row(b, "calibrate", "extract", extract_names[k], extract.constants[k], "ns");
	bench_row(b, "calibrate", "extract", "worst_error", extract_error, "");
	for (int k = 0; k < TERMS - 1; ++k)
		bench_row(b, "calibrate", "rebuild", rebuild_names[k], rebuild.constants[k], "ns");
	bench_row(b, "calibrate", "rebuild", "worst_error", rebuild_error, "");
}

void tree_run_pieces(bench *b)
{
	if (bench_wants(b, "calibrate"))
		calibrate(b);
	static const int counts[] = { 2, 4, 8, 12, 100, 1000 };
	for (int i = 0; i < 6; ++i) {
		char name[32];
		snprintf(name, sizeof name, "pieces-%d", counts[i]);
		if (bench_wants(b, name))
			run_pieces(b, name, counts[i]);
	}
}
