// SPDX-License-Identifier: MIT
//
// Orienting closed shells outward. A shell inside an odd number of other shells may be a
// cavity and stays inside out, unless it crosses one that points outwards: then it is a thing of
// its own. (Cavities that cross each other become one, see repair_self_intersections.c.) Every
// other shell that is inside out is turned over. One that points outwards is left alone wherever it
// is: it may be a solid within another. Shells without a volume are dropped: flat patches whose
// border was closed, sheets with two sides.

#include "geometry/repair.h"

#include "base/vec.h"
#include "geometry/adjacency.h"
#include "geometry/mesh_check.h"
#include "geometry/mesh.h"
#include "geometry/near_triangles.h"
#include "geometry/predicates.h"
#include "geometry/shells.h"

// Below this share of the cube over its diagonal the volume of a shell is rounding.
static const double empty_share = 1e-13;

enum { KEEP, FLIP, DROP, ASK }; // ASK: a cavity, unless it crosses a shell that points outwards

typedef struct outward {
	rbl_draft *draft;
	rbl_mesh_data data;
	int *face_shells; // per face
	int shell_count;
	int triangle_count;
	int *corners;         // three per triangle, face by face
	int *triangles;       // their vertices
	int *triangle_shells; // and, before that, faces
	rbl_shells shells;
	unsigned char *actions; // per shell
	unsigned char *is_open;
} outward;

// --- crossings -----------------------------------------------------------------------------

// Whether an edge of `a` passes through the inside of `b`.
static bool edge_pierces(const rbl_vec3d a[3], const rbl_vec3d b[3])
{
	int sides[3];
	for (int k = 0; k < 3; ++k)
		sides[k] = rbl_orient3d(b[0], b[1], b[2], a[k]);
	for (int k = 0; k < 3; ++k) {
		int next = k < 2 ? k + 1 : 0;
		if (sides[k] * sides[next] >= 0)
			continue;
		int orientation = rbl_orient3d(a[k], a[next], b[0], b[1]);
		if (orientation != 0 && rbl_orient3d(a[k], a[next], b[1], b[2]) == orientation &&
		    rbl_orient3d(a[k], a[next], b[2], b[0]) == orientation)
			return true;
	}
	return false;
}

// Whether a triangle crosses one of a shell that points outwards.
static bool crosses_outward(const outward *o, const rbl_near_triangles *near, int triangle)
{
	for (int i = 0; i < near->found.count; ++i) {
		int other = near->found.data[i], action = o->actions[o->triangle_shells[other]];
		const rbl_vec3d *a = near->corners + 3 * triangle, *b = near->corners + 3 * other;
		if ((action == KEEP || action == FLIP) && (edge_pierces(a, b) || edge_pierces(b, a)))
			return true;
	}
	return false;
}

// Turn those over that are asked about and cross a shell that points outwards, or will; the others
// are cavities. One that is turned over may be crossed by another.
static rbl_result find_crossing_shells(outward *o)
{
	rbl_near_triangles near;
	if (!rbl_near_triangles_create(&near, &o->draft->allocator, o->data.positions, o->triangles,
	                               o->triangle_count))
		return RBL_OUT_OF_MEMORY;
	rbl_result result = RBL_OK;
	for (bool is_changed = true; is_changed && result == RBL_OK;) {
		is_changed = false;
		for (int t = 0; t < o->triangle_count && result == RBL_OK; ++t) {
			unsigned char *action = &o->actions[o->triangle_shells[t]];
			if (*action != ASK)
				continue;
			if (!rbl_near_triangles_find(&near, t, -1))
				result = RBL_OUT_OF_MEMORY;
			else if (crosses_outward(o, &near, t))
				*action = FLIP, is_changed = true;
		}
	}
	rbl_near_triangles_destroy(&near);
	return result;
}

// --- actions ---------------------------------------------------------------------------------

// What a shell with borders encloses is a guess: the volume of the cones over its faces, from the
// middle of its box.
static rbl_result measure_open(outward *o)
{
	rbl_adjacency a;
	rbl_result result = rbl_adjacency_init(&a, &o->draft->allocator, &o->data);
	if (result != RBL_OK)
		return result;
	for (int c = 0; c < o->data.corner_count; ++c)
		o->is_open[o->face_shells[a.faces[c]]] |= a.twins[c] == RBL_TWIN_BOUNDARY;
	rbl_adjacency_destroy(&a);
	for (int k = 0; k < o->shell_count; ++k)
		o->shells.items[k].volume = o->is_open[k] ? 0.0 : o->shells.items[k].volume;
	for (int t = 0; t < o->triangle_count; ++t) {
		rbl_shell *shell = &o->shells.items[o->triangle_shells[t]];
		rbl_vec3d p[3], middle = rbl_box_centre_d(shell->bounds);
		for (int k = 0; k < 3; ++k)
			p[k] = rbl_sub_d(o->data.positions[o->triangles[3 * t + k]], middle);
		if (o->is_open[o->triangle_shells[t]])
			shell->volume += rbl_dot_d(p[0], rbl_cross_d(p[1], p[2])) / 6.0;
	}
	return RBL_OK;
}

static bool is_empty(const rbl_shell *shell)
{
	double size = rbl_length_d(rbl_box_size_d(shell->bounds));
	return fabs(shell->volume) <= empty_share * size * size * size;
}

static rbl_result decide(outward *o)
{
	const rbl_allocator *a = &o->draft->allocator;
	int *around = RBL_NEW(a, int, (size_t)o->shell_count + 1), count, asked = 0;
	rbl_result result = around ? RBL_OK : RBL_OUT_OF_MEMORY;
	for (int k = 0; k < o->shell_count && result == RBL_OK; ++k) {
		const rbl_shell *shell = &o->shells.items[k];
		o->actions[k] = is_empty(shell) && !o->is_open[k] ? DROP : KEEP;
		if (is_empty(shell) || shell->volume > 0.0)
			continue;
		result = rbl_shells_find_around(&o->shells, k, around, &count);
		o->actions[k] = count % 2 == 1 ? ASK : FLIP;
		asked += o->actions[k] == ASK;
	}
	RBL_FREE(a, around, (size_t)o->shell_count + 1);
	return result == RBL_OK && asked > 0 ? find_crossing_shells(o) : result;
}

// Turn a face over; a bent one as the triangles that it was measured by, since it may be cut
// otherwise when it is turned over. @return RBL_OK with *is_cut telling whether it was,
// RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED
static rbl_result flip_face(rbl_draft *draft, int face, const int *corners, bool *is_cut)
{
	int size = draft->starts.data[face + 1] - draft->starts.data[face];
	*is_cut = size > 4 && rbl_draft_face_is_bent(draft, face);
	if (!*is_cut) {
		rbl_draft_flip(draft, face);
		return RBL_OK;
	}
	rbl_result result = RBL_OK;
	for (int i = 0; i < 3 * (size - 2) && result == RBL_OK; i += 3) {
		int vertices[3], sources[3];
		for (int k = 0; k < 3; ++k) {
			vertices[k] = draft->vertices.data[corners[i + k]];
			sources[k] = draft->corner_sources.data[corners[i + k]];
		}
		result = rbl_draft_add_face(draft, vertices, sources, 3, draft->face_sources.data[face],
		                            draft->flags.data[face]);
		if (result == RBL_OK)
			rbl_draft_flip(draft, draft->starts.count - 2);
	}
	draft->report.cut_faces++;
	return result;
}

// Turn over and drop. @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED
static rbl_result carry_out(outward *o)
{
	rbl_draft *draft = o->draft;
	int face_count = o->data.face_count, dropped = 0;
	size_t capacity =
		(size_t)face_count + (size_t)o->triangle_count + 1; // faces, and those that come
	unsigned char *marks = RBL_NEW_ZERO(&draft->allocator, unsigned char, capacity);
	rbl_result result = marks ? RBL_OK : RBL_OUT_OF_MEMORY;
	const int *corners = o->corners;
	for (int f = 0; f < face_count && result == RBL_OK; ++f) {
		int action = o->actions[o->face_shells[f]];
		bool is_cap = (draft->flags.data[f] & RBL_DRAFT_NEW) != 0, is_cut = false;
		int size = draft->starts.data[f + 1] - draft->starts.data[f];
		if (action == FLIP)
			result = flip_face(draft, f, corners, &is_cut);
		corners += 3 * (size - 2);
		marks[f] = is_cut;
		dropped += is_cut;
		if (action != DROP)
			continue;
		draft->report.dropped_degenerate += !is_cap;
		draft->report.added_faces -= is_cap;
		marks[f] = 1;
		dropped++;
	}
	for (int k = 0; k < o->shell_count; ++k) {
		draft->report.flipped_shells += o->actions[k] == FLIP;
		draft->report.dropped_shells += o->actions[k] == DROP;
	}
	if (dropped > 0 && result == RBL_OK)
		rbl_draft_remove_faces(draft, marks);
	RBL_FREE(&draft->allocator, marks, capacity);
	return result;
}

static rbl_result measure_shells(outward *o)
{
	const rbl_allocator *a = &o->draft->allocator;
	int corners = 3 * o->triangle_count;
	rbl_result result = rbl_faces_triangulate(a, &o->data, o->corners, o->triangle_shells);
	if (result != RBL_OK)
		return result;
	for (int i = 0; i < corners; ++i)
		o->triangles[i] = o->data.corner_vertices[o->corners[i]];
	for (int t = 0; t < o->triangle_count; ++t)
		o->triangle_shells[t] = o->face_shells[o->triangle_shells[t]];
	return rbl_shells_create(&o->shells, a, o->data.positions, o->triangles, o->triangle_count,
	                         o->triangle_shells, o->shell_count);
}

rbl_result rbl_repair_orient_outward(rbl_draft *draft, bool has_borders)
{
	outward o = { .draft = draft, .data = rbl_draft_view(draft) };
	const rbl_allocator *a = &draft->allocator;
	o.triangle_count = o.data.corner_count - 2 * o.data.face_count;
	size_t capacity = 7 * (size_t)o.triangle_count + (size_t)o.data.face_count + 1;
	int *numbers = RBL_NEW(a, int, capacity);
	if (!numbers)
		return RBL_OUT_OF_MEMORY;
	o.triangles = numbers;
	o.corners = o.triangles + 3 * (size_t)o.triangle_count;
	o.triangle_shells = o.corners + 3 * (size_t)o.triangle_count;
	o.face_shells = o.triangle_shells + o.triangle_count;
	rbl_result result = rbl_label_shells(&o.data, a, o.face_shells, &o.shell_count);
	size_t action_capacity = (size_t)o.shell_count + 1;
	if (result == RBL_OK) {
		o.actions = RBL_NEW(a, unsigned char, action_capacity);
		o.is_open = RBL_NEW_ZERO(a, unsigned char, action_capacity);
		result = o.actions && o.is_open ? measure_shells(&o) : RBL_OUT_OF_MEMORY;
	}
	if (result == RBL_OK && has_borders)
		result = measure_open(&o);
	if (result == RBL_OK)
		result = decide(&o);
	if (result == RBL_OK)
		result = carry_out(&o);
	rbl_shells_destroy(&o.shells);
	RBL_FREE(a, o.is_open, action_capacity);
	RBL_FREE(a, o.actions, action_capacity);
	RBL_FREE(a, numbers, capacity);
	return result;
}
