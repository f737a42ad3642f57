// SPDX-License-Identifier: MIT
// ctest: soak
// Edits: random ones against brute force, whatever fails, and without a look at the rest.

#include "faulty_allocator.h"
#include "surface/reference.h"

#include <rubble/surface_edit.h>

enum { MOST = 12 };

// A random edit of a body: what may be said in one.
typedef struct random_edit {
	rbl_surface_edit_def def;
	int changed[MOST], labels[MOST], corners[MOST], corner_vertices[MOST];
	int parents[3 * MOST], triangles[3 * MOST], triangle_labels[MOST];
	double weights[3 * MOST];
} random_edit;

static int any_triangle(const rbl_surface_body_data *data, rbl_random *random)
{
	return data->triangles[rbl_random_below(random, (uint32_t)data->triangle_count)];
}

static void name(random_edit *e, int triangle, int label)
{
	for (int i = 0; i < e->def.changed_count; ++i)
		if (e->changed[i] == triangle)
			return;
	e->labels[e->def.changed_count] = label;
	e->changed[e->def.changed_count++] = triangle;
}

// A vertex inside a triangle, and three triangles in its place.
static void cut_triangle(random_edit *e, const int *v, int triangle, rbl_random *random)
{
	double a = 0.2 + 0.1 * (double)rbl_random_below(random, 4);
	int made = e->def.vertex_count++;
	for (int k = 0; k < 3; ++k) {
		e->parents[3 * made + k] = v[k];
		e->weights[3 * made + k] = k == 0 ? a : 0.5 * (1.0 - a);
		int *corners = e->triangles + 3 * e->def.triangle_count++;
		corners[0] = v[k], corners[1] = v[(k + 1) % 3], corners[2] = -1 - made;
	}
	name(e, triangle, -1);
}

// A corner leaves its vertex.
static void tear_corner(random_edit *e, const int *v, int triangle, rbl_random *random)
{
	int k = (int)rbl_random_below(random, 3), made = e->def.vertex_count++;
	for (int i = 0; i < 3; ++i)
		e->parents[3 * made + i] = i == 0 ? v[k] : -1, e->weights[3 * made + i] = i == 0;
	e->corners[e->def.corner_count] = 3 * triangle + k;
	e->corner_vertices[e->def.corner_count++] = -1 - made;
}

static void choose_edit(random_edit *e, const rbl_surface *s, rbl_surface_body_id body,
                        rbl_random *random)
{
	rbl_surface_body_data data = rbl_surface_body_get_data(s, body);
	*e = (random_edit){ .def = rbl_default_surface_edit_def() };
	rbl_surface_edit_def *def = &e->def;
	def->changed = e->changed, def->changed_labels = e->labels;
	def->corners = e->corners, def->corner_vertices = e->corner_vertices;
	def->parents = e->parents, def->weights = e->weights;
	def->triangles = e->triangles, def->triangle_labels = e->triangle_labels;
	int triangle = any_triangle(&data, random);
	const int *v = s->triangles + 3 * triangle;
	switch (rbl_random_below(random, 6)) {
	case 0: // some go
		for (int i = (int)rbl_random_below(random, 5); i >= 0; --i)
			name(e, any_triangle(&data, random), -1);
		break;
	case 1:
		cut_triangle(e, v, triangle, random);
		break;
	case 2:
		tear_corner(e, v, triangle, random);
		break;
	case 3: { // a cluster and some others become a piece
		const rbl_surface_cluster *c = &s->cluster_data[s->clusters[triangle]];
		def->piece_count = 2;
		for (int lane = 0; lane < c->count; ++lane)
			name(e, c->triangles[lane], 1);
		for (int i = 0; i < 3; ++i)
			name(e, any_triangle(&data, random), (int)rbl_random_below(random, 3) - 1);
		break;
	}
	case 4: // a triangle anywhere
		for (int k = 0; k < 3; ++k)
			e->triangles[k] = data.vertices[rbl_random_below(random, (uint32_t)data.vertex_count)];
		def->triangle_count = 1;
		break;
	default: // back into the hole: a twin side gets a triangle
		e->triangles[0] = v[1], e->triangles[1] = v[0], e->triangles[2] = -1;
		def->triangle_count = def->vertex_count = 1;
		for (int k = 0; k < 3; ++k)
			e->parents[k] = v[k], e->weights[k] = k == 2 ? -0.5 : 0.75;
	}
}

static rbl_surface_body_id any_body(const rbl_surface *s, rbl_random *random)
{
	for (;;) {
		int slot = (int)rbl_random_below(random, (uint32_t)s->bodies.count);
		if (!rbl_id_pool_is_live(&s->ids, slot))
			continue;
		rbl_id id = rbl_id_pool_at(&s->ids, slot);
		return (rbl_surface_body_id){ id.index, id.generation };
	}
}

static bool lists_have_places(const rbl_surface *s, rbl_surface_body_id id)
{
	const rbl_surface_body *body = &s->bodies.data[id.index];
	bool is_good = true;
	for (int i = 0; body->has_places && i < body->triangles.count; ++i)
		is_good &= s->triangle_places[body->triangles.data[i]] == i;
	for (int i = 0; body->has_places && i < body->vertices.count; ++i)
		is_good &= s->vertex_places[body->vertices.data[i]] == i;
	for (int i = 0; i < s->triangle_end; ++i)
		is_good &= s->triangle_entries[i] == 0;
	for (int i = 0; i < s->vertex_end; ++i)
		is_good &= s->vertex_scratch[i] == 0;
	return is_good;
}

static void wobble(test *t, rbl_surface *s, rbl_surface_body_id body, rbl_random *random)
{
	rbl_surface_body_data data = rbl_surface_body_get_data(s, body);
	rbl_vec3 *ends = malloc((size_t)data.vertex_count * sizeof *ends);
	for (int i = 0; i < data.vertex_count; ++i) {
		ends[i] = s->positions[1][data.vertices[i]];
		ends[i].z += 0.2f * ((float)rbl_random_below(random, 100) * 0.01f - 0.5f);
	}
	CHECK(t, rbl_surface_move(s, body, NULL, ends) == RBL_OK);
	free(ends);
}

// --- a surface made anew ------------------------------------------------------------------------

// A pair of features by vertices of the edited surface, whichever triangle has them.
typedef struct feature_pair {
	int vertices[6];
} feature_pair;

static void order(int *values, int count)
{
	for (int i = 1; i < count; ++i)
		for (int k = i; k > 0 && values[k - 1] > values[k]; --k) {
			int value = values[k];
			values[k] = values[k - 1], values[k - 1] = value;
		}
}

static int compare_pairs(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(feature_pair));
}

// @param names  by vertex, NULL: their ids
static feature_pair name_pair(const rbl_surface *s, const int *names, int kind, int a, int b)
{
	feature_pair p = { { -1, -1, -1, -1, -1, -1 } };
	int *v = p.vertices;
	bool is_face[2] = { kind == RBL_HIT_TRIANGLES, kind != RBL_HIT_EDGE_EDGE };
	int counts[2] = { is_face[0] ? 3 : kind == RBL_HIT_EDGE_EDGE ? 2 : 1, is_face[1] ? 3 : 2 };
	for (int side = 0, at = 0; side < 2; at += counts[side++])
		for (int k = 0; k < counts[side]; ++k) {
			int feature = side == 0 ? a : b;
			int vertex = counts[side] == 3   ? s->triangles[3 * feature + k]
			             : counts[side] == 1 ? feature
			             : k == 0            ? s->triangles[feature]
			                                 : s->triangles[rbl_surface_next(feature)];
			v[at + k] = names ? names[vertex] : vertex;
		}
	order(v, counts[0]);
	order(v + counts[0], counts[1]);
	// Of two alike the lower comes first.
	if (counts[0] == counts[1] && memcmp(v, v + counts[0], (size_t)counts[0] * sizeof *v) > 0)
		for (int k = 0; k < counts[0]; ++k) {
			int value = v[k];
			v[k] = v[counts[0] + k], v[counts[0] + k] = value;
		}
	return p;
}

enum { PAIRS, HITS, NEAR_PAIRS };

// Ask a surface, and list what it finds. @return how many
static int list_found(test *t, rbl_surface *s, const int *names, int what, feature_pair **list)
{
	rbl_surface_pairs pairs = { NULL, 0 };
	rbl_surface_hits hits = { NULL, 0 };
	rbl_surface_near_pairs nears = { NULL, 0 };
	if (what == PAIRS)
		CHECK(t, rbl_surface_collide(s, &pairs) == RBL_OK);
	else if (what == HITS)
		CHECK(t, rbl_surface_sweep(s, &hits) == RBL_OK);
	else
		CHECK(t, rbl_surface_proximity(s, 0.21f, &nears) == RBL_OK);
	int count = pairs.count + hits.count + nears.count;
	*list = malloc((size_t)(count + 1) * sizeof **list);
	for (int i = 0; i < count; ++i)
		(*list)[i] =
			what == PAIRS
				? name_pair(s, names, RBL_HIT_TRIANGLES, pairs.pairs[i].a, pairs.pairs[i].b)
			: what == HITS
				? name_pair(s, names, (int)hits.hits[i].kind, hits.hits[i].a, hits.hits[i].b)
				: name_pair(s, names, (int)nears.pairs[i].kind, nears.pairs[i].a, nears.pairs[i].b);
	qsort(*list, (size_t)count, sizeof **list, compare_pairs);
	return count;
}

// A surface of the same triangles, from scratch. @param names  receives what its vertices are called
static rbl_surface *make_anew(test *t, const rbl_surface *s, int *names)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *fresh;
	CHECK(t, rbl_create_surface(&def, &fresh) == RBL_OK);
	int *places = malloc((size_t)s->vertex_end * sizeof *places);
	rbl_vec3 *ways = malloc(2 * (size_t)s->vertex_end * sizeof *ways);
	int *corners = malloc(3 * (size_t)s->triangle_end * sizeof *corners);
	for (int slot = 0; slot < s->bodies.count; ++slot) {
		const rbl_surface_body *b = &s->bodies.data[slot];
		if (!rbl_id_pool_is_live(&s->ids, slot))
			continue;
		rbl_surface_body_def body_def = rbl_default_surface_body_def();
		for (int i = 0; i < b->vertices.count; ++i) {
			int v = b->vertices.data[i];
			places[v] = i;
			ways[i] = s->positions[0][v], ways[s->vertex_end + i] = s->positions[1][v];
		}
		for (int i = 0; i < 3 * b->triangles.count; ++i)
			corners[i] = places[s->triangles[3 * b->triangles.data[i / 3] + i % 3]];
		body_def.vertex_count = b->vertices.count, body_def.positions = ways;
		body_def.triangle_count = b->triangles.count, body_def.triangles = corners;
		rbl_surface_body_id id;
		CHECK(t, rbl_surface_add(fresh, &body_def, &id) == RBL_OK);
		CHECK(t, rbl_surface_move(fresh, id, ways, ways + s->vertex_end) == RBL_OK);
		rbl_surface_body_data data = rbl_surface_body_get_data(fresh, id);
		for (int i = 0; i < data.vertex_count; ++i)
			names[data.vertices[i]] = b->vertices.data[i];
	}
	free(places);
	free(ways);
	free(corners);
	return fresh;
}

// Pairs, hits and distances are those of a surface that was made like this. @return how many
static int compare_with_one_made_anew(test *t, rbl_surface *s)
{
	int found = 0;
	for (int what = PAIRS; what <= NEAR_PAIRS; ++what) {
		rbl_surface_motion motion = what == HITS ? RBL_SURFACE_CONTINUOUS : RBL_SURFACE_DISCRETE;
		int *names = malloc((size_t)s->vertex_end * sizeof *names);
		CHECK(t, rbl_surface_update(s, motion) == RBL_OK);
		rbl_surface *fresh = make_anew(t, s, names);
		CHECK(t, rbl_surface_update(fresh, motion) == RBL_OK);
		feature_pair *own, *other;
		int count = list_found(t, s, NULL, what, &own);
		CHECK(t, list_found(t, fresh, names, what, &other) == count);
		CHECK(t, memcmp(own, other, (size_t)count * sizeof *own) == 0);
		found += count;
		free(own);
		free(other);
		free(names);
		rbl_destroy_surface(fresh);
	}
	return found;
}

static void random_edits_find_what_brute_force_finds(test *t)
{
	int found = 0, compared = 0, done = 0, refused = 0;
	for (int run = 0; run < test_count(6, 20000); ++run) {
		rbl_random random = rbl_random_from_seed((uint64_t)run + 1);
		rbl_surface_def def = rbl_default_surface_def();
		rbl_surface *s;
		CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
		reference_mesh sheet = reference_sheet(7, 7), torus = reference_torus(7, 6);
		if (run % 3 != 0)
			reference_crumple(&sheet, &random);
		reference_add(t, s, &sheet);
		reference_add(t, s, &torus);
		for (int i = 0; i < 50; ++i) {
			random_edit e;
			rbl_surface_body_id body = any_body(s, &random), pieces[2];
			if (rbl_random_below(&random, 4) == 0)
				wobble(t, s, body, &random);
			choose_edit(&e, s, body, &random);
			rbl_result result = rbl_surface_edit(s, body, &e.def, pieces);
			CHECK(t, result == RBL_OK || result == RBL_BAD_ARGUMENT);
			done += result == RBL_OK, refused += result != RBL_OK;
			CHECK(t, lists_have_places(s, body));
			const char *wrong = i % 5 == 0 ? reference_check_surface(s) : NULL;
			if (wrong)
				printf("run %d edit %d: %s\n", run, i, wrong);
			CHECK(t, !wrong);
			if (i % 3 == 0)
				found += reference_check_query(t, s, rbl_random_below(&random, 2) == 0);
			if (i % 25 == 24)
				compared += compare_with_one_made_anew(t, s);
		}
		reference_mesh_free(&sheet);
		reference_mesh_free(&torus);
		rbl_destroy_surface(s);
	}
	CHECK(t, found > 0 && compared > 0 && done > 4 * refused && refused > 0);
}

static void parents_and_weights_give_position_and_motion(test *t)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *s;
	CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
	reference_mesh sheet = reference_sheet(5, 5);
	rbl_surface_body_id body = reference_add(t, s, &sheet);
	rbl_random random = rbl_random_from_seed(3);
	CHECK(t, rbl_surface_update(s, RBL_SURFACE_CONTINUOUS) == RBL_OK);
	wobble(t, s, body, &random);
	random_edit e = { .def = rbl_default_surface_edit_def() };
	e.def.changed = e.changed, e.def.parents = e.parents, e.def.weights = e.weights;
	e.def.triangles = e.triangles;
	const int *v = s->triangles + 3 * 4;
	cut_triangle(&e, v, 4, &random);
	int old[3] = { v[0], v[1], v[2] };
	CHECK(t, rbl_surface_edit(s, body, &e.def, NULL) == RBL_OK);
	rbl_surface_body_data data = rbl_surface_body_get_data(s, body);
	int made = data.vertices[data.vertex_count - 1];
	for (int time = 0; time < 2; ++time) {
		double x = 0.0, z = 0.0;
		for (int k = 0; k < 3; ++k) {
			x += e.weights[k] * (double)s->positions[time][old[k]].x;
			z += e.weights[k] * (double)s->positions[time][old[k]].z;
		}
		CHECK(t, s->positions[time][made].x == (float)x && s->positions[time][made].z == (float)z);
	}
	reference_mesh_free(&sheet);
	rbl_destroy_surface(s);
}

// What surfaces keep beside floats: doubles and the names that their owner gave.
static void new_vertices_have_doubles_and_names(test *t)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *s;
	CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
	rbl_vec3d points[4] = {
		{ 0.1, 0.2, 1e-9 }, { 1.1, 0.2, 0.3 }, { 1.1 / 3.0, 1.2, 0.7 }, { 1.3, 1.4 / 3.0, 0.1 }
	};
	const int corners[6] = { 0, 1, 2, 1, 3, 2 }, names[4] = { 10, 11, 12, 13 }, faces[2] = { 5, 6 };
	rbl_surface_body_def body_def = rbl_default_surface_body_def();
	body_def.vertex_count = 4, body_def.input = (rbl_surface_positions){ points, 0, true };
	body_def.triangle_count = 2, body_def.triangles = corners;
	body_def.vertex_user_ids = names, body_def.triangle_user_ids = faces;
	rbl_surface_body_id body, pieces[2];
	CHECK(t, rbl_surface_add(s, &body_def, &body) == RBL_OK);
	rbl_surface_edit_def edit = rbl_default_surface_edit_def();
	const int changed[2] = { 0, 1 }, labels[2] = { -1, 1 }, parents[3] = { 0, 1, 2 }, user_id = 14;
	const int made[9] = { 0, 1, -1, 1, 2, -1, 2, 0, -1 }, made_faces[3] = { 5, 5, 7 };
	const double weights[3] = { 0.3, 0.3, 0.4 };
	edit.piece_count = 2, edit.changed_count = 2, edit.changed = changed;
	edit.changed_labels = labels;
	edit.vertex_count = 1, edit.parents = parents, edit.weights = weights;
	edit.vertex_user_ids = &user_id, edit.triangle_user_ids = made_faces;
	edit.triangle_count = 3, edit.triangles = made;
	CHECK(t, rbl_surface_edit(s, body, &edit, pieces) == RBL_OK);
	rbl_surface_body_data second = rbl_surface_body_get_data(s, pieces[1]);
	CHECK(t, second.vertex_count == 3);
	rbl_surface_data data = rbl_surface_get_data(s);
	for (int i = 0; i < second.vertex_count; ++i) { // copies of 1 and 2, and 3
		int vertex = second.vertices[i], name = data.vertex_user_ids[vertex];
		CHECK(t, name >= 11 && name <= 13);
		rbl_vec3d p = rbl_surface_exact(s, vertex, 1), q = points[name - 10];
		CHECK(t, p.x == q.x && p.y == q.y && p.z == q.z);
	}
	rbl_surface_body_data first = rbl_surface_body_get_data(s, pieces[0]);
	int at = first.vertices[first.vertex_count - 1];
	CHECK(t, data.vertex_user_ids[at] == 14);
	rbl_vec3d p = rbl_surface_exact(s, at, 1);
	CHECK(t, fabs(p.x - (0.3 * points[0].x + 0.3 * points[1].x + 0.4 * points[2].x)) < 1e-15);
	CHECK(t, s->bodies.data[pieces[0].index].settings.roundings[1] > 0.0f);
	for (int i = 0; i < 3; ++i)
		CHECK(t, data.triangle_user_ids[first.triangles[i]] == made_faces[i]);
	rbl_destroy_surface(s);
}

// Without memory nothing changes, and the next attempt goes through.
static void every_allocation_of_an_edit_may_fail(test *t)
{
	int failures = 0;
	for (int kind = 0; kind < 12; ++kind)
		for (int n = 0;; ++n) {
			faulty_allocator memory;
			rbl_surface_def def = rbl_default_surface_def();
			faulty_init(&memory, LLONG_MAX);
			def.allocator = (rbl_allocator){ faulty_allocate, faulty_release, &memory };
			rbl_surface *s;
			CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
			reference_mesh torus = reference_torus(8, 6);
			rbl_surface_body_id body = reference_add(t, s, &torus), pieces[2];
			rbl_random random = rbl_random_from_seed((uint64_t)kind);
			random_edit e;
			choose_edit(&e, s, body, &random);
			int before = s->triangle_count;
			atomic_store(&memory.allowed, n), atomic_store(&memory.failing, 1);
			rbl_result result = rbl_surface_edit(s, body, &e.def, pieces);
			bool has_failed = result == RBL_OUT_OF_MEMORY;
			atomic_store(&memory.allowed, LLONG_MAX);
			if (has_failed) {
				failures++;
				CHECK(t, s->triangle_count == before);
				CHECK(t, !reference_check_surface(s));
				CHECK(t, rbl_surface_edit(s, body, &e.def, pieces) != RBL_OUT_OF_MEMORY);
			}
			CHECK(t, !reference_check_surface(s));
			reference_mesh_free(&torus);
			rbl_destroy_surface(s);
			if (!has_failed)
				break;
		}
	CHECK(t, failures > 20);
}

// An edit and its update look at what is around, however large the body is.
static void an_update_after_an_edit_visits_few_nodes(test *t)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *s;
	CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
	reference_mesh sheet = reference_sheet(150, 150);
	rbl_surface_body_id body = reference_add(t, s, &sheet);
	rbl_random random = rbl_random_from_seed(9);
	for (int i = 0; i < 40; ++i) {
		CHECK(t, rbl_surface_update(s, RBL_SURFACE_DISCRETE) == RBL_OK);
		CHECK(t, i < 3 || rbl_surface_get_stats(s).fitted_nodes < 600);
		random_edit e;
		choose_edit(&e, s, body, &random);
		rbl_surface_body_id pieces[2];
		(void)rbl_surface_edit(s, body, &e.def, pieces);
		CHECK(t, i < 3 || !s->has_unlisted_stale);
	}
	reference_mesh_free(&sheet);
	rbl_destroy_surface(s);
}

TEST_MAIN(TEST(random_edits_find_what_brute_force_finds),
          TEST(parents_and_weights_give_position_and_motion),
          TEST(new_vertices_have_doubles_and_names), TEST(every_allocation_of_an_edit_may_fail),
          TEST(an_update_after_an_edit_visits_few_nodes))
