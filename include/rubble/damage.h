// SPDX-License-Identifier: MIT
// Damage: what a hit does, which faces it exposes, and the particles and dust that come of it.
#pragma once

#include <rubble/base.h>
#include <rubble/compound.h>
#include <rubble/pattern.h>
#include <rubble/types.h>

// --- rules --------------------------------------------------------------------------------------

/// What a hit of some energy does.
typedef struct rbl_damage_level {
	/// The least energy for it, in joule, > 0.
	double energy;

	/// How it breaks: finer patterns for harder hits.
	const rbl_pattern *pattern;

	/// Radius of the impact at that energy, in metres, > 0. It grows with the cube root of the
	/// energy, so that the energy per volume stays the same.
	double radius;
} rbl_damage_level;

/// How a material breaks. Start from rbl_default_damage_rule().
typedef struct rbl_damage_rule {
	/// Levels by rising energy, and their number; a hit weaker than the first does nothing. Read
	/// during calls only: a material makes a copy and keeps the patterns. Default none.
	const rbl_damage_level *levels;
	int level_count;

	/// The largest radius, in metres, > 0. Default INFINITY.
	double radius_limit;

	/// What is smaller does not break: the cube root of the volume, in metres, >= 0. Default 0.05.
	double min_size;

	/// In a world, what detaches and is smaller turns to dust: it is reported and gets no
	/// body. Measured as min_size, >= 0. Default 0: nothing does.
	double dust_size;

	/// In a world, hits that are too weak to break bend what is made of several parts: from this
	/// energy on, in joule, >= 0; 0: they do not. Default 0.
	double bend_energy;

	/// How far the part that was hit gives way when it takes twice that energy, and how far around
	/// it others do, in metres, > 0: the deeper the harder, up to half of the radius. Default 0.05
	/// and 0.5.
	double bend_depth, bend_radius;

	/// In a world, hits that are too weak to break leave damage behind: from this energy on, in
	/// joule, >= 0; 0: they leave none. A hit of energy E adds (E / T)^wear_exponent to the damage
	/// of the part that it hits, where T is the energy of the first level times the strength of the
	/// part. At 1 it breaks as by a hit of energy T, and the damage is used up. Default 0.
	double wear_energy;

	/// 1 to 8. With 2 a hundred hits of a tenth of the energy break a part. Default 2.
	int wear_exponent;

	/// How far around a hit it is felt, in metres, > 0: parts and bonds take a share of its energy
	/// that falls from 1 at the point to 0 at this distance. A part beside the one that is hit
	/// does not break by that alone: it waits for the next hit. Default 0.5.
	double wear_radius;

	/// In a world, the share of a hit that opens a bond of strength 1, in joule, >= 0; 0: hits open
	/// none. Weaker ones wear it down as they do parts. Default 0.
	double bond_energy;

	/// Filled by rbl_default_damage_rule(). Leave it alone.
	uint32_t cookie;
} rbl_damage_rule;

/// @return a rule without levels. Threads: any.
RBL_API rbl_damage_rule rbl_default_damage_rule(void);

/// Choose what a hit does to a compound.
/// @param energy  in joule, >= 0
/// @param seed    turns the pattern; the same seed, the same break
/// @param def     receives pattern, radius and rotation; position and all else are the caller's, so
///                it must come from rbl_default_break_def()
/// @param breaks  receives whether it breaks at all
/// @return RBL_OK, RBL_BAD_ARGUMENT
/// Threads: any. Cost: O(levels + parts).
RBL_API rbl_result rbl_damage_choose(const rbl_damage_rule *rule, const rbl_compound *compound,
                                     double energy, uint64_t seed, rbl_break_def *def,
                                     bool *breaks);

// --- wear ---------------------------------------------------------------------------------------

/// What a hit has done to the health of a compound.
typedef struct rbl_wear_report {
	/// Parts and bonds whose damage has grown.
	int part_count, bond_count;

	/// Bonds that are worn through now: rbl_compound_open_bonds() lets them go.
	int failed_count;

	/// Whether the part that was hit breaks, by this hit or by all so far; and the energy to choose
	/// the break by, rbl_damage_choose().
	bool breaks;
	double energy;
} rbl_wear_report;

/// Wear a compound down by a hit: parts and bonds within the wear radius of the rule. Whatever a
/// world does with hits that are too weak to break something, for use without one.
/// @param point   of the hit
/// @param part    that was hit; it takes all of the energy, however far the point is from it
/// @param energy  in joule, >= 0
/// @param report  receives what it did, or NULL
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (nothing has changed)
/// Threads: one call on a compound at a time. Cost: O(n) in what is within the radius.
RBL_API rbl_result rbl_compound_wear(rbl_compound *compound, const rbl_damage_rule *rule,
                                     rbl_vec3d point, int part, double energy,
                                     rbl_wear_report *report);

/// Remove the bonds that are worn through, and let go what no longer hangs together.
/// @param broken  receives what came off, the caller's to destroy; NULL on failure
/// @return as rbl_compound_break_bonds()
/// Threads: one call on a compound at a time. Cost: O(bonds), and that of what detaches.
RBL_API rbl_result rbl_compound_open_bonds(rbl_compound *compound, rbl_break **broken);

// --- exposed faces ------------------------------------------------------------------------------

/// A triangle of a face that a break exposed.
typedef struct rbl_exposed_triangle {
	rbl_vec3d corners[3];
	rbl_vec3 normal; // outward
	float area;

	/// Index of the compound in rbl_break_data, -1 for what remains; the part, and its material.
	int compound, part, material;
} rbl_exposed_triangle;

/// Write the triangles of all faces that a break exposed: those that it cut, and those where an old
/// bond is gone, less what bonds cover of them. Both sides of a crack count. Call it before
/// anything is taken out of the break, and before the compound breaks again.
/// @param rest       the compound that was broken
/// @param triangles  receives up to `capacity` triangles, NULL for none
/// @param count      receives how many there are
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: one call on a break at a time. Cost: O(n) in what the break touched.
RBL_API rbl_result rbl_break_get_exposed_triangles(const rbl_break *broken,
                                                   const rbl_compound *rest,
                                                   rbl_exposed_triangle *triangles, int capacity,
                                                   int *count);

/// @return the area of the faces of convexes that a break exposed, both sides of a crack: more than
/// that of rbl_break_get_exposed_triangles() where meshes are hollow, and much faster. Call it as
/// that one.
/// Threads: one call on a break at a time. Cost: O(n) in what the break touched.
RBL_API double rbl_break_exposed_area(const rbl_break *broken, const rbl_compound *rest);

// --- particles and dust -------------------------------------------------------------------------

/// The most particles that are sampled at once.
#define RBL_MAX_PARTICLES 0x0fffffff

/// How many particles exposed faces give off. Start from rbl_default_particle_def().
typedef struct rbl_particle_def {
	/// Particles per square metre, >= 0. Default 50.
	double density;

	/// The share of them that are spheres, 0 to 1; the others are points. Default 0.2.
	double sphere_ratio;

	/// Radii of spheres, in metres, 1e-9 <= min_radius <= max_radius <= 1e9. The number of those
	/// larger than r goes with 1 / r^2. `max_radius` should be that of the smallest body. Default
	/// 0.005 and 0.025.
	double min_radius, max_radius;

	/// Number of meshes that spheres are drawn as, > 0. Default 4.
	int instance_count;

	/// The same seed gives the same particles. Default 1.
	uint64_t seed;

	/// Filled by rbl_default_particle_def(). Leave it alone.
	uint32_t cookie;
} rbl_particle_def;

/// A particle on an exposed face. Damp the rotation of spheres strongly, so that they do not
/// roll for ever; points are dust for the caller to move in the air.
typedef struct rbl_particle {
	rbl_vec3d position;
	rbl_vec3 normal;

	/// Of a sphere, in metres; 0 for a point.
	float radius;

	/// Which mesh to draw a sphere as, 0 to instance_count - 1.
	int instance;

	/// The triangle it comes from.
	int triangle;
} rbl_particle;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_particle_def rbl_default_particle_def(void);

/// Sample particles evenly on exposed triangles.
/// @param particles  receives up to `capacity` particles, NULL for none
/// @param count      receives how many there are
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_LIMIT_REACHED (more than RBL_MAX_PARTICLES)
/// Threads: any. Cost: O(n) in triangles and particles.
RBL_API rbl_result rbl_sample_particles(const rbl_exposed_triangle *triangles, int triangle_count,
                                        const rbl_particle_def *def, rbl_particle *particles,
                                        int capacity, int *count);

/// A piece that is too small for a body: a sphere of its volume.
typedef struct rbl_dust_fragment {
	rbl_vec3d position; // its centre of mass
	rbl_vec3d velocity;
	double volume;
	double radius;
} rbl_dust_fragment;

/// How the thing moved that broke.
typedef struct rbl_motion {
	/// A point of it, its velocity, and the angular velocity.
	rbl_vec3d position, velocity, angular_velocity;
} rbl_motion;

/// Turn compounds of a break that are smaller than a size into dust: they are destroyed, and their
/// places in rbl_break_data are NULL. Nothing else disappears.
/// @param min_size    the cube root of the volume, in metres
/// @param motion      of the thing that broke, or NULL: at rest
/// @param dust        receives up to `capacity` pieces; more stay compounds
/// @return how many were turned. Threads: one call on a break at a time. Cost: O(n).
RBL_API int rbl_break_take_dust(rbl_break *broken, double min_size, const rbl_motion *motion,
                                rbl_dust_fragment *dust, int capacity);
