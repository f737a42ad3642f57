// SPDX-License-Identifier: MIT
//
// Other libraries on the cases of the suite `fracture`, when they are installed.
//
// A library that clips the whole mesh by each cell takes time that grows with cells times triangles:
// seconds for spot-100, minutes for bunny-1000. It is only run for at most 100 cells where that
// product is small: of the suite's cases box-100 and spot-10. It cuts by the very cells of the pattern,
// made before the clock starts; islands are separated, as in our own time.

#include "fracture_baselines.h"

#ifdef RBL_HAVE_PEERS

#include "base/random.h"
#include "base/vec.h"
#include "fracture_peers.h"

#include <rubble/convex.h>

#include <stdlib.h>

enum { MOST_CELLS = 100, MOST_TRIANGLES_SEEN = 100000 };

typedef struct triangles {
	double *positions;
	int *corners;
	fracture_peer_mesh mesh;
} triangles;

static bool flatten(const rbl_mesh *mesh, rbl_vec3d shift, triangles *out)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	int count = rbl_mesh_triangle_count(mesh);
	out->positions = malloc(3 * (size_t)data.vertex_count * sizeof(double));
	out->corners = malloc(3 * (size_t)count * sizeof(int));
	if (!out->positions || !out->corners ||
	    rbl_mesh_triangulate(mesh, out->corners, NULL) != RBL_OK)
		return false;
	for (int v = 0; v < data.vertex_count; ++v) {
		rbl_vec3d p = rbl_add_d(data.positions[v], shift);
		out->positions[3 * v] = p.x;
		out->positions[3 * v + 1] = p.y;
		out->positions[3 * v + 2] = p.z;
	}
	for (int k = 0; k < 3 * count; ++k)
		out->corners[k] = data.corner_vertices[out->corners[k]];
	out->mesh = (fracture_peer_mesh){ out->positions, out->corners, data.vertex_count, count };
	return true;
}

static bool flatten_cell(const rbl_pattern *pattern, int cell, rbl_vec3d position, triangles *out)
{
	rbl_convex *convex = NULL;
	rbl_mesh *mesh = NULL;
	bool done = rbl_pattern_create_cell_convex(pattern, cell, NULL, &convex) == RBL_OK && convex &&
	            rbl_convex_create_mesh(convex, NULL, &mesh) == RBL_OK &&
	            flatten(mesh, position, out);
	rbl_destroy_mesh(mesh);
	rbl_destroy_convex(convex);
	return done;
}

static void run_clip(bench *b, const char *name, const fracture_peer *peer, const triangles *whole,
                     const fracture_peer_mesh *cells, int cell_count, double volume)
{
	int repeat = bench_repeat(b) > 0 ? bench_repeat(b) : 2;
	fracture_peer_result r = peer->clip(&whole->mesh, cells, cell_count, repeat);
	bench_row(b, name, peer->name, "ms", 1e-6 * r.ns, "ms");
	bench_row(b, name, peer->name, "pieces", r.piece_count, "");
	if (r.piece_count > 0)
		bench_row(b, name, peer->name, "us_per_piece", 1e-3 * r.ns / r.piece_count, "us");
	bench_row(b, name, peer->name, "volume_error", fabs(r.volume / volume - 1.0), "");
	bench_row(b, name, peer->name, "open_pieces", r.open_count + r.failed_count, "");
}

void bench_clip_peers(bench *b, const char *case_name, const rbl_mesh *mesh,
                      const rbl_pattern *pattern, rbl_vec3d position)
{
	int count = rbl_pattern_cell_count(pattern);
	if (count > MOST_CELLS || (int64_t)count * rbl_mesh_triangle_count(mesh) > MOST_TRIANGLES_SEEN)
		return;
	triangles whole = { 0 }, *parts = calloc((size_t)count, sizeof *parts);
	fracture_peer_mesh *cells = calloc((size_t)count, sizeof *cells);
	bool done = parts && cells && flatten(mesh, (rbl_vec3d){ 0, 0, 0 }, &whole);
	for (int i = 0; i < count && done; ++i) {
		done = flatten_cell(pattern, i, position, &parts[i]);
		cells[i] = parts[i].mesh;
	}
	for (int i = 0; fracture_peers[i] && done; ++i) {
		if (fracture_peers[i]->clip)
			run_clip(b, case_name, fracture_peers[i], &whole, cells, count,
			         rbl_mesh_get_mass(mesh).volume);
	}
	for (int i = 0; i < count && parts; ++i)
		free(parts[i].positions), free(parts[i].corners);
	free(whole.positions), free(whole.corners);
	free(parts), free(cells);
}

void bench_voronoi_peers(bench *b, const char *case_name, int count)
{
	const double box[6] = { -1, -1, -1, 1, 1, 1 };
	double *sites = malloc(3 * (size_t)count * sizeof *sites);
	rbl_random random = rbl_random_from_seed(1);
	for (int i = 0; i < count && sites; ++i) {
		rbl_vec3d p = rbl_random_in_box(&random, (rbl_boxd){ { -1, -1, -1 }, { 1, 1, 1 } });
		sites[3 * i] = p.x;
		sites[3 * i + 1] = p.y;
		sites[3 * i + 2] = p.z;
	}
	for (int i = 0; fracture_peers[i] && sites; ++i) {
		const fracture_peer *peer = fracture_peers[i];
		if (!peer->voronoi)
			continue;
		int repeat = bench_repeat(b) > 0 ? bench_repeat(b) : count < 100000 ? 5 : 2;
		fracture_peer_result r = peer->voronoi(sites, count, box, repeat);
		bench_row(b, case_name, peer->name, "us_per_cell", 1e-3 * r.ns / count, "us");
		bench_row(b, case_name, peer->name, "volume_error", fabs(r.volume / 8.0 - 1.0), "");
	}
	free(sites);
}

void bench_hull_peers(bench *b, const char *case_name, const rbl_vec3d *points, int count,
                      double exact_volume)
{
	for (int i = 0; fracture_peers[i]; ++i) {
		const fracture_peer *peer = fracture_peers[i];
		if (!peer->hull)
			continue;
		int repeat = bench_repeat(b) > 0 ? bench_repeat(b) : 5;
		fracture_peer_result r = peer->hull(&points[0].x, count, repeat);
		bench_row(b, case_name, peer->name, "ms", 1e-6 * r.ns, "ms");
		bench_row(b, case_name, peer->name, "ratio", r.volume / exact_volume, "");
		bench_row(b, case_name, peer->name, "planes", r.piece_count, "");
	}
}

#else

void bench_clip_peers(bench *b, const char *case_name, const rbl_mesh *mesh,
                      const rbl_pattern *pattern, rbl_vec3d position)
{
	(void)b, (void)case_name, (void)mesh, (void)pattern, (void)position;
}

void bench_voronoi_peers(bench *b, const char *case_name, int count)
{
	(void)b, (void)case_name, (void)count;
}

void bench_hull_peers(bench *b, const char *case_name, const rbl_vec3d *points, int count,
                      double exact_volume)
{
	(void)b, (void)case_name, (void)points, (void)count, (void)exact_volume;
}

#endif
