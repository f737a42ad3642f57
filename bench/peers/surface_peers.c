// SPDX-License-Identifier: MIT
// The peers of surfaces that were found when this was built.

#include "surface_peers.h"

#include <stddef.h>

const surface_peer *const surface_peers[] = {
#ifdef RBL_PEER_SURFACE_CGAL
	&surface_peer_cgal,
#endif
#ifdef RBL_PEER_FCL
	&surface_peer_fcl,
#endif
	NULL,
};
