// SPDX-License-Identifier: MIT
//
// Films as scenes with a glTF animation: a node for each object and part that is ever visible, and
// tracks of its motion.

#include "io/film.h"

// The scene that is written.
typedef struct film_scene {
	const rbl_film *film;
	rbl_film_thinning thinning;
	rbl_scene_node *nodes;
	rbl_scene_track *tracks;
	const rbl_mesh **meshes;
	int *node_of;   // by object, -1: never visible
	int *mesh_of;   // by mesh of the film, -1: not shown
	float *numbers; // of all keys: times, positions, rotations, scales
	size_t number_capacity, number_count;
	int node_count, track_count, mesh_count, mesh_capacity;
	rbl_film_groups groups;
	rbl_io_output camera_texts; // one after the other, each closed by a zero
	const char **cameras;
	int camera_count;
	bool has_extras;
} film_scene;

static float *take_numbers(film_scene *scene, int count)
{
	float *numbers = scene->numbers + scene->number_count;
	scene->number_count += (size_t)count;
	return numbers;
}

// Copy the keys of an object that are far enough apart, the first and the last among them; or only
// count them, where `times` is NULL. @return their number
static int copy_keys(const film_scene *scene, const rbl_film_object *object, float *times,
                     float *positions, float *rotations)
{
	int end = rbl_film_key_count(object), at = object->first_key, count = 0;
	float last = 0.0f;
	for (int i = 0; i < end; ++i) {
		const rbl_film_key *key = rbl_film_next_key(scene->film, object, i, &at);
		if (i > 0 && i < end - 1 && key->time < last + scene->thinning.key_interval)
			continue;
		last = key->time;
		if (times) {
			times[count] = key->time;
			memcpy(positions + 3 * count, key->numbers, 3 * sizeof(float));
			memcpy(rotations + 4 * count, key->numbers + 3, 4 * sizeof(float));
		}
		count++;
	}
	return count;
}

static void add_motion(film_scene *scene, const rbl_film_object *object, int node)
{
	const rbl_film *film = scene->film;
	int count = copy_keys(scene, object, NULL, NULL, NULL);
	float *times = take_numbers(scene, count), *positions = take_numbers(scene, 3 * count),
		  *rotations = take_numbers(scene, 4 * count);
	copy_keys(scene, object, times, positions, rotations);
	scene->tracks[scene->track_count++] = (rbl_scene_track){ .node = node,
		                                                     .path = RBL_TRACK_TRANSLATION,
		                                                     .key_count = count,
		                                                     .times = times,
		                                                     .values = positions };
	scene->tracks[scene->track_count++] =
		(rbl_scene_track){ .node = node,
		                   .path = RBL_TRACK_ROTATION,
		                   .is_short = !film->def.has_long_rotations,
		                   .key_count = count,
		                   .times = times,
		                   .values = rotations };
}

// Scale 0 before birth and after death; a part is hidden with its parent too. Objects with the same
// lifetime share the arrays. @return whether it is hidden at first
static bool add_life(film_scene *scene, const rbl_film_object *object, int node)
{
	const rbl_film_object *objects = scene->film->objects.data;
	const rbl_film_object *parent = object->parent >= 0 ? &objects[object->parent] : NULL;
	float start = objects[0].birth, times[3], shown[3];
	bool has_birth = object->birth > (parent ? parent->birth : start);
	bool has_death = object->death >= 0.0f &&
	                 !(parent && parent->death >= 0.0f && parent->death <= object->death);
	int count = 0;
	if (!has_birth && !has_death)
		return false;
	if (has_birth)
		times[count] = start, shown[count++] = 0.0f;
	times[count] = has_birth ? object->birth : start, shown[count++] = 1.0f;
	if (has_death)
		times[count] = object->death, shown[count++] = 0.0f;
	rbl_scene_track track = {
		.node = node, .path = RBL_TRACK_SCALE, .has_steps = true, .key_count = count
	};
	for (int i = scene->track_count - 1; i >= 0 && i > scene->track_count - 8; --i) {
		const rbl_scene_track *other = &scene->tracks[i];
		if (other->path != RBL_TRACK_SCALE || other->key_count != count ||
		    memcmp(other->times, times, (size_t)count * sizeof *times) != 0 ||
		    other->values[0] != shown[0])
			continue;
		track.times = other->times, track.values = other->values;
		break;
	}
	if (!track.times) {
		float *values = take_numbers(scene, 3 * count), *kept = take_numbers(scene, count);
		memcpy(kept, times, (size_t)count * sizeof *times);
		for (int i = 0; i < 3 * count; ++i)
			values[i] = shown[i / 3];
		track.times = kept, track.values = values;
	}
	scene->tracks[scene->track_count++] = track;
	return has_birth;
}

// A puff grows from nothing and shrinks to nothing: linear keys, no steps.
static void add_puff_life(film_scene *scene, const rbl_film_object *object, int node)
{
	float start = scene->film->objects.data[0].birth;
	int first = object->birth > start, count = first + RBL_FILM_PUFF_KEYS;
	float *values = take_numbers(scene, 3 * count), *times = take_numbers(scene, count);
	for (int i = 0; i < count; ++i) {
		int key = i - first;
		times[i] = key < 0
		               ? start
		               : object->birth + rbl_film_puff_times[key] * (object->death - object->birth);
		for (int k = 0; k < 3; ++k)
			values[3 * i + k] = key < 0 ? 0.0f : object->puff_scale * rbl_film_puff_sizes[key];
	}
	scene->tracks[scene->track_count++] = (rbl_scene_track){
		.node = node, .path = RBL_TRACK_SCALE, .key_count = count, .times = times, .values = values
	};
}

static int add_mesh(film_scene *scene, int mesh)
{
	if (mesh >= 0)
		mesh = scene->film->meshes.data[mesh].first;
	if (mesh >= 0 && scene->mesh_of[mesh] < 0) {
		scene->mesh_of[mesh] = scene->mesh_count;
		scene->meshes[scene->mesh_count++] = scene->film->meshes.data[mesh].mesh;
	}
	return mesh >= 0 ? scene->mesh_of[mesh] : -1;
}

// An object that vanishes in the frame it appears in is never visible, nor are its parts.
static bool is_seen(const film_scene *scene, int index)
{
	const rbl_film_object *object = &scene->film->objects.data[index];
	const rbl_film_thinning *thinning = &scene->thinning;
	if (object->puff_scale > 0.0f
	        ? !thinning->has_puffs
	        : object->mesh >= 0 && scene->groups.group_of[index] < 0 &&
	              scene->film->meshes.data[object->mesh].size < thinning->least_size)
		return false;
	return (object->death < 0.0f || object->death > object->birth) &&
	       (object->parent < 0 || scene->node_of[object->parent] >= 0);
}

// One node for all of a group, in the coordinates of their object.
static void show_group(film_scene *scene, const rbl_film_group *group, rbl_scene_node *node)
{
	node->name = group->name;
	node->translation = group->origin;
	if (group->joined) {
		node->mesh = scene->mesh_count;
		scene->meshes[scene->mesh_count++] = group->joined;
		return;
	}
	node->mesh = add_mesh(scene, group->mesh);
	node->instance_count = group->count;
	node->instance_translations = scene->groups.translations + group->offset;
	node->instance_rotations = scene->groups.rotations + group->offset;
}

static void add_node(film_scene *scene, int index)
{
	const rbl_film *film = scene->film;
	const rbl_film_object *object = &film->objects.data[index];
	scene->node_of[index] = -1;
	int member = scene->groups.group_of[index];
	if (!is_seen(scene, index) || (member >= 0 && scene->groups.groups.data[member].first < index))
		return;
	bool is_part = object->parent >= 0;
	int number = scene->node_of[index] = scene->node_count++, at = object->first_key;
	const rbl_film_key *first = is_part ? &object->local : rbl_film_next_key(film, object, 0, &at);
	rbl_scene_node *node = &scene->nodes[number];
	*node = rbl_default_scene_node();
	if (object->name > 0)
		node->name = film->texts.data + object->name - 1;
	int group = scene->groups.group_of[index];
	if (group < 0)
		node->mesh = add_mesh(scene, object->mesh);
	else
		show_group(scene, &scene->groups.groups.data[group], node);
	node->parent = is_part ? scene->node_of[object->parent] : -1;
	node->extras = scene->has_extras && !scene->thinning.is_plain ? object->extras : NULL;
	bool is_moving = !is_part && !rbl_film_is_still(film, object);
	if (is_moving)
		add_motion(scene, object, number);
	if (object->camera_angle > 0.0f) {
		rbl_film_put_camera(&scene->camera_texts, object->camera_angle, node->name);
		node->camera = ++scene->camera_count;
	}
	if (object->puff_scale > 0.0f)
		add_puff_life(scene, object, number);
	bool is_hidden = object->puff_scale > 0.0f ||
	                 (object->camera_angle == 0.0f && add_life(scene, object, number));
	if (is_hidden)
		node->scale = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	if (group < 0 && !(is_hidden && is_moving)) { // keys place what is hidden without them
		memcpy(&node->translation, first->numbers, sizeof node->translation);
		memcpy(&node->rotation, first->numbers + 3, sizeof node->rotation);
	}
}

static bool open_scene(const rbl_film *film, const rbl_film_thinning *thinning,
                       const rbl_write_def *def, rbl_io_memory *memory, film_scene *scene)
{
	size_t objects = (size_t)film->objects.count, meshes = (size_t)film->meshes.count;
	*scene = (film_scene){ .film = film,
		                   .thinning = *thinning,
		                   .has_extras = !def || !def->merges_parts,
		                   .number_capacity =
		                       8 * ((size_t)film->keys.count + 2 * objects) + 20 * objects };
	if (rbl_film_find_groups(film, def && def->merges_parts, def && def->has_instances, memory,
	                         &scene->groups) != RBL_OK)
		return false;
	scene->mesh_capacity = film->meshes.count + scene->groups.groups.count;
	scene->nodes = RBL_IO_NEW(memory, rbl_scene_node, objects);
	scene->tracks = RBL_IO_NEW(memory, rbl_scene_track, 3 * objects);
	scene->numbers = RBL_IO_NEW(memory, float, scene->number_capacity);
	scene->node_of = RBL_IO_NEW(memory, int, objects);
	scene->mesh_of = RBL_IO_NEW(memory, int, meshes);
	scene->meshes = RBL_IO_NEW(memory, const rbl_mesh *, scene->mesh_capacity);
	scene->cameras = RBL_IO_NEW(memory, const char *, objects);
	if (!scene->nodes || !scene->tracks || !scene->numbers || !scene->node_of || !scene->mesh_of ||
	    !scene->meshes || !scene->cameras)
		return false;
	for (size_t i = 0; i < meshes; ++i)
		scene->mesh_of[i] = -1;
	scene->camera_texts.memory = *memory;
	for (int i = 0; i < film->objects.count; ++i)
		add_node(scene, i);
	if (scene->camera_texts.memory.failure != RBL_OK) {
		memory->failure = scene->camera_texts.memory.failure;
		return false;
	}
	const char *text = (const char *)scene->camera_texts.data;
	for (int i = 0; i < scene->camera_count; ++i, text += strlen(text) + 1)
		scene->cameras[i] = text;
	return true;
}

static void close_scene(rbl_io_memory *memory, film_scene *scene)
{
	size_t objects = (size_t)scene->film->objects.count, meshes = (size_t)scene->film->meshes.count;
	RBL_IO_FREE(memory, scene->nodes, objects);
	RBL_IO_FREE(memory, scene->tracks, 3 * objects);
	RBL_IO_FREE(memory, scene->numbers, scene->number_capacity);
	RBL_IO_FREE(memory, scene->node_of, objects);
	RBL_IO_FREE(memory, scene->mesh_of, meshes);
	RBL_IO_FREE(memory, scene->meshes, scene->mesh_capacity);
	RBL_IO_FREE(memory, scene->cameras, objects);
	rbl_io_free_output(&scene->camera_texts);
	rbl_film_free_groups(scene->film, memory, &scene->groups);
}

// Leave the textures of a scene out; its materials are copied for that.
static rbl_scene_material *leave_out_textures(rbl_io_memory *memory, rbl_scene *scene)
{
	const rbl_texture_use none = { .factor = 1.0f };
	size_t count = (size_t)scene->material_count;
	rbl_scene_material *materials = RBL_IO_NEW(memory, rbl_scene_material, count + 1);
	for (size_t i = 0; i < count && materials; ++i) {
		materials[i] = scene->materials[i];
		materials[i].base_color_texture = materials[i].metallic_roughness_texture = none;
		materials[i].normal_texture = materials[i].occlusion_texture = none;
		materials[i].emissive_texture = none;
		materials[i].extensions = materials[i].extras = NULL;
	}
	scene->materials = materials;
	scene->texture_count = scene->sampler_count = scene->image_count = 0;
	scene->extensions = scene->extras = NULL;
	return materials;
}

// Write to the path, or into `bytes` where that is NULL.
static rbl_result write_film(const char *path, const rbl_film *film,
                             const rbl_film_thinning *thinning, const rbl_write_def *def,
                             rbl_file_bytes *bytes)
{
	rbl_io_memory memory = film->memory;
	film_scene made;
	rbl_result result;
	if (!open_scene(film, thinning, def, &memory, &made)) {
		result = memory.failure == RBL_OK ? RBL_OUT_OF_MEMORY : rbl_io_fail_memory(&memory, "film");
	} else {
		rbl_scene_animation animation = { .name = "film",
			                              .track_count = made.track_count,
			                              .tracks = made.tracks };
		rbl_scene scene = rbl_document_get_scene(film->looks);
		scene.mesh_count = made.mesh_count, scene.meshes = made.meshes;
		scene.mesh_labels = NULL;
		scene.node_count = made.node_count, scene.nodes = made.nodes;
		scene.camera_count = made.camera_count, scene.cameras = made.cameras;
		scene.animation_count = made.track_count > 0, scene.animations = &animation;
		rbl_scene_material *plain = NULL;
		size_t plain_count = (size_t)scene.material_count + 1;
		if (thinning->is_plain)
			plain = leave_out_textures(&memory, &scene);
		if (memory.failure != RBL_OK)
			result = rbl_io_fail_memory(&memory, "film");
		else
			result = rbl_io_write_film_scene(path, &scene, def, bytes);
		RBL_IO_FREE(&memory, plain, plain_count);
	}
	close_scene(&memory, &made);
	return result;
}

static const rbl_film_thinning everything = { .has_puffs = true };

rbl_result rbl_film_write_thinned(const rbl_film *film, const rbl_film_thinning *thinning,
                                  const rbl_write_def *def, rbl_file_bytes *bytes)
{
	*bytes = (rbl_file_bytes){ 0 };
	return write_film(NULL, film, thinning, def, bytes);
}

rbl_result rbl_write_film(const char *path, const rbl_film *film, const rbl_write_def *def)
{
	if (!path || !film)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "%s is NULL", path ? "film" : "path");
	return write_film(path, film, &everything, def, NULL);
}

rbl_result rbl_write_film_memory(const rbl_film *film, const rbl_write_def *def,
                                 rbl_file_bytes *bytes)
{
	if (!bytes)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "bytes is NULL");
	*bytes = (rbl_file_bytes){ 0 };
	if (!film)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "film is NULL");
	return write_film(NULL, film, &everything, def, bytes);
}
