// SPDX-License-Identifier: MIT
// Breaking. break_request.c tells the whole path.
#pragma once

#include "fracture/fracture.h"

#include <rubble/fracture_log.h>
#include <rubble/world.h>

/// What fragments of a field body collide by, made before they are bodies.
typedef struct rbl_early_fields rbl_early_fields;

/// A body that is to break. All but `task` and `fields` is state: these are begun from it, and have
/// done `slice_count` slices of work.
typedef struct rbl_damage_request {
	rbl_body_id body;
	rbl_body_id other;         // what hit it; null for a blow
	rbl_vec3 point, direction; // in the coordinates of the body's shape; of unit length
	float radius;              // INFINITY: as the damage rule says
	float energy;              // < 0: only refit the body to its compound
	float choice;              // energy to choose the break by; < 0: a blow that has not acted yet
	float speed;               // of approach
	float impulse;             // for what comes off, along the direction, in newton seconds
	int32_t part;              // that was hit, or RBL_NONE
	int32_t material;          // of that part, in the table of the compound
	rbl_fracture_cause cause;
	uint64_t seed;
	int32_t slice_count;
	int32_t next_waiting;     // scratch: another hit on the same body that waits, or RBL_NONE
	bool is_done;             // to be dropped
	bool is_passed;           // what hit it has its speed back and goes on: see break_passage.c
	rbl_task *task;           // NULL until work begins
	rbl_early_fields *fields; // NULL: none yet
} rbl_damage_request;

// --- break_request.c ----------------------------------------------------------------------------

/// A request without energy. @param point, direction  in the world
rbl_damage_request rbl_world_damage_request(const rbl_world *world, rbl_body_id body,
                                            rbl_vec3 point, rbl_vec3 direction);

/// Whether an energy breaks something with a rule.
bool rbl_world_breaks(const rbl_damage_rule *rule, float energy);

/// The rule by which a part of a compound breaks that a body has; NULL: it does not.
const rbl_damage_rule *rbl_world_part_rule(const rbl_world *world, int body,
                                           const rbl_compound *compound, int part);

/// Add a request of a hit, unless one by the same body is there or one close by takes its energy.
void rbl_world_add_request(rbl_world *world, const rbl_damage_request *request,
                           const rbl_damage_rule *rule);

/// Note in each body which requests it has; then, whether it has any.
void rbl_world_index_requests(rbl_world *world);
bool rbl_world_has_request(const rbl_world *world, int body);

/// Request breaks of bodies that were hit hard enough in this step.
void rbl_world_request_breaks(rbl_world *world);

/// Drop a request, and its task.
void rbl_world_end_request(rbl_world *world, rbl_damage_request *request);

/// Drop the requests of a body that is about to be destroyed, or of all.
void rbl_world_cancel_breaks(rbl_world *world, int body);
void rbl_world_free_breaks(rbl_world *world);

// --- break_wear.c -------------------------------------------------------------------------------

/// Energy that acts on a body.
typedef struct rbl_body_load {
	rbl_load_shape shape; // in the world
	float energy;         // for each part at full share
	int hit_part;         // or RBL_NONE: all that are reached
	bool is_occluded;     // by what stands between the shape's axis and a part
} rbl_body_load;

/// Let energy act on a body that has a compound. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_world_load_body(rbl_world *world, int body, const rbl_body_load *load,
                               rbl_load_result *result);

/// A hit or blow on a part. @param point  in the world
/// @return the energy to choose the break by, all that came before considered
float rbl_world_wear(rbl_world *world, int body, int part, rbl_vec3 point, float energy);

/// List a body whose compound has bonds that are worn through.
void rbl_world_note_failing(rbl_world *world, int body);

/// Open bonds that are worn through, as far as the budget allows.
void rbl_world_open_bonds(rbl_world *world, int64_t *budget);

/// Whether nothing stands between two places but what lies within `tolerance` of the second, or the
/// body itself. @param part  of the body, or RBL_NONE: any of it
bool rbl_world_is_reached(const rbl_world *world, rbl_vec3 from, rbl_vec3 to, rbl_body_id body,
                          int part, float tolerance);

// --- explosion.c --------------------------------------------------------------------------------

/// Push the fragments that breaks of this step took off bodies which explosions could not move.
void rbl_world_push_fragments(rbl_world *world);

// --- damage_shapes.c ----------------------------------------------------------------------------

/// Let energy act on a body, if it can break, and request breaks.
/// @param share  receives the largest share that a part took, 0 when none was reached, and where
/// @return false when memory ran out
bool rbl_world_damage_body(rbl_world *world, int body, const rbl_body_load *load, float *share,
                           rbl_vec3 *point);

// --- break_schedule.c ---------------------------------------------------------------------------

/// Work on requests as far as the budget allows.
void rbl_world_update_breaks(rbl_world *world);

/// The body's own compound: that of an asset is copied before it first breaks. NULL without memory.
rbl_compound *rbl_world_own_compound(rbl_world *world, int body);

/// Do early, for a new body, what would make its first break slow.
void rbl_world_prepare_breaking(rbl_world *world, int body);

/// Whether hits on some part of a body break it or bend it, or load makes its bonds fail.
bool rbl_world_can_break(const rbl_world *world, int body);

/// Whether a material does so, and a line in the log for a body that cannot.
bool rbl_material_can_break(const rbl_material *material);
rbl_result rbl_refuse_breaking(const rbl_material *material);

/// How a body breaks by a material: all but the radius. @param seed  of the hit
rbl_break_def rbl_world_break_def(const rbl_world *world, const rbl_material_def *material,
                                  const rbl_pattern *pattern, const rbl_damage_request *request,
                                  uint64_t seed);

/// How a cut goes through a compound that the body of its request has.
/// @param request  its material and radius are set
/// @param def      receives how it breaks
/// @param passes   receives whether the plane passes through something that it may cut
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_world_place_cut(rbl_world *world, const rbl_compound *compound,
                               rbl_damage_request *request, rbl_break_def *def, bool *passes);

/// Begin the break of a request that was read from a snapshot, and repeat its work so far.
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_BAD_FILE: it cannot be
rbl_result rbl_world_resume_break(rbl_world *world, rbl_damage_request *request);

// --- break_fields.c -----------------------------------------------------------------------------

/// Make fields of what a break that is ready will leave, as much as goes into a slice.
/// @param work  of a slice
/// @return whether all are made, or there are none to make
bool rbl_world_make_early_fields(const rbl_world *world, rbl_damage_request *request, int work);

/// While a break is applied: what was made for a compound.
/// @param by_field  receives whether it collides by a field
/// @return false: nothing is known of it
bool rbl_world_knows_contact_method(const rbl_world *world, const rbl_compound *compound,
                                    bool *by_field);

/// @param collider, field  receive what was made, the caller's to destroy
/// @return false: nothing was made
bool rbl_world_take_early_field(const rbl_world *world, const rbl_compound *compound,
                                rbl_collider **collider, rbl_part_field **field);

/// NULL is fine.
void rbl_destroy_early_fields(const rbl_world *world, rbl_early_fields *fields);

// --- break_bend.c -------------------------------------------------------------------------------

/// Whether an energy bends something with a rule.
bool rbl_world_bends(const rbl_damage_rule *rule, float energy);

/// Bend a body now, and report it.
void rbl_world_bend(rbl_world *world, const rbl_damage_request *request);

/// Bend the compound of a body. @param pieces  receives what came off, and an empty place for what
/// remains, which is the body's compound; NULL when nothing yielded
/// @return RBL_OK, RBL_OUT_OF_MEMORY (nothing has changed)
rbl_result rbl_world_bend_compound(rbl_world *world, const rbl_damage_request *request,
                                   rbl_break **pieces);

// --- break_apply.c, break_fragments.c -----------------------------------------------------------

/// The energy that a break has cost, in joule; 0 where bonds failed under load.
float rbl_world_break_cost(const rbl_world *world, const rbl_damage_request *request);

/// Apply a break to the world and report it. Destroys the break.
/// @return the number of exposed triangles that were made for it
int rbl_world_apply_break(rbl_world *world, const rbl_damage_request *request, rbl_break *broken);

/// Report pieces below the dust size of what they are made of as dust.
void rbl_world_take_dust(rbl_world *world, rbl_body_id parent, rbl_break *broken);

/// Create bodies for all other pieces, and append their ids to `fracture_bodies`. @return how many
int rbl_world_create_fragments(rbl_world *world, rbl_body_id parent, rbl_break *broken);

/// Give what hit a body the speed that the break does not cost.
void rbl_world_return_energy(rbl_world *world, const rbl_damage_request *request);

// --- break_passage.c ----------------------------------------------------------------------------

/// Let what hit the bodies of unfinished breaks go on.
void rbl_world_let_hitters_pass(rbl_world *world);

/// Whether a body passes through a part of another that it, or what it hangs on by joints, is
/// breaking.
bool rbl_world_passes_through(const rbl_world *world, int body, int part);

/// What passed because of a request does so no longer: its pairs are looked at by the next step.
void rbl_world_end_passing(rbl_world *world, const rbl_damage_request *r);

/// Let fragments take from what has passed through them what pushing them along costs.
void rbl_world_push_along(rbl_world *world, const rbl_damage_request *request,
                          const rbl_body_id *fragments, int count);

/// Count the requests that let something pass, and put them in order.
void rbl_world_count_passing(rbl_world *world);

// --- break_joints.c -----------------------------------------------------------------------------

/// The part of a compound nearest to a point, by the largest distance from the plane of a face.
/// @param distance  an upper bound; receives that of the part, < 0 inside
/// @return RBL_NONE when no part is nearer than the bound. Cost: O(parts).
int rbl_world_nearest_part(const rbl_compound *compound, rbl_vec3d point, double *distance);

/// Before a body breaks: measure how far the anchors of its joints are from it.
void rbl_world_measure_joint_anchors(rbl_world *world, int body);

/// After it broke, before it is refitted: give its joints to the fragments that hold their anchors.
void rbl_world_reassign_joints(rbl_world *world, int body, const rbl_body_id *fragments, int count);

// --- break_refit.c ------------------------------------------------------------------------------

/// Whether what will be left of a body collides by a field.
bool rbl_world_rest_wants_field(const rbl_world *world, int body, const rbl_compound *rest);

/// Fit parts, mass and kind of a body to its compound, which has a part or more; when memory runs
/// out, it is as it was and a request to refit it is made.
void rbl_world_refit_or_retry(rbl_world *world, rbl_body_id id);

// --- fracture_log.c -----------------------------------------------------------------------------

/// Log a break that is about to be applied, when somebody listens.
void rbl_world_log_fracture(rbl_world *world, const rbl_damage_request *request,
                            const rbl_break *broken);
