// SPDX-License-Identifier: MIT
//
// What compare.py measures the Python package against: the same work by the same calls, in C.
//
//   reference MESH CELLS FIRST END STRIDE FOLDER   break a mesh by every STRIDE-th seed, a file for each
//
// Loaded as a library, it has step_and_read() instead.

#define _POSIX_C_SOURCE 200809L

#include <rubble/compound.h>
#include <rubble/io.h>
#include <rubble/rubble.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void put(FILE *file, const void *data, size_t size, int count)
{
	fwrite(&count, sizeof count, 1, file);
	fwrite(data, size, (size_t)count, file);
}

// Mesh, mass and bonds of a part.
static bool write_part(FILE *file, const rbl_compound *compound, int number)
{
	rbl_compound_part part = rbl_compound_get_part(compound, number);
	rbl_mesh_data data = rbl_mesh_get_data(part.mesh);
	int count = rbl_mesh_triangle_count(part.mesh);
	int *triangles = malloc(sizeof *triangles * 3 * (size_t)count),
		*faces = malloc(sizeof *faces * (size_t)count);
	int bond_count = rbl_compound_get_bonds(compound, number, NULL, 0);
	rbl_compound_bond *bonds = malloc(sizeof *bonds * ((size_t)bond_count + 1));
	bool ok =
		triangles && faces && bonds && rbl_mesh_triangulate(part.mesh, triangles, faces) == RBL_OK;
	if (ok) {
		rbl_mass mass = rbl_mesh_get_mass(part.mesh);
		rbl_compound_get_bonds(compound, number, bonds, bond_count);
		put(file, data.positions, sizeof *data.positions, data.vertex_count);
		for (int i = 0; i < 3 * count; ++i)
			triangles[i] = data.corner_vertices[triangles[i]];
		put(file, triangles, sizeof *triangles, 3 * count);
		put(file, &mass, sizeof mass, 1);
		put(file, bonds, sizeof *bonds, bond_count);
	}
	free(triangles);
	free(faces);
	free(bonds);
	return ok;
}

static bool write_compound(const char *folder, int seed, const rbl_compound *compound)
{
	char part[512], path[512];
	snprintf(part, sizeof part, "%s/.%d.part", folder, seed);
	snprintf(path, sizeof path, "%s/%d.bin", folder, seed);
	FILE *file = fopen(part, "wb");
	if (!file)
		return false;
	bool ok = true;
	int end = rbl_compound_get_info(compound).part_end;
	for (int i = 0; ok && i < end; ++i)
		ok = write_part(file, compound, i);
	ok &= fflush(file) == 0 && fsync(fileno(file)) == 0;
	ok &= fclose(file) == 0;
	return ok && rename(part, path) == 0;
}

static bool fracture(const rbl_mesh *mesh, int cells, int seed, const char *folder)
{
	rbl_boxd box = rbl_mesh_bounds(mesh);
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.size = (rbl_vec3d){ box.upper.x - box.lower.x, box.upper.y - box.lower.y,
		                            box.upper.z - box.lower.z };
	pattern_def.cell_count = cells;
	pattern_def.seed = (uint64_t)seed;
	rbl_pattern *pattern = NULL;
	rbl_compound *compound = NULL;
	bool ok = rbl_create_pattern(&pattern_def, &pattern) == RBL_OK;
	rbl_compound_def def = rbl_default_compound_def();
	def.mesh = mesh;
	def.pattern = pattern;
	def.position =
		(rbl_vec3d){ 0.5 * (box.lower.x + box.upper.x), 0.5 * (box.lower.y + box.upper.y),
		             0.5 * (box.lower.z + box.upper.z) };
	ok = ok && rbl_create_compound(&def, &compound) == RBL_OK &&
	     write_compound(folder, seed, compound);
	rbl_destroy_compound(compound);
	rbl_destroy_pattern(pattern);
	return ok;
}

/// Step a world and read all poses that changed. @return how many
int step_and_read(rbl_world *world, float dt, rbl_move_event *moves, int capacity);
int step_and_read(rbl_world *world, float dt, rbl_move_event *moves, int capacity)
{
	if (rbl_world_step(world, dt) != RBL_OK)
		return -1;
	return rbl_world_get_moves(world, moves, capacity);
}

int main(int argc, char **argv)
{
	if (argc != 7) {
		fprintf(stderr, "usage: reference MESH CELLS FIRST END STRIDE FOLDER\n");
		return 2;
	}
	rbl_read_def def = rbl_default_read_def();
	rbl_mesh *mesh = NULL;
	bool ok = rbl_read_mesh(argv[1], &def, &mesh) == RBL_OK;
	for (int seed = atoi(argv[3]); ok && seed < atoi(argv[4]); seed += atoi(argv[5]))
		ok = fracture(mesh, atoi(argv[2]), seed, argv[6]);
	rbl_destroy_mesh(mesh);
	return ok ? 0 : 1;
}
