// SPDX-License-Identifier: MIT
//
// The film of `rubble run`: bodies as objects that move, appear and vanish.
//
// A small body is one mesh. A body of many parts is a film object with a part for each, so that a hit
// on a building shows and hides the parts it changed and leaves the rest of the film alone. Fracture
// events tell what broke: the rest keeps its object, fragments get new ones.

#include "run.h"

#include "array.h"
#include "asset_files.h"
#include "scene_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SINGLE_MESH_PARTS = 48 }; // parts of a compound that is shown as one mesh
enum { MAX_LISTED_BONDS = 200, MAX_PART_BONDS = 128, BOND_LENGTH = 40 }; // in extras

// --- names --------------------------------------------------------------------------------------

bool name_object(simulation *s, scene_object *of, const char *base)
{
	int number = 0; // of those with the same base
	size_t length = strlen(base);
	for (int i = of->root - 1; i >= 0; --i) {
		const char *other = s->objects[i].name;
		if (!other || strncmp(other, base, length) != 0 ||
		    (other[length] != '\0' && other[length] != '.'))
			continue;
		number = other[length] == '.' ? atoi(other + length + 1) + 1 : 1;
		break;
	}
	of->name = malloc(length + 16);
	if (!of->name)
		return false;
	snprintf(of->name, length + 16, number > 0 ? "%s.%03d" : "%s", base, number);
	for (char *c = of->name; *c; ++c)
		if ((unsigned char)*c < ' ' || *c == '"' || *c == ',' || *c == '\\')
			*c = '_'; // names go into tables
	return true;
}

void object_name(const simulation *s, int index, char *name, size_t capacity)
{
	const scene_object *of = &s->objects[index];
	const char *root = s->objects[of->root].name;
	if (of->fragment > 0)
		snprintf(name, capacity, "%s/fragment %d", root ? root : "", of->fragment);
	else
		snprintf(name, capacity, "%s", root ? root : "");
}

enum { FILM_NAME_LENGTH = 300 };

// Name the film object of an object, or of a part of it.
static rbl_result name_film_object(simulation *s, const scene_object *of, int film_object, int part,
                                   char name[FILM_NAME_LENGTH])
{
	object_name(s, (int)(of - s->objects), name, FILM_NAME_LENGTH);
	size_t used = strlen(name);
	if (part >= 0)
		snprintf(name + used, FILM_NAME_LENGTH - used, "/part %d", part + 1);
	else if (of->shown_count > 1)
		snprintf(name + used, FILM_NAME_LENGTH - used, "/rest %d", of->shown_count - 1);
	return rbl_film_set_name(s->film, film_object, name);
}

// Bonds as rows of two parts, numbered from 1, and their area.
static void put_bonds(const rbl_compound *compound, char *text, size_t capacity)
{
	int end = rbl_compound_get_info(compound).part_end;
	size_t used = (size_t)snprintf(text, capacity, ",\"bonds\":[");
	bool is_first = true;
	for (int i = 0; i < end && used + BOND_LENGTH < capacity; ++i) {
		rbl_compound_bond bonds[MAX_PART_BONDS];
		int count = rbl_compound_get_part(compound, i).convex
		                ? rbl_compound_get_bonds(compound, i, bonds, MAX_PART_BONDS)
		                : 0;
		count = count < MAX_PART_BONDS ? count : MAX_PART_BONDS;
		for (int k = 0; k < count && used + BOND_LENGTH < capacity; ++k) {
			if (bonds[k].other <= i)
				continue; // told by the other one
			used += (size_t)snprintf(text + used, capacity - used, "%s[%d,%d,%.5g]",
			                         is_first ? "" : ",", i + 1, bonds[k].other + 1, bonds[k].area);
			is_first = false;
		}
	}
	snprintf(text + used, capacity - used, "]");
}

// Say beside the film object what it is made of. Names have no quotes and backslashes.
static rbl_result describe_film_object(simulation *s, const scene_object *of)
{
	char parent[300], extras[700 + BOND_LENGTH * MAX_LISTED_BONDS];
	rbl_body_mass mass = rbl_body_get_mass(s->world, of->body);
	const rbl_compound *compound = rbl_body_get_compound(s->world, of->body);
	rbl_compound_info info = { 0 };
	if (compound)
		info = rbl_compound_get_info(compound);
	int used = snprintf(extras, sizeof extras, "{\"mass\":%.9g,\"centre\":[%.9g,%.9g,%.9g]",
	                    (double)mass.mass, (double)mass.centre.x, (double)mass.centre.y,
	                    (double)mass.centre.z);
	if (of->fragment > 0) {
		object_name(s, of->root, parent, sizeof parent);
		used += snprintf(extras + used, sizeof extras - (size_t)used, ",\"parent\":\"%s\"", parent);
	}
	used += snprintf(extras + used, sizeof extras - (size_t)used,
	                 ",\"part_count\":%d,\"bond_count\":%d,\"birth\":%.9g", info.part_count,
	                 info.bond_count, (double)rbl_film_get_info(s->film).time);
	if (info.bond_count > 0 && info.bond_count <= MAX_LISTED_BONDS)
		put_bonds(compound, extras + used, sizeof extras - (size_t)used - 2);
	used = (int)strlen(extras);
	snprintf(extras + used, sizeof extras - (size_t)used, "}");
	return rbl_film_set_extras(s->film, of->film_object, extras);
}

// Add a film object for an object.
static rbl_result add_film_object(simulation *s, scene_object *of, int film_mesh,
                                  rbl_transform pose)
{
	rbl_result result = rbl_film_add_object(s->film, film_mesh, pose, &of->film_object);
	char name[FILM_NAME_LENGTH];
	of->shown_count++;
	if (result == RBL_OK)
		result = name_film_object(s, of, of->film_object, -1, name);
	if (result == RBL_OK)
		result = describe_film_object(s, of);
	return result == RBL_OK ? put_run_body(s, of, name) : result;
}

void free_object(scene_object *of)
{
	free(of->name);
	of->name = NULL;
	free(of->parts);
	of->parts = NULL, of->part_count = of->part_capacity = 0;
}

// Hash of the vertices: the index of a part may be reused for another convex.
static uint64_t convex_hash(const rbl_convex *convex)
{
	if (!convex)
		return 0;
	rbl_convex_data data = rbl_convex_get_data(convex);
	const unsigned char *bytes = (const unsigned char *)data.vertices;
	uint64_t hash = 14695981039346656037u;
	for (size_t i = 0; i < (size_t)data.vertex_count * sizeof *data.vertices; ++i)
		hash = (hash ^ bytes[i]) * 1099511628211u;
	return hash | 1;
}

// A fragment from the inside of a mesh that has its own materials gets the material of cut faces.
static void find_inner_material(scene_object *of, const rbl_compound *compound)
{
	int end = rbl_compound_get_info(compound).part_end;
	for (int i = 0; i < end && !of->has_scene_material && !of->has_inner; ++i) {
		const rbl_mesh *mesh = rbl_compound_get_part(compound, i).mesh;
		if (!mesh)
			continue;
		rbl_mesh_data data = rbl_mesh_get_data(mesh);
		const rbl_mesh_material *inner = find_inner(data.materials, data.material_count);
		of->has_inner = inner != NULL;
		if (inner)
			of->inner = *inner;
	}
}

// --- materials -----------------------------------------------------------------------------

static rbl_result load_looks(simulation *s)
{
	size_t count = (size_t)s->scene.model_count + (size_t)s->scene.material_count + 1;
	s->looks = calloc(count, sizeof *s->looks);
	rbl_result result = s->looks ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (int i = 0; i < s->scene.model_count && result == RBL_OK; ++i) {
		rbl_document *document;
		result = read_model_document(&s->scene, &s->scene.models[i], &document);
		rbl_scene scene = rbl_document_get_scene(document);
		if (result == RBL_OK && document)
			result = rbl_film_add_materials(s->film, &scene, &s->looks[i]);
		rbl_destroy_document(document);
	}
	for (int i = 0; i < s->scene.material_count && result == RBL_OK; ++i) {
		scene_material *material = &s->scene.materials[i];
		int place = s->scene.model_count + i;
		texture_look look;
		if (!*material->inner_texture)
			continue;
		result = read_inner_texture(&s->scene, material, &look);
		rbl_scene scene = texture_scene(&look);
		if (result == RBL_OK)
			result = rbl_film_add_materials(s->film, &scene, &s->looks[place]);
		free_texture_look(&look);
		material->inner_source = place * MODEL_SOURCES + 1;
	}
	return result;
}

// Pictures have no textures: a white slot is drawn there in the color of what it is made of. The
// film has the material of the file.
static void color_textured(const simulation *s, int model, rbl_mesh_material *look)
{
	rbl_vec4 *color = &look->base_color;
	if (model >= s->scene.model_count || color->x < 1.0f || color->y < 1.0f || color->z < 1.0f)
		return;
	int material = material_of_slot(&s->scene, &s->scene.models[model], look->name);
	if (material < 0)
		return;
	const double *from = s->scene.materials[material].color;
	color->x = (float)from[0], color->y = (float)from[1], color->z = (float)from[2];
}

// Copy a mesh whose materials are named by model and number, with those of the film.
static rbl_mesh *with_film_materials(const simulation *s, rbl_mesh *mesh)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(mesh);
	bool has_sources = false;
	for (int i = 0; i < def.data.material_count; ++i)
		has_sources |= def.data.materials[i].source > 0;
	if (!has_sources)
		return mesh;
	size_t size = (size_t)def.data.material_count * sizeof *def.data.materials;
	rbl_mesh_material *materials = malloc(size);
	rbl_mesh *copy = NULL;
	if (materials) {
		memcpy(materials, def.data.materials, size);
		for (int i = 0; i < def.data.material_count; ++i) {
			int source = materials[i].source - 1, model = source / MODEL_SOURCES;
			if (source < 0)
				continue;
			color_textured(s, model, &materials[i]);
			bool is_known = model < s->scene.model_count + s->scene.material_count;
			materials[i].source = is_known ? s->looks[model] + source % MODEL_SOURCES + 1 : 0;
		}
		def.data.materials = materials;
		rbl_create_mesh(&def, &copy);
	}
	free(materials);
	rbl_destroy_mesh(mesh);
	return copy;
}

// Whether a material says how textures lie on cut faces: then the film has their coordinates, also
// without a picture.
static bool lays_textures(const simulation *s)
{
	for (int i = 0; i < s->scene.material_count; ++i)
		if (s->scene.materials[i].lays_textures)
			return true;
	return false;
}

// Add a mesh to the film, and destroy it.
static rbl_result add_film_mesh(simulation *s, const scene_object *of, rbl_mesh *mesh,
                                int *film_mesh)
{
	rbl_mesh_material material = mesh_material_of(&s->scene.materials[of->material]);
	bool keeps_uv = lays_textures(s);
	rbl_mesh *copy = mesh ? mesh_with_material(mesh, &material, false, keeps_uv) : NULL;
	rbl_destroy_mesh(mesh);
	copy = copy ? with_film_materials(s, copy) : NULL;
	return copy ? rbl_film_add_mesh(s->film, copy, film_mesh) : RBL_OUT_OF_MEMORY;
}

// The film mesh that all bodies of a prefab and a material share.
static rbl_result film_mesh_of(simulation *s, int prefab, int material, int *film_mesh)
{
	int *kept = &s->film_meshes[prefab * (s->scene.material_count + 1) + material];
	if (*kept < 0) {
		rbl_mesh_material drawn = mesh_material_of(&s->scene.materials[material]);
		rbl_mesh *mesh =
			mesh_with_material(s->prefabs.prefabs[prefab].mesh, &drawn, false, lays_textures(s));
		mesh = mesh ? with_film_materials(s, mesh) : NULL;
		rbl_result result = mesh ? rbl_film_add_mesh(s->film, mesh, kept) : RBL_OUT_OF_MEMORY;
		if (result != RBL_OK)
			return result;
	}
	*film_mesh = *kept;
	return RBL_OK;
}

static rbl_vec3 rotate(rbl_quat q, rbl_vec3 v)
{
	rbl_vec3 t = { 2.0f * (q.y * v.z - q.z * v.y), 2.0f * (q.z * v.x - q.x * v.z),
		           2.0f * (q.x * v.y - q.y * v.x) };
	return (rbl_vec3){ v.x + q.w * t.x + q.y * t.z - q.z * t.y,
		               v.y + q.w * t.y + q.z * t.x - q.x * t.z,
		               v.z + q.w * t.z + q.x * t.y - q.y * t.x };
}

// The pose of the film object for a pose of the body.
static rbl_transform film_object_pose(const scene_object *of, rbl_transform pose)
{
	rbl_vec3 offset = rotate(pose.rotation, of->centre);
	pose.position.x += offset.x, pose.position.y += offset.y, pose.position.z += offset.z;
	return pose;
}

// A film object of parts has its origin at their centre of mass.
static rbl_result begin_parts(simulation *s, scene_object *of)
{
	rbl_vec3d centre =
		rbl_compound_get_visual_mass(rbl_body_get_compound(s->world, of->body)).centre;
	of->centre = (rbl_vec3){ (float)centre.x, (float)centre.y, (float)centre.z };
	rbl_transform pose = film_object_pose(of, rbl_body_pose(s->world, of->body));
	return add_film_object(s, of, -1, pose);
}

// Whether one can look into a part: its faces show when its neighbours are gone.
static bool is_clear(const simulation *s, const scene_object *of, const rbl_compound *compound,
                     int material)
{
	const scene_material *m =
		scene_material_of(s, rbl_compound_get_material(compound, material), of);
	return m->opacity < 1.0 || !of->has_scene_material;
}

// Show new parts, and hide those that are gone.
static rbl_result show_parts(simulation *s, scene_object *of)
{
	const rbl_compound *compound = rbl_body_get_compound(s->world, of->body);
	int end = rbl_compound_get_info(compound).part_end;
	if (!ARRAY_RESERVE(of->parts, of->part_capacity, end))
		return RBL_OUT_OF_MEMORY;
	while (of->part_count < end)
		of->parts[of->part_count++] = (film_part){ -1, 0 };
	find_inner_material(of, compound);
	rbl_result result = of->film_object < 0 ? begin_parts(s, of) : RBL_OK;
	rbl_transform here = { { -of->centre.x, -of->centre.y, -of->centre.z },
		                   { 0.0f, 0.0f, 0.0f, 1.0f } };
	for (int i = 0; i < of->part_count && result == RBL_OK; ++i) {
		rbl_compound_part part = { 0 };
		if (i < end)
			part = rbl_compound_get_part(compound, i);
		uint64_t hash = convex_hash(part.convex);
		if (part.convex && is_clear(s, of, compound, part.material))
			hash ^= covered_hash(compound, i) << 1;
		film_part *shown = &of->parts[i];
		if (hash == shown->hash)
			continue;
		if (shown->film_object >= 0)
			rbl_film_remove(s->film, shown->film_object);
		*shown = (film_part){ -1, hash };
		rbl_mesh *mesh = NULL;
		int film_mesh;
		if (part.convex)
			result = drawn_part_mesh(s, of, compound, i, &mesh);
		if (!mesh || result != RBL_OK)
			continue;
		result = add_film_mesh(s, of, mesh, &film_mesh);
		if (result == RBL_OK)
			result =
				rbl_film_add_part(s->film, of->film_object, film_mesh, here, &shown->film_object);
		if (result == RBL_OK)
			result = name_film_object(s, of, shown->film_object, of->part_number++,
			                          (char[FILM_NAME_LENGTH]){ 0 });
	}
	return result;
}

static rbl_result show_object(simulation *s, scene_object *of)
{
	const rbl_compound *compound = rbl_body_get_compound(s->world, of->body);
	if (of->part_count > 0 || rbl_compound_get_info(compound).part_count > MAX_SINGLE_MESH_PARTS)
		return show_parts(s, of);
	rbl_mesh *mesh = NULL;
	int film_mesh;
	find_inner_material(of, compound);
	rbl_result result = drawn_mesh(s, of, compound, &mesh);
	if (result == RBL_OK)
		result = add_film_mesh(s, of, mesh, &film_mesh);
	return result == RBL_OK ? add_film_object(s, of, film_mesh, rbl_body_pose(s->world, of->body))
	                        : result;
}

static rbl_result move_object(simulation *s, const scene_object *of, rbl_transform pose,
                              rbl_vec3 velocity)
{
	return of->film_object >= 0
	           ? rbl_film_move_with_angular_velocity(s->film, of->film_object,
	                                                 film_object_pose(of, pose), velocity)
	           : RBL_OK;
}

static rbl_result record_pose(simulation *s, const scene_object *of)
{
	const rbl_vec3 none = { 0.0f, 0.0f, 0.0f };
	return of->is_baked ? move_object(s, of, of->baked_pose, none)
	                    : move_object(s, of, rbl_body_pose(s->world, of->body),
	                                  rbl_body_angular_velocity(s->world, of->body));
}

rbl_result show_new_object(simulation *s, scene_object *of, int prefab)
{
	const rbl_compound *compound = rbl_body_get_compound(s->world, of->body);
	int film_mesh;
	if (of->can_break && rbl_compound_get_info(compound).part_count > MAX_SINGLE_MESH_PARTS)
		return show_parts(s, of);
	if (compound && of->has_scene_material && s->prefabs.prefabs[prefab].table)
		return show_object(s, of); // boxes of several materials
	rbl_result result = film_mesh_of(s, prefab, of->material, &film_mesh);
	return result == RBL_OK ? add_film_object(s, of, film_mesh, rbl_body_pose(s->world, of->body))
	                        : result;
}

// Hide an object, which moves until it reaches `pose`.
rbl_result hide_object(simulation *s, scene_object *of, rbl_transform pose)
{
	rbl_result result = move_object(s, of, pose, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	if (of->film_object >= 0)
		rbl_film_remove(s->film, of->film_object);
	of->film_object = -1;
	return result;
}

// --- fracture and debris ------------------------------------------------------------------------------

// An object for a fragment of another.
static rbl_result add_fragment(simulation *s, int parent, rbl_body_id body)
{
	scene_object *made = add_object(s, body);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	scene_object *of = &s->objects[parent];
	made->root = of->root;
	made->fragment = ++s->objects[of->root].fragment_count;
	made->material = of->material;
	made->can_break = true;
	made->has_scene_material = of->has_scene_material, made->is_hidden = of->is_hidden;
	made->has_inner = of->has_inner, made->inner = of->inner;
	return of->is_hidden ? RBL_OK : show_object(s, made);
}

static bool has_removed(const simulation *s)
{
	rbl_events events = rbl_world_get_events(s->world);
	for (int i = 0; i < events.retire_count; ++i)
		if (events.retires[i].what == RBL_RETIRED_REMOVED ||
		    events.retires[i].what == RBL_RETIRED_EXPIRED)
			return true;
	return false;
}

// Debris beyond the limit. It may be of this very step, and have no object yet.
static rbl_result hide_removed(simulation *s)
{
	rbl_events events = rbl_world_get_events(s->world);
	rbl_result result = RBL_OK;
	for (int i = 0; i < events.retire_count && result == RBL_OK; ++i) {
		int index = find_object(s, events.retires[i].body);
		bool is_removed = events.retires[i].what == RBL_RETIRED_REMOVED;
		if ((!is_removed && events.retires[i].what != RBL_RETIRED_EXPIRED) || index < 0)
			continue;
		result = hide_object(s, &s->objects[index], events.retires[i].pose);
		s->objects[index].is_gone = true;
		s->removed_count += is_removed;
	}
	return result;
}

// Baked debris stays visible; released, it is the same object with another body.
static rbl_result follow_baked(simulation *s)
{
	rbl_events events = rbl_world_get_events(s->world);
	for (int i = 0; i < events.retire_count; ++i) {
		const rbl_retire_event *event = &events.retires[i];
		bool is_baked = event->what == RBL_RETIRED_BAKED;
		if ((!is_baked && event->what != RBL_RETIRED_RELEASED) ||
		    event->user >= (uint64_t)s->object_count)
			continue;
		scene_object *of = &s->objects[event->user];
		of->is_baked = is_baked;
		of->baked_pose = event->pose;
		if (!is_baked && !bind_object(s, (int)event->user, event->body))
			return RBL_OUT_OF_MEMORY;
	}
	return RBL_OK;
}

// The pose of a body that broke: fragments keep its coordinates. Where all of it is dust, or removed at
// once, it is where it was before the step.
static rbl_transform broken_pose(const simulation *s, const rbl_fracture_event *event,
                                 const scene_object *parent)
{
	if (rbl_body_exists(s->world, event->parent))
		return rbl_body_pose(s->world, event->parent);
	for (int k = 0; k < event->new_count; ++k)
		if (rbl_body_exists(s->world, event->new_bodies[k]))
			return rbl_body_pose(s->world, event->new_bodies[k]);
	return parent->pose;
}

static rbl_result film_break(simulation *s, const rbl_fracture_event *event, int parent)
{
	rbl_result result = RBL_OK;
	for (int k = 0; k < event->new_count; ++k) // before any fragment is shown
		find_inner_material(&s->objects[parent],
		                    rbl_body_get_compound(s->world, event->new_bodies[k]));
	for (int k = 0; k < event->new_count && result == RBL_OK; ++k)
		if (rbl_body_exists(s->world, event->new_bodies[k]))
			result = add_fragment(s, parent, event->new_bodies[k]);
	scene_object *of = &s->objects[parent];
	bool is_gone = !rbl_body_exists(s->world, of->body);
	if (result == RBL_OK && (is_gone || of->part_count == 0))
		result = hide_object(s, of, broken_pose(s, event, of));
	of->is_gone = is_gone;
	if (!is_gone && !of->is_hidden && result == RBL_OK)
		result = show_object(s, of);
	return result;
}

static rbl_result film_breaks(simulation *s)
{
	rbl_result result = hide_removed(s);
	rbl_events events = rbl_world_get_events(s->world);
	if (result == RBL_OK)
		result = follow_baked(s);
	for (int i = 0; i < events.fracture_count && result == RBL_OK; ++i) {
		const rbl_fracture_event *event = &events.fractures[i];
		int parent = find_object(s, event->parent);
		if (parent < 0)
			continue;
		s->fracture_count++;
		s->dust_count += event->dust_count;
		result = film_break(s, event, parent);
		if (result == RBL_OK)
			result = film_chips(s, event, parent);
		if (result == RBL_OK)
			result = film_dust(s, event, parent);
	}
	return result;
}

// --- cameras ------------------------------------------------------------------------------------

static rbl_transform camera_pose_at(const scene_camera *camera, double time)
{
	rbl_vec3 position, target;
	camera_at(camera, time, &position, &target);
	return rbl_camera_pose(position, target);
}

// The scene's cameras are the first objects of the film.
static rbl_result add_cameras(simulation *s)
{
	rbl_result result = RBL_OK;
	for (int i = 0; i < s->scene.camera_count && result == RBL_OK; ++i) {
		const scene_camera *camera = &s->scene.cameras[i];
		int object;
		result = rbl_film_add_camera(s->film, camera_pose_at(camera, 0.0),
		                             (float)camera->field_of_view, &object);
		if (result == RBL_OK)
			result = rbl_film_set_name(s->film, object, camera->name);
	}
	return result;
}

static rbl_result move_cameras(simulation *s, double time)
{
	rbl_result result = RBL_OK;
	for (int i = 0; i < s->scene.camera_count && result == RBL_OK; ++i)
		if (s->scene.cameras[i].key_count > 0)
			result = rbl_film_move(s->film, i, camera_pose_at(&s->scene.cameras[i], time));
	return result;
}

// --- frames -------------------------------------------------------------------------------------

rbl_result begin_film(simulation *s)
{
	int film_mesh_count = s->prefabs.prefab_count * (s->scene.material_count + 1);
	s->film_meshes = malloc((size_t)film_mesh_count * sizeof *s->film_meshes + 1);
	if (!s->film_meshes)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < film_mesh_count; ++i)
		s->film_meshes[i] = -1;
	rbl_film_def film_def = rbl_default_film_def();
	if (s->options->is_small)
		film_def.position_tolerance = film_def.size_tolerance = 0.04f;
	if (s->options->tolerance > 0.0) {
		film_def.size_tolerance *= (float)s->options->tolerance / film_def.position_tolerance;
		film_def.position_tolerance = (float)s->options->tolerance;
	}
	rbl_result result = rbl_create_film(&film_def, &s->film);
	if (result == RBL_OK)
		result = add_cameras(s);
	return result == RBL_OK ? load_looks(s) : result;
}

// Mark what moved; in a frame, add its pose to the film.
static rbl_result take_moves(simulation *s, bool is_frame)
{
	int count = rbl_world_body_count(s->world);
	if (!ARRAY_RESERVE(s->moves, s->move_capacity, count))
		return RBL_OUT_OF_MEMORY;
	count = rbl_world_get_moves(s->world, s->moves, s->move_capacity);
	for (int i = 0; i < count && i < s->move_capacity; ++i) {
		if (s->moves[i].user >= (uint64_t)s->object_count)
			continue;
		scene_object *moved = &s->objects[s->moves[i].user];
		moved->has_moved = true;
		moved->pose = s->moves[i].pose;
	}
	rbl_result result = RBL_OK;
	for (int i = 0; is_frame && i < s->object_count && result == RBL_OK; ++i) {
		scene_object *moved = &s->objects[i];
		if (!moved->has_moved || moved->is_gone)
			continue;
		result = record_pose(s, moved);
		moved->has_moved = false;
	}
	return result;
}

rbl_result film_step(simulation *s, bool is_last)
{
	int every = (int)floor(s->scene.frame_time / s->scene.dt + 0.5);
	every = every > 0 ? every : 1;
	// Every so many steps, and when a body breaks, vanishes or is thrown in.
	bool is_frame = (s->step + 1) % every == 0 || is_last ||
	                rbl_world_get_events(s->world).fracture_count > 0 || has_removed(s) ||
	                s->has_staged_removal || is_any_due(s, s->step + 1);
	rbl_result result = RBL_OK;
	double time = (s->step + 1) * s->scene.dt;
	if (s->film && is_frame)
		result = rbl_film_begin_frame(s->film, (float)time);
	if (s->film && is_frame && result == RBL_OK)
		result = move_cameras(s, time);
	if (result == RBL_OK)
		result = film_breaks(s);
	if (result == RBL_OK && is_frame)
		result = hide_staged(s);
	if (result == RBL_OK && s->film && is_frame)
		result = film_cloths(s);
	return result == RBL_OK ? take_moves(s, is_frame) : result;
}
