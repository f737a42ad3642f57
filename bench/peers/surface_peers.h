/* SPDX-License-Identifier: MIT
 * Other libraries that find the triangles of a surface that meet, behind one table. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

typedef struct surface_peer_mesh {
	const float *positions; /* 3 each */
	const int *triangles;   /* 3 each */
	int vertex_count, triangle_count;
	int is_doubled; /* the second half of vertices and triangles is an object of its own */
} surface_peer_mesh;

enum { SURFACE_PEER_CANNOT = -2 };

typedef struct surface_peer {
	const char *name;

	/* Find the pairs of triangles of a mesh that meet apart from what they share.
	 * pairs: receives two triangles each, the lower first, ascending; room for `capacity` pairs.
	 * pair_count: receives the number found, -1 when the peer refuses the mesh, SURFACE_PEER_CANNOT
	 * when it has no such query.
	 * Returns the least processor time of `repeat` runs in milliseconds, structures built included. */
	double (*self_collide)(const surface_peer_mesh *mesh, int repeat, int *pairs, int capacity,
	                       int *pair_count);
} surface_peer;

/* Those that were installed when this was built, closed by NULL. */
extern const surface_peer *const surface_peers[];

extern const surface_peer surface_peer_cgal;
extern const surface_peer surface_peer_fcl;

#ifdef __cplusplus
}
#endif
