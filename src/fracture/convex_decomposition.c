// SPDX-License-Identifier: MIT
//
// Volumetric approximate convex decomposition (Mueller et al. 2013, section 4.1): the Voronoi
// cells of nodes cut a closed surface, and each piece gets its cell, cut by the planes of an outer
// hull, as its convex. Convexes of different cells cannot overlap, contain their pieces, and share
// planes with one id.
//
// A cell depends only on its node and on those beyond its faces: its key is a hash of their
// positions. When nodes move, parts with unchanged keys are copied and only the other cells are
// cut: the caps of the parts beside them say which of those lie inside. Where the volumes do not
// add up to the solid's then, as when a cap lies in the surface, all cells are cut after all.

#include "fracture/convex_decomposition.h"

#include "base/hash.h"
#include "base/log.h"
#include "base/vec.h"
#include "fracture/cell_cut.h"
#include "geometry/geometry.h"

#include <limits.h>

// Work in cuts of a convex by a cell: the least for a hull, and triangles or vertices for one.
enum { FIT_COST = 20, TRIANGLES_PER_CUT = 10 };

struct rbl_decomposition {
	rbl_decomposition_settings *settings;
	rbl_pattern *pattern;
	rbl_pieces *pieces;
	rbl_cut_task *cutting; // that makes the pieces; NULL: they are whole
	const rbl_vec3d *nodes;
	int node_count;
	int next_part;
	rbl_decomposition_part *parts; // from next_part on
	rbl_result *results;

	// Only cells that changed are cut; NULL: all are.
	unsigned char *wanted;
	double *known_areas;
	int cell_count, face_count;
	rbl_pieces_def pieces_def;
};

static uint64_t hash_position(uint64_t hash, rbl_vec3d p)
{
	const double numbers[3] = { p.x + 0.0, p.y + 0.0, p.z + 0.0 };
	for (int k = 0; k < 3; ++k) {
		uint64_t bits;
		memcpy(&bits, &numbers[k], sizeof bits);
		hash = rbl_hash_number(hash, bits);
	}
	return hash;
}

// Whatever the order of the faces.
static uint64_t cell_key(const rbl_decomposition *d, int cell)
{
	const rbl_cells *cells = &d->pieces->cells;
	uint64_t sum = 0;
	for (int f = cells->cell_faces[cell]; f < cells->cell_faces[cell + 1]; ++f) {
		int beyond = rbl_cell_beyond(cells, f);
		sum += beyond >= 0 ? hash_position(1, d->nodes[beyond]) : (uint64_t)1 << (20 - beyond);
	}
	sum = rbl_hash_number(rbl_hash_mix(sum), d->settings->plane_base);
	return hash_position(rbl_hash_number(sum, (uint64_t)d->node_count),
	                     d->nodes[rbl_cell_number(cells, cell)]);
}

// A plane is known by the two nodes it lies between, whatever else there is.
static uint64_t plane_id(const rbl_decomposition *d, int node, int beyond)
{
	if (beyond < 0)
		return RBL_NO_PLANE_ID; // a wall of the container
	uint64_t low = (uint64_t)rbl_mini(node, beyond), high = (uint64_t)rbl_maxi(node, beyond);
	return d->settings->plane_base + low * (uint64_t)d->node_count + high;
}

static bool load_cell(const rbl_decomposition *d, rbl_clipper *carving, int cell)
{
	const rbl_cells *cells = &d->pieces->cells;
	if (!rbl_clipper_load_cell(carving, cells, cell, 0))
		return false;
	for (int f = 0; f < carving->face_count; ++f)
		carving->tags[f] = plane_id(d, rbl_cell_number(cells, cell),
		                            rbl_cell_beyond(cells, cells->cell_faces[cell] + f));
	return true;
}

// --- one part -----------------------------------------------------------------------------------

static rbl_result cut_by_hull(const rbl_decomposition *d, const rbl_piece *piece,
                              rbl_clipper *carving)
{
	const rbl_allocator *a = d->settings->allocator;
	rbl_hull_fit fit = { 0 };
	rbl_result result =
		rbl_hull_fit_planes(a, rbl_piece_vertices(d->pieces, piece), piece->vertex_count,
	                        d->settings->hull_vertices, false, &fit);
	double tolerance = 1e-12 * d->pieces->solid->size;
	rbl_planed box[6];
	rbl_fit_kdop(rbl_piece_vertices(d->pieces, piece), piece->vertex_count, 6, box);
	for (int i = 0; i < 6 + fit.planes.count && result == RBL_OK; ++i) {
		rbl_planed plane = i < 6 ? box[i] : fit.planes.data[i - 6];
		if (rbl_clipper_cut(carving, plane, tolerance, RBL_NO_PLANE_ID) == RBL_CUT_NO_MEMORY)
			result = RBL_OUT_OF_MEMORY;
	}
	rbl_hull_fit_free(a, &fit);
	return result == RBL_BAD_MESH ? RBL_OK : result; // a flat piece keeps its cell
}

static rbl_result fit_part(const rbl_decomposition *d, int index, rbl_decomposition_part *part)
{
	const rbl_piece *piece = &d->pieces->pieces.data[index];
	rbl_vec3d origin = d->pieces->solid->origin;
	rbl_clipper carving;
	rbl_clipper_init(&carving, d->settings->allocator);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (load_cell(d, &carving, piece->cell))
		result = piece->block >= 0 ? cut_by_hull(d, piece, &carving) : RBL_OK;
	if (result == RBL_OK) {
		for (int v = 0; v < carving.vertex_count; ++v) {
			carving.x[v] += origin.x;
			carving.y[v] += origin.y;
			carving.z[v] += origin.z;
		}
		for (int f = 0; f < carving.face_count; ++f)
			carving.planes[f].offset += rbl_dot_d(carving.planes[f].normal, origin);
		result = rbl_convex_from_clipper(&carving, d->settings->allocator, &part->convex);
	}
	rbl_clipper_destroy(&carving);
	if (result == RBL_OK && piece->block >= 0)
		result = rbl_piece_create_mesh(d->pieces, index, d->settings->allocator, &part->mesh);
	return result;
}

static rbl_result copy_decomposition_part(const rbl_decomposition *d,
                                          const rbl_decomposition_part *from,
                                          rbl_decomposition_part *to)
{
	rbl_result result = rbl_convex_copy(from->convex, d->settings->allocator, &to->convex);
	if (result == RBL_OK && from->mesh)
		result = rbl_mesh_duplicate(from->mesh, d->settings->allocator, &to->mesh);
	to->is_kept = true;
	return result;
}

// The earlier part of the same cell that has the same piece; several pieces may be in one cell.
static const rbl_decomposition_part *find_earlier(const rbl_decomposition *d,
                                                  const rbl_decomposition_part *part)
{
	for (int i = 0; i < d->settings->earlier_count; ++i) {
		const rbl_decomposition_part *e = &d->settings->earlier[i];
		if (e->key == part->key &&
		    fabs(e->visual_volume - part->visual_volume) <= 1e-12 * part->visual_volume)
			return e;
	}
	return NULL;
}

// --- cells that did not change ------------------------------------------------------------------

static bool has_earlier(const rbl_decomposition *d, uint64_t key)
{
	for (int i = 0; i < d->settings->earlier_count; ++i)
		if (d->settings->earlier[i].key == key)
			return true;
	return false;
}

// How much of a face of a cell an earlier part of it covers: its caps in that plane.
static double cap_area(const rbl_decomposition *d, const rbl_decomposition_part *part, int face)
{
	const rbl_cells *cells = &d->pieces->cells;
	if (!part->mesh)
		return cells->faces[face].area;
	rbl_planed plane = rbl_cell_face_plane(cells, face);
	plane.offset += rbl_dot_d(plane.normal, d->pieces->solid->origin);
	rbl_mesh_data m = rbl_mesh_get_data(part->mesh);
	double tolerance = 1e-9 * d->pieces->solid->size, sum = 0.0;
	for (int f = 0; f < m.face_count; ++f) {
		int first = m.face_starts[f], end = m.face_starts[f + 1];
		bool is_in = true;
		for (int k = first; k < end && is_in; ++k)
			is_in =
				fabs(rbl_plane_distance_d(plane, m.positions[m.corner_vertices[k]])) <= tolerance;
		if (!is_in)
			continue;
		rbl_vec3d twice = { 0.0, 0.0, 0.0 }, at = m.positions[m.corner_vertices[first]];
		for (int k = first + 1; k + 1 < end; ++k)
			twice =
				rbl_add_d(twice, rbl_cross_d(rbl_sub_d(m.positions[m.corner_vertices[k]], at),
			                                 rbl_sub_d(m.positions[m.corner_vertices[k + 1]], at)));
		sum += 0.5 * rbl_dot_d(twice, plane.normal);
	}
	return sum;
}

static void free_limits(rbl_decomposition *d)
{
	const rbl_allocator *a = d->settings->allocator;
	RBL_FREE(a, d->wanted, d->cell_count);
	RBL_FREE(a, d->known_areas, (size_t)d->face_count + 1);
	d->wanted = NULL;
	d->known_areas = NULL;
}

// Which cells are cut: those that changed. @return false when memory ran out
static bool limit_cut(rbl_decomposition *d)
{
	const rbl_cells *cells = &d->pieces->cells;
	const rbl_allocator *a = d->settings->allocator;
	d->cell_count = cells->cell_count;
	d->face_count = cells->face_count;
	d->wanted = RBL_NEW_ZERO(a, unsigned char, d->cell_count);
	d->known_areas = RBL_NEW_ZERO(a, double, (size_t)d->face_count + 1);
	if (!d->wanted || !d->known_areas)
		return false;
	for (int c = 0; c < d->cell_count; ++c)
		d->wanted[c] = !has_earlier(d, cell_key(d, c));
	for (int c = 0; c < d->cell_count; ++c) {
		uint64_t key = d->wanted[c] ? 0 : cell_key(d, c);
		for (int f = cells->cell_faces[c]; f < cells->cell_faces[c + 1] && !d->wanted[c]; ++f) {
			int beyond = cells->faces[f].neighbour;
			if (beyond < 0 || !d->wanted[beyond])
				continue;
			for (int i = 0; i < d->settings->earlier_count; ++i)
				if (d->settings->earlier[i].key == key)
					d->known_areas[f] += cap_area(d, &d->settings->earlier[i], f);
		}
	}
	rbl_cut_task_limit(d->cutting, d->wanted, d->known_areas);
	return true;
}

// Whether pieces and earlier parts are the whole solid. Where not, the caps were misleading.
static bool is_whole(const rbl_decomposition *d)
{
	double sum = 0.0, all = d->pieces->solid->volume;
	for (int i = 0; i < rbl_pieces_count(d->pieces); ++i)
		sum += d->pieces->pieces.data[i].volume;
	for (int c = 0; c < d->cell_count; ++c) {
		uint64_t key = d->wanted[c] ? 0 : cell_key(d, c);
		for (int i = 0; i < d->settings->earlier_count && !d->wanted[c]; ++i)
			if (d->settings->earlier[i].key == key)
				sum += d->settings->earlier[i].visual_volume;
	}
	return fabs(sum - all) <= 1e-9 * fabs(all);
}

// Copies of the earlier parts of a cell. @return RBL_OK, RBL_OUT_OF_MEMORY
static rbl_result keep_cell(rbl_decomposition *d, int cell, rbl_decomposition_parts *parts)
{
	uint64_t key = cell_key(d, cell);
	for (int i = 0; i < d->settings->earlier_count; ++i) {
		const rbl_decomposition_part *e = &d->settings->earlier[i];
		if (e->key != key)
			continue;
		rbl_decomposition_part part = { .node = rbl_cell_number(&d->pieces->cells, cell),
			                            .key = key,
			                            .visual_volume = e->visual_volume };
		rbl_result result = copy_decomposition_part(d, e, &part);
		part.volume = result == RBL_OK ? rbl_convex_get_mass(part.convex).volume : 0.0;
		if (result != RBL_OK || !rbl_array_push(d->settings->allocator, &parts->items, part)) {
			rbl_destroy_convex(part.convex);
			rbl_destroy_mesh(part.mesh);
			return result == RBL_OK ? RBL_OUT_OF_MEMORY : result;
		}
	}
	return RBL_OK;
}

// Put earlier parts between the new ones, by cell.
static rbl_result merge_kept(rbl_decomposition *d, rbl_decomposition_parts *parts)
{
	const rbl_allocator *a = d->settings->allocator;
	rbl_decomposition_parts merged = { 0 };
	rbl_result result = RBL_OK;
	int next = 0, count = parts->items.count;
	for (int c = 0; c < d->cell_count && result == RBL_OK; ++c) {
		if (!d->wanted[c])
			result = keep_cell(d, c, &merged);
		int node = rbl_cell_number(&d->pieces->cells, c);
		for (; next < count && parts->items.data[next].node == node && result == RBL_OK; ++next) {
			if (!rbl_array_push(a, &merged.items, parts->items.data[next]))
				result = RBL_OUT_OF_MEMORY;
			else
				parts->items.data[next].convex = NULL, parts->items.data[next].mesh = NULL;
		}
	}
	rbl_decomposition_parts swap = *parts;
	*parts = merged;
	rbl_decomposition_parts_free(a, &swap);
	return result;
}

static rbl_result make_part(const rbl_decomposition *d, int index, rbl_decomposition_part *part)
{
	const rbl_piece *piece = &d->pieces->pieces.data[index];
	*part = (rbl_decomposition_part){ .node = rbl_cell_number(&d->pieces->cells, piece->cell),
		                              .visual_volume = piece->volume };
	part->key = cell_key(d, piece->cell);
	const rbl_decomposition_part *earlier = find_earlier(d, part);
	rbl_result result =
		earlier ? copy_decomposition_part(d, earlier, part) : fit_part(d, index, part);
	if (result == RBL_OK)
		part->volume = rbl_convex_get_mass(part->convex).volume;
	return result;
}

static void make_block(void *context, int begin, int end, int worker)
{
	rbl_decomposition *d = context;
	(void)worker;
	for (int i = begin; i < end; ++i)
		d->results[d->next_part + i] = make_part(d, d->next_part + i, &d->parts[i]);
}

// --- all ----------------------------------------------------------------------------------------

// How many pieces the budget allows.
static int parts_within(const rbl_decomposition *d, int *budget)
{
	int n = 0, left = rbl_pieces_count(d->pieces) - d->next_part;
	while (n<left && * budget> 0)
		*budget -=
			FIT_COST + d->pieces->pieces.data[d->next_part + n++].vertex_count / TRIANGLES_PER_CUT;
	return n;
}

static rbl_result make_parts(rbl_decomposition *d, int *budget, rbl_decomposition_parts *parts)
{
	const rbl_allocator *a = d->settings->allocator;
	int n = parts_within(d, budget), before = parts->items.count;
	if (!d->results)
		d->results = RBL_NEW_ZERO(a, rbl_result, (size_t)rbl_pieces_count(d->pieces) + 1);
	if (!d->results || !rbl_array_reserve(a, &parts->items, before + n))
		return RBL_OUT_OF_MEMORY;
	d->parts = parts->items.data + before;
	memset(d->parts, 0, (size_t)n * sizeof *d->parts);
	parts->items.count += n;
	rbl_parallel_for(d->settings->jobs, n, 1, make_block, d);
	rbl_result result = RBL_OK;
	for (int i = 0; i < n && result == RBL_OK; ++i)
		result = d->results[d->next_part + i];
	d->next_part += n;
	return result;
}

static rbl_result make_pattern(const rbl_solid *solid, const rbl_vec3d *nodes, int node_count,
                               const rbl_decomposition_settings *settings, rbl_pattern **pattern)
{
	rbl_vec3d half = solid->half;
	rbl_vec3d *sites = RBL_NEW(settings->allocator, rbl_vec3d, node_count);
	if (!sites)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < node_count; ++i) {
		sites[i] = rbl_sub_d(nodes[i], solid->origin);
		half = rbl_max_d(half, rbl_max_d(sites[i], rbl_neg_d(sites[i])));
	}
	rbl_pattern_def def = rbl_default_pattern_def();
	def.kind = RBL_PATTERN_SITES;
	def.size = rbl_scale_d(2.002, half);
	double min = 1e-6 * rbl_length_d(def.size);
	def.size = rbl_max_d(def.size, (rbl_vec3d){ min, min, min });
	def.sites = sites;
	def.given_count = node_count;
	if (settings->is_among_others) { // most of the cells may not meet it
		double more = 0.01 * rbl_length_d(solid->half);
		rbl_vec3d near = rbl_add_d(solid->half, (rbl_vec3d){ more, more, more });
		def.region = (rbl_boxd){ rbl_neg_d(near), near };
	}
	def.jobs = settings->jobs;
	def.allocator = *settings->allocator;
	rbl_result result = rbl_create_pattern(&def, pattern);
	RBL_FREE(settings->allocator, sites, node_count);
	return result;
}

rbl_result rbl_decomposition_begin(const rbl_solid *solid, const rbl_vec3d *nodes, int node_count,
                                   rbl_decomposition_settings *settings,
                                   rbl_decomposition **decomposition)
{
	*decomposition = NULL;
	rbl_decomposition *made = RBL_NEW_ZERO(settings->allocator, rbl_decomposition, 1);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	made->settings = settings;
	made->nodes = nodes;
	made->node_count = node_count;
	settings->plane_end = settings->plane_base + (uint64_t)node_count * (uint64_t)node_count;
	rbl_result result = make_pattern(solid, nodes, node_count, settings, &made->pattern);
	if (result == RBL_OK) {
		rbl_pieces_def def = rbl_default_pieces_def();
		def.solid = solid;
		def.pattern = made->pattern;
		def.position = solid->origin;
		def.inner = settings->inner;
		def.inner.roughness = 0.0; // parts are connected, and fill their convexes
		def.jobs = settings->jobs;
		def.allocator = *settings->allocator;
		made->pieces_def = def;
		result = rbl_begin_pieces(&def, NULL, &made->pieces, &made->cutting);
	}
	if (result == RBL_OK && settings->earlier_count > 0 && !limit_cut(made))
		result = RBL_OUT_OF_MEMORY;
	if (result != RBL_OK) {
		rbl_decomposition_end(made);
		return result;
	}
	*decomposition = made;
	return RBL_OK;
}

// Begin anew, with all cells.
static rbl_result cut_all(rbl_decomposition *d)
{
	free_limits(d);
	rbl_destroy_pieces(d->pieces);
	return rbl_begin_pieces(&d->pieces_def, NULL, &d->pieces, &d->cutting);
}

rbl_result rbl_decomposition_work(rbl_decomposition *decomposition, int *budget,
                                  rbl_decomposition_parts *parts, bool *is_done)
{
	rbl_result result = RBL_OK;
	*is_done = false;
	if (decomposition->cutting) {
		bool is_cut = false;
		int triangles =
			*budget < INT_MAX / TRIANGLES_PER_CUT ? *budget * TRIANGLES_PER_CUT : INT_MAX;
		result = rbl_cut_task_work(decomposition->cutting, &triangles, &is_cut);
		*budget = triangles / TRIANGLES_PER_CUT;
		if (result != RBL_OK || !is_cut)
			return result;
		decomposition->settings->clipped_count += rbl_cut_task_clipped(decomposition->cutting);
		rbl_cut_task_end(decomposition->cutting);
		decomposition->cutting = NULL;
		if (decomposition->wanted && !is_whole(decomposition))
			return cut_all(decomposition);
		result = rbl_pieces_check(decomposition->pieces);
	}
	while (result == RBL_OK && *budget > 0 &&
	       decomposition->next_part < rbl_pieces_count(decomposition->pieces))
		result = make_parts(decomposition, budget, parts);
	*is_done =
		result == RBL_OK && decomposition->next_part == rbl_pieces_count(decomposition->pieces);
	return *is_done && decomposition->wanted ? merge_kept(decomposition, parts) : result;
}

void rbl_decomposition_end(rbl_decomposition *decomposition)
{
	if (!decomposition)
		return;
	const rbl_allocator *a = decomposition->settings->allocator;
	RBL_FREE(a, decomposition->results, (size_t)rbl_pieces_count(decomposition->pieces) + 1);
	rbl_cut_task_end(decomposition->cutting);
	rbl_destroy_pieces(decomposition->pieces);
	free_limits(decomposition);
	rbl_destroy_pattern(decomposition->pattern);
	RBL_FREE(a, decomposition, 1);
}

void rbl_decomposition_parts_free(const rbl_allocator *allocator, rbl_decomposition_parts *parts)
{
	for (int i = 0; i < parts->items.count; ++i) {
		rbl_destroy_convex(parts->items.data[i].convex);
		rbl_destroy_mesh(parts->items.data[i].mesh);
	}
	rbl_array_free(allocator, &parts->items);
}
