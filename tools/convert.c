// SPDX-License-Identifier: MIT
// rubble convert: from one mesh file to another, repaired, turned and scaled on the way.

#include "commands.h"
#include "errors.h"

#include <rubble/io.h>
#include <rubble/mesh.h>

#include <stdio.h>

static void print_count(const char *what, int count)
{
	if (count > 0)
		printf("%s %d\n", what, count);
}

static void print_repair(const rbl_mesh_repair_report *report)
{
	if (report->is_unchanged)
		printf("nothing to repair\n");
	print_count("vertices welded     ", report->welded_vertices);
	print_count("vertices dropped    ", report->dropped_vertices);
	print_count("degenerate faces    ", report->dropped_degenerate);
	print_count("duplicate faces     ", report->dropped_duplicates);
	print_count("faces on full edges ", report->dropped_nonmanifold);
	print_count("faces turned over   ", report->flipped_faces);
	print_count("vertices split      ", report->split_vertices);
	print_count("faces cut           ", report->cut_faces);
	print_count("holes filled        ", report->filled_holes);
	print_count("faces added         ", report->added_faces);
	print_count("vertices added      ", report->added_vertices);
}

// Replace *mesh by its repaired form. What is still wrong after that is an error.
static int repair(rbl_mesh **mesh, const char *file)
{
	rbl_mesh_repair_def def = rbl_default_mesh_repair_def();
	rbl_mesh_repair_report report;
	rbl_mesh *repaired;
	rbl_result result = rbl_mesh_repair(*mesh, &def, &repaired, &report);
	if (result != RBL_OK)
		return fail_with(result, file);
	rbl_destroy_mesh(*mesh);
	*mesh = repaired;
	print_repair(&report);
	rbl_mesh_report check;
	result = rbl_mesh_check(repaired, &check);
	if (result != RBL_OK)
		return fail_with(result, file);
	if (!check.is_closed || !check.is_manifold || !check.is_oriented)
		return fail("%s: cannot be repaired: %d boundary edges, %d non-manifold edges and %d "
		            "non-manifold vertices are left",
		            file, check.boundary_edges, check.nonmanifold_edges,
		            check.nonmanifold_vertices);
	return STATUS_OK;
}

static int run(int argc, char **argv)
{
	static const char *const axes[] = { "x", "y", "z", NULL };
	int up = RBL_AXIS_Y;
	bool is_repaired = false;
	rbl_read_def read_def = rbl_default_read_def();
	rbl_write_def write_def = rbl_default_write_def();
	const option options[] = {
		OPTION_FLAG("repair", &is_repaired, "weld, orient, split and fill until it is closed"),
		OPTION_CHOICE("up", &up, axes, "the axis that points up in IN, default y"),
		OPTION_NUMBER("scale", "S", &read_def.scale, 1e-12, 1e12,
		              "metres per unit of IN, default 1"),
		OPTION_FLAG("left-handed", &read_def.is_left_handed, "the axes of IN are left-handed"),
		OPTION_FLAG("text", &write_def.as_text, "PLY and STL as text"),
		OPTION_FLAG("single", &write_def.single_precision, "PLY with 4-byte positions"),
		OPTION_END,
	};
	words found;
	int status;
	if (!parse_options(&command_convert, options, argc, argv, &found, &status))
		return status;
	read_def.up = (rbl_up_axis)up;
	const char *in = found.items[0], *out = found.items[1];
	rbl_mesh *mesh;
	rbl_result result = rbl_read_mesh(in, &read_def, &mesh);
	if (result != RBL_OK)
		return fail_with(result, in);
	if (rbl_mesh_get_data(mesh).vertex_count == 0)
		status = fail("%s: no vertices in it", in);
	else if (is_repaired)
		status = repair(&mesh, in);
	if (status == STATUS_OK) {
		result = rbl_write_mesh(out, mesh, &write_def);
		if (result != RBL_OK)
			status = fail_with(result, out);
	}
	rbl_destroy_mesh(mesh);
	return status;
}

const command command_convert = {
	.name = "convert",
	.arguments = "IN OUT",
	.about = "write a mesh file in another format, or repaired",
	.details = "Reads OBJ, PLY, STL, OFF, MEDIT .mesh, .gltf and .glb; writes OBJ, PLY, STL and\n"
			   ".glb. With --repair, OUT is written only when the mesh is closed in the end.",
	.least_words = 2,
	.most_words = 2,
	.run = run,
};
