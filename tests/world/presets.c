// SPDX-License-Identifier: MIT
// Presets: every one is a material that stands by itself and breaks in its own way.

#include "../faulty_allocator.h"
#include "../test.h"
#include "scene.h"

#include <rubble/preset.h>

static const rbl_vec3 point = { 0.0f, 0.6f, 0.0f }, forward = { 0.0f, 0.0f, 1.0f };

static void names_are_found(test *t)
{
	for (int i = 0; i < RBL_PRESET_COUNT; ++i)
		CHECK(t, rbl_preset_of_name(rbl_preset_name((rbl_preset)i)) == (rbl_preset)i);
	CHECK(t, *rbl_preset_name(RBL_PRESET_COUNT) == 0 && *rbl_preset_name((rbl_preset)-1) == 0);
	const struct {
		const char *name;
		rbl_preset preset;
	} given[] = {
		{ "Window glass.001", RBL_PRESET_GLASS },
		{ "TemperedGlass", RBL_PRESET_TEMPERED_GLASS },
		{ "glass (tempered glass)", RBL_PRESET_TEMPERED_GLASS },
		{ "TEMPERED-GLASS", RBL_PRESET_TEMPERED_GLASS },
		{ "M_Bricks_02", RBL_PRESET_BRICK },
		{ "glassIce", RBL_PRESET_GLASS },
		{ "metal sheet", RBL_PRESET_METAL_SHEET },
		{ "ICE", RBL_PRESET_ICE },
		{ "office", RBL_PRESET_COUNT },
		{ "service", RBL_PRESET_COUNT },
		{ "iceland", RBL_PRESET_COUNT },
		{ "metal", RBL_PRESET_COUNT },
		{ "tempered", RBL_PRESET_COUNT },
		{ "", RBL_PRESET_COUNT },
		{ "_", RBL_PRESET_COUNT },
		{ NULL, RBL_PRESET_COUNT },
	};
	for (size_t i = 0; i < sizeof given / sizeof given[0]; ++i)
		CHECK(t, rbl_preset_of_name(given[i].name) == given[i].preset);
}

static void wrong_definitions_are_refused(test *t)
{
	rbl_material *material = NULL;
	rbl_preset_def def = rbl_default_preset_def(RBL_PRESET_WOOD);
	CHECK(t, rbl_create_preset_material(&def, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_preset_material(NULL, &material) == RBL_BAD_ARGUMENT && !material);
	def.cookie = 0;
	CHECK(t, rbl_create_preset_material(&def, &material) == RBL_BAD_ARGUMENT && !material);
	CHECK(t, strstr(rbl_last_error(), "rbl_default_preset_def()") != NULL);
	def = rbl_default_preset_def(RBL_PRESET_WOOD);
	def.level_count = RBL_MAX_PRESET_LEVELS + 1;
	CHECK(t, rbl_create_preset_material(&def, &material) == RBL_BAD_ARGUMENT && !material);
	CHECK(t, strstr(rbl_last_error(), "level_count is 5") != NULL);
	def.level_count = 2;
	def.levels[1].energy = def.levels[0].energy;
	CHECK(t, rbl_create_preset_material(&def, &material) == RBL_BAD_ARGUMENT && !material);
	CHECK(t, strstr(rbl_last_error(), "does not rise") != NULL);
	def = rbl_default_preset_def(RBL_PRESET_WOOD);
	def.levels[1].pattern.cell_count = 0;
	CHECK(t, rbl_create_preset_material(&def, &material) == RBL_BAD_ARGUMENT && !material);
	def = rbl_default_preset_def(RBL_PRESET_WOOD);
	def.material.damage.level_count = 1;
	CHECK(t, rbl_create_preset_material(&def, &material) == RBL_BAD_ARGUMENT && !material);
}

static void failing_memory_is_no_harm(test *t)
{
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_preset_def def = rbl_default_preset_def(RBL_PRESET_GLASS);
		def.material.allocator = FAULTY(&memory);
		rbl_material *material = NULL;
		rbl_result result = rbl_create_preset_material(&def, &material);
		rbl_destroy_material(material);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed) {
			CHECK(t, result == RBL_OK && n > 2);
			break;
		}
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
}

// --- breaking -----------------------------------------------------------------------------------

typedef struct wall {
	scene s;
	rbl_mesh *mesh;
	rbl_asset *asset;
	rbl_material *material;
	rbl_body_id body;
} wall;

// A plate of 1.2 x 1.2 metres that stands on the ground as something static.
static void make_wall(test *t, wall *w, rbl_preset preset, double thickness)
{
	rbl_preset_def preset_def = rbl_default_preset_def(preset);
	rbl_world_def def = scene_def(&w->s, 1);
	def.budget = 0;
	scene_create(&w->s, &def);
	w->mesh = NULL, w->asset = NULL, w->material = NULL;
	CHECK(t, rbl_create_preset_material(&preset_def, &w->material) == RBL_OK);
	rbl_box_def box = rbl_default_box_def();
	box.size = (rbl_vec3d){ 1.2, 1.2, thickness };
	CHECK(t, rbl_create_box_mesh(&box, &w->mesh) == RBL_OK);
	rbl_prepare_def prepare = rbl_default_prepare_def();
	CHECK(t, rbl_prepare(w->mesh, &prepare, &w->asset) == RBL_OK);
	rbl_body_def body = rbl_default_body_def();
	body.asset = w->asset;
	body.shared_material = w->material;
	body.kind = RBL_BODY_STATIC;
	body.pose.position.y = 0.6f;
	w->body = rbl_create_body(w->s.world, &body);
	CHECK(t, !rbl_body_id_is_null(w->body));
}

static void destroy_wall(wall *w)
{
	scene_destroy(&w->s);
	rbl_destroy_asset(w->asset);
	rbl_destroy_mesh(w->mesh);
	rbl_destroy_material(w->material);
}

// Strike it, and @return what came of it.
static rbl_fracture_event strike(test *t, wall *w, double energy)
{
	CHECK(t,
	      rbl_body_damage(w->s.world, w->body, point, forward, INFINITY, (float)energy) == RBL_OK);
	rbl_world_step(w->s.world, 1.0 / 60.0);
	rbl_events events = rbl_world_get_events(w->s.world);
	CHECK(t, events.fracture_count <= 1);
	return events.fracture_count > 0 ? events.fractures[0] : (rbl_fracture_event){ .new_count = 0 };
}

static double thickness_of(rbl_preset preset)
{
	switch (preset) {
	case RBL_PRESET_GLASS:
	case RBL_PRESET_TEMPERED_GLASS:
	case RBL_PRESET_CERAMIC:
		return 0.01;
	case RBL_PRESET_PLASTER:
	case RBL_PRESET_WOOD:
		return 0.03;
	default:
		return 0.1;
	}
}

static void each_breaks_from_its_energy_on(test *t)
{
	for (int i = 0; i < RBL_PRESET_COUNT; ++i) {
		rbl_preset_def def = rbl_default_preset_def((rbl_preset)i);
		CHECK(t, def.level_count > 0);
		for (int stronger = 0; stronger < 2; ++stronger) {
			wall w;
			make_wall(t, &w, (rbl_preset)i, thickness_of((rbl_preset)i));
			rbl_fracture_event event =
				strike(t, &w, def.levels[0].energy * (stronger ? 1.05 : 0.95));
			CHECK(t, (event.new_count > 0) == (stronger == 1));
			if (stronger) {
				CHECK(t, event.made_of == w.material);
				CHECK(t, strcmp(rbl_material_name(event.made_of), rbl_preset_name((rbl_preset)i)) ==
				             0);
				CHECK(t, (event.chip_count > 0) == (def.material.debris.kind != RBL_DEBRIS_NONE));
				CHECK(t, (event.emitter_count > 0) == (def.material.debris.dust_density > 0.0));
			}
			destroy_wall(&w);
		}
	}
}

static rbl_vec3 size_of(const rbl_world *world, rbl_body_id body)
{
	rbl_box box = rbl_body_bounds(world, body);
	return rbl_sub(box.upper, box.lower);
}

// All of a pane of tempered glass goes, and in small pieces; float glass breaks around the hit.
static void glass_breaks_in_a_web_and_tempered_glass_in_dice(test *t)
{
	wall w;
	make_wall(t, &w, RBL_PRESET_TEMPERED_GLASS, 0.01);
	rbl_fracture_event event = strike(t, &w, 250.0);
	CHECK(t, event.new_count > 150 && !event.survives);
	for (int i = 0; i < event.new_count; ++i) {
		rbl_vec3 size = size_of(w.s.world, event.new_bodies[i]);
		CHECK(t, size.x < 0.25f && size.y < 0.25f);
	}
	destroy_wall(&w);
	make_wall(t, &w, RBL_PRESET_GLASS, 0.01);
	event = strike(t, &w, 15.0);
	CHECK(t, event.new_count > 20 && event.survives);
	destroy_wall(&w);
}

static void wood_splinters_along_its_grain(test *t)
{
	wall w;
	make_wall(t, &w, RBL_PRESET_WOOD, 0.03);
	rbl_fracture_event event = strike(t, &w, 900.0);
	int along = 0;
	for (int i = 0; i < event.new_count; ++i) {
		rbl_vec3 size = size_of(w.s.world, event.new_bodies[i]);
		along += size.y > 2.0f * size.x;
	}
	CHECK(t, event.new_count > 4 && 4 * along > 3 * event.new_count);
	destroy_wall(&w);
}

// Bricks come off whole: none is larger than one, and most are one.
static void brick_breaks_into_bricks(test *t)
{
	wall w;
	make_wall(t, &w, RBL_PRESET_BRICK, 0.1);
	rbl_fracture_event event = strike(t, &w, 800.0);
	const double brick = 1900.0 * 0.225 * 0.075 * 0.1;
	int whole = 0;
	for (int i = 0; i < event.new_count; ++i) {
		double mass = (double)rbl_body_get_mass(w.s.world, event.new_bodies[i]).mass;
		whole += fabs(mass / brick - 1.0) < 0.01;
	}
	CHECK(t, event.new_count > 10 && 2 * whole > event.new_count);
	destroy_wall(&w);
}

// A sheet of several parts bends by a hit that is far from tearing it.
static void metal_sheet_bends(test *t)
{
	enum { SIDE = 5 };
	rbl_preset_def preset = rbl_default_preset_def(RBL_PRESET_METAL_SHEET);
	rbl_material *material = NULL;
	CHECK(t, rbl_create_preset_material(&preset, &material) == RBL_OK);
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_compound_part parts[SIDE * SIDE];
	for (int i = 0; i < SIDE * SIDE; ++i) {
		rbl_convex_def box = rbl_default_convex_def();
		double x = 0.2 * (i % SIDE) - 0.5, y = 0.2 * (i / SIDE) + 0.1;
		box.box = (rbl_boxd){ { x, y, -0.005 }, { x + 0.2, y + 0.2, 0.005 } };
		rbl_convex *convex = NULL;
		CHECK(t, rbl_create_convex(&box, &convex) == RBL_OK);
		parts[i] = (rbl_compound_part){ .convex = convex };
	}
	rbl_compound_def compound_def = rbl_default_compound_def();
	compound_def.parts = parts;
	compound_def.part_count = SIDE * SIDE;
	rbl_body_def body = rbl_default_body_def();
	CHECK(t, rbl_create_compound(&compound_def, &body.compound) == RBL_OK);
	for (int i = 0; i < SIDE * SIDE; ++i)
		rbl_destroy_convex((rbl_convex *)(uintptr_t)parts[i].convex);
	body.shared_material = material;
	body.kind = RBL_BODY_STATIC;
	rbl_body_id sheet = rbl_create_body(s.world, &body);
	float before = size_of(s.world, sheet).z;
	CHECK(t, rbl_body_damage(s.world, sheet, point, forward, INFINITY, 1500.0f) == RBL_OK);
	rbl_world_step(s.world, 1.0 / 60.0);
	rbl_events events = rbl_world_get_events(s.world);
	CHECK(t, events.fracture_count == 1 && events.fractures[0].cause == RBL_FRACTURE_BEND);
	CHECK(t, events.fracture_count == 1 && events.fractures[0].new_count == 0);
	CHECK(t, size_of(s.world, sheet).z > before + 0.01f);
	scene_destroy(&s);
	rbl_destroy_material(material);
}

// Blocks of each, dropped from a hand's height, come to rest in one piece.
static void each_stands(test *t)
{
	for (int i = 0; i < RBL_PRESET_COUNT; ++i) {
		wall w;
		make_wall(t, &w, (rbl_preset)i, 0.3);
		rbl_body_def def = rbl_default_body_def();
		def.asset = w.asset;
		def.shared_material = w.material;
		def.pose.position = (rbl_vec3){ 0.0f, 0.6f, 3.0f };
		rbl_body_id body = rbl_create_body(w.s.world, &def);
		rbl_body_def floor = rbl_default_body_def();
		floor.collider = w.s.floor;
		floor.kind = RBL_BODY_STATIC;
		rbl_create_body(w.s.world, &floor);
		for (int k = 0; k < 120; ++k) {
			rbl_world_step(w.s.world, 1.0 / 60.0);
			CHECK(t, rbl_world_get_events(w.s.world).fracture_count == 0);
		}
		CHECK(t, rbl_body_exists(w.s.world, body) && !rbl_body_is_awake(w.s.world, body));
		destroy_wall(&w);
	}
}

// The least blow that breaks a panel has more energy than its cracks take: fracture energy times area.
static void a_break_costs_more_than_its_cracks(test *t)
{
	static const struct {
		rbl_preset preset;
		double thickness, fracture_energy; // in J/m2, see docs/materials.md
	} cases[] = { { RBL_PRESET_CONCRETE, 0.1, 137.0 },
		          { RBL_PRESET_GLASS, 0.008, 8.0 },
		          { RBL_PRESET_ICE, 0.1, 1.1 } };
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
		rbl_box_def box = rbl_default_box_def();
		rbl_mesh *mesh = NULL;
		rbl_compound *compound = NULL;
		rbl_pattern *pattern = NULL;
		rbl_break *broken = NULL;
		box.size = (rbl_vec3d){ 1.2, 1.2, cases[i].thickness };
		CHECK(t, rbl_create_box_mesh(&box, &mesh) == RBL_OK);
		rbl_compound_def def = rbl_default_compound_def();
		def.mesh = mesh;
		CHECK(t, rbl_create_compound(&def, &compound) == RBL_OK);
		rbl_preset_def preset = rbl_default_preset_def(cases[i].preset);
		CHECK(t, rbl_create_pattern(&preset.levels[0].pattern, &pattern) == RBL_OK);
		rbl_break_def blow = rbl_default_break_def();
		blow.pattern = pattern, blow.radius = preset.levels[0].radius;
		blow.position = (rbl_vec3d){ 0.05, 0.03, 0.5 * cases[i].thickness };
		CHECK(t, rbl_compound_break(compound, &blow, &broken) == RBL_OK);
		double area = 0.5 * rbl_break_exposed_area(broken, compound); // of both sides
		CHECK(t, area > 0.05 && area * cases[i].fracture_energy < preset.levels[0].energy);
		rbl_destroy_break(broken);
		rbl_destroy_pattern(pattern);
		rbl_destroy_compound(compound);
		rbl_destroy_mesh(mesh);
	}
}

TEST_MAIN(TEST(a_break_costs_more_than_its_cracks), TEST(names_are_found),
          TEST(wrong_definitions_are_refused), TEST(failing_memory_is_no_harm),
          TEST(each_breaks_from_its_energy_on),
          TEST(glass_breaks_in_a_web_and_tempered_glass_in_dice),
          TEST(wood_splinters_along_its_grain), TEST(brick_breaks_into_bricks),
          TEST(metal_sheet_bends), TEST(each_stands))
