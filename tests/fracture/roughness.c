// SPDX-License-Identifier: MIT
// Rough cut faces: closed pieces, sides that match, volumes that add up.

#include "fracture/invariants.h"

#include "base/sort.h"
#include "faulty_allocator.h"
#include "geometry/geometry.h"

#include <rubble/compound.h>

static rbl_pieces *break_rough(const rbl_solid *solid, const rbl_pattern *pattern, double roughness,
                               const rbl_allocator *allocator)
{
	rbl_pieces_def def = rbl_default_pieces_def();
	def.solid = solid;
	def.pattern = pattern;
	def.position = solid->origin;
	def.inner.roughness = roughness;
	if (allocator)
		def.allocator = *allocator;
	rbl_pieces *pieces = NULL;
	rbl_create_pieces(&def, &pieces);
	return pieces;
}

// The volume of triangles to draw, which are not shared.
static double drawn_volume(test *t, const rbl_pieces *pieces, int piece)
{
	rbl_piece_info info = rbl_piece_get_info(pieces, piece);
	rbl_draw_vertex *v = malloc(3 * (size_t)info.triangle_capacity * sizeof *v);
	int count = 0;
	double sum = 0.0;
	CHECK(t, rbl_piece_get_triangles(pieces, piece, v, NULL, &count) == RBL_OK);
	CHECK(t, count > 0 && count <= info.triangle_capacity);
	for (int i = 0; i < 3 * count; i += 3)
		sum += (double)rbl_dot(v[i].position, rbl_cross(v[i + 1].position, v[i + 2].position));
	free(v);
	return sum / 6.0;
}

static void rough_pieces_are_closed_and_add_up(test *t)
{
	for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
		rbl_mesh *mesh = sample_shape(shape);
		rbl_solid *solid = make_solid(mesh);
		rbl_pattern *pattern = shape == 1 ? grid_pattern(rbl_mesh_bounds(mesh), 3)
		                                  : make_pattern((rbl_vec3d){ 1.0, 1.0, 1.0 }, 20, 7);
		rbl_pieces *pieces = break_rough(solid, pattern, 0.02, NULL);
		double sum = 0.0, most = 0.0;
		int open = 0;
		for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
			rbl_mesh *piece = NULL;
			CHECK(t, rbl_piece_create_mesh(pieces, i, NULL, &piece) == RBL_OK);
			double volume = rbl_mesh_get_mass(piece).volume;
			open += !is_balanced(piece);
			most = rbl_maxd(most, fabs(volume - rbl_piece_get_info(pieces, i).volume));
			CHECK_NEAR(t, drawn_volume(t, pieces, i), volume, 1e-6);
			sum += volume;
			rbl_destroy_mesh(piece);
		}
		CHECK(t, open == 0);
		CHECK(t, most > 1e-6); // they are rough
		CHECK_NEAR(t, sum / rbl_solid_volume(solid), 1.0, 1e-12);
		rbl_destroy_pieces(pieces);
		rbl_destroy_pattern(pattern);
		rbl_destroy_solid(solid);
		rbl_destroy_mesh(mesh);
	}
}

// Places of corners may differ by rounding; those of points inside may not.
static uint64_t place_key(rbl_vec3d p, bool is_exact)
{
	if (!is_exact) {
		p = (rbl_vec3d){ floor(p.x * 1e7 + 0.5), floor(p.y * 1e7 + 0.5), floor(p.z * 1e7 + 0.5) };
		p = rbl_add_d(p, (rbl_vec3d){ 0.0, 0.0, 0.0 }); // no -0
	}
	return rbl_hash_bytes(RBL_HASH_START, &p, sizeof p);
}

static void triangle_keys(const rbl_mesh_data *d, const int *v, int flat_count, uint64_t keys[3])
{
	for (int k = 0; k < 3; ++k)
		keys[k] = place_key(d->positions[v[k]], v[k] >= flat_count);
}

// Count triangles with a point inside a face, by their three places: +1 one way round, -1 the other.
static void count_triangles(rbl_map *map, const rbl_mesh *mesh, int flat_count, int *total)
{
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	rbl_mesh_data d = rbl_mesh_get_data(mesh);
	for (int f = 0; f < d.face_count; ++f) {
		const int *v = d.corner_vertices + d.face_starts[f];
		if (rbl_maxi(v[0], rbl_maxi(v[1], v[2])) < flat_count)
			continue;
		uint64_t keys[3];
		triangle_keys(&d, v, flat_count, keys);
		uint64_t a = keys[0], b = keys[1], c = keys[2];
		bool is_even = (a < b && b < c) || (b < c && c < a) || (c < a && a < b);
		uint32_t *value = rbl_map_add(&allocator, map, a ^ b ^ c, 1000);
		*value += is_even ? 1u : -1u;
		++*total;
	}
}

// The same triangles on both sides of each crack, turned over: every triangle has its partner.
static void both_sides_of_a_crack_match(test *t)
{
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	for (int shape = 0; shape < 4; ++shape) {
		rbl_mesh *mesh = sample_shape(shape);
		rbl_solid *solid = make_solid(mesh);
		rbl_pattern *pattern = make_pattern((rbl_vec3d){ 1.0, 1.0, 1.0 }, 30, 3);
		rbl_pieces *pieces = break_rough(solid, pattern, 0.01, NULL);
		rbl_map map = { 0 };
		int total = 0, lonely = 0;
		for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
			rbl_mesh *piece = NULL;
			rbl_piece_create_mesh(pieces, i, NULL, &piece);
			count_triangles(&map, piece, rbl_piece_get_info(pieces, i).vertex_count, &total);
			rbl_destroy_mesh(piece);
		}
		for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
			rbl_mesh *piece = NULL;
			rbl_piece_create_mesh(pieces, i, NULL, &piece);
			rbl_mesh_data d = rbl_mesh_get_data(piece);
			int flat_count = rbl_piece_get_info(pieces, i).vertex_count;
			for (int f = 0; f < d.face_count; ++f) {
				const int *v = d.corner_vertices + d.face_starts[f];
				if (rbl_maxi(v[0], rbl_maxi(v[1], v[2])) < flat_count)
					continue;
				uint64_t keys[3];
				triangle_keys(&d, v, flat_count, keys);
				lonely += rbl_map_get(&map, keys[0] ^ keys[1] ^ keys[2]) != 1000;
			}
			rbl_destroy_mesh(piece);
		}
		CHECK(t, total > 1000);
		CHECK(t, lonely == 0);
		rbl_map_free(&allocator, &map);
		rbl_destroy_pieces(pieces);
		rbl_destroy_pattern(pattern);
		rbl_destroy_solid(solid);
		rbl_destroy_mesh(mesh);
	}
}

// No two triangles of a piece meet but in what they share.
static void rough_faces_do_not_cross(test *t)
{
	rbl_mesh *mesh = sample_shape(0);
	rbl_solid *solid = make_solid(mesh);
	rbl_pattern *pattern = make_pattern((rbl_vec3d){ 1.0, 1.0, 1.0 }, 12, 5);
	rbl_pieces *pieces = break_rough(solid, pattern, 0.02, NULL);
	int crossing = 0;
	for (int i = 0; i < rbl_pieces_count(pieces); ++i) {
		rbl_mesh *piece = NULL;
		rbl_piece_create_mesh(pieces, i, NULL, &piece);
		rbl_mesh_data d = rbl_mesh_get_data(piece);
		int count = rbl_mesh_triangle_count(piece);
		int *triangles = malloc(3 * (size_t)count * sizeof *triangles);
		CHECK(t, rbl_mesh_triangulate(piece, triangles, NULL) == RBL_OK);
		for (int k = 0; k < 3 * count; ++k)
			triangles[k] = d.corner_vertices[triangles[k]];
		for (int a = 0; a < count; ++a) {
			for (int b = a + 1; b < count; ++b) {
				const int *v = triangles + 3 * a, *w = triangles + 3 * b;
				crossing += rbl_indexed_triangles_meet(d.positions, v, w);
			}
		}
		free(triangles);
		rbl_destroy_mesh(piece);
	}
	CHECK(t, crossing == 0);
	rbl_destroy_pieces(pieces);
	rbl_destroy_pattern(pattern);
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);
}

static double visual_volume(test *t, const rbl_compound *compound)
{
	double sum = 0.0;
	for (int i = 0; i < rbl_compound_get_info(compound).part_end; ++i) {
		rbl_compound_part part = rbl_compound_get_part(compound, i);
		if (!part.convex)
			continue;
		CHECK(t, part.mesh != NULL); // inner pieces are rough as well
		CHECK(t, is_balanced(part.mesh));
		sum += rbl_mesh_get_mass(part.mesh).volume;
	}
	return sum;
}

// Struck again and again, rough pieces of rough pieces.
static void compounds_break_rough(test *t)
{
	rbl_mesh *mesh = sample_shape(0);
	rbl_compound_def def = rbl_default_compound_def();
	def.mesh = mesh;
	rbl_compound *body = NULL;
	CHECK(t, rbl_create_compound(&def, &body) == RBL_OK);
	rbl_pattern *pattern = make_pattern((rbl_vec3d){ 1.0, 1.0, 1.0 }, 60, 2);
	double fragments = 0.0;
	for (int i = 0; i < 4; ++i) {
		rbl_break_def blow = rbl_default_break_def();
		blow.pattern = pattern;
		blow.position = (rbl_vec3d){ 0.5 - 0.1 * i, 0.5 - 0.2 * i, 0.1 };
		blow.radius = 0.3;
		blow.rotation_seed = (uint64_t)i + 1;
		blow.inner.roughness = 0.01;
		rbl_break *broken = NULL;
		CHECK(t, rbl_compound_break(body, &blow, &broken) == RBL_OK);
		rbl_break_data data = rbl_break_get_data(broken);
		CHECK(t, data.compound_count > 0);
		for (int k = 0; k < data.compound_count; ++k)
			fragments += visual_volume(t, data.compounds[k]);
		rbl_destroy_break(broken);
	}
	CHECK_NEAR(t, fragments + visual_volume(t, body), 1.0, 1e-9);
	CHECK(t, fragments > 0.01);
	rbl_destroy_pattern(pattern);
	rbl_destroy_compound(body);
	rbl_destroy_mesh(mesh);
}

static void memory_may_run_out(test *t)
{
	rbl_mesh *mesh = sample_shape(4); // caps with holes
	rbl_solid *solid = make_solid(mesh);
	rbl_pattern *pattern = make_pattern((rbl_vec3d){ 1.0, 1.0, 1.0 }, 4, 2);
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, 1000000);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_pieces *pieces = break_rough(solid, pattern, 0.02, &allocator);
		atomic_store(&memory.allowed, n);
		rbl_mesh *piece = NULL;
		rbl_result result = rbl_piece_create_mesh(pieces, 0, &allocator, &piece);
		rbl_destroy_mesh(piece);
		rbl_destroy_pieces(pieces);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY && !piece);
	}
	rbl_destroy_pattern(pattern);
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);
}

static void bad_roughness_is_refused(test *t)
{
	rbl_mesh *mesh = sample_shape(0);
	rbl_solid *solid = make_solid(mesh);
	rbl_pattern *pattern = make_pattern((rbl_vec3d){ 1.0, 1.0, 1.0 }, 4, 2);
	const double bad[] = { -1.0, NAN, INFINITY };
	for (int i = 0; i < 3; ++i) {
		CHECK(t, break_rough(solid, pattern, bad[i], NULL) == NULL);
		rbl_pieces_def def = rbl_default_pieces_def();
		def.solid = solid, def.pattern = pattern;
		def.inner.rough_step = bad[i];
		rbl_pieces *pieces = NULL;
		CHECK(t, rbl_create_pieces(&def, &pieces) == RBL_BAD_ARGUMENT && !pieces);
		rbl_break_def blow = rbl_default_break_def();
		blow.pattern = pattern;
		blow.inner.roughness = bad[i];
		rbl_compound_def compound_def = rbl_default_compound_def();
		compound_def.mesh = mesh;
		rbl_compound *body = NULL;
		rbl_break *broken = NULL;
		CHECK(t, rbl_create_compound(&compound_def, &body) == RBL_OK);
		CHECK(t, rbl_compound_break(body, &blow, &broken) == RBL_BAD_ARGUMENT && !broken);
		rbl_destroy_compound(body);
	}
	rbl_destroy_pattern(pattern);
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);
}

// Regression: the lattice of such a step had no end.
static void the_least_roughness_ends(test *t)
{
	rbl_mesh *mesh = sample_shape(0);
	rbl_solid *solid = make_solid(mesh);
	rbl_pattern *pattern = make_pattern((rbl_vec3d){ 1.0, 1.0, 1.0 }, 3, 7);
	const double least[] = { 1e-300, 1e-30, 1e-9, 1e300 };
	for (int k = 0; k < 4; ++k) {
		rbl_pieces *pieces = break_rough(solid, pattern, least[k], NULL);
		rbl_mesh *piece = NULL;
		CHECK(t, rbl_piece_create_mesh(pieces, 0, NULL, &piece) == RBL_OK && is_balanced(piece));
		rbl_destroy_mesh(piece);
		rbl_destroy_pieces(pieces);
	}
	rbl_destroy_pattern(pattern);
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);
}

TEST_MAIN(TEST(rough_pieces_are_closed_and_add_up), TEST(both_sides_of_a_crack_match),
          TEST(rough_faces_do_not_cross), TEST(compounds_break_rough), TEST(memory_may_run_out),
          TEST(bad_roughness_is_refused), TEST(the_least_roughness_ends))
