// SPDX-License-Identifier: MIT
// Contours: how many there are by construction, what they cut off, and laws that hold for anything;
// overlaps of closed bodies.

#include "surface/reference.h"

#include "faulty_allocator.h"
#include "geometry/geometry.h"
#include "geometry/triangle_intersection.h"

#include <rubble/surface_contours.h>

enum { LATTICE = 7 }; // of balls: an octahedron with edges in so many parts

// A ball, or an octahedron, with triangles that face outwards.
static reference_mesh make_ball(rbl_vec3 centre, float radius, bool is_round)
{
	enum { SIDE = 2 * LATTICE + 1 };
	static int index[SIDE][SIDE][SIDE];
	reference_mesh m = { .positions = calloc(8 * SIDE * SIDE, sizeof(rbl_vec3)),
		                 .triangles = calloc(3 * 8 * 2 * SIDE * SIDE, sizeof(int)) };
	for (int i = -LATTICE; i <= LATTICE; ++i)
		for (int j = -LATTICE; j <= LATTICE; ++j)
			for (int k = -LATTICE; k <= LATTICE; ++k) {
				if (abs(i) + abs(j) + abs(k) != LATTICE)
					continue;
				rbl_vec3 p = { (float)i, (float)j, (float)k };
				p = is_round ? rbl_scale(radius, rbl_normalize(p)) : rbl_scale(radius / LATTICE, p);
				index[i + LATTICE][j + LATTICE][k + LATTICE] = m.vertex_count;
				m.positions[m.vertex_count++] = rbl_add(centre, p);
			}
	for (int octant = 0; octant < 8; ++octant) {
		int sign[3] = { octant & 1 ? -1 : 1, octant & 2 ? -1 : 1, octant & 4 ? -1 : 1 };
		bool is_turned = sign[0] * sign[1] * sign[2] < 0;
		for (int i = 0; i < LATTICE; ++i)
			for (int j = 0; i + j < LATTICE; ++j)
				for (int half = 0; half < 2; ++half) {
					const int corners[2][3][2] = {
						{ { i, j }, { i + 1, j }, { i, j + 1 } },
						{ { i + 1, j + 1 }, { i, j + 1 }, { i + 1, j } }
					};
					if (half && i + j + 2 > LATTICE)
						continue;
					int *t = m.triangles + 3 * m.triangle_count++;
					for (int c = 0; c < 3; ++c) {
						const int *at = corners[half][is_turned ? 2 - c : c];
						t[c] = index[sign[0] * at[0] + LATTICE][sign[1] * at[1] + LATTICE]
									[sign[2] * (LATTICE - at[0] - at[1]) + LATTICE];
					}
				}
	}
	return m;
}

static reference_mesh make_sheet(int width, rbl_vec3 corner, float step)
{
	reference_mesh m = reference_sheet(width, width);
	for (int i = 0; i < m.vertex_count; ++i)
		m.positions[i] = rbl_add(corner, rbl_scale(step, m.positions[i]));
	return m;
}

static reference_mesh make_box(rbl_vec3 corner, rbl_vec3 size)
{
	reference_mesh m = { .positions = calloc(8, sizeof(rbl_vec3)),
		                 .triangles = calloc(36, sizeof(int)),
		                 .vertex_count = 8,
		                 .triangle_count = 12 };
	static const int faces[12][3] = { { 0, 2, 1 }, { 1, 2, 3 }, { 4, 5, 6 }, { 5, 7, 6 },
		                              { 0, 1, 4 }, { 1, 5, 4 }, { 2, 6, 3 }, { 3, 6, 7 },
		                              { 0, 4, 2 }, { 2, 4, 6 }, { 1, 3, 5 }, { 3, 7, 5 } };
	for (int i = 0; i < 8; ++i)
		m.positions[i] = rbl_add(corner, (rbl_vec3){ i & 1 ? size.x : 0.0f, i & 2 ? size.y : 0.0f,
		                                             i & 4 ? size.z : 0.0f });
	memcpy(m.triangles, faces, sizeof faces);
	return m;
}

typedef struct contour_scene {
	rbl_surface *surface;
	rbl_surface_body_id bodies[2];
	rbl_surface_pairs pairs;
	rbl_surface_contours list;
} contour_scene;

static contour_scene ask(test *t, reference_mesh a, reference_mesh b)
{
	contour_scene s = { .surface = NULL };
	rbl_surface_def def = rbl_default_surface_def();
	CHECK(t, rbl_create_surface(&def, &s.surface) == RBL_OK);
	s.bodies[0] = reference_add(t, s.surface, &a);
	if (b.vertex_count > 0)
		s.bodies[1] = reference_add(t, s.surface, &b);
	CHECK(t, rbl_surface_update(s.surface, RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_get_contours(s.surface, &s.list) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_collide(s.surface, &s.pairs) == RBL_OK);
	CHECK(t, rbl_surface_get_contours(s.surface, &s.list) == RBL_OK);
	reference_mesh_free(&a);
	reference_mesh_free(&b);
	return s;
}

static double distance_to_triangle(const rbl_surface *s, rbl_vec3d p, int triangle)
{
	rbl_vec3d points[4] = { p };
	for (int k = 0; k < 3; ++k)
		points[k + 1] = rbl_surface_exact(s, s->triangles[3 * triangle + k], 1);
	rbl_closest closest;
	rbl_closest_vertex_face(points, &closest);
	return closest.distance;
}

// What holds for all contours.
static void check_laws(test *t, const contour_scene *s)
{
	const rbl_surface *surface = s->surface;
	int segments = 0, wrong = 0;
	for (int i = 0; i < s->list.count; ++i) {
		const rbl_surface_contour *c = &s->list.contours[i];
		const rbl_surface_crossing *crossings = s->list.crossings + c->crossing_begin;
		CHECK(t, c->crossing_count == c->count + !c->is_closed && c->begin == segments);
		segments += c->count;
		for (int k = 0; k < c->count; ++k) {
			rbl_surface_pair pair = s->list.triangle_pairs[c->begin + k];
			for (int end = 0; end < 2; ++end) {
				rbl_vec3d p = crossings[(k + end) % c->crossing_count].position;
				wrong += distance_to_triangle(surface, p, pair.a) > 1e-5;
				wrong += distance_to_triangle(surface, p, pair.b) > 1e-5;
			}
			rbl_surface_body_id of[2] = { rbl_surface_triangle_body(surface, pair.a),
				                          rbl_surface_triangle_body(surface, pair.b) };
			wrong += of[0].index != c->bodies[0].index || of[1].index != c->bodies[1].index;
		}
		for (int end = 0; end < 2 && !c->is_closed; ++end) {
			const rbl_surface_crossing *last = &crossings[end ? c->crossing_count - 1 : 0];
			wrong += last->edge >= 0 && surface->twins[last->edge] >= 0;
		}
		for (int side = 0; side < 2; ++side) {
			for (int k = 0; k < c->vertex_count[side]; ++k)
				wrong += k > 0 && s->list.vertices[c->vertex_begin[side] + k] <=
				                      s->list.vertices[c->vertex_begin[side] + k - 1];
			wrong += !c->has_inside[side] && c->vertex_count[side] > 0;
		}
	}
	CHECK(t, wrong == 0);
	// Each pair is part of a contour, or touches.
	int extra = 0;
	for (int i = 0; i < segments; ++i) {
		rbl_surface_pair pair = s->list.triangle_pairs[i];
		const int *a = surface->triangles + 3 * pair.a, *b = surface->triangles + 3 * pair.b;
		extra += !rbl_indexed_triangles_meet_float(surface->positions[1], a, b);
	}
	CHECK(t, segments - extra + s->list.touching_count == s->pairs.count);
}

// Whether a vertex is in a convex body: behind all of its faces.
static bool is_within(const rbl_surface *s, int vertex, rbl_surface_body_id body)
{
	rbl_surface_body_data data = rbl_surface_body_get_data(s, body);
	for (int i = 0; i < data.triangle_count; ++i) {
		const int *v = s->triangles + 3 * data.triangles[i];
		if (rbl_orient3d_float(s->positions[1][v[0]], s->positions[1][v[1]], s->positions[1][v[2]],
		                       s->positions[1][vertex]) > 0)
			return false;
	}
	return true;
}

// Vertices of a body within another, which is convex, are exactly those.
static void check_within(test *t, const contour_scene *s, int side, const int *vertices, int count)
{
	rbl_surface_body_data data = rbl_surface_body_get_data(s->surface, s->bodies[side]);
	int next = 0;
	for (int i = 0; i < data.vertex_count; ++i) { // ids ascend
		bool is_listed = next < count && vertices[next] == data.vertices[i];
		CHECK(t, is_listed == is_within(s->surface, data.vertices[i], s->bodies[!side]));
		next += is_listed;
	}
	CHECK(t, next == count && count > 0);
}

static void two_balls_have_one_loop(test *t)
{
	const rbl_vec3 to = { 0.82f, 0.31f, -0.55f };
	const float radius = 0.7f;
	contour_scene s = ask(t, make_ball((rbl_vec3){ 0.0f, 0.0f, 0.0f }, radius, true),
	                      make_ball(to, radius, true));
	check_laws(t, &s);
	CHECK(t, s.list.count == 1 && s.list.contours[0].is_closed && s.list.touching_count == 0);
	const rbl_surface_contour *c = &s.list.contours[0];
	for (int side = 0; side < 2; ++side) {
		CHECK(t, c->has_inside[side] && c->triangle_count[side] > 0);
		check_within(t, &s, side, s.list.vertices + c->vertex_begin[side], c->vertex_count[side]);
	}
	rbl_surface_overlaps list;
	CHECK(t, rbl_surface_get_overlaps(s.surface, &list) == RBL_OK && list.count == 1);
	const rbl_surface_overlap *o = &list.overlaps[0];
	float apart = rbl_length(to), half = 0.5f * apart;
	CHECK(t, rbl_dot(o->direction, rbl_normalize(to)) < -0.9995f);
	CHECK_NEAR(t, o->depth, 2.0f * radius - apart, 0.03f);
	CHECK_NEAR(t, o->area, 3.14159f * (radius * radius - half * half), 0.06f);
	for (int side = 0; side < 2; ++side)
		check_within(t, &s, side, list.vertices + o->vertex_begin[side], o->vertex_count[side]);
	rbl_destroy_surface(s.surface);
}

static void a_sheet_through_a_ball_has_one_loop(test *t)
{
	contour_scene s = ask(t, make_sheet(24, (rbl_vec3){ -1.5f, -1.4f, 0.13f }, 0.12f),
	                      make_ball((rbl_vec3){ 0.01f, 0.02f, 0.0f }, 0.7f, true));
	check_laws(t, &s);
	CHECK(t, s.list.count == 1 && s.list.contours[0].is_closed);
	const rbl_surface_contour *c = &s.list.contours[0];
	CHECK(t, c->has_inside[0] && c->has_inside[1]);
	check_within(t, &s, 0, s.list.vertices + c->vertex_begin[0], c->vertex_count[0]);
	// Of the ball it is what is above the sheet, the smaller part.
	rbl_surface_body_data ball = rbl_surface_body_get_data(s.surface, s.bodies[1]);
	int above = 0;
	for (int i = 0; i < ball.vertex_count; ++i)
		above += s.surface->positions[1][ball.vertices[i]].z > 0.13f;
	CHECK(t, c->vertex_count[1] == above);
	for (int i = 0; i < c->vertex_count[1]; ++i)
		CHECK(t, s.surface->positions[1][s.list.vertices[c->vertex_begin[1] + i]].z > 0.13f);
	rbl_surface_overlaps overlaps; // the sheet is open
	CHECK(t, rbl_surface_get_overlaps(s.surface, &overlaps) == RBL_OK && overlaps.count == 0);
	rbl_destroy_surface(s.surface);
}

// A ring in a sheet: two loops, neither of which cuts the ring in two.
static void a_sheet_through_a_torus_has_two_loops(test *t)
{
	enum { AROUND = 24, TUBE = 12 };
	reference_mesh torus = reference_torus(AROUND, TUBE);
	for (int i = 0; i < torus.vertex_count; ++i) {
		float u = 6.2831853f * (float)(i % AROUND) / AROUND;
		float v = 6.2831853f * ((float)(i / AROUND) + 0.3f) / TUBE;
		float r = 1.0f + 0.35f * cosf(v);
		torus.positions[i] = (rbl_vec3){ r * cosf(u), r * sinf(u), 0.35f * sinf(v) };
	}
	contour_scene s = ask(t, torus, make_sheet(40, (rbl_vec3){ -2.01f, -2.02f, 0.0f }, 0.1f));
	check_laws(t, &s);
	CHECK(t, s.list.count == 2);
	for (int i = 0; i < s.list.count; ++i) {
		CHECK(t, s.list.contours[i].is_closed && !s.list.contours[i].has_inside[0]);
		CHECK(t, s.list.contours[i].has_inside[1] && s.list.contours[i].vertex_count[1] > 50);
	}
	rbl_destroy_surface(s.surface);
}

// An octahedron whose equator lies in a sheet, vertices upon vertices and edges along edges; and
// one that stands on it with a vertex.
static void contact_without_depth_is_clean(test *t)
{
	for (int shift = 0; shift < 2; ++shift) {
		float step = shift ? 1.0f : 0.5f;
		contour_scene s =
			ask(t, make_ball((rbl_vec3){ 0.0f, 0.0f, 0.0f }, LATTICE, false),
		        make_sheet(20 + 20 * !shift, (rbl_vec3){ -10.0f, -10.0f, 0.0f }, step));
		check_laws(t, &s);
		CHECK(t, s.list.count == 1 && s.list.contours[0].is_closed && s.list.touching_count > 0);
		CHECK(t, s.list.contours[0].has_inside[0] && s.list.contours[0].has_inside[1]);
		rbl_destroy_surface(s.surface);
	}
	int loops = 0, none = 0;
	for (int add_first = 0; add_first < 2; ++add_first) { // who is moved which way depends on ids
		reference_mesh ball = make_ball((rbl_vec3){ 0.0f, 0.0f, LATTICE }, LATTICE, false);
		reference_mesh sheet = make_sheet(20, (rbl_vec3){ -10.0f, -10.0f, 0.0f }, 1.0f);
		contour_scene s = add_first ? ask(t, sheet, ball) : ask(t, ball, sheet);
		check_laws(t, &s);
		CHECK(t, s.pairs.count > 0 && s.list.count <= 1);
		loops += s.list.count, none += s.list.count == 0;
		CHECK(t, s.list.count == 0 || s.list.contours[0].is_closed);
		rbl_destroy_surface(s.surface);
	}
	CHECK(t, loops == 1 && none == 1);
}

// Closed bodies of the kind of a ball, crumpled onto a lattice: all contours between them close,
// and cut both in two. Sheets that go through themselves: contours end at boundaries and vertices.
static void laws_hold_for_anything(test *t)
{
	int loops = 0, open = 0, at_vertices = 0, touching = 0;
	for (int run = 0; run < test_count(8, 400); ++run) {
		rbl_random random = rbl_random_from_seed(900 + (uint64_t)run);
		reference_mesh meshes[2];
		for (int m = 0; m < 2; ++m) {
			meshes[m] = run % 2 ? make_ball((rbl_vec3){ 0.0f, 0.0f, 0.0f }, 3.0f, true)
			                    : reference_sheet(9, 9);
			reference_crumple(&meshes[m], &random);
			for (int i = 0; i < meshes[m].vertex_count && run % 4 > 1; ++i) {
				rbl_vec3 *p = &meshes[m].positions[i];
				*p = (rbl_vec3){ floorf(p->x), floorf(p->y), floorf(p->z) };
			}
		}
		contour_scene s = ask(t, meshes[0], meshes[1]);
		check_laws(t, &s);
		touching += s.list.touching_count;
		for (int i = 0; i < s.list.count; ++i) {
			const rbl_surface_contour *c = &s.list.contours[i];
			bool is_self = c->bodies[0].index == c->bodies[1].index;
			loops += c->is_closed, open += !c->is_closed;
			at_vertices += s.list.crossings[c->crossing_begin].edge < 0;
			CHECK(t, is_self || run % 2 == 0 || c->is_closed);
			for (int side = 0; side < 2 && !is_self && run % 2; ++side) {
				int crossed = 0;
				for (int k = 0; k < c->crossing_count; ++k) {
					int face = s.list.crossings[c->crossing_begin + k].triangle;
					int body = (int)rbl_surface_triangle_body(s.surface, face).index;
					crossed += body != (int)c->bodies[side].index;
				}
				CHECK(t, c->has_inside[side] || crossed == 0 || crossed % 2 == 0);
			}
		}
		rbl_destroy_surface(s.surface);
	}
	CHECK(t, loops > 20 && open > 10 && at_vertices > 10 && touching > 100);
}

// What of the surface of one box is in the other is known exactly.
static void boxes_overlap_as_computed(test *t)
{
	contour_scene s =
		ask(t, make_box((rbl_vec3){ 0.0f, 0.0f, 0.0f }, (rbl_vec3){ 1.0f, 1.0f, 1.0f }),
	        make_box((rbl_vec3){ 0.9f, 0.2f, 0.3f }, (rbl_vec3){ 1.0f, 1.0f, 1.0f }));
	rbl_surface_overlaps list;
	check_laws(t, &s);
	CHECK(t, rbl_surface_get_overlaps(s.surface, &list) == RBL_OK && list.count == 1);
	const rbl_surface_overlap *o = &list.overlaps[0];
	rbl_vec3 sum = { 0.8f * 0.7f, 0.1f * 0.7f, 0.1f * 0.8f };
	CHECK_NEAR(t, o->area, rbl_length(sum), 1e-5f);
	rbl_vec3 direction = rbl_neg(rbl_normalize(sum));
	CHECK(t, rbl_length(rbl_sub(o->direction, direction)) < 1e-5f);
	CHECK(t, o->vertex_count[0] == 1 && o->vertex_count[1] == 1);
	CHECK_NEAR(t, o->depth, 0.1f / -direction.x, 1e-5f);
	// A rod right through a plate: its loops cancel.
	rbl_destroy_surface(s.surface);
	s = ask(t, make_box((rbl_vec3){ -5.0f, -5.0f, -0.1f }, (rbl_vec3){ 10.0f, 10.0f, 0.2f }),
	        make_box((rbl_vec3){ -0.3f, -0.2f, -4.0f }, (rbl_vec3){ 0.7f, 0.7f, 8.0f }));
	CHECK(t, s.list.count == 2);
	CHECK(t, rbl_surface_get_overlaps(s.surface, &list) == RBL_OK && list.count == 1);
	CHECK(t, list.overlaps[0].depth == 0.0f && rbl_length(list.overlaps[0].direction) == 0.0f);
	rbl_destroy_surface(s.surface);
}

static rbl_result run_failing(test *t, faulty_allocator *memory)
{
	rbl_surface_def def = rbl_default_surface_def();
	def.allocator = FAULTY(memory);
	rbl_surface *surface = NULL;
	rbl_surface_pairs pairs;
	rbl_surface_contours contours;
	rbl_surface_overlaps overlaps;
	rbl_result result = rbl_create_surface(&def, &surface);
	for (int i = 0; i < 2 && result == RBL_OK; ++i) {
		reference_mesh ball = make_ball((rbl_vec3){ 0.8f * (float)i, 0.0f, 0.0f }, 0.7f, true);
		rbl_surface_body_def body = rbl_default_surface_body_def();
		rbl_surface_body_id id;
		body.vertex_count = ball.vertex_count, body.positions = ball.positions;
		body.triangle_count = ball.triangle_count, body.triangles = ball.triangles;
		result = rbl_surface_add(surface, &body, &id);
		reference_mesh_free(&ball);
	}
	if (result == RBL_OK)
		result = rbl_surface_update(surface, RBL_SURFACE_DISCRETE);
	if (result == RBL_OK)
		result = rbl_surface_collide(surface, &pairs);
	if (result == RBL_OK) {
		result = rbl_surface_get_contours(surface, &contours);
		CHECK(t, result == RBL_OK || contours.count == 0);
	}
	if (result == RBL_OK) {
		result = rbl_surface_get_overlaps(surface, &overlaps);
		CHECK(t, overlaps.count == (result == RBL_OK));
	}
	rbl_destroy_surface(surface);
	return result;
}

static void every_allocation_may_fail(test *t)
{
	bool is_done = false;
	for (int n = 0; !is_done && n < 1000; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_result result = run_failing(t, &memory);
		CHECK(t, memory.live_bytes == 0);
		is_done = !memory.failed;
		CHECK(t, is_done ? result == RBL_OK : result == RBL_OUT_OF_MEMORY || result == RBL_OK);
	}
	CHECK(t, is_done);
}

TEST_MAIN(TEST(two_balls_have_one_loop), TEST(a_sheet_through_a_ball_has_one_loop),
          TEST(a_sheet_through_a_torus_has_two_loops), TEST(contact_without_depth_is_clean),
          TEST(laws_hold_for_anything), TEST(boxes_overlap_as_computed),
          TEST(every_allocation_may_fail))
