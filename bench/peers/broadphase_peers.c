// SPDX-License-Identifier: MIT
//
// The broad phases of other libraries that were installed when this was built.

#include "../broadphase_baseline.h"

#include <stddef.h>

extern const baseline baseline_ode_hash, baseline_ode_quad, baseline_ode_sap, baseline_bullet_dbvt,
	baseline_bullet_sap;

const baseline *const broadphase_peers[] = {
#ifdef RBL_PEER_ODE
	&baseline_ode_hash,
	&baseline_ode_quad,
	&baseline_ode_sap,
#endif
#ifdef RBL_PEER_BULLET
	&baseline_bullet_dbvt,
	&baseline_bullet_sap,
#endif
	NULL,
};
