// SPDX-License-Identifier: MIT
// Stress: whether a body holds its own weight, and which bonds do not.
//
// Parts are rigid, bonds are short beams between them, anchored parts do not move. The forces in
// the beams are found step by step, under a budget, from where the last call stopped.
#pragma once

#include <rubble/base.h>
#include <rubble/compound.h>
#include <rubble/material.h>
#include <rubble/types.h>

/// The estimate of a compound, kept from call to call.
typedef struct rbl_stress rbl_stress;

/// How to estimate. Start from rbl_default_stress_def().
typedef struct rbl_stress_def {
	/// Density in kg / m^3, > 0, of parts without a material. Default 2400.
	double density;

	/// What their bonds hold in pascal, each >= 0; 0: they never fail that way. Default 1e6, 2e6
	/// and 1e7, as stone.
	rbl_bond_strengths strengths;

	/// Forces count as found when what is left to balance is below this share of the loads, 1e-12
	/// to 0.1. Default 1e-3.
	double tolerance;

	/// Memory of the estimate.
	rbl_allocator allocator;

	/// Filled by rbl_default_stress_def(). Leave it alone.
	uint32_t cookie;
} rbl_stress_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_stress_def rbl_default_stress_def(void);

/// Make an estimate.
/// @param stress  receives the estimate, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any.
RBL_API rbl_result rbl_create_stress(const rbl_stress_def *def, rbl_stress **stress);

/// Destroy an estimate. NULL is fine.
RBL_API void rbl_destroy_stress(rbl_stress *stress);

/// A force on a part, as of something that lies on it.
typedef struct rbl_stress_load {
	int part;

	/// Where it acts, in the compound's coordinates, and how much, in newton.
	rbl_vec3d point, force;
} rbl_stress_load;

/// What a call came to.
typedef struct rbl_stress_report {
	/// Bonds that carry something: between parts that are not both anchored.
	int bond_count;

	/// What is left to balance, over the loads; and whether that is within the tolerance.
	double residual;
	bool is_converged;

	/// The highest utilization of a bond, above 1 it fails; and how many do. Only where it has
	/// converged.
	double worst;
	int overloaded_count;

	/// Passes over all bonds in this call, 0 where nothing has changed since it converged.
	int pass_count;
} rbl_stress_report;

/// Go on estimating. The compound may have changed since the last call: what still stands starts
/// from the forces it had. Use one estimate for each compound: another one begins from nothing. A
/// compound without anchors, or a part of it that none is in, is in free fall: it feels no weight,
/// and loads accelerate it.
/// @param gravity   in the compound's coordinates, in m / s^2
/// @param loads     read during the call only; NULL for none
/// @param budget    bonds looked at, > 0; at least one pass is done, so that it ends some day
/// @param report    receives what it came to
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (it can be tried again)
/// Threads: one call on an estimate and on a compound at a time. Cost: O(budget), and O(n) when the
/// compound has changed.
RBL_API rbl_result rbl_stress_update(rbl_stress *stress, rbl_compound *compound, rbl_vec3d gravity,
                                     const rbl_stress_load *loads, int load_count, int budget,
                                     rbl_stress_report *report);

/// What a bond carries.
typedef struct rbl_bond_stress {
	/// The two parts.
	int part, other;

	/// Where, from `part` to `other`, and how large.
	rbl_vec3d centre, normal;
	double area;

	/// Force and moment at the centre that `other` puts on `part`, in newton and newton metres.
	rbl_vec3d force, moment;

	/// The largest of each over the area, in pascal; tension and compression with bending, shear
	/// with torsion.
	double tension, compression, shear;

	/// The largest of the three over what the bond holds: above 1 it fails.
	double utilization;
} rbl_bond_stress;

/// Write what bonds carry as of the last call, those with the highest utilization first.
/// @param min_utilization  only bonds of at least this utilization: 0 for all, 1 for those that
///                         fail
/// @param bonds  receives up to `capacity` of them
/// @return how many there are, also when there is no room for all; 0 for NULL
/// Threads: one call on an estimate at a time. Cost: O(n log n).
RBL_API int rbl_stress_get_bonds(const rbl_stress *stress, double min_utilization,
                                 rbl_bond_stress *bonds, int capacity);
