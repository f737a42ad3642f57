// SPDX-License-Identifier: MIT
// Definitions of another version are refused before anything in them is used. A member more or less in front
// moves all others, the cookie too: what the library then finds in the cookie's place is no cookie.

#include <rubble/rubble.h>

#include "test.h"

typedef struct seen_cookies {
	uint32_t values[64];
	int count;
} seen_cookies;

static bool is_new_cookie(seen_cookies *seen, uint32_t cookie)
{
	for (int i = 0; i < seen->count; ++i) {
		if (seen->values[i] == cookie)
			return false;
	}
	seen->values[seen->count++] = cookie;
	return true;
}

// A definition as its default is, then with its bytes moved as `moved` new or missing ones move them.
#define CHECK_OTHER_VERSIONS(name)                                                    \
	do {                                                                              \
		static const int moved[] = { 4, 8, 16, -4, -8, -16 };                         \
		rbl_##name##_def def = rbl_default_##name##_def();                            \
		CHECK(t, def.cookie != 0 && is_new_cookie(&seen, def.cookie));                \
		for (size_t i = 0; i < sizeof moved / sizeof moved[0]; ++i) {                 \
			unsigned char bytes[sizeof def + 64] = { 0 };                             \
			memcpy(bytes + 32 + moved[i], &def, sizeof def);                          \
			rbl_##name##_def other;                                                   \
			memcpy(&other, bytes + 32, sizeof other);                                 \
			rbl_##name *made = NULL;                                                  \
			bool is_refused =                                                         \
				rbl_create_##name(&other, &made) == RBL_BAD_ARGUMENT && made == NULL; \
			if (!is_refused)                                                          \
				printf("rbl_" #name "_def moved by %d bytes is taken\n", moved[i]);   \
			CHECK(t, is_refused);                                                     \
		}                                                                             \
	} while (0)

static void definitions_of_other_versions_are_refused(test *t)
{
	seen_cookies seen = { .count = 0 };
	CHECK_OTHER_VERSIONS(broadphase);
	CHECK_OTHER_VERSIONS(compound);
	CHECK_OTHER_VERSIONS(convex);
	CHECK_OTHER_VERSIONS(crack_field);
	CHECK_OTHER_VERSIONS(cutter);
	CHECK_OTHER_VERSIONS(field_shape);
	CHECK_OTHER_VERSIONS(hull);
	CHECK_OTHER_VERSIONS(jobs);
	CHECK_OTHER_VERSIONS(material);
	CHECK_OTHER_VERSIONS(mesh);
	CHECK_OTHER_VERSIONS(outer_hull);
	CHECK_OTHER_VERSIONS(pattern);
	CHECK_OTHER_VERSIONS(pieces);
	CHECK_OTHER_VERSIONS(solid);
	CHECK_OTHER_VERSIONS(stress);
	CHECK_OTHER_VERSIONS(surface);
	CHECK_OTHER_VERSIONS(tets);
	CHECK_OTHER_VERSIONS(world);
	CHECK(t, seen.count == 18);
}

static char last_line[400]; // of the log

static void keep_line(void *user, rbl_log_level level, const char *text)
{
	(void)user, (void)level;
	snprintf(last_line, sizeof last_line, "%s", text);
}

// The same for definitions that other calls take: `refuses` calls with `other`. The line in the log says that it was
// for the cookie.
#define CALL_REFUSES_OTHER_VERSIONS(type, start, refuses)                             \
	do {                                                                              \
		static const int moved[] = { 4, 8, 16, -4, -8, -16 };                         \
		rbl_##type def = start;                                                       \
		CHECK(t, def.cookie != 0);                                                    \
		for (size_t i = 0; i < sizeof moved / sizeof moved[0]; ++i) {                 \
			unsigned char bytes[sizeof def + 64] = { 0 };                             \
			memcpy(bytes + 32 + moved[i], &def, sizeof def);                          \
			rbl_##type other;                                                         \
			memcpy(&other, bytes + 32, sizeof other);                                 \
			last_line[0] = '\0';                                                      \
			bool is_refused = (refuses) && strstr(last_line, "rbl_default_");         \
			if (!is_refused)                                                          \
				printf("rbl_" #type " moved by %d bytes: %s\n", moved[i], last_line); \
			CHECK(t, is_refused);                                                     \
		}                                                                             \
	} while (0)

#define RESULT_REFUSES(type, call) \
	CALL_REFUSES_OTHER_VERSIONS(type, rbl_default_##type(), (call) == RBL_BAD_ARGUMENT)

// What calls need beside the definition.
typedef struct things {
	rbl_mesh *mesh;
	rbl_convex *convex;
	rbl_compound *compound;
	rbl_world *world;
	rbl_surface *surface;
	rbl_surface_body_id body;
} things;

static things make_things(void)
{
	things m = { 0 };
	rbl_box_def box = rbl_default_box_def();
	rbl_create_box_mesh(&box, &m.mesh);
	rbl_convex_def convex_def = rbl_default_convex_def();
	rbl_create_convex(&convex_def, &m.convex);
	rbl_compound_part part = { .convex = m.convex };
	rbl_compound_def compound_def = rbl_default_compound_def();
	compound_def.parts = &part;
	compound_def.part_count = 1;
	rbl_create_compound(&compound_def, &m.compound);
	rbl_world_def world_def = rbl_default_world_def();
	rbl_create_world(&world_def, &m.world);
	rbl_surface_def surface_def = rbl_default_surface_def();
	rbl_create_surface(&surface_def, &m.surface);
	const rbl_vec3 positions[3] = { { 0.0f, 0.0f, 0.0f },
		                            { 1.0f, 0.0f, 0.0f },
		                            { 0.0f, 1.0f, 0.0f } };
	const int triangle[3] = { 0, 1, 2 };
	rbl_surface_body_def body_def = rbl_default_surface_body_def();
	body_def.vertex_count = 3, body_def.positions = positions;
	body_def.triangle_count = 1, body_def.triangles = triangle;
	rbl_surface_add(m.surface, &body_def, &m.body);
	return m;
}

static void destroy_things(things *m)
{
	rbl_destroy_surface(m->surface);
	rbl_destroy_world(m->world);
	rbl_destroy_compound(m->compound);
	rbl_destroy_convex(m->convex);
	rbl_destroy_mesh(m->mesh);
}

static void calls_refuse_definitions_of_other_versions(test *t)
{
	things m = make_things();
	CHECK(t, m.mesh && m.compound && m.world && m.surface);
	rbl_set_log(keep_line, NULL);
	rbl_asset *asset = NULL;
	rbl_task *task = NULL;
	rbl_bending *bending = NULL;
	rbl_break *broken = NULL;
	rbl_distance_field *field = NULL;
	rbl_field_shape *shape = NULL;
	rbl_collider *collider = NULL;
	rbl_material *material = NULL;
	rbl_mesh *mesh = NULL;
	rbl_tets *tets = NULL;
	rbl_world *world = NULL;
	rbl_obstacles *obstacles = NULL;
	int count;
	RESULT_REFUSES(prepare_def, rbl_prepare(m.mesh, &other, &asset));
	RESULT_REFUSES(prepare_def, rbl_begin_prepare(m.mesh, &other, &task));
	RESULT_REFUSES(bending_def, rbl_begin_bending(m.compound, &other, &bending));
	CALL_REFUSES_OTHER_VERSIONS(body_def, rbl_default_body_def(),
	                            rbl_body_id_is_null(rbl_create_body(m.world, &other)));
	CALL_REFUSES_OTHER_VERSIONS(collider_def, rbl_default_collider_def(RBL_COLLIDER_SPHERE),
	                            rbl_create_collider(&other, &collider) == RBL_BAD_ARGUMENT);
	RESULT_REFUSES(anchor_def, rbl_compound_anchor(m.compound, &other, &count));
	RESULT_REFUSES(break_def, rbl_compound_break(m.compound, &other, &broken));
	RESULT_REFUSES(break_def, rbl_begin_break(m.compound, &other, &task));
	RESULT_REFUSES(compound_field_def, rbl_create_compound_field(&other, &field));
	RESULT_REFUSES(compound_field_def, rbl_create_compound_shape(&other, NULL, 0.1f, &shape));
	rbl_break_def hit;
	rbl_wear_report report;
	bool breaks;
	RESULT_REFUSES(damage_rule, rbl_damage_choose(&other, m.compound, 1.0, 1, &hit, &breaks));
	RESULT_REFUSES(damage_rule,
	               rbl_compound_wear(m.compound, &other, (rbl_vec3d){ 0 }, 0, 1.0, &report));
	const rbl_exposed_triangle triangle = { .area = 1.0f };
	rbl_particle particle;
	RESULT_REFUSES(particle_def, rbl_sample_particles(&triangle, 1, &other, &particle, 1, &count));
	RESULT_REFUSES(distance_field_def, rbl_create_distance_field(&other, &field));
	RESULT_REFUSES(fragment_field_def, rbl_create_fragment_field(&other, &field));
	CALL_REFUSES_OTHER_VERSIONS(joint_def, rbl_default_joint_def(RBL_JOINT_WELD),
	                            rbl_create_joint(m.world, &other).generation == 0);
	rbl_mesh_repair_report repaired;
	RESULT_REFUSES(mesh_repair_def, rbl_mesh_repair(m.mesh, &other, &mesh, &repaired));
	RESULT_REFUSES(obstacles_def, rbl_create_obstacles(m.surface, &other, &obstacles));
	CALL_REFUSES_OTHER_VERSIONS(preset_def, rbl_default_preset_def(RBL_PRESET_BRICK),
	                            rbl_create_preset_material(&other, &material) == RBL_BAD_ARGUMENT);
	RESULT_REFUSES(recording_def, rbl_world_begin_recording(m.world, &other));
	const unsigned char snapshot[64] = { 0 };
	rbl_world_def world_def = rbl_default_world_def();
	RESULT_REFUSES(sources, rbl_world_load(snapshot, sizeof snapshot, &world_def, &other, &world));
	rbl_surface_body_id body;
	RESULT_REFUSES(surface_body_def, rbl_surface_add(m.surface, &other, &body));
	RESULT_REFUSES(surface_split_def, rbl_surface_split(m.surface, m.body, &other, &body));
	rbl_surface_edit_def edit;
	RESULT_REFUSES(surface_knife, rbl_surface_plan_cut(m.surface, m.body, &other, &edit));
	rbl_surface_cut cut;
	RESULT_REFUSES(surface_curve, rbl_surface_cut_along(m.surface, m.body, &other, &cut));
	RESULT_REFUSES(surface_edit_def, rbl_surface_edit(m.surface, m.body, &other, &body));
	rbl_fill_report filled;
	RESULT_REFUSES(fill_def, rbl_fill_mesh(&other, &tets, &filled));
	RESULT_REFUSES(damage_def, rbl_world_damage(m.world, &other));
	rbl_set_log(NULL, NULL);
	destroy_things(&m);
}

TEST_MAIN(TEST(definitions_of_other_versions_are_refused),
          TEST(calls_refuse_definitions_of_other_versions))
