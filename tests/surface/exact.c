// SPDX-License-Identifier: MIT
// Positions as doubles, with strides, by vertex id; user ids, ranges by bodies, maps.

#include "surface/reference.h"

#include "faulty_allocator.h"
#include "geometry/geometry.h"
#include "geometry/triangle_intersection.h"
#include "surface/seam.h"
#include "surface/query.h"

#include <rubble/surface_edit.h>

enum { WIDTH = 7, BODIES = 3 };

// A record of somebody's simulation, with a stride that is no multiple of a double.
typedef struct __attribute__((packed)) record {
	char tag;
	double position[3];
	float mass;
} record;

typedef struct exact_scene {
	reference_mesh mesh;
	rbl_surface *surface;
	rbl_surface_body_id bodies[BODIES];
	rbl_vec3d *points[2]; // of all bodies, start and end
	record *records;
	int *user_ids;
	int count;
} exact_scene;

// Sheets one through the other, far from the origin, so that floats are coarse beside the gaps.
static rbl_vec3d place(const exact_scene *s, rbl_random *random, int i, double noise)
{
	rbl_vec3 p = s->mesh.positions[i % s->mesh.vertex_count];
	int body = i / s->mesh.vertex_count;
	return (rbl_vec3d){ 3000.0 + 1e-3 * (double)p.x + noise * rbl_random_range(random, -1.0, 1.0),
		                -2000.0 + 1e-3 * (double)p.y + noise * rbl_random_range(random, -1.0, 1.0),
		                1000.0 + 1e-4 * body + noise * rbl_random_range(random, -1.0, 1.0) };
}

static exact_scene make_scene(test *t, uint64_t seed, double noise, rbl_surface_culling culling)
{
	exact_scene s = { .mesh = reference_sheet(WIDTH, WIDTH) };
	rbl_random random = rbl_random_from_seed(seed);
	s.count = BODIES * s.mesh.vertex_count;
	s.records = calloc((size_t)s.count, sizeof *s.records);
	s.user_ids = malloc((size_t)s.count * sizeof *s.user_ids);
	for (int time = 0; time < 2; ++time) {
		s.points[time] = malloc((size_t)s.count * sizeof *s.points[time]);
		for (int i = 0; i < s.count; ++i)
			s.points[time][i] = place(&s, &random, i, noise);
	}
	rbl_surface_def def = rbl_default_surface_def();
	def.culling = culling;
	CHECK(t, rbl_create_surface(&def, &s.surface) == RBL_OK);
	for (int b = 0; b < BODIES; ++b) {
		rbl_surface_body_def body = rbl_default_surface_body_def();
		body.vertex_count = s.mesh.vertex_count;
		body.input = (rbl_surface_positions){ s.points[0] + b * s.mesh.vertex_count, 0, true };
		body.triangle_count = s.mesh.triangle_count, body.triangles = s.mesh.triangles;
		for (int i = 0; i < body.vertex_count; ++i) // in the order of records, which is backwards
			s.user_ids[b * body.vertex_count + i] = s.count - 1 - (b * body.vertex_count + i);
		body.vertex_user_ids = s.user_ids + b * body.vertex_count;
		body.user_id = 1000 + (uint64_t)b;
		CHECK(t, rbl_surface_add(s.surface, &body, &s.bodies[b]) == RBL_OK);
	}
	return s;
}

static void free_scene(exact_scene *s)
{
	rbl_destroy_surface(s->surface);
	reference_mesh_free(&s->mesh);
	free(s->points[0]);
	free(s->points[1]);
	free(s->records);
	free(s->user_ids);
}

static rbl_surface_positions records_at(exact_scene *s, int time)
{
	for (int i = 0; i < s->count; ++i) {
		rbl_vec3d p = s->points[time][i];
		memcpy(s->records[s->count - 1 - i].position, &p, sizeof p);
	}
	return (rbl_surface_positions){ s->records[0].position, sizeof(record), true };
}

// Doubles by the surface's vertex ids: bodies were added one after the other.
static void features_at(const exact_scene *s, const int v[4], rbl_vec3d start[4], rbl_vec3d end[4])
{
	for (int i = 0; i < 4; ++i)
		start[i] = s->points[0][v[i]], end[i] = s->points[1][v[i]];
}

static bool features_share(const int v[4], int firsts)
{
	bool is_any = false;
	for (int i = 0; i < firsts; ++i)
		for (int k = firsts; k < 4; ++k)
			is_any |= v[i] == v[k];
	return is_any;
}

// Every two features that touch over the step as doubles must come next in the list.
static void compare_hits_of_doubles(test *t, const exact_scene *s, rbl_surface_hits hits)
{
	const rbl_surface *surface = s->surface;
	int next = 0, half_edges = 3 * surface->triangle_end;
	for (int kind = 0; kind < 2; ++kind) {
		int a_end = kind == RBL_HIT_VERTEX_FACE ? surface->vertex_end : half_edges;
		int b_end = kind == RBL_HIT_VERTEX_FACE ? surface->triangle_end : half_edges;
		for (int a = 0; a < a_end; ++a) {
			if (kind == RBL_HIT_EDGE_EDGE && !rbl_surface_owns_edge(surface, a))
				continue;
			for (int b = kind == RBL_HIT_EDGE_EDGE ? a + 1 : 0; b < b_end; ++b) {
				int v[4];
				rbl_vec3d start[4], end[4];
				rbl_impact impact;
				rbl_surface_feature_vertices(surface, (rbl_surface_hit_kind)kind, a, b, v);
				if ((kind == RBL_HIT_EDGE_EDGE && !rbl_surface_owns_edge(surface, b)) ||
				    features_share(v, kind == RBL_HIT_VERTEX_FACE ? 1 : 2))
					continue;
				features_at(s, v, start, end);
				(kind == RBL_HIT_VERTEX_FACE ? rbl_test_vertex_face
				                             : rbl_test_edge_edge)(start, end, 0.0, &impact);
				if (!impact.is_hit)
					continue;
				bool is_next = next < hits.count && (int)hits.hits[next].kind == kind &&
				               hits.hits[next].a == a && hits.hits[next].b == b;
				CHECK(t, is_next);
				next += is_next;
			}
		}
	}
	CHECK(t, next == hits.count);
}

static void compare_pairs_of_doubles(test *t, const exact_scene *s, rbl_surface_pairs pairs,
                                     int *differing)
{
	rbl_surface_data data = rbl_surface_get_data(s->surface);
	int next = 0;
	for (int a = 0; a < data.triangle_end; ++a)
		for (int b = a + 1; b < data.triangle_end; ++b) {
			bool meets = rbl_indexed_triangles_meet(s->points[1], data.triangles + 3 * a,
			                                        data.triangles + 3 * b);
			*differing += meets != rbl_indexed_triangles_meet_float(
									   data.ends, data.triangles + 3 * a, data.triangles + 3 * b);
			if (!meets)
				continue;
			bool is_next =
				next < pairs.count && pairs.pairs[next].a == a && pairs.pairs[next].b == b;
			CHECK(t, is_next);
			next += is_next;
		}
	CHECK(t, next == pairs.count);
}

// Gaps are below what floats can tell: lists are those of the doubles all the same.
static void doubles_are_certified(test *t)
{
	int differing = 0, hit_count = 0, pair_count = 0, near_count = 0;
	for (int run = 0; run < test_count(2, 8); ++run)
		for (int culling = 0; culling < 2; ++culling) {
			double noise = run % 2 ? 3e-4 : 2e-5;
			exact_scene s =
				make_scene(t, 7 + (uint64_t)run, noise, culling ? RBL_CULL_EXACT : RBL_CULL_NONE);
			rbl_surface_positions start = { s.points[0], 0, true };
			rbl_surface_positions end = records_at(&s, 1);
			// The first body by itself, from where it was added; then all, by user id.
			rbl_surface_positions first = { s.points[1], sizeof(rbl_vec3d), true };
			CHECK(t, rbl_surface_move_to(s.surface, s.bodies[0], &start, &first) == RBL_OK);
			for (int b = 1; b < BODIES; ++b) {
				rbl_surface_positions of_body = { s.points[1] + b * s.mesh.vertex_count, 0, true };
				CHECK(t, rbl_surface_move_to(s.surface, s.bodies[b], NULL, &of_body) == RBL_OK);
			}
			rbl_surface_hits hits;
			CHECK(t, rbl_surface_update(s.surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
			CHECK(t, rbl_surface_sweep(s.surface, &hits) == RBL_OK);
			compare_hits_of_doubles(t, &s, hits);
			hit_count += hits.count;

			CHECK(t, rbl_surface_move_all(s.surface, NULL, &end, s.count) == RBL_OK);
			rbl_surface_pairs pairs;
			CHECK(t, rbl_surface_update(s.surface, RBL_SURFACE_DISCRETE) == RBL_OK);
			CHECK(t, rbl_surface_collide(s.surface, &pairs) == RBL_OK);
			compare_pairs_of_doubles(t, &s, pairs, &differing);
			pair_count += pairs.count;

			rbl_surface_near_pairs list;
			CHECK(t, rbl_surface_proximity(s.surface, 2e-5f, &list) == RBL_OK);
			for (int i = 0; i < list.count; ++i) {
				int v[4];
				rbl_vec3d ignored[4], p[4];
				rbl_closest closest;
				const rbl_surface_near_pair *near_pair = &list.pairs[i];
				rbl_surface_feature_vertices(s.surface, near_pair->kind, near_pair->a, near_pair->b,
				                             v);
				features_at(&s, v, ignored, p);
				(near_pair->kind == RBL_HIT_VERTEX_FACE ? rbl_closest_vertex_face
				                                        : rbl_closest_edge_edge)(p, &closest);
				CHECK(t, near_pair->distance == (float)closest.distance);
			}
			near_count += list.count;
			free_scene(&s);
		}
	CHECK(t, hit_count > 100 && pair_count > 100 && near_count > 100 && differing > 10);
}

static void names_ranges_and_maps_fit(test *t)
{
	exact_scene s = make_scene(t, 3, 3e-4, RBL_CULL_EXACT);
	rbl_surface_positions end = records_at(&s, 1);
	rbl_surface_name_list names;
	rbl_surface_ranges ranges;
	rbl_surface_hits hits;
	CHECK(t, rbl_surface_get_names(s.surface, &names) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_move_all(s.surface, NULL, &end, s.count) == RBL_OK);
	CHECK(t, rbl_surface_update(s.surface, RBL_SURFACE_CONTINUOUS) == RBL_OK);
	CHECK(t, rbl_surface_get_ranges(s.surface, &ranges) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_sweep(s.surface, &hits) == RBL_OK && hits.count > 0);
	CHECK(t, rbl_surface_get_names(s.surface, &names) == RBL_OK && names.count == hits.count);
	for (int i = 0; i < hits.count; ++i) {
		int v[4];
		rbl_surface_feature_vertices(s.surface, hits.hits[i].kind, hits.hits[i].a, hits.hits[i].b,
		                             v);
		for (int k = 0; k < 4; ++k) {
			CHECK(t, names.names[i].vertices[k] == s.count - 1 - v[k]);
			bool is_first = k < (hits.hits[i].kind == RBL_HIT_VERTEX_FACE ? 1 : 2);
			CHECK(t, names.names[i].body_user_ids[!is_first] ==
			             1000 + (uint64_t)(v[k] / s.mesh.vertex_count));
		}
		CHECK(t, names.names[i].vertices[4] == -1 && names.names[i].triangles[0] == -1);
	}
	CHECK(t, rbl_surface_get_ranges(s.surface, &ranges) == RBL_OK && ranges.count == hits.count);
	int covered = 0;
	for (int r = 0; r < ranges.range_count; ++r) {
		const rbl_surface_range *range = &ranges.ranges[r];
		CHECK(t, range->begin == covered && range->count > 0 && range->a.index <= range->b.index);
		for (int i = 0; i < range->count; ++i) {
			int at = ranges.order[range->begin + i];
			CHECK(t, i == 0 || at > ranges.order[range->begin + i - 1]);
			uint32_t a = names.names[at].bodies[0].index, b = names.names[at].bodies[1].index;
			CHECK(t, (a < b ? a : b) == range->a.index && (a < b ? b : a) == range->b.index);
		}
		covered += range->count;
	}
	CHECK(t, covered == hits.count && ranges.range_count > 2);
	rbl_surface_map map;
	rbl_surface_data data = rbl_surface_get_data(s.surface);
	CHECK(t, rbl_surface_get_map(s.surface, &map) == RBL_OK);
	for (int v = 0; v < data.vertex_end; ++v)
		CHECK(t, rbl_surface_body_get_data(s.surface, map.vertices[v].body)
		                     .vertices[map.vertices[v].place] == v &&
		             data.vertex_user_ids[v] == s.count - 1 - v);
	for (int i = 0; i < data.triangle_end; ++i)
		CHECK(t, rbl_surface_body_get_data(s.surface, map.triangles[i].body)
		                 .triangles[map.triangles[i].place] == i);
	// What rests is not moved, and what was not given is refused.
	CHECK(t, rbl_surface_move_all(s.surface, NULL, &end, s.count - 1) == RBL_BAD_ARGUMENT);
	int one = 0, id = 77;
	CHECK(t, rbl_surface_set_vertex_user_ids(s.surface, &one, &id, 1) == RBL_OK);
	CHECK(t, rbl_surface_set_triangle_user_ids(s.surface, &one, &id, 1) == RBL_OK);
	CHECK(t, rbl_surface_get_data(s.surface).triangle_user_ids[0] == 77);
	one = data.triangle_end;
	CHECK(t, rbl_surface_set_triangle_user_ids(s.surface, &one, &id, 1) == RBL_BAD_ARGUMENT);
	free_scene(&s);
}

// How far a point is from a triangle, as a share of where it is.
static double distance_to(const exact_scene *s, rbl_vec3d p, const int *v)
{
	rbl_vec3d points[4] = { p, s->points[1][v[0]], s->points[1][v[1]], s->points[1][v[2]] };
	rbl_closest closest;
	rbl_closest_vertex_face(points, &closest);
	return closest.distance;
}

// Both ends of a segment are on both triangles.
static void segments_are_in_both_triangles(test *t)
{
	int long_count = 0, point_count = 0;
	for (int run = 0; run < 4; ++run) {
		exact_scene s = make_scene(t, 21 + (uint64_t)run, 3e-4, RBL_CULL_EXACT);
		for (int i = 0; i < s.count && run % 2; ++i) { // on a lattice much lies in one plane
			rbl_vec3d *p = &s.points[1][i];
			*p = (rbl_vec3d){ floor(2000.0 * p->x) / 2000.0, floor(2000.0 * p->y) / 2000.0,
				              floor(2000.0 * p->z) / 2000.0 };
		}
		rbl_surface_positions end = records_at(&s, 1);
		rbl_surface_pairs pairs;
		rbl_surface_segments list;
		rbl_surface_data data;
		CHECK(t, rbl_surface_move_all(s.surface, NULL, &end, s.count) == RBL_OK);
		CHECK(t, rbl_surface_update(s.surface, RBL_SURFACE_DISCRETE) == RBL_OK);
		CHECK(t, rbl_surface_get_segments(s.surface, &list) == RBL_BAD_ARGUMENT);
		CHECK(t, rbl_surface_collide(s.surface, &pairs) == RBL_OK);
		CHECK(t, rbl_surface_get_segments(s.surface, &list) == RBL_OK && list.count == pairs.count);
		data = rbl_surface_get_data(s.surface);
		for (int i = 0; i < list.count; ++i) {
			const rbl_surface_segment *segment = &list.segments[i];
			for (int k = 0; k < 2; ++k) {
				CHECK(t, distance_to(&s, segment->points[k],
				                     data.triangles + 3 * pairs.pairs[i].a) < 1e-10);
				CHECK(t, distance_to(&s, segment->points[k],
				                     data.triangles + 3 * pairs.pairs[i].b) < 1e-10);
			}
			rbl_vec3d along = rbl_sub_d(segment->points[1], segment->points[0]);
			long_count += rbl_length_d(along) > 1e-6;
			point_count += segment->is_point;
		}
		free_scene(&s);
	}
	CHECK(t, long_count > 100 && point_count > 0);
}

// --- what changes -------------------------------------------------------------------------------

enum { MOST_VERTICES = 4096 };

// What vertices must be, by id, kept beside the surface.
typedef struct expected_vertices {
	rbl_vec3d points[MOST_VERTICES];
	int user_ids[MOST_VERTICES];
} expected_vertices;

// Cut a triangle at a point inside, or let a corner of it leave its vertex.
static void edit_some(test *t, exact_scene *s, expected_vertices *e, rbl_surface_body_id body,
                      rbl_random *random, bool is_torn, bool is_split)
{
	rbl_surface_body_data data = rbl_surface_body_get_data(s->surface, body);
	int triangle = data.triangles[rbl_random_below(random, (uint32_t)data.triangle_count)];
	int v[3], parents[3] = { -1, -1, -1 }, triangles[9], corner = 3 * triangle, made = -1;
	memcpy(v, s->surface->triangles + 3 * triangle, sizeof v);
	double weights[3] = { 1.0, 0.0, 0.0 };
	rbl_surface_edit_def def = rbl_default_surface_edit_def();
	rbl_surface_body_id pieces[2];
	int labels[3] = { 1, 1, 1 };
	def.vertex_count = 1, def.parents = parents, def.weights = weights;
	if (is_torn) {
		parents[0] = v[0];
		def.corner_count = 1, def.corners = &corner, def.corner_vertices = &made;
	} else {
		for (int k = 0; k < 3; ++k) {
			parents[k] = v[k], weights[k] = k == 0 ? 0.3 : 0.35;
			triangles[3 * k] = v[k], triangles[3 * k + 1] = v[(k + 1) % 3];
			triangles[3 * k + 2] = -1;
		}
		def.changed_count = 1, def.changed = &triangle;
		def.triangle_count = 3, def.triangles = triangles;
		if (is_split)
			def.piece_count = 2, def.triangle_labels = labels;
	}
	rbl_vec3d point = { 0.0, 0.0, 0.0 };
	for (int k = 0; k < 3; ++k)
		if (parents[k] >= 0)
			point = rbl_add_d(point, rbl_scale_d(weights[k], e->points[parents[k]]));
	CHECK(t, rbl_surface_edit(s->surface, body, &def, pieces) == RBL_OK);
	rbl_surface_data after = rbl_surface_get_data(s->surface);
	data = rbl_surface_body_get_data(s->surface, is_split && !is_torn ? pieces[1] : body);
	for (int i = 0; i < data.vertex_count; ++i) {
		int id = data.vertices[i];
		bool is_made = i == data.vertex_count - 1;
		if (is_made) {
			e->points[id] = point;
			e->user_ids[id] = is_torn ? e->user_ids[v[0]] : -1;
			CHECK(t, after.origins[id] == (is_torn ? v[0] : id));
		} else if (is_split && !is_torn && after.origins[id] != id) {
			e->points[id] = e->points[after.origins[id]];
			e->user_ids[id] = e->user_ids[after.origins[id]];
		}
	}
}

static void check_expected(test *t, const exact_scene *s, const expected_vertices *e, int *pairs,
                           int *differing)
{
	rbl_surface_data data = rbl_surface_get_data(s->surface);
	const rbl_surface *surface = s->surface;
	CHECK(t, data.vertex_end <= MOST_VERTICES);
	for (int slot = 0; slot < surface->bodies.count; ++slot) {
		const rbl_surface_body *body = &surface->bodies.data[slot];
		for (int i = 0; rbl_id_pool_is_live(&surface->ids, slot) && i < body->vertices.count; ++i) {
			int v = body->vertices.data[i];
			rbl_vec3d p = rbl_surface_exact(surface, v, 1);
			CHECK(t, p.x == e->points[v].x && p.y == e->points[v].y && p.z == e->points[v].z);
			CHECK(t, data.vertex_user_ids[v] == e->user_ids[v]);
			rbl_vec3d rest = rbl_sub_d(p, rbl_to_d(surface->positions[1][v]));
			CHECK(t, rbl_length_d(rest) <= (double)body->settings.roundings[1]);
		}
	}
	rbl_surface_pairs list;
	CHECK(t, rbl_surface_update(s->surface, RBL_SURFACE_DISCRETE) == RBL_OK);
	CHECK(t, rbl_surface_collide(s->surface, &list) == RBL_OK);
	data = rbl_surface_get_data(s->surface);
	int next = 0;
	for (int a = 0; a < data.triangle_end; ++a)
		for (int b = a + 1; b < data.triangle_end && surface->clusters[a] >= 0; ++b) {
			if (surface->clusters[b] < 0)
				continue;
			bool meets = rbl_indexed_triangles_meet(e->points, data.triangles + 3 * a,
			                                        data.triangles + 3 * b);
			*differing += meets != rbl_indexed_triangles_meet_float(
									   data.ends, data.triangles + 3 * a, data.triangles + 3 * b);
			bool is_next = next < list.count && list.pairs[next].a == a && list.pairs[next].b == b;
			CHECK(t, meets == is_next);
			next += is_next;
		}
	CHECK(t, next == list.count);
	*pairs += list.count;
}

// A body of floats, and one of doubles that takes the ids of one that is gone.
static void replace_bodies(test *t, exact_scene *s, expected_vertices *e)
{
	int n = s->mesh.vertex_count;
	CHECK(t, rbl_surface_remove(s->surface, s->bodies[0]) == RBL_OK);
	rbl_vec3 *floats = malloc((size_t)n * sizeof *floats);
	for (int i = 0; i < n; ++i)
		floats[i] = rbl_to_f(s->points[1][i]);
	rbl_surface_body_def def = rbl_default_surface_body_def();
	def.vertex_count = n, def.positions = floats;
	def.triangle_count = s->mesh.triangle_count, def.triangles = s->mesh.triangles;
	CHECK(t, rbl_surface_add(s->surface, &def, &s->bodies[0]) == RBL_OK);
	rbl_surface_body_data data = rbl_surface_body_get_data(s->surface, s->bodies[0]);
	for (int i = 0; i < n; ++i) {
		e->points[data.vertices[i]] = rbl_to_d(floats[i]);
		e->user_ids[data.vertices[i]] = -1; // that of the vertex before is gone
	}
	free(floats);
}

// New vertices are where their parents' doubles say, copies have what their origin has, a merged
// body knows the roundings of all, and nothing comes back with an id that is used again.
static void edits_and_merges_keep_doubles_and_ids(test *t)
{
	int pairs = 0, differing = 0;
	expected_vertices *e = calloc(1, sizeof *e);
	for (int run = 0; run < test_count(2, 12); ++run) {
		exact_scene s = make_scene(t, 50 + (uint64_t)run, 2e-5, RBL_CULL_EXACT);
		rbl_random random = rbl_random_from_seed(60 + (uint64_t)run);
		for (int i = 0; i < s.count; ++i)
			e->points[i] = s.points[0][i], e->user_ids[i] = s.user_ids[i];
		for (int i = 0; i < 12; ++i) {
			edit_some(t, &s, e, s.bodies[i % BODIES], &random, i % 4 == 1, i % 4 == 2);
			if (i % 4 == 3)
				check_expected(t, &s, e, &pairs, &differing);
		}
		replace_bodies(t, &s, e);
		check_expected(t, &s, e, &pairs, &differing);
		// The floats come first: what the others' floats lack must not be forgotten.
		CHECK(t, rbl_surface_merge(s.surface, s.bodies, BODIES, NULL, 0) == RBL_OK);
		check_expected(t, &s, e, &pairs, &differing);
		for (int i = 0; i < 4; ++i)
			edit_some(t, &s, e, s.bodies[0], &random, i % 2, i == 2);
		check_expected(t, &s, e, &pairs, &differing);
		free_scene(&s);
	}
	CHECK(t, pairs > 100 && differing > 0);
	free(e);
}

static void bad_positions_are_refused(test *t)
{
	exact_scene s = make_scene(t, 5, 1e-4, RBL_CULL_EXACT);
	rbl_surface_positions end = { s.points[1], 0, true }, none = { NULL, 0, true };
	rbl_surface_positions narrow = { s.points[1], 16, true };
	CHECK(t, rbl_surface_move_to(s.surface, s.bodies[0], NULL, &none) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_move_to(s.surface, s.bodies[0], NULL, &narrow) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_move_to(s.surface, s.bodies[0], NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_surface_move_to(s.surface, (rbl_surface_body_id){ 9, 9 }, NULL, &end) ==
	             RBL_STALE_ID);
	s.points[1][3].y = 1e39; // a double, but no float
	CHECK(t, rbl_surface_move_to(s.surface, s.bodies[0], NULL, &end) == RBL_BAD_ARGUMENT);
	s.points[1][3].y = NAN;
	CHECK(t, rbl_surface_move_all(s.surface, NULL, &end, s.count) == RBL_BAD_ARGUMENT);
	free_scene(&s);
}

// Add, move, ask and name, while the n-th allocation fails.
static rbl_result run_failing(faulty_allocator *faulty, const exact_scene *s)
{
	rbl_surface_def def = rbl_default_surface_def();
	def.allocator = FAULTY(faulty);
	rbl_surface *surface = NULL;
	rbl_surface_body_def body = rbl_default_surface_body_def();
	rbl_surface_body_id id;
	rbl_surface_pairs pairs;
	rbl_surface_name_list names;
	rbl_surface_ranges ranges;
	rbl_surface_map map;
	rbl_surface_segments segments;
	body.vertex_count = s->mesh.vertex_count;
	body.input = (rbl_surface_positions){ s->points[0], 0, true };
	body.triangle_count = s->mesh.triangle_count, body.triangles = s->mesh.triangles;
	body.vertex_user_ids = s->user_ids;
	rbl_surface_positions end = { s->points[1], 0, true };
	rbl_result result = rbl_create_surface(&def, &surface);
	for (int i = 0; i < 2 && result == RBL_OK; ++i)
		result = rbl_surface_add(surface, &body, &id);
	if (result == RBL_OK)
		result = rbl_surface_move_to(surface, id, NULL, &end);
	if (result == RBL_OK)
		result = rbl_surface_update(surface, RBL_SURFACE_DISCRETE);
	if (result == RBL_OK)
		result = rbl_surface_collide(surface, &pairs);
	if (result == RBL_OK)
		result = rbl_surface_get_names(surface, &names);
	if (result == RBL_OK)
		result = rbl_surface_get_ranges(surface, &ranges);
	if (result == RBL_OK)
		result = rbl_surface_get_segments(surface, &segments);
	if (result == RBL_OK)
		result = rbl_surface_get_map(surface, &map);
	rbl_destroy_surface(surface);
	return result;
}

static void calls_survive_failed_allocations(test *t)
{
	exact_scene s = make_scene(t, 11, 3e-4, RBL_CULL_EXACT);
	bool is_done = false;
	for (int n = 0; !is_done && n < 1000; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_result result = run_failing(&memory, &s);
		CHECK(t, memory.live_bytes == 0);
		is_done = !memory.failed;
		CHECK(t, is_done ? result == RBL_OK : result == RBL_OUT_OF_MEMORY || result == RBL_OK);
	}
	CHECK(t, is_done);
	free_scene(&s);
}

TEST_MAIN(TEST(doubles_are_certified), TEST(names_ranges_and_maps_fit),
          TEST(segments_are_in_both_triangles), TEST(edits_and_merges_keep_doubles_and_ids),
          TEST(bad_positions_are_refused), TEST(calls_survive_failed_allocations))
