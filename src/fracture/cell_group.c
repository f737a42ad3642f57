// SPDX-License-Identifier: MIT
//
// Cutting one shell group: winding in all cells, then offsets, then caps and pieces, cell by cell
// in blocks of a fixed size. Cells are independent except for the offsets.

#include "fracture/cell_group.h"

#include "base/vec.h"

enum { CELL_COST = 20 }; // of an empty cell, in triangles
enum { CELL_BLOCK = 8, PER_BLOCK = 1000 };

static bool init_worker(rbl_cell_group *g, rbl_cell_group_worker *w)
{
	const rbl_allocator *a = g->s->allocator;
	const rbl_solid *solid = g->s->solid;
	int max_faces = g->s->max_faces, max_vertices = 2 * max_faces;
	w->vertex_stamps = RBL_NEW_ZERO(a, int, solid->vertex_count);
	w->vertex_locals = RBL_NEW(a, int, solid->vertex_count);
	w->edge_stamps = RBL_NEW_ZERO(a, int, 3 * solid->triangle_count);
	w->edge_locals = RBL_NEW(a, int, 3 * solid->triangle_count);
	w->edge_changes = RBL_NEW(a, int, 3 * max_vertices);
	w->edge_integrals = RBL_NEW(a, double, 3 * max_vertices);
	w->cell_locals = RBL_NEW(a, int, max_vertices);
	w->face_touched = RBL_NEW(a, unsigned char, max_faces);
	w->face_starts = RBL_NEW(a, int, max_faces + 2);
	w->costs = RBL_NEW(a, double, max_faces);
	w->route = RBL_NEW(a, int, max_faces);
	bool merges = solid->has_mergeable;
	int face_count = merges ? rbl_mesh_get_data(solid->mesh).face_count : 0;
	if (merges) {
		w->merge_stamps = RBL_NEW_ZERO(a, int, face_count);
		w->merge_firsts = RBL_NEW(a, int, face_count);
		w->merge_lasts = RBL_NEW(a, int, face_count);
	}
	return (!merges || (w->merge_stamps && w->merge_firsts && w->merge_lasts)) &&
	       w->vertex_stamps && w->vertex_locals && w->edge_stamps && w->edge_locals &&
	       w->edge_changes && w->edge_integrals && w->cell_locals && w->face_touched &&
	       w->face_starts && w->costs && w->route;
}

static void destroy_worker(rbl_cell_group *g, rbl_cell_group_worker *w)
{
	const rbl_allocator *a = g->s->allocator;
	const rbl_solid *solid = g->s->solid;
	int max_faces = g->s->max_faces, max_vertices = 2 * max_faces;
	RBL_FREE(a, w->vertex_stamps, solid->vertex_count);
	RBL_FREE(a, w->vertex_locals, solid->vertex_count);
	RBL_FREE(a, w->edge_stamps, 3 * solid->triangle_count);
	RBL_FREE(a, w->edge_locals, 3 * solid->triangle_count);
	RBL_FREE(a, w->edge_changes, 3 * max_vertices);
	RBL_FREE(a, w->edge_integrals, 3 * max_vertices);
	RBL_FREE(a, w->cell_locals, max_vertices);
	RBL_FREE(a, w->face_touched, max_faces);
	RBL_FREE(a, w->face_starts, max_faces + 2);
	RBL_FREE(a, w->costs, max_faces);
	RBL_FREE(a, w->route, max_faces);
	int mesh_faces = rbl_mesh_get_data(solid->mesh).face_count;
	RBL_FREE(a, w->merge_stamps, mesh_faces);
	RBL_FREE(a, w->merge_firsts, mesh_faces);
	RBL_FREE(a, w->merge_lasts, mesh_faces);
	rbl_array_free(a, &w->corner_labels);
	rbl_array_free(a, &w->loop_corners);
	rbl_array_free(a, &w->face_nexts);
	rbl_array_free(a, &w->edges);
	rbl_array_free(a, &w->sorted);
	rbl_array_free(a, &w->heads);
	rbl_array_free(a, &w->nexts);
	rbl_array_free(a, &w->loops);
	rbl_array_free(a, &w->loop_sizes);
	rbl_array_free(a, &w->loop_areas);
	rbl_array_free(a, &w->parents);
	rbl_array_free(a, &w->labels);
	rbl_array_free(a, &w->row);
	rbl_array_free(a, &w->old_vertices);
	rbl_array_free(a, &w->old_faces);
	rbl_array_free(a, &w->old_corners);
	rbl_array_free(a, &w->components);
}

bool rbl_cell_group_reserve_heads(rbl_cell_group *g, rbl_cell_group_worker *w, int vertex_count)
{
	int old = w->heads.count, wanted = rbl_maxi(vertex_count, old);
	if (!rbl_array_resize(g->s->allocator, &w->labels, wanted) ||
	    !rbl_array_resize(g->s->allocator, &w->heads, wanted))
		return false;
	for (int i = old; i < wanted; ++i)
		w->heads.data[i] = w->labels.data[i] = -1;
	return true;
}

// Reserve roughly what the cells of a block need: growing step by step copies it again and again.
static bool reserve_block(const rbl_cell_group *g, rbl_cell_group_block *block, int begin, int end)
{
	const rbl_cell_cut *s = g->s;
	int uncut_triangles = s->uncut_starts[end] - s->uncut_starts[begin];
	int parts = s->part_starts[end] - s->part_starts[begin];
	return s->solid->group_count > 1 || // of which most have nothing here
	       (rbl_array_extend(s->allocator, &block->vertices, 2 * (uncut_triangles + parts)) &&
	        rbl_array_extend(s->allocator, &block->faces, uncut_triangles + parts) &&
	        rbl_array_extend(s->allocator, &block->corners, 4 * uncut_triangles + 7 * parts) &&
	        rbl_array_extend(s->allocator, &block->segments, parts));
}

static void wind_block(void *context, int begin, int end, int worker)
{
	rbl_cell_group *g = context;
	begin += g->s->first, end += g->s->first;
	int block = begin / g->cell_block;
	if (!reserve_block(g, &g->blocks[block], begin, end)) {
		g->results[block].out_of_memory = true;
		return;
	}
	for (int cell = begin; cell < end; ++cell) {
		if (!rbl_cell_cut_wants(g->s, cell))
			continue;
		if (!rbl_cell_group_wind_cell(g, cell, &g->blocks[block], &g->workers[worker])) {
			g->results[block].out_of_memory = true;
			return;
		}
	}
}

static bool take_bare_cell(rbl_cell_group *g, int cell, rbl_cell_group_result *result)
{
	if (g->offsets[cell] == 0)
		return true;
	if (g->offsets[cell] != 1)
		result->winding_count++;
	const rbl_cells *cells = g->s->cells;
	if (g->offsets[cell] < 0) {
		result->inverted_count++;
		result->inverted_volume -= g->offsets[cell] * cells->volumes[cell];
		return true;
	}
	rbl_piece piece = { .cell = cell,
		                .group = g->index,
		                .block = -1,
		                .first_vertex = cells->cell_vertices[cell],
		                .vertex_count = cells->cell_vertices[cell + 1] - cells->cell_vertices[cell],
		                .first_face = cells->cell_faces[cell],
		                .face_count = cells->cell_faces[cell + 1] - cells->cell_faces[cell],
		                .volume = cells->volumes[cell],
		                .centre = cells->centres[cell] };
	return piece.volume <= 0.0 || rbl_array_push(g->s->allocator, &result->pieces, piece);
}

static void free_block(const rbl_allocator *a, rbl_cell_group_block *block)
{
	rbl_array_free(a, &block->vertices);
	rbl_array_free(a, &block->faces);
	rbl_array_free(a, &block->corners);
	rbl_array_free(a, &block->segments);
	rbl_array_free(a, &block->crossings);
}

static void piece_block(void *context, int begin, int end, int worker)
{
	rbl_cell_group *g = context;
	begin += g->s->first, end += g->s->first;
	rbl_cell_group_result *result = &g->results[begin / g->cell_block];
	rbl_cell_group_worker *w = &g->workers[worker];
	for (int cell = begin; cell < end; ++cell) {
		bool done;
		if (!rbl_cell_cut_wants(g->s, cell))
			continue;
		if (!g->records[cell].has_surface) {
			done = take_bare_cell(g, cell, result);
		} else {
			if (!result->geometry)
				result->geometry = RBL_NEW_ZERO(g->s->allocator, rbl_piece_block, 1);
			rbl_piece_block *geometry = result->geometry;
			done = geometry != NULL;
			if (done) {
				int vertex = geometry->vertices.count, face = geometry->faces.count;
				int corner = geometry->corners.count;
				done = rbl_cell_group_cap_cell(g, cell, result, w) &&
				       rbl_cell_group_split(g, cell, result, w, vertex, face, corner);
			}
		}
		if (!done) {
			result->out_of_memory = true;
			return;
		}
	}
	if (end % g->cell_block == 0 || end == g->s->cells->cell_count)
		free_block(g->s->allocator, &g->blocks[begin / g->cell_block]);
}

static bool any_failed(const rbl_cell_group *g)
{
	for (int i = 0; i < g->block_count; ++i) {
		if (g->results[i].out_of_memory)
			return true;
	}
	return false;
}

rbl_result rbl_cell_group_append_pieces(rbl_cell_group *g, rbl_pieces *pieces)
{
	const rbl_allocator *a = &pieces->allocator;
	for (int i = 0; i < g->block_count; ++i) {
		rbl_cell_group_result *result = &g->results[i];
		int block = pieces->blocks.count;
		if (result->geometry) {
			if (!rbl_array_push(a, &pieces->blocks, result->geometry))
				return RBL_OUT_OF_MEMORY;
			result->geometry = NULL;
		}
		for (int k = 0; k < result->pieces.count; ++k) {
			rbl_piece piece = result->pieces.data[k];
			if (piece.block == 0)
				piece.block = block;
			pieces->volume += piece.volume;
			if (!rbl_array_push(a, &pieces->pieces, piece))
				return RBL_OUT_OF_MEMORY;
		}
		pieces->flat_count += result->flat_count;
		pieces->flat_volume += result->flat_volume;
		pieces->inverted_count += result->inverted_count;
		pieces->inverted_volume += result->inverted_volume;
		pieces->winding_count += result->winding_count;
		pieces->rerouted_count += g->blocks[i].rerouted_count;
	}
	pieces->uncertain_offset_count += g->uncertain_count;
	return RBL_OK;
}

// Large cells are blocks of their own: more can be done at once, and what a cell's surface took is
// given back before the next cell is closed.
static int block_size(const rbl_cell_cut *s)
{
	return s->solid->triangle_count / PER_BLOCK > s->cells->cell_count ? 1 : CELL_BLOCK;
}

bool rbl_cell_group_begin(rbl_cell_group *g, rbl_cell_cut *s, int index)
{
	const rbl_allocator *a = s->allocator;
	g->s = s;
	g->mesh = rbl_mesh_get_data(s->solid->mesh);
	g->index = index;
	g->cell_block = block_size(s);
	g->block_count = (s->cells->cell_count + g->cell_block - 1) / g->cell_block;
	const rbl_cells *cells = g->s->cells;
	g->records = RBL_NEW_ZERO(a, rbl_cell_record, cells->cell_count);
	g->blocks = RBL_NEW_ZERO(a, rbl_cell_group_block, g->block_count);
	g->results = RBL_NEW_ZERO(a, rbl_cell_group_result, g->block_count);
	g->workers = RBL_NEW_ZERO(a, rbl_cell_group_worker, g->s->worker_count);
	g->areas = RBL_NEW(a, double, cells->face_count);
	g->windings = RBL_NEW(a, int, cells->vertex_count);
	g->offsets = RBL_NEW_ZERO(a, int, cells->cell_count);
	if (!g->records || !g->blocks || !g->results || !g->workers || !g->areas || !g->windings ||
	    !g->offsets)
		return false;
	for (int i = 0; i < g->s->worker_count; ++i) {
		if (!init_worker(g, &g->workers[i]))
			return false;
	}
	return true;
}

void rbl_piece_block_destroy(rbl_piece_block *block, const rbl_allocator *allocator)
{
	if (!block)
		return;
	rbl_array_free(allocator, &block->vertices);
	rbl_array_free(allocator, &block->faces);
	rbl_array_free(allocator, &block->corners);
	RBL_FREE(allocator, block, 1);
}

void rbl_cell_group_end(rbl_cell_group *g)
{
	if (!g->s)
		return;
	const rbl_allocator *a = g->s->allocator;
	const rbl_cells *cells = g->s->cells;
	for (int i = 0; g->blocks && i < g->block_count; ++i)
		free_block(a, &g->blocks[i]);
	for (int i = 0; g->results && i < g->block_count; ++i) {
		rbl_piece_block_destroy(g->results[i].geometry, a);
		rbl_array_free(a, &g->results[i].pieces);
	}
	for (int i = 0; g->workers && i < g->s->worker_count; ++i)
		destroy_worker(g, &g->workers[i]);
	RBL_FREE(a, g->records, cells->cell_count);
	RBL_FREE(a, g->blocks, g->block_count);
	RBL_FREE(a, g->results, g->block_count);
	RBL_FREE(a, g->workers, g->s->worker_count);
	RBL_FREE(a, g->areas, cells->face_count);
	RBL_FREE(a, g->windings, cells->vertex_count);
	RBL_FREE(a, g->offsets, cells->cell_count);
}

// The end of as many cells as a budget of triangles allows: within a block, or whole blocks.
static int cells_within(const rbl_cell_group *g, int first, int *budget)
{
	const rbl_cell_cut *s = g->s;
	int count = s->cells->cell_count, end = first, whole = first;
	bool is_aligned = first % g->cell_block == 0;
	while (end<count && * budget> 0) {
		*budget -= CELL_COST + s->uncut_starts[end + 1] - s->uncut_starts[end] +
		           s->part_starts[end + 1] - s->part_starts[end];
		end++;
		if (end % g->cell_block == 0 || end == count) {
			whole = end;
			if (!is_aligned)
				break;
		}
	}
	return whole > first ? whole : end;
}

static int run_cells(rbl_cell_group *g, int first, int *budget, rbl_block_function *function)
{
	int end = cells_within(g, first, budget);
	g->s->first = first;
	rbl_parallel_for(g->s->jobs, end - first, g->cell_block, function, g);
	return any_failed(g) ? -1 : end;
}

int rbl_cell_group_wind(rbl_cell_group *g, int first, int *budget)
{
	return run_cells(g, first, budget, wind_block);
}

int rbl_cell_group_make_pieces(rbl_cell_group *g, int first, int *budget)
{
	return run_cells(g, first, budget, piece_block);
}
