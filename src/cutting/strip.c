// SPDX-License-Identifier: MIT
//
// Triangles for the strip between the old and the new front of a crack, in the plane of its sheet.
//
// The triangulation is made once and serves both sheets, with some vertices shared between them.
// Hence two rules beyond those of any triangulation:
//   - an edge across the strip between two points that both sheets share, or that an edge of the
//     mesh joins already, would join four triangles: it gets a point in the middle;
//   - every point of the border has one fan of triangles. Where loops lie on each other, over the
//     faces of an older crack, a triangulation may break this: then each loop becomes a cone.

#include "cutting/crack_plan.h"

#include "base/vec.h"
#include "geometry/geometry.h"

// Whether an edge between two points would be there twice.
static bool is_doubled(const rbl_cutter *cutter, int i, int j)
{
	const rbl_cut_point *a = &cutter->points.data[i], *b = &cutter->points.data[j];
	if (a->is_shared && b->is_shared)
		return true;
	if (a->vertex[0] < 0 || b->vertex[0] < 0)
		return false;
	return rbl_cutter_find_half_edge(cutter, cutter->anchors.data[a->vertex[0]], b->vertex[0]) >= 0;
}

// Put a point on the edge k of strip triangle t.
static bool split_diagonal(rbl_cutter *cutter, rbl_crack_plan *p, int t, int k, int other)
{
	int *triangle = p->triangles + 3 * t, *across = p->triangles + 3 * other;
	int i = triangle[k], j = triangle[(k + 1) % 3], c = triangle[(k + 2) % 3], d = 0;
	for (int m = 0; m < 3; ++m)
		if (across[m] != i && across[m] != j)
			d = across[m];
	const rbl_cut_point *a = &cutter->points.data[p->places[i]];
	const rbl_cut_point *b = &cutter->points.data[p->places[j]];
	double u = 0.5 * (a->u + b->u), w = 0.5 * (a->w + b->w);
	rbl_cut_point point = rbl_crack_point(&cutter->sheet, a->position, -1);
	point.u = u, point.w = w;
	point.position = rbl_sheet_position(&cutter->sheet, u, w);
	int place = p->place_count++;
	p->places[place] = cutter->points.count;
	if (!rbl_array_push(&cutter->allocator, &cutter->points, point))
		return false;
	const int made[4][3] = { { i, place, c }, { place, j, c }, { j, place, d }, { place, i, d } };
	const int where[4] = { t, p->triangle_count, other, p->triangle_count + 1 };
	p->triangle_count += 2;
	for (int m = 0; m < 4; ++m)
		for (int n = 0; n < 3; ++n) {
			p->triangles[3 * where[m] + n] = made[m][n];
			if (!rbl_map_set(&cutter->allocator, &cutter->edges,
			                 rbl_crack_edge_key(made[m][n], made[m][(n + 1) % 3]),
			                 (uint32_t)where[m]))
				return false;
		}
	return true;
}

// Where loops lie on each other (a crack across the faces of another), the same two points may be
// joined by several edges across the strip. All but the first get a point, pair by pair.
static bool part_doubles(rbl_cutter *cutter, rbl_crack_plan *p, const int *doubles, int count)
{
	for (int a = 0; a < count; ++a)
		for (int b = a + 1; b < count; ++b) {
			int h = doubles[a], g = doubles[b];
			if (p->triangles[h] != p->triangles[rbl_next_half_edge(g)] ||
			    p->triangles[g] != p->triangles[rbl_next_half_edge(h)])
				continue;
			// Splitting turns the corners of both triangles: other doubles in them are found
			// again by the pass that follows.
			if (!split_diagonal(cutter, p, h / 3, h % 3, g / 3))
				return false;
			break;
		}
	return true;
}

// @return -1 when memory ran out, else the number of edges that are there more than once
static int map_edges(rbl_cutter *cutter, rbl_crack_plan *p, int *doubles)
{
	int count = 0;
	rbl_map_clear(&cutter->edges);
	for (int h = 0; h < 3 * p->triangle_count; ++h) {
		uint64_t key = rbl_crack_edge_key(p->triangles[h], p->triangles[rbl_next_half_edge(h)]);
		uint32_t *value = rbl_map_add(&cutter->allocator, &cutter->edges, key, (uint32_t)(h / 3));
		if (!value)
			return -1;
		if (*value != (uint32_t)(h / 3))
			doubles[count++] = h;
	}
	return count;
}

static bool split_diagonals(rbl_cutter *cutter, rbl_crack_plan *p, int *doubles)
{
	int count = map_edges(cutter, p, doubles);
	for (int round = 0; count > 0 && round < 8; ++round) {
		if (!part_doubles(cutter, p, doubles, count))
			return false;
		count = map_edges(cutter, p, doubles);
	}
	if (count < 0)
		return false;
	for (int h = 0; h < 3 * p->triangle_count; ++h) {
		int i = p->triangles[h], j = p->triangles[rbl_next_half_edge(h)];
		uint32_t other = rbl_map_get(&cutter->edges, rbl_crack_edge_key(j, i));
		if (other == RBL_MAP_NONE || !is_doubled(cutter, p->places[i], p->places[j]))
			continue; // on the border, or harmless
		if (!split_diagonal(cutter, p, h / 3, h % 3, (int)other))
			return false;
		h = h / 3 * 3 - 1; // the triangle is another one now: look at it again
	}
	return true;
}

// The corner of a strip triangle that is a given place, -1 when none is.
static int corner_of(const rbl_crack_plan *p, uint32_t triangle, int place)
{
	for (int k = 0; triangle != RBL_MAP_NONE && k < 3; ++k)
		if (p->triangles[3 * (int)triangle + k] == place)
			return k;
	return -1;
}

// Whether the triangles form one fan around each point of the border. Loops that touch or cross,
// as those over the faces of older cracks may, can give a triangulation that does not.
static bool is_strip_sound(const rbl_cutter *cutter, const rbl_crack_plan *p, const int *starts,
                           int loops, int *counts)
{
	memset(counts, 0, (size_t)p->place_count * sizeof *counts);
	for (int h = 0; h < 3 * p->triangle_count; ++h)
		counts[p->triangles[h]]++;
	for (int loop = 0; loop < loops; ++loop)
		for (int i = starts[loop]; i < starts[loop + 1]; ++i) {
			int next = i + 1 < starts[loop + 1] ? i + 1 : starts[loop];
			int last = i > starts[loop] ? i - 1 : starts[loop + 1] - 1;
			int visited = 0;
			for (int at = next; at != last && visited <= counts[i]; ++visited) {
				uint32_t t = rbl_map_get(&cutter->edges, rbl_crack_edge_key(i, at));
				int corner = corner_of(p, t, i);
				if (corner < 0 || p->triangles[3 * (int)t + (corner + 1) % 3] != at)
					return false;
				at = p->triangles[3 * (int)t + (corner + 2) % 3];
			}
			if (visited != counts[i] || visited == 0)
				return false;
		}
	return true;
}

// The last resort: each loop becomes a cone over a point of its own. It may lie across other
// faces, and it is closed and manifold whatever the loop looks like.
static bool cone_loops(rbl_cutter *cutter, rbl_crack_plan *p, const int *starts, int loops)
{
	cutter->points.count -= p->place_count - starts[loops];
	p->place_count = starts[loops];
	p->triangle_count = 0;
	for (int loop = 0; loop < loops; ++loop) {
		int count = starts[loop + 1] - starts[loop], centre = p->place_count++;
		double u = 0.0, w = 0.0;
		for (int i = starts[loop]; i < starts[loop + 1]; ++i) {
			int next = i + 1 < starts[loop + 1] ? i + 1 : starts[loop];
			int *triangle = p->triangles + 3 * p->triangle_count++;
			triangle[0] = i, triangle[1] = next, triangle[2] = centre;
			u += cutter->points.data[p->places[i]].u / count;
			w += cutter->points.data[p->places[i]].w / count;
		}
		rbl_cut_point point = rbl_crack_point(&cutter->sheet, cutter->sheet.origin, -1);
		point.u = u, point.w = w;
		point.position = rbl_sheet_position(&cutter->sheet, u, w);
		p->places[centre] = cutter->points.count;
		if (!rbl_array_push(&cutter->allocator, &cutter->points, point))
			return false;
	}
	return true;
}

// Move the points of a loop a hair into the material. The faces of an older crack lie on each
// other, and so do the loops over them; now there is a gap between, and the triangulation sees two
// borders. Only the plane is moved, no position.
static void shrink_loop(const rbl_cut_point *points, const int *places, rbl_point2 *plane,
                        int count, double by)
{
	for (int i = 0; i < count; ++i) {
		const rbl_cut_point *a = &points[places[(i + count - 1) % count]];
		const rbl_cut_point *b = &points[places[i]], *c = &points[places[(i + 1) % count]];
		double in_u = b->u - a->u, in_w = b->w - a->w, out_u = c->u - b->u, out_w = c->w - b->w;
		double in = sqrt(in_u * in_u + in_w * in_w), out = sqrt(out_u * out_u + out_w * out_w);
		if (!(in > 0.0) || !(out > 0.0))
			continue;
		plane[i].x -= by * (in_w / in + out_w / out);
		plane[i].y += by * (in_u / in + out_u / out);
	}
}

// Follow the border into loops, and triangulate what they enclose.
bool rbl_crack_plan_strip(rbl_cutter *cutter, rbl_crack_plan *p)
{
	rbl_arena *arena = &cutter->scratch;
	rbl_cut_point *points = cutter->points.data;
	int count = p->border_count, loops = 0;
	size_t room = (size_t)rbl_triangulate_capacity(count, count);
	rbl_point2 *plane = RBL_ARENA_NEW(arena, rbl_point2, count + 1);
	int *starts = RBL_ARENA_NEW(arena, int, count + 1);
	p->places = RBL_ARENA_NEW(arena, int, (size_t)count + 2 * room);
	p->triangles = RBL_ARENA_NEW(arena, int, 12 * room);
	int *doubles = RBL_ARENA_NEW(arena, int, 12 * room);
	if (!plane || !starts || !p->places || !p->triangles || !doubles)
		return false;
	enum { VISITED = INT32_MIN };
	for (int i = 0; i < count; ++i) {
		if (points[p->border[i]].mark == VISITED)
			continue;
		starts[loops++] = p->place_count;
		for (int at = p->border[i]; points[at].mark != VISITED; at = points[at].polygon_next) {
			points[at].mark = VISITED;
			plane[p->place_count] = (rbl_point2){ points[at].u, points[at].w };
			p->places[p->place_count++] = at;
		}
	}
	starts[loops] = p->place_count;
	for (int i = 0; i < loops; ++i)
		shrink_loop(points, p->places + starts[i], plane + starts[i], starts[i + 1] - starts[i],
		            1e-9 * cutter->spacing);
	for (int i = 0; i < count; ++i)
		points[p->border[i]].mark = 0;
	rbl_polygon polygon = {
		.points = plane, .loop_starts = starts, .loop_count = loops, .improve = true
	};
	rbl_triangulation made;
	if (rbl_triangulate(arena, &polygon, p->triangles, &made) != RBL_OK)
		return false;
	p->triangle_count = made.triangle_count;
	if (!split_diagonals(cutter, p, doubles))
		return false;
	if (is_strip_sound(cutter, p, starts, loops, doubles))
		return true;
	return cone_loops(cutter, p, starts, loops);
}
