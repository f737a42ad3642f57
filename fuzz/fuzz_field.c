// SPDX-License-Identifier: MIT
// Distance fields of broken meshes: boxes and tetrahedra on a coarse lattice, turned over,
// overlapping, with faces missing or elsewhere, tiny, huge or far away. What is refused is refused
// in words; what is taken is within its bounds, and so are fragments of it with any planes. The
// same bytes are read as a field, too.

#include "field/exact.h"
#include "field/field.h"

#include "block.h"
#include "faulty_allocator.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_TRIANGLES = 120 };

typedef struct source {
	const uint8_t *data;
	size_t size, at;
} source;

typedef struct soup {
	rbl_vec3d points[3 * MAX_TRIANGLES];
	int triangles[3 * MAX_TRIANGLES];
	int point_count, triangle_count;
} soup;

static int take(source *s, int bound)
{
	return s->at < s->size ? s->data[s->at++] % bound : 0;
}

#define demand(condition)                                           \
	do {                                                            \
		if (!(condition)) {                                         \
			fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
			abort();                                                \
		}                                                           \
	} while (0)

static rbl_vec3d take_point(source *s)
{
	double x = take(s, 9), y = take(s, 9), z = take(s, 9);
	return (rbl_vec3d){ x / 8.0, y / 8.0, z / 8.0 };
}

static void add_box(soup *m, rbl_vec3d low, rbl_vec3d high)
{
	static const int faces[12][3] = { { 0, 2, 1 }, { 1, 2, 3 }, { 4, 5, 6 }, { 5, 7, 6 },
		                              { 0, 1, 4 }, { 1, 5, 4 }, { 2, 6, 3 }, { 3, 6, 7 },
		                              { 0, 4, 2 }, { 2, 4, 6 }, { 1, 3, 5 }, { 3, 7, 5 } };
	int first = m->point_count;
	for (int k = 0; k < 8; ++k)
		m->points[m->point_count++] =
			(rbl_vec3d){ k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z };
	for (int f = 0; f < 12; ++f, ++m->triangle_count)
		for (int k = 0; k < 3; ++k)
			m->triangles[3 * m->triangle_count + k] = first + faces[f][k];
}

static void add_tetrahedron(soup *m, source *s)
{
	static const int faces[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 1, 2, 3 }, { 0, 3, 2 } };
	int first = m->point_count;
	for (int k = 0; k < 4; ++k)
		m->points[m->point_count++] = take_point(s);
	for (int f = 0; f < 4; ++f, ++m->triangle_count)
		for (int k = 0; k < 3; ++k)
			m->triangles[3 * m->triangle_count + k] = first + faces[f][k];
}

// Something that is wrong with it, mostly nothing.
static void damage(soup *m, source *s)
{
	int kind = take(s, 12), t = take(s, 256) % m->triangle_count, *corners = m->triangles + 3 * t;
	if (kind == 0)
		m->triangle_count--;
	if (kind == 1) {
		int swap = corners[0];
		corners[0] = corners[1], corners[1] = swap;
	}
	if (kind == 2)
		corners[take(s, 3)] = take(s, 256) % m->point_count;
	if (kind == 3)
		for (int i = 0; i < m->triangle_count; ++i) {
			int swap = m->triangles[3 * i];
			m->triangles[3 * i] = m->triangles[3 * i + 1], m->triangles[3 * i + 1] = swap;
		}
	if (kind == 4)
		for (int i = 0; i < m->point_count; ++i)
			m->points[i].y = 0.0;
	static const double scales[6] = { 1.0, 1.0, 1e-3, 1e5, 1e25, 1e-13 };
	static const double shifts[6] = { 0.0, 0.0, 1.0, 1e3, 1e6, -7.0 };
	double scale = scales[take(s, 6)], shift = shifts[take(s, 6)] * scale;
	for (int i = 0; i < m->point_count; ++i)
		m->points[i] =
			rbl_add_d(rbl_scale_d(scale, m->points[i]), (rbl_vec3d){ shift, 0.0, -shift });
}

static rbl_mesh *take_mesh(source *s)
{
	static soup m;
	m.point_count = m.triangle_count = 0;
	for (int i = 0; i <= take(s, 5); ++i) {
		if (take(s, 3) == 0) {
			add_tetrahedron(&m, s);
			continue;
		}
		rbl_vec3d a = take_point(s), b = take_point(s);
		add_box(&m, rbl_min_d(a, b), rbl_max_d(a, b));
	}
	damage(&m, s);
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data.vertex_count = m.point_count, def.data.positions = m.points;
	def.data.face_count = m.triangle_count, def.data.corner_count = 3 * m.triangle_count;
	def.data.corner_vertices = m.triangles;
	rbl_mesh *mesh = NULL;
	rbl_result result = rbl_create_mesh(&def, &mesh);
	demand(result == (mesh ? RBL_OK : RBL_BAD_ARGUMENT)); // beyond RBL_MAX_COORDINATE
	return mesh;
}

static void check_field(source *s, const rbl_distance_field *field, const exact_mesh *exact)
{
	rbl_random random = rbl_random_from_seed((uint64_t)take(s, 256));
	rbl_distance_field_info info = rbl_distance_field_get_info(field);
	for (int i = 0; i < 60; ++i) {
		rbl_vec3 p = rbl_to_f(exact_probe(exact, &random, 2.0 * (double)info.cell_size)), gradient;
		float distance, bound;
		rbl_distance_field_evaluate(field, &p, 1, &distance, &bound, &gradient);
		double u = exact_unsigned(exact, rbl_to_d(p), true);
		double d = exact_winding(exact, rbl_to_d(p), true) > 0 ? -u : u;
		rbl_box box = info.bounds;
		demand((double)distance - (double)bound <= d);
		demand(!rbl_box_contains(box, (rbl_box){ p, p }) ||
		       fabs((double)distance - d) <= (double)bound);
		demand(fabsf(rbl_length(gradient) - 1.0f) < 1e-3f);
	}
}

// A fragment with any planes, box and surfaces. It is no more than its original and its planes.
static void check_fragment(source *s, const rbl_distance_field *original)
{
	rbl_plane planes[8];
	rbl_vec3 surface[12];
	rbl_box bounds = rbl_distance_field_get_info(original).bounds;
	rbl_vec3 size = rbl_box_size(bounds);
	rbl_fragment_field_def def = rbl_default_fragment_field_def();
	def.original = original, def.box = bounds, def.planes = planes, def.plane_count = take(s, 9);
	for (int i = 0; i < def.plane_count; ++i) {
		rbl_vec3 n = rbl_sub(rbl_to_f(take_point(s)), (rbl_vec3){ 0.51f, 0.52f, 0.53f });
		rbl_vec3 p = rbl_add(bounds.lower, rbl_mul(size, rbl_to_f(take_point(s))));
		planes[i] = (rbl_plane){ rbl_normalize(n), rbl_dot(rbl_normalize(n), p) };
	}
	int starts[3] = { 0, def.plane_count / 2, def.plane_count };
	rbl_cell_union u = { .cell_count = 2, .plane_starts = starts, .planes = planes };
	if (take(s, 2))
		def.unions = &u, def.union_count = def.plane_count >= 2;
	for (int i = 0; i < 12; ++i)
		surface[i] = rbl_add(bounds.lower, rbl_mul(size, rbl_to_f(take_point(s))));
	def.surface = (rbl_triangle_list){ surface, take(s, 5) };
	rbl_distance_field *field = NULL;
	rbl_result result = rbl_create_fragment_field(&def, &field);
	demand(result == RBL_OK || result == RBL_BAD_ARGUMENT);
	for (int i = 0; field && i < 20; ++i) {
		rbl_vec3 p = rbl_add(bounds.lower, rbl_mul(size, rbl_to_f(take_point(s))));
		float d[2], errors[2];
		rbl_distance_field_evaluate(original, &p, 1, &d[0], &errors[0], NULL);
		rbl_distance_field_evaluate(field, &p, 1, &d[1], &errors[1], NULL);
		demand(d[1] >= d[0]);
		for (int k = 0; k < def.plane_count && def.union_count == 0; ++k)
			demand(d[1] >= rbl_plane_distance(planes[k], p) - errors[1] - 1e-5f * rbl_length(size));
	}
	rbl_destroy_distance_field(field);
}

static void check_file(const uint8_t *data, size_t size)
{
	unsigned char *bytes = block_from(data, size);
	if (!bytes)
		return;
	memcpy(bytes, "RBLD\1\0\0\0", 8);
	rbl_distance_field *field = NULL;
	rbl_result result = rbl_distance_field_load(bytes, size, NULL, &field);
	demand(result == RBL_BAD_FILE || (result == RBL_OK && field));
	rbl_destroy_distance_field(field);
	free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	source s = { data, size, 0 };
	rbl_mesh *mesh = take_mesh(&s);
	if (!mesh)
		return 0;
	rbl_distance_field_def def = rbl_default_distance_field_def();
	faulty_allocator memory;
	faulty_init(&memory, take(&s, 8) ? 1LL << 60 : take(&s, 40));
	def.mesh = mesh, def.resolution = 8 + take(&s, 24), def.allocator = FAULTY(&memory);
	rbl_distance_field *field = NULL;
	rbl_result result = rbl_create_distance_field(&def, &field);
	demand(result == (memory.failed ? RBL_OUT_OF_MEMORY : field ? RBL_OK : RBL_BAD_MESH));
	if (field) {
		exact_mesh exact = exact_from_mesh(mesh);
		check_field(&s, field, &exact);
		check_fragment(&s, field);
		exact_free(&exact);
	}
	rbl_destroy_distance_field(field);
	demand(memory.live_bytes == 0);
	rbl_destroy_mesh(mesh);
	check_file(data, size);
	return 0;
}
