// SPDX-License-Identifier: MIT
// The polyhedron that convex shapes collide as: single precision, rows for eight-wide tests.
//
// Spheres, capsules, triangles, boxes and convexes are all a core and a radius around it: a
// sphere's core is one vertex, a capsule's a segment. A core of less than three dimensions has
// extra planes without a polygon, so that every edge has two neighbouring normals and one search
// for separating axes serves all.
//
// Cylinders and cones are solids of revolution (revolution.c). Their support function is exact;
// vertices, planes and edges are those of an inscribed prism or pyramid, from which searches start
// and which drawing shows.
#pragma once

#include "base/memory.h"
#include "base/vec.h"

#include <rubble/convex.h>

#include <stdint.h>

/// Rows are padded to a multiple of this.
#define RBL_POLYHEDRON_PAD 8

enum {
	RBL_POLYHEDRON_MAX_VERTICES = 256, // RBL_MAX_CONVEX_VERTICES, padded
	RBL_POLYHEDRON_MAX_PLANES = RBL_MAX_CONVEX_FACES,
	RBL_POLYHEDRON_MAX_EDGES = 384, // 3 RBL_MAX_CONVEX_FACES - 6, padded
};

/// An edge; its direction is that of cross(normal of left, normal of right). Directions are not
/// stored: they are differences of vertices, without loss, and would be a third of the memory.
typedef struct rbl_polyhedron_edge {
	uint8_t tail, head;  // vertices
	uint8_t left, right; // planes
} rbl_polyhedron_edge;

/// A solid of revolution: the hull of two discs across an axis. A cylinder's are alike, a cone's
/// second one is a point.
typedef struct rbl_revolution {
	rbl_vec3d ends[2];           // centres of the discs
	rbl_vec3d axis;              // unit, from the first to the second
	rbl_vec3d across[2];         // unit, perpendicular to the axis and to each other
	double radii[2];             // of the discs
	double length;               // of the axis
	double side_out, side_along; // of the side's unit normal: away from the axis, and along it
} rbl_revolution;

typedef struct rbl_polyhedron {
	int vertex_count;
	int face_count;  // planes with a polygon
	int plane_count; // those first, then planes that only bound edges
	int edge_count;
	int vertex_stride, plane_stride, edge_stride; // padded

	float radius;          // around the core; 0 for polyhedra
	float bounding_radius; // of the core and its radius, from the origin
	float min_width;       // the least width across a face, radius included

	const float *vertices;                // rows x y z, padded with the first vertex
	const float *planes;                  // rows nx ny nz offset, padded with planes at infinity
	const rbl_polyhedron_edge *edge_list; // padded with the first edge
	const uint16_t *face_starts; // face f has the corners face_starts[f] to face_starts[f + 1] - 1
	const uint8_t *corners;      // vertices, counter-clockwise from outside

	const rbl_revolution *revolution; // of cylinders and cones, which it is inscribed in; else NULL
} rbl_polyhedron;

static inline rbl_vec3 rbl_polyhedron_vertex(const rbl_polyhedron *p, int i)
{
	const float *x = p->vertices + i;
	return (rbl_vec3){ x[0], x[p->vertex_stride], x[2 * p->vertex_stride] };
}

static inline rbl_vec3 rbl_polyhedron_normal(const rbl_polyhedron *p, int i)
{
	const float *x = p->planes + i;
	return (rbl_vec3){ x[0], x[p->plane_stride], x[2 * p->plane_stride] };
}

static inline float rbl_polyhedron_offset(const rbl_polyhedron *p, int i)
{
	return p->planes[i + 3 * p->plane_stride];
}

/// Of an edge, from tail to head, not normalized.
static inline rbl_vec3 rbl_polyhedron_direction(const rbl_polyhedron *p, int i)
{
	rbl_polyhedron_edge edge = p->edge_list[i];
	return rbl_sub(rbl_polyhedron_vertex(p, edge.head), rbl_polyhedron_vertex(p, edge.tail));
}

/// The support vertex along `direction`, the first of equals. @return its coordinate there
float rbl_polyhedron_support(const rbl_polyhedron *p, rbl_vec3 direction, int *vertex);

/// The support point along `direction`, of cylinders and cones, too.
rbl_vec3 rbl_polyhedron_support_point(const rbl_polyhedron *p, rbl_vec3 direction);

/// The greatest coordinate of the core along `direction`, of cylinders and cones, too.
float rbl_polyhedron_extent(const rbl_polyhedron *p, rbl_vec3 direction);

/// The face whose normal is farthest along `direction`, -1 when there is no face.
int rbl_polyhedron_face_along(const rbl_polyhedron *p, rbl_vec3 direction);

/// The box of a convex's vertices.
static inline rbl_boxd rbl_convex_data_box(const rbl_convex_data *convex)
{
	rbl_boxd box = rbl_box_empty_d();
	for (int v = 0; v < convex->vertex_count; ++v)
		box = rbl_box_add_point_d(box, convex->vertices[v]);
	return box;
}

/// Bytes that rbl_polyhedron_from_convex() needs at most, for a convex of these sizes.
size_t rbl_polyhedron_size(int face_count, int vertex_count);

/// Make the polyhedron of a convex. Nothing is computed again: planes are rounded, vertices that
/// coincide are welded, and faces and edges without extent vanish.
/// @param origin  of the polyhedron, in the convex's coordinates
/// @param box     of the convex: rbl_convex_data_box()
/// @param memory  rbl_polyhedron_size() bytes, aligned to 16
/// @return false when less than four vertices or faces are left in single precision
bool rbl_polyhedron_from_convex(rbl_polyhedron *p, const rbl_convex_data *convex, rbl_vec3d origin,
                                rbl_boxd box, void *memory);

/// The arrays of a polyhedron, to be filled.
typedef struct rbl_polyhedron_arrays {
	float *vertices, *planes;
	rbl_polyhedron_edge *edge_list;
	uint16_t *face_starts;
	uint8_t *corners;
} rbl_polyhedron_arrays;

/// Set strides and arrays of a polyhedron whose counts are set. @param memory  NULL: only get the
/// size
/// @return bytes
size_t rbl_polyhedron_layout(rbl_polyhedron *p, int corner_count, void *memory,
                             rbl_polyhedron_arrays *arrays);

/// Fill the padding.
void rbl_polyhedron_pad(rbl_polyhedron *p, rbl_polyhedron_arrays *arrays);

/// Bytes that the arrays of a polyhedron occupy.
size_t rbl_polyhedron_used(const rbl_polyhedron *p);

/// Copy a polyhedron made by rbl_polyhedron_from_convex() to memory of rbl_polyhedron_used() bytes.
void rbl_polyhedron_move(rbl_polyhedron *to, const rbl_polyhedron *from, void *memory);

/// Scale a polyhedron whose arrays are its own, and its radius by scale.x. No solid of revolution.
/// @return false when it has no width left in single precision
bool rbl_polyhedron_scale(rbl_polyhedron *p, rbl_vec3 scale);

/// Set `radius`, what is around the core, and the sizes that follow.
void rbl_polyhedron_set_radius(rbl_polyhedron *p, float radius);

/// A small polyhedron with its arrays.
typedef struct rbl_small_polyhedron {
	_Alignas(32) float vertices[3 * 8];
	float planes[4 * 8];
	rbl_polyhedron_edge edge_list[16];
	uint16_t face_starts[8];
	uint8_t corners[24];
	rbl_polyhedron polyhedron; // points into the arrays above
} rbl_small_polyhedron;

/// A box around `centre`, half sizes > 0.
void rbl_polyhedron_from_box(rbl_small_polyhedron *p, rbl_vec3 centre, rbl_vec3 half_size);

/// A ball.
void rbl_polyhedron_from_sphere(rbl_small_polyhedron *p, rbl_vec3 centre, float radius);

/// A ball swept from a to b, which differ.
void rbl_polyhedron_from_capsule(rbl_small_polyhedron *p, rbl_vec3 a, rbl_vec3 b, float radius);

/// A triangle: two faces, the front first. @return false when it has no area
bool rbl_polyhedron_from_triangle(rbl_small_polyhedron *p, rbl_vec3 a, rbl_vec3 b, rbl_vec3 c);
