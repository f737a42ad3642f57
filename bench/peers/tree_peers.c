// SPDX-License-Identifier: MIT
// The hierarchies that were found when this was built.

#include "tree_peers.h"

#include <stddef.h>

const tree_peer *const tree_peers[] = {
#ifdef RBL_PEER_EMBREE
	&tree_peer_embree_low,
	&tree_peer_embree_medium,
#endif
#ifdef RBL_PEER_FCL
	&tree_peer_fcl,
#endif
#ifdef RBL_PEER_CGAL
	&tree_peer_cgal,
#endif
#ifdef RBL_PEER_BULLET
	&tree_peer_bullet,
#endif
	NULL,
};
