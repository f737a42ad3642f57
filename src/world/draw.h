// SPDX-License-Identifier: MIT
// Debug drawing: what its files share.
#pragma once

#include <rubble/world.h>

/// Draw the edges of a part, its sphere, its triangles or its plane, as far as the box reaches.
void rbl_draw_part(const rbl_world *world, const rbl_draw *draw, int part, uint32_t color);

/// Whether a point is drawn.
bool rbl_draw_has(const rbl_draw *draw, rbl_vec3 p);

static inline void rbl_draw_line(const rbl_draw *draw, rbl_vec3 a, rbl_vec3 b, uint32_t color)
{
	if (draw->line)
		draw->line(draw->user, a, b, color);
}

static inline void rbl_draw_point(const rbl_draw *draw, rbl_vec3 p, float size, uint32_t color)
{
	if (draw->point)
		draw->point(draw->user, p, size, color);
}

/// Bonds by what they carry, parts and bonds by their health, bodies by sleep and by island.
/// @return RBL_OK, RBL_OUT_OF_MEMORY
rbl_result rbl_draw_state(const rbl_world *world, const rbl_draw *draw);
