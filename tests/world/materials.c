// SPDX-License-Identifier: MIT
// Materials: shared by bodies, of children and of triangles; and shapes that change.

#include "../faulty_allocator.h"
#include "../test.h"
#include "breakable.h"

#include "world/world.h"

static const float dt = 1.0f / 60.0f;

static rbl_material *make_material(const char *name, float friction, float density)
{
	rbl_material_def def = rbl_default_material_def();
	def.values.friction = friction;
	def.values.density = density;
	def.name = name;
	rbl_material *material = NULL;
	rbl_create_material(&def, &material);
	return material;
}

static void run_steps(test *t, rbl_world *world, int count)
{
	for (int i = 0; i < count; ++i)
		CHECK(t, rbl_world_step(world, dt) == RBL_OK);
}

static rbl_body_id add_floor(scene *s)
{
	rbl_body_def def = scene_body(s->floor, 0.0f, -0.5f, 0.0f);
	def.kind = RBL_BODY_STATIC;
	return rbl_create_body(s->world, &def);
}

static rbl_body_id add_sliding(scene *s, const rbl_collider *collider, const rbl_material *material)
{
	rbl_body_def def = rbl_default_body_def();
	def.collider = collider;
	def.pose.position.y = 0.25f;
	def.velocity.x = 5.0f;
	def.shared_material = material;
	return rbl_create_body(s->world, &def);
}

// v^2 / (2 mu g) with the geometric mean of both.
static double slide_length(double mu)
{
	return 25.0 / (2.0 * mu * 9.81);
}

static void a_change_of_a_material_reaches_all_its_users(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_body_id floor = add_floor(&s);
	rbl_material *ice = make_material("ice", 0.0f, 900.0f);
	CHECK(t, rbl_body_set_shared_material(s.world, floor, ice) == RBL_OK);
	rbl_body_id box = add_sliding(&s, s.box, ice);
	float mass = rbl_body_get_mass(s.world, box).mass;
	run_steps(t, s.world, 60);
	CHECK_NEAR(t, rbl_body_velocity(s.world, box).x, 5.0f, 1e-3f);
	CHECK_NEAR(t, mass, 900.0f * 0.125f, 1e-3f);
	CHECK(t, rbl_body_get_shared_material(s.world, box) == ice);

	rbl_material_values values = rbl_material_get_values(ice);
	values.friction = 0.5f;
	values.density = 1800.0f;
	values.user = 7;
	CHECK(t, rbl_material_set_values(ice, &values) == RBL_OK);
	float x = rbl_body_pose(s.world, box).position.x;
	rbl_destroy_material(ice); // bodies keep it
	run_steps(t, s.world, 180);
	CHECK_NEAR(t, rbl_body_get_mass(s.world, box).mass, 1800.0f * 0.125f, 1e-2f);
	CHECK_NEAR(t, rbl_body_pose(s.world, box).position.x - x, slide_length(0.5), 0.1);
	CHECK(t, rbl_body_get_material(s.world, box).user == 7);
	rbl_material *all[4];
	CHECK(t, rbl_world_get_materials(s.world, all, 4) == 1);
	CHECK(t, strcmp(rbl_material_name(all[0]), "ice") == 0);
	scene_destroy(&s);
}

static void a_sleeper_follows_its_material(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_material *stone = make_material("stone", 1.0f, 1000.0f);
	rbl_body_def slope = rbl_default_body_def();
	slope.kind = RBL_BODY_STATIC;
	slope.collider = s.floor;
	slope.pose.rotation = (rbl_quat){ 0.0f, 0.0f, 0.19866933f, 0.98006658f }; // 0.4 radians
	slope.shared_material = stone;
	rbl_create_body(s.world, &slope);
	rbl_body_def body = rbl_default_body_def();
	body.collider = s.box;
	body.pose = slope.pose;
	body.pose.position = rbl_transform_point(slope.pose, (rbl_vec3){ 0.0f, 0.7501f, 0.0f });
	body.material.friction = 1.0f;
	rbl_body_id box = rbl_create_body(s.world, &body);
	run_steps(t, s.world, 240);
	CHECK(t, !rbl_body_is_awake(s.world, box));
	rbl_vec3 from = rbl_body_pose(s.world, box).position;
	rbl_material_values values = rbl_material_get_values(stone);
	values.friction = 0.01f;
	CHECK(t, rbl_material_set_values(stone, &values) == RBL_OK);
	run_steps(t, s.world, 60);
	CHECK(t, rbl_distance(from, rbl_body_pose(s.world, box).position) > 0.5f);
	rbl_destroy_material(stone);
	scene_destroy(&s);
}

static void bodies_of_equal_values_share_an_entry(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_body_id ids[32];
	for (int i = 0; i < 32; ++i) {
		rbl_body_def body = scene_body(s.box, (float)i, 1.0f, 0.0f);
		body.material.friction = i % 2 ? 0.3f : 0.6f;
		ids[i] = rbl_create_body(s.world, &body);
	}
	CHECK(t, s.world->materials.count == 2);
	for (int i = 0; i < 32; i += 2)
		CHECK(t, rbl_destroy_body(s.world, ids[i]) == RBL_OK);
	CHECK(t, s.world->materials.data[1].use_count == 16);
	for (int i = 1; i < 32; i += 2)
		CHECK(t, rbl_destroy_body(s.world, ids[i]) == RBL_OK);
	CHECK(t, s.world->materials.count == 0);
	scene_destroy(&s);
}

// --- children -----------------------------------------------------------------------------------

// A sledge with runners of ice below a rough body.
static rbl_collider *make_sledge(rbl_collider *box, const rbl_material *runner, uint64_t user)
{
	rbl_collider_child children[2] = {
		{ .collider = box, .pose = rbl_transform_identity(), .material = runner, .user = user },
		{ .collider = box, .pose = { { 0.0f, 0.5f, 0.0f }, { 0, 0, 0, 1 } } },
	};
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	def.children = children;
	def.child_count = 2;
	rbl_collider *collider = NULL;
	rbl_create_collider(&def, &collider);
	return collider;
}

static void children_have_materials_of_their_own(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	add_floor(&s);
	rbl_material *ice = make_material("ice", 0.0f, 3000.0f);
	rbl_collider *sledge = make_sledge(s.box, ice, 17);
	rbl_body_id body = add_sliding(&s, sledge, NULL);
	rbl_body_part parts[2];
	CHECK(t, rbl_body_get_parts(s.world, body, parts, 2) == 2);
	CHECK(t, parts[0].user == 17 && parts[0].shared_material == ice);
	CHECK(t, parts[1].user == 0 && !parts[1].shared_material);
	CHECK_NEAR(t, parts[0].material.friction, 0.0f, 0.0f);
	rbl_body_mass mass = rbl_body_get_mass(s.world, body);
	CHECK_NEAR(t, mass.mass, 0.125f * 4000.0f, 1e-2f);
	CHECK_NEAR(t, mass.centre.y, 0.125f, 1e-5f);
	rbl_destroy_material(ice);
	rbl_destroy_collider(sledge);
	run_steps(t, s.world, 60);
	CHECK_NEAR(t, rbl_body_velocity(s.world, body).x, 5.0f, 1e-3f);
	rbl_contact contacts[8];
	int count = rbl_body_get_contacts(s.world, body, contacts, 8);
	CHECK(t, count >= 1);
	for (int i = 0; i < count; ++i)
		CHECK(t, contacts[i].friction == 0.0f);
	scene_destroy(&s);
}

static void nested_children_inherit_what_they_lack(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_material *ice = make_material("ice", 0.0f, 1000.0f), *tar = make_material("tar", 2, 1000);
	rbl_collider *inner = make_sledge(s.box, ice, 17);
	rbl_collider_child children[2] = {
		{ .collider = s.ball, .pose = rbl_transform_identity() },
		{ .collider = inner,
		  .pose = { { 3.0f, 0.0f, 0.0f }, { 0, 0, 0, 1 } },
		  .material = tar,
		  .user = 5,
		  .filter = { .category = 2, .mask = 1 } },
	};
	rbl_collider_def outer_def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	outer_def.children = children;
	outer_def.child_count = 2;
	rbl_collider *outer = NULL;
	CHECK(t, rbl_create_collider(&outer_def, &outer) == RBL_OK);
	CHECK(t, rbl_collider_child_count(outer) == 3);
	rbl_collider_child leaf = rbl_collider_get_child(outer, 1);
	CHECK(t, leaf.material == ice && leaf.user == 17 && leaf.filter.category == 2);
	leaf = rbl_collider_get_child(outer, 2);
	CHECK(t, leaf.material == tar && leaf.user == 5 && leaf.pose.position.x == 3.0f);
	CHECK_NEAR(t, leaf.pose.position.y, 0.5f, 0.0f);
	rbl_destroy_collider(inner);
	rbl_destroy_material(ice);
	rbl_destroy_material(tar);
	rbl_body_def body = scene_body(outer, 0.0f, 1.0f, 0.0f);
	CHECK(t, !rbl_body_id_is_null(rbl_create_body(s.world, &body)));
	rbl_destroy_collider(outer);
	run_steps(t, s.world, 10);
	scene_destroy(&s);
}

// One child notices, the other collides; one collides with no one.
static void children_have_sensors_and_filters_of_their_own(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_collider *wide = scene_box(1.0f, 1.0f, 1.0f);
	rbl_collider_child children[3] = {
		{ .collider = s.box, .pose = rbl_transform_identity() },
		{ .collider = wide, .pose = rbl_transform_identity(), .is_sensor = true, .user = 3 },
		{ .collider = wide,
		  .pose = rbl_transform_identity(),
		  .filter = { .category = 4, .mask = 4 } },
	};
	rbl_collider_def collider_def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	collider_def.children = children;
	collider_def.child_count = 3;
	rbl_collider *collider = NULL;
	rbl_create_collider(&collider_def, &collider);
	add_floor(&s);
	rbl_body_def body = scene_body(collider, 0.0f, 0.3f, 0.0f);
	rbl_body_id made = rbl_create_body(s.world, &body);
	rbl_body_def visitor = scene_body(s.ball, 0.9f, 0.25f, 0.0f);
	rbl_body_id ball = rbl_create_body(s.world, &visitor);
	bool has_floor = false, has_ball = false;
	for (int i = 0; i < 60; ++i) {
		run_steps(t, s.world, 1);
		rbl_events events = rbl_world_get_events(s.world);
		for (int k = 0; k < events.sensor_count; ++k) {
			const rbl_sensor_event *e = &events.sensors[k];
			CHECK(t, e->sensor_part == 1 && e->sensor.index == made.index && e->is_inside);
			has_ball |= e->visitor.index == ball.index;
			has_floor |= e->visitor.index != ball.index;
		}
	}
	CHECK(t, has_ball && has_floor);
	// It rests on the small box: the others hold nothing, and the ball is not pushed.
	CHECK_NEAR(t, rbl_body_pose(s.world, made).position.y, 0.25f, 0.01f);
	CHECK_NEAR(t, rbl_body_pose(s.world, ball).position.x, 0.9f, 0.01f);
	rbl_filter category_4 = { .category = 4, .mask = 4 };
	rbl_world_hit hit;
	bool is_hit = rbl_world_cast_ray(s.world, (rbl_vec3){ 0.0f, 5.0f, 0.0f },
	                                 (rbl_vec3){ 0.0f, -10.0f, 0.0f }, &category_4, &hit);
	CHECK(t, is_hit && hit.part == 2);
	is_hit = rbl_world_cast_ray(s.world, (rbl_vec3){ 0.6f, 5.0f, 0.6f },
	                            (rbl_vec3){ 0.0f, -4.0f, 0.0f }, NULL, &hit);
	CHECK(t, is_hit && hit.part == 2); // a sensor is not in the way
	rbl_destroy_collider(wide);
	rbl_destroy_collider(collider);
	scene_destroy(&s);
}

// --- triangles ----------------------------------------------------------------------------------

static rbl_collider *make_striped_field(const rbl_material *const *materials)
{
	static float heights[41 * 3];
	uint8_t cells[40 * 2];
	for (int i = 0; i < 80; ++i)
		cells[i] = i % 40 < 20 ? 0 : 1;
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_HEIGHT_FIELD);
	def.heights = heights;
	def.column_count = 41, def.row_count = 3;
	def.materials = materials;
	def.material_count = 2;
	def.cell_materials = cells;
	rbl_collider *field = NULL;
	rbl_create_collider(&def, &field);
	return field;
}

// Over ice it keeps its speed, over sand it stops.
static void cells_of_a_height_field_have_materials(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_material *ice = make_material("ice", 0.0f, 1.0f), *sand = make_material("sand", 0.6f, 1.0f);
	rbl_collider *field = make_striped_field((const rbl_material *const[]){ ice, sand });
	CHECK(t, field != NULL);
	rbl_body_def ground = scene_body(field, 0.0f, 0.0f, -1.0f);
	ground.kind = RBL_BODY_STATIC;
	rbl_create_body(s.world, &ground);
	rbl_body_def body = scene_body(s.box, 1.0f, 0.25f, 0.0f);
	body.velocity.x = 5.0f;
	rbl_body_id box = rbl_create_body(s.world, &body);
	run_steps(t, s.world, 200);
	CHECK_NEAR(t, rbl_body_velocity(s.world, box).x, 5.0f, 0.05f);
	run_steps(t, s.world, 240);
	CHECK_NEAR(t, rbl_body_pose(s.world, box).position.x, 20.0 + slide_length(0.6), 0.3);
	rbl_destroy_collider(field);
	rbl_destroy_material(ice);
	rbl_destroy_material(sand);
	scene_destroy(&s);
}

static void faces_of_a_mesh_have_materials(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_material *ice = make_material("ice", 0.0f, 1.0f);
	const rbl_vec3d positions[6] = { { -20, 0, -5 }, { 0, 0, -5 }, { 40, 0, -5 },
		                             { -20, 0, 5 },  { 0, 0, 5 },  { 40, 0, 5 } };
	const int starts[3] = { 0, 4, 8 }, vertices[8] = { 0, 3, 4, 1, 1, 4, 5, 2 };
	const int face_materials[2] = { 0, 1 };
	rbl_mesh_material looks[2] = { { .name = "a" }, { .name = "b" } };
	rbl_mesh_def mesh_def = rbl_default_mesh_def();
	mesh_def.data.vertex_count = 6, mesh_def.data.positions = positions;
	mesh_def.data.face_count = 2, mesh_def.data.face_starts = starts;
	mesh_def.data.corner_count = 8, mesh_def.data.corner_vertices = vertices;
	mesh_def.data.face_materials = face_materials;
	mesh_def.data.material_count = 2, mesh_def.data.materials = looks;
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_mesh(&mesh_def, &mesh) == RBL_OK);
	rbl_collider_def collider_def = rbl_default_collider_def(RBL_COLLIDER_MESH);
	collider_def.mesh = mesh;
	collider_def.materials = (const rbl_material *const[]){ NULL, ice };
	collider_def.material_count = 2;
	rbl_collider *collider = NULL;
	CHECK(t, rbl_create_collider(&collider_def, &collider) == RBL_OK);
	rbl_body_def ground = scene_body(collider, 0.0f, 0.0f, 0.0f);
	ground.kind = RBL_BODY_STATIC;
	rbl_create_body(s.world, &ground);
	rbl_body_def body = scene_body(s.box, 5.0f, 0.25f, 0.0f); // on ice
	body.velocity.x = 5.0f;
	rbl_body_id fast = rbl_create_body(s.world, &body);
	body.pose.position.x = -15.0f; // on what the body is made of
	rbl_body_id slow = rbl_create_body(s.world, &body);
	run_steps(t, s.world, 240);
	CHECK_NEAR(t, rbl_body_pose(s.world, fast).position.x, 25.0f, 0.1f);
	CHECK_NEAR(t, rbl_body_pose(s.world, slow).position.x, -15.0 + slide_length(0.6), 0.1);
	rbl_destroy_collider(collider);
	rbl_destroy_mesh(mesh);
	rbl_destroy_material(ice);
	scene_destroy(&s);
}

// --- another shape ------------------------------------------------------------------------------

static void a_body_can_have_another_shape(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	add_floor(&s);
	rbl_body_def body = scene_body(s.box, 0.0f, 0.25f, 0.0f);
	rbl_body_id lower = rbl_create_body(s.world, &body);
	body.pose.position.y = 0.75f;
	rbl_body_id upper = rbl_create_body(s.world, &body);
	run_steps(t, s.world, 240);
	CHECK(t, !rbl_body_is_awake(s.world, upper));
	rbl_collider *flat = scene_box(0.25f, 0.1f, 0.25f);
	CHECK(t, rbl_body_set_collider(s.world, lower, flat) == RBL_OK);
	rbl_destroy_collider(flat);
	CHECK_NEAR(t, rbl_body_get_mass(s.world, lower).mass, 50.0f, 1e-3f);
	run_steps(t, s.world, 240);
	CHECK_NEAR(t, rbl_body_pose(s.world, lower).position.y, 0.1f, 0.01f);
	CHECK_NEAR(t, rbl_body_pose(s.world, upper).position.y, 0.45f, 0.01f);
	// A compound with its centre elsewhere: the origin stays.
	rbl_collider *sledge = make_sledge(s.box, NULL, 1);
	rbl_transform pose = rbl_body_pose(s.world, upper);
	CHECK(t, rbl_body_set_collider(s.world, upper, sledge) == RBL_OK);
	rbl_destroy_collider(sledge);
	CHECK(t, rbl_body_get_parts(s.world, upper, NULL, 0) == 2);
	CHECK_NEAR(t, rbl_distance(pose.position, rbl_body_pose(s.world, upper).position), 0.0f, 1e-6f);
	CHECK_NEAR(t, rbl_body_get_mass(s.world, upper).centre.y, 0.25f, 1e-6f);
	CHECK(t, rbl_body_set_collider(s.world, upper, s.ball) == RBL_OK);
	run_steps(t, s.world, 60);
	CHECK(t, rbl_body_set_collider(s.world, upper, NULL) == RBL_BAD_ARGUMENT);
	scene_destroy(&s);
}

// What slept on a static body that shrinks falls.
static void what_rests_on_a_shape_that_shrinks_falls(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_body_id floor = add_floor(&s);
	rbl_body_def body = scene_body(s.box, 10.0f, 0.25f, 0.0f);
	rbl_body_id box = rbl_create_body(s.world, &body);
	run_steps(t, s.world, 240);
	CHECK(t, !rbl_body_is_awake(s.world, box));
	CHECK(t, rbl_body_set_collider(s.world, floor, s.box) == RBL_OK);
	run_steps(t, s.world, 60);
	CHECK(t, rbl_body_pose(s.world, box).position.y < -1.0f);
	scene_destroy(&s);
}

// --- snapshots, recordings, memory --------------------------------------------------------------

typedef struct stored {
	unsigned char *bytes;
	size_t size, capacity;
} stored;

static bool keep_bytes(void *user, const void *bytes, size_t size)
{
	stored *s = user;
	if (s->size + size > s->capacity) {
		s->capacity = 2 * (s->size + size);
		s->bytes = realloc(s->bytes, s->capacity);
	}
	memcpy(s->bytes + s->size, bytes, size);
	s->size += size;
	return true;
}

// A scene with all of it. @return the material that changes
static rbl_material *fill_world(scene *s)
{
	rbl_material *ice = make_material("ice", 0.05f, 900.0f), *tar = make_material("tar", 2, 1200);
	rbl_collider *field = make_striped_field((const rbl_material *const[]){ ice, tar });
	rbl_body_def ground = scene_body(field, -10.0f, 0.0f, -1.0f);
	ground.kind = RBL_BODY_STATIC;
	rbl_create_body(s->world, &ground);
	rbl_collider *sledge = make_sledge(s->box, ice, 17);
	rbl_collider_child children[2] = {
		{ .collider = sledge, .pose = rbl_transform_identity() },
		{ .collider = s->ball,
		  .pose = { { 0.0f, 1.0f, 0.0f }, { 0, 0, 0, 1 } },
		  .is_sensor = true,
		  .material = tar },
	};
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	def.children = children;
	def.child_count = 2;
	rbl_collider *nested = NULL;
	rbl_create_collider(&def, &nested);
	for (int i = 0; i < 12; ++i) {
		rbl_body_def body = scene_body(i % 3 == 0   ? nested
		                               : i % 3 == 1 ? s->box
		                                            : s->ball,
		                               -5.0f + 0.9f * (float)i, 0.3f + 0.1f * (float)(i % 4), 0.0f);
		body.velocity.x = 2.0f;
		body.shared_material = i % 2 ? ice : NULL;
		rbl_create_body(s->world, &body);
	}
	rbl_destroy_collider(nested);
	rbl_destroy_collider(sledge);
	rbl_destroy_collider(field);
	rbl_destroy_material(tar);
	return ice;
}

static rbl_body_id body_at(const rbl_world *world, int index)
{
	rbl_body_id ids[32];
	rbl_world_get_bodies(world, ids, 32);
	return ids[index];
}

static void change_things(scene *s, rbl_material *ice, int step)
{
	rbl_material_values values = rbl_material_get_values(ice);
	if (step == 20)
		values.friction = 0.9f;
	if (step == 50)
		values.friction = 0.01f, values.density = 100.0f;
	rbl_material_set_values(ice, &values);
	if (step == 30)
		rbl_body_set_collider(s->world, body_at(s->world, 3), s->capsule);
	if (step == 40)
		rbl_body_set_shared_material(s->world, body_at(s->world, 4), ice);
	if (step == 45)
		rbl_body_set_material(s->world, body_at(s->world, 5), rbl_default_material_values());
}

enum { STEPS = 90 };

static void same_bits_for_any_worker_count(test *t)
{
	uint64_t first = 0;
	for (int workers = 1; workers <= 8; workers += workers < 3 ? 1 : 5) {
		scene s;
		rbl_world_def def = scene_def(&s, workers);
		scene_create(&s, &def);
		rbl_material *ice = fill_world(&s);
		for (int i = 0; i < STEPS; ++i) {
			change_things(&s, ice, i);
			run_steps(t, s.world, 1);
		}
		uint64_t hash = rbl_world_hash(s.world);
		first = workers == 1 ? hash : first;
		CHECK(t, hash == first);
		rbl_destroy_material(ice);
		scene_destroy(&s);
	}
}

static void snapshots_keep_materials(test *t)
{
	for (int at = 0; at < STEPS; at += 15) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		scene_create(&s, &def);
		rbl_material *ice = fill_world(&s);
		for (int i = 0; i < at; ++i) {
			change_things(&s, ice, i);
			run_steps(t, s.world, 1);
		}
		change_things(&s, ice, 20); // not yet followed
		size_t size = 0, again = 0;
		CHECK(t, rbl_world_save(s.world, NULL, &size) == RBL_OK);
		unsigned char *bytes = malloc(size), *copy = malloc(size);
		CHECK(t, rbl_world_save(s.world, bytes, &size) == RBL_OK);
		rbl_sources sources = rbl_default_sources();
		rbl_world *loaded = NULL;
		CHECK(t, rbl_world_load(bytes, size, &def, &sources, &loaded) == RBL_OK);
		again = size;
		CHECK(t, loaded && rbl_world_save(loaded, copy, &again) == RBL_OK && again == size &&
		             memcmp(bytes, copy, size) == 0);
		rbl_material *all[4] = { NULL };
		CHECK(t, rbl_world_get_materials(loaded, all, 4) == 2);
		CHECK(t, strcmp(rbl_material_name(all[0]), "ice") == 0);
		for (int i = 0; i < 30; ++i) {
			run_steps(t, s.world, 1);
			run_steps(t, loaded, 1);
		}
		CHECK(t, rbl_world_hash(s.world) == rbl_world_hash(loaded));
		// Damage is refused, and harms nothing.
		for (size_t i = 64; i < size; i += size / 97) {
			rbl_world *wrong = NULL;
			unsigned char old = bytes[i];
			bytes[i] ^= 0x5a;
			CHECK(t, rbl_world_load(bytes, size, &def, &sources, &wrong) != RBL_OK);
			rbl_destroy_world(wrong);
			bytes[i] = old;
		}
		free(bytes);
		free(copy);
		rbl_destroy_world(loaded);
		rbl_destroy_material(ice);
		scene_destroy(&s);
	}
}

static void recordings_keep_materials(test *t)
{
	for (int start = 0; start < 60; start += 25) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		scene_create(&s, &def);
		stored tape = { NULL, 0, 0 };
		rbl_recording_def recording = rbl_default_recording_def();
		recording.write = keep_bytes;
		recording.user = &tape;
		rbl_material *ice = NULL;
		if (start == 0)
			CHECK(t, rbl_world_begin_recording(s.world, &recording) == RBL_OK);
		ice = fill_world(&s);
		for (int i = 0; i < STEPS; ++i) {
			if (i == start && start > 0)
				CHECK(t, rbl_world_begin_recording(s.world, &recording) == RBL_OK);
			change_things(&s, ice, i);
			run_steps(t, s.world, 1);
			if (i == 60) { // one more that shares it
				rbl_body_def body = scene_body(s.box, 0.0f, 3.0f, 0.0f);
				body.shared_material = ice;
				rbl_create_body(s.world, &body);
			}
			if (i == 70) {
				rbl_material_values values = rbl_material_get_values(ice);
				values.friction = 1.5f;
				rbl_material_set_values(ice, &values);
			}
		}
		CHECK(t, rbl_world_end_recording(s.world) == RBL_OK);
		rbl_sources sources = rbl_default_sources();
		rbl_replay *replay = NULL;
		CHECK(t, rbl_create_replay(tape.bytes, tape.size, &def, &sources, &replay) == RBL_OK);
		rbl_replay_report report = { .is_over = false };
		while (replay && !report.is_over && rbl_replay_step(replay, &report) == RBL_OK)
			CHECK(t, !report.differs);
		CHECK(t, report.is_over && report.step == STEPS - start);
		rbl_destroy_replay(replay);
		free(tape.bytes);
		rbl_destroy_material(ice);
		scene_destroy(&s);
	}
}

// Rules and patterns of the caller may go as soon as the body is made.
static void rules_and_patterns_may_be_destroyed_in_use(test *t)
{
	breakable b;
	breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 1);
	rbl_body_def wall = breakable_def(&b, RBL_BODY_DYNAMIC);
	rbl_body_id id = rbl_create_body(b.s.world, &wall);
	CHECK(t, !rbl_body_id_is_null(id));
	rbl_damage_rule rule = rbl_material_get_def(rbl_body_get_shared_material(b.s.world, id)).damage;
	CHECK(t, rule.levels != b.rule.levels && rule.level_count == 1);
	rbl_destroy_pattern(b.pattern);
	rbl_destroy_material(b.material);
	b.pattern = NULL;
	b.material = NULL;
	memset(&b.rule, 0, sizeof b.rule);
	memset(&b.level, 0, sizeof b.level);
	CHECK(t, rbl_body_damage(b.s.world, id, rbl_body_get_state(b.s.world, id).centre,
	                         (rbl_vec3){ 1.0f, 0.0f, 0.0f }, 1.0f, 1e6f) == RBL_OK);
	int broken = 0;
	for (int i = 0; i < 60; ++i) {
		run_steps(t, b.s.world, 1);
		broken += rbl_world_get_events(b.s.world).fracture_count;
	}
	CHECK(t, broken > 0);
	breakable_destroy(&b);
}

static void nonsense_is_refused(test *t)
{
	rbl_material_def def = rbl_default_material_def();
	rbl_material *material = NULL;
	def.values.friction = -1.0f;
	CHECK(t, rbl_create_material(&def, &material) == RBL_BAD_ARGUMENT && !material);
	def.values.friction = 1.0f, def.values.surface_velocity.y = NAN;
	CHECK(t, rbl_create_material(&def, &material) == RBL_BAD_ARGUMENT);
	def.values.surface_velocity.y = 0.0f;
	char name[100];
	memset(name, 'x', sizeof name);
	name[99] = 0;
	def.name = name;
	CHECK(t, rbl_create_material(&def, &material) == RBL_BAD_ARGUMENT);
	def.name = NULL;
	def.cookie = 0;
	CHECK(t, rbl_create_material(&def, &material) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_material(NULL, &material) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_material(&def, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_material_set_values(NULL, &def.values) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_material_get_values(NULL).friction == 0.0f && *rbl_material_name(NULL) == 0);
	rbl_destroy_material(NULL);
	static const float heights[4];
	const uint8_t cells[1] = { 1 };
	material = make_material(NULL, 1.0f, 1.0f);
	rbl_collider_def field = rbl_default_collider_def(RBL_COLLIDER_HEIGHT_FIELD);
	field.heights = heights;
	field.column_count = field.row_count = 2;
	field.materials = (const rbl_material *const[]){ material };
	field.material_count = 1;
	field.cell_materials = cells;
	rbl_collider *collider = NULL;
	CHECK(t, rbl_create_collider(&field, &collider) == RBL_BAD_ARGUMENT && !collider);
	field.material_count = 300;
	CHECK(t, rbl_create_collider(&field, &collider) == RBL_BAD_ARGUMENT);
	rbl_destroy_material(material);
}

TEST_MAIN(TEST(a_change_of_a_material_reaches_all_its_users), TEST(a_sleeper_follows_its_material),
          TEST(bodies_of_equal_values_share_an_entry), TEST(children_have_materials_of_their_own),
          TEST(nested_children_inherit_what_they_lack),
          TEST(children_have_sensors_and_filters_of_their_own),
          TEST(cells_of_a_height_field_have_materials), TEST(faces_of_a_mesh_have_materials),
          TEST(a_body_can_have_another_shape), TEST(what_rests_on_a_shape_that_shrinks_falls),
          TEST(same_bits_for_any_worker_count), TEST(snapshots_keep_materials),
          TEST(recordings_keep_materials), TEST(rules_and_patterns_may_be_destroyed_in_use),
          TEST(nonsense_is_refused))
