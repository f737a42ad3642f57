// SPDX-License-Identifier: MIT
// Planes: everything rests and slides on one, however far out, and casts and queries find it.

#include "../test.h"
#include "field_scene.h"

static rbl_collider *make_plane(rbl_vec3 normal)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_PLANE);
	def.b = normal;
	rbl_collider *plane = NULL;
	rbl_create_collider(&def, &plane);
	return plane;
}

static rbl_body_id add_plane(scene *s, const rbl_collider *plane)
{
	rbl_body_def def = scene_body(plane, 0.0f, 0.0f, 0.0f);
	def.kind = RBL_BODY_STATIC;
	return rbl_create_body(s->world, &def);
}

static rbl_collider *make_cylinder(void)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_CYLINDER);
	def.a.y = -0.25f, def.b.y = 0.25f, def.radius = 0.25f;
	rbl_collider *cylinder = NULL;
	rbl_create_collider(&def, &cylinder);
	return cylinder;
}

static void everything_rests_on_a_plane(test *t)
{
	field_scene f;
	field_scene_open(&f, 1);
	scene *s = &f.s;
	rbl_collider *plane = make_plane((rbl_vec3){ 0.0f, 3.0f, 0.0f }), *cylinder = make_cylinder();
	add_plane(s, plane);
	rbl_collider_child children[2] = { { .collider = s->box, .pose = rbl_transform_identity() },
		                               { .collider = s->ball, .pose = rbl_transform_identity() } };
	children[1].pose.position.x = 0.5f;
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	def.children = children, def.child_count = 2;
	rbl_collider *compound = NULL;
	CHECK(t, rbl_create_collider(&def, &compound) == RBL_OK);
	const rbl_collider *shapes[] = { s->box, s->ball, s->capsule, s->hulls[0], cylinder, compound };
	const float heights[] = { 0.25f, 0.25f, 0.2f, 0.0f, 0.25f, 0.25f };
	rbl_body_id bodies[12], plate;
	for (int i = 0; i < 12; ++i) // near, and ten kilometres away
		bodies[i] = scene_add(s, shapes[i % 6], (i < 6 ? 0.0f : 10000.0f) + 2.0f * (float)(i % 6),
		                      0.5f, 0.0f);
	rbl_mesh *mesh = field_box(0.4f, 0.4f, 0.4f);
	plate = field_scene_add(&f, mesh, 0.0f, 0.5f, 5.0f);
	scene_steps(s, 300);
	for (int i = 0; i < 12; ++i) {
		rbl_vec3 p = rbl_body_pose(s->world, bodies[i]).position;
		if (i % 6 != 3)
			CHECK_NEAR(t, p.y, heights[i % 6], 2e-3);
		float lower = rbl_body_bounds(s->world, bodies[i]).lower.y;
		CHECK(t, fabsf(lower) < (i < 6 ? 2e-3f : 8e-3f)); // far out a box has a margin
	}
	CHECK_NEAR(t, rbl_body_pose(s->world, plate).position.y, 0.2, 2e-3);
	CHECK(t, rbl_world_get_stats(s->world).awake_count == 0);
	rbl_destroy_mesh(mesh);
	rbl_destroy_mesh(f.ground);
	scene_destroy(s);
	rbl_destroy_collider(compound);
	rbl_destroy_collider(cylinder);
	rbl_destroy_collider(plane);
}

// Down a slope without friction: g sin a. The plane is turned by its normal or by its body.
static void a_box_slides_down_a_sloping_plane(test *t)
{
	for (int i = 0; i < 2; ++i) {
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		scene_create(&s, &def);
		const float sine = 0.5f, cosine = 0.8660254f;
		rbl_collider *plane =
			make_plane(i == 0 ? (rbl_vec3){ sine, cosine, 0.0f } : (rbl_vec3){ 0.0f, 1.0f, 0.0f });
		rbl_body_def body = scene_body(plane, 0.0f, 0.0f, 0.0f);
		rbl_quat turn = rbl_quat_from_axis_angle((rbl_vec3){ 0.0f, 0.0f, 1.0f }, -0.52359878f);
		body.kind = RBL_BODY_STATIC;
		body.pose.rotation = i == 0 ? rbl_quat_identity() : turn;
		body.material.friction = 0.0f;
		rbl_create_body(s.world, &body);
		body = scene_body(s.box, 0.25f * sine, 0.25f * cosine, 0.0f);
		body.pose.rotation = turn;
		body.material.friction = 0.0f;
		rbl_body_id id = rbl_create_body(s.world, &body);
		scene_steps(&s, 300);
		rbl_vec3 v = rbl_body_velocity(s.world, id), p = rbl_body_pose(s.world, id).position;
		CHECK_NEAR(t, rbl_length(v), 9.81 * 0.5 * 5.0, 0.02 * 9.81 * 0.5 * 5.0);
		CHECK_NEAR(t, sine * p.x + cosine * p.y, 0.25, 2e-3);
		scene_destroy(&s);
		rbl_destroy_collider(plane);
	}
}

// A plane is solid all the way down: nothing tunnels, and what starts deep below comes out.
static void nothing_gets_through_a_plane(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_collider *plane = make_plane((rbl_vec3){ 0.0f, 1.0f, 0.0f }), *cylinder = make_cylinder();
	add_plane(&s, plane);
	rbl_body_id bodies[5];
	const rbl_collider *shapes[4] = { s.ball, s.box, cylinder, s.hulls[1] };
	for (int i = 0; i < 4; ++i) {
		rbl_body_def body = scene_body(shapes[i], 3.0f * (float)i, 20.0f, 0.0f);
		body.velocity.y = -500.0f;
		bodies[i] = rbl_create_body(s.world, &body);
	}
	bodies[4] = scene_add(&s, s.box, -5.0f, -0.2f, 0.0f);
	float lowest = 0.0f;
	for (int i = 0; i < 300; ++i) {
		scene_steps(&s, 1);
		for (int k = 0; k < 4; ++k)
			lowest = rbl_minf(lowest, rbl_body_pose(s.world, bodies[k]).position.y);
	}
	CHECK(t, lowest > -0.01f);
	CHECK(t, rbl_body_pose(s.world, bodies[4]).position.y > 0.0f);
	scene_destroy(&s);
	rbl_destroy_collider(cylinder);
	rbl_destroy_collider(plane);
}

static void queries_find_a_plane(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_collider *plane = make_plane((rbl_vec3){ 0.0f, 2.0f, 0.0f });
	rbl_body_id id = add_plane(&s, plane);
	rbl_world_hit hit;
	CHECK(t, rbl_world_cast_ray(s.world, (rbl_vec3){ 5000.0f, 3.0f, 7.0f },
	                            (rbl_vec3){ 0.0f, -4.0f, 0.0f }, NULL, &hit));
	CHECK(t, hit.body.index == id.index && hit.normal.y > 0.9999f);
	CHECK_NEAR(t, hit.fraction, 0.75, 1e-6);
	CHECK(t, !rbl_world_cast_ray(s.world, (rbl_vec3){ 5000.0f, 3.0f, 7.0f },
	                             (rbl_vec3){ 0.0f, 4.0f, 0.0f }, NULL, &hit));
	rbl_transform pose = { { 100.0f, 2.0f, 0.0f }, rbl_quat_identity() };
	CHECK(t, rbl_world_cast_collider(s.world, s.ball, pose, (rbl_vec3){ 3.0f, -4.0f, 0.0f }, NULL,
	                                 &hit));
	CHECK_NEAR(t, hit.fraction, 1.75 / 4.0, 1e-4);
	CHECK(t, hit.normal.y > 0.9999f);
	CHECK(t, rbl_world_overlap_collider(s.world, s.ball, pose, NULL, &hit, 1) == 0);
	pose.position.y = 0.1f;
	CHECK(t, rbl_world_overlap_collider(s.world, s.ball, pose, NULL, &hit, 1) == 1);
	rbl_separation gap;
	pose.position.y = 3.0f;
	CHECK(t, rbl_collider_distance(plane, rbl_transform_identity(), s.box, pose, FLT_MAX, &gap) ==
	             RBL_OK);
	CHECK_NEAR(t, gap.distance, 2.75, 1e-4);
	CHECK(t, gap.normal.y > 0.9999f);
	pose.position.y = -40.0f; // all the way down
	CHECK(t, rbl_collider_distance(s.box, pose, plane, rbl_transform_identity(), FLT_MAX, &gap) ==
	             RBL_OK);
	CHECK_NEAR(t, gap.distance, -40.25, 1e-3);
	scene_destroy(&s);
	rbl_destroy_collider(plane);
}

static void bad_planes_are_refused(test *t)
{
	scene s;
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	CHECK(t, !make_plane((rbl_vec3){ 0.0f, 0.0f, 0.0f }));
	CHECK(t, !make_plane((rbl_vec3){ 0.0f, NAN, 0.0f }));
	rbl_collider *plane = make_plane((rbl_vec3){ 0.0f, 1.0f, 0.0f });
	rbl_body_def body = scene_body(plane, 0.0f, 0.0f, 0.0f);
	CHECK(t, rbl_body_id_is_null(rbl_create_body(s.world, &body))); // it cannot be dynamic
	rbl_collider_child child = { .collider = plane, .pose = rbl_transform_identity() };
	rbl_collider_def compound = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	compound.children = &child, compound.child_count = 1;
	rbl_collider *made = NULL;
	CHECK(t, rbl_create_collider(&compound, &made) == RBL_BAD_ARGUMENT && !made);
	rbl_separation gap;
	CHECK(t, rbl_collider_distance(plane, rbl_transform_identity(), plane, rbl_transform_identity(),
	                               1.0f, &gap) == RBL_UNSUPPORTED);
	rbl_cast_hit hit;
	CHECK(t, rbl_collider_cast_collider(plane, rbl_transform_identity(),
	                                    (rbl_vec3){ 0.0f, 1.0f, 0.0f }, s.box,
	                                    rbl_transform_identity(), &hit) == RBL_UNSUPPORTED);
	scene_destroy(&s);
	rbl_destroy_collider(plane);
}

TEST_MAIN(TEST(everything_rests_on_a_plane), TEST(a_box_slides_down_a_sloping_plane),
          TEST(nothing_gets_through_a_plane), TEST(queries_find_a_plane),
          TEST(bad_planes_are_refused))
