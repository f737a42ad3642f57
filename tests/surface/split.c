// SPDX-License-Identifier: MIT
// ctest: threads soak
// What a split promises: triangles keep ids and order, a vertex stays with the first piece that
// uses it, copies say where they come from, and what was on its way goes on from where it was.

#include "surface/comparison.h"
#include "surface/reference.h"

#include "faulty_allocator.h"

#include <rubble/jobs.h>
#include <rubble/surface.h>

enum { MOST_PIECES = 4, MOST_TRIANGLES = 128, MOST_VERTICES = 256 };

// A body before it is split.
typedef struct before {
	int triangles[MOST_TRIANGLES], corners[3 * MOST_TRIANGLES], labels[MOST_TRIANGLES];
	int vertices[MOST_VERTICES], keepers[MOST_VERTICES]; // keepers by vertex id
	rbl_vec3 starts[MOST_VERTICES], ends[MOST_VERTICES]; // by vertex id
	int triangle_count, vertex_count, pieces;
} before;

static before project_lanes(test *t, const rbl_surface *surface, rbl_surface_body_id body)
{
	before b = { .pieces = 0 };
	rbl_surface_body_data data = rbl_surface_body_get_data(surface, body);
	rbl_surface_data all = rbl_surface_get_data(surface);
	b.triangle_count = data.triangle_count, b.vertex_count = data.vertex_count;
	CHECK(t, all.vertex_end <= MOST_VERTICES && data.triangle_count <= MOST_TRIANGLES);
	memcpy(b.triangles, data.triangles, (size_t)data.triangle_count * sizeof(int));
	memcpy(b.vertices, data.vertices, (size_t)data.vertex_count * sizeof(int));
	memcpy(b.starts, all.starts, (size_t)all.vertex_end * sizeof(rbl_vec3));
	memcpy(b.ends, all.ends, (size_t)all.vertex_end * sizeof(rbl_vec3));
	for (int i = 0; i < 3 * b.triangle_count; ++i)
		b.corners[i] = all.triangles[3 * b.triangles[i / 3] + i % 3];
	return b;
}

static void choose_labels(before *b, rbl_random *random)
{
	b->pieces = 1 + (int)rbl_random_below(random, MOST_PIECES);
	int run = 1 + (int)rbl_random_below(random, 12), goes = (int)rbl_random_below(random, 2);
	for (int i = 0; i < MOST_VERTICES; ++i)
		b->keepers[i] = -1;
	for (int i = 0; i < b->triangle_count; ++i) {
		b->labels[i] = (i / run * 7 + 3) % b->pieces;
		if (goes && rbl_random_below(random, 6) == 0)
			b->labels[i] = -1;
		if (i < b->pieces)
			b->labels[i] = b->pieces - 1 - i; // each has something
	}
	for (int i = 0; i < 3 * b->triangle_count; ++i) {
		int label = b->labels[i / 3], *keeper = &b->keepers[b->corners[i]];
		if (label >= 0 && (*keeper < 0 || label < *keeper))
			*keeper = label;
	}
}

static bool is_same(rbl_vec3 a, rbl_vec3 b)
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

// The triangles of a piece and their corners.
static void check_triangles(test *t, const rbl_surface *surface, const before *b,
                            const rbl_surface_body_id *pieces)
{
	int seen[MOST_PIECES] = { 0 };
	rbl_surface_data all = rbl_surface_get_data(surface);
	for (int i = 0; i < b->triangle_count; ++i) {
		int label = b->labels[i];
		if (label < 0)
			continue;
		rbl_surface_body_data piece = rbl_surface_body_get_data(surface, pieces[label]);
		CHECK(t, seen[label] < piece.triangle_count &&
		             piece.triangles[seen[label]] == b->triangles[i]);
		seen[label]++;
		for (int k = 0; k < 3; ++k) {
			int old = b->corners[3 * i + k], now = all.triangles[3 * b->triangles[i] + k];
			CHECK(t, (now == old) == (b->keepers[old] == label) && all.origins[now] == old);
			CHECK(t, is_same(all.starts[now], b->starts[old]));
			CHECK(t, is_same(all.ends[now], b->ends[old]));
		}
	}
	for (int p = 0; p < b->pieces; ++p)
		CHECK(t, rbl_surface_body_get_data(surface, pieces[p]).triangle_count == seen[p]);
}

// The vertices of a piece: those of the body that it uses, or copies of them, in their old order.
static void check_vertices(test *t, const rbl_surface *surface, const before *b,
                           const rbl_surface_body_id *pieces)
{
	for (int p = 0; p < b->pieces; ++p) {
		rbl_surface_body_data piece = rbl_surface_body_get_data(surface, pieces[p]);
		rbl_surface_data all = rbl_surface_get_data(surface);
		int at = 0;
		for (int i = 0; i < b->vertex_count; ++i) {
			bool is_used = false;
			for (int k = 0; k < 3 * b->triangle_count; ++k)
				is_used |= b->corners[k] == b->vertices[i] && b->labels[k / 3] == p;
			if (!is_used)
				continue;
			CHECK(t, at < piece.vertex_count && all.origins[piece.vertices[at]] == b->vertices[i]);
			at++;
		}
		CHECK(t, at == piece.vertex_count);
	}
}

static void pieces_are_what_was_asked_for(test *t)
{
	for (int round = 0; round < test_count(120, 12000); ++round) {
		rbl_random random = rbl_random_from_seed((uint64_t)round);
		rbl_surface_def def = rbl_default_surface_def();
		rbl_surface *surface;
		CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
		reference_mesh mesh = round % 3 ? reference_sheet(6, 5) : reference_torus(6, 5);
		if (round % 2)
			reference_crumple(&mesh, &random);
		rbl_surface_body_id body = reference_add(t, surface, &mesh), pieces[MOST_PIECES];
		if (round % 5)
			reference_check_query(t, surface, round % 7 == 0);
		for (int i = 0; i < mesh.vertex_count; ++i)
			mesh.positions[i] =
				(rbl_vec3){ mesh.positions[i].y, -mesh.positions[i].x, mesh.positions[i].z + 0.5f };
		if (round % 4)
			CHECK(t, rbl_surface_move(surface, body, NULL, mesh.positions) == RBL_OK);
		else
			CHECK(t, rbl_surface_move_vertices(surface, body,
			                                   rbl_surface_body_get_data(surface, body).vertices, 5,
			                                   mesh.positions) == RBL_OK);
		before b = project_lanes(t, surface, body);
		choose_labels(&b, &random);
		rbl_surface_split_def split = rbl_default_surface_split_def();
		split.piece_count = b.pieces, split.labels = b.labels;
		CHECK(t, rbl_surface_split(surface, body, &split, pieces) == RBL_OK);
		check_triangles(t, surface, &b, pieces);
		check_vertices(t, surface, &b, pieces);
		reference_check_query(t, surface, true);
		check_triangles(t, surface, &b, pieces); // still on its way
		CHECK(t, !reference_check_surface(surface));
		rbl_destroy_surface(surface);
		reference_mesh_free(&mesh);
	}
}

// Move corners elsewhere: fans touch at vertices without a shared edge, and more than two triangles
// at edges.
static void entangle(reference_mesh *mesh, rbl_random *random)
{
	int used = 8 + (int)rbl_random_below(random, (uint32_t)mesh->vertex_count - 8);
	for (int i = 0; i < mesh->triangle_count; ++i) {
		int *v = mesh->triangles + 3 * i, k = (int)rbl_random_below(random, 6);
		int to = (int)rbl_random_below(random, (uint32_t)used);
		if (k < 3 && to != v[0] && to != v[1] && to != v[2])
			v[k] = to;
	}
}

static void split_and_check(test *t, rbl_surface *surface, rbl_surface_body_id body, before *b,
                            rbl_random *random, rbl_surface_body_id *pieces)
{
	*b = project_lanes(t, surface, body);
	choose_labels(b, random);
	rbl_surface_split_def split = rbl_default_surface_split_def();
	split.piece_count = b->pieces, split.labels = b->labels;
	CHECK(t, rbl_surface_split(surface, body, &split, pieces) == RBL_OK);
	check_triangles(t, surface, b, pieces);
	check_vertices(t, surface, b, pieces);
	CHECK(t, !reference_check_surface(surface));
	for (int i = 0; i < surface->vertex_end; ++i)
		CHECK(t, surface->vertex_scratch[i] == 0);
}

// Vertices that pieces share without a shared edge, non-manifold edges, and lists of triangles that
// are not in the order of their ids, as merged bodies have them.
static void pieces_share_nothing_however_they_hung_together(test *t)
{
	for (int round = 0; round < test_count(150, 15000); ++round) {
		rbl_random random = rbl_random_from_seed(1000 + (uint64_t)round);
		rbl_surface_def def = rbl_default_surface_def();
		rbl_surface *surface;
		CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
		reference_mesh mesh = round % 3 ? reference_sheet(6, 5) : reference_torus(6, 5);
		entangle(&mesh, &random);
		rbl_surface_body_id body = reference_add(t, surface, &mesh);
		rbl_surface_body_id pieces[MOST_PIECES], reversed[MOST_PIECES];
		for (int times = 0; times < 3; ++times) {
			before b;
			if (round % 2)
				reference_check_query(t, surface, false);
			split_and_check(t, surface, body, &b, &random, pieces);
			for (int i = 0; i < b.pieces; ++i)
				reversed[i] = pieces[b.pieces - 1 - i];
			CHECK(t, rbl_surface_merge(surface, reversed, b.pieces, NULL, 0) == RBL_OK);
			CHECK(t, !reference_check_surface(surface));
			body = reversed[0];
		}
		rbl_destroy_surface(surface);
		reference_mesh_free(&mesh);
	}
}

// One wrong label is found wherever it is, and nothing has happened then.
static void labels_of_no_piece_are_refused(test *t)
{
	const int wrong[] = { -2, 3, 4, INT32_MIN, INT32_MIN + 1, INT32_MAX, INT32_MAX - 1, -65536 };
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	reference_mesh mesh = reference_sheet(3, 3);
	rbl_surface_body_id body = reference_add(t, surface, &mesh), pieces[3];
	int labels[18];
	for (int i = 0; i < 18; ++i)
		labels[i] = i % 4 - 1;
	rbl_surface_split_def split = rbl_default_surface_split_def();
	split.piece_count = 3, split.labels = labels;
	for (int at = 0; at < 18; ++at)
		for (int k = 0; k < (int)(sizeof wrong / sizeof *wrong); ++k) {
			int right = labels[at];
			labels[at] = wrong[k];
			CHECK(t, rbl_surface_split(surface, body, &split, pieces) == RBL_BAD_ARGUMENT);
			labels[at] = right;
		}
	CHECK(t, rbl_surface_body_get_data(surface, body).triangle_count == 18);
	CHECK(t, !reference_check_surface(surface));
	CHECK(t, rbl_surface_split(surface, body, &split, pieces) == RBL_OK);
	CHECK(t, !reference_check_surface(surface));
	rbl_destroy_surface(surface);
	reference_mesh_free(&mesh);
}

// Regression: a new triangle on an edge between two triangles of one cluster parts them, and the
// cluster stays. Its boundary did not have the sides that lead out of it now.
static void a_fin_inside_a_cluster_is_on_its_rim(test *t)
{
	for (int edge = 0; edge < 96; edge += 2) {
		rbl_surface_def def = rbl_default_surface_def();
		rbl_surface *surface;
		CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
		reference_mesh mesh = reference_sheet(4, 4);
		rbl_surface_body_id body = reference_add(t, surface, &mesh);
		reference_check_query(t, surface, false);
		int labels[32] = { 0 }, label = 0;
		int fin[3] = { mesh.triangles[edge], mesh.triangles[rbl_surface_next(edge)], -1 };
		rbl_vec3 tip = { 2.0f, 2.0f, 1.0f };
		rbl_surface_split_def split = rbl_default_surface_split_def();
		split.piece_count = 1, split.labels = labels;
		split.vertex_count = 1, split.positions = &tip;
		split.triangle_count = 1, split.triangles = fin, split.triangle_labels = &label;
		CHECK(t, rbl_surface_split(surface, body, &split, &body) == RBL_OK);
		CHECK(t, !reference_check_surface(surface));
		reference_check_query(t, surface, false);
		CHECK(t, !reference_check_surface(surface));
		rbl_destroy_surface(surface);
		reference_mesh_free(&mesh);
	}
}

// Several new triangles on one edge, old or new, in both directions, with ids below and above those
// that are there.
static void new_triangles_that_tangle_have_one_first(test *t)
{
	for (int round = 0; round < test_count(200, 20000); ++round) {
		rbl_random random = rbl_random_from_seed((uint64_t)round);
		rbl_surface_def def = rbl_default_surface_def();
		rbl_surface *surface;
		CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
		reference_mesh small = reference_sheet(1, 2), mesh = reference_sheet(3, 3);
		rbl_surface_body_id gone = reference_add(t, surface, &small);
		rbl_surface_body_id body = reference_add(t, surface, &mesh);
		if (round % 2)
			CHECK(t, rbl_surface_remove(surface, gone) == RBL_OK); // its ids are taken first
		rbl_surface_body_data data = rbl_surface_body_get_data(surface, body);
		enum { FINS = 7, TIPS = 3 };
		int labels[18] = { 0 }, fins[3 * FINS], fin_labels[FINS] = { 0 };
		rbl_vec3 tips[TIPS];
		for (int i = 0; i < TIPS; ++i)
			tips[i] = (rbl_vec3){ 1.0f, 1.0f, 1.0f + (float)i };
		for (int i = 0; i < FINS; ++i) {
			int *v = fins + 3 * i, from = (int)rbl_random_below(&random, TIPS + 2), to;
			do
				to = (int)rbl_random_below(&random, TIPS + 2);
			while (to == from);
			const int ends[5] = { -1, -2, -3, data.vertices[5], data.vertices[6] };
			v[0] = ends[from], v[1] = ends[to];
			v[2] = data.vertices[7 + (int)rbl_random_below(&random, 9)];
		}
		rbl_surface_split_def split = rbl_default_surface_split_def();
		split.piece_count = 1, split.labels = labels;
		split.vertex_count = TIPS, split.positions = tips;
		split.triangle_count = FINS, split.triangles = fins, split.triangle_labels = fin_labels;
		CHECK(t, rbl_surface_split(surface, body, &split, &body) == RBL_OK);
		CHECK(t, !reference_check_surface(surface));
		rbl_destroy_surface(surface);
		reference_mesh_free(&small);
		reference_mesh_free(&mesh);
	}
}

// A vertex that no triangle has may get one, and one of another body may not, whichever is
// asked for first.
static void new_triangles_have_vertices_of_their_body(test *t)
{
	enum { COUNT = 5 };
	const rbl_vec3 positions[COUNT] = {
		{ 0, 0, 0 }, { 1, 0, 0 }, { 0, 0, 1 }, { 1, 1, 1 }, { 2, 1, 2 }
	};
	const int corners[3] = { 0, 1, 2 };
	for (int foreign = 0; foreign < 2; ++foreign) {
		rbl_surface_def def = rbl_default_surface_def();
		rbl_surface *surface;
		CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
		rbl_surface_body_def body_def = rbl_default_surface_body_def();
		body_def.vertex_count = COUNT, body_def.positions = positions;
		body_def.triangle_count = 1, body_def.triangles = corners;
		rbl_surface_body_id body, other, piece;
		CHECK(t, rbl_surface_add(surface, &body_def, &body) == RBL_OK);
		CHECK(t, rbl_surface_add(surface, &body_def, &other) == RBL_OK);
		const int *own = rbl_surface_body_get_data(surface, body).vertices;
		const int *others = rbl_surface_body_get_data(surface, other).vertices;
		int added[6] = { own[0], own[1], own[3], own[2], own[0], foreign ? others[foreign] : -1 };
		int zero[2] = { 0, 0 };
		rbl_surface_split_def split_def = rbl_default_surface_split_def();
		split_def.piece_count = 1, split_def.labels = zero, split_def.triangle_labels = zero;
		split_def.vertex_count = 1, split_def.positions = positions;
		split_def.triangle_count = 2, split_def.triangles = added;
		rbl_result result = rbl_surface_split(surface, body, &split_def, &piece);
		CHECK(t, result == (foreign ? RBL_BAD_ARGUMENT : RBL_OK));
		for (int i = 0; i < surface->vertex_end; ++i)
			CHECK(t, surface->vertex_scratch[i] == 0);
		if (foreign) // nothing happened
			CHECK(t, rbl_surface_body_get_data(surface, body).vertex_count == COUNT);
		else // the last one has no triangle, and goes
			CHECK(t, rbl_surface_body_get_data(surface, piece).vertex_count == COUNT);
		rbl_destroy_surface(surface);
	}
}

// --- several bodies -----------------------------------------------------------------------------

enum { GROUP = 12, GROUP_PIECES = 3 };

// Bodies to be split at once; every fifth gets a new triangle.
typedef struct many {
	rbl_surface *surface;
	rbl_surface_body_id bodies[GROUP];
	rbl_surface_split_def defs[GROUP];
	int labels[GROUP][MOST_TRIANGLES], corners[GROUP][3], label[GROUP];
} many;

static void make_many(test *t, many *m, rbl_jobs *jobs, const rbl_allocator *allocator,
                      uint64_t seed)
{
	rbl_random random = rbl_random_from_seed(seed);
	rbl_surface_def def = rbl_default_surface_def();
	def.jobs = jobs;
	def.allocator = allocator ? *allocator : def.allocator;
	CHECK(t, rbl_create_surface(&def, &m->surface) == RBL_OK);
	rbl_surface_always_share(m->surface);
	for (int i = 0; i < GROUP; ++i) {
		reference_mesh mesh = i % 3 ? reference_sheet(6, 5) : reference_torus(6, 5);
		if (i % 2)
			reference_crumple(&mesh, &random);
		m->bodies[i] = reference_add(t, m->surface, &mesh);
		reference_mesh_free(&mesh);
	}
	reference_check_query(t, m->surface, seed % 2 == 0);
	for (int i = 0; i < GROUP; ++i) {
		rbl_surface_body_data data = rbl_surface_body_get_data(m->surface, m->bodies[i]);
		CHECK(t, data.triangle_count <= MOST_TRIANGLES);
		for (int k = 0; k < data.triangle_count; ++k)
			m->labels[i][k] = k < GROUP_PIECES ? k : (int)rbl_random_below(&random, 4) - 1;
		m->defs[i] = rbl_default_surface_split_def();
		m->defs[i].piece_count = GROUP_PIECES, m->defs[i].labels = m->labels[i];
		for (int k = 0; k < 3; ++k)
			m->corners[i][k] = data.vertices[3 + 2 * k];
		m->label[i] = 1;
		m->defs[i].triangle_count = i % 5 == 3;
		m->defs[i].triangles = m->corners[i], m->defs[i].triangle_labels = &m->label[i];
	}
}

static void compare_surfaces(test *t, const rbl_surface *a, const rbl_surface *b)
{
	CHECK(t, a->vertex_end == b->vertex_end && a->triangle_end == b->triangle_end &&
	             a->cluster_end == b->cluster_end && a->bodies.count == b->bodies.count);
	size_t vertices = (size_t)a->vertex_end * sizeof(int);
	size_t triangles = (size_t)a->triangle_end * sizeof(int);
	CHECK(t, memcmp(a->origins, b->origins, vertices) == 0);
	CHECK(t, memcmp(a->anchors, b->anchors, vertices) == 0);
	CHECK(t, memcmp(a->triangles, b->triangles, 3 * triangles) == 0);
	CHECK(t, memcmp(a->twins, b->twins, 3 * triangles) == 0);
	CHECK(t, memcmp(a->clusters, b->clusters, triangles) == 0);
	for (int i = 0; i < a->bodies.count; ++i) {
		const rbl_surface_body *c = &a->bodies.data[i], *d = &b->bodies.data[i];
		CHECK(t, c->triangles.count == d->triangles.count &&
		             c->vertices.count == d->vertices.count && c->tree.root == d->tree.root);
		CHECK(t, memcmp(c->triangles.data, d->triangles.data,
		                (size_t)c->triangles.count * sizeof(int)) == 0);
		CHECK(t, memcmp(c->vertices.data, d->vertices.data,
		                (size_t)c->vertices.count * sizeof(int)) == 0);
	}
	for (int i = 0; i < a->vertex_end; ++i)
		CHECK(t, a->vertex_scratch[i] == 0);
}

// Whoever plans it: ids, lists and trees are those of splits one after the other, also when one of
// them is refused, or a body comes twice.
static void bodies_split_together_as_one_by_one(test *t)
{
	for (int round = 0; round < test_count(24, 2400); ++round) {
		rbl_jobs_def jobs_def = rbl_default_jobs_def();
		jobs_def.worker_count = 1 + round % 4;
		rbl_jobs *jobs = NULL;
		CHECK(t, rbl_create_jobs(&jobs_def, &jobs) == RBL_OK);
		many *one = calloc(1, sizeof *one), *all = calloc(1, sizeof *all);
		make_many(t, one, NULL, NULL, (uint64_t)round);
		make_many(t, all, jobs, NULL, (uint64_t)round);
		int bad = round % 3 ? GROUP : round / 3 % GROUP;
		for (many *m = one; m; m = m == one ? all : NULL) {
			if (bad < GROUP)
				m->labels[bad][4] = GROUP_PIECES;
			else if (round % 2)
				m->bodies[6] = m->bodies[5]; // refused, unless labels happen to fit its piece
		}
		rbl_surface_body_id singles[GROUP][GROUP_PIECES] = { { { 0 } } };
		rbl_surface_body_id together[GROUP][GROUP_PIECES];
		memset(together, 1, sizeof together);
		rbl_result result = RBL_OK;
		for (int i = 0; i < GROUP && result == RBL_OK; ++i)
			result = rbl_surface_split(one->surface, one->bodies[i], &one->defs[i], singles[i]);
		char reason[256];
		snprintf(reason, sizeof reason, "%s", result == RBL_OK ? "" : rbl_last_error());
		CHECK(t, rbl_surface_split_bodies(all->surface, all->bodies, GROUP, all->defs,
		                                  together[0]) == result);
		CHECK(t, (result == RBL_OK) == (bad == GROUP) || round % 2);
		CHECK(t, result == RBL_OK || strcmp(reason, rbl_last_error()) == 0);
		CHECK(t, memcmp(singles, together, sizeof singles) == 0);
		compare_surfaces(t, one->surface, all->surface);
		CHECK(t, !reference_check_surface(all->surface));
		reference_check_query(t, all->surface, true);
		rbl_destroy_surface(one->surface);
		rbl_destroy_surface(all->surface);
		rbl_destroy_jobs(jobs);
		free(one);
		free(all);
	}
}

// Bodies before the one that memory was lacking for are split, and nothing else happened.
static void every_allocation_of_splits_together_may_fail(test *t)
{
	int failures = 0;
	for (int n = 0; n < 64; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, LLONG_MAX);
		rbl_allocator allocator = { faulty_allocate, faulty_release, &memory };
		many *m = calloc(1, sizeof *m);
		make_many(t, m, NULL, &allocator, 7);
		rbl_surface_body_id pieces[GROUP][GROUP_PIECES];
		atomic_store(&memory.allowed, n / 2), atomic_store(&memory.failing, n % 2 ? 1 : LLONG_MAX);
		rbl_result result =
			rbl_surface_split_bodies(m->surface, m->bodies, GROUP, m->defs, pieces[0]);
		atomic_store(&memory.allowed, LLONG_MAX);
		CHECK(t, result == RBL_OK || result == RBL_OUT_OF_MEMORY);
		CHECK(t, !reference_check_surface(m->surface));
		for (int i = 0; i < m->surface->vertex_end; ++i)
			CHECK(t, m->surface->vertex_scratch[i] == 0);
		int split = 0;
		for (int i = 0; i < GROUP * GROUP_PIECES; ++i)
			split += pieces[i / GROUP_PIECES][i % GROUP_PIECES].generation != 0;
		CHECK(t, split % GROUP_PIECES == 0);
		CHECK(t, rbl_surface_get_stats(m->surface).body_count ==
		             GROUP + split / GROUP_PIECES * (GROUP_PIECES - 1));
		failures += result != RBL_OK;
		rbl_destroy_surface(m->surface);
		free(m);
	}
	CHECK(t, failures > 20);
}

TEST_MAIN(TEST(new_triangles_have_vertices_of_their_body), TEST(pieces_are_what_was_asked_for),
          TEST(pieces_share_nothing_however_they_hung_together),
          TEST(labels_of_no_piece_are_refused), TEST(a_fin_inside_a_cluster_is_on_its_rim),
          TEST(new_triangles_that_tangle_have_one_first), TEST(bodies_split_together_as_one_by_one),
          TEST(every_allocation_of_splits_together_may_fail))
