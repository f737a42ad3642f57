// SPDX-License-Identifier: MIT
// Half-edges that are joined, and triangles that are put together in clusters: for whoever makes or
// changes bodies.
#pragma once

#include "base/sort.h"
#include "surface/surface.h"

/// Memory to join `count` half-edges: what follows cannot fail.
typedef struct rbl_surface_edge_work {
	rbl_sort_item64 *items, *spare;
	int count;
} rbl_surface_edge_work;

bool rbl_surface_edge_work_init(rbl_surface_edge_work *work, rbl_arena *arena, int capacity);

/// Offer a half-edge from one vertex to another.
void rbl_surface_edge_work_add(rbl_surface_edge_work *work, int half_edge, int from, int to);

/// Sort what is offered; comes before joining.
void rbl_surface_edge_work_sort(rbl_surface_edge_work *work);

/// Join the offered half-edges: sets `twins` of each.
/// @param names  by half-edge: the number that tells which of a non-manifold edge is the first;
///               NULL: its own
void rbl_surface_edge_work_join(const rbl_surface_edge_work *work, const int *names, int *twins);

/// Join the half-edges of a whole body.
/// @param triangles  three different vertices each, from 0
/// @param twins      receives the twin of each half-edge
/// @return false when memory ran out
bool rbl_surface_join_body(rbl_jobs *jobs, rbl_arena *arena, const int *triangles,
                           int triangle_count, int vertex_count, int *twins);

/// Triangles put together in clusters: those of cluster c are order[starts[c]] to
/// order[starts[c + 1] - 1]. All in an arena.
typedef struct rbl_surface_cluster_plan {
	int *order, *starts;
	int count;
	const int
		*twins; // of the planned triangles among themselves, from rbl_surface_plan_body_clusters()
	const uint32_t *ids; // of the clusters, from rbl_surface_plan_cluster_boxes()
} rbl_surface_cluster_plan;

enum { RBL_SURFACE_PLAN_NONE = -1 };

/// A triangle to be put into a cluster.
typedef struct rbl_surface_plan_item {
	int across[3]; // the planned triangles at its sides, below 0 without
	int owner;     // its cluster; below 0 before it has one
	int open;      // its neighbours without a cluster
} rbl_surface_plan_item;

/// @param across  what lies at its sides
static inline rbl_surface_plan_item rbl_surface_make_plan_item(const int *across)
{
	int open = (across[0] >= 0) + (across[1] >= 0) + (across[2] >= 0);
	return (
		rbl_surface_plan_item){ { across[0], across[1], across[2] }, RBL_SURFACE_PLAN_NONE, open };
}

/// Plan clusters of connected triangles.
/// @param triangles  rbl_surface_make_plan_item() each; they are written to
/// @param boxes      of the triangles, where the tree is built
/// @param labels     a cluster has triangles of one label, and triangles of different labels share
///                   no vertex; NULL: all the same
/// @param strip_begin  triangles from here on come in strips, and stay together in their order
/// @return false when memory ran out
bool rbl_surface_plan_clusters(rbl_surface_cluster_plan *plan, rbl_arena *arena,
                               rbl_surface_plan_item *triangles, const rbl_box *boxes,
                               const int *labels, int strip_begin, int count);

/// The same for triangles whose twins are not known yet.
/// Workers share large bodies: these fall into parts in space, by the positions of their triangles
/// alone, and no cluster crosses from one to another.
/// @param triangles  three vertices each, from 0
/// @param boxes      of the triangles, where the tree is built
/// @param loose_begin  triangles from here on are edges and points
/// @return false when memory ran out
bool rbl_surface_plan_body_clusters(rbl_surface_cluster_plan *plan, rbl_jobs *jobs,
                                    rbl_arena *arena, const int *triangles, const rbl_box *boxes,
                                    int loose_begin, int count, int vertex_count);

/// Where the clusters of a plan are, and their boxes: for building a tree.
/// @param ids    receives the ids that the next takes will give
/// @param boxes  receives the boxes of the clusters
void rbl_surface_plan_cluster_boxes(const rbl_surface *surface, rbl_jobs *jobs,
                                    rbl_surface_cluster_plan *plan, const rbl_box *triangle_boxes,
                                    uint32_t *ids, rbl_box *boxes);

/// Take the clusters of a plan; the order of takes is that of rbl_surface_plan_cluster_boxes().
/// @param triangles  the triangle id of each planned triangle
/// @param slots      by planned triangle: its body; NULL: all `slot`
void rbl_surface_take_plan(rbl_surface *surface, const rbl_surface_cluster_plan *plan,
                           const int *triangles, const int *slots, int slot);

/// The same for a new body, which workers share.
void rbl_surface_take_body_plan(rbl_surface *surface, const rbl_surface_cluster_plan *plan,
                                const int *triangles, int slot);
