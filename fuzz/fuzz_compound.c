// SPDX-License-Identifier: MIT
// Breaking compounds: boxes of a lattice with some left out, sites on the same lattice, so that
// planes run along faces and through corners all the time; a few strikes one after the other, and
// bonds removed in between. Volume, bonds, trees and islands are checked after each.

#include "fracture/compounds.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct source {
	const uint8_t *data;
	size_t size, at;
} source;

static int take(source *s, int bound)
{
	return s->at < s->size ? s->data[s->at++] % bound : 0;
}

// Boxes side by side along each axis, of one to four units; about one in four is missing.
static rbl_compound *take_compound(source *s, double scale)
{
	rbl_compound_part parts[64] = { 0 };
	double ends[3][5] = { { 0 } };
	int counts[3], n = 0;
	for (int axis = 0; axis < 3; ++axis) {
		counts[axis] = 1 + take(s, 4);
		for (int i = 0; i < counts[axis]; ++i)
			ends[axis][i + 1] = ends[axis][i] + scale * (1 + take(s, 4)) / 4.0;
	}
	for (int i = 0; i < counts[0] * counts[1] * counts[2]; ++i) {
		int x = i % counts[0], y = i / counts[0] % counts[1], z = i / counts[0] / counts[1];
		if (i > 0 && take(s, 4) == 3)
			continue;
		parts[n].convex = box_convex((rbl_vec3d){ ends[0][x], ends[1][y], ends[2][z] },
		                             (rbl_vec3d){ ends[0][x + 1], ends[1][y + 1], ends[2][z + 1] });
		parts[n++].is_anchored = y == 0;
	}
	rbl_compound_def def = rbl_default_compound_def();
	def.parts = parts;
	def.part_count = n;
	rbl_compound *c = NULL;
	rbl_create_compound(&def, &c);
	for (int i = 0; i < n; ++i)
		rbl_destroy_convex((rbl_convex *)(uintptr_t)parts[i].convex);
	return c;
}

static rbl_pattern *take_pattern(source *s)
{
	rbl_vec3d sites[32];
	int colors[32], count = 1 + take(s, 32);
	for (int i = 0; i < count; ++i) {
		double x = take(s, 17) - 8, y = take(s, 17) - 8, z = take(s, 17) - 8;
		sites[i] = (rbl_vec3d){ x / 8.0, y / 8.0, z / 8.0 };
		colors[i] = take(s, 8);
	}
	rbl_pattern_def def = rbl_default_pattern_def();
	def.kind = RBL_PATTERN_SITES;
	def.size = (rbl_vec3d){ 2.0, 2.0, 2.0 };
	def.sites = sites;
	def.given_count = count;
	def.colors = take(s, 2) ? colors : NULL;
	rbl_pattern *pattern = NULL;
	rbl_create_pattern(&def, &pattern);
	return pattern;
}

static void check(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	source s = { data, size, 0 };
	const double scales[] = { 1.0, 1e-3, 1e4 };
	double scale = scales[take(&s, 3)];
	rbl_compound *c = take_compound(&s, scale);
	rbl_pattern *pattern = take_pattern(&s);
	check(c && pattern);
	test t = { "fuzz", 0, 0, NULL };
	rbl_break *broken = NULL;
	for (int round = 0; round < 3 && c->part_count > 0; ++round) {
		rbl_break_def def = rbl_default_break_def();
		def.pattern = pattern;
		def.position = (rbl_vec3d){ scale * take(&s, 17) / 4.0, scale * take(&s, 17) / 4.0,
			                        scale * take(&s, 17) / 4.0 };
		def.shape = rbl_mat_scale_d(scale, rbl_mat_identity_d());
		def.rotation_seed = (uint64_t)take(&s, 2);
		def.welds = take(&s, 2) == 0;
		if (take(&s, 4) > 0)
			def.radius = scale * (1 + take(&s, 8)) / 4.0;
		rbl_destroy_break(break_and_check(&t, c, &def));
		check(t.failures == 0);
		rbl_compound_bond bonds[64];
		for (int part = 0; part < c->parts.count; ++part) {
			int count = rbl_mini(rbl_compound_get_bonds(c, part, bonds, 64), 64);
			if (count == 0 || take(&s, 3) > 0)
				continue;
			int pair[2] = { part, bonds[take(&s, count)].other };
			check(rbl_compound_break_bonds(c, pair, 1, &broken) == RBL_OK);
			rbl_destroy_break(broken);
			check(is_sound(c));
		}
	}
	check(rbl_compound_break_bonds(c, NULL, 0, &broken) == RBL_OK && component_count(c) <= 1);
	rbl_destroy_break(broken);
	rbl_destroy_compound(c);
	rbl_destroy_pattern(pattern);
	return 0;
}
