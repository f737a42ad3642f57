// SPDX-License-Identifier: MIT
//
// The half-edge mesh of a cutter: making it, splitting edges, taking edges apart.
//
// Splitting an edge puts a vertex on it and moves nothing else, so it changes neither volume nor
// shape. A triangle that falls in two keeps its number for the part at the start of the half-edge.

#include "cutting/cutter.h"

#include "base/log.h"
#include "base/vec.h"
#include "geometry/geometry.h"

enum { COOKIE = 0x63757474, MAX_TRIANGLES = 0x0fffffff };

rbl_cutter_def rbl_default_cutter_def(void)
{
	return (rbl_cutter_def){ .cookie = COOKIE };
}

static rbl_result check_def(const rbl_cutter_def *def)
{
	if (!def || def->cookie != COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_cutter_def()");
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "the allocator lacks a function");
	if (def->vertex_count < 0 || def->triangle_count < 0 ||
	    (def->vertex_count > 0 && !def->positions) || (def->triangle_count > 0 && !def->triangles))
		return rbl_fail(RBL_BAD_ARGUMENT, "vertices or triangles are missing");
	if (def->triangle_count > MAX_TRIANGLES || def->vertex_count > MAX_TRIANGLES)
		return rbl_fail(RBL_LIMIT_REACHED, "more than %d triangles or vertices", MAX_TRIANGLES);
	if (!(def->front_spacing >= 0.0) || !isfinite(def->front_spacing))
		return rbl_fail(RBL_BAD_ARGUMENT, "front_spacing must be finite and at least 0");
	for (int i = 0; i < def->vertex_count; ++i)
		if (!rbl_is_finite_d(def->positions[i]))
			return rbl_fail(RBL_BAD_ARGUMENT, "vertex %d is not finite", i);
	for (int i = 0; i < 3 * def->triangle_count; ++i)
		if (def->triangles[i] < 0 || def->triangles[i] >= def->vertex_count)
			return rbl_fail(RBL_BAD_ARGUMENT, "triangle %d has the vertex %d of %d", i / 3,
			                def->triangles[i], def->vertex_count);
	return RBL_OK;
}

static double mean_edge(const rbl_cutter_def *def)
{
	double sum = 0.0;
	for (int h = 0; h < 3 * def->triangle_count; ++h)
		sum += rbl_distance_d(def->positions[def->triangles[h]],
		                      def->positions[def->triangles[rbl_cutter_next(h)]]);
	return def->triangle_count > 0 ? sum / (3.0 * def->triangle_count) : 1.0;
}

// Find the twins; refuse what is not closed, oriented and manifold.
static rbl_result link_twins(rbl_cutter *cutter, const rbl_cutter_def *def)
{
	rbl_mesh_def mesh_def = rbl_default_mesh_def();
	mesh_def.data.vertex_count = def->vertex_count;
	mesh_def.data.positions = def->positions;
	mesh_def.data.face_count = def->triangle_count;
	mesh_def.data.corner_count = 3 * def->triangle_count;
	mesh_def.data.corner_vertices = def->triangles;
	mesh_def.allocator = cutter->allocator;
	rbl_mesh *mesh;
	rbl_result result = rbl_create_mesh(&mesh_def, &mesh);
	if (result != RBL_OK)
		return result;
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	rbl_adjacency adjacency;
	rbl_mesh_report report;
	result = rbl_mesh_check(mesh, &report);
	if (result == RBL_OK && !(report.is_closed && report.is_manifold && report.is_oriented))
		result = rbl_fail(RBL_BAD_MESH, "the mesh is not a closed, oriented manifold");
	if (result == RBL_OK)
		result = rbl_adjacency_init(&adjacency, &cutter->allocator, &data);
	if (result == RBL_OK) {
		for (int h = 0; h < data.corner_count && result == RBL_OK; ++h) {
			cutter->twins.data[h] = adjacency.twins[h];
			if (adjacency.twins[h] < 0)
				result = rbl_fail(RBL_BAD_MESH, "triangle %d has an edge without a twin", h / 3);
		}
		rbl_adjacency_destroy(&adjacency);
	}
	rbl_destroy_mesh(mesh);
	return result;
}

static rbl_result fill_cutter(rbl_cutter *cutter, const rbl_cutter_def *def)
{
	const rbl_allocator *allocator = &cutter->allocator;
	int half_edges = 3 * def->triangle_count;
	if (!rbl_array_resize(allocator, &cutter->positions, def->vertex_count) ||
	    !rbl_array_resize(allocator, &cutter->triangles, half_edges) ||
	    !rbl_array_resize(allocator, &cutter->twins, half_edges) ||
	    !rbl_array_resize(allocator, &cutter->edge_points, half_edges) ||
	    !rbl_array_resize(allocator, &cutter->anchors, def->vertex_count) ||
	    !rbl_array_resize(allocator, &cutter->crack_ids, def->triangle_count) ||
	    !rbl_array_resize(allocator, &cutter->origins, def->triangle_count) ||
	    !rbl_array_resize(allocator, &cutter->marks, def->triangle_count))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < def->vertex_count; ++i)
		cutter->positions.data[i] = def->positions[i];
	for (int h = 0; h < half_edges; ++h) {
		cutter->triangles.data[h] = def->triangles[h];
		cutter->edge_points.data[h] = -1;
		cutter->anchors.data[def->triangles[h]] = h;
	}
	for (int i = 0; i < def->triangle_count; ++i) {
		cutter->crack_ids.data[i] = -1;
		cutter->origins.data[i] = i;
		cutter->marks.data[i] = 0;
	}
	cutter->spacing = def->front_spacing > 0.0 ? def->front_spacing : mean_edge(def);
	return link_twins(cutter, def);
}

rbl_result rbl_create_cutter(const rbl_cutter_def *def, rbl_cutter **cutter)
{
	if (!cutter)
		return rbl_fail(RBL_BAD_ARGUMENT, "cutter is NULL");
	*cutter = NULL;
	rbl_result result = check_def(def);
	if (result != RBL_OK)
		return result;
	rbl_allocator allocator = rbl_allocator_or_default(&def->allocator);
	rbl_cutter *made = RBL_NEW_ZERO(&allocator, rbl_cutter, 1);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	made->allocator = allocator;
	rbl_arena_init(&made->scratch, &made->allocator, 4096);
	result = fill_cutter(made, def);
	if (result != RBL_OK) {
		rbl_destroy_cutter(made);
		return result;
	}
	*cutter = made;
	return RBL_OK;
}

void rbl_destroy_cutter(rbl_cutter *cutter)
{
	if (!cutter)
		return;
	rbl_allocator allocator = cutter->allocator;
	rbl_arena_destroy(&cutter->scratch);
	rbl_map_free(&allocator, &cutter->edges);
	rbl_array_free(&allocator, &cutter->faces);
	rbl_array_free(&allocator, &cutter->sources);
	rbl_array_free(&allocator, &cutter->parts);
	rbl_array_free(&allocator, &cutter->changed);
	rbl_array_free(&allocator, &cutter->front);
	rbl_array_free(&allocator, &cutter->events);
	rbl_array_free(&allocator, &cutter->points);
	rbl_crack_surface_destroy(&cutter->sheet, &allocator);
	rbl_array_free(&allocator, &cutter->origins);
	rbl_array_free(&allocator, &cutter->marks);
	rbl_array_free(&allocator, &cutter->crack_ids);
	rbl_array_free(&allocator, &cutter->anchors);
	rbl_array_free(&allocator, &cutter->edge_points);
	rbl_array_free(&allocator, &cutter->twins);
	rbl_array_free(&allocator, &cutter->triangles);
	rbl_array_free(&allocator, &cutter->positions);
	RBL_FREE(&allocator, cutter, 1);
}

rbl_cutter_mesh rbl_cutter_get_mesh(const rbl_cutter *cutter)
{
	return (rbl_cutter_mesh){ .vertex_count = cutter->positions.count,
		                      .positions = cutter->positions.data,
		                      .triangle_count = cutter->crack_ids.count,
		                      .triangles = cutter->triangles.data,
		                      .twins = cutter->twins.data,
		                      .crack_ids = cutter->crack_ids.data };
}

rbl_result rbl_cutter_get_components(const rbl_cutter *cutter, int *labels, int *count)
{
	if (!cutter || !labels || !count)
		return rbl_fail(RBL_BAD_ARGUMENT, "cutter, labels or count is NULL");
	int triangles = cutter->crack_ids.count;
	*count = 0;
	if (triangles == 0)
		return RBL_OK;
	int *stack = RBL_NEW(&cutter->allocator, int, triangles);
	if (!stack)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < triangles; ++i)
		labels[i] = -1;
	for (int first = 0; first < triangles; ++first) {
		if (labels[first] >= 0)
			continue;
		int top = 0;
		labels[first] = *count;
		stack[top++] = first;
		while (top > 0) {
			int t = stack[--top];
			for (int k = 0; k < 3; ++k) {
				int other = cutter->twins.data[3 * t + k] / 3;
				if (labels[other] < 0) {
					labels[other] = *count;
					stack[top++] = other;
				}
			}
		}
		(*count)++;
	}
	RBL_FREE(&cutter->allocator, stack, triangles);
	return RBL_OK;
}

int rbl_cutter_add_vertex(rbl_cutter *cutter, rbl_vec3d position)
{
	RBL_ASSERT(cutter->positions.count < cutter->positions.capacity);
	cutter->positions.data[cutter->positions.count] = position;
	cutter->anchors.data[cutter->anchors.count++] = -1;
	return cutter->positions.count++;
}

int rbl_cutter_add_triangle(rbl_cutter *cutter, int a, int b, int c, int crack_id)
{
	int t = cutter->crack_ids.count++;
	RBL_ASSERT(t < cutter->crack_ids.capacity);
	const int corners[3] = { a, b, c };
	for (int k = 0; k < 3; ++k) {
		cutter->triangles.data[3 * t + k] = corners[k];
		cutter->twins.data[3 * t + k] = RBL_CUT_OPEN;
		cutter->edge_points.data[3 * t + k] = -1;
	}
	cutter->triangles.count = cutter->twins.count = cutter->edge_points.count = 3 * t + 3;
	cutter->marks.data[cutter->marks.count++] = cutter->step_number;
	cutter->origins.data[cutter->origins.count++] = t;
	cutter->crack_ids.data[t] = crack_id;
	return t;
}

static void join_half_edges(rbl_cutter *cutter, int a, int b)
{
	cutter->twins.data[a] = b;
	if (b >= 0)
		cutter->twins.data[b] = a;
}

// A triangle from before this step is listed once, however often it is cut.
static void note_changed(rbl_cutter *cutter, int t)
{
	if (cutter->marks.data[t] == cutter->step_number)
		return;
	cutter->marks.data[t] = cutter->step_number;
	cutter->origins.data[t] = t;
	cutter->changed.data[cutter->changed.count++] = t;
}

// Half-edge a -> b of triangle (a, b, c) gets the vertex v: (a, v, c) stays, (v, b, c) is new.
// @return the half-edge v -> b
static int split_triangle(rbl_cutter *cutter, int h, int v)
{
	int *triangles = cutter->triangles.data;
	int next = rbl_cutter_next(h), t = h / 3;
	int b = triangles[next], c = triangles[rbl_cutter_prev(h)];
	note_changed(cutter, t);
	int made = rbl_cutter_add_triangle(cutter, v, b, c, cutter->crack_ids.data[t]);
	cutter->origins.data[made] = cutter->origins.data[t];
	cutter->parts.data[cutter->parts.count++] = made;
	cutter->sources.data[cutter->sources.count++] = cutter->origins.data[t];
	triangles[next] = v;
	// The edge b -> c moves to the new triangle, with the cut point that may wait on it.
	join_half_edges(cutter, 3 * made + 1, cutter->twins.data[next]);
	int point = cutter->edge_points.data[next];
	cutter->edge_points.data[3 * made + 1] = point;
	cutter->edge_points.data[next] = -1;
	if (point >= 0 && cutter->points.data[point].half_edge == next)
		cutter->points.data[point].half_edge = 3 * made + 1;
	if (cutter->anchors.data[b] == next)
		cutter->anchors.data[b] = 3 * made + 1;
	join_half_edges(cutter, next, 3 * made + 2);
	return 3 * made;
}

void rbl_cutter_split_edge(rbl_cutter *cutter, int h, int vertex)
{
	int twin = cutter->twins.data[h];
	cutter->edge_points.data[h] = cutter->edge_points.data[twin] = -1;
	int upper = split_triangle(cutter, h, vertex);    // h is a -> v, upper v -> b
	int lower = split_triangle(cutter, twin, vertex); // twin is b -> v, lower v -> a
	join_half_edges(cutter, h, lower);
	join_half_edges(cutter, upper, twin);
	cutter->anchors.data[vertex] = upper;
}

int rbl_cutter_find_half_edge(const rbl_cutter *cutter, int start, int to)
{
	const int *triangles = cutter->triangles.data, *twins = cutter->twins.data;
	// One way round until an open edge, then the other way.
	int h = start;
	do {
		if (triangles[rbl_cutter_next(h)] == to)
			return h;
		h = twins[rbl_cutter_prev(h)];
	} while (h >= 0 && h != start);
	if (h == start)
		return -1;
	for (h = twins[start]; h >= 0; h = twins[h]) {
		h = rbl_cutter_next(h);
		if (triangles[rbl_cutter_next(h)] == to)
			return h;
	}
	return -1;
}

void rbl_cutter_open_edge(rbl_cutter *cutter, int half_edge)
{
	int twin = cutter->twins.data[half_edge];
	cutter->twins.data[half_edge] = RBL_CUT_OPEN;
	if (twin >= 0)
		cutter->twins.data[twin] = RBL_CUT_OPEN;
}

void rbl_cutter_set_fan_vertex(rbl_cutter *cutter, int half_edge, int vertex)
{
	int *triangles = cutter->triangles.data, *twins = cutter->twins.data;
	int h = half_edge;
	do {
		triangles[h] = vertex;
		h = twins[rbl_cutter_prev(h)];
	} while (h >= 0 && h != half_edge);
	if (h == half_edge)
		return;
	for (h = twins[half_edge]; h >= 0; h = twins[h]) {
		h = rbl_cutter_next(h);
		triangles[h] = vertex;
	}
}
