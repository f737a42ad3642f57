// SPDX-License-Identifier: MIT
// ctest: pinned
// Procedural shapes: every one is a closed surface with its inside inside, over its whole range.

#include "geometry/mesh_reference.h"

#include "faulty_allocator.h"
#include "test.h"

#include <rubble/shapes.h>

static const double pi = 3.14159265358979323846;

// One line per shape: its default definition, made into a mesh with a given allocator.
#define SHAPES(X) \
	X(box)        \
	X(icosphere)  \
	X(cylinder)   \
	X(tube)       \
	X(torus)      \
	X(plate) X(vase) X(mug) X(piggy_bank) X(column) X(arch) X(window) X(brick_wall) X(arena)

#define MAKE_DEFAULT(name)                                                         \
	static rbl_result make_##name(const rbl_allocator *allocator, rbl_mesh **mesh) \
	{                                                                              \
		rbl_##name##_def def = rbl_default_##name##_def();                         \
		def.allocator = *allocator;                                                \
		return rbl_create_##name##_mesh(&def, mesh);                               \
	}
SHAPES(MAKE_DEFAULT)

typedef struct shape_case {
	const char *name;
	rbl_result (*make)(const rbl_allocator *allocator, rbl_mesh **mesh);
} shape_case;

#define SHAPE_CASE(name) { #name, make_##name },
static const shape_case shapes[] = { SHAPES(SHAPE_CASE) };
enum { SHAPE_COUNT = sizeof shapes / sizeof shapes[0] };

// Judge a mesh, destroy it, and return its volume.
static double check_solid(test *t, rbl_result result, rbl_mesh *mesh, int components, int genus)
{
	CHECK(t, result == RBL_OK && mesh);
	if (!mesh)
		return 0.0;
	mesh_referencement j = reference_mesh(mesh);
	CHECK(t, j.bad_edges == 0 && j.bad_vertices == 0);
	CHECK(t, j.degenerate_faces == 0 && j.doubled_vertices == 0 && j.loose_vertices == 0);
	CHECK(t, j.bad_normals == 0);
	CHECK(t, j.inverted_components == 0);
	CHECK(t, j.components == components);
	CHECK(t, j.genus == genus);
	rbl_mesh_report report;
	CHECK(t, rbl_mesh_check(mesh, &report) == RBL_OK);
	CHECK(t, report.is_closed && report.is_manifold && report.is_oriented);
	CHECK(t, report.degenerate_faces == 0 && report.duplicate_faces == 0);
	CHECK(t, report.components == components && report.genus == genus);
	CHECK_NEAR(t, report.volume / j.volume, 1.0, 1e-9);
	rbl_mesh_data data = rbl_mesh_get_data(mesh);
	CHECK(t, data.corner_normals && data.corner_uv0 && data.face_materials);
	CHECK(t, data.material_count > 0 && data.materials[0].name[0]);
	rbl_destroy_mesh(mesh);
	return j.volume;
}

// Area of a regular polygon.
static double polygon_area(double radius, int sides)
{
	return 0.5 * sides * radius * radius * sin(2.0 * pi / sides);
}

#define CHECK_RELATIVE(t, value, expected, tolerance) \
	CHECK_NEAR(t, (value) / (expected), 1.0, tolerance)

static void boxes_have_their_volume(test *t)
{
	for (int n = 1; n <= 7; ++n) {
		rbl_box_def def = rbl_default_box_def();
		def.size = (rbl_vec3d){ 0.5 * n, 2.0, 3.0 / n };
		def.subdivisions = n;
		rbl_mesh *mesh;
		rbl_result result = rbl_create_box_mesh(&def, &mesh);
		CHECK(t, mesh && rbl_mesh_get_data(mesh).face_count == 6 * n * n);
		CHECK_RELATIVE(t, check_solid(t, result, mesh, 1, 0), 3.0, 1e-12);
	}
}

static void icospheres_approach_the_ball(test *t)
{
	double previous = 0.0;
	for (int level = 0; level <= 5; ++level) {
		rbl_icosphere_def def = rbl_default_icosphere_def();
		def.radius = 3.0;
		def.subdivisions = level;
		rbl_mesh *mesh;
		rbl_result result = rbl_create_icosphere_mesh(&def, &mesh);
		rbl_mesh_data data = rbl_mesh_get_data(mesh);
		CHECK(t, data.face_count == 20 << (2 * level));
		for (int v = 0; v < data.vertex_count; ++v) {
			rbl_vec3d p = data.positions[v];
			CHECK_NEAR(t, sqrt(p.x * p.x + p.y * p.y + p.z * p.z), 3.0, 1e-14);
		}
		double missing = 36.0 * pi - check_solid(t, result, mesh, 1, 0);
		CHECK(t, missing > 0.0 && (level == 0 || missing < 0.4 * previous));
		previous = missing;
	}
}

static void turned_solids_have_their_volume(test *t)
{
	for (int n = 3; n <= 67; n += 8) {
		rbl_mesh *mesh;
		rbl_cylinder_def cylinder = rbl_default_cylinder_def();
		cylinder.segments = n;
		cylinder.rows = n / 3;
		rbl_result result = rbl_create_cylinder_mesh(&cylinder, &mesh);
		CHECK_RELATIVE(t, check_solid(t, result, mesh, 1, 0), polygon_area(0.5, n), 1e-12);

		rbl_tube_def tube = rbl_default_tube_def();
		tube.segments = n;
		tube.rows = n / 3;
		result = rbl_create_tube_mesh(&tube, &mesh);
		CHECK_RELATIVE(t, check_solid(t, result, mesh, 1, 1),
		               polygon_area(0.5, n) - polygon_area(0.4, n), 1e-12);

		// The cross-section's area is carried around a regular polygon.
		rbl_torus_def torus = rbl_default_torus_def();
		torus.segments = n;
		torus.sides = n + 1;
		result = rbl_create_torus_mesh(&torus, &mesh);
		double around = n * sin(2.0 * pi / n) * 0.5;
		CHECK_RELATIVE(t, check_solid(t, result, mesh, 1, 1), polygon_area(0.2, n + 1) * around,
		               1e-12);
	}
}

static void vessels_are_hollow_and_closed(test *t)
{
	rbl_mesh *mesh;
	for (int n = 8; n <= 80; n += 24) {
		for (int k = 1; k <= 3; ++k) {
			rbl_plate_def plate = rbl_default_plate_def();
			plate.segments = n;
			plate.height = 0.05 * plate.radius * k * k;
			plate.wall = (0.05 + 0.15 * (k - 1)) * plate.height;
			rbl_result result = rbl_create_plate_mesh(&plate, &mesh);
			double volume = check_solid(t, result, mesh, 1, 0);
			CHECK(t, volume < pi * plate.radius * plate.radius * plate.height);

			rbl_vase_def vase = rbl_default_vase_def();
			vase.segments = n;
			vase.rows = n + k;
			vase.wall = 0.08 * vase.radius * k;
			result = rbl_create_vase_mesh(&vase, &mesh);
			volume = check_solid(t, result, mesh, 1, 0);
			double full = pi * vase.radius * vase.radius * vase.height;
			CHECK(t, volume > 0.0 && volume < full * 0.25 * k);
		}
	}
}

static void a_mug_has_one_handle(test *t)
{
	for (int detail = 1; detail <= 12; ++detail) {
		for (int k = 0; k < 3; ++k) {
			rbl_mug_def def = rbl_default_mug_def();
			static const double heights[3] = { 0.5, 2.3, 8.0 };
			def.height = heights[k] * def.radius;
			def.wall = k == 0 ? 0.02 * def.radius : 0.3 * def.radius;
			if (k == 1)
				def.wall = 0.1 * def.radius;
			def.detail = detail;
			rbl_mesh *mesh;
			rbl_result result = rbl_create_mug_mesh(&def, &mesh);
			double r = def.radius, h = def.height, w = def.wall;
			double cup = pi * (r * r * h - (r - w) * (r - w) * (h - w));
			double volume = check_solid(t, result, mesh, 1, 1);
			CHECK(t, volume > 0.85 * cup && volume < 1.6 * cup);
		}
	}
}

// Inner and outer wall would be two components; the slot makes them one, of genus 0.
static void a_piggy_bank_is_one_surface(test *t)
{
	for (int detail = 1; detail <= 8; ++detail) {
		for (int k = 0; k < 3; ++k) {
			rbl_piggy_bank_def def = rbl_default_piggy_bank_def();
			def.detail = detail;
			def.wall = (0.01 + 0.0249 * k) * def.length;
			def.slot_length = (0.05 + 0.1249 * k) * def.length;
			def.slot_width = (0.01 + 0.0449 * k) * def.length;
			rbl_mesh *mesh;
			rbl_result result = rbl_create_piggy_bank_mesh(&def, &mesh);
			double volume = check_solid(t, result, mesh, 1, 0);
			double full = 4.0 / 3.0 * pi * 0.45 * 0.28 * 0.28 * pow(def.length, 3.0);
			CHECK(t, volume > 0.02 * full && volume < 0.8 * full);
		}
	}
}

static void columns_of_every_kind_are_solid(test *t)
{
	for (int flutes = 0; flutes <= 31; flutes += flutes ? 9 : 4) {
		for (int detail = 1; detail <= 5; ++detail) {
			rbl_column_def def = rbl_default_column_def();
			def.flutes = flutes;
			def.detail = detail;
			def.taper = 0.1 * detail;
			def.entasis = 0.25 * (detail - 1);
			def.flute_depth = 0.03 * detail;
			def.radius = detail == 5 ? 1.0 : 0.3;
			rbl_mesh *mesh;
			rbl_result result = rbl_create_column_mesh(&def, &mesh);
			CHECK(t, mesh && fabs(rbl_mesh_bounds(mesh).upper.y - 5.0) < 1e-12);
			double volume = check_solid(t, result, mesh, 1, 0);
			double shaft = pi * def.radius * def.radius * def.height;
			CHECK(t, volume > 0.4 * shaft && volume < 1.6 * shaft);
		}
	}
}

static void arches_have_their_volume(test *t)
{
	for (int segments = 2; segments <= 50; segments += 8) {
		for (int k = 0; k < 3; ++k) {
			rbl_arch_def def = rbl_default_arch_def();
			def.segments = segments;
			def.voussoirs = k == 2 ? 7 : 0;
			def.pier_height = k == 1 ? 0.0 : 1.5;
			rbl_mesh *mesh;
			rbl_result result = rbl_create_arch_mesh(&def, &mesh);
			int steps = k == 2 ? (segments + 6) / 7 * 7 : segments;
			double ring = 0.5 * (polygon_area(1.5, 2 * steps) - polygon_area(1.0, 2 * steps));
			double area = ring + 2.0 * def.pier_height * def.width;
			CHECK_RELATIVE(t, check_solid(t, result, mesh, k == 2 ? 7 + 2 * 4 : 1, 0), area * 0.6,
			               1e-12);
		}
	}
}

static void windows_have_a_hole_for_each_pane(test *t)
{
	for (int columns = 1; columns <= 4; ++columns) {
		for (int rows = 1; rows <= 3; ++rows) {
			rbl_window_def def = rbl_default_window_def();
			def.columns = columns;
			def.rows = rows;
			def.subdivisions = columns;
			rbl_mesh *mesh;
			rbl_result result = rbl_create_window_mesh(&def, &mesh);
			check_solid(t, result, mesh, columns * rows + 1, columns * rows);
			def.frame_width = 0.0;
			result = rbl_create_window_mesh(&def, &mesh);
			double glass = def.width * def.height * def.thickness;
			CHECK_RELATIVE(t, check_solid(t, result, mesh, 1, 0), glass, 1e-12);
		}
	}
}

static void every_brick_is_closed(test *t)
{
	for (int k = 0; k < 4; ++k) {
		rbl_brick_wall_def def = rbl_default_brick_wall_def();
		def.width = k == 3 ? 0.01 : 2.0; // at least one brick
		def.height = k == 3 ? 0.01 : 0.8;
		def.bevel = k & 1 ? 0.0 : 0.005;
		def.gap = k & 2 ? 0.01 : 0.0;
		rbl_mesh *mesh;
		rbl_result result = rbl_create_brick_wall_mesh(&def, &mesh);
		static const int bricks[4] = { 85, 85, 0, 1 };
		if (k == 2) { // 8 a row, 9 rows
			CHECK_RELATIVE(t, check_solid(t, result, mesh, 76, 0), 72 * 0.0024, 0.05);
			continue;
		}
		double volume = check_solid(t, result, mesh, bricks[k], 0);
		if (k == 1)
			CHECK_RELATIVE(t, volume, 2.0 * 0.8 * 0.12, 1e-12);
	}
}

static void brick_tints_follow_the_seed(test *t)
{
	int differing = 0;
	rbl_mesh *meshes[3];
	for (int i = 0; i < 3; ++i) {
		rbl_brick_wall_def def = rbl_default_brick_wall_def();
		def.seed = i == 2 ? 5 : 4;
		CHECK(t, rbl_create_brick_wall_mesh(&def, &meshes[i]) == RBL_OK);
	}
	rbl_mesh_data a = rbl_mesh_get_data(meshes[0]), b = rbl_mesh_get_data(meshes[1]);
	rbl_mesh_data c = rbl_mesh_get_data(meshes[2]);
	for (int f = 0; f < a.face_count; ++f) {
		CHECK(t, a.face_materials[f] == b.face_materials[f]);
		differing += a.face_materials[f] != c.face_materials[f];
	}
	CHECK(t, differing > a.face_count / 3);
	for (int i = 0; i < 3; ++i)
		rbl_destroy_mesh(meshes[i]);
}

// Hundreds of parts, each closed and with its inside inside, none joined to another.
static void every_part_of_the_arena_is_closed(test *t)
{
	static const struct {
		int bays, detail, components;
		double shape;
	} cases[] = { { 40, 2, 2471, 0.81 }, { 32, 1, 0, 0.6 }, { 36, 3, 0, 1.0 }, { 56, 1, 0, 0.7 } };
	for (int i = 0; i < 4; ++i) {
		rbl_arena_def def = rbl_default_arena_def();
		def.width = cases[i].shape * def.length;
		def.bays = cases[i].bays;
		def.detail = cases[i].detail;
		rbl_mesh *mesh;
		rbl_result result = rbl_create_arena_mesh(&def, &mesh);
		rbl_boxd bounds = rbl_mesh_bounds(mesh);
		CHECK_NEAR(t, bounds.upper.x - bounds.lower.x, def.length, 1e-9);
		CHECK_NEAR(t, bounds.upper.z - bounds.lower.z, def.width, 1e-9);
		CHECK_NEAR(t, bounds.lower.y, 0.0, 1e-12);
		int components = reference_mesh(mesh).components;
		CHECK(t, components > 1500 && (i > 0 || components == cases[i].components));
		check_solid(t, result, mesh, components, def.bays); // a hole for each window of the attic
	}
}

static void the_finest_arena_has_a_million_vertices(test *t)
{
	rbl_arena_def def = rbl_default_arena_def();
	def.detail = 10;
	rbl_mesh *mesh;
	CHECK(t, rbl_create_arena_mesh(&def, &mesh) == RBL_OK);
	rbl_mesh_report report;
	CHECK(t, rbl_mesh_check(mesh, &report) == RBL_OK);
	CHECK(t, report.vertices >= 1000000 && report.faces >= 500000);
	CHECK(t, report.is_closed && report.is_manifold && report.is_oriented);
	CHECK(t, report.components == 2471 && report.genus == 40);
	CHECK(t, report.degenerate_faces == 0 && report.duplicate_faces == 0);
	CHECK(t, report.loose_vertices == 0 && report.volume > 0.0);
	rbl_destroy_mesh(mesh);
}

// FNV-1a over the content, value by value, so that padding never counts.
static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *bytes = data;
	for (size_t i = 0; i < size; ++i)
		hash = (hash ^ bytes[i]) * 1099511628211u;
	return hash;
}

static uint64_t hash_mesh(const rbl_mesh *mesh)
{
	rbl_mesh_data m = rbl_mesh_get_data(mesh);
	uint64_t hash = 14695981039346656037u;
	hash = hash_bytes(hash, m.positions, (size_t)m.vertex_count * sizeof *m.positions);
	hash = hash_bytes(hash, m.face_starts, (size_t)(m.face_count + 1) * sizeof(int));
	hash = hash_bytes(hash, m.corner_vertices, (size_t)m.corner_count * sizeof(int));
	hash = hash_bytes(hash, m.corner_normals, (size_t)m.corner_count * sizeof(rbl_vec3));
	hash = hash_bytes(hash, m.corner_uv0, (size_t)m.corner_count * sizeof(rbl_vec2));
	return hash_bytes(hash, m.face_materials, (size_t)m.face_count * sizeof(int));
}

static void shapes_have_the_same_bits_everywhere(test *t)
{
	static const uint64_t hashes[SHAPE_COUNT] = {
		0x2359c1cdfe29b409, 0xa50f95179ef347a3, 0x7443139f79bb6045, 0x4a22d0e1ed3a56a3,
		0xc29b43734ed2ec6b, 0x9e332cbfafb04611, 0xd1c69d6c31f4a2b7, 0x20f1617fe1e2332f,
		0x5811179c0d88f435, 0xa6a29c70ab532e6c, 0x13959ebdd67ca8be, 0xb5628a77051dadd6,
		0xf5daa3bbd687bd7e, 0xad65c7d0bedfd251
	};
	rbl_allocator allocator = { 0 };
	for (int i = 0; i < SHAPE_COUNT; ++i) {
		rbl_mesh *mesh;
		CHECK(t, shapes[i].make(&allocator, &mesh) == RBL_OK);
		uint64_t hash = hash_mesh(mesh);
		CHECK(t, hash == hashes[i]);
		if (hash != hashes[i])
			printf("%s: 0x%016llx,\n", shapes[i].name, (unsigned long long)hash);
		rbl_destroy_mesh(mesh);
	}
}

static void memory_may_run_out_anywhere(test *t)
{
	for (int i = 0; i < SHAPE_COUNT; ++i) {
		// The arena makes many allocations and each try takes long: some of them stand for all.
		bool is_long = strcmp(shapes[i].name, "arena") == 0;
		for (int n = 0;; n += is_long && n > 8 ? 11 : 1) {
			faulty_allocator memory;
			faulty_init(&memory, n);
			rbl_allocator allocator = FAULTY(&memory);
			rbl_mesh *mesh = (rbl_mesh *)&memory;
			rbl_result result = shapes[i].make(&allocator, &mesh);
			CHECK(t, result == (memory.failed ? RBL_OUT_OF_MEMORY : RBL_OK));
			CHECK(t, (mesh == NULL) == (result != RBL_OK));
			rbl_destroy_mesh(mesh);
			CHECK(t, memory.live_bytes == 0);
			if (!memory.failed)
				break;
		}
	}
}

// A definition that is wrong in one field is refused, and the mesh pointer is cleared.
#define REFUSES(t, name, change)                                             \
	do {                                                                     \
		rbl_##name##_def def = rbl_default_##name##_def();                   \
		change;                                                              \
		rbl_mesh *mesh = (rbl_mesh *)&def;                                   \
		CHECK(t, rbl_create_##name##_mesh(&def, &mesh) == RBL_BAD_ARGUMENT); \
		CHECK(t, mesh == NULL);                                              \
	} while (0)

#define REFUSES_NONSENSE(name)                                                \
	do {                                                                      \
		rbl_mesh *none = (rbl_mesh *)t;                                       \
		CHECK(t, rbl_create_##name##_mesh(NULL, &none) == RBL_BAD_ARGUMENT);  \
		CHECK(t, none == NULL);                                               \
		rbl_##name##_def sound = rbl_default_##name##_def();                  \
		CHECK(t, rbl_create_##name##_mesh(&sound, NULL) == RBL_BAD_ARGUMENT); \
		REFUSES(t, name, def.cookie++);                                       \
		REFUSES(t, name, def.allocator.release = faulty_release);             \
	} while (0);

static void definitions_without_defaults_are_refused(test *t)
{
	SHAPES(REFUSES_NONSENSE)
}

static void numbers_out_of_range_are_refused(test *t)
{
	REFUSES(t, box, def.size.x = 0.0);
	REFUSES(t, box, def.size.y = NAN);
	REFUSES(t, box, def.size.z = -1.0);
	REFUSES(t, box, def.subdivisions = 0);
	REFUSES(t, box, def.subdivisions = 1001);
	REFUSES(t, icosphere, def.radius = INFINITY);
	REFUSES(t, icosphere, def.subdivisions = -1);
	REFUSES(t, icosphere, def.subdivisions = 10);
	REFUSES(t, cylinder, def.radius = 0.0);
	REFUSES(t, cylinder, def.height = 1e7);
	REFUSES(t, cylinder, def.segments = 2);
	REFUSES(t, cylinder, def.rows = 0);
	REFUSES(t, tube, def.wall = def.radius);
	REFUSES(t, tube, def.wall = 0.0);
	REFUSES(t, tube, def.rows = -5);
	REFUSES(t, torus, def.thickness = def.radius);
	REFUSES(t, torus, def.sides = 2);
	REFUSES(t, plate, def.wall = def.height);
	REFUSES(t, plate, def.height = 2.0 * def.radius);
	REFUSES(t, plate, def.segments = 7);
	REFUSES(t, vase, def.wall = def.radius);
	REFUSES(t, vase, def.rows = 7);
	REFUSES(t, mug, def.height = 0.4 * def.radius);
	REFUSES(t, mug, def.wall = 0.0);
	REFUSES(t, mug, def.detail = 101);
	REFUSES(t, piggy_bank, def.wall = 0.1 * def.length);
	REFUSES(t, piggy_bank, def.slot_length = 0.5 * def.length);
	REFUSES(t, piggy_bank, def.slot_width = 0.0);
	REFUSES(t, piggy_bank, def.detail = 0);
	REFUSES(t, column, def.radius = 0.3 * def.height);
	REFUSES(t, column, def.taper = 0.6);
	REFUSES(t, column, def.entasis = -0.1);
	REFUSES(t, column, def.flutes = 3);
	REFUSES(t, column, def.flute_depth = 0.2);
	REFUSES(t, column, def.detail = 101);
	REFUSES(t, arch, def.span = 0.0);
	REFUSES(t, arch, def.pier_height = -1.0);
	REFUSES(t, arch, def.voussoirs = 2);
	REFUSES(t, arch, def.segments = 1);
	REFUSES(t, window, def.columns = 0);
	REFUSES(t, window, def.rows = 101);
	REFUSES(t, window, def.columns = def.rows = 100; def.width = def.height = 1e3;
	        def.subdivisions = 1000);
	REFUSES(t, window, def.frame_width = 0.5);
	REFUSES(t, window, def.frame_width = NAN);
	REFUSES(t, window, def.frame_depth = def.thickness);
	REFUSES(t, window, def.subdivisions = 0);
	REFUSES(t, brick_wall, def.brick.y = 0.0);
	REFUSES(t, brick_wall, def.gap = 0.05);
	REFUSES(t, brick_wall, def.bevel = 0.02);
	REFUSES(t, brick_wall, def.width = 1e6);
	REFUSES(t, brick_wall, def.height = NAN);
	REFUSES(t, arena, def.length = 0.0);
	REFUSES(t, arena, def.width = 0.5 * def.length);
	REFUSES(t, arena, def.width = NAN);
	REFUSES(t, arena, def.bays = 28);
	REFUSES(t, arena, def.bays = 42);
	REFUSES(t, arena, def.bays = 124);
	REFUSES(t, arena, def.detail = 0);
	REFUSES(t, arena, def.detail = 11);
}

TEST_MAIN(TEST(boxes_have_their_volume), TEST(icospheres_approach_the_ball),
          TEST(turned_solids_have_their_volume), TEST(vessels_are_hollow_and_closed),
          TEST(a_mug_has_one_handle), TEST(a_piggy_bank_is_one_surface),
          TEST(columns_of_every_kind_are_solid), TEST(arches_have_their_volume),
          TEST(windows_have_a_hole_for_each_pane), TEST(every_brick_is_closed),
          TEST(brick_tints_follow_the_seed), TEST(every_part_of_the_arena_is_closed),
          TEST(the_finest_arena_has_a_million_vertices), TEST(shapes_have_the_same_bits_everywhere),
          TEST(memory_may_run_out_anywhere), TEST(definitions_without_defaults_are_refused),
          TEST(numbers_out_of_range_are_refused))
