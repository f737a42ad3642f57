/* SPDX-License-Identifier: MIT
 * Hierarchies of other libraries, behind one table. Each function returns the least time of
 * `repeat` runs, in nanoseconds for the whole mesh; 0 when the peer has no such operation. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tree_peer_mesh {
	const float *positions; /* 3 each */
	const float *moved;     /* the same vertices elsewhere, for refits */
	const int *triangles;   /* 3 each */
	int vertex_count, triangle_count;
} tree_peer_mesh;

typedef struct tree_peer {
	const char *name;
	double (*build)(const tree_peer_mesh *mesh, int repeat);
	double (*refit)(const tree_peer_mesh *mesh, int repeat);
	/* Per inserted leaf, into the full tree. */
	double (*insert)(const tree_peer_mesh *mesh, int repeat, int *depth);
} tree_peer;

/* Those that were installed when this was built, closed by NULL. */
extern const tree_peer *const tree_peers[];

extern const tree_peer tree_peer_embree_low, tree_peer_embree_medium, tree_peer_fcl, tree_peer_cgal,
	tree_peer_bullet;

#ifdef __cplusplus
}
#endif
