// SPDX-License-Identifier: MIT
//
// Orienting neighbouring faces alike, and splitting non-manifold edges and vertices.
//
// Faces joined by edges of exactly two half-edges form patches; a patch is turned as a whole so
// that most of its faces stay as they are. Where more half-edges meet, they are sorted around the
// edge and those that bound the same piece of solid are joined: two boxes that share an edge come
// apart as two boxes. Corners that stay joined form fans, and each fan gets a vertex of its own.
// Where a solid touches itself along an edge, and is connected around both ends, that is not
// enough: the pairs of such an edge get a vertex in the middle each. No face is lost.

#include "geometry/repair.h"

#include "base/log.h"
#include "base/math.h"
#include "base/sort.h"
#include "base/vec.h"
#include "geometry/adjacency.h"
#include "geometry/mesh.h"

// --- agreement -----------------------------------------------------------------------------

typedef struct patcher {
	const rbl_mesh_data *data;
	const rbl_adjacency *adjacency;
	const int *sources; // per face: the face of the input that it was
	signed char *flips; // per face: -1 unknown, 0 as it is, 1 flipped
	int *queue;
} patcher;

static bool run_alike(const rbl_mesh_data *data, int a, int b)
{
	return data->corner_vertices[a] == data->corner_vertices[b];
}

// Decide for all faces of the patch of `seed` whether to flip them. @return the number of faces,
// which are in the queue, or 0 when they cannot agree.
static int orient_patch(patcher *p, int seed)
{
	const rbl_adjacency *a = p->adjacency;
	int count = 0;
	p->flips[seed] = 0;
	p->queue[count++] = seed;
	for (int head = 0; head < count; ++head) {
		int f = p->queue[head];
		for (int c = p->data->face_starts[f]; c < p->data->face_starts[f + 1]; ++c) {
			int e = a->edges[c];
			if (e < 0 || a->edge_starts[e + 1] - a->edge_starts[e] != 2)
				continue;
			const int *pair = a->edge_corners + a->edge_starts[e];
			int other = pair[0] == c ? pair[1] : pair[0], g = a->faces[other];
			int flip = p->flips[f] ^ (int)run_alike(p->data, c, other);
			if (p->flips[g] < 0) {
				p->flips[g] = (signed char)flip;
				p->queue[count++] = g;
			} else if (p->flips[g] != flip) {
				rbl_log(RBL_LOG_ERROR, "faces %d and %d cannot be flipped to agree", p->sources[f],
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
		p->flips[f] = -1;
	for (int seed = 0; seed < face_count; ++seed) {
		if (p->flips[seed] >= 0)
			continue;
		int count = orient_patch(p, seed), flipped = 0;
		if (count == 0)
			return RBL_BAD_MESH;
		for (int i = 0; i < count; ++i)
			flipped += p->flips[p->queue[i]];
		for (int i = 0; i < count && 2 * flipped > count; ++i)
			p->flips[p->queue[i]] ^= 1;
	}
	for (int f = 0; f < face_count; ++f) {
		if (p->flips[f])
			rbl_draft_flip(draft, f);
	}
	return RBL_OK;
}

rbl_result rbl_repair_orient_patches(rbl_draft *draft)
{
	rbl_mesh_data data = rbl_draft_view(draft);
	rbl_adjacency adjacency;
	rbl_result result = rbl_adjacency_init(&adjacency, &draft->allocator, &data);
	if (result != RBL_OK)
		return result;
	size_t capacity = (size_t)data.face_count + 1;
	signed char *flips = RBL_NEW(&draft->allocator, signed char, capacity);
	int *queue = RBL_NEW(&draft->allocator, int, capacity);
	patcher p = { &data, &adjacency, draft->face_sources.data, flips, queue };
	result = flips && queue ? agree(draft, &p) : RBL_OUT_OF_MEMORY;
	RBL_FREE(&draft->allocator, queue, capacity);
	RBL_FREE(&draft->allocator, flips, capacity);
	rbl_adjacency_destroy(&adjacency);
	return result;
}

#define PI 3.14159265358979323846

// Faces that differ by less than this around their edge lie at one place.
#define SAME_ANGLE 1e-9

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

// Faces at one angle are walls of things that touch: those that run ahead come first, so that each
// is joined with what bounds its own thing.
static void order_walls(rbl_sort_item64 *spokes, const double *angles, int count)
{
	for (int begin = 0, end; begin < count; begin = end) {
		for (end = begin + 1; end < count; ++end) {
			if (angles[spokes[end].extra / 2] - angles[spokes[end - 1].extra / 2] > SAME_ANGLE)
				break;
		}
		for (int i = begin + 1; i < end; ++i) { // stable, of two kinds
			rbl_sort_item64 spoke = spokes[i];
			int k = i;
			for (; k > begin && spoke.extra % 2 == 1 && spokes[k - 1].extra % 2 == 0; --k)
				spokes[k] = spokes[k - 1];
			spokes[k] = spoke;
		}
	}
}

// The half-edges of an edge by angle around it, counter-clockwise seen from the higher vertex: the
// corner in `value`, in `extra` whether it runs ahead, from the lower to the higher vertex.
static void sort_spokes(const rbl_mesh_data *data, const rbl_adjacency *a, int edge,
                        rbl_sort_item64 *spokes, rbl_sort_item64 *scratch, double *angles)
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
		angles[i] = rbl_atan2(rbl_dot_d(d, y), rbl_dot_d(d, x));
		if (angles[i] < SAME_ANGLE - PI) // the same place as pi
			angles[i] += 2.0 * PI;
		bool is_ahead = data->corner_vertices[corners[i]] == low;
		spokes[i] = (rbl_sort_item64){ rbl_sort_key_double(angles[i]), (uint32_t)corners[i],
			                           2 * (uint32_t)i + is_ahead };
	}
	rbl_sort64(spokes, scratch, count);
	order_walls(spokes, angles, count);
	for (int i = 0; i < count; ++i)
		spokes[i].extra %= 2;
}

// Join the half-edges around one edge in pairs. A half-edge that runs ahead has the solid before
// it in the order of angles, one that runs back has it behind. So one that runs back is joined
// with the next one that runs ahead, and these nest like brackets. What is left over stays single.
static void join_spokes(const rbl_sort_item64 *spokes, int count, int *stack, int *pairs)
{
	int depth = 0;
	for (int round = 0; round < 2; ++round) { // twice round: brackets may close over the start
		for (int i = 0; i < count; ++i) {
			int corner = (int)spokes[i].value;
			if (pairs[corner] >= 0)
				continue;
			if (!spokes[i].extra) {
				if (round == 0)
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
	int largest = 0;
	for (int e = 0; e < a->edge_count; ++e)
		largest = rbl_maxi(largest, a->edge_starts[e + 1] - a->edge_starts[e]);
	size_t capacity = (size_t)largest + 1;
	rbl_sort_item64 *spokes = RBL_NEW(&draft->allocator, rbl_sort_item64, 2 * capacity);
	int *stack = RBL_NEW(&draft->allocator, int, capacity);
	double *angles = RBL_NEW(&draft->allocator, double, capacity);
	bool has_memory = spokes && stack && angles;
	if (has_memory) {
		for (int c = 0; c < data->corner_count; ++c)
			pairs[c] = a->twins[c] >= 0 ? a->twins[c] : -1;
		for (int e = 0; e < a->edge_count; ++e) {
			int count = a->edge_starts[e + 1] - a->edge_starts[e];
			if (count < 3)
				continue;
			sort_spokes(data, a, e, spokes, spokes + capacity, angles);
			join_spokes(spokes, count, stack, pairs);
		}
	}
	RBL_FREE(&draft->allocator, angles, capacity);
	RBL_FREE(&draft->allocator, stack, capacity);
	RBL_FREE(&draft->allocator, spokes, 2 * capacity);
	return has_memory ? RBL_OK : RBL_OUT_OF_MEMORY;
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
		rbl_union_find_join(parents, c, rbl_next_corner(data, a, pairs[c]));
		rbl_union_find_join(parents, rbl_next_corner(data, a, c), pairs[c]);
	}
	for (int v = 0; v < data->vertex_count; ++v)
		first_roots[v] = -1;
	for (int c = 0; c < data->corner_count; ++c) {
		int root = rbl_union_find_root(parents, c), v = draft->vertices.data[c];
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

// --- edges that stay full ------------------------------------------------------------------

// Give all pairs of a full edge but the first, and all half-edges that are single, a vertex in the
// middle: then they are edges of their own, at the same place.
static rbl_result add_middles(rbl_draft *draft, const rbl_mesh_data *data, const rbl_adjacency *a,
                              const int *pairs, int *inserts)
{
	for (int e = 0; e < a->edge_count; ++e) {
		const int *corners = a->edge_corners + a->edge_starts[e];
		int count = a->edge_starts[e + 1] - a->edge_starts[e];
		if (a->twins[corners[0]] != RBL_TWIN_NONMANIFOLD)
			continue;
		rbl_vec3d p = draft->positions.data[data->corner_vertices[corners[0]]];
		rbl_vec3d q =
			draft->positions.data[data->corner_vertices[rbl_next_corner(data, a, corners[0])]];
		rbl_vec3d middle = rbl_lerp_d(p, q, 0.5);
		for (int k = 1; k < count; ++k) {
			int c = corners[k];
			if (inserts[c] >= 0 || pairs[c] == corners[0])
				continue;
			if (draft->positions.count >= RBL_MAX_MESH_ITEMS)
				return RBL_LIMIT_REACHED;
			if (!rbl_array_push(&draft->allocator, &draft->positions, middle))
				return RBL_OUT_OF_MEMORY;
			draft->report.added_vertices++;
			inserts[c] = draft->positions.count - 1;
			if (pairs[c] >= 0)
				inserts[pairs[c]] = inserts[c];
		}
	}
	return RBL_OK;
}

// Put the new vertices into the faces, each after the corner whose half-edge it divides.
static rbl_result insert_middles(rbl_draft *draft, const int *inserts)
{
	const rbl_allocator *allocator = &draft->allocator;
	int old_count = draft->vertices.count, count = old_count;
	for (int c = 0; c < old_count; ++c)
		count += inserts[c] >= 0;
	if (count > RBL_MAX_MESH_ITEMS)
		return RBL_LIMIT_REACHED;
	if (!rbl_array_reserve(allocator, &draft->vertices, count) ||
	    !rbl_array_reserve(allocator, &draft->corner_sources, count))
		return RBL_OUT_OF_MEMORY;
	int *vertices = draft->vertices.data, *sources = draft->corner_sources.data, to = count;
	for (int f = draft->starts.count - 2; f >= 0; --f) { // from behind, each moves up
		int begin = draft->starts.data[f], end = draft->starts.data[f + 1];
		int first = sources[begin];
		draft->starts.data[f + 1] = to;
		for (int c = end - 1; c >= begin; --c) {
			int own = sources[c], ends[2] = { own, c + 1 < end ? sources[to] : first };
			if (inserts[c] >= 0) {
				if (!rbl_draft_add_middle(draft, ends, NULL, 2))
					return RBL_OUT_OF_MEMORY;
				vertices[--to] = inserts[c];
				sources[to] = -draft->middles.count;
			}
			vertices[--to] = vertices[c];
			sources[to] = own;
		}
	}
	draft->vertices.count = draft->corner_sources.count = count;
	return RBL_OK;
}

// Where fans are connected around both ends of an edge, it may still have a half-edge too many.
static rbl_result divide_full_edges(rbl_draft *draft, const int *pairs, int *inserts)
{
	rbl_mesh_data data = rbl_draft_view(draft);
	rbl_adjacency a;
	rbl_result result = rbl_adjacency_init(&a, &draft->allocator, &data);
	if (result != RBL_OK)
		return result;
	for (int c = 0; c < data.corner_count; ++c)
		inserts[c] = -1;
	if (a.nonmanifold_edge_count > 0)
		result = add_middles(draft, &data, &a, pairs, inserts);
	if (result == RBL_OK && a.nonmanifold_edge_count > 0)
		result = insert_middles(draft, inserts);
	rbl_adjacency_destroy(&a);
	return result;
}

rbl_result rbl_repair_split_nonmanifold(rbl_draft *draft)
{
	rbl_mesh_data data = rbl_draft_view(draft);
	rbl_adjacency a;
	rbl_result result = rbl_adjacency_init(&a, &draft->allocator, &data);
	if (result != RBL_OK)
		return result;
	size_t corner_capacity = (size_t)data.corner_count + 1,
		   vertex_capacity = (size_t)data.vertex_count + 1;
	int *pairs = RBL_NEW(&draft->allocator, int, 2 * corner_capacity);
	int *scratch = pairs ? pairs + corner_capacity : NULL;
	int *first_roots = RBL_NEW(&draft->allocator, int, vertex_capacity);
	result = pairs && first_roots ? RBL_OK : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK)
		result = pair_half_edges(draft, &data, &a, pairs);
	if (result == RBL_OK)
		result = separate_fans(draft, &data, &a, pairs, scratch, first_roots);
	rbl_adjacency_destroy(&a);
	if (result == RBL_OK)
		result = divide_full_edges(draft, pairs, scratch);
	RBL_FREE(&draft->allocator, first_roots, vertex_capacity);
	RBL_FREE(&draft->allocator, pairs, 2 * corner_capacity);
	return result;
}
