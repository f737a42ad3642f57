// SPDX-License-Identifier: MIT
// rubble info: the contents of a mesh file, and whether it can be broken; of assets and recordings.

#include "asset_files.h"
#include "commands.h"
#include "drawn_file.h"
#include "errors.h"
#include "files.h"
#include "info.h"
#include "progress.h"

#include <rubble/fracture.h>
#include <rubble/io.h>
#include <rubble/mesh.h>

#include <stdio.h>
#include <stdlib.h>

void print_json_text(const char *text)
{
	put_json_text(stdout, text);
}

static const char *word(bool value)
{
	return value ? "true" : "false";
}

// Whether a mesh can be broken, and why not.
typedef struct verdict {
	bool is_breakable;
	int shell_count;
	rbl_crossing_report crossings;
	char reason[400]; // empty when it can be
} verdict;

// Check as breaking would. @return RBL_OK, RBL_OUT_OF_MEMORY
static rbl_result judge(const rbl_mesh *mesh, verdict *v)
{
	rbl_solid_def def = rbl_default_solid_def();
	rbl_solid *solid = NULL;
	def.mesh = mesh;
	*v = (verdict){ .is_breakable = false };
	rbl_result result = rbl_create_solid(&def, &solid);
	v->shell_count = rbl_solid_shell_count(solid);
	if (result == RBL_OK)
		result = rbl_solid_find_crossings(solid, &v->crossings);
	v->is_breakable = result == RBL_OK && v->crossings.is_breakable;
	if (result != RBL_OK)
		snprintf(v->reason, sizeof v->reason, "%s", logged_error());
	else if (!v->is_breakable)
		snprintf(v->reason, sizeof v->reason,
		         "it crosses itself, and %.3g of its volume is inside out",
		         v->crossings.inverted_volume);
	rbl_destroy_solid(solid);
	return result == RBL_OUT_OF_MEMORY ? result : RBL_OK;
}

static void print_json_materials(const rbl_mesh_data *data)
{
	printf("  \"materials\": [");
	for (int i = 0; i < data->material_count; ++i) {
		const rbl_mesh_material *m = &data->materials[i];
		printf("%s\n    { \"name\": ", i > 0 ? "," : "");
		print_json_text(m->name);
		printf(", \"base_color\": [%g, %g, %g, %g], \"metallic\": %g, \"roughness\": %g }",
		       (double)m->base_color.x, (double)m->base_color.y, (double)m->base_color.z,
		       (double)m->base_color.w, (double)m->metallic, (double)m->roughness);
	}
	printf("%s],\n", data->material_count > 0 ? "\n  " : "");
}

static void print_materials(const rbl_mesh_data *data)
{
	for (int i = 0; i < data->material_count; ++i) {
		const rbl_mesh_material *m = &data->materials[i];
		printf("%-17s %s: color %.3g %.3g %.3g %.3g, metallic %.3g, roughness %.3g\n",
		       i == 0 ? "materials" : "", m->name, (double)m->base_color.x, (double)m->base_color.y,
		       (double)m->base_color.z, (double)m->base_color.w, (double)m->metallic,
		       (double)m->roughness);
	}
}

static void print_json(const char *file, const rbl_mesh_report *report, const verdict *v,
                       const rbl_mesh *mesh, int tet_count)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	printf("{\n  \"file\": ");
	print_json_text(file);
	printf(",\n  \"vertices\": %d,\n  \"faces\": %d,\n  \"triangles\": %d,\n", report->vertices,
	       report->faces, report->triangles);
	if (tet_count > 0)
		printf("  \"tetrahedra\": %d,\n", tet_count);
	printf("  \"components\": %d,\n  \"boundary_edges\": %d,\n  \"nonmanifold_edges\": %d,\n"
	       "  \"nonmanifold_vertices\": %d,\n  \"loose_vertices\": %d,\n"
	       "  \"degenerate_faces\": %d,\n  \"duplicate_faces\": %d,\n",
	       report->components, report->boundary_edges, report->nonmanifold_edges,
	       report->nonmanifold_vertices, report->loose_vertices, report->degenerate_faces,
	       report->duplicate_faces);
	printf("  \"closed\": %s,\n  \"manifold\": %s,\n  \"oriented\": %s,\n  \"genus\": %d,\n"
	       "  \"volume\": %.17g,\n",
	       word(report->is_closed), word(report->is_manifold), word(report->is_oriented),
	       report->genus, report->volume);
	print_json_materials(&data);
	if (!is_standard(file) && is_gltf_file(file))
		print_scene_info(file, true);
	printf("  \"outer_shells\": %d,\n  \"crossings\": %d,\n  \"inverted_volume\": %.9g,\n"
	       "  \"breakable\": %s,\n  \"reason\": ",
	       v->shell_count, v->crossings.crossing_count, v->crossings.inverted_volume,
	       word(v->is_breakable));
	print_json_text(v->reason);
	printf("\n}\n");
}

static void print_table(const char *file, const rbl_mesh_report *report, const verdict *v,
                        const rbl_mesh *mesh, int tet_count)
{
	rbl_boxd box = rbl_mesh_bounds(mesh);
	printf("vertices          %d\nfaces             %d\ntriangles         %d\n", report->vertices,
	       report->faces, report->triangles);
	if (tet_count > 0)
		printf("tetrahedra        %d\n", tet_count);
	printf("components        %d\nboundary edges    %d\nnonmanifold edges %d\n"
	       "degenerate faces  %d\n",
	       report->components, report->boundary_edges, report->nonmanifold_edges,
	       report->degenerate_faces);
	if (report->nonmanifold_vertices > 0)
		printf("bad vertices      %d, where faces meet only at a point\n",
		       report->nonmanifold_vertices);
	if (report->duplicate_faces > 0)
		printf("duplicate faces   %d\n", report->duplicate_faces);
	if (report->loose_vertices > 0)
		printf("loose vertices    %d, which no face uses\n", report->loose_vertices);
	printf("closed            %s\nmanifold          %s\noriented          %s\n",
	       report->is_closed ? "yes" : "no", report->is_manifold ? "yes" : "no",
	       report->is_oriented ? "yes" : "no");
	if (report->genus >= 0)
		printf("genus             %d\n", report->genus);
	if (report->is_closed)
		printf("volume            %.9g m^3\n", report->volume);
	if (report->vertices > 0)
		printf("size              %.6g x %.6g x %.6g m\n", box.upper.x - box.lower.x,
		       box.upper.y - box.lower.y, box.upper.z - box.lower.z);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	print_materials(&data);
	if (!is_standard(file) && is_gltf_file(file))
		print_scene_info(file, false);
	if (v->crossings.crossing_count > 0)
		printf("crossings         %d\n", v->crossings.crossing_count);
	printf("breakable         %s%s%s\n", v->is_breakable ? "yes" : "no: ", v->reason,
	       v->is_breakable ? "" : "; try --repair, as of rubble convert");
}

// Triangulate faces as most programs do: fans from the first corner.
static rbl_result make_fans(const rbl_mesh *mesh, rbl_mesh **fans)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	int count = 0;
	int *corners = malloc((size_t)rbl_mesh_triangle_count(mesh) * 3 * sizeof *corners + 1);
	if (!corners)
		return RBL_OUT_OF_MEMORY;
	for (int f = 0; f < data.face_count; ++f) {
		int begin = data.face_starts[f], end = data.face_starts[f + 1];
		for (int c = begin + 1; c + 1 < end; ++c) {
			corners[count++] = data.corner_vertices[begin];
			corners[count++] = data.corner_vertices[c];
			corners[count++] = data.corner_vertices[c + 1];
		}
	}
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = (rbl_mesh_data){ .vertex_count = data.vertex_count,
		                        .positions = data.positions,
		                        .face_count = count / 3,
		                        .corner_count = count,
		                        .corner_vertices = corners };
	rbl_result result = rbl_create_mesh(&def, fans);
	free(corners);
	return result;
}

// Check a mesh. Edges are those of triangles: two faces may be cut along the same two vertices, which makes
// an edge of four triangles that the polygons do not have.
static rbl_result examine(const rbl_mesh *mesh, rbl_mesh_report *report)
{
	rbl_result result = rbl_mesh_check(mesh, report);
	if (result != RBL_OK || report->triangles == report->faces)
		return result;
	rbl_mesh *fans = NULL;
	rbl_mesh_report cut;
	result = make_fans(mesh, &fans);
	if (result == RBL_OK)
		result = rbl_mesh_check(fans, &cut);
	if (result == RBL_OK) {
		report->nonmanifold_edges = cut.nonmanifold_edges;
		report->nonmanifold_vertices = cut.nonmanifold_vertices;
		report->is_manifold = cut.is_manifold;
		report->is_oriented = cut.is_oriented;
		report->genus = cut.genus;
	}
	rbl_destroy_mesh(fans);
	return result;
}

static int run(int argc, char **argv)
{
	bool is_json = false, is_repaired = false;
	const option options[] = {
		OPTION_FLAG("json", &is_json, "print JSON"),
		OPTION_FLAG("repair", &is_repaired, "close a mesh first, and show what comes of it"),
		OPTION_END,
	};
	positional_arguments found;
	int status;
	if (!parse_options(&command_info, options, argc, argv, &found, &status))
		return status;
	const char *file = found.items[0];
	file_kind kind = file_kind_of(file);
	if (kind != FILE_MESH)
		return kind == FILE_ASSET ? print_asset_info(file, is_json)
		                          : print_recording_info(file, is_json);
	rbl_mesh *mesh;
	progress line;
	progress_begin(&line, "reading");
	rbl_result result = read_mesh(file, NULL, &mesh);
	progress_end(&line);
	if (result == RBL_OK && is_repaired) {
		say_on_stderr();
		result = repair_mesh(&mesh);
	}
	if (result != RBL_OK)
		return fail_with(result, file);
	rbl_tet_arrays tets = { 0 };
	if (rbl_file_format_of_name(file) == RBL_FORMAT_MEDIT)
		rbl_read_tet_arrays(file, NULL, &tets); // a file without any is fine
	rbl_mesh_report report;
	verdict v;
	progress_begin(&line, "checking");
	result = examine(mesh, &report);
	if (result == RBL_OK && report.vertices > 0)
		result = judge(mesh, &v);
	progress_end(&line);
	if (result != RBL_OK)
		status = fail_with(result, file);
	else if (report.vertices == 0)
		status = fail("%s: it has no vertices", file); // OBJ ignores unknown lines
	else if (is_json)
		print_json(file, &report, &v, mesh, tets.tet_count);
	else
		print_table(file, &report, &v, mesh, tets.tet_count);
	rbl_free_tet_arrays(&tets);
	rbl_destroy_mesh(mesh);
	return status;
}

const command command_info = {
	.name = "info",
	.arguments = "FILE",
	.about = "show what a file contains and whether it can be broken",
	.details =
		"Reads OBJ, PLY, STL, OFF, MEDIT .mesh, .gltf and .glb, assets of rubble prepare and\n"
		"recordings of rubble run. Edges, and so whether a mesh is manifold and oriented, are\n"
		"those of the triangles that most programs make of polygons: fans from the first corner.\n"
		"Two fans with a common diagonal are a non-manifold edge; rubble convert --repair\n"
		"triangulates such faces in another way. Breakable is what rubble fracture and rubble\n"
		"prepare accept: closed when vertices at the same position are merged, each shell\n"
		"oriented outwards, no part inside out by self-intersection.",
	.min_arguments = 1,
	.max_arguments = 1,
	.run = run,
};
