// SPDX-License-Identifier: MIT
// Procedural shapes: closed, manifold, outward oriented meshes, so that no model files are needed.
//
// All have corner normals, texture coordinates in metres on the surface, and materials. The same
// definition gives the same bits on every platform.
#pragma once

#include <rubble/base.h>
#include <rubble/mesh.h>
#include <rubble/types.h>

/// A box around the origin, its faces cut into squares if wanted. Start from rbl_default_box_def().
typedef struct rbl_box_def {
	/// Side lengths in metres, each 1e-6 to 1e6. Default 1, 1, 1.
	rbl_vec3d size;

	/// Quads along each side of a face, 1 to 1000. Default 1: eight vertices.
	int subdivisions;

	/// Memory of the mesh, and of making it.
	rbl_allocator allocator;

	/// Filled by rbl_default_box_def(). Leave it alone.
	uint32_t cookie;
} rbl_box_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_box_def rbl_default_box_def(void);

/// Make a box.
/// @param mesh  receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n) in vertices.
RBL_API rbl_result rbl_create_box_mesh(const rbl_box_def *def, rbl_mesh **mesh);

/// A sphere around the origin: an icosahedron whose triangles are split in four, again and again.
/// Start from rbl_default_icosphere_def().
typedef struct rbl_icosphere_def {
	/// Metres, 1e-6 to 1e6. Default 0.5.
	double radius;

	/// How often each triangle is split, 0 to 9. Default 3: 642 vertices, 1280 triangles.
	int subdivisions;

	/// Memory of the mesh, and of making it.
	rbl_allocator allocator;

	/// Filled by rbl_default_icosphere_def(). Leave it alone.
	uint32_t cookie;
} rbl_icosphere_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_icosphere_def rbl_default_icosphere_def(void);

/// Make an icosphere.
/// @param mesh  receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n) in vertices.
RBL_API rbl_result rbl_create_icosphere_mesh(const rbl_icosphere_def *def, rbl_mesh **mesh);

/// An upright cylinder that stands on the ground, y = 0. Start from rbl_default_cylinder_def().
typedef struct rbl_cylinder_def {
	/// Metres, 1e-6 to 1e6. Default 0.5 and 1.
	double radius, height;

	/// Around, 3 to 10000. Default 32.
	int segments;

	/// Quads from bottom to top, 1 to 10000. Default 1.
	int rows;

	/// Memory of the mesh, and of making it.
	rbl_allocator allocator;

	/// Filled by rbl_default_cylinder_def(). Leave it alone.
	uint32_t cookie;
} rbl_cylinder_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_cylinder_def rbl_default_cylinder_def(void);

/// Make a cylinder.
/// @param mesh  receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n) in vertices.
RBL_API rbl_result rbl_create_cylinder_mesh(const rbl_cylinder_def *def, rbl_mesh **mesh);

/// An upright hollow cylinder, open at both ends, that stands on the ground. Start from
/// rbl_default_tube_def().
typedef struct rbl_tube_def {
	/// Outer radius and height in metres, 1e-6 to 1e6. Default 0.5 and 1.
	double radius, height;

	/// Thickness of the wall, above 0 and below the radius. Default 0.1.
	double wall;

	/// Around, 3 to 10000. Default 32.
	int segments;

	/// Quads from bottom to top, 1 to 10000. Default 1.
	int rows;

	/// Memory of the mesh, and of making it.
	rbl_allocator allocator;

	/// Filled by rbl_default_tube_def(). Leave it alone.
	uint32_t cookie;
} rbl_tube_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_tube_def rbl_default_tube_def(void);

/// Make a tube.
/// @param mesh  receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n) in vertices.
RBL_API rbl_result rbl_create_tube_mesh(const rbl_tube_def *def, rbl_mesh **mesh);

/// A ring that lies around the origin in the plane y = 0. Start from rbl_default_torus_def().
typedef struct rbl_torus_def {
	/// From the centre to the middle of the ring, in metres, 1e-6 to 1e6. Default 0.5.
	double radius;

	/// Radius of the ring itself, above 0 and below `radius`. Default 0.2.
	double thickness;

	/// Around the centre, 3 to 10000. Default 48.
	int segments;

	/// Around the ring, 3 to 10000. Default 24.
	int sides;

	/// Memory of the mesh, and of making it.
	rbl_allocator allocator;

	/// Filled by rbl_default_torus_def(). Leave it alone.
	uint32_t cookie;
} rbl_torus_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_torus_def rbl_default_torus_def(void);

/// Make a torus.
/// @param mesh  receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n) in vertices.
RBL_API rbl_result rbl_create_torus_mesh(const rbl_torus_def *def, rbl_mesh **mesh);

/// A dinner plate: a round dish with a rim and a foot, that stands on the ground. Start from
/// rbl_default_plate_def().
typedef struct rbl_plate_def {
	/// Metres, 1e-6 to 1e6. Default 0.13.
	double radius;

	/// From ground to rim, 0.05 to 1 times the radius. Default 0.024.
	double height;

	/// Thickness of the plate, 0.05 to 0.5 times the height. Default 0.005.
	double wall;

	/// Around, 8 to 10000. Default 64.
	int segments;

	/// Memory of the mesh, and of making it.
	rbl_allocator allocator;

	/// Filled by rbl_default_plate_def(). Leave it alone.
	uint32_t cookie;
} rbl_plate_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_plate_def rbl_default_plate_def(void);

/// Make a plate.
/// @param mesh  receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n) in vertices.
RBL_API rbl_result rbl_create_plate_mesh(const rbl_plate_def *def, rbl_mesh **mesh);

/// A vase: belly, neck and flaring lip, hollow, that stands on the ground. Start from
/// rbl_default_vase_def().
typedef struct rbl_vase_def {
	/// Belly radius and height in metres, 1e-6 to 1e6. Default 0.13 and 0.4.
	double radius, height;

	/// Thickness of wall and bottom, 0.01 to 0.25 times the radius, and at most a tenth of the
	/// height. Default 0.008.
	double wall;

	/// Around, 8 to 10000. Default 48.
	int segments;

	/// From bottom to lip, 8 to 10000. Default 32.
	int rows;

	/// Memory of the mesh, and of making it.
	rbl_allocator allocator;

	/// Filled by rbl_default_vase_def(). Leave it alone.
	uint32_t cookie;
} rbl_vase_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_vase_def rbl_default_vase_def(void);

/// Make a vase.
/// @param mesh  receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n) in vertices.
RBL_API rbl_result rbl_create_vase_mesh(const rbl_vase_def *def, rbl_mesh **mesh);

/// A mug with a handle: one closed surface, so its genus is 1. It stands on the ground. Start from
/// rbl_default_mug_def().
typedef struct rbl_mug_def {
	/// Metres, 1e-6 to 1e6, the height 0.5 to 8 times the radius. Default 0.042 and 0.095.
	double radius, height;

	/// Thickness of wall and bottom, 0.02 to 0.3 times the radius. Default 0.004.
	double wall;

	/// Fineness, 1 to 100: the mug has 16 * detail segments. Default 3.
	int detail;

	/// Memory of the mesh, and of making it.
	rbl_allocator allocator;

	/// Filled by rbl_default_mug_def(). Leave it alone.
	uint32_t cookie;
} rbl_mug_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_mug_def rbl_default_mug_def(void);

/// Make a mug.
/// @param mesh  receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n) in vertices.
RBL_API rbl_result rbl_create_mug_mesh(const rbl_mug_def *def, rbl_mesh **mesh);

/// A hollow pig with a slot in its back. Outer and inner wall meet in the slot: one closed surface
/// of genus 0. Start from rbl_default_piggy_bank_def().
typedef struct rbl_piggy_bank_def {
	/// From tail to snout in metres, 1e-6 to 1e6. Default 0.2.
	double length;

	/// Thickness of the wall, 0.01 to 0.06 times the length. Default 0.006.
	double wall;

	/// Along the back, 0.05 to 0.3 times the length. Default 0.036.
	double slot_length;

	/// Across, 0.01 to 0.1 times the length. Default 0.005.
	double slot_width;

	/// Fineness, 1 to 50. Default 3.
	int detail;

	/// Memory of the mesh, and of making it.
	rbl_allocator allocator;

	/// Filled by rbl_default_piggy_bank_def(). Leave it alone.
	uint32_t cookie;
} rbl_piggy_bank_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_piggy_bank_def rbl_default_piggy_bank_def(void);

/// Make a piggy bank.
/// @param mesh  receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n) in vertices.
RBL_API rbl_result rbl_create_piggy_bank_mesh(const rbl_piggy_bank_def *def, rbl_mesh **mesh);

/// A column that stands on the ground: square plinth, moulded base, fluted shaft that swells and
/// tapers, capital, square abacus. One closed surface. Start from rbl_default_column_def().
typedef struct rbl_column_def {
	/// Metres, 1e-6 to 1e6, and at least 5 times the radius. Default 5.
	double height;

	/// Of the shaft at its foot. Default 0.35.
	double radius;

	/// How much thinner the shaft is at its top, 0 to 0.5 of the radius. Default 0.16.
	double taper;

	/// How the shaft tapers: 0 straight, 1 all in the upper part, a swelling curve. Default 0.7.
	double entasis;

	/// Number of flutes, 4 to 100, or 0 for a smooth shaft. Default 20.
	int flutes;

	/// Depth of a flute, above 0 to 0.15 of the radius. Default 0.07.
	double flute_depth;

	/// Fineness, 1 to 100; a flute has 2 * detail segments. Default 2.
	int detail;

	/// Memory of the mesh, and of making it.
	rbl_allocator allocator;

	/// Filled by rbl_default_column_def(). Leave it alone.
	uint32_t cookie;
} rbl_column_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_column_def rbl_default_column_def(void);

/// Make a column.
/// @param mesh  receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n) in vertices.
RBL_API rbl_result rbl_create_column_mesh(const rbl_column_def *def, rbl_mesh **mesh);

/// A round arch on two piers, in the plane z = 0, that stands on the ground. Start from
/// rbl_default_arch_def().
typedef struct rbl_arch_def {
	/// Clear width between the piers in metres, 1e-6 to 1e6. Default 2.
	double span;

	/// From the ground to where the arch springs, 0 to 1e6. Default 1.5.
	double pier_height;

	/// Of the arch ring and the piers, above 0 to 1e6. Default 0.5.
	double width;

	/// Along z, 1e-6 to 1e6. Default 0.6.
	double depth;

	/// Of the half circle, 2 to 10000. Default 24.
	int segments;

	/// Wedge stones of the half circle, each closed by itself and touching its neighbours, 3 to
	/// 1000; the piers are stones too then. 0 makes one closed surface. Default 0.
	int voussoirs;

	/// Memory of the mesh, and of making it.
	rbl_allocator allocator;

	/// Filled by rbl_default_arch_def(). Leave it alone.
	uint32_t cookie;
} rbl_arch_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_arch_def rbl_default_arch_def(void);

/// Make an arch.
/// @param mesh  receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n) in vertices.
RBL_API rbl_result rbl_create_arch_mesh(const rbl_arch_def *def, rbl_mesh **mesh);

/// A window in the plane z = 0, that stands on the ground: panes of glass in a wooden frame. Frame
/// and panes are separate closed parts; each pane reaches into the frame. Start from
/// rbl_default_window_def().
typedef struct rbl_window_def {
	/// Outer size in metres, 1e-6 to 1e6. Default 1.2 and 1.5.
	double width, height;

	/// Of the glass, in metres, 1e-6 to 1e6. Default 0.006.
	double thickness;

	/// Width of the bars; 0 for a pane alone, without frame. Default 0.07.
	double frame_width;

	/// Thickness of the bars, more than that of the glass. Default 0.06.
	double frame_depth;

	/// Panes side by side and above each other, 1 to 100. Default 2 and 2.
	int columns, rows;

	/// Quads along each side of a pane, 1 to 1000, and at most 1e8 of all panes. Default 1.
	int subdivisions;

	/// Memory of the mesh, and of making it.
	rbl_allocator allocator;

	/// Filled by rbl_default_window_def(). Leave it alone.
	uint32_t cookie;
} rbl_window_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_window_def rbl_default_window_def(void);

/// Make a window.
/// @param mesh  receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n) in vertices.
RBL_API rbl_result rbl_create_window_mesh(const rbl_window_def *def, rbl_mesh **mesh);

/// A brick wall in the plane z = 0, in running bond: every brick is a closed part of its own. Start
/// from rbl_default_brick_wall_def().
typedef struct rbl_brick_wall_def {
	/// Size in metres, 1e-6 to 1e6: rounded to whole bricks. Default 3 and 2.
	double width, height;

	/// Brick size in metres, each 1e-6 to 1e6. Default 0.25, 0.08, 0.12.
	rbl_vec3d brick;

	/// Between bricks, 0 to half the smallest brick side. Default 0.
	double gap;

	/// Chamfer of the edges, 0 to a fifth of the smallest brick side. Default 0.004.
	double bevel;

	/// Tints of the bricks. Default 1.
	uint64_t seed;

	/// Memory of the mesh, and of making it.
	rbl_allocator allocator;

	/// Filled by rbl_default_brick_wall_def(). Leave it alone.
	uint32_t cookie;
} rbl_brick_wall_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_brick_wall_def rbl_default_brick_wall_def(void);

/// Make a brick wall.
/// @param mesh  receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n) in vertices.
RBL_API rbl_result rbl_create_brick_wall_mesh(const rbl_brick_wall_def *def, rbl_mesh **mesh);

/// A Roman arena: an elliptic front of arches, columns and cornices in three storeys, radial walls,
/// rows of seats, stairs, gallery, podium and a temple above the centre stand. It is modelled as an
/// artist would, in closed parts that overlap or touch; no part is joined to another. Start from
/// rbl_default_arena_def().
typedef struct rbl_arena_def {
	/// Outer axes of the ellipse along x and z in metres, 1e-3 to 1e6; width 0.6 to 1 times length.
	/// Everything else is in proportion. Default 84 and 68.
	double length, width;

	/// Arches around, a multiple of 4 from 32 to 120. Default 40.
	int bays;

	/// Fineness, 1 to 10. Default 2; 10 has more than a million vertices and faces.
	int detail;

	/// Tints of the stones. Default 1.
	uint64_t seed;

	/// Memory of the mesh, and of making it.
	rbl_allocator allocator;

	/// Filled by rbl_default_arena_def(). Leave it alone.
	uint32_t cookie;
} rbl_arena_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_arena_def rbl_default_arena_def(void);

/// Make an arena.
/// @param mesh  receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the field), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n) in vertices.
RBL_API rbl_result rbl_create_arena_mesh(const rbl_arena_def *def, rbl_mesh **mesh);
