// SPDX-License-Identifier: MIT
//
// Leading a crack through a mesh.
//
// The sheet of the crack has one sign per vertex, so an edge is cut or it is not, and the points on
// cut edges form closed loops over the mesh, each with the material on its left in the plane of
// the sheet. The front reaches points in the order of their progress. Three neighbours on a loop
// that are all reached open the edges between them; where a loop goes on beyond them is a tip.
//
// A step is planned before anything is touched:
//   - which points are reached, which edges open, where the tips are;
//   - chains of front edges from tip to tip, inside the material: sorted along the front, the k-th
//     tip at which a loop leaves belongs to the k-th at which one comes back;
//   - the strip between old and new front: opened edges, old chains backwards, new chains. It is
//     triangulated once in the plane, for both sheets.
// Then it is carried out without a decision that could fail: split edges, open them, give the
// lower side its own vertices, add both sheets, and glue by the strip's own edges.
//
// Source: the steps (i) to (iv) of Otaduy et al. 2007, section 4.1, which leave this part to
// others.

#include "cutting/crack_plan.h"

#include "base/log.h"
#include "base/vec.h"

// --- begin --------------------------------------------------------------------------------------

// Where an edge meets the sheet, from its lower end to its upper end whichever triangle asks. A
// point too near an end would leave a triangle without area.
static rbl_vec3d cut_edge(const rbl_sheet *sheet, rbl_vec3d below, double side_below,
                          rbl_vec3d above, double side_above)
{
	enum { ROUNDS = 12 };
	double low = 0.0, high = 1.0, share = 0.5;
	for (int i = 0; i < ROUNDS; ++i) {
		share = low + (high - low) * (side_below / (side_below - side_above));
		double side = rbl_sheet_at(sheet, rbl_lerp_d(below, above, share)).side;
		if (fabs(side) <= 1e-12 * (fabs(side_below) + fabs(side_above)))
			break;
		if (side < 0.0)
			low = share, side_below = side;
		else
			high = share, side_above = side;
	}
	return rbl_lerp_d(below, above, rbl_clampd(share, 1e-3, 1.0 - 1e-3));
}

rbl_cut_point rbl_crack_point(const rbl_sheet *sheet, rbl_vec3d position, int half_edge)
{
	rbl_sheet_point at = rbl_sheet_at(sheet, position);
	return (rbl_cut_point){ .u = at.u,
		                    .w = at.w,
		                    .progress = at.progress,
		                    .half_edge = half_edge,
		                    .vertex = { -1, -1 },
		                    .next = -1,
		                    .prev = -1,
		                    .opened = { -1, -1 },
		                    .polygon_next = -1,
		                    .position = position };
}

// Whether a half-edge goes from below the sheet to above: one half-edge of each edge to cut.
static bool goes_up(const rbl_cutter *cutter, const double *sides, int h)
{
	const int *triangles = cutter->triangles.data;
	return sides[triangles[h]] < 0.0 && !(sides[triangles[rbl_next_half_edge(h)]] < 0.0);
}

// What a new crack needs; all of it is there before the old one is dropped.
typedef struct crack_room {
	double *sides;          // by vertex: height above the sheet
	rbl_sort_item64 *items; // twice as many as edges to cut
	int edge_count;         // edges to cut
} crack_room;

static bool make_room(rbl_cutter *cutter, const rbl_sheet *sheet, crack_room *room)
{
	int vertices = cutter->positions.count;
	room->edge_count = 0;
	room->sides = RBL_ARENA_NEW(&cutter->scratch, double, vertices);
	if (!room->sides)
		return false;
	for (int i = 0; i < vertices; ++i)
		room->sides[i] = rbl_sheet_at(sheet, cutter->positions.data[i]).side;
	for (int h = 0; h < cutter->triangles.count; ++h)
		room->edge_count += goes_up(cutter, room->sides, h);
	room->items = RBL_ARENA_NEW(&cutter->scratch, rbl_sort_item64, 2 * (size_t)room->edge_count);
	return room->items &&
	       rbl_array_reserve(&cutter->allocator, &cutter->points, room->edge_count) &&
	       rbl_array_reserve(&cutter->allocator, &cutter->events, room->edge_count);
}

static void find_points(rbl_cutter *cutter, const rbl_sheet *sheet, const double *sides)
{
	const int *triangles = cutter->triangles.data, *twins = cutter->twins.data;
	for (int h = 0; h < cutter->triangles.count; ++h)
		cutter->edge_points.data[h] = -1;
	cutter->points.count = 0;
	for (int h = 0; h < cutter->triangles.count; ++h) {
		if (!goes_up(cutter, sides, h))
			continue;
		int a = triangles[h], b = triangles[rbl_next_half_edge(h)];
		rbl_vec3d position = cut_edge(sheet, cutter->positions.data[a], sides[a],
		                              cutter->positions.data[b], sides[b]);
		cutter->edge_points.data[h] = cutter->edge_points.data[twins[h]] = cutter->points.count;
		cutter->points.data[cutter->points.count++] = rbl_crack_point(sheet, position, h);
	}
	// A loop enters a triangle where its border goes down and leaves where it goes up.
	for (int h = 0; h < cutter->triangles.count; ++h) {
		int point = cutter->edge_points.data[h];
		if (point < 0 || sides[triangles[h]] < 0.0)
			continue;
		int next = rbl_next_half_edge(h);
		int leave = cutter->edge_points.data[next] >= 0
		                ? cutter->edge_points.data[next]
		                : cutter->edge_points.data[rbl_prev_half_edge(h)];
		cutter->points.data[point].next = leave;
		cutter->points.data[leave].prev = point;
	}
	// A vertex of two triangles (the point of an unfinished crack) has a loop of two points, which
	// encloses nothing: it is never cut, and goes with its neighbours.
	for (int i = 0; i < cutter->points.count; ++i)
		if (cutter->points.data[cutter->points.data[i].next].next == i)
			cutter->points.data[i].progress = DBL_MAX;
}

static void sort_events(rbl_cutter *cutter, rbl_sort_item64 *items)
{
	int count = 0, room = cutter->points.count;
	for (int i = 0; i < room; ++i) {
		double progress = cutter->points.data[i].progress;
		if (progress >= 0.0 && progress <= 1.0)
			items[count++] = (rbl_sort_item64){ rbl_sort_key_double(progress), (uint32_t)i, 0 };
	}
	rbl_sort64(items, items + room, count);
	for (int i = 0; i < count; ++i)
		cutter->events.data[i] = (int)items[i].value;
	cutter->events.count = count;
}

rbl_result rbl_cutter_begin(rbl_cutter *cutter, const rbl_crack *crack)
{
	if (!cutter)
		return rbl_fail(RBL_BAD_ARGUMENT, "cutter is NULL");
	rbl_sheet sheet;
	rbl_result result = rbl_sheet_init(&sheet, &cutter->allocator, crack);
	if (result != RBL_OK)
		return result;
	crack_room room;
	if (!make_room(cutter, &sheet, &room)) {
		rbl_arena_reset(&cutter->scratch);
		rbl_sheet_destroy(&sheet, &cutter->allocator);
		return RBL_OUT_OF_MEMORY;
	}
	// The old crack ends here; what it did to the mesh stays.
	rbl_sheet_destroy(&cutter->sheet, &cutter->allocator);
	cutter->sheet = sheet;
	cutter->front.count = 0;
	cutter->next_event = 0;
	cutter->progress = 0.0;
	find_points(cutter, &sheet, room.sides);
	sort_events(cutter, room.items);
	cutter->edge_point_count = cutter->points.count;
	cutter->has_crack = true;
	rbl_arena_reset(&cutter->scratch);
	return RBL_OK;
}

// --- plan ---------------------------------------------------------------------------------------

// Open the edge to the next point, unless it would stand alone: between two tips, both sides of
// one edge would have the same two vertices.
static void open_from(rbl_cutter *cutter, rbl_crack_plan *p, int point)
{
	rbl_cut_point *points = cutter->points.data;
	int next = points[point].next;
	if (points[point].is_open || !points[point].is_reached || !points[next].is_reached)
		return;
	if (!points[points[point].prev].is_reached && !points[points[next].next].is_reached)
		return;
	points[point].is_open = true;
	p->opened[p->opened_count++] = point;
}

// Reach events, open edges between reached neighbours, and list the points that need a vertex.
static bool plan_openings(rbl_cutter *cutter, rbl_crack_plan *p, double progress)
{
	rbl_cut_point *points = cutter->points.data;
	p->event_end = cutter->next_event;
	while (p->event_end < cutter->events.count &&
	       points[cutter->events.data[p->event_end]].progress <= progress)
		p->event_end++;
	size_t count = (size_t)(p->event_end - cutter->next_event);
	p->opened = RBL_ARENA_NEW(&cutter->scratch, int, 4 * count + 1);
	p->splits = RBL_ARENA_NEW(&cutter->scratch, int, 8 * count + 1);
	if (!p->opened || !p->splits)
		return false;
	for (int i = cutter->next_event; i < p->event_end; ++i)
		points[cutter->events.data[i]].is_reached = true;
	for (int i = cutter->next_event; i < p->event_end; ++i) {
		int point = cutter->events.data[i], prev = points[point].prev;
		open_from(cutter, p, points[prev].prev);
		open_from(cutter, p, prev);
		open_from(cutter, p, point);
		open_from(cutter, p, points[point].next);
	}
	for (int i = 0; i < p->opened_count; ++i) {
		const int both[2] = { p->opened[i], points[p->opened[i]].next };
		for (int k = 0; k < 2; ++k)
			if (points[both[k]].half_edge >= 0 && points[both[k]].mark != cutter->step_number) {
				points[both[k]].mark = cutter->step_number;
				p->splits[p->split_count++] = both[k];
			}
	}
	return true;
}

static bool list_old_chains(rbl_cutter *cutter, rbl_crack_plan *p)
{
	p->old_chains = RBL_ARENA_NEW(&cutter->scratch, rbl_crack_chain, cutter->front.count + 1);
	if (!p->old_chains)
		return false;
	for (int i = 0; i < cutter->front.count; ++i) {
		const rbl_front_edge *edge = &cutter->front.data[i];
		if (edge->a == edge->tips[0])
			p->old_chains[p->old_count++] =
				(rbl_crack_chain){ edge->tips[0], edge->tips[1], i, 0, false };
		p->old_chains[p->old_count - 1].count++;
	}
	return true;
}

// Tips below the start of the path are paired apart from those at the front: they sort behind.
static uint64_t tip_key(const rbl_cutter *cutter, int tip, int beyond, double progress)
{
	const rbl_cut_point *a = &cutter->points.data[tip], *b = &cutter->points.data[beyond];
	bool is_behind = b->progress < 0.0;
	double u = a->u;
	// Where the loop crosses the front itself decides the order, not the last point before it.
	if (!is_behind && b->progress <= 1.0 && b->progress > a->progress)
		u += (b->u - a->u) * ((progress - a->progress) / (b->progress - a->progress));
	uint64_t key = rbl_sort_key_double(u) >> 1;
	return is_behind ? key | (uint64_t)1 << 63 : key;
}

static void add_tip(rbl_cutter *cutter, rbl_crack_plan *p, int point, double progress)
{
	rbl_cut_point *points = cutter->points.data;
	int prev = points[point].prev, next = points[point].next;
	points[point].is_shared = false;
	if (points[prev].is_open == points[point].is_open)
		return;
	points[point].is_shared = true;
	bool is_end = points[prev].is_open;
	rbl_sort_item64 item = { tip_key(cutter, point, is_end ? next : prev, progress),
		                     (uint32_t)point, 0 };
	if (is_end)
		p->ends[p->end_count++] = item;
	else
		p->starts[p->start_count++] = item;
}

// All tips: some of the old ones, and ends of opened edges.
static bool plan_tips(rbl_cutter *cutter, rbl_crack_plan *p, double progress)
{
	size_t room = 2 * (size_t)(p->opened_count + p->old_count) + 1;
	int *candidates = RBL_ARENA_NEW(&cutter->scratch, int, room);
	p->ends = RBL_ARENA_NEW(&cutter->scratch, rbl_sort_item64, 2 * room);
	p->starts = RBL_ARENA_NEW(&cutter->scratch, rbl_sort_item64, 2 * room);
	if (!candidates || !p->ends || !p->starts)
		return false;
	int count = 0;
	for (int i = 0; i < p->old_count; ++i)
		candidates[count++] = p->old_chains[i].a, candidates[count++] = p->old_chains[i].b;
	for (int i = 0; i < p->opened_count; ++i) {
		candidates[count++] = p->opened[i];
		candidates[count++] = cutter->points.data[p->opened[i]].next;
	}
	// Negative marks, so that they are not taken for those of splits.
	for (int i = 0; i < count; ++i)
		if (cutter->points.data[candidates[i]].mark != -cutter->step_number) {
			cutter->points.data[candidates[i]].mark = -cutter->step_number;
			add_tip(cutter, p, candidates[i], progress);
		}
	RBL_ASSERT(p->end_count == p->start_count);
	rbl_sort64(p->ends, p->ends + room, p->end_count);
	rbl_sort64(p->starts, p->starts + room, p->start_count);
	return true;
}

static rbl_crack_chain *find_chain(rbl_crack_plan *p, int a, int b)
{
	for (int i = 0; i < p->old_count; ++i)
		if (p->old_chains[i].a == a && p->old_chains[i].b == b)
			return &p->old_chains[i];
	return NULL;
}

// Front points from tip to tip, one at least: two sheets must not meet in a single edge between
// vertices of the surface.
static bool add_chain_points(rbl_cutter *cutter, rbl_crack_chain *c, double progress)
{
	rbl_cut_point a = cutter->points.data[c->a], b = cutter->points.data[c->b];
	double pieces = fabs(b.u - a.u) / cutter->spacing;
	c->first = cutter->points.count;
	c->count = pieces < 2.0 ? 1 : pieces > 1e5 ? 100000 : (int)(pieces + 0.5) - 1;
	if (!rbl_array_reserve(&cutter->allocator, &cutter->points, c->first + c->count))
		return false;
	double t = cutter->points.data[a.next].progress < 0.0 ? 0.0 : progress;
	for (int i = 0; i < c->count; ++i) {
		double u = a.u + (b.u - a.u) * (i + 1) / (c->count + 1);
		double w = rbl_sheet_front_w(&cutter->sheet, u, t);
		rbl_cut_point point = rbl_crack_point(&cutter->sheet, a.position, -1);
		point.u = u, point.w = w;
		point.position = rbl_sheet_position(&cutter->sheet, u, w);
		point.is_shared = true;
		cutter->points.data[cutter->points.count++] = point;
	}
	return true;
}

static bool plan_chains(rbl_cutter *cutter, rbl_crack_plan *p, double progress)
{
	p->new_chains = RBL_ARENA_NEW(&cutter->scratch, rbl_crack_chain, p->end_count + 1);
	if (!p->new_chains)
		return false;
	for (int i = 0; i < p->end_count; ++i) {
		rbl_crack_chain c = { .a = (int)p->ends[i].value, .b = (int)p->starts[i].value };
		rbl_crack_chain *old = find_chain(p, c.a, c.b);
		if (old) {
			old->is_kept = true;
			continue;
		}
		if (!add_chain_points(cutter, &c, progress))
			return false;
		p->new_chains[p->new_count++] = c;
	}
	return true;
}

static void link_border(rbl_cutter *cutter, rbl_crack_plan *p, int from, int to)
{
	RBL_ASSERT(cutter->points.data[from].polygon_next < 0);
	cutter->points.data[from].polygon_next = to;
	p->border[p->border_count++] = from;
}

static bool plan_border(rbl_cutter *cutter, rbl_crack_plan *p)
{
	size_t room = (size_t)p->opened_count + (size_t)cutter->front.count + 1;
	for (int i = 0; i < p->new_count; ++i)
		room += (size_t)p->new_chains[i].count + 1;
	p->border = RBL_ARENA_NEW(&cutter->scratch, int, room);
	if (!p->border)
		return false;
	for (int i = 0; i < p->opened_count; ++i)
		link_border(cutter, p, p->opened[i], cutter->points.data[p->opened[i]].next);
	for (int i = 0; i < p->old_count; ++i)
		for (int k = 0; k < p->old_chains[i].count && !p->old_chains[i].is_kept; ++k) {
			const rbl_front_edge *edge = &cutter->front.data[p->old_chains[i].first + k];
			link_border(cutter, p, edge->b, edge->a);
		}
	for (int i = 0; i < p->new_count; ++i) {
		const rbl_crack_chain *c = &p->new_chains[i];
		int from = c->a;
		for (int k = 0; k < c->count; ++k) {
			link_border(cutter, p, from, c->first + k);
			from = c->first + k;
		}
		link_border(cutter, p, from, c->b);
	}
	return true;
}

static bool reserve_step(rbl_cutter *cutter, const rbl_crack_plan *p)
{
	const rbl_allocator *allocator = &cutter->allocator;
	int triangles = cutter->crack_ids.count + 2 * p->split_count + 2 * p->triangle_count;
	int vertices = cutter->positions.count + p->split_count + 2 * p->place_count;
	int front = cutter->front.count;
	for (int i = 0; i < p->new_count; ++i)
		front += p->new_chains[i].count + 1;
	return rbl_array_reserve(allocator, &cutter->positions, vertices) &&
	       rbl_array_reserve(allocator, &cutter->anchors, vertices) &&
	       rbl_array_reserve(allocator, &cutter->triangles, 3 * triangles) &&
	       rbl_array_reserve(allocator, &cutter->twins, 3 * triangles) &&
	       rbl_array_reserve(allocator, &cutter->edge_points, 3 * triangles) &&
	       rbl_array_reserve(allocator, &cutter->crack_ids, triangles) &&
	       rbl_array_reserve(allocator, &cutter->marks, triangles) &&
	       rbl_array_reserve(allocator, &cutter->origins, triangles) &&
	       rbl_array_reserve(allocator, &cutter->changed, 2 * p->split_count) &&
	       rbl_array_reserve(allocator, &cutter->parts, 2 * p->split_count) &&
	       rbl_array_reserve(allocator, &cutter->sources, 2 * p->split_count) &&
	       rbl_array_reserve(allocator, &cutter->faces, 2 * p->triangle_count) &&
	       rbl_array_reserve(allocator, &cutter->front, front) &&
	       rbl_map_reserve(allocator, &cutter->edges,
	                       6 * p->triangle_count + 2 * p->border_count + 1);
}

static void forget_border(rbl_cutter *cutter, const rbl_crack_plan *p)
{
	for (int i = 0; i < p->border_count; ++i)
		cutter->points.data[p->border[i]].polygon_next = -1;
}

// Undo what the plan wrote into points.
static void drop_plan(rbl_cutter *cutter, const rbl_crack_plan *p)
{
	rbl_cut_point *points = cutter->points.data;
	forget_border(cutter, p);
	for (int i = 0; i < p->opened_count; ++i)
		points[p->opened[i]].is_open = false;
	for (int i = cutter->next_event; i < p->event_end; ++i)
		points[cutter->events.data[i]].is_reached = false;
	for (int i = 0; i < p->old_count; ++i)
		points[p->old_chains[i].a].is_shared = points[p->old_chains[i].b].is_shared = true;
	cutter->points.count = p->point_count;
}

// --- carry out ----------------------------------------------------------------------------------

static void split_edges(rbl_cutter *cutter, const rbl_crack_plan *p)
{
	for (int i = 0; i < p->split_count; ++i) {
		rbl_cut_point *point = &cutter->points.data[p->splits[i]];
		int vertex = rbl_cutter_add_vertex(cutter, point->position);
		rbl_cutter_split_edge(cutter, point->half_edge, vertex);
		point->half_edge = -1;
		point->vertex[0] = point->vertex[1] = vertex;
	}
}

static void open_edges(rbl_cutter *cutter, const rbl_crack_plan *p)
{
	rbl_cut_point *points = cutter->points.data;
	for (int i = 0; i < p->opened_count; ++i) {
		rbl_cut_point *a = &points[p->opened[i]], *b = &points[a->next];
		int h = rbl_cutter_find_half_edge(cutter, cutter->anchors.data[a->vertex[0]], b->vertex[0]);
		RBL_ASSERT(h >= 0);
		a->opened[0] = h;
		a->opened[1] = cutter->twins.data[h];
		rbl_cutter_open_edge(cutter, h);
	}
	for (int i = 0; i < p->old_count; ++i)
		for (int k = 0; k < p->old_chains[i].count && !p->old_chains[i].is_kept; ++k) {
			const rbl_front_edge *edge = &cutter->front.data[p->old_chains[i].first + k];
			rbl_cutter_open_edge(cutter, edge->half_edges[0]);
			if (edge->b >= cutter->edge_point_count)
				points[edge->b].opened[0] = edge->half_edges[0];
			if (edge->a >= cutter->edge_point_count)
				points[edge->a].opened[1] = edge->half_edges[1];
		}
}

// A point that is no tip any more: the side below the sheet gets a vertex of its own.
static void part_point(rbl_cutter *cutter, int index)
{
	rbl_cut_point *points = cutter->points.data, *point = &points[index];
	if (point->is_shared || point->vertex[0] != point->vertex[1])
		return;
	int above, below;
	if (index >= cutter->edge_point_count) {
		above = point->opened[0];
		below = point->opened[1];
	} else if (point->opened[0] >= 0) {
		above = point->opened[0];
		below = rbl_next_half_edge(point->opened[1]);
	} else {
		above = rbl_next_half_edge(points[point->prev].opened[0]);
		below = points[point->prev].opened[1];
	}
	point->vertex[1] = rbl_cutter_add_vertex(cutter, point->position);
	rbl_cutter_set_fan_vertex(cutter, below, point->vertex[1]);
	cutter->anchors.data[point->vertex[0]] = above;
	cutter->anchors.data[point->vertex[1]] = below;
}

static void make_vertices(rbl_cutter *cutter, const rbl_crack_plan *p)
{
	for (int i = 0; i < p->border_count; ++i)
		if (p->border[i] < p->point_count) {
			cutter->points.data[p->border[i]].is_shared &= p->border[i] < cutter->edge_point_count;
			part_point(cutter, p->border[i]);
		}
	for (int i = p->point_count; i < cutter->points.count; ++i) {
		rbl_cut_point *point = &cutter->points.data[i];
		point->vertex[0] = rbl_cutter_add_vertex(cutter, point->position);
		point->vertex[1] =
			point->is_shared ? point->vertex[0] : rbl_cutter_add_vertex(cutter, point->position);
	}
}

static uint64_t sheet_key(int sheet, int from, int to)
{
	return (uint64_t)(uint32_t)sheet << 63 | rbl_crack_edge_key(from, to);
}

static void set_edge(rbl_cutter *cutter, int sheet, int from, int to, int half_edge)
{
	bool done = rbl_map_set(&cutter->allocator, &cutter->edges, sheet_key(sheet, from, to),
	                        (uint32_t)half_edge);
	RBL_ASSERT(done); // reserved
	(void)done;
}

static int get_edge(const rbl_cutter *cutter, int sheet, int from, int to)
{
	uint32_t found = rbl_map_get(&cutter->edges, sheet_key(sheet, from, to));
	return found == RBL_MAP_NONE ? -1 : (int)found;
}

static void glue(rbl_cutter *cutter, int a, int b)
{
	RBL_ASSERT(a >= 0 && b >= 0);
	cutter->twins.data[a] = b;
	cutter->twins.data[b] = a;
}

static void add_sheet_triangle(rbl_cutter *cutter, int sheet, const int corners[3], int id)
{
	const rbl_cut_point *points = cutter->points.data;
	int t = rbl_cutter_add_triangle(cutter, points[corners[0]].vertex[sheet],
	                                points[corners[1]].vertex[sheet],
	                                points[corners[2]].vertex[sheet], id);
	cutter->faces.data[cutter->faces.count++] = t;
	for (int k = 0; k < 3; ++k) {
		int from = corners[k], to = corners[(k + 1) % 3], h = 3 * t + k;
		cutter->anchors.data[cutter->triangles.data[h]] = h;
		int across = get_edge(cutter, sheet, to, from);
		if (across >= 0)
			glue(cutter, h, across);
		else
			set_edge(cutter, sheet, from, to, h);
	}
}

// Sheet 0 bounds the material above and looks down, sheet 1 the other way.
static void add_sheets(rbl_cutter *cutter, const rbl_crack_plan *p)
{
	const rbl_cut_point *points = cutter->points.data;
	rbl_map_clear(&cutter->edges);
	for (int i = 0; i < p->opened_count; ++i) {
		const rbl_cut_point *a = &points[p->opened[i]];
		set_edge(cutter, 0, p->opened[i], a->next, a->opened[0]);
		set_edge(cutter, 1, a->next, p->opened[i], a->opened[1]);
	}
	for (int i = 0; i < p->old_count; ++i)
		for (int k = 0; k < p->old_chains[i].count && !p->old_chains[i].is_kept; ++k) {
			const rbl_front_edge *edge = &cutter->front.data[p->old_chains[i].first + k];
			set_edge(cutter, 0, edge->b, edge->a, edge->half_edges[0]);
			set_edge(cutter, 1, edge->a, edge->b, edge->half_edges[1]);
		}
	for (int t = 0; t < p->triangle_count; ++t) {
		int id = cutter->next_crack_id++;
		int i = p->places[p->triangles[3 * t]], j = p->places[p->triangles[3 * t + 1]],
			k = p->places[p->triangles[3 * t + 2]];
		add_sheet_triangle(cutter, 0, (const int[3]){ i, k, j }, id);
		add_sheet_triangle(cutter, 1, (const int[3]){ i, j, k }, id);
	}
}

static void add_front_edge(rbl_cutter *cutter, int a, int b, const rbl_crack_chain *c)
{
	rbl_front_edge edge = { .a = a,
		                    .b = b,
		                    .half_edges = { get_edge(cutter, 0, b, a), get_edge(cutter, 1, a, b) },
		                    .tips = { c->a, c->b } };
	glue(cutter, edge.half_edges[0], edge.half_edges[1]);
	cutter->front.data[cutter->front.count++] = edge;
}

static void replace_front(rbl_cutter *cutter, const rbl_crack_plan *p)
{
	int count = 0;
	for (int i = 0; i < p->old_count; ++i)
		for (int k = 0; k < p->old_chains[i].count && p->old_chains[i].is_kept; ++k)
			cutter->front.data[count++] = cutter->front.data[p->old_chains[i].first + k];
	cutter->front.count = count;
	for (int i = 0; i < p->new_count; ++i) {
		const rbl_crack_chain *c = &p->new_chains[i];
		int from = c->a;
		for (int k = 0; k < c->count; ++k) {
			add_front_edge(cutter, from, c->first + k, c);
			from = c->first + k;
		}
		add_front_edge(cutter, from, c->b, c);
	}
}

static void carry_out(rbl_cutter *cutter, const rbl_crack_plan *p)
{
	split_edges(cutter, p);
	open_edges(cutter, p);
	make_vertices(cutter, p);
	add_sheets(cutter, p);
	replace_front(cutter, p);
	forget_border(cutter, p);
	for (int i = 0; i < p->opened_count; ++i) {
		rbl_cut_point *point = &cutter->points.data[p->opened[i]];
		point->opened[0] = point->opened[1] = -1;
	}
	cutter->next_event = p->event_end;
}

rbl_result rbl_cutter_advance(rbl_cutter *cutter, double progress, rbl_cut_step *step)
{
	if (!cutter || !step)
		return rbl_fail(RBL_BAD_ARGUMENT, "cutter or step is NULL");
	if (!cutter->has_crack)
		return rbl_fail(RBL_BAD_ARGUMENT, "begin a crack first");
	if (!(progress >= cutter->progress && progress <= 1.0))
		return rbl_fail(RBL_BAD_ARGUMENT, "progress is %g, must be %g to 1", progress,
		                cutter->progress);
	rbl_crack_plan p = { .point_count = cutter->points.count };
	cutter->step_number++;
	cutter->changed.count = cutter->parts.count = cutter->sources.count = cutter->faces.count = 0;
	bool ready = list_old_chains(cutter, &p) && plan_openings(cutter, &p, progress);
	if (ready && p.opened_count > 0) {
		ready = plan_tips(cutter, &p, progress) && plan_chains(cutter, &p, progress) &&
		        plan_border(cutter, &p) && rbl_crack_plan_strip(cutter, &p) &&
		        reserve_step(cutter, &p);
		if (ready)
			carry_out(cutter, &p);
	} else if (ready) {
		cutter->next_event = p.event_end; // points reached, no edge between them
	}
	if (!ready)
		drop_plan(cutter, &p);
	rbl_arena_reset(&cutter->scratch);
	if (!ready)
		return RBL_OUT_OF_MEMORY;
	cutter->progress = progress;
	*step = (rbl_cut_step){ .changed = cutter->changed.data,
		                    .changed_count = cutter->changed.count,
		                    .parts = cutter->parts.data,
		                    .sources = cutter->sources.data,
		                    .part_count = cutter->parts.count,
		                    .faces = cutter->faces.data,
		                    .face_count = cutter->faces.count,
		                    .is_through = cutter->front.count == 0 && cutter->next_crack_id > 0 &&
		                                  cutter->next_event == cutter->events.count };
	return RBL_OK;
}
