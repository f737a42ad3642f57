// SPDX-License-Identifier: MIT
// Inside a world: the arrays that the stages of a step share.
//
//   bodies    with their motions apart
//   parts     convexes, meshes, height fields and distance fields of bodies, each a proxy of the
//             broad phase
//   pairs     parts whose boxes overlap, with what is cached of them
//   contacts  manifolds of pairs that touch, each a contact of the solver
//
// Everything is addressed by index. What a step changes in parallel it writes to the slot of its
// own item; what begins and ends is collected and applied in order, so that no result depends on
// the workers.
#pragma once

#include "base/hash.h"
#include "base/id_pool.h"
#include "base/memory.h"
#include "base/sort.h"
#include "base/vec.h"
#include "tree/tree.h"
#include "world/bake.h"
#include "world/bodies.h"
#include "world/break.h"
#include "world/budget.h"
#include "world/chips.h"
#include "world/commands.h"
#include "world/continuous.h"
#include "world/events.h"
#include "world/joints.h"
#include "world/materials.h"
#include "world/pairs.h"
#include "world/stress_failure.h"

/// No index.
#define RBL_NONE (-1)

/// See recording.h.
typedef struct rbl_recorder rbl_recorder;

struct rbl_world {
	rbl_allocator allocator;
	rbl_world_def def;
	rbl_broadphase *broadphase;
	rbl_solver *solver; // NULL when it only detects
	bool is_stepping;
	bool is_in_callback;  // of a log or a recording: calls that change the world are refused
	bool has_passed;      // some bodies are RBL_BODY_PASSED
	bool pairs_are_stale; // memory ran out while they were updated, or some were left out
	bool is_reset;        // scratch of pairs.c: all pairs are compared
	float last_dt;
	int64_t budget_left; // of the step, see budget.c
	int new_pair_count;  // in the step
	float speed_scale;   // square root of the length scale
	int substep_count;   // with more for a small length scale

	rbl_id_pool body_ids;
	int body_capacity;
	rbl_body_motion *motions;
	rbl_body *bodies;

	rbl_id_pool part_ids;
	int part_capacity;
	rbl_world_part_hot *hot_parts;
	rbl_world_part *parts;

	int pair_capacity, pair_end, pair_count, free_pair;
	rbl_pair_record *pairs;
	rbl_pair_links *links;
	rbl_bit_set active_pairs;   // a body of theirs is awake
	rbl_bit_set follower_pairs; // updated with the first of their merged list
	rbl_map merged_lists;       // from two bodies to the first pair of their list
	RBL_ARRAY(int32_t) active;  // active pairs without followers, in this step

	RBL_ARRAY(rbl_world_contact) contacts;
	int free_contact, contact_count;
	RBL_ARRAY(rbl_world_surface_contacts) surfaces;
	int free_surface;
	int field_part_count;                       // of field bodies
	RBL_ARRAY(rbl_field_contacts *) field_work; // scratch of field contacts, by worker
	rbl_field_probe *field_probe;               // NULL but in benchmarks, whose it is
	RBL_ARRAY(const rbl_compound *) relatives;  // while a body breaks: all pieces of it
	rbl_early_fields *early_fields;             // and what was made for them before, or NULL

	RBL_ARRAY(rbl_world_material) materials;
	rbl_map material_map; // from content to number
	RBL_ARRAY(rbl_part_traits) traits;
	rbl_map trait_map; // from part to index
	int free_trait;
	int modifier_count; // bodies whose contacts were shown to modify_contact in this step
	RBL_ARRAY(rbl_solver_running_surface) running; // of this step

	rbl_id_pool joint_ids;
	RBL_ARRAY(rbl_world_joint) joints;

	RBL_ARRAY(int32_t) dirty;      // bodies whose proxies need new boxes
	RBL_ARRAY(int32_t) new_bodies; // those with RBL_BODY_NEW
	RBL_ARRAY(int32_t) moved;      // by the last step
	rbl_map sensor_visits;         // from sensor and visitor to the number of pairs that touch
	rbl_bit_set marked;            // scratch: bodies
	rbl_arena arena;               // scratch of a call
	rbl_tree_pool mover_nodes[2];  // scratch of continuous.c, empty between steps

	RBL_ARRAY(rbl_narrow_block) blocks;
	RBL_ARRAY(rbl_proxy_id) moved_proxies;
	RBL_ARRAY(rbl_box) moved_boxes;

	RBL_ARRAY(rbl_command) commands;
	RBL_ARRAY(rbl_queued_body) queued_bodies; // of this step
	RBL_ARRAY(rbl_queued_joint) queued_joints;
	RBL_ARRAY(rbl_damage_request) damage_requests;
	int passing_count;                      // of them let something pass
	RBL_ARRAY(rbl_sort_item64) passing;     // these, by the body that breaks: break_passage.c
	uint32_t request_stamp, break_pass;     // scratch, see rbl_body
	RBL_ARRAY(rbl_sort_item64) hit_order;   // scratch of requests
	RBL_ARRAY(int32_t) failing;             // bodies that may have bonds that are worn through
	RBL_ARRAY(rbl_sort_item) failing_order; // scratch
	RBL_ARRAY(rbl_explosion) blasts; // explosions while what they broke is still being broken
	RBL_ARRAY(rbl_body_id) blown;    // scratch: fragments that they are to push

	uint32_t fragment_count;                  // ever
	int debris_count;                         // bodies with a fragment number
	RBL_ARRAY(int32_t) unfreezes;             // frozen bodies that lost a contact
	RBL_ARRAY(rbl_chip) chips;                // the oldest first
	RBL_ARRAY(rbl_collider *) chip_colliders; // by shape and size, once they were needed

	RBL_ARRAY(rbl_world_baked_body) baked_bodies;
	int baked_count;                     // fragments of all baked bodies
	RBL_ARRAY(int32_t) replaced_proxies; // parts whose proxies changed since pairs were updated
	bool has_unsupported;                // a baked fragment may be unsupported
	bool is_baking;                      // contacts that end now take no support away

	bool has_revolutions; // whether there ever was a cylinder or cone; else none is looked for

	RBL_ARRAY(rbl_world_stress) stresses;
	uint32_t next_stress;             // the first to be worked on
	RBL_ARRAY(rbl_stress_load) loads; // scratch

	RBL_ARRAY(rbl_contact_event) begins;
	RBL_ARRAY(rbl_contact_event) ends;
	RBL_ARRAY(rbl_contact_event) pending_ends; // of bodies destroyed since the last step
	RBL_ARRAY(rbl_hit_event) hits;
	RBL_ARRAY(rbl_sensor_event) sensors;
	RBL_ARRAY(rbl_sensor_event) pending_sensors;
	RBL_ARRAY(rbl_sleep_event) sleeps;
	RBL_ARRAY(rbl_joint_event) joint_events;
	RBL_ARRAY(rbl_retire_event) retires;
	RBL_ARRAY(rbl_retire_event) pending_retires; // of calls since the last step
	RBL_ARRAY(rbl_slide_event) slides;
	RBL_ARRAY(rbl_slide_event) pending_slides; // likewise
	bool is_reporting;                         // from the beginning of a step to its very end
	RBL_ARRAY(rbl_fracture_event) fractures;
	RBL_ARRAY(rbl_body_id) fracture_bodies; // of the events above
	RBL_ARRAY(rbl_dust_fragment) dust;      // likewise
	RBL_ARRAY(int) fracture_parts;
	RBL_ARRAY(rbl_chip) fracture_chips;
	RBL_ARRAY(rbl_dust_emitter) emitters;
	RBL_ARRAY(rbl_fracture_triangle) exposed_triangles; // if they are kept,
	RBL_ARRAY(int) exposed_ends;                        // with their end for each event
	RBL_ARRAY(rbl_exposed_triangle) exposed;            // scratch: of the break being applied
	RBL_ARRAY(int) fragment_of; // likewise: where its compounds are in fracture_bodies, or RBL_NONE
	int lost_events;

	rbl_world_stats stats;
	rbl_recorder *recorder; // NULL: it is not recorded

	void (*log_fracture)(void *user, const void *bytes, size_t size); // NULL: there is no log
	void *log_user;
	const int *opened_parts; // while bonds open: pairs of parts
	int opened_count;
	bool is_applying;      // a fracture log is being applied
	uint32_t break_number; // of the last break that changed something

	// Of a loaded world: what its bodies share, in place of the caller's.
	RBL_ARRAY(rbl_collider *) loaded_colliders;
	RBL_ARRAY(rbl_part_field) loaded_shapes;
	RBL_ARRAY(rbl_distance_field *) original_fields; // held until the world ends

	rbl_pattern *two_sides; // of a plane: how bodies are cut; NULL until one is
};

/// The definition of a world's broad phase.
rbl_broadphase_def rbl_world_broadphase_def(const rbl_world *world);

/// A tolerance that is so many metres, or metres per second, in a world of the usual size.
static inline float rbl_world_length(const rbl_world *world, float metres)
{
	return world->def.length_scale * metres;
}

static inline float rbl_world_speed(const rbl_world *world, float speed)
{
	return world->speed_scale * speed;
}

// --- reading the arrays -------------------------------------------------------------------------

static inline bool rbl_world_has_body(const rbl_world *world, rbl_body_id id)
{
	return rbl_id_pool_has(&world->body_ids, (rbl_id){ id.index, id.generation });
}

static inline rbl_body_id rbl_world_body_id(const rbl_world *world, int body)
{
	rbl_id id = rbl_id_pool_at(&world->body_ids, body);
	return (rbl_body_id){ id.index, id.generation };
}

/// The first live slot at or after `slot`; -1 at the end.
static inline int rbl_world_next_live(const rbl_id_pool *pool, int slot)
{
	while (slot < pool->slot_count && !rbl_id_pool_is_live(pool, slot))
		slot++;
	return slot < pool->slot_count ? slot : -1;
}

/// Loops over the live slots of a pool, the parts of a body, the pairs of a part; RBL_EACH_CONTACT
/// below over the contacts of a pair.
#define RBL_EACH_LIVE(i, pool) \
	for (int i = rbl_world_next_live(pool, 0); i >= 0; i = rbl_world_next_live(pool, i + 1))
#define RBL_EACH_PART(part, world, body)                                \
	for (int part = (world)->bodies[body].first_part; part != RBL_NONE; \
	     part = (world)->parts[part].next)
#define RBL_EACH_PAIR(pair, world, part)                               \
	for (int pair = (world)->parts[part].first_pair; pair != RBL_NONE; \
	     pair = rbl_world_next_pair(world, part, pair))

/// rbl_world_body_axis() of a body whose first part is a cylinder or cone: bodies.c.
bool rbl_world_find_body_axis(const rbl_world *world, int body, rbl_vec3 *axis);

/// Whether a body is a ball about its centre of mass.
static inline bool rbl_world_is_ball(const rbl_world *world, int body)
{
	return world->bodies[body].inner_radius >= 0.9999f * world->motions[body].bounding_radius;
}

/// Whether a body is a cylinder or cone about its centre of mass: rotation about its axis does not
/// move its surface. @param axis  receives the axis, unit, in the body's frame
static inline bool rbl_world_body_axis(const rbl_world *world, int body, rbl_vec3 *axis)
{
	int part = world->has_revolutions ? world->bodies[body].first_part : RBL_NONE;
	if (part == RBL_NONE || !world->hot_parts[part].polyhedron ||
	    !world->hot_parts[part].polyhedron->revolution)
		return false;
	return rbl_world_find_body_axis(world, body, axis);
}

/// Whether a part of a pair is a cylinder or cone, which rolls or stands as its manifold says.
static inline bool rbl_world_pair_can_roll(const rbl_world *world, int pair)
{
	if (!world->has_revolutions)
		return false;
	const rbl_polyhedron *a = world->hot_parts[world->pairs[pair].a].polyhedron;
	const rbl_polyhedron *b = world->hot_parts[world->pairs[pair].b].polyhedron;
	return (a && a->revolution) || (b && b->revolution);
}

/// Tell the solver how the parts of a contact touch, before it gets the manifold: contacts.c.
void rbl_world_set_contact_radii(rbl_world *world, int contact);

/// Whether a body takes part in collisions by itself: not static, enabled, awake.
static inline bool rbl_world_is_awake(const rbl_world *world, int body)
{
	return world->motions[body].flags & RBL_BODY_AWAKE;
}

static inline rbl_transform rbl_world_part_pose(const rbl_world *world, int part)
{
	const rbl_world_part_hot *hot = &world->hot_parts[part];
	rbl_transform pose = rbl_world_motion_pose(&world->motions[hot->body]);
	return hot->is_placed ? rbl_transform_mul(pose, world->parts[part].local) : pose;
}

/// Whether a part only notices others: by itself, or since its body does.
static inline bool rbl_world_part_is_sensor(const rbl_world *world, int part)
{
	const rbl_world_part_hot *hot = &world->hot_parts[part];
	return (hot->flags & RBL_PART_SENSOR) || (world->motions[hot->body].flags & RBL_BODY_SENSOR);
}

/// The key in `sensor_visits` of two parts, of which one is a sensor.
static inline uint64_t rbl_world_visit_key(const rbl_world *world, int sensor_part, int visitor)
{
	const rbl_world_part_hot *hot = &world->hot_parts[sensor_part];
	bool is_body = world->motions[hot->body].flags & RBL_BODY_SENSOR; // all of it
	return is_body ? (uint64_t)hot->body << 32 | (uint32_t)visitor
	               : (uint64_t)1 << 63 | (uint64_t)sensor_part << 32 | (uint32_t)visitor;
}

/// The next pair of a part; RBL_NONE at the end.
static inline int rbl_world_next_pair(const rbl_world *world, int part, int pair)
{
	const rbl_pair_links *links = &world->links[pair];
	return world->pairs[pair].a == part ? links->next_a : links->next_b;
}

/// The body of the other part of a pair.
static inline int rbl_world_other_body(const rbl_world *world, int pair, int part)
{
	const rbl_pair_record *record = &world->pairs[pair];
	return world->hot_parts[record->a == part ? record->b : record->a].body;
}

/// The first contact of a pair; its other ones follow by `next`. RBL_NONE: it has none.
static inline int rbl_world_first_contact(const rbl_world *world, int pair)
{
	const rbl_pair_record *record = &world->pairs[pair];
	return record->contact != RBL_NONE && (record->flags & RBL_PAIR_SURFACE)
	           ? world->surfaces.data[record->contact].first_contact
	           : record->contact;
}

#define RBL_EACH_CONTACT(contact, world, pair)                                    \
	for (int contact = rbl_world_first_contact(world, pair); contact != RBL_NONE; \
	     contact = (world)->contacts.data[contact].next)

/// Whether the solver has the bodies of a pair in the other order: in merged lists the lower body
/// comes first.
static inline bool rbl_world_is_swapped(const rbl_world *world, int pair)
{
	const rbl_pair_record *p = &world->pairs[pair];
	return (p->flags & RBL_PAIR_MERGED) &&
	       world->hot_parts[p->a].body > world->hot_parts[p->b].body;
}

/// The contact of a pair of a merged list when it has points, else NULL; and its normal from the
/// lower body to the other.
static inline const rbl_world_contact *rbl_world_merged_contact(const rbl_world *world, int pair)
{
	int contact = world->pairs[pair].contact;
	bool has_points = contact != RBL_NONE && (world->pairs[pair].flags & RBL_PAIR_POINTS) &&
	                  world->contacts.data[contact].manifold.point_count > 0;
	return has_points ? &world->contacts.data[contact] : NULL;
}

static inline rbl_vec3 rbl_world_merged_normal(const rbl_world *world,
                                               const rbl_world_contact *contact)
{
	return rbl_world_is_swapped(world, contact->pair) ? rbl_neg(contact->manifold.normal)
	                                                  : contact->manifold.normal;
}

/// What is baked into a body; NULL for most bodies.
static inline rbl_world_baked_body *rbl_world_get_baked_body(const rbl_world *world, int body)
{
	int index = world->bodies[body].baked_index;
	return index > 0 ? &world->baked_bodies.data[index - 1] : NULL;
}

static inline rbl_world_baked_fragment *rbl_world_get_baked_fragment(const rbl_world *world,
                                                                     int body, int child)
{
	rbl_world_baked_body *baked = rbl_world_get_baked_body(world, body);
	bool has = baked && child >= 0 && child < baked->fragments.count &&
	           baked->fragments.data[child].compound;
	return has ? &baked->fragments.data[child] : NULL;
}
