// SPDX-License-Identifier: MIT
//
// Isosurface stuffing (Labelle and Shewchuk 2007, "Isosurface stuffing: fast tetrahedral meshes
// with good dihedral angles"), on a uniform lattice and for a surface of triangles.
//
// The lattice has black points at the corners of cubes and red points at their centres. Each
// pair of red neighbours and each edge of the square of black points between them make a
// tetrahedron: two long edges (red-red and black-black, one step) and four short ones (red-black,
// 0.87 steps). Then
//
//   1. each point is inside (1), outside (-1) or on the surface (0);
//   2. an edge from inside to outside is cut where it meets the surface;
//   3. a point that is too near to a cut on one of its edges moves onto it and becomes 0, and
//      the other cuts on its edges are forgotten;
//   4. each tetrahedron with an inside point is kept, cut to its inner part by one of a few
//      stencils.
//
// Step 3 keeps cuts away from the ends of edges, so no stencil gets thin: that is where the bound
// on the angles comes from, and it does not depend on the surface.
//
// Departures. Signs come from exact winding numbers along lattice rows instead of a function:
// rows are displaced by a symbolic epsilon, so that a row through an edge or a corner of the
// surface crosses exactly one triangle there. Cuts come from the triangles. Where both cut edges
// of a face are short, the shorter diagonal divides it.

#include "geometry/isosurface_stuffing.h"

#include "geometry/predicates.h"

#include "base/vec.h"

/// How near to its end a cut may be, as a part of the edge: the values of the paper.
#define NEAR_LONG 0.24999
#define NEAR_SHORT 0.41189

/// Where one cut edge of a face is long and one short, whether the diagonal starts at the inside
/// end of the long one. Over 17 million tetrahedra in noisy spheres the smallest angle is 7.6
/// degrees when it does, 10.7 when it does not; the largest is 157 either way.
#define DIAGONAL_FROM_LONG false

enum { MAX_POINTS = 1 << 26, EDGES = 11 };

typedef struct cut {
	rbl_vec3d position;
	double part; // of the edge, from the owner
	int vertex;  // its number in the result, -1 before it is used
} cut;

/// A lattice point with cut edges, or moved. Edges 0 to 2 go to the next point of the same color
/// along an axis; black points also own edges 3 to 10, to the red points round them.
typedef struct near_point {
	int cuts[EDGES]; // -1 none
	rbl_vec3d position;
} near_point;

typedef struct lattice {
	const rbl_allocator *allocator;
	const rbl_triangle_grid *grid;
	rbl_isosurface_stuffing *result;
	rbl_vec3d origin;
	double step;
	int size[3];     // points of each color along each axis
	int point_count; // of both colors: black ones first
	signed char *signs;
	int *near;     // by point: a near_point, -1 none; before that, changes of the winding number
	int *vertices; // by point: its number in the result, -1 none
	RBL_ARRAY(near_point) near_points;
	RBL_ARRAY(cut) cuts;
} lattice;

/// A lattice point: red ones lie half a step farther on all axes.
typedef struct point {
	int color, at[3]; // 0 black, 1 red
} point;

static int index_of(const lattice *l, point p)
{
	return ((p.color * l->size[2] + p.at[2]) * l->size[1] + p.at[1]) * l->size[0] + p.at[0];
}

static double coordinate(const lattice *l, int axis, int color, int i)
{
	return rbl_axis_d(l->origin, axis) + l->step * (i + 0.5 * color);
}

static rbl_vec3d rest_position(const lattice *l, point p)
{
	return (rbl_vec3d){ coordinate(l, 0, p.color, p.at[0]), coordinate(l, 1, p.color, p.at[1]),
		                coordinate(l, 2, p.color, p.at[2]) };
}

// --- 1. signs -----------------------------------------------------------------------------------

/// Rows of lattice points along an axis: the other two axes follow it in cyclic order.
typedef struct row {
	int axis, color, at[2]; // at[0] along axis + 1, at[1] along axis + 2
	double u, v;            // the coordinates along these
} row;

static point row_point(const row *r, int i)
{
	point p = { r->color, { 0, 0, 0 } };
	p.at[r->axis] = i;
	p.at[(r->axis + 1) % 3] = r->at[0];
	p.at[(r->axis + 2) % 3] = r->at[1];
	return p;
}

/// The side of the row's point against an edge of a projected triangle. Zero is replaced by the
/// sign for a row displaced by (e, e^2), unless `closed`.
static int row_side(const row *r, rbl_vec3d a, rbl_vec3d b, bool closed)
{
	int m = (r->axis + 1) % 3, n = (r->axis + 2) % 3;
	double au = rbl_axis_d(a, m), av = rbl_axis_d(a, n), bu = rbl_axis_d(b, m);
	double bv = rbl_axis_d(b, n);
	int sign = rbl_orient2d(au, av, bu, bv, r->u, r->v);
	if (sign || closed)
		return sign;
	return av != bv ? (av > bv ? 1 : -1) : bu > au ? 1 : bu < au ? -1 : 0;
}

static bool row_meets(const row *r, const rbl_vec3d t[3], int orientation, bool closed)
{
	for (int i = 0; i < 3; ++i) {
		int side = row_side(r, t[i], t[(i + 1) % 3], closed);
		if (side != orientation && !(closed && side == 0))
			return false;
	}
	return true;
}

/// Lattice indices whose coordinate may lie in [low, high].
static void index_range(const lattice *l, int axis, int color, double low, double high,
                        int range[2])
{
	double base = rbl_axis_d(l->origin, axis) + 0.5 * color * l->step;
	double first = floor((low - base) / l->step) - 1.0, last = ceil((high - base) / l->step) + 1.0;
	range[0] = (int)rbl_clampd(first, 0.0, l->size[axis] - 1.0);
	range[1] = (int)rbl_clampd(last, 0.0, l->size[axis] - 1.0);
}

/// About where the row meets the plane of a triangle, as a lattice index.
static int estimate_crossing(const lattice *l, const row *r, const rbl_vec3d t[3])
{
	rbl_vec3d n = rbl_cross_d(rbl_sub_d(t[1], t[0]), rbl_sub_d(t[2], t[0]));
	double du = r->u - rbl_axis_d(t[0], (r->axis + 1) % 3);
	double dv = r->v - rbl_axis_d(t[0], (r->axis + 2) % 3);
	double slope = rbl_axis_d(n, r->axis);
	double x = rbl_axis_d(t[0], r->axis);
	if (slope != 0.0)
		x -=
			(rbl_axis_d(n, (r->axis + 1) % 3) * du + rbl_axis_d(n, (r->axis + 2) % 3) * dv) / slope;
	double i = ceil((x - coordinate(l, r->axis, r->color, 0)) / l->step);
	return (int)rbl_clampd(i, 0.0, l->size[r->axis]);
}

/// Note that the winding number changes where a row along x crosses a triangle.
static void note_crossing(lattice *l, const row *r, const rbl_vec3d t[3], int orientation)
{
	// The first point beyond the plane: the estimate, moved until exact signs agree.
	int i = estimate_crossing(l, r, t);
	while (i > 0 &&
	       rbl_orient3d(t[0], t[1], t[2], rest_position(l, row_point(r, i - 1))) == orientation)
		i--;
	while (i < l->size[0] &&
	       rbl_orient3d(t[0], t[1], t[2], rest_position(l, row_point(r, i))) != orientation)
		i++;
	if (i < l->size[0])
		l->near[index_of(l, row_point(r, i))] -= orientation;
}

/// Note points of a row that lie exactly on a triangle.
static void note_touch(lattice *l, const row *r, const rbl_vec3d t[3])
{
	int i = estimate_crossing(l, r, t);
	for (int k = rbl_maxi(i - 1, 0); k <= i + 1 && k < l->size[r->axis]; ++k) {
		point p = row_point(r, k);
		if (rbl_orient3d(t[0], t[1], t[2], rest_position(l, p)) == 0)
			l->signs[index_of(l, p)] = 0;
	}
}

/// Visit all rows along an axis that meet a triangle.
static void visit_rows(lattice *l, int axis, const rbl_vec3d t[3], bool closed)
{
	int m = (axis + 1) % 3, n = (axis + 2) % 3;
	double u[3], v[3];
	for (int i = 0; i < 3; ++i)
		u[i] = rbl_axis_d(t[i], m), v[i] = rbl_axis_d(t[i], n);
	int orientation = rbl_orient2d(u[0], v[0], u[1], v[1], u[2], v[2]);
	if (!orientation)
		return;
	double u_low = rbl_mind(u[0], rbl_mind(u[1], u[2])),
		   u_high = rbl_maxd(u[0], rbl_maxd(u[1], u[2]));
	double v_low = rbl_mind(v[0], rbl_mind(v[1], v[2])),
		   v_high = rbl_maxd(v[0], rbl_maxd(v[1], v[2]));
	for (int color = 0; color < 2; ++color) {
		int along_u[2], along_v[2];
		index_range(l, m, color, u_low, u_high, along_u);
		index_range(l, n, color, v_low, v_high, along_v);
		for (int k = along_v[0]; k <= along_v[1]; ++k) {
			row r = { axis, color, { 0, k }, 0.0, coordinate(l, n, color, k) };
			if (r.v < v_low || r.v > v_high)
				continue;
			for (int i = along_u[0]; i <= along_u[1]; ++i) {
				r.at[0] = i;
				r.u = coordinate(l, m, color, i);
				if (r.u < u_low || r.u > u_high || !row_meets(&r, t, orientation, closed))
					continue;
				if (closed)
					note_touch(l, &r, t);
				else
					note_crossing(l, &r, t, orientation);
			}
		}
	}
}

static void find_signs(lattice *l)
{
	memset(l->near, 0, (size_t)l->point_count * sizeof *l->near);
	for (int i = 0; i < l->grid->triangle_count; ++i)
		visit_rows(l, 0, l->grid->corners + 3 * (size_t)i, false);
	for (int row_start = 0; row_start < l->point_count; row_start += l->size[0]) {
		for (int i = 0, winding = 0; i < l->size[0]; ++i) {
			winding += l->near[row_start + i];
			l->signs[row_start + i] = winding > 0 ? 1 : -1;
			l->result->overlap_count += winding > 1;
			l->result->inside_out_count += winding < 0;
		}
	}
	// Along the axis a triangle faces most, it meets the fewest rows, at the best angle.
	for (int i = 0; i < l->grid->triangle_count; ++i) {
		const rbl_vec3d *t = l->grid->corners + 3 * (size_t)i;
		rbl_vec3d normal = rbl_cross_d(rbl_sub_d(t[1], t[0]), rbl_sub_d(t[2], t[0]));
		visit_rows(l, rbl_largest_axis_d(normal), t, true);
	}
}

// --- 2. cuts ------------------------------------------------------------------------------------

/// The edges of a point, given by what is at their other ends.
enum { LINKS = 14 };

typedef struct link {
	point owner, other;
	int edge; // of the owner
	bool is_long, is_owner;
} link;

/// Edge `number` of a point, 0 to 13: six long ones, then eight short ones.
/// @return false when it leaves the lattice
static bool find_link(const lattice *l, point p, int number, link *result)
{
	point q = p;
	result->is_long = number < 6;
	if (number < 6) {
		q.at[number / 2] += number % 2 ? 1 : -1;
		result->is_owner = number % 2;
		result->edge = number / 2;
	} else {
		int bits = number - 6;
		q.color = 1 - p.color;
		for (int k = 0; k < 3; ++k)
			q.at[k] += (bits >> k & 1) - (p.color ? 0 : 1);
		result->is_owner = p.color == 0;
		// Numbered by where the red end lies, seen from the black one.
		result->edge = 3 + (p.color ? 7 - bits : bits);
	}
	for (int k = 0; k < 3; ++k)
		if (q.at[k] < 0 || q.at[k] >= l->size[k])
			return false;
	result->owner = result->is_owner ? p : q;
	result->other = result->is_owner ? q : p;
	return true;
}

/// The cut of the edge between two points of one tetrahedron.
static int cut_between(const lattice *l, point a, point b)
{
	int edge = 0;
	if (a.color == b.color) {
		for (int k = 0; k < 3; ++k)
			edge = a.at[k] != b.at[k] ? k : edge;
		if (b.at[edge] < a.at[edge])
			a = b;
	} else {
		if (a.color) {
			point swap = a;
			a = b, b = swap;
		}
		for (int k = 0; k < 3; ++k)
			edge |= (b.at[k] - a.at[k] + 1) << k;
		edge += 3;
	}
	int near = l->near[index_of(l, a)];
	return near < 0 ? -1 : l->near_points.data[near].cuts[edge];
}

static near_point *touch_near(lattice *l, point p)
{
	int *near = &l->near[index_of(l, p)];
	if (*near < 0) {
		near_point made = { .position = rest_position(l, p) };
		for (int i = 0; i < EDGES; ++i)
			made.cuts[i] = -1;
		if (!rbl_array_push(l->allocator, &l->near_points, made))
			return NULL;
		*near = l->near_points.count - 1;
	}
	return &l->near_points.data[*near];
}

/// How a segment meets a triangle, with rounding.
/// @param part  receives where, 0 to 1
/// @return the smallest barycentric coordinate of the meeting point: below 0 it misses
static double segment_part(rbl_vec3d p, rbl_vec3d q, const rbl_vec3d t[3], double *part)
{
	rbl_vec3d n = rbl_cross_d(rbl_sub_d(t[1], t[0]), rbl_sub_d(t[2], t[0]));
	double p_side = rbl_dot_d(n, rbl_sub_d(p, t[0])), q_side = rbl_dot_d(n, rbl_sub_d(q, t[0]));
	double area = rbl_dot_d(n, n);
	if ((p_side > 0.0) == (q_side > 0.0) || area == 0.0)
		return -DBL_MAX;
	*part = rbl_clampd(p_side / (p_side - q_side), 0.0, 1.0);
	rbl_vec3d hit = rbl_lerp_d(p, q, *part);
	double smallest = DBL_MAX;
	for (int i = 0; i < 3; ++i) {
		rbl_vec3d edge = rbl_sub_d(t[(i + 1) % 3], t[i]);
		smallest = rbl_mind(smallest, rbl_dot_d(n, rbl_cross_d(edge, rbl_sub_d(hit, t[i]))) / area);
	}
	return smallest;
}

/// Where an edge from inside to outside leaves the surface: nearest to the inside end. The signs
/// are exact and this is not, so when rounding finds nothing the best near miss is taken.
static double find_cut(const lattice *l, rbl_vec3d inside, rbl_vec3d outside)
{
	const rbl_triangle_grid *grid = l->grid;
	rbl_boxd box = { rbl_min_d(inside, outside), rbl_max_d(inside, outside) };
	rbl_cell_range range = rbl_triangle_grid_range(grid, box);
	double first = 2.0, best_miss = -DBL_MAX, miss_part = 0.5;
	for (int z = range.lower[2]; z <= range.upper[2]; ++z) {
		for (int y = range.lower[1]; y <= range.upper[1]; ++y) {
			int cell = rbl_triangle_grid_cell(grid, range.lower[0], y, z);
			int end = grid->starts[cell + range.upper[0] - range.lower[0] + 1];
			for (int i = grid->starts[cell]; i < end; ++i) {
				double part;
				double smallest = segment_part(inside, outside,
				                               grid->corners + 3 * (size_t)grid->items[i], &part);
				if (smallest >= -1e-9)
					first = rbl_mind(first, part);
				else if (smallest > best_miss)
					best_miss = smallest, miss_part = part;
			}
		}
	}
	return first <= 1.0 ? first : miss_part;
}

static bool add_cut(lattice *l, const link *edge, int owner_sign)
{
	rbl_vec3d a = rest_position(l, edge->owner), b = rest_position(l, edge->other);
	double part = owner_sign > 0 ? find_cut(l, a, b) : 1.0 - find_cut(l, b, a);
	cut made = { rbl_lerp_d(a, b, part), part, -1 };
	if (!touch_near(l, edge->other))
		return false;
	near_point *near = touch_near(l, edge->owner);
	if (!near || !rbl_array_push(l->allocator, &l->cuts, made))
		return false;
	near->cuts[edge->edge] = l->cuts.count - 1;
	return true;
}

static bool find_cuts(lattice *l)
{
	for (int i = 0; i < l->point_count; ++i)
		l->near[i] = -1;
	point p;
	for (p.color = 0; p.color < 2; ++p.color)
		for (p.at[2] = 0; p.at[2] < l->size[2]; ++p.at[2])
			for (p.at[1] = 0; p.at[1] < l->size[1]; ++p.at[1])
				for (p.at[0] = 0; p.at[0] < l->size[0]; ++p.at[0]) {
					int sign = l->signs[index_of(l, p)];
					if (sign <= 0) // each edge is found from its inside end
						continue;
					for (int k = 0; k < LINKS; ++k) {
						link edge;
						if (!find_link(l, p, k, &edge))
							continue;
						point other = edge.is_owner ? edge.other : edge.owner;
						if (l->signs[index_of(l, other)] < 0 &&
						    !add_cut(l, &edge, edge.is_owner ? 1 : -1))
							return false;
					}
				}
	return true;
}

// --- 3. moving ----------------------------------------------------------------------------------

/// Move a point onto the nearest cut that is too near to it, if there is one.
static void move_point(lattice *l, point p)
{
	double best = DBL_MAX;
	int best_cut = -1;
	for (int k = 0; k < LINKS; ++k) {
		link edge;
		if (!find_link(l, p, k, &edge))
			continue;
		int near = l->near[index_of(l, edge.owner)];
		int number = near < 0 ? -1 : l->near_points.data[near].cuts[edge.edge];
		if (number < 0)
			continue;
		double part = l->cuts.data[number].part;
		part = edge.is_owner ? part : 1.0 - part;
		double length = part * (edge.is_long ? 1.0 : 0.86602540378443865);
		if (part < (edge.is_long ? NEAR_LONG : NEAR_SHORT) && length < best)
			best = length, best_cut = number;
	}
	if (best_cut < 0)
		return;
	int index = index_of(l, p);
	l->signs[index] = 0;
	l->near_points.data[l->near[index]].position = l->cuts.data[best_cut].position;
	for (int k = 0; k < LINKS; ++k) {
		link edge;
		if (!find_link(l, p, k, &edge))
			continue;
		int near = l->near[index_of(l, edge.owner)];
		if (near >= 0)
			l->near_points.data[near].cuts[edge.edge] = -1;
	}
}

static void move_points(lattice *l)
{
	point p;
	for (p.color = 0; p.color < 2; ++p.color)
		for (p.at[2] = 0; p.at[2] < l->size[2]; ++p.at[2])
			for (p.at[1] = 0; p.at[1] < l->size[1]; ++p.at[1])
				for (p.at[0] = 0; p.at[0] < l->size[0]; ++p.at[0]) {
					int index = index_of(l, p);
					if (l->near[index] >= 0 && l->signs[index] != 0)
						move_point(l, p);
				}
}

// --- 4. stencils --------------------------------------------------------------------------------

/// A tetrahedron of the lattice: corners 0 and 1 red, 2 and 3 black, so edges 0-1 and 2-3 are long.
typedef struct lattice_tet {
	point points[4];
	int signs[4];
} lattice_tet;

static bool is_long_edge(int a, int b)
{
	return a / 2 == b / 2;
}

static rbl_vec3d position_of(const lattice *l, point p)
{
	int near = l->near[index_of(l, p)];
	return near >= 0 ? l->near_points.data[near].position : rest_position(l, p);
}

/// @return the vertex of the result, -1 when memory ran out
static int add_vertex(lattice *l, rbl_vec3d position)
{
	if (!rbl_array_push(l->allocator, &l->result->positions, position))
		return -1;
	return l->result->positions.count - 1;
}

static int corner_vertex(lattice *l, const lattice_tet *t, int corner)
{
	int *vertex = &l->vertices[index_of(l, t->points[corner])];
	if (*vertex < 0)
		*vertex = add_vertex(l, position_of(l, t->points[corner]));
	return *vertex;
}

static int cut_vertex(lattice *l, const lattice_tet *t, int a, int b)
{
	cut *c = &l->cuts.data[cut_between(l, t->points[a], t->points[b])];
	if (c->vertex < 0)
		c->vertex = add_vertex(l, c->position);
	return c->vertex;
}

static bool add_tet(lattice *l, int a, int b, int c, int d)
{
	const int vertices[4] = { a, b, c, d };
	int count = l->result->tets.count;
	if (a < 0 || b < 0 || c < 0 || d < 0 ||
	    !rbl_array_resize(l->allocator, &l->result->tets, count + 4))
		return false;
	memcpy(l->result->tets.data + count, vertices, sizeof vertices);
	return true;
}

/// In the face of two inside corners and an outside one, whether the diagonal of the inner part
/// starts at the first corner. The face's other tetrahedron must come to the same answer, so it
/// rests on the face alone.
static bool diagonal_starts_at(lattice *l, const lattice_tet *t, int first, int second, int outside)
{
	bool first_is_long = is_long_edge(first, outside);
	if (first_is_long != is_long_edge(second, outside))
		return first_is_long == DIAGONAL_FROM_LONG;
	rbl_vec3d p = position_of(l, t->points[first]), q = position_of(l, t->points[second]);
	rbl_vec3d p_cut = l->cuts.data[cut_between(l, t->points[first], t->points[outside])].position;
	rbl_vec3d q_cut = l->cuts.data[cut_between(l, t->points[second], t->points[outside])].position;
	rbl_vec3d from_p = rbl_sub_d(q_cut, p), from_q = rbl_sub_d(p_cut, q);
	double p_length = rbl_dot_d(from_p, from_p), q_length = rbl_dot_d(from_q, from_q);
	if (p_length != q_length)
		return p_length < q_length;
	return index_of(l, t->points[first]) < index_of(l, t->points[second]);
}

/// A prism of three columns from top[i] to bottom[i]: the diagonal of the side between columns i
/// and k starts at top[i] when before[i][k]. The columns have an order then, and three tetrahedra
/// step down one column after the other.
static bool add_prism(lattice *l, const int top[3], const int bottom[3], bool before[3][3])
{
	int order[3];
	for (int i = 0; i < 3; ++i) {
		int rank = 0;
		for (int k = 0; k < 3; ++k)
			rank += k != i && before[k][i];
		order[rank] = i;
	}
	int a = order[0], b = order[1], c = order[2];
	return add_tet(l, top[a], top[b], top[c], bottom[c]) &&
	       add_tet(l, top[a], top[b], bottom[b], bottom[c]) &&
	       add_tet(l, top[a], bottom[a], bottom[b], bottom[c]);
}

/// One corner outside, three inside.
static bool add_three_inside(lattice *l, const lattice_tet *t, const int in[3], int out)
{
	int top[3], bottom[3];
	bool before[3][3] = { { false } };
	for (int i = 0; i < 3; ++i) {
		top[i] = corner_vertex(l, t, in[i]);
		bottom[i] = cut_vertex(l, t, in[i], out);
		int k = (i + 1) % 3;
		before[i][k] = diagonal_starts_at(l, t, in[i], in[k], out);
		before[k][i] = !before[i][k];
	}
	return add_prism(l, top, bottom, before);
}

/// The smallest sine-like measure of a tetrahedron: volume over the product of its longest
/// edges, good enough to choose between two diagonals.
static double shape_of(const lattice *l, int a, int b, int c, int d)
{
	const rbl_vec3d *p = l->result->positions.data;
	rbl_vec3d u = rbl_sub_d(p[b], p[a]), v = rbl_sub_d(p[c], p[a]), w = rbl_sub_d(p[d], p[a]);
	double volume = fabs(rbl_dot_d(rbl_cross_d(u, v), w));
	double length = rbl_dot_d(u, u) + rbl_dot_d(v, v) + rbl_dot_d(w, w) +
	                rbl_length_squared_d(rbl_sub_d(v, u)) + rbl_length_squared_d(rbl_sub_d(w, u)) +
	                rbl_length_squared_d(rbl_sub_d(w, v));
	return volume / (length * sqrt(length));
}

/// Two corners inside, two outside: a prism between the corners.
static bool add_two_inside(lattice *l, const lattice_tet *t, const int in[2], const int out[2])
{
	int top[3] = { corner_vertex(l, t, in[0]), cut_vertex(l, t, in[0], out[0]),
		           cut_vertex(l, t, in[0], out[1]) };
	int bottom[3] = { corner_vertex(l, t, in[1]), cut_vertex(l, t, in[1], out[0]),
		              cut_vertex(l, t, in[1], out[1]) };
	for (int i = 0; i < 3; ++i)
		if (top[i] < 0 || bottom[i] < 0)
			return false;
	bool before[3][3] = { { false } };
	for (int i = 1; i < 3; ++i) {
		before[0][i] = diagonal_starts_at(l, t, in[0], in[1], out[i - 1]);
		before[i][0] = !before[0][i];
	}
	// The third side is on the surface and free, unless the order of the others decides.
	if (before[0][1] != before[0][2])
		before[1][2] = before[0][2];
	else if (before[0][1])
		before[1][2] = rbl_mind(shape_of(l, top[0], top[1], bottom[1], bottom[2]),
		                        shape_of(l, top[0], top[1], top[2], bottom[2])) >
		               rbl_mind(shape_of(l, top[0], top[2], bottom[1], bottom[2]),
		                        shape_of(l, top[0], top[1], top[2], bottom[1]));
	else
		before[1][2] = rbl_mind(shape_of(l, bottom[0], top[1], bottom[1], bottom[2]),
		                        shape_of(l, bottom[0], top[1], top[2], bottom[2])) >
		               rbl_mind(shape_of(l, bottom[0], top[2], bottom[1], bottom[2]),
		                        shape_of(l, bottom[0], top[1], top[2], bottom[1]));
	before[2][1] = !before[1][2];
	return add_prism(l, top, bottom, before);
}

/// Two corners inside, one outside, one on the surface: a pyramid over the cut face.
static bool add_pyramid(lattice *l, const lattice_tet *t, const int in[2], int out, int on)
{
	int a = corner_vertex(l, t, in[0]), b = corner_vertex(l, t, in[1]);
	int apex = corner_vertex(l, t, on);
	int a_cut = cut_vertex(l, t, in[0], out), b_cut = cut_vertex(l, t, in[1], out);
	if (diagonal_starts_at(l, t, in[0], in[1], out))
		return add_tet(l, a, b, b_cut, apex) && add_tet(l, a, b_cut, a_cut, apex);
	return add_tet(l, a, b, a_cut, apex) && add_tet(l, b, b_cut, a_cut, apex);
}

/// The inner part of one tetrahedron of the lattice.
static bool add_inner_part(lattice *l, const lattice_tet *t)
{
	int in[4], out[4], on[4], in_count = 0, out_count = 0, on_count = 0;
	for (int i = 0; i < 4; ++i) {
		if (t->signs[i] > 0)
			in[in_count++] = i;
		else if (t->signs[i] < 0)
			out[out_count++] = i;
		else
			on[on_count++] = i;
	}
	if (in_count == 0)
		return true;
	if (in_count == 1 || out_count == 0) {
		int v[4];
		for (int i = 0; i < 4; ++i)
			v[i] = t->signs[i] < 0 ? cut_vertex(l, t, in[0], i) : corner_vertex(l, t, i);
		return add_tet(l, v[0], v[1], v[2], v[3]);
	}
	if (in_count == 3)
		return add_three_inside(l, t, in, out[0]);
	return out_count == 2 ? add_two_inside(l, t, in, out) : add_pyramid(l, t, in, out[0], on[0]);
}

/// The four tetrahedra round the edge from a red point to the next along an axis.
static bool add_round_edge(lattice *l, point red, int axis)
{
	static const int ring[5][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 }, { 0, 0 } };
	int m = (axis + 1) % 3, n = (axis + 2) % 3;
	point next = red, corners[5];
	next.at[axis]++;
	for (int i = 0; i < 5; ++i) {
		corners[i] = (point){ 0, { red.at[0], red.at[1], red.at[2] } };
		corners[i].at[axis]++;
		corners[i].at[m] += ring[i][0];
		corners[i].at[n] += ring[i][1];
	}
	int red_sign = l->signs[index_of(l, red)], next_sign = l->signs[index_of(l, next)];
	for (int i = 0; i < 4; ++i) {
		lattice_tet t = { { red, next, corners[i], corners[i + 1] },
			              { red_sign, next_sign, l->signs[index_of(l, corners[i])],
			                l->signs[index_of(l, corners[i + 1])] } };
		if (!add_inner_part(l, &t))
			return false;
	}
	return true;
}

static bool add_tets(lattice *l)
{
	for (int i = 0; i < l->point_count; ++i)
		l->vertices[i] = -1;
	// The outermost layer of points is outside, so tetrahedra beyond the last ones are not needed.
	point p = { 1, { 0, 0, 0 } };
	for (p.at[2] = 0; p.at[2] < l->size[2] - 1; ++p.at[2])
		for (p.at[1] = 0; p.at[1] < l->size[1] - 1; ++p.at[1])
			for (p.at[0] = 0; p.at[0] < l->size[0] - 1; ++p.at[0])
				for (int axis = 0; axis < 3; ++axis)
					if (!add_round_edge(l, p, axis))
						return false;
	return true;
}

// ------------------------------------------------------------------------------------------------

rbl_result rbl_isosurface_stuff(const rbl_allocator *allocator, const rbl_triangle_grid *grid,
                                rbl_boxd box, double step, rbl_isosurface_stuffing *stuffing)
{
	lattice l = { .allocator = allocator, .grid = grid, .result = stuffing, .step = step };
	// Two layers outside on each side: one for the neighbours of points next to the surface, one
	// for rounding. Faces of a box whose sides are multiples of the step fall on lattice points.
	rbl_vec3d size = rbl_box_size_d(box);
	double x = ceil(size.x / step) + 5.0, y = ceil(size.y / step) + 5.0;
	double z = ceil(size.z / step) + 5.0;
	if (!(2.0 * x * y * z <= MAX_POINTS))
		return RBL_LIMIT_REACHED;
	l.size[0] = (int)x, l.size[1] = (int)y, l.size[2] = (int)z;
	l.point_count = 2 * l.size[0] * l.size[1] * l.size[2];
	l.origin = rbl_sub_d(box.lower, (rbl_vec3d){ 2.0 * step, 2.0 * step, 2.0 * step });
	l.signs = RBL_NEW(allocator, signed char, l.point_count);
	l.near = RBL_NEW(allocator, int, l.point_count);
	l.vertices = RBL_NEW(allocator, int, l.point_count);
	bool is_done = l.signs && l.near && l.vertices;
	if (is_done) {
		find_signs(&l);
		is_done = find_cuts(&l);
	}
	if (is_done) {
		move_points(&l);
		is_done = add_tets(&l);
	}
	rbl_array_free(allocator, &l.cuts);
	rbl_array_free(allocator, &l.near_points);
	RBL_FREE(allocator, l.vertices, l.point_count);
	RBL_FREE(allocator, l.near, l.point_count);
	RBL_FREE(allocator, l.signs, l.point_count);
	return is_done ? RBL_OK : RBL_OUT_OF_MEMORY;
}
