// SPDX-License-Identifier: MIT
//
// Levels by patterns: an asset that is broken before anything hits it.
//
// Each level cuts all parts by the cells of its pattern, as a break does that reaches everywhere,
// but lets nothing go: the pieces are parts of the asset, with the color of their cell. Bonds are
// found afterwards, over all parts, and levels weaken those between colors (clusters.c). So what
// of a chunk lies in a brick's cell is a part of that chunk, and levels nest without any search.

#include "fracture/prepare_levels.h"

#include "base/hash.h"
#include "base/vec.h"
#include "fracture/break.h"

bool rbl_has_pattern_levels(const rbl_prepare_def *def)
{
	for (int i = 0; i < def->level_count; ++i)
		if (def->levels[i].pattern)
			return true;
	return false;
}

void rbl_level_dividing_free(rbl_level_dividing *dividing)
{
	rbl_destroy_task(dividing->task);
	rbl_destroy_compound(dividing->compound);
	*dividing = (rbl_level_dividing){ .level = 0 };
}

// The parts as a compound, which has them from now on.
static rbl_result list_parts(rbl_level_dividing *d, rbl_asset_parts *parts,
                             const rbl_shell_work *work, uint64_t plane_end)
{
	int n = parts->parts.items.count;
	d->compound = rbl_compound_new(work->allocator, 1e-5, NULL, 1);
	if (!d->compound || !rbl_compound_reserve(d->compound, n, 0))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < n; ++i) {
		rbl_decomposition_part *from = &parts->parts.items.data[i];
		rbl_part part = { .convex = from->convex, .mesh = from->mesh, .volume = from->volume };
		rbl_compound_add_part(d->compound, &part);
		from->convex = NULL, from->mesh = NULL;
	}
	d->compound->next_plane_id = plane_end;
	return rbl_compound_build_tree(d->compound, work->def->jobs);
}

static rbl_result begin_level(rbl_level_dividing *d, rbl_asset_parts *parts,
                              const rbl_shell_work *work, uint64_t plane_end)
{
	const rbl_cluster_level *level = &work->def->levels[d->level];
	rbl_quatd q = level->rotation;
	rbl_break_def def = rbl_default_break_def();
	def.pattern = level->pattern;
	def.position = level->position;
	if (q.x != 0.0 || q.y != 0.0 || q.z != 0.0 || q.w != 0.0)
		def.shape = rbl_quat_to_mat_d(rbl_quat_normalize_d(q));
	def.inner = work->def->inner;
	def.inner.roughness = 0.0; // parts are connected
	def.jobs = work->def->jobs;
	rbl_result result = list_parts(d, parts, work, plane_end);
	return result == RBL_OK ? rbl_begin_division(d->compound, &def, &d->task) : result;
}

// --- pieces become parts ------------------------------------------------------------------------

// What is known of pieces before anything changes hands.
typedef struct piece_marks {
	int *colors; // from 0 on, in the order of pieces
	int *nodes;  // the same for pieces of one cell and one node, which alone may overlap
} piece_marks;

static rbl_result mark_level_pieces(const rbl_task *task, const rbl_division *division,
                                    const rbl_asset_parts *parts, const rbl_allocator *a,
                                    piece_marks *marks)
{
	rbl_map colors = { 0 }, nodes = { 0 };
	rbl_result result = RBL_OK;
	uint32_t color_count = 0, node_count = 0;
	for (int i = 0; i < division->count && result == RBL_OK; ++i) {
		const rbl_break_piece *piece = &division->pieces[i];
		uint64_t node = (uint64_t)parts->parts.items.data[piece->parent].node;
		const uint32_t *color =
			rbl_map_add(a, &colors, rbl_division_color(task, piece), color_count);
		const uint32_t *place =
			rbl_map_add(a, &nodes, node << 32 | (uint32_t)piece->cell, node_count);
		if (!color || !place) {
			result = RBL_OUT_OF_MEMORY;
			break;
		}
		marks->colors[i] = (int)*color, marks->nodes[i] = (int)*place;
		color_count += *color == color_count, node_count += *place == node_count;
	}
	rbl_map_free(a, &colors);
	rbl_map_free(a, &nodes);
	return result;
}

// A part of a piece, which changes hands. Whole ones leave the compound.
static rbl_decomposition_part take_level_piece(rbl_level_dividing *d, rbl_break_piece *piece,
                                               const rbl_decomposition_part *parent, int node)
{
	rbl_decomposition_part part = { .node = node, .volume = piece->volume };
	part.key = rbl_hash_number(rbl_hash_number(parent->key, (uint64_t)d->level + 1),
	                           (uint64_t)piece->cell);
	if (piece->is_whole) {
		rbl_part *whole = &d->compound->parts.data[piece->parent];
		part.convex = whole->convex, part.mesh = whole->mesh;
		part.visual_volume = parent->visual_volume;
		rbl_destroy_solid(whole->solid);
		whole->solid = NULL;
		rbl_compound_remove_part(d->compound, piece->parent);
	} else {
		part.convex = piece->convex, part.mesh = piece->mesh;
		part.visual_volume = piece->visual.volume > 0.0 ? piece->visual.volume : piece->volume;
	}
	piece->convex = NULL, piece->mesh = NULL;
	return part;
}

// Replace the parts by the pieces. Nothing has changed when it fails.
static rbl_result replace_parts(rbl_level_dividing *d, const rbl_shell_work *works,
                                rbl_asset_parts *parts, const piece_marks *marks,
                                const rbl_division *division)
{
	const rbl_allocator *a = works->allocator;
	int n = division->count, stride = works->def->level_count;
	rbl_asset_parts made = { .table = parts->table, .table_count = parts->table_count };
	if (!rbl_array_reserve(a, &made.parts.items, n) || !rbl_array_reserve(a, &made.shells, n) ||
	    !rbl_array_reserve(a, &made.materials, n) ||
	    !rbl_array_reserve(a, &made.colors, n * stride)) {
		rbl_asset_parts_free(a, &made);
		return RBL_OUT_OF_MEMORY;
	}
	for (int i = 0; i < n; ++i) {
		rbl_break_piece *piece = &division->pieces[i];
		int parent = piece->parent, shell = parts->shells.data[parent];
		rbl_decomposition_part part =
			take_level_piece(d, piece, &parts->parts.items.data[parent], marks->nodes[i]);
		made.parts.items.data[made.parts.items.count++] = part;
		made.shells.data[made.shells.count++] = shell;
		if (parts->table_count > 0)
			made.materials.data[made.materials.count++] =
				rbl_part_material(&works[shell], part.mesh, parts->materials.data[parent]);
		for (int k = 0; k < stride; ++k)
			made.colors.data[made.colors.count++] = k == d->level ? marks->colors[i]
			                                        : parts->colors.count > 0
			                                            ? parts->colors.data[parent * stride + k]
			                                            : 0;
	}
	rbl_asset_parts_free(a, parts);
	*parts = made;
	return RBL_OK;
}

static rbl_result finish_level(rbl_level_dividing *d, const rbl_shell_work *works,
                               rbl_asset_parts *parts, uint64_t *plane_end)
{
	const rbl_allocator *a = works->allocator;
	rbl_division division = rbl_division_get(d->task);
	size_t n = (size_t)division.count;
	piece_marks marks = { RBL_NEW(a, int, n), RBL_NEW(a, int, n) };
	rbl_result result = marks.colors && marks.nodes
	                        ? mark_level_pieces(d->task, &division, parts, a, &marks)
	                        : RBL_OUT_OF_MEMORY;
	if (result == RBL_OK)
		result = replace_parts(d, works, parts, &marks, &division);
	RBL_FREE(a, marks.colors, n);
	RBL_FREE(a, marks.nodes, n);
	if (result != RBL_OK)
		return result;
	*plane_end = division.plane_end;
	int level = d->level;
	rbl_level_dividing_free(d);
	d->level = level + 1;
	return RBL_OK;
}

rbl_result rbl_divide_levels(rbl_level_dividing *dividing, const rbl_shell_work *works,
                             rbl_asset_parts *parts, uint64_t *plane_end, int *budget,
                             bool *is_done)
{
	rbl_level_dividing *d = dividing;
	const rbl_prepare_def *def = works->def;
	rbl_result result = RBL_OK;
	while (d->level < def->level_count && !def->levels[d->level].pattern)
		d->level++;
	*is_done = d->level == def->level_count;
	if (*is_done)
		return RBL_OK;
	if (!d->compound) {
		*budget -= 1 + parts->parts.items.count / 20;
		return begin_level(d, parts, works, *plane_end);
	}
	bool is_ready = false;
	result = rbl_task_work(d->task, *budget, &is_ready);
	*budget = *budget < 1 << 29 ? 0 : *budget - 1; // a slice is used up, what has no end is not
	return result == RBL_OK && is_ready ? finish_level(d, works, parts, plane_end) : result;
}
