// SPDX-License-Identifier: MIT
// ctest: soak
// Field bodies that break: what comes off are field bodies too, nothing is gained or lost, and it
// comes to rest where it should.

#include "../test.h"
#include "breakable.h"
#include "field_scene.h"

typedef struct vessel {
	breakable b;
	rbl_mesh *mesh;
	rbl_distance_field *field;
} vessel;

// A bowl of 60 cm that breaks into pieces of its size.
static void vessel_open(test *t, vessel *v, rbl_vec3 gravity)
{
	v->mesh = field_bowl(0.3, 0.15);
	breakable_make(t, &v->b, v->mesh, gravity, 3);
	rbl_distance_field_def def = rbl_default_distance_field_def();
	def.mesh = v->mesh;
	def.wall = 0.015;
	v->field = NULL;
	CHECK(t, rbl_create_distance_field(&def, &v->field) == RBL_OK);
}

static void vessel_close(vessel *v)
{
	breakable_destroy(&v->b);
	rbl_destroy_distance_field(v->field);
	rbl_destroy_mesh(v->mesh);
}

static rbl_body_def vessel_def(vessel *v, rbl_contact_method method)
{
	rbl_body_def def = breakable_def(&v->b, RBL_BODY_DYNAMIC);
	def.contact_method = method;
	def.original_field = v->field;
	return def;
}

// How many bodies collide by fields: they have triangles.
static int field_count(const rbl_world *world)
{
	rbl_body_id ids[1000];
	int count = rbl_world_get_bodies(world, ids, 1000), n = 0;
	for (int i = 0; i < count; ++i) {
		rbl_body_part part;
		if (rbl_body_get_parts(world, ids[i], &part, 1) == 1)
			n += rbl_collider_kind_of(part.collider) == RBL_COLLIDER_MESH;
	}
	return n;
}

static bool blow(rbl_world *world, rbl_body_id body, float energy)
{
	rbl_box box = rbl_body_bounds(world, body);
	rbl_vec3 point = { box.upper.x - 0.01f, box.upper.y - 0.01f,
		               0.5f * (box.lower.z + box.upper.z) };
	return rbl_body_damage(world, body, point, (rbl_vec3){ 0.0f, -1.0f, 0.0f }, 0.2f, energy) ==
	       RBL_OK;
}

static void breaking_keeps_mass_and_momentum(test *t)
{
	sums of[2];
	for (int twin = 0; twin < 2; ++twin) {
		vessel v;
		vessel_open(t, &v, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
		rbl_body_def def = vessel_def(&v, RBL_CONTACTS_FIELD);
		def.velocity = (rbl_vec3){ 1.0f, -2.0f, 0.5f };
		def.angular_velocity = (rbl_vec3){ 0.5f, 1.0f, -1.0f };
		rbl_body_id body = rbl_create_body(v.b.s.world, &def);
		CHECK(t, field_count(v.b.s.world) == 1);
		scene_steps(&v.b.s, 1);
		CHECK(t, twin == 1 || blow(v.b.s.world, body, 1000.0f));
		scene_steps(&v.b.s, 1);
		int count = rbl_world_body_count(v.b.s.world);
		if (twin == 0) {
			printf("%d pieces\n", count);
			CHECK(t, count > 3 && field_count(v.b.s.world) == count);
		}
		of[twin] = breakable_sums(v.b.s.world);
		// Cracks do not drive pieces apart.
		if (twin == 0) {
			float fastest = breakable_fastest(v.b.s.world);
			for (int i = 0; i < 60; ++i)
				CHECK(t, rbl_world_step(v.b.s.world, 1.0f / 60.0f) == RBL_OK);
			printf("fastest %g then %g, energy %g then %g\n", (double)fastest,
			       (double)breakable_fastest(v.b.s.world), of[0].energy,
			       breakable_sums(v.b.s.world).energy);
			CHECK(t, breakable_fastest(v.b.s.world) < 1.05f * fastest);
			CHECK(t, breakable_sums(v.b.s.world).energy < 1.01 * of[0].energy);
		}
		vessel_close(&v);
	}
	CHECK_NEAR(t, of[0].mass / of[1].mass, 1.0, 1e-5);
	CHECK(t, rbl_distance_d(of[0].momentum, of[1].momentum) < 1e-5 * of[1].momentum_size);
	CHECK(t, rbl_distance_d(of[0].angular_momentum, of[1].angular_momentum) <
	             1e-5 * of[1].angular_momentum_size);
	CHECK(t, of[0].energy < of[1].energy * (1.0 + 1e-5));
}

static rbl_body_id add_ground(vessel *v)
{
	rbl_body_def def = scene_body(v->b.s.floor, 0.0f, -0.5f, 0.0f);
	def.kind = RBL_BODY_STATIC;
	return rbl_create_body(v->b.s.world, &def);
}

static int lowest_and_awake(const rbl_world *world, float *lowest)
{
	rbl_body_id ids[1000];
	int count = rbl_world_get_bodies(world, ids, 1000), awake = 0;
	*lowest = 1.0f;
	for (int i = 0; i < count; ++i) {
		rbl_body_state state = rbl_body_get_state(world, ids[i]);
		if (state.kind == RBL_BODY_DYNAMIC)
			*lowest = rbl_minf(*lowest, state.centre.y);
		awake += state.is_awake;
	}
	return awake;
}

// A bowl that falls on the floor breaks, and its pieces, some broken again, come to rest on it.
static void shards_come_to_rest_on_the_floor(test *t)
{
	vessel v;
	vessel_open(t, &v, (rbl_vec3){ 0.0f, -9.81f, 0.0f });
	add_ground(&v);
	rbl_body_def def = vessel_def(&v, RBL_CONTACTS_FIELD);
	def.pose.position.y = 0.4f;
	def.velocity.y = -5.0f;
	def.angular_velocity = (rbl_vec3){ 3.0f, 0.0f, 4.0f };
	def.material.friction = 0.3f;
	rbl_create_body(v.b.s.world, &def);
	float lowest = 1.0f, ever = 1.0f;
	int awake = 0;
	for (int i = 0; i < 360; ++i) {
		CHECK(t, rbl_world_step(v.b.s.world, 1.0f / 60.0f) == RBL_OK);
		awake = lowest_and_awake(v.b.s.world, &lowest);
		ever = rbl_minf(ever, lowest);
	}
	int count = rbl_world_body_count(v.b.s.world) - 1;
	printf("%d shards, %d awake, the lowest at %g, ever %g\n", count, awake, (double)lowest,
	       (double)ever);
	CHECK(t, count > 5 && field_count(v.b.s.world) == count);
	CHECK(t, ever > -0.001f);
	CHECK(t, awake <= count / 4);
	vessel_close(&v);
}

// --- at birth -----------------------------------------------------------------------------------

// The most that a normal agrees with that of a face through a point: of a convex of a compound.
static double agreement(const rbl_world *world, rbl_body_id id, rbl_vec3 point, rbl_vec3 normal)
{
	const rbl_compound *compound = rbl_body_get_compound(world, id);
	rbl_transform pose = rbl_body_pose(world, id);
	rbl_vec3d p = rbl_to_d(rbl_transform_point_inverse(pose, point));
	rbl_vec3d n = rbl_to_d(rbl_rotate_inverse(pose.rotation, normal));
	double most = -1.0;
	for (int i = 0; i < rbl_compound_get_info(compound).part_end; ++i) {
		const rbl_convex *convex = rbl_compound_get_part(compound, i).convex;
		rbl_convex_data data = convex ? rbl_convex_get_data(convex) : (rbl_convex_data){ 0 };
		for (int f = 0; f < data.face_count; ++f)
			if (fabs(rbl_dot_d(data.planes[f].normal, p) - data.planes[f].offset) < 5e-4)
				most = rbl_maxd(most, rbl_dot_d(data.planes[f].normal, n));
	}
	return most;
}

// By fields alone it would be half of them.
static void normals_at_birth_are_those_of_cracks(test *t)
{
	vessel v;
	vessel_open(t, &v, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	rbl_body_def def = vessel_def(&v, RBL_CONTACTS_FIELD);
	rbl_body_id body = rbl_create_body(v.b.s.world, &def);
	CHECK(t, blow(v.b.s.world, body, 1000.0f));
	scene_steps(&v.b.s, 2);
	static rbl_contact contacts[4000];
	int count = rbl_world_get_contacts(v.b.s.world, contacts, 4000), all = 0, good = 0;
	for (int i = 0; i < count; ++i) {
		const rbl_manifold *m = &contacts[i].manifold;
		for (int k = 0; k < m->point_count; ++k) {
			rbl_vec3 p = m->points[k].position;
			double of_a = agreement(v.b.s.world, contacts[i].body_a, p, m->normal);
			double of_b = agreement(v.b.s.world, contacts[i].body_b, p, rbl_neg(m->normal));
			all++;
			good += rbl_maxd(of_a, of_b) > 0.9962; // 5 degrees
		}
	}
	printf("%d of %d contacts at birth are within 5 degrees of a crack\n", good, all);
	CHECK(t, all > 100 && good >= all * 95 / 100);
	vessel_close(&v);
}

// --- debris -------------------------------------------------------------------------------------

// Shards are baked as all debris is, bear what falls on them, and are released when they are hit.
static void shards_are_baked_and_released(test *t)
{
	vessel v;
	vessel_open(t, &v, (rbl_vec3){ 0.0f, -9.81f, 0.0f });
	rbl_destroy_world(v.b.s.world);
	rbl_world_def world_def = rbl_default_world_def();
	world_def.bake_time = 0.3f;
	world_def.budget = 0;
	CHECK(t, rbl_create_world(&world_def, &v.b.s.world) == RBL_OK);
	add_ground(&v);
	rbl_body_def def = vessel_def(&v, RBL_CONTACTS_FIELD);
	def.pose.position.y = 0.05f;
	rbl_body_id body = rbl_create_body(v.b.s.world, &def);
	CHECK(t, blow(v.b.s.world, body, 1000.0f));
	scene_steps(&v.b.s, 2);
	double mass = breakable_sums(v.b.s.world).mass;
	int debris = rbl_world_get_stats(v.b.s.world).debris_count;
	scene_steps(&v.b.s, 400);
	rbl_world_stats s = rbl_world_get_stats(v.b.s.world);
	printf("%d of %d shards are baked\n", s.baked_count, debris);
	CHECK(t, debris > 3 && s.baked_count > debris / 4);
	rbl_collider *pebble = scene_box(0.04f, 0.04f, 0.04f);
	rbl_body_id ball = scene_add(&v.b.s, pebble, 0.0f, 0.2f, 0.0f);
	scene_steps(&v.b.s, 120);
	rbl_vec3 centre = rbl_body_get_state(v.b.s.world, ball).centre;
	printf("a box lies %g m above the floor\n", (double)(centre.y - 0.04f));
	CHECK(t, centre.y > 0.045f); // on the bottom of the bowl, or on shards of it
	CHECK(t, rbl_destroy_body(v.b.s.world, ball) == RBL_OK);
	CHECK(t, rbl_world_set_gravity(v.b.s.world, (rbl_vec3){ 0.0f, -9.0f, 0.0f }) == RBL_OK);
	CHECK(t, rbl_world_get_stats(v.b.s.world).baked_count == 0);
	CHECK_NEAR(t, breakable_sums(v.b.s.world).mass / mass, 1.0, 1e-5);
	CHECK(t, field_count(v.b.s.world) == rbl_world_body_count(v.b.s.world) - 1);
	scene_steps(&v.b.s, 60);
	float lowest;
	lowest_and_awake(v.b.s.world, &lowest);
	CHECK(t, lowest > 0.0f);
	vessel_close(&v);
	rbl_destroy_collider(pebble);
}

// Of a bowl all is by fields; what broke off a box is convex, or nearly.
static void automatic_looks_at_each_piece(test *t)
{
	vessel v;
	vessel_open(t, &v, (rbl_vec3){ 0.0f, 0.0f, 0.0f });
	rbl_body_def def = vessel_def(&v, RBL_CONTACTS_AUTOMATIC);
	rbl_body_id body = rbl_create_body(v.b.s.world, &def);
	CHECK(t, field_count(v.b.s.world) == 1);
	CHECK(t, blow(v.b.s.world, body, 1000.0f));
	scene_steps(&v.b.s, 2);
	int count = rbl_world_body_count(v.b.s.world), fields = field_count(v.b.s.world);
	printf("a bowl: %d of %d pieces by fields\n", fields, count);
	CHECK(t, count > 3 && fields > 0 && fields < count);
	vessel_close(&v);
	breakable b;
	breakable_make(t, &b, NULL, (rbl_vec3){ 0.0f, 0.0f, 0.0f }, 3);
	rbl_distance_field_def field_def = rbl_default_distance_field_def();
	field_def.mesh = b.own_mesh;
	rbl_distance_field *field = NULL;
	CHECK(t, rbl_create_distance_field(&field_def, &field) == RBL_OK);
	def = breakable_def(&b, RBL_BODY_DYNAMIC);
	def.contact_method = RBL_CONTACTS_AUTOMATIC;
	def.original_field = field;
	body = rbl_create_body(b.s.world, &def);
	CHECK(t, field_count(b.s.world) == 0);
	rbl_vec3 middle = { 0.0f, 0.0f, 0.0f }, down = { 0.0f, -1.0f, 0.0f };
	CHECK(t, rbl_body_damage(b.s.world, body, middle, down, 1.0f, 1000.0f) == RBL_OK);
	scene_steps(&b.s, 2);
	count = rbl_world_body_count(b.s.world), fields = field_count(b.s.world);
	printf("a box: %d of %d pieces by fields\n", fields, count);
	CHECK(t, count > 3 && fields <= 1); // what remains of it may be bent around the hole
	breakable_destroy(&b);
	rbl_destroy_distance_field(field);
	// Meshes alone.
	field_scene f;
	field_scene_open(&f, 1);
	rbl_mesh *ring = field_ring(0.06, 0.012);
	def = field_body(f.ground, 0.0f, 0.0f, 0.0f);
	def.contact_method = RBL_CONTACTS_AUTOMATIC;
	CHECK(t, !rbl_body_id_is_null(rbl_create_body(f.s.world, &def)));
	CHECK(t, field_count(f.s.world) == 0);
	def = field_body(ring, 0.0f, 1.0f, 0.0f);
	def.contact_method = RBL_CONTACTS_AUTOMATIC;
	CHECK(t, !rbl_body_id_is_null(rbl_create_body(f.s.world, &def)));
	CHECK(t, field_count(f.s.world) == 1);
	rbl_destroy_mesh(ring);
	field_scene_close(&f);
}

// A world with shards that is saved and loaded goes on with the same bits, and breaks the same.
static void shards_are_saved(test *t)
{
	vessel v;
	vessel_open(t, &v, (rbl_vec3){ 0.0f, -9.81f, 0.0f });
	add_ground(&v);
	rbl_body_def def = vessel_def(&v, RBL_CONTACTS_FIELD);
	def.pose.position.y = 0.3f;
	def.velocity.y = -5.0f;
	rbl_create_body(v.b.s.world, &def);
	scene_steps(&v.b.s, 12);
	size_t size = 0;
	CHECK(t, rbl_world_save(v.b.s.world, NULL, &size) == RBL_OK);
	unsigned char *bytes = malloc(size);
	CHECK(t, rbl_world_save(v.b.s.world, bytes, &size) == RBL_OK);
	rbl_world_def world_def = rbl_default_world_def();
	rbl_sources sources = rbl_default_sources();
	const rbl_asset *asset = v.b.asset;
	const rbl_pattern *pattern = v.b.pattern;
	sources.assets = &asset, sources.asset_count = 1;
	sources.patterns = &pattern, sources.pattern_count = 1;
	rbl_world *back = NULL;
	CHECK(t, rbl_world_load(bytes, size, &world_def, &sources, &back) == RBL_OK);
	for (int i = 0; i < 30 && back; ++i) {
		rbl_world_step(v.b.s.world, 1.0f / 60.0f);
		rbl_world_step(back, 1.0f / 60.0f);
		CHECK(t, rbl_world_hash(back) == rbl_world_hash(v.b.s.world));
	}
	CHECK(t, field_count(back) > 5);
	rbl_destroy_world(back);
	free(bytes);
	vessel_close(&v);
}

TEST_MAIN(TEST(breaking_keeps_mass_and_momentum), TEST(shards_come_to_rest_on_the_floor),
          TEST(normals_at_birth_are_those_of_cracks), TEST(shards_are_baked_and_released),
          TEST(automatic_looks_at_each_piece), TEST(shards_are_saved))
