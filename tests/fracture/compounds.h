// SPDX-License-Identifier: MIT
// What must hold for every compound, and compounds that tests break.
#pragma once

#include "base/hash.h"
#include "base/random.h"
#include "base/vec.h"
#include "fracture/compound.h"
#include "fracture/break.h"

#include <rubble/compound.h>
#include <rubble/shapes.h>

#include "test.h"

static inline rbl_convex *box_convex(rbl_vec3d lower, rbl_vec3d upper)
{
	rbl_convex_def def = rbl_default_convex_def();
	def.box = (rbl_boxd){ lower, upper };
	rbl_convex *convex = NULL;
	rbl_create_convex(&def, &convex);
	return convex;
}

/// A wall of nx * ny * nz boxes of the given size, from `at` on; the lowest row is anchored.
static inline rbl_compound *wall(int nx, int ny, int nz, rbl_vec3d size, rbl_vec3d at,
                                 const rbl_allocator *allocator)
{
	int count = nx * ny * nz, n = 0;
	rbl_compound_part *parts = calloc((size_t)count, sizeof *parts);
	for (int z = 0; z < nz; ++z) {
		for (int y = 0; y < ny; ++y) {
			for (int x = 0; x < nx; ++x) {
				double along = x + (y & 1 ? 0.5 : 0.0);
				rbl_vec3d low = { at.x + size.x * along, at.y + size.y * y, at.z + size.z * z };
				rbl_vec3d high = { at.x + size.x * (along + 1), at.y + size.y * (y + 1),
					               at.z + size.z * (z + 1) };
				parts[n].convex = box_convex(low, high);
				parts[n++].is_anchored = y == 0;
			}
		}
	}
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = parts;
	def.part_count = count;
	if (allocator)
		def.allocator = *allocator;
	rbl_compound *compound = NULL;
	rbl_create_compound(&def, &compound);
	for (int i = 0; i < count; ++i)
		rbl_destroy_convex((rbl_convex *)(uintptr_t)parts[i].convex);
	free(parts);
	return compound;
}

/// One box.
static inline rbl_compound *block(rbl_vec3d half, const rbl_allocator *allocator)
{
	rbl_vec3d size = rbl_scale_d(2.0, half);
	rbl_compound *compound = wall(1, 1, 1, size, rbl_neg_d(half), allocator);
	rbl_compound_set_anchored(compound, 0, false);
	return compound;
}

static inline rbl_pattern *pattern_of(rbl_pattern_kind kind, double size, int cells, uint64_t seed)
{
	rbl_pattern_def def = rbl_default_pattern_def();
	def.kind = kind;
	def.size = (rbl_vec3d){ size, size, size };
	def.cell_count = cells;
	def.seed = seed;
	def.brick_size = (rbl_vec3d){ size / 8.0, size / 16.0, size / 8.0 };
	rbl_pattern *pattern = NULL;
	rbl_create_pattern(&def, &pattern);
	return pattern;
}

/// Number of connected sets of parts, by a plain flood.
static inline int component_count(const rbl_compound *c)
{
	int n = c->parts.count, components = 0, depth = 0;
	int *stack = malloc(((size_t)n + 1) * sizeof *stack);
	bool *seen = calloc((size_t)n + 1, sizeof *seen);
	for (int i = 0; i < n; ++i) {
		if (!c->parts.data[i].convex || seen[i])
			continue;
		components++;
		seen[i] = true;
		stack[depth++] = i;
		while (depth > 0) {
			rbl_compound_bond bonds[512];
			int part = stack[--depth], count = rbl_compound_get_bonds(c, part, bonds, 512);
			for (int k = 0; k < count && k < 512; ++k) {
				if (!seen[bonds[k].other]) {
					seen[bonds[k].other] = true;
					stack[depth++] = bonds[k].other;
				}
			}
		}
	}
	free(stack);
	free(seen);
	return components;
}

/// Counts, lists, the tree and the symmetry of bonds.
static inline bool is_sound(const rbl_compound *c)
{
	int parts = 0, anchored = 0, ends = 0;
	if (rbl_tree_check(&c->tree) || c->tree.leaf_count != c->part_count)
		return false;
	for (int i = 0; i < c->parts.count; ++i) {
		const rbl_part *m = &c->parts.data[i];
		if (!m->convex)
			continue;
		parts++;
		anchored += m->is_anchored;
		rbl_box box = rbl_compound_tree_box(c, rbl_convex_bounds(m->convex));
		if (!rbl_box_contains(rbl_tree_leaf_box(&c->tree, (uint32_t)i), box))
			return false;
		if (fabs(rbl_convex_get_mass(m->convex).volume - m->volume) > 1e-12 * m->volume)
			return false;
		rbl_compound_bond bonds[512];
		int count = rbl_compound_get_bonds(c, i, bonds, 512);
		ends += count;
		for (int k = 0; k < count && k < 512; ++k) {
			rbl_compound_bond back[512];
			int other_count = rbl_compound_get_bonds(c, bonds[k].other, back, 512), found = 0;
			for (int j = 0; j < other_count && j < 512; ++j)
				found += back[j].other == i && back[j].area == bonds[k].area &&
				         back[j].face == bonds[k].other_face && back[j].other_face == bonds[k].face;
			if (found != 1 || !(bonds[k].area > 0.0))
				return false;
		}
		rbl_convex_data d = rbl_convex_get_data(m->convex);
		double shares[RBL_MAX_CONVEX_FACES];
		if (rbl_compound_get_face_shares(c, i, shares) != RBL_OK)
			return false;
		for (int f = 0; f < d.face_count; ++f) {
			if (!(shares[f] >= 0.0 && shares[f] <= 1.0))
				return false;
		}
	}
	return parts == c->part_count && anchored == c->anchored_count && ends == 2 * c->bond_count;
}

static inline uint64_t compound_hash(const rbl_compound *c)
{
	uint64_t hash = RBL_HASH_START;
	for (int i = 0; i < c->parts.count; ++i) {
		const rbl_part *m = &c->parts.data[i];
		rbl_convex_data d = rbl_convex_get_data(m->convex);
		hash = rbl_hash_number(hash, (uint64_t)d.vertex_count);
		if (!m->convex)
			continue;
		hash = rbl_hash_number(hash, m->is_anchored);
		hash = rbl_hash_bytes(hash, d.vertices, (size_t)d.vertex_count * sizeof *d.vertices);
		hash = rbl_hash_bytes(hash, d.plane_ids, (size_t)d.face_count * sizeof *d.plane_ids);
		rbl_mesh_data mesh = m->mesh ? rbl_mesh_get_data(m->mesh) : (rbl_mesh_data){ 0 };
		hash = rbl_hash_bytes(hash, mesh.positions,
		                      (size_t)mesh.vertex_count * sizeof *mesh.positions);
		rbl_compound_bond bonds[512];
		int count = rbl_compound_get_bonds(c, i, bonds, 512);
		for (int k = 0; k < count && k < 512; ++k) {
			hash = rbl_hash_number(hash, (uint64_t)bonds[k].other);
			hash = rbl_hash_bytes(hash, &bonds[k].area, sizeof(double));
		}
	}
	return hash;
}

static inline uint64_t break_hash(const rbl_compound *c, const rbl_break *broken)
{
	uint64_t hash = compound_hash(c);
	rbl_break_data data = rbl_break_get_data(broken);
	for (int i = 0; i < data.compound_count; ++i)
		hash = rbl_hash_number(hash, compound_hash(data.compounds[i]));
	return hash;
}

static inline double broken_volume(const rbl_break *broken)
{
	rbl_break_data data = rbl_break_get_data(broken);
	double volume = data.flat_volume;
	for (int i = 0; i < data.compound_count; ++i)
		volume += rbl_compound_get_mass(data.compounds[i]).volume;
	return volume;
}

/// Break and check what must hold for every break of internal convexes: volume, soundness, and
/// that each compound hangs together.
/// Hashes of all parts by number, 0 for none: to be freed.
static inline uint64_t *part_shapes(const rbl_compound *c, int *count)
{
	*count = rbl_compound_get_info(c).part_end;
	uint64_t *shapes = calloc((size_t)*count + 1, sizeof *shapes);
	for (int i = 0; i < *count; ++i)
		shapes[i] = rbl_compound_get_part(c, i).shape;
	return shapes;
}

/// The parts that a break says are gone were there, each is named once, and all others still are.
static inline bool names_gone_parts(const rbl_break_data *data, const rbl_compound *c,
                                    uint64_t *shapes, int count)
{
	bool is_right = data->compound_count == 0 || data->gone_count > 0;
	for (int i = 0; i < data->gone_count; ++i) {
		int part = data->gone_parts[i];
		if (part < 0 || part >= count || shapes[part] == 0)
			return false;
		shapes[part] = 0;
	}
	for (int i = 0; i < count && is_right; ++i)
		is_right = shapes[i] == 0 || rbl_compound_get_part(c, i).shape == shapes[i];
	return is_right;
}

static inline rbl_break *break_and_check(test *t, rbl_compound *c, const rbl_break_def *def)
{
	double before = rbl_compound_get_mass(c).volume;
	int components = component_count(c), count;
	uint64_t *shapes = part_shapes(c, &count);
	rbl_break *broken = NULL;
	CHECK(t, rbl_compound_break(c, def, &broken) == RBL_OK);
	double after = rbl_compound_get_mass(c).volume + broken_volume(broken);
	CHECK_NEAR(t, after / before, 1.0, 1e-9);
	CHECK(t, is_sound(c));
	CHECK(t, component_count(c) <= components);
	rbl_break_data data = rbl_break_get_data(broken);
	CHECK(t, names_gone_parts(&data, c, shapes, count));
	free(shapes);
	for (int i = 0; i < data.compound_count; ++i) {
		CHECK(t, is_sound(data.compounds[i]));
		CHECK(t, component_count(data.compounds[i]) == 1);
	}
	return broken;
}
