// SPDX-License-Identifier: MIT
//
// Polygons stay polygons: the parts that a cell has of one flat face become one face again.
//
// Faces are cut as triangles. Without this step every round would cut the triangles of the round
// before, and pieces of pieces would be made of slivers (the paper's Figure 9; measured on a cow
// after four rounds: 7 % slivers without, 2 % with it). Edges along diagonals cancel, what is left
// is chained to a loop, and a vertex between two segments on the same cell face belonged to a
// diagonal: it is removed, here and from the cap, which sees the same segments. When the parts do
// not form exactly one loop they are left as they are.

#include "fracture/cell_group.h"

#include "base/vec.h"

typedef struct merger {
	rbl_cell_group *g;
	rbl_cell_group_worker *w;
	rbl_cell_group_block *block;
	const rbl_allocator *allocator;
	int stamp;
} merger;

// Link the faces of the cell by mesh face.
static bool link_faces(merger *m)
{
	rbl_cell_group_worker *w = m->w;
	const rbl_solid *solid = m->g->s->solid;
	if (!rbl_array_resize(m->allocator, &w->face_nexts, w->old_faces.count))
		return false;
	for (int i = 0; i < w->old_faces.count; ++i) {
		int face = solid->triangle_faces[w->old_faces.data[i].source];
		w->face_nexts.data[i] = -1;
		if (w->merge_stamps[face] != m->stamp) {
			w->merge_stamps[face] = m->stamp;
			w->merge_firsts[face] = i;
		} else {
			w->face_nexts.data[w->merge_lasts[face]] = i;
		}
		w->merge_lasts[face] = i;
	}
	return true;
}

// The next corner of a face of the old list.
static int next_corner(const rbl_piece_face *face, int k)
{
	return k + 1 < face->first_corner + face->corner_count ? k + 1 : face->first_corner;
}

// Chain the edges that are no diagonals. loop_corners receives their corners in order.
// @return false when they are not exactly one loop; *failed when memory ran out
static bool chain_border(merger *m, int first, bool *failed)
{
	rbl_cell_group_worker *w = m->w;
	const int *corners = w->old_corners.data, *labels = w->corner_labels.data;
	int count = 0, start = -1;
	bool is_simple = true;
	w->loop_corners.count = 0;
	for (int i = first; i >= 0; i = w->face_nexts.data[i]) {
		const rbl_piece_face *face = &w->old_faces.data[i];
		for (int k = face->first_corner; k < face->first_corner + face->corner_count; ++k) {
			if (labels[k] == RBL_ALONG_DIAGONAL)
				continue;
			is_simple &= w->heads.data[corners[k]] < 0;
			w->heads.data[corners[k]] = k;
			w->labels.data[corners[k]] = corners[next_corner(face, k)];
			start = k;
			count++;
		}
	}
	for (int k = start, steps = 0; is_simple && k >= 0 && steps < count; ++steps) {
		if (!rbl_array_push(m->allocator, &w->loop_corners, k)) {
			*failed = true;
			break;
		}
		k = w->heads.data[w->labels.data[corners[k]]];
		if (k == start)
			break;
	}
	bool is_loop = is_simple && count >= 3 && w->loop_corners.count == count;
	if (is_loop) { // it must also close
		int last = w->loop_corners.data[count - 1];
		is_loop = w->heads.data[w->labels.data[corners[last]]] == start;
	}
	for (int i = first; i >= 0; i = w->face_nexts.data[i]) {
		const rbl_piece_face *face = &w->old_faces.data[i];
		for (int k = face->first_corner; k < face->first_corner + face->corner_count; ++k)
			w->heads.data[corners[k]] = w->labels.data[corners[k]] = -1;
	}
	return is_loop;
}

// Leave out corners between two segments on one cell face.
static void drop_corners(merger *m)
{
	rbl_cell_group_worker *w = m->w;
	const int *labels = w->corner_labels.data;
	int n = w->loop_corners.count, kept = 0;
	int *loop = w->loop_corners.data;
	int before = labels[loop[n - 1]];
	for (int i = 0; i < n; ++i) {
		int label = labels[loop[i]];
		if (label < 0 || label != before || n - (i - kept) <= 3)
			loop[kept++] = loop[i];
		before = label;
	}
	w->loop_corners.count = kept;
}

static bool add_segments(merger *m, int first_corner, int count, const int *labels)
{
	const int *corners = m->block->corners.data + first_corner;
	for (int k = 0; k < count; ++k) {
		if (labels[k] < 0)
			continue;
		rbl_cut_segment segment = { labels[k], corners[k], corners[k + 1 < count ? k + 1 : 0] };
		if (!rbl_array_push(m->allocator, &m->block->segments, segment))
			return false;
	}
	return true;
}

static bool emit_merged(merger *m, int first)
{
	rbl_cell_group_worker *w = m->w;
	rbl_cell_group_block *block = m->block;
	int n = w->loop_corners.count;
	rbl_piece_face face = w->old_faces.data[first];
	face.first_corner = block->corners.count;
	face.corner_count = n;
	face.is_merged = true;
	if (!rbl_array_push(m->allocator, &block->faces, face) ||
	    !rbl_array_extend(m->allocator, &block->corners, 2 * n) ||
	    !rbl_array_resize(m->allocator, &w->loops, n))
		return false;
	int *corners = block->corners.data + block->corners.count;
	for (int k = 0; k < n; ++k) {
		int from = w->loop_corners.data[k];
		corners[k] = w->old_corners.data[from];
		w->loops.data[k] = w->corner_labels.data[from];
	}
	// The triangle of each corner: that of the part it came from.
	for (int i = first; i >= 0; i = w->face_nexts.data[i]) {
		const rbl_piece_face *part = &w->old_faces.data[i];
		for (int k = 0; k < n; ++k) {
			int from = w->loop_corners.data[k];
			if (from >= part->first_corner && from < part->first_corner + part->corner_count)
				corners[n + k] = part->source;
		}
	}
	block->corners.count += 2 * n;
	return add_segments(m, face.first_corner, n, w->loops.data);
}

static bool emit_part(merger *m, int i)
{
	rbl_cell_group_worker *w = m->w;
	rbl_cell_group_block *block = m->block;
	rbl_piece_face face = w->old_faces.data[i];
	int from = face.first_corner;
	face.first_corner = block->corners.count;
	if (!rbl_array_push(m->allocator, &block->faces, face) ||
	    !rbl_array_extend(m->allocator, &block->corners, face.corner_count))
		return false;
	memcpy(block->corners.data + block->corners.count, w->old_corners.data + from,
	       (size_t)face.corner_count * sizeof(int));
	block->corners.count += face.corner_count;
	return add_segments(m, face.first_corner, face.corner_count, w->corner_labels.data + from);
}

// Take out vertices that no face has any more. Those before the range are all in use.
static bool compact_vertices(merger *m, const rbl_cell_record *record, rbl_merge_range range)
{
	rbl_cell_group_block *block = m->block;
	int first = range.first_vertex - record->first_vertex;
	int n = block->vertices.count - record->first_vertex, kept = first;
	if (!rbl_array_resize(m->allocator, &m->w->nexts, n))
		return false;
	int *numbers = m->w->nexts.data;
	for (int v = 0; v < n; ++v)
		numbers[v] = v < first ? v : -1;
	for (int f = range.first_face; f < block->faces.count; ++f) {
		const rbl_piece_face *face = &block->faces.data[f];
		for (int k = 0; k < face->corner_count; ++k) {
			int v = block->corners.data[face->first_corner + k];
			numbers[v] = v < first ? v : 0;
		}
	}
	rbl_vec3d *vertices = block->vertices.data + record->first_vertex;
	for (int v = first; v < n; ++v) {
		if (numbers[v] < 0)
			continue;
		numbers[v] = kept;
		vertices[kept++] = vertices[v];
	}
	if (kept == n)
		return true;
	block->vertices.count = record->first_vertex + kept;
	for (int f = range.first_face; f < block->faces.count; ++f) {
		const rbl_piece_face *face = &block->faces.data[f];
		for (int k = 0; k < face->corner_count; ++k) {
			int *corner = &block->corners.data[face->first_corner + k];
			*corner = numbers[*corner];
		}
	}
	for (int i = record->first_segment; i < block->segments.count; ++i) {
		block->segments.data[i].from = numbers[block->segments.data[i].from];
		block->segments.data[i].to = numbers[block->segments.data[i].to];
	}
	for (int i = record->first_crossing; i < block->crossings.count; ++i)
		block->crossings.data[i].vertex = numbers[block->crossings.data[i].vertex];
	return true;
}

bool rbl_cell_group_merge_faces(rbl_cell_group *g, int cell, rbl_cell_group_block *block,
                                rbl_cell_record *record, rbl_merge_range range,
                                rbl_cell_group_worker *w)
{
	merger m = { g, w, block, g->s->allocator, cell + 1 };
	int face_count = block->faces.count - range.first_face;
	int corner_count = block->corners.count - range.first_corner;
	if (!rbl_array_resize(m.allocator, &w->old_faces, face_count) ||
	    !rbl_array_resize(m.allocator, &w->old_corners, corner_count) ||
	    !rbl_cell_group_reserve_heads(g, w, block->vertices.count - record->first_vertex))
		return false;
	memcpy(w->old_faces.data, block->faces.data + range.first_face,
	       (size_t)face_count * sizeof(rbl_piece_face));
	memcpy(w->old_corners.data, block->corners.data + range.first_corner,
	       (size_t)corner_count * sizeof(int));
	for (int i = 0; i < face_count; ++i)
		w->old_faces.data[i].first_corner -= range.first_corner;
	block->faces.count = range.first_face;
	block->corners.count = range.first_corner;
	if (!link_faces(&m))
		return false;
	for (int i = 0; i < face_count; ++i) {
		int face = g->s->solid->triangle_faces[w->old_faces.data[i].source];
		if (w->merge_firsts[face] != i) {
			// Not the first of its face: written with the first, unless those stayed apart.
			if (w->merge_lasts[face] == -1 && !emit_part(&m, i))
				return false;
			continue;
		}
		bool failed = false;
		bool is_one = g->s->solid->is_mergeable[face] && w->face_nexts.data[i] >= 0 &&
		              chain_border(&m, i, &failed);
		if (failed)
			return false;
		if (is_one) {
			drop_corners(&m);
			if (!emit_merged(&m, i))
				return false;
		} else {
			w->merge_lasts[face] = -1;
			if (!emit_part(&m, i))
				return false;
		}
	}
	return compact_vertices(&m, record, range);
}
