// SPDX-License-Identifier: MIT
//
// Roughness of cut faces.
//
// The two sides of a crack must match, so everything here is a function of the plane and of the
// boundary of the face, computed in the plane's own frame whichever side it is for: loops run the
// plane's way and begin at their lowest point; points come from a lattice in the plane, each
// displaced by a hash of plane and position. Both sides get the same triangles, flipped on one of
// them: what one piece gains the other loses.
//
// Corners stay where they are, so pieces stay closed. Heights fade out towards the boundary, by at
// most half of the distance from it, so that faces that meet there do not cross.

#include "fracture/roughness.h"

#include "base/hash.h"
#include "base/vec.h"
#include "geometry/geometry.h"

enum { MAX_POINTS = 4096 };

// The least step, as a share of the solid's size: below, rounding tells the two sides of a crack
// apart.
static const double min_step = 1e-6;

// Points nearer to the border than this share of the lattice's step are left out.
static const double rim = 0.35;

typedef struct frame {
	rbl_vec3d u, v, n;
	double offset;
	rbl_vec3d origin; // of the solid
	bool is_flipped;  // the face looks the other way
	uint64_t seed;
	double step;
} frame;

// A face in the plane.
typedef struct outline {
	int count, loop_count;
	rbl_point2 *points;
	int *starts;
	int *corners; // of the face, by point
	int *ids;     // of the vertices
	rbl_point2 lower, upper;
} outline;

static bool is_before(rbl_point2 a, rbl_point2 b)
{
	return a.x < b.x || (a.x == b.x && a.y < b.y);
}

// Corners of the two sides may differ by rounding; steps of a billionth make them one.
static double snap(double value, double step)
{
	double unit = step * 0x1p-30;
	return floor(value / unit + 0.5) * unit;
}

static rbl_point2 flatten(const frame *f, rbl_vec3d p)
{
	rbl_vec3d q = rbl_add_d(p, f->origin);
	return (rbl_point2){ snap(rbl_dot_d(q, f->u), f->step), snap(rbl_dot_d(q, f->v), f->step) };
}

static rbl_vec3d lift(const frame *f, rbl_point2 p, double height)
{
	rbl_vec3d q = rbl_scale_d(p.x - rbl_dot_d(f->origin, f->u), f->u);
	q = rbl_add_scaled_d(q, p.y - rbl_dot_d(f->origin, f->v), f->v);
	return rbl_add_scaled_d(q, f->offset + height, f->n);
}

static frame make_frame(const rbl_pieces *pieces, const rbl_face_view *face)
{
	const rbl_cells *cells = &pieces->cells;
	const rbl_inner_look *look = &pieces->def.inner;
	const rbl_cell_face *side = &cells->faces[~face->source];
	rbl_planed plane = cells->planes[side->plane];
	frame f = { .n = plane.normal, .offset = plane.offset, .origin = pieces->solid->origin };
	f.u = rbl_perpendicular_d(f.n), f.v = rbl_cross_d(f.n, f.u);
	f.is_flipped = side->sign < 0;
	f.seed = rbl_hash_number(rbl_hash_mix(look->uv_seed + 1),
	                         (uint64_t)rbl_cell_plane_number(cells, side->plane));
	f.step = look->rough_step > 0.0 ? look->rough_step : 2.0 * look->roughness;
	f.step = rbl_maxd(f.step, min_step * pieces->solid->size);
	return f;
}

static int loop_size(const rbl_face_view *face, int loop)
{
	return face->loop_count > 1 ? face->loop_sizes[loop] : face->corner_count;
}

static void find_bounds(const frame *f, const rbl_vec3d *vertices, const rbl_face_view *face,
                        rbl_point2 *lower, rbl_point2 *upper)
{
	*lower = (rbl_point2){ DBL_MAX, DBL_MAX }, *upper = (rbl_point2){ -DBL_MAX, -DBL_MAX };
	for (int k = 0; k < face->corner_count; ++k) {
		rbl_point2 p = flatten(f, vertices[face->corners[k]]);
		lower->x = rbl_mind(lower->x, p.x), lower->y = rbl_mind(lower->y, p.y);
		upper->x = rbl_maxd(upper->x, p.x), upper->y = rbl_maxd(upper->y, p.y);
	}
}

// A step that does not give too many points. @return the number of places of the lattice
static int choose_step(frame *f, rbl_point2 lower, rbl_point2 upper)
{
	double width = upper.x - lower.x, height = upper.y - lower.y, count = 0.0;
	for (int i = 0; i < 64; ++i) { // from least_step on, twenty are enough
		count = (floor(width / f->step) + 2.0) * (floor(height / f->step) + 2.0);
		if (count <= MAX_POINTS)
			break;
		f->step *= 2.0;
	}
	return count <= MAX_POINTS ? (int)count : 0;
}

int rbl_rough_capacity(const rbl_pieces *pieces, const rbl_vec3d *vertices,
                       const rbl_face_view *face)
{
	frame f = make_frame(pieces, face);
	rbl_point2 lower, upper;
	find_bounds(&f, vertices, face, &lower, &upper);
	return rbl_triangulate_capacity(face->corner_count, face->loop_count) +
	       2 * choose_step(&f, lower, upper);
}

// --- the outline --------------------------------------------------------------------------------

// The loops in the plane's own order: the way the plane turns, each from its lowest point on, loops
// by their lowest points.
static bool make_outline(rbl_arena *scratch, const frame *f, const rbl_vec3d *vertices,
                         const rbl_face_view *face, outline *out)
{
	int n = face->corner_count, loops = face->loop_count;
	out->count = n;
	out->loop_count = loops;
	out->points = RBL_ARENA_NEW(scratch, rbl_point2, n);
	out->starts = RBL_ARENA_NEW(scratch, int, loops + 1);
	out->corners = RBL_ARENA_NEW(scratch, int, n);
	out->ids = RBL_ARENA_NEW(scratch, int, n);
	rbl_point2 *flat = RBL_ARENA_NEW(scratch, rbl_point2, n);
	int *order = RBL_ARENA_NEW(scratch, int, 3 * loops);
	if (!out->points || !out->starts || !out->corners || !out->ids || !flat || !order)
		return false;
	int *firsts = order + loops, *lowest = order + 2 * loops;
	for (int k = 0; k < n; ++k)
		flat[k] = flatten(f, vertices[face->corners[k]]);
	for (int i = 0, at = 0; i < loops; ++i) {
		int size = loop_size(face, i);
		firsts[i] = at;
		lowest[i] = at;
		for (int k = at; k < at + size; ++k)
			lowest[i] = is_before(flat[k], flat[lowest[i]]) ? k : lowest[i];
		at += size;
		int place = i;
		for (; place > 0 && is_before(flat[lowest[i]], flat[lowest[order[place - 1]]]); --place)
			order[place] = order[place - 1];
		order[place] = i;
	}
	int to = 0;
	for (int i = 0; i < loops; ++i) {
		int loop = order[i], first = firsts[loop], size = loop_size(face, loop);
		out->starts[i] = to;
		for (int k = 0; k < size; ++k, ++to) {
			int from = lowest[loop] - first + (f->is_flipped ? size - k : k);
			from = first + from % size;
			out->points[to] = flat[from];
			out->corners[to] = from;
			out->ids[to] = face->corners[from];
		}
	}
	out->starts[loops] = to;
	return true;
}

static bool is_inside(const outline *o, rbl_point2 p)
{
	bool inside = false;
	for (int i = 0; i < o->loop_count; ++i) {
		for (int k = o->starts[i], j = o->starts[i + 1] - 1; k < o->starts[i + 1]; j = k++) {
			rbl_point2 a = o->points[k], b = o->points[j];
			if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * ((p.y - a.y) / (b.y - a.y)))
				inside = !inside;
		}
	}
	return inside;
}

static double border_distance(const outline *o, rbl_point2 p)
{
	double min = DBL_MAX;
	for (int i = 0; i < o->loop_count; ++i) {
		for (int k = o->starts[i], j = o->starts[i + 1] - 1; k < o->starts[i + 1]; j = k++) {
			// The lower end first, so that both directions give the same bits.
			bool swapped = is_before(o->points[j], o->points[k]);
			rbl_point2 a = o->points[swapped ? j : k], b = o->points[swapped ? k : j];
			double x = b.x - a.x, y = b.y - a.y, px = p.x - a.x, py = p.y - a.y;
			double squared = x * x + y * y;
			double t = squared > 0.0 ? rbl_clampd((px * x + py * y) / squared, 0.0, 1.0) : 0.0;
			px -= t * x, py -= t * y;
			min = rbl_mind(min, px * px + py * py);
		}
	}
	return sqrt(min);
}

// --- points -------------------------------------------------------------------------------------

// A number from -1 to 1 for a place of a lattice.
static double chance(uint64_t seed, double i, double j)
{
	uint64_t hash = rbl_hash_number(seed, (uint64_t)(int64_t)i);
	hash = rbl_hash_mix(rbl_hash_number(hash, (uint64_t)(int64_t)j));
	return (double)(hash >> 11) * 0x1p-52 - 1.0;
}

// Chance at the places of a lattice four times as wide, and straight lines between them.
static double swell(uint64_t seed, double x, double y)
{
	x *= 0.25, y *= 0.25;
	double i = floor(x), j = floor(y), s = x - i, t = y - j;
	double low = (1.0 - s) * chance(seed, i, j) + s * chance(seed, i + 1.0, j);
	double high = (1.0 - s) * chance(seed, i, j + 1.0) + s * chance(seed, i + 1.0, j + 1.0);
	return (1.0 - t) * low + t * high;
}

// The points of the lattice in the outline. @return their number
static int place_points(const frame *f, double amplitude, const outline *o, rbl_point2 *points,
                        double *heights, int capacity)
{
	int count = 0;
	double last_i = floor(o->upper.x / f->step), last_j = floor(o->upper.y / f->step);
	for (double j = floor(o->lower.y / f->step); j <= last_j; j += 1.0) {
		for (double i = floor(o->lower.x / f->step); i <= last_i && count < capacity; i += 1.0) {
			rbl_point2 p = { (i + 0.5 + 0.3 * chance(f->seed + 1, i, j)) * f->step,
				             (j + 0.5 + 0.3 * chance(f->seed + 2, i, j)) * f->step };
			if (!is_inside(o, p))
				continue;
			double distance = border_distance(o, p);
			if (distance < rim * f->step)
				continue;
			double max = amplitude * rbl_mind(1.0, distance / (2.0 * f->step));
			double height = 0.6 * swell(f->seed + 3, i, j) + 0.4 * chance(f->seed + 4, i, j);
			points[count] = p;
			heights[count++] = height * rbl_mind(max, 0.5 * distance);
		}
	}
	return count;
}

// --- triangles ----------------------------------------------------------------------------------

static double orientation(rbl_point2 a, rbl_point2 b, rbl_point2 c)
{
	return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Put point v into the triangle that it lies in, the newest first: neighbours come one after the
// other. @return false when it lies in none, or on an edge
static bool insert_point(const rbl_point2 *points, int *triangles, int *count, int v)
{
	for (int t = *count - 1; t >= 0; --t) {
		int *corners = triangles + 3 * t, a = corners[0], b = corners[1], c = corners[2];
		if (!(orientation(points[a], points[b], points[v]) > 0.0) ||
		    !(orientation(points[b], points[c], points[v]) > 0.0) ||
		    !(orientation(points[c], points[a], points[v]) > 0.0))
			continue;
		corners[2] = v;
		int *more = triangles + 3 * *count;
		more[0] = b, more[1] = c, more[2] = v;
		more[3] = c, more[4] = a, more[5] = v;
		*count += 2;
		return true;
	}
	return false;
}

static void set_normals(const frame *f, const rbl_vec3d *vertices, const rbl_face_view *face,
                        rbl_rough_face *rough, rbl_vec3d *sums)
{
	int n = face->corner_count, total = n + rough->point_count;
	for (int i = 0; i < total; ++i)
		sums[i] = (rbl_vec3d){ 0.0, 0.0, 0.0 };
	for (int t = 0; t < rough->triangle_count; ++t) {
		const int *v = rough->triangles + 3 * t;
		rbl_vec3d p[3];
		for (int k = 0; k < 3; ++k)
			p[k] = v[k] < n ? vertices[face->corners[v[k]]] : rough->points[v[k] - n];
		rbl_vec3d normal = rbl_cross_d(rbl_sub_d(p[1], p[0]), rbl_sub_d(p[2], p[0]));
		for (int k = 0; k < 3; ++k)
			sums[v[k]] = rbl_add_d(sums[v[k]], normal);
	}
	rbl_vec3d flat = f->is_flipped ? rbl_neg_d(f->n) : f->n;
	for (int i = 0; i < total; ++i) {
		rbl_vec3d normal = rbl_normalize_d(sums[i]);
		rough->normals[i] = rbl_to_f(rbl_length_squared_d(normal) > 0.5 ? normal : flat);
	}
}

// Triangles over the outline and as many points as find a place; those move to the front.
static rbl_result triangulate_outline(rbl_arena *scratch, const outline *o, rbl_point2 *points,
                                      double *heights, int *point_count, int *triangles,
                                      int *triangle_count)
{
	rbl_polygon polygon = { points, o->starts, o->loop_count, o->ids, true };
	rbl_triangulation made;
	rbl_result result = rbl_triangulate(scratch, &polygon, triangles, &made);
	if (result != RBL_OK)
		return result;
	int count = made.triangle_count, kept = 0;
	for (int i = 0; i < *point_count && made.inverted_count == 0; ++i) {
		points[o->count + kept] = points[o->count + i];
		heights[kept] = heights[i];
		kept += insert_point(points, triangles, &count, o->count + kept);
	}
	*point_count = kept;
	*triangle_count = count;
	int *next = RBL_ARENA_NEW(scratch, int, o->count + kept + 1);
	if (!next)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < o->count + kept; ++i)
		next[i] = i < o->count ? i + 1 : -1;
	for (int i = 0; i < o->loop_count; ++i)
		next[o->starts[i + 1] - 1] = o->starts[i];
	return kept > 0 ? rbl_triangulate_delaunay(scratch, points, next, triangles, count) : RBL_OK;
}

rbl_result rbl_roughen_face(rbl_arena *scratch, const rbl_pieces *pieces, const rbl_vec3d *vertices,
                            const rbl_face_view *face, rbl_rough_face *rough)
{
	frame f = make_frame(pieces, face);
	outline o;
	if (!make_outline(scratch, &f, vertices, face, &o))
		return RBL_OUT_OF_MEMORY;
	find_bounds(&f, vertices, face, &o.lower, &o.upper);
	int n = o.count, places = choose_step(&f, o.lower, o.upper), count = 0;
	int capacity = rbl_triangulate_capacity(n, o.loop_count) + 2 * places;
	rbl_point2 *points = RBL_ARENA_NEW(scratch, rbl_point2, n + places + 1);
	double *heights = RBL_ARENA_NEW(scratch, double, places + 1);
	*rough = (rbl_rough_face){ .triangles = RBL_ARENA_NEW(scratch, int, 3 * capacity) };
	rough->points = RBL_ARENA_NEW(scratch, rbl_vec3d, places + 1);
	rough->normals = RBL_ARENA_NEW(scratch, rbl_vec3, n + places + 1);
	rbl_vec3d *sums = RBL_ARENA_NEW(scratch, rbl_vec3d, n + places + 1);
	if (!points || !heights || !rough->triangles || !rough->points || !rough->normals || !sums)
		return RBL_OUT_OF_MEMORY;
	memcpy(points, o.points, (size_t)n * sizeof *points);
	count = place_points(&f, pieces->def.inner.roughness, &o, points + n, heights, places);
	rbl_result result = triangulate_outline(scratch, &o, points, heights, &count, rough->triangles,
	                                        &rough->triangle_count);
	if (result != RBL_OK)
		return result;
	rough->point_count = count;
	for (int i = 0; i < count; ++i)
		rough->points[i] = lift(&f, points[n + i], heights[i]);
	for (int t = 0; t < rough->triangle_count; ++t) {
		int *corners = rough->triangles + 3 * t;
		for (int k = 0; k < 3; ++k)
			corners[k] = corners[k] < n ? o.corners[corners[k]] : corners[k];
		if (f.is_flipped) {
			int swap = corners[1];
			corners[1] = corners[2], corners[2] = swap;
		}
	}
	set_normals(&f, vertices, face, rough, sums);
	return RBL_OK;
}
