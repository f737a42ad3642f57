// SPDX-License-Identifier: MIT
// Bodies: the things that live in a world, by id.
//
// Getters given a stale id return zeros; setters refuse it with RBL_STALE_ID and change nothing.
#pragma once

#include <rubble/asset.h>
#include <rubble/base.h>
#include <rubble/broadphase.h>
#include <rubble/collide.h>
#include <rubble/compound.h>
#include <rubble/convex.h>
#include <rubble/damage.h>
#include <rubble/field_contacts.h>
#include <rubble/material.h>
#include <rubble/mesh.h>
#include <rubble/types.h>

/// Bodies, joints and what happens between them: see rubble/world.h.
typedef struct rbl_world rbl_world;

/// Names a body in a world. All zero names nothing; the id of a body that is gone is stale and
/// refused, never followed.
typedef struct rbl_body_id {
	uint32_t index;
	uint32_t generation;
} rbl_body_id;

/// @return whether the id is the null id.
static inline bool rbl_body_id_is_null(rbl_body_id id)
{
	return id.generation == 0;
}

/// The largest coordinate of a body's position, in metres.
#define RBL_MAX_POSITION 1e6f

/// The largest speed of a body in metres per second. Faster ones are slowed down to it, and forces
/// and impulses that would do more are cut. Spheres, capsules, cylinders and cones turn at up to
/// ten times as many radians per second; a step turns nothing else by more than three radians,
/// and by an eighth of a circle where it touches something.
#define RBL_MAX_SPEED 1000.0f

/// How a body moves.
typedef enum rbl_body_kind {
	/// Never, unless it is placed anew.
	RBL_BODY_STATIC = 0,

	/// By its velocity alone: nothing can stop it.
	RBL_BODY_KINEMATIC,

	/// By forces and contacts.
	RBL_BODY_DYNAMIC,

	RBL_BODY_KIND_COUNT
} rbl_body_kind;

/// World axes along which the centre of mass of a dynamic body does not move, and about which it
/// does not rotate.
typedef enum rbl_axis_locks {
	RBL_LOCK_TRANSLATION_X = 1,
	RBL_LOCK_TRANSLATION_Y = 2,
	RBL_LOCK_TRANSLATION_Z = 4,
	RBL_LOCK_ROTATION_X = 8,
	RBL_LOCK_ROTATION_Y = 16,
	RBL_LOCK_ROTATION_Z = 32,
	RBL_LOCK_TRANSLATION = 7, // all three
	RBL_LOCK_ROTATION = 56,   // likewise
	RBL_LOCK_PLANE_XY = 28,   // it stays in the plane of x and y, as in two dimensions
} rbl_axis_locks;

/// How contacts of a body are found.
typedef enum rbl_contact_method {
	/// By convexes. Exact for convex bodies, and as good as the convexes are for others.
	RBL_CONTACTS_CONVEX = 0,

	/// By a distance field and points of the surface: for plates, bowls, rings and whatever else is
	/// hollow or thin. What breaks off such a body is one as well.
	RBL_CONTACTS_FIELD,

	/// By convexes when the hull of the body has at most 1.05 of its volume, or it is thinner than
	/// a cell of the field; else by a field. Each piece of what breaks is looked at by itself; what
	/// is left goes on as before when it has more than 64 parts.
	RBL_CONTACTS_AUTOMATIC,

	RBL_CONTACT_METHOD_COUNT
} rbl_contact_method;

/// How to make a body. Start from rbl_default_body_def(), and give it exactly one shape:
/// `collider`, `convex`, `compound`, `asset` or `mesh`.
typedef struct rbl_body_def {
	/// Default RBL_BODY_DYNAMIC.
	rbl_body_kind kind;

	/// Where the shape's own origin is and how it is turned: unit rotation, coordinates within
	/// RBL_MAX_POSITION. Default the identity.
	rbl_transform pose;

	/// Of the centre of mass, and in radians per second. Default 0.
	rbl_vec3 velocity, angular_velocity;

	/// A shape that bodies share; they keep it when you destroy it. Meshes, height fields and
	/// planes are for static and kinematic bodies, and closed meshes with a `field_shape` for all.
	const rbl_collider *collider;

	/// A convex, read during the call only.
	const rbl_convex *convex;

	/// A compound, which is the world's as soon as the body is made, and destroyed with it.
	rbl_compound *compound;

	/// An asset, which many bodies may share; they keep it when you destroy it.
	const rbl_asset *asset;

	/// A closed mesh, its faces looking outward, read during the call only: the body is solid,
	/// moves as any other, and need not be prepared. Its `contact_method` is RBL_CONTACTS_FIELD or
	/// RBL_CONTACTS_AUTOMATIC.
	const rbl_mesh *mesh;

	/// How its contacts are found. Default RBL_CONTACTS_CONVEX.
	rbl_contact_method contact_method;

	/// What it collides by with RBL_CONTACTS_FIELD, in the coordinates of `mesh`, or of a
	/// `collider` that is a mesh: made by the caller with a field, shared by any number of bodies,
	/// which it must outlive. NULL: it is made for this body, of `mesh` or `compound`. Default
	/// NULL.
	const rbl_field_shape *field_shape;

	/// The field of the mesh that `compound` or `asset` was made from, made by
	/// rbl_create_distance_field(): the body and all that comes off it share it, and the world
	/// keeps it when you destroy it. Contacts of compounds by fields need it. NULL: the asset's
	/// own, if it has one (rbl_prepare_def.field_resolution). Default NULL.
	const rbl_distance_field *original_field;

	/// What it is made of, unless it shares a material with others. It does not break then.
	rbl_material_values material;

	/// A material in place of `material`, which many bodies may share; they keep it when you
	/// destroy it, and follow when it changes. It says how the body breaks. Parts of a compound or
	/// an asset that have a material of their own are made of that instead. Default NULL.
	const rbl_material *shared_material;

	/// Which bodies it touches: category 1, mask all, group 0 by default.
	rbl_filter filter;

	/// Volume, centre and inertia at density 1 in the shape's coordinates, read during the call
	/// only; NULL: they follow from the shape. Default NULL.
	const rbl_mass *mass;

	/// Share of the speed that is lost per second, >= 0. Default 0 and 0.05.
	float linear_damping, angular_damping;

	/// How much of the world's gravity it feels. Default 1.
	float gravity_scale;

	/// Axes along and about which it does not move, rbl_axis_locks. What comes off it has them,
	/// too. Default 0: none.
	uint32_t locks;

	/// Whether it only notices others: no forces, but sensor events. Default false.
	bool is_sensor;

	/// Whether it may fall asleep when it rests. Default true.
	bool can_sleep;

	/// Whether it is awake at first. What sleeps has no velocity. Default true.
	bool is_awake;

	/// Whether it takes part at all. Default true.
	bool is_enabled;

	/// Whether it is cast against dynamic bodies as well when it is fast; all are against static,
	/// kinematic and large ones. Default false.
	bool is_bullet;

	/// Whether rbl_world_def.modify_contact is shown its contacts. Default false.
	bool modifies_contacts;

	/// Whatever the caller wants back. Default 0.
	uint64_t user;

	/// Filled by rbl_default_body_def(). Leave it alone.
	uint32_t cookie;
} rbl_body_def;

/// @return a definition without a shape. Threads: any.
RBL_API rbl_body_def rbl_default_body_def(void);

/// Make a body. During a step (in a callback) it is promised: what the definition points to is
/// copied or kept, the id names nothing yet, and the body is made when the step is over, before
/// anything breaks; calls that change it may follow at once. Should memory run out then, the step
/// counts it as lost, and the id stays stale.
/// @return its id; the null id when the definition is wrong (the log says what) or memory ran out
/// Threads: world. Cost: O(n) in convexes.
RBL_API rbl_body_id rbl_create_body(rbl_world *world, const rbl_body_def *def);

/// Destroy a body, its contacts and joints; ends are reported by the next step. During a step it is
/// done at the end of the step.
/// @return RBL_OK, RBL_STALE_ID, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (it is still there)
/// Threads: world. Cost: O(n) in its contacts.
RBL_API rbl_result rbl_destroy_body(rbl_world *world, rbl_body_id body);

/// Replace a body by many in one go: what a fracture does. Pieces that overlap each other at birth
/// keep that depth and are not thrown apart. All of it happens, or nothing.
/// @param defs       of the new bodies
/// @param bodies     receives `count` ids
/// @return RBL_OK, RBL_STALE_ID, RBL_BAD_ARGUMENT, RBL_BAD_MESH (a part has no volume in single
///         precision), RBL_LIMIT_REACHED (RBL_MAX_BODIES), RBL_OUT_OF_MEMORY
/// Threads: world. Cost: O(n), microseconds per body.
RBL_API rbl_result rbl_replace_body(rbl_world *world, rbl_body_id body, const rbl_body_def *defs,
                                    int count, rbl_body_id *bodies);

/// Make many bodies that belong together, as rbl_replace_body() does without one that goes. During
/// a step each is promised, as rbl_create_body() does.
/// @return as rbl_replace_body(); on failure nothing is made
/// Threads: world. Cost: O(n), microseconds per body.
RBL_API rbl_result rbl_create_bodies(rbl_world *world, const rbl_body_def *defs, int count,
                                     rbl_body_id *bodies);

/// @return whether the id names a body. Threads: world.
RBL_API bool rbl_body_exists(const rbl_world *world, rbl_body_id body);

// --- reading ------------------------------------------------------------------------------------

/// A body as it is now.
typedef struct rbl_body_state {
	rbl_body_kind kind;

	/// Where the shape's own origin is.
	rbl_transform pose;

	/// Centre of mass in the world, its velocity, and the angular velocity.
	rbl_vec3 centre, velocity, angular_velocity;

	bool is_awake, is_enabled, is_sensor, is_bullet, can_sleep, modifies_contacts;
	uint64_t user;
} rbl_body_state;

/// @return all of the above; zeros for a stale id. Threads: world.
RBL_API rbl_body_state rbl_body_get_state(const rbl_world *world, rbl_body_id body);

/// @return where the shape's own origin is. Threads: world.
RBL_API rbl_transform rbl_body_pose(const rbl_world *world, rbl_body_id body);

/// @return the velocity of the centre of mass. Threads: world.
RBL_API rbl_vec3 rbl_body_velocity(const rbl_world *world, rbl_body_id body);

/// @return radians per second. Threads: world.
RBL_API rbl_vec3 rbl_body_angular_velocity(const rbl_world *world, rbl_body_id body);

/// @return the velocity of the body at a point of the world. Threads: world.
RBL_API rbl_vec3 rbl_body_velocity_at(const rbl_world *world, rbl_body_id body, rbl_vec3 point);

/// Mass properties of a body.
typedef struct rbl_body_mass {
	/// In kilograms; 0 for what is not dynamic.
	float mass;

	/// Centre of mass in the shape's coordinates.
	rbl_vec3 centre;

	/// About the centre of mass, in the shape's axes.
	rbl_mat3 inertia;
} rbl_body_mass;

/// @return mass, centre and inertia. Threads: world.
RBL_API rbl_body_mass rbl_body_get_mass(const rbl_world *world, rbl_body_id body);

/// @return the box around the body now, without margins; an empty one for a stale id. Threads:
/// world. Cost: O(n) in convexes.
RBL_API rbl_box rbl_body_bounds(const rbl_world *world, rbl_body_id body);

/// @return whether it moves or may move; static bodies never do. Threads: world.
RBL_API bool rbl_body_is_awake(const rbl_world *world, rbl_body_id body);

/// @return what it is made of, its own or shared; zeros for a stale id. Threads: world.
RBL_API rbl_material_values rbl_body_get_material(const rbl_world *world, rbl_body_id body);

/// @return the material that it shares, NULL for none. Threads: world.
RBL_API const rbl_material *rbl_body_get_shared_material(const rbl_world *world, rbl_body_id body);

/// @return whom it touches; nothing for a stale id. Threads: world.
RBL_API rbl_filter rbl_body_get_filter(const rbl_world *world, rbl_body_id body);

/// @return the share of its speed that it loses per second. Threads: world.
RBL_API float rbl_body_linear_damping(const rbl_world *world, rbl_body_id body);

/// @return the share of its turning that it loses per second. Threads: world.
RBL_API float rbl_body_angular_damping(const rbl_world *world, rbl_body_id body);

/// @return how much of the world's gravity it feels. Threads: world.
RBL_API float rbl_body_gravity_scale(const rbl_world *world, rbl_body_id body);

/// @return the axes along and about which it does not move, rbl_axis_locks. Threads: world.
RBL_API uint32_t rbl_body_locks(const rbl_world *world, rbl_body_id body);

/// @return what the definition said. Threads: world.
RBL_API uint64_t rbl_body_user(const rbl_world *world, rbl_body_id body);

/// @return the compound of a body that has one, to look at until it breaks; else NULL. For an asset
/// that was not broken yet, the asset's. Threads: world.
RBL_API const rbl_compound *rbl_body_get_compound(const rbl_world *world, rbl_body_id body);

/// A convex of a body.
typedef struct rbl_body_part {
	/// Its shape, and where it is in the world now.
	const rbl_collider *collider;
	rbl_transform pose;

	/// Its number: child of a collider, part of a compound.
	int part;

	/// What it is made of, whom it touches, whether it only notices others, and the user value of a
	/// child: its own, or as the body. A material that it shares, or NULL.
	rbl_material_values material;
	const rbl_material *shared_material;
	rbl_filter filter;
	uint64_t user;
	bool is_sensor;
} rbl_body_part;

/// Write the convexes of a body (one for a mesh or height field).
/// @param parts  receives up to `capacity` of them
/// @return how many there are. Threads: world. Cost: O(n).
RBL_API int rbl_body_get_parts(const rbl_world *world, rbl_body_id body, rbl_body_part *parts,
                               int capacity);

/// Debris that is a part of a static body: see rbl_world_def.bake_time.
typedef struct rbl_baked_fragment {
	/// Its number, as contacts, hits and casts name it. A fragment may have several convexes.
	int part;

	/// What it is, in its own coordinates, and where that is in the world. It lives until it is a
	/// body again or the static body is destroyed.
	const rbl_compound *compound;
	rbl_transform pose;

	/// In kilograms; what its body had as user value; its number, see rubble/fracture_log.h.
	float mass;
	uint64_t user;
	uint32_t fragment;
} rbl_baked_fragment;

/// Get the debris that was baked into a body.
/// @param fragments  receives up to `capacity` of them, by number
/// @return how many there are: 0 for all other bodies. Threads: world. Cost: O(n).
RBL_API int rbl_body_get_baked(const rbl_world *world, rbl_body_id body,
                               rbl_baked_fragment *fragments, int capacity);

// --- changing -----------------------------------------------------------------------------------
// All return RBL_OK, RBL_STALE_ID, RBL_BAD_ARGUMENT (not finite, out of range, wrong kind of body),
// or RBL_OUT_OF_MEMORY; then nothing has changed. All wake the body except where said. Called
// during a step they queue up and take effect at its end, in the order of the calls. Threads:
// world.

/// Place a body anew, as it is; contacts follow in the next step. What sleeps there wakes.
RBL_API rbl_result rbl_body_set_pose(rbl_world *world, rbl_body_id body, rbl_transform pose);

/// Set both velocities; not of static bodies.
RBL_API rbl_result rbl_body_set_velocity(rbl_world *world, rbl_body_id body, rbl_vec3 velocity,
                                         rbl_vec3 angular_velocity);

/// Move a kinematic body so that the next step, of `dt` seconds, brings it to a pose: by at most an
/// eighth of a circle and RBL_MAX_SPEED; farther ones take more calls.
RBL_API rbl_result rbl_body_set_target(rbl_world *world, rbl_body_id body, rbl_transform pose,
                                       float dt);

/// Push at a point of the world until the end of the next step, in newton.
RBL_API rbl_result rbl_body_add_force(rbl_world *world, rbl_body_id body, rbl_vec3 force,
                                      rbl_vec3 point);

/// Twist until the end of the next step, in newton metres.
RBL_API rbl_result rbl_body_add_torque(rbl_world *world, rbl_body_id body, rbl_vec3 torque);

/// Change the momentum at once, in newton seconds, at a point of the world.
RBL_API rbl_result rbl_body_add_impulse(rbl_world *world, rbl_body_id body, rbl_vec3 impulse,
                                        rbl_vec3 point);

/// Change the angular momentum at once.
RBL_API rbl_result rbl_body_add_angular_impulse(rbl_world *world, rbl_body_id body,
                                                rbl_vec3 impulse);

/// Hurt a body by something other than a contact. What it does is up to the material there; the
/// next step reports what came of it.
/// @param point      in the world
/// @param direction  of the blow, any length but zero
/// @param radius     of the impact in metres, > 0; INFINITY leaves it to the rule
/// @param energy     in joule, >= 0
/// @return also RBL_UNSUPPORTED: nothing of the body can break
RBL_API rbl_result rbl_body_damage(rbl_world *world, rbl_body_id body, rbl_vec3 point,
                                   rbl_vec3 direction, float radius, float energy);

/// Cut a body in two along a plane, through all of its parts and whatever they withstand, as a
/// knife goes through an apple. What hangs together on one side stays one body. The next steps do
/// it, under the budget of breaks. What the plane does not pass stays whole, and so does what is
/// smaller than min_size of its rule.
/// @param point   of the plane, in the world
/// @param normal  of the plane, any length but zero
/// @return also RBL_UNSUPPORTED: nothing of the body can break, or debris was baked into it
RBL_API rbl_result rbl_body_cut(rbl_world *world, rbl_body_id body, rbl_vec3 point,
                                rbl_vec3 normal);

/// Change how a body moves. A body without volume cannot become dynamic; one with anchored parts is
/// static until it breaks free of them.
RBL_API rbl_result rbl_body_set_kind(rbl_world *world, rbl_body_id body, rbl_body_kind kind);

/// Give it values of its own, but its density stays what it was. Where parts have no material of
/// their own, it does not break any more.
RBL_API rbl_result rbl_body_set_material(rbl_world *world, rbl_body_id body,
                                         rbl_material_values material);

/// Let it share a material, with its density: the mass follows, and from now on it breaks by it.
/// Breaks in progress end. It keeps it when you destroy it.
/// @return also RBL_UNSUPPORTED: the material can break, and the body cannot
RBL_API rbl_result rbl_body_set_shared_material(rbl_world *world, rbl_body_id body,
                                                const rbl_material *material);

/// Give it another shape, which it keeps when you destroy it: mass and centre of mass follow from
/// collider and density, the pose of the shape's origin and the joints stay, contacts begin anew,
/// and what sleeps there wakes. Not for bodies with a compound, an asset, or contacts by fields.
/// @return also RBL_UNSUPPORTED
RBL_API rbl_result rbl_body_set_collider(rbl_world *world, rbl_body_id body,
                                         const rbl_collider *collider);

/// Change whom it touches.
RBL_API rbl_result rbl_body_set_filter(rbl_world *world, rbl_body_id body, rbl_filter filter);

/// Set the share of its speed, and of its turning, that a body loses per second, >= 0.
RBL_API rbl_result rbl_body_set_damping(rbl_world *world, rbl_body_id body, float linear,
                                        float angular);

/// Set how much of the world's gravity a body feels; 0: none.
RBL_API rbl_result rbl_body_set_gravity_scale(rbl_world *world, rbl_body_id body, float scale);

/// Set the axes along and about which it does not move, rbl_axis_locks: velocities there end.
RBL_API rbl_result rbl_body_set_locks(rbl_world *world, rbl_body_id body, uint32_t locks);

/// Wake a body, or put it to sleep now, with zero velocity. A sleeping body that is touched wakes.
RBL_API rbl_result rbl_body_set_awake(rbl_world *world, rbl_body_id body, bool is_awake);

/// Let it fall asleep, or never.
RBL_API rbl_result rbl_body_set_can_sleep(rbl_world *world, rbl_body_id body, bool can_sleep);

/// Make a body one that reports what overlaps it and touches nothing, or make it solid again.
RBL_API rbl_result rbl_body_set_sensor(rbl_world *world, rbl_body_id body, bool is_sensor);

/// Sweep it against dynamic bodies too, so that it passes none however fast it is, or only against
/// static and kinematic ones.
RBL_API rbl_result rbl_body_set_bullet(rbl_world *world, rbl_body_id body, bool is_bullet);

/// Show its contacts to rbl_world_def.modify_contact, or not. They begin anew.
RBL_API rbl_result rbl_body_set_modifies_contacts(rbl_world *world, rbl_body_id body,
                                                  bool modifies_contacts);

/// Take a body out of the world without destroying it, or put it back. Its joints rest meanwhile.
RBL_API rbl_result rbl_body_set_enabled(rbl_world *world, rbl_body_id body, bool is_enabled);

/// Set the user value. It does not wake the body.
RBL_API rbl_result rbl_body_set_user(rbl_world *world, rbl_body_id body, uint64_t user);
