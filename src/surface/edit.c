// SPDX-License-Identifier: MIT
//
// Editing a body at a cost of what is touched: what is going to happen.
//
// rbl_surface_split() reads a label of every triangle. An edit names what changes, and nothing here
// goes through the whole body: entries and touched vertices are found by id through arrays that are
// zero between calls, triangles around a vertex by its fan, and lists of the body know the places
// of their items. All is planned in scratch memory; edit_apply.c carries it out.

#include "surface/edit.h"

#include "base/clock.h"
#include "base/log.h"

enum { EDIT_COOKIE = 0x73656474 };

rbl_surface_edit_def rbl_default_surface_edit_def(void)
{
	return (rbl_surface_edit_def){ .piece_count = 1, .cookie = EDIT_COOKIE };
}

static rbl_result check_edit_def(const rbl_surface_edit_def *def)
{
	if (!def || def->cookie != EDIT_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_surface_edit_def()");
	if (def->piece_count < 1 || def->changed_count < 0 || def->corner_count < 0 ||
	    def->vertex_count < 0 || def->triangle_count < 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "a count is out of range");
	if ((def->changed_count > 0 && !def->changed) ||
	    (def->corner_count > 0 && (!def->corners || !def->corner_vertices)) ||
	    (def->vertex_count > 0 && !def->positions && !def->parents) ||
	    (def->parents && !def->weights) || (def->triangle_count > 0 && !def->triangles))
		return rbl_fail(RBL_BAD_ARGUMENT, "triangles, corners, vertices or weights are missing");
	if (def->piece_count > RBL_MAX_SURFACE_ITEMS || def->changed_count > RBL_MAX_SURFACE_ITEMS ||
	    def->corner_count > RBL_MAX_SURFACE_ITEMS || def->vertex_count > RBL_MAX_SURFACE_ITEMS ||
	    def->triangle_count > RBL_MAX_SURFACE_ITEMS)
		return rbl_fail(RBL_LIMIT_REACHED, "more than %d changes", RBL_MAX_SURFACE_ITEMS);
	return RBL_OK;
}

// --- places -------------------------------------------------------------------------------------

// Arrays by id, as long as those of the surface. @return false when memory ran out
static bool reserve_places(rbl_surface *surface)
{
	int triangles = surface->triangle_capacity, vertices = surface->vertex_capacity;
	int old = surface->placed_triangle_capacity;
	rbl_growth growths[] = {
		{ &surface->triangle_places, sizeof(int), old, &surface->placed_triangle_capacity,
		  triangles, NULL },
		{ &surface->triangle_entries, sizeof(int), old, &surface->placed_triangle_capacity,
		  triangles, NULL },
		{ &surface->vertex_places, sizeof(int), surface->placed_vertex_capacity,
		  &surface->placed_vertex_capacity, vertices, NULL },
	};
	if (!rbl_grow_together(&surface->allocator, growths, 3))
		return false;
	for (int i = old; i < surface->placed_triangle_capacity; ++i)
		surface->triangle_entries[i] = 0;
	return true;
}

static void number_places(rbl_surface *surface, rbl_surface_body *body)
{
	for (int i = 0; i < body->triangles.count; ++i)
		surface->triangle_places[body->triangles.data[i]] = i;
	for (int i = 0; i < body->vertices.count; ++i)
		surface->vertex_places[body->vertices.data[i]] = i;
	body->has_places = true;
}

static bool has_vertex(const rbl_surface_edit_plan *e, int vertex)
{
	const rbl_surface_body *body = &e->surface->bodies.data[e->slot];
	if (vertex < 0 || vertex >= e->surface->vertex_end)
		return false;
	int place = e->surface->vertex_places[vertex];
	return place >= 0 && place < body->vertices.count && body->vertices.data[place] == vertex;
}

static bool edit_has_triangle(const rbl_surface_edit_plan *e, int triangle)
{
	const rbl_surface *surface = e->surface;
	return triangle >= 0 && triangle < surface->triangle_end && surface->clusters[triangle] >= 0 &&
	       surface->cluster_data[surface->clusters[triangle]].body == e->slot;
}

// --- what is touched ----------------------------------------------------------------------------

static bool grow(rbl_surface_edit_plan *e, void **list, int count, int *capacity, size_t size)
{
	if (count < *capacity)
		return true;
	int room = 2 * *capacity + 64;
	void *grown = rbl_arena_allocate(&e->surface->scratch, (size_t)room, size);
	if (!grown) {
		e->is_out_of_memory = true;
		return false;
	}
	if (count > 0)
		memcpy(grown, *list, (size_t)count * size);
	*list = grown;
	*capacity = room;
	return true;
}

// @return its number, -1 when memory ran out
static int touch(rbl_surface_edit_plan *e, int vertex)
{
	int *known = &e->surface->vertex_scratch[vertex];
	if (*known > 0)
		return *known - 1;
	if (!grow(e, (void **)&e->vertices, e->vertex_count, &e->vertex_capacity, sizeof *e->vertices))
		return -1;
	e->vertices[e->vertex_count] = (rbl_surface_edit_vertex){ vertex, -1, -1 };
	*known = ++e->vertex_count;
	return *known - 1;
}

// The vertex that a definition names: of the body or new. @return -1 on failure
static int touch_named(rbl_surface_edit_plan *e, int name)
{
	return name < 0 ? -1 - name : touch(e, name);
}

static rbl_surface_edit_triangle *add_entry(rbl_surface_edit_plan *e, int triangle)
{
	int *known = &e->surface->triangle_entries[triangle];
	if (*known > 0)
		return &e->entries[*known - 1];
	if (!grow(e, (void **)&e->entries, e->entry_count, &e->entry_capacity, sizeof *e->entries))
		return NULL;
	rbl_surface_edit_triangle *entry = &e->entries[e->entry_count];
	*entry = (rbl_surface_edit_triangle){ .id = triangle, .loose = -1 };
	*known = ++e->entry_count;
	return entry;
}

// An entry whose corners are touched.
static rbl_surface_edit_triangle *add_touched(rbl_surface_edit_plan *e, int triangle)
{
	bool is_known = e->surface->triangle_entries[triangle] > 0;
	rbl_surface_edit_triangle *entry = add_entry(e, triangle);
	for (int k = 0; entry && !is_known && k < 3; ++k)
		if ((entry->corners[k] = touch(e, e->surface->triangles[3 * triangle + k])) < 0)
			return NULL;
	return entry;
}

static rbl_result name_changed(rbl_surface_edit_plan *e)
{
	const rbl_surface_edit_def *def = e->def;
	for (int i = 0; i < def->changed_count; ++i) {
		int triangle = def->changed[i], label = def->changed_labels ? def->changed_labels[i] : -1;
		if (!edit_has_triangle(e, triangle))
			return rbl_fail(RBL_BAD_ARGUMENT, "%d is not a triangle of the body", triangle);
		if (label < -1 || label >= def->piece_count)
			return rbl_fail(RBL_BAD_ARGUMENT, "triangle %d has the piece %d of %d", triangle, label,
			                def->piece_count);
		if (e->surface->triangle_entries[triangle] > 0)
			return rbl_fail(RBL_BAD_ARGUMENT, "triangle %d comes twice", triangle);
		rbl_surface_edit_triangle *entry = add_touched(e, triangle);
		if (!entry)
			return RBL_OUT_OF_MEMORY;
		entry->piece = label;
		entry->is_named = true;
	}
	return RBL_OK;
}

static bool is_known_vertex(const rbl_surface_edit_plan *e, int name)
{
	return name < 0 ? name >= -e->def->vertex_count : has_vertex(e, name);
}

static rbl_result name_corners(rbl_surface_edit_plan *e)
{
	const rbl_surface_edit_def *def = e->def;
	for (int i = 0; i < def->corner_count; ++i) {
		int triangle = def->corners[i] / 3, name = def->corner_vertices[i];
		if (def->corners[i] < 0 || !edit_has_triangle(e, triangle))
			return rbl_fail(RBL_BAD_ARGUMENT, "corner %d is of no triangle of the body",
			                def->corners[i]);
		if (!is_known_vertex(e, name))
			return rbl_fail(RBL_BAD_ARGUMENT, "corner %d gets an unknown vertex %d",
			                def->corners[i], name);
		rbl_surface_edit_triangle *entry = add_touched(e, triangle);
		if (!entry)
			return RBL_OUT_OF_MEMORY;
		if (entry->piece < 0)
			return rbl_fail(RBL_BAD_ARGUMENT, "triangle %d goes, and gets a corner", triangle);
		int vertex = touch_named(e, name), bit = 1 << def->corners[i] % 3;
		if (vertex < 0)
			return RBL_OUT_OF_MEMORY;
		if (entry->cornered & bit)
			return rbl_fail(RBL_BAD_ARGUMENT, "corner %d comes twice", def->corners[i]);
		entry->corners[def->corners[i] % 3] = vertex;
		entry->cornered |= (unsigned char)bit;
	}
	for (int i = 0; i < e->entry_count; ++i) {
		const int *v = e->entries[i].corners;
		if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
			return rbl_fail(RBL_BAD_ARGUMENT, "triangle %d would have a vertex twice",
			                e->entries[i].id);
	}
	return RBL_OK;
}

static rbl_result check_new(rbl_surface_edit_plan *e)
{
	const rbl_surface_edit_def *def = e->def;
	for (int i = 0; i < 3 * def->vertex_count && def->parents; ++i)
		if (def->parents[i] != -1 &&
		    (!has_vertex(e, def->parents[i]) || !isfinite(def->weights[i])))
			return rbl_fail(RBL_BAD_ARGUMENT, "new vertex %d has an unknown parent or weight",
			                i / 3);
	for (int i = 0; i < def->vertex_count && !def->positions; ++i) {
		const int *parents = def->parents + 3 * (size_t)i;
		if (parents[0] < 0 && parents[1] < 0 && parents[2] < 0)
			return rbl_fail(RBL_BAD_ARGUMENT, "new vertex %d has neither position nor parent", i);
	}
	for (int t = 0; t < def->triangle_count; ++t) {
		const int *v = def->triangles + 3 * (size_t)t;
		int label = def->triangle_labels ? def->triangle_labels[t] : 0;
		if (label < 0 || label >= def->piece_count)
			return rbl_fail(RBL_BAD_ARGUMENT, "new triangle %d has the piece %d of %d", t, label,
			                def->piece_count);
		if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
			return rbl_fail(RBL_BAD_ARGUMENT, "new triangle %d has a vertex twice", t);
		for (int k = 0; k < 3; ++k) {
			if (!is_known_vertex(e, v[k]))
				return rbl_fail(RBL_BAD_ARGUMENT, "new triangle %d has an unknown vertex %d", t,
				                v[k]);
			if (touch_named(e, v[k]) < 0)
				return RBL_OUT_OF_MEMORY;
		}
	}
	return RBL_OK;
}

// --- what lies around ---------------------------------------------------------------------------

// An entry of a triangle that nothing was said about.
static bool add_around(rbl_surface_edit_plan *e, int triangle)
{
	bool is_known = e->surface->triangle_entries[triangle] > 0;
	rbl_surface_edit_triangle *entry = add_entry(e, triangle);
	for (int k = 0; entry && !is_known && k < 3; ++k) {
		int vertex = e->surface->triangles[3 * triangle + k];
		int known = e->surface->vertex_scratch[vertex];
		entry->corners[k] = known > 0 ? known - 1 : -1 - vertex;
	}
	return entry != NULL;
}

typedef struct around {
	rbl_surface_edit_plan *edit;
	int vertex;
} around;

static bool add_clusters(void *context, const uint32_t *leaves, int count)
{
	const around *a = context;
	const rbl_surface *surface = a->edit->surface;
	for (int i = 0; i < count; ++i) {
		const rbl_surface_cluster *cluster = &surface->cluster_data[leaves[i]];
		for (int lane = 0; lane < cluster->count; ++lane) {
			const int *v = surface->triangles + 3 * cluster->triangles[lane];
			if ((v[0] == a->vertex || v[1] == a->vertex || v[2] == a->vertex) &&
			    !add_around(a->edit, cluster->triangles[lane]))
				return false;
		}
	}
	return true;
}

// Only one fan of a vertex is known. Boxes of the tree tell where others are; where the body moved
// since they were fitted, which takes as long, all of it is read.
static bool add_fans(rbl_surface_edit_plan *e, int vertex)
{
	const rbl_surface *surface = e->surface;
	const rbl_surface_body *body = &surface->bodies.data[e->slot];
	if (body->fit.holds_all) {
		rbl_vec3 p = surface->positions[1][vertex];
		around a = { e, vertex };
		return rbl_tree_query_box(&body->tree, (rbl_box){ p, p }, add_clusters, &a);
	}
	for (int i = 0; i < body->triangles.count; ++i) {
		int triangle = body->triangles.data[i];
		const int *v = surface->triangles + 3 * triangle;
		if ((v[0] == vertex || v[1] == vertex || v[2] == vertex) && !add_around(e, triangle))
			return false;
	}
	return true;
}

static bool add_all_around(rbl_surface_edit_plan *e)
{
	const rbl_surface *surface = e->surface;
	for (int i = e->def->vertex_count; i < e->vertex_count; ++i) {
		int vertex = e->vertices[i].id, start = surface->anchors[vertex];
		if (surface->vertex_flags[vertex] & RBL_SURFACE_MANY_FANS) {
			if (!add_fans(e, vertex))
				return false;
			continue;
		}
		for (int h = start; h >= 0;) {
			if (!add_around(e, h / 3))
				return false;
			h = surface->twins[rbl_surface_prev(h)];
			if (h == start)
				break;
		}
	}
	return true;
}

// --- clusters -----------------------------------------------------------------------------------

static int piece_of(const rbl_surface_edit_plan *e, int triangle)
{
	int entry = e->surface->triangle_entries[triangle];
	return entry > 0 ? e->entries[entry - 1].piece : 0;
}

static bool is_named(const rbl_surface_edit_plan *e, int triangle)
{
	int entry = e->surface->triangle_entries[triangle];
	return entry > 0 && e->entries[entry - 1].is_named;
}

static bool dissolve(rbl_surface_edit_plan *e, int index)
{
	const rbl_surface_cluster *cluster = &e->surface->cluster_data[index];
	e->dissolved[e->dissolved_count++] = index;
	for (int lane = 0; lane < cluster->count; ++lane) {
		if (!add_around(e, cluster->triangles[lane]))
			return false;
		int at = e->surface->triangle_entries[cluster->triangles[lane]] - 1;
		if (e->entries[at].piece >= 0) {
			e->entries[at].loose = e->loose_count;
			e->loose[e->loose_count++] = at;
		}
	}
	return true;
}

// Clusters of named triangles, each by the first of them: they go to one piece as a whole, or are
// dissolved.
static bool sort_clusters(rbl_surface_edit_plan *e)
{
	const rbl_surface *surface = e->surface;
	for (int i = 0; i < e->def->changed_count; ++i) {
		int index = surface->clusters[e->def->changed[i]], lane = 0;
		const rbl_surface_cluster *cluster = &surface->cluster_data[index];
		while (!is_named(e, cluster->triangles[lane]))
			lane++;
		if (cluster->triangles[lane] != e->def->changed[i])
			continue;
		int piece = piece_of(e, cluster->triangles[0]);
		bool is_whole = piece >= 0;
		for (lane = 1; lane < cluster->count; ++lane)
			is_whole &= piece_of(e, cluster->triangles[lane]) == piece;
		if (is_whole && piece > 0)
			e->moved[e->moved_count++] = index;
		else if (!is_whole && !dissolve(e, index))
			return false;
	}
	return true;
}

// Few that are left of a cluster go to one beside them that has space.
static bool dissolve_beside(rbl_surface_edit_plan *e)
{
	const rbl_surface *surface = e->surface;
	int count = e->loose_count;
	if (count == 0 || count + e->def->triangle_count > RBL_SURFACE_CLUSTER_SIZE / 2)
		return true;
	for (int i = 0; i < count; ++i)
		for (int k = 0; k < 3; ++k) {
			int twin = surface->twins[3 * e->entries[e->loose[i]].id + k];
			if (twin < 0 || e->entries[e->loose[i]].piece != 0)
				continue;
			const rbl_surface_cluster *cluster =
				&surface->cluster_data[surface->clusters[twin / 3]];
			bool is_whole =
				cluster->count + count + e->def->triangle_count <= RBL_SURFACE_CLUSTER_SIZE;
			for (int lane = 0; lane < cluster->count; ++lane)
				is_whole &= !is_named(e, cluster->triangles[lane]);
			if (is_whole)
				return dissolve(e, surface->clusters[twin / 3]);
		}
	return true;
}

// --- pieces, vertices, edges --------------------------------------------------------------------

static rbl_result add_new_triangles(rbl_surface_edit_plan *e)
{
	const rbl_surface_edit_def *def = e->def;
	e->old_count = e->entry_count;
	int *ids = RBL_ARENA_NEW(&e->surface->scratch, int, def->triangle_count);
	if (!ids)
		return RBL_OUT_OF_MEMORY;
	rbl_surface_peek_triangles(e->surface, def->triangle_count, ids);
	for (int t = 0; t < def->triangle_count; ++t) {
		rbl_surface_edit_triangle *entry = add_entry(e, ids[t]);
		if (!entry)
			return RBL_OUT_OF_MEMORY;
		for (int k = 0; k < 3; ++k)
			entry->corners[k] = touch_named(e, def->triangles[3 * (size_t)t + (size_t)k]);
		entry->piece = def->triangle_labels ? def->triangle_labels[t] : 0;
		entry->loose = e->loose_count;
		e->loose[e->loose_count++] = e->entry_count - 1;
	}
	return RBL_OK;
}

static rbl_result give_vertices(rbl_surface_edit_plan *e)
{
	const rbl_surface_body *body = &e->surface->bodies.data[e->slot];
	for (int i = 0; i < e->entry_count; ++i) {
		const rbl_surface_edit_triangle *entry = &e->entries[i];
		if (entry->is_named || i >= e->old_count)
			e->triangle_counts[entry->piece < 0 ? e->piece_count : entry->piece]++;
		for (int k = 0; entry->piece >= 0 && k < 3; ++k) {
			if (entry->corners[k] < 0)
				continue;
			int *keeper = &e->vertices[entry->corners[k]].keeper;
			if (*keeper < 0 || entry->piece < *keeper)
				*keeper = entry->piece;
		}
	}
	if (body->triangles.count - e->def->changed_count + e->triangle_counts[0] == 0)
		return rbl_fail(RBL_BAD_ARGUMENT, "piece 0 has no triangle");
	for (int p = 1; p < e->piece_count; ++p)
		if (e->triangle_counts[p] == 0)
			return rbl_fail(RBL_BAD_ARGUMENT, "piece %d has no triangle", p);
	for (int i = 0; i < e->vertex_count; ++i) {
		if (i < e->def->vertex_count && e->vertices[i].keeper < 0)
			return rbl_fail(RBL_BAD_ARGUMENT, "new vertex %d has no triangle", i);
		if (e->vertices[i].keeper >= 0)
			e->vertex_counts[e->vertices[i].keeper]++;
	}
	return RBL_OK;
}

// The copy of a vertex for a piece. @return its number, -1 when memory ran out
static int copy_of(rbl_surface_edit_plan *e, int source, int piece)
{
	for (int i = e->vertices[source].copies; i >= 0; i = e->copies[i].next)
		if (e->copies[i].piece == piece)
			return i;
	if (!grow(e, (void **)&e->copies, e->copy_count, &e->copy_capacity, sizeof *e->copies))
		return -1;
	e->copies[e->copy_count] = (rbl_surface_edit_copy){ e->vertices[source].copies, piece, source };
	e->vertices[source].copies = e->copy_count;
	e->vertex_counts[piece]++;
	return e->copy_count++;
}

static bool copy_vertices(rbl_surface_edit_plan *e)
{
	for (int i = 0; i < e->entry_count; ++i)
		for (int k = 0; e->entries[i].piece >= 0 && k < 3; ++k) {
			int corner = e->entries[i].corners[k];
			if (corner < 0 || e->vertices[corner].keeper == e->entries[i].piece)
				continue;
			int copy = copy_of(e, corner, e->entries[i].piece);
			if (copy < 0)
				return false;
			e->entries[i].corners[k] = e->vertex_count + copy;
		}
	int made = e->copy_count + e->def->vertex_count;
	e->new_ids = RBL_ARENA_NEW(&e->surface->scratch, int, made);
	if (!e->new_ids)
		return false;
	rbl_surface_peek_vertices(e->surface, made, e->new_ids);
	for (int i = 0; i < e->def->vertex_count; ++i)
		e->vertices[i].id = e->new_ids[e->copy_count + i];
	return true;
}

static rbl_vec3d mix(const rbl_surface *surface, int time, const int *parents,
                     const double *weights)
{
	rbl_vec3d sum = { 0.0, 0.0, 0.0 };
	for (int k = 0; k < 3; ++k)
		if (parents[k] >= 0)
			sum = rbl_add_d(sum,
			                rbl_scale_d(weights[k], rbl_surface_exact(surface, parents[k], time)));
	return sum;
}

static rbl_result place_vertices(rbl_surface_edit_plan *e)
{
	const rbl_surface_edit_def *def = e->def;
	rbl_arena *arena = &e->surface->scratch;
	for (int time = 0; time < 2; ++time) {
		e->new_positions[time] = RBL_ARENA_NEW(arena, rbl_vec3, def->vertex_count);
		e->new_exact[time] = RBL_ARENA_NEW(arena, rbl_vec3d, def->vertex_count);
		if (!e->new_positions[time] || !e->new_exact[time])
			return RBL_OUT_OF_MEMORY;
	}
	for (int i = 0; i < def->vertex_count; ++i) {
		rbl_vec3d from = { 0.0, 0.0, 0.0 }, to = { 0.0, 0.0, 0.0 };
		if (def->positions)
			from = to = rbl_to_d(def->positions[i]);
		if (def->parents) {
			const int *parents = def->parents + 3 * (size_t)i;
			const double *weights = def->weights + 3 * (size_t)i;
			rbl_vec3d end = mix(e->surface, 1, parents, weights);
			from = mix(e->surface, 0, parents, weights);
			if (def->positions)
				from = rbl_add_d(from, rbl_sub_d(to, end));
			else
				to = end;
		}
		e->new_exact[0][i] = from, e->new_exact[1][i] = to;
		for (int time = 0; time < 2; ++time) {
			e->new_positions[time][i] = rbl_to_f(e->new_exact[time][i]);
			if (!rbl_is_finite(e->new_positions[time][i]))
				return rbl_fail(RBL_BAD_ARGUMENT, "new vertex %d is not finite", i);
		}
	}
	return RBL_OK;
}

// What will lie across the sides of all entries.
static bool join_edges(rbl_surface_edit_plan *e)
{
	rbl_arena *arena = &e->surface->scratch;
	rbl_surface_edge_work work;
	int count = 3 * e->entry_count;
	int *names = RBL_ARENA_NEW(arena, int, count), *twins = RBL_ARENA_NEW(arena, int, count);
	if (!names || !twins || !rbl_surface_edge_work_init(&work, arena, count))
		return false;
	for (int h = 0; h < count; ++h) {
		const rbl_surface_edit_triangle *entry = &e->entries[h / 3];
		names[h] = 3 * entry->id + h % 3;
		int from = entry->corners[h % 3], to = entry->corners[(h + 1) % 3 == 0 ? 0 : h % 3 + 1];
		twins[h] = RBL_SURFACE_BOUNDARY - 8; // stays
		if (entry->piece >= 0 && from >= 0 && to >= 0)
			rbl_surface_edge_work_add(&work, h, rbl_surface_edit_vertex_id(e, from),
			                          rbl_surface_edit_vertex_id(e, to));
	}
	rbl_surface_edge_work_sort(&work);
	rbl_surface_edge_work_join(&work, names, twins);
	for (int h = 0; h < count; ++h) {
		rbl_surface_edit_triangle *entry = &e->entries[h / 3];
		entry->twins[h % 3] = twins[h] >= 0                          ? names[twins[h]]
		                      : twins[h] == RBL_SURFACE_BOUNDARY - 8 ? e->surface->twins[names[h]]
		                                                             : twins[h];
	}
	return true;
}

static bool plan_clusters(rbl_surface_edit_plan *e)
{
	rbl_surface *surface = e->surface;
	rbl_arena *arena = &surface->scratch;
	int count = e->loose_count;
	rbl_surface_plan_item *items = RBL_ARENA_NEW(arena, rbl_surface_plan_item, count);
	e->loose_boxes = RBL_ARENA_NEW(arena, rbl_box, count);
	e->loose_labels = RBL_ARENA_NEW(arena, int, count);
	e->loose_ids = RBL_ARENA_NEW(arena, int, count);
	if (!items || !e->loose_boxes || !e->loose_labels || !e->loose_ids)
		return false;
	for (int i = 0; i < count; ++i) {
		const rbl_surface_edit_triangle *entry = &e->entries[e->loose[i]];
		int across[3];
		rbl_box box = rbl_box_empty();
		for (int k = 0; k < 3; ++k) {
			int twin = entry->twins[k];
			int at = twin < 0 ? 0 : surface->triangle_entries[twin / 3];
			across[k] = at > 0 ? e->entries[at - 1].loose : -1;
			int corner = entry->corners[k];
			if (corner >= e->vertex_count)
				corner = e->copies[corner - e->vertex_count].source;
			for (int time = 0; time < 2; ++time)
				box = rbl_box_add_point(
					box, corner >= 0 && corner < e->def->vertex_count
							 ? e->new_positions[time][corner]
							 : surface->positions[time][corner < 0 ? -1 - corner
				                                                   : e->vertices[corner].id]);
		}
		items[i] = rbl_surface_make_plan_item(across);
		e->loose_boxes[i] = box;
		e->loose_labels[i] = entry->piece;
		e->loose_ids[i] = entry->id;
	}
	if (!rbl_surface_plan_clusters(&e->plan, arena, items, e->loose_boxes, e->loose_labels, count,
	                               count))
		return false;
	uint32_t *ids = RBL_ARENA_NEW(arena, uint32_t, e->plan.count);
	e->cluster_boxes = RBL_ARENA_NEW(arena, rbl_box, e->plan.count);
	if (!ids || !e->cluster_boxes)
		return false;
	rbl_surface_plan_cluster_boxes(surface, NULL, &e->plan, e->loose_boxes, ids, e->cluster_boxes);
	return true;
}

static rbl_result reserve_all(rbl_surface_edit_plan *e)
{
	rbl_surface *surface = e->surface;
	const rbl_allocator *allocator = &surface->allocator;
	int made = e->copy_count + e->def->vertex_count, more = e->piece_count - 1;
	rbl_result result = rbl_surface_reserve(surface, made, e->def->triangle_count, e->plan.count);
	if (result != RBL_OK)
		return result;
	int slots = surface->ids.slot_count + more;
	if (!rbl_surface_reserve_user_ids(surface, e->def->vertex_user_ids != NULL,
	                                  e->def->triangle_user_ids != NULL) ||
	    !reserve_places(surface) || !rbl_id_pool_reserve(allocator, &surface->ids, slots) ||
	    !rbl_array_reserve(allocator, &surface->bodies, slots))
		return RBL_OUT_OF_MEMORY;
	rbl_surface_body *body = &surface->bodies.data[e->slot];
	result = rbl_tree_pool_reserve_more(&surface->body_pool, more, (uint32_t)slots);
	if (result == RBL_OK)
		result = rbl_tree_pool_reserve_more(&surface->pool, e->plan.count + e->moved_count,
		                                    (uint32_t)surface->cluster_capacity);
	if (result != RBL_OK)
		return result;
	if (!rbl_surface_reserve_nodes(surface) ||
	    !rbl_array_extend(allocator, &body->triangles, e->triangle_counts[0]) ||
	    !rbl_array_extend(allocator, &body->vertices, made))
		return RBL_OUT_OF_MEMORY;
	for (int p = 0; p < more; ++p)
		if (!rbl_array_reserve(allocator, &e->pieces[p].vertices, e->vertex_counts[p + 1]) ||
		    !rbl_array_reserve(allocator, &e->pieces[p].triangles, e->triangle_counts[p + 1]))
			return RBL_OUT_OF_MEMORY;
	return RBL_OK;
}

static rbl_result plan_edit(rbl_surface_edit_plan *e)
{
	const rbl_surface_edit_def *def = e->def;
	rbl_arena *arena = &e->surface->scratch;
	size_t pieces = (size_t)def->piece_count;
	int clusters = def->changed_count + 1;
	e->dissolved = RBL_ARENA_NEW(arena, int, clusters);
	e->moved = RBL_ARENA_NEW(arena, int, clusters);
	e->loose = RBL_ARENA_NEW(
		arena, int, (size_t)clusters *RBL_SURFACE_CLUSTER_SIZE + (size_t)def->triangle_count);
	e->triangle_counts = RBL_ARENA_NEW(arena, int, pieces + 1);
	e->vertex_counts = RBL_ARENA_NEW(arena, int, pieces);
	e->pieces = RBL_ARENA_NEW(arena, rbl_surface_body, pieces);
	e->vertex_capacity = def->vertex_count + 64;
	e->vertices = RBL_ARENA_NEW(arena, rbl_surface_edit_vertex, e->vertex_capacity);
	if (!e->dissolved || !e->moved || !e->loose || !e->triangle_counts || !e->vertex_counts ||
	    !e->pieces || !e->vertices) {
		e->pieces = NULL;
		return RBL_OUT_OF_MEMORY;
	}
	memset(e->triangle_counts, 0, (pieces + 1) * sizeof(int));
	memset(e->vertex_counts, 0, pieces * sizeof(int));
	memset(e->pieces, 0, pieces * sizeof *e->pieces);
	for (; e->vertex_count < def->vertex_count; e->vertex_count++)
		e->vertices[e->vertex_count] = (rbl_surface_edit_vertex){ -1, -1, -1 };
	rbl_result result = name_changed(e);
	if (result == RBL_OK)
		result = name_corners(e);
	if (result == RBL_OK)
		result = check_new(e);
	if (result != RBL_OK)
		return result;
	if (!add_all_around(e) || !sort_clusters(e) || !dissolve_beside(e))
		return RBL_OUT_OF_MEMORY;
	result = add_new_triangles(e);
	if (result == RBL_OK)
		result = give_vertices(e);
	if (result == RBL_OK)
		result = place_vertices(e);
	if (result != RBL_OK)
		return result;
	if (!copy_vertices(e) || !join_edges(e) || !plan_clusters(e))
		return RBL_OUT_OF_MEMORY;
	return reserve_all(e);
}

// Arrays by id are zero between calls.
static void clear_marks(rbl_surface_edit_plan *e)
{
	for (int i = 0; i < e->entry_count; ++i)
		e->surface->triangle_entries[e->entries[i].id] = 0;
	for (int i = e->def->vertex_count; i < e->vertex_count; ++i)
		e->surface->vertex_scratch[e->vertices[i].id] = 0;
}

rbl_result rbl_surface_edit(rbl_surface *surface, rbl_surface_body_id body,
                            const rbl_surface_edit_def *def, rbl_surface_body_id *pieces)
{
	if (!surface || (!pieces && def && def->piece_count != 1))
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or pieces is NULL");
	rbl_result result = check_edit_def(def);
	if (result != RBL_OK)
		return result;
	int slot = rbl_surface_slot(surface, body);
	if (slot < 0)
		return RBL_STALE_ID;
	if (rbl_surface_check_whole(surface, slot) != RBL_OK)
		return RBL_BAD_ARGUMENT;
	uint64_t begin = rbl_clock_ns();
	rbl_arena_reset(&surface->scratch);
	result = rbl_surface_reserve(surface, 0, def->triangle_count, 0);
	if (result != RBL_OK)
		return result;
	if (!reserve_places(surface))
		return RBL_OUT_OF_MEMORY;
	if (!surface->bodies.data[slot].has_places)
		number_places(surface, &surface->bodies.data[slot]);
	rbl_surface_edit_plan e = {
		.surface = surface, .def = def, .slot = slot, .piece_count = def->piece_count
	};
	result = plan_edit(&e);
	for (int i = 0; result != RBL_OK && e.pieces && i < def->piece_count; ++i) {
		rbl_array_free(&surface->allocator, &e.pieces[i].vertices);
		rbl_array_free(&surface->allocator, &e.pieces[i].triangles);
	}
	rbl_surface_body_id own = body;
	if (result == RBL_OK)
		rbl_surface_edit_apply(&e, pieces ? pieces : &own);
	clear_marks(&e);
	surface->pending_ns += rbl_clock_ns() - begin;
	return result;
}
