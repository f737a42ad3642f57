// SPDX-License-Identifier: MIT
// Cut faces of what breaks in a world can be textured: texture coordinates are flat, in metres, and go
// on over faces in one plane; normals are those of the faces, and tangents follow.

#include "../test.h"
#include "../cut_faces.h"
#include "breakable.h"

#include <rubble/pattern.h>
#include <rubble/shapes.h>

static void break_wall(test *t, rbl_pattern_kind kind, double scale, uint64_t seed)
{
	breakable b;
	rbl_box_def box = rbl_default_box_def();
	box.size = (rbl_vec3d){ 1.0, 1.0, 0.6 };
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_box_mesh(&box, &mesh) == RBL_OK);
	breakable_make(t, &b, mesh, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 1);
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.kind = kind;
	pattern_def.size = (rbl_vec3d){ 2.0, 2.0, 2.0 };
	pattern_def.cell_count = 3000;
	pattern_def.brick_size = (rbl_vec3d){ 0.2, 0.15, 0.15 };
	rbl_pattern *pattern = NULL;
	CHECK(t, rbl_create_pattern(&pattern_def, &pattern) == RBL_OK);
	rbl_damage_level level = { .energy = 10.0, .pattern = pattern, .radius = 5.0 };
	rbl_material_def of = rbl_default_material_def();
	of.damage.levels = &level, of.damage.level_count = 1;
	of.inner.uv_scale = scale;
	of.inner.uv_seed = seed;
	rbl_material *material = NULL;
	CHECK(t, rbl_create_material(&of, &material) == RBL_OK);
	rbl_body_def def = rbl_default_body_def();
	def.asset = b.asset;
	def.shared_material = material;
	rbl_body_id body = rbl_create_body(b.s.world, &def);
	CHECK(t, rbl_body_damage(b.s.world, body, (rbl_vec3){ 0.1f, 0.1f, 0.15f },
	                         (rbl_vec3){ 0.0f, 0.0f, -1.0f }, INFINITY, 100.0f) == RBL_OK);
	scene_steps(&b.s, 1);
	static rbl_body_id ids[BREAKABLE_MOST];
	static cut_corners all;
	all.count = all.faces = 0;
	int inside = 0, count = rbl_world_get_bodies(b.s.world, ids, BREAKABLE_MOST);
	CHECK(t, count > 10);
	for (int i = 0; i < count; ++i) {
		const rbl_compound *compound = rbl_body_get_compound(b.s.world, ids[i]);
		int end = rbl_compound_get_info(compound).part_end;
		for (int p = 0; p < end; ++p) {
			rbl_compound_part part = rbl_compound_get_part(compound, p);
			if (!part.convex)
				continue;
			rbl_mesh *drawn = NULL; // also of parts without a mesh, which lie inside
			CHECK(t, rbl_compound_create_part_mesh(compound, p, &of.inner, mesh, NULL, &drawn) ==
			             RBL_OK);
			int faces = all.faces;
			check_cut_mesh(t, drawn, (rbl_vec3d){ 0.0, 0.0, 0.0 }, scale, &all);
			inside += !part.mesh;
			CHECK(t, part.mesh || all.faces - faces == rbl_mesh_get_data(drawn).face_count);
			rbl_destroy_mesh(drawn);
		}
	}
	CHECK(t, inside > 3);
	CHECK(t, all.faces > 50 && check_seams(t, &all, 1e-7) > 100);
	rbl_destroy_material(material);
	rbl_destroy_pattern(pattern);
	breakable_destroy(&b);
	rbl_destroy_mesh(mesh);
}

static void cut_faces_can_be_textured(test *t)
{
	break_wall(t, RBL_PATTERN_VORONOI, 1.0, 0);
	break_wall(t, RBL_PATTERN_VORONOI, 0.25, 7);
	break_wall(t, RBL_PATTERN_BRICKS, 0.5, 0);
	break_wall(t, RBL_PATTERN_BRICKS, 0.5, 3);
}

TEST_MAIN(TEST(cut_faces_can_be_textured))
