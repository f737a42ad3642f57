// SPDX-License-Identifier: MIT
//
// Faces of a mesh into triangles. Most are triangles and quads, which need no search.

#include "geometry/mesh.h"

#include "base/log.h"
#include "base/vec.h"
#include "geometry/face_diagonals.h"
#include "geometry/predicates.h"
#include "geometry/triangulate.h"

enum { TRIANGULATE_SCRATCH = 64 * 1024 };

// How well the diagonal from corner k to k + 2 cuts a quad: the number of its triangles that turn
// left, less the number that turn right.
static int diagonal_rank(const rbl_point2 p[4], int k)
{
	rbl_point2 a = p[k], b = p[k + 1], c = p[(k + 2) & 3], d = p[(k + 3) & 3];
	return rbl_orient2d(a.x, a.y, b.x, b.y, c.x, c.y) + rbl_orient2d(a.x, a.y, c.x, c.y, d.x, d.y);
}

static void cut_quad(const rbl_vec3d *positions, const int *vertices, int first, int *triangles)
{
	rbl_vec3d normal = rbl_polygon_normal(positions, vertices, 4);
	rbl_point2 p[4];
	for (int k = 0; k < 4; ++k)
		p[k] = rbl_project(positions[vertices[k]], normal);
	int even = diagonal_rank(p, 0), odd = diagonal_rank(p, 1);
	if (even == odd) {
		rbl_vec3d a = rbl_sub_d(positions[vertices[2]], positions[vertices[0]]);
		rbl_vec3d b = rbl_sub_d(positions[vertices[3]], positions[vertices[1]]);
		even = rbl_dot_d(a, a) <= rbl_dot_d(b, b) ? odd + 1 : odd - 1;
	}
	int start = even > odd ? 0 : 1;
	for (int k = 0; k < 2; ++k) {
		triangles[3 * k] = first + start;
		triangles[3 * k + 1] = first + ((start + 1 + k) & 3);
		triangles[3 * k + 2] = first + ((start + 2 + k) & 3);
	}
}

// Whether the first corner sees all others, one after another and within half a turn: then a fan of
// triangles around it fills the polygon.
static bool is_seen_from_first(const rbl_point2 *p, int count)
{
	double x = p[1].x - p[0].x, y = p[1].y - p[0].y, last_x = x, last_y = y;
	for (int k = 2; k < count; ++k) {
		double to_x = p[k].x - p[0].x, to_y = p[k].y - p[0].y;
		if (!(x * to_y - y * to_x > 0.0) || !(last_x * to_y - last_y * to_x > 0.0))
			return false;
		last_x = to_x, last_y = to_y;
	}
	return true;
}

// @param improve  no triangle is longer and thinner than it must be
static rbl_result triangulate_face(rbl_arena *scratch, const rbl_vec3d *positions,
                                   const int *vertices, int count, int first, bool improve,
                                   int *triangles, int *inverted_count)
{
	*inverted_count = 0;
	if (count == 3) {
		triangles[0] = first, triangles[1] = first + 1, triangles[2] = first + 2;
		return RBL_OK;
	}
	if (count == 4) {
		cut_quad(positions, vertices, first, triangles);
		return RBL_OK;
	}
	rbl_point2 *points = RBL_ARENA_NEW(scratch, rbl_point2, count);
	int *made = RBL_ARENA_NEW(scratch, int, 3 * (size_t)rbl_triangulate_capacity(count, 1));
	if (!points || !made)
		return RBL_OUT_OF_MEMORY;
	rbl_vec3d normal = rbl_polygon_normal(positions, vertices, count);
	for (int k = 0; k < count; ++k)
		points[k] = rbl_project(positions[vertices[k]], normal);
	if (!improve && is_seen_from_first(points, count)) {
		for (int k = 0; k < count - 2; ++k) {
			triangles[3 * k] = first;
			triangles[3 * k + 1] = first + k + 1, triangles[3 * k + 2] = first + k + 2;
		}
		return RBL_OK;
	}
	const int loop[2] = { 0, count };
	rbl_polygon polygon = {
		.points = points, .loop_starts = loop, .loop_count = 1, .improve = improve
	};
	rbl_triangulation info;
	rbl_result result = rbl_triangulate(scratch, &polygon, made, &info);
	if (result != RBL_OK)
		return result;
	*inverted_count = info.inverted_count;
	if (info.triangle_count != count - 2) { // a face that crosses itself badly: a fan will do
		*inverted_count = count - 2;
		for (int k = 0; k < count - 2; ++k)
			made[3 * k] = 0, made[3 * k + 1] = k + 1, made[3 * k + 2] = k + 2;
	}
	for (int i = 0; i < 3 * (count - 2); ++i)
		triangles[i] = first + made[i];
	return RBL_OK;
}

rbl_result rbl_face_triangulate(rbl_arena *scratch, const rbl_vec3d *positions, const int *vertices,
                                int count, int first, int *triangles, int *inverted_count)
{
	return triangulate_face(scratch, positions, vertices, count, first, true, triangles,
	                        inverted_count);
}

static rbl_result triangulate_faces(const rbl_allocator *allocator, const rbl_mesh_data *data,
                                    bool improve, int *triangles, int *faces)
{
	rbl_arena scratch;
	rbl_arena_init(&scratch, allocator, TRIANGULATE_SCRATCH);
	rbl_result result = RBL_OK;
	int count = 0;
	for (int f = 0; f < data->face_count && result == RBL_OK; ++f) {
		int first = data->face_starts[f], size = data->face_starts[f + 1] - first, inverted;
		result = triangulate_face(&scratch, data->positions, data->corner_vertices + first, size,
		                          first, improve, triangles + 3 * (size_t)count, &inverted);
		for (int k = 0; faces && k < size - 2; ++k)
			faces[count + k] = f;
		count += size - 2;
		if (size > 4)
			rbl_arena_reset(&scratch);
	}
	rbl_arena_destroy(&scratch);
	return result;
}

rbl_result rbl_faces_triangulate(const rbl_allocator *allocator, const rbl_mesh_data *data,
                                 int *triangles, int *faces)
{
	rbl_result result = triangulate_faces(allocator, data, true, triangles, faces);
	return result == RBL_OK ? rbl_separate_diagonals(allocator, data, triangles) : result;
}

rbl_result rbl_faces_triangulate_quickly(const rbl_allocator *allocator, const rbl_mesh_data *data,
                                         int *triangles)
{
	return triangulate_faces(allocator, data, false, triangles, NULL);
}

rbl_result rbl_mesh_triangulate(const rbl_mesh *mesh, int *triangles, int *faces)
{
	if (!mesh || (!triangles && rbl_mesh_triangle_count(mesh) > 0))
		return rbl_fail(RBL_BAD_ARGUMENT, "%s is NULL", mesh ? "triangles" : "mesh");
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	rbl_allocator allocator = rbl_mesh_allocator(mesh);
	rbl_result result = rbl_faces_triangulate(&allocator, &data, triangles, faces);
	if (result != RBL_OK)
		return rbl_fail(result, "no memory to triangulate %d faces", data.face_count);
	return RBL_OK;
}
