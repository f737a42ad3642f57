// SPDX-License-Identifier: MIT
// Fields of compounds after breaks, and breaks of what broke off, against the exact meshes of their
// parts.
// ctest: soak

#include "field/field.h"
#include "fracture/compound.h"

#include "field/exact.h"
#include "field/shapes.h"

#include "faulty_allocator.h"

#include <rubble/compound_field.h>
#include <rubble/rubble.h>

static char last_line[300];

static void keep_line(void *user, rbl_log_level level, const char *text)
{
	(void)user, (void)level;
	snprintf(last_line, sizeof last_line, "%s", text);
}

#define CHECK_REFUSED(t, call, wanted, word) \
	do {                                     \
		rbl_set_log(keep_line, NULL);        \
		CHECK(t, (call) == (wanted));        \
		CHECK(t, strstr(last_line, word));   \
		rbl_set_log(NULL, NULL);             \
	} while (0)

// --- what broke ---------------------------------------------------------------------------------

enum { MAX_COMPOUNDS = 400 };

// All that a mesh became.
typedef struct ruin {
	rbl_mesh *mesh;
	rbl_distance_field *original;
	rbl_compound *compounds[MAX_COMPOUNDS];
	int count;
} ruin;

static ruin open_ruin(rbl_mesh *mesh, double wall, bool is_prepared)
{
	ruin r = { .mesh = mesh, .original = make_field(mesh, 96, wall), .count = 1 };
	if (is_prepared) {
		rbl_asset *asset = NULL;
		rbl_prepare_def def = rbl_default_prepare_def();
		if (rbl_prepare(mesh, &def, &asset) == RBL_OK)
			rbl_asset_create_compound(asset, NULL, &r.compounds[0]);
		rbl_destroy_asset(asset);
	} else {
		rbl_compound_def def = rbl_default_compound_def();
		def.mesh = mesh;
		rbl_create_compound(&def, &r.compounds[0]);
	}
	return r;
}

static void close_ruin(ruin *r)
{
	for (int i = 0; i < r->count; ++i)
		rbl_destroy_compound(r->compounds[i]);
	rbl_destroy_distance_field(r->original);
	rbl_destroy_mesh(r->mesh);
}

// Break one of the compounds at a point of it.
static void break_one(test *t, ruin *r, int index, int cells, double radius, uint64_t seed)
{
	rbl_boxd box = rbl_mesh_bounds(r->mesh);
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.size = rbl_scale_d(2.0, rbl_box_size_d(box));
	pattern_def.cell_count = cells, pattern_def.seed = seed;
	rbl_pattern *pattern = NULL;
	CHECK(t, rbl_create_pattern(&pattern_def, &pattern) == RBL_OK);
	rbl_break_def def = rbl_default_break_def();
	def.pattern = pattern;
	def.position = rbl_compound_get_visual_mass(r->compounds[index]).centre;
	def.radius = radius;
	rbl_break *broken = NULL;
	CHECK(t, rbl_compound_break(r->compounds[index], &def, &broken) == RBL_OK);
	int count = rbl_break_get_data(broken).compound_count;
	for (int i = 0; i < count && r->count < MAX_COMPOUNDS; ++i)
		r->compounds[r->count++] = rbl_break_take(broken, i);
	rbl_destroy_break(broken);
	rbl_destroy_pattern(pattern);
}

// --- the reference ------------------------------------------------------------------------------

// The meshes of all parts together: closed, though some of their faces are inside.
static exact_mesh exact_from_compound(const rbl_compound *compound)
{
	exact_mesh all = { .box = rbl_box_empty_d() };
	for (int i = 0; i < compound->parts.count; ++i) {
		const rbl_part *part = &compound->parts.data[i];
		if (!part->convex)
			continue;
		rbl_mesh *made = NULL;
		if (!part->mesh)
			rbl_convex_create_mesh(part->convex, NULL, &made);
		exact_mesh one = exact_from_mesh(part->mesh ? part->mesh : made);
		all.triangles =
			realloc(all.triangles, (size_t)(all.count + one.count) * sizeof *all.triangles);
		memcpy(all.triangles + all.count, one.triangles, (size_t)one.count * sizeof *one.triangles);
		all.count += one.count;
		all.box = rbl_box_join_d(all.box, one.box);
		exact_free(&one);
		rbl_destroy_mesh(made);
	}
	all.nodes = calloc((size_t)all.count * 2 + 2, sizeof *all.nodes);
	all.nodes[0] = (exact_node){ .count = all.count };
	all.node_count = 1;
	exact_split(&all, 0);
	return all;
}

static bool is_inside(const exact_mesh *exact, rbl_vec3d p)
{
	return rbl_box_contains_d(exact->box, (rbl_boxd){ p, p }) && exact_winding(exact, p, false) > 0;
}

// The triangles of a surface that have nothing in front of them. Large ones are divided, so that
// what is covered in part is hardly larger than `size`.
static exact_mesh exposed_of(const exact_mesh *all, double size)
{
	exact_mesh bare = { .box = all->box };
	int capacity = 64, top = 0, stack_capacity = 4 * all->count + 64;
	rbl_vec3d(*stack)[3] = malloc((size_t)stack_capacity * sizeof *stack);
	bare.triangles = malloc((size_t)capacity * sizeof *bare.triangles);
	for (int i = 0; i < all->count; ++i) {
		memcpy(stack[top++], all->triangles[i], sizeof *stack);
		while (top > 0) {
			rbl_vec3d t[3];
			memcpy(t, stack[--top], sizeof t);
			int longest = 0;
			for (int k = 1; k < 3; ++k)
				if (rbl_distance_d(t[k], t[(k + 1) % 3]) >
				    rbl_distance_d(t[longest], t[(longest + 1) % 3]))
					longest = k;
			rbl_vec3d a = t[longest], b = t[(longest + 1) % 3], c = t[(longest + 2) % 3];
			if (rbl_distance_d(a, b) > size && top + 2 < stack_capacity) {
				rbl_vec3d middle = rbl_lerp_d(a, b, 0.5);
				const rbl_vec3d halves[2][3] = { { a, middle, c }, { middle, b, c } };
				memcpy(stack[top], halves, sizeof halves);
				top += 2;
				continue;
			}
			rbl_vec3d normal = rbl_normalize_d(rbl_cross_d(rbl_sub_d(b, a), rbl_sub_d(c, a)));
			rbl_vec3d mean = rbl_scale_d(1.0 / 3.0, rbl_add_d(a, rbl_add_d(b, c)));
			if (is_inside(all, rbl_add_scaled_d(mean, 1e-6, normal)))
				continue;
			if (bare.count == capacity)
				bare.triangles =
					realloc(bare.triangles, (size_t)(capacity *= 2) * sizeof *bare.triangles);
			memcpy(bare.triangles[bare.count++], t, sizeof t);
		}
	}
	free(stack);
	bare.nodes = calloc((size_t)bare.count * 2 + 2, sizeof *bare.nodes);
	bare.nodes[0] = (exact_node){ .count = bare.count };
	bare.node_count = 1;
	exact_split(&bare, 0);
	return bare;
}

// Outside, faces inside of the compound are never the nearest. Inside they may be, so the depth is
// compared with what is bare, and from above with what surrounds the point.
static int check_compound(test *t, const ruin *r, int index, rbl_random *random, int count)
{
	rbl_compound_field_def def = rbl_default_compound_field_def();
	def.compound = r->compounds[index], def.original = r->original;
	def.others = (const rbl_compound *const *)r->compounds, def.other_count = r->count;
	rbl_distance_field *field = NULL;
	CHECK(t, rbl_create_compound_field(&def, &field) == RBL_OK);
	exact_mesh exact = exact_from_compound(r->compounds[index]);
	double coarse = 0.02 * rbl_length_d(rbl_box_size_d(exact.box));
	exact_mesh bare = exposed_of(&exact, coarse);
	double cell = (double)rbl_distance_field_get_info(r->original).cell_size;
	int inside_count = 0, wrong = 0;
	for (int i = 0; i < count && field; ++i) {
		rbl_vec3 p = rbl_to_f(exact_probe(&exact, random, 3.0 * cell));
		float depth, bound;
		rbl_vec3 normal;
		CHECK(t, rbl_distance_field_penetration(field, &p, 1, &depth, &normal, &bound) == RBL_OK);
		double nearest = exact_unsigned(&exact, rbl_to_d(p), false);
		bool inside = is_inside(&exact, rbl_to_d(p));
		double d = -(double)depth, error = (double)bound + 1e-6;
		bool is_good = inside ? -d >= nearest - error : d - error <= nearest;
		if (inside)
			is_good &= -d >= exact_unsigned(&bare, rbl_to_d(p), false) - error - coarse;
		is_good &= inside == (d < 0.0) || nearest <= error;
		for (int k = 0; k < 4 && inside && -d > error; ++k) {
			rbl_vec3d way = rbl_normalize_d(rbl_random_in_ball(random));
			rbl_vec3d q = rbl_add_scaled_d(rbl_to_d(p), -d - error, way);
			is_good &= is_inside(&exact, q) || exact_unsigned(&exact, q, false) < 1e-6;
		}
		if (!is_good && wrong++ < 3)
			printf("compound %d of %d parts: %s, nearest %.3f, depth %.3f, bound %.3f mm\n", index,
			       rbl_compound_get_info(r->compounds[index]).part_count, inside ? "in" : "out",
			       1e3 * nearest, 1e3 * (double)depth, 1e3 * (double)bound);
		inside_count += inside;
	}
	CHECK(t, wrong == 0);
	exact_free(&bare);
	exact_free(&exact);
	rbl_destroy_distance_field(field);
	return inside_count;
}

static void check_ruin(test *t, const ruin *r, uint64_t seed, int points)
{
	rbl_random random = rbl_random_from_seed(seed);
	int inside = 0, several = 0, checked = 0;
	for (int i = 0; i < r->count; ++i)
		checked += rbl_compound_get_info(r->compounds[i]).part_count > 0;
	for (int i = 0; i < r->count; ++i) {
		int parts = rbl_compound_get_info(r->compounds[i]).part_count;
		several += parts > 1;
		if (parts > 0)
			inside += check_compound(t, r, i, &random, rbl_maxi(points / checked, 20));
	}
	printf("%d compounds, %d of several parts\n", checked, several);
	CHECK(t, inside > points / 20);
}

// --- claims -------------------------------------------------------------------------------------

// Whole meshes that break: one part, then pieces.
static void pieces_of_a_whole_are_within_their_bounds(test *t)
{
	const field_shape kinds[4] = { SHAPE_BOX, SHAPE_TORUS, SHAPE_MUG, SHAPE_PLATE };
	for (int k = 0; k < 4; ++k) {
		double wall;
		rbl_mesh *mesh = make_shape(kinds[k], &wall);
		ruin r = open_ruin(mesh, wall, false);
		break_one(t, &r, 0, 24, (double)INFINITY, 3);
		check_ruin(t, &r, 5, test_count(2500, 250000));
		close_ruin(&r);
	}
}

// Prepared assets: parts whose convexes overlap, most of them still bonded after a hit.
static void what_a_hit_leaves_of_an_asset_is_within_its_bounds(test *t)
{
	const field_shape kinds[4] = { SHAPE_VASE, SHAPE_TORUS, SHAPE_MUG, SHAPE_PIGGY_BANK };
	for (int k = 0; k < 4; ++k) {
		double wall;
		rbl_mesh *mesh = make_shape(kinds[k], &wall);
		double size = rbl_length_d(rbl_box_size_d(rbl_mesh_bounds(mesh)));
		ruin r = open_ruin(mesh, wall, true);
		check_ruin(t, &r, 8, test_count(300, 20000));
		break_one(t, &r, 0, 60, 0.25 * size, 7);
		check_ruin(t, &r, 9, test_count(1500, 250000));
		close_ruin(&r);
	}
}

// Breaks of what broke off, four times.
static void what_breaks_again_is_within_its_bounds(test *t)
{
	double wall;
	rbl_mesh *mesh = make_shape(SHAPE_MUG, &wall);
	double size = rbl_length_d(rbl_box_size_d(rbl_mesh_bounds(mesh)));
	ruin r = open_ruin(mesh, wall, true);
	for (int round = 0; round < 4; ++round) {
		int largest = 0;
		for (int i = 1; i < r.count; ++i)
			if (rbl_compound_get_visual_mass(r.compounds[i]).volume >
			    rbl_compound_get_visual_mass(r.compounds[largest]).volume)
				largest = i;
		break_one(t, &r, largest, 40, 0.2 * size, 20 + (uint64_t)round);
	}
	check_ruin(t, &r, 6, test_count(2500, 300000));
	close_ruin(&r);
}

static void pieces_of_the_bunny_are_within_their_bounds(test *t)
{
	rbl_mesh *mesh = read_shape("bunny-7k.off");
	if (!mesh) {
		SKIP(t, "no models");
		return;
	}
	double size = rbl_length_d(rbl_box_size_d(rbl_mesh_bounds(mesh)));
	ruin r = open_ruin(mesh, 0.0, true);
	break_one(t, &r, 0, 50, 0.3 * size, 4);
	check_ruin(t, &r, 1, test_count(2000, 1000000));
	close_ruin(&r);
}

// Two meshes as one.
static rbl_mesh *join_meshes(rbl_mesh *a, rbl_mesh *b)
{
	rbl_mesh_data x = rbl_mesh_get_data(a), y = rbl_mesh_get_data(b);
	rbl_mesh_def def = rbl_default_mesh_def();
	int vertices = x.vertex_count + y.vertex_count, faces = x.face_count + y.face_count;
	rbl_vec3d *positions = malloc((size_t)vertices * sizeof *positions);
	int *starts = malloc((size_t)(faces + 1) * sizeof *starts);
	int *corners = malloc((size_t)(x.corner_count + y.corner_count) * sizeof *corners);
	memcpy(positions, x.positions, (size_t)x.vertex_count * sizeof *positions);
	memcpy(positions + x.vertex_count, y.positions, (size_t)y.vertex_count * sizeof *positions);
	for (int f = 0; f <= faces; ++f)
		starts[f] =
			f <= x.face_count ? x.face_starts[f] : x.corner_count + y.face_starts[f - x.face_count];
	for (int i = 0; i < x.corner_count; ++i)
		corners[i] = x.corner_vertices[i];
	for (int i = 0; i < y.corner_count; ++i)
		corners[x.corner_count + i] = x.vertex_count + y.corner_vertices[i];
	def.data = (rbl_mesh_data){ .vertex_count = vertices,
		                        .positions = positions,
		                        .face_count = faces,
		                        .corner_count = x.corner_count + y.corner_count,
		                        .face_starts = starts,
		                        .corner_vertices = corners };
	rbl_mesh *mesh = NULL;
	rbl_create_mesh(&def, &mesh);
	free(positions);
	free(starts);
	free(corners);
	rbl_destroy_mesh(a);
	rbl_destroy_mesh(b);
	return mesh;
}

// A ball in the hole of a ring: no plane is between them.
static void pieces_of_one_cell_are_kept_apart(test *t)
{
	rbl_torus_def torus = rbl_default_torus_def();
	torus.radius = 0.1, torus.thickness = 0.03;
	rbl_icosphere_def ball = rbl_default_icosphere_def();
	ball.radius = 0.04;
	rbl_mesh *a = NULL, *b = NULL;
	CHECK(t, rbl_create_torus_mesh(&torus, &a) == RBL_OK);
	CHECK(t, rbl_create_icosphere_mesh(&ball, &b) == RBL_OK);
	ruin r = open_ruin(join_meshes(a, b), 0.0, false);
	break_one(t, &r, 0, 1, (double)INFINITY, 3);
	CHECK(t, r.count == 2 || r.count == 3);
	check_ruin(t, &r, 5, test_count(1500, 100000));
	close_ruin(&r);
}

// Ids are made from places: what a break leaves alone keeps them.
static void points_of_what_stays_keep_their_ids(test *t)
{
	double wall;
	rbl_mesh *mesh = make_shape(SHAPE_MUG, &wall);
	ruin r = open_ruin(mesh, wall, true);
	rbl_distance_field *fields[2];
	rbl_field_shape *shapes[2];
	rbl_transform moved = { { 0.1f, 0.2f, 0.3f }, { 0.6f, 0.0f, 0.8f, 0.0f } };
	for (int i = 0; i < 2; ++i) {
		rbl_compound_field_def def = rbl_default_compound_field_def();
		def.compound = r.compounds[0], def.original = r.original;
		def.transform = moved;
		CHECK(t, rbl_create_compound_field(&def, &fields[i]) == RBL_OK);
		CHECK(t, rbl_create_compound_shape(&def, fields[i], 0.0f, &shapes[i]) == RBL_OK);
		if (i == 0)
			break_one(t, &r, 0, 40, 0.04, 2);
	}
	const rbl_sphere_tree *before = &shapes[0]->tree, *after = &shapes[1]->tree;
	CHECK(t, before->count > 500 && after->count > 300 && r.count > 1);
	int same = 0, differ = 0;
	for (int i = 0; i < after->count; ++i)
		for (int k = 0; k < before->count; ++k)
			if (before->ids[k] == after->ids[i]) {
				same++;
				differ += rbl_distance(before->positions[k], after->positions[i]) > 1e-6f;
			}
	CHECK(t, differ == 0);
	CHECK(t, same > after->count / 3);
	// Every point lies on the surface.
	for (int i = 0; i < after->count; ++i) {
		float depth, bound;
		rbl_distance_field_penetration(fields[1], &after->positions[i], 1, &depth, NULL, &bound);
		CHECK(t, depth <= bound && depth >= -bound - 1e-5f);
	}
	for (int i = 0; i < 2; ++i) {
		rbl_destroy_field_shape(shapes[i]);
		rbl_destroy_distance_field(fields[i]);
	}
	close_ruin(&r);
}

static void bad_definitions_are_refused_with_a_sentence(test *t)
{
	ruin r = open_ruin(make_shape(SHAPE_BOX, NULL), 0.0, false);
	rbl_compound_field_def good = rbl_default_compound_field_def(), def;
	good.compound = r.compounds[0], good.original = r.original;
	rbl_distance_field *field;
	rbl_field_shape *shape;
	CHECK_REFUSED(t, rbl_create_compound_field(&good, NULL), RBL_BAD_ARGUMENT, "field is NULL");
	CHECK_REFUSED(t, rbl_create_compound_field(NULL, &field), RBL_BAD_ARGUMENT, "rbl_default");
	def = good, def.compound = NULL;
	CHECK_REFUSED(t, rbl_create_compound_field(&def, &field), RBL_BAD_ARGUMENT, "compound is NULL");
	def = good, def.original = NULL;
	CHECK_REFUSED(t, rbl_create_compound_field(&def, &field), RBL_BAD_ARGUMENT, "original is NULL");
	def = good, def.other_count = 1;
	CHECK_REFUSED(t, rbl_create_compound_field(&def, &field), RBL_BAD_ARGUMENT, "others");
	def = good, def.transform.position.x = NAN;
	CHECK_REFUSED(t, rbl_create_compound_field(&def, &field), RBL_BAD_ARGUMENT, "transform");
	CHECK_REFUSED(t, rbl_create_compound_shape(&good, NULL, 0.0f, &shape), RBL_BAD_ARGUMENT,
	              "field is NULL");
	CHECK_REFUSED(t, rbl_create_compound_shape(&good, r.original, -1.0f, &shape), RBL_BAD_ARGUMENT,
	              "spacing");
	CHECK_REFUSED(t, rbl_create_compound_shape(&good, r.original, 0.0f, NULL), RBL_BAD_ARGUMENT,
	              "shape is NULL");
	break_one(t, &r, 0, 10, (double)INFINITY, 2);
	if (rbl_compound_get_info(r.compounds[0]).part_count == 0)
		CHECK_REFUSED(t, rbl_create_compound_field(&good, &field), RBL_BAD_ARGUMENT, "no parts");
	close_ruin(&r);
}

static void memory_may_run_out(test *t)
{
	double wall;
	rbl_mesh *mesh = make_shape(SHAPE_MUG, &wall);
	ruin r = open_ruin(mesh, wall, true);
	break_one(t, &r, 0, 30, 0.04, 2);
	for (int n = 0;; ++n) {
		faulty_allocator counter;
		faulty_init(&counter, n);
		rbl_compound_field_def def = rbl_default_compound_field_def();
		def.compound = r.compounds[0], def.original = r.original;
		def.others = (const rbl_compound *const *)r.compounds, def.other_count = r.count;
		def.allocator = FAULTY(&counter);
		rbl_distance_field *field = NULL;
		rbl_field_shape *shape = NULL;
		rbl_result result = rbl_create_compound_field(&def, &field);
		if (result == RBL_OK)
			result = rbl_create_compound_shape(&def, field, 0.0f, &shape);
		rbl_destroy_field_shape(shape);
		rbl_destroy_distance_field(field);
		CHECK(t, counter.live_bytes == 0);
		if (!counter.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY && !shape);
	}
	close_ruin(&r);
}

TEST_MAIN(TEST(pieces_of_a_whole_are_within_their_bounds),
          TEST(what_a_hit_leaves_of_an_asset_is_within_its_bounds),
          TEST(what_breaks_again_is_within_its_bounds),
          TEST(pieces_of_the_bunny_are_within_their_bounds),
          TEST(pieces_of_one_cell_are_kept_apart), TEST(points_of_what_stays_keep_their_ids),
          TEST(bad_definitions_are_refused_with_a_sentence), TEST(memory_may_run_out))
