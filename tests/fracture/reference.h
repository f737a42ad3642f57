// SPDX-License-Identifier: MIT
// The judge of piece volumes: a slow, simple cutter that shares no idea with the fast one. A closed
// surface is a list of polygons; one plane after the other keeps the part behind it, with one sign
// per vertex, one new vertex per cut edge, and caps chained from the cut edges.
#pragma once

#include "base/hash.h"
#include "base/vec.h"
#include "geometry/geometry.h"

#include <stdlib.h>

typedef struct judge_body {
	rbl_vec3d *points;
	int point_count, point_capacity;
	int *corners; // faces one after the other, each closed by -1
	int corner_count, corner_capacity;
} judge_body;

static inline void judge_free(judge_body *b)
{
	free(b->points);
	free(b->corners);
	*b = (judge_body){ 0 };
}

static inline int judge_point(judge_body *b, rbl_vec3d p)
{
	if (b->point_count == b->point_capacity) {
		b->point_capacity = b->point_capacity ? 2 * b->point_capacity : 256;
		b->points = realloc(b->points, (size_t)b->point_capacity * sizeof *b->points);
	}
	b->points[b->point_count] = p;
	return b->point_count++;
}

static inline void judge_corner(judge_body *b, int v)
{
	if (b->corner_count == b->corner_capacity) {
		b->corner_capacity = b->corner_capacity ? 2 * b->corner_capacity : 1024;
		b->corners = realloc(b->corners, (size_t)b->corner_capacity * sizeof *b->corners);
	}
	b->corners[b->corner_count++] = v;
}

static inline judge_body judge_from(const rbl_vec3d *positions, int vertex_count,
                                    const int *triangles, int triangle_count)
{
	judge_body b = { 0 };
	for (int v = 0; v < vertex_count; ++v)
		judge_point(&b, positions[v]);
	for (int t = 0; t < triangle_count; ++t) {
		for (int k = 0; k < 3; ++k)
			judge_corner(&b, triangles[3 * t + k]);
		judge_corner(&b, -1);
	}
	return b;
}

static inline double judge_volume(const judge_body *b)
{
	double sum = 0.0;
	if (b->corner_count == 0)
		return 0.0;
	rbl_vec3d o = b->points[b->corners[0]];
	for (int i = 0; i < b->corner_count;) {
		rbl_vec3d first = rbl_sub_d(b->points[b->corners[i]], o);
		int k = i + 1;
		for (; b->corners[k + 1] >= 0; ++k)
			sum += rbl_dot_d(first, rbl_cross_d(rbl_sub_d(b->points[b->corners[k]], o),
			                                    rbl_sub_d(b->points[b->corners[k + 1]], o)));
		i = k + 2;
	}
	return sum / 6.0;
}

/// Keep what lies behind the plane.
static inline judge_body judge_cut(const judge_body *b, rbl_planed plane)
{
	rbl_allocator allocator = rbl_allocator_or_default(NULL);
	judge_body out = { 0 };
	rbl_map cuts = { 0 };
	double *sides = malloc((size_t)b->point_count * sizeof *sides);
	int *kept = malloc((size_t)b->point_count * sizeof *kept);
	for (int v = 0; v < b->point_count; ++v) {
		sides[v] = rbl_plane_distance_d(plane, b->points[v]);
		kept[v] = sides[v] < 0.0 ? judge_point(&out, b->points[v]) : -1;
	}
	int *chain = NULL, chain_count = 0, chain_capacity = 0; // pairs: cap edge from, to
	for (int i = 0; i < b->corner_count;) {
		int end = i;
		while (b->corners[end] >= 0)
			end++;
		int written = 0, leave = -1, first_enter = -1;
		for (int k = i; k < end; ++k) {
			int v = b->corners[k], w = b->corners[k + 1 < end ? k + 1 : i];
			if (kept[v] >= 0)
				judge_corner(&out, kept[v]), written++;
			if ((kept[v] >= 0) == (kept[w] >= 0))
				continue;
			int low = rbl_mini(v, w), high = rbl_maxi(v, w);
			uint32_t *slot = rbl_map_add(&allocator, &cuts, (uint64_t)low << 32 | (uint32_t)high,
			                             UINT32_MAX - 1);
			if (*slot == UINT32_MAX - 1)
				*slot = (uint32_t)judge_point(&out,
				                              rbl_lerp_d(b->points[low], b->points[high],
				                                         sides[low] / (sides[low] - sides[high])));
			int p = (int)*slot;
			judge_corner(&out, p), written++;
			if (kept[v] >= 0) {
				leave = p;
				continue;
			}
			if (leave < 0) {
				first_enter = p; // its way out comes at the end of the loop
				continue;
			}
			if (chain_count + 2 > chain_capacity) {
				chain_capacity = chain_capacity ? 2 * chain_capacity : 64;
				chain = realloc(chain, (size_t)chain_capacity * sizeof *chain);
			}
			chain[chain_count++] = p, chain[chain_count++] = leave;
			leave = -1;
		}
		if (first_enter >= 0) {
			if (chain_count + 2 > chain_capacity) {
				chain_capacity = chain_capacity ? 2 * chain_capacity : 64;
				chain = realloc(chain, (size_t)chain_capacity * sizeof *chain);
			}
			chain[chain_count++] = first_enter, chain[chain_count++] = leave;
		}
		if (written > 0)
			judge_corner(&out, -1);
		i = end + 1;
	}
	// Each point of the cut is left once: follow the edges to loops.
	int *next = malloc((size_t)(out.point_count + 1) * sizeof *next);
	for (int v = 0; v < out.point_count; ++v)
		next[v] = -1;
	for (int k = 0; k < chain_count; k += 2)
		next[chain[k]] = chain[k + 1];
	for (int k = 0; k < chain_count; k += 2) {
		int v = chain[k];
		if (next[v] < 0)
			continue;
		while (next[v] >= 0) {
			int w = next[v];
			judge_corner(&out, v);
			next[v] = -1;
			v = w;
		}
		judge_corner(&out, -1);
	}
	free(next);
	free(chain);
	free(sides);
	free(kept);
	rbl_map_free(&allocator, &cuts);
	return out;
}

/// The volume of a closed surface within a cell.
static inline double judge_volume_in_cell(const judge_body *body, const rbl_cells *cells, int cell)
{
	judge_body part = { 0 };
	const judge_body *from = body;
	for (int f = cells->cell_faces[cell]; f < cells->cell_faces[cell + 1]; ++f) {
		if (cells->faces[f].neighbour < 0 && cells->faces[f].neighbour > RBL_CELL_LEFT_OUT)
			continue;
		judge_body smaller = judge_cut(from, rbl_cell_face_plane(cells, f));
		judge_free(&part);
		part = smaller;
		from = &part;
	}
	double volume = judge_volume(from);
	judge_free(&part);
	return volume;
}
