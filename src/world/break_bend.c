// SPDX-License-Identifier: MIT
//
// Bending: a hit that is too weak to break something makes a dent.
//
// Parts of a compound stay rigid and move relative to each other. The one that was hit yields by
// a depth that grows with the energy above the rule's threshold, as metal does; parts around it
// yield less, down to none at the rule's radius, and rotate with the slope of the dent. Anchored
// parts stay. A bond whose ends are pulled too far apart tears. What stays connected with the
// anchored or largest component is the body from then on; the rest breaks off as in any break.
//
// Mass and angular momentum are kept.

#include "world/world.h"

#include "base/log.h"
#include "fracture/fracture.h"
#include "world/mass.h"

// Bonds tear when their ends are farther apart than this share of their size.
static const double bond_stretch = 0.2;

// The largest rotation of a part, in radians.
static const double max_rotation = 0.5;

bool rbl_world_bends(const rbl_damage_rule *rule, float energy)
{
	return rule && rule->bend_energy > 0.0 && (double)energy >= rule->bend_energy;
}

// --- the dent -----------------------------------------------------------------------------------

typedef struct dent {
	rbl_vec3d point, direction; // in the shape's coordinates
	double depth, radius;
} dent;

// The motion of a part with this centre; the identity outside of the dent.
static rbl_transformd dented_pose(const dent *d, rbl_vec3d centroid)
{
	rbl_transformd pose = { .rotation = { 0.0, 0.0, 0.0, 1.0 } };
	rbl_vec3d arm = rbl_sub_d(centroid, d->point);
	double s = rbl_dot_d(arm, arm) / (d->radius * d->radius);
	if (!(s < 1.0))
		return pose;
	// It sinks by depth (1 - s)^2 along the direction, and rotates by half of the curl of that.
	double share = (1.0 - s) * (1.0 - s);
	double slope = -4.0 * (1.0 - s) / (d->radius * d->radius);
	rbl_vec3d rotation = rbl_scale_d(0.5 * d->depth * slope, rbl_cross_d(arm, d->direction));
	double angle = rbl_length_d(rotation);
	if (angle > max_rotation)
		rotation = rbl_scale_d(max_rotation / angle, rotation);
	rbl_quatd q = { 0.5 * rotation.x, 0.5 * rotation.y, 0.5 * rotation.z, 1.0 };
	pose.rotation = rbl_quat_normalize_d(q);
	rbl_vec3d to = rbl_add_scaled_d(centroid, d->depth * share, d->direction);
	pose.position = rbl_sub_d(to, rbl_rotate_d(pose.rotation, centroid));
	return pose;
}

static dent dent_of(const rbl_damage_rule *rule, const rbl_damage_request *r)
{
	double depth = rule->bend_depth * ((double)r->energy / rule->bend_energy - 1.0);
	return (dent){ .point = rbl_to_d(r->point),
		           .direction = rbl_to_d(r->direction),
		           .depth = rbl_mind(depth, 0.5 * rule->bend_radius),
		           .radius = rule->bend_radius };
}

static rbl_vec3d part_centre(const rbl_convex *convex)
{
	rbl_convex_data data = rbl_convex_get_data(convex);
	rbl_boxd box = rbl_box_empty_d();
	for (int i = 0; i < data.vertex_count; ++i)
		box = rbl_box_add_point_d(box, data.vertices[i]);
	return rbl_box_centre_d(box);
}

// Motions of all parts. @return how many of them move
static int dent_parts(const rbl_compound *compound, const dent *d, rbl_transformd *poses)
{
	int end = rbl_compound_get_info(compound).part_end, n = 0, moved = 0;
	for (int part = 0; part < end; ++part) {
		rbl_compound_part p = rbl_compound_get_part(compound, part);
		if (!p.convex)
			continue;
		poses[n] = (rbl_transformd){ .rotation = { 0.0, 0.0, 0.0, 1.0 } };
		if (!p.is_anchored)
			poses[n] = dented_pose(d, part_centre(p.convex));
		const rbl_vec3d *at = &poses[n++].position;
		moved += at->x != 0.0 || at->y != 0.0 || at->z != 0.0;
	}
	return moved;
}

// The component that stays the body: an anchored one, and of these the largest.
static int find_remaining(const rbl_break *pieces)
{
	rbl_break_data data = rbl_break_get_data(pieces);
	int best = 0;
	bool best_is_anchored = false;
	double most = -1.0;
	for (int i = 0; i < data.compound_count; ++i) {
		bool is_anchored = rbl_compound_get_info(data.compounds[i]).anchored_count > 0;
		double volume = rbl_compound_get_visual_mass(data.compounds[i]).volume;
		if (is_anchored < best_is_anchored || (is_anchored == best_is_anchored && volume <= most))
			continue;
		best = i, best_is_anchored = is_anchored, most = volume;
	}
	return best;
}

rbl_result rbl_world_bend_compound(rbl_world *world, const rbl_damage_request *r,
                                   rbl_break **pieces)
{
	*pieces = NULL;
	int body = (int)r->body.index;
	rbl_compound *compound = rbl_world_own_compound(world, body);
	if (!compound)
		return RBL_OUT_OF_MEMORY;
	const rbl_material_def *material = rbl_world_breaking(world, body, compound, r->material);
	dent d = dent_of(&material->damage, r);
	int count = rbl_compound_get_info(compound).part_count;
	if (count < 2)
		return RBL_OK; // one part does not bend
	rbl_transformd *poses = RBL_NEW(&world->allocator, rbl_transformd, count);
	if (!poses)
		return RBL_OUT_OF_MEMORY;
	rbl_result result = RBL_OK;
	if (dent_parts(compound, &d, poses) > 0)
		result = rbl_bend_compound(compound, poses, bond_stretch, pieces);
	RBL_FREE(&world->allocator, poses, count);
	if (*pieces) {
		world->bodies[body].compound = rbl_break_take(*pieces, find_remaining(*pieces));
		world->bodies[body].original = NULL; // it is no longer where its mesh was
		rbl_world_reset_stress(world, body);
	}
	return result;
}

// --- in the world -------------------------------------------------------------------------------

static rbl_vec3 angular_momentum(const rbl_world *world, int body)
{
	const rbl_body_motion *m = &world->motions[body];
	rbl_vec3 local = rbl_rotate_inverse(m->rotation, m->angular_velocity);
	return rbl_rotate(m->rotation, rbl_mat_vec(world->bodies[body].inertia, local));
}

// Restore the angular momentum of a body; what broke off has its own.
static void keep_momentum(rbl_world *world, int body, rbl_vec3 momentum)
{
	const rbl_body *b = &world->bodies[body];
	rbl_body_motion *m = &world->motions[body];
	if (b->kind != RBL_BODY_DYNAMIC || b->solver_body == RBL_NONE)
		return;
	rbl_vec3 local = rbl_rotate_inverse(m->rotation, momentum);
	rbl_vec3 angular_velocity = rbl_mat_vec(rbl_world_inverse_inertia(b->inertia), local);
	m->angular_velocity =
		rbl_world_clamp_length(rbl_rotate(m->rotation, angular_velocity), RBL_MAX_ANGULAR_SPEED);
	rbl_solver_set_velocity(world->solver, b->solver_body, m->velocity, m->angular_velocity);
}

void rbl_world_bend(rbl_world *world, const rbl_damage_request *request)
{
	rbl_damage_request r = *request;
	int body = (int)r.body.index;
	if (world->bodies[body].is_breaking)
		return; // a stronger request came first
	r.cause = RBL_FRACTURE_BEND;
	const rbl_compound *compound = rbl_body_get_compound(world, r.body);
	r.radius = (float)rbl_world_breaking(world, body, compound, r.material)->damage.bend_radius;
	rbl_world_measure_joint_anchors(world, body);
	rbl_vec3 momentum = angular_momentum(world, body);
	rbl_break *pieces = NULL;
	rbl_result result = rbl_world_bend_compound(world, &r, &pieces);
	world->stats.lost_count += result == RBL_OUT_OF_MEMORY;
	if (!pieces)
		return;
	bool is_whole = rbl_break_get_data(pieces).compound_count == 1;
	rbl_world_apply_break(world, &r, pieces);
	if (!rbl_world_has_body(world, r.body))
		return;
	if (rbl_array_extend(&world->allocator, &world->new_bodies, 1))
		rbl_world_mark_broken(world, body); // overlap with others may stay
	if (is_whole)
		keep_momentum(world, body, momentum);
}
