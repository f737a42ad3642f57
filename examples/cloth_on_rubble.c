// SPDX-License-Identifier: MIT
// Bricks fall on a heap; then a sheet falls over them and tears on a splinter that sticks out of
// it. The bricks are of the world, the sheet of a small solver beside it (cloth/cloth.h), and what the two
// have in common is a surface: rubble/obstacles.h puts the bodies into it, whole ones and fragments.
//
//     cloth_on_rubble [OUT.glb [WORKERS]]

#include "show.h"

#include "cloth/cloth.h"

#include <math.h>

enum { FALL = 80, STEPS = 220, CELLS = 28 };

static const rbl_vec3 BRICK = { 0.42f, 0.16f, 0.09f };
static const rbl_vec3 WOOD = { 0.30f, 0.20f, 0.10f }, LINEN = { 0.70f, 0.66f, 0.55f };

// The sheet as it is now, in place of what it was.
static void show_cloth(show *s, cloth *c, int *object)
{
	static int starts[2 * CELLS * CELLS + 1];
	static rbl_vec3d positions[8 * CELLS * CELLS];
	cloth_data data = cloth_get_data(c);
	for (int i = 0; i < data.particle_count && i < 8 * CELLS * CELLS; ++i)
		positions[i] = rbl_to_d(data.positions[i]);
	for (int i = 0; i <= data.triangle_count; ++i)
		starts[i] = 3 * i;
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = (rbl_mesh_data){ .vertex_count = data.particle_count,
		                        .positions = positions,
		                        .face_count = data.triangle_count,
		                        .face_starts = starts,
		                        .corner_count = 3 * data.triangle_count,
		                        .corner_vertices = data.triangles };
	rbl_mesh *mesh = NULL;
	show_check(s, rbl_create_mesh(&def, &mesh) == RBL_OK, "no mesh of the sheet");
	if (s->failed)
		return;
	int index = show_mesh(s, mesh, LINEN, false);
	if (*object >= 0)
		rbl_film_remove(s->film, *object);
	show_check(s, rbl_film_add_object(s->film, index, show_at(0.0f, 0.0f, 0.0f), object) == RBL_OK,
	           "the sheet is not shown");
}

// A floor, bricks, and the splinter: a thin stake between them.
static void build(show *s)
{
	show_add_box(s, show_body_def(RBL_BODY_STATIC, show_at(0.0f, -0.5f, 0.0f), 1000.0f),
	             (rbl_vec3){ 6.0f, 0.5f, 6.0f }, (rbl_vec3){ 0.3f, 0.3f, 0.3f });
	for (int i = 0; i < 60; ++i) {
		// A heap of bricks that fall where they fall.
		float x = 0.23f * (float)(i % 6) - 0.6f, z = 0.15f * (float)(i / 6 % 5) - 0.3f;
		if (fabsf(x - 0.05f) < 0.16f && fabsf(z) < 0.12f)
			continue; // the splinter is there
		rbl_transform pose = show_at(x, 0.15f + 0.16f * (float)(i / 15), z);
		pose.rotation = show_turn_z(
			(rbl_vec3){ 0.3f * (float)(i % 7) - 0.9f, 0.2f * (float)(i % 5) - 0.4f, 1.0f });
		show_add_box(s, show_body_def(RBL_BODY_DYNAMIC, pose, 1800.0f),
		             (rbl_vec3){ 0.1f, 0.035f, 0.06f }, BRICK);
	}
	rbl_collider_def stake = rbl_default_collider_def(RBL_COLLIDER_CONE);
	stake.radius = 0.03f, stake.b = (rbl_vec3){ 0.0f, 0.9f, 0.0f };
	rbl_cylinder_def look = rbl_default_cylinder_def();
	rbl_mesh *mesh = NULL;
	look.radius = 0.015, look.height = 0.8;
	show_check(s, rbl_create_cylinder_mesh(&look, &mesh) == RBL_OK, "no splinter");
	show_add_shape(s, show_body_def(RBL_BODY_STATIC, show_at(0.05f, 0.0f, 0.0f), 600.0f), &stake,
	               NULL, WOOD);
	rbl_body_def seen = show_body_def(RBL_BODY_STATIC, show_at(0.05f, 0.4f, 0.0f), 600.0f);
	int index = show_mesh(s, mesh, WOOD, false), object;
	show_check(s, rbl_film_add_object(s->film, index, seen.pose, &object) == RBL_OK, "not shown");
}

int main(int argc, char **argv)
{
	static show s;
	const char *path = argc > 1 ? argv[1] : "cloth_on_rubble.glb";
	show_open(&s, "cloth_on_rubble", argc > 2 ? atoi(argv[2]) : 1);
	build(&s);
	cloth *c = NULL;
	cloth_def def = cloth_default_def();
	def.jobs = s.jobs;
	if (!s.failed)
		show_check(&s, cloth_create(&def, s.world, &c) == RBL_OK, "no cloth");
	cloth_sheet_def sheet = cloth_default_sheet_def();
	sheet.pose.position = (rbl_vec3){ 0.0f, 1.3f, 0.0f };
	sheet.size[0] = sheet.size[1] = 1.6f;
	sheet.cells[0] = sheet.cells[1] = CELLS;
	sheet.density = 1.2f; // wet
	sheet.tear_strain = 0.15f;
	int object = -1, touching = 0;
	while (s.step < STEPS && show_step(&s)) {
		if (s.step == FALL)
			show_check(&s, cloth_add_sheet(c, &sheet, NULL) == RBL_OK, "no sheet");
		if (!s.failed)
			show_check(&s, cloth_step(c, SHOW_DT) == RBL_OK, "the cloth failed");
		touching += cloth_get_stats(c).contact_count > 0;
		if (s.step >= FALL && (s.step - FALL) % 2 == 0)
			show_cloth(&s, c, &object);
	}
	cloth_stats stats = cloth_get_stats(c);
	show_check(&s, touching > 20, "the sheet touches nothing");
	show_check(&s, stats.tear_count > 0, "the splinter does not tear it");
	cloth_data data = cloth_get_data(c);
	for (int i = 0; i < data.particle_count; ++i)
		show_check(&s, data.positions[i].y > -0.001f, "the sheet is below the floor");
	if (!s.failed)
		printf("a sheet of %d triangles, torn at %d places, cloth %016llx\n", data.triangle_count,
		       stats.tear_count, (unsigned long long)cloth_hash(c));
	show_picture(&s, path, (float)STEPS * SHOW_DT, (rbl_vec3){ 0.7f, 0.55f, 1.0f },
	             (rbl_vec3){ -1.0f, 0.0f, -1.0f }, (rbl_vec3){ 1.0f, 1.0f, 1.0f });
	cloth_destroy(c);
	return show_close(&s, path);
}
