// SPDX-License-Identifier: MIT
// Makes a Roman arena, says what kind of mesh it is, and writes it for any glTF viewer.
//
//     arena [OUT.glb [DETAIL]]

#include <rubble/io.h>
#include <rubble/rubble.h>

#include <stdio.h>
#include <stdlib.h>

static void print_log(void *user, rbl_log_level level, const char *text)
{
	(void)user;
	if (level != RBL_LOG_INFO)
		fprintf(stderr, "arena: %s\n", text);
}

static void print_report(const rbl_mesh_report *report, rbl_boxd box)
{
	printf("Roman arena, %.0f x %.0f x %.0f m\n", box.upper.x - box.lower.x,
	       box.upper.y - box.lower.y, box.upper.z - box.lower.z);
	printf("  %d vertices, %d faces, %d triangles\n", report->vertices, report->faces,
	       report->triangles);
	printf("  %d parts: %s, %s, %s\n", report->components,
	       report->is_closed ? "all closed" : "NOT closed",
	       report->is_manifold ? "manifold" : "NOT manifold",
	       report->is_oriented ? "oriented" : "NOT oriented");
	printf("  genus %d (its windows), volume of all parts %.0f m3, overlaps counted twice\n",
	       report->genus, report->volume);
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "arena.glb";
	rbl_set_log(print_log, NULL);

	rbl_arena_def def = rbl_default_arena_def();
	if (argc > 2)
		def.detail = atoi(argv[2]);
	rbl_mesh *mesh;
	if (rbl_create_arena_mesh(&def, &mesh) != RBL_OK)
		return 1;

	rbl_mesh_report report;
	rbl_result result = rbl_mesh_check(mesh, &report);
	if (result == RBL_OK) {
		print_report(&report, rbl_mesh_bounds(mesh));
		result = rbl_write_mesh(path, mesh, NULL);
	}
	if (result == RBL_OK)
		printf("  written to %s\n", path);
	rbl_destroy_mesh(mesh);
	return result == RBL_OK ? 0 : 1;
}
