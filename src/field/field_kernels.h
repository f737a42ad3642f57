// SPDX-License-Identifier: MIT
// The kernels of the room.
#pragma once

#include "base/kernel.h"
#include "field/fragment_field.h"
#include "tree/tree.h"

#include <rubble/types.h>

#include <stdint.h>

// --- evaluation (field_kernels.c) ---------------------------------------------------------------

/// rbl_distance_field_evaluate() for the field of a mesh.
RBL_DECLARE_KERNEL(void, rbl_asset_field_evaluate,
                   (const rbl_asset_field *field, const rbl_vec3 *points, int count,
                    float *distances, float *bounds, rbl_vec3 *gradients));

/// The same for the field of a fragment, as far as planes and unions go.
RBL_DECLARE_KERNEL(void, rbl_fragment_field_evaluate,
                   (const rbl_fragment_field *field, const rbl_vec3 *points, int count,
                    float *distances, float *bounds, rbl_vec3 *gradients));

// --- building (asset_field_kernels.c) -----------------------------------------------------------

/// Samples are taken eight at a time: 5 x 5 x 5 such packets make a brick.
enum { RBL_BRICK_PACKETS = 5 };

/// Distances of the samples of a brick from the nearest triangle, unsigned, in cells.
/// @param wanted  per packet, x fastest; others are not written
RBL_DECLARE_KERNEL(void, rbl_sample_brick,
                   (const rbl_sample_surface *surface, const rbl_brick_place *place,
                    const bool *wanted, float *distances));

/// Bounds of what the values of a brick are off by between their places, in cells.
/// @param wanted  per block; others receive 0
RBL_DECLARE_KERNEL(void, rbl_bound_brick,
                   (const rbl_sample_grid *grid, int brick, const bool *wanted, float *bounds));

// --- farthest-point order (point_order_kernels.c)
// -------------------------------------------------

// point_order.c says how it works.

enum {
	RBL_ORDER_WIDTH = 8,       // points of a leaf, children of a node
	RBL_ORDER_MOST_LEVELS = 11 // of nodes: 8^10 leaves are more than there may be points
};

/// Eight points. Where there are fewer, the gap of the others is -1 and they lie where a point
/// does.
typedef struct rbl_order_leaf {
	float x[RBL_ORDER_WIDTH], y[RBL_ORDER_WIDTH], z[RBL_ORDER_WIDTH];
	float gap[RBL_ORDER_WIDTH]; // squared distance from the nearest ordered point; -1: is ordered
	int32_t index[RBL_ORDER_WIDTH];   // of the point, as it was given
	int32_t nearest[RBL_ORDER_WIDTH]; // rank of the nearest ordered point
	int32_t
		before[RBL_ORDER_WIDTH]; // the same when the present level began, where that has changed
} rbl_order_leaf;

/// Eight leaves or nodes. Where there are fewer, the gap of the others is -1.
typedef struct rbl_order_node {
	float lower[3][RBL_ORDER_WIDTH], upper[3][RBL_ORDER_WIDTH];
	float gap[RBL_ORDER_WIDTH]; // the greatest below each child
	int32_t slot
		[RBL_ORDER_WIDTH]; // of the point that has it, 8 leaf + lane; of equals the lowest index
} rbl_order_node;

/// Points in leaves, leaves in nodes: levels[0] are the nodes above leaves, the last level has one
/// node.
typedef struct rbl_order_work {
	rbl_order_leaf *leaves;
	int leaf_count;
	rbl_order_node *levels[RBL_ORDER_MOST_LEVELS];
	int node_counts[RBL_ORDER_MOST_LEVELS];
	int level_count;
	int32_t *visits[RBL_ORDER_MOST_LEVELS]; // room for the nodes of a level; last for leaves
	int32_t *leaf_visits;
	int *order, *parents;
	int ordered_count; // how many are wanted
} rbl_order_work;

/// Set boxes, gaps and slots of all nodes from the leaves.
RBL_DECLARE_KERNEL(void, rbl_order_prepare, (rbl_order_work * work));

/// Order points from rank 0, whose slot is given, until enough are ordered or all others lie on
/// them. Gaps of all points are FLT_MAX.
/// @return how many are ordered
RBL_DECLARE_KERNEL(int, rbl_order_run, (rbl_order_work * work, int first_slot));

// --- contacts (contact_kernels.c)
// -----------------------------------------------------------------

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
	rbl_box target; // all of the field's body, larger by what a straight path may be off
	// The same as a ball around the middle of the box. However fast the body spins, it stays in
	// there: seen without its rotation, points have the velocity v' + w' x p.
	float target_radius;
	rbl_vec3 ball_velocity, ball_angular_velocity;
} rbl_contact_motion;

/// Bring points of a tree, by rank, into the frame of the field. Lanes beyond `count` get the last
/// point.
RBL_DECLARE_KERNEL(void, rbl_contact_place,
                   (const rbl_contact_motion *motion, const rbl_vec3 *positions,
                    const int32_t *ranks, int count, rbl_vec3 *placed));

/// Classify a batch by its distances: what touches, and what below it may.
/// @param gaps   receives what is left of each distance after dt when it shrinks at its present
///               rate; FLT_MAX when it is no contact
/// @param needs  receives for each point how far descendants must reach from it to matter: to where
///               the surface may be after dt, and with their paths to the target
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

// --- crack fields (crack_kernels.c)
// ---------------------------------------------------------------

// Nodes are rows of x, y and z, `stride` floats each, a multiple of eight; the last node fills what
// is left.

/// @return how far nodes reach beyond a plane at most
RBL_DECLARE_KERNEL(float, rbl_crack_reach, (const float *rows, int stride, rbl_plane plane));

/// Lower the depths of nodes to that below a plane, where it is less, and name the plane as their
/// witness.
RBL_DECLARE_KERNEL(void, rbl_crack_lower,
                   (const float *rows, int stride, rbl_plane plane, int32_t witness, float *depths,
                    int32_t *witnesses));
