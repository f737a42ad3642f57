// SPDX-License-Identifier: MIT
//
// Indexed triangles to draw: corners that agree in all attributes share a vertex.
//
// Vertices keep the order in which corners meet them first, so the result depends on the triangles
// alone. Equal means equal bits, once minus zero is zero: smooth outer faces share vertices, faces
// on both sides of a sharp edge do not.

#include "fracture/pieces.h"

#include "base/hash.h"
#include "base/log.h"

#include <string.h>

enum { DRAW_FLOATS = sizeof(rbl_draw_vertex) / sizeof(float) };
_Static_assert(DRAW_FLOATS * sizeof(float) == sizeof(rbl_draw_vertex), "floats alone, no padding");

// Find a vertex, or add it. Another one with the same hash moves on to the next key.
static bool share_vertex(const rbl_allocator *allocator, rbl_map *map, rbl_draw_vertex *vertices,
                         const rbl_draw_vertex *corner, int *count, uint32_t *index)
{
	uint64_t key = rbl_hash_bytes(RBL_HASH_START, corner, sizeof *corner);
	for (;; ++key) {
		const uint32_t *found = rbl_map_add(allocator, map, key, (uint32_t)*count);
		if (!found)
			return false;
		*index = *found;
		if (*found == (uint32_t)*count)
			vertices[(*count)++] = *corner;
		if (memcmp(&vertices[*index], corner, sizeof *corner) == 0)
			return true;
	}
}

rbl_result rbl_index_draw_vertices(rbl_draw_vertex *vertices, int corner_count,
                                   const rbl_allocator *allocator, uint32_t *indices,
                                   int *vertex_count)
{
	if (vertex_count)
		*vertex_count = 0;
	if (!vertices || !indices || !vertex_count || corner_count < 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "vertices, indices or vertex_count is NULL, or "
		                                  "corner_count is negative");
	rbl_allocator memory = rbl_allocator_or_default(allocator);
	rbl_map map = { 0 };
	int count = 0;
	bool is_done = rbl_map_reserve(&memory, &map, corner_count);
	for (int i = 0; i < corner_count && is_done; ++i) {
		rbl_draw_vertex corner = vertices[i]; // it may be overwritten by a new vertex
		float numbers[DRAW_FLOATS];
		memcpy(numbers, &corner, sizeof corner);
		for (int k = 0; k < DRAW_FLOATS; ++k)
			numbers[k] += 0.0f;
		memcpy(&corner, numbers, sizeof corner);
		is_done = share_vertex(&memory, &map, vertices, &corner, &count, &indices[i]);
	}
	rbl_map_free(&memory, &map);
	if (!is_done)
		return rbl_fail(RBL_OUT_OF_MEMORY, "no memory to share vertices");
	*vertex_count = count;
	return RBL_OK;
}

rbl_result rbl_piece_get_indexed_triangles(const rbl_pieces *pieces, int piece,
                                           rbl_draw_vertex *vertices, uint32_t *indices,
                                           int *materials, int *vertex_count, int *triangle_count)
{
	if (!indices || !vertex_count || !triangle_count)
		return rbl_fail(RBL_BAD_ARGUMENT, "indices, vertex_count or triangle_count is NULL");
	*vertex_count = 0;
	rbl_result result = rbl_piece_get_triangles(pieces, piece, vertices, materials, triangle_count);
	if (result == RBL_OK)
		result = rbl_index_draw_vertices(vertices, 3 * *triangle_count, &pieces->allocator, indices,
		                                 vertex_count);
	if (result != RBL_OK)
		*triangle_count = 0;
	return result;
}
