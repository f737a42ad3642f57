// SPDX-License-Identifier: MIT
// ctest: soak
// A storm of calls in which any allocation may fail, within calls and within steps. A call that finds no memory
// says so, and the world is the same to the byte. A step that finds none loses what it must, and the world is
// whole: it is saved and loaded, what was loaded goes on with the same bits, everything that overlaps is known, and
// contacts and counts are what they would be without.
//
// Each seed is a storm of its own. RBL_STORM_FIRST=n begins with seed n, RBL_STORM_COUNT=n stops after n seeds.

#include "../faulty_allocator.h"
#include "../solver/validate.h"
#include "../test.h"
#include "busy.h"

#include "world/world.h"

enum { MOST = 70, KEPT = 48, JOINTS = 12, AT_ONCE = 3, STEPS = 60, MOST_PAIRS = 4000 };

typedef enum call_kind {
	CREATE,
	CREATE_MANY,
	BUILD,
	REPLACE,
	DESTROY,
	SET_POSE,
	SET_VELOCITY,
	PUSH,
	SET_KIND,
	SET_MATERIAL,
	SET_FILTER,
	SET_AWAKE,
	SET_ENABLED,
	JOIN,
	PART,
	DAMAGE,
	EXPLODE,
	SET_GRAVITY,
	SHIFT,
	STEP,
	SAVE,
	CALL_COUNT
} call_kind;

static const char *const names[CALL_COUNT] = {
	"create",       "create many", "build",    "replace",      "destroy",    "set pose",
	"set velocity", "push",        "set kind", "set material", "set filter", "set awake",
	"set enabled",  "join",        "part",     "damage",       "explode",    "set gravity",
	"shift",        "step",        "save"
};

// What a call is given, so that two worlds can be given the same.
typedef struct call {
	call_kind kind;
	rbl_body_id body;
	rbl_joint_id joint;
	rbl_body_def defs[AT_ONCE];
	int count, part;
	rbl_joint_def joint_def;
	rbl_transform pose;
	rbl_vec3 a, b;
	rbl_filter filter;
	rbl_material_values material;
	float x;
	bool is_on;
	uint64_t number;
} call;

// What it gives back.
typedef struct outcome {
	rbl_result result;
	rbl_body_id bodies[AT_ONCE];
	rbl_joint_id joint;
} outcome;

typedef struct storm {
	test *t;
	rbl_random random;
	busy *b;
	rbl_world_def def; // of the world whose memory fails
	faulty_allocator memory;
	rbl_world *world;
	rbl_world *steady; // the same, with memory of its own
	rbl_body_id floor, bodies[KEPT];
	rbl_joint_id joints[JOINTS];
	int done[CALL_COUNT], failed[CALL_COUNT], lost, pairs, contacts, broken, loads;
	int retired[RBL_RETIRED_RELEASED + 1];
} storm;

static uint32_t pick(storm *s, uint32_t count)
{
	return rbl_random_below(&s->random, count);
}

static float number(storm *s, float size)
{
	return size * (2.0f * rbl_random_float(&s->random) - 1.0f);
}

static rbl_vec3 place(storm *s, float size)
{
	rbl_vec3 p = { number(s, size), number(s, size), number(s, size) };
	return p;
}

static rbl_transform pose(storm *s)
{
	rbl_transform t = { .position = place(s, 1.5f) };
	t.position.y = 0.4f + fabsf(t.position.y);
	rbl_vec3d a = rbl_random_in_ball(&s->random);
	rbl_quatd q = rbl_quat_normalize_d((rbl_quatd){ a.x, a.y, a.z, 0.4 });
	t.rotation = (rbl_quat){ (float)q.x, (float)q.y, (float)q.z, (float)q.w };
	return t;
}

static void threaten(storm *s)
{
	uint64_t seed = rbl_random_u64(&s->random);
	static const int depths[4] = { 4, 16, 64, 400 };
	if (pick(s, 4) == 0 || getenv("CALM"))
		faulty_rest(&s->memory);
	else
		faulty_threaten(&s->memory, seed, depths[pick(s, 4)]);
}

// --- the world is whole ------------------------------------------------------------------------------

static int find_record(const rbl_world *w, int p, int q)
{
	int a = p < q ? p : q, b = p < q ? q : p;
	for (int i = 0; i < w->pair_end; ++i)
		if (w->pairs[i].a == a && w->pairs[i].b == b)
			return i;
	return RBL_NONE;
}

static bool is_free_to_touch(rbl_world *w, int p, int q)
{
	int a = w->hot_parts[p].body, b = w->hot_parts[q].body;
	rbl_filter f = w->bodies[a].filter, g = w->bodies[b].filter;
	bool both = (w->motions[a].flags & w->motions[b].flags & RBL_BODY_ENABLED) &&
	            !(w->motions[a].flags & w->motions[b].flags & RBL_BODY_SENSOR) &&
	            (w->bodies[a].kind != RBL_BODY_STATIC || w->bodies[b].kind != RBL_BODY_STATIC);
	bool fits = f.group != 0 && f.group == g.group
	                ? f.group > 0
	                : (f.category & g.mask) != 0 && (g.category & f.mask) != 0;
	return a != b && both && fits && w->hot_parts[p].polyhedron && w->hot_parts[q].polyhedron &&
	       !rbl_world_passes_through(w, a, q) && !rbl_world_passes_through(w, b, p) &&
	       rbl_world_should_collide(w, a, b, false);
}

// Pieces that overlap now, by brute force over all of them.
typedef struct overlaps {
	int pieces[MOST_PAIRS][2];
	rbl_id ids[MOST_PAIRS][2];
	bool are_awake[MOST_PAIRS]; // or one of them
	int count;
} overlaps;

static void find_overlaps(rbl_world *w, overlaps *found, float depth)
{
	found->count = 0;
	for (int p = 0; p < w->part_ids.slot_count; ++p) {
		if (!rbl_id_pool_is_live(&w->part_ids, p) || !w->hot_parts[p].polyhedron)
			continue;
		for (int q = p + 1; q < w->part_ids.slot_count; ++q) {
			rbl_sat_cache cache = { 0 };
			rbl_manifold m = { .point_count = 0 };
			if (!rbl_id_pool_is_live(&w->part_ids, q) || !w->hot_parts[q].polyhedron ||
			    found->count == MOST_PAIRS)
				continue;
			rbl_vec3 difference = rbl_sub(w->motions[w->hot_parts[p].body].centre,
			                              w->motions[w->hot_parts[q].body].centre);
			float reach = w->motions[w->hot_parts[p].body].bounding_radius +
			              w->motions[w->hot_parts[q].body].bounding_radius;
			if (rbl_length(difference) > reach || !is_free_to_touch(w, p, q) ||
			    !rbl_collide_pair(w->hot_parts[p].polyhedron, rbl_world_part_pose(w, p),
			                      w->hot_parts[q].polyhedron, rbl_world_part_pose(w, q), 0.0f,
			                      &cache, &m, NULL))
				continue;
			bool is_deep = false;
			for (int i = 0; i < m.point_count; ++i)
				is_deep |= m.points[i].separation < -depth;
			if (!is_deep)
				continue;
			found->are_awake[found->count] =
				(w->motions[w->hot_parts[p].body].flags | w->motions[w->hot_parts[q].body].flags) &
				RBL_BODY_AWAKE;
			found->ids[found->count][0] = rbl_id_pool_at(&w->part_ids, p);
			found->ids[found->count][1] = rbl_id_pool_at(&w->part_ids, q);
			found->pieces[found->count][0] = p;
			found->pieces[found->count++][1] = q;
		}
	}
}

// Whether a pair, or one of its list, has points in the solver.
static bool has_contact(const rbl_world *w, int pair)
{
	int k = pair;
	do {
		int contact = w->pairs[k].contact;
		if (contact != RBL_NONE && w->contacts.data[contact].solver_contact != RBL_NONE &&
		    rbl_solver_has_points(w->solver, w->contacts.data[contact].solver_contact))
			return true;
		k = w->pairs[k].flags & RBL_PAIR_MERGED ? w->links[k].next_merged : pair;
	} while (k != pair);
	return false;
}

// Whether a part is near several static ones: contacts along their joints do not count.
static bool is_beside_static(const rbl_world *w, int part)
{
	int count = 0;
	RBL_EACH_PAIR (pair, w, part)
		count += w->bodies[rbl_world_other_body(w, pair, part)].kind == RBL_BODY_STATIC;
	return count > 1;
}

// Whether one of two bodies has begun to pass through parts of the other that will be gone. Pairs end when
// a step is over, and what is left of a merged list has no points until the next.
static bool is_passing(const rbl_world *w, int part, int other)
{
	int a = w->hot_parts[part].body, b = w->hot_parts[other].body;
	for (int i = 0; i < w->damage_requests.count; ++i) {
		const rbl_damage_request *r = &w->damage_requests.data[i];
		int body = (int)r->body.index, hitter = (int)r->other.index;
		if (r->is_passed && ((body == a && hitter == b) || (body == b && hitter == a)))
			return true;
	}
	return false;
}

// What overlapped before a step that went well is known, touches, and has a contact.
static void check_overlaps(storm *s, const overlaps *before)
{
	rbl_world *w = s->world;
	for (int i = 0; i < before->count; ++i) {
		int p = before->pieces[i][0], q = before->pieces[i][1];
		if (!rbl_id_pool_has(&w->part_ids, before->ids[i][0]) ||
		    !rbl_id_pool_has(&w->part_ids, before->ids[i][1]) || !is_free_to_touch(w, p, q))
			continue;
		int pair = find_record(w, p, q);
		CHECK(s->t, pair != RBL_NONE || w->stats.capped_pair_count > 0);
		s->pairs++;
		// What is woken by the step is looked at in the next one.
		if (pair == RBL_NONE || !w->solver || !before->are_awake[i] ||
		    (w->pairs[pair].flags & RBL_PAIR_SENSOR) || is_passing(w, p, q))
			continue;
		CHECK(s->t, has_contact(w, pair) || is_beside_static(w, p) || is_beside_static(w, q));
		s->contacts++;
	}
}

// Touches with points have them in the solver; pairs in lists share theirs.
static void check_touches(storm *s)
{
	const rbl_world *w = s->world;
	for (int i = 0; w->solver && i < w->pair_end; ++i) {
		const rbl_pair_record *p = &w->pairs[i];
		if (p->a == RBL_NONE || p->contact == RBL_NONE || (p->flags & RBL_PAIR_SENSOR))
			continue;
		int a = w->hot_parts[p->a].body, b = w->hot_parts[p->b].body;
		bool is_surface = p->flags & RBL_PAIR_SURFACE;
		int contact = is_surface ? w->surfaces.data[p->contact].first_contact : p->contact;
		for (; contact != RBL_NONE;
		     contact = is_surface ? w->contacts.data[contact].next : RBL_NONE) {
			const rbl_world_contact *t = &w->contacts.data[contact];
			CHECK(s->t, t->pair == i && t->solver_contact != RBL_NONE);
			// One that is looked at in the next step in any case may have lost its points in this one.
			bool is_seen = p->flags & RBL_PAIR_POSE_CACHED;
			if (t->solver_contact != RBL_NONE && is_seen && !(p->flags & RBL_PAIR_MERGED))
				CHECK(s->t, rbl_solver_has_points(w->solver, t->solver_contact) ==
				                (t->manifold.point_count > 0));
		}
		(void)a, (void)b;
	}
}

// Bodies are where the solver has them, and sleep when they sleep there.
static void check_bodies(storm *s)
{
	const rbl_world *w = s->world;
	for (int i = 0; w->solver && i < w->body_ids.slot_count; ++i) {
		if (!rbl_id_pool_is_live(&w->body_ids, i) || w->bodies[i].solver_body == RBL_NONE)
			continue;
		const rbl_body_motion *m = &w->motions[i];
		const rbl_solver_pose *p = &rbl_solver_poses(w->solver)[w->bodies[i].solver_body];
		const rbl_solver_velocity *v = &rbl_solver_velocities(w->solver)[w->bodies[i].solver_body];
		CHECK(s->t, memcmp(&m->centre, &p->centre, sizeof m->centre) == 0 &&
		                memcmp(&m->rotation, &p->rotation, sizeof m->rotation) == 0);
		if (w->bodies[i].kind == RBL_BODY_STATIC)
			continue;
		bool is_asleep = rbl_solver_is_asleep(w->solver, w->bodies[i].solver_body);
		if (w->bodies[i].kind == RBL_BODY_DYNAMIC &&
		    !w->solver->cold[w->bodies[i].solver_body].is_in_woke)
			CHECK(s->t, is_asleep == !(m->flags & RBL_BODY_AWAKE));
		CHECK(s->t, is_asleep || memcmp(&m->velocity, &v->linear, sizeof m->velocity) == 0);
	}
}

// Sensors count what touches them.
static void check_sensors(storm *s)
{
	const rbl_world *w = s->world;
	int touching = 0, counted = 0;
	const uint32_t wanted = RBL_PAIR_SENSOR | RBL_PAIR_REPORTED;
	for (int i = 0; i < w->pair_end; ++i)
		touching += w->pairs[i].a != RBL_NONE && (w->pairs[i].flags & wanted) == wanted;
	for (int i = 0; i < w->sensor_visits.capacity; ++i)
		if (w->sensor_visits.entries[i].value != RBL_MAP_NONE)
			counted += (int)w->sensor_visits.entries[i].value;
	CHECK(s->t, touching == counted);
}

static void check_world(storm *s)
{
	CHECK(s->t, !s->world->solver || solver_is_valid(s->world->solver));
	check_touches(s);
	check_bodies(s);
	check_sensors(s);
}

static bool is_same(const rbl_world *a, const rbl_world *b)
{
	return rbl_world_hash(a) == rbl_world_hash(b) &&
	       rbl_world_get_contacts(a, NULL, 0) == rbl_world_get_contacts(b, NULL, 0);
}

// A world like this one, by way of its bytes: whatever is not in order there is refused.
static void load_steady(storm *s)
{
	size_t size;
	unsigned char *bytes = busy_save(s->world, &size);
	CHECK(s->t, bytes);
	rbl_destroy_world(s->steady);
	s->steady = NULL;
	rbl_world_def def = s->def;
	def.allocator = rbl_default_world_def().allocator;
	rbl_sources sources = busy_sources(s->b);
	CHECK(s->t, bytes && rbl_world_load(bytes, size, &def, &sources, &s->steady) == RBL_OK);
	CHECK(s->t, s->steady && is_same(s->world, s->steady));
	s->loads++;
	free(bytes);
}

// --- calls -------------------------------------------------------------------------------------------

static rbl_body_id any_body(storm *s)
{
	for (int i = 0; i < 8; ++i) {
		rbl_body_id id = s->bodies[pick(s, KEPT)];
		if (rbl_body_exists(s->world, id))
			return id;
	}
	return s->bodies[0];
}

static rbl_body_def body_def(storm *s)
{
	rbl_body_def def = rbl_default_body_def();
	const rbl_collider *shapes[] = { s->b->s.box, s->b->s.ball, s->b->s.capsule, s->b->compound,
		                             s->b->s.hulls[pick(s, SCENE_SHAPES)] };
	def.collider = shapes[pick(s, 5)];
	if (pick(s, 6) == 0) {
		def.collider = NULL;
		def.asset = s->b->assets[0];
		def.shared_material = pick(s, 2) ? s->b->breaking : s->b->weak;
	}
	def.kind = (rbl_body_kind)(pick(s, 6) == 0 ? pick(s, 3) : RBL_BODY_DYNAMIC);
	def.pose = pose(s);
	def.velocity = place(s, 1.5f);
	def.angular_velocity = place(s, 1.5f);
	def.is_sensor = pick(s, 10) == 0;
	def.is_enabled = pick(s, 12) != 0;
	def.is_awake = def.kind == RBL_BODY_STATIC || pick(s, 10) != 0;
	def.filter.group = pick(s, 8) ? 0 : (int32_t)pick(s, 5) - 2;
	def.user = pick(s, 1000);
	return def;
}

static call any_call(storm *s)
{
	static const uint8_t kinds[] = { CREATE,      CREATE,   CREATE,      CREATE,       CREATE_MANY,
		                             CREATE_MANY, BUILD,    REPLACE,     DESTROY,      SET_POSE,
		                             SET_POSE,    PUSH,     SET_KIND,    SET_MATERIAL, SET_FILTER,
		                             SET_AWAKE,   JOIN,     SET_ENABLED, SET_ENABLED,  SET_VELOCITY,
		                             JOIN,        PART,     DAMAGE,      DAMAGE,       DAMAGE,
		                             EXPLODE,     SET_AWAKE };
	call c = { .kind = (call_kind)kinds[pick(s, sizeof kinds)] };
	if (pick(s, 60) == 0)
		c.kind = pick(s, 2) ? SET_GRAVITY : SHIFT;
	if (rbl_world_body_count(s->world) > MOST)
		c.kind = pick(s, 2) ? DESTROY : c.kind;
	c.body = any_body(s);
	c.joint = s->joints[pick(s, JOINTS)];
	c.count = c.kind == CREATE ? 1 : 1 + (int)pick(s, AT_ONCE);
	for (int i = 0; i < c.count; ++i)
		c.defs[i] = body_def(s);
	c.joint_def = rbl_default_joint_def((rbl_joint_kind)pick(s, RBL_JOINT_KIND_COUNT));
	c.joint_def.body_a = any_body(s), c.joint_def.body_b = any_body(s);
	c.joint_def.collides = pick(s, 2);
	c.joint_def.break_force = pick(s, 3) ? INFINITY : 2000.0f;
	c.pose = pose(s);
	c.a = place(s, 2.0f), c.b = place(s, 1.0f);
	c.filter = (rbl_filter){ 1u << pick(s, 3), 7u - pick(s, 4), (int32_t)pick(s, 5) - 2 };
	c.material = (rbl_material_values){ .friction = rbl_random_float(&s->random),
		                                .restitution = 0.5f,
		                                .density = 1.0f,
		                                .rolling_resistance = c.joint_def.collides ? 0.05f : 0.0f };
	c.x = 10.0f + 600.0f * rbl_random_float(&s->random);
	c.is_on = pick(s, 2);
	c.part = (int)pick(s, 8);
	c.number = pick(s, RBL_BODY_KIND_COUNT);
	if (c.kind == SHIFT)
		c.is_on = rbl_body_pose(s->world, s->floor).position.x > -1.0f; // there and back
	return c;
}

static rbl_result build(rbl_world *w, const storm *s, const call *c, rbl_body_id *id)
{
	rbl_body_def def = c->defs[0];
	def.collider = NULL, def.asset = NULL;
	def.shared_material = s->b->brittle;
	rbl_allocator allocator = w->allocator;
	rbl_result result = rbl_asset_create_compound(s->b->assets[0], &allocator, &def.compound);
	if (result != RBL_OK)
		return result;
	int end = rbl_compound_get_info(def.compound).part_end;
	rbl_compound_set_anchored(def.compound, c->part % end, c->is_on);
	*id = rbl_create_body(w, &def);
	if (!rbl_body_id_is_null(*id))
		return RBL_OK;
	rbl_destroy_compound(def.compound);
	return RBL_OUT_OF_MEMORY;
}

static rbl_result join(rbl_world *w, const call *c, rbl_joint_id *joint)
{
	rbl_joint_def def = c->joint_def;
	if (rbl_joint_def_place(w, &def, rbl_body_pose(w, def.body_b)) != RBL_OK)
		return RBL_BAD_ARGUMENT;
	*joint = rbl_create_joint(w, &def);
	return rbl_joint_exists(w, *joint) ? RBL_OK : RBL_OUT_OF_MEMORY;
}

static bool joint_is_right(const storm *s, const call *c)
{
	rbl_body_id a = c->joint_def.body_a, b = c->joint_def.body_b;
	return rbl_body_exists(s->world, a) && rbl_body_exists(s->world, b) && a.index != b.index &&
	       (rbl_body_get_state(s->world, a).kind == RBL_BODY_DYNAMIC ||
	        rbl_body_get_state(s->world, b).kind == RBL_BODY_DYNAMIC);
}

static outcome make_call(rbl_world *w, const storm *s, const call *c)
{
	outcome o = { .result = RBL_OK };
	rbl_explosion blast = rbl_default_explosion();
	blast.radius = 2.0f, blast.position = c->a, blast.impulse_per_area = 20.0f;
	rbl_vec3 far = { c->is_on ? 64.0f : -64.0f, 0.0f, 0.0f };
	switch (c->kind) {
	case CREATE:
		o.bodies[0] = rbl_create_body(w, &c->defs[0]);
		o.result = rbl_body_exists(w, o.bodies[0]) ? RBL_OK : RBL_OUT_OF_MEMORY;
		break;
	case CREATE_MANY:
		o.result = rbl_create_bodies(w, c->defs, c->count, o.bodies);
		break;
	case BUILD:
		o.result = build(w, s, c, &o.bodies[0]);
		break;
	case REPLACE:
		o.result = rbl_replace_body(w, c->body, c->defs, c->count, o.bodies);
		break;
	case DESTROY:
		o.result = rbl_destroy_body(w, c->body);
		break;
	case SET_POSE:
		o.result = rbl_body_set_pose(w, c->body, c->pose);
		break;
	case SET_VELOCITY:
		o.result = rbl_body_set_velocity(w, c->body, c->a, c->b);
		break;
	case PUSH:
		o.result = c->is_on ? rbl_body_add_impulse(w, c->body, c->a, c->b)
		                    : rbl_body_add_force(w, c->body, c->a, c->b);
		break;
	case SET_KIND:
		o.result = rbl_body_set_kind(w, c->body, (rbl_body_kind)c->number);
		break;
	case SET_MATERIAL:
		o.result = rbl_body_set_material(w, c->body, c->material);
		break;
	case SET_FILTER:
		o.result = rbl_body_set_filter(w, c->body, c->filter);
		break;
	case SET_AWAKE:
		o.result = rbl_body_set_awake(w, c->body, c->is_on);
		break;
	case SET_ENABLED:
		o.result = rbl_body_set_enabled(w, c->body, c->is_on);
		break;
	case JOIN:
		o.result = join(w, c, &o.joint);
		break;
	case PART:
		o.result = rbl_destroy_joint(w, c->joint);
		break;
	case DAMAGE:
		o.result = rbl_body_damage(w, c->body, c->pose.position, (rbl_vec3){ 0.0f, -1.0f, 0.0f },
		                           c->is_on ? INFINITY : 0.4f, c->x);
		break;
	case EXPLODE:
		o.result = rbl_world_explode(w, &blast);
		break;
	case SET_GRAVITY:
		o.result = rbl_world_set_gravity(w, (rbl_vec3){ 0.0f, c->is_on ? -9.81f : -5.0f, 0.0f });
		break;
	default:
		o.result = rbl_world_shift_origin(w, far);
		break;
	}
	return o;
}

static bool ids_are_same(const outcome *p, const outcome *q)
{
	return memcmp(p->bodies, q->bodies, sizeof p->bodies) == 0 &&
	       memcmp(&p->joint, &q->joint, sizeof p->joint) == 0;
}

static void change(storm *s)
{
	call c = any_call(s);
	if (c.kind == JOIN && !joint_is_right(s, &c))
		return;
	size_t size, after;
	bool had_merged = s->world->baked_count > 0;
	unsigned char *bytes = busy_save(s->world, &size), *now = NULL;
	CHECK(s->t, bytes);
	int64_t lost = rbl_world_get_stats(s->world).lost_count;
	threaten(s);
	outcome o = make_call(s->world, s, &c);
	bool has_failed = s->memory.failed;
	faulty_rest(&s->memory);
	if (o.result == RBL_OUT_OF_MEMORY) {
		CHECK(s->t, has_failed);
		s->failed[c.kind]++;
		now = busy_save(s->world, &after);
		bool is_unchanged = now && after == size && memcmp(bytes, now, size) == 0;
		// What was merged may be released by these.
		bool may_change = had_merged && (c.kind == EXPLODE || c.kind == SET_GRAVITY);
		CHECK(s->t, is_unchanged || may_change);
		if (!is_unchanged) {
			if (!may_change)
				printf("failed and changed: %s\n", names[c.kind]);
			load_steady(s);
		}
	} else {
		outcome other = make_call(s->steady, s, &c);
		s->done[c.kind] += o.result == RBL_OK;
		CHECK(s->t, other.result == o.result && ids_are_same(&o, &other));
		// What is frozen and loses a contact wakes at once when nobody can remember it; contacts that wake and find
		// no place are made anew in the next step.
		bool same = is_same(s->world, s->steady),
			 may_differ = has_failed && s->def.freeze_time > 0.0f;
		bool has_lost = rbl_world_get_stats(s->world).lost_count > lost;
		CHECK(s->t, !has_lost || has_failed);
		CHECK(s->t, same || may_differ);
		if (!same || has_lost || other.result != o.result) {
			if (!may_differ && !has_lost)
				printf("differs after: %s%s\n", names[c.kind],
				       has_failed ? ", something failed" : "");
			load_steady(s);
		}
		for (int i = 0; o.result == RBL_OK && i < AT_ONCE; ++i)
			if (!rbl_body_id_is_null(o.bodies[i]))
				s->bodies[pick(s, KEPT)] = o.bodies[i];
		if (o.joint.generation)
			s->joints[pick(s, JOINTS)] = o.joint;
	}
	free(bytes);
	free(now);
}

static void step(storm *s, bool may_fail)
{
	static overlaps before;
	int64_t rescued = rbl_world_get_stats(s->world).rescued_count;
	if (!may_fail)
		find_overlaps(s->world, &before, 0.002f);
	if (may_fail)
		threaten(s);
	rbl_result result = rbl_world_step(s->world, 1.0f / 60.0f);
	bool has_failed = s->memory.failed;
	faulty_rest(&s->memory);
	rbl_events events = rbl_world_get_events(s->world);
	s->broken += events.fracture_count;
	for (int i = 0; i < events.retire_count; ++i)
		s->retired[events.retires[i].what]++;
	CHECK(s->t, result == RBL_OK || (result == RBL_OUT_OF_MEMORY && has_failed));
	s->done[STEP] += !has_failed, s->failed[STEP] += has_failed, s->lost += events.lost_count;
	check_world(s);
	if (has_failed) {
		load_steady(s);
		return;
	}
	CHECK(s->t, rbl_world_step(s->steady, 1.0f / 60.0f) == RBL_OK);
	bool same = is_same(s->world, s->steady);
	CHECK(s->t, same);
	if (!same)
		load_steady(s);
	// What has just come, or comes anew, is looked at in the next step.
	if (!may_fail && events.fracture_count == 0 && events.retire_count == 0 &&
	    rbl_world_get_stats(s->world).rescued_count == rescued)
		check_overlaps(s, &before);
	for (int i = 0; i < events.fracture_count; ++i)
		for (int k = 0; k < events.fractures[i].new_count && k < 3; ++k)
			s->bodies[pick(s, KEPT)] = events.fractures[i].new_bodies[k];
}

// Everything is put to sleep, so that debris can be frozen and merged.
static void calm(storm *s)
{
	static rbl_body_id all[4096];
	int count = rbl_world_get_bodies(s->world, all, 4096);
	for (int i = 0; i < count && i < 4096; ++i) {
		CHECK(s->t, rbl_body_set_awake(s->world, all[i], false) == RBL_OK);
		CHECK(s->t, rbl_body_set_awake(s->steady, all[i], false) == RBL_OK);
	}
}

// Saving asks for memory, and leaves the world alone.
static void save(storm *s)
{
	size_t size = 0, wanted = 0;
	CHECK(s->t, rbl_world_save(s->world, NULL, &wanted) == RBL_OK);
	threaten(s);
	rbl_result result = rbl_world_save(s->world, NULL, &size);
	bool has_failed = s->memory.failed;
	faulty_rest(&s->memory);
	CHECK(s->t, result == (has_failed ? RBL_OUT_OF_MEMORY : RBL_OK));
	CHECK(s->t, has_failed || size == wanted);
	s->done[SAVE] += !has_failed, s->failed[SAVE] += has_failed;
}

// --- storms ------------------------------------------------------------------------------------------

static void open_storm(storm *s, test *t, busy *b, uint64_t seed)
{
	*s = (storm){ .t = t, .b = b, .random = rbl_random_from_seed(seed) };
	faulty_init(&s->memory, LLONG_MAX / 2);
	s->def = busy_world_def(b);
	s->def.allocator = FAULTY(&s->memory);
	s->def.detects_only = seed % 16 == 15;
	s->def.budget = seed % 3 == 0 ? 40 : seed % 3 == 1 ? 0 : s->def.budget;
	s->def.freeze_time = seed % 4 == 1 ? 0.1f : 0.0f;
	s->def.bake_time = seed % 2 == 0 ? 0.05f : 0.0f;
	s->def.debris_limit = seed % 5 == 2 ? 10 : 0;
	CHECK(t, rbl_create_world(&s->def, &s->world) == RBL_OK);
	rbl_body_def floor_def =
		scene_body(seed % 2 ? b->mesh_floor : b->s.floor, 0.0f, seed % 2 ? 0.0f : -0.5f, 0.0f);
	floor_def.kind = RBL_BODY_STATIC;
	s->floor = rbl_create_body(s->world, &floor_def);
	CHECK(t, rbl_body_exists(s->world, s->floor));
	load_steady(s);
}

static void close_storm(storm *s)
{
	rbl_destroy_world(s->world);
	rbl_destroy_world(s->steady);
	CHECK(s->t, s->memory.live_bytes == 0 && s->memory.live_count == 0);
}

static void failed_allocations_leave_a_whole_world(test *t)
{
	busy b;
	busy_prepare(&b, 1);
	int seeds = test_count(40, 20000);
	const char *text = getenv("RBL_STORM_FIRST");
	int first = text ? atoi(text) : 0;
	text = getenv("RBL_STORM_COUNT");
	seeds = text && atoi(text) < seeds - first ? first + atoi(text) : seeds;
	long long done[CALL_COUNT] = { 0 }, failed[CALL_COUNT] = { 0 }, pairs = 0, contacts = 0,
			  broken = 0, lost = 0, loads = 0, retired[RBL_RETIRED_RELEASED + 1] = { 0 };
	for (int seed = first; seed < seeds; ++seed) {
		static storm s;
		int failures = t->failures;
		open_storm(&s, t, &b, (uint64_t)seed);
		for (int i = 0; i < STEPS; ++i) {
			bool is_lull = i % 30 >= 18;
			for (int k = (int)pick(&s, i < 10 ? 6 : is_lull ? 1 + (i % 3 == 0) : 4); k > 0; --k)
				change(&s);
			if (pick(&s, 10) == 0)
				save(&s);
			if (i % 30 == 18)
				calm(&s);
			step(&s, i % 4 < 2);
		}
		pairs += s.pairs, contacts += s.contacts, broken += s.broken, lost += s.lost;
		loads += s.loads;
		for (int i = 0; i <= RBL_RETIRED_RELEASED; ++i)
			retired[i] += s.retired[i];
		for (int i = 0; i < CALL_COUNT; ++i)
			done[i] += s.done[i], failed[i] += s.failed[i];
		close_storm(&s);
		if (t->failures > failures)
			printf("seed %d\n", seed);
	}
	for (int i = 0; i < CALL_COUNT; ++i)
		printf("%s: %lld done and %lld failed\n", names[i], done[i], failed[i]);
	printf("%lld pairs and %lld contacts, %lld broken, %lld events lost, %lld loads; ", pairs,
	       contacts, broken, lost, loads);
	printf("%lld frozen, %lld merged, %lld released\n", retired[RBL_RETIRED_FROZEN],
	       retired[RBL_RETIRED_BAKED], retired[RBL_RETIRED_RELEASED]);
	long long count = seeds - first;
	bool is_long = count >= 12; // or chance decides
	CHECK(t, !is_long || (done[STEP] > 20 * count && failed[STEP] > 2 * count));
	CHECK(t, !is_long || (pairs > 50 * count && contacts > 20 * count && broken > count / 2));
	CHECK(t, count < 200 || (retired[RBL_RETIRED_FROZEN] > 0 && retired[RBL_RETIRED_BAKED] > 0 &&
	                         retired[RBL_RETIRED_RELEASED] > 0));
	CHECK(t, !is_long || (failed[CREATE] > 0 && failed[JOIN] > 0 && failed[SAVE] > 0));
	busy_destroy(&b);
}

TEST_MAIN(TEST(failed_allocations_leave_a_whole_world))
