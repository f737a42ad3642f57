// SPDX-License-Identifier: MIT
// What the files of procedural shapes share: checks of definitions, materials, and parts that
// stand alone as well as in a building.
#pragma once

#include "procedural/mesh_builder.h"

#include <rubble/shapes.h>

/// Every shape has its own cookie: a definition of another shape is refused too.
typedef enum rbl_shape {
	RBL_SHAPE_BOX,
	RBL_SHAPE_ICOSPHERE,
	RBL_SHAPE_CYLINDER,
	RBL_SHAPE_TUBE,
	RBL_SHAPE_TORUS,
	RBL_SHAPE_PLATE,
	RBL_SHAPE_VASE,
	RBL_SHAPE_MUG,
	RBL_SHAPE_PIGGY_BANK,
	RBL_SHAPE_COLUMN,
	RBL_SHAPE_ARCH,
	RBL_SHAPE_WINDOW,
	RBL_SHAPE_BRICK_WALL,
	RBL_SHAPE_ARENA,
	RBL_SHAPE_COUNT
} rbl_shape;

#define RBL_SHAPE_COOKIE(shape) (0x73687000u + (uint32_t)(shape))

/// Lengths that a definition may have, in metres.
#define RBL_SHAPE_MIN_LENGTH 1e-6
#define RBL_SHAPE_MAX_LENGTH 1e6

/// A number of a definition and what it may be, bounds included.
typedef struct rbl_shape_range {
	const char *field;
	double value, lower, upper;
} rbl_shape_range;

/// Clear `mesh`, then check it, the cookie and the allocator; cookie is NULL when the definition
/// is.
rbl_result rbl_shape_check(rbl_shape shape, const uint32_t *cookie, const rbl_allocator *allocator,
                           rbl_mesh **mesh);
#define RBL_SHAPE_CHECK(shape, def, mesh)                                                     \
	rbl_shape_check((shape), (def) ? &(def)->cookie : NULL, (def) ? &(def)->allocator : NULL, \
	                (mesh))

/// Check numbers in order; the first that is out of its range, or NaN, is refused by name.
rbl_result rbl_shape_check_ranges(rbl_shape shape, const rbl_shape_range *ranges, int count);

/// A length with the usual range.
#define RBL_LENGTH_RANGE(def, field)                                     \
	{                                                                    \
#field, (def)->field, RBL_SHAPE_MIN_LENGTH, RBL_SHAPE_MAX_LENGTH \
	}

#define RBL_COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

/// Add a material that several shapes use.
typedef enum rbl_shape_material {
	RBL_STONE,
	RBL_LIGHT_STONE,
	RBL_DARK_STONE,
	RBL_MARBLE,
	RBL_CLAY,
	RBL_GLAZE,
	RBL_PORCELAIN,
	RBL_GLASS,
	RBL_WOOD,
	RBL_BRICK,
	RBL_LIGHT_BRICK,
	RBL_DARK_BRICK,
	RBL_SAND,
	RBL_ROOF_TILE
} rbl_shape_material;
int rbl_builder_add_material(rbl_builder *builder, rbl_shape_material material);

// --- parts ----------------------------------------------------------------------------------

/// The numbers of a column, all checked; `flutes` * 2 * `detail` or 16 * `detail` segments.
void rbl_builder_column(rbl_builder *builder, const rbl_column_def *def);

/// A band of quads between an inner and an outer line of `count` points in the plane z = 0, made
/// solid from z = back to z = front: an arch, a wall around an opening. Seen from the front the
/// lines run clockwise around the opening, the outer line on their left.
void rbl_builder_band(rbl_builder *builder, const rbl_profile_point *inner,
                      const rbl_profile_point *outer, int count, int rings, double back,
                      double front);
