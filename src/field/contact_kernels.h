// SPDX-License-Identifier: MIT
// The inner loops of a contact query, eight points at a time.
#pragma once

#include "base/kernel.h"

#include <rubble/types.h>

#include <stdint.h>

/// Points of a batch: a multiple of eight, and arrays of a batch have room for all of it.
enum { RBL_CONTACT_BATCH = 32 };

/// From the frame of a tree to that of a field: R p + t, and the velocity of such points there, v +
/// w x p.
typedef struct rbl_contact_motion {
	rbl_mat3 rotation;
	rbl_vec3 translation;
	rbl_vec3 velocity, angular_velocity;
	float dt;
	float tolerance, margin;
	float rounding; // how wrong a distance may be because of all this
} rbl_contact_motion;

/// Bring points of a tree, by rank, into the frame of the field. Lanes beyond `count` get the last
/// point.
RBL_DECLARE_KERNEL(void, rbl_contact_place,
                   (const rbl_contact_motion *motion, const rbl_vec3 *positions,
                    const int32_t *ranks, int count, rbl_vec3 *placed));

/// Classify a batch by its distances: what touches, and what below it may.
/// @param gaps   receives what is left of each distance after dt when it shrinks at its present
///               rate; FLT_MAX when it is no contact
/// @param needs  receives for each point how far descendants must reach from it to matter
RBL_DECLARE_KERNEL(void, rbl_contact_classify,
                   (const rbl_contact_motion *motion, const rbl_vec3 *placed, int count,
                    const float *distances, const float *bounds, const rbl_vec3 *gradients,
                    float *gaps, float *needs));

/// Take point `chosen` as the next one, and find the best after it: the greatest of weight *
/// squared distance from the nearest that was taken; of equals the first.
/// @param rows   x, y, z, weight and squared distance of `stride` points each, a multiple of eight;
///               weights of those beyond the last are 0. Distances are changed
/// @return its index, -1 when all are 0
RBL_DECLARE_KERNEL(int, rbl_contact_choose, (float *rows, int stride, int chosen));
