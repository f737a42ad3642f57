// SPDX-License-Identifier: MIT
//
// Chips and dust in the film of `rubble run`. All chips of a shape, size and material share a mesh.
// Dust is puffs, one for each emitter and each fragment that turned to dust, up to a limit.

#include "run.h"

#include "array.h"
#include "asset_files.h"

#include <math.h>
#include <stdio.h>

enum { MAX_PUFFS = 20000, MAX_FRAGMENT_PUFFS = 24 };

static const float DUST_ALPHA = 0.3f;

static rbl_result add_chip_mesh(simulation *s, const chip_mesh *look,
                                const rbl_mesh_material *drawn, int *film_mesh)
{
	rbl_mesh *mesh = NULL;
	rbl_result result =
		rbl_create_chip_mesh(look->kind, look->variant, (double)look->radius, NULL, &mesh);
	if (result != RBL_OK)
		return result;
	rbl_mesh *painted = mesh_with_material(mesh, drawn, true, false);
	rbl_destroy_mesh(mesh);
	return painted ? rbl_film_add_mesh(s->film, painted, film_mesh) : RBL_OUT_OF_MEMORY;
}

// The film mesh of a chip or puff, which others like it share. @param drawn  if it is new
static rbl_result find_chip_mesh(simulation *s, chip_mesh look, const rbl_mesh_material *drawn,
                                 int *film_mesh)
{
	for (int i = 0; i < s->chip_mesh_count; ++i) {
		const chip_mesh *of = &s->chip_meshes[i];
		if (of->kind == look.kind && of->variant == look.variant && of->radius == look.radius &&
		    of->material == look.material && of->is_dust == look.is_dust) {
			*film_mesh = of->film_mesh;
			return RBL_OK;
		}
	}
	if (!ARRAY_RESERVE(s->chip_meshes, s->chip_mesh_capacity, s->chip_mesh_count + 1))
		return RBL_OUT_OF_MEMORY;
	rbl_result result = add_chip_mesh(s, &look, drawn, &look.film_mesh);
	if (result == RBL_OK)
		s->chip_meshes[s->chip_mesh_count++] = look;
	*film_mesh = look.film_mesh;
	return result;
}

rbl_result film_chips(simulation *s, const rbl_fracture_event *event, int parent)
{
	rbl_result result = RBL_OK;
	for (int i = 0; i < event->chip_count && result == RBL_OK; ++i) {
		const rbl_chip *chip = &event->chips[i];
		scene_object *made =
			rbl_body_exists(s->world, chip->body) ? add_object(s, chip->body) : NULL;
		if (!made && rbl_body_exists(s->world, chip->body))
			return RBL_OUT_OF_MEMORY;
		const scene_object *of = &s->objects[parent];
		if (!made || of->is_hidden)
			continue;
		made->material = of->material;
		const scene_material *material = scene_material_of(s, event->made_of, of);
		rbl_mesh_material drawn = inner_look(of, material);
		drawn.source = 0; // no texture coordinates
		int number = (int)(material - s->scene.materials);
		chip_mesh look = { chip->kind, chip->variant, chip->radius, number, false, -1 };
		int film_mesh;
		result = find_chip_mesh(s, look, &drawn, &film_mesh);
		if (result == RBL_OK)
			result = rbl_film_add_object(s->film, film_mesh, rbl_body_pose(s->world, chip->body),
			                             &made->film_object);
		s->chip_count++;
		const char *root = s->objects[s->objects[parent].root].name;
		char name[300];
		snprintf(name, sizeof name, "%s/chip %d", root ? root : "", s->chip_count);
		if (result == RBL_OK)
			result = rbl_film_set_name(s->film, made->film_object, name);
	}
	return result;
}

// Uniform from 0 to 1: apart from what the scene draws, so that dust changes nothing but the film.
static float random_share(simulation *s)
{
	s->dust_random = s->dust_random * 6364136223846793005u + 1442695040888963407u;
	return (float)(s->dust_random >> 40) / 16777216.0f;
}

// Dust goes with its place for a moment, off the face, and up.
static rbl_result add_puff(simulation *s, int mesh, rbl_vec3 at, rbl_vec3 velocity, rbl_vec3 normal,
                           float size, float lifetime)
{
	if (s->puff_count >= MAX_PUFFS)
		return RBL_OK;
	float carried = 0.25f * lifetime /
	                (1.0f + 0.1f * sqrtf(velocity.x * velocity.x + velocity.y * velocity.y +
	                                     velocity.z * velocity.z)),
		  off = size * (0.5f + random_share(s));
	rbl_vec3 to = { at.x + carried * velocity.x + off * normal.x,
		            at.y + carried * velocity.y + off * (normal.y + 0.5f),
		            at.z + carried * velocity.z + off * normal.z };
	s->puff_count++;
	return rbl_film_add_puff(s->film, mesh, at, to, size * (0.6f + 0.8f * random_share(s)),
	                         lifetime * (0.6f + 0.8f * random_share(s)));
}

rbl_result film_dust(simulation *s, const rbl_fracture_event *event, int parent)
{
	const scene_object *of = &s->objects[parent];
	const scene_material *material = scene_material_of(s, event->made_of, of);
	if (!(material->debris.dust_density > 0.0) || of->is_hidden)
		return RBL_OK;
	rbl_mesh_material drawn = inner_look(of, material);
	drawn.source = 0;
	rbl_vec4 solid = drawn.base_color; // powder is paler than the solid
	drawn.base_color = (rbl_vec4){ 0.5f + 0.5f * solid.x, 0.5f + 0.5f * solid.y,
		                           0.5f + 0.5f * solid.z, DUST_ALPHA };
	drawn.roughness = 1.0f, drawn.metallic = 0.0f;
	snprintf(drawn.name, sizeof drawn.name, "dust");
	chip_mesh look = {
		RBL_DEBRIS_SPHERES, 0, 1.0f, (int)(material - s->scene.materials), true, -1
	};
	int mesh;
	rbl_result result = find_chip_mesh(s, look, &drawn, &mesh);
	float size = (float)material->dust_radius, lifetime = (float)material->dust_lifetime;
	for (int i = 0; i < event->emitter_count && result == RBL_OK; ++i) {
		const rbl_dust_emitter *e = &event->emitters[i];
		result = add_puff(s, mesh, e->position, e->velocity, e->normal, size, lifetime);
	}
	for (int i = 0; i < event->dust_count && i < MAX_FRAGMENT_PUFFS && result == RBL_OK; ++i) {
		const rbl_dust_fragment *d = &event->dust[i];
		rbl_vec3 at = { (float)d->position.x, (float)d->position.y, (float)d->position.z };
		rbl_vec3 velocity = { (float)d->velocity.x, (float)d->velocity.y, (float)d->velocity.z };
		result = add_puff(s, mesh, at, velocity, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, size, lifetime);
	}
	return result;
}
