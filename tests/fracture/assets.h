// SPDX-License-Identifier: MIT
// Prepared meshes: making one, and what holds for all of them.
#pragma once

#include "compounds.h"
#include "fracture/asset.h"
#include "invariants.h"

#include <rubble/asset.h>

static inline rbl_asset *prepare(test *t, const rbl_mesh *mesh, const rbl_prepare_def *def)
{
	rbl_asset *asset = NULL;
	CHECK(t, rbl_prepare(mesh, def, &asset) == RBL_OK);
	CHECK(t, asset != NULL);
	return asset;
}

// Whether two convexes overlap, by the library's other way: intersection of convexes.
static inline double common_volume(const rbl_convex *a, const rbl_convex *b)
{
	rbl_convex *common = NULL;
	rbl_convex_intersect(a, b, &common);
	double volume = common ? rbl_convex_get_mass(common).volume : 0.0;
	rbl_destroy_convex(common);
	return volume;
}

// Meshes closed and inside, sums right, faces of bonds opposite, overlaps noted, tree sound.
static inline void check_asset(test *t, const rbl_asset *asset)
{
	rbl_asset_report r = rbl_asset_get_report(asset);
	const rbl_compound *c = rbl_asset_get_compound(asset);
	CHECK(t, is_sound(c));
	CHECK_NEAR(t, r.visual_volume / r.mesh_volume, 1.0, 1e-9);
	double visual = 0.0, convex_sum = 0.0;
	int open = 0, outside = 0, unnoted = 0, askew = 0;
	for (int i = 0; i < r.part_count; ++i) {
		rbl_compound_part part = rbl_compound_get_part(c, i);
		rbl_convex_data convex = rbl_convex_get_data(part.convex);
		convex_sum += rbl_convex_get_mass(part.convex).volume;
		visual += part.mesh ? rbl_mesh_get_mass(part.mesh).volume
		                    : rbl_convex_get_mass(part.convex).volume;
		for (int k = 0; k < i; ++k) {
			rbl_compound_part other = rbl_compound_get_part(c, k);
			int bond = rbl_compound_find_bond(c, i, k);
			double least = rbl_mind(rbl_convex_get_mass(part.convex).volume,
			                        rbl_convex_get_mass(other.convex).volume);
			bool is_noted = bond >= 0 && c->bonds.data[bond].is_overlap;
			unnoted += !is_noted && common_volume(part.convex, other.convex) > 1e-8 * least;
		}
		rbl_compound_bond bonds[512];
		int count = rbl_compound_get_bonds(c, i, bonds, 512);
		for (int k = 0; k < count && k < 512; ++k) {
			if (bonds[k].face < 0)
				continue;
			rbl_convex_data other =
				rbl_convex_get_data(rbl_compound_get_part(c, bonds[k].other).convex);
			askew += rbl_dot_d(convex.planes[bonds[k].face].normal,
			                   other.planes[bonds[k].other_face].normal) > -0.999999;
		}
		if (!part.mesh)
			continue;
		open += !is_balanced(part.mesh);
		rbl_mesh_data mesh = rbl_mesh_get_data(part.mesh);
		double reach = 1e-9 * rbl_length_d(rbl_box_size_d(rbl_mesh_bounds(part.mesh)));
		for (int f = 0; f < convex.face_count; ++f)
			for (int v = 0; v < mesh.vertex_count; ++v)
				outside += rbl_plane_distance_d(convex.planes[f], mesh.positions[v]) > reach;
	}
	CHECK(t, open == 0 && outside == 0 && unnoted == 0 && askew == 0);
	CHECK_NEAR(t, visual / r.visual_volume, 1.0, 1e-9);
	CHECK_NEAR(t, convex_sum / r.convex_volume, 1.0, 1e-12);
	CHECK(t, r.mass_volume <= r.convex_volume * (1.0 + 1e-12));
	CHECK_NEAR(t, rbl_asset_get_mass(asset).volume / r.mass_volume, 1.0, 1e-12);
	CHECK_NEAR(t, rbl_compound_get_mass(c).volume / r.mass_volume, 1.0, 1e-9);
}
