// SPDX-License-Identifier: MIT
//
// The physics data of `rubble run`: every body of the film when it appears, and the joints that the
// scene begins with.

#include "run.h"

#include "array.h"
#include "errors.h"

#include <stdlib.h>

enum { MAX_BONDS = 512 }; // of a part

int begin_run_physics(simulation *s)
{
	const run_options *options = s->options;
	if (begin_physics(&s->physics, options->physics, options->output) != STATUS_OK)
		return STATUS_FAILED;
	begin_physics_list(&s->physics, "materials");
	for (int i = 0; i < s->scene.material_count; ++i) {
		const scene_material *of = &s->scene.materials[i];
		rbl_material_values values = rbl_default_material_values();
		values.density = (float)of->density, values.friction = (float)of->friction;
		values.restitution = (float)of->restitution;
		put_physics_material(&s->physics, of->name, &values);
	}
	end_physics_list(&s->physics);
	begin_physics_list(&s->physics, "bodies");
	return STATUS_OK;
}

static void put_model(physics_file *to, const scene_prefab *prefab)
{
	const scene_model *model = prefab->model;
	switch (model->kind) {
	case SCENE_BOX:
		put_physics_box(to, model->size, model->rounding);
		break;
	case SCENE_SPHERE:
		put_physics_ball(to, model->radius);
		break;
	case SCENE_STONE:
		put_physics_points(to, prefab->mesh);
		break;
	case SCENE_CYLINDER:
	case SCENE_CONE:
		put_physics_round(to, model->kind == SCENE_CONE ? "cone" : "cylinder", model->radius,
		                  model->length, model->axis);
		break;
	case SCENE_PLANE:
		put_physics_plane(to, model->size);
		break;
	default:
		put_physics_mesh(to);
	}
}

// Convexes of a compound in the order of its parts, and bonds between them by their place there.
static rbl_result put_compound(simulation *s, const scene_object *of, const rbl_compound *compound)
{
	const rbl_vec3d origin = { 0.0, 0.0, 0.0 };
	int end = rbl_compound_get_info(compound).part_end, count = 0;
	int *places = malloc((size_t)end * sizeof *places + 1);
	if (!places)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < end; ++i) {
		rbl_compound_part part = rbl_compound_get_part(compound, i);
		places[i] = part.convex ? count++ : -1;
		const rbl_material *material = rbl_compound_get_material(compound, part.material);
		int number = (int)(scene_material_of(s, material, of) - s->scene.materials);
		if (part.convex)
			put_physics_convex(&s->physics, part.convex, origin,
			                   number == of->material ? -1 : number, part.is_anchored);
	}
	end_physics_colliders(&s->physics);
	for (int i = 0; i < end; ++i) {
		rbl_compound_bond bonds[MAX_BONDS];
		int bond_count = places[i] >= 0 ? rbl_compound_get_bonds(compound, i, bonds, MAX_BONDS) : 0;
		for (int k = 0; k < bond_count && k < MAX_BONDS; ++k)
			if (bonds[k].other > i)
				put_physics_bond(&s->physics, places[i], places[bonds[k].other], bonds[k].area,
				                 bonds[k].centre, bonds[k].strength);
	}
	free(places);
	return RBL_OK;
}

rbl_result put_run_body(simulation *s, const scene_object *of, const char *name)
{
	if (!s->physics.file)
		return RBL_OK;
	rbl_body_state state = rbl_body_get_state(s->world, of->body);
	rbl_body_mass mass = rbl_body_get_mass(s->world, of->body);
	const rbl_compound *compound = rbl_body_get_compound(s->world, of->body);
	char parent[300];
	object_name(s, of->root, parent, sizeof parent);
	physics_body body = { .name = name,
		                  .parent = of->fragment > 0 ? parent : NULL,
		                  .kind = state.kind,
		                  .birth = (double)rbl_film_get_info(s->film).time,
		                  .material = of->material,
		                  .pose = state.pose,
		                  .velocity = state.velocity,
		                  .angular_velocity = state.angular_velocity,
		                  .mass = (double)mass.mass,
		                  .centre = rbl_to_d(mass.centre),
		                  .inertia = { rbl_to_d(mass.inertia.x), rbl_to_d(mass.inertia.y),
		                               rbl_to_d(mass.inertia.z) } };
	begin_physics_body(&s->physics, &body);
	rbl_result result = RBL_OK;
	if (compound) {
		result = put_compound(s, of, compound);
	} else {
		put_model(&s->physics, &s->prefabs.prefabs[of->prefab]);
		end_physics_colliders(&s->physics);
	}
	end_physics_body(&s->physics);
	return result;
}

rbl_result keep_joint(simulation *s, const rbl_joint_def *def)
{
	if (!s->physics.file)
		return RBL_OK;
	if (!ARRAY_RESERVE(s->joints, s->joint_capacity, s->joint_count + 1))
		return RBL_OUT_OF_MEMORY;
	s->joints[s->joint_count++] =
		(kept_joint){ *def, find_object(s, def->body_a), find_object(s, def->body_b) };
	return RBL_OK;
}

int end_run_physics(simulation *s)
{
	end_physics_list(&s->physics);
	begin_physics_list(&s->physics, "joints");
	for (int i = 0; i < s->joint_count; ++i) {
		const kept_joint *joint = &s->joints[i];
		char a[300], b[300];
		if (joint->object_a < 0 || joint->object_b < 0)
			continue;
		object_name(s, joint->object_a, a, sizeof a);
		object_name(s, joint->object_b, b, sizeof b);
		put_physics_joint(&s->physics, &joint->def, a, b);
	}
	end_physics_list(&s->physics);
	return end_physics(&s->physics);
}
