// SPDX-License-Identifier: MIT
// ctest: threads soak
// Bodies that move rigidly are not tested in every query, and nothing is lost by it: not by
// rounding, not by shapes that creep, not by moves of other kinds in between.

#include "surface/comparison.h"
#include "surface/reference.h"

#include "base/math.h"
#include "geometry/geometry.h"
#include "surface/certificate.h"
#include "surface/cull.h"

#include "faulty_allocator.h"
#include "worker_pool.h"

#include <rubble/jobs.h>
#include <rubble/surface.h>

// A body that flies: where its vertices are before it is turned and moved.
typedef struct flight {
	reference_mesh mesh;
	rbl_surface_body_id body;
	rbl_vec3d middle, translation, axis;
	double angle, spin;
} flight;

static rbl_vec3d random_vector(rbl_random *random, double size)
{
	return (rbl_vec3d){ rbl_random_range(random, -size, size),
		                rbl_random_range(random, -size, size),
		                rbl_random_range(random, -size, size) };
}

static flight make_flight(reference_mesh mesh, double far_off, double spin, rbl_random *random)
{
	return (flight){ .mesh = mesh,
		             .middle = random_vector(random, far_off),
		             .translation = random_vector(random, 0.3),
		             .axis = rbl_normalize_d(random_vector(random, 1.0)),
		             .spin = rbl_random_range(random, -spin, spin) };
}

// Where the flight is now: rounded to single precision, as a simulation would.
static rbl_vec3 *place(const flight *f)
{
	rbl_vec3 *positions = malloc((size_t)f->mesh.vertex_count * sizeof *positions);
	double c = rbl_cos(f->angle), s = rbl_sin(f->angle);
	for (int i = 0; i < f->mesh.vertex_count; ++i) {
		rbl_vec3d p = rbl_to_d(f->mesh.positions[i]), q = rbl_scale_d(c, p);
		q = rbl_add_scaled_d(q, s, rbl_cross_d(f->axis, p));
		q = rbl_add_scaled_d(q, (1.0 - c) * rbl_dot_d(f->axis, p), f->axis);
		positions[i] = rbl_to_f(rbl_add_d(q, f->middle));
	}
	return positions;
}

static void fly(test *t, rbl_surface *surface, flight *f)
{
	f->middle = rbl_add_d(f->middle, f->translation);
	f->angle += f->spin;
	rbl_vec3 *ends = place(f);
	CHECK(t, rbl_surface_move(surface, f->body, NULL, ends) == RBL_OK);
	free(ends);
}

static bool is_certified(const rbl_surface *surface, rbl_surface_body_id body)
{
	return surface->bodies.data[body.index].self.is_certified;
}

static rbl_surface *make_surface(test *t)
{
	rbl_surface_def def = rbl_default_surface_def();
	rbl_surface *surface;
	CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
	return surface;
}

static void add_flight(test *t, rbl_surface *surface, flight *f)
{
	rbl_vec3 *start = place(f);
	reference_mesh mesh = f->mesh;
	mesh.positions = start;
	f->body = reference_add(t, surface, &mesh);
	free(start);
}

// Sheets and closed forms, smooth or crumpled, near the origin and so far off that they are bent by
// rounding.
static void flying_bodies_equal_brute_force(test *t)
{
	int proven = 0, in_doubt = 0, found = 0;
	for (int round = 0; round < test_count(24, 1500); ++round) {
		rbl_random random = rbl_random_from_seed((uint64_t)round + 11);
		reference_mesh mesh = round % 3 ? reference_sheet(5, 4) : reference_torus(6, 5);
		reference_crumple(&mesh, &random);
		static const double far_off[4] = { 1.0, 30.0, 3e3, 3e5 };
		flight f = make_flight(mesh, far_off[round % 4], 0.2, &random);
		rbl_surface *surface = make_surface(t);
		add_flight(t, surface, &f);
		for (int step = 0; step < 12; ++step) {
			fly(t, surface, &f);
			bool is_swept = rbl_random_below(&random, 2);
			found += reference_check_query(t, surface, is_swept);
			proven += is_certified(surface, f.body);
			in_doubt += is_certified(surface, f.body) &&
			            surface->certificates[f.body.index].uncertain_pairs.count > 0;
			if (rbl_random_below(&random, 4) == 0)
				reference_check_query(t, surface, !is_swept);
		}
		rbl_destroy_surface(surface);
		reference_mesh_free(&mesh);
	}
	CHECK(t, proven > 20 && in_doubt > 5 && found > 100);
}

// Half a turn, on lines: everything goes through everything. At one instant it is a motion like
// others.
static void half_a_turn_is_no_rigid_motion(test *t)
{
	rbl_random random = rbl_random_from_seed(2);
	reference_mesh mesh = reference_sheet(5, 4);
	flight f = make_flight(mesh, 1.0, 0.1, &random);
	rbl_surface *surface = make_surface(t);
	add_flight(t, surface, &f);
	for (int step = 0; step < 6; ++step) {
		f.spin = step < 3 ? 0.1 : 3.14159265358979;
		fly(t, surface, &f);
		rbl_surface_hits hits;
		if (step < 5) {
			CHECK(t, reference_check_query(t, surface, false) == 0);
			CHECK(t, is_certified(surface, f.body) || step == 0);
			continue;
		}
		CHECK(t, rbl_surface_update(surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
		CHECK(t, rbl_surface_sweep(surface, &hits) == RBL_OK);
		CHECK(t, !is_certified(surface, f.body) && hits.count > 20);
	}
	rbl_destroy_surface(surface);
	reference_mesh_free(&mesh);
}

static rbl_vec3d across(rbl_vec3 from, rbl_vec3 to, rbl_vec3 p)
{
	rbl_vec3d edge = rbl_normalize_d(rbl_sub_d(rbl_to_d(to), rbl_to_d(from)));
	rbl_vec3d d = rbl_sub_d(rbl_to_d(p), rbl_to_d(from));
	return rbl_add_scaled_d(d, -rbl_dot_d(d, edge), edge);
}

// Neighbours that are said to stay apart do so however their vertices move: by chance, and in the
// worst way that is easily told, face to face. A hinge does not even close, since it would touch on
// its way.
static void wide_wedges_stay_apart(test *t)
{
	rbl_random random = rbl_random_from_seed(3);
	int wide = 0, narrow = 0;
	for (int round = 0; round < test_count(4000, 400000); ++round) {
		bool is_hinge = round % 2;
		int triangles[6] = { 0, 1, 2, is_hinge ? 1 : 0, is_hinge ? 0 : 3, is_hinge ? 3 : 4 };
		rbl_vec3 points[6] = { { 0.0f, 0.0f, 0.0f } };
		float flat = round % 4 < 2 ? 0.1f : 1.0f;
		for (int i = 0; i < 5; ++i) {
			rbl_vec3 p = rbl_to_f(random_vector(&random, 1.0));
			points[i] = (rbl_vec3){ p.x, p.y, flat * p.z };
		}
		rbl_surface surface = { .positions = { NULL, points } };
		double margin = rbl_random_range(&random, 0.0, 0.05);
		if (!rbl_surface_neighbours_are_robust(&surface, triangles, triangles + 3, margin)) {
			narrow++;
			continue;
		}
		wide++;
		for (int trial = 0; trial < 8; ++trial) {
			rbl_vec3 moved[6] = { { 0.0f, 0.0f, 0.0f } };
			for (int i = 0; i < 5; ++i) {
				rbl_vec3d by = rbl_normalize_d(random_vector(&random, 1.0));
				if (trial >= 4) // up and down, by sides
					by = (rbl_vec3d){ 0.0, 0.0, (trial % 2 ? 1.0 : -1.0) * (i > 2 - is_hinge) };
				moved[i] = rbl_to_f(rbl_add_scaled_d(rbl_to_d(points[i]), 0.999 * margin, by));
			}
			CHECK(t, !rbl_indexed_triangles_meet_float(moved, triangles, triangles + 3));
			if (is_hinge && rbl_dot_d(across(points[0], points[1], points[2]),
			                          across(points[0], points[1], points[3])) > 0.0)
				CHECK(t, rbl_orient3d_float(points[0], points[1], points[2], points[3]) ==
				             rbl_orient3d_float(moved[0], moved[1], moved[2], moved[3]));
		}
	}
	CHECK(t, wide > 500 && narrow > 500);
}

// A disc of triangles around one vertex that goes round some times before it closes.
static reference_mesh make_disc(int turns, rbl_random *random)
{
	int neighbours = 5 * turns;
	reference_mesh m = { .vertex_count = neighbours + 1, .triangle_count = neighbours };
	m.positions = calloc((size_t)m.vertex_count, sizeof *m.positions);
	m.triangles = malloc(3 * (size_t)neighbours * sizeof *m.triangles);
	for (int i = 0; i < neighbours; ++i) {
		double angle = 6.28318530717959 * (i + rbl_random_range(random, -0.3, 0.3)) / 5;
		m.positions[i + 1] = (rbl_vec3){ (float)rbl_cos(angle), (float)rbl_sin(angle),
			                             (float)rbl_random_range(random, -0.5, 0.5) };
		m.triangles[3 * i] = 0;
		m.triangles[3 * i + 1] = 1 + i;
		m.triangles[3 * i + 2] = 1 + (i + 1) % neighbours;
	}
	return m;
}

// No two triangles at a vertex touch, after each vertex moved by the margin in some direction.
static void check_fan(test *t, const rbl_surface *surface, const reference_mesh *mesh, int vertex,
                      double margin, rbl_random *random)
{
	int around[32], count = 0;
	for (int i = 0; i < 3 * mesh->triangle_count; ++i)
		if (mesh->triangles[i] == vertex && count < 32)
			around[count++] = i / 3;
	rbl_vec3 *moved = malloc((size_t)(mesh->vertex_count + 1) * sizeof *moved);
	for (int trial = 0; trial < 4; ++trial) {
		for (int i = 0; i < mesh->vertex_count; ++i)
			moved[i] = rbl_to_f(rbl_add_scaled_d(rbl_to_d(surface->positions[1][i]), 0.999 * margin,
			                                     rbl_normalize_d(random_vector(random, 1.0))));
		for (int i = 0; i < count; ++i)
			for (int k = 0; k < i; ++k)
				CHECK(t, !rbl_indexed_triangles_meet_float(moved, mesh->triangles + 3 * around[i],
				                                           mesh->triangles + 3 * around[k]));
	}
	free(moved);
}

static void wide_fans_stay_free(test *t)
{
	rbl_random random = rbl_random_from_seed(17);
	int wide = 0, narrow = 0;
	for (int round = 0; round < test_count(600, 60000); ++round) {
		reference_mesh mesh =
			round % 4 == 0 ? reference_sheet(4, 4) : make_disc(1 + round % 4 / 2, &random);
		if (round % 4 == 0)
			reference_crumple(&mesh, &random);
		rbl_surface *surface = make_surface(t);
		reference_add(t, surface, &mesh);
		reference_check_query(t, surface, false);
		rbl_surface_worker *worker = &surface->workers[0];
		memset(worker->fans, 0, (size_t)mesh.vertex_count);
		double margin = rbl_random_range(&random, 0.0, 0.15);
		for (int v = 0; v < mesh.vertex_count; ++v) {
			bool is_wide = rbl_surface_fan_is_robust(surface, worker, v, margin);
			wide += is_wide, narrow += !is_wide;
			if (is_wide)
				check_fan(t, surface, &mesh, v, margin, &random);
		}
		rbl_destroy_surface(surface);
		reference_mesh_free(&mesh);
	}
	CHECK(t, wide > 100 && narrow > 100);
}

// Each vertex creeps along on its own, too slowly for one step to tell.
static void shapes_that_creep_are_looked_at_again(test *t)
{
	int proven = 0, lost = 0, found = 0;
	for (int round = 0; round < test_count(12, 600); ++round) {
		rbl_random random = rbl_random_from_seed((uint64_t)round + 3);
		reference_mesh mesh = reference_sheet(6, 4);
		rbl_vec3 *creeps = calloc((size_t)mesh.vertex_count, sizeof *creeps);
		for (int i = 0; i < mesh.vertex_count; ++i) {
			rbl_vec3 *p = &mesh.positions[i];
			if (round % 3 == 0 && p->x > 3.0f) { // a lid comes down on the rest
				*p = (rbl_vec3){ 6.3f - p->x, p->y + 0.2f, 0.05f };
				creeps[i].z = -0.0005f;
			} else if (round % 3 == 1 && i % 16 == 8) { // a vertex leaves its fan
				p->x += 0.96f;
				creeps[i] =
					(rbl_vec3){ 0.0005f, 0.0f, 0.00005f * (float)rbl_random_below(&random, 2) };
			} else if (round % 3 == 2 && p->x > 3.0f) { // a hinge closes
				creeps[i].z = -0.0006f * (p->x - 3.0f);
				*p = (rbl_vec3){ 6.0f - p->x, p->y, 0.06f * (p->x - 3.0f) };
			}
		}
		flight f = make_flight(mesh, 5.0, 0.1, &random);
		rbl_surface *surface = make_surface(t);
		add_flight(t, surface, &f);
		for (int step = 0; step < 160; ++step) {
			for (int i = 0; i < mesh.vertex_count; ++i)
				mesh.positions[i] = rbl_add(mesh.positions[i], creeps[i]);
			bool was_proven = is_certified(surface, f.body);
			fly(t, surface, &f);
			found += reference_check_query(t, surface, round / 3 % 2);
			proven += is_certified(surface, f.body);
			lost += was_proven && !is_certified(surface, f.body);
		}
		rbl_destroy_surface(surface);
		free(creeps);
		reference_mesh_free(&mesh);
	}
	CHECK(t, proven > 100 && lost > 5 && found > 10);
}

// What else may happen to a body between two queries.
static void disturb(test *t, rbl_surface *surface, flight *f, int kind, rbl_random *random)
{
	rbl_surface_body_data data = rbl_surface_body_get_data(surface, f->body);
	rbl_vec3 *start = place(f), bent;
	int count = f->mesh.vertex_count, one = (int)rbl_random_below(random, (uint32_t)count);
	for (int i = 0; i < count; i += 2)
		start[i] = rbl_add(start[i], rbl_to_f(random_vector(random, 1.0)));
	bent = start[0];
	if (kind == 0) // from elsewhere
		CHECK(t, rbl_surface_move(surface, f->body, start, start) == RBL_OK);
	if (kind == 1) { // crumpled, and flat again before anyone looks
		CHECK(t, rbl_surface_move(surface, f->body, NULL, start) == RBL_OK);
		fly(t, surface, f);
	}
	if (kind == 2)
		CHECK(t,
		      rbl_surface_move_vertices(surface, f->body, &data.vertices[one], 1, &bent) == RBL_OK);
	if (kind == 3) { // crumpled, and one vertex back
		CHECK(t, rbl_surface_move(surface, f->body, NULL, start) == RBL_OK);
		CHECK(t,
		      rbl_surface_move_vertices(surface, f->body, &data.vertices[one], 1, &bent) == RBL_OK);
	}
	if (kind == 4) { // crumpled, and all vertices moved on from there
		CHECK(t, rbl_surface_move(surface, f->body, NULL, start) == RBL_OK);
		CHECK(t,
		      rbl_surface_move_vertices(surface, f->body, data.vertices, count, start) == RBL_OK);
	}
	if (kind == 5) { // deformed for good
		for (int i = 0; i < count; ++i)
			f->mesh.positions[i] =
				rbl_add(f->mesh.positions[i], rbl_to_f(random_vector(random, 0.4)));
		fly(t, surface, f);
	}
	free(start);
}

static void disturbed_bodies_equal_brute_force(test *t)
{
	int proven = 0;
	for (int round = 0; round < test_count(15, 1000); ++round) {
		rbl_random random = rbl_random_from_seed((uint64_t)round + 77);
		reference_mesh mesh = reference_sheet(5, 4);
		flight f = make_flight(mesh, 3.0, 0.2, &random);
		rbl_surface *surface = make_surface(t);
		add_flight(t, surface, &f);
		for (int step = 0; step < 30; ++step) {
			bool is_flying = rbl_random_below(&random, 5) > 0;
			if (is_flying)
				fly(t, surface, &f);
			if (!is_flying || rbl_random_below(&random, 20) == 0)
				disturb(t, surface, &f, (int)rbl_random_below(&random, 6), &random);
			reference_check_query(t, surface, rbl_random_below(&random, 2));
			proven += is_certified(surface, f.body);
		}
		rbl_destroy_surface(surface);
		reference_mesh_free(&mesh);
	}
	CHECK(t, proven > 30);
}

// Pieces are known as well as the body was; wholes are new bodies, whatever was known of their
// parts.
static void merged_bodies_start_anew(test *t)
{
	rbl_random random = rbl_random_from_seed(5);
	reference_mesh mesh = reference_sheet(6, 4);
	flight f = make_flight(mesh, 3.0, 0.2, &random);
	rbl_surface *surface = make_surface(t);
	add_flight(t, surface, &f);
	for (int step = 0; step < 4; ++step) {
		fly(t, surface, &f);
		reference_check_query(t, surface, false);
	}
	CHECK(t, is_certified(surface, f.body));
	int labels[48];
	for (int i = 0; i < 48; ++i)
		labels[i] = i % 12 >= 6;
	rbl_surface_split_def def = rbl_default_surface_split_def();
	def.piece_count = 2, def.labels = labels;
	rbl_surface_body_id pieces[2];
	CHECK(t, rbl_surface_split(surface, f.body, &def, pieces) == RBL_OK);
	CHECK(t, is_certified(surface, pieces[0]) && is_certified(surface, pieces[1]));
	reference_check_query(t, surface, false);
	for (int step = 0; step < 3; ++step) {
		for (int i = 0; i < 2; ++i) {
			rbl_surface_body_data data = rbl_surface_body_get_data(surface, pieces[i]);
			rbl_surface_data all = rbl_surface_get_data(surface);
			rbl_vec3 ends[64];
			for (int k = 0; k < data.vertex_count; ++k)
				ends[k] = rbl_add(all.ends[data.vertices[k]], (rbl_vec3){ 0.1f, 0.0f, 0.2f });
			CHECK(t, rbl_surface_move(surface, pieces[i], NULL, ends) == RBL_OK);
		}
		reference_check_query(t, surface, step == 1);
	}
	CHECK(t, is_certified(surface, pieces[0]) && is_certified(surface, pieces[1]));
	CHECK(t, rbl_surface_merge(surface, pieces, 2, NULL, 0) == RBL_OK);
	CHECK(t, !is_certified(surface, pieces[0]));
	reference_check_query(t, surface, false);
	CHECK(t, rbl_surface_remove(surface, pieces[0]) == RBL_OK);
	reference_check_query(t, surface, false);
	rbl_destroy_surface(surface);
	reference_mesh_free(&mesh);
}

// Two sheets above each other, the first one smaller, in one body.
static reference_mesh make_two_sheets(void)
{
	reference_mesh m = reference_sheet(4, 4), large = reference_sheet(8, 8);
	int first = m.vertex_count, count = first + large.vertex_count;
	m.positions = realloc(m.positions, (size_t)count * sizeof *m.positions);
	m.triangles = realloc(m.triangles, 3 * (size_t)(m.triangle_count + large.triangle_count) *
	                                       sizeof *m.triangles);
	for (int i = 0; i < first; ++i)
		m.positions[i] = (rbl_vec3){ m.positions[i].x - 2.0f, m.positions[i].y - 2.0f, 0.0f };
	for (int i = 0; i < large.vertex_count; ++i) {
		rbl_vec3 p = large.positions[i];
		m.positions[first + i] = (rbl_vec3){ p.x - 4.0f, p.y - 4.0f, 1.0f };
	}
	for (int i = 0; i < 3 * large.triangle_count; ++i)
		m.triangles[3 * m.triangle_count + i] = first + large.triangles[i];
	m.vertex_count = count, m.triangle_count += large.triangle_count;
	reference_mesh_free(&large);
	return m;
}

// The sheets are turned round while they are certified, so that nobody tests their normals. Then
// the large one is turned back alone, and through the small one. With the old normals both would
// seem to face one way, and the small one, seen from behind, to be a hole in the large one.
static void turned_sheets_do_not_trust_old_normals(test *t)
{
	for (int kind = 0; kind < 3; ++kind) {
		rbl_random random = rbl_random_from_seed(1);
		reference_mesh mesh = make_two_sheets();
		flight f = make_flight(mesh, 0.0, 0.0, &random);
		f.axis = (rbl_vec3d){ 0.0, 1.0, 0.0 }, f.translation = (rbl_vec3d){ 0.0, 0.0, 0.0 };
		f.spin = 3.14159265358979 / 8;
		rbl_surface *surface = make_surface(t);
		add_flight(t, surface, &f);
		reference_mesh other = reference_sheet(3, 3);
		for (int i = 0; i < other.vertex_count; ++i)
			other.positions[i].z = 20.0f;
		rbl_surface_body_id both[2] = { reference_add(t, surface, &other), f.body };
		reference_mesh_free(&other);
		for (int step = 0; step < 9; ++step) {
			if (step < 8) // and then it rests
				fly(t, surface, &f);
			reference_check_query(t, surface, false);
		}
		CHECK(t, is_certified(surface, f.body));
		if (kind == 1) { // a corner of the large one is cut off
			int labels[160] = { 0 };
			labels[159] = -1;
			rbl_surface_split_def def = rbl_default_surface_split_def();
			def.piece_count = 1, def.labels = labels;
			CHECK(t, rbl_surface_split(surface, f.body, &def, &f.body) == RBL_OK);
		} else if (kind == 2) { // they become part of another, far away
			CHECK(t, rbl_surface_merge(surface, both, 2, NULL, 0) == RBL_OK);
			f.body = both[0];
		}
		int moved[81], count = 0;
		rbl_vec3 ends[81];
		for (int i = 25; i < 25 + 81; ++i) {
			rbl_vec3 p = mesh.positions[i];
			moved[count] = i;
			ends[count++] = (rbl_vec3){ p.x, p.y, 0.1f * p.x };
		}
		CHECK(t, rbl_surface_move_vertices(surface, f.body, moved, count, ends) == RBL_OK);
		CHECK(t, reference_check_query(t, surface, false) > 0);
		rbl_destroy_surface(surface);
		reference_mesh_free(&mesh);
	}
}

static rbl_result fly_with(rbl_allocator allocator)
{
	rbl_random random = rbl_random_from_seed(31);
	reference_mesh mesh = reference_sheet(5, 4);
	mesh.positions[14].x += 1.3f; // a fan that overlaps others stays uncertain
	flight f = make_flight(mesh, 3.0, 0.2, &random);
	rbl_surface_def def = rbl_default_surface_def();
	def.allocator = allocator;
	rbl_surface *surface = NULL;
	rbl_surface_pairs pairs;
	rbl_result result = rbl_create_surface(&def, &surface);
	rbl_surface_body_def body = rbl_default_surface_body_def();
	body.vertex_count = mesh.vertex_count, body.positions = mesh.positions;
	body.triangle_count = mesh.triangle_count, body.triangles = mesh.triangles;
	if (result == RBL_OK)
		result = rbl_surface_add(surface, &body, &f.body);
	for (int step = 0; result == RBL_OK && step < 4; ++step) {
		f.middle = rbl_add_d(f.middle, f.translation);
		rbl_vec3 *ends = place(&f);
		result = rbl_surface_move(surface, f.body, NULL, ends);
		free(ends);
		if (result == RBL_OK)
			result = rbl_surface_update(surface, RBL_SURFACE_DISCRETE);
		if (result == RBL_OK)
			result = rbl_surface_collide(surface, &pairs);
	}
	if (result == RBL_OK && surface->certificates[f.body.index].uncertain_pairs.count == 0)
		result = RBL_BAD_ARGUMENT; // nothing was kept, so nothing was tried
	rbl_destroy_surface(surface);
	reference_mesh_free(&mesh);
	return result;
}

static void certificates_survive_a_lack_of_memory(test *t)
{
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_result result = fly_with(FAULTY(&memory));
		CHECK(t, memory.live_bytes == 0);
		CHECK(t, result == (memory.failed ? RBL_OUT_OF_MEMORY : RBL_OK));
		if (!memory.failed)
			break;
	}
}

static void workers_certify_the_same(test *t)
{
	int candidates[2] = { 0, 0 };
	for (int workers = 1; workers <= 4; workers += 3) {
		rbl_random random = rbl_random_from_seed(8);
		rbl_jobs *jobs = create_pool(workers);
		rbl_surface_def def = rbl_default_surface_def();
		def.jobs = jobs;
		rbl_surface *surface;
		CHECK(t, rbl_create_surface(&def, &surface) == RBL_OK);
		rbl_surface_always_share(surface);
		flight flights[12];
		for (int i = 0; i < 12; ++i) {
			reference_mesh mesh = reference_sheet(4, 4);
			reference_crumple(&mesh, &random);
			flights[i] = make_flight(mesh, 2.0, 0.2, &random);
			add_flight(t, surface, &flights[i]);
		}
		for (int step = 0; step < 5; ++step) {
			for (int i = 0; i < 12; ++i)
				fly(t, surface, &flights[i]);
			reference_check_query(t, surface, step % 2);
			candidates[workers > 1] += (int)rbl_surface_get_stats(surface).candidates;
		}
		for (int i = 0; i < 12; ++i)
			reference_mesh_free(&flights[i].mesh);
		rbl_destroy_surface(surface);
		rbl_destroy_jobs(jobs);
	}
	CHECK(t, candidates[0] == candidates[1]);
}

TEST_MAIN(TEST(flying_bodies_equal_brute_force), TEST(half_a_turn_is_no_rigid_motion),
          TEST(wide_wedges_stay_apart), TEST(wide_fans_stay_free),
          TEST(shapes_that_creep_are_looked_at_again), TEST(disturbed_bodies_equal_brute_force),
          TEST(merged_bodies_start_anew), TEST(turned_sheets_do_not_trust_old_normals),
          TEST(certificates_survive_a_lack_of_memory), TEST(workers_certify_the_same))
