// SPDX-License-Identifier: MIT
// Random numbers: PCG-XSH-RR, 64 bits of state, 32 bits out. The same seed gives the same
// numbers on every platform, as long as each statement draws once: C leaves open which argument
// of a call, or which member of an initialiser, is evaluated first.
#pragma once

#include <rubble/types.h>

#include <stdint.h>

typedef struct rbl_random {
	uint64_t state;
} rbl_random;

/// The next 32 bits.
static inline uint32_t rbl_random_u32(rbl_random *random)
{
	uint64_t old = random->state;
	random->state = old * 6364136223846793005u + 1442695040888963407u;
	uint32_t shifted = (uint32_t)(((old >> 18) ^ old) >> 27);
	uint32_t rotation = (uint32_t)(old >> 59);
	return (shifted >> rotation) | (shifted << ((32 - rotation) & 31));
}

/// Start a sequence. Different seeds, also neighbouring ones, give unrelated sequences.
static inline rbl_random rbl_random_from_seed(uint64_t seed)
{
	rbl_random random = { (seed + 1442695040888963407u) * 6364136223846793005u +
		                  1442695040888963407u };
	rbl_random_u32(&random);
	return random;
}

static inline uint64_t rbl_random_u64(rbl_random *random)
{
	uint64_t high = rbl_random_u32(random);
	return high << 32 | rbl_random_u32(random);
}

/// Evenly from 0 to bound - 1, for bound >= 1: multiply and shift, biased by less than 2^-32 bound.
static inline uint32_t rbl_random_below(rbl_random *random, uint32_t bound)
{
	return (uint32_t)(((uint64_t)rbl_random_u32(random) * bound) >> 32);
}

/// Evenly in [0, 1), 24 bits.
static inline float rbl_random_float(rbl_random *random)
{
	return (float)(rbl_random_u32(random) >> 8) * (1.0f / 16777216.0f);
}

/// Evenly in [0, 1), 53 bits.
static inline double rbl_random_double(rbl_random *random)
{
	return (double)(rbl_random_u64(random) >> 11) * (1.0 / 9007199254740992.0);
}

/// Evenly in [low, high).
static inline double rbl_random_range(rbl_random *random, double low, double high)
{
	return low + (high - low) * rbl_random_double(random);
}

/// Evenly in the box from `lower` to `upper`.
static inline rbl_vec3d rbl_random_in_box(rbl_random *random, rbl_boxd box)
{
	double x = rbl_random_range(random, box.lower.x, box.upper.x);
	double y = rbl_random_range(random, box.lower.y, box.upper.y);
	double z = rbl_random_range(random, box.lower.z, box.upper.z);
	return (rbl_vec3d){ x, y, z };
}

/// Evenly in the unit ball.
static inline rbl_vec3d rbl_random_in_ball(rbl_random *random)
{
	for (;;) {
		rbl_boxd cube = { { -1.0, -1.0, -1.0 }, { 1.0, 1.0, 1.0 } };
		rbl_vec3d p = rbl_random_in_box(random, cube);
		if (p.x * p.x + p.y * p.y + p.z * p.z <= 1.0)
			return p;
	}
}
