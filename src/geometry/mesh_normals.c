// SPDX-License-Identifier: MIT
//
// Normals from faces, tangents from normals and texture coordinates.
//
// Both are sums over groups of corners at one vertex that are joined across edges: for normals,
// edges that are not sharp; for tangents, edges on both sides of which normal, coordinates and
// handedness are the same. Faces count by their angle at the corner, so that it does not matter
// how a flat area is cut up. The tangents follow the idea of MikkTSpace (Mikkelsen 2008), not its
// letter: polygons are cut by rbl_mesh_triangulate() and groups are joined by index.

#include "geometry/adjacency.h"
#include "geometry/mesh.h"

#include "base/log.h"
#include "base/math.h"
#include "base/vec.h"

// Angle at `here` between the directions to two other points.
static double angle_between(rbl_vec3d here, rbl_vec3d one, rbl_vec3d other)
{
	rbl_vec3d a = rbl_sub_d(one, here), b = rbl_sub_d(other, here);
	return rbl_atan2(rbl_length_d(rbl_cross_d(a, b)), rbl_dot_d(a, b));
}

static rbl_vec3d corner_position(const rbl_mesh_data *data, int corner)
{
	return data->positions[data->corner_vertices[corner]];
}

// Join both ends of every edge between two faces for which `keep` says so.
typedef bool keep_function(const rbl_mesh_data *data, const void *context, int a, int b);

static void join_corners(const rbl_mesh_data *data, const rbl_adjacency *adjacency, int *groups,
                         keep_function *keep, const void *context)
{
	for (int c = 0; c < data->corner_count; ++c)
		groups[c] = c;
	for (int c = 0; c < data->corner_count; ++c) {
		int twin = adjacency->twins[c];
		if (twin <= c)
			continue;
		int c_end = rbl_next_corner(data, adjacency, c);
		int twin_end = rbl_next_corner(data, adjacency, twin);
		if (keep(data, context, c, twin_end))
			rbl_union_find_join(groups, c, twin_end);
		if (keep(data, context, c_end, twin))
			rbl_union_find_join(groups, c_end, twin);
	}
}

// --- normals -------------------------------------------------------------------------------

typedef struct smoothing {
	const rbl_adjacency *adjacency;
	const rbl_vec3d *face_normals;
	double min_cosine;
} smoothing;

static bool is_smooth(const rbl_mesh_data *data, const void *context, int a, int b)
{
	const smoothing *s = context;
	(void)data;
	return rbl_dot_d(s->face_normals[s->adjacency->faces[a]],
	                 s->face_normals[s->adjacency->faces[b]]) >= s->min_cosine;
}

static rbl_vec3 unit_or_up(rbl_vec3d sum)
{
	rbl_vec3d unit = rbl_normalize_d(sum);
	return rbl_dot_d(unit, unit) > 0.0 ? rbl_to_f(unit) : (rbl_vec3){ 0.0f, 1.0f, 0.0f };
}

static void sum_normals(const rbl_mesh_data *data, const smoothing *s, int *groups, rbl_vec3d *sums,
                        rbl_vec3 *normals)
{
	for (int c = 0; c < data->corner_count; ++c)
		sums[c] = (rbl_vec3d){ 0.0, 0.0, 0.0 };
	for (int c = 0; c < data->corner_count; ++c) {
		rbl_vec3d before = corner_position(data, rbl_previous_corner(data, s->adjacency, c));
		rbl_vec3d after = corner_position(data, rbl_next_corner(data, s->adjacency, c));
		double angle = angle_between(corner_position(data, c), before, after);
		rbl_vec3d *sum = &sums[rbl_union_find_root(groups, c)];
		*sum = rbl_add_scaled_d(*sum, angle, s->face_normals[s->adjacency->faces[c]]);
	}
	for (int c = 0; c < data->corner_count; ++c)
		normals[c] = unit_or_up(sums[rbl_union_find_root(groups, c)]);
}

rbl_result rbl_mesh_compute_normals(const rbl_mesh *mesh, float crease_angle, rbl_vec3 *normals)
{
	if (!mesh || (!normals && rbl_mesh_get_data(mesh).corner_count > 0))
		return rbl_fail(RBL_BAD_ARGUMENT, "%s is NULL", mesh ? "normals" : "mesh");
	if (!(crease_angle >= 0.0f && crease_angle <= 3.2f))
		return rbl_fail(RBL_BAD_ARGUMENT, "crease_angle is %g, must be 0 to pi",
		                (double)crease_angle);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	rbl_allocator allocator = rbl_mesh_allocator(mesh);
	rbl_adjacency adjacency;
	if (rbl_adjacency_init(&adjacency, &allocator, &data) != RBL_OK)
		return rbl_fail(RBL_OUT_OF_MEMORY, "no memory to compute normals");
	size_t corners = (size_t)data.corner_count + 1, faces = (size_t)data.face_count + 1;
	int *groups = RBL_NEW(&allocator, int, corners);
	rbl_vec3d *vectors = RBL_NEW(&allocator, rbl_vec3d, corners + faces);
	bool has_memory = groups && vectors;
	if (has_memory) {
		rbl_vec3d *face_normals = vectors + corners;
		for (int f = 0; f < data.face_count; ++f) {
			int begin = data.face_starts[f];
			face_normals[f] = rbl_normalize_d(rbl_polygon_normal(
				data.positions, data.corner_vertices + begin, data.face_starts[f + 1] - begin));
		}
		double smallest = crease_angle <= 0.0f   ? 2.0 // more than any cosine: nothing is joined
		                  : crease_angle > 3.14f ? -2.0
		                                         : rbl_cos((double)crease_angle);
		smoothing s = { &adjacency, face_normals, smallest };
		join_corners(&data, &adjacency, groups, is_smooth, &s);
		sum_normals(&data, &s, groups, vectors, normals);
	}
	RBL_FREE(&allocator, vectors, corners + faces);
	RBL_FREE(&allocator, groups, corners);
	rbl_adjacency_destroy(&adjacency);
	return has_memory ? RBL_OK : rbl_fail(RBL_OUT_OF_MEMORY, "no memory to compute normals");
}

// --- tangents ------------------------------------------------------------------------------

// Per corner: the sum of its triangles' tangents, and of the signs of their mapped areas.
typedef struct tangent_sum {
	rbl_vec3d tangent;
	double sign;
} tangent_sum;

static void add_tangent(const rbl_mesh_data *data, const int *triangle, tangent_sum *sums)
{
	rbl_vec3d p[3];
	rbl_vec2 uv[3];
	for (int k = 0; k < 3; ++k)
		p[k] = corner_position(data, triangle[k]), uv[k] = data->corner_uv0[triangle[k]];
	double u1 = (double)uv[1].x - (double)uv[0].x, v1 = (double)uv[1].y - (double)uv[0].y;
	double u2 = (double)uv[2].x - (double)uv[0].x, v2 = (double)uv[2].y - (double)uv[0].y;
	double area = u1 * v2 - u2 * v1, sign = area > 0.0 ? 1.0 : area < 0.0 ? -1.0 : 0.0;
	rbl_vec3d tangent =
		rbl_add_scaled_d(rbl_scale_d(v2, rbl_sub_d(p[1], p[0])), -v1, rbl_sub_d(p[2], p[0]));
	tangent = rbl_scale_d(sign, rbl_normalize_d(tangent));
	for (int k = 0; k < 3; ++k) {
		tangent_sum *sum = &sums[triangle[k]];
		double angle = angle_between(p[k], p[(k + 1) % 3], p[(k + 2) % 3]);
		sum->tangent = rbl_add_scaled_d(sum->tangent, angle, tangent);
		sum->sign += angle * sign;
	}
}

static bool is_same_map(const rbl_mesh_data *data, const void *context, int a, int b)
{
	const tangent_sum *sums = context;
	return memcmp(&data->corner_normals[a], &data->corner_normals[b], sizeof(rbl_vec3)) == 0 &&
	       memcmp(&data->corner_uv0[a], &data->corner_uv0[b], sizeof(rbl_vec2)) == 0 &&
	       (sums[a].sign < 0.0) == (sums[b].sign < 0.0);
}

static rbl_vec4 finish_tangent(rbl_vec3 normal, const tangent_sum *sum)
{
	rbl_vec3d n = rbl_to_d(normal);
	rbl_vec3d t = rbl_normalize_d(rbl_add_scaled_d(sum->tangent, -rbl_dot_d(n, sum->tangent), n));
	rbl_vec3 unit = rbl_dot_d(t, t) > 0.0 ? rbl_to_f(t) : rbl_perpendicular(normal);
	return (rbl_vec4){ unit.x, unit.y, unit.z, sum->sign < 0.0 ? -1.0f : 1.0f };
}

static void share_tangents(const rbl_mesh_data *data, int *groups, tangent_sum *sums,
                           rbl_vec4 *tangents)
{
	for (int c = 0; c < data->corner_count; ++c) {
		int root =
			rbl_union_find_root(groups, c); // the lowest corner: only later ones are added to it
		if (root != c)
			sums[root].tangent = rbl_add_d(sums[root].tangent, sums[c].tangent);
	}
	for (int c = 0; c < data->corner_count; ++c)
		tangents[c] =
			finish_tangent(data->corner_normals[c], &sums[rbl_union_find_root(groups, c)]);
}

rbl_result rbl_mesh_compute_tangents(const rbl_mesh *mesh, rbl_vec4 *tangents)
{
	if (!mesh || (!tangents && rbl_mesh_get_data(mesh).corner_count > 0))
		return rbl_fail(RBL_BAD_ARGUMENT, "%s is NULL", mesh ? "tangents" : "mesh");
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	if (data.corner_count > 0 && (!data.corner_normals || !data.corner_uv0))
		return rbl_fail(RBL_BAD_MESH, "tangents need %s",
		                data.corner_normals ? "texture coordinates" : "normals");
	rbl_allocator allocator = rbl_mesh_allocator(mesh);
	int triangle_count = rbl_mesh_triangle_count(mesh);
	size_t corners = (size_t)data.corner_count + 1, triple = 3 * (size_t)triangle_count + 1;
	rbl_adjacency adjacency = { 0 };
	int *triangles = RBL_NEW(&allocator, int, triple);
	int *groups = RBL_NEW(&allocator, int, corners);
	tangent_sum *sums = RBL_NEW_ZERO(&allocator, tangent_sum, corners);
	rbl_result result = triangles && groups && sums ? rbl_mesh_triangulate(mesh, triangles, NULL)
	                                                : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK)
		result = rbl_adjacency_init(&adjacency, &allocator, &data);
	if (result == RBL_OK) {
		for (int i = 0; i < triangle_count; ++i)
			add_tangent(&data, triangles + 3 * (size_t)i, sums);
		join_corners(&data, &adjacency, groups, is_same_map, sums);
		share_tangents(&data, groups, sums, tangents);
		rbl_adjacency_destroy(&adjacency);
	}
	RBL_FREE(&allocator, sums, corners);
	RBL_FREE(&allocator, groups, corners);
	RBL_FREE(&allocator, triangles, triple);
	return result == RBL_OK ? RBL_OK : rbl_fail(result, "no memory to compute tangents");
}
