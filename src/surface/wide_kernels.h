// SPDX-License-Identifier: MIT
// The inner loops of proofs that leave each vertex a slack, one form per SIMD back end.
#pragma once

#include "surface/surface.h"

#include "base/kernel.h"

/// Whether all triangles of a cluster face a direction, and do although each vertex moves by up to `slack`.
/// @param direction  of length 1
RBL_DECLARE_KERNEL(bool, rbl_cluster_faces,
                   (const rbl_cluster *cluster, const rbl_vec3 *positions, const int *triangles,
                    rbl_vec3 direction, float slack));

/// Whether the triangles of a cluster touch each other nowhere but in what they share, although each vertex moves
/// by up to `slack`: they face a direction, and seen along it their border goes once round a point.
/// @param rim        its border, bit 3 lane + k for half-edge k of a triangle
/// @param direction  of length 1
RBL_DECLARE_KERNEL(bool, rbl_cluster_is_wide,
                   (const rbl_cluster *cluster, uint32_t rim, const rbl_vec3 *positions,
                    const int *triangles, rbl_vec3 direction, float slack));

/// Two triangles that share a vertex: whether a plane through it has one on each side, and stays between them
/// although each vertex moves by up to `slack`.
/// @param corners  five vertices each: the shared one, two of the first triangle, two of the second
/// @param kept     receives the numbers of those that are not known to stay apart
/// @return how many
RBL_DECLARE_KERNEL(int, rbl_wedges_that_may_meet,
                   (const rbl_vec3 *positions, const int *corners, int count, float slack,
                    int *kept));

/// Two triangles that share an edge: whether there is a direction along which they lie on two sides of it,
/// although each vertex moves by up to `slack`.
/// @param corners  four vertices each: the ends of the edge, the others of the first and second triangle
/// @param kept     receives the numbers of those that are not known to stay apart
/// @return how many
RBL_DECLARE_KERNEL(int, rbl_hinges_that_may_close,
                   (const rbl_vec3 *positions, const int *corners, int count, float slack,
                    int *kept));
