// SPDX-License-Identifier: MIT
// Breaks a column of stone and writes it as an animated .glb. The material makes the world shed chips
// and report dust from the faces that the break exposes; a renderer draws chips with the few meshes
// that all of them share, and dust as puffs.
//
//     debris [OUT.glb [WORKERS]]

#include "show.h"

enum { STEPS = 240, MAX_MESHES = 64 };

// A mesh of the film that chips of one shape and size share.
typedef struct chip_mesh {
	int variant, mesh;
	float radius;
} chip_mesh;

typedef struct shed {
	chip_mesh meshes[MAX_MESHES];
	int mesh_count, chip_count, puff_count;
	int dust; // the mesh of puffs
} shed;

static const rbl_vec3 STONE = { 0.66f, 0.61f, 0.53f }; // as the column's marble

static int mesh_of_chip(show *s, shed *d, const rbl_chip *chip)
{
	for (int i = 0; i < d->mesh_count; ++i)
		if (d->meshes[i].variant == chip->variant && d->meshes[i].radius == chip->radius)
			return d->meshes[i].mesh;
	rbl_mesh *mesh = NULL;
	if (!show_check(s,
	                d->mesh_count < MAX_MESHES &&
	                    rbl_create_chip_mesh(chip->kind, chip->variant, (double)chip->radius, NULL,
	                                         &mesh) == RBL_OK,
	                "no mesh for a chip"))
		return -1;
	d->meshes[d->mesh_count] =
		(chip_mesh){ chip->variant, show_mesh(s, mesh, STONE, false), chip->radius };
	return d->meshes[d->mesh_count++].mesh;
}

// Show what fell off in this step: bodies that the world has made, and places where dust comes from.
static void show_debris(show *s, shed *d)
{
	rbl_events events = rbl_world_get_events(s->world);
	for (int i = 0; i < events.fracture_count; ++i) {
		const rbl_fracture_event *e = &events.fractures[i];
		for (int k = 0; k < e->chip_count && !s->failed; ++k) {
			rbl_body_id body = e->chips[k].body;
			if (!rbl_body_exists(s->world, body) || body.index >= SHOW_MAX_BODIES)
				continue;
			int mesh = mesh_of_chip(s, d, &e->chips[k]);
			show_hide(s, body.index); // an index of what is gone
			if (!s->failed)
				show_check(s,
				           rbl_film_add_object(s->film, mesh, rbl_body_pose(s->world, body),
				                               &s->bodies[body.index].object) == RBL_OK,
				           "a chip is not shown");
			d->chip_count++;
		}
		for (int k = 0; k < e->emitter_count && !s->failed; ++k) {
			const rbl_dust_emitter *dust = &e->emitters[k];
			rbl_vec3 to = rbl_add_scaled(dust->position, 0.3f, dust->normal);
			to = rbl_add_scaled(to, 0.3f, dust->velocity);
			show_check(
				s, rbl_film_add_puff(s->film, d->dust, dust->position, to, 0.2f, 1.5f) == RBL_OK,
				"dust is not shown");
			d->puff_count++;
		}
	}
	for (int i = 0; i < events.retire_count; ++i) // chips do not last
		if (events.retires[i].what == RBL_RETIRED_EXPIRED &&
		    events.retires[i].body.index < SHOW_MAX_BODIES)
			show_hide(s, events.retires[i].body.index);
}

// Powder, paler than the stone.
static int make_dust(show *s)
{
	rbl_icosphere_def def = rbl_default_icosphere_def();
	def.subdivisions = 1;
	rbl_mesh *ball = NULL, *painted = NULL;
	rbl_mesh_material powder = { .name = "dust", .base_color = { 0.83f, 0.8f, 0.76f, 0.3f } };
	int mesh = -1;
	if (rbl_create_icosphere_mesh(&def, &ball) == RBL_OK) {
		rbl_mesh_def mesh_def = rbl_default_mesh_def();
		mesh_def.data = rbl_mesh_get_data(ball);
		mesh_def.data.materials = &powder, mesh_def.data.material_count = 1;
		mesh_def.data.face_materials = NULL;
		rbl_create_mesh(&mesh_def, &painted);
	}
	rbl_destroy_mesh(ball);
	show_check(s, painted && rbl_film_add_mesh(s->film, painted, &mesh) == RBL_OK, "no dust");
	return mesh;
}

// A material of stone that breaks fine, with many chips that outlast the film.
static rbl_material *make_marble(void)
{
	rbl_preset_def def = rbl_default_preset_def(RBL_PRESET_STONE);
	rbl_pattern_def *pattern = &def.levels[0].pattern;
	rbl_material *marble = NULL;
	def.level_count = 1;
	def.levels[0].radius = 0.45;
	pattern->kind = RBL_PATTERN_IMPACT;
	pattern->size = (rbl_vec3d){ 2.0, 2.0, 2.0 };
	pattern->cell_count = 150;
	def.material.debris.density = 300.0;
	def.material.debris.limit = 600;
	def.material.debris.max_radius = 0.04;
	def.material.debris.lifetime = 10.0f;
	def.material.debris.dust_density = 15.0;
	rbl_create_preset_material(&def, &marble);
	return marble;
}

static void add_column(show *s, rbl_body_id *body)
{
	rbl_column_def column = rbl_default_column_def();
	rbl_prepare_def prepare_def = rbl_default_prepare_def();
	rbl_mesh *mesh = NULL;
	rbl_asset *asset = NULL;
	rbl_material *marble = make_marble();
	rbl_body_def def = show_body_def(RBL_BODY_STATIC, show_at(0.0f, 0.0f, 0.0f), 2400.0f);
	prepare_def.node_count = 12;
	show_check(s,
	           marble && rbl_create_column_mesh(&column, &mesh) == RBL_OK &&
	               rbl_prepare(mesh, &prepare_def, &asset) == RBL_OK,
	           "no column");
	def.asset = asset;
	def.shared_material = marble;
	*body = show_add_body(s, &def, mesh, STONE, true);
	rbl_destroy_asset(asset); // bodies keep what they need
	rbl_destroy_material(marble);
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "debris.glb";
	static show s;
	static shed d;
	rbl_body_id column;
	show_open(&s, "debris", argc > 2 ? atoi(argv[2]) : 1);
	d.dust = s.failed ? -1 : make_dust(&s);
	rbl_body_def ground = show_body_def(RBL_BODY_STATIC, show_at(0.0f, -0.5f, 0.0f), 1.0f);
	show_add_box(&s, ground, (rbl_vec3){ 4.0f, 0.5f, 4.0f }, (rbl_vec3){ 0.3f, 0.31f, 0.32f });
	add_column(&s, &column);
	for (int i = 0; i < STEPS && !s.failed; ++i) {
		if (i == 10) // a blow from the right
			show_check(&s,
			           rbl_body_damage(s.world, column, (rbl_vec3){ 0.3f, 1.2f, 0.0f },
			                           (rbl_vec3){ -1.0f, 0.0f, 0.0f }, INFINITY,
			                           1000.0f) == RBL_OK,
			           "no blow");
		if (show_step(&s))
			show_debris(&s, &d);
	}
	show_check(&s, s.failed || (s.fragment_count > 0 && d.chip_count > 100 && d.puff_count > 0),
	           "nothing fell off");
	if (!s.failed)
		printf("%d fragments, %d chips of %d meshes, %d puffs of dust\n", s.fragment_count,
		       d.chip_count, d.mesh_count, d.puff_count);
	show_picture(&s, path, 0.7f, (rbl_vec3){ 0.8f, 0.3f, 0.9f }, (rbl_vec3){ -0.9f, 0.0f, -0.9f },
	             (rbl_vec3){ 1.2f, 2.2f, 0.9f });
	return show_close(&s, path);
}
