// SPDX-License-Identifier: MIT
// The slots of a mesh are materials of its parts: they weigh, rub and break each by its own, in the
// API, after an asset or a world was saved, and in a replay. What overlaps counts once.

#include "../fracture/invariants.h"
#include "../test.h"
#include "breakable.h"
#include "tape.h"

enum { SLOTS = 3, STEPS = 40 };

// A row of boxes of a metre along x, each a shell with a slot of its own.
static rbl_mesh *row_of_slots(double pitch, int count)
{
	static soup s;
	static const rbl_mesh_material looks[SLOTS] = { { .name = "Wall" },
		                                            { .name = "Glass" },
		                                            { .name = "Beam" } };
	int slots[12 * 8];
	s.point_count = s.triangle_count = 0;
	for (int i = 0; i < count; ++i) {
		soup_box(&s, (rbl_vec3d){ pitch * i, 0.0, 0.0 }, (rbl_vec3d){ pitch * i + 1.0, 1.0, 1.0 },
		         false);
		for (int k = 0; k < 12; ++k)
			slots[12 * i + k] = i % SLOTS;
	}
	rbl_mesh *plain = soup_mesh(&s), *mesh = NULL;
	rbl_mesh_def def = rbl_default_mesh_def();
	def.data = rbl_mesh_get_data(plain);
	def.data.face_materials = slots;
	def.data.materials = looks;
	def.data.material_count = SLOTS;
	rbl_create_mesh(&def, &mesh);
	rbl_destroy_mesh(plain);
	return mesh;
}

typedef struct row {
	rbl_pattern *pattern;
	rbl_material *materials[SLOTS]; // the first does not break, and the last is not given
	rbl_mesh *mesh;
	rbl_asset *asset;
} row;

static void make_row(test *t, row *r, double pitch)
{
	*r = (row){ .mesh = row_of_slots(pitch, 3) };
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	pattern_def.cell_count = 30;
	CHECK(t, rbl_create_pattern(&pattern_def, &r->pattern) == RBL_OK);
	rbl_damage_level level = { .energy = 50.0, .pattern = r->pattern, .radius = 0.6 };
	for (int i = 0; i < 2; ++i) {
		rbl_material_def def = rbl_default_material_def();
		def.name = i ? "glass" : "wall";
		def.values.density = i ? 3000.0f : 2000.0f;
		def.values.friction = i ? 0.0f : 0.9f;
		def.values.user = 7 + (uint64_t)i;
		def.damage.levels = i ? &level : NULL;
		def.damage.level_count = i;
		CHECK(t, rbl_create_material(&def, &r->materials[i]) == RBL_OK);
	}
	rbl_prepare_def def = rbl_default_prepare_def();
	def.materials = (const rbl_material *const *)r->materials;
	def.material_count = 2; // the slot of the beam is beyond
	CHECK(t, rbl_prepare(r->mesh, &def, &r->asset) == RBL_OK);
}

static void destroy_row(row *r)
{
	for (int i = 0; i < SLOTS; ++i)
		rbl_destroy_material(r->materials[i]);
	rbl_destroy_asset(r->asset);
	rbl_destroy_mesh(r->mesh);
	rbl_destroy_pattern(r->pattern);
}

static const char *name_at(const rbl_compound *c, double x)
{
	rbl_compound_info info = rbl_compound_get_info(c);
	for (int i = 0; i < info.part_end; ++i) {
		rbl_compound_part part = rbl_compound_get_part(c, i);
		if (!part.convex || fabs(rbl_convex_get_mass(part.convex).centre.x - x) > 0.4)
			continue;
		const rbl_material *material = rbl_compound_get_material(c, part.material);
		return material ? rbl_material_name(material) : "as the body";
	}
	return "nothing";
}

static void slots_become_materials_of_parts(test *t)
{
	row r;
	make_row(t, &r, 1.0);
	const rbl_compound *c = rbl_asset_get_compound(r.asset);
	CHECK(t, rbl_compound_get_info(c).part_count == 3);
	CHECK(t, strcmp(name_at(c, 0.5), "wall") == 0 && strcmp(name_at(c, 1.5), "glass") == 0);
	CHECK(t, strcmp(name_at(c, 2.5), "as the body") == 0);
	rbl_prepare_def def = rbl_default_prepare_def();
	uint64_t without = rbl_prepare_key(r.mesh, &def);
	def.materials = (const rbl_material *const *)r.materials;
	def.material_count = 2;
	CHECK(t, rbl_prepare_key(r.mesh, &def) == rbl_asset_get_report(r.asset).key);
	CHECK(t, rbl_prepare_key(r.mesh, &def) != without);
	def.materials = NULL;
	rbl_asset *none = NULL;
	CHECK(t, rbl_prepare(r.mesh, &def, &none) == RBL_BAD_ARGUMENT && !none);
	CHECK(t, strstr(rbl_last_error(), "materials is NULL") != NULL);
	destroy_row(&r);
}

// Materials and patterns are in the bytes of an asset.
static void assets_are_saved_with_materials(test *t)
{
	row r;
	make_row(t, &r, 1.0);
	size_t size = 0, again = 0;
	CHECK(t, rbl_asset_save(r.asset, NULL, &size) == RBL_OK);
	unsigned char *bytes = malloc(size), *copy = malloc(size);
	CHECK(t, rbl_asset_save(r.asset, bytes, &size) == RBL_OK);
	rbl_asset *read = NULL;
	CHECK(t, rbl_asset_load(bytes, size, NULL, &read) == RBL_OK);
	const rbl_compound *c = rbl_asset_get_compound(read);
	CHECK(t, strcmp(name_at(c, 0.5), "wall") == 0 && strcmp(name_at(c, 1.5), "glass") == 0);
	CHECK(t, strcmp(name_at(c, 2.5), "as the body") == 0);
	const rbl_material *glass = rbl_compound_get_material(c, 1);
	rbl_material_def def = rbl_material_get_def(glass);
	CHECK(t, glass != r.materials[1] && def.damage.level_count == 1);
	CHECK(t, rbl_pattern_key(def.damage.levels[0].pattern) == rbl_pattern_key(r.pattern));
	again = size;
	CHECK(t, rbl_asset_save(read, copy, &again) == RBL_OK && again == size);
	CHECK(t, memcmp(bytes, copy, size) == 0);
	rbl_destroy_asset(read);
	for (size_t i = 0; i < size; i += 97) { // cut short, and changed
		CHECK(t, rbl_asset_load(bytes, i, NULL, &read) == RBL_BAD_FILE && !read);
		bytes[i] ^= 1;
		CHECK(t, rbl_asset_load(bytes, size, NULL, &read) != RBL_OK && !read);
		bytes[i] ^= 1;
	}
	free(bytes);
	free(copy);
	destroy_row(&r);
}

static rbl_body_id add_row(rbl_world *world, const row *r, rbl_body_kind kind)
{
	rbl_body_def def = rbl_default_body_def();
	def.asset = r->asset;
	def.kind = kind;
	def.material.density = 500.0f;
	return rbl_create_body(world, &def);
}

static void parts_weigh_by_their_materials(test *t)
{
	row r;
	scene s;
	make_row(t, &r, 1.0);
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_body_id body = add_row(s.world, &r, RBL_BODY_DYNAMIC);
	rbl_body_mass mass = rbl_body_get_mass(s.world, body);
	CHECK_NEAR(t, mass.mass, 5500.0, 0.01);
	double centre = (2000.0 * 0.5 + 3000.0 * 1.5 + 500.0 * 2.5) / 5500.0;
	CHECK_NEAR(t, rbl_body_get_state(s.world, body).centre.x, centre, 1e-4);
	scene_destroy(&s);
	destroy_row(&r);
}

// What slides over it stops on the wall, and does not on the glass.
static void parts_rub_by_their_materials(test *t)
{
	float ends[2];
	for (int on_glass = 0; on_glass < 2; ++on_glass) {
		row r;
		scene s;
		make_row(t, &r, 1.0);
		rbl_world_def def = scene_def(&s, 1);
		scene_create(&s, &def);
		add_row(s.world, &r, RBL_BODY_STATIC);
		rbl_body_def box = scene_body(s.box, on_glass ? 1.5f : 0.5f, 1.25f, 0.3f);
		box.velocity.z = 0.5f;
		rbl_body_id id = rbl_create_body(s.world, &box);
		const rbl_material *touched = NULL;
		for (int i = 0; i < 30; ++i) {
			rbl_world_step(s.world, 1.0f / 60.0f);
			rbl_events e = rbl_world_get_events(s.world);
			for (int k = 0; k < e.begin_count; ++k)
				touched = e.begins[k].material_a ? e.begins[k].material_a : e.begins[k].material_b;
		}
		CHECK(t, touched == r.materials[on_glass]);
		ends[on_glass] = rbl_body_velocity(s.world, id).z;
		scene_destroy(&s);
		destroy_row(&r);
	}
	CHECK(t, ends[0] < 0.01f && ends[1] > 0.45f);
}

// A body that collides by a field rubs by the material of the part that touches, too.
static void fields_rub_by_their_materials(test *t)
{
	float ends[2];
	for (int on_glass = 0; on_glass < 2; ++on_glass) {
		row r;
		scene s;
		make_row(t, &r, 1.0);
		rbl_world_def def = scene_def(&s, 1);
		scene_create(&s, &def);
		static soup whole;
		whole.point_count = whole.triangle_count = 0;
		soup_box(&whole, (rbl_vec3d){ 0.0, 0.0, 0.0 }, (rbl_vec3d){ 3.0, 1.0, 1.0 }, false);
		rbl_mesh *mesh = soup_mesh(&whole);
		rbl_distance_field_def field_def = rbl_default_distance_field_def();
		field_def.mesh = mesh;
		rbl_distance_field *field = NULL;
		CHECK(t, rbl_create_distance_field(&field_def, &field) == RBL_OK);
		rbl_body_def of = rbl_default_body_def();
		of.asset = r.asset;
		of.kind = RBL_BODY_STATIC;
		of.contact_method = RBL_CONTACTS_FIELD;
		of.original_field = field;
		CHECK(t, !rbl_body_id_is_null(rbl_create_body(s.world, &of)));
		rbl_body_def box = scene_body(s.box, on_glass ? 1.5f : 0.5f, 1.25f, 0.3f);
		box.velocity.z = 0.5f;
		rbl_body_id id = rbl_create_body(s.world, &box);
		for (int i = 0; i < 30; ++i)
			rbl_world_step(s.world, 1.0f / 60.0f);
		ends[on_glass] = rbl_body_velocity(s.world, id).z;
		scene_destroy(&s);
		rbl_destroy_distance_field(field);
		rbl_destroy_mesh(mesh);
		destroy_row(&r);
	}
	CHECK(t, ends[0] < 0.01f && ends[1] > 0.45f);
}

// Parts with a material of the same values have the same contacts as without: they are merged, too. So
// are parts with several materials that rub and bounce alike.
static void parts_with_materials_are_merged(test *t)
{
	rbl_transform poses[3][20];
	for (int count = 0; count < 3; ++count) { // of materials
		scene s;
		rbl_world_def def = scene_def(&s, 1);
		scene_create(&s, &def);
		scene_add_floor(&s);
		rbl_material_def material_def = rbl_default_material_def();
		material_def.values = rbl_default_body_def().material;
		rbl_material *materials[2] = { NULL, NULL };
		for (int i = 0; i < 2; ++i) {
			material_def.values.user = (uint64_t)i;
			CHECK(t, rbl_create_material(&material_def, &materials[i]) == RBL_OK);
		}
		rbl_collider_child children[9];
		rbl_collider *box = scene_box(0.1f, 0.1f, 0.1f), *plate = NULL;
		for (int i = 0; i < 9; ++i)
			children[i] = (rbl_collider_child){
				.collider = box,
				.pose = { { 0.2f * (float)(i % 3), 0.0f, 0.2f * (float)(i / 3) }, { 0, 0, 0, 1 } },
				.material = count ? materials[i % count] : NULL
			};
		rbl_collider_def of = rbl_default_collider_def(RBL_COLLIDER_COMPOUND);
		of.children = children, of.child_count = 9;
		CHECK(t, rbl_create_collider(&of, &plate) == RBL_OK);
		for (int i = 0; i < 20; ++i)
			scene_add(&s, plate, 0.05f * (float)(i % 3), 0.3f + 0.3f * (float)i, 0.0f);
		scene_steps(&s, 120);
		rbl_body_id ids[21];
		int body_count = rbl_world_get_bodies(s.world, ids, 21);
		CHECK(t, body_count == 21);
		for (int i = 0; i < 20; ++i)
			poses[count][i] = rbl_body_pose(s.world, ids[i + 1]);
		scene_destroy(&s);
		rbl_destroy_collider(plate);
		rbl_destroy_collider(box);
		rbl_destroy_material(materials[0]);
		rbl_destroy_material(materials[1]);
	}
	CHECK(t, memcmp(poses[0], poses[1], sizeof poses[0]) == 0);
	CHECK(t, memcmp(poses[0], poses[2], sizeof poses[0]) == 0);
}

static rbl_world *save_and_load(test *t, scene *s, const rbl_world_def *def,
                                const rbl_sources *sources)
{
	size_t size = 0;
	CHECK(t, rbl_world_save(s->world, NULL, &size) == RBL_OK);
	void *bytes = malloc(size);
	CHECK(t, rbl_world_save(s->world, bytes, &size) == RBL_OK);
	rbl_destroy_world(s->world);
	CHECK(t, rbl_world_load(bytes, size, def, sources, &s->world) == RBL_OK);
	free(bytes);
	return s->world;
}

static int strike(test *t, rbl_world *world, rbl_body_id body, float x, const char **of)
{
	*of = "";
	CHECK(t, rbl_body_damage(world, body, (rbl_vec3){ x, 0.9f, 0.5f },
	                         (rbl_vec3){ 0.0f, -1.0f, 0.0f }, INFINITY, 100.0f) == RBL_OK);
	CHECK(t, rbl_world_step(world, 1.0f / 60.0f) == RBL_OK);
	rbl_events e = rbl_world_get_events(world);
	if (e.fracture_count > 0)
		*of = rbl_material_name(e.fractures[0].made_of);
	return e.fracture_count;
}

// The same blow breaks glass and neither wall nor beam; pieces are glass, also after it was saved.
static void a_blow_goes_by_the_part_that_it_hits(test *t)
{
	for (int saved = 0; saved < 3; ++saved) {
		row r;
		scene s;
		const char *of;
		make_row(t, &r, 1.0);
		rbl_world_def def = scene_def(&s, 1);
		def.budget = 0;
		scene_create(&s, &def);
		rbl_body_id body = add_row(s.world, &r, RBL_BODY_STATIC);
		rbl_world *world = s.world;
		rbl_sources sources = rbl_default_sources(); // patterns are the asset's
		sources.assets = (const rbl_asset *const *)&r.asset, sources.asset_count = 1;
		if (saved == 1)
			world = save_and_load(t, &s, &def, &sources);
		CHECK(t, strike(t, world, body, 0.5f, &of) == 0 && strike(t, world, body, 2.5f, &of) == 0);
		CHECK(t, strike(t, world, body, 1.5f, &of) == 1 && strcmp(of, "glass") == 0);
		if (saved == 2)
			world = save_and_load(t, &s, &def, &sources);
		rbl_body_id ids[256];
		int count = rbl_world_get_bodies(world, ids, 256), glass = 0;
		for (int i = 0; i < count; ++i) {
			rbl_body_part parts[64];
			int n = rbl_body_get_parts(world, ids[i], parts, 64);
			for (int k = 0; k < n && ids[i].index != body.index; ++k)
				glass += parts[k].material.user == 8 &&
				         strcmp(rbl_material_name(parts[k].shared_material), "glass") == 0;
		}
		CHECK(t, count > 3 && glass >= 1);
		scene_destroy(&s);
		destroy_row(&r);
	}
}

// However far a blow reaches, it breaks what it hits and not what stands beside it.
static void a_blow_leaves_other_materials_whole(test *t)
{
	row r;
	scene s;
	make_row(t, &r, 1.0);
	rbl_world_def def = scene_def(&s, 1);
	def.budget = 0;
	scene_create(&s, &def);
	rbl_body_id body = add_row(s.world, &r, RBL_BODY_STATIC);
	CHECK(t, rbl_body_damage(s.world, body, (rbl_vec3){ 1.5f, 0.9f, 0.5f },
	                         (rbl_vec3){ 0.0f, -1.0f, 0.0f }, INFINITY, 1e5f) == RBL_OK);
	CHECK(t, rbl_world_step(s.world, 1.0f / 60.0f) == RBL_OK);
	rbl_events e = rbl_world_get_events(s.world);
	CHECK(t, e.fracture_count == 1 && e.fractures[0].radius > 2.0f);
	rbl_body_id ids[256];
	int count = rbl_world_get_bodies(s.world, ids, 256), wholes = 0, pieces = 0;
	for (int i = 0; i < count; ++i) {
		rbl_body_part parts[64];
		int n = rbl_body_get_parts(s.world, ids[i], parts, 64);
		const rbl_compound *c = rbl_body_get_compound(s.world, ids[i]);
		for (int k = 0; k < n; ++k) {
			bool is_glass = parts[k].shared_material == r.materials[1];
			double volume =
				rbl_convex_get_mass(rbl_compound_get_part(c, parts[k].part).convex).volume;
			pieces += is_glass;
			wholes += !is_glass && fabs(volume - 1.0) < 1e-9;
			CHECK(t, is_glass || fabs(volume - 1.0) < 1e-9);
		}
	}
	CHECK(t, wholes == 2 && pieces > 5);
	scene_destroy(&s);
	destroy_row(&r);
}

// The density of a material counts when it changes, for parts as for bodies.
// A row of seven spins and its second glass is shattered: the light beam and the heavy wall beyond come off
// together, and move as their common centre did.
static void what_comes_off_in_two_materials_keeps_momentum(test *t)
{
	row r;
	make_row(t, &r, 1.0);
	rbl_damage_level level = { .energy = 50.0, .pattern = r.pattern, .radius = 5.0 };
	rbl_material_def glass = rbl_material_get_def(r.materials[1]);
	glass.damage.levels = &level;
	rbl_destroy_material(r.materials[1]);
	CHECK(t, rbl_create_material(&glass, &r.materials[1]) == RBL_OK);
	rbl_destroy_asset(r.asset);
	rbl_destroy_mesh(r.mesh);
	r.mesh = row_of_slots(1.0, 7);
	rbl_prepare_def prepare = rbl_default_prepare_def();
	prepare.materials = (const rbl_material *const *)r.materials;
	prepare.material_count = 2;
	CHECK(t, rbl_prepare(r.mesh, &prepare, &r.asset) == RBL_OK);
	scene s;
	rbl_world_def world_def = scene_def(&s, 1);
	world_def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	world_def.budget = 0;
	scene_create(&s, &world_def);
	rbl_body_def def = rbl_default_body_def();
	def.asset = r.asset;
	def.material.density = 100.0f;
	def.velocity = (rbl_vec3){ 1.0f, 2.0f, 3.0f };
	def.angular_velocity = (rbl_vec3){ 0.0f, 0.0f, 3.0f };
	def.angular_damping = 0.0f;
	rbl_body_id body = rbl_create_body(s.world, &def);
	sums before = breakable_sums(s.world);
	rbl_vec3 point =
		rbl_transform_point(rbl_body_pose(s.world, body), (rbl_vec3){ 4.5f, 1.0f, 0.5f });
	CHECK(t, rbl_body_damage(s.world, body, point, (rbl_vec3){ 0.0f, -1.0f, 0.0f }, 1.3f, 100.0f) ==
	             RBL_OK);
	CHECK(t, rbl_world_step(s.world, 1e-4f) == RBL_OK);
	rbl_events e = rbl_world_get_events(s.world);
	CHECK(t, e.fracture_count == 1);
	int mixed = 0;
	for (int i = 0; e.fracture_count == 1 && i < e.fractures->new_count; ++i) {
		const rbl_compound *c = rbl_body_get_compound(s.world, e.fractures->new_bodies[i]);
		mixed += rbl_compound_get_info(c).part_count == 2;
	}
	sums after = breakable_sums(s.world);
	CHECK(t, mixed == 1);
	CHECK_NEAR(t, after.mass / before.mass, 1.0, 1e-6);
	CHECK(t, rbl_distance_d(after.momentum, before.momentum) < 1e-5 * before.momentum_size);
	scene_destroy(&s);
	destroy_row(&r);
}

static void parts_follow_a_material_that_changes(test *t)
{
	row r;
	scene s;
	make_row(t, &r, 1.0);
	rbl_world_def def = scene_def(&s, 1);
	def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	scene_create(&s, &def);
	rbl_body_id body = add_row(s.world, &r, RBL_BODY_DYNAMIC);
	rbl_material_values values = rbl_material_get_values(r.materials[1]);
	values.density = 1000.0f;
	CHECK(t, rbl_material_set_values(r.materials[1], &values) == RBL_OK);
	scene_steps(&s, 1);
	CHECK_NEAR(t, rbl_body_get_mass(s.world, body).mass, 3500.0, 0.01);
	double centre = (2000.0 * 0.5 + 1000.0 * 1.5 + 500.0 * 2.5) / 3500.0;
	CHECK_NEAR(t, rbl_body_get_state(s.world, body).centre.x, centre, 1e-4);
	scene_destroy(&s);
	destroy_row(&r);
}

static void a_replay_has_the_materials(test *t)
{
	row r;
	scene s;
	make_row(t, &r, 1.0);
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	scene_add_floor(&s);
	bytes_tape tape;
	rbl_recording_def recording = tape_def(&tape, true);
	CHECK(t, rbl_world_begin_recording(s.world, &recording) == RBL_OK);
	rbl_compound *compound = NULL;
	CHECK(t, rbl_asset_create_compound(r.asset, NULL, &compound) == RBL_OK);
	rbl_body_def of = rbl_default_body_def();
	of.compound = compound;
	of.pose.position.y = 2.0f;
	rbl_create_body(s.world, &of);
	add_row(s.world, &r, RBL_BODY_DYNAMIC);
	int broken = 0;
	for (int i = 0; i < STEPS; ++i) {
		CHECK(t, rbl_world_step(s.world, 1.0f / 60.0f) == RBL_OK);
		broken += rbl_world_get_events(s.world).fracture_count;
	}
	CHECK(t, broken > 0);
	CHECK(t, rbl_world_end_recording(s.world) == RBL_OK);
	uint64_t then = rbl_world_hash(s.world), now = 0;
	rbl_sources none = rbl_default_sources();
	CHECK(t, tape_play(t, &tape, &none, 1, &now) == STEPS && now == then);
	free(tape.bytes);
	scene_destroy(&s);
	destroy_row(&r);
}

// Two boxes of a cubic metre that overlap by half weigh 1.5, and so do their pieces.
static void what_overlaps_counts_once(test *t)
{
	static soup s;
	s.point_count = s.triangle_count = 0;
	soup_box(&s, (rbl_vec3d){ 0.0, 0.0, 0.0 }, (rbl_vec3d){ 1.0, 1.0, 1.0 }, false);
	soup_box(&s, (rbl_vec3d){ 0.5, 0.0, 0.0 }, (rbl_vec3d){ 1.5, 1.0, 1.0 }, false);
	rbl_mesh *mesh = soup_mesh(&s);
	rbl_prepare_def def = rbl_default_prepare_def();
	rbl_asset *asset = NULL;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_OK);
	CHECK_NEAR(t, rbl_asset_get_report(asset).mass_volume, 1.5, 1e-9);
	CHECK_NEAR(t, rbl_asset_get_mass(asset).volume, 1.5, 1e-9);
	const rbl_compound *c = rbl_asset_get_compound(asset);
	CHECK_NEAR(t, rbl_compound_get_mass(c).volume, 1.5, 1e-9);
	CHECK_NEAR(t, rbl_compound_get_visual_mass(c).volume, 1.5, 1e-9);
	CHECK_NEAR(t, rbl_compound_get_visual_mass(c).centre.x, 0.75, 1e-9);
	scene w;
	rbl_world_def world_def = scene_def(&w, 1);
	world_def.gravity = (rbl_vec3){ 0.0f, 0.0f, 0.0f };
	world_def.budget = 0;
	scene_create(&w, &world_def);
	rbl_pattern_def pattern_def = rbl_default_pattern_def();
	rbl_pattern *pattern = NULL;
	CHECK(t, rbl_create_pattern(&pattern_def, &pattern) == RBL_OK);
	rbl_damage_level level = { .energy = 1.0, .pattern = pattern, .radius = 10.0 };
	rbl_damage_rule rule = rbl_default_damage_rule();
	rule.levels = &level, rule.level_count = 1;
	rbl_body_def body = rbl_default_body_def();
	rbl_material *material = scene_material(body.material, &rule, 0.0);
	body.asset = asset;
	body.shared_material = material;
	rbl_body_id id = rbl_create_body(w.world, &body);
	CHECK_NEAR(t, rbl_body_get_mass(w.world, id).mass, 1500.0, 1e-3);
	CHECK(t, rbl_body_damage(w.world, id, (rbl_vec3){ 0.7f, 0.5f, 0.5f },
	                         (rbl_vec3){ 0.0f, -1.0f, 0.0f }, INFINITY, 10.0f) == RBL_OK);
	scene_steps(&w, 1);
	rbl_body_id ids[512];
	int count = rbl_world_get_bodies(w.world, ids, 512);
	double sum = 0.0;
	for (int i = 0; i < count; ++i)
		sum += (double)rbl_body_get_mass(w.world, ids[i]).mass;
	CHECK(t, count > 10);
	CHECK_NEAR(t, sum, 1500.0, 0.01);
	scene_destroy(&w);
	rbl_destroy_material(material);
	rbl_destroy_pattern(pattern);
	rbl_destroy_asset(asset);
	rbl_destroy_mesh(mesh);
}

// A shell that lies within another adds nothing, and is there all the same.
static void what_lies_in_another_adds_nothing(test *t)
{
	static soup s;
	s.point_count = s.triangle_count = 0;
	soup_box(&s, (rbl_vec3d){ 0.0, 0.0, 0.0 }, (rbl_vec3d){ 2.0, 1.0, 1.0 }, false);
	for (int i = 0; i < 3; ++i)
		soup_box(&s, (rbl_vec3d){ 0.5, 0.2, 0.2 }, (rbl_vec3d){ 1.5, 0.8, 0.8 }, false);
	rbl_mesh *mesh = soup_mesh(&s);
	rbl_prepare_def def = rbl_default_prepare_def();
	rbl_asset *asset = NULL;
	CHECK(t, rbl_prepare(mesh, &def, &asset) == RBL_OK);
	const rbl_compound *c = rbl_asset_get_compound(asset);
	CHECK_NEAR(t, rbl_compound_get_visual_mass(c).volume, 2.0, 1e-9);
	for (int i = 0; i < rbl_compound_get_info(c).part_end; ++i)
		CHECK(t, rbl_compound_get_part(c, i).overlap < 0.99);
	rbl_destroy_asset(asset);
	rbl_destroy_mesh(mesh);
}

// One clear sentence, and nothing has changed.
static void wrong_input_is_refused(test *t)
{
	row r;
	scene s;
	make_row(t, &r, 1.0);
	rbl_world_def def = scene_def(&s, 1);
	scene_create(&s, &def);
	rbl_body_def body = scene_body(s.box, 0.0f, 0.0f, 0.0f);
	body.shared_material = r.materials[1];
	CHECK(t, rbl_body_id_is_null(rbl_create_body(s.world, &body)));
	CHECK(t, strstr(rbl_last_error(), "material \"glass\" breaks") != NULL);
	body.shared_material = r.materials[0];
	rbl_body_id id = rbl_create_body(s.world, &body);
	CHECK(t, rbl_body_set_shared_material(s.world, id, r.materials[1]) == RBL_UNSUPPORTED);
	CHECK(t, rbl_body_get_shared_material(s.world, id) == r.materials[0]);
	rbl_material_def good = rbl_material_get_def(r.materials[1]), bad[12];
	good.allocator = rbl_default_material_def().allocator;
	for (int i = 0; i < 12; ++i)
		bad[i] = good;
	rbl_damage_level no_pattern = { .energy = 1.0, .radius = 1.0 };
	bad[0].damage.levels = &no_pattern;
	bad[1].damage.levels = NULL;
	bad[2].strengths.shear = -1.0;
	bad[3].placement = RBL_PLACEMENT_COUNT;
	bad[4].frame.w = 2.0;
	bad[5].inner.uv_scale = 0.0;
	bad[6].fit = (rbl_fit)9;
	bad[7].cut_limit = 0;
	bad[8].debris.min_radius = 0.1, bad[8].debris.max_radius = 0.01;
	bad[9].debris.lifetime = 0.0f;
	bad[10].values.friction = -1.0f;
	bad[11].damage.wear_exponent = 0;
	for (int i = 0; i < 12; ++i) {
		rbl_material *made = r.materials[0];
		CHECK(t, rbl_create_material(&bad[i], &made) == RBL_BAD_ARGUMENT && !made);
	}
	rbl_material *made = NULL;
	CHECK(t, rbl_create_material(&good, &made) == RBL_OK);
	rbl_destroy_material(made);
	CHECK(t, rbl_world_body_count(s.world) == 1);
	scene_destroy(&s);
	destroy_row(&r);
}

TEST_MAIN(TEST(slots_become_materials_of_parts), TEST(assets_are_saved_with_materials),
          TEST(parts_weigh_by_their_materials), TEST(parts_rub_by_their_materials),
          TEST(fields_rub_by_their_materials), TEST(parts_with_materials_are_merged),
          TEST(a_blow_goes_by_the_part_that_it_hits), TEST(a_blow_leaves_other_materials_whole),
          TEST(parts_follow_a_material_that_changes), TEST(a_replay_has_the_materials),
          TEST(what_comes_off_in_two_materials_keeps_momentum), TEST(what_overlaps_counts_once),
          TEST(what_lies_in_another_adds_nothing), TEST(wrong_input_is_refused))
