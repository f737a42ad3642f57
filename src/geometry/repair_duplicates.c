// SPDX-License-Identifier: MIT
//
// Duplicate faces.
//
// Of an odd number one stays. An even number is a wall between two things that touch, whichever way
// its faces look, or a patch that was written twice. The edges around decide: take all copies of a
// wall away, and what is left is as closed as before, with an even number of faces at every edge.
// Take all copies of a patch away, and a hole is left. So connected walls are decided
// together: where more of their edges stay closed than open up they go, and otherwise one copy of
// each face stays. One copy stays as well where nothing else would be left of a component: that is
// a thing with two sides.
//
// In a surface that is closed and whose faces agree it is simpler: faces that look opposite ways
// cancel.

#include "geometry/repair.h"

#include "geometry/adjacency.h"
#include "geometry/mesh_check.h"

typedef struct walls {
	const rbl_mesh_data *data;
	const rbl_adjacency *adjacency;
	int *originals;          // per face, the first of its copies
	int *copies;             // per original, how many there are
	int *parents;            // sets of originals with an even number of copies that are connected
	int *balance;            // per set: edges that stay closed, less those that would open up
	int *components;         // of all faces over edges
	unsigned char *is_solid; // per component: it has a face that stays
} walls;

static bool is_even(const walls *w, int face)
{
	return w->copies[w->originals[face]] % 2 == 0;
}

// Join the even faces of an edge. @return the first of them, -1 for none; *odd_count receives how
// many different faces of the edge are odd
static int join_edge(walls *w, int edge, int *odd_count)
{
	const rbl_adjacency *a = w->adjacency;
	int first = -1;
	*odd_count = 0;
	for (int i = a->edge_starts[edge]; i < a->edge_starts[edge + 1]; ++i) {
		int face = a->faces[a->edge_corners[i]], original = w->originals[face];
		if (face != original)
			continue;
		if (!is_even(w, face)) {
			++*odd_count;
			continue;
		}
		if (first >= 0)
			rbl_union_find_join(w->parents, first, face);
		else
			first = face;
	}
	return first;
}

static void weigh(walls *w)
{
	int face_count = w->data->face_count, odd_count;
	for (int f = 0; f < face_count; ++f)
		w->copies[f] = w->balance[f] = 0, w->parents[f] = f;
	for (int f = 0; f < face_count; ++f)
		w->copies[w->originals[f]]++;
	for (int f = 0; f < face_count; ++f)
		w->is_solid[w->components[f]] |= !is_even(w, f);
	for (int e = 0; e < w->adjacency->edge_count; ++e)
		join_edge(w, e, &odd_count);
	for (int e = 0; e < w->adjacency->edge_count; ++e) {
		int face = join_edge(w, e, &odd_count);
		if (face >= 0 && odd_count > 0)
			w->balance[rbl_union_find_root(w->parents, face)] += odd_count % 2 == 0 ? 1 : -1;
	}
}

static bool is_wall(walls *w, int face)
{
	return is_even(w, face) && w->is_solid[w->components[face]] &&
	       w->balance[rbl_union_find_root(w->parents, w->originals[face])] >= 0;
}

static rbl_result mark(rbl_draft *draft, walls *w, unsigned char *marks)
{
	rbl_adjacency adjacency;
	rbl_result result = rbl_adjacency_init(&adjacency, &draft->allocator, w->data);
	if (result != RBL_OK)
		return result;
	int count;
	w->adjacency = &adjacency;
	result = rbl_label_shells(w->data, &draft->allocator, w->components, &count);
	if (result == RBL_OK)
		weigh(w);
	for (int f = 0; f < w->data->face_count && result == RBL_OK; ++f)
		marks[f] = w->originals[f] != f || is_wall(w, f);
	rbl_adjacency_destroy(&adjacency);
	return result;
}

// --- in a closed surface -------------------------------------------------------------------

// Whether a face runs around its vertices as the first of its copies does.
static bool runs_alike(const walls *w, int face)
{
	const int *starts = w->data->face_starts, *vertices = w->data->corner_vertices;
	const int *p = vertices + starts[w->originals[face]], *q = vertices + starts[face];
	int count = starts[face + 1] - starts[face], at = 0;
	while (q[at] != p[0])
		++at;
	return q[(at + 1) % count] == p[1];
}

// Mark faces that cancel each other: what is left is as closed as before.
static void mark_opposite(walls *w, unsigned char *marks)
{
	int face_count = w->data->face_count;
	for (int f = 0; f < face_count; ++f)
		w->balance[f] = 0;
	for (int f = 0; f < face_count; ++f)
		w->balance[w->originals[f]] += runs_alike(w, f) ? 1 : -1;
	for (int f = 0; f < face_count; ++f) {
		int *left = &w->balance[w->originals[f]], step = runs_alike(w, f) ? 1 : -1;
		marks[f] = *left * step <= 0;
		*left -= marks[f] ? 0 : step;
	}
}

rbl_result rbl_repair_drop_duplicates(rbl_draft *draft, bool is_closed, unsigned char *marks)
{
	rbl_mesh_data data = rbl_draft_view(draft);
	const rbl_allocator *allocator = &draft->allocator;
	size_t capacity = (size_t)data.face_count + 1;
	int *numbers = RBL_NEW(allocator, int, 5 * capacity);
	unsigned char *is_solid = RBL_NEW_ZERO(allocator, unsigned char, capacity);
	rbl_result result = numbers && is_solid ? RBL_OK : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK) {
		walls w = { .data = &data,
			        .originals = numbers,
			        .copies = numbers + capacity,
			        .parents = numbers + 2 * capacity,
			        .balance = numbers + 3 * capacity,
			        .components = numbers + 4 * capacity,
			        .is_solid = is_solid };
		int found = 0;
		result = rbl_find_duplicate_faces(&data, allocator, w.originals);
		for (int f = 0; f < data.face_count && result == RBL_OK; ++f)
			found += w.originals[f] != f;
		if (result == RBL_OK && found > 0) {
			if (is_closed)
				mark_opposite(&w, marks);
			else
				result = mark(draft, &w, marks);
			for (int f = 0; f < data.face_count && result == RBL_OK; ++f)
				draft->report.dropped_duplicates += marks[f];
			if (result == RBL_OK)
				rbl_draft_remove_faces(draft, marks);
		}
	}
	RBL_FREE(allocator, is_solid, capacity);
	RBL_FREE(allocator, numbers, 5 * capacity);
	return result;
}
