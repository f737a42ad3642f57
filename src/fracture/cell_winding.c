// SPDX-License-Identifier: MIT
//
// Winding numbers along the edges of a cell, from the cell's own surface.
//
// Where the surface passes from one cell face to another it crosses the edge between them, and the
// winding number along that edge changes by one. Crossings around each face cancel, because the
// surface's segments on a face are chains that enter and leave over its edges. So every vertex of
// the cell has a winding number, up to one constant for the cell (cell_winding_offset.c). No ray
// is cast and no parity is counted.
//
// Rounding near a vertex of the cell may let the surface pass between two faces that are not
// neighbours. Then it crosses the cheapest chain of faces between them, at the same point; the
// cost is the point's distance to the planes passed.

#include "fracture/cell_group.h"

#include "base/vec.h"

static int add_vertex(rbl_cell_group *g, rbl_cell_group_block *block, const rbl_cell_record *record,
                      rbl_vec3d p)
{
	if (!rbl_array_push(g->s->allocator, &block->vertices, p))
		return -1;
	return block->vertices.count - 1 - record->first_vertex;
}

// The local number of a mesh vertex.
static int local_of_vertex(rbl_cell_group *g, rbl_cell_group_block *block,
                           const rbl_cell_record *record, rbl_cell_group_worker *w, int stamp,
                           int v)
{
	if (w->vertex_stamps[v] != stamp) {
		w->vertex_stamps[v] = stamp;
		w->vertex_locals[v] = add_vertex(g, block, record, g->s->solid->positions[v]);
	}
	return w->vertex_locals[v];
}

// The local number of the end of what is left of half-edge h: of its start or of its other end.
static int local_of_edge(rbl_cell_group *g, rbl_cell_group_block *block,
                         const rbl_cell_record *record, rbl_cell_group_worker *w, int stamp, int h,
                         bool at_start, rbl_vec3d p)
{
	const rbl_solid *solid = g->s->solid;
	int a = solid->triangle_vertices[h],
		b = solid->triangle_vertices[3 * (h / 3) + rbl_corner_after(h % 3)];
	int slot = 2 * solid->edges[h] + ((a < b) == at_start ? 0 : 1);
	if (w->edge_stamps[slot] != stamp) {
		w->edge_stamps[slot] = stamp;
		w->edge_locals[slot] = add_vertex(g, block, record, p);
	}
	return w->edge_locals[slot];
}

static bool add_face(rbl_cell_group *g, rbl_cell_group_block *block, int triangle, int corner_count)
{
	return rbl_array_push(g->s->allocator, &block->faces,
	                      ((rbl_piece_face){ triangle, block->corners.count, corner_count, 1, false,
	                                         false })) &&
	       rbl_array_extend(g->s->allocator, &block->corners, corner_count);
}

// The corner of cell face p whose edge borders face q, within the cell, or -1.
static int shared_corner(const rbl_cells *cells, int cell, int p, int q)
{
	int face = cells->cell_faces[cell] + p;
	for (int k = cells->face_corners[face]; k < cells->face_corners[face + 1]; ++k) {
		if (cells->corner_faces[k] == q)
			return k - 3 * cells->cell_vertices[cell];
	}
	return -1;
}

static bool add_crossing(rbl_cell_group *g, rbl_cell_group_block *block, int cell, int p, int q,
                         int vertex, rbl_vec3d at)
{
	const rbl_cells *cells = g->s->cells;
	int low = rbl_mini(p, q), high = rbl_maxi(p, q);
	int corner = shared_corner(cells, cell, low, high);
	const rbl_vec3d *vertices = cells->vertices + cells->cell_vertices[cell];
	int first = 3 * cells->cell_vertices[cell];
	rbl_vec3d a = vertices[cells->corner_vertices[first + corner]];
	rbl_vec3d b = vertices[cells->corner_vertices[first + cells->corner_twins[first + corner]]];
	rbl_vec3d along = rbl_sub_d(b, a);
	double squared = rbl_length_squared_d(along);
	double t = squared > 0.0 ? rbl_dot_d(rbl_sub_d(at, a), along) / squared : 0.5;
	rbl_crossing crossing = { corner, vertex, p < q ? -1 : 1, rbl_clampd(t, 0.0, 1.0) };
	return rbl_array_push(g->s->allocator, &block->crossings, crossing);
}

// The surface turns from face p to face q at a vertex. Faces that are no neighbours are joined by
// the cheapest chain, found by relaxing until nothing changes (a few rounds over a few faces).
static bool cross_edges(rbl_cell_group *g, rbl_cell_group_block *block, rbl_cell_group_worker *w,
                        int cell, int p, int q, int vertex, rbl_vec3d at)
{
	const rbl_cells *cells = g->s->cells;
	if (p == q)
		return true;
	if (shared_corner(cells, cell, p, q) >= 0)
		return add_crossing(g, block, cell, p, q, vertex, at);
	block->rerouted_count++;
	int first = cells->cell_faces[cell], count = cells->cell_faces[cell + 1] - first;
	for (int f = 0; f < count; ++f)
		w->costs[f] = DBL_MAX, w->route[f] = -1;
	w->costs[q] = 0.0; // from q backwards, so that route[] leads from p to q
	for (int round = 0; round < count; ++round) {
		bool changed = false;
		for (int f = 0; f < count; ++f) {
			if (w->costs[f] == DBL_MAX)
				continue;
			double step =
				w->costs[f] + fabs(rbl_plane_distance_d(rbl_cell_face_plane(cells, first + f), at));
			step += 1e-15 * g->s->solid->size; // of equal chains the shorter one
			for (int k = cells->face_corners[first + f]; k < cells->face_corners[first + f + 1];
			     ++k) {
				int beyond = cells->corner_faces[k];
				if (step < w->costs[beyond]) {
					w->costs[beyond] = step;
					w->route[beyond] = f;
					changed = true;
				}
			}
		}
		if (!changed)
			break;
	}
	for (int f = p, steps = 0; f != q && steps <= count; f = w->route[f], ++steps) {
		if (w->route[f] < 0 || !add_crossing(g, block, cell, f, w->route[f], vertex, at))
			return false;
	}
	return true;
}

static bool add_label(rbl_cell_group *g, rbl_cell_group_worker *w, int half_edge)
{
	int label = rbl_solid_is_diagonal(g->s->solid, half_edge) ? RBL_ALONG_DIAGONAL : RBL_ALONG_EDGE;
	return rbl_array_push(g->s->allocator, &w->corner_labels, label);
}

// A face of the mesh as it is; `triangle` is its first.
static bool take_uncut(rbl_cell_group *g, rbl_cell_group_block *block,
                       const rbl_cell_record *record, rbl_cell_group_worker *w, int stamp,
                       int triangle)
{
	const rbl_solid *solid = g->s->solid;
	int face = solid->triangle_faces[triangle], first = g->mesh.face_starts[face];
	int n = g->mesh.face_starts[face + 1] - first;
	if (!add_face(g, block, triangle, n))
		return false;
	block->faces.data[block->faces.count - 1].is_uncut = true;
	int *locals = block->corners.data + block->corners.count;
	for (int i = 3 * triangle; i < 3 * (triangle + n - 2); ++i) {
		int local = local_of_vertex(g, block, record, w, stamp, solid->triangle_vertices[i]);
		if (local < 0)
			return false;
		locals[solid->triangle_corners[i] - first] = local;
	}
	block->corners.count += n;
	return true;
}

static bool take_whole(rbl_cell_group *g, rbl_cell_group_block *block,
                       const rbl_cell_record *record, rbl_cell_group_worker *w, int stamp,
                       int triangle)
{
	if (!add_face(g, block, triangle, 3))
		return false;
	for (int k = 0; k < 3; ++k) {
		int v = g->s->solid->triangle_vertices[3 * triangle + k];
		int local = local_of_vertex(g, block, record, w, stamp, v);
		if (local < 0)
			return false;
		block->corners.data[block->corners.count++] = local;
		if (w->merge_stamps && !add_label(g, w, 3 * triangle + k))
			return false;
	}
	return true;
}

static bool take_part(rbl_cell_group *g, rbl_cell_group_block *block, const rbl_cell_record *record,
                      rbl_cell_group_worker *w, int stamp, const rbl_clipped_triangle *part)
{
	const rbl_clip_corner *corners = g->s->workers[part->worker].corners.data + part->first_corner;
	int n = part->corner_count, triangle = part->triangle;
	if (!add_face(g, block, triangle, n))
		return false;
	int *locals = block->corners.data + block->corners.count;
	block->corners.count += n;
	for (int i = 0; i < n; ++i) {
		int before = corners[i > 0 ? i - 1 : n - 1].label, after = corners[i].label;
		if (before < 3 && after < 3)
			locals[i] = local_of_vertex(g, block, record, w, stamp,
			                            g->s->solid->triangle_vertices[3 * triangle + after]);
		else if (after < 3)
			locals[i] = local_of_edge(g, block, record, w, stamp, 3 * triangle + after, true,
			                          corners[i].position);
		else if (before < 3)
			locals[i] = local_of_edge(g, block, record, w, stamp, 3 * triangle + before, false,
			                          corners[i].position);
		else
			locals[i] = add_vertex(g, block, record, corners[i].position);
		if (locals[i] < 0)
			return false;
	}
	for (int i = 0; i < n; ++i) {
		int before = corners[i > 0 ? i - 1 : n - 1].label - 3, after = corners[i].label - 3;
		if (w->merge_stamps && after < 0 && !add_label(g, w, 3 * triangle + after + 3))
			return false;
		if (after < 0)
			continue;
		if (w->merge_stamps) {
			if (!rbl_array_push(g->s->allocator, &w->corner_labels, after))
				return false;
		}
		rbl_cut_segment segment = { after, locals[i], locals[i + 1 < n ? i + 1 : 0] };
		if (!w->merge_stamps && !rbl_array_push(g->s->allocator, &block->segments, segment))
			return false;
		if (before >= 0 &&
		    !cross_edges(g, block, w, part->cell, before, after, locals[i], corners[i].position))
			return false;
	}
	return true;
}

// Windings of the cell's vertices, the first one's zero, by walking around faces.
static void wind_vertices(rbl_cell_group *g, int cell, const rbl_cell_group_block *block,
                          const rbl_cell_record *record, rbl_cell_group_worker *w)
{
	const rbl_cells *cells = g->s->cells;
	int first_vertex = cells->cell_vertices[cell];
	int vertex_count = cells->cell_vertices[cell + 1] - first_vertex, first = 3 * first_vertex;
	int *windings = g->windings + first_vertex;
	if (record->crossing_count == 0) {
		memset(windings, 0, (size_t)vertex_count * sizeof *windings);
		return;
	}
	memset(w->edge_changes, 0, (size_t)(3 * vertex_count) * sizeof(int));
	for (int i = 0; i < record->crossing_count; ++i) {
		const rbl_crossing *crossing = &block->crossings.data[record->first_crossing + i];
		w->edge_changes[crossing->corner] += crossing->change;
	}
	enum { UNKNOWN = -0x40000000 };
	for (int v = 0; v < vertex_count; ++v)
		windings[v] = UNKNOWN;
	windings[0] = 0;
	bool changed = true;
	while (changed) {
		changed = false;
		for (int f = cells->cell_faces[cell]; f < cells->cell_faces[cell + 1]; ++f) {
			int begin = cells->face_corners[f], n = cells->face_corners[f + 1] - begin;
			int start = 0, unknown = 0;
			for (int k = 0; k < n; ++k) {
				bool known = windings[cells->corner_vertices[begin + k]] != UNKNOWN;
				unknown += !known;
				start = known ? k : start;
			}
			if (unknown == 0 || unknown == n)
				continue;
			changed = true;
			for (int i = 0, k = start; i + 1 < n; ++i, k = k + 1 < n ? k + 1 : 0) {
				int corner = begin + k - first, twin = cells->corner_twins[begin + k];
				int change = cells->corner_faces[begin + k] > f - cells->cell_faces[cell]
				                 ? w->edge_changes[corner]
				                 : -w->edge_changes[twin];
				int to = cells->corner_vertices[begin + (k + 1 < n ? k + 1 : 0)];
				if (windings[to] == UNKNOWN)
					windings[to] = windings[cells->corner_vertices[begin + k]] + change;
			}
		}
	}
}

// Inside areas of the faces that the surface touches; of the others all or nothing.
static void measure_faces(rbl_cell_group *g, int cell, const rbl_cell_group_block *block,
                          const rbl_cell_record *record, rbl_cell_group_worker *w)
{
	const rbl_cells *cells = g->s->cells;
	int first_face = cells->cell_faces[cell], face_count = cells->cell_faces[cell + 1] - first_face;
	int first_vertex = cells->cell_vertices[cell], first = 3 * first_vertex;
	int corner_count = 3 * (cells->cell_vertices[cell + 1] - first_vertex);
	const rbl_vec3d *vertices = cells->vertices + first_vertex;
	const rbl_vec3d *locals = block->vertices.data + record->first_vertex;
	const int *windings = g->windings + first_vertex;
	rbl_vec3d o = vertices[0];

	// The integral of the winding over each edge, by the corner of its lower face.
	for (int k = 0; k < corner_count; ++k)
		w->edge_integrals[k] = windings[cells->corner_vertices[first + k]];
	memset(w->face_touched, 0, (size_t)face_count);
	for (int i = 0; i < record->crossing_count; ++i) {
		const rbl_crossing *crossing = &block->crossings.data[record->first_crossing + i];
		w->edge_integrals[crossing->corner] += crossing->change * (1.0 - crossing->t);
		w->face_touched[cells->corner_faces[first + crossing->corner]] = 1;
		w->face_touched[cells
		                    ->corner_faces[first + cells->corner_twins[first + crossing->corner]]] =
			1;
	}
	double *areas = g->areas + first_face;
	for (int f = 0; f < face_count; ++f)
		areas[f] = 0.0;
	for (int i = 0; i < record->segment_count; ++i) {
		const rbl_cut_segment *segment = &block->segments.data[record->first_segment + i];
		rbl_vec3d a = rbl_sub_d(locals[segment->to], o), b = rbl_sub_d(locals[segment->from], o);
		rbl_planed plane = rbl_cell_face_plane(cells, first_face + segment->face);
		areas[segment->face] += 0.5 * rbl_dot_d(plane.normal, rbl_cross_d(a, b));
		w->face_touched[segment->face] = 1;
	}
	for (int f = 0; f < face_count; ++f) {
		int begin = cells->face_corners[first_face + f],
			end = cells->face_corners[first_face + f + 1];
		if (!w->face_touched[f]) {
			areas[f] = windings[cells->corner_vertices[begin]] * cells->faces[first_face + f].area;
			continue;
		}
		rbl_vec3d sum = { 0.0, 0.0, 0.0 };
		for (int k = begin; k < end; ++k) {
			int low = cells->corner_faces[k] > f ? k - first : cells->corner_twins[k];
			rbl_vec3d a = vertices[cells->corner_vertices[k]];
			rbl_vec3d b = vertices[cells->corner_vertices[k + 1 < end ? k + 1 : begin]];
			rbl_vec3d part = rbl_cross_d(rbl_sub_d(a, o), rbl_sub_d(b, o));
			sum = rbl_add_scaled_d(sum, w->edge_integrals[low], part);
		}
		rbl_planed plane = rbl_cell_face_plane(cells, first_face + f);
		areas[f] += 0.5 * rbl_dot_d(plane.normal, sum);
	}
}

// Faces that are whole, and parts, of which those of one flat face are merged.
static bool take_surface(rbl_cell_group *g, int cell, rbl_cell_group_block *block,
                         rbl_cell_record *record, rbl_cell_group_worker *w)
{
	const rbl_cell_cut *s = g->s;
	int stamp = cell + 1, begin = s->uncut_starts[cell], end = s->uncut_starts[cell + 1];
	for (int i = begin; i < end; ++i) {
		int triangle = ~s->uncut_triangles[i];
		if (triangle >= 0 && s->solid->triangle_groups[triangle] == g->index &&
		    !take_uncut(g, block, record, w, stamp, triangle))
			return false;
	}
	rbl_merge_range range = { block->vertices.count, block->faces.count, block->corners.count };
	w->corner_labels.count = 0;
	for (int i = begin; i < end; ++i) {
		int triangle = s->uncut_triangles[i];
		if (triangle >= 0 && s->solid->triangle_groups[triangle] == g->index &&
		    !take_whole(g, block, record, w, stamp, triangle))
			return false;
	}
	for (int i = s->part_starts[cell]; i < s->part_starts[cell + 1]; ++i) {
		const rbl_clipped_triangle *part = &s->parts.data[s->part_lists[i]];
		if (s->solid->triangle_groups[part->triangle] == g->index &&
		    !take_part(g, block, record, w, stamp, part))
			return false;
	}
	record->crossing_count = block->crossings.count - record->first_crossing;
	return !w->merge_stamps || block->faces.count == range.first_face ||
	       rbl_cell_group_merge_faces(g, cell, block, record, range, w);
}

bool rbl_cell_group_wind_cell(rbl_cell_group *g, int cell, rbl_cell_group_block *block,
                              rbl_cell_group_worker *w)
{
	rbl_cell_record *record = &g->records[cell];
	*record = (rbl_cell_record){ .first_vertex = block->vertices.count,
		                         .first_face = block->faces.count,
		                         .first_corner = block->corners.count,
		                         .first_segment = block->segments.count,
		                         .first_crossing = block->crossings.count };
	if (!take_surface(g, cell, block, record, w))
		return false;
	record->vertex_count = block->vertices.count - record->first_vertex;
	record->face_count = block->faces.count - record->first_face;
	record->corner_count = block->corners.count - record->first_corner;
	record->segment_count = block->segments.count - record->first_segment;
	record->has_surface = record->face_count > 0;
	if (record->has_surface) {
		wind_vertices(g, cell, block, record, w);
		measure_faces(g, cell, block, record, w);
	}
	return true;
}
