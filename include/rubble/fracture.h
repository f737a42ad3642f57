// SPDX-License-Identifier: MIT
// Breaking a closed mesh into the cells of a pattern.
#pragma once

#include <rubble/base.h>
#include <rubble/convex.h>
#include <rubble/jobs.h>
#include <rubble/mesh.h>
#include <rubble/pattern.h>
#include <rubble/types.h>

/// A closed mesh prepared for cutting. It never changes, so threads may share one.
typedef struct rbl_solid rbl_solid;

/// How to make a solid. Start from rbl_default_solid_def().
typedef struct rbl_solid_def {
	/// A closed mesh, its faces looking outward. Vertices at exactly the same place count as one.
	/// Shells may lie inside each other (voids) or overlap. It must live as long as the solid.
	const rbl_mesh *mesh;

	/// Memory of the solid.
	rbl_allocator allocator;

	/// Filled by rbl_default_solid_def(). Leave it alone.
	uint32_t cookie;
} rbl_solid_def;

/// @return a definition without a mesh. Threads: any.
RBL_API rbl_solid_def rbl_default_solid_def(void);

/// Prepare a mesh for cutting.
/// @param solid  receives the solid, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_MESH (open or inside out; the log says where),
///         RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n log n) in triangles, meant for load time.
RBL_API rbl_result rbl_create_solid(const rbl_solid_def *def, rbl_solid **solid);

/// Destroy a solid, after all pieces cut from it. NULL is fine.
RBL_API void rbl_destroy_solid(rbl_solid *solid);

/// @return the volume; where shells overlap each counts. Threads: any.
RBL_API double rbl_solid_volume(const rbl_solid *solid);

/// @return the number of outer shells; each is cut by itself. Threads: any.
RBL_API int rbl_solid_shell_count(const rbl_solid *solid);

/// Where the surface of a solid crosses itself. Different shells may overlap: each is looked at
/// with its voids, by itself.
typedef struct rbl_crossing_report {
	/// Pairs of triangles that cross.
	int crossing_count;

	/// The volume of places around which the surface winds the wrong way round, as in one half of a
	/// bow tie. Pieces from there would be inside out.
	double inverted_volume;

	/// The volume of places around which it winds more than once, less the first time.
	double doubled_volume;

	/// Whether every break of the solid is whole: no more than 1e-9 of it is inverted. Otherwise
	/// rbl_create_pieces() and rbl_prepare() may refuse it, and rbl_mesh_repair() takes it apart.
	bool is_breakable;
} rbl_crossing_report;

/// Look for crossings of a solid's surface with itself.
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY, RBL_BAD_MESH: it crosses itself in so many
///         ways that it cannot be told where it is inside
/// Threads: any. Cost: O(n) in triangles, and more for those that cross. Some ten times that of
/// rbl_create_solid().
RBL_API rbl_result rbl_solid_find_crossings(const rbl_solid *solid, rbl_crossing_report *report);

/// What came of breaking a solid. It never changes, so threads may share one.
typedef struct rbl_pieces rbl_pieces;

/// How cut faces look.
typedef struct rbl_inner_look {
	/// Material of cut faces: an index into the mesh's materials, or their number for a new one (to
	/// compounds, any larger one). -1: the mesh's own of the name "inner", or a new one of that
	/// name. A new one looks like the material that most of the shell's surface has, so that glass
	/// breaks into glass; without materials it is grey. Default -1.
	int material;

	/// Metres per unit of texture, > 0. Default 1.
	double uv_scale;

	/// Added to texture coordinates. Default 0, 0.
	rbl_vec2 uv_offset;

	/// Turns and shifts the texture differently for every plane, the same on both sides of a crack
	/// and for all faces in one plane; 0: all alike. Default 0.
	uint64_t uv_seed;

	/// Corners of a rectangle in an atlas. Then `uv_scale` metres are as wide as the rectangle, the
	/// origin is at its middle, and what lies beyond is held at its rim. Equal corners: no atlas.
	/// Default 0, 0 and 0, 0.
	rbl_vec2 atlas_lower, atlas_upper;

	/// Colour of cut faces where the mesh has colours. Default white.
	rbl_vec4 color;

	/// How far cut faces stand out and lie deeper, like rough stone: metres, >= 0; 0: they are
	/// flat. Both sides of a crack match, borders stay where they are, and volumes add up as
	/// before; mass is that of flat faces. Keep it well below the size of pieces. Default 0.
	double roughness;

	/// Metres between the points of a rough face, >= 0; 0: twice the roughness. A large face
	/// takes a multiple; a millionth of the solid's size is the least. Default 0.
	double rough_step;
} rbl_inner_look;

/// How to break a solid. Start from rbl_default_pieces_def().
typedef struct rbl_pieces_def {
	/// What to break; must live as long as the pieces.
	const rbl_solid *solid;

	/// How; must live as long as the pieces.
	const rbl_pattern *pattern;

	/// Where the pattern's origin goes, in the mesh's coordinates. Default the origin.
	rbl_vec3d position;

	/// Shapes the pattern around its origin: any matrix with an inverse. Default the identity.
	rbl_mat3d shape;

	/// A random rotation of the pattern before `shape`; 0: none. Default 0.
	uint64_t rotation_seed;

	/// How cut faces look.
	rbl_inner_look inner;

	/// The most cuts that it may take: one for each cell that meets the solid's bounds, and one for
	/// ten triangles cut by a cell. Cells are counted before anything is cut, and more are refused
	/// then; too many triangles end the work. A cut takes 5 to 15 kB of memory. > 0, default
	/// RBL_CUT_LIMIT.
	int cut_limit;

	/// Workers; NULL: the caller's thread. The result is the same bits.
	rbl_jobs *jobs;

	/// Memory of the pieces, also used by workers.
	rbl_allocator allocator;

	/// Filled by rbl_default_pieces_def(). Leave it alone.
	uint32_t cookie;
} rbl_pieces_def;

/// @return a definition without solid and pattern. Threads: any.
RBL_API rbl_pieces_def rbl_default_pieces_def(void);

/// Break a solid. Every piece is closed, whatever the numbers are, has a positive volume, and is
/// one connected part of the solid in one cell.
/// @param pieces  receives the pieces, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_LIMIT_REACHED (more than cut_limit; the log says how
///         many), RBL_OUT_OF_MEMORY, RBL_BAD_MESH: the surface crosses itself, and parts of it are
///         inside out (the log says how much; rbl_mesh_repair() mends that)
/// Threads: any. Cost: O(n) in triangles, plus what straddles cells. Cells that do not meet the
/// solid cost next to nothing.
RBL_API rbl_result rbl_create_pieces(const rbl_pieces_def *def, rbl_pieces **pieces);

/// Destroy pieces. NULL is fine.
RBL_API void rbl_destroy_pieces(rbl_pieces *pieces);

/// What came of it, in numbers.
typedef struct rbl_pieces_report {
	int piece_count;

	/// Pieces that are just their cell: nothing of the solid's surface is on them.
	int inner_count;

	/// Volume of the solid and of all pieces.
	double volume_in, volume_out;

	/// Components thinner than rounding (1e-12 of the volume) that were left out, and those of
	/// negative volume that are no voids: there the surface crosses itself, by no more than 1e-9 of
	/// its volume.
	int flat_count, inverted_count;

	/// Cells where the surface overlaps itself, and steps of it between cell faces that share no
	/// edge, by rounding, which are rerouted over the faces between.
	int overlap_count, rerouted_count;

	/// Shared walls whose two sides do not fit: zero unless the surface crosses itself.
	int mismatch_count;
} rbl_pieces_report;

/// @return the numbers. Threads: any.
RBL_API rbl_pieces_report rbl_pieces_get_report(const rbl_pieces *pieces);

/// @return the number of pieces. Threads: any.
RBL_API int rbl_pieces_count(const rbl_pieces *pieces);

/// A piece in numbers.
typedef struct rbl_piece_info {
	/// The pattern's cell and its color.
	int cell, color;

	/// The outer shell of the solid it comes from.
	int shell;

	/// Whether it is just its cell: nothing of the solid's surface is on it.
	bool is_inner;

	/// Vertices and faces of its surface, and the most triangles it may be drawn with.
	int vertex_count, face_count, triangle_capacity;

	/// Volume and centre of mass, in the mesh's coordinates.
	double volume;
	rbl_vec3d centre;
} rbl_piece_info;

/// @return what is known of a piece; all zero out of range. Threads: any. Cost: O(n).
RBL_API rbl_piece_info rbl_piece_get_info(const rbl_pieces *pieces, int piece);

/// @return volume, centre and inertia of a piece at density 1, in the mesh's coordinates.
/// Threads: any. Cost: O(n).
RBL_API rbl_mass rbl_piece_get_mass(const rbl_pieces *pieces, int piece);

/// Make a mesh of a piece, as polygons: positions in the coordinates of the solid's mesh,
/// attributes interpolated, cut faces flat with the inner look. Caps with holes, and rough ones,
/// come as triangles.
/// @param allocator  memory of the mesh, NULL for the process's default
/// @param mesh       receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_piece_create_mesh(const rbl_pieces *pieces, int piece,
                                         const rbl_allocator *allocator, rbl_mesh **mesh);

/// A vertex to draw.
typedef struct rbl_draw_vertex {
	/// Relative to the piece's centre of mass.
	rbl_vec3 position;
	rbl_vec3 normal;
	rbl_vec2 uv0, uv1;
	rbl_vec4 color;
} rbl_draw_vertex;

/// Write the triangles of a piece to draw: three vertices each, nothing shared; see
/// rbl_piece_get_indexed_triangles().
/// @param vertices        receives the vertices, room for 3 * triangle_capacity
///                        (rbl_piece_get_info())
/// @param materials       receives the material of each triangle, or NULL
/// @param triangle_count  receives the number of triangles
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_piece_get_triangles(const rbl_pieces *pieces, int piece,
                                           rbl_draw_vertex *vertices, int *materials,
                                           int *triangle_count);

/// Share vertices that are equal in all attributes: turn corners of triangles into vertices and
/// indices, as graphics cards want them.
/// @param vertices      corners; receives the vertices, in the order in which corners meet them
/// @param corner_count  number of corners
/// @param allocator     memory of the work, NULL for the process's default
/// @param indices       receives the vertex of each corner
/// @param vertex_count  receives the number of vertices
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY (vertices are overwritten then)
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_index_draw_vertices(rbl_draw_vertex *vertices, int corner_count,
                                           const rbl_allocator *allocator, uint32_t *indices,
                                           int *vertex_count);

/// Write the triangles of a piece as vertices and indices: rbl_piece_get_triangles() and
/// rbl_index_draw_vertices() in one.
/// @param vertices        receives the vertices, room for 3 * triangle_capacity
/// @param indices         receives three per triangle, room for 3 * triangle_capacity
/// @param materials       receives the material of each triangle, or NULL
/// @param vertex_count    receives the number of vertices
/// @param triangle_count  receives the number of triangles
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_piece_get_indexed_triangles(const rbl_pieces *pieces, int piece,
                                                   rbl_draw_vertex *vertices, uint32_t *indices,
                                                   int *materials, int *vertex_count,
                                                   int *triangle_count);

/// How closely a convex fits around a piece.
typedef enum rbl_fit {
	/// The cell, cut by the box around the piece.
	RBL_FIT_BOX = 0,
	/// The same with the eight diagonal directions.
	RBL_FIT_14,
	/// The same with the twelve edge directions as well.
	RBL_FIT_26,
} rbl_fit;

/// Make a convex around a piece: its cell, cut by the planes of the fit. Convexes of different
/// cells do not overlap and share plane ids: face f of the pattern has the id plane_id_base + f.
/// @param allocator  memory of the convex, NULL for the process's default
/// @param convex     receives the convex, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_piece_create_convex(const rbl_pieces *pieces, int piece, rbl_fit fit,
                                           uint64_t plane_id_base, const rbl_allocator *allocator,
                                           rbl_convex **convex);

/// Two pieces by index, the lower first.
typedef struct rbl_piece_pair {
	int a, b;
} rbl_piece_pair;

/// List pieces of one cell whose convexes overlap: parts of a concave surface that reach around
/// each other. Convexes of different cells never do.
/// @param fit       as in rbl_piece_create_convex()
/// @param pairs     receives the pairs in order, or NULL to count them only
/// @param capacity  room in `pairs`
/// @param count     receives how many there are, also beyond the room
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n) and what shares a cell.
RBL_API rbl_result rbl_pieces_get_overlaps(const rbl_pieces *pieces, rbl_fit fit,
                                           rbl_piece_pair *pairs, int capacity, int *count);
