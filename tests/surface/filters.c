// SPDX-License-Identifier: MIT
// Filters: what bodies are tested against, in all queries.

#include "surface/reference.h"

#include <rubble/surface.h>

enum { BODIES = 6 };

typedef struct crowd {
	rbl_surface *surface;
	rbl_surface_body_id ids[BODIES];
	bool is_excluded[BODIES][BODIES];
} crowd;

// Crumpled sheets that lie through each other.
static crowd make_crowd(test *t, uint64_t seed, float thickness)
{
	crowd c = { NULL, { { 0, 0 } }, { { false } } };
	rbl_random random = rbl_random_from_seed(seed);
	rbl_surface_def def = rbl_default_surface_def();
	def.thickness = thickness;
	CHECK(t, rbl_create_surface(&def, &c.surface) == RBL_OK);
	for (int i = 0; i < BODIES; ++i) {
		reference_mesh mesh = reference_sheet(5, 4);
		reference_crumple(&mesh, &random);
		c.ids[i] = reference_add(t, c.surface, &mesh);
		for (int k = 0; k < mesh.vertex_count; ++k)
			mesh.positions[k] =
				rbl_add(mesh.positions[k], rbl_to_f(rbl_scale_d(0.3, rbl_random_in_ball(&random))));
		CHECK(t, rbl_surface_move(c.surface, c.ids[i], NULL, mesh.positions) == RBL_OK);
		reference_mesh_free(&mesh);
	}
	return c;
}

static int body_of(const rbl_surface *s, int triangle)
{
	return s->cluster_data[s->clusters[triangle]].body;
}

static bool is_wanted(const crowd *c, int first, int second)
{
	int a = body_of(c->surface, first), b = body_of(c->surface, second);
	rbl_surface_filter f = rbl_surface_body_get_filter(c->surface, c->ids[a]);
	rbl_surface_filter g = rbl_surface_body_get_filter(c->surface, c->ids[b]);
	if (!(f.categories & g.mask) || !(g.categories & f.mask) || (f.is_static && g.is_static))
		return false;
	return a == b ? !f.ignores_itself : !c->is_excluded[a][b] && !c->is_excluded[b][a];
}

static int triangle_of(const rbl_surface *s, int kind, int a)
{
	return kind == RBL_HIT_EDGE_EDGE ? a / 3 : s->anchors[a] / 3;
}

// Whether a query lists what another without filters lists, but for what is not wanted.
// @return how much was left out, -1 when it does not
static int compare(test *t, const crowd *all, const crowd *some, int query)
{
	rbl_surface_motion motion =
		query == 0 || query == 2 ? RBL_SURFACE_DISCRETE : RBL_SURFACE_CONTINUOUS;
	int(*lists[2])[3] = { NULL, NULL }, counts[2] = { 0, 0 };
	for (int i = 0; i < 2; ++i) {
		rbl_surface *s = (i ? some : all)->surface;
		rbl_surface_pairs pairs = { NULL, 0 };
		rbl_surface_hits hits = { NULL, 0 };
		rbl_surface_near_pairs near_pairs = { NULL, 0 };
		CHECK(t, rbl_surface_update(s, motion) == RBL_OK);
		rbl_result result = query == 0   ? rbl_surface_collide(s, &pairs)
		                    : query == 1 ? rbl_surface_sweep(s, &hits)
		                                 : rbl_surface_proximity(s, 0.05f, &near_pairs);
		CHECK(t, result == RBL_OK);
		int count = pairs.count + hits.count + near_pairs.count;
		lists[i] = malloc((size_t)(count + 1) * sizeof **lists);
		for (int k = 0; k < count; ++k) {
			int kind = query == 0   ? 2
			           : query == 1 ? (int)hits.hits[k].kind
			                        : (int)near_pairs.pairs[k].kind;
			int a = query == 0   ? pairs.pairs[k].a
			        : query == 1 ? hits.hits[k].a
			                     : near_pairs.pairs[k].a;
			int b = query == 0   ? pairs.pairs[k].b
			        : query == 1 ? hits.hits[k].b
			                     : near_pairs.pairs[k].b;
			int ta = kind == 2 ? a : triangle_of(s, kind, a);
			int tb = kind == RBL_HIT_EDGE_EDGE ? b / 3 : b;
			if (i == 0 && !is_wanted(some, ta, tb))
				continue;
			int entry[3] = { kind, a, b };
			memcpy(lists[i][counts[i]++], entry, sizeof entry);
		}
	}
	bool is_same = counts[0] == counts[1] &&
	               memcmp(lists[0], lists[1], (size_t)counts[0] * sizeof **lists) == 0;
	free(lists[0]);
	free(lists[1]);
	return is_same ? counts[1] : -1;
}

static void queries_leave_out_what_is_not_wanted(test *t)
{
	rbl_random random = rbl_random_from_seed(5);
	int found = 0;
	for (int round = 0; round < test_count(24, 400); ++round) {
		float thickness = round % 3 ? 0.0f : 0.03f;
		crowd all = make_crowd(t, 100 + (uint64_t)round, thickness);
		crowd some = make_crowd(t, 100 + (uint64_t)round, thickness);
		for (int step = 0; step < 4; ++step) {
			for (int i = 0; i < BODIES; ++i) {
				rbl_surface_filter filter = { .categories = 1u << rbl_random_below(&random, 3),
					                          .mask = rbl_random_below(&random, 8) | 1u,
					                          .is_static = rbl_random_below(&random, 3) == 0,
					                          .ignores_itself = rbl_random_below(&random, 3) == 0 };
				if (rbl_random_below(&random, 2) == 0)
					filter = (rbl_surface_filter){ .categories = 1, .mask = UINT32_MAX };
				CHECK(t, rbl_surface_body_set_filter(some.surface, some.ids[i], filter) == RBL_OK);
				int k = (int)rbl_random_below(&random, BODIES);
				if (k == i)
					continue;
				bool is_out = rbl_random_below(&random, 2) == 0;
				some.is_excluded[i][k] = some.is_excluded[k][i] = is_out;
				CHECK(t, rbl_surface_exclude_bodies(some.surface, some.ids[i], some.ids[k],
				                                    is_out) == RBL_OK);
			}
			for (int query = 0; query < 3; ++query) {
				int same = compare(t, &all, &some, query);
				CHECK(t, same >= 0);
				found += same;
			}
		}
		rbl_destroy_surface(all.surface);
		rbl_destroy_surface(some.surface);
	}
	CHECK(t, found > 1000);
}

// An obstacle that lies through itself costs nothing.
static void obstacles_cost_nothing(test *t)
{
	crowd c = make_crowd(t, 1, 0.0f);
	for (int i = 0; i < BODIES; ++i) {
		rbl_surface_filter filter = { .categories = 1, .mask = UINT32_MAX, .is_static = true };
		CHECK(t, rbl_surface_body_set_filter(c.surface, c.ids[i], filter) == RBL_OK);
	}
	rbl_surface_pairs pairs;
	CHECK(t, rbl_surface_update(c.surface, RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_collide(c.surface, &pairs) == RBL_OK && pairs.count == 0);
	rbl_surface_stats stats = rbl_surface_get_stats(c.surface);
	CHECK(t, stats.cluster_tests == 0 && stats.candidates == 0 && stats.contour_tests == 0);
	rbl_destroy_surface(c.surface);
}

static void bad_filters_are_refused(test *t)
{
	crowd c = make_crowd(t, 2, 0.0f);
	rbl_surface_body_id none = { 0, 0 };
	rbl_surface_filter filter = { .categories = 4, .mask = 8 };
	CHECK(t, rbl_surface_body_set_filter(NULL, c.ids[0], filter) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_body_set_filter(c.surface, none, filter) == RBL_STALE_ID);
	CHECK(t, rbl_surface_body_set_filter(c.surface, c.ids[0], filter) == RBL_OK);
	CHECK(t, rbl_surface_body_get_filter(c.surface, c.ids[0]).categories == 4);
	CHECK(t, rbl_surface_body_get_filter(c.surface, none).categories == 0);
	CHECK(t, rbl_surface_exclude_bodies(NULL, c.ids[0], c.ids[1], true) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_exclude_bodies(c.surface, c.ids[0], c.ids[0], true) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_exclude_bodies(c.surface, c.ids[0], none, true) == RBL_STALE_ID);
	CHECK(t, rbl_surface_exclude_bodies(c.surface, c.ids[1], c.ids[0], false) == RBL_OK);
	// What was excluded is forgotten with the body, whoever takes its place.
	CHECK(t, rbl_surface_exclude_bodies(c.surface, c.ids[2], c.ids[3], true) == RBL_OK);
	CHECK(t,
	      !rbl_surface_tests_bodies(c.surface, 2, 3) && rbl_surface_tests_bodies(c.surface, 3, 4));
	CHECK(t, rbl_surface_remove(c.surface, c.ids[3]) == RBL_OK);
	reference_mesh mesh = reference_sheet(2, 2);
	rbl_surface_body_id made = reference_add(t, c.surface, &mesh);
	CHECK(t, made.index == c.ids[3].index && rbl_surface_tests_bodies(c.surface, 2, 3));
	reference_mesh_free(&mesh);
	rbl_destroy_surface(c.surface);
}

TEST_MAIN(TEST(queries_leave_out_what_is_not_wanted), TEST(obstacles_cost_nothing),
          TEST(bad_filters_are_refused))
