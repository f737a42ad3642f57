// SPDX-License-Identifier: MIT
// A scene graph: what a glTF file holds, as plain arrays. Read by rbl_read_document(), written by
// rbl_write_scene() (rubble/io.h).
//
// Materials, textures, images and samplers are lists that name each other by index. What is glTF's
// and need not be understood is kept as text: `extensions` and `extras` are JSON, written as they
// were read.
#pragma once

#include <rubble/base.h>
#include <rubble/mesh.h>
#include <rubble/types.h>

/// A node of a scene: a mesh or a group, placed relative to its parent. Start from
/// rbl_default_scene_node().
typedef struct rbl_scene_node {
	/// UTF-8 or NULL.
	const char *name;

	/// An index into the scene's meshes, or -1.
	int mesh;

	/// The index of an earlier node, or -1 for the scene itself.
	int parent;

	/// Metres.
	rbl_vec3 translation;

	/// Unit quaternion.
	rbl_quat rotation;

	/// 1, 1, 1 leaves the size; 0, 0, 0 hides what an animation shows later.
	rbl_vec3 scale;

	/// 16 numbers by columns, in place of the three above; NULL: those are used. Default NULL.
	const float *matrix;

	/// An index into the scene's cameras, from 1; 0: none.
	int camera;

	/// A JSON object, or NULL.
	const char *extensions;

	/// Any JSON, or NULL: what programs keep beside a node.
	const char *extras;

	/// Places of the mesh besides each other (EXT_mesh_gpu_instancing): as many copies of it, each
	/// placed relative to the node. 0: the mesh itself. Default 0.
	int instance_count;

	/// Their translations, rotations (x, y, z, w) and scales, each or NULL.
	const rbl_vec3 *instance_translations;
	const rbl_quat *instance_rotations;
	const rbl_vec3 *instance_scales;
} rbl_scene_node;

/// How alpha is meant.
typedef enum rbl_alpha_mode {
	/// It is ignored.
	RBL_ALPHA_OPAQUE = 0,
	/// Below alpha_cutoff nothing is drawn.
	RBL_ALPHA_MASK,
	RBL_ALPHA_BLEND,
} rbl_alpha_mode;

/// A texture as a material uses it.
typedef struct rbl_texture_use {
	/// An index into the scene's textures, from 1; 0: none.
	int texture;

	/// Which texture coordinates of the mesh.
	int uv_set;

	/// Normal maps: their scale; occlusion: its strength. Default 1.
	float factor;

	/// JSON objects, or NULL; KHR_texture_transform is one of the extensions.
	const char *extensions, *extras;
} rbl_texture_use;

/// A material: all of glTF's metallic-roughness model. Start from rbl_default_scene_material().
typedef struct rbl_scene_material {
	/// UTF-8 or NULL.
	const char *name;

	/// Linear color and alpha, 0 to 1. Default white.
	rbl_vec4 base_color;

	/// 0 to 1 each. Default 1 and 1, as in glTF.
	float metallic, roughness;

	/// Linear color, 0 to 1. Default black.
	rbl_vec3 emissive;

	/// Default RBL_ALPHA_OPAQUE, and 0.5.
	rbl_alpha_mode alpha_mode;
	float alpha_cutoff;

	/// Back faces are drawn too. Default false.
	bool is_double_sided;

	/// Default none.
	rbl_texture_use base_color_texture, metallic_roughness_texture, normal_texture,
		occlusion_texture, emissive_texture;

	/// JSON, or NULL; the extensions are KHR_materials_* mostly. A texture in them is an object
	/// under a key that ends in "Texture", with an `index` from 0.
	const char *extensions, *extras;
} rbl_scene_material;

/// A texture: an image and how it is sampled.
typedef struct rbl_scene_texture {
	/// UTF-8 or NULL.
	const char *name;

	/// Indices from 1 into the scene's images and samplers; 0: none.
	int image, sampler;

	/// JSON, or NULL. KHR_texture_basisu and EXT_texture_webp name an image by a `source` from 0.
	const char *extensions, *extras;
} rbl_scene_texture;

/// How a texture is sampled, in OpenGL's numbers.
typedef struct rbl_scene_sampler {
	/// UTF-8 or NULL.
	const char *name;

	/// 0: unset, the viewer's choice.
	int mag_filter, min_filter;

	/// 0: unset, which repeats.
	int wrap_s, wrap_t;

	/// JSON, or NULL.
	const char *extras;
} rbl_scene_sampler;

/// An image, as the bytes of its file: never decoded.
typedef struct rbl_scene_image {
	/// UTF-8 or NULL.
	const char *name;

	/// "image/png", "image/jpeg", "image/webp" or "image/ktx2".
	const char *mime_type;

	/// The whole file.
	const void *bytes;
	size_t size;

	/// JSON, or NULL.
	const char *extras;
} rbl_scene_image;

/// What the faces of one material of a mesh have besides: a primitive of glTF.
typedef struct rbl_scene_slot {
	/// A JSON object, or NULL: KHR_materials_variants.
	const char *extensions;

	/// JSON, or NULL.
	const char *extras;
} rbl_scene_slot;

/// What a mesh of a scene is called.
typedef struct rbl_scene_label {
	/// UTF-8 or NULL.
	const char *name;

	/// JSON, or NULL.
	const char *extras;

	/// One for each material of the mesh, or NULL.
	const rbl_scene_slot *slots;
} rbl_scene_label;

/// What a track moves.
typedef enum rbl_track_path {
	RBL_TRACK_TRANSLATION = 0,
	RBL_TRACK_ROTATION,
	RBL_TRACK_SCALE,
} rbl_track_path;

/// The keys of one quantity of one node.
typedef struct rbl_scene_track {
	/// An index into the scene's nodes.
	int node;

	/// At most one track per node and path in an animation.
	rbl_track_path path;

	/// Hold each value until the next key instead of interpolating (glTF STEP). Objects appear and
	/// vanish by scale 0 and 1 with steps: viewers do not agree on other ways of hiding.
	bool has_steps;

	/// Number of keys, > 0.
	int key_count;

	/// Seconds, >= 0, ascending. Tracks that pass the same pointer and count share one array in
	/// the file, which is much of its size.
	const float *times;

	/// Three floats per key, or four (x, y, z, w) for a rotation. The same pointer is written once.
	const float *values;

	/// Rotations only: 16 bits per number, half the size, error below 0.01 degrees.
	bool is_short;
} rbl_scene_track;

/// Tracks that play together.
typedef struct rbl_scene_animation {
	/// UTF-8 or NULL.
	const char *name;

	int track_count;
	const rbl_scene_track *tracks;

	/// JSON, or NULL.
	const char *extras;
} rbl_scene_animation;

/// A scene: plain arrays. rbl_write_scene() reads the caller's during the call only; those of
/// rbl_document_get_scene() live as long as the document.
///
/// A material of a mesh whose `source` is k is the scene's material k - 1. Other materials are
/// those of the meshes; equal ones become one, and of different ones that have the same name all
/// but the first get a number behind it.
typedef struct rbl_scene {
	int mesh_count;
	const rbl_mesh *const *meshes;

	int node_count;
	const rbl_scene_node *nodes;

	int animation_count;
	const rbl_scene_animation *animations;

	/// A label per mesh, or NULL.
	const rbl_scene_label *mesh_labels;

	int material_count;
	const rbl_scene_material *materials;

	int texture_count;
	const rbl_scene_texture *textures;

	int sampler_count;
	const rbl_scene_sampler *samplers;

	int image_count;
	const rbl_scene_image *images;

	/// Each a JSON object of glTF.
	int camera_count;
	const char *const *cameras;

	/// UTF-8 or NULL: the scene's name, and who holds the rights.
	const char *name, *copyright;

	/// JSON, or NULL: of the file, as KHR_lights_punctual, and of the scene.
	const char *extensions, *extras;

	/// JSON, or NULL: extras of the file, and of what glTF calls its asset.
	const char *file_extras, *asset_extras;
} rbl_scene;

/// @return a node at the origin, without mesh, parent or name. Threads: any.
RBL_API rbl_scene_node rbl_default_scene_node(void);

/// @return glTF's default material. Threads: any.
RBL_API rbl_scene_material rbl_default_scene_material(void);
