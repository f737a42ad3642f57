// SPDX-License-Identifier: MIT
//
// Points of a collider that may touch another body: vertices, and samples along convex edges as far
// as they are near that body; for spheres and capsules their axis, with the radius around it; for
// cylinders and cones discs along it.
//
// Samples of an edge are at fixed places, so that their ids last while a body slides along: an edge
// is cut into equal lengths, at most an eightieth of the other body's diagonal. Rows of samples are
// left out by one measurement at their middle.
//
// A mesh or height field touches with its convex edges and borders. Where it is flat or concave,
// the points of the other body do. A normal must lie between those of the triangles around the
// edge or vertex, or the contact belongs elsewhere: a body that slides over a hardly convex edge
// would trip over samples that are nearest to the body's own side (collide/contacts.c has the same
// rule).

#include "field/collider_field.h"

#include "base/hash.h"
#include "base/vec.h"

enum { ROW_LENGTH = 16, FIRST_EDGE_ID = 256, MOST_SAMPLES = 1 << 20, MOST_AXIS_POINTS = 33 };

// On a rim, where an end is flat on something: the normal is that close to the axis.
enum { RIM_POINTS = 32 };
static const float flat_cosine = 0.95f;

// The first counts, the second fills: both see the same features.
typedef struct point_gathering {
	const rbl_collider_visit *visit;
	rbl_box near;           // of the other body, with its reach, in the collider's frame
	float spacing;          // of samples
	rbl_collider_points *p; // its arrays are NULL while counting
	bool has_children;
} point_gathering;

static uint32_t child_id(const point_gathering *g, int child, uint32_t id)
{
	if (!g->has_children)
		return id;
	uint64_t hash = rbl_hash_number(rbl_hash_mix((uint64_t)child), id);
	return (uint32_t)hash & (RBL_FIELD_POINT_ID_END - 1);
}

static void begin_row(point_gathering *g)
{
	if (g->p->rows)
		g->p->rows[g->p->row_count] = (rbl_point_row){ .first = g->p->count };
	g->p->row_count++;
}

static void add_collider_point(point_gathering *g, const rbl_collider_point *point)
{
	rbl_collider_points *p = g->p;
	if (p->points) {
		p->points[p->count] = *point;
		p->bounds = rbl_box_add_point(p->bounds, point->position);
		p->rows[p->row_count - 1].count++;
	}
	p->count++;
}

static void end_row(point_gathering *g)
{
	if (!g->p->rows)
		return;
	rbl_point_row *row = &g->p->rows[g->p->row_count - 1];
	const rbl_collider_point *points = g->p->points + row->first;
	rbl_box box = rbl_box_empty();
	for (int i = 0; i < row->count; ++i)
		box = rbl_box_add_point(box, points[i].position);
	row->centre = rbl_box_centre(box);
	for (int i = 0; i < row->count; ++i)
		row->radius =
			rbl_maxf(row->radius, rbl_distance(row->centre, points[i].position) + points[i].radius);
}

static bool is_near_other(const point_gathering *g, rbl_vec3 p, float radius)
{
	rbl_vec3 gap = rbl_max(rbl_sub(g->near.lower, p), rbl_sub(p, g->near.upper));
	return rbl_maxf(rbl_maxf(gap.x, gap.y), gap.z) <= radius;
}

static void add_single_point(point_gathering *g, const rbl_collider_point *point)
{
	if (!is_near_other(g, point->position, point->radius))
		return;
	begin_row(g);
	add_collider_point(g, point);
	end_row(g);
}

// The part of a segment, 0 to 1, that is in a box. @return false for none
static bool clip_segment(rbl_box box, rbl_vec3 a, rbl_vec3 b, float *enter, float *leave)
{
	*enter = 0.0f, *leave = 1.0f;
	for (int axis = 0; axis < 3; ++axis) {
		float from = rbl_axis(a, axis), along = rbl_axis(b, axis) - from;
		float lower = rbl_axis(box.lower, axis) - from, upper = rbl_axis(box.upper, axis) - from;
		if (along == 0.0f) {
			if (lower > 0.0f || upper < 0.0f)
				return false;
			continue;
		}
		float s = lower / along, t = upper / along;
		*enter = rbl_maxf(*enter, rbl_minf(s, t));
		*leave = rbl_minf(*leave, rbl_maxf(s, t));
	}
	return *enter <= *leave;
}

// Samples between the ends of an edge.
// @param point  what they have in common; id is that of the edge's first sample
static void add_edge_samples(point_gathering *g, rbl_vec3 a, rbl_vec3 b,
                             const rbl_collider_point *point)
{
	float enter, leave, length = rbl_distance(a, b);
	if (!clip_segment(g->near, a, b, &enter, &leave))
		return;
	int n = (int)rbl_minf(length / g->spacing, (float)(MOST_SAMPLES - 1)) + 1;
	int first = rbl_maxi((int)(enter * (float)n), 1);
	int last = rbl_mini((int)(leave * (float)n) + 1, n - 1);
	for (int k = first, in_row = 0; k <= last; ++k) {
		rbl_collider_point sample = *point;
		sample.position = rbl_lerp(a, b, (float)k / (float)n);
		uint64_t hash = rbl_hash_number(point->id, (uint64_t)k);
		sample.id = (uint32_t)hash & (RBL_FIELD_POINT_ID_END - 1);
		if (in_row == 0)
			begin_row(g);
		add_collider_point(g, &sample);
		if (++in_row == ROW_LENGTH || k == last)
			in_row = 0, end_row(g);
	}
}

// --- convex kinds -------------------------------------------------------------------------------

static void add_axis(point_gathering *g, const rbl_polyhedron *p, rbl_transform pose, int child)
{
	rbl_vec3 a = rbl_polyhedron_vertex(p, 0);
	rbl_vec3 b = p->vertex_count > 1 ? rbl_polyhedron_vertex(p, 1) : a;
	float length = rbl_distance(a, b);
	int n = (int)rbl_minf(2.0f * length / p->radius, (float)(MOST_AXIS_POINTS - 2));
	n = p->vertex_count > 1 ? n + 1 : 0;
	for (int i = 0; i <= n; ++i) {
		rbl_vec3 local = n > 0 ? rbl_lerp(a, b, (float)i / (float)n) : a;
		add_single_point(g, &(rbl_collider_point){ .position = rbl_transform_point(pose, local),
		                                           .radius = p->radius,
		                                           .id = child_id(g, child, (uint32_t)i),
		                                           .child = child,
		                                           .cosine = -1.0f });
	}
}

// Discs along the axis, which touch with whatever point of their rim is lowest, and for the ends to
// rest on samples of their rims.
static void add_revolution(point_gathering *g, const rbl_revolution *r, rbl_transform pose,
                           int child)
{
	double largest = r->radii[0] > r->radii[1] ? r->radii[0] : r->radii[1];
	rbl_vec3 axis = rbl_rotate(pose.rotation, rbl_to_f(r->axis));
	int n = 1 + (int)rbl_minf((float)(2.0 * r->length / largest), (float)(MOST_AXIS_POINTS - 2));
	for (int i = 0; i <= n; ++i) {
		double s = (double)i / (double)n;
		rbl_vec3 local = rbl_to_f(rbl_add_scaled_d(r->ends[0], s * r->length, r->axis));
		float radius = (float)(r->radii[0] + s * (r->radii[1] - r->radii[0]));
		add_single_point(g, &(rbl_collider_point){ .position = rbl_transform_point(pose, local),
		                                           .radius = radius,
		                                           .disc = axis,
		                                           .id = child_id(g, child, (uint32_t)i),
		                                           .child = child,
		                                           .cosine = -1.0f });
	}
	for (int end = 0; end < 2; ++end)
		for (int k = 0; k < RIM_POINTS && r->radii[end] > 0.0; ++k) {
			rbl_vec3 at = rbl_to_f(rbl_revolution_rim(r, end, (double)k / RIM_POINTS));
			uint32_t id = (uint32_t)(MOST_AXIS_POINTS + end * RIM_POINTS + k);
			add_single_point(g, &(rbl_collider_point){ .position = rbl_transform_point(pose, at),
			                                           .id = child_id(g, child, id),
			                                           .child = child,
			                                           .axis = end ? axis : rbl_neg(axis),
			                                           .cosine = flat_cosine });
		}
}

static void add_polyhedron(point_gathering *g, const rbl_polyhedron *p, rbl_transform pose,
                           int child)
{
	if (p->revolution) {
		add_revolution(g, p->revolution, pose, child);
		return;
	}
	if (p->face_count == 0) {
		add_axis(g, p, pose, child);
		return;
	}
	rbl_collider_point point = { .radius = p->radius, .child = child, .cosine = -1.0f };
	for (int v = 0; v < p->vertex_count; ++v) {
		point.position = rbl_transform_point(pose, rbl_polyhedron_vertex(p, v));
		point.id = child_id(g, child, (uint32_t)v);
		add_single_point(g, &point);
	}
	for (int e = 0; e < p->edge_count; ++e) {
		rbl_polyhedron_edge edge = p->edge_list[e];
		point.id = child_id(g, child, (uint32_t)(FIRST_EDGE_ID + e));
		add_edge_samples(g, rbl_transform_point(pose, rbl_polyhedron_vertex(p, edge.tail)),
		                 rbl_transform_point(pose, rbl_polyhedron_vertex(p, edge.head)), &point);
	}
}

// --- surfaces -----------------------------------------------------------------------------------

// A vertex of a mesh or height field: once, whatever the number of triangles it has.
typedef struct surface_vertex {
	uint32_t id; // UINT32_MAX: the entry is empty
	int32_t child;
	rbl_vec3 position, sum; // of normals
	float cosine;           // between the mean of normals and the outermost
	bool touches;           // a convex edge or a border ends here
} surface_vertex;

typedef struct vertex_table {
	surface_vertex *entries; // open addressing
	uint32_t mask;
	int32_t *order; // in which they were added
	int count;
} vertex_table;

static surface_vertex *find_vertex(vertex_table *table, uint32_t id)
{
	uint32_t at = (uint32_t)rbl_hash_mix(id) & table->mask;
	while (table->entries[at].id != id && table->entries[at].id != UINT32_MAX)
		at = (at + 1) & table->mask;
	if (table->entries[at].id == UINT32_MAX) {
		table->entries[at] = (surface_vertex){ .id = id, .cosine = 1.0f };
		table->order[table->count++] = (int32_t)at;
	}
	return &table->entries[at];
}

static uint32_t corner_id(const rbl_collider *c, const rbl_near_triangle *t, int corner)
{
	const rbl_collider_parts *parts = c->parts;
	if (c->kind == RBL_COLLIDER_MESH)
		return (uint32_t)parts->triangles[3 * t->child + corner];
	int column = (int)(t->corners[corner].x / parts->cell_size + 0.5f);
	int row = (int)(t->corners[corner].z / parts->cell_size + 0.5f);
	return (uint32_t)(column + row * parts->column_count);
}

static rbl_vec3 corners_mean(const rbl_vec3 p[3])
{
	return rbl_scale(1.0f / 3.0f, rbl_add(p[0], rbl_add(p[1], p[2])));
}

// Whether a side sticks out, and the cone of normals there.
static bool is_convex_side(const rbl_collider *c, const rbl_near_triangle *t, int side,
                           rbl_vec3 *axis, float *cosine)
{
	int neighbour = rbl_collider_neighbour(c, t->child, side);
	*axis = t->normal, *cosine = 0.0f;
	if (neighbour < 0)
		return true;
	rbl_vec3 q[3];
	rbl_collider_triangle(c, neighbour, q);
	rbl_vec3 normal = rbl_normalize(rbl_cross(rbl_sub(q[1], q[0]), rbl_sub(q[2], q[0])));
	rbl_vec3 between = rbl_sub(corners_mean(q), corners_mean(t->corners));
	if (rbl_dot(t->normal, between) >= 0.0f || rbl_dot(t->normal, normal) >= 0.9998f)
		return false;
	*axis = rbl_normalize(rbl_add(t->normal, normal));
	*cosine = rbl_dot(*axis, normal);
	return true;
}

// What rounding and curvature of the other body may take from a cone.
static const float cone_slack = 0.02f;

static void add_surface_edges(point_gathering *g, const rbl_collider_field *field)
{
	const rbl_collider *c = g->visit->collider;
	for (int i = 0; i < field->triangle_count; ++i) {
		const rbl_near_triangle *t = &field->triangles[i];
		for (int side = 0; side < 3; ++side) {
			int neighbour = rbl_collider_neighbour(c, t->child, side);
			rbl_collider_point point = { .child = t->child };
			if ((neighbour >= 0 && neighbour < t->child) ||
			    !is_convex_side(c, t, side, &point.axis, &point.cosine))
				continue;
			point.cosine -= cone_slack;
			point.id = (uint32_t)(3 * t->child + side);
			add_edge_samples(g, t->corners[side], t->corners[(side + 1) % 3], &point);
		}
	}
}

static void fill_vertices(const rbl_collider *c, const rbl_collider_field *field,
                          vertex_table *table)
{
	for (int i = 0; i < field->triangle_count; ++i) {
		const rbl_near_triangle *t = &field->triangles[i];
		for (int k = 0; k < 3; ++k) {
			surface_vertex *vertex = find_vertex(table, corner_id(c, t, k));
			rbl_vec3 axis;
			float cosine;
			bool touches = is_convex_side(c, t, k, &axis, &cosine) ||
			               is_convex_side(c, t, (k + 2) % 3, &axis, &cosine);
			bool is_border = t->border_corners >> k & 1;
			vertex->child = t->child;
			vertex->position = t->corners[k];
			vertex->sum = rbl_add(vertex->sum, t->normal);
			vertex->touches |= touches;
			vertex->cosine = is_border ? 0.0f : vertex->cosine;
		}
	}
	for (int i = 0; i < field->triangle_count; ++i) {
		const rbl_near_triangle *t = &field->triangles[i];
		for (int k = 0; k < 3; ++k) {
			surface_vertex *vertex = find_vertex(table, corner_id(c, t, k));
			float cosine = rbl_dot(rbl_normalize(vertex->sum), t->normal);
			vertex->cosine = rbl_minf(vertex->cosine, cosine);
		}
	}
}

static void add_surface_vertices(point_gathering *g, const vertex_table *table)
{
	for (int i = 0; i < table->count; ++i) {
		const surface_vertex *vertex = &table->entries[table->order[i]];
		if (!vertex->touches)
			continue;
		add_single_point(g, &(rbl_collider_point){ .position = vertex->position,
		                                           .id = vertex->id,
		                                           .child = vertex->child,
		                                           .axis = rbl_normalize(vertex->sum),
		                                           .cosine = vertex->cosine - cone_slack });
	}
}

static bool make_table(const rbl_collider_field *field, rbl_arena *arena, vertex_table *table)
{
	uint32_t size = 8;
	while (size < 6 * (uint32_t)field->triangle_count)
		size *= 2;
	table->mask = size - 1;
	table->entries = RBL_ARENA_NEW(arena, surface_vertex, size);
	table->order = RBL_ARENA_NEW(arena, int32_t, size);
	if (!table->entries || !table->order)
		return false;
	for (uint32_t i = 0; i < size; ++i)
		table->entries[i].id = UINT32_MAX;
	return true;
}

// --- all ----------------------------------------------------------------------------------------

static void gather_all(point_gathering *g, const rbl_collider_field *field,
                       const vertex_table *table)
{
	const rbl_collider *c = g->visit->collider;
	g->p->count = g->p->row_count = 0;
	if (c->polyhedron) {
		add_polyhedron(g, c->polyhedron, rbl_transform_identity(), 0);
		return;
	}
	for (int i = 0; i < field->part_count; ++i) {
		const rbl_collider_child *part = &c->parts->children[field->parts[i]];
		add_polyhedron(g, part->collider->polyhedron, part->pose, field->parts[i]);
	}
	if (rbl_collider_is_surface(c) && c->kind != RBL_COLLIDER_PLANE) {
		add_surface_vertices(g, table);
		add_surface_edges(g, field);
	}
}

rbl_result rbl_collider_points_gather(const rbl_collider_visit *visit,
                                      const rbl_collider_field *field, rbl_arena *arena,
                                      rbl_collider_points *points)
{
	const float samples_per_diagonal = 80.0f;
	rbl_box box = rbl_tree_moved_box(visit->other_to_collider, visit->other_box);
	float diagonal = rbl_length(rbl_box_size(visit->other_box));
	*points = (rbl_collider_points){ .bounds = rbl_box_empty() };
	point_gathering g = { .visit = visit,
		                  .near = rbl_box_grow(box, visit->reach),
		                  .spacing = rbl_maxf(diagonal / samples_per_diagonal, 1e-6f),
		                  .p = points,
		                  .has_children = visit->collider->kind == RBL_COLLIDER_COMPOUND };
	vertex_table table = { .count = 0 };
	if (rbl_collider_is_surface(visit->collider) && visit->collider->kind != RBL_COLLIDER_PLANE) {
		if (!make_table(field, arena, &table))
			return RBL_OUT_OF_MEMORY;
		fill_vertices(visit->collider, field, &table);
	}
	gather_all(&g, field, &table);
	points->points = RBL_ARENA_NEW(arena, rbl_collider_point, points->count);
	points->rows = RBL_ARENA_NEW(arena, rbl_point_row, points->row_count);
	if (!points->points || !points->rows)
		return RBL_OUT_OF_MEMORY;
	gather_all(&g, field, &table);
	return RBL_OK;
}
