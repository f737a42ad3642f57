// SPDX-License-Identifier: MIT
//
// Parts of a film that never come off alone need no nodes of their own.
//
// Those with a mesh that others of the same object have too become instances of it
// (EXT_mesh_gpu_instancing). Others become one mesh, by cells of a grid, so that 16-bit positions
// stay exact and viewers can skip what is out of sight. Parts that appear or vanish at another time
// than their object, and objects with extras, stay as they are.

#include "io/film.h"

#include <rubble/vec.h>

#include <math.h>
#include <stdio.h>

enum { GRID_CELLS = 4 }; // along the radius of an object

// Objects below this, in metres, need no grid.
static const double MIN_GRID_RADIUS = 20.0;

// Bytes of a node and of a mesh, which a merged part saves, and of a vertex and a triangle, which
// it adds where the mesh was shared.
enum { NODE_BYTES = 120, MESH_BYTES = 600, VERTEX_BYTES = 10, TRIANGLE_BYTES = 5 };

// Whether an object could share a node with others.
static bool is_plain(const rbl_film *film, const rbl_film_object *object)
{
	if (object->mesh < 0 || object->extras || object->puff_scale > 0.0f || object->parent < 0 ||
	    (object->death >= 0.0f && object->death <= object->birth))
		return false;
	return rbl_mesh_get_data(film->meshes.data[object->mesh].mesh).attribute_count == 0;
}

// When a part vanishes, or its object does.
static float end_of(const rbl_film *film, const rbl_film_object *object)
{
	float own = object->death, all = film->objects.data[object->parent].death;
	return own < 0.0f || (all >= 0.0f && all < own) ? all : own;
}

static void find_cell(const rbl_film *film, const rbl_film_object *object, int cell[3])
{
	double radius = film->objects.data[object->parent].radius, size = radius / GRID_CELLS;
	for (int k = 0; k < 3; ++k)
		cell[k] =
			radius > MIN_GRID_RADIUS ? (int)floor((double)object->local.numbers[k] / size) : 0;
}

// Whether a part is better merged than shown by the same mesh as others.
static bool is_better_merged(const rbl_film *film, int mesh, int uses)
{
	const rbl_mesh *of = film->meshes.data[mesh].mesh;
	double size = VERTEX_BYTES * (double)rbl_mesh_get_data(of).vertex_count +
	              TRIANGLE_BYTES * (double)rbl_mesh_triangle_count(of);
	return (uses - 1) * size < uses * (double)NODE_BYTES + MESH_BYTES;
}

// Put an object into its group, a new one if there is none. @return false: out of memory
static bool enter(const rbl_film *film, rbl_io_memory *memory, rbl_film_groups *all, int index,
                  int mesh)
{
	const rbl_film_object *object = &film->objects.data[index];
	rbl_film_group made = { .parent = object->parent,
		                    .birth = object->birth,
		                    .death = end_of(film, object),
		                    .mesh = mesh,
		                    .first = index };
	if (mesh < 0)
		find_cell(film, object, made.cell);
	int i = all->groups.count - 1;
	for (; i >= 0; --i) {
		const rbl_film_group *one = &all->groups.data[i];
		if (one->parent == made.parent && one->birth == made.birth && one->death == made.death &&
		    one->mesh == made.mesh && memcmp(one->cell, made.cell, sizeof made.cell) == 0)
			break;
	}
	if (i < 0) {
		i = all->groups.count;
		if (!rbl_io_push(memory, &all->groups, made))
			return false;
	}
	all->groups.data[i].count++;
	all->group_of[index] = i;
	return true;
}

// Names of groups follow their object's.
static void name_group(const rbl_film *film, rbl_film_group *group, int number)
{
	int name = film->objects.data[group->parent].name;
	snprintf(group->name, sizeof group->name, "%.40s/parts %d",
	         name > 0 ? film->texts.data + name - 1 : "", number);
}

// A group that becomes one mesh has its origin in the middle of its parts.
static void place_origin(rbl_film_group *group, rbl_film_placed *placed)
{
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < group->count; ++i) {
		rbl_vec3 position = placed[i].pose.position;
		sum.x += (double)position.x / group->count;
		sum.y += (double)position.y / group->count;
		sum.z += (double)position.z / group->count;
	}
	group->origin = rbl_to_f(sum);
	for (int i = 0; i < group->count; ++i)
		placed[i].pose.position = rbl_sub(placed[i].pose.position, group->origin);
}

// Place members group by group, and make the meshes.
static rbl_result fill_groups(const rbl_film *film, rbl_film_groups *all)
{
	int offset = 0;
	for (int i = 0; i < all->groups.count; ++i) {
		all->groups.data[i].offset = offset, offset += all->groups.data[i].count;
		all->groups.data[i].count = 0;
	}
	for (int i = 0; i < film->objects.count; ++i) {
		if (all->group_of[i] < 0)
			continue;
		const float *n = film->objects.data[i].local.numbers;
		rbl_film_group *group = &all->groups.data[all->group_of[i]];
		int at = group->offset + group->count++;
		all->translations[at] = (rbl_vec3){ n[0], n[1], n[2] };
		all->rotations[at] = (rbl_quat){ n[3], n[4], n[5], n[6] };
		all->placed[at] = (rbl_film_placed){ film->objects.data[i].mesh,
			                                 { all->translations[at], all->rotations[at] } };
	}
	rbl_result result = RBL_OK;
	for (int i = 0; i < all->groups.count && result == RBL_OK; ++i) {
		rbl_film_group *group = &all->groups.data[i];
		name_group(film, group, i + 1);
		if (group->mesh < 0)
			place_origin(group, all->placed + group->offset);
		if (group->mesh < 0)
			result = rbl_film_join_meshes(film, all->placed + group->offset, group->count,
			                              &group->joined);
	}
	return result;
}

rbl_result rbl_film_find_groups(const rbl_film *film, bool merges, bool instances,
                                rbl_io_memory *memory, rbl_film_groups *groups)
{
	size_t objects = (size_t)film->objects.count, meshes = (size_t)film->meshes.count;
	*groups = (rbl_film_groups){ .group_of = RBL_IO_NEW(memory, int, objects) };
	groups->placed = RBL_IO_NEW(memory, rbl_film_placed, objects);
	groups->translations = RBL_IO_NEW(memory, rbl_vec3, objects);
	groups->rotations = RBL_IO_NEW(memory, rbl_quat, objects);
	int *uses = RBL_IO_NEW(memory, int, meshes);
	bool is_good = memory->failure == RBL_OK;
	for (size_t i = 0; i < meshes && is_good; ++i)
		uses[i] = 0;
	for (int i = 0; i < film->objects.count && is_good; ++i) {
		int mesh = film->objects.data[i].mesh;
		groups->group_of[i] = -1;
		if (mesh >= 0)
			uses[film->meshes.data[mesh].first]++;
	}
	for (int i = 0; i < film->objects.count && is_good; ++i) {
		const rbl_film_object *object = &film->objects.data[i];
		if (!is_plain(film, object))
			continue;
		int mesh = film->meshes.data[object->mesh].first;
		bool is_shared = uses[mesh] > 1 && !(merges && is_better_merged(film, mesh, uses[mesh]));
		if (is_shared ? instances : merges)
			is_good = enter(film, memory, groups, i, is_shared ? mesh : -1);
	}
	RBL_IO_FREE(memory, uses, meshes);
	return is_good ? fill_groups(film, groups) : RBL_OUT_OF_MEMORY;
}

void rbl_film_free_groups(const rbl_film *film, rbl_io_memory *memory, rbl_film_groups *groups)
{
	size_t objects = (size_t)film->objects.count;
	for (int i = 0; i < groups->groups.count; ++i)
		rbl_destroy_mesh(groups->groups.data[i].joined);
	rbl_io_free(memory, &groups->groups);
	RBL_IO_FREE(memory, groups->group_of, objects);
	RBL_IO_FREE(memory, groups->placed, objects);
	RBL_IO_FREE(memory, groups->translations, objects);
	RBL_IO_FREE(memory, groups->rotations, objects);
}
