// SPDX-License-Identifier: MIT
// ctest: soak
// The closed models of the shared folder, and all procedural shapes, broken into many cells.

#include <rubble/io.h>
#include <rubble/rubble.h>

#include "test.h"

static const char *const models[] = {
	"spot.obj",      "beetle.obj",      "fandisk.obj",        "bunny-7k.off",  "rocker-arm.obj",
	"fertility.off", "three-holes.off", "stanford-bunny.obj", "armadillo.obj",
};

static rbl_mesh *read_model(const char *name)
{
	char path[600];
	snprintf(path, sizeof path, "%s/models/%s", RBL_SHARED_DIR, name);
	rbl_read_def def = rbl_default_read_def();
	rbl_mesh *mesh = NULL, *repaired = NULL;
	if (rbl_read_mesh(path, &def, &mesh) != RBL_OK)
		return NULL;
	rbl_mesh_repair_def repair = rbl_default_mesh_repair_def();
	if (rbl_mesh_repair(mesh, &repair, &repaired, NULL) != RBL_OK)
		return mesh;
	rbl_destroy_mesh(mesh);
	return repaired;
}

// Break a mesh; each piece closed, nothing lost. Further rounds break each piece into about five.
static double break_mesh(test *t, const rbl_mesh *mesh, int cells, uint64_t seed, int rounds)
{
	rbl_solid_def solid_def = rbl_default_solid_def();
	solid_def.mesh = mesh;
	rbl_solid *solid = NULL;
	CHECK(t, rbl_create_solid(&solid_def, &solid) == RBL_OK);
	rbl_boxd box = rbl_mesh_bounds(mesh);
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.size = (rbl_vec3d){ box.upper.x - box.lower.x, box.upper.y - box.lower.y,
		                            box.upper.z - box.lower.z };
	pattern_def.cell_count = cells;
	pattern_def.seed = seed;
	rbl_pattern *pattern = NULL;
	rbl_pieces *pieces = NULL;
	CHECK(t, rbl_create_pattern(&pattern_def, &pattern) == RBL_OK);
	rbl_pieces_def def = rbl_default_pieces_def();
	def.solid = solid, def.pattern = pattern;
	def.position =
		(rbl_vec3d){ 0.5 * (box.lower.x + box.upper.x), 0.5 * (box.lower.y + box.upper.y),
		             0.5 * (box.lower.z + box.upper.z) };
	CHECK(t, rbl_create_pieces(&def, &pieces) == RBL_OK);
	rbl_pieces_report report = rbl_pieces_get_report(pieces);
	CHECK_NEAR(t, report.volume_out / report.volume_in, 1.0, 1e-11);
	double sum = 0.0;
	int open = 0, turned = 0;
	for (int i = 0; i < report.piece_count; ++i) {
		rbl_mesh *piece = NULL;
		rbl_mesh_report check;
		CHECK(t, rbl_piece_create_mesh(pieces, i, NULL, &piece) == RBL_OK);
		if (!piece || rbl_mesh_check(piece, &check) != RBL_OK)
			continue;
		open += !check.is_closed;
		turned += !(check.volume > 0.0);
		sum += rounds > 1 ? break_mesh(t, piece, 5, seed + (uint64_t)i, rounds - 1) : check.volume;
		rbl_destroy_mesh(piece);
	}
	CHECK(t, open == 0 && turned == 0);
	CHECK_NEAR(t, sum / report.volume_in, 1.0, 1e-9);
	rbl_destroy_pieces(pieces);
	rbl_destroy_pattern(pattern);
	rbl_destroy_solid(solid);
	return sum;
}

static void models_break_cleanly(test *t)
{
	const int counts[] = { 10, 100, 1000 };
	int found = 0;
	for (int i = 0; i < test_count(4, 9); ++i) {
		rbl_mesh *mesh = read_model(models[i]);
		if (!mesh)
			continue;
		found++;
		for (int k = 0; k < test_count(2, 3); ++k) {
			for (int seed = 1; seed <= test_count(1, 20); ++seed)
				break_mesh(t, mesh, counts[k], (uint64_t)seed, 1);
		}
		rbl_destroy_mesh(mesh);
	}
	if (found == 0)
		SKIP(t, "the shared models are not there");
}

static void models_break_three_times(test *t)
{
	int found = 0;
	for (int i = 0; i < test_count(2, 9); ++i) {
		rbl_mesh *mesh = read_model(models[i]);
		if (!mesh)
			continue;
		found++;
		for (int seed = 1; seed <= test_count(1, 20); ++seed)
			break_mesh(t, mesh, 5, (uint64_t)seed, 3);
		rbl_destroy_mesh(mesh);
	}
	if (found == 0)
		SKIP(t, "the shared models are not there");
}

#define SHAPE(name)                                        \
	static rbl_mesh *make_##name(void)                     \
	{                                                      \
		rbl_##name##_def def = rbl_default_##name##_def(); \
		rbl_mesh *mesh = NULL;                             \
		rbl_create_##name##_mesh(&def, &mesh);             \
		return mesh;                                       \
	}
SHAPE(cylinder)
SHAPE(tube)
SHAPE(plate)
SHAPE(vase)
SHAPE(mug)
SHAPE(piggy_bank)
SHAPE(column)
SHAPE(arch)
SHAPE(window)
SHAPE(brick_wall)

static void procedural_shapes_break_cleanly(test *t)
{
	rbl_mesh *(*const makers[])(void) = { make_cylinder, make_tube,       make_plate,  make_vase,
		                                  make_mug,      make_piggy_bank, make_column, make_arch,
		                                  make_window,   make_brick_wall };
	for (int i = 0; i < 10; ++i) {
		rbl_mesh *mesh = makers[i]();
		CHECK(t, mesh != NULL);
		if (!mesh)
			continue;
		for (int seed = 1; seed <= test_count(1, 20); ++seed) {
			break_mesh(t, mesh, 10, (uint64_t)seed, 1);
			break_mesh(t, mesh, 100, (uint64_t)seed, 1);
			if (test_count(0, 1))
				break_mesh(t, mesh, 1000, (uint64_t)seed, 1);
		}
		rbl_destroy_mesh(mesh);
	}
}

TEST_MAIN(TEST(models_break_cleanly), TEST(models_break_three_times),
          TEST(procedural_shapes_break_cleanly))
