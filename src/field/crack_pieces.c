// SPDX-License-Identifier: MIT
//
// Cracks of any form: polygons in tetrahedra, and the nearest of them for each node.
//
// Glondu et al. 2014, section 4.2, let a front carry distances from node to node, averaged on the
// way. A front that carries witnesses is exact for flat cracks, and three times faster; at a curved
// one it missed the nearest polygon for one node in 500. A tree misses none, so that what depths
// say of other fragments (crack_query.c) is proven.

#include "field/crack_break.h"

// --- polygons -----------------------------------------------------------------------------------

static int clip_convex(rbl_vec3 *corners, int count, rbl_plane plane)
{
	rbl_vec3 out[RBL_CRACK_POLYGON];
	int n = 0;
	for (int i = 0, k = count - 1; i < count && n + 2 <= RBL_CRACK_POLYGON; k = i++) {
		float a = rbl_plane_distance(plane, corners[k]), b = rbl_plane_distance(plane, corners[i]);
		if ((a > 0.0f) != (b > 0.0f))
			out[n++] = rbl_lerp(corners[k], corners[i], a / (a - b));
		if (!(b > 0.0f))
			out[n++] = corners[i];
	}
	memcpy(corners, out, (size_t)n * sizeof *corners);
	return n;
}

// Where a plane cuts a tetrahedron: three or four corners, counter-clockwise around the plane's
// normal.
// @param at  the plane's distance of each node
static int tet_section(const rbl_vec3 p[4], const float at[4], rbl_vec3 normal, rbl_vec3 *corners)
{
	int behind[4], front[4], behind_count = 0, front_count = 0, n = 0;
	for (int k = 0; k < 4; ++k)
		if (at[k] > 0.0f)
			front[front_count++] = k;
		else
			behind[behind_count++] = k;
	for (int i = 0; i < behind_count; ++i)
		for (int k = 0; k < front_count; ++k) { // around a quad: the second time backwards
			int a = behind[i], b = front[i % 2 ? front_count - 1 - k : k];
			corners[n++] = rbl_lerp(p[a], p[b], at[a] / (at[a] - at[b]));
		}
	if (n < 3)
		return 0;
	rbl_vec3 area = rbl_cross(rbl_sub(corners[1], corners[0]), rbl_sub(corners[2], corners[0]));
	if (rbl_dot(area, normal) < 0.0f) {
		rbl_vec3 swap = corners[0];
		corners[0] = corners[n - 1], corners[n - 1] = swap;
		if (n == 4)
			swap = corners[1], corners[1] = corners[2], corners[2] = swap;
	}
	return n;
}

int rbl_crack_entry_polygon(const rbl_crack_field *field, int entry, int side, int fragment,
                            rbl_vec3 *corners, rbl_plane *plane)
{
	const rbl_crack_entry *own = &field->entries.data[entry];
	const int *nodes = field->tet_nodes + 4 * (size_t)own->tet;
	*plane = rbl_crack_facing_plane(field, rbl_crack_facing(own->plane, side));
	rbl_vec3 p[4];
	float at[4];
	for (int k = 0; k < 4; ++k) {
		p[k] = field->nodes[nodes[k]];
		at[k] = rbl_plane_distance(*plane, p[k]);
	}
	int count = tet_section(p, at, plane->normal, corners);
	int other = field->first_entries[own->tet];
	for (; other >= 0 && count > 0; other = field->entries.data[other].next) {
		const rbl_crack_entry *e = &field->entries.data[other];
		int its_side =
			other == entry || e->plane < 0 ? RBL_CRACK_NONE : rbl_crack_side(field, e, fragment);
		if (its_side >= 0)
			count =
				clip_convex(corners, count,
			                rbl_crack_facing_plane(field, rbl_crack_facing(e->plane, its_side)));
	}
	return count;
}

// --- pieces
// ---------------------------------------------------------------------------------------

// A sphere around the corners, with their mean for a centre.
static void bound_piece(rbl_crack_piece *piece, const rbl_vec3 *corners)
{
	piece->centre = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	piece->radius = 0.0f;
	for (int i = 0; i < piece->corner_count; ++i)
		piece->centre =
			rbl_add_scaled(piece->centre, 1.0f / (float)piece->corner_count, corners[i]);
	for (int i = 0; i < piece->corner_count; ++i)
		piece->radius = rbl_maxf(piece->radius, rbl_distance(piece->centre, corners[i]));
	piece->radius *= 1.00001f;
}

// Whether other cuts of its tetrahedron may cut off something of an entry's polygon.
static bool is_cut_further(const rbl_crack_field *field, int entry)
{
	const rbl_crack_entry *e = &field->entries.data[entry];
	for (int i = field->first_entries[e->tet]; i >= 0; i = field->entries.data[i].next)
		if (i != entry && field->entries.data[i].plane >= 0)
			return true;
	return false;
}

// A polygon for each side of each cut. Where nothing else cuts, both sides have the same.
static rbl_result make_pieces(const rbl_crack_breaking *b)
{
	rbl_crack_field *field = b->field;
	if (!rbl_array_extend(&field->allocator, &field->pieces, 2 * (int64_t)b->def->cut_count))
		return RBL_OUT_OF_MEMORY;
	for (int i = b->first_entry; i < field->entries.count; ++i) {
		rbl_crack_entry *e = &field->entries.data[i];
		int side_count = e->plane < 0 ? 0 : is_cut_further(field, i) ? 2 : 1;
		for (int side = 0; side < side_count; ++side) {
			rbl_vec3 corners[RBL_CRACK_POLYGON];
			rbl_crack_piece piece;
			piece.first_corner = field->corners.count;
			piece.corner_count =
				rbl_crack_entry_polygon(field, i, side, e->fragments[side], corners, &piece.plane);
			if (!rbl_array_extend(&field->allocator, &field->corners, piece.corner_count))
				return RBL_OUT_OF_MEMORY;
			bound_piece(&piece, corners);
			memcpy(field->corners.data + field->corners.count, corners,
			       (size_t)piece.corner_count * sizeof *corners);
			field->corners.count += piece.corner_count;
			e->pieces[side] = field->pieces.count;
			field->pieces.data[field->pieces.count++] = piece;
		}
		if (side_count == 1)
			e->pieces[1] = e->pieces[0];
	}
	return RBL_OK;
}

// A tree of what is new.
static rbl_result build_piece_tree(const rbl_crack_breaking *b)
{
	rbl_crack_field *field = b->field;
	int count = field->pieces.count - b->first_piece, n = 0;
	rbl_box *boxes = RBL_ARENA_NEW(&field->arena, rbl_box, count);
	uint32_t *ids = RBL_ARENA_NEW(&field->arena, uint32_t, count);
	if (!boxes || !ids)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < count; ++i) {
		const rbl_crack_piece *piece = &field->pieces.data[b->first_piece + i];
		if (piece->corner_count == 0)
			continue;
		boxes[n] = rbl_box_empty();
		for (int k = 0; k < piece->corner_count; ++k)
			boxes[n] = rbl_box_add_point(boxes[n], field->corners.data[piece->first_corner + k]);
		ids[n++] = (uint32_t)i;
	}
	rbl_tree_build_input input = {
		.boxes = boxes, .ids = ids, .count = n, .builder = RBL_TREE_BUILD_MORTON
	};
	rbl_tree_clear(&field->piece_tree);
	return rbl_tree_build(&field->piece_tree, &input);
}

// Give the nodes of the parts the nearest piece. Any will do: a piece of other parts that were
// nearer could only be reached through a nearer one of its own. A neighbour that is done has a
// piece that is near. Where the surface is nearer by an edge, no crack is looked for: points around
// the node are nearer to the surface, too.
void rbl_crack_lower_by_pieces(const rbl_crack_breaking *b)
{
	rbl_crack_field *field = b->field;
	bool *is_done = b->is_done;
	int count = b->part_starts[b->def->part_count];
	memset(is_done, 0, (size_t)field->node_count * sizeof *is_done);
	for (int i = 0; i < count; ++i) {
		int node = b->nodes[i], start = RBL_CRACK_NONE;
		for (int k = field->edge_starts[node]; k < field->edge_starts[node + 1]; ++k) {
			int other = field->edges[k], witness = field->crack_witnesses[other];
			if (is_done[other] && witness < RBL_CRACK_NONE && -2 - witness >= b->first_piece)
				start = -2 - witness;
		}
		float most = rbl_minf(field->crack_depths[node],
		                      field->surface_depths[node] + field->node_reaches[node]);
		rbl_vec3 nearest;
		float distance;
		int piece = rbl_crack_nearest_piece(field, b->first_piece, field->nodes[node], most, start,
		                                    &distance, &nearest);
		is_done[node] = true;
		if (piece < 0)
			continue;
		field->crack_depths[node] = distance;
		field->crack_witnesses[node] = -2 - piece;
		field->depths[node] = rbl_minf(distance, field->surface_depths[node]);
	}
}

// Parts have the planes that bounded the whole.
static void keep_facings(const rbl_crack_breaking *b)
{
	rbl_crack_field *field = b->field;
	const rbl_crack_fragment *whole = &field->fragments.data[b->def->fragment];
	for (int i = 0; i < b->def->part_count; ++i) {
		rbl_crack_fragment *part = &field->fragments.data[b->first_part + i];
		part->first_facing = whole->first_facing;
		part->facing_count = whole->facing_count;
	}
}

rbl_result rbl_crack_prepare_pieces(rbl_crack_breaking *b)
{
	keep_facings(b);
	b->is_done = RBL_ARENA_NEW(&b->field->arena, bool, b->field->node_count);
	rbl_result result = b->is_done ? make_pieces(b) : RBL_OUT_OF_MEMORY;
	return result == RBL_OK ? build_piece_tree(b) : result;
}
