// SPDX-License-Identifier: MIT
//
// Building anew what is worn.

#include "surface/surface.h"

rbl_result rbl_surface_restructure(rbl_surface *surface, rbl_surface_body *body)
{
	(void)surface;
	(void)body;
	return RBL_OK;
}
