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

typedef struct convert_options {
	const char *in, *out, *json;
	bool is_repaired;
	rbl_read_def read;
	rbl_write_def write;
	rbl_mesh_repair_report repair; // of all meshes
} convert_options;

// What was written, in numbers.
typedef struct converted {
	int meshes, nodes, materials, textures, vertices, faces;
} converted;

static int write_json(const convert_options *options, const converted *made)
{
	FILE *file = create_file(options->json);
	if (!file)
		return STATUS_FAILED;
	fprintf(file, "{\n  \"input\": ");
	put_json_text(file, options->in);
	fprintf(file, ",\n  \"output\": ");
	put_json_text(file, options->out);
	fprintf(file,
	        ",\n  \"meshes\": %d,\n  \"nodes\": %d,\n  \"materials\": %d,\n  \"textures\": %d,\n"
	        "  \"vertices\": %d,\n  \"faces\": %d,\n  \"is_repaired\": %s",
	        made->meshes, made->nodes, made->materials, made->textures, made->vertices, made->faces,
	        options->is_repaired ? "true" : "false");
	if (options->is_repaired) {
		fprintf(file, ",\n  \"repair\": ");
		put_repair_json(file, &options->repair);
	}
	fprintf(file, "\n}\n");
	return close_file(file, options->json);
}

// Replace *mesh by its repaired form, and print what was done.
static int repair(convert_options *options, rbl_mesh **mesh)
{
	rbl_mesh_repair_def def = rbl_default_mesh_repair_def();
	rbl_mesh_repair_report report;
	rbl_mesh *repaired;
	rbl_result result = rbl_mesh_repair(*mesh, &def, &repaired, &report);
	if (result != RBL_OK)
		return fail_with(result, options->in);
	rbl_destroy_mesh(*mesh);
	*mesh = repaired;
	add_repair(&options->repair, &report);
	return STATUS_OK;
}

// Repair the meshes of a scene one by one.
static int repair_scene(convert_options *options, const rbl_scene *scene, rbl_mesh **repaired)
{
	int status = STATUS_OK;
	progress line;
	progress_begin(&line, "repairing");
	for (int i = 0; i < scene->mesh_count && status == STATUS_OK; ++i) {
		rbl_mesh_def copy = rbl_default_mesh_def();
		copy.data = rbl_mesh_get_data(scene->meshes[i]);
		if (scene->mesh_count > 1)
			progress_update(&line, (double)i / scene->mesh_count);
		rbl_result result = rbl_create_mesh(&copy, &repaired[i]);
		status = result == RBL_OK ? repair(options, &repaired[i]) : fail_with(result, options->in);
	}
	progress_end(&line);
	if (status == STATUS_OK)
		print_repair_table(&options->repair);
	return status;
}

// Write a glTF file again with all that is in it; its meshes are repaired one by one.
static int convert_document(convert_options *options)
{
	rbl_document *document;
	progress line;
	progress_begin(&line, "reading");
	rbl_result result = read_document(options->in, &options->read, &document);
	progress_end(&line);
	if (result != RBL_OK)
		return fail_with(result, options->in);
	rbl_scene scene = rbl_document_get_scene(document);
	int status = STATUS_OK, corner_count = 0;
	rbl_mesh **repaired = calloc((size_t)scene.mesh_count + 1, sizeof *repaired);
	for (int i = 0; i < scene.mesh_count; ++i)
		corner_count |= rbl_mesh_get_data(scene.meshes[i]).corner_count;
	if (!repaired)
		status = fail("out of memory");
	else if (corner_count == 0)
		status = fail("%s: it has no vertices", options->in);
	else if (options->is_repaired)
		status = repair_scene(options, &scene, repaired);
	if (status == STATUS_OK && options->is_repaired)
		scene.meshes = (const rbl_mesh *const *)repaired;
	if (status == STATUS_OK) {
		result = write_scene_file(options->out, &scene, options->write.is_quantized);
		if (result != RBL_OK)
			status = fail_with(result, options->out);
	}
	converted made = { .meshes = scene.mesh_count,
		               .nodes = scene.node_count,
		               .materials = scene.material_count,
		               .textures = scene.texture_count };
	for (int i = 0; i < scene.mesh_count && status == STATUS_OK; ++i) {
		made.vertices += rbl_mesh_get_data(scene.meshes[i]).vertex_count;
		made.faces += rbl_mesh_get_data(scene.meshes[i]).face_count;
	}
	if (status == STATUS_OK && options->json)
		status = write_json(options, &made);
	for (int i = 0; repaired && i < scene.mesh_count; ++i)
		rbl_destroy_mesh(repaired[i]);
	free(repaired);
	rbl_destroy_document(document);
	return status;
}

static int convert_mesh(convert_options *options)
{
	rbl_mesh *mesh;
	int status = STATUS_OK;
	progress line;
	progress_begin(&line, "reading");
	rbl_result result = read_mesh(options->in, &options->read, &mesh);
	progress_end(&line);
	if (result != RBL_OK)
		return fail_with(result, options->in);
	if (rbl_mesh_get_data(mesh).vertex_count == 0) {
		status = fail("%s: it has no vertices", options->in);
	} else if (options->is_repaired) {
		progress_begin(&line, "repairing");
		status = repair(options, &mesh);
		progress_end(&line);
		if (status == STATUS_OK)
			print_repair_table(&options->repair);
	}
	if (status == STATUS_OK) {
		result = write_mesh(options->out, mesh, &options->write);
		if (result != RBL_OK)
			status = fail_with(result, options->out);
	}
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	converted made = { 1, 1, data.material_count, 0, data.vertex_count, data.face_count };
	if (status == STATUS_OK && options->json)
		status = write_json(options, &made);
	rbl_destroy_mesh(mesh);
	return status;
}

static int run(int argc, char **argv)
{
	static const char *const axes[] = { "x", "y", "z", NULL };
	int up = RBL_AXIS_Y, format = -1;
	double size_limit = (double)RBL_FILE_SIZE_LIMIT;
	convert_options options = { .read = rbl_default_read_def(), .write = rbl_default_write_def() };
	options.repair.is_unchanged = true;
	const option table[] = {
		OPTION_FLAG("repair", &options.is_repaired,
		            "weld, orient, split and fill until it is closed"),
		OPTION_CHOICE("format", &format, file_formats, "of OUT, default by its name; of - glb"),
		OPTION_CHOICE("up", &up, axes, "the axis that points up in IN, default y"),
		OPTION_NUMBER("scale", "S", &options.read.scale, 1e-12, 1e12,
		              "metres per unit of IN, default 1"),
		OPTION_FLAG("left-handed", &options.read.is_left_handed, "the axes of IN are left-handed"),
		OPTION_FLAG("allow-outside", &options.read.allow_outside,
		            "let IN read files outside its folder: buffers, material libraries"),
		OPTION_NUMBER("size-limit", "BYTES", &size_limit, 1.0, 1e15,
		              "maximum size of IN and the files it names; default 2147483648"),
		OPTION_FLAG("text", &options.write.as_text, "PLY and STL as text"),
		OPTION_FLAG("single", &options.write.single_precision, "PLY with 4-byte positions"),
		OPTION_FLAG("quantize", &options.write.is_quantized,
		            ".glb with 16-bit positions and 8-bit normals: half of the size or less"),
		OPTION_OUTPUT("json", "FILE", &options.json, "write the result as JSON"),
		OPTION_END,
	};
	positional_arguments found;
	int status;
	if (!parse_options(&command_convert, table, argc, argv, &found, &status))
		return status;
	options.read.up = (rbl_up_axis)up;
	options.read.size_limit = (uint64_t)size_limit;
	options.write.format = file_format_of(format);
	options.in = found.items[0], options.out = found.items[1];
	bool is_glb = options.write.format == RBL_FORMAT_GLTF ||
	              (options.write.format == RBL_FORMAT_AUTO && is_glb_name(options.out));
	bool is_whole = is_glb && is_gltf_file(options.in) && up == RBL_AXIS_Y &&
	                options.read.scale == 1.0 && !options.read.is_left_handed;
	return is_whole ? convert_document(&options) : convert_mesh(&options);
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
