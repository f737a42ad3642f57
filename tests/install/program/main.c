// SPDX-License-Identifier: MIT
// A program outside the tree: it uses the installed headers and library, nothing else. It is
// compiled as C and as C++. With an argument it prints the library's version.

#include <rubble/rubble.h>

#include <stdio.h>
#ifdef WITH_IO
#include <rubble/io.h>
#endif

static const rbl_vec3d corners[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
static const int triangles[12] = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 };

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1) {
		int version = rbl_version();
		printf("%d.%d.%d\n", version / 10000, version / 100 % 100, version % 100);
		return 0;
	}
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data.vertex_count = 4;
	def.data.positions = corners;
	def.data.face_count = 4;
	def.data.corner_count = 12;
	def.data.corner_vertices = triangles;
	rbl_mesh *mesh;
	if (rbl_create_mesh(&def, &mesh) != RBL_OK)
		return 1;
	double volume = rbl_mesh_get_mass(mesh).volume;
	printf("rubble %d: a tetrahedron of volume %.6f\n", rbl_version(), volume);
#ifdef WITH_IO
	rbl_write_def write_def = rbl_default_write_def();
	write_def.format = RBL_FORMAT_OBJ;
	rbl_file_bytes bytes;
	rbl_mesh *back;
	if (rbl_write_mesh_memory(mesh, &write_def, &bytes) != RBL_OK ||
	    rbl_read_mesh_memory(bytes.data, bytes.size, NULL, &back) != RBL_OK)
		return 1;
	printf("rubble-io: %zu bytes there and back\n", bytes.size);
	rbl_free_bytes(&bytes);
	rbl_destroy_mesh(back);
#endif
	rbl_destroy_mesh(mesh);
	return volume > 0.16 && volume < 0.17 ? 0 : 1;
}
