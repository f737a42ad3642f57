// SPDX-License-Identifier: MIT
//
// Creating a compound: from parts, from one mesh, or from a mesh that a pattern splits.

#include "base/log.h"
#include "base/vec.h"
#include "fracture/break.h"
#include "fracture/paint.h"
#include "fracture/pieces.h"

enum { COMPOUND_COOKIE = 0x636f6d70, MAX_MATERIALS = 65536, COMPOUND_PIECE_BLOCK = 4 };

rbl_compound_def rbl_default_compound_def(void)
{
	return (rbl_compound_def){
		.fit = RBL_FIT_26,
		.inner = rbl_default_pieces_def().inner,
		.tolerance = 1e-5,
		.cut_limit = RBL_CUT_LIMIT,
		.material_count = 1,
		.paint = rbl_default_strength_paint(),
		.cookie = COMPOUND_COOKIE,
	};
}

static rbl_result check_part(const rbl_compound_def *def, int index)
{
	const rbl_compound_part *part = &def->parts[index];
	if (!part->convex)
		return rbl_fail(RBL_BAD_ARGUMENT, "part %d has no convex", index);
	if (part->material < 0 || part->material >= def->material_count)
		return rbl_fail(RBL_BAD_ARGUMENT, "part %d has material %d of %d", index, part->material,
		                def->material_count);
	if (!(part->strength >= 0.0) || !isfinite(part->strength) ||
	    !(part->damage >= 0.0 && part->damage <= 1.0))
		return rbl_fail(RBL_BAD_ARGUMENT, "part %d has strength %g and damage %g", index,
		                part->strength, part->damage);
	if (!part->mesh)
		return RBL_OK;
	rbl_convex_data convex = rbl_convex_get_data(part->convex);
	rbl_mesh_data mesh = rbl_mesh_get_data(part->mesh);
	double tolerance = 1e-6 * rbl_length_d(rbl_box_size_d(rbl_convex_bounds(part->convex)));
	for (int f = 0; f < convex.face_count; ++f) {
		for (int v = 0; v < mesh.vertex_count; ++v) {
			if (rbl_plane_distance_d(convex.planes[f], mesh.positions[v]) > tolerance)
				return rbl_fail(RBL_BAD_ARGUMENT,
				                "vertex %d of part %d's mesh is not in its convex", v, index);
		}
	}
	return RBL_OK;
}

static rbl_result check_compound_def(const rbl_compound_def *def)
{
	if (!def || def->cookie != COMPOUND_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_compound_def()");
	if (!rbl_allocator_is_valid(&def->allocator))
		return rbl_fail(RBL_BAD_ARGUMENT, "allocator has one function of two");
	if (!(def->tolerance >= 1e-9 && def->tolerance <= 1e-2))
		return rbl_fail(RBL_BAD_ARGUMENT, "tolerance is %g, must be 1e-9 to 1e-2", def->tolerance);
	if (def->material_count < 1 || def->material_count > MAX_MATERIALS)
		return rbl_fail(RBL_BAD_ARGUMENT, "material_count is %d, must be 1 to %d",
		                def->material_count, MAX_MATERIALS);
	rbl_result painted = rbl_check_strength_paint(&def->paint);
	if (painted != RBL_OK)
		return painted;
	if ((int)def->fit < RBL_FIT_BOX || def->fit > RBL_FIT_26)
		return rbl_fail(RBL_BAD_ARGUMENT, "fit is %d", (int)def->fit);
	if (!def->parts)
		return def->mesh ? RBL_OK : rbl_fail(RBL_BAD_ARGUMENT, "there are neither parts nor mesh");
	if (def->part_count < 1 || def->part_count > RBL_MAX_COMPOUND_PARTS)
		return rbl_fail(RBL_BAD_ARGUMENT, "part_count is %d, must be 1 to %d", def->part_count,
		                RBL_MAX_COMPOUND_PARTS);
	for (int i = 0; i < def->part_count; ++i) {
		rbl_result result = check_part(def, i);
		if (result != RBL_OK)
			return result;
	}
	return RBL_OK;
}

// Take a copy of a mesh, and prepare it for cutting, which it must be closed for.
static rbl_result take_copy(const rbl_mesh *mesh, const rbl_allocator *allocator, rbl_part *part)
{
	rbl_result result = rbl_mesh_duplicate(mesh, allocator, &part->mesh);
	return result == RBL_OK ? rbl_solid_of_mesh(part->mesh, allocator, &part->solid) : result;
}

static rbl_result take_parts(rbl_compound *c, const rbl_compound_def *def)
{
	if (!rbl_compound_reserve(c, def->part_count, 0))
		return RBL_OUT_OF_MEMORY;
	for (int i = 0; i < def->part_count; ++i) {
		const rbl_compound_part *given = &def->parts[i];
		rbl_part part = { .strength = given->strength,
			              .damage = given->damage,
			              .material = given->material,
			              .is_anchored = given->is_anchored };
		rbl_result result = rbl_convex_copy(given->convex, &c->allocator, &part.convex);
		if (result == RBL_OK && given->mesh)
			result = take_copy(given->mesh, &c->allocator, &part);
		if (result != RBL_OK) {
			rbl_part_free(&part);
			return result;
		}
		part.volume = rbl_convex_get_mass(part.convex).volume;
		rbl_compound_add_part(c, &part);
		rbl_convex_data d = rbl_convex_get_data(part.convex);
		for (int f = 0; f < d.face_count; ++f) {
			if (d.plane_ids[f] != RBL_NO_PLANE_ID && d.plane_ids[f] >= c->next_plane_id)
				c->next_plane_id = d.plane_ids[f] + 1;
		}
	}
	return RBL_OK;
}

static rbl_result take_mesh(rbl_compound *c, const rbl_compound_def *def)
{
	rbl_part part = { 0 };
	if (!rbl_compound_reserve(c, 1, 0))
		return RBL_OUT_OF_MEMORY;
	rbl_result result = take_copy(def->mesh, &c->allocator, &part);
	if (result == RBL_OK)
		result = rbl_fit_convex(part.mesh, def->fit, NULL, 0.0, &c->allocator, &part.convex,
		                        &(int){ 0 });
	if (result != RBL_OK) {
		rbl_part_free(&part);
		return result;
	}
	part.volume = rbl_convex_get_mass(part.convex).volume;
	rbl_compound_add_part(c, &part);
	return RBL_OK;
}

// --- a mesh split by a pattern ------------------------------------------------------------------

typedef struct splitter {
	const rbl_pieces *pieces;
	const rbl_allocator *allocator;
	rbl_fit fit;
	rbl_part *parts;
	rbl_result *results;
} splitter;

static void split_block(void *context, int begin, int end, int worker)
{
	splitter *s = context;
	(void)worker;
	for (int i = begin; i < end; ++i) {
		rbl_part *m = &s->parts[i];
		rbl_result result =
			rbl_piece_create_convex(s->pieces, i, s->fit, 0, s->allocator, &m->convex);
		if (result == RBL_OK && !rbl_piece_get_info(s->pieces, i).is_inner)
			result = rbl_piece_create_mesh(s->pieces, i, s->allocator, &m->mesh);
		if (result == RBL_OK && m->mesh)
			result = rbl_solid_of_mesh(m->mesh, s->allocator, &m->solid);
		m->volume = rbl_convex_get_mass(m->convex).volume;
		s->results[i] = result;
	}
}

static rbl_result take_pieces(rbl_compound *c, const rbl_pieces *pieces,
                              const rbl_compound_def *def)
{
	int n = rbl_pieces_count(pieces);
	if (n > RBL_MAX_COMPOUND_PARTS)
		return rbl_fail(RBL_LIMIT_REACHED, "%d pieces are too many", n);
	splitter s = { .pieces = pieces, .allocator = &c->allocator, .fit = def->fit };
	s.parts = RBL_NEW_ZERO(s.allocator, rbl_part, (size_t)n + 1);
	s.results = RBL_NEW_ZERO(s.allocator, rbl_result, (size_t)n + 1);
	rbl_result result = RBL_OUT_OF_MEMORY;
	if (s.parts && s.results && rbl_compound_reserve(c, n, 0)) {
		rbl_parallel_for(def->jobs, n, COMPOUND_PIECE_BLOCK, split_block, &s);
		result = RBL_OK;
		for (int i = 0; i < n && result == RBL_OK; ++i)
			result = s.results[i];
		for (int i = 0; i < n; ++i) {
			if (result == RBL_OK && s.parts[i].convex)
				rbl_compound_add_part(c, &s.parts[i]);
			else
				rbl_part_free(&s.parts[i]);
		}
	}
	RBL_FREE(s.allocator, s.parts, (size_t)n + 1);
	RBL_FREE(s.allocator, s.results, (size_t)n + 1);
	c->next_plane_id = (uint64_t)pieces->cells.plane_end;
	return result;
}

static rbl_result take_split(rbl_compound *c, const rbl_compound_def *def)
{
	rbl_solid *solid = NULL;
	rbl_pieces *pieces = NULL;
	rbl_result result = rbl_solid_of_mesh(def->mesh, &c->allocator, &solid);
	if (result == RBL_OK) {
		rbl_pieces_def pieces_def = rbl_default_pieces_def();
		pieces_def.solid = solid;
		pieces_def.pattern = def->pattern;
		pieces_def.position = def->position;
		pieces_def.inner = def->inner;
		pieces_def.inner.roughness = 0.0; // parts are connected, and fill their convexes
		pieces_def.cut_limit = def->cut_limit;
		pieces_def.jobs = def->jobs;
		pieces_def.allocator = c->allocator;
		result = rbl_create_pieces(&pieces_def, &pieces);
	}
	if (result == RBL_OK)
		result = take_pieces(c, pieces, def);
	rbl_destroy_pieces(pieces);
	rbl_destroy_solid(solid);
	return result;
}

// Room for a quarter more, so that the first fragments out of a large compound do not copy it.
static rbl_result reserve_spare(rbl_compound *c)
{
	int parts = c->parts.count / 4 + 16, bonds = c->bonds.count / 4 + 64;
	if (!rbl_compound_reserve(c, parts, bonds))
		return RBL_OUT_OF_MEMORY;
	return rbl_tree_pool_reserve(&c->pool, c->pool.node_end + parts, c->parts.count + parts);
}

rbl_result rbl_create_compound(const rbl_compound_def *def, rbl_compound **compound)
{
	if (!compound)
		return rbl_fail(RBL_BAD_ARGUMENT, "compound is NULL");
	*compound = NULL;
	rbl_result result = check_compound_def(def);
	if (result != RBL_OK)
		return result;
	rbl_compound *made =
		rbl_compound_new(&def->allocator, def->tolerance, def->materials, def->material_count);
	if (!made)
		return RBL_OUT_OF_MEMORY;
	if (def->parts)
		result = take_parts(made, def);
	else
		result = def->pattern ? take_split(made, def) : take_mesh(made, def);
	if (result == RBL_OK)
		result = rbl_compound_build_tree(made, def->jobs);
	if (result == RBL_OK)
		result = rbl_compound_find_bonds(made, !def->parts && def->pattern, def->jobs);
	if (result == RBL_OK)
		result = rbl_compound_paint(made, &def->paint);
	if (result == RBL_OK)
		result = reserve_spare(made);
	if (result != RBL_OK) {
		rbl_destroy_compound(made);
		return result;
	}
	*compound = made;
	return RBL_OK;
}
