// SPDX-License-Identifier: MIT
//
// Scenes of `rubble run` in a page: the same reader, the same world, the same step, so that the state
// after any step has the bits that the program prints.

#include "module.h"

#include "errors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCENE_FILM = 1, SCENE_RECORDING = 2 };

JS_API js_scene *js_open_scene(const char *path, int flags);
JS_API void js_close_scene(js_scene *scene);
JS_API rbl_result js_scene_step(js_scene *scene);
JS_API rbl_world *js_scene_world(js_scene *scene);
JS_API double js_scene_time_step(const js_scene *scene);
JS_API int js_scene_step_count(const js_scene *scene);
JS_API int js_scene_step_index(const js_scene *scene);
JS_API int js_scene_add_trigger(js_scene *scene, const char *text, size_t size);
JS_API js_triangles *js_scene_triangles(js_scene *scene, rbl_body_id *body);
JS_API js_bytes *js_scene_film(js_scene *scene);
JS_API js_bytes *js_scene_recording(js_scene *scene);
JS_API bool js_scene_is_holding(const js_scene *scene);
JS_API uint64_t js_scene_hash(const js_scene *scene);
JS_API js_cloth *js_scene_cloth(const js_scene *scene);
JS_API double js_scene_cloth_color(const js_scene *scene, int sheet, int channel);

static int open_scene(js_scene *scene, int flags)
{
	simulation *s = &scene->simulation;
	s->options = &scene->options;
	scene->options.scene = scene->path;
	int status = read_scene(scene->path, true, &s->scene);
	if (status == STATUS_OK)
		status = make_prefabs(&s->scene, scene->path, NULL, &s->prefabs);
	if (status != STATUS_OK)
		return status;
	rbl_result result = create_scene_world(s);
	if (result == RBL_OK && flags & SCENE_FILM)
		result = begin_film(s);
	scene->is_recording = (flags & SCENE_RECORDING) != 0;
	if (result == RBL_OK && scene->is_recording)
		result = js_record(s->world, &scene->recorded);
	return result == RBL_OK ? add_scene(s, scene->path) : fail_with(result, scene->path);
}

// @return NULL on failure
js_scene *js_open_scene(const char *path, int flags)
{
	js_scene *scene = calloc(1, sizeof *scene);
	if (!scene) {
		fail("out of memory");
		return NULL;
	}
	snprintf(scene->path, sizeof scene->path, "%s", path);
	if (open_scene(scene, flags) == STATUS_OK)
		return scene;
	js_close_scene(scene);
	return NULL;
}

void js_close_scene(js_scene *scene)
{
	if (!scene)
		return;
	simulation *s = &scene->simulation;
	rbl_destroy_world(s->world);
	end_stage(s);
	free(s->first_objects);
	rbl_destroy_film(s->film);
	for (int i = 0; i < s->object_count; ++i)
		free_object(&s->objects[i]);
	if (s->prefabs.scene)
		free_prefabs(&s->prefabs);
	free_scene(&s->scene);
	free(s->film_meshes);
	free(s->looks);
	free(s->chip_meshes);
	free(s->objects);
	free(s->object_of);
	free(s->moves);
	free(scene->recorded.data);
	free(scene);
}

rbl_result js_scene_step(js_scene *scene)
{
	simulation *s = &scene->simulation;
	rbl_result result = step_scene(s);
	if (result == RBL_OK)
		result = film_step(s, false);
	if (result == RBL_OK)
		s->step++;
	return result;
}

rbl_world *js_scene_world(js_scene *scene)
{
	return scene->simulation.world;
}

double js_scene_time_step(const js_scene *scene)
{
	return scene->simulation.scene.dt;
}

int js_scene_step_count(const js_scene *scene)
{
	return scene->simulation.scene.step_count;
}

int js_scene_step_index(const js_scene *scene)
{
	return scene->simulation.step;
}

// @return 0 if it was added
int js_scene_add_trigger(js_scene *scene, const char *text, size_t size)
{
	return add_trigger(&scene->simulation, text, size);
}

bool js_scene_is_holding(const js_scene *scene)
{
	return rbl_body_exists(scene->simulation.world, scene->simulation.held);
}

uint64_t js_scene_hash(const js_scene *scene)
{
	return run_hash(&scene->simulation);
}

// @return its sheets until the next call, NULL: it has none
js_cloth *js_scene_cloth(const js_scene *scene)
{
	static js_cloth out;
	if (!scene->simulation.cloth)
		return NULL;
	cloth_data data = cloth_get_data(scene->simulation.cloth);
	out = (js_cloth){ .positions = data.positions,
		              .starts = data.starts,
		              .sheets = data.particle_sheets,
		              .triangles = data.triangles,
		              .particle_count = data.particle_count,
		              .triangle_count = data.triangle_count,
		              .sheet_count = data.sheet_count };
	return &out;
}

double js_scene_cloth_color(const js_scene *scene, int sheet, int channel)
{
	return scene->simulation.scene.cloths[sheet].color[channel];
}

// The instance that an object came from; -1 for what was thrown in.
static int instance_of(const simulation *s, int object)
{
	for (int i = 0; i < s->scene.instance_count; ++i)
		if (object >= s->first_objects[i] && object < s->first_objects[i + 1])
			return i;
	return -1;
}

// The mesh of a body that cannot break: that of its prefab.
static const rbl_mesh *whole_mesh(const simulation *s, int object)
{
	const char *name = s->objects[object].name;
	int instance = instance_of(s, object), model = -1;
	if (instance >= 0) {
		model = s->scene.instances[instance].model;
	} else { // thrown in: it has the name of its model
		for (int i = 0; i < s->scene.model_count && model < 0; ++i) {
			size_t length = strlen(s->scene.models[i].name);
			if (name && strncmp(name, s->scene.models[i].name, length) == 0 &&
			    (name[length] == '\0' || name[length] == '.'))
				model = i;
		}
	}
	if (model < 0)
		return NULL;
	int first = s->prefabs.first_prefab[model], count = s->prefabs.first_prefab[model + 1] - first;
	int number = instance >= 0 && count > 0 ? (object - s->first_objects[instance]) % count : 0;
	return count > 0 ? s->prefabs.prefabs[first + number].mesh : NULL;
}

static js_look look_of(const simulation *s, const scene_object *of, const rbl_material *material)
{
	const scene_material *made_of = scene_material_of(s, material, of);
	return (js_look){ mesh_material_of(made_of).base_color, inner_look(of, made_of).base_color,
		              of->has_scene_material, false };
}

// What a body looks like: with the colors of its material, or of the file it came from.
js_triangles *js_scene_triangles(js_scene *scene, rbl_body_id *body)
{
	simulation *s = &scene->simulation;
	js_triangles *out = js_begin_triangles();
	int index = find_object(s, *body);
	if (index < 0)
		return out;
	const scene_object *of = &s->objects[index];
	const rbl_compound *compound = rbl_body_get_compound(s->world, *body);
	int instance = instance_of(s, of->root),
		end = compound ? rbl_compound_get_info(compound).part_end : 0;
	out->is_hidden = instance >= 0 && s->scene.instances[instance].is_hidden;
	rbl_result result = RBL_OK;
	for (int i = 0; i < end && result == RBL_OK; ++i) {
		rbl_compound_part part = rbl_compound_get_part(compound, i);
		js_look look = look_of(s, of, rbl_compound_get_material(compound, part.material));
		if (part.convex)
			result = js_append_part(out, compound, i, &look);
	}
	const rbl_mesh *mesh = !compound && of->fragment == 0 ? whole_mesh(s, index) : NULL;
	js_look look = look_of(s, of, NULL);
	if (mesh)
		result = js_append_triangles(out, mesh, &look);
	return result == RBL_OK ? out : NULL;
}

// The film as a .glb file. @return NULL on failure
js_bytes *js_scene_film(js_scene *scene)
{
	simulation *s = &scene->simulation;
	rbl_write_def def = rbl_default_write_def();
	rbl_file_bytes bytes = { 0 };
	def.format = RBL_FORMAT_GLTF;
	js_bytes *file = calloc(1, sizeof *file);
	rbl_result result = s->film ? rbl_write_film_memory(s->film, &def, &bytes) : RBL_UNSUPPORTED;
	bool is_kept = file && result == RBL_OK && js_append(file, bytes.data, bytes.size);
	rbl_free_bytes(&bytes);
	if (is_kept)
		return file;
	free(file);
	fail_with(result == RBL_OK ? RBL_OUT_OF_MEMORY : result, "film");
	return NULL;
}

// End the recording. @return its bytes; NULL on failure
js_bytes *js_scene_recording(js_scene *scene)
{
	if (!scene->is_recording || rbl_world_end_recording(scene->simulation.world) != RBL_OK) {
		fail("the scene is not recorded");
		return NULL;
	}
	js_bytes *file = malloc(sizeof *file);
	if (file)
		*file = scene->recorded;
	scene->recorded = (js_bytes){ 0 };
	scene->is_recording = false;
	return file;
}
