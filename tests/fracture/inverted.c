// SPDX-License-Identifier: MIT
// Surfaces that are inside out in places: no piece and no part of negative volume comes out of
// them. What crosses itself is refused with a sentence, and what cannot be cut stays in one piece.

#include "compounds.h"
#include "fracture/asset.h"
#include "invariants.h"

#include <rubble/asset.h>

static char last_line[300];

static void keep_line(void *user, rbl_log_level level, const char *text)
{
	(void)user;
	if (level == RBL_LOG_ERROR)
		snprintf(last_line, sizeof last_line, "%s", text);
}

// A prism over a polygon that crosses itself: the smaller half is inside out.
static rbl_mesh *bow_tie(void)
{
	static const rbl_vec3d points[8] = { { 0.0, 0.0, 0.0 }, { 2.0, 1.0, 0.0 }, { 2.0, 0.0, 0.0 },
		                                 { 0.0, 1.5, 0.0 }, { 0.0, 0.0, 1.0 }, { 2.0, 1.0, 1.0 },
		                                 { 2.0, 0.0, 1.0 }, { 0.0, 1.5, 1.0 } };
	static const int triangles[12][3] = { { 0, 1, 5 }, { 0, 5, 4 }, { 1, 2, 6 }, { 1, 6, 5 },
		                                  { 2, 3, 7 }, { 2, 7, 6 }, { 3, 0, 4 }, { 3, 4, 7 },
		                                  { 0, 2, 1 }, { 0, 3, 2 }, { 4, 5, 6 }, { 4, 6, 7 } };
	static soup s;
	memset(&s, 0, sizeof s);
	memcpy(s.points, points, sizeof points);
	s.point_count = 8, s.triangle_count = 12;
	for (int i = 0; i < 36; ++i) // outward for the larger half
		s.triangles[i] = triangles[i / 3][i % 3];
	return soup_mesh(&s);
}

static void what_is_inside_out_is_refused_with_a_sentence(test *t)
{
	rbl_mesh *mesh = bow_tie();
	rbl_solid *solid = make_solid(mesh);
	rbl_pattern *pattern = make_pattern((rbl_vec3d){ 2, 2, 2 }, 40, 3);
	rbl_pieces_def def = rbl_default_pieces_def();
	rbl_prepare_def prepare_def = rbl_default_prepare_def();
	rbl_pieces *pieces = NULL;
	rbl_asset *asset = NULL;
	CHECK(t, solid && rbl_solid_volume(solid) > 0.0);
	def.solid = solid, def.pattern = pattern;
	rbl_set_log(keep_line, NULL);
	CHECK(t, rbl_create_pieces(&def, &pieces) == RBL_BAD_MESH && !pieces);
	CHECK(t, strstr(last_line, "crosses itself and is inside out") != NULL);
	last_line[0] = '\0';
	prepare_def.node_count = 12;
	CHECK(t, rbl_prepare(mesh, &prepare_def, &asset) == RBL_BAD_MESH && !asset);
	CHECK(t, strstr(last_line, "crosses itself and is inside out") != NULL);
	rbl_set_log(NULL, NULL);
	rbl_destroy_pattern(pattern);
	rbl_destroy_solid(solid);
	rbl_destroy_mesh(mesh);
}

// What is left out of a break is counted, and what remains is positive and adds up.
static void a_break_of_a_compound_leaves_it_out(test *t)
{
	rbl_mesh *mesh = bow_tie();
	rbl_compound_def def = rbl_default_compound_def();
	rbl_compound *compound = NULL;
	rbl_break *broken = NULL;
	def.mesh = mesh;
	CHECK(t, rbl_create_compound(&def, &compound) == RBL_OK);
	rbl_break_def break_def = rbl_default_break_def();
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 3.0, 60, 5);
	break_def.pattern = pattern;
	CHECK(t, rbl_compound_break(compound, &break_def, &broken) == RBL_OK);
	rbl_break_data data = rbl_break_get_data(broken);
	CHECK(t, data.compound_count > 5);
	for (int i = 0; i < data.compound_count; ++i) {
		int end = rbl_compound_get_info(data.compounds[i]).part_end;
		for (int k = 0; k < end; ++k) {
			rbl_compound_part part = rbl_compound_get_part(data.compounds[i], k);
			CHECK(t, !part.mesh || rbl_mesh_get_mass(part.mesh).volume > 0.0);
		}
	}
	rbl_destroy_break(broken);
	rbl_destroy_pattern(pattern);
	rbl_destroy_compound(compound);
	rbl_destroy_mesh(mesh);
}

// Regression: one part whose mesh encloses nothing made every blow on the whole body fail.
static void a_part_that_cannot_be_cut_stays_in_one_piece(test *t)
{
	rbl_compound_part parts[2] = { { .convex = NULL } };
	rbl_mesh *meshes[2] = { NULL, NULL };
	for (int i = 0; i < 2; ++i) {
		static soup s;
		rbl_vec3d low = { 1.0 * i, 0, 0 }, high = { 1.0 * i + 1.0, 1, 1 };
		memset(&s, 0, sizeof s);
		soup_box(&s, low, high, false);
		meshes[i] = soup_mesh(&s);
		parts[i] = (rbl_compound_part){ .convex = box_convex(low, high), .mesh = meshes[i] };
	}
	rbl_compound_def def = rbl_default_compound_def();
	rbl_compound *compound = NULL;
	def.parts = parts, def.part_count = 2;
	CHECK(t, rbl_create_compound(&def, &compound) == RBL_OK);
	// As a file of an earlier version might have it: the second part is inside out.
	static soup turned;
	memset(&turned, 0, sizeof turned);
	soup_box(&turned, (rbl_vec3d){ 1, 0, 0 }, (rbl_vec3d){ 2, 1, 1 }, true);
	rbl_part *part = &compound->parts.data[1];
	rbl_destroy_solid(part->solid);
	rbl_destroy_mesh(part->mesh);
	part->solid = NULL;
	part->mesh = soup_mesh(&turned);
	rbl_break_def break_def = rbl_default_break_def();
	rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 2.0, 30, 5);
	rbl_break *broken = NULL;
	break_def.pattern = pattern;
	break_def.position = (rbl_vec3d){ 1.0, 0.5, 0.5 };
	CHECK(t, rbl_compound_break(compound, &break_def, &broken) == RBL_OK);
	CHECK(t, rbl_break_get_data(broken).compound_count > 5);
	rbl_destroy_break(broken);
	rbl_destroy_pattern(pattern);
	rbl_destroy_compound(compound);
	for (int i = 0; i < 2; ++i) {
		rbl_destroy_convex((rbl_convex *)(uintptr_t)parts[i].convex);
		rbl_destroy_mesh(meshes[i]);
	}
}

// A plate thinner than the digits of its convex has one all the same, and breaks.
static void a_plate_without_a_thickness_to_speak_of_breaks(test *t)
{
	for (int turned = 0; turned < 2; ++turned) {
		static soup s;
		memset(&s, 0, sizeof s);
		soup_box(&s, (rbl_vec3d){ -1, -1, -1e-16 }, (rbl_vec3d){ 1, 1, 1e-16 }, false);
		for (int k = 0; k < 8 && turned; ++k)
			s.points[k].z += s.points[k].x;
		rbl_mesh *mesh = soup_mesh(&s);
		rbl_compound_def def = rbl_default_compound_def();
		rbl_compound *compound = NULL;
		rbl_break *broken = NULL;
		def.mesh = mesh;
		CHECK(t, rbl_create_compound(&def, &compound) == RBL_OK);
		rbl_break_def break_def = rbl_default_break_def();
		rbl_pattern *pattern = pattern_of(RBL_PATTERN_VORONOI, 2.0, 20, 5);
		break_def.pattern = pattern;
		CHECK(t, compound && rbl_compound_break(compound, &break_def, &broken) == RBL_OK);
		CHECK(t, rbl_break_get_data(broken).compound_count > 5);
		rbl_destroy_break(broken);
		rbl_destroy_pattern(pattern);
		rbl_destroy_compound(compound);
		rbl_destroy_mesh(mesh);
	}
}

static void an_asset_with_a_part_inside_out_is_not_read(test *t)
{
	rbl_mesh *mesh = sample_shape(0);
	rbl_prepare_def def = rbl_default_prepare_def();
	rbl_asset *asset = NULL, *read = NULL;
	def.node_count = 3;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_OK);
	asset->origins[1].visual_volume = -asset->origins[1].visual_volume;
	size_t size = 0;
	CHECK(t, rbl_asset_save(asset, NULL, &size) == RBL_OK);
	void *bytes = malloc(size);
	CHECK(t, rbl_asset_save(asset, bytes, &size) == RBL_OK);
	rbl_set_log(keep_line, NULL);
	CHECK(t, rbl_asset_load(bytes, size, NULL, &read) == RBL_BAD_MESH && !read);
	CHECK(t, strstr(last_line, "part 1 of the asset is inside out") != NULL);
	rbl_set_log(NULL, NULL);
	free(bytes);
	rbl_destroy_asset(asset);
	rbl_destroy_mesh(mesh);
}

TEST_MAIN(TEST(what_is_inside_out_is_refused_with_a_sentence),
          TEST(a_break_of_a_compound_leaves_it_out),
          TEST(a_part_that_cannot_be_cut_stays_in_one_piece),
          TEST(a_plate_without_a_thickness_to_speak_of_breaks),
          TEST(an_asset_with_a_part_inside_out_is_not_read))
