// SPDX-License-Identifier: MIT
//
// Assets: convex parts with their bonds, ghost convexes and tree; copies and queries.

#include "fracture/asset.h"

#include "base/log.h"
#include "base/vec.h"

rbl_asset *rbl_asset_new(const rbl_allocator *allocator)
{
	rbl_allocator own = rbl_allocator_or_default(allocator);
	rbl_asset *asset = RBL_NEW_ZERO(&own, rbl_asset, 1);
	if (asset)
		asset->allocator = own;
	return asset;
}

const rbl_asset *rbl_asset_share(const rbl_asset *asset)
{
	rbl_add_reference(&((rbl_asset *)(uintptr_t)asset)->references);
	return asset;
}

void rbl_destroy_asset(rbl_asset *asset)
{
	if (!asset || !rbl_drop_reference(&asset->references))
		return;
	rbl_allocator a = asset->allocator;
	rbl_ghost_convexes_free(&a, &asset->ghosts);
	rbl_array_free(&a, &asset->nodes);
	RBL_FREE(&a, asset->origins, asset->report.part_count);
	for (int i = 0; asset->solids && i < asset->compound->parts.count; ++i)
		rbl_destroy_solid(asset->solids[i]);
	if (asset->solids)
		RBL_FREE(&a, asset->solids, asset->compound->parts.count);
	rbl_destroy_compound(asset->compound);
	rbl_destroy_distance_field(asset->field);
	RBL_FREE(&a, asset, 1);
}

// --- copying ------------------------------------------------------------------------------------

void rbl_asset_prepare_solids(const rbl_asset *asset)
{
	rbl_asset *a = (rbl_asset *)(uintptr_t)asset; // nothing that can be seen of it changes
	if (!rbl_once_begin(&a->has_solids))
		return;
	const rbl_compound *c = a->compound;
	rbl_solid **solids = RBL_NEW_ZERO(&a->allocator, rbl_solid *, c->parts.count);
	bool ok = solids != NULL;
	for (int i = 0; i < c->parts.count && ok; ++i)
		if (c->parts.data[i].mesh) // one that is no solid is left out
			ok = rbl_solid_of_mesh(c->parts.data[i].mesh, &a->allocator, &solids[i]) !=
			     RBL_OUT_OF_MEMORY;
	for (int i = 0; solids && i < c->parts.count && !ok; ++i)
		rbl_destroy_solid(solids[i]);
	if (ok)
		a->solids = solids;
	else if (solids)
		RBL_FREE(&a->allocator, solids, c->parts.count);
	rbl_once_end(&a->has_solids, ok);
}

// @param solid  of the part's mesh, or NULL
static rbl_result copy_part(const rbl_part *from, const rbl_solid *solid, rbl_compound *to)
{
	rbl_part part = *from;
	part.convex = NULL, part.mesh = NULL, part.solid = NULL;
	rbl_result result = rbl_convex_copy(from->convex, &to->allocator, &part.convex);
	if (result == RBL_OK && from->mesh)
		result = rbl_mesh_duplicate(from->mesh, &to->allocator, &part.mesh);
	if (result == RBL_OK && part.mesh) // now, and not when it is struck
		result = solid ? rbl_solid_copy(solid, part.mesh, &to->allocator, &part.solid)
		               : rbl_solid_of_mesh(part.mesh, &to->allocator, &part.solid);
	if (result == RBL_OK)
		rbl_compound_add_part(to, &part);
	else
		rbl_part_free(&part);
	return result;
}

// Copy a compound without gaps.
// @param solids  of its parts, or NULL
static rbl_result copy_compound(const rbl_compound *compound, rbl_solid *const *solids,
                                const rbl_allocator *allocator, rbl_compound **copy)
{
	rbl_compound *c = rbl_compound_new(allocator, compound->tolerance, compound->materials,
	                                   compound->material_count);
	if (!c)
		return RBL_OUT_OF_MEMORY;
	int n = compound->parts.count;
	c->next_plane_id = compound->next_plane_id;
	rbl_result result = RBL_OK;
	if (!rbl_compound_reserve(c, n + n / 4, compound->bonds.count + compound->bonds.count / 4))
		result = RBL_OUT_OF_MEMORY;
	for (int i = 0; i < n && result == RBL_OK; ++i)
		result = copy_part(&compound->parts.data[i], solids ? solids[i] : NULL, c);
	for (int i = 0; i < compound->bonds.count && result == RBL_OK; ++i)
		rbl_compound_add_bond(c, &compound->bonds.data[i]);
	if (result == RBL_OK)
		result = rbl_compound_build_tree(c, NULL);
	if (result != RBL_OK) {
		rbl_destroy_compound(c);
		return result;
	}
	*copy = c;
	return RBL_OK;
}

rbl_result rbl_asset_create_compound(const rbl_asset *asset, const rbl_allocator *allocator,
                                     rbl_compound **compound)
{
	if (!compound)
		return rbl_fail(RBL_BAD_ARGUMENT, "compound is NULL");
	*compound = NULL;
	if (!asset)
		return rbl_fail(RBL_BAD_ARGUMENT, "asset is NULL");
	if (allocator && !rbl_allocator_is_valid(allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function of two");
	rbl_solid *const *solids = rbl_once_is_done(&asset->has_solids) ? asset->solids : NULL;
	return copy_compound(asset->compound, solids, allocator, compound);
}

// --- queries ------------------------------------------------------------------------------------

rbl_asset_report rbl_asset_get_report(const rbl_asset *asset)
{
	return asset ? asset->report : (rbl_asset_report){ 0 };
}

const rbl_compound *rbl_asset_get_compound(const rbl_asset *asset)
{
	return asset ? asset->compound : NULL;
}

const rbl_distance_field *rbl_asset_get_field(const rbl_asset *asset)
{
	return asset ? asset->field : NULL;
}

const rbl_vec3d *rbl_asset_get_nodes(const rbl_asset *asset, int *count)
{
	if (count)
		*count = asset ? asset->nodes.count : 0;
	return asset ? asset->nodes.data : NULL;
}

rbl_ghost rbl_asset_get_ghost(const rbl_asset *asset, int ghost)
{
	if (!asset || ghost < 0 || ghost >= asset->ghosts.items.count)
		return (rbl_ghost){ 0 };
	const rbl_ghost_convex *common = &asset->ghosts.items.data[ghost];
	return (rbl_ghost){ common->convex, common->sign, common->depth, common->first, common->last };
}

static const rbl_convex **list_convexes(const rbl_asset *asset)
{
	const rbl_compound *c = asset->compound;
	const rbl_convex **list =
		RBL_NEW(&asset->allocator, const rbl_convex *, (size_t)c->parts.count + 1);
	for (int i = 0; list && i < c->parts.count; ++i)
		list[i] = c->parts.data[i].convex;
	return list;
}

rbl_mass rbl_asset_get_mass(const rbl_asset *asset)
{
	rbl_mass mass = { 0 };
	const rbl_convex **convexes = asset ? list_convexes(asset) : NULL;
	if (!convexes)
		return mass;
	int n = asset->compound->parts.count;
	mass = rbl_ghost_convexes_mass(convexes, n, &asset->ghosts);
	RBL_FREE(&asset->allocator, convexes, (size_t)n + 1);
	return mass;
}
