// SPDX-License-Identifier: MIT
//
// Welding of boundary vertices; dropping degenerate faces.
//
// Only vertices at borders are welded: a closed part never changes because another part touches it.
// Vertices are taken in order; each becomes one with the first earlier one within the distance, or
// stands for those to come. So no chain of near ones can drift further than that. After that
// corners of one face that lie at the same place become one as well: edges without a length hold
// nothing.

#include "geometry/repair.h"

#include "base/hash.h"
#include "base/vec.h"
#include "geometry/adjacency.h"
#include "geometry/mesh_check.h"

typedef struct welder {
	const rbl_vec3d *positions;
	rbl_vec3d origin;
	double cell, max_distance;
	rbl_map cells; // the latest vertex that stands in a cell
	int *nexts;    // the one before it
	int *targets;
} welder;

static int64_t cell_of(const welder *w, double offset)
{
	return (int64_t)floor(offset / w->cell);
}

static uint64_t cell_key(int64_t x, int64_t y, int64_t z)
{
	uint64_t key = rbl_hash_number(RBL_HASH_START, (uint64_t)x);
	return rbl_hash_number(rbl_hash_number(key, (uint64_t)y), (uint64_t)z);
}

// The lower of `best` and the lowest vertex near enough among those that stand in one cell. Cells
// whose keys are equal by accident share a list, which does no harm.
static int find_in_cell(const welder *w, uint64_t key, rbl_vec3d p, int best)
{
	uint32_t found = rbl_map_get(&w->cells, key);
	for (int v = found == RBL_MAP_NONE ? -1 : (int)found; v >= 0; v = w->nexts[v]) {
		rbl_vec3d d = rbl_sub_d(w->positions[v], p);
		if (v < best && rbl_dot_d(d, d) <= w->max_distance * w->max_distance)
			best = v;
	}
	return best;
}

// The lowest vertex near enough among those that stand; v itself if there is none. A cell is wide
// against the distance, so mostly there is one to look into.
static int find_target(const welder *w, int v, uint64_t *own_key)
{
	rbl_vec3d p = rbl_sub_d(w->positions[v], w->origin);
	double r = w->max_distance;
	int best = v;
	for (int64_t x = cell_of(w, p.x - r); x <= cell_of(w, p.x + r); ++x)
		for (int64_t y = cell_of(w, p.y - r); y <= cell_of(w, p.y + r); ++y)
			for (int64_t z = cell_of(w, p.z - r); z <= cell_of(w, p.z + r); ++z)
				best = find_in_cell(w, cell_key(x, y, z), w->positions[v], best);
	*own_key = cell_key(cell_of(w, p.x), cell_of(w, p.y), cell_of(w, p.z));
	return best;
}

static rbl_result weld_vertices(rbl_draft *draft, welder *w, const unsigned char *is_border)
{
	for (int v = 0; v < draft->positions.count; ++v) {
		w->targets[v] = v;
		if (!is_border[v])
			continue;
		uint64_t key;
		w->targets[v] = find_target(w, v, &key);
		if (w->targets[v] != v) {
			draft->report.welded_vertices++;
			continue;
		}
		uint32_t before = rbl_map_get(&w->cells, key);
		w->nexts[v] = before == RBL_MAP_NONE ? -1 : (int)before;
		if (!rbl_map_set(&draft->allocator, &w->cells, key, (uint32_t)v))
			return RBL_OUT_OF_MEMORY;
	}
	for (int c = 0; c < draft->vertices.count; ++c)
		draft->vertices.data[c] = w->targets[draft->vertices.data[c]];
	return RBL_OK;
}

static void mark_border(const rbl_mesh_data *data, const rbl_adjacency *adjacency,
                        unsigned char *is_border)
{
	for (int c = 0; c < data->corner_count; ++c) {
		if (adjacency->twins[c] != RBL_TWIN_BOUNDARY)
			continue;
		is_border[data->corner_vertices[c]] = 1;
		is_border[data->corner_vertices[rbl_next_corner(data, adjacency, c)]] = 1;
	}
}

enum { LONG_FACE = 32 };

static bool is_same_place(const rbl_draft *draft, int v, int w)
{
	rbl_vec3d p = draft->positions.data[v], q = draft->positions.data[w];
	return v != w && p.x == q.x && p.y == q.y && p.z == q.z;
}

static bool is_near(const rbl_draft *draft, int v, int w, double distance)
{
	return rbl_distance_d(draft->positions.data[v], draft->positions.data[w]) <= distance;
}

rbl_result rbl_repair_join(rbl_draft *draft, int first_vertex, double distance)
{
	size_t capacity = (size_t)draft->positions.count + 1;
	int *parents = RBL_NEW(&draft->allocator, int, capacity);
	if (!parents)
		return RBL_OUT_OF_MEMORY;
	for (int v = 0; v < draft->positions.count; ++v)
		parents[v] = v;
	for (int f = 0; f + 1 < draft->starts.count; ++f) {
		int begin = draft->starts.data[f], count = draft->starts.data[f + 1] - begin;
		const int *v = draft->vertices.data + begin;
		for (int i = 0; i < count; ++i) {
			for (int k = 1; k < (count <= LONG_FACE ? count : 2); ++k) {
				int w = v[(i + k) % count];
				if (is_same_place(draft, v[i], w) ||
				    (rbl_maxi(v[i], w) >= first_vertex && is_near(draft, v[i], w, distance)))
					rbl_union_find_join(parents, v[i], w);
			}
		}
	}
	for (int v = 0; v < draft->positions.count; ++v)
		draft->report.welded_vertices += rbl_union_find_root(parents, v) != v;
	for (int c = 0; c < draft->vertices.count; ++c)
		draft->vertices.data[c] = rbl_union_find_root(parents, draft->vertices.data[c]);
	RBL_FREE(&draft->allocator, parents, capacity);
	return RBL_OK;
}

static rbl_result weld_border(rbl_draft *draft, double distance)
{
	rbl_mesh_data data = rbl_draft_view(draft);
	rbl_adjacency adjacency;
	rbl_result result = rbl_adjacency_init(&adjacency, &draft->allocator, &data);
	if (result != RBL_OK)
		return result;
	size_t capacity = (size_t)data.vertex_count + 1;
	unsigned char *is_border = RBL_NEW_ZERO(&draft->allocator, unsigned char, capacity);
	int *lists = RBL_NEW(&draft->allocator, int, 2 * capacity);
	welder w = { .positions = data.positions, .nexts = lists, .targets = lists + capacity };
	if (is_border && lists && adjacency.boundary_edge_count > 0) {
		mark_border(&data, &adjacency, is_border);
		rbl_boxd box = rbl_box_empty_d();
		for (int v = 0; v < data.vertex_count; ++v)
			box = rbl_box_add_point_d(box, data.positions[v]);
		double size = rbl_length_d(rbl_box_size_d(box));
		w.origin = box.lower;
		w.max_distance = distance * size;
		w.cell = rbl_maxd(16.0 * w.max_distance, 1e-12 * size);
		if (!(w.cell > 0.0))
			w.cell = 1.0; // all vertices are at one place
		result = weld_vertices(draft, &w, is_border);
	} else if (!is_border || !lists) {
		result = RBL_OUT_OF_MEMORY;
	}
	rbl_map_free(&draft->allocator, &w.cells);
	RBL_FREE(&draft->allocator, lists, 2 * capacity);
	RBL_FREE(&draft->allocator, is_border, capacity);
	rbl_adjacency_destroy(&adjacency);
	return result;
}

rbl_result rbl_repair_weld(rbl_draft *draft, double distance)
{
	rbl_result result = weld_border(draft, distance);
	return result == RBL_OK ? rbl_repair_join(draft, draft->positions.count, 0.0) : result;
}

// --- degenerate faces ----------------------------------------------------------------------

// Cut a face at vertices that it visits twice into faces that do not; parts of two corners or
// fewer vanish. `stack` holds corners, `depths` the place of a vertex on it, or -1.
static rbl_result cut_at_repeats(rbl_draft *draft, int face, int *stack, int *parts, int *depths)
{
	int begin = draft->starts.data[face], end = draft->starts.data[face + 1], depth = 0;
	rbl_result result = RBL_OK;
	for (int c = begin; c < end && result == RBL_OK; ++c) {
		int v = draft->vertices.data[c];
		if (depths[v] >= 0) { // from there to here is a part of its own
			int first = depths[v], count = depth - first;
			for (int k = 0; k < count; ++k) {
				parts[k] = draft->vertices.data[stack[first + k]];
				depths[parts[k]] = -1;
			}
			if (count >= 3) {
				for (int k = 0; k < count; ++k)
					parts[count + k] = draft->corner_sources.data[stack[first + k]];
				result = rbl_draft_add_face(draft, parts, parts + count, count,
				                            draft->face_sources.data[face], 0);
			}
			depth = first;
		}
		depths[v] = depth;
		stack[depth++] = c;
	}
	for (int k = 0; k < depth; ++k) {
		parts[k] = draft->vertices.data[stack[k]];
		parts[depth + k] = draft->corner_sources.data[stack[k]];
		depths[parts[k]] = -1;
	}
	if (result == RBL_OK && depth >= 3)
		result = rbl_draft_add_face(draft, parts, parts + depth, depth,
		                            draft->face_sources.data[face], 0);
	return result;
}

// Replace faces with repeated vertices by their proper parts.
static rbl_result drop_repeats(rbl_draft *draft, unsigned char *marks, int *stamps)
{
	rbl_mesh_data data = rbl_draft_view(draft);
	int face_count = data.face_count, longest = 0, found = 0;
	for (int v = 0; v < data.vertex_count; ++v)
		stamps[v] = -1;
	for (int f = 0; f < face_count; ++f) {
		int begin = data.face_starts[f], end = data.face_starts[f + 1];
		marks[f] = 0;
		for (int c = begin; c < end; ++c) {
			int v = data.corner_vertices[c];
			marks[f] |= stamps[v] == f;
			stamps[v] = f;
		}
		found += marks[f];
		if (marks[f] && end - begin > longest)
			longest = end - begin;
	}
	if (found == 0)
		return RBL_OK;
	int *stack = RBL_NEW(&draft->allocator, int, 3 * (size_t)longest);
	if (!stack)
		return RBL_OUT_OF_MEMORY;
	for (int v = 0; v < data.vertex_count; ++v)
		stamps[v] = -1;
	rbl_result result = RBL_OK;
	for (int f = 0; f < face_count && result == RBL_OK; ++f) {
		if (marks[f])
			result = cut_at_repeats(draft, f, stack, stack + longest, stamps);
	}
	RBL_FREE(&draft->allocator, stack, 3 * (size_t)longest);
	if (result != RBL_OK)
		return result;
	int total = draft->starts.count - 1;
	unsigned char *all = RBL_NEW_ZERO(&draft->allocator, unsigned char, total);
	if (!all)
		return RBL_OUT_OF_MEMORY;
	memcpy(all, marks, (size_t)face_count);
	rbl_draft_remove_faces(draft, all);
	RBL_FREE(&draft->allocator, all, total);
	draft->report.dropped_degenerate += found;
	return RBL_OK;
}

// Faces of zero area that have a border or a bad edge hold nothing together.
static rbl_result drop_flat(rbl_draft *draft, unsigned char *marks, int *stamps)
{
	rbl_mesh_data data = rbl_draft_view(draft);
	rbl_adjacency adjacency;
	rbl_result result = rbl_adjacency_init(&adjacency, &draft->allocator, &data);
	if (result != RBL_OK)
		return result;
	for (int v = 0; v < data.vertex_count; ++v)
		stamps[v] = -1;
	for (int f = 0; f < data.face_count; ++f) {
		bool is_needed = true;
		for (int c = data.face_starts[f]; c < data.face_starts[f + 1]; ++c)
			is_needed &= adjacency.twins[c] >= 0;
		marks[f] = !is_needed && rbl_face_is_degenerate(&data, f, stamps);
		draft->report.dropped_degenerate += marks[f];
	}
	rbl_adjacency_destroy(&adjacency);
	rbl_draft_remove_faces(draft, marks);
	return RBL_OK;
}

rbl_result rbl_repair_drop_faces(rbl_draft *draft, const rbl_drop_steps *steps)
{
	// Cutting at repeats makes no more faces than there are corners in threes.
	size_t face_capacity = (size_t)draft->vertices.count / 3 + (size_t)draft->starts.count + 1;
	size_t vertex_capacity = (size_t)draft->positions.count + 1;
	unsigned char *marks = RBL_NEW(&draft->allocator, unsigned char, face_capacity);
	int *stamps = RBL_NEW(&draft->allocator, int, vertex_capacity);
	rbl_result result = marks && stamps ? RBL_OK : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK && steps->repeats)
		result = drop_repeats(draft, marks, stamps);
	if (result == RBL_OK && (steps->duplicates || steps->walls))
		result = rbl_repair_drop_duplicates(draft, steps->walls, marks);
	if (result == RBL_OK && steps->flat)
		result = drop_flat(draft, marks, stamps);
	RBL_FREE(&draft->allocator, stamps, vertex_capacity);
	RBL_FREE(&draft->allocator, marks, face_capacity);
	return result;
}
