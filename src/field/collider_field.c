// SPDX-License-Identifier: MIT
//
// Distances of points from a collider, for one query.
//
// Convex kinds: exact, inside the least of the distances to planes, outside that to the nearest
// face, edge or vertex. A compound is the union of its parts. Of a mesh or height field those
// triangles count that are near the other body; triangles are solid on their back, as in
// collide/contacts.c, and this is what it means for a point:
//
//   - In front of the nearest triangle it is outside, behind it inside, where the other body lies
//     across that triangle. A body that is behind as a whole has not come through, and is left
//     alone: its points are hidden.
//   - Past a border nothing is behind: there it is outside.
//   - Of triangles that meet in the nearest point the one decides that the point is highest above,
//     or deepest below: the others see it at a flat angle, and perhaps from the wrong side.
//
// A hidden point must be no contact, and yet its distance must be a lower bound for what hangs
// below it in a tree. So the distance is raised by more than any contact has, and the bound by as
// much.

#include "field/collider_field.h"

#include "base/vec.h"

// --- convex kinds -------------------------------------------------------------------------------

typedef struct nearest_point {
	rbl_vec3 position;
	float square; // of the distance
} nearest_point;

static void try_segment(rbl_vec3 x, rbl_vec3 a, rbl_vec3 b, nearest_point *best)
{
	rbl_vec3 along = rbl_sub(b, a);
	float square = rbl_length_squared(along);
	float s = square > 0.0f ? rbl_clampf(rbl_dot(rbl_sub(x, a), along) / square, 0.0f, 1.0f) : 0.0f;
	rbl_vec3 q = rbl_add_scaled(a, s, along);
	float distance = rbl_length_squared(rbl_sub(x, q));
	if (distance < best->square)
		*best = (nearest_point){ q, distance };
}

// A point in front of a face.
static void try_face(const rbl_polyhedron *p, int face, rbl_vec3 x, float height,
                     nearest_point *best)
{
	rbl_vec3 normal = rbl_polyhedron_normal(p, face);
	bool is_above = true;
	int first = p->face_starts[face], end = p->face_starts[face + 1];
	for (int i = first; i < end; ++i) {
		rbl_vec3 a = rbl_polyhedron_vertex(p, p->corners[i]);
		rbl_vec3 b = rbl_polyhedron_vertex(p, p->corners[i + 1 < end ? i + 1 : first]);
		if (rbl_dot(rbl_cross(normal, rbl_sub(b, a)), rbl_sub(x, a)) < 0.0f) {
			is_above = false;
			try_segment(x, a, b, best);
		}
	}
	if (is_above && height * height < best->square)
		*best = (nearest_point){ rbl_add_scaled(x, -height, normal), height * height };
}

static rbl_vec3 unit_or(rbl_vec3 v, rbl_vec3 otherwise)
{
	float length = rbl_length(v);
	return length > 1e-12f ? rbl_scale(1.0f / length, v) : otherwise;
}

static float polyhedron_distance(const rbl_polyhedron *p, rbl_vec3 x, rbl_vec3 *gradient)
{
	const rbl_vec3 up = { 0.0f, 1.0f, 0.0f };
	if (p->revolution) {
		rbl_vec3d normal;
		double distance = rbl_revolution_distance(p->revolution, rbl_to_d(x), &normal);
		*gradient = rbl_to_f(normal);
		return (float)distance - p->radius;
	}
	nearest_point best = { rbl_polyhedron_vertex(p, 0), FLT_MAX };
	if (p->face_count == 0) {
		rbl_vec3 a = best.position;
		try_segment(x, a, p->vertex_count > 1 ? rbl_polyhedron_vertex(p, 1) : a, &best);
		rbl_vec3 from = rbl_sub(x, best.position);
		*gradient = unit_or(from, up);
		return rbl_length(from) - p->radius;
	}
	float most = -FLT_MAX;
	int face = 0;
	for (int f = 0; f < p->face_count; ++f) {
		float height = rbl_dot(rbl_polyhedron_normal(p, f), x) - rbl_polyhedron_offset(p, f);
		if (height > most)
			most = height, face = f;
	}
	*gradient = rbl_polyhedron_normal(p, face);
	if (most <= 0.0f)
		return most - p->radius;
	for (int f = 0; f < p->face_count; ++f) {
		float height = rbl_dot(rbl_polyhedron_normal(p, f), x) - rbl_polyhedron_offset(p, f);
		if (height > 0.0f)
			try_face(p, f, x, height, &best);
	}
	rbl_vec3 from = rbl_sub(x, best.position);
	*gradient = unit_or(from, *gradient);
	return rbl_length(from) - p->radius;
}

// --- compounds ----------------------------------------------------------------------------------

static float compound_distance(const rbl_collider_field *field, rbl_vec3 x, rbl_vec3 *gradient,
                               int32_t *child)
{
	float least = INFINITY;
	for (int i = 0; i < field->part_count; ++i) {
		const rbl_collider_child *part = &field->collider->parts->children[field->parts[i]];
		const rbl_polyhedron *p = part->collider->polyhedron;
		if (rbl_distance(x, part->pose.position) - p->bounding_radius > least)
			continue;
		rbl_vec3 local;
		float d = polyhedron_distance(p, rbl_transform_point_inverse(part->pose, x), &local);
		if (d < least) {
			least = d, *child = field->parts[i];
			*gradient = rbl_rotate(part->pose.rotation, local);
		}
	}
	return least;
}

// --- triangles ----------------------------------------------------------------------------------

// The nearest point of a triangle, and on what it lies.
typedef struct triangle_foot {
	rbl_vec3 position;
	float square; // of the distance
	float height; // above the triangle's plane
	bool is_on_border;
} triangle_foot;

static triangle_foot find_foot(const rbl_near_triangle *t, rbl_vec3 x)
{
	triangle_foot foot = { .square = FLT_MAX,
		                   .height = rbl_dot(t->normal, rbl_sub(x, t->corners[0])) };
	bool is_above = true;
	for (int i = 0; i < 3; ++i) {
		rbl_vec3 a = t->corners[i], b = t->corners[(i + 1) % 3], along = rbl_sub(b, a);
		rbl_vec3 to = rbl_sub(x, a);
		if (rbl_dot(rbl_cross(t->normal, along), to) >= 0.0f)
			continue;
		is_above = false;
		float s = rbl_clampf(rbl_dot(to, along) / rbl_length_squared(along), 0.0f, 1.0f);
		rbl_vec3 q = rbl_add_scaled(a, s, along);
		float square = rbl_length_squared(rbl_sub(x, q));
		if (square < foot.square) {
			foot.square = square, foot.position = q;
			foot.is_on_border = s <= 0.0f   ? t->border_corners >> i & 1
			                    : s >= 1.0f ? t->border_corners >> (i + 1) % 3 & 1
			                                : t->border_sides >> i & 1;
		}
	}
	if (is_above) {
		foot.square = foot.height * foot.height;
		foot.position = rbl_add_scaled(x, -foot.height, t->normal);
	}
	return foot;
}

static float square_from_box(rbl_vec3 x, rbl_box box)
{
	rbl_vec3 gap = rbl_max(rbl_sub(box.lower, x), rbl_sub(x, box.upper));
	return rbl_length_squared(rbl_max(gap, (rbl_vec3){ 0.0f, 0.0f, 0.0f }));
}

// Whether the first foot is the nearer one; of equals the one that sees the point steeper.
static bool is_nearer(const triangle_foot *a, const triangle_foot *b)
{
	float slack = 1e-5f * b->square;
	if (fabsf(a->square - b->square) > slack)
		return a->square < b->square;
	return fabsf(a->height) > fabsf(b->height);
}

static float surface_distance(const rbl_collider_field *field, rbl_vec3 x, rbl_vec3 *gradient,
                              int32_t *child, float *bound)
{
	triangle_foot best = { .square = FLT_MAX };
	const rbl_near_triangle *nearest = NULL;
	for (int i = 0; i < field->triangle_count; i += RBL_NEAR_BLOCK) {
		if (square_from_box(x, field->blocks[i / RBL_NEAR_BLOCK]) > 1.0001f * best.square)
			continue;
		for (int k = i; k < rbl_mini(i + RBL_NEAR_BLOCK, field->triangle_count); ++k) {
			triangle_foot foot = find_foot(&field->triangles[k], x);
			if (is_nearer(&foot, &best))
				best = foot, nearest = &field->triangles[k];
		}
	}
	if (!nearest)
		return INFINITY;
	*child = nearest->child;
	float distance = sqrtf(best.square);
	rbl_vec3 from = rbl_sub(x, best.position);
	if (best.height >= 0.0f || best.is_on_border) {
		*gradient = unit_or(from, nearest->normal);
		return distance;
	}
	if (nearest->is_crossed) {
		*gradient = unit_or(rbl_neg(from), nearest->normal);
		return -distance;
	}
	*bound += field->hidden;
	return distance + field->hidden;
}

static float plane_distance(const rbl_collider *c, rbl_vec3 x, rbl_vec3 *gradient)
{
	*gradient = c->parts->plane.normal;
	return rbl_collider_plane_height(c, x);
}

// --- the field ----------------------------------------------------------------------------------

static void evaluate_collider(const rbl_distance_field *head, const rbl_vec3 *points, int count,
                              float *distances, float *bounds, rbl_vec3 *gradients)
{
	const rbl_collider_field *field = (const rbl_collider_field *)head;
	const rbl_collider *c = field->collider;
	rbl_vec3 most = rbl_max(rbl_neg(c->box.lower), c->box.upper);
	float size = rbl_maxf(rbl_maxf(most.x, most.y), most.z);
	if (c->kind == RBL_COLLIDER_PLANE) // no digits are lost on where it ends
		size = fabsf(c->parts->plane.offset);
	for (int i = 0; i < count; ++i) {
		rbl_vec3 gradient = { 0.0f, 0.0f, 0.0f };
		int32_t child = 0;
		bounds[i] = 0.0f;
		distances[i] = INFINITY;
		if (rbl_is_finite(points[i])) {
			bounds[i] = 4.0f * FLT_EPSILON * (rbl_minf(size, 100.0f) + rbl_length(points[i]));
			distances[i] = c->polyhedron ? polyhedron_distance(c->polyhedron, points[i], &gradient)
			               : c->kind == RBL_COLLIDER_PLANE ? plane_distance(c, points[i], &gradient)
			               : rbl_collider_is_surface(c)
			                   ? surface_distance(field, points[i], &gradient, &child, &bounds[i])
			                   : compound_distance(field, points[i], &gradient, &child);
		}
		if (gradients)
			gradients[i] = gradient;
		if (field->children)
			field->children[i] = child;
	}
}

// It belongs to an arena.
static void destroy_nothing(rbl_distance_field *head)
{
	(void)head;
}

static const rbl_distance_field_kind collider_kind = { evaluate_collider, destroy_nothing };

// --- what is near -------------------------------------------------------------------------------

typedef struct near_query {
	const rbl_collider_visit *visit;
	rbl_box box;       // of the other body, in the collider's frame
	rbl_mat3 rotation; // of the other body there
	rbl_vec3 centre, half;
	int32_t *children; // NULL: they are only counted
	int count;
} near_query;

static bool add_child(void *context, int child)
{
	near_query *query = context;
	if (query->children)
		query->children[query->count] = child;
	query->count++;
	return true;
}

// Whether the other body's box, as it is turned, lies across the plane of a triangle.
static bool is_crossed(const near_query *query, const rbl_near_triangle *t, rbl_box triangle_box)
{
	const rbl_mat3 *r = &query->rotation;
	float radius = fabsf(rbl_dot(r->x, t->normal)) * query->half.x +
	               fabsf(rbl_dot(r->y, t->normal)) * query->half.y +
	               fabsf(rbl_dot(r->z, t->normal)) * query->half.z;
	float height = rbl_dot(t->normal, rbl_sub(query->centre, t->corners[0]));
	return fabsf(height) <= radius && rbl_box_overlaps(triangle_box, query->box);
}

// @return false when it has no area
static bool make_triangle(const near_query *query, int child, rbl_near_triangle *t, rbl_box *box)
{
	const rbl_collider *c = query->visit->collider;
	*t = (rbl_near_triangle){ .child = child };
	rbl_collider_triangle(c, child, t->corners);
	rbl_vec3 normal =
		rbl_cross(rbl_sub(t->corners[1], t->corners[0]), rbl_sub(t->corners[2], t->corners[0]));
	float length = rbl_length(normal);
	if (!(length > 0.0f))
		return false;
	t->normal = rbl_scale(1.0f / length, normal);
	*box = rbl_box_empty();
	for (int i = 0; i < 3; ++i) {
		*box = rbl_box_add_point(*box, t->corners[i]);
		if (rbl_collider_neighbour(c, child, i) < 0) {
			t->border_sides |= (uint8_t)(1 << i);
			t->border_corners |= (uint8_t)(1 << i | 1 << (i + 1) % 3);
		}
	}
	t->is_crossed = query->visit->is_sweep || is_crossed(query, t, *box);
	return true;
}

static void make_near_triangles(rbl_collider_field *field, const near_query *query)
{
	for (int i = 0; i < query->count; ++i) {
		rbl_box box;
		if (!make_triangle(query, query->children[i], &field->triangles[field->triangle_count],
		                   &box))
			continue;
		int block = field->triangle_count / RBL_NEAR_BLOCK;
		if (field->triangle_count % RBL_NEAR_BLOCK == 0)
			field->blocks[block] = rbl_box_empty();
		field->blocks[block] = rbl_box_join(field->blocks[block], box);
		field->triangle_count++;
	}
}

rbl_result rbl_collider_field_init(rbl_collider_field *field, const rbl_collider_visit *visit,
                                   rbl_arena *arena)
{
	*field = (rbl_collider_field){ .head.kind = &collider_kind,
		                           .collider = visit->collider,
		                           .hidden = visit->tolerance + 1.0f };
	if (visit->collider->polyhedron || visit->collider->kind == RBL_COLLIDER_PLANE)
		return RBL_OK;
	rbl_box box = rbl_tree_moved_box(visit->other_to_collider, visit->other_box);
	near_query query = {
		.visit = visit,
		.box = box,
		.rotation = rbl_quat_to_mat(visit->other_to_collider.rotation),
		.centre = rbl_transform_point(visit->other_to_collider, rbl_box_centre(visit->other_box)),
		.half = rbl_scale(0.5f, rbl_box_size(visit->other_box)),
	};
	// Points deep behind a surface are nearest to what lies beside the box.
	const float share_beside = 0.05f;
	float beside = share_beside * rbl_length(rbl_box_size(visit->other_box));
	rbl_box near = rbl_box_grow(box, visit->reach + beside);
	rbl_collider_query(visit->collider, near, add_child, &query);
	query.children = RBL_ARENA_NEW(arena, int32_t, query.count);
	if (!query.children)
		return RBL_OUT_OF_MEMORY;
	query.count = 0;
	rbl_collider_query(visit->collider, near, add_child, &query);
	if (!rbl_collider_is_surface(visit->collider)) {
		field->parts = query.children;
		field->part_count = query.count;
		return RBL_OK;
	}
	field->triangles = RBL_ARENA_NEW(arena, rbl_near_triangle, query.count);
	field->blocks = RBL_ARENA_NEW(arena, rbl_box, query.count / RBL_NEAR_BLOCK + 1);
	if (!field->triangles || !field->blocks)
		return RBL_OUT_OF_MEMORY;
	make_near_triangles(field, &query);
	return RBL_OK;
}
