// SPDX-License-Identifier: MIT
// The mesh builder behind all procedural shapes: vertices, polygons, sheets of quads, revolved
// profiles and chamfered boxes; normals and texture coordinates come by themselves.
//
// Calls do not return errors: the first failure sticks, later calls do nothing, and
// rbl_builder_finish() reports it. So a shape reads as a list of what it consists of.
//
// Vertices are never joined by position. What shall be one surface shares indices.
#pragma once

#include "procedural/memory.h"
#include "procedural/vectors.h"

#include <rubble/mesh.h>

typedef struct rbl_builder {
	rbl_allocator allocator;
	rbl_result result; // the first failure, or RBL_OK

	// Faces whose normals differ by less than this cosine are shaded as one smooth surface.
	double crease;

	int material; // of the faces to come

	ARRAY(rbl_vec3d) positions;
	ARRAY(int) face_starts; // empty, or one more than there are faces
	ARRAY(int) face_materials;
	ARRAY(int) corners;
	ARRAY(rbl_vec2) uv; // per corner, metres on the surface
	ARRAY(rbl_mesh_material) materials;
	ARRAY(double) lengths; // scratch of sheets
} rbl_builder;

/// Start an empty mesh. Nothing is allocated yet.
void rbl_builder_init(rbl_builder *builder, const rbl_allocator *allocator);

/// Make the mesh, or say what failed on the way; frees the builder's memory in both cases.
rbl_result rbl_builder_finish(rbl_builder *builder, rbl_mesh **mesh);

/// Add a material and use it for the faces to come. @return its index.
int rbl_builder_material(rbl_builder *builder, const char *name, rbl_vec3 color, float roughness);

/// @return the index of the new vertex.
int rbl_builder_vertex(rbl_builder *builder, rbl_vec3d position);

/// Add a face, counter-clockwise from outside. Texture coordinates are a projection along the
/// main axis of its normal.
void rbl_builder_polygon(rbl_builder *builder, const int *vertices, int count);

/// @return the area of a polygon times 2, along its normal
rbl_vec3d rbl_shape_area_vector(const rbl_vec3d *positions, const int *vertices, int count);

/// Add the quad a, b, c, d; see rbl_builder_polygon().
void rbl_builder_quad(rbl_builder *builder, int a, int b, int c, int d);

// --- sheets ---------------------------------------------------------------------------------

/// A block of quads in a sheet: columns x rows quads from (row, column) on.
typedef struct rbl_sheet_block {
	int row, column, rows, columns;
} rbl_sheet_block;

/// A grid of vertices that were added row by row: (r, c) is first + r * columns + c. Its front is
/// where columns run to the right when rows run up. Unwrapped, it has rows - 1 by columns - 1
/// quads.
typedef struct rbl_sheet {
	int first, rows, columns;
	bool wrap_rows, wrap_columns;
	bool is_flipped; // show the back instead

	// Blocks of quads that are left out: where something else is attached.
	const rbl_sheet_block *holes;
	int hole_count;
} rbl_sheet;

/// Add the quads of a sheet.
void rbl_builder_sheet(rbl_builder *builder, rbl_sheet sheet);

/// @return the vertex at a row and column; wrapped sheets take any column >= 0.
int rbl_sheet_vertex(const rbl_sheet *sheet, int row, int column);

/// Cosine and sine of one angle, or a point in the unit disc.
typedef struct rbl_direction {
	double cos, sin;
} rbl_direction;

/// The 2 (rows + columns) vertices around a block: the way that whatever replaces it must run.
/// @param disc  receives for each a point of the unit circle, x along columns, y along rows; or
///              NULL
/// @return their number
int rbl_sheet_loop(const rbl_sheet *sheet, rbl_sheet_block block, int *loop, rbl_direction *disc);

/// Add quads between two loops of `count` vertices; they continue the surface at `from`.
void rbl_builder_bridge(rbl_builder *builder, const int *from, const int *to, int count);

/// Close an end of a sheet with wrapped columns by one polygon.
void rbl_builder_cap(rbl_builder *builder, const rbl_sheet *sheet, bool last_row);

/// Close an end of a sheet with wrapped columns by triangles around one vertex.
void rbl_builder_fan(rbl_builder *builder, const rbl_sheet *sheet, bool last_row, int centre);

// --- solids ---------------------------------------------------------------------------------

/// A point of a profile: distance from the axis and height.
typedef struct rbl_profile_point {
	double radius, y;
} rbl_profile_point;

/// Turn a profile about the y axis, all radii above 0. It runs so that the solid is on its left
/// when radius is to the right and y up: for a cylinder from the bottom up. Flat caps close both
/// ends.
rbl_sheet rbl_builder_revolve(rbl_builder *builder, const rbl_profile_point *profile, int count,
                              int segments);

/// Add a box with chamfered edges; a bevel of 0 gives eight vertices.
void rbl_builder_box(rbl_builder *builder, rbl_vec3d lower, rbl_vec3d upper, double bevel);

/// Add a closed tube of rings: `columns` vertices each, `rows` of them already added from `first`
/// on, ends closed by flat polygons.
void rbl_builder_loft(rbl_builder *builder, int first, int rows, int columns);

/// Move the vertices from `first` to the last one.
void rbl_builder_map(rbl_builder *builder, int first,
                     rbl_vec3d (*function)(const void *context, rbl_vec3d p), const void *context);

/// The direction at an angle given in turns. Multiples of a quarter are exact.
rbl_direction rbl_direction_at(double turns);
