// SPDX-License-Identifier: MIT
// Fills a closed mesh with tetrahedra, prints what they are like, and writes the half behind the
// middle, each tetrahedron a little smaller, so that one can look inside.
//
//     tets [OUT.glb [IN.obj [EDGE_LENGTH]]]       a torus of its own when no file is named

#include <rubble/io.h>
#include <rubble/rubble.h>

#include <stdio.h>
#include <stdlib.h>

static const float SHRINK = 0.88f;

// Why a mesh cannot be filled, and where it is too thin, is told here.
static void print_log(void *user, rbl_log_level level, const char *text)
{
	(void)user, (void)level;
	fprintf(stderr, "tets: %s\n", text);
}

static int fail(const char *what, rbl_result result)
{
	fprintf(stderr, "tets: %s: %s\n", what, rbl_result_text(result));
	return 1;
}

static rbl_vec3d corner(const rbl_tets_data *data, int tet, int k)
{
	return data->positions[data->tet_vertices[4 * tet + k]];
}

static rbl_vec3d centre_of(const rbl_tets_data *data, int tet)
{
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	for (int k = 0; k < 4; ++k) {
		rbl_vec3d p = corner(data, tet, k);
		sum = (rbl_vec3d){ sum.x + 0.25 * p.x, sum.y + 0.25 * p.y, sum.z + 0.25 * p.z };
	}
	return sum;
}

// A mesh of one small solid for each tetrahedron behind z; faces of the boundary are material 0.
static rbl_result open_up(const rbl_tets_data *data, double z, rbl_mesh **mesh)
{
	static const int sides[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };
	const rbl_mesh_material materials[2] = {
		{ "outside", { 0.75f, 0.36f, 0.22f, 1.0f }, 0.0f, 0.8f, 0 },
		{ "inside", { 0.86f, 0.84f, 0.78f, 1.0f }, 0.0f, 0.9f, 0 },
	};
	size_t count = (size_t)data->tet_count;
	rbl_vec3d *positions = malloc(4 * count * sizeof *positions);
	int *corners = malloc(12 * count * sizeof *corners);
	int *face_materials = malloc(4 * count * sizeof *face_materials);
	int kept = 0;
	rbl_result result = RBL_OUT_OF_MEMORY;
	for (int i = 0; i < data->tet_count && positions && corners && face_materials; ++i) {
		rbl_vec3d c = centre_of(data, i);
		if (c.z > z)
			continue;
		for (int k = 0; k < 4; ++k) {
			rbl_vec3d p = corner(data, i, k);
			double s = (double)SHRINK;
			positions[4 * kept + k] =
				(rbl_vec3d){ c.x + s * (p.x - c.x), c.y + s * (p.y - c.y), c.z + s * (p.z - c.z) };
			face_materials[4 * kept + k] = data->tet_neighbors[4 * i + k] < 0 ? 0 : 1;
			for (int j = 0; j < 3; ++j)
				corners[12 * kept + 3 * k + j] = 4 * kept + sides[k][j];
		}
		++kept;
	}
	if (positions && corners && face_materials) {
		rbl_mesh_def def = rbl_default_mesh_def();
		def.data = (rbl_mesh_data){ .vertex_count = 4 * kept,
			                        .positions = positions,
			                        .face_count = 4 * kept,
			                        .corner_count = 12 * kept,
			                        .corner_vertices = corners,
			                        .face_materials = face_materials,
			                        .material_count = 2,
			                        .materials = materials };
		result = rbl_create_mesh(&def, mesh);
	}
	free(face_materials);
	free(corners);
	free(positions);
	return result;
}

int main(int argc, char **argv)
{
	rbl_set_log(print_log, NULL);
	const char *path = argc > 1 ? argv[1] : "tets.glb", *file = argc > 2 ? argv[2] : NULL;
	rbl_torus_def torus = rbl_default_torus_def();
	rbl_mesh *mesh, *open = NULL;
	rbl_result result =
		file ? rbl_read_mesh(file, NULL, &mesh) : rbl_create_torus_mesh(&torus, &mesh);
	if (result != RBL_OK)
		return fail(file ? file : "torus", result);
	rbl_fill_def def = rbl_default_fill_def();
	def.mesh = mesh;
	def.edge_length = argc > 3 ? strtod(argv[3], NULL) : 0.06;
	rbl_tets *tets;
	rbl_fill_report report;
	result = rbl_fill_mesh(&def, &tets, &report);
	if (result != RBL_OK) {
		rbl_destroy_mesh(mesh);
		return fail("cannot be filled", result);
	}
	printf("%d tetrahedra of edge length %.4g m, halved %d times\n", report.tet_count,
	       report.edge_length, report.refine_count);
	printf("  angles between faces %.1f to %.1f degrees\n", report.smallest_angle * 57.29577951,
	       report.largest_angle * 57.29577951);
	printf("  volume %.6g of %.6g m3\n", report.volume, report.mesh_volume);
	printf("  boundary at most %.3g m off the mesh, the mesh %.3g m off the boundary\n",
	       report.boundary_distance, report.mesh_distance);
	rbl_boxd box = rbl_mesh_bounds(mesh);
	rbl_tets_data data = rbl_tets_get_data(tets);
	result = open_up(&data, 0.5 * (box.lower.z + box.upper.z), &open);
	rbl_write_def write_def = rbl_default_write_def();
	if (result == RBL_OK)
		result = rbl_write_mesh(path, open, &write_def);
	if (result == RBL_OK)
		printf("  written to %s\n", path);
	rbl_destroy_mesh(open);
	rbl_destroy_tets(tets);
	rbl_destroy_mesh(mesh);
	return result == RBL_OK ? 0 : fail(path, result);
}
