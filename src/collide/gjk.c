// SPDX-License-Identifier: MIT
//
// The distance of two polyhedra: GJK (Gilbert, Johnson and Keerthi) in double precision. For
// overlapping cores, the penetration depth comes from the separating axis test.
//
// The support vertex is chosen in single precision, eight at a time; everything else is double, so
// the only error that counts is that of the choice, a few 1e-7 of the size. The loop ends when the
// new vertex is no nearer than the lower bound allows, is already in the simplex, or does not bring
// the nearest point closer: one of these happens after finitely many steps, since there are
// finitely many simplices and the distance falls strictly. The support points of cylinders and
// cones are computed in double precision; there the lower bound ends the loop.

#include "collide/pair.h"
#include "collide/revolution.h"

typedef struct corner {
	rbl_vec3d w, a, b; // w = a - b
	int vertex_a, vertex_b;
	double weight;
} corner;

typedef struct simplex {
	corner corners[4];
	int count;
} simplex;

static void keep(simplex *s, int i, int j, int k, double si, double sj, double sk)
{
	corner kept[3] = { s->corners[i], s->corners[j >= 0 ? j : i], s->corners[k >= 0 ? k : i] };
	kept[0].weight = si, kept[1].weight = sj, kept[2].weight = sk;
	s->count = 1 + (j >= 0) + (k >= 0);
	for (int n = 0; n < s->count; ++n)
		s->corners[n] = kept[n];
}

static rbl_vec3d nearest(const simplex *s)
{
	rbl_vec3d v = { 0.0, 0.0, 0.0 };
	for (int i = 0; i < s->count; ++i)
		v = rbl_add_scaled_d(v, s->corners[i].weight, s->corners[i].w);
	return v;
}

static void solve_segment(simplex *s, int i, int j)
{
	rbl_vec3d a = s->corners[i].w, ab = rbl_sub_d(s->corners[j].w, a);
	double along = -rbl_dot_d(a, ab), whole = rbl_dot_d(ab, ab);
	if (!(along > 0.0))
		keep(s, i, -1, -1, 1.0, 0.0, 0.0);
	else if (along >= whole)
		keep(s, j, -1, -1, 1.0, 0.0, 0.0);
	else
		keep(s, i, j, -1, 1.0 - along / whole, along / whole, 0.0);
}

// The Voronoi regions of a triangle: three corners, three sides, the inside.
static void solve_triangle(simplex *s, int i, int j, int k)
{
	rbl_vec3d a = s->corners[i].w, b = s->corners[j].w, c = s->corners[k].w;
	rbl_vec3d ab = rbl_sub_d(b, a), ac = rbl_sub_d(c, a);
	double d1 = -rbl_dot_d(ab, a), d2 = -rbl_dot_d(ac, a);
	double d3 = -rbl_dot_d(ab, b), d4 = -rbl_dot_d(ac, b);
	double d5 = -rbl_dot_d(ab, c), d6 = -rbl_dot_d(ac, c);
	double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
	double sum = va + vb + vc;
	if (va > 0.0 && vb > 0.0 && vc > 0.0 && sum > 0.0) {
		keep(s, i, j, k, va / sum, vb / sum, vc / sum);
		return;
	}
	// On the boundary: the nearest of the three sides.
	const int ends[3][2] = { { i, j }, { j, k }, { k, i } };
	simplex best = { .count = 0 };
	double smallest = DBL_MAX;
	for (int e = 0; e < 3; ++e) {
		simplex side = *s;
		solve_segment(&side, ends[e][0], ends[e][1]);
		double d = rbl_length_squared_d(nearest(&side));
		if (d < smallest)
			smallest = d, best = side;
	}
	*s = best;
}

// @return false when the origin is inside
static bool solve_tetrahedron(simplex *s)
{
	static const int faces[4][4] = {
		{ 0, 1, 2, 3 }, { 0, 2, 3, 1 }, { 0, 3, 1, 2 }, { 1, 3, 2, 0 }
	};
	simplex best = { .count = 0 };
	double smallest = DBL_MAX;
	for (int f = 0; f < 4; ++f) {
		rbl_vec3d a = s->corners[faces[f][0]].w;
		rbl_vec3d normal = rbl_cross_d(rbl_sub_d(s->corners[faces[f][1]].w, a),
		                               rbl_sub_d(s->corners[faces[f][2]].w, a));
		double origin = -rbl_dot_d(normal, a);
		double fourth = rbl_dot_d(normal, rbl_sub_d(s->corners[faces[f][3]].w, a));
		if (origin * fourth > 0.0)
			continue; // the origin is on the inner side of this face
		simplex face = *s;
		solve_triangle(&face, faces[f][0], faces[f][1], faces[f][2]);
		double d = rbl_length_squared_d(nearest(&face));
		if (d < smallest)
			smallest = d, best = face;
	}
	if (best.count == 0)
		return false;
	*s = best;
	return true;
}

static rbl_vec3d support_point(const rbl_polyhedron *p, rbl_vec3 direction, int *vertex)
{
	rbl_polyhedron_support(p, direction, vertex);
	return rbl_to_d(rbl_polyhedron_vertex(p, *vertex));
}

static corner find_support(const rbl_polyhedron_pair *pair, rbl_vec3d shift, rbl_vec3d toward)
{
	rbl_vec3d unit = rbl_normalize_d(toward), b;
	rbl_vec3 direction = rbl_to_f(unit);
	rbl_mat3d rotation = { rbl_to_d(pair->b_to_a.rotation.x), rbl_to_d(pair->b_to_a.rotation.y),
		                   rbl_to_d(pair->b_to_a.rotation.z) };
	corner c = { .weight = 1.0 };
	if (pair->a->revolution)
		c.a = rbl_revolution_support(pair->a->revolution, unit);
	else
		c.a = support_point(pair->a, direction, &c.vertex_a);
	if (pair->b->revolution) {
		rbl_vec3d in_b = rbl_mat_vec_d(rbl_mat_transpose_d(rotation), rbl_neg_d(unit));
		b = rbl_revolution_support(pair->b->revolution, in_b);
	} else {
		rbl_mat3 inverse = rbl_mat_transpose(pair->b_to_a.rotation);
		b = support_point(pair->b, rbl_mat_vec(inverse, rbl_neg(direction)), &c.vertex_b);
	}
	rbl_vec3d translation = rbl_add_d(rbl_to_d(pair->b_to_a.translation), shift);
	c.b = rbl_add_d(rbl_mat_vec_d(rotation, b), translation);
	c.w = rbl_sub_d(c.a, c.b);
	return c;
}

static bool has_corner(const simplex *s, const corner *c)
{
	for (int i = 0; i < s->count; ++i)
		if (s->corners[i].vertex_a == c->vertex_a && s->corners[i].vertex_b == c->vertex_b &&
		    s->corners[i].w.x == c->w.x && s->corners[i].w.y == c->w.y &&
		    s->corners[i].w.z == c->w.z)
			return true;
	return false;
}

static bool solve(simplex *s)
{
	if (s->count == 2)
		solve_segment(s, 0, 1);
	else if (s->count == 3)
		solve_triangle(s, 0, 1, 2);
	else if (s->count == 4)
		return solve_tetrahedron(s);
	return true;
}

static rbl_gjk_result result_of(const simplex *s, rbl_vec3d v, double distance)
{
	rbl_vec3d a = { 0.0, 0.0, 0.0 }, b = a;
	for (int i = 0; i < s->count; ++i) {
		a = rbl_add_scaled_d(a, s->corners[i].weight, s->corners[i].a);
		b = rbl_add_scaled_d(b, s->corners[i].weight, s->corners[i].b);
	}
	rbl_vec3 normal = { 0.0f, 0.0f, 0.0f };
	if (distance > 0.0)
		normal = rbl_to_f(rbl_scale_d(-1.0 / distance, v));
	return (rbl_gjk_result){
		(float)distance,        rbl_to_f(a), rbl_to_f(b), normal, s->corners[0].vertex_a,
		s->corners[0].vertex_b, false
	};
}

rbl_gjk_result rbl_gjk_shifted_distance(const rbl_polyhedron_pair *pair, rbl_vec3d shift,
                                        float max_distance)
{
	rbl_vec3d start = rbl_add_d(rbl_to_d(pair->b_to_a.translation), shift);
	if (rbl_length_squared_d(start) == 0.0)
		start.x = 1.0;
	double size = (double)pair->a->bounding_radius + (double)pair->b->bounding_radius +
	              (double)rbl_length(pair->b_to_a.translation);
	double touching = 1e-7 * size;
	simplex s = { .count = 1 };
	s.corners[0] = find_support(pair, shift, start);
	rbl_vec3d v = s.corners[0].w;
	for (int step = 0; step < 128; ++step) {
		double d2 = rbl_length_squared_d(v);
		if (d2 <= touching * touching)
			return result_of(&s, v, 0.0);
		corner c = find_support(pair, shift, rbl_neg_d(v));
		double bound = rbl_dot_d(v, c.w); // distance >= bound / |v|
		if (bound > 0.0 && bound * bound > (double)max_distance * (double)max_distance * d2) {
			rbl_gjk_result result = result_of(&s, v, sqrt(d2));
			result.is_beyond = true;
			result.distance = (float)(bound / sqrt(d2));
			return result;
		}
		if (has_corner(&s, &c) || d2 - bound <= 1e-9 * d2)
			break;
		simplex grown = s;
		grown.corners[grown.count++] = c;
		if (!solve(&grown)) {
			if (bound > 0.0) // a plane is between them: the tetrahedron is flat but for rounding
				break;
			return result_of(&s, v, 0.0);
		}
		rbl_vec3d closer = nearest(&grown);
		if (!(rbl_length_squared_d(closer) < d2))
			break;
		s = grown, v = closer;
	}
	return result_of(&s, v, rbl_length_d(v));
}

// Segments and points: the cores of capsules and balls.
static rbl_gjk_result segment_distance(const rbl_polyhedron_pair *pair, float max_distance)
{
	const rbl_polyhedron *a = pair->a, *b = pair->b;
	rbl_mat3 rotation = pair->b_to_a.rotation;
	rbl_vec3d p = rbl_to_d(rbl_polyhedron_vertex(a, 0));
	rbl_vec3d q = rbl_to_d(rbl_collide_frame_point(&pair->b_to_a, rbl_polyhedron_vertex(b, 0)));
	rbl_vec3d u = rbl_sub_d(rbl_to_d(rbl_polyhedron_vertex(a, a->vertex_count - 1)), p);
	rbl_vec3 ends =
		rbl_sub(rbl_polyhedron_vertex(b, b->vertex_count - 1), rbl_polyhedron_vertex(b, 0));
	rbl_vec3d v = rbl_to_d(rbl_mat_vec(rotation, ends)), r = rbl_sub_d(p, q);
	double uu = rbl_dot_d(u, u), vv = rbl_dot_d(v, v), uv = rbl_dot_d(u, v);
	double ur = rbl_dot_d(u, r), vr = rbl_dot_d(v, r), square = uu * vv - uv * uv;
	double s = square > 1e-12 * uu * vv ? rbl_clampd((uv * vr - vv * ur) / square, 0.0, 1.0) : 0.5;
	double t = vv > 0.0 ? rbl_clampd((uv * s + vr) / vv, 0.0, 1.0) : 0.0;
	s = uu > 0.0 ? rbl_clampd((uv * t - ur) / uu, 0.0, 1.0) : 0.0;
	rbl_vec3d at_a = rbl_add_scaled_d(p, s, u), at_b = rbl_add_scaled_d(q, t, v);
	rbl_vec3d line = rbl_sub_d(at_b, at_a);
	double length = rbl_length_d(line), size = (double)a->bounding_radius +
	                                           (double)b->bounding_radius +
	                                           (double)rbl_length(pair->b_to_a.translation);
	rbl_gjk_result result = { .point_a = rbl_to_f(at_a), .point_b = rbl_to_f(at_b) };
	result.vertex_a = s > 0.5 ? a->vertex_count - 1 : 0;
	result.vertex_b = t > 0.5 ? b->vertex_count - 1 : 0;
	if (length <= 1e-7 * size)
		return result;
	result.distance = (float)length;
	result.normal = rbl_to_f(rbl_scale_d(1.0 / length, line));
	result.is_beyond = result.distance > max_distance;
	return result;
}

rbl_gjk_result rbl_gjk_distance(const rbl_polyhedron_pair *pair, float max_distance)
{
	if (pair->a->vertex_count <= 2 && pair->b->vertex_count <= 2)
		return segment_distance(pair, max_distance);
	return rbl_gjk_shifted_distance(pair, (rbl_vec3d){ 0.0, 0.0, 0.0 }, max_distance);
}

void rbl_collide_edge_points(const rbl_polyhedron_pair *pair, int edge_a, int edge_b, rbl_vec3 *a,
                             rbl_vec3 *b)
{
	rbl_polyhedron_edge ea = pair->a->edge_list[edge_a], eb = pair->b->edge_list[edge_b];
	rbl_vec3 p = rbl_polyhedron_vertex(pair->a, ea.tail);
	rbl_vec3 q = rbl_collide_frame_point(&pair->b_to_a, rbl_polyhedron_vertex(pair->b, eb.tail));
	rbl_vec3 q_end =
		rbl_collide_frame_point(&pair->b_to_a, rbl_polyhedron_vertex(pair->b, eb.head));
	rbl_vec3 u = rbl_sub(rbl_polyhedron_vertex(pair->a, ea.head), p), v = rbl_sub(q_end, q);
	rbl_vec3 r = rbl_sub(p, q);
	float uu = rbl_dot(u, u), vv = rbl_dot(v, v), uv = rbl_dot(u, v);
	float ur = rbl_dot(u, r), vr = rbl_dot(v, r), square = uu * vv - uv * uv;
	float s =
		square > 1e-12f * uu * vv ? rbl_clampf((uv * vr - vv * ur) / square, 0.0f, 1.0f) : 0.5f;
	float t = rbl_clampf((uv * s + vr) / vv, 0.0f, 1.0f);
	s = rbl_clampf((uv * t - ur) / uu, 0.0f, 1.0f);
	*a = rbl_add_scaled(p, s, u);
	*b = rbl_add_scaled(q, t, v);
}

// The deepest point of the incident polyhedron above a face, in the frame of the reference: of the
// incident face, or else the deepest vertex of all, which need not be one of that face.
static rbl_vec3 deepest_above(const rbl_polyhedron *reference, int face,
                              const rbl_polyhedron *incident, const rbl_collide_frame *frame,
                              float *height)
{
	int vertex, incident_face, best = -1;
	rbl_vec3 normal = rbl_polyhedron_normal(reference, face);
	rbl_mat3 inverse = rbl_mat_transpose(frame->rotation);
	rbl_polyhedron_support(incident, rbl_mat_vec(inverse, rbl_neg(normal)), &vertex);
	rbl_vec3 at = rbl_collide_frame_point(frame, rbl_polyhedron_vertex(incident, vertex));
	*height = rbl_dot(normal, at) - rbl_polyhedron_offset(reference, face);
	rbl_collide_clip_point points[RBL_COLLIDE_CLIP_CAPACITY];
	int count = rbl_collide_clip_faces(reference, face, incident, frame, &incident_face, points);
	for (int i = 0; i < count; ++i)
		if (best < 0 || points[i].height < points[best].height)
			best = i;
	if (best < 0 || points[best].height > *height + 1e-5f * incident->bounding_radius)
		return at;
	*height = points[best].height;
	return points[best].position;
}

// Points of two overlapping cores along the axis, in A's frame.
static void deepest_points(const rbl_polyhedron_pair *pair, const rbl_sat_axis *axis, rbl_vec3 *a,
                           rbl_vec3 *b)
{
	float height;
	if (axis->kind == RBL_SAT_FACE_A) {
		*b = deepest_above(pair->a, axis->a, pair->b, &pair->b_to_a, &height);
		*a = rbl_add_scaled(*b, -height, axis->normal);
	} else if (axis->kind == RBL_SAT_FACE_B) {
		rbl_collide_frame a_to_b = rbl_collide_frame_inverse(&pair->b_to_a);
		rbl_vec3 at = deepest_above(pair->b, axis->b, pair->a, &a_to_b, &height);
		*a = rbl_collide_frame_point(&pair->b_to_a, at);
		*b = rbl_add_scaled(*a, height, axis->normal);
	} else {
		rbl_collide_edge_points(pair, axis->a, axis->b, a, b);
	}
}

rbl_separation rbl_polyhedron_pair_distance(const rbl_polyhedron_pair *pair, float max_distance)
{
	float most = max_distance < FLT_MAX ? max_distance + pair->radius : FLT_MAX;
	rbl_gjk_result core = rbl_polyhedron_pair_is_revolved(pair)
	                          ? rbl_revolved_distance(pair, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, most)
	                          : rbl_gjk_distance(pair, most);
	rbl_sat_axis axis = { .normal = core.normal, .separation = core.distance };
	rbl_vec3 a = core.point_a, b = core.point_b;
	if (core.distance == 0.0f && !rbl_polyhedron_pair_is_revolved(pair)) {
		// The cores overlap: the axis of least overlap, or any direction for two points.
		if (rbl_sat_find_axis(pair, FLT_MAX, &axis, NULL))
			deepest_points(pair, &axis, &a, &b);
		else
			axis.normal = (rbl_vec3){ 0.0f, 1.0f, 0.0f };
	}
	a = rbl_add_scaled(a, pair->a->radius, axis.normal);
	b = rbl_add_scaled(b, -pair->b->radius, axis.normal);
	return (rbl_separation){ .distance = axis.separation - pair->radius,
		                     .normal = rbl_rotate(pair->pose_a.rotation, axis.normal),
		                     .point_a = rbl_transform_point(pair->pose_a, a),
		                     .point_b = rbl_transform_point(pair->pose_a, b) };
}
