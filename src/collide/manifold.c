// SPDX-License-Identifier: MIT
//
// Contact manifolds of two convex shapes: from a separating axis to contact points, and from step
// to step.
//
// A pair takes the cheapest way that is safe:
//
//   1. A direction that separated it before: one support of each shape. Still apart, done.
//   2. The face or the two edges that it touched with before. The depth along ANY axis is at least
//      the penetration depth, so a stale axis can only be too deep, and visibly so: by more than
//      when the search found it. A face whose clipped points are shallower than the support depth
//      has lost its contact region, and hides overlap: hulls that rest so would stay a millimetre
//      deep. In both cases, and after a number of steps anyway, the search decides anew.
//   3. The search over all faces and pairs of edges (SAT).
//
// A face is preferred to a pair of edges within half a per cent of the thinner shape, since it
// gives up to four points where edges give one. Manifold reduction keeps four points of many.
// Points up to the margin apart are kept as speculative contacts.

#include "collide/collide.h"

#include "base/assert.h"

enum { MAX_AGE = 31 }; // of a cached feature, in refreshes

// The overlap that the points of a face may hide, as a part of the tolerance.
static const float max_hidden = 0.2f;

// --- manifold reduction --------------------------------------------------------------------------

// Twice the area of a triangle, seen along the normal.
static float area(rbl_vec3 normal, rbl_vec3 a, rbl_vec3 b, rbl_vec3 c)
{
	return rbl_dot(normal, rbl_cross(rbl_sub(b, a), rbl_sub(c, a)));
}

// Manifold reduction, four points of many: the deepest, the one farthest from it, and those that
// add most area on either side of the line between them. All by position, so small motions hardly
// change the choice.
int rbl_collide_reduce(rbl_collide_clip_point *points, int count, rbl_vec3 normal)
{
	if (count <= RBL_MAX_MANIFOLD_POINTS)
		return count;
	int chosen[4] = { 0, 0, 0, 0 };
	for (int i = 1; i < count; ++i)
		if (points[i].height < points[chosen[0]].height)
			chosen[0] = i;
	float largest = -1.0f, left = 0.0f, right = 0.0f;
	rbl_vec3 a = points[chosen[0]].position;
	for (int i = 0; i < count; ++i) {
		float d = rbl_length_squared(rbl_sub(points[i].position, a));
		if (d > largest)
			largest = d, chosen[1] = i;
	}
	rbl_vec3 b = points[chosen[1]].position;
	int n = 2, left_index = -1, right_index = -1;
	for (int i = 0; i < count; ++i) {
		float side = area(normal, a, b, points[i].position);
		if (i == chosen[0] || i == chosen[1])
			continue;
		if (side > left)
			left = side, left_index = i;
		if (side < right)
			right = side, right_index = i;
	}
	if (left_index >= 0)
		chosen[n++] = left_index;
	if (right_index >= 0)
		chosen[n++] = right_index;
	rbl_collide_clip_point kept[4];
	for (int i = 0; i < n; ++i)
		kept[i] = points[chosen[i]];
	memcpy(points, kept, (size_t)n * sizeof *points);
	return n;
}

// --- points -------------------------------------------------------------------------------------

// Ids. Bit 31: edges. For faces, bit 30: B is the reference; 7 bits for each face, then both lines.
uint32_t rbl_collide_face_id(bool is_flipped, int reference, int incident,
                             const rbl_collide_clip_point *point)
{
	return (is_flipped ? 1u << 30 : 0) | (uint32_t)(reference & 127) << 23 |
	       (uint32_t)(incident & 127) << 16 | (uint32_t)point->before << 8 | point->after;
}

static uint32_t edge_id(int a, int b)
{
	return 1u << 31 | (uint32_t)a << 9 | (uint32_t)b;
}

static void add_point(rbl_manifold *m, rbl_transform pose, rbl_vec3 at, float separation,
                      uint32_t id)
{
	RBL_ASSERT(m->point_count < RBL_MAX_MANIFOLD_POINTS);
	m->points[m->point_count++] =
		(rbl_manifold_point){ rbl_transform_point(pose, at), separation, id };
}

// The points above a reference face. @return the least height of the cores, FLT_MAX without points
static float face_points(const rbl_polyhedron_pair *pair, const rbl_sat_axis *axis, float margin,
                         rbl_manifold *m)
{
	bool is_flipped = axis->kind == RBL_SAT_FACE_B;
	const rbl_polyhedron *reference = is_flipped ? pair->b : pair->a;
	const rbl_polyhedron *incident = is_flipped ? pair->a : pair->b;
	rbl_collide_frame frame = is_flipped ? rbl_collide_frame_inverse(&pair->b_to_a) : pair->b_to_a;
	rbl_transform pose = is_flipped ? pair->pose_b : pair->pose_a;
	int face = is_flipped ? axis->b : axis->a, incident_face;
	rbl_vec3 normal = rbl_polyhedron_normal(reference, face);

	rbl_collide_clip_point points[RBL_COLLIDE_CLIP_CAPACITY];
	int count = rbl_collide_clip_faces(reference, face, incident, &frame, &incident_face, points);
	int near_count = 0;
	float smallest = FLT_MAX;
	for (int i = 0; i < count; ++i) {
		if (points[i].height - pair->radius > margin)
			continue;
		smallest = rbl_minf(smallest, points[i].height);
		points[near_count++] = points[i];
	}
	near_count = rbl_collide_reduce(points, near_count, normal);
	m->point_count = 0;
	rbl_vec3 world = rbl_rotate(pose.rotation, normal);
	m->normal = is_flipped ? rbl_neg(world) : world;
	for (int i = 0; i < near_count; ++i) {
		float shift = 0.5f * (points[i].height - reference->radius + incident->radius);
		add_point(m, pose, rbl_add_scaled(points[i].position, -shift, normal),
		          points[i].height - pair->radius,
		          rbl_collide_face_id(is_flipped, face, incident_face, &points[i]));
	}
	return smallest;
}

// One point between two points of the cores, in A's frame.
static void single_point(const rbl_polyhedron_pair *pair, rbl_vec3 normal, rbl_vec3 a, rbl_vec3 b,
                         float separation, uint32_t id, rbl_manifold *m)
{
	a = rbl_add_scaled(a, pair->a->radius, normal);
	b = rbl_add_scaled(b, -pair->b->radius, normal);
	m->normal = rbl_rotate(pair->pose_a.rotation, normal);
	m->point_count = 0;
	add_point(m, pair->pose_a, rbl_scale(0.5f, rbl_add(a, b)), separation - pair->radius, id);
}

// Edges that are apart need not face each other: then the line between their nearest points is the
// normal, and the separation its length.
static void edge_point(const rbl_polyhedron_pair *pair, const rbl_sat_axis *axis, rbl_manifold *m)
{
	float min_length = 0.02f * rbl_sat_tolerance(pair); // a shorter line is mostly rounding
	rbl_vec3 a, b;
	rbl_collide_edge_points(pair, axis->a, axis->b, &a, &b);
	rbl_vec3 normal = axis->normal;
	float separation = axis->separation;
	rbl_vec3 line = rbl_sub(b, a);
	float length = rbl_length(line);
	if (separation > 0.0f && length > min_length) {
		separation = length;
		normal = rbl_scale(1.0f / length, line);
	}
	single_point(pair, normal, a, b, separation, edge_id(axis->a, axis->b), m);
}

// The deepest vertex along a face normal, when clipping has left nothing of an overlap.
static void vertex_point(const rbl_polyhedron_pair *pair, const rbl_sat_axis *axis, rbl_manifold *m)
{
	bool is_flipped = axis->kind == RBL_SAT_FACE_B;
	int vertex;
	rbl_vec3 a, b;
	if (is_flipped) {
		rbl_polyhedron_support(pair->a, axis->normal, &vertex);
		a = rbl_polyhedron_vertex(pair->a, vertex);
		b = rbl_add_scaled(a, axis->separation, axis->normal);
	} else {
		rbl_mat3 inverse = rbl_mat_transpose(pair->b_to_a.rotation);
		rbl_polyhedron_support(pair->b, rbl_mat_vec(inverse, rbl_neg(axis->normal)), &vertex);
		b = rbl_collide_frame_point(&pair->b_to_a, rbl_polyhedron_vertex(pair->b, vertex));
		a = rbl_add_scaled(b, -axis->separation, axis->normal);
	}
	const rbl_collide_clip_point lines = { .before = (uint8_t)vertex, .after = 255 };
	uint32_t id = rbl_collide_face_id(is_flipped, is_flipped ? axis->b : axis->a, 127, &lines);
	single_point(pair, axis->normal, a, b, axis->separation, id, m);
}

// --- one step -----------------------------------------------------------------------------------

static void update_cache(rbl_sat_cache *cache, const rbl_polyhedron_pair *pair,
                         const rbl_sat_axis *axis, float margin)
{
	bool is_apart = axis->separation - pair->radius > margin;
	cache->kind = (uint16_t)(is_apart ? RBL_SAT_APART : axis->kind);
	cache->a = (uint16_t)axis->a, cache->b = (uint16_t)axis->b;
	cache->separation = axis->separation;
	cache->direction = rbl_rotate(pair->pose_a.rotation, axis->normal);
	cache->age = (uint16_t)((axis->a + axis->b) & 7); // so that not all expire in one step
}

static void drop_far_point(rbl_manifold *m, float margin)
{
	if (m->point_count == 1 && m->points[0].separation > margin)
		m->point_count = 0;
}

// Up to this separation, in metres, a contact matters even while it is only speculative.
static const float near_separation = 0.002f;

// Take the points of the cached feature. @return false when a search is needed
static bool refresh(const rbl_polyhedron_pair *pair, float margin, rbl_sat_cache *cache,
                    rbl_manifold *m)
{
	rbl_sat_axis axis;
	if (cache->age >= MAX_AGE || !rbl_sat_refresh_axis(pair, cache, &axis))
		return false;
	if (axis.separation - pair->radius > margin) {
		update_cache(cache, pair, &axis, margin);
		return true;
	}
	float tolerance = 1.5f * rbl_sat_tolerance(pair), hidden = max_hidden * rbl_sat_tolerance(pair);
	if (axis.separation < rbl_minf(cache->separation, 0.0f) - tolerance)
		return false;
	bool is_apart = axis.separation - pair->radius > 0.0f;
	if (axis.kind == RBL_SAT_EDGES)
		edge_point(pair, &axis, m);
	else if (face_points(pair, &axis, margin, m) > axis.separation + hidden && !is_apart)
		return false;
	drop_far_point(m, margin);
	if (m->point_count == 0 && axis.separation - pair->radius < near_separation)
		return false;
	// The deeper, the more axes are nearly alike, and the sooner another is better. Apart and with
	// nothing above the face, another axis may have a speculative point.
	int aging = m->point_count > 0 ? (int)rbl_clampf(-axis.separation / tolerance, 0.0f, 7.0f) : 7;
	cache->age = (uint16_t)(cache->age + 1 + aging);
	return true;
}

// The nearest points of shapes that almost touch, when the axes give none: vertex by vertex, or
// just beside a face. Casts stop bodies there.
static bool nearest_point(const rbl_polyhedron_pair *pair, float separation, float margin,
                          rbl_manifold *m)
{
	if (separation - pair->radius > near_separation)
		return false;
	rbl_gjk_result nearest = rbl_gjk_distance(pair, near_separation + pair->radius);
	if (nearest.is_beyond || !(nearest.distance > 0.0f) || nearest.distance - pair->radius > margin)
		return false;
	const rbl_collide_clip_point lines = { .before = (uint8_t)nearest.vertex_a,
		                                   .after = (uint8_t)nearest.vertex_b };
	single_point(pair, nearest.normal, nearest.point_a, nearest.point_b, nearest.distance,
	             rbl_collide_face_id(false, 126, 126, &lines), m);
	return true;
}

static bool search(const rbl_polyhedron_pair *pair, float margin, rbl_sat_cache *cache,
                   rbl_manifold *m)
{
	rbl_sat_axis smallest, axis;
	if (!rbl_sat_find_axis(pair, margin + pair->radius, &smallest, &axis)) {
		// Two balls with one centre.
		single_point(pair, (rbl_vec3){ 0.0f, 1.0f, 0.0f }, rbl_polyhedron_vertex(pair->a, 0),
		             rbl_polyhedron_vertex(pair->a, 0), 0.0f, 0, m);
		return true;
	}
	update_cache(cache, pair, &axis, margin);
	m->point_count = 0;
	if (axis.separation - pair->radius > margin)
		return false;
	if (axis.kind != RBL_SAT_EDGES) {
		float height = face_points(pair, &axis, margin, m);
		if (height <= smallest.separation + max_hidden * rbl_sat_tolerance(pair))
			return true;
		// They do not touch at the face. Use the best axis, if it is another.
		if (smallest.kind != RBL_SAT_EDGES) {
			if (axis.separation < 0.0f && height > axis.separation)
				vertex_point(pair, &axis, m);
			return m->point_count > 0 || nearest_point(pair, axis.separation, margin, m);
		}
		update_cache(cache, pair, &smallest, margin);
	}
	edge_point(pair, &smallest, m);
	drop_far_point(m, margin);
	return m->point_count > 0 || nearest_point(pair, smallest.separation, margin, m);
}

// A capsule along a face rests on two points.
static bool rounded_face(const rbl_polyhedron_pair *pair, const rbl_gjk_result *nearest,
                         float margin, rbl_manifold *m)
{
	const float aligned = 0.9998f; // about a degree
	rbl_vec3 in_b = rbl_mat_vec(rbl_mat_transpose(pair->b_to_a.rotation), rbl_neg(nearest->normal));
	int face_a = rbl_polyhedron_face_along(pair->a, nearest->normal);
	int face_b = rbl_polyhedron_face_along(pair->b, in_b);
	rbl_sat_axis axis = { .kind = RBL_SAT_NONE, .normal = nearest->normal };
	if (face_a >= 0 && rbl_dot(rbl_polyhedron_normal(pair->a, face_a), nearest->normal) > aligned)
		axis.kind = RBL_SAT_FACE_A, axis.a = face_a;
	else if (face_b >= 0 && rbl_dot(rbl_polyhedron_normal(pair->b, face_b), in_b) > aligned)
		axis.kind = RBL_SAT_FACE_B, axis.b = face_b;
	if (axis.kind == RBL_SAT_NONE)
		return false;
	return face_points(pair, &axis, margin, m) <= nearest->distance + rbl_sat_tolerance(pair);
}

// So do two capsules side by side.
static bool parallel_segments(const rbl_polyhedron_pair *pair, const rbl_gjk_result *nearest,
                              float margin, rbl_manifold *m)
{
	if (pair->a->vertex_count != 2 || pair->b->vertex_count != 2)
		return false;
	rbl_vec3 a0 = rbl_polyhedron_vertex(pair->a, 0), a1 = rbl_polyhedron_vertex(pair->a, 1);
	rbl_vec3 b[2] = { rbl_collide_frame_point(&pair->b_to_a, rbl_polyhedron_vertex(pair->b, 0)),
		              rbl_collide_frame_point(&pair->b_to_a, rbl_polyhedron_vertex(pair->b, 1)) };
	rbl_vec3 line = rbl_sub(a1, a0), line_b = rbl_sub(b[1], b[0]);
	float length = rbl_length(line), length_b = rbl_length(line_b);
	if (fabsf(rbl_dot(line, line_b)) < 0.9998f * length * length_b)
		return false;
	float t[2], ends[2]; // of B along A
	for (int i = 0; i < 2; ++i) {
		ends[i] = rbl_dot(rbl_sub(b[i], a0), line) / (length * length);
		t[i] = rbl_clampf(ends[i], 0.0f, 1.0f);
	}
	if (fabsf(t[1] - t[0]) * length < rbl_sat_tolerance(pair))
		return false;
	m->normal = rbl_rotate(pair->pose_a.rotation, nearest->normal);
	m->point_count = 0;
	for (int i = 0; i < 2; ++i) {
		float s = (t[i] - ends[0]) / (ends[1] - ends[0]);
		rbl_vec3 on_a = rbl_add_scaled(a0, t[i], line), on_b = rbl_add_scaled(b[0], s, line_b);
		float apart = rbl_dot(nearest->normal, rbl_sub(on_b, on_a));
		rbl_vec3 middle = rbl_scale(0.5f, rbl_add(on_a, on_b));
		middle =
			rbl_add_scaled(middle, 0.5f * (pair->a->radius - pair->b->radius), nearest->normal);
		if (apart - pair->radius <= margin)
			add_point(m, pair->pose_a, middle, apart - pair->radius, (uint32_t)(1 + i));
	}
	return m->point_count > 0;
}

// Rounded shapes whose cores are apart touch along the line between the nearest points.
// @return false when the cores meet
static bool collide_rounded(const rbl_polyhedron_pair *pair, float margin, rbl_sat_cache *cache,
                            rbl_manifold *m)
{
	rbl_gjk_result nearest = rbl_gjk_distance(pair, margin + pair->radius);
	if (nearest.distance < 1e-3f * pair->radius)
		return false;
	rbl_sat_axis axis = { RBL_SAT_CORES, nearest.vertex_a, nearest.vertex_b, nearest.normal,
		                  nearest.distance };
	update_cache(cache, pair, &axis, margin);
	if (nearest.distance - pair->radius > margin)
		return true;
	if (rounded_face(pair, &nearest, margin, m) || parallel_segments(pair, &nearest, margin, m))
		return true;
	single_point(pair, nearest.normal, nearest.point_a, nearest.point_b, nearest.distance, 3, m);
	return true;
}

bool rbl_collide_pair(const rbl_polyhedron *a, rbl_transform pose_a, const rbl_polyhedron *b,
                      rbl_transform pose_b, float margin, rbl_sat_cache *cache,
                      rbl_manifold *manifold, rbl_collide_counts *counts)
{
	rbl_collide_counts ignored = { 0, 0, 0 };
	counts = counts ? counts : &ignored;
	manifold->point_count = 0;
	rbl_polyhedron_pair pair = { a, b, pose_a, pose_b, .radius = a->radius + b->radius };
	if (cache->kind == RBL_SAT_APART &&
	    rbl_sat_separation(&pair, cache->direction) - pair.radius > margin) {
		counts->apart++;
		return false;
	}
	pair = rbl_polyhedron_pair_make(a, pose_a, b, pose_b);
	if (rbl_polyhedron_pair_is_revolved(&pair))
		return rbl_collide_revolved(&pair, margin, cache, manifold, counts);
	if (pair.radius > 0.0f) {
		if (collide_rounded(&pair, margin, cache, manifold))
			return manifold->point_count > 0;
	} else if (refresh(&pair, margin, cache, manifold)) {
		counts->refreshed++;
		return manifold->point_count > 0;
	}
	counts->searched++;
	return search(&pair, margin, cache, manifold);
}

void rbl_collide_on_face(const rbl_polyhedron *a, rbl_transform pose_a, const rbl_polyhedron *b,
                         rbl_transform pose_b, bool is_b, int face, float margin,
                         rbl_manifold *manifold)
{
	rbl_polyhedron_pair pair = rbl_polyhedron_pair_make(a, pose_a, b, pose_b);
	if (rbl_polyhedron_pair_is_revolved(&pair)) {
		rbl_collide_revolved_on_face(&pair, is_b, face, margin, manifold);
		return;
	}
	rbl_sat_axis axis = { .kind = is_b ? RBL_SAT_FACE_B : RBL_SAT_FACE_A, .a = face, .b = face };
	face_points(&pair, &axis, margin, manifold);
}
