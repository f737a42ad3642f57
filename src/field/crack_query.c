// SPDX-License-Identifier: MIT
//
// Measuring points by a fragment of a crack field, and listing its points.
//
// Far from a fragment its box, planes and cells say enough. Near it the tetrahedron of the point is
// found, by walking from the one before or by the grid. Inside of the fragment every witness of the
// nodes around is a true piece of its surface, so that the least of their distances is never too
// small, and where one of them is the nearest it is exact; the nearest triangle of the outer
// surface is then looked for in the tree. Outside of it nothing is known about this fragment, but
// the nodes around know how far it is to leave their own: a lower bound, since the distance cannot
// change faster than one moves (Glondu et al. 2014, section 4.5).

#include "field/crack_field.h"

#include "base/log.h"

// Where something is nearest.
typedef struct nearest_hit {
	float distance;
	rbl_vec3 point;
	rbl_vec3 normal; // out of the fragment
} nearest_hit;

// --- location -----------------------------------------------------------------------------------

// How far a point is outside of a tetrahedron. @param face  receives the face it is farthest beyond
static float outside_of_tet(const rbl_crack_field *field, int tet, rbl_vec3 p, int *face)
{
	const rbl_plane *planes = field->tet_planes + 4 * (size_t)tet;
	float most = rbl_plane_distance(planes[0], p);
	*face = 0;
	for (int k = 1; k < 4; ++k) {
		float distance = rbl_plane_distance(planes[k], p);
		if (distance > most)
			most = distance, *face = k;
	}
	return most;
}

static int grid_cell_of(const rbl_crack_grid *grid, rbl_vec3 p)
{
	int at[3];
	for (int axis = 0; axis < 3; ++axis) {
		float place = (rbl_axis(p, axis) - rbl_axis(grid->origin, axis)) * grid->inverse_cell;
		if (!(place >= -0.5f && place <= (float)grid->size[axis] + 0.5f))
			return RBL_CRACK_NONE;
		at[axis] = rbl_mini(rbl_maxi((int)floorf(place), 0), grid->size[axis] - 1);
	}
	return (at[2] * grid->size[1] + at[1]) * grid->size[0] + at[0];
}

// @param start  a tetrahedron to begin with, or RBL_CRACK_NONE
// @return the tetrahedron that a point is in, RBL_CRACK_NONE: it is outside
static int locate(const rbl_crack_field *field, rbl_vec3 p, int start)
{
	enum { MOST_STEPS = 32 };
	int cell = grid_cell_of(&field->grid, p);
	if (cell < 0 || field->grid.starts[cell] == field->grid.starts[cell + 1])
		return RBL_CRACK_NONE;
	int tet = start >= 0 ? start : field->grid.tets[field->grid.starts[cell]];
	for (int step = 0; step < MOST_STEPS && tet >= 0; ++step) {
		int face;
		if (outside_of_tet(field, tet, p, &face) <= 0.0f)
			return tet;
		tet = field->tet_neighbors[4 * tet + face];
	}
	// Around a corner of the body, or outside, or between two tetrahedra by rounding.
	float least = field->rounding;
	int best = RBL_CRACK_NONE;
	for (int i = field->grid.starts[cell]; i < field->grid.starts[cell + 1]; ++i) {
		int face;
		float outside = outside_of_tet(field, field->grid.tets[i], p, &face);
		if (outside < least)
			least = outside, best = field->grid.tets[i];
	}
	return best;
}

static bool is_in_fragment(const rbl_crack_field *field, int tet, int fragment, rbl_vec3 p)
{
	if (!rbl_crack_tet_has(field, tet, fragment))
		return false;
	for (int i = field->first_entries[tet]; i >= 0; i = field->entries.data[i].next) {
		const rbl_crack_entry *e = &field->entries.data[i];
		int side = e->plane < 0 ? RBL_CRACK_NONE : rbl_crack_side(field, e, fragment);
		if (side >= 0 &&
		    rbl_plane_distance(rbl_crack_facing_plane(field, rbl_crack_facing(e->plane, side)), p) >
		        0.0f)
			return false;
	}
	return true;
}

// --- lower bounds -------------------------------------------------------------------------------

static float box_distance_of(rbl_box box, rbl_vec3 p, rbl_vec3 *gradient)
{
	rbl_vec3 zero = { 0.0f, 0.0f, 0.0f };
	rbl_vec3 below = rbl_max(rbl_sub(box.lower, p), zero);
	rbl_vec3 above = rbl_max(rbl_sub(p, box.upper), zero);
	rbl_vec3 away = rbl_sub(above, below);
	float distance = rbl_length(away);
	*gradient = distance > 0.0f ? rbl_scale(1.0f / distance, away) : (rbl_vec3){ 0.0f, 1.0f, 0.0f };
	return distance;
}

static bool is_occupied(const rbl_crack_grid *grid, const uint64_t *bits, int level, int x, int y,
                        int z)
{
	const int *size = grid->level_sizes[level];
	if (x < 0 || y < 0 || z < 0 || x >= size[0] || y >= size[1] || z >= size[2])
		return false;
	int cell = (z * size[1] + y) * size[0] + x;
	return bits[grid->level_words[level] + (cell >> 6)] >> (cell & 63) & 1;
}

// The eight cells that meet at the corner nearest to a point reach at least half a cell from it.
// Free of the fragment on some level: it is beyond their border.
static float distance_by_cells(const rbl_crack_grid *grid, const uint64_t *bits, rbl_vec3 p)
{
	rbl_vec3 place = rbl_scale(grid->inverse_cell, rbl_sub(p, grid->origin));
	if (!(fabsf(place.x) < 1e6f && fabsf(place.y) < 1e6f && fabsf(place.z) < 1e6f))
		return 0.0f; // the box says more
	for (int level = grid->level_count - 1; level >= 0; --level) {
		float scale = 0.5f / (float)(1 << level);
		rbl_vec3 at = rbl_scale(scale, place);
		rbl_vec3 corner = { floorf(at.x + 0.5f), floorf(at.y + 0.5f), floorf(at.z + 0.5f) };
		int x = (int)corner.x, y = (int)corner.y, z = (int)corner.z;
		bool is_free = true;
		for (int k = 0; k < 8 && is_free; ++k)
			is_free = !is_occupied(grid, bits, level, x - (k & 1), y - (k >> 1 & 1), z - (k >> 2));
		if (!is_free)
			continue;
		rbl_vec3 off = rbl_sub(at, corner);
		float most = rbl_maxf(rbl_maxf(fabsf(off.x), fabsf(off.y)), fabsf(off.z));
		return (0.999f - most) * grid->cell / scale;
	}
	return 0.0f;
}

// What is known without looking for the tetrahedron.
static float far_distance(const rbl_crack_field *field, const rbl_crack_fragment *fragment,
                          rbl_vec3 p, rbl_vec3 *gradient)
{
	float most = box_distance_of(fragment->box, p, gradient);
	for (int i = 0; i < fragment->facing_count; ++i) {
		int facing = field->facings.data[fragment->first_facing + i];
		rbl_plane plane = rbl_crack_facing_plane(field, facing);
		float distance = rbl_plane_distance(plane, p);
		if (distance > most)
			most = distance, *gradient = plane.normal;
	}
	if (fragment->occupied) {
		float distance = distance_by_cells(&field->grid, fragment->occupied, p);
		if (distance > most) {
			rbl_vec3 away = rbl_normalize(rbl_sub(p, rbl_box_centre(fragment->box)));
			most = distance;
			*gradient = rbl_dot(away, away) > 0.0f ? away : (rbl_vec3){ 0.0f, 1.0f, 0.0f };
		}
	}
	return most;
}

// --- inside -------------------------------------------------------------------------------------

static void take_nearer(nearest_hit *hit, float distance, rbl_vec3 point, rbl_vec3 normal)
{
	if (distance < hit->distance)
		*hit = (nearest_hit){ distance, point, normal };
}

// @param inner  a point of the fragment beside the witness: a piece may serve both sides of its
//               crack
static void try_witness(const rbl_crack_field *field, int witness, rbl_vec3 p, rbl_vec3 inner,
                        nearest_hit *hit)
{
	rbl_vec3 nearest;
	float distance = rbl_crack_witness_distance(field, witness, p, &nearest);
	if (!(distance < hit->distance))
		return;
	rbl_plane plane = witness < 0 ? field->pieces.data[-2 - witness].plane
	                              : rbl_crack_facing_plane(field, witness);
	bool is_turned = rbl_plane_distance(plane, inner) > 0.0f;
	take_nearer(hit, distance, nearest, is_turned ? rbl_neg(plane.normal) : plane.normal);
}

// The nearest of what bounds a fragment around a point in it.
static nearest_hit depth_in(const rbl_crack_field *field, int tet, int fragment, rbl_vec3 p)
{
	nearest_hit hit = { .distance = INFINITY };
	int triangle = RBL_CRACK_NONE;
	float surface = INFINITY;
	for (int i = field->first_entries[tet]; i >= 0; i = field->entries.data[i].next) {
		const rbl_crack_entry *e = &field->entries.data[i];
		int side = e->plane < 0 ? RBL_CRACK_NONE : rbl_crack_side(field, e, fragment);
		if (side < 0)
			continue;
		rbl_plane plane = rbl_crack_facing_plane(field, rbl_crack_facing(e->plane, side));
		try_witness(field,
		            e->pieces[side] < 0 ? rbl_crack_facing(e->plane, side) : -2 - e->pieces[side],
		            p, rbl_add_scaled(p, -field->mean_edge, plane.normal), &hit);
	}
	for (int k = 0; k < 4; ++k) {
		int node = field->tet_nodes[4 * tet + k];
		if (field->node_fragments[node] != fragment)
			continue;
		try_witness(field, field->crack_witnesses[node], p, field->nodes[node], &hit);
		float depth = field->surface_depths[node] + rbl_distance(p, field->nodes[node]);
		if (depth < surface)
			surface = depth, triangle = field->surface_witnesses[node];
	}
	float distance, most = rbl_minf(hit.distance, field->size);
	rbl_vec3 nearest;
	triangle = rbl_crack_nearest_triangle(field, p, most, triangle, &distance, &nearest);
	if (triangle >= 0)
		take_nearer(&hit, distance, nearest, field->triangle_planes[triangle].normal);
	return hit;
}

static rbl_vec3 direction_or(rbl_vec3 way, float length, float least, rbl_vec3 otherwise)
{
	return length > least ? rbl_scale(1.0f / length, way) : otherwise;
}

// --- outside, among other fragments -------------------------------------------------------------

// How far a point lies beyond what a tetrahedron has of a fragment, by its planes; negative: it has
// nothing.
static float beyond_part(const rbl_crack_field *field, int tet, int fragment, rbl_vec3 p,
                         rbl_vec3 *gradient)
{
	float most = -1.0f;
	if (!rbl_crack_tet_has(field, tet, fragment))
		return most;
	for (int i = field->first_entries[tet]; i >= 0; i = field->entries.data[i].next) {
		const rbl_crack_entry *e = &field->entries.data[i];
		int side = e->plane < 0 ? RBL_CRACK_NONE : rbl_crack_side(field, e, fragment);
		if (side < 0)
			continue;
		rbl_plane plane = rbl_crack_facing_plane(field, rbl_crack_facing(e->plane, side));
		float distance = rbl_plane_distance(plane, p);
		if (distance > most)
			most = distance, *gradient = plane.normal;
	}
	return most;
}

static rbl_crack_measure measure_among_others(const rbl_crack_field *field, int tet, int fragment,
                                              rbl_vec3 p, float least, rbl_vec3 gradient)
{
	float lower = rbl_maxf(least, 0.0f), estimate = lower;
	int around = RBL_CRACK_NONE;
	for (int k = 0; k < 4; ++k) {
		int node = field->tet_nodes[4 * tet + k], other = field->node_fragments[node];
		if (other == fragment || (other != around && !is_in_fragment(field, tet, other, p)))
			continue;
		around = other;
		lower = rbl_maxf(lower, field->depths[node] - rbl_distance(p, field->nodes[node]));
	}
	rbl_vec3 by_plane;
	float beyond = beyond_part(field, tet, fragment, p, &by_plane);
	if (beyond >= 0.0f) {
		if (beyond >= estimate)
			estimate = beyond, gradient = by_plane;
	} else if (around >= 0) {
		nearest_hit hit = depth_in(field, tet, around, p);
		if (hit.distance > estimate && hit.distance < INFINITY) {
			estimate = hit.distance;
			gradient = direction_or(rbl_sub(p, hit.point), hit.distance, field->rounding,
			                        rbl_neg(hit.normal));
		}
	}
	estimate = rbl_maxf(estimate, lower);
	return (rbl_crack_measure){ estimate, estimate - lower + field->rounding, gradient };
}

// --- a point ------------------------------------------------------------------------------------

rbl_crack_measure rbl_crack_measure_at(const rbl_crack_field *field, int number, rbl_vec3 p,
                                       int *tet)
{
	const rbl_crack_fragment *fragment = &field->fragments.data[number];
	rbl_vec3 gradient, nearest;
	float least = far_distance(field, fragment, p, &gradient), distance;
	if (least > field->mean_edge)
		return (rbl_crack_measure){ least, field->rounding, gradient };
	int found = locate(field, p, *tet);
	if (found < 0) {
		int triangle = rbl_crack_nearest_triangle(field, p, INFINITY, 0, &distance, &nearest);
		if (triangle >= 0 && distance >= least) {
			gradient = direction_or(rbl_sub(p, nearest), distance, field->rounding,
			                        field->triangle_planes[triangle].normal);
			least = distance;
		}
		return (rbl_crack_measure){ rbl_maxf(least, 0.0f), field->rounding, gradient };
	}
	*tet = found;
	if (!is_in_fragment(field, found, number, p))
		return measure_among_others(field, found, number, p, least, gradient);
	nearest_hit hit = depth_in(field, found, number, p);
	gradient = direction_or(rbl_sub(hit.point, p), hit.distance, field->rounding, hit.normal);
	return (rbl_crack_measure){ -hit.distance, field->rounding, gradient };
}

rbl_result rbl_crack_field_evaluate(const rbl_crack_field *field, int fragment,
                                    const rbl_vec3 *points, int count, float *distances,
                                    float *bounds, rbl_vec3 *gradients)
{
	if (!rbl_crack_field_has_fragment(field, fragment))
		return rbl_fail(RBL_BAD_ARGUMENT, "there is no fragment %d", fragment);
	if (count < 0 || (count > 0 && (!points || !distances)))
		return rbl_fail(RBL_BAD_ARGUMENT, count < 0 ? "count is negative" : "%s is NULL",
		                points ? "distances" : "points");
	int tet = RBL_CRACK_NONE;
	for (int i = 0; i < count; ++i) {
		rbl_crack_measure m = rbl_crack_measure_at(field, fragment, points[i], &tet);
		distances[i] = m.distance;
		if (bounds)
			bounds[i] = m.bound;
		if (gradients)
			gradients[i] = m.gradient;
	}
	return RBL_OK;
}

// --- points -------------------------------------------------------------------------------------

// Names: nodes have their number; what an entry adds has 64 numbers from node_count on. Its plane
// on the six edges of the tetrahedron; with each of ten older entries on the four faces; with two
// older entries inside.
enum { ENTRY_NAMES = 64, EDGE_NAMES = 6, FACE_PARTNERS = 10, INNER_NAMES = 18 };

static const int tet_edges[EDGE_NAMES][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 },
	                                          { 1, 2 }, { 1, 3 }, { 2, 3 } };

typedef struct point_list {
	const rbl_crack_field *field;
	int fragment;
	rbl_vec3 *positions;
	uint32_t *ids;
	int capacity, count;
} point_list;

static void add_point(point_list *list, rbl_vec3 p, uint32_t id)
{
	if (list->positions && list->count < list->capacity) {
		list->positions[list->count] = p;
		list->ids[list->count] = id;
	}
	list->count++;
}

static uint32_t entry_name(const rbl_crack_field *field, int entry, int name)
{
	return (uint32_t)field->node_count + (uint32_t)ENTRY_NAMES * (uint32_t)entry + (uint32_t)name;
}

// Whether a point of a tetrahedron lies on the border of the fragment, and not beyond what else
// cuts it there.
static bool is_on_border(const point_list *list, int tet, rbl_vec3 p, const int *but, int but_count)
{
	const rbl_crack_field *field = list->field;
	for (int i = field->first_entries[tet]; i >= 0; i = field->entries.data[i].next) {
		const rbl_crack_entry *e = &field->entries.data[i];
		bool is_own = false;
		for (int k = 0; k < but_count; ++k)
			is_own |= i == but[k];
		int side =
			is_own || e->plane < 0 ? RBL_CRACK_NONE : rbl_crack_side(field, e, list->fragment);
		if (side >= 0 &&
		    rbl_plane_distance(rbl_crack_facing_plane(field, rbl_crack_facing(e->plane, side)), p) >
		        10.0f * field->rounding)
			return false;
	}
	return true;
}

// The oldest entry of a tetrahedron with this plane; with a fragment, that names it.
// RBL_CRACK_NONE: none
static int entry_with_plane(const rbl_crack_field *field, int tet, int plane, int fragment)
{
	int found = RBL_CRACK_NONE;
	for (int i = field->first_entries[tet]; i >= 0; i = field->entries.data[i].next)
		if (field->entries.data[i].plane == plane &&
		    (fragment < 0 || rbl_crack_side(field, &field->entries.data[i], fragment) >= 0))
			found = i;
	return found;
}

static int corner_of_node(const rbl_crack_field *field, int tet, int node)
{
	for (int k = 0; k < 4; ++k)
		if (field->tet_nodes[4 * tet + k] == node)
			return k;
	return RBL_CRACK_NONE;
}

// Where a plane cuts an edge. All tetrahedra around the edge know it; the first that has the
// fragment there lists it, by the name that the first of all gives it.
static void add_edge_point(point_list *list, int entry, int edge)
{
	const rbl_crack_field *field = list->field;
	const rbl_crack_entry *e = &field->entries.data[entry];
	int a = field->tet_nodes[4 * e->tet + tet_edges[edge][0]];
	int b = field->tet_nodes[4 * e->tet + tet_edges[edge][1]];
	rbl_plane plane = field->planes.data[e->plane];
	rbl_vec3 low = field->nodes[rbl_mini(a, b)], high = field->nodes[rbl_maxi(a, b)];
	float at_low = rbl_plane_distance(plane, low), at_high = rbl_plane_distance(plane, high);
	if ((at_low > 0.0f) == (at_high > 0.0f))
		return;
	rbl_vec3 p = rbl_lerp(low, high, at_low / (at_low - at_high));
	if (!is_on_border(list, e->tet, p, &entry, 1))
		return;
	int namer = RBL_CRACK_NONE;
	for (int i = field->node_tet_starts[a]; i < field->node_tet_starts[a + 1]; ++i) {
		int tet = field->node_tets[i];
		if (corner_of_node(field, tet, b) < 0)
			continue;
		int own = entry_with_plane(field, tet, e->plane, list->fragment);
		if (own >= 0 && tet < e->tet && is_on_border(list, tet, p, &own, 1))
			return;
		int any = entry_with_plane(field, tet, e->plane, RBL_CRACK_NONE);
		if (any >= 0 && (namer < 0 || any < namer))
			namer = any;
	}
	int tet = field->entries.data[namer].tet;
	int i = corner_of_node(field, tet, a), k = corner_of_node(field, tet, b), name = 0;
	while (tet_edges[name][0] != rbl_mini(i, k) || tet_edges[name][1] != rbl_maxi(i, k))
		name++;
	add_point(list, p, entry_name(field, namer, name));
}

static bool meet_of_planes(rbl_plane a, rbl_plane b, rbl_plane c, rbl_vec3 *p)
{
	rbl_vec3d x = rbl_to_d(a.normal), y = rbl_to_d(b.normal), z = rbl_to_d(c.normal);
	double determinant = rbl_dot_d(x, rbl_cross_d(y, z));
	if (fabs(determinant) < 1e-6)
		return false;
	rbl_vec3d sum = rbl_scale_d((double)a.offset, rbl_cross_d(y, z));
	sum = rbl_add_scaled_d(sum, (double)b.offset, rbl_cross_d(z, x));
	sum = rbl_add_scaled_d(sum, (double)c.offset, rbl_cross_d(x, y));
	*p = rbl_to_f(rbl_scale_d(1.0 / determinant, sum));
	return true;
}

static bool is_inside_tet(const rbl_crack_field *field, int tet, rbl_vec3 p, int but_face)
{
	for (int k = 0; k < 4; ++k)
		if (k != but_face && rbl_plane_distance(field->tet_planes[4 * tet + k], p) > 0.0f)
			return false;
	return true;
}

// Where two cracks meet on a face. Both tetrahedra of the face know it; the first lists it.
static void add_face_points(point_list *list, int entry, int partner, int ordinal)
{
	const rbl_crack_field *field = list->field;
	const rbl_crack_entry *e = &field->entries.data[entry];
	int plane = field->entries.data[partner].plane;
	for (int face = 0; face < 4; ++face) {
		int but[2] = { entry, partner }, next = field->tet_neighbors[4 * e->tet + face];
		rbl_vec3 p;
		if (!meet_of_planes(field->planes.data[e->plane], field->planes.data[plane],
		                    field->tet_planes[4 * e->tet + face], &p) ||
		    !is_inside_tet(field, e->tet, p, face) || !is_on_border(list, e->tet, p, but, 2))
			continue;
		if (next >= 0 && next < e->tet &&
		    entry_with_plane(field, next, e->plane, list->fragment) >= 0 &&
		    entry_with_plane(field, next, plane, list->fragment) >= 0)
			continue;
		add_point(list, p, entry_name(field, entry, EDGE_NAMES + 4 * ordinal + face));
	}
}

// What a cut adds alone, with older cuts of its tetrahedron, and with pairs of them.
static void add_entry_points(point_list *list, int entry)
{
	const rbl_crack_field *field = list->field;
	const rbl_crack_entry *entries = field->entries.data;
	for (int edge = 0; edge < EDGE_NAMES; ++edge)
		add_edge_point(list, entry, edge);
	int ordinal = 0, inner = 0;
	for (int i = entries[entry].next; i >= 0; i = entries[i].next) {
		if (entries[i].plane < 0)
			continue;
		bool is_named = rbl_crack_side(field, &entries[i], list->fragment) >= 0;
		if (ordinal < FACE_PARTNERS && is_named)
			add_face_points(list, entry, i, ordinal);
		ordinal++;
		for (int k = entries[i].next; k >= 0; k = entries[k].next) {
			int but[3] = { entry, i, k };
			rbl_vec3 p;
			if (entries[k].plane < 0 || inner++ >= INNER_NAMES || !is_named ||
			    rbl_crack_side(field, &entries[k], list->fragment) < 0 ||
			    !meet_of_planes(field->planes.data[entries[entry].plane],
			                    field->planes.data[entries[i].plane],
			                    field->planes.data[entries[k].plane], &p) ||
			    !is_inside_tet(field, entries[entry].tet, p, RBL_CRACK_NONE) ||
			    !is_on_border(list, entries[entry].tet, p, but, 3))
				continue;
			add_point(list, p, entry_name(field, entry, ENTRY_NAMES - INNER_NAMES + inner - 1));
		}
	}
}

rbl_result rbl_crack_field_get_points(const rbl_crack_field *field, int fragment,
                                      rbl_crack_points points, rbl_vec3 *positions, uint32_t *ids,
                                      int capacity, int *count)
{
	if (!count)
		return rbl_fail(RBL_BAD_ARGUMENT, "count is NULL");
	*count = 0;
	if (!rbl_crack_field_has_fragment(field, fragment))
		return rbl_fail(RBL_BAD_ARGUMENT, "there is no fragment %d", fragment);
	if (points != RBL_CRACK_POINTS_SURFACE && points != RBL_CRACK_POINTS_ALL)
		return rbl_fail(RBL_BAD_ARGUMENT, "there are no points of kind %d", (int)points);
	if (positions && (!ids || capacity < 0))
		return rbl_fail(RBL_BAD_ARGUMENT, ids ? "capacity is negative" : "ids is NULL");
	if ((int64_t)field->node_count + (int64_t)ENTRY_NAMES * field->entries.count > INT32_MAX)
		return rbl_fail(RBL_LIMIT_REACHED, "%d cuts are too many for the names of their points",
		                field->entries.count);
	point_list list = { field, fragment, positions, ids, capacity, 0 };
	const rbl_crack_fragment *f = &field->fragments.data[fragment];
	for (int i = 0; i < f->node_count; ++i) {
		int node = field->nodes_by_fragment[f->first_node + i];
		if (points == RBL_CRACK_POINTS_ALL || field->is_surface_node[node])
			add_point(&list, field->nodes[node], (uint32_t)node);
	}
	for (int i = 0; i < f->cut_tet_count; ++i) {
		int tet = field->cut_tets.data[f->first_cut_tet + i];
		for (int k = field->first_entries[tet]; k >= 0; k = field->entries.data[k].next)
			if (field->entries.data[k].plane >= 0 &&
			    rbl_crack_side(field, &field->entries.data[k], fragment) >= 0)
				add_entry_points(&list, k);
	}
	*count = list.count;
	if (positions && list.count > capacity)
		return rbl_fail(RBL_LIMIT_REACHED, "there are %d points, and room for %d", list.count,
		                capacity);
	return RBL_OK;
}
