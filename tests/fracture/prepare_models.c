// SPDX-License-Identifier: MIT
// ctest: soak
// The closed models of the shared folder, the arena and all procedural shapes, prepared.

#include <rubble/io.h>
#include <rubble/rubble.h>

#include "base/axis.h"
#include "test.h"

static const char *const models[] = {
	"spot.obj",    "three-holes.off", "beetle.obj",     "fandisk.obj",
	"suzanne.obj", "teapot.obj",      "fertility.off",  "bunny-7k.off",
	"igea.ply",    "armadillo.obj",   "rocker-arm.obj", "stanford-bunny.obj",
};

static rbl_mesh *read_model(const char *name)
{
	char path[600];
	snprintf(path, sizeof path, "%s/models/%s", RBL_SHARED_DIR, name);
	rbl_mesh *mesh = NULL, *repaired = NULL;
	if (rbl_read_mesh(path, NULL, &mesh) != RBL_OK)
		return NULL;
	rbl_mesh_repair_def repair = rbl_default_mesh_repair_def();
	if (rbl_mesh_repair(mesh, &repair, &repaired, NULL) != RBL_OK)
		return mesh;
	rbl_destroy_mesh(mesh);
	return repaired;
}

static rbl_boxd box_of(const rbl_convex *convex)
{
	rbl_convex_data d = rbl_convex_get_data(convex);
	rbl_boxd box = { d.vertices[0], d.vertices[0] };
	for (int v = 1; v < d.vertex_count; ++v) {
		for (int k = 0; k < 3; ++k) {
			double x = rbl_axis_d(d.vertices[v], k);
			rbl_set_axis_d(&box.lower, k, fmin(x, rbl_axis_d(box.lower, k)));
			rbl_set_axis_d(&box.upper, k, fmax(x, rbl_axis_d(box.upper, k)));
		}
	}
	return box;
}

static bool boxes_meet(rbl_boxd a, rbl_boxd b)
{
	return a.lower.x < b.upper.x && b.lower.x < a.upper.x && a.lower.y < b.upper.y &&
	       b.lower.y < a.upper.y && a.lower.z < b.upper.z && b.lower.z < a.upper.z;
}

// The bond between two parts, if there is one; a long list is cut short.
static bool find_bond(const rbl_compound *c, int part, int other, rbl_compound_bond *found)
{
	static rbl_compound_bond bonds[4096];
	int count = rbl_compound_get_bonds(c, part, bonds, 4096);
	for (int i = 0; i < count && i < 4096; ++i) {
		if (bonds[i].other == other) {
			*found = bonds[i];
			return true;
		}
	}
	return false;
}

// Convexes are disjoint, or have a bond; faces of bonds lie in one plane and look at each other.
static void check_neighbours(test *t, const rbl_compound *c, int count)
{
	rbl_boxd *boxes = malloc((size_t)count * sizeof *boxes);
	int unnoted = 0, askew = 0;
	for (int i = 0; i < count && boxes; ++i) {
		const rbl_convex *convex = rbl_compound_get_part(c, i).convex;
		boxes[i] = box_of(convex);
		for (int k = 0; k < i; ++k) {
			rbl_compound_bond bond;
			if (!boxes_meet(boxes[i], boxes[k]))
				continue;
			const rbl_convex *other = rbl_compound_get_part(c, k).convex;
			bool has_bond = find_bond(c, i, k, &bond);
			if (has_bond && bond.face >= 0) {
				rbl_planed p = rbl_convex_get_data(convex).planes[bond.face];
				rbl_planed q = rbl_convex_get_data(other).planes[bond.other_face];
				double size = boxes[i].upper.x - boxes[i].lower.x + boxes[i].upper.y -
				              boxes[i].lower.y + boxes[i].upper.z - boxes[i].lower.z;
				double turn =
					p.normal.x * q.normal.x + p.normal.y * q.normal.y + p.normal.z * q.normal.z;
				double far = p.normal.x * bond.centre.x + p.normal.y * bond.centre.y +
				             p.normal.z * bond.centre.z - p.offset;
				askew += turn > -1.0 + 1e-6 || far > 1e-5 * size || far < -1e-5 * size;
				continue;
			}
			rbl_convex *common = NULL;
			if (has_bond || rbl_convex_intersect(convex, other, &common) != RBL_OK || !common)
				continue;
			double least = rbl_convex_get_mass(convex).volume,
				   volume = rbl_convex_get_mass(other).volume;
			least = volume < least ? volume : least;
			unnoted += rbl_convex_get_mass(common).volume > 1e-8 * least;
			rbl_destroy_convex(common);
		}
	}
	CHECK(t, boxes && unnoted == 0);
	CHECK(t, askew == 0);
	free(boxes);
}

// Volume kept, meshes closed, vertices inside, and the tolerance met or the reason told.
static void check(test *t, const rbl_mesh *mesh, const rbl_prepare_def *def)
{
	rbl_asset *asset = NULL;
	CHECK(t, rbl_prepare(mesh, def, &asset) == RBL_OK);
	rbl_asset_report r = rbl_asset_get_report(asset);
	const rbl_compound *c = rbl_asset_get_compound(asset);
	CHECK_NEAR(t, r.visual_volume / r.mesh_volume, 1.0, 1e-6);
	CHECK(t, r.mass_volume <= r.convex_volume * (1.0 + 1e-9));
	CHECK(t, r.stop != RBL_STOP_TOLERANCE || r.worst_ratio <= 1.0 + def->tolerance);
	CHECK(t, (r.stop == RBL_STOP_TOLERANCE) == (r.loose_count == 0) || r.stop == RBL_STOP_GIVEN);
	int open = 0, outside = 0, turned = 0;
	for (int i = 0; i < r.part_count; ++i) {
		rbl_compound_part part = rbl_compound_get_part(c, i);
		rbl_mesh_report report;
		if (!part.mesh)
			continue;
		open += rbl_mesh_check(part.mesh, &report) != RBL_OK || !report.is_closed;
		turned += !(report.volume > 0.0);
		rbl_convex_data convex = rbl_convex_get_data(part.convex);
		rbl_mesh_data data = rbl_mesh_get_data(part.mesh);
		rbl_boxd box = rbl_mesh_bounds(part.mesh);
		double reach = 1e-8 * (box.upper.x - box.lower.x + box.upper.y - box.lower.y + box.upper.z -
		                       box.lower.z);
		for (int f = 0; f < convex.face_count; ++f) {
			rbl_planed p = convex.planes[f];
			for (int v = 0; v < data.vertex_count; ++v) {
				rbl_vec3d q = data.positions[v];
				outside +=
					p.normal.x * q.x + p.normal.y * q.y + p.normal.z * q.z > p.offset + reach;
			}
		}
	}
	CHECK(t, open == 0);
	CHECK(t, turned == 0);
	CHECK(t, outside == 0);
	check_neighbours(t, c, r.part_count);
	rbl_destroy_asset(asset);
}

static void every_model_can_be_prepared(test *t)
{
	int count = test_count(3, (int)(sizeof models / sizeof models[0]));
	for (int i = 0; i < count; ++i) {
		rbl_mesh *mesh = read_model(models[i]);
		if (!mesh) {
			SKIP(t, "the shared models are not there");
			return;
		}
		rbl_prepare_def def = rbl_default_prepare_def();
		check(t, mesh, &def);
		rbl_destroy_mesh(mesh);
	}
}

// Twelve nodes in a figure with arms, legs, ears and a tail: figure 10 of the paper.
static void twelve_nodes_divide_the_armadillo(test *t)
{
	rbl_mesh *mesh = read_model("armadillo.obj");
	if (!mesh) {
		SKIP(t, "the shared models are not there");
		return;
	}
	rbl_prepare_def def = rbl_default_prepare_def();
	def.node_count = 12;
	rbl_asset *asset = NULL;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_OK);
	rbl_asset_report r = rbl_asset_get_report(asset);
	CHECK(t, r.node_count == 12 && r.part_count >= 12 && r.part_count < 30);
	CHECK_NEAR(t, r.visual_volume / r.mesh_volume, 1.0, 1e-9);
	CHECK(t, r.worst_ratio < 1.5);
	// The same nodes, given: the same parts.
	int count = 0;
	def.nodes = rbl_asset_get_nodes(asset, &count);
	rbl_asset *again = NULL;
	CHECK(t, rbl_prepare(mesh, &def, &again) == RBL_OK);
	CHECK(t, rbl_asset_get_report(again).part_count == r.part_count);
	CHECK(t, rbl_asset_get_report(again).convex_volume == r.convex_volume);
	rbl_destroy_asset(again);
	rbl_destroy_asset(asset);
	rbl_destroy_mesh(mesh);
}

static rbl_mesh *make_shape(int which)
{
	rbl_mesh *mesh = NULL;
	switch (which) {
#define SHAPE(number, name)                                \
	case number: {                                         \
		rbl_##name##_def def = rbl_default_##name##_def(); \
		rbl_create_##name##_mesh(&def, &mesh);             \
		break;                                             \
	}
		SHAPE(0, column)
		SHAPE(1, mug)
		SHAPE(2, arch)
		SHAPE(3, window)
		SHAPE(4, plate)
		SHAPE(5, vase)
		SHAPE(6, piggy_bank)
		SHAPE(7, brick_wall)
		SHAPE(8, box)
		SHAPE(9, icosphere)
		SHAPE(10, cylinder)
		SHAPE(11, tube)
		SHAPE(12, torus)
		SHAPE(13, arena)
#undef SHAPE
	default:
		break;
	}
	return mesh;
}

static void every_procedural_shape_can_be_prepared(test *t)
{
	for (int i = 0; i < test_count(4, 14); ++i) {
		rbl_mesh *mesh = make_shape(i);
		rbl_prepare_def def = rbl_default_prepare_def();
		def.tolerance = 0.5;
		def.node_limit = 24;
		check(t, mesh, &def);
		rbl_destroy_mesh(mesh);
	}
}

TEST_MAIN(TEST(every_model_can_be_prepared), TEST(twelve_nodes_divide_the_armadillo),
          TEST(every_procedural_shape_can_be_prepared))
