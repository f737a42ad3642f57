// SPDX-License-Identifier: MIT
// Inside a collider: one polyhedron, or many children under a tree.
#pragma once

#include "base/blob.h"
#include "base/references.h"
#include "collide/material.h"
#include "collide/pair.h"
#include "collide/polyhedron.h"
#include "tree/tree.h"

#include <rubble/collide.h>

/// Cells of a height field under one leaf of its tree, along each side.
#define RBL_HEIGHT_FIELD_TILE 8

/// The parts of compounds, meshes and height fields.
typedef struct rbl_collider_parts {
	rbl_tree_pool pool;
	rbl_tree tree; // leaves: children, triangles, or tiles of a height field

	int *ranks; // of children in the order in which queries visit them; NULL: of a height field

	const rbl_collider_child *children; // of a compound

	const rbl_vec3 *positions; // of a mesh
	int vertex_count;
	const int *triangles;  // three vertices each
	const int *neighbours; // the triangle across each side, -1 for none
	bool is_for_casts;     // contacts do not ask it: it has no neighbours

	const float *heights; // of a height field
	int column_count, row_count;
	float cell_size;

	rbl_plane plane;                // of a plane
	rbl_quat plane_rotation;        // takes the y axis to its normal
	const rbl_material **materials; // of triangles, each may be NULL
	int material_count;
	uint8_t *material_slots; // of the triangles of a mesh, the cells of a height field; or NULL
} rbl_collider_parts;

struct rbl_collider {
	rbl_collider_kind kind;
	int child_count;
	rbl_box box;                      // around everything, in the collider's frame
	const rbl_polyhedron *polyhedron; // of convex kinds, else NULL
	rbl_collider_parts *parts;        // of the others, else NULL
	rbl_allocator allocator;
	size_t size; // of the block
	rbl_references references;
};

/// Hold a collider, too: rbl_destroy_collider() lets go of it.
static inline const rbl_collider *rbl_collider_share(const rbl_collider *collider)
{
	rbl_add_reference(&((rbl_collider *)(uintptr_t)collider)->references);
	return collider;
}

/// How many materials the triangles of a collider have.
static inline int rbl_collider_material_count(const rbl_collider *c)
{
	return c->parts ? c->parts->material_count : 0;
}

/// The material of a triangle, NULL: as the body.
static inline const rbl_material *rbl_collider_child_material(const rbl_collider *c, int child)
{
	const rbl_collider_parts *p = c->parts;
	if (!p || p->material_count == 0 || child < 0 || child >= c->child_count)
		return NULL;
	int at = c->kind == RBL_COLLIDER_HEIGHT_FIELD ? child / 2 : child;
	int slot = p->material_slots ? p->material_slots[at] : 0;
	return slot < p->material_count ? p->materials[slot] : NULL;
}

/// Give a mesh or height field materials, without slots. @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_collider_set_materials(rbl_collider *c, const rbl_material *const *materials,
                                      int count);

/// Slots for a collider that has triangles: as many as rbl_collider_slot_count() says.
int rbl_collider_slot_count(const rbl_collider *c);

/// A child as it collides: its polyhedron, and its pose in the collider.
typedef struct rbl_child_polyhedron {
	const rbl_polyhedron *polyhedron;
	rbl_transform pose;
} rbl_child_polyhedron;

/// Of a static kind: made of triangles, which are solid on their back, or a plane.
static inline bool rbl_collider_is_surface(const rbl_collider *c)
{
	return c->kind == RBL_COLLIDER_MESH || c->kind == RBL_COLLIDER_HEIGHT_FIELD ||
	       c->kind == RBL_COLLIDER_PLANE;
}

/// Get a child, not of a plane. @param scratch  holds the polyhedron of a triangle
/// @return false for a triangle without area
bool rbl_collider_child_at(const rbl_collider *c, int child, rbl_small_polyhedron *scratch,
                           rbl_child_polyhedron *out);

/// Get the child of a plane: a box behind it that is all of it for what is within `near`.
void rbl_collider_plane_near(const rbl_collider *c, rbl_box near, rbl_small_polyhedron *scratch,
                             rbl_child_polyhedron *out);

/// The height of a point above a plane.
static inline float rbl_collider_plane_height(const rbl_collider *c, rbl_vec3 point)
{
	return rbl_dot(c->parts->plane.normal, point) - c->parts->plane.offset;
}

/// The corners of a triangle of a mesh or height field.
void rbl_collider_triangle(const rbl_collider *c, int child, rbl_vec3 corners[3]);

/// The triangle across side `side` of a triangle, -1 for none.
int rbl_collider_neighbour(const rbl_collider *c, int child, int side);

/// Receives a child; false ends the query.
typedef bool rbl_child_visitor(void *context, int child);

/// All children whose boxes overlap a box in the collider's frame, in a fixed order.
bool rbl_collider_query(const rbl_collider *c, rbl_box box, rbl_child_visitor *visitor,
                        void *context);

/// The position of a child in the order of queries.
static inline int rbl_collider_rank(const rbl_collider *c, int child)
{
	return c->parts && c->parts->ranks ? c->parts->ranks[child] : child;
}

/// The children below a leaf of the tree.
bool rbl_collider_leaf(const rbl_collider *c, uint32_t leaf, rbl_child_visitor *visitor,
                       void *context);

/// Move one part of a body from one pose of the body to another, rotating evenly about the body's
/// origin: rbl_collider_cast_motion() for a part anywhere in it.
rbl_cast_hit rbl_polyhedron_cast_motion(const rbl_child_polyhedron *part, rbl_transform from,
                                        rbl_transform to, const rbl_collider *target,
                                        rbl_transform target_pose);

/// The pose of a body after a fraction of such a motion.
rbl_transform rbl_collide_pose_at(rbl_transform from, rbl_transform to, float fraction);

/// The tight box of a polyhedron in a pose.
rbl_box rbl_polyhedron_bounds(const rbl_polyhedron *p, rbl_transform pose);

/// Whether a pose is finite and its rotation of unit length.
bool rbl_pose_is_valid(rbl_transform pose);

/// Check two colliders and their poses. @return RBL_OK, RBL_BAD_ARGUMENT, RBL_UNSUPPORTED
rbl_result rbl_collider_check_pair(const rbl_collider *a, rbl_transform pose_a,
                                   const rbl_collider *b, rbl_transform pose_b);

/// Whether the children of A are visited one by one, each down the tree of B; else the other way
/// round. Meshes and height fields have the most children and are not visited.
static inline bool rbl_collider_visits_a(const rbl_collider *a, const rbl_collider *b)
{
	return a->polyhedron || rbl_collider_is_surface(b) ||
	       (!b->polyhedron && !rbl_collider_is_surface(a) && a->child_count <= b->child_count);
}

/// Make the parts of a mesh or a height field: mesh_collider.c.
rbl_result rbl_collider_make_mesh(rbl_collider *c, const rbl_collider_def *def);
rbl_result rbl_collider_make_height_field(rbl_collider *c, const rbl_collider_def *def);

/// Create a mesh collider in little time, for casts, overlaps and drawing of a body that others
/// touch in another way.
/// @param meshes  all of them together; NULL among them is skipped
/// @return RBL_OK, RBL_BAD_MESH, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY: `collider` is NULL then
rbl_result rbl_create_cast_collider(const rbl_mesh *const *meshes, int mesh_count,
                                    const rbl_allocator *allocator, rbl_collider **collider);
rbl_result rbl_collider_read_mesh(rbl_collider *c, rbl_blob_reader *r);
rbl_result rbl_collider_scale_mesh(rbl_collider *c, const rbl_collider *original, rbl_vec3 scale);
rbl_result rbl_collider_make_plane(rbl_collider *c, rbl_vec3 point, rbl_vec3 normal);
void rbl_collider_free_parts(rbl_collider *c);

/// Finish a collider that has its polyhedron or parts: order of children, box.
rbl_result rbl_collider_finish(rbl_collider *c);

/// A collider followed by `extra` bytes, and where they are.
rbl_collider *rbl_collider_new(rbl_collider_kind kind, const rbl_allocator *allocator,
                               size_t extra);
void *rbl_collider_behind(rbl_collider *c);
rbl_collider *rbl_collider_new_parts(rbl_collider_kind kind, const rbl_allocator *allocator);

/// Bytes before the rows of a polyhedron. With those of its collider they are whole cache lines.
enum { RBL_POLYHEDRON_HEAD = 96, RBL_COLLIDER_HEAD = 96 };

_Static_assert(sizeof(rbl_polyhedron) <= RBL_POLYHEDRON_HEAD, "a polyhedron before its rows");
_Static_assert(sizeof(struct rbl_collider) <= RBL_COLLIDER_HEAD,
               "a collider before its polyhedron");
_Static_assert((RBL_POLYHEDRON_HEAD + RBL_COLLIDER_HEAD) % RBL_CACHE_LINE == 0, "aligned rows");

/// Make the polyhedron of a cylinder or cone of radius `radii[0]` at a, `radii[1]` at b.
rbl_result rbl_collider_make_revolution(rbl_collider_kind kind, const rbl_allocator *allocator,
                                        rbl_vec3 a, rbl_vec3 b, const float radii[2],
                                        rbl_collider **collider);

static inline bool rbl_collider_kind_is_revolution(int kind)
{
	return kind == RBL_COLLIDER_CYLINDER || kind == RBL_COLLIDER_CONE;
}

/// Write a collider that is no compound, and read it: the same bits.
/// @return whether the reader is still good
void rbl_collider_save(const rbl_collider *c, rbl_blob_writer *w);
bool rbl_collider_load(rbl_blob_reader *r, const rbl_allocator *allocator, rbl_collider **collider);

/// Which of its materials each triangle of a collider has, and their number; the materials
/// themselves are the owner's to write. Reading: the collider has none yet.
/// @return whether the reader is still good
void rbl_collider_put_slots(const rbl_collider *c, rbl_blob_writer *w);
bool rbl_collider_get_slots(rbl_blob_reader *r, rbl_collider *c, int *material_count);

/// The cache of a pair.
void rbl_sat_cache_save(const rbl_sat_cache *cache, rbl_blob_writer *w);
bool rbl_sat_cache_load(rbl_blob_reader *r, rbl_sat_cache *cache);

/// A manifold.
void rbl_manifold_save(const rbl_manifold *m, rbl_blob_writer *w);
bool rbl_manifold_load(rbl_blob_reader *r, rbl_manifold *m);

/// The caches and manifolds of two colliders; they are read into empty contacts of the two.
void rbl_contacts_save(const rbl_contacts *contacts, rbl_blob_writer *w);
bool rbl_contacts_load(rbl_blob_reader *r, rbl_contacts *contacts, const rbl_collider *a,
                       const rbl_collider *b);
