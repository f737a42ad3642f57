// SPDX-License-Identifier: MIT
//
// Planning a cut: what a knife does to the triangles that it passes.
//
// Each vertex is above the sheet, below it, or on it: near enough that the cut goes through it
// instead of close by. So an edge is crossed or it is not, whichever triangle asks, and within a
// triangle the sheet runs along one chord: from one crossed edge to another, or from a vertex to
// the edge across. Where both ends of a chord were passed by the blade the triangle falls in two
// along it. Where only one was, since the blade stopped in between, the cut ends at a new vertex
// inside the triangle, which is on the sheet of a knife that goes on. An edge between two vertices
// on the sheet is cut when there are triangles above and below. cut_open.c takes apart what is cut.
//
// Any tolerance is safe: it decides where the cut goes, never whether triangles fit together.

#include "surface/cut.h"

#include "base/log.h"

enum { KNIFE_COOKIE = 0x6b6e6966 };

// What a vertex is to the sheet.
enum { BELOW = -1, ON = 0, ABOVE = 1 };

typedef struct vertex_state {
	rbl_vec3d positions[2];
	rbl_surface_cut_passing passing;
	signed char side; // BELOW, ON, ABOVE
	bool is_reached;  // on the sheet, and passed by the blade
} vertex_state;

// A point on an edge, from the end with the lower number to the other.
typedef struct edge_point {
	int ends[2];
	double share;
	rbl_surface_cut_passing passing;
	bool is_valid;   // its ends are on different sides
	bool is_reached; // it becomes a node
	bool is_late;    // only since a cut that stopped close by goes there
	bool is_rim;     // a side of it is open
	bool is_whole;   // all that it belongs to is near, so it may have a node
	int node;
	bool is_on;    // on the sheet, between triangles above and below
	bool is_along; // a point where the blade stops on an edge that lies on the sheet
} edge_point;

typedef struct cut_work {
	rbl_surface_cut_plan plan;
	rbl_surface_cut_sheet sheet;
	vertex_state *states;
	edge_point *edges;
	int edge_count;
	int *triangle_edges; // three by near triangle
	int *places;         // by vertex, once they are asked for: rbl_surface_cut_places()
} cut_work;

rbl_surface_knife rbl_default_surface_knife(void)
{
	return (rbl_surface_knife){ .cookie = KNIFE_COOKIE };
}

static rbl_result check_knife(const rbl_surface_knife *knife)
{
	if (!knife || knife->cookie != KNIFE_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_surface_knife()");
	if (knife->point_count < 2 || knife->point_count > RBL_MAX_SURFACE_ITEMS || !knife->starts ||
	    !knife->ends)
		return rbl_fail(RBL_BAD_ARGUMENT, "a blade needs two points at least");
	if (!(knife->tolerance >= 0.0) || !isfinite(knife->tolerance))
		return rbl_fail(RBL_BAD_ARGUMENT, "tolerance must be finite and at least 0");
	for (int i = 0; i < knife->point_count; ++i)
		if (!rbl_is_finite_d(knife->starts[i]) || !rbl_is_finite_d(knife->ends[i]))
			return rbl_fail(RBL_BAD_ARGUMENT, "point %d of the blade is not finite", i);
	return RBL_OK;
}

// --- vertices and edges -------------------------------------------------------------------------

static bool is_passed(const cut_work *c, const rbl_surface_cut_passing *p, double before)
{
	double tolerance = c->sheet.tolerance;
	return !p->is_beside && p->length > 1e-9 * tolerance &&
	       p->time * p->length >= -before * tolerance && (p->time - 1.0) * p->length <= tolerance;
}

// What lies behind the start of the sheet, or beside it, is above or below whatever its height: the
// cut does not go there. What lies ahead counts, so that the cut comes to it.
static void set_on(const cut_work *c, vertex_state *v)
{
	const rbl_surface_cut_passing *p = &v->passing;
	double tolerance = c->sheet.tolerance;
	// The end of the last cut may lie behind by what it did not go on.
	if (p->is_beside || p->length <= 1e-9 * tolerance || p->time * p->length < -2.0 * tolerance)
		return;
	v->side = ON;
	v->is_reached = is_passed(c, p, 2.0);
}

static void measure_states(cut_work *c)
{
	for (int i = 0; i < c->plan.vertex_count; ++i) {
		vertex_state *v = &c->states[i];
		v->is_reached = false;
		v->passing = rbl_surface_cut_sheet_at(&c->sheet, v->positions);
		v->side = v->passing.side < 0.0 ? BELOW : ABOVE;
		if (fabs(v->passing.side) <= c->sheet.tolerance)
			set_on(c, v);
	}
}

// The sheet starts at the ends of the last cut. Of several that are near each other, such as both
// sides of that cut, the foremost counts.
static bool start_at_ends(cut_work *c)
{
	rbl_arena *arena = &c->plan.surface->scratch;
	double near = c->sheet.tolerance;
	int count = 0, kept = 0;
	rbl_sort_item64 *items =
		RBL_ARENA_NEW(arena, rbl_sort_item64, 2 * (size_t)c->plan.vertex_count);
	if (!items)
		return false;
	for (int i = 0; i < c->plan.vertex_count; ++i) {
		const rbl_surface_cut_passing *p = &c->states[i].passing;
		// The last cut went by another tolerance, and through vertices off its blade by that.
		if (fabs(p->side) > 2.0 * near || !is_passed(c, p, 2.0) || p->time * p->length > near ||
		    !rbl_surface_cut_is_on_rim(c->plan.surface, c->plan.vertices[i]))
			continue;
		items[count++] = (rbl_sort_item64){ rbl_sort_key_double(p->u), (uint32_t)i, 0 };
	}
	c->sheet.end_u = RBL_ARENA_NEW(arena, double, count);
	c->sheet.end_n = RBL_ARENA_NEW(arena, double, count);
	if (!c->sheet.end_u || !c->sheet.end_n)
		return false;
	rbl_sort64(items, items + c->plan.vertex_count, count);
	double time = 0.0;
	for (int i = 0; i < count; ++i) {
		const rbl_surface_cut_passing *p = &c->states[items[i].value].passing;
		bool is_near = kept > 0 && p->u - c->sheet.end_u[kept - 1] <= 4.0 * near;
		if (is_near && p->time <= time)
			continue;
		kept += !is_near;
		// In the order of u, strictly, whichever of those that are near is taken.
		if (!is_near)
			c->sheet.end_u[kept - 1] = p->u;
		c->sheet.end_n[kept - 1] = p->side;
		time = p->time;
	}
	c->sheet.end_count = kept;
	return true;
}

static bool measure_vertices(cut_work *c)
{
	rbl_surface_cut_plan *plan = &c->plan;
	const rbl_surface *surface = plan->surface;
	for (int i = 0; i < 3 * plan->near.count; ++i)
		if (rbl_surface_cut_vertex(plan, surface->triangles[3 * plan->near.data[i / 3] + i % 3]) <
		    0)
			return false;
	c->states = RBL_ARENA_NEW(&plan->surface->scratch, vertex_state, plan->vertex_count);
	if (!c->states)
		return false;
	for (int i = 0; i < plan->vertex_count; ++i)
		for (int time = 0; time < 2; ++time)
			c->states[i].positions[time] = rbl_surface_exact(surface, plan->vertices[i], time);
	measure_states(c);
	if (!start_at_ends(c))
		return false;
	if (c->sheet.end_count > 0)
		measure_states(c);
	return true;
}

static void edge_position(const cut_work *c, const edge_point *e, double share, rbl_vec3d *p)
{
	for (int time = 0; time < 2; ++time)
		p[time] = rbl_lerp_d(c->states[e->ends[0]].positions[time],
		                     c->states[e->ends[1]].positions[time], share);
}

// Where an edge meets the sheet, from its lower end to its upper end whichever triangle asks.
static void cross_edge(const cut_work *c, edge_point *e)
{
	enum { ROUNDS = 24 };
	if (c->states[e->ends[0]].side > c->states[e->ends[1]].side) {
		int end = e->ends[0];
		e->ends[0] = e->ends[1], e->ends[1] = end;
	}
	double low = 0.0, high = 1.0, share = 0.5;
	double below = c->states[e->ends[0]].passing.side, above = c->states[e->ends[1]].passing.side;
	double scale = above - below;
	for (int i = 0; i < ROUNDS; ++i) {
		rbl_vec3d p[2];
		// Every third round halves, so that no bend of the sheet makes it slow.
		share = i % 3 == 2 || !(above > below) ? 0.5 * (low + high)
		                                       : low + (high - low) * (below / (below - above));
		edge_position(c, e, share, p);
		e->passing = rbl_surface_cut_sheet_at(&c->sheet, p);
		if (fabs(e->passing.side) <= 1e-13 * scale)
			break;
		if (e->passing.side < 0.0)
			low = share, below = e->passing.side;
		else
			high = share, above = e->passing.side;
	}
	e->share = share;
}

static double edge_length(const cut_work *c, const edge_point *e)
{
	return rbl_distance_d(c->states[e->ends[0]].positions[1], c->states[e->ends[1]].positions[1]);
}

static bool list_edges(cut_work *c)
{
	rbl_surface_cut_plan *plan = &c->plan;
	const rbl_surface *surface = plan->surface;
	int count = 3 * plan->near.count;
	c->edges = RBL_ARENA_NEW(&plan->surface->scratch, edge_point, count);
	c->triangle_edges = RBL_ARENA_NEW(&plan->surface->scratch, int, count);
	if (!c->edges || !c->triangle_edges)
		return false;
	rbl_map_clear(&plan->cuts->edges);
	for (int h = 0; h < count; ++h) {
		const int *v = surface->triangles + 3 * plan->near.data[h / 3];
		int a = rbl_surface_cut_vertex(plan, v[h % 3]);
		int b = rbl_surface_cut_vertex(plan, v[(h + 1) % 3 == 0 ? 0 : h % 3 + 1]);
		uint32_t *at = rbl_map_add(&surface->allocator, &plan->cuts->edges,
		                           rbl_surface_cut_key(a, b), (uint32_t)c->edge_count);
		if (!at)
			return false;
		c->triangle_edges[h] = (int)*at;
		edge_point *e = &c->edges[*at];
		e->is_whole = (int)*at < c->edge_count;
		if (!e->is_whole)
			c->edges[c->edge_count++] =
				(edge_point){ .ends = { a < b ? a : b, a < b ? b : a }, .node = -1 };
		e->is_rim |= surface->twins[3 * plan->near.data[h / 3] + h % 3] < 0;
		e->is_whole |= e->is_rim;
	}
	return true;
}

// Both sides of an older cut are cut alike: else one would have a vertex where the other has none.
// Here: a vertex that another edge puts on the sheet takes those at its place along.
static bool put_sides_on(cut_work *c)
{
	if (!c->places)
		c->places = rbl_surface_cut_places(&c->plan);
	bool *is_on =
		c->places ? RBL_ARENA_NEW(&c->plan.surface->scratch, bool, c->plan.vertex_count) : NULL;
	if (!is_on)
		return false;
	memset(is_on, 0, (size_t)c->plan.vertex_count * sizeof *is_on);
	for (int i = 0; i < c->plan.vertex_count; ++i)
		is_on[c->places[i]] |= c->states[i].side == ON;
	for (int i = 0; i < c->plan.vertex_count; ++i)
		if (is_on[c->places[i]] && c->states[i].side != ON)
			set_on(c, &c->states[i]);
	return true;
}

// Edges that are crossed. Where that is near an end the end is on the sheet, and its edges are not
// crossed at all.
static bool cross_edges(cut_work *c)
{
	double near = c->sheet.tolerance;
	bool has_late = false;
	for (int i = 0; i < c->edge_count; ++i) {
		edge_point *e = &c->edges[i];
		if (c->states[e->ends[0]].side * c->states[e->ends[1]].side >= 0)
			continue;
		cross_edge(c, e);
		e->is_valid = true;
	}
	for (int i = 0; i < c->edge_count; ++i) {
		const edge_point *e = &c->edges[i];
		double length = e->is_valid ? edge_length(c, e) : 0.0;
		for (int end = 0; end < 2 && e->is_valid; ++end) {
			vertex_state *v = &c->states[e->ends[end]];
			if (v->side == ON || length * (end == 0 ? e->share : 1.0 - e->share) > near)
				continue;
			set_on(c, v);
			has_late |= v->side == ON;
		}
	}
	if (has_late && !put_sides_on(c))
		return false;
	for (int i = 0; i < c->edge_count; ++i) {
		edge_point *e = &c->edges[i];
		e->is_valid &= c->states[e->ends[0]].side * c->states[e->ends[1]].side < 0;
		// A knife that went past by less than it cuts begins here.
		e->is_reached = e->is_valid && e->is_whole && is_passed(c, &e->passing, 1.0);
	}
	return true;
}

// --- chords -------------------------------------------------------------------------------------

// An end of a chord: a vertex on the sheet, or a point on an edge.
typedef struct chord_end {
	int vertex; // of the triangle, or -1
	int edge;   // of the triangle, or -1
	rbl_surface_cut_passing passing;
	bool is_reached;
	double weights[3]; // by corner of the triangle
	rbl_vec3d position;
} chord_end;

typedef struct triangle_view {
	int nodes[3]; // vertices
	int edges[3];
} triangle_view;

static triangle_view view_of(const cut_work *c, int i)
{
	triangle_view v;
	const int *corners = c->plan.surface->triangles + 3 * c->plan.near.data[i];
	for (int k = 0; k < 3; ++k) {
		v.nodes[k] = c->plan.surface->vertex_scratch[corners[k]] - 1;
		v.edges[k] = c->triangle_edges[3 * i + k];
	}
	return v;
}

static chord_end chord_vertex_end(const cut_work *c, const triangle_view *v, int k)
{
	const vertex_state *state = &c->states[v->nodes[k]];
	chord_end end = {
		k, -1, state->passing, state->is_reached, { 0.0, 0.0, 0.0 }, state->positions[1]
	};
	end.weights[k] = 1.0;
	return end;
}

static chord_end chord_edge_end(const cut_work *c, const triangle_view *v, int k)
{
	const edge_point *e = &c->edges[v->edges[k]];
	chord_end end = { -1, k, e->passing, e->is_reached, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
	rbl_vec3d p[2];
	edge_position(c, e, e->share, p);
	end.position = p[1];
	int next = k == 2 ? 0 : k + 1;
	bool is_forward = e->ends[0] == v->nodes[k];
	end.weights[k] = is_forward ? 1.0 - e->share : e->share;
	end.weights[next] = is_forward ? e->share : 1.0 - e->share;
	return end;
}

// @return whether the sheet runs through the triangle
static bool find_chord(const cut_work *c, const triangle_view *v, chord_end ends[2])
{
	int count = 0;
	for (int k = 0; k < 3 && count < 2; ++k)
		if (c->edges[v->edges[k]].is_valid)
			ends[count++] = chord_edge_end(c, v, k);
	for (int k = 0; k < 3 && count == 1; ++k)
		if (c->states[v->nodes[k]].side == ON)
			ends[count++] = chord_vertex_end(c, v, k);
	return count == 2;
}

// Where the blade stops on a chord of which one end is reached and the other lies ahead, as a share
// from the reached end; below 0: it does not.
static double stop_on(const chord_end *reached, const chord_end *ahead)
{
	double from = reached->passing.time, to = ahead->passing.time;
	if (!reached->is_reached || ahead->is_reached || ahead->passing.is_beside || !(to > 1.0))
		return -1.0;
	return to < 2.0 && to > from ? rbl_clampd((1.0 - from) / (to - from), 0.0, 1.0) : -1.0;
}

// Far ahead the time is not known well: where the chord is at the end is found by halves.
static double find_stop(const cut_work *c, const triangle_view *v, const chord_end *reached,
                        const chord_end *ahead)
{
	if (!reached->is_reached || ahead->is_reached || !(ahead->passing.time > 1.0))
		return -1.0;
	double low = 0.0, high = 1.0, stop = stop_on(reached, ahead);
	for (int i = 0; i < 60; ++i) {
		double middle = i == 0 && stop > 0.0 ? stop : 0.5 * (low + high);
		rbl_vec3d p[2] = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
		for (int k = 0; k < 3; ++k)
			for (int time = 0; time < 2; ++time)
				p[time] = rbl_add_scaled_d(p[time],
				                           reached->weights[k] +
				                               middle * (ahead->weights[k] - reached->weights[k]),
				                           c->states[v->nodes[k]].positions[time]);
		rbl_surface_cut_passing passing = rbl_surface_cut_sheet_at(&c->sheet, p);
		if (fabs(passing.time - 1.0) < 1e-12)
			return passing.is_beside ? -1.0 : middle;
		if (passing.time < 1.0)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void reach(cut_work *c, const triangle_view *v, const chord_end *end)
{
	if (end->vertex >= 0)
		c->states[v->nodes[end->vertex]].is_reached = true;
	else if (c->edges[v->edges[end->edge]].is_whole)
		c->edges[v->edges[end->edge]].is_reached = c->edges[v->edges[end->edge]].is_late = true;
}

static uint64_t key_of_places(const cut_work *c, const edge_point *e)
{
	return rbl_surface_cut_key(c->places[e->ends[0]], c->places[e->ends[1]]);
}

// A cut that goes on to one side of an older cut gives the other side its vertex, too.
static bool reach_other_sides(cut_work *c)
{
	rbl_surface_cut_plan *plan = &c->plan;
	rbl_map *late = &plan->cuts->edges;
	rbl_map_clear(late);
	for (int i = 0; i < c->edge_count; ++i) {
		const edge_point *e = &c->edges[i];
		if (!e->is_late || !e->is_rim)
			continue;
		if (!c->places && !(c->places = rbl_surface_cut_places(plan)))
			return false;
		if (!rbl_map_set(&plan->surface->allocator, late, key_of_places(c, e), 1))
			return false;
	}
	for (int i = 0; i < c->edge_count && late->count > 0; ++i) {
		edge_point *e = &c->edges[i];
		e->is_reached |=
			e->is_valid && e->is_rim && rbl_map_get(late, key_of_places(c, e)) != RBL_MAP_NONE;
	}
	return true;
}

// The end of a cut that stops short of the far end of a chord goes there.
static bool reach_ends(cut_work *c)
{
	for (int i = 0; i < c->plan.near.count; ++i) {
		triangle_view v = view_of(c, i);
		chord_end ends[2];
		if (!find_chord(c, &v, ends))
			continue;
		for (int k = 0; k < 2; ++k) {
			double stop = find_stop(c, &v, &ends[k], &ends[!k]);
			double length = rbl_distance_d(ends[0].position, ends[1].position);
			if (stop >= 0.0 && (1.0 - stop) * length <= c->sheet.tolerance)
				reach(c, &v, &ends[!k]);
		}
	}
	return reach_other_sides(c);
}

// --- edges on the sheet -------------------------------------------------------------------------

// Whether a vertex may be the tip of the last cut.
static bool is_start(const cut_work *c, int node)
{
	const rbl_surface_cut_passing *p = &c->states[node].passing;
	return p->time * p->length <= c->sheet.tolerance;
}

// The side of a triangle that is beside the tip of the last cut, with an open side from there.
// @return ON: there is none
static int side_of_lip(const cut_work *c, const triangle_view *v, int i, int edge)
{
	const rbl_surface *surface = c->plan.surface;
	int next = (edge + 1) % 3, h = 3 * c->plan.near.data[i];
	bool is_first = surface->twins[h + next] < 0 && is_start(c, v->nodes[next]);
	bool is_last = surface->twins[h + (edge + 2) % 3] < 0 && is_start(c, v->nodes[edge]);
	if (is_first == is_last)
		return ON;
	rbl_vec3d p[3];
	for (int k = 0; k < 3; ++k)
		p[k] = c->states[v->nodes[k]].positions[1];
	rbl_vec3d normal = rbl_cross_d(rbl_sub_d(p[1], p[0]), rbl_sub_d(p[2], p[0]));
	// Seen against the blade, the first triangle around the tip is below and the last one above.
	return is_first == (rbl_dot_d(normal, c->sheet.u) > 0.0) ? BELOW : ABOVE;
}

// The side of a triangle that has an edge on the sheet: that of its third corner. Behind the start
// of the sheet, which may have turned there, and beside it the triangle is where it is seen from
// the edge. (Ahead it is not: the edge need not lie along the sheet, its ends are only near it.)
static int side_of(const cut_work *c, const triangle_view *v, int i, int edge)
{
	const vertex_state *third = &c->states[v->nodes[(edge + 2) % 3]];
	bool is_ahead = !third->passing.is_beside && third->passing.time >= 0.0;
	if (is_ahead && fabs(third->passing.side) > c->sheet.tolerance)
		return third->side;
	int lip = is_ahead ? ON : side_of_lip(c, v, i, edge);
	if (lip != ON)
		return lip;
	rbl_vec3d a = c->states[v->nodes[edge]].positions[1];
	rbl_vec3d b = c->states[v->nodes[(edge + 1) % 3]].positions[1];
	rbl_vec3d d = rbl_sub_d(c->states[v->nodes[(edge + 2) % 3]].positions[1], a);
	rbl_vec3d way = rbl_normalize_d(rbl_sub_d(b, a));
	rbl_vec3d normal = rbl_add_scaled_d(c->sheet.n, -rbl_dot_d(c->sheet.n, way), way);
	return rbl_dot_d(d, normal) < 0.0 ? BELOW : ABOVE;
}

// An edge on the sheet of which the blade passed one end, and stops before the other.
static void stop_along(cut_work *c, edge_point *e)
{
	const vertex_state *a = &c->states[e->ends[0]], *b = &c->states[e->ends[1]];
	if (a->is_reached == b->is_reached)
		return;
	if (b->is_reached) {
		int end = e->ends[0];
		e->ends[0] = e->ends[1], e->ends[1] = end;
		a = &c->states[e->ends[0]], b = &c->states[e->ends[1]];
	}
	double from = a->passing.time, to = b->passing.time, length = edge_length(c, e);
	if (b->passing.is_beside || !(to > 1.0) || !(to > from))
		return;
	double share = rbl_clampd((1.0 - from) / (to - from), 0.0, 1.0);
	if ((1.0 - share) * length <= c->sheet.tolerance) {
		c->states[e->ends[1]].is_reached = true;
	} else if (share * length > c->sheet.tolerance && e->is_whole) {
		e->share = share;
		e->is_reached = e->is_along = true;
	}
}

static bool is_flat(const cut_work *c, const triangle_view *v)
{
	return c->states[v->nodes[0]].side == ON && c->states[v->nodes[1]].side == ON &&
	       c->states[v->nodes[2]].side == ON;
}

static bool is_edge_on(const cut_work *c, int edge)
{
	const edge_point *e = &c->edges[edge];
	return c->states[e->ends[0]].side == ON && c->states[e->ends[1]].side == ON;
}

static double edge_cost(const cut_work *c, const edge_point *e)
{
	double cost = edge_length(c, e);
	for (int k = 0; k < 2; ++k) {
		const rbl_surface_cut_passing *p = &c->states[e->ends[k]].passing;
		cost += rbl_maxd(0.0, -p->time * p->length);
	}
	return cost;
}

// Edges that lie behind the start cost more, so that the cut goes on from the tip of the last one,
// and those that the blade has not passed wholly cost more than all others.
static bool settle_flat(const cut_work *c, rbl_surface_cut_flat *flat, int count,
                        const unsigned char *sides)
{
	rbl_arena *arena = &c->plan.surface->scratch;
	double *costs = RBL_ARENA_NEW(arena, double, c->edge_count), sum = 0.0;
	if (!costs)
		return false;
	for (int i = 0; i < c->edge_count; ++i)
		sum += costs[i] = is_edge_on(c, i) ? edge_cost(c, &c->edges[i]) : 0.0;
	for (int i = 0; i < c->edge_count; ++i) {
		const edge_point *e = &c->edges[i];
		if (!c->states[e->ends[0]].is_reached || !c->states[e->ends[1]].is_reached)
			costs[i] += sum;
	}
	return rbl_surface_cut_settle(arena, flat, count, sides, costs, c->edge_count);
}

static bool find_edges_on(cut_work *c)
{
	rbl_arena *arena = &c->plan.surface->scratch;
	unsigned char *sides = RBL_ARENA_NEW(arena, unsigned char, c->edge_count);
	rbl_surface_cut_flat *flat = RBL_ARENA_NEW(arena, rbl_surface_cut_flat, c->plan.near.count);
	if (!sides || !flat)
		return false;
	int flat_count = 0;
	memset(sides, 0, (size_t)c->edge_count);
	for (int i = 0; i < c->plan.near.count; ++i) {
		triangle_view v = view_of(c, i);
		double height = 0.0;
		for (int k = 0; k < 3; ++k) {
			height += c->states[v.nodes[k]].passing.side;
			if (!is_flat(c, &v) && is_edge_on(c, v.edges[k]))
				sides[v.edges[k]] |= side_of(c, &v, i, k) == ABOVE ? RBL_CUT_ABOVE : RBL_CUT_BELOW;
		}
		if (is_flat(c, &v))
			flat[flat_count++] =
				(rbl_surface_cut_flat){ { v.edges[0], v.edges[1], v.edges[2] },
				                        height < 0.0 ? RBL_CUT_BELOW : RBL_CUT_ABOVE };
	}
	if (flat_count > 0 && !settle_flat(c, flat, flat_count, sides))
		return false;
	for (int i = 0; i < 3 * flat_count; ++i)
		sides[flat[i / 3].edges[i % 3]] |= flat[i / 3].side;
	for (int i = 0; i < c->edge_count; ++i) {
		c->edges[i].is_on = sides[i] == (RBL_CUT_ABOVE | RBL_CUT_BELOW);
		if (c->edges[i].is_on)
			stop_along(c, &c->edges[i]);
	}
	return true;
}

// --- parts --------------------------------------------------------------------------------------

static int add_node(cut_work *c, const rbl_surface_cut_node *node)
{
	RBL_ASSERT(c->plan.node_count < c->plan.node_capacity);
	c->plan.nodes[c->plan.node_count] = *node;
	return c->plan.vertex_count + c->plan.node_count++;
}

static bool add_edge_nodes(cut_work *c)
{
	rbl_surface_cut_plan *plan = &c->plan;
	rbl_arena *arena = &plan->surface->scratch;
	plan->node_capacity = c->edge_count + plan->near.count;
	plan->nodes = RBL_ARENA_NEW(arena, rbl_surface_cut_node, plan->node_capacity);
	plan->triangle_capacity = 4 * plan->near.count;
	plan->triangles = RBL_ARENA_NEW(arena, rbl_surface_cut_triangle, plan->triangle_capacity);
	if (!plan->nodes || !plan->triangles)
		return false;
	for (int i = 0; i < c->edge_count; ++i) {
		edge_point *e = &c->edges[i];
		if (e->is_reached)
			e->node = add_node(c, &(rbl_surface_cut_node){ { plan->vertices[e->ends[0]],
			                                                 plan->vertices[e->ends[1]], -1 },
			                                               { 1.0 - e->share, e->share, 0.0 } });
		if (!e->is_on || !c->states[e->ends[0]].is_reached)
			continue;
		bool is_whole = c->states[e->ends[1]].is_reached;
		if ((is_whole || e->is_along) &&
		    !rbl_surface_cut_add_edge(plan, e->ends[0], is_whole ? e->ends[1] : e->node))
			return false;
	}
	return true;
}

// The node inside a triangle where the blade stops, from a reached end of its chord.
// @param from  receives the node of that end
// @return -1: it stops at none
static int add_stop(cut_work *c, const triangle_view *v, const chord_end ends[2], int *from)
{
	for (int k = 0; k < 2; ++k) {
		const chord_end *reached = &ends[k], *ahead = &ends[!k];
		double stop = find_stop(c, v, reached, ahead);
		if (stop * rbl_distance_d(ends[0].position, ends[1].position) <= c->sheet.tolerance)
			continue;
		rbl_surface_cut_node node;
		for (int i = 0; i < 3; ++i) {
			node.parents[i] = c->plan.vertices[v->nodes[i]];
			node.weights[i] =
				reached->weights[i] + stop * (ahead->weights[i] - reached->weights[i]);
		}
		*from = reached->vertex >= 0 ? v->nodes[reached->vertex]
		                             : c->edges[v->edges[reached->edge]].node;
		return add_node(c, &node);
	}
	return -1;
}

static double node_distance(const cut_work *c, int a, int b)
{
	rbl_vec3d p[2];
	const int nodes[2] = { a, b };
	for (int i = 0; i < 2; ++i) {
		if (nodes[i] < c->plan.vertex_count) {
			p[i] = c->states[nodes[i]].positions[1];
			continue;
		}
		const rbl_surface_cut_node *node = &c->plan.nodes[nodes[i] - c->plan.vertex_count];
		p[i] = (rbl_vec3d){ 0.0, 0.0, 0.0 };
		for (int k = 0; k < 3; ++k)
			if (node->parents[k] >= 0)
				p[i] = rbl_add_scaled_d(
					p[i], node->weights[k],
					c->states[c->plan.surface->vertex_scratch[node->parents[k]] - 1].positions[1]);
	}
	return rbl_distance_d(p[0], p[1]);
}

// The fan from a node inside the triangle, or on a side of it, to all sides.
static bool add_fan(cut_work *c, int centre, const int *rim, int count, int source)
{
	for (int i = 0; i < count; ++i) {
		int a = rim[i], b = rim[(i + 1) % count];
		if (a != centre && b != centre &&
		    !rbl_surface_cut_add_triangle(&c->plan, a, b, centre, source, true))
			return false;
	}
	return true;
}

// A triangle with nodes on its sides, or one inside.
static bool divide(cut_work *c, const triangle_view *v, int source, int inside)
{
	int rim[6], count = 0, first = -1, on_sides = 0;
	int at[3];
	for (int k = 0; k < 3; ++k) {
		rim[count++] = v->nodes[k];
		at[k] = c->edges[v->edges[k]].node;
		if (at[k] < 0)
			continue;
		first = first < 0 ? k : first;
		on_sides++;
		rim[count++] = at[k];
	}
	if (inside >= 0)
		return add_fan(c, inside, rim, count, source);
	if (on_sides == 0)
		return rbl_surface_cut_add_triangle(&c->plan, v->nodes[0], v->nodes[1], v->nodes[2], source,
		                                    false);
	if (on_sides == 1)
		return add_fan(c, at[first], rim, count, source);
	if (on_sides == 3) {
		for (int k = 0; k < 3; ++k)
			if (!rbl_surface_cut_add_triangle(&c->plan, v->nodes[k], at[k], at[k == 0 ? 2 : k - 1],
			                                  source, true))
				return false;
		return rbl_surface_cut_add_triangle(&c->plan, at[0], at[1], at[2], source, true);
	}
	// The corner between both sides, and what is left: four corners, and the shorter diagonal.
	int k = at[0] >= 0 && at[1] >= 0 ? 1 : at[1] >= 0 ? 2 : 0, previous = k == 0 ? 2 : k - 1;
	int corner = v->nodes[k], b = v->nodes[(k + 1) % 3], d = v->nodes[previous];
	int p = at[k], q = at[previous]; // corner, p, b, d, q in their order
	if (!rbl_surface_cut_add_triangle(&c->plan, corner, p, q, source, true))
		return false;
	bool is_first = node_distance(c, p, d) <= node_distance(c, q, b);
	return is_first ? rbl_surface_cut_add_triangle(&c->plan, p, b, d, source, true) &&
	                      rbl_surface_cut_add_triangle(&c->plan, p, d, q, source, true)
	                : rbl_surface_cut_add_triangle(&c->plan, p, b, q, source, true) &&
	                      rbl_surface_cut_add_triangle(&c->plan, b, d, q, source, true);
}

static bool add_all_parts(cut_work *c)
{
	for (int i = 0; i < c->plan.near.count; ++i) {
		triangle_view v = view_of(c, i);
		chord_end ends[2];
		int inside = -1, from = -1;
		if (find_chord(c, &v, ends)) {
			if (ends[0].is_reached && ends[1].is_reached) {
				int nodes[2];
				for (int k = 0; k < 2; ++k)
					nodes[k] = ends[k].vertex >= 0 ? v.nodes[ends[k].vertex]
					                               : c->edges[v.edges[ends[k].edge]].node;
				if (!rbl_surface_cut_add_edge(&c->plan, nodes[0], nodes[1]))
					return false;
			} else {
				inside = add_stop(c, &v, ends, &from);
				if (inside >= 0 && !rbl_surface_cut_add_edge(&c->plan, from, inside))
					return false;
			}
		}
		if (!divide(c, &v, c->plan.near.data[i], inside))
			return false;
	}
	return true;
}

// --- the plan -----------------------------------------------------------------------------------

bool rbl_surface_cut_add_triangle(rbl_surface_cut_plan *plan, int a, int b, int c, int source,
                                  bool is_part)
{
	RBL_ASSERT(plan->triangle_count < plan->triangle_capacity);
	plan->triangles[plan->triangle_count++] =
		(rbl_surface_cut_triangle){ { a, b, c }, source, is_part };
	return true;
}

bool rbl_surface_cut_add_edge(rbl_surface_cut_plan *plan, int a, int b)
{
	plan->cut_edge_count++;
	return rbl_map_set(&plan->surface->allocator, &plan->cuts->cut_edges, rbl_surface_cut_key(a, b),
	                   1);
}

static rbl_result plan_cut(cut_work *c, const rbl_surface_body *body, rbl_surface_edit_def *edit)
{
	rbl_surface_cut_plan *plan = &c->plan;
	if (c->sheet.is_empty)
		return RBL_OK;
	if (!rbl_surface_cut_find_near(plan, body, &c->sheet))
		return RBL_OUT_OF_MEMORY;
	plan->vertices = RBL_ARENA_NEW(&plan->surface->scratch, int, 3 * (size_t)plan->near.count);
	if (!plan->vertices || !measure_vertices(c) || !list_edges(c))
		return RBL_OUT_OF_MEMORY;
	if (!cross_edges(c) || !reach_ends(c))
		return RBL_OUT_OF_MEMORY;
	if (!find_edges_on(c) || !add_edge_nodes(c) || !add_all_parts(c))
		return RBL_OUT_OF_MEMORY;
	return plan->cut_edge_count > 0 ? rbl_surface_cut_open(plan, edit) : RBL_OK;
}

rbl_result rbl_surface_plan_cut(rbl_surface *surface, rbl_surface_body_id body,
                                const rbl_surface_knife *knife, rbl_surface_edit_def *edit)
{
	if (!surface || !edit)
		return rbl_fail(RBL_BAD_ARGUMENT, "surface or edit is NULL");
	*edit = rbl_default_surface_edit_def();
	rbl_result result = check_knife(knife);
	if (result != RBL_OK)
		return result;
	int slot = rbl_surface_slot(surface, body);
	if (slot < 0)
		return RBL_STALE_ID;
	if (rbl_surface_check_whole(surface, slot) != RBL_OK)
		return RBL_BAD_ARGUMENT;
	cut_work c = { .plan = { .surface = surface, .cuts = rbl_surface_get_cuts(surface) } };
	if (!c.plan.cuts)
		return RBL_OUT_OF_MEMORY;
	const rbl_surface_body *own = &surface->bodies.data[slot];
	double tolerance =
		knife->tolerance > 0.0 ? knife->tolerance : 0.02 * rbl_surface_cut_mean_edge(surface, own);
	rbl_arena_reset(&surface->scratch);
	result = rbl_surface_cut_sheet_init(&c.sheet, &surface->scratch, knife, tolerance);
	if (result == RBL_OK)
		result = plan_cut(&c, own, edit);
	for (int i = 0; i < c.plan.vertex_count; ++i)
		surface->vertex_scratch[c.plan.vertices[i]] = 0;
	rbl_array_free(&surface->allocator, &c.plan.near);
	if (result != RBL_OK)
		*edit = rbl_default_surface_edit_def();
	return result;
}
