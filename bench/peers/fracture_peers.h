/* SPDX-License-Identifier: MIT
 * Fracture by other libraries, behind C tables. Times are the least of `repeat` runs, in nanoseconds
 * for all cells. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* A closed mesh of triangles. */
typedef struct fracture_peer_mesh {
	const double *positions; /* 3 each */
	const int *triangles;    /* 3 each */
	int vertex_count, triangle_count;
} fracture_peer_mesh;

typedef struct fracture_peer_result {
	double ns;
	double volume; /* of all pieces or cells together */
	int piece_count, open_count;
	int failed_count; /* cells that the library gave up on */
} fracture_peer_result;

typedef struct fracture_peer {
	const char *name;

	/* Cut a mesh into the parts inside each cell; NULL when the peer cannot. */
	fracture_peer_result (*clip)(const fracture_peer_mesh *mesh, const fracture_peer_mesh *cells,
	                             int cell_count, int repeat);

	/* Make the Voronoi cells of sites in a box, each with vertices, faces and neighbours; NULL when
	 * the peer cannot. `box` is the lower corner and then the upper one. */
	fracture_peer_result (*voronoi)(const double *sites, int site_count, const double box[6],
	                                int repeat);

	/* Make the exact hull of points: ns, volume, and planes as piece_count; NULL when the peer
	 * cannot. */
	fracture_peer_result (*hull)(const double *points, int point_count, int repeat);
} fracture_peer;

/* Those that were installed when this was built, closed by NULL. */
extern const fracture_peer *const fracture_peers[];

extern const fracture_peer fracture_peer_cgal, fracture_peer_voro, fracture_peer_qhull,
	fracture_peer_bullet;

#ifdef __cplusplus
}
#endif
