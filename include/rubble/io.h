// SPDX-License-Identifier: MIT
// Mesh and scene files: a library of its own beside the core (link rubble-io).
//
// What is read is right-handed, y up and in metres, whatever the file's axes and units. An error is
// one log line: "name:line: reason" for text files, "name: byte offset: reason" for binary ones.
#pragma once

#include <rubble/base.h>
#include <rubble/mesh.h>
#include <rubble/scene.h>
#include <rubble/tets.h>
#include <rubble/types.h>

/// File formats.
typedef enum rbl_file_format {
	/// By the file name's extension, or else by the first bytes.
	RBL_FORMAT_AUTO = 0,
	/// Wavefront: polygons, materials, texture coordinates, normals, vertex colours.
	RBL_FORMAT_OBJ,
	/// Polygon file format, ascii or binary of either byte order, triangle strips included.
	RBL_FORMAT_PLY,
	/// Stereolithography, ascii or binary. Corners at exactly one place become one vertex.
	RBL_FORMAT_STL,
	/// Object file format; read only.
	RBL_FORMAT_OFF,
	/// MEDIT .mesh: triangles, quadrilaterals and tetrahedra, ascii; read only.
	RBL_FORMAT_MEDIT,
	/// glTF 2.0, as .gltf with its buffers or as .glb. Written as .glb only.
	RBL_FORMAT_GLTF,
	RBL_FORMAT_COUNT
} rbl_file_format;

/// An axis of a file's coordinates.
typedef enum rbl_up_axis {
	RBL_AXIS_X = 0,
	RBL_AXIS_Y,
	RBL_AXIS_Z,
} rbl_up_axis;

/// Default limit of the bytes read for one file: 2 GiB.
#define RBL_FILE_SIZE_LIMIT 0x80000000u

/// How to read. Start from rbl_default_read_def().
typedef struct rbl_read_def {
	/// Default RBL_FORMAT_AUTO.
	rbl_file_format format;

	/// The axis that points up in the file. The mesh is rotated so that it is y. Default y, also
	/// for formats where another is usual: only glTF says what is up, and it says y.
	rbl_up_axis up;

	/// Metres per unit of the file, finite, > 0. Default 1.
	double scale;

	/// The file's coordinates are left-handed: the mesh is mirrored along z (of the mesh, after
	/// `up`) and its faces are turned around. Default false.
	bool is_left_handed;

	/// glTF only: keep every vertex of the file. Otherwise those of one node at exactly one place
	/// become one vertex, because the format doubles vertices along seams of normals and texture
	/// coordinates, which would leave a closed mesh open. Default false.
	bool keep_seams;

	/// glTF only: vertices and corners that a file may unfold to by placing one mesh many times,
	/// beyond what fits its size; a node made by EXT_mesh_gpu_instancing counts 64. Default
	/// 16,777,216.
	int64_t instance_limit;

	/// Memory reads only: what messages call the file, and its ending for RBL_FORMAT_AUTO. NULL:
	/// "memory". A file read uses the path.
	const char *name;

	/// Memory reads only: the folder of buffers and material libraries that the file names; NULL
	/// opens none. A file read uses the file's own folder.
	const char *folder;

	/// Whether names in the file may lead out of that folder: absolute, by "..", or by a link.
	/// Default false: they are not followed.
	bool allow_outside;

	/// The most bytes that are read: of the file, and of all files that it names, together. Default
	/// RBL_FILE_SIZE_LIMIT.
	uint64_t size_limit;

	/// A folder that the file, and each one that it names, must lie in or below, once links are
	/// resolved: for names that come from others. NULL: anywhere. Default NULL.
	const char *within;

	/// glTF only: rbl_read_mesh() gives materials a `source` too, as rbl_read_document() always
	/// does: their number in the file, from 1. Default false.
	bool keep_sources;

	/// glTF only: added to every `source`, for the scenes of several files in one. >= 0. Default 0.
	int material_offset;

	/// Memory of the mesh and of the reading itself.
	rbl_allocator allocator;

	/// Filled by rbl_default_read_def(). Leave it alone.
	uint32_t cookie;
} rbl_read_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_read_def rbl_default_read_def(void);

/// Read a file into one mesh: the short way; rbl_read_document() keeps everything. The nodes of a
/// glTF scene are placed by their transforms; skins and morph targets are left out with a warning
/// in the log, nodes that are scaled to nothing and vertices that no face uses without one.
/// Attributes that only some faces have are completed: normals by the face's own, texture
/// coordinates by 0, colours by white. Of a MEDIT file that has tetrahedra and no faces, the mesh
/// is the boundary.
/// @param path  UTF-8
/// @param def   read during the call only; NULL for the defaults
/// @param mesh  receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_IO_FAILED (the log has the system's reason; also for what
///         is no regular file), RBL_BAD_FILE (the log has line or offset and reason; also for what
///         lies outside of `within`), RBL_UNSUPPORTED, RBL_LIMIT_REACHED (also for files larger
///         than size_limit), RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n); memory within a small multiple of the file's size.
RBL_API rbl_result rbl_read_mesh(const char *path, const rbl_read_def *def, rbl_mesh **mesh);

/// The same from a block of memory that holds the file. The definition is as there.
/// @return as rbl_read_mesh(). Threads: any. Cost: O(n).
RBL_API rbl_result rbl_read_mesh_memory(const void *bytes, size_t size, const rbl_read_def *def,
                                        rbl_mesh **mesh);

/// A file that was read whole: a glTF scene with its hierarchy, names, materials, textures and
/// images.
typedef struct rbl_document rbl_document;

/// Read a file and keep all that a scene has: nodes, meshes (each once, in its own coordinates,
/// with all attributes of corners), materials, textures, samplers and images with the bytes of
/// their files, cameras, animations, extras and extensions of materials and textures. What is not
/// kept (skins, morph targets, points and lines, other scenes, unknown extensions) is listed in
/// one warning. Nodes come parents first; what EXT_mesh_gpu_instancing repeats becomes nodes.
/// Of other formats the scene is one node with one mesh.
/// @param def       read during the call only; NULL for the defaults. glTF: `up`, `scale` and
///                  `is_left_handed` must be the defaults, since nodes have places of their own
/// @param document  receives it, the caller's to destroy; NULL on failure
/// @return as rbl_read_mesh(); RBL_BAD_FILE also for images that are cut off or of another kind
///         than they are said to be of
/// Threads: any. Cost: O(n); memory within a small multiple of the file's size.
RBL_API rbl_result rbl_read_document(const char *path, const rbl_read_def *def,
                                     rbl_document **document);

/// The same from a block of memory that holds the file.
/// @return as rbl_read_document(). Threads: any. Cost: O(n).
RBL_API rbl_result rbl_read_document_memory(const void *bytes, size_t size, const rbl_read_def *def,
                                            rbl_document **document);

/// Destroy a document with its meshes. NULL is fine.
RBL_API void rbl_destroy_document(rbl_document *document);

/// @return the scene of a document, whose arrays live as long as it; empty for NULL. Threads: any.
RBL_API rbl_scene rbl_document_get_scene(const rbl_document *document);

/// Read the tetrahedra of a MEDIT file. Those that the file has inside out are turned round.
/// @param tets  receives them, the caller's to destroy; NULL on failure
/// @return as rbl_read_mesh(); RBL_BAD_MESH where rbl_create_tets() says so; RBL_UNSUPPORTED for
///         files that hold no tetrahedra
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_read_tets(const char *path, const rbl_read_def *def, rbl_tets **tets);

/// The same from a block of memory that holds the file.
/// @return as rbl_read_tets(). Threads: any. Cost: O(n).
RBL_API rbl_result rbl_read_tets_memory(const void *bytes, size_t size, const rbl_read_def *def,
                                        rbl_tets **tets);

/// Tetrahedra as plain arrays: what a MEDIT file holds, also where that is no proper mesh.
typedef struct rbl_tet_arrays {
	/// Number of positions.
	int vertex_count;

	/// Metres, all finite.
	rbl_vec3d *positions;

	/// Number of tetrahedra.
	int tet_count;

	/// Four vertices per tetrahedron in the order of the file. Most files have them as rbl_tets_def
	/// says; in others some are the other way round.
	int *tet_vertices;

	/// Where the arrays came from. Leave it alone.
	rbl_allocator allocator;
} rbl_tet_arrays;

/// Read the tetrahedra of a MEDIT file as they are, with indices and positions checked alone.
/// @param tets  receives arrays, the caller's to free; empty on failure
/// @return as rbl_read_mesh(); RBL_UNSUPPORTED for formats that hold no tetrahedra
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_read_tet_arrays(const char *path, const rbl_read_def *def,
                                       rbl_tet_arrays *tets);

/// The same from a block of memory that holds the file.
/// @return as rbl_read_tet_arrays(). Threads: any. Cost: O(n).
RBL_API rbl_result rbl_read_tet_arrays_memory(const void *bytes, size_t size,
                                              const rbl_read_def *def, rbl_tet_arrays *tets);

/// Free the arrays; they are empty afterwards. NULL is fine.
RBL_API void rbl_free_tet_arrays(rbl_tet_arrays *tets);

/// How to write. Start from rbl_default_write_def().
typedef struct rbl_write_def {
	/// Default RBL_FORMAT_AUTO: by the name's ending.
	rbl_file_format format;

	/// PLY and STL: as text instead of binary. Default false.
	bool as_text;

	/// PLY: positions as 4-byte floats. Default false, 8-byte doubles.
	bool single_precision;

	/// .glb: positions in 16 bits, normals, tangents and colors in 8, texture coordinates between 0
	/// and 1 in 16 (KHR_mesh_quantization), and no normals where all faces are flat. A position is
	/// off by at most 2^-15 of the mesh's extent. Default false.
	bool is_quantized;

	/// Films: parts that appear and vanish with their object become one mesh per region of it, and
	/// lose their names, unless they are large and share a mesh with others; materials that differ
	/// in their names alone become one, and there are no extras. Default false.
	bool merges_parts;

	/// Films: parts that appear and vanish with their object and share a mesh become instances of
	/// it (EXT_mesh_gpu_instancing, which some programs do not read), and lose their names. Default
	/// false.
	bool has_instances;

	/// Meshes as .glb: what the node is called, UTF-8. Default NULL: as the file, and nothing in
	/// memory.
	const char *name;

	/// Memory of the writing itself.
	rbl_allocator allocator;

	/// Filled by rbl_default_write_def(). Leave it alone.
	uint32_t cookie;
} rbl_write_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_write_def rbl_default_write_def(void);

/// Write a mesh. What each format keeps:
///   OBJ   positions (exactly), polygons, normals, first texture coordinates, materials (in a
///         .mtl file beside it), colours without alpha where all corners of a vertex agree
///   PLY   positions (exactly, unless single_precision), polygons, texture coordinates per
///         corner, normals and colours where all corners of a vertex agree
///   STL   triangles; positions exactly as text, rounded to floats as binary
///   .glb  triangles; positions rounded to floats; all attributes and materials
/// What a format cannot keep is left out with a warning in the log.
/// @param path  UTF-8; an existing file is replaced. A failed write leaves no file.
/// @param mesh  what to write
/// @param def   read during the call only; NULL for the defaults
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_BAD_MESH (a position beyond a float's range where
///         floats are written), RBL_IO_FAILED, RBL_UNSUPPORTED, RBL_LIMIT_REACHED,
///         RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_write_mesh(const char *path, const rbl_mesh *mesh, const rbl_write_def *def);

/// A file in memory.
typedef struct rbl_file_bytes {
	/// The bytes; NULL when there are none.
	unsigned char *data;

	/// Their number.
	size_t size;

	/// What was allocated, and where. Leave them alone.
	size_t capacity;
	rbl_allocator allocator;
} rbl_file_bytes;

/// Write a mesh into memory, as rbl_write_mesh() does; the format must be given. An OBJ names its
/// materials but has no .mtl file.
/// @param bytes  receives the file, the caller's to free with rbl_free_bytes(); empty on failure
/// @return as rbl_write_mesh()
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_write_mesh_memory(const rbl_mesh *mesh, const rbl_write_def *def,
                                         rbl_file_bytes *bytes);

/// Free the bytes; they are empty afterwards. NULL is fine.
RBL_API void rbl_free_bytes(rbl_file_bytes *bytes);

/// Read a whole file into memory: a regular one, never a device, pipe, socket or folder.
/// @param path   UTF-8
/// @param def    size_limit, within and allocator are read; NULL for the defaults
/// @param bytes  receives the file, the caller's to free with rbl_free_bytes(); empty on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_IO_FAILED, RBL_BAD_FILE (outside of `within`),
///         RBL_LIMIT_REACHED, RBL_OUT_OF_MEMORY
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_read_file(const char *path, const rbl_read_def *def, rbl_file_bytes *bytes);

/// Write a scene as .glb, which viewers and modelling programs read.
/// @return as rbl_write_mesh(); RBL_UNSUPPORTED for other formats
/// Threads: any. Cost: O(n).
RBL_API rbl_result rbl_write_scene(const char *path, const rbl_scene *scene,
                                   const rbl_write_def *def);

/// The same into memory, as rbl_write_mesh_memory() does.
/// @return as rbl_write_scene(). Threads: any. Cost: O(n).
RBL_API rbl_result rbl_write_scene_memory(const rbl_scene *scene, const rbl_write_def *def,
                                          rbl_file_bytes *bytes);

/// A film: objects that move, appear and vanish, given frame by frame and written as a glTF
/// animation (.glb). Keyframes that interpolation gives anyway are dropped on the fly, so that
/// memory and file grow with motion and not with time. The origin of a node is the centre of mass
/// of its mesh: linear interpolation between keyframes then shows rotating bodies as they move.
typedef struct rbl_film rbl_film;

/// How to make a film. Start from rbl_default_film_def().
typedef struct rbl_film_def {
	/// The largest error of any point of an object between keyframes: in metres, and as a fraction
	/// of its size (the diagonal of the bounds of its smallest mesh); the smaller of both counts.
	/// >= 0. Default 0.005 and 0.008.
	float position_tolerance, size_tolerance;

	/// Write rotations with 32 bits per number instead of 16. Default false.
	bool has_long_rotations;

	/// Memory of the film.
	rbl_allocator allocator;

	/// Filled by rbl_default_film_def(). Leave it alone.
	uint32_t cookie;
} rbl_film_def;

/// @return a definition that works as it is. Threads: any.
RBL_API rbl_film_def rbl_default_film_def(void);

/// Make an empty film, at time 0.
/// @param film  receives the film, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any.
RBL_API rbl_result rbl_create_film(const rbl_film_def *def, rbl_film **film);

/// Destroy a film and its meshes. NULL is fine.
RBL_API void rbl_destroy_film(rbl_film *film);

/// Add a mesh, which any number of objects can show. The film owns it from then on, also when this
/// fails. Equal meshes are kept and written once, also
/// those that are another one turned. Only meshes that an object shows are written,
/// with the materials that their faces use.
/// @param index  receives its number
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: one call per film at once, here and below. Cost: O(n), a copy about its centre of mass.
RBL_API rbl_result rbl_film_add_mesh(rbl_film *film, rbl_mesh *mesh, int *index);

/// Add the materials, textures, samplers and images of a scene: meshes whose materials have a
/// `source` are drawn with them, and they are written once for all.
/// @param scene   of rbl_document_get_scene(), or made by hand; copied
/// @param offset  receives the number of materials that were there before: meshes need a `source`
///                of offset + 1 for the scene's first material, and so on
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Cost: O(n), a copy.
RBL_API rbl_result rbl_film_add_materials(rbl_film *film, const rbl_scene *scene, int *offset);

/// Keep something beside an object or part: the extras of its node in the file.
/// @param extras  JSON, copied; or NULL
/// @return RBL_OK, RBL_BAD_ARGUMENT (no such object, no JSON), RBL_OUT_OF_MEMORY
RBL_API rbl_result rbl_film_set_extras(rbl_film *film, int object, const char *extras);

/// Begin the next frame.
/// @param time  in seconds, finite, >= 0, after the last frame
/// @return RBL_OK, RBL_BAD_ARGUMENT
RBL_API rbl_result rbl_film_begin_frame(rbl_film *film, float time);

/// Add an object, which appears in this frame.
/// @param mesh    a number from rbl_film_add_mesh(); -1 for none: it has parts, or marks a place
/// @param pose    of the mesh's coordinates; without a mesh, of the node's origin, which is best at
///                the centre of mass of the parts
/// @param object  receives its number; numbers go upwards from 0
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
RBL_API rbl_result rbl_film_add_object(rbl_film *film, int mesh, rbl_transform pose, int *object);

/// Add a part, which appears in this frame: a mesh that moves with an object and vanishes with it,
/// or before. The parts of an object share its keyframes.
/// @param object  not a part itself
/// @param mesh    a number from rbl_film_add_mesh()
/// @param pose    of the mesh's coordinates, in those of the object
/// @param part    receives its number, counted with those of objects
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
RBL_API rbl_result rbl_film_add_part(rbl_film *film, int object, int mesh, rbl_transform pose,
                                     int *part);

/// Set the pose of an object in this frame. An object without a pose in a frame stands still. It is
/// interpolated linearly from the frame before, and rotates the shorter way.
/// @return RBL_OK, RBL_BAD_ARGUMENT (no such object, a part, or it is gone; not finite; moved
///         before in this frame), RBL_OUT_OF_MEMORY (it stands still)
RBL_API rbl_result rbl_film_move(rbl_film *film, int object, rbl_transform pose);

/// The same for an object that may rotate by more than half a turn from frame to frame.
/// @param angular_velocity  in this frame, in radians per second: it tells the number of
///                          revolutions
/// @return as rbl_film_move()
RBL_API rbl_result rbl_film_move_with_angular_velocity(rbl_film *film, int object,
                                                       rbl_transform pose,
                                                       rbl_vec3 angular_velocity);

/// Add a puff, such as dust: it appears in this frame, grows, moves on, and shrinks to nothing by
/// itself, also after the last frame. It cannot be moved or removed, and is called "puff N".
/// Pictures draw it as a soft cloud in the color of its mesh, as dense as its alpha says.
/// @param mesh      a number from rbl_film_add_mesh(), of something round
/// @param from, to  its middle at first and in the end
/// @param radius    at its largest, halfway through its life: > 0 and at most 1e6
/// @param lifetime  in seconds, > 0 and at most 1e6
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
RBL_API rbl_result rbl_film_add_puff(rbl_film *film, int mesh, rbl_vec3 from, rbl_vec3 to,
                                     float radius, float lifetime);

/// @return the pose of a camera that looks at a place, y up: along its own -z, as in glTF.
/// Threads: any.
RBL_API rbl_transform rbl_camera_pose(rbl_vec3 position, rbl_vec3 target);

/// Add a camera: an object without a mesh, whose node in the file has a glTF camera. It is moved
/// and named as objects are, and is there from the first frame to the last. Pictures do not use it.
/// @param pose    it looks along its own -z, and its y is up: see rbl_camera_pose()
/// @param angle   vertical field of view in degrees, > 0 and < 180
/// @param object  receives its number, counted with those of objects
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
RBL_API rbl_result rbl_film_add_camera(rbl_film *film, rbl_transform pose, float angle,
                                       int *object);

/// Remove an object in this frame, with its parts; or a part alone.
/// @return RBL_OK, RBL_BAD_ARGUMENT (no such object, or it is gone)
RBL_API rbl_result rbl_film_remove(rbl_film *film, int object);

/// Name an object or a part: its node in the file is called that.
/// @param name  UTF-8, copied
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
RBL_API rbl_result rbl_film_set_name(rbl_film *film, int object, const char *name);

/// What a film holds.
typedef struct rbl_film_info {
	int mesh_count, object_count, frame_count; // parts are objects too

	/// Poses that were given, and keyframes kept of them.
	int64_t pose_count, key_count;

	/// Time of the last frame.
	float time;
} rbl_film_info;

/// @return what it holds; zeros for NULL.
RBL_API rbl_film_info rbl_film_get_info(const rbl_film *film);

/// Write a film as it is so far, as .glb. More frames may follow.
/// @return as rbl_write_scene()
/// Cost: O(n) in keys.
RBL_API rbl_result rbl_write_film(const char *path, const rbl_film *film, const rbl_write_def *def);

/// The same into memory, as rbl_write_mesh_memory() does.
/// @return as rbl_write_film(). Cost: O(n) in keys.
RBL_API rbl_result rbl_write_film_memory(const rbl_film *film, const rbl_write_def *def,
                                         rbl_file_bytes *bytes);

/// Make one mesh of all that a film shows at a time, in the coordinates of the world, for formats
/// that have no animation. Equal materials become one.
/// @param time  seconds, >= 0
/// @param mesh  receives the mesh, the caller's to destroy; NULL on failure
/// @return RBL_OK, RBL_BAD_ARGUMENT, RBL_OUT_OF_MEMORY
/// Threads: any that leave the film alone. Cost: O(n).
RBL_API rbl_result rbl_film_create_mesh(const rbl_film *film, float time, rbl_mesh **mesh);

/// @return the format of a file name's extension, or RBL_FORMAT_AUTO. Threads: any.
RBL_API rbl_file_format rbl_file_format_of_name(const char *name);

/// @return the usual extension without its dot, never NULL. Threads: any.
RBL_API const char *rbl_file_format_ending(rbl_file_format format);
