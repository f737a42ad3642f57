// SPDX-License-Identifier: MIT
//
// Chips: small debris on exposed faces (Mueller et al. 2013, section 5), as bodies of a few shapes
// that all of it shares.
//
// They are spread evenly by area. A break makes at most as many as its rules say, and no more than
// half of what the limit of the world leaves, so that the first of many breaks does not take all;
// when there is not enough for all faces, each gets less of them.
//
// A chip moves as the place where it was made, and is scattered along the normal. Scattering adds
// no momentum, and no more energy than the break has cost; where bonds fail under load, which
// costs none, chips just fall. A chip is born inside what it came off, and passes through that
// until their boxes have parted.
//
// Chips weigh what their material does. The mass of dust is theirs: the event says what is lost.

#include "world/world.h"

#include "base/random.h"
#include "world/recording.h"

#include <limits.h>

// Spheres must not roll for ever as balls do.
static const float sphere_angular_damping = 12.0f;

// Chips of one material in a break.
typedef struct chip_source {
	const rbl_debris_rule *rule;
	double area, rate, owed;
} chip_source;

typedef struct chip_work {
	rbl_world *world;
	const rbl_damage_request *request;
	rbl_transform pose;
	rbl_random random;
	chip_source *sources;
	int source_count;
	int count, capacity;
	rbl_body_def *defs;
	rbl_chip *chips;
	rbl_vec3 *scatters;
	const rbl_material **materials; // that they share, or NULL
	rbl_body_id *ids;
} chip_work;

// --- shapes -------------------------------------------------------------------------------------

static int collider_place(rbl_debris_kind kind, int variant, int size)
{
	int shape = kind == RBL_DEBRIS_SPHERES ? RBL_CHIP_VARIANTS : variant;
	return shape * RBL_CHIP_SIZES + size;
}

// The collider that all chips of a shape and size share. @return NULL when memory ran out
static const rbl_collider *chip_collider(rbl_world *world, rbl_debris_kind kind, int variant,
                                         int size)
{
	enum { PLACES = (RBL_CHIP_VARIANTS + 1) * RBL_CHIP_SIZES };
	if (world->chip_colliders.count == 0) {
		if (!rbl_array_resize(&world->allocator, &world->chip_colliders, PLACES))
			return NULL;
		memset(world->chip_colliders.data, 0, PLACES * sizeof *world->chip_colliders.data);
	}
	rbl_collider **kept = &world->chip_colliders.data[collider_place(kind, variant, size)];
	if (!*kept)
		(void)rbl_create_chip_collider(kind, variant, rbl_chip_radius(size), &world->allocator,
		                               kept);
	return *kept;
}

void rbl_world_free_chips(rbl_world *world)
{
	for (int i = 0; i < world->chip_colliders.count; ++i)
		rbl_destroy_collider(world->chip_colliders.data[i]);
	rbl_array_free(&world->allocator, &world->chip_colliders);
	rbl_array_free(&world->allocator, &world->chips);
	rbl_array_free(&world->allocator, &world->fracture_chips);
}

// --- how many -----------------------------------------------------------------------------------

// How many chips a break may make.
static int find_room(const rbl_world *world)
{
	int room = world->def.chip_limit - world->chips.count;
	if (world->def.body_limit > 0)
		room = rbl_mini(room, world->def.body_limit - world->body_ids.live_count);
	return rbl_maxi(0, (room + 1) / 2);
}

// Chips per square metre of each material. @return how many there are at most
static int set_rates(chip_work *work)
{
	rbl_world *world = work->world;
	int body = (int)work->request->body.index;
	const rbl_compound *compound = world->bodies[body].compound;
	for (int i = 0; i < world->exposed.count; ++i)
		work->sources[world->exposed.data[i].material].area += (double)world->exposed.data[i].area;
	double total = 0.0;
	for (int i = 0; i < work->source_count; ++i) {
		chip_source *s = &work->sources[i];
		s->rule = rbl_world_debris_rule(world, body, compound, i);
		if (!s->rule || s->rule->kind == RBL_DEBRIS_NONE || !(s->area > 0.0))
			continue;
		double wanted = rbl_mind(s->rule->density * s->area, (double)s->rule->limit);
		s->rate = wanted / s->area;
		total += wanted;
	}
	double room = (double)find_room(world), share = total > room ? room / total : 1.0;
	for (int i = 0; i < work->source_count; ++i) {
		work->sources[i].rate *= share;
		work->sources[i].owed = rbl_random_double(&work->random); // small faces get their share
	}
	return total > 0.0 && room > 0.0 ? (int)rbl_mind(total, room) + work->source_count : 0;
}

// --- one chip -----------------------------------------------------------------------------------

// The number of those larger than r goes with 1 / r^2.
static double random_radius(rbl_random *random, const rbl_debris_rule *rule)
{
	double min = 1.0 / (rule->min_radius * rule->min_radius);
	double max = 1.0 / (rule->max_radius * rule->max_radius);
	return 1.0 / sqrt(max + rbl_random_double(random) * (min - max));
}

static rbl_quat random_rotation(rbl_random *random)
{
	rbl_vec3d v = rbl_random_in_ball(random);
	rbl_quat q = { (float)v.x, (float)v.y, (float)v.z, 2.0f * rbl_random_float(random) - 1.0f };
	return fabsf(q.x) + fabsf(q.y) + fabsf(q.z) + fabsf(q.w) > 0.01f
	           ? rbl_quat_normalize(q)
	           : (rbl_quat){ 0.0f, 0.0f, 0.0f, 1.0f };
}

static void add_chip(chip_work *work, const rbl_exposed_triangle *t, const rbl_debris_rule *rule)
{
	rbl_world *world = work->world;
	rbl_random *random = &work->random;
	int body = (int)work->request->body.index;
	const rbl_body *b = &world->bodies[body];
	rbl_vec3 point = rbl_transform_point(work->pose, rbl_to_f(rbl_exposed_point(t, random)));
	int size = rbl_chip_nearest_size(random_radius(random, rule));
	int variant = (int)rbl_random_below(random, RBL_CHIP_VARIANTS);
	rbl_quat rotation = random_rotation(random);
	rbl_vec3 way = rbl_add_scaled(rbl_rotate(work->pose.rotation, t->normal), 0.5f,
	                              rbl_to_f(rbl_random_in_ball(random)));
	float speed = rule->speed * (0.5f + rbl_random_float(random));
	float lifetime = rule->lifetime * (0.75f + 0.5f * rbl_random_float(random));
	rbl_body_def def = rbl_default_body_def();
	def.collider = chip_collider(world, rule->kind, variant, size);
	if (!def.collider || work->count == work->capacity) {
		world->lost_events += !def.collider;
		return;
	}
	def.pose = (rbl_transform){ point, rotation };
	def.velocity = rbl_body_velocity_at(world, work->request->body, point);
	def.angular_velocity = world->motions[body].angular_velocity;
	// Shared materials of what can break are refused for colliders: see share_material().
	const rbl_material *shared = rbl_world_face_material(world, body, t->material);
	def.material =
		shared ? rbl_material_get_values(shared) : world->materials.data[b->material].values;
	work->materials[work->count] = shared;
	def.filter = (rbl_filter){ b->filter.category, b->filter.mask, RBL_CHIP_GROUP };
	def.angular_damping = rule->kind == RBL_DEBRIS_SPHERES ? sphere_angular_damping : 0.05f;
	def.gravity_scale = b->gravity_scale;
	def.locks = world->motions[body].flags >> RBL_BODY_LOCK_SHIFT & RBL_SOLVER_LOCK_ALL;
	def.user = b->user;
	work->chips[work->count] = (rbl_chip){ .kind = rule->kind,
		                                   .variant = variant,
		                                   .radius = (float)rbl_chip_radius(size),
		                                   .time_left = lifetime };
	work->scatters[work->count] = rbl_scale(speed, way);
	work->defs[work->count++] = def;
}

static float chip_mass(const chip_work *work, int i)
{
	float r = work->chips[i].radius;
	return work->defs[i].material.density * (4.0f / 3.0f * 3.14159265f) * r * r * r;
}

// Scatter chips without momentum, and with at most some energy.
static void scatter(chip_work *work, float max_energy)
{
	rbl_vec3 sum = { 0.0f, 0.0f, 0.0f };
	float mass = 0.0f, energy = 0.0f;
	for (int i = 0; i < work->count; ++i) {
		sum = rbl_add_scaled(sum, chip_mass(work, i), work->scatters[i]);
		mass += chip_mass(work, i);
	}
	for (int i = 0; i < work->count; ++i) {
		work->scatters[i] = rbl_add_scaled(work->scatters[i], -1.0f / mass, sum);
		energy += 0.5f * chip_mass(work, i) * rbl_length_squared(work->scatters[i]);
	}
	float share = energy > max_energy ? sqrtf(max_energy / energy) : 1.0f;
	for (int i = 0; i < work->count; ++i)
		work->defs[i].velocity = rbl_add_scaled(work->defs[i].velocity, share, work->scatters[i]);
}

// --- all of a break -----------------------------------------------------------------------------

static bool reserve(chip_work *work)
{
	rbl_world *world = work->world;
	const rbl_allocator *a = &world->allocator;
	int n = work->capacity;
	work->defs = RBL_NEW(a, rbl_body_def, n);
	work->chips = RBL_NEW(a, rbl_chip, n);
	work->scatters = RBL_NEW(a, rbl_vec3, n);
	work->ids = RBL_NEW(a, rbl_body_id, n);
	work->materials = RBL_NEW(a, const rbl_material *, n);
	return work->defs && work->chips && work->scatters && work->ids && work->materials &&
	       rbl_array_extend(a, &world->chips, n) && rbl_array_extend(a, &world->fracture_chips, n);
}

static void release(chip_work *work)
{
	const rbl_allocator *a = &work->world->allocator;
	RBL_FREE(a, work->defs, work->capacity);
	RBL_FREE(a, work->chips, work->capacity);
	RBL_FREE(a, work->scatters, work->capacity);
	RBL_FREE(a, work->ids, work->capacity);
	RBL_FREE(a, work->materials, work->capacity);
}

// Let a chip share the material of its face. Without memory it keeps a copy of the values.
static void share_material(rbl_world *world, int body, const rbl_material *material)
{
	int number = material ? rbl_world_use_material(world, NULL, material) : RBL_NONE;
	if (number == RBL_NONE)
		return;
	rbl_world_drop_material(world, (int)world->bodies[body].material);
	world->bodies[body].material = (uint32_t)number;
}

static void create_chips(chip_work *work, rbl_fracture_event *event)
{
	rbl_world *world = work->world;
	if (work->count == 0)
		return;
	scatter(work, rbl_world_break_cost(world, work->request));
	if (rbl_create_bodies(world, work->defs, work->count, work->ids) != RBL_OK) {
		world->stats.lost_count++;
		return;
	}
	for (int i = 0; i < work->count; ++i) {
		work->chips[i].body = work->ids[i];
		world->motions[work->ids[i].index].flags |= RBL_BODY_CHIP;
		share_material(world, (int)work->ids[i].index, work->materials[i]);
		event->lost_mass -= world->bodies[work->ids[i].index].mass;
		world->chips.data[world->chips.count++] = work->chips[i];
		world->fracture_chips.data[world->fracture_chips.count++] = work->chips[i];
	}
	event->chip_count = work->count;
}

void rbl_world_make_chips(rbl_world *world, const rbl_damage_request *r, rbl_fracture_event *event)
{
	const rbl_compound *compound = world->bodies[r->body.index].compound;
	chip_work work = {
		.world = world,
		.request = r,
		.pose = rbl_body_pose(world, r->body),
		.random = rbl_random_from_seed(rbl_hash_number(r->seed, 2u * world->break_number + 1u)),
		.source_count = rbl_compound_get_info(compound).material_count,
	};
	work.sources = RBL_NEW_ZERO(&world->allocator, chip_source, work.source_count);
	if (!work.sources) {
		world->stats.lost_count++;
		return;
	}
	work.capacity = set_rates(&work);
	if (work.capacity > 0 && reserve(&work)) {
		for (int i = 0; i < world->exposed.count; ++i) {
			chip_source *s = &work.sources[world->exposed.data[i].material];
			s->owed += s->rate * (double)world->exposed.data[i].area;
			for (; s->owed >= 1.0; s->owed -= 1.0)
				add_chip(&work, &world->exposed.data[i], s->rule);
		}
		create_chips(&work, event);
	} else if (work.capacity > 0) {
		world->stats.lost_count++;
	}
	release(&work);
	RBL_FREE(&world->allocator, work.sources, work.source_count);
}

// --- the end ------------------------------------------------------------------------------------

void rbl_world_expire_chips(rbl_world *world)
{
	int kept = 0;
	for (int i = 0; i < world->chips.count; ++i) {
		rbl_chip *chip = &world->chips.data[i];
		if (!rbl_world_has_body(world, chip->body))
			continue;
		chip->time_left -= world->last_dt;
		int body = (int)chip->body.index, reported = world->retires.count;
		if (!(chip->time_left <= 0.0f)) {
			world->chips.data[kept++] = *chip;
			continue;
		}
		rbl_world_report_retired(world, body, RBL_RETIRED_EXPIRED, (rbl_body_id){ 0, 0 }, 0);
		if (rbl_world_remove_body(world, body) == RBL_OK)
			continue;
		world->retires.count = reported; // it stays for another step
		world->chips.data[kept++] = *chip;
	}
	world->chips.count = kept;
	world->stats.chip_count = kept;
}

int rbl_world_get_chips(const rbl_world *world, rbl_chip *chips, int capacity)
{
	int n = 0;
	for (int i = 0; world && i < world->chips.count; ++i) {
		if (!rbl_world_has_body(world, world->chips.data[i].body))
			continue;
		if (chips && n < capacity)
			chips[n] = world->chips.data[i];
		n++;
	}
	return n;
}
