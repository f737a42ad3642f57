// SPDX-License-Identifier: MIT
//
// Static colliders: triangle meshes and height fields.
//
// A mesh keeps its vertices in single precision, its triangles and their neighbours across each
// side, and has one leaf per triangle. A height field keeps heights only, and has one leaf per tile
// of 8 x 8 cells; a cell is two triangles, cut from the corner of higher column to that of higher
// row.

#include "collide/collider.h"

#include "base/log.h"
#include "geometry/geometry.h"

// --- meshes -------------------------------------------------------------------------------------

static rbl_result find_neighbours(rbl_collider *c, const int *triangles, int *neighbours)
{
	int n = c->child_count;
	int *starts = RBL_NEW(&c->allocator, int, n + 1);
	if (!starts)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i <= n; ++i)
		starts[i] = 3 * i;
	rbl_mesh_data data = {
		.face_count = n, .corner_count = 3 * n, .face_starts = starts, .corner_vertices = triangles
	};
	for (int i = 0; i < 3 * n; ++i)
		data.vertex_count = rbl_maxi(data.vertex_count, triangles[i] + 1);
	rbl_adjacency adjacency;
	rbl_result result = rbl_adjacency_init(&adjacency, &c->allocator, &data);
	if (result == RBL_OK) {
		for (int i = 0; i < 3 * n; ++i)
			neighbours[i] = adjacency.twins[i] >= 0 ? adjacency.twins[i] / 3 : -1;
		rbl_adjacency_destroy(&adjacency);
	}
	RBL_FREE(&c->allocator, starts, n + 1);
	return result;
}

// Allocate a mesh of child_count triangles and parts->vertex_count vertices.
static rbl_result allocate_mesh(rbl_collider *c, rbl_vec3 **positions, int **triangles)
{
	int n = 3 * c->child_count;
	c->parts->positions = *positions = RBL_NEW(&c->allocator, rbl_vec3, c->parts->vertex_count);
	c->parts->triangles = *triangles = RBL_NEW(&c->allocator, int, n);
	c->parts->neighbours = RBL_NEW(&c->allocator, int, n);
	return *positions && *triangles && c->parts->neighbours ? RBL_OK : RBL_OUT_OF_MEMORY;
}

// Build the tree and find the neighbours, once vertices and triangles are set.
static rbl_result finish_mesh(rbl_collider *c)
{
	const rbl_collider_parts *p = c->parts;
	int n = c->child_count;
	rbl_box *boxes = RBL_NEW(&c->allocator, rbl_box, n);
	if (!boxes)
		return RBL_OUT_OF_MEMORY;
	rbl_tree_triangle_boxes(boxes, p->positions, p->triangles, n, NULL);
	rbl_tree_build_input input = { .builder = RBL_TREE_BUILD_SAH, .count = n, .boxes = boxes };
	rbl_result result = rbl_tree_build(&c->parts->tree, &input);
	RBL_FREE(&c->allocator, boxes, n);
	return result == RBL_OK ? find_neighbours(c, p->triangles, (int *)(uintptr_t)p->neighbours)
	                        : result;
}

static bool is_in_range(rbl_vec3 p)
{
	return rbl_length(p) <= RBL_MAX_COLLIDER_SIZE;
}

rbl_result rbl_collider_make_mesh(rbl_collider *c, const rbl_collider_def *def)
{
	if (!def->mesh)
		return rbl_fail(RBL_BAD_ARGUMENT, "mesh is NULL");
	if (!rbl_is_finite_d(def->origin))
		return rbl_fail(RBL_BAD_ARGUMENT, "origin is not finite");
	rbl_mesh_data data = rbl_mesh_get_data(def->mesh);
	int n = rbl_mesh_triangle_count(def->mesh);
	if (n < 1)
		return rbl_fail(RBL_BAD_MESH, "the mesh has no triangles");
	c->child_count = n;
	c->parts->vertex_count = data.vertex_count;
	rbl_vec3 *positions;
	int *triangles;
	rbl_result result = allocate_mesh(c, &positions, &triangles);
	if (result == RBL_OK)
		result = rbl_mesh_triangulate(def->mesh, triangles, NULL);
	for (int v = 0; v < data.vertex_count && result == RBL_OK; ++v) {
		positions[v] = rbl_to_f(rbl_sub_d(data.positions[v], def->origin));
		if (!is_in_range(positions[v]))
			result = rbl_fail(RBL_BAD_ARGUMENT, "vertex %d is beyond RBL_MAX_COLLIDER_SIZE", v);
	}
	if (result != RBL_OK)
		return result;
	for (int i = 0; i < 3 * n; ++i)
		triangles[i] = data.corner_vertices[triangles[i]];
	return finish_mesh(c);
}

rbl_result rbl_collider_read_mesh(rbl_collider *c, rbl_blob_reader *r)
{
	c->parts->vertex_count = rbl_blob_get_count(r, sizeof(rbl_vec3));
	c->child_count = rbl_blob_get_count(r, 3 * sizeof(int));
	rbl_blob_expect(r, c->parts->vertex_count > 0 && c->child_count > 0, "a mesh is empty");
	rbl_vec3 *positions;
	int *triangles;
	if (r->is_bad) {
		c->parts->vertex_count = c->child_count = 0;
		return RBL_BAD_FILE;
	}
	if (allocate_mesh(c, &positions, &triangles) != RBL_OK)
		return RBL_OUT_OF_MEMORY;
	rbl_blob_get_words(r, positions, 3 * (size_t)c->parts->vertex_count);
	rbl_blob_get_words(r, triangles, 3 * (size_t)c->child_count);
	for (int v = 0; v < c->parts->vertex_count; ++v)
		rbl_blob_expect(r, is_in_range(positions[v]),
		                "a vertex of a mesh is beyond the size limit");
	rbl_blob_expect(
		r, rbl_ints_are_within(triangles, 3 * (size_t)c->child_count, 0, c->parts->vertex_count),
		"a triangle has no such vertex");
	return r->is_bad ? RBL_BAD_FILE : finish_mesh(c);
}

rbl_result rbl_collider_scale_mesh(rbl_collider *c, const rbl_collider *original, rbl_vec3 scale)
{
	const rbl_collider_parts *from = original->parts;
	c->parts->vertex_count = from->vertex_count;
	c->child_count = original->child_count;
	rbl_vec3 *positions;
	int *triangles;
	if (allocate_mesh(c, &positions, &triangles) != RBL_OK)
		return RBL_OUT_OF_MEMORY;
	memcpy(triangles, from->triangles, 3 * (size_t)c->child_count * sizeof *triangles);
	for (int v = 0; v < from->vertex_count; ++v) {
		rbl_vec3 p = from->positions[v];
		positions[v] = (rbl_vec3){ scale.x * p.x, scale.y * p.y, scale.z * p.z };
		if (!is_in_range(positions[v]))
			return rbl_fail(RBL_BAD_ARGUMENT, "vertex %d is beyond RBL_MAX_COLLIDER_SIZE", v);
	}
	return finish_mesh(c);
}

// --- height fields ------------------------------------------------------------------------------

static rbl_box tile_box(const rbl_collider_parts *p, int column, int row)
{
	int last_column = rbl_mini(column + RBL_HEIGHT_FIELD_TILE, p->column_count - 1);
	int last_row = rbl_mini(row + RBL_HEIGHT_FIELD_TILE, p->row_count - 1);
	rbl_box box = rbl_box_empty();
	for (int r = row; r <= last_row; ++r)
		for (int k = column; k <= last_column; ++k)
			box = rbl_box_add_point(box, (rbl_vec3){ (float)k * p->cell_size,
			                                         p->heights[k + r * p->column_count],
			                                         (float)r * p->cell_size });
	return box;
}

rbl_result rbl_collider_make_height_field(rbl_collider *c, const rbl_collider_def *def)
{
	enum { MAX_SIDE = 32768 };
	int columns = def->column_count, rows = def->row_count;
	if (columns < 2 || columns > MAX_SIDE || rows < 2 || rows > MAX_SIDE)
		return rbl_fail(RBL_BAD_ARGUMENT, "column_count and row_count must be 2 to %d", MAX_SIDE);
	if ((int64_t)columns * rows > INT32_MAX / 4)
		return rbl_fail(RBL_BAD_ARGUMENT, "a field of %d x %d heights is too large", columns, rows);
	if (!def->heights)
		return rbl_fail(RBL_BAD_ARGUMENT, "heights is NULL");
	if (!(def->cell_size > 0.0f) ||
	    !(def->cell_size * (float)rbl_maxi(columns, rows) <= RBL_MAX_COLLIDER_SIZE))
		return rbl_fail(RBL_BAD_ARGUMENT, "cell_size is %g, too small or large",
		                (double)def->cell_size);
	int count = columns * rows;
	for (int i = 0; i < count; ++i)
		if (!(fabsf(def->heights[i]) <= RBL_MAX_COLLIDER_SIZE))
			return rbl_fail(RBL_BAD_ARGUMENT, "height %d is %g", i, (double)def->heights[i]);
	float *heights = RBL_NEW(&c->allocator, float, count);
	if (!heights)
		return RBL_OUT_OF_MEMORY;
	memcpy(heights, def->heights, (size_t)count * sizeof *heights);
	rbl_collider_parts *p = c->parts;
	p->heights = heights, p->column_count = columns, p->row_count = rows;
	p->cell_size = def->cell_size;
	c->child_count = 2 * (columns - 1) * (rows - 1);

	int across = (columns - 1 + RBL_HEIGHT_FIELD_TILE - 1) / RBL_HEIGHT_FIELD_TILE;
	int down = (rows - 1 + RBL_HEIGHT_FIELD_TILE - 1) / RBL_HEIGHT_FIELD_TILE;
	rbl_box *boxes = RBL_NEW(&c->allocator, rbl_box, across * down);
	if (!boxes)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < across * down; ++i)
		boxes[i] =
			tile_box(p, i % across * RBL_HEIGHT_FIELD_TILE, i / across * RBL_HEIGHT_FIELD_TILE);
	rbl_tree_build_input input = { .builder = RBL_TREE_BUILD_MEDIAN,
		                           .count = across * down,
		                           .boxes = boxes };
	rbl_result result = rbl_tree_build(&p->tree, &input);
	RBL_FREE(&c->allocator, boxes, across * down);
	return result;
}

// Arrays that are const elsewhere.
static void release_array(const rbl_collider *c, const void *array, int count, size_t size)
{
	rbl_release(&c->allocator, (void *)(uintptr_t)array, (size_t)count, size);
}

void rbl_collider_free_parts(rbl_collider *c)
{
	const rbl_collider_parts *p = c->parts;
	if (c->kind == RBL_COLLIDER_PLANE)
		return;
	if (c->kind == RBL_COLLIDER_HEIGHT_FIELD) {
		release_array(c, p->heights, p->column_count * p->row_count, sizeof(float));
		return;
	}
	release_array(c, p->positions, p->vertex_count, sizeof(rbl_vec3));
	release_array(c, p->triangles, 3 * c->child_count, sizeof(int));
	release_array(c, p->neighbours, 3 * c->child_count, sizeof(int));
}

// --- triangles ----------------------------------------------------------------------------------

static rbl_vec3 field_point(const rbl_collider_parts *p, int column, int row)
{
	return (rbl_vec3){ (float)column * p->cell_size, p->heights[column + row * p->column_count],
		               (float)row * p->cell_size };
}

void rbl_collider_triangle(const rbl_collider *c, int child, rbl_vec3 corners[3])
{
	const rbl_collider_parts *p = c->parts;
	if (c->kind == RBL_COLLIDER_MESH) {
		for (int i = 0; i < 3; ++i)
			corners[i] = p->positions[p->triangles[3 * child + i]];
		return;
	}
	int columns = p->column_count - 1, cell = child / 2, k = cell % columns, r = cell / columns;
	corners[0] = child & 1 ? field_point(p, k + 1, r + 1) : field_point(p, k, r);
	corners[1] = child & 1 ? field_point(p, k + 1, r) : field_point(p, k, r + 1);
	corners[2] = child & 1 ? field_point(p, k, r + 1) : field_point(p, k + 1, r);
}

int rbl_collider_neighbour(const rbl_collider *c, int child, int side)
{
	const rbl_collider_parts *p = c->parts;
	if (c->kind == RBL_COLLIDER_MESH)
		return p->neighbours[3 * child + side];
	if (side == 1)
		return child ^ 1;
	int columns = p->column_count - 1, rows = p->row_count - 1, step = child & 1 ? 1 : -1;
	int cell = child / 2, k = cell % columns, r = cell / columns;
	k += side == 0 ? step : 0, r += side == 2 ? step : 0;
	if (k < 0 || r < 0 || k >= columns || r >= rows)
		return -1;
	return 2 * (k + r * columns) + (child & 1 ? 0 : 1);
}
