// SPDX-License-Identifier: MIT
//
// What is said about a body besides its shape: how thick it is.

#include "surface/certificate.h"

#include "base/log.h"

rbl_result rbl_surface_body_set_thickness(rbl_surface *surface, rbl_surface_body_id id,
                                          float thickness)
{
	if (!surface || !(thickness >= 0.0f && thickness <= FLT_MAX))
		return rbl_fail(RBL_BAD_ARGUMENT,
		                "surface is NULL, or the thickness %g not finite and at "
		                "least 0",
		                (double)thickness);
	int slot = rbl_surface_slot(surface, id);
	if (slot < 0)
		return RBL_STALE_ID;
	rbl_surface_body *body = &surface->bodies.data[slot];
	if (thickness == body->settings.thickness)
		return RBL_OK;
	// What was certified for less is of no use; a star is looked for in every update.
	if (body->self.is_certified && surface->certificates[slot].clearance < thickness)
		body->self.is_certified = body->self.is_clear = false;
	body->settings.thickness = thickness;
	body->fit.needs_all = true; // so that the body counts as changed, and is a star again or not
	surface->is_ready = false;
	return RBL_OK;
}

float rbl_surface_body_thickness(const rbl_surface *surface, rbl_surface_body_id id)
{
	int slot = surface ? rbl_surface_slot(surface, id) : -1;
	return slot < 0 ? 0.0f : surface->bodies.data[slot].settings.thickness;
}
