// SPDX-License-Identifier: MIT
//
// Meshes of films: copies with their centre of mass at the origin.
//
// A body rotates about its centre of mass. With the node's origin there, interpolating position and
// rotation separately follows the body; with the origin elsewhere it would cut the corner of the
// origin's arc. The copy also drops unused materials and merges vertices at the same position.

#include "io/film.h"

#include <math.h>

static bool is_within(rbl_vec3d p, rbl_boxd box)
{
	return p.x >= box.lower.x && p.x <= box.upper.x && p.y >= box.lower.y && p.y <= box.upper.y &&
	       p.z >= box.lower.z && p.z <= box.upper.z;
}

// The centre of mass; for open or flat meshes, that of the bounds.
static rbl_vec3d find_centre(const rbl_mesh *mesh)
{
	if (rbl_mesh_get_data(mesh).vertex_count == 0)
		return (rbl_vec3d){ 0.0, 0.0, 0.0 };
	rbl_boxd box = rbl_mesh_bounds(mesh);
	rbl_mass mass = rbl_mesh_get_mass(mesh);
	if (mass.volume > 0.0 && is_within(mass.centre, box))
		return mass.centre;
	return (rbl_vec3d){ 0.5 * (box.lower.x + box.upper.x), 0.5 * (box.lower.y + box.upper.y),
		                0.5 * (box.lower.z + box.upper.z) };
}

static void measure(const rbl_mesh *mesh, rbl_film_mesh *centred)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	rbl_boxd box = rbl_mesh_bounds(mesh);
	double x = box.upper.x - box.lower.x, y = box.upper.y - box.lower.y,
		   z = box.upper.z - box.lower.z, farthest = 0.0;
	for (int v = 0; v < data.vertex_count; ++v) {
		rbl_vec3d p = data.positions[v];
		p.x -= centred->centre.x, p.y -= centred->centre.y, p.z -= centred->centre.z;
		farthest = fmax(farthest, p.x * p.x + p.y * p.y + p.z * p.z);
	}
	centred->size = data.vertex_count > 0 ? sqrt(x * x + y * y + z * z) : 0.0;
	centred->radius = sqrt(farthest);
}

// The arrays of a copy.
typedef struct copy_work {
	rbl_vec3d *positions;
	int *vertices;  // by vertex of the mesh
	int *firsts;    // one of the mesh for each vertex of the copy
	int *corners;   // vertex of each
	int *materials; // of each face
	int *numbers;   // of each material of the mesh in the copy, -1 unless it is used
	rbl_mesh_material *palette;
} copy_work;

// Merge vertices at the same position.
static bool join_vertices(rbl_io_memory *memory, rbl_mesh_data *data, rbl_vec3d centre,
                          copy_work *work)
{
	for (int v = 0; v < data->vertex_count; ++v) {
		rbl_vec3d p = data->positions[v]; // adding zero makes -0 equal to 0
		work->positions[v] =
			(rbl_vec3d){ p.x - centre.x + 0.0, p.y - centre.y + 0.0, p.z - centre.z + 0.0 };
	}
	int count = 0;
	if (data->vertex_count > 0)
		count = rbl_io_unique(memory, work->positions, data->vertex_count, sizeof(rbl_vec3d),
		                      work->vertices, work->firsts);
	for (int v = 0; v < count; ++v)
		work->positions[v] = work->positions[work->firsts[v]];
	for (int c = 0; c < data->corner_count && count >= 0; ++c)
		work->corners[c] = work->vertices[data->corner_vertices[c]];
	data->positions = work->positions, data->corner_vertices = work->corners;
	data->vertex_count = count;
	return count >= 0;
}

static void pick_materials(rbl_mesh_data *data, copy_work *work)
{
	int count = 0;
	for (int m = 0; m < data->material_count; ++m)
		work->numbers[m] = -1;
	for (int f = 0; f < data->face_count && data->material_count > 0; ++f) {
		int material = data->face_materials ? data->face_materials[f] : 0;
		if (work->numbers[material] < 0) {
			work->palette[count] = data->materials[material];
			work->numbers[material] = count++;
		}
		work->materials[f] = work->numbers[material];
	}
	data->face_materials = count > 0 ? work->materials : NULL;
	data->materials = count > 0 ? work->palette : NULL;
	data->material_count = count;
}

rbl_result rbl_film_centre_mesh(const rbl_mesh *mesh, rbl_film *film, rbl_film_mesh *centred)
{
	rbl_io_memory *memory = &film->memory;
	rbl_mesh_def def = rbl_default_mesh_def();
	rbl_mesh_data data = def.data = rbl_mesh_get_data(mesh);
	*centred = (rbl_film_mesh){ .centre = find_centre(mesh) };
	measure(mesh, centred);
	copy_work work = { .positions = RBL_IO_NEW(memory, rbl_vec3d, data.vertex_count),
		               .vertices = RBL_IO_NEW(memory, int, data.vertex_count),
		               .firsts = RBL_IO_NEW(memory, int, data.vertex_count),
		               .corners = RBL_IO_NEW(memory, int, data.corner_count),
		               .materials = RBL_IO_NEW(memory, int, data.face_count),
		               .numbers = RBL_IO_NEW(memory, int, data.material_count),
		               .palette = RBL_IO_NEW(memory, rbl_mesh_material, data.material_count) };
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (work.positions && work.vertices && work.firsts && work.corners && work.materials &&
	    work.numbers && work.palette && join_vertices(memory, &def.data, centred->centre, &work)) {
		pick_materials(&def.data, &work);
		def.allocator = film->def.allocator;
		result = rbl_create_mesh(&def, &centred->mesh);
	}
	RBL_IO_FREE(memory, work.positions, data.vertex_count);
	RBL_IO_FREE(memory, work.vertices, data.vertex_count);
	RBL_IO_FREE(memory, work.firsts, data.vertex_count);
	RBL_IO_FREE(memory, work.corners, data.corner_count);
	RBL_IO_FREE(memory, work.materials, data.face_count);
	RBL_IO_FREE(memory, work.numbers, data.material_count);
	RBL_IO_FREE(memory, work.palette, data.material_count);
	return result;
}
