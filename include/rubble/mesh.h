// SPDX-License-Identifier: MIT
// Polygon meshes: what files hold, shapes make, and fracture cuts.
#pragma once

#include <rubble/base.h>
#include <rubble/types.h>

/// A polygon mesh: positions shared by faces, attributes per corner, a material per face. It
/// never changes after creation, so threads may share one.
typedef struct rbl_mesh rbl_mesh;

/// The most vertices, faces or corners a mesh may have.
#define RBL_MAX_MESH_ITEMS 0x3fffffff

/// The largest coordinate, in metres: products of five still fit into a double.
#define RBL_MAX_COORDINATE 1e30

/// The length of a material's name, its closing zero included.
#define RBL_MATERIAL_NAME_LENGTH 64

/// How a face is drawn: the core of glTF's metallic-roughness model.
typedef struct rbl_mesh_material {
	/// UTF-8, closed by a zero; may be empty.
	char name[RBL_MATERIAL_NAME_LENGTH];

	/// Linear color and alpha, 0 to 1.
	rbl_vec4 base_color;

	/// 0 to 1 each.
	float metallic, roughness;

	/// Which material of a scene it is, from 1 (rbl_scene, rubble/io.h): that has textures and all
	/// that glTF knows, and is written in place of this one. 0: none. Breaking hands it on.
	int source;
} rbl_mesh_material;

/// The length of an attribute's name, its closing zero included.
#define RBL_ATTRIBUTE_NAME_LENGTH 28

/// The most numbers that the further attributes of a corner may have.
#define RBL_MAX_ATTRIBUTE_WIDTH 32

/// A further attribute of corners, such as tangents or a third set of texture coordinates.
typedef struct rbl_mesh_attribute {
	/// As in glTF: TANGENT (x, y, z and the sign of the bitangent), TEXCOORD_2 and up, COLOR_1 and
	/// up, or a name of one's own with an underscore before it. Closed by a zero.
	char name[RBL_ATTRIBUTE_NAME_LENGTH];

	/// Numbers, 1 to 4: TANGENT and colors have 4, texture coordinates 2.
	int width;
} rbl_mesh_attribute;

/// What a mesh is made from, and how it is seen. The arrays of a definition are the caller's and
/// read during the call only; those of a view are the mesh's and live as long as it does.
typedef struct rbl_mesh_data {
	/// Number of positions.
	int vertex_count;

	/// Metres, each coordinate at most RBL_MAX_COORDINATE in magnitude.
	const rbl_vec3d *positions;

	/// Number of faces, each a simple polygon, counter-clockwise from outside.
	int face_count;

	/// Number of corners: the sum of all face sizes.
	int corner_count;

	/// Face f has the corners face_starts[f] to face_starts[f + 1] - 1: face_count + 1 numbers, 0
	/// first, each face three corners or more. NULL in a definition: all faces are triangles.
	const int *face_starts;

	/// The vertex of each corner.
	const int *corner_vertices;

	/// Unit normals per corner, or NULL.
	const rbl_vec3 *corner_normals;

	/// Texture coordinates per corner, first and second set, each or NULL.
	const rbl_vec2 *corner_uv0, *corner_uv1;

	/// Linear colors per corner, or NULL.
	const rbl_vec4 *corner_colors;

	/// Number of further attributes, and what they are. Default none.
	int attribute_count;
	const rbl_mesh_attribute *attributes;

	/// Numbers of all of them per corner: the sum of their widths, at most RBL_MAX_ATTRIBUTE_WIDTH.
	int attribute_width;

	/// Per corner attribute_width numbers, in the order of `attributes`; NULL where there are none.
	const float *corner_attributes;

	/// An index into `materials` per face, or NULL: all faces have material 0. Without materials
	/// every index is 0.
	const int *face_materials;

	/// Number of materials; may be zero.
	int material_count;

	/// The materials, or NULL when there are none.
	const rbl_mesh_material *materials;
} rbl_mesh_data;

/// How to make a mesh. Start from rbl_default_mesh_def().
typedef struct rbl_mesh_def {
	/// Copied during the call.
	rbl_mesh_data data;

	/// Memory of the mesh.
	rbl_allocator allocator;

	/// Filled by rbl_default_mesh_def(). Leave it alone.
	uint32_t cookie;
} rbl_mesh_def;

/// @return a definition of an empty mesh. Threads: any.
RBL_API rbl_mesh_def rbl_default_mesh_def(void);

/// Make a mesh. Any polygons are fine here, also open or degenerate ones: rbl_mesh_check() says
/// what they are. An index out of range, a number that is not finite, a face of fewer than three
/// corners is refused.
/// @param mesh  receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT (the log names the face or vertex), RBL_LIMIT_REACHED,
///         RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n), one allocation.
RBL_API rbl_result rbl_create_mesh(const rbl_mesh_def *def, rbl_mesh **mesh);

/// Destroy a mesh. NULL is fine.
RBL_API void rbl_destroy_mesh(rbl_mesh *mesh);

/// @return the arrays of a mesh; they live as long as it does. face_starts is never NULL.
/// Threads: any.
RBL_API rbl_mesh_data rbl_mesh_get_data(const rbl_mesh *mesh);

/// @return the box around all positions; empty for a mesh without any. Threads: any.
RBL_API rbl_boxd rbl_mesh_bounds(const rbl_mesh *mesh);

/// @return volume, centre and inertia of the closed mesh at density 1; for an open mesh the
/// numbers mean little. Threads: any. Cost: O(n).
RBL_API rbl_mass rbl_mesh_get_mass(const rbl_mesh *mesh);

/// Split every face into triangles: exactly for any simple polygon, convex or not. Two faces that
/// have two vertices in common, but no edge there, are not both cut along them wherever one can be
/// cut another way: what is closed and manifold stays so.
/// @param triangles  receives 3 corner indices per triangle, face by face; space for
///                   rbl_mesh_triangle_count() triangles
/// @param faces      receives the face of each triangle, or NULL
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n) for triangles and quads, O(k log k) for a face of k corners.
RBL_API rbl_result rbl_mesh_triangulate(const rbl_mesh *mesh, int *triangles, int *faces);

/// @return corner_count - 2 * face_count. Threads: any.
RBL_API int rbl_mesh_triangle_count(const rbl_mesh *mesh);

/// What a mesh is, as rbl_mesh_check() finds it. Edges and vertices are counted by index: two
/// vertices at one place are two vertices.
typedef struct rbl_mesh_report {
	int vertices, faces, triangles;

	/// Sets of faces joined by shared vertices.
	int components;

	/// Edges with one face.
	int boundary_edges;

	/// Edges with more than two faces, or two that run along it in the same direction.
	int nonmanifold_edges;

	/// Vertices whose faces do not form one fan.
	int nonmanifold_vertices;

	/// Vertices that no face uses.
	int loose_vertices;

	/// Faces with a repeated vertex or with exactly zero area.
	int degenerate_faces;

	/// Faces that have the same vertices as an earlier face, in any direction.
	int duplicate_faces;

	/// No boundary edge.
	bool is_closed;

	/// No non-manifold edge or vertex.
	bool is_manifold;

	/// Each shared edge runs once in each direction.
	bool is_oriented;

	/// Handles, summed over components, when closed, manifold and oriented; otherwise -1.
	int genus;

	/// Signed volume; negative when inside out. Zero unless closed.
	double volume;
} rbl_mesh_report;

/// Look at a mesh. @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n log n).
RBL_API rbl_result rbl_mesh_check(const rbl_mesh *mesh, rbl_mesh_report *report);

/// How to repair a mesh. Start from rbl_default_mesh_repair_def(). The steps are taken in the
/// order of the fields.
typedef struct rbl_mesh_repair_def {
	/// Vertices on borders that are no further apart than this share of the mesh's diagonal become
	/// one; 0: only those at the same place; negative: none. At most 0.1. Default 1e-7.
	double weld_distance;

	/// Drop faces that have less than three different vertices, and those of zero area that hold
	/// nothing together. Default true.
	bool drop_degenerate;

	/// Drop faces with the same vertices as an earlier face, in any direction. Where two of each
	/// are a wall between things that touch, both go. Default true.
	bool drop_duplicates;

	/// Turn faces over until neighbours agree, most faces keeping their direction; then turn over
	/// what is inside out, and drop shells that enclose nothing. A shell inside an odd number of
	/// others may point inwards: it is a cavity, unless it crosses one that points outwards.
	/// Default true.
	bool orient;

	/// Give faces vertices of their own where more than two meet at an edge, or where only a vertex
	/// holds them together: pieces come apart there. Then cut those faces into triangles whose fans
	/// from the first corner would have a diagonal in common. No face is lost by it. Default true.
	bool split_nonmanifold;

	/// Close every border with triangles. Default true.
	bool fill_holes;

	/// Take apart what crosses itself, where that matters: places around which a shell winds the
	/// wrong way round are outside then, and places around which it winds twice count once.
	/// Different shells may overlap. Done when the mesh is also oriented, split and filled. Default
	/// true.
	bool resolve_crossings;

	/// Memory of the repaired mesh and of the work.
	rbl_allocator allocator;

	/// Filled by rbl_default_mesh_repair_def(). Leave it alone.
	uint32_t cookie;
} rbl_mesh_repair_def;

/// What a repair has done.
typedef struct rbl_mesh_repair_report {
	/// Nothing was wrong: the mesh is an exact copy.
	bool is_unchanged;

	/// Vertices that became one with another, and those that no face used and that are gone.
	int welded_vertices, dropped_vertices;

	/// Faces that are gone because they were degenerate (or a flat patch that encloses nothing), or
	/// duplicates.
	int dropped_degenerate, dropped_duplicates;

	/// Faces that were turned over, and shells that were turned over as a whole after that.
	int flipped_faces, flipped_shells;

	/// Shells that are gone because they enclose nothing; their faces are among the degenerate
	/// ones.
	int dropped_shells;

	/// Vertices that were added where pieces came apart.
	int split_vertices;

	/// Faces that were cut into triangles, so that no two fans have a diagonal in common.
	int cut_faces;

	/// Borders that were closed, and the faces that it took.
	int filled_holes, added_faces;

	/// Pairs of triangles that crossed, in shells whose self-intersections were resolved.
	int resolved_crossings;

	/// Vertices that were added for holes, crossings, and edges where a thing touches itself.
	int added_vertices;
} rbl_mesh_repair_report;

/// @return a definition that makes a mesh that can be broken. Threads: any.
RBL_API rbl_mesh_repair_def rbl_default_mesh_repair_def(void);

/// Repair a mesh. One that can be broken, is manifold, and whose faces can be cut as fans, is
/// copied bit for bit. Corners keep their attributes; caps take those of the corners beside them,
/// with flat normals, and new corners at crossings have what lies between the old ones.
///
/// With all steps on, success means that rbl_create_solid(), rbl_create_pieces() and rbl_prepare()
/// take the mesh, and that rbl_mesh_check() finds it closed, manifold and oriented.
/// @param def       read during the call only
/// @param repaired  receives the mesh, the caller's to destroy; NULL on failure
/// @param report    receives what was done, or NULL
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY, RBL_LIMIT_REACHED, RBL_BAD_MESH with one
///         sentence in the log: no face is left, the faces cannot be turned to agree, as on a
///         Moebius strip, or its inside is ambiguous
/// Threads: any. Cost: O(n log n) and, for each border of k edges that is not flat, O(k^3) up to
/// k = 256; for what crosses itself some 30 microseconds for each pair of triangles.
RBL_API rbl_result rbl_mesh_repair(const rbl_mesh *mesh, const rbl_mesh_repair_def *def,
                                   rbl_mesh **repaired, rbl_mesh_repair_report *report);

/// What joins faces into a component.
typedef enum rbl_mesh_connectivity {
	/// A vertex that both have.
	RBL_CONNECTED_BY_VERTEX = 0,
	/// An edge that both have, in any direction.
	RBL_CONNECTED_BY_EDGE,
} rbl_mesh_connectivity;

/// Label the components of a mesh.
/// @param labels           receives a number per face, from 0, in the order of first faces
/// @param component_count  receives the number of components
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_mesh_get_components(const rbl_mesh *mesh, rbl_mesh_connectivity connectivity,
                                           int *labels, int *component_count);

/// Make a mesh of the faces of each label, with their attributes and all materials.
/// @param labels      a number per face, 0 to mesh_count - 1, such as rbl_mesh_get_components()
///                    gives; faces with -1 are left out
/// @param mesh_count  number of meshes
/// @param meshes      receives them in the order of labels, the caller's to destroy; all NULL on
///                    failure. Faces keep their order, vertices come in the order of their use
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n + mesh_count).
RBL_API rbl_result rbl_mesh_split(const rbl_mesh *mesh, const int *labels, int mesh_count,
                                  rbl_mesh **meshes);

/// Compute normals: the mean of the faces around each corner, weighted by their angles there. Edges
/// whose faces differ by more than the crease angle stay sharp, and so do borders.
/// @param crease_angle  radians, from 0: every face flat, to pi: all smooth
/// @param normals       receives a unit vector per corner
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_mesh_compute_normals(const rbl_mesh *mesh, float crease_angle,
                                            rbl_vec3 *normals);

/// Compute tangents for normal maps from normals and first texture coordinates: x, y, z is a unit
/// vector at right angles to the normal that points where u grows, and w is 1 or -1 such that
/// w * cross(normal, tangent) points where v grows. Corners that share vertex, normal, coordinates
/// and w share the tangent.
/// @param tangents  receives one per corner
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_MESH (no normals or coordinates), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: as rbl_mesh_triangulate().
RBL_API rbl_result rbl_mesh_compute_tangents(const rbl_mesh *mesh, rbl_vec4 *tangents);
