// SPDX-License-Identifier: MIT
// The kernels of the solver: body_kernels.c, contact_kernels.c, joint_kernels.c and
// joint_tree_kernels.c.
#pragma once

#include "solver/records.h"

#include "base/kernel.h"

/// Bias velocity per metre or radian of error, and the scales of mass and old impulse.
typedef struct rbl_solver_softness {
	float bias_rate, mass_scale, impulse_scale;
} rbl_solver_softness;

/// What the kernels of a step have in common.
typedef struct rbl_solver_step_context {
	rbl_solver_records bodies;
	float dt, h, inverse_h; // step; sub-step
	int substep_count;
	rbl_solver_softness soft;         // of contacts
	float joint_hertz, joint_damping; // of rigid joints
	float push_speed;                 // overlap is pushed out no faster
	float relax_speed;                // what is pushed out faster is relaxed at once
	float restitution_speed;
	float speed_limit;
	float angular_speed_limit; // of bodies that touch something
	float free_speed_limit,
		round_speed_limit; // angular, too: of those that do not, and of round ones
	float sleep_distance_squared, sleep_cosine; // cosine of half the angle
	float round_distance_squared;               // in place of the first, for round bodies
	float size_scale;                           // of radii, for the wake threshold
	float wake_distance, wake_speed;
	float sleep_time, stick_speed; // sleep candidates that are slower than this stay in place
	rbl_vec3 gravity;
	const uint8_t *marks; // bodies that cool, and what their contacts keep of their impulses
	const float *kept_shares;
	bool has_forces;
	bool has_locks;         // some body is locked along an axis
	bool is_first, is_last; // sub-step
	bool is_beginning;      // before the first sub-step: bodies have not moved
	bool is_backward;       // points are solved in reverse order
} rbl_solver_step_context;

/// Bodies of a list, in eights; lists are padded with body 0, which is not written.
typedef void rbl_solver_body_kernel(const int32_t *list, int count,
                                    const rbl_solver_step_context *step);

RBL_DECLARE_KERNEL(rbl_solver_body_kernel, rbl_solver_prepare_bodies, );
RBL_DECLARE_KERNEL(rbl_solver_body_kernel, rbl_solver_integrate_velocities, );
RBL_DECLARE_KERNEL(rbl_solver_body_kernel, rbl_solver_integrate_positions, );
RBL_DECLARE_KERNEL(rbl_solver_body_kernel, rbl_solver_finish_bodies, );

/// Blocks begin to end - 1 of a list of contacts.
typedef void rbl_solver_contact_kernel(const rbl_solver_contact_list *list, int begin, int end,
                                       const rbl_solver_step_context *step);

RBL_DECLARE_KERNEL(rbl_solver_contact_kernel, rbl_solver_prepare_contacts, );
RBL_DECLARE_KERNEL(rbl_solver_contact_kernel, rbl_solver_warm_start_contacts, );
RBL_DECLARE_KERNEL(rbl_solver_contact_kernel, rbl_solver_cool_contacts, );
RBL_DECLARE_KERNEL(rbl_solver_contact_kernel, rbl_solver_solve_contacts, );
RBL_DECLARE_KERNEL(rbl_solver_contact_kernel, rbl_solver_relax_contacts, );
RBL_DECLARE_KERNEL(rbl_solver_contact_kernel, rbl_solver_bounce_contacts, );

/// Blocks begin to end - 1 of joints.
typedef void rbl_solver_joint_kernel(const rbl_solver_joint_blocks *joints, int begin, int end,
                                     const rbl_solver_step_context *step);

RBL_DECLARE_KERNEL(rbl_solver_joint_kernel, rbl_solver_prepare_joint_blocks, );
RBL_DECLARE_KERNEL(rbl_solver_joint_kernel, rbl_solver_warm_start_joint_blocks, );
RBL_DECLARE_KERNEL(rbl_solver_joint_kernel, rbl_solver_solve_joint_blocks, );
RBL_DECLARE_KERNEL(rbl_solver_joint_kernel, rbl_solver_relax_joint_blocks, );
RBL_DECLARE_KERNEL(rbl_solver_joint_kernel, rbl_solver_finish_joint_blocks, );

/// Solve the points and angles of trees of joints exactly.
RBL_DECLARE_KERNEL(void, rbl_solver_solve_joint_tree,
                   (const rbl_solver_joint_tree *tree, const rbl_solver_step_context *step,
                    bool is_soft));
