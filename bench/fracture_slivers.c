// SPDX-License-Identifier: MIT
//
// What polygons save (Mueller et al. 2013, Figure 9). A box breaks into pieces, these break again, and the
// pieces of those once more, always by the same patterns. The variant `rubble` hands polygons on; the
// variant `triangles` cuts every face of a piece into triangles before it breaks again, as a library must
// that knows triangles only. Counted are the triangles to draw after each round, and the thin ones.

#include "fracture_slivers.h"

#include "base/vec.h"

#include <rubble/fracture.h>
#include <rubble/shapes.h>

#include <stdlib.h>

enum { ROUNDS = 3, CELLS = 10 };

typedef struct sliver_count {
	const rbl_pattern *patterns[ROUNDS];
	bool is_cut; // into triangles between rounds
	int pieces[ROUNDS], triangles[ROUNDS], slivers[ROUNDS];
	int failures;
	uint64_t ns; // of breaking alone
} sliver_count;

// Triangles whose height is below a hundredth of their longest side.
int bench_count_slivers(const rbl_draw_vertex *vertices, int triangles)
{
	int slivers = 0;
	for (int t = 0; t < triangles; ++t) {
		rbl_vec3d p[3];
		double longest = 0.0;
		for (int k = 0; k < 3; ++k)
			p[k] = rbl_to_d(vertices[3 * t + k].position);
		for (int k = 0; k < 3; ++k)
			longest = rbl_maxd(longest, rbl_distance_d(p[k], p[(k + 1) % 3]));
		double area = rbl_length_d(rbl_cross_d(rbl_sub_d(p[1], p[0]), rbl_sub_d(p[2], p[0])));
		slivers += area < 0.01 * longest * longest;
	}
	return slivers;
}

// The same surface with a face for each triangle.
static rbl_mesh *cut_into_triangles(const rbl_mesh *mesh)
{
	int count = rbl_mesh_triangle_count(mesh);
	int *corners = malloc(3 * (size_t)count * sizeof *corners);
	int *starts = malloc(((size_t)count + 1) * sizeof *starts);
	rbl_mesh *made = NULL;
	if (corners && starts && rbl_mesh_triangulate(mesh, corners, NULL) == RBL_OK) {
		rbl_mesh_data from = rbl_mesh_get_data(mesh);
		for (int i = 0; i < 3 * count; ++i)
			corners[i] = from.corner_vertices[corners[i]];
		for (int i = 0; i <= count; ++i)
			starts[i] = 3 * i;
		rbl_mesh_def def = rbl_default_mesh_def();
		def.data = (rbl_mesh_data){ .vertex_count = from.vertex_count,
			                        .positions = from.positions,
			                        .face_count = count,
			                        .face_starts = starts,
			                        .corner_count = 3 * count,
			                        .corner_vertices = corners };
		rbl_create_mesh(&def, &made);
	}
	free(corners);
	free(starts);
	return made;
}

static void count_piece(sliver_count *count, const rbl_pieces *pieces, int index, int round)
{
	rbl_piece_info info = rbl_piece_get_info(pieces, index);
	rbl_draw_vertex *vertices = malloc(3 * (size_t)info.triangle_capacity * sizeof *vertices);
	int triangles = 0;
	if (!vertices || rbl_piece_get_triangles(pieces, index, vertices, NULL, &triangles) != RBL_OK)
		count->failures++;
	count->triangles[round] += triangles;
	count->slivers[round] += bench_count_slivers(vertices, triangles);
	free(vertices);
}

static void break_mesh(sliver_count *count, const rbl_mesh *mesh, int round)
{
	rbl_solid_def solid_def = rbl_default_solid_def();
	rbl_solid *solid = NULL;
	solid_def.mesh = mesh;
	if (rbl_create_solid(&solid_def, &solid) != RBL_OK) {
		count->failures++;
		return;
	}
	rbl_pieces_def def = rbl_default_pieces_def();
	rbl_pieces *pieces = NULL;
	def.solid = solid;
	def.pattern = count->patterns[round];
	def.position = rbl_box_centre_d(rbl_mesh_bounds(mesh));
	uint64_t start = bench_now_ns();
	if (rbl_create_pieces(&def, &pieces) != RBL_OK)
		count->failures++;
	count->ns += bench_now_ns() - start;
	int piece_count = pieces ? rbl_pieces_get_report(pieces).piece_count : 0;
	count->pieces[round] += piece_count;
	for (int i = 0; i < piece_count; ++i) {
		rbl_mesh *piece = NULL, *cut = NULL;
		count_piece(count, pieces, i, round);
		if (round + 1 == ROUNDS)
			continue;
		if (rbl_piece_create_mesh(pieces, i, NULL, &piece) != RBL_OK)
			count->failures++;
		if (piece && count->is_cut)
			cut = cut_into_triangles(piece);
		if (piece && (cut || !count->is_cut))
			break_mesh(count, cut ? cut : piece, round + 1);
		else
			count->failures++;
		rbl_destroy_mesh(cut);
		rbl_destroy_mesh(piece);
	}
	rbl_destroy_pieces(pieces);
	rbl_destroy_solid(solid);
}

void bench_slivers(bench *b)
{
	const char *name = "slivers";
	if (!bench_wants(b, name))
		return;
	rbl_box_def box = rbl_default_box_def();
	rbl_mesh *mesh = NULL;
	rbl_pattern *patterns[ROUNDS] = { NULL };
	bool is_ready = rbl_create_box_mesh(&box, &mesh) == RBL_OK;
	for (int i = 0; i < ROUNDS; ++i) {
		rbl_pattern_def def = rbl_default_pattern_def();
		def.cell_count = CELLS;
		def.seed = (uint64_t)i + 1;
		def.size = rbl_scale_d(i == 0 ? 1.0 : i == 1 ? 0.6 : 0.3, box.size);
		is_ready &= rbl_create_pattern(&def, &patterns[i]) == RBL_OK;
	}
	for (int variant = 0; variant < 2 && is_ready; ++variant) {
		const char *word = variant == 0 ? "rubble" : "triangles";
		sliver_count count = { .is_cut = variant == 1 };
		for (int i = 0; i < ROUNDS; ++i)
			count.patterns[i] = patterns[i];
		break_mesh(&count, mesh, 0);
		bench_row(b, name, word, "ms", 1e-6 * (double)count.ns, "ms");
		bench_row(b, name, word, "pieces", count.pieces[ROUNDS - 1], "");
		bench_row(b, name, word, "triangles", count.triangles[ROUNDS - 1], "");
		bench_row(b, name, word, "slivers", count.slivers[ROUNDS - 1], "");
		for (int i = 0; i < ROUNDS; ++i)
			bench_point(b, name, word, "triangles", i + 1, count.triangles[i], "");
		for (int i = 0; i < ROUNDS; ++i)
			bench_point(b, name, word, "slivers", i + 1, count.slivers[i], "");
		if (count.failures > 0)
			bench_fail(b, name, word, "a piece could not be broken again");
	}
	if (!is_ready)
		bench_fail(b, name, "rubble", "no box or no pattern");
	for (int i = 0; i < ROUNDS; ++i)
		rbl_destroy_pattern(patterns[i]);
	rbl_destroy_mesh(mesh);
}
