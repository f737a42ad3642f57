// SPDX-License-Identifier: MIT
// The one bounding-volume hierarchy: a binary tree of boxes over the caller's 32-bit leaf ids.
//
// A pool holds the nodes of one tree or of many; trees of one pool share one space of leaf ids,
// so a piece that breaks off keeps its nodes and only gets a root of its own. A node holds the
// boxes of its two CHILDREN, so one cache line answers both box tests. A leaf has no node: it is
// a tagged child reference, found through an array from leaf id to node. A tree of one leaf has
// no node, a tree of none has no root.
//
// Always true, also in the middle of a batch of changes:
//   - every box contains the leaves below it, so queries are right at any time;
//   - parent links, the leaf table, heights and counts are exact;
//   - in a balanced tree the heights of two siblings differ by at most one.
// Nodes above a change are DIRTY until rbl_tree_update(): their metrics are stale, and above a
// moved leaf their boxes may be larger than needed. The update visits dirty nodes only.
//
// Source: Otaduy et al. 2007 (balance, permutations, Q), Heo et al. 2010 (costs, grid build).
#pragma once

#include "base/blob.h"
#include "base/memory.h"
#include "base/vec.h"

#include <rubble/jobs.h>

#include <stdint.h>

/// In a child reference: the rest is a leaf id, not a node index.
#define RBL_TREE_LEAF 0x80000000u

/// No node, no leaf, no parent, no root.
#define RBL_TREE_NONE 0xffffffffu

/// In the leaf table: no leaf of this id exists.
#define RBL_TREE_ABSENT 0xfffffffeu

/// Leaf ids are below this.
#define RBL_TREE_MAX_LEAVES 0x3fffffff

/// No tree is higher, whatever its input and policy: the bound of every traversal stack.
#define RBL_TREE_MAX_HEIGHT 96

enum {
	/// Boxes may be loose and metrics stale here; every ancestor is dirty, too.
	RBL_TREE_DIRTY = 1,
	/// Set by the owner of the leaves: this sub-tree is known free of self-collision, so its
	/// inside costs nothing (the indicator I of the self cost). The owner calls
	/// rbl_tree_mark_dirty() after a change.
	RBL_TREE_CULLED = 2,
};

/// An inner node: one cache line.
typedef struct rbl_tree_node {
	rbl_box boxes[2];     // of the two children
	uint32_t children[2]; // node index, or RBL_TREE_LEAF | leaf id
	uint32_t parent;      // node index, RBL_TREE_NONE at a root
	uint16_t height;      // 1 above two leaves
	uint16_t flags;
} rbl_tree_node;

_Static_assert(sizeof(rbl_tree_node) == 64, "a node is one cache line");

/// What is known about a node, kept up to date by rbl_tree_update(). A leaf has the values of
/// rbl_tree_leaf_metrics.
typedef struct rbl_tree_metrics {
	/// Sum of squared volumes of all boxes strictly below the node.
	double volume_squares;

	/// Expected box tests of a query against another tree that overlaps this node's box, the
	/// test of this box included: 1 at a leaf.
	float inter_cost;

	/// Expected box tests of a self-collision query: 0 at a leaf.
	float self_cost;
} rbl_tree_metrics;

/// Optional arrays of a pool.
enum {
	RBL_TREE_COUNTS = 1,  // leaves below each node
	RBL_TREE_METRICS = 2, // rbl_tree_metrics of each node
};

/// Nodes and leaves of one or more trees.
typedef struct rbl_tree_pool {
	rbl_allocator allocator;
	rbl_tree_node *nodes;
	uint32_t *leaf_parents;    // by leaf id: node index, NONE (a tree of its own), or ABSENT
	int *counts;               // by node, or NULL
	rbl_tree_metrics *metrics; // by node, or NULL
	bool has_counts, has_metrics;
	int node_capacity, leaf_capacity;
	int node_end;                    // nodes from here on were never used
	int free_count;                  // nodes below node_end that are free
	uint32_t first_free;             // chained through `parent`
	rbl_arena scratch;               // for builds, reset after each
	struct rbl_tree_rebuilder *tops; // for the tops of pieces, made when first needed
} rbl_tree_pool;

/// A tree in a pool. Plain data: the owner keeps it, copies of it go stale.
typedef struct rbl_tree {
	rbl_tree_pool *pool;
	uint32_t root; // a child reference, RBL_TREE_NONE when empty
	int leaf_count;
	rbl_box bounds; // of all leaves; empty without any
	int first_node; // of one run of nodes, each sub-tree a run that its root ends; -1 after changes
	bool is_balanced; // changes keep sibling heights within one of each other
	bool is_dirty;    // there are dirty nodes, or the bounds are loose
} rbl_tree;

static inline bool rbl_tree_is_leaf(uint32_t child)
{
	return (child & RBL_TREE_LEAF) != 0;
}

static inline uint32_t rbl_tree_leaf_id(uint32_t child)
{
	return child & ~RBL_TREE_LEAF;
}

/// Which of its parent's two children `child` is.
static inline int rbl_tree_side(const rbl_tree_node *parent, uint32_t child)
{
	return parent->children[1] == child;
}

// --- pool and tree --------------------------------------------------------------------------

/// Set up an empty pool; allocates nothing. The pool must not move while trees point to it.
/// @param arrays  RBL_TREE_COUNTS | RBL_TREE_METRICS, or 0
void rbl_tree_pool_init(rbl_tree_pool *pool, const rbl_allocator *allocator, unsigned arrays);

/// Free all nodes; trees of the pool are gone.
void rbl_tree_pool_destroy(rbl_tree_pool *pool);

/// Make space for nodes and leaf ids in all.
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED (nothing changed)
rbl_result rbl_tree_pool_reserve(rbl_tree_pool *pool, int node_capacity, int leaf_capacity);

/// Make space for `count` further nodes, one for each leaf that is inserted and each tree that is
/// joined, and for leaf ids below `leaf_end`: changes within that cannot fail. What must grow does
/// so by half, so that copies stay rare. @return as above
rbl_result rbl_tree_pool_reserve_more(rbl_tree_pool *pool, int count, uint32_t leaf_end);

/// Bytes in use by the pool's arrays.
size_t rbl_tree_pool_memory(const rbl_tree_pool *pool);

/// Lay all trees of a pool out anew, one behind the other, each in one run, as a builder leaves it:
/// passes over scattered nodes wait for memory.
/// @param trees    all that have a node in the pool
/// @param sources  receives, for each node, the place it had; space for the pool's node_capacity
/// @return RBL_OK, RBL_OUT_OF_MEMORY (nothing changed)
rbl_result rbl_tree_pack(rbl_tree_pool *pool, rbl_tree *const *trees, int count, uint32_t *sources);

/// An empty tree, balanced.
rbl_tree rbl_tree_make(rbl_tree_pool *pool);

/// Give the nodes and leaf ids of a tree back to its pool. Cost: O(n).
void rbl_tree_clear(rbl_tree *tree);

/// Write a tree, the only one of its pool, which has no optional arrays; and read it into an empty
/// pool: the same nodes in the same places. Leaf ids are below `leaf_end`.
/// @return whether the reader is still good
void rbl_tree_save(const rbl_tree *tree, rbl_blob_writer *w);
bool rbl_tree_load(rbl_blob_reader *r, rbl_tree_pool *pool, int leaf_end, rbl_tree *tree);

/// @return whether the pool has this leaf.
static inline bool rbl_tree_has_leaf(const rbl_tree_pool *pool, uint32_t leaf)
{
	return leaf < (uint32_t)pool->leaf_capacity && pool->leaf_parents[leaf] != RBL_TREE_ABSENT;
}

/// The box of a leaf of this tree.
rbl_box rbl_tree_leaf_box(const rbl_tree *tree, uint32_t leaf);

/// Height of a reference: 0 for a leaf.
static inline int rbl_tree_height_of(const rbl_tree_pool *pool, uint32_t child)
{
	return rbl_tree_is_leaf(child) ? 0 : pool->nodes[child].height;
}

/// Levels below the root: 0 for one leaf or none.
static inline int rbl_tree_height(const rbl_tree *tree)
{
	return tree->root == RBL_TREE_NONE ? 0 : rbl_tree_height_of(tree->pool, tree->root);
}

/// Write the leaf ids below a reference, left to right. @return how many
int rbl_tree_collect_leaves(const rbl_tree_pool *pool, uint32_t child, uint32_t *leaves);

/// Give the leaves other ids, left to right. @param leaves the ids that they have, in another order
void rbl_tree_number_leaves(rbl_tree *tree, const uint32_t *leaves);

// --- builders -------------------------------------------------------------------------------

typedef enum rbl_tree_builder {
	/// Sort along a space-filling curve, one linear pass: fastest, fair quality.
	RBL_TREE_BUILD_MORTON,
	/// Halves by count along the longest axis: balanced.
	RBL_TREE_BUILD_MEDIAN,
	/// Halves by space along the longest axis.
	RBL_TREE_BUILD_MIDPOINT,
	/// Eight grid cells a pass, medians below `grid_leaves` (Heo 2010, section 5.5, k = 1).
	RBL_TREE_BUILD_GRID,
	/// Binned surface-area heuristic: best quality.
	RBL_TREE_BUILD_SAH,
	RBL_TREE_BUILDER_COUNT
} rbl_tree_builder;

/// What to build. Zero means: Morton, ids 0 to count - 1, on the calling thread.
typedef struct rbl_tree_build {
	rbl_tree_builder builder;
	int count;
	const rbl_box *boxes; // by position, finite, lower <= upper
	const uint32_t *ids;  // by position, all different; NULL: the position itself
	int grid_leaves;      // G, 100 to 1000; 0 means 100
	rbl_jobs *jobs;       // the tree is the same for any worker count
} rbl_tree_build_input;

/// Build a tree. What `tree` held goes back to the pool, its ids may be used again.
/// The result is balanced for RBL_TREE_BUILD_MEDIAN; others: rbl_tree_balance().
/// @return RBL_OK, RBL_OUT_OF_MEMORY (the tree is as it was), RBL_LIMIT_REACHED
/// Cost: O(n log n), O(n) for Morton.
rbl_result rbl_tree_build(rbl_tree *tree, const rbl_tree_build_input *input);

/// Boxes of triangles: three vertex indices each.
void rbl_tree_triangle_boxes(rbl_box *boxes, const rbl_vec3 *positions, const int *triangles,
                             int count, rbl_jobs *jobs);

// --- refit ----------------------------------------------------------------------------------

/// All leaves moved: take their boxes by leaf id, and refit every node.
/// Cost: O(n), fastest while the tree is as a builder left it. Same bits for any worker count.
void rbl_tree_refit(rbl_tree *tree, const rbl_box *boxes_by_leaf, rbl_jobs *jobs);

/// The same in parts, for workers that share many trees, or one: sub-trees, then the nodes above
/// them one by one from below, then the end. Parts that do not hold each other may be refitted at
/// the same time. Needs RBL_TREE_COUNTS. @param node not a leaf
void rbl_tree_refit_part(const rbl_tree *tree, uint32_t node, const rbl_box *boxes_by_leaf);
void rbl_tree_refit_node(const rbl_tree *tree, uint32_t node, const rbl_box *boxes_by_leaf);
void rbl_tree_end_refit(rbl_tree *tree);

/// The same with boxes made from triangles: leaf id = triangle.
void rbl_tree_refit_triangles(rbl_tree *tree, const rbl_vec3 *positions, const int *triangles,
                              rbl_jobs *jobs);

// --- changes --------------------------------------------------------------------------------
// A change costs the path from its leaf to the root at most: O(log n) in a balanced tree.

/// Add a leaf beside the leaf `near`, or where it fits when `near` is RBL_TREE_NONE.
/// @param leaf  an id that the pool does not have yet, below RBL_TREE_MAX_LEAVES
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED (nothing changed)
rbl_result rbl_tree_insert(rbl_tree *tree, uint32_t leaf, rbl_box box, uint32_t near);

/// Take a leaf out. Needs no memory.
void rbl_tree_remove(rbl_tree *tree, uint32_t leaf);

/// Put a new leaf in the place of an old one: heights stay. The ids may be the same.
/// @return RBL_OK, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED (nothing changed)
rbl_result rbl_tree_replace(rbl_tree *tree, uint32_t old_leaf, uint32_t new_leaf, rbl_box box);

/// A leaf moved. The boxes above grow to hold it; the update makes them tight.
void rbl_tree_move(rbl_tree *tree, uint32_t leaf, rbl_box box);

/// Make a node and its ancestors dirty, when a flag of it changed.
void rbl_tree_mark_dirty(rbl_tree *tree, uint32_t node);

/// Join `other`, a tree of the same pool, into `tree`; `other` is empty afterwards.
/// Balanced trees join to a balanced one. Cost: O(difference of heights), and the path up.
/// @return RBL_OK, RBL_OUT_OF_MEMORY (nothing changed)
rbl_result rbl_tree_join(rbl_tree *tree, rbl_tree *other);

/// Bring any tree into balance by joins from below; it is balanced from then on.
/// Needs no memory. Cost: O(n).
void rbl_tree_balance(rbl_tree *tree);

enum {
	/// Try to exchange grandchildren at each dirty node where that makes boxes smaller.
	RBL_TREE_PERMUTE = 1,
	/// Leave the nodes dirty, for a second pass.
	RBL_TREE_KEEP_DIRTY = 2,
};

/// Fit boxes and metrics of all dirty nodes, from below. @return the number of nodes visited
/// Cost: O(dirty nodes).
int rbl_tree_update(rbl_tree *tree, unsigned options);

// --- pieces ---------------------------------------------------------------------------------
// Sub-trees that lie in one piece as a whole keep their nodes and only change hands.

/// How the trees of pieces are made.
typedef enum rbl_tree_method {
	RBL_TREE_BY_POLICY,  // the cheaper of the two below, piece by piece
	RBL_TREE_BY_EXTRACT, // keep sub-trees, add new leaves
	RBL_TREE_BY_REBUILD, // collect the leaves and build
} rbl_tree_method;

/// What the steps cost on some machine, in nanoseconds: see rbl_tree_default_costs().
typedef struct rbl_tree_costs {
	float keep_leaf;     // extract: a leaf of the old tree that stays in its sub-tree
	float cut_leaf;      // extract: a leaf along a border between pieces
	float add_leaf;      // extract: a new leaf
	float extract_piece; // extract: one piece, whatever its size
	float gather_leaf;   // rebuild: a leaf copied out of the old tree
	float build_leaf;    // rebuild: a leaf in the new tree
	float build_piece;   // rebuild: one piece, whatever its size
} rbl_tree_costs;

/// What `rubble bench tree --case calibrate` prints, rounded: constants of least squares over
/// pumpkins of 10,000 and 30,000 triangles in 2 to 64 pieces. Their ratios decide, not their size.
rbl_tree_costs rbl_tree_default_costs(void);

/// An object that breaks within one step. New leaves are those of cut triangles and crack faces.
typedef struct rbl_tree_fracture {
	rbl_tree_method method;
	int piece_count;
	const int *labels;      // by leaf id, -1: the leaf broke and vanishes
	const int *kept_counts; // by piece: leaves of the tree with its label; NULL: counted here
	int new_count;
	const uint32_t *new_leaves; // ids that the pool does not have
	const rbl_box *new_boxes;
	const int *new_labels;
	const rbl_tree_costs *costs; // NULL: the defaults
	rbl_jobs *jobs;
} rbl_tree_fracture_input;

/// What a fracture did.
typedef struct rbl_tree_fracture_report {
	int extracted, rebuilt; // pieces
} rbl_tree_fracture_report;

/// Break a tree into trees of pieces, in its pool; the tree is empty afterwards. Pieces that are
/// extracted and get less than two new leaves are balanced when the tree was, all others are not:
/// rbl_tree_balance() makes them so.
/// @param report  or NULL
/// @return RBL_OK, RBL_OUT_OF_MEMORY (nothing changed), RBL_LIMIT_REACHED
rbl_result rbl_tree_break(rbl_tree *tree, const rbl_tree_fracture_input *input, rbl_tree *pieces,
                          rbl_tree_fracture_report *report);

// --- metrics --------------------------------------------------------------------------------
// Of trees in a pool with RBL_TREE_METRICS, up to date after rbl_tree_update().

/// Q: the sum over all boxes, root and leaves included, of their squared volume, in units of the
/// root's. Smaller is better; about 2 when boxes halve. 0 without leaves, 1 without volume.
double rbl_tree_quality(const rbl_tree *tree);

/// Expected box tests against a tree that overlaps this one, and of a self-collision query.
float rbl_tree_inter_cost(const rbl_tree *tree);
float rbl_tree_self_cost(const rbl_tree *tree);

// --- rebuilding parts -----------------------------------------------------------------------
// Changes wear a tree out. Parts of it are built anew, while it stays whole.

typedef struct rbl_tree_rebuilder {
	rbl_tree_builder builder; // of the parts
	int grid_leaves;          // as in rbl_tree_build
	// The rest is the rebuilder's own.
	rbl_allocator allocator;
	rbl_tree_pool scratch;
	RBL_ARRAY(rbl_box) boxes;
	RBL_ARRAY(uint32_t) items;
	RBL_ARRAY(uint32_t) spares;
} rbl_tree_rebuilder;

/// Set up a rebuilder of median parts; allocates nothing.
void rbl_tree_rebuilder_init(rbl_tree_rebuilder *rebuilder, const rbl_allocator *allocator);
void rbl_tree_rebuilder_destroy(rbl_tree_rebuilder *rebuilder);

/// Build the upper part of a sub-tree anew: its nodes are opened, the largest first, until
/// `item_limit` sub-trees lie open, and these are put together again. With a limit of the number
/// of its leaves, that is a whole rebuild.
/// @return RBL_OK, RBL_OUT_OF_MEMORY (the tree is as it was)
rbl_result rbl_tree_rebuild_part(rbl_tree_rebuilder *rebuilder, rbl_tree *tree, uint32_t node,
                                 int item_limit, int *work);

// --- queries --------------------------------------------------------------------------------
// Iterative, on a stack bounded by RBL_TREE_MAX_HEIGHT. Visitors get what was found in batches, in
// an order that depends on the tree alone, and return false to stop; the query returns false when
// it was stopped. Any number of threads may query while nothing changes the tree.

/// The most leaves or pairs that a visitor receives at once.
#define RBL_TREE_BATCH 128

/// Two leaves.
typedef struct rbl_tree_pair {
	uint32_t a, b;
} rbl_tree_pair;

/// Receives 1 to RBL_TREE_BATCH leaves.
typedef bool rbl_tree_visitor(void *context, const uint32_t *leaves, int count);

/// Receives 1 to RBL_TREE_BATCH pairs of leaves.
typedef bool rbl_tree_pair_visitor(void *context, const rbl_tree_pair *pairs, int count);

/// Leaves whose boxes overlap `box`; touching counts.
bool rbl_tree_query_box(const rbl_tree *tree, rbl_box box, rbl_tree_visitor *visitor,
                        void *context);

/// All unordered pairs of leaves whose boxes overlap, each once.
bool rbl_tree_query_self(const rbl_tree *tree, rbl_tree_pair_visitor *visitor, void *context);

/// All pairs of a leaf of `a` and a leaf of `b` whose boxes overlap, both in the same frame.
bool rbl_tree_query_pair(const rbl_tree *a, const rbl_tree *b, rbl_tree_pair_visitor *visitor,
                         void *context);

/// The same with `b` moved by `b_to_a`. The boxes of `b` are turned and boxed again, so a pair
/// may be reported that is close but does not overlap; none is missed.
bool rbl_tree_query_pair_moved(const rbl_tree *a, const rbl_tree *b, rbl_transform b_to_a,
                               rbl_tree_pair_visitor *visitor, void *context);

/// The box around `box` moved by `transform`, rounding included: what query_pair_moved compares.
rbl_box rbl_tree_moved_box(rbl_transform transform, rbl_box box);

/// Decides a leaf on a ray: returns the new end of the ray, at most `end`; `end` itself for a miss,
/// and less than zero to stop.
typedef float rbl_tree_ray_visitor(void *context, uint32_t leaf, float end);

/// Leaves whose boxes the segment from + t translation, 0 <= t <= end, meets, nearer sub-trees
/// first.
void rbl_tree_query_ray(const rbl_tree *tree, rbl_vec3 from, rbl_vec3 translation, float end,
                        rbl_tree_ray_visitor *visitor, void *context);

/// When a box that moves along `translation` first touches another: 0 to 1, or 2 when it does not.
/// Never later than exact, and never later for a larger box than for one inside it.
float rbl_tree_touch_time(rbl_box moving, rbl_vec3 translation, rbl_box target);

/// Leaves whose boxes the moving box touches up to the fraction `end` of its translation, nearer
/// sub-trees first.
void rbl_tree_query_cast(const rbl_tree *tree, rbl_box moving, rbl_vec3 translation, float end,
                         rbl_tree_ray_visitor *visitor, void *context);

/// Squared distance of a leaf's content from the point; anything at least `best` is a miss.
typedef float rbl_tree_distance_function(void *context, uint32_t leaf, rbl_vec3 point, float best);

/// The nearest leaf within `best` (a squared distance), by `distance`; NULL: by its box. Of equals
/// the smallest id wins.
/// @return the leaf and its squared distance, or RBL_TREE_NONE
uint32_t rbl_tree_query_nearest(const rbl_tree *tree, rbl_vec3 point, float *best,
                                rbl_tree_distance_function *distance, void *context);

// --- checks ---------------------------------------------------------------------------------

/// Look at everything that must hold. @return NULL, or what is wrong in words
/// Cost: O(n): for tests and RBL_VALIDATE.
const char *rbl_tree_check(const rbl_tree *tree);
