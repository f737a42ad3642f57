// SPDX-License-Identifier: MIT
//
// Crack fields: the mesh before anything breaks.
//
// The idea is that of Glondu et al. 2014, section 4: a tetrahedral mesh keeps for each node the
// fragment and how far its surface is; a break changes these numbers, and nothing is meshed anew.
// What differs:
//
//   - A node keeps its witness: the triangle of the surface, and the crack, that are nearest. The
//     paper keeps distance and direction, averages them over neighbours (Eqs. 1 and 2), and adds up
//     errors as it goes. The distance from a witness is exact wherever it is measured. `rubble
//     bench field` has the paper's form.
//   - The surface is the boundary of the mesh, found by a tree; there is no second, regular grid of
//     distances.
//   - Cuts name permanent numbers of fragments, so that any edge may be cut any number of times.
//
// Creation finds for each node the nearest triangle of the boundary, tetrahedra around nodes and
// edges between them, and a grid of cells that lists the tetrahedra in each.

#include "field/crack_field.h"

#include "base/log.h"
#include "base/simd.h"

enum { CRACK_FIELD_COOKIE = 0x6372666c, GRID_ITEMS_PER_TET = 64 };

static const int tet_faces[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };

rbl_crack_field_def rbl_default_crack_field_def(void)
{
	return (rbl_crack_field_def){ .cookie = CRACK_FIELD_COOKIE };
}

// --- arrays -------------------------------------------------------------------------------------

static size_t grid_cell_count(const rbl_crack_grid *grid)
{
	return (size_t)grid->size[0] * (size_t)grid->size[1] * (size_t)grid->size[2];
}

void rbl_destroy_crack_field(rbl_crack_field *f)
{
	if (!f)
		return;
	rbl_allocator allocator = f->allocator;
	size_t n = (size_t)f->node_count, tets = (size_t)f->tet_count;
	for (int i = 0; i < f->fragments.count; ++i)
		RBL_FREE(&allocator, f->fragments.data[i].occupied,
		         f->grid.level_words[f->grid.level_count]);
	RBL_FREE(&allocator, f->nodes, n);
	RBL_FREE(&allocator, f->tet_nodes, 4 * tets);
	RBL_FREE(&allocator, f->tet_neighbors, 4 * tets);
	RBL_FREE(&allocator, f->tet_planes, 4 * tets);
	RBL_FREE(&allocator, f->edge_starts, n + 1);
	RBL_FREE(&allocator, f->edges, f->edge_count);
	RBL_FREE(&allocator, f->node_reaches, n);
	RBL_FREE(&allocator, f->node_tet_starts, n + 1);
	RBL_FREE(&allocator, f->node_tets, 4 * tets);
	RBL_FREE(&allocator, f->triangles, 3 * (size_t)f->triangle_count);
	RBL_FREE(&allocator, f->triangle_planes, f->triangle_count);
	RBL_FREE(&allocator, f->is_surface_node, n);
	RBL_FREE(&allocator, f->node_fragments, n);
	RBL_FREE(&allocator, f->surface_witnesses, n);
	RBL_FREE(&allocator, f->surface_depths, n);
	RBL_FREE(&allocator, f->crack_witnesses, n);
	RBL_FREE(&allocator, f->crack_depths, n);
	RBL_FREE(&allocator, f->depths, n);
	RBL_FREE(&allocator, f->nodes_by_fragment, n);
	RBL_FREE(&allocator, f->first_entries, tets);
	if (f->grid.starts)
		RBL_FREE(&allocator, f->grid.starts, grid_cell_count(&f->grid) + 1);
	RBL_FREE(&allocator, f->grid.tets, f->grid.item_count);
	rbl_array_free(&allocator, &f->planes);
	rbl_array_free(&allocator, &f->entries);
	rbl_array_free(&allocator, &f->pieces);
	rbl_array_free(&allocator, &f->corners);
	rbl_array_free(&allocator, &f->fragments);
	rbl_array_free(&allocator, &f->cut_tets);
	rbl_array_free(&allocator, &f->facings);
	rbl_tree_pool_destroy(&f->pool);
	rbl_tree_pool_destroy(&f->piece_pool);
	rbl_arena_destroy(&f->arena);
	RBL_FREE(&allocator, f, 1);
}

static bool reserve_field(rbl_crack_field *f, const rbl_tets_data *data)
{
	const rbl_allocator *a = &f->allocator;
	size_t n = (size_t)data->vertex_count, tets = (size_t)data->tet_count;
	size_t triangles = (size_t)data->boundary_face_count;
	f->node_count = data->vertex_count;
	f->tet_count = data->tet_count;
	f->triangle_count = data->boundary_face_count;
	f->nodes = RBL_NEW(a, rbl_vec3, n);
	f->tet_nodes = RBL_NEW(a, int, 4 * tets);
	f->tet_neighbors = RBL_NEW(a, int, 4 * tets);
	f->tet_planes = RBL_NEW(a, rbl_plane, 4 * tets);
	f->edge_starts = RBL_NEW(a, int, n + 1);
	f->node_reaches = RBL_NEW_ZERO(a, float, n);
	f->node_tet_starts = RBL_NEW(a, int, n + 1);
	f->node_tets = RBL_NEW(a, int, 4 * tets);
	f->triangles = RBL_NEW(a, rbl_vec3, 3 * triangles);
	f->triangle_planes = RBL_NEW(a, rbl_plane, triangles);
	f->is_surface_node = RBL_NEW_ZERO(a, bool, n);
	f->node_fragments = RBL_NEW_ZERO(a, int, n);
	f->surface_witnesses = RBL_NEW(a, int, n);
	f->surface_depths = RBL_NEW(a, float, n);
	f->crack_witnesses = RBL_NEW(a, int, n);
	f->crack_depths = RBL_NEW(a, float, n);
	f->depths = RBL_NEW(a, float, n);
	f->nodes_by_fragment = RBL_NEW(a, int, n);
	f->first_entries = RBL_NEW(a, int, tets);
	return f->nodes && f->tet_nodes && f->tet_neighbors && f->tet_planes && f->edge_starts &&
	       f->node_reaches && f->node_tet_starts && f->node_tets && f->triangles &&
	       f->triangle_planes && f->is_surface_node && f->node_fragments && f->surface_witnesses &&
	       f->surface_depths && f->crack_witnesses && f->crack_depths && f->depths &&
	       f->nodes_by_fragment && f->first_entries;
}

// --- mesh ---------------------------------------------------------------------------------------

static rbl_plane face_plane(const rbl_vec3 *nodes, const int *tet, int face)
{
	rbl_vec3d a = rbl_to_d(nodes[tet[tet_faces[face][0]]]);
	rbl_vec3d b = rbl_to_d(nodes[tet[tet_faces[face][1]]]);
	rbl_vec3d c = rbl_to_d(nodes[tet[tet_faces[face][2]]]);
	rbl_vec3d normal = rbl_normalize_d(rbl_cross_d(rbl_sub_d(b, a), rbl_sub_d(c, a)));
	return (rbl_plane){ rbl_to_f(normal), (float)rbl_dot_d(normal, a) };
}

static void copy_mesh(rbl_crack_field *f, const rbl_tets_data *data, rbl_vec3d origin)
{
	rbl_box box = rbl_box_empty();
	for (int i = 0; i < f->node_count; ++i) {
		f->nodes[i] = rbl_to_f(rbl_sub_d(data->positions[i], origin));
		box = rbl_box_add_point(box, f->nodes[i]);
		f->crack_witnesses[i] = RBL_CRACK_NONE;
		f->crack_depths[i] = INFINITY;
		f->nodes_by_fragment[i] = i;
	}
	memcpy(f->tet_nodes, data->tet_vertices, 4 * (size_t)f->tet_count * sizeof(int));
	memcpy(f->tet_neighbors, data->tet_neighbors, 4 * (size_t)f->tet_count * sizeof(int));
	for (int i = 0; i < f->tet_count; ++i) {
		for (int k = 0; k < 4; ++k)
			f->tet_planes[4 * i + k] = face_plane(f->nodes, f->tet_nodes + 4 * (size_t)i, k);
		f->first_entries[i] = RBL_CRACK_NONE;
	}
	for (int i = 0; i < 3 * f->triangle_count; ++i) {
		int node = data->boundary_vertices[data->boundary_triangles[i]];
		f->triangles[i] = f->nodes[node];
		f->is_surface_node[node] = true;
	}
	for (int i = 0; i < f->triangle_count; ++i) {
		rbl_vec3d t[3];
		for (int k = 0; k < 3; ++k)
			t[k] = rbl_to_d(f->triangles[3 * i + k]);
		rbl_vec3d normal =
			rbl_normalize_d(rbl_cross_d(rbl_sub_d(t[1], t[0]), rbl_sub_d(t[2], t[0])));
		f->triangle_planes[i] = (rbl_plane){ rbl_to_f(normal), (float)rbl_dot_d(normal, t[0]) };
	}
	f->size = rbl_length(rbl_box_size(box));
	rbl_vec3 far = rbl_max(rbl_neg(box.lower), box.upper);
	f->rounding = 1e-6f * rbl_maxf(rbl_maxf(far.x, far.y), far.z);
	f->fragments.data[0].box = box;
}

// Tetrahedra around each node, ascending.
static void find_node_tets(rbl_crack_field *f)
{
	int *starts = f->node_tet_starts;
	memset(starts, 0, ((size_t)f->node_count + 1) * sizeof *starts);
	for (int i = 0; i < 4 * f->tet_count; ++i)
		starts[f->tet_nodes[i] + 1]++;
	for (int i = 0; i < f->node_count; ++i)
		starts[i + 1] += starts[i];
	for (int i = 0; i < 4 * f->tet_count; ++i)
		f->node_tets[starts[f->tet_nodes[i]]++] = i / 4;
	for (int i = f->node_count; i > 0; --i)
		starts[i] = starts[i - 1];
	starts[0] = 0;
}

// Neighbours of each node. @param stamps  a number per node
static int list_neighbours(const rbl_crack_field *f, int node, int *stamps, int *list)
{
	int n = 0;
	stamps[node] = node;
	for (int i = f->node_tet_starts[node]; i < f->node_tet_starts[node + 1]; ++i)
		for (int k = 0; k < 4; ++k) {
			int other = f->tet_nodes[4 * f->node_tets[i] + k];
			if (stamps[other] == node)
				continue;
			stamps[other] = node;
			if (list)
				list[n] = other;
			n++;
		}
	return n;
}

static bool find_edges(rbl_crack_field *f)
{
	int *stamps = RBL_ARENA_NEW(&f->arena, int, f->node_count);
	if (!stamps)
		return false;
	int64_t count = 0;
	for (int pass = 0; pass < 2; ++pass) {
		count = 0;
		memset(stamps, -1, (size_t)f->node_count * sizeof *stamps);
		for (int i = 0; i < f->node_count; ++i) {
			if (pass == 1)
				f->edge_starts[i] = (int)count;
			count += list_neighbours(f, i, stamps, pass == 1 ? f->edges + count : NULL);
		}
		if (pass == 0 && count > 0) {
			f->edges = RBL_NEW(&f->allocator, int, count);
			f->edge_count = f->edges ? (int)count : 0;
			if (!f->edges)
				return false;
		}
	}
	f->edge_starts[f->node_count] = (int)count;
	double sum = 0.0;
	for (int i = 0; i < f->node_count; ++i)
		for (int k = f->edge_starts[i]; k < f->edge_starts[i + 1]; ++k) {
			float length = rbl_distance(f->nodes[i], f->nodes[f->edges[k]]);
			f->node_reaches[i] = rbl_maxf(f->node_reaches[i], length);
			f->longest_edge = rbl_maxf(f->longest_edge, length);
			sum += (double)length;
		}
	f->mean_edge = count > 0 ? (float)(sum / (double)count) : f->size;
	return true;
}

// --- surface ------------------------------------------------------------------------------------

// The squared distance of a point from both boxes of a node. In lanes, for branches that no
// processor predicts would take most of the time. Loads reach one float beyond three, which is
// still in the node.
static void box_squares(const rbl_tree_node *node, rbl_f4 p, float squares[2])
{
	const rbl_i4 three = rbl_i4_set(-1, -1, -1, 0);
	for (int k = 0; k < 2; ++k) {
		rbl_f4 below = rbl_f4_sub(rbl_f4_load(&node->boxes[k].lower.x), p);
		rbl_f4 above = rbl_f4_sub(p, rbl_f4_load(&node->boxes[k].upper.x));
		rbl_f4 d = rbl_f4_max(rbl_f4_max(below, above), rbl_f4_zero());
		d = rbl_f4_select(three, d, rbl_f4_zero());
		squares[k] = rbl_f4_sum(rbl_f4_mul(d, d));
	}
}

// The point of a segment nearest to p.
static rbl_vec3 nearest_on_segment(rbl_vec3 a, rbl_vec3 b, rbl_vec3 p)
{
	rbl_vec3 side = rbl_sub(b, a);
	float square = rbl_dot(side, side);
	float t = square > 0.0f ? rbl_clampf(rbl_dot(rbl_sub(p, a), side) / square, 0.0f, 1.0f) : 0.0f;
	return rbl_add_scaled(a, t, side);
}

// The point of a convex polygon nearest to p: its foot, when that is inside of all sides, or on a
// side.
static rbl_vec3 nearest_on_polygon(const rbl_vec3 *corners, int count, rbl_plane plane, rbl_vec3 p)
{
	rbl_vec3 foot = rbl_add_scaled(p, -rbl_plane_distance(plane, p), plane.normal), nearest = foot;
	bool is_inside = count >= 3;
	float least = INFINITY;
	for (int i = 0, k = count - 1; i < count; k = i++) {
		rbl_vec3 side = rbl_sub(corners[i], corners[k]);
		rbl_vec3 out = rbl_cross(side, plane.normal);
		if (rbl_dot(out, rbl_sub(foot, corners[k])) <= 0.0f)
			continue;
		is_inside = false;
		rbl_vec3 q = nearest_on_segment(corners[k], corners[i], p);
		float square = rbl_length_squared(rbl_sub(q, p));
		if (square < least)
			least = square, nearest = q;
	}
	if (is_inside || least < INFINITY)
		return nearest;
	return count > 0 ? nearest_on_segment(corners[0], corners[count - 1], p) : foot;
}

static rbl_vec3 nearest_on_triangle(const rbl_crack_field *f, int triangle, rbl_vec3 p)
{
	return nearest_on_polygon(f->triangles + 3 * (size_t)triangle, 3, f->triangle_planes[triangle],
	                          p);
}

// The distance of a leaf of a tree, squared, and its nearest point; INFINITY: it is beyond `best`,
// as its plane is.
typedef float leaf_function(const rbl_crack_field *f, int leaf, rbl_vec3 p, float best,
                            rbl_vec3 *nearest);

static bool is_plane_beyond(rbl_plane plane, rbl_vec3 p, float best)
{
	float distance = rbl_plane_distance(plane, p);
	return 0.99999f * distance * distance > best;
}

static float triangle_square(const rbl_crack_field *f, int leaf, rbl_vec3 p, float best,
                             rbl_vec3 *nearest)
{
	if (is_plane_beyond(f->triangle_planes[leaf], p, best))
		return INFINITY;
	*nearest = nearest_on_triangle(f, leaf, p);
	return rbl_length_squared(rbl_sub(*nearest, p));
}

// The nearest leaf of a tree within `most`; of equals the lowest, whatever the order of visits.
static int nearest_leaf(const rbl_crack_field *f, const rbl_tree *tree, leaf_function *measure,
                        int base, rbl_vec3 p, float most, int start, float *distance,
                        rbl_vec3 *nearest)
{
	uint32_t stack[RBL_TREE_MAX_HEIGHT + 1];
	float squares[RBL_TREE_MAX_HEIGHT + 1], best = most * most;
	int n = 0, found = RBL_CRACK_NONE;
	rbl_f4 lanes = rbl_f4_set(p.x, p.y, p.z, 0.0f);
	rbl_vec3 q;
	if (start >= 0) {
		float square = measure(f, start, p, best, &q);
		if (square <= best)
			best = square, found = start, *nearest = q;
	}
	if (tree->root != RBL_TREE_NONE)
		stack[n] = tree->root, squares[n++] = 0.0f;
	while (n > 0) {
		uint32_t child = stack[--n];
		if (squares[n] > best)
			continue;
		if (rbl_tree_is_leaf(child)) {
			int leaf = base + (int)rbl_tree_leaf_id(child);
			float square = measure(f, leaf, p, best, &q);
			if (square < best || (square == best && (found < 0 || leaf < found)))
				best = square, found = leaf, *nearest = q;
			continue;
		}
		const rbl_tree_node *node = &tree->pool->nodes[child];
		float near[2];
		box_squares(node, lanes, near);
		int first = near[1] < near[0];
		for (int k = 0; k < 2; ++k) { // the nearer one last: it comes off first
			int which = k == 0 ? !first : first;
			if (near[which] <= best)
				stack[n] = node->children[which], squares[n++] = near[which];
		}
	}
	if (found >= 0)
		*distance = sqrtf(best);
	return found;
}

int rbl_crack_nearest_triangle(const rbl_crack_field *field, rbl_vec3 p, float most, int start,
                               float *distance, rbl_vec3 *nearest)
{
	return nearest_leaf(field, &field->tree, triangle_square, 0, p, most, start, distance, nearest);
}

static float piece_square(const rbl_crack_field *f, int leaf, rbl_vec3 p, float best,
                          rbl_vec3 *nearest)
{
	const rbl_crack_piece *piece = &f->pieces.data[leaf];
	if (piece->corner_count == 0 || is_plane_beyond(piece->plane, p, best))
		return INFINITY;
	float apart = rbl_distance(piece->centre, p) - piece->radius;
	if (apart > 0.0f && 0.99999f * apart * apart > best)
		return INFINITY;
	float distance = rbl_crack_piece_distance(f, leaf, p, nearest);
	return distance * distance;
}

int rbl_crack_nearest_piece(const rbl_crack_field *field, int first, rbl_vec3 p, float most,
                            int start, float *distance, rbl_vec3 *nearest)
{
	return nearest_leaf(field, &field->piece_tree, piece_square, first, p, most, start, distance,
	                    nearest);
}

static bool build_surface_tree(rbl_crack_field *f)
{
	rbl_box *boxes = RBL_ARENA_NEW(&f->arena, rbl_box, f->triangle_count);
	if (!boxes)
		return false;
	for (int i = 0; i < f->triangle_count; ++i) {
		boxes[i] = rbl_box_empty();
		for (int k = 0; k < 3; ++k)
			boxes[i] = rbl_box_add_point(boxes[i], f->triangles[3 * i + k]);
	}
	rbl_tree_build_input input = { .boxes = boxes,
		                           .count = f->triangle_count,
		                           .builder = RBL_TREE_BUILD_MEDIAN };
	return rbl_tree_build(&f->tree, &input) == RBL_OK;
}

static void find_surface_depths(rbl_crack_field *f)
{
	for (int i = 0; i < f->node_count; ++i) {
		// A neighbour that was done before is as good a start as any.
		int start = 0;
		for (int k = f->edge_starts[i]; k < f->edge_starts[i + 1]; ++k)
			if (f->edges[k] < i)
				start = f->surface_witnesses[f->edges[k]];
		rbl_vec3 nearest;
		f->surface_witnesses[i] = rbl_crack_nearest_triangle(f, f->nodes[i], INFINITY, start,
		                                                     &f->surface_depths[i], &nearest);
		f->depths[i] = f->surface_depths[i];
	}
}

// --- grid ---------------------------------------------------------------------------------------

static void set_grid(rbl_crack_field *f, int size)
{
	rbl_crack_grid *grid = &f->grid;
	rbl_box box = f->fragments.data[0].box;
	rbl_vec3 sides = rbl_box_size(box);
	float longest = rbl_maxf(rbl_maxf(sides.x, sides.y), sides.z);
	int count = size > 0 ? size : (int)rbl_clampf(1.5f * longest / f->mean_edge, 1.0f, 96.0f);
	grid->cell = rbl_maxf(longest / (float)count, 1e-30f) * 1.0001f;
	grid->inverse_cell = 1.0f / grid->cell;
	grid->origin = box.lower;
	int words = 0;
	for (int axis = 0; axis < 3; ++axis)
		grid->size[axis] = rbl_maxi(1, (int)ceilf(rbl_axis(sides, axis) * grid->inverse_cell));
	for (grid->level_count = 0; grid->level_count < RBL_CRACK_GRID_LEVELS; ++grid->level_count) {
		int cells = 1, *level = grid->level_sizes[grid->level_count];
		for (int axis = 0; axis < 3; ++axis) {
			level[axis] = ((grid->size[axis] - 1) >> (grid->level_count + 1)) + 1;
			cells *= level[axis];
		}
		grid->level_words[grid->level_count] = words;
		words += rbl_bit_words(cells);
	}
	grid->level_words[grid->level_count] = words;
}

typedef struct cell_span {
	int lower[3], upper[3];
} cell_span;

// Cells that the box of a tetrahedron touches.
// @param size          of the grid, in cells
// @param inverse_cell  1 / their length
static cell_span cells_of_tet(const rbl_crack_field *f, int tet, const int size[3],
                              float inverse_cell)
{
	const rbl_crack_grid *grid = &f->grid;
	rbl_box box = rbl_box_empty();
	for (int k = 0; k < 4; ++k)
		box = rbl_box_add_point(box, f->nodes[f->tet_nodes[4 * tet + k]]);
	cell_span span;
	for (int axis = 0; axis < 3; ++axis) {
		float origin = rbl_axis(grid->origin, axis);
		// Coordinates are not below the origin: towards zero is down.
		float low = (rbl_axis(box.lower, axis) - origin) * inverse_cell - 1e-3f;
		float high = (rbl_axis(box.upper, axis) - origin) * inverse_cell + 1e-3f;
		span.lower[axis] = rbl_maxi(0, (int)low);
		span.upper[axis] = rbl_mini(size[axis] - 1, (int)high);
	}
	return span;
}

// Count the tetrahedra of each cell, or, with items, write them.
static int64_t for_cells(const rbl_crack_field *f, int *counts, int *items)
{
	const rbl_crack_grid *grid = &f->grid;
	int64_t total = 0;
	for (int tet = 0; tet < f->tet_count; ++tet) {
		cell_span span = cells_of_tet(f, tet, grid->size, grid->inverse_cell);
		for (int z = span.lower[2]; z <= span.upper[2]; ++z)
			for (int y = span.lower[1]; y <= span.upper[1]; ++y)
				for (int x = span.lower[0]; x <= span.upper[0]; ++x) {
					int cell = (z * grid->size[1] + y) * grid->size[0] + x;
					if (items)
						items[counts[cell]++] = tet;
					else
						counts[cell + 1]++;
					total++;
				}
	}
	return total;
}

static rbl_result fill_grid(rbl_crack_field *f)
{
	rbl_crack_grid *grid = &f->grid;
	size_t cells = grid_cell_count(grid);
	grid->starts = RBL_NEW_ZERO(&f->allocator, int, cells + 1);
	if (!grid->starts)
		return RBL_OUT_OF_MEMORY;
	// Counts first in a number that does not overflow: one long tetrahedron may lie in most cells.
	int64_t total = 0;
	for (int tet = 0; tet < f->tet_count; ++tet) {
		cell_span span = cells_of_tet(f, tet, grid->size, grid->inverse_cell);
		int64_t product = 1;
		for (int axis = 0; axis < 3; ++axis)
			product *= span.upper[axis] - span.lower[axis] + 1;
		total += product;
	}
	if (total > (int64_t)GRID_ITEMS_PER_TET * f->tet_count + 100000)
		return RBL_LIMIT_REACHED;
	for_cells(f, grid->starts, NULL);
	for (size_t i = 0; i < cells; ++i)
		grid->starts[i + 1] += grid->starts[i];
	grid->tets = RBL_NEW(&f->allocator, int, total);
	grid->item_count = grid->tets ? (int)total : 0;
	if (!grid->tets)
		return RBL_OUT_OF_MEMORY;
	for_cells(f, grid->starts, grid->tets);
	for (size_t i = cells; i > 0; --i)
		grid->starts[i] = grid->starts[i - 1];
	grid->starts[0] = 0;
	return RBL_OK;
}

void rbl_crack_mark_cells(const rbl_crack_field *field, int tet, int fragment, uint64_t *bits)
{
	enum { MOST = 16 };
	const rbl_crack_grid *grid = &field->grid;
	const int *size = grid->level_sizes[0];
	float cell = 2.0f * grid->cell;
	rbl_plane planes[MOST];
	float reaches[MOST]; // from the middle of a cell to its corner farthest behind the plane
	int count = 4;
	memcpy(planes, field->tet_planes + 4 * (size_t)tet, 4 * sizeof *planes);
	for (int i = field->first_entries[tet]; i >= 0 && count < MOST;
	     i = field->entries.data[i].next) {
		const rbl_crack_entry *e = &field->entries.data[i];
		int side = e->plane < 0 ? RBL_CRACK_NONE : rbl_crack_side(field, e, fragment);
		if (side >= 0)
			planes[count++] = rbl_crack_facing_plane(field, rbl_crack_facing(e->plane, side));
	}
	for (int i = 0; i < count; ++i)
		reaches[i] =
			0.501f * cell *
			(fabsf(planes[i].normal.x) + fabsf(planes[i].normal.y) + fabsf(planes[i].normal.z));
	cell_span span = cells_of_tet(field, tet, size, 0.5f * grid->inverse_cell);
	for (int z = span.lower[2]; z <= span.upper[2]; ++z)
		for (int y = span.lower[1]; y <= span.upper[1]; ++y)
			for (int x = span.lower[0]; x <= span.upper[0]; ++x) {
				int number = (z * size[1] + y) * size[0] + x;
				if (bits[number >> 6] >> (number & 63) & 1)
					continue;
				rbl_vec3 middle = { (float)x + 0.5f, (float)y + 0.5f, (float)z + 0.5f };
				middle = rbl_add_scaled(grid->origin, cell, middle);
				bool is_beyond = false;
				for (int i = 0; i < count && !is_beyond; ++i)
					is_beyond = rbl_plane_distance(planes[i], middle) > reaches[i];
				if (!is_beyond)
					bits[number >> 6] |= (uint64_t)1 << (number & 63);
			}
}

static void release_grid(rbl_crack_field *f)
{
	if (f->grid.starts)
		RBL_FREE(&f->allocator, f->grid.starts, grid_cell_count(&f->grid) + 1);
	RBL_FREE(&f->allocator, f->grid.tets, f->grid.item_count);
	f->grid = (rbl_crack_grid){ 0 };
}

// Halve the number of cells until lists are of some reasonable length.
static rbl_result build_grid(rbl_crack_field *f, int size)
{
	for (;;) {
		set_grid(f, size);
		int longest = rbl_maxi(rbl_maxi(f->grid.size[0], f->grid.size[1]), f->grid.size[2]);
		rbl_result result = fill_grid(f);
		if (result != RBL_LIMIT_REACHED || longest == 1)
			return result;
		release_grid(f);
		size = rbl_maxi(1, longest / 2);
	}
}

// --- creation -----------------------------------------------------------------------------------

static rbl_result check_crack_def(const rbl_crack_field_def *def)
{
	if (!def || def->cookie != CRACK_FIELD_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_crack_field_def()");
	if (!def->tets)
		return rbl_fail(RBL_BAD_ARGUMENT, "tets is NULL");
	if (!rbl_is_finite_d(def->origin))
		return rbl_fail(RBL_BAD_ARGUMENT, "origin is not finite");
	if (def->grid_size < 0 || def->grid_size > 256)
		return rbl_fail(RBL_BAD_ARGUMENT, "grid_size is %d, must be 0 to 256", def->grid_size);
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator needs both functions or neither");
	rbl_tets_data data = rbl_tets_get_data(def->tets);
	for (int i = 0; i < data.vertex_count; ++i) {
		rbl_vec3d p = rbl_sub_d(data.positions[i], def->origin);
		if (!(fabs(p.x) <= RBL_MAX_CRACK_COORDINATE && fabs(p.y) <= RBL_MAX_CRACK_COORDINATE &&
		      fabs(p.z) <= RBL_MAX_CRACK_COORDINATE))
			return rbl_fail(RBL_BAD_ARGUMENT, "node %d is at %g %g %g, must be within %g m", i, p.x,
			                p.y, p.z, RBL_MAX_CRACK_COORDINATE);
	}
	return RBL_OK;
}

rbl_result rbl_create_crack_field(const rbl_crack_field_def *def, rbl_crack_field **field)
{
	if (!field)
		return rbl_fail(RBL_BAD_ARGUMENT, "field is NULL");
	*field = NULL;
	rbl_result result = check_crack_def(def);
	if (result != RBL_OK)
		return result;
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_crack_field *f = RBL_NEW_ZERO(&allocator, rbl_crack_field, 1);
	if (!f)
		return rbl_fail(RBL_OUT_OF_MEMORY, "no memory for a crack field");
	f->allocator = allocator;
	rbl_arena_init(&f->arena, &allocator, 1 << 14);
	rbl_tree_pool_init(&f->pool, &allocator, 0);
	rbl_tree_pool_init(&f->piece_pool, &allocator, 0);
	f->tree = rbl_tree_make(&f->pool);
	f->piece_tree = rbl_tree_make(&f->piece_pool);
	rbl_tets_data data = rbl_tets_get_data(def->tets);
	rbl_crack_fragment whole = { .parent = RBL_CRACK_NONE,
		                         .node_count = data.vertex_count,
		                         .has_cell_planes = true };
	result = reserve_field(f, &data) && rbl_array_push(&allocator, &f->fragments, whole)
	             ? RBL_OK
	             : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK) {
		copy_mesh(f, &data, def->origin);
		find_node_tets(f);
		result = find_edges(f) && build_surface_tree(f) ? RBL_OK : RBL_OUT_OF_MEMORY;
	}
	if (result == RBL_OK) {
		find_surface_depths(f);
		result = build_grid(f, def->grid_size);
	}
	if (result != RBL_OK) {
		rbl_destroy_crack_field(f);
		return rbl_fail(RBL_OUT_OF_MEMORY, "no memory for a crack field");
	}
	rbl_arena_reset(&f->arena);
	*field = f;
	return RBL_OK;
}

// --- what is known ------------------------------------------------------------------------------

int rbl_crack_field_fragment_count(const rbl_crack_field *field)
{
	return field ? field->fragments.count : 0;
}

bool rbl_crack_field_has_fragment(const rbl_crack_field *field, int fragment)
{
	return field && fragment >= 0 && fragment < field->fragments.count &&
	       field->fragments.data[fragment].part_count == 0;
}

rbl_crack_nodes rbl_crack_field_get_nodes(const rbl_crack_field *field)
{
	if (!field)
		return (rbl_crack_nodes){ 0 };
	return (rbl_crack_nodes){ field->node_count, field->node_fragments, field->depths };
}

// --- witnesses ----------------------------------------------------------------------------------

float rbl_crack_piece_distance(const rbl_crack_field *field, int piece, rbl_vec3 p,
                               rbl_vec3 *nearest)
{
	const rbl_crack_piece *part = &field->pieces.data[piece];
	if (part->corner_count == 0)
		return INFINITY;
	*nearest = nearest_on_polygon(field->corners.data + part->first_corner, part->corner_count,
	                              part->plane, p);
	return rbl_distance(*nearest, p);
}

float rbl_crack_witness_distance(const rbl_crack_field *field, int witness, rbl_vec3 p,
                                 rbl_vec3 *nearest)
{
	if (witness == RBL_CRACK_NONE)
		return INFINITY;
	if (witness < 0)
		return rbl_crack_piece_distance(field, -2 - witness, p, nearest);
	rbl_plane plane = rbl_crack_facing_plane(field, witness);
	float distance = rbl_plane_distance(plane, p);
	*nearest = rbl_add_scaled(p, -distance, plane.normal);
	return fabsf(distance);
}
