// SPDX-License-Identifier: MIT
// Events: what happened in the last step, as arrays.
//
// All arrays live until the next step or the destruction of the world, and so do the ids in them,
// unless something destroys the body. Their order is fixed: the same run gives the same events.
#pragma once

#include <rubble/base.h>
#include <rubble/body.h>
#include <rubble/chip.h>
#include <rubble/joint.h>
#include <rubble/types.h>

/// Two parts begin or cease to touch. The ids in an end may be stale: then the body was destroyed.
typedef struct rbl_contact_event {
	rbl_body_id body_a, body_b;

	/// Which convexes: child of a collider, part of a compound. A mesh or height field is one part,
	/// 0; hits and contacts name its triangles.
	int part_a, part_b;

	/// What begins to touch is made of these materials, NULL where they are not shared; NULL in an
	/// end. They live as long as something is made of them.
	const rbl_material *material_a, *material_b;
} rbl_contact_event;

/// Two parts hit each other faster than rbl_world_def.hit_speed.
typedef struct rbl_hit_event {
	rbl_body_id body_a, body_b;
	int part_a, part_b;

	/// Where, and the unit normal from A to B.
	rbl_vec3 point, normal;

	/// Speed of approach along the normal, in metres per second, > 0.
	float speed;

	/// Impulse along the normal in this step, in newton seconds.
	float impulse;

	/// Energy that the contact took up, in joule: what damage rules read.
	float energy;

	/// What they are made of there: materials that are shared, or NULL.
	const rbl_material *material_a, *material_b;
} rbl_hit_event;

/// A body fell asleep or woke up, by itself or by a call since the last step. A body begins as its
/// definition says, and awake when it is enabled again.
typedef struct rbl_sleep_event {
	rbl_body_id body;
	bool is_awake;
} rbl_sleep_event;

/// Something entered or left a sensor. The ids in a leaving may be stale.
typedef struct rbl_sensor_event {
	rbl_body_id sensor, visitor;

	/// The child of a collider that is a sensor by itself; -1: the whole body is one.
	int sensor_part;

	bool is_inside;
} rbl_sensor_event;

/// A joint broke; its id is stale from now on.
typedef struct rbl_joint_event {
	rbl_joint_id joint;
	rbl_body_id body_a, body_b;
	uint64_t user;

	/// What broke it, in newton and newton metres.
	float force, torque;
} rbl_joint_event;

/// How two bodies rub.
typedef enum rbl_slide_kind {
	RBL_SLIDE = 0, // their surfaces pass each other
	RBL_ROLL,      // a sphere or capsule rolls on
} rbl_slide_kind;

typedef enum rbl_slide_phase {
	RBL_SLIDE_BEGIN = 0, // in this step
	RBL_SLIDE_STEP,      // since an earlier one
	RBL_SLIDE_END,       // it has ended: only ids, parts and kind are set, and ids may be stale
} rbl_slide_phase;

/// Two bodies slide or roll on each other, faster than rbl_world_def.slide_speed: for sounds. Where
/// they touch with many parts, the one that is pressed hardest.
typedef struct rbl_slide_event {
	rbl_body_id body_a, body_b;
	int part_a, part_b; // as in hits
	rbl_slide_kind kind;
	rbl_slide_phase phase;

	/// What they are made of there: materials that are shared, or NULL, and their user values.
	const rbl_material *material_a, *material_b;
	uint64_t material_user_a, material_user_b;

	/// Where, and the unit normal from A to B.
	rbl_vec3 point, normal;

	/// Of B's surface past A's, running surfaces included; of what rolls, of its centre.
	rbl_vec3 velocity;
	float speed;

	/// Along the normal in this step, in newton seconds.
	float impulse;
} rbl_slide_event;

/// What broke a body.
typedef enum rbl_fracture_cause {
	RBL_FRACTURE_HIT = 0, // another body
	RBL_FRACTURE_BLOW,    // rbl_body_damage()
	RBL_FRACTURE_LOAD, // its own weight and what lies on it: bonds failed, even if nothing detached
	RBL_FRACTURE_BEND, // a hit too weak to break it bent it; parts may have detached
	RBL_FRACTURE_WEAR, // hits wore bonds through, even if nothing detached
	RBL_FRACTURE_CUT,  // rbl_body_cut()
} rbl_fracture_cause;

/// A place on an exposed face where dust comes from: what a particle system asks for.
typedef struct rbl_dust_emitter {
	/// In the world, with the outward normal of the face there, and its velocity.
	rbl_vec3 position, normal, velocity;

	/// The area that it stands for, in square metres: all of a break add up to the faces of
	/// materials that have dust.
	float area;

	/// What the face is made of; NULL: of values that the body has by itself.
	const rbl_material *material;
} rbl_dust_emitter;

/// A triangle of a face that a break exposed: see rbl_world_get_exposed_triangles().
typedef struct rbl_fracture_triangle {
	/// In the world, where the break was, with the outward normal.
	rbl_vec3 corners[3];
	rbl_vec3 normal;
	float area;

	/// Of its centre.
	rbl_vec3 velocity;

	/// Whose face it is, and of which part of it; null for dust.
	rbl_body_id body;
	int part;

	/// What it is made of; NULL: of values that the body has by itself.
	const rbl_material *material;
} rbl_fracture_triangle;

/// A body broke.
typedef struct rbl_fracture_event {
	/// The body that was hit. It keeps its id if something of it remains, and is stale else.
	rbl_body_id parent;
	bool survives;

	/// What the parent's definition said, also when nothing of it remains.
	uint64_t user;

	rbl_fracture_cause cause;

	/// What hit it; null unless something did.
	rbl_body_id other;

	/// What came off it, `new_count` ids.
	const rbl_body_id *new_bodies;
	int new_count;

	/// What came off and is too small for a body, by rbl_damage_rule.dust_size or its size as such,
	/// in the coordinates of the world: it is gone.
	const rbl_dust_fragment *dust;
	int dust_count;

	/// Numbers of the parent's parts that are gone: they were cut, or came off as they were.
	const int *parts;
	int part_count;

	/// Chips that the world made on the exposed faces (rubble/chip.h), and where dust comes from,
	/// both by rbl_debris_rule.
	const rbl_chip *chips;
	const rbl_dust_emitter *emitters;
	int chip_count, emitter_count;

	/// What the bodies of the world weigh less than before, in kilograms: all dust, less the chips.
	/// Negative where chips weigh more.
	float lost_mass;

	/// What a blow gave to what came off, in newton seconds along `normal`.
	float impulse;

	/// Where it was hit, and the direction of the blow.
	rbl_vec3 point, normal;

	/// Of the part that was hit: its place in the table of the compound, and what it is made of.
	int material;
	const rbl_material *made_of;

	/// Energy of the hit, in joule, and radius of the break, in metres; 0 under load.
	float energy, radius;

	/// Area of the faces of convexes that lie bare now, both sides, in square metres.
	float exposed_area;

	/// Seed of the pattern's rotation, so that the break can be repeated.
	uint64_t seed;
} rbl_fracture_event;

/// What became of debris: see rbl_world_def.
typedef enum rbl_retirement {
	RBL_RETIRED_FROZEN = 0, // it sleeps until something touches it no more, or breaks or moves it
	RBL_RETIRED_UNFROZEN,   // it is as any other body again
	RBL_RETIRED_REMOVED,    // it is gone: there were too many
	RBL_RETIRED_BAKED,      // it is a part of a static body now
	RBL_RETIRED_RELEASED,   // it was a part of one, and is a body again
	RBL_RETIRED_EXPIRED,    // it was a chip, and is gone: its time was over
} rbl_retirement;

/// Debris was frozen, unfrozen, removed, baked or released, or a chip is gone. Debris are fragments
/// of a break.
typedef struct rbl_retire_event {
	rbl_body_id body; // stale when it was removed or baked, new when it was released
	rbl_retirement what;
	uint64_t user;

	/// The static body that it was baked into or released from, which may be stale, and its number
	/// there; null and 0 else.
	rbl_body_id host;
	int part;

	/// Where it was, and its mass in kilograms.
	rbl_transform pose;
	float mass;
} rbl_retire_event;

/// All events of a step.
typedef struct rbl_events {
	const rbl_contact_event *begins;
	const rbl_contact_event *ends;
	const rbl_hit_event *hits;
	const rbl_sensor_event *sensors;
	const rbl_sleep_event *sleeps;
	const rbl_joint_event *joints;
	const rbl_fracture_event *fractures;
	const rbl_retire_event *retires;
	const rbl_slide_event *slides;
	int begin_count, end_count, hit_count, sensor_count, sleep_count, joint_count, fracture_count;
	int retire_count, slide_count;

	/// Events that were left out because memory ran out.
	int lost_count;
} rbl_events;

/// @return the events of the last step. Threads: world.
RBL_API rbl_events rbl_world_get_events(const rbl_world *world);

/// Write the triangles of the faces that a break of the last step exposed, both sides of each
/// crack: for particles, decals and sounds of the caller. Bends have none.
/// @param fracture   index of its event
/// @param triangles  receives up to `capacity` of them; NULL for none
/// @param count      receives how many there are
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_UNSUPPORTED (rbl_world_def.keeps_exposed_triangles is
///         false)
/// Threads: world. Cost: O(n).
RBL_API rbl_result rbl_world_get_exposed_triangles(const rbl_world *world, int fracture,
                                                   rbl_fracture_triangle *triangles, int capacity,
                                                   int *count);

/// A body that moved in the last step: what a renderer or another engine asks for.
typedef struct rbl_move_event {
	rbl_body_id body;
	rbl_transform pose;
	uint64_t user;
} rbl_move_event;

/// Write the bodies that the last step moved.
/// @param moves  receives up to `capacity` of them
/// @return how many there are. Threads: world. Cost: O(n) in awake bodies.
RBL_API int rbl_world_get_moves(const rbl_world *world, rbl_move_event *moves, int capacity);
