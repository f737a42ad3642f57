// SPDX-License-Identifier: MIT
//
// The broad phases of other libraries that were installed when this was built.

#include "../broadphase_rival.h"

#include <stddef.h>

extern const rival rival_ode_hash, rival_ode_quad, rival_ode_sap, rival_bullet_dbvt,
	rival_bullet_sap;

const rival *const broadphase_peers[] = {
#ifdef RBL_PEER_ODE
	&rival_ode_hash,
	&rival_ode_quad,
	&rival_ode_sap,
#endif
#ifdef RBL_PEER_BULLET
	&rival_bullet_dbvt,
	&rival_bullet_sap,
#endif
	NULL,
};
