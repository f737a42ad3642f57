// SPDX-License-Identifier: MIT
// ctest: pinned
// The public calls for contacts by fields, as another engine uses them, and fields of plain regions.

#include "base/hash.h"
#include "base/kernel.h"
#include "base/math.h"
#include "base/random.h"
#include "base/vec.h"

#include "contact_hash.h"
#include "faulty_allocator.h"
#include "test.h"

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

// A region by its box and planes: what floors and convexes are.
static rbl_distance_field *make_region(rbl_box box, const rbl_plane *planes, int plane_count)
{
	rbl_fragment_field_def def = rbl_default_fragment_field_def();
	rbl_distance_field *field = NULL;
	def.without_original = true;
	def.box = box;
	def.planes = planes, def.plane_count = plane_count;
	rbl_create_fragment_field(&def, &field);
	return field;
}

static rbl_distance_field *make_floor(void)
{
	return make_region((rbl_box){ { -5.0f, -1.0f, -5.0f }, { 5.0f, 0.0f, 5.0f } }, NULL, 0);
}

// A mug with its field and points.
typedef struct mug {
	rbl_mesh *mesh;
	rbl_distance_field *field;
	rbl_field_shape *shape;
} mug;

static mug make_mug(void)
{
	mug m = { 0 };
	rbl_mug_def def = rbl_default_mug_def();
	rbl_create_mug_mesh(&def, &m.mesh);
	rbl_distance_field_def field_def = rbl_default_distance_field_def();
	field_def.mesh = m.mesh;
	field_def.wall = def.wall;
	rbl_create_distance_field(&field_def, &m.field);
	rbl_field_shape_def shape_def = rbl_default_field_shape_def();
	shape_def.mesh = m.mesh;
	shape_def.field = m.field;
	rbl_create_field_shape(&shape_def, &m.shape);
	return m;
}

static void destroy_mug(mug *m)
{
	rbl_destroy_field_shape(m->shape);
	rbl_destroy_distance_field(m->field);
	rbl_destroy_mesh(m->mesh);
}

static rbl_field_side side_of(const rbl_field_shape *shape, rbl_vec3 position)
{
	return (rbl_field_side){ .shape = shape, .pose = { position, { 0.0f, 0.0f, 0.0f, 1.0f } } };
}

// --- plain regions ------------------------------------------------------------------------------

// Inside the distance is the least to any plane, outside it is at most the true one.
static void without_an_original_a_field_is_that_of_its_planes(test *t)
{
	const float s = 0.57735027f;
	const rbl_plane corner = { { s, s, s }, 0.2f };
	const rbl_box box = { { -0.5f, -0.3f, -0.2f }, { 0.5f, 0.3f, 0.2f } };
	rbl_distance_field *field = make_region(box, &corner, 1);
	CHECK(t, field != NULL);
	rbl_random random = rbl_random_from_seed(5);
	int inside_count = 0;
	for (int i = 0; i < 5000; ++i) {
		rbl_vec3 p = rbl_to_f(rbl_random_in_ball(&random)), normal;
		float depth, bound;
		CHECK(t, rbl_distance_field_penetration(field, &p, 1, &depth, &normal, &bound) == RBL_OK);
		rbl_vec3 low = rbl_sub(box.lower, p), high = rbl_sub(p, box.upper);
		float most = rbl_plane_distance(corner, p);
		for (int axis = 0; axis < 3; ++axis)
			most = rbl_maxf(most, rbl_maxf(rbl_axis(low, axis), rbl_axis(high, axis)));
		if (most < 0.0f)
			CHECK_NEAR(t, depth, -most, 2e-6f);
		else
			CHECK(t, -depth >= most - 2e-6f); // no less than its nearest plane says
		CHECK(t, bound < 1e-5f);
		CHECK_NEAR(t, rbl_length(normal), 1.0f, 1e-5f);
		inside_count += most < 0.0f;
	}
	CHECK(t, inside_count > 100);
	for (int axis = 0; axis < 3; ++axis) {
		float bad[3] = { 0.0f, 0.0f, 0.0f }, depth;
		bad[axis] = axis == 1 ? INFINITY : NAN;
		rbl_vec3 p = { bad[0], bad[1], bad[2] };
		bool inside;
		CHECK(t, rbl_distance_field_penetration(field, &p, 1, &depth, NULL, NULL) == RBL_OK);
		CHECK(t, depth == -INFINITY);
		CHECK(t, rbl_distance_field_contains(field, &p, 1, &inside) == RBL_OK && !inside);
	}
	rbl_destroy_distance_field(field);
}

static void a_region_with_an_original_too_is_refused(test *t)
{
	mug m = make_mug();
	rbl_distance_field *field = NULL;
	rbl_fragment_field_def def = rbl_default_fragment_field_def();
	def.box = (rbl_box){ { 0.0f, 0.0f, 0.0f }, { 1.0f, 1.0f, 1.0f } };
	def.without_original = true;
	def.original = m.field;
	CHECK_REFUSED(t, rbl_create_fragment_field(&def, &field), RBL_BAD_ARGUMENT, "original");
	const rbl_vec3 corners[3] = { { 0.0f, 0.0f, 0.0f },
		                          { 1.0f, 0.0f, 0.0f },
		                          { 0.0f, 1.0f, 0.0f } };
	def.original = NULL;
	def.surface = (rbl_triangle_list){ corners, 1 };
	CHECK_REFUSED(t, rbl_create_fragment_field(&def, &field), RBL_BAD_ARGUMENT, "surface");
	CHECK(t, field == NULL);
	destroy_mug(&m);
}

// --- contacts -----------------------------------------------------------------------------------

static void a_mug_on_the_floor_is_carried_by_its_foot(test *t)
{
	mug m = make_mug();
	rbl_distance_field *floor = make_floor();
	rbl_field_shape_def def = rbl_default_field_shape_def();
	def.field = floor;
	rbl_field_shape *ground = NULL;
	rbl_field_contacts *contacts = NULL;
	CHECK(t, rbl_create_field_shape(&def, &ground) == RBL_OK);
	CHECK(t, rbl_create_field_contacts(NULL, &contacts) == RBL_OK);
	rbl_field_shape_info info = rbl_field_shape_get_info(m.shape);
	CHECK(t, info.point_count > 100 && info.bytes > 28 * (size_t)info.point_count);
	CHECK(t, rbl_field_shape_get_info(ground).point_count == 0);

	const float depth = 0.0004f;
	rbl_field_side a = side_of(m.shape, (rbl_vec3){ 0.0f, -info.bounds.lower.y - depth, 0.0f });
	rbl_field_side b = side_of(ground, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	rbl_field_contact_memory memory = { 0 };
	rbl_field_contact_list list;
	CHECK(t, rbl_field_contacts_find(contacts, &a, &b, NULL, &memory, &list) == RBL_OK);
	CHECK(t, list.point_count >= 4 && list.point_count <= RBL_MAX_FIELD_CONTACTS);
	CHECK(t, list.manifold_count == 1 && memory.count == list.point_count);
	rbl_box feet = rbl_box_empty();
	for (int i = 0; i < list.point_count; ++i) {
		CHECK(t, list.points[i].normal.y < -0.999f); // from A to B, downwards
		CHECK(t, list.points[i].separation <= 0.0f && list.points[i].separation > -0.001f);
		feet = rbl_box_add_point(feet, list.points[i].position);
	}
	CHECK_NEAR(t, list.points[0].separation, -depth, 1e-5f);
	CHECK(t, rbl_box_size(feet).x > 0.02f && rbl_box_size(feet).z > 0.02f);

	// The same points again after a small motion, and nothing once it is lifted.
	uint32_t ids[RBL_MAX_FIELD_CONTACTS];
	int count = list.point_count, kept = 0;
	for (int i = 0; i < count; ++i)
		ids[i] = list.points[i].id;
	a.pose.position.x += 0.0001f;
	CHECK(t, rbl_field_contacts_find(contacts, &a, &b, NULL, &memory, &list) == RBL_OK);
	for (int i = 0; i < list.point_count; ++i)
		for (int k = 0; k < count; ++k)
			kept += list.points[i].id == ids[k];
	CHECK(t, kept == count);
	a.pose.position.y += 0.01f;
	CHECK(t, rbl_field_contacts_find(contacts, &a, &b, NULL, &memory, &list) == RBL_OK);
	CHECK(t, list.point_count == 0 && list.manifold_count == 0 && memory.count == 0);
	rbl_destroy_field_contacts(contacts);
	rbl_destroy_field_shape(ground);
	rbl_destroy_distance_field(floor);
	destroy_mug(&m);
}

static void contacts_of_mugs_have_a_pinned_hash_for_every_lane_width(test *t)
{
	mug m = make_mug();
	rbl_field_contacts *contacts = NULL;
	CHECK(t, rbl_create_field_contacts(NULL, &contacts) == RBL_OK);
	for (int backend = 0; backend < RBL_BACKEND_COUNT; ++backend) {
		if (!rbl_force_backend((rbl_backend)backend))
			continue;
		rbl_random random = rbl_random_from_seed(9);
		uint64_t hash = RBL_HASH_START;
		int touching = 0;
		for (int i = 0; i < 40; ++i) {
			rbl_field_contact_memory memory = { 0 };
			rbl_field_contact_list list;
			rbl_vec3 axis = rbl_to_f(rbl_normalize_d(rbl_random_in_ball(&random)));
			rbl_field_side a = side_of(m.shape, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
			rbl_field_side b =
				side_of(m.shape, rbl_to_f(rbl_scale_d(0.09, rbl_random_in_ball(&random))));
			b.pose.rotation = rbl_quat_from_axis_angle(axis, 6.0f * rbl_random_float(&random));
			CHECK(t, rbl_field_contacts_find(contacts, &a, &b, NULL, &memory, &list) == RBL_OK);
			hash = hash_points(hash, &list);
			touching += list.point_count > 0;
		}
		CHECK(t, touching > 20);
		CHECK(t, hash == UINT64_C(0xcbb8e0a5e404ef5d));
		if (hash != UINT64_C(0xcbb8e0a5e404ef5d))
			printf("backend %d: hash 0x%016llx\n", backend, (unsigned long long)hash);
	}
	rbl_force_backend(rbl_best_backend());
	rbl_destroy_field_contacts(contacts);
	destroy_mug(&m);
}

static void a_steady_state_allocates_nothing(test *t)
{
	mug m = make_mug();
	faulty_allocator counter;
	faulty_init(&counter, INT32_MAX);
	rbl_allocator allocator = FAULTY(&counter);
	rbl_field_contacts *contacts = NULL;
	CHECK(t, rbl_create_field_contacts(&allocator, &contacts) == RBL_OK);
	rbl_field_contact_memory memory = { 0 };
	long long before = 0;
	for (int i = 0; i < 80; ++i) {
		rbl_field_contact_list list;
		rbl_field_side a = side_of(m.shape, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
		rbl_field_side b = side_of(m.shape, (rbl_vec3){ 0.001f * (float)(i % 5), 0.06f, 0.01f });
		CHECK(t, rbl_field_contacts_find(contacts, &a, &b, NULL, &memory, &list) == RBL_OK);
		CHECK(t, list.point_count > 0);
		if (i == 59) // searches for deep points have grown to their full length
			before = counter.total_count;
	}
	CHECK(t, counter.total_count == before);
	rbl_destroy_field_contacts(contacts);
	CHECK(t, counter.live_bytes == 0);
	destroy_mug(&m);
}

// --- refusals -----------------------------------------------------------------------------------

static void definitions_of_shapes_are_checked(test *t)
{
	mug m = make_mug();
	rbl_field_shape *shape = NULL;
	rbl_vec3 points[2] = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f } };
	const rbl_field_shape_def none = rbl_default_field_shape_def();
	rbl_field_shape_def def = none;
	CHECK(t, rbl_create_field_shape(&none, NULL) == RBL_BAD_ARGUMENT);
	CHECK_REFUSED(t, rbl_create_field_shape(NULL, &shape), RBL_BAD_ARGUMENT, "default");
	CHECK_REFUSED(t, rbl_create_field_shape(&def, &shape), RBL_BAD_ARGUMENT, "needs a field");
	def.cookie = 0;
	CHECK_REFUSED(t, rbl_create_field_shape(&def, &shape), RBL_BAD_ARGUMENT, "default");
	def = none, def.mesh = m.mesh, def.positions = points, def.count = 2;
	CHECK_REFUSED(t, rbl_create_field_shape(&def, &shape), RBL_BAD_ARGUMENT, "not both");
	def = none, def.count = 2;
	CHECK_REFUSED(t, rbl_create_field_shape(&def, &shape), RBL_BAD_ARGUMENT, "positions");
	def.positions = points, def.count = -1;
	CHECK_REFUSED(t, rbl_create_field_shape(&def, &shape), RBL_BAD_ARGUMENT, "count");
	def.count = 2, points[1].y = NAN;
	CHECK_REFUSED(t, rbl_create_field_shape(&def, &shape), RBL_BAD_ARGUMENT, "point 1");
	def = none, def.mesh = m.mesh, def.spacing = NAN;
	CHECK_REFUSED(t, rbl_create_field_shape(&def, &shape), RBL_BAD_ARGUMENT, "spacing");
	def.spacing = 1e-9f;
	CHECK_REFUSED(t, rbl_create_field_shape(&def, &shape), RBL_LIMIT_REACHED, "spacing");
	def.spacing = 0.0f, def.crease_angle = -1.0f;
	CHECK_REFUSED(t, rbl_create_field_shape(&def, &shape), RBL_BAD_ARGUMENT, "crease_angle");
	def.crease_angle = 0.5f, def.origin.z = (double)INFINITY;
	CHECK_REFUSED(t, rbl_create_field_shape(&def, &shape), RBL_BAD_ARGUMENT, "origin");
	def = none, def.field = m.field, def.allocator.release = faulty_release;
	CHECK_REFUSED(t, rbl_create_field_shape(&def, &shape), RBL_BAD_ARGUMENT, "allocator");
	CHECK(t, shape == NULL);

	rbl_field_contacts *contacts = NULL;
	rbl_field_contact_list list;
	rbl_field_side side = side_of(m.shape, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	CHECK(t, rbl_create_field_contacts(NULL, NULL) == RBL_BAD_ARGUMENT);
	CHECK_REFUSED(t, rbl_create_field_contacts(&def.allocator, &contacts), RBL_BAD_ARGUMENT,
	              "allocator");
	CHECK_REFUSED(t, rbl_field_contacts_find(NULL, &side, &side, NULL, NULL, &list),
	              RBL_BAD_ARGUMENT, "contacts");
	CHECK(t, rbl_create_field_contacts(NULL, &contacts) == RBL_OK);
	CHECK_REFUSED(t, rbl_field_contacts_find(contacts, &side, &side, NULL, NULL, NULL),
	              RBL_BAD_ARGUMENT, "list");
	CHECK_REFUSED(t, rbl_field_contacts_find(contacts, NULL, &side, NULL, NULL, &list),
	              RBL_BAD_ARGUMENT, "side A");
	rbl_destroy_field_contacts(contacts);
	rbl_destroy_field_contacts(NULL);
	rbl_destroy_field_shape(NULL);
	CHECK(t, rbl_field_shape_get_info(NULL).point_count == 0);
	destroy_mug(&m);
}

static void every_allocation_may_fail(test *t)
{
	mug m = make_mug();
	for (int n = 0;; ++n) {
		faulty_allocator counter;
		faulty_init(&counter, n);
		rbl_field_shape_def def = rbl_default_field_shape_def();
		def.mesh = m.mesh, def.field = m.field;
		def.allocator = FAULTY(&counter);
		rbl_field_shape *shape = NULL;
		rbl_field_contacts *contacts = NULL;
		rbl_field_contact_list list = { 0 };
		rbl_field_contact_memory memory = { 0 };
		rbl_result result = rbl_create_field_shape(&def, &shape);
		if (result == RBL_OK)
			result = rbl_create_field_contacts(&def.allocator, &contacts);
		if (result == RBL_OK) {
			rbl_field_side a = side_of(shape, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
			rbl_field_side b = side_of(shape, (rbl_vec3){ 0.01f, 0.06f, 0.0f });
			result = rbl_field_contacts_find(contacts, &a, &b, NULL, &memory, &list);
			CHECK(t, (result == RBL_OK) == (list.point_count > 0));
			CHECK(t, (result == RBL_OK) == (memory.count > 0));
		}
		rbl_destroy_field_contacts(contacts);
		rbl_destroy_field_shape(shape);
		CHECK(t, counter.live_bytes == 0);
		if (!counter.failed)
			break;
		CHECK(t, result == RBL_OUT_OF_MEMORY);
	}
	destroy_mug(&m);
}

TEST_MAIN(TEST(without_an_original_a_field_is_that_of_its_planes),
          TEST(a_region_with_an_original_too_is_refused),
          TEST(a_mug_on_the_floor_is_carried_by_its_foot),
          TEST(contacts_of_mugs_have_a_pinned_hash_for_every_lane_width),
          TEST(a_steady_state_allocates_nothing), TEST(definitions_of_shapes_are_checked),
          TEST(every_allocation_may_fail))
