// SPDX-License-Identifier: MIT
//
// Materials of a scene as the library has them, and which of them the slots of a mesh are made of.
//
// A slot is made of what the model says under `materials`. Else, in files, of the material of the
// scene that is called as the slot; else of the preset that its name has among its words, or of the
// scene's material that is called as that preset; else of what the instance says. Where all of a
// mesh is made of one material, its bodies are; where it is not, its parts are.

#include "scene_prefabs.h"

#include "errors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

rbl_mesh_material mesh_material_of(const scene_material *material)
{
	rbl_mesh_material drawn = {
		.base_color = { (float)material->color[0], (float)material->color[1],
		                (float)material->color[2], (float)material->opacity },
		.metallic = (float)material->metallic,
		.roughness = (float)material->surface_roughness
	};
	snprintf(drawn.name, sizeof drawn.name, "%.30s", material->name);
	return drawn;
}

// --- materials ----------------------------------------------------------------------------------

static rbl_material_values values_of(const scene_material *m)
{
	return (rbl_material_values){ .friction = (float)m->friction,
		                          .restitution = (float)m->restitution,
		                          .density = (float)m->density,
		                          .rolling_resistance = (float)m->rolling_resistance,
		                          .spinning_resistance = (float)m->spinning_resistance,
		                          .surface_velocity = { (float)m->surface_velocity[0],
		                                                (float)m->surface_velocity[1],
		                                                (float)m->surface_velocity[2] },
		                          .user = m->user };
}

// How the pattern lies in a body, and what cut faces are like.
static void set_pattern_frame(const scene_material *m, rbl_material_def *def)
{
	rbl_vec3d axis = rbl_normalize_d((rbl_vec3d){ m->frame[0], m->frame[1], m->frame[2] });
	const double *s = m->pattern_shape, *scale = m->pattern_scale;
	def->placement = (rbl_pattern_placement)m->placement;
	def->frame = rbl_quat_from_axis_angle_d(axis, m->frame[3] * 3.14159265358979323846 / 180.0);
	def->frame_origin = (rbl_vec3d){ m->frame_origin[0], m->frame_origin[1], m->frame_origin[2] };
	def->shape = (rbl_mat3d){ { scale[0] * s[0], s[3], s[6] },
		                      { s[1], scale[1] * s[4], s[7] },
		                      { s[2], s[5], scale[2] * s[8] } }; // of columns
	def->inner.material = m->inner_material;
	def->inner.uv_scale = m->uv_scale;
	def->inner.uv_offset = (rbl_vec2){ (float)m->uv_offset[0], (float)m->uv_offset[1] };
	def->inner.uv_seed = m->uv_seed;
	def->inner.atlas_lower = (rbl_vec2){ (float)m->atlas[0], (float)m->atlas[1] };
	def->inner.atlas_upper = (rbl_vec2){ (float)m->atlas[2], (float)m->atlas[3] };
	if (m->paints_inner)
		def->inner.color = (rbl_vec4){ (float)m->inner_color[0], (float)m->inner_color[1],
			                           (float)m->inner_color[2], (float)m->opacity };
	def->inner.roughness = m->roughness, def->inner.rough_step = m->rough_step;
	def->fit = (rbl_fit)m->fit;
	def->welds = m->welds, def->cut_limit = m->cut_limit;
}

static void set_rule(const scene_material *m, rbl_material_def *def)
{
	rbl_damage_rule *rule = &def->damage;
	if (m->radius_limit > 0.0)
		rule->radius_limit = m->radius_limit;
	rule->min_size = m->min_size;
	rule->dust_size = m->dust_size;
	rule->bend_energy = m->bend_energy, rule->bend_depth = m->bend_depth;
	rule->bend_radius = m->bend_radius;
	rule->wear_energy = m->wear_energy, rule->wear_radius = m->wear_radius;
	rule->wear_exponent = m->wear_exponent;
	rule->bond_energy = m->bond_energy;
	def->strengths = (rbl_bond_strengths){ m->bond_tension, m->bond_shear, m->bond_compression };
}

static void set_debris(const scene_material *m, rbl_material_def *def)
{
	const scene_debris *debris = &m->debris;
	def->debris = (rbl_debris_rule){ .kind = (rbl_debris_kind)debris->kind,
		                             .density = debris->density,
		                             .min_radius = debris->min_radius,
		                             .max_radius = debris->max_radius,
		                             .limit = debris->limit,
		                             .lifetime = (float)debris->lifetime,
		                             .speed = (float)debris->speed,
		                             .dust_density = debris->dust_density };
}

rbl_pattern_def pattern_of_level(const scene_level *from)
{
	rbl_pattern_def def = rbl_default_pattern_def();
	rbl_pattern_def *p = &def;
	p->kind = (rbl_pattern_kind)from->pattern;
	p->size = (rbl_vec3d){ from->size[0], from->size[1], from->size[2] };
	p->cell_count = from->cell_count;
	p->focus = from->focus;
	p->ring_count = from->ring_count, p->spoke_count = from->spoke_count;
	p->jitter = from->jitter;
	p->brick_size = (rbl_vec3d){ from->brick_size[0], from->brick_size[1], from->brick_size[2] };
	p->bond = (rbl_brick_bond)from->bond;
	p->stretch = from->stretch;
	p->seed = from->seed;
	return def;
}

static rbl_preset_level level_of(const scene_level *from)
{
	return (rbl_preset_level){ .energy = from->energy,
		                       .radius = from->radius,
		                       .pattern = pattern_of_level(from) };
}

rbl_result make_material(scene_prefabs *prefabs, int index)
{
	const scene_material *material = &prefabs->scene->materials[index];
	if (prefabs->materials[index])
		return RBL_OK;
	rbl_preset_def def = rbl_default_preset_def(RBL_PRESET_CONCRETE);
	def.material = rbl_default_material_def();
	def.material.name = material->name;
	def.material.values = values_of(material);
	def.level_count = material->level_count;
	for (int k = 0; k < material->level_count; ++k)
		def.levels[k] = level_of(&material->levels[k]);
	if (material->level_count > 0 || material->bend_energy > 0.0 || material->bond_tension > 0.0 ||
	    material->bond_energy > 0.0)
		set_rule(material, &def.material);
	set_debris(material, &def.material);
	set_pattern_frame(material, &def.material);
	return rbl_create_preset_material(&def, &prefabs->materials[index]);
}

// --- slots --------------------------------------------------------------------------------------

// Names of slots that a mesh has are cut short.
static bool is_slot(const char *slot, const char *name)
{
	return strncmp(slot, name, RBL_MATERIAL_NAME_LENGTH - 1) == 0;
}

int material_of_slot(const scene_file *scene, const scene_model *model, const char *slot)
{
	for (int i = 0; i < model->slot_count; ++i)
		if (is_slot(slot, model->slots[i].name))
			return model->slots[i].material;
	if (!model->matches_names || model->kind != SCENE_FILE)
		return -1;
	for (int i = 0; i < scene->material_count; ++i)
		if (!scene->materials[i].is_preset && is_slot(slot, scene->materials[i].name))
			return i;
	const char *preset = rbl_preset_name(rbl_preset_of_name(slot));
	for (int i = 0; i < scene->material_count && *preset; ++i)
		if (strcmp(scene->materials[i].name, preset) == 0)
			return i;
	return -1;
}

rbl_result check_slots(const scene_model *model, rbl_mesh *const *meshes, int mesh_count)
{
	for (int i = 0; i < model->slot_count; ++i) {
		char names[300] = "", text[500];
		bool is_there = false;
		for (int k = 0; k < mesh_count; ++k) {
			rbl_mesh_data data = rbl_mesh_get_data(meshes[k]);
			for (int m = 0; m < data.material_count; ++m) {
				size_t used = strlen(names);
				is_there |= is_slot(data.materials[m].name, model->slots[i].name);
				if (!strstr(names, data.materials[m].name))
					snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
					         data.materials[m].name);
			}
		}
		if (is_there)
			continue;
		snprintf(text, sizeof text, "materials.%s: the mesh has no slot of that name; it has %s",
		         model->slots[i].name, *names ? names : "none");
		rbl_log_text(RBL_LOG_ERROR, text);
		return RBL_BAD_ARGUMENT;
	}
	return RBL_OK;
}

// Note a material in the table of a prefab.
static rbl_result set_entry(scene_prefabs *prefabs, scene_prefab *prefab, int entry, int material)
{
	if (material < 0)
		return RBL_OK;
	rbl_result result = make_material(prefabs, material);
	prefab->table[entry] = prefabs->materials[material];
	prefab->slots_break |= yields_to_hits(&prefabs->scene->materials[material], prefab->model);
	return result;
}

rbl_result find_slot_materials(scene_prefabs *prefabs, const scene_model *model,
                               scene_prefab *prefab)
{
	rbl_mesh_data data = rbl_mesh_get_data(prefab->mesh);
	int first = -1;
	bool is_mixed = false;
	prefab->material = -1;
	if (data.material_count == 0)
		return RBL_OK;
	prefab->table = calloc((size_t)data.material_count, sizeof *prefab->table);
	bool *is_used = calloc((size_t)data.material_count, sizeof *is_used);
	rbl_result result = prefab->table && is_used ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (int f = 0; f < data.face_count && result == RBL_OK; ++f)
		is_used[data.face_materials ? data.face_materials[f] : 0] = true;
	for (int i = 0, k = 0; i < data.material_count && result == RBL_OK; ++i) {
		if (!is_used[i])
			continue;
		int material = material_of_slot(prefabs->scene, model, data.materials[i].name);
		is_mixed |= k++ > 0 && material != first;
		first = material;
		result = set_entry(prefabs, prefab, i, material);
	}
	free(is_used);
	if (is_mixed && result == RBL_OK) {
		prefab->table_count = data.material_count;
		return RBL_OK;
	}
	free(prefab->table);
	prefab->table = NULL, prefab->slots_break = false;
	prefab->material = first;
	return result;
}

rbl_result find_box_materials(scene_prefabs *prefabs, const scene_model *model,
                              scene_prefab *prefab)
{
	prefab->material = -1;
	prefab->table = calloc((size_t)model->boxes_count + 1, sizeof *prefab->table);
	if (!prefab->table)
		return RBL_OUT_OF_MEMORY;
	rbl_result result = RBL_OK;
	bool has_any = false;
	for (int i = 0; i < model->boxes_count && result == RBL_OK; ++i) { // 0 is as the instance
		has_any |= model->boxes[i].material >= 0;
		result = set_entry(prefabs, prefab, i + 1, model->boxes[i].material);
	}
	prefab->table_count = model->boxes_count + 1;
	if (!has_any) {
		free(prefab->table);
		prefab->table = NULL, prefab->table_count = 0;
	}
	return result;
}
