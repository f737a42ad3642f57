// SPDX-License-Identifier: MIT
// Pieces of different bodies that are born in each other come apart: slowly, and until nothing of
// the overlap is left.

#include "../test.h"
#include "breakable.h"

#include <rubble/shapes.h>
#include <rubble/snapshot.h>

enum { MOST_CONTACTS = 20000, BRICKS = 32 };

static void make_bricks(test *t, breakable *b, rbl_contact_method method, bool can_sleep)
{
	rbl_box_def box = rbl_default_box_def();
	rbl_mesh *mesh = NULL;
	box.size = (rbl_vec3d){ 0.24, 0.07, 0.115 };
	CHECK(t, rbl_create_box_mesh(&box, &mesh) == RBL_OK);
	breakable_prepare(t, b, mesh, 5);
	b->own_mesh = mesh;
	rbl_prepare_def prepare = rbl_default_prepare_def();
	prepare.field_resolution = 64;
	rbl_destroy_asset(b->asset);
	CHECK(t, rbl_prepare(mesh, &prepare, &b->asset) == RBL_OK);
	rbl_destroy_pattern(b->pattern);
	rbl_pattern_def pattern = rbl_default_pattern_def();
	pattern.size = (rbl_vec3d){ 0.75, 0.75, 0.75 };
	pattern.cell_count = 61;
	CHECK(t, rbl_create_pattern(&pattern, &b->pattern) == RBL_OK);
	b->level = (rbl_damage_level){ .energy = 10.0, .pattern = b->pattern, .radius = 0.25 };
	b->rule.radius_limit = 0.25;
	b->rule.min_size = 0.12;
	rbl_world_def def = scene_def(&b->s, 1);
	def.can_sleep = can_sleep;
	scene_create(&b->s, &def);
	rbl_body_def floor = scene_body(b->s.floor, 0.0f, -0.5f, 0.0f);
	floor.kind = RBL_BODY_STATIC;
	rbl_create_body(b->s.world, &floor);
	rbl_random random = rbl_random_from_seed(7);
	for (int i = 0; i < BRICKS; ++i) {
		rbl_body_def brick = breakable_def(b, RBL_BODY_DYNAMIC);
		rbl_vec3d axis = rbl_normalize_d(rbl_random_in_ball(&random));
		brick.contact_method = method;
		brick.material.density = 1800.0f;
		breakable_share(b, &brick);
		brick.pose.position = (rbl_vec3){ 0.35f * (float)(i % 4) - 0.5f,
			                              0.4f + 0.3f * (float)(i / 8), 0.3f * (float)(i / 4 % 2) };
		brick.pose.rotation =
			rbl_quat_from_axis_angle(rbl_to_f(axis), (float)rbl_random_range(&random, -3.0, 3.0));
		brick.velocity.y = -3.0f;
		CHECK(t, !rbl_body_id_is_null(rbl_create_body(b->s.world, &brick)));
	}
}

// Whether a body is pinched: two of its contacts push against each other. Chips of some grams count
// as such: what continuous collision stops stays where it is stuck.
static bool is_pinched(const rbl_world *world, const rbl_contact *contacts, int count,
                       rbl_body_id body)
{
	float mass = rbl_body_get_mass(world, body).mass;
	if (mass > 0.0f && mass < 0.02f)
		return true;
	rbl_vec3 normals[64];
	int n = 0;
	for (int i = 0; i < count && n < 64; ++i) {
		bool is_a = contacts[i].body_a.index == body.index;
		if (is_a || contacts[i].body_b.index == body.index)
			normals[n++] =
				is_a ? rbl_neg(contacts[i].manifold.normal) : contacts[i].manifold.normal;
	}
	for (int i = 0; i < n; ++i)
		for (int k = 0; k < i; ++k)
			if (rbl_dot(normals[i], normals[k]) < -0.5f)
				return true;
	return false;
}

typedef struct overlap {
	float deepest; // of all, in metres
	float free;    // of those between bodies that are not pinched
	int deep, count;
} overlap;

// Splinters that something heavier lies on are pressed into each other by its weight.
static overlap measure(test *t, const rbl_world *world)
{
	static rbl_contact contacts[MOST_CONTACTS];
	overlap o = { .count = rbl_world_get_contacts(world, contacts, MOST_CONTACTS) };
	CHECK(t, o.count > 0 && o.count <= MOST_CONTACTS);
	for (int i = 0; i < o.count; ++i) {
		float depth = 0.0f;
		for (int k = 0; k < contacts[i].manifold.point_count; ++k)
			depth = rbl_maxf(depth, -contacts[i].manifold.points[k].separation);
		o.deepest = rbl_maxf(o.deepest, depth);
		o.deep += depth > 0.002f;
		if (depth > 0.002f && !is_pinched(world, contacts, o.count, contacts[i].body_a) &&
		    !is_pinched(world, contacts, o.count, contacts[i].body_b))
			o.free = rbl_maxf(o.free, depth);
	}
	return o;
}

static int step(test *t, rbl_world *world)
{
	CHECK(t, rbl_world_step(world, 1.0f / 60.0f) == RBL_OK);
	rbl_events e = rbl_world_get_events(world);
	int born = 0;
	for (int k = 0; k < e.fracture_count; ++k)
		born += e.fractures[k].new_count;
	return born;
}

// Regression: bricks that broke while others went on through them stayed in each other, up to 53 mm deep.
static void pieces_of_different_bricks_come_apart(test *t)
{
	static const rbl_contact_method methods[] = { RBL_CONTACTS_CONVEX, RBL_CONTACTS_FIELD };
	for (int m = 0; m < 2; ++m)
		for (int sleeps = 0; sleeps < 2; ++sleeps) {
			breakable b;
			make_bricks(t, &b, methods[m], sleeps == 1);
			int born = 0;
			float most = 0.0f;
			for (int i = 0; i < 300; ++i) {
				born += step(t, b.s.world);
				if (i > 30 && i < 60)
					most = rbl_maxf(most, measure(t, b.s.world).deepest);
			}
			overlap o = measure(t, b.s.world);
			printf(
				"%s: %.1f mm deep at first, %.1f in the end, %d of %d contacts by more than 2 mm\n",
				m == 0 ? "convex" : "field", 1e3 * (double)most, 1e3 * (double)o.deepest, o.deep,
				o.count);
			CHECK(t, born > 50 && most > (m == 0 ? 0.01f : 0.004f));
			CHECK(t, o.free <= 0.002f && o.deepest < 0.012f && o.deep <= o.count * 3 / 100);
			breakable_destroy(&b);
		}
}

// No piece is thrown: what recovers gains no speed.
static void nothing_is_thrown_apart(test *t)
{
	breakable b;
	make_bricks(t, &b, RBL_CONTACTS_CONVEX, false);
	double energy = 0.0;
	for (int i = 0; i < 120; ++i) {
		step(t, b.s.world);
		double now = breakable_sums(b.s.world).energy;
		CHECK(t, i < 60 || now < energy + 0.5); // joules, of 100 kg of bricks
		energy = now;
	}
	CHECK(t, energy < 2.0);
	breakable_destroy(&b);
}

static void a_snapshot_goes_on_recovering(test *t)
{
	breakable b;
	make_bricks(t, &b, RBL_CONTACTS_CONVEX, false);
	for (int i = 0; i < 25; ++i)
		step(t, b.s.world);
	size_t size = 0;
	CHECK(t, rbl_world_save(b.s.world, NULL, &size) == RBL_OK);
	void *bytes = malloc(size);
	CHECK(t, bytes && rbl_world_save(b.s.world, bytes, &size) == RBL_OK);
	rbl_world_def def = rbl_default_world_def();
	rbl_sources sources = rbl_default_sources();
	const rbl_asset *assets[1] = { b.asset };
	const rbl_pattern *patterns[1] = { b.pattern };
	sources.assets = assets, sources.asset_count = 1;
	sources.patterns = patterns, sources.pattern_count = 1;
	rbl_world *loaded = NULL;
	CHECK(t, rbl_world_load(bytes, size, &def, &sources, &loaded) == RBL_OK);
	free(bytes);
	float before = measure(t, loaded).deepest;
	for (int i = 0; i < 60; ++i) {
		step(t, b.s.world);
		step(t, loaded);
		CHECK(t, rbl_world_hash(b.s.world) == rbl_world_hash(loaded));
	}
	CHECK(t, before > 0.01f && measure(t, loaded).deepest < before);
	rbl_destroy_world(loaded);
	breakable_destroy(&b);
}

TEST_MAIN(TEST(pieces_of_different_bricks_come_apart), TEST(nothing_is_thrown_apart),
          TEST(a_snapshot_goes_on_recovering))
