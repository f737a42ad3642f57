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
	if (!c->parts->is_for_casts)
		c->parts->neighbours = RBL_NEW(&c->allocator, int, n);
	bool has_neighbours = c->parts->is_for_casts || c->parts->neighbours;
	return *positions && *triangles && has_neighbours ? RBL_OK : RBL_OUT_OF_MEMORY;
}

// Build the tree and find the neighbours, once vertices and triangles are set. Answers do not
// depend on the tree: one that is made at a break is made in an eighth of the time.
static rbl_result finish_mesh(rbl_collider *c)
{
	const rbl_collider_parts *p = c->parts;
	int n = c->child_count;
	rbl_box *boxes = RBL_NEW(&c->allocator, rbl_box, n);
	if (!boxes)
		return RBL_OUT_OF_MEMORY;
	rbl_tree_triangle_boxes(boxes, p->positions, p->triangles, n, NULL);
	rbl_tree_build_input input = {
		.builder = p->is_for_casts ? RBL_TREE_BUILD_MORTON : RBL_TREE_BUILD_SAH,
		.count = n,
		.boxes = boxes,
	};
	rbl_result result = rbl_tree_build(&c->parts->tree, &input);
	RBL_FREE(&c->allocator, boxes, n);
	return result == RBL_OK && p->neighbours
	           ? find_neighbours(c, p->triangles, (int *)(uintptr_t)p->neighbours)
	           : result;
}

static bool is_in_range(rbl_vec3 p)
{
	return rbl_length(p) <= RBL_MAX_COLLIDER_SIZE;
}

// --- materials ----------------------------------------------------------------------------------

rbl_result rbl_collider_set_materials(rbl_collider *c, const rbl_material *const *materials,
                                      int count)
{
	if (count == 0)
		return RBL_OK;
	const rbl_material **own = RBL_NEW(&c->allocator, const rbl_material *, count);
	if (!own)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i)
		own[i] = rbl_material_share(materials[i]);
	c->parts->materials = own;
	c->parts->material_count = count;
	return RBL_OK;
}

int rbl_collider_slot_count(const rbl_collider *c)
{
	return c->kind == RBL_COLLIDER_HEIGHT_FIELD ? c->child_count / 2 : c->child_count;
}

static rbl_result make_materials(rbl_collider *c, const rbl_collider_def *def)
{
	int count = def->material_count;
	if (count < 0 || count > RBL_MAX_COLLIDER_MATERIALS || (count > 0 && !def->materials))
		return rbl_fail(RBL_BAD_ARGUMENT, "material_count is %d, must be 0 to %d, with materials",
		                count, RBL_MAX_COLLIDER_MATERIALS);
	return rbl_collider_set_materials(c, def->materials, count);
}

static rbl_result make_slots(rbl_collider *c)
{
	c->parts->material_slots = RBL_NEW(&c->allocator, uint8_t, rbl_collider_slot_count(c));
	return c->parts->material_slots ? RBL_OK : RBL_OUT_OF_MEMORY;
}

// @param faces  of the triangles
static rbl_result make_mesh_slots(rbl_collider *c, const rbl_mesh_data *data, const int *faces)
{
	if (make_slots(c) != RBL_OK)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < c->child_count; ++i) {
		int slot = data->face_materials ? data->face_materials[faces[i]] : 0;
		c->parts->material_slots[i] = (uint8_t)rbl_mini(slot, RBL_MAX_COLLIDER_MATERIALS);
	}
	return RBL_OK;
}

static rbl_result make_cell_slots(rbl_collider *c, const uint8_t *cells)
{
	int n = rbl_collider_slot_count(c);
	for (int i = 0; i < n; ++i)
		if (cells[i] >= c->parts->material_count)
			return rbl_fail(RBL_BAD_ARGUMENT, "cell %d has material %d of %d", i, (int)cells[i],
			                c->parts->material_count);
	if (make_slots(c) != RBL_OK)
		return RBL_OUT_OF_MEMORY;
	memcpy(c->parts->material_slots, cells, (size_t)n);
	return RBL_OK;
}

// --- meshes, made of triangles ------------------------------------------------------------------

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
		result = make_materials(c, def);
	int *faces = NULL;
	if (result == RBL_OK && c->parts->material_count > 0) {
		faces = RBL_NEW(&c->allocator, int, n);
		result = faces ? RBL_OK : RBL_OUT_OF_MEMORY;
	}
	if (result == RBL_OK)
		result = rbl_mesh_triangulate(def->mesh, triangles, faces);
	if (result == RBL_OK && faces)
		result = make_mesh_slots(c, &data, faces);
	RBL_FREE(&c->allocator, faces, n);
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

// Add the triangles of a mesh to those of others.
// @param vertex_count, triangle_count  so far
static rbl_result add_cast_mesh(const rbl_collider *c, const rbl_mesh *mesh, int vertex_count,
                                int triangle_count, rbl_vec3 *positions, int *triangles)
{
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	int *corners = triangles + 3 * (size_t)triangle_count;
	rbl_result result = rbl_faces_triangulate_quickly(&c->allocator, &data, corners);
	for (int v = 0; v < data.vertex_count && result == RBL_OK; ++v) {
		rbl_vec3 p = positions[vertex_count + v] = rbl_to_f(data.positions[v]);
		if (!is_in_range(p))
			result = rbl_fail(RBL_BAD_ARGUMENT, "vertex %d is beyond RBL_MAX_COLLIDER_SIZE", v);
	}
	for (int i = 0; i < 3 * rbl_mesh_triangle_count(mesh) && result == RBL_OK; ++i)
		corners[i] = vertex_count + data.corner_vertices[corners[i]];
	return result;
}

static rbl_result make_cast_mesh(rbl_collider *c, const rbl_mesh *const *meshes, int mesh_count)
{
	int64_t vertex_count = 0, triangle_count = 0;
	for (int i = 0; i < mesh_count; ++i) {
		vertex_count += meshes[i] ? rbl_mesh_get_data(meshes[i]).vertex_count : 0;
		triangle_count += meshes[i] ? rbl_mesh_triangle_count(meshes[i]) : 0;
	}
	if (triangle_count < 1)
		return rbl_fail(RBL_BAD_MESH, "the mesh has no triangles");
	if (vertex_count > RBL_MAX_MESH_ITEMS || triangle_count > RBL_MAX_MESH_ITEMS)
		return rbl_fail(RBL_LIMIT_REACHED, "more than %d triangles or vertices",
		                RBL_MAX_MESH_ITEMS);
	c->child_count = (int)triangle_count;
	c->parts->vertex_count = (int)vertex_count;
	rbl_vec3 *positions;
	int *triangles, vertices = 0, count = 0;
	rbl_result result = allocate_mesh(c, &positions, &triangles);
	for (int i = 0; i < mesh_count && result == RBL_OK; ++i) {
		if (!meshes[i])
			continue;
		result = add_cast_mesh(c, meshes[i], vertices, count, positions, triangles);
		vertices += rbl_mesh_get_data(meshes[i]).vertex_count;
		count += rbl_mesh_triangle_count(meshes[i]);
	}
	return result == RBL_OK ? finish_mesh(c) : result;
}

rbl_result rbl_create_cast_collider(const rbl_mesh *const *meshes, int mesh_count,
                                    const rbl_allocator *allocator, rbl_collider **collider)
{
	rbl_collider *c = *collider = rbl_collider_new_parts(RBL_COLLIDER_MESH, allocator);
	if (!c)
		return RBL_OUT_OF_MEMORY;
	c->parts->is_for_casts = true;
	rbl_result result = make_cast_mesh(c, meshes, mesh_count);
	if (result == RBL_OK)
		result = rbl_collider_finish(c);
	if (result == RBL_OK)
		return RBL_OK;
	rbl_destroy_collider(c);
	*collider = NULL;
	return result;
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

// The materials of another mesh with the same triangles.
static rbl_result copy_materials(rbl_collider *c, const rbl_collider_parts *from)
{
	rbl_result result = rbl_collider_set_materials(c, from->materials, from->material_count);
	if (result != RBL_OK || !from->material_slots)
		return result;
	if (make_slots(c) != RBL_OK)
		return RBL_OUT_OF_MEMORY;
	memcpy(c->parts->material_slots, from->material_slots, (size_t)rbl_collider_slot_count(c));
	return RBL_OK;
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
	rbl_result result = copy_materials(c, from);
	return result == RBL_OK ? finish_mesh(c) : result;
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
	rbl_result result = make_materials(c, def);
	if (result == RBL_OK && c->parts->material_count > 0 && def->cell_materials)
		result = make_cell_slots(c, def->cell_materials);
	if (result != RBL_OK)
		return result;

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
	result = rbl_tree_build(&p->tree, &input);
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
	for (int i = 0; i < p->material_count; ++i)
		rbl_material_unshare(p->materials[i]);
	RBL_FREE(&c->allocator, p->materials, p->material_count);
	RBL_FREE(&c->allocator, p->material_slots, rbl_collider_slot_count(c));
	if (c->kind == RBL_COLLIDER_PLANE)
		return;
	if (c->kind == RBL_COLLIDER_HEIGHT_FIELD) {
		release_array(c, p->heights, p->column_count * p->row_count, sizeof(float));
		return;
	}
	release_array(c, p->positions, p->vertex_count, sizeof(rbl_vec3));
	release_array(c, p->triangles, 3 * c->child_count, sizeof(int));
	if (p->neighbours)
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
		return p->neighbours ? p->neighbours[3 * child + side] : -1;
	if (side == 1)
		return child ^ 1;
	int columns = p->column_count - 1, rows = p->row_count - 1, step = child & 1 ? 1 : -1;
	int cell = child / 2, k = cell % columns, r = cell / columns;
	k += side == 0 ? step : 0, r += side == 2 ? step : 0;
	if (k < 0 || r < 0 || k >= columns || r >= rows)
		return -1;
	return 2 * (k + r * columns) + (child & 1 ? 0 : 1);
}
