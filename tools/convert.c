// SPDX-License-Identifier: MIT
// rubble convert: convert a mesh file, with repair, axes and scale.

#include "commands.h"
#include "errors.h"
#include "files.h"
#include "progress.h"
#include "repair_report.h"

#include <rubble/io.h>
#include <rubble/mesh.h>

#include <stdlib.h>

// Replace *mesh by its repaired form, and print what was done.
static int repair(rbl_mesh **mesh, const char *file)
{
	rbl_mesh_repair_def def = rbl_default_mesh_repair_def();
	rbl_mesh_repair_report report;
	rbl_mesh *repaired;
	progress line;
	progress_begin(&line, "repairing");
	rbl_result result = rbl_mesh_repair(*mesh, &def, &repaired, &report);
	progress_end(&line);
	if (result != RBL_OK)
		return fail_with(result, file);
	rbl_destroy_mesh(*mesh);
	*mesh = repaired;
	print_repair_table(&report);
	return STATUS_OK;
}

// Write a glTF file again with all that is in it; its meshes are repaired one by one.
static int convert_document(const char *in, const char *out, const rbl_read_def *def,
                            bool is_repaired, bool is_quantized)
{
	rbl_document *document;
	progress line;
	progress_begin(&line, "reading");
	rbl_result result = read_document(in, def, &document);
	progress_end(&line);
	if (result != RBL_OK)
		return fail_with(result, in);
	rbl_scene scene = rbl_document_get_scene(document);
	int status = STATUS_OK, corner_count = 0;
	rbl_mesh **repaired = calloc((size_t)scene.mesh_count + 1, sizeof *repaired);
	for (int i = 0; i < scene.mesh_count; ++i)
		corner_count |= rbl_mesh_get_data(scene.meshes[i]).corner_count;
	if (!repaired)
		status = fail("out of memory");
	else if (corner_count == 0)
		status = fail("%s: it has no vertices", in);
	for (int i = 0; i < scene.mesh_count && is_repaired && status == STATUS_OK; ++i) {
		rbl_mesh_def copy = rbl_default_mesh_def();
		copy.data = rbl_mesh_get_data(scene.meshes[i]);
		result = rbl_create_mesh(&copy, &repaired[i]);
		status = result == RBL_OK ? repair(&repaired[i], in) : fail_with(result, in);
	}
	if (status == STATUS_OK && is_repaired)
		scene.meshes = (const rbl_mesh *const *)repaired;
	if (status == STATUS_OK) {
		result = write_scene_file(out, &scene, is_quantized);
		if (result != RBL_OK)
			status = fail_with(result, out);
	}
	for (int i = 0; repaired && i < scene.mesh_count; ++i)
		rbl_destroy_mesh(repaired[i]);
	free(repaired);
	rbl_destroy_document(document);
	return status;
}

static int run(int argc, char **argv)
{
	static const char *const axes[] = { "x", "y", "z", NULL };
	int up = RBL_AXIS_Y, format = -1;
	bool is_repaired = false;
	double size_limit = (double)RBL_FILE_SIZE_LIMIT;
	rbl_read_def read_def = rbl_default_read_def();
	rbl_write_def write_def = rbl_default_write_def();
	const option options[] = {
		OPTION_FLAG("repair", &is_repaired, "weld, orient, split and fill until it is closed"),
		OPTION_CHOICE("format", &format, file_formats, "of OUT, default by its name; of - glb"),
		OPTION_CHOICE("up", &up, axes, "the axis that points up in IN, default y"),
		OPTION_NUMBER("scale", "S", &read_def.scale, 1e-12, 1e12,
		              "metres per unit of IN, default 1"),
		OPTION_FLAG("left-handed", &read_def.is_left_handed, "the axes of IN are left-handed"),
		OPTION_FLAG("allow-outside", &read_def.allow_outside,
		            "let IN read files outside its folder: buffers, material libraries"),
		OPTION_NUMBER("size-limit", "BYTES", &size_limit, 1.0, 1e15,
		              "maximum size of IN and the files it names; default 2147483648"),
		OPTION_FLAG("text", &write_def.as_text, "PLY and STL as text"),
		OPTION_FLAG("single", &write_def.single_precision, "PLY with 4-byte positions"),
		OPTION_FLAG("quantize", &write_def.is_quantized,
		            ".glb with 16-bit positions and 8-bit normals: half of the size or less"),
		OPTION_END,
	};
	positional_arguments found;
	int status;
	if (!parse_options(&command_convert, options, argc, argv, &found, &status))
		return status;
	read_def.up = (rbl_up_axis)up;
	read_def.size_limit = (uint64_t)size_limit;
	write_def.format = file_format_of(format);
	const char *in = found.items[0], *out = found.items[1];
	bool is_glb = write_def.format == RBL_FORMAT_GLTF ||
	              (write_def.format == RBL_FORMAT_AUTO && is_glb_name(out));
	if (is_glb && is_gltf_file(in) && up == RBL_AXIS_Y && read_def.scale == 1.0 &&
	    !read_def.is_left_handed)
		return convert_document(in, out, &read_def, is_repaired, write_def.is_quantized);
	rbl_mesh *mesh;
	progress line;
	progress_begin(&line, "reading");
	rbl_result result = read_mesh(in, &read_def, &mesh);
	progress_end(&line);
	if (result != RBL_OK)
		return fail_with(result, in);
	if (rbl_mesh_get_data(mesh).vertex_count == 0)
		status = fail("%s: it has no vertices", in);
	else if (is_repaired)
		status = repair(&mesh, in);
	if (status == STATUS_OK) {
		result = write_mesh(out, mesh, &write_def);
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
	.details =
		"Reads OBJ, PLY, STL, OFF, MEDIT .mesh, .gltf and .glb; writes OBJ, PLY, STL and\n"
		".glb. From glTF to .glb without --up, --scale and --left-handed nothing is lost:\n"
		"nodes, names, materials, textures, animations and extras stay. With --repair, OUT\n"
		"is written only if it can be broken: closed, each shell oriented outwards, no part\n"
		"inside out. - is standard input or output.",
	.min_arguments = 2,
	.max_arguments = 2,
	.output_argument = 2,
	.run = run,
};
