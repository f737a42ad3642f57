// SPDX-License-Identifier: MIT
// Surfaces that move, fold, break and merge: which of their triangles touch, at one instant or at
// some time within a step.
//
// A surface holds bodies, each a set of triangles. Triangles and vertices have ids that are theirs
// as long as they live, whatever body they belong to. The owner of the surface is the simulation
// that moves it: it says what changed, calls rbl_surface_update(), and asks.
//
// Two triangles collide when they intersect anywhere, touching included, apart from the vertex or
// edge that they share. Every such pair is found, self-collisions included, in the default grade of
// culling; docs/surface.md says what each grade promises.
#pragma once

#include <rubble/base.h>
#include <rubble/jobs.h>
#include <rubble/tets.h>
#include <rubble/types.h>

/// Bodies of triangles.
typedef struct rbl_surface rbl_surface;

/// The most vertices or triangles of a surface.
#define RBL_MAX_SURFACE_ITEMS 0x0fffffff

/// Names a body. All zero names none.
typedef struct rbl_surface_body_id {
	uint32_t index, generation;
} rbl_surface_body_id;

/// How parts of a surface are recognised that cannot touch themselves.
typedef enum rbl_surface_culling {
	/// Not at all: every pair of overlapping boxes is tested.
	RBL_CULL_NONE = 0,
	/// Two cones per node, of normals and of binormals at boundaries. Constant time, and it may
	/// miss pairs, since boundaries between nodes are not tested.
	RBL_CULL_CONE,
	/// Normals and contours with certified signs: never misses.
	RBL_CULL_EXACT,
	RBL_CULL_COUNT
} rbl_surface_culling;

/// Which parts of degraded trees are rebuilt during an update.
typedef enum rbl_surface_restructuring {
	/// None.
	RBL_RESTRUCTURE_NONE = 0,
	/// Those whose expected number of box tests has grown by more than a rebuild costs.
	RBL_RESTRUCTURE_COST,
	RBL_RESTRUCTURE_COUNT
} rbl_surface_restructuring;

/// How trees are built.
typedef enum rbl_surface_builder {
	/// By the surface-area heuristic: best, and fast enough over clusters of triangles.
	RBL_SURFACE_BUILD_AREA = 0,
	/// Eight grid cells at a time.
	RBL_SURFACE_BUILD_GRID,
	/// Halves by number.
	RBL_SURFACE_BUILD_MEDIAN,
	/// Along a space-filling curve: fastest.
	RBL_SURFACE_BUILD_CURVE,
	RBL_SURFACE_BUILDER_COUNT
} rbl_surface_builder;

/// What steps cost on some machine, in nanoseconds. Ratios decide about restructuring, not clocks,
/// so that a run repeats; `rubble calibrate` prints the numbers of a machine, and
/// rbl_measure_surface_costs() finds them at start.
typedef struct rbl_surface_costs {
	/// A box test of a traversal, with what follows from it. Default 50.
	float box_test;

	/// Building, per cluster of triangles and level of the tree. Default 36.
	float build_cluster;
} rbl_surface_costs;

/// How to make a surface. Start from rbl_default_surface_def().
typedef struct rbl_surface_def {
	/// The grade of culling. Default RBL_CULL_EXACT.
	rbl_surface_culling culling;

	/// Default RBL_RESTRUCTURE_COST.
	rbl_surface_restructuring restructuring;

	/// Of new and of restructured trees. Default RBL_SURFACE_BUILD_AREA.
	rbl_surface_builder builder;

	/// With RBL_SURFACE_BUILD_GRID: parts of fewer clusters than this are halved by number, where
	/// larger ones are divided by cells of a grid. 2 or more; Heo et al. 2010 use 100 to 1000
	/// triangles. Default 100.
	int grid_leaves;

	/// The most that one update may spend on rebuilding, as a share of what the last query cost, 0
	/// to 1. Default 0.25.
	float restructure_share;

	/// How much one query at one instant may certify of large bodies that move rigidly, as a share
	/// of all triangles, 0 to 1; what is certified is not traversed as long as it moves rigidly. A
	/// query over a step certifies all of them, since a traversal takes longer. 0 certifies
	/// nothing. Default 0.125.
	float certificate_share;

	/// How far apart, in metres, surfaces are in contact for rbl_surface_sweep(); 0: only when they
	/// touch. At least 0. For bodies whose definition does not say. Default 0.
	float thickness;

	/// Constants of the machine.
	rbl_surface_costs costs;

	/// Workers of updates and queries, NULL for none; must outlive the surface.
	rbl_jobs *jobs;

	/// Memory of the surface.
	rbl_allocator allocator;

	/// Filled by rbl_default_surface_def(). Leave it alone.
	uint32_t cookie;
} rbl_surface_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_surface_def rbl_default_surface_def(void);

/// Measure the constants of this machine, for those who do not have them from `rubble calibrate`.
/// They come from a clock: a run that must repeat elsewhere keeps the numbers.
/// @param def    with the builder, workers and memory to measure; read during the call only
/// @param costs  receives the constants; unchanged on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: some tens of milliseconds.
RBL_API rbl_result rbl_measure_surface_costs(const rbl_surface_def *def, rbl_surface_costs *costs);

/// Make an empty surface.
/// @param def      read during the call only
/// @param surface  receives the surface, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY
/// Threads: any.
RBL_API rbl_result rbl_create_surface(const rbl_surface_def *def, rbl_surface **surface);

/// Destroy a surface. NULL is fine.
RBL_API void rbl_destroy_surface(rbl_surface *surface);

/// Choose another grade of culling, from the next update on.
/// @return RBL_OK, RBL_BAD_ARGUMENT
/// Threads: one call on a surface at a time, here and below unless said otherwise.
RBL_API rbl_result rbl_surface_set_culling(rbl_surface *surface, rbl_surface_culling culling);

// --- what changes -------------------------------------------------------------------------------
// A call that is refused, or that finds no memory, changes nothing.

/// What a body is tested against, by all queries. Two bodies are when each has a category that the
/// other's mask has, and not both are static, and they are not excluded.
typedef struct rbl_surface_filter {
	/// What the body is: bits that you choose. Default 1.
	uint32_t categories;

	/// What it is tested against. Default all bits.
	uint32_t mask;

	/// An obstacle: it is tested against bodies that are not static, and not with itself. It may
	/// move. Default false.
	bool is_static;

	/// It is tested against others alone. So is a body whose mask has none of its categories.
	/// Default false.
	bool ignores_itself;
} rbl_surface_filter;

/// Positions where you have them: three floats or doubles each, with anything between them.
/// Doubles are kept whole. Boxes and filters know them as floats, and count what that rounds; tests
/// and distances take the doubles, so that lists are certified for these.
typedef struct rbl_surface_positions {
	/// The first coordinate of the first position; NULL: there are none.
	const void *data;

	/// Bytes from a position to the next, 0 or at least the size of one; 0: no gaps.
	size_t stride;

	/// Coordinates are doubles, each of a magnitude that a float can have. Default false.
	bool is_double;
} rbl_surface_positions;

/// A body to add. Start from rbl_default_surface_body_def().
typedef struct rbl_surface_body_def {
	/// Number of vertices, 1 or more. Some may be without triangles.
	int vertex_count;

	/// Where they are, in metres, all finite. Copied during the call.
	const rbl_vec3 *positions;

	/// The same with a stride or as doubles: set this and leave `positions` NULL.
	rbl_surface_positions input;

	/// Where they are while the surface is at rest, or NULL: as `positions`. The tree is built for
	/// this shape, so that layers which are folded onto each other now do not mix.
	const rbl_vec3 *rest_positions;

	/// Number of triangles; there must be a triangle, an edge or a point.
	int triangle_count;

	/// Three different vertices per triangle. Neighbours that agree in direction are joined; edges
	/// with more than two triangles, or with two in the same direction, join none: there the body
	/// falls into manifold parts that still share their vertices.
	const int *triangles;

	/// Number of edges without faces: rods, hair. Default 0.
	int edge_count;

	/// Two different vertices per edge.
	///
	/// Edges and points take part in sweeps, proximity and line searches, not in
	/// rbl_surface_collide(). In lists they come as triangles that have a vertex twice: their
	/// numbers follow those of triangles, first of edges, which have the corners a, b, b, then of
	/// points, with three times the same. So a vertex that comes near an edge or a point is listed
	/// as a vertex and a face. A body with edges or points is not split, edited or merged.
	const int *edges;

	/// Number of points, vertices that take part without a triangle or an edge. Default 0.
	int point_count;

	/// Their vertices.
	const int *points;

	/// How far from itself the body is in contact, in metres, and with another half of its own and
	/// half of the other's thickness. Below 0: that of the surface's definition. Default -1.
	float thickness;

	/// What it is tested against.
	rbl_surface_filter filter;

	/// Remember the rest shape: features of the body that are nearer to each other there than the
	/// thickness, or than the distance of a proximity query, are not listed. So a cloth whose edges
	/// are about as long as it is thick is not in contact with itself at rest. Bodies that are
	/// merged forget it. Takes 12 bytes per vertex of the surface. Default false.
	bool keeps_rest_shape;

	/// What you call vertices and triangles, any numbers from 0, or NULL: nothing. They come back
	/// in all results (rbl_surface_get_names()). Those of triangles go on with edges, then points.
	/// Copies of vertices have that of their origin; what
	/// a split adds has none, until rbl_surface_set_vertex_user_ids() gives it one.
	const int *vertex_user_ids, *triangle_user_ids;

	/// What you call the body; pieces inherit it, and a merged body has that of the first.
	/// Default 0.
	uint64_t user_id;

	/// Filled by rbl_default_surface_body_def(). Leave it alone.
	uint32_t cookie;
} rbl_surface_body_def;

/// @return a definition without triangles. Threads: any.
RBL_API rbl_surface_body_def rbl_default_surface_body_def(void);

/// Add a body.
/// @param def   read during the call only
/// @param body  receives its id; all zero on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names vertex or triangle), RBL_LIMIT_REACHED,
///         RBL_OUT_OF_MEMORY
/// Cost: O(n log n) in its triangles.
RBL_API rbl_result rbl_surface_add(rbl_surface *surface, const rbl_surface_body_def *def,
                                   rbl_surface_body_id *body);

/// Add the boundary of a tetrahedral mesh. Vertices and triangles of the body come in the order of
/// rbl_tets_get_data(): its boundary_vertices and boundary_tets are the map back.
/// @return as rbl_surface_add()
RBL_API rbl_result rbl_surface_add_tets(rbl_surface *surface, const rbl_tets *tets,
                                        rbl_surface_body_id *body);

/// Remove a body with its vertices and triangles.
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_STALE_ID
/// Cost: O(n) in its triangles.
RBL_API rbl_result rbl_surface_remove(rbl_surface *surface, rbl_surface_body_id body);

/// Change the thickness of a body, from the next update on. Pieces of a body inherit it; a merged
/// body has that of the first.
/// @param thickness  in metres, finite, at least 0
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_STALE_ID
RBL_API rbl_result rbl_surface_body_set_thickness(rbl_surface *surface, rbl_surface_body_id body,
                                                  float thickness);

/// @return the thickness of a body, 0 for a stale id. Threads: any number while nothing changes the
/// surface.
RBL_API float rbl_surface_body_thickness(const rbl_surface *surface, rbl_surface_body_id body);

/// Change what a body is tested against, from the next update on. Pieces of a body inherit it; a
/// merged body has that of the first.
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_STALE_ID
RBL_API rbl_result rbl_surface_body_set_filter(rbl_surface *surface, rbl_surface_body_id body,
                                               rbl_surface_filter filter);

/// @return what a body is tested against, all zero for a stale id. Threads: any number while
/// nothing changes the surface.
RBL_API rbl_surface_filter rbl_surface_body_get_filter(const rbl_surface *surface,
                                                       rbl_surface_body_id body);

/// Exclude two bodies from being tested against each other, or no longer, from the next update on:
/// garments that begin within each other, parts that are sewn. The first piece of a body that
/// splits keeps its id and what is excluded; other pieces are tested.
/// @param a, b  two different bodies
/// @return RBL_OK (also where nothing changes), RBL_BAD_ARGUMENT, RBL_STALE_ID, RBL_OUT_OF_MEMORY
/// Cost: O(n) in excluded pairs.
RBL_API rbl_result rbl_surface_exclude_bodies(rbl_surface *surface, rbl_surface_body_id a,
                                              rbl_surface_body_id b, bool is_excluded);

/// Two triangles, a < b in lists.
typedef struct rbl_surface_pair {
	int a, b;
} rbl_surface_pair;

/// Exclude pairs of triangles, or no longer, from the next update on: seams, or all that a garment
/// begins within, as rbl_surface_collide() lists it. Neither the two are listed, nor a vertex of
/// one and the other as a face, nor an edge of each, whatever else they belong to. A triangle takes
/// that along through splits and merges, and is rid of it when it is removed.
/// @param pairs  two different triangles each, in any order; some may come twice. May be NULL when
///               there are none
/// @return RBL_OK (also where nothing changes), RBL_BAD_ARGUMENT (the log says which),
///         RBL_OUT_OF_MEMORY
/// Cost: O(n log n) in excluded pairs.
RBL_API rbl_result rbl_surface_exclude_triangles(rbl_surface *surface,
                                                 const rbl_surface_pair *pairs, int count,
                                                 bool is_excluded);

/// How to split a body. Start from rbl_default_surface_split_def().
typedef struct rbl_surface_split_def {
	/// Number of pieces, 1 or more, each with a triangle or more. One piece means that the body
	/// only changes.
	int piece_count;

	/// The piece of each triangle of the body, in the order of its view; -1: the triangle goes.
	const int *labels;

	/// Number of new vertices.
	int vertex_count;

	/// Where they are, finite. May be NULL when there are none.
	const rbl_vec3 *positions;

	/// Where they are in the rest shape of a body that keeps it, or NULL: not known, and pairs with
	/// them are listed.
	const rbl_vec3 *rest_positions;

	/// Number of new triangles.
	int triangle_count;

	/// Three different vertices per new triangle: ids of vertices of the body, or -1 - i for new
	/// vertex i. May be NULL when there are none.
	const int *triangles;

	/// The piece of each new triangle. May be NULL when there are none.
	const int *triangle_labels;

	/// Filled by rbl_default_surface_split_def(). Leave it alone.
	uint32_t cookie;
} rbl_surface_split_def;

/// @return a definition without pieces. Threads: any.
RBL_API rbl_surface_split_def rbl_default_surface_split_def(void);

/// Split a body. Triangles keep their ids. A vertex that several pieces use stays with the first of
/// them, the others get copies with new ids: rbl_surface_get_data() has the origin of each.
/// Vertices that no piece uses are gone. In the view of a piece, kept triangles come in their old
/// order before new ones; vertices that were the body's (or are copies of such) in their old order
/// before new ones.
/// @param def     read during the call only
/// @param pieces  receives piece_count ids; the first is that of the body. Unchanged on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log says which), RBL_STALE_ID, RBL_LIMIT_REACHED,
///         RBL_OUT_OF_MEMORY
/// Cost: O(n) to read the labels, O(k log n) for k triangles along cracks.
RBL_API rbl_result rbl_surface_split(rbl_surface *surface, rbl_surface_body_id body,
                                     const rbl_surface_split_def *def, rbl_surface_body_id *pieces);

/// Split several bodies at once, one after the other as rbl_surface_split() does. Workers share the
/// planning of those without new triangles, so it is the better way when many bodies break in one
/// step.
/// @param count   of bodies
/// @param defs    one for each body
/// @param pieces  receives the ids of the pieces of the first body, then of the second, and so on
/// @return as rbl_surface_split(), of the first that fails: those before it are split, and the ids
///         of its pieces and of all behind are null
/// Cost: as that of each.
RBL_API rbl_result rbl_surface_split_bodies(rbl_surface *surface, const rbl_surface_body_id *bodies,
                                            int count, const rbl_surface_split_def *defs,
                                            rbl_surface_body_id *pieces);

/// Merge bodies into the first of them, which keeps its id; the others are gone. Triangles keep
/// their ids, and the lists of the merged body are those of the bodies one after the other.
/// @param bodies      all different
/// @param body_count  1 or more
/// @param welds       pairs of vertex ids of these bodies: the second becomes one with the first
///                    and is gone, unless they are one already. May be NULL when there are none. No
///                    triangle may lose a corner
/// @param weld_count  number of pairs
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_STALE_ID, RBL_OUT_OF_MEMORY
/// Cost: O(log n) for the trees, O(n) to find open edges when vertices are welded.
RBL_API rbl_result rbl_surface_merge(rbl_surface *surface, const rbl_surface_body_id *bodies,
                                     int body_count, const int *welds, int weld_count);

/// Move a body for the next update. A body that is not moved between two updates rests.
/// @param start  where each vertex is at the start of the step, in the order of the body's view;
///               NULL: where its last move ended
/// @param end    where each vertex is at the end of the step
/// @return RBL_OK, RBL_BAD_ARGUMENT (a position is not finite), RBL_STALE_ID
/// Cost: O(n) in its vertices.
RBL_API rbl_result rbl_surface_move(rbl_surface *surface, rbl_surface_body_id body,
                                    const rbl_vec3 *start, const rbl_vec3 *end);

/// Move several bodies at once, each as rbl_surface_move() does, all or none. Workers share this,
/// so it is the better way for pieces of something broken.
/// @param bodies  all different
/// @param count   of bodies
/// @param start   positions for the first body, then for the second, and so on; or NULL, as above
/// @param end     the same
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_STALE_ID, RBL_OUT_OF_MEMORY
/// Cost: O(n) in their vertices.
RBL_API rbl_result rbl_surface_move_bodies(rbl_surface *surface, const rbl_surface_body_id *bodies,
                                           int count, const rbl_vec3 *start, const rbl_vec3 *end);

/// Move some vertices of a body, from where its last move ended. The others rest, but for those
/// that were moved since the last update. Only what lies around the vertices is updated.
/// @param vertices  ids of vertices of the body, each of some triangle; one that comes twice goes
///                  from its first place to its second
/// @param end       where each of them is at the end of the step
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_STALE_ID
/// Cost: O(log n) per vertex.
RBL_API rbl_result rbl_surface_move_vertices(rbl_surface *surface, rbl_surface_body_id body,
                                             const int *vertices, int count, const rbl_vec3 *end);

/// Move a body, as rbl_surface_move() does, to positions with a stride or as doubles.
/// @param start  in the order of the body's view; NULL: where its last move ended
/// @param end    the same
/// @return RBL_OK, RBL_BAD_ARGUMENT (a position is no finite float, or the stride), RBL_STALE_ID,
///         RBL_OUT_OF_MEMORY
/// Cost: O(n) in its vertices.
RBL_API rbl_result rbl_surface_move_to(rbl_surface *surface, rbl_surface_body_id body,
                                       const rbl_surface_positions *start,
                                       const rbl_surface_positions *end);

/// Move all bodies to the positions of one array, which has those of a whole simulation: a vertex
/// is at its user id, or at its id where no vertex of the surface has a user id. Bodies that are
/// where they were rest.
/// @param start  NULL: where the last move ended
/// @param end    positions of all vertices that are there
/// @param count  of positions in either
/// @return as rbl_surface_move_to(); RBL_BAD_ARGUMENT also for a vertex that has no position
/// Cost: O(n) in all vertices.
RBL_API rbl_result rbl_surface_move_all(rbl_surface *surface, const rbl_surface_positions *start,
                                        const rbl_surface_positions *end, int count);

/// Give vertices other user ids.
/// @param vertices  ids of vertices
/// @param user_ids  from 0, or -1 for none
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log says which), RBL_OUT_OF_MEMORY
RBL_API rbl_result rbl_surface_set_vertex_user_ids(rbl_surface *surface, const int *vertices,
                                                   const int *user_ids, int count);

/// The same for triangles.
RBL_API rbl_result rbl_surface_set_triangle_user_ids(rbl_surface *surface, const int *triangles,
                                                     const int *user_ids, int count);

// --- questions ----------------------------------------------------------------------------------

/// What an update makes ready.
typedef enum rbl_surface_motion {
	/// rbl_surface_collide(): the surface at the end of the step.
	RBL_SURFACE_DISCRETE = 0,
	/// rbl_surface_sweep(): the way from start to end, every vertex on a straight line.
	RBL_SURFACE_CONTINUOUS,
} rbl_surface_motion;

/// Bring trees up to date with all changes since the last update. Memory for changes to come is
/// made here, too, so what rbl_surface_get_data() gave before is gone.
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (call it again)
/// Cost: O(n) in the triangles of moved bodies, and in what changed elsewhere.
RBL_API rbl_result rbl_surface_update(rbl_surface *surface, rbl_surface_motion motion);

/// A list of pairs, ascending.
typedef struct rbl_surface_pairs {
	const rbl_surface_pair *pairs;
	int count;
} rbl_surface_pairs;

/// Find all pairs of triangles that collide, after a discrete update.
/// @param pairs  receives the list, the same for any number of workers, empty on failure; it lives
///               until the next change, update or query, so that the surface can be inspected
///               meanwhile
/// @return RBL_OK, RBL_BAD_ARGUMENT (no discrete update since the last change), RBL_OUT_OF_MEMORY
RBL_API rbl_result rbl_surface_collide(rbl_surface *surface, rbl_surface_pairs *pairs);

/// Which features touch.
typedef enum rbl_surface_hit_kind {
	/// `a` is a vertex, `b` a triangle.
	RBL_HIT_VERTEX_FACE = 0,
	/// `a` and `b` are edges, a < b: 3 t + k runs from corner k of triangle t to the next. An edge
	/// of several triangles has the lowest number of all.
	RBL_HIT_EDGE_EDGE,
	/// `a` and `b` are triangles: for rbl_surface_pair_callback alone.
	RBL_HIT_TRIANGLES,
} rbl_surface_hit_kind;

/// Tells whether something that a query found counts. It must say the same about the same pair as
/// long as it is set.
/// Threads: worker: calls may come from several threads at once. It must not call the surface.
typedef bool rbl_surface_pair_callback(void *user, rbl_surface_hit_kind kind, int a, int b);

/// Choose a callback that has the last word about everything that is found, from the next update
/// on. Filters of bodies and excluded pairs cost less.
/// @param callback  NULL: none
/// @param user      handed to the callback
/// @return RBL_OK, RBL_BAD_ARGUMENT
RBL_API rbl_result rbl_surface_set_pair_callback(rbl_surface *surface,
                                                 rbl_surface_pair_callback *callback, void *user);

/// A vertex and a face, or two edges, that touch within the step.
typedef struct rbl_surface_hit {
	rbl_surface_hit_kind kind;
	int a, b;

	/// When they touch first, 0 at the start of the step and 1 at its end; never later than the
	/// truth.
	float time;

	/// They are in contact, or nearer than the thickness, at the start already: time is 0.
	bool is_at_start;

	/// They are nearer than the thickness at the start, and do not come nearer in the step: a
	/// contact, not an impact. rbl_surface_max_step() leaves it out.
	bool is_parting;

	/// Where: shares of the second and third corner of the face, or how far along both edges.
	float u, v;

	/// Unit, as in rbl_impact: out of the face towards the vertex, or out of edge b towards edge a.
	/// With a thickness it is the direction between the closest points at that time.
	rbl_vec3 normal;
} rbl_surface_hit;

/// A list of hits, ascending by kind, a, b; each vertex and face, and each two edges, once.
typedef struct rbl_surface_hits {
	const rbl_surface_hit *hits;
	int count;
} rbl_surface_hits;

/// Find everything that touches within the step, after a continuous update. What lies through each
/// other all the time, without a vertex on a face or an edge on an edge, is no hit:
/// rbl_surface_collide() has it.
/// @param hits  receives the list, the same for any number of workers, empty on failure; it lives
///              until the next change, update or query
/// @return RBL_OK, RBL_BAD_ARGUMENT (no continuous update since the last change), RBL_OUT_OF_MEMORY
RBL_API rbl_result rbl_surface_sweep(rbl_surface *surface, rbl_surface_hits *hits);

/// Tell on which side of the surface of `b` a hit is: where the point of `a` was, or came from.
/// @param hit  of the last query
/// @return 1 where the normals of the surface point, -1 behind, 0 where there is no telling: at a
///         boundary, or an edge that is not manifold
/// Threads: any number while nothing changes the surface. Cost: the triangles around a vertex.
RBL_API int rbl_surface_hit_side(const rbl_surface *surface, const rbl_surface_hit *hit);

/// Which parts of two features are nearest.
typedef enum rbl_surface_nearest {
	RBL_NEAREST_VERTEX_VERTEX = 0,
	RBL_NEAREST_VERTEX_EDGE,
	/// A vertex and the inside of a face.
	RBL_NEAREST_VERTEX_FACE,
	/// The insides of two edges.
	RBL_NEAREST_EDGE_EDGE,
} rbl_surface_nearest;

/// A vertex and a face, or two edges, that are near each other.
typedef struct rbl_surface_near_pair {
	/// As in rbl_surface_hit.
	rbl_surface_hit_kind kind;
	int a, b;

	/// What of them is nearest. Of an edge or a corner of the face the other faces around it tell
	/// the same, and so do the edges around a vertex.
	rbl_surface_nearest nearest;

	/// The same vertex and vertex, or vertex and edge, is nearest in a pair that comes before. Who
	/// leaves such pairs out counts nothing twice.
	bool is_repeated;

	/// On which side of the surface of `b` the nearest point of `a` is: 1 where the normals point,
	/// -1 behind, 0 where there is no telling: they touch, or the nearest point of `b` is on a
	/// boundary or an edge that is not manifold.
	int8_t side;

	/// When they are within the distance first, 0 at the start of the step and 1 at its end; never
	/// later than the truth. 0 at one instant.
	float time;

	/// How far apart they are, then.
	float distance;

	/// Where: shares of the second and third corner of the face, or how far along both edges.
	float u, v;

	/// The closest points, of a and of b.
	rbl_vec3 points[2];

	/// Unit, from the second point to the first: to move a along it takes the two apart. Where they
	/// touch it is square to the face or to both edges.
	rbl_vec3 direction;
} rbl_surface_near_pair;

/// A list of near pairs, ascending by kind, a, b; each vertex and face, and each two edges, once.
typedef struct rbl_surface_near_pairs {
	const rbl_surface_near_pair *pairs;
	int count;
} rbl_surface_near_pairs;

/// Find every vertex and face, and every two edges, that share no vertex and are within a distance:
/// after a discrete update where they are at its end, after a continuous one at some time of the
/// step. None is missed. At one instant those listed in excess are farther by less than 2^-39 of
/// the size of the features, as far as they are apart included; over a step they are
/// within 1.1 times the distance at their time, but for its rounding, unless nobody can certify a
/// time (rbl_impact). The thickness of bodies does not matter.
/// @param distance  in metres, finite, at least 0
/// @param list      receives the list, the same for any number of workers, empty on failure; it
///                  lives until the next change, update or query
/// @return RBL_OK, RBL_BAD_ARGUMENT (no update since the last change), RBL_OUT_OF_MEMORY
RBL_API rbl_result rbl_surface_proximity(rbl_surface *surface, float distance,
                                         rbl_surface_near_pairs *list);

// --- results by names and bodies ----------------------------------------------------------------
// About the list that the last query gave: pairs, hits, first hits or near pairs. What comes back
// lives as long as the list.

/// What an entry of a list is about, by your numbers.
typedef struct rbl_surface_names {
	/// The bodies of `a` and of `b`, and their user ids.
	rbl_surface_body_id bodies[2];
	uint64_t body_user_ids[2];

	/// User ids of their vertices, -1 where there is none: of a pair of triangles three and three;
	/// of a vertex and a face one and three; of two edges two and two, each from its first vertex.
	/// What is beyond these is -1.
	int vertices[6];

	/// User ids of the triangles, or of those whose edges they are; -1 where there is none, and for
	/// a vertex.
	int triangles[2];
} rbl_surface_names;

/// Names in the order of a list.
typedef struct rbl_surface_name_list {
	const rbl_surface_names *names;
	int count;
} rbl_surface_name_list;

/// Name all entries of the list that the last query gave.
/// @param list  receives the names, empty on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (no list is there), RBL_OUT_OF_MEMORY
/// Cost: O(n) in the list.
RBL_API rbl_result rbl_surface_get_names(rbl_surface *surface, rbl_surface_name_list *list);

/// The entries of two bodies, or of one with itself.
typedef struct rbl_surface_range {
	/// The body with the lower index first.
	rbl_surface_body_id a, b;
	int begin, count;
} rbl_surface_range;

/// A list by bodies.
typedef struct rbl_surface_ranges {
	/// Ascending by the indices of `a` and `b`, none empty.
	const rbl_surface_range *ranges;
	int range_count;

	/// Entry i of a range is order[begin + i] of the list; ascending within a range.
	const int *order;
	int count;
} rbl_surface_ranges;

/// Group the list that the last query gave by pairs of bodies. The list stays as it is.
/// @param ranges  receives the groups, empty on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (no list is there), RBL_OUT_OF_MEMORY
/// Cost: O(n) in the list.
RBL_API rbl_result rbl_surface_get_ranges(rbl_surface *surface, rbl_surface_ranges *ranges);

/// What two colliding triangles have in common.
typedef struct rbl_surface_segment {
	/// Its ends, the same where they touch in a point, right but for rounding.
	rbl_vec3d points[2];

	/// One point of several stands for all: the two lie in one plane, or too close to that to tell.
	bool is_point;
} rbl_surface_segment;

/// Segments in the order of a list of pairs.
typedef struct rbl_surface_segments {
	const rbl_surface_segment *segments;
	int count;
} rbl_surface_segments;

/// Find where the pairs intersect that rbl_surface_collide() gave last.
/// @param list  receives a segment for each pair, empty on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the last list is none of pairs), RBL_OUT_OF_MEMORY
/// Cost: O(n) in the list.
RBL_API rbl_result rbl_surface_get_segments(rbl_surface *surface, rbl_surface_segments *list);

// --- line searches ------------------------------------------------------------------------------
// These end as soon as the answer is known, so they cost less than the whole list of hits. Their
// answers are those of rbl_surface_sweep(), pairs that part left out, for any number of workers.

/// Find out how much of the step can be taken before the first impact, after a continuous update.
/// @param until  only so much of the step matters, above 0 to 1
/// @param share  receives the time of the first impact, which is never later than the truth, or
///               `until` when there is none before; 0 on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the range, or no continuous update since the last change),
///         RBL_OUT_OF_MEMORY
RBL_API rbl_result rbl_surface_max_step(rbl_surface *surface, float until, float *share);

/// Find out whether there is any impact up to a time of the step, after a continuous update.
/// @param has_hit  receives the answer, false on failure
/// @return as rbl_surface_max_step()
RBL_API rbl_result rbl_surface_has_hit(rbl_surface *surface, float until, bool *has_hit);

/// Find out whether any two triangles collide, after a discrete update.
/// @param has_pair  receives the answer, false on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (no discrete update since the last change), RBL_OUT_OF_MEMORY
RBL_API rbl_result rbl_surface_has_pair(rbl_surface *surface, bool *has_pair);

/// Find the first impacts of the step, after a continuous update.
/// @param until      only so much of the step matters, above 0 to 1
/// @param max_count  the most to list, 1 or more
/// @param hits       receives them, ascending by time, then by kind, a, b, none that part; empty on
///                   failure. It lives until the next change, update or query
/// @return as rbl_surface_max_step()
RBL_API rbl_result rbl_surface_first_hits(rbl_surface *surface, float until, int max_count,
                                          rbl_surface_hits *hits);

/// Keep candidates of the step, after a continuous update: all pairs of features that may come
/// within a distance, or within the thickness of their bodies. Until the next change or update
/// rbl_surface_max_step(), rbl_surface_has_hit(), rbl_surface_first_hits() and
/// rbl_surface_proximity_at() go through these alone, with the same answers.
/// @param distance  in metres, finite, at least 0
/// @param count     receives how many there are, 0 on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (no continuous update since the last change), RBL_OUT_OF_MEMORY
RBL_API rbl_result rbl_surface_keep_candidates(rbl_surface *surface, float distance, int *count);

/// Find what is within a distance at one time of the step, among the candidates that are kept.
/// Vertices are on the line from start to end, as doubles. None is missed.
/// @param share     that time, from 0 at the start to 1 at the end; it is `time` of each pair
/// @param distance  in metres, from 0 to that of the candidates
/// @param list      receives the list, as from rbl_surface_proximity()
/// @return RBL_OK, RBL_BAD_ARGUMENT (a range, or no candidates are kept), RBL_OUT_OF_MEMORY
RBL_API rbl_result rbl_surface_proximity_at(rbl_surface *surface, float share, float distance,
                                            rbl_surface_near_pairs *list);

// --- looking ------------------------------------------------------------------------------------

/// The arrays of a surface; they live until the next change or update. Entries of ids that are not
/// in use have no meaning.
typedef struct rbl_surface_data {
	/// Ids of vertices and of triangles are below these.
	int vertex_end, triangle_end;

	/// Positions at start and end of the step, by vertex id.
	const rbl_vec3 *starts, *ends;

	/// Three vertex ids per triangle id.
	const int *triangles;

	/// The half-edge across: 3 t + k runs from corner k of triangle t to the next. Below 0 where
	/// there is none: -1 at a boundary, -2 for the lowest half-edge of an edge that is not
	/// manifold, -3 for its others.
	const int *twins;

	/// By vertex id: the vertex that it was copied from when its body split, itself for others.
	const int *origins;

	/// What you call vertices and triangles, -1 without; NULL where nobody gave any.
	const int *vertex_user_ids, *triangle_user_ids;
} rbl_surface_data;

/// @return the arrays. Threads: any number while nothing changes the surface.
RBL_API rbl_surface_data rbl_surface_get_data(const rbl_surface *surface);

/// A body; the arrays live until the next change or update.
typedef struct rbl_surface_body_data {
	/// Ids of its vertices.
	int vertex_count;
	const int *vertices;

	/// Ids of its triangles.
	int triangle_count;
	const int *triangles;
} rbl_surface_body_data;

/// @return a body, all zero for a stale id. Threads: any number while nothing changes the surface.
RBL_API rbl_surface_body_data rbl_surface_body_get_data(const rbl_surface *surface,
                                                        rbl_surface_body_id body);

/// @return the body of a triangle, all zero when there is no such triangle. Threads: as above.
RBL_API rbl_surface_body_id rbl_surface_triangle_body(const rbl_surface *surface, int triangle);

/// Where a vertex or a triangle is: its body, and its place in the lists of the body's view. All
/// zero where the id is not in use.
typedef struct rbl_surface_place {
	rbl_surface_body_id body;
	int place;
} rbl_surface_place;

/// The places of all vertices and triangles, by id, below vertex_end and triangle_end of
/// rbl_surface_get_data(); they live until the next change or update. The way back is
/// rbl_surface_body_get_data().
typedef struct rbl_surface_map {
	const rbl_surface_place *vertices, *triangles;
} rbl_surface_map;

/// Find where all vertices and triangles are.
/// @param map  receives the arrays, all zero on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Cost: O(n) in all vertices and triangles.
RBL_API rbl_result rbl_surface_get_map(rbl_surface *surface, rbl_surface_map *map);

/// @return what you call a body, 0 for a stale id. Threads: as above.
RBL_API uint64_t rbl_surface_body_user_id(const rbl_surface *surface, rbl_surface_body_id body);

/// Label the manifold parts of a body: triangles joined by manifold edges.
/// @param labels  receives a number per triangle in the order of the view, from 0, in the order of
///                first triangles
/// @param count   receives the number of parts
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_STALE_ID, RBL_OUT_OF_MEMORY
/// Cost: O(n).
RBL_API rbl_result rbl_surface_body_get_components(const rbl_surface *surface,
                                                   rbl_surface_body_id body, int *labels,
                                                   int *count);

/// Numbers about a surface, the last update and the last query.
typedef struct rbl_surface_stats {
	int body_count, vertex_count, triangle_count, cluster_count;

	/// Bytes held, everything included.
	size_t memory;

	/// Update: nodes fitted, sub-trees rebuilt, and clusters in them.
	int64_t fitted_nodes, rebuilt_trees, rebuilt_clusters;

	/// Query: tests of node boxes; clusters tested against each other or themselves; nodes whose
	/// normals passed, contours tested, and nodes that were culled; triangles in those.
	int64_t box_tests, cluster_tests, normal_passes, contour_tests, culled_nodes, culled_triangles;

	/// Query: pairs of triangles whose boxes overlap; those culled by the fan of their shared
	/// vertex; exact tests (of triangles, or of vertex-face and edge-edge); tests that found
	/// nothing.
	int64_t candidates, fan_culled, tests, false_tests;

	/// Expected box tests of a self-collision query (TC_S), summed over bodies.
	double self_cost;

	/// Nanoseconds of the last calls: changes since the last update, the update, the query.
	uint64_t change_ns, update_ns, query_ns;
} rbl_surface_stats;

/// @return the numbers; all zero for NULL. Threads: any number while nothing changes the surface.
/// Cost: O(bodies).
RBL_API rbl_surface_stats rbl_surface_get_stats(const rbl_surface *surface);
