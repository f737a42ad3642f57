// SPDX-License-Identifier: MIT
//
// Pairs of triangles of different bodies, at one instant, from clusters to what meets.
//
// A cluster stands against several others, one after another, and each of its triangles against
// several. So its triangles are written into rows, with their planes, when the first pair is found,
// and tests read rows. Vertices and triangles are asked for some clusters ahead, since most of the
// time would go into waiting for them.

#include "surface/narrow.h"
#include "surface/surface_kernels.h"

#include "geometry/geometry.h"

// Clusters between asking for triangles, asking for vertices, and reading them.
enum { AHEAD = 4, LANES = RBL_CLUSTER_SIZE };

static const int32_t *triangles_of(const rbl_surface *surface, const rbl_rows *rows, int place)
{
	return surface->cluster_data[rows->clusters[place]].triangles;
}

// @return where a cluster has its rows, or -1
static int find(const rbl_rows *rows, uint32_t cluster)
{
	int place = rows->places[cluster % RBL_ROW_TABLE];
	return place < rows->cluster_count && rows->clusters[place] == cluster ? place : -1;
}

static void ask_for_corners(const rbl_surface *surface, const rbl_rows *rows, int place)
{
	if (rbl_surface_has_corners(surface)) {
		const rbl_cluster_corners *corners = rbl_surface_corners(surface, rows->clusters[place]);
		rbl_prefetch(&corners->vertices[0]);
		rbl_prefetch(&corners->vertices[2]);
		return;
	}
	const int32_t *ids = triangles_of(surface, rows, place);
	for (int lane = 0; lane < LANES; ++lane)
		rbl_prefetch(&surface->triangles[3 * (ptrdiff_t)ids[lane]]);
}

static void ask_for_vertices(const rbl_surface *surface, rbl_rows *rows)
{
	int place = rows->asked_count++;
	const rbl_vec3 *positions = surface->positions[1];
	const int32_t *ids = triangles_of(surface, rows, place);
	if (rbl_surface_has_corners(surface)) {
		const int32_t *corners = rbl_surface_corners(surface, rows->clusters[place])->vertices[0];
		for (int i = 0; i < 3 * LANES; ++i)
			rbl_prefetch(positions + corners[i]);
		return;
	}
	for (int lane = 0; lane < LANES && ids[lane] >= 0; ++lane) {
		const int *corners = surface->triangles + 3 * (size_t)ids[lane];
		for (int k = 0; k < 3; ++k)
			rbl_prefetch(positions + corners[k]);
	}
}

static void fill(const rbl_surface *surface, rbl_rows *rows)
{
	int place = rows->filled_count++;
	uint32_t cluster = rows->clusters[place];
	rbl_cluster_corners found;
	const rbl_cluster_corners *corners = &found;
	if (rbl_surface_has_corners(surface))
		corners = rbl_surface_corners(surface, cluster);
	else
		rbl_cluster_corners_read(&found, &surface->cluster_data[cluster], surface->triangles);
	RBL_PICK(rbl_rows_fill)
	(rows->rows + LANES * place, surface->positions[1], corners->vertices);
}

static void add(const rbl_surface *surface, rbl_rows *rows, uint32_t cluster)
{
	int place = rows->cluster_count++;
	rows->clusters[place] = cluster;
	rows->places[cluster % RBL_ROW_TABLE] = (unsigned char)place;
	ask_for_corners(surface, rows, place);
	if (rows->asked_count + AHEAD < rows->cluster_count)
		ask_for_vertices(surface, rows);
	if (rows->filled_count + AHEAD < rows->asked_count)
		fill(surface, rows);
}

void rbl_narrow_meet(const rbl_surface *surface, rbl_surface_worker *worker, uint32_t a, uint32_t b)
{
	rbl_rows *rows = &worker->rows;
	if (rows->cluster_count + 2 > RBL_ROW_CLUSTERS ||
	    rows->pair_count + LANES * LANES > RBL_ROW_PAIRS)
		rbl_narrow_meet_all(surface, worker);
	int a_place = find(rows, a), b_place = find(rows, b), next = rows->cluster_count;
	bool a_is_new = a_place < 0, b_is_new = b_place < 0;
	a_place = a_is_new ? next++ : a_place;
	b_place = b_is_new ? next : b_place;
	rbl_cluster_rows of_a = { &surface->cluster_data[a], &rows->boxes[a_place], LANES * a_place,
		                      a_is_new };
	rbl_cluster_rows of_b = { &surface->cluster_data[b], &rows->boxes[b_place], LANES * b_place,
		                      b_is_new };
	int count = RBL_PICK(rbl_cluster_row_pairs)(&of_a, &of_b, rows->pairs + rows->pair_count);
	worker->counts.candidates += count;
	rows->pair_count += count;
	if (count > 0 && a_is_new)
		add(surface, rows, a);
	if (count > 0 && b_is_new)
		add(surface, rows, b);
}

static rbl_surface_pair pair_of(const rbl_surface *surface, const rbl_rows *rows, rbl_row_pair pair)
{
	int first = (int)(pair & 0xffffu), second = (int)(pair >> 16);
	int a = triangles_of(surface, rows, first / LANES)[first % LANES];
	int b = triangles_of(surface, rows, second / LANES)[second % LANES];
	return a < b ? (rbl_surface_pair){ a, b } : (rbl_surface_pair){ b, a };
}

void rbl_narrow_meet_all(const rbl_surface *surface, rbl_surface_worker *worker)
{
	rbl_rows *rows = &worker->rows;
	while (rows->asked_count < rows->cluster_count)
		ask_for_vertices(surface, rows);
	while (rows->filled_count < rows->cluster_count)
		fill(surface, rows);
	rbl_row_pair open[RBL_ROW_PAIRS + 1];
	int count = rows->pair_count, open_count = 0;
	int found = RBL_PICK(rbl_rows_test)(rows->rows, rows->pairs, count, open, &open_count);
	const int *triangles = surface->triangles;
	for (int i = 0; i < open_count; ++i) {
		rbl_surface_pair pair = pair_of(surface, rows, open[i]);
		if (rbl_indexed_triangles_meet_float(surface->positions[1], triangles + 3 * (size_t)pair.a,
		                                     triangles + 3 * (size_t)pair.b))
			rows->pairs[found++] = open[i];
	}
	for (int i = 0; i < found; ++i)
		if (!rbl_array_push(&surface->allocator, &worker->pairs,
		                    pair_of(surface, rows, rows->pairs[i])))
			worker->is_out_of_memory = true;
	worker->counts.tests += count;
	worker->counts.false_tests += count - found;
	rows->pair_count = rows->cluster_count = rows->asked_count = rows->filled_count = 0;
}
