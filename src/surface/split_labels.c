// SPDX-License-Identifier: MIT
//
// Splitting a body: what its labels say. Which vertices are touched, which triangles turn?
//
// A body of 250,000 triangles does not fit into a cache, so what counts is how often all of it is
// read, and that the processor does not wait for one read before it begins the next. A pass that
// only writes labels vertices and clusters by their first triangle, a second one finds those with
// triangles of another piece, and a third one the triangles around such vertices. They are few, and
// all that cracks concern (split_edges.c).
//
// Other ways were no faster: triangles of a piece have a cache line each in every array that goes
// by id, and whichever pass reads them first waits for them. By neighbours of clusters most of a
// body is settled without a test vertices, but twins along cracks, and anchors to label the rest,
// are as many lines again. By copies of corners, whole clusters at a time, what is saved is lost
// again on the way to the triangles that turn.

#include "surface/split.h"

#include "base/log.h"

// --- vertices -----------------------------------------------------------------------------------

static int state_of(int label)
{
	return 4 * (label + 1) + RBL_SPLIT_OWN;
}

void rbl_surface_split_offer_vertex(rbl_surface_split_plan *s, rbl_surface_split_vertex *vertex,
                                    int label)
{
	if (label < 0 || (vertex->keeper >= 0 && vertex->keeper <= label))
		return;
	if (vertex->keeper >= 0)
		s->vertex_counts[vertex->keeper]--;
	s->vertex_counts[label]++;
	vertex->keeper = label;
}

rbl_surface_split_vertex *rbl_surface_split_touch_vertex(rbl_surface_split_plan *s, int vertex)
{
	int state = s->states[vertex];
	if (state & RBL_SPLIT_TOUCHED)
		return &s->touched[state >> 2];
	if (s->touched_count == s->touched_capacity &&
	    !rbl_surface_split_grow(s->arena, (void **)&s->touched, s->touched_count,
	                            &s->touched_capacity, sizeof *s->touched))
		return NULL;
	int keeper = (state >> 2) - 1;
	if (keeper >= 0)
		s->vertex_counts[keeper]++;
	s->states[vertex] = 4 * s->touched_count + RBL_SPLIT_TOUCHED + RBL_SPLIT_OWN;
	s->touched[s->touched_count] =
		(rbl_surface_split_vertex){ .id = vertex, .keeper = keeper, .copies = -1 };
	return &s->touched[s->touched_count++];
}

// Vertices of a triangle that other pieces have, too, and all of one that goes.
// @return false when memory ran out
static bool touch_corners(rbl_surface_split_plan *s, const int *corners, int label)
{
	int own = state_of(label);
	for (int k = 0; k < 3; ++k) {
		if (s->states[corners[k]] == own && label >= 0)
			continue;
		rbl_surface_split_vertex *vertex = rbl_surface_split_touch_vertex(s, corners[k]);
		if (!vertex)
			return false;
		rbl_surface_split_offer_vertex(s, vertex, label);
	}
	return true;
}

void rbl_surface_split_clear(rbl_surface_split_plan *s)
{
	for (int i = 0; i < s->body->vertices.count; ++i)
		s->states[s->body->vertices.data[i]] = 0;
}

void rbl_surface_split_count_vertices(rbl_surface_split_plan *s)
{
	const int *vertices = s->body->vertices.data, *states = s->states;
	int *counts = s->vertex_counts;
	for (int i = 0, count = s->body->vertices.count; i < count; ++i) {
		int state = states[vertices[i]];
		counts[state & RBL_SPLIT_TOUCHED ? -1 : state / 4 - 1]++;
	}
}

// --- labels -------------------------------------------------------------------------------------

// Find where the ids of triangles begin; mostly they are in order.
// @return the length of their range
static int triangle_range(rbl_surface_split_plan *s)
{
	const int *ids = s->body->triangles.data;
	int count = s->body->triangles.count, falls = 0;
	for (int i = 1; i < count; ++i)
		falls |= ids[i] - ids[i - 1];
	int first = ids[0], last = ids[count - 1];
	for (int i = 0; falls < 0 && i < count; ++i) {
		first = rbl_mini(first, ids[i]);
		last = rbl_maxi(last, ids[i]);
	}
	s->first_triangle = first;
	return last - first + 1;
}

static rbl_result check_given(const rbl_surface_split_plan *s)
{
	const int *given = s->def->labels;
	int count = s->body->triangles.count, piece_count = s->def->piece_count;
	uint32_t last_piece = (uint32_t)piece_count - 1, wrong = 0;
	for (int i = 0; i < count; ++i) // the highest bit of one of them, where a label is out of range
		wrong |= ((uint32_t)given[i] + 1) | (last_piece - (uint32_t)given[i]);
	for (int i = 0; wrong >> 31 && i < count; ++i)
		if (given[i] < -1 || given[i] >= piece_count)
			return rbl_fail(RBL_BAD_ARGUMENT, "triangle %d has the piece %d of %d", i, given[i],
			                piece_count);
	return RBL_OK;
}

// Label triangles, and vertices and clusters by the first triangle that has them. From the end of
// the list that is the last one written, so nothing has to be cleared, read or guessed first.
static void write_labels(rbl_surface_split_plan *s)
{
	const rbl_surface *surface = s->surface;
	const int *ids = s->body->triangles.data, *given = s->def->labels;
	const int *triangles = surface->triangles, *clusters = surface->clusters;
	int *labels = s->labels, *cluster_labels = s->cluster_labels, *states = s->states;
	int *counts = s->triangle_counts, first = s->first_triangle;
	for (int i = s->body->triangles.count - 1; i >= 0; --i) {
		int label = given[i], t = ids[i], own = state_of(label);
		const int *v = triangles + 3 * t;
		counts[label]++;
		labels[t - first] = 2 * (label + 1);
		cluster_labels[clusters[t]] = RBL_SPLIT_UNVISITED - label;
		states[v[0]] = own;
		states[v[1]] = own;
		states[v[2]] = own;
	}
}

// Find what differs from its first triangle. @return false when memory ran out
static bool compare_labels(rbl_surface_split_plan *s)
{
	const rbl_surface *surface = s->surface;
	const int *ids = s->body->triangles.data, *given = s->def->labels, *states = s->states;
	const int *triangles = surface->triangles, *clusters = surface->clusters;
	int *cluster_labels = s->cluster_labels;
	for (int i = 0, count = s->body->triangles.count; i < count; ++i) {
		int label = given[i], t = ids[i], own = state_of(label), cluster = clusters[t];
		const int *v = triangles + 3 * t;
		int known = cluster_labels[cluster];
		if (known < RBL_SPLIT_MIXED) {
			cluster_labels[cluster] = label;
			s->own[s->own_count++] = cluster;
		} else if (known != label && known != RBL_SPLIT_MIXED) {
			cluster_labels[cluster] = RBL_SPLIT_MIXED;
			s->mixed[s->mixed_count++] = cluster;
		}
		int differs = (states[v[0]] ^ own) | (states[v[1]] ^ own) | (states[v[2]] ^ own);
		if ((differs || label < 0) && !touch_corners(s, v, label))
			return false;
	}
	return true;
}

rbl_result rbl_surface_split_label_all(rbl_surface_split_plan *s)
{
	rbl_arena *arena = s->arena;
	rbl_result result = check_given(s);
	if (result != RBL_OK)
		return result;
	int clusters = s->body->tree.leaf_count;
	if (!s->labels) {
		s->labels = RBL_ARENA_NEW(arena, int, triangle_range(s));
		s->cluster_labels = RBL_ARENA_NEW(arena, int, s->surface->cluster_end);
	}
	s->own = RBL_ARENA_NEW(arena, int, clusters);
	s->mixed = RBL_ARENA_NEW(arena, int, clusters);
	if (!s->labels || !s->cluster_labels || !s->own || !s->mixed)
		return RBL_OUT_OF_MEMORY;
	write_labels(s);
	return compare_labels(s) ? RBL_OK : RBL_OUT_OF_MEMORY;
}

// --- triangles that turn or go ------------------------------------------------------------------

// Mark triangles whose cluster is dissolved.
static void mark_loose(const rbl_surface_split_plan *s)
{
	for (int i = 0; i < s->mixed_count; ++i) {
		const rbl_surface_cluster *cluster = &s->surface->cluster_data[s->mixed[i]];
		for (int lane = 0; lane < cluster->count; ++lane)
			s->labels[cluster->triangles[lane] - s->first_triangle] |= 1;
	}
}

// Triangles of the body, by place in its list.
typedef struct places {
	int *data;
	int count, capacity;
} places;

// Find what is marked or has a touched vertex. One in eight is, without a pattern to guess by: so
// each is written down, and the next one takes its place unless it counts.
// @return false when memory ran out
static bool find_affected(const rbl_surface_split_plan *s, places *found)
{
	enum { BLOCK = 1024 };
	const int *ids = s->body->triangles.data, *all = s->surface->triangles;
	const int *labels = s->labels, *states = s->states;
	int first = s->first_triangle, total = s->body->triangles.count;
	for (int begin = 0; begin < total; begin += BLOCK) {
		int end = rbl_mini(begin + BLOCK, total), count = found->count;
		while (found->capacity < count + end - begin)
			if (!rbl_surface_split_grow(s->arena, (void **)&found->data, count, &found->capacity,
			                            sizeof *found->data))
				return false;
		int *data = found->data;
		for (int i = begin; i < end; ++i) {
			const int *v = all + 3 * (ptrdiff_t)ids[i];
			int touched = (states[v[0]] | states[v[1]] | states[v[2]]) & RBL_SPLIT_TOUCHED;
			data[count] = i;
			count += (touched | (labels[ids[i] - first] & 1)) != 0;
		}
		found->count = count;
	}
	return true;
}

static void list_places(rbl_surface_split_plan *s, const places *found)
{
	const int *ids = s->body->triangles.data, *given = s->def->labels;
	for (int i = 0; i < found->count; ++i) {
		int id = ids[found->data[i]], label = given[found->data[i]];
		if (label < 0) {
			s->gone[s->gone_count++] = id;
			s->labels[id - s->first_triangle] = 0;
			continue;
		}
		rbl_prefetch(&s->surface->twins[3 * (ptrdiff_t)id]); // one to a cache line, soon
		s->affected[s->affected_count] = id;
		s->affected_labels[s->affected_count] = label;
		s->labels[id - s->first_triangle] = 2 * s->affected_count++ + 1;
	}
}

bool rbl_surface_split_list_affected(rbl_surface_split_plan *s)
{
	rbl_arena *arena = s->arena;
	const rbl_surface_split_def *def = s->def;
	places found = { NULL, 0, s->body->triangles.count / 4 };
	found.data = RBL_ARENA_NEW(arena, int, found.capacity);
	mark_loose(s);
	if (!found.data || !find_affected(s, &found))
		return false;
	int gone = s->triangle_counts[-1]; // all of their corners are touched
	int count = found.count - gone + def->triangle_count;
	s->gone = RBL_ARENA_NEW(arena, int, gone);
	s->affected = RBL_ARENA_NEW(arena, int, count);
	s->affected_labels = RBL_ARENA_NEW(arena, int, count);
	s->corners = RBL_ARENA_NEW(arena, int, 3 * (size_t)count);
	s->twins = RBL_ARENA_NEW(arena, int, 3 * (size_t)count);
	if (!s->gone || !s->affected || !s->affected_labels || !s->corners || !s->twins)
		return false;
	list_places(s, &found);
	rbl_surface_peek_triangles(s->surface, def->triangle_count, s->affected + s->affected_count);
	for (int i = 0; i < def->triangle_count; ++i)
		s->affected_labels[s->affected_count++] = def->triangle_labels[i];
	RBL_ASSERT(s->affected_count == count && s->gone_count == gone);
	return true;
}
