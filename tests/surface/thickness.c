// SPDX-License-Identifier: MIT
// ctest: soak
// Surfaces with a thickness: everything that comes within it is found, with all culling on, at
// about the cost of surfaces without.

#include "surface/reference.h"

#include "scenes/surfaces.h"

#include <rubble/surface.h>

// A ball that is somewhat uneven, with its triangles outwards.
static reference_mesh ball(int rings, float radius, rbl_random *random)
{
	int sides = 2 * rings;
	reference_mesh m = { NULL, NULL, 2 + (rings - 1) * sides, 2 * (rings - 1) * sides };
	m.positions = malloc((size_t)m.vertex_count * sizeof *m.positions);
	m.triangles = malloc(3 * (size_t)m.triangle_count * sizeof *m.triangles);
	int *t = m.triangles, last = m.vertex_count - 1;
	for (int i = 0; i < m.vertex_count; ++i) {
		double ring = i == 0 ? 0.0 : i == last ? rings : 1 + (i - 1) / sides;
		double polar = 3.14159265 * ring / rings, turn = 6.2831853 * ((i - 1) % sides) / sides;
		double r = (double)radius * (1.0 + 0.05 * rbl_random_range(random, -1.0, 1.0));
		m.positions[i] = (rbl_vec3){ (float)(r * sin(polar) * cos(turn)), (float)(r * cos(polar)),
			                         (float)(r * sin(polar) * sin(turn)) };
	}
	for (int s = 0; s < sides; ++s) {
		int next = (s + 1) % sides, low = 1 + (rings - 2) * sides;
		*t++ = 0, *t++ = 1 + next, *t++ = 1 + s;
		*t++ = last, *t++ = low + s, *t++ = low + next;
		for (int r = 0; r + 2 < rings; ++r) {
			int a = 1 + r * sides + s, b = 1 + r * sides + next, c = a + sides, d = b + sides;
			*t++ = a, *t++ = b, *t++ = d;
			*t++ = a, *t++ = d, *t++ = c;
		}
	}
	return m;
}

static rbl_vec3 turned(rbl_vec3 p, double angle, rbl_vec3 shift)
{
	double c = cos(angle), s = sin(angle);
	return (rbl_vec3){ (float)(c * (double)p.x - s * (double)p.y) + shift.x,
		               (float)(s * (double)p.x + c * (double)p.y) + shift.y, p.z + shift.z };
}

// What culling did for the last query.
typedef struct culling {
	int64_t culled, certified, stars, hits;
} culling;

static void count_culling(const rbl_surface *s, int hits, culling *sum)
{
	sum->culled += rbl_surface_get_stats(s).culled_triangles;
	sum->hits += hits;
	for (int i = 0; i < s->bodies.count; ++i)
		if (rbl_id_pool_is_live(&s->ids, i)) {
			sum->certified += s->bodies.data[i].self.is_certified;
			sum->stars += s->bodies.data[i].self.is_star;
		}
}

// Bodies of several shapes fly and turn, some bend, each with a thickness of its own that changes
// now and then: from none to a tenth of the size, which is more than an edge is long.
static void moving_bodies_equal_brute_force(test *t)
{
	rbl_random random = rbl_random_from_seed(31);
	culling sum = { 0, 0, 0, 0 };
	for (int run = 0; run < test_count(test_repeats(12, 4), 300); ++run) {
		enum { BODIES = 4 };
		reference_mesh meshes[BODIES];
		rbl_surface_body_id ids[BODIES];
		rbl_vec3 shifts[BODIES], speeds[BODIES], *ends[BODIES];
		double angles[BODIES], spins[BODIES], bends[BODIES];
		rbl_surface_def def = rbl_default_surface_def();
		def.thickness = 0.01f;
		rbl_surface *surface;
		CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
		for (int i = 0; i < BODIES; ++i) {
			meshes[i] = i % 2 ? ball(6, 1.5f, &random) : reference_sheet(6, 5);
			if (i == 2)
				reference_crumple(&meshes[i], &random);
			ids[i] = reference_add(t, surface, &meshes[i]);
			ends[i] = malloc((size_t)meshes[i].vertex_count * sizeof **ends);
			shifts[i] = rbl_to_f(rbl_scale_d(4.0, rbl_random_in_ball(&random)));
			speeds[i] = rbl_to_f(rbl_scale_d(0.4, rbl_random_in_ball(&random)));
			angles[i] = 0.0, spins[i] = rbl_random_range(&random, -0.3, 0.3);
			bends[i] = rbl_random_below(&random, 2) ? rbl_random_range(&random, 0.0, 0.1) : 0.0;
		}
		for (int step = 0; step < 10; ++step) {
			for (int i = 0; i < BODIES; ++i) {
				angles[i] += spins[i] * (run % 5 == 4 ? 8.0 : 1.0); // steps of a right angle, too
				shifts[i] = rbl_add(shifts[i], speeds[i]);
				for (int k = 0; k < meshes[i].vertex_count; ++k) {
					rbl_vec3 p = meshes[i].positions[k];
					p.z += (float)(bends[i] * (double)step * (double)(k % 3));
					ends[i][k] = turned(p, angles[i], shifts[i]);
				}
				CHECK(t, rbl_surface_move(surface, ids[i], NULL, ends[i]) == RBL_OK);
				const float choices[4] = { 0.0f, 0.02f, 0.1f, 0.6f };
				float thickness = choices[rbl_random_below(&random, step > 6 ? 4 : 3)];
				if (rbl_random_below(&random, 3) == 0)
					CHECK(t, rbl_surface_body_set_thickness(surface, ids[i], thickness) == RBL_OK);
			}
			int found = reference_check_query(t, surface, step % 4 != 3);
			count_culling(surface, found, &sum);
		}
		rbl_destroy_surface(surface);
		for (int i = 0; i < BODIES; ++i) {
			reference_mesh_free(&meshes[i]);
			free(ends[i]);
		}
	}
	CHECK(t, sum.culled > 1000 && sum.certified > 50 && sum.stars > 20 && sum.hits > 1000);
}

static float mean_edge(const rbl_surface *surface)
{
	rbl_surface_data d = rbl_surface_get_data(surface);
	double sum = 0.0;
	for (int h = 0; h < 3 * d.triangle_end; ++h)
		sum +=
			(double)rbl_distance(d.ends[d.triangles[h]], d.ends[d.triangles[rbl_surface_next(h)]]);
	return (float)(sum / (3 * d.triangle_end));
}

static void set_all(test *t, rbl_surface *surface, float thickness)
{
	for (int i = 0; i < surface->bodies.count; ++i)
		if (rbl_id_pool_is_live(&surface->ids, i)) {
			rbl_surface_body_id id = { (uint32_t)i, surface->ids.generations[i] };
			CHECK(t, rbl_surface_body_set_thickness(surface, id, thickness) == RBL_OK);
		}
}

// The scenes with a thickness that grows from none to half an edge.
static void play(test *t, surface_kind kind, int divisor, int every, bool has_pieces)
{
	surface_scene *scene = surface_scene_create(kind, divisor);
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface;
	culling sum = { 0, 0, 0, 0 };
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	CHECK(t, scene && surface_scene_begin(scene, surface));
	float edge = mean_edge(surface);
	for (int frame = 1; frame <= surface_scene_frames(kind); ++frame) {
		bool is_broken;
		CHECK(t, surface_scene_step(scene, surface, &is_broken));
		if (frame % 16 == 1)
			set_all(t, surface, edge * 0.5f * (float)(frame % 5) / 4.0f);
		rbl_surface_hits hits;
		CHECK(t, rbl_surface_update(surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
		CHECK(t, rbl_surface_sweep(surface, &hits) == RBL_OK);
		if (frame % every == 0 || is_broken)
			CHECK(t, reference_check_hits(surface, hits) == 0);
		count_culling(surface, hits.count, &sum);
	}
	printf("%s: %lld hits, %lld triangles culled, %lld bodies certified, %lld stars\n",
	       surface_scene_name(kind), (long long)sum.hits, (long long)sum.culled,
	       (long long)sum.certified, (long long)sum.stars);
	CHECK(t, sum.hits > 0 && sum.culled + sum.stars > 0 && (!has_pieces || sum.certified > 0));
	rbl_destroy_surface(surface);
	surface_scene_destroy(scene);
}

static void scenes_equal_brute_force(test *t)
{
	play(t, SURFACE_CLOTH, test_count(18, 6), test_count(8, 1), false);
	play(t, SURFACE_NBODY, test_count(6, 3), test_count(8, 1), false);
	play(t, SURFACE_WALLS, test_count(10, 4), test_count(4, 1), true);
	play(t, SURFACE_EXPLODE, test_count(24, 8), test_count(16, 1), true);
}

// What a query over a step does with a small thickness and without: as many tests, but for those
// of what comes near.
static void a_thickness_keeps_culling_on(test *t)
{
	static const struct {
		surface_kind kind;
		int divisor;
	} cases[3] = { { SURFACE_CLOTH, 6 }, { SURFACE_NBODY, 3 }, { SURFACE_WALLS, 4 } };
	for (int c = 0; c < 3; ++c) {
		int64_t candidates[2] = { 0, 0 }, tests[2] = { 0, 0 }, hits_count[2] = { 0, 0 };
		for (int thick = 0; thick < 2; ++thick) {
			surface_scene *scene = surface_scene_create(cases[c].kind, cases[c].divisor);
			rbl_surface_def def = rbl_default_surface_def();
			rbl_surface *surface;
			CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
			CHECK(t, scene && surface_scene_begin(scene, surface));
			float thickness = thick ? 0.01f * mean_edge(surface) : 0.0f;
			set_all(t, surface, thickness);
			for (int frame = 0; frame < 60; ++frame) {
				bool is_broken;
				rbl_surface_hits hits;
				CHECK(t, surface_scene_step(scene, surface, &is_broken));
				CHECK(t, rbl_surface_update(surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
				CHECK(t, rbl_surface_sweep(surface, &hits) == RBL_OK);
				rbl_surface_stats stats = rbl_surface_get_stats(surface);
				candidates[thick] += stats.candidates, tests[thick] += stats.tests;
				hits_count[thick] += hits.count;
			}
			rbl_destroy_surface(surface);
			surface_scene_destroy(scene);
		}
		printf("%s: %lld candidates, %lld with a thickness; %lld tests, %lld; %lld hits, %lld\n",
		       surface_scene_name(cases[c].kind), (long long)candidates[0],
		       (long long)candidates[1], (long long)tests[0], (long long)tests[1],
		       (long long)hits_count[0], (long long)hits_count[1]);
		CHECK(t, candidates[0] > 0 && 2 * candidates[1] < 3 * candidates[0]);
	}
}

// Sampled distances of the features of a hit over the step.
static double least_distance(const rbl_surface *s, const rbl_surface_hit *h, double *first)
{
	bool is_face = h->kind == RBL_HIT_VERTEX_FACE;
	reference_item e = { .from = is_face ? 0 : s->triangles[h->a] }, f = { 0 };
	if (!is_face) {
		e.to = s->triangles[rbl_surface_next(h->a)], f.from = s->triangles[h->b];
		f.to = s->triangles[rbl_surface_next(h->b)];
	}
	reference_quad quad =
		is_face ? reference_face_quad(s, h->a, h->b) : reference_edge_quad(&e, &f);
	double least = INFINITY;
	for (int k = 0; k <= 32; ++k) {
		rbl_vec3d p[4];
		rbl_closest c;
		for (int i = 0; i < 4; ++i) {
			rbl_vec3d start = rbl_to_d(s->positions[0][quad.v[i]]);
			rbl_vec3d end = rbl_to_d(s->positions[1][quad.v[i]]);
			p[i] = rbl_add_scaled_d(start, k / 32.0, rbl_sub_d(end, start));
		}
		rbl_ccd_closest(is_face ? RBL_CCD_VERTEX_FACE : RBL_CCD_EDGE_EDGE, p, &c);
		*first = k ? *first : c.distance;
		least = rbl_mind(least, c.distance);
	}
	return least;
}

// Two sheets within the thickness of each other: what parts, rests or slides is no impact.
static void what_parts_is_no_impact(test *t)
{
	rbl_random random = rbl_random_from_seed(6);
	int parting = 0, meeting = 0;
	for (int round = 0; round < test_count(test_repeats(60, 20), 2000); ++round) {
		reference_mesh mesh = reference_sheet(3, 3);
		rbl_surface_def def = rbl_default_surface_def();
		def.thickness = 0.1f;
		rbl_surface *s;
		CHECK(t, rbl_create_surface(&def, &s) == RBL_OK);
		reference_add(t, s, &mesh);
		for (int i = 0; i < mesh.vertex_count; ++i)
			mesh.positions[i] = rbl_add(mesh.positions[i], (rbl_vec3){ 0.3f, 0.2f, 0.05f });
		rbl_surface_body_id upper = reference_add(t, s, &mesh);
		int kind = round % 4; // up, down, along, anywhere
		for (int i = 0; i < mesh.vertex_count; ++i) {
			rbl_vec3 anywhere = rbl_to_f(rbl_scale_d(0.2, rbl_random_in_ball(&random)));
			const rbl_vec3 shifts[3] = { { 0, 0, 0.2f }, { 0, 0, -0.2f }, { 0.4f, 0, 0 } };
			mesh.positions[i] = rbl_add(mesh.positions[i], kind < 3 ? shifts[kind] : anywhere);
		}
		CHECK(t, rbl_surface_move(s, upper, NULL, mesh.positions) == RBL_OK);
		rbl_surface_hits hits;
		CHECK(t, rbl_surface_update(s, RBL_SURFACE_CONTINUOUS) == RBL_OK);
		CHECK(t, rbl_surface_sweep(s, &hits) == RBL_OK && hits.count > 0);
		float first_time = 1.0f;
		for (int i = 0; i < hits.count; ++i) {
			double first, least = least_distance(s, &hits.hits[i], &first);
			bool is_parting = hits.hits[i].is_parting;
			CHECK(t, !is_parting || (hits.hits[i].is_at_start && least >= first - 1e-9));
			first_time = is_parting ? first_time : rbl_minf(first_time, hits.hits[i].time);
			CHECK(t, kind != 0 || is_parting);
			parting += is_parting, meeting += !is_parting;
		}
		float share;
		CHECK(t, rbl_surface_max_step(s, 1.0f, &share) == RBL_OK && share <= first_time);
		CHECK(t, kind != 0 || share == 1.0f);
		CHECK(t, kind != 1 || share == 0.0f);
		rbl_destroy_surface(s);
		reference_mesh_free(&mesh);
	}
	CHECK(t, parting > 500 && meeting > 500);
}

static void bad_thickness_is_refused(test *t)
{
	reference_mesh mesh = reference_sheet(2, 2);
	rbl_surface_def def = rbl_default_surface_def();
	def.thickness = 0.25f;
	rbl_surface *surface;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	rbl_surface_body_id body = reference_add(t, surface, &mesh), none = { 0, 0 }, other;
	CHECK(t, rbl_surface_body_thickness(surface, body) == 0.25f);
	CHECK(t, rbl_surface_body_set_thickness(surface, body, -1.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_body_set_thickness(surface, body, NAN) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_body_set_thickness(surface, body, INFINITY) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_body_set_thickness(NULL, body, 1.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_body_set_thickness(surface, none, 1.0f) == RBL_STALE_ID);
	CHECK(t, rbl_surface_body_thickness(surface, none) == 0.0f);
	CHECK(t, rbl_surface_body_thickness(NULL, body) == 0.0f);
	CHECK(t, rbl_surface_body_thickness(surface, body) == 0.25f);
	rbl_surface_body_def body_def = rbl_default_surface_body_def();
	body_def.vertex_count = mesh.vertex_count, body_def.positions = mesh.positions;
	body_def.triangle_count = mesh.triangle_count, body_def.triangles = mesh.triangles;
	body_def.thickness = NAN;
	CHECK(t, rbl_surface_add(surface, &body_def, &other) == RBL_BAD_ARGUMENT);
	body_def.thickness = 0.5f;
	CHECK(t, rbl_surface_add(surface, &body_def, &other) == RBL_OK);
	CHECK(t, rbl_surface_body_thickness(surface, other) == 0.5f);
	// Pieces inherit it.
	rbl_surface_split_def split = rbl_default_surface_split_def();
	int labels[8] = { 0, 0, 0, 0, 1, 1, 1, 1 };
	split.piece_count = 2, split.labels = labels;
	rbl_surface_body_id pieces[2];
	CHECK(t, rbl_surface_split(surface, other, &split, pieces) == RBL_OK);
	CHECK(t, rbl_surface_body_thickness(surface, pieces[1]) == 0.5f);
	rbl_destroy_surface(surface);
	reference_mesh_free(&mesh);
}

TEST_MAIN(TEST(moving_bodies_equal_brute_force), TEST(scenes_equal_brute_force),
          TEST(a_thickness_keeps_culling_on), TEST(what_parts_is_no_impact),
          TEST(bad_thickness_is_refused))
