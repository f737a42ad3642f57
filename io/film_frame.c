// SPDX-License-Identifier: MIT
//
// Several meshes of a film as one: those of a moment, for formats that have no animation (most
// programs read a numbered sequence of OBJ or PLY files), and parts that never come off alone.

#include "io/film.h"

// The arrays of the mesh.
typedef struct frame_mesh {
	rbl_io_memory memory;
	rbl_mesh_data sum; // counts of what is there so far
	rbl_vec3d *positions;
	int *starts, *corners, *face_materials;
	rbl_vec3 *normals;
	rbl_vec2 *uv0, *uv1;
	rbl_vec4 *colors;
	rbl_mesh_material *palette; // of all meshes
	int *numbers, *firsts;      // equal materials become one
} frame_mesh;

static rbl_vec3d rotate_numbers(rbl_quat q, double x, double y, double z)
{
	rbl_quatd d = { (double)q.x, (double)q.y, (double)q.z, (double)q.w };
	return rbl_io_quat_rotate(d, (rbl_vec3d){ x, y, z });
}

static void add_corner(frame_mesh *f, const rbl_mesh_data *data, int corner, rbl_quat rotation)
{
	int to = f->sum.corner_count++;
	f->corners[to] = f->sum.vertex_count + data->corner_vertices[corner];
	if (f->normals) {
		rbl_vec3 n = { 0.0f, 1.0f, 0.0f };
		if (data->corner_normals)
			n = data->corner_normals[corner];
		rbl_vec3d turned = rotate_numbers(rotation, (double)n.x, (double)n.y, (double)n.z);
		f->normals[to] = (rbl_vec3){ (float)turned.x, (float)turned.y, (float)turned.z };
	}
	const rbl_vec2 none = { 0.0f, 0.0f };
	const rbl_vec4 white = { 1.0f, 1.0f, 1.0f, 1.0f };
	if (f->uv0)
		f->uv0[to] = data->corner_uv0 ? data->corner_uv0[corner] : none;
	if (f->uv1)
		f->uv1[to] = data->corner_uv1 ? data->corner_uv1[corner] : none;
	if (f->colors)
		f->colors[to] = data->corner_colors ? data->corner_colors[corner] : white;
}

static void add_object(frame_mesh *f, const rbl_mesh_data *data, const rbl_transform *pose)
{
	int first_material = f->sum.material_count;
	for (int face = 0; face < data->face_count; ++face) {
		for (int c = data->face_starts[face]; c < data->face_starts[face + 1]; ++c)
			add_corner(f, data, c, pose->rotation);
		f->face_materials[f->sum.face_count++] =
			first_material + (data->face_materials ? data->face_materials[face] : 0);
		f->starts[f->sum.face_count] = f->sum.corner_count;
	}
	for (int v = 0; v < data->vertex_count; ++v) {
		rbl_vec3d p = data->positions[v], q = rotate_numbers(pose->rotation, p.x, p.y, p.z);
		f->positions[f->sum.vertex_count++] =
			(rbl_vec3d){ q.x + (double)pose->position.x, q.y + (double)pose->position.y,
			             q.z + (double)pose->position.z };
	}
	rbl_mesh_material plain = rbl_io_default_material("plain", 5);
	for (int m = 0; m < (data->material_count > 0 ? data->material_count : 1); ++m) {
		rbl_mesh_material material = data->material_count > 0 ? data->materials[m] : plain;
		size_t length = strlen(material.name); // what follows the zero may differ
		memset(material.name + length, 0, sizeof material.name - length);
		f->palette[f->sum.material_count++] = material;
	}
}

// What all meshes need, and which attributes any of them has.
static rbl_mesh_data count_meshes(const rbl_film *film, const rbl_film_placed *placed, int count)
{
	rbl_mesh_data all = { 0 };
	for (int i = 0; i < count; ++i) {
		rbl_mesh_data data = rbl_mesh_get_data(rbl_io_film_mesh(film, placed[i].mesh));
		all.vertex_count += data.vertex_count, all.face_count += data.face_count;
		all.corner_count += data.corner_count;
		all.material_count += data.material_count > 0 ? data.material_count : 1;
		all.corner_normals = all.corner_normals ? all.corner_normals : data.corner_normals;
		all.corner_uv0 = all.corner_uv0 ? all.corner_uv0 : data.corner_uv0;
		all.corner_uv1 = all.corner_uv1 ? all.corner_uv1 : data.corner_uv1;
		all.corner_colors = all.corner_colors ? all.corner_colors : data.corner_colors;
	}
	return all;
}

static bool allocate_arrays(frame_mesh *f, const rbl_mesh_data *all)
{
	rbl_io_memory *memory = &f->memory;
	f->positions = RBL_IO_NEW(memory, rbl_vec3d, all->vertex_count);
	f->starts = RBL_IO_NEW(memory, int, all->face_count + 1);
	f->corners = RBL_IO_NEW(memory, int, all->corner_count);
	f->face_materials = RBL_IO_NEW(memory, int, all->face_count);
	f->palette = RBL_IO_NEW(memory, rbl_mesh_material, all->material_count);
	f->numbers = RBL_IO_NEW(memory, int, all->material_count);
	f->firsts = RBL_IO_NEW(memory, int, all->material_count);
	if (all->corner_normals)
		f->normals = RBL_IO_NEW(memory, rbl_vec3, all->corner_count);
	if (all->corner_uv0)
		f->uv0 = RBL_IO_NEW(memory, rbl_vec2, all->corner_count);
	if (all->corner_uv1)
		f->uv1 = RBL_IO_NEW(memory, rbl_vec2, all->corner_count);
	if (all->corner_colors)
		f->colors = RBL_IO_NEW(memory, rbl_vec4, all->corner_count);
	return memory->failure == RBL_OK;
}

static void free_arrays(frame_mesh *f, const rbl_mesh_data *all)
{
	rbl_io_memory *memory = &f->memory;
	RBL_IO_FREE(memory, f->positions, all->vertex_count);
	RBL_IO_FREE(memory, f->starts, all->face_count + 1);
	RBL_IO_FREE(memory, f->corners, all->corner_count);
	RBL_IO_FREE(memory, f->face_materials, all->face_count);
	RBL_IO_FREE(memory, f->palette, all->material_count);
	RBL_IO_FREE(memory, f->numbers, all->material_count);
	RBL_IO_FREE(memory, f->firsts, all->material_count);
	RBL_IO_FREE(memory, f->normals, all->corner_count);
	RBL_IO_FREE(memory, f->uv0, all->corner_count);
	RBL_IO_FREE(memory, f->uv1, all->corner_count);
	RBL_IO_FREE(memory, f->colors, all->corner_count);
}

// Add all meshes, and create the one.
static rbl_result join_arrays(frame_mesh *f, const rbl_film *film, const rbl_film_placed *placed,
                              int placed_count, rbl_mesh **mesh)
{
	f->starts[0] = 0;
	for (int i = 0; i < placed_count; ++i) {
		rbl_mesh_data data = rbl_mesh_get_data(rbl_io_film_mesh(film, placed[i].mesh));
		add_object(f, &data, &placed[i].pose);
	}
	int count = 0;
	if (f->sum.material_count > 0)
		count = rbl_io_unique(&f->memory, f->palette, f->sum.material_count, sizeof *f->palette,
		                      f->numbers, f->firsts);
	if (count < 0)
		return RBL_OUT_OF_MEMORY;
	for (int m = 0; m < count; ++m)
		f->palette[m] = f->palette[f->firsts[m]];
	for (int face = 0; face < f->sum.face_count; ++face)
		f->face_materials[face] = f->numbers[f->face_materials[face]];
	rbl_mesh_def def = rbl_default_mesh_def();
	def.allocator = film->def.allocator;
	def.data = f->sum;
	def.data.positions = f->positions;
	def.data.face_starts = f->starts, def.data.corner_vertices = f->corners;
	def.data.corner_normals = f->normals;
	def.data.corner_uv0 = f->uv0, def.data.corner_uv1 = f->uv1;
	def.data.corner_colors = f->colors;
	def.data.face_materials = count > 0 ? f->face_materials : NULL;
	def.data.materials = count > 0 ? f->palette : NULL, def.data.material_count = count;
	return rbl_create_mesh(&def, mesh);
}

rbl_result rbl_film_join_meshes(const rbl_film *film, const rbl_film_placed *placed, int count,
                                rbl_mesh **mesh)
{
	rbl_mesh_data all = count_meshes(film, placed, count);
	frame_mesh f = { .memory = film->memory };
	*mesh = NULL;
	rbl_result result =
		allocate_arrays(&f, &all) ? join_arrays(&f, film, placed, count, mesh) : RBL_OUT_OF_MEMORY;
	free_arrays(&f, &all);
	if (f.memory.failure != RBL_OK)
		result = rbl_io_fail_memory(&f.memory, "film");
	return result;
}

rbl_result rbl_film_create_mesh(const rbl_film *film, float time, rbl_mesh **mesh)
{
	if (!mesh)
		return rbl_io_fail(RBL_BAD_ARGUMENT, "mesh is NULL");
	*mesh = NULL;
	if (!film || !(time >= 0.0f && time < 1e9f))
		return rbl_io_fail(RBL_BAD_ARGUMENT, "film is NULL, or time is not usable");
	rbl_io_memory memory = film->memory;
	rbl_film_placed *placed = RBL_IO_NEW(&memory, rbl_film_placed, film->objects.count);
	if (!placed)
		return rbl_io_fail_memory(&memory, "film");
	int count = 0;
	for (int i = 0; i < film->objects.count; ++i) {
		placed[count].mesh = rbl_io_film_pose(film, i, time, &placed[count].pose);
		count += placed[count].mesh >= 0;
	}
	rbl_result result = rbl_film_join_meshes(film, placed, count, mesh);
	RBL_IO_FREE(&memory, placed, film->objects.count);
	return result;
}
