// SPDX-License-Identifier: MIT
// Contacts of bodies by their fields with colliders: spheres, capsules, boxes, convexes, compounds,
// meshes and height fields.
// ctest: soak

#include "base/math.h"
#include "base/random.h"
#include "base/vec.h"

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

// --- colliders ----------------------------------------------------------------------------------

static rbl_collider *make_ball(float radius)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_SPHERE);
	def.radius = radius;
	rbl_collider *collider = NULL;
	rbl_create_collider(&def, &collider);
	return collider;
}

static rbl_collider *make_capsule(rbl_vec3 a, rbl_vec3 b, float radius)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_CAPSULE);
	def.a = a, def.b = b, def.radius = radius;
	rbl_collider *collider = NULL;
	rbl_create_collider(&def, &collider);
	return collider;
}

static rbl_collider *make_box(rbl_vec3 half_size)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_BOX);
	def.half_size = half_size;
	rbl_collider *collider = NULL;
	rbl_create_collider(&def, &collider);
	return collider;
}

// What some random planes leave of a box.
static rbl_collider *make_hull(uint64_t seed, double radius)
{
	rbl_random random = rbl_random_from_seed(seed);
	rbl_planed planes[14];
	for (int i = 0; i < 14; ++i)
		planes[i] = (rbl_planed){ rbl_normalize_d(rbl_random_in_ball(&random)),
			                      radius * rbl_random_range(&random, 0.6, 1.0) };
	rbl_convex_def convex_def = rbl_default_convex_def();
	convex_def.planes = planes, convex_def.plane_count = 14;
	rbl_convex *convex = NULL;
	rbl_collider *collider = NULL;
	rbl_create_convex(&convex_def, &convex);
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_CONVEX);
	def.convex = convex;
	rbl_create_collider(&def, &collider);
	rbl_destroy_convex(convex);
	return collider;
}

static rbl_collider *make_mesh_collider(const rbl_mesh *mesh)
{
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_MESH);
	def.mesh = mesh;
	rbl_collider *collider = NULL;
	rbl_create_collider(&def, &collider);
	return collider;
}

// Flat, or waves; its middle is at the origin of the returned pose.
static rbl_collider *make_ground(float wave, float cell)
{
	enum { SIDE = 41 };
	static float heights[SIDE * SIDE];
	for (int i = 0; i < SIDE * SIDE; ++i)
		heights[i] = wave * rbl_sinf(0.9f * (float)(i % SIDE)) * rbl_cosf(0.7f * (float)(i / SIDE));
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_HEIGHT_FIELD);
	def.heights = heights, def.column_count = SIDE, def.row_count = SIDE, def.cell_size = cell;
	rbl_collider *collider = NULL;
	rbl_create_collider(&def, &collider);
	return collider;
}

// --- shapes -------------------------------------------------------------------------------------

typedef struct thing {
	rbl_mesh *mesh;
	rbl_distance_field *field;
	rbl_field_shape *shape;
} thing;

static thing make_thing(field_shape kind)
{
	thing m = { 0 };
	double wall;
	m.mesh = make_shape(kind, &wall);
	m.field = make_field(m.mesh, 128, wall);
	rbl_field_shape_def def = rbl_default_field_shape_def();
	def.mesh = m.mesh, def.field = m.field;
	rbl_create_field_shape(&def, &m.shape);
	return m;
}

static void destroy_thing(thing *m)
{
	rbl_destroy_field_shape(m->shape);
	rbl_destroy_distance_field(m->field);
	rbl_destroy_mesh(m->mesh);
}

static rbl_field_side side_of(const rbl_field_shape *shape, rbl_vec3 position)
{
	return (rbl_field_side){ .shape = shape, .pose = { position, { 0.0f, 0.0f, 0.0f, 1.0f } } };
}

static rbl_field_side collider_side(const rbl_collider *collider, rbl_vec3 position)
{
	return (rbl_field_side){ .collider = collider,
		                     .pose = { position, { 0.0f, 0.0f, 0.0f, 1.0f } } };
}

static rbl_field_contacts *make_work(test *t)
{
	rbl_field_contacts *work = NULL;
	CHECK(t, rbl_create_field_contacts(NULL, &work) == RBL_OK);
	return work;
}

// --- distances ----------------------------------------------------------------------------------

enum { CLOUD = 400 };

// Points of a cloud against a collider: all of them, with their separations.
// @param separations  by point; INFINITY for those that are no contacts
static void measure_cloud(test *t, rbl_field_contacts *work, const rbl_vec3 *cloud,
                          const rbl_collider *collider, rbl_transform pose, float *separations,
                          rbl_vec3 *normals)
{
	rbl_field_shape_def def = rbl_default_field_shape_def();
	def.positions = cloud, def.count = CLOUD;
	rbl_field_shape *shape = NULL;
	CHECK(t, rbl_create_field_shape(&def, &shape) == RBL_OK);
	rbl_field_contact_settings settings = rbl_default_field_contact_settings();
	settings.selection = RBL_SELECT_FULL;
	settings.tolerance = 10.0f;
	rbl_field_side a = side_of(shape, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	rbl_field_side b = { .collider = collider, .pose = pose };
	rbl_field_contact_list list;
	CHECK(t, rbl_field_contacts_find(work, &a, &b, &settings, NULL, &list) == RBL_OK);
	for (int i = 0; i < CLOUD; ++i)
		separations[i] = INFINITY;
	for (int i = 0; i < list.point_count; ++i) {
		separations[list.points[i].id] = list.points[i].separation;
		normals[list.points[i].id] = list.points[i].normal;
	}
	rbl_destroy_field_shape(shape);
}

// Reference: GJK outside; inside, moving the point out as told brings it to the surface.
static void check_convex_distances(test *t, const rbl_collider *collider)
{
	static rbl_vec3 cloud[CLOUD], normals[CLOUD];
	static float separations[CLOUD];
	rbl_field_contacts *work = make_work(t);
	rbl_collider *dot = make_ball(1e-4f);
	rbl_random random = rbl_random_from_seed(3);
	rbl_transform pose = { { 0.02f, -0.03f, 0.01f },
		                   rbl_quat_from_axis_angle(rbl_normalize((rbl_vec3){ 1.0f, 2.0f, -1.0f }),
		                                            0.7f) };
	for (int i = 0; i < CLOUD; ++i)
		cloud[i] = rbl_to_f(rbl_scale_d(0.3, rbl_random_in_ball(&random)));
	measure_cloud(t, work, cloud, collider, pose, separations, normals);
	int inside = 0;
	for (int i = 0; i < CLOUD; ++i) {
		rbl_separation gap;
		rbl_transform at = { cloud[i], { 0.0f, 0.0f, 0.0f, 1.0f } };
		CHECK(t, rbl_collider_distance(dot, at, collider, pose, FLT_MAX, &gap) == RBL_OK);
		CHECK(t, separations[i] < INFINITY);
		inside += separations[i] < 0.0f;
		if (separations[i] >= 0.0f)
			CHECK_NEAR(t, separations[i], gap.distance + 1e-4f, 2e-6f);
		else
			CHECK(t, gap.distance <= 1e-6f);
		// The normal is from the point to the collider.
		at.position = rbl_add_scaled(cloud[i], separations[i], normals[i]);
		CHECK(t, rbl_collider_distance(dot, at, collider, pose, FLT_MAX, &gap) == RBL_OK);
		CHECK_NEAR(t, gap.distance, -1e-4f, 3e-5f);
	}
	CHECK(t, inside > 5 && inside < CLOUD - 5);
	rbl_destroy_collider(dot);
	rbl_destroy_field_contacts(work);
}

static void distances_from_convex_kinds_are_exact(test *t)
{
	rbl_collider *colliders[] = { make_ball(0.12f),
		                          make_capsule((rbl_vec3){ -0.1f, 0.0f, 0.0f },
		                                       (rbl_vec3){ 0.1f, 0.05f, 0.0f }, 0.06f),
		                          make_box((rbl_vec3){ 0.2f, 0.1f, 0.07f }), make_hull(7, 0.25) };
	for (int i = 0; i < 4; ++i) {
		check_convex_distances(t, colliders[i]);
		rbl_destroy_collider(colliders[i]);
	}
}

// Of a closed mesh, a mesh collider knows inside from outside, as the exact distance does.
static void distances_from_closed_meshes_are_exact(test *t)
{
	static rbl_vec3 cloud[CLOUD], normals[CLOUD];
	static float separations[CLOUD];
	rbl_field_contacts *work = make_work(t);
	for (int kind = SHAPE_BOX; kind <= SHAPE_MUG; ++kind) {
		rbl_mesh *mesh = make_shape((field_shape)kind, NULL);
		exact_mesh exact = exact_from_mesh(mesh);
		rbl_collider *collider = make_mesh_collider(mesh);
		rbl_random random = rbl_random_from_seed(5);
		for (int i = 0; i < CLOUD; ++i)
			cloud[i] = rbl_to_f(exact_probe(&exact, &random, 0.02));
		measure_cloud(t, work, cloud, collider, rbl_transform_identity(), separations, normals);
		int wrong = 0, inside = 0;
		for (int i = 0; i < CLOUD; ++i) {
			double d = exact_distance(&exact, rbl_to_d(cloud[i]));
			wrong += !(fabs(d - (double)separations[i]) < 2e-6);
			inside += d < 0.0;
		}
		if (wrong > 0)
			printf("%s: %d wrong\n", shape_names[kind], wrong);
		CHECK(t, wrong == 0);
		CHECK(t, inside > 20);
		rbl_destroy_collider(collider);
		exact_free(&exact);
		rbl_destroy_mesh(mesh);
	}
	rbl_destroy_field_contacts(work);
}

// --- one of each --------------------------------------------------------------------------------

// A ball is measured at its centre: no vertex of a coarse box need be near.
static void a_ball_on_the_middle_of_a_face_touches_once(test *t)
{
	thing box = make_thing(SHAPE_BOX);
	rbl_collider *ball = make_ball(0.05f);
	rbl_field_contacts *work = make_work(t);
	rbl_box bounds = rbl_distance_field_get_info(box.field).bounds;
	for (int order = 0; order < 2; ++order) {
		rbl_field_side a = side_of(box.shape, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
		rbl_field_side b = collider_side(ball, (rbl_vec3){ 0.02f, bounds.upper.y + 0.048f, 0.01f });
		rbl_field_contact_list list;
		CHECK(t, rbl_field_contacts_find(work, order ? &b : &a, order ? &a : &b, NULL, NULL,
		                                 &list) == RBL_OK);
		CHECK(t, list.point_count == 1 && list.manifold_count == 1);
		CHECK_NEAR(t, list.points[0].separation, -0.002f, 1e-4f);
		CHECK_NEAR(t, list.points[0].normal.y, order ? -1.0f : 1.0f, 1e-3f);
		CHECK_NEAR(t, list.points[0].position.y, bounds.upper.y - 0.001f, 1e-4f);
		CHECK_NEAR(t, list.points[0].position.x, 0.02f, 1e-4f);
		CHECK(t, ((list.points[0].id & RBL_FIELD_POINT_OF_B) != 0) == (order == 0));
	}
	rbl_destroy_field_contacts(work);
	rbl_destroy_collider(ball);
	destroy_thing(&box);
}

static void a_capsule_lies_on_a_face_with_both_ends(test *t)
{
	thing box = make_thing(SHAPE_BOX);
	rbl_collider *capsule =
		make_capsule((rbl_vec3){ -0.06f, 0.0f, 0.0f }, (rbl_vec3){ 0.06f, 0.0f, 0.0f }, 0.02f);
	rbl_field_contacts *work = make_work(t);
	rbl_box bounds = rbl_distance_field_get_info(box.field).bounds;
	rbl_field_side a = side_of(box.shape, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	rbl_field_side b = collider_side(capsule, (rbl_vec3){ 0.0f, bounds.upper.y + 0.0195f, 0.0f });
	rbl_field_contact_list list;
	CHECK(t, rbl_field_contacts_find(work, &a, &b, NULL, NULL, &list) == RBL_OK);
	float low = 1.0f, high = -1.0f;
	for (int i = 0; i < list.point_count; ++i) {
		CHECK_NEAR(t, list.points[i].separation, -0.0005f, 1e-4f);
		low = rbl_minf(low, list.points[i].position.x);
		high = rbl_maxf(high, list.points[i].position.x);
	}
	CHECK_NEAR(t, low, -0.06f, 1e-3f);
	CHECK_NEAR(t, high, 0.06f, 1e-3f);
	rbl_destroy_field_contacts(work);
	rbl_destroy_collider(capsule);
	destroy_thing(&box);
}

// A corner, and then an edge, of a box in the middle of a coarse face.
static void corners_and_edges_of_a_box_are_points(test *t)
{
	thing slab = make_thing(SHAPE_BOX);
	rbl_collider *box = make_box((rbl_vec3){ 0.03f, 0.03f, 0.03f });
	rbl_field_contacts *work = make_work(t);
	rbl_box bounds = rbl_distance_field_get_info(slab.field).bounds;
	for (int is_edge = 0; is_edge < 2; ++is_edge) {
		float low = is_edge ? 0.03f * sqrtf(2.0f) : 0.03f * sqrtf(3.0f);
		rbl_field_side a = side_of(slab.shape, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
		rbl_field_side b =
			collider_side(box, (rbl_vec3){ 0.01f, bounds.upper.y + low - 0.001f, 0.0f });
		rbl_quat tip = rbl_quat_from_axis_angle((rbl_vec3){ 0.0f, 0.0f, 1.0f }, 0.78539816f);
		rbl_quat lean =
			rbl_quat_from_axis_angle((rbl_vec3){ 1.0f, 0.0f, 0.0f }, rbl_atan2f(1.0f, sqrtf(2.0f)));
		b.pose.rotation = is_edge ? tip : rbl_quat_mul(lean, tip);
		rbl_field_contact_list list;
		CHECK(t, rbl_field_contacts_find(work, &a, &b, NULL, NULL, &list) == RBL_OK);
		CHECK(t, is_edge ? list.point_count >= 2 : list.point_count == 1);
		for (int i = 0; i < list.point_count; ++i) {
			CHECK_NEAR(t, list.points[i].separation, -0.001f, 2e-4f);
			CHECK(t, list.points[i].normal.y > 0.99f);
			CHECK(t, list.points[i].id & RBL_FIELD_POINT_OF_B);
		}
	}
	rbl_destroy_field_contacts(work);
	rbl_destroy_collider(box);
	destroy_thing(&slab);
}

static void a_compound_names_the_part_that_is_touched(test *t)
{
	thing mug = make_thing(SHAPE_MUG);
	rbl_collider *box = make_box((rbl_vec3){ 0.2f, 0.05f, 0.2f });
	rbl_collider_child children[3];
	for (int i = 0; i < 3; ++i)
		children[i] = (rbl_collider_child){ .collider = box,
			                                .pose = { { 0.5f * (float)i, -0.05f, 0.0f },
			                                          { 0.0f, 0.0f, 0.0f, 1.0f } } };
	rbl_collider_def def = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
	def.children = children, def.child_count = 3;
	rbl_collider *compound = NULL;
	CHECK(t, rbl_create_collider(&def, &compound) == RBL_OK);
	rbl_field_contacts *work = make_work(t);
	float foot = rbl_distance_field_get_info(mug.field).bounds.lower.y;
	for (int i = 0; i < 3; ++i) {
		rbl_field_side a = collider_side(compound, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
		rbl_field_side b = side_of(mug.shape, (rbl_vec3){ 0.5f * (float)i, -foot - 0.0005f, 0.0f });
		rbl_field_contact_list list;
		CHECK(t, rbl_field_contacts_find(work, &a, &b, NULL, NULL, &list) == RBL_OK);
		CHECK(t, list.point_count > 3);
		for (int k = 0; k < list.point_count; ++k)
			CHECK(t, list.points[k].child == i);
		for (int k = 0; k < list.manifold_count; ++k)
			CHECK(t, list.manifolds[k].child_a == i && list.manifolds[k].child_b == 0);
	}
	rbl_destroy_field_contacts(work);
	rbl_destroy_collider(compound);
	rbl_destroy_collider(box);
	destroy_thing(&mug);
}

// --- ground -------------------------------------------------------------------------------------

// On flat ground of many triangles a sliding mug meets none of their edges: all normals are up.
static void a_mug_that_slides_over_flat_ground_trips_over_no_edge(test *t)
{
	thing mug = make_thing(SHAPE_MUG);
	rbl_collider *ground = make_ground(0.0f, 0.013f);
	rbl_field_contacts *work = make_work(t);
	float foot = rbl_distance_field_get_info(mug.field).bounds.lower.y;
	rbl_field_contact_memory memory = { 0 };
	int kept = 0, total = 0;
	for (int i = 0; i < test_count(60, 600); ++i) {
		uint32_t last[RBL_MAX_FIELD_CONTACTS];
		int last_count = memory.count;
		memcpy(last, memory.ids, sizeof last);
		rbl_field_side a = collider_side(ground, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
		rbl_field_side b = side_of(
			mug.shape, (rbl_vec3){ 0.2f + 0.001f * (float)(i % 100), -foot - 0.0005f, 0.25f });
		b.velocity = (rbl_vec3){ 2.0f, -0.1f, 0.0f };
		rbl_field_contact_list list;
		CHECK(t, rbl_field_contacts_find(work, &a, &b, NULL, &memory, &list) == RBL_OK);
		CHECK(t, list.point_count >= 3);
		for (int k = 0; k < list.point_count; ++k) {
			CHECK(t, list.points[k].normal.y > 0.999f);
			CHECK(t, list.points[k].separation > -0.0007f);
			for (int n = 0; n < last_count; ++n)
				kept += list.points[k].id == last[n];
			total += i > 0;
		}
	}
	CHECK(t, kept > 9 * total / 10); // ids last
	rbl_destroy_field_contacts(work);
	rbl_destroy_collider(ground);
	destroy_thing(&mug);
}

// Behind triangles is inside only where the body comes through, and not past a border.
static void a_body_behind_a_surface_or_past_its_border_is_left_alone(test *t)
{
	thing mug = make_thing(SHAPE_MUG);
	rbl_collider *ground = make_ground(0.0f, 0.05f);
	rbl_field_contacts *work = make_work(t);
	rbl_box bounds = rbl_distance_field_get_info(mug.field).bounds;
	const rbl_vec3 places[3] = { { 1.0f, -bounds.upper.y - 0.002f, 1.0f }, // just below
		                         { -bounds.upper.x - 0.003f, -0.02f, 1.0f },
		                         { 1.0f, -0.02f, 2.0f - bounds.lower.z + 0.003f } };
	for (int i = 0; i < 3; ++i) {
		rbl_field_side a = collider_side(ground, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
		rbl_field_side b = side_of(mug.shape, places[i]);
		rbl_field_contact_list list;
		CHECK(t, rbl_field_contacts_find(work, &a, &b, NULL, NULL, &list) == RBL_OK);
		CHECK(t, list.point_count == 0);
	}
	// Half way through it is pushed up.
	rbl_field_side a = collider_side(ground, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	float middle = 0.5f * (bounds.lower.y + bounds.upper.y);
	rbl_field_side b = side_of(mug.shape, (rbl_vec3){ 1.0f, -middle, 1.0f });
	rbl_field_contact_list list;
	CHECK(t, rbl_field_contacts_find(work, &a, &b, NULL, NULL, &list) == RBL_OK);
	CHECK(t, list.point_count > 3);
	for (int k = 0; k < list.point_count; ++k)
		CHECK(t, list.points[k].normal.y > 0.99f);
	CHECK_NEAR(t, list.points[0].separation, bounds.lower.y - middle, 1e-3f);
	rbl_destroy_field_contacts(work);
	rbl_destroy_collider(ground);
	destroy_thing(&mug);
}

// The height at which a contact is seen of a mug that comes down, by bisection.
static float seen_height(rbl_field_contacts *work, const thing *mug, rbl_quat rotation,
                         const rbl_collider *target, rbl_vec3 place)
{
	rbl_field_contact_settings settings = rbl_default_field_contact_settings();
	settings.margin = 0.0f;
	float high = 0.3f, low = place.y;
	for (int n = 0; n < 40; ++n) {
		float middle = 0.5f * (high + low);
		rbl_field_side a = { .collider = target, .pose = rbl_transform_identity() };
		rbl_field_side b = { .shape = mug->shape,
			                 .pose = { { place.x, middle, place.z }, rotation } };
		rbl_field_contact_list list;
		rbl_field_contacts_find(work, &a, &b, &settings, NULL, &list);
		if (list.point_count > 0)
			low = middle;
		else
			high = middle;
	}
	return high;
}

// The height at which a mug, as its triangles, touches a convex: GJK by bisection.
static float true_height(const thing *mug, rbl_quat rotation, const rbl_collider *target,
                         rbl_vec3 place)
{
	rbl_collider *own = make_mesh_collider(mug->mesh);
	float high = 0.3f, low = place.y;
	for (int n = 0; n < 40; ++n) {
		float middle = 0.5f * (high + low);
		rbl_separation gap;
		rbl_transform pose = { { place.x, middle, place.z }, rotation };
		rbl_collider_distance(own, pose, target, rbl_transform_identity(), FLT_MAX, &gap);
		if (gap.distance <= 0.0f)
			low = middle;
		else
			high = middle;
	}
	rbl_destroy_collider(own);
	return high;
}

static void a_mug_that_falls_on_a_convex_is_seen_within_half_a_millimetre(test *t)
{
	thing mug = make_thing(SHAPE_MUG);
	rbl_field_contacts *work = make_work(t);
	rbl_collider *targets[3] = { make_box((rbl_vec3){ 0.03f, 0.04f, 0.05f }), make_hull(11, 0.08),
		                         make_capsule((rbl_vec3){ -0.05f, 0.0f, 0.0f },
		                                      (rbl_vec3){ 0.05f, 0.02f, 0.0f }, 0.02f) };
	rbl_random random = rbl_random_from_seed(8);
	float worst = 0.0f;
	for (int i = 0; i < test_count(12, 300); ++i) {
		const rbl_collider *target = targets[i % 3];
		rbl_vec3 axis = rbl_to_f(rbl_normalize_d(rbl_random_in_ball(&random)));
		rbl_quat rotation = rbl_quat_from_axis_angle(axis, 3.0f * rbl_random_float(&random));
		rbl_vec3 place = { 0.03f * rbl_random_float(&random), 0.0f,
			               0.03f * rbl_random_float(&random) };
		float late = true_height(&mug, rotation, target, place) -
		             seen_height(work, &mug, rotation, target, place);
		worst = rbl_maxf(worst, fabsf(late));
		if (!(late < 0.0005f && late > -0.0005f))
			printf("%d: %g mm late\n", i, 1e3 * (double)late);
		CHECK(t, late < 0.0005f && late > -0.0005f);
	}
	printf("a mug on a convex: at most %.3f mm late\n", 1e3 * (double)worst);
	for (int i = 0; i < 3; ++i)
		rbl_destroy_collider(targets[i]);
	rbl_destroy_field_contacts(work);
	destroy_thing(&mug);
}

// Waves are higher than what a coarse slab has points for: their crests touch it.
static void crests_of_the_ground_touch_a_coarse_slab(test *t)
{
	rbl_mesh *mesh = NULL;
	rbl_box_def box_def = rbl_default_box_def();
	box_def.size = (rbl_vec3d){ 1.0, 0.1, 1.0 };
	CHECK(t, rbl_create_box_mesh(&box_def, &mesh) == RBL_OK);
	thing slab = { .mesh = mesh, .field = make_field(mesh, 128, 0.0) };
	rbl_field_shape_def def = rbl_default_field_shape_def();
	def.mesh = mesh, def.field = slab.field, def.spacing = INFINITY;
	CHECK(t, rbl_create_field_shape(&def, &slab.shape) == RBL_OK);
	rbl_collider *ground = make_ground(0.05f, 0.05f);
	rbl_field_contacts *work = make_work(t);
	float bottom = rbl_distance_field_get_info(slab.field).bounds.lower.y;
	rbl_field_side a = collider_side(ground, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	rbl_field_side b = side_of(slab.shape, (rbl_vec3){ 1.0f, 0.047f - bottom, 1.0f });
	rbl_field_contact_list list;
	CHECK(t, rbl_field_contacts_find(work, &a, &b, NULL, NULL, &list) == RBL_OK);
	CHECK(t, list.point_count > 3);
	for (int i = 0; i < list.point_count; ++i) {
		CHECK(t, !(list.points[i].id & RBL_FIELD_POINT_OF_B));
		CHECK(t, list.points[i].normal.y > 0.99f);
		CHECK(t, list.points[i].separation > -0.004f);
	}
	rbl_destroy_field_contacts(work);
	rbl_destroy_collider(ground);
	destroy_thing(&slab);
}

// --- input and memory ---------------------------------------------------------------------------

static void a_side_is_a_shape_or_a_collider(test *t)
{
	thing mug = make_thing(SHAPE_MUG);
	rbl_collider *ball = make_ball(0.1f);
	rbl_field_contacts *work = make_work(t);
	rbl_field_side a = side_of(mug.shape, (rbl_vec3){ 0.0f, 0.0f, 0.0f }), b = a;
	rbl_field_contact_list list;
	b.collider = ball;
	CHECK_REFUSED(t, rbl_field_contacts_find(work, &a, &b, NULL, NULL, &list), RBL_BAD_ARGUMENT,
	              "a shape and a collider");
	b.shape = NULL, a = b;
	CHECK_REFUSED(t, rbl_field_contacts_find(work, &a, &b, NULL, NULL, &list), RBL_BAD_ARGUMENT,
	              "neither side");
	b.collider = NULL;
	CHECK_REFUSED(t, rbl_field_contacts_find(work, &a, &b, NULL, NULL, &list), RBL_BAD_ARGUMENT,
	              "side B is NULL");
	rbl_destroy_field_contacts(work);
	rbl_destroy_collider(ball);
	destroy_thing(&mug);
}

static void memory_may_run_out(test *t)
{
	thing mug = make_thing(SHAPE_MUG);
	rbl_collider *colliders[3] = { make_ground(0.02f, 0.02f), make_mesh_collider(mug.mesh),
		                           make_hull(3, 0.1) };
	for (int kind = 0; kind < 3; ++kind)
		for (int n = 0;; ++n) {
			faulty_allocator counter;
			faulty_init(&counter, n);
			rbl_allocator allocator = FAULTY(&counter);
			rbl_field_contacts *work = NULL;
			rbl_field_contact_list list = { 0 };
			rbl_result result = rbl_create_field_contacts(&allocator, &work);
			if (result == RBL_OK) {
				rbl_field_side a = side_of(mug.shape, (rbl_vec3){ 0.4f, 0.0f, 0.4f });
				rbl_field_side b = collider_side(colliders[kind], (rbl_vec3){ 0.0f, 0.0f, 0.0f });
				if (kind > 0)
					a.pose.position = (rbl_vec3){ 0.03f, 0.03f, 0.0f };
				result = rbl_field_contacts_find(work, &a, &b, NULL, NULL, &list);
				CHECK(t, (result == RBL_OK) == (list.point_count > 0));
			}
			rbl_destroy_field_contacts(work);
			CHECK(t, counter.live_bytes == 0);
			if (!counter.failed)
				break;
			CHECK(t, result == RBL_OUT_OF_MEMORY);
		}
	for (int kind = 0; kind < 3; ++kind)
		rbl_destroy_collider(colliders[kind]);
	destroy_thing(&mug);
}

TEST_MAIN(TEST(distances_from_convex_kinds_are_exact), TEST(distances_from_closed_meshes_are_exact),
          TEST(a_ball_on_the_middle_of_a_face_touches_once),
          TEST(a_capsule_lies_on_a_face_with_both_ends),
          TEST(corners_and_edges_of_a_box_are_points),
          TEST(a_compound_names_the_part_that_is_touched),
          TEST(a_mug_that_slides_over_flat_ground_trips_over_no_edge),
          TEST(a_body_behind_a_surface_or_past_its_border_is_left_alone),
          TEST(a_mug_that_falls_on_a_convex_is_seen_within_half_a_millimetre),
          TEST(crests_of_the_ground_touch_a_coarse_slab), TEST(a_side_is_a_shape_or_a_collider),
          TEST(memory_may_run_out))
