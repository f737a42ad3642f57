// SPDX-License-Identifier: MIT
//
// The rigid-body engines that were installed when this was built.

#include "../world_engine.h"

extern const world_engine world_box3d, world_bullet, world_jolt, world_ode;

const world_engine *const world_peers[] = {
#ifdef RBL_PEER_BULLET_DYNAMICS
	&world_bullet,
#endif
#ifdef RBL_PEER_ODE
	&world_ode,
#endif
#ifdef RBL_PEER_BOX3D
	&world_box3d,
#endif
#ifdef RBL_PEER_JOLT
	&world_jolt,
#endif
	NULL,
};
