// SPDX-License-Identifier: MIT
//
// What all procedural shapes share: how definitions are checked, and materials.

#include "procedural/shapes.h"

#include <stdarg.h>
#include <stdio.h>

static const char *const names[RBL_SHAPE_COUNT] = {
	[RBL_SHAPE_BOX] = "box",
	[RBL_SHAPE_ICOSPHERE] = "icosphere",
	[RBL_SHAPE_CYLINDER] = "cylinder",
	[RBL_SHAPE_TUBE] = "tube",
	[RBL_SHAPE_TORUS] = "torus",
	[RBL_SHAPE_PLATE] = "plate",
	[RBL_SHAPE_VASE] = "vase",
	[RBL_SHAPE_MUG] = "mug",
	[RBL_SHAPE_PIGGY_BANK] = "piggy_bank",
	[RBL_SHAPE_COLUMN] = "column",
	[RBL_SHAPE_ARCH] = "arch",
	[RBL_SHAPE_WINDOW] = "window",
	[RBL_SHAPE_BRICK_WALL] = "brick_wall",
	[RBL_SHAPE_ARENA] = "arena",
};

// Log why a definition is refused.
__attribute__((format(printf, 1, 2))) static rbl_result refuse(const char *format, ...)
{
	char line[512];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	rbl_log_text(RBL_LOG_ERROR, line);
	return RBL_BAD_ARGUMENT;
}

rbl_result rbl_shape_check(rbl_shape shape, const uint32_t *cookie, const rbl_allocator *allocator,
                           rbl_mesh **mesh)
{
	if (!mesh)
		return refuse("%s: mesh is NULL", names[shape]);
	*mesh = NULL;
	if (!cookie || *cookie != RBL_SHAPE_COOKIE(shape))
		return refuse("start from rbl_default_%s_def()", names[shape]);
	if (!allocator->allocate != !allocator->release)
		return refuse("%s: the allocator has only one function", names[shape]);
	return RBL_OK;
}

rbl_result rbl_shape_check_ranges(rbl_shape shape, const rbl_shape_range *ranges, int count)
{
	for (int i = 0; i < count; ++i) {
		rbl_shape_range range = ranges[i];
		if (!(range.value >= range.lower && range.value <= range.upper))
			return refuse("%s: %s is %g, must be %g to %g", names[shape], range.field, range.value,
			              range.lower, range.upper);
	}
	return RBL_OK;
}

int rbl_builder_add_material(rbl_builder *builder, rbl_shape_material material)
{
	static const struct {
		const char *name;
		rbl_vec3 color;
		float alpha, roughness;
	} all[] = {
		[RBL_STONE] = { "stone", { 0.43f, 0.34f, 0.23f }, 1.0f, 0.9f },
		[RBL_LIGHT_STONE] = { "light stone", { 0.54f, 0.45f, 0.32f }, 1.0f, 0.9f },
		[RBL_DARK_STONE] = { "dark stone", { 0.34f, 0.26f, 0.17f }, 1.0f, 0.95f },
		[RBL_MARBLE] = { "marble", { 0.66f, 0.61f, 0.53f }, 1.0f, 0.55f },
		[RBL_CLAY] = { "clay", { 0.52f, 0.22f, 0.12f }, 1.0f, 0.8f },
		[RBL_GLAZE] = { "glaze", { 0.08f, 0.20f, 0.42f }, 1.0f, 0.25f },
		[RBL_PORCELAIN] = { "porcelain", { 0.80f, 0.79f, 0.76f }, 1.0f, 0.25f },
		[RBL_GLASS] = { "glass", { 0.55f, 0.72f, 0.70f }, 0.35f, 0.05f },
		[RBL_WOOD] = { "wood", { 0.28f, 0.15f, 0.07f }, 1.0f, 0.7f },
		[RBL_BRICK] = { "brick", { 0.40f, 0.13f, 0.08f }, 1.0f, 0.9f },
		[RBL_LIGHT_BRICK] = { "light brick", { 0.48f, 0.19f, 0.11f }, 1.0f, 0.9f },
		[RBL_DARK_BRICK] = { "dark brick", { 0.30f, 0.09f, 0.06f }, 1.0f, 0.9f },
		[RBL_SAND] = { "sand", { 0.58f, 0.42f, 0.22f }, 1.0f, 1.0f },
		[RBL_ROOF_TILE] = { "roof tile", { 0.33f, 0.12f, 0.06f }, 1.0f, 0.85f },
	};
	int index = rbl_builder_material(builder, all[material].name, all[material].color,
	                                 all[material].roughness);
	if (builder->result == RBL_OK)
		builder->materials.data[index].base_color.w = all[material].alpha;
	return index;
}
