// SPDX-License-Identifier: MIT
// Sweeps by fields are never late, thin walls are not passed, and rays end on the surface.
// ctest: soak

#include "base/math.h"
#include "base/random.h"
#include "base/vec.h"
#include "collide/collide.h"

#include "exact.h"
#include "faulty_allocator.h"
#include "shapes.h"

#include <rubble/rubble.h>

static char last_line[300];

static void keep_line(void *user, rbl_log_level level, const char *text)
{
	(void)user, (void)level;
	snprintf(last_line, sizeof last_line, "%s", text);
}

#define CHECK_REFUSED(t, call, wanted, word) \
	do {                                     \
		rbl_set_log(keep_line, NULL);        \
		CHECK(t, (call) == (wanted));        \
		CHECK(t, strstr(last_line, word));   \
		rbl_set_log(NULL, NULL);             \
	} while (0)

typedef struct thing {
	rbl_mesh *mesh;
	rbl_distance_field *field;
	rbl_field_shape *shape;
	rbl_collider *collider; // its triangles
} thing;

static thing make_thing_of(rbl_mesh *mesh, double wall)
{
	thing m = { .mesh = mesh, .field = make_field(mesh, 128, wall) };
	rbl_field_shape_def def = rbl_default_field_shape_def();
	def.mesh = m.mesh, def.field = m.field;
	rbl_create_field_shape(&def, &m.shape);
	rbl_collider_def collider_def = rbl_default_collider_def(RBL_COLLIDER_MESH);
	collider_def.mesh = mesh;
	rbl_create_collider(&collider_def, &m.collider);
	return m;
}

static thing make_thing(field_shape kind)
{
	double wall;
	rbl_mesh *mesh = make_shape(kind, &wall);
	return make_thing_of(mesh, wall);
}

static rbl_mesh *make_box_mesh(rbl_vec3d size)
{
	rbl_box_def def = rbl_default_box_def();
	rbl_mesh *mesh = NULL;
	def.size = size;
	rbl_create_box_mesh(&def, &mesh);
	return mesh;
}

static void destroy_thing(thing *m)
{
	rbl_destroy_collider(m->collider);
	rbl_destroy_field_shape(m->shape);
	rbl_destroy_distance_field(m->field);
	rbl_destroy_mesh(m->mesh);
}

static rbl_collider *make_box(rbl_vec3 half_size)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	def.half_size = half_size;
	rbl_collider *collider = NULL;
	rbl_create_collider(&def, &collider);
	return collider;
}

static rbl_collider *make_ball(float radius)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	def.radius = radius;
	rbl_collider *collider = NULL;
	rbl_create_collider(&def, &collider);
	return collider;
}

static rbl_field_contacts *make_work(test *t)
{
	rbl_field_contacts *work = NULL;
	CHECK(t, rbl_create_field_contacts(NULL, &work) == RBL_OK);
	return work;
}

static rbl_quat random_rotation(rbl_random *random, float most)
{
	rbl_vec3 axis = rbl_to_f(rbl_normalize_d(rbl_random_in_ball(random)));
	return rbl_quat_from_axis_angle(axis, most * rbl_random_float(random));
}

// --- never late ---------------------------------------------------------------------------------

// Motions of a body of triangles past and into a convex, against the exact distance at many times.
static void check_motions(test *t, const thing *body, const rbl_collider *convex, bool body_moves)
{
	const float separation = 0.001f;
	rbl_field_contacts *work = make_work(t);
	rbl_random random = rbl_random_from_seed(17);
	float error = rbl_distance_field_get_info(body->field).surface_error;
	int hits = 0, misses = 0;
	float early = 0.0f;
	rbl_box bounds = rbl_distance_field_get_info(body->field).bounds;
	rbl_vec3 most = rbl_max(rbl_neg(bounds.lower), bounds.upper);
	double away = 0.2 + (double)rbl_length(most);
	for (int i = 0; i < test_count(10, 400); ++i) {
		rbl_transform from = { rbl_to_f(
								   rbl_scale_d(away, rbl_normalize_d(rbl_random_in_ball(&random)))),
			                   random_rotation(&random, 3.0f) };
		rbl_vec3 aim = rbl_to_f(rbl_scale_d(0.6 * away, rbl_random_in_ball(&random)));
		rbl_transform to = { rbl_lerp(from.position, aim, 1.8f),
			                 rbl_quat_mul(random_rotation(&random, 0.8f), from.rotation) };
		rbl_transform still = { { 0.01f, 0.02f, 0.0f }, random_rotation(&random, 3.0f) };
		rbl_field_side moving = { .pose = from }, target = { .pose = still };
		*(body_moves ? &moving : &target) =
			(rbl_field_side){ .shape = body->shape, .pose = body_moves ? from : still };
		(body_moves ? &target : &moving)->collider = convex;
		rbl_cast_hit hit;
		CHECK(t,
		      rbl_field_cast_motion(work, &moving, to, &target, separation, 0.0f, &hit) == RBL_OK);
		CHECK(t, hit.fraction >= 0.0f && hit.fraction <= 1.0f);
		hits += hit.is_hit, misses += !hit.is_hit;
		enum { TIMES = 150 };
		for (int k = 0; k <= TIMES; ++k) {
			float time = (float)k / TIMES;
			bool is_last = time >= hit.fraction;
			time = rbl_minf(time, hit.fraction);
			rbl_transform pose = rbl_collide_pose_at(from, to, time);
			rbl_separation gap;
			rbl_collider_distance(body->collider, body_moves ? pose : still, convex,
			                      body_moves ? still : pose, FLT_MAX, &gap);
			// The triangles of a body are hollow: only its first touch is told exactly.
			bool is_late = gap.distance <= (hit.is_hit ? 0.0f : -separation - error);
			CHECK(t, !is_late);
			if (is_late || (is_last && hit.is_hit)) {
				if (is_last)
					early = rbl_maxf(early, gap.distance);
				break;
			}
		}
		if (hit.is_hit) {
			CHECK_NEAR(t, rbl_length(hit.normal), 1.0f, 1e-4f);
			CHECK(t, rbl_dot(hit.normal, rbl_sub(to.position, from.position)) < 0.2f);
		}
	}
	printf("%d hits, %d misses, stopped at most %.2f mm away\n", hits, misses, 1e3 * (double)early);
	CHECK(t, hits > 2);
	// The middle of a ball is far out, where fields are coarse.
	float share = rbl_collider_kind_of(convex) == RBL_COLLIDER_SPHERE ? 4.0f : 2.0f;
	CHECK(t, early <= 1.2f * separation + share * error + 1e-4f);
	rbl_destroy_field_contacts(work);
}

static void sweeps_are_never_later_than_the_first_touch(test *t)
{
	const field_shape kinds[3] = { SHAPE_MUG, SHAPE_TORUS, SHAPE_BOX };
	rbl_collider *box = make_box((rbl_vec3){ 0.1f, 0.06f, 0.03f }), *ball = make_ball(0.05f);
	for (int i = 0; i < 3; ++i) {
		thing body = make_thing(kinds[i]);
		check_motions(t, &body, i == 1 ? ball : box, true);
		check_motions(t, &body, i == 2 ? ball : box, false);
		destroy_thing(&body);
	}
	rbl_destroy_collider(ball);
	rbl_destroy_collider(box);
}

// --- thin walls ---------------------------------------------------------------------------------

// A square of two triangles in the plane z = 0.
static rbl_collider *make_sheet(bool looks_back)
{
	const rbl_vec3d corners[4] = {
		{ -1.0, -1.0, 0.0 }, { 1.0, -1.0, 0.0 }, { 1.0, 1.0, 0.0 }, { -1.0, 1.0, 0.0 }
	};
	const int starts[3] = { 0, 3, 6 };
	const int front[6] = { 0, 1, 2, 0, 2, 3 }, back[6] = { 2, 1, 0, 3, 2, 0 };
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data.positions = corners, def.data.vertex_count = 4, def.data.corner_count = 6;
	def.data.face_starts = starts, def.data.face_count = 2;
	def.data.corner_vertices = looks_back ? back : front;
	rbl_mesh *mesh = NULL;
	rbl_collider *collider = NULL;
	rbl_create_mesh(&def, &mesh);
	rbl_collider_def collider_def = rbl_default_collider_def(RBL_COLLIDER_MESH);
	collider_def.mesh = mesh;
	rbl_create_collider(&collider_def, &collider);
	rbl_destroy_mesh(mesh);
	return collider;
}

// A wall 5 mm thick across z, as everything that it can be, against 8 m/s in steps of 1/60 s.
static void a_wall_of_five_millimetres_is_not_passed_at_eight_metres_a_second(test *t)
{
	thing plate = make_thing(SHAPE_PLATE);
	thing wall = make_thing_of(make_box_mesh((rbl_vec3d){ 0.5, 0.5, 0.005 }), 0.005);
	rbl_collider *box = make_box((rbl_vec3){ 0.25f, 0.25f, 0.0025f });
	rbl_collider *sheets[2] = { make_sheet(false), make_sheet(true) };
	rbl_field_contacts *work = make_work(t);
	rbl_field_side targets[5] = { { .shape = wall.shape },
		                          { .collider = box },
		                          { .collider = wall.collider },
		                          { .collider = sheets[0] },
		                          { .collider = sheets[1] } };
	rbl_random random = rbl_random_from_seed(4);
	const float step = 8.0f / 60.0f;
	for (int i = 0; i < test_count(60, 3000); ++i) {
		rbl_field_side target = targets[i % 5];
		target.pose.rotation = rbl_quat_identity();
		float side = i % 2 ? 1.0f : -1.0f;
		rbl_quat rotation = random_rotation(&random, 3.0f);
		// As far off as a plate may be at the beginning of the step that brings it to the wall.
		float start = 0.0f;
		rbl_mesh_data mesh = rbl_mesh_get_data(plate.mesh);
		for (int v = 0; v < mesh.vertex_count; ++v)
			start = rbl_maxf(start, -side * rbl_rotate(rotation, rbl_to_f(mesh.positions[v])).z);
		start += 0.0025f + step * rbl_random_float(&random);
		rbl_field_side moving = { .shape = plate.shape,
			                      .pose = { { 0.02f, 0.03f, side * start }, rotation } };
		bool is_through = true;
		for (int n = 0; n < 4 && is_through; ++n) {
			rbl_transform to = moving.pose;
			to.position.z -= side * step;
			to.rotation = rbl_quat_mul(random_rotation(&random, 0.1f), to.rotation);
			rbl_cast_hit hit;
			CHECK(t,
			      rbl_field_cast_motion(work, &moving, to, &target, 0.001f, 0.0f, &hit) == RBL_OK);
			if (hit.is_hit) {
				is_through = false;
				CHECK(t, side * hit.normal.z > 0.5f);
			}
			moving.pose = to;
		}
		if (is_through)
			printf("through target %d in run %d\n", i % 5, i);
		CHECK(t, !is_through);
	}
	rbl_destroy_field_contacts(work);
	for (int i = 0; i < 2; ++i)
		rbl_destroy_collider(sheets[i]);
	rbl_destroy_collider(box);
	destroy_thing(&wall);
	destroy_thing(&plate);
}

// Also from where it nearly touches.
static void a_plate_in_front_of_a_wall_does_not_pass_it(test *t)
{
	thing plate = make_thing(SHAPE_PLATE);
	rbl_collider *box = make_box((rbl_vec3){ 0.25f, 0.0025f, 0.25f });
	rbl_field_contacts *work = make_work(t);
	float foot = rbl_distance_field_get_info(plate.field).bounds.lower.y;
	for (int i = -4; i <= 10; ++i) {
		float gap = 0.0002f * (float)i;
		rbl_field_side target = { .collider = box, .pose = rbl_transform_identity() };
		rbl_field_side moving = { .shape = plate.shape,
			                      .pose = { { 0.0f, 0.0025f - foot + gap, 0.0f },
			                                rbl_quat_identity() } };
		rbl_transform to = moving.pose;
		to.position.y -= 8.0f / 60.0f;
		rbl_cast_hit hit;
		CHECK(t, rbl_field_cast_motion(work, &moving, to, &target, 0.001f, 0.0f, &hit) == RBL_OK);
		CHECK(t, hit.is_hit && hit.fraction < 0.02f && hit.normal.y > 0.9f);
	}
	rbl_destroy_field_contacts(work);
	rbl_destroy_collider(box);
	destroy_thing(&plate);
}

// A plate that stands on its edge in front of a wall topples onto it. The edge goes in first, by a
// millimetre or two, which is allowed; it is the rest that must not pass.
static void who_dips_in_a_little_does_not_hide_who_comes_round(test *t)
{
	const float depth = 0.003f, tilt = 0.3f;
	thing plate = make_thing(SHAPE_PLATE);
	rbl_collider *box = make_box((rbl_vec3){ 0.5f, 0.0025f, 0.5f });
	rbl_field_contacts *work = make_work(t);
	rbl_vec3 x = { 1.0f, 0.0f, 0.0f };
	rbl_box bounds = rbl_distance_field_get_info(plate.field).bounds;
	rbl_vec3 edge = { 0.0f, bounds.lower.y, 0.075f };
	rbl_field_side target = { .collider = box, .pose = rbl_transform_identity() };
	rbl_field_side moving = { .shape = plate.shape,
		                      .pose = { .rotation = rbl_quat_from_axis_angle(x, tilt) } };
	moving.pose.position.y = 0.0025f - rbl_rotate(moving.pose.rotation, edge).y;
	rbl_transform to = { .rotation = rbl_quat_from_axis_angle(x, -0.2f * tilt) };
	to.position.y = 0.0002f - rbl_rotate(to.rotation, edge).y;
	rbl_cast_hit hit;
	CHECK(t, rbl_field_cast_motion(work, &moving, to, &target, 0.001f, 0.0f, &hit) == RBL_OK);
	CHECK(t, hit.is_hit && hit.point.z > 0.5f * edge.z);
	float first = hit.fraction;
	CHECK(t, rbl_field_cast_motion(work, &moving, to, &target, 0.001f, depth, &hit) == RBL_OK);
	CHECK(t, hit.is_hit && hit.point.z < edge.z - 0.01f && hit.fraction > first + 0.2f);
	to = moving.pose; // no deeper than is allowed
	to.position.y -= 0.9f * depth;
	CHECK(t, rbl_field_cast_motion(work, &moving, to, &target, 0.001f, depth, &hit) == RBL_OK);
	CHECK(t, !hit.is_hit);
	rbl_destroy_field_contacts(work);
	rbl_destroy_collider(box);
	destroy_thing(&plate);
}

// How deep a point is in a box around the origin, less than zero outside.
static float depth_in_box(rbl_vec3 p, rbl_vec3 half)
{
	return rbl_minf(rbl_minf(half.x - fabsf(p.x), half.y - fabsf(p.y)), half.z - fabsf(p.z));
}

// Vertices of a body until a sweep stops it: from out of a box none gets in deeper than the sweep
// lets pass, and from within none sinks farther.
static void what_a_sweep_lets_pass_is_no_deeper_than_allowed(test *t)
{
	enum { TIMES = 60 };
	const float separation = 0.001f, depth = 0.004f;
	const rbl_vec3 half = { 0.3f, 0.03f, 0.3f };
	thing body = make_thing(SHAPE_MUG);
	rbl_collider *box = make_box(half);
	rbl_field_contacts *work = make_work(t);
	rbl_random random = rbl_random_from_seed(5);
	rbl_mesh_data data = rbl_mesh_get_data(body.mesh);
	float *first = malloc((size_t)data.vertex_count * sizeof *first), deepest = 0.0f;
	int hits = 0, misses = 0;
	for (int i = 0; i < test_count(40, 2000); ++i) { // along the floor, into it, past its edge
		rbl_transform from = { rbl_to_f(rbl_scale_d(0.3, rbl_random_in_ball(&random))),
			                   random_rotation(&random, 3.0f) };
		float low = FLT_MAX;
		for (int v = 0; v < data.vertex_count; ++v)
			low = rbl_minf(low, rbl_rotate(from.rotation, rbl_to_f(data.positions[v])).y);
		from.position.y = half.y - low + (float)rbl_random_range(&random, -0.001, 0.006);
		rbl_vec3 by = rbl_to_f(rbl_scale_d(0.15, rbl_random_in_ball(&random)));
		by.y *= 0.15f;
		rbl_transform to = { rbl_add(from.position, by),
			                 rbl_quat_mul(random_rotation(&random, 0.2f), from.rotation) };
		rbl_field_side moving = { .shape = body.shape, .pose = from };
		rbl_field_side target = { .collider = box, .pose = rbl_transform_identity() };
		rbl_cast_hit hit;
		CHECK(t,
		      rbl_field_cast_motion(work, &moving, to, &target, separation, depth, &hit) == RBL_OK);
		hits += hit.is_hit, misses += !hit.is_hit;
		for (int k = 0; k <= TIMES; ++k) {
			rbl_transform pose =
				rbl_collide_pose_at(from, to, hit.fraction * (float)k / (float)TIMES);
			for (int v = 0; v < data.vertex_count; ++v) {
				rbl_vec3 p = rbl_transform_point(pose, rbl_to_f(data.positions[v]));
				float in = depth_in_box(p, half);
				first[v] = k == 0 ? rbl_maxf(in, 0.0f) : first[v];
				deepest = rbl_maxf(deepest, in - first[v]);
			}
		}
	}
	printf("%d hits, %d misses, %.2f mm deep\n", hits, misses, 1e3 * (double)deepest);
	CHECK(t, hits > 5 && misses > 5);
	CHECK(t, deepest > 0.5f * depth && deepest < depth + separation);
	free(first);
	rbl_destroy_field_contacts(work);
	rbl_destroy_collider(box);
	destroy_thing(&body);
}

// A mug that stands on a floor slides until it comes to the wall.
static void a_sliding_mug_is_stopped_by_the_wall_and_not_by_the_floor(test *t)
{
	thing mug = make_thing(SHAPE_MUG);
	rbl_collider *floor = make_box((rbl_vec3){ 1.0f, 0.1f, 1.0f });
	rbl_collider *wall = make_box((rbl_vec3){ 0.01f, 0.2f, 1.0f });
	rbl_collider_child children[2] = {
		{ .collider = floor, .pose = { { 0.0f, -0.1f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } } },
		{ .collider = wall, .pose = { { 0.3f, 0.1f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } } }
	};
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	def.children = children, def.child_count = 2;
	rbl_collider *room = NULL;
	CHECK(t, rbl_create_collider(&def, &room) == RBL_OK);
	rbl_field_contacts *work = make_work(t);
	rbl_box bounds = rbl_distance_field_get_info(mug.field).bounds;
	for (int i = 0; i < 8; ++i) {
		float depth = 0.0003f * (float)(i - 3);
		rbl_field_side moving = { .shape = mug.shape,
			                      .pose = { { 0.0f, -bounds.lower.y - depth, 0.0f },
			                                rbl_quat_identity() } };
		rbl_field_side target = { .collider = room, .pose = rbl_transform_identity() };
		rbl_transform to = moving.pose;
		to.position.x = 0.5f;
		rbl_cast_hit hit;
		CHECK(t, rbl_field_cast_motion(work, &moving, to, &target, 0.001f, 0.0f, &hit) == RBL_OK);
		CHECK(t, hit.is_hit && hit.normal.x < -0.9f && hit.child == 1);
		CHECK_NEAR(t, 0.5f * hit.fraction, 0.29f - bounds.upper.x, 0.004f);
		to.position.x = 0.15f; // not so far
		CHECK(t, rbl_field_cast_motion(work, &moving, to, &target, 0.001f, 0.0f, &hit) == RBL_OK);
		CHECK(t, !hit.is_hit && hit.fraction == 1.0f);
	}
	rbl_destroy_field_contacts(work);
	rbl_destroy_collider(room);
	rbl_destroy_collider(wall);
	rbl_destroy_collider(floor);
	destroy_thing(&mug);
}

// Points that graze go on by strides of the separation, of which there are millions here.
static void a_slide_of_kilometres_ends(test *t)
{
	thing mug = make_thing(SHAPE_MUG);
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_PLANE);
	rbl_collider *floors[2] = { NULL, make_box((rbl_vec3){ 60000.0f, 1.0f, 2.0f }) };
	def.b = (rbl_vec3){ 0.0f, 1.0f, 0.0f };
	CHECK(t, rbl_create_collider(&def, &floors[0]) == RBL_OK);
	rbl_collider_child child = { .collider = floors[1],
		                         .pose = { { 0.0f, -1.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } } };
	rbl_collider *compound = NULL;
	def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	def.children = &child, def.child_count = 1;
	CHECK(t, rbl_create_collider(&def, &compound) == RBL_OK);
	const rbl_collider *targets[2] = { floors[0], compound };
	rbl_field_contacts *work = make_work(t);
	rbl_box bounds = rbl_distance_field_get_info(mug.field).bounds;
	for (int i = 0; i < 2; ++i) {
		rbl_field_side moving = { .shape = mug.shape,
			                      .pose = { { 0.0f, -bounds.lower.y - 0.0003f, 0.0f },
			                                rbl_quat_identity() } };
		rbl_field_side target = { .collider = targets[i], .pose = rbl_transform_identity() };
		rbl_transform to = moving.pose;
		to.position.x = 50000.0f;
		rbl_cast_hit hit;
		CHECK(t, rbl_field_cast_motion(work, &moving, to, &target, 0.0005f, 0.0f, &hit) == RBL_OK);
		CHECK(t, !hit.is_hit);
		to.position.y = -50000.0f; // and into it
		CHECK(t, rbl_field_cast_motion(work, &moving, to, &target, 0.0005f, 0.0f, &hit) == RBL_OK);
		CHECK(t, hit.is_hit && hit.fraction < 1e-3f);
	}
	rbl_destroy_field_contacts(work);
	rbl_destroy_collider(compound);
	rbl_destroy_collider(floors[0]), rbl_destroy_collider(floors[1]);
	destroy_thing(&mug);
}

// --- rays ---------------------------------------------------------------------------------------

// The end is as near to the surface as the field's error, and nothing before it is deeper inside.
static void check_ray(test *t, const thing *body, const exact_mesh *exact, rbl_random *random)
{
	rbl_distance_field_info info = rbl_distance_field_get_info(body->field);
	double size = (double)rbl_length(rbl_box_size(info.bounds));
	double error = (double)info.surface_error + 1e-5;
	rbl_transform pose = { { 0.3f, 0.1f, -0.2f }, random_rotation(random, 3.0f) };
	rbl_vec3 middle = rbl_transform_point(pose, rbl_box_centre(info.bounds));
	rbl_vec3d out = rbl_normalize_d(rbl_random_in_ball(random));
	rbl_vec3 from = rbl_add(middle, rbl_to_f(rbl_scale_d(size, out)));
	rbl_vec3 aim = rbl_add(middle, rbl_to_f(rbl_scale_d(0.4 * size, rbl_random_in_ball(random))));
	rbl_vec3 along = rbl_scale(2.0f, rbl_sub(aim, from));
	rbl_cast_hit hit;
	CHECK(t, rbl_field_shape_cast_ray(body->shape, pose, from, along, &hit) == RBL_OK);
	if (hit.is_hit) {
		rbl_vec3 local = rbl_transform_point_inverse(pose, hit.point);
		CHECK(t, fabs(exact_distance(exact, rbl_to_d(local))) <= error);
		CHECK_NEAR(t, rbl_length(hit.normal), 1.0f, 1e-4f);
	}
	for (int i = 0; i < 60; ++i) {
		rbl_vec3 p = rbl_add_scaled(from, hit.fraction * rbl_random_float(random), along);
		rbl_vec3 local = rbl_transform_point_inverse(pose, p);
		CHECK(t, exact_distance(exact, rbl_to_d(local)) >= -error);
	}
}

static void rays_end_on_the_surface(test *t)
{
	for (int kind = 0; kind < FIELD_SHAPE_COUNT; ++kind) {
		thing body = make_thing((field_shape)kind);
		exact_mesh exact = exact_from_mesh(body.mesh);
		rbl_random random = rbl_random_from_seed(2);
		for (int i = 0; i < test_count(60, 2000); ++i)
			check_ray(t, &body, &exact, &random);
		rbl_cast_hit hit;
		rbl_vec3 none = { 0.0f, 0.0f, 0.0f };
		CHECK(t, rbl_field_shape_cast_ray(body.shape, rbl_transform_identity(),
		                                  (rbl_vec3){ 9.0f, 9.0f, 9.0f }, none, &hit) == RBL_OK);
		CHECK(t, !hit.is_hit);
		exact_free(&exact);
		destroy_thing(&body);
	}
}

static void a_ray_from_inside_hits_where_it_starts(test *t)
{
	thing box = make_thing(SHAPE_BOX);
	rbl_vec3 middle = rbl_box_centre(rbl_distance_field_get_info(box.field).bounds);
	rbl_cast_hit hit;
	CHECK(t, rbl_field_shape_cast_ray(box.shape, rbl_transform_identity(), middle,
	                                  (rbl_vec3){ 0.0f, 1.0f, 0.0f }, &hit) == RBL_OK);
	CHECK(t, hit.is_hit && hit.fraction == 0.0f && rbl_length(hit.normal) == 0.0f);
	destroy_thing(&box);
}

// --- input and memory ---------------------------------------------------------------------------

static void bad_casts_are_refused_with_a_sentence(test *t)
{
	thing mug = make_thing(SHAPE_MUG);
	rbl_collider *ball = make_ball(0.1f);
	rbl_field_contacts *work = make_work(t);
	rbl_transform to = rbl_transform_identity();
	rbl_field_side a = { .shape = mug.shape, .pose = to }, b = a;
	rbl_field_side both = { .collider = ball, .pose = to };
	rbl_cast_hit hit;
	CHECK_REFUSED(t, rbl_field_cast_motion(NULL, &a, to, &b, 0.001f, 0.0f, &hit), RBL_BAD_ARGUMENT,
	              "contacts");
	CHECK_REFUSED(t, rbl_field_cast_motion(work, &a, to, &b, 0.001f, 0.0f, NULL), RBL_BAD_ARGUMENT,
	              "hit");
	CHECK_REFUSED(t, rbl_field_cast_motion(work, &a, to, &b, 0.0f, 0.0f, &hit), RBL_BAD_ARGUMENT,
	              "separation");
	CHECK_REFUSED(t, rbl_field_cast_motion(work, &a, to, &b, 0.1f, -0.1f, &hit), RBL_BAD_ARGUMENT,
	              "depth");
	CHECK_REFUSED(t, rbl_field_cast_motion(work, &both, to, &both, 0.1f, 0.0f, &hit),
	              RBL_BAD_ARGUMENT, "neither");
	to.position.x = NAN;
	CHECK_REFUSED(t, rbl_field_cast_motion(work, &a, to, &b, 0.1f, 0.0f, &hit), RBL_BAD_ARGUMENT,
	              "last pose");
	to.position.x = 0.0f;
	both.collider = mug.collider;
	CHECK_REFUSED(t, rbl_field_cast_motion(work, &both, to, &b, 0.1f, 0.0f, &hit), RBL_UNSUPPORTED,
	              "cannot be cast");
	CHECK_REFUSED(t, rbl_field_shape_cast_ray(NULL, to, to.position, to.position, &hit),
	              RBL_BAD_ARGUMENT, "shape is NULL");
	CHECK_REFUSED(
		t,
		rbl_field_shape_cast_ray(mug.shape, to, (rbl_vec3){ NAN, 0.0f, 0.0f }, to.position, &hit),
		RBL_BAD_ARGUMENT, "not finite");
	rbl_destroy_field_contacts(work);
	rbl_destroy_collider(ball);
	destroy_thing(&mug);
}

static void memory_may_run_out(test *t)
{
	thing mug = make_thing(SHAPE_MUG);
	for (int n = 0;; ++n) {
		faulty_allocator counter;
		faulty_init(&counter, n);
		rbl_allocator allocator = FAULTY(&counter);
		rbl_field_contacts *work = NULL;
		rbl_cast_hit hit = { .is_hit = false };
		rbl_result result = rbl_create_field_contacts(&allocator, &work);
		if (result == RBL_OK) {
			rbl_field_side a = { .shape = mug.shape,
				                 .pose = { { 0.0f, 0.4f, 0.0f }, rbl_quat_identity() } };
			rbl_field_side b = { .collider = mug.collider, .pose = rbl_transform_identity() };
			result = rbl_field_cast_motion(work, &a, b.pose, &b, 0.001f, 0.0f, &hit);
			CHECK(t, (result == RBL_OK) == hit.is_hit);
		}
		rbl_destroy_field_contacts(work);
		CHECK(t, counter.live_bytes == 0);
		if (!counter.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
	destroy_thing(&mug);
}

TEST_MAIN(TEST(sweeps_are_never_later_than_the_first_touch),
          TEST(a_wall_of_five_millimetres_is_not_passed_at_eight_metres_a_second),
          TEST(a_plate_in_front_of_a_wall_does_not_pass_it),
          TEST(who_dips_in_a_little_does_not_hide_who_comes_round),
          TEST(what_a_sweep_lets_pass_is_no_deeper_than_allowed),
          TEST(a_sliding_mug_is_stopped_by_the_wall_and_not_by_the_floor),
          TEST(a_slide_of_kilometres_ends), TEST(rays_end_on_the_surface),
          TEST(a_ray_from_inside_hits_where_it_starts), TEST(bad_casts_are_refused_with_a_sentence),
          TEST(memory_may_run_out))
