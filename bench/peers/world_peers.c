// SPDX-License-Identifier: MIT
//
// The rigid-body engines that were installed when this was built.

#include "../world_engine.h"

extern const world_engine world_bullet, world_ode;

const world_engine *const world_peers[] = {
#ifdef RBL_PEER_BULLET_DYNAMICS
	&world_bullet,
#endif
#ifdef RBL_PEER_ODE
	&world_ode,
#endif
	NULL,
};
