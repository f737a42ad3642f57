// SPDX-License-Identifier: MIT
// What meshes are made of, by options: --preset for all, --material for slots.

#include "material_options.h"

#include "errors.h"

#include <rubble/vec.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int find_preset(const command *self, const char *from, const char *name, int *preset)
{
	char all[200] = "";
	for (int i = 0; i < RBL_PRESET_COUNT; ++i) {
		const char *one = rbl_preset_name((rbl_preset)i);
		snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", one);
		*preset = i;
		if (strcmp(one, name) == 0)
			return STATUS_OK;
	}
	return fail_usage(self, "--%s: there is no preset '%s', but %s", from, name, all);
}

int read_slot_presets(const command *self, const char *preset, const char *materials,
                      slot_presets *out)
{
	*out = (slot_presets){ .preset = -1 };
	int status = preset ? find_preset(self, "preset", preset, &out->preset) : STATUS_OK;
	for (const char *at = materials; at && *at && status == STATUS_OK;) {
		size_t length = strcspn(at, ",");
		const char *equals = memchr(at, '=', length);
		char name[40];
		if (!equals || equals == at)
			return fail_usage(self, "--material: '%.*s' is not SLOT=PRESET", (int)length, at);
		if (out->count == MAX_SLOT_PRESETS)
			return fail_usage(self, "--material: more than %d slots", MAX_SLOT_PRESETS);
		snprintf(name, sizeof name, "%.*s", (int)(at + length - equals - 1), equals + 1);
		snprintf(out->names[out->count], sizeof out->names[0], "%.*s", (int)(equals - at), at);
		status = find_preset(self, "material", name, &out->presets[out->count++]);
		at += length + (at[length] == ',');
	}
	return status;
}

bool has_presets(const slot_presets *presets)
{
	return presets->preset >= 0 || presets->count > 0;
}

static int preset_of_slot(const slot_presets *presets, const char *slot)
{
	for (int i = 0; i < presets->count; ++i)
		if (strcmp(presets->names[i], slot) == 0)
			return presets->presets[i];
	return presets->preset;
}

static double face_area(const rbl_mesh_data *d, int f)
{
	rbl_vec3d sum = { 0.0, 0.0, 0.0 }, o = d->positions[d->corner_vertices[d->face_starts[f]]];
	for (int k = d->face_starts[f] + 1; k + 1 < d->face_starts[f + 1]; ++k) {
		rbl_vec3d a = rbl_sub_d(d->positions[d->corner_vertices[k]], o);
		rbl_vec3d b = rbl_sub_d(d->positions[d->corner_vertices[k + 1]], o);
		sum = rbl_add_d(sum, rbl_cross_d(a, b));
	}
	return rbl_length_d(sum);
}

int preset_of_mesh(const slot_presets *presets, const rbl_mesh *mesh, int usual)
{
	rbl_mesh_data d = rbl_mesh_get_data(mesh);
	double areas[RBL_PRESET_COUNT + 1] = { 0.0 }; // the first is of none
	if (presets->count == 0 || d.material_count == 0)
		return presets->preset;
	for (int f = 0; f < d.face_count; ++f) {
		const char *name = d.materials[d.face_materials ? d.face_materials[f] : 0].name;
		if (strcmp(name, "inner") != 0)
			areas[1 + preset_of_slot(presets, name)] += face_area(&d, f);
	}
	int best = 0;
	for (int i = 1; i <= RBL_PRESET_COUNT; ++i)
		best = areas[i] > areas[best] ? i : best;
	return areas[best] > 0.0 ? best - 1 : usual;
}

int check_slot_names(const slot_presets *presets, const rbl_mesh *const *meshes, int count)
{
	for (int i = 0; i < presets->count; ++i) {
		bool is_there = false;
		char names[300] = "";
		for (int k = 0; k < count; ++k) {
			rbl_mesh_data d = rbl_mesh_get_data(meshes[k]);
			for (int m = 0; m < d.material_count; ++m) {
				size_t used = strlen(names);
				is_there |= strcmp(d.materials[m].name, presets->names[i]) == 0;
				if (!strstr(names, d.materials[m].name))
					snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
					         d.materials[m].name);
			}
		}
		if (!is_there)
			return fail("--material: there is no slot '%s'; there is %s", presets->names[i],
			            *names ? names : "none");
	}
	return STATUS_OK;
}

rbl_result make_slot_materials(const slot_presets *presets, const rbl_mesh *mesh,
                               rbl_material ***materials, int *count)
{
	rbl_mesh_data d = rbl_mesh_get_data(mesh);
	int n = d.material_count > 0 ? d.material_count : 1;
	*materials = calloc((size_t)n, sizeof **materials);
	*count = *materials ? n : 0;
	rbl_result result = *materials ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (int i = 0; i < n && result == RBL_OK; ++i) {
		int preset =
			d.material_count > 0 ? preset_of_slot(presets, d.materials[i].name) : presets->preset;
		if (preset < 0)
			continue;
		rbl_preset_def def = rbl_default_preset_def((rbl_preset)preset);
		result = rbl_create_preset_material(&def, &(*materials)[i]);
	}
	return result;
}

void destroy_slot_materials(rbl_material **materials, int count)
{
	for (int i = 0; i < count; ++i)
		rbl_destroy_material(materials[i]);
	free(materials);
}
