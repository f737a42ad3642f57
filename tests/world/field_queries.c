// SPDX-License-Identifier: MIT
// Questions to field bodies, sensors, filters, sleep, changes and drawing: as for all bodies.

#include "field_scene.h"

// A ray through the hole of a ring meets nothing; one at its tube does, and one from inside is
// blocked at once.
static void rays_go_through_the_hole_of_a_ring(test *t)
{
	field_scene f;
	field_scene_open(&f, 1);
	rbl_mesh *ring = field_ring(0.5, 0.1);
	rbl_body_id body = field_scene_add(&f, ring, 0.0f, 1.0f, 0.0f);
	rbl_vec3 down = { 0.0f, -2.0f, 0.0f };
	rbl_world_hit hit;
	CHECK(t, !rbl_world_cast_ray(f.s.world, (rbl_vec3){ 0.0f, 2.0f, 0.0f }, down, NULL, &hit));
	CHECK(t, rbl_world_cast_ray(f.s.world, (rbl_vec3){ 0.5f, 2.0f, 0.0f }, down, NULL, &hit));
	CHECK(t, hit.body.index == body.index && hit.part == 0);
	CHECK_NEAR(t, (double)hit.point.y, 1.1, 0.003);
	CHECK(t, hit.normal.y > 0.98f);
	CHECK(t, rbl_world_cast_ray(f.s.world, (rbl_vec3){ 0.5f, 1.0f, 0.0f }, down, NULL, &hit));
	CHECK(t, hit.fraction == 0.0f && hit.distance < 0.0f);
	CHECK(t, rbl_world_is_ray_blocked(f.s.world, (rbl_vec3){ -0.5f, 2.0f, 0.0f }, down, NULL));
	rbl_collider_def of = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	of.radius = 0.05f;
	rbl_collider *ball = NULL;
	CHECK(t, rbl_create_collider(&of, &ball) == RBL_OK);
	rbl_transform pose = rbl_transform_identity();
	pose.position = (rbl_vec3){ 0.0f, 1.0f, 0.0f };
	CHECK(t, rbl_world_overlap_collider(f.s.world, ball, pose, NULL, &hit, 1) == 0);
	pose.position.x = 0.5f; // wholly inside of the tube
	CHECK(t, rbl_world_overlap_collider(f.s.world, ball, pose, NULL, &hit, 1) == 1);
	pose.position.y = 2.0f;
	CHECK(t, rbl_world_cast_collider(f.s.world, ball, pose, down, NULL, &hit));
	CHECK_NEAR(t, (double)hit.fraction, 0.425, 0.003);
	rbl_destroy_collider(ball);
	rbl_destroy_mesh(ring);
	field_scene_close(&f);
}

// A ball that falls through a ring which is a sensor does not enter it; one that meets it does.
static void a_sensor_ring_notices_what_touches_it(test *t)
{
	for (int i = 0; i < 2; ++i) {
		field_scene f;
		field_scene_open(&f, 1);
		rbl_mesh *ring = field_ring(0.5, 0.1), *pebble = field_ball(0.05);
		rbl_body_def def = field_body(ring, 0.0f, 0.0f, 0.0f);
		def.kind = RBL_BODY_STATIC;
		def.is_sensor = true;
		rbl_create_body(f.s.world, &def);
		float x = i == 0 ? 0.0f : 0.5f;
		rbl_collider_def of = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
		of.radius = 0.05f;
		rbl_collider *ball = NULL;
		CHECK(t, rbl_create_collider(&of, &ball) == RBL_OK);
		scene_add(&f.s, ball, x, 0.5f, 0.0f);
		field_scene_add(&f, pebble, -x, 0.5f, 0.0f);
		int begins = 0, ends = 0;
		for (int step = 0; step < 60; ++step) {
			rbl_world_step(f.s.world, 1.0f / 60.0f);
			rbl_events events = rbl_world_get_events(f.s.world);
			for (int k = 0; k < events.sensor_count; ++k)
				events.sensors[k].is_inside ? begins++ : ends++;
		}
		CHECK(t, begins == 2 * i && ends == 2 * i);
		rbl_destroy_mesh(ring);
		rbl_destroy_mesh(pebble);
		field_scene_close(&f);
		rbl_destroy_collider(ball);
	}
}

static void filters_and_events_hold_for_fields(test *t)
{
	field_scene f;
	field_scene_open(&f, 1);
	rbl_mesh *plate = field_plate();
	rbl_body_id ground = field_scene_ground(&f);
	rbl_body_def def = field_body(plate, 0.0f, 0.05f, 0.0f);
	rbl_body_id lies = rbl_create_body(f.s.world, &def);
	def.pose.position.x = 0.5f;
	def.filter.mask = 0;
	rbl_body_id falls = rbl_create_body(f.s.world, &def);
	int begins = 0;
	for (int i = 0; i < 60; ++i) {
		rbl_world_step(f.s.world, 1.0f / 60.0f);
		rbl_events events = rbl_world_get_events(f.s.world);
		begins += events.begin_count;
		for (int k = 0; k < events.begin_count; ++k)
			CHECK(t, events.begins[k].body_a.index == ground.index &&
			             events.begins[k].body_b.index == lies.index);
	}
	CHECK(t, begins == 1);
	CHECK(t, fabsf(field_lowest(&f, lies)) < 0.001f && field_lowest(&f, falls) < -1.0f);
	rbl_contact contacts[16];
	int count = rbl_body_get_contacts(f.s.world, lies, contacts, 16);
	float per_substep = 9.81f / (60.0f * (float)rbl_default_world_def().substep_count);
	float impulse = 0.0f, weight = rbl_body_get_mass(f.s.world, lies).mass * per_substep;
	for (int i = 0; i < count; ++i)
		impulse += contacts[i].impulse;
	CHECK(t, count > 0 && fabsf(impulse / weight - 1.0f) < 0.1f);
	rbl_destroy_mesh(plate);
	field_scene_close(&f);
}

// What sleeps wakes when something lands on it or is taken from under it; both kinds change.
static void field_bodies_sleep_wake_and_change(test *t)
{
	field_scene f;
	field_scene_open(&f, 1);
	rbl_mesh *plate = field_plate();
	rbl_body_id ground = field_scene_ground(&f);
	rbl_body_id lower = field_scene_add(&f, plate, 0.0f, 0.01f, 0.0f);
	for (int i = 0; i < 120; ++i)
		rbl_world_step(f.s.world, 1.0f / 60.0f);
	CHECK(t, !rbl_body_is_awake(f.s.world, lower));
	rbl_body_id upper = field_scene_add(&f, plate, 0.01f, 0.1f, 0.0f);
	bool woke = false;
	for (int i = 0; i < 200; ++i) {
		rbl_world_step(f.s.world, 1.0f / 60.0f);
		woke |= rbl_body_is_awake(f.s.world, lower);
	}
	CHECK(t, woke);
	CHECK(t, !rbl_body_is_awake(f.s.world, lower) && !rbl_body_is_awake(f.s.world, upper));
	CHECK(t, rbl_body_set_kind(f.s.world, lower, RBL_BODY_STATIC) == RBL_OK);
	CHECK(t, rbl_body_set_kind(f.s.world, lower, RBL_BODY_DYNAMIC) == RBL_OK);
	CHECK(t, rbl_body_set_enabled(f.s.world, upper, false) == RBL_OK);
	CHECK(t, rbl_body_set_enabled(f.s.world, upper, true) == RBL_OK);
	CHECK(t, rbl_world_shift_origin(f.s.world, (rbl_vec3){ 64.0f, 0.0f, -64.0f }) == RBL_OK);
	for (int i = 0; i < 120; ++i)
		rbl_world_step(f.s.world, 1.0f / 60.0f);
	CHECK(t, fabsf(field_lowest(&f, lower)) < 0.001f);
	CHECK(t, field_lowest(&f, upper) > 0.004f && field_lowest(&f, upper) < 0.02f);
	CHECK(t, rbl_destroy_body(f.s.world, ground) == RBL_OK);
	for (int i = 0; i < 30; ++i)
		rbl_world_step(f.s.world, 1.0f / 60.0f);
	CHECK(t, field_lowest(&f, upper) < -0.5f);
	rbl_destroy_mesh(plate);
	field_scene_close(&f);
}

typedef struct drawn {
	int lines, points;
} drawn;

static void count_line(void *user, rbl_vec3 a, rbl_vec3 b, uint32_t color)
{
	(void)a, (void)b, (void)color;
	((drawn *)user)->lines++;
}

static void count_point(void *user, rbl_vec3 p, float size, uint32_t color)
{
	(void)p, (void)size, (void)color;
	((drawn *)user)->points++;
}

// What is drawn of a field, by its colors.
typedef struct drawn_field {
	int normals, rings;          // lines
	int points, inside, outside; // the last two of the slice
	float slice_lower, slice_upper;
	float longest; // normal
} drawn_field;

static void sort_line(void *user, rbl_vec3 a, rbl_vec3 b, uint32_t color)
{
	drawn_field *d = user;
	d->normals += color == 0xf0f060;
	d->rings += color == 0x306030;
	if (color == 0xf0f060)
		d->longest = rbl_maxf(d->longest, rbl_distance(a, b));
}

static void sort_point(void *user, rbl_vec3 p, float size, uint32_t color)
{
	drawn_field *d = user;
	(void)size;
	if (color == 0xf0f060) {
		d->points++;
		return;
	}
	d->inside += color == 0x3060e0;
	d->outside += color == 0xe06030;
	d->slice_lower = rbl_minf(d->slice_lower, p.z);
	d->slice_upper = rbl_maxf(d->slice_upper, p.z);
}

static void points_normals_spheres_and_a_slice_are_drawn(test *t)
{
	field_scene f;
	field_scene_open(&f, 1);
	rbl_mesh *ring = field_ring(0.5, 0.1);
	field_scene_add(&f, ring, 0.0f, 1.0f, 2.0f);
	drawn_field d = { .slice_lower = FLT_MAX, .slice_upper = -FLT_MAX };
	rbl_draw draw = { .line = sort_line,
		              .point = sort_point,
		              .user = &d,
		              .flags = RBL_DRAW_FIELDS,
		              .box = { { 1.0f, 1.0f, 1.0f }, { 0.0f, 0.0f, 0.0f } } };
	CHECK(t, rbl_world_draw(f.s.world, &draw) == RBL_OK);
	CHECK(t, d.points >= rbl_mesh_get_data(ring).vertex_count && d.normals == d.points);
	CHECK(t, d.longest > 0.01f && d.longest < 0.1f);
	CHECK(t, d.rings >= 3 * 8);
	CHECK(t, d.inside > 10 && d.outside > d.inside);
	CHECK(t, fabsf(d.slice_lower - 2.0f) < 1e-3f && fabsf(d.slice_upper - 2.0f) < 1e-3f);
	rbl_destroy_mesh(ring);
	field_scene_close(&f);
}

static void fields_are_drawn(test *t)
{
	field_scene f;
	field_scene_open(&f, 1);
	rbl_mesh *ring = field_ring(0.5, 0.1);
	field_scene_add(&f, ring, 0.0f, 1.0f, 0.0f);
	drawn triangles = { 0, 0 }, field = { 0, 0 };
	rbl_draw draw = { .line = count_line,
		              .point = count_point,
		              .user = &triangles,
		              .flags = RBL_DRAW_PARTS,
		              .box = { { 1.0f, 1.0f, 1.0f }, { 0.0f, 0.0f, 0.0f } } };
	CHECK(t, rbl_world_draw(f.s.world, &draw) == RBL_OK);
	CHECK(t, triangles.lines == 3 * rbl_mesh_triangle_count(ring));
	draw.user = &field;
	draw.flags = RBL_DRAW_FIELDS;
	CHECK(t, rbl_world_draw(f.s.world, &draw) == RBL_OK);
	int vertices = rbl_mesh_get_data(ring).vertex_count;
	CHECK(t, field.lines > vertices && field.points > vertices + 100);
	scene_add(&f.s, f.s.box, 3.0f, 0.0f, 0.0f); // has none
	drawn again = { 0, 0 };
	draw.user = &again;
	CHECK(t, rbl_world_draw(f.s.world, &draw) == RBL_OK);
	CHECK(t, again.lines == field.lines && again.points == field.points);
	rbl_destroy_mesh(ring);
	field_scene_close(&f);
}

TEST_MAIN(TEST(rays_go_through_the_hole_of_a_ring), TEST(a_sensor_ring_notices_what_touches_it),
          TEST(filters_and_events_hold_for_fields), TEST(field_bodies_sleep_wake_and_change),
          TEST(fields_are_drawn), TEST(points_normals_spheres_and_a_slice_are_drawn))
