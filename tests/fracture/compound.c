// SPDX-License-Identifier: MIT
// Compounds of convexes: what they are made of, and what is refused.

#include "faulty_allocator.h"
#include "compounds.h"

static void a_wall_knows_its_bonds(test *t)
{
	rbl_compound *c =
		wall(10, 6, 2, (rbl_vec3d){ 0.4, 0.2, 0.2 }, (rbl_vec3d){ 1.0, 0.0, 0.0 }, NULL);
	rbl_compound_info info = rbl_compound_get_info(c);
	CHECK(t, info.part_count == 120 && info.part_end == 120 && info.anchored_count == 20);
	CHECK(t, info.bond_count == 2 * (9 * 6 + 5 * 19) + 60 && info.approximate_count == 0);
	CHECK(t, is_sound(c) && component_count(c) == 1);
	CHECK_NEAR(t, rbl_compound_get_mass(c).volume, 120 * 0.4 * 0.2 * 0.2, 1e-12);
	int hidden = 0;
	double shares[RBL_MAX_CONVEX_FACES];
	CHECK(t, rbl_compound_get_face_shares(c, 25, shares) == RBL_OK);
	for (int f = 0; f < 6; ++f)
		hidden += shares[f] > 1.0 - 1e-9;
	CHECK(t, hidden == 5); // all but the one to the front
	CHECK(t, rbl_compound_get_part(c, 3).convex && !rbl_compound_get_part(c, 120).convex);
	CHECK(t, rbl_compound_set_bond_strength(c, 0, 1, 7.5) == RBL_OK);
	CHECK(t, rbl_compound_set_bond_strength(c, 0, 5, 7.5) == RBL_BAD_ARGUMENT);
	rbl_compound_bond bonds[16];
	int count = rbl_compound_get_bonds(c, 0, bonds, 16), strong = 0;
	for (int i = 0; i < count; ++i)
		strong += bonds[i].other == 1 && bonds[i].strength == 7.5;
	CHECK(t, strong == 1 && rbl_compound_get_bonds(c, 0, NULL, 0) == count);
	CHECK(t, rbl_compound_get_bonds(c, -1, NULL, 0) == 0);
	rbl_destroy_compound(c);
}

static void mass_is_that_of_the_whole(test *t)
{
	rbl_compound *c =
		wall(4, 2, 3, (rbl_vec3d){ 0.5, 1.0, 1.0 }, (rbl_vec3d){ 3.0, 1.0, 2.0 }, NULL);
	rbl_compound *whole =
		wall(1, 1, 1, (rbl_vec3d){ 2.0, 1.0, 3.0 }, (rbl_vec3d){ 3.0, 1.0, 2.0 }, NULL);
	rbl_compound *upper =
		wall(1, 1, 1, (rbl_vec3d){ 2.0, 1.0, 3.0 }, (rbl_vec3d){ 3.25, 2.0, 2.0 }, NULL);
	rbl_mass a = rbl_compound_get_mass(c), b = rbl_compound_get_mass(whole),
			 d = rbl_compound_get_mass(upper);
	CHECK_NEAR(t, a.volume, b.volume + d.volume, 1e-12);
	rbl_vec3d centre = rbl_scale_d(0.5, rbl_add_d(b.centre, d.centre));
	CHECK_NEAR(t, rbl_distance_d(a.centre, centre), 0.0, 1e-12);
	double x = b.inertia.x.x + d.inertia.x.x + 2.0 * b.volume * 0.25;
	CHECK_NEAR(t, a.inertia.x.x, x, 1e-9);
	rbl_destroy_compound(c);
	rbl_destroy_compound(whole);
	rbl_destroy_compound(upper);
}

// Bonds keep their strength in pieces, and parts their material, which all pieces hold.
static void strengths_and_materials_are_inherited(test *t)
{
	rbl_material_def material_def = rbl_default_material_def();
	rbl_material *materials[2] = { NULL, NULL };
	material_def.name = "wood";
	CHECK(t, rbl_create_material(&material_def, &materials[1]) == RBL_OK);
	rbl_convex *boxes[2] = {
		box_convex((rbl_vec3d){ -1.0, -1.0, -1.0 }, (rbl_vec3d){ 0.0, 1.0, 1.0 }),
		box_convex((rbl_vec3d){ 0.0, -1.0, -1.0 }, (rbl_vec3d){ 1.0, 1.0, 1.0 }),
	};
	rbl_compound_part parts[2] = { { .convex = boxes[0] }, { .convex = boxes[1], .material = 1 } };
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = parts;
	def.part_count = 2;
	def.materials = (const rbl_material *const *)materials;
	def.material_count = 2;
	rbl_compound *c = NULL;
	CHECK(t, rbl_create_compound(&def, &c) == RBL_OK);
	rbl_destroy_material(materials[1]);
	CHECK(t, rbl_compound_get_info(c).material_count == 2);
	CHECK(t, !rbl_compound_get_material(c, 0) && !rbl_compound_get_material(c, 2));
	CHECK(t, rbl_compound_get_material(c, 1) == materials[1]);
	CHECK(t, rbl_compound_set_bond_strength(c, 0, 1, 2.5) == RBL_OK);
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 4.0, 20, 3);
	rbl_break_def break_def = rbl_default_break_def();
	break_def.pattern = pattern;
	break_def.position = (rbl_vec3d){ 0.2, 0.9, 0.9 };
	break_def.radius = 0.4;
	rbl_break *broken = break_and_check(t, c, &break_def);
	int inherited = 0;
	for (int i = 0; i < c->parts.count; ++i) {
		rbl_compound_bond bonds[64];
		int count = rbl_compound_get_bonds(c, i, bonds, 64);
		int material = rbl_compound_get_part(c, i).material;
		for (int k = 0; k < count; ++k) {
			int other = rbl_compound_get_part(c, bonds[k].other).material;
			CHECK(t, bonds[k].strength == (material != other ? 2.5 : 1.0));
			inherited += material != other;
		}
	}
	CHECK(t, inherited > 2);
	rbl_destroy_compound(c);
	rbl_break_data data = rbl_break_get_data(broken);
	CHECK(t, data.compound_count > 0);
	for (int i = 0; i < data.compound_count; ++i)
		CHECK(t, strcmp(rbl_material_name(rbl_compound_get_material(data.compounds[i], 1)),
		                "wood") == 0);
	rbl_destroy_break(broken);
	rbl_destroy_pattern(pattern);
	rbl_destroy_convex(boxes[0]);
	rbl_destroy_convex(boxes[1]);
}

static void a_creation_that_fails_leaves_nothing_behind(test *t)
{
	rbl_convex *boxes[4];
	rbl_compound_part parts[4] = { 0 };
	for (int i = 0; i < 4; ++i) {
		boxes[i] = box_convex((rbl_vec3d){ i, 0.0, 0.0 }, (rbl_vec3d){ i + 1.0, 1.0, 1.0 });
		parts[i].convex = boxes[i];
	}
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_compound_def def = rbl_default_compound_def();
		def.parts = parts;
		def.part_count = 4;
		def.allocator = FAULTY(&memory);
		rbl_compound *c = NULL;
		rbl_result result = rbl_create_compound(&def, &c);
		CHECK(t, (result == RBL_OK) == (c != NULL));
		rbl_destroy_compound(c);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
	for (int i = 0; i < 4; ++i)
		rbl_destroy_convex(boxes[i]);
}

// A ball of 128 faces; a corner more is one too many.
static void too_many_faces_are_approximated_from_outside_and_counted(test *t)
{
	rbl_random random = rbl_random_from_seed(4);
	rbl_planed planes[128];
	for (int i = 0; i < 128; ++i)
		planes[i] = (rbl_planed){ rbl_normalize_d(rbl_random_in_ball(&random)), 0.5 };
	rbl_convex_def convex_def = rbl_default_convex_def();
	convex_def.planes = planes;
	convex_def.plane_count = 128;
	rbl_convex *ball = NULL;
	CHECK(t, rbl_create_convex(&convex_def, &ball) == RBL_OK);
	CHECK(t, rbl_convex_get_data(ball).face_count == 128);
	rbl_vec3d corner = rbl_convex_get_data(ball).vertices[0];
	rbl_compound_def def = rbl_default_compound_def();
	rbl_compound_part part = { .convex = ball };
	def.parts = &part;
	def.part_count = 1;
	rbl_compound *c = NULL;
	CHECK(t, rbl_create_compound(&def, &c) == RBL_OK);
	// The plane between the sites just takes the corner off.
	rbl_vec3d sites[2] = { rbl_scale_d(2.0 * 0.998, corner), { 0.0, 0.0, 0.0 } };
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.kind = RBL_PATTERN_SITES;
	pattern_def.sites = sites;
	pattern_def.given_count = 2;
	pattern_def.size = (rbl_vec3d){ 4.0, 4.0, 4.0 };
	rbl_pattern *pattern = NULL;
	CHECK(t, rbl_create_pattern(&pattern_def, &pattern) == RBL_OK);
	rbl_break_def break_def = rbl_default_break_def();
	break_def.pattern = pattern;
	rbl_break *broken = NULL;
	CHECK(t, rbl_compound_break(c, &break_def, &broken) == RBL_OK);
	rbl_break_data data = rbl_break_get_data(broken);
	CHECK(t, data.compound_count == 2 && data.approximate_count == 1);
	for (int i = 0; i < data.compound_count; ++i) {
		rbl_compound_info info = rbl_compound_get_info(data.compounds[i]);
		rbl_convex_data d = rbl_convex_get_data(rbl_compound_get_part(data.compounds[i], 0).convex);
		CHECK(t, d.face_count <= RBL_MAX_CONVEX_FACES && info.approximate_count <= 1);
		if (!d.is_approximate)
			continue;
		for (int f = 0; f < d.face_count; ++f) // the ball within the cell is within it
			CHECK(t, rbl_plane_distance_d(d.planes[f], (rbl_vec3d){ 0.0, 0.0, 0.0 }) < 0.0);
	}
	rbl_destroy_break(broken);
	rbl_destroy_compound(c);
	rbl_destroy_pattern(pattern);
	rbl_destroy_convex(ball);
}

// Ids of planes that leave no room are refused; stamps that come round are not mistaken.
static void numbers_that_end_are_noticed(test *t)
{
	rbl_planed plane = { { 1.0, 0.0, 0.0 }, 0.5 };
	uint64_t id = RBL_NO_PLANE_ID - 3;
	rbl_convex_def convex_def = rbl_default_convex_def();
	convex_def.planes = &plane;
	convex_def.plane_ids = &id;
	convex_def.plane_count = 1;
	rbl_convex *convex = NULL;
	CHECK(t, rbl_create_convex(&convex_def, &convex) == RBL_OK);
	rbl_compound_part part = { .convex = convex };
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = &part;
	def.part_count = 1;
	rbl_compound *c = NULL;
	CHECK(t, rbl_create_compound(&def, &c) == RBL_OK);
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 2.0, 20, 8);
	rbl_break_def break_def = rbl_default_break_def();
	break_def.pattern = pattern;
	break_def.radius = 0.2;
	rbl_break *broken = NULL;
	CHECK(t, rbl_compound_break(c, &break_def, &broken) == RBL_LIMIT_REACHED && !broken);
	CHECK(t, rbl_compound_get_info(c).part_count == 1);
	c->next_plane_id = 7;
	for (int i = 0; i < 6; ++i) {
		c->stamp = UINT32_MAX - (unsigned)(i % 3);
		break_def.position.x = 0.1 * i - 0.3;
		rbl_destroy_break(break_and_check(t, c, &break_def));
	}
	rbl_destroy_compound(c);
	rbl_destroy_convex(convex);
	rbl_destroy_pattern(pattern);
}

static void bad_input_is_refused(test *t)
{
	rbl_compound *c = NULL;
	rbl_convex *convex = box_convex((rbl_vec3d){ 0.0, 0.0, 0.0 }, (rbl_vec3d){ 1.0, 1.0, 1.0 });
	rbl_compound_part part = { .convex = convex };
	const rbl_compound_def good = { .parts = &part, .part_count = 1 };
	rbl_compound_def def = rbl_default_compound_def();
	CHECK(t, rbl_create_compound(&good, &c) == RBL_BAD_ARGUMENT); // no cookie
	CHECK(t, rbl_create_compound(&def, &c) == RBL_BAD_ARGUMENT);  // nothing in it
	CHECK(t, rbl_create_compound(NULL, &c) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_compound(&def, NULL) == RBL_BAD_ARGUMENT);
	def.parts = &part;
	CHECK(t, rbl_create_compound(&def, &c) == RBL_BAD_ARGUMENT); // no count
	def.part_count = 1;
	def.tolerance = NAN;
	CHECK(t, rbl_create_compound(&def, &c) == RBL_BAD_ARGUMENT);
	def.tolerance = 1e-5;
	part.material = 1;
	CHECK(t, rbl_create_compound(&def, &c) == RBL_BAD_ARGUMENT);
	part.material = 0;
	part.convex = NULL;
	CHECK(t, rbl_create_compound(&def, &c) == RBL_BAD_ARGUMENT);
	part.convex = convex;
	def.material_count = 0;
	CHECK(t, rbl_create_compound(&def, &c) == RBL_BAD_ARGUMENT);
	def.material_count = 1;
	def.fit = (rbl_fit)7;
	CHECK(t, rbl_create_compound(&def, &c) == RBL_BAD_ARGUMENT);
	def.fit = RBL_FIT_14;
	def.allocator.user = &def;
	def.allocator.release = faulty_release;
	CHECK(t, rbl_create_compound(&def, &c) == RBL_BAD_ARGUMENT);
	def.allocator = (rbl_allocator){ 0 };
	CHECK(t, c == NULL && rbl_create_compound(&def, &c) == RBL_OK);

	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 4.0, 3, 3);
	rbl_break *broken = NULL;
	rbl_break_def break_def = rbl_default_break_def();
	CHECK(t, rbl_compound_break(c, &break_def, &broken) == RBL_BAD_ARGUMENT); // no pattern
	break_def.pattern = pattern;
	CHECK(t, rbl_compound_break(NULL, &break_def, &broken) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_compound_break(c, &break_def, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_compound_break(c, NULL, &broken) == RBL_BAD_ARGUMENT);
	break_def.radius = 0.0;
	CHECK(t, rbl_compound_break(c, &break_def, &broken) == RBL_BAD_ARGUMENT);
	break_def.radius = NAN;
	CHECK(t, rbl_compound_break(c, &break_def, &broken) == RBL_BAD_ARGUMENT);
	break_def.radius = 10.0;
	break_def.position.x = NAN;
	CHECK(t, rbl_compound_break(c, &break_def, &broken) == RBL_BAD_ARGUMENT);
	break_def.position.x = 0.0;
	break_def.shape = (rbl_mat3d){ 0 };
	CHECK(t, rbl_compound_break(c, &break_def, &broken) == RBL_BAD_ARGUMENT);
	break_def.shape = rbl_mat_identity_d();
	break_def.fit = (rbl_fit)9;
	CHECK(t, rbl_compound_break(c, &break_def, &broken) == RBL_BAD_ARGUMENT);
	break_def.fit = RBL_FIT_BOX;
	break_def.inner.uv_scale = -1.0;
	CHECK(t, rbl_compound_break(c, &break_def, &broken) == RBL_BAD_ARGUMENT);
	const int parts[] = { 0, 7 };
	CHECK(t, rbl_compound_break_bonds(c, parts, 1, &broken) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_compound_break_bonds(c, NULL, 1, &broken) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_compound_break_bonds(c, parts, 1, NULL) == RBL_BAD_ARGUMENT);
	double shares[8];
	CHECK(t, rbl_compound_get_face_shares(c, 3, shares) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_compound_set_anchored(c, 3, true) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_compound_set_bond_strength(c, 0, 3, 1.0) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_compound_set_bond_strength(c, 0, 0, -1.0) == RBL_BAD_ARGUMENT);
	CHECK(t, broken == NULL && rbl_break_get_data(NULL).compound_count == 0);
	CHECK(t, rbl_compound_get_info(NULL).part_count == 0 && is_sound(c));
	rbl_destroy_break(NULL);
	rbl_destroy_compound(NULL);
	rbl_destroy_compound(c);
	rbl_destroy_pattern(pattern);
	rbl_destroy_convex(convex);
}

TEST_MAIN(TEST(a_wall_knows_its_bonds), TEST(mass_is_that_of_the_whole),
          TEST(strengths_and_materials_are_inherited),
          TEST(a_creation_that_fails_leaves_nothing_behind),
          TEST(too_many_faces_are_approximated_from_outside_and_counted),
          TEST(numbers_that_end_are_noticed), TEST(bad_input_is_refused))
