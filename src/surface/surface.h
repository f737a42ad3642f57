// SPDX-License-Identifier: MIT
// The inside of a surface: vertices, triangles and clusters by id, trees over clusters and bodies.
//
// Half-edge 3 t + k belongs to triangle t and runs from its corner k to the next. A cluster holds
// up to eight triangles, connected where possible, and is the leaf of its body's tree; the body is
// the leaf of the upper tree. All trees over clusters live in one pool.
//
// Bytes per triangle, at 6.5 triangles per cluster and two triangles per vertex: corners and twins
// 24, cluster 20, its box and boundary 4, bounds and neighbours 9, tree 15, vertices 17, lists of
// bodies 6, its cluster 4.
#pragma once

#include "base/id_pool.h"
#include "base/memory.h"
#include "base/shared_minimum.h"
#include "base/sort.h"
#include "base/worker_group.h"
#include "base/vec.h"
#include "ccd/ccd.h"
#include "surface/staging.h"
#include "tree/tree.h"

#include <rubble/surface.h>
#include <rubble/surface_contours.h>

enum {
	/// Defaults of rbl_surface_limits.
	RBL_SURFACE_SHARED_VERTICES = 1 << 14,
	RBL_SURFACE_SHARED_CLUSTERS = 6144,
	RBL_SURFACE_SHARED_QUERY_NS = 1000000,
	RBL_SURFACE_BENT_TRIANGLES = 1 << 14,
	RBL_SURFACE_CORNER_BYTES = 160,

	/// Triangles of a cluster, at most.
	RBL_SURFACE_CLUSTER_SIZE = 8,

	/// What a test of two clusters costs, in box tests, about: so it counts in the cost of a query.
	RBL_SURFACE_CLUSTER_BOX_TESTS = 4,

	/// In `twins`: nothing lies across; or the edge is not manifold, and this is its first
	/// half-edge, or another.
	RBL_SURFACE_BOUNDARY = -1,
	RBL_SURFACE_NON_MANIFOLD = -2,
	RBL_SURFACE_NON_MANIFOLD_REST = -3,

	/// In `cull results`: the node was culled; the bits above count contours that failed in a row.
	RBL_SURFACE_NODE_CULLED = 1,
	RBL_SURFACE_NODE_FAILURE = 2,

	/// In `closure`: whether a body has a boundary.
	RBL_SURFACE_CLOSURE_UNKNOWN = 0,
	RBL_SURFACE_CLOSED = 1,
	RBL_SURFACE_OPEN = 2,

	/// In `is_stale`: a triangle moved, or it or its vertices changed; the cluster was fitted
	/// while some of it moved.
	RBL_SURFACE_STALE = 1,
	RBL_SURFACE_STALE_MOVING = 2,

	/// In `vertex_flags`: the triangles around the vertex do not form one fan.
	RBL_SURFACE_MANY_FANS = 1,
};

/// Up to eight triangles: two cache lines. Lanes beyond `count` have triangle -1.
typedef struct rbl_surface_cluster {
	int32_t lower[RBL_SURFACE_CLUSTER_SIZE]; // boxes of triangles, in steps of the box below:
	int32_t upper[RBL_SURFACE_CLUSTER_SIZE]; // surface/cluster_lanes.h
	int32_t triangles[RBL_SURFACE_CLUSTER_SIZE];
	rbl_box box;  // as in `cluster_boxes`
	int32_t body; // slot, or -1 while free
	int16_t count;
	int16_t is_stale; // RBL_SURFACE_STALE, or RBL_SURFACE_STALE_MOVING
} rbl_surface_cluster;

_Static_assert(sizeof(rbl_surface_cluster) == 128, "a cluster is two cache lines");

/// The corners of a cluster's triangles; unused lanes have those of the first.
typedef struct rbl_surface_cluster_corners {
	_Alignas(32) int32_t vertices[3][RBL_SURFACE_CLUSTER_SIZE];
} rbl_surface_cluster_corners;

enum {
	RBL_SURFACE_MAX_NEIGHBOURS = 8,
	/// First of the neighbours: at a boundary, or more neighbours than fit; or to be found.
	RBL_SURFACE_NO_NEIGHBOURS = -1,
	RBL_SURFACE_NEIGHBOURS_UNKNOWN = -2,
};

/// The clusters around a cluster, some twice, so that one in the midst of others is recognised at
/// once. Found by the query that needs it, forgotten when triangles or clusters beside it change.
typedef struct rbl_surface_cluster_neighbours {
	int32_t around[RBL_SURFACE_MAX_NEIGHBOURS];
} rbl_surface_cluster_neighbours;

/// Bounds of unit normals along the four diagonals of a cube: x + y + z, x + y - z, x - y + z and
/// -x + y + z. Surfaces with sharp edges often face a diagonal where the box of their normals is
/// too wide to tell.
typedef struct rbl_surface_diagonals {
	float lower[4], upper[4];
} rbl_surface_diagonals;

/// Bounds of unit normals along the axes and the diagonals of rbl_surface_diagonals, rounded
/// outwards; everything where one normal is not certain. In units of 1 / RBL_SURFACE_NORMAL_STEPS
/// and 1 / RBL_SURFACE_DIAGONAL_STEPS.
typedef struct rbl_surface_normals {
	int8_t lower[7], upper[7];
} rbl_surface_normals;

enum { RBL_SURFACE_NORMAL_STEPS = 127, RBL_SURFACE_DIAGONAL_STEPS = 63 };

/// What its owner says about a body (body_settings.c); pieces of it inherit that.
typedef struct rbl_surface_settings {
	float thickness;
	rbl_surface_filter filter;
	bool keeps_rest_shape;
	float roundings[2]; // how far doubles are from their floats, at most: start, end (exact.c)
	uint64_t user_id;
} rbl_surface_settings;

/// Two bodies that are not tested against each other, the one with the lower index first.
typedef struct rbl_surface_exclusion {
	rbl_surface_body_id a, b;
} rbl_surface_exclusion;

typedef struct rbl_surface_body {
	rbl_tree tree;         // leaf = cluster
	rbl_box displacements; // bounds of the displacements of its vertices, in a query over a step
						   // (query.h)
	uint32_t displacement_query; // that measured them
	rbl_surface_settings settings;
	RBL_ARRAY(int) vertices;
	RBL_ARRAY(int) triangles;
	bool has_places; // `triangle_places` and `vertex_places` know its lists
	bool is_loose;   // has edges or points without faces: triangles with a vertex twice
	struct {
		bool has_moved;       // since the last update
		bool is_listed;       // in the bodies of the current call: each may be there once
		bool is_moving;       // starts and ends differ
		bool is_whole;        // the last motion was of all vertices
		bool is_tracked;      // moved once as a whole since the last update, from where it was then
		bool has_frame;       // its certificate has vertices that tell its motion
		bool is_rigid;        // in this step
		bool is_nearly_rigid; // not rigid, but most of it is
	} motion;
	struct {
		bool are_new;        // made or handed over since the last update
		bool are_partly_new; // only a part of the tree was restructured
		bool are_rough;      // left by a split, to be rebuilt
		bool are_raw;        // made since the last query: no cull results and costs yet
		bool have_new_costs; // some built_costs are not noted yet
	} nodes;
	struct {
		bool needs_all;       // clusters
		bool has_stale;       // some clusters
		bool has_old_normals; // the body was clear when it was fitted
		bool is_edited;       // since the last update: nodes on paths to changes are permuted
		bool holds_all;       // every box of its tree holds its vertices, at the end of the step
	} fit;
	struct {
		bool is_unchanged;     // since the last query
		bool is_certified;     // all of its pairs but the uncertain ones are apart
		bool is_star;          // nothing in it touches itself
		bool is_clear;         // certified or a star: no traversal within, unless a query asks for
							   // more distance than that keeps
		float star_clearance;  // of a star: features that share no vertex are farther apart
		bool may_have_seams;   // vertices may coincide with those of other bodies
		signed char star_wait; // updates until that is tried again
		unsigned char closure; // whether it has a boundary: RBL_SURFACE_CLOSED and so on
	} self;
} rbl_surface_body;

/// Counts of a query, summed over workers at its end.
typedef struct rbl_surface_counts {
	int64_t box_tests, cluster_tests, normal_passes, contour_tests, culled_nodes, culled_triangles;
	int64_t candidates, fan_culled, tests, false_tests;
} rbl_surface_counts;

/// A point of a contour, projected; at both ends of the step.
typedef struct rbl_surface_contour_point {
	double x[2], y[2];
} rbl_surface_contour_point;

/// Bounds of eight edges of a contour over the step, and two edges by their numbers.
typedef struct rbl_surface_contour_bounds {
	float left[8], right[8], low[8], high[8];
} rbl_surface_contour_bounds;

typedef struct rbl_surface_contour_pair {
	uint16_t a, b;
} rbl_surface_contour_pair;

/// Caps of eight triangles: around what they cover of the directions from a point, however their
/// vertices move within a margin. Unused lanes repeat the first of the list.
typedef struct rbl_surface_cap_block {
	float x[8], y[8], z[8];     // the axis, of length 1
	float cosine[8], sine[8];   // of the angle to the boundary: no more, no less than it is
	unsigned char front_facing; // bits: those that may turn their face to the point
	unsigned char is_used;      // bits: lanes of the list
	unsigned char is_candidate; // bits: caps that touch those of front-facing ones
} rbl_surface_cap_block;

/// A half-edge of a boundary, with its vertices, and another that leaves the same vertex, -1
/// without.
typedef struct rbl_surface_boundary_edge {
	int half_edge, from, to, other;
} rbl_surface_boundary_edge;

enum { RBL_SURFACE_BATCH = 512 };

/// Pairs of features that wait for their test, with what they are called in a hit.
typedef struct rbl_surface_feature_batch {
	rbl_ccd_quad quads[RBL_SURFACE_BATCH];
	int count;
} rbl_surface_feature_batch;

/// What a break takes.
typedef struct rbl_surface_sizes {
	int vertices, triangles, clusters;
} rbl_surface_sizes;

/// Sizes from which a method pays.
typedef struct rbl_surface_limits {
	int shared_vertices;    // that move, from which workers share the call
	int shared_clusters;    // to fit, from which workers share the update: 0.4 ms
	double shared_query_ns; // of the last query, beyond which workers share the next
	int bent_triangles;     // bodies with fewer are not certified while they bend
	int corner_bytes;       // of memory per triangle that a copy of corners may lead to
	unsigned without;       // bits of rbl_surface_accelerator: what is switched off
} rbl_surface_limits;

/// What makes surfaces faster and changes no answer, each with a switch, so that benchmarks tell
/// what it is worth.
typedef enum rbl_surface_accelerator {
	RBL_SURFACE_CERTIFICATES = 1 << 0,  // separation certificates (certificate.h)
	RBL_SURFACE_NEAR_STARS = 1 << 1,    // certificates of nearly star-shaped bodies
	RBL_SURFACE_STARS = 1 << 2,         // star-shaped bodies (cull_star.c)
	RBL_SURFACE_SEAMS = 1 << 3,         // vertices of fresh pieces at one place (seam.h)
	RBL_SURFACE_STAGING = 1 << 4,       // triangles of clusters side by side (staging.h)
	RBL_SURFACE_SWEPT_BOXES = 1 << 5,   // boxes of triangles at both ends of a step (staging.h)
	RBL_SURFACE_SHARED_MOTION = 1 << 6, // bodies that fly side by side (query.h)
	RBL_SURFACE_CORNERS = 1 << 7,       // corners of clusters side by side (memory_layout.c)
	RBL_SURFACE_LAYERS = 1 << 8,        // trees that keep layers apart (restructure.c)
	RBL_SURFACE_PACKING = 1 << 9,       // trees laid out again after breaks (memory_layout.c)
	RBL_SURFACE_BENT = 1 << 10,         // certificates of large bodies that bend
	RBL_SURFACE_ACCELERATOR_END = 1 << 11,
} rbl_surface_accelerator;

/// Arrays of vertices, triangles, clusters.
enum {
	RBL_SURFACE_VERTEX_ARRAYS,
	RBL_SURFACE_TRIANGLE_ARRAYS,
	RBL_SURFACE_CLUSTER_ARRAYS,
	RBL_SURFACE_ARRAY_GROUPS
};

/// A group of arrays that grows ahead, an array after another: the first `done` of them have space
/// for `target`, which counts when all have (surface/capacity.c).
typedef struct rbl_surface_growth {
	int target, done;
	size_t extra; // bytes that they have beyond those of the group's capacity
} rbl_surface_growth;

/// What a query asks. A search (max_step.c) ends before everything is found.
typedef struct rbl_surface_question {
	enum {
		RBL_ASKS_PAIRS,
		RBL_ASKS_HITS,
		RBL_ASKS_PROXIMITY,
		RBL_ASKS_CANDIDATES, // all that may come within a distance, untested
		RBL_ASKS_EARLIEST,   // impacts, the first of them
		RBL_ASKS_ANY_PAIR,
	} kind;
	float distance; // of proximity and candidates
	int limit;      // of the earliest: how many are listed, 0: their time alone
	bool is_any;    // one impact will do, whichever
} rbl_surface_question;

/// A vertex and a face, or two edges, as in rbl_surface_hit.
typedef struct rbl_surface_candidate {
	int32_t kind, a, b;
} rbl_surface_candidate;

/// A near pair, and what is nearest of it as two keys: the vertex alone, and the other or both of
/// an edge (proximity.c).
typedef struct rbl_surface_described {
	rbl_surface_near_pair pair;
	uint64_t keys[2];
} rbl_surface_described;

/// What one worker needs for a query.
typedef struct rbl_surface_worker {
	rbl_surface_staging staging;             // first: on a cache line
	rbl_surface_sweep_staging sweep_staging; // of a query over a step
	RBL_ARRAY(rbl_surface_pair) pairs;
	RBL_ARRAY(rbl_surface_hit) hits;
	RBL_ARRAY(rbl_surface_described) described; // of the last so many hits what is known
	struct rbl_surface_near_normals *normals;   // of a proximity query, or NULL
	uint32_t *marks; // by cluster: the stamp of the contour that has it inside
	int mark_capacity;
	uint32_t stamp;
	unsigned char *fans; // by vertex: 0 unknown, else what the fan is
	int fan_capacity;
	RBL_ARRAY(int) clusters;                             // of the node that is tested
	RBL_ARRAY(int) boundary_clusters;                    // those of them that others may lie beside
	RBL_ARRAY(rbl_surface_boundary_edge) boundary_edges; // half-edges of its contour
	RBL_ARRAY(int) leaving;                              // a table from vertices to those
	RBL_ARRAY(int) edges;                                // the same in order, by their first vertex
	RBL_ARRAY(int) loop_ends;
	RBL_ARRAY(rbl_surface_contour_point) points;
	RBL_ARRAY(rbl_surface_cap_block) caps; // of the triangles of a body
	RBL_ARRAY(int) candidates;             // triangles of it that may touch
	RBL_ARRAY(rbl_surface_cluster) groups; // the same, by eight
	RBL_ARRAY(int) links;
	RBL_ARRAY(rbl_surface_contour_bounds) spans;
	RBL_ARRAY(rbl_surface_contour_pair) near;
	rbl_surface_feature_batch quads[2];          // by rbl_surface_hit_kind
	rbl_surface_pair waiting[RBL_SURFACE_BATCH]; // for the test of triangles
	int waiting_count;
	bool waiting_has_others; // than those of clusters that touch along axes (staging.h)
	float gap;               // how near is near enough for filters, of all that waits
	float thickness;         // and for tests
	float until;             // how much of the step matters to a search, 1: all
	bool has_found;          // an impact, in a search
	bool may_cull;           // bounds of normals are up to date
	rbl_surface_counts counts;
	bool is_out_of_memory;
	rbl_arena splits; // plans of splits that are made together
} rbl_surface_worker;

typedef RBL_ARRAY(int) rbl_surface_ids;

/// What is made of pairs on demand (contours.c, overlaps.c).
typedef struct rbl_surface_contour_lists {
	RBL_ARRAY(rbl_surface_contour) contours;
	RBL_ARRAY(rbl_surface_pair) pairs;
	RBL_ARRAY(rbl_surface_crossing) crossings;
	RBL_ARRAY(rbl_surface_pair) touching;
	RBL_ARRAY(rbl_surface_overlap) overlaps;
	rbl_surface_ids vertices, triangles, overlap_vertices;
} rbl_surface_contour_lists;

struct rbl_surface {
	rbl_allocator allocator;
	rbl_surface_def def;

	// By vertex id.
	rbl_vec3 *positions[2]; // start, end
	int *anchors; // a half-edge that starts here (its corner owns the vertex), -1 without;
				  // free: -2 - next free
	int *origins;
	unsigned char *vertex_flags;
	int *vertex_scratch; // all zero between calls, so that a change need not clear all of it
	int vertex_end, vertex_capacity, vertex_count, first_free_vertex;

	// By triangle id.
	int *triangles; // 3 each
	int *twins;     // 3 each
	int *clusters;  // its cluster; -2 - next free while free
	int triangle_end, triangle_capacity, triangle_count, first_free_triangle;

	// By cluster id.
	rbl_surface_cluster *cluster_data;
	rbl_box *cluster_boxes;
	rbl_surface_normals *cluster_normals;
	RBL_ARRAY(rbl_surface_cluster_corners *) corner_blocks; // none: there is no copy of corners
	rbl_surface_cluster_neighbours *cluster_neighbours;
	uint32_t
		*cluster_boundaries; // of rbl_surface_cluster_boundary(); free: the next free one, or -1
	int cluster_end, cluster_capacity, cluster_count, first_free_cluster;

	// Made by the first edit (edit.c). By id: the place in the list of its body, where that has
	// places; and an entry of the edit, all zero between calls.
	int *triangle_places, *vertex_places, *triangle_entries;
	int placed_triangle_capacity, placed_vertex_capacity;

	RBL_ARRAY(int) stale_clusters; // all that are stale in bodies that are not fitted as a whole,
	bool has_unlisted_stale;       // unless some are not listed
	int edited_nodes;              // that edits took since trees were packed
	struct rbl_surface_cuts *cuts; // what plans of cuts give out (cut.h), or NULL

	rbl_id_pool ids;
	RBL_ARRAY(rbl_surface_body) bodies;          // by slot
	RBL_ARRAY(rbl_surface_exclusion) exclusions; // ascending by indices; some may be stale
	RBL_ARRAY(rbl_surface_pair) excluded_pairs;  // of triangles, both ways, ascending
	RBL_ARRAY(rbl_vec3) rest_positions;          // by vertex, not a number without; or empty
	RBL_ARRAY(rbl_vec3d) residuals[2];           // by vertex: what floats lack of doubles; or empty
	RBL_ARRAY(int) vertex_user_ids;              // by vertex, -1 without; or empty
	RBL_ARRAY(int) triangle_user_ids;            // by triangle
	rbl_surface_pair_callback *pair_callback;
	void *pair_user;
	struct rbl_surface_certificate *certificates; // by slot
	int certificate_count;
	rbl_tree_pool pool;      // leaf = cluster
	rbl_tree_pool body_pool; // leaf = slot
	rbl_tree body_tree;

	// By node of `pool`.
	rbl_surface_normals *node_normals;
	float *built_costs;          // self cost when the node was made, -1 until it is noted
	unsigned char *cull_results; // of the last query that came by: RBL_SURFACE_NODE_CULLED, and
								 // failures in a row
	int node_capacity;

	struct rbl_surface_cone_data
		*cones;           // by node and cluster, for the grades that use cones; or NULL
	bool cones_are_stale; // connections must be counted again

	rbl_surface_sizes last_split, largest_split; // since the last update; of all updates
	rbl_surface_sizes last_counts;               // in the last update
	rbl_surface_growth growths[RBL_SURFACE_ARRAY_GROUPS];
	int updates_since_split; // since the last break
	bool is_scattered;       // nodes of trees lie anywhere since then
	int rebuild_clusters;    // that may be rebuilt in this update, of bodies that can wait

	rbl_tree_rebuilder rebuilder;
	rbl_arena scratch;

	rbl_surface_worker *workers;
	int worker_count;
	rbl_surface_limits limits;
	RBL_ARRAY(rbl_surface_pair) pairs;
	RBL_ARRAY(rbl_surface_hit) hits;
	RBL_ARRAY(rbl_surface_near_pair) near_pairs;
	// The list that was given out last, and what is made of it on demand (results.c).
	enum {
		RBL_LISTS_NOTHING,
		RBL_LISTS_PAIRS,
		RBL_LISTS_HITS,
		RBL_LISTS_NEAR_PAIRS,
	} listed;
	RBL_ARRAY(rbl_surface_names) names;
	RBL_ARRAY(rbl_surface_segment) segments;
	rbl_surface_contour_lists contours;
	RBL_ARRAY(rbl_surface_range) ranges;
	RBL_ARRAY(int) range_order;
	RBL_ARRAY(rbl_surface_place) vertex_map;
	RBL_ARRAY(rbl_surface_place) triangle_map;
	RBL_ARRAY(rbl_surface_candidate) candidates; // that are kept, ascending (max_step.c)
	bool has_candidates;
	float candidate_distance;
	rbl_shared_minimum *bound; // of the search that runs: what comes later does not matter
	float until_rounding;      // by which filters must keep more apart before the end of the step;
							   // below 0: they look at the whole step
	float drift;               // of any two vertices, how far one moves past the other in the step
	float still_until;         // up to this part of the step that is next to nothing, 0: never

	// Seams of the query (seam.h).
	rbl_arena seam_scratch;
	int *places; // by vertex: the place that it shares with others, or 0; NULL: no seams
	int *placed; // the vertices at places
	int place_count, placed_count;
	RBL_ARRAY(rbl_sort_item) seam_triangles;

	rbl_surface_motion motion;               // of the last update
	rbl_surface_question question, answered; // of the query that runs, and of the last answer
	const rbl_vec3 *starts; // of features in the query that runs: their ends, at one instant
	float asked_distance, last_distance; // by proximity queries since the last update, and before
	uint32_t query_number;
	bool is_ready;       // nothing changed since
	bool was_queried;    // since the last update
	bool has_answer;     // `pairs` or `hits` hold what the last query found
	uint64_t pending_ns; // changes since the last update
	rbl_surface_stats stats;
	double last_query_cost;    // in nanoseconds, counted
	double restructure_budget; // what is left of it in this update
};

// --- work batches -------------------------------------------------------------------------------

/// Items of batch r are starts[r] to starts[r + 1] - 1. Which batch an item is in depends on the
/// weights alone.
typedef struct rbl_surface_batches {
	int *starts; // space for the number of items, and one
	int count;
	int64_t weight; // of the last batch
} rbl_surface_batches;

/// Add the next item. A batch ends when it has the weight `grain`.
static inline void rbl_surface_batches_add(rbl_surface_batches *batches, int item, int weight,
                                           int grain)
{
	if (batches->count == 0 || batches->weight >= grain) {
		batches->starts[batches->count++] = item;
		batches->weight = 0;
	}
	batches->weight += weight;
	batches->starts[batches->count] = item + 1;
}

// --- half-edges and normals ---------------------------------------------------------------------

static inline int rbl_surface_next(int h)
{
	return h % 3 == 2 ? h - 2 : h + 1;
}

static inline int rbl_surface_prev(int h)
{
	return h % 3 == 0 ? h + 2 : h - 1;
}

/// Bounds of unit normals as floats.
static inline rbl_box rbl_surface_normals_box(const rbl_surface_normals *n)
{
	const float step = 1.0f / (float)RBL_SURFACE_NORMAL_STEPS;
	return (rbl_box){ { step * n->lower[0], step * n->lower[1], step * n->lower[2] },
		              { step * n->upper[0], step * n->upper[1], step * n->upper[2] } };
}

static inline rbl_surface_diagonals rbl_surface_normals_diagonals(const rbl_surface_normals *n)
{
	const float step = 1.0f / (float)RBL_SURFACE_DIAGONAL_STEPS;
	rbl_surface_diagonals diagonals;
	for (int k = 0; k < 4; ++k)
		diagonals.lower[k] = step * n->lower[3 + k], diagonals.upper[k] = step * n->upper[3 + k];
	return diagonals;
}

static inline bool rbl_surface_uses(const rbl_surface *surface, rbl_surface_accelerator which)
{
	return !(surface->limits.without & (unsigned)which);
}

/// @return the slot of a body, -1 for a stale id (logged).
int rbl_surface_slot(const rbl_surface *surface, rbl_surface_body_id body);

// --- ids; space is reserved before, so that taking one cannot fail ------------------------------

/// Reserve space for further vertices, triangles, clusters. @return RBL_OK, RBL_LIMIT_REACHED,
/// RBL_OUT_OF_MEMORY (nothing changed)
rbl_result rbl_surface_reserve(rbl_surface *surface, int vertices, int triangles, int clusters);

/// Keep space for another break like the largest so far, and give scratch memory back when none
/// comes. Called by every update.
void rbl_surface_reserve_ahead(rbl_surface *surface);

/// Free the arrays of vertices, triangles and clusters.
void rbl_surface_free_arrays(rbl_surface *surface);

/// Normals that a worker remembers in a proximity query (proximity.c): none, in memory of its own.
/// @return false when memory ran out
bool rbl_surface_forget_normals(const rbl_allocator *allocator, rbl_surface_worker *worker);
void rbl_surface_free_normals(const rbl_allocator *allocator, rbl_surface_worker *worker);
size_t rbl_surface_normals_memory(const rbl_surface_worker *worker);

/// Bytes that a surface holds, everything included. A new array belongs there, and in
/// surface/capacity.c.
size_t rbl_surface_memory(const rbl_surface *surface);

/// What is made of lists on demand.
size_t rbl_surface_results_memory(const rbl_surface *surface);
void rbl_surface_free_results(rbl_surface *surface);

/// Give scratch memory back; or only when it is much beside the surface.
void rbl_surface_trim(rbl_surface *surface);
void rbl_surface_trim_excess(rbl_surface *surface);

int rbl_surface_take_vertex(rbl_surface *surface);
int rbl_surface_take_triangle(rbl_surface *surface);
int rbl_surface_take_cluster(rbl_surface *surface, int slot);

/// The same in parts, of which workers share the second: the id; what an empty cluster has; then
/// rbl_surface_mark_stale().
int rbl_surface_take_cluster_id(rbl_surface *surface);
void rbl_surface_begin_cluster(rbl_surface *surface, int cluster, int slot);
void rbl_surface_return_vertex(rbl_surface *surface, int vertex);
void rbl_surface_return_triangle(rbl_surface *surface, int triangle);
void rbl_surface_return_cluster(rbl_surface *surface, int cluster);

/// The ids that the next takes will give, in order. @param ids  receives `count` ids
void rbl_surface_peek_vertices(const rbl_surface *surface, int count, int *ids);
void rbl_surface_peek_triangles(const rbl_surface *surface, int count, int *ids);
void rbl_surface_peek_clusters(const rbl_surface *surface, int count, uint32_t *ids);

// --- clusters -----------------------------------------------------------------------------------

/// A cluster must be fitted by the next update; it need not look for it.
void rbl_surface_mark_stale(rbl_surface *surface, int cluster);

/// The builder of trees for the one in the definition.
rbl_tree_builder rbl_surface_tree_builder(const rbl_surface *surface);

/// Of a cluster whose boundary is to be found.
#define RBL_SURFACE_BOUNDARY_UNKNOWN UINT32_MAX

/// Find the boundary of a cluster.
uint32_t rbl_surface_find_cluster_boundary(const rbl_surface *surface, int cluster);

/// The half-edges that may lead out of a cluster, as bits 3 lane + k. Found by the query that asks,
/// like neighbours; each cluster is tested by one worker. Forgotten where twins inside a cluster
/// part, by a new triangle between them or by a weld; otherwise they never do.
static inline uint32_t rbl_surface_cluster_boundary(const rbl_surface *surface, int cluster)
{
	uint32_t boundary = surface->cluster_boundaries[cluster];
	return boundary == RBL_SURFACE_BOUNDARY_UNKNOWN
	           ? rbl_surface_find_cluster_boundary(surface, cluster)
	           : boundary;
}

/// What lies across an edge of a triangle changes: its cluster has other neighbours.
static inline void rbl_surface_forget_neighbours(rbl_surface *surface, int triangle)
{
	int cluster = surface->clusters[triangle];
	if (cluster >= 0)
		surface->cluster_neighbours[cluster].around[0] = RBL_SURFACE_NEIGHBOURS_UNKNOWN;
}

// --- edges and points without faces -------------------------------------------------------------

// They are triangles a, b, b and a, a, a. Of the first the half-edge from a to b is an edge, at a
// boundary; all others belong to nobody (RBL_SURFACE_NON_MANIFOLD_REST), and are never tested. As a
// face it is a segment or a point, which distances and impacts take as it is.

/// Whether a triangle is an edge or a point.
static inline bool rbl_surface_is_loose(const rbl_surface *surface, int triangle)
{
	const int *v = surface->triangles + 3 * (size_t)triangle;
	return v[1] == v[2];
}

/// Refuse what bodies with edges or points cannot do. @return RBL_OK, RBL_BAD_ARGUMENT (logged)
rbl_result rbl_surface_check_whole(const rbl_surface *surface, int slot);

// --- topology -----------------------------------------------------------------------------------

/// Find anchor and flags of vertices again, from the corners of some triangles. Vertices are marked
/// by anchor -1 before; all triangles around such a vertex must be among the given ones.
void rbl_surface_anchor(rbl_surface *surface, const int *triangles, int count);

/// The same for one vertex, from one of its half-edges and the number of its triangles.
void rbl_surface_set_anchor(rbl_surface *surface, int vertex, int half_edge, int count);

/// Find anchors and flags of all vertices of a new body, which workers share.
void rbl_surface_anchor_body(rbl_surface *surface, const int *vertices, int vertex_count,
                             const int *triangles, int triangle_count);

// --- filters ------------------------------------------------------------------------------------

static inline bool rbl_surface_tests_itself(const rbl_surface_body *body)
{
	const rbl_surface_filter *f = &body->settings.filter;
	return !f->is_static && !f->ignores_itself && (f->categories & f->mask) != 0;
}

/// Whether two different bodies are tested against each other.
bool rbl_surface_tests_bodies(const rbl_surface *surface, int a, int b);

/// Whether everything is tested.
bool rbl_surface_has_no_filters(const rbl_surface *surface);

/// Whether single pairs may not be wanted (pair_filter.c).
static inline bool rbl_surface_has_pair_filters(const rbl_surface *surface)
{
	return surface->excluded_pairs.count > 0 || surface->rest_positions.count > 0 ||
	       surface->pair_callback;
}

/// Whether two triangles that collide count.
bool rbl_surface_wants_triangles(const rbl_surface *surface, int a, int b);

/// Whether two features may count: neither excluded, nor nearer than `distance` at rest.
/// @param v  their vertices
bool rbl_surface_wants_features(const rbl_surface *surface, rbl_surface_hit_kind kind, int a, int b,
                                const int v[4], float distance);

/// What the callback says.
static inline bool rbl_surface_allows(const rbl_surface *surface, rbl_surface_hit_kind kind, int a,
                                      int b)
{
	return !surface->pair_callback || surface->pair_callback(surface->pair_user, kind, a, b);
}

/// A triangle is gone: what was excluded for it is no longer.
void rbl_surface_forget_excluded(rbl_surface *surface, int triangle);

/// Space for the rest shape of all vertices that there is space for. @return false when memory ran
/// out
bool rbl_surface_reserve_rest(rbl_surface *surface);

/// Space for user ids of all vertices and triangles that there is space for, and for what floats
/// lack of doubles. @return false when memory ran out
bool rbl_surface_reserve_user_ids(rbl_surface *surface, bool of_vertices, bool of_triangles);
bool rbl_surface_reserve_residuals(rbl_surface *surface);

/// A vertex is copied: the copy has the user id and the double of its origin.
void rbl_surface_copy_extras(rbl_surface *surface, int vertex, int origin);

/// What the float of a vertex lacks of a double, where the surface has doubles.
void rbl_surface_write_residual(rbl_surface *surface, rbl_surface_body *body, int vertex, int time,
                                rbl_vec3d position);

/// A vertex or a triangle is new, so nothing of an old one with its id holds.
void rbl_surface_clear_vertex_extras(rbl_surface *surface, int vertex);
void rbl_surface_clear_triangle_extras(rbl_surface *surface, int triangle);

/// A body moved by floats, or rests where its motion ends: its doubles follow.
/// @param has_start  the start was given, too
void rbl_surface_forget_residuals(rbl_surface *surface, rbl_surface_body *body, bool has_start);
void rbl_surface_rest_residuals(rbl_surface *surface, rbl_surface_body *body);

/// Where a vertex is: the very double that was given, or the float.
/// @param time  0 at the start of the step, 1 at its end
static inline rbl_vec3d rbl_surface_exact(const rbl_surface *surface, int vertex, int time)
{
	rbl_vec3d p = rbl_to_d(surface->positions[time][vertex]);
	return surface->residuals[time].count > 0 ? rbl_add_d(p, surface->residuals[time].data[vertex])
	                                          : p;
}

/// The same at the start of what a query looks at: its end, at one instant.
static inline rbl_vec3d rbl_surface_exact_start(const rbl_surface *surface, int vertex)
{
	return rbl_surface_exact(surface, vertex, surface->starts == surface->positions[1]);
}

/// Whether positions as they were given are floats, or finite as such. @return RBL_OK,
/// RBL_BAD_ARGUMENT (logged)
rbl_result rbl_surface_check_input(const rbl_surface_positions *input, int count);

/// One of them as a float.
rbl_vec3 rbl_surface_input_at(const rbl_surface_positions *input, int i);

/// Keep what the floats of a body lack of doubles, in the order of its view; there is space.
/// @param start  NULL: where the last motion ended
void rbl_surface_write_residuals(rbl_surface *surface, rbl_surface_body *body,
                                 const rbl_surface_positions *start,
                                 const rbl_surface_positions *end);

/// From -1 on, or NULL. @return RBL_OK, RBL_BAD_ARGUMENT (logged)
rbl_result rbl_surface_check_user_ids(const int *user_ids, int count);

/// Positions of a body were written.
/// @param has_start  those of the start, too
void rbl_surface_note_motion(rbl_surface *surface, rbl_surface_body *body, bool has_start);

/// The body counts as changed from the next update on.
void rbl_surface_touch_body(rbl_surface *surface, int slot);

// --- thickness ----------------------------------------------------------------------------------

// Features that share no vertex keep a distance of 2 s when nothing touches although each vertex
// moves by up to s: two that were nearer could be brought together, since they have no vertex in
// common. So culling with a margin of half the distance is culling with a distance.

/// How near two bodies, or one and itself, are in contact: half of the thickness on either side.
static inline float rbl_surface_contact_distance(const rbl_surface_body *a,
                                                 const rbl_surface_body *b)
{
	return 0.5f * a->settings.thickness + 0.5f * b->settings.thickness;
}

/// Whether any body has a thickness.
static inline bool rbl_surface_has_thickness(const rbl_surface *surface)
{
	bool is_any = false;
	for (int slot = 0; slot < surface->bodies.count; ++slot)
		is_any |= surface->bodies.data[slot].settings.thickness > 0.0f;
	return is_any;
}

/// Tests with a thickness may find what comes within 1.1 times of it. Filters of a search look at
/// more or less of the step as it happens, so they have to leave all of that, or it would depend on
/// workers what is found.
#define RBL_SURFACE_SEARCH_GAP 1.1001f

/// How far doubles of two bodies may be from their floats, together.
static inline float rbl_surface_rounding(const rbl_surface_body *a, const rbl_surface_body *b)
{
	return rbl_maxf(a->settings.roundings[0], a->settings.roundings[1]) +
	       rbl_maxf(b->settings.roundings[0], b->settings.roundings[1]);
}

/// How near features must come for the query that runs, as doubles.
static inline float rbl_surface_asked_gap(const rbl_surface *surface, const rbl_surface_body *a,
                                          const rbl_surface_body *b)
{
	switch (surface->question.kind) {
	case RBL_ASKS_HITS:
		return rbl_surface_contact_distance(a, b);
	case RBL_ASKS_PROXIMITY:
		return surface->question.distance;
	case RBL_ASKS_EARLIEST:
	case RBL_ASKS_CANDIDATES:
		return rbl_maxf(surface->question.distance,
		                RBL_SURFACE_SEARCH_GAP * rbl_surface_contact_distance(a, b));
	default:
		return 0.0f;
	}
}

/// The same as floats: what filters have to keep.
static inline float rbl_surface_gap(const rbl_surface *surface, const rbl_surface_body *a,
                                    const rbl_surface_body *b)
{
	return rbl_surface_asked_gap(surface, a, b) + rbl_surface_rounding(a, b);
}

/// The thickness of tests, in the query that runs.
static inline float rbl_surface_test_thickness(const rbl_surface *surface,
                                               const rbl_surface_body *a, const rbl_surface_body *b)
{
	return surface->question.kind == RBL_ASKS_EARLIEST ? rbl_surface_contact_distance(a, b)
	                                                   : rbl_surface_asked_gap(surface, a, b);
}

/// What has to be kept clear in a body that is not traversed, for the query that runs.
static inline float rbl_surface_clear_gap(const rbl_surface *surface, const rbl_surface_body *body)
{
	bool is_search = surface->question.kind == RBL_ASKS_EARLIEST ||
	                 surface->question.kind == RBL_ASKS_CANDIDATES;
	return is_search ? rbl_maxf(surface->question.distance, body->settings.thickness) +
	                       rbl_surface_rounding(body, body)
	                 : rbl_surface_gap(surface, body, body);
}

/// How far each vertex may move by itself while that distance is kept.
static inline float rbl_surface_margin_of(float distance)
{
	return 0.500001f * distance;
}

/// What boxes below a bound must be apart by, for what is in them to be apart by a gap: rounding of
/// their corners included.
float rbl_surface_box_gap(rbl_box bounds, float gap);

/// The same for certificates, which outlast updates.
static inline float rbl_surface_certified_clearance(const rbl_surface *surface,
                                                    const rbl_surface_body *body)
{
	return rbl_maxf(body->settings.thickness,
	                rbl_maxf(surface->asked_distance, surface->last_distance)) +
	       rbl_surface_rounding(body, body);
}

/// The distance that culling whole bodies has to keep after an update.
static inline float rbl_surface_wanted_clearance(const rbl_surface *surface,
                                                 const rbl_surface_body *body)
{
	float thickness = surface->motion == RBL_SURFACE_CONTINUOUS ? body->settings.thickness : 0.0f;
	return rbl_maxf(thickness, rbl_maxf(surface->asked_distance, surface->last_distance)) +
	       rbl_surface_rounding(body, body);
}

// --- fitting, culling, traversal ----------------------------------------------------------------

/// Reserve space for arrays by node. @return false when memory ran out
bool rbl_surface_reserve_nodes(rbl_surface *surface);

/// Prefetch a cluster that is read soon.
static inline void rbl_surface_prefetch_cluster(const rbl_surface *surface, uint32_t cluster)
{
	const char *data = (const char *)&surface->cluster_data[cluster];
	for (size_t line = 0; line < sizeof(rbl_surface_cluster); line += 64)
		rbl_prefetch(data + line);
}

/// What a node adds to the cost of its parent: nothing when it is culled.
static inline float rbl_surface_node_cost(const rbl_surface *surface, uint32_t node)
{
	return surface->cull_results[node] & RBL_SURFACE_NODE_CULLED
	           ? 0.0f
	           : surface->pool.metrics[node].self_cost;
}

/// Fit the trees of some bodies: boxes, normals, flags and costs of nodes.
/// @param slots  of the bodies, in an arena that this adds to
/// @return false when memory ran out (nothing changed)
bool rbl_surface_fit_trees(rbl_surface *surface, rbl_worker_group *workers, const int *slots,
                           int count);

/// Fit a tree again that was restructured.
void rbl_surface_fit_tree(rbl_surface *surface, rbl_surface_body *body);

/// Push boxes outwards along normals, for building a tree that keeps layers apart.
/// @param normals  mean unit normals, shorter where normals differ
void rbl_surface_offset_boxes(rbl_box *boxes, const rbl_vec3 *normals, int count);

/// Lay trees out again, some updates after the last change of topology. Without memory they stay
/// where they are.
void rbl_surface_pack(rbl_surface *surface);

/// Copy the corners of clusters, some updates after a break, and drop the copy where there is no
/// space for it. Called by every update. Without memory there is no copy.
void rbl_surface_update_corners(rbl_surface *surface);
void rbl_surface_drop_corners(rbl_surface *surface);

/// Clusters of a block of corners.
enum { RBL_SURFACE_CORNER_BLOCK = 512 };

static inline bool rbl_surface_has_corners(const rbl_surface *surface)
{
	return surface->corner_blocks.count > 0;
}

/// The copy of the corners of a cluster, where there is one: valid after an update.
static inline rbl_surface_cluster_corners *rbl_surface_corners(const rbl_surface *surface,
                                                               uint32_t cluster)
{
	return surface->corner_blocks.data[cluster / RBL_SURFACE_CORNER_BLOCK] +
	       cluster % RBL_SURFACE_CORNER_BLOCK;
}

/// The corners of a cluster, from its triangles.
static inline void rbl_surface_read_cluster_corners(rbl_surface_cluster_corners *corners,
                                                    const rbl_surface_cluster *cluster,
                                                    const int *triangles)
{
	for (int lane = 0; lane < RBL_SURFACE_CLUSTER_SIZE; ++lane) {
		int id = cluster->triangles[lane] < 0 ? cluster->triangles[0] : cluster->triangles[lane];
		for (int k = 0; k < 3; ++k)
			corners->vertices[k][lane] = triangles[3 * (size_t)id + (size_t)k];
	}
}

/// Build the tree of a body again, after its clusters are fitted.
/// @return RBL_OK, RBL_OUT_OF_MEMORY (the tree is whole, call it again)
rbl_result rbl_surface_rebuild_tree(rbl_surface *surface, rbl_surface_body *body);

/// Let a body rest where its motion ends.
void rbl_surface_rest(rbl_surface *surface, rbl_surface_body *body);

/// Rebuild what is degraded.
/// @param is_changed  receives whether anything was, also on failure
/// @return RBL_OK, RBL_OUT_OF_MEMORY (the trees are whole)
rbl_result rbl_surface_restructure(rbl_surface *surface, rbl_surface_body *body, bool *is_changed);

/// Cones of all nodes, made when the grade needs them. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_surface_fit_cones(rbl_surface *surface);
void rbl_surface_free_cones(rbl_surface *surface);
size_t rbl_surface_cone_memory(const rbl_surface *surface);
