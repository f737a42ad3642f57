// SPDX-License-Identifier: MIT
//
// Making neighbours agree, and taking apart what is not manifold.
//
// Faces joined by edges of exactly two half-edges form patches; a patch is turned as a whole so
// that most of its faces stay as they are. Where more half-edges meet, they are sorted around the
// edge and those that bound the same piece of solid are joined: two boxes that share an edge come
// apart as two boxes. Corners that stay joined form fans, and each fan gets a vertex of its own.

#include "geometry/repair.h"

#include "base/log.h"
#include "base/real.h"
#include "base/sort.h"
#include "base/vec.h"
#include "geometry/adjacency.h"
#include "geometry/mesh.h"

// --- agreement -----------------------------------------------------------------------------

typedef struct patcher {
	const rbl_mesh_data *data;
	const rbl_adjacency *adjacency;
	const int *sources; // per face: the face of the input that it was
	signed char *turns; // per face: -1 unknown, 0 as it is, 1 turned over
	int *queue;
} patcher;

static bool run_alike(const rbl_mesh_data *data, int a, int b)
{
	return data->corner_vertices[a] == data->corner_vertices[b];
}

// Give all faces of the patch of `seed` a turn. @return the number of faces, which are in the
// queue, or 0 when no turns agree.
static int turn_patch(patcher *p, int seed)
{
	const rbl_adjacency *a = p->adjacency;
	int count = 0;
	p->turns[seed] = 0;
	p->queue[count++] = seed;
	for (int head = 0; head < count; ++head) {
		int f = p->queue[head];
		for (int c = p->data->face_starts[f]; c < p->data->face_starts[f + 1]; ++c) {
			int e = a->edges[c];
			if (e < 0 || a->edge_starts[e + 1] - a->edge_starts[e] != 2)
				continue;
			const int *pair = a->edge_corners + a->edge_starts[e];
			int other = pair[0] == c ? pair[1] : pair[0], g = a->faces[other];
			int turn = p->turns[f] ^ (int)run_alike(p->data, c, other);
			if (p->turns[g] < 0) {
				p->turns[g] = (signed char)turn;
				p->queue[count++] = g;
			} else if (p->turns[g] != turn) {
				rbl_log(RBL_LOG_ERROR, "faces %d and %d cannot be turned to agree", p->sources[f],
				        p->sources[g]);
				return 0;
			}
		}
	}
	return count;
}

static rbl_result agree(rbl_draft *draft, patcher *p)
{
	int face_count = p->data->face_count;
	for (int f = 0; f < face_count; ++f)
		p->turns[f] = -1;
	for (int seed = 0; seed < face_count; ++seed) {
		if (p->turns[seed] >= 0)
			continue;
		int count = turn_patch(p, seed), turned = 0;
		if (count == 0)
			return RBL_BAD_MESH;
		for (int i = 0; i < count; ++i)
			turned += p->turns[p->queue[i]];
		for (int i = 0; i < count && 2 * turned > count; ++i)
			p->turns[p->queue[i]] ^= 1;
	}
	for (int f = 0; f < face_count; ++f) {
		if (p->turns[f])
			rbl_draft_flip(draft, f);
	}
	return RBL_OK;
}

rbl_result rbl_repair_agree(rbl_draft *draft)
{
	rbl_mesh_data data = rbl_draft_view(draft);
	rbl_adjacency adjacency;
	rbl_result result = rbl_adjacency_init(&adjacency, &draft->allocator, &data);
	if (result != RBL_OK)
		return result;
	size_t room = (size_t)data.face_count + 1;
	signed char *turns = RBL_NEW(&draft->allocator, signed char, room);
	int *queue = RBL_NEW(&draft->allocator, int, room);
	patcher p = { &data, &adjacency, draft->face_sources.data, turns, queue };
	result = turns && queue ? agree(draft, &p) : RBL_OUT_OF_MEMORY;
	RBL_FREE(&draft->allocator, queue, room);
	RBL_FREE(&draft->allocator, turns, room);
	rbl_adjacency_destroy(&adjacency);
	return result;
}

// --- edges with many faces -----------------------------------------------------------------

// The direction in which a face leaves its half-edge, at right angles to it.
static rbl_vec3d inward(const rbl_mesh_data *data, const rbl_adjacency *a, int corner)
{
	int begin = data->face_starts[a->faces[corner]], end = data->face_starts[a->faces[corner] + 1];
	rbl_vec3d normal =
		rbl_polygon_normal(data->positions, data->corner_vertices + begin, end - begin);
	rbl_vec3d from = data->positions[data->corner_vertices[corner]];
	rbl_vec3d to = data->positions[data->corner_vertices[rbl_next_corner(data, a, corner)]];
	return rbl_normalize_d(rbl_cross_d(normal, rbl_sub_d(to, from)));
}

// The half-edges of an edge by angle around it, counter-clockwise seen from the higher vertex: the
// corner in `value`, in `extra` whether it runs ahead, from the lower to the higher vertex.
static void sort_spokes(const rbl_mesh_data *data, const rbl_adjacency *a, int edge,
                        rbl_sort_item64 *spokes, rbl_sort_item64 *scratch)
{
	const int *corners = a->edge_corners + a->edge_starts[edge];
	int count = a->edge_starts[edge + 1] - a->edge_starts[edge];
	int first = data->corner_vertices[corners[0]];
	int second = data->corner_vertices[rbl_next_corner(data, a, corners[0])];
	int low = first < second ? first : second, high = first < second ? second : first;
	rbl_vec3d axis = rbl_normalize_d(rbl_sub_d(data->positions[high], data->positions[low]));
	rbl_vec3d x = inward(data, a, corners[0]), y = rbl_cross_d(axis, x);
	for (int i = 0; i < count; ++i) {
		rbl_vec3d d = inward(data, a, corners[i]);
		double angle = rbl_atan2(rbl_dot_d(d, y), rbl_dot_d(d, x));
		spokes[i] = (rbl_sort_item64){ rbl_sort_key_double(angle), (uint32_t)corners[i],
			                           data->corner_vertices[corners[i]] == low };
	}
	rbl_sort64(spokes, scratch, count);
}

// Join the half-edges around one edge in pairs. A half-edge that runs ahead has the solid before
// it in the order of angles, one that runs back has it behind. So one that runs back is joined
// with the next one that runs ahead, and these nest like brackets. What is left over stays single.
static void join_spokes(const rbl_sort_item64 *spokes, int count, int *stack, int *pairs)
{
	int depth = 0;
	for (int turn = 0; turn < 2; ++turn) { // twice round: brackets may close over the start
		for (int i = 0; i < count; ++i) {
			int corner = (int)spokes[i].value;
			if (pairs[corner] >= 0)
				continue;
			if (!spokes[i].extra) {
				if (turn == 0)
					stack[depth++] = corner;
			} else if (depth > 0) {
				int other = stack[--depth];
				pairs[corner] = other, pairs[other] = corner;
			}
		}
	}
}

static rbl_result pair_half_edges(rbl_draft *draft, const rbl_mesh_data *data,
                                  const rbl_adjacency *a, int *pairs)
{
	int most = 0;
	for (int e = 0; e < a->edge_count; ++e)
		most = rbl_maxi(most, a->edge_starts[e + 1] - a->edge_starts[e]);
	size_t room = (size_t)most + 1;
	rbl_sort_item64 *spokes = RBL_NEW(&draft->allocator, rbl_sort_item64, 2 * room);
	int *stack = RBL_NEW(&draft->allocator, int, room);
	if (spokes && stack) {
		for (int c = 0; c < data->corner_count; ++c)
			pairs[c] = a->twins[c] >= 0 ? a->twins[c] : -1;
		for (int e = 0; e < a->edge_count; ++e) {
			int count = a->edge_starts[e + 1] - a->edge_starts[e];
			if (count < 3)
				continue;
			sort_spokes(data, a, e, spokes, spokes + room);
			join_spokes(spokes, count, stack, pairs);
		}
	}
	rbl_result result = spokes && stack ? RBL_OK : RBL_OUT_OF_MEMORY;
	RBL_FREE(&draft->allocator, stack, room);
	RBL_FREE(&draft->allocator, spokes, 2 * room);
	return result;
}

// --- fans ----------------------------------------------------------------------------------

// Give each fan of corners a vertex of its own; the first fan of a vertex keeps it.
static rbl_result separate_fans(rbl_draft *draft, const rbl_mesh_data *data, const rbl_adjacency *a,
                                const int *pairs, int *parents, int *first_roots)
{
	for (int c = 0; c < data->corner_count; ++c)
		parents[c] = c;
	for (int c = 0; c < data->corner_count; ++c) {
		if (pairs[c] <= c)
			continue;
		rbl_set_join(parents, c, rbl_next_corner(data, a, pairs[c]));
		rbl_set_join(parents, rbl_next_corner(data, a, c), pairs[c]);
	}
	for (int v = 0; v < data->vertex_count; ++v)
		first_roots[v] = -1;
	for (int c = 0; c < data->corner_count; ++c) {
		int root = rbl_set_root(parents, c), v = draft->vertices.data[c];
		if (root != c) { // its root is an earlier corner, which has its vertex by now
			draft->vertices.data[c] = draft->vertices.data[root];
			continue;
		}
		if (first_roots[v] < 0) {
			first_roots[v] = c;
			continue;
		}
		if (draft->positions.count >= RBL_MAX_MESH_ITEMS)
			return RBL_LIMIT_REACHED;
		rbl_vec3d p = draft->positions.data[v];
		if (!rbl_array_push(&draft->allocator, &draft->positions, p))
			return RBL_OUT_OF_MEMORY;
		draft->vertices.data[c] = draft->positions.count - 1;
		draft->report.split_vertices++;
	}
	return RBL_OK;
}

// One round. Afterwards an edge may still have a half-edge too many, when fans hang together around
// both of its ends.
static rbl_result split_once(rbl_draft *draft)
{
	rbl_mesh_data data = rbl_draft_view(draft);
	rbl_adjacency a;
	rbl_result result = rbl_adjacency_init(&a, &draft->allocator, &data);
	if (result != RBL_OK)
		return result;
	size_t corner_room = (size_t)data.corner_count + 1, vertex_room = (size_t)data.vertex_count + 1;
	int *pairs = RBL_NEW(&draft->allocator, int, 2 * corner_room);
	int *first_roots = RBL_NEW(&draft->allocator, int, vertex_room);
	result = pairs && first_roots ? RBL_OK : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK)
		result = pair_half_edges(draft, &data, &a, pairs);
	if (result == RBL_OK)
		result = separate_fans(draft, &data, &a, pairs, pairs + corner_room, first_roots);
	RBL_FREE(&draft->allocator, first_roots, vertex_room);
	RBL_FREE(&draft->allocator, pairs, 2 * corner_room);
	rbl_adjacency_destroy(&a);
	return result;
}

// Drop the last face on every edge that is still not manifold. @return how many through `count`.
static rbl_result drop_surplus(rbl_draft *draft, int *count)
{
	rbl_mesh_data data = rbl_draft_view(draft);
	rbl_adjacency a;
	*count = 0;
	rbl_result result = rbl_adjacency_init(&a, &draft->allocator, &data);
	if (result != RBL_OK || a.nonmanifold_edge_count == 0) {
		if (result == RBL_OK)
			rbl_adjacency_destroy(&a);
		return result;
	}
	unsigned char *marks = RBL_NEW_ZERO(&draft->allocator, unsigned char, data.face_count);
	for (int e = 0; e < a.edge_count && marks; ++e) {
		int last = a.edge_corners[a.edge_starts[e + 1] - 1];
		if (a.twins[last] != RBL_TWIN_NONMANIFOLD || marks[a.faces[last]])
			continue;
		marks[a.faces[last]] = 1;
		++*count;
	}
	rbl_adjacency_destroy(&a);
	if (!marks)
		return RBL_OUT_OF_MEMORY;
	int face_count = data.face_count;
	rbl_draft_remove_faces(draft, marks);
	RBL_FREE(&draft->allocator, marks, face_count);
	draft->report.dropped_nonmanifold += *count;
	return RBL_OK;
}

rbl_result rbl_repair_split(rbl_draft *draft)
{
	for (int surplus = 1; surplus > 0;) { // each further round has fewer faces
		rbl_result result = split_once(draft);
		if (result == RBL_OK)
			result = drop_surplus(draft, &surplus);
		if (result != RBL_OK)
			return result;
	}
	return RBL_OK;
}
