// SPDX-License-Identifier: MIT
// Colliders of every kind, and the contacts of two of them from step to step.

#include "reference.h"

#include "collide/collider.h"

#include "faulty_allocator.h"
#include "test.h"

#include <rubble/shapes.h>

static rbl_collider *make(test *t, const rbl_collider_def *def)
{
	rbl_collider *c = NULL;
	CHECK(t, rbl_create_collider(def, &c) == RBL_OK);
	return c;
}

static rbl_collider *make_ball(test *t, float radius)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	def.radius = radius;
	return make(t, &def);
}

static rbl_collider *make_box(test *t, rbl_vec3 half)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	def.half_size = half;
	return make(t, &def);
}

static rbl_transform at(float x, float y, float z)
{
	return (rbl_transform){ { x, y, z }, { 0.0f, 0.0f, 0.0f, 1.0f } };
}

static rbl_manifolds update(test *t, rbl_contacts *contacts, const rbl_collider *a,
                            rbl_transform pose_a, const rbl_collider *b, rbl_transform pose_b)
{
	CHECK(t, rbl_contacts_update(contacts, a, pose_a, b, pose_b, 0.02f) == RBL_OK);
	return rbl_contacts_get_manifolds(contacts);
}

static void bounds_hold_the_turned_vertices_tightly(test *t)
{
	rbl_random random = rbl_random_from_seed(31);
	for (int round = 0; round < 200; ++round) {
		rbl_convex *convex = random_convex(&random, 12, (rbl_vec3d){ 0.25, 0.22, 0.28 });
		rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_CONVEX);
		def.convex = convex;
		rbl_collider *c = make(t, &def);
		rbl_transform pose = random_pose(&random, 3.0f);
		rbl_box box = rbl_collider_bounds(c, pose), tight = rbl_box_empty();
		for (int v = 0; v < c->polyhedron->vertex_count; ++v) {
			rbl_vec3d p = reference_point(pose, rbl_polyhedron_vertex(c->polyhedron, v));
			CHECK(t, p.x >= (double)box.lower.x && p.y >= (double)box.lower.y &&
			             p.z >= (double)box.lower.z && p.x <= (double)box.upper.x &&
			             p.y <= (double)box.upper.y && p.z <= (double)box.upper.z);
			tight = rbl_box_add_point(tight, rbl_to_f(p));
		}
		CHECK(t, rbl_box_contains(rbl_box_grow(tight, 1e-5f), box));
		rbl_destroy_collider(c);
		rbl_destroy_convex(convex);
	}
	CHECK(t, rbl_box_is_empty(rbl_collider_bounds(NULL, rbl_transform_identity())));
}

static void a_convex_far_away_keeps_its_digits(test *t)
{
	rbl_convex_def def = rbl_default_convex_def();
	def.box = (rbl_boxd){ { 1e6, 1e6, 1e6 }, { 1e6 + 0.1, 1e6 + 0.1, 1e6 + 0.1 } };
	rbl_convex *convex;
	CHECK(t, rbl_create_convex(&def, &convex) == RBL_OK);
	rbl_collider_def collider_def = rbl_default_collider_def(RBL_COLLIDER_CONVEX);
	collider_def.convex = convex;
	rbl_collider *c = NULL;
	CHECK(t, rbl_create_collider(&collider_def, &c) == RBL_BAD_ARGUMENT);
	collider_def.origin = (rbl_vec3d){ 1e6, 1e6, 1e6 };
	c = make(t, &collider_def);
	rbl_box box = rbl_collider_bounds(c, rbl_transform_identity());
	CHECK_NEAR(t, box.upper.x, 0.1, 1e-6);
	rbl_destroy_collider(c);
	rbl_destroy_convex(convex);
}

// The pairs of children that the trees find are all pairs that touch.
static void compounds_touch_where_their_children_do(test *t)
{
	rbl_random random = rbl_random_from_seed(32);
	rbl_collider *box = make_box(t, (rbl_vec3){ 0.1f, 0.2f, 0.15f }), *ball = make_ball(t, 0.15f);
	enum { CHILDREN = 60 };
	rbl_collider_child children[CHILDREN];
	for (int i = 0; i < CHILDREN; ++i)
		children[i] = (rbl_collider_child){ .collider = i & 1 ? box : ball,
			                                .pose = random_pose(&random, 1.5f) };
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	def.children = children, def.child_count = CHILDREN;
	rbl_collider *a = make(t, &def);
	def.child_count = 10;
	rbl_collider *b = make(t, &def);
	rbl_contacts *contacts;
	CHECK(t, rbl_create_contacts(NULL, &contacts) == RBL_OK);
	for (int round = 0; round < 100; ++round) {
		rbl_transform pose_a = random_pose(&random, 1.0f);
		rbl_transform pose_b = random_pose(&random, 2.0f);
		rbl_manifolds list = update(t, contacts, a, pose_a, b, pose_b);
		int expected = 0, found = 0;
		for (int i = 0; i < CHILDREN; ++i) {
			for (int k = 0; k < 10; ++k) {
				rbl_sat_cache cache = { .kind = 0 };
				rbl_manifold m;
				expected += rbl_collide_pair(
					children[i].collider->polyhedron, rbl_transform_mul(pose_a, children[i].pose),
					children[k].collider->polyhedron, rbl_transform_mul(pose_b, children[k].pose),
					0.02f, &cache, &m, NULL);
			}
		}
		found = list.count;
		CHECK(t, found == expected);
		for (int i = 0; i < list.count; ++i)
			CHECK(t, list.manifolds[i].point_count > 0 && list.manifolds[i].child_a < CHILDREN &&
			             list.manifolds[i].child_b < 10);
	}
	rbl_destroy_contacts(contacts);
	rbl_destroy_collider(a);
	rbl_destroy_collider(b);
	rbl_destroy_collider(box);
	rbl_destroy_collider(ball);
}

static rbl_collider *make_floor(test *t, int cells, bool as_field)
{
	enum { MOST = 33 };
	int side = cells + 1;
	rbl_vec3d positions[MOST * MOST];
	float heights[MOST * MOST];
	int triangles[6 * MOST * MOST], n = 0;
	for (int i = 0; i < side * side; ++i) {
		positions[i] = (rbl_vec3d){ 0.5 * (i % side), 0.0, 0.5 * (i / side) };
		heights[i] = 0.0f;
	}
	for (int r = 0; r < cells; ++r) {
		for (int k = 0; k < cells; ++k) {
			int p = k + r * side;
			const int cell[6] = { p, p + side, p + 1, p + 1, p + side, p + side + 1 };
			memcpy(triangles + n, cell, sizeof cell);
			n += 6;
		}
	}
	rbl_mesh *mesh = NULL;
	rbl_mesh_def mesh_def = rbl_default_mesh_def();
	mesh_def.data.vertex_count = side * side, mesh_def.data.positions = positions;
	mesh_def.data.face_count = n / 3, mesh_def.data.corner_count = n;
	mesh_def.data.corner_vertices = triangles;
	CHECK(t, rbl_create_mesh(&mesh_def, &mesh) == RBL_OK);
	rbl_collider_def def =
		rbl_default_collider_def(as_field ? RBL_COLLIDER_HEIGHT_FIELD : RBL_COLLIDER_MESH);
	def.mesh = mesh;
	def.heights = heights, def.column_count = def.row_count = side, def.cell_size = 0.5f;
	rbl_collider *floor = make(t, &def);
	rbl_destroy_mesh(mesh);
	return floor;
}

// A box, a ball and a capsule slide over a floor of triangles: every normal is straight up, also
// where they cross a side, and the depth is that of a plane.
static void sliding_bodies_do_not_trip_over_flat_sides(test *t)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_CAPSULE);
	def.radius = 0.2f, def.a = (rbl_vec3){ -0.3f, 0.0f, 0.0f },
	def.b = (rbl_vec3){ 0.3f, 0.0f, 0.1f };
	rbl_collider *bodies[3] = { make_box(t, (rbl_vec3){ 0.3f, 0.2f, 0.25f }), make_ball(t, 0.2f),
		                        make(t, &def) };
	for (int as_field = 0; as_field < 2; ++as_field) {
		rbl_collider *floor = make_floor(t, 16, as_field);
		for (int k = 0; k < 3; ++k) {
			rbl_contacts *contacts;
			CHECK(t, rbl_create_contacts(NULL, &contacts) == RBL_OK);
			for (int step = 0; step < 200; ++step) {
				float s = (float)step * 0.01f;
				rbl_transform pose = at(2.0f + 1.3f * s, 0.195f, 2.1f + s);
				rbl_manifolds list = update(t, contacts, floor, at(0, 0, 0), bodies[k], pose);
				float least = 1.0f;
				for (int i = 0; i < list.count; ++i) {
					CHECK_NEAR(t, list.manifolds[i].normal.y, 1.0, 1e-4);
					for (int p = 0; p < list.manifolds[i].point_count; ++p)
						least = rbl_minf(least, list.manifolds[i].points[p].separation);
				}
				CHECK_NEAR(t, least, -0.005, 1e-4);
			}
			// Swapped: the same, downwards.
			rbl_manifolds list =
				update(t, contacts, bodies[k], at(2.2f, 0.195f, 2.1f), floor, at(0, 0, 0));
			CHECK(t, list.count > 0);
			for (int i = 0; i < list.count; ++i)
				CHECK_NEAR(t, list.manifolds[i].normal.y, -1.0, 1e-4);
			rbl_destroy_contacts(contacts);
		}
		rbl_destroy_collider(floor);
	}
	for (int k = 0; k < 3; ++k)
		rbl_destroy_collider(bodies[k]);
}

// The ridge of a box mesh may be touched from any direction between its faces.
static void ridges_are_touched_at_an_angle(test *t)
{
	rbl_box_def box_def = rbl_default_box_def();
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_create_box_mesh(&box_def, &mesh) == RBL_OK);
	rbl_boxd bounds = rbl_mesh_bounds(mesh);
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_MESH);
	def.mesh = mesh;
	rbl_collider *stone = make(t, &def), *ball = make_ball(t, 0.2f);
	rbl_contacts *contacts;
	CHECK(t, rbl_create_contacts(NULL, &contacts) == RBL_OK);
	float r = 0.2f * 0.70710678f - 0.003f;
	float x = (float)bounds.upper.x + r, y = (float)bounds.upper.y + r;
	float z = 0.3f * (float)bounds.upper.z;
	rbl_manifolds list = update(t, contacts, stone, at(0, 0, 0), ball, at(x, y, z));
	CHECK(t, list.count > 0);
	for (int i = 0; i < list.count; ++i) {
		CHECK_NEAR(t, list.manifolds[i].normal.x, 0.7071, 0.01);
		CHECK_NEAR(t, list.manifolds[i].normal.y, 0.7071, 0.01);
	}
	rbl_separation gap;
	CHECK(t, rbl_collider_distance(ball, at(x, y, z), stone, at(0, 0, 0), 1.0f, &gap) == RBL_OK);
	CHECK_NEAR(t, gap.distance, -0.003f * 1.41421f, 1e-4);
	rbl_destroy_contacts(contacts);
	rbl_destroy_collider(stone);
	rbl_destroy_collider(ball);
	rbl_destroy_mesh(mesh);
}

static void a_failed_update_leaves_the_contacts(test *t)
{
	rbl_collider *floor = make_floor(t, 8, false), *box = make_box(t, (rbl_vec3){ 1, 0.2f, 1 });
	for (int n = 0;; ++n) {
		faulty_allocator memory;
		faulty_init(&memory, n);
		rbl_allocator allocator = FAULTY(&memory);
		rbl_contacts *contacts;
		rbl_result result = rbl_create_contacts(&allocator, &contacts);
		if (result == RBL_OK) {
			result = rbl_contacts_update(contacts, floor, at(0, 0, 0), box, at(2, 0.19f, 2), 0.02f);
			CHECK(t, (rbl_contacts_get_manifolds(contacts).count > 0) == (result == RBL_OK));
		}
		rbl_destroy_contacts(contacts);
		CHECK(t, memory.live_bytes == 0);
		if (!memory.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
	rbl_destroy_collider(floor);
	rbl_destroy_collider(box);
}

static void every_kind_survives_a_failed_allocation(test *t)
{
	rbl_random random = rbl_random_from_seed(33);
	rbl_convex *convex = random_convex(&random, 12, (rbl_vec3d){ 0.25, 0.22, 0.28 });
	rbl_mesh *mesh = NULL;
	CHECK(t, rbl_convex_create_mesh(convex, NULL, &mesh) == RBL_OK);
	rbl_collider *ball = make_ball(t, 0.5f);
	rbl_collider_child children[3] = { { .collider = ball, .pose = at(0, 0, 0) },
		                               { .collider = ball, .pose = at(1, 0, 0) },
		                               { .collider = ball, .pose = at(2, 0, 0) } };
	float heights[400] = { 0 };
	for (int kind = 0; kind < RBL_COLLIDER_KIND_COUNT; ++kind) {
		for (int n = 0;; ++n) {
			faulty_allocator memory;
			faulty_init(&memory, n);
			rbl_collider_def def = rbl_default_collider_def((rbl_collider_kind)kind);
			def.allocator = FAULTY(&memory);
			def.convex = convex, def.mesh = mesh, def.children = children, def.child_count = 3;
			def.heights = heights, def.column_count = def.row_count = 20;
			rbl_collider *c;
			rbl_result result = rbl_create_collider(&def, &c);
			CHECK(t, (c != NULL) == (result == RBL_OK));
			CHECK(t, !c || rbl_collider_kind_of(c) == (rbl_collider_kind)kind);
			rbl_destroy_collider(c);
			CHECK(t, memory.live_bytes == 0);
			if (!memory.failed)
				break;
			CHECK(t, result == RBL_OUT_OF_MEMORY);
		}
	}
	rbl_destroy_collider(ball);
	rbl_destroy_mesh(mesh);
	rbl_destroy_convex(convex);
}

static bool is_refused(rbl_collider_def def)
{
	rbl_collider *c;
	rbl_result result = rbl_create_collider(&def, &c);
	return result == RBL_BAD_ARGUMENT && !c;
}

static void nonsense_is_refused(test *t)
{
	rbl_collider_def sphere = rbl_default_collider_def(RBL_COLLIDER_SPHERE), def = sphere;
	rbl_collider *c = make(t, &def);
	CHECK(t, rbl_create_collider(&def, NULL) == RBL_BAD_ARGUMENT);
	def.cookie = 0;
	CHECK(t, is_refused(def));
	def = sphere, def.radius = 0.0f;
	CHECK(t, is_refused(def));
	def = sphere, def.a.x = NAN;
	CHECK(t, is_refused(def));
	def = sphere, def.kind = RBL_COLLIDER_KIND_COUNT;
	CHECK(t, is_refused(def));
	def = sphere, def.allocator.user = &def, def.allocator.release = faulty_release;
	CHECK(t, is_refused(def));
	def = rbl_default_collider_def(RBL_COLLIDER_CAPSULE), def.b = def.a;
	CHECK(t, is_refused(def));
	def = rbl_default_collider_def(RBL_COLLIDER_BOX), def.half_size.y = -1.0f;
	CHECK(t, is_refused(def));
	CHECK(t, is_refused(rbl_default_collider_def(RBL_COLLIDER_CONVEX)));
	CHECK(t, is_refused(rbl_default_collider_def(RBL_COLLIDER_MESH)));
	CHECK(t, is_refused(rbl_default_collider_def(RBL_COLLIDER_COMPOUND)));
	CHECK(t, is_refused(rbl_default_collider_def(RBL_COLLIDER_HEIGHT_FIELD)));
	def = rbl_default_collider_def(RBL_COLLIDER_HEIGHT_FIELD);
	def.column_count = def.row_count = 2;
	CHECK(t, is_refused(def));
	const float heights[4] = { 0.0f, INFINITY, 0.0f, 0.0f };
	def.heights = heights;
	CHECK(t, is_refused(def));
	def.cell_size = 0.0f;
	CHECK(t, is_refused(def));
	def.column_count = def.row_count = 32768;
	CHECK(t, is_refused(def));
	rbl_collider_child child = { .collider = NULL, .pose = at(0, 0, 0) };
	def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	def.children = &child, def.child_count = 1;
	CHECK(t, is_refused(def));
	child = (rbl_collider_child){ .collider = c, .pose = { { 0, 0, 0 }, { 0, 0, 0, 2 } } };
	CHECK(t, is_refused(def));

	rbl_contacts *contacts;
	rbl_allocator half = { .release = faulty_release };
	CHECK(t, rbl_create_contacts(NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_contacts(&half, &contacts) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_create_contacts(NULL, &contacts) == RBL_OK);
	rbl_transform pose = at(0, 0, 0), bad = at(NAN, 0, 0);
	CHECK(t, rbl_contacts_update(NULL, c, pose, c, pose, 0.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_contacts_update(contacts, c, bad, c, pose, 0.0f) == RBL_BAD_ARGUMENT);
	CHECK(t, rbl_contacts_update(contacts, c, pose, c, pose, -1.0f) == RBL_BAD_ARGUMENT);
	rbl_collider *floor = make_floor(t, 2, true);
	CHECK(t, rbl_contacts_update(contacts, floor, pose, floor, pose, 0.0f) == RBL_UNSUPPORTED);
	CHECK(t, rbl_contacts_get_manifolds(NULL).count == 0 && rbl_collider_child_count(NULL) == 0);
	rbl_destroy_contacts(contacts);
	rbl_destroy_contacts(NULL);
	rbl_destroy_collider(floor);
	rbl_destroy_collider(c);
	rbl_destroy_collider(NULL);
}

TEST_MAIN(TEST(bounds_hold_the_turned_vertices_tightly), TEST(a_convex_far_away_keeps_its_digits),
          TEST(compounds_touch_where_their_children_do),
          TEST(sliding_bodies_do_not_trip_over_flat_sides), TEST(ridges_are_touched_at_an_angle),
          TEST(a_failed_update_leaves_the_contacts), TEST(every_kind_survives_a_failed_allocation),
          TEST(nonsense_is_refused))
