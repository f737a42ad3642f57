// SPDX-License-Identifier: MIT
// Breaks a Roman arena where something hit it, and writes the pieces, those near the hit pulled
// apart, for any glTF viewer.
//
//     break_arena [OUT.glb [DETAIL]]

#include <rubble/io.h>
#include <rubble/rubble.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Where it is hit: the outer wall, in the middle of the second storey. Pieces up to FLY_RADIUS away fly.
static const rbl_vec3d hit = { 20.0, 12.0, 31.0 };
static const double FLY_RADIUS = 22.0, FLIGHT = 9.0;

static void print_log(void *user, rbl_log_level level, const char *text)
{
	(void)user;
	if (level != RBL_LOG_INFO)
		fprintf(stderr, "break_arena: %s\n", text);
}

// A pattern that is fine at the hit and coarse far from it.
static rbl_result make_pattern(rbl_pattern **pattern)
{
	rbl_pattern_def def = rbl_default_pattern_def();
	def.kind = RBL_PATTERN_IMPACT;
	def.size = (rbl_vec3d){ 2.0 * FLY_RADIUS, 2.0 * FLY_RADIUS, 2.0 * FLY_RADIUS };
	def.cell_count = 400;
	def.focus = 0.7;
	return rbl_create_pattern(&def, pattern);
}

static rbl_result break_it(const rbl_solid *solid, const rbl_pattern *pattern, rbl_pieces **pieces)
{
	rbl_pieces_def def = rbl_default_pieces_def();
	def.solid = solid;
	def.pattern = pattern;
	def.position = hit;
	return rbl_create_pieces(&def, pieces);
}

// How far a piece has flown: away from the hit, less with distance.
static rbl_vec3 flight_of(rbl_vec3d centre)
{
	rbl_vec3d d = { centre.x - hit.x, centre.y - hit.y, centre.z - hit.z };
	double distance = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
	double near = fmax(0.0, 1.0 - distance / FLY_RADIUS);
	double s = distance > 0.0 ? FLIGHT * near * near / distance : 0.0;
	return (rbl_vec3){ (float)(s * d.x), (float)(s * fabs(d.y)), (float)(s * d.z) };
}

static rbl_result write_pieces(const char *path, const rbl_pieces *pieces)
{
	int count = rbl_pieces_count(pieces);
	rbl_mesh **meshes = calloc((size_t)count, sizeof *meshes);
	rbl_scene_node *nodes = calloc((size_t)count, sizeof *nodes);
	rbl_result result = meshes && nodes ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count && result == RBL_OK; ++i) {
		result = rbl_piece_create_mesh(pieces, i, NULL, &meshes[i]);
		nodes[i] = rbl_default_scene_node();
		nodes[i].mesh = i;
		nodes[i].translation = flight_of(rbl_piece_get_info(pieces, i).centre);
	}
	if (result == RBL_OK) {
		rbl_scene scene = { .mesh_count = count,
			                .meshes = (const rbl_mesh *const *)meshes,
			                .node_count = count,
			                .nodes = nodes };
		result = rbl_write_scene(path, &scene, NULL);
	}
	for (int i = 0; i < count && meshes; ++i)
		rbl_destroy_mesh(meshes[i]);
	free(meshes);
	free(nodes);
	return result;
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "arena-broken.glb";
	rbl_set_log(print_log, NULL);

	rbl_arena_def arena_def = rbl_default_arena_def();
	if (argc > 2)
		arena_def.detail = atoi(argv[2]);
	rbl_mesh *mesh = NULL;
	rbl_solid *solid = NULL;
	rbl_pattern *pattern = NULL;
	rbl_pieces *pieces = NULL;
	rbl_result result = rbl_create_arena_mesh(&arena_def, &mesh);
	if (result == RBL_OK) {
		rbl_solid_def def = rbl_default_solid_def();
		def.mesh = mesh;
		result = rbl_create_solid(&def, &solid);
	}
	if (result == RBL_OK)
		result = make_pattern(&pattern);
	if (result == RBL_OK)
		result = break_it(solid, pattern, &pieces);
	if (result == RBL_OK) {
		rbl_pieces_report report = rbl_pieces_get_report(pieces);
		printf("The arena is hit: %d parts become %d pieces\n", rbl_solid_shell_count(solid),
		       report.piece_count);
		printf("  every piece closed, volume off by %.1g of the whole\n",
		       fabs(report.volume_out / report.volume_in - 1.0));
		result = write_pieces(path, pieces);
	}
	if (result == RBL_OK)
		printf("  written to %s\n", path);
	else
		fprintf(stderr, "break_arena: %s\n", rbl_result_text(result));
	rbl_destroy_pieces(pieces);
	rbl_destroy_pattern(pattern);
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);
	return result == RBL_OK ? 0 : 1;
}
