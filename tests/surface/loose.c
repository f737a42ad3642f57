// SPDX-License-Identifier: MIT
// Edges and points without faces: rods, hair and particles, against brute force.

#include "surface/reference.h"

#include "faulty_allocator.h"
#include "surface/query.h"
#include "surface/seam.h"

#include <rubble/surface_edit.h>
#include <rubble/surface_queries.h>

enum { STRANDS = 5, STRAND = 6, PARTICLES = 24, WIDTH = 5 };

typedef struct loose_scene {
	rbl_surface *surface;
	rbl_surface_body_id sheet, hair, dust;
} loose_scene;

static rbl_vec3 any_place(rbl_random *random, bool on_lattice)
{
	rbl_vec3 p = { (float)rbl_random_range(random, -0.5, WIDTH + 0.5),
		           (float)rbl_random_range(random, -0.5, WIDTH + 0.5),
		           (float)rbl_random_range(random, -1.5, 1.5) };
	return on_lattice ? (rbl_vec3){ floorf(p.x), floorf(p.y), floorf(p.z) } : p;
}

// Hair is strands of edges, dust is points, and the sheet has a fringe: an edge at a corner.
static rbl_result add_bodies(loose_scene *s, rbl_random *random, bool on_lattice, float thickness)
{
	reference_mesh sheet = reference_sheet(WIDTH, WIDTH);
	rbl_vec3 positions[STRANDS * STRAND + PARTICLES + (WIDTH + 1) * (WIDTH + 1) + 1];
	int edges[2 * STRANDS * STRAND], points[PARTICLES], ids[STRANDS * STRAND];
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.positions = positions, def.thickness = thickness;
	for (int i = 0; i < sheet.vertex_count; ++i) {
		positions[i] = sheet.positions[i];
		positions[i].z = (float)rbl_random_range(random, -0.3, 0.3);
	}
	positions[sheet.vertex_count] = any_place(random, on_lattice);
	int fringe[2] = { sheet.vertex_count, 0 };
	def.vertex_count = sheet.vertex_count + 1, def.triangle_count = sheet.triangle_count;
	def.triangles = sheet.triangles, def.edge_count = 1, def.edges = fringe;
	rbl_result result = rbl_surface_add(s->surface, &def, &s->sheet);
	def.triangle_count = 0, def.triangles = NULL, def.edges = edges, def.edge_count = 0;
	def.vertex_count = STRANDS * STRAND;
	for (int i = 0; i < STRANDS * STRAND; ++i) {
		positions[i] = any_place(random, on_lattice);
		if (i % STRAND > 0) { // near the one before
			positions[i] =
				rbl_add(positions[i - 1], rbl_scale(0.2f, rbl_sub(positions[i], positions[i - 1])));
			edges[2 * def.edge_count] = i - 1, edges[2 * def.edge_count + 1] = i;
			ids[def.edge_count++] = 700 + i;
		}
	}
	def.triangle_user_ids = ids;
	if (result == RBL_OK)
		result = rbl_surface_add(s->surface, &def, &s->hair);
	def.triangle_user_ids = NULL, def.edge_count = 0, def.edges = NULL;
	def.vertex_count = def.point_count = PARTICLES, def.points = points;
	for (int i = 0; i < PARTICLES; ++i)
		points[i] = i, positions[i] = any_place(random, on_lattice);
	if (result == RBL_OK)
		result = rbl_surface_add(s->surface, &def, &s->dust);
	reference_mesh_free(&sheet);
	return result;
}

static loose_scene make_scene(test *t, rbl_random *random, bool on_lattice, float thickness)
{
	loose_scene s = { .surface = NULL };
	rbl_surface_def def = rbl_default_surface_def();
	CHECK(t, rbl_create_surface(&def, &s.surface) == RBL_OK);
	CHECK(t, add_bodies(&s, random, on_lattice, thickness) == RBL_OK);
	return s;
}

static void move_all(test *t, loose_scene *s, rbl_random *random, float way)
{
	rbl_surface_body_id bodies[3] = { s->sheet, s->hair, s->dust };
	for (int b = 0; b < 3; ++b) {
		rbl_surface_body_data data = rbl_surface_body_get_data(s->surface, bodies[b]);
		rbl_vec3 ends[256];
		CHECK(t, data.vertex_count <= 256);
		for (int i = 0; i < data.vertex_count; ++i) {
			ends[i] = s->surface->positions[1][data.vertices[i]];
			ends[i].x += way * (float)rbl_random_range(random, -1.0, 1.0);
			ends[i].y += way * (float)rbl_random_range(random, -1.0, 1.0);
			ends[i].z += way * (float)rbl_random_range(random, -1.0, 1.0);
		}
		CHECK(t, rbl_surface_move(s->surface, bodies[b], NULL, ends) == RBL_OK);
	}
}

// --- brute force --------------------------------------------------------------------------------

typedef struct features {
	const rbl_surface *surface;
	int kind, a, b;
} features;

// The next two features that share no vertex. Start with kind 0, a 0, b -1.
static bool next_features(features *f, int v[4])
{
	const rbl_surface *s = f->surface;
	for (;;) {
		int b_end = f->kind == RBL_HIT_VERTEX_FACE ? s->triangle_end : 3 * s->triangle_end;
		int a_end = f->kind == RBL_HIT_VERTEX_FACE ? s->vertex_end : 3 * s->triangle_end;
		if (++f->b >= b_end) {
			f->a++;
			f->b = f->kind == RBL_HIT_VERTEX_FACE ? 0 : f->a + 1;
			if (f->b >= b_end && f->a < a_end)
				continue;
		}
		if (f->a >= a_end) {
			if (++f->kind > RBL_HIT_EDGE_EDGE)
				return false;
			f->a = f->b = 0;
			continue;
		}
		if (f->kind == RBL_HIT_EDGE_EDGE &&
		    (!rbl_surface_owns_edge(s, f->a) || !rbl_surface_owns_edge(s, f->b)))
			continue;
		rbl_surface_feature_vertices(s, (rbl_surface_hit_kind)f->kind, f->a, f->b, v);
		int firsts = f->kind == RBL_HIT_VERTEX_FACE ? 1 : 2;
		bool is_shared = false;
		for (int i = 0; i < firsts; ++i)
			for (int k = firsts; k < 4; ++k)
				is_shared |= v[i] == v[k];
		if (!is_shared)
			return true;
	}
}

static rbl_closest closest_at(const rbl_surface *s, int kind, const int v[4], double time)
{
	rbl_vec3d p[4];
	rbl_closest closest;
	for (int i = 0; i < 4; ++i) {
		rbl_vec3d a = rbl_to_d(s->positions[0][v[i]]), b = rbl_to_d(s->positions[1][v[i]]);
		p[i] = time == 1.0 ? b : rbl_add_scaled_d(a, time, rbl_sub_d(b, a));
	}
	(kind == RBL_HIT_VERTEX_FACE ? rbl_closest_vertex_face : rbl_closest_edge_edge)(p, &closest);
	return closest;
}

static void proximity_lists_what_brute_force_lists(test *t)
{
	int found = 0, of_points = 0, of_edges = 0, repeated = 0;
	for (int run = 0; run < test_count(6, 300); ++run) {
		rbl_random random = rbl_random_from_seed(40 + (uint64_t)run);
		loose_scene s = make_scene(t, &random, run % 2, 0.0f);
		float distance = run % 3 ? 0.3f : 0.05f;
		rbl_surface_near_pairs list;
		CHECK(t, rbl_surface_update(s.surface, RBL_SURFACE_DISCRETE) == RBL_OK);
		CHECK(t, rbl_surface_proximity(s.surface, distance, &list) == RBL_OK);
		features f = { s.surface, 0, 0, -1 };
		int v[4], next = 0;
		while (next_features(&f, v)) {
			rbl_closest c = closest_at(s.surface, f.kind, v, 1.0);
			bool is_next = next < list.count && (int)list.pairs[next].kind == f.kind &&
			               list.pairs[next].a == f.a && list.pairs[next].b == f.b;
			CHECK(t, is_next || c.distance + c.rounding > (double)distance);
			CHECK(t, !is_next || c.distance - 2.0 * c.rounding <= (double)distance);
			if (!is_next)
				continue;
			const rbl_surface_near_pair *pair = &list.pairs[next++];
			CHECK_NEAR(t, pair->distance, (float)c.distance, 1e-6f);
			found++;
			if (f.kind == RBL_HIT_VERTEX_FACE && v[2] == v[3]) {
				of_points += v[1] == v[2], of_edges += v[1] != v[2];
				repeated += pair->is_repeated;
				CHECK(t, pair->nearest == RBL_NEAREST_VERTEX_VERTEX ||
				             (v[1] != v[2] && pair->nearest == RBL_NEAREST_VERTEX_EDGE));
				rbl_vec3 a = s.surface->positions[1][v[1]], b = s.surface->positions[1][v[2]];
				rbl_vec3 p = rbl_add(a, rbl_scale(pair->u, rbl_sub(b, a)));
				CHECK(t, rbl_length(rbl_sub(p, pair->points[1])) < 1e-5f && pair->v == 0.0f);
			}
		}
		CHECK(t, next == list.count);
		rbl_destroy_surface(s.surface);
	}
	CHECK(t, found > 200 && of_points > 10 && of_edges > 10 && repeated > 10);
}

// Hits are those of brute force, and what comes within the thickness at some time is among them.
static void sweeps_list_what_brute_force_lists(test *t)
{
	int found = 0, of_loose = 0;
	for (int run = 0; run < test_count(6, 300); ++run) {
		rbl_random random = rbl_random_from_seed(140 + (uint64_t)run);
		float thickness = run % 3 == 0 ? 0.0f : 0.12f;
		loose_scene s = make_scene(t, &random, run % 2, thickness);
		rbl_surface_hits hits;
		move_all(t, &s, &random, 0.6f);
		CHECK(t, rbl_surface_update(s.surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
		CHECK(t, rbl_surface_sweep(s.surface, &hits) == RBL_OK);
		features f = { s.surface, 0, 0, -1 };
		int v[4], next = 0;
		float first = 1.0f;
		while (next_features(&f, v)) {
			rbl_vec3d start[4], end[4];
			rbl_impact impact;
			for (int i = 0; i < 4; ++i) {
				start[i] = rbl_to_d(s.surface->positions[0][v[i]]);
				end[i] = rbl_to_d(s.surface->positions[1][v[i]]);
			}
			bool is_face = f.kind == RBL_HIT_VERTEX_FACE;
			(is_face ? rbl_test_vertex_face : rbl_test_edge_edge)(start, end, (double)thickness,
			                                                      &impact);
			bool is_next = next < hits.count && (int)hits.hits[next].kind == f.kind &&
			               hits.hits[next].a == f.a && hits.hits[next].b == f.b;
			CHECK(t, is_next == impact.is_hit);
			bool is_loose = is_face && v[2] == v[3];
			for (int k = 0; k <= 8 && thickness > 0.0f && is_loose && !is_next; ++k)
				CHECK(t, closest_at(s.surface, f.kind, v, k / 8.0).distance >
				             0.9999 * (double)thickness);
			if (!is_next)
				continue;
			const rbl_surface_hit *hit = &hits.hits[next++];
			found++, of_loose += is_loose;
			first = hit->is_parting ? first : rbl_minf(first, hit->time);
			CHECK(t, closest_at(s.surface, f.kind, v, (double)hit->time).distance <=
			             1.1 * (double)thickness + 1e-6);
		}
		CHECK(t, next == hits.count);
		float share;
		CHECK(t, rbl_surface_max_step(s.surface, 1.0f, &share) == RBL_OK && share == first);
		int count;
		CHECK(t, rbl_surface_keep_candidates(s.surface, thickness, &count) == RBL_OK);
		CHECK(t, rbl_surface_max_step(s.surface, 1.0f, &share) == RBL_OK && share == first);
		rbl_destroy_surface(s.surface);
	}
	CHECK(t, found > 100 && of_loose > 20);
}

static void what_loose_bodies_cannot_do_is_refused(test *t)
{
	rbl_random random = rbl_random_from_seed(7);
	loose_scene s = make_scene(t, &random, true, 0.1f);
	rbl_surface_pairs pairs;
	CHECK(t, rbl_surface_update(s.surface, RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_collide(s.surface, &pairs) == RBL_OK);
	for (int i = 0; i < pairs.count; ++i)
		CHECK(t, !rbl_surface_is_loose(s.surface, pairs.pairs[i].a) &&
		             !rbl_surface_is_loose(s.surface, pairs.pairs[i].b));
	rbl_surface_split_def split = rbl_default_surface_split_def();
	rbl_surface_edit_def edit = rbl_default_surface_edit_def();
	rbl_surface_body_id pieces[2], both[2] = { s.sheet, s.dust };
	int labels[256] = { 0 };
	split.piece_count = 1, split.labels = labels;
	CHECK(t, rbl_surface_split(s.surface, s.sheet, &split, pieces) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_edit(s.surface, s.hair, &edit, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_merge(s.surface, both, 2, NULL, 0) == RBL_BAD_ARGUMENT);
	rbl_surface_data data = rbl_surface_get_data(s.surface);
	rbl_surface_body_data hair = rbl_surface_body_get_data(s.surface, s.hair);
	CHECK(t, hair.triangle_count == STRANDS * (STRAND - 1));
	CHECK(t, data.triangle_user_ids[hair.triangles[0]] == 701);
	// The nearest point of all is a particle, where it is.
	rbl_surface_body_data dust = rbl_surface_body_get_data(s.surface, s.dust);
	rbl_surface_nearest_point nearest;
	rbl_vec3 p = data.ends[dust.vertices[3]];
	CHECK(t, rbl_surface_find_nearest(s.surface, p, 1.0f, ~0u, &nearest) == RBL_OK);
	CHECK(t, nearest.distance == 0.0f);
	rbl_surface_body_def def = rbl_default_surface_body_def();
	int edges[2] = { 0, 0 }, points[1] = { 5 };
	rbl_surface_body_id body;
	def.vertex_count = 2, def.positions = data.ends;
	CHECK(t, rbl_surface_add(s.surface, &def, &body) == RBL_BAD_ARGUMENT);
	def.edge_count = 1, def.edges = edges;
	CHECK(t, rbl_surface_add(s.surface, &def, &body) == RBL_BAD_ARGUMENT);
	def.edge_count = 0, def.point_count = 1, def.points = points;
	CHECK(t, rbl_surface_add(s.surface, &def, &body) == RBL_BAD_ARGUMENT);
	def.points = NULL;
	CHECK(t, rbl_surface_add(s.surface, &def, &body) == RBL_BAD_ARGUMENT);
	def.point_count = -1;
	CHECK(t, rbl_surface_add(s.surface, &def, &body) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_remove(s.surface, s.hair) == RBL_OK);
	CHECK(t, rbl_surface_update(s.surface, RBL_SURFACE_DISCRETE) == RBL_OK);
	rbl_destroy_surface(s.surface);
}

static void every_allocation_may_fail(test *t)
{
	bool is_done = false;
	for (int n = 0; !is_done && n < 2000; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_surface_def def = rbl_default_surface_def();
		def.allocator = FAULTY(&memory);
		loose_scene s = { .surface = NULL };
		rbl_random random = rbl_random_from_seed(11);
		rbl_surface_near_pairs list;
		rbl_result result = rbl_create_surface(&def, &s.surface);
		if (result == RBL_OK)
			result = add_bodies(&s, &random, false, 0.1f);
		if (result == RBL_OK)
			result = rbl_surface_update(s.surface, RBL_SURFACE_DISCRETE);
		if (result == RBL_OK)
			result = rbl_surface_proximity(s.surface, 0.2f, &list);
		rbl_destroy_surface(s.surface);
		CHECK(t, memory.live_bytes == 0);
		is_done = !memory.failed;
		CHECK(t, is_done ? result == RBL_OK : result == RBL_OUT_OF_MEMORY || result == RBL_OK);
	}
	CHECK(t, is_done);
}

TEST_MAIN(TEST(proximity_lists_what_brute_force_lists), TEST(sweeps_list_what_brute_force_lists),
          TEST(what_loose_bodies_cannot_do_is_refused), TEST(every_allocation_may_fail))
