// SPDX-License-Identifier: MIT
// The fracture libraries that were found when this was built.

#include "fracture_peers.h"

#include <stddef.h>

const fracture_peer *const fracture_peers[] = {
#ifdef RBL_PEER_FRACTURE_CGAL
	&fracture_peer_cgal,
#endif
#ifdef RBL_PEER_VORO
	&fracture_peer_voro,
#endif
#ifdef RBL_PEER_QHULL
	&fracture_peer_qhull,
#endif
#ifdef RBL_PEER_BULLET
	&fracture_peer_bullet,
#endif
	NULL,
};
