// SPDX-License-Identifier: MIT
// ctest: soak
// Filters of single pairs: excluded triangles, what is near at rest, a callback. Queries list what
// they list without filters, but for what is not wanted. And sides of hits.

#include "surface/reference.h"

#include "faulty_allocator.h"

#include <rubble/surface.h>

enum { QUERIES = 4 }; // pairs, hits, near at one instant, near over a step

// What a query lists.
typedef struct found {
	int kind, a, b;
} found;

typedef struct listing {
	found *items;
	int count;
} listing;

// Crumpled sheets that lie through each other and move somewhat.
static rbl_surface *make_sheets(test *t, uint64_t seed, float thickness)
{
	rbl_random random = rbl_random_from_seed(seed);
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *s;
	def.thickness = thickness;
	CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
	for (int i = 0; i < 3; ++i) {
		reference_mesh mesh = reference_sheet(5, 4);
		reference_crumple(&mesh, &random);
		reference_add(t, s, &mesh);
		reference_mesh_free(&mesh);
	}
	return s;
}

// A step in which every vertex goes a little way, the same in every call.
static void move_all(test *t, rbl_surface *s)
{
	for (int slot = 0; slot < s->bodies.count; ++slot) {
		if (!rbl_id_pool_is_live(&s->ids, slot))
			continue;
		const rbl_surface_body *body = &s->bodies.data[slot];
		rbl_vec3 *start = malloc(2 * (size_t)body->vertices.count * sizeof *start);
		rbl_vec3 *end = start + body->vertices.count;
		for (int i = 0; i < body->vertices.count; ++i) {
			int v = body->vertices.data[i];
			start[i] = s->positions[1][v];
			end[i] = rbl_add(start[i], (rbl_vec3){ 0.1f * (float)(v % 3), 0.05f * (float)(v % 2),
			                                       0.07f * (float)(v % 5 - 2) });
		}
		rbl_surface_body_id id = { (uint32_t)slot, s->ids.generations[slot] };
		CHECK(t, rbl_surface_move(s, id, start, end) == RBL_OK);
		free(start);
	}
}

static listing ask(test *t, rbl_surface *s, int query, float distance)
{
	rbl_surface_pairs pairs = { NULL, 0 };
	rbl_surface_hits hits = { NULL, 0 };
	rbl_surface_near_pairs near_pairs = { NULL, 0 };
	bool is_swept = query % 2;
	CHECK(t, rbl_surface_update(s, is_swept ? RBL_SURFACE_CONTINUOUS : RBL_SURFACE_DISCRETE) ==
	             RBL_OK);
	rbl_result result = query == 0   ? rbl_surface_collide(s, &pairs)
	                    : query == 1 ? rbl_surface_sweep(s, &hits)
	                                 : rbl_surface_proximity(s, distance, &near_pairs);
	CHECK(t, result == RBL_OK);
	listing list = { NULL, pairs.count + hits.count + near_pairs.count };
	list.items = malloc((size_t)(list.count + 1) * sizeof *list.items);
	for (int i = 0; i < pairs.count; ++i)
		list.items[i] = (found){ RBL_HIT_TRIANGLES, pairs.pairs[i].a, pairs.pairs[i].b };
	for (int i = 0; i < hits.count; ++i)
		list.items[i] = (found){ (int)hits.hits[i].kind, hits.hits[i].a, hits.hits[i].b };
	for (int i = 0; i < near_pairs.count; ++i)
		list.items[i] =
			(found){ (int)near_pairs.pairs[i].kind, near_pairs.pairs[i].a, near_pairs.pairs[i].b };
	return list;
}

// Whether a predicate tells the difference between two lists. @return how much is left out, -1: no
typedef bool is_wanted(const void *context, const rbl_surface *s, found f);

static int compare(const rbl_surface *s, listing all, listing some, is_wanted *wanted,
                   const void *context)
{
	int k = 0;
	for (int i = 0; i < all.count; ++i) {
		if (!wanted(context, s, all.items[i]))
			continue;
		if (k == some.count || memcmp(&all.items[i], &some.items[k++], sizeof(found)) != 0)
			return -1;
	}
	return k == some.count ? all.count - some.count : -1;
}

static bool has(const rbl_surface *s, int triangle, int v)
{
	const int *c = s->triangles + 3 * triangle;
	return c[0] == v || c[1] == v || c[2] == v;
}

// --- excluded triangles -------------------------------------------------------------------------

typedef struct excluded {
	rbl_surface_pair *pairs;
	int count;
} excluded;

// By its definition: every pair that is excluded, both ways.
static bool is_not_excluded(const void *context, const rbl_surface *s, found f)
{
	const excluded *e = context;
	for (int i = 0; i < 2 * e->count; ++i) {
		int p = i % 2 ? e->pairs[i / 2].b : e->pairs[i / 2].a;
		int q = i % 2 ? e->pairs[i / 2].a : e->pairs[i / 2].b;
		bool is_it = f.kind == RBL_HIT_TRIANGLES     ? f.a == p && f.b == q
		             : f.kind == RBL_HIT_VERTEX_FACE ? f.b == q && has(s, p, f.a)
		                                             : false;
		if (f.kind == RBL_HIT_EDGE_EDGE)
			is_it = has(s, p, s->triangles[f.a]) && has(s, q, s->triangles[f.b]) &&
			        has(s, p, s->triangles[rbl_surface_next(f.a)]) &&
			        has(s, q, s->triangles[rbl_surface_next(f.b)]);
		if (is_it)
			return false;
	}
	return true;
}

static void excluded_triangles_are_not_listed(test *t)
{
	int left_out[QUERIES] = { 0 };
	for (int round = 0; round < test_count(8, 200); ++round) {
		for (int query = 0; query < QUERIES; ++query) {
			rbl_surface *s = make_sheets(t, (uint64_t)round + 1, 0.05f), *other;
			other = make_sheets(t, (uint64_t)round + 1, 0.05f);
			rbl_surface_pairs pairs;
			CHECK(t, rbl_surface_update(s, RBL_SURFACE_DISCRETE) == RBL_OK);
			CHECK(t, rbl_surface_collide(s, &pairs) == RBL_OK);
			excluded e = { calloc((size_t)pairs.count + 1, sizeof *e.pairs), 0 };
			for (int i = 0; i < pairs.count; i += 2)
				e.pairs[e.count++] = i % 4
				                         ? pairs.pairs[i]
				                         : (rbl_surface_pair){ pairs.pairs[i].b, pairs.pairs[i].a };
			// What is listed can be handed over as it is; some is allowed again.
			CHECK(t, rbl_surface_exclude_triangles(s, pairs.pairs, pairs.count, true) == RBL_OK);
			CHECK(t, rbl_surface_update(s, RBL_SURFACE_DISCRETE) == RBL_OK);
			CHECK(t, rbl_surface_collide(s, &pairs) == RBL_OK && pairs.count == 0);
			rbl_surface_pairs all_pairs;
			CHECK(t, rbl_surface_update(other, RBL_SURFACE_DISCRETE) == RBL_OK);
			CHECK(t, rbl_surface_collide(other, &all_pairs) == RBL_OK);
			CHECK(t, rbl_surface_exclude_triangles(s, all_pairs.pairs, all_pairs.count, false) ==
			             RBL_OK);
			CHECK(t, s->excluded_pairs.count == 0);
			CHECK(t, rbl_surface_exclude_triangles(s, e.pairs, e.count, true) == RBL_OK);
			CHECK(t, rbl_surface_exclude_triangles(s, e.pairs, e.count, true) == RBL_OK);
			CHECK(t, s->excluded_pairs.count == 2 * e.count);
			move_all(t, s);
			move_all(t, other);
			listing some = ask(t, s, query, 0.1f), all = ask(t, other, query, 0.1f);
			int less = compare(s, all, some, is_not_excluded, &e);
			CHECK(t, less >= 0);
			left_out[query] += less;
			free(some.items);
			free(all.items);
			free(e.pairs);
			rbl_destroy_surface(s);
			rbl_destroy_surface(other);
		}
	}
	for (int query = 0; query < QUERIES; ++query)
		CHECK(t, left_out[query] > 20);
}

// Searches leave it out as well.
static void searches_leave_it_out(test *t)
{
	rbl_vec3 points[6] = { { -4, 0, -4 }, { 0, 0, 5 },    { 4, 0, -4 },
		                   { 0, 1, 0 },   { 0.5f, 2, 0 }, { 0, 2, 0.5f } };
	const int triangles[6] = { 0, 1, 2, 3, 4, 5 };
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface_body_def body_def = rbl_default_surface_body_def();
	rbl_surface *s;
	rbl_surface_body_id body;
	CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
	body_def.vertex_count = 6, body_def.positions = points;
	body_def.triangle_count = 2, body_def.triangles = triangles;
	CHECK(t, rbl_surface_add(s, &body_def, &body) == RBL_OK);
	rbl_vec3 start[6];
	memcpy(start, points, sizeof start);
	for (int i = 3; i < 6; ++i)
		points[i].y -= 2.0f;
	const rbl_surface_pair pair = { 0, 1 };
	for (int is_excluded = 0; is_excluded < 2; ++is_excluded) {
		float share;
		int kept;
		bool has_hit, has_pair;
		CHECK(t, rbl_surface_exclude_triangles(s, &pair, 1, is_excluded) == RBL_OK);
		CHECK(t, rbl_surface_move(s, body, start, points) == RBL_OK);
		CHECK(t, rbl_surface_update(s, RBL_SURFACE_CONTINUOUS) == RBL_OK);
		for (int i = 0; i < 2; ++i) {
			CHECK(t, rbl_surface_max_step(s, 1.0f, &share) == RBL_OK);
			CHECK(t, is_excluded ? share == 1.0f : share <= 0.5f && share > 0.49f);
			CHECK(t, rbl_surface_has_hit(s, 1.0f, &has_hit) == RBL_OK && has_hit == !is_excluded);
			CHECK(t, rbl_surface_keep_candidates(s, 0.5f, &kept) == RBL_OK && kept > 0);
		}
		rbl_surface_near_pairs list;
		CHECK(t, rbl_surface_proximity_at(s, 0.5f, 0.5f, &list) == RBL_OK);
		CHECK(t, (list.count == 0) == is_excluded);
		CHECK(t, rbl_surface_update(s, RBL_SURFACE_DISCRETE) == RBL_OK);
		CHECK(t, rbl_surface_has_pair(s, &has_pair) == RBL_OK && has_pair == !is_excluded);
	}
	rbl_destroy_surface(s);
}

// What a triangle is excluded from goes with it, and not with its id.
static void exclusions_live_as_long_as_triangles(test *t)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *s;
	reference_mesh mesh = reference_sheet(2, 1);
	CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
	rbl_surface_body_id bodies[2];
	for (int i = 0; i < 2; ++i) // one upon the other
		bodies[i] = reference_add(t, s, &mesh);
	rbl_surface_pairs pairs;
	CHECK(t, rbl_surface_update(s, RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_collide(s, &pairs) == RBL_OK && pairs.count > 4);
	CHECK(t, rbl_surface_exclude_triangles(s, pairs.pairs, pairs.count, true) == RBL_OK);
	int all = s->excluded_pairs.count;
	// A split and a merge keep them.
	rbl_surface_split_def split = rbl_default_surface_split_def();
	const int labels[4] = { 0, 0, 1, 1 };
	split.piece_count = 2, split.labels = labels;
	rbl_surface_body_id pieces[2];
	CHECK(t, rbl_surface_split(s, bodies[1], &split, pieces) == RBL_OK);
	CHECK(t, rbl_surface_update(s, RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_collide(s, &pairs) == RBL_OK);
	for (int i = 0; i < pairs.count; ++i) // sides of the crack touch each other
		CHECK(t, pairs.pairs[i].a >= 4 && pairs.pairs[i].b >= 4);
	CHECK(t, rbl_surface_merge(s, pieces, 2, NULL, 0) == RBL_OK && s->excluded_pairs.count == all);
	// Removed and added again: the same ids, and nothing is excluded.
	CHECK(t, rbl_surface_remove(s, pieces[0]) == RBL_OK && s->excluded_pairs.count == 0);
	reference_add(t, s, &mesh);
	CHECK(t, rbl_surface_update(s, RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_collide(s, &pairs) == RBL_OK && 2 * pairs.count == all);
	reference_mesh_free(&mesh);
	rbl_destroy_surface(s);
}

// --- callback -----------------------------------------------------------------------------------

static bool is_odd(void *user, rbl_surface_hit_kind kind, int a, int b)
{
	(void)user;
	return (a + b + (int)kind) % 2 != 0;
}

static bool callback_allows(const void *context, const rbl_surface *s, found f)
{
	(void)context;
	(void)s;
	return is_odd(NULL, (rbl_surface_hit_kind)f.kind, f.a, f.b);
}

static void a_callback_has_the_last_word(test *t)
{
	for (int query = 0; query < QUERIES; ++query) {
		rbl_surface *s = make_sheets(t, 5, 0.05f);
		move_all(t, s);
		listing all = ask(t, s, query, 0.1f);
		// Bodies rest now; what is known of them must not be taken from the last list.
		listing resting = ask(t, s, query, 0.1f);
		CHECK(t, rbl_surface_set_pair_callback(s, is_odd, NULL) == RBL_OK);
		listing some = ask(t, s, query, 0.1f);
		CHECK(t, compare(s, resting, some, callback_allows, NULL) > 5);
		CHECK(t, rbl_surface_set_pair_callback(s, NULL, NULL) == RBL_OK);
		listing again = ask(t, s, query, 0.1f);
		CHECK(t, again.count == resting.count && all.count > 10);
		free(all.items);
		free(resting.items);
		free(some.items);
		free(again.items);
		rbl_destroy_surface(s);
	}
}

// --- rest shape ---------------------------------------------------------------------------------

// A cloth with edges of 6 mm and a thickness of 5 mm.
static rbl_surface *make_cloth(test *t, bool keeps_rest_shape, bool is_folded,
                               rbl_surface_body_id *body)
{
	enum { SIDE = 8 };
	reference_mesh mesh = reference_sheet(SIDE, SIDE);
	rbl_vec3 *folded = malloc((size_t)mesh.vertex_count * sizeof *folded);
	for (int i = 0; i < mesh.vertex_count; ++i) {
		rbl_vec3 *p = &mesh.positions[i];
		*p = rbl_scale(0.006f, *p);
		folded[i] = *p;
		if (is_folded && p->x > 0.5f * SIDE * 0.006f)
			folded[i].x = SIDE * 0.006f - p->x, folded[i].z = 0.003f;
	}
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface_body_def body_def = rbl_default_surface_body_def();
	rbl_surface *s;
	def.thickness = 0.005f;
	CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
	body_def.vertex_count = mesh.vertex_count, body_def.positions = folded;
	body_def.rest_positions = mesh.positions;
	body_def.triangle_count = mesh.triangle_count, body_def.triangles = mesh.triangles;
	body_def.keeps_rest_shape = keeps_rest_shape;
	CHECK(t, rbl_surface_add(s, &body_def, body) == RBL_OK);
	reference_mesh_free(&mesh);
	free(folded);
	return s;
}

typedef struct rest_context {
	const rbl_surface *s; // with the rest shape
	double distance;
} rest_context;

static bool is_far_at_rest(const void *context, const rbl_surface *s, found f)
{
	const rest_context *c = context;
	bool is_face = f.kind == RBL_HIT_VERTEX_FACE;
	const int *t = s->triangles;
	if (f.kind == RBL_HIT_TRIANGLES)
		return true;
	const int v[4] = { is_face ? f.a : t[f.a], is_face ? t[3 * f.b] : t[rbl_surface_next(f.a)],
		               is_face ? t[3 * f.b + 1] : t[f.b],
		               is_face ? t[3 * f.b + 2] : t[rbl_surface_next(f.b)] };
	rbl_vec3d p[4];
	rbl_closest closest;
	for (int i = 0; i < 4; ++i)
		p[i] = rbl_to_d(c->s->rest_positions.data[v[i]]);
	rbl_ccd_closest(is_face ? RBL_CCD_VERTEX_FACE : RBL_CCD_EDGE_EDGE, p, &closest);
	return closest.distance >= c->distance;
}

static void what_is_near_at_rest_does_not_count(test *t)
{
	int left_out = 0, listed = 0;
	for (int is_folded = 0; is_folded < 2; ++is_folded)
		for (int query = 0; query < QUERIES; ++query) {
			rbl_surface_body_id body, other;
			rbl_surface *plain = make_cloth(t, false, is_folded, &other);
			rbl_surface *s = make_cloth(t, true, is_folded, &body);
			listing all = ask(t, plain, query, 0.005f), some = ask(t, s, query, 0.005f);
			rest_context c = { s, (double)0.005f };
			int less = compare(s, all, some, is_far_at_rest, &c);
			CHECK(t, less >= 0);
			CHECK(t, is_folded || query == 0 || (less > 100 && some.count == 0));
			left_out += less, listed += some.count;
			free(all.items);
			free(some.items);
			rbl_destroy_surface(plain);
			rbl_destroy_surface(s);
		}
	printf("%d left out, %d listed\n", left_out, listed);
	CHECK(t, left_out > 1000 && listed > 1000);
}

static bool has_vertex(const rbl_surface *s, found f, int vertex)
{
	const int *t = s->triangles;
	if (f.kind == RBL_HIT_VERTEX_FACE)
		return f.a == vertex || has(s, f.b, vertex);
	return t[f.a] == vertex || t[rbl_surface_next(f.a)] == vertex || t[f.b] == vertex ||
	       t[rbl_surface_next(f.b)] == vertex;
}

// Copies of vertices have the rest shape, new ones when it is said.
static void pieces_keep_their_rest_shape(test *t)
{
	for (int is_said = 0; is_said < 2; ++is_said) {
		rbl_surface_body_id body, pieces[2];
		rbl_surface *s = make_cloth(t, true, false, &body);
		int labels[128];
		for (int i = 0; i < 128; ++i)
			labels[i] = i == 127 ? -1 : i >= 64;
		const int *last = s->triangles + 3 * 127;
		rbl_vec3 middle = rbl_scale(
			1.0f / 3.0f, rbl_add(s->positions[1][last[0]],
		                         rbl_add(s->positions[1][last[1]], s->positions[1][last[2]])));
		const int triangles[9] = {
			last[0], last[1], -1, last[1], last[2], -1, last[2], last[0], -1
		};
		const int new_labels[3] = { 1, 1, 1 };
		rbl_surface_split_def split = rbl_default_surface_split_def();
		split.piece_count = 2, split.labels = labels;
		split.vertex_count = 1, split.positions = &middle;
		split.rest_positions = is_said ? &middle : NULL;
		split.triangle_count = 3, split.triangles = triangles, split.triangle_labels = new_labels;
		CHECK(t, rbl_surface_split(s, body, &split, pieces) == RBL_OK);
		// The pieces leave each other alone.
		CHECK(t, rbl_surface_exclude_bodies(s, pieces[0], pieces[1], true) == RBL_OK);
		listing list = ask(t, s, 2, 0.005f);
		CHECK(t, (list.count == 0) == is_said);
		for (int i = 0; i < list.count; ++i) // all that is listed has the new vertex
			CHECK(t, has_vertex(s, list.items[i], s->vertex_end - 1));
		free(list.items);
		// Bodies that are merged forget it.
		CHECK(t, rbl_surface_merge(s, pieces, 2, NULL, 0) == RBL_OK);
		list = ask(t, s, 2, 0.005f);
		CHECK(t, list.count > 100);
		free(list.items);
		rbl_destroy_surface(s);
	}
}

// --- normals and sides --------------------------------------------------------------------------

// With a thickness a normal is the direction between the closest points, however they move: of a
// point beside a box, above, below, beside an edge, that comes, goes or rests.
static void normals_and_sides_are_true(test *t)
{
	rbl_vec3 corners[8];
	for (int i = 0; i < 8; ++i)
		corners[i] = (rbl_vec3){ (float)(i & 1), (float)(i >> 1 & 1), (float)(i >> 2) };
	int faces[36] = { 0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
		              2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5 };
	int triangle[3] = { 0, 1, 2 }, sides[2] = { 0, 0 }, checked = 0, at_start = 0;
	rbl_random random = rbl_random_from_seed(17);
	for (int round = 0; round < test_count(1500, 20000); ++round) {
		rbl_vec3 needle[3], end[3];
		rbl_vec3d at = { rbl_random_range(&random, -0.3, 1.3), rbl_random_range(&random, -0.3, 1.3),
			             rbl_random_range(&random, -0.3, 1.3) };
		rbl_vec3 motion = rbl_to_f(rbl_scale_d(round % 3 ? 0.2 : 0.0, rbl_random_in_ball(&random)));
		needle[0] = needle[1] = needle[2] = rbl_to_f(at);
		needle[1].x += 1e-3f, needle[2].y += 1e-3f;
		for (int i = 0; i < 3; ++i)
			end[i] = rbl_add(needle[i], motion);
		reference_mesh box = { corners, faces, 8, 12 }, point = { needle, triangle, 3, 1 };
		rbl_surface_def def = rbl_default_surface_def();
		def.thickness = 0.1f;
		rbl_surface *s;
		CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
		reference_add(t, s, &box);
		rbl_surface_body_id body = reference_add(t, s, &point);
		CHECK(t, rbl_surface_move(s, body, needle, end) == RBL_OK);
		rbl_surface_hits hits;
		CHECK(t, rbl_surface_update(s, RBL_SURFACE_CONTINUOUS) == RBL_OK);
		CHECK(t, rbl_surface_sweep(s, &hits) == RBL_OK);
		double least = 1e30;
		int nearest = -1;
		for (int i = 0; i < hits.count; ++i) {
			const rbl_surface_hit *h = &hits.hits[i];
			if (h->kind != RBL_HIT_VERTEX_FACE || h->a != 8)
				continue;
			rbl_vec3d p[4];
			rbl_closest closest;
			p[0] = rbl_add_scaled_d(rbl_to_d(needle[0]), (double)h->time, rbl_to_d(motion));
			for (int k = 0; k < 3; ++k)
				p[1 + k] = rbl_to_d(corners[faces[3 * h->b + k]]);
			rbl_ccd_closest(RBL_CCD_VERTEX_FACE, p, &closest);
			if (closest.distance < 1e-3)
				continue;
			CHECK(t, rbl_dot_d(rbl_to_d(h->normal), closest.direction) > 0.9999);
			checked++, at_start += h->is_at_start;
			if (h->is_at_start && closest.distance < least)
				least = closest.distance, nearest = i;
		}
		bool is_inside =
			at.x > 0.0 && at.x < 1.0 && at.y > 0.0 && at.y < 1.0 && at.z > 0.0 && at.z < 1.0;
		if (nearest >= 0) {
			CHECK(t, rbl_surface_hit_side(s, &hits.hits[nearest]) == (is_inside ? -1 : 1));
			sides[is_inside]++;
		}
		rbl_destroy_surface(s);
	}
	printf("%d checked, %d at the start, %d outside, %d inside\n", checked, at_start, sides[0],
	       sides[1]);
	CHECK(t, checked > 200 && at_start > 100 && sides[0] > 20 && sides[1] > 20);
	CHECK(t, rbl_surface_hit_side(NULL, NULL) == 0);
}

// --- refusals -----------------------------------------------------------------------------------

static void bad_pairs_are_refused(test *t)
{
	rbl_surface *s = make_sheets(t, 3, 0.0f);
	const rbl_surface_pair bad[4] = { { 0, 0 }, { -1, 2 }, { 0, 1 << 20 }, { 3, -7 } };
	for (int i = 0; i < 4; ++i) {
		const rbl_surface_pair two[2] = { { 0, 1 }, bad[i] };
		CHECK(t, rbl_surface_exclude_triangles(s, two, 2, true) == RBL_BAD_ARGUMENT);
		CHECK(t, s->excluded_pairs.count == 0);
	}
	const rbl_surface_pair good = { 0, 1 };
	CHECK(t, rbl_surface_exclude_triangles(NULL, &good, 1, true) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_exclude_triangles(s, NULL, 1, true) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_exclude_triangles(s, &good, -1, true) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_exclude_triangles(s, NULL, 0, true) == RBL_OK);
	CHECK(t, rbl_surface_set_pair_callback(NULL, NULL, NULL) == RBL_BAD_ARGUMENT);
	rbl_destroy_surface(s);
}

static void filters_survive_failed_allocations(test *t)
{
	reference_mesh mesh = reference_sheet(3, 3);
	bool is_done = false;
	for (int n = 0; !is_done && n < 400; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, LLONG_MAX / 2);
		rbl_surface_def def = rbl_default_surface_def();
		def.allocator = FAULTY(&memory);
		rbl_surface *s;
		CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
		reference_add(t, s, &mesh);
		rbl_surface_body_def body_def = rbl_default_surface_body_def();
		body_def.vertex_count = mesh.vertex_count, body_def.positions = mesh.positions;
		body_def.triangle_count = mesh.triangle_count, body_def.triangles = mesh.triangles;
		body_def.keeps_rest_shape = true;
		rbl_surface_body_id body;
		const rbl_surface_pair pairs[2] = { { 0, 1 }, { 2, 5 } };
		atomic_store(&memory.allowed, n);
		rbl_result added = rbl_surface_add(s, &body_def, &body);
		rbl_result result = rbl_surface_exclude_triangles(s, pairs, 2, true);
		CHECK(t, added == RBL_OK || added == RBL_OUT_OF_MEMORY);
		CHECK(t, result == RBL_OK || result == RBL_OUT_OF_MEMORY);
		CHECK(t, s->excluded_pairs.count == (result == RBL_OK ? 4 : 0));
		is_done = added == RBL_OK && result == RBL_OK;
		faulty_rest(&memory);
		if (added != RBL_OK)
			CHECK(t, rbl_surface_add(s, &body_def, &body) == RBL_OK);
		listing list = ask(t, s, 0, 0.0f);
		CHECK(t, list.count > 0);
		free(list.items);
		rbl_destroy_surface(s);
		CHECK(t, memory.live_bytes == 0);
	}
	CHECK(t, is_done);
	reference_mesh_free(&mesh);
}

TEST_MAIN(TEST(excluded_triangles_are_not_listed), TEST(searches_leave_it_out),
          TEST(exclusions_live_as_long_as_triangles), TEST(a_callback_has_the_last_word),
          TEST(what_is_near_at_rest_does_not_count), TEST(pieces_keep_their_rest_shape),
          TEST(normals_and_sides_are_true), TEST(bad_pairs_are_refused),
          TEST(filters_survive_failed_allocations))
