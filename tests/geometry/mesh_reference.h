// SPDX-License-Identifier: MIT
// A simple, slow reference check of meshes, apart from the library's own: what is closed, what is
// connected, and what each component is.
#pragma once

#include <rubble/mesh.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct mesh_referencement {
	int components;
	int bad_edges;        // not exactly one face in each direction
	int bad_vertices;     // faces around them are not one fan
	int degenerate_faces; // repeated vertex, or area below 1e-12 of its longest edge squared
	int doubled_vertices; // at the place of another of the same component
	int loose_vertices;
	int bad_normals;         // not of unit length, or more than a right angle from the face
	int inverted_components; // volume not above zero
	int genus;               // of all components together
	double volume;
} mesh_referencement;

typedef struct reference_edge {
	int from, to, corner;
} reference_edge;

static inline int reference_compare_edges(const void *a, const void *b)
{
	const reference_edge *x = (const reference_edge *)a, *y = (const reference_edge *)b;
	int xl = x->from < x->to ? x->from : x->to, yl = y->from < y->to ? y->from : y->to;
	int xh = x->from + x->to - xl, yh = y->from + y->to - yl;
	return xl != yl ? (xl < yl ? -1 : 1) : xh != yh ? (xh < yh ? -1 : 1) : 0;
}

typedef struct reference_place {
	rbl_vec3d p;
	int component;
} reference_place;

static inline int reference_compare_places(const void *a, const void *b)
{
	const reference_place *x = (const reference_place *)a, *y = (const reference_place *)b;
	if (x->component != y->component)
		return x->component < y->component ? -1 : 1;
	if (x->p.x != y->p.x)
		return x->p.x < y->p.x ? -1 : 1;
	if (x->p.y != y->p.y)
		return x->p.y < y->p.y ? -1 : 1;
	return x->p.z != y->p.z ? (x->p.z < y->p.z ? -1 : 1) : 0;
}

static inline int reference_root(int *parents, int i)
{
	while (parents[i] != i)
		i = parents[i] = parents[parents[i]];
	return i;
}

static inline rbl_vec3d reference_area(const rbl_mesh_data *m, int f)
{
	rbl_vec3d sum = { 0.0, 0.0, 0.0 }, o = m->positions[m->corner_vertices[m->face_starts[f]]];
	for (int c = m->face_starts[f] + 1; c + 1 < m->face_starts[f + 1]; ++c) {
		rbl_vec3d a = m->positions[m->corner_vertices[c]];
		rbl_vec3d b = m->positions[m->corner_vertices[c + 1]];
		a = (rbl_vec3d){ a.x - o.x, a.y - o.y, a.z - o.z };
		b = (rbl_vec3d){ b.x - o.x, b.y - o.y, b.z - o.z };
		sum.x += a.y * b.z - a.z * b.y;
		sum.y += a.z * b.x - a.x * b.z;
		sum.z += a.x * b.y - a.y * b.x;
	}
	return sum;
}

static inline void reference_faces(const rbl_mesh_data *m, mesh_referencement *j)
{
	for (int f = 0; f < m->face_count; ++f) {
		int begin = m->face_starts[f], end = m->face_starts[f + 1];
		rbl_vec3d area = reference_area(m, f);
		double size = sqrt(area.x * area.x + area.y * area.y + area.z * area.z), longest = 0.0;
		bool repeats = false;
		for (int c = begin; c < end; ++c) {
			rbl_vec3d a = m->positions[m->corner_vertices[c]];
			rbl_vec3d b = m->positions[m->corner_vertices[c + 1 < end ? c + 1 : begin]];
			double x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
			longest = fmax(longest, x * x + y * y + z * z);
			for (int k = begin; k < c && end - begin < 16; ++k)
				repeats |= m->corner_vertices[k] == m->corner_vertices[c];
			if (m->corner_normals) {
				rbl_vec3 stored = m->corner_normals[c];
				double x0 = (double)stored.x, y0 = (double)stored.y, z0 = (double)stored.z;
				double length = x0 * x0 + y0 * y0 + z0 * z0;
				double dot = x0 * area.x + y0 * area.y + z0 * area.z;
				j->bad_normals += fabs(length - 1.0) > 1e-5 || !(dot > 0.0);
			}
		}
		j->degenerate_faces += repeats || !(size > 1e-12 * longest);
	}
}

// Corners around each vertex are joined across shared edges; one fan is one set.
static inline void reference_edges(const rbl_mesh_data *m, mesh_referencement *j, int *edge_count)
{
	int n = m->corner_count;
	reference_edge *edges = malloc((size_t)n * sizeof *edges);
	int *fans = malloc((size_t)n * sizeof *fans), *next = malloc((size_t)n * sizeof *next);
	int *fans_at = calloc((size_t)m->vertex_count + 1, sizeof *fans_at);
	for (int f = 0; f < m->face_count; ++f)
		for (int c = m->face_starts[f]; c < m->face_starts[f + 1]; ++c) {
			next[c] = c + 1 < m->face_starts[f + 1] ? c + 1 : m->face_starts[f];
			edges[c] = (reference_edge){ m->corner_vertices[c], m->corner_vertices[next[c]], c };
			fans[c] = c;
		}
	qsort(edges, (size_t)n, sizeof *edges, reference_compare_edges);
	*edge_count = 0;
	for (int i = 0, k; i < n; i = k) {
		for (k = i + 1; k < n && reference_compare_edges(&edges[i], &edges[k]) == 0; ++k)
			;
		++*edge_count;
		if (k - i != 2 || edges[i].from != edges[i + 1].to) {
			j->bad_edges++;
			continue;
		}
		int a = edges[i].corner, b = edges[i + 1].corner;
		fans[reference_root(fans, a)] = reference_root(fans, next[b]);
		fans[reference_root(fans, next[a])] = reference_root(fans, b);
	}
	for (int c = 0; c < n; ++c)
		fans_at[m->corner_vertices[c]] += reference_root(fans, c) == c;
	for (int v = 0; v < m->vertex_count; ++v) {
		j->bad_vertices += fans_at[v] > 1;
		j->loose_vertices += fans_at[v] == 0;
	}
	free(fans_at);
	free(next);
	free(fans);
	free(edges);
}

static inline mesh_referencement reference_mesh(const rbl_mesh *mesh)
{
	rbl_mesh_data m = rbl_mesh_get_data(mesh);
	mesh_referencement j = { 0 };
	int edge_count = 0;
	reference_faces(&m, &j);
	reference_edges(&m, &j, &edge_count);

	size_t count = (size_t)m.vertex_count + 1;
	int *parents = malloc(count * sizeof *parents);
	double *volumes = calloc(count, sizeof *volumes);
	reference_place *places = malloc(count * sizeof *places);
	for (int v = 0; v < m.vertex_count; ++v)
		parents[v] = v;
	for (int f = 0; f < m.face_count; ++f)
		for (int c = m.face_starts[f] + 1; c < m.face_starts[f + 1]; ++c)
			parents[reference_root(parents, m.corner_vertices[c])] =
				reference_root(parents, m.corner_vertices[c - 1]);
	for (int f = 0; f < m.face_count; ++f) {
		// The area vector of a flat face times the distance of any of its corners from the
		// component's first vertex is six times the volume of the cone between them.
		int root = reference_root(parents, m.corner_vertices[m.face_starts[f]]);
		rbl_vec3d o = m.positions[root];
		rbl_vec3d p = m.positions[m.corner_vertices[m.face_starts[f]]],
				  area = reference_area(&m, f);
		volumes[root] += (area.x * (p.x - o.x) + area.y * (p.y - o.y) + area.z * (p.z - o.z)) / 6.0;
	}
	for (int v = 0; v < m.vertex_count; ++v) {
		int root = reference_root(parents, v);
		places[v] = (reference_place){ m.positions[v], root };
		if (root != v)
			continue;
		j.components++;
		j.volume += volumes[v];
		j.inverted_components += !(volumes[v] > 0.0);
	}
	qsort(places, (size_t)m.vertex_count, sizeof *places, reference_compare_places);
	for (int v = 1; v < m.vertex_count; ++v)
		j.doubled_vertices += reference_compare_places(&places[v - 1], &places[v]) == 0;
	j.genus = j.components - (m.vertex_count - edge_count + m.face_count) / 2;
	free(places);
	free(volumes);
	free(parents);
	return j;
}
