// SPDX-License-Identifier: MIT
//
// Caps: the faces of a piece along the planes of its cell.
//
// On each face of the cell the cap's boundary consists of directed edges: the surface's segments
// on that face, reversed, and every interval of the cell's edges as often as its winding number
// says, along the face's loop. At each point as many edges arrive as leave, whatever rounding did
// to the numbers, so they always close to loops; and each runs opposite to an edge of the surface
// or of another cap. So the piece is closed. Faces that the surface does not touch are there
// entirely or not at all.

#include "fracture/cell_group.h"

#include "base/vec.h"

#include <stdlib.h>

typedef struct cap_builder {
	rbl_cell_group *g;
	rbl_cell_group_worker *w;
	rbl_cell_group_result *result;
	const rbl_cells *cells;
	const rbl_allocator *allocator;
	int cell, first_face, face_count, cell_vertex, first_corner;
	int offset;
	int first_vertex; // of the piece in the result
} cap_builder;

static bool push_vertex(cap_builder *c, rbl_vec3d p)
{
	return rbl_array_push(c->allocator, &c->result->geometry->vertices, p);
}

static rbl_vec3d local_position(const cap_builder *c, int local)
{
	return c->result->geometry->vertices.data[c->first_vertex + local];
}

// The local number of a vertex of the cell, -1 when memory ran out.
static int local_of_cell_vertex(cap_builder *c, int v)
{
	if (c->w->cell_locals[v] < 0) {
		if (!push_vertex(c, c->cells->vertices[c->cell_vertex + v]))
			return -1;
		c->w->cell_locals[v] = c->result->geometry->vertices.count - 1 - c->first_vertex;
	}
	return c->w->cell_locals[v];
}

static int winding_of(const cap_builder *c, int v)
{
	return c->g->windings[c->cell_vertex + v] + c->offset;
}

// --- Borders ------------------------------------------------------------------------------------

// Sort crossings by edge, then by place on it; a stable merge sort.
static bool sort_edge_crossings(cap_builder *c, rbl_crossing *items, int count)
{
	rbl_cell_group_worker *w = c->w;
	if (!rbl_array_reserve(c->allocator, &w->row, count))
		return false;
	rbl_crossing *from = items, *to = w->row.data;
	for (int width = 1; width < count; width *= 2) {
		for (int low = 0; low < count; low += 2 * width) {
			int middle = rbl_mini(low + width, count), high = rbl_mini(low + 2 * width, count);
			for (int i = low, j = middle, k = low; k < high; ++k) {
				bool second = i == middle || (j < high && (from[j].corner != from[i].corner
				                                               ? from[j].corner < from[i].corner
				                                               : from[j].t < from[i].t));
				to[k] = from[second ? j++ : i++];
			}
		}
		rbl_crossing *swap = from;
		from = to, to = swap;
	}
	if (from != items)
		memcpy(items, from, (size_t)count * sizeof *items);
	return true;
}

// Crossings at one place within rounding: take first the one that keeps the winding 0 or 1.
static void order_row(rbl_crossing *row, int count, int winding)
{
	for (int i = 0; i + 1 < count; ++i) {
		int after = winding + row[i].change;
		if (after < 0 || after > 1) {
			int k = i + 1;
			while (k < count && row[k].change == row[i].change && row[k].t - row[i].t < 1e-9)
				k++;
			if (k < count && row[k].change != row[i].change && row[k].t - row[i].t < 1e-9) {
				rbl_crossing swap = row[i];
				row[i] = row[k], row[k] = swap;
			}
		}
		winding += row[i].change;
	}
}

static bool add_edge(cap_builder *c, int face, int from, int to, int times)
{
	if (!c->w->face_touched[face] || from == to)
		return true;
	for (int i = 0; i < abs(times); ++i) {
		rbl_cap_edge edge = { face, times > 0 ? from : to, times > 0 ? to : from };
		if (!rbl_array_push(c->allocator, &c->w->edges, edge))
			return false;
	}
	return true;
}

// The stretches of one edge of the cell. `row` holds its crossings.
static bool add_stretches(cap_builder *c, int face, int corner, const rbl_crossing *row, int count)
{
	const rbl_cells *cells = c->cells;
	int k = c->first_corner + corner, beyond = cells->corner_faces[k];
	int start = cells->corner_vertices[k];
	int end = cells->corner_vertices[c->first_corner + cells->corner_twins[k]];
	int winding = winding_of(c, start), from = -1;
	for (int i = 0; i <= count; ++i) {
		int to = -1;
		if (winding != 0) {
			if (from < 0)
				from = local_of_cell_vertex(c, start);
			to = i < count ? row[i].vertex : local_of_cell_vertex(c, end);
			if (from < 0 || to < 0 || !add_edge(c, face, from, to, winding) ||
			    !add_edge(c, beyond, to, from, winding))
				return false;
			if (winding < 0 || winding > 1)
				c->result->winding_count++;
		}
		if (i < count) {
			winding += row[i].change;
			from = row[i].vertex;
		}
	}
	return true;
}

static bool collect_edges(cap_builder *c, rbl_cell_group_block *block,
                          const rbl_cell_record *record)
{
	rbl_cell_group_worker *w = c->w;
	const rbl_cells *cells = c->cells;
	memset(w->face_touched, 0, (size_t)c->face_count);
	w->edges.count = 0;
	rbl_crossing *crossings =
		record->crossing_count > 0 ? block->crossings.data + record->first_crossing : NULL;
	const rbl_cut_segment *segments =
		record->segment_count > 0 ? block->segments.data + record->first_segment : NULL;
	if (!sort_edge_crossings(c, crossings, record->crossing_count))
		return false;
	for (int i = 0; i < record->crossing_count; ++i) {
		int k = c->first_corner + crossings[i].corner;
		w->face_touched[cells->corner_faces[k]] = 1;
		w->face_touched[cells->corner_faces[c->first_corner + cells->corner_twins[k]]] = 1;
	}
	for (int i = 0; i < record->segment_count; ++i)
		w->face_touched[segments[i].face] = 1;
	for (int i = 0; i < record->segment_count; ++i) {
		if (!add_edge(c, segments[i].face, segments[i].to, segments[i].from, 1))
			return false;
	}
	int next = 0;
	for (int f = 0; f < c->face_count; ++f) {
		int begin = cells->face_corners[c->first_face + f];
		for (int k = begin; k < cells->face_corners[c->first_face + f + 1]; ++k) {
			int beyond = cells->corner_faces[k], corner = k - c->first_corner, first = next;
			if (beyond < f || !(w->face_touched[f] || w->face_touched[beyond]))
				continue;
			while (next < record->crossing_count && crossings[next].corner == corner)
				next++;
			rbl_crossing *row = next > first ? crossings + first : NULL;
			order_row(row, next - first, winding_of(c, cells->corner_vertices[k]));
			if (!add_stretches(c, f, corner, row, next - first))
				return false;
		}
	}
	return true;
}

// --- Loops --------------------------------------------------------------------------------------

// Take the loop path[start..] off the path and file it. Two edges that run back and forth cancel.
static bool file_loop(cap_builder *c, int start, rbl_vec3d normal)
{
	rbl_cell_group_worker *w = c->w;
	int *path = w->loops.data + start, n = w->loops.count - start;
	if (n < 3)
		return true;
	rbl_vec3d o = local_position(c, path[0]), sum = { 0.0, 0.0, 0.0 };
	for (int i = 1; i + 1 < n; ++i) {
		rbl_vec3d a = rbl_sub_d(local_position(c, path[i]), o);
		rbl_vec3d b = rbl_sub_d(local_position(c, path[i + 1]), o);
		sum = rbl_add_d(sum, rbl_cross_d(a, b));
	}
	return rbl_array_push(c->allocator, &w->loop_sizes, n) &&
	       rbl_array_push(c->allocator, &w->loop_areas, rbl_dot_d(sum, normal));
}

// Chain the edges of a face to loops without repeated vertices. loops receives the vertices of one
// loop after the other, loop_sizes and loop_areas describe them.
static bool chain_loops(cap_builder *c, const rbl_cap_edge *edges, int count, rbl_vec3d normal)
{
	rbl_cell_group_worker *w = c->w;
	w->loops.count = w->loop_sizes.count = w->loop_areas.count = 0;
	int vertex_count = c->result->geometry->vertices.count - c->first_vertex;
	// heads: first edge that leaves a vertex; labels: place of a vertex on the path.
	if (!rbl_cell_group_reserve_heads(c->g, w, vertex_count) ||
	    !rbl_array_resize(c->allocator, &w->nexts, count) ||
	    !rbl_array_reserve(c->allocator, &w->loops, 2 * count + 2))
		return false;
	for (int i = count - 1; i >= 0; --i) {
		w->nexts.data[i] = w->heads.data[edges[i].from];
		w->heads.data[edges[i].from] = i;
	}
	// The path lies behind the filed loops; a revisited vertex closes a loop at the path's end.
	int *path = w->loops.data + count + 1;
	bool done = true;
	for (int i = 0; i < count && done; ++i) {
		int depth = 0, v = edges[i].from;
		while (done) {
			if (w->labels.data[v] >= 0) {
				int start = w->labels.data[v], n = depth - start;
				for (int k = start; k < depth; ++k)
					w->labels.data[path[k]] = -1;
				if (n >= 3) {
					int filed = w->loops.count;
					memcpy(w->loops.data + filed, path + start, (size_t)n * sizeof(int));
					w->loops.count += n;
					done = file_loop(c, filed, normal);
				}
				depth = start;
			}
			int edge = w->heads.data[v];
			if (edge < 0)
				break;
			w->heads.data[v] = w->nexts.data[edge];
			w->labels.data[v] = depth;
			path[depth++] = v;
			v = edges[edge].to;
		}
		for (int k = 0; k < depth; ++k)
			w->labels.data[path[k]] = -1;
	}
	for (int i = 0; i < count; ++i)
		w->heads.data[edges[i].from] = -1;
	return done;
}

// Whether a loop contains a point, both seen along the normal.
static bool loop_contains(const cap_builder *c, const int *loop, int n, rbl_vec3d normal,
                          rbl_vec3d p)
{
	rbl_point2 q = rbl_project(p, normal);
	bool inside = false;
	for (int i = 0, j = n - 1; i < n; j = i++) {
		rbl_point2 a = rbl_project(local_position(c, loop[i]), normal);
		rbl_point2 b = rbl_project(local_position(c, loop[j]), normal);
		if ((a.y > q.y) != (b.y > q.y) && q.x < a.x + (b.x - a.x) * ((q.y - a.y) / (b.y - a.y)))
			inside = !inside;
	}
	return inside;
}

static bool add_cap_face(cap_builder *c, int face, int size, int loop_count)
{
	rbl_piece_block *geometry = c->result->geometry;
	rbl_piece_face made = {
		~(c->first_face + face), geometry->corners.count, size, loop_count, false, false
	};
	return rbl_array_push(c->allocator, &geometry->faces, made) &&
	       rbl_array_extend(c->allocator, &geometry->corners, size + loop_count);
}

// One face for an outer loop and the holes assigned to it.
static bool emit_face(cap_builder *c, int face, int outer, const int *owners, const int *starts)
{
	rbl_cell_group_worker *w = c->w;
	rbl_piece_block *geometry = c->result->geometry;
	int size = 0, loops = 0;
	for (int i = 0; i < w->loop_sizes.count; ++i) {
		if (owners[i] == outer)
			size += w->loop_sizes.data[i], loops++;
	}
	if (!add_cap_face(c, face, size, loops))
		return false;
	for (int i = 0; i < w->loop_sizes.count; ++i) {
		if (owners[i] != outer)
			continue;
		memcpy(geometry->corners.data + geometry->corners.count, w->loops.data + starts[i],
		       (size_t)w->loop_sizes.data[i] * sizeof(int));
		geometry->corners.count += w->loop_sizes.data[i];
	}
	for (int i = 0; i < w->loop_sizes.count && loops > 1; ++i) {
		if (owners[i] == outer)
			geometry->corners.data[geometry->corners.count++] = w->loop_sizes.data[i];
	}
	return true;
}

// Sort loops into outer ones with their holes and make faces of them.
static bool emit_loops(cap_builder *c, int face, rbl_vec3d normal)
{
	rbl_cell_group_worker *w = c->w;
	int count = w->loop_sizes.count;
	if (count == 0)
		return true;
	if (!rbl_array_resize(c->allocator, &w->parents, 2 * count))
		return false;
	int *owners = w->parents.data, *starts = owners + count;
	int outers = 0, any_outer = -1;
	for (int i = 0, at = 0; i < count; ++i) {
		starts[i] = at;
		at += w->loop_sizes.data[i];
		owners[i] = i;
		if (w->loop_areas.data[i] > 0.0) {
			outers++;
			if (any_outer < 0 || w->loop_areas.data[i] > w->loop_areas.data[any_outer])
				any_outer = i;
		}
	}
	for (int i = 0; i < count && outers > 0; ++i) {
		if (w->loop_areas.data[i] > 0.0)
			continue;
		int best = outers == 1 ? any_outer : -1;
		rbl_vec3d p = local_position(c, w->loops.data[starts[i]]);
		for (int k = 0; k < count && outers > 1; ++k) {
			if (w->loop_areas.data[k] > 0.0 &&
			    (best < 0 || w->loop_areas.data[k] < w->loop_areas.data[best]) &&
			    loop_contains(c, w->loops.data + starts[k], w->loop_sizes.data[k], normal, p))
				best = k;
		}
		owners[i] = best >= 0 ? best : any_outer;
	}
	for (int i = 0; i < count; ++i) {
		if (owners[i] == i && !emit_face(c, face, i, owners, starts))
			return false;
	}
	return true;
}

// A face that the surface does not touch: all of it or nothing.
static bool emit_whole(cap_builder *c, int face)
{
	const rbl_cells *cells = c->cells;
	rbl_piece_block *geometry = c->result->geometry;
	int begin = cells->face_corners[c->first_face + face];
	int n = cells->face_corners[c->first_face + face + 1] - begin;
	int winding = winding_of(c, cells->corner_vertices[begin]);
	if (winding < 0 || winding > 1)
		c->result->winding_count++;
	for (int times = 0; times < abs(winding); ++times) {
		if (!add_cap_face(c, face, n, 1))
			return false;
		for (int k = 0; k < n; ++k) {
			int corner = winding > 0 ? begin + k : begin + n - 1 - k;
			int local = local_of_cell_vertex(c, cells->corner_vertices[corner]);
			if (local < 0)
				return false;
			geometry->corners.data[geometry->corners.count++] = local;
		}
	}
	return true;
}

// Sort the collected edges by face: starts in face_starts.
static bool sort_edges(cap_builder *c)
{
	rbl_cell_group_worker *w = c->w;
	if (!rbl_array_resize(c->allocator, &w->sorted, w->edges.count))
		return false;
	memset(w->face_starts, 0, (size_t)(c->face_count + 2) * sizeof(int));
	for (int i = 0; i < w->edges.count; ++i)
		w->face_starts[w->edges.data[i].face + 2]++;
	for (int f = 0; f < c->face_count; ++f)
		w->face_starts[f + 2] += w->face_starts[f + 1];
	for (int i = 0; i < w->edges.count; ++i)
		w->sorted.data[w->face_starts[w->edges.data[i].face + 1]++] = w->edges.data[i];
	return true;
}

// The surface of the cell as the first faces of its piece.
static bool copy_surface(cap_builder *c, const rbl_cell_group_block *block,
                         const rbl_cell_record *record)
{
	rbl_piece_block *geometry = c->result->geometry;
	int corner_count = record->corner_count;
	int to_corner = geometry->corners.count;
	if (!rbl_array_extend(c->allocator, &geometry->vertices, record->vertex_count) ||
	    !rbl_array_extend(c->allocator, &geometry->faces, record->face_count) ||
	    !rbl_array_reserve(c->allocator, &geometry->corners, to_corner + corner_count))
		return false;
	memcpy(geometry->vertices.data + geometry->vertices.count,
	       block->vertices.data + record->first_vertex,
	       (size_t)record->vertex_count * sizeof(rbl_vec3d));
	geometry->vertices.count += record->vertex_count;
	memcpy(geometry->corners.data + to_corner, block->corners.data + record->first_corner,
	       (size_t)corner_count * sizeof(int));
	geometry->corners.count += corner_count;
	for (int f = 0; f < record->face_count; ++f) {
		rbl_piece_face face = block->faces.data[record->first_face + f];
		face.first_corner += to_corner - record->first_corner;
		geometry->faces.data[geometry->faces.count++] = face;
	}
	return true;
}

bool rbl_cell_group_cap_cell(rbl_cell_group *g, int cell, rbl_cell_group_result *result,
                             rbl_cell_group_worker *w)
{
	const rbl_cells *cells = g->s->cells;
	cap_builder c = { .g = g, .w = w, .result = result, .cells = cells };
	c.allocator = g->s->allocator;
	c.cell = cell;
	c.first_face = cells->cell_faces[cell];
	c.face_count = cells->cell_faces[cell + 1] - c.first_face;
	c.cell_vertex = cells->cell_vertices[cell];
	c.first_corner = 3 * c.cell_vertex;
	c.offset = g->offsets[cell];
	c.first_vertex = result->geometry->vertices.count;
	rbl_cell_group_block *block = &g->blocks[cell / g->cell_block];
	const rbl_cell_record *record = &g->records[cell];
	for (int v = 0; v < cells->cell_vertices[cell + 1] - c.cell_vertex; ++v)
		w->cell_locals[v] = -1;
	if (!copy_surface(&c, block, record) || !collect_edges(&c, block, record) || !sort_edges(&c))
		return false;
	for (int f = 0; f < c.face_count; ++f) {
		if (!w->face_touched[f]) {
			if (!emit_whole(&c, f))
				return false;
			continue;
		}
		int begin = f > 0 ? w->face_starts[f] : 0, end = w->face_starts[f + 1];
		rbl_vec3d normal = rbl_cell_face_plane(cells, c.first_face + f).normal;
		if (end > begin && (!chain_loops(&c, w->sorted.data + begin, end - begin, normal) ||
		                    !emit_loops(&c, f, normal)))
			return false;
	}
	return true;
}
