// SPDX-License-Identifier: MIT
// Small meshes for tests, grown face by face: boxes, spheres, tori, and what breaks them.
#pragma once

#include <rubble/mesh.h>

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE_VERTICES = 80000, SAMPLE_CORNERS = 400000 };

/// A mesh under construction. Large: keep it static or on the heap.
typedef struct sample {
	int vertex_count, face_count, corner_count;
	rbl_vec3d positions[SAMPLE_VERTICES];
	int starts[SAMPLE_CORNERS / 3 + 1];
	int corners[SAMPLE_CORNERS];
} sample;

static inline sample *sample_new(void)
{
	sample *s = calloc(1, sizeof *s);
	assert(s);
	return s;
}

static inline int sample_vertex(sample *s, double x, double y, double z)
{
	assert(s->vertex_count < SAMPLE_VERTICES);
	s->positions[s->vertex_count] = (rbl_vec3d){ x, y, z };
	return s->vertex_count++;
}

static inline void sample_face(sample *s, const int *vertices, int count)
{
	assert(s->corner_count + count <= SAMPLE_CORNERS);
	memcpy(s->corners + s->corner_count, vertices, (size_t)count * sizeof(int));
	s->corner_count += count;
	s->starts[++s->face_count] = s->corner_count;
}

static inline void sample_triangle(sample *s, int a, int b, int c)
{
	sample_face(s, (int[3]){ a, b, c }, 3);
}

static inline void sample_quad(sample *s, int a, int b, int c, int d)
{
	sample_face(s, (int[4]){ a, b, c, d }, 4);
}

static inline void sample_remove_face(sample *s, int face)
{
	int begin = s->starts[face], end = s->starts[face + 1], size = end - begin;
	memmove(s->corners + begin, s->corners + end, (size_t)(s->corner_count - end) * sizeof(int));
	for (int f = face + 1; f < s->face_count; ++f)
		s->starts[f] = s->starts[f + 1] - size;
	s->face_count--;
	s->corner_count -= size;
}

static inline void sample_flip_face(sample *s, int face)
{
	for (int a = s->starts[face], b = s->starts[face + 1] - 1; a < b; ++a, --b) {
		int swap = s->corners[a];
		s->corners[a] = s->corners[b], s->corners[b] = swap;
	}
}

/// Six quads, outward.
static inline void sample_box(sample *s, rbl_vec3d lower, rbl_vec3d upper)
{
	int v = s->vertex_count;
	for (int i = 0; i < 8; ++i)
		sample_vertex(s, i & 1 ? upper.x : lower.x, i & 2 ? upper.y : lower.y,
		              i & 4 ? upper.z : lower.z);
	sample_quad(s, v + 0, v + 4, v + 6, v + 2);
	sample_quad(s, v + 1, v + 3, v + 7, v + 5);
	sample_quad(s, v + 0, v + 1, v + 5, v + 4);
	sample_quad(s, v + 2, v + 6, v + 7, v + 3);
	sample_quad(s, v + 0, v + 2, v + 3, v + 1);
	sample_quad(s, v + 4, v + 5, v + 7, v + 6);
}

/// Rings of quads closed by triangles at the poles on the z axis, outward.
static inline void sample_sphere(sample *s, rbl_vec3d centre, double radius, int rings,
                                 int segments)
{
	const double pi = 3.14159265358979323846;
	int south = sample_vertex(s, centre.x, centre.y, centre.z - radius), first = south + 1;
	for (int r = 1; r < rings; ++r) {
		double latitude = pi * ((double)r / rings - 0.5);
		for (int k = 0; k < segments; ++k) {
			double longitude = 2.0 * pi * k / segments, c = radius * cos(latitude);
			sample_vertex(s, centre.x + c * cos(longitude), centre.y + c * sin(longitude),
			              centre.z + radius * sin(latitude));
		}
	}
	int north = sample_vertex(s, centre.x, centre.y, centre.z + radius);
	for (int k = 0; k < segments; ++k) {
		int next = (k + 1) % segments, top = first + (rings - 2) * segments;
		sample_triangle(s, south, first + next, first + k);
		for (int r = 0; r + 2 < rings; ++r) {
			int a = first + r * segments, b = a + segments;
			sample_quad(s, a + k, a + next, b + next, b + k);
		}
		sample_triangle(s, north, top + k, top + next);
	}
}

/// Quads around the z axis, outward; genus 1.
static inline void sample_torus(sample *s, double radius, double thickness, int around, int across)
{
	const double pi = 3.14159265358979323846;
	int v = s->vertex_count;
	for (int i = 0; i < around; ++i)
		for (int k = 0; k < across; ++k) {
			double u = 2.0 * pi * i / around, w = 2.0 * pi * k / across;
			double r = radius + thickness * cos(w);
			sample_vertex(s, r * cos(u), r * sin(u), thickness * sin(w));
		}
	for (int i = 0; i < around; ++i)
		for (int k = 0; k < across; ++k) {
			int a = v + i * across, b = v + (i + 1) % around * across, n = (k + 1) % across;
			sample_quad(s, a + k, b + k, b + n, a + n);
		}
}

static inline rbl_mesh_def sample_def(const sample *s)
{
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data.vertex_count = s->vertex_count;
	def.data.positions = s->positions;
	def.data.face_count = s->face_count;
	def.data.corner_count = s->corner_count;
	def.data.face_starts = s->starts;
	def.data.corner_vertices = s->corners;
	return def;
}

/// The mesh made of what was added; NULL where it is refused.
static inline rbl_mesh *sample_mesh(const sample *s)
{
	rbl_mesh_def def = sample_def(s);
	rbl_mesh *mesh;
	rbl_create_mesh(&def, &mesh);
	return mesh;
}
