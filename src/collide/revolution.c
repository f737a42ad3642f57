// SPDX-License-Identifier: MIT
//
// Cylinders and cones: the hull of two discs across an axis.
//
// Everything is exact and in double precision: across the axis a disc reaches as far as its radius,
// whatever the direction, so the support point is that of one of the discs. Seen in a plane through
// the axis the solid is a trapezium (or a triangle), and distances are distances to its sides.
//
// The inscribed prism or pyramid has its corners at fixed angles. A flat end touches with these
// corners, and when it is tilted with its lowest point as well, which is wherever it happens to be.

#include "collide/revolution.h"

#include "base/math.h"

enum { SIDES = RBL_REVOLUTION_SIDES };

rbl_vec3d rbl_revolution_support(const rbl_revolution *r, rbl_vec3d direction)
{
	double x = rbl_dot_d(direction, r->across[0]), y = rbl_dot_d(direction, r->across[1]);
	double along = rbl_dot_d(direction, r->axis), out = sqrt(x * x + y * y);
	int end = r->length * along + (r->radii[1] - r->radii[0]) * out > 0.0;
	// Along the axis all of a disc is equally far: its middle is a point of it, too.
	double scale = out > 1e-12 * fabs(along) ? r->radii[end] / out : 0.0;
	return rbl_add_scaled_d(rbl_add_scaled_d(r->ends[end], scale * x, r->across[0]), scale * y,
	                        r->across[1]);
}

// The nearest point of a side of the trapezium.
static void try_side(double h, double out, const double a[2], const double b[2], double best[3])
{
	double x = b[0] - a[0], y = b[1] - a[1], square = x * x + y * y;
	double s = square > 0.0 ? ((h - a[0]) * x + (out - a[1]) * y) / square : 0.0;
	s = rbl_clampd(s, 0.0, 1.0);
	double u = a[0] + s * x, v = a[1] + s * y;
	double d = (h - u) * (h - u) + (out - v) * (out - v);
	if (d < best[2])
		best[0] = u, best[1] = v, best[2] = d;
}

double rbl_revolution_distance(const rbl_revolution *r, rbl_vec3d point, rbl_vec3d *gradient)
{
	rbl_vec3d from = rbl_sub_d(point, r->ends[0]);
	double h = rbl_dot_d(from, r->axis);
	rbl_vec3d across = rbl_add_scaled_d(from, -h, r->axis);
	double out = rbl_length_d(across);
	rbl_vec3d away = out > 0.0 ? rbl_scale_d(1.0 / out, across) : r->across[0];
	double heights[3] = { -h, h - r->length,
		                  r->side_along * h + r->side_out * (out - r->radii[0]) };
	int highest = heights[1] > heights[0] ? 1 : 0;
	highest = heights[2] > heights[highest] ? 2 : highest;
	double normal_h = highest == 2 ? r->side_along : highest == 1 ? 1.0 : -1.0;
	double normal_out = highest == 2 ? r->side_out : 0.0, distance = heights[highest];
	if (distance > 0.0) {
		const double corners[4][2] = {
			{ 0.0, 0.0 }, { 0.0, r->radii[0] }, { r->length, r->radii[1] }, { r->length, 0.0 }
		};
		double best[3] = { 0.0, 0.0, DBL_MAX };
		for (int i = 0; i < 3; ++i)
			try_side(h, out, corners[i], corners[i + 1], best);
		distance = sqrt(best[2]);
		if (distance > 0.0)
			normal_h = (h - best[0]) / distance, normal_out = (out - best[1]) / distance;
	}
	*gradient = rbl_add_scaled_d(rbl_scale_d(normal_h, r->axis), normal_out, away);
	return distance;
}

double rbl_revolution_rolling_radius(const rbl_revolution *r, rbl_vec3d point, rbl_vec3d normal)
{
	const double flattest = 0.1; // below that an end is all but flat on what it touches
	rbl_vec3d from = rbl_sub_d(point, r->ends[0]);
	double out = rbl_length_d(rbl_add_scaled_d(from, -rbl_dot_d(from, r->axis), r->axis));
	double across = rbl_length_d(rbl_add_scaled_d(normal, -rbl_dot_d(normal, r->axis), r->axis));
	return across > flattest ? out / across : 0.0;
}

// --- the inscribed polyhedron --------------------------------------------------------------------

// The discs have corners 0 to SIDES - 1 and the next SIDES, or one for a disc that is a point.
typedef struct corner_layout {
	int counts[2], firsts[2];
} corner_layout;

static corner_layout lay_out(const float radii[2])
{
	corner_layout l = { .firsts[0] = 0 };
	for (int i = 0; i < 2; ++i)
		l.counts[i] = radii[i] > 0.0f ? SIDES : 1;
	l.firsts[1] = l.counts[0];
	return l;
}

static int corner_at(const corner_layout *l, int end, int k)
{
	return l->firsts[end] + k % l->counts[end];
}

static rbl_polyhedron count_features(const corner_layout *l, int *corner_count)
{
	int discs = (l->counts[0] > 1) + (l->counts[1] > 1);
	*corner_count = discs * SIDES + SIDES * (2 + discs);
	return (rbl_polyhedron){ .vertex_count = l->counts[0] + l->counts[1],
		                     .face_count = discs + SIDES,
		                     .plane_count = discs + SIDES,
		                     .edge_count = SIDES * (1 + discs) };
}

size_t rbl_revolution_size(const float radii[2])
{
	int corner_count;
	corner_layout l = lay_out(radii);
	rbl_polyhedron p = count_features(&l, &corner_count);
	size_t arrays = rbl_polyhedron_layout(&p, corner_count, NULL, NULL);
	return arrays + sizeof(rbl_revolution);
}

rbl_vec3d rbl_revolution_rim(const rbl_revolution *r, int end, double turn)
{
	double sine, cosine;
	rbl_sin_cos(2.0 * RBL_PI * turn, &sine, &cosine);
	rbl_vec3d p = rbl_add_scaled_d(r->ends[end], r->radii[end] * cosine, r->across[0]);
	return rbl_add_scaled_d(p, r->radii[end] * sine, r->across[1]);
}

static rbl_vec3d rim_point(const rbl_revolution *r, int end, int k)
{
	return rbl_revolution_rim(r, end, (double)k / SIDES);
}

static void set_side_plane(const rbl_polyhedron *p, const rbl_polyhedron_arrays *arrays, int i,
                           rbl_vec3d normal, rbl_vec3d through)
{
	arrays->planes[i] = (float)normal.x;
	arrays->planes[i + p->plane_stride] = (float)normal.y;
	arrays->planes[i + 2 * p->plane_stride] = (float)normal.z;
	arrays->planes[i + 3 * p->plane_stride] = (float)rbl_dot_d(normal, through);
}

// The least width: along the axis, across it, or across the side.
static float least_width(const rbl_revolution *r)
{
	rbl_vec3d side =
		rbl_add_scaled_d(rbl_scale_d(r->side_out, r->across[0]), r->side_along, r->axis);
	double across_side = rbl_dot_d(side, rbl_sub_d(rbl_revolution_support(r, side),
	                                               rbl_revolution_support(r, rbl_neg_d(side))));
	double across = 2.0 * (r->radii[0] > r->radii[1] ? r->radii[0] : r->radii[1]);
	double least = r->length < across ? r->length : across;
	return (float)(across_side < least ? across_side : least);
}

static void fill_sides(const rbl_polyhedron *p, const rbl_polyhedron_arrays *arrays,
                       const rbl_revolution *r, const corner_layout *l)
{
	int discs = p->face_count - SIDES, corner = 0, edge = 0;
	arrays->face_starts[0] = 0;
	for (int i = 0, face = 0; i < 2; ++i) { // flat ends, seen from outside
		if (l->counts[i] == 1)
			continue;
		set_side_plane(p, arrays, face, i ? r->axis : rbl_neg_d(r->axis), r->ends[i]);
		for (int k = 0; k < SIDES; ++k)
			arrays->corners[corner++] = (uint8_t)corner_at(l, i, i ? k : SIDES - 1 - k);
		arrays->face_starts[++face] = (uint16_t)corner;
	}
	for (int k = 0; k < SIDES; ++k) {
		int face = discs + k, after = discs + (k + 1) % SIDES, n = 0;
		const int loop[4] = { corner_at(l, 0, k), corner_at(l, 0, k + 1), corner_at(l, 1, k + 1),
			                  corner_at(l, 1, k) };
		for (int c = 0; c < 4; ++c)
			if (loop[c] != loop[(c + 1) & 3])
				arrays->corners[corner + n++] = (uint8_t)loop[c];
		corner += n;
		arrays->face_starts[face + 1] = (uint16_t)corner;
		double sine, cosine;
		rbl_sin_cos(2.0 * RBL_PI * (k + 0.5) / SIDES, &sine, &cosine);
		rbl_vec3d away = rbl_add_scaled_d(rbl_scale_d(cosine, r->across[0]), sine, r->across[1]);
		// The chords of the two polygons are as far apart as their circles, times the same cosine.
		double out = r->length, along = (r->radii[0] - r->radii[1]) * rbl_cos(RBL_PI / SIDES);
		rbl_vec3d normal =
			rbl_normalize_d(rbl_add_scaled_d(rbl_scale_d(out, away), along, r->axis));
		set_side_plane(p, arrays, face, normal, rim_point(r, r->radii[0] > 0.0 ? 0 : 1, k));
		// Between this side and the next: cross(left, right) points from tail to head.
		arrays->edge_list[edge++] =
			(rbl_polyhedron_edge){ (uint8_t)corner_at(l, 0, k + 1), (uint8_t)corner_at(l, 1, k + 1),
			                       (uint8_t)face, (uint8_t)after };
		for (int i = 0, disc = 0; i < 2; ++i) {
			if (l->counts[i] == 1)
				continue;
			uint8_t from = (uint8_t)corner_at(l, i, k), to = (uint8_t)corner_at(l, i, k + 1);
			arrays->edge_list[edge++] =
				(rbl_polyhedron_edge){ i ? to : from, i ? from : to, (uint8_t)face, (uint8_t)disc };
			disc++;
		}
	}
}

bool rbl_polyhedron_from_revolution(rbl_polyhedron *p, rbl_vec3 a, rbl_vec3 b, const float radii[2],
                                    void *memory)
{
	corner_layout l = lay_out(radii);
	int corner_count;
	rbl_polyhedron_arrays arrays;
	*p = count_features(&l, &corner_count);
	size_t size = rbl_polyhedron_layout(p, corner_count, memory, &arrays);
	rbl_revolution *r = (rbl_revolution *)(void *)((char *)memory + size);
	rbl_vec3d line = rbl_sub_d(rbl_to_d(b), rbl_to_d(a));
	double length = rbl_length_d(line);
	if (!(length > 0.0) || !(radii[0] > 0.0f || radii[1] > 0.0f))
		return false;
	*r = (rbl_revolution){ .ends = { rbl_to_d(a), rbl_to_d(b) },
		                   .axis = rbl_scale_d(1.0 / length, line),
		                   .radii = { (double)radii[0], (double)radii[1] },
		                   .length = length };
	r->across[0] = rbl_normalize_d(rbl_perpendicular_d(r->axis));
	r->across[1] = rbl_cross_d(r->axis, r->across[0]);
	double drop = r->radii[0] - r->radii[1], slant = sqrt(length * length + drop * drop);
	r->side_out = length / slant, r->side_along = drop / slant;
	p->revolution = r;
	for (int end = 0; end < 2; ++end)
		for (int k = 0; k < l.counts[end]; ++k) {
			rbl_vec3 at = rbl_to_f(rim_point(r, end, k));
			int v = corner_at(&l, end, k);
			arrays.vertices[v] = at.x;
			arrays.vertices[v + p->vertex_stride] = at.y;
			arrays.vertices[v + 2 * p->vertex_stride] = at.z;
		}
	fill_sides(p, &arrays, r, &l);
	rbl_polyhedron_pad(p, &arrays);
	double square = 0.0;
	for (int end = 0; end < 2; ++end) {
		double along = rbl_dot_d(r->ends[end], r->axis);
		double out = rbl_length_d(rbl_add_scaled_d(r->ends[end], -along, r->axis)) + r->radii[end];
		square = fmax(square, along * along + out * out);
	}
	p->bounding_radius = (float)(sqrt(square) * (1.0 + 1e-7));
	p->min_width = least_width(r);
	return p->min_width > 0.0f;
}

// --- what faces a direction ----------------------------------------------------------------------

static void add_facet_point(rbl_facet *facet, rbl_vec3 at, int line)
{
	facet->points[facet->count] = at;
	facet->lines[facet->count++] = (uint8_t)line;
}

// A flat end: the corners of its polygon, and between them the lowest point when it is tilted.
static void add_disc(const rbl_revolution *r, int end, double x, double y, rbl_facet *facet)
{
	const double least_tilt = 1e-3; // the polygon's lowest corner is as low as the lowest point
	bool is_tilted = x * x + y * y > least_tilt * least_tilt;
	double scale = is_tilted ? r->radii[end] / sqrt(x * x + y * y) : 0.0;
	rbl_vec3d lowest = rbl_add_scaled_d(rbl_add_scaled_d(r->ends[end], scale * x, r->across[0]),
	                                    scale * y, r->across[1]);
	double angle = rbl_atan2(y, x) / (2.0 * RBL_PI) * SIDES;
	int before = (int)(angle < 0.0 ? angle + SIDES : angle);
	for (int i = 0; i < SIDES; ++i) {
		int k = end ? i : SIDES - 1 - i;
		bool has_lowest = is_tilted && (before == k || (before >= SIDES && k == SIDES - 1));
		if (has_lowest && !end)
			add_facet_point(facet, rbl_to_f(lowest), SIDES);
		add_facet_point(facet, rbl_to_f(rim_point(r, end, k)), k);
		if (has_lowest && end)
			add_facet_point(facet, rbl_to_f(lowest), SIDES);
	}
}

static void find_facet(const rbl_revolution *r, rbl_vec3 direction, rbl_facet *facet)
{
	rbl_vec3d d = rbl_to_d(direction);
	double x = rbl_dot_d(d, r->across[0]), y = rbl_dot_d(d, r->across[1]);
	double along = rbl_dot_d(d, r->axis), out = sqrt(x * x + y * y);
	int end = along > 0.0;
	double side = r->side_out * out + r->side_along * along;
	double flat = r->radii[end] > 0.0 ? fabs(along) : -1.0;
	if (flat > side) {
		facet->index = end;
		facet->normal = rbl_to_f(end ? r->axis : rbl_neg_d(r->axis));
		facet->cosine = (float)flat;
		add_disc(r, end, x, y, facet);
		return;
	}
	double scale = out > 0.0 ? 1.0 / out : 0.0;
	rbl_vec3d away =
		out > 0.0 ? rbl_add_scaled_d(rbl_scale_d(scale * x, r->across[0]), scale * y, r->across[1])
				  : r->across[0];
	facet->index = 2;
	facet->normal =
		rbl_to_f(rbl_add_scaled_d(rbl_scale_d(r->side_out, away), r->side_along, r->axis));
	facet->cosine = (float)side;
	for (int i = 0; i < 2; ++i)
		add_facet_point(facet, rbl_to_f(rbl_add_scaled_d(r->ends[i], r->radii[i], away)), i);
}

void rbl_polyhedron_facet(const rbl_polyhedron *p, rbl_vec3 direction, rbl_facet *facet)
{
	facet->count = 0;
	if (p->revolution) {
		find_facet(p->revolution, direction, facet);
		return;
	}
	int face = rbl_polyhedron_face_along(p, direction);
	int first = face >= 0 ? p->face_starts[face] : 0;
	int count = face >= 0 ? p->face_starts[face + 1] - first : p->vertex_count;
	facet->index = face >= 0 ? face : 0;
	facet->normal = face >= 0 ? rbl_polyhedron_normal(p, face) : direction;
	facet->cosine = face >= 0 ? rbl_dot(facet->normal, direction) : 1.0f;
	for (int i = 0; i < count; ++i)
		add_facet_point(facet, rbl_polyhedron_vertex(p, face >= 0 ? p->corners[first + i] : i), i);
}
