// SPDX-License-Identifier: MIT
// A pattern lies in a body as its material says: along grain and courses, about the hit, at random.

#include "../test.h"
#include "scene.h"

enum { MOST_FACES = 100000 };

// The planes of faces that a break has cut, in the coordinates of the body, which does not turn.
typedef struct cut_planes {
	rbl_planed planes[MOST_FACES];
	int count, fragment_count;
	rbl_vec3d size; // of a fragment along each axis, on average
} cut_planes;

static cut_planes cuts;

static rbl_body_id add_block(test *t, scene *s, rbl_boxd box, const rbl_material *material)
{
	rbl_convex_def convex_def = rbl_default_convex_def();
	convex_def.box = box;
	rbl_convex *convex = NULL;
	CHECK(t, rbl_create_convex(&convex_def, &convex) == RBL_OK);
	rbl_compound_part part = { .convex = convex };
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = &part, def.part_count = 1;
	rbl_compound *compound = NULL;
	CHECK(t, rbl_create_compound(&def, &compound) == RBL_OK);
	rbl_destroy_convex(convex);
	rbl_body_def body = rbl_default_body_def();
	body.compound = compound;
	body.shared_material = material;
	body.kind = RBL_BODY_STATIC;
	return rbl_create_body(s->world, &body);
}

static rbl_material *make_material(test *t, rbl_pattern_def pattern_def, rbl_material_def def)
{
	rbl_pattern *pattern = NULL;
	CHECK(t, rbl_create_pattern(&pattern_def, &pattern) == RBL_OK);
	rbl_damage_level level = { .energy = 10.0, .pattern = pattern, .radius = 0.6 };
	def.damage.levels = &level, def.damage.level_count = 1;
	rbl_material *material = NULL;
	CHECK(t, rbl_create_material(&def, &material) == RBL_OK);
	rbl_destroy_pattern(pattern);
	return material;
}

static bool is_on_box(rbl_planed plane, rbl_boxd box)
{
	for (int k = 0; k < 3; ++k)
		if (fabs(rbl_axis_d(plane.normal, k)) > 1.0 - 1e-9 &&
		    (fabs(fabs(plane.offset) - fabs(rbl_axis_d(box.lower, k))) < 1e-9 ||
		     fabs(fabs(plane.offset) - fabs(rbl_axis_d(box.upper, k))) < 1e-9))
			return true;
	return false;
}

// Hit a block, and list the planes that the fragments of this step were cut by.
static void hit_block(test *t, scene *s, rbl_body_id body, rbl_boxd box, rbl_vec3 at, rbl_vec3 from)
{
	cuts.count = cuts.fragment_count = 0;
	cuts.size = (rbl_vec3d){ 0.0, 0.0, 0.0 };
	CHECK(t, rbl_body_damage(s->world, body, at, from, 0.6f, 20.0f) == RBL_OK);
	CHECK(t, rbl_world_step(s->world, 1.0f / 60.0f) == RBL_OK);
	rbl_events e = rbl_world_get_events(s->world);
	CHECK(t, e.fracture_count == 1);
	for (int i = 0; i < (e.fracture_count ? e.fractures[0].new_count : 0); ++i) {
		const rbl_compound *c = rbl_body_get_compound(s->world, e.fractures[0].new_bodies[i]);
		rbl_boxd around = rbl_box_empty_d();
		int end = rbl_compound_get_info(c).part_end;
		for (int k = 0; k < end; ++k) {
			const rbl_convex *convex = rbl_compound_get_part(c, k).convex;
			if (!convex)
				continue;
			rbl_convex_data data = rbl_convex_get_data(convex);
			for (int v = 0; v < data.vertex_count; ++v)
				around = rbl_box_add_point_d(around, data.vertices[v]);
			for (int f = 0; f < data.face_count && cuts.count < MOST_FACES; ++f)
				if (!is_on_box(data.planes[f], box))
					cuts.planes[cuts.count++] = data.planes[f];
		}
		cuts.fragment_count++;
		cuts.size = rbl_add_d(cuts.size, rbl_box_size_d(around));
	}
	CHECK(t, cuts.fragment_count > 5 && cuts.count > 20);
	cuts.size = rbl_scale_d(1.0 / rbl_maxi(cuts.fragment_count, 1), cuts.size);
}

static void make_world(scene *s)
{
	rbl_world_def def = scene_def(s, 1);
	def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	def.budget = 0;
	scene_create(s, &def);
}

static const rbl_boxd wall = { { -2.1, -1.05, -0.13 }, { 2.2, 1.15, 0.13 } };
static const rbl_vec3 into = { 0.0f, 0.0f, 1.0f };

static double off_lattice(double x, double step)
{
	return fabs(x / step - floor(x / step + 0.5));
}

// Two hits on a wall: all joints are in one lattice, upright and level, through frame_origin.
static void courses_go_on_from_hit_to_hit(test *t)
{
	for (int bond = 0; bond < RBL_BRICK_BOND_COUNT; ++bond) {
		scene s;
		make_world(&s);
		rbl_pattern_def pattern = rbl_default_pattern_def();
		pattern.kind = RBL_PATTERN_BRICKS;
		pattern.bond = (rbl_brick_bond)bond;
		rbl_material_def def = rbl_default_material_def();
		def.frame_origin = (rbl_vec3d){ 0.033, -0.021, 0.0 };
		rbl_material *material = make_material(t, pattern, def);
		rbl_body_id body = add_block(t, &s, wall, material);
		const rbl_vec3 points[2] = { { -0.93f, 0.11f, -0.13f }, { 0.88f, -0.17f, -0.13f } };
		for (int hit = 0; hit < 2; ++hit) {
			hit_block(t, &s, body, wall, points[hit], into);
			int upright = 0, level = 0, wrong = 0;
			for (int i = 0; i < cuts.count; ++i) {
				rbl_vec3d n = cuts.planes[i].normal;
				double x = n.x * cuts.planes[i].offset - def.frame_origin.x;
				double y = n.y * cuts.planes[i].offset - def.frame_origin.y;
				if (fabs(n.x) > 0.999)
					upright++, wrong += off_lattice(x, 0.0625) > 1e-6;
				else if (fabs(n.y) > 0.999)
					level++, wrong += off_lattice(y, 0.0625) > 1e-6;
				else
					wrong += fabs(n.z) < 0.999;
			}
			CHECK(t, upright > 20 && level > 20 && wrong == 0);
		}
		rbl_destroy_material(material);
		scene_destroy(&s);
	}
}

static void splinters_lie_along_the_grain(test *t)
{
	for (int turned = 0; turned < 2; ++turned) {
		scene s;
		make_world(&s);
		rbl_pattern_def pattern = rbl_default_pattern_def();
		pattern.kind = RBL_PATTERN_SPLINTERS;
		pattern.cell_count = 300;
		rbl_material_def def = rbl_default_material_def();
		if (turned)
			def.frame =
				rbl_quat_from_axis_angle_d((rbl_vec3d){ 0.0, 0.0, 1.0 }, 1.5707963267948966);
		rbl_material *material = make_material(t, pattern, def);
		rbl_boxd box = { { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };
		rbl_body_id body = add_block(t, &s, box, material);
		hit_block(t, &s, body, box, (rbl_vec3){ 0.1f, 0.2f, -0.2f }, into);
		double along = turned ? cuts.size.x : cuts.size.y,
			   across = turned ? cuts.size.y : cuts.size.x;
		CHECK(t, along > 2.0 * across && along > 2.0 * cuts.size.z);
		rbl_destroy_material(material);
		scene_destroy(&s);
	}
}

// The planes of a web contain the normal of the hit, whatever that is; those that lie in a frame
// do not turn with it, and `shape` stretches them.
static void webs_lie_about_the_hit(test *t)
{
	const rbl_vec3 normals[3] = { { 1.0f, 0.0f, 0.0f },
		                          { 0.0f, -1.0f, 0.0f },
		                          { 0.6f, 0.0f, 0.8f } };
	for (int k = 0; k < 3; ++k) {
		for (int placement = 0; placement < RBL_PLACEMENT_COUNT; ++placement) {
			scene s;
			make_world(&s);
			rbl_pattern_def pattern = rbl_default_pattern_def();
			pattern.kind = RBL_PATTERN_WEB;
			rbl_material_def def = rbl_default_material_def();
			def.placement = (rbl_pattern_placement)placement;
			rbl_material *material = make_material(t, pattern, def);
			rbl_boxd box = { { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };
			rbl_body_id body = add_block(t, &s, box, material);
			hit_block(t, &s, body, box, (rbl_vec3){ 0.1f, 0.05f, 0.15f }, normals[k]);
			int about_normal = 0, about_z = 0;
			for (int i = 0; i < cuts.count; ++i) {
				about_normal += fabs(rbl_dot_d(cuts.planes[i].normal, rbl_to_d(normals[k]))) < 1e-6;
				about_z += fabs(cuts.planes[i].normal.z) < 1e-9;
			}
			bool by_normal =
				placement == RBL_PLACEMENT_BY_KIND || placement == RBL_PLACEMENT_NORMAL;
			CHECK(t, (about_normal == cuts.count) == by_normal);
			CHECK(t, (about_z == cuts.count) == (placement == RBL_PLACEMENT_FRAME));
			rbl_destroy_material(material);
			scene_destroy(&s);
		}
	}
}

// What a material says about a break arrives: shape, fit and the limit of cuts.
static void shapes_of_patterns_arrive(test *t)
{
	double ratios[2];
	for (int k = 0; k < 2; ++k) {
		scene s;
		make_world(&s);
		rbl_pattern_def pattern = rbl_default_pattern_def();
		pattern.cell_count = 300;
		rbl_material_def def = rbl_default_material_def();
		def.placement = RBL_PLACEMENT_FRAME;
		if (k == 1)
			def.shape.x.x = 4.0;
		rbl_material *material = make_material(t, pattern, def);
		rbl_boxd box = { { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };
		rbl_body_id body = add_block(t, &s, box, material);
		hit_block(t, &s, body, box, (rbl_vec3){ 0.1f, 0.05f, 0.15f }, into);
		ratios[k] = cuts.size.x / cuts.size.y;
		rbl_destroy_material(material);
		scene_destroy(&s);
	}
	CHECK(t, ratios[0] < 1.5 && ratios[1] > 2.0 * ratios[0]);
}

TEST_MAIN(TEST(courses_go_on_from_hit_to_hit), TEST(splinters_lie_along_the_grain),
          TEST(webs_lie_about_the_hit), TEST(shapes_of_patterns_arrive))
