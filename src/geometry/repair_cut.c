// SPDX-License-Identifier: MIT
//
// Cutting faces whose fans would double an edge. Most programs that read polygons cut them as fans
// from the first corner; where two fans would have a diagonal in common, or one runs along an edge,
// what is closed and manifold here is not so there. Such faces become triangles that agree; those
// that can only be cut in one way, which doubles an edge again, stay polygons.

#include "geometry/repair.h"

#include "geometry/diagonals.h"
#include "geometry/mesh.h"

static void make_fans(const rbl_mesh_data *data, int *triangles)
{
	for (int f = 0; f < data->face_count; ++f) {
		int begin = data->face_starts[f], end = data->face_starts[f + 1];
		for (int c = begin + 1; c + 1 < end; ++c, triangles += 3)
			triangles[0] = begin, triangles[1] = c, triangles[2] = c + 1;
	}
}

// Append the triangles of marked faces and take these out.
static rbl_result replace_marked(rbl_draft *draft, const int *triangles, int face_count,
                                 unsigned char *marks)
{
	rbl_result result = RBL_OK;
	for (int f = 0; f < face_count && result == RBL_OK; ++f) {
		int size = draft->starts.data[f + 1] - draft->starts.data[f];
		for (int i = 0; i < size - 2 && marks[f] && result == RBL_OK; ++i) {
			int vertices[3], sources[3];
			for (int k = 0; k < 3; ++k) {
				vertices[k] = draft->vertices.data[triangles[3 * i + k]];
				sources[k] = draft->corner_sources.data[triangles[3 * i + k]];
			}
			result = rbl_draft_add_face(draft, vertices, sources, 3, draft->face_sources.data[f],
			                            draft->flags.data[f]);
		}
		draft->report.cut_faces += marks[f];
		triangles += 3 * (size - 2);
	}
	if (result == RBL_OK)
		rbl_draft_remove_faces(draft, marks);
	return result;
}

// Mark the faces whose fans double an edge and whose careful triangles, left in `triangles`, do not.
static rbl_result mark_faces(rbl_draft *draft, const rbl_mesh_data *data, int *triangles,
                             unsigned char *marks, unsigned char *fixed, int *count)
{
	const rbl_allocator *allocator = &draft->allocator;
	int doubled;
	make_fans(data, triangles);
	rbl_result result = rbl_find_doubled_diagonals(allocator, data, triangles, marks, &doubled);
	if (result != RBL_OK || doubled == 0)
		return result;
	result = rbl_faces_triangulate(allocator, data, triangles, NULL);
	if (result == RBL_OK)
		result = rbl_find_doubled_diagonals(allocator, data, triangles, fixed, &doubled);
	for (int f = 0; f < data->face_count && result == RBL_OK; ++f) {
		marks[f] = marks[f] && !fixed[f];
		*count += marks[f];
	}
	return result;
}

// One round: the side of a new triangle may double a diagonal of a fan that was alone before.
static rbl_result cut_once(rbl_draft *draft, int *count)
{
	rbl_mesh_data data = rbl_draft_view(draft);
	const rbl_allocator *allocator = &draft->allocator;
	size_t triangle_count = (size_t)data.corner_count - 2 * (size_t)data.face_count;
	*count = 0;
	if (triangle_count == (size_t)data.face_count)
		return RBL_OK;
	int *triangles = RBL_NEW(allocator, int, 3 * triangle_count);
	size_t mark_room = triangle_count + (size_t)data.face_count; // faces, and those that come
	unsigned char *marks = RBL_NEW_ZERO(allocator, unsigned char, 2 * mark_room);
	rbl_result result = triangles && marks ? RBL_OK : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK)
		result = mark_faces(draft, &data, triangles, marks, marks + mark_room, count);
	if (result == RBL_OK && *count > 0)
		result = replace_marked(draft, triangles, data.face_count, marks);
	RBL_FREE(allocator, marks, 2 * mark_room);
	RBL_FREE(allocator, triangles, 3 * triangle_count);
	return result;
}

rbl_result rbl_repair_cut(rbl_draft *draft)
{
	rbl_result result = RBL_OK;
	for (int count = 1; count > 0 && result == RBL_OK;) // each further round has fewer polygons
		result = cut_once(draft, &count);
	return result;
}
