// SPDX-License-Identifier: MIT
//
// From the parts of all shells to an asset: parts and tree, bonds of parts that touch or overlap,
// ghost convexes and sums. It works in slices, since an arena has thousands of parts.

#include "fracture/asset.h"

#include "base/log.h"
#include "base/vec.h"

#include <limits.h>

void rbl_asset_parts_free(const rbl_allocator *allocator, rbl_asset_parts *parts)
{
	rbl_decomposition_parts_free(allocator, &parts->parts);
	rbl_array_free(allocator, &parts->shells);
	rbl_array_free(allocator, &parts->materials);
	rbl_array_free(allocator, &parts->colors);
	memset(parts, 0, sizeof *parts);
}

enum { PER_CUT = 20 }; // faces looked at in the time of a cut of a convex by a cell

enum step { TAKE, BONDS, PAIRS, OVERLAPS, GHOSTS, DONE };

static rbl_result add_parts(rbl_asset *asset, rbl_asset_parts *parts)
{
	rbl_compound *c = asset->compound;
	int n = parts->parts.items.count;
	asset->origins = RBL_NEW(&asset->allocator, rbl_asset_origin, n);
	if (!asset->origins || !rbl_compound_reserve(c, n, 0))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < n; ++i) {
		rbl_decomposition_part *from = &parts->parts.items.data[i];
		rbl_part part = { .convex = from->convex,
			              .mesh = from->mesh,
			              .volume = from->volume,
			              .material = parts->table_count > 0 ? parts->materials.data[i] : 0 };
		rbl_compound_add_part(c, &part);
		from->convex = NULL, from->mesh = NULL;
		asset->origins[i] =
			(rbl_asset_origin){ parts->shells.data[i], from->node, from->key, from->visual_volume };
		asset->report.kept_count += from->is_kept;
	}
	return RBL_OK;
}

static rbl_result add_parts_and_tree(rbl_asset *asset, rbl_asset_parts *parts, uint64_t plane_end,
                                     rbl_jobs *jobs)
{
	int n = parts->parts.items.count;
	if (n < 1 || n > RBL_MAX_COMPOUND_PARTS)
		return rbl_fail(RBL_LIMIT_REACHED, "%d parts, must be 1 to %d", n, RBL_MAX_COMPOUND_PARTS);
	asset->report.part_count = n;
	asset->compound =
		rbl_compound_new(&asset->allocator, 1e-5, parts->table, rbl_maxi(parts->table_count, 1));
	if (!asset->compound)
		return RBL_OUT_OF_MEMORY;
	asset->compound->next_plane_id = plane_end;
	rbl_result result = add_parts(asset, parts);
	return result == RBL_OK ? rbl_compound_build_tree(asset->compound, jobs) : result;
}

static bool list_part_convexes(const rbl_asset *asset, rbl_asset_assembly *f)
{
	const rbl_compound *c = asset->compound;
	f->count = c->parts.count;
	f->convexes = RBL_NEW(&asset->allocator, const rbl_convex *, (size_t)f->count + 1);
	f->volumes = RBL_NEW(&asset->allocator, double, (size_t)f->count + 1);
	if (!f->convexes || !f->volumes)
		return false;
	for (int i = 0; i < f->count; ++i) {
		f->convexes[i] = c->parts.data[i].convex;
		f->volumes[i] = c->parts.data[i].volume;
	}
	return true;
}

// --- bonds --------------------------------------------------------------------------------------

static rbl_result find_bonds(rbl_asset *asset, rbl_asset_assembly *f, rbl_jobs *jobs, int *budget)
{
	rbl_compound *c = asset->compound;
	if (!f->search) {
		rbl_adjacency_query search = rbl_compound_adjacency_query(c, f->convexes, jobs);
		f->search = rbl_adjacency_search_begin(&asset->allocator, &search);
	}
	if (!f->search)
		return RBL_OUT_OF_MEMORY;
	int faces = *budget < INT_MAX / PER_CUT ? *budget * PER_CUT : INT_MAX;
	bool is_done = false;
	rbl_result result = rbl_adjacency_search_work(f->search, &faces, &f->adjacent, &is_done);
	*budget = faces / PER_CUT;
	if (!is_done)
		return result;
	f->step = PAIRS;
	return rbl_compound_bond_adjacent(c, &f->adjacent);
}

// Pairs of parts that may overlap.
static rbl_result list_pairs(const rbl_asset *asset, rbl_asset_assembly *f)
{
	const rbl_allocator *a = &asset->allocator;
	int n = f->count;
	int *families = RBL_NEW(a, int, (size_t)n + 1), *parts = RBL_NEW(a, int, (size_t)n + 1);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (families && parts) {
		for (int i = 0; i < n; ++i)
			families[i] = asset->origins[i].shell, parts[i] = asset->origins[i].node;
		result = rbl_list_near_pairs(a, f->convexes, n, families, parts, &f->pairs);
	}
	RBL_FREE(a, parts, (size_t)n + 1);
	RBL_FREE(a, families, (size_t)n + 1);
	f->step = OVERLAPS;
	return result;
}

// Bonds between parts that overlap and have none yet.
static rbl_result bond_overlaps(rbl_asset *asset, rbl_asset_assembly *f, rbl_jobs *jobs,
                                int *budget)
{
	rbl_compound *c = asset->compound;
	int left = f->pairs.count / 2 - f->next_pair;
	rbl_overlap_search search = { .convexes = f->convexes, .volumes = f->volumes, .jobs = jobs };
	search.pair_count = rbl_mini(left, *budget);
	search.pairs = f->pairs.data ? f->pairs.data + 2 * f->next_pair : NULL;
	*budget -= search.pair_count + 1;
	f->next_pair += search.pair_count;
	rbl_result result = rbl_find_overlaps(&asset->allocator, &search, &f->overlaps);
	if (result != RBL_OK || search.pair_count < left)
		return result;
	if (!rbl_compound_reserve(c, 0, f->overlaps.items.count))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < f->overlaps.items.count; ++i)
		rbl_compound_add_overlap(c, &f->overlaps.items.data[i]);
	f->overlaps.items.count = 0;
	f->step = GHOSTS;
	return RBL_OK;
}

// --- shares of overlaps -------------------------------------------------------------------------

// What parts of several shells have in common counts once, and belongs to each of them by an equal
// share: so a part that breaks off takes its share with it, and nothing is gained or lost. Convexes
// are larger than the meshes in them; of what they have in common as much is filled as the product
// of what each is filled with. Pieces of one shell have nothing in common, whatever their convexes
// have. Exact where meshes fill their convexes, an estimate elsewhere.

static double fill_of(const rbl_part *m)
{
	return m->volume > 0.0 ? rbl_mind(m->visual.volume / m->volume, 1.0) : 1.0;
}

enum { MAX_DEPTH = 64 };

// The parts that have a ghost in common. @return their number, 0: too many, or two of one shell
static int list_members(const rbl_asset *asset, int ghost, int *members)
{
	int count = 0;
	const rbl_ghost_convex *g = &asset->ghosts.items.data[ghost];
	for (; g->depth > 2 && count < MAX_DEPTH - 2; g = &asset->ghosts.items.data[g->parent])
		members[count++] = g->last;
	if (g->depth > 2)
		return 0;
	members[count++] = g->last, members[count++] = g->first;
	for (int i = 0; i < count; ++i)
		for (int k = 0; k < i; ++k)
			if (asset->origins[members[i]].shell == asset->origins[members[k]].shell)
				return 0;
	return count;
}

// Of the volume that a covered part has in its coverer, each takes a share by its size.
static void share_covered(rbl_asset *asset, int covered, double *volumes)
{
	const rbl_compound *c = asset->compound;
	const rbl_part *m = &c->parts.data[covered];
	int coverer = -1;
	for (int end = m->first_bond; end >= 0; end = c->bonds.data[end / 2].next[end % 2]) {
		const rbl_bond *b = &c->bonds.data[end / 2];
		int other = b->parts[!(end % 2)];
		bool is_other = b->is_overlap && c->parts.data[other].volume >= m->volume &&
		                asset->origins[other].shell != asset->origins[covered].shell;
		if (is_other && (coverer < 0 || other < coverer))
			coverer = other;
	}
	if (coverer < 0)
		return;
	double fill = fill_of(&c->parts.data[coverer]), common = fill * m->visual.volume;
	double pool = volumes[coverer], whole = c->parts.data[coverer].visual.volume + common;
	volumes[covered] = (1.0 - fill) * volumes[covered] + pool * common / whole;
	volumes[coverer] = pool * (1.0 - common / whole);
}

static rbl_result share_overlaps(rbl_asset *asset)
{
	rbl_compound *c = asset->compound;
	const rbl_ghost_convexes *ghosts = &asset->ghosts;
	if (ghosts->items.count == 0 && ghosts->covered.count == 0)
		return RBL_OK;
	double *volumes = RBL_NEW(&asset->allocator, double, c->parts.count);
	if (!volumes)
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < c->parts.count; ++i)
		volumes[i] = c->parts.data[i].visual.volume;
	for (int i = 0; i < ghosts->items.count; ++i) {
		int members[MAX_DEPTH], count = list_members(asset, i, members);
		double common = rbl_convex_get_mass(ghosts->items.data[i].convex).volume;
		for (int k = 0; k < count; ++k)
			common *= fill_of(&c->parts.data[members[k]]);
		for (int k = 0; k < count; ++k)
			volumes[members[k]] += ghosts->items.data[i].sign * common / count;
	}
	for (int i = 0; i < ghosts->covered.count; ++i)
		share_covered(asset, ghosts->covered.data[i], volumes);
	for (int i = 0; i < c->parts.count; ++i) {
		rbl_part *m = &c->parts.data[i];
		m->overlap = rbl_clampd(1.0 - volumes[i] / m->visual.volume, 0.0, 0.99);
		if (m->overlap < 1e-12)
			m->overlap = 0.0;
	}
	RBL_FREE(&asset->allocator, volumes, c->parts.count);
	return RBL_OK;
}

// --- ghosts -------------------------------------------------------------------------------------

static rbl_result find_ghosts(rbl_asset *asset, rbl_asset_assembly *f, int *budget)
{
	const rbl_compound *c = asset->compound;
	const rbl_allocator *a = &asset->allocator;
	rbl_asset_report *r = &asset->report;
	if (!f->ghosts) {
		rbl_result result = rbl_list_overlaps(c, NULL, &f->overlaps);
		if (result != RBL_OK)
			return result;
		r->overlap_count = f->overlaps.items.count;
		f->ghosts = rbl_ghost_search_begin(a, f->convexes, f->count, &f->overlaps, &asset->ghosts);
	}
	bool is_done = false;
	rbl_result result =
		f->ghosts ? rbl_ghost_search_work(f->ghosts, budget, &is_done) : RBL_OUT_OF_MEMORY;
	if (!is_done)
		return result;
	r->bond_count = c->bond_count;
	r->ghost_count = asset->ghosts.items.count;
	r->covered_count = asset->ghosts.covered.count;
	r->is_ghost_limited = asset->ghosts.is_limited;
	r->mass_volume = rbl_ghost_convexes_mass(f->convexes, f->count, &asset->ghosts).volume;
	f->step = DONE;
	return share_overlaps(asset);
}

void rbl_asset_assembly_free(const rbl_asset *asset, rbl_asset_assembly *finish)
{
	if (!asset)
		return;
	const rbl_allocator *a = &asset->allocator;
	rbl_adjacency_search_end(finish->search);
	rbl_ghost_search_end(finish->ghosts);
	rbl_array_free(a, &finish->adjacent.items);
	rbl_array_free(a, &finish->overlaps.items);
	rbl_array_free(a, &finish->pairs);
	RBL_FREE(a, finish->convexes, (size_t)finish->count + 1);
	RBL_FREE(a, finish->volumes, (size_t)finish->count + 1);
	memset(finish, 0, sizeof *finish);
}

rbl_result rbl_asset_find_ghosts(rbl_asset *asset)
{
	rbl_asset_assembly f = { .step = GHOSTS };
	rbl_result result = list_part_convexes(asset, &f) ? RBL_OK : RBL_OUT_OF_MEMORY;
	while (result == RBL_OK && f.step != DONE)
		result = find_ghosts(asset, &f, &(int){ INT_MAX });
	rbl_asset_assembly_free(asset, &f);
	return result;
}

rbl_result rbl_asset_assemble(rbl_asset *asset, rbl_asset_assembly *finish, rbl_asset_parts *parts,
                              uint64_t plane_end, rbl_jobs *jobs, int *budget, bool *is_done)
{
	rbl_result result = RBL_OK;
	switch (finish->step) {
	case TAKE:
		*budget -= 1 + parts->parts.items.count / PER_CUT;
		result = add_parts_and_tree(asset, parts, plane_end, jobs);
		if (result == RBL_OK && !list_part_convexes(asset, finish))
			result = RBL_OUT_OF_MEMORY;
		finish->step = BONDS;
		break;
	case BONDS:
		result = find_bonds(asset, finish, jobs, budget);
		break;
	case PAIRS:
		*budget -= 1 + finish->count / PER_CUT;
		result = list_pairs(asset, finish);
		break;
	case OVERLAPS:
		result = bond_overlaps(asset, finish, jobs, budget);
		break;
	default:
		result = find_ghosts(asset, finish, budget);
		break;
	}
	*is_done = result == RBL_OK && finish->step == DONE;
	return result;
}
