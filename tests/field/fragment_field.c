// SPDX-License-Identifier: MIT
// ctest: soak
// Fields of fragments against exact meshes of what the cutter made: pieces, pieces of pieces,
// bonded unions.

#include "pieces.h"

#include "base/kernel.h"
#include "base/math.h"
#include "field/fragment_field.h"

enum { BATCH = 250 };

/// What a field is compared with: the surface that counts, and the solids that are inside.
typedef struct reference {
	exact_mesh surface;
	const exact_mesh *solids;
	int solid_count;
} reference;

static double reference_distance(const reference *r, rbl_vec3d p)
{
	double d = exact_unsigned(&r->surface, p, false);
	for (int i = 0; i < r->solid_count; ++i)
		if (rbl_box_contains_d(r->solids[i].box, (rbl_boxd){ p, p }) &&
		    exact_winding(&r->solids[i], p, false) > 0)
			return -d;
	return d;
}

static exact_mesh exact_from_triangles(const triangles *list)
{
	exact_mesh m = { .count = list->count, .box = rbl_box_empty_d() };
	m.triangles = malloc((size_t)m.count * sizeof *m.triangles);
	m.nodes = calloc((size_t)m.count * 2 + 2, sizeof *m.nodes);
	memcpy(m.triangles, list->data, (size_t)m.count * sizeof *m.triangles);
	for (int i = 0; i < 3 * m.count; ++i)
		m.box = rbl_box_add_point_d(m.box, m.triangles[i / 3][i % 3]);
	m.nodes[0] = (exact_node){ .count = m.count };
	m.node_count = 1;
	exact_split(&m, 0);
	return m;
}

// Points of a scene that were compared, and those of them that are inside.
typedef struct tally {
	int points, inside;
} tally;

// In the long form scenes go on until there are so many.
static bool is_enough(const tally *sum)
{
	return sum->points >= test_count(1, 1000000);
}

// Points round a fragment, asked for in all ways.
static void check_fragment(test *t, const rbl_distance_field *field, const reference *r,
                           rbl_random *random, int count, tally *sum)
{
	float cell = rbl_distance_field_get_info(field).cell_size;
	rbl_vec3 points[BATCH], normals[BATCH];
	float depths[BATCH], bounds[BATCH], radii[BATCH];
	bool inside[BATCH], overlaps[BATCH];
	double distances[BATCH];
	for (int first = 0; first < count; first += BATCH) {
		int n = rbl_mini(count - first, BATCH);
		for (int i = 0; i < n; ++i) {
			points[i] = rbl_to_f(exact_probe_far(&r->surface, random, 3.0 * (double)cell));
			distances[i] = reference_distance(r, rbl_to_d(points[i]));
			radii[i] = exact_radius(random, distances[i], (double)cell);
		}
		CHECK(t, rbl_distance_field_contains(field, points, n, inside) == RBL_OK);
		CHECK(t,
		      rbl_distance_field_penetration(field, points, n, depths, normals, bounds) == RBL_OK);
		CHECK(t, rbl_distance_field_overlaps_sphere(field, points, radii, n, overlaps) == RBL_OK);
		for (int i = 0; i < n; ++i) {
			double d = distances[i], got = -(double)depths[i], bound = (double)bounds[i];
			CHECK(t, got - bound <= d);
			CHECK(t, d > 0.0 || fabs(got - d) <= bound);
			CHECK(t, inside[i] == (d < 0.0) || fabs(d) <= bound);
			CHECK(t, overlaps[i] || d > (double)radii[i]);
			CHECK(t, fabsf(rbl_length(normals[i]) - 1.0f) < 1e-4f);
			sum->inside += d < 0.0;
		}
		sum->points += n;
	}
}

// --- pieces -------------------------------------------------------------------------------------

// Surfaces of all pieces, of which those in one cell with overlapping boxes need each other.
typedef struct piece_set {
	broken b;
	rbl_mesh **meshes;
	exact_mesh *exact;
	int count;
} piece_set;

static piece_set open_pieces(const rbl_mesh *mesh, int cells, uint64_t seed)
{
	piece_set set = { .b = break_mesh(mesh, cells, seed) };
	set.count = rbl_pieces_count(set.b.pieces);
	set.meshes = calloc((size_t)set.count + 1, sizeof *set.meshes);
	set.exact = calloc((size_t)set.count + 1, sizeof *set.exact);
	for (int i = 0; i < set.count; ++i)
		set.exact[i] = exact_from_piece(&set.b, i, &set.meshes[i]);
	return set;
}

static void close_pieces(piece_set *set)
{
	for (int i = 0; i < set->count; ++i) {
		exact_free(&set->exact[i]);
		rbl_destroy_mesh(set->meshes[i]);
	}
	free(set->meshes);
	free(set->exact);
	mend(&set->b);
}

// Other pieces of the same cell that reach into a piece's box.
static void find_others(const piece_set *set, int piece, triangles *others)
{
	int cell = rbl_piece_get_info(set->b.pieces, piece).cell;
	for (int i = 0; i < set->count; ++i)
		if (i != piece && rbl_piece_get_info(set->b.pieces, i).cell == cell &&
		    rbl_box_overlaps_d(set->exact[i].box, set->exact[piece].box))
			add_triangles(others, &set->exact[i]);
}

static rbl_distance_field *piece_field(const rbl_distance_field *original, const exact_mesh *exact,
                                       const rbl_plane *planes, int plane_count,
                                       const triangles *others)
{
	triangles own = { 0 };
	rbl_fragment_field_def def = rbl_default_fragment_field_def();
	def.original = original, def.box = float_box(exact->box);
	def.planes = planes, def.plane_count = plane_count;
	if (others->count > 0) {
		add_triangles(&own, exact);
		def.surface = as_list(&own), def.others = as_list(others);
	}
	rbl_distance_field *field = NULL;
	rbl_create_fragment_field(&def, &field);
	free_triangles(&own);
	return field;
}

// Every piece, and every few of them the pieces that it breaks into, and so on.
static void check_pieces(test *t, const rbl_distance_field *original, const rbl_mesh *mesh,
                         int cells, int rounds, int points, const rbl_plane *planes,
                         int plane_count, const triangles *before, rbl_random *random, tally *sum)
{
	piece_set set = open_pieces(mesh, cells, rbl_random_u64(random));
	for (int i = 0; i < set.count; ++i) {
		rbl_plane all[MAX_CELL_PLANES * 4];
		triangles others = { 0 };
		for (int k = 0; k < plane_count; ++k)
			all[k] = planes[k];
		int cell = rbl_piece_get_info(set.b.pieces, i).cell;
		int count = plane_count + cell_planes(&set.b, cell, all + plane_count);
		for (int k = 0; k < before->count; ++k)
			add_triangle(&others, before->data[k]);
		find_others(&set, i, &others);
		rbl_distance_field *field = piece_field(original, &set.exact[i], all, count, &others);
		reference r = { set.exact[i], &set.exact[i], 1 };
		CHECK(t, field != NULL);
		if (field)
			check_fragment(t, field, &r, random, points, sum);
		rbl_destroy_distance_field(field);
		if (rounds > 1 && i % 5 == 0)
			check_pieces(t, original, set.meshes[i], 4, rounds - 1, points, all, count, &others,
			             random, sum);
		free_triangles(&others);
	}
	close_pieces(&set);
}

static void pieces_and_pieces_of_pieces_are_within_their_bounds(test *t)
{
	for (field_shape shape = 0; shape < FIELD_SHAPE_COUNT; ++shape) {
		double wall;
		rbl_mesh *mesh = make_shape(shape, &wall);
		rbl_distance_field *original = make_field(mesh, test_count(64, 128), wall);
		rbl_random random = rbl_random_from_seed(shape + 1);
		triangles none = { 0 };
		tally sum = { 0 };
		while (!is_enough(&sum))
			check_pieces(t, original, mesh, 16, 3, test_count(40, 10000), NULL, 0, &none, &random,
			             &sum);
		CHECK(t, sum.inside > test_count(100, 50000));
		rbl_destroy_distance_field(original);
		rbl_destroy_mesh(mesh);
	}
}

static void pieces_of_the_bunny_are_within_their_bounds(test *t)
{
	rbl_mesh *mesh = read_shape("bunny-7k.off");
	if (!mesh) {
		SKIP(t, "bunny-7k.off is not in the shared folder");
		return;
	}
	rbl_distance_field *original = make_field(mesh, 128, 0.0);
	rbl_random random = rbl_random_from_seed(1);
	triangles none = { 0 };
	tally sum = { 0 };
	while (!is_enough(&sum))
		check_pieces(t, original, mesh, 40, 2, test_count(60, 20000), NULL, 0, &none, &random,
		             &sum);
	CHECK(t, sum.inside > test_count(100, 50000));
	rbl_destroy_distance_field(original);
	rbl_destroy_mesh(mesh);
}

// With the exact distance of the original nothing would be lost: where a plane is nearer than the
// surface may be, the bound is rounding alone.
static void cracks_are_exact_where_the_surface_is_far(test *t)
{
	rbl_mesh *mesh = make_shape(SHAPE_BALL, NULL);
	rbl_distance_field *original = make_field(mesh, 64, 0.0);
	piece_set set = open_pieces(mesh, 40, 3);
	rbl_random random = rbl_random_from_seed(1);
	int exact_count = 0;
	for (int i = 0; i < set.count; ++i) {
		rbl_plane planes[MAX_CELL_PLANES];
		triangles none = { 0 };
		int count = cell_planes(&set.b, rbl_piece_get_info(set.b.pieces, i).cell, planes);
		rbl_distance_field *field = piece_field(original, &set.exact[i], planes, count, &none);
		for (int k = 0; k < 200; ++k) {
			rbl_vec3 p = rbl_to_f(rbl_random_in_box(&random, set.exact[i].box));
			float distance, bound;
			double d = exact_distance(&set.exact[i], rbl_to_d(p));
			rbl_distance_field_evaluate(field, &p, 1, &distance, &bound, NULL);
			if (d < 0.0 && bound < 1e-5f) {
				CHECK_NEAR(t, distance, d, 1e-6);
				exact_count++;
			}
		}
		rbl_destroy_distance_field(field);
	}
	CHECK(t, exact_count > 1000);
	close_pieces(&set);
	rbl_destroy_distance_field(original);
	rbl_destroy_mesh(mesh);
}

// --- unions -------------------------------------------------------------------------------------

// A body of several cells, perhaps cut once more by one cell of another pattern.
static void check_union(test *t, const rbl_distance_field *original, const rbl_mesh *mesh,
                        int cells, int wanted, int second_cells, int points, rbl_random *random,
                        tally *sum)
{
	piece_set set = open_pieces(mesh, cells, rbl_random_u64(random));
	int cell_count = set.b.pieces->cells.cell_count;
	bool *chosen = calloc((size_t)cell_count, sizeof *chosen);
	int seed =
		rbl_piece_get_info(set.b.pieces, (int)rbl_random_below(random, (uint32_t)set.count)).cell;
	choose_cells(&set.b, seed, wanted, chosen);
	made_union u = make_union(&set.b, chosen);
	if (rbl_random_below(random, 2)) // they only save time
		u.u.cell_boxes = NULL;

	// What is cut: the pieces in chosen cells, or parts of them in one cell of the second pattern.
	int solid_count = 0, second_cell = -1, plane_count = 0;
	exact_mesh *solids = calloc((size_t)set.count * 8 + 8, sizeof *solids);
	rbl_mesh **meshes = calloc((size_t)set.count * 8 + 8, sizeof *meshes);
	triangles surface = { 0 };
	rbl_plane planes[MAX_CELL_PLANES];
	piece_set second = { 0 };
	if (second_cells > 0) {
		second = open_pieces(mesh, second_cells, rbl_random_u64(random));
		second_cell = rbl_piece_get_info(second.b.pieces, 0).cell;
		plane_count = cell_planes(&second.b, second_cell, planes);
	}
	for (int i = 0; i < set.count; ++i) {
		int cell = rbl_piece_get_info(set.b.pieces, i).cell;
		if (!chosen[cell])
			continue;
		broken parts = { 0 };
		int part_count = 1;
		if (second_cells > 0) { // the same pattern at the same place
			rbl_solid_def solid_def = rbl_default_solid_def();
			solid_def.mesh = set.meshes[i];
			rbl_create_solid(&solid_def, &parts.solid);
			rbl_pieces_def def = rbl_default_pieces_def();
			def.solid = parts.solid, def.pattern = second.b.pattern;
			def.position = rbl_box_centre_d(rbl_mesh_bounds(mesh));
			CHECK(t, rbl_create_pieces(&def, &parts.pieces) == RBL_OK);
			part_count = rbl_pieces_count(parts.pieces);
		}
		for (int k = 0; k < part_count; ++k) {
			exact_mesh solid;
			if (second_cells > 0) {
				if (rbl_piece_get_info(parts.pieces, k).cell != second_cell)
					continue;
				solid = exact_from_piece(&parts, k, &meshes[solid_count]);
			} else {
				solid = exact_from_mesh(set.meshes[i]);
			}
			for (int n = 0; n < solid.count; ++n)
				if (!lies_between(&set.b, cell, solid.triangles[n], chosen))
					add_triangle(&surface, solid.triangles[n]);
			solids[solid_count++] = solid;
		}
		rbl_destroy_pieces(parts.pieces);
		rbl_destroy_solid(parts.solid);
	}
	if (solid_count > 0) {
		reference r = { exact_from_triangles(&surface), solids, solid_count };
		rbl_boxd box = rbl_box_empty_d();
		for (int i = 0; i < solid_count; ++i)
			box = rbl_box_join_d(box, solids[i].box);
		rbl_fragment_field_def def = rbl_default_fragment_field_def();
		def.original = original, def.box = float_box(box);
		def.unions = &u.u, def.union_count = 1;
		def.planes = planes, def.plane_count = plane_count;
		rbl_distance_field *field = NULL;
		CHECK(t, rbl_create_fragment_field(&def, &field) == RBL_OK);
		check_fragment(t, field, &r, random, points, sum);
		rbl_destroy_distance_field(field);
		exact_free(&r.surface);
	}
	for (int i = 0; i < solid_count; ++i) {
		exact_free(&solids[i]);
		rbl_destroy_mesh(meshes[i]);
	}
	free(solids);
	free(meshes);
	free_triangles(&surface);
	if (second_cells > 0)
		close_pieces(&second);
	free_union(&u);
	free(chosen);
	close_pieces(&set);
}

// Unions of more and more cells, until there are enough points.
// @param second_cells  of the pattern that they are broken by once more, 0: they are not
static void check_unions(test *t, const rbl_mesh *mesh, int resolution, double wall,
                         int second_cells, uint64_t seed)
{
	rbl_distance_field *original = make_field(mesh, resolution, wall);
	rbl_random random = rbl_random_from_seed(seed);
	tally sum = { 0 };
	for (int n = 0; n < test_count(3, 20) || !is_enough(&sum); ++n)
		check_union(t, original, mesh, 30, second_cells > 0 ? 12 : 2 + 4 * n % 17, second_cells,
		            test_count(400, 50000), &random, &sum);
	CHECK(t, sum.inside > test_count(50, 20000));
	rbl_destroy_distance_field(original);
}

static void bonded_unions_are_within_their_bounds(test *t)
{
	for (field_shape shape = 0; shape < FIELD_SHAPE_COUNT; ++shape) {
		double wall;
		rbl_mesh *mesh = make_shape(shape, &wall);
		check_unions(t, mesh, test_count(64, 128), wall, 0, shape + 1);
		rbl_destroy_mesh(mesh);
	}
}

static void unions_that_are_broken_again_are_within_their_bounds(test *t)
{
	for (field_shape shape = 0; shape < FIELD_SHAPE_COUNT; ++shape) {
		double wall;
		rbl_mesh *mesh = make_shape(shape, &wall);
		check_unions(t, mesh, 64, wall, 5, shape + 1);
		rbl_destroy_mesh(mesh);
	}
}

static void unions_of_the_bunny_are_within_their_bounds(test *t)
{
	rbl_mesh *mesh = read_shape("bunny-7k.off");
	if (!mesh) {
		SKIP(t, "bunny-7k.off is not in the shared folder");
		return;
	}
	check_unions(t, mesh, test_count(64, 128), 0.0, 0, 1);
	check_unions(t, mesh, 64, 0.0, 5, 2);
	rbl_destroy_mesh(mesh);
}

// Two cells whose planes were rounded apart by one unit in the last place, and a point in between.
static void a_point_between_two_bonded_cells_is_inside(test *t)
{
	rbl_mesh *mesh = make_shape(SHAPE_BALL, NULL);
	rbl_distance_field *original = make_field(mesh, 32, 0.0), *field;
	float x = 0.1f, middle = nextafterf(x, 1.0f), other = nextafterf(middle, 1.0f);
	const rbl_plane planes[2] = { { { 1.0f, 0.0f, 0.0f }, x }, { { -1.0f, 0.0f, 0.0f }, -other } };
	const int starts[3] = { 0, 1, 2 };
	const rbl_cell_union u = { .cell_count = 2, .plane_starts = starts, .planes = planes };
	rbl_fragment_field_def def = rbl_default_fragment_field_def();
	def.original = original, def.box = rbl_distance_field_get_info(original).bounds;
	def.unions = &u, def.union_count = 1;
	CHECK(t, rbl_create_fragment_field(&def, &field) == RBL_OK);
	const rbl_vec3 p = { middle, 0.02f, 0.03f };
	float d[2], bounds[2];
	rbl_distance_field_evaluate(original, &p, 1, &d[0], &bounds[0], NULL);
	rbl_distance_field_evaluate(field, &p, 1, &d[1], &bounds[1], NULL);
	CHECK(t, d[0] < -0.3f && d[1] == d[0]);
	rbl_destroy_distance_field(field);
	rbl_destroy_distance_field(original);
	rbl_destroy_mesh(mesh);
}

// Regression: where many planes meet, a polygon has corners that differ by rounding alone, and the
// edge between them led anywhere: points over the face were taken for points beyond that edge.
static void corners_that_rounding_parts_do_not_hide_a_face(test *t)
{
	rbl_mesh *mesh = make_shape(SHAPE_BALL, NULL);
	rbl_distance_field *original = make_field(mesh, 32, 0.0);
	const rbl_plane planes[2] = { { { 1.0f, 0.0f, 0.0f }, 0.1f }, { { 0.0f, 1.0f, 0.0f }, 0.4f } };
	const int starts[3] = { 0, 1, 2 }, corner_starts[2] = { 0, 5 };
	for (int k = 0; k < 4; ++k) { // ulps this way and that
		float y = k & 1 ? nextafterf(0.5f, 1.0f) : nextafterf(0.5f, 0.0f);
		float z = k & 2 ? nextafterf(0.5f, 1.0f) : nextafterf(0.5f, 0.0f);
		const rbl_vec3 corners[5] = { { 0.1f, -0.5f, -0.5f },
			                          { 0.1f, 0.5f, -0.5f },
			                          { 0.1f, 0.5f, 0.5f },
			                          { 0.1f, y, z },
			                          { 0.1f, -0.5f, 0.5f } };
		const rbl_cell_union u = { .cell_count = 2,
			                       .plane_starts = starts,
			                       .planes = planes,
			                       .polygon_count = 1,
			                       .corner_starts = corner_starts,
			                       .corners = corners };
		rbl_fragment_field_def def = rbl_default_fragment_field_def();
		def.original = original, def.box = rbl_distance_field_get_info(original).bounds;
		def.unions = &u, def.union_count = 1;
		rbl_distance_field *field = NULL;
		CHECK(t, rbl_create_fragment_field(&def, &field) == RBL_OK);
		for (int i = 0; i < 25; ++i) {
			rbl_vec3 p = { 0.09f, 0.05f * (float)(i % 5 - 2), 0.05f * (float)(i / 5 - 2) };
			float depth;
			rbl_distance_field_penetration(field, &p, 1, &depth, NULL, NULL);
			CHECK_NEAR(t, depth, 0.01f, 1e-5f);
		}
		rbl_destroy_distance_field(field);
	}
	rbl_destroy_distance_field(original);
	rbl_destroy_mesh(mesh);
}

// --- two pieces of one cell ---------------------------------------------------------------------

// An L with a bar in its notch, at some distance from it: the box of the L holds the bar.
static rbl_mesh *make_l_and_bar(double gap)
{
	const double low = 0.2 + gap;
	const double profile[10][2] = {
		{ 0, 0 }, { 1, 0 },     { 1, 0.2 },   { 0.2, 0.2 }, { 0.2, 1 },
		{ 0, 1 }, { low, low }, { 0.8, low }, { 0.8, 0.8 }, { low, 0.8 }
	};
	static const int starts[15] = { 0, 6, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60 };
	rbl_vec3d positions[20];
	int corners[60], n = 0;
	for (int i = 0; i < 20; ++i)
		positions[i] = (rbl_vec3d){ profile[i % 10][0], profile[i % 10][1], i < 10 ? 0.0 : 0.3 };
	for (int i = 0; i < 6; ++i)
		corners[n++] = 5 - i; // the L's lower face looks down
	for (int i = 0; i < 6; ++i)
		corners[n++] = 10 + i;
	for (int i = 0; i < 6; ++i) {
		int j = (i + 1) % 6;
		corners[n++] = i, corners[n++] = j, corners[n++] = 10 + j, corners[n++] = 10 + i;
	}
	for (int i = 0; i < 4; ++i)
		corners[n++] = 9 - i;
	for (int i = 0; i < 4; ++i)
		corners[n++] = 16 + i;
	for (int i = 0; i < 4; ++i) {
		int j = (i + 1) % 4;
		corners[n++] = 6 + i, corners[n++] = 6 + j, corners[n++] = 16 + j, corners[n++] = 16 + i;
	}
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data.vertex_count = 20, def.data.positions = positions;
	def.data.face_count = 14, def.data.face_starts = starts;
	def.data.corner_count = n, def.data.corner_vertices = corners;
	rbl_mesh *mesh = NULL;
	rbl_create_mesh(&def, &mesh);
	return mesh;
}

static void check_l_and_bar(test *t, double gap, int resolution)
{
	rbl_mesh *mesh = make_l_and_bar(gap);
	rbl_distance_field *original = make_field(mesh, resolution, 0.0);
	CHECK(t, mesh && original);
	piece_set set = open_pieces(mesh, 1, 1);
	CHECK(t, set.count == 2);
	rbl_random random = rbl_random_from_seed(1);
	int shared = 0;
	for (int i = 0; i < set.count; ++i) {
		triangles others = { 0 };
		find_others(&set, i, &others);
		shared += others.count > 0;
		rbl_distance_field *field = piece_field(original, &set.exact[i], NULL, 0, &others);
		reference r = { set.exact[i], &set.exact[i], 1 };
		tally sum = { 0 };
		check_fragment(t, field, &r, &random, test_count(3000, 1000000), &sum);
		CHECK(t, sum.inside > 500);
		// All of the other piece is outside, deep in it as well, and known to be some way off.
		for (int k = 0; k < 1000; ++k) {
			rbl_vec3d at = rbl_random_in_box(&random, set.exact[1 - i].box);
			if (exact_distance(&set.exact[1 - i], at) > -0.05)
				continue;
			rbl_vec3 p = rbl_to_f(at);
			float distance, bound;
			bool inside;
			double d = exact_distance(&set.exact[i], at);
			rbl_distance_field_evaluate(field, &p, 1, &distance, &bound, NULL);
			CHECK(t, rbl_distance_field_contains(field, &p, 1, &inside) == RBL_OK && !inside);
			CHECK(t, (double)distance > 0.4 * d - 0.03 && (double)(distance - bound) <= d);
		}
		rbl_destroy_distance_field(field);
		free_triangles(&others);
	}
	CHECK(t, shared == 2);
	close_pieces(&set);
	rbl_destroy_distance_field(original);
	rbl_destroy_mesh(mesh);
}

static void pieces_of_one_cell_are_kept_apart(test *t)
{
	check_l_and_bar(t, 0.2, 64);
	check_l_and_bar(t, 0.01, 160); // less than a cube, some of which are of both
}

// --- frames, planes, back ends ------------------------------------------------------------------

static void a_fragment_answers_in_its_own_coordinates(test *t)
{
	rbl_mesh *mesh = make_shape(SHAPE_TORUS, NULL);
	rbl_distance_field *original = make_field(mesh, 64, 0.0);
	piece_set set = open_pieces(mesh, 10, 1);
	rbl_random random = rbl_random_from_seed(1);
	for (int i = 0; i < set.count; ++i) {
		rbl_plane planes[MAX_CELL_PLANES];
		rbl_fragment_field_def def = rbl_default_fragment_field_def();
		def.original = original, def.box = float_box(set.exact[i].box), def.planes = planes;
		def.plane_count = cell_planes(&set.b, rbl_piece_get_info(set.b.pieces, i).cell, planes);
		rbl_distance_field *straight, *turned;
		CHECK(t, rbl_create_fragment_field(&def, &straight) == RBL_OK);
		rbl_vec3 axis = rbl_normalize(rbl_to_f(rbl_random_in_ball(&random)));
		def.transform.rotation = rbl_quat_from_axis_angle(axis, 2.0f);
		def.transform.position = rbl_to_f(set.b.pieces->pieces.data[i].centre);
		CHECK(t, rbl_create_fragment_field(&def, &turned) == RBL_OK);
		for (int k = 0; k < 100; ++k) {
			rbl_vec3 p = rbl_to_f(exact_probe(&set.exact[i], &random, 0.05)), g[2];
			rbl_vec3 local = rbl_transform_point_inverse(def.transform, p);
			float d[2], bounds[2];
			rbl_distance_field_evaluate(straight, &p, 1, &d[0], &bounds[0], &g[0]);
			rbl_distance_field_evaluate(turned, &local, 1, &d[1], &bounds[1], &g[1]);
			CHECK_NEAR(t, d[1], d[0], 1e-5);
			rbl_vec3 back = rbl_rotate(def.transform.rotation, g[1]);
			if (rbl_distance(back, g[0]) > 0.01f) // beside an edge between two parts of the surface
				CHECK(t, fabsf(d[1] - d[0]) < 1e-5f);
			else
				CHECK(t, rbl_dot(back, g[0]) > 0.9999f);
			rbl_box box = rbl_distance_field_get_info(turned).bounds;
			CHECK(t, d[1] > 0.0f || rbl_box_contains(box, (rbl_box){ local, local }));
		}
		rbl_destroy_distance_field(straight);
		rbl_destroy_distance_field(turned);
	}
	close_pieces(&set);
	rbl_destroy_distance_field(original);
	rbl_destroy_mesh(mesh);
}

// A thousand planes behind the box, as after many breaks, cost nothing and change nothing.
static void planes_that_the_box_is_behind_are_left_out(test *t)
{
	rbl_mesh *mesh = make_shape(SHAPE_BALL, NULL);
	rbl_distance_field *original = make_field(mesh, 32, 0.0), *few, *many;
	rbl_random random = rbl_random_from_seed(1);
	rbl_plane planes[1001] = { { { 1.0f, 0.0f, 0.0f }, 0.1f } };
	for (int i = 1; i <= 1000; ++i) {
		planes[i].normal = rbl_normalize(rbl_to_f(rbl_random_in_ball(&random)));
		planes[i].offset = 0.6f + rbl_random_float(&random);
	}
	rbl_fragment_field_def def = rbl_default_fragment_field_def();
	def.original = original, def.box = (rbl_box){ { -0.3f, -0.3f, -0.3f }, { 0.1f, 0.3f, 0.3f } };
	def.planes = planes, def.plane_count = 1;
	CHECK(t, rbl_create_fragment_field(&def, &few) == RBL_OK);
	def.plane_count = 1001;
	CHECK(t, rbl_create_fragment_field(&def, &many) == RBL_OK);
	CHECK(t, rbl_distance_field_get_info(few).bytes == rbl_distance_field_get_info(many).bytes);
	for (int i = 0; i < 200; ++i) {
		rbl_vec3 p = rbl_to_f(rbl_random_in_ball(&random));
		float d[2], bounds[2];
		rbl_distance_field_evaluate(few, &p, 1, &d[0], &bounds[0], NULL);
		rbl_distance_field_evaluate(many, &p, 1, &d[1], &bounds[1], NULL);
		CHECK(t, d[0] == d[1] && bounds[0] == bounds[1]);
	}
	rbl_destroy_distance_field(few);
	rbl_destroy_distance_field(many);
	rbl_destroy_distance_field(original);
	rbl_destroy_mesh(mesh);
}

static void back_ends_and_neighbours_in_a_batch_give_the_same_bits(test *t)
{
	enum { POINTS = 101 };
	rbl_mesh *mesh = make_shape(SHAPE_VASE, NULL);
	rbl_distance_field *original = make_field(mesh, 48, 0.0);
	piece_set set = open_pieces(mesh, 20, 1);
	bool *chosen = calloc((size_t)set.b.pieces->cells.cell_count, sizeof *chosen);
	choose_cells(&set.b, rbl_piece_get_info(set.b.pieces, 0).cell, 6, chosen);
	made_union u = make_union(&set.b, chosen);
	rbl_random random = rbl_random_from_seed(1);
	rbl_plane planes[MAX_CELL_PLANES];
	rbl_fragment_field_def def = rbl_default_fragment_field_def();
	def.original = original, def.box = rbl_distance_field_get_info(original).bounds;
	def.planes = planes, def.unions = &u.u, def.union_count = 1;
	def.plane_count = cell_planes(&set.b, rbl_piece_get_info(set.b.pieces, 3).cell, planes);
	rbl_distance_field *field;
	CHECK(t, rbl_create_fragment_field(&def, &field) == RBL_OK);
	exact_mesh exact = exact_from_mesh(mesh);
	rbl_vec3 points[POINTS], gradients[2][POINTS], gradient;
	float distances[2][POINTS], bounds[2][POINTS], distance, bound;
	for (int i = 0; i < POINTS; ++i)
		points[i] = rbl_to_f(exact_probe(&exact, &random, 0.02));
	rbl_force_backend(RBL_BACKEND_PLAIN);
	rbl_distance_field_evaluate(field, points, POINTS, distances[0], bounds[0], gradients[0]);
	for (rbl_backend backend = RBL_BACKEND_FOUR; backend < RBL_BACKEND_COUNT; ++backend) {
		if (!rbl_force_backend(backend))
			continue;
		rbl_distance_field_evaluate(field, points, POINTS, distances[1], bounds[1], gradients[1]);
		CHECK(t, memcmp(distances[0], distances[1], sizeof distances[0]) == 0);
		CHECK(t, memcmp(bounds[0], bounds[1], sizeof bounds[0]) == 0);
		CHECK(t, memcmp(gradients[0], gradients[1], sizeof gradients[0]) == 0);
	}
	rbl_force_backend(rbl_best_backend());
	for (int i = 0; i < POINTS; ++i) {
		rbl_distance_field_evaluate(field, &points[i], 1, &distance, &bound, &gradient);
		CHECK(t, memcmp(&distance, &distances[0][i], sizeof distance) == 0);
		CHECK(t, memcmp(&bound, &bounds[0][i], sizeof bound) == 0);
		CHECK(t, memcmp(&gradient, &gradients[0][i], sizeof gradient) == 0);
	}
	points[0] = (rbl_vec3){ NAN, 0.0f, 0.0f }, points[1] = (rbl_vec3){ 0.0f, -INFINITY, 0.0f };
	rbl_distance_field_evaluate(field, points, 2, distances[0], bounds[0], gradients[0]);
	CHECK(t, distances[0][0] == INFINITY && distances[0][1] == INFINITY && bounds[0][0] == 0.0f);
	rbl_destroy_distance_field(field);
	exact_free(&exact);
	free_union(&u);
	free(chosen);
	close_pieces(&set);
	rbl_destroy_distance_field(original);
	rbl_destroy_mesh(mesh);
}

TEST_MAIN(TEST(pieces_and_pieces_of_pieces_are_within_their_bounds),
          TEST(pieces_of_the_bunny_are_within_their_bounds),
          TEST(cracks_are_exact_where_the_surface_is_far),
          TEST(bonded_unions_are_within_their_bounds),
          TEST(unions_that_are_broken_again_are_within_their_bounds),
          TEST(unions_of_the_bunny_are_within_their_bounds),
          TEST(a_point_between_two_bonded_cells_is_inside), TEST(pieces_of_one_cell_are_kept_apart),
          TEST(corners_that_rounding_parts_do_not_hide_a_face),
          TEST(a_fragment_answers_in_its_own_coordinates),
          TEST(planes_that_the_box_is_behind_are_left_out),
          TEST(back_ends_and_neighbours_in_a_batch_give_the_same_bits))
