// SPDX-License-Identifier: MIT
// ctest: threads
// Bodies that collide by distance fields: of any closed mesh, with each other and with all else.

#include "../faulty_allocator.h"
#include "field_scene.h"

enum { STEPS = 150 };

// --- coming to rest -----------------------------------------------------------------------------

// Drop a plate on something whose top is at 0. @return whether it lies there, asleep
static bool rests(field_scene *f, float height)
{
	rbl_mesh *plate = field_plate();
	rbl_body_id body = field_scene_add(f, plate, 0.0f, height, 0.0f);
	bool ok = rbl_body_exists(f->s.world, body);
	for (int i = 0; i < STEPS && ok; ++i)
		ok = rbl_world_step(f->s.world, 1.0f / 60.0f) == RBL_OK;
	float lowest = field_lowest(f, body);
	if (!ok || fabsf(lowest) > 0.001f || rbl_body_is_awake(f->s.world, body))
		printf("the plate is %g above, %s\n", (double)lowest,
		       rbl_body_is_awake(f->s.world, body) ? "awake" : "asleep");
	rbl_destroy_mesh(plate);
	return ok && fabsf(lowest) < 0.001f && !rbl_body_is_awake(f->s.world, body);
}

static void a_plate_comes_to_rest_on_a_field(test *t)
{
	field_scene f;
	field_scene_open(&f, 1);
	field_scene_ground(&f);
	CHECK(t, rests(&f, 0.2f));
	field_scene_close(&f);
}

static void a_plate_comes_to_rest_on_a_box(test *t)
{
	field_scene f;
	field_scene_open(&f, 1);
	rbl_body_def def = scene_body(f.s.floor, 0.0f, -0.5f, 0.0f);
	def.kind = RBL_BODY_STATIC;
	rbl_create_body(f.s.world, &def);
	CHECK(t, rests(&f, 0.2f));
	field_scene_close(&f);
}

static void a_plate_comes_to_rest_on_a_mesh(test *t)
{
	field_scene f;
	field_scene_open(&f, 1);
	rbl_collider_def of = rbl_default_collider_def(RBL_COLLIDER_MESH);
	of.mesh = f.ground;
	rbl_collider *mesh = NULL;
	CHECK(t, rbl_create_collider(&of, &mesh) == RBL_OK);
	rbl_body_def def = scene_body(mesh, 0.0f, -0.1f, 0.0f);
	def.kind = RBL_BODY_STATIC;
	rbl_create_body(f.s.world, &def);
	CHECK(t, rests(&f, 0.2f));
	field_scene_close(&f);
	rbl_destroy_collider(mesh);
}

static void a_plate_comes_to_rest_on_a_height_field(test *t)
{
	field_scene f;
	field_scene_open(&f, 1);
	float heights[25] = { 0.0f };
	rbl_collider_def of = rbl_default_collider_def(RBL_COLLIDER_HEIGHT_FIELD);
	of.heights = heights;
	of.column_count = of.row_count = 5;
	of.cell_size = 0.31f;
	rbl_collider *ground = NULL;
	CHECK(t, rbl_create_collider(&of, &ground) == RBL_OK);
	rbl_body_def def = scene_body(ground, -0.6f, 0.0f, -0.6f);
	def.kind = RBL_BODY_STATIC;
	rbl_create_body(f.s.world, &def);
	CHECK(t, rests(&f, 0.2f));
	field_scene_close(&f);
	rbl_destroy_collider(ground);
}

static rbl_collider *make_collider(rbl_collider_def def)
{
	rbl_collider *made = NULL;
	rbl_create_collider(&def, &made);
	return made;
}

// Planes, cylinders that stand upright, convexes with round edges, and compounds of boxes.
static void a_plate_comes_to_rest_on_all_other_kinds(test *t)
{
	rbl_collider *half = scene_box(0.15f, 0.1f, 0.3f);
	rbl_collider_child children[2] = {
		{ .collider = half, .pose = { { -0.15f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } } },
		{ .collider = half, .pose = { { 0.15f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } } },
	};
	rbl_collider_def plane = rbl_default_collider_def(RBL_COLLIDER_PLANE);
	rbl_collider_def cylinder = rbl_default_collider_def(RBL_COLLIDER_CYLINDER);
	cylinder.a.y = -0.1f, cylinder.b.y = 0.1f, cylinder.radius = 0.3f;
	rbl_collider_def rounded = rbl_default_collider_def(RBL_COLLIDER_BOX);
	rounded.half_size = (rbl_vec3){ 0.3f, 0.08f, 0.3f }, rounded.rounding = 0.02f;
	rbl_collider_def compound = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	compound.children = children, compound.child_count = 2;
	const rbl_collider_def defs[4] = { plane, cylinder, rounded, compound };
	for (int i = 0; i < 4; ++i) {
		field_scene f;
		field_scene_open(&f, 1);
		rbl_collider *collider = make_collider(defs[i]);
		CHECK(t, collider);
		rbl_body_def def = scene_body(collider, 0.0f, i == 0 ? 0.0f : -0.1f, 0.0f);
		def.kind = RBL_BODY_STATIC;
		CHECK(t, !rbl_body_id_is_null(rbl_create_body(f.s.world, &def)));
		CHECK(t, rests(&f, 0.2f));
		field_scene_close(&f);
		rbl_destroy_collider(collider);
	}
	rbl_destroy_collider(half);
}

// Balls, capsules, hulls, boxes, cylinders and cones that fall into a bowl lie in it.
static void a_bowl_catches_what_is_convex(test *t)
{
	rbl_mesh *bowl = field_bowl(0.9, 0.45);
	rbl_collider_def of = rbl_default_collider_def(RBL_COLLIDER_CYLINDER);
	of.a.y = -0.15f, of.b.y = 0.15f, of.radius = 0.2f;
	rbl_collider *cylinder = make_collider(of);
	of = rbl_default_collider_def(RBL_COLLIDER_CONE);
	of.a.y = -0.1f, of.b.y = 0.3f, of.radius = 0.25f;
	rbl_collider *cone = make_collider(of);
	for (int i = 0; i < 6; ++i) {
		field_scene f;
		field_scene_open(&f, 1);
		field_scene_ground(&f);
		rbl_body_id holder = field_scene_add(&f, bowl, 0.0f, 0.0f, 0.0f);
		const rbl_collider *shapes[] = { f.s.ball, f.s.capsule, f.s.hulls[0],
			                             f.s.box,  cylinder,    cone };
		rbl_body_id body = scene_add(&f.s, shapes[i], 0.05f, 0.8f, 0.02f);
		for (int step = 0; step < 300; ++step)
			CHECK(t, rbl_world_step(f.s.world, 1.0f / 60.0f) == RBL_OK);
		rbl_body_state state = rbl_body_get_state(f.s.world, body);
		float aside = sqrtf(state.centre.x * state.centre.x + state.centre.z * state.centre.z);
		float height = field_lowest(&f, body), speed = rbl_length(state.velocity);
		bool is_in = aside < 0.3f && height > 0.06f && height < 0.15f && speed < 0.1f;
		if (!is_in)
			printf("shape %d is %g aside, %g high, at %g m/s\n", i, (double)aside, (double)height,
			       (double)speed);
		CHECK(t, is_in);
		CHECK(t, fabsf(field_lowest(&f, holder)) < 0.001f);
		field_scene_close(&f);
	}
	rbl_destroy_collider(cylinder);
	rbl_destroy_collider(cone);
	rbl_destroy_mesh(bowl);
}

// --- definitions --------------------------------------------------------------------------------

// One shape and one collider serve many bodies, which weigh what the mesh does.
static void bodies_share_a_shape(test *t)
{
	field_scene f;
	field_scene_open(&f, 1);
	rbl_mesh *plate = field_plate();
	rbl_distance_field_def field_def = rbl_default_distance_field_def();
	field_def.mesh = plate;
	rbl_distance_field *field = NULL;
	CHECK(t, rbl_create_distance_field(&field_def, &field) == RBL_OK);
	rbl_field_shape_def shape_def = rbl_default_field_shape_def();
	shape_def.field = field;
	shape_def.mesh = plate;
	rbl_field_shape *shape = NULL;
	CHECK(t, rbl_create_field_shape(&shape_def, &shape) == RBL_OK);
	rbl_collider_def of = rbl_default_collider_def(RBL_COLLIDER_MESH);
	of.mesh = plate;
	rbl_collider *collider = NULL;
	CHECK(t, rbl_create_collider(&of, &collider) == RBL_OK);
	field_scene_ground(&f);
	rbl_body_id bodies[3];
	for (int i = 0; i < 3; ++i) {
		rbl_body_def def = field_body(NULL, 0.4f * (float)i - 0.4f, 0.05f, 0.0f);
		def.collider = collider;
		def.field_shape = shape;
		bodies[i] = rbl_create_body(f.s.world, &def);
		CHECK(t, rbl_body_exists(f.s.world, bodies[i]));
	}
	double mass = 1000.0 * rbl_mesh_get_mass(plate).volume;
	CHECK(t, fabs((double)rbl_body_get_mass(f.s.world, bodies[0]).mass - mass) < 1e-4 * mass);
	for (int i = 0; i < STEPS; ++i)
		rbl_world_step(f.s.world, 1.0f / 60.0f);
	for (int i = 0; i < 3; ++i)
		CHECK(t, fabsf(field_lowest(&f, bodies[i])) < 0.001f);
	field_scene_close(&f);
	rbl_destroy_field_shape(shape);
	rbl_destroy_distance_field(field);
	rbl_destroy_collider(collider);
	rbl_destroy_mesh(plate);
}

// A block falls on a wall of 5 mm, and a call puts it below, its upper face 0.5 mm in the wall: it
// falls on, and is not drawn through the wall to the side that it came from.
static void a_block_put_below_a_wall_falls_on(test *t)
{
	field_shared wall = field_share(t, field_box(0.5f, 0.005f, 0.5f), 0, 0.005);
	field_shared block = field_share(t, field_box(0.2f, 0.1f, 0.2f), 0, 0.0);
	for (int steps = 0; steps <= 12; ++steps) { // 0: it is made there; then before it touches
		field_scene f;
		field_scene_open(&f, 1);
		rbl_body_def wall_def = field_body_of(&wall, 0.0f, 0.0f, 0.0f);
		wall_def.kind = RBL_BODY_STATIC;
		rbl_create_body(f.s.world, &wall_def);
		const float below = -0.0525f + 0.0005f;
		rbl_body_def def = field_body_of(&block, 0.01f, steps == 0 ? below : 0.3f, 0.02f);
		def.velocity.y = -2.0f;
		rbl_body_id id = rbl_create_body(f.s.world, &def);
		scene_steps(&f.s, steps);
		rbl_transform pose = { { 0.01f, below, 0.02f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
		CHECK(t, rbl_body_set_pose(f.s.world, id, pose) == RBL_OK);
		for (int i = 0; i < 20; ++i) {
			scene_steps(&f.s, 1);
			CHECK(t, rbl_body_pose(f.s.world, id).position.y < below + 1e-4f);
		}
		CHECK(t, rbl_body_pose(f.s.world, id).position.y < below - 0.1f);
		field_scene_close(&f);
	}
	field_unshare(&wall);
	field_unshare(&block);
}

static void wrong_definitions_are_refused(test *t)
{
	field_scene f;
	field_scene_open(&f, 1);
	rbl_field_shape_def shape_def = rbl_default_field_shape_def();
	rbl_vec3 point = { 0.0f, 0.0f, 0.0f };
	shape_def.positions = &point;
	shape_def.count = 1;
	rbl_field_shape *points_only = NULL;
	CHECK(t, rbl_create_field_shape(&shape_def, &points_only) == RBL_OK);
	rbl_body_def def = field_body(f.ground, 0.0f, 0.0f, 0.0f);
	def.contact_method = RBL_CONTACTS_CONVEX;
	CHECK(t, rbl_body_id_is_null(rbl_create_body(f.s.world, &def)));
	def.contact_method = (rbl_contact_method)7;
	CHECK(t, rbl_body_id_is_null(rbl_create_body(f.s.world, &def)));
	def = field_body(f.ground, 0.0f, 0.0f, 0.0f);
	def.field_shape = points_only;
	CHECK(t, rbl_body_id_is_null(rbl_create_body(f.s.world, &def)));
	def = field_body(f.ground, 0.0f, 0.0f, 0.0f);
	def.collider = f.s.box;
	CHECK(t, rbl_body_id_is_null(rbl_create_body(f.s.world, &def)));
	def = field_body(NULL, 0.0f, 0.0f, 0.0f);
	def.collider = f.s.box;
	CHECK(t, rbl_body_id_is_null(rbl_create_body(f.s.world, &def)));
	rbl_vec3d corners[3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } };
	int starts[2] = { 0, 3 }, indices[3] = { 0, 1, 2 };
	rbl_mesh_def open = rbl_default_mesh_def();
	open.data.positions = corners;
	open.data.vertex_count = 3;
	open.data.face_starts = starts;
	open.data.corner_vertices = indices;
	open.data.face_count = 1;
	open.data.corner_count = 3;
	rbl_mesh *triangle = NULL;
	CHECK(t, rbl_create_mesh(&open, &triangle) == RBL_OK);
	def = field_body(triangle, 0.0f, 0.0f, 0.0f);
	CHECK(t, rbl_body_id_is_null(rbl_create_body(f.s.world, &def)));
	CHECK(t, rbl_world_body_count(f.s.world) == 0);
	rbl_destroy_mesh(triangle);
	field_scene_close(&f);
	rbl_destroy_field_shape(points_only);
}

// --- same bits ----------------------------------------------------------------------------------

static uint64_t pile_hash(int worker_count)
{
	field_scene f;
	field_scene_open(&f, worker_count);
	rbl_mesh *plate = field_plate(), *ring = field_ring(0.06, 0.012), *bowl = field_bowl(0.2, 0.1);
	field_scene_ground(&f);
	field_scene_add(&f, bowl, 0.0f, 0.0f, 0.0f);
	for (int i = 0; i < 8; ++i) {
		rbl_body_def def = field_body(i % 2 ? plate : ring, 0.01f * (float)(i % 3),
		                              0.15f + 0.1f * (float)i, 0.01f * (float)(i % 2));
		def.angular_velocity = (rbl_vec3){ 1.0f + (float)i, 0.5f, -1.0f };
		rbl_create_body(f.s.world, &def);
		scene_add(&f.s, f.s.hulls[i], 0.6f, 0.4f + 0.5f * (float)i, 0.0f);
	}
	uint64_t hash = 0;
	for (int i = 0; i < 90; ++i) {
		rbl_world_step(f.s.world, 1.0f / 60.0f);
		hash = hash * 31 + rbl_world_hash(f.s.world);
	}
	rbl_destroy_mesh(plate);
	rbl_destroy_mesh(ring);
	rbl_destroy_mesh(bowl);
	field_scene_close(&f);
	return hash;
}

static void any_number_of_workers_gives_the_same_bits(test *t)
{
	uint64_t hash = pile_hash(1);
	for (int workers = test_repeats(2, 8); workers <= 8; workers += 3)
		CHECK(t, pile_hash(workers) == hash);
}

// --- memory -------------------------------------------------------------------------------------

// Stacks of plates that never sleep: once all have met, nothing is allocated.
static void a_steady_state_allocates_nothing(test *t)
{
	field_scene f;
	faulty_allocator memory;
	faulty_init(&memory, INT32_MAX);
	rbl_world_def world_def = scene_def(&f.s, 1);
	world_def.allocator = FAULTY(&memory);
	world_def.can_sleep = false;
	scene_create(&f.s, &world_def);
	f.ground = field_box(4.0f, 0.2f, 4.0f);
	field_scene_ground(&f);
	field_shared plate = field_share(t, field_plate(), 0, 0.005);
	for (int i = 0; i < 48; ++i) {
		rbl_body_def def =
			field_body_of(&plate, 0.3f * (float)(i % 12) - 1.6f, 0.03f * (float)(i / 12), 0.0f);
		rbl_create_body(f.s.world, &def);
	}
	for (int i = 0; i < 200; ++i)
		CHECK(t, rbl_world_step(f.s.world, 1.0f / 60.0f) == RBL_OK);
	long long before = atomic_load(&memory.total_count);
	for (int i = 0; i < 60; ++i)
		CHECK(t, rbl_world_step(f.s.world, 1.0f / 60.0f) == RBL_OK);
	CHECK(t, rbl_world_get_stats(f.s.world).awake_count == 48);
	CHECK(t, atomic_load(&memory.total_count) == before);
	field_scene_close(&f);
	field_unshare(&plate);
	CHECK(t, atomic_load(&memory.live_bytes) == 0);
}

// Without a solver, contacts are found for poses.
static void detection_alone_finds_contacts_of_fields(test *t)
{
	field_scene f;
	rbl_world_def world_def = scene_def(&f.s, 1);
	world_def.detects_only = true;
	scene_create(&f.s, &world_def);
	f.ground = field_box(2.0f, 0.2f, 2.0f);
	rbl_mesh *plate = field_plate();
	field_scene_ground(&f);
	rbl_body_id body = field_scene_add(&f, plate, 0.0f, 0.1f, 0.0f);
	CHECK(t, rbl_world_step(f.s.world, 1.0f / 60.0f) == RBL_OK);
	CHECK(t, rbl_world_get_contacts(f.s.world, NULL, 0) == 0);
	rbl_transform pose = rbl_transform_identity();
	pose.position.y = -0.001f;
	CHECK(t, rbl_body_set_pose(f.s.world, body, pose) == RBL_OK);
	CHECK(t, rbl_world_step(f.s.world, 1.0f / 60.0f) == RBL_OK);
	CHECK(t, rbl_world_get_contacts(f.s.world, NULL, 0) > 0);
	rbl_destroy_mesh(plate);
	field_scene_close(&f);
}

TEST_MAIN(TEST(a_plate_comes_to_rest_on_a_field), TEST(a_plate_comes_to_rest_on_a_box),
          TEST(a_plate_comes_to_rest_on_a_mesh), TEST(a_plate_comes_to_rest_on_a_height_field),
          TEST(a_plate_comes_to_rest_on_all_other_kinds), TEST(a_bowl_catches_what_is_convex),
          TEST(bodies_share_a_shape), TEST(a_block_put_below_a_wall_falls_on),
          TEST(wrong_definitions_are_refused), TEST(any_number_of_workers_gives_the_same_bits),
          TEST(a_steady_state_allocates_nothing), TEST(detection_alone_finds_contacts_of_fields))
