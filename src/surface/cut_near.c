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
