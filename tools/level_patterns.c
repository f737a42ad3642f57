// SPDX-License-Identifier: MIT
// Levels of assets that are made by a pattern, and how that lies in a mesh.

#include "level_patterns.h"

#include <math.h>
#include <stdint.h>

rbl_result make_pattern_level(const rbl_pattern_def *def, const rbl_mesh *mesh,
                              const double *position, rbl_cluster_level *level)
{
	rbl_boxd box = rbl_mesh_bounds(mesh);
	rbl_vec3d size = { box.upper.x - box.lower.x, box.upper.y - box.lower.y,
		               box.upper.z - box.lower.z };
	bool is_bricks = def->kind == RBL_PATTERN_BRICKS;
	double longest = fmax(size.x, fmax(size.y, size.z));
	// Bricks beyond the pattern's size are one piece; other cells at its rim go on for ever.
	double times = is_bricks ? 2.0 : 1.0;
	rbl_pattern_def whole = *def;
	if (!(def->size.x > 0.0))
		whole.size =
			(rbl_vec3d){ times * fmax(size.x, 1e-3 * longest), times * fmax(size.y, 1e-3 * longest),
			             times * fmax(size.z, 1e-3 * longest) };
	level->position = (rbl_vec3d){ 0.5 * (box.lower.x + box.upper.x),
		                           is_bricks ? box.lower.y : 0.5 * (box.lower.y + box.upper.y),
		                           0.5 * (box.lower.z + box.upper.z) };
	if (position)
		level->position = (rbl_vec3d){ position[0], position[1], position[2] };
	rbl_pattern *pattern = NULL;
	rbl_result result = rbl_create_pattern(&whole, &pattern);
	level->pattern = pattern;
	return result;
}

void destroy_level_patterns(const rbl_cluster_level *levels, int count)
{
	for (int i = 0; i < count; ++i)
		rbl_destroy_pattern((rbl_pattern *)(uintptr_t)levels[i].pattern);
}
