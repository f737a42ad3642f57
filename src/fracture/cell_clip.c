// SPDX-License-Identifier: MIT
//
// Clipping: the part of each straddling triangle in each cell that it meets, found by flood fill.
//
// A queue of (triangle, cell) starts with the cells of each triangle's vertices. A part that is
// not empty enqueues the triangle's part beyond each cell face it touches, and the part of the
// twin triangle beyond each of its own edges that survived. So faces that poke through a cell
// without a vertex are found, and the surface in each cell is complete by itself, even where
// rounding puts a vertex into two cells or into none.
//
// Why it stays closed: what is left of an edge in a cell depends on edge and cell alone. Signs of
// the two ends are evaluated once per vertex and plane; a point on the edge takes its sign from
// them where they agree; its position is computed from the ends in the order of their indices.
// Both triangles beside the edge therefore get the same bits.
//
// The queue is processed in rounds. The items of a round are clipped in parallel and what they
// enqueue is inserted in order, so the result is the same for any number of workers.

#include "fracture/cell_cut.h"

#include "base/assert.h"
#include "base/bits.h"
#include "base/hash.h"
#include "base/vec.h"
#include "fracture/fracture_kernels.h"

enum { BLOCK = 64 };

typedef struct clipper {
	const rbl_cell_cut *s;
	int triangle, cell, first_face;
	rbl_vec3d points[3];
	int vertices[3];
	const double *rows[3]; // distances of the corners, by face of the cell
} clipper;

static double weight(double distance, bool beyond)
{
	return rbl_maxd(beyond ? distance : -distance, 0.0);
}

// Between a and b, at the plane that they are wa and wb away from.
static rbl_vec3d between(rbl_vec3d a, double wa, rbl_vec3d b, double wb)
{
	double sum = wa + wb, t = sum > 0.0 ? wa / sum : 0.0;
	return rbl_lerp_d(a, b, t);
}

// The point where the plane of `face` cuts edge k of the triangle, of which u to w is left.
static rbl_vec3d edge_point(const clipper *c, int face, int k, unsigned mask, rbl_vec3d u,
                            rbl_vec3d w, bool u_is_beyond, bool is_full)
{
	int i = k, j = rbl_corner_after(k);
	bool swapped = c->vertices[i] > c->vertices[j];
	if (swapped)
		i = j, j = k;
	bool beyond = mask >> i & 1;
	rbl_vec3d p = between(c->points[i], weight(c->rows[i][face], beyond), c->points[j],
	                      weight(c->rows[j][face], !beyond));
	if (is_full)
		return p;
	double du = rbl_face_distance(c->s, c->first_face + face, u);
	double dw = rbl_face_distance(c->s, c->first_face + face, w);
	double wu = weight(du, u_is_beyond), ww = weight(dw, !u_is_beyond);
	rbl_vec3d q = swapped ? between(w, ww, u, wu) : between(u, wu, w, ww);
	double off = rbl_maxd(fabs(p.x - q.x), rbl_maxd(fabs(p.y - q.y), fabs(p.z - q.z)));
	return off <= c->s->snap_tolerance ? p : q;
}

// Whether corner i of the polygon lies beyond the face. `mask` has the signs of the triangle's
// corners. `distance` receives the corner's distance when it was needed.
static bool corner_is_beyond(const clipper *c, const rbl_clip_corner *polygon, int prev, int i,
                             int face, unsigned mask)
{
	int before = polygon[prev].label, after = polygon[i].label;
	if (before < 3 && after < 3)
		return mask >> after & 1; // edge k starts at corner k
	if (before < 3 || after < 3) {
		int k = before < 3 ? before : after;
		bool a = mask >> k & 1, b = mask >> rbl_corner_after(k) & 1;
		if (a == b)
			return a;
	}
	double d = rbl_face_distance(c->s, c->first_face + face, polygon[i].position);
	return c->s->cells->faces[c->first_face + face].sign > 0 ? d >= 0.0 : d > 0.0;
}

// Cut a polygon by a face. `signs` has room for a flag for each corner.
// @return the number of corners in `out`, n when nothing lies beyond: then the polygon stays as it
// is
static int cut_polygon(const clipper *c, int face, unsigned mask, const rbl_clip_corner *in, int n,
                       rbl_clip_corner *out, unsigned char *signs, bool *is_cut)
{
	int count = 0, beyond_count = 0;
	for (int prev = n - 1, i = 0; i < n; prev = i++) {
		signs[i] = corner_is_beyond(c, in, prev, i, face, mask);
		beyond_count += signs[i];
	}
	*is_cut = beyond_count > 0;
	if (beyond_count == 0 || beyond_count == n)
		return beyond_count == 0 ? n : 0;
	for (int i = 0; i < n; ++i) {
		int j = i + 1 < n ? i + 1 : 0, label = in[i].label;
		bool beyond = signs[i], next_beyond = signs[j];
		if (!beyond)
			out[count++] = in[i];
		if (beyond == next_beyond)
			continue;
		rbl_vec3d p;
		if (label < 3) {
			bool is_full = in[i > 0 ? i - 1 : n - 1].label < 3 && in[j].label < 3;
			p = edge_point(c, face, label, mask, in[i].position, in[j].position, beyond, is_full);
		} else {
			double a = rbl_face_distance(c->s, c->first_face + face, in[i].position);
			double b = rbl_face_distance(c->s, c->first_face + face, in[j].position);
			p = between(in[i].position, weight(a, beyond), in[j].position, weight(b, next_beyond));
		}
		out[count++] = (rbl_clip_corner){ p, beyond ? label : 3 + face };
	}
	return count;
}

// The plane between the neighbours beyond faces f and g of a cell, or -1.
static int third_plane(const rbl_cells *cells, int f, int g)
{
	int j = cells->faces[f].neighbour, k = cells->faces[g].neighbour;
	if (j < 0 || k < 0)
		return -1;
	for (int h = cells->cell_faces[j]; h < cells->cell_faces[j + 1]; ++h) {
		if (cells->faces[h].neighbour == k)
			return cells->faces[h].plane;
	}
	return -1;
}

// Put the points where two cell planes meet the triangle where all three cells around that edge
// would put them: on the two planes of lowest index.
static void snap_face_points(const clipper *c, rbl_clip_corner *polygon, int n)
{
	const rbl_cells *cells = c->s->cells;
	rbl_vec3d n0 =
		rbl_cross_d(rbl_sub_d(c->points[1], c->points[0]), rbl_sub_d(c->points[2], c->points[0]));
	double d0 = rbl_dot_d(n0, c->points[0]);
	for (int i = 0; i < n; ++i) {
		int before = polygon[i > 0 ? i - 1 : n - 1].label - 3, after = polygon[i].label - 3;
		if (before < 0 || after < 0 || before == after)
			continue;
		int f = c->first_face + before, g = c->first_face + after;
		int p = cells->faces[f].plane, q = cells->faces[g].plane, r = third_plane(cells, f, g);
		if (r >= 0 && r < rbl_maxi(p, q)) {
			if (p > q)
				p = r;
			else
				q = r;
		}
		rbl_planed a = cells->planes[rbl_mini(p, q)], b = cells->planes[rbl_maxi(p, q)];
		rbl_vec3d ab = rbl_cross_d(a.normal, b.normal);
		double det = rbl_dot_d(n0, ab);
		if (det == 0.0)
			continue;
		rbl_vec3d sum = rbl_scale_d(d0, ab);
		sum = rbl_add_scaled_d(sum, a.offset, rbl_cross_d(b.normal, n0));
		sum = rbl_add_scaled_d(sum, b.offset, rbl_cross_d(n0, a.normal));
		rbl_vec3d x = rbl_scale_d(1.0 / det, sum), y = polygon[i].position;
		double off = rbl_maxd(fabs(x.x - y.x), rbl_maxd(fabs(x.y - y.y), fabs(x.z - y.z)));
		if (off <= c->s->snap_tolerance)
			polygon[i].position = x;
	}
}

// Decide the signs again where a corner is on a plane. @return false when nothing is left
static bool break_ties(const clipper *c, rbl_cell_cut_worker *w)
{
	const rbl_cell_cut *s = c->s;
	int face_count = s->cells->cell_faces[c->cell + 1] - c->first_face;
	for (int f = 0; f < face_count; ++f) {
		unsigned mask = 0;
		for (unsigned k = 0; k < 3; ++k)
			mask |=
				(unsigned)rbl_vertex_is_beyond(s, c->vertices[k], c->first_face + f, c->rows[k][f])
				<< k;
		if (mask == 7)
			return false;
		w->masks[f] = (unsigned char)mask;
	}
	return true;
}

// Clip a triangle to a cell. @return the number of corners in *polygon, zero when nothing is left
static int clip(const rbl_cell_cut *s, rbl_cell_cut_worker *w, int triangle, int cell,
                rbl_clip_corner **polygon)
{
	int first = s->cells->cell_faces[cell], face_count = s->cells->cell_faces[cell + 1] - first;
	clipper c = { .s = s, .triangle = triangle, .cell = cell, .first_face = first };
	int stride = s->max_faces + 4;
	for (int k = 0; k < 3; ++k) {
		c.vertices[k] = s->solid->triangle_vertices[3 * triangle + k];
		c.points[k] = s->solid->positions[c.vertices[k]];
		c.rows[k] = w->distances + k * stride;
	}
	rbl_clip_planes planes = { s->nx + first, s->ny + first, s->nz + first, s->nd + first,
		                       face_count };
	int flags = RBL_PICK(rbl_clip_signs)(&planes, c.points, s->tie_tolerance, w->distances, stride,
	                                     w->masks);
	if ((flags & RBL_CLIP_NOTHING_LEFT) || ((flags & RBL_CLIP_TIES) && !break_ties(&c, w)))
		return 0;
	rbl_clip_corner *from = w->polygons[0], *to = w->polygons[1];
	for (int k = 0; k < 3; ++k)
		from[k] = (rbl_clip_corner){ c.points[k], k };
	int n = 3;
	for (int first_of_eight = 0; first_of_eight < face_count; first_of_eight += 8) {
		uint64_t masks; // most faces have all of the triangle behind them: look at eight at once
		memcpy(&masks, w->masks + first_of_eight, sizeof masks);
		for (; masks != 0;) {
			int shift = rbl_lowest_one(masks) & ~7, f = first_of_eight + shift / 8;
			masks &= ~((uint64_t)0xff << shift);
			RBL_ASSERT(2 * n <= s->polygon_capacity);
			if (f >= face_count || 2 * n > s->polygon_capacity) // it gains one corner per plane
				break;
			bool is_cut;
			n = cut_polygon(&c, f, w->masks[f], from, n, to, w->signs, &is_cut);
			if (n == 0)
				return 0;
			if (is_cut) {
				rbl_clip_corner *swap = from;
				from = to, to = swap;
			}
		}
	}
	snap_face_points(&c, from, n);
	*polygon = from;
	return n;
}

static void clip_block(void *context, int begin, int end, int worker)
{
	rbl_cell_cut *s = context;
	rbl_cell_cut_worker *w = &s->workers[worker];
	for (int i = begin; i < end; ++i) {
		rbl_clipped_triangle *part = &s->parts.data[s->first + i];
		rbl_clip_corner *polygon = NULL;
		int n = clip(s, w, part->triangle, part->cell, &polygon);
		if (!rbl_array_extend(s->allocator, &w->corners, n)) {
			w->out_of_memory = true;
			return;
		}
		part->worker = worker;
		part->first_corner = w->corners.count;
		part->corner_count = n;
		if (n > 0)
			memcpy(w->corners.data + w->corners.count, polygon, (size_t)n * sizeof *polygon);
		w->corners.count += n;
	}
}

static bool grow_seen(rbl_cell_cut *s)
{
	int capacity = s->seen_capacity > 0 ? 2 * s->seen_capacity : 512;
	uint64_t *table = RBL_NEW_ZERO(s->allocator, uint64_t, capacity);
	if (!table)
		return false;
	for (int i = 0; i < s->seen_capacity; ++i) {
		if (s->seen[i] == 0)
			continue;
		uint64_t slot = rbl_hash_mix(s->seen[i]) & (uint64_t)(capacity - 1);
		while (table[slot] != 0)
			slot = (slot + 1) & (uint64_t)(capacity - 1);
		table[slot] = s->seen[i];
	}
	RBL_FREE(s->allocator, s->seen, s->seen_capacity);
	s->seen = table;
	s->seen_capacity = capacity;
	return true;
}

// Whether a triangle lies beyond one face of a cell altogether.
static bool misses(const rbl_cell_cut *s, int triangle, int cell)
{
	const int *v = s->solid->triangle_vertices + 3 * triangle;
	for (int f = s->cells->cell_faces[cell]; f < s->cells->cell_faces[cell + 1]; ++f) {
		bool is_beyond = true;
		for (int k = 0; k < 3 && is_beyond; ++k)
			is_beyond = rbl_face_distance(s, f, s->solid->positions[v[k]]) > s->short_edge;
		if (is_beyond)
			return true;
	}
	return false;
}

// Whether a triangle may meet a wanted cell. Whatever leads to a part in one does itself.
static bool is_near_wanted(const rbl_cell_cut *s, int triangle)
{
	for (int c = 0; c < s->cells->cell_count; ++c)
		if (s->wanted[c] && !misses(s, triangle, c))
			return true;
	return false;
}

// Queue a triangle for a cell unless it was already. @return false when memory ran out, or there
// are too many
static bool queue(rbl_cell_cut *s, int triangle, int cell)
{
	if (s->wanted && !is_near_wanted(s, triangle))
		return true;
	if (2 * s->seen_count >= s->seen_capacity && !grow_seen(s))
		return false;
	uint64_t key = (uint64_t)triangle * (uint64_t)s->cells->cell_count + (uint64_t)cell + 1;
	uint64_t slot = rbl_hash_mix(key) & (uint64_t)(s->seen_capacity - 1);
	while (s->seen[slot] != 0) {
		if (s->seen[slot] == key)
			return true;
		slot = (slot + 1) & (uint64_t)(s->seen_capacity - 1);
	}
	s->is_limited = s->parts.count >= s->part_limit;
	if (s->is_limited)
		return false;
	s->seen[slot] = key;
	s->seen_count++;
	return rbl_array_push(s->allocator, &s->parts,
	                      ((rbl_clipped_triangle){ triangle, cell, 0, 0, 0 }));
}

// Whether the cell has a vertex of the triangle: then it was queued at the start, or lies whole in
// the cell.
static bool has_vertex_in(const rbl_cell_cut *s, int triangle, int cell)
{
	const int *v = s->solid->triangle_vertices + 3 * triangle;
	return s->cell_of[v[0]] == cell || s->cell_of[v[1]] == cell || s->cell_of[v[2]] == cell;
}

static bool queue_further(rbl_cell_cut *s, int triangle, int cell)
{
	return has_vertex_in(s, triangle, cell) || queue(s, triangle, cell);
}

bool rbl_cell_cut_clip_begin(rbl_cell_cut *s)
{
	for (int t = 0; t < s->solid->triangle_count; ++t) {
		if (s->uncut_cell_of[t] >= 0 || s->solid->triangle_groups[t] < 0)
			continue;
		const int *v = s->solid->triangle_vertices + 3 * t;
		bool has_cell = false;
		for (int k = 0; k < 3; ++k) {
			int cell = s->cell_of[v[k]];
			has_cell |= cell >= 0;
			if (cell >= 0 && !queue(s, t, cell))
				return false;
		}
		// No vertex has a cell: a walk went in circles. Ask every cell; this is rare.
		for (int c = 0; c < s->cells->cell_count && !has_cell; ++c) {
			if (!queue(s, t, c))
				return false;
		}
	}
	for (int i = 0; i < s->worker_count;
	     ++i) { // about what will be needed, so that little is copied
		if (!rbl_array_reserve(s->allocator, &s->workers[i].corners,
		                       6 * s->parts.count / s->worker_count + 64))
			return false;
	}
	return rbl_array_extend(s->allocator, &s->parts, s->parts.count / 2);
}

// In a cell with faces that are nearly nothing a part may run along one of those, although the
// cell beyond is another's. There all faces near a corner count.
static bool queue_near(rbl_cell_cut *s, const rbl_clipped_triangle *part,
                       const rbl_clip_corner *corners)
{
	for (int f = s->cells->cell_faces[part->cell]; f < s->cells->cell_faces[part->cell + 1]; ++f) {
		int beyond = s->cells->faces[f].neighbour;
		bool is_near = false;
		for (int k = 0; k < part->corner_count && beyond >= 0 && !is_near; ++k)
			is_near = fabs(rbl_face_distance(s, f, corners[k].position)) <= s->short_edge;
		if (is_near && !queue_further(s, part->triangle, beyond))
			return false;
	}
	return true;
}

// What the parts of a round bring in.
static bool queue_neighbours(rbl_cell_cut *s, int begin, int end)
{
	for (int i = begin; i < end; ++i) {
		rbl_clipped_triangle part = s->parts.data[i];
		const rbl_clip_corner *corners = s->workers[part.worker].corners.data + part.first_corner;
		int first_face = s->cells->cell_faces[part.cell];
		if (part.corner_count > 0 && s->is_degenerate[part.cell] && !queue_near(s, &part, corners))
			return false;
		for (int k = 0; k < part.corner_count; ++k) {
			int label = corners[k].label;
			bool done;
			if (label < 3) {
				done = queue_further(s, s->solid->twins[3 * part.triangle + label] / 3, part.cell);
			} else {
				int beyond = s->cells->faces[first_face + label - 3].neighbour;
				done = beyond < 0 || queue_further(s, part.triangle, beyond);
			}
			if (!done)
				return false;
		}
	}
	return true;
}

int rbl_cell_cut_clip(rbl_cell_cut *s, int first, int *budget)
{
	// What a part brings in goes to the end of the list, in the order of the parts, however many of
	// them are done at once.
	int n = rbl_mini(*budget, s->parts.count - first);
	*budget -= n;
	s->first = first;
	rbl_parallel_for(s->jobs, n, BLOCK, clip_block, s);
	for (int i = 0; i < s->worker_count; ++i) {
		if (s->workers[i].out_of_memory)
			return -1;
	}
	return queue_neighbours(s, first, first + n) ? first + n : -1;
}

// The triangles from t on that are whole in one cell and belong to one flat face, which has no
// others: then it stays as it is. @return their number, 1 when they are not all of it
static int whole_run(const rbl_cell_cut *s, const int *face_starts, int t, bool *is_uncut)
{
	const rbl_solid *solid = s->solid;
	int face = solid->triangle_faces[t], count = face_starts[face + 1] - face_starts[face] - 2;
	*is_uncut = count == 1;
	if (count == 1 || !solid->is_mergeable[face] || t + count > solid->triangle_count ||
	    (t > 0 && solid->triangle_faces[t - 1] == face))
		return 1;
	for (int i = 1; i < count; ++i) {
		if (s->uncut_cell_of[t + i] != s->uncut_cell_of[t] ||
		    solid->triangle_faces[t + i] != face ||
		    solid->triangle_groups[t + i] != solid->triangle_groups[t])
			return 1;
	}
	*is_uncut = true;
	return count;
}

bool rbl_cell_cut_list_by_cell(rbl_cell_cut *s)
{
	int cells = s->cells->cell_count, triangles = s->solid->triangle_count;
	const int *face_starts = s->solid->face_starts;
	s->uncut_starts = RBL_NEW_ZERO(s->allocator, int, cells + 2);
	s->part_starts = RBL_NEW_ZERO(s->allocator, int, cells + 2);
	s->uncut_triangles = RBL_NEW(s->allocator, int, triangles + 1);
	s->part_lists = RBL_NEW(s->allocator, int, s->parts.count + 1);
	if (!s->uncut_starts || !s->part_starts || !s->uncut_triangles || !s->part_lists)
		return false;
	// Counted two places up, so that filling leaves the starts in place.
	for (int pass = 0; pass < 2; ++pass) {
		for (int t = 0, run; t < triangles; t += run) {
			bool is_uncut;
			run = 1;
			if (s->uncut_cell_of[t] < 0 || s->solid->triangle_groups[t] < 0)
				continue;
			run = whole_run(s, face_starts, t, &is_uncut);
			if (pass == 0)
				s->uncut_starts[s->uncut_cell_of[t] + 2]++;
			else
				s->uncut_triangles[s->uncut_starts[s->uncut_cell_of[t] + 1]++] = is_uncut ? ~t : t;
		}
		for (int c = 0; c < cells && pass == 0; ++c)
			s->uncut_starts[c + 2] += s->uncut_starts[c + 1];
	}
	for (int i = 0; i < s->parts.count; ++i)
		s->part_starts[s->parts.data[i].cell + 2] += s->parts.data[i].corner_count > 0;
	for (int c = 0; c < cells; ++c)
		s->part_starts[c + 2] += s->part_starts[c + 1];
	for (int i = 0; i < s->parts.count; ++i) {
		if (s->parts.data[i].corner_count > 0)
			s->part_lists[s->part_starts[s->parts.data[i].cell + 1]++] = i;
	}
	return true;
}
