// SPDX-License-Identifier: MIT
//
// Snapshots of a scene: the world, and what its step needs besides. A scene goes back to one of its own
// only: prefabs stay as they are, and objects are only ever appended.

#include "module.h"

#include "errors.h"

#include <stdlib.h>
#include <string.h>

typedef struct js_snapshot {
	void *bytes, *cloth; // of the world, of its sheets
	size_t size, cloth_size;
	simulation state; // plain fields alone
	scene_object *objects;
	int *object_of, *trigger_counts;
	double *trigger_times, *motion_starts;
} js_snapshot;

JS_API js_snapshot *js_scene_save(js_scene *scene);
JS_API int js_scene_restore(js_scene *scene, const js_snapshot *snapshot);
JS_API void js_destroy_snapshot(js_snapshot *snapshot);
JS_API size_t js_snapshot_size(const js_snapshot *snapshot);

void js_destroy_snapshot(js_snapshot *snapshot)
{
	if (!snapshot)
		return;
	free(snapshot->bytes);
	free(snapshot->cloth);
	free(snapshot->objects);
	free(snapshot->object_of);
	free(snapshot->trigger_counts);
	free(snapshot->trigger_times);
	free(snapshot->motion_starts);
	free(snapshot);
}

size_t js_snapshot_size(const js_snapshot *snapshot)
{
	return snapshot->size + snapshot->cloth_size +
	       (size_t)snapshot->state.object_count * sizeof *snapshot->objects;
}

static void *copy(const void *from, size_t size)
{
	void *to = malloc(size + 1);
	if (to && size > 0)
		memcpy(to, from, size);
	return to;
}

static rbl_result save_cloths(const simulation *s, js_snapshot *snapshot)
{
	if (!s->cloth)
		return RBL_OK;
	rbl_result result = cloth_save(s->cloth, NULL, &snapshot->cloth_size);
	snapshot->cloth = malloc(snapshot->cloth_size + 1);
	if (!snapshot->cloth)
		return RBL_OUT_OF_MEMORY;
	return result == RBL_OK ? cloth_save(s->cloth, snapshot->cloth, &snapshot->cloth_size) : result;
}

// @return NULL on failure, and for a scene with a film, which cannot go back
js_snapshot *js_scene_save(js_scene *scene)
{
	const simulation *s = &scene->simulation;
	js_snapshot *snapshot = calloc(1, sizeof *snapshot);
	rbl_result result = snapshot ? RBL_OK : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK && (s->film || scene->is_recording))
		result = RBL_UNSUPPORTED;
	if (result == RBL_OK)
		result = rbl_world_save(s->world, NULL, &snapshot->size);
	if (result == RBL_OK) {
		size_t triggers = (size_t)s->scene.trigger_count,
			   instances = (size_t)s->scene.instance_count;
		snapshot->bytes = malloc(snapshot->size + 1);
		snapshot->state = *s;
		snapshot->objects = copy(s->objects, (size_t)s->object_count * sizeof *s->objects);
		snapshot->object_of = copy(s->object_of, (size_t)s->object_of_count * sizeof *s->object_of);
		snapshot->trigger_times = copy(s->trigger_times, triggers * sizeof *s->trigger_times);
		snapshot->trigger_counts = copy(s->trigger_counts, triggers * sizeof *s->trigger_counts);
		snapshot->motion_starts = copy(s->motion_starts, instances * sizeof *s->motion_starts);
		result = snapshot->bytes && snapshot->objects && snapshot->object_of &&
		                 snapshot->trigger_times && snapshot->trigger_counts &&
		                 snapshot->motion_starts
		             ? rbl_world_save(s->world, snapshot->bytes, &snapshot->size)
		             : RBL_OUT_OF_MEMORY;
	}
	if (result == RBL_OK)
		result = save_cloths(s, snapshot);
	if (result == RBL_OK)
		return snapshot;
	js_destroy_snapshot(snapshot);
	fail_with(result, "snapshot");
	return NULL;
}

static rbl_result load_world(const simulation *s, const js_snapshot *snapshot, rbl_world **world)
{
	rbl_world_def def = rbl_default_world_def();
	rbl_sources sources = rbl_default_sources();
	const rbl_asset **assets = malloc(((size_t)s->prefabs.prefab_count + 1) * sizeof *assets);
	if (!assets)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < s->prefabs.prefab_count; ++i)
		if (s->prefabs.prefabs[i].asset)
			assets[sources.asset_count++] = s->prefabs.prefabs[i].asset;
	sources.assets = assets;
	sources.materials = (const rbl_material *const *)s->prefabs.materials;
	sources.material_count = s->scene.material_count;
	rbl_result result = rbl_world_load(snapshot->bytes, snapshot->size, &def, &sources, world);
	free(assets);
	return result;
}

// @return 0 if the scene is as it was; triggers that were added since are gone
int js_scene_restore(js_scene *scene, const js_snapshot *snapshot)
{
	simulation *s = &scene->simulation;
	const simulation *from = &snapshot->state;
	rbl_world *world = NULL;
	cloth *sheets = NULL;
	rbl_result result = s->film || scene->is_recording ? RBL_UNSUPPORTED : RBL_OK;
	if (result == RBL_OK)
		result = load_world(s, snapshot, &world);
	if (result == RBL_OK && snapshot->cloth)
		result = load_cloths(s, snapshot->cloth, snapshot->cloth_size, world, &sheets);
	if (result != RBL_OK) {
		rbl_destroy_world(world);
		return fail_with(result, "snapshot");
	}
	cloth_destroy(s->cloth);
	rbl_destroy_world(s->world);
	s->world = world, s->cloth = sheets;
	for (int i = from->object_count; i < s->object_count; ++i)
		free_object(&s->objects[i]);
	s->object_count = from->object_count, s->object_of_count = from->object_of_count;
	s->scene.trigger_count = from->scene.trigger_count;
	size_t triggers = (size_t)s->scene.trigger_count, instances = (size_t)s->scene.instance_count;
	memcpy(s->objects, snapshot->objects, (size_t)s->object_count * sizeof *s->objects);
	memcpy(s->object_of, snapshot->object_of, (size_t)s->object_of_count * sizeof *s->object_of);
	memcpy(s->trigger_times, snapshot->trigger_times, triggers * sizeof *s->trigger_times);
	memcpy(s->trigger_counts, snapshot->trigger_counts, triggers * sizeof *s->trigger_counts);
	memcpy(s->motion_starts, snapshot->motion_starts, instances * sizeof *s->motion_starts);
	s->random = from->random, s->dust_random = from->dust_random;
	s->step = from->step;
	s->fracture_count = from->fracture_count, s->dust_count = from->dust_count;
	s->removed_count = from->removed_count;
	s->has_staged_removal = from->has_staged_removal;
	s->held = from->held, s->held_point = from->held_point, s->held_target = from->held_target;
	return STATUS_OK;
}
