// SPDX-License-Identifier: MIT
//
// What a cut looks at: triangles near the sheet of a knife, in order, and their vertices.

#include "surface/cut.h"

enum { MEAN_SAMPLES = 256 };

double rbl_surface_cut_mean_edge(const rbl_surface *surface, const rbl_surface_body *body)
{
	double sum = 0.0;
	int stride = 1 + body->triangles.count / MEAN_SAMPLES, count = 0;
	for (int i = 0; i < body->triangles.count; i += stride, ++count) {
		const int *v = surface->triangles + 3 * body->triangles.data[i];
		for (int k = 0; k < 3; ++k)
			sum += rbl_distance_d(rbl_to_d(surface->positions[1][v[k]]),
			                      rbl_to_d(surface->positions[1][v[(k + 1) % 3]]));
	}
	return sum / (3.0 * count);
}

typedef struct near_search {
	rbl_surface_cut_plan *plan;
	rbl_box box;
	bool has_starts;
} near_search;

static bool add_near(near_search *s, int triangle)
{
	const rbl_surface *surface = s->plan->surface;
	rbl_box box = rbl_box_empty();
	for (int k = 0; k < 3; ++k)
		for (int time = !s->has_starts; time < 2; ++time)
			box = rbl_box_add_point(box,
			                        surface->positions[time][surface->triangles[3 * triangle + k]]);
	if (!rbl_box_overlaps(box, s->box))
		return true;
	return rbl_array_push(&surface->allocator, &s->plan->near, triangle);
}

static bool add_near_clusters(void *context, const uint32_t *leaves, int count)
{
	near_search *s = context;
	for (int i = 0; i < count; ++i) {
		const rbl_surface_cluster *cluster = &s->plan->surface->cluster_data[leaves[i]];
		for (int lane = 0; lane < cluster->count; ++lane)
			if (!add_near(s, cluster->triangles[lane]))
				return false;
	}
	return true;
}

bool rbl_surface_cut_sort_near(rbl_surface_cut_plan *plan)
{
	int count = plan->near.count, kept = 0;
	rbl_sort_item *items = RBL_ARENA_NEW(&plan->surface->scratch, rbl_sort_item, 2 * (size_t)count);
	if (!items)
		return false;
	for (int i = 0; i < count; ++i)
		items[i] = (rbl_sort_item){ (uint32_t)plan->near.data[i], 0 };
	rbl_sort(items, items + count, count);
	for (int i = 0; i < count; ++i)
		if (i == 0 || items[i].key != items[i - 1].key)
			plan->near.data[kept++] = (int)items[i].key;
	plan->near.count = kept;
	return true;
}

// Triangles whose boxes touch that of the sheet, ascending. Boxes of the tree tell where they are,
// unless the body moved since they were fitted.
bool rbl_surface_cut_find_near(rbl_surface_cut_plan *plan, const rbl_surface_body *body,
                               const rbl_surface_cut_sheet *sheet)
{
	rbl_surface *surface = plan->surface;
	bool has_starts = sheet->follows_motion && body->motion.is_moving;
	near_search s = { plan, rbl_box_around_d(sheet->box), has_starts };
	bool is_good = true;
	if (body->fit.holds_all && (!has_starts || surface->motion == RBL_SURFACE_CONTINUOUS)) {
		is_good = rbl_tree_query_box(&body->tree, s.box, add_near_clusters, &s);
	} else {
		for (int i = 0; i < body->triangles.count && is_good; ++i)
			is_good = add_near(&s, body->triangles.data[i]);
	}
	return is_good && rbl_surface_cut_sort_near(plan);
}

int rbl_surface_cut_vertex(rbl_surface_cut_plan *plan, int vertex)
{
	int *known = &plan->surface->vertex_scratch[vertex];
	if (*known == 0) {
		if (plan->vertex_count == 3 * plan->near.count)
			return -1;
		plan->vertices[plan->vertex_count] = vertex;
		*known = ++plan->vertex_count;
	}
	return *known - 1;
}

bool rbl_surface_cut_is_on_rim(const rbl_surface *surface, int vertex)
{
	int h = surface->anchors[vertex];
	return (surface->vertex_flags[vertex] & RBL_SURFACE_MANY_FANS) || surface->twins[h] < 0 ||
	       surface->twins[rbl_surface_prev(h)] < 0;
}

static bool is_at_place(const rbl_surface *surface, int a, int b)
{
	for (int time = 0; time < 2; ++time) {
		rbl_vec3d d =
			rbl_sub_d(rbl_surface_exact(surface, a, time), rbl_surface_exact(surface, b, time));
		if (d.x != 0.0 || d.y != 0.0 || d.z != 0.0)
			return false;
	}
	return true;
}

// Numbers that are equal have the same key: both zeros are one.
static uint64_t key_of_place(const rbl_surface *surface, int vertex)
{
	uint64_t key = RBL_HASH_START;
	for (int time = 0; time < 2; ++time) {
		rbl_vec3d p = rbl_surface_exact(surface, vertex, time);
		const double values[3] = { p.x + 0.0, p.y + 0.0, p.z + 0.0 };
		key = rbl_hash_bytes(key, values, sizeof values);
	}
	return key;
}

int *rbl_surface_cut_places(rbl_surface_cut_plan *plan)
{
	rbl_arena *arena = &plan->surface->scratch;
	int vertices = plan->vertex_count, count = 0;
	int *places = RBL_ARENA_NEW(arena, int, vertices);
	rbl_sort_item64 *items = RBL_ARENA_NEW(arena, rbl_sort_item64, 2 * (size_t)vertices);
	if (!places || !items)
		return NULL;
	for (int i = 0; i < vertices; ++i) {
		places[i] = i;
		if (rbl_surface_cut_is_on_rim(plan->surface, plan->vertices[i]))
			items[count++] =
				(rbl_sort_item64){ key_of_place(plan->surface, plan->vertices[i]), (uint32_t)i, 0 };
	}
	rbl_sort64(items, items + vertices, count);
	for (int i = 1; i < count; ++i) {
		int own = (int)items[i].value, last = places[items[i - 1].value];
		if (items[i].key == items[i - 1].key &&
		    is_at_place(plan->surface, plan->vertices[own], plan->vertices[last]))
			places[own] = last;
	}
	return places;
}
