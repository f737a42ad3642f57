// SPDX-License-Identifier: MIT
//
// Procedural shapes: box, icosphere, cylinder, tube, torus.

#include "procedural/shapes.h"

// --- box ------------------------------------------------------------------------------------

rbl_box_def rbl_default_box_def(void)
{
	return (rbl_box_def){ .size = { 1.0, 1.0, 1.0 },
		                  .subdivisions = 1,
		                  .cookie = RBL_SHAPE_COOKIE(RBL_SHAPE_BOX) };
}

// The surface points of a lattice of n + 1 points a side, numbered layer by layer along z: the
// first and the last layer are full, the others are a loop of 4 n.
static int lattice_index(int n, int x, int y, int z)
{
	int full = (n + 1) * (n + 1);
	if (z == 0 || z == n)
		return (z == 0 ? 0 : full + (n - 1) * 4 * n) + y * (n + 1) + x;
	int around = y == 0 ? x : x == n ? n + y : y == n ? 3 * n - x : 4 * n - y;
	return full + (z - 1) * 4 * n + around;
}

static void add_lattice_points(rbl_builder *builder, rbl_vec3d size, int n)
{
	for (int z = 0; z <= n; ++z) {
		bool is_full = z == 0 || z == n;
		int count = is_full ? (n + 1) * (n + 1) : 4 * n;
		for (int i = 0; i < count; ++i) {
			int side = i / n, at = i % n;
			int x = side == 0 ? at : side == 1 ? n : side == 2 ? n - at : 0;
			int y = side == 0 ? 0 : side == 1 ? at : side == 2 ? n : n - at;
			if (is_full) {
				x = i % (n + 1);
				y = i / (n + 1);
			}
			rbl_builder_vertex(builder, (rbl_vec3d){ size.x * ((double)x / n - 0.5),
			                                         size.y * ((double)y / n - 0.5),
			                                         size.z * ((double)z / n - 0.5) });
		}
	}
}

rbl_result rbl_create_box_mesh(const rbl_box_def *def, rbl_mesh **mesh)
{
	rbl_result result = RBL_SHAPE_CHECK(RBL_SHAPE_BOX, def, mesh);
	if (result != RBL_OK)
		return result;
	const rbl_shape_range ranges[] = { RBL_LENGTH_RANGE(def, size.x),
		                               RBL_LENGTH_RANGE(def, size.y),
		                               RBL_LENGTH_RANGE(def, size.z),
		                               { "subdivisions", def->subdivisions, 1, 1000 } };
	result = rbl_shape_check_ranges(RBL_SHAPE_BOX, ranges, RBL_COUNT_OF(ranges));
	if (result != RBL_OK)
		return result;
	rbl_builder builder;
	rbl_builder_init(&builder, &def->allocator);
	rbl_builder_add_material(&builder, RBL_LIGHT_STONE);
	int n = def->subdivisions;
	add_lattice_points(&builder, def->size, n);
	for (int face = 0; face < 6; ++face) {
		int axis = face / 2, next = (axis + 1) % 3, last = (axis + 2) % 3;
		for (int v = 0; v < n; ++v) {
			for (int u = 0; u < n; ++u) {
				int quad[4];
				for (int i = 0; i < 4; ++i) {
					int corner = face & 1 ? i : 3 - i, at[3];
					at[axis] = face & 1 ? n : 0;
					at[next] = u + (corner == 1 || corner == 2);
					at[last] = v + (corner >= 2);
					quad[i] = lattice_index(n, at[0], at[1], at[2]);
				}
				rbl_builder_polygon(&builder, quad, 4);
			}
		}
	}
	return rbl_builder_finish(&builder, mesh);
}

// --- icosphere ------------------------------------------------------------------------------

rbl_icosphere_def rbl_default_icosphere_def(void)
{
	return (rbl_icosphere_def){ .radius = 0.5,
		                        .subdivisions = 3,
		                        .cookie = RBL_SHAPE_COOKIE(RBL_SHAPE_ICOSPHERE) };
}

// Splitting in four, level by level, ends in a triangular grid on each of the 20 faces. Its
// vertices are numbered at once: 12 corners, then those inside the 30 edges, then those inside
// faces.
typedef struct icosphere {
	rbl_builder *builder;
	double radius;
	int n; // grid steps along an edge
	rbl_vec3d corners[12];
	int edges[30][2];
} icosphere;

static const int icosahedron_faces[20][3] = {
	{ 0, 11, 5 }, { 0, 5, 1 },  { 0, 1, 7 },   { 0, 7, 10 }, { 0, 10, 11 },
	{ 1, 5, 9 },  { 5, 11, 4 }, { 11, 10, 2 }, { 10, 7, 6 }, { 7, 1, 8 },
	{ 3, 9, 4 },  { 3, 4, 2 },  { 3, 2, 6 },   { 3, 6, 8 },  { 3, 8, 9 },
	{ 4, 9, 5 },  { 2, 4, 11 }, { 6, 2, 10 },  { 8, 6, 7 },  { 9, 8, 1 },
};

static void add_on_sphere(icosphere *sphere, rbl_vec3d p)
{
	rbl_builder_vertex(sphere->builder, vec_scale(sphere->radius, vec_normalize(p)));
}

static void add_icosphere_points(icosphere *sphere)
{
	const double golden = 0.5 * (1.0 + sqrt(5.0));
	int n = sphere->n, edge_count = 0;
	// 1 stands for one, 2 for the golden ratio.
	static const int signs[12][3] = { { -1, 2, 0 }, { 1, 2, 0 }, { -1, -2, 0 }, { 1, -2, 0 },
		                              { 0, -1, 2 }, { 0, 1, 2 }, { 0, -1, -2 }, { 0, 1, -2 },
		                              { 2, 0, -1 }, { 2, 0, 1 }, { -2, 0, -1 }, { -2, 0, 1 } };
	for (int i = 0; i < 12; ++i) {
		double at[3];
		for (int k = 0; k < 3; ++k)
			at[k] = signs[i][k] == 2 ? golden : signs[i][k] == -2 ? -golden : signs[i][k];
		sphere->corners[i] = (rbl_vec3d){ at[0], at[1], at[2] };
		add_on_sphere(sphere, sphere->corners[i]);
	}
	for (int f = 0; f < 20; ++f) {
		for (int i = 0; i < 3; ++i) {
			int a = icosahedron_faces[f][i], b = icosahedron_faces[f][(i + 1) % 3];
			if (a > b)
				continue; // the neighbour names it the other way round
			sphere->edges[edge_count][0] = a;
			sphere->edges[edge_count++][1] = b;
			for (int k = 1; k < n; ++k)
				add_on_sphere(sphere,
				              vec_lerp(sphere->corners[a], sphere->corners[b], (double)k / n));
		}
	}
	for (int f = 0; f < 20; ++f) {
		const int *face = icosahedron_faces[f];
		rbl_vec3d a = sphere->corners[face[0]];
		rbl_vec3d ab = vec_sub(sphere->corners[face[1]], a);
		rbl_vec3d ac = vec_sub(sphere->corners[face[2]], a);
		for (int j = 1; j < n - 1; ++j)
			for (int i = 1; i < n - j; ++i)
				add_on_sphere(sphere, vec_add_scaled(vec_add_scaled(a, (double)i / n, ab),
				                                     (double)j / n, ac));
	}
}

static int edge_vertex(const icosphere *sphere, int a, int b, int step)
{
	if (a > b)
		return edge_vertex(sphere, b, a, sphere->n - step);
	int edge = 0;
	while (sphere->edges[edge][0] != a || sphere->edges[edge][1] != b)
		++edge;
	return 12 + edge * (sphere->n - 1) + step - 1;
}

// The vertex i steps from the face's first corner towards its second and j towards its third.
static int face_vertex(const icosphere *sphere, int f, int i, int j)
{
	const int *face = icosahedron_faces[f];
	int n = sphere->n;
	if (i == 0 && j == 0)
		return face[0];
	if (i == n || j == n)
		return face[i == n ? 1 : 2];
	if (j == 0)
		return edge_vertex(sphere, face[0], face[1], i);
	if (i == 0)
		return edge_vertex(sphere, face[0], face[2], j);
	if (i + j == n)
		return edge_vertex(sphere, face[1], face[2], j);
	int per_face = (n - 1) * (n - 2) / 2;
	int row_start = (j - 1) * (n - 2) - (j - 1) * (j - 2) / 2;
	return 12 + 30 * (n - 1) + f * per_face + row_start + i - 1;
}

rbl_result rbl_create_icosphere_mesh(const rbl_icosphere_def *def, rbl_mesh **mesh)
{
	rbl_result result = RBL_SHAPE_CHECK(RBL_SHAPE_ICOSPHERE, def, mesh);
	if (result != RBL_OK)
		return result;
	const rbl_shape_range ranges[] = { RBL_LENGTH_RANGE(def, radius),
		                               { "subdivisions", def->subdivisions, 0, 9 } };
	result = rbl_shape_check_ranges(RBL_SHAPE_ICOSPHERE, ranges, RBL_COUNT_OF(ranges));
	if (result != RBL_OK)
		return result;
	rbl_builder builder;
	rbl_builder_init(&builder, &def->allocator);
	rbl_builder_add_material(&builder, RBL_LIGHT_STONE);
	icosphere sphere = { .builder = &builder, .radius = def->radius, .n = 1 << def->subdivisions };
	add_icosphere_points(&sphere);
	for (int f = 0; f < 20; ++f) {
		for (int j = 0; j < sphere.n; ++j) {
			for (int i = 0; i < sphere.n - j; ++i) {
				int a = face_vertex(&sphere, f, i, j), b = face_vertex(&sphere, f, i + 1, j);
				int c = face_vertex(&sphere, f, i, j + 1);
				rbl_builder_polygon(&builder, (int[]){ a, b, c }, 3);
				if (i + j + 2 > sphere.n)
					continue;
				int d = face_vertex(&sphere, f, i + 1, j + 1);
				rbl_builder_polygon(&builder, (int[]){ b, d, c }, 3);
			}
		}
	}
	return rbl_builder_finish(&builder, mesh);
}

// --- cylinder, tube, torus ------------------------------------------------------------------

rbl_cylinder_def rbl_default_cylinder_def(void)
{
	return (rbl_cylinder_def){ .radius = 0.5,
		                       .height = 1.0,
		                       .segments = 32,
		                       .rows = 1,
		                       .cookie = RBL_SHAPE_COOKIE(RBL_SHAPE_CYLINDER) };
}

// Rings of vertices from one profile point up to, and without, the next.
static void add_rows(rbl_builder *builder, rbl_profile_point from, rbl_profile_point to, int steps,
                     int segments)
{
	for (int r = 0; r < steps; ++r) {
		double t = (double)r / steps;
		for (int k = 0; k < segments; ++k) {
			rbl_direction at = rbl_direction_at((double)k / segments);
			double radius = from.radius + t * (to.radius - from.radius);
			rbl_builder_vertex(builder, (rbl_vec3d){ radius * at.cos, from.y + t * (to.y - from.y),
			                                         -radius * at.sin });
		}
	}
}

rbl_result rbl_create_cylinder_mesh(const rbl_cylinder_def *def, rbl_mesh **mesh)
{
	rbl_result result = RBL_SHAPE_CHECK(RBL_SHAPE_CYLINDER, def, mesh);
	if (result != RBL_OK)
		return result;
	const rbl_shape_range ranges[] = { RBL_LENGTH_RANGE(def, radius),
		                               RBL_LENGTH_RANGE(def, height),
		                               { "segments", def->segments, 3, 10000 },
		                               { "rows", def->rows, 1, 10000 } };
	result = rbl_shape_check_ranges(RBL_SHAPE_CYLINDER, ranges, RBL_COUNT_OF(ranges));
	if (result != RBL_OK)
		return result;
	rbl_builder builder;
	rbl_builder_init(&builder, &def->allocator);
	rbl_builder_add_material(&builder, RBL_LIGHT_STONE);
	rbl_profile_point bottom = { def->radius, 0.0 }, top = { def->radius, def->height };
	add_rows(&builder, bottom, top, def->rows, def->segments);
	add_rows(&builder, top, top, 1, def->segments);
	rbl_builder_loft(&builder, 0, def->rows + 1, def->segments);
	return rbl_builder_finish(&builder, mesh);
}

rbl_tube_def rbl_default_tube_def(void)
{
	return (rbl_tube_def){ .radius = 0.5,
		                   .height = 1.0,
		                   .wall = 0.1,
		                   .segments = 32,
		                   .rows = 1,
		                   .cookie = RBL_SHAPE_COOKIE(RBL_SHAPE_TUBE) };
}

rbl_result rbl_create_tube_mesh(const rbl_tube_def *def, rbl_mesh **mesh)
{
	rbl_result result = RBL_SHAPE_CHECK(RBL_SHAPE_TUBE, def, mesh);
	if (result != RBL_OK)
		return result;
	const rbl_shape_range ranges[] = {
		RBL_LENGTH_RANGE(def, radius),
		RBL_LENGTH_RANGE(def, height),
		{ "wall", def->wall, 1e-6 * def->radius, 0.999999 * def->radius },
		{ "segments", def->segments, 3, 10000 },
		{ "rows", def->rows, 1, 10000 },
	};
	result = rbl_shape_check_ranges(RBL_SHAPE_TUBE, ranges, RBL_COUNT_OF(ranges));
	if (result != RBL_OK)
		return result;
	rbl_builder builder;
	rbl_builder_init(&builder, &def->allocator);
	rbl_builder_add_material(&builder, RBL_LIGHT_STONE);
	double inner = def->radius - def->wall;
	rbl_profile_point profile[4] = {
		{ def->radius, 0.0 }, { def->radius, def->height }, { inner, def->height }, { inner, 0.0 }
	};
	for (int i = 0; i < 4; ++i)
		add_rows(&builder, profile[i], profile[(i + 1) & 3], i & 1 ? 1 : def->rows, def->segments);
	rbl_builder_sheet(&builder, (rbl_sheet){ .rows = 2 * def->rows + 2,
	                                         .columns = def->segments,
	                                         .wrap_rows = true,
	                                         .wrap_columns = true });
	return rbl_builder_finish(&builder, mesh);
}

rbl_torus_def rbl_default_torus_def(void)
{
	return (rbl_torus_def){ .radius = 0.5,
		                    .thickness = 0.2,
		                    .segments = 48,
		                    .sides = 24,
		                    .cookie = RBL_SHAPE_COOKIE(RBL_SHAPE_TORUS) };
}

rbl_result rbl_create_torus_mesh(const rbl_torus_def *def, rbl_mesh **mesh)
{
	rbl_result result = RBL_SHAPE_CHECK(RBL_SHAPE_TORUS, def, mesh);
	if (result != RBL_OK)
		return result;
	const rbl_shape_range ranges[] = {
		RBL_LENGTH_RANGE(def, radius),
		{ "thickness", def->thickness, 1e-6 * def->radius, 0.999999 * def->radius },
		{ "segments", def->segments, 3, 10000 },
		{ "sides", def->sides, 3, 10000 },
	};
	result = rbl_shape_check_ranges(RBL_SHAPE_TORUS, ranges, RBL_COUNT_OF(ranges));
	if (result != RBL_OK)
		return result;
	rbl_builder builder;
	rbl_builder_init(&builder, &def->allocator);
	rbl_builder_add_material(&builder, RBL_LIGHT_STONE);
	for (int r = 0; r < def->sides; ++r) {
		rbl_direction side = rbl_direction_at((double)r / def->sides);
		rbl_profile_point at = { def->radius + def->thickness * side.cos,
			                     def->thickness * side.sin };
		add_rows(&builder, at, at, 1, def->segments);
	}
	rbl_builder_sheet(&builder, (rbl_sheet){ .rows = def->sides,
	                                         .columns = def->segments,
	                                         .wrap_rows = true,
	                                         .wrap_columns = true });
	return rbl_builder_finish(&builder, mesh);
}
