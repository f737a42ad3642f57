// SPDX-License-Identifier: MIT
//
// Damage rules, and dust in their sense: fragments that are too small for a body. (Dust particles
// on exposed faces are in dust.c.)

#include "base/log.h"
#include "base/math.h"
#include "base/vec.h"
#include "fracture/break.h"
#include "fracture/fracture.h"

#include <rubble/damage.h>

enum { DAMAGE_COOKIE = 0x64616d61 };

rbl_damage_rule rbl_default_damage_rule(void)
{
	return (rbl_damage_rule){
		.radius_limit = (double)INFINITY,
		.min_size = 0.05,
		.bend_depth = 0.05,
		.bend_radius = 0.5,
		.wear_exponent = 2,
		.wear_radius = 0.5,
		.cookie = DAMAGE_COOKIE,
	};
}

static bool bends_well(const rbl_damage_rule *rule)
{
	return rule->bend_energy >= 0.0 && isfinite(rule->bend_energy) && rule->bend_depth > 0.0 &&
	       isfinite(rule->bend_depth) && rule->bend_radius > 0.0 && isfinite(rule->bend_radius);
}

static bool wears_well(const rbl_damage_rule *rule)
{
	return rule->wear_energy >= 0.0 && isfinite(rule->wear_energy) && rule->wear_exponent >= 1 &&
	       rule->wear_exponent <= 8 && rule->wear_radius > 0.0 && isfinite(rule->wear_radius) &&
	       rule->bond_energy >= 0.0 && isfinite(rule->bond_energy);
}

rbl_result rbl_damage_rule_check(const rbl_damage_rule *rule)
{
	if (!rule || rule->cookie != DAMAGE_COOKIE)
		return rbl_fail(RBL_BAD_ARGUMENT, "start from rbl_default_damage_rule()");
	if (rule->level_count < 0 || (rule->level_count > 0 && !rule->levels))
		return rbl_fail(RBL_BAD_ARGUMENT, "levels is NULL, or their number negative");
	if (!(rule->radius_limit > 0.0) || !(rule->min_size >= 0.0) || !(rule->dust_size >= 0.0))
		return rbl_fail(RBL_BAD_ARGUMENT, "radius_limit is %g, min_size %g and dust_size %g",
		                rule->radius_limit, rule->min_size, rule->dust_size);
	if (!bends_well(rule))
		return rbl_fail(RBL_BAD_ARGUMENT, "bend_energy is %g, bend_depth %g and bend_radius %g",
		                rule->bend_energy, rule->bend_depth, rule->bend_radius);
	if (!wears_well(rule))
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "wear_energy is %g, wear_exponent %d, wear_radius %g and bond_energy %g",
		                rule->wear_energy, rule->wear_exponent, rule->wear_radius,
		                rule->bond_energy);
	double last = 0.0;
	for (int i = 0; i < rule->level_count; ++i) {
		const rbl_damage_level *level = &rule->levels[i];
		if (!(level->energy > last) || !isfinite(level->energy))
			return rbl_fail(RBL_BAD_ARGUMENT, "energy %g of level %d does not rise", level->energy,
			                i);
		if (!level->pattern || !(level->radius > 0.0))
			return rbl_fail(RBL_BAD_ARGUMENT, "level %d has no pattern, or radius %g", i,
			                level->radius);
		last = level->energy;
	}
	return RBL_OK;
}

rbl_result rbl_damage_choose(const rbl_damage_rule *rule, const rbl_compound *compound,
                             double energy, uint64_t seed, rbl_break_def *def, bool *breaks)
{
	rbl_result result = rbl_damage_rule_check(rule);
	if (result != RBL_OK)
		return result;
	if (!compound || !def || !breaks || !(energy >= 0.0) || !isfinite(energy))
		return rbl_fail(RBL_BAD_ARGUMENT, "compound, def or breaks is NULL, or energy is %g",
		                energy);
	*breaks = false;
	const rbl_damage_level *level = NULL;
	for (int i = 0; i < rule->level_count; ++i)
		if (energy >= rule->levels[i].energy)
			level = &rule->levels[i];
	if (!level)
		return RBL_OK;
	double volume = 0.0, min = rule->min_size * rule->min_size * rule->min_size;
	for (int i = 0; i < compound->parts.count && volume < min; ++i)
		volume += compound->parts.data[i].convex ? compound->parts.data[i].volume : 0.0;
	if (!(volume >= min) || compound->part_count == 0)
		return RBL_OK;
	def->pattern = level->pattern;
	def->radius = rbl_mind(level->radius * rbl_cbrt(energy / level->energy), rule->radius_limit);
	def->rotation_seed = seed;
	*breaks = true;
	return RBL_OK;
}

// Whether one part alone is as large: then the volume of all, which takes long, need not be known.
static bool has_part_of(const rbl_compound *compound, double volume)
{
	for (int i = 0; i < compound->parts.count; ++i)
		if (compound->parts.data[i].convex && compound->parts.data[i].volume >= volume)
			return true;
	return false;
}

int rbl_break_take_dust_by(rbl_break *broken, rbl_dust_size_function *size_of, void *user,
                           const rbl_motion *motion, rbl_dust_fragment *dust, int capacity)
{
	rbl_motion still = { 0 };
	const rbl_motion *m = motion ? motion : &still;
	int count = 0;
	for (int i = 0; i < broken->fragments.count && count < capacity; ++i) {
		rbl_compound *fragment = broken->fragments.data[i];
		double size = fragment ? size_of(user, fragment) : 0.0, min = size * size * size;
		if (!(min > 0.0) || has_part_of(fragment, min))
			continue;
		rbl_mass mass = rbl_compound_get_mass(fragment);
		if (mass.volume >= min)
			continue;
		rbl_vec3d arm = rbl_sub_d(mass.centre, m->position);
		dust[count++] = (rbl_dust_fragment){
			.position = mass.centre,
			.velocity = rbl_add_d(m->velocity, rbl_cross_d(m->angular_velocity, arm)),
			.volume = mass.volume,
			.radius = rbl_cbrt(mass.volume * (3.0 / (4.0 * 3.141592653589793))),
		};
		rbl_destroy_compound(fragment);
		broken->fragments.data[i] = NULL;
	}
	return count;
}

static double same_size(void *user, const rbl_compound *fragment)
{
	(void)fragment;
	return *(const double *)user;
}

int rbl_break_take_dust(rbl_break *broken, double min_size, const rbl_motion *motion,
                        rbl_dust_fragment *dust, int capacity)
{
	if (!broken || !dust || !(min_size > 0.0))
		return 0;
	return rbl_break_take_dust_by(broken, same_size, &min_size, motion, dust, capacity);
}
