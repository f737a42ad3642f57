// SPDX-License-Identifier: MIT
// Inside a collider: one convex form, or many children under a tree.
#pragma once

#include "base/blob.h"
#include "collide/axis.h"
#include "collide/polyhedron.h"
#include "tree/tree.h"

#include <rubble/collide.h>

/// Cells of a height field under one leaf of its tree, along each side.
#define RBL_FIELD_TILE 8

/// The parts of compounds, meshes and height fields.
typedef struct rbl_collider_parts {
	rbl_tree_pool pool;
	rbl_tree tree; // leaves: children, triangles, or tiles of a field

	int *ranks; // of children, in the order in which queries visit them; of a field NULL: its own

	const rbl_collider_child *children; // of a compound

	const rbl_vec3 *positions; // of a mesh
	int vertex_count;
	const int *triangles;  // three vertices each
	const int *neighbours; // the triangle beyond each side, -1 for none

	const float *heights; // of a field
	int column_count, row_count;
	float cell_size;
} rbl_collider_parts;

struct rbl_collider {
	rbl_collider_kind kind;
	int child_count;
	rbl_box box;                // around everything, in the collider's frame
	const rbl_polyhedron *form; // of convex kinds, else NULL
	rbl_collider_parts *parts;  // of the others, else NULL
	rbl_allocator allocator;
	size_t size; // of the block
};

/// A child as it collides: its form, and its pose in the collider.
typedef struct rbl_child_form {
	const rbl_polyhedron *form;
	rbl_transform pose;
} rbl_child_form;

static inline bool rbl_collider_is_convex(const rbl_collider *c)
{
	return c->form != NULL;
}

/// Made of triangles, which are solid on their back.
static inline bool rbl_collider_is_surface(const rbl_collider *c)
{
	return c->kind == RBL_COLLIDER_MESH || c->kind == RBL_COLLIDER_HEIGHT_FIELD;
}

/// A child. @param scratch  holds a triangle's form
/// @return false when it has none: a triangle without area
bool rbl_collider_child_at(const rbl_collider *c, int child, rbl_small_polyhedron *scratch,
                           rbl_child_form *out);

/// The corners of a triangle of a surface.
void rbl_collider_triangle(const rbl_collider *c, int child, rbl_vec3 corners[3]);

/// The triangle beyond side `side` of a triangle, -1 for none.
int rbl_collider_neighbour(const rbl_collider *c, int child, int side);

/// Receives a child; false ends the query.
typedef bool rbl_child_visitor(void *context, int child);

/// All children whose boxes overlap a box in the collider's frame, in a fixed order.
bool rbl_collider_query(const rbl_collider *c, rbl_box box, rbl_child_visitor *visitor,
                        void *context);

/// Where a child comes in the order of queries.
static inline int rbl_collider_rank(const rbl_collider *c, int child)
{
	return c->parts && c->parts->ranks ? c->parts->ranks[child] : child;
}

/// The children below a leaf of the tree.
bool rbl_collider_leaf(const rbl_collider *c, uint32_t leaf, rbl_child_visitor *visitor,
                       void *context);

/// Move one form of a body, which turns evenly about its own origin, from one pose of the body to
/// another: rbl_collider_cast_motion() for a part that lies anywhere in it.
rbl_cast_hit rbl_form_cast_motion(const rbl_child_form *part, rbl_transform from, rbl_transform to,
                                  const rbl_collider *target, rbl_transform target_pose);

/// Where a body is after a share of such a motion.
rbl_transform rbl_motion_pose_at(rbl_transform from, rbl_transform to, float fraction);

/// The tight box of a form in a pose.
rbl_box rbl_form_bounds(const rbl_polyhedron *form, rbl_transform pose);

/// Whether a pose is finite and its rotation of unit length.
bool rbl_pose_is_valid(rbl_transform pose);

/// Make the parts of a mesh or a field: mesh_shape.c.
rbl_result rbl_collider_make_mesh(rbl_collider *c, const rbl_collider_def *def);
rbl_result rbl_collider_make_field(rbl_collider *c, const rbl_collider_def *def);
rbl_result rbl_collider_read_mesh(rbl_collider *c, rbl_blob_reader *r);
void rbl_collider_free_parts(rbl_collider *c);

/// Finish a collider that has its form or parts: order of children, box.
rbl_result rbl_collider_finish(rbl_collider *c);

/// A collider with `extra` bytes behind it, and where they are.
rbl_collider *rbl_collider_new(rbl_collider_kind kind, const rbl_allocator *allocator,
                               size_t extra);
void *rbl_collider_behind(rbl_collider *c);
rbl_collider *rbl_collider_new_parts(rbl_collider_kind kind, const rbl_allocator *allocator);

/// Bytes before the rows of a convex form. Behind the collider they make up whole cache lines, and
/// hardly any are lost.
enum { RBL_FORM_HEAD = 96, RBL_COLLIDER_HEAD = 96 };

_Static_assert(sizeof(rbl_polyhedron) <= RBL_FORM_HEAD, "a form before its rows");
_Static_assert(sizeof(struct rbl_collider) <= RBL_COLLIDER_HEAD, "a collider before its form");
_Static_assert((RBL_FORM_HEAD + RBL_COLLIDER_HEAD) % RBL_CACHE_LINE == 0, "aligned rows");

/// Write a collider that is no compound, and read it: the same bits.
/// @return whether the reader is still good; NULL otherwise
void rbl_collider_save(const rbl_collider *c, rbl_blob_writer *w);
bool rbl_collider_load(rbl_blob_reader *r, const rbl_allocator *allocator, rbl_collider **collider);

/// What a pair remembers.
void rbl_axis_cache_save(const rbl_axis_cache *cache, rbl_blob_writer *w);
bool rbl_axis_cache_load(rbl_blob_reader *r, rbl_axis_cache *cache);

/// A manifold.
void rbl_manifold_save(const rbl_manifold *m, rbl_blob_writer *w);
bool rbl_manifold_load(rbl_blob_reader *r, rbl_manifold *m);

/// What two colliders remember, and reading it into empty contacts of the two.
void rbl_contacts_save(const rbl_contacts *contacts, rbl_blob_writer *w);
bool rbl_contacts_load(rbl_blob_reader *r, rbl_contacts *contacts, const rbl_collider *a,
                       const rbl_collider *b);
