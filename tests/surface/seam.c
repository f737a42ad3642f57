// SPDX-License-Identifier: MIT
// ctest: threads soak
// Pieces that touch along fresh cracks: what seams list is what single tests find, bit for bit.

#include "base/kernel.h"
#include "faulty_allocator.h"
#include "surface/reference.h"
#include "worker_pool.h"

#include <rubble/surface.h>

enum { MOST_PIECES = 6 };

typedef struct broken {
	rbl_surface *surface;
	rbl_surface_body_id pieces[MOST_PIECES];
	int count;
} broken;

/// What a round is like; from one number, so that it can be made again.
typedef struct recipe {
	uint64_t seed;
	rbl_jobs *jobs;
	const rbl_allocator *allocator;
	float thickness;
	bool has_seams; // false: pairs that touch go the way of all others
} recipe;

// A sheet or list of neighbours, flat, crumpled, or with vertices on so coarse a grid that some of
// them coincide, and triangles collapse.
static reference_mesh make_mesh(rbl_random *random)
{
	int width = 3 + (int)rbl_random_below(random, 5), height = 3 + (int)rbl_random_below(random, 5);
	reference_mesh mesh = rbl_random_below(random, 2) ? reference_sheet(width, height)
	                                                  : reference_torus(width, height);
	switch (rbl_random_below(random, 4)) {
	case 0:
		reference_crumple(&mesh, random);
		break;
	case 1:
		for (int i = 0; i < mesh.vertex_count; ++i)
			mesh.positions[i] =
				(rbl_vec3){ floorf(mesh.positions[i].x * 0.7f), floorf(mesh.positions[i].y * 0.6f),
				            (float)rbl_random_below(random, 2) };
		break;
	case 2: // edges of three triangles
		for (int i = 0; i < 3 * mesh.triangle_count; ++i)
			mesh.triangles[i] = mesh.triangles[i] == 1 ? mesh.vertex_count / 2 : mesh.triangles[i];
		break;
	default:
		break;
	}
	for (int i = 0; i < mesh.triangle_count; ++i) { // a triangle has three vertices
		const int *t = mesh.triangles + 3 * i;
		if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) {
			memcpy(mesh.triangles + 3 * i, mesh.triangles + 3 * (mesh.triangle_count - 1),
			       3 * sizeof(int));
			mesh.triangle_count--, i--;
		}
	}
	return mesh;
}

// Break a body into pieces, in strips or anywhere, with faces of its own on both sides of a crack.
static rbl_result split(broken *b, rbl_random *random)
{
	rbl_surface_body_data body = rbl_surface_body_get_data(b->surface, b->pieces[0]);
	int pieces = 1 + (int)rbl_random_below(random, MOST_PIECES), labels[512];
	bool is_anywhere = rbl_random_below(random, 2), is_closed = rbl_random_below(random, 2);
	if (pieces > body.triangle_count)
		pieces = body.triangle_count;
	for (int i = 0; i < body.triangle_count; ++i)
		labels[i] = i < pieces    ? i
		            : is_anywhere ? (int)rbl_random_below(random, (uint32_t)pieces)
		                          : i * pieces / body.triangle_count;
	rbl_surface_split_def def = rbl_default_surface_split_def();
	def.piece_count = pieces, def.labels = labels;
	rbl_vec3 added[2] = { rbl_surface_get_data(b->surface).ends[body.vertices[0]],
		                  { 0.5f, 0.5f, 0.5f } };
	const int v[2] = { body.vertices[body.vertex_count / 2], body.vertices[body.vertex_count - 1] };
	const int triangles[12] = { -1, v[0], v[1], -1, v[1], v[0], -2, v[0], -1, -2, -1, v[0] };
	const int triangle_labels[4] = { 0, pieces - 1, 0, pieces - 1 };
	if (is_closed) {
		def.vertex_count = 2, def.positions = added;
		def.triangle_count = 4, def.triangles = triangles, def.triangle_labels = triangle_labels;
	}
	b->count = pieces;
	return rbl_surface_split(b->surface, b->pieces[0], &def, b->pieces);
}

// Some pieces fly apart or into each other, some bend, some rest, and some snap to a grid, so that
// vertices end at one place that were apart.
static rbl_result move(broken *b, rbl_random *random)
{
	rbl_result result = RBL_OK;
	for (int p = 0; p < b->count && result == RBL_OK; ++p) {
		rbl_surface_body_data body = rbl_surface_body_get_data(b->surface, b->pieces[p]);
		rbl_surface_data all = rbl_surface_get_data(b->surface);
		rbl_vec3 translation = rbl_to_f(rbl_scale_d(0.5, rbl_random_in_ball(random))), ends[512];
		uint32_t kind = rbl_random_below(random, 5);
		for (int i = 0; i < body.vertex_count; ++i) {
			ends[i] = rbl_add(all.ends[body.vertices[i]], translation);
			if (kind == 4)
				ends[i] =
					(rbl_vec3){ 0.5f * floorf(2.0f * ends[i].x), 0.5f * floorf(2.0f * ends[i].y),
					            0.5f * floorf(2.0f * ends[i].z) };
			if (kind == 1)
				ends[i] = rbl_add(ends[i], rbl_to_f(rbl_scale_d(0.2, rbl_random_in_ball(random))));
		}
		if (kind != 0)
			result = rbl_surface_move(b->surface, b->pieces[p], NULL, ends);
	}
	return result;
}

static void forget_seams(rbl_surface *surface)
{
	for (int i = 0; i < surface->bodies.count; ++i)
		surface->bodies.data[i].self.may_have_seams = false;
}

typedef struct answers {
	rbl_surface_hit *hits;
	int count, capacity;
	int places; // of all queries
} answers;

static void keep(answers *all, rbl_surface_hits hits)
{
	if (all->count + hits.count > all->capacity) {
		all->capacity = 2 * (all->count + hits.count);
		all->hits = realloc(all->hits, (size_t)all->capacity * sizeof *all->hits);
	}
	for (int i = 0; i < hits.count; ++i)
		all->hits[all->count++] = hits.hits[i];
}

static bool is_same_hit(const rbl_surface_hit *a, const rbl_surface_hit *b)
{
	return a->kind == b->kind && a->a == b->a && a->b == b->b &&
	       memcmp(&a->time, &b->time, sizeof a->time) == 0 && a->is_at_start == b->is_at_start &&
	       a->is_parting == b->is_parting && memcmp(&a->u, &b->u, 2 * sizeof a->u) == 0 &&
	       memcmp(&a->normal, &b->normal, sizeof a->normal) == 0;
}

// What the single test says about the features of a hit.
static rbl_surface_hit test_alone(const rbl_surface *s, const rbl_surface_hit *hit)
{
	bool is_face = hit->kind == RBL_HIT_VERTEX_FACE;
	int v[4];
	if (is_face) {
		v[0] = hit->a;
		memcpy(v + 1, s->triangles + 3 * hit->b, 3 * sizeof(int));
	} else {
		v[0] = s->triangles[hit->a], v[1] = s->triangles[rbl_surface_next(hit->a)];
		v[2] = s->triangles[hit->b], v[3] = s->triangles[rbl_surface_next(hit->b)];
	}
	rbl_vec3d start[4], end[4];
	for (int i = 0; i < 4; ++i)
		start[i] = rbl_to_d(s->positions[0][v[i]]), end[i] = rbl_to_d(s->positions[1][v[i]]);
	rbl_impact impact = { .is_hit = false };
	(is_face ? rbl_test_vertex_face : rbl_test_edge_edge)(start, end, (double)s->def.thickness,
	                                                      &impact);
	rbl_surface_hit result = { .kind = hit->kind,
		                       .a = hit->a,
		                       .b = hit->b,
		                       .is_at_start = impact.is_contact_at_start,
		                       .time = (float)impact.time,
		                       .u = (float)impact.weights[is_face ? 1 : 0],
		                       .v = (float)impact.weights[is_face ? 2 : 1],
		                       .normal = rbl_to_f(impact.normal) };
	if ((double)result.time > impact.time)
		result.time = nextafterf(result.time, 0.0f);
	result.is_parting = hit->is_parting; // is for the surface to say
	if (!impact.is_hit)
		result.a = -1;
	return result;
}

static void reference_answer(test *t, const rbl_surface *surface, rbl_surface_hits hits)
{
	CHECK(t, reference_check_hits(surface, hits) == 0);
	for (int i = 0; i < hits.count; ++i) {
		rbl_surface_hit alone = test_alone(surface, &hits.hits[i]);
		CHECK(t, is_same_hit(&alone, &hits.hits[i]));
	}
}

// Break, move and ask, some times over.
// @param t  NULL: nothing is checked
static rbl_result play(test *t, const recipe *r, answers *all)
{
	rbl_random random = rbl_random_from_seed(r->seed);
	rbl_surface_def def = rbl_default_surface_def();
	def.jobs = r->jobs, def.thickness = r->thickness;
	if (r->allocator)
		def.allocator = *r->allocator;
	broken b = { .count = 1 };
	reference_mesh mesh = make_mesh(&random);
	rbl_surface_body_def body_def = rbl_default_surface_body_def();
	body_def.vertex_count = mesh.vertex_count, body_def.positions = mesh.positions;
	body_def.triangle_count = mesh.triangle_count, body_def.triangles = mesh.triangles;
	rbl_result result = rbl_create_surface(&def, &b.surface);
	if (result == RBL_OK)
		result = rbl_surface_add(b.surface, &body_def, &b.pieces[0]);
	for (int step = 0; step < 5 && result == RBL_OK; ++step) {
		if (step % 3 == 0)
			result = split(&b, &random);
		if (!r->has_seams)
			forget_seams(b.surface);
		if (result == RBL_OK && step != 1)
			result = move(&b, &random);
		rbl_surface_hits hits = { NULL, 0 };
		if (result == RBL_OK)
			result = rbl_surface_update(b.surface, RBL_SURFACE_CONTINUOUS);
		if (result == RBL_OK)
			result = rbl_surface_sweep(b.surface, &hits);
		if (result == RBL_OK && t)
			reference_answer(t, b.surface, hits);
		if (result == RBL_OK && all) {
			all->places += b.surface->places ? b.surface->place_count : 0;
			keep(all, hits);
		}
	}
	rbl_destroy_surface(b.surface);
	reference_mesh_free(&mesh);
	return result;
}

static void hits_at_seams_are_those_of_single_tests(test *t)
{
	answers all = { NULL, 0, 0, 0 };
	int starts = 0;
	for (int i = 0; i < test_count(40, 3000); ++i)
		CHECK(t, play(t, &(recipe){ .seed = (uint64_t)i, .has_seams = true }, &all) == RBL_OK);
	for (int i = 0; i < all.count; ++i)
		starts += all.hits[i].is_at_start;
	CHECK(t, all.places > 100 && starts > 1000 && starts < all.count);
	free(all.hits);
}

static bool are_same(const answers *a, const answers *b)
{
	if (a->count != b->count)
		return false;
	for (int i = 0; i < a->count; ++i)
		if (!is_same_hit(&a->hits[i], &b->hits[i]))
			return false;
	return true;
}

static void seams_change_nothing(test *t)
{
	for (int i = 0; i < test_count(60, 5000); ++i) {
		answers with = { NULL, 0, 0, 0 }, without = { NULL, 0, 0, 0 };
		recipe r = { .seed = 1000 + (uint64_t)i, .has_seams = true };
		CHECK(t, play(NULL, &r, &with) == RBL_OK);
		r.has_seams = false;
		CHECK(t, play(NULL, &r, &without) == RBL_OK);
		CHECK(t, without.places == 0 && are_same(&with, &without));
		free(with.hits);
		free(without.hits);
	}
}

static void workers_change_nothing(test *t)
{
	for (int i = 0; i < test_count(6, 60); ++i) {
		answers first = { NULL, 0, 0, 0 };
		for (int workers = 1; workers <= 3; ++workers) {
			rbl_jobs *jobs = create_pool(workers);
			answers all = { NULL, 0, 0, 0 };
			recipe r = { .seed = 7000 + (uint64_t)i, .jobs = jobs, .has_seams = true };
			CHECK(t, play(NULL, &r, workers == 1 ? &first : &all) == RBL_OK);
			CHECK(t, workers == 1 || are_same(&first, &all));
			free(all.hits);
			rbl_destroy_jobs(jobs);
		}
		free(first.hits);
	}
}

static void back_ends_change_nothing(test *t)
{
	rbl_backend best = rbl_current_backend();
	for (int i = 0; i < test_count(10, 300); ++i) {
		recipe r = { .seed = 9000 + (uint64_t)i, .has_seams = true };
		answers first = { NULL, 0, 0, 0 };
		CHECK(t, rbl_force_backend(RBL_BACKEND_PLAIN));
		CHECK(t, play(NULL, &r, &first) == RBL_OK);
		for (int backend = RBL_BACKEND_FOUR; backend < RBL_BACKEND_COUNT; ++backend) {
			answers all = { NULL, 0, 0, 0 };
			if (!rbl_force_backend((rbl_backend)backend))
				continue;
			CHECK(t, play(NULL, &r, &all) == RBL_OK && are_same(&first, &all));
			free(all.hits);
		}
		free(first.hits);
	}
	rbl_force_backend(best);
}

// What shares a place touches whatever the thickness is, and what comes near is found beside it.
static void a_thickness_keeps_seams(test *t)
{
	const float thickness[3] = { 0.01f, 0.1f, 0.4f };
	int places = 0, others = 0;
	for (int i = 0; i < test_count(24, 1500); ++i) {
		answers with = { NULL, 0, 0, 0 }, without = { NULL, 0, 0, 0 };
		recipe r = { .seed = 400 + (uint64_t)i, .thickness = thickness[i % 3], .has_seams = true };
		CHECK(t, play(t, &r, &with) == RBL_OK);
		r.has_seams = false;
		CHECK(t, play(NULL, &r, &without) == RBL_OK);
		CHECK(t, without.places == 0 && are_same(&with, &without));
		places += with.places;
		for (int k = 0; k < with.count; ++k)
			others += with.hits[k].is_parting || !with.hits[k].is_at_start;
		free(with.hits);
		free(without.hits);
	}
	CHECK(t, places > 100 && others > 1000);
}

// Splits drop vertices that nothing uses, merges may bring such.
static void vertices_without_triangles_have_no_place(test *t)
{
	reference_mesh sheet = reference_sheet(2, 2);
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	rbl_surface_body_id bodies[3] = { reference_add(t, surface, &sheet) };
	const int labels[8] = { 0, 0, 0, 0, 1, 1, 1, 1 };
	rbl_surface_split_def split_def = rbl_default_surface_split_def();
	split_def.piece_count = 2, split_def.labels = labels;
	CHECK(t, rbl_surface_split(surface, bodies[0], &split_def, bodies) == RBL_OK);
	rbl_vec3 far_off[4] = { { 9.0f, 0.0f, 0.0f }, { 9.0f, 1.0f, 0.0f }, { 9.0f, 0.0f, 1.0f } };
	far_off[3] = sheet.positions[4]; // on the crack
	int corners[3] = { 0, 1, 2 };
	const reference_mesh other = { far_off, corners, 4, 1 };
	bodies[2] = reference_add(t, surface, &other);
	const rbl_surface_body_id merged[2] = { bodies[0], bodies[2] };
	CHECK(t, rbl_surface_merge(surface, merged, 2, NULL, 0) == RBL_OK);
	CHECK(t, reference_check_query(t, surface, true) > 0 && surface->place_count == 3);
	CHECK(t, surface->placed_count == 6);
	rbl_destroy_surface(surface);
	reference_mesh_free(&sheet);
}

static void running_out_of_memory_is_told(test *t)
{
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_allocator allocator = FAULTY(&memory);
		recipe r = { .seed = 12, .allocator = &allocator, .has_seams = true };
		rbl_result result = play(NULL, &r, NULL);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed) {
			CHECK(t, result == RBL_OK && n > 50);
			break;
		}
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
}

TEST_MAIN(TEST(hits_at_seams_are_those_of_single_tests), TEST(seams_change_nothing),
          TEST(workers_change_nothing), TEST(back_ends_change_nothing),
          TEST(a_thickness_keeps_seams), TEST(vertices_without_triangles_have_no_place),
          TEST(running_out_of_memory_is_told))
