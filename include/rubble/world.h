// SPDX-License-Identifier: MIT
// The world: bodies, the step, what it reports, and questions to it.
#pragma once

#include <rubble/base.h>
#include <rubble/body.h>
#include <rubble/events.h>
#include <rubble/jobs.h>
#include <rubble/joint.h>
#include <rubble/types.h>

/// The most bodies of a world.
#define RBL_MAX_BODIES 0x00ffffff

/// Asked when two bodies come near each other, beyond filters, and when a fast one has an obstacle
/// on its way. @return whether they touch. Threads: world; it may read the world, and requests it
/// makes queue up.
typedef bool rbl_pair_function(void *user, rbl_body_id a, rbl_body_id b);

/// A contact before it is solved, which the function may change.
typedef struct rbl_contact_change {
	/// Which bodies and parts: as in rbl_contact. Not to be changed.
	rbl_body_id body_a, body_b;
	int part_a, part_b;

	/// Normal from A to B, of unit length, and up to four points; ids of points stay with them.
	rbl_manifold manifold;

	/// Of the pair, >= 0, and 0 to 1.
	float friction, restitution;

	/// How B's surface runs past A's, in the world and in metres per second.
	rbl_vec3 surface_velocity;

	/// Whether they touch at all; false lets them through each other in this step.
	bool is_enabled;
} rbl_contact_change;

/// Shown each contact of bodies with rbl_body_def.modifies_contacts in every step, after contacts
/// are found and before they are solved, as long as one of both is awake. What it changes holds for
/// this step; a contact that makes no sense stays as it was found, with a line in the log. Threads:
/// that of the step, one call after the other in a fixed order, however many workers there are; it
/// may read the world, and requests it makes queue up.
typedef void rbl_contact_function(void *user, rbl_contact_change *contact);

/// How to make a world. Start from rbl_default_world_def().
typedef struct rbl_world_def {
	/// In metres per second squared, each at most 1e4. Default 0, -9.81, 0.
	rbl_vec3 gravity;

	/// Solver passes per step, 1 to 64: more make contacts stiffer and stacks steadier. Small
	/// worlds have more, see length_scale. Default 16.
	int substep_count;

	/// Whether bodies at rest fall asleep. Default true.
	bool can_sleep;

	/// Whether it only detects: poses come in by rbl_body_set_pose() and rbl_body_set_velocity(),
	/// contacts go out by rbl_world_get_contacts(), and nothing moves by itself. For use inside
	/// another engine. Default false.
	bool detects_only;

	/// Size of usual bodies in metres, 1e-6 to 1e6: what counts as near, slow or at rest follows
	/// from it. Distances of tolerance grow with it, speeds with its square root. 0.001 for parts
	/// of a watch, 1000 for mountains; the order of magnitude is enough. Under the same gravity
	/// small things move faster for their size: below 1 a step has more sub-steps, substep_count
	/// divided by the square root, at most 64. 0 is 1, too. Default 1.
	float length_scale;

	/// Approach speed from which hits are reported, > 0. Default 1.
	float hit_speed;

	/// Approach speed from which restitution acts, >= 0. Default 1.
	float restitution_speed;

	/// Bodies to make room for at once. Default 0.
	int capacity_hint;

	/// What a step may spend on work that can wait, in units of about two microseconds of one
	/// worker, a cut of a convex by a cell. First it pays for new pairs, which cannot wait; then
	/// for breaks, which get a quarter of it at least; then for bonds that may fail under load, an
	/// eighth at least; then for baking. What is left goes to the structure of the broad phase in
	/// the next step. A break that needs more ends in a later step, with the same pieces, and its
	/// body is whole until then. Work is counted, not timed: the result is the same on every
	/// machine. rbl_world_stats says what was left. >= 0; 0: no limit. Default 1200, some two to
	/// three milliseconds on one worker.
	int budget;

	/// The most bodies, and the most of them that came off something that broke; >= 0, 0: no limit.
	/// What is too many is removed: of debris that sleeps, the smallest first, and of about the
	/// same size the oldest. The step reports it. Nothing that is awake goes. Default 0.
	int body_limit, debris_limit;

	/// Seconds that debris sleeps before it is frozen: then blows of others no longer wake it. It
	/// unfreezes when something that it touches goes away, when it breaks and when it is changed by
	/// a call. The step reports both. >= 0; 0: never. Default 0.
	float freeze_time;

	/// Seconds that debris sleeps before it is baked into a static body, if it rests on static
	/// bodies or on baked debris only: no body of its own, no contacts, its id is stale. It stays
	/// where it is, can be hit and cast at, and is seen by rbl_body_get_baked(). It becomes a body
	/// again when something that it rests on goes away, when a hit or a blow is strong enough for
	/// its damage rule, and by explosions. The step reports both. >= 0; 0: never. Default 0.
	float bake_time;

	/// Whether exposed faces of breaks are kept until the next step, for
	/// rbl_world_get_exposed_triangles(). Default false: their triangles are not made.
	bool keeps_exposed_triangles;

	/// The most chips at once, see rubble/chip.h, >= 0: a break makes no more than half of those
	/// that are left. Default 2000.
	int chip_limit;

	/// See rbl_pair_function; NULL: all touch. Default NULL.
	rbl_pair_function *should_collide;

	/// See rbl_contact_function; NULL: contacts stay as they are. Default NULL.
	rbl_contact_function *modify_contact;

	/// Speed from which bodies that slide or roll on each other are reported, in metres per second;
	/// 0: they are not. Default 0.
	float slide_speed;

	/// Passed to callbacks.
	void *user;

	/// Workers; NULL: the caller's thread. The result is the same bits.
	rbl_jobs *jobs;

	/// Memory of the world and of all in it.
	rbl_allocator allocator;

	/// Filled by rbl_default_world_def(). Leave it alone.
	uint32_t cookie;
} rbl_world_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_world_def rbl_default_world_def(void);

/// Make an empty world.
/// @param world  receives the world, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY
/// Threads: any.
RBL_API rbl_result rbl_create_world(const rbl_world_def *def, rbl_world **world);

/// Destroy a world and all in it. NULL is fine. Not during a step.
RBL_API void rbl_destroy_world(rbl_world *world);

/// Move time on.
/// @param dt  in seconds, > 0 and at most 1; 1/60 is usual
/// @return RBL_OK, RBL_BAD_ARGUMENT (also when called from inside a step), RBL_OUT_OF_MEMORY: the
///         step was not made, or made with fewer contacts; the world is usable and can be stepped
///         again
/// Threads: world; workers help. Cost: follows what is awake.
RBL_API rbl_result rbl_world_step(rbl_world *world, float dt);

/// Set gravity. A change wakes all bodies and releases baked debris; during a step it is set at its
/// end.
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY: it is as before, but some baked debris may
///         have been released. Threads: world.
RBL_API rbl_result rbl_world_set_gravity(rbl_world *world, rbl_vec3 gravity);

/// @return gravity in metres per second squared. Threads: world.
RBL_API rbl_vec3 rbl_world_gravity(const rbl_world *world);

/// Change rbl_world_def.budget from the next step on, for a governor that follows measured times:
/// recordings keep it, so that they replay. During a step it is refused.
/// @return RBL_OK, RBL_BAD_ARGUMENT. Threads: world.
RBL_API rbl_result rbl_world_set_budget(rbl_world *world, int budget);

/// @return the budget of a step; 0: no limit. Threads: world.
RBL_API int rbl_world_budget(const rbl_world *world);

/// @return whether bodies fall asleep. Threads: world.
RBL_API bool rbl_world_can_sleep(const rbl_world *world);

/// Let bodies fall asleep, or wake all and keep them awake. During a step it is refused.
/// @return RBL_OK, RBL_BAD_ARGUMENT. Threads: world.
RBL_API rbl_result rbl_world_set_can_sleep(rbl_world *world, bool can_sleep);

/// Write the materials that bodies of the world share, and their colliders, in a fixed order. A
/// loaded world has its own: find them by name.
/// @return how many there are. Threads: world.
RBL_API int rbl_world_get_materials(const rbl_world *world, rbl_material **materials, int capacity);

/// @return the number of bodies. Threads: world.
RBL_API int rbl_world_body_count(const rbl_world *world);

/// Write the ids of all bodies, by index.
/// @return how many there are. Threads: world. Cost: O(n).
RBL_API int rbl_world_get_bodies(const rbl_world *world, rbl_body_id *bodies, int capacity);

/// Push everything away from a point.
typedef struct rbl_explosion {
	/// Default 0, 0, 0.
	rbl_vec3 position;

	/// In metres, > 0: full force within `radius`, falling to none over `falloff` beyond it, >= 0.
	/// Default 5 and 0.
	float radius, falloff;

	/// Newton seconds per square metre of a body's box that faces it. Default 100.
	float impulse_per_area;

	/// Whom it reaches. Default all.
	uint32_t mask;

	/// Joules that each part within the radius takes, as rbl_damage_def.energy: it breaks and wears
	/// by its rule. What breaks off a body that could not move is pushed as well. >= 0, default 0:
	/// it only pushes.
	float energy;

	/// Whether what stands between protects: bodies and parts that no straight line leads to are
	/// neither pushed nor damaged. Default false.
	bool is_occluded;
} rbl_explosion;

/// @return an explosion that works as it is. Threads: any.
RBL_API rbl_explosion rbl_default_explosion(void);

/// Explode; during a step, at its end.
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY: nothing was pushed, but some baked debris
///         within the radius may have been released
/// Threads: world.
RBL_API rbl_result rbl_world_explode(rbl_world *world, const rbl_explosion *explosion);

/// Where damage acts.
typedef enum rbl_damage_shape {
	/// On the first body from `position` along `translation`.
	RBL_DAMAGE_RAY = 0,
	/// Around `position`.
	RBL_DAMAGE_SPHERE,
	/// Around the line from `position` along `translation`.
	RBL_DAMAGE_CAPSULE,
	/// From its tip at `position` along `translation`, as wide as `radius` at its flat end.
	RBL_DAMAGE_CONE,
	RBL_DAMAGE_SHAPE_COUNT
} rbl_damage_shape;

/// Damage to whatever is at a place: shots, shock waves, breath of dragons. Start from
/// rbl_default_damage_def().
typedef struct rbl_damage_def {
	/// Default RBL_DAMAGE_SPHERE.
	rbl_damage_shape shape;

	/// In metres. Default 0, 0, 0 and 0, 0, 0; all but spheres need a translation.
	rbl_vec3 position, translation;

	/// In metres, > 0: full energy within it, falling to none over `falloff` beyond, >= 0. Of a ray
	/// the radius of the break, where INFINITY leaves it to the rule; it has no falloff. Default 1
	/// and 0.
	float radius, falloff;

	/// Joules that each part takes that is reached, >= 0, less with the falloff: it breaks and
	/// wears by its rule. Default 0.
	float energy;

	/// Newton seconds that each dynamic body takes that is reached, likewise: away from the axis,
	/// of rays and cones along it. Of bodies that do not move, what breaks off them takes it, the
	/// more the nearer, but no more energy than it was hit with. Default 0.
	float impulse;

	/// Whom it reaches: bodies with one of these categories. Default all.
	uint32_t mask;

	/// Whether what stands between protects: see rbl_explosion. Rays never go through anything.
	/// Default false.
	bool is_occluded;

	/// Filled by rbl_default_damage_def(). Leave it alone.
	uint32_t cookie;
} rbl_damage_def;

/// @return a definition that does nothing yet. Threads: any.
RBL_API rbl_damage_def rbl_default_damage_def(void);

/// Damage what is at a place; during a step, at its end. The next step reports what came of it.
/// @return RBL_OK, also when nothing is there; RBL_BAD_ARGUMENT (the log names the field),
///         RBL_OUT_OF_MEMORY: not all was damaged
/// Threads: world. Cost: follows the parts that are reached, and a ray for each with is_occluded.
RBL_API rbl_result rbl_world_damage(rbl_world *world, const rbl_damage_def *def);

/// Move everything by -offset, exactly: poses keep their low digits. Far from the origin floats are
/// coarse, so a large world follows its viewer.
/// @param offset  each coordinate a multiple of 64 metres, at most RBL_MAX_POSITION
/// @return RBL_OK, RBL_BAD_ARGUMENT (also during a step, and when a body would be farther away than
///         1e8 metres), RBL_OUT_OF_MEMORY; nothing moves on failure
/// Threads: world. Cost: O(n).
RBL_API rbl_result rbl_world_shift_origin(rbl_world *world, rbl_vec3 offset);

/// @return a hash of the poses, the velocities and the sleep of all bodies. Equal runs have equal
/// hashes on every platform, for any number of workers. Threads: world. Cost: O(n).
RBL_API uint64_t rbl_world_hash(const rbl_world *world);

// --- contacts -----------------------------------------------------------------------------------

/// Two parts that touch, or nearly.
typedef struct rbl_contact {
	rbl_body_id body_a, body_b;

	/// Normal from A to B and up to four points, in the world; child_a and child_b are the parts.
	rbl_manifold manifold;

	/// Of the pair.
	float friction, restitution;

	/// Sum of the normal impulses in the last step, in newton seconds. Where two bodies touch with
	/// many parts along one normal, one of these contacts has the sum of all.
	float impulse;
} rbl_contact;

/// Write all contacts that the last step found.
/// @param contacts  receives up to `capacity` of them, in a fixed order
/// @return how many there are. Threads: world. Cost: O(n).
RBL_API int rbl_world_get_contacts(const rbl_world *world, rbl_contact *contacts, int capacity);

/// Write the contacts of one body. @return how many there are. Threads: world. Cost: O(its pairs).
RBL_API int rbl_body_get_contacts(const rbl_world *world, rbl_body_id body, rbl_contact *contacts,
                                  int capacity);

// --- questions ----------------------------------------------------------------------------------
// Filters: rbl_filter as of a body that asks; NULL: everything but sensors answers. Threads: world.

/// Something that a query met.
typedef struct rbl_world_hit {
	rbl_body_id body;

	/// Which part of it.
	int part;

	/// Fraction of the translation, 0 to 1, of a cast.
	float fraction;

	/// Where on the surface of what was hit (of a ray that begins inside: where it begins), and the
	/// unit normal out of it. Zeros for the boxes of rbl_world_overlap_box().
	rbl_vec3 point, normal;

	/// The gap between the two. Negative when they overlap, as where a cast begins inside: to move
	/// by -distance along `normal` parts them. Rays that begin on the back of a triangle have 0.
	float distance;
} rbl_world_hit;

/// Find the first thing that a ray from `from` to `from + translation` hits.
/// @return whether it hits anything; `hit` receives what
RBL_API bool rbl_world_cast_ray(const rbl_world *world, rbl_vec3 from, rbl_vec3 translation,
                                const rbl_filter *filter, rbl_world_hit *hit);

/// Write everything that a ray hits, each part once, nearest first.
/// @return how many there are, or were found when memory ran out
RBL_API int rbl_world_cast_ray_all(const rbl_world *world, rbl_vec3 from, rbl_vec3 translation,
                                   const rbl_filter *filter, rbl_world_hit *hits, int capacity);

/// @return whether a ray hits anything at all; faster than to find the first.
RBL_API bool rbl_world_is_ray_blocked(const rbl_world *world, rbl_vec3 from, rbl_vec3 translation,
                                      const rbl_filter *filter);

/// Find the first thing that a collider moved along `translation` touches.
/// @param collider  no mesh, height field or plane
RBL_API bool rbl_world_cast_collider(const rbl_world *world, const rbl_collider *collider,
                                     rbl_transform pose, rbl_vec3 translation,
                                     const rbl_filter *filter, rbl_world_hit *hit);

/// One of many casts: see rbl_world_cast_collider().
typedef struct rbl_collider_cast {
	/// No mesh, height field or plane.
	const rbl_collider *collider;

	rbl_transform pose;
	rbl_vec3 translation;

	/// NULL: everything but sensors.
	const rbl_filter *filter;
} rbl_collider_cast;

/// Cast many colliders at once, on the world's workers: the feet of a crowd, the wheels of cars.
/// @param hits  receives what each of them touches first, as rbl_world_cast_collider() says it; the
///              body is null and the fraction 1 where that is nothing
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the cast; nothing was cast)
RBL_API rbl_result rbl_world_cast_colliders(const rbl_world *world, const rbl_collider_cast *casts,
                                            int count, rbl_world_hit *hits);

/// Write the parts whose boxes overlap a box, as they are now, without margins.
/// @return how many there are
RBL_API int rbl_world_overlap_box(const rbl_world *world, rbl_box box, const rbl_filter *filter,
                                  rbl_world_hit *hits, int capacity);

/// Write the parts that a collider in a pose touches.
/// @return how many there are
RBL_API int rbl_world_overlap_collider(const rbl_world *world, const rbl_collider *collider,
                                       rbl_transform pose, const rbl_filter *filter,
                                       rbl_world_hit *hits, int capacity);

/// Write the parts that are nearest to a collider in a pose, the nearest first, and the deepest of
/// those that overlap it before all others. Each has its nearest point, normal and distance.
/// @param max_distance  how far to look, in metres, 0 to RBL_MAX_POSITION
/// @return how many were written
RBL_API int rbl_world_find_nearest(const rbl_world *world, const rbl_collider *collider,
                                   rbl_transform pose, float max_distance, const rbl_filter *filter,
                                   rbl_world_hit *hits, int capacity);

/// Find the point of a body's surface that is nearest to a point. Its distance is negative when the
/// point is inside a convex part or a field body.
/// @return false for a stale id
RBL_API bool rbl_body_closest_point(const rbl_world *world, rbl_body_id body, rbl_vec3 point,
                                    rbl_world_hit *hit);

// --- looking inside -----------------------------------------------------------------------------

/// What to draw.
typedef enum rbl_draw_flags {
	RBL_DRAW_PARTS = 1,    // edges of convexes, spheres, capsules, triangles
	RBL_DRAW_BOXES = 2,    // boxes in the broad phase
	RBL_DRAW_CONTACTS = 4, // points and normals
	RBL_DRAW_JOINTS = 8,   // frames
	RBL_DRAW_MASSES = 16,  // centres of mass
	RBL_DRAW_CELLS = 32,   // of the partition in the broad phase, the fuller the brighter
	RBL_DRAW_TREES = 64,   // boxes of the trees over meshes and height fields
	RBL_DRAW_FIELDS = 128, // of field bodies: points with normals, first spheres, a slice
	RBL_DRAW_STRESS = 256, // bonds that may fail under load: green, yellow, red where they fail
	RBL_DRAW_HEALTH = 512, // parts and worn bonds of what can break: green, yellow, red at the end
	RBL_DRAW_SLEEP = 1024, // parts: awake red, still for a while yellow, asleep blue, static grey
	RBL_DRAW_ISLANDS = 2048, // parts of what contacts and joints connect, and lines between them
	RBL_DRAW_ALL = 4095,
} rbl_draw_flags;

/// Receives lines and points; either may be NULL. Colours are 0xRRGGBB. Threads: world.
typedef struct rbl_draw {
	void (*line)(void *user, rbl_vec3 a, rbl_vec3 b, uint32_t color);
	void (*point)(void *user, rbl_vec3 position, float size_pixels, uint32_t color);
	void *user;

	/// What; rbl_draw_flags.
	uint32_t flags;

	/// Only what overlaps this box; an empty one (lower > upper): everything.
	rbl_box box;
} rbl_draw;

/// Draw the world through callbacks.
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (by RBL_DRAW_STRESS, RBL_DRAW_HEALTH and
/// RBL_DRAW_ISLANDS: some may have been drawn). Threads: world. Cost: O(n), O(n log n) in bonds.
RBL_API rbl_result rbl_world_draw(const rbl_world *world, const rbl_draw *draw);

/// What a step did and what it cost.
typedef struct rbl_world_stats {
	int body_count, awake_count, static_count;
	int part_count;     // boxes in the broad phase
	int pair_count;     // pairs of boxes
	int active_count;   // of which one is awake: tested in this step; all of two bodies count once
	int touching_count; // pairs with a contact
	int point_count;
	int joint_count;
	int debris_count;   // bodies that came off something that broke
	int chip_count;     // small debris on exposed faces, not among them
	int baked_count;    // fragments baked into static bodies
	int breaking_count; // breaks that the budget has left for the next step
	int fracture_work;  // work on breaks in the step, in units of the budget
	int stress_work;    // on bonds that may fail under load, likewise
	int budget_left;    // below 0: what cannot wait took more; 0 without a limit

	/// Of the pairs looked at: answered by their old axis, by their old manifold, by the old
	/// feature in the new pose, and by a search.
	int apart_count, reused_count, refreshed_count, searched_count;

	/// Contacts that began and ended, bodies stopped by a cast, colours of the solver.
	int begin_count, end_count, cast_count, color_count;

	/// Milliseconds of the last step: all, and stage by stage.
	double step_ms;
	double broadphase_ms; // which boxes overlap
	double pairs_ms;      // making and removing pairs
	double narrow_ms;     // manifolds
	double contacts_ms;   // begin and end of contacts
	double solver_ms;
	double finish_ms; // casts, boxes, sleep, events
	double fracture_ms;
	double stress_ms; // which bonds fail
	double debris_ms; // freezing, baking, removing; calls of callbacks

	/// Bonds that failed under load, since creation.
	int64_t failed_bond_count;

	/// Contacts and bodies left out because memory ran out, and blows that should have broken
	/// something and could not, because memory ran out or the break would take more than
	/// RBL_CUT_LIMIT cuts: since creation. For each of those blows the log names the body and the
	/// reason.
	int64_t lost_count;

	/// Pairs that are left out because both parts have too many others, more than 48: only bodies
	/// made at one place do. Each then keeps some 32. The others are made when some end.
	int64_t capped_pair_count;

	/// Bodies that were put to rest because their numbers had failed, since creation: 0 unless
	/// forces, masses or joints are absurd.
	int64_t rescued_count;

	/// Times that a body between others was kept from being shot away by their contacts, since
	/// creation.
	int64_t ejection_clamp_count;

	/// Memory held by the world, and what of it grows with bodies: their records, their forms, and
	/// the solver's; without the broad phase, pairs, contacts and compounds.
	size_t bytes, body_bytes;

	/// Steps made.
	int64_t step_count;
} rbl_world_stats;

/// @return what the last step did. Threads: world.
RBL_API rbl_world_stats rbl_world_get_stats(const rbl_world *world);
