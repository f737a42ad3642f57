// SPDX-License-Identifier: MIT
//
// What a glTF file has and a document has not: members that no other part of the reader looks at,
// each named once. Those that it looks at are listed here, so that nothing is lost in silence.

#include "io/document.h"

#include <stdio.h>

// Kinds of objects, and their members between blanks.
typedef struct object_kind {
	const char *name;    // as it is said
	const char *members; // that are kept, or noted where they are read
} object_kind;

static const object_kind lists[] = {
	{ "scenes", " name nodes extras " },
	{ "nodes",
	  " name children mesh skin camera weights translation rotation scale matrix extensions "
	  "extras " },
	{ "meshes", " name primitives weights extras " },
	{ "materials",
	  " name pbrMetallicRoughness normalTexture occlusionTexture emissiveTexture emissiveFactor "
	  "alphaMode alphaCutoff doubleSided extensions extras " },
	{ "textures", " name source sampler extensions extras " },
	{ "images", " name uri bufferView mimeType extras " },
	{ "samplers", " name magFilter minFilter wrapS wrapT extras " },
	{ "animations", " name channels samplers extras " },
	{ "accessors",
	  " name bufferView byteOffset componentType normalized count type max min sparse " },
	// Extensions of these pack meshes, which is no loss where a file has them plain as well.
	{ "bufferViews", " name buffer byteOffset byteLength byteStride target extensions " },
	{ "buffers", " name uri byteLength extensions " },
};

static const object_kind root_kind = {
	"the file", " asset scene scenes nodes meshes materials textures images samplers cameras "
				"animations accessors bufferViews buffers skins extensionsUsed extensionsRequired "
				"extensions extras "
};
static const object_kind asset_kind = { "asset",
	                                    " version minVersion generator copyright extras " };
static const object_kind primitive_kind = {
	"primitives", " attributes indices material mode targets extensions extras "
};
static const object_kind pbr_kind = { "materials",
	                                  " baseColorFactor baseColorTexture metallicFactor "
	                                  "roughnessFactor metallicRoughnessTexture " };
static const object_kind channel_kind = { "animation channels", " sampler target " };
static const object_kind target_kind = { "animation channels", " node path " };
static const object_kind sampler_kind = { "animation samplers", " input output interpolation " };

static bool is_listed(const char *members, const char *name)
{
	size_t length = strlen(name);
	for (const char *at = members; (at = strstr(at, name)) != NULL; ++at)
		if (at > members && at[-1] == ' ' && at[length] == ' ' && length > 0)
			return true;
	return false;
}

static void note_object(rbl_gltf *gltf, const rbl_json *object, const object_kind *kind)
{
	if (rbl_json_get_type(object) != RBL_JSON_OBJECT)
		return;
	for (int i = 0; i < rbl_json_count(object); ++i) {
		const char *name = rbl_json_key(object, i);
		char text[RBL_GLTF_NOT_KEPT_LENGTH];
		if (is_listed(kind->members, name))
			continue;
		snprintf(text, sizeof text, "%.24s of %s", name, kind->name);
		rbl_gltf_note_lost(gltf, text);
	}
}

static void note_items(rbl_gltf *gltf, const rbl_json *list, const object_kind *kind)
{
	for (int i = 0; rbl_json_get_type(list) == RBL_JSON_LIST && i < rbl_json_count(list); ++i)
		note_object(gltf, rbl_json_item(list, i), kind);
}

// Extensions of primitives, of which one is kept.
static void note_primitives(rbl_gltf *gltf, const rbl_json *list)
{
	note_items(gltf, list, &primitive_kind);
	for (int i = 0; rbl_json_get_type(list) == RBL_JSON_LIST && i < rbl_json_count(list); ++i) {
		const rbl_json *extensions = rbl_json_member(rbl_json_item(list, i), "extensions");
		for (int k = 0;
		     rbl_json_get_type(extensions) == RBL_JSON_OBJECT && k < rbl_json_count(extensions);
		     ++k) {
			const char *name = rbl_json_key(extensions, k);
			if (strcmp(name, "KHR_materials_variants") != 0)
				rbl_gltf_note_lost(gltf, name);
		}
	}
}

void rbl_gltf_note_unread(rbl_gltf *gltf)
{
	const rbl_json *root = gltf->root;
	note_object(gltf, root, &root_kind);
	note_object(gltf, rbl_json_member(root, "asset"), &asset_kind);
	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i)
		note_items(gltf, rbl_json_member(root, lists[i].name), &lists[i]);
	for (int i = 0; i < rbl_gltf_list_count(gltf, "meshes"); ++i)
		note_primitives(gltf, rbl_json_member(rbl_gltf_item(gltf, "meshes", i), "primitives"));
	for (int i = 0; i < rbl_gltf_list_count(gltf, "materials"); ++i)
		note_object(gltf,
		            rbl_json_member(rbl_gltf_item(gltf, "materials", i), "pbrMetallicRoughness"),
		            &pbr_kind);
	for (int i = 0; i < rbl_gltf_list_count(gltf, "animations"); ++i) {
		const rbl_json *animation = rbl_gltf_item(gltf, "animations", i);
		const rbl_json *channels = rbl_json_member(animation, "channels");
		note_items(gltf, channels, &channel_kind);
		for (int k = 0;
		     rbl_json_get_type(channels) == RBL_JSON_LIST && k < rbl_json_count(channels); ++k)
			note_object(gltf, rbl_json_member(rbl_json_item(channels, k), "target"), &target_kind);
		note_items(gltf, rbl_json_member(animation, "samplers"), &sampler_kind);
	}
}
