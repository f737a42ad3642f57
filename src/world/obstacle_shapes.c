// SPDX-License-Identifier: MIT
//
// Parts of bodies as triangles, for surfaces: what is seen of them, or what they collide as.
//
// Round shapes are octahedra whose faces are divided: each vertex is the support point along its
// direction and the radius farther out, so spheres, capsules and boxes with round edges need no
// code of their own. Vertices are on the shape, and the flat triangles between them within it by
// 0.6 % of the radius.

#include "world/obstacle_shapes.h"

enum { ROUND_STEPS = 8 }; // along a side of the octahedron

void rbl_obstacle_free_mesh(const rbl_allocator *allocator, rbl_obstacle_mesh *mesh)
{
	rbl_array_free(allocator, &mesh->positions);
	rbl_array_free(allocator, &mesh->triangles);
}

static bool make_space(const rbl_allocator *allocator, rbl_obstacle_mesh *mesh, int vertices,
                       int64_t triangles)
{
	return triangles <= RBL_MAX_SURFACE_ITEMS &&
	       rbl_array_resize(allocator, &mesh->positions, vertices) &&
	       rbl_array_resize(allocator, &mesh->triangles, 3 * triangles);
}

static void put_triangle(rbl_obstacle_mesh *mesh, int at, int a, int b, int c)
{
	int *t = mesh->triangles.data + 3 * (size_t)at;
	t[0] = a, t[1] = b, t[2] = c;
}

// --- of compounds -------------------------------------------------------------------------------

static rbl_result from_mesh(const rbl_allocator *allocator, const rbl_mesh *from,
                            rbl_obstacle_mesh *mesh)
{
	rbl_mesh_data data = rbl_mesh_get_data(from);
	int count = rbl_mesh_triangle_count(from);
	if (!make_space(allocator, mesh, data.vertex_count, count))
		return RBL_OUT_OF_MEMORY;
	rbl_result result = rbl_mesh_triangulate(from, mesh->triangles.data, NULL);
	for (int i = 0; i < 3 * count && result == RBL_OK; ++i)
		mesh->triangles.data[i] = data.corner_vertices[mesh->triangles.data[i]];
	for (int v = 0; v < data.vertex_count; ++v)
		mesh->positions.data[v] = rbl_to_f(data.positions[v]);
	return result;
}

static rbl_result from_convex(const rbl_allocator *allocator, const rbl_convex *convex,
                              rbl_obstacle_mesh *mesh)
{
	rbl_convex_data data = rbl_convex_get_data(convex);
	int corner_count = data.face_starts[data.face_count], n = 0;
	if (!make_space(allocator, mesh, data.vertex_count, corner_count - 2 * data.face_count))
		return RBL_OUT_OF_MEMORY;
	for (int v = 0; v < data.vertex_count; ++v)
		mesh->positions.data[v] = rbl_to_f(data.vertices[v]);
	for (int f = 0; f < data.face_count; ++f) {
		const int *corners = data.corner_vertices + data.face_starts[f];
		for (int k = 2; k < data.face_starts[f + 1] - data.face_starts[f]; ++k)
			put_triangle(mesh, n++, corners[0], corners[k - 1], corners[k]);
	}
	return RBL_OK;
}

rbl_result rbl_obstacle_from_part(const rbl_allocator *allocator, const rbl_compound_part *part,
                                  rbl_obstacle_shape shape, rbl_obstacle_mesh *mesh)
{
	bool is_mesh = part->mesh && shape == RBL_OBSTACLE_MESHES;
	return is_mesh ? from_mesh(allocator, part->mesh, mesh)
	               : from_convex(allocator, part->convex, mesh);
}

// --- of colliders -------------------------------------------------------------------------------

// The corner of a face of the octahedron that is i steps along x, j along y and the rest along z.
static rbl_vec3 octahedron_point(int i, int j, int k)
{
	return rbl_normalize((rbl_vec3){ (float)i, (float)j, (float)k });
}

// The number of a vertex in rings from the top: ring r has 4 r of them down to the middle.
static int ring_start(int ring)
{
	const int n = ROUND_STEPS;
	if (ring == 0)
		return 0;
	if (ring <= n)
		return 1 + 2 * ring * (ring - 1);
	int left = 2 * n - ring; // rings below it, the last one of them a point
	return 4 * n * n + 2 - (left == 0 ? 1 : 1 + 2 * left * (left + 1));
}

static int ring_size(int ring)
{
	int r = ring <= ROUND_STEPS ? ring : 2 * ROUND_STEPS - ring;
	return r == 0 ? 1 : 4 * r;
}

static rbl_vec3 ring_direction(int ring, int at)
{
	const int n = ROUND_STEPS;
	int r = ring <= n ? ring : 2 * n - ring, y = n - ring;
	if (r == 0)
		return (rbl_vec3){ 0.0f, y > 0 ? 1.0f : -1.0f, 0.0f };
	int quarter = at / r, along = at % r;
	int x = r - along, z = along;
	for (int q = 0; q < quarter; ++q) { // turn by a right angle
		int old = x;
		x = -z, z = old;
	}
	return octahedron_point(x, y, z);
}

// Triangles between a ring and the next, which has four vertices more or fewer.
static int join_rings(rbl_obstacle_mesh *mesh, int ring, int n)
{
	int upper = ring_start(ring), lower = ring_start(ring + 1);
	int u = ring_size(ring), l = ring_size(ring + 1);
	int sides = (u > l ? u : l) / 4, per_u = u / 4, per_l = l / 4;
	for (int q = 0; q < 4; ++q)
		for (int k = 0; k < sides; ++k) {
			// In a quarter one ring has `sides` edges, the other one fewer.
			int u0 = upper + (u > 1 ? (q * per_u + k) % u : 0);
			int l0 = lower + (l > 1 ? (q * per_l + k) % l : 0);
			int u1 = upper + (u > 1 ? (q * per_u + k + 1) % u : 0);
			int l1 = lower + (l > 1 ? (q * per_l + k + 1) % l : 0);
			if (l > u) {
				put_triangle(mesh, n++, u0, l1, l0);
				if (k + 1 < sides)
					put_triangle(mesh, n++, u0, u1, l1);
			} else {
				put_triangle(mesh, n++, u0, u1, l0);
				if (k + 1 < sides)
					put_triangle(mesh, n++, u1, l1, l0);
			}
		}
	return n;
}

static rbl_result from_round(const rbl_allocator *allocator, const rbl_polyhedron *p,
                             rbl_obstacle_mesh *mesh)
{
	const int n = ROUND_STEPS;
	if (!make_space(allocator, mesh, 4 * n * n + 2, 8 * n * n))
		return RBL_OUT_OF_MEMORY;
	for (int ring = 0; ring <= 2 * n; ++ring)
		for (int at = 0; at < ring_size(ring); ++at) {
			rbl_vec3 d = ring_direction(ring, at);
			mesh->positions.data[ring_start(ring) + at] =
				rbl_add_scaled(rbl_polyhedron_support_point(p, d), p->radius, d);
		}
	int count = 0;
	for (int ring = 0; ring < 2 * n; ++ring)
		count = join_rings(mesh, ring, count);
	RBL_ASSERT(count == 8 * n * n);
	return RBL_OK;
}

static rbl_result from_polyhedron(const rbl_allocator *allocator, const rbl_polyhedron *p,
                                  rbl_obstacle_mesh *mesh)
{
	if (p->radius > 0.0f)
		return from_round(allocator, p, mesh);
	int n = 0;
	if (!make_space(allocator, mesh, p->vertex_count,
	                (int)p->face_starts[p->face_count] - 2 * p->face_count))
		return RBL_OUT_OF_MEMORY;
	for (int v = 0; v < p->vertex_count; ++v)
		mesh->positions.data[v] = rbl_polyhedron_vertex(p, v);
	for (int f = 0; f < p->face_count; ++f) {
		const uint8_t *corners = p->corners + p->face_starts[f];
		for (int k = 2; k < p->face_starts[f + 1] - p->face_starts[f]; ++k)
			put_triangle(mesh, n++, corners[0], corners[k - 1], corners[k]);
	}
	return RBL_OK;
}

static rbl_result from_triangles(const rbl_allocator *allocator, const rbl_collider_parts *parts,
                                 int count, rbl_obstacle_mesh *mesh)
{
	if (!make_space(allocator, mesh, parts->vertex_count, count))
		return RBL_OUT_OF_MEMORY;
	memcpy(mesh->positions.data, parts->positions,
	       (size_t)parts->vertex_count * sizeof *parts->positions);
	memcpy(mesh->triangles.data, parts->triangles, 3 * (size_t)count * sizeof *parts->triangles);
	return RBL_OK;
}

// Each cell of a height field has its own corners in rbl_collider_triangle(): the grid joins them.
static rbl_result from_heights(const rbl_allocator *allocator, const rbl_collider *collider,
                               rbl_obstacle_mesh *mesh)
{
	const rbl_collider_parts *parts = collider->parts;
	int columns = parts->column_count, rows = parts->row_count;
	if ((int64_t)columns * rows > RBL_MAX_SURFACE_ITEMS ||
	    !make_space(allocator, mesh, columns * rows, collider->child_count))
		return RBL_OUT_OF_MEMORY;
	for (int row = 0; row < rows; ++row)
		for (int column = 0; column < columns; ++column)
			mesh->positions.data[column + row * columns] =
				(rbl_vec3){ (float)column * parts->cell_size,
				            parts->heights[column + row * columns], (float)row * parts->cell_size };
	for (int i = 0; i < collider->child_count; ++i) {
		rbl_vec3 corners[3];
		int at[3];
		rbl_collider_triangle(collider, i, corners);
		for (int k = 0; k < 3; ++k) {
			int column = (int)(corners[k].x / parts->cell_size + 0.5f);
			int row = (int)(corners[k].z / parts->cell_size + 0.5f);
			at[k] = column + row * columns;
		}
		put_triangle(mesh, i, at[0], at[1], at[2]);
	}
	return RBL_OK;
}

static rbl_result from_plane(const rbl_allocator *allocator, const rbl_collider_parts *parts,
                             float reach, rbl_obstacle_mesh *mesh)
{
	if (!make_space(allocator, mesh, 4, 2))
		return RBL_OUT_OF_MEMORY;
	rbl_vec3 middle = rbl_scale(parts->plane.offset, parts->plane.normal);
	for (int i = 0; i < 4; ++i) {
		rbl_vec3 corner = { i & 1 ? reach : -reach, 0.0f, i & 2 ? reach : -reach };
		mesh->positions.data[i] = rbl_add(middle, rbl_rotate(parts->plane_rotation, corner));
	}
	put_triangle(mesh, 0, 0, 2, 1);
	put_triangle(mesh, 1, 1, 2, 3);
	return RBL_OK;
}

rbl_result rbl_obstacle_from_collider(const rbl_allocator *allocator, const rbl_collider *collider,
                                      float plane_reach, rbl_obstacle_mesh *mesh)
{
	if (collider->polyhedron)
		return from_polyhedron(allocator, collider->polyhedron, mesh);
	if (collider->kind == RBL_COLLIDER_MESH)
		return from_triangles(allocator, collider->parts, collider->child_count, mesh);
	if (collider->kind == RBL_COLLIDER_HEIGHT_FIELD)
		return from_heights(allocator, collider, mesh);
	return from_plane(allocator, collider->parts, plane_reach, mesh);
}
