// SPDX-License-Identifier: MIT
//
// Resolving self-intersections.
//
// Where a closed surface crosses itself, its winding number may be anything. Of a shell the inside
// is where that is positive: places around which it winds twice count once, and places around which
// it winds the wrong way round are outside. Those are slivers as a rule, where a face was folded
// over or a hole was closed across another wall. Where they are a part of the shell to speak of, as
// one half of a bow tie, they are inside as well and their faces are turned over: nothing that was
// seen is lost. A void is a shell like others, seen from its inside. After that a group of shells
// is solid where its winding number is positive, so that voids that cross become one.
//
// Of shells and groups that have such places, all triangles are cut along their crossings
// (arrangement.h), and those stay that part inside from outside. What has a winding number of 0 or
// 1 nearly everywhere is left alone, however much it touches itself.

#include "geometry/repair.h"

#include "base/log.h"
#include "base/vec.h"
#include "geometry/adjacency.h"
#include "geometry/arrangement.h"
#include "geometry/face_diagonals.h"
#include "geometry/solid.h"

// The share of the volume that may be counted more than once: pieces from there only overlap.
static const double double_share = 1e-6;

// A shell that is inside out in more than this share of its volume has a lobe there.
static const double lobe_share = 1e-4;

// How far vertices are moved to arrange them, as a share of the size of the group and of the mesh,
// and how often that is tried. Where many slivers lie along one line the first step is too short to
// tell them apart: each further one is ten times as long.
static const double step_share = 1e-13, min_step_share = 4e-15;

enum { TRIES = 6 };

typedef struct crossings {
	rbl_draft *draft; // NULL: only look
	const rbl_solid *solid;
	rbl_allocator allocator;

	int *shell_of; // per triangle of the solid
	int *list;     // triangles by group, and those of a group by shell
	int *starts;   // of groups in it

	// What is looked at: a shell, or a group.
	const int *members; // its triangles
	int triangle_count, vertex_count;
	int sign; // -1 for a void, of which the inside is in front of its faces
	bool has_lobes;
	int *triangles;       // three local vertices each
	int *locals;          // per vertex of the solid, -1 for none
	rbl_vec3d *positions; // of local vertices, in the solid's coordinates
	rbl_vec3d *normals;
	int *vertices;      // their vertices in the draft
	int *node_vertices; // of nodes of the arrangement in the draft, -1 while there is none

	unsigned char *marks; // per face of the draft: it goes
	int *missing;         // per face: how many of its triangles do not stay as they are
	int face_count;
} crossings;

// --- the triangles of a group --------------------------------------------------------------

static bool allocate(crossings *c)
{
	const rbl_solid *s = c->solid;
	size_t triangles = (size_t)s->triangle_count, vertices = (size_t)s->vertex_count;
	c->shell_of = RBL_NEW(&c->allocator, int, triangles);
	c->list = RBL_NEW(&c->allocator, int, triangles);
	c->starts = RBL_NEW_ZERO(&c->allocator, int, (size_t)s->group_count + 2);
	c->locals = RBL_NEW(&c->allocator, int, vertices);
	c->triangles = RBL_NEW(&c->allocator, int, 3 * triangles);
	c->positions = RBL_NEW(&c->allocator, rbl_vec3d, vertices);
	c->normals = RBL_NEW(&c->allocator, rbl_vec3d, vertices);
	c->vertices = RBL_NEW(&c->allocator, int, vertices);
	c->marks = RBL_NEW_ZERO(&c->allocator, unsigned char, (size_t)c->face_count);
	c->missing = RBL_NEW(&c->allocator, int, (size_t)c->face_count);
	return c->shell_of && c->list && c->starts && c->locals && c->triangles && c->positions &&
	       c->normals && c->vertices && c->marks && c->missing;
}

static void release(crossings *c)
{
	const rbl_solid *s = c->solid;
	size_t triangles = (size_t)s->triangle_count, vertices = (size_t)s->vertex_count;
	RBL_FREE(&c->allocator, c->shell_of, triangles);
	RBL_FREE(&c->allocator, c->list, triangles);
	RBL_FREE(&c->allocator, c->starts, (size_t)s->group_count + 2);
	RBL_FREE(&c->allocator, c->locals, vertices);
	RBL_FREE(&c->allocator, c->triangles, 3 * triangles);
	RBL_FREE(&c->allocator, c->positions, vertices);
	RBL_FREE(&c->allocator, c->normals, vertices);
	RBL_FREE(&c->allocator, c->vertices, vertices);
	RBL_FREE(&c->allocator, c->marks, (size_t)c->face_count);
	RBL_FREE(&c->allocator, c->missing, (size_t)c->face_count);
}

// List triangles by group and shell. A shell is known by its first triangle.
static bool list_triangles(crossings *c)
{
	const rbl_solid *s = c->solid;
	int n = s->triangle_count, count = 0;
	rbl_sort_item64 *items = RBL_NEW(&c->allocator, rbl_sort_item64, 2 * (size_t)n);
	if (!items)
		return false;
	for (int t = 0; t < n; ++t)
		c->shell_of[t] = t;
	for (int h = 0; h < 3 * n; ++h)
		rbl_union_find_join(c->shell_of, h / 3, s->twins[h] / 3);
	for (int t = 0; t < n; ++t) {
		c->shell_of[t] = rbl_union_find_root(c->shell_of, t);
		if (s->triangle_groups[t] < 0)
			continue;
		uint64_t key = (uint64_t)s->triangle_groups[t] << 32 | (uint32_t)c->shell_of[t];
		items[count++] = (rbl_sort_item64){ key, (uint32_t)t, 0 };
		c->starts[s->triangle_groups[t] + 1]++;
	}
	rbl_sort64(items, items + count, count);
	for (int g = 0; g < s->group_count; ++g)
		c->starts[g + 1] += c->starts[g];
	for (int i = 0; i < count; ++i)
		c->list[i] = (int)items[i].value;
	for (int v = 0; v < s->vertex_count; ++v)
		c->locals[v] = -1;
	RBL_FREE(&c->allocator, items, 2 * (size_t)n);
	return true;
}

// Some outward direction for each vertex: the mean of its triangles'.
static void find_normals(crossings *c)
{
	for (int v = 0; v < c->vertex_count; ++v)
		c->normals[v] = (rbl_vec3d){ 0.0, 0.0, 0.0 };
	for (int t = 0; t < c->triangle_count; ++t) {
		const int *v = c->triangles + 3 * (size_t)t;
		rbl_vec3d o = c->positions[v[0]];
		rbl_vec3d n = rbl_normalize_d(
			rbl_cross_d(rbl_sub_d(c->positions[v[1]], o), rbl_sub_d(c->positions[v[2]], o)));
		for (int k = 0; k < 3; ++k)
			c->normals[v[k]] = rbl_add_d(c->normals[v[k]], n);
	}
	for (int v = 0; v < c->vertex_count; ++v)
		c->normals[v] = rbl_normalize_d(c->normals[v]);
}

// Look at some triangles.
static void take(crossings *c, const int *members, int count)
{
	const rbl_solid *s = c->solid;
	c->members = members;
	c->vertex_count = 0;
	c->triangle_count = count;
	for (int i = 0; i < 3 * count; ++i) {
		int corner = 3 * members[i / 3] + i % 3, v = s->triangle_vertices[corner];
		if (c->locals[v] < 0) {
			c->locals[v] = c->vertex_count;
			c->positions[c->vertex_count] = s->positions[v];
			c->vertices[c->vertex_count++] =
				c->draft ? c->draft->vertices.data[s->triangle_corners[corner]] : -1;
		}
		c->triangles[i] = c->locals[v];
	}
	for (int i = 0; i < 3 * count; ++i)
		c->locals[s->triangle_vertices[3 * members[i / 3] + i % 3]] = -1;
	find_normals(c);
}

// --- what is wrong -------------------------------------------------------------------------

// Volumes by winding number.
typedef struct volumes {
	double inside;   // where it is positive
	double inverted; // where it is negative, and how often
	double doubled;  // where it is more than one, less the first time
} volumes;

// The integral of what a winding number has of each, over the cones of all faces.
static volumes measure_windings(const crossings *c, const rbl_arrangement *a)
{
	volumes sum = { 0.0, 0.0, 0.0 };
	rbl_boxd box = rbl_box_empty_d();
	for (int v = 0; v < c->vertex_count; ++v)
		box = rbl_box_add_point_d(box, c->positions[v]);
	rbl_vec3d o = rbl_box_centre_d(box);
	for (int f = 0; f < a->faces.count; ++f) {
		const rbl_arrangement_face *face = &a->faces.data[f];
		int front = rbl_arrangement_front(a, f), back = front + a->counts[face->triangle];
		front *= c->sign, back *= c->sign;
		rbl_vec3d p[3];
		for (int k = 0; k < 3; ++k)
			p[k] = rbl_sub_d(rbl_arrangement_position(a, face->nodes[k]), o);
		double volume = rbl_dot_d(p[0], rbl_cross_d(p[1], p[2])) / 6.0;
		sum.inside += ((back > 0) - (front > 0)) * volume;
		sum.inverted += (rbl_maxi(-back, 0) - rbl_maxi(-front, 0)) * volume;
		sum.doubled += (rbl_maxi(back - 1, 0) - rbl_maxi(front - 1, 0)) * volume;
	}
	return sum;
}

static bool is_inside(const crossings *c, int winding)
{
	return c->has_lobes ? winding != 0 : c->sign * winding > 0;
}

// What becomes of a face: 1 when it stays, -1 when it stays turned over, 0 when it goes.
static int action_of(const crossings *c, const rbl_arrangement *a, int f)
{
	int front = rbl_arrangement_front(a, f);
	int back = front + a->counts[a->faces.data[f].triangle];
	return c->sign * (is_inside(c, back) - is_inside(c, front));
}

// Whether the faces that stay close a surface, which they do unless a winding number is wrong.
// @return RBL_OK, RBL_BAD_MESH, RBL_OUT_OF_MEMORY
static rbl_result check_closed(const crossings *c, const rbl_arrangement *a)
{
	size_t capacity = 6 * (size_t)a->faces.count + 1;
	rbl_sort_item64 *items = RBL_NEW(&c->allocator, rbl_sort_item64, capacity);
	if (!items)
		return RBL_OUT_OF_MEMORY;
	int count = 0;
	for (int f = 0; f < a->faces.count; ++f) {
		const int *v = a->faces.data[f].nodes;
		int action = action_of(c, a, f);
		for (int k = 0; k < 3 && action != 0; ++k) {
			int from = v[k], to = v[k < 2 ? k + 1 : 0];
			items[count++] =
				(rbl_sort_item64){ rbl_edge_key(from, to), (from < to) == (action > 0), 0 };
		}
	}
	rbl_sort64(items, items + count, count);
	bool is_closed = true;
	for (int begin = 0, end; begin < count; begin = end) {
		int sum = 0;
		for (end = begin; end < count && items[end].key == items[begin].key; ++end)
			sum += items[end].value ? 1 : -1;
		is_closed &= sum == 0;
	}
	RBL_FREE(&c->allocator, items, capacity);
	return is_closed ? RBL_OK : RBL_BAD_MESH;
}

// --- faces of the draft --------------------------------------------------------------------

static int source_of(const crossings *c, const rbl_arrangement *a, int triangle)
{
	return c->members[a->sources[triangle]];
}

// A face stays as it is when it has all its triangles and they all stay as they are. Vertices at
// one place become one.
static void keep_whole_faces(crossings *c, const rbl_arrangement *a)
{
	const rbl_solid *s = c->solid;
	rbl_draft *draft = c->draft;
	const int *list = c->members;
	for (int i = 0; i < c->triangle_count; ++i) {
		int face = s->triangle_faces[list[i]];
		c->missing[face] = draft->starts.data[face + 1] - draft->starts.data[face] - 2;
	}
	for (int f = 0; f < a->faces.count; ++f) {
		int t = a->faces.data[f].triangle;
		if (a->triangle_starts[t] == a->triangle_starts[t + 1] && !a->is_flipped[t])
			c->missing[s->triangle_faces[source_of(c, a, t)]] -= action_of(c, a, f) > 0;
	}
	for (int i = 0; i < c->triangle_count; ++i) {
		int face = s->triangle_faces[list[i]];
		c->marks[face] = c->missing[face] != 0;
		for (int k = 0; k < 3; ++k)
			draft->vertices.data[s->triangle_corners[3 * list[i] + k]] =
				c->vertices[c->triangles[3 * i + k]];
	}
}

// The vertex of a node in the draft, -1 when memory ran out.
static int vertex_of(crossings *c, const rbl_arrangement *a, int node)
{
	if (node < c->vertex_count)
		return c->vertices[node];
	int *vertex = &c->node_vertices[node - c->vertex_count];
	if (*vertex < 0) {
		rbl_vec3d p = rbl_add_d(rbl_arrangement_position(a, node), c->solid->origin);
		if (!rbl_array_push(&c->draft->allocator, &c->draft->positions, p))
			return -1;
		*vertex = c->draft->positions.count - 1;
		c->draft->report.added_vertices++;
	}
	return *vertex;
}

// How much each corner of a triangle has of a place in it; of a sliver, of a place on its longest
// side.
static void find_weights(const rbl_vec3d p[3], rbl_vec3d at, float weights[3])
{
	rbl_vec3d n = rbl_cross_d(rbl_sub_d(p[1], p[0]), rbl_sub_d(p[2], p[0]));
	double all = rbl_dot_d(n, n), longest = 0.0, parts[3];
	int from = 0;
	for (int k = 0; k < 3; ++k) {
		rbl_vec3d q = p[k < 2 ? k + 1 : 0], r = p[k > 0 ? k - 1 : 2], side = rbl_sub_d(q, p[k]);
		parts[k] = rbl_dot_d(n, rbl_cross_d(rbl_sub_d(q, at), rbl_sub_d(r, at)));
		if (rbl_dot_d(side, side) > longest)
			longest = rbl_dot_d(side, side), from = k;
	}
	if (!(all > 1e-16 * longest * longest)) {
		int to = from < 2 ? from + 1 : 0;
		rbl_vec3d side = rbl_sub_d(p[to], p[from]);
		parts[0] = parts[1] = parts[2] = 0.0;
		parts[to] = longest > 0.0 ? rbl_dot_d(rbl_sub_d(at, p[from]), side) / longest : 0.0;
		parts[from] = 1.0 - parts[to], all = 1.0;
	}
	double sum = 0.0;
	for (int k = 0; k < 3; ++k)
		sum += parts[k] = rbl_clampd(parts[k] / all, 0.0, 1.0);
	for (int k = 0; k < 3; ++k)
		weights[k] = (float)(parts[k] / sum);
}

// The attributes of a node as a corner of a triangle: those of a corner of the mesh, or a mean.
static bool find_corner(crossings *c, const rbl_arrangement *a, int triangle, int node, int *source)
{
	const int *v = c->triangles + 3 * (size_t)a->sources[triangle];
	const int *corners = c->solid->triangle_corners + 3 * source_of(c, a, triangle);
	rbl_vec3d p[3];
	for (int k = 0; k < 3; ++k) {
		*source = corners[k];
		if (v[k] == node)
			return true;
		p[k] = c->positions[v[k]];
	}
	float weights[3];
	find_weights(p, rbl_arrangement_position(a, node), weights);
	if (!rbl_draft_add_middle(c->draft, corners, weights, 3))
		return false;
	*source = -c->draft->middles.count;
	return true;
}

static rbl_result add_resolved_face(crossings *c, const rbl_arrangement *a, int f, int action)
{
	const rbl_arrangement_face *face = &a->faces.data[f];
	int vertices[3], sources[3];
	for (int k = 0; k < 3; ++k) {
		int node = face->nodes[action > 0 ? k : 2 - k];
		vertices[k] = vertex_of(c, a, node);
		if (vertices[k] < 0 || !find_corner(c, a, face->triangle, node, &sources[k]))
			return RBL_OUT_OF_MEMORY;
	}
	int source = c->solid->triangle_faces[source_of(c, a, face->triangle)];
	bool is_flipped = a->is_flipped[face->triangle] != (action < 0);
	return rbl_draft_add_face(c->draft, vertices, sources, 3, source,
	                          is_flipped ? RBL_DRAFT_FLIPPED : 0);
}

// Put the faces that stay into the draft, and mark those that they take the place of.
static rbl_result replace_faces(crossings *c, const rbl_arrangement *a)
{
	size_t capacity = (size_t)a->nodes.count + 1;
	c->node_vertices = RBL_NEW(&c->allocator, int, capacity);
	if (!c->node_vertices)
		return RBL_OUT_OF_MEMORY;
	for (size_t i = 0; i < capacity; ++i)
		c->node_vertices[i] = -1;
	keep_whole_faces(c, a);
	rbl_result result = RBL_OK;
	for (int f = 0; f < a->faces.count && result == RBL_OK; ++f) {
		int source = c->solid->triangle_faces[source_of(c, a, a->faces.data[f].triangle)];
		int action = action_of(c, a, f);
		if (c->marks[source] && action != 0)
			result = add_resolved_face(c, a, f, action);
	}
	RBL_FREE(&c->allocator, c->node_vertices, capacity);
	c->draft->report.resolved_crossings += a->segments.count;
	return result;
}

// --- all -----------------------------------------------------------------------------------

static rbl_result arrange_once(crossings *c, rbl_arrangement *a, double growth, uint64_t seed,
                               volumes *found)
{
	rbl_boxd box = rbl_box_empty_d();
	for (int v = 0; v < c->vertex_count; ++v)
		box = rbl_box_add_point_d(box, c->positions[v]);
	double size = rbl_length_d(rbl_box_size_d(box));
	double step = growth * rbl_maxd(step_share * size, min_step_share * c->solid->size);
	rbl_result result =
		rbl_arrangement_create(a, &c->allocator, c->positions, c->normals, c->vertex_count,
	                           c->triangles, c->triangle_count, step, seed);
	if (result != RBL_OK || !rbl_arrangement_has_crossings(a))
		return result;
	result = rbl_arrangement_cut(a);
	if (result == RBL_OK)
		result = rbl_arrangement_wind(a);
	if (result != RBL_OK)
		return result;
	*found = measure_windings(c, a);
	return check_closed(c, a);
}

// Arrange what is looked at, which may need another motion.
// @param found  receives volumes, zero where nothing crosses
// @return RBL_OK (the arrangement is to be destroyed), RBL_OUT_OF_MEMORY, RBL_BAD_MESH with a line
//         in the log
static rbl_result arrange(crossings *c, rbl_arrangement *a, volumes *found)
{
	rbl_result result = RBL_BAD_MESH;
	double growth = 1.0;
	*found = (volumes){ 0.0, 0.0, 0.0 };
	c->has_lobes = false;
	for (uint64_t seed = 1; seed <= TRIES && result == RBL_BAD_MESH; ++seed, growth *= 10.0) {
		result = arrange_once(c, a, growth, seed, found);
		if (result != RBL_OK)
			rbl_arrangement_destroy(a);
	}
	if (result == RBL_BAD_MESH || result == RBL_LIMIT_REACHED)
		return rbl_fail(RBL_BAD_MESH,
		                "the shell around face %d crosses itself in so many ways that it cannot be "
		                "told where it is inside",
		                c->solid->triangle_faces[c->members[0]]);
	return result;
}

// Take one shell or group apart. @return RBL_OK with *is_changed set when it was,
// RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED, RBL_BAD_MESH
static rbl_result resolve_members(crossings *c, const int *members, int count, bool is_shell,
                                  bool *is_changed)
{
	rbl_arrangement a;
	volumes found;
	take(c, members, count);
	double signed_volume = 0.0;
	for (int t = 0; t < count && is_shell; ++t) {
		const int *v = c->triangles + 3 * (size_t)t;
		rbl_vec3d o = c->positions[0], p = rbl_sub_d(c->positions[v[0]], o);
		rbl_vec3d q = rbl_sub_d(c->positions[v[1]], o), r = rbl_sub_d(c->positions[v[2]], o);
		signed_volume += rbl_dot_d(p, rbl_cross_d(q, r));
	}
	c->sign = signed_volume < 0.0 ? -1 : 1;
	rbl_result result = arrange(c, &a, &found);
	if (result != RBL_OK)
		return result;
	if (found.inverted > RBL_INVERTED_SHARE * found.inside ||
	    found.doubled > double_share * found.inside) {
		c->has_lobes = is_shell && found.inverted > lobe_share * found.inside;
		result = replace_faces(c, &a);
		*is_changed = true;
	}
	rbl_arrangement_destroy(&a);
	return result;
}

// The shells of a group one by one, and then all together.
static rbl_result resolve_group(crossings *c, int group, bool *is_changed)
{
	int begin = c->starts[group], end = c->starts[group + 1], next, shells = 0;
	bool is_own = false;
	rbl_result result = RBL_OK;
	for (int first = begin; first < end && result == RBL_OK; first = next, ++shells) {
		for (next = first; next < end && c->shell_of[c->list[next]] == c->shell_of[c->list[first]];)
			++next;
		result = resolve_members(c, c->list + first, next - first, true, &is_own);
	}
	if (result == RBL_OK && shells > 1 && !is_own)
		result = resolve_members(c, c->list + begin, end - begin, false, &is_own);
	*is_changed |= is_own;
	return result;
}

static rbl_result remove_resolved(crossings *c)
{
	int total = c->draft->starts.count - 1;
	unsigned char *all = RBL_NEW_ZERO(&c->allocator, unsigned char, (size_t)total);
	if (!all)
		return RBL_OUT_OF_MEMORY;
	memcpy(all, c->marks, (size_t)c->face_count);
	rbl_draft_remove_faces(c->draft, all);
	RBL_FREE(&c->allocator, all, (size_t)total);
	return RBL_OK;
}

rbl_result rbl_repair_self_intersections(rbl_draft *draft, const rbl_solid *solid, bool *is_changed)
{
	crossings c = { .draft = draft, .solid = solid, .allocator = draft->allocator };
	*is_changed = false;
	c.face_count = draft->starts.count - 1;
	rbl_result result = allocate(&c) && list_triangles(&c) ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (int g = 0; g < solid->group_count && result == RBL_OK; ++g)
		result = resolve_group(&c, g, is_changed);
	if (result == RBL_OK && *is_changed)
		result = remove_resolved(&c);
	release(&c);
	return result;
}

rbl_result rbl_solid_find_crossings(const rbl_solid *solid, rbl_crossing_report *report)
{
	if (!solid || !report)
		return rbl_fail(RBL_BAD_ARGUMENT, "%s is NULL", solid ? "report" : "solid");
	*report = (rbl_crossing_report){ 0 };
	crossings c = { .solid = solid, .allocator = solid->allocator, .sign = 1 };
	c.face_count = rbl_mesh_get_data(solid->mesh).face_count;
	rbl_crossing_report sum = { 0 };
	rbl_result result = allocate(&c) && list_triangles(&c) ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (int g = 0; g < solid->group_count && result == RBL_OK; ++g) {
		rbl_arrangement a;
		volumes found;
		take(&c, c.list + c.starts[g], c.starts[g + 1] - c.starts[g]);
		result = arrange(&c, &a, &found);
		if (result != RBL_OK)
			break;
		sum.crossing_count += a.segments.count;
		sum.inverted_volume += found.inverted;
		sum.doubled_volume += found.doubled;
		rbl_arrangement_destroy(&a);
	}
	release(&c);
	sum.is_breakable = sum.inverted_volume <= RBL_INVERTED_SHARE * solid->volume;
	if (result == RBL_OK)
		*report = sum;
	return result == RBL_OUT_OF_MEMORY ? rbl_fail(result, "no memory to look for crossings")
	                                   : result;
}
