// SPDX-License-Identifier: MIT
// A stress estimate: rigid bodies and beams, and the linear system that they make.
//
// A body is a part that is not anchored, with six degrees of freedom. A beam joins two bodies, or a
// body and the ground, at a point; it resists relative translation and rotation there. The energy
// of all beams is least where all forces are in balance.
#pragma once

#include "base/memory.h"
#include "fracture/fracture.h"
#include "stress/stress.h"

/// A motion, or a force and a moment about a body's reference point.
typedef struct rbl_wrench {
	rbl_vec3d linear, angular;
} rbl_wrench;

/// A symmetric 3 x 3 matrix: xx, yy, zz, xy, xz, yz.
typedef struct rbl_sym3 {
	double xx, yy, zz, xy, xz, yz;
} rbl_sym3;

typedef struct rbl_beam {
	int bodies[2];     // -1: the ground
	rbl_vec3d arms[2]; // from the reference points to the joint
	rbl_sym3 linear_stiffness, angular_stiffness;
} rbl_beam;

/// A system of bodies: the parts themselves, or groups of them that move as one.
typedef struct rbl_stress_level {
	int body_count, beam_count;
	rbl_vec3d *points; // reference point of each body
	rbl_beam *beams;
	double *factors; // per body: its own 6 x 6 block, factored, by rows of the lower triangle (21)
	int *groups;     // per body: the body of the next level
	rbl_wrench *forces, *motions; // scratch: restricted forces, motions to prolong
} rbl_stress_level;

enum { RBL_STRESS_LEVELS = 16, RBL_STRESS_DENSE = 24 };

typedef struct rbl_stress_bond {
	int parts[2];
	rbl_vec3d centre, normal;
	double area;
	rbl_bond_strengths holds; // in pascal, with its own strength; infinite: it never fails
	rbl_mat3d moments;        // second moments of area
} rbl_stress_bond;

struct rbl_stress {
	rbl_allocator allocator;
	rbl_stress_def def;

	// The system, as of a version of a compound.
	unsigned version;
	bool is_built;
	int part_end;
	int *body_of; // per part: -1 anchored or not there
	RBL_ARRAY(rbl_stress_bond) bonds;
	int body_count;
	double *masses;
	rbl_mat3d *inertias; // of bodies about their centres
	int *components;     // per body: the component, if it is in free fall; -1: it has an anchor
	int component_count;

	int level_count;
	rbl_stress_level levels[RBL_STRESS_LEVELS];
	double *dense; // the last level's matrix, factored
	int dense_size;

	// State of the conjugate gradient iteration.
	rbl_wrench *loads;
	rbl_wrench *motions, *residuals, *directions, *images;
	double energy; // of residuals under the preconditioner, and what it began with
	double load_energy;
	bool is_iterating; // directions are valid
	bool is_stalled;   // rounding allows no better
	double residual;
	double best; // lowest residual, and iterations since
	int idle_count;
	double worst; // utilization once converged, and how many are above 1; -1: unknown
	int overloaded_count;
};

/// Assemble the system of a compound as it is now; motions of parts that are still there are kept.
/// @return RBL_OK, RBL_OUT_OF_MEMORY (nothing changed)
rbl_result rbl_stress_build(rbl_stress *s, rbl_compound *compound);

/// Make all coarser levels; level 0 has points and beams. @return false when memory ran out
bool rbl_stress_make_levels(rbl_stress *s);

void rbl_stress_free_levels(rbl_stress *s);

/// Apply the preconditioner, a solution on each level: symmetric and positive definite.
void rbl_stress_precondition(rbl_stress *s, const rbl_wrench *forces, rbl_wrench *motions);

/// Force and moment in a beam, as the second side puts them on the first, about the joint.
rbl_wrench rbl_beam_force(const rbl_beam *beam, const rbl_wrench *motions);

/// Restart from the present motions and loads.
void rbl_stress_restart(rbl_stress *s);

/// One iteration. Cannot fail.
void rbl_stress_iterate(rbl_stress *s);

static inline rbl_vec3d rbl_sym_mul(const rbl_sym3 *m, rbl_vec3d v)
{
	return (rbl_vec3d){ m->xx * v.x + m->xy * v.y + m->xz * v.z,
		                m->xy * v.x + m->yy * v.y + m->yz * v.z,
		                m->xz * v.x + m->yz * v.y + m->zz * v.z };
}
