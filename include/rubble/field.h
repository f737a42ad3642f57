// SPDX-License-Identifier: MIT
// Distance fields: how far a point is from a surface, on which side, and in which direction it
// leaves.
//
// A field is made once from a closed mesh and never changes. Fragments of that mesh, broken once or
// many times, get fields of their own that share it: nothing is sampled again when something
// breaks.
#pragma once

#include <rubble/base.h>
#include <rubble/jobs.h>
#include <rubble/mesh.h>
#include <rubble/types.h>

/// The most cells along the diagonal of a field.
#define RBL_MAX_FIELD_RESOLUTION 1024

/// A distance field: negative inside, positive outside. It never changes after creation, so worlds
/// and threads may share one.
typedef struct rbl_distance_field rbl_distance_field;

/// How to make the field of a mesh. Start from rbl_default_distance_field_def().
typedef struct rbl_distance_field_def {
	/// A closed mesh, its faces looking outward: every edge is walked as often in one direction as
	/// in the other, by position. Shells inside of others are voids. Where shells overlap, the
	/// faces inside count as surface: depths there are those of the nearest face. Read during the
	/// call only.
	const rbl_mesh *mesh;

	/// Cells along the diagonal of the mesh's box, 8 to RBL_MAX_FIELD_RESOLUTION. Default 128.
	int resolution;

	/// The thinnest wall of the mesh in metres, 0: not known. Cells are at most half as wide, as
	/// far as RBL_MAX_FIELD_RESOLUTION allows; walls thinner than a cell are seen as an error and
	/// not as an inside. Default 0.
	double wall;

	/// Workers; NULL: the caller's thread. The result is the same bits.
	rbl_jobs *jobs;

	/// Memory of the field, also used by workers.
	rbl_allocator allocator;

	/// Filled by rbl_default_distance_field_def(). Leave it alone.
	uint32_t cookie;
} rbl_distance_field_def;

/// @return a definition without a mesh. Threads: any.
RBL_API rbl_distance_field_def rbl_default_distance_field_def(void);

/// Make the field of a closed mesh.
/// @param field  receives the field, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_MESH (empty, open, flat, inside out, or far from the
///         origin for its size; the log says which), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: about 0.2 s for 70,000 triangles at 128 on one worker, meant for load time.
RBL_API rbl_result rbl_create_distance_field(const rbl_distance_field_def *def,
                                             rbl_distance_field **field);

/// Destroy a field, after all fragments' fields that share it. NULL is fine.
RBL_API void rbl_destroy_distance_field(rbl_distance_field *field);

/// A field in numbers.
typedef struct rbl_distance_field_info {
	/// The box around what it is the field of, in the field's coordinates.
	rbl_box bounds;

	/// Width of the finest cells in metres.
	float cell_size;

	/// How far distances may be off, in metres: where the surface is, and anywhere in `bounds`.
	float surface_error, largest_error;

	/// Memory in bytes, without what it shares.
	size_t bytes;

	/// Bricks of 8 x 8 x 8 cells by level, the finest first; zero for fragments.
	int brick_counts[3];
} rbl_distance_field_info;

/// @return the numbers; all zero for NULL. Threads: any.
RBL_API rbl_distance_field_info rbl_distance_field_get_info(const rbl_distance_field *field);

// --- questions ----------------------------------------------------------------------------------
// Points are in the field's coordinates. Points that are not finite are outside, infinitely far
// away.

/// Find out which points are inside. Wrong only within the field's error of the surface.
/// @param inside  receives an answer per point
/// @return RBL_OK, RBL_BAD_ARGUMENT
/// Threads: any. Cost: about 8 ns per point, for fragments 3 more and some for each plane.
RBL_API rbl_result rbl_distance_field_contains(const rbl_distance_field *field,
                                               const rbl_vec3 *points, int count, bool *inside);

/// Find out how deep points are inside, and in which direction they leave by the shortest way.
/// @param depths   receives metres, negative outside: there the surface is at least so far away,
///                 less the bound
/// @param normals  receives unit vectors, from the point to the surface when inside and away from
///                 it when outside; or NULL
/// @param bounds   receives how far the depth may be off; or NULL
/// @return RBL_OK, RBL_BAD_ARGUMENT
/// Threads: any.
RBL_API rbl_result rbl_distance_field_penetration(const rbl_distance_field *field,
                                                  const rbl_vec3 *points, int count, float *depths,
                                                  rbl_vec3 *normals, float *bounds);

/// Find out which spheres may touch what the field is of. A sphere that does is never left out.
/// @param radii     metres; one that is negative or NaN touches nothing
/// @param overlaps  receives an answer per sphere
/// @return RBL_OK, RBL_BAD_ARGUMENT
/// Threads: any.
RBL_API rbl_result rbl_distance_field_overlaps_sphere(const rbl_distance_field *field,
                                                      const rbl_vec3 *centres, const float *radii,
                                                      int count, bool *overlaps);

// --- fragments ----------------------------------------------------------------------------------

/// Several cells that hold together, as one region of space. Arrays are the caller's and read
/// during the call only.
typedef struct rbl_cell_union {
	/// Number of cells, 1 or more.
	int cell_count;

	/// Cell c has the planes plane_starts[c] to plane_starts[c + 1] - 1: cell_count + 1 numbers.
	const int *plane_starts;

	/// Outward, unit normals.
	const rbl_plane *planes;

	/// Boxes around the cells, or NULL; with them fewer cells are looked at for a point.
	const rbl_box *cell_boxes;

	/// Number of exposed polygons: faces of cells, or convex parts of them, that no other cell of
	/// the union lies behind. What two cells of the union share is not among them.
	int polygon_count;

	/// Polygon p has the corners corner_starts[p] to corner_starts[p + 1] - 1: polygon_count + 1
	/// numbers.
	const int *corner_starts;

	/// Corners, counter-clockwise from outside; each polygon is convex and flat.
	const rbl_vec3 *corners;
} rbl_cell_union;

/// Triangles of a closed surface: three corners each.
typedef struct rbl_triangle_list {
	const rbl_vec3 *corners;
	int triangle_count;
} rbl_triangle_list;

/// What a fragment is: what lies in the original, in its box, behind all planes, and in each union.
/// All coordinates are the original's, whatever became of the fragment since, so breaking again
/// only adds planes or a union. Start from rbl_default_fragment_field_def().
typedef struct rbl_fragment_field_def {
	/// The field of the mesh that was broken first, made by rbl_create_distance_field(). It must
	/// live as long as the fragment's field.
	const rbl_distance_field *original;

	/// There is no original: the region is its box, planes and unions alone, exactly. So convexes,
	/// compounds of them and floors have fields. Default false.
	bool without_original;

	/// From the fragment's coordinates to the original's. Default the identity.
	rbl_transform transform;

	/// The box around the fragment in the original's coordinates. Default empty, which is refused.
	rbl_box box;

	/// Planes of the cells it was cut out with, outward, unit normals. Default none.
	const rbl_plane *planes;
	int plane_count;

	/// Unions of bonded cells it was cut out with, one for each break. A single cell is given by
	/// `planes`. Default none.
	const rbl_cell_union *unions;
	int union_count;

	/// Only where other pieces of the same cells overlap the fragment's box: the fragment's
	/// surface, and that of those pieces. Planes and box cannot tell them apart then. Default none.
	rbl_triangle_list surface, others;

	/// Memory of the field.
	rbl_allocator allocator;

	/// Filled by rbl_default_fragment_field_def(). Leave it alone.
	uint32_t cookie;
} rbl_fragment_field_def;

/// @return a definition without original and box. Threads: any.
RBL_API rbl_fragment_field_def rbl_default_fragment_field_def(void);

/// Make the field of a fragment: inside it is as good as the original's, outside it is a lower
/// bound.
/// @param def    read during the call only
/// @param field  receives the field, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names what is wrong), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: a microsecond and what is copied; `surface` costs O(triangles and their
/// cells).
RBL_API rbl_result rbl_create_fragment_field(const rbl_fragment_field_def *def,
                                             rbl_distance_field **field);

// --- as bytes -----------------------------------------------------------------------------------

/// Write the field of a mesh as one block of bytes, little-endian on every platform. Fields of
/// fragments are made again from their planes and cannot be written.
/// @param bytes  receives the bytes; NULL to ask for the size only
/// @param size   room in `bytes`; receives the number of bytes
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_UNSUPPORTED (not the field of a mesh), RBL_LIMIT_REACHED
///         (room is short; `size` says what it takes)
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_distance_field_save(const rbl_distance_field *field, void *bytes,
                                           size_t *size);

/// Read a field back. It answers the same, bit for bit. A block that was cut short or changed
/// anywhere is refused.
/// @param allocator  memory of the field, NULL for the process's default
/// @param field      receives the field, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_FILE, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_distance_field_load(const void *bytes, size_t size,
                                           const rbl_allocator *allocator,
                                           rbl_distance_field **field);
