// SPDX-License-Identifier: MIT
//
// Serialisation of compounds.
//
// How a broken compound breaks next depends on more than its parts: on the order of bonds at a
// part, on free slots, on the shape of its tree. All of that is stored. Solids are made from
// meshes again when they are needed, and search scratch is not stored.

#include "fracture/fracture.h"

#include "base/fields.h"
#include "base/vec.h"
#include "fracture/shape_file.h"

#include <limits.h>

static const rbl_field part_fields[] = {
	RBL_FIELD_INT(rbl_part, material, 0, INT_MAX),
	RBL_FIELD_BOOL(rbl_part, is_anchored),
	RBL_FIELD_BOOL(rbl_part, is_rough),
	RBL_FIELD_BOOL(rbl_part, is_piece),
	RBL_FIELD_OF(rbl_part, strength, RBL_FIELD_KIND_DOUBLE, 8, 0, DBL_MAX),
	RBL_FIELD_OF(rbl_part, damage, RBL_FIELD_KIND_DOUBLE, 8, 0, 1),
	RBL_FIELD_OF(rbl_part, overlap, RBL_FIELD_KIND_DOUBLE, 8, 0, 0.999),
	RBL_FIELD_DOUBLES(rbl_part, volume),
	RBL_FIELD_DOUBLES(rbl_part, visual),
};

_Static_assert(sizeof(void *) < 8 || sizeof(rbl_part) == 200, "a new field of parts: is it saved?");
_Static_assert(sizeof(rbl_bond) == 88, "a new field of bonds: is it saved?");

// --- writing ------------------------------------------------------------------------------------

static void put_part(rbl_blob_writer *w, const rbl_part *m)
{
	rbl_blob_put_bool(w, m->convex != NULL);
	rbl_blob_put32(w, (uint32_t)m->first_bond);
	if (!m->convex)
		return;
	rbl_blob_put_struct(w, part_fields, m);
	rbl_put_convex(w, m->convex);
	rbl_put_mesh(w, m->mesh);
}

void rbl_compound_save(const rbl_compound *c, rbl_material_numberer *number, void *user,
                       rbl_blob_writer *w)
{
	rbl_blob_put_double(w, c->tolerance);
	rbl_blob_put32(w, (uint32_t)c->material_count);
	for (int i = 0; i < c->material_count; ++i)
		rbl_blob_put32(w, c->materials[i] ? (uint32_t)number(user, c->materials[i]) : UINT32_MAX);
	rbl_blob_put64(w, c->next_plane_id);
	rbl_blob_put_longs(w, &c->origin, 3);
	rbl_blob_put_double(w, c->scale);
	rbl_blob_put32(w, (uint32_t)c->parts.count);
	rbl_blob_put32(w, (uint32_t)c->first_free_part);
	for (int i = 0; i < c->parts.count; ++i)
		put_part(w, &c->parts.data[i]);
	rbl_blob_put32(w, (uint32_t)c->bonds.count);
	rbl_blob_put32(w, (uint32_t)c->first_free_bond);
	for (int i = 0; i < c->bonds.count; ++i) {
		const rbl_bond *b = &c->bonds.data[i];
		bool is_there = b->parts[0] >= 0;
		rbl_blob_put_bool(w, is_there);
		rbl_blob_put32(w, (uint32_t)b->next[0]);
		if (!is_there)
			continue;
		rbl_blob_put32(w, (uint32_t)b->next[1]);
		rbl_blob_put_words(w, b->previous, 2);
		rbl_put_bond(w, b);
	}
	rbl_tree_save(&c->tree, w);
}

// --- reading ------------------------------------------------------------------------------------

static bool note(rbl_blob_reader *r, rbl_result result, const char *wrong)
{
	r->out_of_memory |= result == RBL_OUT_OF_MEMORY;
	return result == RBL_OK || (result != RBL_OUT_OF_MEMORY && rbl_blob_refuse(r, wrong));
}

// What was read of a part that is refused is freed with the compound.
static bool get_part(rbl_blob_reader *r, rbl_compound *c, int index)
{
	rbl_part *m = &c->parts.data[index];
	*m = (rbl_part){ .region = RBL_PART_UNVISITED, .first_link = -1, .fragment = -1 };
	bool is_there = rbl_blob_get_bool(r);
	m->first_bond = (int)rbl_blob_get32(r);
	if (!is_there || r->is_bad) {
		*m = (rbl_part){ .first_bond = m->first_bond };
		return !r->is_bad;
	}
	rbl_blob_get_struct(r, part_fields, m);
	rbl_blob_expect(r, m->volume > 0.0 && m->strength > 0.0 && m->material < c->material_count,
	                "a part has no volume or strength, or an unknown material");
	rbl_arena_reset(&r->scratch);
	if (r->is_bad || !note(r, rbl_get_convex(r, &c->allocator, &m->convex), "a part is no convex"))
		return false;
	c->part_count++;
	c->anchored_count += m->is_anchored;
	c->worn_count += m->damage > 0.0;
	rbl_convex_data d = rbl_convex_get_data(m->convex);
	c->approximate_count += d.is_approximate;
	for (int f = 0; f < d.face_count; ++f)
		rbl_blob_expect(r, d.plane_ids[f] == RBL_NO_PLANE_ID || d.plane_ids[f] < c->next_plane_id,
		                "a plane has an id to come");
	if (!note(r, rbl_get_mesh(r, &c->allocator, &m->mesh), "a mesh is none") || r->is_bad)
		return false;
	rbl_part_measure(m);
	return true;
}

static bool get_bond(rbl_blob_reader *r, rbl_compound *c, int index)
{
	rbl_bond *b = &c->bonds.data[index];
	bool is_there = rbl_blob_get_bool(r);
	int next = (int)rbl_blob_get32(r);
	if (!is_there) {
		*b = (rbl_bond){ .parts = { -1, -1 }, .next = { next, 0 } };
		return !r->is_bad;
	}
	int links[3];
	rbl_blob_get_words(r, links, 3);
	if (!note(r, r->is_bad ? RBL_BAD_FILE : rbl_get_bond(r, c, b), "a bond is none"))
		return false;
	b->next[0] = next, b->next[1] = links[0];
	b->previous[0] = links[1], b->previous[1] = links[2];
	c->bond_count++;
	c->worn_count += b->damage > 0.0;
	c->failed_count += b->damage >= 1.0;
	c->overlap_count += b->is_overlap;
	c->loose_count += b->is_loose;
	return true;
}

// Every end of a bond is in the list of its part, once.
static bool check_bonds(const rbl_compound *c)
{
	int ends = 0;
	for (int i = 0; i < c->parts.count; ++i) {
		if (!c->parts.data[i].convex)
			continue;
		int previous = -1;
		for (int end = c->parts.data[i].first_bond; end != -1;) {
			if (end < 0 || end / 2 >= c->bonds.count || ends >= 2 * c->bond_count)
				return false;
			const rbl_bond *b = &c->bonds.data[end / 2];
			if (b->parts[end % 2] != i || b->previous[end % 2] != previous)
				return false;
			ends++;
			previous = end;
			end = b->next[end % 2];
		}
	}
	return ends == 2 * c->bond_count;
}

// Two parts have one bond at most: each end's other part is met once in its list.
static bool are_bonds_single(rbl_compound *c)
{
	for (int i = 0; i < c->parts.count; ++i) {
		if (!c->parts.data[i].convex)
			continue;
		rbl_compound_new_stamp(c);
		for (int end = c->parts.data[i].first_bond; end != -1;) {
			const rbl_bond *b = &c->bonds.data[end / 2];
			rbl_part *other = &c->parts.data[b->parts[!(end % 2)]];
			if (other->stamp == c->stamp)
				return false;
			other->stamp = c->stamp;
			end = b->next[end % 2];
		}
	}
	return true;
}

// All free slots are chained.
static bool check_free(const rbl_compound *c)
{
	int slot = c->first_free_part, left = c->parts.count - c->part_count;
	for (; left > 0; --left) {
		if (slot < 0 || slot >= c->parts.count || c->parts.data[slot].convex)
			return false;
		slot = c->parts.data[slot].first_bond;
	}
	if (slot != -1)
		return false;
	slot = c->first_free_bond, left = c->bonds.count - c->bond_count;
	for (; left > 0; --left) {
		if (slot < 0 || slot >= c->bonds.count || c->bonds.data[slot].parts[0] >= 0)
			return false;
		slot = c->bonds.data[slot].next[0];
	}
	return slot == -1;
}

// Every part is in its box of the tree, which also bounds its coordinates.
static bool check_leaves(const rbl_compound *c)
{
	for (int i = 0; i < c->parts.count; ++i) {
		const rbl_convex *convex = c->parts.data[i].convex;
		if (rbl_tree_has_leaf(&c->pool, (uint32_t)i) != (convex != NULL))
			return false;
		if (!convex)
			continue;
		rbl_box box = rbl_compound_tree_box(c, rbl_convex_bounds(convex));
		if (!rbl_box_contains(rbl_tree_leaf_box(&c->tree, (uint32_t)i), box))
			return false;
	}
	return c->tree.leaf_count == c->part_count;
}

static rbl_compound *get_head(rbl_blob_reader *r, const rbl_allocator *allocator,
                              rbl_material_finder *find, void *user)
{
	double tolerance = rbl_blob_get_double(r);
	int material_count = rbl_blob_get_count(r, 4);
	rbl_arena_reset(&r->scratch);
	const rbl_material **materials = rbl_blob_scratch(r, (size_t)material_count, sizeof *materials);
	if (!materials)
		return NULL;
	rbl_blob_expect(r, material_count > 0 && tolerance >= 1e-9 && tolerance <= 1e-2,
	                "a compound has no materials, or a wrong tolerance");
	for (int i = 0; i < material_count; ++i) {
		int number = rbl_blob_get_int(r, -1, INT_MAX);
		materials[i] = number >= 0 && find ? find(user, number) : NULL;
		rbl_blob_expect(r, materials[i] || number < 0, "a compound's material is not known");
	}
	if (r->is_bad)
		return NULL;
	rbl_compound *c = rbl_compound_new(allocator, tolerance, materials, material_count);
	r->out_of_memory |= !c;
	return c;
}

static bool get_rest(rbl_blob_reader *r, rbl_compound *c)
{
	c->next_plane_id = rbl_blob_get64(r);
	rbl_blob_get_longs(r, &c->origin, 3);
	c->scale = rbl_blob_get_double(r);
	rbl_blob_expect(r, rbl_is_finite_d(c->origin) && c->scale > 0.0 && isfinite(c->scale),
	                "a compound is nowhere");
	int parts = rbl_blob_get_count(r, 8);
	c->first_free_part = (int)rbl_blob_get32(r);
	if (!rbl_blob_expect(r, parts <= RBL_MAX_COMPOUND_PARTS, "a compound has too many parts"))
		return false;
	if (!rbl_array_reserve(&c->allocator, &c->parts, parts))
		return note(r, RBL_OUT_OF_MEMORY, NULL);
	for (int i = 0; i < parts; ++i) {
		c->parts.count++;
		if (!get_part(r, c, i))
			return false;
	}
	int bonds = rbl_blob_get_count(r, 8);
	c->first_free_bond = (int)rbl_blob_get32(r);
	if (!rbl_array_reserve(&c->allocator, &c->bonds, bonds))
		return note(r, RBL_OUT_OF_MEMORY, NULL);
	for (int i = 0; i < bonds && !r->is_bad; ++i) {
		c->bonds.count++;
		if (!get_bond(r, c, i))
			return false;
	}
	return rbl_blob_expect(r, check_bonds(c) && are_bonds_single(c), "bonds are not in order") &&
	       rbl_blob_expect(r, check_free(c), "free places are not in order") &&
	       rbl_tree_load(r, &c->pool, parts, &c->tree) &&
	       rbl_blob_expect(r, check_leaves(c), "the tree has other leaves than parts");
}

bool rbl_compound_load(rbl_blob_reader *r, const rbl_allocator *allocator,
                       rbl_material_finder *find, void *user, rbl_compound **compound)
{
	*compound = NULL;
	rbl_compound *c = get_head(r, allocator, find, user);
	if (!c)
		return false;
	if (!get_rest(r, c)) {
		rbl_destroy_compound(c);
		return false;
	}
	*compound = c;
	return true;
}
